/* SPDX-License-Identifier: Apache-2.0
 * test_turn.c: phi and chi of z = 1 - cos th, their derivatives and divided differences. */
#include "math/turn.h"

#include "../support/check.h"

/* the definitions, in extended precision; far enough from z = 0 they lose few digits */
static long double phi_of(long double z) {
    long double s = sqrtl(z * (2.0L - z));
    return atan2l(s, 1.0L - z) / s;
}

static long double chi_of(long double z) {
    return (1.0L - phi_of(z)) / (z * (2.0L - z));
}

static void values_agree_with_their_definitions(void **state) {
    (void)state;
    double most = 0.0;
    for (int i = 20; i < 1950; i++) {
        double  z = 0.001 * i;
        zw_turn f;
        zw_turn_at(z, &f);
        most = fmax(most, fabs((double)(f.phi / phi_of(z) - 1.0L)));
        most = fmax(most, fabs((double)(f.chi / chi_of(z) - 1.0L)));
    }
    check_below(most, 1e-14, 1.3e-15);
}

static void values_at_zero_are_the_limits(void **state) {
    (void)state;
    zw_turn f;
    zw_turn_at(0.0, &f); /* phi = 1 + z/3 + 2 z^2/15 + ..., chi = -1/6 - 3 z/20 * ... */
    check_near(f.phi, 1.0, 0.0);
    check_near(f.phi1, 1.0 / 3.0, 1e-16);
    check_near(f.phi2, 4.0 / 15.0, 1e-16);
    check_near(f.chi, -1.0 / 6.0, 1e-16);
}

/* each derivative is that of the one before, across the change from series to closed form at 0.4 too */
static void derivatives_agree_with_differences(void **state) {
    (void)state;
    double most = 0.0;
    for (int i = 1; i < 1900; i++) {
        double  z = 0.001 * i, h = 1e-3 * fmin(z, 2.0 - z);
        zw_turn f, a, b, c, d;
        zw_turn_at(z, &f);
        zw_turn_at(z + h, &a);
        zw_turn_at(z - h, &b);
        zw_turn_at(z + 2.0 * h, &c);
        zw_turn_at(z - 2.0 * h, &d);
        double phi1 = (8.0 * (a.phi - b.phi) - (c.phi - d.phi)) / (12.0 * h),
               phi2 = (8.0 * (a.phi1 - b.phi1) - (c.phi1 - d.phi1)) / (12.0 * h);
        double chi1 = (8.0 * (a.chi - b.chi) - (c.chi - d.chi)) / (12.0 * h),
               chi2 = (8.0 * (a.chi1 - b.chi1) - (c.chi1 - d.chi1)) / (12.0 * h);
        double size = 1e-16 / h; /* what the differences lose */
        most = fmax(most, (fabs(phi1 - f.phi1) - 20.0 * size * f.phi) / f.phi1);
        most = fmax(most, (fabs(phi2 - f.phi2) - 100.0 * size * f.phi1) / f.phi2);
        most = fmax(most, (fabs(chi1 - f.chi1) - 20.0 * size * fabs(f.chi)) / fabs(f.chi1));
        most = fmax(most, (fabs(chi2 - f.chi2) - 100.0 * size * fabs(f.chi1)) / fabs(f.chi2));
    }
    check_below(most, 1e-9, 1.8e-11);
}

static void secants_times_the_way_are_differences(void **state) {
    (void)state;
    double most = 0.0;
    for (int i = 1; i < 1800; i++) {
        for (int k = -12; k <= 3; k++) {
            double         z0 = 0.001 * i, z1 = z0 + pow(10.0, 0.5 * k - 2.0) * (i % 2 == 0 ? 0.5 : -0.5) * fmin(z0, 2.0 - z0);
            zw_turn        a, b;
            zw_turn_secant s;
            zw_turn_at(z0, &a);
            zw_turn_at(z1, &b);
            zw_turn_between(z0, z1, &a, &b, &s);
            most = fmax(most, fabs(s.phi * (z1 - z0) - (b.phi - a.phi)) / fmax(a.phi, b.phi));
            most = fmax(most, fabs(s.chi * (z1 - z0) - (b.chi - a.chi)) / fmax(fabs(a.chi), fabs(b.chi)));
        }
    }
    check_below(most, 1e-14, 2.4e-15);
}

static void a_secant_of_no_length_is_the_derivative(void **state) {
    (void)state;
    for (int i = 0; i < 1900; i++) {
        double         z = 0.001 * i;
        zw_turn        f;
        zw_turn_secant s;
        zw_turn_at(z, &f);
        zw_turn_between(z, z, &f, &f, &s);
        check_relative(s.phi, f.phi1, 1e-14);
        check_relative(s.chi, f.chi1, 1e-14);
        check_relative(s.phi1, 0.5 * f.phi2, 1e-14);
        check_relative(s.chi1, 0.5 * f.chi2, 1e-14);
    }
}

/* by an eight-point central difference in z1 */
static void the_derivative_of_a_secant_agrees_with_differences(void **state) {
    (void)state;
    static const double weight[4] = {672.0 / 840.0, -168.0 / 840.0, 32.0 / 840.0, -3.0 / 840.0};
    double              most = 0.0;
    for (int i = 1; i < 150; i++) {
        for (int k = 0; k < 12; k++) {
            double         z0 = 0.01 * i, z1 = z0 * (1.0 + 0.04 * (k - 5)), h = 0.01 * fmin(z1, 2.0 - z1), phi1 = 0.0, chi1 = 0.0;
            zw_turn        a, b, c;
            zw_turn_secant s, moved;
            zw_turn_at(z0, &a);
            zw_turn_at(z1, &b);
            zw_turn_between(z0, z1, &a, &b, &s);
            for (int j = 0; j < 8; j++) {
                double sign = j % 2 == 0 ? 1.0 : -1.0, to = z1 + sign * (j / 2 + 1) * h;
                zw_turn_at(to, &c);
                zw_turn_between(z0, to, &a, &c, &moved);
                phi1 += sign * weight[j / 2] * moved.phi / h;
                chi1 += sign * weight[j / 2] * moved.chi / h;
            }
            most = fmax(most, fabs(phi1 / s.phi1 - 1.0));
            most = fmax(most, fabs(chi1 / s.chi1 - 1.0));
        }
    }
    check_below(most, 1e-10, 5.9e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_agree_with_their_definitions),     cmocka_unit_test(values_at_zero_are_the_limits),
        cmocka_unit_test(derivatives_agree_with_differences),      cmocka_unit_test(secants_times_the_way_are_differences),
        cmocka_unit_test(a_secant_of_no_length_is_the_derivative), cmocka_unit_test(the_derivative_of_a_secant_agrees_with_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

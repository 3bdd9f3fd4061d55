/* SPDX-License-Identifier: Apache-2.0
 * test_se3.c: exp, log, cay6, adjoints and their derivatives; the link wrench of a rod against the 6x6 matrices. */
#include "support/check.h"

#include "math/dense.h"
#include "math/se3.h"
#include "samples.h"

static const double pi = 3.14159265358979323846;
static const double angles[] = {0.0, 1e-6, 1e-3, 0.1, 0.5, 0.97, 1.03, 1.6, 2.5, 3.0};
enum { ANGLES = sizeof angles / sizeof angles[0] };

static void sample_twist(samples *s, double angle, double xi[6]) {
    sample_length(s, angle, xi);
    sample_array(s, 1.0, xi + 3, 3);
}

static void sample_place(samples *s, double r[9], double x[3]) {
    double w[3];
    sample_array(s, 2.0, w, 3);
    zw_so3_exp(w, r);
    sample_array(s, 1.0, x, 3);
}

static void group_laws_hold_for_both_kinds(void **state) {
    (void)state;
    samples s = {31};
    double  worst = 0.0, kinds = 0.0;
    for (int n = 0; n < 200; n++) {
        double ra[9], xa[3], rb[9], xb[3], r[9], x[3], ri[9], xi[3], one[9], zero[3] = {0, 0, 0}, qa[4], qb[4], q[4], y[3], m[9];
        sample_place(&s, ra, xa);
        sample_place(&s, rb, xb);
        zw_m3_identity(one);
        zw_se3_inverse(ra, xa, ri, xi);
        zw_se3_mul(ra, xa, ri, xi, r, x);
        worst = larger(worst, larger(most_apart(r, one, 9), most_apart(x, zero, 3)));
        zw_se3_mul(ri, xi, rb, xb, r, x); /* a^-1 b both ways */
        zw_se3_relative(ra, xa, rb, xb, m, y);
        worst = larger(worst, larger(most_apart(r, m, 9), most_apart(x, y, 3)));
        zw_q_from_matrix(ra, qa);
        zw_q_from_matrix(rb, qb);
        zw_se3_relative_q(qa, xa, qb, xb, q, y);
        zw_q_to_matrix(q, m);
        kinds = larger(kinds, larger(most_apart(r, m, 9), most_apart(x, y, 3)));
        zw_se3_mul(ra, xa, rb, xb, r, x);
        zw_se3_mul_q(qa, xa, qb, xb, q, y);
        zw_q_to_matrix(q, m);
        kinds = larger(kinds, larger(most_apart(r, m, 9), most_apart(x, y, 3)));
        zw_se3_inverse_q(qa, xa, q, y);
        zw_q_to_matrix(q, m);
        kinds = larger(kinds, larger(most_apart(ri, m, 9), most_apart(xi, y, 3)));
    }
    check_below(worst, 4e-15, 1.1e-15);
    check_below(kinds, 4e-15, 1.4e-15);
}

static void log_inverts_exp_up_to_pi(void **state) {
    (void)state;
    samples s = {32};
    double  worst = 0.0, kinds = 0.0;
    for (int n = 0; n < 2000; n++) {
        double xi[6], b[6], r[9], x[3], q[4], y[3];
        sample_twist(&s, (pi - 1e-3) * n / 2000.0, xi);
        zw_se3_exp(xi, r, x);
        assert_false(zw_se3_log(r, x, b));
        worst = larger(worst, most_apart(xi, b, 6));
        zw_se3_exp_q(xi, q, y);
        assert_false(zw_se3_log_q(q, y, b));
        worst = larger(worst, most_apart(xi, b, 6));
        kinds = larger(kinds, most_apart(x, y, 3));
    }
    check_below(worst, 5e-15, 8.9e-16);
    check_near(kinds, 0.0, 0.0);
    double turn[6] = {0.0, pi, 0.0, 1.0, 2.0, 3.0}, r[9], x[3], b[6];
    zw_se3_exp(turn, r, x);
    assert_true(zw_se3_log(r, x, b));
    assert_true(zw_se3_cay6_inv(r, x, b));
}

/* a helix: exp(t xi) is a one-parameter group, so exp(xi/8)^8 = exp(xi) */
static void exp_is_a_one_parameter_group(void **state) {
    (void)state;
    samples s = {33};
    double  worst = 0.0;
    for (int n = 0; n < 100; n++) {
        double xi[6], part[6], r[9], x[3], h[9], y[3];
        sample_twist(&s, 6.0 * n / 100.0, xi);
        for (int i = 0; i < 6; i++) {
            part[i] = xi[i] / 8.0;
        }
        zw_se3_exp(xi, r, x);
        zw_se3_exp(part, h, y);
        for (int k = 0; k < 3; k++) {
            zw_se3_mul(h, y, h, y, h, y);
        }
        worst = larger(worst, larger(most_apart(r, h, 9), most_apart(x, y, 3)));
    }
    check_below(worst, 1e-14, 1.4e-15);
}

static void adjoints_agree_with_matrices_and_conjugation(void **state) {
    (void)state;
    samples s = {34};
    double  applied = 0.0, pairing = 0.0, conjugate = 0.0, automorphism = 0.0;
    for (int n = 0; n < 200; n++) {
        double r[9], x[3], A[36], xi[6], eta[6], mu[6], a[6], b[6], c[6], d[6];
        sample_place(&s, r, x);
        sample_twist(&s, 0.7, xi);
        sample_array(&s, 1.0, eta, 6);
        sample_array(&s, 1.0, mu, 6);
        zw_se3_adjoint(r, x, A);
        zw_m6_mulv(a, A, xi);
        zw_se3_adjoint_apply(r, x, xi, b);
        applied = larger(applied, most_apart(a, b, 6));
        zw_se3_adjoint_back(r, x, b, c);
        applied = larger(applied, most_apart(c, xi, 6));
        zw_m6_tmulv(c, A, mu);
        zw_se3_coadjoint_apply(r, x, mu, d);
        applied = larger(applied, most_apart(c, d, 6));
        zw_se3_coadjoint_back(r, x, d, c);
        applied = larger(applied, most_apart(c, mu, 6));
        /* g exp(xi) g^-1 = exp(Ad_g xi) */
        double h[9], y[3], ri[9], xr[3], k[9], z[3];
        zw_se3_exp(xi, h, y);
        zw_se3_mul(r, x, h, y, h, y);
        zw_se3_inverse(r, x, ri, xr);
        zw_se3_mul(h, y, ri, xr, h, y);
        zw_se3_exp(a, k, z);
        conjugate = larger(conjugate, larger(most_apart(h, k, 9), most_apart(y, z, 3)));
        /* <mu, [xi, eta]> = <ad* mu, eta>, and both 6x6 */
        zw_se3_ad_apply(xi, eta, a);
        zw_se3_ad(xi, A);
        zw_m6_mulv(b, A, eta);
        applied = larger(applied, most_apart(a, b, 6));
        zw_se3_coad_apply(xi, mu, b);
        zw_se3_coad(xi, A);
        zw_m6_mulv(c, A, mu);
        applied = larger(applied, most_apart(b, c, 6));
        pairing = larger(pairing, fabs(zw_v6_dot(mu, a) - zw_v6_dot(b, eta)));
        /* Ad [xi, eta] = [Ad xi, Ad eta] */
        zw_se3_adjoint_apply(r, x, a, b);
        zw_se3_adjoint_apply(r, x, xi, c);
        zw_se3_adjoint_apply(r, x, eta, d);
        zw_se3_ad_apply(c, d, a);
        automorphism = larger(automorphism, most_apart(a, b, 6));
    }
    check_below(applied, 4e-15, 2.2e-15);
    check_below(pairing, 2e-15, 4.4e-16);
    check_below(conjugate, 1e-14, 1.6e-15);
    check_below(automorphism, 1e-14, 8.9e-16);
}

typedef void place_fn(const double xi[6], double r[9], double x[3]);
typedef struct place_data {
    place_fn *f;
} place_data;

static void place_values(const double *xi, const void *data, double *out) {
    const place_data *p = data;
    p->f(xi, out, out + 9);
}

/* (dR R^T, dx - dR R^T x) as a twist */
static void spatial_rate(place_fn *f, const double xi[6], const double d[6], double out[6]) {
    place_data data = {f};
    double     r[9], x[3], dg[12], m[9], t[3];
    f(xi, r, x);
    difference(place_values, &data, 6, xi, d, 12, dg);
    zw_m3_mult(m, dg, r);
    zw_v3_set(out, 0.5 * (m[7] - m[5]), 0.5 * (m[2] - m[6]), 0.5 * (m[3] - m[1]));
    zw_v3_cross(t, out, x);
    zw_v3_sub(out + 3, dg + 9, t);
}

static void dexp_and_dcay6_are_spatial_rates_and_body_rates_at_minus_xi(void **state) {
    (void)state;
    samples s = {35};
    double  e_exp = 0.0, e_cay = 0.0, e_body = 0.0;
    for (int n = 0; n < 10 * ANGLES; n++) {
        double xi[6], d[6], rate[6], A[36], u[6], minus[6], r[9], x[3];
        sample_twist(&s, angles[n % ANGLES], xi);
        sample_array(&s, 1.0, d, 6);
        spatial_rate(zw_se3_exp, xi, d, rate);
        zw_se3_dexp(xi, A);
        zw_m6_mulv(u, A, d);
        e_exp = larger(e_exp, most_apart(u, rate, 6));
        /* body rate = Ad_g^-1 of the spatial one = dexp_{-xi} d */
        zw_se3_exp(xi, r, x);
        zw_se3_adjoint_back(r, x, u, u);
        for (int i = 0; i < 6; i++) {
            minus[i] = -xi[i];
        }
        zw_se3_dexp(minus, A);
        zw_m6_mulv(rate, A, d);
        e_body = larger(e_body, most_apart(u, rate, 6));
        spatial_rate(zw_se3_cay6, xi, d, rate);
        zw_se3_dcay6(xi, A);
        zw_m6_mulv(u, A, d);
        e_cay = larger(e_cay, most_apart(u, rate, 6));
    }
    check_below(e_exp, 2e-13, 3.7e-14);
    check_below(e_body, 1e-14, 5.6e-16);
    check_below(e_cay, 2e-13, 2.6e-14);
}

static void inverse_derivatives_are_inverses_and_applied_forms_agree(void **state) {
    (void)state;
    samples s = {36};
    double  inverse = 0.0, applied = 0.0, one[36];
    zw_m6_identity(one);
    for (int n = 0; n < 10 * ANGLES; n++) {
        double xi[6], v[6], A[36], B[36], X[36], a[6], b[6];
        sample_twist(&s, angles[n % ANGLES], xi);
        sample_array(&s, 1.0, v, 6);
        zw_se3_dexp(xi, A);
        zw_se3_dexp_inv(xi, B);
        zw_m6_mul(X, A, B);
        inverse = larger(inverse, most_apart(X, one, 36));
        zw_m6_mulv(a, B, v);
        zw_se3_dexp_inv_apply(xi, v, b);
        applied = larger(applied, most_apart(a, b, 6));
        zw_m6_tmulv(a, B, v);
        zw_se3_dexp_inv_tapply(xi, v, b);
        applied = larger(applied, most_apart(a, b, 6));
        zw_se3_dcay6(xi, A);
        zw_se3_dcay6_inv(xi, B);
        zw_m6_mul(X, A, B);
        inverse = larger(inverse, most_apart(X, one, 36));
        zw_m6_mulv(a, B, v);
        zw_se3_dcay6_inv_apply(xi, v, b);
        applied = larger(applied, most_apart(a, b, 6));
        zw_m6_tmulv(a, B, v);
        zw_se3_dcay6_inv_tapply(xi, v, b);
        applied = larger(applied, most_apart(a, b, 6));
    }
    check_below(inverse, 1e-14, 2.2e-16);
    check_below(applied, 1e-14, 8.9e-16);
}

static void dexp_inv_values(const double *xi, const void *data, double *out) {
    (void)data;
    zw_se3_dexp_inv(xi, out);
}

static void dcay6_inv_values(const double *xi, const void *data, double *out) {
    (void)data;
    zw_se3_dcay6_inv(xi, out);
}

static void second_derivatives_match_differences(void **state) {
    (void)state;
    samples s = {37};
    double  e_exp = 0.0, e_cay = 0.0;
    for (int n = 0; n < 10 * ANGLES; n++) {
        double xi[6], d[6], a[36], b[36];
        sample_twist(&s, angles[n % ANGLES], xi);
        sample_array(&s, 1.0, d, 6);
        zw_se3_dexp_inv_d(xi, d, a);
        difference(dexp_inv_values, NULL, 6, xi, d, 36, b);
        e_exp = larger(e_exp, most_apart(a, b, 36));
        zw_se3_dcay6_inv_d(xi, d, a);
        difference(dcay6_inv_values, NULL, 6, xi, d, 36, b);
        e_cay = larger(e_cay, most_apart(a, b, 36));
    }
    check_below(e_exp, 2e-13, 3.3e-14);
    check_below(e_cay, 2e-13, 5.7e-14);
}

/* Ad of cay6(xi) is the Cayley transform (1 - ad/2)^-1 (1 + ad/2) of ad; that of the 4x4 map is not */
static void cay6_is_the_cayley_map_of_the_adjoint(void **state) {
    (void)state;
    samples s = {38};
    double  six = 0.0, four = 0.0, back = 0.0;
    for (int n = 0; n < 200; n++) {
        double xi[6], b[6], ad[36], left[36], right[36], A[36], r[9], x[3], q[4];
        int    pivot[6];
        sample_twist(&s, 1.5 * n / 200.0, xi);
        zw_se3_ad(xi, ad);
        for (int i = 0; i < 36; i++) {
            double one = i % 7 == 0 ? 1.0 : 0.0;
            left[i] = one - 0.5 * ad[i];
            right[i] = one + 0.5 * ad[i];
        }
        assert_int_equal(zw_lu_factor(6, left, pivot), -1);
        zw_lu_solve(6, left, pivot, 6, right);
        zw_se3_cay6(xi, r, x);
        zw_se3_adjoint(r, x, A);
        six = larger(six, most_apart(A, right, 36));
        assert_false(zw_se3_cay6_inv(r, x, b));
        back = larger(back, most_apart(b, xi, 6));
        zw_se3_cay6_q(xi, q, x);
        assert_false(zw_se3_cay6_inv_q(q, x, b));
        back = larger(back, most_apart(b, xi, 6));
        zw_se3_cay4(xi, r, x);
        zw_se3_adjoint(r, x, A);
        four = larger(four, most_apart(A, right, 36));
    }
    check_below(six, 2e-15, 4.4e-16);
    check_below(back, 4e-15, 4.4e-16);
    assert_true(four > 0.05);
}

/* The cay4 translation is the one of the 4x4 matrices: (1 - w^/2) x = v. */
static void cay4_solves_the_four_by_four_equation(void **state) {
    (void)state;
    samples s = {39};
    double  worst = 0.0;
    for (int n = 0; n < 100; n++) {
        double xi[6], r[9], x[3], t[3];
        sample_twist(&s, 0.02 * n, xi);
        zw_se3_cay4(xi, r, x);
        zw_v3_cross(t, xi, x);
        zw_v3_addscaled(t, x, -0.5, t);
        worst = larger(worst, most_apart(t, xi + 3, 3));
    }
    check_below(worst, 2e-15, 2.2e-16);
}

/* the closed form of a rod's link wrench, T and f, is the transposed dexp_inv at s xi */
static void link_wrench_is_the_transposed_dexp_inv(void **state) {
    (void)state;
    samples s = {40};
    double  worst = 0.0;
    for (int k = 0; k < 10 * ANGLES; k++) {
        double        xi[6], sigma[6], want[6], got[6];
        const double *w = xi, *u = xi + 3, *m = sigma, *n = sigma + 3;
        sample_twist(&s, angles[k % ANGLES], xi);
        sample_array(&s, 1.0, sigma, 6);
        zw_so3_dlog_coef f = zw_so3_dlog_coefficients(zw_v3_norm2(w));
        double           th2 = zw_v3_norm2(w), wm = zw_v3_dot(w, m), wn = zw_v3_dot(w, n), un = zw_v3_dot(u, n), wu = zw_v3_dot(w, u);
        for (double side = 1.0; side >= -1.0; side -= 2.0) {
            double mw[3], nu[3], nw[3], arg[6];
            zw_v3_cross(mw, m, w);
            zw_v3_cross(nu, n, u);
            zw_v3_cross(nw, n, w);
            for (int i = 0; i < 3; i++) {
                want[i] = m[i] - 0.5 * side * (mw[i] + nu[i]) + f.c * (w[i] * wm - th2 * m[i]) +
                          f.c * (u[i] * wn + w[i] * un - 2.0 * wu * n[i]) + f.c1 * wu * (w[i] * wn - th2 * n[i]);
                want[i + 3] = n[i] - 0.5 * side * nw[i] + f.c * (w[i] * wn - th2 * n[i]);
            }
            for (int i = 0; i < 6; i++) {
                arg[i] = side * xi[i];
            }
            zw_se3_dexp_inv_tapply(arg, sigma, got);
            worst = larger(worst, most_apart(got, want, 6));
        }
    }
    check_below(worst, 4e-15, 4.4e-16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(group_laws_hold_for_both_kinds),
        cmocka_unit_test(log_inverts_exp_up_to_pi),
        cmocka_unit_test(exp_is_a_one_parameter_group),
        cmocka_unit_test(adjoints_agree_with_matrices_and_conjugation),
        cmocka_unit_test(dexp_and_dcay6_are_spatial_rates_and_body_rates_at_minus_xi),
        cmocka_unit_test(inverse_derivatives_are_inverses_and_applied_forms_agree),
        cmocka_unit_test(second_derivatives_match_differences),
        cmocka_unit_test(cay6_is_the_cayley_map_of_the_adjoint),
        cmocka_unit_test(cay4_solves_the_four_by_four_equation),
        cmocka_unit_test(link_wrench_is_the_transposed_dexp_inv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_shadow_energy.c: verlet keeps its shadow energy H~ = H + h^2 H2 + O(h^4) to round-off (shadow.h says how it is read off the steps), so that a slow change
 * of the measured energy is h^2 times a change of the mean of H2 in the motion itself. The long flights are in tests/paper/test_free_beam.c and
 * soak_shadow_energy.c. */
#define _GNU_SOURCE /* M_PI */
#include "paper/free_beam.h"
#include "steps/shadow.h"

#define SMALL                                                                                     \
    "zwang: 1\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: 40\n      section: %s\n" \
    "      material: {density: 1000, young: 1e7, poisson: 0.35}\n      shape: {curvature: [\"%s*sin(pi*s)^2\", 0, 0]}\n%s"

/* one state of the bent beam, full of short waves: H~ - H by differences against H2 by formula, over the step */
static void the_difference_begins_with_h2(void **state) {
    enum { N = 4 };
    fixture  f;
    stepper  s;
    zw_state x;
    double   first, rest[N];
    (void)state;
    fixture_system(&f, FREE_BEAM);
    stepper_open(&s, &f, 1e-4);
    stepper_go(&s, 2000);
    fixture_must(&f, zw_state_create(f.c, &s.n, &x), "zw_state_create");
    zw_state_copy(&s.n, stepper_x(&s), &x);
    for (int i = 0; i < N; i++) {
        shadow_room r;
        s.h = 4e-5 / (1 << i);
        zw_state_copy(&s.n, &x, stepper_x(&s));
        stepper_restart(&s);
        shadow_open(&r, &s);
        shadow_back(&s);
        shadow now = shadow_look(&r);
        shadow_close(&r);
        first = s.h * s.h * now.term;
        rest[i] = fabs(now.kept - now.energy - first);
        print_message("h %.3g: H~ - H %.6e, h^2 H2 %.6e, rest %.3e\n", s.h, now.kept - now.energy, first, rest[i]);
        if (i == 0) {
            check_below(rest[i] / fabs(first), 0.06, 0.030);
        }
    }
    check_order(rest, N, 2.0, 4.0, 0.1); /* measured 4.031, 4.008, 4.002 */
    zw_state_destroy(f.c, &x);
    stepper_close(&s);
    fixture_close(&f);
}

/* J1 != J2 and gravity: the free rotation in five factors and a potential without bounds, a rod bent by two radians */
static void any_inertia_keeps_it(void **state) {
    fixture f;
    stepper s;
    char    text[1000];
    (void)state;
    snprintf(text, sizeof text, SMALL, "{rectangle: [0.02, 0.03]}", "2", "      velocity: [sin(3*s), cos(5*s), 1]\ngravity: [1, 2, 3]\n");
    fixture_system(&f, text);
    stepper_open(&s, &f, 5e-5);
    shadow_flight a = shadow_fly(&s, scaled_steps(100000), 500);
    check_below(a.off, 1e-8, 1.6e-10); /* J of 0.27 */
    stepper_close(&s);
    fixture_close(&f);
}

/* a rod bent by 0.01 rad in its first shapes: waves do not trade energy there, and no drift of the measured energy is seen at all.
 * Means over a fifth are weighted with sin^4, so that the swings of E do not leak into them. */
static void small_smooth_motion_shows_no_drift(void **state) {
    fixture f;
    stepper s;
    char    text[1000];
    long    looks = scaled_steps(20000);
    double  mean[FIFTHS], low = HUGE_VAL, high = -HUGE_VAL, least = 0.0;
    (void)state;
    snprintf(text, sizeof text, SMALL, "{square: 0.02}", "0.02", "");
    fixture_system(&f, text);
    stepper_open(&s, &f, 5e-5);
    zw_account a0 = stepper_account(&s);
    double     E0 = account_energy(&a0);
    for (int fifth = 0; fifth < FIFTHS; fifth++) {
        double sum = 0.0, weights = 0.0;
        for (long i = 0; i < looks; i++) {
            double weight = pow(sin(M_PI * ((double)i + 0.5) / (double)looks), 4);
            stepper_go(&s, 10);
            zw_account a = stepper_account(&s);
            double     dE = (account_energy(&a) - E0) / E0;
            least = fmin(least, dE);
            sum += weight * dE;
            weights += weight;
        }
        mean[fifth] = sum / weights;
        low = fmin(low, mean[fifth]);
        high = fmax(high, mean[fifth]);
        print_message("fifth %d: (E - E0)/E0 %.6e\n", fifth + 1, mean[fifth]);
    }
    print_message("least (E - E0)/E0 %.3e, spread of the means %.3e\n", least, high - low);
    if (test_scale() >= 1.0) { /* a short fifth holds no whole swing of the longest wave */
        check_below(high - low, 2e-12, 8.2e-14);
    }
    shadow_flight a = shadow_fly(&s, scaled_steps(50000), 200);
    check_below(a.off / E0, 1e-11, 5.0e-13);
    stepper_close(&s);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_difference_begins_with_h2),
        cmocka_unit_test(any_inertia_keeps_it),
        cmocka_unit_test(small_smooth_motion_shows_no_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

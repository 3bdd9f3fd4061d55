/* SPDX-License-Identifier: Apache-2.0
 * soak_shadow_energy.c: the 100 s of flight of tests/paper/test_free_beam.c with a half and an eighth of its step. The slow fall of the measured energy is
 * h^2 times the growth of the mean of H2, and that growth does not go away with the step: it belongs to the motion of the rod, not to the scheme. */
#include "paper/free_beam.h"

/* off: bound of |H~ - H~0|, J; excess: of what E sinks by from the first fifth to the last, over what h^2 H2 gains, less 1 */
static void fly(double h, long steps, double off, double off_measured, double excess, double excess_measured) {
    shadow_flight a = free_beam_fly(h, scaled_steps(steps));
    double        growth = a.mean[FIFTHS - 1].term / a.mean[0].term - 1.0;
    print_message("h %.3g: E sinks by %.4e, h^2 H2 gains %.4e, H2 grows by %.3f, means of H~ within %.3e\n", h, shadow_sinks(&a),
                  shadow_gains(&a, h), growth, shadow_spread(&a));
    check_below(a.off, off, off_measured);
    if (test_scale() >= 1.0) {
        check_below(fabs(shadow_sinks(&a) / shadow_gains(&a, h) - 1.0), excess, excess_measured);
        assert_true(growth > 0.1 && growth < 0.6); /* measured 0.28 and 0.33; from starts shaken by 5e-3 m/s 0.26 and 0.27 */
    }
}

static void at_half_the_step(void **state) {
    (void)state;
    fly(5e-5, 2000000, 1e-7, 9.2e-9, 0.05, 0.026);
}

static void at_an_eighth_of_the_step(void **state) {
    (void)state;
    fly(1.25e-5, 8000000, 1e-7, 1.2e-8, 0.005, 0.0013);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_half_the_step),
        cmocka_unit_test(at_an_eighth_of_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_free_beam.c: section 4 of the paper: start values, 1e6 steps of free flight.
 *
 * The energy that the steps keep is the shadow energy H~ (tests/steps/shadow.h), and it has no drift. The measured E = H~ - h^2 H2 - ... lies in a band below
 * E0, and its mean sinks as far as the mean of H2 rises, while the shock of the start (a strain of 1 meets free ends) goes over to shorter waves. Any symplectic
 * scheme of order 2 shows this; so does H2 along the motion computed with an eighth of the step (tests/steps/soak_shadow_energy.c). */
#include "paper/free_beam.h"

static void start_values_are_those_of_the_reference(void **state) {
    fixture    f;
    zw_state   x;
    zw_account a;
    /* tests/references/rods.json, R19: P0, L0_half_weights, E0_half_weights */
    const double P0[3] = {13.332237, 8.6599375, -14.999452}, L0[3] = {-12.284014, -7.3325109, -10.39183};
    (void)state;
    fixture_system(&f, FREE_BEAM);
    fixture_state(&f, &x);
    zw_system_account(f.y, &x, &a);
    check_near(account_energy(&a), 102.9744259, 1e-7);
    check_near(zw_v3_norm(a.momentum), zw_v3_norm(P0), 1e-6);
    check_near(zw_v3_norm(a.angular), zw_v3_norm(L0), 1e-6);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void energy_and_momenta_stay(void **state) {
    const double  h = 1e-4; /* 0.48 of the limit */
    shadow_flight a = free_beam_fly(h, scaled_steps(1000000));
    (void)state;
    assert_true(a.low >= -0.15);                  /* J of 103; measured -0.1372 */
    assert_true(a.high <= 0.0);                   /* measured -0.0835 */
    check_below(a.off, 5e-6, 8.8e-7);             /* J; each look at H~ against the start: as near as differences over 64 steps see */
    check_below(shadow_spread(&a), 1e-7, 1.1e-8); /* J; means of H~ over fifths: no drift */
    check_below(a.rest, 0.02, 7.8e-3);            /* J; E + h^2 H2 - H~, terms of order h^4 */
    if (test_scale() >= 1.0) {
        /* E sinks by 0.0126 J, h^2 H2 gains 0.0115 J. For one wave the ratio is, by formula, 1 at h omega = 0 and 1.45 at
         * h omega = 0.96, the highest here; measured 1.098, and 1.07 to 1.11 from starts shaken by 5e-3 m/s */
        check_relative(shadow_sinks(&a), shadow_gains(&a, h), 0.15);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_values_are_those_of_the_reference),
        cmocka_unit_test(energy_and_momenta_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

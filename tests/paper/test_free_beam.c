/* SPDX-License-Identifier: Apache-2.0
 * test_free_beam.c: section 4 of the paper: start values, 1e6 steps of free flight. */
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
    (void)state;
    free_beam_fly(scaled_steps(1000000), -0.15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_values_are_those_of_the_reference),
        cmocka_unit_test(energy_and_momenta_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

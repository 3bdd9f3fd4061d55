/* SPDX-License-Identifier: Apache-2.0
 * soak_free_beam.c: section 4 of the paper over its full million steps. */
#include "paper/free_beam.h"

static void energy_and_momenta_stay_for_a_million_steps(void **state) {
    (void)state;
    free_beam_fly(scaled_steps(1000000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_and_momenta_stay_for_a_million_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

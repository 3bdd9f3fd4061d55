/* SPDX-License-Identifier: Apache-2.0
 * soak_free_beam.c: section 4 of the paper over ten million steps. */
#include "paper/free_beam.h"

static void energy_and_momenta_stay_for_ten_million_steps(void **state) {
    (void)state;
    free_beam_fly(scaled_steps(10000000), -0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_and_momenta_stay_for_ten_million_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

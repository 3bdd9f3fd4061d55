/* SPDX-License-Identifier: Apache-2.0
 * soak_verlet.c: rows stay closed over 1e5 steps while both ends of a rod are moved. */
#include "steps/moved_ends.h"

static void rows_stay_closed_for_long(void **state) {
    (void)state;
    move_both_ends(scaled_steps(100000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_stay_closed_for_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * soak_flying_spaghetti.c: Richardson's extrapolation of 160 and 320 elements meets the reference within three times its uncertainty. */
#include "paper/flying_spaghetti.h"

static void extrapolation_meets_the_reference(void **state) {
    spaghetti coarse, fine;
    double    worst = 0.0;
    (void)state;
    spaghetti_fly(160, &coarse);
    spaghetti_fly(320, &fine);
    for (int i = 0; i < SPAGHETTI_TIMES; i++) {
        for (int k = 0; k < SPAGHETTI_VALUES; k++) {
            double x = (4.0 * fine.x[i][k] - coarse.x[i][k]) / 3.0, off = fabs(x - spaghetti_reference[i][k]);
            print_message("t = %g, value %d: %.7f, off %.2e, uncertainty %.1e\n", 2.5 * (i + 1), k, x, off, spaghetti_uncertainty[i][k]);
            worst = fmax(worst, off / spaghetti_uncertainty[i][k]);
        }
    }
    check_below(worst, 3.0, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(extrapolation_meets_the_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_flying_spaghetti.c: 80 elements against the reference, momentum equal to the impulse, second order in mesh and step together. */
#include "paper/flying_spaghetti.h"

static void eighty_elements_come_near_the_reference(void **state) {
    static const double bound[SPAGHETTI_TIMES] = {6e-4, 3.5e-3, 7e-3, 1.1e-2};
    spaghetti           run;
    (void)state;
    spaghetti_fly(80, &run);
    for (int i = 0; i < SPAGHETTI_TIMES; i++) {
        double error = largest_difference(SPAGHETTI_VALUES, run.x[i], spaghetti_reference[i]);
        print_message("t = %g: %.3e\n", 2.5 * (i + 1), error);
        check_near(error, 0.0, bound[i]);
    }
    check_below(run.drift, 5e-3, 0.00011); /* of 884 J */
}

static void momentum_is_the_impulse(void **state) {
    spaghetti run;
    (void)state;
    spaghetti_fly(20, &run);
    for (int i = 0; i < SPAGHETTI_TIMES; i++) {
        double want[3] = {i == 0 ? 25.0 : 50.0, 0.0, 0.0};
        check_array_near(run.account[i].momentum, want, 3, 1e-9);
    }
    /* free flight from t = 5 on: angular momentum stays */
    check_below(largest_difference(3, run.account[1].angular, run.account[3].angular), 5e-11, 7.3e-13);
}

/* largest of all nine coordinates against the reference: the error falls by 4 when mesh and step are halved */
static void error_falls_by_four(void **state) {
    spaghetti coarse, fine;
    (void)state;
    spaghetti_fly(80, &coarse);
    spaghetti_fly(160, &fine);
    for (int i = 0; i < SPAGHETTI_TIMES; i++) {
        double a = largest_difference(SPAGHETTI_VALUES, coarse.x[i], spaghetti_reference[i]);
        double b = largest_difference(SPAGHETTI_VALUES, fine.x[i], spaghetti_reference[i]);
        print_message("t = %g: %.4f\n", 2.5 * (i + 1), a / b);
        check_near(a / b, 4.0, 0.1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eighty_elements_come_near_the_reference),
        cmocka_unit_test(momentum_is_the_impulse),
        cmocka_unit_test(error_falls_by_four),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

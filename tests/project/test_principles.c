/* SPDX-License-Identifier: Apache-2.0
 * test_principles.c: accelerations by multipliers and by Mac-Millan's reduced equations agree with the kernel, in proportion to the condition; the partition
 * takes the best columns; dependent rows are refused. */
#include "tests/project/problem.h"

#include "project/principles.h"

enum { N = 8, M = 3 };

static void both_agree_with_the_kernel(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 77);
    double worst[4] = {0};
    for (int round = 0; round < 200; round++) {
        int zero = 0, m = 1 + round % M, order[N];
        add_banded(&p, 1, 5, 0, false);
        add_diagonal(&p, N - 5, 1.0);
        add_tile(&p, m, 1, &zero, N);
        double         *f = random_vector(&p, N), *b = random_vector(&p, m), H[N * N], A[M * N], x[N], l[M], a[N], k[M];
        zw_project_info info;
        zw_principles   by;
        assert_int_equal(zw_principles_create(p.context, N, m, &by), ZW_OK);
        zw_principles_dense(&p.metric, &p.rows, H, A);
        assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, &info), ZW_OK);
        assert_int_equal(zw_solver_solve(p.solver, f, b, x, l, NULL), ZW_OK);
        assert_int_equal(zw_principles_multiplier(&by, H, A, f, b, a, k), ZW_OK);
        worst[0] = fmax(worst[0], distance(a, x, N) / info.condition);
        worst[1] = fmax(worst[1], distance(k, l, m) / info.condition);
        double pivot = zw_principles_partition(&by, H, A, order);
        assert_true(pivot > 0.0);
        check_near(zw_principles_pivot(&by, H, A, order), pivot, 1e-15);
        assert_int_equal(zw_principles_macmillan(&by, H, A, f, b, order, a, k), ZW_OK);
        worst[2] = fmax(worst[2], distance(a, x, N) / info.condition);
        worst[3] = fmax(worst[3], distance(k, l, m) / info.condition);
        zw_principles_destroy(&by);
        problem_clear(&p);
        free(f), free(b);
    }
    check_below(worst[0], 1e-13, 3.6e-15); /* per unit of condition */
    check_below(worst[1], 1e-13, 2.2e-15);
    check_below(worst[2], 1e-13, 6.5e-16);
    check_below(worst[3], 1e-13, 7.2e-15);
    problem_close(&p);
}

static void partition_takes_the_columns_that_hold(void **state) {
    (void)state;
    zw_context   *c;
    zw_principles by;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    assert_int_equal(zw_principles_create(c, 3, 1, &by), ZW_OK);
    const double H[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, A[3] = {0.1, -3.0, 0.2}, heavy[9] = {1, 0, 0, 0, 1e4, 0, 0, 0, 1};
    int          order[3];
    zw_principles_partition(&by, H, A, order);
    assert_int_equal(order[2], 1);
    assert_int_equal(order[0], 0);
    zw_principles_partition(&by, heavy, A, order); /* in the metric, the heavy one holds least */
    assert_int_equal(order[2], 2);
    zw_principles_destroy(&by);
    zw_context_destroy(c);
}

static void dependent_rows_are_refused(void **state) {
    (void)state;
    zw_context   *c;
    zw_principles by;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    assert_int_equal(zw_principles_create(c, 3, 2, &by), ZW_OK);
    const double H[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, A[6] = {1, 2, 0.3, 2.1, 4.2, 0.63}, f[3] = {1, 1, 1}, b[2] = {1, 2};
    double       a[3], l[2];
    int          order[3];
    check_below(zw_principles_partition(&by, H, A, order), 1e-15, 0.0);
    assert_int_equal(zw_principles_multiplier(&by, H, A, f, b, a, l), ZW_E_RANK);
    assert_int_equal(zw_principles_macmillan(&by, H, A, f, b, order, a, l), ZW_E_RANK);
    zw_principles_destroy(&by);
    zw_context_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_agree_with_the_kernel),
        cmocka_unit_test(partition_takes_the_columns_that_hold),
        cmocka_unit_test(dependent_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

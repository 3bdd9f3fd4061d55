/* SPDX-License-Identifier: Apache-2.0
 * test_rank.c: redundant rows: counted, named, solved with the multiplier of least norm, and refused when they contradict. */
#include "project/solver.h"
#include "tests/project/problem.h"

/* makes row `to` the combination of other rows; all rows of these problems span all columns */
static void combine(problem *p, int to, int count, const int *from, const double *factor) {
    int n = p->metric.n;
    for (int j = 0; j < n; j++) {
        double t = 0.0;
        for (int k = 0; k < count; k++) {
            t += factor[k] * p->rows.a[from[k] * n + j];
        }
        p->rows.a[to * n + j] = t;
    }
}

static void full_rows(problem *p, int m, int n) {
    int col[1] = {0};
    add_diagonal(p, n, 1.0);
    for (int i = 0; i < m; i++) {
        add_tile(p, 1, 1, col, n);
    }
}

/* b = A y, so that it is consistent */
static void consistent(const problem *p, const double *y, double *b) {
    double *A = dense_rows(p);
    dense_apply(p->rows.m, p->metric.n, A, y, b);
    free(A);
}

/* the cosine between lambda and a given null vector of A' */
static double cosine(int m, const double *lambda, const double *null) {
    double t = 0.0, a = 0.0, b = 0.0;
    for (int i = 0; i < m; i++) {
        t += lambda[i] * null[i];
        a += lambda[i] * lambda[i];
        b += null[i] * null[i];
    }
    return fabs(t) / sqrt(a * b);
}

static void duplicated_row_shares_its_multiplier(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 1);
    full_rows(&p, 4, 9);
    combine(&p, 2, 1, (int[]){0}, (double[]){1.0});
    double          y[9], b[4], x[9], l[4], x1[9], l1[3];
    int             named[4];
    zw_project_info info;
    for (int i = 0; i < 9; i++) {
        y[i] = random_unit(&p);
    }
    consistent(&p, y, b);
    double xhat[9] = {0};
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, &info), ZW_OK);
    assert_int_equal(info.rank, 3);
    assert_int_equal(info.redundant, 1);
    assert_int_equal(zw_solver_redundant(p.solver, named, 4), 1);
    assert_true(named[0] == 0 || named[0] == 2);
    check_relative(l[0], l[2], 1e-15); /* 0 */
    check_below(info.residual, 1e-15, 8.3e-17);
    /* the same without the duplicate, whose share goes to the original */
    p.rows.tile[2] = p.rows.tile[3];
    p.rows.tile[2].row = 2;
    p.rows.m = p.rows.ntiles = 3;
    b[2] = b[3];
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x1, l1, &info), ZW_OK);
    assert_int_equal(info.rank, 3);
    check_below(distance(x, x1, 9), 2e-15, 1.3e-16);
    check_relative(l[0] + l[2], l1[0], 2e-15); /* 1.4e-16 */
    problem_close(&p);
}

static void sums_of_rows_give_the_multiplier_of_least_norm(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 2);
    full_rows(&p, 8, 12);
    combine(&p, 6, 3, (int[]){0, 1, 2}, (double[]){1.0, 2.0, -1.0});
    combine(&p, 7, 2, (int[]){3, 6}, (double[]){0.5, 1.0});
    double          null[2][8] = {{1, 2, -1, 0, 0, 0, -1, 0}, {0, 0, 0, 0.5, 0, 0, 1, -1}};
    double          y[12], b[8], xhat[12], x[12], l[8];
    int             named[8];
    zw_project_info info;
    for (int i = 0; i < 12; i++) {
        y[i] = random_unit(&p);
        xhat[i] = random_unit(&p);
    }
    consistent(&p, y, b);
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, &info), ZW_OK);
    assert_int_equal(info.rank, 6);
    assert_int_equal(zw_solver_redundant(p.solver, named, 1), 2); /* counts all, writes one */
    assert_int_equal(zw_solver_redundant(p.solver, named, 8), 2);
    assert_true(named[0] < named[1] && named[1] < 8);
    check_below(info.residual, 1e-15, 1.3e-16);
    check_below(cosine(8, l, null[0]), 1e-14, 4.9e-16);
    check_below(cosine(8, l, null[1]), 1e-14, 5.3e-16);
    problem_close(&p);
}

static void contradicting_rows_are_refused_and_named(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 3);
    full_rows(&p, 3, 6);
    combine(&p, 2, 2, (int[]){0, 1}, (double[]){1.0, 1.0});
    double          b[3] = {1.0, 2.0, 3.0}, xhat[6] = {0}, x[6], l[3];
    zw_project_info info;
    b[2] *= 1.0 + 1e-10; /* below the limit: fits */
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, &info), ZW_OK);
    assert_int_equal(zw_error_count(p.context), 0);
    b[2] = 3.001;
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, &info), ZW_E_RANK);
    assert_int_equal(zw_error_count(p.context), 1);
    const zw_error *e = zw_error_at(p.context, 0);
    int             named;
    assert_int_equal(zw_solver_redundant(p.solver, &named, 1), 1);
    char row[32];
    snprintf(row, sizeof row, "row %d (tile %d)", named, named);
    assert_non_null(strstr(e->message, row));
    assert_true(e->remedy[0] != 0);
    assert_int_equal(info.rank, 2);
    assert_true(info.residual > 1e-5);
    /* the independent rows hold all the same, and who looks after that himself may let it pass */
    double Ax[3], *A = dense_rows(&p);
    dense_apply(3, 6, A, x, Ax);
    for (int i = 0; i < 3; i++) {
        if (i != named) {
            check_relative(Ax[i], b[i], 2e-15); /* 1.1e-16 */
        }
    }
    zw_error_clear(p.context);
    zw_solver_tolerate(p.solver, INFINITY);
    assert_int_equal(zw_solver_correct(p.solver, b, x, l, &info), ZW_OK);
    assert_int_equal(zw_error_count(p.context), 0);
    free(A);
    problem_close(&p);
}

static void zero_rows_are_redundant_and_want_zero(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 4);
    full_rows(&p, 3, 5);
    for (int j = 0; j < 5; j++) {
        p.rows.a[5 + j] = 0.0;
    }
    add_tile(&p, 2, 0, NULL, 0); /* and two without blocks */
    double          b[5] = {1, 0, 2, 0, 0}, xhat[5] = {1, 1, 1, 1, 1}, x[5], l[5];
    int             named[5];
    zw_project_info info;
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, &info), ZW_OK);
    assert_int_equal(info.rank, 2);
    assert_int_equal(zw_solver_redundant(p.solver, named, 5), 3);
    assert_int_equal(named[0], 1);
    assert_int_equal(named[1], 3);
    assert_int_equal(named[2], 4);
    check_near(l[1], 0.0, 0.0);
    check_near(l[3], 0.0, 0.0);
    b[3] = 1e-3;
    assert_int_equal(zw_solver_correct(p.solver, b, x, l, &info), ZW_E_RANK);
    assert_non_null(strstr(zw_error_at(p.context, 0)->message, "row 3 (tile 3)"));
    problem_close(&p);
}

/* rows in other units: the same motion, the same rank, and the force A' lambda of every independent row */
static void units_of_rows_do_not_matter(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 6);
    full_rows(&p, 10, 16);
    combine(&p, 4, 2, (int[]){0, 1}, (double[]){1.0, -1.0});
    combine(&p, 9, 3, (int[]){2, 3, 5}, (double[]){1.0, 1.0, 1.0});
    double y[16], b[10], xhat[16], x1[16], l1[10], x2[16], l2[10], g1[16], g2[16];
    for (int i = 0; i < 16; i++) {
        y[i] = random_unit(&p);
        xhat[i] = random_unit(&p);
    }
    consistent(&p, y, b);
    zw_project_info one, two;
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x1, l1, &one), ZW_OK);
    zw_solver_force(p.solver, l1, g1);
    for (int i = 0; i < 10; i++) {
        double unit = i % 3 == 0 ? 1e6 : i % 3 == 1 ? 1e-6 : 1.0;
        for (int j = 0; j < 16; j++) {
            p.rows.a[i * 16 + j] *= unit;
        }
        b[i] *= unit;
    }
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x2, l2, &two), ZW_OK);
    zw_solver_force(p.solver, l2, g2);
    assert_int_equal(one.rank, 8);
    assert_int_equal(two.rank, 8);
    check_below(distance(x2, x1, 16), 5e-15, 3.3e-16);
    check_below(distance(g2, g1, 16), 5e-15, 4.1e-16);
    check_relative(two.value, one.value, 5e-15); /* 1.7e-16 */
    check_below(two.residual, 1e-15, 1.2e-16);
    problem_close(&p);
}

/* bodies with 3 columns each, joints of 3 rows between neighbours, the ring closed: the last joint asks for what the others ask already.
 * Null space of A': the same multiplier in all joints. */
static void ring(int n, double *orthogonality, double *residual, int *redundant, bool heavy) {
    problem p;
    problem_open(&p, NULL, 8);
    add_diagonal(&p, 3 * n, heavy ? 2.0 : 0.0);
    for (int i = 0; i < n; i++) {
        int col[2] = {3 * i, 3 * ((i + 1) % n)};
        add_tile(&p, 3, 2, col, 3);
        double *a = p.rows.a + (ptrdiff_t)18 * i;
        memset(a, 0, 18 * sizeof *a);
        for (int k = 0; k < 3; k++) {
            a[4 * k] = 1.0;
            a[9 + 4 * k] = -1.0;
        }
    }
    int             m = p.rows.m, *named = malloc((size_t)m * sizeof *named);
    double         *y = random_vector(&p, 3 * n), *b = random_vector(&p, m), *x = random_vector(&p, 3 * n), *l = random_vector(&p, m);
    double         *xhat = random_vector(&p, 3 * n), *null = calloc((size_t)m, sizeof *null);
    zw_project_info info;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            b[3 * i + k] = y[3 * i + k] - y[3 * ((i + 1) % n) + k];
        }
    }
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, &info), ZW_OK);
    *redundant = zw_solver_redundant(p.solver, named, m);
    assert_int_equal(info.redundant, *redundant);
    *orthogonality = 0.0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < n; i++) {
            null[3 * i + k] = 1.0;
            null[3 * i + (k + 2) % 3] = 0.0;
        }
        *orthogonality = fmax(*orthogonality, cosine(m, l, null));
    }
    *residual = info.residual;
    free(named), free(y), free(b), free(x), free(l), free(xhat), free(null);
    problem_close(&p);
}

/* The null vectors of a long ring are known to eps times the true condition of the open chain, which grows with the square of its
 * length and with the spread of the masses (here 1e4); so does what is left of lambda along them. The residual stays at round-off. */
static void closed_loops_have_one_redundant_joint(void **state) {
    (void)state;
    static const struct {
        int    joints; /* dense below 22, sparse above */
        bool   heavy;
        double bound, measured, residual_bound, residual;
    } rings[] = {
        {4, false, 5e-15, 1.3e-16, 1e-15, 7.3e-17},    {4, true, 2e-14, 7.8e-16, 1e-15, 1.1e-16},
        {20, false, 5e-14, 4.2e-15, 1e-15, 7.9e-17},   {20, true, 1e-12, 7.4e-14, 1e-15, 1.9e-16},
        {100, false, 5e-14, 1.7e-15, 1e-15, 1.4e-16},  {100, true, 2e-12, 1.3e-12, 2e-15, 3.2e-16},
        {3000, false, 2e-12, 1.1e-12, 1e-15, 1.5e-16}, {3000, true, 5e-9, 5.6e-10, 1e-14, 3.2e-15},
    };
    for (size_t k = 0; k < sizeof rings / sizeof *rings; k++) {
        int    redundant;
        double orthogonality, residual;
        ring(rings[k].joints, &orthogonality, &residual, &redundant, rings[k].heavy);
        assert_int_equal(redundant, 3);
        check_below(orthogonality, rings[k].bound, rings[k].measured);
        check_below(residual, rings[k].residual_bound, rings[k].residual);
    }
}

/* bodies held to the ground and to each other, so that nothing can move and most rows are redundant; one of them is kicked. What is left
 * of x is round-off, which no row may take for a contradiction */
static void rest_after_a_kick_is_no_contradiction(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 14);
    add_diagonal(&p, 18, 2.0);
    for (int t = 0; t < 3; t++) {
        int col[2] = {6 * t, 6 * ((t + 1) % 3)};
        add_tile(&p, 6, 1, col, 6);
        add_tile(&p, 5, 2, col, 6);
    }
    double          kick[18] = {1e3, -2e3, 5e2, 1e3, 1e3, 1.0}, x[18], l[33], b[33] = {0};
    zw_project_info info;
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, kick, x, l, &info), ZW_OK);
    assert_int_equal(info.rank, 18);
    check_below(info.residual, 1e-15, 1.8e-20);
    check_below(largest(x, 18), 1e-15, 1.1e-22); /* of a kick of 2e3 */
    b[8] = 1e-2;                                 /* but a real one is seen */
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, kick, x, l, &info), ZW_E_RANK);
    problem_close(&p);
}

/* every second joint stands twice in a long chain: many redundant rows in one sparse component, the first copy and the second share */
static void many_duplicates_in_a_long_chain(void **state) {
    (void)state;
    enum { N = 200 };
    problem p;
    problem_open(&p, NULL, 12);
    add_diagonal(&p, 6 * (N + 1), 1.0);
    for (int i = 0; i < N; i++) {
        int col[2] = {6 * i, 6 * i + 6};
        add_tile(&p, 3, 2, col, 6);
        if (i % 2 == 0) {
            add_tile(&p, 3, 2, col, 6);
            memcpy(p.rows.a + p.rows.nvalues - 36, p.rows.a + p.rows.nvalues - 72, 36 * sizeof(double));
        }
    }
    int             m = p.rows.m, n = p.metric.n;
    double         *y = random_vector(&p, n), *b = random_vector(&p, m), *x = random_vector(&p, n), *l = random_vector(&p, m);
    zw_project_info info;
    consistent(&p, y, b);
    assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_OK);
    assert_int_equal(zw_solver_correct(p.solver, b, x, l, &info), ZW_OK);
    assert_int_equal(info.redundant, 3 * N / 2);
    check_below(info.residual, 2e-15, 2.8e-16);
    double worst = 0.0;
    for (int i = 0; i < N; i += 2) { /* rows 9 (i/2) .. +2 and +3 .. +5 are copies */
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(l[9 * (i / 2) + k] - l[9 * (i / 2) + 3 + k]));
        }
    }
    check_below(worst / largest(l, m), 1e-14, 9.0e-16);
    free(y), free(b), free(x), free(l);
    problem_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(duplicated_row_shares_its_multiplier),
        cmocka_unit_test(sums_of_rows_give_the_multiplier_of_least_norm),
        cmocka_unit_test(contradicting_rows_are_refused_and_named),
        cmocka_unit_test(zero_rows_are_redundant_and_want_zero),
        cmocka_unit_test(units_of_rows_do_not_matter),
        cmocka_unit_test(closed_loops_have_one_redundant_joint),
        cmocka_unit_test(rest_after_a_kick_is_no_contradiction),
        cmocka_unit_test(many_duplicates_in_a_long_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

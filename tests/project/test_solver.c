/* SPDX-License-Identifier: Apache-2.0
 * test_solver.c: the kernel on problems of full rank, against an independent dense KKT solve and against what defines the minimum. */
#include "tests/project/problem.h"

enum { MIXED_COLUMNS = 24 + 18 + 30 + 16 };

/* four kinds of metric in one system: diagonal, block-diagonal, block-tridiagonal, arrow-shaped; tiles within and across the parts */
static void mixed(problem *p, int tiles, double spread) {
    add_diagonal(p, 24, spread);
    add_banded(p, 6, 3, 0, false);
    add_banded(p, 5, 6, 1, false);
    add_banded(p, 8, 2, 0, true);
    for (int t = 0; t < tiles; t++) {
        int col[3], m = 1 + t % 4;
        for (int k = 0; k < 3; k++) {
            col[k] = (int)((random_unit(p) * 0.5 + 0.5) * (MIXED_COLUMNS - 5));
        }
        add_tile(p, m, 2 + t % 2, col, 4 + t % 2);
    }
}

static void solve_agrees_with_dense_kkt(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 7);
    double worst_x = 0.0, worst_l = 0.0, worst_r = 0.0;
    for (int round = 0; round < 12; round++) {
        mixed(&p, 2 + 2 * round, 1.0); /* up to 57 rows: dense path */
        int             n = p.metric.n, m = p.rows.m;
        double         *f = random_vector(&p, n), *b = random_vector(&p, m), *x = random_vector(&p, n), *l = random_vector(&p, m);
        double         *y = random_vector(&p, n), *k = random_vector(&p, m);
        zw_project_info info;
        assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, &info), ZW_OK);
        assert_int_equal(info.rank, m);
        assert_int_equal(info.redundant, 0);
        assert_true(info.condition >= 1.0);
        assert_int_equal(zw_solver_solve(p.solver, f, b, x, l, &info), ZW_OK);
        dense_kkt(&p, f, b, y, k);
        worst_x = fmax(worst_x, distance(x, y, n) / info.condition);
        worst_l = fmax(worst_l, distance(l, k, m) / info.condition);
        worst_r = fmax(worst_r, info.residual);
        problem_clear(&p);
        free(f), free(b), free(x), free(l), free(y), free(k);
    }
    check_below(worst_x, 2e-15, 1.3e-16); /* per unit of condition */
    check_below(worst_l, 1e-15, 1.3e-16);
    check_below(worst_r, 1e-15, 1.9e-16);
    problem_close(&p);
}

static void sparse_path_agrees_with_dense_kkt(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 11);
    add_diagonal(&p, 120, 1.0);
    add_banded(&p, 20, 3, 0, false);
    add_banded(&p, 10, 3, 1, false);
    for (int t = 0; t < 50; t++) { /* a net: neighbours, and a far link now and then */
        int col[2] = {4 * t, t % 7 == 0 ? (4 * t + 97) % 200 : 4 * t + 4};
        add_tile(&p, 2, 2, col, 4);
    }
    int             n = p.metric.n, m = p.rows.m;
    double         *f = random_vector(&p, n), *b = random_vector(&p, m), *x = random_vector(&p, n), *l = random_vector(&p, m);
    double         *y = random_vector(&p, n), *k = random_vector(&p, m);
    zw_project_info info;
    assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_OK);
    assert_int_equal(zw_solver_solve(p.solver, f, b, x, l, &info), ZW_OK);
    assert_int_equal(info.rank, m);
    dense_kkt(&p, f, b, y, k);
    check_below(distance(x, y, n), 5e-15, 2.8e-16);
    check_below(distance(l, k, m), 5e-15, 2.5e-16);
    check_below(info.residual, 1e-15, 2.2e-16);
    free(f), free(b), free(x), free(l), free(y), free(k);
    problem_close(&p);
}

/* a direction d with A d = 0: a random one minus its part along H^-1 A' */
static void admissible(const problem *p, const double *H, const double *v, double *d) {
    int     n = p->metric.n, m = p->rows.m;
    double *f = malloc((size_t)n * sizeof *f), *zero = calloc((size_t)m + 1, sizeof *zero), *l = malloc(((size_t)m + 1) * sizeof *l);
    dense_apply(n, n, H, v, f);
    dense_kkt(p, f, zero, d, l);
    free(f), free(zero), free(l);
}

static void value_grows_by_half_the_square_of_every_admissible_variation(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 23);
    mixed(&p, 12, 1.0);
    int             n = p.metric.n, m = p.rows.m;
    double         *H = dense_metric(&p);
    double         *xhat = random_vector(&p, n), *b = random_vector(&p, m), *x = random_vector(&p, n), *l = random_vector(&p, m);
    double         *d = random_vector(&p, n), *e = random_vector(&p, n), *g = random_vector(&p, n);
    zw_project_info info;
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, &info), ZW_OK);
    double value = 0.0, worst = 0.0, work = 0.0;
    for (int i = 0; i < n; i++) {
        e[i] = x[i] - xhat[i];
    }
    dense_apply(n, n, H, e, g);
    for (int i = 0; i < n; i++) {
        value += 0.5 * e[i] * g[i];
    }
    check_relative(info.value, value, 1e-14); /* 0 */
    for (int trial = 0; trial < 5; trial++) {
        double *v = random_vector(&p, n), grown = 0.0, square = 0.0;
        admissible(&p, H, v, d);
        dense_apply(n, n, H, d, g);
        for (int i = 0; i < n; i++) {
            square += 0.5 * d[i] * g[i];
            e[i] = x[i] + d[i] - xhat[i];
        }
        dense_apply(n, n, H, e, g);
        for (int i = 0; i < n; i++) {
            grown += 0.5 * e[i] * g[i];
        }
        worst = fmax(worst, fabs(grown - value - square) / (value + square));
        /* reactions do no work on it */
        double product = 0.0, scale = 0.0;
        zw_solver_force(p.solver, l, g);
        for (int i = 0; i < n; i++) {
            product += g[i] * d[i];
            scale += fabs(g[i] * d[i]);
        }
        work = fmax(work, fabs(product) / scale);
        free(v);
    }
    check_below(worst, 5e-15, 3.3e-16);
    check_below(work, 1e-15, 8.0e-17);
    free(H), free(xhat), free(b), free(x), free(l), free(d), free(e), free(g);
    problem_close(&p);
}

static void project_solve_and_correct_are_the_same_problem(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 5);
    mixed(&p, 10, 1.0);
    int     n = p.metric.n, m = p.rows.m;
    double *H = dense_metric(&p), *A = dense_rows(&p);
    double *xhat = random_vector(&p, n), *b = random_vector(&p, m), *f = random_vector(&p, n), *r = random_vector(&p, m);
    double *x1 = random_vector(&p, n), *x2 = random_vector(&p, n), *x3 = random_vector(&p, n);
    double *l1 = random_vector(&p, m), *l2 = random_vector(&p, m), *l3 = random_vector(&p, m);
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x1, l1, NULL), ZW_OK);
    dense_apply(n, n, H, xhat, f);
    assert_int_equal(zw_solver_solve(p.solver, f, b, x2, l2, NULL), ZW_OK);
    dense_apply(m, n, A, xhat, r);
    for (int i = 0; i < m; i++) {
        r[i] = b[i] - r[i];
    }
    assert_int_equal(zw_solver_correct(p.solver, r, x3, l3, NULL), ZW_OK);
    for (int i = 0; i < n; i++) {
        x3[i] += xhat[i];
    }
    check_below(distance(x2, x1, n), 5e-15, 4.0e-16);
    check_below(distance(x3, x1, n), 5e-15, 3.3e-16);
    check_below(distance(l2, l1, m), 5e-15, 5.0e-16);
    check_below(distance(l3, l1, m), 5e-15, 2.3e-16);
    /* H x - A' lambda = f: the force on the system is + A' lambda */
    zw_solver_force(p.solver, l1, x2);
    for (int i = 0; i < n; i++) {
        x2[i] += f[i];
    }
    zw_solver_metric_inverse(p.solver, x2, x3);
    check_below(distance(x3, x1, n), 2e-14, 1.8e-15);
    /* x may be absent, and may be xhat */
    assert_int_equal(zw_solver_correct(p.solver, r, NULL, l2, NULL), ZW_OK);
    assert_memory_equal(l2, l3, (size_t)m * sizeof *l2);
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, xhat, NULL, NULL), ZW_OK);
    assert_memory_equal(xhat, x1, (size_t)n * sizeof *x1);
    free(H), free(A), free(xhat), free(b), free(f), free(r), free(x1), free(x2), free(x3), free(l1), free(l2), free(l3);
    problem_close(&p);
}

static void masses_over_sixteen_decades(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 99);
    add_diagonal(&p, 60, 8.0); /* 1e-8 .. 1e8 */
    for (int t = 0; t < 9; t++) {
        int col[2] = {6 * t, 6 * t + 6};
        add_tile(&p, 3, 2, col, 6);
    }
    int     n = p.metric.n, m = p.rows.m;
    double *xhat = random_vector(&p, n), *b = random_vector(&p, m), *x = random_vector(&p, n), *l = random_vector(&p, m),
           *g = random_vector(&p, n);
    zw_project_info info;
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, &info), ZW_OK);
    assert_int_equal(info.rank, m);
    check_below(info.residual, 1e-15, 9.9e-17);
    /* H (x - xhat) = A' lambda, each column relative to the sizes of its terms */
    double worst = 0.0, *A = dense_rows(&p);
    zw_solver_force(p.solver, l, g);
    for (int i = 0; i < n; i++) {
        double h = p.part[0].a[i], scale = h * (fabs(x[i]) + fabs(xhat[i]));
        for (int k = 0; k < m; k++) {
            scale += fabs(A[k * n + i] * l[k]);
        }
        worst = fmax(worst, fabs(h * (x[i] - xhat[i]) - g[i]) / scale);
    }
    check_below(worst, 1e-15, 1.0e-16);
    free(A), free(xhat), free(b), free(x), free(l), free(g);
    problem_close(&p);
}

static void without_rows_the_answer_is_the_free_one(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 3);
    add_diagonal(&p, 4, 1.0);
    add_banded(&p, 3, 2, 1, false);
    double          xhat[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, x[10];
    zw_project_info info = {.rank = 5};
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, NULL, xhat, x, NULL, &info), ZW_OK);
    assert_memory_equal(x, xhat, sizeof x);
    assert_int_equal(info.rank, 0);
    assert_int_equal(info.redundant, 0);
    check_near(info.condition, 1.0, 0.0);
    check_near(info.residual, 0.0, 0.0);
    check_near(info.value, 0.0, 0.0);
    zw_solver_force(p.solver, NULL, x);
    check_near(largest(x, 10), 0.0, 0.0);
    problem_close(&p);
}

static void overlapping_blocks_of_a_tile_add_up(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 3);
    add_diagonal(&p, 6, 0.0);
    int col[2] = {0, 2};
    add_tile(&p, 1, 2, col, 3); /* columns 0 1 2 and 2 3 4 */
    memcpy(p.rows.a, (double[]){1, 1, 1, 2, 1, 1}, 6 * sizeof(double));
    double b[1] = {26}, xhat[6] = {0}, x[6], l[1]; /* row 1 1 3 1 1: S = 13 */
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, NULL), ZW_OK);
    check_near(l[0], 2.0, 1e-15);
    check_array_near(x, ((double[]){2, 2, 6, 2, 2, 0}), 6, 1e-14);
    problem_close(&p);
}

static void expect_error(problem *p, zw_status got, zw_status code, const char *part) {
    assert_int_equal(got, code);
    assert_true(zw_error_count(p->context) > 0);
    const zw_error *e = zw_error_at(p->context, zw_error_count(p->context) - 1);
    if (!strstr(e->message, part)) {
        fail_msg("'%s' lacks '%s'", e->message, part);
    }
    zw_error_clear(p->context);
}

static void what_cannot_be_solved_is_refused_by_name(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 3);
    double x[16], b[16] = {0};
    expect_error(&p, zw_solver_correct(p.solver, b, x, NULL, NULL), ZW_E_ARG, "no factorisation");
    add_diagonal(&p, 6, 0.0);
    add_banded(&p, 2, 2, 0, false);
    add_banded(&p, 2, 2, 1, false);
    int col[1] = {2};
    add_tile(&p, 2, 1, col, 3);
    p.part[0].a[4] = -2.0;
    expect_error(&p, zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_ARG, "column 4");
    p.part[0].a[4] = NAN;
    expect_error(&p, zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_DIVERGED, "column 4");
    p.part[0].a[4] = 1.0;
    double kept = p.part[1].a[7];
    p.part[1].a[7] = -1.0;
    expect_error(&p, zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_ARG, "column 9");
    p.part[1].a[7] = kept;
    kept = p.part[2].a[0];
    p.part[2].a[0] = -1.0;
    expect_error(&p, zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_ARG, "column 10");
    p.part[2].a[0] = kept;
    p.rows.a[4] = INFINITY;
    expect_error(&p, zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_DIVERGED, "row 1");
    p.rows.a[4] = 1.0;
    p.rows.block[0].col0 = 12;
    expect_error(&p, zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_ARG, "columns 12 + 3 of 14");
    p.rows.block[0].col0 = 2;
    p.rows.block[0].a = 1;
    expect_error(&p, zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_ARG, "values 1 + 6 of 6");
    p.rows.block[0].a = 0;
    p.rows.m = 3;
    expect_error(&p, zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_ARG, "row 2 of 3 is in no tile");
    p.rows.m = 2;
    p.part[0].kind = ZW_GENERAL;
    expect_error(&p, zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_ARG, "not symmetric");
    p.part[0].kind = ZW_DIAGONAL;
    assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_OK);
    b[0] = NAN;
    expect_error(&p, zw_solver_correct(p.solver, b, x, NULL, NULL), ZW_E_DIVERGED, "not finite");
    problem_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solve_agrees_with_dense_kkt),
        cmocka_unit_test(sparse_path_agrees_with_dense_kkt),
        cmocka_unit_test(value_grows_by_half_the_square_of_every_admissible_variation),
        cmocka_unit_test(project_solve_and_correct_are_the_same_problem),
        cmocka_unit_test(masses_over_sixteen_decades),
        cmocka_unit_test(without_rows_the_answer_is_the_free_one),
        cmocka_unit_test(overlapping_blocks_of_a_tile_add_up),
        cmocka_unit_test(what_cannot_be_solved_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_small.c: the small dense path of the kernel against the general one. The same metric is given twice: as one dense block (small path) and as blocks of
 * half the size (general path); rows, redundant and contradicting ones among them, are the same. */
#include "tests/project/problem.h"

#include "project/small.h"

/* the metric of p, whose parts are dense, cut into blocks of half the size */
static void cut_in_half(const problem *p, problem *out) {
    out->metric.n = out->metric.nparts = 0;
    for (int k = 0; k < p->metric.nparts; k++) {
        int n = p->part[k].n, b = n / 2;
        part_begin(out, ZW_SPD, n, b);
        zw_matrix *m = &out->part[k];
        int       *start = calloc(3, sizeof *start), *col = calloc(4, sizeof *col);
        start[1] = 2, start[2] = 4;
        col[1] = col[3] = 1;
        m->start = start;
        m->col = col;
        m->a = malloc((size_t)(n * n) * sizeof *m->a);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                m->a[((i / b) * 2 + j / b) * b * b + (i % b) * b + j % b] = p->part[k].a[i * n + j];
            }
        }
    }
}

static double largest_difference(int n, const double *a, const double *b) {
    double most = 0.0, scale = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        scale = fmax(scale, fabs(b[i]));
    }
    return scale > 0.0 ? most / scale : most;
}

typedef struct gaps {
    double x, lambda, value, condition;
} gaps;

/* both paths on the problem of p (small) and of q (the same, general); b as given */
static void compare(problem *p, problem *q, const double *f, const double *b, gaps *g) {
    enum { N = ZW_SMALL_COLUMNS, M = ZW_SMALL_ROWS };
    int             n = p->metric.n, m = p->rows.m, one[M], two[M];
    double          x[N], y[N], l[M], k[M];
    zw_project_info a, c;
    assert_true(zw_small_fits(&p->metric, &p->rows));
    assert_false(zw_small_fits(&q->metric, &p->rows));
    assert_int_equal(zw_solver_factor(p->solver, &p->metric, &p->rows, &a), ZW_OK);
    assert_int_equal(zw_solver_factor(q->solver, &q->metric, &p->rows, &c), ZW_OK);
    assert_int_equal(a.rank, c.rank);
    assert_int_equal(a.redundant, c.redundant);
    assert_int_equal(zw_solver_redundant(p->solver, one, M), zw_solver_redundant(q->solver, two, M));
    assert_memory_equal(one, two, sizeof *one * (size_t)a.redundant);
    g->condition = fmax(g->condition, fabs(a.condition / c.condition - 1.0));
    zw_status s = zw_solver_solve(p->solver, f, b, x, l, &a), t = zw_solver_solve(q->solver, f, b, y, k, &c);
    assert_int_equal(s, t);
    g->x = fmax(g->x, largest_difference(n, x, y) / a.condition);
    g->lambda = fmax(g->lambda, largest_difference(m, l, k) / a.condition);
    g->value = fmax(g->value, fabs(a.value - c.value) / (c.value * a.condition));
    if (s == ZW_OK) {
        check_below(a.residual, 1e-14, 1.1e-15);
        s = zw_solver_correct(p->solver, b, x, l, &a), t = zw_solver_correct(q->solver, b, y, k, &c);
        assert_int_equal(s, t);
        g->x = fmax(g->x, largest_difference(n, x, y) / a.condition);
        zw_solver_force(p->solver, l, x);
        zw_solver_force(q->solver, l, y);
        check_below(largest_difference(n, x, y), 1e-15, 0.0);
        zw_solver_metric_inverse(p->solver, f, x);
        zw_solver_metric_inverse(q->solver, f, y);
        check_below(largest_difference(n, x, y), 1e-14, 7.1e-16);
        s = zw_project(p->solver, &p->metric, &p->rows, b, f, x, l, &a);
        t = zw_project(q->solver, &q->metric, &p->rows, b, f, y, k, &c);
        assert_int_equal(s, t);
        g->x = fmax(g->x, largest_difference(n, x, y) / a.condition);
    } else {
        assert_int_equal(s, ZW_E_RANK);
        assert_string_equal(zw_error_at(p->context, zw_error_count(p->context) - 1)->subject,
                            zw_error_at(q->context, zw_error_count(q->context) - 1)->subject);
    }
}

/* rows `copies` of p become combinations of the rows before them; consistent: so do the values b */
static void make_redundant(problem *p, int copies, bool consistent, double *b) {
    int m = p->rows.m, n = p->metric.n;
    for (int r = m - copies; r < m; r++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            p->rows.a[p->rows.block[r].a + j] = 0.0;
        }
        for (int i = 0; i < m - copies; i++) {
            double c = random_unit(p);
            for (int j = 0; j < n; j++) {
                p->rows.a[p->rows.block[r].a + j] += c * p->rows.a[p->rows.block[i].a + j];
            }
            sum += c * b[i];
        }
        b[r] = consistent ? sum : sum + 1.0;
    }
}

static void random_problems_agree_with_the_general_path(void **state) {
    (void)state;
    problem p, q;
    problem_open(&p, NULL, 3);
    problem_open(&q, NULL, 3);
    gaps g = {0};
    for (int round = 0; round < 300; round++) {
        int first = 2 * (1 + round % 7), second = round % 3 == 0 ? 2 * (1 + round % 4) : 0, n = first + second;
        add_banded(&p, 1, first, 0, false);
        if (second > 0) {
            add_banded(&p, 1, second, 0, false);
        }
        int m = 1 + round % (n < ZW_SMALL_ROWS ? n - 1 : ZW_SMALL_ROWS), zero = 0;
        for (int t = 0; t < m; t++) {
            add_tile(&p, 1, 1, &zero, n);
        }
        cut_in_half(&p, &q);
        double *f = random_vector(&p, n), *b = random_vector(&p, m);
        int     copies = m > 2 && round % 2 == 0 ? 1 + round % (m - 1) : 0;
        if (copies > 0) {
            make_redundant(&p, copies, round % 4 == 0, b);
        }
        compare(&p, &q, f, b, &g);
        free(f), free(b);
        problem_clear(&p);
        problem_clear(&q);
    }
    check_below(g.x, 2e-14, 1e-15);        /* per unit of condition */
    check_below(g.lambda, 2e-14, 6.4e-15); /* the same */
    check_below(g.value, 2e-14, 1.3e-14);
    check_below(g.condition, 1e-8, 1e-10); /* near the tolerance of dependence pivots are all round-off */
    problem_close(&p);
    problem_close(&q);
}

static void rows_of_separate_parts_are_separate_problems(void **state) {
    (void)state;
    problem p, q;
    problem_open(&p, NULL, 9);
    problem_open(&q, NULL, 9);
    gaps g = {0};
    for (int round = 0; round < 40; round++) { /* duplicates in one part leave the other alone, whatever the order of the tiles */
        add_banded(&p, 1, 4, 0, false);
        add_banded(&p, 1, 6, 0, false);
        int of[6];
        for (int t = 0; t < 6; t++) {
            of[t] = random_unit(&p) > 0.0;
            int col = of[t] ? 4 : 0;
            add_tile(&p, 1, 1, &col, of[t] ? 6 : 4);
        }
        for (int t = 5; t > 2; t--) { /* copies of an earlier row of the same part, if there is one */
            for (int u = 0; u < 3; u++) {
                if (of[u] == of[t]) {
                    memcpy(p.rows.a + p.rows.block[t].a, p.rows.a + p.rows.block[u].a, sizeof(double) * (size_t)p.rows.block[t].ncol);
                    break;
                }
            }
        }
        cut_in_half(&p, &q);
        double *f = random_vector(&p, 10), b[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
        compare(&p, &q, f, b, &g);
        free(f);
        problem_clear(&p);
        problem_clear(&q);
    }
    check_below(g.x, 1e-14, 5e-16);
    check_below(g.lambda, 1e-14, 5e-16);
    problem_close(&p);
    problem_close(&q);
}

static void a_metric_that_is_not_positive_is_refused_with_its_column(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 4);
    add_banded(&p, 1, 3, 0, false);
    p.part[0].a[4] = -1.0;
    assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_ARG);
    assert_non_null(strstr(zw_error_at(p.context, 0)->message, "column 1"));
    p.part[0].a[4] = NAN;
    assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_DIVERGED);
    problem_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_agree_with_the_general_path),
        cmocka_unit_test(rows_of_separate_parts_are_separate_problems),
        cmocka_unit_test(a_metric_that_is_not_positive_is_refused_with_its_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

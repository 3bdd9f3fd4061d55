/* SPDX-License-Identifier: Apache-2.0
 * test_strand.c: coupled metrics of 6 x 6 blocks, cut into paths of eight lanes: against a dense solver on chains, rings and trees, with rows at any blocks; the same
 * bits from every instruction set; what is not positive definite is named. */
#define ZW_WIDE_LANES 8
#include "tests/project/problem.h"

#include "base/context.h"
#include "project/metric.h"

/* the eight lanes of avx512 in the instruction set of this build: they run on every machine */
#define ZW_STRAND_ISA  eight
#define ZW_STRAND_NAME "eight"
#include "project/strand_kernel.h"

/* positive definite 6 x 6 blocks on the edges (i, parent(i)), and (0, nb-1) when closed */
static void add_graph(problem *p, int nb, int (*parent)(int), bool closed) {
    part_begin(p, ZW_SPD, 6 * nb, 6);
    zw_matrix     *m = &p->part[p->metric.nparts - 1];
    unsigned char *edge = calloc((size_t)nb * (size_t)nb, 1);
    int           *start = calloc((size_t)nb + 1, sizeof *start), *col = malloc((size_t)nb * (size_t)nb * sizeof *col), count = 0;
    for (int i = 1; i < nb; i++) {
        edge[i * nb + parent(i)] = edge[parent(i) * nb + i] = 1;
    }
    if (closed) {
        edge[nb - 1] = edge[(nb - 1) * nb] = 1;
    }
    for (int i = 0; i < nb; i++) {
        for (int j = 0; j < nb; j++) {
            if (i == j || edge[i * nb + j]) {
                col[count++] = j;
            }
        }
        start[i + 1] = count;
    }
    m->start = start;
    m->col = col;
    m->a = calloc((size_t)count * 36, sizeof *m->a);
    for (int i = 0; i < nb; i++) {
        for (int k = start[i]; k < start[i + 1]; k++) {
            for (int r = 0; r < 6 && col[k] <= i; r++) {
                for (int c = 0; c < (col[k] == i ? r + 1 : 6); c++) {
                    int t = start[col[k]];
                    while (col[t] != i) {
                        t++;
                    }
                    double value = random_unit(p) + (k == t && r == c ? 14.0 : 0.0);
                    m->a[36 * k + 6 * r + c] = m->a[36 * t + 6 * c + r] = value;
                }
            }
        }
    }
    free(edge);
}

static int before(int i) {
    return i - 1;
}

static int three_arms(int i) { /* arms of equal length from block 0 */
    return i <= 3 ? 0 : i - 3;
}

static int comb(int i) { /* a tooth on every other block */
    return i % 3 == 2 ? i - 1 : i % 3 == 1 && i > 1 ? i - 3 : i - 1;
}

static double worst_of(const double *a, const double *b, int n) {
    double most = 0.0, scale = 1e-300;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        scale = fmax(scale, fabs(b[i]));
    }
    return most / scale;
}

/* ntouched tiles of three rows, each at two neighbouring blocks or at one */
static void compare(problem *p, int nb, int ntouched, const int *touched, int blocks, double *worst) {
    for (int t = 0; t < ntouched; t++) {
        int col[2] = {6 * touched[t], 6 * ((touched[t] + 1) % nb)};
        add_tile(p, 3, blocks, col, 6);
    }
    int     n = p->metric.n, m = p->rows.m;
    double *f = random_vector(p, n), *b = random_vector(p, m), *x = random_vector(p, n), *l = random_vector(p, m);
    double *y = random_vector(p, n), *k = random_vector(p, m), *zero = calloc((size_t)n + 1, sizeof *zero), *hat = random_vector(p, n);
    zw_project_info info;
    assert_int_equal(zw_solver_factor(p->solver, &p->metric, &p->rows, &info), ZW_OK);
    assert_int_equal(info.rank, m);
    assert_int_equal(zw_solver_solve(p->solver, f, b, x, l, &info), ZW_OK);
    dense_kkt(p, f, b, y, k);
    *worst = fmax(*worst, fmax(worst_of(x, y, n), worst_of(l, k, m)));
    assert_int_equal(zw_solver_correct(p->solver, b, x, l, &info), ZW_OK);
    dense_kkt(p, zero, b, y, k);
    *worst = fmax(*worst, fmax(worst_of(x, y, n), worst_of(l, k, m)));
    double *H = dense_metric(p), *force = random_vector(p, n);
    dense_apply(n, n, H, hat, force);
    assert_int_equal(zw_project(p->solver, &p->metric, &p->rows, b, hat, x, l, &info), ZW_OK);
    dense_kkt(p, force, b, y, k);
    *worst = fmax(*worst, fmax(worst_of(x, y, n), worst_of(l, k, m)));
    zw_solver_metric_inverse(p->solver, force, x);
    *worst = fmax(*worst, worst_of(x, hat, n));
    free(f), free(b), free(x), free(l), free(y), free(k), free(zero), free(hat), free(H), free(force);
    problem_clear(p);
}

static void chains_rings_and_trees_agree_with_dense_kkt(void **state) {
    static const struct {
        int nb;
        int (*parent)(int);
        bool closed;
        int  ntouched, touched[4], blocks;
    } cases[] = {
        {40, before, false, 0, {0}, 1},      {40, before, false, 1, {0}, 1},     {40, before, false, 2, {0, 39}, 1},
        {31, before, false, 2, {30, 12}, 1}, {31, before, false, 1, {17}, 2},    {9, before, false, 1, {0}, 1},
        {8, before, false, 1, {4}, 1},       {7, before, false, 1, {6}, 1},      {17, before, false, 4, {3, 4, 5, 16}, 1},
        {40, before, true, 0, {0}, 1},       {40, before, true, 1, {11}, 1},     {23, before, true, 2, {0, 22}, 1},
        {23, before, true, 1, {22}, 2},      {10, before, true, 1, {5}, 1},      {9, before, true, 0, {0}, 1},
        {3, before, true, 1, {1}, 1},        {40, three_arms, false, 0, {0}, 1}, {40, three_arms, false, 3, {37, 38, 39}, 1},
        {13, three_arms, false, 1, {0}, 1},  {30, comb, false, 2, {0, 28}, 1},   {64, before, false, 3, {0, 31, 63}, 1},
    };
    (void)state;
    problem p;
    double  worst = 0.0;
    problem_open(&p, NULL, 5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double here = 0.0;
        add_graph(&p, cases[i].nb, cases[i].parent, cases[i].closed);
        compare(&p, cases[i].nb, cases[i].ntouched, cases[i].touched, cases[i].blocks, &here);
        worst = fmax(worst, here);
    }
    for (int nb = 1; nb < 30; nb++) { /* every short chain and ring */
        int touched[1] = {nb / 3};
        add_graph(&p, nb, before, false);
        compare(&p, nb, 1, touched, 1, &worst);
        if (nb > 2) {
            add_graph(&p, nb, before, true);
            compare(&p, nb, 1, touched, 1, &worst);
        }
    }
    check_below(worst, 2e-14, 5.1e-15);
    problem_close(&p);
}

static void every_instruction_set_gives_the_same_bits(void **state) {
    (void)state;
    problem          p;
    zw_arena         arena;
    zw_metric_factor f;
    problem_open(&p, NULL, 9);
    add_graph(&p, 53, before, false);
    int            n = p.metric.n;
    unsigned char *cut = calloc((size_t)n + 1, 1);
    cut[0] = ZW_COLUMN_TOUCHED;
    zw_arena_init(&arena, p.context);
    assert_int_equal(zw_metric_analyse(&arena, &p.metric, cut, &f), ZW_OK);
    assert_true(f.cell[0].strand.ngroups > 0);
    const zw_strand_path *best = zw_strand_path_best(), *const path[] = {&zw_strand_path_any, &zw_strand_path_eight, best,
                                                                         best == &zw_strand_path_avx512 ? &zw_strand_path_avx2 : best};
    double *v = random_vector(&p, n), *x[4];
    print_message("best on this machine: %s\n", best->name);
    for (int i = 0; i < 4; i++) {
        x[i] = random_vector(&p, n);
        memcpy(x[i], v, (size_t)n * sizeof *v);
        f.path = path[i];
        assert_int_equal(zw_metric_refactor(p.context, &f, &p.metric), ZW_OK);
        zw_metric_apply(&f, x[i]);
        assert_memory_equal(x[i], x[0], (size_t)n * sizeof *v);
    }
    for (int i = 0; i < 4; i++) {
        free(x[i]);
    }
    free(v);
    free(cut);
    zw_arena_destroy(&arena);
    problem_close(&p);
}

static void what_is_not_positive_definite_is_named(void **state) {
    (void)state;
    problem p;
    problem_open(&p, NULL, 3);
    add_graph(&p, 40, before, false);
    zw_matrix *m = &p.part[0];
    for (int block = 0; block < 40; block++) {
        int     diagonal = m->start[block] + (block > 0 ? 1 : 0);
        double *entry = &m->a[36 * diagonal + 7 * 2], kept = *entry;
        *entry = -5.0;
        char want[40];
        snprintf(want, sizeof want, "in column %d ", 6 * block + 2);
        assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_ARG);
        assert_non_null(strstr(zw_error_at(p.context, zw_error_count(p.context) - 1)->message, want));
        *entry = NAN;
        assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_E_DIVERGED);
        *entry = kept;
        assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_OK);
    }
    problem_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_rings_and_trees_agree_with_dense_kkt),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(what_is_not_positive_definite_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

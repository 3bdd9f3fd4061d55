/* SPDX-License-Identifier: Apache-2.0
 * test_sparse.c: what sparsity promises: cost that grows with the length of a chain or tree, no allocation after the first
 * factorisation of a pattern, separate components, the same bits every time; and the sparse factor itself. */
#include "base/context.h"
#include "project/blockchol.h"
#include "project/order.h"
#include "tests/project/problem.h"

#include <time.h>

typedef struct counter {
    long calls;
} counter;

static void *counting_realloc(void *user, void *p, size_t size) {
    counter *c = user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    c->calls++;
    return realloc(p, size);
}

static void counted_open(problem *p, counter *c, uint64_t seed) {
    zw_context_def def = zw_context_def_default();
    def.realloc = counting_realloc;
    def.realloc_user = c;
    problem_open(p, &def, seed);
}

/* n six-row tiles, each between two neighbouring six-column blocks */
static void chain(problem *p, int n) {
    add_diagonal(p, 6 * (n + 1), 0.5);
    zw_rows *A = &p->rows;
    A->tile = malloc((size_t)n * sizeof *A->tile);
    A->block = malloc(2 * (size_t)n * sizeof *A->block);
    A->a = malloc(72 * (size_t)n * sizeof *A->a);
    for (int i = 0; i < n; i++) {
        A->tile[i] = (zw_tile){.id = i, .row = 6 * i, .m = 6, .block0 = 2 * i, .nblocks = 2, .kind = ZW_ROW_EQUAL};
        for (int k = 0; k < 2; k++) {
            A->block[2 * i + k] = (zw_block){.col0 = 6 * (i + k), .ncol = 6, .a = 72 * i + 36 * k};
            for (int e = 0; e < 36; e++) {
                A->a[72 * i + 36 * k + e] = 0.3 * random_unit(p) + (e % 7 == 0 ? (k == 0 ? 1.0 : -1.0) : 0.0);
            }
        }
    }
    A->m = 6 * n;
    A->ntiles = n;
    A->nblocks = 2 * n;
    A->nvalues = 72 * (ptrdiff_t)n;
}

/* of the processor, not of the clock on the wall: other programs do not count */
static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static void chain_costs_grow_with_its_length(void **state) {
    (void)state;
    int    length[2] = {1000, 10000};
    double first[2], again[2], solve[2];
    for (int k = 0; k < 2; k++) {
        problem p;
        problem_open(&p, NULL, 17);
        chain(&p, length[k]);
        int             n = p.metric.n, m = p.rows.m;
        double         *f = random_vector(&p, n), *b = random_vector(&p, m), *x = random_vector(&p, n), *l = random_vector(&p, m);
        zw_project_info info;
        first[k] = again[k] = solve[k] = 1e9;
        for (int round = 0; round < 9; round++) { /* the least of some: the caches may be cold */
            double t0 = seconds();
            assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, &info), ZW_OK);
            double t1 = seconds();
            assert_int_equal(zw_solver_solve(p.solver, f, b, x, l, &info), ZW_OK);
            double t2 = seconds();
            first[k] = round == 0 ? t1 - t0 : first[k];
            again[k] = round > 0 ? fmin(again[k], t1 - t0) : again[k];
            solve[k] = fmin(solve[k], t2 - t1);
        }
        assert_int_equal(info.rank, m);
        check_below(info.residual, 1e-15, 3.8e-16);
        print_message("chain of %d tiles: first factor %.3f ms, again %.3f ms, solve %.3f ms, condition %.2g\n", length[k], 1e3 * first[k],
                      1e3 * again[k], 1e3 * solve[k], info.condition);
        free(f), free(b), free(x), free(l);
        problem_close(&p);
    }
    /* ten times the length; quadratic cost would be a hundred times the time */
    assert_true(again[1] < 40.0 * again[0]);
    assert_true(solve[1] < 40.0 * solve[0]);
}

/* the graph with an edge from every node to parent(i) < i (and maybe one more) */
static int blocks_in_factor(int n, int (*parent)(int), int extra) {
    zw_context  *c;
    zw_arena     arena;
    zw_blockchol f;
    int         *start = calloc((size_t)n + 1, sizeof *start), *size = malloc((size_t)n * sizeof *size),
        *degree = calloc((size_t)n + 1, sizeof *degree);
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    zw_arena_init(&arena, c);
    for (int i = 0; i < n; i++) {
        size[i] = 1 + i % 3;
        if (i > 0) {
            degree[i]++, degree[parent(i)]++;
        }
    }
    degree[0] += extra, degree[n - 1] += extra;
    for (int i = 0; i < n; i++) {
        start[i + 1] = start[i] + degree[i];
        degree[i] = start[i];
    }
    int *adj = malloc((size_t)(start[n] + 1) * sizeof *adj);
    for (int i = 1; i < n; i++) {
        adj[degree[i]++] = parent(i);
        adj[degree[parent(i)]++] = i;
    }
    if (extra) {
        adj[degree[0]++] = n - 1;
        adj[degree[n - 1]++] = 0;
    }
    assert_int_equal(zw_blockchol_analyse(&arena, n, start, adj, size, &f), ZW_OK);
    int blocks = f.start[n];
    for (int j = 0; j < n; j++) {
        assert_int_equal(f.row[f.start[j]], j);
        for (int q = f.start[j] + 1; q < f.start[j + 1]; q++) {
            assert_true(f.row[q] > f.row[q - 1]);
        }
        assert_int_equal(f.position[f.order[j]], j);
    }
    zw_arena_destroy(&arena);
    zw_context_destroy(c);
    free(start), free(size), free(degree), free(adj);
    return blocks;
}
static int before(int i) {
    return i - 1;
}
static int half(int i) {
    return (i - 1) / 2;
}
static int root(int i) {
    (void)i;
    return 0;
}

static void chains_trees_and_stars_factor_without_fill(void **state) {
    (void)state;
    assert_int_equal(blocks_in_factor(5000, before, 0), 2 * 5000 - 1);
    assert_int_equal(blocks_in_factor(5000, half, 0), 2 * 5000 - 1);
    assert_int_equal(blocks_in_factor(5000, root, 0), 2 * 5000 - 1);
    assert_int_equal(blocks_in_factor(5000, before, 1), 3 * 5000 - 3); /* a ring: one more block in each column but the last two */
}

static void grid_orders_with_little_fill(void **state) {
    (void)state;
    enum { G = 40, N = G * G };
    zw_context  *c;
    zw_arena     arena;
    zw_blockchol f;
    int         *start = calloc(N + 1, sizeof *start), *adj = malloc(4 * N * sizeof *adj), *size = malloc(N * sizeof *size), count = 0;
    for (int i = 0; i < N; i++) {
        int x = i % G, y = i / G;
        size[i] = 1;
        if (x > 0) {
            adj[count++] = i - 1;
        }
        if (x < G - 1) {
            adj[count++] = i + 1;
        }
        if (y > 0) {
            adj[count++] = i - G;
        }
        if (y < G - 1) {
            adj[count++] = i + G;
        }
        start[i + 1] = count;
    }
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    zw_arena_init(&arena, c);
    assert_int_equal(zw_blockchol_analyse(&arena, N, start, adj, size, &f), ZW_OK);
    print_message("grid %d x %d: %d blocks in the factor, a band would have %d\n", G, G, f.start[N], N * (G + 1));
    assert_true(f.start[N] < N * (G + 1) / 2);
    zw_arena_destroy(&arena);
    zw_context_destroy(c);
    free(start), free(adj), free(size);
}

static void only_a_new_pattern_allocates(void **state) {
    (void)state;
    counter count = {0};
    problem p;
    counted_open(&p, &count, 31);
    chain(&p, 40); /* 240 rows: sparse */
    add_banded(&p, 6, 2, 1, false);
    add_banded(&p, 4, 3, 0, false);
    int col[2] = {246, 258};
    add_tile(&p, 3, 2, col, 6); /* a small component over a coupled and a block-diagonal part */
    int             n = p.metric.n, m = p.rows.m;
    double         *xhat = random_vector(&p, n), *b = random_vector(&p, m), *x = random_vector(&p, n), *l = random_vector(&p, m);
    zw_project_info info;
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, &info), ZW_OK);
    long after_first = count.calls;
    assert_true(after_first > 0);
    for (int round = 0; round < 5; round++) {
        for (ptrdiff_t k = 0; k < p.rows.nvalues; k++) {
            p.rows.a[k] += 0.01 * random_unit(&p);
        }
        p.part[0].a[round] *= 2.0;
        assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, &info), ZW_OK);
        assert_int_equal(zw_solver_correct(p.solver, b, x, l, &info), ZW_OK);
    }
    /* nor when the rank changes: the second tile becomes zero, the third a copy of nothing new */
    memset(p.rows.a + 72, 0, 72 * sizeof(double));
    memset(b + 6, 0, 6 * sizeof(double));
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, &info), ZW_OK);
    assert_int_equal(info.redundant, 6);
    assert_int_equal(count.calls, after_first);
    p.rows.ntiles--; /* a new pattern does */
    p.rows.m -= 3;
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, &info), ZW_OK);
    assert_true(count.calls > after_first);
    free(xhat), free(b), free(x), free(l);
    problem_close(&p);
}

/* the answer of a tile that touches nobody is the same alone and beside others, bit for bit; and a second solver gives the same bits */
static void components_do_not_see_each_other(void **state) {
    (void)state;
    problem p, q;
    problem_open(&p, NULL, 41);
    problem_open(&q, NULL, 41);
    chain(&p, 30);
    chain(&q, 30);
    add_diagonal(&q, 60, 1.0); /* beside it, ten joints of their own */
    for (int t = 0; t < 10; t++) {
        int col[1] = {186 + 6 * t};
        add_tile(&q, 2, 1, col, 6);
    }
    int     n = p.metric.n, m = p.rows.m;
    double *xhat = random_vector(&q, q.metric.n), *b = random_vector(&q, q.rows.m);
    double *x = random_vector(&p, n), *l = random_vector(&p, m), *y = random_vector(&q, q.metric.n), *k = random_vector(&q, q.rows.m);
    assert_int_equal(zw_project(p.solver, &p.metric, &p.rows, b, xhat, x, l, NULL), ZW_OK);
    assert_int_equal(zw_project(q.solver, &q.metric, &q.rows, b, xhat, y, k, NULL), ZW_OK);
    assert_memory_equal(x, y, (size_t)n * sizeof *x);
    assert_memory_equal(l, k, (size_t)m * sizeof *l);
    assert_int_equal(zw_project(q.solver, &p.metric, &p.rows, b, xhat, y, k, NULL), ZW_OK); /* another pattern in between */
    assert_memory_equal(x, y, (size_t)n * sizeof *x);
    free(xhat), free(b), free(x), free(l), free(y), free(k);
    problem_close(&p);
    problem_close(&q);
}

/* block-tridiagonal H of 400 blocks and a clamp at each end: H^-1 by substitution, S stays 12 x 12 */
static void long_coupled_metric_with_few_rows(void **state) {
    (void)state;
    enum { N = 400 };
    problem p;
    problem_open(&p, NULL, 43);
    add_banded(&p, N, 6, 1, false);
    int left[1] = {0}, right[1] = {6 * (N - 1)};
    add_tile(&p, 6, 1, left, 6);
    add_tile(&p, 6, 1, right, 6);
    for (int k = 0; k < 72; k += k % 36 == 35 ? 1 : 7) { /* away from singular */
        p.rows.a[k] += 3.0;
    }
    int     n = p.metric.n, m = p.rows.m;
    double *f = random_vector(&p, n), *b = random_vector(&p, m), *x = random_vector(&p, n), *l = random_vector(&p, m),
           *g = random_vector(&p, n);
    zw_project_info info;
    assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_OK);
    assert_int_equal(zw_solver_solve(p.solver, f, b, x, l, &info), ZW_OK);
    check_below(info.residual, 1e-15, 8.9e-17);
    /* H x - A' lambda = f, with H by its blocks */
    const zw_matrix *H = &p.part[0];
    double           worst = 0.0;
    zw_solver_force(p.solver, l, g);
    for (int i = 0; i < n; i++) {
        double t = -g[i] - f[i], scale = fabs(g[i]) + fabs(f[i]);
        for (int e = H->start[i / 6]; e < H->start[i / 6 + 1]; e++) {
            for (int c = 0; c < 6; c++) {
                double term = H->a[36 * e + 6 * (i % 6) + c] * x[6 * H->col[e] + c];
                t += term;
                scale += fabs(term);
            }
        }
        worst = fmax(worst, fabs(t) / scale);
    }
    check_below(worst, 4e-15, 4.5e-16);
    free(f), free(b), free(x), free(l), free(g);
    problem_close(&p);
}

typedef struct budget {
    long left;
} budget;

static void *limited_realloc(void *user, void *p, size_t size) {
    budget *b = user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return b->left-- > 0 ? realloc(p, size) : NULL;
}

static void memory_that_runs_out_is_reported(void **state) {
    (void)state;
    for (long allowed = 3;; allowed++) { /* context, solver, and the list that holds the error */
        budget         b = {1000};
        zw_context_def def = zw_context_def_default();
        def.realloc = limited_realloc;
        def.realloc_user = &b;
        problem p;
        problem_open(&p, &def, 47);
        add_diagonal(&p, 12, 1.0);
        add_banded(&p, 40, 2, 1, false);
        for (int t = 0; t < 40; t++) {
            int col[2] = {12 + 2 * t, t % 10};
            add_tile(&p, 2, 2, col, 2);
        }
        b.left = allowed - 3;
        zw_status status = zw_solver_factor(p.solver, &p.metric, &p.rows, NULL);
        if (status != ZW_OK) {
            assert_int_equal(status, ZW_E_MEMORY);
            b.left = 1000;
            assert_int_equal(zw_solver_factor(p.solver, &p.metric, &p.rows, NULL), ZW_OK); /* and the solver is still good */
        }
        problem_close(&p);
        if (status == ZW_OK) {
            assert_true(allowed > 10);
            break;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_costs_grow_with_its_length), cmocka_unit_test(chains_trees_and_stars_factor_without_fill),
        cmocka_unit_test(grid_orders_with_little_fill),     cmocka_unit_test(only_a_new_pattern_allocates),
        cmocka_unit_test(components_do_not_see_each_other), cmocka_unit_test(long_coupled_metric_with_few_rows),
        cmocka_unit_test(memory_that_runs_out_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

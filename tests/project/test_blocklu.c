/* SPDX-License-Identifier: Apache-2.0
 * test_blocklu.c: the sparse block LU against a dense one: chains, trees, loops, blocks of all sizes, multipliers that share a block or come last; singular blocks are named. */
#include "project/blocklu.h"

#include "base/context.h"
#include "math/dense.h"
#include "tests/math/samples.h"
#include "tests/support/check.h"

#include <string.h>

enum { MOST = 40 };

typedef struct graph {
    int           nb, n, size[MOST], row0[MOST + 1], start[MOST + 1], adj[MOST * MOST];
    bool          joined[MOST][MOST];
    unsigned char last[MOST];
    double       *dense; /* [n n] */
} graph;

static void graph_index(graph *g) {
    int count = 0;
    g->row0[0] = 0;
    for (int i = 0; i < g->nb; i++) {
        g->row0[i + 1] = g->row0[i] + g->size[i];
        g->start[i] = count;
        for (int j = 0; j < g->nb; j++) {
            if (i != j && g->joined[i][j]) {
                g->adj[count++] = j;
            }
        }
    }
    g->start[g->nb] = count;
    g->n = g->row0[g->nb];
    g->dense = calloc((size_t)g->n * (size_t)g->n, sizeof *g->dense);
    assert_non_null(g->dense);
}

static void join(graph *g, int i, int j) {
    g->joined[i][j] = g->joined[j][i] = true;
}

/* values into the factor and the dense copy; heavy: what the diagonal gets extra */
static void fill(graph *g, samples *s, double heavy, zw_blocklu *f) {
    zw_blocklu_zero(f);
    for (int i = 0; i < g->nb; i++) {
        for (int j = 0; j < g->nb; j++) {
            if (i != j && !g->joined[i][j]) {
                continue;
            }
            bool    turned;
            double *to = zw_blocklu_block(f, i, j, &turned);
            assert_non_null(to);
            for (int r = 0; r < g->size[i]; r++) {
                for (int c = 0; c < g->size[j]; c++) {
                    double value = sample(s) + (i == j && r == c && !g->last[i] ? heavy : 0.0);
                    value = i == j && g->last[i] ? 0.0 : value; /* multipliers */
                    to[turned ? c * g->size[i] + r : r * g->size[j] + c] = value;
                    g->dense[(size_t)(g->row0[i] + r) * (size_t)g->n + (size_t)(g->row0[j] + c)] = value;
                }
            }
        }
    }
}

static void agrees_with_dense(graph *g, samples *s, const char *what, double bound) {
    zw_context *c;
    zw_arena    arena;
    zw_blocklu  f;
    graph_index(g);
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    zw_arena_init(&arena, c);
    assert_int_equal(zw_blocklu_analyse(&arena, g->nb, g->start, g->adj, g->size, g->last, &f), ZW_OK);
    size_t  n = (size_t)g->n;
    double *b = malloc(n * sizeof *b), *x = malloc(n * sizeof *x), *a = malloc(n * n * sizeof *a), most = 0.0, size = 0.0;
    int    *pivot = malloc(n * sizeof *pivot);
    assert_true(b && x && a && pivot);
    for (int round = 0; round < 3; round++) { /* again with other values */
        fill(g, s, 3.0, &f);
        sample_array(s, 1.0, b, g->n);
        memcpy(x, b, n * sizeof *b);
        memcpy(a, g->dense, n * n * sizeof *a);
        assert_int_equal(zw_blocklu_factor(&f), -1);
        zw_blocklu_solve(&f, x);
        zw_lu_factor(g->n, a, pivot);
        assert_int_equal(zw_lu_det_sign(g->n, a, pivot), zw_blocklu_sign(&f));
        zw_lu_solve(g->n, a, pivot, 1, b);
        for (size_t i = 0; i < n; i++) {
            most = fmax(most, fabs(x[i] - b[i]));
            size = fmax(size, fabs(b[i]));
        }
    }
    if (most > bound * size) {
        print_error("%s: off by %g of %g\n", what, most, size);
    }
    check_below(most / size, bound, 1.9e-13);
    free(b);
    free(x);
    free(a);
    free(pivot);
    free(g->dense);
    zw_arena_destroy(&arena);
    zw_context_destroy(c);
}

static void chains_trees_and_loops_agree_with_a_dense_solve(void **state) {
    (void)state;
    samples s = {.state = 11};
    for (int trial = 0; trial < 12; trial++) {
        graph g = {.nb = 10 + trial};
        for (int i = 0; i < g.nb; i++) {
            g.size[i] = trial % 3 == 0 ? 6 : 1 + (i * 7 + trial) % 12;
            if (i > 0) { /* chain, or tree */
                join(&g, i, trial % 2 == 0 ? i - 1 : (i - 1) / 2);
            }
        }
        for (int k = 0; k < trial; k++) { /* loops */
            int i = (k * 5 + 2) % g.nb, j = (k * 11 + 7) % g.nb;
            if (i != j) {
                join(&g, i, j);
            }
        }
        agrees_with_dense(&g, &s, "chain, tree or loop", 1e-11);
    }
}

/* multipliers with zero diagonal, eliminated after all bodies */
static void blocks_without_diagonal_come_last(void **state) {
    (void)state;
    samples s = {.state = 12};
    graph   g = {.nb = 16};
    for (int i = 0; i < 12; i++) {
        g.size[i] = 6;
        if (i > 0) {
            join(&g, i, i - 1);
        }
    }
    for (int i = 12; i < 16; i++) {
        g.size[i] = 3;
        g.last[i] = 1;
        join(&g, i, 2 * (i - 12));
        join(&g, i, 2 * (i - 12) + 5);
    }
    agrees_with_dense(&g, &s, "loops closed by multipliers", 1e-11);
}

static void a_singular_block_is_named(void **state) {
    (void)state;
    zw_context *c;
    zw_arena    arena;
    zw_blocklu  f;
    graph       g = {.nb = 5};
    for (int i = 0; i < 5; i++) {
        g.size[i] = 2;
    }
    graph_index(&g); /* five blocks that have nothing to do with each other */
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    zw_arena_init(&arena, c);
    assert_int_equal(zw_blocklu_analyse(&arena, g.nb, g.start, g.adj, g.size, NULL, &f), ZW_OK);
    zw_blocklu_zero(&f);
    for (int i = 0; i < 5; i++) {
        bool    turned;
        double *d = zw_blocklu_block(&f, i, i, &turned);
        d[0] = 1.0;
        d[1] = 2.0;
        d[2] = 2.0;
        d[3] = i == 3 ? 4.0 : 5.0; /* rank 1 */
        assert_null(zw_blocklu_block(&f, i, (i + 1) % 5, &turned));
    }
    assert_int_equal(zw_blocklu_factor(&f), 3);
    free(g.dense);
    zw_arena_destroy(&arena);
    zw_context_destroy(c);
}

/* a saddle: positive bodies in a chain, multipliers in between them; their number is that of the negative eigenvalues, and more where bodies are made negative */
static void inertia_is_counted_block_by_block(void **state) {
    (void)state;
    samples s = {.state = 13};
    for (int trial = 0; trial < 6; trial++) {
        zw_context   *c;
        zw_arena      arena;
        zw_blocklu    f;
        unsigned char flip[MOST * 12] = {0};
        graph         g = {.nb = 8};
        for (int i = 0; i < 8; i++) {
            g.size[i] = 3 + (i + trial) % 4;
            if (i > 0) {
                join(&g, i, i - 1);
            }
        }
        join(&g, 0, 5);
        graph_index(&g);
        assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
        zw_arena_init(&arena, c);
        assert_int_equal(zw_blocklu_analyse(&arena, g.nb, g.start, g.adj, g.size, NULL, &f), ZW_OK);
        size_t  n = (size_t)g.n;
        double *a = calloc(n * n, sizeof *a), *values = malloc(n * sizeof *values);
        assert_true(a && values);
        for (int i = 0; i < g.n; i++) {
            flip[i] = (unsigned char)((i * 5 + trial) % 4 == 0); /* columns that come with the other sign */
        }
        zw_blocklu_zero(&f);
        for (int i = 0; i < g.nb; i++) {
            for (int j = 0; j <= i; j++) {
                if (i != j && !g.joined[i][j]) {
                    continue;
                }
                for (int r = 0; r < g.size[i]; r++) {
                    for (int k = 0; k < (i == j ? r + 1 : g.size[j]); k++) {
                        int    row = g.row0[i] + r, col = g.row0[j] + k;
                        double value = sample(&s) + (row == col ? (sample(&s) > 0.0 ? 4.0 : -4.0) : 0.0);
                        a[(size_t)row * n + (size_t)col] = a[(size_t)col * n + (size_t)row] = value;
                        for (int turn = 0; turn < (row == col ? 1 : 2); turn++) {
                            int     p = turn == 0 ? i : j, q = turn == 0 ? j : i, pr = turn == 0 ? r : k, qc = turn == 0 ? k : r;
                            bool    turned;
                            double *to = zw_blocklu_block(&f, p, q, &turned), v = flip[g.row0[q] + qc] ? -value : value;
                            to[turned ? qc * g.size[p] + pr : pr * g.size[q] + qc] = v;
                        }
                    }
                }
            }
        }
        assert_int_equal(zw_blocklu_count(&arena, &f, flip), ZW_OK);
        assert_int_equal(zw_blocklu_factor(&f), -1);
        assert_true(zw_sym_eigen(g.n, a, values, NULL));
        int below = 0;
        for (int i = 0; i < g.n; i++) {
            below += values[i] < 0.0;
        }
        assert_int_equal(f.below, below);
        free(a);
        free(values);
        free(g.dense);
        zw_arena_destroy(&arena);
        zw_context_destroy(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_trees_and_loops_agree_with_a_dense_solve),
        cmocka_unit_test(blocks_without_diagonal_come_last),
        cmocka_unit_test(a_singular_block_is_named),
        cmocka_unit_test(inertia_is_counted_block_by_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

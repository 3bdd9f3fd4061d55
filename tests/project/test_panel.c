/* SPDX-License-Identifier: Apache-2.0
 * test_panel.c: sparse Cholesky in panels on random patterns: solutions, the same bits from every instruction set, blocks that are zero, matrices that are none. */
#include "project/panel.h"
#include "tests/project/problem.h"

typedef struct matrix { /* dense, made of blocks of a random graph */
    int     nb, n, *start, *adj, *size, *first;
    double *a;
} matrix;

static matrix matrix_make(problem *p, int nb, int degree, double zero) {
    matrix         m = {.nb = nb};
    unsigned char *edge = calloc((size_t)(nb * nb), 1);
    m.start = calloc((size_t)nb + 1, sizeof(int));
    m.adj = calloc((size_t)(nb * nb), sizeof(int));
    m.size = calloc((size_t)nb, sizeof(int));
    m.first = calloc((size_t)nb + 1, sizeof(int));
    for (int i = 0; i < nb; i++) {
        m.size[i] = 1 + (int)(2.999 * (random_unit(p) + 1.0));
        m.first[i + 1] = m.first[i] + m.size[i];
        for (int k = 0; k < degree; k++) {
            int j = (int)(0.4999 * nb * (random_unit(p) + 1.0));
            edge[i * nb + j] = edge[j * nb + i] = i != j;
        }
    }
    m.n = m.first[nb];
    m.a = calloc((size_t)m.n * (size_t)m.n, sizeof(double));
    for (int i = 0, fill = 0; i < nb; i++) {
        for (int j = 0; j < nb; j++) {
            if (edge[i * nb + j]) {
                m.adj[fill++] = j;
            }
            for (int r = 0; r < m.size[i] && j < i && edge[i * nb + j] && random_unit(p) > 2.0 * zero - 1.0; r++) {
                for (int c = 0; c < m.size[j]; c++) {
                    double t = random_unit(p);
                    m.a[(m.first[i] + r) * m.n + m.first[j] + c] = m.a[(m.first[j] + c) * m.n + m.first[i] + r] = t;
                }
            }
        }
        m.start[i + 1] = fill;
    }
    for (int i = 0; i < m.n; i++) {
        double sum = 1.0;
        for (int j = 0; j < m.n; j++) {
            sum += fabs(m.a[i * m.n + j]);
        }
        m.a[i * m.n + i] = sum;
    }
    free(edge);
    return m;
}

static void matrix_free(matrix *m) {
    free(m->start);
    free(m->adj);
    free(m->size);
    free(m->first);
    free(m->a);
}

static void fill(const matrix *m, zw_panels *f) {
    zw_panels_zero(f);
    for (int i = 0; i < m->nb; i++) {
        for (int k = m->start[i] - 1; k < m->start[i + 1]; k++) {
            int       j = k < m->start[i] ? i : m->adj[k];
            ptrdiff_t stride, at = zw_panels_find(f, m->first[i], m->first[j], &stride);
            for (int r = 0; r < m->size[i] && at >= 0; r++) {
                for (int c = 0; c < m->size[j]; c++) {
                    f->l[at + r + c * stride] = m->a[(m->first[i] + r) * m->n + m->first[j] + c];
                }
            }
        }
    }
}

static void solutions_and_bits(void **state) {
    (void)state;
    problem p;
    double  worst = 0.0;
    int     panels = 0, blocks = 0;
    problem_open(&p, NULL, 61);
    for (int k = 0; k < 60; k++) {
        matrix   m = matrix_make(&p, 1 + k % 50, k % 4, k % 3 == 0 ? 0.6 : 0.0);
        double  *x = random_vector(&p, m.n), *v = calloc((size_t)m.n, sizeof *v), *other = calloc((size_t)m.n, sizeof *other);
        zw_arena arena;
        zw_arena_init(&arena, p.context);
        zw_panels f;
        assert_int_equal(zw_panels_analyse(&arena, m.nb, m.start, m.adj, m.size, &f), ZW_OK);
        for (int i = 0; i < m.n; i++) {
            for (int j = 0; j < m.n; j++) {
                v[i] += m.a[i * m.n + j] * x[j];
            }
        }
        memcpy(other, v, (size_t)m.n * sizeof *v);
        fill(&m, &f);
        assert_true(zw_panels_factor(&f));
        zw_panels_solve(&f, v);
        worst = fmax(worst, distance(v, x, m.n));
        f.path = &zw_panel_path_any;
        fill(&m, &f);
        assert_true(zw_panels_factor(&f));
        zw_panels_solve(&f, other);
        assert_memory_equal(v, other, (size_t)m.n * sizeof *v);
        panels += f.npanels;
        blocks += m.nb;
        m.a[0] = -1.0;
        fill(&m, &f);
        assert_false(zw_panels_factor(&f));
        m.a[0] = NAN;
        fill(&m, &f);
        assert_false(zw_panels_factor(&f));
        zw_arena_destroy(&arena);
        matrix_free(&m);
        free(x);
        free(v);
        free(other);
    }
    problem_close(&p);
    print_message("%d blocks in %d panels, solutions off by %.1e\n", blocks, panels, worst);
    check_below(worst, 1e-13, 1.0e-15);
    assert_true(panels < blocks);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(solutions_and_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * problem.h: random projection problems for the tests of the kernel, kept both as tiles and densely, and an independent dense solver. */
#ifndef ZW_TESTS_PROJECT_PROBLEM_H
#define ZW_TESTS_PROJECT_PROBLEM_H

#include "tests/support/check.h"
#include "zwang/project.h"

#include <string.h>

typedef struct problem {
    zw_context *context;
    zw_solver  *solver;
    uint64_t    seed;
    zw_metric   metric;
    zw_matrix   part[8];
    int         v0[8];
    zw_rows     rows;
} problem;

static inline double random_unit(problem *p) { /* splitmix64, uniform in -1..1 */
    uint64_t z = (p->seed += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1.0;
}

static inline void problem_open(problem *p, const zw_context_def *def, uint64_t seed) {
    *p = (problem){.seed = seed};
    assert_int_equal(zw_context_create(def, &p->context), ZW_OK);
    assert_int_equal(zw_solver_create(p->context, &p->solver), ZW_OK);
    p->metric.part = p->part;
    p->metric.v0 = p->v0;
}

static inline void problem_clear(problem *p) { /* keeps context and solver */
    for (int k = 0; k < p->metric.nparts; k++) {
        free((void *)(uintptr_t)p->part[k].start);
        free((void *)(uintptr_t)p->part[k].col);
        free(p->part[k].a);
    }
    free(p->rows.tile);
    free(p->rows.block);
    free(p->rows.a);
    p->rows = (zw_rows){.m = 0};
    p->metric.n = p->metric.nparts = 0;
}

static inline void problem_close(problem *p) {
    problem_clear(p);
    zw_solver_destroy(p->solver);
    zw_context_destroy(p->context);
}

static inline void part_begin(problem *p, zw_kind kind, int n, int block) {
    int k = p->metric.nparts++;
    p->v0[k] = p->metric.n;
    p->part[k] = (zw_matrix){.kind = kind, .n = n, .block = block};
    p->metric.n += n;
}

static inline void add_diagonal(problem *p, int n, double spread) { /* masses 10^(-spread) .. 10^spread */
    part_begin(p, ZW_DIAGONAL, n, 1);
    zw_matrix *m = &p->part[p->metric.nparts - 1];
    m->a = malloc((size_t)n * sizeof *m->a);
    for (int i = 0; i < n; i++) {
        m->a[i] = pow(10.0, spread * random_unit(p));
    }
}

/* positive definite: diagonally dominant blocks for |i - j| <= band, and (i, 0) for all i when star */
static inline void add_banded(problem *p, int nb, int b, int band, bool star) {
    part_begin(p, ZW_SPD, nb * b, b);
    zw_matrix *m = &p->part[p->metric.nparts - 1];
    size_t     bb = (size_t)b * (size_t)b;
    int       *start = calloc((size_t)nb + 1, sizeof *start), *col = malloc((size_t)nb * (size_t)nb * sizeof *col), count = 0;
    for (int i = 0; i < nb; i++) {
        for (int j = 0; j < nb; j++) {
            if (abs(i - j) <= band || (star && (i == 0 || j == 0))) {
                col[count++] = j;
            }
        }
        start[i + 1] = count;
    }
    m->start = start;
    m->col = col;
    m->a = calloc((size_t)count * bb, sizeof *m->a);
    for (int i = 0; i < nb; i++) {
        for (int k = start[i]; k < start[i + 1]; k++) {
            for (int r = 0; r < b && col[k] <= i; r++) {
                for (int c = 0; c < (col[k] == i ? r + 1 : b); c++) {
                    int    t = start[col[k]];
                    double value = random_unit(p) + (col[k] == i && r == c ? 1.5 * b * (2 * band + 2 + (star ? nb : 0)) : 0.0);
                    while (col[t] != i) {
                        t++;
                    }
                    m->a[(size_t)k * bb + (size_t)(r * b + c)] = value;
                    m->a[(size_t)t * bb + (size_t)(c * b + r)] = value;
                }
            }
        }
    }
}

/* a tile of m rows with nblocks blocks at the given columns, random values */
static inline void add_tile(problem *p, int m, int nblocks, const int *col0, int ncol) {
    zw_rows *A = &p->rows;
    A->tile = realloc(A->tile, (size_t)(A->ntiles + 1) * sizeof *A->tile);
    A->block = realloc(A->block, (size_t)(A->nblocks + nblocks + 1) * sizeof *A->block);
    A->a = realloc(A->a, (size_t)(A->nvalues + (ptrdiff_t)m * ncol * nblocks + 1) * sizeof *A->a);
    A->tile[A->ntiles] = (zw_tile){.id = A->ntiles, .row = A->m, .m = m, .block0 = A->nblocks, .nblocks = nblocks, .kind = ZW_ROW_EQUAL};
    A->ntiles++;
    A->m += m;
    for (int k = 0; k < nblocks; k++) {
        A->block[A->nblocks++] = (zw_block){.col0 = col0[k], .ncol = ncol, .a = A->nvalues};
        for (int i = 0; i < m * ncol; i++) {
            A->a[A->nvalues++] = random_unit(p);
        }
    }
}

static inline double *dense_metric(const problem *p) {
    size_t  n = (size_t)p->metric.n;
    double *H = calloc(n * n + 1, sizeof *H);
    for (int k = 0; k < p->metric.nparts; k++) {
        const zw_matrix *m = &p->part[k];
        for (int i = 0; i < m->n; i++) {
            size_t row = (size_t)(p->v0[k] + i);
            if (m->kind == ZW_DIAGONAL) {
                H[row * n + row] = m->a[i];
                continue;
            }
            int b = m->block;
            for (int e = m->start[i / b]; e < m->start[i / b + 1]; e++) {
                for (int c = 0; c < b; c++) {
                    H[row * n + (size_t)(p->v0[k] + m->col[e] * b + c)] = m->a[(size_t)e * (size_t)(b * b) + (size_t)((i % b) * b + c)];
                }
            }
        }
    }
    return H;
}

static inline double *dense_rows(const problem *p) {
    size_t  n = (size_t)p->metric.n;
    double *A = calloc((size_t)p->rows.m * n + 1, sizeof *A);
    for (int t = 0; t < p->rows.ntiles; t++) {
        const zw_tile *tile = &p->rows.tile[t];
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            const zw_block *b = &p->rows.block[k];
            for (int i = 0; i < tile->m; i++) {
                for (int j = 0; j < b->ncol; j++) {
                    A[(size_t)(tile->row + i) * n + (size_t)(b->col0 + j)] += p->rows.a[b->a + (ptrdiff_t)i * b->ncol + j];
                }
            }
        }
    }
    return A;
}

static inline double *random_vector(problem *p, int n) {
    double *v = malloc((size_t)(n + 1) * sizeof *v);
    for (int i = 0; i < n; i++) {
        v[i] = random_unit(p);
    }
    return v;
}

/* Gaussian elimination with partial pivoting, in place; b becomes the solution */
static inline void gauss(int n, double *a, double *b) {
    size_t N = (size_t)n;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(a[(size_t)i * N + (size_t)k]) > fabs(a[(size_t)best * N + (size_t)k]) ? i : best;
        }
        for (int j = 0; j < n; j++) {
            double t = a[(size_t)k * N + (size_t)j];
            a[(size_t)k * N + (size_t)j] = a[(size_t)best * N + (size_t)j];
            a[(size_t)best * N + (size_t)j] = t;
        }
        double t = b[k];
        b[k] = b[best];
        b[best] = t;
        for (int i = k + 1; i < n; i++) {
            double f = a[(size_t)i * N + (size_t)k] / a[(size_t)k * N + (size_t)k];
            for (int j = k; j < n; j++) {
                a[(size_t)i * N + (size_t)j] -= f * a[(size_t)k * N + (size_t)j];
            }
            b[i] -= f * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            b[i] -= a[(size_t)i * N + (size_t)j] * b[j];
        }
        b[i] /= a[(size_t)i * N + (size_t)i];
    }
}

/* [H -A'; A 0] (x, lambda) = (f, b), with one round of refinement */
static inline void dense_kkt(const problem *p, const double *f, const double *b, double *x, double *lambda) {
    int     n = p->metric.n, m = p->rows.m, N = n + m;
    double *H = dense_metric(p), *A = dense_rows(p);
    double *K = calloc((size_t)N * (size_t)N, sizeof *K), *L = malloc((size_t)N * (size_t)N * sizeof *L);
    double *r = malloc((size_t)N * sizeof *r), *z = calloc((size_t)N, sizeof *z);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            K[i * N + j] = H[i * n + j];
        }
        for (int j = 0; j < m; j++) {
            K[i * N + n + j] = -A[j * n + i];
            K[(n + j) * N + i] = A[j * n + i];
        }
    }
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) {
            r[i] = i < n ? f[i] : b[i - n];
            for (int j = 0; j < N; j++) {
                r[i] -= K[i * N + j] * z[j];
            }
        }
        memcpy(L, K, (size_t)N * (size_t)N * sizeof *L);
        gauss(N, L, r);
        for (int i = 0; i < N; i++) {
            z[i] += r[i];
        }
    }
    memcpy(x, z, (size_t)n * sizeof *x);
    if (m > 0) {
        memcpy(lambda, z + n, (size_t)m * sizeof *lambda);
    }
    free(H);
    free(A);
    free(K);
    free(L);
    free(r);
    free(z);
}

/* y = M x for a dense rows x cols matrix; transposed: y = M' x */
static inline void dense_apply(int rows, int cols, const double *M, const double *x, double *y) {
    for (int i = 0; i < rows; i++) {
        y[i] = 0.0;
        for (int j = 0; j < cols; j++) {
            y[i] += M[(size_t)i * (size_t)cols + (size_t)j] * x[j];
        }
    }
}
static inline void dense_apply_transposed(int rows, int cols, const double *M, const double *x, double *y) {
    for (int j = 0; j < cols; j++) {
        y[j] = 0.0;
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            y[j] += M[(size_t)i * (size_t)cols + (size_t)j] * x[i];
        }
    }
}

static inline double largest(const double *v, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(v[i]));
    }
    return most;
}
static inline double distance(const double *a, const double *b, int n) { /* relative to the largest entry of b */
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most == 0.0 ? 0.0 : most / largest(b, n);
}

#endif

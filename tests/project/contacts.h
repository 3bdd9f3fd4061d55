/* SPDX-License-Identifier: Apache-2.0
 * contacts.h: projection problems with inequalities for the tests of the unilateral kernel, and an independent look at the conditions of the minimum. */
#ifndef ZW_TESTS_PROJECT_CONTACTS_H
#define ZW_TESTS_PROJECT_CONTACTS_H

#include "project/unilateral_search.h"
#include "tests/project/problem.h"

typedef struct contacts {
    problem        p; /* p.rows is A */
    zw_rows        N;
    zw_unilateral *u;
    double        *f, *b, *c, *x, *lambda, *mu;
} contacts;

typedef struct kkt { /* each relative to its terms */
    double stationary, equal, gap, sign, product, natural;
} kkt;

static inline void contacts_open(contacts *q, const zw_context_def *def, uint64_t seed) {
    *q = (contacts){.N = {.m = 0}};
    problem_open(&q->p, def, seed);
    assert_int_equal(zw_unilateral_create(q->p.context, &q->u), ZW_OK);
}

static inline void contacts_clear(contacts *q) {
    problem_clear(&q->p);
    free(q->N.tile);
    free(q->N.block);
    free(q->N.a);
    q->N = (zw_rows){.m = 0};
    double **v[] = {&q->f, &q->b, &q->c, &q->x, &q->lambda, &q->mu};
    for (int k = 0; k < 6; k++) {
        free(*v[k]);
        *v[k] = NULL;
    }
}

static inline void contacts_close(contacts *q) {
    contacts_clear(q);
    zw_unilateral_destroy(q->u);
    problem_close(&q->p);
}

static inline void rows_swap(contacts *q) { /* add_tile builds N between two swaps */
    zw_rows t = q->p.rows;
    q->p.rows = q->N;
    q->N = t;
}

/* a tile of N with one row: nblocks blocks of ncol columns, values given */
static inline void add_contact(contacts *q, int nblocks, const int *col0, int ncol, const double *values) {
    rows_swap(q);
    ptrdiff_t at = q->p.rows.nvalues;
    add_tile(&q->p, 1, nblocks, col0, ncol);
    memcpy(q->p.rows.a + at, values, (size_t)(nblocks * ncol) * sizeof *values);
    rows_swap(q);
}

static inline void vectors_make(contacts *q) { /* all zero */
    int      n = q->p.metric.n, ma = q->p.rows.m, mi = q->N.m;
    double **v[] = {&q->f, &q->b, &q->c, &q->x, &q->lambda, &q->mu};
    int      size[] = {n, ma, mi, n, ma, mi};
    for (int k = 0; k < 6; k++) {
        free(*v[k]);
        *v[k] = calloc((size_t)size[k] + 1, sizeof(double));
    }
}

static inline zw_status contacts_solve(contacts *q, zw_unilateral_info *info) {
    zw_error_clear(q->p.context);
    zw_status status = zw_unilateral_solve(q->u, &q->p.metric, &q->p.rows, &q->N, q->f, q->b, q->c, q->x, q->lambda, q->mu, info);
    return status == ZW_OK && info ? zw_unilateral_count(q->u, info) : status;
}

static inline double *dense_contacts(contacts *q) {
    rows_swap(q);
    double *N = dense_rows(&q->p);
    rows_swap(q);
    return N;
}

/* y = R x and its terms' sizes, from the tiles */
static inline void rows_product(const zw_rows *R, const double *x, const double *size, double *y, double *terms) {
    for (int t = 0; t < R->ntiles; t++) {
        for (int i = 0; i < R->tile[t].m; i++) {
            int row = R->tile[t].row + i;
            y[row] = terms[row] = 0.0;
            for (int k = R->tile[t].block0; k < R->tile[t].block0 + R->tile[t].nblocks; k++) {
                for (int j = 0; j < R->block[k].ncol; j++) {
                    double a = R->a[R->block[k].a + (ptrdiff_t)i * R->block[k].ncol + j];
                    y[row] += a * x[R->block[k].col0 + j];
                    terms[row] += fabs(a) * size[R->block[k].col0 + j];
                }
            }
        }
    }
}
static inline void rows_transposed(const zw_rows *R, const double *y, double *z, double *terms) { /* adds */
    for (int t = 0; t < R->ntiles; t++) {
        for (int i = 0; i < R->tile[t].m; i++) {
            for (int k = R->tile[t].block0; k < R->tile[t].block0 + R->tile[t].nblocks; k++) {
                for (int j = 0; j < R->block[k].ncol; j++) {
                    double a = R->a[R->block[k].a + (ptrdiff_t)i * R->block[k].ncol + j] * y[R->tile[t].row + i];
                    z[R->block[k].col0 + j] += a;
                    terms[R->block[k].col0 + j] += fabs(a);
                }
            }
        }
    }
}

static inline void metric_product(const problem *p, const double *x, double *z, double *terms) { /* adds */
    for (int k = 0; k < p->metric.nparts; k++) {
        const zw_matrix *m = &p->part[k];
        int              b = m->block, v0 = p->v0[k];
        for (int i = 0; i < m->n; i++) {
            if (m->kind == ZW_DIAGONAL) {
                z[v0 + i] += m->a[i] * x[v0 + i];
                terms[v0 + i] += fabs(m->a[i] * x[v0 + i]);
                continue;
            }
            for (int e = m->start[i / b]; e < m->start[i / b + 1]; e++) {
                for (int j = 0; j < b; j++) {
                    double t = m->a[(size_t)e * (size_t)(b * b) + (size_t)((i % b) * b + j)] * x[v0 + m->col[e] * b + j];
                    z[v0 + i] += t;
                    terms[v0 + i] += fabs(t);
                }
            }
        }
    }
}

/* Hx - A'lambda - N'mu - f, A x - b, N x - c, mu and their products, from the input alone */
static inline kkt kkt_of(contacts *q) {
    int     n = q->p.metric.n, ma = q->p.rows.m, mi = q->N.m;
    double *z = calloc((size_t)n + 1, sizeof *z), *terms = calloc((size_t)n + 1, sizeof *z), *size = calloc((size_t)n + 1, sizeof *z);
    double *minus = calloc((size_t)(ma + mi) + 1, sizeof *z), *y = calloc((size_t)(ma + mi) + 1, sizeof *z);
    double *sy = calloc((size_t)(ma + mi) + 1, sizeof *z), most = 0.0, force = 0.0;
    kkt     r = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    metric_product(&q->p, q->x, z, terms);
    for (int i = 0; i < ma + mi; i++) {
        minus[i] = i < ma ? -q->lambda[i] : -q->mu[i - ma];
    }
    rows_transposed(&q->p.rows, minus, z, terms);
    rows_transposed(&q->N, minus + ma, z, terms);
    for (int j = 0; j < n; j++) {
        force = fmax(force, terms[j] + fabs(q->f[j]));
        most = fmax(most, fabs(z[j] - q->f[j]));
        size[j] = fabs(q->x[j]);
    }
    for (int k = 0; k < q->p.metric.nparts; k++) { /* x counts by the forces that it is a sum of */
        const zw_matrix *m = &q->p.part[k];
        for (int j = 0; j < m->n && m->kind == ZW_DIAGONAL; j++) {
            size[q->p.v0[k] + j] = fmax(size[q->p.v0[k] + j], fmax(terms[q->p.v0[k] + j], fabs(q->f[q->p.v0[k] + j])) / m->a[j]);
        }
    }
    r.stationary = force > 0.0 ? most / force : 0.0;
    rows_product(&q->p.rows, q->x, size, y, sy);
    rows_product(&q->N, q->x, size, y + ma, sy + ma);
    double mu_most = 1e-300, term_most = 1e-300;
    for (int i = 0; i < ma + mi; i++) {
        sy[i] += fabs(i < ma ? q->b[i] : q->c[i - ma]);
        term_most = fmax(term_most, sy[i]);
        mu_most = i < ma ? mu_most : fmax(mu_most, q->mu[i - ma]);
    }
    for (int i = 0; i < ma; i++) {
        r.equal = fmax(r.equal, fabs(y[i] - q->b[i]) / fmax(sy[i], 1e-3 * term_most));
    }
    for (int i = 0; i < mi; i++) {
        double gap = (y[ma + i] - q->c[i]) / fmax(sy[ma + i], 1e-3 * term_most);
        r.gap = fmax(r.gap, -gap);
        r.sign = fmax(r.sign, -q->mu[i]);
        r.product = fmax(r.product, fabs(gap) * q->mu[i] / mu_most);
        r.natural = fmax(r.natural, fabs(fmin(gap, q->mu[i] / mu_most)));
    }
    free(z);
    free(terms);
    free(size);
    free(minus);
    free(y);
    free(sy);
    return r;
}

static inline void kkt_worst(kkt *all, kkt one) {
    all->stationary = fmax(all->stationary, one.stationary);
    all->equal = fmax(all->equal, one.equal);
    all->gap = fmax(all->gap, one.gap);
    all->sign = fmax(all->sign, one.sign);
    all->product = fmax(all->product, one.product);
    all->natural = fmax(all->natural, one.natural);
}

#endif

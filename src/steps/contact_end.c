/* SPDX-License-Identifier: Apache-2.0
 * contact_end.c: the velocity level at the end of a step over contacts; see contact_end.h. */
#include "steps/contact_end.h"

#include "system/system.h"

#include <string.h>

double zw_metric_times(const zw_metric *M, int column, const double *v) {
    int part = 0;
    for (int low = 0, high = M->nparts; low < high;) { /* last part that begins at or before the column; empty ones do not matter */
        int middle = (low + high) / 2;
        if (M->v0[middle] <= column) {
            part = middle;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const zw_matrix *P = &M->part[part];
    int              v0 = M->v0[part], c = column - v0;
    if (P->kind == ZW_DIAGONAL) {
        return P->a[c] * v[column];
    }
    int    b = P->block;
    double sum = 0.0;
    for (int j = P->start[c / b]; j < P->start[c / b + 1]; j++) {
        const double *a = P->a + (ptrdiff_t)j * b * b + (ptrdiff_t)(c % b) * b, *x = v + v0 + P->col[j] * b;
        for (int l = 0; l < b; l++) {
            sum += a[l] * x[l];
        }
    }
    return sum;
}

double zw_row_times(const zw_rows *R, int tile, int i, const double *v) {
    const zw_tile *t = &R->tile[tile];
    double         sum = 0.0;
    for (int j = t->block0; j < t->block0 + t->nblocks; j++) {
        const zw_block *b = &R->block[j];
        const double   *a = R->a + b->a + (ptrdiff_t)i * b->ncol;
        for (int l = 0; l < b->ncol; l++) {
            sum += a[l] * v[b->col0 + l];
        }
    }
    return sum;
}

/* the contacts that push or touch, their rows at x1 and gap rates there; keeps their numbers at the front of set->now */
static zw_status rows_at_end(zw_contact_set *s, const zw_state *x1, int *count) {
    zw_rows *N = &s->N;
    int      n = 0;
    N->m = N->ntiles = N->nblocks = 0;
    N->nvalues = 0;
    ZW_TRY(zw_meet_again(s->meet, x1, s->n, s->from, s->now));
    for (int i = 0; i < s->n; i++) {
        if (s->p[i] > 0.0 || s->gap1[i] <= 1e-12 * s->scale[i]) {
            zw_meeting m = s->now[i];
            ZW_TRY(zw_meet_row(s->meet, x1, &m, N));
            s->rate[n] = m.drift;
            s->push[n] = s->p[i];
            s->c[n] = -m.drift;
            n++;
        }
    }
    *count = n;
    return ZW_OK;
}

zw_status zw_contact_end_meet(zw_contact_end *e, zw_contact_set *s, zw_state *x1, double *work, double *dissipated) {
    static const zw_rows no_rows = {0};
    const zw_rows       *A = &no_rows;
    zw_unilateral_info   info;
    int                  nv = e->nv, n;
    ZW_TRY(rows_at_end(s, x1, &n));
    if (e->m > 0) {
        ZW_TRY(zw_system_values(e->y, x1, 1, e->value));
        ZW_TRY(zw_system_values(e->y, x1, 2, e->drive));
        ZW_TRY(zw_system_rows(e->y, x1, &A));
        for (int t = 0; t < A->ntiles; t++) {
            for (int i = 0; i < A->tile[t].m; i++) { /* nonlinear rows: linear from here */
                int row = A->tile[t].row + i;
                e->b[row] = zw_row_times(A, t, i, x1->v) - e->value[row];
            }
        }
    }
    const zw_metric *M = zw_system_mass(e->y, x1);
    for (int l = 0; l < nv; l++) {
        e->f[l] = zw_metric_times(M, l, x1->v);
    }
    for (int i = 0; i < n; i++) {
        const zw_tile *t = &s->N.tile[i];
        for (int j = t->block0; j < t->block0 + t->nblocks; j++) {
            const zw_block *b = &s->N.block[j];
            for (int l = 0; l < b->ncol; l++) {
                e->f[b->col0 + l] -= s->push[i] * s->N.a[b->a + l];
            }
        }
    }
    ZW_TRY(zw_unilateral_solve(e->solver, M, A, &s->N, e->f, e->b, s->c, e->next, e->lambda, s->total, &info));
    for (int i = 0; i < n; i++) {
        double before = zw_row_times(&s->N, i, 0, x1->v) + s->rate[i], after = zw_row_times(&s->N, i, 0, e->next) + s->rate[i];
        double more = s->total[i] - s->push[i];
        *work -= more * s->rate[i];
        *dissipated -= 0.5 * more * (before + after);
    }
    for (int t = 0; t < A->ntiles; t++) {
        for (int i = 0; i < A->tile[t].m; i++) {
            int row = A->tile[t].row + i;
            *work += e->lambda[row] * e->drive[row];
            *dissipated -= 0.5 * e->lambda[row] * e->value[row];
        }
    }
    memcpy(x1->v, e->next, sizeof(double) * (size_t)nv);
    return ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * component.c: scaling, factoring and solving one component of S. */
#include "project/component.h"

#include "math/dense.h"
#include "project/rank.h"

#include <math.h>
#include <string.h>

/* 1/sqrt(S_ii); a row that is zero keeps the scale 1 and meets the zero pivot. nan when S_ii is not finite */
static double scale_of(double s) {
    return s > 0.0 && isfinite(s) ? 1.0 / sqrt(s) : s == 0.0 ? 1.0 : NAN;
}

static int dense_factor(zw_component *k) {
    int     m = k->m;
    double *s = k->s;
    for (int i = 0; i < m; i++) {
        k->d[i] = scale_of(s[i * m + i]);
        if (!isfinite(k->d[i])) {
            return k->row[i];
        }
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j <= i; j++) {
            s[i * m + j] *= k->d[i] * k->d[j];
            s[j * m + i] = s[i * m + j];
        }
        s[i * m + i] = s[i * m + i] > 0.0 ? 1.0 : 0.0;
    }
    k->rank = zw_cholesky_pivoted(m, s, zw_rank_tolerance(m), k->perm, NULL);
    if (k->rank < 0) {
        return k->row[0];
    }
    for (int i = 0; i < m; i++) {
        k->index[i] = k->row[k->perm[i]];
    }
    double *d = k->z; /* scratch until the null space is made */
    memcpy(d, k->d, (size_t)m * sizeof *d);
    for (int i = 0; i < m; i++) {
        k->d[i] = d[k->perm[i]];
    }
    k->pivot_max = k->rank > 0 ? s[0] * s[0] : 0.0;
    k->pivot_min = k->rank > 0 ? s[(k->rank - 1) * (m + 1)] * s[(k->rank - 1) * (m + 1)] : INFINITY;
    zw_rank_null_space(k);
    return -1;
}

/* semidefinite: rows may be dependent; otherwise a pivot below `tolerance` is a failure, which returns the row too */
static int sparse_factor(zw_component *k, double tolerance, bool semidefinite) {
    zw_blockchol *f = &k->chol;
    for (int j = 0; j < f->nb; j++) {
        int           m = f->row0[j + 1] - f->row0[j];
        const double *l = f->l + f->value[f->start[j]];
        for (int c = 0; c < m; c++) {
            k->d[f->row0[j] + c] = scale_of(l[c * m + c]);
            if (!isfinite(k->d[f->row0[j] + c])) {
                return k->index[f->row0[j] + c];
            }
        }
    }
    for (int j = 0; j < f->nb; j++) {
        int           m = f->row0[j + 1] - f->row0[j];
        const double *dj = k->d + f->row0[j];
        for (int q = f->start[j]; q < f->start[j + 1]; q++) {
            double       *l = f->l + f->value[q];
            const double *di = k->d + f->row0[f->row[q]];
            int           rows = f->row0[f->row[q] + 1] - f->row0[f->row[q]];
            for (int i = 0; i < rows; i++) {
                for (int c = 0; c < m; c++) {
                    l[i * m + c] *= di[i] * dj[c];
                }
            }
        }
    }
    int bad = zw_blockchol_factor(f, tolerance, semidefinite);
    if (bad >= 0) {
        return k->index[bad];
    }
    k->rank = k->m - f->dependent;
    for (int j = 0; j < f->nb; j++) {
        for (int c = f->row0[j]; c < f->row0[j + 1]; c++) {
            k->depends[c] = zw_blockchol_depends(f, j, c - f->row0[j]);
        }
    }
    k->pivot_min = f->pivot_min;
    k->pivot_max = f->pivot_max;
    return -1;
}

/* S in the pattern of chol -> s, in the order of elimination of chol */
static void spread(zw_component *k) {
    const zw_blockchol *f = &k->chol;
    int                 m = k->m;
    memset(k->s, 0, (size_t)m * (size_t)m * sizeof *k->s);
    for (int j = 0; j < f->nb; j++) {
        int columns = f->row0[j + 1] - f->row0[j];
        for (int q = f->start[j]; q < f->start[j + 1]; q++) {
            const double *l = k->kept + f->value[q];
            int           first = f->row0[f->row[q]], rows = f->row0[f->row[q] + 1] - first;
            for (int i = 0; i < rows; i++) {
                for (int c = 0; c < columns; c++) {
                    k->s[(first + i) * m + f->row0[j] + c] = l[i * columns + c];
                }
            }
        }
    }
}

/* Without pivoting round-off of a pivot grows with the condition of the rows before it; above this it is far from zero beyond doubt */
static const double clear_pivot = 1e-6;

static int both_factor(zw_component *k) {
    memcpy(k->kept, k->chol.l, (size_t)k->chol.nvalues * sizeof *k->kept);
    memcpy(k->index, k->row, (size_t)k->m * sizeof *k->index);
    k->dense = false;
    if (sparse_factor(k, clear_pivot, false) < 0) {
        return -1;
    }
    spread(k);
    k->dense = true;
    return dense_factor(k);
}

int zw_component_factor(zw_component *k) {
    return k->both ? both_factor(k) : k->dense ? dense_factor(k) : sparse_factor(k, zw_rank_tolerance(k->m), true);
}

bool zw_component_depends(const zw_component *k, int place) {
    return k->dense ? place >= k->rank : k->depends[place] != 0;
}

void zw_component_forward(const zw_component *k, double *v) {
    if (!k->dense) {
        zw_blockchol_forward(&k->chol, v);
        return;
    }
    for (int i = 0; i < k->m; i++) {
        const double *l = k->s + (size_t)i * (size_t)k->m;
        double        t = v[i];
        int           end = i < k->rank ? i : k->rank;
        for (int c = 0; c < end; c++) {
            t -= l[c] * v[c];
        }
        v[i] = i < k->rank ? t / l[i] : t;
    }
}

void zw_component_backward(const zw_component *k, double *v) {
    if (!k->dense) {
        zw_blockchol_backward(&k->chol, v);
        return;
    }
    for (int i = k->m - 1; i >= 0; i--) {
        const double *l = k->s + (size_t)i * (size_t)k->m;
        int           end = k->rank;
        if (i < k->rank) {
            v[i] /= l[i];
            end = i;
        }
        for (int c = 0; c < end; c++) {
            v[c] -= l[c] * v[i];
        }
    }
}

void zw_component_solve(const zw_component *k, const double *r, double *lambda, double *work) {
    double *v = work + 5 * (size_t)k->m;
    for (int i = 0; i < k->m; i++) {
        v[i] = k->d[i] * r[k->index[i]];
    }
    zw_component_forward(k, v);
    for (int i = 0; i < k->m && k->rank < k->m; i++) {
        v[i] = zw_component_depends(k, i) ? 0.0 : v[i];
    }
    zw_component_backward(k, v);
    for (int i = 0; i < k->m; i++) {
        v[i] *= k->d[i];
    }
    zw_rank_least_norm(k, v, work);
    for (int i = 0; i < k->m; i++) {
        lambda[k->index[i]] = v[i];
    }
}

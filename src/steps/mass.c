/* SPDX-License-Identifier: Apache-2.0
 * mass.c: diagonal parts as one array; block diagonal ones as 6x6 blocks with their inverses. */
#include "steps/mass.h"

#include "base/context.h"
#include "math/dense.h"

#include <string.h>

static bool block_diagonal(const zw_matrix *a) {
    if (a->kind == ZW_DIAGONAL) {
        return true;
    }
    int rows = a->n / a->block;
    for (int i = 0; i < rows; i++) {
        if (a->start[i + 1] - a->start[i] != 1 || a->col[a->start[i]] != i) {
            return false;
        }
    }
    return a->block == 6;
}

static void fill(const zw_metric *M, zw_mass *out) {
    out->part[0] = (zw_mass_part){.n = M->n, .diagonal = true}; /* all diagonal: as one */
    for (int i = 0; i < M->nparts; i++) {
        const zw_matrix *a = &M->part[i];
        int              v0 = M->v0[i];
        size_t           at = out->diagonal ? (size_t)v0 : 6 * (size_t)v0;
        if (!out->diagonal) {
            out->part[i] = (zw_mass_part){.v0 = v0, .n = a->n, .at = at, .diagonal = a->kind == ZW_DIAGONAL};
        }
        for (int k = 0; a->kind == ZW_DIAGONAL && k < a->n; k++) {
            out->m[at + (size_t)k] = a->a[k];
            out->inverse[at + (size_t)k] = 1.0 / a->a[k];
        }
        for (int block = 0; a->kind != ZW_DIAGONAL && block < a->n / 6; block++) {
            double *m = out->m + at + 36 * (size_t)block, lu[36];
            int     pivot[6];
            memcpy(m, a->a + 36 * (size_t)block, sizeof lu);
            memcpy(lu, m, sizeof lu);
            zw_lu_factor(6, lu, pivot);
            zw_lu_inverse(6, lu, pivot, out->inverse + at + 36 * (size_t)block);
        }
    }
}

void zw_mass_update(zw_system *y, const zw_state *x, zw_mass *m) {
    fill(zw_system_mass(y, x), m);
}

zw_status zw_mass_create(zw_system *y, const zw_state *x, zw_mass *out) {
    zw_context      *c = zw_system_context(y);
    const zw_metric *M = zw_system_mass(y, x);
    *out = (zw_mass){.context = c, .n = M->n, .nparts = 1, .diagonal = true};
    for (int i = 0; i < M->nparts; i++) {
        out->diagonal = out->diagonal && M->part[i].kind == ZW_DIAGONAL;
        if (!block_diagonal(&M->part[i])) {
            return zw_raise(c, ZW_E_UNSUPPORTED, "run.integrator", "use an implicit integrator", "the mass of part %d couples its blocks",
                            i + 1);
        }
    }
    size_t n = (size_t)M->n * (out->diagonal ? 1 : 6);
    out->nparts = out->diagonal ? 1 : M->nparts;
    out->part = zw_alloc(c, (size_t)out->nparts, sizeof *out->part, "the mass metric");
    out->m = zw_alloc(c, n, sizeof(double), "the mass metric");
    out->inverse = zw_alloc(c, n, sizeof(double), "the mass metric");
    if (out->part == NULL || out->m == NULL || out->inverse == NULL) {
        zw_mass_destroy(out);
        return ZW_E_MEMORY;
    }
    fill(M, out);
    return ZW_OK;
}

void zw_mass_destroy(zw_mass *m) {
    if (m->context != NULL) {
        zw_free(m->context, m->part);
        zw_free(m->context, m->m);
        zw_free(m->context, m->inverse);
    }
    *m = (zw_mass){0};
}

static void apply(const zw_mass *m, const double *restrict a, const double *restrict v, double *restrict out) {
    for (int k = 0; k < m->nparts; k++) {
        const zw_mass_part *p = &m->part[k];
        for (int i = 0; p->diagonal && i < p->n; i++) {
            out[p->v0 + i] = a[p->at + (size_t)i] * v[p->v0 + i];
        }
        for (int i = 0; !p->diagonal && i < p->n; i += 6) {
            zw_m6_mulv(out + p->v0 + i, a + p->at + 6 * (size_t)i, v + p->v0 + i);
        }
    }
}

void zw_mass_multiply(const zw_mass *m, const double *v, double *p) {
    apply(m, m->m, v, p);
}

void zw_mass_solve(const zw_mass *m, const double *p, double *v) {
    apply(m, m->inverse, p, v);
}

void zw_mass_kick(const zw_mass *m, const double *v, double h, const double *f, double *out) {
    for (int k = 0; k < m->nparts; k++) {
        const zw_mass_part *p = &m->part[k];
        const double       *inverse = m->inverse + p->at;
        for (int i = 0; p->diagonal && i < p->n; i++) {
            out[p->v0 + i] = v[p->v0 + i] + h * inverse[i] * f[p->v0 + i];
        }
        for (int i = 0; !p->diagonal && i < p->n; i += 6) {
            double a[6];
            zw_m6_mulv(a, inverse + 6 * (size_t)i, f + p->v0 + i);
            for (int n = 0; n < 6; n++) {
                out[p->v0 + i + n] = v[p->v0 + i + n] + h * a[n];
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * mass.c: diagonal metrics as one array; block diagonal ones as 6x6 blocks with their inverses, made once. */
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

zw_status zw_mass_create(zw_system *y, const zw_state *x, zw_mass *out) {
    zw_context      *c = zw_system_context(y);
    const zw_metric *M = zw_system_mass(y, x);
    *out = (zw_mass){.context = c, .n = M->n, .diagonal = true};
    for (int i = 0; i < M->nparts; i++) {
        out->diagonal = out->diagonal && M->part[i].kind == ZW_DIAGONAL;
        if (!block_diagonal(&M->part[i])) {
            return zw_raise(c, ZW_E_UNSUPPORTED, "run.integrator", "use an implicit integrator", "the mass of part %d couples its blocks",
                            i + 1);
        }
    }
    size_t n = (size_t)M->n * (out->diagonal ? 1 : 6);
    out->m = zw_alloc(c, n, sizeof(double), "the mass metric");
    out->inverse = zw_alloc(c, n, sizeof(double), "the mass metric");
    if (out->m == NULL || out->inverse == NULL) {
        zw_mass_destroy(out);
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < M->nparts; i++) {
        const zw_matrix *a = &M->part[i];
        int              v0 = M->v0[i];
        if (out->diagonal) {
            for (int k = 0; k < a->n; k++) {
                out->m[v0 + k] = a->a[k];
                out->inverse[v0 + k] = 1.0 / a->a[k];
            }
            continue;
        }
        for (int block = 0; block < a->n / 6; block++) {
            double *m = out->m + 6 * (size_t)(v0 + 6 * block), lu[36];
            int     pivot[6];
            for (int k = 0; k < 36; k++) {
                m[k] = a->kind == ZW_DIAGONAL ? (k % 7 == 0 ? a->a[6 * block + k / 7] : 0.0) : a->a[36 * (size_t)block + (size_t)k];
            }
            memcpy(lu, m, sizeof lu);
            zw_lu_factor(6, lu, pivot);
            zw_lu_inverse(6, lu, pivot, out->inverse + 6 * (size_t)(v0 + 6 * block));
        }
    }
    return ZW_OK;
}

void zw_mass_destroy(zw_mass *m) {
    if (m->context != NULL) {
        zw_free(m->context, m->m);
        zw_free(m->context, m->inverse);
    }
    *m = (zw_mass){0};
}

static void apply(bool diagonal, int n, const double *restrict a, const double *restrict v, double *restrict out) {
    if (diagonal) {
        for (int i = 0; i < n; i++) {
            out[i] = a[i] * v[i];
        }
        return;
    }
    for (int i = 0; i < n; i += 6) {
        zw_m6_mulv(out + i, a + 6 * (size_t)i, v + i);
    }
}

void zw_mass_multiply(const zw_mass *m, const double *v, double *p) {
    apply(m->diagonal, m->n, m->m, v, p);
}

void zw_mass_solve(const zw_mass *m, const double *p, double *v) {
    apply(m->diagonal, m->n, m->inverse, p, v);
}

void zw_mass_kick(const zw_mass *m, const double *v, double h, const double *f, double *out) {
    if (m->diagonal) {
        const double *inverse = m->inverse;
        for (int i = 0; i < m->n; i++) {
            out[i] = v[i] + h * inverse[i] * f[i];
        }
        return;
    }
    for (int i = 0; i < m->n; i += 6) {
        double a[6];
        zw_m6_mulv(a, m->inverse + 6 * (size_t)i, f + i);
        for (int k = 0; k < 6; k++) {
            out[i + k] = v[i + k] + h * a[k];
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * gauss_rank.c: rows that lose their meaning within a step. Where the gradient of a row by the velocities vanishes (Appell-Hamel at vz = 0), or rows become
 * dependent, the constraint does not determine the motion beyond: the engine stops there and says so. A step lands beside such a point, never on it, so it is
 * seen from both sides: det(A0 W A1'), W = 1/diag(M), is positive for x1 near x0 and changes sign where A1 loses rank. It also does where the rows have turned by
 * a right angle; so the place of the change is found by bisection of the step, and counts only if the rows really vanish or become dependent there. */
#include "steps/gauss.h"

#include "base/number.h"
#include "math/dense.h"
#include "model/model.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

zw_status zw_collocation_vanishes(zw_collocation *k, const zw_state *x, int row) {
    char subject[128], state[240];
    zw_system_row_name(k->y, row, subject, sizeof subject);
    zw_system_row_state(k->y, row, x, state, sizeof state);
    zw_status status = zw_raise(
        k->c, ZW_E_RANK, subject,
        "end the run before this time, start elsewhere, or write the constraint so that it keeps its meaning here",
        "its gradient by the velocities vanishes, or depends on the other rows, and it does not determine the motion beyond %s", state);
    zw_system_row_where(k->y, row, zw_error_last(k->c));
    return status;
}

static void spread_rows(const zw_collocation *k, const zw_rows *A, double *out) {
    int nv = k->n.nv;
    memset(out, 0, sizeof(double) * (size_t)k->m * (size_t)nv);
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int j = tile->block0; j < tile->block0 + tile->nblocks; j++) {
            const zw_block *b = &A->block[j];
            for (int i = 0; i < tile->m; i++) {
                for (int l = 0; l < b->ncol; l++) {
                    out[(ptrdiff_t)(tile->row + i) * nv + b->col0 + l] += A->a[b->a + (ptrdiff_t)i * b->ncol + l];
                }
            }
        }
    }
}

static bool is_kept(const zw_collocation *k, const zw_state *x) {
    return k->has_kept && k->kept.t == x->t && memcmp(k->kept.v, x->v, sizeof(double) * (size_t)k->n.nv) == 0 &&
           memcmp(k->kept.q, x->q, sizeof(double) * (size_t)k->n.nq) == 0;
}

/* dense rows at x; those at the end of the last step are known from closing it (before the last correction of v, which is nothing to their sign) */
static zw_status rows_at(zw_collocation *k, const zw_state *x, double *out) {
    const zw_rows *A;
    if (is_kept(k, x)) {
        memcpy(out, k->row_kept, sizeof(double) * (size_t)k->m * (size_t)k->n.nv);
        return ZW_OK;
    }
    ZW_TRY(zw_system_rows(k->y, x, &A));
    spread_rows(k, A, out);
    return ZW_OK;
}

void zw_collocation_watch_keep(zw_collocation *k, const zw_state *x, const zw_rows *A) {
    if (k->watch) {
        spread_rows(k, A, k->row_kept);
        k->kept.t = x->t;
        memcpy(k->kept.v, x->v, sizeof(double) * (size_t)k->n.nv);
        memcpy(k->kept.q, x->q, sizeof(double) * (size_t)k->n.nq);
        k->has_kept = true;
    }
}

void zw_collocation_weights(zw_collocation *k, const zw_state *x, double *weight) {
    const zw_metric *M = zw_system_mass(k->y, x);
    for (int p = 0; p < M->nparts; p++) {
        const zw_matrix *a = &M->part[p];
        for (int i = 0; i < a->n; i++) {
            double mass = a->kind == ZW_DIAGONAL ? a->a[i] : 0.0;
            for (int q = a->kind == ZW_DIAGONAL ? 0 : a->start[i / a->block]; a->kind != ZW_DIAGONAL && q < a->start[i / a->block + 1];
                 q++) {
                if (a->col[q] == i / a->block) {
                    mass = a->a[(ptrdiff_t)q * a->block * a->block + (ptrdiff_t)(i % a->block) * (a->block + 1)];
                }
            }
            weight[M->v0[p] + i] = mass > 0.0 ? 1.0 / mass : 0.0;
        }
    }
}

/* sign of det(A0 W A1') over the rows that were independent at the start */
static int sign_of(const zw_collocation *k, const double *a0, const double *a1) {
    enum { MOST = 64 };
    int    nv = k->n.nv, n = 0, list[MOST], pivot[MOST];
    double g[MOST * MOST];
    for (int i = 0; i < k->m && n < MOST; i++) {
        if (!k->known[i]) {
            list[n++] = i;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int l = 0; l < nv; l++) {
                sum += a0[(ptrdiff_t)list[i] * nv + l] * a1[(ptrdiff_t)list[j] * nv + l] * k->row_weight[l];
            }
            g[i * n + j] = sum;
        }
    }
    if (n == 1) {
        return g[0] > 0.0 ? 1 : -1;
    }
    if (n == 2) {
        return g[0] * g[3] > g[1] * g[2] ? 1 : -1;
    }
    if (n == 0) {
        return 1;
    }
    return zw_lu_factor(n, g, pivot) >= 0 ? -1 : zw_lu_det_sign(n, g, pivot);
}

/* how much is left of the independent rows a1, whose lengths were those of a0: the least of the relative lengths and of the angles to the rows before; the row */
static double left_of(zw_collocation *k, const double *a0, double *a1, int *row) {
    int    nv = k->n.nv;
    double least = INFINITY;
    for (int i = 0; i < k->m; i++) {
        if (k->known[i]) {
            continue;
        }
        double *a = a1 + (ptrdiff_t)i * nv, old = 0.0, length = 0.0, rest = 0.0;
        for (int l = 0; l < nv; l++) {
            old += a0[(ptrdiff_t)i * nv + l] * a0[(ptrdiff_t)i * nv + l] * k->row_weight[l];
            length += a[l] * a[l] * k->row_weight[l];
        }
        for (int j = 0; j < i; j++) { /* Gram-Schmidt: the rows before are orthonormal by now */
            const double *b = a1 + (ptrdiff_t)j * nv;
            double        t = 0.0;
            for (int l = 0; l < nv && !k->known[j]; l++) {
                t += a[l] * b[l] * k->row_weight[l];
            }
            for (int l = 0; l < nv && !k->known[j]; l++) {
                a[l] -= t * b[l];
            }
        }
        for (int l = 0; l < nv; l++) {
            rest += a[l] * a[l] * k->row_weight[l];
        }
        double left = fmin(sqrt(length / old), length > 0.0 ? sqrt(rest / length) : 0.0);
        if (!(left >= least)) {
            least = left;
            *row = i;
        }
        for (int l = 0; l < nv; l++) {
            a[l] = rest > 0.0 ? a[l] / sqrt(rest) : 0.0;
        }
    }
    return least;
}

zw_status zw_collocation_watch_from(zw_collocation *k, const zw_state *x0) {
    if (!k->watch) {
        return ZW_OK;
    }
    if (!k->has_kept) { /* any weights do, as long as they are positive: those of the first mass stay */
        zw_collocation_weights(k, x0, k->row_weight);
    }
    return rows_at(k, x0, k->row0);
}

zw_status zw_collocation_watch(zw_collocation *k, const zw_state *x0, double h, const zw_state *x1) {
    enum { HALVINGS = 40 };
    if (!k->watch) {
        return ZW_OK;
    }
    ZW_TRY(rows_at(k, x1, k->row1));
    if (sign_of(k, k->row0, k->row1) > 0) {
        return ZW_OK;
    }
    double    low = 0.0, high = 1.0, least = INFINITY;
    int       row = 0;
    zw_state *x = &k->middle;
    for (int i = 0; i < HALVINGS; i++) { /* the state at the change is reached by a step, not by interpolation */
        double    theta = 0.5 * (low + high);
        zw_status status = zw_collocation_step(k, x0, theta * h, NULL, x);
        if (status != ZW_OK) {
            return zw_collocation_watch_failed(k, x0, theta * h, status);
        }
        ZW_TRY(rows_at(k, x, k->row1));
        bool before = sign_of(k, k->row0, k->row1) > 0;
        low = before ? theta : low;
        high = before ? high : theta;
        double left = left_of(k, k->row0, k->row1, &row);
        least = left;
        if (left > 0.1 && high - low < 1e-4) { /* turned by a right angle: that is a motion, if a fast one */
            return ZW_OK;
        }
    }
    return least < 1e-4 ? zw_collocation_vanishes(k, x, row) : ZW_OK;
}

/* The stages near a vanishing row may not converge at all. Then the step is gone in smaller ones as far as they reach: if the rows fade away on the way, that is
 * the reason */
zw_status zw_collocation_watch_failed(zw_collocation *k, const zw_state *x0, double h, zw_status status) {
    enum { TRIES = 120 };
    if (!k->watch || status != ZW_E_CONVERGENCE) {
        return status;
    }
    zw_state *x = &k->middle, *next = &k->whole;
    double    part = 0.5 * h;
    int       row = 0;
    zw_size   n = k->n;
    n.nw = k->nw;
    zw_state_copy(&n, x0, x);
    for (int i = 0; i < TRIES && fabs(part) > 1e-9 * fabs(h); i++) {
        zw_error_clear(k->c);
        zw_status tried = zw_collocation_step(k, x, part, NULL, next);
        if (tried == ZW_OK) {
            ZW_TRY(rows_at(k, next, k->row1));
        }
        if (tried == ZW_OK && sign_of(k, k->row0, k->row1) > 0) {
            zw_state *swap = x;
            x = next;
            next = swap;
        } else {
            part *= 0.5;
        }
        if (fabs(x->t - x0->t) >= fabs(h)) {
            break;
        }
    }
    zw_error_clear(k->c);
    ZW_TRY(rows_at(k, x, k->row1));
    if (left_of(k, k->row0, k->row1, &row) < 1e-3) {
        return zw_collocation_vanishes(k, x, row);
    }
    return zw_collocation_step(k, x0, h, NULL, x); /* fails again, and says why */
}

/* SPDX-License-Identifier: Apache-2.0
 * equilibrium.c: Newton with limited steps, and a homotopy where it fails. See equilibrium.h. */
#include "analysis/equilibrium.h"

#include "base/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 60, PIECES = 400 };
#define MOST_TURN 0.35 /* rad that a node may turn in one Newton step */

typedef struct search {
    zw_implicit         *k;
    double              *start; /* [nz] forces left at the start; NULL until they are known */
    double               tau;
    double               reach; /* size of the model, m */
    zw_equilibrium_info *info;
} search;

static double reach_of(const zw_implicit *k, const zw_state *x) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, size = 0.0;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        if (b->part < 0 || k->y->part[b->part].ops->secant == NULL) {
            continue;
        }
        zw_secant_node n;
        zw_state       part = zw_implicit_slice(k, b->part, x);
        k->y->part[b->part].ops->secant->node(k->y->part[b->part].self, &part, b->index, &n);
        for (int j = 0; j < 3; j++) {
            low[j] = fmin(low[j], n.x[j]);
            high[j] = fmax(high[j], n.x[j]);
        }
    }
    for (int j = 0; j < 3; j++) {
        size = fmax(size, high[j] - low[j]);
    }
    return size > 0.0 && isfinite(size) ? size : 1.0;
}

/* how much of a Newton step may be taken */
static double allowed(const search *s, const double *dz) {
    const zw_implicit *k = s->k;
    double             part = 1.0;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        bool                     turns = b->part >= 0 && k->y->part[b->part].ops->secant != NULL;
        for (int c = 0; c < b->ncol; c++) {
            double size = fabs(dz[b->z0 + c]), most = turns && c < (b->ncol == 3 ? 1 : 3) ? MOST_TURN : turns ? 0.5 * s->reach : 0.5;
            if (size * part > most) {
                part = most / size;
            }
        }
    }
    return part;
}

static void move(zw_implicit *k, const double *dz, double part, zw_state *x) {
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol; c++) {
            k->u[b->col0 + c] = part * dz[b->z0 + c];
        }
        for (int c = b->ncol; c < b->ncol + b->nrows; c++) {
            k->z[b->z0 + c] += dz[b->z0 + c]; /* forces follow at once */
        }
    }
    zw_state_copy(&k->n, x, &k->near);
    for (int i = 0; i < k->y->nparts; i++) {
        const zw_part *p = &k->y->part[i];
        zw_state       from = zw_implicit_slice(k, i, &k->near), to = zw_implicit_slice(k, i, x);
        if (p->ops->secant != NULL) {
            p->ops->secant->advance(p->self, &from, k->u + p->v0, 1.0, &to);
        } else {
            for (int j = 0, n = p->ops->size(p->self).nv; j < n; j++) {
                to.q[j] += k->u[p->v0 + j];
            }
        }
    }
    memset(x->v, 0, sizeof(double) * (size_t)k->n.nv);
}

static void residuals(search *s) {
    const zw_implicit *k = s->k;
    double             left = 0.0, rows = 0.0, size = 0.0;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol; c++) {
            left = fmax(left, fabs(k->r[b->z0 + c]));
            size = fmax(size, k->size[b->col0 + c]);
        }
        for (int c = b->ncol; c < b->ncol + b->nrows; c++) {
            rows = fmax(rows, fabs(k->r[b->z0 + c]));
        }
    }
    s->info->residual = size > 0.0 ? left / size : left;
    s->info->rows = rows;
}

/* Newton at one tau; ZW_E_STEP, not raised: it does not converge */
static zw_status newton(search *s, zw_state *x) {
    zw_implicit *k = s->k;
    double       last = HUGE_VAL;
    for (int round = 0; round < ROUNDS; round++) {
        ZW_TRY(zw_implicit_equilibrium(k, x, true));
        s->info->rounds++;
        for (int i = 0; i < k->nz; i++) {
            k->dz[i] = -(k->r[i] - (s->start != NULL ? (1.0 - s->tau) * s->start[i] : 0.0));
        }
        if (zw_blocklu_factor(&k->lu) >= 0) {
            return ZW_E_STEP;
        }
        zw_blocklu_solve(&k->lu, k->dz);
        double part = allowed(s, k->dz), change = 0.0;
        for (int i = 0; i < k->nblocks; i++) {
            const zw_implicit_block *b = &k->block[i];
            bool                     turns = b->part >= 0 && k->y->part[b->part].ops->secant != NULL;
            for (int c = 0; c < b->ncol; c++) {
                double size = fabs(k->dz[b->z0 + c]) / (turns && c >= (b->ncol == 3 ? 1 : 3) ? s->reach : 1.0);
                change = size > change || isnan(size) ? size : change;
            }
        }
        if (!isfinite(change)) {
            return ZW_E_STEP;
        }
        move(k, k->dz, part, x);
        if (part == 1.0 && (change <= 1e-14 || (change <= 1e-9 && change >= 0.3 * last))) {
            ZW_TRY(zw_implicit_equilibrium(k, x, false));
            residuals(s);
            return ZW_OK;
        }
        last = part == 1.0 ? change : HUGE_VAL;
    }
    return ZW_E_STEP;
}

static zw_status not_found(search *s) {
    char tau[ZW_NUMBER_TEXT];
    return zw_raise(
        s->k->c, ZW_E_CONVERGENCE, "statics",
        "see whether the model is held (a floating body has no equilibrium), start nearer to the equilibrium, or follow a path: statics: {vary: ...}",
        "no equilibrium was found: Newton's method stops at %s of the way from the start shape", zw_number_short(s->tau, 3, tau));
}

zw_status zw_equilibrium_find(zw_implicit *k, zw_state *x, double *lambda, zw_equilibrium_info *info) {
    zw_status status = ZW_OK;
    size_t    nz = (size_t)k->nz;
    *info = (zw_equilibrium_info){.pieces = 1};
    double *work = zw_alloc(k->c, 2 * nz + 1, sizeof *work, "an equilibrium");
    if (work == NULL) {
        return ZW_E_MEMORY;
    }
    search   s = {.k = k, .tau = 1.0, .info = info};
    double  *kept = work + nz;
    zw_state from = {0}, good = {0};
    ZW_TRY_GOTO(zw_state_create(k->c, &k->n, &from), done);
    ZW_TRY_GOTO(zw_state_create(k->c, &k->n, &good), done);
    memset(x->v, 0, sizeof(double) * (size_t)k->n.nv);
    zw_state_copy(&k->n, x, &from);
    s.reach = reach_of(k, x);
    memset(k->z, 0, nz * sizeof(double));
    for (int i = 0; i < k->nties; i++) {
        const zw_tie *t = &k->tie[i];
        memcpy(k->z + k->block[t->home].z0 + k->block[t->home].ncol + t->at, lambda + t->row0, sizeof(double) * (size_t)t->m);
    }
    memcpy(kept, k->z, nz * sizeof(double));
    status = newton(&s, x);
    if (status == ZW_E_STEP) { /* piece by piece */
        double step = 0.1, tau = 0.0;
        zw_state_copy(&k->n, &from, x);
        memcpy(k->z, kept, nz * sizeof(double));
        ZW_TRY_GOTO(zw_implicit_equilibrium(k, x, false), done);
        memcpy(work, k->r, nz * sizeof(double));
        s.start = work;
        zw_state_copy(&k->n, x, &good);
        for (info->pieces = 0; tau < 1.0 && info->pieces < PIECES; info->pieces++) {
            s.tau = fmin(1.0, tau + step);
            status = newton(&s, x);
            if (status == ZW_OK) {
                tau = s.tau;
                zw_state_copy(&k->n, x, &good);
                memcpy(kept, k->z, nz * sizeof(double));
                step = fmin(0.5, 1.5 * step);
            } else if (status == ZW_E_STEP && step > 1e-5) {
                zw_state_copy(&k->n, &good, x);
                memcpy(k->z, kept, nz * sizeof(double));
                step *= 0.25;
            } else {
                break;
            }
        }
        s.tau = tau;
        status = status == ZW_E_STEP || (status == ZW_OK && tau < 1.0) ? not_found(&s) : status;
    }
    for (int i = 0; i < k->nties && status == ZW_OK; i++) {
        const zw_tie *t = &k->tie[i];
        memcpy(lambda + t->row0, k->z + k->block[t->home].z0 + k->block[t->home].ncol + t->at, sizeof(double) * (size_t)t->m);
    }
done:
    zw_state_destroy(k->c, &from);
    zw_state_destroy(k->c, &good);
    zw_free(k->c, work);
    return status;
}

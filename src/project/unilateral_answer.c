/* SPDX-License-Identifier: Apache-2.0
 * unilateral_answer.c: x and the multipliers of least norm of a set, by one sparse factor in the columns.
 *
 * With G the rows of A and of the set, S = G H^-1 G', x = xfree + H^-1 G'y, r = rhs - G x, and K = H + G'G/e (e the ridge) one round is
 *     K z = G'r/e,   d = (r - G z)/e = (S + e)^-1 r;       K v = G'd/e,   y += G v
 * The second half takes d into the range of G, where the multipliers of least norm lie: round-off of r leaves eps/e in d that no force shows. Each round
 * leaves e/s + eps/(e s) of the error, s being the least nonzero eigenvalue of S relative to its largest entry; with e = 1e-8 two or three rounds do.
 * The first round also shows the multipliers d of the problem with the ridge, rows outside the set included: their signs tell whether this is its set.
 * Among all rows of gap 0 these multipliers are those of least norm if, and the proof is that, y = G w with G w <= 0 on the rows outside the set: then
 * y = max(0, G w) on all of them, which are the conditions of   min |y|^2,  G'y given,  y >= 0 on N. w = H^-1 G'q with S q = y, by rounds as above.
 * Where the ridge stays (u->stays) the answer is that of the problem with the ridge, e y being the gap: no second half, and r - e y instead of r.
 * All is a function of the rows, the right sides and the set: nothing remembers earlier solves but the factor, of the same K. */
#include "project/unilateral_search.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 24 };

static bool on(const zw_unilateral *u, const unsigned char *set, int k) {
    return k < u->ma || set[k - u->ma];
}

zw_status zw_unilateral_analyse(zw_unilateral *u) {
    if (!u->primal_ready) {
        ZW_TRY(zw_primal_analyse(&u->primal, u->H, &u->rows));
        u->primal_ready = true;
        u->factored = 0.0;
    }
    return ZW_OK;
}

zw_status zw_unilateral_factor(zw_unilateral *u, const unsigned char *set, double ridge) {
    ZW_TRY(zw_unilateral_analyse(u));
    if (u->factored == ridge && (u->mi == 0 || memcmp(u->factored_set, set, (size_t)u->mi) == 0)) {
        return ZW_OK;
    }
    double *d = u->wm[5];
    for (int k = 0; k < u->m; k++) {
        d[k] = on(u, set, k) ? 1.0 / ridge : 0.0;
    }
    u->factored = 0.0;
    if (!zw_primal_factor(&u->primal, u->H, &u->rows, u->value, 1.0, d)) {
        return zw_raise(u->context, ZW_E_DIVERGED, "contacts", "look at the state that the rows were made from",
                        "the rows or the metric are not finite, or masses differ too much");
    }
    u->factored = ridge;
    memmove(u->factored_set, set, (size_t)u->mi);
    return ZW_OK;
}

zw_status zw_unilateral_rank(zw_unilateral *u, const unsigned char *set, int *rank, double *condition) {
    double *d = u->wm[5];
    for (int k = 0; k < u->m; k++) {
        d[k] = on(u, set, k) ? 1.0 / u->weight[k] : 0.0;
    }
    return zw_primal_rank(&u->primal, u->H, &u->rows, u->value, d, rank, condition);
}

/* z <- K^-1 G'v/e */
static void pull_back(zw_unilateral *u, double ridge, const double *v, double *z) {
    zw_unilateral_transposed(u, v, z);
    for (int j = 0; j < u->n; j++) {
        z[j] /= ridge;
    }
    zw_primal_solve(&u->primal, z);
}

/* x = xfree + H^-1 G'y */
static void move(zw_unilateral *u, double *z) {
    zw_unilateral_transposed(u, u->now.y, z);
    zw_unilateral_inverse(u, z, u->now.x);
    for (int j = 0; j < u->n; j++) {
        u->now.x[j] += u->xfree[j];
    }
}

/* r = rhs - G x on the set, less e y where the ridge stays; returns the largest relative to the scale of its row */
static double remainder_of(zw_unilateral *u, bool stays, double *rows, double *r) {
    double off = 0.0;
    zw_unilateral_apply(u, u->now.x, rows);
    for (int k = 0; k < u->m; k++) {
        r[k] = on(u, u->now.set, k) ? u->rhs[k] - rows[k] - (stays ? u->ridge * u->now.y[k] : 0.0) : 0.0;
        off = fmax(off, fabs(r[k]) / u->scale[k]);
    }
    return off;
}

/* r <- d = (r - G z)/e with K z = G'r/e */
static void turn(zw_unilateral *u, double *r, double *z, double *rows) {
    pull_back(u, u->ridge, r, z);
    zw_unilateral_apply(u, z, rows);
    for (int k = 0; k < u->m; k++) {
        r[k] = on(u, u->now.set, k) ? (r[k] - rows[k]) / u->ridge : 0.0;
    }
}

zw_status zw_unilateral_answer(zw_unilateral *u, bool *done) {
    zw_answer *a = &u->now;
    double    *r = u->wm[4], *rows = u->wm[6], *z = u->wn[4], before = INFINITY;
    int        slow = 0;
    *done = true;
    memcpy(a->x, u->xfree, (size_t)u->n * sizeof *a->x);
    memset(a->y, 0, (size_t)u->m * sizeof *a->y);
    ZW_TRY(zw_unilateral_factor(u, a->set, u->ridge));
    for (int round = 0; round < ROUNDS; round++) {
        double change = 0.0;
        if (round < 2) {
            zw_unilateral_scales(u);
        }
        double off = remainder_of(u, u->stays, rows, r);
        if ((off <= 1e-15 && round > 0) || (u->stays && off > 0.3 * before)) {
            break;
        }
        for (int k = 0; k < u->m && round == 0; k++) {
            u->soft[k] = u->rhs[k] - rows[k];
        }
        turn(u, r, z, rows);
        for (int k = 0; k < u->m && round == 0; k++) { /* of all rows: see zw_unilateral_canonical */
            u->soft[k] = (u->soft[k] - rows[k]) / u->ridge;
        }
        if (!u->stays) {
            pull_back(u, u->ridge, r, z);
            zw_unilateral_apply(u, z, r);
        }
        for (int k = 0; k < u->m; k++) {
            double step = on(u, a->set, k) ? r[k] : 0.0;
            a->y[k] += step;
            change = fmax(change, fabs(step) * u->weight[k] / u->scale[k]);
        }
        move(u, z);
        if (!isfinite(change)) {
            break; /* the judge says which row */
        }
        if (u->stays) {
            before = off;
            continue;
        }
        if (change <= 1e-15 || (change <= 1e-13 && change > 0.1 * before)) {
            break;
        }
        slow += round > 0 && change > 0.5 * before;
        if (slow > 3) { /* rows are nearly redundant */
            *done = off <= 1e-11;
            break;
        }
        before = change;
    }
    return ZW_OK;
}

bool zw_unilateral_canonical(const zw_unilateral *u) {
    double top = 0.0;
    for (int k = 0; k < u->m; k++) {
        top = fmax(top, on(u, u->now.set, k) ? fabs(u->soft[k]) * sqrt(u->weight[k]) : 0.0);
    }
    for (int k = u->ma; k < u->m; k++) {
        double y = u->soft[k], noise = fmax(1e-7 * top / sqrt(u->weight[k]), 4e-15 * u->scale[k] / u->ridge);
        if (u->now.set[k - u->ma] ? y < -noise : y > noise) {
            return false;
        }
    }
    return true;
}

zw_status zw_unilateral_pull(zw_unilateral *u, const zw_answer *a, double *pull) {
    double *q = u->wm[4], *r = u->wm[6], *z = u->wn[4], *w = u->wn[5], ridge = u->ridge, top = 0.0, before = INFINITY;
    ZW_TRY(zw_unilateral_factor(u, a->set, ridge));
    for (int k = 0; k < u->m; k++) {
        q[k] = 0.0;
        r[k] = a->y[k];
        top = fmax(top, fabs(a->y[k]));
    }
    for (int round = 0; round < ROUNDS; round++) {
        double off = 0.0;
        pull_back(u, ridge, r, z);
        zw_unilateral_apply(u, z, pull);
        for (int k = 0; k < u->m; k++) {
            q[k] += on(u, a->set, k) ? (r[k] - pull[k]) / ridge : 0.0;
        }
        zw_unilateral_transposed(u, q, z);
        zw_unilateral_inverse(u, z, w);
        zw_unilateral_apply(u, w, pull);
        for (int k = 0; k < u->m; k++) {
            r[k] = on(u, a->set, k) ? a->y[k] - pull[k] : 0.0;
            off = fmax(off, fabs(r[k]));
        }
        if (!(off > 1e-13 * top) || off > 0.5 * before) {
            break;
        }
        before = off;
    }
    return ZW_OK;
}

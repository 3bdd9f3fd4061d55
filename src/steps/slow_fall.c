/* SPDX-License-Identifier: Apache-2.0
 * slow_fall.c: from a state that is not a stable equilibrium downhill to one that is, with time and loads as they are. The motion is overdamped, in the measure of steps W of
 * rest.h (turns and ways alike), by implicit Euler steps of length 1/sigma, each by Newton's method:
 *
 *   R(x1, lambda) + sigma W (x1 - x0) = 0,   g(x1) = 0
 * A step is taken only where K + sigma W is positive on what the rows leave free, so that it leads downhill and away from what is unstable; where that is not so, or Newton does not
 * contract, sigma is made larger. Newton's method without sigma is tried on the way, and ends it where it finds a stable equilibrium. */
#include "steps/slow.h"

#include "steps/neutral.h"

#include <math.h>
#include <string.h>

#define LEAST 1e-10 /* of the largest stiffness */

enum { STEPS = 4000, SHIFTS = 200, ROUNDS = 30 };

/* look and factor at x with a shift; false: singular or failed, *status says which */
static bool shifted(zw_slow *e, const zw_state *x, double sigma, int *below, zw_status *status) {
    e->rest.sigma = sigma;
    *status = zw_rest_look(&e->rest, x, true);
    bool ok = *status == ZW_OK && zw_rest_factor(&e->rest, below);
    e->rest.sigma = 0.0;
    return ok;
}

bool zw_slow_unstable(zw_slow *e, const zw_state *x, int below) {
    zw_rest  *s = &e->rest;
    zw_status status;
    int       now = below;
    memset(s->phi, 0, sizeof(double) * (size_t)s->nz);
    double low = 0.0, high = fabs(zw_neutral_mode(s, 6, s->phi)); /* with the factor at hand */
    if (!isfinite(high) || high == 0.0) {
        high = 1e-12 * s->stiff;
    }
    for (int i = 0; i < SHIFTS; i++) { /* the least shift that makes all of it positive, within a tenth */
        bool ok = shifted(e, x, high, &now, &status);
        if (status != ZW_OK || !isfinite(high)) {
            return false;
        }
        if (ok && now <= 0) {
            break;
        }
        low = high;
        high *= 2.0;
    }
    for (int i = 0; i < 4 && low > 0.0; i++) {
        double mid = 0.5 * (low + high);
        bool   ok = shifted(e, x, mid, &now, &status);
        if (status != ZW_OK) {
            return false;
        }
        if (ok && now <= 0) {
            high = mid;
        } else {
            low = mid;
        }
    }
    if (!shifted(e, x, high, &now, &status)) {
        return false;
    }
    zw_neutral_modes(s, below > ZW_SLOW_MODES ? ZW_SLOW_MODES : below, 30, e->mode_shape);
    return true;
}

void zw_slow_disturb(zw_slow *e, double size, zw_state *x) {
    zw_implicit *k = &e->k;
    memset(k->dz, 0, sizeof(double) * (size_t)k->nz);
    for (int i = 0; i < k->nblocks; i++) { /* forces of the rows stay */
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol && b->part >= 0; c++) {
            k->dz[b->z0 + c] = size * e->mode_shape[b->z0 + c];
        }
    }
    zw_rest_move(&e->rest, k->dz, 1.0, x);
}

/* one step of length 1/sigma from x, which is kept in rest.good; rounds that it took, 0: it is too long, and x is as before; way: the longest of its rounds */
static zw_status euler(zw_slow *e, double sigma, zw_state *x, int *rounds, double *way) {
    enum { MOST = 8 };
    zw_rest     *s = &e->rest;
    zw_implicit *k = &e->k;
    size_t       bytes = sizeof(double) * (size_t)s->nz;
    double       total = 0.0, last = HUGE_VAL;
    *rounds = 0;
    zw_state_copy(&k->n, x, &s->good);
    memcpy(s->back, k->z, bytes);
    memset(s->left, 0, bytes); /* the way so far */
    for (int round = 1; round <= MOST; round++) {
        zw_status status;
        int       below = 0;
        bool      ok = shifted(e, x, sigma, &below, &status);
        ZW_TRY(status);
        for (int i = 0; i < k->nz; i++) {
            k->dz[i] = -k->r[i] - (i < s->nz ? sigma * s->weight[i] * s->left[i] : 0.0);
        }
        if (!ok || below > 0) {
            break;
        }
        zw_blocklu_solve(&k->lu, k->dz);
        double change = zw_rest_change(s, k->dz);
        if (!isfinite(change) || zw_rest_allowed(s, k->dz) < 1.0 || (round > 3 && change > last)) {
            break;
        }
        for (int i = 0; i < s->nz; i++) {
            s->left[i] += k->dz[i];
        }
        zw_rest_move(s, k->dz, 1.0, x);
        total = fmax(total, change);
        if (change <= fmax(1e-3 * total, 1e-13)) {
            *rounds = round;
            *way = total;
            return ZW_OK;
        }
        last = change;
    }
    zw_state_copy(&k->n, &s->good, x);
    memcpy(k->z, s->back, bytes);
    return ZW_OK;
}

/* Newton, if it ends at a stable equilibrium; ZW_E_STEP: not there yet, x and forces are as before */
static zw_status arrive(zw_slow *e, zw_state *x, zw_equilibrium_info *info) {
    zw_rest *s = &e->rest;
    size_t   bytes = sizeof(double) * (size_t)s->nz;
    bool     loaded, many;
    ZW_TRY(zw_neutral_hold(s, x, s->phi, &loaded, &many)); /* what is free already: Newton's method would wander along it */
    zw_state_copy(&e->k.n, x, &s->from);
    memcpy(s->z0, e->k.z, bytes);
    zw_status status = zw_equilibrium_beside(s, x, ROUNDS, info);
    if (status == ZW_E_STEP &&
        s->nholds ==
            0) { /* a direction that nothing resists, not held yet, lets Newton's steps follow rounding: with a stiffness far below all others */
        zw_state_copy(&e->k.n, &s->from, x);
        memcpy(e->k.z, s->z0, bytes);
        s->sigma = LEAST * s->elastic;
        status = zw_equilibrium_beside(s, x, ROUNDS, info);
        s->sigma = 0.0;
    }
    if (status == ZW_OK) {
        ZW_TRY(zw_slow_hold(e, x, info)); /* a shape that can turn freely has an eigenvalue of 0, of either sign as round-off has it */
        status = info->below > 0 ? ZW_E_STEP : ZW_OK;
    }
    if (status == ZW_E_STEP) {
        zw_state_copy(&e->k.n, &s->from, x);
        memcpy(e->k.z, s->z0, bytes);
    }
    return status;
}

zw_status zw_slow_fall(zw_slow *e, zw_state *x, double *work, zw_equilibrium_info *info) {
    zw_rest *s = &e->rest;
    double   sigma, tried = HUGE_VAL;
    *work = 0.0;
    ZW_TRY(zw_rest_look(s, x, true));
    sigma = 1e-9 * s->stiff;
    for (int step = 0; step < STEPS && isfinite(sigma); step++) {
        int    rounds;
        double way = HUGE_VAL;
        if (zw_context_cancelled(e->c)) {
            return zw_raise(e->c, ZW_E_CANCELLED, s->subject, NULL, "stopped while looking for an equilibrium");
        }
        ZW_TRY(euler(e, sigma, x, &rounds, &way));
        if (rounds == 0) {
            sigma *= 4.0;
            continue;
        }
        if (zw_system_loaded(e->y)) {
            zw_slow_way(e, &s->good, x, e->u);
            ZW_TRY(zw_slow_loads(e, &s->good, e->f));
            ZW_TRY(zw_slow_loads(e, x, e->g));
            for (int i = 0; i < e->k.n.nv; i++) {
                *work += 0.5 * (e->f[i] + e->g[i]) * e->u[i];
            }
        }
        sigma *= rounds < 4 ? 0.3 : rounds < 6 ? 0.7 : 1.0;
        if (sigma < 0.2 * tried || way < 1e-9) {
            tried = sigma;
            zw_status status = arrive(e, x, info);
            if (status != ZW_E_STEP) {
                return status;
            }
        }
    }
    return ZW_E_STEP;
}

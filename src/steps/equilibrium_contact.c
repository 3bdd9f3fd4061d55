/* SPDX-License-Identifier: Apache-2.0
 * equilibrium_contact.c: equilibria of bodies that meet.
 *
 * Who pushes is found in every Newton step for its linear equations (zw_implicit_contacts_settle). That is not enough from afar: a long step strains a stiff rod, and with these
 * strains, which the next step would take away, it lets go of what it lies on. So the way there is an overdamped motion in the measure of steps W of rest.h, by implicit Euler steps,
 *   R(x) + sigma W (x - good) = 0,    0 <= p _|_ g(x) >= 0
 * each by Newton's method, only where K + sigma W is positive on what rows and pushes leave free: downhill. sigma begins where nothing moves far and falls as long as steps
 * converge; Newton's method without sigma is tried on the way. */
#include "steps/equilibrium_contact.h"

#include "steps/implicit_contact.h"
#include "steps/neutral.h"

#include <math.h>
#include <string.h>

enum { STEPS = 300, ROUNDS = 8 };

bool zw_rest_solve(zw_rest *s, int *below) {
    zw_implicit *k = s->k;
    if (k->contacts == NULL || k->contacts->n == 0) {
        bool regular = zw_rest_factor(s, below);
        if (regular) {
            zw_blocklu_solve(&k->lu, k->dz);
        }
        return regular;
    }
    bool regular = zw_implicit_contacts_settle(k);
    *below = k->lu.below - s->m - (k->nz - s->nz);
    return regular;
}

zw_status zw_rest_check_start(const zw_rest *s, const zw_state *x) {
    return s->k->contacts != NULL ? zw_meet_check_start(s->k->contacts->set.meet, x) : ZW_OK;
}

static void back_to_good(zw_rest *s, zw_state *x) {
    zw_state_copy(&s->k->n, &s->good, x);
    memcpy(s->k->z, s->back, sizeof(double) * (size_t)s->nz);
}

/* one step from x; rounds that it took, 0: it is too long, and x is as before */
static zw_status euler(zw_rest *s, double sigma, zw_state *x, int *rounds, double *moved, zw_equilibrium_info *info) {
    zw_implicit *k = s->k;
    size_t       bytes = sizeof(double) * (size_t)s->nz;
    double       last = HUGE_VAL;
    zw_state_copy(&k->n, x, &s->good);
    memcpy(s->back, k->z, bytes);
    memset(s->left, 0, bytes); /* the way so far */
    *moved = 0.0;
    for (*rounds = 1; *rounds <= ROUNDS; (*rounds)++) {
        int below = 0;
        if (zw_context_cancelled(s->c)) {
            return zw_raise(s->c, ZW_E_CANCELLED, s->subject, NULL, "stopped while looking for an equilibrium");
        }
        s->sigma = sigma;
        zw_status status = zw_rest_look(s, x, true);
        s->sigma = 0.0;
        ZW_TRY(status);
        info->rounds++;
        for (int i = 0; i < k->nz; i++) {
            k->dz[i] = -k->r[i] - (i < s->nz ? sigma * s->weight[i] * s->left[i] : 0.0);
        }
        if (!zw_rest_solve(s, &below) || below > 0) {
            break;
        }
        double change = zw_rest_change(s, k->dz);
        if (!isfinite(change) || zw_rest_allowed(s, k->dz) < 1.0 || (*rounds > 2 && change > last)) {
            break;
        }
        for (int i = 0; i < s->nz; i++) {
            s->left[i] += k->dz[i];
        }
        zw_rest_move(s, k->dz, 1.0, x);
        *moved = fmax(*moved, change);
        if (change <= fmax(1e-3 * *moved, 1e-13)) {
            return ZW_OK;
        }
        last = change;
    }
    *rounds = 0;
    back_to_good(s, x);
    return ZW_OK;
}

zw_status zw_equilibrium_creep(zw_rest *s, zw_state *x, int rounds, zw_equilibrium_info *info) {
    zw_implicit        *k = s->k;
    size_t              bytes = sizeof(double) * (size_t)s->nz;
    double              force = 0.0, tried = HUGE_VAL;
    zw_equilibrium_info end;
    zw_state_copy(&k->n, &s->from, x);
    memcpy(k->z, s->z0, bytes);
    s->nholds = 0;
    s->soft = false;
    s->sigma = 0.0;
    ZW_TRY(zw_rest_look(s, x, false));
    for (int i = 0; i < s->nz; i++) {
        force += s->weight[i] > 0.0 ? k->r[i] * k->r[i] / s->weight[i] : 0.0;
    }
    double sigma = sqrt(force) / 0.05;
    for (int step = 0; step < STEPS && isfinite(sigma); step++) {
        int    took;
        double moved;
        bool   loaded, many;
        ZW_TRY(euler(s, sigma, x, &took, &moved, info));
        if (took == 0) {
            sigma = fmax(5.0 * sigma, 1e-12 * s->stiff);
            continue;
        }
        sigma *= took <= 3 ? 0.1 : took <= 5 ? 0.3 : 0.7;
        if (moved > 0.05 || !(sigma < 0.3 * tried)) {
            continue;
        }
        tried = sigma;
        zw_state_copy(&k->n, x, &s->good);
        memcpy(s->back, k->z, bytes);
        ZW_TRY(zw_neutral_hold(s, x, s->phi, &loaded, &many));
        zw_status status = loaded ? ZW_E_STEP : zw_equilibrium_near(s, x, rounds, &end);
        info->rounds += loaded ? 0 : end.rounds;
        if (status != ZW_E_STEP) {
            end.rounds = info->rounds;
            *info = end;
            return status;
        }
        s->nholds = 0;
        s->soft = false;
        back_to_good(s, x);
    }
    return ZW_E_STEP;
}

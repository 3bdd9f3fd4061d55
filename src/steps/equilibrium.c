/* SPDX-License-Identifier: Apache-2.0
 * equilibrium.c: Newton with limited steps, a homotopy where it fails, and a way downhill where that fails. See equilibrium.h. */
#include "steps/equilibrium_contact.h"

#include "steps/contradiction.h"
#include "steps/neutral.h"
#include "base/number.h"
#include "steps/implicit_contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 60, FEW = 12, PIECES = 400, FALL = 600 };
#define BESIDE 0.3 /* of the first step: how far from it the solution may be */

typedef struct search {
    zw_rest *s;
    double  *start; /* [nz] forces left at the start; NULL until they are known */
    double   tau;
    int      rounds; /* most */
    bool     whole;  /* steps are not limited: a longer one is a failure */
    bool
        close; /* all steps are less than 0.3 of the first, and from the fourth on half of the one before: the solution next to the start */
    double               foretold; /* size of the first step, where it was made before: in s->phi and s->left; 0: it was not */
    zw_equilibrium_info *info;
} search;

static void note(search *q) {
    int where;
    zw_rest_left(q->s, &q->info->residual, &q->info->rows, &where);
}

/* the first step, and the sum of all: in s->phi and s->left */
static void note_way(zw_rest *s, double part, bool first) {
    for (int i = 0; i < s->nz; i++) {
        s->phi[i] = first ? s->k->dz[i] : s->phi[i];
        s->left[i] = first ? s->k->dz[i] : s->left[i] + part * s->k->dz[i];
    }
}

/* is the solution where the first step foretold it? Else it is another one, beyond a singular stiffness */
static bool is_beside(const zw_rest *s) {
    double apart = 0.0, foretold = 0.0;
    for (int i = 0; i < s->nz; i++) {
        double d = s->left[i] - s->phi[i];
        apart += s->weight[i] * d * d;
        foretold += s->weight[i] * s->phi[i] * s->phi[i];
    }
    return apart <= BESIDE * BESIDE * foretold || apart <= 1e-14;
}

/* Newton at one tau; ZW_E_STEP, not raised: it does not converge */
static zw_status newton(search *q, zw_state *x) {
    zw_rest     *s = q->s;
    zw_implicit *k = s->k;
    double       last = HUGE_VAL, first = q->foretold > 0.0 ? q->foretold : HUGE_VAL;
    for (int round = 0; round < q->rounds; round++) {
        if (zw_context_cancelled(s->c)) {
            return zw_raise(s->c, ZW_E_CANCELLED, s->subject, NULL, "stopped while looking for an equilibrium");
        }
        ZW_TRY(zw_rest_look(s, x, true));
        q->info->rounds++;
        bool roundoff = q->tau == 1.0 && zw_rest_is_roundoff(s);
        for (int i = 0; i < k->nz; i++) {
            k->dz[i] = -(k->r[i] - (q->start != NULL && i < s->nz ? (1.0 - q->tau) * q->start[i] : 0.0));
        }
        if (!zw_rest_solve(s, &q->info->below)) {
            return ZW_E_STEP;
        }
        double part = zw_rest_allowed(s, k->dz), change = zw_rest_change(s, k->dz);
        first = round == 0 && q->foretold == 0.0 ? change : first;
        if (q->close && !roundoff && ((round == 0 && part < 1.0) || (!s->meets && change > fmax(10.0 * first, 1e-7)))) {
            return ZW_E_STEP;
        }
        if (!isfinite(change) || (q->whole && (part < 1.0 || (round > 1 && change > 2.0 * last && !s->meets)))) {
            return ZW_E_STEP;
        }
        bool stays = q->close && roundoff && round > 0 && change >= 0.3 * last && change > 1e-9 && !s->meets;
        if (stays) { /* only along what nothing resists: a step would lead off */
            part = 1.0;
            memset(k->dz, 0, sizeof(double) * (size_t)k->nz);
        }
        zw_rest_move(s, k->dz, part, x);
        if (q->close) {
            note_way(s, part, round == 0 && q->foretold == 0.0);
        }
        bool stalls = change >= 0.3 * last,
             again = q->close && round == 0 && s->m > 0; /* stability is that of the new forces of the rows */
        if (part == 1.0 && !again && (stays || change <= 1e-14 || (stalls && (change <= 1e-9 || (roundoff && change <= 1e-4))))) {
            int missed = 0;
            if (k->contacts != NULL) {
                ZW_TRY(zw_implicit_contacts_missed(k, x, &missed));
            }
            if (missed > 0 && s->margin < 0.5 * s->reach) { /* something was passed through */
                s->margin *= 2.0;
                last = HUGE_VAL;
                continue;
            }
            if (q->close && !s->meets && !is_beside(s)) {
                return ZW_E_STEP;
            }
            ZW_TRY(zw_rest_look(s, x, false));
            note(q);
            return ZW_OK;
        }
        last = part == 1.0 ? change : HUGE_VAL;
    }
    return ZW_E_STEP;
}

zw_status zw_equilibrium_near(zw_rest *s, zw_state *x, int rounds, zw_equilibrium_info *info) {
    search q = {.s = s, .tau = 1.0, .rounds = rounds, .whole = true, .info = info};
    *info = (zw_equilibrium_info){.pieces = 1, .holds = s->nholds};
    return newton(&q, x);
}

zw_status zw_equilibrium_beside(zw_rest *s, zw_state *x, int rounds, zw_equilibrium_info *info) {
    search q = {.s = s, .tau = 1.0, .rounds = rounds, .close = true, .info = info};
    *info = (zw_equilibrium_info){.pieces = 1, .holds = s->nholds};
    return newton(&q, x);
}

zw_status zw_equilibrium_beyond(zw_rest *s, zw_state *x, int rounds, zw_equilibrium_info *info) {
    search q = {.s = s, .tau = 1.0, .rounds = rounds, .close = true, .foretold = zw_rest_change(s, s->k->dz), .info = info};
    *info = (zw_equilibrium_info){.pieces = 1, .holds = s->nholds};
    note_way(s, 1.0, true);
    return newton(&q, x);
}

/* the forces that are left at the start, taken away piece by piece */
static zw_status piecewise(search *q, zw_state *x) {
    zw_rest     *s = q->s;
    zw_implicit *k = s->k;
    size_t       bytes = sizeof(double) * (size_t)s->nz;
    double       step = 0.1, tau = 0.0;
    zw_status    status = ZW_OK;
    zw_state_copy(&k->n, &s->from, x);
    memcpy(k->z, s->z0, bytes);
    ZW_TRY(zw_rest_look(s, x, false));
    memcpy(s->left, k->r, bytes);
    memcpy(s->back, s->z0, bytes);
    q->start = s->left;
    zw_state_copy(&k->n, x, &s->good);
    for (q->info->pieces = 0; tau < 1.0 && q->info->pieces < PIECES; q->info->pieces++) {
        q->tau = fmin(1.0, tau + step);
        status = newton(q, x);
        if (status == ZW_OK) {
            tau = q->tau;
            zw_state_copy(&k->n, x, &s->good);
            memcpy(s->back, k->z, bytes);
            step = fmin(0.5, 1.5 * step);
        } else if (status == ZW_E_STEP && step > 1e-5) {
            zw_state_copy(&k->n, &s->good, x);
            memcpy(k->z, s->back, bytes);
            step *= 0.25;
        } else {
            break;
        }
    }
    q->tau = tau;
    q->start = NULL;
    return status == ZW_OK && tau < 1.0 ? ZW_E_STEP : status;
}

/* downhill: K + sigma W is made positive on what the rows leave free */
static zw_status fall(search *q, zw_state *x) {
    zw_rest     *s = q->s;
    zw_implicit *k = s->k;
    size_t       bytes = sizeof(double) * (size_t)s->nz;
    double       force = 0.0;
    zw_status    status = ZW_OK;
    zw_state_copy(&k->n, &s->from, x);
    memcpy(k->z, s->z0, bytes);
    s->nholds = 0;
    s->soft = false;
    s->sigma = 0.0;
    q->tau = 1.0;
    ZW_TRY(zw_rest_look(s, x, false));
    for (int i = 0; i < s->nz; i++) {
        force += s->weight[i] > 0.0 ? k->r[i] * k->r[i] / s->weight[i] : 0.0;
    }
    double sigma = sqrt(force) / 0.1, tried = HUGE_VAL;
    for (int round = 0; round < FALL; round++) {
        int below = 0;
        if (zw_context_cancelled(s->c)) {
            return zw_raise(s->c, ZW_E_CANCELLED, s->subject, NULL, "stopped while looking for an equilibrium");
        }
        s->sigma = sigma;
        ZW_TRY(zw_rest_look(s, x, true));
        q->info->rounds++;
        for (int i = 0; i < k->nz; i++) {
            k->dz[i] = -k->r[i];
        }
        if (!zw_rest_solve(s, &below) || below > 0) {
            sigma = sigma > 0.0 ? 4.0 * sigma : 1e-6;
            if (!isfinite(sigma)) {
                break;
            }
            continue;
        }
        /* k->dz is solved for */
        double part = zw_rest_allowed(s, k->dz), change = zw_rest_change(s, k->dz);
        if (!isfinite(change)) {
            break;
        }
        zw_rest_move(s, k->dz, part, x);
        sigma *= part < 0.3 ? 2.0 : part < 1.0 ? 0.9 : 0.4;
        if (part == 1.0 && change < 0.05 && sigma < 0.5 * tried) { /* near enough for Newton? */
            zw_state_copy(&k->n, x, &s->good);
            memcpy(s->back, k->z, bytes);
            tried = sigma;
            s->sigma = 0.0;
            bool loaded, many;
            ZW_TRY(zw_neutral_hold(s, x, s->phi, &loaded, &many));
            status = newton(q, x);
            if (status != ZW_E_STEP) {
                return status;
            }
            s->nholds = 0;
            s->soft = false;
            zw_state_copy(&k->n, &s->good, x);
            memcpy(k->z, s->back, bytes);
        }
    }
    s->sigma = 0.0;
    return ZW_E_STEP;
}

static zw_status not_found(zw_rest *s, const zw_state *x, double tau) {
    char   a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT], where[200] = "";
    bool   loaded = false, many = false;
    int    worst = 0;
    double force, rows;
    s->sigma = 0.0;
    if (zw_neutral_hold(s, x, s->phi, &loaded, &many) == ZW_OK && loaded) {
        zw_neutral_describe(s, s->phi, where, sizeof where);
        return zw_raise(s->c, ZW_E_CONVERGENCE, s->subject, "hold that direction with a constraint, or take the load off it",
                        "a load on a mechanism has no equilibrium: %s, and a force is left that way", where);
    }
    if (zw_rows_contradict(s->k->y, &s->from, &worst, &rows) == ZW_OK && worst >= 0) {
        zw_system_row_name(s->k->y, worst, where, sizeof where);
        zw_status status = zw_raise(s->c, ZW_E_MODEL, where, "change the start shape, or the constraints that contradict each other",
                                    "contradicts other constraints: %s is left of it when they hold", zw_number_short(rows, 3, a));
        zw_system_row_where(s->k->y, worst, zw_error_last(s->c));
        return status;
    }
    zw_rest_left(s, &force, &rows, &worst);
    zw_rest_name(s, worst, where, sizeof where);
    return zw_raise(
        s->c, ZW_E_CONVERGENCE, s->subject,
        "start nearer to the equilibrium, or follow a path from an easier load: statics: {vary: PARAMETER, from: 0, to: ...}",
        "no equilibrium was found: Newton's method stops at %s of the way from the start shape; the largest force left, %s of its "
        "terms, is at %s",
        zw_number_short(tau, 3, a), zw_number_short(force, 2, b), where);
}

zw_status zw_equilibrium_try(zw_rest *s, zw_state *x, zw_equilibrium_info *info, double *tau) {
    zw_implicit *k = s->k;
    search       q = {.s = s, .tau = 1.0, .rounds = ROUNDS, .info = info};
    bool         loaded = false, many = false;
    *tau = 0.0;
    *info = (zw_equilibrium_info){.pieces = 1};
    memset(x->v, 0, sizeof(double) * (size_t)k->n.nv);
    zw_state_copy(&k->n, x, &s->from);
    memcpy(s->z0, k->z, sizeof(double) * (size_t)s->nz);
    if (s->drag == 0.0) {
        ZW_TRY(zw_neutral_floats(s));
    }
    ZW_TRY(zw_neutral_hold(s, x, s->phi, &loaded, &many));
    q.rounds = s->meets ? FEW : ROUNDS;
    zw_status status = loaded ? ZW_E_STEP : newton(&q, x);
    q.rounds = ROUNDS;
    if (status == ZW_E_STEP && !loaded && s->meets) { /* equilibrium_contact.c */
        status = zw_equilibrium_creep(s, x, ROUNDS, info);
    }
    if (status == ZW_E_STEP && !loaded && !many) {
        status = piecewise(&q, x);
        *tau = q.tau;
    }
    if (status == ZW_E_STEP) {
        status = fall(&q, x);
    }
    ZW_TRY(status);
    /* free directions and stability of what was found */
    ZW_TRY(zw_neutral_hold(s, x, s->phi, &loaded, &many));
    ZW_TRY(zw_rest_look(s, x, true));
    if (!zw_rest_factor(s, &info->below)) {
        info->below = -1;
    }
    info->holds = s->nholds;
    zw_rest_left(s, &info->residual, &info->rows, &(int){0});
    return info->rows <= 1e-8 * fmax(1.0, s->reach) ? ZW_OK : ZW_E_STEP; /* rows that contradict each other push without end */
}

zw_status zw_equilibrium_search(zw_rest *s, zw_state *x, zw_equilibrium_info *info) {
    double    tau;
    zw_status status = zw_equilibrium_try(s, x, info, &tau);
    return status == ZW_E_STEP ? not_found(s, x, tau) : status;
}

zw_status zw_equilibrium_find(zw_implicit *k, zw_state *x, double *lambda, zw_equilibrium_info *info) {
    zw_rest s;
    ZW_TRY(zw_rest_create(k, x, &s));
    zw_rest_set_forces(&s, lambda, k->z);
    zw_status status = zw_equilibrium_search(&s, x, info);
    if (status == ZW_OK) {
        zw_rest_forces(&s, k->z, lambda);
    }
    zw_rest_destroy(&s);
    return status;
}

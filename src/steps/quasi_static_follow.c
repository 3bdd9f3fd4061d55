/* SPDX-License-Identifier: Apache-2.0
 * quasi_static_follow.c: the way of a stable equilibrium through a step: E(theta) at t + theta h, theta from 0 to 1. The step is made at once where Newton's method contracts all the
 * way and what it finds is stable; else theta advances in pieces. Where pieces become as short as 1/4096 the equilibrium ends there or loses its stability:
 *
 *   bifurcation   E(theta) goes on, with eigenvalues of the stiffness below 0: mu(theta) = 0 by regula falsi (Illinois), mu the one nearest to 0 (neutral.h)
 *   fold          there is none beyond: mu^2 falls linearly to 0, so theta follows from two stable ones, the last nearer and nearer
 * The motion then goes on downhill (slow_fall.c) with time and reference of the end of the step. From a bifurcation it starts along the unstable shape whose largest number is positive:
 * which of two mirrored shapes comes is a rule, not physics. */
#include "steps/quasi_static.h"

#include "base/context.h"
#include "base/number.h"
#include "steps/implicit_contact.h"
#include "steps/neutral.h"

#include <math.h>
#include <string.h>

#define SHORTEST  (1.0 / 4096.0)
#define ROUGH     (1.0 / 64.0) /* with contacts: they change suddenly, however short the piece */
#define EXACT     1e-12        /* of the step: the instant of a loss */
#define DISTURBED 1e-3         /* measure of the first step away from a lost equilibrium */

#define FREE 1e-13 /* of the largest stiffness: round-off of a direction that nothing resists */

enum { MOST_PIECES = 20000 };

static void keep(zw_quasi_static *q, const zw_state *x, zw_state *to, double *z, zw_rest_pushes *pushes) {
    zw_state_copy(&q->e.k.n, x, to);
    to->t = x->t;
    memcpy(z, q->e.k.z, sizeof(double) * (size_t)q->e.rest.nz);
    zw_rest_pushes_keep(&q->e.rest, pushes);
}

static zw_status come_back(zw_quasi_static *q, const zw_state *from, const double *z, const zw_rest_pushes *pushes, zw_state *x) {
    zw_rest *s = &q->e.rest;
    if (q->e.k.contacts != NULL) {
        ZW_TRY(zw_implicit_contacts_use(&q->e.k, from, false));
        zw_rest_pushes_copy(pushes, &s->kept);
        s->recall = true;
    }
    zw_state_copy(&q->e.k.n, from, x);
    x->t = from->t;
    memcpy(q->e.k.z, z, sizeof(double) * (size_t)s->nz);
    return ZW_OK;
}

/* the eigenvalue nearest to 0, with the factor of the last round */
static double nearest(zw_quasi_static *q) {
    zw_rest *s = &q->e.rest;
    memset(s->phi, 0, sizeof(double) * (size_t)s->nz);
    return fabs(zw_neutral_mode(s, 12, s->phi));
}

typedef struct trial { /* the way so far: x0, h; last stable theta and the one before, with their mu; first that is not */
    const zw_state *x0;
    double          h, theta, before, mu, mu_before, bad, mu_bad;
    bool            watch;     /* mu is noted */
    bool            locating;  /* small mu are looked for: nothing more is held */
    bool            converged; /* the last failure found an equilibrium, an unstable one */
} trial;

/* theta -> x; stable: kept as good */
static zw_status attempt(zw_quasi_static *q, trial *w, double theta, zw_state *x, bool *stable, zw_equilibrium_info *info) {
    zw_slow *e = &q->e;
    ZW_TRY(come_back(q, &q->good, q->zgood, &q->pgood, x));
    *stable = w->converged = false;
    ZW_TRY(zw_quasi_reach(q, w->x0, theta == 1.0 ? w->h : theta * w->h, x, info));
    w->converged = true;
    *stable = zw_slow_lopsided(e) || info->below <= 0;
    if (*stable) {
        w->before = w->theta;
        w->mu_before = w->mu;
        w->theta = theta;
        w->mu = w->watch ? nearest(q) : HUGE_VAL;
        keep(q, x, &q->good, q->zgood, &q->pgood);
    } else {
        w->bad = theta;
        w->mu_bad = nearest(q);
        if (!w->locating) { /* far enough from where mu is 0 to tell its sign */
            keep(q, x, &q->bad, q->zbad, &q->pbad);
        }
    }
    return ZW_OK;
}

/* between the last stable theta and one that is not, both on one path: where mu is 0 */
static zw_status locate_bifurcation(zw_quasi_static *q, trial *w, zw_state *x, double *theta) {
    double a = w->theta, fa = w->mu, b = w->bad, fb = -w->mu_bad;
    int    side = 0;
    *theta = b;
    for (int i = 0; i < 80 && b - a > EXACT; i++) {
        zw_equilibrium_info info;
        bool                stable;
        double              c = isfinite(fa) && fa - fb > 0.0 ? (a * -fb + b * fa) / (fa - fb) : 0.5 * (a + b), last = *theta;
        c = c > a && c < b ? c : 0.5 * (a + b);
        *theta = c;
        zw_status status = attempt(q, w, c, x, &stable, &info);
        if (status == ZW_E_STEP || (status == ZW_OK && fabs(c - last) < 0.1 * EXACT)) {
            return ZW_OK; /* so near that the stiffness is singular, or it moves no more */
        }
        ZW_TRY(status);
        if (stable) {
            fb *= side == 1 ? 0.5 : 1.0;
            a = c;
            fa = w->mu;
            side = 1;
        } else {
            fa *= side == -1 ? 0.5 : 1.0;
            b = c;
            fb = -w->mu_bad;
            side = -1;
        }
    }
    return ZW_OK;
}

/* nearer and nearer to where mu^2, linear in theta, is 0; false: it is no fold */
static zw_status locate_fold(zw_quasi_static *q, trial *w, zw_state *x, double *theta, bool *fold) {
    double last = HUGE_VAL;
    *fold = false;
    for (int i = 0; i < 60; i++) {
        zw_equilibrium_info info;
        bool                stable;
        double              m0 = w->mu_before * w->mu_before, m1 = w->mu * w->mu, to = w->theta + m1 * (w->theta - w->before) / (m0 - m1);
        if (!(m1 < m0) || !isfinite(m0) || !isfinite(to) || to - w->theta > 64.0 * SHORTEST) {
            return ZW_OK;
        }
        *theta = to;
        *fold = true;
        if (fabs(to - last) < EXACT || to - w->theta < EXACT) {
            return ZW_OK;
        }
        last = to;
        zw_status status = attempt(q, w, w->theta + 0.5 * (to - w->theta), x, &stable, &info);
        if (status == ZW_E_STEP || (status == ZW_OK && !stable)) {
            return ZW_OK;
        }
        ZW_TRY(status);
    }
    return ZW_OK;
}

zw_status zw_quasi_leave(zw_quasi_static *q, int below, zw_state *x, double *work, zw_equilibrium_info *info) {
    zw_slow *e = &q->e;
    if (!zw_slow_unstable(e, x, below)) {
        return ZW_E_STEP;
    }
    zw_slow_disturb(e, DISTURBED, x);
    return zw_slow_fall(e, x, work, info);
}

static zw_status nowhere(zw_quasi_static *q, double t, const char *how) {
    char   a[ZW_NUMBER_TEXT], where[200];
    int    worst = 0;
    double force, rows;
    zw_rest_left(&q->e.rest, &force, &rows, &worst);
    zw_rest_name(&q->e.rest, worst, where, sizeof where);
    return zw_raise(q->e.c, ZW_E_CONVERGENCE, where,
                    "use a smaller step, or mode: overdamped or dynamic, where the motion goes on without an equilibrium; see whether the "
                    "load can be carried at all",
                    "quasi-static: the equilibrium %s at t = %s s, and no other was reached from there; the largest force left is here",
                    how, zw_number_short(t, 10, a));
}

/* what the reference and the time of the end of the step change while nothing moves yet */
static zw_status to_the_end(zw_quasi_static *q, trial *w, zw_state *x, zw_quasi_way *way) {
    zw_slow *e = &q->e;
    double   h = w->h, part = x->t - w->x0->t, power0, power1;
    zw_slow_keep(e, x);
    ZW_TRY(zw_slow_work(e, w->x0, x, part, &way->work));
    ZW_TRY(zw_slow_rows_power(e, w->x0, w->x0->w + ZW_W_ACCOUNT, &power0));
    ZW_TRY(zw_slow_rows_power(e, x, x->w + ZW_W_ACCOUNT, &power1));
    way->work += 0.5 * part * (power0 + power1) + (h - part) * power1;
    if (e->grows) {
        ZW_TRY(zw_slow_tell_contacts(e, w->x0));
        ZW_TRY(zw_system_grow_predict(e->y, w->x0, w->x0->w + e->w_grow, h, true, &e->back));
        way->work += zw_slow_growth_work(e, x, x->s, e->back.s);
        memcpy(x->s, e->back.s, sizeof(double) * (size_t)e->k.n.ns);
    }
    x->t = w->x0->t + h;
    return ZW_OK;
}

/* laws feel the place where the motion ended */
static zw_status correct(zw_quasi_static *q, trial *w, zw_state *x, zw_equilibrium_info *info) {
    zw_slow *e = &q->e;
    double   work;
    if (!e->grows) {
        return ZW_OK;
    }
    zw_slow_keep(e, x);
    ZW_TRY(zw_slow_tell_contacts(e, x));
    ZW_TRY(zw_system_grow_correct(e->y, w->x0, w->x0->w + e->w_grow, w->h, true, x));
    zw_state_copy(&e->k.n, x, &e->back);
    memcpy(e->z, e->k.z, sizeof(double) * (size_t)e->rest.nz);
    zw_status status = zw_equilibrium_beside(&e->rest, x, 20, info);
    if (status == ZW_E_STEP) {
        zw_state_copy(&e->k.n, &e->back, x);
        memcpy(e->k.z, e->z, sizeof(double) * (size_t)e->rest.nz);
        status = zw_slow_fall(e, x, &work, info);
    }
    return status;
}

/* the equilibrium is lost at theta: x becomes a stable one at the end of the step */
static zw_status go_on(zw_quasi_static *q, trial *w, bool branches, double theta, zw_state *x, zw_quasi_way *way) {
    zw_slow            *e = &q->e;
    zw_equilibrium_info info = {0};
    char                a[ZW_NUMBER_TEXT];
    double              work = 0.0;
    zw_status           status;
    way->left = way->jumped = true;
    way->lost = w->x0->t + theta * w->h;
    zw_log(e->c, ZW_LOG_INFO,
           branches ? "quasi-static: the equilibrium becomes unstable at t = %s s, and is left for a stable one"
                    : "quasi-static: the equilibrium ends at t = %s s (a limit point), and the motion goes on to another",
           zw_number_short(way->lost, 12, a));
    if (branches) {
        ZW_TRY(come_back(q, &q->bad, q->zbad, &q->pbad, x));
        ZW_TRY(zw_rest_look(&e->rest, x, true));
        int below = 0;
        if (!zw_rest_factor(&e->rest, &below) || below <= 0 || !zw_slow_unstable(e, x, below)) {
            return nowhere(q, way->lost, "becomes unstable");
        }
    } else {
        ZW_TRY(come_back(q, &q->good, q->zgood, &q->pgood, x));
        ZW_TRY(zw_rest_look(&e->rest, x, true)); /* who takes part */
    }
    ZW_TRY(to_the_end(q, w, x, way));
    if (branches) {
        zw_slow_disturb(e, DISTURBED, x);
    }
    status = zw_slow_fall(e, x, &work, &info);
    if (status == ZW_E_STEP) {
        return nowhere(q, way->lost, branches ? "becomes unstable" : "ends");
    }
    ZW_TRY(status);
    status = correct(q, w, x, &info);
    if (status == ZW_E_STEP) {
        return nowhere(q, way->lost, branches ? "becomes unstable" : "ends");
    }
    ZW_TRY(status);
    ZW_TRY(zw_slow_hold(e, x, &info));
    /* what the way down took; loads on long ways are added up by halves, so a little below 0 is no gain */
    double change = zw_slow_energy(e, x) - zw_slow_energy(e, w->x0);
    way->work += work;
    way->dissipated = fmax(0.0, way->work - change);
    way->work = change + way->dissipated;
    way->below = info.below;
    return ZW_OK;
}

/* neither followed nor a fold: contacts, or a stiffness that changes suddenly. A search from the last one, wherever it leads */
static zw_status look_around(zw_quasi_static *q, trial *w, zw_state *x, zw_quasi_way *way) {
    zw_slow            *e = &q->e;
    zw_equilibrium_info info = {0};
    double              tau = 0.0, work = 0.0;
    char                a[ZW_NUMBER_TEXT];
    way->jumped = true;
    way->lost = w->x0->t + w->theta * w->h;
    ZW_TRY(come_back(q, &q->good, q->zgood, &q->pgood, x));
    ZW_TRY(zw_rest_look(&e->rest, x, true));
    ZW_TRY(to_the_end(q, w, x, way));
    zw_log(e->c, ZW_LOG_INFO, "quasi-static: the equilibrium could not be followed beyond t = %s s; it was searched for from there",
           zw_number_short(way->lost, 12, a));
    zw_status status = zw_equilibrium_try(&e->rest, x, &info, &tau);
    if (status == ZW_OK && info.below > 0 && !zw_slow_lopsided(e)) {
        status = zw_quasi_leave(q, info.below, x, &work, &info);
    }
    if (status == ZW_E_STEP) {
        return nowhere(q, way->lost, "could not be followed");
    }
    ZW_TRY(status);
    status = correct(q, w, x, &info);
    if (status == ZW_E_STEP) {
        return nowhere(q, way->lost, "could not be followed");
    }
    ZW_TRY(status);
    double change = zw_slow_energy(e, x) - zw_slow_energy(e, w->x0);
    way->dissipated = fmax(0.0, way->work - change);
    way->work = change + way->dissipated;
    way->below = zw_slow_below(e, &info);
    return ZW_OK;
}

/* following loads: the sign of the determinant is all that is known */
static void tell_lopsided(zw_quasi_static *q, const zw_state *x0, const zw_state *x1, int below) {
    char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    if (below > 0 && x0->w[q->e.w_own + ZW_QUASI_BELOW] == 0.0) {
        zw_log(
            q->e.c, ZW_LOG_INFO,
            "quasi-static: the equilibrium becomes unstable between t = %s and %s s; its stiffness is not symmetric, and the motion stays on it",
            zw_number_short(x0->t, 10, a), zw_number_short(x1->t, 10, b));
    }
}

/* An eigenvalue of 0 may have come out below it by rounding, of a direction that nothing resists. It was 0 at the start of the step too then, and is held; one that became 0 in the
 * step is what is looked for */
static zw_status is_free(zw_quasi_static *q, const trial *w, zw_state *x, bool *loose) {
    zw_slow            *e = &q->e;
    zw_equilibrium_info info = {0};
    int                 below = 0;
    if (!w->converged || !(w->mu_bad < FREE * e->rest.elastic)) {
        return ZW_OK;
    }
    ZW_TRY(come_back(q, &q->good, q->zgood, &q->pgood, x));
    ZW_TRY(zw_rest_look(&e->rest, x, true));
    if (zw_rest_factor(&e->rest, &below) && nearest(q) > FREE * e->rest.elastic) {
        return ZW_OK;
    }
    int had = e->rest.nholds;
    ZW_TRY(zw_slow_hold(e, x, &info));
    *loose = e->rest.nholds != had;
    return ZW_OK;
}

zw_status zw_quasi_follow(zw_quasi_static *q, const zw_state *x0, double h, zw_state *x1, zw_quasi_way *way) {
    zw_slow            *e = &q->e;
    zw_equilibrium_info info = {0};
    trial               w = {.x0 = x0, .h = h, .mu = HUGE_VAL, .mu_before = HUGE_VAL, .bad = 1.0};
    double              piece = 1.0;
    ZW_TRY(zw_slow_recall(e, x0));
    zw_state_copy(&e->k.n, x0, &q->good);
    q->good.t = x0->t;
    memcpy(q->zgood, e->k.z, sizeof(double) * (size_t)e->rest.nz);
    zw_rest_pushes_copy(&e->rest.kept, &q->pgood);
    while (w.theta < 1.0) {
        bool      stable;
        double    to = w.theta + piece > 1.0 - 1e-9 ? 1.0 : w.theta + piece;
        zw_status status = attempt(q, &w, to, x1, &stable, &info);
        if (status == ZW_OK && stable) {
            way->pieces++;
            piece *= 2.0;
            continue;
        }
        if (status != ZW_E_STEP) {
            ZW_TRY(status);
        }
        if (!w.watch) {
            bool loose = false;
            w.watch = true;
            ZW_TRY(is_free(q, &w, x1, &loose));
            if (loose) {
                continue;
            }
        }
        piece *= 0.25;
        bool   known = w.converged || e->rest.meets || (isfinite(w.mu_before) && isfinite(w.mu)) || piece < 1e-9; /* how mu falls */
        double least = e->rest.meets && !w.converged ? ROUGH : SHORTEST;
        if ((piece >= least || !known) && way->pieces < MOST_PIECES) {
            continue;
        }
        double theta = w.theta;
        bool   fold = false;
        w.locating = true;
        if (w.converged) {
            ZW_TRY(locate_bifurcation(q, &w, x1, &theta));
            return go_on(q, &w, true, theta, x1, way);
        }
        if (!e->rest.meets) {
            ZW_TRY(locate_fold(q, &w, x1, &theta, &fold));
        }
        return fold ? go_on(q, &w, false, theta, x1, way) : look_around(q, &w, x1, way);
    }
    if (e->rest.nholds > 0) {
        ZW_TRY(zw_slow_hold(e, x1, &info));
    }
    way->below = zw_slow_below(e, &info);
    if (zw_slow_lopsided(e)) {
        tell_lopsided(q, x0, x1, way->below);
    }
    return ZW_OK;
}

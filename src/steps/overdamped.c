/* SPDX-License-Identifier: Apache-2.0
 * overdamped.c: the integrator overdamped: motion without inertia in a medium that resists,
 *
 *   zeta l_i xdot_i = F_i + A' lambda + contacts  at the nodes of rods,   moments (and all that has no drag) in balance,   g(x, t) = 0
 * with zeta = run.drag and l_i the current length that node i stands for. Two stages of SDIRK, gamma = 1 - 1/sqrt(2), L-stable and stiffly accurate, order 2:
 *
 *   X1 = x0 + gamma h f(X1),   X2 = x0 + (1 - gamma) h f(X1) + gamma h f(X2),   x1 = X2
 * Each stage is an equilibrium with a drag toward a base (rest.h). Places are flat, so that bases are sums; turns have no rates and follow from the balance.
 *
 * Growth: references of the stages from the rates at x0; with X2 the reference of order 2, and X2 once more with it. What stage 1 lacks is of second order in h, is not carried on, and
 * enters x1 with another factor h.
 *
 * An implicit step that is too long for what grows in the motion (1/h below gamma times its rate) would damp it: there the derivative of a stage has an eigenvalue below 0. Such steps
 * are halved, as are those that Newton's method does not solve. Work is trapezoidal (slow_work.c), dissipation and the work of moving rows are sums over the stages. */
#include "steps/integrators.h"
#include "steps/equilibrium_contact.h"
#include "steps/slow.h"

#include "base/context.h"
#include "base/number.h"
#include "model/model.h"
#include "steps/neutral.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define GAMMA 0.29289321881345247560 /* 1 - 1/sqrt(2) */

enum { DEEPEST = 20, PATIENT = 4, ROUNDS = 25, HALVINGS = 0, OWN };

typedef struct overdamped {
    zw_slow  e;
    double   zeta;
    zw_state half[DEEPEST + 1];
    bool     told;
} overdamped;

static void over_destroy(void *self) {
    overdamped *o = self;
    if (o == NULL) {
        return;
    }
    zw_context *c = o->e.c;
    for (int i = 0; i <= DEEPEST; i++) {
        zw_state_destroy(c, &o->half[i]);
    }
    zw_slow_destroy(&o->e);
    zw_free(c, o);
}

static zw_status check(overdamped *o) {
    const zw_model *m = o->e.y->model;
    ZW_TRY(zw_model_constant(m, m->run.drag, "run.drag", &o->zeta));
    if (zw_system_damps(o->e.y)) {
        return zw_model_raise(m, ZW_E_UNSUPPORTED, m->run.at, "run.mode: overdamped", "leave damping of rods and springs out",
                              "overdamped motion has the drag of its medium, and no damping beside it");
    }
    return ZW_OK;
}

static zw_status over_create(zw_system *y, void **out, int *nw) {
    zw_context *c = zw_system_context(y);
    zw_status   status;
    *out = NULL;
    overdamped *o = zw_alloc(c, 1, sizeof *o, "the integrator");
    if (o == NULL) {
        return ZW_E_MEMORY;
    }
    status = zw_slow_create(y, "overdamped", OWN, &o->e);
    if (status != ZW_OK) {
        zw_free(c, o);
        return status;
    }
    ZW_TRY_GOTO(check(o), fail);
    for (int i = 0; i <= DEEPEST; i++) {
        ZW_TRY_GOTO(zw_state_create(c, &o->e.size, &o->half[i]), fail);
    }
    *nw = o->e.size.nw;
    *out = o;
    return ZW_OK;
fail:
    over_destroy(o);
    return status;
}

/* where nodes are is the base from now on */
static void set_base(overdamped *o, const zw_state *x) {
    zw_rest *s = &o->e.rest;
    zw_rest_places(s, x);
    memcpy(s->base, s->place, sizeof(double) * 3 * (size_t)s->blocks);
}

/* moments in balance while the places of nodes stay: a drag that nothing moves against */
static zw_status balance(overdamped *o, zw_state *x) {
    zw_slow            *e = &o->e;
    zw_equilibrium_info info;
    ZW_TRY(zw_slow_recall(e, x));
    e->rest.drag = 0.0;
    ZW_TRY(zw_rest_look(&e->rest, x, true));
    set_base(o, x);
    double most = 0.0;
    for (int i = 0; i < e->rest.blocks; i++) {
        for (int c = 3; c < e->k.block[i].ncol && e->rest.share[i] > 0.0; c++) {
            most = fmax(most, e->rest.diagonal[e->k.block[i].z0 + c] / e->rest.share[i]);
        }
    }
    e->rest.drag = 1e9 * fmax(most, DBL_MIN);
    zw_status status = zw_equilibrium_search(&e->rest, x, &info);
    e->rest.drag = 0.0;
    ZW_TRY(status);
    zw_slow_keep(e, x);
    return ZW_OK;
}

static zw_status over_start(void *self, zw_state *x) {
    overdamped *o = self;
    zw_slow    *e = &o->e;
    memset(x->w, 0, sizeof(double) * (size_t)e->size.nw);
    memset(x->v, 0, sizeof(double) * (size_t)e->k.n.nv);
    ZW_TRY(zw_rest_check_start(&e->rest, x));
    ZW_TRY(balance(o, x));
    if (e->grows) {
        ZW_TRY(zw_slow_tell_contacts(e, x));
        ZW_TRY(zw_system_grow_start(e->y, x, x->w + e->w_grow));
    }
    return ZW_OK;
}

/* what the finer mesh changes in the energy counts as work of growth */
static zw_status over_carry(void *self, void *before, const zw_state *x0, zw_state *x) {
    overdamped *o = self, *from = before;
    zw_slow_carry(&o->e, &from->e, x0, OWN, x);
    ZW_TRY(balance(o, x));
    x->w[ZW_W_WORK] += zw_slow_energy(&o->e, x) - zw_slow_energy(&from->e, x0);
    return ZW_OK;
}

static size_t over_memory(const void *self) {
    return (size_t)((const overdamped *)self)->e.w_grow;
}

/* x becomes the solution of a stage, with the reference and time that it has; ZW_E_STEP, not raised: none, or one that the step is too long for */
static zw_status solve(overdamped *o, int depth, zw_state *x) {
    zw_slow            *e = &o->e;
    zw_equilibrium_info info;
    bool                loaded, many;
    memset(x->v, 0, sizeof(double) * (size_t)e->k.n.nv);
    zw_state_copy(&e->k.n, x, &e->back);
    memcpy(e->z, e->k.z, sizeof(double) * (size_t)e->rest.nz);
    zw_status status = zw_equilibrium_beside(&e->rest, x, ROUNDS, &info);
    if (status == ZW_E_STEP && depth > PATIENT) { /* the start may be far from rest in what has no drag, however short the step */
        double tau;
        zw_state_copy(&e->k.n, &e->back, x);
        memcpy(e->k.z, e->z, sizeof(double) * (size_t)e->rest.nz);
        status = zw_equilibrium_try(&e->rest, x, &info, &tau);
    } else if (status == ZW_E_STEP) { /* something is free that was not, or the other way round */
        zw_state_copy(&e->k.n, &e->back, x);
        memcpy(e->k.z, e->z, sizeof(double) * (size_t)e->rest.nz);
        ZW_TRY(zw_neutral_hold(&e->rest, x, e->rest.phi, &loaded, &many));
        status = zw_equilibrium_beside(&e->rest, x, ROUNDS, &info);
    }
    return status == ZW_OK && info.below > 0 ? ZW_E_STEP : status;
}

/* zeta sum l |way|^2 per way over h gamma: what a stage dissipates, W */
static double loss(overdamped *o, const zw_state *x, double h) {
    zw_rest *s = &o->e.rest;
    double   sum = 0.0;
    zw_rest_places(s, x);
    for (int i = 0; i < s->blocks; i++) {
        for (int c = 0; c < 3 && o->e.k.block[i].part >= 0 && s->share[i] > 0.0; c++) {
            double v = (s->place[3 * i + c] - s->base[3 * i + c]) / (GAMMA * h);
            sum += o->zeta * s->share[i] * v * v;
        }
    }
    return sum;
}

static zw_status stages(overdamped *o, const zw_state *x0, double h, int depth, zw_state *x1, double *dissipated, double *rows) {
    zw_slow *e = &o->e;
    zw_rest *s = &e->rest;
    size_t   places = 3 * (size_t)s->blocks;
    double   power;
    ZW_TRY(zw_slow_recall(e, x0));
    set_base(o, x0);
    s->drag = o->zeta / (GAMMA * h);
    zw_state_copy(&e->k.n, x0, x1);
    x1->t = x0->t + GAMMA * h;
    if (e->grows) {
        ZW_TRY(zw_slow_tell_contacts(e, x0));
        ZW_TRY(zw_system_grow_predict(e->y, x0, x0->w + e->w_grow, GAMMA * h, true, x1));
    }
    ZW_TRY(solve(o, depth, x1));
    *dissipated = (1.0 - GAMMA) * h * loss(o, x1, h);
    zw_rest_forces(s, e->k.z, e->lambda);
    ZW_TRY(zw_slow_rows_power(e, x1, e->lambda, &power));
    *rows = (1.0 - GAMMA) * h * power;
    for (size_t i = 0; i < places; i++) {
        s->base[i] += (1.0 - GAMMA) / GAMMA * (s->place[i] - s->base[i]);
    }
    x1->t = x0->t + h;
    if (e->grows) {
        ZW_TRY(zw_system_grow_predict(e->y, x0, x0->w + e->w_grow, h, true, x1));
    }
    ZW_TRY(solve(o, depth, x1));
    if (e->grows) {
        if (e->touched) {
            zw_slow_keep(e, x1);
            ZW_TRY(zw_slow_tell_contacts(e, x1));
        }
        ZW_TRY(zw_system_grow_correct(e->y, x0, x0->w + e->w_grow, h, true, x1));
        ZW_TRY(solve(o, depth, x1));
    }
    *dissipated += GAMMA * h * loss(o, x1, h);
    zw_rest_forces(s, e->k.z, e->lambda);
    ZW_TRY(zw_slow_rows_power(e, x1, e->lambda, &power));
    *rows += GAMMA * h * power;
    return ZW_OK;
}

/* ZW_E_STEP, not raised: not solved */
static zw_status once(overdamped *o, const zw_state *x0, double h, int depth, zw_state *x1) {
    zw_slow *e = &o->e;
    double   work, rows, dissipated;
    bool     loaded, many;
    ZW_TRY(stages(o, x0, h, depth, x1, &dissipated, &rows));
    if (e->rest.nholds > 0) { /* what is free now, with the drag of this step */
        ZW_TRY(zw_neutral_hold(&e->rest, x1, e->rest.phi, &loaded, &many));
    }
    zw_slow_keep(e, x1);
    ZW_TRY(zw_slow_work(e, x0, x1, h, &work));
    zw_slow_velocity(e, x0, h, x1);
    x1->w[ZW_W_WORK] = x0->w[ZW_W_WORK] + work + rows;
    x1->w[ZW_W_DISSIPATED] = x0->w[ZW_W_DISSIPATED] + dissipated;
    x1->w[e->w_own + HALVINGS] = x0->w[e->w_own + HALVINGS];
    if (e->grows) {
        memcpy(x1->w + e->w_grow, x0->w + e->w_grow, sizeof(double) * (size_t)(e->size.nw - e->w_grow));
        ZW_TRY(zw_slow_tell_contacts(e, x1));
        ZW_TRY(zw_system_grow_push(e->y, x1, x1->w + e->w_grow));
    }
    return ZW_OK;
}

static zw_status not_solved(overdamped *o, const zw_state *x0, double h) {
    zw_slow *e = &o->e;
    char     a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT], where[200] = "the model";
    bool     loaded = false, many = false;
    zw_state_copy(&e->k.n, x0, &e->back);
    if (zw_slow_recall(e, x0) == ZW_OK && zw_neutral_hold(&e->rest, &e->back, e->rest.phi, &loaded, &many) == ZW_OK && loaded) {
        zw_neutral_describe(&e->rest, e->rest.phi, where, sizeof where);
        return zw_raise(e->c, ZW_E_CONVERGENCE, "run.mode: overdamped", "hold that direction with a constraint, or use mode: dynamic",
                        "nothing resists a force: %s, for drag acts on the nodes of rods only and not against turning", where);
    }
    int    worst = 0;
    double force, rows;
    zw_rest_left(&e->rest, &force, &rows, &worst);
    zw_rest_name(&e->rest, worst, where, sizeof where);
    return zw_raise(
        e->c, ZW_E_CONVERGENCE, where,
        "see whether something without drag (a rigid body, a turn) loses its balance there, or a load changes suddenly",
        "no solution of the overdamped step from t = %s s was found, also not with a length of %s s; the largest force left is here",
        zw_number_short(x0->t, 8, a), zw_number_short(h, 3, b));
}

static zw_status advance(overdamped *o, const zw_state *x0, double h, int depth, zw_state *x1) {
    zw_status status = once(o, x0, h, depth, x1);
    if (status != ZW_E_STEP) {
        return status;
    }
    if (depth == DEEPEST) {
        return not_solved(o, x0, h);
    }
    if (!o->told) {
        char t[ZW_NUMBER_TEXT], step[ZW_NUMBER_TEXT];
        zw_log(
            o->e.c, ZW_LOG_INFO,
            "overdamped: the step at t = %s s was halved to %s s, because something grows or changes faster than it can show; said once, "
            "overdamped/halvings counts them",
            zw_number_short(x0->t, 8, t), zw_number_short(0.5 * h, 6, step));
        o->told = true;
    }
    ZW_TRY(advance(o, x0, 0.5 * h, depth + 1, &o->half[depth]));
    o->half[depth].t = x0->t + 0.5 * h;
    ZW_TRY(advance(o, &o->half[depth], 0.5 * h, depth + 1, x1));
    x1->w[o->e.w_own + HALVINGS] += 1.0;
    return ZW_OK;
}

static zw_status over_step(void *self, const zw_state *x0, double h, zw_state *x1) {
    overdamped *o = self;
    zw_status   status = advance(o, x0, h, 0, x1);
    o->e.rest.drag = 0.0;
    return status;
}

static zw_status over_limit(void *self, const zw_state *x, double *safe, double *sharp) {
    (void)self, (void)x;
    *safe = *sharp = 0.0; /* none */
    return ZW_OK;
}

/* nothing has inertia */
static void over_account(void *self, const zw_state *x, zw_account *a) {
    const overdamped *o = self;
    zw_system_account(o->e.y, x, a);
    *a = (zw_account){.elastic = a->elastic, .potential = a->potential, .mass = a->mass};
}

static bool over_own(void *self, int i, zw_channel *out) {
    (void)self;
    if (i >= OWN) {
        return false;
    }
    *out = (zw_channel){.rank = 0, .count = 1};
    snprintf(out->name, sizeof out->name, "overdamped/halvings");
    snprintf(out->unit, sizeof out->unit, "1");
    return true;
}

static double over_observe(void *self, const zw_state *x, int i) {
    const overdamped *o = self;
    return x->w[o->e.w_own + i];
}

static bool over_over(const void *self) {
    (void)self;
    return true;
}

static void over_react(void *self, const zw_state *x, double *lambda) {
    const overdamped *o = self;
    if (o->e.k.m > 0) {
        memcpy(lambda, x->w + ZW_W_ACCOUNT, sizeof(double) * (size_t)o->e.k.m);
    }
}

static void over_touch(void *self, const zw_state *x, double *f) {
    overdamped *o = self;
    double      power;
    if (zw_slow_touch(&o->e, x, f, &power) != ZW_OK) {
        zw_error_clear(o->e.c);
    }
}

const zw_integrator_ops zw_overdamped_ops = {
    .name = "overdamped",
    .order = 2,
    .grows = true,
    .create = over_create,
    .start = over_start,
    .step = over_step,
    .limit = over_limit,
    .destroy = over_destroy,
    .account = over_account,
    .own = over_own,
    .observe = over_observe,
    .over = over_over,
    .react = over_react,
    .touch = over_touch,
    .carry = over_carry,
    .memory = over_memory,
};

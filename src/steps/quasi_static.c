/* SPDX-License-Identifier: Apache-2.0
 * quasi_static.c: the integrator quasi-static: equilibria one after the other, each at the time of the end of its step. With growth (zwang/grow.h), over a step h:
 *
 *   predict   reference at t + h from the rates at t;     equilibrium at t + h
 *   correct   reference with the mean of both rates;      equilibrium at t + h          order 2
 * Velocities of the state are 0. Work of loads, moving rows and growth is trapezoidal (slow_work.c), so that the balance of energy holds to order 2; what a jump to another
 * equilibrium takes is dissipated. */
#include "steps/integrators.h"
#include "steps/equilibrium_contact.h"
#include "steps/quasi_static.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 20 };

static void quasi_destroy(void *self) {
    zw_quasi_static *q = self;
    if (q == NULL) {
        return;
    }
    zw_context *c = q->e.c;
    if (q->e.rest.c != NULL) {
        zw_rest_pushes_destroy(&q->e.rest, &q->pgood);
        zw_rest_pushes_destroy(&q->e.rest, &q->pbad);
    }
    zw_state_destroy(c, &q->good);
    zw_state_destroy(c, &q->bad);
    zw_slow_destroy(&q->e);
    zw_free(c, q);
}

static zw_status quasi_create(zw_system *y, void **out, int *nw) {
    zw_context *c = zw_system_context(y);
    zw_status   status;
    *out = NULL;
    zw_quasi_static *q = zw_alloc(c, 1, sizeof *q, "the integrator");
    if (q == NULL) {
        return ZW_E_MEMORY;
    }
    status = zw_slow_create(y, "quasi-static", ZW_QUASI_OWN, &q->e);
    if (status != ZW_OK) {
        zw_free(c, q);
        return status;
    }
    size_t nz = (size_t)q->e.rest.room + 1;
    q->zgood = zw_arena_alloc(&q->e.k.arena, 2 * nz, sizeof(double), "the integrator");
    status = q->zgood != NULL ? ZW_OK : ZW_E_MEMORY;
    ZW_TRY_GOTO(status, fail);
    q->zbad = q->zgood + nz;
    ZW_TRY_GOTO(zw_state_create(c, &q->e.size, &q->good), fail);
    ZW_TRY_GOTO(zw_state_create(c, &q->e.size, &q->bad), fail);
    ZW_TRY_GOTO(zw_rest_pushes_create(&q->e.rest, &q->pgood), fail);
    ZW_TRY_GOTO(zw_rest_pushes_create(&q->e.rest, &q->pbad), fail);
    *nw = q->e.size.nw;
    *out = q;
    return ZW_OK;
fail:
    quasi_destroy(q);
    return status;
}

static zw_status quasi_start(void *self, zw_state *x) {
    zw_quasi_static    *q = self;
    zw_slow            *e = &q->e;
    zw_equilibrium_info info;
    double             *own = x->w + e->w_own, work = 0.0;
    char                t[ZW_NUMBER_TEXT];
    memset(x->w, 0, sizeof(double) * (size_t)e->size.nw);
    own[ZW_QUASI_LOST] = -1.0;
    ZW_TRY(zw_rest_check_start(&e->rest, x));
    ZW_TRY(zw_slow_recall(e, x));
    ZW_TRY(zw_equilibrium_search(&e->rest, x, &info));
    int below = zw_slow_below(e, &info);
    if (below > 0 && !zw_slow_lopsided(e)) {
        zw_log(e->c, ZW_LOG_INFO, "quasi-static: the equilibrium at the start is unstable, and is left for a stable one");
        zw_status status = zw_quasi_leave(q, below, x, &work, &info);
        if (status == ZW_E_STEP) {
            return zw_raise(e->c, ZW_E_CONVERGENCE, "run.mode: quasi-static", "start nearer to a stable shape, or with a smaller load",
                            "the equilibrium at the start, t = %s s, is unstable, and no stable one was reached from it",
                            zw_number_short(x->t, 6, t));
        }
        ZW_TRY(status);
        own[ZW_QUASI_LOST] = x->t;
        own[ZW_QUASI_SNAPS] = 1.0;
        below = 0;
    }
    own[ZW_QUASI_BELOW] = below;
    zw_slow_keep(e, x);
    if (e->grows) {
        ZW_TRY(zw_slow_tell_contacts(e, x));
        ZW_TRY(zw_system_grow_start(e->y, x, x->w + e->w_grow));
    }
    return ZW_OK;
}

/* the equilibrium of the finer mesh; what it changes in the energy counts as work of growth */
static zw_status quasi_carry(void *self, void *before, const zw_state *x0, zw_state *x) {
    zw_quasi_static    *q = self, *from = before;
    zw_slow            *e = &q->e;
    zw_equilibrium_info info = {0};
    double              work;
    zw_slow_carry(e, &from->e, x0, ZW_QUASI_OWN, x);
    ZW_TRY(zw_slow_recall(e, x));
    ZW_TRY(zw_equilibrium_search(&e->rest, x, &info));
    if (info.below > 0 && !zw_slow_lopsided(e)) { /* so near to a loss of stability that the mesh decides */
        zw_status status = zw_quasi_leave(q, info.below, x, &work, &info);
        ZW_TRY(status == ZW_E_STEP ? zw_raise(e->c, ZW_E_CONVERGENCE, "growth.split", "use more elements from the start",
                                              "with links halved the equilibrium is unstable, and no stable one was reached from it")
                                   : status);
    }
    x->w[e->w_own + ZW_QUASI_BELOW] = zw_slow_below(e, &info);
    zw_slow_keep(e, x);
    x->w[ZW_W_WORK] += zw_slow_energy(e, x) - zw_slow_energy(&from->e, x0);
    return ZW_OK;
}

static size_t quasi_memory(const void *self) {
    return (size_t)((const zw_quasi_static *)self)->e.w_grow;
}

/* Nodes that stay while their links grow press the rod with EA dl/l, whatever it carried, and the stiffness there says nothing about the equilibrium beside. So the first step is made with
 * that of the last equilibrium: x - K^-1 R(x, new reference) */
static zw_status foretell(zw_quasi_static *q, const zw_state *last, zw_state *x, bool *made) {
    zw_slow     *e = &q->e;
    zw_rest     *s = &e->rest;
    zw_implicit *k = &e->k;
    int          below = 0;
    ZW_TRY(zw_rest_look(s, last, true));
    if (!zw_rest_factor(s, &below)) {
        return ZW_OK;
    }
    ZW_TRY(zw_rest_look(s, x, false));
    for (int i = 0; i < k->nz; i++) {
        k->dz[i] = -k->r[i];
    }
    zw_blocklu_solve(&k->lu, k->dz);
    double change = zw_rest_change(s, k->dz);
    *made = isfinite(change) && change > 0.0 && zw_rest_allowed(s, k->dz) == 1.0;
    if (*made) {
        zw_rest_move(s, k->dz, 1.0, x);
    }
    return ZW_OK;
}

zw_status zw_quasi_reach(zw_quasi_static *q, const zw_state *x0, double dt, zw_state *x, zw_equilibrium_info *info) {
    zw_slow *e = &q->e;
    bool     guess = e->grows && !e->rest.meets, made = false;
    if (guess) {
        zw_state_copy(&e->k.n, x, &e->back);
        e->back.t = x->t;
    }
    x->t = x0->t + dt;
    memset(x->v, 0, sizeof(double) * (size_t)e->k.n.nv);
    memcpy(x->s, x0->s, sizeof(double) * (size_t)e->k.n.ns);
    if (e->grows) {
        ZW_TRY(zw_slow_tell_contacts(e, x0));
        ZW_TRY(zw_system_grow_predict(e->y, x0, x0->w + e->w_grow, dt, true, x));
    }
    ZW_TRY(guess ? foretell(q, &e->back, x, &made) : ZW_OK);
    ZW_TRY(made ? zw_equilibrium_beyond(&e->rest, x, ROUNDS, info) : zw_equilibrium_beside(&e->rest, x, ROUNDS, info));
    if (e->grows) {
        if (e->touched) {
            zw_slow_keep(e, x);
            ZW_TRY(zw_slow_tell_contacts(e, x));
        }
        ZW_TRY(zw_system_grow_correct(e->y, x0, x0->w + e->w_grow, dt, true, x));
        ZW_TRY(zw_equilibrium_beside(&e->rest, x, ROUNDS, info));
    }
    return ZW_OK;
}

static zw_status account(zw_quasi_static *q, const zw_state *x0, double h, const zw_quasi_way *way, zw_state *x1) {
    zw_slow *e = &q->e;
    double   work = way->work, dissipated = way->dissipated, power0, power1;
    if (!way->jumped) {
        ZW_TRY(zw_slow_work(e, x0, x1, h, &work));
        ZW_TRY(zw_slow_rows_power(e, x0, x0->w + ZW_W_ACCOUNT, &power0));
        ZW_TRY(zw_slow_rows_power(e, x1, x1->w + ZW_W_ACCOUNT, &power1));
        work += 0.5 * h * (power0 + power1);
    }
    x1->w[ZW_W_WORK] = x0->w[ZW_W_WORK] + work;
    x1->w[ZW_W_DISSIPATED] = x0->w[ZW_W_DISSIPATED] + dissipated;
    return ZW_OK;
}

static zw_status quasi_step(void *self, const zw_state *x0, double h, zw_state *x1) {
    zw_quasi_static *q = self;
    zw_slow         *e = &q->e;
    zw_quasi_way     way = {0};
    const double    *own0 = x0->w + e->w_own;
    double          *own = x1->w + e->w_own;
    ZW_TRY(zw_quasi_follow(q, x0, h, x1, &way));
    zw_slow_keep(e, x1);
    ZW_TRY(account(q, x0, h, &way, x1));
    own[ZW_QUASI_BELOW] = way.below;
    own[ZW_QUASI_LOST] = own0[ZW_QUASI_LOST] < 0.0 && way.left ? way.lost : own0[ZW_QUASI_LOST]; /* the first; later ones are told */
    own[ZW_QUASI_SNAPS] = own0[ZW_QUASI_SNAPS] + (way.left ? 1.0 : 0.0);
    own[ZW_QUASI_PIECES] = way.pieces;
    if (e->grows) {
        memcpy(x1->w + e->w_grow, x0->w + e->w_grow, sizeof(double) * (size_t)(e->size.nw - e->w_grow));
        ZW_TRY(zw_slow_tell_contacts(e, x1));
        ZW_TRY(zw_system_grow_push(e->y, x1, x1->w + e->w_grow));
    }
    return ZW_OK;
}

static zw_status quasi_limit(void *self, const zw_state *x, double *safe, double *sharp) {
    (void)self, (void)x;
    *safe = *sharp = 0.0; /* none */
    return ZW_OK;
}

static bool quasi_own(void *self, int i, zw_channel *out) {
    static const char *const name[ZW_QUASI_OWN] = {"quasi-static/below", "quasi-static/lost", "quasi-static/snaps", "quasi-static/pieces"};
    (void)self;
    if (i >= ZW_QUASI_OWN) {
        return false;
    }
    *out = (zw_channel){.rank = 0, .count = 1};
    snprintf(out->name, sizeof out->name, "%s", name[i]);
    snprintf(out->unit, sizeof out->unit, i == ZW_QUASI_LOST ? "s" : "1");
    return true;
}

static double quasi_observe(void *self, const zw_state *x, int i) {
    const zw_quasi_static *q = self;
    return x->w[q->e.w_own + i];
}

static bool quasi_over(const void *self) {
    (void)self;
    return true;
}

static void quasi_react(void *self, const zw_state *x, double *lambda) {
    const zw_quasi_static *q = self;
    if (q->e.k.m > 0) {
        memcpy(lambda, x->w + ZW_W_ACCOUNT, sizeof(double) * (size_t)q->e.k.m);
    }
}

static void quasi_touch(void *self, const zw_state *x, double *f) {
    zw_quasi_static *q = self;
    double           power;
    if (zw_slow_touch(&q->e, x, f, &power) != ZW_OK) {
        zw_error_clear(q->e.c);
    }
}

const zw_integrator_ops zw_quasi_static_ops = {
    .name = "quasi-static",
    .order = 2,
    .grows = true,
    .create = quasi_create,
    .start = quasi_start,
    .step = quasi_step,
    .limit = quasi_limit,
    .destroy = quasi_destroy,
    .own = quasi_own,
    .observe = quasi_observe,
    .over = quasi_over,
    .react = quasi_react,
    .touch = quasi_touch,
    .carry = quasi_carry,
    .memory = quasi_memory,
};

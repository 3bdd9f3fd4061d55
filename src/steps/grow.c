/* SPDX-License-Identifier: Apache-2.0
 * grow.c: a step of a system that grows, around any integrator that can take its fields anew:
 *
 *   half of the growth with the placements of x0 - the integrator's step over h with the fields reached - half of the growth with those of x1
 *
 * of order 2. Growth moves nothing, so what it does to the energy is the difference of two accounts at the same q and v: exact, whatever the integrator does. New mass
 * brings its kinetic and potential energy with it, which is part of that. w: the integrator's own, work of growth, force of contacts (where a law feels it), memory of the laws. */
#include "steps/grow.h"

#include "base/context.h"
#include "steps/integrators.h"
#include "system/system.h"

#include <stdio.h>
#include <string.h>

typedef struct growing {
    zw_system               *y;
    zw_context              *c;
    const zw_integrator_ops *ops;
    void                    *inner;
    zw_size                  n;
    int                      w_work, w_contact, w_memory, nw;
    bool                     touched;
    zw_state                 from; /* after the first half of the growth */
} growing;

static void growing_destroy(void *self) {
    growing *k = self;
    if (k == NULL) {
        return;
    }
    if (k->inner != NULL) {
        k->ops->destroy(k->inner);
    }
    zw_state_destroy(k->c, &k->from);
    zw_free(k->c, k);
}

static zw_status growing_create(const zw_integrator_ops *ops, zw_system *y, void **out, int *nw) {
    zw_context *c = zw_system_context(y);
    zw_status   status = ZW_OK;
    int         inner = 0;
    *out = NULL;
    growing *k = zw_alloc(c, 1, sizeof *k, "the integrator");
    if (k == NULL) {
        return ZW_E_MEMORY;
    }
    k->y = y;
    k->c = c;
    k->ops = ops;
    k->n = zw_system_size(y);
    k->touched = zw_system_grow_touched(y) && ops->touch != NULL;
    ZW_TRY_GOTO(ops->create(y, &k->inner, &inner), fail);
    k->w_work = inner;
    k->w_contact = k->w_work + 1;
    k->w_memory = k->w_contact + (k->touched ? k->n.nv : 0);
    *nw = k->nw = k->n.nw = k->w_memory + (int)zw_system_grow_memory(y);
    ZW_TRY_GOTO(zw_state_create(c, &k->n, &k->from), fail);
    *out = k;
    return ZW_OK;
fail:
    growing_destroy(k);
    return status;
}

static zw_status growing_start(void *self, zw_state *x) {
    growing *k = self;
    memset(x->w + k->w_work, 0, sizeof(double) * (size_t)(k->nw - k->w_work));
    ZW_TRY(zw_system_grow_start(k->y, x, x->w + k->w_memory));
    return k->ops->start(k->inner, x);
}

static double energy_of(growing *k, const zw_state *x) {
    zw_account a;
    zw_system_account(k->y, x, &a);
    return (a.kinetic + a.elastic) + a.potential;
}

/* growth over h from the time t, with the placement of x; *work += what it does to the energy */
static zw_status flow(growing *k, double t, double h, const double *memory, zw_state *x, double *work) {
    double   before = energy_of(k, x), now = x->t;
    zw_state begin = *x;
    begin.t = t;
    if (k->touched) {
        zw_system_grow_contact(k->y, x->w + k->w_contact);
    }
    ZW_TRY(zw_system_grow_predict(k->y, &begin, memory, h, false, x));
    x->t = t + h;
    ZW_TRY(zw_system_grow_correct(k->y, &begin, memory, h, false, x));
    x->t = now;
    *work += energy_of(k, x) - before;
    return ZW_OK;
}

/* The integrator's step while growth goes on at the pace p of `from`: what damps strains does not damp growth. The step knows the energy E_p of a rod whose natural strain is moved
 * by eta p, and takes D = h eta C (e'.e') for dissipated. With X = h eta C (e'.p), which is what E - E_p gains in the step, and Y = h eta C (p.p), what is really dissipated
 * is D - 2 X + Y, h eta C (e' - p)^2, and growth does the work Y - X. */
static zw_status paced_step(growing *k, double t, double h, zw_state *from, zw_state *x1, double *work) {
    double   gained = -energy_of(k, from), power = 0.0, none;
    zw_state middle = *from;
    middle.t = t + 0.5 * h;
    ZW_TRY(zw_system_grow_pace(k->y, &middle, from->w + k->w_memory, &power));
    gained += energy_of(k, from);
    zw_status status = k->ops->refresh != NULL ? k->ops->refresh(k->inner, from) : ZW_OK;
    status = status == ZW_OK ? k->ops->step(k->inner, from, h, x1) : status;
    gained -= status == ZW_OK ? energy_of(k, x1) : 0.0;
    ZW_TRY(zw_system_grow_pace(k->y, from, NULL, &none));
    ZW_TRY(status);
    gained += energy_of(k, x1);
    x1->w[ZW_W_DISSIPATED] += h * power - 2.0 * gained;
    *work += h * power - gained;
    return ZW_OK;
}

static zw_status growing_step(void *self, const zw_state *x0, double h, zw_state *x1) {
    growing *k = self;
    double   work = 0.0, t = x0->t;
    zw_state_copy(&k->n, x0, &k->from);
    ZW_TRY(flow(k, t, 0.5 * h, x0->w + k->w_memory, &k->from, &work));
    memcpy(x1->s, k->from.s, sizeof(double) * (size_t)k->n.ns);
    if (zw_system_damps(k->y)) {
        ZW_TRY(paced_step(k, t, h, &k->from, x1, &work));
    } else {
        ZW_TRY(k->ops->refresh != NULL ? k->ops->refresh(k->inner, &k->from) : ZW_OK);
        ZW_TRY(k->ops->step(k->inner, &k->from, h, x1));
    }
    x1->t = t + h;
    memcpy(x1->w + k->w_memory, x0->w + k->w_memory, sizeof(double) * (size_t)(k->nw - k->w_memory));
    if (k->touched) {
        memset(x1->w + k->w_contact, 0, sizeof(double) * (size_t)k->n.nv);
        k->ops->touch(k->inner, x1, x1->w + k->w_contact);
    }
    ZW_TRY(flow(k, t + 0.5 * h, 0.5 * h, x1->w + k->w_memory, x1, &work));
    ZW_TRY(zw_system_grow_push(k->y, x1, x1->w + k->w_memory));
    x1->w[k->w_work] = x0->w[k->w_work] + work;
    x1->w[ZW_W_WORK] += work;
    return ZW_OK;
}

/* what new nodes do to the lumped energies counts as work of growth */
static zw_status growing_carry(void *self, void *before, const zw_state *x0, zw_state *x) {
    growing *k = self, *from = before;
    ZW_TRY(k->ops->start(k->inner, x));
    double work = energy_of(k, x) - energy_of(from, x0);
    memcpy(x->w, x0->w, sizeof(double) * ZW_W_ACCOUNT);
    x->w[ZW_W_WORK] += work;
    x->w[k->w_work] = x0->w[from->w_work] + work;
    if (k->touched) { /* nobody touched the new nodes yet */
        memset(x->w + k->w_contact, 0, sizeof(double) * (size_t)k->n.nv);
    }
    return ZW_OK;
}

static size_t growing_memory(const void *self) {
    return (size_t)((const growing *)self)->w_memory;
}

static zw_status growing_limit(void *self, const zw_state *x, double *safe, double *sharp) {
    growing *k = self;
    return k->ops->limit(k->inner, x, safe, sharp);
}

static int inner_own(const growing *k) {
    zw_channel channel;
    int        n = 0;
    while (k->ops->own != NULL && n < ZW_OWN_MOST && k->ops->own(k->inner, n, &channel)) {
        n++;
    }
    return n;
}

static bool growing_own(void *self, int i, zw_channel *out) {
    growing *k = self;
    int      n = inner_own(k);
    if (i < n) {
        return k->ops->own(k->inner, i, out);
    }
    if (i > n || n == ZW_OWN_MOST) {
        return false;
    }
    *out = (zw_channel){.rank = 0, .count = 1};
    snprintf(out->name, sizeof out->name, "growth/work");
    snprintf(out->unit, sizeof out->unit, "J");
    return true;
}

static double growing_observe(void *self, const zw_state *x, int i) {
    growing *k = self;
    return i < inner_own(k) ? k->ops->observe(k->inner, x, i) : x->w[k->w_work];
}

static bool growing_over(const void *self) {
    const growing *k = self;
    return k->ops->over != NULL && k->ops->over(k->inner);
}

static void growing_react(void *self, const zw_state *x, double *lambda) {
    growing *k = self;
    if (k->ops->react != NULL) {
        k->ops->react(k->inner, x, lambda);
    }
}

static zw_status create_verlet(zw_system *y, void **out, int *nw) {
    return growing_create(&zw_verlet_ops, y, out, nw);
}

static zw_status create_energy_momentum(zw_system *y, void **out, int *nw) {
    return growing_create(&zw_energy_momentum_ops, y, out, nw);
}

#define GROWING(as, make)                                                                                                         \
    {                                                                                                                             \
        .name = (as), .order = 2, .create = (make), .start = growing_start, .step = growing_step, .limit = growing_limit,         \
        .destroy = growing_destroy, .own = growing_own, .observe = growing_observe, .over = growing_over, .react = growing_react, \
        .carry = growing_carry, .memory = growing_memory                                                                          \
    }

static const zw_integrator_ops within[] = {GROWING("verlet", create_verlet), GROWING("energy-momentum", create_energy_momentum)};

zw_status zw_integrator_for(zw_system *y, const char *name, const zw_integrator_ops **out) {
    *out = zw_integrator_find(name);
    if (*out == NULL || !zw_system_grows(y) || (*out)->grows) {
        return ZW_OK;
    }
    for (size_t i = 0; i < sizeof within / sizeof within[0]; i++) {
        if (strcmp(within[i].name, name) == 0) {
            *out = &within[i];
            return ZW_OK;
        }
    }
    return zw_raise(zw_system_context(y), ZW_E_UNSUPPORTED, "run.integrator",
                    "use verlet, energy-momentum, or run.mode: quasi-static or overdamped", "%s cannot move rods that grow", name);
}

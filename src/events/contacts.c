/* SPDX-License-Identifier: Apache-2.0
 * contacts.c: unilateral constraints in the advance loop. An accepted step is cut at its first event; there the impact happens, contacts begin or end, and
 * the motion goes on from the new velocities, without a past. */
#include "events/contacts.h"

#include "base/number.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double zw_contacts_touch(const zw_contacts *c, int i, const zw_side_look *at) {
    return 64.0 * DBL_EPSILON * fmax(c->memory[i].scale, at->size);
}

bool zw_contacts_still(const zw_contacts *c, int i, const zw_side_look *at) {
    return fabs(at->rate) <= fmax(1e-11 * at->rate_size, 16.0 * DBL_EPSILON * c->memory[i].speed);
}

static zw_status reserve(zw_run *r, zw_contacts *c) {
    zw_arena *a = &r->arena;
    size_t    n = (size_t)c->n, nv = (size_t)r->size.nv, m = (size_t)zw_system_rows_count(r->system) + n, inputs = 1, values = 0;
    for (int i = 0; i < c->n; i++) {
        size_t nz = (size_t)zw_side_inputs(c->side[i]);
        inputs = nz > inputs ? nz : inputs;
        values += (size_t)zw_side_columns(c->side[i]);
    }
    c->memory = zw_arena_alloc(a, n, sizeof *c->memory, "contacts");
    c->N.tile = zw_arena_alloc(a, n, sizeof *c->N.tile, "contacts");
    c->N.block = zw_arena_alloc(a, n, sizeof *c->N.block, "contacts");
    c->N.a = zw_arena_alloc(a, values + 1, sizeof *c->N.a, "contacts");
    c->look = zw_arena_alloc(a, n, sizeof *c->look, "contacts");
    c->pick = zw_arena_alloc(a, n, sizeof *c->pick, "contacts");
    c->mark = zw_arena_alloc(a, 3 * n, sizeof *c->mark, "contacts");
    c->told = zw_arena_alloc(a, n, sizeof *c->told, "contacts");
    c->box = zw_arena_alloc(a, 2 * inputs, sizeof *c->box, "contacts");
    c->impact.side = zw_arena_alloc(a, 2 * n, sizeof *c->impact.side, "contacts");
    size_t  room = n * nv + 3 * nv + 2 * m + 2 * n + nv + (10 + 1 + 1 + 16) * inputs + n * n + 6 * n + (n * n + 40 * n) + 10 * n;
    double *p = zw_arena_alloc(a, room + 16, sizeof *p, "contacts");
    if (!c->memory || !c->N.tile || !c->N.block || !c->N.a || !c->look || !c->pick || !c->mark || !c->told || !c->box || !c->impact.side ||
        !p) {
        return ZW_E_MEMORY;
    }
    c->dropped = c->mark + n;
    c->bound = c->dropped + n;
    c->dbox = c->box + inputs;
    c->impact.order = c->impact.side + n;
    struct {
        double **at;
        size_t   count;
    } const list[] = {{&c->dense, n * nv},
                      {&c->f, nv},
                      {&c->a, nv},
                      {&c->v_before, nv},
                      {&c->b, m + 1},
                      {&c->lambda, m + 1},
                      {&c->mu, n + nv},
                      {&c->c, n},
                      {&c->path, 10 * inputs},
                      {&c->slack, inputs},
                      {&c->z, inputs},
                      {&c->check, 16 * inputs},
                      {&c->impact.G, n * n},
                      {&c->impact.e, n},
                      {&c->impact.before, n},
                      {&c->impact.after, n},
                      {&c->impact.p, n},
                      {&c->impact.u, n},
                      {&c->impact.other, n},
                      {&c->impact.work, n * n + 40 * n},
                      {&c->forces, 9 * n},
                      {&c->held_force, n}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        *list[i].at = p;
        p += list[i].count;
    }
    ZW_TRY(zw_state_create(r->context, &r->size, &c->trial));
    ZW_TRY(zw_state_create(r->context, &r->size, &c->sample));
    ZW_TRY(zw_state_create(r->context, &r->size, &c->from));
    ZW_TRY(zw_solver_create(r->context, &c->solver));
    return zw_unilateral_create(r->context, &c->qp);
}

/* nothing may begin on the wrong side */
static zw_status check_start(zw_run *r, const zw_state *x) {
    zw_contacts *c = r->contacts;
    for (int i = 0; i < c->n; i++) {
        zw_side_look at;
        ZW_TRY(zw_side_at(c->side[i], r->system, x, &at));
        c->memory[i].scale = at.size;
        c->memory[i].slope = at.slope;
        if (at.gap < -zw_contacts_touch(c, i, &at)) {
            char subject[140], number[ZW_NUMBER_TEXT], remedy[160];
            snprintf(subject, sizeof subject, "constraint '%s'", zw_side_name(c->side[i]));
            snprintf(remedy, sizeof remedy, "change the start so that %.100s", zw_side_text(c->side[i]));
            return zw_model_raise(r->model, ZW_E_MODEL, zw_side_where(c->side[i]), subject, remedy,
                                  "interpenetrating start: its gap is %s, and must not be negative", zw_number_short(at.gap, 9, number));
        }
    }
    return ZW_OK;
}

zw_status zw_contacts_create(zw_run *r) {
    zw_side *const *side;
    int             n = zw_system_sides(r->system, &side);
    r->contacts = NULL;
    if (n == 0 || !r->model->events) {
        return ZW_OK;
    }
    if (r->ops->between == NULL) {
        return zw_model_raise(r->model, ZW_E_UNSUPPORTED, r->model->run.at, "run.integrator", "use gauss",
                              "%s locates no impacts, and '%s' is unilateral", r->ops->name, zw_side_name(side[0]));
    }
    zw_contacts *c = zw_arena_alloc(&r->arena, 1, sizeof *c, "contacts");
    if (c == NULL) {
        return ZW_E_MEMORY;
    }
    r->contacts = c;
    c->n = n;
    c->side = side;
    c->law = r->model->contact.law;
    ZW_TRY(reserve(r, c));
    return check_start(r, &r->x[0]);
}

void zw_contacts_destroy(zw_run *r) {
    zw_contacts *c = r->contacts;
    if (c != NULL) {
        zw_state_destroy(r->context, &c->trial);
        zw_state_destroy(r->context, &c->sample);
        zw_state_destroy(r->context, &c->from);
        zw_solver_destroy(c->solver);
        zw_unilateral_destroy(c->qp);
    }
}

zw_status zw_contacts_rebind(zw_run *r, zw_state *x) {
    void        *self = NULL;
    zw_gauss    *gauss = NULL;
    int          nw = 0;
    bool         same = true;
    zw_contacts *c = r->contacts;
    for (int i = 0; i < c->n; i++) {
        same = same && c->bound[i] == (unsigned char)c->memory[i].held;
    }
    if (!same) { /* its memory in w has the same size whatever the rows */
        ZW_TRY(r->ops->create(r->system, &self, &nw));
        zw_status status = zw_gauss_create(r->system, &gauss);
        if (status != ZW_OK) {
            r->ops->destroy(self);
            return status;
        }
        r->ops->destroy(r->integrator);
        zw_gauss_destroy(r->gauss);
        r->integrator = self;
        r->gauss = gauss;
        r->m = zw_system_rows_count(r->system);
        for (int i = 0; i < c->n; i++) {
            c->bound[i] = (unsigned char)c->memory[i].held;
        }
    }
    double work = x->w[ZW_W_WORK], dissipated = x->w[ZW_W_DISSIPATED];
    ZW_TRY(r->ops->start(r->integrator, x));
    x->w[ZW_W_WORK] = work;
    x->w[ZW_W_DISSIPATED] = dissipated;
    return ZW_OK;
}

zw_status zw_contacts_restep(zw_run *r, const zw_state *x0, double h, zw_state *x1) {
    double error, next;
    if (r->adaptive) {
        ZW_TRY(r->ops->adapt(r->integrator, x0, h, r->tolerance, x1, &error, &next));
    } else {
        ZW_TRY(r->ops->step(r->integrator, x0, h, x1));
    }
    x1->t = x0->t + h;
    return ZW_OK;
}

zw_status zw_contacts_begin(zw_run *r) {
    return zw_contacts_settle(r, &r->x[r->now]);
}

zw_status zw_contacts_resume(zw_run *r, const zw_state *x) {
    zw_contacts *c = r->contacts;
    int          n = 0;
    for (int i = 0; i < c->n; i++) {
        c->memory[i].held = c->memory[i].held != 0;
        if (c->memory[i].held) {
            c->pick[n++] = i;
        }
    }
    zw_system_hold(r->system, n, c->pick);
    zw_state_copy(&r->size, x, &c->trial); /* what the integrator keeps beside w comes from a start */
    return zw_contacts_rebind(r, &c->trial);
}

zw_status zw_contacts_settle(zw_run *r, zw_state *x) {
    zw_contacts *c = r->contacts;
    bool         hit;
    memcpy(c->dropped, c->mark, (size_t)c->n);
    memset(c->mark, 0, (size_t)c->n);
    ZW_TRY(zw_contacts_impact(r, x, &hit));
    ZW_TRY(zw_contacts_hold(r, x, c->dropped));
    memset(c->mark, 0, (size_t)c->n);
    return zw_contacts_rebind(r, x);
}

zw_status zw_contacts_meet(zw_run *r, const zw_state *x0, zw_state *x1, bool *met, double *shorter) {
    zw_contacts *c = r->contacts;
    double       h, release;
    bool         undecided, unseen;
    *met = false;
    *shorter = 0.0;
    ZW_TRY(zw_contacts_locate(r, x0, x1, &h, &undecided));
    ZW_TRY(zw_contacts_find_release(r, x0, x1, &release, &unseen));
    if ((undecided || unseen) && !(h == 0.0 || release == 0.0)) {
        *shorter = 0.5 * (x1->t - x0->t);
        return ZW_OK;
    }
    if (release >= 0.0 && (h < 0.0 || release <= h)) {
        h = release;
    } else {
        memset(c->mark, 0, (size_t)c->n);
    }
    if (h < 0.0) {
        return ZW_OK;
    }
    *met = true;
    if (h == 0.0) {
        zw_state_copy(&r->size, x0, x1);
        return ZW_OK;
    }
    if (h < x1->t - x0->t) {
        ZW_TRY(zw_contacts_restep(r, x0, h, x1));
    }
    return ZW_OK;
}

zw_status zw_contacts_lost(zw_run *r, const zw_state *x) {
    char subject[140], time[ZW_NUMBER_TEXT];
    snprintf(subject, sizeof subject, "constraint '%s'", zw_side_name(r->contacts->side[r->contacts->lost]));
    r->tally.outcome = ZW_DIVERGED;
    return zw_raise(
        r->context, ZW_E_CONVERGENCE, subject,
        "see whether the gap is smooth there: abs, max and if make corners; or whether the body slides along the limit without being held",
        "it cannot be told whether its gap closes after t = %s s: neither a root nor its absence can be shown",
        zw_number_short(x->t, 10, time));
}

size_t zw_contacts_save_size(const zw_run *r) {
    return r->contacts != NULL ? (size_t)r->contacts->n * sizeof(zw_contact_memory) : 0;
}

zw_status zw_contacts_step(zw_run *r, const zw_state *x0, double h, double t1, zw_state *x1) {
    enum { MOST = 1000000 };
    zw_contacts *c = r->contacts;
    double       least = 1e-13 * h;
    zw_state_copy(&r->size, x0, &c->from);
    for (int i = 0; i < MOST; i++) {
        double to = t1, shorter;
        bool   met;
        for (;;) {
            double length = i == 0 && to == t1 ? h : to - c->from.t;
            ZW_TRY(r->ops->step(r->integrator, &c->from, length, x1));
            x1->t = to;
            ZW_TRY(zw_contacts_meet(r, &c->from, x1, &met, &shorter));
            if (shorter == 0.0) {
                break;
            }
            ZW_TRY(shorter < least ? zw_contacts_lost(r, &c->from) : ZW_OK);
            to = c->from.t + shorter;
        }
        if (met) {
            ZW_TRY(zw_contacts_settle(r, x1));
        }
        if (t1 - x1->t <= least) {
            return ZW_OK;
        }
        zw_state_copy(&r->size, x1, &c->from);
    }
    char time[ZW_NUMBER_TEXT];
    return zw_raise(r->context, ZW_E_CONVERGENCE, "run.step", "use a smaller step", "%d events in the step after t = %s s", MOST,
                    zw_number_short(x0->t, 8, time));
}

/* SPDX-License-Identifier: Apache-2.0
 * contacts.c: unilateral constraints in the advance loop. An accepted step is cut at its first event; there the impact happens, contacts begin or end, and
 * the motion goes on from the new velocities, without a past. */
#include "events/contacts.h"

#include "base/number.h"
#include "parts/rigid.h"
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

int zw_contacts_holding(const zw_contacts *c) {
    int n = 0;
    for (int i = 0; i < c->n; i++) {
        n += c->memory[i].held == 1;
    }
    return n;
}

/* what grows with the square of the contacts, or with them and the velocities: for as many as ever touch at once */
zw_status zw_contacts_make_room(zw_run *r, int n) {
    zw_contacts *c = r->contacts;
    if (n <= c->room) {
        return ZW_OK;
    }
    size_t  most = (size_t)n < 2 * (size_t)c->room ? 2 * (size_t)c->room : (size_t)n, nv = (size_t)r->size.nv;
    double *p = zw_alloc(r->context, most * nv + 2 * most * most + 40 * most, sizeof *p, "contacts");
    if (p == NULL) {
        return ZW_E_MEMORY;
    }
    zw_free(r->context, c->grown);
    c->grown = c->dense = p;
    c->impact.G = c->dense + most * nv;
    c->impact.work = c->impact.G + most * most;
    c->room = (int)most;
    return ZW_OK;
}

static zw_status reserve(zw_run *r, zw_contacts *c) {
    zw_arena *a = &r->arena;
    size_t    n = (size_t)c->n, nv = (size_t)r->size.nv, m = (size_t)zw_system_rows_count(r->system) + 3 * n, inputs = 1, values = 0,
           blocks = 0;
    for (int i = 0; i < c->n; i++) {
        size_t nz = (size_t)zw_side_inputs(c->side[i]);
        inputs = nz > inputs ? nz : inputs;
        values += (size_t)zw_side_columns(c->side[i]);
        blocks += (size_t)zw_side_blocks(c->side[i]);
    }
    c->memory = zw_arena_alloc(a, n, sizeof *c->memory, "contacts");
    c->N.tile = zw_arena_alloc(a, n, sizeof *c->N.tile, "contacts");
    c->N.block = zw_arena_alloc(a, blocks + 1, sizeof *c->N.block, "contacts");
    c->N.a = zw_arena_alloc(a, values + 1, sizeof *c->N.a, "contacts");
    c->look = zw_arena_alloc(a, n, sizeof *c->look, "contacts");
    c->pick = zw_arena_alloc(a, n, sizeof *c->pick, "contacts");
    c->mark = zw_arena_alloc(a, 3 * n, sizeof *c->mark, "contacts");
    c->told = zw_arena_alloc(a, n, sizeof *c->told, "contacts");
    c->box = zw_arena_alloc(a, 2 * inputs, sizeof *c->box, "contacts");
    c->impact.side = zw_arena_alloc(a, 2 * n, sizeof *c->impact.side, "contacts");
    size_t  room = 3 * nv + 2 * m + 2 * n + nv + (10 + 1 + 1 + 16) * inputs + 6 * n + 10 * n;
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
    } const list[] = {{&c->f, nv},
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
                      {&c->impact.e, n},
                      {&c->impact.before, n},
                      {&c->impact.after, n},
                      {&c->impact.p, n},
                      {&c->impact.u, n},
                      {&c->impact.other, n},
                      {&c->forces, 9 * n},
                      {&c->held_force, n}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        *list[i].at = p;
        p += list[i].count;
    }
    ZW_TRY(zw_state_create(r->context, &r->size, &c->trial));
    ZW_TRY(zw_state_create(r->context, &r->size, &c->sample));
    ZW_TRY(zw_state_create(r->context, &r->size, &c->from));
    for (int k = 0; k < ZW_PATH_STATES - 2; k++) {
        ZW_TRY(zw_state_create(r->context, &r->size, &c->along[k]));
    }
    for (int k = 0; k < 2; k++) {
        ZW_TRY(zw_state_create(r->context, &r->size, &c->real[k]));
    }
    ZW_TRY(zw_contacts_make_room(r, c->n < 8 ? c->n : 8));
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
    ZW_TRY(zw_impact_joints_reserve(r));
    ZW_TRY(zw_stick_reserve(r));
    ZW_TRY(zw_contacts_reserve_pairs(r));
    ZW_TRY(zw_contacts_check_pairs(r, &r->x[0]));
    return check_start(r, &r->x[0]);
}

void zw_contacts_destroy(zw_run *r) {
    zw_contacts *c = r->contacts;
    if (c != NULL) {
        zw_state_destroy(r->context, &c->trial);
        zw_state_destroy(r->context, &c->sample);
        zw_state_destroy(r->context, &c->from);
        for (int k = 0; k < ZW_PATH_STATES - 2; k++) {
            zw_state_destroy(r->context, &c->along[k]);
        }
        for (int k = 0; k < 2; k++) {
            zw_state_destroy(r->context, &c->real[k]);
        }
        zw_free(r->context, c->grown);
        zw_stick_destroy(r);
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
        same = same && c->bound[i] == (c->memory[i].held == 1);
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
            c->bound[i] = c->memory[i].held == 1;
        }
    }
    double work = x->w[ZW_W_WORK], dissipated = x->w[ZW_W_DISSIPATED];
    ZW_TRY(r->ops->start(r->integrator, x));
    x->w[ZW_W_WORK] = work;
    x->w[ZW_W_DISSIPATED] = dissipated;
    return ZW_OK;
}

zw_status zw_contacts_restep(zw_run *r, const zw_state *x0, double h, zw_state *x1) {
    double    error, next;
    zw_status status = ZW_E_RANK;
    for (int k = 0; k < 3 && status == ZW_E_RANK;
         k++) { /* rows of contacts that become dependent just here are chosen anew here: land beside it */
        double part = k == 0 ? h : h * (1.0 - (k == 1 ? 1e-12 : 1e-9));
        if (k > 0) {
            zw_error_clear(r->context);
        }
        status = r->adaptive ? r->ops->adapt(r->integrator, x0, part, r->tolerance, x1, &error, &next)
                             : r->ops->step(r->integrator, x0, part, x1);
        x1->t = x0->t + part;
        if (r->contacts == NULL || zw_contacts_holding(r->contacts) == 0) {
            break;
        }
    }
    return status;
}

zw_status zw_contacts_begin(zw_run *r) {
    return zw_contacts_settle(r, &r->x[r->now]);
}

zw_status zw_contacts_resume(zw_run *r, const zw_state *x) {
    zw_contacts *c = r->contacts;
    int          n = 0;
    for (int i = 0; i < c->n; i++) {
        c->memory[i].held = c->memory[i].held >= 0 && c->memory[i].held <= 2 ? c->memory[i].held : 0;
        c->side[i]->anchor = c->memory[i].anchor;
        if (c->memory[i].held == 1) {
            c->pick[n++] = i;
        }
    }
    zw_system_hold(r->system, n, c->pick);
    zw_state_copy(&r->size, x, &c->trial); /* what the integrator keeps beside w comes from a start */
    return zw_contacts_rebind(r, &c->trial);
}

/* room for all that touch here */
static zw_status count_closed(zw_run *r, const zw_state *x) {
    zw_contacts *c = r->contacts;
    int          n = 0;
    for (int i = 0; i < c->n; i++) {
        zw_side_look at;
        ZW_TRY(zw_side_at(c->side[i], r->system, x, &at));
        n += c->memory[i].held || at.gap <= zw_contacts_touch(c, i, &at);
    }
    return zw_contacts_make_room(r, n);
}

zw_status zw_contacts_settle(zw_run *r, zw_state *x) {
    zw_contacts *c = r->contacts;
    bool         hit;
    ZW_TRY(count_closed(r, x));
    memcpy(c->dropped, c->mark, (size_t)c->n);
    memset(c->mark, 0, (size_t)c->n);
    ZW_TRY(zw_contacts_impact(r, x, &hit));
    for (int i = 0; i < c->n; i++) { /* what was let go at this time stays so, unless an impact changes the velocities */
        c->memory[i].let_go = c->dropped[i] ? 1.0 + x->t : c->memory[i].let_go;
        c->dropped[i] = c->dropped[i] || (!hit && c->memory[i].let_go == 1.0 + x->t);
    }
    ZW_TRY(zw_contacts_hold(r, x, c->dropped));
    memset(c->mark, 0, (size_t)c->n);
    return zw_contacts_rebind(r, x);
}

/* Planar bodies turn evenly in flight, so that a step may be of any length; their quaternions are polynomials, with a distance that can be measured at a few
 * places, over about a radian only. (Bodies in space take no longer steps: gauss_adapt.c.) */
static double turns(const zw_run *r, const zw_state *x0, const zw_state *x1) {
    const zw_part *part;
    int            n = zw_system_parts(r->system, &part);
    double         most = 0.0;
    for (int p = 0; p < n; p++) {
        const zw_rigids *all = part[p].self;
        for (int i = 0; part[p].ops == &zw_rigids_ops && i < all->nbodies; i++) {
            int column = part[p].v0 + all->body[i].v0;
            if (all->body[i].planar) {
                most = fmax(most, fmax(fabs(x0->v[column]), fabs(x1->v[column])));
            }
        }
    }
    return most * (x1->t - x0->t);
}

zw_status zw_contacts_meet(zw_run *r, const zw_state *x0, zw_state *x1, bool *met, double *shorter) {
    zw_contacts *c = r->contacts;
    double       h, release, end;
    bool         undecided, unseen, overlap = false, pressed;
    int          who = 0;
    *met = false;
    *shorter = 0.0;
    double turned = turns(r, x0, x1);
    if (turned > 2.0) {
        *shorter = 1.9 / turned * (x1->t - x0->t);
        return ZW_OK;
    }
    ZW_TRY(zw_contacts_locate(r, x0, x1, &h, &undecided));
    ZW_TRY(zw_contacts_find_release(r, x0, x1, &release, &unseen));
    if ((undecided || unseen) && !(h == 0.0 || release == 0.0)) {
        *shorter = 0.5 * (x1->t - x0->t);
        return ZW_OK;
    }
    ZW_TRY(zw_contacts_find_end(r, x0, x1, &end, &who));
    if (release >= 0.0 && (h < 0.0 || release <= h) && (end < 0.0 || release < end)) {
        h = release;
    } else {
        memset(c->mark, 0, (size_t)c->n);
        if (end >= 0.0 && (h < 0.0 || end <= h)) {
            h = end;
            c->mark[who] = 1;
        }
    }
    if (h < 0.0) { /* nothing was found: the forms themselves must agree */
        ZW_TRY(zw_contacts_overlap(r, x1, &overlap));
        ZW_TRY(zw_contacts_watch_riders(r, x1, &pressed));
        *shorter = overlap || pressed ? 0.5 * (x1->t - x0->t) : 0.0;
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
        bool   met, choose = false;
        for (;;) {
            double    length = i == 0 && to == t1 ? h : to - c->from.t;
            zw_status status = r->ops->step(r->integrator, &c->from, length, x1);
            if (status == ZW_E_RANK && zw_contacts_holding(c) > 0 && 0.5 * length > least) { /* rows become dependent: chosen anew before */
                zw_error_clear(r->context);
                choose = true;
                to = c->from.t + 0.5 * length;
                continue;
            }
            ZW_TRY(status);
            x1->t = to;
            ZW_TRY(zw_contacts_meet(r, &c->from, x1, &met, &shorter));
            if (shorter == 0.0) {
                break;
            }
            ZW_TRY(shorter < least ? zw_contacts_lost(r, &c->from) : ZW_OK);
            to = c->from.t + shorter;
        }
        if (met || choose) {
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

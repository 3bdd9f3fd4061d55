/* SPDX-License-Identifier: Apache-2.0
 * impact.c: v- -> v+ at a state where gaps are closed and some of them come on:  M (v+ - v-) = A' lambda + N' p,  A v+ = b.
 * The equations of the model (joints, rolling) take up their share at once: P = M^-1 - M^-1 A' (A M^-1 A')^-1 A M^-1, and all laws work with G = N P N'.
 * Moreau's law is the projection  min 1/2 |v+ - v-|^2_M  with  A v+ = b,  N v+ + g_t >= -e min(N v- + g_t, 0).
 * Contacts that last are closed gaps like others: an impact elsewhere may press or open them.
 * Energy: each contact loses -p (u+ + u-)/2; walls that move do the work -p g_t. */
#include "events/contacts.h"

#include "base/number.h"
#include "steps/blame.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double energy_of(zw_run *r, const zw_state *x) {
    zw_account a;
    zw_system_account(r->system, x, &a);
    return a.kinetic + a.elastic + a.potential;
}

/* row i of N times a vector of velocities */
static double row_times(const zw_rows *N, int i, const double *v) {
    return zw_side_row_times(N, i, v, false);
}

static zw_status no_direction(zw_run *r, int side, double t) {
    char subject[140], time[ZW_NUMBER_TEXT];
    snprintf(subject, sizeof subject, "constraint '%s'", zw_side_name(r->contacts->side[side]));
    return zw_model_raise(r->model, ZW_E_MODEL, zw_side_where(r->contacts->side[side]), subject,
                          "write f so that its gradient does not vanish where it is 0, and see whether the body can move there at all",
                          "the gradient of f vanishes at the contact at t = %s s, or the other constraints allow no motion along it",
                          zw_number_short(t, 8, time));
}

/* rows of the closed gaps, P N' and G; the equations are those of the model alone */
static zw_status prepare(zw_run *r, const zw_state *x) {
    static const zw_rows no_rows = {0};
    zw_contacts         *c = r->contacts;
    zw_impact           *k = &c->impact;
    const zw_rows       *A = &no_rows;
    int                  n = k->n, nv = r->size.nv, m;
    zw_system_hold(r->system, 0, NULL);
    m = zw_system_rows_count(r->system);
    c->N.m = c->N.ntiles = c->N.nblocks = 0;
    c->N.nvalues = 0;
    for (int i = 0; i < n; i++) {
        ZW_TRY(zw_side_row(c->side[k->side[i]], r->system, x, k->side[i], &c->N));
    }
    if (m > 0) {
        ZW_TRY(zw_system_rows(r->system, x, &A));
    }
    ZW_TRY(zw_solver_factor(c->solver, zw_system_mass(r->system, x), A, NULL));
    memset(c->b, 0, sizeof(double) * (size_t)(m + 1));
    for (int i = 0; i < n; i++) {
        memset(c->f, 0, sizeof(double) * (size_t)nv);
        zw_side_row_put(&c->N, i, c->f);
        zw_solver_metric_inverse(c->solver, c->f, c->a);
        double alone = row_times(&c->N, i, c->a);
        ZW_TRY(zw_blame(r->system, c->solver, zw_solver_solve(c->solver, c->f, c->b, c->dense + (ptrdiff_t)i * nv, c->lambda, NULL)));
        for (int j = 0; j < n; j++) {
            k->G[(ptrdiff_t)j * n + i] = row_times(&c->N, j, c->dense + (ptrdiff_t)i * nv);
        }
        double slope = c->look[k->side[i]].slope, here = k->G[(ptrdiff_t)i * n + i];
        if (!(slope > 1e-9 * c->memory[k->side[i]].slope) || !(here > 1e-13 * alone)) {
            return no_direction(r, k->side[i], x->t);
        }
    }
    for (int i = 0; i < n; i++) { /* symmetric by nature, to round-off by computation */
        for (int j = 0; j < i; j++) {
            double mean = 0.5 * (k->G[(ptrdiff_t)i * n + j] + k->G[(ptrdiff_t)j * n + i]);
            k->G[(ptrdiff_t)i * n + j] = k->G[(ptrdiff_t)j * n + i] = mean;
        }
    }
    return ZW_OK;
}

/* N' p */
static void push_of(zw_run *r, double *out) {
    zw_contacts *c = r->contacts;
    memset(out, 0, sizeof(double) * (size_t)r->size.nv);
    for (int i = 0; i < c->impact.n; i++) {
        const zw_tile *tile = &c->N.tile[i];
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            const zw_block *b = &c->N.block[k];
            for (int j = 0; j < b->ncol; j++) {
                out[b->col0 + j] += c->impact.p[i] * c->N.a[b->a + j];
            }
        }
    }
}

/* Moreau's projection, by the kernel */
static zw_status project(zw_run *r, const zw_state *x, double *dv) {
    static const zw_rows no_rows = {0};
    zw_contacts         *c = r->contacts;
    zw_impact           *k = &c->impact;
    const zw_rows       *A = &no_rows;
    zw_unilateral_info   info;
    if (zw_system_rows_count(r->system) > 0) {
        ZW_TRY(zw_system_rows(r->system, x, &A));
    }
    memset(c->b, 0, sizeof(double) * (size_t)(A->m + 1));
    memset(c->f, 0, sizeof(double) * (size_t)r->size.nv);
    for (int i = 0; i < k->n; i++) {
        c->c[i] = -k->e[i] * fmin(k->before[i], 0.0) - k->before[i];
    }
    ZW_TRY(zw_unilateral_solve(c->qp, zw_system_mass(r->system, x), A, &c->N, c->f, c->b, c->c, dv, c->lambda, k->p, &info));
    for (int i = 0; i < k->n; i++) {
        k->after[i] = k->before[i] + row_times(&c->N, i, dv);
    }
    return ZW_OK;
}

/* what an impact brings to rest is at rest, and not at the round-off of its motion: there redundant rows would contradict each other */
static void stop(zw_run *r, zw_state *x) {
    const zw_impact *k = &r->contacts->impact;
    zw_account       a;
    double           change = r->contacts->slid; /* 1/2 |v+ - v-|^2_M */
    for (int i = 0; i < k->n; i++) {
        change += 0.5 * k->p[i] * (k->after[i] - k->before[i]);
    }
    zw_system_account(r->system, x, &a);
    if (a.kinetic <= 1e-26 * change) {
        memset(x->v, 0, sizeof(double) * (size_t)r->size.nv);
    }
}

static zw_status apply(zw_run *r, zw_state *x, zw_impact_law law) {
    zw_contacts *c = r->contacts;
    zw_impact   *k = &c->impact;
    int          nv = r->size.nv;
    double      *dv = c->a;
    c->slid = 0.0;
    memset(k->other, 0, sizeof(double) * (size_t)k->n);
    if (law == ZW_LAW_STICK) {
        ZW_TRY(zw_stick_impact(r, x, dv, c->push, &c->slid));
    } else {
        ZW_TRY(zw_impact_apply(r->context, k, law, x->t));
    }
    if (law == ZW_LAW_MOREAU) {
        ZW_TRY(project(r, x, dv));
    } else if (law != ZW_LAW_STICK) {
        memset(dv, 0, sizeof(double) * (size_t)nv);
        for (int i = 0; i < k->n; i++) {
            for (int l = 0; l < nv; l++) {
                dv[l] += k->p[i] * c->dense[(ptrdiff_t)i * nv + l];
            }
        }
    }
    if (law != ZW_LAW_STICK) {
        push_of(r, c->push);
    }
    for (int l = 0; l < nv; l++) {
        x->v[l] += dv[l];
    }
    stop(r, x);
    return ZW_OK;
}

/* the closed gaps of a state; *coming: some of them come on */
static zw_status collect(zw_run *r, const zw_state *x, bool *coming) {
    zw_contacts *c = r->contacts;
    zw_impact   *k = &c->impact;
    k->n = 0;
    *coming = false;
    for (int i = 0; i < c->n; i++) {
        zw_side_look *at = &c->look[i];
        ZW_TRY(zw_side_at(c->side[i], r->system, x, at));
        double touch = zw_contacts_touch(c, i, at);
        c->memory[i].scale = fmax(c->memory[i].scale, at->size);
        c->memory[i].slope = fmax(c->memory[i].slope, at->slope);
        c->memory[i].speed = fmax(c->memory[i].speed, at->rate_size);
        if (!c->memory[i].held && at->gap > touch) {
            continue;
        }
        bool still = zw_contacts_still(c, i, at);
        bool slides = false;
        ZW_TRY(zw_stick_slides(r, x, i, at, &slides));
        *coming = *coming || (at->rate < 0.0 && !still) || (slides && !c->dropped[i]);
        k->before[k->n] = still ? 0.0 : at->rate;
        k->side[k->n++] = i;
    }
    return ZW_OK;
}

/* infinitely many impacts are left in a time that is known: they end at rest */
static zw_status end_of_sequence(zw_run *r, const zw_state *x, double *left, int *whose) {
    zw_contacts *c = r->contacts;
    zw_impact   *k = &c->impact;
    *left = 0.0;
    for (int i = 0; i < k->n; i++) {
        double limit = 0.0;
        if (k->before[i] < 0.0 && k->after[i] > 0.0 && k->e[i] < 1.0) {
            ZW_TRY(zw_contacts_accumulates(r, x, k->side[i], k->after[i], k->e[i], &limit));
        }
        if (limit > *left) {
            *left = limit;
            *whose = i;
        }
    }
    return ZW_OK;
}

zw_status zw_contacts_impact(zw_run *r, zw_state *x, bool *hit) {
    zw_contacts *c = r->contacts;
    zw_impact   *k = &c->impact;
    double       left = 0.0;
    int          whose = 0;
    ZW_TRY(collect(r, x, hit));
    if (!*hit) {
        return ZW_OK;
    }
    if (zw_system_rows_nonlinear(r->system)) {
        char time[ZW_NUMBER_TEXT];
        return zw_raise(r->context, ZW_E_UNSUPPORTED, "contact", "write the constraint linear in the velocities",
                        "an impact at t = %s s meets a constraint that is nonlinear in the velocities: no law says what it does then",
                        zw_number_short(x->t, 8, time));
    }
    memset(k->e, 0, sizeof(double) * (size_t)k->n);
    for (int i = 0; i < k->n && c->law != ZW_LAW_STICK; i++) {
        ZW_TRY(zw_side_restitution(c->side[k->side[i]], r->system, x, &k->e[i]));
    }
    double energy = energy_of(r, x), work = 0.0, lost;
    ZW_TRY(prepare(r, x));
    k->condition = zw_impact_condition(k);
    k->order_dependent = false;
    memcpy(c->v_before, x->v, sizeof(double) * (size_t)r->size.nv); /* v- */
    ZW_TRY(apply(r, x, c->law));
    ZW_TRY(end_of_sequence(r, x, &left, &whose));
    if (left > 0.0) { /* the rest of the sequence in one: plastic */
        memcpy(x->v, c->v_before, sizeof(double) * (size_t)r->size.nv);
        memset(k->e, 0, sizeof(double) * (size_t)k->n);
        ZW_TRY(prepare(r, x));
        ZW_TRY(apply(r, x, k->n > 1 ? ZW_LAW_MOREAU : ZW_LAW_REFLECT));
    }
    lost = c->slid;
    for (int i = 0; i < k->n; i++) {
        int                side = k->side[i];
        zw_contact_memory *memory = &c->memory[side];
        lost -= 0.5 * k->p[i] * (k->before[i] + k->after[i]);
        work -= k->p[i] * c->look[side].drive;
        c->told[i] = (zw_event_contact){.side = side,
                                        .impulse = k->p[i],
                                        .before = k->before[i],
                                        .after = k->after[i],
                                        .slide = c->law == ZW_LAW_STICK ? k->other[i] : 0.0};
        if (k->before[i] < 0.0 && k->p[i] > 0.0) {
            memory->last[1] = memory->last[0];
            memory->last[0] = x->t;
            memory->hits++;
        }
    }
    x->w[ZW_W_WORK] += work;
    x->w[ZW_W_DISSIPATED] += lost;
    r->tally.lost += lost;
    zw_event_record told = {.t = x->t + left,
                            .kind = left > 0.0 ? ZW_EVENT_ZENO : ZW_EVENT_IMPACT,
                            .law = c->law,
                            .ncontacts = k->n,
                            .contact = c->told,
                            .energy_before = energy,
                            .energy_after = energy_of(r, x),
                            .dissipated = lost,
                            .condition = k->condition,
                            .order_dependent = k->order_dependent};
    ZW_TRY(zw_impact_joints(r, x, c->push, &told));
    return zw_contacts_tell(r, &told);
}

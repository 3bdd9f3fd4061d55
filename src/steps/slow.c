/* SPDX-License-Identifier: Apache-2.0
 * slow.c: equations of motion without inertia, and what a step keeps of them in w. See slow.h. */
#include "steps/slow.h"

#include "base/context.h"
#include "model/model.h"
#include "steps/implicit_contact.h"
#include "steps/neutral.h"

#include <stdio.h>
#include <string.h>

enum { HOLD_WORDS = 2 + ZW_REST_HOLDS, PUSH_WORDS = 3 };

/* what has no place in motion without inertia */
static zw_status check_model(const zw_slow *e) {
    const zw_model *m = e->y->model;
    char            what[160], mode[40];
    double          mu = 0.0;
    snprintf(mode, sizeof mode, "run.mode: %s", e->mode);
    for (int i = 0; i < m->nbodies; i++) {
        if (m->bodies[i].kind == ZW_BODY_FIELD) {
            return zw_model_raise(m, ZW_E_UNSUPPORTED, m->run.at, mode, "put the field into a model of its own",
                                  "the field '%s' has no statics", m->bodies[i].name);
        }
    }
    for (int i = 0; i < e->y->nconstraints; i++) {
        if (e->y->constraint[i].velocity_only) {
            return zw_model_raise(m, ZW_E_UNSUPPORTED, m->run.at, e->y->constraint[i].name, "leave the row out, or use mode: dynamic",
                                  "a row on velocities holds nothing in a motion without inertia, and this is mode: %s", e->mode);
        }
    }
    if (m->contact.friction.node != 0) {
        ZW_TRY(zw_model_constant(m, m->contact.friction, "contact.friction", &mu));
    }
    if (mu > 0.0 && zw_model_meets(m, what, sizeof what)) {
        return zw_model_raise(m, ZW_E_UNSUPPORTED, m->contact.friction.at, "contact.friction", "set it to 0, or use mode: dynamic",
                              "%s has contacts without friction only; %s", e->mode, what);
    }
    return ZW_OK;
}

static zw_status reserve(zw_slow *e) {
    zw_implicit *k = &e->k;
    size_t       nv = (size_t)k->n.nv + 1, m = (size_t)k->m + 1, nz = (size_t)e->rest.room + 1, modes = ZW_SLOW_MODES * nz;
    double      *all = zw_arena_alloc(&k->arena, 3 * nv + 2 * m + 2 * nz + modes, sizeof *all, "the integrator");
    if (all == NULL) {
        return ZW_E_MEMORY;
    }
    e->u = all;
    e->f = e->u + nv;
    e->g = e->f + nv;
    e->lambda = e->g + nv;
    e->drive = e->lambda + m;
    e->z = e->drive + m;
    e->zok = e->z + nz;
    e->mode_shape = e->zok + nz;
    if (k->contacts != NULL) {
        int blocks, values;
        zw_meet_row_most(k->contacts->set.meet, &blocks, &values);
        e->row.tile = zw_arena_alloc(&k->arena, 1, sizeof *e->row.tile, "contacts");
        e->row.block = zw_arena_alloc(&k->arena, (size_t)blocks, sizeof *e->row.block, "contacts");
        e->row.a = zw_arena_alloc(&k->arena, (size_t)values, sizeof *e->row.a, "contacts");
        if (e->row.tile == NULL || e->row.block == NULL || e->row.a == NULL) {
            return ZW_E_MEMORY;
        }
    }
    ZW_TRY(zw_state_create(e->c, &e->size, &e->at));
    return zw_state_create(e->c, &e->size, &e->back);
}

zw_status zw_slow_create(zw_system *y, const char *mode, int own, zw_slow *e) {
    zw_state  x = {0};
    zw_status status = ZW_OK;
    *e = (zw_slow){.y = y, .c = zw_system_context(y), .mode = mode, .grows = zw_system_grows(y)};
    ZW_TRY(check_model(e));
    ZW_TRY(zw_implicit_stays(y, mode));
    ZW_TRY(zw_implicit_create(y, &e->k));
    ZW_TRY_GOTO(zw_state_create(e->c, &e->k.n, &x), fail);
    ZW_TRY_GOTO(zw_system_start(y, &x), fail);
    ZW_TRY_GOTO(zw_rest_create(&e->k, &x, &e->rest), fail);
    e->rest.subject = "run";
    e->touched = e->grows && e->k.contacts != NULL && zw_system_grow_touched(y);
    for (int i = 0; i < y->nloads; i++) {
        e->follows = e->follows || y->load[i].directors || y->load[i].moment || y->load[i].field.of_space;
    }
    e->room = e->k.contacts != NULL ? e->rest.room - e->rest.nz : 0;
    e->w_hold = ZW_W_ACCOUNT + e->k.m;
    e->w_own = e->w_hold + HOLD_WORDS;
    e->w_push = e->w_own + own;
    e->w_grow = e->w_push + (e->room > 0 ? 1 + PUSH_WORDS * e->room : 0);
    e->size = e->k.n;
    e->size.nw = e->w_grow + (int)(e->grows ? zw_system_grow_memory(y) : 0);
    ZW_TRY_GOTO(reserve(e), fail);
    zw_state_destroy(e->c, &x);
    return ZW_OK;
fail:
    zw_state_destroy(e->c, &x);
    zw_slow_destroy(e);
    return status;
}

void zw_slow_destroy(zw_slow *e) {
    if (e->c == NULL) {
        return;
    }
    zw_state_destroy(e->c, &e->at);
    zw_state_destroy(e->c, &e->back);
    zw_rest_destroy(&e->rest);
    zw_implicit_destroy(&e->k);
    *e = (zw_slow){0};
}

zw_status zw_slow_recall(zw_slow *e, const zw_state *x) {
    zw_rest      *s = &e->rest;
    const double *hold = x->w + e->w_hold;
    if (e->k.contacts != NULL) { /* nobody takes part: who does is found anew */
        ZW_TRY(zw_implicit_contacts_use(&e->k, x, false));
        const double *push = x->w + e->w_push;
        s->kept.n = (int)push[0];
        for (int i = 0; i < s->kept.n; i++) {
            const double *one = push + 1 + PUSH_WORDS * (size_t)i;
            s->kept.id[i] = (int64_t)one[0] * 4294967296 + (int64_t)one[1];
            s->kept.p[i] = one[2];
        }
    }
    s->recall = e->k.contacts != NULL;
    s->margin = 0.02 * s->reach;
    s->sigma = 0.0;
    s->nholds = (int)hold[0];
    s->soft = hold[1] != 0.0;
    for (int i = 0; i < s->nholds; i++) {
        s->hold[i] = (int)hold[2 + i];
    }
    memset(e->k.z, 0, sizeof(double) * (size_t)e->k.nz);
    zw_rest_set_forces(s, x->w + ZW_W_ACCOUNT, e->k.z);
    return ZW_OK;
}

void zw_slow_keep(zw_slow *e, zw_state *x) {
    zw_rest *s = &e->rest;
    double  *hold = x->w + e->w_hold;
    zw_rest_forces(s, e->k.z, x->w + ZW_W_ACCOUNT);
    memset(hold, 0, sizeof(double) * HOLD_WORDS);
    hold[0] = s->nholds;
    hold[1] = s->soft ? 1.0 : 0.0;
    for (int i = 0; i < s->nholds; i++) {
        hold[2 + i] = s->hold[i];
    }
    if (e->k.contacts == NULL) {
        return;
    }
    double *push = x->w + e->w_push;
    int     n = 0;
    memset(push, 0, sizeof(double) * (1 + PUSH_WORDS * (size_t)e->room));
    zw_rest_pushes_keep(s, &s->kept);
    for (int i = 0; i < s->kept.n; i++) {
        if (s->kept.p[i] > 0.0) {
            double *one = push + 1 + PUSH_WORDS * (size_t)n++;
            int64_t high = s->kept.id[i] / 4294967296, low = s->kept.id[i] % 4294967296;
            one[0] = (double)high;
            one[1] = (double)low;
            one[2] = s->kept.p[i];
        }
    }
    push[0] = n;
}

void zw_slow_carry(zw_slow *e, const zw_slow *before, const zw_state *x0, int own, zw_state *x) {
    memset(x->w, 0, sizeof(double) * (size_t)e->w_grow); /* pushes and holds are found anew: they are numbered otherwise */
    memcpy(x->w, x0->w, sizeof(double) * (size_t)(ZW_W_ACCOUNT + (e->k.m == before->k.m ? e->k.m : 0)));
    memcpy(x->w + e->w_own, x0->w + before->w_own, sizeof(double) * (size_t)own);
    memset(x->v, 0, sizeof(double) * (size_t)e->k.n.nv);
}

zw_status zw_slow_hold(zw_slow *e, const zw_state *x, zw_equilibrium_info *info) {
    zw_rest *s = &e->rest;
    bool     loaded, many;
    ZW_TRY(zw_neutral_hold(s, x, s->phi, &loaded, &many));
    ZW_TRY(zw_rest_look(s, x, true));
    if (!zw_rest_factor(s, &info->below)) {
        info->below = -1;
    }
    return ZW_OK;
}

/* what is known by differences only (contacts, joints beside nodes) is not symmetric to the last bit */
bool zw_slow_lopsided(const zw_slow *e) {
    return e->rest.asymmetry > (e->follows && !e->rest.meets && e->rest.drag == 0.0 ? 1e-12 : 1e-6);
}

int zw_slow_below(const zw_slow *e, const zw_equilibrium_info *info) {
    return zw_slow_lopsided(e) ? (zw_blocklu_sign(&e->k.lu) > 0 ? 0 : 1) : info->below;
}

/* SPDX-License-Identifier: Apache-2.0
 * probes.c: the numbers a user asked for, at a state. Expressions read the probes before them by their input slots. */
#include "events/run.h"

#include "math/quat.h"
#include "parts/lagrangian.h"
#include "rows/along.h"
#include "rows/joint.h"
#include "system/track.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_place(zw_probe_kind kind) {
    return kind <= ZW_PROBE_MOMENT;
}

static zw_status bind_probe(zw_run *r, int i, int *work) {
    const zw_model     *m = r->model;
    const zw_probe_def *p = &m->probes[i];
    char                subject[128];
    snprintf(subject, sizeof subject, "probes.%s", p->name);
    if (has_place(p->kind)) {
        ZW_TRY(zw_system_bind_place(r->system, &p->place, subject, &r->probe_place[i]));
        r->needs_multipliers = r->needs_multipliers || ((p->kind == ZW_PROBE_FORCE || p->kind == ZW_PROBE_DRIVING) &&
                                                        zw_system_held(r->system, &r->probe_place[i]));
    } else if (p->kind == ZW_PROBE_LENGTH || (p->kind == ZW_PROBE_ENERGY && p->energy == ZW_ENERGY_BODY)) {
        r->probe_place[i] = (zw_place){.part = r->system->body_part[p->place.body], .body = r->system->body_index[p->place.body]};
    } else if (p->kind == ZW_PROBE_REACTION || p->kind == ZW_PROBE_MULTIPLIER) {
        r->needs_multipliers = true;
        r->probe_place[i].element = -1; /* a section of what acts along a rod; -1: all of them */
        if (p->place.s.node != 0 && (p->along >= 0 || p->foundation >= 0)) {
            double s = 0.0;
            ZW_TRY(zw_model_constant(m, p->place.s, subject, &s));
            r->probe_place[i].element = p->along >= 0 ? zw_along_nearest(r->system->constraint[r->system->along_of[p->along]].self, s)
                                                      : zw_system_foundation_nearest(r->system, p->foundation, s);
        }
    } else if (p->kind == ZW_PROBE_COORDINATE) {
        r->probe_place[i] = (zw_place){.part = r->system->body_part[p->body]};
    } else if (p->kind == ZW_PROBE_EXPRESSION) {
        ZW_TRY(zw_tape_create(r->context, m->pool, p->expression.n, p->expression.width, &r->probe_tape[i]));
        int need = zw_tape_work(r->probe_tape[i]);
        *work = need > *work ? need : *work;
    }
    return ZW_OK;
}

zw_status zw_run_bind_probes(zw_run *r) {
    size_t n = (size_t)r->model->nprobes;
    int    work = 1;
    r->probe_place = zw_arena_alloc(&r->arena, n + 1, sizeof *r->probe_place, "probes");
    r->probe_tape = zw_arena_alloc(&r->arena, n + 1, sizeof(zw_tape *), "probes");
    r->probe_value = zw_arena_alloc(&r->arena, n + 1, sizeof *r->probe_value, "probes");
    r->probe_tally = zw_arena_alloc(&r->arena, n + 1, sizeof *r->probe_tally, "probes");
    r->probe_summary = zw_arena_alloc(&r->arena, n + 1, sizeof *r->probe_summary, "probes");
    if (!r->probe_place || !r->probe_tape || !r->probe_value || !r->probe_tally || !r->probe_summary) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < r->model->nprobes; i++) {
        ZW_TRY(bind_probe(r, i, &work));
    }
    r->probe_work = zw_arena_alloc(&r->arena, (size_t)work, sizeof(double), "probes");
    r->probe_in = zw_arena_alloc(&r->arena, (size_t)zw_pool_inputs(r->model->pool) + 1, sizeof(double), "probes");
    if (r->probe_work == NULL || r->probe_in == NULL) {
        return ZW_E_MEMORY;
    }
    zw_model_inputs(r->model, r->probe_in);
    return ZW_OK;
}

void zw_run_destroy_probes(zw_run *r) {
    for (int i = 0; r->probe_tape != NULL && i < r->model->nprobes; i++) {
        zw_tape_destroy(r->probe_tape[i]);
    }
}

/* the constraint whose multipliers a probe reads: a joint, or an equation of a lagrangian body, which stand behind the joints body by body */
static const zw_constraint *constraint_of(const zw_run *r, const zw_probe_def *p) {
    const zw_constraint *constraint;
    const zw_model      *m = r->model;
    zw_system_constraints(r->system, &constraint);
    if (p->constraint >= 0) {
        return &constraint[r->system->joint_of[p->constraint]];
    }
    if (p->along >= 0) {
        return &constraint[r->system->along_of[p->along]];
    }
    int number = m->nconstraints - r->system->nsprings + p->row;
    for (int i = 0; i < p->body; i++) {
        number += m->bodies[i].kind == ZW_BODY_LAGRANGIAN ? m->bodies[i].lagrangian.nrows : 0;
    }
    return &constraint[number];
}

static zw_state slice_of(const zw_run *r, const zw_state *x, int part_number, void **self) {
    const zw_part *part;
    zw_system_parts(r->system, &part);
    const zw_part *of = &part[part_number];
    *self = of->self;
    return (zw_state){.t = x->t, .q = x->q + of->q0, .v = x->v + of->v0, .s = x->s + of->s0};
}

static zw_status measure(zw_run *r, const zw_state *x, int i, zw_measure what, double *out) {
    const zw_part *part;
    void          *self;
    zw_state       slice = slice_of(r, x, r->probe_place[i].part, &self);
    zw_place       at = r->probe_place[i];
    double         tangent[6];
    if (at.track > 0) {
        zw_system_slip(r->system, x, &r->probe_place[i], &at, tangent);
    }
    zw_system_parts(r->system, &part);
    if (!part[at.part].ops->measure(self, &slice, &at, what, out)) {
        const zw_probe_def *p = &r->model->probes[i];
        return zw_model_raise(r->model, ZW_E_MODEL, p->at, p->name, "probe another body", "this body has no such quantity");
    }
    return ZW_OK;
}

static double energy_of(const zw_account *a, zw_energy_kind kind) {
    switch (kind) {
    case ZW_ENERGY_KINETIC: return a->kinetic;
    case ZW_ENERGY_ELASTIC: return a->elastic;
    case ZW_ENERGY_POTENTIAL: return a->potential;
    default: return a->kinetic + a->elastic + a->potential;
    }
}

static zw_status expression(zw_run *r, const zw_state *x, int i, double *out) {
    const zw_probe_def *p = &r->model->probes[i];
    r->probe_in[r->model->slot_t] = x->t;
    zw_tape_eval(r->probe_tape[i], r->probe_in, r->probe_work, out);
    for (int k = 0; k < p->width; k++) {
        if (!isfinite(out[k])) {
            zw_text text;
            char    subject[128];
            snprintf(subject, sizeof subject, "probes.%s", p->name);
            zw_text_init(&text, r->context);
            zw_tape_explain(r->probe_tape[i], r->probe_in, &text);
            zw_status status = zw_model_raise(r->model, ZW_E_DIVERGED, p->at, subject, "guard the expression with if()", "%s",
                                              text.s != NULL ? text.s : "not finite");
            zw_text_destroy(&text);
            return status;
        }
    }
    return ZW_OK;
}

/* a frame as it is seen from another that moves: place, axes and velocity relative to it, along its axes */
static void seen_from(const zw_frame *base, zw_frame *F) {
    double arm[3], turned[3], v[3];
    zw_v3_sub(arm, F->r, base->r);
    zw_v3_cross(turned, base->w, arm);
    zw_v3_sub(v, F->v, base->v);
    zw_v3_sub(v, v, turned);
    zw_m3_tmulv(F->r, base->R, arm);
    zw_m3_tmulv(F->v, base->R, v);
    zw_m3_tmul(F->R, base->R, F->R);
}

/* of equations along a rod, as written: per label length at a section, or of each the largest */
static void along_multiplier(const zw_constraint *c, const double *lambda, int section, int width, double *out) {
    if (section >= 0) {
        zw_along_multiplier(c->self, lambda, section, out);
        return;
    }
    memset(out, 0, sizeof(double) * (size_t)width);
    for (int j = 0; j < zw_along_sections(c->self); j++) {
        double one[ZW_ALONG_MOST];
        zw_along_multiplier(c->self, lambda, j, one);
        for (int k = 0; k < width; k++) {
            out[k] = fabs(one[k]) > fabs(out[k]) ? one[k] : out[k];
        }
    }
}

static zw_status reaction(zw_run *r, const zw_state *x, int i, double wrench[6]) {
    const zw_probe_def *p = &r->model->probes[i];
    int                 section = r->probe_place[i].element;
    if (p->foundation >= 0) {
        zw_system_foundation_reaction(r->system, x, p->foundation, section, wrench);
        return ZW_OK;
    }
    if (zw_system_spring_reaction(r->system, x, p->constraint, wrench)) {
        return ZW_OK;
    }
    const zw_constraint *c = constraint_of(r, p);
    if (p->along >= 0) {
        void    *self;
        zw_state rods = slice_of(r, x, zw_along_part(c->self), &self);
        return zw_along_reaction(c->self, &rods, r->lambda + c->row0, section, wrench);
    }
    c->ops->reaction(c->self, r->system, x, r->lambda + c->row0, wrench);
    return ZW_OK;
}

static zw_status read_probe(zw_run *r, const zw_state *x, const zw_picture *picture, int i, double *out) {
    const zw_probe_def *p = &r->model->probes[i];
    zw_frame            F, base;
    if (p->frame > 0) {
        ZW_TRY(zw_system_reference(r->system, x, p->frame - 1, &base));
    }
    if (p->kind <= ZW_PROBE_ORIENTATION) {
        zw_system_frame(r->system, x, &r->probe_place[i], &F, NULL);
        if (p->frame > 0) {
            seen_from(&base, &F);
        }
    }
    switch (p->kind) {
    case ZW_PROBE_POSITION: zw_v3_copy(out, F.r); return ZW_OK;
    case ZW_PROBE_VELOCITY: zw_v3_copy(out, F.v); return ZW_OK;
    case ZW_PROBE_ORIENTATION: zw_q_from_matrix(F.R, out); return ZW_OK;
    case ZW_PROBE_STRAIN: return measure(r, x, i, ZW_MEASURE_STRAIN, out);
    case ZW_PROBE_CURVATURE: return measure(r, x, i, ZW_MEASURE_CURVATURE, out);
    case ZW_PROBE_FORCE:
        ZW_TRY(measure(r, x, i, ZW_MEASURE_FORCE, out));
        zw_system_held_force(r->system, &r->probe_place[i], r->lambda, out);
        return ZW_OK;
    case ZW_PROBE_DRIVING: {
        double held[3] = {0.0}; /* a stretch that is held does work with its force; a shear of 0 does not */
        ZW_TRY(measure(r, x, i, ZW_MEASURE_DRIVING, out));
        zw_system_held_force(r->system, &r->probe_place[i], r->lambda, held);
        out[0] += held[2];
        return ZW_OK;
    }
    case ZW_PROBE_MOMENT: return measure(r, x, i, ZW_MEASURE_MOMENT, out);
    case ZW_PROBE_LENGTH: return measure(r, x, i, ZW_MEASURE_LENGTH, out);
    case ZW_PROBE_REACTION: {
        double wrench[6];
        ZW_TRY(reaction(r, x, i, wrench));
        if (p->frame > 0) {
            zw_m3_tmulv(wrench, base.R, wrench);
            zw_m3_tmulv(wrench + 3, base.R, wrench + 3);
        }
        zw_v3_copy(out, wrench + 3);
        zw_v3_copy(out + 3, wrench);
        return ZW_OK;
    }
    case ZW_PROBE_MULTIPLIER: {
        const zw_constraint *c = constraint_of(r, p);
        if (p->along >= 0) {
            along_multiplier(c, r->lambda + c->row0, r->probe_place[i].element, p->width, out);
        } else if (p->constraint >= 0) {
            zw_joint_multipliers(c->self, r->lambda + c->row0, out);
        } else {
            memcpy(out, r->lambda + c->row0, sizeof(double) * (size_t)p->width);
        }
        return ZW_OK;
    }
    case ZW_PROBE_COORDINATE: {
        void    *self;
        zw_state slice = slice_of(r, x, r->probe_place[i].part, &self);
        if (!zw_lagrangian_input(self, &slice, p->slot_of, out)) {
            return zw_model_raise(r->model, ZW_E_MODEL, p->at, p->name, "name a coordinate or a velocity of the body",
                                  "the body does not know this coordinate");
        }
        return ZW_OK;
    }
    case ZW_PROBE_ENERGY:
        if (p->energy == ZW_ENERGY_BODY) {
            return measure(r, x, i, ZW_MEASURE_ENERGY, out);
        }
        *out = energy_of(&picture->account, p->energy);
        return ZW_OK;
    case ZW_PROBE_EXPRESSION: return expression(r, x, i, out);
    case ZW_PROBE_WAY:
    case ZW_PROBE_ANGLE: {
        const double         turn = 6.283185307179586477;
        const zw_constraint *c = constraint_of(r, p);
        double               row[2][6];
        ZW_TRY(zw_joint_free_value(c->self, r->system, x, out, row));
        if (p->kind == ZW_PROBE_ANGLE) { /* the turn that is nearest to the last angle seen; it starts at 0 */
            *out += turn * floor((r->probe_tally[i].final[0] - *out) / turn + 0.5);
        }
        return ZW_OK;
    }
    }
    return ZW_OK;
}

zw_status zw_run_read_probes(zw_run *r, const zw_state *x, const zw_picture *picture) {
    for (int i = 0; i < r->model->nprobes; i++) {
        ZW_TRY(read_probe(r, x, picture, i, r->probe_value[i]));
        for (int k = 0; k < ZW_PROBE_WIDTH; k++) {
            int slot = r->model->probes[i].slot[k];
            if (slot >= 0) {
                r->probe_in[slot] = r->probe_value[i][k];
            }
        }
    }
    return ZW_OK;
}

void zw_run_monitor_probes(zw_run *r, bool first) {
    for (int i = 0; i < r->model->nprobes; i++) {
        zw_probe_tally *t = &r->probe_tally[i];
        for (int k = 0; k < r->model->probes[i].width; k++) {
            double v = r->probe_value[i][k];
            t->final[k] = v;
            t->min[k] = first ? v : fmin(t->min[k], v);
            t->max[k] = first ? v : fmax(t->max[k], v);
        }
    }
}

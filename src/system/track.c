/* SPDX-License-Identifier: Apache-2.0
 * track.c: places whose label moves: constraints, loads and probes that travel along a rod, s = s(t).
 *
 * The frame at such a place is that of the section that is there now. Its velocity is what the nodes give at this label, J v, and the way that the label goes,
 * s' d(frame)/ds, which is no motion of the rod: for rows it belongs to the right side b(t), as the motion of every driven place. Virtual motions, and so forces, are
 * those at the label held still.
 *
 * A step may look a little beyond its end: there the last link goes on as a helix. That a label has left its rod is raised at the end of the step. */
#include "system/track.h"

#include "base/number.h"
#include "parts/rod.h"

#include <math.h>
#include <stdio.h>

zw_status zw_tracks_create(zw_system *y) {
    const zw_model *m = y->model;
    size_t          most = 2 * (size_t)m->nconstraints + (size_t)m->nloads + (size_t)m->nprobes + (size_t)m->nframes;
    y->tracks = zw_arena_alloc(&y->arena, 1, sizeof *y->tracks, "moving places");
    if (y->tracks == NULL) {
        return ZW_E_MEMORY;
    }
    *y->tracks = (zw_tracks){.most = (int)most};
    y->tracks->of = zw_arena_alloc(&y->arena, most + 1, sizeof *y->tracks->of, "moving places");
    return y->tracks->of != NULL ? ZW_OK : ZW_E_MEMORY;
}

void zw_tracks_destroy(zw_system *y) {
    for (int i = 0; y->tracks != NULL && i < y->tracks->n; i++) {
        zw_field_destroy(&y->tracks->of[i].field);
    }
}

bool zw_place_moves(const zw_model *m, const zw_place_def *def) {
    return def->body >= 0 && m->bodies[def->body].kind == ZW_BODY_ROD && def->s.node != 0 &&
           zw_node_depends(m->pool, def->s.node, m->slot_t);
}

zw_status zw_track_bind(const zw_system *y, const zw_place_def *def, const char *subject, int *out) {
    const zw_model *m = y->model;
    zw_tracks      *tracks = y->tracks;
    for (int i = 0; i < tracks->n; i++) { /* probes may be bound again */
        if (tracks->of[i].body == def->body && tracks->of[i].node == def->s.node) {
            *out = 1 + i;
            return ZW_OK;
        }
    }
    if (tracks->n == tracks->most) {
        return zw_raise(y->context, ZW_E_ARG, subject, NULL, "more moving places than the model has");
    }
    zw_track   *k = &tracks->of[tracks->n];
    zw_quantity q[2] = {def->s, def->s};
    q[1].node = zw_node_diff(m->pool, def->s.node, m->slot_t);
    if (q[1].node == 0) {
        return ZW_E_MEMORY;
    }
    *k = (zw_track){.body = def->body, .node = def->s.node, .at = def->at};
    snprintf(k->subject, sizeof k->subject, "%s", subject);
    ZW_TRY(zw_field_create(m, 2, q, NULL, &k->field));
    *out = ++tracks->n;
    return ZW_OK;
}

void zw_track_label(const zw_system *y, int track, double t, double label[2]) {
    zw_track *k = &y->tracks->of[track - 1];
    zw_field_set_time(&k->field, t);
    zw_tape_eval(k->field.tape, k->field.in, k->field.work, label);
}

double zw_system_slip(const zw_system *y, const zw_state *x, const zw_place *p, zw_place *at, double tangent[6]) {
    const zw_part *part = &y->part[p->part];
    zw_state       slice = {.t = x->t, .q = x->q + part->q0, .v = x->v + part->v0, .s = x->s + part->s0};
    double         label[2], from[2];
    zw_track_label(y, p->track, x->t, label);
    zw_track_label(y, p->track, y->tracks->frozen ? y->tracks->since : x->t, from);
    *at = *p;
    part->ops->slip(part->self, &slice, label[0], from[0], at, tangent);
    return label[1];
}

void zw_system_freeze(const zw_system *y, double t) {
    y->tracks->frozen = true;
    y->tracks->since = t;
}

void zw_system_thaw(const zw_system *y) {
    y->tracks->frozen = false;
}

zw_status zw_tracks_check(const zw_system *y, double t) {
    for (int i = 0; y->tracks != NULL && i < y->tracks->n; i++) {
        zw_track          *k = &y->tracks->of[i];
        const zw_body_def *b = &y->model->bodies[k->body];
        const zw_part     *part = &y->part[y->body_part[k->body]];
        char               where[ZW_NUMBER_TEXT], when[ZW_NUMBER_TEXT];
        double             label[2], u[3] = {0.0};
        zw_place           at;
        zw_field_set_time(&k->field, t);
        ZW_TRY(zw_field_eval(&k->field, k->subject, label));
        u[0] = label[0];
        if (b->rod.shape.kind != ZW_SHAPE_RING && !part->ops->place(part->self, y->body_index[k->body], u, &at)) {
            return zw_model_raise(y->model, ZW_E_DIVERGED, k->at, k->subject,
                                  "end the run before that, or let its label stay between 0 and the rod's length",
                                  "its label has left the rod '%s': s = %s m at t = %s s", b->name, zw_number_short(label[0], 8, where),
                                  zw_number_short(t, 8, when));
        }
    }
    return ZW_OK;
}

const char *zw_system_slides_along(const zw_system *y) {
    const zw_model *m = y->model;
    for (int i = 0; i < m->nconstraints; i++) {
        if (zw_place_moves(m, &m->constraints[i].a) || zw_place_moves(m, &m->constraints[i].b)) {
            return m->constraints[i].name;
        }
    }
    return NULL;
}

int zw_system_travelled(const zw_system *y, int constraint, int *out) {
    const zw_model *m = y->model;
    int             n = 0;
    for (int i = 0; i < 2 * m->nconstraints; i++) {
        const zw_place_def *p = i % 2 == 0 ? &m->constraints[i / 2].a : &m->constraints[i / 2].b;
        if (!zw_place_moves(m, p) || (constraint >= 0 && y->joint_of[i / 2] != constraint)) {
            continue;
        }
        const zw_part *part = &y->part[y->body_part[p->body]];
        const zw_rod  *r = &((const zw_rods *)part->self)->rod[y->body_index[p->body]];
        for (int k = 0; k < r->nnodes; k++, n++) {
            if (out != NULL) {
                out[n] = part->v0 + ZW_ROD_NV * (r->node0 + k);
            }
        }
    }
    return n;
}

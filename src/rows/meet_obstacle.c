/* SPDX-License-Identifier: Apache-2.0
 * meet_obstacle.c: obstacles of the model as solids: their forms, and where they are and how they move at a time.
 *
 * A motion shifts and turns an obstacle from its start, about its own `at` (mesh and gap: about the origin of space):
 *   x = x0 + shift(t),   R = exp(turn(t)) R0,   velocity of a point r of it   shift' + w x (r - x),   w = dexp_turn turn'. */
#include "rows/meet_part.h"

#include "base/context.h"
#include "base/number.h"
#include "math/form_core.h"
#include "math/quat.h"
#include "math/so3.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>

static zw_status vector(const zw_model *m, const zw_quantity *v, const char *subject, double out[3]) {
    for (int i = 0; i < 3; i++) {
        if (v[i].node != 0) {
            ZW_TRY(zw_model_constant(m, v[i], subject, &out[i]));
        }
    }
    return ZW_OK;
}

static zw_status number(const zw_model *m, zw_quantity q, const char *subject, double *out) {
    return q.node != 0 ? zw_model_constant(m, q, subject, out) : ZW_OK;
}

/* z of R along the axis */
static void axes_from(const double axis[3], double R[9]) {
    double z[3], x[3], y[3];
    zw_v3_unit(z, axis);
    zw_any_square_to(x, z);
    zw_v3_cross(y, z, x);
    zw_m3_from_columns(R, x, y, z);
}

static zw_status read_motion(zw_meet *s, zw_meet_obstacle *o, const char *subject) {
    const zw_model *m = s->model;
    zw_quantity     motion[6], rate[6];
    double          start[6];
    char            number_text[ZW_NUMBER_TEXT];
    for (int i = 0; i < 6; i++) {
        rate[i] = motion[i] = i < 3 ? o->def->shift[i] : o->def->turn[i - 3];
        if (motion[i].node != 0) {
            o->moves = true;
            rate[i].node = zw_node_diff(m->pool, motion[i].node, m->slot_t);
            if (rate[i].node == 0) {
                return ZW_E_MEMORY;
            }
        }
    }
    if (!o->moves) {
        return ZW_OK;
    }
    ZW_TRY(zw_field_create(m, 6, motion, NULL, &o->motion));
    ZW_TRY(zw_field_create(m, 6, rate, NULL, &o->rate));
    zw_field_set_time(&o->motion, 0.0);
    ZW_TRY(zw_field_eval(&o->motion, subject, start));
    for (int i = 0; i < 6; i++) {
        if (fabs(start[i]) > 1e-12) {
            return zw_model_raise(m, ZW_E_MODEL, motion[i].at, subject, "a motion is counted from the start: subtract its value at t = 0",
                                  "%s[%d] is %s at t = 0, not 0", i < 3 ? "shift" : "turn", i % 3 + 1,
                                  zw_number_short(start[i], 6, number_text));
        }
    }
    return ZW_OK;
}

static zw_status read_obstacle(zw_meet *s, zw_meet_obstacle *o) {
    const zw_model    *m = s->model;
    const zw_form_def *d = &o->def->form;
    double             axis[3] = {0.0, 0.0, 1.0}, turn[3] = {0.0, 0.0, 0.0}, q[4], length = 0.0, radius = 0.0;
    char               subject[128];
    snprintf(subject, sizeof subject, "obstacles.%.100s", o->def->name);
    ZW_TRY(vector(m, d->at, subject, o->x0));
    ZW_TRY(vector(m, d->axis, subject, axis));
    ZW_TRY(vector(m, d->turn, subject, turn));
    ZW_TRY(number(m, d->radius, subject, &radius));
    ZW_TRY(number(m, d->length, subject, &length));
    o->nsolids = 1;
    zw_q_exp(turn, q);
    zw_q_to_matrix(q, o->R0);
    if (d->axis[0].node != 0 || d->axis[1].node != 0 || d->axis[2].node != 0) {
        axes_from(axis, o->R0);
    }
    switch (d->kind) {
    case ZW_FORM_PLANE: o->kind = ZW_SOLID_PLANE; break;
    case ZW_FORM_SPHERE:
        o->kind = d->hollow ? ZW_SOLID_BALL_ROOM : ZW_SOLID_FORM;
        o->form = (zw_form){.shape = ZW_SHAPE_BALL, .radius = radius};
        break;
    case ZW_FORM_CYLINDER:
        o->kind = d->hollow ? ZW_SOLID_PIPE : d->length.node != 0 ? ZW_SOLID_FORM : ZW_SOLID_ENDLESS;
        o->form = (zw_form){.shape = d->length.node != 0 ? ZW_SHAPE_DRUM : ZW_SHAPE_STICK, .radius = radius, .half = 0.5 * length};
        break;
    case ZW_FORM_CAPSULE:
        o->kind = ZW_SOLID_FORM;
        o->form = (zw_form){.shape = ZW_SHAPE_STICK, .radius = radius, .half = 0.5 * length};
        break;
    case ZW_FORM_BOX:
        o->kind = ZW_SOLID_FORM;
        o->form.shape = ZW_SHAPE_BLOCK;
        ZW_TRY(vector(m, d->size, subject, o->form.size));
        zw_v3_scale(o->form.size, 0.5, o->form.size);
        break;
    case ZW_FORM_MESH:
        o->kind = ZW_SOLID_MESH;
        ZW_TRY(zw_meet_mesh_create(s, o));
        break;
    case ZW_FORM_GAP:
        o->kind = ZW_SOLID_LEVEL;
        ZW_TRY(zw_meet_level_create(s, o));
        break;
    default:
        return zw_model_raise(m, ZW_E_MODEL, o->def->at, subject, "choose plane, sphere, cylinder, box, capsule, mesh or gap",
                              "an obstacle cannot have this form");
    }
    return read_motion(s, o, subject);
}

zw_status zw_meet_obstacles_create(zw_meet *s) {
    const zw_model *m = s->model;
    s->nobstacles = m->nobstacles;
    s->obstacle = zw_arena_alloc(&s->arena, (size_t)m->nobstacles + 1, sizeof *s->obstacle, "obstacles");
    if (s->obstacle == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < m->nobstacles; i++) {
        zw_meet_obstacle *o = &s->obstacle[i];
        o->def = &m->obstacles[i];
        o->solid0 = s->nsolids;
        ZW_TRY(read_obstacle(s, o));
        s->nsolids += o->nsolids;
        zw_v3_copy(o->x, o->x0);
        zw_m3_copy(o->R, o->R0);
    }
    s->of_solid = zw_arena_alloc(&s->arena, (size_t)s->nsolids + 1, sizeof *s->of_solid, "obstacles");
    if (s->of_solid == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < s->nobstacles; i++) {
        for (int k = 0; k < s->obstacle[i].nsolids; k++) {
            s->of_solid[s->obstacle[i].solid0 + k] = i;
        }
    }
    return ZW_OK;
}

void zw_meet_obstacles_destroy(zw_meet *s) {
    for (int i = 0; s->obstacle != NULL && i < s->nobstacles; i++) {
        zw_field_destroy(&s->obstacle[i].motion);
        zw_field_destroy(&s->obstacle[i].rate);
        zw_field_destroy(&s->obstacle[i].level);
    }
}

zw_status zw_meet_obstacle_at(zw_meet *s, zw_meet_obstacle *o, double t) {
    double motion[6], rate[6], q[4], turn[9];
    (void)s;
    if (!o->moves) {
        return ZW_OK;
    }
    zw_field_set_time(&o->motion, t);
    zw_field_set_time(&o->rate, t);
    ZW_TRY(zw_field_eval(&o->motion, o->def->name, motion));
    ZW_TRY(zw_field_eval(&o->rate, o->def->name, rate));
    zw_v3_add(o->x, o->x0, motion);
    zw_q_exp(motion + 3, q);
    zw_q_to_matrix(q, turn);
    zw_m3_mul(o->R, turn, o->R0);
    zw_v3_copy(o->v, rate);
    zw_so3_dexp_apply(motion + 3, rate + 3, o->w);
    return ZW_OK;
}

void zw_meet_obstacle_velocity(const zw_meet_obstacle *o, const double r[3], double v[3]) {
    double arm[3], turned[3];
    zw_v3_sub(arm, r, o->x);
    zw_v3_cross(turned, o->w, arm);
    zw_v3_add(v, o->v, turned);
}

bool zw_meet_solid_place(const zw_meet_obstacle *o, int solid, const zw_placed *other, zw_form *own, zw_placed *out) {
    zw_v3_copy(out->x, o->x);
    zw_m3_copy(out->R, o->R);
    out->form = &o->form;
    switch (o->kind) {
    case ZW_SOLID_FORM: return true;
    case ZW_SOLID_MESH: out->form = &o->facet[solid]; return true;
    case ZW_SOLID_ENDLESS: { /* about where the other is, longer than that reaches */
        double axis[3], d[3];
        zw_m3_column(axis, o->R, 2);
        zw_v3_sub(d, other->x, o->x);
        zw_v3_addscaled(out->x, o->x, zw_v3_dot(axis, d), axis);
        *own = (zw_form){.shape = ZW_SHAPE_STICK, .radius = o->form.radius, .half = 4.0 * zw_form_reach(other->form)};
        out->form = own;
        return true;
    }
    default: return false;
    }
}

void zw_meet_obstacle_box(const zw_meet_obstacle *o, double margin, zw_box *out) {
    zw_placed p;
    if (o->kind == ZW_SOLID_FORM) {
        zw_meet_solid_place(o, 0, NULL, NULL, &p);
        zw_box_of_form(&p, margin, out);
        return;
    }
    if (o->kind == ZW_SOLID_MESH) {
        zw_meet_tree_box(o, margin, out);
        return;
    }
    for (int k = 0; k < 3; k++) {
        out->low[k] = -INFINITY;
        out->high[k] = INFINITY;
    }
}

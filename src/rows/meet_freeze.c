/* SPDX-License-Identifier: Apache-2.0
 * meet_freeze.c: gaps that jump. Two sticks that are nearly parallel are nearest at one end, or at the other when one of them turns a little; the lowest point of
 * a rim that lies nearly flat runs around it, the crossing of two lines at a small angle along them. A solver that follows such a point does not settle. What it can follow is the point that is nearest now, fixed in
 * its body, against the line or plane of the other: a smooth gap, which must not be negative either. Where another point is nearer in the end, it joins. */
#include "rows/meet_step.h"

#include "rows/meet_part.h"

#include "math/vec3.h"

#include <math.h>

enum { MARKS = 128, TURNS = 16384 }; /* places along a stick and around a rim that ids tell apart */

static void place(const zw_meet *s, const zw_state *x, int i, zw_form *own, zw_placed *out) {
    const zw_meet_piece *p = &s->piece[i];
    zw_state             part = zw_meet_slice(s, p, x);
    s->part[p->part].ops->carrier->place(s->part[p->part].self, &part, p->k, own, out);
}

static void into(const zw_placed *a, const double r[3], double out[3]) {
    double d[3];
    zw_v3_sub(d, r, a->x);
    zw_m3_tmulv(out, a->R, d);
    if (a->form->shape == ZW_SHAPE_STICK) { /* counted in half lengths, as features of sticks are */
        out[2] = a->form->half > 0.0 ? out[2] / a->form->half : 0.0;
    }
}

/* the form of b; false: a plane, a hollow, a level */
static zw_status place_other(zw_meet *s, const zw_state *x, const zw_meeting *m, const zw_placed *a, zw_form *own, zw_placed *out,
                             bool *form) {
    *form = true;
    if (m->b >= 0) {
        place(s, x, m->b, own, out);
        return ZW_OK;
    }
    zw_meet_obstacle *o = &s->obstacle[-1 - m->b];
    int               solid = (int)(m->id >> ZW_MEET_BITS & (((int64_t)1 << ZW_MEET_BITS) - 1)) - s->npieces;
    ZW_TRY(zw_meet_obstacle_at(s, o, x->t));
    *form = zw_meet_solid_place(o, solid - o->solid0, a, own, out);
    return ZW_OK;
}

static void sticks(const zw_placed *a, const zw_placed *b, zw_meeting *m) {
    double core[3], p[3];
    zw_v3_addscaled(core, m->touch.a, -a->form->radius, m->touch.n);
    into(a, core, p);
    double at = p[2] < -1.0 ? -1.0 : p[2] > 1.0 ? 1.0 : p[2];
    int    mark = 2 + (int)fmin(0.5 * (at + 1.0) * MARKS, MARKS - 1); /* 0 and 1 are the caps */
    m->fa = (zw_feature){.kind = ZW_FEATURE_POINT, .number = mark, .p = {0.0, 0.0, at}, .radius = a->form->radius};
    m->fb = (zw_feature){.kind = ZW_FEATURE_LINE, .u = {0.0, 0.0, 1.0}, .radius = b->form->radius};
}

/* round lines at a small angle: the point of a's line where they are nearest */
static bool nearly_parallel(const zw_placed *a, const zw_placed *b, bool all, zw_meeting *m) {
    double u[3], v[3], sine[3], core[3], p[3];
    bool   two = a->form->shape == ZW_SHAPE_STICK && b->form->shape == ZW_SHAPE_STICK;
    zw_m3_mulv(u, a->R, m->fa.u);
    if (two) {
        zw_m3_column(v, b->R, 2); /* the feature may have no sense */
    } else {
        zw_m3_mulv(v, b->R, m->fb.u);
    }
    zw_v3_cross(sine, u, v);
    if (two && (all || zw_v3_norm(sine) < 0.05)) {
        sticks(a, b, m);
        return true;
    }
    if (!(zw_v3_norm(sine) < 0.05) || !(m->fa.radius + m->fb.radius > 0.0)) {
        return false;
    }
    zw_v3_addscaled(core, m->touch.a, -m->fa.radius, m->touch.n);
    into(a, core, p);
    int mark = 2 + (int)fmin(0.5 * (zw_v3_dot(p, m->fa.u) / (zw_form_reach(a->form) + 1.0) + 1.0) * MARKS, MARKS - 1);
    m->fa = (zw_feature){.kind = ZW_FEATURE_POINT, .number = mark, .p = {p[0], p[1], p[2]}, .radius = m->fa.radius};
    return true;
}

/* a drum nearly flat on a plane: true when it was */
static bool flat_rim(const zw_placed *a, const double r[3], const double n[3], zw_feature *rim) {
    double axis[3] = {a->R[2], a->R[5], a->R[8]}, tilt[3], p[3];
    zw_v3_cross(tilt, axis, n);
    if (!(zw_v3_norm(tilt) < 0.1)) {
        return false;
    }
    into(a, r, p);
    double turn = (atan2(p[1], p[0]) / 3.14159265358979323846 + 1.0) * (0.5 * TURNS);
    *rim = (zw_feature){.kind = ZW_FEATURE_POINT, .number = 2 * (64 + (int)fmin(turn, TURNS - 128)) + (p[2] < 0.0)};
    rim->number &= 0x7fff;
    zw_v3_copy(rim->p, p);
    return true;
}

zw_status zw_meet_freeze(zw_meet *s, const zw_state *x, bool all, zw_meeting *m, bool *changed) {
    zw_form   own[2];
    zw_placed a, b;
    double    n[3];
    bool      form, whole = m->fa.kind == ZW_FEATURE_WHOLE && m->fb.kind == ZW_FEATURE_WHOLE;
    bool      lines = m->fa.kind == ZW_FEATURE_LINE && m->fb.kind == ZW_FEATURE_LINE;
    bool      rim_a = m->fa.kind == ZW_FEATURE_RIM && m->fb.kind == ZW_FEATURE_PLANE;
    bool      rim_b = m->fb.kind == ZW_FEATURE_RIM && m->fa.kind == ZW_FEATURE_PLANE;
    *changed = false;
    if (m->side >= 0 || !(whole || lines || rim_a || rim_b)) {
        return ZW_OK;
    }
    place(s, x, m->a, &own[0], &a);
    if (rim_a) {
        *changed = flat_rim(&a, m->touch.a, m->touch.n, &m->fa);
    } else {
        ZW_TRY(place_other(s, x, m, &a, &own[1], &b, &form));
        if (form && rim_b) {
            *changed = flat_rim(&b, m->touch.b, m->touch.n, &m->fb);
        } else if (form && lines) {
            *changed = nearly_parallel(&a, &b, all, m);
        } else if (form && a.form->shape == ZW_SHAPE_STICK && b.form->shape == ZW_SHAPE_STICK && a.form->half > 0.0) {
            sticks(&a, &b, m);
            *changed = true;
        } else if (form && all) {
            m->fa = (zw_feature){.kind = ZW_FEATURE_POINT, .number = 40};
            m->fb = (zw_feature){.kind = ZW_FEATURE_PLANE, .number = 40};
            into(&a, m->touch.a, m->fa.p);
            into(&b, m->touch.b, m->fb.p);
            zw_v3_negate(n, m->touch.n);
            zw_m3_tmulv(m->fb.u, b.R, n);
            m->fa.number +=
                (int)(fabs(m->fa.p[0] * 7919.0 + m->fa.p[1] * 104729.0 + m->fa.p[2] * 1299709.0) / (zw_form_reach(a.form) + 1e-300)) &
                0x3fff;
            *changed = true;
        }
    }
    if (*changed) {
        m->id = (m->id >> ZW_MEET_BITS << ZW_MEET_BITS) | zw_meet_feature_number(m);
    }
    return ZW_OK;
}

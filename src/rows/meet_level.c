/* SPDX-License-Identifier: Apache-2.0
 * meet_level.c: obstacles given by an expression f(x, y, z, t): bodies stay where it is positive.
 *
 * The gap of a point p with a radius is its signed distance from the level f = 0 less the radius. The nearest point y of the level solves
 *   y - p + k grad f(y) = 0,   f(y) = 0        by Newton with the exact second derivatives,
 *   gap = m.(p - y) - r,   m = grad f/|grad f| at y;   its rate is m.v_p + f_t/|grad f|, the second part being drift.
 * What of a piece is asked: centre of a ball; ends of a stick and the places along it where the distance has a minimum; four points of each rim of a drum and the
 * minimum along the rim; corners of boxes and hulls. Edges and faces that bulging levels could touch between corners are not looked at. */
#include "rows/meet_part.h"

#include "base/context.h"
#include "base/number.h"
#include "math/form_core.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

enum { VALUE, GRADIENT, RATE = 4, BENDS, COUNT = 11 }; /* of the field; bends: xx xy xz yy yz zz */

zw_status zw_meet_level_create(zw_meet *s, zw_meet_obstacle *o) {
    static const int second[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    const zw_model  *m = s->model;
    const int        slot[3] = {m->slot_x, m->slot_y, m->slot_z};
    zw_quantity      q[COUNT];
    for (int i = 0; i < COUNT; i++) {
        q[i] = o->def->form.gap;
    }
    for (int i = 0; i < 3; i++) {
        q[GRADIENT + i].node = zw_node_diff(m->pool, q[VALUE].node, slot[i]);
        if (q[GRADIENT + i].node == 0) {
            return ZW_E_MEMORY;
        }
    }
    q[RATE].node = zw_node_diff(m->pool, q[VALUE].node, m->slot_t);
    for (int i = 0; i < 6; i++) {
        q[BENDS + i].node = zw_node_diff(m->pool, q[GRADIENT + second[i][0]].node, slot[second[i][1]]);
        if (q[BENDS + i].node == 0 || q[RATE].node == 0) {
            return ZW_E_MEMORY;
        }
    }
    return zw_field_create(m, COUNT, q, NULL, &o->level);
}

typedef struct asking {
    zw_meet          *s;
    zw_meet_obstacle *o;
    char              subject[128];
    double            t, margin;
} asking;

static asking ask(zw_meet *s, zw_meet_obstacle *o, double t, double margin) {
    asking q = {.s = s, .o = o, .t = t, .margin = margin};
    snprintf(q.subject, sizeof q.subject, "obstacles.%.100s.gap", o->def->name);
    zw_field_set_time(&o->level, t);
    return q;
}

static zw_status values(asking *q, const double r[3], double v[COUNT]) {
    zw_field_set_space(&q->o->level, r);
    return zw_field_eval(&q->o->level, q->subject, v);
}

static zw_status no_direction(asking *q, const double r[3], double slope) {
    char n[5][ZW_NUMBER_TEXT];
    return zw_model_raise(q->s->model, ZW_E_DIVERGED, q->o->def->form.gap.at, q->subject,
                          "write a gap whose gradient is not 0 where it is 0, for example a distance",
                          "its gradient is %s at x = %s, y = %s, z = %s, t = %s s, and no nearest point of its level is found",
                          zw_number_short(slope, 3, n[0]), zw_number_short(r[0], 6, n[1]), zw_number_short(r[1], 6, n[2]),
                          zw_number_short(r[2], 6, n[3]), zw_number_short(q->t, 6, n[4]));
}

/* Newton's step for y - p + k g = 0, f = 0: along g to the level, and across it with S, the part of B = 1 + k H across g. Where S is not positive y would become a
 * farthest point: its negative directions are taken the other way round */
static void newton(const double v[COUNT], double k, const double d[3], double slope, double dy[3]) {
    const double *h = v + BENDS, *g = v + GRADIENT;
    double        B[9] = {1.0 + k * h[0], k * h[1], k * h[2], k * h[1], 1.0 + k * h[3], k * h[4], k * h[2], k * h[4], 1.0 + k * h[5]};
    double        n[3], t[2][3], Bt[2][3], normal = -v[VALUE] / slope, b[2];
    zw_v3_unit(n, g);
    zw_any_square_to(t[0], n);
    zw_v3_cross(t[1], n, t[0]);
    zw_v3_scale(dy, normal, n);
    for (int i = 0; i < 2; i++) {
        zw_m3_mulv(Bt[i], B, t[i]);
        b[i] = zw_v3_dot(t[i], d) - normal * zw_v3_dot(Bt[i], n);
    }
    double xx = zw_v3_dot(t[0], Bt[0]), xy = zw_v3_dot(t[0], Bt[1]), yy = zw_v3_dot(t[1], Bt[1]);
    double middle = 0.5 * (xx + yy), half = hypot(0.5 * (xx - yy), xy), angle = 0.5 * atan2(xy, 0.5 * (xx - yy));
    double least = 1e-6 * (fabs(middle) + half);
    for (int i = 0; i < 2; i++) { /* eigenvectors of S */
        double c = i ? -sin(angle) : cos(angle), e = i ? cos(angle) : sin(angle), bend = i ? middle - half : middle + half;
        double way = (c * b[0] + e * b[1]) / fmax(fabs(bend), least);
        zw_v3_addscaled(dy, dy, way * c, t[0]);
        zw_v3_addscaled(dy, dy, way * e, t[1]);
    }
}

/* nearest point of the level to p (own axes), from y: first to the level, then along it */
static zw_status descend(asking *q, const double p[3], double y[3], double v[COUNT], bool *found) {
    double scale = 1.0 + zw_v3_norm(p), last = INFINITY;
    *found = false;
    for (int step = 0; step < 200; step++) {
        double d[3], dy[3], across[3];
        ZW_TRY(values(q, y, v));
        double slope = zw_v3_norm(v + GRADIENT), off = fabs(v[VALUE]) / slope;
        if (!isfinite(off)) {
            return ZW_OK;
        }
        zw_v3_sub(d, p, y);
        double away = zw_v3_norm(d), k = zw_v3_dot(d, v + GRADIENT) / (slope * slope);
        if (step < 20 && off > 0.1 * away) { /* still far from the level */
            zw_v3_addscaled(y, y, -v[VALUE] / (slope * slope), v + GRADIENT);
            continue;
        }
        zw_v3_addscaled(across, d, -k, v + GRADIENT);
        double wrong = zw_v3_norm(across) + off;
        if (wrong <= 4e-16 * scale || (wrong <= 1e-11 * scale && wrong >= last)) {
            *found = true;
            return ZW_OK;
        }
        last = wrong;
        newton(v, k, d, slope, dy);
        double far = zw_v3_norm(dy), most = 0.5 * away + 2.0 * off;
        zw_v3_addscaled(y, y, far > most ? most / far : 1.0, dy);
        if (!zw_v3_finite(y)) {
            return ZW_OK;
        }
    }
    return ZW_OK;
}

/* signed distance of p (own axes) from the level: y, m; found false: farther than the margin for all that can be told */
static zw_status distance(asking *q, const double p[3], double radius, double *gap, double y[3], double m[3], double *rate, bool *found) {
    double v[COUNT], start[3], size = isfinite(q->margin) ? fmax(radius, fmax(q->margin, 1e-3)) : fmax(radius, 1e-3), d[3];
    *found = false;
    zw_v3_zero(m);
    zw_v3_copy(start, p);
    ZW_TRY(values(q, start, v));
    double slope = zw_v3_norm(v + GRADIENT), here = v[VALUE];
    for (int i = 0; i < 3 && !(slope > 0.0); i++) { /* an axis or a middle of symmetry: any way out will do */
        start[i] += size * (1.0 + 0.25 * i);
        ZW_TRY(values(q, start, v));
        slope = zw_v3_norm(v + GRADIENT);
    }
    if (!(slope > 0.0)) {
        return no_direction(q, p, slope);
    }
    for (int i = 0; i < 4 && !*found; i++) { /* again from beside, where p is as near to one part of the level as to another */
        zw_v3_copy(y, start);
        y[i % 3] += i == 0 ? 0.0 : 0.1 * size;
        ZW_TRY(descend(q, p, y, v, found));
    }
    double there = zw_v3_norm(v + GRADIENT);
    if (!*found) { /* far off Newton may wander; near the level it must not */
        return here / slope > 4.0 * (radius + q->margin) ? ZW_OK : no_direction(q, p, there);
    }
    if (!(there > 1e-7 * slope)) {
        return no_direction(q, y, there);
    }
    zw_v3_scale(m, 1.0 / there, v + GRADIENT);
    zw_v3_sub(d, p, y);
    *gap = zw_v3_dot(m, d) - radius;
    *rate = v[RATE] / there;
    return ZW_OK;
}

/* the meeting of a core point p (space) with a radius */
static zw_status meet_point(asking *q, const double r[3], double radius, zw_meeting *out, bool *found) {
    const zw_meet_obstacle *o = q->o;
    double                  p[3], y[3], m[3], d[3], v[3], rate = 0.0;
    zw_touch               *t = &out->touch;
    zw_v3_sub(d, r, o->x);
    zw_m3_tmulv(p, o->R, d);
    ZW_TRY(distance(q, p, radius, &t->gap, y, m, &rate, found));
    if (!*found) {
        return ZW_OK;
    }
    zw_m3_mulv(t->n, o->R, m);
    zw_v3_negate(t->n, t->n);
    zw_v3_addscaled(t->a, r, radius, t->n);
    zw_m3_mulv(t->b, o->R, y);
    zw_v3_add(t->b, t->b, o->x);
    zw_meet_obstacle_velocity(o, t->b, v);
    out->drift = rate + zw_v3_dot(t->n, v);
    return ZW_OK;
}

zw_status zw_meet_level_nearest(zw_meet *s, zw_meet_obstacle *o, const double p[3], double radius, double t, double *gap, double y[3],
                                double m[3], double *rate) {
    asking q = ask(s, o, t, 0.0);
    double v[COUNT];
    bool   found;
    ZW_TRY(distance(&q, p, radius, gap, y, m, rate, &found));
    if (!found) { /* far off: what the first order says */
        ZW_TRY(values(&q, p, v));
        double slope = zw_v3_norm(v + GRADIENT);
        zw_v3_scale(m, 1.0 / slope, v + GRADIENT);
        zw_v3_addscaled(y, p, -v[VALUE] / slope, m);
        *gap = v[VALUE] / slope - radius;
        *rate = v[RATE] / slope;
    }
    return ZW_OK;
}

/* ---- curves of a piece: the axis of a stick by z in half lengths, the rim of a drum by its angle */
static void curve_at(const zw_placed *a, const zw_feature *f, double w, double r[3], double along[3]) {
    const zw_form *form = a->form;
    double         p[3] = {0.0, 0.0, w * form->half}, u[3] = {0.0, 0.0, form->half};
    if (f->kind == ZW_FEATURE_RIM) {
        zw_v3_set(p, form->radius * cos(w), form->radius * sin(w), f->p[2]);
        zw_v3_set(u, -form->radius * sin(w), form->radius * cos(w), 0.0);
    }
    zw_m3_mulv(r, a->R, p);
    zw_v3_add(r, r, a->x);
    zw_m3_mulv(along, a->R, u);
}

static zw_status slope_at(asking *q, const zw_placed *a, const zw_feature *f, double w, zw_meeting *m, double *slope, bool *found) {
    double r[3], along[3];
    curve_at(a, f, w, r, along);
    ZW_TRY(meet_point(q, r, f->kind == ZW_FEATURE_RIM ? 0.0 : f->radius, m, found));
    *slope = -zw_v3_dot(m->touch.n, along);
    return ZW_OK;
}

/* a minimum of the distance between low and high, where the slope goes from negative to positive: regula falsi, a side that stays halved (Illinois) */
static zw_status minimum(asking *q, const zw_placed *a, const zw_feature *f, double low, double high, double s_low, double s_high,
                         zw_meeting *m, double *w, bool *found) {
    double last = NAN;
    int    side = 0;
    *found = true;
    for (int step = 0; step < 100 && *found; step++) {
        double slope, secant = low - s_low * ((high - low) / (s_high - s_low));
        *w = secant >= low && secant <= high ? secant : 0.5 * (low + high);
        ZW_TRY(slope_at(q, a, f, *w, m, &slope, found));
        if (slope == 0.0 || *w == last || high - low <= 4e-16 * (fabs(low) + fabs(high))) {
            break;
        }
        last = *w;
        if (slope < 0.0) {
            low = *w;
            s_low = slope;
            s_high *= side == -1 ? 0.5 : 1.0;
            side = -1;
        } else {
            high = *w;
            s_high = slope;
            s_low *= side == 1 ? 0.5 : 1.0;
            side = 1;
        }
    }
    return ZW_OK;
}

/* the deepest that there is room for */
static void keep(asking *q, zw_meeting *out, int *n, const zw_meeting *m, const zw_feature *f) {
    int at = *n;
    if (!(m->touch.gap <= q->margin)) {
        return;
    }
    if (at == ZW_MEET_POINTS) {
        at = 0;
        for (int i = 1; i < ZW_MEET_POINTS; i++) {
            at = out[i].touch.gap > out[at].touch.gap ? i : at;
        }
        if (!(m->touch.gap < out[at].touch.gap)) {
            return;
        }
    } else {
        (*n)++;
    }
    out[at] = *m;
    out[at].side = -1;
    out[at].fa = *f;
    out[at].fb = (zw_feature){.kind = ZW_FEATURE_LEVEL};
}

static zw_status try_point(asking *q, const zw_placed *a, const zw_feature *f, zw_meeting *out, int *n) {
    zw_meeting m = {0};
    double     r[3];
    bool       found;
    zw_v3_copy(r, f->p);
    if (a->form->shape == ZW_SHAPE_STICK) {
        r[2] *= a->form->half;
    }
    zw_m3_mulv(r, a->R, r);
    zw_v3_add(r, r, a->x);
    ZW_TRY(meet_point(q, r, f->radius, &m, &found));
    if (found) {
        keep(q, out, n, &m, f);
    }
    return ZW_OK;
}

/* minima along a curve, looked for between `pieces` + 1 places */
static zw_status try_curve(asking *q, const zw_placed *a, zw_feature f, double from, double to, int pieces, zw_meeting *out, int *n) {
    zw_meeting m = {0};
    double     slope[2] = {0.0, 0.0}, flat = 1e-9 * zw_form_reach(a->form); /* below: a rim that lies in the level */
    bool       found[2] = {false, false};
    for (int i = 0; i <= pieces; i++) {
        double w = from + (to - from) * i / pieces, low = from + (to - from) * (i - 1) / pieces, at;
        ZW_TRY(slope_at(q, a, &f, w, &m, &slope[1], &found[1]));
        if (i > 0 && found[0] && found[1] && slope[0] < -flat && slope[1] >= flat) {
            bool met;
            ZW_TRY(minimum(q, a, &f, low, w, slope[0], slope[1], &m, &at, &met));
            if (met) {
                f.u[0] = at;
                f.u[1] = low;
                f.u[2] = w;
                f.number = f.number % 2 + 2 * i;
                keep(q, out, n, &m, &f);
            }
        }
        slope[0] = slope[1];
        found[0] = found[1];
    }
    return ZW_OK;
}

static zw_status try_drum(asking *q, const zw_placed *a, zw_meeting *out, int *n) {
    double r = a->form->radius;
    for (int end = 0; end < 2; end++) {
        double z = end ? -a->form->half : a->form->half;
        ZW_TRY(try_curve(q, a, (zw_feature){.kind = ZW_FEATURE_RIM, .number = end, .p = {0.0, 0.0, z}, .radius = r}, 0.0, 2.0 * PI, 16, out,
                         n));
    }
    for (int i = 0; i < 8; i++) {
        double     angle = 0.5 * PI * (i % 4), z = i / 4 ? -a->form->half : a->form->half;
        zw_feature f = {.kind = ZW_FEATURE_POINT, .number = i, .p = {r * cos(angle), r * sin(angle), z}};
        ZW_TRY(try_point(q, a, &f, out, n));
    }
    return ZW_OK;
}

zw_status zw_meet_level_find(zw_meet *s, zw_meet_obstacle *o, const zw_placed *a, double t, double margin, zw_meeting *out, int *n) {
    const zw_form *form = a->form;
    asking         q = ask(s, o, t, margin);
    *n = 0;
    switch (form->shape) {
    case ZW_SHAPE_BALL: return try_point(&q, a, &(zw_feature){.kind = ZW_FEATURE_POINT, .radius = form->radius}, out, n);
    case ZW_SHAPE_STICK:
        for (int i = 0; i < 2; i++) {
            zw_feature f = {.kind = ZW_FEATURE_POINT, .number = i, .p = {0.0, 0.0, i ? -1.0 : 1.0}, .radius = form->radius};
            ZW_TRY(try_point(&q, a, &f, out, n));
        }
        return try_curve(&q, a, (zw_feature){.kind = ZW_FEATURE_LINE, .radius = form->radius}, -1.0, 1.0, 8, out, n);
    case ZW_SHAPE_DRUM: return try_drum(&q, a, out, n);
    case ZW_SHAPE_BLOCK:
        for (int i = 0; i < 8; i++) {
            const double *c = form->size;
            zw_feature f = {.kind = ZW_FEATURE_POINT, .number = i, .p = {i & 1 ? -c[0] : c[0], i & 2 ? -c[1] : c[1], i & 4 ? -c[2] : c[2]}};
            ZW_TRY(try_point(&q, a, &f, out, n));
        }
        return ZW_OK;
    case ZW_SHAPE_CLOUD:
        for (int i = 0; i < form->n; i++) {
            const double *p = form->point + 3 * (size_t)i;
            zw_feature    f = {.kind = ZW_FEATURE_POINT, .number = i, .p = {p[0], p[1], p[2]}};
            ZW_TRY(try_point(&q, a, &f, out, n));
        }
        return ZW_OK;
    }
    return ZW_OK;
}

zw_status zw_meet_level_again(zw_meet *s, zw_meet_obstacle *o, const zw_placed *a, double t, zw_meeting *m) {
    asking q = ask(s, o, t, INFINITY);
    bool   found;
    double r[3], along[3], slope;
    if (m->fa.kind == ZW_FEATURE_POINT) {
        zw_v3_copy(r, m->fa.p);
        r[2] *= a->form->shape == ZW_SHAPE_STICK ? a->form->half : 1.0;
        zw_m3_mulv(r, a->R, r);
        zw_v3_add(r, r, a->x);
        ZW_TRY(meet_point(&q, r, m->fa.radius, m, &found));
        return found ? ZW_OK : no_direction(&q, r, 0.0);
    }
    double ends[2], at = m->fa.u[0], width = 0.5 * (m->fa.u[2] - m->fa.u[1]);
    for (int i = 0; i < 2; i++) { /* the minimum moves with the state: about where it was */
        ZW_TRY(slope_at(&q, a, &m->fa, at + (i ? width : -width), m, &ends[i], &found));
    }
    if (ends[0] < 0.0 && ends[1] > 0.0) {
        return minimum(&q, a, &m->fa, at - width, at + width, ends[0], ends[1], m, &at, &found);
    }
    curve_at(a, &m->fa, at, r, along);
    return slope_at(&q, a, &m->fa, at, m, &slope, &found);
}

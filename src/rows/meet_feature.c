/* SPDX-License-Identifier: Apache-2.0
 * meet_feature.c: which features of two forms meet at a touch, and the gap of two features wherever their forms are.
 *
 *   point, plane     u.(p - q) - r              n = -u
 *   point, point     |q - p| - r - s            with radii only: between bare corners the distance has no gradient at 0
 *   point, line      distance of the line - r - s
 *   line, line       n.(q - p) - r - s          n = u x v made a unit vector; the sense of v is chosen so that n goes from a to b
 *   two sticks       the same while the lines cross within both, else the distance of the segments: one gap with a continuous gradient as the place of contact runs
 *                    over their ends, and negative also where one went through the other. Without a sense (v = 0) the distance of the segments
 *   rim, plane       u.(c - q) - r |u x w|      lowest point of a circle about c across w
 *   whole, whole     distance of the forms
 * In each of them the points of contact move along n with the gap: its gradient is n.(J_b - J_a) there, exactly. Local coordinates of a stick along its axis are
 * counted in half lengths, so that features of a link follow it as it stretches. */
#include "math/form_core.h"
#include "rows/meet_part.h"

#include "math/vec3.h"

#include <math.h>

#define NEAR 1e-9 /* of the size: a point on a face, edge or corner */

/* ---- features in space */
static void to_space(const zw_placed *b, const zw_feature *f, double p[3], double u[3]) {
    double local[3];
    zw_v3_copy(local, f->p);
    if (b->form != NULL && b->form->shape == ZW_SHAPE_STICK) {
        local[2] *= b->form->half;
    }
    zw_m3_mulv(p, b->R, local);
    zw_v3_add(p, p, b->x);
    zw_m3_mulv(u, b->R, f->u);
}

static void to_local(const zw_placed *b, const double r[3], double out[3]) {
    double d[3];
    zw_v3_sub(d, r, b->x);
    zw_m3_tmulv(out, b->R, d);
}

static void swap_sides(zw_touch *t) {
    double keep[3];
    zw_v3_copy(keep, t->a);
    zw_v3_copy(t->a, t->b);
    zw_v3_copy(t->b, keep);
    zw_v3_negate(t->n, t->n);
}

/* two core points p, q with the unit normal n of t and the distance d along it */
static void finish(zw_touch *t, const double p[3], const double q[3], double d, double r, double s) {
    t->gap = d - r - s;
    zw_v3_addscaled(t->a, p, r, t->n);
    zw_v3_addscaled(t->b, q, -s, t->n);
}

static void from_points(zw_touch *t, const double p[3], const double q[3], double r, double s) {
    double d[3];
    zw_v3_sub(d, q, p);
    double far = zw_v3_unit(t->n, d);
    if (!(far > 0.0)) {
        zw_v3_set(t->n, 1.0, 0.0, 0.0);
    }
    finish(t, p, q, far, r, s);
}

static bool lines(const double p[3], const double u[3], const double q[3], const double v[3], double r, double s, zw_touch *t) {
    double d[3], w[3], m[3], a[3], b[3];
    if (!zw_square_to(t->n, u, v)) {
        return false;
    }
    zw_v3_cross(w, u, v);
    zw_v3_sub(d, q, p);
    double ww = zw_v3_norm2(w);
    zw_v3_cross(m, d, v);
    zw_v3_addscaled(a, p, zw_v3_dot(m, w) / ww, u);
    zw_v3_cross(m, d, u);
    zw_v3_addscaled(b, q, zw_v3_dot(m, w) / ww, v);
    finish(t, a, b, zw_v3_dot(t->n, d), r, s);
    return true;
}

static bool is_stick(const zw_placed *a) {
    return a->form != NULL && a->form->shape == ZW_SHAPE_STICK;
}

/* axes of two sticks, u and v as their features have them */
static void sticks(const zw_placed *a, const zw_placed *b, const double u[3], const double v[3], zw_touch *t) {
    double w[3], d[3], m[3];
    zw_v3_cross(w, u, v);
    zw_v3_sub(d, b->x, a->x);
    double ww = zw_v3_norm2(w);
    zw_v3_cross(m, d, v);
    double at_a = zw_v3_dot(m, w);
    zw_v3_cross(m, d, u);
    bool crosses = ww > 0.0 && fabs(at_a) <= ww * a->form->half && fabs(zw_v3_dot(m, w)) <= ww * b->form->half;
    if (!crosses || !lines(a->x, u, b->x, v, a->form->radius, b->form->radius, t)) {
        zw_form_distance(a, b, t);
    }
}

static void against_plane(const double p[3], double r, const double q[3], const double u[3], zw_touch *t) {
    double d[3], foot[3];
    zw_v3_sub(d, p, q);
    double high = zw_v3_dot(u, d);
    zw_v3_negate(t->n, u);
    zw_v3_addscaled(foot, p, -high, u);
    finish(t, p, foot, high, r, 0.0);
}

static void rim_on_plane(const double c[3], const double w[3], double r, const double q[3], const double u[3], zw_touch *t) {
    double across[3], lean[3], p[3];
    zw_v3_cross(lean, u, w);
    zw_v3_cross(across, w, lean); /* across w also where w is not quite a unit vector and the rim all but flat */
    if (!(zw_v3_unit(across, across) > 0.0)) {
        zw_any_square_to(across, w);
    }
    zw_v3_addscaled(p, c, -r, across);
    against_plane(p, 0.0, q, u, t);
}

bool zw_meet_evaluate(const zw_placed *a, const zw_placed *b, const zw_feature *fa, const zw_feature *fb, zw_touch *out) {
    double p[3], u[3], q[3], v[3];
    bool   swapped = fa->kind == ZW_FEATURE_PLANE || (fa->kind == ZW_FEATURE_LINE && fb->kind == ZW_FEATURE_POINT);
    if (swapped) {
        const zw_placed  *c = a;
        const zw_feature *f = fa;
        a = b;
        b = c;
        fa = fb;
        fb = f;
    }
    to_space(a, fa, p, u);
    to_space(b, fb, q, v);
    if (fa->kind == ZW_FEATURE_POINT && fb->kind == ZW_FEATURE_PLANE) {
        against_plane(p, fa->radius, q, v, out);
    } else if (fa->kind == ZW_FEATURE_RIM && fb->kind == ZW_FEATURE_PLANE) {
        rim_on_plane(p, u, fa->radius, q, v, out);
    } else if (fa->kind == ZW_FEATURE_POINT && fb->kind == ZW_FEATURE_POINT) {
        from_points(out, p, q, fa->radius, fb->radius);
    } else if (fa->kind == ZW_FEATURE_POINT && fb->kind == ZW_FEATURE_LINE) {
        double d[3], foot[3];
        zw_v3_sub(d, p, q);
        double along = zw_v3_dot(d, v), end = is_stick(b) ? b->form->half : INFINITY;
        zw_v3_addscaled(foot, q, along < -end ? -end : along > end ? end : along, v);
        from_points(out, p, foot, fa->radius, fb->radius);
    } else if (fa->kind == ZW_FEATURE_LINE && fb->kind == ZW_FEATURE_LINE && is_stick(a) && is_stick(b)) {
        sticks(a, b, u, v, out);
    } else if (fa->kind == ZW_FEATURE_LINE && fb->kind == ZW_FEATURE_LINE) {
        if (!lines(p, u, q, v, fa->radius, fb->radius, out)) {
            return false;
        }
    } else {
        return false;
    }
    if (swapped) {
        swap_sides(out);
    }
    return true;
}

int zw_meet_feature_number(const zw_meeting *m) {
    const zw_feature *f = &m->fa, *g = &m->fb;
    int               detail = f->kind == ZW_FEATURE_POINT && g->kind == ZW_FEATURE_PLANE   ? f->number
                               : f->kind == ZW_FEATURE_PLANE && g->kind == ZW_FEATURE_POINT ? g->number
                                                                                            : 181 * f->number + g->number;
    return ((int)f->kind * 8 + (int)g->kind) << 15 | (detail & 0x7fff);
}

/* ---- features at a touch */
typedef struct spot { /* what a point of the surface belongs to */
    zw_feature sharp; /* corner, edge, rim; WHOLE: only the face */
    zw_feature face;  /* WHOLE: none                             */
    zw_feature fixed; /* the point itself                        */
} spot;

static void block_spot(const zw_form *f, const double p[3], const double d[3], double near, spot *out) {
    int    on = 0, free_axis = 0, signs = 0, best = -1;
    double corner[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        bool back = p[k] < 0.0;
        if (fabs(fabs(p[k]) - f->size[k]) > near) {
            free_axis = k;
            continue;
        }
        on++;
        signs |= back << k;
        corner[k] = back ? -f->size[k] : f->size[k];
        double lean = back ? -d[k] : d[k];
        if (best < 0 || lean > (p[best] < 0.0 ? -d[best] : d[best])) {
            best = k;
        }
    }
    if (on == 3) {
        out->sharp = (zw_feature){.kind = ZW_FEATURE_POINT, .number = signs, .p = {corner[0], corner[1], corner[2]}};
    } else if (on == 2) {
        out->sharp = (zw_feature){.kind = ZW_FEATURE_LINE, .number = 8 * free_axis + signs, .p = {corner[0], corner[1], corner[2]}};
        out->sharp.u[free_axis] = 1.0;
    }
    if (best >= 0) {
        out->face = (zw_feature){.kind = ZW_FEATURE_PLANE, .number = 2 * best + (p[best] < 0.0)};
        out->face.p[best] = corner[best];
        out->face.u[best] = p[best] < 0.0 ? -1.0 : 1.0;
    }
}

static void drum_spot(const zw_form *f, const double p[3], const double d[3], double near, spot *out) {
    double round = hypot(p[0], p[1]), end = p[2] < 0.0 ? -1.0 : 1.0;
    bool   side = fabs(round - f->radius) <= near, cap = fabs(fabs(p[2]) - f->half) <= near;
    if (side) {
        out->sharp = cap ? (zw_feature){.kind = ZW_FEATURE_RIM, .number = end < 0.0, .p = {0.0, 0.0, end * f->half}}
                         : (zw_feature){.kind = ZW_FEATURE_LINE};
        out->sharp.u[2] = 1.0;
        out->sharp.radius = f->radius;
    }
    if (cap && end * d[2] > 0.5) {
        out->face = (zw_feature){.kind = ZW_FEATURE_PLANE, .number = end < 0.0, .p = {0.0, 0.0, end * f->half}, .u = {0.0, 0.0, end}};
    }
    /* a point of the rim: where about the axis, in eighths of a turn */
    out->fixed.number = 16 + 8 * (end < 0.0) + (int)floor(atan2(p[1], p[0]) * (4.0 / 3.14159265358979323846) + 8.5) % 8;
}

static int cloud_corner(const zw_form *f, const double p[3], double near) {
    int    best = -1;
    double least = near;
    for (int i = 0; i < f->n; i++) {
        double far = zw_v3_distance(p, f->point + 3 * (size_t)i);
        if (far <= least) {
            least = far;
            best = i;
        }
    }
    return best;
}

static double off_segment(const double p[3], const double a[3], const double b[3]) {
    double d[3], e[3], foot[3];
    zw_v3_sub(d, b, a);
    zw_v3_sub(e, p, a);
    double k = zw_v3_dot(d, e) / zw_v3_norm2(d);
    zw_v3_addscaled(foot, a, k < 0.0 ? 0.0 : k > 1.0 ? 1.0 : k, d);
    return zw_v3_distance(p, foot);
}

static void cloud_spot(const zw_form *f, const double p[3], const double d[3], double slack, double near, spot *out) {
    const double origin[3] = {0.0, 0.0, 0.0};
    zw_placed    own = {.form = f, .R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    zw_face      face;
    int          corner = cloud_corner(f, p, near);
    zw_face_at(&own, origin, d, slack, &face);
    if (corner >= 0) {
        const double *q = f->point + 3 * (size_t)corner;
        out->sharp = (zw_feature){.kind = ZW_FEATURE_POINT, .number = corner, .p = {q[0], q[1], q[2]}};
    }
    for (int i = 0; corner < 0 && i < (face.n > 2 ? face.n : face.n - 1); i++) {
        const double *a = face.p[i], *b = face.p[(i + 1) % face.n];
        double        u[3];
        if (off_segment(p, a, b) <= near) {
            int from = cloud_corner(f, a, near), to = cloud_corner(f, b, near);
            zw_v3_sub(u, b, a);
            zw_v3_unit(u, u);
            out->sharp = (zw_feature){.kind = ZW_FEATURE_LINE, .number = from + to, .p = {a[0], a[1], a[2]}, .u = {u[0], u[1], u[2]}};
            break;
        }
    }
    if (face.n >= 3) {
        double from[3];
        zw_v3_sub(from, p, face.p[0]);
        if (fabs(zw_v3_dot(from, face.normal)) <= near) {
            out->face = (zw_feature){.kind = ZW_FEATURE_PLANE};
            zw_v3_copy(out->face.p, face.p[0]);
            zw_v3_scale(out->face.u, zw_v3_dot(face.normal, d) < 0.0 ? -1.0 : 1.0, face.normal);
        }
    }
}

/* r: point of the surface, n: outward there, both in space */
static void look(const zw_placed *a, const double r[3], const double n[3], double slack, double scale, spot *out) {
    const zw_form *f = a->form;
    double         p[3], d[3], near = NEAR * scale;
    *out = (spot){0};
    to_local(a, r, p);
    zw_m3_tmulv(d, a->R, n);
    out->fixed = (zw_feature){.kind = ZW_FEATURE_POINT, .number = 32};
    switch (f->shape) {
    case ZW_SHAPE_BALL: out->sharp = (zw_feature){.kind = ZW_FEATURE_POINT, .radius = f->radius}; break;
    case ZW_SHAPE_STICK: {
        double z = p[2] - f->radius * d[2], end = z < 0.0 ? -1.0 : 1.0;
        bool   cap = fabs(z) >= f->half - near;
        out->sharp = cap ? (zw_feature){.kind = ZW_FEATURE_POINT, .number = end < 0.0, .p = {0.0, 0.0, end}, .radius = f->radius}
                         : (zw_feature){.kind = ZW_FEATURE_LINE, .u = {0.0, 0.0, 1.0}, .radius = f->radius};
        out->fixed.radius = f->radius; /* a place on the axis */
        zw_v3_set(p, 0.0, 0.0, f->half > 0.0 ? fmin(fmax(z / f->half, -1.0), 1.0) : 0.0);
        break;
    }
    case ZW_SHAPE_BLOCK: block_spot(f, p, d, near, out); break;
    case ZW_SHAPE_DRUM: drum_spot(f, p, d, near, out); break;
    case ZW_SHAPE_CLOUD: cloud_spot(f, p, d, slack, near, out); break;
    }
    zw_v3_copy(out->fixed.p, p);
}

static bool take(const zw_placed *a, const zw_placed *b, const zw_feature *fa, const zw_feature *fb, double loose, zw_meeting *m) {
    zw_touch t;
    if (!zw_meet_evaluate(a, b, fa, fb, &t) || !(fabs(t.gap - m->touch.gap) <= loose) || !(zw_v3_dot(t.n, m->touch.n) > 0.8)) {
        return false;
    }
    m->touch = t;
    m->fa = *fa;
    m->fb = *fb;
    return true;
}

/* centres, or corners so far apart that the way between them has a direction */
static bool round_ones(const zw_feature *f, const zw_feature *g, double apart) {
    return f->radius + g->radius + apart > 0.0 && (f->kind == ZW_FEATURE_POINT || g->kind == ZW_FEATURE_POINT) &&
           (f->kind == ZW_FEATURE_LINE || f->kind == ZW_FEATURE_POINT) && (g->kind == ZW_FEATURE_LINE || g->kind == ZW_FEATURE_POINT);
}

/* two sticks that touch at one place: their axes, wherever on them it is; a sense while the normal tells one side from the other */
static void take_sticks(const zw_placed *a, const zw_placed *b, zw_meeting *m) {
    double u[3], v[3], w[3], n[3];
    m->fa = (zw_feature){.kind = ZW_FEATURE_LINE, .u = {0.0, 0.0, 1.0}, .radius = a->form->radius};
    m->fb = (zw_feature){.kind = ZW_FEATURE_LINE, .u = {0.0, 0.0, 1.0}, .radius = b->form->radius};
    zw_m3_column(u, a->R, 2);
    zw_m3_column(v, b->R, 2);
    zw_v3_cross(w, u, v);
    double side = zw_v3_unit(n, w) > 1e-3 ? zw_v3_dot(n, m->touch.n) : 0.0;
    m->fb.u[2] = fabs(side) < 0.1 ? 0.0 : side < 0.0 ? -1.0 : 1.0;
}

void zw_meet_features(const zw_placed *a, const zw_placed *b, double slack, bool several, bool endless, zw_meeting *m) {
    const zw_touch *t = &m->touch;
    double          scale = zw_form_reach(a->form) + zw_form_reach(b->form), back[3], uv[3];
    double          size = 4e-7 * (zw_v3_norm(a->x) + zw_v3_norm(b->x)); /* rounding of places far out, in units of NEAR */
    spot            A, B;
    if (!several && is_stick(a) && is_stick(b)) {
        take_sticks(a, b, m);
        return;
    }
    scale += size;
    double loose = NEAR * scale + (several ? 0.05 * fabs(t->gap) : 0.0) /* leaning faces are seen along one normal */;
    zw_v3_negate(back, t->n);
    look(a, t->a, t->n, slack, scale, &A);
    look(b, t->b, back, slack, scale, &B);
    bool corner_a = A.sharp.kind == ZW_FEATURE_POINT || A.sharp.kind == ZW_FEATURE_RIM;
    bool corner_b = B.sharp.kind == ZW_FEATURE_POINT || B.sharp.kind == ZW_FEATURE_RIM;
    if (corner_a && B.face.kind == ZW_FEATURE_PLANE && take(a, b, &A.sharp, &B.face, loose, m)) {
        return;
    }
    if (corner_b && A.face.kind == ZW_FEATURE_PLANE && take(a, b, &A.face, &B.sharp, loose, m)) {
        return;
    }
    if (A.sharp.kind == ZW_FEATURE_LINE && B.sharp.kind == ZW_FEATURE_LINE) {
        double u[3], v[3], p[3];
        to_space(a, &A.sharp, p, u);
        to_space(b, &B.sharp, p, v);
        zw_v3_cross(uv, u, v);
        if (zw_v3_dot(uv, t->n) < 0.0) {
            zw_v3_negate(B.sharp.u, B.sharp.u);
        }
        if (zw_v3_norm(uv) > 1e-3 && take(a, b, &A.sharp, &B.sharp, loose, m)) {
            return;
        }
    }
    if (round_ones(&A.sharp, &B.sharp, t->gap - 1e-6 * scale) && take(a, b, &A.sharp, &B.sharp, loose, m)) {
        return;
    }
    if (!several) { /* whole forms */
        m->fa.radius = a->form->shape <= ZW_SHAPE_STICK ? a->form->radius : 0.0;
        m->fb.radius = b->form->shape <= ZW_SHAPE_STICK ? b->form->radius : 0.0;
        return;
    }
    if (B.face.kind == ZW_FEATURE_PLANE && take(a, b, &A.fixed, &B.face, loose, m)) {
        return;
    }
    if (!endless && A.face.kind == ZW_FEATURE_PLANE && take(a, b, &A.face, &B.fixed, loose, m)) {
        return;
    }
    /* a point of one against a plane that goes with the other; a stick has no side: against an endless one, or another, a place */
    bool       stick_a = a->form->shape == ZW_SHAPE_STICK, stick_b = b->form->shape == ZW_SHAPE_STICK;
    zw_feature other = {.kind = ZW_FEATURE_PLANE};
    if (stick_b && (stick_a || endless)) {
        other = (zw_feature){.kind = ZW_FEATURE_LINE, .u = {0.0, 0.0, 1.0}, .radius = b->form->radius};
        take(a, b, &A.fixed, &other, INFINITY, m);
    } else if (stick_b) {
        zw_v3_copy(other.p, A.fixed.p);
        zw_m3_tmulv(other.u, a->R, t->n);
        take(a, b, &other, &B.fixed, INFINITY, m);
    } else {
        zw_v3_copy(other.p, B.fixed.p);
        zw_m3_tmulv(other.u, b->R, back);
        take(a, b, &A.fixed, &other, INFINITY, m);
    }
}

void zw_meet_corner(const zw_placed *a, const zw_touch *t, zw_feature *out) {
    spot   A;
    double scale = zw_form_reach(a->form) + 4e-7 * zw_v3_norm(a->x);
    look(a, t->a, t->n, 0.0, scale, &A);
    *out = A.sharp.kind == ZW_FEATURE_POINT || A.sharp.kind == ZW_FEATURE_RIM ? A.sharp : A.fixed;
}

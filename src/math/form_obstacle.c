/* SPDX-License-Identifier: Apache-2.0
 * form_obstacle.c: a form inside a hollow ball or drum, and against a triangle; how long two forms stay apart for certain.
 *
 * Inside a hollow ball the gap is radius - max |p - centre| over the form, inside an endless hollow drum radius - max (distance of p from the
 * axis): both maxima are at corners, but for the rim of a drum in a hollow drum, an ellipse seen along the axis. */
#include "math/form_core.h"

#include "math/vec3.h"

#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

static double core_radius(const zw_form *f) {
    return f->shape == ZW_SHAPE_BALL || f->shape == ZW_SHAPE_STICK ? f->radius : 0.0;
}

/* corners of a core in its own axes: how many, and the i-th; a drum has none */
static int corners(const zw_form *f) {
    switch (f->shape) {
    case ZW_SHAPE_BALL: return 1;
    case ZW_SHAPE_STICK: return 2;
    case ZW_SHAPE_BLOCK: return 8;
    case ZW_SHAPE_CLOUD: return f->n;
    default: return 0;
    }
}

static void corner_at(const zw_form *f, int i, double out[3]) {
    zw_v3_zero(out);
    switch (f->shape) {
    case ZW_SHAPE_STICK: out[2] = i ? -f->half : f->half; break;
    case ZW_SHAPE_BLOCK:
        zw_v3_set(out, i & 1 ? -f->size[0] : f->size[0], i & 2 ? -f->size[1] : f->size[1], i & 4 ? -f->size[2] : f->size[2]);
        break;
    case ZW_SHAPE_CLOUD: zw_v3_copy(out, f->point + 3 * i); break;
    default: break;
    }
}

static void across_axis(double out[3], const double p[3], const double axis[3]) {
    zw_v3_addscaled(out, p, -zw_v3_dot(p, axis), axis);
}

/* the angle at which c + A cos + B sin is longest: Newton from the best of 16 angles */
static double farthest_angle(const double c[3], const double A[3], const double B[3]) {
    double ca = zw_v3_dot(c, A), cb = zw_v3_dot(c, B), aa = 0.5 * (zw_v3_dot(A, A) - zw_v3_dot(B, B)), ab = zw_v3_dot(A, B);
    double best = -INFINITY, angle = 0.0;
    for (int k = 0; k < 16; k++) {
        double t = 2.0 * PI * k / 16.0, value = 2.0 * (ca * cos(t) + cb * sin(t)) + aa * cos(2.0 * t) + ab * sin(2.0 * t);
        if (value > best) {
            best = value;
            angle = t;
        }
    }
    for (int step = 0; step < 50; step++) {
        double s = sin(angle), co = cos(angle), s2 = sin(2.0 * angle), c2 = cos(2.0 * angle);
        double slope = 2.0 * (cb * co - ca * s) + 2.0 * (ab * c2 - aa * s2), bend = -2.0 * (ca * co + cb * s) - 4.0 * (aa * c2 + ab * s2);
        double move = bend < 0.0 ? -slope / bend : slope > 0.0 ? 0.1 : slope < 0.0 ? -0.1 : 0.0;
        move = fmin(fmax(move, -0.3), 0.3);
        angle += move;
        if (fabs(move) <= 2.0 * DBL_EPSILON) {
            break;
        }
    }
    return angle;
}

/* candidates for the farthest point from the middle at -from (or, with an axis u, from that line): corners, or one point on each rim of a drum */
static int candidates(const zw_form *f) {
    return f->shape == ZW_SHAPE_DRUM ? 2 : corners(f);
}

static void candidate_at(const zw_placed *a, int i, const double from[3], const double *u, double p[3]) {
    const zw_form *f = a->form;
    if (f->shape != ZW_SHAPE_DRUM) {
        corner_at(f, i, p);
        zw_m3_mulv(p, a->R, p);
        return;
    }
    double A[3], B[3], z[3], c[3], fa[3], fb[3];
    zw_m3_column(A, a->R, 0);
    zw_m3_column(B, a->R, 1);
    zw_m3_column(z, a->R, 2);
    zw_v3_scale(A, f->radius, A);
    zw_v3_scale(B, f->radius, B);
    zw_v3_scale(z, i ? -f->half : f->half, z);
    zw_v3_add(c, from, z);
    zw_v3_copy(fa, A);
    zw_v3_copy(fb, B);
    if (u) {
        across_axis(c, c, u);
        across_axis(fa, A, u);
        across_axis(fb, B, u);
    }
    double angle = farthest_angle(c, fa, fb);
    zw_v3_addscaled(p, z, cos(angle), A);
    zw_v3_addscaled(p, p, sin(angle), B);
}

/* the touch of a core point with offset d from the middle (or axis) of the hollow */
static void hollow_touch(const zw_placed *a, const double core[3], const double d[3], double radius, zw_touch *out) {
    double r = core_radius(a->form), far = zw_v3_unit(out->n, d);
    if (!(far > 0.0)) {
        zw_v3_set(out->n, 1.0, 0.0, 0.0);
    }
    out->gap = radius - far - r;
    zw_v3_add(out->a, a->x, core);
    zw_v3_addscaled(out->a, out->a, r, out->n);
    zw_v3_addscaled(out->b, out->a, out->gap, out->n);
}

static int inside(const zw_placed *a, const double at[3], const double *axis, double radius, double margin, zw_touch *all, int most,
                  zw_touch *deepest) {
    double from[3], u[3] = {0.0, 0.0, 0.0}, p[3], d[3];
    int    count = 0;
    deepest->gap = INFINITY;
    zw_v3_sub(from, a->x, at);
    if (axis) {
        zw_v3_unit(u, axis);
    }
    for (int i = 0; i < candidates(a->form); i++) {
        zw_touch t;
        candidate_at(a, i, from, axis ? u : NULL, p);
        zw_v3_add(d, from, p);
        if (axis) {
            across_axis(d, d, u);
        }
        hollow_touch(a, p, d, radius, &t);
        if (t.gap < deepest->gap) {
            *deepest = t;
        }
        if (!(t.gap <= margin) || most < 1) {
            continue;
        }
        if (count < most) {
            all[count++] = t;
            continue;
        }
        int highest = 0; /* no room: the deepest stay */
        for (int k = 1; k < count; k++) {
            highest = all[k].gap > all[highest].gap ? k : highest;
        }
        if (t.gap < all[highest].gap) {
            all[highest] = t;
        }
    }
    return count;
}

void zw_form_inside_ball(const zw_placed *a, const double centre[3], double radius, zw_touch *out) {
    inside(a, centre, NULL, radius, 0.0, NULL, 0, out);
}

void zw_form_inside_drum(const zw_placed *a, const double at[3], const double axis[3], double radius, zw_touch *out) {
    inside(a, at, axis, radius, 0.0, NULL, 0, out);
}

int zw_form_manifold_inside(const zw_placed *a, const double at[3], const double *axis, double radius, double margin, zw_touch *out,
                            int most) {
    zw_touch deepest;
    return inside(a, at, axis, radius, margin, out, most, &deepest);
}

void zw_form_against_triangle(const zw_placed *a, const double t[9], zw_touch *out) {
    double corner[9] = {0.0};
    zw_v3_sub(corner + 3, t + 3, t);
    zw_v3_sub(corner + 6, t + 6, t);
    zw_form   form = {.shape = ZW_SHAPE_CLOUD, .n = 3, .point = corner};
    zw_placed b = {.form = &form, .x = {t[0], t[1], t[2]}, .R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    zw_form_distance(a, &b, out);
}

double zw_form_safe_time(const zw_touch *t, const zw_moving *a, const zw_moving *b) {
    double d[3];
    zw_v3_sub(d, a->v, b->v);
    double rate = zw_v3_dot(t->n, d) + a->spin * a->reach + b->spin * b->reach, gain = a->gain + b->gain;
    if (!(t->gap > 0.0)) {
        return 0.0;
    }
    /* gap = rate t + gain t^2/2; the form without cancellation for either sign of the rate */
    double root = sqrt(rate * rate + 2.0 * gain * t->gap);
    if (rate > 0.0) {
        return 2.0 * t->gap / (rate + root);
    }
    return gain > 0.0 ? (root - rate) / gain : rate < 0.0 || gain == 0.0 ? INFINITY : 0.0;
}

/* SPDX-License-Identifier: Apache-2.0
 * meet_pair.c: all points where a piece meets another piece, a plane or a hollow, with the features that meet there. */
#include "rows/meet_part.h"

#include "math/form_core.h"
#include "math/vec3.h"

#include <math.h>

static void start(zw_meeting *m, const zw_touch *t) {
    *m = (zw_meeting){.side = -1, .touch = *t};
}

int zw_meet_forms(const zw_placed *a, const zw_placed *b, double margin, bool endless, zw_meeting *out) {
    zw_touch t[ZW_MEET_POINTS];
    int      n = zw_form_manifold(a, b, margin, t, ZW_MEET_POINTS);
    double   least = INFINITY;
    for (int i = 0; i < n; i++) {
        least = fmin(least, t[i].gap);
    }
    for (int i = 0; i < n; i++) {
        start(&out[i], &t[i]);
        zw_meet_features(a, b, margin - least, n > 1, endless, &out[i]);
    }
    return n;
}

/* a drum on a plane: the lowest point of each rim, and four points of a rim that stands on it: the lowest alone would leave it free to tip */
static int drum_on_plane(const zw_placed *a, const zw_placed *plane, const zw_feature *ground, double margin, zw_meeting *out) {
    double axis[3], up[3], across[3], r = a->form->radius, h = a->form->half;
    int    n = 0;
    zw_m3_column(axis, a->R, 2);
    zw_m3_column(up, plane->R, 2);
    zw_v3_cross(across, axis, up);
    double lean = zw_v3_norm(across);
    for (int end = 0; end < 2; end++) {
        double     z = end ? -h : h;
        zw_touch   t;
        zw_feature rim = {.kind = ZW_FEATURE_RIM, .number = end, .p = {0.0, 0.0, z}, .u = {0.0, 0.0, 1.0}, .radius = r};
        bool       stands = lean < 0.5 && (end ? -1.0 : 1.0) * zw_v3_dot(axis, up) < 0.0;
        zw_meet_evaluate(a, plane, &rim, ground, &t);
        if (!(t.gap <= margin)) {
            continue;
        }
        if (lean > 1e-9) {
            start(&out[n], &t);
            out[n].fa = rim;
            out[n++].fb = *ground;
        }
        for (int k = 0; stands && k < 4; k++) {
            zw_feature point = {.kind = ZW_FEATURE_POINT,
                                .number = 4 * end + k,
                                .p = {k == 0   ? r
                                      : k == 2 ? -r
                                               : 0.0,
                                      k == 1   ? r
                                      : k == 3 ? -r
                                               : 0.0,
                                      z}};
            zw_meet_evaluate(a, plane, &point, ground, &t);
            if (t.gap <= margin) {
                start(&out[n], &t);
                out[n].fa = point;
                out[n++].fb = *ground;
            }
        }
    }
    return n;
}

int zw_meet_plane(const zw_placed *a, const zw_placed *plane, double margin, zw_meeting *out) {
    zw_feature ground = {.kind = ZW_FEATURE_PLANE, .u = {0.0, 0.0, 1.0}};
    zw_touch   t[ZW_MEET_POINTS];
    double     up[3];
    if (a->form->shape == ZW_SHAPE_DRUM) {
        return drum_on_plane(a, plane, &ground, margin, out);
    }
    zw_m3_column(up, plane->R, 2);
    int n = zw_form_manifold_plane(a, up, plane->x, margin, t, ZW_MEET_POINTS);
    for (int i = 0; i < n; i++) {
        start(&out[i], &t[i]);
        zw_meet_corner(a, &out[i].touch, &out[i].fa);
        out[i].fb = ground;
        zw_meet_evaluate(a, plane, &out[i].fa, &ground, &out[i].touch);
    }
    return n;
}

int zw_meet_hollow(const zw_placed *a, const zw_meet_obstacle *o, double margin, zw_meeting *out) {
    zw_touch t[ZW_MEET_POINTS];
    double   axis[3];
    bool     pipe = o->kind == ZW_SOLID_PIPE;
    zw_m3_column(axis, o->R, 2);
    int n = zw_form_manifold_inside(a, o->x, pipe ? axis : NULL, o->form.radius, margin, t, ZW_MEET_POINTS);
    for (int i = 0; i < n; i++) {
        start(&out[i], &t[i]);
        zw_meet_corner(a, &t[i], &out[i].fa);
        out[i].fb =
            (zw_feature){.kind = pipe ? ZW_FEATURE_HOLLOW_DRUM : ZW_FEATURE_HOLLOW_BALL, .u = {0.0, 0.0, 1.0}, .radius = o->form.radius};
    }
    return n;
}

void zw_meet_hollow_again(const zw_placed *a, const zw_meet_obstacle *o, const zw_feature *f, zw_touch *out) {
    double axis[3], p[3], d[3];
    bool   pipe = o->kind == ZW_SOLID_PIPE;
    zw_m3_column(axis, o->R, 2);
    if (f->kind == ZW_FEATURE_RIM) { /* farthest point of either rim, in this order */
        zw_touch t[2];
        zw_form_manifold_inside(a, o->x, pipe ? axis : NULL, o->form.radius, INFINITY, t, 2);
        *out = t[f->number];
        return;
    }
    zw_v3_copy(p, f->p);
    if (a->form->shape == ZW_SHAPE_STICK) {
        p[2] *= a->form->half;
    }
    zw_m3_mulv(p, a->R, p);
    zw_v3_add(p, p, a->x);
    zw_v3_sub(d, p, o->x);
    if (pipe) {
        zw_v3_addscaled(d, d, -zw_v3_dot(d, axis), axis);
    }
    double far = zw_v3_unit(out->n, d);
    if (!(far > 0.0)) {
        zw_v3_set(out->n, 1.0, 0.0, 0.0);
    }
    out->gap = o->form.radius - far - f->radius;
    zw_v3_addscaled(out->a, p, f->radius, out->n);
    zw_v3_addscaled(out->b, out->a, out->gap, out->n);
}

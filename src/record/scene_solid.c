/* SPDX-License-Identifier: Apache-2.0
 * scene_solid.c: a convex solid on paper. Its outline is the polygon of the points that are farthest in the directions of the paper; it is filled with the colour of the
 * page, so that what lies behind fades. Of its edges and circles only those are drawn that are seen: a little in front of one that is hidden lies the solid itself. */
#include <math.h>
#include <stdio.h>

#include "math/quat.h"
#include "parts/rigid.h"
#include "record/scene_part.h"
#include "record/svg.h"

enum { DIRECTIONS = 72 };

void zw_scene_place(const zw_scene_view *v, const double p[3], double *x, double *y) {
    *x = v->x0 + v->scale * zw_v3_dot(v->right, p);
    *y = v->y0 - v->scale * zw_v3_dot(v->up, p);
}

/* the solid in space, where its body is at x with axes R */
static void put(const zw_scene_solid *one, const double x[3], const double R[9], zw_placed *out) {
    out->form = one->at.form;
    zw_m3_mulv(out->x, R, one->at.x);
    zw_v3_add(out->x, out->x, x);
    zw_m3_mul(out->R, R, one->at.R);
}

int zw_scene_solid_outline(const zw_scene_view *v, const zw_scene_solid *one, const double x[3], const double R[9], double (*out)[2],
                           int most) {
    const double PI = 3.14159265358979323846;
    zw_placed    at;
    int          n = 0, directions = DIRECTIONS;
    put(one, x, R, &at);
    if (at.form->shape == ZW_SHAPE_BALL || at.form->shape == ZW_SHAPE_STICK) { /* a tenth of a dot is round enough */
        directions = (int)fmin(fmax(ceil(7.0 * sqrt(at.form->radius * v->scale)), 8.0), DIRECTIONS);
    }
    for (int i = 0; i < directions && n < most; i++) {
        double angle = 2.0 * PI * (i + 0.25) / directions, d[3], own[3], p[3], at_paper[2];
        for (int k = 0; k < 3; k++) {
            d[k] = cos(angle) * v->right[k] + sin(angle) * v->up[k];
        }
        zw_m3_tmulv(own, at.R, d);
        zw_form_support(at.form, own, p);
        zw_m3_mulv(d, at.R, p);
        zw_v3_add(d, d, at.x);
        zw_scene_place(v, d, &at_paper[0], &at_paper[1]);
        if (n == 0 || hypot(at_paper[0] - out[n - 1][0], at_paper[1] - out[n - 1][1]) > 0.05) { /* corners of a block come many times */
            out[n][0] = at_paper[0];
            out[n++][1] = at_paper[1];
        }
    }
    return n;
}

/* is there solid in front of p? Circles are chords that run below round faces, so that those must look farther */
static bool hidden(const zw_scene_view *v, const zw_placed *at, const double p[3]) {
    bool      round_face = at->form->shape == ZW_SHAPE_BALL || at->form->shape == ZW_SHAPE_STICK;
    double    reach = zw_form_reach(at->form), step = round_face ? 0.3 * at->form->radius : 1e-3 * reach;
    zw_form   dot = {.shape = ZW_SHAPE_BALL};
    zw_placed there = {.form = &dot, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    zw_touch  touch;
    for (int k = 0; k < 3; k++) {
        there.x[k] = p[k] + step * v->towards[k];
    }
    zw_form_distance(&there, at, &touch);
    return touch.gap < -1e-6 * reach;
}

static void begin(zw_text *t, const char *klass, double width, double strength) {
    zw_text_addf(t, "<path class=\"%s\" stroke-width=\"", klass);
    zw_svg_coordinate(t, width);
    zw_text_add(t, "\" opacity=\"");
    zw_svg_coordinate(t, strength);
    zw_text_add(t, "\" d=\"");
}

void zw_scene_solid_draw(zw_text *t, const zw_scene_view *v, const zw_scene_solid *one, const double x[3], const double R[9],
                         const char *klass, double strength, bool hollow) {
    double    outline[DIRECTIONS][2];
    char      both[48];
    bool      pen = false;
    zw_placed at;
    int       n = zw_scene_solid_outline(v, one, x, R, outline, DIRECTIONS);
    put(one, x, R, &at);
    snprintf(both, sizeof both, "%s %.30s", hollow ? "edge" : "body", klass);
    begin(t, both, 1.2, strength);
    for (int i = 0; i < n; i++) {
        zw_svg_path_point(t, i == 0, outline[i][0], outline[i][1]);
    }
    zw_svg_path_end(t, true);
    snprintf(both, sizeof both, "edge %.30s", klass);
    for (int i = 0; i < one->nlines; i++) {
        double a[3], b[3], middle[3], px[2], py[2];
        zw_m3_mulv(a, R, one->line + 6 * (size_t)i);
        zw_v3_add(a, a, x);
        zw_m3_mulv(b, R, one->line + 6 * (size_t)i + 3);
        zw_v3_add(b, b, x);
        zw_v3_add(middle, a, b);
        zw_v3_scale(middle, 0.5, middle);
        if (!hollow && hidden(v, &at, middle)) {
            continue;
        }
        if (!pen) {
            begin(t, both, 0.7, strength * (hollow ? 0.4 : 0.8));
            pen = true;
        }
        zw_scene_place(v, a, &px[0], &py[0]);
        zw_scene_place(v, b, &px[1], &py[1]);
        zw_svg_path_point(t, true, px[0], py[0]);
        zw_svg_path_point(t, false, px[1], py[1]);
    }
    if (pen) {
        zw_svg_path_end(t, false);
    }
}

zw_status zw_scene_solid_lines(zw_arena *a, zw_scene_solid *one, bool fine) {
    enum { COARSE = 16, FINE = 64 };
    const double PI = 3.14159265358979323846;
    zw_rigid     body = {.nforms = 1, .form = &one->at};
    if (one->at.form->shape == ZW_SHAPE_STICK) { /* its outline tells all */
        return ZW_OK;
    }
    if (one->at.form->shape != ZW_SHAPE_BALL) {
        ZW_TRY(zw_rigid_outline(NULL, a, &body));
        one->nlines = body.nlines;
        one->line = body.line;
        return ZW_OK;
    }
    one->nlines = fine ? FINE : COARSE; /* of a ball one circle, to see it turn */
    double *line = zw_arena_alloc(a, 6 * (size_t)one->nlines, sizeof *line, "circle of a picture");
    if (line == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < 2 * one->nlines; i++) {
        int    corner = (i + 1) / 2;
        double angle = 2.0 * PI * corner / one->nlines, p[3] = {cos(angle), sin(angle), 0.0};
        zw_v3_scale(p, one->at.form->radius, p);
        zw_m3_mulv(line + 3 * (size_t)i, one->at.R, p);
        zw_v3_add(line + 3 * (size_t)i, line + 3 * (size_t)i, one->at.x);
    }
    one->line = line;
    return ZW_OK;
}

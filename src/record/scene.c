/* SPDX-License-Identifier: Apache-2.0
 * scene.c: bodies and obstacles at up to eight times of the record, the early ones faint. Both directions have the same scale. The skew view looks from azimuth -60
 * degrees and elevation 20 degrees, z up, and shows a floor with the shadows of rods and bodies, by which depth can be read; the others look along an axis.
 * Rods are lines as wide as they are, rigid bodies solids (or their outlines where the model cannot be read).
 * Points of lagrangian bodies are dots, joined where the model links them; those that end a chain of links or have none leave the whole way they went as a
 * thin line. Small crosses are where impacts were. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "record/axis.h"
#include "record/scene_part.h"
#include "record/svg.h"

static const double MARGIN = 16, FOOT = 44, LETTER = 13;
/* size of one of several pictures, and of one that has the whole width of the page */
static const double WIDTH = 440, HEIGHT = 330, LARGE_WIDTH = 760, LARGE_HEIGHT[2] = {260, 460};

static double extent(const zw_scene *s) {
    double d = 0;
    for (int k = 0; k < 3; k++) {
        d = fmax(d, s->hi[k] - s->lo[k]);
    }
    return d;
}

static void corner(const zw_scene *s, int k, double p[3]) {
    p[0] = k & 1 ? s->hi[0] : s->lo[0];
    p[1] = k & 2 ? s->hi[1] : s->lo[1];
    p[2] = k & 4 ? s->hi[2] : s->lo[2];
}

static void widen(const zw_scene_view *v, const zw_scene_shape *one, double lo[2], double hi[2]) {
    for (int j = 0; j < one->n; j++) {
        double x = zw_v3_dot(v->right, one->p + 3 * j), y = zw_v3_dot(v->up, one->p + 3 * j);
        if (isfinite(x) && isfinite(y)) {
            lo[0] = fmin(lo[0], x);
            hi[0] = fmax(hi[0], x);
            lo[1] = fmin(lo[1], y);
            hi[1] = fmax(hi[1], y);
        }
    }
}

/* everything that will be drawn fits between the margins, with the same scale in both directions */
static void fit(const zw_scene *s, zw_scene_view *v) {
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY}, p[3];
    for (int m = 0; m < s->nmoments; m++) {
        for (int i = 0; i < s->at[m].nshapes; i++) {
            widen(v, &s->at[m].shape[i], lo, hi);
        }
    }
    for (int i = 0; i < s->ntrails; i++) {
        widen(v, &s->trail[i], lo, hi);
    }
    for (int k = 0; k < 8; k++) { /* the floor; with obstacles all of the box, which reaches out to them */
        corner(s, k, p);
        if ((v->floor && k < 4) || s->nwalls > 0) {
            lo[0] = fmin(lo[0], zw_v3_dot(v->right, p));
            hi[0] = fmax(hi[0], zw_v3_dot(v->right, p));
            lo[1] = fmin(lo[1], zw_v3_dot(v->up, p));
            hi[1] = fmax(hi[1], zw_v3_dot(v->up, p));
        }
    }
    double a = hi[0] - lo[0], b = hi[1] - lo[1], smallest = 1e-9 * fmax(extent(s), 1e-300);
    v->width = v->large ? LARGE_WIDTH : WIDTH;
    v->height = HEIGHT;
    double w = v->width - 2 * MARGIN;
    if (v->large) { /* as high as the shape needs */
        v->height = fmin(fmax(w * b / fmax(a, smallest) + MARGIN + FOOT, LARGE_HEIGHT[0]), LARGE_HEIGHT[1]);
    }
    double h = v->height - MARGIN - FOOT;
    v->scale = fmin(w / fmax(a, smallest), h / fmax(b, smallest));
    if (!isfinite(v->scale) || extent(s) <= 0) {
        v->scale = 1;
    }
    v->x0 = v->width / 2 - v->scale * (lo[0] + hi[0]) / 2;
    v->y0 = MARGIN + h / 2 + v->scale * (lo[1] + hi[1]) / 2;
}

static void draw_floor(zw_text *t, const zw_scene *s, const zw_scene_view *v) {
    double step = zw_axis_round(fmax(s->hi[0] - s->lo[0], s->hi[1] - s->lo[1]) / 4), p[3], q[3], x[2], y[2];
    p[2] = q[2] = s->floor;
    if (!(step > 1e-9 * extent(s))) { /* upright, without width: lines would be numberless */
        return;
    }
    for (int k = 0; k < 2; k++) {
        int    other = 1 - k;
        double first = ceil(s->lo[k] / step - 1e-9), last = floor(s->hi[k] / step + 1e-9);
        for (double i = first - 1; i <= last + 1; i++) { /* round numbers, and the two borders */
            double at = i < first ? s->lo[k] : i > last ? s->hi[k] : i * step;
            p[k] = q[k] = at;
            p[other] = s->lo[other];
            q[other] = s->hi[other];
            zw_scene_place(v, p, &x[0], &y[0]);
            zw_scene_place(v, q, &x[1], &y[1]);
            zw_svg_line(t, "grid", x[0], y[0], x[1], y[1]);
        }
    }
}

static void draw_shape(zw_text *t, const zw_scene_view *v, const zw_scene_shape *one, const char *klass, double width, double strength,
                       const double *floor_z) {
    bool pen = false;
    zw_text_addf(t, "<path class=\"%s\" stroke-width=\"", klass);
    zw_svg_coordinate(t, width);
    zw_text_add(t, "\" opacity=\"");
    zw_svg_coordinate(t, strength);
    zw_text_add(t, "\" d=\"");
    int every = one->n > 1000 && !one->pairs ? one->n / 500 : 1;
    for (int j = 0; j < one->n; j++) {
        if (j % every && j != one->n - 1) {
            continue;
        }
        double p[3] = {one->p[3 * j], one->p[3 * j + 1], floor_z ? *floor_z : one->p[3 * j + 2]}, x, y;
        zw_scene_place(v, p, &x, &y);
        if (!isfinite(x) || !isfinite(y)) {
            pen = false;
            continue;
        }
        zw_svg_path_point(t, !pen || (one->pairs && j % 2 == 0), x, y);
        pen = true;
    }
    zw_text_add(t, one->closed && pen ? "Z\"/>\n" : "\"/>\n");
}

/* dots, and lines between those that the model links */
static void draw_points(zw_text *t, const zw_scene_view *v, const zw_scene_shape *one, double strength) {
    for (int i = 0; i < one->nlinks; i++) {
        const double  *a = one->p + 3 * (int)one->link[2 * i], *b = one->p + 3 * (int)one->link[2 * i + 1];
        double         ends[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
        zw_scene_shape line = {.n = 2, .p = ends};
        char           klass[16];
        snprintf(klass, sizeof klass, "rod c%d", one->body % ZW_SCENE_TIMES);
        draw_shape(t, v, &line, klass, 2.5, strength, NULL);
    }
    for (int j = 0; j < one->n; j++) {
        double x, y;
        zw_scene_place(v, one->p + 3 * j, &x, &y);
        zw_text_addf(t, "<circle class=\"dot d%d\" r=\"%d\" cx=\"", one->body % ZW_SCENE_TIMES, zw_scene_links_of(one, j) > 1 ? 2 : 4);
        zw_svg_coordinate(t, x);
        zw_text_add(t, "\" cy=\"");
        zw_svg_coordinate(t, y);
        zw_text_add(t, "\" opacity=\"");
        zw_svg_coordinate(t, strength);
        zw_text_add(t, "\"/>\n");
    }
}

static bool drawable(const zw_scene_shape *one) {
    for (int j = 0; j < 3 * one->n; j++) {
        if (!isfinite(one->p[j])) {
            return false;
        }
    }
    return true;
}

/* length 26 arrows along the axes that are seen, in the lower left corner */
static void draw_triad(zw_text *t, const zw_scene_view *v) {
    static const char *const name[] = {"x", "y", "z"};
    double                   cx = 30, cy = v->height - 16;
    if (v->right[0] < -0.01 || v->right[1] < -0.01) {
        cx += 20;
    }
    for (int k = 0; k < 3; k++) {
        double dx = v->right[k], dy = -v->up[k], length = hypot(dx, dy);
        if (length < 0.05) {
            continue;
        }
        double ex = cx + 24 * dx, ey = cy + 24 * dy, ux = dx / length, uy = dy / length;
        zw_svg_line(t, "axis", cx, cy, ex, ey);
        zw_svg_path_begin(t, "arrow");
        zw_svg_path_point(t, true, ex + 5 * ux, ey + 5 * uy);
        zw_svg_path_point(t, false, ex - 2.6 * uy, ey + 2.6 * ux);
        zw_svg_path_point(t, false, ex + 2.6 * uy, ey - 2.6 * ux);
        zw_svg_path_end(t, true);
        zw_svg_text(t, "tick", ex + 12 * ux, ey + 12 * uy + 4, "middle", name[k]);
    }
}

static void draw_scale(zw_text *t, const zw_scene_view *v, double size) {
    if (!(size > 0)) {
        return;
    }
    double length = zw_axis_round(fmin(100 / v->scale, size)), right = v->width - MARGIN, left = right - length * v->scale,
           y = v->height - 12;
    char text[ZW_SVG_NUMBER + 4], number[ZW_SVG_NUMBER];
    snprintf(text, sizeof text, "%s m", zw_svg_number(length, 3, number));
    zw_svg_line(t, "axis", left, y, right, y);
    zw_svg_line(t, "axis", left, y - 4, left, y + 4);
    zw_svg_line(t, "axis", right, y - 4, right, y + 4);
    zw_svg_text(t, "tick", fmin((left + right) / 2, v->width - 2 - zw_svg_text_width(text, LETTER) / 2), y - 7, "middle", text);
}

static double strength_of(const zw_scene *s, int m) {
    return s->nmoments == 1 ? 1 : 0.18 + 0.82 * pow((double)m / (s->nmoments - 1), 1.5);
}

/* of many bodies the start and the end are enough, outlines without edges, and no shadows */
static bool are_many(const zw_scene *s, int m) {
    enum { MANY = 40 };
    return s->at[m].nshapes > MANY;
}

static bool is_shown(const zw_scene *s, int m) {
    return !are_many(s, m) || m == 0 || m == s->nmoments - 1;
}

static void draw_shadow(zw_text *t, const zw_scene *s, const zw_scene_view *v, int m) {
    for (int i = 0; is_shown(s, m) && i < s->at[m].nshapes; i++) {
        const zw_scene_shape *one = &s->at[m].shape[i];
        double                width = one->pairs ? 1.2 : fmin(fmax(2 * one->radius * v->scale, 1.8), 14);
        if (drawable(one) && !one->points && !(one->pairs && are_many(s, m))) {
            draw_shape(t, v, one, "shadow", width, 0.35 * strength_of(s, m), &s->floor);
        }
    }
}

static double depth_of(const zw_scene_view *v, const zw_scene_shape *one) {
    double sum = 0;
    for (int j = 0; j < one->n && !one->nsolids; j++) {
        sum += zw_v3_dot(v->towards, one->p + 3 * j) / one->n;
    }
    return one->nsolids ? zw_v3_dot(v->towards, one->x) : sum;
}

static void draw_body(zw_text *t, const zw_scene_view *v, const zw_scene_shape *one, bool edges, double strength) {
    char klass[16];
    if (!drawable(one)) {
        return; /* a run that diverged */
    }
    if (one->points) {
        draw_points(t, v, one, strength);
        return;
    }
    snprintf(klass, sizeof klass, "c%d", one->body % ZW_SCENE_TIMES);
    for (int k = 0; k < one->nsolids; k++) {
        zw_scene_solid solid = one->solid[k];
        solid.nlines = edges ? solid.nlines : 0;
        zw_scene_solid_draw(t, v, &solid, one->x, one->R, klass, strength, false);
    }
    if (one->nsolids == 0) {
        snprintf(klass, sizeof klass, "rod c%d", one->body % ZW_SCENE_TIMES);
        draw_shape(t, v, one, klass, one->pairs ? 1.6 : fmin(fmax(2 * one->radius * v->scale, 1.8), 14), strength, NULL);
    }
}

/* the far ones first; order: room for their numbers */
static void draw_moment(zw_text *t, const zw_scene *s, const zw_scene_view *v, int m) {
    const zw_scene_moment *at = &s->at[m];
    int                   *order = at->order;
    if (!is_shown(s, m)) {
        return;
    }
    for (int i = 0; i < at->nshapes; i++) {
        order[i] = i;
        at->shape[i].depth = depth_of(v, &at->shape[i]);
    }
    for (int gap = at->nshapes / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < at->nshapes; i++) {
            for (int k = i; k >= gap && at->shape[order[k - gap]].depth > at->shape[order[k]].depth; k -= gap) {
                int kept = order[k];
                order[k] = order[k - gap];
                order[k - gap] = kept;
            }
        }
    }
    for (int i = 0; i < at->nshapes; i++) {
        draw_body(t, v, &at->shape[order[i]], !are_many(s, m), strength_of(s, m));
    }
}

/* small crosses where impacts were */
static void draw_marks(zw_text *t, const zw_scene *s, const zw_scene_view *v) {
    if (s->nmarks == 0) {
        return;
    }
    zw_svg_path_begin(t, "hit");
    for (int i = 0; i < s->nmarks; i++) {
        double x, y, r = 3;
        zw_scene_place(v, s->mark + 3 * i, &x, &y);
        if (isfinite(x) && isfinite(y)) {
            zw_svg_path_point(t, true, x - r, y - r);
            zw_svg_path_point(t, false, x + r, y + r);
            zw_svg_path_point(t, true, x - r, y + r);
            zw_svg_path_point(t, false, x + r, y - r);
        }
    }
    zw_svg_path_end(t, false);
}

static void draw_view(zw_text *t, const zw_scene *s, zw_scene_view *v) {
    zw_v3_cross(v->towards, v->right, v->up);
    fit(s, v);
    zw_text_add(t, v->large ? "<figure class=\"scene large\"><figcaption>" : "<figure class=\"scene\"><figcaption>");
    zw_text_html(t, v->name);
    zw_text_add(t, "</figcaption>\n");
    zw_svg_begin(t, v->width, v->height, v->name);
    zw_scene_walls_draw(t, s, v);
    if (v->floor) {
        draw_floor(t, s, v);
        for (int m = 0; m < s->nmoments; m++) {
            draw_shadow(t, s, v, m);
        }
    }
    for (int i = 0; i < s->ntrails; i++) {
        char klass[16];
        snprintf(klass, sizeof klass, "rod c%d", s->trail[i].body % ZW_SCENE_TIMES);
        if (drawable(&s->trail[i])) {
            draw_shape(t, v, &s->trail[i], klass, 1, 0.45, NULL);
        }
    }
    for (int m = 0; m < s->nmoments; m++) {
        draw_moment(t, s, v, m);
    }
    draw_marks(t, s, v);
    draw_triad(t, v);
    draw_scale(t, v, extent(s));
    zw_svg_end(t);
    zw_text_add(t, "</figure>\n");
}

static void write_legend(zw_text *t, const zw_scene *s) {
    char number[ZW_SVG_NUMBER];
    zw_text_add(t, "<p class=\"legend\">");
    if (s->nbodies > 1) {
        for (int i = 0; i < s->nbodies; i++) {
            zw_text_addf(t, "<span><i class=\"b%d\"></i>", i);
            zw_text_html(t, s->body[i]);
            zw_text_add(t, "</span> ");
        }
    }
    for (int m = 0; m < s->nmoments; m++) {
        double strength = strength_of(s, m);
        if (!is_shown(s, m)) {
            continue;
        }
        zw_text_add(t, "<span><i class=\"b0\" style=\"opacity:");
        zw_svg_coordinate(t, strength);
        zw_text_addf(t, "\"></i>%s%s%s</span> ",
                     m > 0      ? ""
                     : s->still ? "point "
                                : "t = ",
                     zw_svg_number(s->at[m].t, 3, number), s->still ? "" : " s");
    }
    if (s->nmarks > 0) {
        zw_text_add(t, "<span>\xc3\x97 impacts</span> ");
    }
    zw_text_add(t, "</p>\n");
}

/* does nothing leave its place along an axis, and is everything in one place there? Solids may be thick */
static bool is_flat(const zw_scene *s, int k) {
    double flat = 1e-6 * extent(s), middle = 0.0;
    if (!(s->hi[k] - s->lo[k] > flat)) {
        return true;
    }
    for (int m = 0; m < s->nmoments; m++) {
        if (s->at[m].nshapes != s->at[0].nshapes) {
            return false;
        }
        for (int i = 0; i < s->at[m].nshapes; i++) {
            const zw_scene_shape *one = &s->at[m].shape[i], *first = &s->at[0].shape[i];
            middle = m == 0 && i == 0 ? one->x[k] : middle;
            if (!one->pairs || one->n != first->n || fabs(one->x[k] - middle) > flat) {
                return false;
            }
            for (int j = 0; j < one->n; j++) {
                if (!(fabs(one->p[3 * j + k] - first->p[3 * j + k]) <= flat)) {
                    return false;
                }
            }
        }
    }
    return s->ntrails == 0;
}

zw_status zw_scene_write(zw_text *t, zw_arena *a, const zw_results *r, const zw_model *model) {
    static const zw_scene_view skew = {.name = "seen from the side and above",
                                       .right = {0.8660254037844386, 0.5, 0},
                                       .up = {-0.17101007166283436, 0.29619813272602386, 0.93969262078590838},
                                       .floor = true};
    static const zw_scene_view front = {.name = "along y", .right = {1, 0, 0}, .up = {0, 0, 1}};
    static const zw_scene_view side = {.name = "along x", .right = {0, 1, 0}, .up = {0, 0, 1}};
    static const zw_scene_view top = {.name = "along z, from above", .right = {1, 0, 0}, .up = {0, 1, 0}};
    zw_scene                   s = {.context = model ? model->context : NULL, .model = model};
    const zw_layout           *first = zw_results_epochs(r) > 0 ? zw_results_layout(r, 0) : NULL;
    for (int i = 0; first && i < first->nchannels; i++) {
        s.still = s.still || strcmp(first->channel[i].name, "statics/parameter") == 0;
    }
    zw_status status = zw_scene_read(&s, a, r);
    if (status == ZW_OK) {
        status = zw_scene_walls_read(&s, a);
    }
    if (status == ZW_OK) {
        status = zw_scene_marks_read(&s, a, r);
    }
    if (status != ZW_OK || s.nmoments == 0) {
        zw_scene_walls_end(&s);
        return status;
    }
    bool          flat[3] = {is_flat(&s, 0), is_flat(&s, 1), is_flat(&s, 2)};
    bool          one_plane = flat[0] + flat[1] + flat[2] == 1, in_x = !flat[0] || !one_plane, in_y = !flat[1] || !one_plane;
    bool          in_z = !flat[2] || !one_plane;
    zw_scene_view v[4];
    int           n = 0;
    if (in_x && in_y && in_z) {
        v[n++] = skew;
        v[n++] = front;
        v[n++] = side;
        v[n++] = top;
    } else {
        v[n] = in_z ? (in_y ? side : front) : top;
        v[n].large = true;
        v[n++].name = in_z ? (in_y ? "in the plane of y and z" : "in the plane of x and z") : "in the plane of x and y";
    }
    zw_text_add(t, "<h2>Shape</h2>\n");
    write_legend(t, &s);
    zw_text_add(t, "<div class=\"figures\">\n");
    for (int i = 0; i < n; i++) {
        draw_view(t, &s, &v[i]);
    }
    zw_text_add(t, "</div>\n");
    zw_scene_walls_end(&s);
    return ZW_OK;
}

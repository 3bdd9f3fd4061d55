/* SPDX-License-Identifier: Apache-2.0
 * scene.c: rods at up to eight times of the record, the early ones faint. Orthographic: a point p goes to (right.p, up.p), both
 * directions with the same scale. The skew view looks from azimuth -60 degrees and elevation 20 degrees, z up, and shows a
 * floor with the rods' shadows, by which depth can be read; the others look along an axis.
 * Rigid bodies are their outlines, lines that turn with them.
 * Points of lagrangian bodies are dots, joined where the model links them; those that end a chain of links or have none leave the whole way they went as a
 * thin line. */
#include "record/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "record/axis.h"
#include "record/svg.h"

static const double MARGIN = 16, FOOT = 44, LETTER = 13;
/* size of one of several pictures, and of one that has the whole width of the page */
static const double WIDTH = 440, HEIGHT = 330, LARGE_WIDTH = 760, LARGE_HEIGHT[2] = {260, 460};

typedef struct shape {
    int           n;
    const double *p; /* [n][3] */
    double        radius;
    bool          closed;
    int           body;   /* colour */
    bool          points; /* of a lagrangian body: dots, not a line  */
    bool          pairs;  /* of a rigid body: every two are a line   */
    int           nlinks;
    const double *link; /* [nlinks][2] numbers of points            */
} shape;

typedef struct moment {
    double t;
    int    nshapes;
    shape *shape;
} moment;

typedef struct scene {
    int    nmoments, nbodies;
    moment at[ZW_SCENE_TIMES];
    char   body[ZW_SCENE_TIMES][80]; /* names of the first bodies, for the legend */
    int    ntrails;
    shape *trail; /* where each point went */
    double lo[3], hi[3];
} scene;

typedef struct view {
    const char *name;
    double      right[3], up[3];
    bool        floor;
    bool        large;
    double      width, height;
    double      scale, x0, y0; /* picture = (x0 + scale*right.p, y0 - scale*up.p) */
} view;

/* ---- reading */

/* NAME of "KIND/NAME/what"; false when the channel is something else */
static bool body_channel(const char *channel, const char *kind, const char *what, char *name, size_t size) {
    size_t n = strlen(channel), head = strlen(kind) + 1, tail = strlen(what) + 1;
    if (n < head + tail + 1 || strncmp(channel, kind, head - 1) != 0 || channel[head - 1] != '/' || channel[n - tail] != '/' ||
        strcmp(channel + n - tail + 1, what) != 0) {
        return false;
    }
    snprintf(name, size, "%.*s", (int)(n - head - tail), channel + head);
    return true;
}

static bool rod_channel(const char *channel, const char *what, char *name, size_t size) {
    return body_channel(channel, "rod", what, name, size);
}

/* value of a constant of a rod, the greatest when it has several; 0 when it is not there */
static double rod_constant(const zw_layout *layout, const char *name, const char *what) {
    char   of[96];
    double most = 0;
    for (int i = 0; i < layout->nconstants; i++) {
        const zw_channel *k = &layout->constant[i];
        if (layout->constants && rod_channel(k->name, what, of, sizeof of) && strcmp(of, name) == 0) {
            for (size_t j = 0; j < k->count; j++) {
                most = fmax(most, layout->constants[k->offset + j]);
            }
        }
    }
    return most;
}

/* which points of a lagrangian body are joined by lines */
static void read_links(const zw_layout *layout, const char *name, shape *one) {
    char of[96];
    for (int i = 0; i < layout->nconstants; i++) {
        const zw_channel *k = &layout->constant[i];
        if (layout->constants && body_channel(k->name, "lagrangian", "links", of, sizeof of) && strcmp(of, name) == 0) {
            one->nlinks = (int)(k->count / 2);
            one->link = layout->constants + k->offset;
        }
    }
}

static const zw_channel *find_constant(const zw_layout *layout, const char *name, const char *what) {
    char of[96];
    for (int i = 0; layout->constants && i < layout->nconstants; i++) {
        if (body_channel(layout->constant[i].name, "rigid", what, of, sizeof of) && strcmp(of, name) == 0) {
            return &layout->constant[i];
        }
    }
    return NULL;
}

/* counts a shape, and keeps the names of the first ones for the legend */
static void name_body(scene *s, moment *m, const char *name) {
    if (m->nshapes < ZW_SCENE_TIMES && m->nshapes >= s->nbodies) {
        snprintf(s->body[s->nbodies++], sizeof s->body[0], "%.79s", name);
    }
    m->nshapes++;
}

/* the outline of a rigid body as it lies at a frame; without one a cross at its place is not invented: n = 0 */
static zw_status read_rigid(zw_arena *a, const zw_results *r, int epoch, int64_t frame, int channel, const char *name, shape *out) {
    enum { MOST = 20000 }; /* lines of a picture: more than that nobody sees */
    const zw_layout  *layout = zw_results_layout(r, epoch);
    const zw_channel *outline = find_constant(layout, name, "outline");
    char              turn[128];
    double            x[3], q[4] = {1, 0, 0, 0};
    snprintf(turn, sizeof turn, "rigid/%s/orientation", name);
    ZW_TRY(zw_results_read(r, epoch, channel, frame, 1, x));
    for (int i = 0; i < layout->nchannels; i++) {
        if (strcmp(layout->channel[i].name, turn) == 0 && layout->channel[i].count == 4) {
            ZW_TRY(zw_results_read(r, epoch, i, frame, 1, q));
        }
    }
    size_t  n = outline != NULL && outline->count <= 6 * MOST ? outline->count / 3 : 0;
    double *p = zw_arena_alloc(a, 3 * n + 3, sizeof *p, "outline of a rigid body");
    if (!p) {
        return ZW_E_MEMORY;
    }
    for (size_t j = 0; j < n; j++) {
        zw_q_rotate(q, layout->constants + outline->offset + 3 * j, p + 3 * j);
        zw_v3_add(p + 3 * j, p + 3 * j, x);
    }
    if (n == 0) {
        zw_v3_copy(p, x);
    }
    *out = (shape){.n = n > 0 ? (int)n : 1, .p = p, .pairs = n > 0, .points = n == 0};
    return ZW_OK;
}

static zw_status read_moment(scene *s, zw_arena *a, const zw_results *r, int epoch, int64_t frame) {
    const zw_layout *layout = zw_results_layout(r, epoch);
    moment          *m = &s->at[s->nmoments];
    char             name[96];
    m->shape = zw_arena_alloc(a, (size_t)layout->nchannels, sizeof *m->shape, "the shapes of a picture");
    if (!m->shape) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < layout->nchannels; i++) {
        const zw_channel *c = &layout->channel[i];
        if (strcmp(c->name, "time") == 0) {
            ZW_TRY(zw_results_read(r, epoch, i, frame, 1, &m->t));
        }
        if (body_channel(c->name, "rigid", "position", name, sizeof name) && c->count == 3) {
            ZW_TRY(read_rigid(a, r, epoch, frame, i, name, &m->shape[m->nshapes]));
            m->shape[m->nshapes].body = m->nshapes;
            name_body(s, m, name);
            continue;
        }
        bool points = body_channel(c->name, "lagrangian", "points", name, sizeof name);
        if ((!points && !rod_channel(c->name, "position", name, sizeof name)) || c->rank != 2 || c->shape[1] != 3 || c->shape[0] < 1) {
            continue;
        }
        double *p = zw_arena_alloc(a, c->count, sizeof *p, "positions of a picture");
        if (!p) {
            return ZW_E_MEMORY;
        }
        ZW_TRY(zw_results_read(r, epoch, i, frame, 1, p));
        shape *one = &m->shape[m->nshapes];
        *one = (shape){.n = c->shape[0], .p = p, .body = m->nshapes, .points = points};
        if (points) {
            read_links(layout, name, one);
        } else {
            one->radius = rod_constant(layout, name, "radius");
            one->closed = rod_constant(layout, name, "closed") > 0;
        }
        name_body(s, m, name);
    }
    s->nmoments += m->nshapes > 0;
    return ZW_OK;
}

static int links_of(const shape *one, int point) {
    int n = 0;
    for (int i = 0; i < 2 * one->nlinks; i++) {
        n += (int)one->link[i] == point;
    }
    return n;
}

/* the way of every point of the shapes of the first moment; sizes of lagrangian bodies never change, so that all epochs are alike */
static zw_status read_trails(scene *s, zw_arena *a, const zw_results *r, int64_t total) {
    enum { MOST = 600, TRAILS = 64 };
    int64_t every = total > MOST ? total / MOST + 1 : 1;
    char    name[96];
    s->trail = zw_arena_alloc(a, TRAILS, sizeof *s->trail, "trails");
    if (!s->trail) {
        return ZW_E_MEMORY;
    }
    const zw_layout *first = zw_results_layout(r, 0);
    int              body = 0;
    for (int i = 0; i < first->nchannels; i++) {
        const zw_channel *c = &first->channel[i];
        if (body_channel(c->name, "rigid", "position", name, sizeof name) && c->count == 3) {
            body++;
            continue;
        }
        bool points = body_channel(c->name, "lagrangian", "points", name, sizeof name);
        if ((!points && !rod_channel(c->name, "position", name, sizeof name)) || c->rank != 2 || c->shape[1] != 3 || c->shape[0] < 1) {
            continue;
        }
        if (points && s->ntrails + c->shape[0] <= TRAILS) {
            size_t  room = (size_t)((total + every - 1) / every);
            double *one = zw_arena_alloc(a, c->count, sizeof *one, "trails");
            double *p = zw_arena_alloc(a, room * c->count, sizeof *p, "trails");
            if (!one || !p) {
                return ZW_E_MEMORY;
            }
            size_t n = 0;
            for (int64_t frame = 0; frame < zw_results_frames(r, 0) && n < room; frame += every, n++) {
                ZW_TRY(zw_results_read(r, 0, i, frame, 1, one));
                for (int k = 0; k < c->shape[0]; k++) {
                    memcpy(p + 3 * (room * (size_t)k + n), one + 3 * k, 3 * sizeof *p);
                }
            }
            shape linked = {0};
            read_links(first, name, &linked);
            for (int k = 0; k < c->shape[0] && n > 1; k++) {
                if (links_of(&linked, k) > 1) {
                    continue;
                }
                s->trail[s->ntrails++] = (shape){.n = (int)n, .p = p + 3 * room * (size_t)k, .body = body};
            }
        }
        body++;
    }
    return ZW_OK;
}

/* widens the box around everything by some points */
static void include(scene *s, const shape *one, bool *some) {
    for (int j = 0; j < 3 * one->n; j++) {
        double x = one->p[j];
        if (isfinite(x)) {
            s->lo[j % 3] = *some || j > 2 ? fmin(s->lo[j % 3], x) : x;
            s->hi[j % 3] = *some || j > 2 ? fmax(s->hi[j % 3], x) : x;
        }
    }
    *some = true;
}

static zw_status read_scene(scene *s, zw_arena *a, const zw_results *r) {
    int64_t total = 0, done = 0;
    for (int e = 0; e < zw_results_epochs(r); e++) {
        total += zw_results_frames(r, e);
    }
    int64_t wanted = total < ZW_SCENE_TIMES ? total : ZW_SCENE_TIMES, k = 0;
    for (int e = 0; e < zw_results_epochs(r); e++) {
        int64_t frames = zw_results_frames(r, e);
        for (; k < wanted; k++) {
            int64_t frame = (wanted == 1 ? 0 : (total - 1) * k / (wanted - 1)) - done;
            if (frame >= frames) {
                break;
            }
            ZW_TRY(read_moment(s, a, r, e, frame));
        }
        done += frames;
    }
    bool some = false;
    for (int m = 0; m < s->nmoments; m++) {
        for (int i = 0; i < s->at[m].nshapes; i++) {
            include(s, &s->at[m].shape[i], &some);
        }
    }
    if (s->nmoments > 0) {
        ZW_TRY(read_trails(s, a, r, total));
    }
    for (int i = 0; i < s->ntrails; i++) {
        include(s, &s->trail[i], &some);
    }
    return ZW_OK;
}

/* ---- drawing */

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void place(const view *v, const double p[3], double *x, double *y) {
    *x = v->x0 + v->scale * dot(v->right, p);
    *y = v->y0 - v->scale * dot(v->up, p);
}

static double extent(const scene *s) {
    double d = 0;
    for (int k = 0; k < 3; k++) {
        d = fmax(d, s->hi[k] - s->lo[k]);
    }
    return d;
}

static void corner(const scene *s, int k, bool floor_only, double p[3]) {
    p[0] = k & 1 ? s->hi[0] : s->lo[0];
    p[1] = k & 2 ? s->hi[1] : s->lo[1];
    p[2] = k & 4 && !floor_only ? s->hi[2] : s->lo[2];
}

static void widen(const view *v, const shape *one, double lo[2], double hi[2]) {
    for (int j = 0; j < one->n; j++) {
        double x = dot(v->right, one->p + 3 * j), y = dot(v->up, one->p + 3 * j);
        if (isfinite(x) && isfinite(y)) {
            lo[0] = fmin(lo[0], x);
            hi[0] = fmax(hi[0], x);
            lo[1] = fmin(lo[1], y);
            hi[1] = fmax(hi[1], y);
        }
    }
}

/* everything that will be drawn fits between the margins, with the same scale in both directions */
static void fit(const scene *s, view *v) {
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY}, p[3];
    for (int m = 0; m < s->nmoments; m++) {
        for (int i = 0; i < s->at[m].nshapes; i++) {
            widen(v, &s->at[m].shape[i], lo, hi);
        }
    }
    for (int i = 0; i < s->ntrails; i++) {
        widen(v, &s->trail[i], lo, hi);
    }
    for (int k = 0; k < 4 && v->floor; k++) {
        corner(s, k, true, p);
        lo[0] = fmin(lo[0], dot(v->right, p));
        hi[0] = fmax(hi[0], dot(v->right, p));
        lo[1] = fmin(lo[1], dot(v->up, p));
        hi[1] = fmax(hi[1], dot(v->up, p));
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

static void draw_floor(zw_text *t, const scene *s, const view *v) {
    double step = zw_axis_round(fmax(s->hi[0] - s->lo[0], s->hi[1] - s->lo[1]) / 4), p[3], q[3], x[2], y[2];
    p[2] = q[2] = s->lo[2];
    for (int k = 0; k < 2; k++) {
        int    other = 1 - k;
        double first = ceil(s->lo[k] / step - 1e-9), last = floor(s->hi[k] / step + 1e-9);
        for (double i = first - 1; i <= last + 1; i++) { /* round numbers, and the two borders */
            double at = i < first ? s->lo[k] : i > last ? s->hi[k] : i * step;
            p[k] = q[k] = at;
            p[other] = s->lo[other];
            q[other] = s->hi[other];
            place(v, p, &x[0], &y[0]);
            place(v, q, &x[1], &y[1]);
            zw_svg_line(t, "grid", x[0], y[0], x[1], y[1]);
        }
    }
}

static void draw_shape(zw_text *t, const view *v, const shape *one, const char *klass, double width, double strength,
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
        place(v, p, &x, &y);
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
static void draw_points(zw_text *t, const view *v, const shape *one, double strength) {
    for (int i = 0; i < one->nlinks; i++) {
        const double *a = one->p + 3 * (int)one->link[2 * i], *b = one->p + 3 * (int)one->link[2 * i + 1];
        double        ends[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
        shape         line = {.n = 2, .p = ends};
        char          klass[16];
        snprintf(klass, sizeof klass, "rod c%d", one->body % ZW_SCENE_TIMES);
        draw_shape(t, v, &line, klass, 2.5, strength, NULL);
    }
    for (int j = 0; j < one->n; j++) {
        double x, y;
        place(v, one->p + 3 * j, &x, &y);
        zw_text_addf(t, "<circle class=\"dot d%d\" r=\"%d\" cx=\"", one->body % ZW_SCENE_TIMES, links_of(one, j) > 1 ? 2 : 4);
        zw_svg_coordinate(t, x);
        zw_text_add(t, "\" cy=\"");
        zw_svg_coordinate(t, y);
        zw_text_add(t, "\" opacity=\"");
        zw_svg_coordinate(t, strength);
        zw_text_add(t, "\"/>\n");
    }
}

static bool drawable(const shape *one) {
    for (int j = 0; j < 3 * one->n; j++) {
        if (!isfinite(one->p[j])) {
            return false;
        }
    }
    return true;
}

/* length 26 arrows along the axes that are seen, in the lower left corner */
static void draw_triad(zw_text *t, const view *v) {
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

static void draw_scale(zw_text *t, const view *v, double size) {
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

static void draw_view(zw_text *t, const scene *s, view *v) {
    fit(s, v);
    zw_text_add(t, v->large ? "<figure class=\"scene large\"><figcaption>" : "<figure class=\"scene\"><figcaption>");
    zw_text_html(t, v->name);
    zw_text_add(t, "</figcaption>\n");
    zw_svg_begin(t, v->width, v->height, v->name);
    if (v->floor) {
        draw_floor(t, s, v);
    }
    for (int i = 0; i < s->ntrails; i++) {
        char klass[16];
        snprintf(klass, sizeof klass, "rod c%d", s->trail[i].body % ZW_SCENE_TIMES);
        if (drawable(&s->trail[i])) {
            draw_shape(t, v, &s->trail[i], klass, 1, 0.45, NULL);
        }
    }
    for (int pass = v->floor ? 0 : 1; pass < 2; pass++) { /* shadows below everything else */
        for (int m = 0; m < s->nmoments; m++) {
            double strength = s->nmoments == 1 ? 1 : 0.18 + 0.82 * pow((double)m / (s->nmoments - 1), 1.5);
            for (int i = 0; i < s->at[m].nshapes; i++) {
                const shape *one = &s->at[m].shape[i];
                double       width = one->pairs ? 1.2 : fmin(fmax(2 * one->radius * v->scale, 1.8), 14);
                char         klass[16];
                if (!drawable(one)) {
                    continue; /* a run that diverged */
                }
                if (one->points) {
                    if (pass) {
                        draw_points(t, v, one, strength);
                    }
                    continue;
                }
                snprintf(klass, sizeof klass, pass ? "rod c%d" : "shadow", one->body % ZW_SCENE_TIMES);
                draw_shape(t, v, one, klass, width, pass ? strength : 0.35 * strength, pass ? NULL : &s->lo[2]);
            }
        }
    }
    draw_triad(t, v);
    draw_scale(t, v, extent(s));
    zw_svg_end(t);
    zw_text_add(t, "</figure>\n");
}

static void write_legend(zw_text *t, const scene *s) {
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
        double strength = s->nmoments == 1 ? 1 : 0.18 + 0.82 * pow((double)m / (s->nmoments - 1), 1.5);
        zw_text_add(t, "<span><i class=\"b0\" style=\"opacity:");
        zw_svg_coordinate(t, strength);
        zw_text_addf(t, "\"></i>%s%s s</span> ", m == 0 ? "t = " : "", zw_svg_number(s->at[m].t, 3, number));
    }
    zw_text_add(t, "</p>\n");
}

zw_status zw_scene_write(zw_text *t, zw_arena *a, const zw_results *r) {
    static const view skew = {.name = "seen from the side and above",
                              .right = {0.8660254037844386, 0.5, 0},
                              .up = {-0.17101007166283436, 0.29619813272602386, 0.93969262078590838},
                              .floor = true};
    static const view front = {.name = "along y", .right = {1, 0, 0}, .up = {0, 0, 1}};
    static const view side = {.name = "along x", .right = {0, 1, 0}, .up = {0, 0, 1}};
    static const view top = {.name = "along z, from above", .right = {1, 0, 0}, .up = {0, 1, 0}};
    scene             s = {0};
    ZW_TRY(read_scene(&s, a, r));
    if (s.nmoments == 0) {
        return ZW_OK;
    }
    double flat = 1e-6 * extent(&s);
    bool   in_x = s.hi[0] - s.lo[0] > flat, in_y = s.hi[1] - s.lo[1] > flat, in_z = s.hi[2] - s.lo[2] > flat;
    view   v[4];
    int    n = 0;
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
    return ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * modes_page.c: the table of small motions, and a picture of each: lines of rods, outlines of rigid bodies and links of lagrangian points over the state they are about. The
 * pictures move by themselves (SVG animation, no script); on paper they show the largest swing. */
#include "record/modes_page.h"

#include "base/number.h"
#include "math/quat.h"
#include "record/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PICTURES = 12, NODES = 80, POINTS_MOST = 4000, PHASES_MOST = 24 };
static const double WIDTH = 440, HEIGHT = 250, MARGIN = 16, FOOT = 30;

typedef struct stroke { /* points of one frame: a new stroke begins where move is set */
    int     n;
    double *p; /* [n][3] */
    bool   *move;
} stroke;

bool zw_modes_page_applies(const zw_json *summary) {
    return summary != NULL && strcmp(zw_json_string(summary, "analysis", ""), "modes") == 0;
}

static void put_number(zw_text *t, double value, int digits) {
    char text[ZW_SVG_NUMBER];
    zw_text_add(t, isnan(value) ? "\xe2\x80\x93" : zw_svg_number(value, digits, text));
}

static const char *told(double frequency, double growth) {
    double size = hypot(growth, frequency);
    if (growth > 1e-9 * size) {
        return frequency > 0.0 ? "flutter" : "divergence";
    }
    return frequency > 0.0 ? (growth < -1e-9 * size ? "damped" : "") : "overdamped";
}

static void table(zw_text *t, const zw_json *summary) {
    const zw_json *modes = zw_json_find(summary, "modes");
    int            n = 0;
    zw_text_add(t, "<h2>Small motions about the ");
    zw_text_html(t, zw_json_string(summary, "about", "state"));
    zw_text_add(t, "</h2>\n<table><thead><tr><th>number</th><th>rad/s</th><th>Hz</th><th>growth, 1/s</th><th></th></tr></thead>\n");
    for (const zw_json *m = modes != NULL ? modes->child : NULL; m != NULL; m = m->next) {
        double frequency = zw_json_number(m, "frequency", NAN), growth = zw_json_number(m, "growth", NAN);
        zw_text_addf(t, "<tr><td>%d</td><td>", ++n);
        put_number(t, frequency, 8);
        zw_text_add(t, "</td><td>");
        put_number(t, frequency / 6.283185307179586, 8);
        zw_text_add(t, "</td><td>");
        put_number(t, growth, 6);
        zw_text_add(t, "</td><td>");
        zw_text_html(t, told(frequency, growth));
        zw_text_add(t, "</td></tr>\n");
    }
    zw_text_add(t, "</table>\n<p>");
    zw_text_html(t, zw_json_string(summary, "verdict", ""));
    double loose = zw_json_number(summary, "free", 0.0);
    if (loose > 0.0) {
        zw_text_addf(t, "; %d motions that nothing holds are not listed", (int)loose);
    }
    zw_text_add(t, "</p>\n");
    const char *parameter = zw_json_string(summary, "critical.parameter", NULL), *kind = zw_json_string(summary, "critical.kind", NULL);
    double      value = zw_json_number(summary, "critical.value", NAN);
    if (parameter != NULL) {
        zw_text_add(t, "<p>Critical value of ");
        zw_text_html(t, parameter);
        zw_text_add(t, ": ");
        if (isnan(value)) {
            zw_text_html(t, kind != NULL ? kind : "none in the range");
        } else {
            put_number(t, value, 10);
            zw_text_add(t, ", ");
            zw_text_html(t, kind != NULL ? kind : "");
            double omega = zw_json_number(summary, "critical.frequency", 0.0);
            if (omega > 0.0) {
                zw_text_add(t, " at ");
                put_number(t, omega, 6);
                zw_text_add(t, " rad/s");
            }
        }
        zw_text_add(t, "</p>\n");
    }
}

/* ---- lines of a frame */

static bool ends_with(const char *name, const char *kind, const char *what, char *body, size_t size) {
    size_t n = strlen(name), head = strlen(kind), tail = strlen(what);
    if (n < head + tail + 3 || strncmp(name, kind, head) != 0 || name[head] != '/' || strcmp(name + n - tail, what) != 0 ||
        name[n - tail - 1] != '/') {
        return false;
    }
    snprintf(body, size, "%.*s", (int)(n - head - tail - 2), name + head + 1);
    return true;
}

static const zw_channel *constant_of(const zw_layout *l, const char *kind, const char *body, const char *what) {
    char name[128];
    snprintf(name, sizeof name, "%s/%s/%s", kind, body, what);
    for (int i = 0; i < l->nconstants && l->constants != NULL; i++) {
        if (strcmp(l->constant[i].name, name) == 0) {
            return &l->constant[i];
        }
    }
    return NULL;
}

static void add_point(stroke *s, const double p[3], bool move) {
    if (s->n < POINTS_MOST) {
        memcpy(s->p + 3 * (ptrdiff_t)s->n, p, 3 * sizeof *p);
        s->move[s->n++] = move;
    }
}

static zw_status read_frame(const zw_results *r, zw_arena *a, int64_t frame, stroke *out) {
    const zw_layout *l = zw_results_layout(r, 0);
    zw_status        status = ZW_OK;
    out->n = 0;
    for (int i = 0; i < l->nchannels; i++) {
        const zw_channel *c = &l->channel[i];
        char              body[96], turn[128];
        bool              rod = ends_with(c->name, "rod", "position", body, sizeof body), rigid = false, points = false;
        rigid = !rod && ends_with(c->name, "rigid", "position", body, sizeof body);
        points = !rod && !rigid && ends_with(c->name, "lagrangian", "points", body, sizeof body);
        if (!rod && !rigid && !points) {
            continue;
        }
        zw_arena_mark mark = zw_arena_mark_now(a);
        double       *x = zw_arena_alloc(a, c->count + 1, sizeof *x, "a picture");
        status = x != NULL ? zw_results_read(r, 0, i, frame, 1, x) : ZW_E_MEMORY;
        int n = (int)(c->count / 3);
        if (status == ZW_OK && rod) {
            int stride = n > NODES ? (n + NODES - 1) / NODES : 1;
            for (int j = 0; j < n; j += stride) {
                add_point(out, x + 3 * (ptrdiff_t)j, j == 0);
            }
            if ((n - 1) % stride != 0) {
                add_point(out, x + 3 * (ptrdiff_t)(n - 1), false);
            }
        } else if (status == ZW_OK && rigid) {
            const zw_channel *line = constant_of(l, "rigid", body, "outline");
            double            q[4] = {1.0, 0.0, 0.0, 0.0}, p[3];
            snprintf(turn, sizeof turn, "rigid/%s/orientation", body);
            for (int j = 0; j < l->nchannels && status == ZW_OK; j++) {
                if (strcmp(l->channel[j].name, turn) == 0 && l->channel[j].count == 4) {
                    status = zw_results_read(r, 0, j, frame, 1, q);
                }
            }
            size_t most = line != NULL ? line->count / 3 : 0;
            for (size_t j = 0; j < most && j < 400; j++) {
                zw_q_rotate(q, l->constants + line->offset + 3 * j, p);
                zw_v3_add(p, p, x);
                add_point(out, p, j % 2 == 0);
            }
            for (int j = 0; j < 3 && most == 0; j++) { /* no form: its axes, short */
                double axis[3] = {j == 0 ? 0.05 : 0.0, j == 1 ? 0.05 : 0.0, j == 2 ? 0.05 : 0.0};
                zw_q_rotate(q, axis, p);
                zw_v3_add(p, p, x);
                add_point(out, x, true);
                add_point(out, p, false);
            }
        } else if (status == ZW_OK) {
            const zw_channel *links = constant_of(l, "lagrangian", body, "links");
            for (size_t j = 0; links != NULL && j + 1 < links->count; j += 2) {
                int from = (int)l->constants[links->offset + j], to = (int)l->constants[links->offset + j + 1];
                if (from >= 0 && from < n && to >= 0 && to < n) {
                    add_point(out, x + 3 * (ptrdiff_t)from, true);
                    add_point(out, x + 3 * (ptrdiff_t)to, false);
                }
            }
        }
        zw_arena_release(a, mark);
        ZW_TRY(status);
    }
    return ZW_OK;
}

/* ---- the picture */

typedef struct view {
    double right[3], up[3], scale, x0, y0;
} view;

/* along an axis where the motion stays in a plane across it, else from the side and above */
static void look(const double lo[3], const double hi[3], view *v) {
    double most = 0.0, least = HUGE_VAL;
    int    thin = 0;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, hi[k] - lo[k]);
        if (hi[k] - lo[k] < least * (1.0 - 1e-9)) {
            least = hi[k] - lo[k];
            thin = k;
        }
    }
    static const double skew[6] = {0.8660254037844386, 0.5, 0.0, -0.17101007166283436, 0.29619813272602386, 0.9396926207859084};
    memset(v, 0, sizeof *v);
    if (least <= 0.02 * most) {
        v->right[thin == 0 ? 1 : 0] = 1.0;
        v->up[thin == 2 ? 1 : 2] = 1.0;
    } else {
        memcpy(v->right, skew, sizeof v->right);
        memcpy(v->up, skew + 3, sizeof v->up);
    }
}

static void fit(view *v, const stroke *frame, int nframes) {
    double lo[2] = {HUGE_VAL, HUGE_VAL}, hi[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int f = 0; f < nframes; f++) {
        for (int i = 0; i < frame[f].n; i++) {
            double x = zw_v3_dot(v->right, frame[f].p + 3 * (ptrdiff_t)i), y = zw_v3_dot(v->up, frame[f].p + 3 * (ptrdiff_t)i);
            lo[0] = fmin(lo[0], x);
            hi[0] = fmax(hi[0], x);
            lo[1] = fmin(lo[1], y);
            hi[1] = fmax(hi[1], y);
        }
    }
    double w = WIDTH - 2 * MARGIN, h = HEIGHT - MARGIN - FOOT;
    v->scale = fmin(w / fmax(hi[0] - lo[0], 1e-300), h / fmax(hi[1] - lo[1], 1e-300));
    v->scale = isfinite(v->scale) && v->scale < 1e200 ? v->scale : 1.0;
    v->x0 = WIDTH / 2 - v->scale * (lo[0] + hi[0]) / 2;
    v->y0 = MARGIN + h / 2 + v->scale * (lo[1] + hi[1]) / 2;
}

static void put_path(zw_text *t, const view *v, const stroke *s) {
    for (int i = 0; i < s->n; i++) {
        const double *p = s->p + 3 * (ptrdiff_t)i;
        zw_text_add(t, s->move[i] ? (i > 0 ? " M" : "M") : " L");
        zw_svg_coordinate(t, v->x0 + v->scale * zw_v3_dot(v->right, p));
        zw_text_add(t, " ");
        zw_svg_coordinate(t, v->y0 - v->scale * zw_v3_dot(v->up, p));
    }
}

static zw_status picture(zw_text *t, zw_arena *a, const zw_results *r, int number, double frequency, double growth, int phases) {
    stroke frame[PHASES_MOST + 1];
    double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    view   v;
    char   text[160], x[ZW_SVG_NUMBER];
    for (int f = 0; f <= phases; f++) { /* 0: the state itself */
        frame[f].p = zw_arena_alloc(a, 3 * POINTS_MOST, sizeof(double), "a picture");
        frame[f].move = zw_arena_alloc(a, POINTS_MOST, sizeof(bool), "a picture");
        if (frame[f].p == NULL || frame[f].move == NULL) {
            return ZW_E_MEMORY;
        }
        ZW_TRY(read_frame(r, a, f == 0 ? 0 : 1 + (int64_t)(number - 1) * phases + f - 1, &frame[f]));
        for (int i = 0; i < 3 * frame[f].n; i++) {
            lo[i % 3] = fmin(lo[i % 3], frame[f].p[i]);
            hi[i % 3] = fmax(hi[i % 3], frame[f].p[i]);
        }
    }
    if (frame[0].n == 0) {
        return ZW_OK;
    }
    look(lo, hi, &v);
    fit(&v, frame, phases + 1);
    snprintf(text, sizeof text, "mode %d", number);
    zw_text_addf(t, "<figure class=\"mode\"><figcaption>mode %d</figcaption>\n", number);
    zw_svg_begin(t, WIDTH, HEIGHT, text);
    zw_text_add(t, "<path class=\"edge wall\" d=\"");
    put_path(t, &v, &frame[0]);
    zw_text_add(t, "\"/>\n<path class=\"curve c0\" d=\"");
    put_path(t, &v, &frame[1]);
    zw_text_add(t, "\"><animate attributeName=\"d\" dur=\"2s\" repeatCount=\"indefinite\" values=\"");
    for (int f = 1; f <= phases + 1; f++) {
        zw_text_add(t, f > 1 ? ";" : "");
        put_path(t, &v, &frame[f <= phases ? f : 1]);
    }
    zw_text_add(t, "\"/></path>\n");
    snprintf(text, sizeof text, "%d: %.40s rad/s", number, zw_svg_number(frequency, 6, x));
    if (growth != 0.0) {
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, ", growth %.40s 1/s", zw_svg_number(growth, 4, x));
    }
    zw_svg_text(t, "tick", WIDTH / 2, HEIGHT - 10, "middle", text);
    zw_svg_end(t);
    zw_text_add(t, "</figure>\n");
    return zw_text_status(t);
}

zw_status zw_modes_page_write(zw_text *t, zw_arena *a, const zw_results *r, const zw_json *summary) {
    const zw_json *modes = zw_json_find(summary, "modes");
    int            n = 0, number = 0;
    table(t, summary);
    for (const zw_json *m = modes != NULL ? modes->child : NULL; m != NULL; m = m->next) {
        n++;
    }
    int64_t frames = zw_results_epochs(r) > 0 ? zw_results_frames(r, 0) : 0;
    int     phases = n > 0 ? (int)((frames - 1) / n) : 0;
    if (phases < 1 || phases > PHASES_MOST) {
        return zw_text_status(t);
    }
    zw_text_add(t, "<h2>Shapes</h2>\n<div class=\"figures\">\n");
    for (const zw_json *m = modes->child; m != NULL && number < PICTURES; m = m->next) {
        zw_arena_mark mark = zw_arena_mark_now(a);
        ZW_TRY(picture(t, a, r, ++number, zw_json_number(m, "frequency", NAN), zw_json_number(m, "growth", 0.0), phases));
        zw_arena_release(a, mark);
    }
    zw_text_add(t, "</div>\n");
    return zw_text_status(t);
}

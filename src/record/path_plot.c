/* SPDX-License-Identifier: Apache-2.0
 * path_plot.c: see path_plot.h. */
#include "record/path_plot.h"

#include "record/axis.h"
#include "record/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* size of the picture in its own units, and of the letters in it */
static const double WIDTH = 440, HEIGHT = 270, LETTER = 13, MARK = 4;

typedef struct point {
    double         p;
    bool           stable;
    int            branch;
    const zw_json *probes;
} point;

typedef struct picture {
    int     n;
    point  *at;
    double *y; /* [n] of one component */
    zw_axis x, ys;
    double  box[4]; /* left, top, right, bottom */
} picture;

bool zw_path_is(const zw_json *summary) {
    return summary && strcmp(zw_json_string(summary, "analysis", ""), "statics") == 0;
}

/* ---- tables */

static void row(zw_text *t, const char *name, double value, int digits, const char *more) {
    char number[ZW_SVG_NUMBER];
    zw_text_add(t, "<tr><th>");
    zw_text_html(t, name);
    zw_text_add(t, "</th><td>");
    zw_text_add(t, isnan(value) ? "\xe2\x80\x93" : zw_svg_number(value, digits, number));
    zw_text_html(t, more);
    zw_text_add(t, "</td></tr>\n");
}

static void specials(zw_text *t, const zw_json *list, const char *name, const char *parameter) {
    for (const zw_json *x = list ? list->child : NULL; x; x = x->next) {
        char   more[120], number[ZW_SVG_NUMBER];
        double n = zw_json_number(x, "multiplicity", 1), branch = zw_json_number(x, "branch", 0),
               exact = zw_json_number(x, "extrapolated", NAN);
        snprintf(more, sizeof more, "%s%s%s", zw_json_string(x, "extremum", NULL) ? ", a " : "", zw_json_string(x, "extremum", ""),
                 n > 2   ? ", multiple"
                 : n > 1 ? ", double"
                         : "");
        zw_text_add(t, "<tr><th>");
        zw_text_html(t, name);
        zw_text_add(t, "</th><td>");
        zw_text_html(t, parameter);
        zw_text_add(t, " = ");
        zw_text_add(t, zw_svg_number(zw_json_number(x, "parameter", NAN), 9, number));
        zw_text_html(t, more);
        if (branch > 0) {
            zw_text_add(t, ", on branch ");
            zw_text_add(t, zw_svg_number(branch, 6, number));
        }
        if (!isnan(exact)) {
            zw_text_add(t, "; without the mesh\xe2\x80\x99s error ");
            zw_text_add(t, zw_svg_number(exact, 9, number));
        }
        zw_text_add(t, "</td></tr>\n");
    }
}

void zw_path_table(zw_text *t, const zw_json *summary) {
    const char    *name = zw_json_string(summary, "parameter.name", NULL), *word = zw_json_string(summary, "outcome", "");
    const zw_json *stable = zw_json_find(summary, "stable");
    char           number[ZW_SVG_NUMBER];
    zw_text_addf(t, "<section><h2>%s</h2><table>\n<tr><th>outcome</th><td><span class=\"%s\">", name ? "Path of equilibria" : "Equilibrium",
                 strcmp(word, "reached") == 0 ? "good" : "bad");
    zw_text_html(t, strcmp(word, "diverged") == 0 ? "broke off" : strcmp(word, "running") == 0 ? "interrupted" : word);
    zw_text_add(t, "</span></td></tr>\n");
    if (name) {
        zw_text_add(t, "<tr><th>parameter</th><td>");
        zw_text_html(t, name);
        zw_text_add(t, " from ");
        zw_text_add(t, zw_svg_number(zw_json_number(summary, "parameter.from", NAN), 9, number));
        zw_text_add(t, " to ");
        zw_text_add(t, zw_svg_number(zw_json_number(summary, "parameter.reached", NAN), 9, number));
        zw_text_add(t, "</td></tr>\n");
        row(t, "points", zw_json_number(summary, "points", NAN), 9, "");
        if (zw_json_number(summary, "branches", 0) > 0) {
            row(t, "branches", zw_json_number(summary, "branches", NAN), 9, "");
        }
    } else {
        zw_text_addf(t, "<tr><th>stability</th><td>%s</td></tr>\n", stable && stable->kind == ZW_JSON_TRUE ? "stable" : "not stable");
    }
    specials(t, zw_json_find(summary, "limits"), "limit point", name ? name : "");
    specials(t, zw_json_find(summary, "bifurcations"), "bifurcation", name ? name : "");
    zw_text_add(t, "</table></section>\n<section><h2>Accuracy</h2><table>\n");
    row(t, "largest force left", zw_json_number(summary, "residual_max", NAN), 2, " of the largest of its terms");
    row(t, "largest constraint residual", zw_json_number(summary, "constraint.position_max", NAN), 2, "");
    row(t, "energy at the end", zw_json_number(summary, "energy.final", NAN), 10, "\xc2\xa0J");
    row(t, "wall time", zw_json_number(summary, "wall_s", NAN), 3, "\xc2\xa0s");
    zw_text_add(t, "</table></section>\n");
}

/* ---- pictures */

static double component(const zw_json *probe, int k) {
    if (probe && probe->kind == ZW_JSON_ARRAY) {
        const zw_json *x = probe->child;
        while (x && k > 0) {
            x = x->next;
            k--;
        }
        return x && x->kind == ZW_JSON_NUMBER ? x->number : NAN;
    }
    return probe && probe->kind == ZW_JSON_NUMBER && k == 0 ? probe->number : NAN;
}

static const zw_json *probe_of(const point *p, const char *name) {
    for (const zw_json *x = p->probes ? p->probes->child : NULL; x; x = x->next) {
        if (x->key && strcmp(x->key, name) == 0) {
            return x;
        }
    }
    return NULL;
}

static int width_of(const zw_json *probe) {
    int n = 0;
    if (probe && probe->kind == ZW_JSON_ARRAY) {
        for (const zw_json *x = probe->child; x; x = x->next) {
            n++;
        }
        return n;
    }
    return probe ? 1 : 0;
}

static bool place(const picture *g, double p, double y, double out[2]) {
    double u = zw_axis_place(&g->x, p), v = zw_axis_place(&g->ys, y);
    out[0] = g->box[0] + u * (g->box[2] - g->box[0]);
    out[1] = g->box[3] - v * (g->box[3] - g->box[1]);
    return isfinite(u) && isfinite(v);
}

/* the parts that are stable, or those that are not */
static void draw_parts(zw_text *t, const picture *g, int colour, bool stable) {
    char klass[24];
    bool pen = false, some = false;
    snprintf(klass, sizeof klass, "curve c%d%s", colour, stable ? "" : " dash");
    for (int i = 1; i < g->n; i++) {
        double a[2], b[2];
        bool   solid = g->at[i - 1].stable && g->at[i].stable;
        if (g->at[i].branch != g->at[i - 1].branch || solid != stable || !place(g, g->at[i - 1].p, g->y[i - 1], a) ||
            !place(g, g->at[i].p, g->y[i], b)) {
            pen = false;
            continue;
        }
        if (!some) {
            zw_svg_path_begin(t, klass);
            some = true;
        }
        if (!pen) {
            zw_svg_path_point(t, true, a[0], a[1]);
        }
        zw_svg_path_point(t, false, b[0], b[1]);
        pen = true;
    }
    if (some) {
        zw_svg_path_end(t, false);
    }
}

/* limits are rings, bifurcations squares; y between the two points beside it */
static void draw_marks(zw_text *t, const picture *g, const zw_json *list, bool square) {
    for (const zw_json *x = list ? list->child : NULL; x; x = x->next) {
        double p = zw_json_number(x, "parameter", NAN), at[2];
        int    after = (int)zw_json_number(x, "after", 0), i = after < g->n ? after : g->n - 1;
        if (i < 1 || !isfinite(p)) {
            continue;
        }
        double p0 = g->at[i - 1].p, p1 = g->at[i].p, part = p1 != p0 ? (p - p0) / (p1 - p0) : 0.0;
        part = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
        if (place(g, p, g->y[i - 1] + part * (g->y[i] - g->y[i - 1]), at)) {
            zw_svg_path_begin(t, "hit");
            for (int k = 0; k < (square ? 4 : 12); k++) {
                double angle = 6.283185307179586 * (square ? k + 0.5 : k) / (square ? 4 : 12), size = square ? 1.3 * MARK : MARK;
                zw_svg_path_point(t, k == 0, at[0] + size * cos(angle), at[1] + size * sin(angle));
            }
            zw_svg_path_end(t, true);
        }
    }
}

static void draw_axes(zw_text *t, picture *g, const char *parameter, const char *unit) {
    double left = 0;
    char   note[300];
    for (int i = 0; i < g->ys.nticks; i++) {
        left = fmax(left, zw_svg_text_width(g->ys.label[i], LETTER));
    }
    g->box[0] = left + 12;
    g->box[1] = 24;
    g->box[2] = WIDTH - 16;
    g->box[3] = HEIGHT - 42;
    snprintf(note, sizeof note, "%s%s%s", g->ys.note, g->ys.note[0] && unit[0] ? " " : "", unit);
    zw_svg_text(t, "note", 4, 13, "start", note);
    for (int i = 0; i < g->ys.nticks; i++) {
        double v = (g->ys.tick[i] - g->ys.lo) / (g->ys.hi - g->ys.lo), at = g->box[3] - v * (g->box[3] - g->box[1]);
        zw_svg_line(t, g->ys.tick[i] == 0 ? "grid zero" : "grid", g->box[0], at, g->box[2], at);
        zw_svg_text(t, "tick", g->box[0] - 6, at + 4, "end", g->ys.label[i]);
    }
    for (int i = 0; i < g->x.nticks; i++) {
        double u = (g->x.tick[i] - g->x.lo) / (g->x.hi - g->x.lo), at = g->box[0] + u * (g->box[2] - g->box[0]);
        double half = zw_svg_text_width(g->x.label[i], LETTER) / 2;
        zw_svg_line(t, "mark", at, g->box[3], at, g->box[3] + 5);
        zw_svg_text(t, "tick", fmin(at, WIDTH - half - 1), g->box[3] + 18, "middle", g->x.label[i]);
    }
    zw_svg_line(t, "mark", g->box[0], g->box[3], g->box[2], g->box[3]);
    snprintf(note, sizeof note, "%.80s%s%s", parameter, g->x.note[0] ? " " : "", g->x.note);
    zw_svg_text(t, "note", (g->box[0] + g->box[2]) / 2, HEIGHT - 6, "middle", note);
}

static void draw_probe(zw_text *t, picture *g, const zw_json *summary, const char *probe, int width, const zw_path_names *names) {
    const char *const *name = names->of(names->self, probe, width);
    double             lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int i = 0; i < g->n; i++) {
        const zw_json *x = probe_of(&g->at[i], probe);
        for (int k = 0; k < width; k++) {
            double y = component(x, k);
            lo = isfinite(y) ? fmin(lo, y) : lo;
            hi = isfinite(y) ? fmax(hi, y) : hi;
        }
    }
    if (!(lo <= hi)) {
        return;
    }
    char title[128];
    snprintf(title, sizeof title, "Probe %.100s", probe);
    zw_axis_fit(&g->ys, lo, hi, false, 5);
    zw_text_add(t, "<figure class=\"plot\"><figcaption>");
    zw_text_html(t, title);
    zw_text_add(t, "</figcaption>\n<p class=\"legend\">");
    for (int k = 0; k < width && width > 1; k++) {
        zw_text_addf(t, "<span><i class=\"b%d\"></i>", k % ZW_PLOT_CURVES);
        zw_text_html(t, name[k]);
        zw_text_add(t, "</span> ");
    }
    zw_text_add(t, "</p>\n");
    zw_svg_begin(t, WIDTH, HEIGHT, title);
    draw_axes(t, g, zw_json_string(summary, "parameter.name", ""), names->unit(names->self, probe));
    for (int k = 0; k < width; k++) {
        for (int i = 0; i < g->n; i++) {
            g->y[i] = component(probe_of(&g->at[i], probe), k);
        }
        draw_parts(t, g, k % ZW_PLOT_CURVES, true);
        draw_parts(t, g, k % ZW_PLOT_CURVES, false);
        draw_marks(t, g, zw_json_find(summary, "limits"), false);
        draw_marks(t, g, zw_json_find(summary, "bifurcations"), true);
    }
    zw_svg_end(t);
    zw_text_add(t, "</figure>\n");
}

zw_status zw_path_plots(zw_text *t, zw_arena *a, const zw_json *summary, const zw_path_names *names) {
    const zw_json *path = zw_json_find(summary, "path");
    picture        g = {0};
    double         lo = HUGE_VAL, hi = -HUGE_VAL;
    int            room = 0;
    for (const zw_json *x = path ? path->child : NULL; x; x = x->next) {
        room++;
    }
    g.at = zw_arena_alloc(a, (size_t)room + 1, sizeof *g.at, "a path");
    g.y = zw_arena_alloc(a, (size_t)room + 1, sizeof *g.y, "a path");
    if (!g.at || !g.y) {
        return ZW_E_MEMORY;
    }
    for (const zw_json *x = path ? path->child : NULL; x; x = x->next) {
        const zw_json *stable = zw_json_find(x, "stable");
        g.at[g.n++] = (point){.p = zw_json_number(x, "parameter", NAN),
                              .stable = stable && stable->kind == ZW_JSON_TRUE,
                              .branch = (int)zw_json_number(x, "branch", 0),
                              .probes = zw_json_find(x, "probes")};
        lo = fmin(lo, g.at[g.n - 1].p);
        hi = fmax(hi, g.at[g.n - 1].p);
    }
    if (g.n < 2 || !(lo < hi)) {
        return ZW_OK;
    }
    zw_axis_fit(&g.x, lo, hi, false, 5);
    zw_text_add(
        t,
        "<h2>Along the path</h2>\n<p>Stable equilibria are solid, unstable ones dashed; rings are limit points, squares bifurcations.</p>\n"
        "<div class=\"figures\">\n");
    for (const zw_json *probe = g.at[0].probes ? g.at[0].probes->child : NULL; probe; probe = probe->next) {
        draw_probe(t, &g, summary, probe->key ? probe->key : "", width_of(probe), names);
    }
    zw_text_add(t, "</div>\n");
    return ZW_OK;
}

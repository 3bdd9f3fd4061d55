/* SPDX-License-Identifier: Apache-2.0
 * plot.c: a figure with curves over time. The caption and the legend are HTML, so that they wrap; the picture holds axes and lines. */
#include "record/plot.h"

#include <math.h>
#include <stdio.h>

/* size of the picture in its own units, and of the letters in it */
static const double WIDTH = 440, HEIGHT = 250, LETTER = 13;

bool zw_curve_is_zero(const zw_curve *c) {
    for (int i = 0; i < c->n; i++) {
        if (c->y[i] != 0) {
            return false;
        }
    }
    return true;
}

static bool bounds(const zw_plot *p, double x[2], double y[2]) {
    bool some = false;
    for (int k = 0; k < p->ncurves; k++) {
        const zw_curve *c = &p->curve[k];
        for (int i = 0; i < c->n; i++) {
            if (!isfinite(c->x[i]) || !isfinite(c->y[i]) || (p->log && c->y[i] <= 0)) {
                continue;
            }
            x[0] = some ? fmin(x[0], c->x[i]) : c->x[i];
            x[1] = some ? fmax(x[1], c->x[i]) : c->x[i];
            y[0] = some ? fmin(y[0], c->y[i]) : c->y[i];
            y[1] = some ? fmax(y[1], c->y[i]) : c->y[i];
            some = true;
        }
    }
    if (some && p->zero && !p->log) {
        double reach = y[1] - y[0];
        y[0] = y[0] > 0 && y[0] <= reach ? 0 : y[0];
        y[1] = y[1] < 0 && -y[1] <= reach ? 0 : y[1];
    }
    return some;
}

static void legend(zw_text *t, const zw_plot *p) {
    if (p->ncurves < 2) {
        return;
    }
    zw_text_add(t, "<p class=\"legend\">");
    for (int k = 0; k < p->ncurves; k++) {
        zw_text_addf(t, "<span><i class=\"b%d\"></i>", k % ZW_PLOT_CURVES);
        zw_text_html(t, p->curve[k].name);
        zw_text_add(t, "</span> ");
    }
    zw_text_add(t, "</p>\n");
}

static bool has_point(const zw_curve *c, const zw_axis *ay) {
    for (int i = 0; i < c->n; i++) {
        if (isfinite(c->x[i]) && isfinite(zw_axis_place(ay, c->y[i]))) {
            return true;
        }
    }
    return false;
}

static void draw_curve(zw_text *t, const zw_curve *c, int colour, const zw_axis *ax, const zw_axis *ay, const double box[4]) {
    char klass[16];
    bool pen = false;
    if (!has_point(c, ay)) {
        return;
    }
    snprintf(klass, sizeof klass, "curve c%d", colour);
    zw_svg_path_begin(t, klass);
    for (int i = 0; i < c->n; i++) {
        double u = zw_axis_place(ax, c->x[i]), v = zw_axis_place(ay, c->y[i]);
        if (!isfinite(u) || !isfinite(v)) {
            pen = false;
            continue;
        }
        double x = box[0] + u * (box[2] - box[0]), y = box[3] - v * (box[3] - box[1]);
        zw_svg_path_point(t, !pen, x, y);
        if (c->n == 1) {
            zw_svg_path_point(t, false, x + 0.01, y); /* a dot, by its round ends */
        }
        pen = true;
    }
    zw_svg_path_end(t, false);
}

void zw_plot_write(zw_text *t, const zw_plot *p) {
    double x[2] = {0, 0}, y[2] = {0, 0};
    if (p->ncurves == 0 || !bounds(p, x, y)) {
        return;
    }
    zw_axis ax, ay;
    zw_axis_fit(&ax, x[0], x[1], false, 5);
    if (x[1] > x[0]) { /* time fills the width; ticks outside are dropped */
        ax.lo = x[0];
        ax.hi = x[1];
    }
    zw_axis_fit(&ay, y[0], y[1], p->log, 5);
    double left = 0;
    for (int i = 0; i < ay.nticks; i++) {
        left = fmax(left, zw_svg_text_width(ay.label[i], LETTER));
    }
    double box[4] = {left + 12, 24, WIDTH - 16, HEIGHT - 42}; /* left, top, right, bottom */

    zw_text_add(t, "<figure class=\"plot\"><figcaption>");
    zw_text_html(t, p->title);
    zw_text_add(t, "</figcaption>\n");
    legend(t, p);
    zw_svg_begin(t, WIDTH, HEIGHT, p->title);
    char note[200];
    snprintf(note, sizeof note, "%s%s%s", ay.note, ay.note[0] && p->unit[0] ? " " : "", p->unit);
    zw_svg_text(t, "note", 4, 13, "start", note);
    for (int i = 0; i < ay.nticks; i++) {
        double v = (ay.tick[i] - ay.lo) / (ay.hi - ay.lo), at = box[3] - v * (box[3] - box[1]);
        zw_svg_line(t, ay.tick[i] == 0 && !ay.log ? "grid zero" : "grid", box[0], at, box[2], at);
        zw_svg_text(t, "tick", box[0] - 6, at + 4, "end", ay.label[i]);
    }
    for (int i = 0; i < ax.nticks; i++) {
        double u = (ax.tick[i] - ax.lo) / (ax.hi - ax.lo), at = box[0] + u * (box[2] - box[0]);
        if (u < -1e-9 || u > 1 + 1e-9) {
            continue;
        }
        double half = zw_svg_text_width(ax.label[i], LETTER) / 2;
        zw_svg_line(t, "mark", at, box[3], at, box[3] + 5);
        zw_svg_text(t, "tick", fmin(at, WIDTH - half - 1), box[3] + 18, "middle", ax.label[i]);
    }
    zw_svg_line(t, "mark", box[0], box[3], box[2], box[3]);
    snprintf(note, sizeof note, "time%s%s / s", ax.note[0] ? " " : "", ax.note);
    zw_svg_text(t, "note", (box[0] + box[2]) / 2, HEIGHT - 6, "middle", note);
    for (int k = 0; k < p->ncurves; k++) {
        draw_curve(t, &p->curve[k], k % ZW_PLOT_CURVES, &ax, &ay, box);
    }
    zw_svg_end(t);
    zw_text_add(t, "</figure>\n");
}

/* SPDX-License-Identifier: Apache-2.0
 * unilateral_newton.c: the search for many rows: a semismooth Newton method with the sparse factor of unilateral_primal.h.
 *
 * About a centre y_c, with a ridge e > 0, it minimises the strictly convex, piecewise quadratic
 *     1/2 |x - xhat|^2_H + 1/(2e) |b - A x + e lambda_c|^2 + 1/(2e) |max(0, c - N x + e mu_c)|^2 .
 * The rows with c - N x + e mu_c > 0 make the set; Newton's point of a set is one solve with K = H + G'G/e over its rows, which no redundant row disturbs.
 * The step to it is damped by the exact minimum along the line.
 * Guarantee: each such minimisation ends after finitely many steps, for any rows (strictly convex, piecewise quadratic, exact line search).
 * With y_c = 0 the minimum is unique, and so is its set: zw_unilateral_ridge finds it from any start, by coarser ridges where the start is far away.
 * zw_unilateral_newton is for what is left: the ridge falls by levels, every set is tried without ridge (zw_unilateral_settle) and the first that passes is
 * taken; if none does, the ridge stays and the centre follows the
 * multipliers (proximal point, that is the method of multipliers): it converges for every solvable problem, linearly, degenerate ones included, and for contradictory
 * rows the change of y tends to the proof: y >= 0 on N, G'y = 0, y.rhs > 0. */
#include "project/unilateral_search.h"

#include <math.h>
#include <string.h>

enum { SHORT_STEPS = 10, LEVEL_STEPS = 80, PROXIMAL_STEPS = 60, REPAIRS = 6 };

static double dot(int n, const double *a, const double *b) {
    double t = 0.0;
    for (int i = 0; i < n; i++) {
        t += a[i] * b[i];
    }
    return t;
}

typedef struct walk { /* all m or n long; x with H x - f, G x, and the same at Newton's point */
    double *x, *force, *rows;
    double *x_new, *force_new, *rows_new, *y;
    double *centre; /* y_c */
} walk;

/* the set at rows = G x; returns how many rows changed. Where round-off decides, a row stays where it is */
static int choose(zw_unilateral *u, const walk *w, const double *rows, double ridge) {
    int changed = 0;
    for (int i = 0; i < u->mi; i++) {
        int           k = u->ma + i;
        double        r = u->rhs[k] - rows[k] + ridge * w->centre[k];
        unsigned char in = u->allowed[i] && (fabs(r) > 2e-15 * u->scale[k] ? r > 0.0 : u->set[i]);
        changed += in != u->set[i];
        u->set[i] = in;
    }
    return changed;
}

/* one solve with K: x moves to the minimum about the centre (again: to take out round-off); rows = G x, y = y_c + (rhs - G x)/e before that */
static void descend(zw_unilateral *u, const unsigned char *set, double ridge, const double *centre, double *x, double *rows, double *y) {
    double *force = u->wn[4], *z = u->wn[5];
    zw_unilateral_apply(u, x, rows);
    for (int k = 0; k < u->m; k++) {
        y[k] = k < u->ma || set[k - u->ma] ? centre[k] + (u->rhs[k] - rows[k]) / ridge : 0.0;
    }
    zw_unilateral_transposed(u, y, force);
    zw_primal_metric(u->H, x, z);
    for (int j = 0; j < u->n; j++) {
        force[j] += u->f[j] - z[j];
    }
    zw_primal_solve(&u->primal, force);
    for (int j = 0; j < u->n; j++) {
        x[j] += force[j];
    }
}

static zw_status newton_point(zw_unilateral *u, walk *w, double ridge) {
    ZW_TRY(zw_unilateral_factor(u, u->set, ridge));
    memcpy(w->x_new, w->x, (size_t)u->n * sizeof *w->x);
    for (int round = 0; round < 3; round++) {
        descend(u, u->set, ridge, w->centre, w->x_new, w->rows_new, w->y);
    }
    zw_unilateral_apply(u, w->x_new, w->rows_new);
    for (int k = 0; k < u->m; k++) {
        w->y[k] = k < u->ma || u->set[k - u->ma] ? w->centre[k] + (u->rhs[k] - w->rows_new[k]) / ridge : 0.0;
    }
    zw_primal_metric(u->H, w->x_new, w->force_new);
    for (int j = 0; j < u->n; j++) {
        w->force_new[j] -= u->f[j];
    }
    return ZW_OK;
}

/* slope of the function (times e) at x + t (x_new - x), and how fast it grows there */
static double slope(const zw_unilateral *u, const walk *w, double ridge, double line, double curve, double t, double *growth) {
    double s = ridge * (line + t * curve), g = ridge * curve;
    for (int k = 0; k < u->m; k++) {
        double d = w->rows_new[k] - w->rows[k], r = u->rhs[k] - w->rows[k] - t * d + ridge * w->centre[k];
        if (k < u->ma || (u->allowed[k - u->ma] && r > 0.0)) {
            s -= r * d;
            g += d * d;
        }
    }
    *growth = g;
    return s;
}

/* the minimum along the line: the slope is piecewise linear and rises, so Newton in a bracket ends exactly on its piece */
static double line_minimum(const zw_unilateral *u, const walk *w, double ridge) {
    double line = 0.0, curve = 0.0, growth;
    for (int j = 0; j < u->n; j++) {
        double d = w->x_new[j] - w->x[j];
        line += w->force[j] * d;
        curve += (w->force_new[j] - w->force[j]) * d;
    }
    curve = curve > 0.0 ? curve : 0.0;
    if (slope(u, w, ridge, line, curve, 1.0, &growth) <= 0.0) {
        return 1.0;
    }
    double low = 0.0, high = 1.0, t = 0.0;
    double s = slope(u, w, ridge, line, curve, t, &growth);
    if (!(s < 0.0)) {
        return 1.0; /* round-off: we are at the minimum */
    }
    for (int round = 0; round < 60; round++) {
        double next = growth > 0.0 ? t - s / growth : 0.5 * (low + high);
        if (!(next > low && next < high)) {
            next = 0.5 * (low + high);
        }
        if (next == t || high - low < 1e-14) {
            break;
        }
        t = next;
        s = slope(u, w, ridge, line, curve, t, &growth);
        if (s == 0.0) {
            break;
        }
        low = s < 0.0 ? t : low;
        high = s < 0.0 ? high : t;
    }
    return t;
}

/* one minimisation from w->x, its first set being that of x, or u->set; leaves the minimum in w->x and its multipliers in w->y */
static zw_status level(zw_unilateral *u, walk *w, double ridge, bool given, int steps, bool *done) {
    *done = false;
    if (!given) {
        choose(u, w, w->rows, ridge);
    }
    for (int step = 0; step < steps && !*done; step++) {
        ZW_TRY(newton_point(u, w, ridge));
        double t = 1.0;
        if (choose(u, w, w->rows_new, ridge) > 0) {
            t = line_minimum(u, w, ridge);
            u->iterations++;
        } else {
            *done = true;
        }
        if (t == 1.0) {
            memcpy(w->x, w->x_new, (size_t)u->n * sizeof *w->x);
            memcpy(w->force, w->force_new, (size_t)u->n * sizeof *w->force);
            memcpy(w->rows, w->rows_new, (size_t)u->m * sizeof *w->rows);
            continue;
        }
        for (int j = 0; j < u->n; j++) {
            w->x[j] += t * (w->x_new[j] - w->x[j]);
            w->force[j] += t * (w->force_new[j] - w->force[j]);
        }
        for (int k = 0; k < u->m; k++) {
            w->rows[k] += t * (w->rows_new[k] - w->rows[k]);
        }
        choose(u, w, w->rows, ridge);
    }
    return ZW_OK;
}

/* wm[7] = what changed in y: is it the proof that no x exists? Any x with A x = b, N x >= c has |G' change|_H^-1 |x|_H >= change . rhs */
static bool contradicts(zw_unilateral *u) {
    const double *change = u->wm[7];
    double       *force = u->wn[3], *shift = u->wn[4], size = 0.0, gain = 0.0, scale = 0.0, most = 0.0;
    for (int k = 0; k < u->m; k++) {
        size += change[k] * change[k] * u->weight[k];
        gain += change[k] * u->rhs[k];
        scale += fabs(change[k]) * u->scale[k];
        most = fmax(most, fabs(change[k]));
    }
    for (int k = u->ma; k < u->m; k++) {
        if (change[k] < -1e-8 * most) {
            return false;
        }
    }
    zw_unilateral_transposed(u, change, force);
    zw_unilateral_inverse(u, force, shift);
    return gain > 1e-8 * scale && dot(u->n, force, shift) <= 1e-16 * size;
}

/* from the answer tried last */
static walk walk_begin(zw_unilateral *u) {
    walk w = {.x = u->wn[0],
              .force = u->wn[1],
              .x_new = u->wn[2],
              .force_new = u->wn[3],
              .rows = u->wm[0],
              .rows_new = u->wm[1],
              .y = u->wm[2],
              .centre = u->wm[3]};
    memcpy(w.x, u->now.x, (size_t)u->n * sizeof *w.x);
    zw_primal_metric(u->H, w.x, w.force);
    for (int j = 0; j < u->n; j++) {
        w.force[j] -= u->f[j];
    }
    zw_unilateral_apply(u, w.x, w.rows);
    memset(w.centre, 0, (size_t)u->m * sizeof *w.centre);
    return w;
}

zw_status zw_unilateral_ridge(zw_unilateral *u, double ridge, bool near) {
    static const double ladder[] = {1e-3, 1e-5, 1e-7, 1e-9, 1e-10};
    walk                w = walk_begin(u);
    bool                done;
    memset(u->allowed, 1, (size_t)u->mi);
    ZW_TRY(level(u, &w, ridge, true, SHORT_STEPS, &done));
    for (size_t k = near ? 3 : 0; k < sizeof ladder / sizeof *ladder && !done && ladder[k] * u->weight_most > ridge; k++) {
        bool there;
        ZW_TRY(level(u, &w, ladder[k] * u->weight_most, false, LEVEL_STEPS, &there));
    }
    return done ? ZW_OK
                : level(u, &w, ridge, false, near ? LEVEL_STEPS : LEVEL_STEPS + u->m, &done); /* a wave may take as many steps as rows */
}

zw_status zw_unilateral_newton(zw_unilateral *u, zw_search *out) {
    static const double ridges[] = {1e-3, 1e-5, 1e-7, 1e-9};
    walk                w = walk_begin(u);
    bool                done;
    *out = ZW_SEARCH_FOUND;
    for (size_t k = 0; k < sizeof ridges / sizeof *ridges; k++) {
        ZW_TRY(level(u, &w, ridges[k] * u->weight_most, false, LEVEL_STEPS, &done));
        ZW_TRY(zw_unilateral_settle(u, u->set, REPAIRS));
        if (u->now.verdict.passes) {
            return ZW_OK;
        }
    }
    double ridge = 1e-6 * u->weight_most;
    for (int step = 0; step < PROXIMAL_STEPS; step++) {
        memcpy(w.centre, w.y, (size_t)u->m * sizeof *w.centre);
        ZW_TRY(level(u, &w, ridge, false, LEVEL_STEPS, &done));
        for (int k = 0; k < u->m; k++) {
            u->wm[7][k] = w.y[k] - w.centre[k];
        }
        if (step > 0 && contradicts(u)) {
            *out = ZW_SEARCH_CONTRADICTS;
            return ZW_OK;
        }
        ZW_TRY(zw_unilateral_settle(u, u->set, REPAIRS));
        if (u->now.verdict.passes) {
            return ZW_OK;
        }
    }
    *out = ZW_SEARCH_LOST;
    return ZW_OK;
}

zw_status zw_unilateral_newton_least(zw_unilateral *u) {
    walk w = walk_begin(u);
    bool done;
    return level(u, &w, 1e-9 * u->weight_most, true, LEVEL_STEPS, &done);
}

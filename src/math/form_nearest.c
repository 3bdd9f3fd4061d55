/* SPDX-License-Identifier: Apache-2.0
 * form_nearest.c: distance of two cores by the algorithm of Gilbert, Johnson and Keerthi.
 *
 * The nearest point v of a simplex of differences gives n = -v/|v|; the farthest difference along n joins the simplex; corners that do not
 * carry the new nearest point leave. |v| is above the distance and s(n) below: their difference ends the search. Polytopes end at a finite
 * number of corners with a closed formula, so nothing is lost to iteration. When three corners carry the nearest point, n is the normal of
 * their triangle and not v/|v|: it stays sharp when the gap goes to 0. */
#include "math/form_core.h"

#include "math/vec3.h"

#include <float.h>
#include <math.h>

#define TOUCHING    1e-14 /* of the scale: below, the direction comes from zw_cores_deepest */
#define MOST_STEPS  100
#define SMOOTH_STEP 30   /* enough for a start of the polish */
#define SMOOTH_GAP  1e-4 /* of the distance: n is then within 0.02 */

bool zw_square_to(double out[3], const double u[3], const double v[3]) {
    double c[3], uu = zw_v3_dot(u, u), vv = zw_v3_dot(v, v);
    zw_v3_cross(c, u, v);
    if (!(zw_v3_norm2(c) > 1e-28 * uu * vv)) {
        return false;
    }
    zw_v3_unit(c, c);
    for (int pass = 0; pass < 2; pass++) { /* rounding left a part along u and v that a small angle makes large */
        zw_v3_addscaled(c, c, -zw_v3_dot(c, u) / uu, u);
        zw_v3_addscaled(c, c, -zw_v3_dot(c, v) / vv, v);
    }
    return zw_v3_unit(out, c) > 0.5;
}

void zw_any_square_to(double out[3], const double u[3]) {
    double t[3] = {0.0, 0.0, 0.0};
    int    k = fabs(u[0]) <= fabs(u[1]) && fabs(u[0]) <= fabs(u[2]) ? 0 : fabs(u[1]) <= fabs(u[2]) ? 1 : 2;
    t[k] = 1.0;
    if (!zw_square_to(out, u, t)) {
        zw_v3_set(out, 1.0, 0.0, 0.0);
    }
}

void zw_core_far(const zw_placed *p, const double n[3], double out[3]) {
    double d[3], far[3];
    switch (p->form->shape) {
    case ZW_SHAPE_BALL: zw_v3_zero(out); return;
    case ZW_SHAPE_STICK: {
        zw_m3_column(far, p->R, 2);
        double h = zw_v3_dot(far, n) < 0.0 ? -p->form->half : p->form->half;
        zw_v3_scale(out, h, far);
        return;
    }
    default:
        zw_m3_tmulv(d, p->R, n);
        zw_form_support(p->form, d, far);
        zw_m3_mulv(out, p->R, far);
    }
}

void zw_cores_set(zw_cores *c, const zw_placed *a, const zw_placed *b) {
    c->a = a;
    c->b = b;
    zw_v3_sub(c->D, b->x, a->x);
    c->scale = zw_v3_norm(c->D) + zw_form_reach(a->form) + zw_form_reach(b->form);
    c->smooth = a->form->shape == ZW_SHAPE_DRUM || b->form->shape == ZW_SHAPE_DRUM;
}

double zw_cores_separation(const zw_cores *c, const double n[3], double a[3], double b[3]) {
    double back[3];
    zw_v3_negate(back, n);
    zw_core_far(c->a, n, a);
    zw_core_far(c->b, back, b);
    double s = zw_v3_dot(n, c->D) - zw_v3_dot(n, a) + zw_v3_dot(n, b);
    zw_v3_add(b, b, c->D);
    return s;
}

static void simplex_add(zw_simplex *s, const double a[3], const double b[3]) {
    zw_v3_copy(s->a[s->n], a);
    zw_v3_copy(s->b[s->n], b);
    zw_v3_sub(s->w[s->n], a, b);
    s->n++;
}

/* nearest point of the inside of the corners i (up to 3) to the origin; false: it is not inside */
static bool nearest_inside(const zw_simplex *s, const int *i, int n, double v[3], double weight[3]) {
    const double *w0 = s->w[i[0]];
    double        e[3], g[3], m[3], t[3];
    if (n == 1) {
        zw_v3_copy(v, w0);
        weight[0] = 1.0;
        return true;
    }
    zw_v3_sub(e, s->w[i[1]], w0);
    if (n == 2) {
        double ee = zw_v3_norm2(e), k = ee > 0.0 ? -zw_v3_dot(w0, e) / ee : -1.0;
        weight[0] = 1.0 - k;
        weight[1] = k;
        zw_v3_addscaled(v, w0, k, e);
        return k > 0.0 && k < 1.0;
    }
    zw_v3_sub(g, s->w[i[2]], w0);
    zw_v3_cross(m, e, g);
    double mm = zw_v3_norm2(m);
    if (!(mm > 1e-28 * zw_v3_norm2(e) * zw_v3_norm2(g))) {
        return false;
    }
    zw_v3_scale(v, zw_v3_dot(m, w0) / mm, m);
    double f[3];
    zw_v3_sub(f, v, w0); /* in the plane of the triangle: f = weight1 e + weight2 g */
    zw_v3_cross(t, f, g);
    weight[1] = zw_v3_dot(t, m) / mm;
    zw_v3_cross(t, e, f);
    weight[2] = zw_v3_dot(t, m) / mm;
    weight[0] = 1.0 - weight[1] - weight[2];
    return weight[0] > 0.0 && weight[1] > 0.0 && weight[2] > 0.0;
}

static double volume6(const double a[3], const double b[3], const double c[3], const double d[3]) {
    double x[3], y[3], z[3], w[3];
    zw_v3_sub(x, b, a);
    zw_v3_sub(y, c, a);
    zw_v3_sub(z, d, a);
    zw_v3_cross(w, y, z);
    return zw_v3_dot(x, w);
}

static bool holds_origin(const zw_simplex *s) {
    static const double O[3] = {0.0, 0.0, 0.0};
    double p[4] = {volume6(O, s->w[1], s->w[2], s->w[3]), volume6(s->w[0], O, s->w[2], s->w[3]), volume6(s->w[0], s->w[1], O, s->w[3]),
                   volume6(s->w[0], s->w[1], s->w[2], O)};
    return (p[0] > 0.0 && p[1] > 0.0 && p[2] > 0.0 && p[3] > 0.0) || (p[0] < 0.0 && p[1] < 0.0 && p[2] < 0.0 && p[3] < 0.0);
}

/* keep the corners that carry the nearest point, return it; false: the origin is inside */
static bool reduce(zw_simplex *s, double v[3]) {
    static const int subset[14][4] = {{1, 0},    {1, 1},    {1, 2},    {1, 3},       {2, 0, 1},    {2, 0, 2},    {2, 1, 2},
                                      {2, 0, 3}, {2, 1, 3}, {2, 2, 3}, {3, 0, 1, 2}, {3, 0, 1, 3}, {3, 0, 2, 3}, {3, 1, 2, 3}};
    if (s->n == 4 && holds_origin(s)) {
        return false;
    }
    double best = INFINITY, keep[3] = {0.0, 0.0, 0.0};
    int    chosen = 0;
    for (int k = 0; k < 14; k++) {
        int size = subset[k][0];
        if (subset[k][size] >= s->n) {
            continue;
        }
        double u[3], weight[3] = {0.0, 0.0, 0.0};
        /* of equals the larger one: only its normal is the normal of the face */
        if (nearest_inside(s, subset[k] + 1, size, u, weight) && zw_v3_norm2(u) <= best * (1.0 + (size == 1 ? 0.0 : 8.0 * DBL_EPSILON))) {
            best = fmin(best, zw_v3_norm2(u));
            chosen = k;
            zw_v3_copy(v, u);
            zw_v3_copy(keep, weight);
        }
    }
    zw_simplex t = *s;
    s->n = subset[chosen][0];
    for (int k = 0; k < s->n; k++) {
        int i = subset[chosen][k + 1];
        zw_v3_copy(s->w[k], t.w[i]);
        zw_v3_copy(s->a[k], t.a[i]);
        zw_v3_copy(s->b[k], t.b[i]);
        s->weight[k] = keep[k];
    }
    return true;
}

static bool has_corner(const zw_simplex *s, const double a[3], const double b[3]) {
    double w[3];
    zw_v3_sub(w, a, b);
    for (int i = 0; i < s->n; i++) {
        if (w[0] == s->w[i][0] && w[1] == s->w[i][1] && w[2] == s->w[i][2]) {
            return true;
        }
    }
    return false;
}

bool zw_cores_nearest(const zw_cores *c, zw_simplex *s, zw_touch *out) {
    double v[3], n[3], a[3], b[3];
    s->n = 0;
    if (!(zw_v3_unit(n, c->D) > 0.0)) {
        zw_v3_set(n, 1.0, 0.0, 0.0);
    }
    zw_cores_separation(c, n, a, b);
    simplex_add(s, a, b);
    reduce(s, v);
    double far = zw_v3_norm(v);
    int    most = c->smooth ? SMOOTH_STEP : MOST_STEPS;
    int    stalled = 0;
    double best = -INFINITY, best_n[3];
    zw_v3_copy(best_n, n);
    zw_v3_copy(out->n, n);
    for (int step = 0; step < most && far > TOUCHING * c->scale; step++) {
        zw_v3_scale(n, -1.0 / far, v);
        double below = zw_cores_separation(c, n, a, b);
        if (below > best) {
            best = below;
            zw_v3_copy(best_n, n);
        }
        if (far - below <= (c->smooth ? SMOOTH_GAP * far : 4.0 * DBL_EPSILON * c->scale) || has_corner(s, a, b)) {
            break;
        }
        zw_simplex before = *s;
        double     u[3];
        simplex_add(s, a, b);
        if (!reduce(s, u)) {
            zw_v3_copy(out->n, best_n);
            return false;
        }
        double now = zw_v3_norm(u);
        if (!(now < far)) { /* the distance is there; its direction may still gain, when a face takes the place of an edge */
            if (now > far * (1.0 + 8.0 * DBL_EPSILON) || ++stalled > 4) {
                *s = before;
                break;
            }
        }
        far = now;
        zw_v3_copy(v, u);
    }
    if (!(far > TOUCHING * c->scale)) {
        zw_v3_copy(out->n, best_n);
        return false;
    }
    zw_v3_scale(out->n, -1.0 / far, v);
    out->gap = far;
    if (s->n == 3 && !c->smooth) {
        double e[3], g[3], m[3];
        zw_v3_sub(e, s->w[1], s->w[0]);
        zw_v3_sub(g, s->w[2], s->w[0]);
        if (zw_square_to(m, e, g)) {
            if (zw_v3_dot(m, v) > 0.0) {
                zw_v3_negate(m, m);
            }
            zw_v3_copy(out->n, m);
            out->gap = -zw_v3_dot(m, s->w[0]);
        }
    }
    zw_v3_zero(out->a);
    zw_v3_zero(out->b);
    for (int i = 0; i < s->n; i++) {
        zw_v3_addscaled(out->a, out->a, s->weight[i], s->a[i]);
        zw_v3_addscaled(out->b, out->b, s->weight[i], s->b[i]);
    }
    return true;
}

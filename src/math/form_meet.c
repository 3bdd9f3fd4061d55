/* SPDX-License-Identifier: Apache-2.0
 * form_meet.c: where two faces that look at each other meet.
 *
 * Seen along n the faces are plane convex sets: a point, a segment, a polygon or a disc. Their common part is spanned by the extreme points of
 * each inside the other and by the crossings of their borders; heights along n come from the planes of the faces. */
#include "math/form_core.h"

#include "math/vec3.h"

#include <math.h>

#define CROSSINGS 128

typedef struct flat {
    const zw_face *face;
    int            n;
    bool           has_area;           /* a polygon that is no line */
    double         q[ZW_FACE_MOST][2]; /* corners anticlockwise; disc: q[0] its middle */
} flat;

typedef struct view {
    double n[3], t[3], u[3], near;
    flat   a, b;
    int    count;
    double q[CROSSINGS][2];
} view;

static void flatten(const view *v, const zw_face *face, flat *out) {
    out->face = face;
    out->n = face->n;
    for (int i = 0; i < face->n; i++) {
        out->q[i][0] = zw_v3_dot(v->t, face->p[i]);
        out->q[i][1] = zw_v3_dot(v->u, face->p[i]);
    }
    double turn = 0.0, size = 0.0;
    for (int i = 1; i < face->n; i++) {
        size = fmax(size, hypot(out->q[i][0] - out->q[0][0], out->q[i][1] - out->q[0][1]));
    }
    for (int i = 1; !face->disc && i + 1 < face->n; i++) {
        turn += (out->q[i][0] - out->q[0][0]) * (out->q[i + 1][1] - out->q[0][1]) -
                (out->q[i][1] - out->q[0][1]) * (out->q[i + 1][0] - out->q[0][0]);
    }
    out->has_area = fabs(turn) > 1e-12 * size * size;
    if (turn < 0.0) {
        for (int i = 0, k = out->n - 1; i < k; i++, k--) {
            for (int c = 0; c < 2; c++) {
                double swap = out->q[i][c];
                out->q[i][c] = out->q[k][c];
                out->q[k][c] = swap;
            }
        }
    }
}

static void nearest_on_segment(const double p[2], const double e[2], const double x[2], double out[2]) {
    double dx = e[0] - p[0], dy = e[1] - p[1], dd = dx * dx + dy * dy;
    double k = dd > 0.0 ? ((x[0] - p[0]) * dx + (x[1] - p[1]) * dy) / dd : 0.0;
    k = k < 0.0 ? 0.0 : k > 1.0 ? 1.0 : k;
    out[0] = p[0] + k * dx;
    out[1] = p[1] + k * dy;
}

/* nearest point of the set to x (x itself inside) */
static void nearest_of(const flat *f, const double x[2], double out[2]) {
    out[0] = x[0];
    out[1] = x[1];
    if (f->face->disc) {
        double dx = x[0] - f->q[0][0], dy = x[1] - f->q[0][1], d = hypot(dx, dy);
        if (d > f->face->radius) {
            out[0] = f->q[0][0] + f->face->radius * (dx / d);
            out[1] = f->q[0][1] + f->face->radius * (dy / d);
        }
        return;
    }
    bool inside = f->n >= 3 && f->has_area;
    for (int i = 0; inside && i < f->n; i++) {
        const double *p = f->q[i], *e = f->q[(i + 1) % f->n];
        inside = (e[0] - p[0]) * (x[1] - p[1]) - (e[1] - p[1]) * (x[0] - p[0]) >= 0.0;
    }
    if (inside) {
        return;
    }
    double best = INFINITY;
    for (int i = 0; i < f->n; i++) {
        double y[2];
        nearest_on_segment(f->q[i], f->q[(i + 1) % f->n], x, y);
        double d = hypot(y[0] - x[0], y[1] - x[1]);
        if (d < best) {
            best = d;
            out[0] = y[0];
            out[1] = y[1];
        }
    }
}

static bool contains(const flat *f, const double x[2], double near) {
    double y[2];
    nearest_of(f, x, y);
    return hypot(y[0] - x[0], y[1] - x[1]) <= near;
}

static void take(view *v, const double x[2]) {
    for (int i = 0; i < v->count; i++) {
        if (hypot(v->q[i][0] - x[0], v->q[i][1] - x[1]) <= 4.0 * v->near) {
            return;
        }
    }
    if (v->count < CROSSINGS) {
        v->q[v->count][0] = x[0];
        v->q[v->count++][1] = x[1];
    }
}

static int borders(const flat *f) {
    return f->face->disc || f->n < 2 ? 0 : f->n == 2 ? 1 : f->n;
}

static void segments_cross(view *v, const double p[2], const double pe[2], const double q[2], const double qe[2]) {
    double a[2] = {pe[0] - p[0], pe[1] - p[1]}, b[2] = {qe[0] - q[0], qe[1] - q[1]}, c[2] = {q[0] - p[0], q[1] - p[1]};
    double det = a[0] * b[1] - a[1] * b[0];
    double la = hypot(a[0], a[1]), lb = hypot(b[0], b[1]);
    if (fabs(det) <= 1e-9 * la * lb || fabs(det) <= 4.0 * v->near * fmax(la, lb)) {
        return; /* parallel, or one on the other: their ends inside each other speak for them */
    }
    double s = (c[0] * b[1] - c[1] * b[0]) / det, t = (c[0] * a[1] - c[1] * a[0]) / det;
    if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) {
        double x[2] = {p[0] + s * a[0], p[1] + s * a[1]};
        take(v, x);
    }
}

static void segment_crosses_circle(view *v, const double p[2], const double pe[2], const flat *disc) {
    double d[2] = {pe[0] - p[0], pe[1] - p[1]}, c[2] = {p[0] - disc->q[0][0], p[1] - disc->q[0][1]}, r = disc->face->radius;
    double dd = d[0] * d[0] + d[1] * d[1], half = c[0] * d[0] + c[1] * d[1];
    if (!(dd > 0.0)) {
        return;
    }
    double foot = -half / dd, fx = c[0] + foot * d[0], fy = c[1] + foot * d[1], left = r * r - (fx * fx + fy * fy);
    if (left < 0.0) {
        return;
    }
    double step = sqrt(left / dd);
    for (int side = -1; side <= 1; side += 2) {
        double k = foot + side * step;
        if (k >= 0.0 && k <= 1.0) {
            double x[2] = {p[0] + k * d[0], p[1] + k * d[1]};
            take(v, x);
        }
    }
}

static void circles_cross(view *v) {
    const double *p = v->a.q[0], *q = v->b.q[0];
    double        r = v->a.face->radius, s = v->b.face->radius, dx = q[0] - p[0], dy = q[1] - p[1], d = hypot(dx, dy);
    if (!(d > v->near) || d > r + s || d < fabs(r - s)) {
        return;
    }
    dx /= d;
    dy /= d;
    double along = (d * d + r * r - s * s) / (2.0 * d), up = sqrt(fmax(0.0, r * r - along * along));
    double x[4][2] = {{p[0] + along * dx - up * dy, p[1] + along * dy + up * dx},
                      {p[0] + along * dx + up * dy, p[1] + along * dy - up * dx},
                      {p[0] + r * dx, p[1] + r * dy},
                      {q[0] - s * dx, q[1] - s * dy}};
    for (int i = 0; i < 4; i++) {
        take(v, x[i]);
    }
}

/* height along n of the face above x */
static double height(const view *v, const zw_face *f, const double x[2]) {
    double lean = zw_v3_dot(f->normal, v->n);
    if (fabs(lean) > 0.5) {
        double along = zw_v3_dot(f->normal, v->t) * x[0] + zw_v3_dot(f->normal, v->u) * x[1];
        return (zw_v3_dot(f->normal, f->p[0]) - along) / lean;
    }
    if (f->n == 1) {
        return zw_v3_dot(v->n, f->p[0]);
    }
    double best = 0.0, far = INFINITY; /* on the border nearest to x */
    for (int i = 0; i < (f->n == 2 ? 1 : f->n); i++) {
        const double *p = f->p[i], *e = f->p[(i + 1) % f->n];
        double        a[2] = {zw_v3_dot(v->t, p), zw_v3_dot(v->u, p)}, b[2] = {zw_v3_dot(v->t, e), zw_v3_dot(v->u, e)}, y[2];
        nearest_on_segment(a, b, x, y);
        double d = hypot(y[0] - x[0], y[1] - x[1]), length = hypot(b[0] - a[0], b[1] - a[1]);
        if (d < far) {
            double k = length > 0.0 ? hypot(y[0] - a[0], y[1] - a[1]) / length : 0.0;
            far = d;
            best = (1.0 - k) * zw_v3_dot(v->n, p) + k * zw_v3_dot(v->n, e);
        }
    }
    return best;
}

static void place(const view *v, const zw_face *f, const double x[2], double out[3]) {
    zw_v3_scale(out, height(v, f, x), v->n);
    zw_v3_addscaled(out, out, x[0], v->t);
    zw_v3_addscaled(out, out, x[1], v->u);
}

/* the faces miss each other by rounding, or by the lean of n: the points of each nearest to the other */
static void nearest_pair(const view *v, double pa[3], double pb[3]) {
    double best = INFINITY, x[2] = {0.0, 0.0}, y[2] = {0.0, 0.0};
    for (int side = 0; side < 2; side++) {
        const flat *f = side ? &v->b : &v->a, *g = side ? &v->a : &v->b;
        for (int i = 0; i < f->n; i++) {
            double z[2], w[2];
            nearest_of(g, f->q[i], z);
            nearest_of(f, z, w); /* a disc gives its rim, a corner itself */
            double d = hypot(z[0] - w[0], z[1] - w[1]);
            if (d < best) {
                best = d;
                for (int k = 0; k < 2; k++) {
                    x[k] = side ? z[k] : w[k];
                    y[k] = side ? w[k] : z[k];
                }
            }
        }
    }
    place(v, v->a.face, x, pa);
    place(v, v->b.face, y, pb);
}

static void keep_spanning(view *v, int most) {
    if (v->count <= most) {
        return;
    }
    double mid[2] = {0.0, 0.0};
    bool   keep[CROSSINGS] = {false};
    for (int i = 0; i < v->count; i++) {
        mid[0] += v->q[i][0] / v->count;
        mid[1] += v->q[i][1] / v->count;
    }
    for (int k = 0; k < most; k++) {
        double angle = 6.283185307179586 * k / most, far = -INFINITY;
        int    best = 0;
        for (int i = 0; i < v->count; i++) {
            double d = cos(angle) * (v->q[i][0] - mid[0]) + sin(angle) * (v->q[i][1] - mid[1]);
            if (d > far) {
                far = d;
                best = i;
            }
        }
        keep[best] = true;
    }
    int kept = 0;
    for (int i = 0; i < v->count; i++) {
        if (keep[i]) {
            v->q[kept][0] = v->q[i][0];
            v->q[kept++][1] = v->q[i][1];
        }
    }
    v->count = kept;
}

int zw_faces_meet(const zw_face *a, const zw_face *b, const double n[3], double near, double (*pa)[3], double (*pb)[3], int most) {
    view v;
    zw_v3_copy(v.n, n);
    zw_any_square_to(v.t, n);
    zw_v3_cross(v.u, n, v.t);
    v.near = near;
    v.count = 0;
    flatten(&v, a, &v.a);
    flatten(&v, b, &v.b);
    for (int i = a->disc ? 1 : 0; i < a->n; i++) {
        if (contains(&v.b, v.a.q[i], near)) {
            take(&v, v.a.q[i]);
        }
    }
    for (int i = b->disc ? 1 : 0; i < b->n; i++) {
        if (contains(&v.a, v.b.q[i], near)) {
            take(&v, v.b.q[i]);
        }
    }
    for (int i = 0; i < borders(&v.a); i++) {
        const double *p = v.a.q[i], *e = v.a.q[(i + 1) % v.a.n];
        for (int k = 0; k < borders(&v.b); k++) {
            segments_cross(&v, p, e, v.b.q[k], v.b.q[(k + 1) % v.b.n]);
        }
        if (b->disc) {
            segment_crosses_circle(&v, p, e, &v.b);
        }
    }
    if (a->disc) {
        for (int k = 0; k < borders(&v.b); k++) {
            segment_crosses_circle(&v, v.b.q[k], v.b.q[(k + 1) % v.b.n], &v.a);
        }
        if (b->disc) {
            circles_cross(&v);
        }
    }
    if (v.count == 0) {
        nearest_pair(&v, pa[0], pb[0]);
        return 1;
    }
    keep_spanning(&v, most);
    for (int i = 0; i < v.count; i++) {
        place(&v, a, v.q[i], pa[i]);
        place(&v, b, v.q[i], pb[i]);
    }
    return v.count;
}

void zw_cores_middle(const zw_cores *c, zw_touch *t) {
    zw_face fa, fb;
    double  origin[3] = {0.0, 0.0, 0.0}, back[3], pa[8][3], pb[8][3];
    zw_v3_negate(back, t->n);
    zw_face_at(c->a, origin, t->n, 1e-12 * c->scale, &fa);
    zw_face_at(c->b, c->D, back, 1e-12 * c->scale, &fb);
    int count = zw_faces_meet(&fa, &fb, t->n, 1e-12 * c->scale, pa, pb, 8);
    zw_v3_zero(t->a);
    zw_v3_zero(t->b);
    for (int i = 0; i < count; i++) {
        zw_v3_addscaled(t->a, t->a, 1.0 / count, pa[i]);
        zw_v3_addscaled(t->b, t->b, 1.0 / count, pb[i]);
    }
}

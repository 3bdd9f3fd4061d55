/* SPDX-License-Identifier: Apache-2.0
 * form.c: volume, inertia, support and reach of a form in its own axes.
 *
 * Ball, stick, block and drum have closed forms. A cloud means its convex hull: the facets are built one point at a time (a point beyond
 * some facets replaces them by the cone over their rim), and the moments are sums over the tetrahedra between the facets and one inner point.
 * The point farthest from the facets comes first, so that points inside a face never become corners and facets stay well shaped. The
 * surface is always closed, because a rim edge is one whose other side stays. */
#include "math/form.h"

#include "math/vec3.h"

#include <float.h>
#include <math.h>

#define PI       3.14159265358979323846
#define FACETS   (2 * ZW_CLOUD_MOST + 8) /* Euler: a hull of n points has 2 n - 4 triangles */
#define FLAT     1e-10                   /* thickness over size below which a hull has no volume that can be trusted */
#define ROUNDING (32.0 * DBL_EPSILON)

typedef struct facet {
    double n[3], at; /* unit outward normal, n . r on the plane */
    int    v[3];     /* anticlockwise from outside             */
    bool   gone, fresh;
} facet;

typedef struct hull {
    const double *p;
    double        origin[3]; /* inner point; coordinates below are relative to it */
    double        beyond;    /* a point is beyond a facet when higher than this   */
    int           n_facet;
    facet         f[FACETS];
    int           rim[FACETS][2];
    int           seen[FACETS];
    int           home[ZW_CLOUD_MOST]; /* a facet the point is beyond, or -1 */
    double        high[ZW_CLOUD_MOST]; /* how far beyond                     */
} hull;

static void corner(const hull *h, int i, double out[3]) {
    zw_v3_sub(out, h->p + 3 * i, h->origin);
}

static void facet_set(const hull *h, facet *f, int i, int j, int k) {
    double a[3], b[3], c[3], e[3], g[3];
    corner(h, i, a);
    corner(h, j, b);
    corner(h, k, c);
    zw_v3_sub(e, b, a);
    zw_v3_sub(g, c, a);
    zw_v3_cross(f->n, e, g);
    zw_v3_unit(f->n, f->n);
    f->at = (zw_v3_dot(f->n, a) + zw_v3_dot(f->n, b) + zw_v3_dot(f->n, c)) / 3.0;
    f->v[0] = i;
    f->v[1] = j;
    f->v[2] = k;
    f->gone = false;
    f->fresh = true;
}

/* four corners far from one plane: the two farthest apart of a sweep, the farthest from their line, the farthest from that plane */
static bool tetrahedron(const double *p, int n, int v[4]) {
    v[0] = 0;
    v[1] = 0;
    for (int sweep = 0; sweep < 3; sweep++) { /* the farthest from the farthest */
        int    from = v[1];
        double most = -1.0;
        for (int i = 0; i < n; i++) {
            double d = zw_v3_distance(p + 3 * i, p + 3 * from);
            if (d > most) {
                most = d;
                v[1] = i;
            }
        }
        v[0] = from;
    }
    double u[3], size, w[3], d[3], most = 0.0;
    zw_v3_sub(u, p + 3 * v[1], p + 3 * v[0]);
    size = zw_v3_unit(u, u);
    if (!(size > 0.0)) {
        return false;
    }
    v[2] = -1;
    for (int i = 0; i < n; i++) {
        zw_v3_sub(d, p + 3 * i, p + 3 * v[0]);
        zw_v3_cross(w, u, d);
        double far = zw_v3_norm(w);
        if (far > most) {
            most = far;
            v[2] = i;
        }
    }
    if (v[2] < 0 || most <= FLAT * size) {
        return false;
    }
    zw_v3_sub(d, p + 3 * v[2], p + 3 * v[0]);
    zw_v3_cross(w, u, d);
    zw_v3_unit(w, w);
    most = 0.0;
    v[3] = -1;
    double side = 0.0;
    for (int i = 0; i < n; i++) {
        zw_v3_sub(d, p + 3 * i, p + 3 * v[0]);
        double high = zw_v3_dot(w, d);
        if (fabs(high) > most) {
            most = fabs(high);
            side = high;
            v[3] = i;
        }
    }
    if (v[3] < 0 || most <= FLAT * size) {
        return false;
    }
    if (side > 0.0) { /* corner 3 lies below the triangle 0 1 2 */
        int t = v[1];
        v[1] = v[2];
        v[2] = t;
    }
    return true;
}

static bool rim_edge(const hull *h, int n_seen, int i, int j) {
    for (int s = 0; s < n_seen; s++) {
        const int *v = h->f[h->seen[s]].v;
        if ((v[0] == j && v[1] == i) || (v[1] == j && v[2] == i) || (v[2] == j && v[0] == i)) {
            return false;
        }
    }
    return true;
}

/* assign the point to the facet it is farthest beyond, among the fresh ones or among all */
static void find_home(hull *h, int point, bool fresh) {
    double r[3];
    corner(h, point, r);
    h->home[point] = -1;
    h->high[point] = h->beyond;
    for (int i = 0; i < h->n_facet; i++) {
        if (h->f[i].gone || (fresh && !h->f[i].fresh)) {
            continue;
        }
        double high = zw_v3_dot(h->f[i].n, r) - h->f[i].at;
        if (high > h->high[point]) {
            h->high[point] = high;
            h->home[point] = i;
        }
    }
}

static bool hull_take(hull *h, int point) {
    double r[3];
    corner(h, point, r);
    int n_seen = 0, n_rim = 0;
    for (int i = 0; i < h->n_facet; i++) {
        if (!h->f[i].gone && zw_v3_dot(h->f[i].n, r) - h->f[i].at > h->beyond) {
            h->seen[n_seen++] = i;
        }
    }
    for (int s = 0; s < n_seen; s++) {
        const int *v = h->f[h->seen[s]].v;
        for (int e = 0; e < 3; e++) {
            int i = v[e], j = v[(e + 1) % 3];
            if (rim_edge(h, n_seen, i, j)) {
                if (n_rim == FACETS) {
                    return false;
                }
                h->rim[n_rim][0] = i;
                h->rim[n_rim++][1] = j;
            }
        }
    }
    if (h->n_facet - n_seen + n_rim > FACETS) {
        return false;
    }
    for (int s = 0; s < n_seen; s++) {
        h->f[h->seen[s]].gone = true;
    }
    int slot = 0;
    for (int k = 0; k < n_rim; k++) {
        while (slot < h->n_facet && !h->f[slot].gone) {
            slot++;
        }
        if (slot == h->n_facet) {
            h->n_facet++;
        }
        facet_set(h, &h->f[slot], h->rim[k][0], h->rim[k][1], point);
        slot++;
    }
    return n_seen > 0;
}

static bool cloud_inertia(const zw_form *form, double *volume, double centre[3], double inertia[9]) {
    hull h;
    int  v[4];
    if (form->n < 4 || form->n > ZW_CLOUD_MOST || !tetrahedron(form->point, form->n, v)) {
        return false;
    }
    h.p = form->point;
    zw_v3_zero(h.origin);
    for (int i = 0; i < 4; i++) {
        zw_v3_addscaled(h.origin, h.origin, 0.25, h.p + 3 * v[i]);
    }
    h.beyond = ROUNDING * fmax(zw_v3_distance(h.p + 3 * v[0], h.p + 3 * v[1]), zw_v3_distance(h.p + 3 * v[0], h.p + 3 * v[2]));
    h.n_facet = 4;
    facet_set(&h, &h.f[0], v[0], v[1], v[2]);
    facet_set(&h, &h.f[1], v[0], v[3], v[1]);
    facet_set(&h, &h.f[2], v[1], v[3], v[2]);
    facet_set(&h, &h.f[3], v[2], v[3], v[0]);
    for (int i = 0; i < form->n; i++) {
        find_home(&h, i, false);
    }
    for (;;) {
        int far = -1;
        for (int i = 0; i < form->n; i++) {
            if (h.home[i] >= 0 && (far < 0 || h.high[i] > h.high[far])) {
                far = i;
            }
        }
        if (far < 0) {
            break;
        }
        for (int i = 0; i < h.n_facet; i++) {
            h.f[i].fresh = false;
        }
        bool taken = hull_take(&h, far);
        h.home[far] = -1;
        for (int i = 0; taken && i < form->n; i++) { /* a slot with a new facet has lost its old one */
            if (h.home[i] >= 0 && (h.f[h.home[i]].gone || h.f[h.home[i]].fresh)) {
                find_home(&h, i, true);
            }
        }
    }
    /* tetrahedron (0 a b c): integral of r r^T = V/20 ((a+b+c)(a+b+c)^T + a a^T + b b^T + c c^T) */
    double V = 0.0, first[3] = {0.0, 0.0, 0.0}, second[9] = {0.0};
    for (int i = 0; i < h.n_facet; i++) {
        if (h.f[i].gone) {
            continue;
        }
        double c[3][3], s[3], w[3], o[9];
        for (int k = 0; k < 3; k++) {
            corner(&h, h.f[i].v[k], c[k]);
        }
        zw_v3_cross(w, c[1], c[2]);
        double part = zw_v3_dot(c[0], w) / 6.0;
        zw_v3_add(s, c[0], c[1]);
        zw_v3_add(s, s, c[2]);
        V += part;
        zw_v3_addscaled(first, first, part / 4.0, s);
        zw_m3_outer(o, s, s);
        zw_m3_addscaled(second, second, part / 20.0, o);
        for (int k = 0; k < 3; k++) {
            zw_m3_outer(o, c[k], c[k]);
            zw_m3_addscaled(second, second, part / 20.0, o);
        }
    }
    double m[3], o[9];
    zw_v3_scale(m, 1.0 / V, first);
    zw_m3_outer(o, m, m);
    zw_m3_addscaled(second, second, -V, o);
    double trace = zw_m3_trace(second);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            inertia[3 * i + k] = (i == k ? trace : 0.0) - 0.5 * (second[3 * i + k] + second[3 * k + i]);
        }
    }
    zw_v3_add(centre, m, h.origin);
    *volume = V;
    return true;
}

bool zw_form_inertia(const zw_form *f, double *volume, double centre[3], double inertia[9]) {
    double r = f->radius, h = f->half, V;
    zw_v3_zero(centre);
    zw_m3_zero(inertia);
    *volume = 0.0;
    switch (f->shape) {
    case ZW_SHAPE_BALL:
        V = 4.0 / 3.0 * PI * r * r * r;
        zw_m3_diagonal(inertia, 0.4 * V * r * r, 0.4 * V * r * r, 0.4 * V * r * r);
        break;
    case ZW_SHAPE_STICK: {
        /* drum of length 2 h and two half balls whose centres of volume are 3/8 r beyond the ends */
        double drum = 2.0 * PI * r * r * h, ball = 4.0 / 3.0 * PI * r * r * r;
        double across = drum * (r * r / 4.0 + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
        V = drum + ball;
        zw_m3_diagonal(inertia, across, across, 0.5 * drum * r * r + 0.4 * ball * r * r);
        break;
    }
    case ZW_SHAPE_BLOCK: {
        double a = f->size[0] * f->size[0], b = f->size[1] * f->size[1], c = f->size[2] * f->size[2];
        V = 8.0 * f->size[0] * f->size[1] * f->size[2];
        zw_m3_diagonal(inertia, V * (b + c) / 3.0, V * (a + c) / 3.0, V * (a + b) / 3.0);
        break;
    }
    case ZW_SHAPE_DRUM:
        V = 2.0 * PI * r * r * h;
        zw_m3_diagonal(inertia, V * (r * r / 4.0 + h * h / 3.0), V * (r * r / 4.0 + h * h / 3.0), 0.5 * V * r * r);
        break;
    case ZW_SHAPE_CLOUD: return cloud_inertia(f, volume, centre, inertia);
    default: return false;
    }
    *volume = V;
    return V > 0.0;
}

void zw_form_support(const zw_form *f, const double d[3], double out[3]) {
    double length = zw_v3_norm(d);
    zw_v3_zero(out);
    switch (f->shape) {
    case ZW_SHAPE_BALL:
    case ZW_SHAPE_STICK:
        if (length > 0.0) {
            zw_v3_scale(out, f->radius / length, d);
        }
        if (f->shape == ZW_SHAPE_STICK) {
            out[2] += d[2] < 0.0 ? -f->half : f->half;
        }
        break;
    case ZW_SHAPE_BLOCK:
        for (int k = 0; k < 3; k++) {
            out[k] = d[k] < 0.0 ? -f->size[k] : f->size[k];
        }
        break;
    case ZW_SHAPE_DRUM: {
        double across = hypot(d[0], d[1]);
        if (across > 0.0) { /* straight along the axis every point of the end is as far: its middle */
            out[0] = f->radius * (d[0] / across);
            out[1] = f->radius * (d[1] / across);
        }
        out[2] = d[2] < 0.0 ? -f->half : f->half;
        break;
    }
    case ZW_SHAPE_CLOUD: {
        double most = -INFINITY;
        for (int i = 0; i < f->n; i++) {
            double high = zw_v3_dot(d, f->point + 3 * i);
            if (high > most) {
                most = high;
                zw_v3_copy(out, f->point + 3 * i);
            }
        }
        break;
    }
    }
}

double zw_form_reach(const zw_form *f) {
    double most = 0.0;
    switch (f->shape) {
    case ZW_SHAPE_BALL: return f->radius;
    case ZW_SHAPE_STICK: return f->half + f->radius;
    case ZW_SHAPE_BLOCK: return zw_v3_norm(f->size);
    case ZW_SHAPE_DRUM: return hypot(f->half, f->radius);
    case ZW_SHAPE_CLOUD:
        for (int i = 0; i < f->n; i++) {
            most = fmax(most, zw_v3_norm(f->point + 3 * i));
        }
        break;
    }
    return most;
}

/* SPDX-License-Identifier: Apache-2.0
 * form_deepest.c: how deep two cores overlap, by growing a polytope inside the set of differences.
 *
 * The origin is inside that set, and the depth is its distance from the boundary. The facet nearest to the origin is pushed out to the farthest
 * difference along its normal until it is a facet of the boundary. Facets carry signed distances: an origin that rounding puts on or just
 * outside the start is treated as any other, so the gap passes through 0 without a seam. */
#include "math/form_core.h"

#include "math/vec3.h"

#include <float.h>
#include <math.h>

#define CORNERS     200
#define FACETS      (2 * CORNERS)
#define SMOOTH_MOST 60   /* corners that start the polish of a drum */
#define SMOOTH_GAP  1e-4 /* of the scale */

typedef struct facet {
    double n[3], at;
    int    v[3];
    bool   gone;
} facet;

typedef struct growth {
    const zw_cores *c;
    int             n_corner, n_facet;
    double          w[CORNERS][3], a[CORNERS][3], b[CORNERS][3];
    facet           f[FACETS];
    int             rim[FACETS][2], seen[FACETS];
} growth;

static void corner_add(growth *g, const double a[3], const double b[3]) {
    zw_v3_copy(g->a[g->n_corner], a);
    zw_v3_copy(g->b[g->n_corner], b);
    zw_v3_sub(g->w[g->n_corner], a, b);
    g->n_corner++;
}

static void facet_set(growth *g, facet *f, int i, int j, int k) {
    double e[3], d[3];
    zw_v3_sub(e, g->w[j], g->w[i]);
    zw_v3_sub(d, g->w[k], g->w[i]);
    if (!zw_square_to(f->n, e, d)) { /* a sliver: never the nearest */
        zw_v3_zero(f->n);
        f->at = INFINITY;
    } else {
        f->at = zw_v3_dot(f->n, g->w[i]);
        double c[3];
        zw_v3_cross(c, e, d);
        if (zw_v3_dot(c, f->n) < 0.0) {
            zw_v3_negate(f->n, f->n);
            f->at = -f->at;
        }
    }
    f->v[0] = i;
    f->v[1] = j;
    f->v[2] = k;
    f->gone = false;
}

/* the farthest difference along +-n joins when it leaves the span of the corners there are (by more than rounding) */
static bool grow_along(growth *g, const double n[3], double enough) {
    for (int side = 0; side < 2; side++) {
        double m[3], a[3], b[3], w[3];
        zw_v3_scale(m, side ? -1.0 : 1.0, n);
        zw_cores_separation(g->c, m, a, b);
        zw_v3_sub(w, a, b);
        zw_v3_sub(w, w, g->w[0]);
        if (fabs(zw_v3_dot(n, w)) > enough) {
            corner_add(g, a, b);
            return true;
        }
    }
    return false;
}

/* four corners with a volume; false: the differences lie in a plane, whose normal is n */
static bool first_tetrahedron(growth *g, double n[3]) {
    double enough = 1e-12 * g->c->scale, e[3], d[3];
    if (g->n_corner == 1) {
        bool grown = false;
        for (int k = 0; k < 3 && !grown; k++) {
            double u[3] = {0.0, 0.0, 0.0};
            u[k] = 1.0;
            grown = grow_along(g, u, enough);
        }
        if (!grown) {
            zw_v3_set(n, 1.0, 0.0, 0.0);
            return false;
        }
    }
    zw_v3_sub(e, g->w[1], g->w[0]);
    if (g->n_corner == 2) {
        double u[3], v[3];
        zw_any_square_to(u, e);
        zw_v3_cross(v, u, e);
        zw_v3_unit(v, v);
        if (!grow_along(g, u, enough) && !grow_along(g, v, enough)) {
            zw_v3_copy(n, u);
            return false;
        }
    }
    zw_v3_sub(d, g->w[2], g->w[0]);
    if (!zw_square_to(n, e, d)) {
        zw_any_square_to(n, e);
        return false;
    }
    if (g->n_corner == 3 && !grow_along(g, n, enough)) {
        return false;
    }
    double high[3];
    zw_v3_sub(high, g->w[3], g->w[0]);
    double c[3];
    zw_v3_cross(c, e, d);
    bool above = zw_v3_dot(c, high) > 0.0;
    int  j = above ? 2 : 1, k = above ? 1 : 2;
    g->n_facet = 4;
    facet_set(g, &g->f[0], 0, j, k);
    facet_set(g, &g->f[1], 0, 3, j);
    facet_set(g, &g->f[2], j, 3, k);
    facet_set(g, &g->f[3], k, 3, 0);
    return true;
}

static bool rim_edge(const growth *g, int n_seen, int i, int j) {
    for (int s = 0; s < n_seen; s++) {
        const int *v = g->f[g->seen[s]].v;
        if ((v[0] == j && v[1] == i) || (v[1] == j && v[2] == i) || (v[2] == j && v[0] == i)) {
            return false;
        }
    }
    return true;
}

/* replace what the newest corner is beyond of by the cone over its rim; false: no room */
static bool push_out(growth *g, int nearest, double beyond) {
    int           point = g->n_corner - 1, n_seen = 0, n_rim = 0, slot = 0;
    const double *w = g->w[point];
    for (int i = 0; i < g->n_facet; i++) {
        if (!g->f[i].gone && (i == nearest || zw_v3_dot(g->f[i].n, w) - g->f[i].at > beyond)) {
            g->seen[n_seen++] = i;
        }
    }
    for (int s = 0; s < n_seen; s++) {
        const int *v = g->f[g->seen[s]].v;
        for (int e = 0; e < 3; e++) {
            int i = v[e], j = v[(e + 1) % 3];
            if (rim_edge(g, n_seen, i, j)) {
                if (n_rim == FACETS) {
                    return false;
                }
                g->rim[n_rim][0] = i;
                g->rim[n_rim++][1] = j;
            }
        }
    }
    if (g->n_facet + n_rim - n_seen > FACETS) {
        return false;
    }
    for (int s = 0; s < n_seen; s++) {
        g->f[g->seen[s]].gone = true;
    }
    for (int k = 0; k < n_rim; k++, slot++) {
        while (slot < g->n_facet && !g->f[slot].gone) {
            slot++;
        }
        if (slot == g->n_facet) {
            g->n_facet++;
        }
        facet_set(g, &g->f[slot], g->rim[k][0], g->rim[k][1], point);
    }
    return true;
}

/* weights of the foot of the origin on a facet, kept inside it */
static void facet_weights(const growth *g, const facet *f, double weight[3]) {
    double e[3], d[3], m[3], foot[3], t[3], sum = 0.0;
    zw_v3_sub(e, g->w[f->v[1]], g->w[f->v[0]]);
    zw_v3_sub(d, g->w[f->v[2]], g->w[f->v[0]]);
    zw_v3_cross(m, e, d);
    double mm = zw_v3_norm2(m);
    zw_v3_scale(foot, f->at, f->n);
    zw_v3_sub(foot, foot, g->w[f->v[0]]);
    zw_v3_cross(t, foot, d);
    weight[1] = zw_v3_dot(t, m) / mm;
    zw_v3_cross(t, e, foot);
    weight[2] = zw_v3_dot(t, m) / mm;
    weight[0] = 1.0 - weight[1] - weight[2];
    for (int k = 0; k < 3; k++) {
        weight[k] = fmax(weight[k], 0.0);
        sum += weight[k];
    }
    for (int k = 0; k < 3; k++) {
        weight[k] /= sum;
    }
}

void zw_cores_deepest(const zw_cores *c, zw_simplex *s, zw_touch *out) {
    growth g;
    double a[3], b[3];
    g.c = c;
    g.n_corner = 0;
    g.n_facet = 0;
    for (int i = 0; i < 4; i++) {
        zw_v3_zero(g.w[i]);
        zw_v3_zero(g.a[i]);
        zw_v3_zero(g.b[i]);
    }
    for (int i = 0; i < s->n; i++) {
        corner_add(&g, s->a[i], s->b[i]);
    }
    if (!first_tetrahedron(&g, out->n)) { /* both flat in one plane: they can part across it at once */
        out->gap = zw_cores_separation(c, out->n, a, b);
        zw_v3_copy(out->a, g.a[0]);
        zw_v3_addscaled(out->b, out->a, out->gap, out->n);
        s->n = 1;
        return;
    }
    double tolerance = (c->smooth ? SMOOTH_GAP : 8.0 * DBL_EPSILON) * c->scale, beyond = 8.0 * DBL_EPSILON * c->scale;
    int    most = c->smooth ? SMOOTH_MOST : CORNERS, best = 0;
    double best_separation = -INFINITY, best_n[3] = {1.0, 0.0, 0.0};
    facet  best_facet = g.f[0];
    for (;;) {
        best = -1;
        for (int i = 0; i < g.n_facet; i++) {
            if (!g.f[i].gone && isfinite(g.f[i].at) && (best < 0 || g.f[i].at < g.f[best].at)) {
                best = i;
            }
        }
        if (best < 0) {
            break;
        }
        double separation = zw_cores_separation(c, g.f[best].n, a, b);
        if (separation > best_separation) {
            best_separation = separation;
            zw_v3_copy(best_n, g.f[best].n);
            best_facet = g.f[best];
        }
        if (-separation - g.f[best].at <= tolerance || g.n_corner >= most) {
            break;
        }
        corner_add(&g, a, b);
        if (!push_out(&g, best, beyond)) {
            break;
        }
    }
    double weight[3];
    facet_weights(&g, &best_facet, weight);
    zw_v3_copy(out->n, best_n);
    out->gap = best_separation;
    zw_v3_zero(out->a);
    zw_v3_zero(out->b);
    s->n = 3;
    for (int k = 0; k < 3; k++) {
        int i = best_facet.v[k];
        zw_v3_copy(s->w[k], g.w[i]);
        zw_v3_copy(s->a[k], g.a[i]);
        zw_v3_copy(s->b[k], g.b[i]);
        s->weight[k] = weight[k];
        zw_v3_addscaled(out->a, out->a, weight[k], g.a[i]);
        zw_v3_addscaled(out->b, out->b, weight[k], g.b[i]);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * knot.h: how near a rod comes to itself, and whether it is knotted; both from its nodes alone, with formulas of their own.
 *
 *   knot_least       least distance of the axes of two links that are no neighbours: at least pi/2 diameters of rod between their ends
 *   knot_determinant |Delta(-1)| of Alexander's polynomial of the closed curve: 1 for what can be undone, 3 for a trefoil. An open rod is closed far away, so this
 *                    tells something while its ends are outside of the knot. Crossings of a shadow; at each of them 2 over - under - next under = 0; any minor */
#ifndef ZW_TESTS_KNOT_H
#define ZW_TESTS_KNOT_H

#include "math/vec3.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>

static inline double knot_clamp(double x) {
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* distance of segments by descent in one parameter at a time from nine starts, ending in the exact quadratic formulas: slow and simple */
static inline double knot_segments(const double *a, const double *b, const double *c, const double *d) {
    double u[3], v[3], w[3], best = INFINITY;
    zw_v3_sub(u, b, a);
    zw_v3_sub(v, d, c);
    zw_v3_sub(w, a, c);
    double uu = zw_v3_dot(u, u), vv = zw_v3_dot(v, v), uv = zw_v3_dot(u, v), uw = zw_v3_dot(u, w), vw = zw_v3_dot(v, w);
    double inner = uu * vv - uv * uv > 1e-14 * uu * vv ? (uv * vw - vv * uw) / (uu * vv - uv * uv) : 0.5;
    double start[3] = {0.0, 1.0, knot_clamp(inner)};
    for (int k = 0; k < 3; k++) {
        double s = start[k], r = 0.0, apart[3];
        for (int pass = 0; pass < 3; pass++) {
            r = knot_clamp((uv * s + vw) / vv);
            s = knot_clamp((uv * r - uw) / uu);
        }
        for (int i = 0; i < 3; i++) {
            apart[i] = w[i] + s * u[i] - r * v[i];
        }
        best = fmin(best, zw_v3_norm(apart));
    }
    return best;
}

/* n nodes, seven numbers of q for each; l: length of a link (the shortest), d: diameter */
static inline double knot_least(int n, const double *q, bool closed, double l, double d) {
    double least = INFINITY;
    int    links = closed ? n : n - 1;
    for (int i = 0; i < links; i++) {
        for (int j = i + 1; j < links; j++) {
            int between = j - i - 1;
            between = closed && links - between - 2 < between ? links - between - 2 : between;
            if (between * l < 0.5 * 3.14159265358979323846 * d) {
                continue;
            }
            least = fmin(least,
                         knot_segments(q + 7 * (size_t)i, q + 7 * (size_t)((i + 1) % n), q + 7 * (size_t)j, q + 7 * (size_t)((j + 1) % n)));
        }
    }
    return least;
}

typedef struct knot_crossing {
    double over, under; /* along the curve */
} knot_crossing;

static inline int knot_order(const void *a, const void *b) {
    const knot_crossing *p = a, *q = b;
    return (p->under > q->under) - (p->under < q->under);
}

static inline int knot_determinant(int n, const double *q, bool closed) {
    enum { MOST = 400, CROSSINGS = 200 };
    static double        p[MOST][3], A[CROSSINGS][CROSSINGS];
    static knot_crossing cross[CROSSINGS];
    /* any direction to look along */
    const double x[3] = {0.7337, 0.2711, -0.6231}, y[3] = {-0.3121, 0.9489, 0.0454};
    double       z[3];
    int          count = 0, m = 0;
    zw_v3_cross(z, x, y);
    assert_true(n + 4 <= MOST);
    for (int i = 0; i < n; i++) {
        zw_v3_set(p[i], zw_v3_dot(x, q + 7 * (size_t)i), zw_v3_dot(y, q + 7 * (size_t)i), zw_v3_dot(z, q + 7 * (size_t)i));
    }
    m = n;
    if (!closed) { /* both ends on along their line, and around far away, above everything */
        double along[3], size = 0.0;
        zw_v3_sub(along, p[n - 1], p[0]);
        for (int i = 0; i < n; i++) {
            size = fmax(size, zw_v3_norm(p[i]));
        }
        double far = 20.0 * size / zw_v3_norm(along);
        zw_v3_addscaled(p[m++], p[n - 1], far, along);
        double top[3] = {-along[1] * far, along[0] * far, 0.0};
        zw_v3_addscaled(p[m], p[n - 1], far, along);
        zw_v3_add(p[m], p[m], top);
        m++;
        zw_v3_addscaled(p[m], p[0], -far, along);
        zw_v3_add(p[m], p[m], top);
        m++;
        zw_v3_addscaled(p[m++], p[0], -far, along);
    }
    for (int i = 0; i < m; i++) {
        for (int j = i + 2; j < m; j++) {
            const double *a = p[i], *b = p[(i + 1) % m], *c = p[j], *d = p[(j + 1) % m];
            double        ux = b[0] - a[0], uy = b[1] - a[1], vx = d[0] - c[0], vy = d[1] - c[1], wx = c[0] - a[0], wy = c[1] - a[1];
            double        det = ux * vy - uy * vx, s = (wx * vy - wy * vx) / det, r = (wx * uy - wy * ux) / det;
            if ((i == 0 && j == m - 1) || !(s >= 0.0 && s < 1.0 && r >= 0.0 && r < 1.0)) {
                continue;
            }
            double high = a[2] + s * (b[2] - a[2]), other = c[2] + r * (d[2] - c[2]);
            assert_true(count < CROSSINGS);
            cross[count++] = high > other ? (knot_crossing){.over = i + s, .under = j + r} : (knot_crossing){.over = j + r, .under = i + s};
        }
    }
    qsort(cross, (size_t)count, sizeof *cross, knot_order);
    for (int i = 0; i < count; i++) {
        int arc = 0; /* arcs are numbered by the crossing that they end at */
        for (int k = 0; k < count; k++) {
            A[i][k] = 0.0;
            arc += cross[k].under < cross[i].over;
        }
        A[i][arc % count] += 2.0;
        A[i][i] -= 1.0;
        A[i][(i + 1) % count] -= 1.0;
    }
    double product = 1.0; /* of a minor */
    for (int k = 0; k < count - 1; k++) {
        int best = k;
        for (int i = k + 1; i < count - 1; i++) {
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        }
        for (int j = 0; j < count - 1 && best != k; j++) {
            double keep = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = keep;
        }
        product *= A[k][k];
        for (int i = k + 1; i < count - 1 && A[k][k] != 0.0; i++) {
            double f = A[i][k] / A[k][k];
            for (int j = k; j < count - 1; j++) {
                A[i][j] -= f * A[k][j];
            }
        }
    }
    return (int)lround(fabs(product));
}

#endif

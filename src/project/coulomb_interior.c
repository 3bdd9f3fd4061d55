/* SPDX-License-Identifier: Apache-2.0
 * coulomb_interior.c: the law of an island by interior points. With de Saxce's change of variables,  y = (mu pn, pt)  and  z = (u/mu + |w|, w),  Coulomb's law is
 *
 *   y in L,  z in L,  y.z = 0        L the cone of Lorentz, exact: no pyramid
 *
 * (V. Acary et al., Second-order cone programming for frictional contact mechanics, 2023). y and z follow y o z = sigma m 1 to m = 0 by steps of Newton in the
 * scaling of Nesterov and Todd, V y = V^-1 z, predictor and corrector; |w| is differentiated, so that each step is the whole of Newton's:
 *   dz = G dv + (z(v) - z),    dy = -V^-2 dz + V^-1 (V y \ (sigma m 1 - Vy o Vy - V dy_a o V^-1 dz_a)),    G = (1/mu t'; 0 1),  t = w/|w|
 * and one sparse solve in the bodies' columns. V is never singular: redundant contacts cost nothing, and the middle of all possible impulses is found. A contact
 * without friction has the cone of numbers > 0. The best p seen is kept; Newton's method finishes it. */
#include "project/coulomb_part.h"

#include <math.h>
#include <string.h>

enum { STEPS = 60 };
static const double CLOSE = 0.995, NEAR = 1e-3, SHORT = 0.2, CENTRE = 0.9; /* of the way to the cone; of the speed: where a guess begins */

typedef struct cone {                        /* a contact: p and its slack, in the cone, and the scaling */
    double y[3], z[3], dy[3], dz[3], off[3]; /* off: z(v) - z */
    double beta, w[3];                       /* V = beta (2 w w' - J)^(1/2) */
    double lambda[3];                        /* V y */
    double G[2];                             /* t */
    double v[3];
} cone;

static double det(const double x[3]) {
    double size = hypot(x[1], x[2]);
    return (x[0] - size) * (x[0] + size);
}

/* V x, or V^-1 x */
static void scale(const cone *c, bool inverse, const double x[3], double out[3]) {
    double s = inverse ? -1.0 : 1.0, b = inverse ? 1.0 / c->beta : c->beta, along = c->w[1] * x[1] + c->w[2] * x[2];
    out[0] = b * (c->w[0] * x[0] + s * along);
    for (int k = 1; k < 3; k++) {
        out[k] = b * (x[k] + c->w[k] * (s * x[0] + along / (1.0 + c->w[0])));
    }
}

static void product(const double a[3], const double b[3], double out[3]) {
    out[0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    out[1] = a[0] * b[1] + b[0] * a[1];
    out[2] = a[0] * b[2] + b[0] * a[2];
}

static void divide(const double a[3], const double b[3], double out[3]) { /* a o out = b */
    out[0] = (a[0] * b[0] - a[1] * b[1] - a[2] * b[2]) / det(a);
    out[1] = (b[1] - out[0] * a[1]) / a[0];
    out[2] = (b[2] - out[0] * a[2]) / a[0];
}

/* largest t <= 1 with x + t d in the cone */
static double reach(const double x[3], const double d[3]) {
    double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2], b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2], c = det(x), t = 1.0;
    double root = b * b - a * c;
    if (x[0] + d[0] < 0.0) {
        t = -x[0] / d[0];
    }
    if (root >= 0.0) { /* smallest t > 0 with a t^2 + 2 b t + c = 0, without cancellation */
        double q = -(b + copysign(sqrt(root), b)), first = q != 0.0 ? c / q : HUGE_VAL, second = a != 0.0 ? q / a : HUGE_VAL;
        t = first > 0.0 ? fmin(t, first) : t;
        t = second > 0.0 ? fmin(t, second) : t;
    }
    return t;
}

static bool scaling(cone *c) {
    double dy = det(c->y), dz = det(c->z);
    if (!(dy > 0.0 && dz > 0.0 && c->y[0] > 0.0 && c->z[0] > 0.0)) {
        return false;
    }
    double ry = sqrt(dy), rz = sqrt(dz), dot = (c->y[0] * c->z[0] + c->y[1] * c->z[1] + c->y[2] * c->z[2]) / (ry * rz),
           gamma = sqrt(0.5 * (1.0 + dot));
    c->beta = sqrt(rz / ry);
    c->w[0] = 0.5 * (c->z[0] / rz + c->y[0] / ry) / gamma;
    c->w[1] = 0.5 * (c->z[1] / rz - c->y[1] / ry) / gamma;
    c->w[2] = 0.5 * (c->z[2] / rz - c->y[2] / ry) / gamma;
    scale(c, false, c->y, c->lambda);
    return isfinite(c->beta) && isfinite(c->w[0]);
}

/* V^-2 x */
static void stiff(const cone *c, const double x[3], double out[3]) {
    double b = 1.0 / (c->beta * c->beta), along = 2.0 * (c->w[0] * x[0] - c->w[1] * x[1] - c->w[2] * x[2]);
    out[0] = b * (c->w[0] * along - x[0]);
    out[1] = b * (-c->w[1] * along + x[1]);
    out[2] = b * (-c->w[2] * along + x[2]);
}

typedef struct path {
    int     count;
    cone   *at;
    double *Z, *g, *dv, *dp, *best;
} path;

static bool rubs(const zw_coulomb *s, int i) {
    return s->at[i].mu > 0.0;
}

/* velocities of p = y, and how far slacks are from them */
static void look(zw_coulomb *s, const int *item, const path *k) {
    for (int i = 0; i < k->count; i++) {
        zw_coulomb_contact *c = &s->at[item[i]];
        const cone         *q = &k->at[i];
        c->p[0] = c->mu > 0.0 ? q->y[0] / c->mu : q->y[0];
        c->p[1] = q->y[1];
        c->p[2] = q->y[2];
    }
    for (int i = 0; i < k->count; i++) {
        zw_coulomb_contact *c = &s->at[item[i]];
        cone               *q = &k->at[i];
        zw_coulomb_look(s, item[i]);
        memcpy(q->v, c->r, sizeof q->v);
        double size = hypot(c->r[1], c->r[2]);
        q->off[0] = (c->mu > 0.0 ? c->r[0] / c->mu + size : c->r[0]) - q->z[0];
        q->off[1] = c->mu > 0.0 ? c->r[1] - q->z[1] : 0.0;
        q->off[2] = c->mu > 0.0 ? c->r[2] - q->z[2] : 0.0;
        q->G[0] = size > 0.0 ? c->r[1] / size : 0.0;
        q->G[1] = size > 0.0 ? c->r[2] / size : 0.0;
    }
}

static double gap_of(const path *k) {
    double sum = 0.0;
    for (int i = 0; i < k->count; i++) {
        const cone *q = &k->at[i];
        sum += q->y[0] * q->z[0] + q->y[1] * q->z[1] + q->y[2] * q->z[2];
    }
    return sum / k->count;
}

/* Z at each contact; false: out of the cone */
static bool stiffness(zw_coulomb *s, const int *item, path *k) {
    memset(k->Z, 0, sizeof(double) * 9 * (size_t)k->count);
    for (int i = 0; i < k->count; i++) {
        cone   *q = &k->at[i];
        double *Z = k->Z + 9 * i, mu = s->at[item[i]].mu;
        if (!(mu > 0.0)) {
            if (!(q->y[0] > 0.0 && q->z[0] > 0.0)) {
                return false;
            }
            Z[0] = q->y[0] / q->z[0];
            continue;
        }
        if (!scaling(q)) {
            return false;
        }
        const double column[3][3] = {{1.0 / mu, 0.0, 0.0}, {q->G[0], 1.0, 0.0}, {q->G[1], 0.0, 1.0}};
        for (int j = 0; j < 3; j++) {
            double out[3];
            stiff(q, column[j], out);
            Z[j] = out[0] / mu;
            Z[3 + j] = out[1];
            Z[6 + j] = out[2];
        }
    }
    return true;
}

/* dy, dz for the target; corrected: with the products of the last dy, dz. aim = sigma m */
static bool direction(zw_coulomb *s, const int *item, path *k, double aim, bool corrected) {
    for (int i = 0; i < k->count; i++) {
        cone   *q = &k->at[i];
        double *g = k->g + 3 * i, mu = s->at[item[i]].mu, r[3], a[3], b[3];
        if (!rubs(s, item[i])) {
            g[0] = (aim - (corrected ? q->dy[0] * q->dz[0] : 0.0)) / q->z[0] - q->y[0] - q->y[0] / q->z[0] * q->off[0];
            g[1] = g[2] = 0.0;
            continue;
        }
        product(q->lambda, q->lambda, r);
        r[0] = aim - r[0];
        r[1] = -r[1];
        r[2] = -r[2];
        if (corrected) {
            double c[3];
            scale(q, false, q->dy, a);
            scale(q, true, q->dz, b);
            product(a, b, c);
            for (int j = 0; j < 3; j++) {
                r[j] -= c[j];
            }
        }
        divide(q->lambda, r, a);
        scale(q, true, a, g);
        stiff(q, q->off, b);
        g[0] = (g[0] - b[0]) / mu;
        g[1] -= b[1];
        g[2] -= b[2];
    }
    if (!zw_coulomb_bodies_solve(s, k->Z, k->g, k->dv, k->dp)) {
        return false;
    }
    for (int i = 0; i < k->count; i++) {
        cone         *q = &k->at[i];
        const double *dv = k->dv + 3 * i;
        double        mu = s->at[item[i]].mu;
        for (int j = 0; j < 3; j++) {
            q->dy[j] = k->dp[3 * i + j];
            q->dz[j] = (j == 0 || rubs(s, item[i])) ? q->off[j] + dv[j] : 0.0;
        }
        if (rubs(s, item[i])) {
            q->dy[0] *= mu;
            q->dz[0] = q->off[0] + dv[0] / mu + q->G[0] * dv[1] + q->G[1] * dv[2];
        }
    }
    return true;
}

static double longest(const zw_coulomb *s, const int *item, const path *k) {
    double t = 1.0;
    for (int i = 0; i < k->count; i++) {
        const cone *q = &k->at[i];
        if (rubs(s, item[i])) {
            t = fmin(t, fmin(reach(q->y, q->dy), reach(q->z, q->dz)));
        } else {
            t = q->dy[0] < 0.0 ? fmin(t, -q->y[0] / q->dy[0]) : t;
            t = q->dz[0] < 0.0 ? fmin(t, -q->z[0] / q->dz[0]) : t;
        }
    }
    return t;
}

static double gap_after(const path *k, double t) {
    double sum = 0.0;
    for (int i = 0; i < k->count; i++) {
        const cone *q = &k->at[i];
        for (int j = 0; j < 3; j++) {
            sum += (q->y[j] + t * q->dy[j]) * (q->z[j] + t * q->dz[j]);
        }
    }
    return sum / k->count;
}

/* warm: the p there, a little inside the cone, and slacks of their velocities; else the middle of the cones */
static void begin(zw_coulomb *s, const int *item, path *k, bool warm) {
    double speed = 0.0, far = warm ? NEAR : 1.0;
    for (int i = 0; i < k->count; i++) {
        const zw_coulomb_contact *c = &s->at[item[i]];
        speed = fmax(speed, fmax(fabs(c->q[0]), hypot(c->q[1], c->q[2])));
        zw_coulomb_look(s, item[i]);
    }
    for (int i = 0; i < k->count; i++) {
        const zw_coulomb_contact *c = &s->at[item[i]];
        double                    mu = c->mu > 0.0 ? c->mu : 1.0, D = c->D[0] > 0.0 ? c->D[0] : 1.0;
        k->at[i] = (cone){.y = {far * mu * speed / D}, .z = {far * speed / mu}};
        if (warm) {
            k->at[i].y[0] += fmax(mu * c->p[0], hypot(c->p[1], c->p[2]));
            k->at[i].z[0] += fmax(c->r[0] / mu, 0.0) + (c->mu > 0.0 ? hypot(c->r[1], c->r[2]) : 0.0);
            for (int j = 1; j < 3 && c->mu > 0.0; j++) {
                k->at[i].y[j] = c->p[j];
                k->at[i].z[j] = c->r[j];
            }
        }
    }
}

zw_status zw_coulomb_interior(zw_coulomb *s, const zw_coulomb_problem *pb, int island, bool warm, double aim, double *worst, int *newtons) {
    int        count = s->island.start[island + 1] - s->island.start[island], who, idle = 0;
    const int *item = s->island.item + s->island.start[island];
    path       k = {.count = count};
    _Static_assert(sizeof(cone) % sizeof(double) == 0, "cones lie among numbers");
    size_t m = 3 * (size_t)count;
    k.Z = s->scratch;
    k.g = k.Z + 3 * m;
    k.dv = k.g + m;
    k.dp = k.dv + m;
    k.best = k.dp + m;
    k.at = (cone *)(void *)(k.best + m);
    ZW_TRY(zw_coulomb_bodies_make(s, pb, island));
    begin(s, item, &k, warm);
    *worst = HUGE_VAL;
    for (int pass = 0; pass < STEPS; pass++) {
        ZW_TRY(zw_coulomb_go_on(s));
        look(s, item, &k);
        double now = zw_coulomb_worst(s, island, &who), gap = gap_of(&k);
        if (now < *worst) {
            idle = now < 0.5 * *worst ? 0 : idle + 1;
            *worst = now;
            for (int i = 0; i < count; i++) {
                memcpy(k.best + 3 * i, s->at[item[i]].p, sizeof(double[3]));
            }
        } else {
            idle++;
        }
        if (*worst <= aim || idle > (warm ? 6 : 12)) {
            break;
        }
        ++*newtons;
        if (!stiffness(s, item, &k) || !zw_coulomb_bodies_factor(s, k.Z) || !direction(s, item, &k, 0.0, false)) {
            break;
        }
        double t = longest(s, item, &k), left = fmax(gap_after(&k, t) / gap, 0.0), sigma = fmin(left * left * left, 1.0);
        if (!direction(s, item, &k, sigma * gap, true)) {
            break;
        }
        t = fmin(1.0, CLOSE * longest(s, item, &k));
        if (t < SHORT) { /* too near a wall of the cones: to the middle first */
            if (!direction(s, item, &k, CENTRE * gap, false)) {
                break;
            }
            t = fmin(1.0, CLOSE * longest(s, item, &k));
        }
        for (int i = 0; i < count; i++) {
            cone *q = &k.at[i];
            for (int j = 0; j < 3; j++) {
                q->y[j] += t * q->dy[j];
                q->z[j] += t * q->dz[j];
            }
        }
    }
    for (int i = 0; i < count; i++) {
        memcpy(s->at[item[i]].p, k.best + 3 * i, sizeof(double[3]));
    }
    *worst = zw_coulomb_worst(s, island, &who);
    return ZW_OK;
}

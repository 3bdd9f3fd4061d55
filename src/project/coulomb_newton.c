/* SPDX-License-Identifier: Apache-2.0
 * coulomb_newton.c: Newton's method on the equations of an island, after Alart and Curnier. With  a = pn - u/D  and  y = pt - rho w,  e = y/|y|
 *   open   a <= 0                p = 0
 *   stick  |y| <= mu a           u = 0, w = 0
 *   slide                        u = 0, pt = mu a e
 * rho is where it matters: contacts that share a load and cannot all stick slip by very little, and there Gauss-Seidel creeps. With rho = mu pn/|w| both parts of y
 * count alike, and the direction of even the smallest slip is followed.
 *
 * A step is dp = g - Z dv at each contact and one sparse solve in the bodies' columns (coulomb_bodies.c):
 *   u = 0    dpn = -(du + u)/(eps D)            a proximal step: what u = 0 leaves open changes by the least, and eps is no part of the answer
 *   slide    dpt = mu e (dpn - du/D) - k Q dw - (e e' + Q/(1 - c)) (pt - mu a e),    Q = 1 - e e',  c = mu a/|y|,  k = c rho/(1 - c), at most 1/(eps D)
 * eps is raised while a step makes the equations worse, and lowered again; the best p is kept. */
#include "project/coulomb_part.h"

#include <math.h>
#include <string.h>

enum { STEPS = 30, HALVES = 5, PATIENCE = 4 };
static const double FIRST = 1e-8, FIRM = 1e6;

typedef struct newton {
    int     count;
    double *p, *best, *next, *v, *dp, *dv, *g, *Z, *rho;
} newton;

static newton room(zw_coulomb *s, int count) {
    size_t   m = 3 * (size_t)count;
    double  *at = s->scratch;
    newton   k = {.count = count};
    double **all[] = {&k.p, &k.best, &k.next, &k.v, &k.dp, &k.dv, &k.g};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++, at += m) {
        *all[i] = at;
    }
    k.Z = at;
    k.rho = at + 3 * m;
    return k;
}

static void take(zw_coulomb *s, const int *item, int count, const double *p) {
    for (int i = 0; i < count; i++) {
        memcpy(s->at[item[i]].p, p + 3 * i, sizeof(double[3]));
    }
}

static void velocities(zw_coulomb *s, const int *item, const newton *k, const double *p) {
    take(s, item, k->count, p);
    for (int i = 0; i < k->count; i++) {
        zw_coulomb_look(s, item[i]);
        memcpy(k->v + 3 * i, s->at[item[i]].r, sizeof(double[3]));
    }
}

typedef struct piece { /* which equations a contact has */
    enum { OPEN, SMOOTH, STICK, SLIDE } is;
    double limit, length, e[2];
} piece;

/* its equations at p, v, as speeds */
static piece equations(const zw_coulomb_contact *c, const double *p, const double *v, double rho, double *F) {
    double D = c->D[0], a = D > 0.0 ? p[0] - v[0] / D : 0.0, y[2] = {p[1] - rho * v[1], p[2] - rho * v[2]};
    piece  w = {.limit = c->mu * fmax(a, 0.0), .length = hypot(y[0], y[1])};
    w.is = !(a > 0.0) ? OPEN : !(c->mu > 0.0) ? SMOOTH : w.length <= w.limit ? STICK : SLIDE;
    for (int b = 0; b < 2; b++) {
        w.e[b] = w.length > 0.0 ? y[b] / w.length : 0.0;
        F[1 + b] = w.is == STICK ? v[1 + b] : w.is == SLIDE ? (p[1 + b] - w.limit * w.e[b]) / rho : p[1 + b] * D;
    }
    F[0] = w.is == OPEN ? p[0] * D : v[0];
    return w;
}

static double off(zw_coulomb *s, const int *item, const newton *k, const double *p) {
    double sum = 0.0, F[3];
    velocities(s, item, k, p);
    for (int i = 0; i < k->count; i++) {
        equations(&s->at[item[i]], p + 3 * i, k->v + 3 * i, k->rho[i], F);
        sum += F[0] * F[0] + F[1] * F[1] + F[2] * F[2];
    }
    return sum;
}

/* Z, g of a contact; the sum of squares of its equations */
static double linearise(const zw_coulomb_contact *c, const double *p, const double *v, double rho, double eps, double *Z, double *g) {
    double F[3], D = c->D[0], firm = D > 0.0 ? 1.0 / (eps * D) : 0.0;
    piece  w = equations(c, p, v, rho, F);
    memset(Z, 0, sizeof(double[9]));
    if (w.is == OPEN) {
        g[0] = -p[0];
        g[1] = -p[1];
        g[2] = -p[2];
    } else {
        Z[0] = firm;
        g[0] = -firm * v[0];
        g[1] = g[2] = 0.0;
    }
    if (w.is == SMOOTH) {
        g[1] = -p[1];
        g[2] = -p[2];
    } else if (w.is == STICK) {
        Z[4] = Z[8] = firm;
        g[1] = -firm * v[1];
        g[2] = -firm * v[2];
    } else if (w.is == SLIDE) {
        double c1 = w.limit / w.length, k = fmin(c1 * rho / fmax(1.0 - c1, 1e-300), firm),
               wide = fmin(1.0 / fmax(1.0 - c1, 1e-300), 1.0 + firm / rho);
        double r[2] = {p[1] - w.limit * w.e[0], p[2] - w.limit * w.e[1]}, along = r[0] * w.e[0] + r[1] * w.e[1];
        for (int b = 0; b < 2; b++) {
            Z[3 * (b + 1)] = c->mu * w.e[b] * (firm + 1.0 / D);
            g[1 + b] = c->mu * w.e[b] * g[0] - along * w.e[b] - wide * (r[b] - along * w.e[b]);
            for (int d = 0; d < 2; d++) {
                Z[3 * (b + 1) + 1 + d] = k * ((b == d) - w.e[b] * w.e[d]);
            }
        }
    }
    return F[0] * F[0] + F[1] * F[1] + F[2] * F[2];
}

/* how far p is from the law, with what is open at 0 and the rest in its cone */
static double judge(zw_coulomb *s, int island, const int *item, int count, const double *p) {
    int who;
    take(s, item, count, p);
    for (int i = 0; i < count; i++) {
        zw_coulomb_contact *c = &s->at[item[i]];
        double              size = hypot(c->p[1], c->p[2]), limit = c->mu * c->p[0];
        if (!(c->p[0] > 0.0)) {
            c->p[0] = c->p[1] = c->p[2] = 0.0;
        } else if (size > limit) {
            c->p[1] *= limit / size;
            c->p[2] *= limit / size;
        }
    }
    return zw_coulomb_worst(s, island, &who);
}

/* next = p + as much of the step as makes the equations better; false: none does, and next has a little of it anyway */
static bool shorten(zw_coulomb *s, const int *item, const newton *k, int halves, double before) {
    double far = 1.0;
    for (int half = 0; half <= halves; half++, far *= 0.5) {
        for (int i = 0; i < 3 * k->count; i++) {
            k->next[i] = k->p[i] + far * k->dp[i];
        }
        if (off(s, item, k, k->next) < before) {
            return true;
        }
    }
    return false;
}

/* next, with the smallest of the proximal terms eps, 100 eps .. 1 with which the step makes the equations better */
static bool step(zw_coulomb *s, const int *item, newton *k, bool careful, double *eps, int *newtons) {
    for (bool well = false; !well; *eps = well ? fmax(*eps * 0.1, FIRST) : *eps * 100.0) {
        double before = 0.0;
        bool   last = !careful || *eps >= 0.1;
        velocities(s, item, k, k->p);
        for (int i = 0; i < k->count; i++) {
            const zw_coulomb_contact *c = &s->at[item[i]];
            double                    D = c->D[0], size = hypot(k->v[3 * i + 1], k->v[3 * i + 2]);
            k->rho[i] = D > 0.0 ? fmin(fmax(1.0 / D, size > 0.0 ? c->mu * fmax(k->p[3 * i], 0.0) / size : 0.0), FIRM / D) : 1.0;
            before += linearise(c, k->p + 3 * i, k->v + 3 * i, k->rho[i], *eps, k->Z + 9 * i, k->g + 3 * i);
        }
        ++*newtons;
        if (!zw_coulomb_bodies_factor(s, k->Z) || !zw_coulomb_bodies_solve(s, k->Z, k->g, k->dv, k->dp)) {
            return false;
        }
        well = shorten(s, item, k, last ? HALVES : 1, before) || last;
    }
    return true;
}

zw_status zw_coulomb_newton(zw_coulomb *s, const zw_coulomb_problem *pb, int island, bool careful, double aim, double enough, double *worst,
                            int *newtons) {
    int        count = s->island.start[island + 1] - s->island.start[island], idle = 0;
    const int *item = s->island.item + s->island.start[island];
    newton     k = room(s, count);
    size_t     bytes = sizeof(double) * 3 * (size_t)count;
    ZW_TRY(zw_coulomb_bodies_make(s, pb, island));
    for (int i = 0; i < count; i++) {
        memcpy(k.p + 3 * i, s->at[item[i]].p, sizeof(double[3]));
    }
    memcpy(k.best, k.p, bytes);
    double eps = FIRST;
    *worst = judge(s, island, item, count, k.p);
    for (int pass = 0; pass < STEPS && idle < (*worst > enough && careful ? PATIENCE : 2) && *worst > aim; pass++) {
        ZW_TRY(zw_coulomb_go_on(s));
        if (!step(s, item, &k, careful, &eps, newtons)) {
            break;
        }
        memcpy(k.p, k.next, bytes);
        double now = judge(s, island, item, count, k.p);
        idle = now < 0.5 * *worst ? 0 : idle + 1;
        if (now < *worst) {
            *worst = now;
            memcpy(k.best, k.p, bytes);
        }
    }
    *worst = judge(s, island, item, count, k.best);
    return ZW_OK;
}

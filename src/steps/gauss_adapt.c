/* SPDX-License-Identifier: Apache-2.0
 * gauss_adapt.c: step doubling. One step of h and two of h/2, which the polynomial of the one starts; the two are the result, and their distance to the one,
 * over 2^(2s) - 1, is their error (Richardson). The error of a component counts relative to its size, or to a thousandth of the largest one of its kind.
 * The chart of a rotation ends at a full turn, where d' = dexp_-d^-1 Omega has a pole: a body that spins evenly would be allowed steps beyond it by its error
 * alone. No step turns a body by more than most_turn about one of its axes. */
#include "steps/gauss.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* accelerations of the whole step's polynomial at the stages of its first (0) or second (1) half */
static void start_half(const zw_collocation *k, const double *whole, int half, double *guess) {
    double target[ZW_STAGES] = {0.0}, weight[ZW_STAGES * ZW_STAGES];
    int    nv = k->n.nv, s = k->s;
    for (int i = 0; i < s; i++) {
        target[i] = 0.5 * (k->T->c[i] + half);
    }
    zw_tableau_weights(s, k->T->c, s, target, weight);
    for (int i = 0; i < s; i++) {
        for (int l = 0; l < nv; l++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++) {
                sum += weight[i * s + j] * whole[(ptrdiff_t)j * nv + l];
            }
            guess[(ptrdiff_t)i * nv + l] = sum;
        }
    }
}

/* forces that rows take up leave round-off in the velocities, which is all that a body at rest has */
static zw_status noise_of_forces(zw_collocation *k, const zw_state *x) {
    double most = 0.0;
    ZW_TRY(zw_system_force(k->y, x, k->f));
    memset(k->dv, 0, sizeof(double) * (size_t)k->n.nv);
    zw_solver_metric_inverse(k->close_v, k->f, k->dv); /* where velocities had to be closed */
    for (int i = 0; i < k->n.nv; i++) {
        most = fmax(most, fabs(k->dv[i]));
    }
    for (int i = 0; i < k->n.nv; i++) {
        k->noise[i] = 64.0 * DBL_EPSILON * most;
    }
    return ZW_OK;
}

static zw_status noise_at(zw_collocation *k, const zw_state *x) {
    if (x->w[ZW_COLLOCATION_MODE] > 0.0) { /* there is a Jacobian to tell it by */
        zw_collocation_noise(k, x, x->w + k->w_jacobian, k->noise);
        return ZW_OK;
    }
    return k->m > 0 ? noise_of_forces(k, x) : ZW_OK;
}

/* noise: what differences carry by round-off, per unit of h; it tells nothing about the step */
static double distance(int n, const double *a, const double *b, const double *c, const double *rate, const double *noise, double h,
                       double least) {
    double largest = least, most = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fmax(fabs(a[i]), fabs(b[i])));
        largest = rate != NULL ? fmax(largest, fabs(h * rate[i])) : largest;
    }
    for (int i = 0; i < n && largest > 0.0; i++) {
        double size = fmax(fmax(fabs(a[i]), fabs(b[i])), 1e-3 * largest), apart = fabs(c[i] - b[i]);
        double part = (noise != NULL && apart <= fabs(h) * noise[i] ? 0.0 : apart) / size;
        most = part <= most ? most : part;
    }
    return most;
}

static const double most_turn = 2.0; /* rad; about all three axes at once that is 3.5, well within 2 pi */

/* the largest angular velocity about an axis, rad/s */
static double fastest_turn(const zw_collocation *k, const double *v) {
    double most = 0.0;
    for (int i = 0; i < k->nturning; i++) {
        most = fmax(most, fabs(v[k->turning[i]]));
    }
    return most;
}

static zw_status adapt(zw_collocation *k, const zw_state *x0, double h, double tolerance, zw_state *x1, double *error, double *next) {
    int     order = 2 * k->s;
    double *guess = k->guess;
    *error = INFINITY;
    *next = 0.25 * h;
    double turn = fastest_turn(k, x0->v);
    if (turn * fabs(h) > most_turn) {
        *next = 0.95 * most_turn / turn * (h < 0.0 ? -1.0 : 1.0);
        return ZW_OK;
    }
    ZW_TRY(zw_collocation_watch_from(k, x0));
    /* the whole step is there to measure by and to start from: what its iteration leaves counts 2^order - 1 times less */
    double target = k->target;
    k->target = target > ZW_COLLOCATION_TARGET ? fmin(1e-6, 30.0 * (pow(2.0, order) - 1.0) * target) : target;
    zw_status status = zw_collocation_step(k, x0, h, NULL, &k->whole);
    k->target = target;
    ZW_TRY(status);
    const double *stages = k->whole.w + k->w_history;
    start_half(k, stages, 0, guess);
    ZW_TRY(zw_collocation_step(k, x0, 0.5 * h, guess, &k->middle));
    start_half(k, stages, 1, guess);
    ZW_TRY(zw_collocation_step(k, &k->middle, 0.5 * h, guess, x1));
    x1->t = x0->t + h;
    x1->w[ZW_COLLOCATION_HALVES] = 1.0;
    const double *noise = k->m > 0 || x1->w[ZW_COLLOCATION_MODE] > 0.0 ? k->noise : NULL;
    ZW_TRY(noise_at(k, x1));
    double way = distance(k->n.nq, x0->q, x1->q, k->whole.q, k->n.nq == k->n.nv ? x0->v : NULL, NULL, h, 0.0);
    double apart = distance(k->n.nv, x0->v, x1->v, k->whole.v, NULL, noise, h, 0.0), share = (pow(2.0, order) - 1.0) * tolerance;
    if (apart > share && k->m > 0) { /* held at rest? then velocities are round-off, and nothing to measure an error by */
        double held = zw_collocation_held(k, h);
        ZW_TRY(noise_at(k, x1));
        apart = distance(k->n.nv, x0->v, x1->v, k->whole.v, NULL, noise, h, 1e-3 * held);
    }
    *error = fmax(way, apart) / share;
    if (!isfinite(*error)) {
        *error = INFINITY;
        return ZW_OK;
    }
    *next = h * fmin(4.0, fmax(0.2, 0.9 * pow(fmax(*error, 1e-12), -1.0 / (order + 1))));
    double farthest = 0.95 * most_turn / fastest_turn(k, x1->v);
    *next = fabs(*next) > farthest ? copysign(farthest, h) : *next;
    return *error <= 1.0 ? zw_collocation_watch(k, x0, h, x1) : ZW_OK;
}

/* The symmetric projection keeps energy from drifting over many steps of one length. Steps that change lose that, so here each step is simply closed: its error is
 * within the tolerance, and it costs a quarter */
zw_status zw_collocation_adapt(void *self, const zw_state *x0, double h, double tolerance, zw_state *x1, double *error, double *next) {
    zw_collocation *k = self;
    bool            symmetric = k->symmetric;
    k->symmetric = false;
    k->adapting = true;
    k->target = tolerance > 1e-12 ? 1e-3 * tolerance : ZW_COLLOCATION_TARGET; /* the error that is measured stands well above */
    zw_status status = adapt(k, x0, h, tolerance, x1, error, next);
    k->symmetric = symmetric;
    k->adapting = false;
    k->target = ZW_COLLOCATION_TARGET;
    return status;
}

zw_status zw_collocation_first(void *self, const zw_state *x0, double *h) {
    zw_collocation *k = self;
    double          v = 0.0, a = 0.0;
    ZW_TRY(zw_collocation_accelerate(k, x0, k->a, k->lambda));
    for (int i = 0; i < k->n.nv; i++) {
        v = fmax(v, fabs(x0->v[i]));
        a = fmax(a, fabs(k->a[i]));
    }
    *h = a > 0.0 ? 0.1 * fmax(v / a, 1e-3 / sqrt(a)) : INFINITY;
    *h = fmin(*h, 0.95 * most_turn / fastest_turn(k, x0->v));
    return ZW_OK;
}

/* q and v after theta of a step of length h with stages a: v is the integral of their polynomial, xi that of v at the stages */
static void part_of_step(zw_collocation *k, const double *q0, const double *v0, const double *a, double h, double theta, double *q,
                         double *v) {
    double beta[ZW_STAGES];
    int    nv = k->n.nv, s = k->s;
    zw_tableau_between(k->T, theta, beta);
    for (int l = 0; l < nv; l++) {
        double rate[ZW_STAGES], sum = 0.0, way = 0.0;
        for (int i = 0; i < s; i++) {
            rate[i] = v0[l];
            for (int j = 0; j < s; j++) {
                rate[i] += k->T->mu[i][j] * h * k->T->b[j] * a[(ptrdiff_t)j * nv + l];
            }
        }
        for (int i = 0; i < s; i++) {
            sum += h * beta[i] * a[(ptrdiff_t)i * nv + l];
            way += h * beta[i] * rate[i];
        }
        v[l] = v0[l] + sum;
        k->dv[l] = way;
    }
    zw_system_retract(k->y, q0, k->dv, q);
}

void zw_collocation_between(void *self, const zw_state *x0, const zw_state *x1, double theta, zw_state *out) {
    zw_collocation *k = self;
    const double   *w = x1->w, *newest = w + k->w_history, *before = newest + (ptrdiff_t)k->s * k->n.nv;
    double          h = w[ZW_COLLOCATION_H];
    if (w[ZW_COLLOCATION_HALVES] == 0.0 || k->depth < 2) {
        part_of_step(k, x0->q, x0->v, newest, x1->t - x0->t, theta, out->q, out->v);
    } else if (theta <= 0.5) {
        part_of_step(k, x0->q, x0->v, before, h, 2.0 * theta, out->q, out->v);
    } else {
        part_of_step(k, x0->q, x0->v, before, h, 1.0, k->trial.q, k->trial.v);
        part_of_step(k, k->trial.q, k->trial.v, newest, h, 2.0 * theta - 1.0, out->q, out->v);
    }
    out->t = x0->t + theta * (x1->t - x0->t);
}

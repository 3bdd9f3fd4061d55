/* SPDX-License-Identifier: Apache-2.0
 * lagrangian.h: a lagrangian body alone, without a system: states of it, accelerations by a dense solve, derivatives by differences. */
#ifndef ZW_TESTS_LAGRANGIAN_H
#define ZW_TESTS_LAGRANGIAN_H

#include "support/model.h"

#include "math/dense.h"
#include "parts/lagrangian_part.h"

#define LAGRANGIAN "zwang: 1\nbodies:\n  sys:\n    lagrangian:\n"
#define RUNS       "run: {until: 1}\n"

enum { MOST = 12 };

/* a metric that depends on the place, terms linear in the velocities, time in everything, an equation of each kind */
static const char rich[] = LAGRANGIAN "      coordinates: [x, y, a]\n"
                                      "      define: {r: 1 + x^2/4, s: sin(a + t/3)}\n"
                                      "      kinetic: r*xdot^2/2 + (2 + cos(a))*ydot^2/3 + 0.7*adot^2 + 0.2*s*xdot*adot + x*y*adot"
                                      " + exp(-t)*ydot/2 + 0.02*xdot^4 + 0.3*t*x*ydot^2/9\n"
                                      "      potential: 3*cos(a) + x^2*y + t*x/5\n"
                                      "      dissipation: 0.3*xdot^2/2 + 0.1*abs(ydot)^3/3\n"
                                      "      forces: {x: cos(2*t) - y, a: 0.4*x*ydot}\n"
                                      "      constraints:\n"
                                      "        ring: x^2 + y^2 = 2 + sin(t)*cos(a)\n"
                                      "        skate: xdot*sin(a) - ydot*cos(a) = 0.1*t*x\n"
                                      "        pace: xdot^2 + ydot^2*x = (1 + t^2)*adot\n"
                                      "      points:\n"
                                      "        tip: {position: [x + cos(a), y*sin(a) - t, x*y], turn: [a, x*t, y - a^2]}\n"
                                      "        bare: {position: [x, 2, 0]}\n"
                                      "      start: {x: 1.1, y: 0.7, a: 0.4, xdot: 0.3, ydot: -0.2, adot: 0.5}\n" RUNS;

static const char pendulum[] = /* particles alone: T is theirs */
    LAGRANGIAN "      coordinates: [a, b]\n"
               "      define: {x: sin(a), y: -cos(a)}\n"
               "      particles:\n"
               "        upper: {mass: 2, position: [x, 0.3*t, y]}\n"
               "        lower: {mass: 1.5, position: [x + 0.8*sin(b), 0.1*t^2, y - 0.8*cos(b)]}\n"
               "      potential: 9.81*(2*y + 1.5*(y - 0.8*cos(b)))\n"
               "      start: {a: 0.4, b: -0.9, adot: 1, bdot: -2}\n" RUNS;

#define SLED                                                                                                             \
    LAGRANGIAN "      coordinates: [x, y, theta]\n"                                                                      \
               "      kinetic: thetadot^2/4 + (xdot - 0.3*thetadot*sin(theta))^2 + (ydot + 0.3*thetadot*cos(theta))^2\n" \
               "      constraints: {blade: ydot*cos(theta) = xdot*sin(theta)}\n"
static const char sled[] = SLED "      start: {theta: 0.7, xdot: 0.4, ydot: 0.1, thetadot: 1.5}\n" RUNS;
static const char sled_frame[] =
    SLED "      velocities: {u: xdot*cos(theta) + ydot*sin(theta), w: ydot*cos(theta) - xdot*sin(theta), spin: thetadot}\n"
         "      points: {bow: {position: [x + cos(theta), y + sin(theta), 0], turn: [0, 0, theta]}}\n"
         "      start: {theta: 0.7, u: 0.37, w: 0.11, spin: 1.5}\n" RUNS;

typedef struct lone {
    fixture        f;
    zw_lagrangian *L;
    int            n, m;
    zw_state       x;
    double         q[MOST], v[MOST];
} lone;

static inline void lone_open(lone *b, const char *text) {
    void *self;
    fixture_parse(&b->f, text);
    fixture_must(&b->f, zw_lagrangian_create(b->f.m, 0, &self), "zw_lagrangian_create");
    b->L = self;
    b->n = b->L->n;
    b->m = b->L->m;
    assert_in_range(b->n, 1, MOST);
    b->x = (zw_state){.t = 0.0, .q = b->q, .v = b->v};
    zw_lagrangian_ops.start(b->L, &b->x);
}

static inline void lone_close(lone *b) {
    zw_lagrangian_ops.destroy(b->L);
    fixture_close(&b->f);
}

static inline void lone_shake(lone *b, double size, uint64_t *seed) {
    b->x.t = noise(seed) + 0.6;
    for (int i = 0; i < b->n; i++) {
        b->q[i] += size * noise(seed);
        b->v[i] += size * noise(seed);
    }
}

/* M a - A' lambda = f - c, A a = -D by Gauss elimination */
static inline void lone_solve(const zw_lagrangian_look *k, int n, int m, double *a, double *lambda) {
    double K[400] = {0}, b[20];
    int    pivot[20], size = n + m;
    for (int i = 0; i < n; i++) {
        b[i] = k->F[i] - k->c[i];
        for (int j = 0; j < n; j++) {
            K[size * i + j] = k->M[n * i + j];
        }
        for (int j = 0; j < m; j++) {
            K[size * i + n + j] = -k->A[n * j + i];
            K[size * (n + j) + i] = k->A[n * j + i];
        }
    }
    for (int j = 0; j < m; j++) {
        b[n + j] = -k->D[j];
    }
    assert_int_equal(zw_lu_factor(size, K, pivot), -1);
    zw_lu_solve(size, K, pivot, 1, b);
    memcpy(a, b, sizeof(double) * (size_t)n);
    if (lambda != NULL) {
        memcpy(lambda, b + n, sizeof(double) * (size_t)m);
    }
}

/* value of a node of the model's pool at a state in qdot */
static inline double lone_node(lone *b, zw_node node, const zw_state *x) {
    double   in[64], work[4096], out;
    zw_tape *tape;
    assert_true(zw_pool_inputs(b->f.m->pool) <= 64);
    zw_model_inputs(b->f.m, in);
    for (int i = 0; i < b->n; i++) {
        in[b->L->def->slot_q[i]] = x->q[i];
        in[b->L->def->slot_v[i]] = x->v[i];
    }
    in[b->f.m->slot_t] = x->t;
    fixture_must(&b->f, zw_tape_create(b->f.c, b->f.m->pool, &node, 1, &tape), "zw_tape_create");
    assert_true(zw_tape_work(tape) <= 4096);
    zw_tape_eval(tape, in, work, &out);
    zw_tape_destroy(tape);
    return out;
}

/* derivative at s = 0 of something of the state x + s (1, dq, dv) */
typedef double (*lone_value)(lone *b, const zw_state *x, int i);

static inline double lone_slope(lone *b, const zw_state *x, double dt, const double *dq, const double *dv, double h, lone_value f, int i) {
    double q[MOST], v[MOST], rate = 0.0;
    for (int k = 1; k <= 4; k++) {
        double side[2];
        for (int s = 0; s < 2; s++) {
            double   step = (s == 0 ? k : -k) * h;
            zw_state moved = {.t = x->t + step * dt, .q = q, .v = v};
            for (int j = 0; j < b->n; j++) {
                q[j] = x->q[j] + step * (dq != NULL ? dq[j] : 0.0);
                v[j] = x->v[j] + step * (dv != NULL ? dv[j] : 0.0);
            }
            side[s] = f(b, &moved, i);
        }
        rate += difference8[k - 1] * (side[0] - side[1]) / h;
    }
    return rate;
}

#endif

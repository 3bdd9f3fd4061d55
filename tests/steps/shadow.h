/* SPDX-License-Identifier: Apache-2.0
 * shadow.h: the energy that verlet really keeps, read off its own steps.
 *
 * A symplectic map near the identity is the flow of a shadow energy H~ = H + h^2 H2 + O(h^4), up to terms that no power of h shows. Let S be the action of the
 * steps (a kick of tau adds -tau V, a factor of the drift with kinetic energy T_a adds tau T_a), and let x, R, S as functions of time pass smoothly through the
 * computed ones. The action of a flow is the integral of p dq - H~ dt, therefore
 *
 *   H~ = sum m v . dx/dt + Pi . (R' dR/dt) - dS/dt
 *
 * with the computed v and Pi at a step. The derivatives are central differences of order 2m over 2m + 1 successive states: no derivative of a force, no
 * expansion in h. A wave of theta = 2 asin(h omega/2) per step has its frequency wrong by less than sin(theta/2)^2m; m = 32 leaves nothing of that, and of what
 * swings with 2 theta (theta = 1: 0.708^32 = 2e-5 of a part that is small and has mean 0).
 *
 * The first term by itself, with d/dtau along the free motion of all nodes (J1 = J2; else the splitting of the free rotation adds its own):
 *
 *   H2 = 1/12 d^2V/dtau^2 - 1/24 f' M^-1 f,      d^2V/dtau^2 = -d(f.v)/dtau
 *
 * Its mean for one wave of energy e is e omega^2/24. What is measured as energy, E = H~ - h^2 H2 - ..., sinks when energy goes over to shorter waves. */
#ifndef ZW_TESTS_SHADOW_H
#define ZW_TESTS_SHADOW_H

#include "support/model.h"

#include "math/quat.h"
#include "steps/mass.h"

enum { SHADOW_HALF = 32, SHADOW_STATES = 2 * SHADOW_HALF + 1 };

typedef struct shadow {
    double energy; /* H                 */
    double term;   /* H2, J/s^2         */
    double kept;   /* H~, m = SHADOW_HALF */
} shadow;

/* room for one look, held over a motion */
typedef struct shadow_room {
    stepper       *s;
    const zw_rods *rods;
    zw_mass        mass;
    zw_state       x[SHADOW_STATES], y;
    double        *f, *p;
} shadow_room;

static inline void shadow_open(shadow_room *r, stepper *s) {
    *r = (shadow_room){.s = s, .rods = fixture_rods(s->f)};
    assert_null(r->rods->principal); /* the action of the drift below is that of principal directors */
    fixture_must(s->f, zw_mass_create(s->f->y, stepper_x(s), &r->mass), "zw_mass_create");
    for (int k = 0; k < SHADOW_STATES; k++) {
        fixture_must(s->f, zw_state_create(s->f->c, &s->n, &r->x[k]), "zw_state_create");
    }
    fixture_must(s->f, zw_state_create(s->f->c, &s->n, &r->y), "zw_state_create");
    r->f = calloc((size_t)s->n.nv, sizeof *r->f);
    r->p = calloc((size_t)s->n.nv, sizeof *r->p);
}

static inline void shadow_close(shadow_room *r) {
    for (int k = 0; k < SHADOW_STATES; k++) {
        zw_state_destroy(r->s->f->c, &r->x[k]);
    }
    zw_state_destroy(r->s->f->c, &r->y);
    zw_mass_destroy(&r->mass);
    free(r->f);
    free(r->p);
}

static inline double shadow_dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* action of a free rotation by h: its factors' kinetic energies times their times (rod_drift.c) */
static inline double shadow_rotation_action(const double J[3], const double w[3], double h) {
    static const int    axis[5] = {0, 1, 2, 1, 0};
    static const double part[5] = {0.5, 0.5, 1.0, 0.5, 0.5};
    double              pi[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]}, S = 0.0;
    if (J[0] == J[1]) { /* exact in one */
        return 0.5 * h * zw_v3_dot(pi, w);
    }
    for (int k = 0; k < 5; k++) {
        int    a = axis[k], b = (a + 1) % 3, c = (a + 2) % 3;
        double angle = part[k] * h * pi[a] / J[a], pi_b = cos(angle) * pi[b] + sin(angle) * pi[c];
        S += 0.5 * part[k] * h * pi[a] * pi[a] / J[a];
        pi[c] = cos(angle) * pi[c] - sin(angle) * pi[b];
        pi[b] = pi_b;
    }
    return S;
}

/* action of the drift in the step that leaves x */
static inline double shadow_drift_action(shadow_room *r, const zw_state *x) {
    double S = 0.0, h = r->s->h;
    fixture_must(r->s->f, zw_system_force(r->s->f->y, x, r->f), "zw_system_force");
    zw_mass_kick(&r->mass, x->v, 0.5 * h, r->f, r->p);
    for (int i = 0; i < r->rods->nnodes; i++) {
        const double *v = r->p + 6 * (size_t)i;
        S += 0.5 * h * r->rods->mass[i] * zw_v3_dot(v + 3, v + 3) + shadow_rotation_action(r->rods->inertia + 3 * (size_t)i, v, h);
    }
    return S;
}

static inline double shadow_term(shadow_room *r, const zw_state *x) {
    stepper *s = r->s;
    double   length, tau = 0.01 * zw_system_step_limit(s->f->y, &length), power[5], square = 0.0;
    for (int k = 0; k < 5; k++) {
        zw_system_drift(s->f->y, x, (k - 2) * tau, &r->y, false);
        fixture_must(s->f, zw_system_force(s->f->y, &r->y, r->f), "zw_system_force");
        power[k] = shadow_dot(s->n.nv, r->f, r->y.v);
        if (k == 2) {
            zw_mass_solve(&r->mass, r->f, r->p);
            square = shadow_dot(s->n.nv, r->f, r->p);
        }
    }
    return -(8.0 * (power[3] - power[1]) - (power[4] - power[0])) / (144.0 * tau) - square / 24.0;
}

/* p . q_k, where q_k is the way from x0 to x */
static inline double shadow_way(shadow_room *r, const zw_state *x0, const zw_state *x) {
    double sum = 0.0;
    for (int i = 0; i < r->rods->nnodes; i++) {
        const double *p = r->p + 6 * (size_t)i, *a = x0->q + 7 * (size_t)i, *b = x->q + 7 * (size_t)i;
        double        turn[4], w[3], d[3];
        zw_q_conj_mul(a + 3, b + 3, turn);
        zw_q_log(turn, w);
        zw_v3_sub(d, b, a);
        sum += zw_v3_dot(p, w) + zw_v3_dot(p + 3, d);
    }
    return sum;
}

/* goes 2 SHADOW_HALF steps on and evaluates the state in their middle */
static inline shadow shadow_look(shadow_room *r) {
    enum { MIDDLE = SHADOW_HALF };
    stepper *s = r->s;
    double   action[SHADOW_STATES], V[SHADOW_STATES], S = 0.0, weight = 1.0;
    shadow   out = {0};
    for (int k = 0; k < SHADOW_STATES; k++) {
        stepper_go(s, k > 0 ? 1 : 0);
        zw_state_copy(&s->n, stepper_x(s), &r->x[k]);
        zw_account a = stepper_account(s);
        V[k] = a.elastic + a.potential;
        out.energy = k == MIDDLE ? account_energy(&a) : out.energy;
        action[k] = shadow_drift_action(r, &r->x[k]);
    }
    const zw_state *x0 = &r->x[MIDDLE];
    out.term = shadow_term(r, x0);
    zw_mass_multiply(&r->mass, x0->v, r->p);
    for (int k = 1; k <= SHADOW_HALF; k++) {
        int hi = MIDDLE + k, lo = MIDDLE - k;
        S += action[hi - 1] - 0.5 * s->h * (V[hi - 1] + V[hi]) + action[lo] - 0.5 * s->h * (V[lo] + V[lo + 1]);
        weight *= -(double)(SHADOW_HALF - k + 1) / (double)(SHADOW_HALF + k); /* (-1)^k (m!)^2/((m-k)! (m+k)!) */
        out.kept -= weight / (k * s->h) * (shadow_way(r, x0, &r->x[hi]) - shadow_way(r, x0, &r->x[lo]) - S);
    }
    return out;
}

/* SHADOW_HALF steps back, so that the next look is at the state as it is now */
static inline void shadow_back(stepper *s) {
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < s->n.nv; i++) {
            stepper_x(s)->v[i] = -stepper_x(s)->v[i];
        }
        stepper_restart(s);
        stepper_go(s, turn == 0 ? SHADOW_HALF : 0);
    }
}

/* ---- means over five successive fifths of a motion */
enum { FIFTHS = 5 };

typedef struct shadow_flight {
    shadow first, mean[FIFTHS]; /* at the start; means of the differences from it, and of H2 itself */
    double low, high;           /* E - E0 */
    double off;                 /* largest |H~ - H~0| of all looks */
    double rest;                /* largest |E + h^2 H2 - H~|: what is of order h^4 */
    double dP, dL;              /* largest change of the momenta */
    long   steps, looks;
} shadow_flight;

/* every look takes 2 SHADOW_HALF steps and is one of about `looks` evenly spread ones, fewer when the motion is short */
static inline shadow_flight shadow_fly(stepper *s, long steps, long looks) {
    shadow_flight out = {.high = -HUGE_VAL};
    shadow_room   r;
    shadow_open(&r, s);
    zw_account a0 = stepper_account(s);
    shadow_back(s);
    out.first = shadow_look(&r);
    looks = looks < steps / (2 * SHADOW_HALF) ? looks / FIFTHS : steps / (2 * SHADOW_HALF * FIFTHS);
    looks = looks > 0 ? looks : 1;
    long between = steps / (looks * FIFTHS) - 2 * SHADOW_HALF;
    between = between > 0 ? between : 0;
    for (int fifth = 0; fifth < FIFTHS; fifth++) {
        shadow *mean = &out.mean[fifth];
        for (long i = 0; i < looks; i++) {
            stepper_go(s, between);
            shadow     now = shadow_look(&r);
            zw_account a = stepper_account(s);
            double     dE = now.energy - out.first.energy, dH = now.kept - out.first.kept;
            mean->energy += dE / (double)looks;
            mean->term += now.term / (double)looks;
            mean->kept += dH / (double)looks;
            out.low = fmin(out.low, dE);
            out.high = fmax(out.high, dE);
            out.off = fmax(out.off, fabs(dH));
            out.rest = fmax(out.rest, fabs(now.energy + s->h * s->h * now.term - now.kept));
            out.dP = fmax(out.dP, zw_v3_distance(a.momentum, a0.momentum));
            out.dL = fmax(out.dL, zw_v3_distance(a.angular, a0.angular));
        }
        print_message("h %.3g, fifth %d: E - E0 %.3e, H~ - H~0 %.3e, H2 %.4e, (H~ - E)/h^2 %.4e\n", s->h, fifth + 1, mean->energy,
                      mean->kept, mean->term, (out.first.kept - out.first.energy + mean->kept - mean->energy) / (s->h * s->h));
    }
    out.looks = looks * FIFTHS;
    out.steps = (between + 2 * SHADOW_HALF) * out.looks;
    shadow_close(&r);
    print_message("%ld steps, %ld looks: E - E0 in [%.5f, %.5f], |H~ - H~0| <= %.3e, |E + h^2 H2 - H~| <= %.3e, dP %.2e, dL %.2e\n",
                  out.steps, out.looks, out.low, out.high, out.off, out.rest, out.dP, out.dL);
    return out;
}

/* largest difference between the means of two fifths */
static inline double shadow_spread(const shadow_flight *a) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < FIFTHS; i++) {
        low = fmin(low, a->mean[i].kept);
        high = fmax(high, a->mean[i].kept);
    }
    return high - low;
}

/* what the mean of E sinks by from the first fifth to the last, and h^2 times what that of H2 gains */
static inline double shadow_sinks(const shadow_flight *a) {
    return a->mean[0].energy - a->mean[FIFTHS - 1].energy;
}

static inline double shadow_gains(const shadow_flight *a, double h) {
    return h * h * (a->mean[FIFTHS - 1].term - a->mean[0].term);
}

#endif

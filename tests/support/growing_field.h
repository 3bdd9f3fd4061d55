/* SPDX-License-Identifier: Apache-2.0
 * growing_field.h: a rod that grows, moves, bends, twists, shears and stretches, written down in closed form over the label S in 0..1 and time t:
 *   R(S, t) by three angles,  ds/dS = 1 + eg(S, t),  dr/ds = R Gamma(S, t),  r(0, t) given.
 * Whatever else is wanted (s, se, r, spins, bend-twist) is an integral by Gauss-Legendre or a derivative by central differences of order eight of these, so that no formula of the
 * library takes part but exp, log and products of quaternions. */
#ifndef ZW_TESTS_GROWING_FIELD_H
#define ZW_TESTS_GROWING_FIELD_H

#include "math/quat.h"
#include "math/so3.h"
#include "math/vec3.h"
#include "support/model.h"

#include <math.h>
#include <string.h>

static inline double field_stretch(double S, double t) { /* ds/dS */
    return 1.0 + 0.3 * t + 0.2 * t * sin(2.0 * S) + 0.1 * t * t * S;
}

static inline void field_strain(double S, double t, double Gamma[3]) {
    zw_v3_set(Gamma, 0.03 * sin(3.0 * S + t), 0.02 * cos(2.0 * S - t), 1.0 + 0.04 * sin(S + 2.0 * t));
}

static inline void field_quaternion(double S, double t, double q[4]) {
    double a[3] = {0, 0, 0.3 + 0.5 * t + 0.4 * S}, b[3] = {0.8 + 0.3 * sin(1.5 * S) + 0.4 * t * S, 0, 0},
           c[3] = {0, 0, 0.7 * S + 0.6 * t * S * S - 0.2 * t}, qa[4], qb[4], qc[4], qab[4];
    zw_q_exp(a, qa);
    zw_q_exp(b, qb);
    zw_q_exp(c, qc);
    zw_q_mul(qa, qb, qab);
    zw_q_mul(qab, qc, q);
}

/* ---- integrals over 0..S: ten points on each of a few pieces */
typedef double (*field_integrand)(double S, double t, int i);

static inline double field_integral(field_integrand f, double S, double t, int i) {
    static const double x[5] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845, 0.9739065285171717};
    static const double w[5] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820, 0.1494513491505806, 0.0666713443086881};
    enum { PIECES = 4 };
    double sum = 0.0, h = S / PIECES;
    for (int p = 0; p < PIECES; p++) {
        for (int k = 0; k < 5; k++) {
            sum += w[k] * (f(h * (p + 0.5 * (1.0 + x[k])), t, i) + f(h * (p + 0.5 * (1.0 - x[k])), t, i));
        }
    }
    return 0.5 * h * sum;
}

static inline double field_ds(double S, double t, int i) {
    (void)i;
    return field_stretch(S, t);
}

static inline double field_dse(double S, double t, int i) {
    double Gamma[3];
    (void)i;
    field_strain(S, t, Gamma);
    return field_stretch(S, t) * zw_v3_norm(Gamma);
}

static inline double field_dr(double S, double t, int i) {
    double Gamma[3], q[4], out[3];
    field_strain(S, t, Gamma);
    field_quaternion(S, t, q);
    zw_q_rotate(q, Gamma, out);
    return field_stretch(S, t) * out[i];
}

static inline double field_s(double S, double t) {
    return field_integral(field_ds, S, t, 0);
}

static inline double field_se(double S, double t) {
    return field_integral(field_dse, S, t, 0);
}

static inline void field_node(double S, double t, double q[7]) {
    double base[3] = {0.2 * sin(t), 0.3 * t, 0.1 * t * t};
    for (int i = 0; i < 3; i++) {
        q[i] = base[i] + field_integral(field_dr, S, t, i);
    }
    field_quaternion(S, t, q + 3);
}

/* ---- derivatives at 0 of n values of a curve */
typedef void (*field_curve)(const void *user, double tau, double *value);

static inline void field_slope(field_curve curve, const void *user, int n, double h, double *out) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    double              up[8], down[8];
    memset(out, 0, sizeof(double) * (size_t)n);
    for (int k = 0; k < 4; k++) {
        curve(user, (k + 1) * h, up);
        curve(user, -(k + 1) * h, down);
        for (int i = 0; i < n; i++) {
            out[i] += weight[k] * (up[i] - down[i]) / h;
        }
    }
}

typedef struct field_at {
    double S, t, se;
} field_at;

static inline void field_turn(double S0, double t0, double S1, double t1, double *value) { /* in the directors of the first */
    double a[4], b[4], turn[4];
    field_quaternion(S0, t0, a);
    field_quaternion(S1, t1, b);
    zw_q_conj_mul(a, b, turn);
    zw_q_log(turn, value);
}

static inline void field_along_time(const void *user, double tau, double *value) {
    const field_at *at = user;
    field_turn(at->S, at->t, at->S, at->t + tau, value);
}

static inline void field_along_label(const void *user, double tau, double *value) {
    const field_at *at = user;
    field_turn(at->S, at->t, at->S + tau, at->t, value);
}

/* the section that is at the arc length se of the current configuration at another time */
static inline void field_along_place(const void *user, double tau, double *value) {
    const field_at *at = user;
    double          S = at->S;
    for (int i = 0; i < 50; i++) {
        double step = (field_se(S, at->t + tau) - at->se) / field_dse(S, at->t + tau, 0);
        S -= step;
        if (fabs(step) < 1e-16) {
            break;
        }
    }
    field_turn(at->S, at->t, S, at->t + tau, value);
}

static inline void field_spin(double S, double t, double out[3]) { /* Omega, directors */
    field_at at = {.S = S, .t = t};
    field_slope(field_along_time, &at, 3, 0.01, out);
}

static inline void field_bend(double S, double t, double out[3]) { /* w_s0, directors: per label */
    field_at at = {.S = S, .t = t};
    field_slope(field_along_label, &at, 3, 0.01, out);
}

static inline void field_spin_rigid(double S, double t, double out[3]) { /* Omega_r, directors: the turning of what is at a fixed se */
    field_at at = {.S = S, .t = t, .se = field_se(S, t)};
    field_slope(field_along_place, &at, 3, 0.01, out);
}

static inline void field_node_at(const void *user, double tau, double *value) {
    const field_at *at = user;
    double          q[7];
    field_node(at->S, at->t + tau, q);
    zw_v3_copy(value, q);
}

static inline void field_lengths(const void *user, double tau, double *value) {
    const field_at *at = user;
    value[0] = field_s(at->S, at->t + tau);
    value[1] = field_se(at->S, at->t + tau);
}

/* ---- a rod of the library on it: n links of equal label length; the reference length of a link is the mean of ds/dS over it times 1/n */
static inline void field_open(fixture *f, int n) {
    char text[400];
    snprintf(
        text, sizeof text,
        "zwang: 1\nbodies:\n  r: {rod: {length: 1, elements: %d, section: {rectangle: [0.1, 0.06]}, material: {density: 1000, young: 1e6, "
        "poisson: 0.25}}}\n",
        n);
    fixture_system(f, text);
}

static inline void field_place(const zw_rods *rods, double t, zw_state *x) {
    for (int i = 0; i < rods->nnodes; i++) {
        field_at at = {.S = rods->label[i], .t = t};
        field_node(at.S, t, x->q + 7 * (size_t)i);
        field_spin(at.S, t, x->v + 6 * (size_t)i);
        field_slope(field_node_at, &at, 3, 0.01, x->v + 6 * (size_t)i + 3);
    }
}

static inline void field_grown(const zw_rods *rods, double t, double *l) {
    for (int i = 0; i < rods->nlinks; i++) {
        l[i] = field_s(rods->label[i + 1], t) - field_s(rods->label[i], t);
    }
}

#endif

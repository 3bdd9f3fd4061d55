/* SPDX-License-Identifier: Apache-2.0
 * rod_drift.c: the flow of the kinetic energy alone: x moves straight, R turns as a free rigid body.
 *
 * With J1 = J2 (the section's symmetric case, axis d3) the free rotation is exact in two factors:
 *   R <- R exp(h Pi/J1) exp(h Pi_3 (1/J3 - 1/J1) e3),  Pi <- turned back by the same factors (the first leaves it alone),
 * which in Omega is  h Pi/J1 = h (O1, O2, k O3)  and  h (O3 - k O3)  with k = J3/J1.
 * In general axis rotations by h/2, h/2, h, h/2, h/2 about 1, 2, 3, 2, 1, angle h Pi_a/J_a, each the exact flow of Pi_a^2/(2 J_a):
 * symplectic, reversible, and R Pi is kept to round-off. */
#include "parts/rod.h"

#include "math/quat.h"
#include "parts/rod_wide.h"

#include <math.h>

/* R <- R exp(angle e_axis), Pi <- exp(-angle e_axis) Pi */
static void turn_about(int axis, double angle, double q[4], double pi[3]) {
    double r[3] = {0.0, 0.0, 0.0}, e[4], out[4];
    int    i = (axis + 1) % 3, k = (axis + 2) % 3;
    r[axis] = angle;
    zw_q_exp(r, e);
    zw_q_mul(q, e, out);
    zw_q_copy(out, q);
    double c = e[0] * e[0] - e[1 + axis] * e[1 + axis], s = 2.0 * e[0] * e[1 + axis];
    double pi_i = c * pi[i] + s * pi[k], pi_k = c * pi[k] - s * pi[i];
    pi[i] = pi_i;
    pi[k] = pi_k;
}

/* J1 = J2: Omega itself turns about d3, and only the ratio J3/J1 matters */
static void free_rotation_symmetric(double ratio, double h, double q[4], double omega[3]) {
    double r[3] = {h * omega[0], h * omega[1], h * (ratio * omega[2])}, e[4], out[4];
    zw_q_exp(r, e);
    zw_q_mul(q, e, out);
    zw_q_copy(out, q);
    turn_about(2, h * (omega[2] - ratio * omega[2]), q, omega);
}

static void free_rotation(const double J[3], double h, double q[4], double omega[3]) {
    double pi[3];
    for (int k = 0; k < 3; k++) {
        pi[k] = J[k] * omega[k];
    }
    turn_about(0, 0.5 * h * pi[0] / J[0], q, pi);
    turn_about(1, 0.5 * h * pi[1] / J[1], q, pi);
    turn_about(2, h * pi[2] / J[2], q, pi);
    turn_about(1, 0.5 * h * pi[1] / J[1], q, pi);
    turn_about(0, 0.5 * h * pi[0] / J[0], q, pi);
    for (int k = 0; k < 3; k++) {
        omega[k] = pi[k] / J[k];
    }
}

void zw_rod_drift_node(const zw_rods *rods, int i, const double *q0, const double *v0, double h, double *q1, double *v1) {
    const double *J = rods->inertia + 3 * (size_t)i;
    double        turn[4], omega[3];
    zw_v3_copy(omega, v0);
    zw_q_copy(q0 + 3, turn);
    if (rods->principal != NULL) {
        const double *p = rods->principal + 4 * (size_t)i;
        double        axes[4];
        zw_q_mul(turn, p, axes);
        zw_q_copy(axes, turn);
        zw_q_rotate_back(p, omega, omega);
    }
    if (J[0] == J[1]) {
        free_rotation_symmetric(J[2] / J[0], h, turn, omega);
    } else {
        free_rotation(J, h, turn, omega);
    }
    if (rods->principal != NULL) {
        const double *p = rods->principal + 4 * (size_t)i;
        double        back[4], axes[4];
        zw_q_conj(p, back);
        zw_q_mul(turn, back, axes);
        zw_q_copy(axes, turn);
        zw_q_rotate(p, omega, omega);
    }
    /* one Newton step to unit length: removes round-off only, the rotation stays */
    double scale = 1.5 - 0.5 * zw_q_dot(turn, turn);
    for (int k = 0; k < 4; k++) {
        q1[3 + k] = scale * turn[k];
    }
    for (int k = 0; k < 3; k++) {
        q1[k] = q0[k] + h * v0[3 + k];
        v1[k] = omega[k];
        v1[3 + k] = v0[3 + k];
    }
}

static void drift_at(const zw_rods *rods, int i, const zw_state *x0, double h, zw_state *x1) {
    size_t q = ZW_ROD_NQ * (size_t)i, v = ZW_ROD_NV * (size_t)i;
    zw_rod_drift_node(rods, i, x0->q + q, x0->v + v, h, x1->q + q, x1->v + v);
}

void zw_rods_drift(const void *self, const zw_state *x0, double h, zw_state *x1, int nsome, const int *some) {
    const zw_rods *rods = self;
    if (some != NULL) {
        for (int i = 0; i < nsome; i++) {
            drift_at(rods, some[i], x0, h, x1);
        }
        return;
    }
    if (rods->wide != NULL) {
        zw_rods_wide_drift(rods, x0, h, x1);
        return;
    }
    for (int i = 0; i < rods->nnodes; i++) {
        drift_at(rods, i, x0, h, x1);
    }
}

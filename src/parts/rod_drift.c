/* SPDX-License-Identifier: Apache-2.0
 * rod_drift.c: the flow of the kinetic energy alone: x moves straight, R turns as a free rigid body.
 * With J1 = J2 (the section's symmetric case, axis d3) the free rotation is exact, in general it is split (math/spin.h). */
#include "parts/rod.h"

#include "math/quat.h"
#include "math/spin.h"
#include "parts/rod_wide.h"


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
        zw_spin_symmetric(2, J[2] / J[0], h, turn, omega);
    } else {
        zw_spin_split(J, h, turn, omega);
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
    zw_rods_tune(rods, x0);
    if (some != NULL) {
        for (int i = 0; i < nsome; i++) {
            drift_at(rods, some[i] / ZW_ROD_NV, x0, h, x1);
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

/* SPDX-License-Identifier: Apache-2.0
 * node_step.h: one turning node over an energy-momentum step. a = h w/2.
 *
 *   R1 = cay(h w) R0,   Omega1 = 2 R0'w - Omega0,   so that  w.(R1 Pi1 - R0 Pi0) = T1 - T0  with Pi = J Omega, exactly
 *   small turn of R1 in space: eta = h T dw,   T = (1 + a^)/(1 + a.a) */
#ifndef ZW_PARTS_NODE_STEP_H
#define ZW_PARTS_NODE_STEP_H

#include "math/quat.h"
#include "math/vec3.h"

#include <stddef.h>

static inline void zw_node_turn(const double *q0, const double w[3], double h, double *q1) {
    double a[4] = {1.0, 0.5 * h * w[0], 0.5 * h * w[1], 0.5 * h * w[2]};
    zw_q_mul(a, q0, q1);
    zw_q_normalize(q1);
}

/* T of the head comment */
static inline void zw_node_turn_rate(const double w[3], double h, double T[9]) {
    double a[3] = {0.5 * h * w[0], 0.5 * h * w[1], 0.5 * h * w[2]}, f = 1.0 / (1.0 + zw_v3_norm2(a));
    T[0] = T[4] = T[8] = f;
    T[1] = -f * a[2];
    T[2] = f * a[1];
    T[3] = f * a[2];
    T[5] = -f * a[0];
    T[6] = -f * a[1];
    T[7] = f * a[0];
}

/* balance of moments r = R1 Pi1 - R0 Pi0 and, where K != NULL, its derivative in w; J: of the node's axes, row-major */
static inline void zw_node_spin(const double *q0, const double *q1, const double *J, const double omega0[3], const double omega1[3],
                                const double T[9], double h, double r[3], double K[9]) {
    double pi0[3], pi1[3], s0[3], s1[3];
    zw_m3_mulv(pi0, J, omega0);
    zw_m3_mulv(pi1, J, omega1);
    zw_q_rotate(q0, pi0, s0);
    zw_q_rotate(q1, pi1, s1);
    zw_v3_sub(r, s1, s0);
    if (K != NULL) { /* 2 R1 J R0' - h s1^ T */
        double R0[9], R1[9], t[9], hat[9] = {0.0, -s1[2], s1[1], s1[2], 0.0, -s1[0], -s1[1], s1[0], 0.0}, turned[9];
        zw_q_to_matrix(q0, R0);
        zw_q_to_matrix(q1, R1);
        zw_m3_mul(t, R1, J);
        zw_m3_mult(K, t, R0);
        zw_m3_mul(turned, hat, T);
        for (int i = 0; i < 9; i++) {
            K[i] = 2.0 * K[i] - h * turned[i];
        }
    }
}

#endif

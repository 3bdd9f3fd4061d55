/* SPDX-License-Identifier: Apache-2.0
 * spin.c: free rotation in factors.
 *
 * With two equal moments J1 = J2 (axis 3) it is exact in two factors:
 *   R <- R exp(h Pi/J1) exp(h Pi_3 (1/J3 - 1/J1) e3),  Pi <- turned back by the same factors (the first leaves it alone),
 * which in Omega is  h Pi/J1 = h (O1, O2, k O3)  and  h (O3 - k O3)  with k = J3/J1.
 * In general axis rotations by h/2, h/2, h, h/2, h/2 about 1, 2, 3, 2, 1, angle h Pi_a/J_a, each the exact flow of Pi_a^2/(2 J_a):
 * symplectic, reversible, and R Pi is kept to round-off. */
#include "math/spin.h"

#include "math/quat.h"

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

void zw_spin_symmetric(int axis, double ratio, double h, double q[4], double omega[3]) {
    double r[3] = {h * omega[0], h * omega[1], h * omega[2]}, e[4], out[4];
    r[axis] = h * (ratio * omega[axis]);
    zw_q_exp(r, e);
    zw_q_mul(q, e, out);
    zw_q_copy(out, q);
    turn_about(axis, h * (omega[axis] - ratio * omega[axis]), q, omega);
}

void zw_spin_split(const double J[3], double h, double q[4], double omega[3]) {
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

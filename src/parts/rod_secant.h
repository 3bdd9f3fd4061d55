/* SPDX-License-Identifier: Apache-2.0
 * rod_secant.h: the stress of a link over a whole step, so that its work is the difference of its energy, exactly; and its derivative.
 *
 * A link has seven bilinear invariants of its nodes a, b (d_i: columns of R; (i, k, l) cyclic):
 *   u_i = (d_l^a.d_k^b - d_k^a.d_l^b)/2     p_i = (d_i^a + d_i^b).(x^b - x^a)/2     z = (3 - sum_i d_i^a.d_i^b)/2 = 1 - cos th
 * and its SE(3)-log strain is   l kappa = phi(z) u,   l Gamma = phi p + chi u (u.p)     (phi, chi: math/turn.h).
 * Bilinear means: the difference of an invariant over a step is its gradient at the mean of both states times the difference of the state. Stresses
 * (U, P, Z) that go with (u, p, z) are chosen so that   W1 - W0 = U.du + P.dp + Z dz   for any step; forces are their combination of gradients at the mean, which
 * are those of a frame-invariant function: no net force, no net moment.
 * With both states equal this is the elastic force of statics, and twice the derivative is its Hessian. */
#ifndef ZW_PARTS_ROD_SECANT_H
#define ZW_PARTS_ROD_SECANT_H

#include "zwang/secant.h"

typedef struct zw_secant_link {
    double        l;
    const double *natural;   /* [6] kappa0, Gamma0                                        */
    const double *stiffness; /* [6] diagonal, or [36] where full                          */
    int           full;
    double        damp; /* stress += damp C (strain1 - strain0): eta/h, or chi/2     */
} zw_secant_link;

typedef struct zw_secant_force {
    double wrench[2][6]; /* what the link takes from a, b: moment about the node, force; space axes. The node feels minus this */
    double stored;       /* W1 - W0, J                                                                                        */
    double dissipated;   /* by damp, J, >= 0                                                                                   */
    double turn;         /* largest z of both states: 1 - cos of the angle                                                     */
} zw_secant_force;

/* derivative (row-major 12 x 12) of wrench[0], wrench[1] in (eta_a, x_a, eta_b, x_b) of the second state, eta: small rotation in space axes; NULL: not wanted */
void zw_rod_secant(const zw_secant_link *k, const zw_secant_node *a0, const zw_secant_node *b0, const zw_secant_node *a1,
                   const zw_secant_node *b1, zw_secant_force *out, double *derivative);
/* energy and strain (kappa, Gamma) of one state */
double zw_rod_secant_energy(const zw_secant_link *k, const zw_secant_node *a, const zw_secant_node *b, double strain[6]);

#endif

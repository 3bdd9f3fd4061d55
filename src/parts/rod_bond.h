/* SPDX-License-Identifier: Apache-2.0
 * rod_bond.h: strains Gamma of a link that are held, over a whole step: rod_secant.h with the couple 0 and a force n that belongs to rows instead of a stiffness.
 *
 * With the invariants (u, p, z) of the link and their divided differences,   n.(l Gamma1 - l Gamma0) = U.du + P.dp + Z dz   for any n and any step,
 *   U = chibar (sbar n + (n.ubar) pbar)      P = phibar n + chibar (n.ubar) ubar      Z = phi_s n.pbar + chi_s n.mean(u s)
 * so that the force of a row along the gradients at the mean of both states does the work n.(difference of Gamma) l: none, where Gamma is the same before and after. */
#ifndef ZW_PARTS_ROD_BOND_H
#define ZW_PARTS_ROD_BOND_H

#include "zwang/secant.h"

typedef struct zw_bond { /* columns: eta_a, x_a, eta_b, x_b; eta: small rotation in space axes */
    double gamma[3];     /* l Gamma at the second state                                              */
    double mean[3][12];  /* difference of l Gamma_i = mean_i . (turns and ways of the step), exactly */
    double end[3][12];   /* gradient of l Gamma_i at the second state                                */
} zw_bond;

/* n: how many of the strains */
void zw_rod_bond(const zw_secant_node *a0, const zw_secant_node *b0, const zw_secant_node *a1, const zw_secant_node *b1, int n,
                 zw_bond *out);
/* derivative (row-major 12 x 12) of sum_i force_i mean_i in the second state; twice it, with both states equal, is the Hessian */
void zw_rod_bond_turns(const zw_secant_node *a0, const zw_secant_node *b0, const zw_secant_node *a1, const zw_secant_node *b1,
                       const double force[3], double *K);

#endif

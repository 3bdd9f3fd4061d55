/* SPDX-License-Identifier: Apache-2.0
 * rod_zwang.h: Gauss's measure of a rod in time and along its length, from the same residual of the balance in two metrics.
 *
 *   r_j = Q_j - M_j a_j     what is left at node j of all forces and moments of links, loads and gravity by the accelerations of the constrained motion
 *   Z_t = 1/2 sum r_j' M_j^-1 r_j                 eq. (38), with +m in Y
 *   Z_s = 1/2 sum (1/l_j) r_j' D_j^-1 r_j         eq. (39), derivatives along the rod relative to the sections
 *
 * l_j: reference length that belongs to node j, half of each adjacent link. D_j: stiffness there, the mean of the adjacent links by their lengths. With the strain gradient
 * x_j = (gamma_{j+1/2} - gamma_{j-1/2})/l_j at fixed gamma, a change d_j of it changes r_j by l_j D_j d_j, so that
 *   Z_s(x + d) - Z_s(x) = sum d_j.r_j + 1/2 sum l_j d_j' D_j d_j                            eqs (44), (45)
 * and sum d_j.r_j = 0 is the condition (34) of ideal reactions.
 *
 * A strain that rows hold has no gradient to vary: its force is a force of the links (multiplier of the rows of kirchhoff.h), to be counted in r, and has no part in Z_s.
 * Vectors of nodes are as everywhere: moment in the directors, force in space. */
#ifndef ZW_PARTS_ROD_ZWANG_H
#define ZW_PARTS_ROD_ZWANG_H

#include "parts/rod.h"

/* D_j (36, directors, rows and columns of held strains 0); returns l_j. i counts within the rod */
double zw_rod_node_stiffness(const zw_rods *rods, const zw_rod *r, int i, double D[36]);
/* l_j T D_j T', T = (1, R_j): what a change of the strain gradient does to r_j. Where strains are held, `held` is put in for their stiffness, N */
void   zw_rod_node_gradient(const zw_rods *rods, const zw_rod *r, int i, const double *q, double held, double H[36]);
double zw_rod_zwang_time(const zw_rods *rods, const zw_rod *r, const double *f);                   /* N^2/kg; f: r of the population */
double zw_rod_zwang_space(const zw_rods *rods, const zw_rod *r, const double *q, const double *f); /* N/m */

#endif

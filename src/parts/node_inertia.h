/* SPDX-License-Identifier: Apache-2.0
 * node_inertia.h: a turning node that rests, or moves a little, in a frame that turns steadily with w about a centre.
 *
 *   T = m/2 |v + w x p|^2 + 1/2 (o + w).I (o + w),   p = x - centre, I = R J R';  v, o: velocity and angular velocity in the frame
 *
 * Its equations in the frame, F and N what acts on it, L = I (o + w):
 *   m v' + 2 m w x v + m w x (w x p) = F
 *   I o' + o x L - I (o x w) + w x L = N      (the rate of L in the frame, and w x L)
 * so at rest  r = (w x I w, m w x (w x p)),  and for small turns eta and ways xi of it, o = eta', v = xi':
 *   K = (w^ (I w^ - (I w)^), m w^ w^)      G = (tr(I) w^ - 2 (I w)^, 2 m w^)      M = (I, m)
 * K of the turns is the derivative of r; it is symmetric only where the moments of a node balance, as every derivative in turns is. G is antisymmetric. */
#ifndef ZW_PARTS_NODE_INERTIA_H
#define ZW_PARTS_NODE_INERTIA_H

#include "zwang/secant.h"

typedef struct zw_node_mass {
    double m;
    double J[9]; /* in the axes of the node, row-major */
} zw_node_mass;

/* spin NULL or still: only M differs from 0. r [6]; K, G, M [36], row-major, turns first. All are set; any may be NULL */
void zw_node_inertia(const zw_node_mass *n, const double x[3], const double *quaternion, const zw_spin *spin, double *r, double *K,
                     double *G, double *M);

#endif

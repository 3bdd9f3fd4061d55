/* SPDX-License-Identifier: Apache-2.0
 * lagrangian_derive.h: the equations of one system written as a Lagrangian, as nodes of the model's pool. The part compiles them to a tape, `zwang equations` prints them.
 *
 *   T(q, v, t), V(q, t), R(q, v, t), Q(q, v, t), rows f(q, v, t) = 0 (nonholonomic) or g(q, t) = 0 (holonomic); v = dq/dt
 *
 *   p   = dT/dv                                       M = dp/dv
 *   c   = (dp/dq) v + dp/dt - dT/dq                   M a + c = F + A' lambda
 *   F   = -dV/dq + Q - dR/dv
 *   A   = df/dv, or dg/dq                             first = f, or dg/dt along the motion: what vanishes at velocity level
 *   D   = d(first)/dt at a = 0                        so that A a + D = 0
 * Particles add m/2 |dr/dt|^2 to T. */
#ifndef ZW_PARTS_LAGRANGIAN_DERIVE_H
#define ZW_PARTS_LAGRANGIAN_DERIVE_H

#include "model/model.h"

typedef struct zw_lagrange {
    int      n, m;
    zw_node  T, V, R;
    zw_node *Q;             /* [n] generalised forces as given                                       */
    zw_node *p;             /* [n]                                                                   */
    zw_node *M;             /* [n n], symmetric: both triangles hold the same nodes                  */
    zw_node *c, *F;         /* [n]                                                                   */
    bool    *holonomic;     /* [m]                                                                   */
    zw_node *value;         /* [m] f or g                                                            */
    zw_node *first;         /* [m]                                                                   */
    zw_node *A;             /* [m n]                                                                 */
    zw_node *D;             /* [m]                                                                   */
    bool     constant_mass; /* M depends on nothing that moves                                   */
} zw_lagrange;

/* storage is the arena's */
zw_status zw_lagrange_derive(const zw_model *m, const zw_lagrangian_def *def, zw_arena *arena, zw_lagrange *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * lagrangian.h: one system written down as a Lagrangian: each body is a part of its own, whose metric is one dense block.
 *
 *   q   the coordinates [n]
 *   v   their velocities [n], or the quasi-velocities u = Y(q,t) qdot + y(q,t) of a moving frame where the model names some
 * Everything that a state determines (M, F, c, rows, points) comes out of one tape and is kept for the last eight states, found again by their contents:
 * a call with the same t, q, v costs a comparison, and states that were foreseen are evaluated together in one wide call. */
#ifndef ZW_PARTS_LAGRANGIAN_H
#define ZW_PARTS_LAGRANGIAN_H

#include "parts/lagrangian_derive.h"
#include "zwang/system.h"

typedef struct zw_lagrangian zw_lagrangian;

zw_status                zw_lagrangian_create(const zw_model *m, int body, void **out);
extern const zw_part_ops zw_lagrangian_ops, zw_lagrangian_quasi_ops; /* the second where the velocities are those of a moving frame */

/* what a state determines, in the velocities of the state (qdot or u) */
typedef struct zw_lagrangian_look {
    const double *M;                    /* [n n] */
    const double *F, *c;                /* [n]: M a + c = F + A' lambda */
    const double *value;                /* [m] f or g */
    const double *first;                /* [m] what vanishes at velocity level */
    const double *first_size;           /* [m] its terms added up in size */
    const double *A;                    /* [m n] */
    const double *D;                    /* [m] A a + D = 0 */
    const double *qdot;                 /* [n] */
    double        T, energy, potential; /* energy: v.dT/dv - T */
    double        work, dissipated;     /* W */
    bool          finite;
} zw_lagrangian_look;
/* valid until eight other states were looked at */
const zw_lagrangian_look *zw_lagrangian_at(zw_lagrangian *L, const zw_state *x);
const zw_lagrange        *zw_lagrangian_equations(const zw_lagrangian *L);
const zw_lagrangian_def  *zw_lagrangian_def_of(const zw_lagrangian *L);
/* value of an input of the pool that belongs to this body (coordinate, velocity, quasi-velocity) at a state; false: not of this body */
bool zw_lagrangian_input(zw_lagrangian *L, const zw_state *x, int slot, double *value);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * secant.h: what a part supplies to a step that keeps energy and momenta.
 *
 * The unknown of a step is the mean velocity u, one number per column of v. Columns come in blocks that the part couples only in pairs:
 *   turning nodes (rods, rigid bodies)   u = (w, vb): angular velocity in SPACE axes, and velocity
 *                                        x1 = x0 + h vb,  R1 = cay(h w) R0,  xdot1 = 2 vb - xdot0,  Omega1 = 2 R0'w - Omega0
 *   planar bodies                        u = (omega, v1, v2), the same about the normal
 *   lagrangian                           u = mean of qdot; forces by the midpoint
 * The balance of a part, in the columns of u, is   r = momentum after - before + h (what the part takes) - h gravity.
 *
 * A lever is a place that moves with one turning node: r = x + R arm. Whatever is bilinear in such places and axes has exact differences; see rows/bilinear.h. */
#ifndef ZWANG_SECANT_H
#define ZWANG_SECANT_H

#include "zwang/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zw_secant_node { /* a turning node: its place, and its axes d[0], d[1], d[2] in space */
    double x[3], d[3][3];
} zw_secant_node;

typedef struct zw_secant_sink { /* where derivatives of the balance go: block (i, j) of the part += a, row-major */
    void *self;
    void (*add)(void *self, int i, int j, const double *a);
} zw_secant_sink;

typedef struct zw_secant_sum { /* of a step, J */
    double dissipated;         /* by damping, >= 0                                          */
    double work;               /* of forces that the energy of account() does not contain   */
    double turn;               /* largest 1 - cos of the angle of a link: not beyond 2      */
    int    where;              /* the link of it, counted in the part                       */
} zw_secant_sum;

/* a frame that turns steadily: what rests in it is a steady state */
typedef struct zw_spin {
    bool   spins;
    double w[3], centre[3]; /* angular velocity, a point of the axis; space axes at t = 0 */
    char   why[160];        /* what keeps the model from resting in a spinning frame; empty: nothing, or nothing moves by itself */
} zw_spin;

typedef struct zw_lever {
    int    block;   /* of the part                                  */
    double arm[3];  /* in the axes of the node                      */
    double axes[9]; /* of the place in the axes of the node, columns */
} zw_lever;

typedef struct zw_secant_ops {
    int (*blocks)(const void *self);
    int (*columns)(const void *self, int block); /* of u in a block */
    int (*pairs)(const void *self);
    void (*pair)(const void *self, int k, int out[2]);
    void (*guess)(const void *self, const zw_state *x0, double *u); /* mean velocity if nothing acted */
    void (*advance)(const void *self, const zw_state *x0, const double *u, double h, zw_state *x1);
    /* half way: the state that loads are taken at */
    void (*middle)(const void *self, const zw_state *x0, const double *u, double h, zw_state *xm);
    zw_status (*balance)(void *self, const zw_state *x0, const double *u, const zw_state *x1, double h, double damp, double *r,
                         zw_secant_sum        *sum,
                         const zw_secant_sink *K); /* damp: algorithmic, in halves of the stress difference; K NULL: not wanted */
    /* what the part takes at rest, minus gravity, per column of u; its derivative in small turns and ways */
    void (*equilibrium)(void *self, const zw_state *x, double *r, const zw_secant_sink *K);
    /* inertia of what rests in a spinning frame: r -= centrifugal forces and moments per column of u; K += their derivative in small turns and ways; G += the gyroscopic
     * matrix, what multiplies small velocities; M += masses. Any of r, K, G, M may be NULL. NULL: not built */
    void (*inertia)(const void *self, const zw_state *x, const zw_spin *spin, double *r, const zw_secant_sink *K, const zw_secant_sink *G,
                    const zw_secant_sink *M);
    /* C += what damping takes per small velocity, in columns of u, at rest. NULL: nothing damps */
    void (*damping)(const void *self, const zw_state *x, const zw_secant_sink *C);
    /* forces f per column of v at a state, to columns of u: f of u += */
    void (*to_mean)(const void *self, const zw_state *x, const double *f, double *fu);
    /* how node and columns belong together; NULL: no turning nodes */
    void (*node)(const void *self, const zw_state *x, int block, zw_secant_node *out);
    /* (w, v) of the node = P u: 6 x columns; D: its turn (space) and way over the step per change of u, over h: 6 x columns */
    void (*columns_of)(const void *self, const zw_state *x0, const double *u, double h, int block, double *P, double *D);
    bool (*lever)(const void *self, const zw_place *p, zw_lever *out); /* false: a place of another kind */
    /* advance and middle of one block alone: others stay as they are. xm may be NULL */
    void (*move)(const void *self, const zw_state *x0, const double *u, double h, int block, zw_state *xm, zw_state *x1);
    int (*whose)(const void *self, int block, int *node); /* body of the part that a block belongs to, and its node (-1: none) */
} zw_secant_ops;

#ifdef __cplusplus
}
#endif
#endif

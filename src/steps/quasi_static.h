/* SPDX-License-Identifier: Apache-2.0
 * quasi_static.h: the inside of the integrator quasi-static.
 *
 *   quasi_static.c          one step: growth, equilibrium, account; the integrator
 *   quasi_static_follow.c   how far the equilibrium can be followed within a step, the instant where it loses stability, and what comes then */
#ifndef ZW_STEPS_QUASI_STATIC_H
#define ZW_STEPS_QUASI_STATIC_H

#include "steps/slow.h"

/* numbers in w: eigenvalues below 0; time of the last loss of stability (-1: none yet); times that the motion left a lost equilibrium; pieces of the last step */
enum { ZW_QUASI_BELOW, ZW_QUASI_LOST, ZW_QUASI_SNAPS, ZW_QUASI_PIECES, ZW_QUASI_OWN };

typedef struct zw_quasi_static {
    zw_slow        e;
    zw_state       good, bad; /* last stable equilibrium on the way; the first that is not */
    double        *zgood, *zbad;
    zw_rest_pushes pgood, pbad;
} zw_quasi_static;

typedef struct zw_quasi_way { /* what a step found on its way */
    int    below, pieces;
    bool   jumped;                 /* the state at the end is not next to the one before     */
    bool   left;                   /* so because stability was lost                          */
    double lost;                   /* time of that                                           */
    double work, rows, dissipated; /* of the step, J; set where it jumped                    */
} zw_quasi_way;

/* the equilibrium at x0->t + dt, from x0 by growth, x: a guess of placements in, out. ZW_E_STEP, not raised: not found beside the guess */
zw_status zw_quasi_reach(zw_quasi_static *q, const zw_state *x0, double dt, zw_state *x, zw_equilibrium_info *info);
zw_status zw_quasi_follow(zw_quasi_static *q, const zw_state *x0, double h, zw_state *x1, zw_quasi_way *way);
/* x is an equilibrium with so many eigenvalues below 0, its factor at hand: to a stable one, time and reference as they are */
zw_status zw_quasi_leave(zw_quasi_static *q, int below, zw_state *x, double *work, zw_equilibrium_info *info);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * roll.h: rows between velocities (nonholonomic) in verlet's first kick.
 *
 * They have no position to close, so what they push in the first kick is taken from Gauss's principle at the state the step begins with:
 *   M a + c = f + A' lambda,  A a + D = 0   for all rows;   v+ = v0 + h/2 M^-1 (f + A_n' lambda_n + ...),
 * and v+ is the velocity half way to order 2, along which the drift goes. The second kick closes all rows at the end. Rows with a position level are closed by RATTLE alone:
 * their forces may leave v+ off the others by what a drift along a straight line demands. */
#ifndef ZW_STEPS_ROLL_H
#define ZW_STEPS_ROLL_H

#include "project/solver.h"
#include "zwang/step.h"

/* can they be taken? raises what is not: rows nonlinear in the velocities, contacts, rows with a position level behind others */
zw_status zw_roll_check(zw_system *y, bool contacts);
/* f: forces at x (loads and damping in it), per column; first: rows from here on are between velocities; lambda [m]: theirs are set; push: A_n' lambda_n.
 * b, mu: scratch [m]; a: scratch of a column */
zw_status zw_roll_push(zw_system *y, zw_solver *s, const zw_state *x, const double *f, int first, double *lambda, double *push, double *a,
                       double *b, double *mu);

#endif

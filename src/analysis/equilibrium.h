/* SPDX-License-Identifier: Apache-2.0
 * equilibrium.h: a state at rest where nothing pushes any more, found by Newton from a start shape.
 *
 * Unknowns are small turns and ways of all nodes and bodies, and the forces of the rows. Steps are limited in their turns and ways. Where Newton does not find its way at
 * once, the forces that are left at the start are taken away little by little: R(x) = (1 - tau) R(start), tau from 0 to 1. */
#ifndef ZW_ANALYSIS_EQUILIBRIUM_H
#define ZW_ANALYSIS_EQUILIBRIUM_H

#include "steps/implicit.h"

typedef struct zw_equilibrium_info {
    int    rounds, pieces; /* Newton steps in all; pieces that the way from the start was made in */
    double residual;       /* largest force left, over the largest of its terms                   */
    double rows;           /* largest value of a row                                              */
} zw_equilibrium_info;

/* x: start shape in, equilibrium out (v = 0); lambda [m]: forces of the rows, in: a guess. ZW_E_CONVERGENCE (raised) where none was found: x is the last state reached */
ZW_MUST_USE zw_status zw_equilibrium_find(zw_implicit *k, zw_state *x, double *lambda, zw_equilibrium_info *info);

#endif

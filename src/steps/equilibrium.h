/* SPDX-License-Identifier: Apache-2.0
 * equilibrium.h: a state at rest where nothing pushes any more, found by Newton from a start shape.
 *
 * Unknowns are small turns and ways of all nodes and bodies, and the forces of the rows. Steps are limited in their turns and ways. Where Newton does not find its way at
 * once, the forces that are left at the start are taken away little by little: R(x) = (1 - tau) R(start), tau from 0 to 1. Where that fails too (mechanisms that first have
 * to fall into place), a stiffness sigma W is added until the stiffness is positive on what the rows leave free, so that every step goes downhill, and taken away
 * again on the way. */
#ifndef ZW_STEPS_EQUILIBRIUM_H
#define ZW_STEPS_EQUILIBRIUM_H

#include "steps/rest.h"

typedef struct zw_equilibrium_info {
    int    rounds, pieces; /* Newton steps in all; pieces that the way from the start was made in */
    double residual;       /* largest force left, over the largest of its terms                   */
    double rows;           /* largest value of a row                                              */
    int    below;          /* eigenvalues below 0 of the stiffness on what the rows leave free: 0 is stable, < 0: not known */
    int    holds;          /* directions that nothing resists, which were left as they are        */
} zw_equilibrium_info;

/* x: start shape in, equilibrium out (v = 0); lambda [m]: forces of the rows, in: a guess. ZW_E_CONVERGENCE (raised) where none was found: x is the last state reached */
ZW_MUST_USE zw_status zw_equilibrium_find(zw_implicit *k, zw_state *x, double *lambda, zw_equilibrium_info *info);
/* the same with the work space of a path; forces of the rows in s->k->z. Free directions are held from then on */
ZW_MUST_USE zw_status zw_equilibrium_search(zw_rest *s, zw_state *x, zw_equilibrium_info *info);
/* the same; ZW_E_STEP, not raised: none was found. tau: how far it came */
ZW_MUST_USE zw_status zw_equilibrium_try(zw_rest *s, zw_state *x, zw_equilibrium_info *info, double *tau);
/* Newton alone, from nearby: at most so many rounds, every step whole. ZW_E_STEP, not raised: it does not converge. info->below is set; the factor of the last round is left in s->k */
ZW_MUST_USE zw_status zw_equilibrium_near(zw_rest *s, zw_state *x, int rounds, zw_equilibrium_info *info);
/* the same; the solution has to be within 0.3 of the first step from where that step leads (not so with contacts). A way past a singular stiffness to another equilibrium is a
 * failure; steps on the way may be long, because bending first stretches a stiff rod */
ZW_MUST_USE zw_status zw_equilibrium_beside(zw_rest *s, zw_state *x, int rounds, zw_equilibrium_info *info);
/* the same, where the first step was made by the caller and is in s->k->dz */
ZW_MUST_USE zw_status zw_equilibrium_beyond(zw_rest *s, zw_state *x, int rounds, zw_equilibrium_info *info);

#endif

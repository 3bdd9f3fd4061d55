/* SPDX-License-Identifier: Apache-2.0
 * neutral.h: directions that nothing resists: bodies that nothing holds, free turns, and the shapes that a structure buckles into.
 *
 *   K phi = mu W phi,  A phi = 0;   W the weights of rest.h. The mu nearest to 0 by inverse iteration with the factor at hand. */
#ifndef ZW_STEPS_NEUTRAL_H
#define ZW_STEPS_NEUTRAL_H

#include "steps/rest.h"

/* raises where a body is connected neither to the ground nor to anything that is: it has no equilibrium */
ZW_MUST_USE zw_status zw_neutral_floats(const zw_rest *s);
/* rounds of inverse iteration with the factor in s->k; phi [nz]: a guess in (0: none), of measure 1 out, forces of rows with it; gives mu */
double zw_neutral_mode(const zw_rest *s, int rounds, double *phi);
/* the n shapes whose mu is nearest to 0, as rows of phi [n nz], orthogonal; where several have one mu they are turned so that they lie along the axes of space */
void zw_neutral_modes(const zw_rest *s, int n, int rounds, double *phi);
/* Looks for free directions at a state with the forces in k->z, and holds them. *loaded: number of one that a force is left along, or -1 (it is not held then); more than
 * ZW_REST_HOLDS: *many. phi [nz]: the last one found. s->k->z and x are unchanged */
ZW_MUST_USE zw_status zw_neutral_hold(zw_rest *s, const zw_state *x, double *phi, bool *loaded, bool *many);
/* "rod 'beam' can turn about (1, 0, 0)" */
void zw_neutral_describe(const zw_rest *s, const double *phi, char *out, size_t size);

#endif

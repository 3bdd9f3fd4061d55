/* SPDX-License-Identifier: Apache-2.0
 * rod_refine.h: links: refined. What takes the errors of second order out of bending and out of masses at nodes, at set-up; docs/theory/rods.md derives it.
 *
 *   1/K1' = 1/K1 + l^2/(12 B2),   1/K2' = 1/K2 + l^2/(12 B1)        a moment that changes by n l along a link bends it by n l^3/(12 B) more than its mean does,
 *                                                                  across the link (the residual bending flexibility of R. H. MacNeal, 1978)
 *   masses 3/8, 7/6, 23/24 of a cell at the ends, for 1/2, 1, 1    all error of second order of the trapezoid rule comes from the ends (Gregory) */
#ifndef ZW_PARTS_ROD_REFINE_H
#define ZW_PARTS_ROD_REFINE_H

#include "parts/rod.h"
#include "parts/rod_section.h"

/* these do nothing for links: plain */
ZW_MUST_USE zw_status zw_rod_refine_section(const zw_model *m, const zw_body_def *body, double l, zw_section_values *v);
double                zw_rod_refine_limit(const zw_body_def *body); /* what lighter nodes at the ends may add to omega^2, as a factor */
/* masses and inertia [9 per node] of an open rod of six links or more */
void   zw_rod_refine_ends(zw_rods *rods, const zw_rod *r, double *J33);
double zw_rod_refine_weight(const zw_rod *r, int i_node); /* the factor of a node there; 1: as it is */

#endif

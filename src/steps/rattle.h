/* SPDX-License-Identifier: Apache-2.0
 * rattle.h: the positions of a RATTLE step where the iteration with one fixed matrix does not contract: violent motions of long chains. See rattle.c. */
#ifndef ZW_STEPS_RATTLE_H
#define ZW_STEPS_RATTLE_H

#include "zwang/step.h"

typedef struct zw_rattle {
    zw_system *y;
    int        nv, m;
    double    *basis;                              /* of the Krylov space */
    double    *base, *dv, *g, *trial, *side, *sum; /* [nv], [nv], [m], [m], [m], [m] */
    double    *scratch;
} zw_rattle;

ZW_MUST_USE zw_status zw_rattle_create(zw_system *y, int nv, int m, zw_rattle *out);
void                  zw_rattle_destroy(zw_rattle *k);
/* mid: free velocity v+ with the impulses of lambda so far, from which `middle` drifts to x1; factored: A0 and the metric. Changes mid and lambda until g(x1) = 0;
 * *residual: what is left, *row: where. False in *closed: it did not come there */
ZW_MUST_USE zw_status zw_rattle_close(zw_rattle *k, zw_solver *factored, const zw_state *middle, double h, zw_state *x1, double *lambda,
                                      double *residual, int *row, int *passes, bool *closed);

#endif

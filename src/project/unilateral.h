/* SPDX-License-Identifier: Apache-2.0
 * unilateral.h: the kernel with inequalities:   min 1/2 |x - xhat|^2_H   subject to   A x = b,  N x >= c.
 *   H x - A' lambda - N' mu = f,   A x = b,   0 <= mu  _|_  N x - c >= 0                   (f = H xhat)
 * Exact complementarity to 1e-10 of the terms, degenerate and redundant rows included. Where multipliers are not unique, and this is said, those of least norm are
 * returned: up to 64 rows of an island always, as far as the condition of the rows allows; with more, in all but rare degenerate problems (docs/theory/inequalities.md).
 * Rows come in tiles; the active set is remembered by the tiles' ids and warm-starts the next solve. */
#ifndef ZW_PROJECT_UNILATERAL_H
#define ZW_PROJECT_UNILATERAL_H

#include "zwang/project.h"

typedef struct zw_unilateral zw_unilateral;

typedef struct zw_unilateral_info {
    int    iterations, active; /* changes of the active set; rows with mu > 0                     */
    double residual;           /* of complementarity: largest |min(mu, N x - c)| over the scale of its terms */
    double value;              /* 1/2 |x - xhat|^2_H                                              */
    int    redundant;          /* -1 until counted: among the equalities and the rows of gap 0; > 0: multipliers are not unique */
    double condition;          /* with it: of the scaled matrix of these rows                     */
} zw_unilateral_info;

ZW_MUST_USE zw_status zw_unilateral_create(zw_context *c, zw_unilateral **out);
void                  zw_unilateral_destroy(zw_unilateral *u);
void                  zw_unilateral_forget(zw_unilateral *u); /* the remembered active set */
/* A and N number their rows from 0 each; either may be empty. ZW_E_RANK (raised) where no x satisfies all rows, ZW_E_CONVERGENCE where none was found */
ZW_MUST_USE zw_status zw_unilateral_solve(zw_unilateral *u, const zw_metric *H, const zw_rows *A, const zw_rows *N, const double *f,
                                          const double *b, const double *c, double *x, double *lambda, double *mu,
                                          zw_unilateral_info *info);
/* fills redundant and condition of the answer given last, whose H and rows must still be there: one more factorisation */
ZW_MUST_USE zw_status zw_unilateral_count(zw_unilateral *u, zw_unilateral_info *info);

#endif

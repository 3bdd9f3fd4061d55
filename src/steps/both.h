/* SPDX-License-Identifier: Apache-2.0
 * both.h: the rows of two states side by side, [A0 A1] over the metric diag(M, M): multipliers that act at both ends of a step at once,
 *   (A0 M^-1 A0' + A1 M^-1 A1') mu = b. */
#ifndef ZW_STEPS_BOTH_H
#define ZW_STEPS_BOTH_H

#include "zwang/system.h"

typedef struct zw_both {
    zw_context *context;
    zw_solver  *solver;
    int         n; /* columns of one state */
    zw_rows     from, rows;
    int         most_tiles, most_blocks, nparts; /* room */
    ptrdiff_t   most_values;
    zw_matrix  *part;
    int        *v0;
    zw_metric   metric;
} zw_both;

zw_status zw_both_create(zw_context *c, int n, zw_both *out);
void      zw_both_destroy(zw_both *b);
zw_status zw_both_start(zw_both *b, const zw_rows *A0); /* keeps a copy */
zw_status zw_both_factor(zw_both *b, const zw_metric *M, const zw_rows *A1,
                         const unsigned char *skip); /* A1: tile by tile like A0; skip [m]: rows to leave out, whose b must be 0 */
zw_status zw_both_solve(zw_both *b, const double *side, double *mu);                    /* least norm where rows are redundant */
void      zw_both_shift(const zw_both *b, const double *mu, double *work, double *out); /* M^-1 A0' mu, M^-1 A1' mu; [2 n] each */

#endif

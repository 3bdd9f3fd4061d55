/* SPDX-License-Identifier: Apache-2.0
 * blockchol.h: sparse Cholesky P A P' = L L' in dense blocks of varying size, for positive definite and semidefinite A.
 *
 * Analyse once per pattern (the only allocation), then set values, factor and substitute as often as wanted. On chains and trees of
 * blocks all of it costs as many operations as there are blocks.
 *
 * Semidefinite: a scalar row k whose pivot is <= tolerance depends on the rows before it. Its column of L is set to zero, its row is
 * kept, so that with B the independent and R the dependent rows
 *     forward(v):   v_B <- L_BB^-1 v_B,   v_R <- v_R - L_RB v_B        (v_R is N'v for the null space N below)
 *     backward(v):  v_B <- L_BB^-T (v_B - L_RB' v_R),   v_R unchanged  (with v_B = 0 this is N v_R)
 * where N = [-L_BB^-T L_RB'; 1] spans the null space of A. */
#ifndef ZW_PROJECT_BLOCKCHOL_H
#define ZW_PROJECT_BLOCKCHOL_H

#include "base/arena.h"

typedef struct zw_blockchol {
    int        nb, n;    /* blocks, scalar rows */
    int       *order;    /* position -> block of the caller */
    int       *position; /* block of the caller -> position */
    int        split;    /* first position of the blocks that were asked to be last */
    int       *row0;     /* [nb+1] first scalar row of a position */
    int       *start;    /* [nb+1] blocks of a column of L, diagonal first */
    int       *row;      /* position of the row of each block, rising in a column */
    ptrdiff_t *value;    /* where each block begins: dense, rows x columns, row-major */
    ptrdiff_t  nvalues;
    double    *l;
    double    *work;                 /* n: a vector in the order of elimination */
    int        dependent;            /* scalar rows found dependent by the last factor */
    double     pivot_min, pivot_max; /* of the independent rows */
} zw_blockchol;

/* pattern as for zw_order_minimum_degree */
ZW_MUST_USE zw_status zw_blockchol_analyse(zw_arena *arena, int nb, const int *start, const int *adj, const int *size, zw_blockchol *out);
/* the same; blocks with last[i] = 1 are eliminated after all others, with 2 after those (NULL: no wish) */
ZW_MUST_USE zw_status zw_blockchol_analyse_last(zw_arena *arena, int nb, const int *start, const int *adj, const int *size,
                                                const unsigned char *last, zw_blockchol *out);
void                  zw_blockchol_zero(zw_blockchol *f);                     /* all values, to assemble into */
ptrdiff_t             zw_blockchol_find(const zw_blockchol *f, int i, int j); /* block of the caller's (i, j), position of i >= of j; -1 */
/* values -> factor. Pivots <= tolerance: dependent when semidefinite, otherwise a failure. Returns the scalar row (in the order of
 * elimination) of the first pivot that failed or is not finite, -1 when it went through. */
int  zw_blockchol_factor(zw_blockchol *f, double tolerance, bool semidefinite);
bool zw_blockchol_depends(const zw_blockchol *f, int position, int k); /* scalar row k of that block is dependent */
void zw_blockchol_forward(const zw_blockchol *f, double *v);
void zw_blockchol_backward(const zw_blockchol *f, double *v);
void zw_blockchol_forward_part(const zw_blockchol *f, int first, int end,
                               double *v); /* the same, only the columns of positions first .. end-1 */
void zw_blockchol_backward_part(const zw_blockchol *f, int first, int end, double *v);

#endif

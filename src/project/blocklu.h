/* SPDX-License-Identifier: Apache-2.0
 * blocklu.h: sparse LU in dense blocks of varying size, for matrices whose block pattern is symmetric though their values are not: tangents of implicit steps, with rows.
 *
 * The pattern, its order and its fill are those of blockchol.h. Rows are exchanged within a block only; so whatever has a zero diagonal (multipliers) shares its
 * block with something that it acts on, or is asked to be last. Analyse once per pattern (the only allocation), then set values, factor and solve as
 * often as wanted. On chains and trees of blocks all of it costs as many operations as there are blocks.
 *
 * Values: lower blocks (i, j), position of i >= of j, at zw_blocklu_lower; upper blocks (j, i) at zw_blocklu_upper, which are stored TURNED: element (r, c) of the stored block is
 * element (c, r) of the matrix block. Diagonal blocks are lower ones. */
#ifndef ZW_PROJECT_BLOCKLU_H
#define ZW_PROJECT_BLOCKLU_H

#include "project/blockchol.h"

typedef struct zw_blocklu {
    zw_blockchol pattern;  /* its l: lower blocks; order, position, row0, start, row, value */
    double      *upper;    /* [nvalues] turned */
    int         *pivot;    /* [n] */
    int         *first;    /* [nb + 1] first scalar row of a block in the caller's order */
    int          negative; /* blocks of the last factor whose determinant is below 0 */
    /* inertia of a symmetric matrix, counted where flip is set: In(A) is the sum over the diagonal blocks as they are when they are eliminated (Haynsworth) */
    const unsigned char
           *flip;  /* [n] in the caller's order: columns whose sign is to be changed before the matrix is symmetric; NULL: do not count */
    int     below; /* eigenvalues below 0 */
    double *room;  /* scratch of that */
} zw_blocklu;

/* pattern as for zw_order_minimum_degree; blocks with last[i] = 1 come after all others, with 2 after those (NULL: no wish) */
ZW_MUST_USE zw_status zw_blocklu_analyse(zw_arena *arena, int nb, const int *start, const int *adj, const int *size,
                                         const unsigned char *last, zw_blocklu *out);
/* from now on every factor counts; flip stays the caller's */
ZW_MUST_USE zw_status zw_blocklu_count(zw_arena *arena, zw_blocklu *f, const unsigned char *flip);
void                  zw_blocklu_zero(zw_blocklu *f);
/* where block (i, j) of the caller lies: *turned says that it is to be written transposed. NULL: not in the pattern */
double *zw_blocklu_block(zw_blocklu *f, int i, int j, bool *turned);
/* values -> factor; returns the block of the caller whose pivots failed (singular or not finite), -1 when it went through */
int  zw_blocklu_factor(zw_blocklu *f);
void zw_blocklu_solve(const zw_blocklu *f, double *b); /* in the order of the caller's blocks, one behind the other */
int  zw_blocklu_sign(const zw_blocklu *f);             /* of the determinant */

#endif

/* SPDX-License-Identifier: Apache-2.0
 * blocktri.h: block-tridiagonal systems with a dense border, the shape of every implicit rod step.
 *
 *     lower_i x_{i-1} + diag_i x_i + upper_i x_{i+1} + B_i y = f_i,      i = 0..n-1, blocks b x b
 *     sum_i C_i x_i + D y = g                                            nb border unknowns: loops, branches, constraints, arc length
 *
 * The caller fills the matrix arrays, calls factor, then solve as often as wanted. Factor is block LU (Thomas) with row-scaled partial
 * pivoting inside each diagonal block and a Schur complement for the border; solve refines against the matrix that was filled in, so
 * that must stay as it was. Pivots never cross blocks: the report's growth says what that costs, and refinement repairs moderate growth.
 * Nothing is allocated after create. The flow of operations is fixed: same input, same bits.
 *
 * Vectors are (n b) x nrhs row-major: entry k of block i of right side j is f[(i*b + k)*nrhs + j]; one right side is a plain vector. */
#ifndef ZW_MATH_BLOCKTRI_H
#define ZW_MATH_BLOCKTRI_H

#include "base/context.h"

typedef struct zw_blocktri_report {
    int    bad_block;   /* block whose pivot vanished; n for the border's Schur complement; -1 when none */
    int    bad_column;  /* unknown inside that block that was left without a pivot; -1 when none */
    double pivot_ratio; /* smallest |pivot| over the scale of its row: near 1e-16 means singular to working precision */
    double growth;      /* largest entry met in elimination over the largest entry of the matrix */
    int    det_sign;    /* sign of the determinant of the whole bordered matrix; 0 when singular */
    double residual;    /* of the last solve: max_i |f - A x|_i / (|A||x| + |f|)_i, 1e-16 at best; -1 when it did not refine */
    int    refinements; /* passes that the last solve used */
} zw_blocktri_report;

typedef struct zw_blocktri {
    zw_context *context;
    int         n, b, nb, max_rhs;
    /* the matrix: filled in by the caller */
    double *lower;  /* n b b; lower[0] is not read */
    double *diag;   /* n b b */
    double *upper;  /* n b b; upper[n-1] is not read */
    double *column; /* B: (n b) x nb row-major; NULL when nb = 0 */
    double *row;    /* C: nb x (n b) row-major */
    double *corner; /* D: nb x nb */
    /* pivots below singular times the scale of their row count as zero; create sets 16 eps */
    double             singular;
    bool               factored;
    zw_blocktri_report report;
    /* factors and workspace */
    double *pivots;   /* n b b: LU of the diagonal Schur blocks S_i */
    double *gain;     /* n b b: S_i^-1 upper_i */
    int    *exchange; /* n b: row exchanges */
    double *reach;    /* (n b) x nb: T^-1 B */
    double *schur;    /* nb x nb: LU of D - C T^-1 B */
    int    *schur_exchange;
    double *scale;                             /* n b: row scales; nb more for the border */
    double *work_f, *work_r, *work_g, *work_s; /* right side, residual; the same of the border */
} zw_blocktri;

/* n >= 1 blocks of size b >= 1, nb >= 0 border unknowns, solves with up to max_rhs >= 1 right sides at once; the matrix starts as zero */
ZW_MUST_USE zw_status zw_blocktri_create(zw_context *c, int n, int b, int nb, int max_rhs, zw_blocktri **out);
void                  zw_blocktri_destroy(zw_blocktri *t); /* NULL is legal */
void                  zw_blocktri_zero(zw_blocktri *t);    /* the matrix, to assemble into */

/* ZW_OK; ZW_E_RANK when a pivot vanished, ZW_E_DIVERGED when one is not finite: the report names block and column. Raises nothing: a Newton
 * iteration may want to go on with a smaller step; whoever gives up raises it with the name of the rod. */
ZW_MUST_USE zw_status zw_blocktri_factor(zw_blocktri *t);

/* x, y <- solution for f, g with up to `refine` passes of refinement (0 to 2 make sense); x may be f, y may be g;
 * g and y are NULL when nb = 0.
 * ZW_E_ARG when not factored or nrhs is outside 1..max_rhs; ZW_E_DIVERGED when the solution is not finite. */
ZW_MUST_USE zw_status zw_blocktri_solve(zw_blocktri *t, int nrhs, const double *f, const double *g, double *x, double *y, int refine);

/* out = A (x, y), the product with the matrix as filled in (out_y NULL when nb = 0); out is not x */
void zw_blocktri_mul(const zw_blocktri *t, int nrhs, const double *x, const double *y, double *out, double *out_y);

/* Number of negative eigenvalues of a symmetric matrix (border rows = columns transposed), by Sylvester's law on the Schur blocks.
 * Overwrites the factors. ZW_E_RANK when a Schur block is singular. */
ZW_MUST_USE zw_status zw_blocktri_negative(zw_blocktri *t, int *negative);

#endif

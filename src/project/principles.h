/* SPDX-License-Identifier: Apache-2.0
 * principles.h: the accelerations of a constrained system by two other principles than Gauss's, densely: for cross-checks and on request.
 *
 *   multiplier  Chetaev:     M a - A' lambda = f,  A a = b       LU of the whole (n + m) x (n + m) matrix
 *   macmillan   Jourdain:    A_d a_d + A_i a_i = b makes the dependent accelerations functions of the independent ones, a = S a_i + s with S = [I; B],
 *                            B = -A_d^-1 A_i; then  S'M S a_i = S'(f - M s)  (the coefficient of the accelerations in equation 13), and
 *                            A_d' lambda = (M a - f)_d afterwards
 * Both ask for independent rows. All matrices are row-major. */
#ifndef ZW_PROJECT_PRINCIPLES_H
#define ZW_PROJECT_PRINCIPLES_H

#include "zwang/project.h"

typedef struct zw_principles {
    zw_context *context;
    int         n, m;
    double     *work;
    int        *pivot;
} zw_principles;

ZW_MUST_USE zw_status zw_principles_create(zw_context *c, int n, int m, zw_principles *out);
void                  zw_principles_destroy(zw_principles *p);

/* metric and rows densely: M n x n, A m x n */
void zw_principles_dense(const zw_metric *H, const zw_rows *rows, double *M, double *A);

/* ZW_E_RANK (raised) when the matrix is singular, ZW_E_DIVERGED when it is not finite */
ZW_MUST_USE zw_status zw_principles_multiplier(zw_principles *p, const double *M, const double *A, const double *f, const double *b,
                                               double *a, double *lambda);

/* Chooses the dependent velocities: order[0 .. n-m-1] independent, rising; order[n-m .. n-1] dependent. Elimination with complete pivoting of A with its
 * columns scaled by 1/sqrt(M_jj) and its rows to unit length, so that units do not count. Gives the smallest pivot; 0: the rows depend on each other */
double zw_principles_partition(zw_principles *p, const double *M, const double *A, int *order);
/* the smallest pivot of the dependent columns of such an order in the same scaling */
double zw_principles_pivot(zw_principles *p, const double *M, const double *A, const int *order);

ZW_MUST_USE zw_status zw_principles_macmillan(zw_principles *p, const double *M, const double *A, const double *f, const double *b,
                                              const int *order, double *a, double *lambda);

#endif

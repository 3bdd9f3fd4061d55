/* SPDX-License-Identifier: Apache-2.0
 * six.h: LU of 6 x 6 blocks, the size of a node of a rod or of a rigid body in space: what zw_lu_factor, zw_lu_solve and zw_lu_solve_transposed do, with pairs of numbers in one
 * register. Row-major; pivots as in math/dense.h. */
#ifndef ZW_PROJECT_SIX_H
#define ZW_PROJECT_SIX_H

int  zw_six_factor(double *a, int *pivot);                                  /* the first column without a pivot, 6 when it went through */
void zw_six_divide(const double *lu, const int *pivot, double *w);          /* W = W D^-1, W 6 x 6    */
void zw_six_solve(const double *lu, const int *pivot, double *b);           /* b = D^-1 b             */
void zw_six_subtract(const double *x, const double *y, double *out);        /* out -= x y'            */
void zw_six_subtract_vector(const double *x, const double *v, double *out); /* out -= x v   */
void zw_six_subtract_turned_vector(const double *x, const double *v, double *out); /* out -= x' v  */

#endif

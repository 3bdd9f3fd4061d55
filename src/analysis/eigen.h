/* SPDX-License-Identifier: Apache-2.0
 * eigen.h: the eigenvalues of largest size of an operator that is known by what it does to a vector. */
#ifndef ZW_ANALYSIS_EIGEN_H
#define ZW_ANALYSIS_EIGEN_H

#include "base/context.h"

typedef struct zw_eigen_problem {
    zw_context *context;
    int         n;
    bool        symmetric;
    void       *self;
    void (*apply)(void *self, const double *x, double *y); /* y = Op x */
} zw_eigen_problem;

typedef struct zw_eigen_pairs { /* largest first; a pair of conjugates stands together, the one with positive imaginary part first */
    int     found;
    double *re, *im;          /* [room] eigenvalues */
    double *real, *imaginary; /* [room][n] vectors */
} zw_eigen_pairs;

/* room of the arrays for `want` eigenvalues: a pair of conjugates is not torn */
static inline int zw_eigen_room(int want) {
    return want + 1;
}
ZW_MUST_USE zw_status zw_eigen_pairs_create(zw_context *c, int n, int want, zw_eigen_pairs *out);
void                  zw_eigen_pairs_destroy(zw_context *c, zw_eigen_pairs *e);
ZW_MUST_USE zw_status zw_eigen_dense(const zw_eigen_problem *p, int want, zw_eigen_pairs *out);    /* LAPACK */
ZW_MUST_USE zw_status zw_eigen_iterated(const zw_eigen_problem *p, int want, zw_eigen_pairs *out); /* ARPACK */

#endif

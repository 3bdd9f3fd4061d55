/* SPDX-License-Identifier: Apache-2.0
 * spectrum.h: the slowest roots s of  (s^2 M + s C + K) y = A' mu, A y = 0,  and their shapes.
 *
 * What is inverted is K, shifted a little where it is singular, never M: the slow roots are then the large eigenvalues of the operator, and keep all their digits.
 *   symmetric    C = 0, K = K':  L'(K - t M)^-1 L z = z/(lambda - t),  M = L L',  s^2 = -lambda
 *   reversible   C = 0:          (K - t M)^-1 M y = y/(lambda - t)
 *   general      with k = K + t C + t^2 M, c = C + 2 t M:  (p, y) -> (-k^-1 (c p + M y), p),  s = t + 1/theta
 * Small problems: LAPACK on the operator as a matrix. Large ones: ARPACK, and again on what is orthogonal to what was found, until nothing slower appears: roots that
 * are there twice are found twice. The operator is a sparse solution with the rows, so that their multipliers never show. */
#ifndef ZW_ANALYSIS_SPECTRUM_H
#define ZW_ANALYSIS_SPECTRUM_H

#include "analysis/pencil.h"

typedef enum zw_spectrum_kind { ZW_SPECTRUM_SYMMETRIC, ZW_SPECTRUM_REVERSIBLE, ZW_SPECTRUM_GENERAL } zw_spectrum_kind;
typedef enum zw_spectrum_method { ZW_SPECTRUM_AUTO, ZW_SPECTRUM_DENSE, ZW_SPECTRUM_ITERATED } zw_spectrum_method;

typedef struct zw_root {
    double growth, frequency; /* s = growth + i frequency, frequency >= 0; rad/s */
    bool   zero;              /* nothing holds it: a motion of a rigid body or a mechanism */
    int    shape;             /* number of its shape */
} zw_root;

typedef struct zw_spectrum {
    zw_context      *context;
    zw_spectrum_kind kind;
    bool             iterated; /* by ARPACK */
    int              n;        /* columns of a shape */
    int              nroots;   /* all that were found, by rising |s|, then falling growth */
    int              nfree;    /* motions that nothing holds, among them */
    zw_root         *root;
    double          *shape; /* [.][2][n] real and imaginary part, per root->shape */
} zw_spectrum;

/* at least the count slowest roots that are not zero, where there are so many, and some more */
ZW_MUST_USE zw_status zw_spectrum_find(zw_pencil *p, int count, zw_spectrum_method method, zw_spectrum *out);
void                  zw_spectrum_destroy(zw_spectrum *s);

#endif

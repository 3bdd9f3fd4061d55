/* SPDX-License-Identifier: Apache-2.0
 * udwadia.h: accelerations by Udwadia and Kalaba's formula, a = a_free + M^-1/2 (A M^-1/2)^+ (b - A a_free), with the pseudo-inverse by singular values:
 * rows may be redundant, and what is compared with it shares nothing with it but M, A, f and b. */
#ifndef ZW_ANALYSIS_UDWADIA_H
#define ZW_ANALYSIS_UDWADIA_H

#include "base/arena.h"

typedef struct zw_udwadia_problem { /* M a - A' lambda = f, A a = b */
    int           n, m;
    const double *M; /* [n n] symmetric, positive definite */
    const double *A; /* [m n]                              */
    const double *f, *b;
    int           rank; /* of A: so many singular values are kept, the largest */
} zw_udwadia_problem;

/* lambda: those of least norm, rows scaled; condition: of A M^-1 A' with rows scaled to the same size, over the singular values that are kept.
 * *solved: false when M is not positive definite or A has fewer directions than its rank. Scratch is the arena's */
zw_status zw_udwadia_solve(zw_arena *arena, const zw_udwadia_problem *p, double *a, double *lambda, double *condition, bool *solved);

#endif

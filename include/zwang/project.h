/* SPDX-License-Identifier: Apache-2.0
 * project.h: the kernel. One minimisation,   min 1/2 |x - xhat|^2_H   subject to   A x = b,
 * whose meaning (Gauss, Jourdain, RATTLE, impact) is decided by what x and H are. Rows come in tiles: one tile is one clamp or
 * joint (1..6 rows) with dense blocks, so that sparsity stays visible. Redundant rows are solved with minimum norm and named. */
#ifndef ZWANG_PROJECT_H
#define ZWANG_PROJECT_H

#include "zwang/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum zw_row_kind { ZW_ROW_EQUAL } zw_row_kind;

typedef struct zw_tile {
    int64_t     id;              /* stable over time: constraint and number in it */
    int         row, m;          /* rows row .. row+m-1 */
    int         block0, nblocks; /* its blocks */
    zw_row_kind kind;
} zw_tile;
typedef struct zw_block {
    int       col0, ncol;
    ptrdiff_t a; /* dense m x ncol, row-major, at rows.a + a */
} zw_block;
typedef struct zw_rows {
    int       m, ntiles, nblocks;
    ptrdiff_t nvalues;
    zw_tile  *tile;
    zw_block *block;
    double   *a;
} zw_rows;

typedef struct zw_project_info {
    int    rank;      /* independent rows                                                  */
    int    redundant; /* m - rank                                                          */
    double condition; /* estimate for the scaled A H^-1 A'                                 */
    double residual;  /* largest |A x - b| over rows, relative to the scale of its terms   */
    double value;     /* 1/2 |x - xhat|^2_H                                                */
} zw_project_info;

typedef struct zw_solver zw_solver;

ZW_API zw_status zw_solver_create(zw_context *c, zw_solver **out);
ZW_API void      zw_solver_destroy(zw_solver *s);
/* factors [H -A'; A 0]; allocates only when sizes or pattern differ from the last call. H is copied or inverted inside; A is copied */
ZW_API zw_status zw_solver_factor(zw_solver *s, const zw_metric *H, const zw_rows *A, zw_project_info *info);
/* H x - A' lambda = f, A x = b; ZW_E_RANK (raised) when redundant rows contradict b by more than 1e-8 of their scale */
ZW_API zw_status zw_solver_solve(zw_solver *s, const double *f, const double *b, double *x, double *lambda, zw_project_info *info);
/* the same with f = 0: the smallest x (in H) that gives A x = b; x may be NULL when only lambda is wanted */
ZW_API zw_status zw_solver_correct(zw_solver *s, const double *b, double *x, double *lambda, zw_project_info *info);
/* y = A' lambda and y = H^-1 z with the factored A and H */
ZW_API void zw_solver_force(const zw_solver *s, const double *lambda, double *y);
ZW_API void zw_solver_metric_inverse(const zw_solver *s, const double *z, double *y);
/* rows that are combinations of the others in the last factorisation; returns how many, writes at most max */
ZW_API int zw_solver_redundant(const zw_solver *s, int *rows, int max);
/* factor, solve and the value in one call */
ZW_API zw_status zw_project(zw_solver *s, const zw_metric *H, const zw_rows *A, const double *b, const double *xhat, double *x,
                            double *lambda, zw_project_info *info);

#ifdef __cplusplus
}
#endif
#endif

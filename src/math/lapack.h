/* SPDX-License-Identifier: Apache-2.0
 * lapack.h: the routines of LAPACK and ARPACK that are used, as Fortran exports them. Matrices are column by column.
 *
 * The lengths of character arguments follow at the end of the list, as Fortran compilers expect them; libraries written in C do not look at them. */
#ifndef ZW_MATH_LAPACK_H
#define ZW_MATH_LAPACK_H

#include <stddef.h>

/* eigenvalues (rising) and vectors of a symmetric matrix */
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work, const int *lwork,
            int *info, size_t jobz_length, size_t uplo_length);
/* eigenvalues and right vectors of any matrix */
void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda, double *wr, double *wi, double *vl,
            const int *ldvl, double *vr, const int *ldvr, double *work, const int *lwork, int *info, size_t jobvl_length,
            size_t jobvr_length);

/* ARPACK: a few eigenvalues by reverse communication; symmetric, then any */
void dsaupd_(int *ido, const char *bmat, const int *n, const char *which, const int *nev, const double *tol, double *resid, const int *ncv,
             double *v, const int *ldv, int *iparam, int *ipntr, double *workd, double *workl, const int *lworkl, int *info,
             size_t bmat_length, size_t which_length);
void dseupd_(const int *rvec, const char *howmny, int *select, double *d, double *z, const int *ldz, const double *sigma, const char *bmat,
             const int *n, const char *which, const int *nev, const double *tol, double *resid, const int *ncv, double *v, const int *ldv,
             int *iparam, int *ipntr, double *workd, double *workl, const int *lworkl, int *info, size_t howmny_length, size_t bmat_length,
             size_t which_length);
void dnaupd_(int *ido, const char *bmat, const int *n, const char *which, const int *nev, const double *tol, double *resid, const int *ncv,
             double *v, const int *ldv, int *iparam, int *ipntr, double *workd, double *workl, const int *lworkl, int *info,
             size_t bmat_length, size_t which_length);
void dneupd_(const int *rvec, const char *howmny, int *select, double *dr, double *di, double *z, const int *ldz, const double *sigmar,
             const double *sigmai, double *workev, const char *bmat, const int *n, const char *which, const int *nev, const double *tol,
             double *resid, const int *ncv, double *v, const int *ldv, int *iparam, int *ipntr, double *workd, double *workl,
             const int *lworkl, int *info, size_t howmny_length, size_t bmat_length, size_t which_length);

#endif

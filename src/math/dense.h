/* SPDX-License-Identifier: Apache-2.0
 * dense.h: small dense linear algebra, row-major, in place, without allocation; fixed-size 6x6 kernels inline.
 *
 * Meant for sizes up to about 30 and for the dense ends of block methods; larger spectra belong to LAPACK.
 * A factorisation returns -1 when it went through, otherwise the column at which it stopped (pivot zero or not finite).
 * Right sides are n x nrhs row-major (entry (i, j) at b[i*nrhs + j]), so that many right sides run along the rows. */
#ifndef ZW_MATH_DENSE_H
#define ZW_MATH_DENSE_H

#include <stdbool.h>

/* ---- LU with partial pivoting: rows i and pivot[i] were exchanged at column i ---- */
int    zw_lu_factor(int n, double *a, int *pivot);
void   zw_lu_solve(int n, const double *lu, const int *pivot, int nrhs, double *b);
void   zw_lu_solve_transposed(int n, const double *lu, const int *pivot, double *b); /* A^T x = b, one right side */
void   zw_lu_inverse(int n, const double *lu, const int *pivot, double *out);        /* out is not lu */
int    zw_lu_det_sign(int n, const double *lu, const int *pivot);                    /* -1, 0, 1 */
double zw_lu_log_abs_det(int n, const double *lu);                                   /* -inf when singular */

/* ---- Cholesky A = L L^T; only the lower triangle is read and written ---- */
int  zw_cholesky_factor(int n, double *a);
void zw_cholesky_solve(int n, const double *l, int nrhs, double *b);

/* Rank-revealing Cholesky of a positive semidefinite matrix (both triangles given): P^T A P = L L^T, largest remaining diagonal first.
 * Stops when that diagonal is <= tolerance times the largest diagonal of A; returns the rank. perm[i] is the row of A that became row i;
 * the rows perm[rank..n-1] depend on the others. L is in the lower triangle of a, its columns from rank on are 0.
 * *rest (may be NULL) gets the largest diagonal left behind. An A with a NaN or a negative diagonal beyond the tolerance returns -1. */
int zw_cholesky_pivoted(int n, double *a, double tolerance, int *perm, double *rest);

/* ---- Householder QR of an m x n matrix; column pivoting when perm is not NULL (perm[j] is the column of A that became column j) ----
 * R is in the upper triangle, the reflectors below it (first entry 1 left out) with factors tau[min(m, n)]; work has n entries. */
void zw_qr_factor(int m, int n, double *a, double *tau, int *perm, double *work);
int  zw_qr_rank(int m, int n, const double *qr, double tolerance);                         /* leading |r_ii| > tolerance |r_00| (pivoted) */
void zw_qr_apply_transposed(int m, int n, const double *qr, const double *tau, double *b); /* b <- Q^T b, m entries */
void zw_qr_apply(int m, int n, const double *qr, const double *tau, double *b);            /* b <- Q b */
/* least squares with the first rank columns: b (m entries) is destroyed, x has n entries, those not in the rank are 0 */
void zw_qr_solve(int m, int n, const double *qr, const double *tau, const int *perm, int rank, double *b, double *x);

/* ---- symmetric eigenvalues, ascending; vectors are columns, may be NULL ---- */
void zw_sym3_eigen(const double a[9], double values[3], double vectors[9]);
bool zw_sym_eigen(int n, double *a, double *values, double *vectors); /* cyclic Jacobi; a is destroyed; false when not finite */
/* Tridiagonal with diagonal d[n] and off-diagonal e[n] (e[i] couples i and i+1; e[n-1] is scratch): d becomes the ascending eigenvalues.
 * Implicit QL; e is destroyed.
 * z (may be NULL) is nz x n row-major and is multiplied from the right by the eigenvector matrix: the identity gives the vectors in its
 * columns; the single row e_n gives their last entries, which are Lanczos's error estimates. False when QL does not converge. */
bool zw_tridiagonal_eigen(int n, double *d, double *e, int nz, double *z);

/* ---- 6x6, fixed size; results must not overlap arguments ---- */

/* out = a b */
static inline void zw_m6_mul(double *restrict out, const double *restrict a, const double *restrict b) {
    for (int i = 0; i < 6; i++) {
        double row[6];
        for (int k = 0; k < 6; k++) {
            row[k] = a[6 * i] * b[k];
        }
        for (int j = 1; j < 6; j++) {
            double s = a[6 * i + j];
            for (int k = 0; k < 6; k++) {
                row[k] += s * b[6 * j + k];
            }
        }
        for (int k = 0; k < 6; k++) {
            out[6 * i + k] = row[k];
        }
    }
}

/* out -= a b */
static inline void zw_m6_mulsub(double *restrict out, const double *restrict a, const double *restrict b) {
    for (int i = 0; i < 6; i++) {
        double row[6];
        for (int k = 0; k < 6; k++) {
            row[k] = out[6 * i + k];
        }
        for (int j = 0; j < 6; j++) {
            double s = a[6 * i + j];
            for (int k = 0; k < 6; k++) {
                row[k] -= s * b[6 * j + k];
            }
        }
        for (int k = 0; k < 6; k++) {
            out[6 * i + k] = row[k];
        }
    }
}

/* out = a^T b */
static inline void zw_m6_tmul(double *restrict out, const double *restrict a, const double *restrict b) {
    for (int i = 0; i < 6; i++) {
        double row[6];
        for (int k = 0; k < 6; k++) {
            row[k] = a[i] * b[k];
        }
        for (int j = 1; j < 6; j++) {
            double s = a[6 * j + i];
            for (int k = 0; k < 6; k++) {
                row[k] += s * b[6 * j + k];
            }
        }
        for (int k = 0; k < 6; k++) {
            out[6 * i + k] = row[k];
        }
    }
}

/* out = a v */
static inline void zw_m6_mulv(double *restrict out, const double *restrict a, const double *restrict v) {
    for (int i = 0; i < 6; i++) {
        const double *r = a + 6 * i;
        out[i] = ((r[0] * v[0] + r[1] * v[1]) + (r[2] * v[2] + r[3] * v[3])) + (r[4] * v[4] + r[5] * v[5]);
    }
}

/* out = a^T v */
static inline void zw_m6_tmulv(double *restrict out, const double *restrict a, const double *restrict v) {
    double t[6];
    for (int k = 0; k < 6; k++) {
        t[k] = a[k] * v[0];
    }
    for (int j = 1; j < 6; j++) {
        for (int k = 0; k < 6; k++) {
            t[k] += a[6 * j + k] * v[j];
        }
    }
    for (int k = 0; k < 6; k++) {
        out[k] = t[k];
    }
}

/* out = a^T s b: a stiffness seen through two sets of variations */
static inline void zw_m6_sandwich(double *restrict out, const double *restrict a, const double *restrict s, const double *restrict b) {
    double t[36];
    zw_m6_mul(t, s, b);
    zw_m6_tmul(out, a, t);
}

static inline void zw_m6_identity(double *out) {
    for (int i = 0; i < 36; i++) {
        out[i] = i % 7 == 0 ? 1.0 : 0.0;
    }
}

static inline double zw_v6_dot(const double *a, const double *b) {
    return ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5]);
}

#endif

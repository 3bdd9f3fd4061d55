/* SPDX-License-Identifier: Apache-2.0
 * dense.c: small dense factorisations and symmetric eigenvalues (what each does: dense.h). */
#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

static double *at(double *a, int n, int i, int k) {
    return a + (size_t)i * (size_t)n + (size_t)k;
}

static const double *at_const(const double *a, int n, int i, int k) {
    return a + (size_t)i * (size_t)n + (size_t)k;
}

static void swap(double *a, double *b) {
    double t = *a;
    *a = *b;
    *b = t;
}

static void swap_rows(double *a, int n, int i, int k) {
    double *p = at(a, n, i, 0), *q = at(a, n, k, 0);
    for (int j = 0; j < n; j++) {
        swap(p + j, q + j);
    }
}

/* ---- LU ---- */

int zw_lu_factor(int n, double *a, int *pivot) {
    for (int k = 0; k < n; k++) {
        int    best = k;
        double size = fabs(*at(a, n, k, k));
        for (int i = k + 1; i < n; i++) {
            double s = fabs(*at(a, n, i, k));
            if (s > size || (isnan(s) && !isnan(size))) { /* a NaN is taken, so that it is seen below */
                size = s;
                best = i;
            }
        }
        pivot[k] = best;
        if (!(size > 0.0) || !isfinite(size)) {
            for (int i = k + 1; i < n; i++) {
                pivot[i] = i;
            }
            return k;
        }
        if (best != k) {
            swap_rows(a, n, k, best);
        }
        const double *top = at_const(a, n, k, 0);
        for (int i = k + 1; i < n; i++) {
            double *row = at(a, n, i, 0);
            double  f = row[k] / top[k];
            row[k] = f;
            for (int j = k + 1; j < n; j++) {
                row[j] -= f * top[j];
            }
        }
    }
    return -1;
}

void zw_lu_solve(int n, const double *lu, const int *pivot, int nrhs, double *b) {
    for (int k = 0; k < n; k++) {
        if (pivot[k] != k) {
            swap_rows(b, nrhs, k, pivot[k]);
        }
    }
    for (int i = 1; i < n; i++) {
        double *x = at(b, nrhs, i, 0);
        for (int k = 0; k < i; k++) {
            double        f = *at_const(lu, n, i, k);
            const double *y = at_const(b, nrhs, k, 0);
            for (int j = 0; j < nrhs; j++) {
                x[j] -= f * y[j];
            }
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        double *x = at(b, nrhs, i, 0);
        for (int k = i + 1; k < n; k++) {
            double        f = *at_const(lu, n, i, k);
            const double *y = at_const(b, nrhs, k, 0);
            for (int j = 0; j < nrhs; j++) {
                x[j] -= f * y[j];
            }
        }
        double d = *at_const(lu, n, i, i);
        for (int j = 0; j < nrhs; j++) {
            x[j] /= d;
        }
    }
}

/* A = P^T L U, so A^T x = b is U^T L^T P x = b */
void zw_lu_solve_transposed(int n, const double *lu, const int *pivot, double *b) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            b[i] -= *at_const(lu, n, k, i) * b[k];
        }
        b[i] /= *at_const(lu, n, i, i);
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            b[i] -= *at_const(lu, n, k, i) * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        if (pivot[k] != k) {
            swap(b + k, b + pivot[k]);
        }
    }
}

void zw_lu_inverse(int n, const double *lu, const int *pivot, double *out) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            *at(out, n, i, k) = i == k ? 1.0 : 0.0;
        }
    }
    zw_lu_solve(n, lu, pivot, n, out);
}

int zw_lu_det_sign(int n, const double *lu, const int *pivot) {
    int sign = 1;
    for (int k = 0; k < n; k++) {
        double d = *at_const(lu, n, k, k);
        if (!(fabs(d) > 0.0)) {
            return 0;
        }
        if ((d < 0.0) != (pivot[k] != k)) {
            sign = -sign;
        }
    }
    return sign;
}

double zw_lu_log_abs_det(int n, const double *lu) {
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        double d = fabs(*at_const(lu, n, k, k));
        sum += d > 0.0 ? log(d) : -HUGE_VAL;
    }
    return sum;
}

/* ---- Cholesky ---- */

int zw_cholesky_factor(int n, double *a) {
    for (int k = 0; k < n; k++) {
        double *row = at(a, n, k, 0);
        for (int j = 0; j < k; j++) {
            const double *other = at_const(a, n, j, 0);
            double        s = row[j];
            for (int i = 0; i < j; i++) {
                s -= row[i] * other[i];
            }
            row[j] = s / other[j];
        }
        double d = row[k];
        for (int i = 0; i < k; i++) {
            d -= row[i] * row[i];
        }
        if (!(d > 0.0) || !isfinite(d)) {
            return k;
        }
        row[k] = sqrt(d);
    }
    return -1;
}

void zw_cholesky_solve(int n, const double *l, int nrhs, double *b) {
    for (int i = 0; i < n; i++) {
        double *x = at(b, nrhs, i, 0);
        for (int k = 0; k < i; k++) {
            double        f = *at_const(l, n, i, k);
            const double *y = at_const(b, nrhs, k, 0);
            for (int j = 0; j < nrhs; j++) {
                x[j] -= f * y[j];
            }
        }
        for (int j = 0; j < nrhs; j++) {
            x[j] /= *at_const(l, n, i, i);
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        double *x = at(b, nrhs, i, 0);
        for (int k = i + 1; k < n; k++) {
            double        f = *at_const(l, n, k, i);
            const double *y = at_const(b, nrhs, k, 0);
            for (int j = 0; j < nrhs; j++) {
                x[j] -= f * y[j];
            }
        }
        for (int j = 0; j < nrhs; j++) {
            x[j] /= *at_const(l, n, i, i);
        }
    }
}

/* exchanges rows and columns i < k of a symmetric matrix stored in both triangles */
static void swap_symmetric(double *a, int n, int i, int k) {
    swap_rows(a, n, i, k);
    for (int j = 0; j < n; j++) {
        swap(at(a, n, j, i), at(a, n, j, k));
    }
}

int zw_cholesky_pivoted(int n, double *a, double tolerance, int *perm, double *rest) {
    double top = 0.0;
    int    rank = 0;
    for (int i = 0; i < n; i++) {
        double d = *at(a, n, i, i);
        perm[i] = i;
        if (!isfinite(d)) {
            return -1;
        }
        top = d > top ? d : top;
    }
    double best = 0.0;
    for (; rank < n; rank++) {
        int row = rank;
        best = *at(a, n, rank, rank);
        for (int i = rank; i < n; i++) {
            double d = *at(a, n, i, i);
            if (!isfinite(d) || d < -(tolerance * top + (double)n * DBL_EPSILON * top)) {
                return -1;
            }
            if (d > best) {
                best = d;
                row = i;
            }
        }
        if (best <= tolerance * top || !(best > 0.0)) {
            break;
        }
        if (row != rank) {
            int t = perm[rank];
            perm[rank] = perm[row];
            perm[row] = t;
            swap_symmetric(a, n, rank, row);
        }
        double d = sqrt(best);
        *at(a, n, rank, rank) = d;
        for (int i = rank + 1; i < n; i++) {
            *at(a, n, i, rank) /= d;
        }
        /* right-looking, both triangles, so that later exchanges stay symmetric; columns before rank hold L and are exchanged by rows */
        for (int i = rank + 1; i < n; i++) {
            double f = *at(a, n, i, rank);
            for (int k = rank + 1; k < n; k++) {
                *at(a, n, i, k) -= f * *at(a, n, k, rank);
            }
        }
    }
    if (rest != NULL) {
        *rest = rank < n ? best : 0.0;
    }
    for (int i = 0; i < n; i++) {
        for (int k = i + 1; k < n; k++) {
            *at(a, n, i, k) = 0.0;
        }
        for (int k = rank; k <= i; k++) {
            *at(a, n, i, k) = 0.0;
        }
    }
    return rank;
}

/* ---- QR ---- */

/* length of a[i][k], i = from..m-1, safe from overflow and underflow */
static double column_norm(int m, int n, const double *a, int from, int k) {
    double scale = 0.0, sum = 1.0;
    for (int i = from; i < m; i++) {
        double s = fabs(*at_const(a, n, i, k));
        if (s > 0.0) {
            if (scale < s) {
                sum = 1.0 + sum * (scale / s) * (scale / s);
                scale = s;
            } else {
                sum += (s / scale) * (s / scale);
            }
        } else if (isnan(s)) {
            return s;
        }
    }
    return scale * sqrt(sum);
}

void zw_qr_factor(int m, int n, double *a, double *tau, int *perm, double *work) {
    int steps = m < n ? m : n;
    if (perm != NULL) {
        for (int j = 0; j < n; j++) {
            perm[j] = j;
        }
    }
    for (int k = 0; k < steps; k++) {
        if (perm != NULL) {
            int best = k;
            for (int j = k; j < n; j++) { /* norms anew each time: sizes are small, and downdating loses digits */
                work[j] = column_norm(m, n, a, k, j);
                if (work[j] > work[best]) {
                    best = j;
                }
            }
            if (best != k) {
                int t = perm[k];
                perm[k] = perm[best];
                perm[best] = t;
                for (int i = 0; i < m; i++) {
                    swap(at(a, n, i, k), at(a, n, i, best));
                }
            }
        }
        double length = column_norm(m, n, a, k, k), head = *at(a, n, k, k);
        if (!(length > 0.0)) {
            tau[k] = 0.0;
            continue;
        }
        double beta = head > 0.0 ? -length : length;
        tau[k] = (beta - head) / beta;
        for (int i = k + 1; i < m; i++) {
            *at(a, n, i, k) /= head - beta;
        }
        *at(a, n, k, k) = beta;
        for (int j = k + 1; j < n; j++) {
            work[j] = *at(a, n, k, j);
        }
        for (int i = k + 1; i < m; i++) {
            for (int j = k + 1; j < n; j++) {
                work[j] += *at(a, n, i, k) * *at(a, n, i, j);
            }
        }
        for (int j = k + 1; j < n; j++) {
            work[j] *= tau[k];
            *at(a, n, k, j) -= work[j];
        }
        for (int i = k + 1; i < m; i++) {
            for (int j = k + 1; j < n; j++) {
                *at(a, n, i, j) -= *at(a, n, i, k) * work[j];
            }
        }
    }
}

int zw_qr_rank(int m, int n, const double *qr, double tolerance) {
    int steps = m < n ? m : n, rank = 0;
    if (steps == 0) {
        return 0;
    }
    double top = fabs(qr[0]);
    while (rank < steps && fabs(*at_const(qr, n, rank, rank)) > tolerance * top) {
        rank++;
    }
    return rank;
}

static void reflect(int m, int n, const double *qr, double tau, int k, double *b) {
    double s = b[k];
    for (int i = k + 1; i < m; i++) {
        s += *at_const(qr, n, i, k) * b[i];
    }
    s *= tau;
    b[k] -= s;
    for (int i = k + 1; i < m; i++) {
        b[i] -= s * *at_const(qr, n, i, k);
    }
}

void zw_qr_apply_transposed(int m, int n, const double *qr, const double *tau, double *b) {
    int steps = m < n ? m : n;
    for (int k = 0; k < steps; k++) {
        reflect(m, n, qr, tau[k], k, b);
    }
}

void zw_qr_apply(int m, int n, const double *qr, const double *tau, double *b) {
    int steps = m < n ? m : n;
    for (int k = steps - 1; k >= 0; k--) {
        reflect(m, n, qr, tau[k], k, b);
    }
}

void zw_qr_solve(int m, int n, const double *qr, const double *tau, const int *perm, int rank, double *b, double *x) {
    zw_qr_apply_transposed(m, n, qr, tau, b);
    for (int i = rank - 1; i >= 0; i--) {
        for (int k = i + 1; k < rank; k++) {
            b[i] -= *at_const(qr, n, i, k) * b[k];
        }
        b[i] /= *at_const(qr, n, i, i);
    }
    for (int j = 0; j < n; j++) {
        x[perm != NULL ? perm[j] : j] = j < rank ? b[j] : 0.0;
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * eigen.c: symmetric eigenvalues of small matrices (declared in dense.h): cyclic Jacobi, which gets small eigenvalues of graded
 * matrices right, and implicit QL with Wilkinson's shift for the tridiagonal matrices of Lanczos. Eigenvalues ascend. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "math/dense.h"

static void swap(double *a, double *b) {
    double t = *a;
    *a = *b;
    *b = t;
}

/* ascending order by selection, columns of the nz x n matrix z along */
static void sort(int n, double *values, int nz, double *z) {
    for (int i = 0; i + 1 < n; i++) {
        int best = i;
        for (int k = i + 1; k < n; k++) {
            if (values[k] < values[best]) {
                best = k;
            }
        }
        if (best != i) {
            swap(values + i, values + best);
            for (int k = 0; k < nz; k++) {
                swap(z + (size_t)k * (size_t)n + i, z + (size_t)k * (size_t)n + best);
            }
        }
    }
}

bool zw_sym_eigen(int n, double *a, double *values, double *vectors) {
    enum { SWEEPS = 60 };
    size_t N = (size_t)n;
    bool   done = n < 2;
    if (vectors != NULL) {
        for (size_t i = 0; i < N * N; i++) {
            vectors[i] = i % (N + 1) == 0 ? 1.0 : 0.0;
        }
    }
    for (int sweep = 0; sweep < SWEEPS && !done; sweep++) {
        done = true;
        for (size_t p = 0; p + 1 < N; p++) {
            for (size_t q = p + 1; q < N; q++) {
                double apq = a[p * N + q], app = a[p * N + p], aqq = a[q * N + q];
                if (!isfinite(apq) || !isfinite(app) || !isfinite(aqq)) {
                    return false;
                }
                /* negligible against both diagonals together, also for graded matrices */
                if (fabs(apq) <= DBL_EPSILON * sqrt(fabs(app)) * sqrt(fabs(aqq)) || fabs(apq) < DBL_MIN) {
                    continue;
                }
                /* or when the rotation does not change the diagonal any more */
                double theta = 0.5 * (aqq - app) / apq;
                double t = 1.0 / (fabs(theta) + hypot(theta, 1.0));
                t = theta < 0.0 ? -t : t;
                double shift = t * apq;
                if (app - shift == app && aqq + shift == aqq && fabs(apq) <= 0.25 * DBL_EPSILON * (fabs(app) + fabs(aqq))) {
                    continue;
                }
                done = false;
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (size_t k = 0; k < N; k++) {
                    if (k != p && k != q) {
                        double akp = a[k * N + p], akq = a[k * N + q];
                        a[k * N + p] = a[p * N + k] = c * akp - s * akq;
                        a[k * N + q] = a[q * N + k] = s * akp + c * akq;
                    }
                }
                a[p * N + p] = app - shift;
                a[q * N + q] = aqq + shift;
                a[p * N + q] = a[q * N + p] = 0.0;
                if (vectors != NULL) {
                    for (size_t k = 0; k < N; k++) {
                        double vp = vectors[k * N + p], vq = vectors[k * N + q];
                        vectors[k * N + p] = c * vp - s * vq;
                        vectors[k * N + q] = s * vp + c * vq;
                    }
                }
            }
        }
    }
    for (size_t i = 0; i < N; i++) {
        values[i] = a[i * N + i];
        if (!isfinite(values[i])) {
            return false;
        }
    }
    sort(n, values, vectors != NULL ? n : 0, vectors);
    return done;
}

void zw_sym3_eigen(const double a[9], double values[3], double vectors[9]) {
    double t[9], v[9];
    for (int i = 0; i < 9; i++) {
        t[i] = a[i];
    }
    if (!zw_sym_eigen(3, t, values, v)) {
        for (int i = 0; i < 3; i++) {
            values[i] = NAN;
        }
    }
    if (vectors != NULL) {
        for (int i = 0; i < 9; i++) {
            vectors[i] = v[i];
        }
    }
}

/* Implicit QL: chase the bulge of the rotation that starts at the end m of an unreduced piece l..m up to its beginning l. */
bool zw_tridiagonal_eigen(int n, double *d, double *e, int nz, double *z) {
    enum { PASSES = 60 };
    if (n <= 0) {
        return true;
    }
    if (z == NULL) {
        nz = 0;
    }
    e[n - 1] = 0.0;
    for (int l = 0; l < n; l++) {
        for (int pass = 0;; pass++) {
            int m = l;
            while (m + 1 < n) { /* end of the piece: first negligible coupling */
                double size = fabs(d[m]) + fabs(d[m + 1]);
                if (fabs(e[m]) <= 0.5 * DBL_EPSILON * size) {
                    break;
                }
                m++;
            }
            if (m == l) {
                break;
            }
            if (pass == PASSES || !isfinite(d[l]) || !isfinite(e[l])) {
                return false;
            }
            double g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            double r = hypot(g, 1.0);
            g = d[m] - d[l] + e[l] / (g + (g < 0.0 ? -r : r));
            double s = 1.0, c = 1.0, p = 0.0;
            int    i = m - 1;
            for (; i >= l; i--) {
                double f = s * e[i], b = c * e[i];
                r = hypot(f, g);
                e[i + 1] = r;
                if (r == 0.0) { /* the piece falls apart here: begin anew */
                    d[i + 1] -= p;
                    e[m] = 0.0;
                    break;
                }
                s = f / r;
                c = g / r;
                g = d[i + 1] - p;
                r = (d[i] - g) * s + 2.0 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
                for (int k = 0; k < nz; k++) {
                    double *row = z + (size_t)k * (size_t)n;
                    f = row[i + 1];
                    row[i + 1] = s * row[i] + c * f;
                    row[i] = c * row[i] - s * f;
                }
            }
            if (r == 0.0 && i >= l) {
                continue;
            }
            d[l] -= p;
            e[l] = g;
            e[m] = 0.0;
        }
    }
    sort(n, d, nz, z);
    return true;
}

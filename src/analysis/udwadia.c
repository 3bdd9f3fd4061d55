/* SPDX-License-Identifier: Apache-2.0
 * udwadia.c: Udwadia and Kalaba's explicit accelerations. With C = A M^-1/2 (M^-1/2 by eigenvalues, rows of A scaled to the same size) and C = U W by
 * one-sided Jacobi turns, the rows w_i of W orthogonal:  C^+ = sum_i w_i u_i'/|w_i|^2. */
#include "analysis/udwadia.h"

#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double *numbers(zw_arena *arena, int rows, int columns) {
    return zw_arena_alloc(arena, (size_t)rows * (size_t)columns + 1, sizeof(double), "Udwadia-Kalaba");
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double row_scale(const zw_udwadia_problem *p, int i) {
    const double *row = p->A + (size_t)i * (size_t)p->n;
    double        sum = 0.0;
    for (int j = 0; j < p->n; j++) {
        sum += row[j] * row[j] / p->M[(size_t)j * (size_t)(p->n + 1)];
    }
    return sum > 0.0 ? 1.0 / sqrt(sum) : 1.0;
}

/* rows of W (m x n) made orthogonal by turns, which U (m x m, the identity at first) collects: C = U W */
static void orthogonalise(int m, int n, double *W, double *U) {
    enum { SWEEPS = 60 };
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool turned = false;
        for (int i = 0; i < m; i++) {
            for (int j = i + 1; j < m; j++) {
                double *x = W + (size_t)i * (size_t)n, *y = W + (size_t)j * (size_t)n;
                double  xx = dot(n, x, x), yy = dot(n, y, y), xy = dot(n, x, y);
                if (!(fabs(xy) > 2.0 * DBL_EPSILON * sqrt(xx * yy)) || xx == 0.0 || yy == 0.0) {
                    continue;
                }
                double zeta = (yy - xx) / (2.0 * xy);
                double t = (zeta < 0.0 ? -1.0 : 1.0) / (fabs(zeta) + hypot(1.0, zeta)), c = 1.0 / sqrt(1.0 + t * t), s = c * t;
                for (int k = 0; k < n; k++) {
                    double xk = x[k];
                    x[k] = c * xk - s * y[k];
                    y[k] = s * xk + c * y[k];
                }
                for (int k = 0; k < m; k++) {
                    double *u = U + (size_t)k * (size_t)m, ui = u[i];
                    u[i] = c * ui - s * u[j];
                    u[j] = s * ui + c * u[j];
                }
                turned = true;
            }
        }
        if (!turned) {
            return;
        }
    }
}

zw_status zw_udwadia_solve(zw_arena *arena, const zw_udwadia_problem *p, double *a, double *lambda, double *condition, bool *solved) {
    int     n = p->n, m = p->m;
    size_t  N = (size_t)n, R = (size_t)m;
    double *V = numbers(arena, n, n), *H = numbers(arena, n, n), *values = numbers(arena, n, 1), *copy = numbers(arena, n, n);
    double *W = numbers(arena, m, n), *U = numbers(arena, m, m), *s = numbers(arena, m, 1), *size = numbers(arena, m, 1);
    double *r = numbers(arena, m, 1), *z = numbers(arena, n, 1);
    *solved = false;
    *condition = 1.0;
    if (V == NULL || H == NULL || values == NULL || copy == NULL || W == NULL || U == NULL || s == NULL || size == NULL || r == NULL ||
        z == NULL) {
        return ZW_E_MEMORY;
    }
    memcpy(copy, p->M, sizeof(double) * N * N);
    if (!zw_sym_eigen(n, copy, values, V) || (n > 0 && !(values[0] > 0.0))) {
        return ZW_OK;
    }
    for (int k = 0; k < n; k++) { /* H = M^-1/2 */
        double root = 1.0 / sqrt(values[k]);
        for (int i = 0; i < n; i++) {
            double v = root * V[(size_t)i * N + (size_t)k];
            for (int j = 0; v != 0.0 && j < n; j++) {
                H[(size_t)i * N + (size_t)j] += v * V[(size_t)j * N + (size_t)k];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        z[i] = dot(n, H + (size_t)i * N, p->f);
    }
    for (int i = 0; i < n; i++) {
        a[i] = dot(n, H + (size_t)i * N, z); /* a_free */
    }
    for (int i = 0; i < m; i++) {
        s[i] = row_scale(p, i);
        for (int j = 0; j < n; j++) {
            double v = s[i] * p->A[(size_t)i * N + (size_t)j];
            for (int k = 0; v != 0.0 && k < n; k++) {
                W[(size_t)i * N + (size_t)k] += v * H[(size_t)j * N + (size_t)k];
            }
        }
        r[i] = s[i] * (p->b[i] - dot(n, p->A + (size_t)i * N, a));
        U[(size_t)i * R + (size_t)i] = 1.0;
        lambda[i] = 0.0;
    }
    orthogonalise(m, n, W, U);
    memset(z, 0, sizeof(double) * N);
    double most = 0.0, least = 0.0;
    for (int i = 0; i < m; i++) {
        size[i] = dot(n, W + (size_t)i * N, W + (size_t)i * N);
    }
    for (int kept = 0; kept < p->rank; kept++) { /* the largest first: as many as there are independent rows */
        int best = -1;
        for (int i = 0; i < m; i++) {
            best = size[i] > 0.0 && (best < 0 || size[i] > size[best]) ? i : best;
        }
        if (best < 0) {
            return ZW_OK;
        }
        most = kept == 0 ? size[best] : most;
        least = size[best];
        double along = 0.0;
        for (int i = 0; i < m; i++) {
            along += U[(size_t)i * R + (size_t)best] * r[i];
        }
        for (int k = 0; k < n; k++) {
            z[k] += W[(size_t)best * N + (size_t)k] * along / size[best];
        }
        for (int i = 0; i < m; i++) {
            lambda[i] += s[i] * U[(size_t)i * R + (size_t)best] * along / size[best];
        }
        size[best] = -1.0;
    }
    for (int i = 0; i < n; i++) {
        a[i] += dot(n, H + (size_t)i * N, z);
    }
    *condition = p->rank > 0 ? most / least : 1.0;
    *solved = true;
    return ZW_OK;
}

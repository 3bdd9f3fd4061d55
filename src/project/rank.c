/* SPDX-License-Identifier: Apache-2.0
 * rank.c: redundant rows.
 *
 * The scaled matrix D S D has unit diagonal (D = 1/sqrt(diag S)); its pivot for a row is sin^2 of the angle, in the metric H^-1, between
 * the row and the span of the rows before it. Rounding alone leaves about eps times the number of terms there, so a pivot up to
 * 1e-12 min(m, 64) means dependence: an angle below 1e-6 .. 8e-6. Scaling makes this free of the units of rows, not of the masses: the
 * joints on both sides of a body about 1e12 times lighter than its two neighbours are parallel in this sense, and count as one.
 * Large components are not pivoted: there the error of a pivot grows with the condition of the rows before it, and a redundant row can pass
 * as independent with a pivot near 1e-10. The motion is still right (refinement sees to it); rank and least norm then are not.
 *
 * With N the null space of D S D (blockchol.h), D N is that of S and of A'. The multiplier of least Euclidean norm is
 *     lambda = lambda_0 - D N (N' D^2 N)^-1 N' D lambda_0 .
 * Small components keep an orthonormal basis of D N. Large ones apply N and N' by substitution and solve for the coefficients by
 * conjugate gradients, which needs as many rounds as there are redundant rows and no storage that depends on their number. */
#include "project/rank.h"

#include <math.h>
#include <string.h>

double zw_rank_tolerance(int m) {
    return 1e-12 * (m < 64 ? (double)m : 64.0);
}

static double dot(int n, const double *a, const double *b) {
    double t = 0.0;
    for (int i = 0; i < n; i++) {
        t += a[i] * b[i];
    }
    return t;
}

void zw_rank_null_space(zw_component *k) {
    int m = k->m, r = k->rank;
    for (int j = 0; j < m - r; j++) {
        double *z = k->z + (size_t)j * (size_t)m;
        memset(z, 0, (size_t)m * sizeof *z);
        z[r + j] = 1.0;
        zw_component_backward(k, z);
        for (int i = 0; i < m; i++) {
            z[i] *= k->d[i];
        }
        double norm = sqrt(dot(m, z, z));
        for (int i = 0; i < m; i++) {
            z[i] /= norm;
        }
        for (int pass = 0; pass < 2; pass++) { /* Gram-Schmidt twice is enough */
            for (int l = 0; l < j; l++) {
                const double *w = k->z + (size_t)l * (size_t)m;
                double        t = dot(m, w, z);
                for (int i = 0; i < m; i++) {
                    z[i] -= t * w[i];
                }
            }
            norm = sqrt(dot(m, z, z));
            for (int i = 0; i < m; i++) {
                z[i] = norm > 0.0 ? z[i] / norm : 0.0;
            }
        }
    }
}

/* v <- the entries of N' D^2 N v at dependent places, 0 elsewhere; v is 0 at independent places */
static void gram_apply(const zw_component *k, double *v) {
    zw_component_backward(k, v);
    for (int i = 0; i < k->m; i++) {
        v[i] *= k->d[i] * k->d[i];
    }
    zw_component_forward(k, v);
    for (int i = 0; i < k->m; i++) {
        if (!zw_component_depends(k, i)) {
            v[i] = 0.0;
        }
    }
}

/* coefficients y at dependent places with N' D^2 N y = r (r is used up), preconditioned by the D^2 that stands alone in it */
static void gram_solve(const zw_component *k, double *r, double *y, double *p, double *q) {
    int    m = k->m, redundant = m - k->rank;
    double rz = 0.0, first;
    for (int i = 0; i < m; i++) {
        p[i] = r[i] / (k->d[i] * k->d[i]);
        rz += r[i] * p[i];
        y[i] = 0.0;
    }
    first = rz;
    for (int round = 0; round < 2 * redundant + 20 && rz > 1e-32 * first; round++) {
        memcpy(q, p, (size_t)m * sizeof *q);
        gram_apply(k, q);
        double pq = dot(m, p, q);
        if (!(pq > 0.0)) {
            break;
        }
        double step = rz / pq, old = rz;
        rz = 0.0;
        for (int i = 0; i < m; i++) {
            y[i] += step * p[i];
            r[i] -= step * q[i];
            rz += r[i] * (r[i] / (k->d[i] * k->d[i]));
        }
        for (int i = 0; i < m; i++) {
            p[i] = r[i] / (k->d[i] * k->d[i]) + rz / old * p[i];
        }
    }
}

void zw_rank_least_norm(const zw_component *k, double *v, double *work) {
    int m = k->m;
    if (k->rank == m) {
        return;
    }
    if (k->dense) {
        for (int pass = 0; pass < 2; pass++) { /* the second takes out the rounding of the first */
            for (int j = 0; j < m - k->rank; j++) {
                const double *z = k->z + (size_t)j * (size_t)m;
                double        t = dot(m, z, v);
                for (int i = 0; i < m; i++) {
                    v[i] -= t * z[i];
                }
            }
        }
        return;
    }
    double *r = work, *y = work + m, *p = work + 2 * (size_t)m, *q = work + 3 * (size_t)m;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m; i++) {
            r[i] = k->d[i] * v[i];
        }
        zw_component_forward(k, r);
        for (int i = 0; i < m; i++) {
            r[i] = zw_component_depends(k, i) ? r[i] : 0.0;
        }
        gram_solve(k, r, y, p, q);
        zw_component_backward(k, y);
        for (int i = 0; i < m; i++) {
            v[i] -= k->d[i] * y[i];
        }
    }
}

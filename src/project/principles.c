/* SPDX-License-Identifier: Apache-2.0
 * principles.c: accelerations by multipliers and by Mac-Millan's reduced equations, see principles.h. */
#include "project/principles.h"

#include "base/context.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

zw_status zw_principles_create(zw_context *c, int n, int m, zw_principles *out) {
    size_t N = (size_t)n, K = (size_t)n + (size_t)m;
    *out = (zw_principles){.context = c, .n = n, .m = m};
    out->work = zw_alloc(c, K * K + 2 * N * N + 4 * K, sizeof(double), "principles");
    out->pivot = zw_alloc(c, 2 * K, sizeof(int), "principles");
    if (out->work == NULL || out->pivot == NULL) {
        zw_principles_destroy(out);
        return ZW_E_MEMORY;
    }
    return ZW_OK;
}

void zw_principles_destroy(zw_principles *p) {
    if (p->context != NULL) {
        zw_free(p->context, p->work);
        zw_free(p->context, p->pivot);
    }
    *p = (zw_principles){0};
}

void zw_principles_dense(const zw_metric *H, const zw_rows *rows, double *M, double *A) {
    int n = H->n;
    memset(M, 0, sizeof *M * (size_t)n * (size_t)n);
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *h = &H->part[k];
        double          *to = M + (size_t)H->v0[k] * (size_t)(n + 1);
        if (h->kind == ZW_DIAGONAL) {
            for (int i = 0; i < h->n; i++) {
                to[(size_t)i * (size_t)(n + 1)] = h->a[i];
            }
            continue;
        }
        for (int i = 0, b = h->block; i < h->n / b; i++) {
            for (int q = h->start[i]; q < h->start[i + 1]; q++) {
                for (int r = 0; r < b; r++) {
                    memcpy(to + (size_t)(i * b + r) * (size_t)n + (size_t)(h->col[q] * b),
                           h->a + ((size_t)q * (size_t)b + (size_t)r) * (size_t)b, sizeof *M * (size_t)b);
                }
            }
        }
    }
    if (rows->m > 0) {
        memset(A, 0, sizeof *A * (size_t)rows->m * (size_t)n);
    }
    for (int t = 0; t < rows->ntiles; t++) {
        const zw_tile *tile = &rows->tile[t];
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            const zw_block *b = &rows->block[k];
            for (int i = 0; i < tile->m * b->ncol; i++) {
                A[(size_t)(tile->row + i / b->ncol) * (size_t)n + (size_t)(b->col0 + i % b->ncol)] += rows->a[b->a + i];
            }
        }
    }
}

static bool finite(int n, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += v[i] - v[i];
    }
    return sum == 0.0;
}

/* of rows scaled to unit length: below it they count as dependent, as in the kernel, whose pivots are the squares of these */
static const double least_pivot = 1e-6;

static zw_status refuse(zw_principles *p, bool sound, const char *what) {
    if (!sound) {
        return zw_raise(p->context, ZW_E_DIVERGED, "accelerations", "look at the state that they were asked for", "they are not finite");
    }
    return zw_raise(p->context, ZW_E_RANK, "constraints", "use formulation: gauss, which solves redundant constraints with least norm",
                    "%s is singular: a constraint follows from the others or does not hold any velocity here", what);
}

zw_status zw_principles_multiplier(zw_principles *p, const double *M, const double *A, const double *f, const double *b, double *a,
                                   double *lambda) {
    int     n = p->n, m = p->m, K = n + m;
    double *k = p->work, *x = k + (size_t)K * (size_t)K, largest = 0.0;
    if (finite(m * n, A) && finite(n * n, M) && m > 0 && zw_principles_partition(p, M, A, p->pivot + K) < least_pivot) {
        return refuse(p, true, "the matrix of multipliers");
    }
    memset(k, 0, sizeof *k * (size_t)K * (size_t)K);
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, M[i * n + i]);
    }
    /* rows of A in the size of M, so that partial pivoting compares like with like */
    for (int i = 0; i < n; i++) {
        memcpy(k + (size_t)i * (size_t)K, M + (size_t)i * (size_t)n, sizeof *k * (size_t)n);
        x[i] = f[i];
    }
    for (int i = 0; i < m; i++) {
        double size = 0.0;
        for (int j = 0; j < n; j++) {
            size = fmax(size, fabs(A[i * n + j]));
        }
        double scale = size > 0.0 ? largest / size : 1.0;
        for (int j = 0; j < n; j++) {
            k[(size_t)(n + i) * (size_t)K + (size_t)j] = scale * A[i * n + j];
            k[(size_t)j * (size_t)K + (size_t)(n + i)] = -scale * A[i * n + j];
        }
        x[n + i] = scale * b[i];
        x[K + i] = scale;
    }
    bool sound = finite(K * K, k) && finite(K, x);
    if (!sound || zw_lu_factor(K, k, p->pivot) >= 0) {
        return refuse(p, sound, "the matrix of multipliers");
    }
    zw_lu_solve(K, k, p->pivot, 1, x);
    memcpy(a, x, sizeof *a * (size_t)n);
    for (int i = 0; i < m; i++) {
        lambda[i] = x[n + i] * x[K + i];
    }
    return finite(K, x) ? ZW_OK : refuse(p, false, "");
}

/* A with unit rows in the metric of the diagonal of M */
static void scaled(zw_principles *p, const double *M, const double *A, double *out) {
    int n = p->n;
    for (int i = 0; i < p->m; i++) {
        double square = 0.0;
        for (int j = 0; j < n; j++) {
            double t = A[i * n + j] / sqrt(M[j * n + j]);
            out[i * n + j] = t;
            square += t * t;
        }
        for (int j = 0; j < n; j++) {
            out[i * n + j] = square > 0.0 ? out[i * n + j] / sqrt(square) : 0.0;
        }
    }
}

/* elimination with complete pivoting among the columns order[first .. n-1]; a chosen one moves to the end of the list, the k-th to n-1-k */
static double eliminate(zw_principles *p, double *a, int first, int *order) {
    int    n = p->n, m = p->m;
    double least = INFINITY;
    for (int k = 0; k < m; k++) {
        int    row = k, place = first;
        double best = -1.0;
        for (int i = k; i < m; i++) {
            for (int j = first; j < n - k; j++) {
                double size = fabs(a[i * n + order[j]]);
                if (size > best) {
                    best = size;
                    row = i;
                    place = j;
                }
            }
        }
        if (!(best > 0.0)) {
            return 0.0;
        }
        least = fmin(least, best);
        for (int j = 0; j < n; j++) {
            double t = a[row * n + j];
            a[row * n + j] = a[k * n + j];
            a[k * n + j] = t;
        }
        int col = order[place];
        order[place] = order[n - 1 - k];
        order[n - 1 - k] = col;
        for (int i = k + 1; i < m; i++) {
            double factor = a[i * n + col] / a[k * n + col];
            for (int j = 0; j < n; j++) {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
    }
    return m > 0 ? least : 1.0;
}

static void sort(int n, int *list) {
    for (int i = 1; i < n; i++) {
        for (int j = i; j > 0 && list[j - 1] > list[j]; j--) {
            int t = list[j];
            list[j] = list[j - 1];
            list[j - 1] = t;
        }
    }
}

double zw_principles_partition(zw_principles *p, const double *M, const double *A, int *order) {
    int n = p->n, m = p->m;
    for (int j = 0; j < n; j++) {
        order[j] = j;
    }
    scaled(p, M, A, p->work);
    double least = m <= n ? eliminate(p, p->work, 0, order) : 0.0;
    if (m <= n) {
        sort(n - m, order);
        sort(m, order + (n - m));
    }
    return least;
}

double zw_principles_pivot(zw_principles *p, const double *M, const double *A, const int *order) {
    if (p->m > p->n) {
        return 0.0;
    }
    memcpy(p->pivot, order, sizeof *order * (size_t)p->n);
    scaled(p, M, A, p->work);
    return eliminate(p, p->work, p->n - p->m, p->pivot);
}

zw_status zw_principles_macmillan(zw_principles *p, const double *M, const double *A, const double *f, const double *b, const int *order,
                                  double *a, double *lambda) {
    int        n = p->n, m = p->m, e = n - m;
    const int *dependent = order + e;
    if (e < 0) {
        return refuse(p, true, "the matrix of the dependent velocities");
    }
    bool    independent = m == 0 || !finite(m * n, A) || zw_principles_pivot(p, M, A, order) >= least_pivot;
    double *d = p->work, *S = d + (size_t)m * (size_t)m, *MS = S + (size_t)n * (size_t)n, *R = MS + (size_t)n * (size_t)n,
           *s = R + (size_t)e * (size_t)e, *r = s + n,
           *B = r + n; /* B and the shift of the dependent ones: m x (e + 1); all of it is no more than K^2 + 2 n^2 + 4 K */
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            d[i * m + j] = A[i * n + dependent[j]];
        }
        for (int j = 0; j < e; j++) {
            B[i * (e + 1) + j] = -A[i * n + order[j]];
        }
        B[i * (e + 1) + e] = b[i];
    }
    bool sound = finite(m * n, A) && finite(n * n, M) && finite(n, f);
    if (sound && !independent) {
        return refuse(p, true, "the matrix of the dependent velocities");
    }
    if (!sound || (m > 0 && zw_lu_factor(m, d, p->pivot) >= 0)) {
        return refuse(p, sound, "the matrix of the dependent velocities");
    }
    if (m > 0) {
        zw_lu_solve(m, d, p->pivot, e + 1, B);
    }
    /* S: n x e in the order of the coordinates; s: the shift */
    memset(S, 0, sizeof *S * (size_t)n * (size_t)(e > 0 ? e : 1));
    memset(s, 0, sizeof *s * (size_t)n);
    for (int j = 0; j < e; j++) {
        S[order[j] * e + j] = 1.0;
    }
    for (int i = 0; i < m; i++) {
        memcpy(S + (size_t)dependent[i] * (size_t)e, B + (size_t)i * (size_t)(e + 1), sizeof *S * (size_t)e);
        s[dependent[i]] = B[i * (e + 1) + e];
    }
    for (int i = 0; i < n; i++) {
        r[i] = f[i];
        for (int j = 0; j < n; j++) {
            r[i] -= M[i * n + j] * s[j];
        }
        for (int k = 0; k < e; k++) {
            double t = 0.0;
            for (int j = 0; j < n; j++) {
                t += M[i * n + j] * S[j * e + k];
            }
            MS[i * e + k] = t;
        }
    }
    double *x = a; /* the independent accelerations first stand in a[0 .. e-1] */
    for (int k = 0; k < e; k++) {
        for (int l = 0; l <= k; l++) {
            double t = 0.0;
            for (int i = 0; i < n; i++) {
                t += S[i * e + k] * MS[i * e + l];
            }
            R[k * e + l] = t;
        }
        double t = 0.0;
        for (int i = 0; i < n; i++) {
            t += S[i * e + k] * r[i];
        }
        x[k] = t;
    }
    if (e > 0 && zw_cholesky_factor(e, R) >= 0) {
        return refuse(p, finite(e * e, R), "the reduced mass S'MS");
    }
    if (e > 0) {
        zw_cholesky_solve(e, R, 1, x);
    }
    memcpy(r, x, sizeof *r * (size_t)e);
    for (int i = 0; i < n; i++) {
        double t = s[i];
        for (int k = 0; k < e; k++) {
            t += S[i * e + k] * r[k];
        }
        a[i] = t;
    }
    for (int i = 0; i < m; i++) { /* A_d' lambda = (M a - f)_d */
        double t = -f[dependent[i]];
        for (int j = 0; j < n; j++) {
            t += M[dependent[i] * n + j] * a[j];
        }
        lambda[i] = t;
    }
    if (m > 0) {
        zw_lu_solve_transposed(m, d, p->pivot, lambda);
    }
    return finite(n, a) ? ZW_OK : refuse(p, false, "");
}

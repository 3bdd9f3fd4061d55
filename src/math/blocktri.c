/* SPDX-License-Identifier: Apache-2.0
 * blocktri.c: block LU of a bordered block-tridiagonal matrix (what and why: blocktri.h).
 *
 *     S_0 = diag_0,  W_i = S_i^-1 upper_i,  S_{i+1} = diag_{i+1} - lower_{i+1} W_i
 *     y_i = S_i^-1 (f_i - lower_i y_{i-1}),  x_i = y_i - W_i x_{i+1}
 *     border: Z = T^-1 B,  (D - C Z) y = g - C T^-1 f,  x = T^-1 f - Z y
 * The kernels take the block size as an argument and are inlined with the constant 6 for rods. Diagonals of stored LU factors hold the
 * reciprocal of the pivot. */
#include "math/blocktri.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "math/dense.h"

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* ---- kernels ---- */

/* out(b x m) -= a(b x b) x(b x m) */
INLINE void block_mulsub(int b, int m, const double *restrict a, const double *restrict x, double *restrict out) {
    for (int i = 0; i < b; i++) {
        double *row = out + (size_t)i * (size_t)m;
        for (int k = 0; k < b; k++) {
            double        f = a[i * b + k];
            const double *xk = x + (size_t)k * (size_t)m;
            for (int j = 0; j < m; j++) {
                row[j] -= f * xk[j];
            }
        }
    }
}

/* LU with the pivot that is largest against the scale of its row; the scales travel with their rows.
 * Returns -1, or the column without a pivot; *ratio shrinks to the smallest scaled pivot met. */
INLINE int block_factor(int b, double *a, int *exchange, double *scale, double singular, double *ratio) {
    for (int k = 0; k < b; k++) {
        int    best = k;
        double size = fabs(a[k * b + k]) / scale[k];
        for (int i = k + 1; i < b; i++) {
            double s = fabs(a[i * b + k]) / scale[i];
            if (s > size || (isnan(s) && !isnan(size))) {
                size = s;
                best = i;
            }
        }
        exchange[k] = best;
        *ratio = size < *ratio || isnan(size) ? size : *ratio;
        if (!(size > singular) || !isfinite(size)) {
            return k;
        }
        if (best != k) {
            for (int j = 0; j < b; j++) {
                double t = a[k * b + j];
                a[k * b + j] = a[best * b + j];
                a[best * b + j] = t;
            }
            double t = scale[k];
            scale[k] = scale[best];
            scale[best] = t;
        }
        double inverse = 1.0 / a[k * b + k];
        a[k * b + k] = inverse;
        for (int i = k + 1; i < b; i++) {
            double f = a[i * b + k] * inverse;
            a[i * b + k] = f;
            for (int j = k + 1; j < b; j++) {
                a[i * b + j] -= f * a[k * b + j];
            }
        }
    }
    return -1;
}

/* x(b x m) <- S^-1 x */
INLINE void block_solve(int b, int m, const double *restrict lu, const int *restrict exchange, double *restrict x) {
    size_t M = (size_t)m;
    for (int k = 0; k < b; k++) {
        int other = exchange[k];
        if (other != k) {
            double *p = x + (size_t)k * M, *q = x + (size_t)other * M;
            for (int j = 0; j < m; j++) {
                double t = p[j];
                p[j] = q[j];
                q[j] = t;
            }
        }
    }
    for (int i = 1; i < b; i++) {
        double *xi = x + (size_t)i * M;
        for (int k = 0; k < i; k++) {
            double        f = lu[i * b + k];
            const double *xk = x + (size_t)k * M;
            for (int j = 0; j < m; j++) {
                xi[j] -= f * xk[j];
            }
        }
    }
    for (int i = b - 1; i >= 0; i--) {
        double *xi = x + (size_t)i * M;
        for (int k = i + 1; k < b; k++) {
            double        f = lu[i * b + k];
            const double *xk = x + (size_t)k * M;
            for (int j = 0; j < m; j++) {
                xi[j] -= f * xk[j];
            }
        }
        double d = lu[i * b + i];
        for (int j = 0; j < m; j++) {
            xi[j] *= d;
        }
    }
}

static double largest(const double *a, size_t n, double so_far) {
    for (size_t i = 0; i < n; i++) {
        double s = fabs(a[i]);
        so_far = s > so_far ? s : so_far;
    }
    return so_far;
}

/* ---- create and destroy ---- */

void zw_blocktri_destroy(zw_blocktri *t) {
    if (t == NULL) {
        return;
    }
    double *arrays[] = {t->lower, t->diag,  t->upper, t->column, t->row,    t->corner, t->pivots, t->gain,
                        t->reach, t->schur, t->scale, t->work_f, t->work_r, t->work_g, t->work_s};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        zw_free(t->context, arrays[i]);
    }
    zw_free(t->context, t->exchange);
    zw_free(t->context, t->schur_exchange);
    zw_free(t->context, t);
}

static bool product_fits(size_t a, size_t b) {
    return b == 0 || a <= SIZE_MAX / sizeof(double) / b;
}

zw_status zw_blocktri_create(zw_context *c, int n, int b, int nb, int max_rhs, zw_blocktri **out) {
    *out = NULL;
    if (n < 1 || b < 1 || nb < 0 || max_rhs < 1) {
        return zw_raise(c, ZW_E_ARG, "block-tridiagonal matrix", "give at least one block, block size 1 and one right side",
                        "%d blocks of size %d with %d border unknowns and %d right sides", n, b, nb, max_rhs);
    }
    if (n > INT_MAX / b || nb > INT_MAX - n * b || !product_fits((size_t)n * (size_t)b, (size_t)b) ||
        !product_fits((size_t)n * (size_t)b, (size_t)nb) || !product_fits((size_t)n * (size_t)b, (size_t)max_rhs) ||
        !product_fits((size_t)nb, (size_t)nb) || !product_fits((size_t)nb, (size_t)max_rhs)) {
        return zw_raise(c, ZW_E_LIMIT, "block-tridiagonal matrix", "use fewer elements or fewer border unknowns",
                        "%d blocks of size %d with %d border unknowns and %d right sides do not fit into memory", n, b, nb, max_rhs);
    }
    zw_blocktri *t = zw_alloc(c, 1, sizeof *t, "block-tridiagonal matrix");
    if (t == NULL) {
        return ZW_E_MEMORY;
    }
    size_t rows = (size_t)n * (size_t)b, blocks = rows * (size_t)b, border = (size_t)nb, rhs = (size_t)max_rhs;
    t->context = c;
    t->n = n;
    t->b = b;
    t->nb = nb;
    t->max_rhs = max_rhs;
    t->singular = 16.0 * DBL_EPSILON;
    t->report.bad_block = -1;
    t->report.bad_column = -1;
    struct {
        double **where;
        size_t   count;
    } arrays[] = {
        {&t->lower, blocks},          {&t->diag, blocks},         {&t->upper, blocks},           {&t->pivots, blocks},
        {&t->gain, blocks},           {&t->scale, rows + border}, {&t->work_f, rows * rhs},      {&t->work_r, rows * rhs},
        {&t->column, rows * border},  {&t->row, rows * border},   {&t->corner, border * border}, {&t->reach, rows * border},
        {&t->schur, border * border}, {&t->work_g, border * rhs}, {&t->work_s, border * rhs},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (arrays[i].count == 0) {
            continue;
        }
        *arrays[i].where = zw_alloc(c, arrays[i].count, sizeof(double), "block-tridiagonal matrix");
        if (*arrays[i].where == NULL) {
            zw_blocktri_destroy(t);
            return ZW_E_MEMORY;
        }
    }
    t->exchange = zw_alloc(c, rows, sizeof(int), "row exchanges of a block-tridiagonal matrix");
    t->schur_exchange = t->exchange == NULL ? NULL : zw_alloc(c, border + 1, sizeof(int), "row exchanges of a border");
    if (t->schur_exchange == NULL) {
        zw_blocktri_destroy(t);
        return ZW_E_MEMORY;
    }
    *out = t;
    return ZW_OK;
}

void zw_blocktri_zero(zw_blocktri *t) {
    size_t rows = (size_t)t->n * (size_t)t->b, blocks = rows * (size_t)t->b, border = (size_t)t->nb;
    memset(t->lower, 0, blocks * sizeof(double));
    memset(t->diag, 0, blocks * sizeof(double));
    memset(t->upper, 0, blocks * sizeof(double));
    if (border > 0) {
        memset(t->column, 0, rows * border * sizeof(double));
        memset(t->row, 0, rows * border * sizeof(double));
        memset(t->corner, 0, border * border * sizeof(double));
    }
    t->factored = false;
}

/* ---- factor ---- */

/* scale of every row: its largest entry in lower, diag, upper (1 for a row of zeros, whose pivot then counts as zero) */
static double row_scales(zw_blocktri *t) {
    int    n = t->n, b = t->b;
    double top = 0.0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < b; k++) {
            size_t at = ((size_t)i * (size_t)b + (size_t)k) * (size_t)b;
            double s = largest(t->diag + at, (size_t)b, 0.0);
            s = i > 0 ? largest(t->lower + at, (size_t)b, s) : s;
            s = i + 1 < n ? largest(t->upper + at, (size_t)b, s) : s;
            t->scale[(size_t)i * (size_t)b + (size_t)k] = s > 0.0 ? s : 1.0;
            top = s > top ? s : top;
        }
    }
    return top;
}

static zw_status fail(zw_blocktri *t, int block, int row) {
    t->report.bad_block = block;
    t->report.bad_column = row;
    t->report.det_sign = 0;
    return isfinite(t->report.pivot_ratio) ? ZW_E_RANK : ZW_E_DIVERGED;
}

static int block_sign(int b, const double *lu, const int *exchange) {
    int sign = 1;
    for (int k = 0; k < b; k++) {
        if ((lu[k * b + k] < 0.0) != (exchange[k] != k)) {
            sign = -sign;
        }
    }
    return sign;
}

static zw_status count_negative(zw_blocktri *t, int size, double *copy, double *values, int block, int *negative) {
    if (!zw_sym_eigen(size, copy, values, NULL)) {
        t->report.pivot_ratio = NAN;
        return fail(t, block, 0);
    }
    for (int k = 0; k < size; k++) {
        *negative += values[k] < 0.0 ? 1 : 0;
    }
    return ZW_OK;
}

INLINE zw_status factor_chain(zw_blocktri *t, int b, double top, int *negative) {
    size_t bb = (size_t)b * (size_t)b;
    int    n = t->n, sign = 1;
    double highest = 0.0;
    for (int i = 0; i < n; i++) {
        double *s = t->pivots + (size_t)i * bb, *w = t->gain + (size_t)i * bb;
        int    *exchange = t->exchange + (size_t)i * (size_t)b;
        memcpy(s, t->diag + (size_t)i * bb, bb * sizeof(double));
        if (i > 0) {
            block_mulsub(b, b, t->lower + (size_t)i * bb, w - bb, s);
        }
        highest = largest(s, bb, highest);
        if (negative != NULL) {
            memcpy(w, s, bb * sizeof(double));
            ZW_TRY(count_negative(t, b, w, t->work_r, i, negative));
        }
        int bad = block_factor(b, s, exchange, t->scale + (size_t)i * (size_t)b, t->singular, &t->report.pivot_ratio);
        if (bad >= 0) {
            return fail(t, i, bad);
        }
        sign *= block_sign(b, s, exchange);
        if (i + 1 < n) {
            memcpy(w, t->upper + (size_t)i * bb, bb * sizeof(double));
            block_solve(b, b, s, exchange, w);
        }
    }
    t->report.det_sign = sign;
    t->report.growth = top > 0.0 ? highest / top : 1.0;
    return ZW_OK;
}

/* x <- T^-1 x */
INLINE void solve_chain(const zw_blocktri *t, int b, int m, double *x) {
    size_t bb = (size_t)b * (size_t)b, bm = (size_t)b * (size_t)m;
    int    n = t->n;
    for (int i = 0; i < n; i++) {
        double *xi = x + (size_t)i * bm;
        if (i > 0) {
            block_mulsub(b, m, t->lower + (size_t)i * bb, xi - bm, xi);
        }
        block_solve(b, m, t->pivots + (size_t)i * bb, t->exchange + (size_t)i * (size_t)b, xi);
    }
    for (int i = n - 2; i >= 0; i--) {
        double *xi = x + (size_t)i * bm;
        block_mulsub(b, m, t->gain + (size_t)i * bb, xi + bm, xi);
    }
}

static void chain_apply_inverse(const zw_blocktri *t, int m, double *x) {
    if (t->b == 6 && m == 1) {
        solve_chain(t, 6, 1, x);
    } else if (t->b == 6) {
        solve_chain(t, 6, m, x);
    } else {
        solve_chain(t, t->b, m, x);
    }
}

static zw_status factor_border(zw_blocktri *t, int *negative) {
    int     nb = t->nb, rows = t->n * t->b;
    double *scale = t->scale + rows;
    memcpy(t->reach, t->column, (size_t)rows * (size_t)nb * sizeof(double));
    chain_apply_inverse(t, nb, t->reach);
    memcpy(t->schur, t->corner, (size_t)nb * (size_t)nb * sizeof(double));
    for (int r = 0; r < nb; r++) {
        double       *s = t->schur + (size_t)r * (size_t)nb;
        const double *c = t->row + (size_t)r * (size_t)rows;
        for (int k = 0; k < rows; k++) {
            const double *z = t->reach + (size_t)k * (size_t)nb;
            for (int j = 0; j < nb; j++) {
                s[j] -= c[k] * z[j];
            }
        }
        /* what the row is made of, before it cancels */
        scale[r] = 0.0;
        for (int j = 0; j < nb; j++) {
            double sum = fabs(t->corner[(size_t)r * (size_t)nb + (size_t)j]);
            for (int k = 0; k < rows; k++) {
                sum += fabs(c[k] * t->reach[(size_t)k * (size_t)nb + (size_t)j]);
            }
            scale[r] = sum > scale[r] ? sum : scale[r];
        }
        scale[r] = scale[r] > 0.0 ? scale[r] : 1.0;
    }
    if (negative != NULL) {
        return count_negative(t, nb, t->schur, scale, t->n, negative);
    }
    int bad = block_factor(nb, t->schur, t->schur_exchange, scale, t->singular, &t->report.pivot_ratio);
    if (bad >= 0) {
        return fail(t, t->n, bad);
    }
    t->report.det_sign *= block_sign(nb, t->schur, t->schur_exchange);
    return ZW_OK;
}

static zw_status factor(zw_blocktri *t, int *negative) {
    double top = row_scales(t);
    t->factored = false;
    t->report = (zw_blocktri_report){.bad_block = -1, .bad_column = -1, .pivot_ratio = HUGE_VAL, .growth = 1.0, .residual = -1.0};
    ZW_TRY(t->b == 6 ? factor_chain(t, 6, top, negative) : factor_chain(t, t->b, top, negative));
    if (t->nb > 0) {
        ZW_TRY(factor_border(t, negative));
    }
    return ZW_OK;
}

zw_status zw_blocktri_factor(zw_blocktri *t) {
    ZW_TRY(factor(t, NULL));
    t->factored = true;
    return ZW_OK;
}

zw_status zw_blocktri_negative(zw_blocktri *t, int *negative) {
    *negative = 0;
    return factor(t, negative);
}

/* ---- solve ---- */

/* x, y <- A^-1 (x, y) */
static void apply_inverse(const zw_blocktri *t, int m, double *x, double *y) {
    int nb = t->nb, rows = t->n * t->b;
    chain_apply_inverse(t, m, x);
    if (nb == 0) {
        return;
    }
    for (int r = 0; r < nb; r++) {
        double       *yr = y + (size_t)r * (size_t)m;
        const double *c = t->row + (size_t)r * (size_t)rows;
        for (int k = 0; k < rows; k++) {
            const double *xk = x + (size_t)k * (size_t)m;
            for (int j = 0; j < m; j++) {
                yr[j] -= c[k] * xk[j];
            }
        }
    }
    block_solve(nb, m, t->schur, t->schur_exchange, y);
    for (int k = 0; k < rows; k++) {
        double *xk = x + (size_t)k * (size_t)m;
        for (int r = 0; r < nb; r++) {
            double        z = t->reach[(size_t)k * (size_t)nb + (size_t)r];
            const double *yr = y + (size_t)r * (size_t)m;
            for (int j = 0; j < m; j++) {
                xk[j] -= z * yr[j];
            }
        }
    }
}

/* One row of A times column j of (x, y), and the same with absolute values. */
INLINE double row_times(const zw_blocktri *t, int b, int m, int i, int k, int j, const double *x, const double *y, double *size) {
    size_t        M = (size_t)m, B = (size_t)b, at = ((size_t)i * B + (size_t)k) * B;
    const double *xi = x + (size_t)i * B * M + (size_t)j;
    double        sum = 0.0, all = 0.0;
    if (i > 0) {
        for (size_t l = 0; l < B; l++) {
            double p = t->lower[at + l] * (xi - B * M)[l * M];
            sum += p;
            all += fabs(p);
        }
    }
    for (size_t l = 0; l < B; l++) {
        double p = t->diag[at + l] * xi[l * M];
        sum += p;
        all += fabs(p);
    }
    if (i + 1 < t->n) {
        for (size_t l = 0; l < B; l++) {
            double p = t->upper[at + l] * (xi + B * M)[l * M];
            sum += p;
            all += fabs(p);
        }
    }
    for (size_t r = 0; r < (size_t)t->nb; r++) {
        double p = t->column[((size_t)i * B + (size_t)k) * (size_t)t->nb + r] * y[r * M + (size_t)j];
        sum += p;
        all += fabs(p);
    }
    *size = all;
    return sum;
}

static double border_row_times(const zw_blocktri *t, int m, int r, int j, const double *x, const double *y, double *size) {
    size_t M = (size_t)m, rows = (size_t)t->n * (size_t)t->b, nb = (size_t)t->nb;
    double sum = 0.0, all = 0.0;
    for (size_t k = 0; k < rows; k++) {
        double p = t->row[(size_t)r * rows + k] * x[k * M + (size_t)j];
        sum += p;
        all += fabs(p);
    }
    for (size_t k = 0; k < nb; k++) {
        double p = t->corner[(size_t)r * nb + k] * y[k * M + (size_t)j];
        sum += p;
        all += fabs(p);
    }
    *size = all;
    return sum;
}

INLINE void chain_mul(const zw_blocktri *t, int b, int m, const double *x, const double *y, double *out) {
    double size;
    for (int i = 0; i < t->n; i++) {
        for (int k = 0; k < b; k++) {
            for (int j = 0; j < m; j++) {
                out[((size_t)i * (size_t)b + (size_t)k) * (size_t)m + (size_t)j] = row_times(t, b, m, i, k, j, x, y, &size);
            }
        }
    }
}

void zw_blocktri_mul(const zw_blocktri *t, int nrhs, const double *x, const double *y, double *out, double *out_y) {
    double size;
    if (t->b == 6) {
        chain_mul(t, 6, nrhs, x, y, out);
    } else {
        chain_mul(t, t->b, nrhs, x, y, out);
    }
    for (int r = 0; r < t->nb; r++) {
        for (int j = 0; j < nrhs; j++) {
            out_y[(size_t)r * (size_t)nrhs + (size_t)j] = border_row_times(t, nrhs, r, j, x, y, &size);
        }
    }
}

static double worse(double so_far, double residual, double size) {
    double e = size > 0.0 ? fabs(residual) / size : fabs(residual);
    return e > so_far || isnan(e) ? e : so_far;
}

/* work_r, work_s <- f - A x, g - C x - D y; returns the componentwise backward error */
INLINE double chain_residual(zw_blocktri *t, int b, int m, const double *x, const double *y) {
    double error = 0.0, size;
    for (int i = 0; i < t->n; i++) {
        for (int k = 0; k < b; k++) {
            for (int j = 0; j < m; j++) {
                size_t at = ((size_t)i * (size_t)b + (size_t)k) * (size_t)m + (size_t)j;
                double r = t->work_f[at] - row_times(t, b, m, i, k, j, x, y, &size);
                error = worse(error, r, size + fabs(t->work_f[at]));
                t->work_r[at] = r;
            }
        }
    }
    return error;
}

static double residual(zw_blocktri *t, int m, const double *x, const double *y) {
    double size, error;
    if (t->b == 6 && m == 1) {
        error = chain_residual(t, 6, 1, x, y);
    } else {
        error = chain_residual(t, t->b, m, x, y);
    }
    for (int r = 0; r < t->nb; r++) {
        for (int j = 0; j < m; j++) {
            size_t at = (size_t)r * (size_t)m + (size_t)j;
            double s = t->work_g[at] - border_row_times(t, m, r, j, x, y, &size);
            error = worse(error, s, size + fabs(t->work_g[at]));
            t->work_s[at] = s;
        }
    }
    return error;
}

zw_status zw_blocktri_solve(zw_blocktri *t, int nrhs, const double *f, const double *g, double *x, double *y, int refine) {
    size_t rows = (size_t)t->n * (size_t)t->b * (size_t)nrhs, border = (size_t)t->nb * (size_t)nrhs;
    if (!t->factored || nrhs < 1 || nrhs > t->max_rhs || f == NULL || x == NULL || (t->nb > 0 && (g == NULL || y == NULL))) {
        return ZW_E_ARG;
    }
    memcpy(t->work_f, f, rows * sizeof(double));
    if (x != f) {
        memcpy(x, t->work_f, rows * sizeof(double));
    }
    if (border > 0) {
        memcpy(t->work_g, g, border * sizeof(double));
        if (y != g) {
            memcpy(y, t->work_g, border * sizeof(double));
        }
    }
    apply_inverse(t, nrhs, x, y);
    t->report.residual = -1.0;
    t->report.refinements = 0;
    if (refine > 0) {
        double error = residual(t, nrhs, x, y);
        while (t->report.refinements < refine && error > DBL_EPSILON) {
            apply_inverse(t, nrhs, t->work_r, t->work_s);
            for (size_t i = 0; i < rows; i++) {
                x[i] += t->work_r[i];
            }
            for (size_t i = 0; i < border; i++) {
                y[i] += t->work_s[i];
            }
            double before = error;
            error = residual(t, nrhs, x, y);
            t->report.refinements++;
            if (!(error < 0.5 * before)) {
                break; /* as good as it gets */
            }
        }
        t->report.residual = error;
    }
    for (size_t i = 0; i < rows; i++) {
        if (!isfinite(x[i])) {
            return ZW_E_DIVERGED;
        }
    }
    for (size_t i = 0; i < border; i++) {
        if (!isfinite(y[i])) {
            return ZW_E_DIVERGED;
        }
    }
    return ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * six.c: see six.h. Rows are three registers of two numbers; every machine of this kind has those, so there is one path and one result. */
#define ZW_WIDE_LANES 2
#include "project/six.h"

#include "math/unroll.h"
#include "math/wide.h"

#include <math.h>
#include <stddef.h>

enum { N = 6, H = 3 };

ZW_WIDE_INLINE void read_row(const double *p, zw_wide row[H]) {
    row[0] = zw_wide_load(p);
    row[1] = zw_wide_load(p + 2);
    row[2] = zw_wide_load(p + 4);
}

ZW_WIDE_INLINE void write_row(double *p, const zw_wide row[H]) {
    zw_wide_store(p, row[0]);
    zw_wide_store(p + 2, row[1]);
    zw_wide_store(p + 4, row[2]);
}

ZW_WIDE_INLINE void subtract_row(zw_wide to[H], double f, const zw_wide row[H]) {
    zw_wide g = zw_wide_all(f);
    to[0] -= g * row[0];
    to[1] -= g * row[1];
    to[2] -= g * row[2];
}

ZW_WIDE_INLINE void turn(const double *a, double *out) {
    ZW_UNROLL
    for (int i = 0; i < N; i++) {
        ZW_UNROLL
        for (int j = 0; j < N; j++) {
            out[N * j + i] = a[N * i + j];
        }
    }
}

ZW_WIDE_INLINE void swap_rows(double *a, int i, int j) {
    zw_wide x[H], y[H];
    read_row(a + (ptrdiff_t)N * i, x);
    read_row(a + (ptrdiff_t)N * j, y);
    write_row(a + (ptrdiff_t)N * i, y);
    write_row(a + (ptrdiff_t)N * j, x);
}

int zw_six_factor(double *a, int *pivot) {
    for (int k = 0; k < N; k++) {
        int    best = k;
        double size = fabs(a[(N + 1) * k]);
        for (int i = k + 1; i < N; i++) {
            double s = fabs(a[N * i + k]);
            if (s > size || (isnan(s) && !isnan(size))) { /* a NaN is taken, so that it is seen below */
                size = s;
                best = i;
            }
        }
        pivot[k] = best;
        if (!(size > 0.0) || !isfinite(size)) {
            for (int i = k + 1; i < N; i++) {
                pivot[i] = i;
            }
            return k;
        }
        if (best != k) {
            swap_rows(a, k, best);
        }
        zw_wide top[H];
        read_row(a + (ptrdiff_t)N * k, top);
        for (int i = k + 1; i < N; i++) {
            double  f = a[N * i + k] / a[(N + 1) * k], kept[N];
            zw_wide row[H];
            memcpy(kept, a + (ptrdiff_t)N * i, sizeof kept); /* what stands left of the pivot is not touched */
            read_row(a + (ptrdiff_t)N * i, row);
            subtract_row(row, f, top);
            write_row(a + (ptrdiff_t)N * i, row);
            for (int j = 0; j < k; j++) {
                a[N * i + j] = kept[j];
            }
            a[N * i + k] = f;
        }
    }
    return N;
}

void zw_six_divide(const double *lu, const int *pivot, double *w) {
    double  t[N * N];
    zw_wide y[N][H];
    turn(w, t);
    for (int k = 0; k < N; k++) { /* Y U = W */
        zw_wide divisor = zw_wide_all(lu[(N + 1) * k]);
        read_row(t + (ptrdiff_t)N * k, y[k]);
        for (int i = 0; i < k; i++) {
            subtract_row(y[k], lu[N * i + k], y[i]);
        }
        y[k][0] /= divisor;
        y[k][1] /= divisor;
        y[k][2] /= divisor;
    }
    for (int k = N - 2; k >= 0; k--) { /* Z L = Y */
        for (int i = k + 1; i < N; i++) {
            subtract_row(y[k], lu[N * i + k], y[i]);
        }
    }
    for (int k = 0; k < N; k++) {
        write_row(t + (ptrdiff_t)N * k, y[k]);
    }
    for (int k = N - 1; k >= 0; k--) {
        if (pivot[k] != k) {
            swap_rows(t, k, pivot[k]);
        }
    }
    turn(t, w);
}

void zw_six_solve(const double *lu, const int *pivot, double *b) {
    for (int k = 0; k < N; k++) {
        if (pivot[k] != k) {
            double kept = b[k];
            b[k] = b[pivot[k]];
            b[pivot[k]] = kept;
        }
    }
    ZW_UNROLL
    for (int i = 1; i < N; i++) {
        ZW_UNROLL
        for (int k = 0; k < i; k++) {
            b[i] -= lu[N * i + k] * b[k];
        }
    }
    ZW_UNROLL
    for (int i = N - 1; i >= 0; i--) {
        ZW_UNROLL
        for (int k = i + 1; k < N; k++) {
            b[i] -= lu[N * i + k] * b[k];
        }
        b[i] /= lu[(N + 1) * i];
    }
}

void zw_six_subtract(const double *x, const double *y, double *out) {
    double  turned[N * N];
    zw_wide row[N][H];
    turn(y, turned);
    ZW_UNROLL
    for (int k = 0; k < N; k++) {
        read_row(turned + (ptrdiff_t)N * k, row[k]);
    }
    for (int i = 0; i < N; i++) {
        zw_wide to[H], f = zw_wide_all(x[N * i]), t[H] = {f * row[0][0], f * row[0][1], f * row[0][2]};
        ZW_UNROLL
        for (int k = 1; k < N; k++) {
            f = zw_wide_all(x[N * i + k]);
            t[0] += f * row[k][0];
            t[1] += f * row[k][1];
            t[2] += f * row[k][2];
        }
        read_row(out + (ptrdiff_t)N * i, to);
        to[0] -= t[0];
        to[1] -= t[1];
        to[2] -= t[2];
        write_row(out + (ptrdiff_t)N * i, to);
    }
}

void zw_six_subtract_vector(const double *x, const double *v, double *out) {
    ZW_UNROLL
    for (int i = 0; i < N; i++) {
        double t = x[N * i] * v[0];
        ZW_UNROLL
        for (int k = 1; k < N; k++) {
            t += x[N * i + k] * v[k];
        }
        out[i] -= t;
    }
}

void zw_six_subtract_turned_vector(const double *x, const double *v, double *out) {
    zw_wide to[H], row[H];
    read_row(out, to);
    ZW_UNROLL
    for (int i = 0; i < N; i++) {
        read_row(x + (ptrdiff_t)N * i, row);
        subtract_row(to, v[i], row);
    }
    write_row(out, to);
}

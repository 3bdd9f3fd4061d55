/* SPDX-License-Identifier: Apache-2.0
 * block_product.h: what sparse block factors do most: out -= x y', for small dense blocks, row-major. */
#ifndef ZW_PROJECT_BLOCK_PRODUCT_H
#define ZW_PROJECT_BLOCK_PRODUCT_H

/* out (p x q) -= x (p x m) y' (m x q) */
static inline void zw_block_subtract_any(int p, int q, int m, const double *restrict x, const double *restrict y, double *restrict out) {
    for (int i = 0; i < p; i++) {
        for (int j = 0; j < q; j++) {
            double t = 0.0;
            for (int k = 0; k < m; k++) {
                t += x[i * m + k] * y[j * m + k];
            }
            out[i * q + j] -= t;
        }
    }
}

/* the same for 6 x 6 blocks, with y turned so that its rows run along */
static inline void zw_block_subtract_six(const double *restrict x, const double *restrict y, double *restrict out) {
    double turned[36];
    for (int j = 0; j < 6; j++) {
        for (int k = 0; k < 6; k++) {
            turned[6 * k + j] = y[6 * j + k];
        }
    }
    for (int i = 0; i < 6; i++) {
        double t[6];
        for (int j = 0; j < 6; j++) {
            t[j] = x[6 * i] * turned[j];
        }
        for (int k = 1; k < 6; k++) {
            double f = x[6 * i + k];
            for (int j = 0; j < 6; j++) {
                t[j] += f * turned[6 * k + j];
            }
        }
        for (int j = 0; j < 6; j++) {
            out[6 * i + j] -= t[j];
        }
    }
}

static inline void zw_block_subtract(int p, int q, int m, const double *x, const double *y, double *out) {
    if (p == 6 && q == 6 && m == 6) {
        zw_block_subtract_six(x, y, out);
    } else if (p == 5 && q == 5 && m == 5) { /* hinges and sliders */
        zw_block_subtract_any(5, 5, 5, x, y, out);
    } else if (p == 3 && q == 3 && m == 3) { /* balls */
        zw_block_subtract_any(3, 3, 3, x, y, out);
    } else {
        zw_block_subtract_any(p, q, m, x, y, out);
    }
}

#endif

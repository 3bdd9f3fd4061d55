/* SPDX-License-Identifier: Apache-2.0
 * block_product.h: what sparse block factors do most: out -= x y', for small dense blocks, row-major. */
#ifndef ZW_PROJECT_BLOCK_PRODUCT_H
#define ZW_PROJECT_BLOCK_PRODUCT_H

#include "project/six.h"

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

static inline void zw_block_subtract(int p, int q, int m, const double *x, const double *y, double *out) {
    if (p == 6 && q == 6 && m == 6) {
        zw_six_subtract(x, y, out);
    } else if (p == 5 && q == 5 && m == 5) { /* hinges and sliders */
        zw_block_subtract_any(5, 5, 5, x, y, out);
    } else if (p == 3 && q == 3 && m == 3) { /* balls */
        zw_block_subtract_any(3, 3, 3, x, y, out);
    } else {
        zw_block_subtract_any(p, q, m, x, y, out);
    }
}

#endif

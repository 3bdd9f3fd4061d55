/* SPDX-License-Identifier: Apache-2.0
 * panel_kernel.h: the dense loops of panel.h; included once per instruction set with ZW_PANEL_ISA, ZW_PANEL_NAME and ZW_WIDE_LANES defined.
 * A tile is 8 rows times as many columns as fill the registers; every sum runs over the depth in order, whatever the lanes. */
#include "project/panel.h"

#include "math/unroll.h"
#include "math/wide.h"

#include <math.h>

#define ZW_PANEL_PASTE2(name, isa) name##_##isa
#define ZW_PANEL_PASTE(name, isa)  ZW_PANEL_PASTE2(name, isa)

enum { R = ZW_PANEL_ROWS, V = R / ZW_WIDE_LANES, C = ZW_WIDE_LANES, STRIP = 16 };

/* t (8 x C) = a b' */
ZW_WIDE_INLINE void tile(int depth, const double *a, ptrdiff_t lda, const double *b, ptrdiff_t ldb, zw_wide t[C][V]) {
    ZW_UNROLL
    for (int j = 0; j < C; j++) {
        ZW_UNROLL
        for (int i = 0; i < V; i++) {
            t[j][i] = zw_wide_all(0.0);
        }
    }
    for (int k = 0; k < depth; k++, a += lda, b += ldb) {
        zw_wide x[V];
        ZW_UNROLL
        for (int i = 0; i < V; i++) {
            x[i] = zw_wide_load(a + i * ZW_WIDE_LANES);
        }
        ZW_UNROLL
        for (int j = 0; j < C; j++) {
            zw_wide y = zw_wide_all(b[j]);
            ZW_UNROLL
            for (int i = 0; i < V; i++) {
                t[j][i] += x[i] * y;
            }
        }
    }
}

static void product(int rows, int cols, int depth, const double *a, ptrdiff_t lda, const double *b, ptrdiff_t ldb, double *c,
                    ptrdiff_t ldc) {
    for (int j = 0; j < cols; j += C) {
        for (int i = j / R * R; i < rows; i += R) { /* what is above the diagonal is not wanted */
            zw_wide t[C][V];
            tile(depth, a + i, lda, b + j, ldb, t);
            ZW_UNROLL
            for (int q = 0; q < C; q++) {
                ZW_UNROLL
                for (int p = 0; p < V; p++) {
                    zw_wide_store(c + i + p * ZW_WIDE_LANES + (j + q) * ldc, t[q][p]);
                }
            }
        }
    }
}

/* y -= x f over the rows from..height-1, begun at a whole tile: what is above is not wanted, what is below is zero */
ZW_WIDE_INLINE void subtract(int from, int height, const double *x, double f, double *y) {
    zw_wide g = zw_wide_all(f);
    for (int i = from / R * R; i < height; i += R) {
        ZW_UNROLL
        for (int p = 0; p < R; p += ZW_WIDE_LANES) {
            zw_wide_store(y + i + p, zw_wide_load(y + i + p) - zw_wide_load(x + i + p) * g);
        }
    }
}

static int factor(int height, int width, double *a, ptrdiff_t ld) {
    for (int k0 = 0; k0 < width; k0 += STRIP) {
        int end = width - k0 < STRIP ? width : k0 + STRIP;
        for (int c = k0; c < end; c++) {
            double *column = a + c * ld;
            for (int k = k0; k < c; k++) {
                subtract(c, height, a + k * ld, a[c + k * ld], column);
            }
            double pivot = column[c];
            if (!(pivot > 0.0) || !isfinite(pivot)) {
                return c;
            }
            double root = sqrt(pivot), inverse = 1.0 / root;
            column[c] = root;
            for (int i = c + 1; i < height; i++) {
                column[i] *= inverse;
            }
        }
        for (int j = end; j < width; j += C) { /* the strip from the columns after it */
            int many = width - j < C ? width - j : C;
            for (int i = j / R * R; i < height; i += R) {
                zw_wide t[C][V];
                tile(end - k0, a + i + k0 * ld, ld, a + j + k0 * ld, ld, t);
                for (int q = 0; q < many; q++) {
                    double *to = a + i + (j + q) * ld;
                    for (int p = 0; p < V; p++) {
                        zw_wide_store(to + p * ZW_WIDE_LANES, zw_wide_load(to + p * ZW_WIDE_LANES) - t[q][p]);
                    }
                }
            }
        }
    }
    return -1;
}

const zw_panel_path ZW_PANEL_PASTE(zw_panel_path, ZW_PANEL_ISA) = {ZW_PANEL_NAME, factor, product};

/* SPDX-License-Identifier: Apache-2.0
 * algebras.h: structure constants beyond the built-in ones, for tests: n of them, filled into c[n][n][n]. */
#ifndef ZW_TESTS_ALGEBRAS_H
#define ZW_TESTS_ALGEBRAS_H

#include <math.h>
#include <string.h>

static inline void algebra_put(double *c, int n, int i, int j, int k, double value) { /* counted from 1 */
    c[((i - 1) * n + j - 1) * n + k - 1] = value;
    c[((j - 1) * n + i - 1) * n + k - 1] = -value;
}

/* h, e, f */
static inline int algebra_sl2(double *c) {
    memset(c, 0, 27 * sizeof *c);
    algebra_put(c, 3, 1, 2, 2, 2.0);
    algebra_put(c, 3, 1, 3, 3, -2.0);
    algebra_put(c, 3, 2, 3, 1, 1.0);
    return 3;
}

/* Gell-Mann: the f_abc */
static inline int algebra_su3(double *c) {
    static const struct {
        int    a, b, c;
        double f;
    } f[] = {{1, 2, 3, 1.0}, {1, 4, 7, 0.5}, {1, 5, 6, -0.5}, {2, 4, 6, 0.5}, {2, 5, 7, 0.5}, {3, 4, 5, 0.5}, {3, 6, 7, -0.5}};
    memset(c, 0, 512 * sizeof *c);
    for (size_t i = 0; i < sizeof f / sizeof f[0]; i++) {
        algebra_put(c, 8, f[i].a, f[i].b, f[i].c, f[i].f);
        algebra_put(c, 8, f[i].b, f[i].c, f[i].a, f[i].f);
        algebra_put(c, 8, f[i].c, f[i].a, f[i].b, f[i].f);
    }
    algebra_put(c, 8, 4, 5, 8, sqrt(0.75));
    algebra_put(c, 8, 5, 8, 4, sqrt(0.75));
    algebra_put(c, 8, 8, 4, 5, sqrt(0.75));
    algebra_put(c, 8, 6, 7, 8, sqrt(0.75));
    algebra_put(c, 8, 7, 8, 6, sqrt(0.75));
    algebra_put(c, 8, 8, 6, 7, sqrt(0.75));
    return 8;
}

/* Heisenberg: [e1, e2] = e3, which commutes with all */
static inline int algebra_heisenberg(double *c) {
    memset(c, 0, 27 * sizeof *c);
    algebra_put(c, 3, 1, 2, 3, 1.0);
    return 3;
}

#endif

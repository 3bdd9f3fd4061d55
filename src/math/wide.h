/* SPDX-License-Identifier: Apache-2.0
 * wide.h: eight doubles at once, written once for every instruction set.
 *
 * The logical width is always 8, whatever the machine has: compilers lower it to one AVX-512, two AVX2 or four SSE2 registers. Every operation is one IEEE operation
 * per lane and contraction is off, so all paths give the same bits. A kernel is one header that a file per instruction set includes after
 * ZW_WIDE_TARGET; the choice between those files is made once at run time (zw_wide_best). There are no intrinsics: + - * / are the compiler's. */
#ifndef ZW_MATH_WIDE_H
#define ZW_MATH_WIDE_H

#include <stdbool.h>
#include <string.h>

enum { ZW_WIDTH = 8 };

typedef double zw_wide __attribute__((vector_size(64)));

#define ZW_WIDE_INLINE static inline __attribute__((always_inline))

ZW_WIDE_INLINE zw_wide zw_wide_load(const double *p) {
    zw_wide v;
    memcpy(&v, p, sizeof v);
    return v;
}

ZW_WIDE_INLINE void zw_wide_store(double *p, zw_wide v) {
    memcpy(p, &v, sizeof v);
}

ZW_WIDE_INLINE zw_wide zw_wide_all(double x) {
    return (zw_wide){x, x, x, x, x, x, x, x};
}

/* is some lane not below the bound (or not a number)? */
ZW_WIDE_INLINE bool zw_wide_reaches(zw_wide v, double bound) {
    int n = 0;
    for (int i = 0; i < ZW_WIDTH; i++) {
        n += v[i] < bound;
    }
    return n != ZW_WIDTH;
}

#endif

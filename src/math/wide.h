/* SPDX-License-Identifier: Apache-2.0
 * wide.h: several doubles at once, written once for every instruction set.
 *
 * A kernel is one header, included by one file per instruction set; ZW_WIDE_LANES is 8 unless that file sets what its registers hold (2, 4 or 8); the choice between those
 * files is made once at run time. Every operation is one IEEE operation per lane, contraction is off and lanes never mix, so the number of lanes
 * does not show in the results: all paths give the same bits. There are no intrinsics: + - * / on zw_wide are the compiler's. */
#ifndef ZW_MATH_WIDE_H
#define ZW_MATH_WIDE_H

#include <stdbool.h>
#include <string.h>

#ifndef ZW_WIDE_LANES
#define ZW_WIDE_LANES 8
#endif

enum { ZW_WIDTH = ZW_WIDE_LANES };

typedef double zw_wide __attribute__((vector_size(8 * ZW_WIDE_LANES)));

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
    zw_wide v;
    for (int i = 0; i < ZW_WIDTH; i++) {
        v[i] = x;
    }
    return v;
}

/* one bit per lane that is not below the bound (or not a number) */
ZW_WIDE_INLINE unsigned zw_wide_reach(zw_wide v, double bound) {
    unsigned bits = 0;
    for (int i = 0; i < ZW_WIDTH; i++) {
        bits |= (unsigned)!(v[i] < bound) << i;
    }
    return bits;
}

/* is there such a lane? A loop that stops by this must keep ZW_WIDE_LANES at 8 on every path, or its lanes would be stopped in other company */
ZW_WIDE_INLINE bool zw_wide_reaches(zw_wide v, double bound) {
    return zw_wide_reach(v, bound) != 0;
}

#endif

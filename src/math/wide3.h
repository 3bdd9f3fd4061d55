/* SPDX-License-Identifier: Apache-2.0
 * wide3.h: 3-vectors and quaternions in lanes. Inputs first, result last; results may not be arguments unless it says so. */
#ifndef ZW_MATH_WIDE3_H
#define ZW_MATH_WIDE3_H

#include "math/wide.h"

#include <math.h>

ZW_WIDE_INLINE void zw_wide3_cross(const zw_wide a[3], const zw_wide b[3], zw_wide out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

ZW_WIDE_INLINE zw_wide zw_wide3_dot(const zw_wide a[3], const zw_wide b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* v turned by the unit quaternion (w, u): v + 2 w (u x v) + 2 u x (u x v) */
ZW_WIDE_INLINE void zw_wide3_rotate(zw_wide w, const zw_wide u[3], const zw_wide v[3], zw_wide out[3]) {
    zw_wide t[3], s[3];
    zw_wide3_cross(u, v, t);
    for (int i = 0; i < 3; i++) {
        t[i] = 2.0 * t[i];
    }
    zw_wide3_cross(u, t, s);
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] + w * t[i] + s[i];
    }
}

/* out = a b of quaternions (w, x, y, z) */
ZW_WIDE_INLINE void zw_wide4_mul(const zw_wide a[4], const zw_wide b[4], zw_wide out[4]) {
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

ZW_WIDE_INLINE zw_wide zw_wide_sqrt(zw_wide v) {
    double x[ZW_WIDTH];
    zw_wide_store(x, v);
    for (int i = 0; i < ZW_WIDTH; i++) {
        x[i] = sqrt(x[i]);
    }
    return zw_wide_load(x);
}

/* solves (1 + a^) x = r, where a^ x = a x x: x = (r - a x r + a (a.r))/(1 + |a|^2) */
ZW_WIDE_INLINE void zw_wide3_uncross(const zw_wide a[3], const zw_wide r[3], zw_wide out[3]) {
    zw_wide t[3], f = 1.0 / (1.0 + zw_wide3_dot(a, a)), along = zw_wide3_dot(a, r);
    zw_wide3_cross(a, r, t);
    for (int i = 0; i < 3; i++) {
        out[i] = f * (r[i] - t[i] + along * a[i]);
    }
}

#endif

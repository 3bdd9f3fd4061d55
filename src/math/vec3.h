/* SPDX-License-Identifier: Apache-2.0
 * vec3.h: 3-vectors as double[3] and 3x3 matrices as row-major double[9].
 *
 * The result comes first in every argument list, and may be the same array as any argument.
 * Matrices are row-major: m[3*i + k] is row i, column k. Every sum has one fixed order, so that results do not depend on the compiler. */
#ifndef ZW_MATH_VEC3_H
#define ZW_MATH_VEC3_H

#include <math.h>
#include <stdbool.h>

static inline void zw_v3_set(double out[3], double x, double y, double z) {
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline void zw_v3_zero(double out[3]) {
    zw_v3_set(out, 0.0, 0.0, 0.0);
}

static inline void zw_v3_copy(double out[3], const double a[3]) {
    zw_v3_set(out, a[0], a[1], a[2]);
}

static inline void zw_v3_add(double out[3], const double a[3], const double b[3]) {
    zw_v3_set(out, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

static inline void zw_v3_sub(double out[3], const double a[3], const double b[3]) {
    zw_v3_set(out, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

static inline void zw_v3_scale(double out[3], double s, const double a[3]) {
    zw_v3_set(out, s * a[0], s * a[1], s * a[2]);
}

static inline void zw_v3_negate(double out[3], const double a[3]) {
    zw_v3_set(out, -a[0], -a[1], -a[2]);
}

/* out = a + s b */
static inline void zw_v3_addscaled(double out[3], const double a[3], double s, const double b[3]) {
    zw_v3_set(out, a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]);
}

static inline double zw_v3_dot(const double a[3], const double b[3]) {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void zw_v3_cross(double out[3], const double a[3], const double b[3]) {
    zw_v3_set(out, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

static inline double zw_v3_norm2(const double a[3]) {
    return zw_v3_dot(a, a);
}

static inline double zw_v3_norm(const double a[3]) {
    return sqrt(zw_v3_dot(a, a));
}

static inline double zw_v3_distance(const double a[3], const double b[3]) {
    double d[3];
    zw_v3_sub(d, a, b);
    return zw_v3_norm(d);
}

/* out = a/|a|, returns |a|; a vector whose length is 0 (or not a number) gives the zero vector and that length */
static inline double zw_v3_unit(double out[3], const double a[3]) {
    double length = zw_v3_norm(a);
    if (!(length > 0.0)) {
        zw_v3_zero(out);
        return length;
    }
    zw_v3_set(out, a[0] / length, a[1] / length, a[2] / length);
    return length;
}

static inline bool zw_v3_finite(const double a[3]) {
    return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]);
}

/* ---- 3x3, row-major ---- */

static inline void zw_m3_copy(double out[9], const double a[9]) {
    for (int i = 0; i < 9; i++) {
        out[i] = a[i];
    }
}

static inline void zw_m3_zero(double out[9]) {
    for (int i = 0; i < 9; i++) {
        out[i] = 0.0;
    }
}

static inline void zw_m3_diagonal(double out[9], double a, double b, double c) {
    zw_m3_zero(out);
    out[0] = a;
    out[4] = b;
    out[8] = c;
}

static inline void zw_m3_identity(double out[9]) {
    zw_m3_diagonal(out, 1.0, 1.0, 1.0);
}

static inline void zw_m3_add(double out[9], const double a[9], const double b[9]) {
    for (int i = 0; i < 9; i++) {
        out[i] = a[i] + b[i];
    }
}

static inline void zw_m3_scale(double out[9], double s, const double a[9]) {
    for (int i = 0; i < 9; i++) {
        out[i] = s * a[i];
    }
}

/* out = a + s b */
static inline void zw_m3_addscaled(double out[9], const double a[9], double s, const double b[9]) {
    for (int i = 0; i < 9; i++) {
        out[i] = a[i] + s * b[i];
    }
}

/* out = m v */
static inline void zw_m3_mulv(double out[3], const double m[9], const double v[3]) {
    zw_v3_set(out, (m[0] * v[0] + m[1] * v[1]) + m[2] * v[2], (m[3] * v[0] + m[4] * v[1]) + m[5] * v[2],
              (m[6] * v[0] + m[7] * v[1]) + m[8] * v[2]);
}

/* out = m^T v */
static inline void zw_m3_tmulv(double out[3], const double m[9], const double v[3]) {
    zw_v3_set(out, (m[0] * v[0] + m[3] * v[1]) + m[6] * v[2], (m[1] * v[0] + m[4] * v[1]) + m[7] * v[2],
              (m[2] * v[0] + m[5] * v[1]) + m[8] * v[2]);
}

/* out = a b */
static inline void zw_m3_mul(double out[9], const double a[9], const double b[9]) {
    double t[9];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            t[3 * i + k] = (a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k]) + a[3 * i + 2] * b[6 + k];
        }
    }
    zw_m3_copy(out, t);
}

/* out = a^T b */
static inline void zw_m3_tmul(double out[9], const double a[9], const double b[9]) {
    double t[9];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            t[3 * i + k] = (a[i] * b[k] + a[3 + i] * b[3 + k]) + a[6 + i] * b[6 + k];
        }
    }
    zw_m3_copy(out, t);
}

/* out = a b^T */
static inline void zw_m3_mult(double out[9], const double a[9], const double b[9]) {
    double t[9];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            t[3 * i + k] = (a[3 * i] * b[3 * k] + a[3 * i + 1] * b[3 * k + 1]) + a[3 * i + 2] * b[3 * k + 2];
        }
    }
    zw_m3_copy(out, t);
}

static inline void zw_m3_transpose(double out[9], const double a[9]) {
    double t[9] = {a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]};
    zw_m3_copy(out, t);
}

/* out = the matrix with out u = a x u */
static inline void zw_m3_hat(double out[9], const double a[3]) {
    double x = a[0], y = a[1], z = a[2];
    double t[9] = {0.0, -z, y, z, 0.0, -x, -y, x, 0.0};
    zw_m3_copy(out, t);
}

/* out = a b^T of two vectors */
static inline void zw_m3_outer(double out[9], const double a[3], const double b[3]) {
    double t[9] = {a[0] * b[0], a[0] * b[1], a[0] * b[2], a[1] * b[0], a[1] * b[1], a[1] * b[2], a[2] * b[0], a[2] * b[1], a[2] * b[2]};
    zw_m3_copy(out, t);
}

static inline double zw_m3_trace(const double a[9]) {
    return (a[0] + a[4]) + a[8];
}

static inline double zw_m3_det(const double a[9]) {
    return (a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6])) + a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/* out = a^-1 by cofactors; false, with out untouched, when the determinant is 0 or not finite.
 * For well-conditioned inertia and stiffness blocks; ill-conditioned systems go through zw_lu_factor. */
static inline bool zw_m3_inverse(double out[9], const double a[9]) {
    double t[9] = {a[4] * a[8] - a[5] * a[7], a[2] * a[7] - a[1] * a[8], a[1] * a[5] - a[2] * a[4],
                   a[5] * a[6] - a[3] * a[8], a[0] * a[8] - a[2] * a[6], a[2] * a[3] - a[0] * a[5],
                   a[3] * a[7] - a[4] * a[6], a[1] * a[6] - a[0] * a[7], a[0] * a[4] - a[1] * a[3]};
    double det = (a[0] * t[0] + a[1] * t[3]) + a[2] * t[6];
    if (det == 0.0 || !isfinite(det)) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        out[i] = t[i] / det;
    }
    return true;
}

/* column k as a vector (k-th director of a rotation) */
static inline void zw_m3_column(double out[3], const double a[9], int k) {
    zw_v3_set(out, a[k], a[3 + k], a[6 + k]);
}

static inline void zw_m3_from_columns(double out[9], const double c0[3], const double c1[3], const double c2[3]) {
    double t[9] = {c0[0], c1[0], c2[0], c0[1], c1[1], c2[1], c0[2], c1[2], c2[2]};
    zw_m3_copy(out, t);
}

#endif

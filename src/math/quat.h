/* SPDX-License-Identifier: Apache-2.0
 * quat.h: unit quaternions (w, x, y, z) as double[4], for rotations of rod nodes and rigid bodies.
 *
 * q = (cos(a/2), n sin(a/2)) turns a vector by the angle a about the unit axis n; R(p q) = R(p) R(q), and the columns of R are the
 * body's directors d1, d2, d3. q and -q are the same rotation. Inputs come first and the result last (zw_q_rotate(q, v, out));
 * the result may be the same array as any argument.
 *
 * exp and log of moderate angles (the inner loop of a rod) are polynomials: no libm call, no square root, the same bits on every
 * machine. Beyond the limits below libm is used; both branches agree to the last bits where they meet.
 * Nothing here renormalises by itself: products drift by round-off only, and renormalising inside a step breaks momentum balances. */
#ifndef ZW_MATH_QUAT_H
#define ZW_MATH_QUAT_H

#include <math.h>
#include <stdbool.h>

#include "math/vec3.h"

static inline void zw_q_set(double w, double x, double y, double z, double out[4]) {
    out[0] = w;
    out[1] = x;
    out[2] = y;
    out[3] = z;
}

static inline void zw_q_identity(double out[4]) {
    zw_q_set(1.0, 0.0, 0.0, 0.0, out);
}

static inline void zw_q_copy(const double q[4], double out[4]) {
    zw_q_set(q[0], q[1], q[2], q[3], out);
}

/* out = a b: first b, then a */
static inline void zw_q_mul(const double a[4], const double b[4], double out[4]) {
    zw_q_set(a[0] * b[0] - ((a[1] * b[1] + a[2] * b[2]) + a[3] * b[3]), (a[0] * b[1] + a[1] * b[0]) + (a[2] * b[3] - a[3] * b[2]),
             (a[0] * b[2] + a[2] * b[0]) + (a[3] * b[1] - a[1] * b[3]), (a[0] * b[3] + a[3] * b[0]) + (a[1] * b[2] - a[2] * b[1]), out);
}

static inline void zw_q_conj(const double q[4], double out[4]) {
    zw_q_set(q[0], -q[1], -q[2], -q[3], out);
}

/* out = conj(a) b, the rotation from a to b seen in a (a link's relative rotation R_a^T R_b) */
static inline void zw_q_conj_mul(const double a[4], const double b[4], double out[4]) {
    zw_q_set(a[0] * b[0] + ((a[1] * b[1] + a[2] * b[2]) + a[3] * b[3]), (a[0] * b[1] - a[1] * b[0]) - (a[2] * b[3] - a[3] * b[2]),
             (a[0] * b[2] - a[2] * b[0]) - (a[3] * b[1] - a[1] * b[3]), (a[0] * b[3] - a[3] * b[0]) - (a[1] * b[2] - a[2] * b[1]), out);
}

static inline double zw_q_dot(const double a[4], const double b[4]) {
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

/* scales q to length 1; false, with q untouched, when it is zero or not finite */
static inline bool zw_q_normalize(double q[4]) {
    double length = sqrt(zw_q_dot(q, q));
    if (!(length > 0.0) || !isfinite(length)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        q[i] /= length;
    }
    return true;
}

/* out = R(q) v */
static inline void zw_q_rotate(const double q[4], const double v[3], double out[3]) {
    double t[3], u[3];
    zw_v3_cross(t, q + 1, v);
    zw_v3_scale(t, 2.0, t);
    zw_v3_cross(u, q + 1, t);
    zw_v3_set(out, v[0] + (q[0] * t[0] + u[0]), v[1] + (q[0] * t[1] + u[1]), v[2] + (q[0] * t[2] + u[2]));
}

/* out = R(q)^T v */
static inline void zw_q_rotate_back(const double q[4], const double v[3], double out[3]) {
    double c[4];
    zw_q_conj(q, c);
    zw_q_rotate(c, v, out);
}

static inline void zw_q_to_matrix(const double q[4], double out[9]) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
    out[0] = 1.0 - 2.0 * (yy + zz);
    out[1] = 2.0 * (xy - wz);
    out[2] = 2.0 * (xz + wy);
    out[3] = 2.0 * (xy + wz);
    out[4] = 1.0 - 2.0 * (xx + zz);
    out[5] = 2.0 * (yz - wx);
    out[6] = 2.0 * (xz - wy);
    out[7] = 2.0 * (yz + wx);
    out[8] = 1.0 - 2.0 * (xx + yy);
}

/* Shepperd's method (doi:10.2514/3.55767b): divide by the largest component, so that no rotation is near a cancellation; w >= 0 */
static inline void zw_q_from_matrix(const double m[9], double out[4]) {
    double trace = zw_m3_trace(m);
    double q[4];
    int    big = 3; /* 0..2: that diagonal entry is largest, 3: the trace is */
    double best = trace;
    for (int i = 0; i < 3; i++) {
        if (m[4 * i] > best) {
            best = m[4 * i];
            big = i;
        }
    }
    if (big == 3) {
        zw_q_set(1.0 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1], q);
    } else if (big == 0) {
        zw_q_set(m[7] - m[5], 1.0 + ((m[0] - m[4]) - m[8]), m[1] + m[3], m[2] + m[6], q);
    } else if (big == 1) {
        zw_q_set(m[2] - m[6], m[1] + m[3], 1.0 + ((m[4] - m[0]) - m[8]), m[5] + m[7], q);
    } else {
        zw_q_set(m[3] - m[1], m[2] + m[6], m[5] + m[7], 1.0 + ((m[8] - m[0]) - m[4]), q);
    }
    double length = sqrt(zw_q_dot(q, q));
    if (q[0] < 0.0) {
        length = -length;
    }
    zw_q_set(q[0] / length, q[1] / length, q[2] / length, q[3] / length, out);
}

/* out = exp of the rotation vector: angle |r| about r/|r|. Polynomial below 1 rad. */
static inline void zw_q_exp(const double r[3], double out[4]) {
    double t = 0.25 * zw_v3_dot(r, r); /* (half angle)^2 */
    double c, s;                       /* cos h and sin(h)/(2h) */
    if (t < 0.25) {
        c = 1.0 +
            t * (-1.0 / 2.0 +
                 t * (1.0 / 24.0 + t * (-1.0 / 720.0 + t * (1.0 / 40320.0 + t * (-1.0 / 3628800.0 +
                                                                                 t * (1.0 / 479001600.0 + t * (-1.0 / 87178291200.0)))))));
        s = 0.5 + t * (-1.0 / 12.0 +
                       t * (1.0 / 240.0 +
                            t * (-1.0 / 10080.0 + t * (1.0 / 725760.0 + t * (-1.0 / 79833600.0 +
                                                                             t * (1.0 / 12454041600.0 + t * (-1.0 / 2615348736000.0)))))));
    } else {
        double h = sqrt(t);
        c = cos(h);
        s = sin(h) / (2.0 * h);
    }
    zw_q_set(c, s * r[0], s * r[1], s * r[2], out);
}

/* out = the rotation vector of q with |out| <= pi, on the branch w >= 0 (q and -q give the same). Polynomial below 0.5 rad.
 * With t = tan(h/2) = |v|/(|q| + w), h the half angle: out = 2 h v/|v| = 4 (atan t/t) v/(|q| + w), smooth at 0.
 * q is unit to 1e-7 or better. */
static inline void zw_q_log(const double q[4], double out[3]) {
    double sign = q[0] < 0.0 ? -1.0 : 1.0;
    double w = sign * q[0];
    double v2 = zw_v3_dot(q + 1, q + 1);
    double d = 0.5 * (1.0 + (w * w + v2)) + w; /* |q| + w, with |q| = (1 + |q|^2)/2 near 1 */
    double t2 = v2 / (d * d);
    double f;
    if (t2 < 1.0 / 64.0) {
        f = 1.0 + t2 * (-1.0 / 3.0 +
                        t2 * (1.0 / 5.0 +
                              t2 * (-1.0 / 7.0 +
                                    t2 * (1.0 / 9.0 + t2 * (-1.0 / 11.0 + t2 * (1.0 / 13.0 + t2 * (-1.0 / 15.0 + t2 * (1.0 / 17.0))))))));
        f = 4.0 * f / d;
    } else {
        double length = sqrt(v2);
        f = 2.0 * atan2(length, w) / length;
    }
    f *= sign;
    zw_v3_set(out, f * q[1], f * q[2], f * q[3]);
}

/* The rotation whose d3 is along `along` and whose d1 is `up` made orthogonal to it (columns of R are d1, d2, d3); neither needs length 1.
 * False, with out untouched, when one is zero or not finite, or when they are parallel (sine of their angle below 1e-10). */
static inline bool zw_q_from_axes(const double along[3], const double up[3], double out[4]) {
    double d1[3], d2[3], d3[3], u[3], m[9];
    double long_length = zw_v3_unit(d3, along), up_length = zw_v3_unit(u, up);
    if (!(long_length > 0.0) || !(up_length > 0.0) || !isfinite(long_length) || !isfinite(up_length)) {
        return false;
    }
    zw_v3_addscaled(d1, u, -zw_v3_dot(u, d3), d3);
    if (!(zw_v3_unit(d1, d1) > 1e-10)) {
        return false;
    }
    /* once more: the first pass loses digits when the two are nearly parallel */
    zw_v3_addscaled(d1, d1, -zw_v3_dot(d1, d3), d3);
    zw_v3_unit(d1, d1);
    zw_v3_cross(d2, d3, d1);
    zw_m3_from_columns(m, d1, d2, d3);
    zw_q_from_matrix(m, out);
    return true;
}

#endif

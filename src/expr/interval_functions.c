/* SPDX-License-Identifier: Apache-2.0
 * interval_functions.c: the functions of the table of operations over intervals, piece by monotone piece.
 *
 * Bounds are the library's value at an end, moved outwards by `slack` places. The C library's functions used here are off by at most 2
 * places (cbrt: 4; the manual of glibc lists them, and others are as good or better). With an error of at most e places at every point, the
 * exact values between two ends lie within e, and what the library computes for points between them within 2 e of its values at the ends:
 * hence 4, and 8 for cbrt. Values that are exact anyway (at 0, and log 1) are kept as they are. */
#include "expr/interval.h"

enum { SLACK = 4, SLACK_CBRT = 8 };

/* ---- monotone functions */

static double value_of(int op, double x) {
    switch (op) {
    case ZW_OP_SIN: return sin(x);
    case ZW_OP_COS: return cos(x);
    case ZW_OP_TAN: return tan(x);
    case ZW_OP_ASIN: return asin(x);
    case ZW_OP_ACOS: return acos(x);
    case ZW_OP_ATAN: return atan(x);
    case ZW_OP_SINH: return sinh(x);
    case ZW_OP_COSH: return cosh(x);
    case ZW_OP_TANH: return tanh(x);
    case ZW_OP_ASINH: return asinh(x);
    case ZW_OP_ACOSH: return acosh(x);
    case ZW_OP_ATANH: return atanh(x);
    case ZW_OP_EXP: return exp(x);
    case ZW_OP_LOG: return log(x);
    case ZW_OP_LOG10: return log10(x);
    case ZW_OP_CBRT: return cbrt(x);
    default: return erf(x);
    }
}

static double end_of(int op, double x, int sign) {
    double v = value_of(op, x);
    bool   exact =
        (x == 0.0 && op != ZW_OP_ACOS) || (x == 1.0 && (op == ZW_OP_LOG || op == ZW_OP_LOG10 || op == ZW_OP_ACOS || op == ZW_OP_ACOSH));
    return exact ? v : zw_ulps_after(v, sign * (op == ZW_OP_CBRT ? SLACK_CBRT : SLACK));
}

/* f is increasing, with values between low and high */
static zw_interval increasing(int op, zw_interval a, double low, double high) {
    double lo = end_of(op, a.lo, -1), hi = end_of(op, a.hi, 1);
    return zw_interval_make(lo < low ? low : lo, hi > high ? high : hi);
}

/* ---- the circle */

/* beyond this the place of a maximum is not known well enough */
static const double far = 0x1p30;

/* x in quarter turns, 2/pi x */
static zw_interval quarters(double x) {
    const double two_over_pi = 0.63661977236758134308;
    zw_interval  factor = {zw_ulps_after(two_over_pi, -1), zw_ulps_after(two_over_pi, 1)};
    return zw_interval_mul(zw_interval_point(x), factor);
}

/* may [from, to], in quarter turns, contain a number r + period k? */
static bool passes(zw_interval from, zw_interval to, double r, double period) {
    zw_interval k = zw_interval_div(zw_interval_sub(zw_interval_point(from.lo), zw_interval_point(r)), zw_interval_point(period));
    return r + period * ceil(k.lo) <= to.hi; /* small whole numbers: exact */
}

static zw_interval wave(int op, zw_interval a) {
    zw_interval r = {-1.0, 1.0};
    double      first = op == ZW_OP_SIN ? 1.0 : 0.0; /* where the maximum is, in quarter turns */
    if (!isfinite(a.lo) || !isfinite(a.hi)) {
        return r;
    }
    if (!zw_interval_is_point(a)) {
        if (fabs(a.lo) > far || fabs(a.hi) > far) {
            return r;
        }
        zw_interval from = quarters(a.lo), to = quarters(a.hi);
        bool        top = passes(from, to, first, 4.0), bottom = passes(from, to, first + 2.0, 4.0);
        if (top && bottom) {
            return r;
        }
        double u = end_of(op, a.lo, -1), v = end_of(op, a.hi, -1);
        r.lo = bottom ? -1.0 : fmax(u < v ? u : v, -1.0);
        u = end_of(op, a.lo, 1);
        v = end_of(op, a.hi, 1);
        r.hi = top ? 1.0 : fmin(u > v ? u : v, 1.0);
        return r;
    }
    return zw_interval_make(fmax(end_of(op, a.lo, -1), -1.0), fmin(end_of(op, a.lo, 1), 1.0));
}

static zw_interval tangent(zw_interval a) {
    if (!isfinite(a.lo) || !isfinite(a.hi)) {
        return zw_interval_whole();
    }
    if (!zw_interval_is_point(a)) { /* a double is never a pole itself */
        if (fabs(a.lo) > far || fabs(a.hi) > far || passes(quarters(a.lo), quarters(a.hi), 1.0, 2.0)) {
            return zw_interval_whole();
        }
    }
    return increasing(ZW_OP_TAN, a, -INFINITY, INFINITY);
}

zw_interval zw_interval_unary(int op, zw_interval a) {
    switch ((zw_op)op) {
    case ZW_OP_SIN:
    case ZW_OP_COS: return wave(op, a);
    case ZW_OP_TAN: return tangent(a);
    case ZW_OP_ASIN: return a.lo < -1.0 || a.hi > 1.0 ? zw_interval_whole() : increasing(op, a, -INFINITY, INFINITY);
    case ZW_OP_ACOS:
        return a.lo < -1.0 || a.hi > 1.0 ? zw_interval_whole() : zw_interval_make(fmax(end_of(op, a.hi, -1), 0.0), end_of(op, a.lo, 1));
    case ZW_OP_COSH: {
        zw_interval m = zw_interval_abs(a);
        return increasing(op, m, 1.0, INFINITY);
    }
    case ZW_OP_TANH:
    case ZW_OP_ERF: return increasing(op, a, -1.0, 1.0);
    case ZW_OP_ACOSH: return a.lo < 1.0 ? zw_interval_whole() : increasing(op, a, 0.0, INFINITY);
    case ZW_OP_ATANH: return a.lo <= -1.0 || a.hi >= 1.0 ? zw_interval_whole() : increasing(op, a, -INFINITY, INFINITY);
    case ZW_OP_EXP: return increasing(op, a, 0.0, INFINITY);
    case ZW_OP_LOG:
    case ZW_OP_LOG10: return a.lo <= 0.0 ? zw_interval_whole() : increasing(op, a, -INFINITY, INFINITY);
    case ZW_OP_SQRT: return zw_interval_sqrt(a);
    case ZW_OP_ABS: return zw_interval_abs(a);
    case ZW_OP_SIGN: return (zw_interval){a.lo > 0.0 ? 1.0 : a.lo < 0.0 ? -1.0 : 0.0, a.hi > 0.0 ? 1.0 : a.hi < 0.0 ? -1.0 : 0.0};
    case ZW_OP_STEP: return (zw_interval){a.lo > 0.0 ? 1.0 : a.lo < 0.0 ? 0.0 : 0.5, a.hi > 0.0 ? 1.0 : a.hi < 0.0 ? 0.0 : 0.5};
    case ZW_OP_FLOOR: return zw_interval_make(floor(a.lo), floor(a.hi));
    case ZW_OP_CEIL: return zw_interval_make(ceil(a.lo), ceil(a.hi));
    default: return increasing(op, a, -INFINITY, INFINITY); /* atan sinh asinh cbrt */
    }
}

/* ---- two arguments */

/* hull of the values at the corners of a box, widened; a corner that gives nan (1 to the power infinity) may be anything */
static zw_interval corners(double (*f)(double, double), zw_interval a, zw_interval b, double low) {
    const double v[4] = {f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)};
    zw_interval  r = {INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        if (v[i] != v[i]) {
            return zw_interval_whole();
        }
        r.lo = v[i] < r.lo ? v[i] : r.lo;
        r.hi = v[i] > r.hi ? v[i] : r.hi;
    }
    r.lo = zw_ulps_after(r.lo, -SLACK);
    return zw_interval_make(r.lo < low ? low : r.lo, zw_ulps_after(r.hi, SLACK));
}

/* b log(a) is linear in each of b and log(a), so that a^b has its ends at corners where a > 0 */
zw_interval zw_interval_pow(zw_interval a, zw_interval b) {
    if (zw_interval_is_zero(b)) {
        return zw_interval_point(1.0);
    }
    if (a.lo > 0.0 || (a.lo == 0.0 && b.lo > 0.0)) {
        if (zw_interval_is_point(a) && a.lo == 1.0) {
            return a;
        }
        return corners(pow, a, b, 0.0);
    }
    if (!zw_interval_is_point(b) || b.lo != floor(b.lo) || !isfinite(b.lo)) {
        return zw_interval_whole(); /* not defined for a < 0 */
    }
    bool odd = fmod(b.lo, 2.0) != 0.0;
    if (b.lo < 0.0 && zw_interval_has(a, 0.0)) {
        return zw_interval_whole();
    }
    if (!odd) {
        return corners(pow, zw_interval_abs(a), b, 0.0);
    }
    return corners(pow, a, b, -INFINITY); /* odd: monotone */
}

/* a box beside the negative x axis is convex and has not the origin in it: the angle has its ends at corners. On the axis both signs of
 * pi are possible: a zero has no sign here */
zw_interval zw_interval_atan2(zw_interval y, zw_interval x) {
    if (zw_interval_has(y, 0.0) && x.lo <= 0.0) {
        double pi = zw_ulps_after(3.14159265358979323846, 1);
        return (zw_interval){-pi, pi};
    }
    if (zw_interval_is_zero(y)) {
        return y;
    }
    return corners(atan2, y, x, -INFINITY);
}

zw_interval zw_interval_hypot(zw_interval a, zw_interval b) {
    a = zw_interval_abs(a);
    b = zw_interval_abs(b);
    if (zw_interval_is_zero(a) || zw_interval_is_zero(b)) {
        return zw_interval_is_zero(a) ? b : a;
    }
    double lo = hypot(a.lo, b.lo), hi = hypot(a.hi, b.hi);
    return zw_interval_make(lo == 0.0 ? 0.0 : fmax(zw_ulps_after(lo, -SLACK), fmax(a.lo, b.lo)), zw_ulps_after(hi, SLACK));
}

/* b > 0: a - b floor(a/b), between 0 and b */
static zw_interval mod_of_positive(zw_interval a, zw_interval b) {
    zw_interval all = {0.0, b.hi};
    if (!isfinite(a.lo) || !isfinite(a.hi) || !isfinite(b.hi)) {
        return all;
    }
    if (zw_interval_is_point(b)) { /* fmod is exact; from the left end on, no end of a period may be passed */
        double      r = fmod(a.lo, b.lo), at = zw_expr_mod(a.lo, b.lo);
        zw_interval rest = {r == at ? at : zw_ulps_after(at, -1), r == at ? at : zw_ulps_after(at, 1)};
        zw_interval end = zw_interval_add(rest, zw_interval_sub(zw_interval_point(a.hi), zw_interval_point(a.lo)));
        return end.hi < b.lo || zw_interval_is_point(a)
                   ? (zw_interval){fmax(rest.lo, 0.0), fmin(zw_ulps_after(end.hi, !zw_interval_is_point(a)), b.hi)}
                   : all;
    }
    zw_interval n = zw_interval_unary(ZW_OP_FLOOR, zw_interval_div(a, b));
    if (!zw_interval_is_point(n)) {
        return all;
    }
    zw_interval r = zw_interval_sub(a, zw_interval_mul(n, b));
    return (zw_interval){fmax(zw_ulps_after(r.lo, -1), 0.0), fmin(zw_ulps_after(r.hi, 1), b.hi)};
}

zw_interval zw_interval_mod(zw_interval a, zw_interval b) {
    if (zw_interval_has(b, 0.0)) {
        return zw_interval_whole();
    }
    return b.lo > 0.0 ? mod_of_positive(a, b) : zw_interval_neg(mod_of_positive(zw_interval_neg(a), zw_interval_neg(b)));
}

/* ---- tables */

/* the formula of zw_table_value in segment i */
static zw_interval on_segment(const double *k, double x) {
    zw_interval rise = zw_interval_sub(zw_interval_point(k[3]), zw_interval_point(k[1]));
    zw_interval run = zw_interval_sub(zw_interval_point(k[2]), zw_interval_point(k[0]));
    zw_interval part = zw_interval_div(zw_interval_sub(zw_interval_point(x), zw_interval_point(k[0])), run);
    return zw_interval_add(zw_interval_point(k[1]), zw_interval_mul(rise, part));
}

static zw_interval slope_of_segment(const double *knots, int points, int i) {
    if (i < 0 || i >= points - 1) {
        return zw_interval_point(0.0);
    }
    const double *k = knots + 2 * (size_t)i;
    return zw_interval_div(zw_interval_sub(zw_interval_point(k[3]), zw_interval_point(k[1])),
                           zw_interval_sub(zw_interval_point(k[2]), zw_interval_point(k[0])));
}

zw_interval zw_interval_table(const double *knots, int points, zw_interval x) {
    int         first = zw_table_segment(knots, points, x.lo), last = zw_table_segment(knots, points, x.hi);
    zw_interval r = {INFINITY, -INFINITY};
    for (int i = first; i <= last; i++) {
        const double *k = knots + 2 * (size_t)(i < 0 ? 0 : i);
        if (i < 0 || i == points - 1) {
            r = zw_interval_hull(r, zw_interval_point(k[1]));
            continue;
        }
        r = zw_interval_hull(r, i == first ? on_segment(k, x.lo) : zw_interval_point(k[1]));
        r = zw_interval_hull(r, on_segment(k, i == last ? x.hi : k[2]));
    }
    return zw_interval_make(r.lo, r.hi);
}

zw_interval zw_interval_table_slope(const double *knots, int points, zw_interval x, bool both) {
    int first = zw_table_segment(knots, points, x.lo), last = zw_table_segment(knots, points, x.hi);
    if (both && first >= 0 && knots[2 * (size_t)first] == x.lo) {
        first--;
    }
    zw_interval r = slope_of_segment(knots, points, first);
    for (int i = first + 1; i <= last; i++) {
        r = zw_interval_hull(r, slope_of_segment(knots, points, i));
    }
    return r;
}

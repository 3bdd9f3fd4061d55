/* SPDX-License-Identifier: Apache-2.0
 * interval.h: arithmetic with intervals [lo, hi], rounded outwards, for tapes over boxes.
 *
 * A result holds two things: the exact value for every choice of numbers in the operands, and what the tape computes for them in doubles.
 * lo is never +inf and hi never -inf: an end at infinity says that there is no bound, after an overflow for instance. The whole line
 * [-inf, inf] also stands for "not defined somewhere in the box", so every function of it is the whole line again; only comparisons,
 * logic and the branch of an if() that is not taken forget it, as they forget a nan. */
#ifndef ZW_EXPR_INTERVAL_H
#define ZW_EXPR_INTERVAL_H

#include "expr/pool.h"

#include <float.h>

static inline zw_interval zw_interval_whole(void) {
    return (zw_interval){-INFINITY, INFINITY};
}

static inline zw_interval zw_interval_point(double x) {
    return (zw_interval){x, x};
}

static inline bool zw_interval_is_whole(zw_interval a) {
    return a.lo == -INFINITY && a.hi == INFINITY;
}

static inline bool zw_interval_is_point(zw_interval a) {
    return a.lo == a.hi;
}

static inline bool zw_interval_is_zero(zw_interval a) {
    return a.lo == 0.0 && a.hi == 0.0;
}

static inline bool zw_interval_has(zw_interval a, double x) {
    return a.lo <= x && x <= a.hi;
}

static inline bool zw_interval_meets(zw_interval a, zw_interval b) {
    return a.lo <= b.hi && b.lo <= a.hi;
}

/* from two ends: what is not an interval is the whole line */
static inline zw_interval zw_interval_make(double lo, double hi) {
    if (!(lo <= hi)) {
        return zw_interval_whole();
    }
    return (zw_interval){lo == INFINITY ? DBL_MAX : lo, hi == -INFINITY ? -DBL_MAX : hi};
}

static inline zw_interval zw_interval_hull(zw_interval a, zw_interval b) {
    return (zw_interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

/* the double that is n places after x (before it when n < 0); infinity is the last one */
double zw_ulps_after(double x, int n);

/* ---- arithmetic: the best bounds that doubles can give, but for tiny numbers and powers */
zw_interval zw_interval_neg(zw_interval a);
zw_interval zw_interval_add(zw_interval a, zw_interval b);
zw_interval zw_interval_sub(zw_interval a, zw_interval b);
zw_interval zw_interval_mul(zw_interval a, zw_interval b);
zw_interval zw_interval_div(zw_interval a, zw_interval b);
zw_interval zw_interval_sqrt(zw_interval a);
zw_interval zw_interval_abs(zw_interval a);
zw_interval zw_interval_powi(zw_interval a, int k);

/* ---- all other functions of the table of operations */
zw_interval zw_interval_unary(int op, zw_interval a);
zw_interval zw_interval_pow(zw_interval a, zw_interval b);
zw_interval zw_interval_atan2(zw_interval y, zw_interval x);
zw_interval zw_interval_hypot(zw_interval a, zw_interval b);
zw_interval zw_interval_mod(zw_interval a, zw_interval b);
zw_interval zw_interval_table(const double *knots, int points, zw_interval x);
/* slopes of a table over x; `both`: at a point of the table also the one to its left */
zw_interval zw_interval_table_slope(const double *knots, int points, zw_interval x, bool both);

/* any operation; number is that of POWI, TABLE and SLOPE */
zw_interval zw_interval_compute(const zw_dag *d, int op, int number, zw_interval a, zw_interval b, zw_interval c);

#endif

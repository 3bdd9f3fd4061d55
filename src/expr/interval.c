/* SPDX-License-Identifier: Apache-2.0
 * interval.c: sums, products, quotients and roots of intervals, and the choice of the function for an operation.
 *
 * The rounding mode is never touched: each result is rounded to nearest, its error is found exactly (two-sum for a + b, fma for a b - p,
 * a - q b and a - s^2), and where the error has the wrong sign the bound moves to the next double. An error that may have underflowed
 * moves it always. */
#include "expr/interval.h"

#include <string.h>

/* below this size the error of a product may be too small for a double */
static const double tiny = 0x1p-960;

double zw_ulps_after(double x, int n) {
    int64_t       i;
    const int64_t infinite = 0x7ff0000000000000;
    if (x != x) {
        return x;
    }
    memcpy(&i, &x, sizeof i);
    i = i < 0 ? INT64_MIN - i : i; /* doubles in their order */
    i += n;
    i = i > infinite ? infinite : i < -infinite ? -infinite : i;
    i = i < 0 ? INT64_MIN - i : i;
    memcpy(&x, &i, sizeof x);
    return x;
}

static double below(double x) {
    return zw_ulps_after(x, -1);
}

/* a bound from a rounded value and the sign of its error (exact - value); a nan as error: not known */
static double bound_down(double value, double error) {
    return error >= 0.0 ? value : below(value);
}

static double sum_down(double a, double b) {
    double s = a + b;
    if (!isfinite(s)) {
        return s == INFINITY ? DBL_MAX : s;
    }
    double bb = s - a;
    return bound_down(s, (a - (s - bb)) + (b - bb));
}

/* 0 times infinity is 0: the end at infinity is a bound, not a value */
static double product_down(double a, double b) {
    if (a == 0.0 || b == 0.0) {
        return 0.0;
    }
    double p = a * b;
    if (!isfinite(p)) {
        return p == INFINITY && isfinite(a) && isfinite(b) ? DBL_MAX : p;
    }
    return fabs(p) < tiny ? below(p) : bound_down(p, fma(a, b, -p));
}

/* inf/inf: the quotients of the other ends already reach from 0 to infinity */
static double quotient_down(double a, double b) {
    if (isinf(a) && isinf(b)) {
        return INFINITY;
    }
    if (a == 0.0 || isinf(b)) {
        return 0.0;
    }
    double q = a / b;
    if (!isfinite(q)) {
        return q == INFINITY && isfinite(a) ? DBL_MAX : q;
    }
    if (fabs(q) < tiny || fabs(a) < tiny) {
        return below(q);
    }
    double r = fma(-q, b, a);
    return bound_down(q, b > 0.0 ? r : -r);
}

zw_interval zw_interval_neg(zw_interval a) {
    return (zw_interval){-a.hi, -a.lo};
}

zw_interval zw_interval_add(zw_interval a, zw_interval b) {
    return zw_interval_make(sum_down(a.lo, b.lo), -sum_down(-a.hi, -b.hi));
}

zw_interval zw_interval_sub(zw_interval a, zw_interval b) {
    return zw_interval_add(a, zw_interval_neg(b));
}

static double least(double a, double b, double c, double d) {
    double x = a < b ? a : b, y = c < d ? c : d;
    return x < y ? x : y;
}

zw_interval zw_interval_mul(zw_interval a, zw_interval b) {
    if (zw_interval_is_whole(a) || zw_interval_is_whole(b)) {
        return zw_interval_whole();
    }
    if (a.lo >= 0.0 && b.lo >= 0.0) {
        return zw_interval_make(product_down(a.lo, b.lo), -product_down(-a.hi, b.hi));
    }
    double lo = least(product_down(a.lo, b.lo), product_down(a.lo, b.hi), product_down(a.hi, b.lo), product_down(a.hi, b.hi));
    double hi = -least(product_down(-a.lo, b.lo), product_down(-a.lo, b.hi), product_down(-a.hi, b.lo), product_down(-a.hi, b.hi));
    return zw_interval_make(lo, hi);
}

zw_interval zw_interval_div(zw_interval a, zw_interval b) {
    if (zw_interval_is_whole(a) || zw_interval_has(b, 0.0)) {
        return zw_interval_whole();
    }
    double lo = least(quotient_down(a.lo, b.lo), quotient_down(a.lo, b.hi), quotient_down(a.hi, b.lo), quotient_down(a.hi, b.hi));
    double hi = -least(quotient_down(-a.lo, b.lo), quotient_down(-a.lo, b.hi), quotient_down(-a.hi, b.lo), quotient_down(-a.hi, b.hi));
    return zw_interval_make(lo, hi);
}

zw_interval zw_interval_sqrt(zw_interval a) {
    if (!(a.lo >= 0.0)) {
        return zw_interval_whole();
    }
    double lo = sqrt(a.lo), hi = sqrt(a.hi);
    if (lo > 0.0) {
        lo = a.lo < tiny ? below(lo) : bound_down(lo, fma(-lo, lo, a.lo));
    }
    if (hi > 0.0 && hi < INFINITY) {
        hi = a.hi < tiny ? zw_ulps_after(hi, 1) : -bound_down(-hi, fma(hi, hi, -a.hi));
    }
    return zw_interval_make(lo, hi);
}

zw_interval zw_interval_abs(zw_interval a) {
    if (a.lo >= 0.0 || zw_interval_is_whole(a)) {
        return a;
    }
    if (a.hi <= 0.0) {
        return zw_interval_neg(a);
    }
    return (zw_interval){0.0, -a.lo > a.hi ? -a.lo : a.hi};
}

/* the products of zw_expr_power, so that the tape's own roundings are inside too */
static zw_interval power_of_positive(zw_interval a, unsigned n) {
    zw_interval r = zw_interval_point(1.0);
    for (;;) {
        if (n & 1u) {
            r = zw_interval_mul(r, a);
        }
        n >>= 1;
        if (n == 0) {
            return r;
        }
        a = zw_interval_mul(a, a);
    }
}

zw_interval zw_interval_powi(zw_interval a, int k) {
    if (zw_interval_is_whole(a)) {
        return a;
    }
    unsigned    n = k < 0 ? 0u - (unsigned)k : (unsigned)k;
    zw_interval r;
    if (n % 2 == 0 || a.lo >= 0.0) {
        r = power_of_positive(zw_interval_abs(a), n);
    } else if (a.hi <= 0.0) {
        r = zw_interval_neg(power_of_positive(zw_interval_neg(a), n));
    } else { /* odd, and increasing through 0 */
        r.lo = -power_of_positive((zw_interval){0.0, -a.lo}, n).hi;
        r.hi = power_of_positive((zw_interval){0.0, a.hi}, n).hi;
    }
    return k < 0 ? zw_interval_div(zw_interval_point(1.0), r) : r;
}

/* ---- choices, comparisons, logic: [0, 0] is false, what has no 0 in it is true, everything else may be both */

static zw_interval truth(bool may_be_false, bool may_be_true) {
    return (zw_interval){may_be_false ? 0.0 : 1.0, may_be_true ? 1.0 : 0.0};
}

static bool may_be_false(zw_interval a) {
    return zw_interval_has(a, 0.0);
}

static bool may_be_true(zw_interval a) {
    return !zw_interval_is_zero(a);
}

static zw_interval compare(int op, zw_interval a, zw_interval b) {
    bool meet = zw_interval_meets(a, b), same = zw_interval_is_point(a) && zw_interval_is_point(b) && meet;
    switch (op) {
    case ZW_OP_LT: return truth(a.hi >= b.lo, a.lo < b.hi);
    case ZW_OP_LE: return truth(a.hi > b.lo, a.lo <= b.hi);
    case ZW_OP_EQ: return truth(!same, meet);
    case ZW_OP_NE: return truth(meet, !same);
    case ZW_OP_AND: return truth(may_be_false(a) || may_be_false(b), may_be_true(a) && may_be_true(b));
    default: return truth(may_be_false(a) && may_be_false(b), may_be_true(a) || may_be_true(b)); /* or */
    }
}

static zw_interval choose(zw_interval a, zw_interval b, zw_interval c) {
    if (zw_interval_is_whole(a)) {
        return a;
    }
    return !may_be_false(a) ? b : !may_be_true(a) ? c : zw_interval_hull(b, c);
}

zw_interval zw_interval_compute(const zw_dag *d, int op, int number, zw_interval a, zw_interval b, zw_interval c) {
    switch ((zw_op)op) {
    case ZW_OP_NOT: return truth(may_be_true(a), may_be_false(a));
    case ZW_OP_LT:
    case ZW_OP_LE:
    case ZW_OP_EQ:
    case ZW_OP_NE:
    case ZW_OP_AND:
    case ZW_OP_OR: return compare(op, a, b);
    case ZW_OP_IF: return choose(a, b, c);
    default: break;
    }
    int arity = zw_op_arity(op);
    if (zw_interval_is_whole(a) || (arity > 1 && zw_interval_is_whole(b))) {
        return zw_interval_whole();
    }
    const double *knots = op == ZW_OP_TABLE || op == ZW_OP_SLOPE ? d->knots + d->table[number].first : NULL;
    switch ((zw_op)op) {
    case ZW_OP_NEG: return zw_interval_neg(a);
    case ZW_OP_ADD: return zw_interval_add(a, b);
    case ZW_OP_SUB: return zw_interval_sub(a, b);
    case ZW_OP_MUL: return zw_interval_mul(a, b);
    case ZW_OP_DIV: return zw_interval_div(a, b);
    case ZW_OP_POW: return zw_interval_pow(a, b);
    case ZW_OP_MIN: return (zw_interval){a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
    case ZW_OP_MAX: return (zw_interval){a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
    case ZW_OP_ATAN2: return zw_interval_atan2(a, b);
    case ZW_OP_HYPOT: return zw_interval_hypot(a, b);
    case ZW_OP_MOD: return zw_interval_mod(a, b);
    case ZW_OP_POWI: return zw_interval_powi(a, number);
    case ZW_OP_TABLE: return zw_interval_table(knots, d->table[number].points, a);
    case ZW_OP_SLOPE: return zw_interval_table_slope(knots, d->table[number].points, a, false);
    default: return zw_interval_unary(op, a);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * diff.c: the exact derivative of a node by one input, forward through the nodes it is made of: d f(a, b) = f_a da + f_b db.
 *
 * Where a function has no derivative, one value is chosen and kept:
 *   abs      sign: 0 at 0                               sign, step, floor, ceil, comparisons, logic: 0 everywhere
 *   min, max the derivative of the first argument where both are equal; clamp is min(max(x, low), high), so 1 at both its ends
 *   if       the derivative of the branch that is taken; the condition counts as constant
 *   table    the slope to the right of a point; 0 outside, so the right end has slope 0
 *   mod(a,b) that of a - b floor(a/b) with the floor constant
 *   a^b      the part of db is 0 where a is 0 (the limit for b > 0)
 * sqrt, cbrt, norm at 0 and the like give what the formula gives there: inf or nan.
 *
 * Two nodes are never made inside the arguments of one call: C leaves open which comes first, and node numbers decide how sums
 * are written. */
#include "expr/pool.h"

/* f'(a) of a function of one argument, where n is f(a) itself */
static zw_node slope_of_unary(zw_pool *p, int op, zw_node a, zw_node n) {
    zw_node one = zw_node_constant(p, 1.0);
    zw_node t, u;
    switch ((zw_op)op) {
    case ZW_OP_SIN: return zw_node_build(p, ZW_OP_COS, a, 0, 0);
    case ZW_OP_COS: return zw_node_neg(p, zw_node_build(p, ZW_OP_SIN, a, 0, 0));
    case ZW_OP_TAN: return zw_node_add(p, zw_node_powi(p, n, 2), one);
    case ZW_OP_ASIN:
    case ZW_OP_ACOS: /* (1-a)(1+a) keeps its digits near the ends, 1-a^2 does not */
        t = zw_node_sub(p, one, a);
        t = zw_node_mul(p, t, zw_node_add(p, one, a));
        u = zw_node_constant(p, op == ZW_OP_ASIN ? 1.0 : -1.0);
        return zw_node_div(p, u, zw_node_build(p, ZW_OP_SQRT, t, 0, 0));
    case ZW_OP_ATAN: return zw_node_div(p, one, zw_node_add(p, zw_node_powi(p, a, 2), one));
    case ZW_OP_SINH: return zw_node_build(p, ZW_OP_COSH, a, 0, 0);
    case ZW_OP_COSH: return zw_node_build(p, ZW_OP_SINH, a, 0, 0);
    case ZW_OP_TANH: return zw_node_powi(p, zw_node_build(p, ZW_OP_COSH, a, 0, 0), -2);
    case ZW_OP_ASINH: return zw_node_div(p, one, zw_node_build(p, ZW_OP_HYPOT, a, one, 0));
    case ZW_OP_ACOSH:
        t = zw_node_sub(p, a, one);
        t = zw_node_mul(p, t, zw_node_add(p, a, one));
        return zw_node_div(p, one, zw_node_build(p, ZW_OP_SQRT, t, 0, 0));
    case ZW_OP_ATANH: t = zw_node_sub(p, one, a); return zw_node_div(p, one, zw_node_mul(p, t, zw_node_add(p, one, a)));
    case ZW_OP_EXP: return n;
    case ZW_OP_LOG: return zw_node_div(p, one, a);
    case ZW_OP_LOG10: return zw_node_div(p, zw_node_constant(p, 0.43429448190325182765), a); /* 1/ln 10 */
    case ZW_OP_SQRT: return zw_node_div(p, zw_node_constant(p, 0.5), n);
    case ZW_OP_CBRT: t = zw_node_constant(p, 3.0); return zw_node_div(p, one, zw_node_mul(p, t, zw_node_powi(p, n, 2)));
    case ZW_OP_ABS: return zw_node_build(p, ZW_OP_SIGN, a, 0, 0);
    case ZW_OP_ERF: /* 2/sqrt(pi) exp(-a^2) */
        t = zw_node_build(p, ZW_OP_EXP, zw_node_neg(p, zw_node_powi(p, a, 2)), 0, 0);
        u = zw_node_constant(p, 1.12837916709551257390);
        return zw_node_mul(p, u, t);
    default: return zw_node_constant(p, 0.0); /* sign, step, floor, ceil, not */
    }
}

/* x*dx, where dx is often 0 or 1 */
static zw_node times(zw_pool *p, zw_node zero, zw_node x, zw_node dx) {
    return dx == zero ? zero : zw_node_mul(p, x, dx);
}

static zw_node diff_pow(zw_pool *p, zw_node n, zw_node a, zw_node b, zw_node da, zw_node db, zw_node zero) {
    zw_node left = zero, right = zero;
    if (da != zero) { /* b a^(b-1) da */
        zw_node lower = zw_node_pow(p, a, zw_node_sub(p, b, zw_node_constant(p, 1.0)));
        left = zw_node_mul(p, zw_node_mul(p, b, lower), da);
    }
    if (db != zero) { /* a^b log(a) db */
        zw_node grow = zw_node_mul(p, n, zw_node_build(p, ZW_OP_LOG, a, 0, 0));
        grow = zw_node_build(p, ZW_OP_IF, zw_node_build(p, ZW_OP_EQ, a, zero, 0), zero, grow);
        right = zw_node_mul(p, grow, db);
    }
    return zw_node_add(p, left, right);
}

static zw_node diff_binary(zw_pool *p, zw_node n, int op, zw_node a, zw_node b, zw_node da, zw_node db, zw_node zero) {
    zw_node t, u;
    switch ((zw_op)op) {
    case ZW_OP_ADD: return zw_node_add(p, da, db);
    case ZW_OP_SUB: return zw_node_sub(p, da, db);
    case ZW_OP_MUL: t = times(p, zero, b, da); return zw_node_add(p, t, times(p, zero, a, db));
    case ZW_OP_DIV: /* (da - (a/b) db)/b */
        return db == zero ? zw_node_div(p, da, b) : zw_node_div(p, zw_node_sub(p, da, zw_node_mul(p, n, db)), b);
    case ZW_OP_POW: return diff_pow(p, n, a, b, da, db, zero);
    case ZW_OP_MIN: return zw_node_build(p, ZW_OP_IF, zw_node_build(p, ZW_OP_LE, a, b, 0), da, db);
    case ZW_OP_MAX: return zw_node_build(p, ZW_OP_IF, zw_node_build(p, ZW_OP_LE, b, a, 0), da, db);
    case ZW_OP_ATAN2: /* (b da - a db)/(a^2 + b^2) */
        t = times(p, zero, b, da);
        t = zw_node_sub(p, t, times(p, zero, a, db));
        u = zw_node_powi(p, a, 2);
        u = zw_node_add(p, u, zw_node_powi(p, b, 2));
        return zw_node_div(p, t, u);
    case ZW_OP_HYPOT: /* (a/h) da + (b/h) db: no overflow */
        t = da == zero ? zero : zw_node_mul(p, zw_node_div(p, a, n), da);
        return db == zero ? t : zw_node_add(p, t, zw_node_mul(p, zw_node_div(p, b, n), db));
    case ZW_OP_MOD: /* da - floor(a/b) db */
        return db == zero ? da : zw_node_sub(p, da, zw_node_mul(p, zw_node_build(p, ZW_OP_FLOOR, zw_node_div(p, a, b), 0, 0), db));
    default: return zero; /* comparisons and logic */
    }
}

/* derivative of node n, whose operands have the derivatives d[] */
static zw_node diff_node(zw_pool *p, zw_node n, const zw_node *d, zw_node zero) {
    const zw_expr_node e = p->dag.node[n]; /* a copy: building may move the nodes */
    zw_node            da = d[e.a], k;
    switch (e.op) {
    case ZW_OP_NEG: return zw_node_neg(p, da);
    case ZW_OP_POWI: /* k a^(k-1) da */
        if (da == zero) {
            return zero;
        }
        k = zw_node_constant(p, (double)e.b);
        return zw_node_mul(p, zw_node_mul(p, k, zw_node_powi(p, e.a, e.b - 1)), da);
    case ZW_OP_TABLE: return da == zero ? zero : zw_node_mul(p, zw_node_build(p, ZW_OP_SLOPE, e.a, e.b, 0), da);
    case ZW_OP_SLOPE: return zero;
    case ZW_OP_IF: return zw_node_build(p, ZW_OP_IF, e.a, d[e.b], d[e.c]);
    default: break;
    }
    if (zw_op_arity(e.op) == 1) {
        if (da == zero) {
            return zero;
        }
        zw_node slope = slope_of_unary(p, e.op, e.a, n);
        double  over;
        /* a quotient 1/x times da is written da/x: one rounding less */
        if (slope && p->dag.node[slope].op == ZW_OP_DIV && zw_node_is_constant(p, p->dag.node[slope].a, &over) && over == 1.0) {
            return zw_node_div(p, da, p->dag.node[slope].b);
        }
        return slope == zero ? zero : zw_node_mul(p, slope, da);
    }
    return diff_binary(p, n, e.op, e.a, e.b, da, d[e.b], zero);
}

zw_node zw_node_diff(zw_pool *p, zw_node n, int slot) {
    zw_node zero = zw_node_constant(p, 0.0), one = zw_node_constant(p, 1.0);
    if (!n || !zero || !one) {
        return 0;
    }
    if (!zw_node_depends(p, n, slot)) {
        return zero;
    }
    uint8_t *keep = zw_alloc(p->context, (size_t)n + 1, 1, "derivative marks");
    zw_node *d = zw_alloc(p->context, (size_t)n + 1, sizeof *d, "derivatives");
    zw_node  result = 0;
    if (keep && d) {
        keep[n] = 1;
        zw_dag_reach(&p->dag, n, keep);
        uint64_t bit = zw_slot_bit(slot);
        for (int i = 1; i <= n; i++) {
            if (!keep[i]) {
                continue;
            }
            const zw_expr_node *e = &p->dag.node[i];
            if (!(e->mask & bit)) {
                d[i] = zero;
            } else if (e->op == ZW_OP_INPUT) {
                d[i] = e->a == slot ? one : zero;
            } else {
                d[i] = diff_node(p, i, d, zero);
            }
            if (!d[i]) {
                break; /* raised */
            }
        }
        result = d[n];
    }
    zw_free(p->context, keep);
    zw_free(p->context, d);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0
 * diff.c: exact derivatives of nodes. The rules of every operation, and the derivative forward through the nodes that something is
 * made of: d f(a, b) = f_a da + f_b db.
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
#include "expr/slope.h"

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
    default: return zw_node_constant(p, 0.0); /* sign, step, floor, ceil, not: they have no operands here */
    }
}

/* ---- rules */

int zw_slope_operands(const zw_expr_node *e, zw_node operand[2]) {
    switch ((zw_op)e->op) {
    case ZW_OP_NOT:
    case ZW_OP_SIGN:
    case ZW_OP_FLOOR:
    case ZW_OP_CEIL:
    case ZW_OP_STEP:
    case ZW_OP_LT:
    case ZW_OP_LE:
    case ZW_OP_EQ:
    case ZW_OP_NE:
    case ZW_OP_AND:
    case ZW_OP_OR:
    case ZW_OP_SLOPE: return 0;
    case ZW_OP_IF:
        operand[0] = e->b;
        operand[1] = e->c;
        return 2;
    default: break;
    }
    int arity = zw_op_arity(e->op);
    operand[0] = e->a;
    operand[1] = arity > 1 ? e->b : 0;
    return arity;
}

zw_node zw_slope_condition(zw_pool *p, zw_node n) {
    const zw_expr_node e = p->dag.node[n];
    switch (e.op) {
    case ZW_OP_MIN: return zw_node_build(p, ZW_OP_LE, e.a, e.b, 0);
    case ZW_OP_MAX: return zw_node_build(p, ZW_OP_LE, e.b, e.a, 0);
    default: return e.a;
    }
}

zw_node zw_slope_under(zw_pool *p, zw_node n) {
    const zw_expr_node e = p->dag.node[n];
    if (e.op == ZW_OP_DIV) {
        return e.b;
    }
    zw_node u = zw_node_powi(p, e.a, 2);
    return zw_node_add(p, u, zw_node_powi(p, e.b, 2));
}

static zw_node times_pow(zw_pool *p, zw_node n, int k, zw_node a, zw_node b, zw_node x) {
    if (k == 0) { /* b a^(b-1) */
        zw_node lower = zw_node_pow(p, a, zw_node_sub(p, b, zw_node_constant(p, 1.0)));
        return zw_slope_product(p, zw_node_mul(p, b, lower), x);
    }
    zw_node zero = zw_node_constant(p, 0.0); /* a^b log(a) */
    zw_node grow = zw_node_mul(p, n, zw_node_build(p, ZW_OP_LOG, a, 0, 0));
    grow = zw_node_build(p, ZW_OP_IF, zw_node_build(p, ZW_OP_EQ, a, zero, 0), zero, grow);
    return zw_node_mul(p, grow, x);
}

zw_node zw_slope_times(zw_pool *p, zw_node n, int k, zw_node x, bool *minus) {
    const zw_expr_node e = p->dag.node[n]; /* a copy: building may move the nodes */
    *minus = false;
    switch ((zw_op)e.op) {
    case ZW_OP_ADD: return x;
    case ZW_OP_NEG: *minus = true; return x;
    case ZW_OP_SUB: *minus = k == 1; return x;
    case ZW_OP_MUL: return zw_slope_product(p, k == 0 ? e.b : e.a, x);
    case ZW_OP_DIV: *minus = k == 1; return k == 0 ? x : zw_slope_product(p, n, x); /* (da - (a/b) db)/b */
    case ZW_OP_POW: return times_pow(p, n, k, e.a, e.b, x);
    case ZW_OP_ATAN2: *minus = k == 1; return zw_slope_product(p, k == 0 ? e.b : e.a, x);   /* (b da - a db)/(a^2 + b^2) */
    case ZW_OP_HYPOT: return zw_slope_product(p, zw_node_div(p, k == 0 ? e.a : e.b, n), x); /* (a/h) da + (b/h) db: no overflow */
    case ZW_OP_MOD:                                                                         /* da - floor(a/b) db */
        *minus = k == 1;
        return k == 0 ? x : zw_node_mul(p, zw_node_build(p, ZW_OP_FLOOR, zw_node_div(p, e.a, e.b), 0, 0), x);
    case ZW_OP_POWI: { /* k a^(k-1) */
        zw_node power = zw_node_constant(p, (double)e.b);
        power = zw_node_mul(p, power, zw_node_powi(p, e.a, e.b - 1));
        return zw_slope_product(p, power, x);
    }
    case ZW_OP_TABLE: return zw_slope_product(p, zw_node_build(p, ZW_OP_SLOPE, e.a, e.b, 0), x);
    default: return zw_slope_product(p, slope_of_unary(p, e.op, e.a, n), x);
    }
}

void zw_slope_reach(const zw_dag *d, zw_node last, uint64_t mask, uint64_t *marks) {
    for (zw_node n = zw_mark_below(marks, last + 1); n; n = zw_mark_below(marks, n)) {
        zw_node operand[2];
        int     m = zw_slope_operands(&d->node[n], operand);
        for (int k = 0; k < m; k++) {
            if (d->node[operand[k]].mask & mask) {
                zw_mark(marks, operand[k]);
            }
        }
    }
}

/* ---- forward */

/* derivative of node n, whose operands have the derivatives d[], where 0 stands for zero */
static zw_node diff_node(zw_pool *p, zw_node n, const zw_node *d, zw_node zero) {
    const zw_expr_node e = p->dag.node[n];
    zw_node            operand[2], x[2] = {0, 0}, sum = 0;
    int                m = zw_slope_operands(&e, operand);
    for (int k = 0; k < m; k++) {
        x[k] = d[operand[k]];
    }
    if (!x[0] && !x[1]) {
        return zero;
    }
    if (zw_slope_is_choice(e.op)) {
        return zw_node_build(p, ZW_OP_IF, zw_slope_condition(p, n), x[0] ? x[0] : zero, x[1] ? x[1] : zero);
    }
    for (int k = 0; k < m; k++) {
        if (x[k]) {
            bool    minus;
            zw_node part = zw_slope_times(p, n, k, x[k], &minus);
            if (!part) {
                return 0;
            }
            sum = zw_slope_add(p, sum, part, minus);
            if (!sum) {
                return 0;
            }
        }
    }
    return zw_slope_is_quotient(e.op) ? zw_slope_over(p, sum, zw_slope_under(p, n)) : sum;
}

/* seeds of the inputs, by slot; 0 stands for zero */
static bool sow(zw_pool *p, int nslots, const int *slots, const zw_node *seed, zw_node zero, zw_node *by_slot, uint64_t *mask) {
    for (int i = 0; i < nslots; i++) {
        if (slots[i] < 0 || slots[i] >= p->dag.inputs || seed[i] == zero) {
            continue;
        }
        zw_node *sum = &by_slot[slots[i]];
        *sum = zw_slope_add(p, *sum, seed[i], false);
        if (!*sum) {
            return false;
        }
        *mask |= zw_slot_bit(slots[i]);
    }
    return true;
}

static bool push(zw_pool *p, zw_node last, uint64_t *marks, zw_node *d, const zw_node *by_slot, uint64_t mask, zw_node zero) {
    zw_slope_reach(&p->dag, last, mask, marks);
    for (zw_node n = zw_mark_above(marks, 0, last); n; n = zw_mark_above(marks, n, last)) {
        const zw_expr_node *e = &p->dag.node[n];
        zw_node             dn = 0;
        if (e->op == ZW_OP_INPUT) {
            dn = by_slot[e->a] ? by_slot[e->a] : zero;
        } else {
            dn = diff_node(p, n, d, zero);
        }
        if (!dn) {
            return false;
        }
        d[n] = dn == zero ? 0 : dn;
    }
    return true;
}

zw_status zw_node_push(zw_pool *p, int nroots, const zw_node *roots, int nslots, const int *slots, const zw_node *seed, zw_node *out) {
    zw_node zero = zw_node_constant(p, 0.0), last = 0;
    if (!zero) {
        return zw_pool_failure(p);
    }
    for (int i = 0; i < nroots; i++) {
        last = roots[i] > last ? roots[i] : last;
    }
    uint64_t *marks = zw_alloc(p->context, zw_marks_words(last), sizeof *marks, "derivative marks");
    zw_node  *d = zw_alloc(p->context, (size_t)last + 1, sizeof *d, "derivatives");
    zw_node  *by_slot = zw_alloc(p->context, (size_t)p->dag.inputs, sizeof *by_slot, "seeds of derivatives");
    zw_status status = ZW_E_MEMORY;
    uint64_t  mask = 0;
    if (marks && d && by_slot) {
        for (int i = 0; i < nroots; i++) {
            zw_mark(marks, roots[i]);
        }
        if (sow(p, nslots, slots, seed, zero, by_slot, &mask) && push(p, last, marks, d, by_slot, mask, zero)) {
            for (int i = 0; i < nroots; i++) {
                out[i] = d[roots[i]] ? d[roots[i]] : zero;
            }
            status = ZW_OK;
        } else {
            status = zw_pool_failure(p);
        }
    }
    zw_free(p->context, marks);
    zw_free(p->context, d);
    zw_free(p->context, by_slot);
    return status;
}

zw_node zw_node_diff(zw_pool *p, zw_node n, int slot) {
    zw_node zero = zw_node_constant(p, 0.0), one = zw_node_constant(p, 1.0), out = 0;
    if (!n || !zero || !one) {
        return 0;
    }
    if (!zw_node_depends(p, n, slot)) {
        return zero;
    }
    return zw_node_push(p, 1, &n, 1, &slot, &one, &out) == ZW_OK ? out : 0;
}

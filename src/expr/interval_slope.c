/* SPDX-License-Identifier: Apache-2.0
 * interval_slope.c: tapes over boxes: enclosures of the values, and of the derivative along a direction, forward through the tape with
 * the rules of diff.c.
 *
 * Where a function has no derivative the enclosure holds what lies between the slopes on both sides: abs, min, max, table, hypot at 0. A
 * jump (step, sign, floor, ceil, mod, table_slope, the cut of atan2, comparisons, and the if() that they decide) has no slope: the whole
 * line, when it may be inside the box, its rim included, and the direction moves the operand. What does not move has slope 0. */
#include "expr/interval.h"
#include "expr/tape.h"

#include <string.h>

typedef struct operation {
    const zw_dag *dag;
    int           op, number;
    zw_interval   a, b, c, da, db, dc, r;
} operation;

static zw_interval mul(zw_interval a, zw_interval b) {
    return zw_interval_is_zero(b) ? b : zw_interval_mul(a, b); /* what does not move: no slope counts */
}

static zw_interval number(double x) { /* a constant that is not a double */
    return (zw_interval){zw_ulps_after(x, -1), zw_ulps_after(x, 1)};
}

static bool moves(zw_interval d) {
    return !zw_interval_is_zero(d);
}

static bool may_jump(zw_interval d) {
    return !isfinite(d.lo) || !isfinite(d.hi);
}

static zw_interval jump_if(bool jump) {
    return jump ? zw_interval_whole() : zw_interval_point(0.0);
}

/* (1 - a)(1 + a) */
static zw_interval one_minus_square(zw_interval a) {
    zw_interval one = zw_interval_point(1.0);
    return zw_interval_mul(zw_interval_sub(one, a), zw_interval_add(one, a));
}

/* f'(a) of the smooth functions */
static zw_interval slope_of_unary(int op, zw_interval a, zw_interval r) {
    zw_interval one = zw_interval_point(1.0), t;
    switch ((zw_op)op) {
    case ZW_OP_NEG: return zw_interval_point(-1.0);
    case ZW_OP_SIN: return zw_interval_unary(ZW_OP_COS, a);
    case ZW_OP_COS: return zw_interval_neg(zw_interval_unary(ZW_OP_SIN, a));
    case ZW_OP_TAN: return zw_interval_add(zw_interval_powi(r, 2), one);
    case ZW_OP_ASIN: return zw_interval_div(one, zw_interval_sqrt(one_minus_square(a)));
    case ZW_OP_ACOS: return zw_interval_div(zw_interval_point(-1.0), zw_interval_sqrt(one_minus_square(a)));
    case ZW_OP_ATAN: return zw_interval_div(one, zw_interval_add(zw_interval_powi(a, 2), one));
    case ZW_OP_SINH: return zw_interval_unary(ZW_OP_COSH, a);
    case ZW_OP_COSH: return zw_interval_unary(ZW_OP_SINH, a);
    case ZW_OP_TANH: return zw_interval_powi(zw_interval_unary(ZW_OP_COSH, a), -2);
    case ZW_OP_ASINH: return zw_interval_div(one, zw_interval_hypot(a, one));
    case ZW_OP_ACOSH:
        t = zw_interval_mul(zw_interval_sub(a, one), zw_interval_add(a, one));
        return zw_interval_div(one, zw_interval_sqrt(t));
    case ZW_OP_ATANH: return zw_interval_div(one, one_minus_square(a));
    case ZW_OP_EXP: return r;
    case ZW_OP_LOG: return zw_interval_div(one, a);
    case ZW_OP_LOG10: return zw_interval_div(number(0.43429448190325182765), a);
    case ZW_OP_SQRT: return zw_interval_div(zw_interval_point(0.5), r);
    case ZW_OP_CBRT: return zw_interval_div(one, zw_interval_mul(zw_interval_point(3.0), zw_interval_powi(r, 2)));
    case ZW_OP_ABS: return (zw_interval){a.lo > 0.0 ? 1.0 : -1.0, a.hi < 0.0 ? -1.0 : 1.0};
    default: /* erf */
        t = zw_interval_unary(ZW_OP_EXP, zw_interval_neg(zw_interval_powi(a, 2)));
        return zw_interval_mul(number(1.12837916709551257390), t);
    }
}

static zw_interval slope_of_pow(const operation *o) {
    zw_interval r = zw_interval_point(0.0);
    if (moves(o->da)) {
        zw_interval lower = zw_interval_pow(o->a, zw_interval_sub(o->b, zw_interval_point(1.0)));
        r = mul(zw_interval_mul(o->b, lower), o->da);
    }
    if (moves(o->db)) {
        r = zw_interval_add(r, mul(zw_interval_mul(o->r, zw_interval_unary(ZW_OP_LOG, o->a)), o->db));
    }
    return r;
}

/* a/hypot(a, b), which is between -1 and 1 also where both are 0 */
static zw_interval cosine(zw_interval a, zw_interval h) {
    zw_interval r = {a.lo >= 0.0 ? 0.0 : -1.0, a.hi <= 0.0 ? 0.0 : 1.0};
    if (h.lo > 0.0) {
        zw_interval q = zw_interval_div(a, h);
        r = (zw_interval){fmax(q.lo, r.lo), fmin(q.hi, r.hi)};
    }
    return r;
}

static zw_interval slope_of_mod(const operation *o) {
    zw_interval q = zw_interval_div(o->a, o->b);
    double      n = floor(q.lo);
    if (!(n < q.lo && q.hi < n + 1.0)) {
        return zw_interval_whole();
    }
    return zw_interval_sub(o->da, mul(zw_interval_point(n), o->db));
}

/* and, or: they jump where an operand passes 0 while the other leaves it open */
static zw_interval slope_of_logic(const operation *o) {
    bool decides = o->op == ZW_OP_OR; /* true or anything; false and anything */
    bool a_settles = !moves(o->da) && (decides ? !zw_interval_has(o->a, 0.0) : zw_interval_is_zero(o->a));
    bool b_settles = !moves(o->db) && (decides ? !zw_interval_has(o->b, 0.0) : zw_interval_is_zero(o->b));
    bool a_turns = moves(o->da) && (zw_interval_has(o->a, 0.0) || may_jump(o->da));
    bool b_turns = moves(o->db) && (zw_interval_has(o->b, 0.0) || may_jump(o->db));
    return jump_if(!a_settles && !b_settles && (a_turns || b_turns));
}

static zw_interval slope_of_if(const operation *o) {
    bool has_zero = zw_interval_has(o->a, 0.0);
    if (moves(o->da) && (has_zero || may_jump(o->da))) {
        return zw_interval_whole();
    }
    return !has_zero ? o->db : zw_interval_is_zero(o->a) ? o->dc : zw_interval_hull(o->db, o->dc);
}

static zw_interval slope_of_binary(const operation *o) {
    zw_interval under;
    switch ((zw_op)o->op) {
    case ZW_OP_ADD: return zw_interval_add(o->da, o->db);
    case ZW_OP_SUB: return zw_interval_sub(o->da, o->db);
    case ZW_OP_MUL: return zw_interval_add(mul(o->b, o->da), mul(o->a, o->db));
    case ZW_OP_DIV: return zw_interval_div(zw_interval_sub(o->da, mul(o->r, o->db)), o->b);
    case ZW_OP_POW: return slope_of_pow(o);
    case ZW_OP_MIN: return o->a.hi < o->b.lo ? o->da : o->b.hi < o->a.lo ? o->db : zw_interval_hull(o->da, o->db);
    case ZW_OP_MAX: return o->a.lo > o->b.hi ? o->da : o->b.lo > o->a.hi ? o->db : zw_interval_hull(o->da, o->db);
    case ZW_OP_ATAN2:
        if (zw_interval_has(o->a, 0.0) && o->b.lo <= 0.0) {
            return zw_interval_whole(); /* the cut, or the origin */
        }
        under = zw_interval_add(zw_interval_powi(o->a, 2), zw_interval_powi(o->b, 2));
        return zw_interval_div(zw_interval_sub(mul(o->b, o->da), mul(o->a, o->db)), under);
    case ZW_OP_HYPOT: return zw_interval_add(mul(cosine(o->a, o->r), o->da), mul(cosine(o->b, o->r), o->db));
    case ZW_OP_MOD: return slope_of_mod(o);
    case ZW_OP_AND:
    case ZW_OP_OR: return slope_of_logic(o);
    default: return jump_if(zw_interval_meets(o->a, o->b) || may_jump(o->da) || may_jump(o->db)); /* comparisons jump where a = b */
    }
}

static zw_interval slope_of_table(const operation *o) {
    const zw_expr_table *t = &o->dag->table[o->number];
    const double        *knots = o->dag->knots + t->first;
    if (o->op == ZW_OP_TABLE) {
        return mul(zw_interval_table_slope(knots, t->points, o->a, true), o->da);
    }
    int first = zw_table_segment(knots, t->points, o->a.lo);
    return jump_if(first != zw_table_segment(knots, t->points, o->a.hi) || (first >= 0 && knots[2 * (size_t)first] == o->a.lo));
}

/* the derivative of one operation, something of which moves */
static zw_interval slope_of(const operation *o) {
    switch ((zw_op)o->op) {
    case ZW_OP_IF: return slope_of_if(o);
    case ZW_OP_NOT: return jump_if(zw_interval_has(o->a, 0.0) || may_jump(o->da));
    case ZW_OP_LT:
    case ZW_OP_LE:
    case ZW_OP_EQ:
    case ZW_OP_NE:
    case ZW_OP_AND:
    case ZW_OP_OR: return slope_of_binary(o);
    default: break;
    }
    if (zw_interval_is_whole(o->r)) {
        return o->r; /* not defined somewhere */
    }
    switch ((zw_op)o->op) {
    case ZW_OP_SIGN:
    case ZW_OP_STEP: return jump_if(zw_interval_has(o->a, 0.0) || may_jump(o->da));
    case ZW_OP_FLOOR:
    case ZW_OP_CEIL: return jump_if(ceil(o->a.lo) <= floor(o->a.hi) || may_jump(o->da));
    case ZW_OP_POWI: return mul(zw_interval_mul(zw_interval_point((double)o->number), zw_interval_powi(o->a, o->number - 1)), o->da);
    case ZW_OP_TABLE:
    case ZW_OP_SLOPE: return slope_of_table(o);
    default: break;
    }
    return zw_op_arity(o->op) == 1 ? mul(slope_of_unary(o->op, o->a, o->r), o->da) : slope_of_binary(o);
}

static zw_interval checked(zw_interval a) {
    return zw_interval_make(a.lo, a.hi);
}

/* fills in the constants and inputs */
static void load(const zw_tape *t, const zw_interval *in, bool constants, zw_interval *w) {
    for (int i = 0; i < t->constants; i++) {
        w[i] = zw_interval_point(constants ? t->constant[i] : 0.0);
    }
    for (int i = 0; i < t->input_count; i++) {
        w[t->constants + i] = checked(in[t->input[i]]);
    }
}

void zw_tape_eval_interval(const zw_tape *t, const zw_interval *in, zw_interval *work, zw_interval *out) {
    load(t, in, true, work);
    for (int k = 0; k < t->length; k++) {
        const zw_instruction *i = &t->code[k];
        int                   arity = zw_op_arity(i->op);
        zw_interval           none = {0.0, 0.0};
        work[i->to] = zw_interval_compute(&t->dag, i->op, i->b, work[i->a], arity > 1 ? work[i->b] : none, arity > 2 ? work[i->c] : none);
    }
    for (int i = 0; i < t->roots; i++) {
        out[i] = work[t->place[t->root[i]]];
    }
}

void zw_tape_eval_interval_slope(const zw_tape *t, const zw_interval *in, const zw_interval *din, zw_interval *work, zw_interval *out,
                                 zw_interval *slope) {
    zw_interval *w = work, *d = work + t->work;
    load(t, in, true, w);
    load(t, din, false, d);
    for (int k = 0; k < t->length; k++) {
        const zw_instruction *i = &t->code[k];
        int                   arity = zw_op_arity(i->op);
        operation             o = {.dag = &t->dag, .op = i->op, .number = i->b, .a = w[i->a], .da = d[i->a]};
        if (arity > 1) {
            o.b = w[i->b];
            o.db = d[i->b];
        }
        if (arity > 2) {
            o.c = w[i->c];
            o.dc = d[i->c];
        }
        o.r = zw_interval_compute(&t->dag, o.op, o.number, o.a, o.b, o.c);
        w[i->to] = o.r;
        d[i->to] = moves(o.da) || moves(o.db) || moves(o.dc) ? slope_of(&o) : zw_interval_point(0.0);
    }
    for (int i = 0; i < t->roots; i++) {
        out[i] = w[t->place[t->root[i]]];
        slope[i] = d[t->place[t->root[i]]];
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * build.c: making nodes with simplification.
 *
 * Rules that are applied, each exact for finite operands up to the sign of a zero:
 *   operations on constants are computed, when the result is finite (1/0 stays a division, so that it can be explained);
 *   x+0, x-0, x*1, x/1, x^1 are x; x^0 is 1; 0*x and x-x are 0 only where x cannot become nan or infinite by itself
 *   (0*log(x) stays); x+x is 2*x, x*x is x^2; signs move outwards: a+(-b) is a-b, (-a)*b is -(a*b), 2*(-x) is -2*x;
 *   + * and or == != have their operands in one order, constants first in products and last in sums.
 * No rule reassociates: (x+1)+2 keeps its two roundings.
 * Building an operation from the operands of an existing node gives that node again. */
#include "expr/pool.h"

static bool constant(const zw_pool *p, zw_node n, double *value) {
    return zw_node_is_constant(p, n, value);
}

static int op_of(const zw_pool *p, zw_node n) {
    return p->dag.node[n].op;
}

static bool is_value(const zw_pool *p, zw_node n, double value) {
    return op_of(p, n) == ZW_OP_CONSTANT && p->dag.node[n].value == value;
}

/* the operation on constants; 0 when it has other operands or gives no finite number */
static zw_node fold(zw_pool *p, int op, zw_node a, zw_node b, zw_node c) {
    int    arity = zw_op_arity(op);
    double x = 0.0, y = 0.0, z = 0.0;
    if (!constant(p, a, &x) || (arity > 1 && !constant(p, b, &y)) || (arity > 2 && !constant(p, c, &z))) {
        return 0;
    }
    zw_expr_node n = {.op = (uint8_t)op, .a = a, .b = b, .c = c};
    double       value = zw_node_compute(&p->dag, &n, x, y, z);
    return isfinite(value) ? zw_node_constant(p, value) : 0;
}

/* is n written with a minus that can be taken away: -m, -2, -2*x, -2/x? */
static bool is_negated(const zw_pool *p, zw_node n) {
    const zw_expr_node *e = &p->dag.node[n];
    double              value;
    if (e->op == ZW_OP_NEG) {
        return true;
    }
    if (e->op == ZW_OP_MUL || e->op == ZW_OP_DIV) {
        return constant(p, e->a, &value) && value < 0.0;
    }
    return constant(p, n, &value) && value < 0.0;
}

zw_node zw_node_neg(zw_pool *p, zw_node a) {
    if (!a) {
        return 0;
    }
    zw_node folded = fold(p, ZW_OP_NEG, a, 0, 0);
    if (folded) {
        return folded;
    }
    const zw_expr_node e = p->dag.node[a];
    double             value;
    if (e.op == ZW_OP_NEG) {
        return e.a;
    }
    if ((e.op == ZW_OP_MUL || e.op == ZW_OP_DIV) && constant(p, e.a, &value)) {
        return zw_node_build(p, e.op, zw_node_constant(p, -value), e.b, 0);
    }
    return zw_node_intern(p, ZW_OP_NEG, a, 0, 0, 0.0);
}

/* operands of a commutative operation in their order */
static zw_node intern_sorted(zw_pool *p, int op, zw_node a, zw_node b) {
    bool swap = a > b;
    bool ca = op_of(p, a) == ZW_OP_CONSTANT, cb = op_of(p, b) == ZW_OP_CONSTANT;
    if (ca != cb) {
        swap = op == ZW_OP_MUL ? cb : ca;
    }
    return swap ? zw_node_intern(p, op, b, a, 0, 0.0) : zw_node_intern(p, op, a, b, 0, 0.0);
}

zw_node zw_node_add(zw_pool *p, zw_node a, zw_node b) {
    if (!a || !b) {
        return 0;
    }
    zw_node folded = fold(p, ZW_OP_ADD, a, b, 0);
    if (folded) {
        return folded;
    }
    if (is_value(p, a, 0.0)) {
        return b;
    }
    if (is_value(p, b, 0.0)) {
        return a;
    }
    if (a == b) {
        return zw_node_mul(p, zw_node_constant(p, 2.0), a);
    }
    if (is_negated(p, b)) {
        return zw_node_sub(p, a, zw_node_neg(p, b));
    }
    if (is_negated(p, a)) {
        return zw_node_sub(p, b, zw_node_neg(p, a));
    }
    return intern_sorted(p, ZW_OP_ADD, a, b);
}

zw_node zw_node_sub(zw_pool *p, zw_node a, zw_node b) {
    if (!a || !b) {
        return 0;
    }
    zw_node folded = fold(p, ZW_OP_SUB, a, b, 0);
    if (folded) {
        return folded;
    }
    if (is_value(p, b, 0.0)) {
        return a;
    }
    if (is_value(p, a, 0.0)) {
        return zw_node_neg(p, b);
    }
    if (a == b && p->dag.node[a].total) {
        return zw_node_constant(p, 0.0);
    }
    if (is_negated(p, b)) {
        return zw_node_add(p, a, zw_node_neg(p, b));
    }
    if (op_of(p, a) == ZW_OP_NEG) {
        return zw_node_neg(p, zw_node_add(p, p->dag.node[a].a, b));
    }
    return zw_node_intern(p, ZW_OP_SUB, a, b, 0, 0.0);
}

zw_node zw_node_mul(zw_pool *p, zw_node a, zw_node b) {
    if (!a || !b) {
        return 0;
    }
    zw_node folded = fold(p, ZW_OP_MUL, a, b, 0);
    if (folded) {
        return folded;
    }
    if (op_of(p, b) == ZW_OP_CONSTANT && (op_of(p, a) != ZW_OP_CONSTANT || b < a)) {
        zw_node t = a;
        a = b;
        b = t;
    }
    double value;
    if (constant(p, a, &value)) {
        if (value == 0.0 && p->dag.node[b].total) {
            return zw_node_constant(p, 0.0);
        }
        if (value == 1.0) {
            return b;
        }
        if (value == -1.0) {
            return zw_node_neg(p, b);
        }
        if (op_of(p, b) == ZW_OP_NEG) {
            return zw_node_mul(p, zw_node_constant(p, -value), p->dag.node[b].a);
        }
        return zw_node_intern(p, ZW_OP_MUL, a, b, 0, 0.0);
    }
    bool na = op_of(p, a) == ZW_OP_NEG, nb = op_of(p, b) == ZW_OP_NEG;
    if (na || nb) {
        zw_node m = zw_node_mul(p, na ? p->dag.node[a].a : a, nb ? p->dag.node[b].a : b);
        return na && nb ? m : zw_node_neg(p, m);
    }
    if (a == b) {
        return zw_node_powi(p, a, 2);
    }
    return intern_sorted(p, ZW_OP_MUL, a, b);
}

zw_node zw_node_div(zw_pool *p, zw_node a, zw_node b) {
    if (!a || !b) {
        return 0;
    }
    zw_node folded = fold(p, ZW_OP_DIV, a, b, 0);
    if (folded) {
        return folded;
    }
    if (is_value(p, b, 1.0)) {
        return a;
    }
    bool   na = op_of(p, a) == ZW_OP_NEG, nb = op_of(p, b) == ZW_OP_NEG;
    double value;
    if (na || nb) {
        zw_node m = zw_node_div(p, na ? p->dag.node[a].a : a, nb ? p->dag.node[b].a : b);
        return na && nb ? m : zw_node_neg(p, m);
    }
    if (constant(p, b, &value) && value < 0.0) {
        return zw_node_neg(p, zw_node_div(p, a, zw_node_constant(p, -value)));
    }
    return zw_node_intern(p, ZW_OP_DIV, a, b, 0, 0.0);
}

zw_node zw_node_powi(zw_pool *p, zw_node a, int k) {
    if (!a) {
        return 0;
    }
    if (k == 0) {
        return zw_node_constant(p, 1.0);
    }
    if (k == 1) {
        return a;
    }
    if (k == -1) {
        return zw_node_div(p, zw_node_constant(p, 1.0), a);
    }
    if (k > ZW_EXPR_POWER_MAX || k < -ZW_EXPR_POWER_MAX) { /* the derivative of x^-32: as its text would be read */
        return zw_node_pow(p, a, zw_node_constant(p, (double)k));
    }
    zw_node folded = fold(p, ZW_OP_POWI, a, k, 0);
    if (folded) {
        return folded;
    }
    if (op_of(p, a) == ZW_OP_NEG) {
        zw_node m = zw_node_powi(p, p->dag.node[a].a, k);
        return k % 2 == 0 ? m : zw_node_neg(p, m);
    }
    return zw_node_intern(p, ZW_OP_POWI, a, k, 0, 0.0);
}

zw_node zw_node_pow(zw_pool *p, zw_node a, zw_node b) {
    if (!a || !b) {
        return 0;
    }
    double value;
    if (constant(p, b, &value)) {
        if (fabs(value) <= ZW_EXPR_POWER_MAX && value == floor(value)) {
            return zw_node_powi(p, a, (int)value);
        }
        if (value == 0.5) {
            return zw_node_build(p, ZW_OP_SQRT, a, 0, 0);
        }
    }
    zw_node folded = fold(p, ZW_OP_POW, a, b, 0);
    return folded ? folded : zw_node_intern(p, ZW_OP_POW, a, b, 0, 0.0);
}

static zw_node build_if(zw_pool *p, zw_node c, zw_node a, zw_node b) {
    double value;
    if (constant(p, c, &value)) {
        return value != 0.0 ? a : b;
    }
    return a == b && p->dag.node[c].total ? a : zw_node_intern(p, ZW_OP_IF, c, a, b, 0.0);
}

zw_node zw_node_build(zw_pool *p, int op, zw_node a, zw_node b, zw_node c) {
    int arity = zw_op_arity(op);
    if ((arity > 0 && !a) || (arity > 1 && !b) || (arity > 2 && !c)) {
        return 0;
    }
    bool number = op == ZW_OP_POWI || op == ZW_OP_TABLE || op == ZW_OP_SLOPE;
    b = arity > 1 || number ? b : 0; /* what an operation does not have must not make two nodes of one */
    c = arity > 2 ? c : 0;
    switch (op) {
    case ZW_OP_CONSTANT:
    case ZW_OP_INPUT: return 0; /* have their own makers */
    case ZW_OP_ADD: return zw_node_add(p, a, b);
    case ZW_OP_SUB: return zw_node_sub(p, a, b);
    case ZW_OP_MUL: return zw_node_mul(p, a, b);
    case ZW_OP_DIV: return zw_node_div(p, a, b);
    case ZW_OP_NEG: return zw_node_neg(p, a);
    case ZW_OP_POW: return zw_node_pow(p, a, b);
    case ZW_OP_POWI: return zw_node_powi(p, a, b);
    case ZW_OP_IF: return build_if(p, a, b, c);
    case ZW_OP_ABS:
        if (op_of(p, a) == ZW_OP_NEG) {
            return zw_node_build(p, ZW_OP_ABS, p->dag.node[a].a, 0, 0);
        }
        if (op_of(p, a) == ZW_OP_ABS) {
            return a;
        }
        break;
    case ZW_OP_MIN:
    case ZW_OP_MAX:
        if (a == b) {
            return a;
        }
        break;
    default: break;
    }
    zw_node folded = fold(p, op, a, b, c);
    if (folded) {
        return folded;
    }
    return zw_op_commutes(op) ? intern_sorted(p, op, a, b) : zw_node_intern(p, op, a, b, c, 0.0);
}

zw_node zw_node_substitute(zw_pool *p, zw_node n, int slot, zw_node by) {
    if (!n || !by || !zw_node_depends(p, n, slot)) {
        return by ? n : 0;
    }
    uint8_t *keep = zw_alloc(p->context, (size_t)n + 1, 1, "expression marks");
    zw_node *map = zw_alloc(p->context, (size_t)n + 1, sizeof *map, "substituted nodes");
    if (!keep || !map) {
        zw_free(p->context, keep);
        zw_free(p->context, map);
        return 0;
    }
    keep[n] = 1;
    zw_dag_reach(&p->dag, n, keep);
    uint64_t bit = zw_slot_bit(slot);
    for (int i = 1; i <= n; i++) {
        if (!keep[i]) {
            continue;
        }
        const zw_expr_node e = p->dag.node[i]; /* a copy: building may move the nodes */
        int                arity = zw_op_arity(e.op);
        if (e.op == ZW_OP_INPUT && e.a == slot) {
            map[i] = by;
        } else if (!(e.mask & bit)) {
            map[i] = i;
        } else if (arity == 0) {
            map[i] = i; /* another input with the same bit */
        } else {
            map[i] = zw_node_build(p, e.op, map[e.a], arity > 1 ? map[e.b] : e.b, arity > 2 ? map[e.c] : e.c);
            if (!map[i]) {
                break;
            }
        }
    }
    zw_node result = map[n];
    zw_free(p->context, keep);
    zw_free(p->context, map);
    return result;
}

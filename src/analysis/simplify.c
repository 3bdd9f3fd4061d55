/* SPDX-License-Identifier: Apache-2.0
 * simplify.c: cancelling common factors, and finding out whether a sum vanishes identically.
 *
 * m*y - m*x*(y/x) is 0, which no rule of the pool sees. It is decided by values: an analytic expression that is zero to the rounding of its terms
 * at random arguments of sizes 0.01 to 100 is zero everywhere. A tiny term beside large ones cannot hide: at some of these sizes it is the large one.
 * Expressions with jumps or kinks are left alone, because they can be zero in one region only. */
#include "analysis/simplify.h"

#include "expr/pool.h"

#include <float.h>

enum { FACTORS_MAX = 32, POINTS = 12, POINTS_LEAST = 6, TERMS_MAX = 4096 };

/* the factors of a product from left to right; false when there are too many */
static bool factors_of(const zw_pool *p, zw_node n, zw_node *list, int *count) {
    zw_node stack[FACTORS_MAX + 1];
    int     top = 0;
    *count = 0;
    stack[top++] = n;
    while (top > 0) {
        zw_node             next = stack[--top];
        const zw_expr_node *e = &p->dag.node[next];
        if (*count + top + 2 > FACTORS_MAX) {
            return false;
        }
        if (e->op == ZW_OP_MUL) {
            stack[top++] = e->b;
            stack[top++] = e->a;
        } else {
            list[(*count)++] = next;
        }
    }
    return true;
}

static zw_node product_of(zw_pool *p, const zw_node *list, int n) {
    zw_node product = zw_node_constant(p, 1.0);
    for (int i = 0; i < n; i++) {
        product = list[i] < 0 ? product : zw_node_mul(p, product, list[i]);
    }
    return product;
}

zw_node zw_simplify_ratio(zw_pool *p, zw_node a, zw_node b) {
    zw_node above[FACTORS_MAX], below[FACTORS_MAX];
    int     na, nb;
    bool    less = false, minus = false;
    if (!a || !b) {
        return 0;
    }
    if (p->dag.node[a].op == ZW_OP_NEG) {
        a = p->dag.node[a].a;
        minus = !minus;
    }
    if (p->dag.node[b].op == ZW_OP_NEG) {
        b = p->dag.node[b].a;
        minus = !minus;
    }
    if (factors_of(p, a, above, &na) && factors_of(p, b, below, &nb)) {
        for (int i = 0; i < na; i++) {
            for (int k = 0; k < nb; k++) {
                double c, d;
                bool numbers = above[i] > 0 && below[k] > 0 && zw_node_is_constant(p, above[i], &c) && zw_node_is_constant(p, below[k], &d);
                bool same = above[i] > 0 && (above[i] == below[k] || (numbers && c == -d));
                if (same && !(numbers && c == 0.0)) {
                    minus ^= above[i] != below[k];
                    above[i] = below[k] = -1; /* gone */
                    less = true;
                }
            }
        }
    }
    zw_node ratio = less ? zw_node_div(p, product_of(p, above, na), product_of(p, below, nb)) : zw_node_div(p, a, b);
    return minus ? zw_node_neg(p, ratio) : ratio;
}

static bool analytic(const zw_pool *p, zw_node n, const uint8_t *keep) {
    for (int i = 1; i <= n; i++) {
        if (!keep[i]) {
            continue;
        }
        switch (p->dag.node[i].op) {
        case ZW_OP_NOT:
        case ZW_OP_ABS:
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
        case ZW_OP_MIN:
        case ZW_OP_MAX:
        case ZW_OP_MOD:
        case ZW_OP_TABLE:
        case ZW_OP_SLOPE:
        case ZW_OP_IF: return false;
        default: break;
        }
    }
    return true;
}

/* sum of the sizes of the terms of n; -1 when there are too many */
static double size_of_terms(const zw_pool *p, zw_node n, const double *v, zw_node *stack) {
    int    top = 0, terms = 0;
    double sum = 0.0;
    stack[top++] = n;
    while (top > 0) {
        zw_node             next = stack[--top];
        const zw_expr_node *e = &p->dag.node[next];
        if (++terms > TERMS_MAX) {
            return -1.0;
        }
        if (e->op == ZW_OP_NEG) {
            stack[top++] = e->a;
        } else if (e->op == ZW_OP_ADD || e->op == ZW_OP_SUB) {
            stack[top++] = e->b;
            stack[top++] = e->a;
        } else {
            sum += fabs(v[next]);
        }
    }
    return sum;
}

static double random_size(uint64_t *seed) { /* +- 0.01 .. 100, evenly in the logarithm */
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    double x = (double)(*seed >> 11) * 0x1p-53;
    return (*seed & 1 ? 1.0 : -1.0) * exp((2.0 * x - 1.0) * log(100.0));
}

static bool vanishes(const zw_pool *p, zw_node n, const uint8_t *keep, double *in, double *v, zw_node *stack) {
    uint64_t seed = 0x9e3779b97f4a7c15u;
    int      points = 0;
    for (int k = 0; k < POINTS; k++) {
        for (int i = 0; i < p->dag.inputs; i++) {
            in[i] = random_size(&seed);
        }
        zw_dag_compute(&p->dag, n, keep, in, v);
        if (!isfinite(v[n])) {
            continue;
        }
        double size = size_of_terms(p, n, v, stack);
        if (size == 0.0) { /* exp(-x^2) at x = 100: underflow says nothing */
            continue;
        }
        if (!(size > 0.0) || !(fabs(v[n]) <= 32.0 * DBL_EPSILON * size)) {
            return false;
        }
        points++;
    }
    return points >= POINTS_LEAST;
}

zw_node zw_simplify_zero(zw_pool *p, zw_node n) {
    if (!n) {
        return 0;
    }
    int op = p->dag.node[n].op;
    if (op != ZW_OP_ADD && op != ZW_OP_SUB && op != ZW_OP_NEG) {
        return n;
    }
    zw_context *c = p->context;
    uint8_t    *keep = zw_alloc(c, (size_t)n + 1, 1, "marks of nodes");
    double     *v = zw_alloc(c, (size_t)n + 1, sizeof *v, "values of nodes");
    double     *in = zw_alloc(c, (size_t)p->dag.inputs, sizeof *in, "inputs of nodes");
    zw_node    *stack = zw_alloc(c, TERMS_MAX + 2, sizeof *stack, "terms of a sum");
    zw_node     result = 0;
    if (keep && v && in && stack) {
        keep[n] = 1;
        zw_dag_reach(&p->dag, n, keep);
        result = analytic(p, n, keep) && vanishes(p, n, keep, in, v, stack) ? zw_node_constant(p, 0.0) : n;
    }
    zw_free(c, keep);
    zw_free(c, v);
    zw_free(c, in);
    zw_free(c, stack);
    return result;
}

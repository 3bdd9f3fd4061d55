/* SPDX-License-Identifier: Apache-2.0
 * product.c: products and quotients as the rules of differentiation make them, written shortly.
 *
 * Powers of two are brought together in front, which changes no rounding: m/2 times 2 v is m v, 2 times 3 x y is 6 x y. A reciprocal
 * times x is a quotient: x/u. A factor that both sides have becomes a power: l s times m l s is l^2 s^2 m. Everything else is left as it is:
 * a product is not expanded. */
#include "expr/slope.h"

enum { STRIP_DEPTH = 6, FACTORS = 16 }; /* how deep, and for how many factors, a product is searched */

static bool is_power_of_two(const zw_pool *p, zw_node n, double *value) {
    int exponent;
    return zw_node_is_constant(p, n, value) && fabs(frexp(*value, &exponent)) == 0.5;
}

/* n without its powers of two, which go to *scale */
static zw_node strip(zw_pool *p, zw_node n, int depth, double *scale) {
    const zw_expr_node e = p->dag.node[n];
    double             value;
    if (e.op != ZW_OP_MUL && e.op != ZW_OP_DIV) {
        return n;
    }
    if (e.op == ZW_OP_MUL && is_power_of_two(p, e.a, &value)) {
        *scale *= value;
        return e.b;
    }
    if (e.op == ZW_OP_DIV && is_power_of_two(p, e.b, &value)) {
        *scale /= value;
        return e.a;
    }
    if (depth == 0) {
        return n;
    }
    zw_node a = strip(p, e.a, depth - 1, scale);
    zw_node b = e.op == ZW_OP_MUL && a ? strip(p, e.b, depth - 1, scale) : e.b;
    return a == e.a && b == e.b ? n : zw_node_build(p, e.op, a, b, 0);
}

/* does the product have a number in it that a power of two can go into? */
static bool has_number(const zw_pool *p, zw_node n, double scale, int depth) {
    const zw_expr_node *e = &p->dag.node[n];
    double              value;
    if (e->op != ZW_OP_MUL && e->op != ZW_OP_DIV) {
        return false;
    }
    if (zw_node_is_constant(p, e->a, &value)) {
        return isnormal(scale * value);
    }
    return depth > 0 && (has_number(p, e->a, scale, depth - 1) || (e->op == ZW_OP_MUL && has_number(p, e->b, scale, depth - 1)));
}

/* scale times a product that has a number in it: 2 times 3 x y is 6 x y, with the roundings of 3 x y */
static zw_node into_number(zw_pool *p, double scale, zw_node n, int depth) {
    const zw_expr_node e = p->dag.node[n];
    double             value;
    if (zw_node_is_constant(p, e.a, &value)) {
        return zw_node_build(p, e.op, zw_node_constant(p, scale * value), e.b, 0);
    }
    if (has_number(p, e.a, scale, depth - 1)) {
        return zw_node_build(p, e.op, into_number(p, scale, e.a, depth - 1), e.b, 0);
    }
    return zw_node_build(p, e.op, e.a, into_number(p, scale, e.b, depth - 1), 0);
}

/* scale times product, where scale is a power of two */
static zw_node scaled(zw_pool *p, double scale, zw_node product) {
    if (!product || scale == 1.0) {
        return product;
    }
    return has_number(p, product, scale, STRIP_DEPTH) ? into_number(p, scale, product, STRIP_DEPTH)
                                                      : zw_node_mul(p, zw_node_constant(p, scale), product);
}

/* c/u with a constant c */
static bool is_reciprocal(const zw_pool *p, zw_node n) {
    return p->dag.node[n].op == ZW_OP_DIV && zw_node_is_constant(p, p->dag.node[n].a, NULL);
}

/* ---- factors that both sides have */

typedef struct factors {
    int     n;
    zw_node base[FACTORS];
    int     power[FACTORS];
} factors;

/* the factors of n, equal ones together; false: too many */
static bool collect(const zw_pool *p, zw_node n, int depth, factors *f) {
    const zw_expr_node *e = &p->dag.node[n];
    if (e->op == ZW_OP_MUL && depth > 0) {
        return collect(p, e->a, depth - 1, f) && collect(p, e->b, depth - 1, f);
    }
    bool    power = e->op == ZW_OP_POWI && e->b > 0;
    zw_node base = power ? e->a : n;
    int     i = 0;
    while (i < f->n && f->base[i] != base) {
        i++;
    }
    if (i == FACTORS) {
        return false;
    }
    f->n = i == f->n ? i + 1 : f->n;
    f->base[i] = base;
    f->power[i] += power ? e->b : 1;
    return true;
}

/* older nodes first: the same factors give the same product */
static void sort(factors *f) {
    for (int i = 1; i < f->n; i++) {
        zw_node base = f->base[i];
        int     power = f->power[i], k = i;
        for (; k > 0 && f->base[k - 1] > base; k--) {
            f->base[k] = f->base[k - 1];
            f->power[k] = f->power[k - 1];
        }
        f->base[k] = base;
        f->power[k] = power;
    }
}

/* x y with each factor once, as a power: l s times m l s is l^2 s^2 m; 0 where they have none in common. `fail`: memory */
static zw_node merged(zw_pool *p, zw_node x, zw_node y, bool *fail) {
    factors all = {0}, right = {0};
    *fail = false;
    if (!collect(p, x, STRIP_DEPTH, &all)) {
        return 0;
    }
    int left = all.n;
    if (!collect(p, y, STRIP_DEPTH, &right) || !collect(p, y, STRIP_DEPTH, &all) || all.n == left + right.n) {
        return 0;
    }
    sort(&all);
    zw_node r = 0;
    for (int i = 0; i < all.n; i++) {
        zw_node power = zw_node_powi(p, all.base[i], all.power[i]);
        r = i == 0 ? power : zw_node_mul(p, r, power);
    }
    *fail = !r;
    return r;
}

zw_node zw_slope_product(zw_pool *p, zw_node x, zw_node y) {
    if (!x || !y) {
        return 0;
    }
    if (is_reciprocal(p, x) || is_reciprocal(p, y)) { /* 1/u times y is written y/u: one rounding less */
        const bool         first = is_reciprocal(p, x);
        const zw_expr_node e = p->dag.node[first ? x : y];
        return zw_slope_over(p, zw_slope_product(p, e.a, first ? y : x), e.b);
    }
    double  scale = 1.0;
    zw_node a = strip(p, x, STRIP_DEPTH, &scale);
    zw_node b = strip(p, y, STRIP_DEPTH, &scale);
    if (!a || !b) {
        return 0;
    }
    bool    fail;
    zw_node product = merged(p, a, b, &fail);
    if (fail) {
        return 0;
    }
    if (!isnormal(scale) || (!product && a == x && b == y)) {
        return zw_node_mul(p, x, y);
    }
    return scaled(p, scale, product ? product : zw_node_mul(p, a, b));
}

zw_node zw_slope_over(zw_pool *p, zw_node x, zw_node u) {
    double scale = 1.0, value;
    if (!x || !u || !is_power_of_two(p, u, &value)) {
        return zw_node_div(p, x, u);
    }
    zw_node a = strip(p, x, STRIP_DEPTH, &scale);
    scale /= value;
    return a == x || !isnormal(scale) ? zw_node_div(p, x, u) : scaled(p, scale, a);
}

/* SPDX-License-Identifier: Apache-2.0
 * slope.h: the rules of differentiation, once, for the derivative forward (diff.c) and backward (gradient.c).
 *
 * An operation n(o1, o2) has one of three forms:
 *   a choice    min, max, if: dn = if(condition, do1, do2)
 *   a quotient  /, atan2:     dn = (+-s1 do1 +- s2 do2)/u
 *   a sum       all others:   dn = +-s1 do1 +- s2 do2
 * zw_slope_times gives s_k times any node x: forward x = do_k, backward x is what the result weighs in the end.
 *
 * The walks mark nodes in a set of bits, so that a call costs the nodes it reaches, not the nodes of the pool. */
#ifndef ZW_EXPR_SLOPE_H
#define ZW_EXPR_SLOPE_H

#include "expr/pool.h"

/* operands that have a share in the derivative: sign, step, floor, comparisons ... have none, if() has its two branches */
int zw_slope_operands(const zw_expr_node *e, zw_node operand[2]);
/* s_k x of node n, and the sign to add it with */
zw_node            zw_slope_times(zw_pool *p, zw_node n, int k, zw_node x, bool *minus);
static inline bool zw_slope_is_choice(int op) {
    return op == ZW_OP_MIN || op == ZW_OP_MAX || op == ZW_OP_IF;
}
zw_node            zw_slope_condition(zw_pool *p, zw_node n); /* of a choice */
static inline bool zw_slope_is_quotient(int op) {
    return op == ZW_OP_DIV || op == ZW_OP_ATAN2;
}
zw_node zw_slope_under(zw_pool *p, zw_node n);           /* u of a quotient */
zw_node zw_slope_over(zw_pool *p, zw_node x, zw_node u); /* x/u */

zw_node zw_slope_product(zw_pool *p, zw_node x, zw_node y);

/* sum +- part; sum 0: nothing yet */
static inline zw_node zw_slope_add(zw_pool *p, zw_node sum, zw_node part, bool minus) {
    if (!sum) {
        return minus ? zw_node_neg(p, part) : part;
    }
    return minus ? zw_node_sub(p, sum, part) : zw_node_add(p, sum, part);
}

/* ---- marked nodes */
static inline size_t zw_marks_words(zw_node last) {
    return ((size_t)last + 1) / 64 + 1; /* and one behind the last: where walks begin */
}

static inline void zw_mark(uint64_t *marks, zw_node n) {
    marks[n / 64] |= (uint64_t)1 << (n % 64);
}

/* the marked node of the largest number below n; 0: none */
static inline zw_node zw_mark_below(const uint64_t *marks, zw_node n) {
    int      word = n / 64;
    uint64_t bits = marks[word] & (((uint64_t)1 << (n % 64)) - 1);
    while (!bits && word > 0) {
        bits = marks[--word];
    }
    if (!bits) {
        return 0;
    }
    int at = 0;
    for (int half = 32; half > 0; half /= 2) {
        if (bits >> half) {
            bits >>= half;
            at += half;
        }
    }
    return (zw_node)(64 * word + at);
}

/* the marked node of the smallest number above n and up to last; 0: none */
static inline zw_node zw_mark_above(const uint64_t *marks, zw_node n, zw_node last) {
    int      word = (n + 1) / 64, end = last / 64;
    uint64_t bits = word > end ? 0 : marks[word] & ~(((uint64_t)1 << ((n + 1) % 64)) - 1);
    while (!bits && word < end) {
        bits = marks[++word];
    }
    if (!bits) {
        return 0;
    }
    int at = 0;
    for (int half = 32; half > 0; half /= 2) {
        if (!(bits & (((uint64_t)1 << half) - 1))) {
            bits >>= half;
            at += half;
        }
    }
    zw_node found = (zw_node)(64 * word + at);
    return found <= last ? found : 0;
}

/* marks what the marked nodes up to `last` are made of, as far as it has a share in the derivative by inputs with a bit in `mask` */
void zw_slope_reach(const zw_dag *d, zw_node last, uint64_t mask, uint64_t *marks);

#endif

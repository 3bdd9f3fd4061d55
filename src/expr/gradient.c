/* SPDX-License-Identifier: Apache-2.0
 * gradient.c: the derivatives of one node by many inputs, backward. The weight of a node is the derivative of the result by it; from the
 * result down, every node gives its operands their shares, weight times slope, and has its whole weight when its turn comes, because
 * operands have smaller numbers. One pass, as many products as there are operands, however many inputs are asked for.
 *
 * Conventions and order of making nodes are those of diff.c. */
#include "expr/slope.h"

/* unmarks nodes that do not depend on one of the inputs after all: beyond 64 inputs the bits of a mask are shared */
static void prune(const zw_dag *d, zw_node last, const uint8_t *wanted, uint64_t *marks) {
    for (zw_node n = zw_mark_above(marks, 0, last); n; n = zw_mark_above(marks, n, last)) {
        const zw_expr_node *e = &d->node[n];
        zw_node             operand[2];
        bool                live = e->op == ZW_OP_INPUT && wanted[e->a];
        int                 m = zw_slope_operands(e, operand);
        for (int k = 0; e->op != ZW_OP_INPUT && k < m; k++) {
            live = live || (marks[operand[k] / 64] >> (operand[k] % 64) & 1);
        }
        if (!live) {
            marks[n / 64] &= ~((uint64_t)1 << (n % 64));
        }
    }
}

/* gives the operands of n their shares of its weight */
static bool hand_down(zw_pool *p, zw_node n, const uint64_t *marks, zw_node *weight, zw_node zero) {
    const int op = p->dag.node[n].op;
    zw_node   operand[2];
    int       m = zw_slope_operands(&p->dag.node[n], operand);
    for (int k = 0; k < m; k++) {
        zw_node o = operand[k], share;
        bool    minus = false;
        if (!(marks[o / 64] >> (o % 64) & 1)) {
            continue;
        }
        if (zw_slope_is_choice(op)) {
            zw_node condition = zw_slope_condition(p, n);
            share = zw_node_build(p, ZW_OP_IF, condition, k == 0 ? weight[n] : zero, k == 1 ? weight[n] : zero);
        } else {
            share = zw_slope_times(p, n, k, weight[n], &minus);
            if (zw_slope_is_quotient(op)) {
                share = zw_slope_over(p, share, zw_slope_under(p, n));
            }
        }
        if (!share) {
            return false;
        }
        if (share == zero) {
            continue;
        }
        weight[o] = zw_slope_add(p, weight[o], share, minus);
        if (!weight[o]) {
            return false;
        }
    }
    return true;
}

zw_status zw_node_gradient(zw_pool *p, zw_node n, int nslots, const int *slots, zw_node *out) {
    zw_node zero = zw_node_constant(p, 0.0), one = zw_node_constant(p, 1.0);
    if (!zero || !one) {
        return zw_pool_failure(p);
    }
    uint64_t *marks = zw_alloc(p->context, zw_marks_words(n), sizeof *marks, "gradient marks");
    zw_node  *weight = zw_alloc(p->context, (size_t)n + 1, sizeof *weight, "gradient");
    zw_node  *by_slot = zw_alloc(p->context, (size_t)p->dag.inputs, sizeof *by_slot, "gradient");
    uint8_t  *wanted = zw_alloc(p->context, (size_t)p->dag.inputs, 1, "gradient");
    zw_status status = ZW_E_MEMORY;
    uint64_t  mask = 0;
    if (!marks || !weight || !by_slot || !wanted) {
        goto done;
    }
    for (int i = 0; i < nslots; i++) {
        if (slots[i] >= 0 && slots[i] < p->dag.inputs) {
            wanted[slots[i]] = 1;
            mask |= zw_slot_bit(slots[i]);
        }
    }
    if (p->dag.node[n].mask & mask) {
        zw_mark(marks, n);
    }
    zw_slope_reach(&p->dag, n, mask, marks);
    prune(&p->dag, n, wanted, marks);
    weight[n] = one;
    for (zw_node i = zw_mark_below(marks, n + 1); i; i = zw_mark_below(marks, i)) {
        if (p->dag.node[i].op == ZW_OP_INPUT) {
            by_slot[p->dag.node[i].a] = weight[i];
        } else if (weight[i] && weight[i] != zero && !hand_down(p, i, marks, weight, zero)) {
            status = zw_pool_failure(p);
            goto done;
        }
    }
    for (int i = 0; i < nslots; i++) {
        zw_node d = slots[i] >= 0 && slots[i] < p->dag.inputs ? by_slot[slots[i]] : 0;
        out[i] = d ? d : zero;
    }
    status = ZW_OK;
done:
    zw_free(p->context, marks);
    zw_free(p->context, weight);
    zw_free(p->context, by_slot);
    zw_free(p->context, wanted);
    return status;
}

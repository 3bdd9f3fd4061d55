/* SPDX-License-Identifier: Apache-2.0
 * explain.c: why a result is not a finite number. From each such result the walk goes down through operands that are not finite either,
 * at an if() only into the branch that was taken, and stops at the first operation that made a nan or an infinity from finite operands.
 * Over a box the same is asked of bounds: the first operation that has none although its operands have. */
#include "expr/interval.h"
#include "expr/tape.h"

#include <string.h>

enum { WHOLE = 120, PART = 40, INPUTS_SHOWN = 6 };

/* below[i] = 1 for nodes that are at fault or pass the fault on; returns the first of them, 0 when all results are finite */
static zw_node first_fault(const zw_tape *t, const double *v, uint8_t *below) {
    const zw_dag *d = &t->dag;
    zw_node       first = 0;
    for (int i = 0; i < t->roots; i++) {
        below[t->root[i]] = !isfinite(v[t->root[i]]);
    }
    for (int i = d->nodes - 1; i > 0; i--) {
        if (!below[i]) {
            continue;
        }
        const zw_expr_node *e = &d->node[i];
        zw_node             operand[3] = {e->a, e->b, e->c};
        for (int k = 0; k < zw_op_arity(e->op); k++) {
            bool taken = e->op != ZW_OP_IF || k == 0 || (v[e->a] != 0.0) == (k == 1);
            if (taken && !isfinite(v[operand[k]])) {
                below[operand[k]] = 1;
            }
        }
        first = i; /* the last one met has the smallest index: nothing under it is at fault */
    }
    return first;
}

/* the operation with its operands cut short and their values: "log of [a + b*... = -3]" */
static void print_cut(const zw_tape *t, zw_node n, const double *v, zw_text *out) {
    const zw_expr_node *e = &t->dag.node[n];
    zw_node             operand[3] = {e->a, e->b, e->c};
    int                 arity = zw_op_arity(e->op);
    const char         *name = zw_op_text(e->op);
    bool                infix = arity == 2 && strchr("+-*/^", name[0]);
    if (!infix) {
        zw_text_add(out, e->op == ZW_OP_POWI ? "power" : name);
        zw_text_add(out, " of ");
    }
    for (int k = 0; k < arity; k++) {
        if (k) {
            zw_text_add(out, infix ? " " : ", ");
            zw_text_add(out, infix ? name : "");
            zw_text_add(out, infix ? " " : "");
        }
        zw_text_add(out, "[");
        zw_dag_print(&t->dag, operand[k], PART, out);
        zw_text_add(out, " = ");
        zw_text_number(out, v[operand[k]]);
        zw_text_add(out, "]");
    }
    if (e->op == ZW_OP_POWI) {
        zw_text_addf(out, " to %d", (int)e->b);
    }
}

void zw_tape_explain(const zw_tape *t, const double *in, zw_text *out) {
    zw_context   *c = out->context;
    const zw_dag *d = &t->dag;
    double       *v = zw_alloc(c, (size_t)d->nodes, sizeof *v, "explanation");
    uint8_t      *below = zw_alloc(c, (size_t)d->nodes, 1, "explanation");
    if (!v || !below) {
        out->failed = true;
        goto done;
    }
    zw_dag_compute(d, d->nodes - 1, NULL, in, v);
    zw_node n = first_fault(t, v, below);
    if (!n) {
        zw_text_add(out, "every result is finite");
        goto done;
    }
    if (d->node[n].op == ZW_OP_INPUT) {
        zw_text_add(out, d->input_name[d->node[n].a]);
        zw_text_add(out, " is ");
        zw_text_number(out, v[n]);
        goto done;
    }
    zw_text whole;
    zw_text_init(&whole, c);
    zw_dag_print(d, n, WHOLE, &whole);
    if (whole.n <= WHOLE) {
        zw_text_add(out, whole.s ? whole.s : "");
    } else {
        print_cut(t, n, v, out);
    }
    out->failed = out->failed || whole.failed;
    zw_text_destroy(&whole);
    /* the inputs it is made of */
    memset(below, 0, (size_t)d->nodes);
    below[n] = 1;
    zw_dag_reach(d, n, below);
    int shown = 0;
    for (int i = 1; i < n; i++) {
        if (!below[i] || d->node[i].op != ZW_OP_INPUT) {
            continue;
        }
        if (shown == INPUTS_SHOWN) {
            zw_text_add(out, ", ...");
            break;
        }
        zw_text_add(out, shown++ ? ", " : " with ");
        zw_text_add(out, d->input_name[d->node[i].a]);
        zw_text_add(out, " = ");
        zw_text_number(out, v[i]);
    }
    zw_text_add(out, " gives ");
    zw_text_number(out, v[n]);
done:
    zw_free(c, v);
    zw_free(c, below);
}

void zw_tape_explain_box(const zw_tape *t, const zw_interval *in, zw_text *out) {
    zw_context   *c = out->context;
    const zw_dag *d = &t->dag;
    zw_interval  *v = zw_alloc(c, (size_t)d->nodes, sizeof *v, "explanation");
    uint8_t      *below = zw_alloc(c, (size_t)d->nodes, 1, "explanation");
    zw_node       first = 0;
    if (!v || !below) {
        out->failed = true;
        goto done;
    }
    for (int i = 1; i < d->nodes && first == 0; i++) {
        const zw_expr_node *e = &d->node[i];
        int                 arity = zw_op_arity(e->op);
        if (arity == 0) {
            v[i] = e->op == ZW_OP_INPUT ? in[e->a] : zw_interval_point(e->value);
            continue;
        }
        v[i] = zw_interval_compute(d, e->op, e->b, v[e->a], arity > 1 ? v[e->b] : v[e->a], arity > 2 ? v[e->c] : v[e->a]);
        first = zw_interval_is_whole(v[i]) ? i : 0; /* operands have smaller numbers: all of them were bounded */
    }
    if (!first) {
        zw_text_add(out, "every result is bounded");
        goto done;
    }
    zw_dag_print(d, first, WHOLE, out);
    zw_text_add(out, " is not bounded");
    below[first] = 1;
    zw_dag_reach(d, first, below);
    int shown = 0;
    for (int i = 1; i < first && shown < INPUTS_SHOWN; i++) {
        if (below[i] && d->node[i].op == ZW_OP_INPUT && !zw_interval_is_point(v[i])) {
            zw_text_add(out, shown++ ? ", " : " with ");
            zw_text_add(out, d->input_name[d->node[i].a]);
            zw_text_add(out, " from ");
            zw_text_short(out, v[i].lo, 6);
            zw_text_add(out, " to ");
            zw_text_short(out, v[i].hi, 6);
        }
    }
done:
    zw_free(c, v);
    zw_free(c, below);
}

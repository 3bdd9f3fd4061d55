/* SPDX-License-Identifier: Apache-2.0
 * tape.c: nodes compiled to straight-line code: one array of instructions, one loop with one switch, no allocation, no branches but
 * those inside an operation. Both sides of an if() are computed and one is taken.
 *
 * Work space: [constants | inputs | results]; the place of a result is used again after its last reader, so that a sum of n terms
 * needs a few places, not n. The tape also keeps its own copy of the nodes (zw_dag): it outlives the pool and can explain itself. */
#include "expr/tape.h"

#include <string.h>

void zw_tape_destroy(zw_tape *t) {
    if (!t) {
        return;
    }
    zw_context *c = t->context;
    for (int i = 0; t->dag.input_name && i < t->dag.inputs; i++) {
        zw_free(c, t->dag.input_name[i]);
    }
    zw_free(c, t->dag.input_name);
    zw_free(c, t->dag.node);
    zw_free(c, t->dag.table);
    zw_free(c, t->dag.knots);
    zw_free(c, t->code);
    zw_free(c, t->constant);
    zw_free(c, t->input);
    zw_free(c, t->root);
    zw_free(c, t->place);
    zw_tape_narrow(t);
    zw_free(c, t);
}

/* live nodes, renumbered 1.. in the same order; map[old] = new */
static zw_status copy_nodes(zw_tape *t, const zw_pool *p, const uint8_t *keep, int last, zw_node *map) {
    zw_context   *c = t->context;
    const zw_dag *from = &p->dag;
    zw_dag       *to = &t->dag;
    int           live = 0;
    for (int i = 1; i <= last; i++) {
        live += keep[i];
    }
    to->node = zw_alloc(c, (size_t)live + 1, sizeof *to->node, "tape nodes");
    to->table = zw_alloc(c, (size_t)from->tables, sizeof *to->table, "tape tables");
    to->input_name = zw_alloc(c, (size_t)from->inputs, sizeof *to->input_name, "tape inputs");
    int      *table = zw_alloc(c, (size_t)from->tables, sizeof *table, "tape tables"); /* new number + 1 */
    zw_status status = ZW_E_MEMORY;
    if (!to->node || !to->table || !to->input_name || !table) {
        goto done;
    }
    to->inputs = from->inputs;
    to->nodes = 1;
    for (int i = 1; i <= last; i++) {
        if (!keep[i]) {
            continue;
        }
        zw_expr_node n = from->node[i];
        int          arity = zw_op_arity(n.op);
        if (arity > 0) {
            n.a = map[n.a];
        }
        if (arity > 1) {
            n.b = map[n.b];
        }
        if (arity > 2) {
            n.c = map[n.c];
        }
        if (n.op == ZW_OP_INPUT && !to->input_name[n.a]) {
            to->input_name[n.a] = zw_strdup(c, from->input_name[n.a]);
            if (!to->input_name[n.a]) {
                goto done;
            }
        } else if (n.op == ZW_OP_TABLE || n.op == ZW_OP_SLOPE) {
            if (!table[n.b]) {
                to->table[to->tables] = (zw_expr_table){.first = to->knot_count, .points = from->table[n.b].points};
                to->knot_count += 2 * from->table[n.b].points;
                table[n.b] = ++to->tables;
            }
            n.b = table[n.b] - 1;
        }
        n.next = 0;
        map[i] = to->nodes;
        to->node[to->nodes++] = n;
    }
    to->knots = zw_alloc(c, (size_t)to->knot_count, sizeof *to->knots, "tape tables");
    if (!to->knots) {
        goto done;
    }
    for (int i = 0; i < from->tables; i++) {
        if (table[i]) {
            const zw_expr_table *target = &to->table[table[i] - 1];
            memcpy(to->knots + target->first, from->knots + from->table[i].first, 2 * (size_t)target->points * sizeof *to->knots);
        }
    }
    status = ZW_OK;
done:
    zw_free(c, table);
    return status;
}

/* place[i]: where the value of node i is. use[i]: how many operands and roots still read it */
static void assign_places(zw_tape *t, int32_t *use, int32_t *spare) {
    const zw_dag *d = &t->dag;
    int           spares = 0;
    for (int i = 1; i < d->nodes; i++) {
        const zw_expr_node *n = &d->node[i];
        int32_t             operand[3] = {n->a, n->b, n->c};
        int                 arity = zw_op_arity(n->op);
        if (arity == 0) {
            continue;
        }
        for (int k = 0; k < arity; k++) {
            zw_node o = operand[k];
            if (--use[o] == 0 && zw_op_arity(d->node[o].op) > 0) {
                spare[spares++] = t->place[o];
            }
        }
        /* an instruction reads its operands before it writes, so it may write over one of them */
        t->place[i] = spares > 0 ? spare[--spares] : t->work++;
        zw_instruction *code = &t->code[t->length++];
        *code = (zw_instruction){.op = n->op, .to = t->place[i], .a = t->place[n->a]};
        code->b = arity > 1 ? t->place[n->b] : n->b;
        code->c = arity > 2 ? t->place[n->c] : 0;
    }
}

static zw_status assemble(zw_tape *t) {
    zw_context   *c = t->context;
    const zw_dag *d = &t->dag;
    int           operations = 0;
    for (int i = 1; i < d->nodes; i++) {
        t->constants += d->node[i].op == ZW_OP_CONSTANT;
        t->input_count += d->node[i].op == ZW_OP_INPUT;
        operations += zw_op_arity(d->node[i].op) > 0;
    }
    t->code = zw_alloc(c, (size_t)operations, sizeof *t->code, "tape");
    t->constant = zw_alloc(c, (size_t)t->constants, sizeof *t->constant, "tape constants");
    t->input = zw_alloc(c, (size_t)t->input_count, sizeof *t->input, "tape inputs");
    t->place = zw_alloc(c, (size_t)d->nodes, sizeof *t->place, "tape");
    int32_t  *use = zw_alloc(c, (size_t)d->nodes, sizeof *use, "tape");
    int32_t  *spare = zw_alloc(c, (size_t)operations, sizeof *spare, "tape");
    zw_status status = ZW_E_MEMORY;
    if (t->code && t->constant && t->input && t->place && use && spare) {
        int constants = 0, inputs = 0;
        for (int i = 1; i < d->nodes; i++) {
            const zw_expr_node *n = &d->node[i];
            int32_t             operand[3] = {n->a, n->b, n->c};
            if (n->op == ZW_OP_CONSTANT) {
                t->place[i] = constants;
                t->constant[constants++] = n->value;
            } else if (n->op == ZW_OP_INPUT) {
                t->place[i] = t->constants + inputs;
                t->input[inputs++] = n->a;
            }
            for (int k = 0; k < zw_op_arity(n->op); k++) {
                use[operand[k]]++;
            }
        }
        for (int i = 0; i < t->roots; i++) {
            use[t->root[i]]++; /* never given back: it is read at the end */
        }
        t->work = constants + inputs;
        assign_places(t, use, spare);
        status = ZW_OK;
    }
    zw_free(c, use);
    zw_free(c, spare);
    return status;
}

zw_status zw_tape_create(zw_context *c, const zw_pool *p, const zw_node *roots, int n, zw_tape **out) {
    *out = NULL;
    int last = 0;
    for (int i = 0; i < n; i++) {
        if (roots[i] <= 0 || roots[i] >= p->dag.nodes) {
            return zw_raise(c, ZW_E_ARG, "tape", "give nodes of this pool", "root %d is %d, which is no node of the pool", i,
                            (int)roots[i]);
        }
        last = roots[i] > last ? roots[i] : last;
    }
    zw_tape  *t = zw_alloc(c, 1, sizeof *t, "tape");
    uint8_t  *keep = zw_alloc(c, (size_t)last + 1, 1, "tape marks");
    zw_node  *map = zw_alloc(c, (size_t)last + 1, sizeof *map, "tape");
    zw_status status = ZW_E_MEMORY;
    if (t) {
        t->context = c;
    }
    if (!t || !keep || !map) {
        goto done;
    }
    t->roots = n;
    t->root = zw_alloc(c, (size_t)n, sizeof *t->root, "tape roots");
    if (!t->root) {
        goto done;
    }
    for (int i = 0; i < n; i++) {
        keep[roots[i]] = 1;
    }
    zw_dag_reach(&p->dag, last, keep);
    ZW_TRY_GOTO(copy_nodes(t, p, keep, last, map), done);
    for (int i = 0; i < n; i++) {
        t->root[i] = map[roots[i]];
    }
    ZW_TRY_GOTO(assemble(t), done);
    *out = t;
    t = NULL;
done:
    zw_tape_destroy(t);
    zw_free(c, keep);
    zw_free(c, map);
    return status;
}

int zw_tape_work(const zw_tape *t) {
    return t->work;
}

bool zw_tape_uses(const zw_tape *t, int slot) {
    for (int i = 0; i < t->input_count; i++) {
        if (t->input[i] == slot) {
            return true;
        }
    }
    return false;
}

void zw_tape_eval(const zw_tape *t, const double *in, double *work, double *out) {
    double *restrict w = work;
    for (int i = 0; i < t->constants; i++) {
        w[i] = t->constant[i];
    }
    for (int i = 0; i < t->input_count; i++) {
        w[t->constants + i] = in[t->input[i]];
    }
    const zw_instruction *end = t->code + t->length;
    for (const zw_instruction *i = t->code; i < end; i++) {
        const double a = w[i->a];
        double       r = 0.0;
        switch ((zw_op)i->op) {
#define UNARY(NAME, text, total, value) \
    case ZW_OP_##NAME: r = value; break;
            ZW_OPS_UNARY(UNARY)
#undef UNARY
#define BINARY(NAME, text, total, value) \
    case ZW_OP_##NAME: {                 \
        const double b = w[i->b];        \
        r = value;                       \
        break;                           \
    }
            ZW_OPS_BINARY(BINARY)
#undef BINARY
        case ZW_OP_POWI: r = zw_expr_power(a, i->b); break;
        case ZW_OP_TABLE: r = zw_table_value(t->dag.knots + t->dag.table[i->b].first, t->dag.table[i->b].points, a); break;
        case ZW_OP_SLOPE: r = zw_table_slope(t->dag.knots + t->dag.table[i->b].first, t->dag.table[i->b].points, a); break;
        case ZW_OP_IF: r = zw_expr_if(a, w[i->b], w[i->c]); break;
        case ZW_OP_CONSTANT:
        case ZW_OP_INPUT:
        case ZW_OP_COUNT: break; /* are no instructions */
        }
        w[i->to] = r;
    }
    for (int i = 0; i < t->roots; i++) {
        out[i] = w[t->place[t->root[i]]];
    }
}

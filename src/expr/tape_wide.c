/* SPDX-License-Identifier: Apache-2.0
 * tape_wide.c: a tape for eight points at once: which nodes are common to all points, the rows of the others, and the loop over them.
 * A row is used again after its last reader; a spread row is not, because it is filled once for many evaluations.
 *
 * Arithmetic is that of math/wide.h: one IEEE operation per lane. Everything else is the table of operations (pool.h) lane by lane; sqrt,
 * comparisons and the like become vector instructions where the compiler has them, functions of the mathematics library are called eight
 * times. Either way a lane has the bits of the scalar tape. What it saves is reading each instruction eight times, so there is one loop for
 * the instruction set the library is built for: one compiled for avx2 was little faster (6.8 for 8.2 ns per point of a polynomial, 15.9 for
 * 16.2 with a sine). */
#define ZW_WIDE_LANES 2
#include "expr/tape.h"
#include "math/wide.h"

#include <string.h>

void zw_tape_narrow(zw_tape *t) {
    zw_context    *c = t->context;
    zw_tape_lanes *L = t->lanes;
    if (L == NULL) {
        return;
    }
    zw_free(c, L->slot_row);
    zw_free(c, L->common);
    zw_free(c, L->spread);
    zw_free(c, L->code);
    zw_free(c, L->root_row);
    zw_free(c, L);
    t->lanes = NULL;
}

/* row[i] of every node, -1 where it has none; use[i]: how many instructions and roots read it */
static void assign_rows(zw_tape *t, const int *slots, const uint8_t *varies, int32_t *row, int32_t *use, int32_t *spare) {
    const zw_dag  *d = &t->dag;
    zw_tape_lanes *L = t->lanes;
    int            spares = 0;
    for (int i = 1; i < d->nodes; i++) {
        row[i] = -1;
        if (!varies[i]) {
            L->common[L->commons++] = i;
            if (use[i] > 0) {
                row[i] = L->rows++;
                L->spread[L->spreads++] = i;
            }
        }
    }
    for (int i = 1; i < d->nodes; i++) {
        const zw_expr_node *n = &d->node[i];
        if (varies[i] && n->op == ZW_OP_INPUT) {
            row[i] = L->rows++;
            for (int k = 0; k < L->slots; k++) {
                if (slots[k] == n->a) {
                    L->slot_row[k] = row[i];
                }
            }
        }
    }
    for (int i = 1; i < d->nodes; i++) {
        const zw_expr_node *n = &d->node[i];
        const zw_node       operand[3] = {n->a, n->b, n->c};
        int                 arity = zw_op_arity(n->op);
        if (!varies[i] || arity == 0) {
            continue;
        }
        for (int k = 0; k < arity; k++) {
            zw_node o = operand[k];
            if (--use[o] == 0 && varies[o] && zw_op_arity(d->node[o].op) > 0) {
                spare[spares++] = row[o];
            }
        }
        row[i] = spares > 0 ? spare[--spares] : L->rows++; /* operands are read before the result is written */
        zw_instruction *code = &L->code[L->length++];
        *code = (zw_instruction){.op = n->op, .to = row[i], .a = row[n->a]};
        code->b = arity > 1 ? row[n->b] : n->b;
        code->c = arity > 2 ? row[n->c] : 0;
    }
    for (int i = 0; i < t->roots; i++) {
        L->root_row[i] = row[t->root[i]];
    }
}

zw_status zw_tape_widen(zw_tape *t, const int *slots, int n) {
    zw_context   *c = t->context;
    const zw_dag *d = &t->dag;
    size_t        nodes = (size_t)d->nodes;
    zw_tape_narrow(t);
    zw_tape_lanes *L = zw_alloc(c, 1, sizeof *L, "wide tape");
    if (L == NULL) {
        return ZW_E_MEMORY;
    }
    t->lanes = L;
    L->slots = n;
    L->slot_row = zw_alloc(c, (size_t)n, sizeof *L->slot_row, "wide tape");
    L->common = zw_alloc(c, nodes, sizeof *L->common, "wide tape");
    L->spread = zw_alloc(c, nodes, sizeof *L->spread, "wide tape");
    L->code = zw_alloc(c, (size_t)t->length, sizeof *L->code, "wide tape");
    L->root_row = zw_alloc(c, (size_t)t->roots, sizeof *L->root_row, "wide tape");
    uint8_t  *varies = zw_alloc(c, nodes, 1, "wide tape");
    int32_t  *row = zw_alloc(c, nodes, sizeof *row, "wide tape");
    int32_t  *use = zw_alloc(c, nodes, sizeof *use, "wide tape");
    int32_t  *spare = zw_alloc(c, nodes, sizeof *spare, "wide tape");
    zw_status status = ZW_E_MEMORY;
    if (L->slot_row && L->common && L->spread && L->code && L->root_row && varies && row && use && spare) {
        for (int k = 0; k < n; k++) {
            L->slot_row[k] = -1;
        }
        for (int i = 1; i < d->nodes; i++) {
            const zw_expr_node *e = &d->node[i];
            const zw_node       operand[3] = {e->a, e->b, e->c};
            int                 arity = zw_op_arity(e->op);
            for (int k = 0; k < n && e->op == ZW_OP_INPUT; k++) {
                varies[i] |= slots[k] == e->a;
            }
            for (int k = 0; k < arity; k++) {
                varies[i] |= varies[operand[k]];
            }
            for (int k = 0; k < arity && varies[i]; k++) {
                use[operand[k]]++;
            }
        }
        for (int i = 0; i < t->roots; i++) {
            use[t->root[i]]++; /* never given back: it is read at the end */
        }
        assign_rows(t, slots, varies, row, use, spare);
        status = ZW_OK;
    }
    zw_free(c, varies);
    zw_free(c, row);
    zw_free(c, use);
    zw_free(c, spare);
    if (status != ZW_OK) {
        zw_tape_narrow(t);
    }
    return status;
}

/* as zw_expr_power: the same products in the same order */
ZW_WIDE_INLINE zw_wide power_wide(zw_wide a, int k) {
    unsigned n = k < 0 ? 0u - (unsigned)k : (unsigned)k;
    zw_wide  r = zw_wide_all(1.0);
    for (;;) {
        if (n & 1u) {
            r = r * a;
        }
        n >>= 1;
        if (n == 0) {
            break;
        }
        a = a * a;
    }
    return k < 0 ? zw_wide_all(1.0) / r : r;
}

#define ROWS(value)                              \
    for (int k = 0; k < points; k += ZW_WIDTH) { \
        const zw_wide a = zw_wide_load(A + k);   \
        zw_wide_store(R + k, value);             \
    }                                            \
    break
#define ROWS2(value)                                                        \
    {                                                                       \
        const double *B = row + ZW_TAPE_LANES * (size_t)i->b;               \
        for (int k = 0; k < points; k += ZW_WIDTH) {                        \
            const zw_wide a = zw_wide_load(A + k), b = zw_wide_load(B + k); \
            zw_wide_store(R + k, value);                                    \
        }                                                                   \
        break;                                                              \
    }

/* every instruction on the first points of its rows; `points` is a constant where it is called */
ZW_WIDE_INLINE void run(const zw_tape *t, double *row, int points) {
    const zw_instruction *code = t->lanes->code, *end = code + t->lanes->length;
    for (const zw_instruction *i = code; i < end; i++) {
        const double *A = row + ZW_TAPE_LANES * (size_t)i->a;
        double       *R = row + ZW_TAPE_LANES * (size_t)i->to;
        switch ((zw_op)i->op) {
        case ZW_OP_NEG: ROWS(-a);
        case ZW_OP_ADD: ROWS2(a + b)
        case ZW_OP_SUB: ROWS2(a - b)
        case ZW_OP_MUL: ROWS2(a * b)
        case ZW_OP_DIV: ROWS2(a / b)
        case ZW_OP_POWI: ROWS(power_wide(a, i->b));
        default: {
            double        x[ZW_TAPE_LANES], y[ZW_TAPE_LANES], z[ZW_TAPE_LANES]; /* copies: the result may lie where an operand is */
            const double *B = i->op >= ZW_OP_ADD && i->op < ZW_OP_POWI ? row + ZW_TAPE_LANES * (size_t)i->b : A;
            memcpy(x, A, sizeof x);
            memcpy(y, B, sizeof y);
            switch ((zw_op)i->op) {
#define EACH(NAME, text, total, value)       \
    case ZW_OP_##NAME:                       \
        for (int k = 0; k < points; k++) {   \
            const double a = x[k], b = y[k]; \
            (void)b;                         \
            R[k] = value;                    \
        }                                    \
        break;
                ZW_OPS_UNARY(EACH)
                ZW_OPS_BINARY(EACH)
#undef EACH
            case ZW_OP_TABLE:
            case ZW_OP_SLOPE: {
                const zw_expr_table *table = &t->dag.table[i->b];
                const double        *knots = t->dag.knots + table->first;
                for (int k = 0; k < points; k++) {
                    R[k] = i->op == ZW_OP_TABLE ? zw_table_value(knots, table->points, x[k]) : zw_table_slope(knots, table->points, x[k]);
                }
                break;
            }
            case ZW_OP_IF: {
                memcpy(y, row + ZW_TAPE_LANES * (size_t)i->b, sizeof y);
                memcpy(z, row + ZW_TAPE_LANES * (size_t)i->c, sizeof z);
                for (int k = 0; k < points; k++) {
                    R[k] = zw_expr_if(x[k], y[k], z[k]);
                }
                break;
            }
            case ZW_OP_POWI:
            case ZW_OP_CONSTANT:
            case ZW_OP_INPUT:
            case ZW_OP_COUNT: break; /* are no instructions of this switch */
            }
        }
        }
    }
}

int zw_tape_work_wide(const zw_tape *t) {
    return t->dag.nodes + ZW_TAPE_LANES * t->lanes->rows;
}

void zw_tape_common(const zw_tape *t, const double *in, double *work) {
    const zw_dag        *d = &t->dag;
    const zw_tape_lanes *L = t->lanes;
    double              *v = work, *row = work + d->nodes;
    for (int i = 0; i < L->commons; i++) {
        zw_node             node = L->common[i];
        const zw_expr_node *n = &d->node[node];
        int                 arity = zw_op_arity(n->op);
        v[node] = n->op == ZW_OP_INPUT
                      ? in[n->a]
                      : zw_node_compute(d, n, arity > 0 ? v[n->a] : 0.0, arity > 1 ? v[n->b] : 0.0, arity > 2 ? v[n->c] : 0.0);
    }
    for (int i = 0; i < L->spreads; i++) {
        for (int k = 0; k < ZW_TAPE_LANES; k++) {
            row[ZW_TAPE_LANES * i + k] = v[L->spread[i]];
        }
    }
}

ZW_WIDE_INLINE void eval(const zw_tape *t, const double *lanes, double *work, double *out, int points) {
    const zw_tape_lanes *L = t->lanes;
    const size_t         size = (size_t)points * sizeof(double);
    double              *row = work + t->dag.nodes;
    for (int i = 0; i < L->slots; i++) {
        if (L->slot_row[i] >= 0) {
            memcpy(row + ZW_TAPE_LANES * (size_t)L->slot_row[i], lanes + ZW_TAPE_LANES * (size_t)i, size);
        }
    }
    run(t, row, points);
    for (int i = 0; i < t->roots; i++) {
        memcpy(out + ZW_TAPE_LANES * (size_t)i, row + ZW_TAPE_LANES * (size_t)L->root_row[i], size);
    }
}

void zw_tape_eval_wide(const zw_tape *t, const double *lanes, double *work, double *out) {
    eval(t, lanes, work, out, ZW_TAPE_LANES);
}

void zw_tape_eval_half(const zw_tape *t, const double *lanes, double *work, double *out) {
    eval(t, lanes, work, out, ZW_TAPE_LANES / 2);
}

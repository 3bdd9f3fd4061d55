/* SPDX-License-Identifier: Apache-2.0
 * print.c: a node as text that parses back to the same node, with no bracket that is not needed.
 *
 * A stack of pieces replaces recursion, so a sum of any length prints. Operands of + * and or may be swapped in print: (a + (b - c))
 * is written b - c + a, which the parser orders back. On a sheet some nodes have a name, which is written instead of them. */
#include "expr/pieces.h"

#include "base/number.h"

#include <string.h>

/* how tightly a text binds, as in the grammar */
enum { BIND_OR = 1, BIND_AND, BIND_NOT, BIND_COMPARE, BIND_SUM, BIND_PRODUCT, BIND_SIGN, BIND_POWER, BIND_ATOM };

typedef struct printer {
    const zw_dag   *dag;
    const zw_sheet *sheet; /* NULL: nothing has a name */
    zw_node         open;  /* the node that is written by its parts all the same */
    zw_text        *out;
    zw_pieces       rest;
} printer;

static const char points_of[] = "table"; /* the points of the table of a node */

static void push(printer *p, const char *text, zw_node node, int bind) {
    zw_pieces_push(&p->rest, p->out, text, node, bind);
}

static int bind_of_op(int op) {
    switch (op) {
    case ZW_OP_OR: return BIND_OR;
    case ZW_OP_AND: return BIND_AND;
    case ZW_OP_NOT: return BIND_NOT;
    case ZW_OP_LT:
    case ZW_OP_LE:
    case ZW_OP_EQ:
    case ZW_OP_NE: return BIND_COMPARE;
    case ZW_OP_ADD:
    case ZW_OP_SUB: return BIND_SUM;
    case ZW_OP_MUL:
    case ZW_OP_DIV: return BIND_PRODUCT;
    case ZW_OP_NEG: return BIND_SIGN;
    case ZW_OP_POW:
    case ZW_OP_POWI: return BIND_POWER;
    default: return BIND_ATOM;
    }
}

static bool named(const printer *p, zw_node n) {
    return p->sheet && n != p->open && p->sheet->number[n];
}

/* by its operation; a name is an atom */
static int bind_loose(const printer *p, zw_node n) {
    return named(p, n) ? BIND_ATOM : bind_of_op(p->dag->node[n].op);
}

/* operands in the order they are written: the one that binds as loosely as the operation itself comes first */
static void written_order(const printer *p, const zw_expr_node *e, zw_node *left, zw_node *right) {
    int  bind = bind_of_op(e->op);
    bool swap = zw_op_commutes(e->op) && bind != BIND_COMPARE && bind_loose(p, e->b) == bind && bind_loose(p, e->a) != bind;
    *left = swap ? e->b : e->a;
    *right = swap ? e->a : e->b;
}

/* may -(a*b/c) be written -a*b/c? The parser then moves the sign outwards again, unless a constant factor takes it */
static bool sign_passes(const printer *p, zw_node n) {
    for (;;) {
        const zw_expr_node *e = &p->dag->node[n];
        if (e->op != ZW_OP_MUL && e->op != ZW_OP_DIV) {
            return e->op != ZW_OP_CONSTANT;
        }
        bool constant = p->dag->node[e->a].op == ZW_OP_CONSTANT;
        if (constant && (e->op == ZW_OP_MUL || named(p, n))) {
            return false;
        }
        if (named(p, n)) {
            return true;
        }
        zw_node right;
        written_order(p, e, &n, &right);
    }
}

static bool negated_product(const printer *p, const zw_expr_node *e) {
    return e->op == ZW_OP_NEG && bind_loose(p, e->a) == BIND_PRODUCT && sign_passes(p, e->a);
}

static int bind_of(const printer *p, zw_node n) {
    const zw_expr_node *e = &p->dag->node[n];
    if (e->op == ZW_OP_CONSTANT) {
        return signbit(e->value) ? BIND_SIGN : BIND_ATOM;
    }
    return negated_product(p, e) ? BIND_PRODUCT : bind_loose(p, n);
}

static void print_points(printer *p, const zw_expr_node *e) {
    const zw_expr_table *t = &p->dag->table[e->b];
    for (int i = 0; i < 2 * t->points; i++) {
        zw_text_add(p->out, ", ");
        zw_text_number(p->out, p->dag->knots[t->first + i]);
    }
    zw_text_add(p->out, ")");
}

/* pieces are pushed last first */
static void print_operator(printer *p, const zw_expr_node *e, int bind) {
    static const struct {
        int         op;
        const char *text;
    } spaced[] = {{ZW_OP_OR, " or "}, {ZW_OP_AND, " and "}, {ZW_OP_LT, " < "}, {ZW_OP_LE, " <= "}, {ZW_OP_EQ, " == "}, {ZW_OP_NE, " != "},
                  {ZW_OP_ADD, " + "}, {ZW_OP_SUB, " - "},   {ZW_OP_MUL, "*"},  {ZW_OP_DIV, "/"},   {ZW_OP_POW, "^"}};
    const char *text = "";
    for (size_t i = 0; i < sizeof spaced / sizeof spaced[0]; i++) {
        text = spaced[i].op == e->op ? spaced[i].text : text;
    }
    zw_node left, right;
    written_order(p, e, &left, &right);
    int bind_left = bind == BIND_POWER ? BIND_ATOM : bind == BIND_COMPARE ? BIND_SUM : bind;
    int bind_right = bind == BIND_POWER ? BIND_SIGN : bind + 1;
    push(p, NULL, right, bind_right);
    push(p, text, 0, 0);
    push(p, NULL, left, bind_left);
}

static void print_call(printer *p, const zw_expr_node *e) {
    zw_node operand[3] = {e->a, e->b, e->c};
    push(p, ")", 0, 0);
    for (int k = zw_op_arity(e->op) - 1; k >= 0; k--) {
        push(p, NULL, operand[k], 0);
        push(p, k ? ", " : "(", 0, 0);
    }
    push(p, zw_op_text(e->op), 0, 0);
}

static void print_node(printer *p, zw_node n, int bind_wanted) {
    const zw_expr_node *e = &p->dag->node[n];
    int                 bind = bind_of(p, n);
    if (named(p, n)) {
        zw_sheet_name(p->sheet, n, p->out);
        return;
    }
    if (bind < bind_wanted) {
        zw_text_add(p->out, "(");
        push(p, ")", 0, 0);
    }
    switch (e->op) {
    case ZW_OP_CONSTANT: zw_text_number(p->out, e->value); break;
    case ZW_OP_INPUT: zw_text_add(p->out, p->sheet ? zw_sheet_input(p->sheet, e->a) : p->dag->input_name[e->a]); break;
    case ZW_OP_NOT:
        zw_text_add(p->out, "not ");
        push(p, NULL, e->a, BIND_NOT);
        break;
    case ZW_OP_NEG:
        zw_text_add(p->out, "-");
        push(p, NULL, e->a, negated_product(p, e) ? BIND_PRODUCT : BIND_POWER);
        break;
    case ZW_OP_POWI:
        push(p, points_of, n, 0);
        push(p, NULL, e->a, BIND_ATOM);
        break;
    case ZW_OP_TABLE:
    case ZW_OP_SLOPE:
        zw_text_add(p->out, zw_op_text(e->op));
        zw_text_add(p->out, "(");
        push(p, points_of, n, 0);
        push(p, NULL, e->a, 0);
        break;
    default:
        if (bind == BIND_ATOM) {
            print_call(p, e);
        } else {
            print_operator(p, e, bind);
        }
        break;
    }
}

static void print(printer *p, zw_node n, size_t limit) {
    zw_text *out = p->out;
    size_t   start = out->n;
    push(p, NULL, n, 0);
    while (p->rest.n > 0 && !out->failed) {
        zw_piece next = p->rest.stack[--p->rest.n];
        if (out->n - start > limit) {
            zw_text_add(out, "...");
            break;
        }
        if (!next.text) {
            print_node(p, next.node, next.bind);
        } else if (next.text != points_of) {
            zw_text_add(out, next.text);
        } else if (p->dag->node[next.node].op == ZW_OP_POWI) { /* the number that follows the base */
            zw_text_addf(out, "^%d", (int)p->dag->node[next.node].b);
        } else {
            print_points(p, &p->dag->node[next.node]);
        }
    }
    zw_free(out->context, p->rest.stack);
}

void zw_dag_print(const zw_dag *d, zw_node n, size_t limit, zw_text *out) {
    printer p = {.dag = d, .out = out};
    print(&p, n, limit);
}

void zw_sheet_text(const zw_sheet *s, zw_node n, zw_text *out) {
    printer p = {.dag = &s->pool->dag, .sheet = s, .open = n, .out = out};
    print(&p, n, SIZE_MAX);
}

void zw_node_print(const zw_pool *p, zw_node n, zw_text *out) {
    if (n > 0 && n < p->dag.nodes) {
        zw_dag_print(&p->dag, n, ZW_EXPR_TEXT_MAX, out);
    }
}

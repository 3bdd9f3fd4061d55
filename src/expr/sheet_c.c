/* SPDX-License-Identifier: Apache-2.0
 * sheet_c.c: nodes as C17 with <math.h> that computes what the tape computes, operation by operation: the same order of roundings, integer
 * powers as the same products, comparisons as 1.0 or 0.0. Bits differ only where the other mathematics library gives other bits, or where a
 * compiler is told to contract or to reassociate.
 *
 * + - * / and signs are written as such, everything else as a call. What <math.h> does not have is emitted once before it is used. */
#include "expr/pieces.h"

#include "base/number.h"

#include <string.h>

enum { BIND_NONE, BIND_SUM, BIND_PRODUCT, BIND_SIGN, BIND_ATOM };

typedef struct printer {
    const zw_sheet *sheet;
    const zw_dag   *dag;
    zw_node         open;
    zw_text        *out;
    zw_pieces       rest;
} printer;

static const char tail[] = "tail"; /* what follows the first operand of a node */

static void push(printer *p, const char *text, zw_node node, int bind) {
    zw_pieces_push(&p->rest, p->out, text, node, bind);
}

void zw_c_number(zw_text *out, double value) {
    char x[ZW_NUMBER_TEXT];
    if (isnan(value) || isinf(value)) {
        zw_text_add(out, isnan(value) ? "NAN" : value > 0 ? "INFINITY" : "-INFINITY");
        return;
    }
    zw_text_add(out, zw_number_text(value, x));
    if (!strpbrk(x, ".eE")) {
        zw_text_add(out, ".0");
    }
}

static int bind_of_op(int op) {
    switch (op) {
    case ZW_OP_ADD:
    case ZW_OP_SUB: return BIND_SUM;
    case ZW_OP_MUL:
    case ZW_OP_DIV: return BIND_PRODUCT;
    case ZW_OP_NEG: return BIND_SIGN;
    default: return BIND_ATOM;
    }
}

static bool named(const printer *p, zw_node n) {
    return n != p->open && p->sheet->number[n];
}

static int bind_of(const printer *p, zw_node n) {
    const zw_expr_node *e = &p->dag->node[n];
    if (named(p, n)) {
        return BIND_ATOM;
    }
    if (e->op == ZW_OP_CONSTANT) {
        return signbit(e->value) ? BIND_SIGN : BIND_ATOM;
    }
    return bind_of_op(e->op);
}

/* what is called; comparisons and logic are written by the tail */
static const char *function_of(int op) {
    switch (op) {
    case ZW_OP_ABS: return "fabs";
    case ZW_OP_POW: return "pow";
    case ZW_OP_SIGN: return "zw_sign";
    case ZW_OP_STEP: return "zw_step";
    case ZW_OP_MIN: return "zw_min";
    case ZW_OP_MAX: return "zw_max";
    case ZW_OP_MOD: return "zw_mod";
    case ZW_OP_POWI: return "zw_power";
    case ZW_OP_TABLE: return "zw_table";
    case ZW_OP_SLOPE: return "zw_table_slope";
    case ZW_OP_IF: return "zw_if";
    default: return zw_op_text(op);
    }
}

static void print_logic(printer *p, const zw_expr_node *e, const char *between, const char *end, const char *begin) {
    zw_text_add(p->out, begin);
    push(p, end, 0, 0);
    if (zw_op_arity(e->op) > 1) {
        push(p, NULL, e->b, BIND_SUM);
        push(p, between, 0, 0);
    }
    push(p, NULL, e->a, BIND_SUM);
}

static void print_call(printer *p, zw_node n) {
    const zw_expr_node *e = &p->dag->node[n];
    const zw_node       operand[3] = {e->a, e->b, e->c};
    zw_text_add(p->out, function_of(e->op));
    zw_text_add(p->out, "(");
    push(p, tail, n, 0);
    for (int k = zw_op_arity(e->op) - 1; k >= 0; k--) {
        push(p, NULL, operand[k], BIND_NONE);
        if (k > 0) {
            push(p, ", ", 0, 0);
        }
    }
}

static void print_node(printer *p, zw_node n, int bind_wanted) {
    const zw_expr_node *e = &p->dag->node[n];
    int                 bind = bind_of(p, n);
    if (named(p, n) || e->op == ZW_OP_INPUT) {
        zw_sheet_name(p->sheet, n, p->out);
        return;
    }
    if (bind < bind_wanted) {
        zw_text_add(p->out, "(");
        push(p, ")", 0, 0);
    }
    switch (e->op) {
    case ZW_OP_CONSTANT: zw_c_number(p->out, e->value); break;
    case ZW_OP_NEG:
        zw_text_add(p->out, "-");
        push(p, NULL, e->a, BIND_ATOM);
        break;
    case ZW_OP_ADD:
    case ZW_OP_SUB:
    case ZW_OP_MUL:
    case ZW_OP_DIV:
        push(p, NULL, e->b, bind + 1);
        push(p, e->op == ZW_OP_ADD ? " + " : e->op == ZW_OP_SUB ? " - " : e->op == ZW_OP_MUL ? "*" : "/", 0, 0);
        push(p, NULL, e->a, bind);
        break;
    case ZW_OP_NOT: print_logic(p, e, "", " == 0.0)", "(double)("); break;
    case ZW_OP_LT: print_logic(p, e, " < ", ")", "(double)("); break;
    case ZW_OP_LE: print_logic(p, e, " <= ", ")", "(double)("); break;
    case ZW_OP_EQ: print_logic(p, e, " == ", ")", "(double)("); break;
    case ZW_OP_NE: print_logic(p, e, " != ", ")", "(double)("); break;
    case ZW_OP_AND: print_logic(p, e, " != 0.0 && ", " != 0.0)", "(double)("); break;
    case ZW_OP_OR: print_logic(p, e, " != 0.0 || ", " != 0.0)", "(double)("); break;
    default: print_call(p, n); break;
    }
}

static void print_tail(printer *p, const zw_expr_node *e) {
    if (e->op == ZW_OP_POWI) {
        zw_text_addf(p->out, ", %d", (int)e->b);
    } else if (e->op == ZW_OP_TABLE || e->op == ZW_OP_SLOPE) {
        const zw_expr_table *t = &p->dag->table[e->b];
        zw_text_addf(p->out, ", %d, (const double[]){", t->points);
        for (int i = 0; i < 2 * t->points; i++) {
            zw_text_add(p->out, i ? ", " : "");
            zw_c_number(p->out, p->dag->knots[t->first + i]);
        }
        zw_text_add(p->out, "}");
    }
    zw_text_add(p->out, ")");
}

void zw_sheet_c(const zw_sheet *s, zw_node n, zw_text *out) {
    printer p = {.sheet = s, .dag = &s->pool->dag, .open = n, .out = out};
    push(&p, NULL, n, BIND_NONE);
    while (p.rest.n > 0 && !out->failed) {
        zw_piece next = p.rest.stack[--p.rest.n];
        if (!next.text) {
            print_node(&p, next.node, next.bind);
        } else if (next.text == tail) {
            print_tail(&p, &p.dag->node[next.node]);
        } else {
            zw_text_add(out, next.text);
        }
    }
    zw_free(out->context, p.rest.stack);
}

static const struct {
    int         op;
    const char *text;
} functions[] = {
    {ZW_OP_POWI, "static double zw_power(double a, int k) {\n"
                 "    unsigned n = k < 0 ? 0u - (unsigned)k : (unsigned)k;\n"
                 "    double r = 1.0;\n"
                 "    for (;;) {\n"
                 "        if (n & 1u) {\n"
                 "            r *= a;\n"
                 "        }\n"
                 "        n >>= 1;\n"
                 "        if (n == 0) {\n"
                 "            return k < 0 ? 1.0 / r : r;\n"
                 "        }\n"
                 "        a *= a;\n"
                 "    }\n"
                 "}\n"},
    {ZW_OP_SIGN, "static double zw_sign(double a) {\n    return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a == 0.0 ? 0.0 : a;\n}\n"},
    {ZW_OP_STEP, "static double zw_step(double a) {\n    return a > 0.0 ? 1.0 : a < 0.0 ? 0.0 : a == 0.0 ? 0.5 : a;\n}\n"},
    {ZW_OP_MIN, "static double zw_min(double a, double b) {\n    return a <= b ? a : b < a ? b : a + b;\n}\n"},
    {ZW_OP_MAX, "static double zw_max(double a, double b) {\n    return a >= b ? a : b > a ? b : a + b;\n}\n"},
    {ZW_OP_MOD, "static double zw_mod(double a, double b) {\n"
                "    double r = fmod(a, b);\n"
                "    return r != 0.0 && (r < 0.0) != (b < 0.0) ? r + b : r;\n"
                "}\n"},
    {ZW_OP_IF, "static double zw_if(double a, double b, double c) {\n    return a != a ? a : a != 0.0 ? b : c;\n}\n"},
    {ZW_OP_TABLE, "static double zw_table(double x, int points, const double *knots) {\n"
                  "    int i = points - 1;\n"
                  "    if (x != x) {\n"
                  "        return x;\n"
                  "    }\n"
                  "    while (i >= 0 && knots[2 * i] > x) {\n"
                  "        i--;\n"
                  "    }\n"
                  "    if (i < 0 || i == points - 1) {\n"
                  "        return i < 0 ? knots[1] : knots[2 * i + 1];\n"
                  "    }\n"
                  "    knots += 2 * i;\n"
                  "    return knots[1] + (knots[3] - knots[1]) * ((x - knots[0]) / (knots[2] - knots[0]));\n"
                  "}\n"},
    {ZW_OP_SLOPE, "static double zw_table_slope(double x, int points, const double *knots) {\n"
                  "    int i = points - 1;\n"
                  "    if (x != x) {\n"
                  "        return x;\n"
                  "    }\n"
                  "    while (i >= 0 && knots[2 * i] > x) {\n"
                  "        i--;\n"
                  "    }\n"
                  "    if (i < 0 || i == points - 1) {\n"
                  "        return 0.0;\n"
                  "    }\n"
                  "    knots += 2 * i;\n"
                  "    return (knots[3] - knots[1]) / (knots[2] - knots[0]);\n"
                  "}\n"},
};

void zw_sheet_c_functions(const zw_sheet *s, zw_text *out) {
    const zw_dag *d = &s->pool->dag;
    uint8_t      *keep = zw_alloc(s->context, (size_t)s->last + 1, 1, "marks of a sheet");
    bool          used[ZW_OP_COUNT] = {false};
    if (!keep) {
        out->failed = true;
        return;
    }
    for (int i = 0; i < s->nroots; i++) {
        keep[s->root[i]] = 1;
    }
    zw_dag_reach(d, s->last, keep);
    for (int i = 1; i <= s->last; i++) {
        used[d->node[i].op] |= keep[i] != 0;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (used[functions[i].op]) {
            zw_text_add(out, functions[i].text);
            zw_text_add(out, "\n");
        }
    }
    zw_free(s->context, keep);
}

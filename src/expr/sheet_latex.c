/* SPDX-License-Identifier: Apache-2.0
 * sheet_latex.c: nodes as LaTeX, for reading: sums without brackets that change only signs, products with numbers first, then names, brackets and
 * functions, quotients as one fraction, sin(x)^2 as \sin^{2} x. It is the same expression mathematically, not in its roundings.
 *
 * A stack of pieces replaces recursion, as in print.c. Chains of sums and products are collected into lists before they are pushed. */
#include "expr/sheet.h"

#include <stdlib.h>
#include <string.h>

/* how tightly something binds, that is what it may stand in without brackets */
enum { BIND_NONE, BIND_OR, BIND_AND, BIND_COMPARE, BIND_SUM, BIND_PRODUCT, BIND_ATOM };

enum { MERGED_MAX = 200 }; /* factors of one product that are compared with each other */

typedef enum piece_kind { TEXT, NODE, FACTOR, NUMBER, POINTS } piece_kind;

typedef struct piece {
    piece_kind  kind;
    const char *text;
    zw_node     node;
    int         arg;    /* NODE: what it must bind; FACTOR: its power */
    double      number; /* NUMBER: this */
    int64_t     order;  /* among factors */
} piece;

typedef struct list {
    piece *item;
    int    n, room;
} list;

typedef struct printer {
    const zw_sheet *sheet;
    const zw_dag   *dag;
    zw_node         open;
    zw_text        *out;
    list            stack, terms, work, signs, above, below;
} printer;

static void append(printer *p, list *l, piece what) {
    if (l->n == l->room) {
        int    room = l->room ? l->room * 2 : 32;
        piece *bigger = zw_resize(p->out->context, l->item, (size_t)room, sizeof *bigger, "LaTeX of an expression");
        if (!bigger) {
            p->out->failed = true;
            return;
        }
        l->item = bigger;
        l->room = room;
    }
    l->item[l->n++] = what;
}

static void push_text(printer *p, const char *text) {
    append(p, &p->stack, (piece){.kind = TEXT, .text = text});
}

static void push_node(printer *p, zw_node n, int bind) {
    append(p, &p->stack, (piece){.kind = NODE, .node = n, .arg = bind});
}

static const zw_expr_node *at(const printer *p, zw_node n) {
    return &p->dag->node[n];
}

static bool named(const printer *p, zw_node n) {
    return at(p, n)->op == ZW_OP_INPUT || (n != p->open && p->sheet->number[n]);
}

static bool is_op(const printer *p, zw_node n, int op) {
    return !named(p, n) && at(p, n)->op == op;
}

/* ---- sums: terms with signs */

/* is it a number, or a product with an odd number of signs? */
static bool negative(printer *p, zw_node n) {
    bool minus = false;
    p->signs.n = 0;
    append(p, &p->signs, (piece){.node = n});
    while (p->signs.n > 0 && !p->out->failed) {
        zw_node             next = p->signs.item[--p->signs.n].node;
        const zw_expr_node *e = at(p, next);
        if (named(p, next)) {
            continue;
        }
        if (e->op == ZW_OP_CONSTANT) {
            minus ^= signbit(e->value) != 0;
        } else if (e->op == ZW_OP_NEG) {
            minus = !minus;
            append(p, &p->signs, (piece){.node = e->a});
        } else if (e->op == ZW_OP_MUL || e->op == ZW_OP_DIV) {
            append(p, &p->signs, (piece){.node = e->a});
            append(p, &p->signs, (piece){.node = e->b});
        }
    }
    return minus;
}

/* p->terms = the terms of n; arg is the sign */
static void collect_terms(printer *p, zw_node n) {
    p->terms.n = p->work.n = 0;
    append(p, &p->work, (piece){.node = n, .arg = 1});
    while (p->work.n > 0 && !p->out->failed) {
        piece               next = p->work.item[--p->work.n];
        const zw_expr_node *e = at(p, next.node);
        if (is_op(p, next.node, ZW_OP_NEG)) {
            append(p, &p->work, (piece){.node = e->a, .arg = -next.arg});
        } else if (is_op(p, next.node, ZW_OP_ADD) || is_op(p, next.node, ZW_OP_SUB)) {
            append(p, &p->work, (piece){.node = e->b, .arg = e->op == ZW_OP_SUB ? -next.arg : next.arg});
            append(p, &p->work, (piece){.node = e->a, .arg = next.arg});
        } else {
            append(p, &p->terms, (piece){.kind = FACTOR, .node = next.node, .arg = negative(p, next.node) ? -next.arg : next.arg});
        }
    }
}

/* ---- products: what is above and below the line; signs are the sum's business */

/* 0.5, 0.25, 0.125 go below the line */
static void collect_number(printer *p, double value, bool below) {
    value = fabs(value);
    double inverse = 1.0 / value;
    if (value < 1.0 && value > 0.0 && inverse <= 64.0 && inverse == floor(inverse) && 1.0 / inverse == value) {
        value = inverse;
        below = !below;
    }
    if (value != 1.0) {
        append(p, below ? &p->below : &p->above, (piece){.kind = NUMBER, .number = value});
    }
}

static void collect_factors(printer *p, zw_node n) {
    p->above.n = p->below.n = p->work.n = 0;
    append(p, &p->work, (piece){.node = n, .arg = 1});
    while (p->work.n > 0 && !p->out->failed) {
        piece               next = p->work.item[--p->work.n];
        const zw_expr_node *e = at(p, next.node);
        list               *side = next.arg > 0 ? &p->above : &p->below;
        if (named(p, next.node)) {
            append(p, side, (piece){.kind = FACTOR, .node = next.node, .arg = 1});
        } else if (e->op == ZW_OP_MUL || e->op == ZW_OP_DIV) {
            append(p, &p->work, (piece){.node = e->b, .arg = e->op == ZW_OP_DIV ? -next.arg : next.arg});
            append(p, &p->work, (piece){.node = e->a, .arg = next.arg});
        } else if (e->op == ZW_OP_NEG) {
            append(p, &p->work, (piece){.node = e->a, .arg = next.arg});
        } else if (e->op == ZW_OP_CONSTANT) {
            collect_number(p, e->value, next.arg < 0);
        } else if (e->op == ZW_OP_POWI) {
            side = (e->b > 0) == (next.arg > 0) ? &p->above : &p->below;
            append(p, side, (piece){.kind = FACTOR, .node = e->a, .arg = e->b > 0 ? e->b : -e->b});
        } else {
            append(p, side, (piece){.kind = FACTOR, .node = next.node, .arg = 1});
        }
    }
}

/* equal factors become a power */
static void merge_factors(list *l) {
    for (int i = 0; i < l->n && l->n <= MERGED_MAX; i++) {
        for (int k = l->n - 1; k > i; k--) {
            if (l->item[i].kind == FACTOR && l->item[k].kind == FACTOR && l->item[i].node == l->item[k].node) {
                l->item[i].arg += l->item[k].arg;
                memmove(&l->item[k], &l->item[k + 1], (size_t)(l->n - k - 1) * sizeof *l->item);
                l->n--;
            }
        }
    }
}

/* x above x: the smaller power goes */
static void cancel_factors(list *above, list *below) {
    if (above->n > MERGED_MAX || below->n > MERGED_MAX) {
        return;
    }
    for (int i = 0; i < above->n; i++) {
        for (int k = 0; k < below->n; k++) {
            piece *a = &above->item[i], *b = &below->item[k];
            if (a->kind == FACTOR && b->kind == FACTOR && a->node == b->node) {
                int common = a->arg < b->arg ? a->arg : b->arg;
                a->arg -= common;
                b->arg -= common;
                *(a->arg == 0 ? a : b) = (piece){.kind = NUMBER, .number = 1.0}; /* not written */
                if (b->kind == FACTOR && b->arg == 0) {
                    *b = (piece){.kind = NUMBER, .number = 1.0};
                }
            }
        }
    }
}

/* whole numbers above and below are reduced: 2*x/2 is x */
static void reduce_numbers(printer *p) {
    for (int i = 0; i < p->above.n; i++) {
        for (int k = 0; k < p->below.n; k++) {
            piece *a = &p->above.item[i], *b = &p->below.item[k];
            if (a->kind != NUMBER || b->kind != NUMBER || a->number > 1e9 || b->number > 1e9 || a->number != floor(a->number) ||
                b->number != floor(b->number) || b->number == 0.0) {
                continue;
            }
            double x = a->number, y = b->number;
            while (y > 0.0) {
                double r = fmod(x, y);
                x = y;
                y = r;
            }
            a->number /= x > 0.0 ? x : 1.0;
            b->number /= x > 0.0 ? x : 1.0;
        }
    }
}

static const char *function_of(int op) {
    switch (op) {
    case ZW_OP_SIN: return "\\sin";
    case ZW_OP_COS: return "\\cos";
    case ZW_OP_TAN: return "\\tan";
    case ZW_OP_ASIN: return "\\arcsin";
    case ZW_OP_ACOS: return "\\arccos";
    case ZW_OP_ATAN: return "\\arctan";
    case ZW_OP_SINH: return "\\sinh";
    case ZW_OP_COSH: return "\\cosh";
    case ZW_OP_TANH: return "\\tanh";
    case ZW_OP_ASINH: return "\\operatorname{arsinh}";
    case ZW_OP_ACOSH: return "\\operatorname{arcosh}";
    case ZW_OP_ATANH: return "\\operatorname{artanh}";
    case ZW_OP_LOG: return "\\ln";
    case ZW_OP_LOG10: return "\\log_{10}";
    case ZW_OP_SIGN: return "\\operatorname{sgn}";
    case ZW_OP_ERF: return "\\operatorname{erf}";
    case ZW_OP_STEP: return "\\operatorname{step}";
    default: return NULL;
    }
}

/* numbers, names (inputs as they were declared, then numbered ones), what is bracketed or has its own bounds, functions; else as written */
static int64_t order_of(const printer *p, const piece *f, int place) {
    const zw_expr_node *e = at(p, f->node);
    int64_t             rank = 0, within = 0;
    if (f->kind == FACTOR) {
        rank = named(p, f->node) ? (e->op == ZW_OP_INPUT ? 1 : 2) : function_of(e->op) ? 4 : 3;
        within = rank == 1 ? e->a : rank == 2 ? p->sheet->number[f->node] : 0;
    }
    return (rank << 60) + (within << 28) + place;
}

static int by_order(const void *left, const void *right) {
    int64_t a = ((const piece *)left)->order, b = ((const piece *)right)->order;
    return a < b ? -1 : a > b;
}

static void sort_factors(const printer *p, list *l) {
    for (int i = 0; i < l->n; i++) {
        l->item[i].order = order_of(p, &l->item[i], i);
    }
    if (l->n > 1) {
        qsort(l->item, (size_t)l->n, sizeof *l->item, by_order);
    }
}

static int count_factors(const list *l) {
    int n = 0;
    for (int i = 0; i < l->n; i++) {
        n += l->item[i].kind != NUMBER || l->item[i].number != 1.0;
    }
    return n;
}

/* the list as pieces of the stack, last first */
static void push_factors(printer *p, list *l) {
    bool alone = count_factors(l) <= 1;
    int  next = -1; /* kind of the factor behind */
    sort_factors(p, l);
    for (int i = l->n - 1; i >= 0; i--) {
        piece f = l->item[i];
        if (f.kind == NUMBER && f.number == 1.0) {
            continue;
        }
        if (next >= 0) {
            push_text(p, f.kind != NUMBER ? "\\, " : next == NUMBER ? " \\cdot " : " ");
        }
        f.text = alone ? "alone" : NULL;
        append(p, &p->stack, f);
        next = (int)f.kind;
    }
    if (next < 0) {
        push_text(p, "1");
    }
}

/* a term without its sign */
static void print_product(printer *p, zw_node n) {
    collect_factors(p, n);
    merge_factors(&p->above);
    merge_factors(&p->below);
    cancel_factors(&p->above, &p->below);
    reduce_numbers(p);
    if (count_factors(&p->below) == 0) {
        push_factors(p, &p->above);
        return;
    }
    push_text(p, "}");
    push_factors(p, &p->below);
    push_text(p, "}{");
    push_factors(p, &p->above);
    push_text(p, "\\frac{");
}

static void print_sum(printer *p, zw_node n) {
    collect_terms(p, n);
    for (int i = p->terms.n - 1; i >= 0; i--) {
        append(p, &p->stack, (piece){.kind = NODE, .node = p->terms.item[i].node, .arg = -1}); /* -1: a term, sign taken */
        push_text(p, p->terms.item[i].arg > 0 ? (i ? " + " : "") : i ? " - " : "-");
    }
}

/* ---- nodes */

static int bind_of(printer *p, zw_node n) {
    const zw_expr_node *e = at(p, n);
    if (named(p, n)) {
        return BIND_ATOM;
    }
    switch (e->op) {
    case ZW_OP_OR: return BIND_OR;
    case ZW_OP_AND: return BIND_AND;
    case ZW_OP_LT:
    case ZW_OP_LE:
    case ZW_OP_EQ:
    case ZW_OP_NE: return BIND_COMPARE;
    case ZW_OP_ADD:
    case ZW_OP_SUB:
    case ZW_OP_NEG: return BIND_SUM;
    case ZW_OP_CONSTANT: return signbit(e->value) ? BIND_SUM : BIND_ATOM;
    case ZW_OP_MUL:
    case ZW_OP_DIV: return negative(p, n) ? BIND_SUM : BIND_PRODUCT;
    case ZW_OP_POWI: return BIND_PRODUCT;
    case ZW_OP_POW:
    case ZW_OP_EXP: return BIND_PRODUCT;
    default: return function_of(e->op) ? BIND_PRODUCT : BIND_ATOM;
    }
}

static void bracket(printer *p, zw_node n, const char *before, const char *behind) {
    push_text(p, behind);
    push_node(p, n, BIND_NONE);
    push_text(p, before);
}

static void print_infix(printer *p, const zw_expr_node *e, const char *text, int bind) {
    push_node(p, e->b, bind + 1);
    push_text(p, text);
    push_node(p, e->a, bind + 1);
}

static void print_arguments(printer *p, const zw_expr_node *e, const char *name) {
    push_text(p, "\\right)");
    push_node(p, e->b, BIND_NONE);
    push_text(p, ",\\, ");
    push_node(p, e->a, BIND_NONE);
    push_text(p, "\\left(");
    push_text(p, name);
}

static void print_choice(printer *p, const zw_expr_node *e) {
    push_text(p, " & \\text{otherwise} \\end{cases}");
    push_node(p, e->c, BIND_NONE);
    push_text(p, " \\\\ ");
    push_node(p, e->a, BIND_NONE);
    push_text(p, " & \\text{if } ");
    push_node(p, e->b, BIND_NONE);
    push_text(p, "\\begin{cases} ");
}

/* what is no sum, product or function of one word */
static void print_special(printer *p, zw_node n) {
    const zw_expr_node *e = at(p, n);
    switch (e->op) {
    case ZW_OP_CONSTANT: zw_latex_number(p->out, e->value); break;
    case ZW_OP_NOT:
        push_node(p, e->a, BIND_ATOM);
        push_text(p, "\\neg ");
        break;
    case ZW_OP_EXP: bracket(p, e->a, "\\mathrm{e}^{", "}"); break;
    case ZW_OP_SQRT: bracket(p, e->a, "\\sqrt{", "}"); break;
    case ZW_OP_CBRT: bracket(p, e->a, "\\sqrt[3]{", "}"); break;
    case ZW_OP_ABS: bracket(p, e->a, "\\left|", "\\right|"); break;
    case ZW_OP_FLOOR: bracket(p, e->a, "\\left\\lfloor ", "\\right\\rfloor "); break;
    case ZW_OP_CEIL: bracket(p, e->a, "\\left\\lceil ", "\\right\\rceil "); break;
    case ZW_OP_POW:
        bracket(p, e->b, "^{", "}");
        push_node(p, e->a, BIND_ATOM);
        break;
    case ZW_OP_LT: print_infix(p, e, " < ", BIND_COMPARE); break;
    case ZW_OP_LE: print_infix(p, e, " \\le ", BIND_COMPARE); break;
    case ZW_OP_EQ: print_infix(p, e, " = ", BIND_COMPARE); break;
    case ZW_OP_NE: print_infix(p, e, " \\ne ", BIND_COMPARE); break;
    case ZW_OP_AND: print_infix(p, e, " \\wedge ", BIND_AND); break;
    case ZW_OP_OR: print_infix(p, e, " \\vee ", BIND_OR); break;
    case ZW_OP_MIN: print_arguments(p, e, "\\min"); break;
    case ZW_OP_MAX: print_arguments(p, e, "\\max"); break;
    case ZW_OP_ATAN2: print_arguments(p, e, "\\operatorname{atan2}"); break;
    case ZW_OP_HYPOT: print_arguments(p, e, "\\operatorname{hypot}"); break;
    case ZW_OP_MOD: print_arguments(p, e, "\\operatorname{mod}"); break;
    case ZW_OP_IF: print_choice(p, e); break;
    case ZW_OP_TABLE:
    case ZW_OP_SLOPE:
        append(p, &p->stack, (piece){.kind = POINTS, .node = n});
        push_node(p, e->a, BIND_NONE);
        push_text(p, e->op == ZW_OP_TABLE ? "\\operatorname{table}\\left(" : "\\operatorname{table}'\\left(");
        break;
    default: break;
    }
}

/* \sin^{2}\theta; brackets round everything that is more than a name */
static void print_function(printer *p, const zw_expr_node *e, int power) {
    zw_text_add(p->out, function_of(e->op));
    if (power != 1) {
        zw_text_addf(p->out, "^{%d}", power);
    }
    if (named(p, e->a)) {
        zw_text_add(p->out, " ");
        push_node(p, e->a, BIND_ATOM);
    } else {
        bracket(p, e->a, "\\left(", "\\right)");
    }
}

static void print_node(printer *p, zw_node n, int bind) {
    const zw_expr_node *e = at(p, n);
    if (named(p, n)) {
        zw_sheet_name(p->sheet, n, p->out);
        return;
    }
    if (bind > 0 && bind_of(p, n) < bind) {
        zw_text_add(p->out, "\\left(");
        push_text(p, "\\right)");
    }
    switch (e->op) {
    case ZW_OP_ADD:
    case ZW_OP_SUB:
    case ZW_OP_NEG: print_sum(p, n); break;
    case ZW_OP_MUL:
    case ZW_OP_DIV:
    case ZW_OP_POWI:
        if (negative(p, n) && bind >= 0) {
            zw_text_add(p->out, "-");
        }
        print_product(p, n);
        break;
    case ZW_OP_CONSTANT: zw_latex_number(p->out, bind < 0 ? fabs(e->value) : e->value); break;
    default:
        if (function_of(e->op)) {
            print_function(p, e, 1);
        } else {
            print_special(p, n);
        }
        break;
    }
}

/* a factor with its power; `alone` when nothing stands beside it */
static void print_factor(printer *p, const piece *f) {
    const zw_expr_node *e = at(p, f->node);
    if (!named(p, f->node) && function_of(e->op)) {
        print_function(p, e, f->arg);
        return;
    }
    if (f->arg == 1) {
        bool bare = f->text || e->op == ZW_OP_POW || e->op == ZW_OP_EXP;
        push_node(p, f->node, bare ? BIND_NONE : BIND_PRODUCT);
        return;
    }
    static const char *const powers[] = {"", "", "^{2}", "^{3}", "^{4}", "^{5}", "^{6}", "^{7}", "^{8}"};
    if (f->arg < (int)(sizeof powers / sizeof powers[0])) {
        push_text(p, powers[f->arg]);
    } else {
        push_text(p, "}");
        append(p, &p->stack, (piece){.kind = NUMBER, .number = f->arg});
        push_text(p, "^{");
    }
    push_node(p, f->node, BIND_ATOM);
}

static void print_points(printer *p, const zw_expr_node *e) {
    const zw_expr_table *t = &p->dag->table[e->b];
    for (int i = 0; i < 2 * t->points; i++) {
        zw_text_add(p->out, i == 0 ? ";\\, " : i % 2 ? ",\\," : ";\\; ");
        zw_latex_number(p->out, p->dag->knots[t->first + i]);
    }
    zw_text_add(p->out, "\\right)");
}

static void unwind(printer *p) {
    while (p->stack.n > 0 && !p->out->failed) {
        piece next = p->stack.item[--p->stack.n];
        switch (next.kind) {
        case TEXT: zw_text_add(p->out, next.text); break;
        case NODE: print_node(p, next.node, next.arg); break;
        case FACTOR: print_factor(p, &next); break;
        case NUMBER: zw_latex_number(p->out, next.number); break;
        case POINTS: print_points(p, at(p, next.node)); break;
        }
    }
}

static void release(printer *p) {
    zw_context *c = p->sheet->context;
    zw_free(c, p->stack.item);
    zw_free(c, p->terms.item);
    zw_free(c, p->work.item);
    zw_free(c, p->signs.item);
    zw_free(c, p->above.item);
    zw_free(c, p->below.item);
}

void zw_sheet_latex(const zw_sheet *s, zw_node n, zw_text *out) {
    printer p = {.sheet = s, .dag = &s->pool->dag, .open = n, .out = out};
    push_node(&p, n, BIND_NONE);
    unwind(&p);
    release(&p);
}

static void print_lines(const zw_sheet *s, zw_node n, int used, int width, zw_text *out) {
    zw_text term;
    zw_text_init(&term, s->context);
    printer p = {.sheet = s, .dag = &s->pool->dag, .open = n, .out = &term};
    int     column = used;
    collect_terms(&p, n);
    list terms = p.terms; /* printing a term collects others */
    p.terms = (list){0};
    for (int i = 0; i < terms.n && !term.failed; i++) {
        term.n = 0;
        append(&p, &p.stack, (piece){.kind = NODE, .node = terms.item[i].node, .arg = -1});
        unwind(&p);
        int wide = term.s ? zw_latex_width(term.s) : 0;
        if (i > 0 && column + wide > width) {
            zw_text_add(out, " \\\\\n&\\quad {}");
            column = 4;
        }
        zw_text_add(out, terms.item[i].arg > 0 ? (i ? " + " : "") : i ? " - " : "-");
        zw_text_add_n(out, term.s ? term.s : "", term.n);
        column += wide + 2;
    }
    out->failed = out->failed || term.failed;
    zw_free(s->context, terms.item);
    release(&p);
    zw_text_destroy(&term);
}

void zw_sheet_latex_lines(const zw_sheet *s, int root, int used, int width, zw_text *out) {
    if (!zw_sheet_name(s, s->root[root], out)) {
        print_lines(s, s->root[root], used, width, out);
    }
}

void zw_sheet_latex_shared_lines(const zw_sheet *s, int i, int used, int width, zw_text *out) {
    print_lines(s, s->shared[i], used, width, out);
}

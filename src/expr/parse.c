/* SPDX-License-Identifier: Apache-2.0
 * parse.c: the grammar, by recursive descent; nesting is bounded, sequences like a + b + c + ... are loops.
 *
 *   or:      and { "or" and }                sum:     product { ("+" | "-") product }
 *   and:     not { "and" not }               product: sign { ("*" | "/") sign }
 *   not:     "not" not | compare             sign:    ("-" | "+") sign | power
 *   compare: sum [ ("<" | ...) sum ]         power:   part [ "^" sign ]
 *   part:    ( number | name | name(...) | "(" or ")" | "[" or, or, or "]" ) { "." component } */
#include "expr/parse.h"

#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 128 };

static zw_status parse_or(zw_parser *p, zw_value *out);
static zw_status parse_sign(zw_parser *p, zw_value *out);

zw_status zw_parser_take(zw_parser *p, zw_token at, zw_node n, zw_value *out) {
    if (n) {
        *out = (zw_value){.width = 1, .n = {n}};
        return ZW_OK;
    }
    if (p->pool->full) {
        return zw_complain(p, at, "simplify the longest expressions, or split the model",
                           "the expressions of this model need more than %d nodes", p->pool->nodes_max);
    }
    return ZW_E_MEMORY;
}

zw_status zw_parser_take3(zw_parser *p, zw_token at, const zw_node n[3], zw_value *out) {
    zw_value v = {.width = 3};
    for (int k = 0; k < 3; k++) {
        zw_value part;
        ZW_TRY(zw_parser_take(p, at, n[k], &part));
        v.n[k] = n[k];
    }
    *out = v;
    return ZW_OK;
}

static zw_status advance(zw_parser *p) {
    p->last = p->t;
    p->t = zw_lex(p->text, p->n, p->t.at + (p->t.kind == ZW_TOKEN_END ? 0 : p->t.length), p->problem);
    return p->t.kind == ZW_TOKEN_BAD ? ZW_E_MODEL : ZW_OK;
}

static zw_status too_deep(zw_parser *p) {
    return zw_complain(p, p->t, "name parts of it as parameters", "the expression is nested deeper than %d levels", ZW_EXPR_DEPTH_MAX);
}

/* text of a token for a message: at most 20 bytes of it */
static int shown(zw_token t) {
    return t.length < 20 ? t.length : 20;
}

/* a token that cannot follow a complete value */
static zw_status unexpected(zw_parser *p) {
    const char *at = p->text + p->t.at;
    char        remedy[100];
    switch (p->t.kind) {
    case ZW_TOKEN_NUMBER:
    case ZW_TOKEN_NAME:
    case ZW_TOKEN_OPEN:
    case ZW_TOKEN_SQUARE_OPEN:
        snprintf(remedy, sizeof remedy, "write %.*s*%.*s to multiply", shown(p->last), p->text + p->last.at, shown(p->t), at);
        return zw_complain(p, p->t, remedy, "an operator is missing between '%.*s' and '%.*s'", shown(p->last), p->text + p->last.at,
                           shown(p->t), at);
    case ZW_TOKEN_ASSIGN: return zw_complain(p, p->t, "write == to compare", "'=' is not an operator of an expression");
    case ZW_TOKEN_COMMA: return zw_complain(p, p->t, "write a vector as [a, b, c]; a decimal point is a dot: 0.5", "unexpected ','");
    case ZW_TOKEN_LT:
    case ZW_TOKEN_LE:
    case ZW_TOKEN_GT:
    case ZW_TOKEN_GE:
    case ZW_TOKEN_EQ:
    case ZW_TOKEN_NE: return zw_complain(p, p->t, "write a < b and b < c", "comparisons cannot be chained");
    case ZW_TOKEN_END: return zw_complain(p, p->t, NULL, "the expression ends too early");
    default: return zw_complain(p, p->t, "write an operator: + - * / ^ < <= > >= == != and or", "unexpected '%.*s'", shown(p->t), at);
    }
}

static zw_status need_scalars(zw_parser *p, zw_token op, zw_value a, zw_value b) {
    if (a.width == 1 && b.width == 1) {
        return ZW_OK;
    }
    return zw_complain(p, op, "take a component such as v.x, or norm(v)", "'%.*s' is for scalars, not for vectors", op.length,
                       p->text + op.at);
}

/* ---- names */

static void list_names(zw_text *t, const char *const *names, int n) {
    for (int i = 0; i < n && t->n < 250; i++) {
        zw_text_add(t, i ? ", " : "");
        zw_text_add(t, names[i]);
    }
}

/* what the name could have been */
static zw_status unknown_name(zw_parser *p, zw_token at, const char *name, bool call, const zw_symbol *hint) {
    zw_context *c = p->pool->context;
    if (p->pool->brief) {
        return zw_complain(p, at, NULL, hint ? "'%s' cannot be used here" : "unknown name '%s'", name);
    }
    const char *function[ZW_FUNCTIONS_MAX], **names = NULL;
    int         here = 0, n_functions = zw_function_names(p->scope, function);
    ZW_TRY(zw_scope_names(p->scope, &names, &here));
    const char *const *functions = (const char *const *)function, *const *known = (const char *const *)names;
    const char        *near = call ? zw_nearest_name(name, functions, n_functions) : zw_nearest_name(name, known, here);
    bool               near_function = call;
    if (!near && !call) {
        near = zw_nearest_name(name, functions, n_functions);
        near_function = true;
    }
    zw_text remedy;
    zw_text_init(&remedy, c);
    if (hint || !near) {
        zw_text_add(&remedy, call && !hint ? "functions: " : "known here: ");
        list_names(&remedy, call && !hint ? functions : known, call && !hint ? n_functions : here);
    } else {
        zw_text_addf(&remedy, "did you mean '%s'?", near);
        if (near_function && !call) {
            zw_text_addf(&remedy, " It is a function: %s", zw_function_usage(zw_function_find(near)));
        }
    }
    zw_status status = zw_text_status(&remedy);
    if (status == ZW_OK) {
        status = hint && hint->why[0] ? zw_complain(p, at, remedy.s, "'%s' cannot be used here: %s", name, hint->why)
                 : hint               ? zw_complain(p, at, remedy.s, "'%s' cannot be used here", name)
                                      : zw_complain(p, at, remedy.s, "unknown name '%s'", name);
    }
    zw_text_destroy(&remedy);
    zw_free(c, names);
    return status;
}

static zw_status push_argument(zw_parser *p, zw_argument a) {
    if (p->arguments == p->argument_room) {
        int          room = p->argument_room ? p->argument_room * 2 : 16;
        zw_argument *bigger = zw_resize(p->pool->context, p->argument, (size_t)room, sizeof *bigger, "arguments");
        if (!bigger) {
            return ZW_E_MEMORY;
        }
        p->argument = bigger;
        p->argument_room = room;
    }
    p->argument[p->arguments++] = a;
    return ZW_OK;
}

/* values between brackets; the opening one is the current token. They are left on the stack of arguments */
static zw_status parse_list(zw_parser *p, zw_token_kind close, int *n) {
    *n = 0;
    ZW_TRY(advance(p));
    if (p->t.kind == close) {
        return advance(p);
    }
    for (;;) {
        zw_argument a = {.at = p->t.at};
        ZW_TRY(parse_or(p, &a.value));
        a.length = p->last.at + p->last.length - a.at;
        ZW_TRY(push_argument(p, a));
        (*n)++;
        if (p->t.kind == close) {
            return advance(p);
        }
        if (p->t.kind != ZW_TOKEN_COMMA) {
            return unexpected(p);
        }
        ZW_TRY(advance(p));
    }
}

static zw_status parse_call(zw_parser *p, zw_token name, const zw_function *f, zw_value *out) {
    int n, base = p->arguments;
    ZW_TRY(parse_list(p, ZW_TOKEN_CLOSE, &n));
    p->arguments = base;
    return zw_function_apply(p, f, name, n > 0 ? p->argument + base : NULL, n, out); /* without arguments there may be no stack yet */
}

static zw_status parse_name(zw_parser *p, zw_value *out, const zw_symbol **symbol) {
    char     name[NAME_ROOM];
    zw_token at = p->t;
    if (at.length >= NAME_ROOM) {
        return zw_complain(p, at, "choose a shorter name", "a name of %d characters; at most %d are possible", at.length, NAME_ROOM - 1);
    }
    memcpy(name, p->text + at.at, (size_t)at.length);
    name[at.length] = '\0';
    ZW_TRY(advance(p));
    const zw_function *f = zw_function_find(name);
    bool               call = p->t.kind == ZW_TOKEN_OPEN;
    if (call && f) {
        return parse_call(p, at, f, out);
    }
    if (p->t.kind == ZW_TOKEN_DOT) { /* a name with a dot in it, like tip.x, when the scope has one */
        zw_token part = zw_lex(p->text, p->n, p->t.at + 1, p->problem);
        if (part.kind == ZW_TOKEN_NAME && at.length + 1 + part.length < NAME_ROOM) {
            char dotted[NAME_ROOM];
            memcpy(dotted, name, (size_t)at.length);
            dotted[at.length] = '.';
            memcpy(dotted + at.length + 1, p->text + part.at, (size_t)part.length);
            dotted[at.length + 1 + part.length] = '\0';
            const zw_symbol *found = zw_scope_find(p->scope, dotted);
            if (found && !found->why) {
                *out = found->value;
                ZW_TRY(advance(p));
                return advance(p);
            }
        }
    }
    zw_expr_problem inner = {0};
    zw_status       status = zw_scope_lookup(p->scope, name, out, symbol, &inner);
    if (status == ZW_E_MODEL) { /* what a resolver found wrong is told where the name is used */
        *p->problem = inner;
        p->problem->col = at.at + 1;
        p->problem->length = at.length;
        return status;
    }
    ZW_TRY(status);
    if (out->width == 0) {
        const zw_symbol *hint = *symbol;
        *symbol = NULL;
        if (f && !hint && zw_function_is_open(f, p->scope)) {
            return zw_complain(p, at, zw_function_usage(f), "'%s' is a function and needs arguments", name);
        }
        return unknown_name(p, at, name, call, hint);
    }
    if (!out->n[0]) {
        return zw_parser_take(p, at, 0, out);
    }
    if (call) {
        char remedy[NAME_ROOM + 40];
        snprintf(remedy, sizeof remedy, "write %s*(...) to multiply", name);
        return zw_complain(p, at, remedy, "'%s' is not a function", name);
    }
    return ZW_OK;
}

/* ---- values, innermost first */

static zw_status parse_vector(zw_parser *p, zw_value *out) {
    zw_token open = p->t;
    int      n, base = p->arguments;
    ZW_TRY(parse_list(p, ZW_TOKEN_SQUARE_CLOSE, &n));
    p->arguments = base;
    open.length = p->last.at + 1 - open.at;
    if (n != 3) {
        return zw_complain(p, open, "write [a, b, c]", "a vector has 3 components, this one has %d", n);
    }
    *out = (zw_value){.width = 3};
    for (int k = 0; k < 3; k++) {
        const zw_argument *a = &p->argument[base + k];
        if (a->value.width != 1) {
            zw_token at = {.at = a->at, .length = a->length};
            return zw_complain(p, at, "take a component such as v.x", "component %d of a vector must be a scalar, this is a vector", k + 1);
        }
        out->n[k] = a->value.n[0];
    }
    return ZW_OK;
}

static zw_status parse_component(zw_parser *p, const zw_symbol *symbol, zw_value *value) {
    ZW_TRY(advance(p));
    zw_token    at = p->t;
    const char *s = p->text + at.at;
    bool        directors = symbol && symbol->director[0];
    const char *remedy = directors ? "components: .x .y .z in space axes, .d1 .d2 .d3 in directors" : "components: .x .y .z";
    if (at.kind != ZW_TOKEN_NAME) {
        return zw_complain(p, at, remedy, "a component is missing after '.'");
    }
    if (value->width != 3) {
        return zw_complain(p, at, "only vectors have components", "a scalar has no component '%.*s'", shown(at), s);
    }
    ZW_TRY(advance(p));
    if (at.length == 1 && s[0] >= 'x' && s[0] <= 'z') {
        *value = (zw_value){.width = 1, .n = {value->n[s[0] - 'x']}};
        return ZW_OK;
    }
    if (at.length == 2 && s[0] == 'd' && s[1] >= '1' && s[1] <= '3') {
        if (!directors) {
            return zw_complain(p, at, remedy, "this vector has no directors");
        }
        *value = (zw_value){.width = 1, .n = {symbol->director[s[1] - '1']}};
        return ZW_OK;
    }
    return zw_complain(p, at, remedy, "a vector has no component '%.*s'", shown(at), s);
}

static zw_status parse_part(zw_parser *p, zw_value *out) {
    const zw_symbol *symbol = NULL;
    if (p->depth > ZW_EXPR_DEPTH_MAX) {
        return too_deep(p);
    }
    p->depth++;
    switch (p->t.kind) {
    case ZW_TOKEN_NUMBER:
        ZW_TRY(zw_parser_take(p, p->t, zw_node_constant(p->pool, p->t.value), out));
        ZW_TRY(advance(p));
        break;
    case ZW_TOKEN_NAME: ZW_TRY(parse_name(p, out, &symbol)); break;
    case ZW_TOKEN_OPEN:
        ZW_TRY(advance(p));
        ZW_TRY(parse_or(p, out));
        if (p->t.kind != ZW_TOKEN_CLOSE) {
            return unexpected(p);
        }
        ZW_TRY(advance(p));
        break;
    case ZW_TOKEN_SQUARE_OPEN: ZW_TRY(parse_vector(p, out)); break;
    case ZW_TOKEN_END:
        return zw_complain(p, p->t, "write a number, a name or a bracket after it", "the expression ends where a value is expected");
    default:
        return zw_complain(p, p->t, "write a number, a name or a bracket", "'%.*s' stands where a value is expected", shown(p->t),
                           p->text + p->t.at);
    }
    while (p->t.kind == ZW_TOKEN_DOT) {
        ZW_TRY(parse_component(p, symbol, out));
        symbol = NULL;
    }
    p->depth--;
    return ZW_OK;
}

static zw_status parse_power(zw_parser *p, zw_value *out) {
    ZW_TRY(parse_part(p, out));
    if (p->t.kind != ZW_TOKEN_HAT) {
        return ZW_OK;
    }
    zw_token op = p->t;
    zw_value b;
    if (p->depth >= ZW_EXPR_DEPTH_MAX) {
        return too_deep(p); /* a^b^c^... nests without brackets */
    }
    p->depth++;
    ZW_TRY(advance(p));
    ZW_TRY(parse_sign(p, &b));
    p->depth--;
    if (out->width == 3 && b.width == 1) {
        return zw_complain(p, op, "write dot(v, v) for the square of its length", "a vector has no powers");
    }
    ZW_TRY(need_scalars(p, op, *out, b));
    return zw_parser_take(p, op, zw_node_pow(p->pool, out->n[0], b.n[0]), out);
}

static zw_status parse_sign(zw_parser *p, zw_value *out) {
    if (p->t.kind != ZW_TOKEN_MINUS && p->t.kind != ZW_TOKEN_PLUS) {
        return parse_power(p, out);
    }
    zw_token op = p->t;
    if (p->depth >= ZW_EXPR_DEPTH_MAX) {
        return too_deep(p);
    }
    p->depth++;
    ZW_TRY(advance(p));
    ZW_TRY(parse_sign(p, out));
    p->depth--;
    if (op.kind == ZW_TOKEN_MINUS) {
        for (int k = 0; k < out->width; k++) {
            zw_value part;
            ZW_TRY(zw_parser_take(p, op, zw_node_neg(p->pool, out->n[k]), &part));
            out->n[k] = part.n[0];
        }
    }
    return ZW_OK;
}

static zw_status parse_product(zw_parser *p, zw_value *out) {
    ZW_TRY(parse_sign(p, out));
    while (p->t.kind == ZW_TOKEN_STAR || p->t.kind == ZW_TOKEN_SLASH) {
        zw_token op = p->t;
        zw_value b;
        ZW_TRY(advance(p));
        ZW_TRY(parse_sign(p, &b));
        if (op.kind == ZW_TOKEN_STAR && out->width == 3 && b.width == 3) {
            return zw_complain(p, op, "write dot(v, w) or cross(v, w)", "two vectors cannot be multiplied with '*'");
        }
        if (op.kind == ZW_TOKEN_SLASH && b.width == 3) {
            return zw_complain(p, op, "divide by norm(v) or by a component", "nothing can be divided by a vector");
        }
        zw_value a = *out;
        zw_value r = {.width = a.width > b.width ? a.width : b.width};
        for (int k = 0; k < r.width; k++) {
            zw_node  x = a.n[a.width == 3 ? k : 0], y = b.n[b.width == 3 ? k : 0];
            zw_value part;
            ZW_TRY(zw_parser_take(p, op, op.kind == ZW_TOKEN_STAR ? zw_node_mul(p->pool, x, y) : zw_node_div(p->pool, x, y), &part));
            r.n[k] = part.n[0];
        }
        *out = r;
    }
    return ZW_OK;
}

/* a + b or a - b, of equal widths */
static zw_status sum_of(zw_parser *p, zw_token op, bool plus, zw_value a, zw_value b, zw_value *out) {
    if (a.width != b.width) {
        return zw_complain(p, op, "write the scalar as a vector [a, b, c], or take a component such as v.x", "a %s and a %s cannot be %s",
                           a.width == 3 ? "vector" : "scalar", b.width == 3 ? "vector" : "scalar",
                           op.kind == ZW_TOKEN_PLUS    ? "added"
                           : op.kind == ZW_TOKEN_MINUS ? "subtracted"
                                                       : "compared");
    }
    zw_value r = {.width = a.width};
    for (int k = 0; k < a.width; k++) {
        zw_value part;
        ZW_TRY(zw_parser_take(p, op, plus ? zw_node_add(p->pool, a.n[k], b.n[k]) : zw_node_sub(p->pool, a.n[k], b.n[k]), &part));
        r.n[k] = part.n[0];
    }
    *out = r;
    return ZW_OK;
}

static zw_status parse_sum(zw_parser *p, zw_value *out) {
    ZW_TRY(parse_product(p, out));
    while (p->t.kind == ZW_TOKEN_PLUS || p->t.kind == ZW_TOKEN_MINUS) {
        zw_token op = p->t;
        zw_value b;
        ZW_TRY(advance(p));
        ZW_TRY(parse_product(p, &b));
        ZW_TRY(sum_of(p, op, op.kind == ZW_TOKEN_PLUS, *out, b, out));
    }
    return ZW_OK;
}

static zw_status parse_compare(zw_parser *p, zw_value *out) {
    ZW_TRY(parse_sum(p, out));
    if (p->t.kind < ZW_TOKEN_LT || p->t.kind > ZW_TOKEN_NE) {
        return ZW_OK;
    }
    zw_token op = p->t;
    zw_value b;
    ZW_TRY(advance(p));
    ZW_TRY(parse_sum(p, &b));
    if (p->t.kind >= ZW_TOKEN_LT && p->t.kind <= ZW_TOKEN_NE) {
        return unexpected(p);
    }
    ZW_TRY(need_scalars(p, op, *out, b));
    bool swap = op.kind == ZW_TOKEN_GT || op.kind == ZW_TOKEN_GE; /* a > b is b < a */
    int  kind = op.kind == ZW_TOKEN_LT || op.kind == ZW_TOKEN_GT   ? ZW_OP_LT
                : op.kind == ZW_TOKEN_LE || op.kind == ZW_TOKEN_GE ? ZW_OP_LE
                : op.kind == ZW_TOKEN_EQ                           ? ZW_OP_EQ
                                                                   : ZW_OP_NE;
    return zw_parser_take(p, op, zw_node_build(p->pool, kind, swap ? b.n[0] : out->n[0], swap ? out->n[0] : b.n[0], 0), out);
}

static zw_status parse_not(zw_parser *p, zw_value *out) {
    if (p->t.kind != ZW_TOKEN_NOT) {
        return parse_compare(p, out);
    }
    zw_token op = p->t;
    if (p->depth >= ZW_EXPR_DEPTH_MAX) {
        return too_deep(p);
    }
    p->depth++;
    ZW_TRY(advance(p));
    ZW_TRY(parse_not(p, out));
    p->depth--;
    ZW_TRY(need_scalars(p, op, *out, *out));
    return zw_parser_take(p, op, zw_node_build(p->pool, ZW_OP_NOT, out->n[0], 0, 0), out);
}

static zw_status parse_and(zw_parser *p, zw_value *out) {
    ZW_TRY(parse_not(p, out));
    while (p->t.kind == ZW_TOKEN_AND) {
        zw_token op = p->t;
        zw_value b;
        ZW_TRY(advance(p));
        ZW_TRY(parse_not(p, &b));
        ZW_TRY(need_scalars(p, op, *out, b));
        ZW_TRY(zw_parser_take(p, op, zw_node_build(p->pool, ZW_OP_AND, out->n[0], b.n[0], 0), out));
    }
    return ZW_OK;
}

static zw_status parse_or(zw_parser *p, zw_value *out) {
    ZW_TRY(parse_and(p, out));
    while (p->t.kind == ZW_TOKEN_OR) {
        zw_token op = p->t;
        zw_value b;
        ZW_TRY(advance(p));
        ZW_TRY(parse_and(p, &b));
        ZW_TRY(need_scalars(p, op, *out, b));
        ZW_TRY(zw_parser_take(p, op, zw_node_build(p->pool, ZW_OP_OR, out->n[0], b.n[0], 0), out));
    }
    return ZW_OK;
}

/* ---- whole texts */

/* brackets pair up, nesting is bounded, every character is legal: said before anything else, because it is the cause of the rest */
static zw_status check_brackets(zw_parser *p) {
    zw_token open[ZW_EXPR_DEPTH_MAX];
    int      n = 0;
    for (p->t = zw_lex(p->text, p->n, 0, p->problem); p->t.kind != ZW_TOKEN_END;
         p->t = zw_lex(p->text, p->n, p->t.at + p->t.length, p->problem)) {
        zw_token_kind kind = p->t.kind;
        if (kind == ZW_TOKEN_BAD) {
            return ZW_E_MODEL;
        }
        if (kind == ZW_TOKEN_OPEN || kind == ZW_TOKEN_SQUARE_OPEN) {
            if (n == ZW_EXPR_DEPTH_MAX) {
                return too_deep(p);
            }
            open[n++] = p->t;
        } else if (kind == ZW_TOKEN_CLOSE || kind == ZW_TOKEN_SQUARE_CLOSE) {
            bool round = kind == ZW_TOKEN_CLOSE;
            if (n == 0) {
                return zw_complain(p, p->t, "delete it, or open one before it", "unbalanced %s: '%c' at column %d has no '%c'",
                                   round ? "parentheses" : "brackets", round ? ')' : ']', p->t.at + 1, round ? '(' : '[');
            }
            if (open[n - 1].kind != (round ? ZW_TOKEN_OPEN : ZW_TOKEN_SQUARE_OPEN)) {
                break;
            }
            n--;
        }
    }
    if (n > 0) {
        bool round = open[n - 1].kind == ZW_TOKEN_OPEN;
        return zw_complain(p, open[n - 1], round ? "close it with )" : "close it with ]",
                           "unbalanced %s: '%c' at column %d is never closed", round ? "parentheses" : "brackets", round ? '(' : '[',
                           open[n - 1].at + 1);
    }
    return ZW_OK;
}

static zw_status begin(zw_parser *p, zw_scope *s, const char *text, zw_expr_problem *problem) {
    size_t n = text ? strlen(text) : 0;
    *p = (zw_parser){.scope = s, .pool = s->pool, .text = text ? text : "", .problem = problem};
    if (n > ZW_EXPR_TEXT_MAX) {
        return zw_complain(p, p->t, "name parts of it as parameters", "the expression has %zu bytes, at most %d are possible", n,
                           ZW_EXPR_TEXT_MAX);
    }
    p->n = (int)n;
    ZW_TRY(check_brackets(p));
    p->t = zw_lex(p->text, p->n, 0, problem);
    if (p->t.kind == ZW_TOKEN_END) {
        p->t.at = 0;
        return zw_complain(p, p->t, "write a number or a formula", "the expression is empty");
    }
    return ZW_OK;
}

static zw_status parse_relation(zw_parser *p, zw_value *out, zw_relation *relation) {
    zw_value a, b;
    ZW_TRY(parse_sum(p, &a));
    zw_token op = p->t;
    switch (op.kind) {
    case ZW_TOKEN_ASSIGN:
    case ZW_TOKEN_EQ: *relation = ZW_RELATION_EQUAL; break;
    case ZW_TOKEN_LE: *relation = ZW_RELATION_AT_MOST; break;
    case ZW_TOKEN_GE: *relation = ZW_RELATION_AT_LEAST; break;
    case ZW_TOKEN_LT: return zw_complain(p, op, "write <=", "'<' is not a relation here");
    case ZW_TOKEN_GT: return zw_complain(p, op, "write >=", "'>' is not a relation here");
    case ZW_TOKEN_NE: return zw_complain(p, op, "write =, <= or >=", "'!=' is not a relation here");
    case ZW_TOKEN_END: return zw_complain(p, op, "write f = 0, f <= 0 or f >= 0", "a relation is expected, but there is no =, <= or >=");
    default: return unexpected(p);
    }
    ZW_TRY(advance(p));
    ZW_TRY(parse_sum(p, &b));
    if (p->t.kind == ZW_TOKEN_ASSIGN) {
        return zw_complain(p, p->t, "write two relations", "a relation has only one =, <= or >=");
    }
    double zero;
    if (a.width == 3 && b.width == 1 && zw_node_is_constant(p->pool, b.n[0], &zero) && zero == 0.0) {
        b = (zw_value){.width = 3, .n = {b.n[0], b.n[0], b.n[0]}}; /* v = 0 means every component */
    }
    if ((a.width == 3 || b.width == 3) && *relation != ZW_RELATION_EQUAL) {
        return zw_complain(p, op, "take a component such as v.x, or norm(v)", "'%.*s' is for scalars, not for vectors", op.length,
                           p->text + op.at);
    }
    return sum_of(p, op, false, a, b, out);
}

static zw_status parse_text(zw_scope *s, const char *text, zw_value *out, zw_relation *relation, zw_expr_problem *problem) {
    zw_parser       p;
    zw_expr_problem unused;
    *out = (zw_value){.width = 0};
    problem = problem ? problem : &unused;
    *problem = (zw_expr_problem){0};
    ZW_TRY(begin(&p, s, text, problem));
    bool quiet = s->pool->quiet; /* a resolver may parse inside a parse */
    s->pool->quiet = true;
    zw_value  value;
    zw_status status = relation ? parse_relation(&p, &value, relation) : parse_or(&p, &value);
    if (status == ZW_OK && p.t.kind != ZW_TOKEN_END) {
        status = unexpected(&p);
    }
    s->pool->quiet = quiet;
    zw_free(s->pool->context, p.argument);
    if (status == ZW_OK) {
        *out = value;
    }
    return status;
}

zw_status zw_expr_parse(zw_scope *s, const char *text, zw_value *out, zw_expr_problem *problem) {
    return parse_text(s, text, out, NULL, problem);
}

zw_status zw_expr_parse_relation(zw_scope *s, const char *text, zw_value *left_minus_right, zw_relation *relation,
                                 zw_expr_problem *problem) {
    return parse_text(s, text, left_minus_right, relation, problem);
}

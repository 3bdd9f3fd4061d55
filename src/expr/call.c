/* SPDX-License-Identifier: Apache-2.0
 * call.c: the functions an expression can call: their names, argument counts, widths, and how they become nodes.
 *
 * clamp(x, low, high) = min(max(x, low), high); norm(v) = sqrt(x^2 + y^2 + z^2); unit(v) = v/norm(v). A table with constant points is
 * one node; points that are expressions become a chain of if(), with the same formula. table_slope is the derivative of a table. */
#include "expr/parse.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

typedef enum call_kind { UNARY, BINARY, CHAIN, POWER, CLAMP, IF, MOTION, TABLE, SLOPE, DOT, CROSS, NORM, UNIT } call_kind;

struct zw_function {
    const char *name;
    call_kind   kind;
    int         op;
    int         least, most; /* arguments */
    const char *usage;
};

enum { MANY = 1 << 24 };

static const zw_function functions[] = {
    {"sin", UNARY, ZW_OP_SIN, 1, 1, "sin(x)"},
    {"cos", UNARY, ZW_OP_COS, 1, 1, "cos(x)"},
    {"tan", UNARY, ZW_OP_TAN, 1, 1, "tan(x)"},
    {"asin", UNARY, ZW_OP_ASIN, 1, 1, "asin(x)"},
    {"acos", UNARY, ZW_OP_ACOS, 1, 1, "acos(x)"},
    {"atan", UNARY, ZW_OP_ATAN, 1, 1, "atan(x), or atan2(y, x)"},
    {"atan2", BINARY, ZW_OP_ATAN2, 2, 2, "atan2(y, x)"},
    {"sinh", UNARY, ZW_OP_SINH, 1, 1, "sinh(x)"},
    {"cosh", UNARY, ZW_OP_COSH, 1, 1, "cosh(x)"},
    {"tanh", UNARY, ZW_OP_TANH, 1, 1, "tanh(x)"},
    {"asinh", UNARY, ZW_OP_ASINH, 1, 1, "asinh(x)"},
    {"acosh", UNARY, ZW_OP_ACOSH, 1, 1, "acosh(x)"},
    {"atanh", UNARY, ZW_OP_ATANH, 1, 1, "atanh(x)"},
    {"exp", UNARY, ZW_OP_EXP, 1, 1, "exp(x)"},
    {"log", UNARY, ZW_OP_LOG, 1, 1, "log(x), the natural logarithm"},
    {"log10", UNARY, ZW_OP_LOG10, 1, 1, "log10(x)"},
    {"sqrt", UNARY, ZW_OP_SQRT, 1, 1, "sqrt(x)"},
    {"cbrt", UNARY, ZW_OP_CBRT, 1, 1, "cbrt(x)"},
    {"abs", UNARY, ZW_OP_ABS, 1, 1, "abs(x)"},
    {"sign", UNARY, ZW_OP_SIGN, 1, 1, "sign(x)"},
    {"floor", UNARY, ZW_OP_FLOOR, 1, 1, "floor(x)"},
    {"ceil", UNARY, ZW_OP_CEIL, 1, 1, "ceil(x)"},
    {"erf", UNARY, ZW_OP_ERF, 1, 1, "erf(x)"},
    {"step", UNARY, ZW_OP_STEP, 1, 1, "step(x)"},
    {"mod", BINARY, ZW_OP_MOD, 2, 2, "mod(a, b)"},
    {"pow", POWER, ZW_OP_POW, 2, 2, "pow(a, b) or a^b"},
    {"hypot", BINARY, ZW_OP_HYPOT, 2, 2, "hypot(x, y)"},
    {"min", CHAIN, ZW_OP_MIN, 2, MANY, "min(a, b, ...)"},
    {"max", CHAIN, ZW_OP_MAX, 2, MANY, "max(a, b, ...)"},
    {"clamp", CLAMP, 0, 3, 3, "clamp(x, low, high)"},
    {"if", IF, ZW_OP_IF, 3, 3, "if(condition, then, else)"},
    {"table", TABLE, ZW_OP_TABLE, 5, MANY, "table(x, x1,y1, x2,y2, ...)"},
    {"table_slope", SLOPE, ZW_OP_SLOPE, 5, MANY, "table_slope(x, x1,y1, x2,y2, ...)"},
    {"dot", DOT, 0, 2, 2, "dot(v, w)"},
    {"cross", CROSS, 0, 2, 2, "cross(v, w)"},
    {"norm", NORM, 0, 1, 1, "norm(v)"},
    {"unit", UNIT, 0, 1, 1, "unit(v)"},
    {"dt", MOTION, 0, 1, 1, "dt(e), the total derivative by time"},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };
_Static_assert((int)FUNCTIONS <= (int)ZW_FUNCTIONS_MAX, "room for all names");

const zw_function *zw_function_find(const char *name) {
    for (int i = 0; i < FUNCTIONS; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            return &functions[i];
        }
    }
    return NULL;
}

const char *zw_function_usage(const zw_function *f) {
    return f->usage;
}

bool zw_function_is_open(const zw_function *f, const zw_scope *s) {
    return f->kind != MOTION || zw_scope_motion(s);
}

int zw_function_names(const zw_scope *s, const char *names[ZW_FUNCTIONS_MAX]) {
    int n = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
        if (zw_function_is_open(&functions[i], s)) {
            names[n++] = functions[i].name;
        }
    }
    return n;
}

static zw_token argument_token(const zw_argument *a) {
    return (zw_token){.kind = ZW_TOKEN_NAME, .at = a->at, .length = a->length};
}

/* every argument must have this width */
static zw_status need_width(zw_parser *p, const zw_function *f, const zw_argument *argument, int n, int width) {
    for (int i = 0; i < n; i++) {
        if (argument[i].value.width != width) {
            return width == 1 ? zw_complain(p, argument_token(&argument[i]), "take a component such as v.x, or norm(v)",
                                            "argument %d of %s must be a scalar, this is a vector", i + 1, f->name)
                              : zw_complain(p, argument_token(&argument[i]), "write [a, b, c] or the name of a vector",
                                            "argument %d of %s must be a vector, this is a scalar", i + 1, f->name);
        }
    }
    return ZW_OK;
}

static zw_node dot(zw_pool *q, zw_value a, zw_value b) {
    zw_node part[3]; /* made one after the other: C does not say which argument of a call is evaluated first */
    for (int k = 0; k < 3; k++) {
        part[k] = zw_node_mul(q, a.n[k], b.n[k]);
    }
    return zw_node_add(q, zw_node_add(q, part[0], part[1]), part[2]);
}

static zw_node norm(zw_pool *q, zw_value a) {
    return zw_node_build(q, ZW_OP_SQRT, dot(q, a, a), 0, 0);
}

/* points that are not all constants: if(x < x1, y1, if(x < x2, y1 + (y2 - y1)*((x - x1)/(x2 - x1)), ... yn)) */
static zw_node loose_table(zw_pool *q, bool slope, const zw_argument *argument, int points) {
    zw_node x = argument[0].value.n[0];
    zw_node zero = zw_node_constant(q, 0.0);
    zw_node rest = slope ? zero : argument[2 * points].value.n[0];
    for (int i = points - 1; i >= 1; i--) {
        zw_node x0 = argument[2 * i - 1].value.n[0], y0 = argument[2 * i].value.n[0];
        zw_node x1 = argument[2 * i + 1].value.n[0], y1 = argument[2 * i + 2].value.n[0];
        zw_node rise = zw_node_sub(q, y1, y0), run = zw_node_sub(q, x1, x0);
        zw_node piece =
            slope ? zw_node_div(q, rise, run) : zw_node_add(q, y0, zw_node_mul(q, rise, zw_node_div(q, zw_node_sub(q, x, x0), run)));
        rest = zw_node_build(q, ZW_OP_IF, zw_node_build(q, ZW_OP_LT, x, x1, 0), piece, rest);
    }
    zw_node before = zw_node_build(q, ZW_OP_LT, x, argument[1].value.n[0], 0);
    return zw_node_build(q, ZW_OP_IF, before, slope ? zero : argument[2].value.n[0], rest);
}

static zw_status apply_table(zw_parser *p, const zw_function *f, zw_token name, const zw_argument *argument, int n, zw_value *out) {
    if (n % 2 == 0) {
        return zw_complain(p, name, f->usage, "%s needs x and then pairs of numbers, an odd number of arguments; %d are given", f->name, n);
    }
    int  points = (n - 1) / 2;
    bool constant = true;
    for (int i = 1; i < n; i++) {
        constant = zw_node_is_constant(p->pool, argument[i].value.n[0], NULL) && constant;
    }
    for (int i = 1; i < points; i++) {
        double before, here;
        if (zw_node_is_constant(p->pool, argument[2 * i - 1].value.n[0], &before) &&
            zw_node_is_constant(p->pool, argument[2 * i + 1].value.n[0], &here) && !(before < here)) {
            char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
            return zw_complain(p, argument_token(&argument[2 * i + 1]), "write the points with x increasing",
                               "the x of point %d of the %s, %s, must be greater than the one before it, %s", i + 1, f->name,
                               zw_number_text(here, a), zw_number_text(before, b));
        }
    }
    if (!constant) {
        if (points > ZW_EXPR_KNOTS_LOOSE) {
            return zw_complain(p, name, "use numbers for the points, or fewer points",
                               "a %s with %d points that are not all numbers; at most %d are possible", f->name, points,
                               ZW_EXPR_KNOTS_LOOSE);
        }
        return zw_parser_take(p, name, loose_table(p->pool, f->kind == SLOPE, argument, points), out);
    }
    double *knots = zw_alloc(p->pool->context, 2 * (size_t)points, sizeof *knots, "points of a table");
    if (!knots) {
        return ZW_E_MEMORY;
    }
    for (int i = 1; i < n; i++) {
        zw_node_is_constant(p->pool, argument[i].value.n[0], &knots[i - 1]);
    }
    int table = zw_pool_table(p->pool, knots, points);
    zw_free(p->pool->context, knots);
    return table < 0 ? ZW_E_MEMORY : zw_parser_take(p, name, zw_node_build(p->pool, f->op, argument[0].value.n[0], table, 0), out);
}

static zw_status apply_if(zw_parser *p, const zw_function *f, zw_token name, const zw_argument *argument, zw_value *out) {
    ZW_TRY(need_width(p, f, argument, 1, 1));
    zw_value a = argument[1].value, b = argument[2].value;
    if (a.width != b.width) {
        return zw_complain(p, argument_token(&argument[2]), "give both branches the same width: both scalars, or both vectors [a, b, c]",
                           "the branches of if differ: %s and %s", a.width == 3 ? "a vector" : "a scalar",
                           b.width == 3 ? "a vector" : "a scalar");
    }
    zw_value v = {.width = a.width};
    for (int k = 0; k < a.width; k++) {
        zw_value part;
        ZW_TRY(zw_parser_take(p, name, zw_node_build(p->pool, ZW_OP_IF, argument[0].value.n[0], a.n[k], b.n[k]), &part));
        v.n[k] = part.n[0];
    }
    *out = v;
    return ZW_OK;
}

static zw_status wrong_count(zw_parser *p, const zw_function *f, zw_token name, int n) {
    char remedy[100], given[24];
    snprintf(remedy, sizeof remedy, "write %s", f->usage);
    snprintf(given, sizeof given, n == 1 ? "%d is" : "%d are", n);
    return zw_complain(p, name, remedy, "%s takes %s%d argument%s, %s given", f->name, f->most == MANY ? "at least " : "", f->least,
                       f->least == 1 ? "" : "s", given);
}

zw_status zw_function_apply(zw_parser *p, const zw_function *f, zw_token name, const zw_argument *argument, int n, zw_value *out) {
    if (n < f->least || n > f->most) {
        return wrong_count(p, f, name, n);
    }
    zw_pool *q = p->pool;
    zw_value a = argument[0].value, b = n > 1 ? argument[1].value : a;
    if (f->kind == IF) {
        return apply_if(p, f, name, argument, out);
    }
    if (f->kind == MOTION) {
        return zw_motion_apply(p, name, argument, out);
    }
    ZW_TRY(need_width(p, f, argument, n, f->kind >= DOT ? 3 : 1));
    switch (f->kind) {
    case UNARY: return zw_parser_take(p, name, zw_node_build(q, f->op, a.n[0], 0, 0), out);
    case BINARY: return zw_parser_take(p, name, zw_node_build(q, f->op, a.n[0], b.n[0], 0), out);
    case POWER: return zw_parser_take(p, name, zw_node_pow(q, a.n[0], b.n[0]), out);
    case CHAIN: {
        zw_node r = a.n[0];
        for (int i = 1; i < n; i++) {
            r = zw_node_build(q, f->op, r, argument[i].value.n[0], 0);
        }
        return zw_parser_take(p, name, r, out);
    }
    case CLAMP: {
        zw_node r = zw_node_build(q, ZW_OP_MAX, a.n[0], b.n[0], 0);
        return zw_parser_take(p, name, zw_node_build(q, ZW_OP_MIN, r, argument[2].value.n[0], 0), out);
    }
    case TABLE:
    case SLOPE: return apply_table(p, f, name, argument, n, out);
    case DOT: return zw_parser_take(p, name, dot(q, a, b), out);
    case NORM: return zw_parser_take(p, name, norm(q, a), out);
    case CROSS: {
        zw_node r[3];
        for (int k = 0; k < 3; k++) {
            int     i = (k + 1) % 3, j = (k + 2) % 3;
            zw_node left = zw_node_mul(q, a.n[i], b.n[j]), right = zw_node_mul(q, a.n[j], b.n[i]);
            r[k] = zw_node_sub(q, left, right);
        }
        return zw_parser_take3(p, name, r, out);
    }
    case UNIT: {
        zw_node length = norm(q, a);
        zw_node r[3];
        for (int k = 0; k < 3; k++) {
            r[k] = zw_node_div(q, a.n[k], length);
        }
        return zw_parser_take3(p, name, r, out);
    }
    case IF:
    case MOTION: break;
    }
    return ZW_E_INTERNAL;
}

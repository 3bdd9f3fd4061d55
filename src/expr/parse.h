/* SPDX-License-Identifier: Apache-2.0
 * parse.h: the state of one parse, shared by the grammar (parse.c) and the functions (call.c). */
#ifndef ZW_EXPR_PARSE_H
#define ZW_EXPR_PARSE_H

#include "expr/lex.h"
#include "expr/pool.h"
#include "expr/scope.h"

typedef struct zw_argument {
    zw_value value;
    int      at, length; /* where it is written */
} zw_argument;

typedef struct zw_parser {
    zw_scope        *scope;
    zw_pool         *pool;
    const char      *text;
    int              n;
    zw_token         t;    /* the token being looked at */
    zw_token         last; /* the one before it */
    int              depth;
    zw_argument     *argument; /* a stack: calls nest */
    int              arguments, argument_room;
    zw_expr_problem *problem;
} zw_parser;

typedef struct zw_function zw_function;
enum { ZW_FUNCTIONS_MAX = 64 };

/* NULL when there is no function of that name */
const zw_function *zw_function_find(const char *name);
const char        *zw_function_usage(const zw_function *f); /* "sin(x)" */
/* names of the functions that are open in the scope, for "did you mean"; returns how many */
int zw_function_names(const zw_scope *s, const char *names[ZW_FUNCTIONS_MAX]);
/* may expressions of this scope call it? dt() needs something that moves */
bool zw_function_is_open(const zw_function *f, const zw_scope *s);
/* applies f to the n arguments; `name` is the token of its name */
zw_status zw_function_apply(zw_parser *p, const zw_function *f, zw_token name, const zw_argument *argument, int n, zw_value *out);

/* dt() of its argument */
zw_status zw_motion_apply(zw_parser *p, zw_token name, const zw_argument *argument, zw_value *out);

/* fills the problem at a token and returns ZW_E_MODEL */
#define zw_complain(p, token, remedy, ...) (zw_problem_set((p)->problem, (token).at, (token).length, (remedy), __VA_ARGS__), ZW_E_MODEL)
/* a scalar value from a node; a node 0 becomes the reason: memory or the cap on nodes */
zw_status zw_parser_take(zw_parser *p, zw_token at, zw_node n, zw_value *out);
zw_status zw_parser_take3(zw_parser *p, zw_token at, const zw_node n[3], zw_value *out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * lex.h: text to tokens, one at a time, with byte columns. A token of kind BAD has filled the problem. */
#ifndef ZW_EXPR_LEX_H
#define ZW_EXPR_LEX_H

#include "expr/expr.h"

typedef enum zw_token_kind {
    ZW_TOKEN_END,
    ZW_TOKEN_BAD,
    ZW_TOKEN_NUMBER,
    ZW_TOKEN_NAME,
    ZW_TOKEN_PLUS,
    ZW_TOKEN_MINUS,
    ZW_TOKEN_STAR,
    ZW_TOKEN_SLASH,
    ZW_TOKEN_HAT,
    ZW_TOKEN_OPEN,
    ZW_TOKEN_CLOSE,
    ZW_TOKEN_SQUARE_OPEN,
    ZW_TOKEN_SQUARE_CLOSE,
    ZW_TOKEN_COMMA,
    ZW_TOKEN_DOT,
    ZW_TOKEN_LT,
    ZW_TOKEN_LE,
    ZW_TOKEN_GT,
    ZW_TOKEN_GE,
    ZW_TOKEN_EQ,
    ZW_TOKEN_NE,
    ZW_TOKEN_ASSIGN, /* a single = */
    ZW_TOKEN_AND,
    ZW_TOKEN_OR,
    ZW_TOKEN_NOT
} zw_token_kind;

typedef struct zw_token {
    zw_token_kind kind;
    int           at, length; /* 0-based byte and bytes */
    double        value;      /* of a number */
} zw_token;

/* the token at or after byte `at` of a text of n bytes */
zw_token zw_lex(const char *text, int n, int at, zw_expr_problem *problem);
/* fills a problem; at is 0-based. remedy is copied, message is formatted; both are cut to fit */
void zw_problem_set(zw_expr_problem *problem, int at, int length, const char *remedy, const char *fmt, ...) ZW_PRINTF(5, 6);

#endif

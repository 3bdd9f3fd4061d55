/* SPDX-License-Identifier: Apache-2.0
 * lex.c: the characters of an expression: numbers, names, operators, and what to write instead of everything else. */
#include "expr/lex.h"

#include "base/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_part(char c) {
    return is_name_start(c) || is_digit(c);
}

bool zw_expr_is_name(const char *text) {
    if (!text || !is_name_start(text[0])) {
        return false;
    }
    for (const char *c = text; *c; c++) {
        if (!is_name_part(*c)) {
            return false;
        }
    }
    return strcmp(text, "and") != 0 && strcmp(text, "or") != 0 && strcmp(text, "not") != 0;
}

void zw_problem_set(zw_expr_problem *problem, int at, int length, const char *remedy, const char *fmt, ...) {
    va_list args;
    problem->col = at + 1;
    problem->length = length < 1 ? 1 : length;
    va_start(args, fmt);
    int n = vsnprintf(problem->message, sizeof problem->message, fmt, args);
    va_end(args);
    if (n >= (int)sizeof problem->message) {
        memcpy(problem->message + sizeof problem->message - 4, "...", 4);
    }
    n = snprintf(problem->remedy, sizeof problem->remedy, "%s", remedy ? remedy : "");
    if (n >= (int)sizeof problem->remedy) {
        memcpy(problem->remedy + sizeof problem->remedy - 4, "...", 4);
    }
}

/* characters that people paste from papers, and what stands for them here */
static const struct {
    const char *bytes, *remedy;
} pasted[] = {
    {"\xe2\x88\x92", "write - for minus"},
    {"\xe2\x80\x93", "write - for minus"},
    {"\xc3\x97", "write * to multiply"},
    {"\xc2\xb7", "write * to multiply"},
    {"\xc3\xb7", "write / to divide"},
    {"\xc2\xb2", "write ^2"},
    {"\xc2\xb3", "write ^3"},
    {"\xcf\x80", "write pi"},
    {"\xe2\x89\xa4", "write <="},
    {"\xe2\x89\xa5", "write >="},
    {"\xe2\x89\xa0", "write !="},
    {"\xe2\x88\x9a", "write sqrt(...)"},
    {"\xc2\xb0", "angles are in radians: write degrees as 30*pi/180"},
    {"\xc2\xa0", "this is a no-break space: write an ordinary one"},
};

static int utf8_length(const char *s, int n) {
    unsigned char c = (unsigned char)s[0];
    int           want = c >= 0xf0 && c < 0xf5 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;
    if (c >= 0xf5 || want > n) {
        return 1;
    }
    for (int i = 1; i < want; i++) {
        if (((unsigned char)s[i] & 0xc0u) != 0x80u) {
            return 1;
        }
    }
    return want;
}

static zw_token bad_character(const char *text, int n, int at, zw_expr_problem *problem) {
    const char   *s = text + at;
    unsigned char c = (unsigned char)s[0];
    zw_token      t = {.kind = ZW_TOKEN_BAD, .at = at, .length = 1};
    if (c < 0x80) {
        const char *remedy = c == '&'                ? "write and"
                             : c == '|'              ? "write or"
                             : c == '!'              ? "write not, or != for not equal"
                             : c == '%'              ? "write mod(a, b) for the remainder"
                             : c == '{' || c == '}'  ? "group with ( ) and write vectors as [a, b, c]"
                             : c == ';'              ? "separate arguments with ,"
                             : c == '"' || c == '\'' ? "an expression has no quotes inside"
                                                     : "allowed are numbers, names, + - * / ^ ( ) [ ] , . < > = !";
        if (c >= 0x20 && c < 0x7f) {
            zw_problem_set(problem, at, 1, remedy, "unexpected character '%c'", c);
        } else {
            zw_problem_set(problem, at, 1, "delete it", "unexpected control character with code %d", c);
        }
        return t;
    }
    int         length = utf8_length(s, n - at);
    const char *remedy = "names are made of letters a-z, A-Z, digits and _";
    for (size_t i = 0; i < sizeof pasted / sizeof pasted[0]; i++) {
        if (strlen(pasted[i].bytes) == (size_t)length && memcmp(s, pasted[i].bytes, (size_t)length) == 0) {
            remedy = pasted[i].remedy;
        }
    }
    if (length == 1) {
        zw_problem_set(problem, at, 1, "save the file as UTF-8 and use plain ASCII in expressions", "unexpected byte 0x%02x", c);
    } else {
        zw_problem_set(problem, at, length, remedy, "character '%.*s' cannot be used in an expression", length, s);
    }
    t.length = length;
    return t;
}

static zw_token lex_number(const char *text, int n, int at, zw_expr_problem *problem) {
    static const char form[] = "write a number like 12, 0.5 or 1.2e-3";
    size_t            used = 0;
    double            value = zw_number_read(text + at, (size_t)(n - at), &used);
    int               end = at + (int)used;
    zw_token          t = {.kind = ZW_TOKEN_NUMBER, .at = at, .length = (int)used, .value = value};
    /* what is glued to it: 1.2.3, 1e, 1e+ */
    bool exponent =
        end < n && (text[end] == 'e' || text[end] == 'E') && (end + 1 == n || (!is_name_part(text[end + 1]) && text[end + 1] != '('));
    bool dots = used > 0 && end < n && text[end] == '.' && (end + 1 >= n || !is_name_start(text[end + 1]));
    if (used == 0 || exponent || dots) {
        int stop = end;
        if (exponent) {
            stop++;
            if (stop < n && (text[stop] == '+' || text[stop] == '-')) {
                stop++;
            }
        } else {
            while (stop < n && (is_digit(text[stop]) || text[stop] == '.')) {
                stop++;
            }
        }
        stop = stop > at ? stop : at + 1;
        t.kind = ZW_TOKEN_BAD;
        t.length = stop - at;
        int shown = t.length < 60 ? t.length : 60;
        zw_problem_set(problem, at, t.length, form, exponent ? "'%.*s' has an exponent without digits" : "'%.*s' is not a number", shown,
                       text + at);
        return t;
    }
    int shown = t.length < 60 ? t.length : 60;
    if (!isfinite(value)) {
        t.kind = ZW_TOKEN_BAD;
        zw_problem_set(problem, at, t.length, "the largest number is about 1.797e308", "number %.*s is too large", shown, text + at);
    } else if (value == 0.0) {
        for (int i = at; i < end && text[i] != 'e' && text[i] != 'E'; i++) {
            if (text[i] >= '1' && text[i] <= '9') {
                t.kind = ZW_TOKEN_BAD;
                zw_problem_set(problem, at, t.length, "the smallest number above 0 is about 4.94e-324; write 0 if you mean 0",
                               "number %.*s is too small", shown, text + at);
                break;
            }
        }
    }
    return t;
}

zw_token zw_lex(const char *text, int n, int at, zw_expr_problem *problem) {
    while (at < n && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) {
        at++;
    }
    zw_token t = {.kind = ZW_TOKEN_END, .at = at, .length = 1};
    if (at >= n) {
        return t;
    }
    char c = text[at], d = at + 1 < n ? text[at + 1] : '\0';
    if (is_digit(c) || (c == '.' && is_digit(d))) {
        return lex_number(text, n, at, problem);
    }
    if (is_name_start(c)) {
        int end = at + 1;
        while (end < n && is_name_part(text[end])) {
            end++;
        }
        t.length = end - at;
        t.kind = ZW_TOKEN_NAME;
        if (t.length == 3 && memcmp(text + at, "and", 3) == 0) {
            t.kind = ZW_TOKEN_AND;
        } else if (t.length == 2 && memcmp(text + at, "or", 2) == 0) {
            t.kind = ZW_TOKEN_OR;
        } else if (t.length == 3 && memcmp(text + at, "not", 3) == 0) {
            t.kind = ZW_TOKEN_NOT;
        }
        return t;
    }
    switch (c) {
    case '+': t.kind = ZW_TOKEN_PLUS; break;
    case '-': t.kind = ZW_TOKEN_MINUS; break;
    case '*':
        if (d == '*') {
            zw_problem_set(problem, at, 2, "write ^ for powers: x^2", "'**' is not an operator");
            t.kind = ZW_TOKEN_BAD;
            t.length = 2;
            break;
        }
        t.kind = ZW_TOKEN_STAR;
        break;
    case '/': t.kind = ZW_TOKEN_SLASH; break;
    case '^': t.kind = ZW_TOKEN_HAT; break;
    case '(': t.kind = ZW_TOKEN_OPEN; break;
    case ')': t.kind = ZW_TOKEN_CLOSE; break;
    case '[': t.kind = ZW_TOKEN_SQUARE_OPEN; break;
    case ']': t.kind = ZW_TOKEN_SQUARE_CLOSE; break;
    case ',': t.kind = ZW_TOKEN_COMMA; break;
    case '.': t.kind = ZW_TOKEN_DOT; break;
    case '<':
    case '>':
        t.kind = c == '<' ? ZW_TOKEN_LT : ZW_TOKEN_GT;
        if (d == '=') {
            t.kind = c == '<' ? ZW_TOKEN_LE : ZW_TOKEN_GE;
            t.length = 2;
        }
        break;
    case '=':
        t.kind = ZW_TOKEN_ASSIGN;
        if (d == '=') {
            t.kind = ZW_TOKEN_EQ;
            t.length = 2;
        }
        break;
    case '!':
        if (d == '=') {
            t.kind = ZW_TOKEN_NE;
            t.length = 2;
            break;
        }
        return bad_character(text, n, at, problem);
    default: return bad_character(text, n, at, problem);
    }
    return t;
}

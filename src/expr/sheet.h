/* SPDX-License-Identifier: Apache-2.0
 * sheet.h: the inside of a sheet: which nodes are printed by name, and the three printers that ask for it.
 *
 * A node is `shared` when it is used more than once and long enough to be worth a name, or when brackets would nest too deep without
 * one. A sign is never shared: what is behind it is. Names are a PREFIX and a number; the prefix is one that no input has. */
#ifndef ZW_EXPR_SHEET_H
#define ZW_EXPR_SHEET_H

#include "expr/pool.h"

struct zw_sheet {
    zw_context    *context;
    const zw_pool *pool;
    zw_notation    as;
    zw_naming      naming; /* name NULL: none given */
    int            nroots;
    zw_node       *root;
    zw_node        last;   /* largest node reached */
    int           *number; /* [last + 1] k + 1 of shared[k]; 0: not shared */
    zw_node       *shared;
    int            nshared;
    char           prefix[8];
};

/* n by its parts although it may have a name: the definition of n */
void zw_sheet_text(const zw_sheet *s, zw_node n, zw_text *out);
void zw_sheet_latex(const zw_sheet *s, zw_node n, zw_text *out);
void zw_sheet_c(const zw_sheet *s, zw_node n, zw_text *out);

/* the name n is printed by; false when it has none. Inputs and shared nodes have one */
bool zw_sheet_name(const zw_sheet *s, zw_node n, zw_text *out);
/* input by the pool's name or the naming's */
const char *zw_sheet_input(const zw_sheet *s, int slot);

/* the functions that the C of the roots calls beside those of <math.h>, as static functions; nothing where none is called */
void zw_sheet_c_functions(const zw_sheet *s, zw_text *out);
/* a finite number as a C constant of type double */
void zw_c_number(zw_text *out, double value);

/* name as LaTeX: theta1 -> \theta_{1}, xdot -> \dot{x}, mass -> \mathit{mass}, x_left -> x_{\mathit{left}} */
void zw_latex_name(const char *name, zw_text *out);
void zw_latex_number(zw_text *out, double value);
/* a text of a model in text mode: # $ % & ~ _ ^ \ { } escaped */
void zw_latex_words(const char *text, zw_text *out);
/* root as lines of an aligned environment: a sum breaks before a sign ("\\", "&", "\quad") where a line gets wider than `width`, about as many
 * letters; `used` is how wide the left side is that stands before it */
void zw_sheet_latex_lines(const zw_sheet *s, int root, int used, int width, zw_text *out);
/* the same for a node with or without a name: a definition */
void zw_sheet_latex_shared_lines(const zw_sheet *s, int i, int used, int width, zw_text *out);
int  zw_latex_width(const char *latex); /* about as many letters */

#endif

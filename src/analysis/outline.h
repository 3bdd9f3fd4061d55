/* SPDX-License-Identifier: Apache-2.0
 * outline.h: the equations of one body as a list of headings, notes and equations, before anybody has decided how they look. */
#ifndef ZW_ANALYSIS_OUTLINE_H
#define ZW_ANALYSIS_OUTLINE_H

#include "analysis/equations.h"

typedef enum zw_line_kind {
    ZW_LINE_HEADING, /* words                                           */
    ZW_LINE_NOTE,    /* words                                           */
    ZW_LINE_EQUATION /* label: left = right, or label = right without left */
} zw_line_kind;

typedef struct zw_line {
    zw_line_kind kind;
    const char  *words; /* heading, note; equation: its label in text ("M[x,y]")    */
    const char  *latex; /* the same in LaTeX; NULL: words escaped. Label of a left side: "" */
    zw_node      left;  /* 0: the label stands there                                */
    zw_node      right;
} zw_line;

typedef struct zw_outline {
    const zw_model          *model;
    const char              *body;
    const zw_lagrangian_def *def;
    const zw_lagrange       *y;
    const zw_macmillan      *macmillan; /* NULL in the other forms */
    zw_form                  form;
    zw_arena                *arena;
    zw_line                 *line;
    int                      n, room;
    zw_status                status; /* the first failure; everything after it is dropped */
} zw_outline;

void zw_outline_add(zw_outline *o, zw_line line);
/* words and LaTeX by a format each; latex NULL: the words */
void        zw_outline_heading(zw_outline *o, const char *latex, const char *words);
void        zw_outline_note(zw_outline *o, const char *latex, const char *fmt, ...) ZW_PRINTF(3, 4);
const char *zw_outline_text(zw_outline *o, const char *fmt, ...) ZW_PRINTF(2, 3);       /* in the arena; "" when memory is out */
const char *zw_outline_latex_name(zw_outline *o, const char *fmt, ...) ZW_PRINTF(2, 3); /* a name, made by a format, as LaTeX */
zw_node     zw_outline_multiplier(zw_outline *o, int row);                              /* the input BODY.lambda_ROW */

/* fill an outline by form */
void zw_outline_multiplier_form(zw_outline *o);
void zw_outline_gauss_form(zw_outline *o);
void zw_outline_macmillan_form(zw_outline *o, bool pivoted, const char *where);

/* names of inputs without the body's: a zw_naming whose user is the outline */
const char *zw_outline_name(void *user, int slot);

/* parameters that the lines use, one name and value after the other; derived ones with their definition */
typedef struct zw_parameter_use {
    const char *name, *definition; /* definition NULL: a symbol of the equations */
    double      value;
    int         slot; /* -1: derived, substituted */
} zw_parameter_use;
zw_status zw_outline_parameters(const zw_outline *o, zw_parameter_use **list, int *n);

zw_status zw_outline_roots(zw_outline *o, zw_node **roots, int *n); /* left and right sides in order; in the arena */
zw_status zw_outline_print_text(zw_outline *o, zw_text *out);
zw_status zw_outline_print_latex(zw_outline *o, zw_text *out);
zw_status zw_outlines_print_c(zw_outline *o, int n, zw_text *out); /* one file with a function per body */

#endif

/* SPDX-License-Identifier: Apache-2.0
 * unilateral.h: one inequality f <= 0 of the model as a side: the gap g = -f >= 0, of the coordinates of a lagrangian body or of a point's place.
 *
 * Points are substituted: what is kept is g(u, t) of the body's own numbers u, differentiated exactly,
 *   rate  g' = N v + g_t      acceleration  g'' = N a + D
 * Inputs z of a side are u, what their rates are made of, and t: along a step they are known as functions of time, and g, g', g'' can be enclosed over
 * boxes of them. The same object is a constraint with one row, for as long as the contact lasts. */
#ifndef ZW_ROWS_UNILATERAL_H
#define ZW_ROWS_UNILATERAL_H

#include "model/model.h"
#include "zwang/system.h"

typedef struct zw_side zw_side;

typedef struct zw_side_look {
    double gap, rate;
    double drive;     /* g_t: rate at v = 0 */
    double size;      /* of the terms that the gap is made of: sum |dg/du u| + |dg/dt t|                */
    double rate_size; /* sum |N v| + |g_t|                                                              */
    double slope;     /* |N|                                                                             */
} zw_side_look;

/* the k-th point of the unilateral, or its coordinates (point < 0); part and index: where its body is in the system */
zw_status   zw_side_create(const zw_model *m, int unilateral, int point, const zw_part *part, int part_number, int index, zw_side **out);
void        zw_side_destroy(zw_side *s);
const char *zw_side_name(const zw_side *s);
const char *zw_side_text(const zw_side *s);
zw_where    zw_side_where(const zw_side *s);
bool        zw_side_moves(const zw_side *s); /* depends on time */
int         zw_side_columns(const zw_side *s);

zw_status zw_side_at(zw_side *s, const zw_system *y, const zw_state *x, zw_side_look *out); /* raises when g is not finite */
zw_status zw_side_row(zw_side *s, const zw_system *y, const zw_state *x, int64_t id, zw_rows *A);
zw_status zw_side_acceleration(zw_side *s, const zw_system *y, const zw_state *x, double *D);
/* e, or sqrt(1 - k); ZW_E_MODEL (raised) outside [0, 1] */
zw_status zw_side_restitution(zw_side *s, const zw_system *y, const zw_state *x, double *e);

/* ---- along a step */
int  zw_side_inputs(const zw_side *s);
int  zw_side_positions(const zw_side *s); /* the first of them are u, of which the rates are inputs too (or made of them) */
void zw_side_read(zw_side *s, const zw_system *y, const zw_state *x, double *z);
void zw_side_eval(zw_side *s, const double *z, double *gap, double *rate);
void zw_side_enclose(zw_side *s, const zw_interval *z, zw_interval *gap, zw_interval *rate);
void zw_side_enclose_bend(zw_side *s, const zw_interval *z, const zw_interval *dz, zw_interval *rate, zw_interval *bend);

extern const zw_constraint_ops zw_side_ops; /* self: a zw_side; g = 0 as an equation */

#endif

/* SPDX-License-Identifier: Apache-2.0
 * side.h: what may only be on one side: a gap g >= 0 with
 *   rate  g' = N v + g_t      acceleration  g'' = N a + D
 * Three kinds: an inequality of the model (unilateral.c), the limit of a joint (limit.c), a feature of two forms (feature.c).
 * Inputs z of a side are numbers that are known as functions of time along a step, t being the last; g, g', g'' can be enclosed over boxes of them.
 * A side is also a constraint with one row, g = 0, for as long as its contact lasts. */
#ifndef ZW_ROWS_SIDE_H
#define ZW_ROWS_SIDE_H

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

typedef struct zw_side_kind {
    void (*destroy)(zw_side *s);
    zw_status (*look)(zw_side *s, const zw_system *y, const zw_state *x, zw_side_look *out);
    zw_status (*row)(zw_side *s, const zw_system *y, const zw_state *x, int64_t id, zw_rows *A);
    zw_status (*acceleration)(zw_side *s, const zw_system *y, const zw_state *x, double *D); /* NULL: by differences of the rate */
    zw_status (*restitution)(zw_side *s, const zw_system *y, const zw_state *x, double *e);
    /* along a step */
    void (*read)(zw_side *s, const zw_system *y, const zw_state *x, double *z);
    void (*eval)(zw_side *s, const double *z, double *gap, double *rate);
    void (*enclose)(zw_side *s, const zw_interval *z, zw_interval *gap, zw_interval *rate);
    void (*enclose_bend)(zw_side *s, const zw_interval *z, const zw_interval *dz, zw_interval *rate, zw_interval *bend);
    /* the rest may be NULL */
    void (*rates)(zw_side *s, const zw_interval *z, zw_interval *dz); /* boxes of rates that follow from inputs; NULL: see positions */
    bool (*timed)(const zw_side *s, int input); /* an input that is a function of time alone, beside the last; NULL: none */
    zw_status (*still)(zw_side *s, const zw_system *y, const zw_state *x, double *b); /* level 2 of its row; NULL: -drive */
    /* a gap that is closed here: is it a contact? NULL: always */
    bool (*touches)(zw_side *s, const zw_system *y, const zw_state *x, const zw_side_look *at);
    /* how far inside its feature the contact is (positive), and the most that this changes per time; NULL: it has no end */
    void (*margin)(zw_side *s, const zw_system *y, const zw_state *x, double *margin, double *speed);
    zw_status (*angle)(zw_side *s, const zw_system *y, const zw_state *x, double *value); /* counted from the anchor; NULL: not an angle */
    /* the material point of one body that touches something at rest; NULL or false: it has none, and the law stick is refused (slide.h) */
    bool (*place)(const zw_side *s, const zw_system *y, zw_place *out);
} zw_side_kind;

struct zw_side {
    const zw_side_kind *kind;
    zw_context         *context;
    const zw_model     *model;
    char                name[96];
    const char         *text;   /* what holds */
    zw_where            at;     /* in the model */
    bool                moves;  /* depends on time */
    bool                partly; /* its gap may be negative away from its feature: only roots from above count */
    int                 pair;   /* number of the pair of forms that it belongs to; -1: none */
    int                 twin; /* how many sides on is the same gap with the other sign, 0: none: while one holds, the other says nothing */
    int                 blocks, columns;   /* most of its row */
    int                 inputs, positions; /* the first inputs are positions, followed by their rates where inputs = 2 positions + 1 */
    double              anchor;            /* an angle is counted from here, within half a turn: set at the start of each step */
    double             *around;            /* [nq + nv of the system] for differences, made when first needed */
};

void        zw_side_destroy(zw_side *s);
const char *zw_side_name(const zw_side *s);
const char *zw_side_text(const zw_side *s);
zw_where    zw_side_where(const zw_side *s);
bool        zw_side_moves(const zw_side *s); /* depends on time */
int         zw_side_columns(const zw_side *s);
int         zw_side_blocks(const zw_side *s);

/* raises when g is not finite. The gap of a feature that is closed, but not a contact here, is INFINITY */
zw_status zw_side_at(zw_side *s, const zw_system *y, const zw_state *x, zw_side_look *out);
zw_status zw_side_raw(zw_side *s, const zw_system *y, const zw_state *x, zw_side_look *out); /* the gap as a function, contact or not */
zw_status zw_side_row(zw_side *s, const zw_system *y, const zw_state *x, int64_t id, zw_rows *A);
zw_status zw_side_acceleration(zw_side *s, const zw_system *y, const zw_state *x, double *D);
/* e, or sqrt(1 - k); ZW_E_MODEL (raised) outside [0, 1] */
zw_status zw_side_restitution(zw_side *s, const zw_system *y, const zw_state *x, double *e);
/* e from a value of the model's restitution or loss at an impact */
zw_status zw_side_bounce(const zw_side *s, bool by_loss, double value, zw_where at, double t, double *e);

/* ---- along a step */
int  zw_side_inputs(const zw_side *s);
int  zw_side_positions(const zw_side *s);
void zw_side_read(zw_side *s, const zw_system *y, const zw_state *x, double *z);
void zw_side_eval(zw_side *s, const double *z, double *gap, double *rate);
void zw_side_enclose(zw_side *s, const zw_interval *z, zw_interval *gap, zw_interval *rate);
void zw_side_enclose_bend(zw_side *s, const zw_interval *z, const zw_interval *dz, zw_interval *rate, zw_interval *bend);

extern const zw_constraint_ops zw_side_ops; /* self: a zw_side; g = 0 as an equation */

/* row i of some rows of one tile each, times a vector; size: its terms added up without their signs */
double zw_side_row_times(const zw_rows *N, int i, const double *v, bool size);
double zw_side_row_square(const zw_rows *N, int i);         /* sum of its squares */
void   zw_side_row_put(const zw_rows *N, int i, double *v); /* into a vector of zeros */

#endif

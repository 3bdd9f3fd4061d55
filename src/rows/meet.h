/* SPDX-License-Identifier: Apache-2.0
 * meet.h: where bodies and obstacles meet at a state: pieces of bodies (parts/carrier.h), obstacles of the model at their time, the pairs that contact.pairs and
 * the joints leave, a broad phase of linear cost, and the points of contact with their rows. Unilateral expressions and joint limits near their bound are meetings
 * too, so that whoever steps over contacts sees one list.
 *
 *   gap rate   g' = N v + drift        N = n.(J_b - J_a) at the nearest points; drift: what a moving obstacle (or t) does alone
 *
 * Order and ids do not depend on history: ids are made of the pair and of the feature, the list is sorted by id. */
#ifndef ZW_ROWS_MEET_H
#define ZW_ROWS_MEET_H

#include "math/form.h"
#include "model/model.h"
#include "zwang/system.h"

typedef struct zw_meet zw_meet;

/* What meets: on each side a point or a line (with a radius), a plane, the rim of a drum, a hollow, a level of an expression, or the whole form. Kept in the axes
 * of the piece or obstacle, so that the gap of the same features is a smooth function of the state, and the row of a meeting is its exact gradient. */
typedef enum zw_feature_kind {
    ZW_FEATURE_WHOLE, /* the nearest points of the two forms, wherever they are     */
    ZW_FEATURE_POINT, /* p, radius                                                  */
    ZW_FEATURE_LINE,  /* through p along u, radius                                  */
    ZW_FEATURE_PLANE, /* through p, u outward                                       */
    ZW_FEATURE_RIM,   /* circle of the radius about p across u                      */
    ZW_FEATURE_HOLLOW_BALL,
    ZW_FEATURE_HOLLOW_DRUM, /* z is its axis                                        */
    ZW_FEATURE_LEVEL        /* gap = 0 of an obstacle's expression                  */
} zw_feature_kind;

typedef struct zw_feature {
    zw_feature_kind kind;
    int             number; /* corner, edge or face: part of the id */
    double          p[3], u[3], radius;
} zw_feature;

typedef struct zw_meeting {
    int64_t    id;          /* stable while pair and feature are the same                              */
    int        a, b;        /* pieces of the whole system; b < 0: obstacle -1 - b; a < 0: a side       */
    int        side;        /* >= 0: number of the system's side (expression, limit), no geometry then */
    zw_touch   touch;       /* n from a to b; gap also for sides                                       */
    double     drift;       /* m/s                                                                     */
    double     restitution; /* e of this pair here                                                     */
    double     friction;    /* mu                                                                      */
    zw_feature fa, fb;      /* what of a meets what of b                                               */
} zw_meeting;

/* Finds pieces, obstacles and pairs; *out is NULL where nothing can meet anything. Forms meet where the model has `contact:` or `obstacles:`; without them bodies pass
 * through each other. Pairs left out: those not in the list of contact.pairs, where there is one; bodies that a constraint joins (all of their pieces; springs join
 * nothing); pieces of one rigid body; links of one rod, unless contact.self is true: then those nearer along the rod, from end to end, than pi/2 diameters; obstacles
 * among themselves. Rods need a radius. Restitution (or loss) and friction are those of `contact:`, one for all pairs; default 1 and 0. */
zw_status zw_meet_create(zw_system *y, zw_meet **out);
void      zw_meet_destroy(zw_meet *s);
int       zw_meet_pieces(const zw_meet *s);
double    zw_meet_friction(const zw_meet *s); /* mu of the pairs of forms */
/* all meetings with gap <= margin at a state, up to 8 for two flat faces; valid until the next call. Grows its memory only when more are found than ever before */
zw_status zw_meet_find(zw_meet *s, const zw_state *x, double margin, int *n, const zw_meeting **out);
/* the same features at another state: their gaps again, without a search (for a solver that iterates on the end of its step) */
zw_status zw_meet_again(zw_meet *s, const zw_state *x, int n, const zw_meeting *from, zw_meeting *out);
/* appends one tile with one row: the gradient of the gap, tile id = m->id; blocks in rising columns */
zw_status zw_meet_row(zw_meet *s, const zw_state *x, const zw_meeting *m, zw_rows *N);
enum { ZW_MEET_ROW_BLOCKS = 4, ZW_MEET_ROW_VALUES = 24 }; /* most that a row takes; a side may take more: zw_meet_row_most */
void zw_meet_row_most(const zw_meet *s, int *blocks, int *values);
/* appends one tile with two rows: sliding along two directions across n (fixed by n alone); drift2: their rates from a moving obstacle */
zw_status zw_meet_slide(zw_meet *s, const zw_state *x, const zw_meeting *m, zw_rows *T, double drift2[2]);
/* "tug and floor", "vine.12 and vine.40", "wall.a": who meets */
void zw_meet_name(const zw_meet *s, const zw_meeting *m, char *out, size_t size);
/* raises where forms interpenetrate at the start by more than 1e-10 of their size and distance from the origin: who, where in the model file, how deep */
zw_status zw_meet_check_start(zw_meet *s, const zw_state *x);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * feature.h: forms that meet, as sides: every pair of forms that may meet gives the smooth gaps of its features,
 *
 *   corner (with a radius: ball, end of a stick, node of a rod) against face, edge, corner, rim, hollow ball, hollow drum; edge (also the side of a drum, a
 *   link of a rod) against edge; rim against face, edge, rim, hollow ball, hollow drum
 *
 * Each is a function of where two movers are (bodies, nodes of rods, obstacles), with constants of the feature: one compiled formula for each kind serves all.
 * The gap of a feature says something only where the nearest points lie inside the feature (zw_side_kind.touches, .margin); the distance of the whole pair is
 * what a step is first looked through with (events/advance.c).
 *
 *   feature.c           the side: numbers of a state, row, boxes
 *   feature_formula.c   the formulas
 *   feature_rim.c       the place on a rim that is nearest to a line
 *   feature_element.c   corners, edges and faces of a form
 *   feature_level.c     corners against levels of expressions
 *   feature_mover.c     movers, distance of a pair
 *   feature_pair.c      pairs and their features
 *   feature_inside.c    whether a closed gap is a contact, and how far from the end of its feature */
#ifndef ZW_ROWS_FEATURE_H
#define ZW_ROWS_FEATURE_H

#include "math/form.h"
#include "rows/side.h"

typedef struct zw_features zw_features;

/* NULL where nothing meets. Refuses what has too many features, with what to do instead */
zw_status zw_features_create(zw_system *y, const zw_model *m, zw_features **out);
void      zw_features_destroy(zw_features *f);
int       zw_features_count(const zw_features *f);
zw_side  *zw_features_side(zw_features *f, int i); /* the set owns them */

/* ---- pairs: sides of a pair are one behind the other */
int         zw_features_pairs(const zw_features *f);
const char *zw_features_pair_name(const zw_features *f, int pair);
zw_where    zw_features_pair_where(const zw_features *f, int pair);
void        zw_features_pair_movers(const zw_features *f, int pair, int mover[2]);
double      zw_features_pair_size(const zw_features *f, int pair); /* of its forms: what tolerances are measured by */

enum { ZW_MOVER_NUMBERS = 14 }; /* place (3), quaternion (4), velocity (3), angular velocity (3), space axes; half the length of a link */
int       zw_features_movers(const zw_features *f);
bool      zw_features_mover_timed(const zw_features *f, int mover); /* an obstacle that moves: its numbers are functions of time */
bool      zw_features_mover_rests(const zw_features *f, int mover);
zw_status zw_features_mover(zw_features *f, int mover, const zw_state *x, double *z); /* its numbers at a state */
bool      zw_features_pair_hollow(const zw_features *f, int pair);                    /* what is free is not the outside of a convex form */
/* a form behind the triangle of a mesh, which is felt from its front only */
bool zw_features_pair_behind(const zw_features *f, int pair, const double *a, const double *b);
/* b is the level of an expression: it has no distance below, but the least gap where the form reaches into it at a state; INFINITY: nowhere */
bool      zw_features_pair_level(const zw_features *f, int pair);
zw_status zw_features_level_gap(zw_features *f, int pair, const zw_state *x, double *gap);
/* how far apart the forms of a pair are, when their movers are at a and b; both reaches from the movers' places */
void zw_features_distance(zw_features *f, int pair, const double *a, const double *b, zw_touch *out, double reach[2]);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * along.h: equations that hold at every section of a rod, up to six of them: on a surface, unshearable, no sideways velocity, whatever a user writes.
 *
 *   holonomic      g(r, d, kappa, gamma, s, t) = 0         nonholonomic   f(r, d, kappa, gamma, v, w, s, t) = 0
 * Sections are the nodes; where strains occur, the middles of the links, with the frame half way along the link's helix. Each section is a tile of rows of its own:
 * thousands of them stay sparse. All derivatives are those of the expressions: with r' = v, d_i' = w x d_i, and the rates of the strains as inputs,
 *   level 1 = d g/dt,   A = d(level 1)/d(w, v, strain rates) times how those follow the velocities of the nodes,   D = d(level 1)/dt at constant velocities of the nodes.
 * Rows are scaled by one number per equation, so that the largest of their gradients at the start is 1: values are lengths then, as those of joints are. Multipliers that a user
 * reads are those of the equation as written, per label length. */
#ifndef ZW_ROWS_ALONG_H
#define ZW_ROWS_ALONG_H

#include "model/model.h"
#include "zwang/system.h"

struct zw_rods;

extern const zw_constraint_ops zw_along_ops, zw_along_exact_ops; /* exact: D is known in closed form */

bool zw_along_is(const zw_constraint *c);
/* ops, self, m and flags of the rows; x: the start of the rods. Refused: no section in the span, a gradient that vanishes, values that are not finite */
ZW_MUST_USE zw_status zw_along_create(const zw_model *m, const zw_along_def *def, struct zw_rods *rods, int part, int rod,
                                      const zw_state *x, zw_constraint *out);

int    zw_along_part(const void *self);
int    zw_along_rod(const void *self);   /* number among the rods of the part */
bool   zw_along_inner(const void *self); /* of strains alone */
int    zw_along_sections(const void *self);
int    zw_along_equations(const void *self);                   /* rows of a section */
int    zw_along_sides(const void *self);                       /* nodes that a section touches: 1, or 2 of a link */
int    zw_along_node(const void *self, int section, int side); /* counted in the part */
double zw_along_label(const void *self, int section);
double zw_along_weight(const void *self, int section); /* its share of the label length, m */
int    zw_along_nearest(const void *self, double s);   /* section */

/* one section alone, at a state of the rods (their slice). Rows act on (w, v) of the nodes in SPACE axes, [n][6 sides]; with levels as in zw_constraint_ops */
zw_status zw_along_values(void *self, int section, const zw_state *x, int level, double *c);
zw_status zw_along_rows(void *self, int section, const zw_state *x, double *rows);
/* derivative of sum_i force_i rows_i in small turns (space) and ways of the nodes: [6 sides][6 sides] */
zw_status zw_along_turns(void *self, int section, const zw_state *x, const double *force, double *K);

/* multipliers of the equations as written, per label length; lambda: of all rows of the constraint */
void zw_along_multiplier(const void *self, const double *lambda, int section, double *out);
/* moment and force, space axes: per label length at a section, about its place; section -1: the sum, with the moment about the first section's place */
zw_status zw_along_reaction(void *self, const zw_state *x, const double *lambda, int section, double wrench[6]);

#endif

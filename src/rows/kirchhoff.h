/* SPDX-License-Identifier: Apache-2.0
 * kirchhoff.h: strains of a rod that may not change, as rows along it: shear (unshearable), shear and stretch (inextensible).
 *
 * Per link one tile of 2 or 3 rows,   g_i = l (Gamma0_i - Gamma_i),   i = 1, 2 (shear along d1, d2), 3 (stretch),
 * with Gamma the SE(3)-log strain of rod_link.h. The multiplier is the force n_i that the section carries, in the directors as the elastic force of other rods
 * is: the rows act on the nodes as a stress n_i does. A section has no stiffness for a strain that is held. */
#ifndef ZW_ROWS_KIRCHHOFF_H
#define ZW_ROWS_KIRCHHOFF_H

#include "model/model.h"
#include "zwang/secant.h"
#include "zwang/system.h"

struct zw_rods;

extern const zw_constraint_ops zw_kirchhoff_ops;

bool zw_kirchhoff_wanted(const struct zw_rods *rods, int rod); /* does the rod hold any strain? */
/* ops, self and m of the rows of one rod; part: number of the population in the system. Refused: a start shape whose held strains are off by more than 5 % */
ZW_MUST_USE zw_status zw_kirchhoff_create(const zw_model *m, const zw_body_def *body, struct zw_rods *rods, int part, int rod,
                                          zw_constraint *out);
const char           *zw_kirchhoff_word(const struct zw_rods *rods, int rod); /* "unshearable", "inextensible" */

/* d^2(l kappa)/dt^2 and d^2(l Gamma)/dt^2 of a link while the velocities (Omega body, xdot) of its nodes stay */
void zw_link_second_rate(const double *qa, const double *qb, const double *va, const double *vb, double turn[3], double out[3]);

int    zw_kirchhoff_part(const void *self);
int    zw_kirchhoff_links(const void *self);
int    zw_kirchhoff_held(const void *self);                     /* rows per link: link k has rows held k .. */
int    zw_kirchhoff_rod(const void *self);                      /* number among the rods of the part        */
int    zw_kirchhoff_node(const void *self, int link, int side); /* of the part: near (0), far (1)           */
double zw_kirchhoff_length(const void *self, int link);         /* reference length, m                      */
double zw_kirchhoff_ease(const void *self, int link);           /* m/N: how little force moves a link: l^3 over its bending stiffness */

/* Over a whole step, as in bilinear.h: nodes before and after. The impulse of a row along mean does no work and has no moment */
void zw_kirchhoff_secant(const void *self, int link, const zw_secant_node a[2], const zw_secant_node b[2], double g[3], double mean[3][12],
                         double end[3][12]);
/* derivative of sum_i force_i mean_i in (eta, x) of both nodes at the end: 12 x 12 */
void zw_kirchhoff_turns(const void *self, int link, const zw_secant_node a[2], const zw_secant_node b[2], const double *force, double *K);

/* forces of the rows at a place, in the directors: what a section feels besides its elastic force; lambda: multipliers of the rows of this rod.
 * Like the elastic force it is taken from the two nearest links */
void zw_kirchhoff_force(const void *self, const zw_place *p, const double *lambda, double force[3]);

#endif

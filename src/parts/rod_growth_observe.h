/* SPDX-License-Identifier: Apache-2.0
 * rod_growth_observe.h: a rod in three configurations, by the names of the growing rod's paper: original (labels, s0), reference (grown and unloaded, s), current
 * (as it is, se). Discretely a link has a length in each of them: l0 of its labels, l, and the arc |u| of the helix between its nodes.
 *
 *   growth strain    eg = l/l0 - 1          (3)      elastic strain  ee = |u|/l - 1          (3)
 *   total strain     |u|/l0 - 1             (2)      which is ee + eg + ee eg                (4)
 *   bend-twist       w/l0, w/l, w/|u|       (5)      per original, reference, current length; the same components in the directors of both nodes
 *   shear angle      between d3 and the centre line, cos = (1 + g3)/|e3 + g|                (24)
 *   driving force    -dE/dl at fixed nodes = sigma.(w, u)/l - sigma.strain/2: what a longer link would be worth
 *   growth power     dE/dt at fixed nodes and velocities: sum of -l' times the driving force, -l m.kappa0' and l/2 e.C'e of the links, m'v^2/2 + Omega.J'Omega/2 - m'g.x of the nodes
 *   angular velocity Omega = Omega_g + Omega_e + Omega_r                                    (11)
 *       Omega_g = w_s s',  Omega_e = w_se se' at fixed s = w_se (D se/Dt) - Omega_g,  Omega_r the rest: what a section turns by at a fixed place se
 *       s and se are counted from the base (node 0), D/Dt is at a fixed label
 *   compatibility    residual of (19) at a link: what c w x (w x dOmega)/l is, the part of the rate of w that (19) over a link leaves out; second order in l */
#ifndef ZW_PARTS_ROD_GROWTH_OBSERVE_H
#define ZW_PARTS_ROD_GROWTH_OBSERVE_H

#include "parts/rod.h"

/* rates of what growth changes, for all links of a population; NULL: 0 */
typedef struct zw_rod_rates {
    const double *l;         /* [nlinks] m/s                                                    */
    const double *natural;   /* [6 nlinks] of (kappa0, Gamma0)                                   */
    const double *stiffness; /* [6 nlinks], or [36 nlinks] where the population has a coupling  */
    const double *mass;      /* [nnodes] kg/s                                                   */
    const double *inertia;   /* [9 nnodes] kg m^2/s, directors                                  */
} zw_rod_rates;

typedef struct zw_rod_lengths {
    double original, reference, current; /* m */
} zw_rod_lengths;

/* of the links of a rod at a state of the part, where x->w is the memory of its laws; nothing grows where that is not known (NULL) or the rod does not. Valid until the next call */
void   zw_rods_link_rates(const zw_rods *rods, int i_rod, const zw_state *x, zw_rod_rates *out); /* rod_growth_rates.c */
void   zw_rod_link_lengths(const zw_rods *rods, const zw_rod *r, int i_link, const double *q, zw_rod_lengths *out);
double zw_rod_shear_angle(const double Gamma[3]); /* rad; Gamma = e3 + g; 0 in pure compression and stretch */
double zw_rod_driving_force(const zw_rods *rods, const zw_rod *r, int i_link, const double *q);                 /* N */
double zw_rod_growth_power(const zw_rods *rods, const zw_rod *r, const zw_state *x, const zw_rod_rates *rates); /* W */
/* growth and elastic parts of the angular velocity of all nodes of a rod, in their directors: [3 nnodes] each, NULL: not wanted */
void zw_rod_spin_parts(const zw_rods *rods, const zw_rod *r, const zw_state *x, const zw_rod_rates *rates, double *growth, double *elastic);
/* rate of w of a link by (19), times l: Omega_b - Omega_a + w x (Omega_a + Omega_b)/2; left: what the exact rate has beyond it */
void zw_rod_link_turning(const zw_rods *rods, const zw_rod *r, int i_link, const zw_state *x, double rate[3], double left[3]);

/* fields of a rod beyond those of rod_observe.c, from 0; false past the end */
enum { ZW_ROD_GROWTH_FIELDS = 15 };
bool zw_rod_growth_field(const zw_rod *r, int i, zw_channel *out);
bool zw_rod_growth_field_of_balance(int i); /* zwang_time or zwang_space: zw_rods_zwang gives its value */
bool zw_rod_growth_field_is_time(int i);
bool zw_rod_growth_field_of_rates(int i); /* needs to know how fast the rod grows */
void zw_rod_growth_observe(const zw_rods *rods, const zw_rod *r, const zw_state *x, const zw_rod_rates *rates, int i, double *out);

#endif

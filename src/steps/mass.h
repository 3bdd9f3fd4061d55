/* SPDX-License-Identifier: Apache-2.0
 * mass.h: a mass metric that couples nothing beyond a block: its product and its inverse, for kicks and inner products. */
#ifndef ZW_STEPS_MASS_H
#define ZW_STEPS_MASS_H

#include "zwang/system.h"

typedef struct zw_mass_part {
    int    v0, n; /* columns */
    size_t at;    /* first number in m and inverse: n of them, or n/6 blocks of 6x6 */
    bool   diagonal;
} zw_mass_part;

typedef struct zw_mass {
    zw_context   *context;
    int           n, nparts;
    bool          diagonal; /* all of it: one part then */
    zw_mass_part *part;
    double       *m, *inverse;
} zw_mass;

/* false capability is an error: ZW_E_UNSUPPORTED when a part's mass couples its blocks */
zw_status zw_mass_create(zw_system *y, const zw_state *x, zw_mass *out);
void      zw_mass_update(zw_system *y, const zw_state *x, zw_mass *m); /* masses that grew: the same pattern, other numbers */
void      zw_mass_destroy(zw_mass *m);
void      zw_mass_multiply(const zw_mass *m, const double *v, double *p);                          /* p = M v                      */
void      zw_mass_solve(const zw_mass *m, const double *p, double *v);                             /* v = M^-1 p                   */
void      zw_mass_kick(const zw_mass *m, const double *v, double h, const double *f, double *out); /* out = v + h M^-1 f; may be v */

#endif

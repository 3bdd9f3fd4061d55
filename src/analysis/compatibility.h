/* SPDX-License-Identifier: Apache-2.0
 * compatibility.h: do bend-twist and angular velocity of a growing rod belong to one motion? Equation (19),
 *   d w/dt = d Omega/ds - w d(ds/dt)/ds - Omega x w     (rates and derivatives relative to the sections, d/dt at a fixed label),
 * of a link from three states at t - dt, t, t + dt: bend-twist w/l of their frames, its rate by the central difference, angular velocities of the middle one. Of second order in dt and in
 * the length of links. A run whose spins do not belong to its frames, or whose lengths do not grow as they are said to, shows here. */
#ifndef ZW_ANALYSIS_COMPATIBILITY_H
#define ZW_ANALYSIS_COMPATIBILITY_H

#include "parts/rod.h"

typedef struct zw_compatibility_frames {
    double        dt;
    const double *q[3]; /* of the population, at t - dt, t, t + dt */
    const double *l[3]; /* [nlinks of the population] reference lengths then */
    const double *v;    /* of the population, at t */
} zw_compatibility_frames;

/* left side minus right side of every link of a rod, directors, rad/(m s): [3 nlinks]; size [nlinks]: its terms added up in size, NULL: not wanted */
void zw_compatibility_residual(const zw_rods *rods, const zw_rod *r, const zw_compatibility_frames *frames, double *out, double *size);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * limit.h: the largest stable explicit step, 2/omega_max, by Lanczos on the linearised system. */
#ifndef ZW_STEPS_LIMIT_H
#define ZW_STEPS_LIMIT_H

#include "steps/mass.h"

/* length: the least element length, which scales the differences; *limit 0: nothing vibrates */
zw_status zw_lanczos_limit(zw_system *y, const zw_mass *mass, const zw_state *x, double length, double *limit);

#endif

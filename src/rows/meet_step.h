/* SPDX-License-Identifier: Apache-2.0
 * meet_step.h: what stepping over contacts asks of meetings besides: how far pieces come in a step, and gaps that a solver can follow. */
#ifndef ZW_ROWS_MEET_STEP_H
#define ZW_ROWS_MEET_STEP_H

#include "rows/meet.h"

/* meet_travel.c: largest speed of a point of any piece, m/s, and largest reach of a piece, m */
void zw_meet_speed(const zw_meet *s, const zw_state *x, double *speed, double *reach);
/* meet_freeze.c: changes features and id of a meeting found at x where its gap jumps; *changed: it did. all: also of forms that meet as a whole and are no sticks:
 * the nearest point of a, against the plane across n at the nearest point of b. That keeps more room than there is where b is round, by the square of what slides
 * over its radius */
zw_status zw_meet_freeze(zw_meet *s, const zw_state *x, bool all, zw_meeting *m, bool *changed);
/* meet_cross.c: did sticks (links, capsules, cylinders) go through each other on straight ways from x0 to x1? who: two of them, for zw_meet_name. Lost is what was found last */
zw_status zw_meet_crossing(zw_meet *s, const zw_state *x0, const zw_state *x1, bool *out, zw_meeting *who);

#endif

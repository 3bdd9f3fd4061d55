/* SPDX-License-Identifier: Apache-2.0
 * meet_pace.h: how fast anything that can meet moves at a state: two of them come nearer by at most twice that; and how far two bodies slide past each other
 * between two states. */
#ifndef ZW_ROWS_MEET_PACE_H
#define ZW_ROWS_MEET_PACE_H

#include "rows/meet.h"

/* speed: of the fastest point of a piece or obstacle, and rate of the fastest side; size: largest distance of a point of a piece from the origin of space,
 * which round-off of gaps is measured by */
zw_status zw_meet_pace(zw_meet *s, const zw_state *x, double *speed, double *size);
/* how far the material points that meet at x0 are from each other at x1, along the two directions of zw_meet_slide */
zw_status zw_meet_slip(zw_meet *s, const zw_state *x0, const zw_state *x1, const zw_meeting *m, double d[2]);

#endif

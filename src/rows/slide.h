/* SPDX-License-Identifier: Apache-2.0
 * slide.h: what keeps a contact from sliding (contact.law: stick): the velocity of the point that touches, across the normal of its gap, is 0. Rows of the
 * velocities alone, beside the row of the gap:  t'v_point = 0  for two directions t across n, one where the body moves in a plane. */
#ifndef ZW_ROWS_SLIDE_H
#define ZW_ROWS_SLIDE_H

#include "rows/side.h"

typedef struct zw_slide zw_slide;

/* raises where the side has no material point that could stick; x: the start */
zw_status zw_slide_create(zw_side *side, zw_system *y, const zw_state *x, zw_slide **out);
void      zw_slide_destroy(zw_slide *s);
int       zw_slide_rows(const zw_slide *s); /* 0, 1, 2 */

extern const zw_constraint_ops zw_slide_ops; /* self: a zw_slide, which the constraint does not own */

#endif

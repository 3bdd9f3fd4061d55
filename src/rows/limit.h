/* SPDX-License-Identifier: Apache-2.0
 * limit.h: the stops of a hinge or slider as sides: angle or way counted from the start, low <= value <= high. */
#ifndef ZW_ROWS_LIMIT_H
#define ZW_ROWS_LIMIT_H

#include "rows/side.h"

/* joint: a bound zw_joint of rows/joint.h. Sides 0 (least) and 1 (largest); refuses joints with a motion of their own */
zw_status zw_limit_create(const zw_model *m, const zw_constraint_def *def, void *joint, int which, zw_side **out);

#endif

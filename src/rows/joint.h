/* SPDX-License-Identifier: Apache-2.0
 * joint.h: clamps, balls and fixed joints, to ground or between two places: one kind of row for all. */
#ifndef ZW_ROWS_JOINT_H
#define ZW_ROWS_JOINT_H

#include "model/model.h"
#include "zwang/system.h"

extern const zw_constraint_ops zw_joint_ops;

/* a and b are bound places (b NULL: ground); x is the start state, whose relative frame is kept */
zw_status zw_joint_create(const zw_model *m, const zw_constraint_def *def, const zw_system *y, const zw_state *x, const zw_place *a,
                          const zw_place *b, void **out);
bool      zw_joint_moves(const void *self); /* does it depend on time? */

#endif

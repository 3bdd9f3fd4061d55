/* SPDX-License-Identifier: Apache-2.0
 * meeting.c: contact geometry of a system: its model, its parts and its sides handed to rows/meet.h. */
#include "system/system.h"

#include "rows/meet_part.h"

zw_status zw_meet_create(zw_system *y, zw_meet **out) {
    return zw_meet_build(y, y->model, y->nsides, y->side, out);
}

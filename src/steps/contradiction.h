/* SPDX-License-Identifier: Apache-2.0
 * contradiction.h: rows that cannot hold together at a state: a clamp off a surface, two surfaces that do not meet. */
#ifndef ZW_STEPS_CONTRADICTION_H
#define ZW_STEPS_CONTRADICTION_H

#include "zwang/system.h"

/* Small ways along which all rows with a position level would close, A x = -g, by least squares. *row: that of which most is left then, -1: they can all be closed; *left: its value */
zw_status zw_rows_contradict(zw_system *y, const zw_state *x, int *row, double *left);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * unilateral.h: one inequality f <= 0 of the model as a side: the gap g = -f >= 0, of the coordinates of a lagrangian body or of a point's place.
 *
 * Points are substituted: what is kept is g(u, t) of the body's own numbers u, differentiated exactly. Inputs are u, what their rates are made of, and t. */
#ifndef ZW_ROWS_UNILATERAL_H
#define ZW_ROWS_UNILATERAL_H

#include "rows/side.h"

/* the k-th point of the unilateral, or its coordinates (point < 0); part and index: where its body is in the system */
zw_status zw_side_create(const zw_model *m, int unilateral, int point, const zw_part *part, int part_number, int index, zw_side **out);

#endif

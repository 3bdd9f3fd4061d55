/* SPDX-License-Identifier: Apache-2.0
 * lagrange_row.h: the equations between coordinates and velocities of a lagrangian body as rows: one constraint per equation. */
#ifndef ZW_ROWS_LAGRANGE_ROW_H
#define ZW_ROWS_LAGRANGE_ROW_H

#include "parts/lagrangian.h"

extern const zw_constraint_ops zw_lagrange_row_ops;

/* row number `row` of a body that is part number `part` of the system; sets velocity_only, nonlinear, moves of *out, and its ops and self */
zw_status zw_lagrange_row_create(zw_context *c, zw_lagrangian *L, int part, int row, zw_constraint *out);

#endif

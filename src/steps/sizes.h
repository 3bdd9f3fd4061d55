/* SPDX-License-Identifier: Apache-2.0
 * sizes.h: what the terms of rows add up to, by which round-off is told from more. */
#ifndef ZW_STEPS_SIZES_H
#define ZW_STEPS_SIZES_H

#include "zwang/project.h"

/* size[row] = sum_j |A_ij x_j| */
void zw_row_sizes(const zw_rows *A, const double *x, double *size);

#endif

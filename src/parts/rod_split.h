/* SPDX-License-Identifier: Apache-2.0
 * rod_split.h: rods on a finer mesh. See system/split.h. */
#ifndef ZW_PARTS_ROD_SPLIT_H
#define ZW_PARTS_ROD_SPLIT_H

#include "parts/rod.h"

int zw_rod_split_parts(const zw_rods *rods, int i_rod, int i_link,
                       const zw_state *x); /* into how many equal parts a link is to be split: 1, 2, 4, .. */
/* is the node at the far end of a link to be left out? Where a rod is drawn in, and what is left of the link at the mouth goes with its neighbour into one that need not be split */
bool zw_rod_joins(const zw_rods *rods, int i_rod, int i_link, const zw_state *x);
/* state and memory of laws of `from` into those of `to`, whose links are parts of those of `from`, or some of those joined; before and share: scratch for the links of a rod of `to` */
void zw_rods_carry_over(const zw_rods *from, const zw_state *x0, const double *memory0, const zw_rods *to, zw_state *x1, double *memory1,
                        int *before, double *share);

#endif

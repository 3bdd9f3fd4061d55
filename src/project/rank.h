/* SPDX-License-Identifier: Apache-2.0
 * rank.h: what redundant rows ask for: the null space of A' and the multiplier of least norm. */
#ifndef ZW_PROJECT_RANK_H
#define ZW_PROJECT_RANK_H

#include "project/component.h"

double zw_rank_tolerance(int m);            /* pivots of the scaled S up to this mean dependence */
void   zw_rank_null_space(zw_component *k); /* dense: fills k->z after a factorisation */
/* v in the order of elimination, unscaled: takes out its part in the null space of S; work has 5 m entries */
void zw_rank_least_norm(const zw_component *k, double *v, double *work);

#endif

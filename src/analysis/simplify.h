/* SPDX-License-Identifier: Apache-2.0
 * simplify.h: the little algebra that printed equations need beyond what the pool does when it builds nodes. */
#ifndef ZW_ANALYSIS_SIMPLIFY_H
#define ZW_ANALYSIS_SIMPLIFY_H

#include "expr/expr.h"

/* a/b with the factors that both have taken away: 2*y*r/(2*x*r) is y/x */
zw_node zw_simplify_ratio(zw_pool *p, zw_node a, zw_node b);
/* 0 where n vanishes identically, else n; 0 as a node number is memory. Decided by values: see simplify.c */
zw_node zw_simplify_zero(zw_pool *p, zw_node n);

#endif

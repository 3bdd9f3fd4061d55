/* SPDX-License-Identifier: Apache-2.0
 * order.h: a fill-reducing elimination order for a symmetric pattern. */
#ifndef ZW_PROJECT_ORDER_H
#define ZW_PROJECT_ORDER_H

#include "base/context.h"

/* order[k] = node eliminated k-th. The graph is symmetric without self loops: neighbours of i are adj[start[i] .. start[i+1]-1], each once.
 * Chains and trees come out without fill; ties go to the same node on every machine. */
ZW_MUST_USE zw_status zw_order_minimum_degree(zw_context *c, int n, const int *start, const int *adj, int *order);

#endif

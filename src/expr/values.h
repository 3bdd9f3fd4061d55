/* SPDX-License-Identifier: Apache-2.0
 * values.h: the values of the nodes of a growing pool at one point, each worked out once. A tape is for one expression at many points; this
 * is for many expressions at one point, where they build on each other and a tape for each would do the work of the others again.
 * One input may be varied for a moment. An input can be marked as not known: then every value that uses it is not known either. */
#ifndef ZW_EXPR_VALUES_H
#define ZW_EXPR_VALUES_H

#include "expr/expr.h"

typedef struct zw_values {
    zw_pool *pool;
    double  *in; /* one per input of the pool; 0 until set */
    uint8_t *unknown_in;
    int      inputs, input_room;
    double  *v; /* of the nodes below `nodes` */
    uint8_t *unknown;
    uint8_t *mark; /* all 0 between calls */
    int      nodes, room;
    zw_node *list;
    int      list_room;
} zw_values;

void      zw_values_init(zw_values *s, zw_pool *p);
void      zw_values_destroy(zw_values *s);
zw_status zw_values_inputs(zw_values *s);                                  /* makes in[] as long as the pool has inputs */
zw_status zw_values_set(zw_values *s, int slot, double value, bool known); /* before a value that uses the input is asked for */
zw_status zw_values_known(zw_values *s, zw_node n, bool *known);           /* false when it uses an input that is not known */
zw_status zw_values_get(zw_values *s, zw_node n, double *value);
zw_status zw_values_with(zw_values *s, zw_node n, int slot, double at, double *value); /* with in[slot] = at, which then is what it was */

#endif

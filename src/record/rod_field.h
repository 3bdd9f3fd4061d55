/* SPDX-License-Identifier: Apache-2.0
 * rod_field.h: what the name of a recorded array of a rod, "rod/NAME/FIELD", tells of it. */
#ifndef ZW_RECORD_ROD_FIELD_H
#define ZW_RECORD_ROD_FIELD_H

#include <stdbool.h>
#include <stddef.h>

const char *zw_rod_field(const char *channel, char *name,
                         size_t size); /* FIELD, and NAME into name; NULL: something else than an array of a rod */
/* do its rows belong to nodes? By their number, and by the name where a ring has as many links; false: to links, when there are as many of those */
bool zw_rod_field_of_nodes(const char *field, int rows, int nodes, bool closed);
bool zw_rod_field_in_directors(const char *field); /* where it has three components: along d1, d2, d3; false: in space */

#endif

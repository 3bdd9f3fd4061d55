/* SPDX-License-Identifier: Apache-2.0
 * names.h: which number a name has. Names are numbered 0, 1, 2, ... in the order in which they come and are found by their hash, so that
 * a file with thousands of them is read in a time that grows with its length. The texts stay with the caller. */
#ifndef ZW_BASE_NAMES_H
#define ZW_BASE_NAMES_H

#include "base/context.h"

typedef struct zw_names {
    zw_context  *context;
    const char **name; /* not copied: they must outlive the list */
    int         *next; /* chain of the hash table: number + 1; 0: its end */
    int          n, room;
    int         *bucket;  /* number + 1 */
    int          buckets; /* a power of two, or 0 */
} zw_names;

void zw_names_init(zw_names *l, zw_context *c);
void zw_names_destroy(zw_names *l);
int  zw_names_find(const zw_names *l, const char *name);             /* its number; -1: it is not there */
int  zw_names_find_n(const zw_names *l, const char *name, size_t n); /* the first n bytes of a text */
int  zw_names_add(zw_names *l, const char *name);                    /* a name that is not there yet; its number; -1 when memory is out */

#endif

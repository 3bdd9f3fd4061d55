/* SPDX-License-Identifier: Apache-2.0
 * arena.h: memory that dies together. Blocks never move; nothing is freed one by one; mark and release serve scratch.
 * Under AddressSanitizer released memory is poisoned. */
#ifndef ZW_BASE_ARENA_H
#define ZW_BASE_ARENA_H

#include "base/context.h"

typedef struct zw_arena_block zw_arena_block;
typedef struct zw_arena {
    zw_context     *context;
    zw_arena_block *block; /* the one being filled; older ones behind it */
    size_t          peak;  /* most bytes ever in use */
    size_t          used;
} zw_arena;
typedef struct zw_arena_mark {
    zw_arena_block *block;
    size_t          fill, used;
} zw_arena_mark;

void          zw_arena_init(zw_arena *a, zw_context *c);
void         *zw_arena_alloc(zw_arena *a, size_t count, size_t size, const char *what); /* zeroed, 64-byte aligned; NULL after raising */
char         *zw_arena_strdup(zw_arena *a, const char *text);
char         *zw_arena_strndup(zw_arena *a, const char *text, size_t n);
zw_arena_mark zw_arena_mark_now(const zw_arena *a);
void          zw_arena_release(zw_arena *a, zw_arena_mark mark); /* everything allocated since the mark is gone */
void          zw_arena_destroy(zw_arena *a);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * starve.h: memory that runs out after a given number of allocations, so that every one of them fails once. */
#ifndef ZW_TESTS_STARVE_H
#define ZW_TESTS_STARVE_H

#include "zwang/base.h"

#include <stdlib.h>

typedef struct starved {
    int left;
} starved;

static inline void *starving_realloc(void *user, void *p, size_t size) {
    starved *s = user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return s->left-- > 0 ? realloc(p, size) : NULL;
}

/* a context whose memory runs out; NULL when already the context does not get enough */
static inline zw_context *starving_context(starved *s) {
    zw_context_def def = zw_context_def_default();
    zw_context    *c = NULL;
    def.realloc = starving_realloc;
    def.realloc_user = s;
    return zw_context_create(&def, &c) == ZW_OK ? c : NULL;
}

#endif

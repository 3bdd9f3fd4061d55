/* SPDX-License-Identifier: Apache-2.0
 * context.h: what the rooms of the library use of the context: memory, errors, log. Public face: zwang/base.h. */
#ifndef ZW_BASE_CONTEXT_H
#define ZW_BASE_CONTEXT_H

#include "zwang/base.h"

/* memory: everything goes through the context; a failed call has already raised ZW_E_MEMORY with the size and what for */
void *zw_alloc(zw_context *c, size_t count, size_t size, const char *what); /* zeroed; count*size checked; count 0 gives a valid block */
void *zw_resize(zw_context *c, void *p, size_t count, size_t size, const char *what); /* new bytes not zeroed; p stays valid on failure */
void  zw_free(zw_context *c, void *p);                                                /* NULL is legal */
char *zw_strdup(zw_context *c, const char *text);
char *zw_strndup(zw_context *c, const char *text, size_t n);

/* errors: zw_raise records and returns the code, so that `return zw_raise(...)` reads as one sentence.
 * remedy may be NULL. Numbers in messages: use %s with zw_number_text for doubles where the locale must not matter. */
#define zw_raise(c, code, subject, remedy, ...) zw_raise_in((c), (code), __func__, (subject), (remedy), __VA_ARGS__)
zw_status zw_raise_in(zw_context *c, zw_status code, const char *where, const char *subject, const char *remedy, const char *fmt, ...)
    ZW_PRINTF(6, 7);
zw_error *zw_error_last(zw_context *c); /* the newest, to add file:line:col and excerpt; NULL when there is none */

void zw_log(zw_context *c, zw_log_level level, const char *fmt, ...) ZW_PRINTF(3, 4);

/* pass a failure on */
#define ZW_TRY(expr)                       \
    do {                                   \
        zw_status zw_try_status_ = (expr); \
        if (zw_try_status_ != ZW_OK) {     \
            return zw_try_status_;         \
        }                                  \
    } while (0)

/* pass a failure on after cleaning up at a label; needs a variable `status` */
#define ZW_TRY_GOTO(expr, label) \
    do {                         \
        status = (expr);         \
        if (status != ZW_OK) {   \
            goto label;          \
        }                        \
    } while (0)

#endif

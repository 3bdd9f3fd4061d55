/* SPDX-License-Identifier: Apache-2.0
 * issues.h: what is wrong with a model, gathered while reading and raised at the end in the order of the file.
 * Reading never stops at the first mistake, so that one look shows them all. */
#ifndef ZW_MODEL_ISSUES_H
#define ZW_MODEL_ISSUES_H

#include "model/model.h"

enum { ZW_ISSUES_MAX = 200 }; /* more than anybody reads; the rest is counted */

/* where a piece of YAML comes from: the model file, or one --set */
typedef struct zw_source {
    const char *name, *text;
    size_t      size;
} zw_source;

static inline zw_where zw_nowhere(void) {
    return (zw_where){0, 0};
}

typedef struct zw_issue {
    struct zw_issue *next;
    int              order;
    zw_error         error;
} zw_issue;

typedef struct zw_issues {
    zw_context *context;
    zw_arena   *arena;
    zw_issue   *first, *last;
    int         count, left_out;
    bool        memory; /* memory ran out; that error is in the context already */
} zw_issues;

/* what is added now is counted and not shown: nobody need work out where it stands or what was meant */
static inline bool zw_issues_full(const zw_issues *list) {
    return list->count >= ZW_ISSUES_MAX;
}

void zw_issues_init(zw_issues *list, zw_arena *arena);
#define zw_issue_add(list, code, source, at, subject, remedy, ...) \
    zw_issue_add_in((list), (code), __func__, (source), (at), (subject), (remedy), __VA_ARGS__)
void zw_issue_add_in(zw_issues *list, zw_status code, const char *func, const zw_source *source, zw_where at, const char *subject,
                     const char *remedy, const char *fmt, ...) ZW_PRINTF(8, 9);
/* raises all of them, sorted by place; ZW_OK when there are none, ZW_E_UNSUPPORTED when every one is of that kind, ZW_E_MODEL otherwise */
zw_status zw_issues_raise(zw_issues *list);

/* the line of the source for an excerpt, control characters as blanks; "" when the column lies beyond what fits */
void zw_source_excerpt(const zw_source *source, zw_where at, char *out, size_t size);
/* start of line `line` (1-based) with libyaml's idea of a line break; NULL when there is none */
const char *zw_source_line(const zw_source *source, int line, size_t *length);

#endif

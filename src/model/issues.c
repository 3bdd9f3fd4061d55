/* SPDX-License-Identifier: Apache-2.0
 * issues.c: the list of mistakes of one model file. Each becomes a zw_error with file, line, column (in characters), key path,
 * message, remedy and source line. */
#include "model/issues.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void zw_issues_init(zw_issues *list, zw_arena *arena) {
    memset(list, 0, sizeof *list);
    list->arena = arena;
    list->context = arena->context;
}

/* bytes of the line break at p: \n, \r, \r\n, NEL, LS, PS; 0 when there is none. The same set as libyaml, so that line numbers agree. */
static size_t line_break(const char *p, const char *end) {
    const unsigned char *u = (const unsigned char *)p;
    size_t               left = (size_t)(end - p);
    if (left == 0) {
        return 0;
    }
    if (u[0] == '\r') {
        return left > 1 && u[1] == '\n' ? 2 : 1;
    }
    if (u[0] == '\n') {
        return 1;
    }
    if (left > 1 && u[0] == 0xC2 && u[1] == 0x85) {
        return 2;
    }
    if (left > 2 && u[0] == 0xE2 && u[1] == 0x80 && (u[2] == 0xA8 || u[2] == 0xA9)) {
        return 3;
    }
    return 0;
}

const char *zw_source_line(const zw_source *source, int line, size_t *length) {
    const char *p = source->text, *end = p + source->size;
    for (int i = 1; p < end || i == line; i++) {
        const char *start = p;
        while (p < end && line_break(p, end) == 0) {
            p++;
        }
        if (i == line) {
            *length = (size_t)(p - start);
            return start;
        }
        p += line_break(p, end);
    }
    return NULL;
}

void zw_source_excerpt(const zw_source *source, zw_where at, char *out, size_t size) {
    size_t      n = 0, used = 0;
    int         column = 0;
    const char *line = NULL;
    out[0] = 0;
    if (source == NULL || source->text == NULL || at.line < 1) {
        return;
    }
    line = zw_source_line(source, at.line, &n);
    if (line == NULL) {
        return;
    }
    if (at.line == 1 && n >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
        line += 3;
        n -= 3;
    }
    while (used < n && used + 1 < size) {
        unsigned char u = (unsigned char)line[used];
        out[used++] = u < 0x20 || u == 0x7f ? ' ' : (char)u;
        column += (u & 0xC0) != 0x80;
    }
    if (used < n) { /* cut between characters */
        while (used > 0 && ((unsigned char)line[used] & 0xC0) == 0x80) {
            used--;
        }
        if (column <= at.col) {
            used = 0; /* a caret would point past the text */
        }
    }
    out[used] = 0;
}

void zw_issue_add_in(zw_issues *list, zw_status code, const char *func, const zw_source *source, zw_where at, const char *subject,
                     const char *remedy, const char *fmt, ...) {
    if (code == ZW_E_MEMORY) {
        list->memory = true;
        return;
    }
    if (list->count >= ZW_ISSUES_MAX) {
        list->left_out++;
        return;
    }
    zw_issue *issue = zw_arena_alloc(list->arena, 1, sizeof *issue, "an error message");
    if (issue == NULL) {
        list->memory = true;
        return;
    }
    zw_error *e = &issue->error;
    va_list   args;
    issue->order = list->count++;
    e->code = code;
    e->line = at.line;
    e->col = at.col;
    e->where = func;
    snprintf(e->subject, sizeof e->subject, "%s", subject ? subject : "");
    snprintf(e->remedy, sizeof e->remedy, "%s", remedy ? remedy : "");
    snprintf(e->file, sizeof e->file, "%s", source && source->name ? source->name : "");
    va_start(args, fmt);
    vsnprintf(e->message, sizeof e->message, fmt, args);
    va_end(args);
    zw_source_excerpt(source, at, e->excerpt, sizeof e->excerpt);
    if (list->last) {
        list->last->next = issue;
    } else {
        list->first = issue;
    }
    list->last = issue;
}

static int by_place(const void *left, const void *right) {
    const zw_issue *a = *(const zw_issue *const *)left, *b = *(const zw_issue *const *)right;
    if (a->error.line != b->error.line) {
        return a->error.line < b->error.line ? -1 : 1;
    }
    if (a->error.col != b->error.col) {
        return a->error.col < b->error.col ? -1 : 1;
    }
    return a->order < b->order ? -1 : 1;
}

zw_status zw_issues_raise(zw_issues *list) {
    zw_status code = ZW_E_UNSUPPORTED;
    if (list->memory) {
        return ZW_E_MEMORY;
    }
    if (list->count == 0) {
        return ZW_OK;
    }
    zw_issue **sorted = zw_arena_alloc(list->arena, (size_t)list->count, sizeof(zw_issue *), "error messages");
    if (sorted == NULL) {
        return ZW_E_MEMORY;
    }
    int n = 0;
    for (zw_issue *i = list->first; i; i = i->next) {
        sorted[n++] = i;
    }
    qsort(sorted, (size_t)n, sizeof *sorted, by_place);
    for (int i = 0; i < n; i++) {
        const zw_error *e = &sorted[i]->error;
        zw_raise_in(list->context, e->code, e->where, e->subject, e->remedy[0] ? e->remedy : NULL, "%s", e->message);
        zw_error *raised = zw_error_last(list->context);
        if (raised) {
            memcpy(raised->file, e->file, sizeof raised->file);
            memcpy(raised->excerpt, e->excerpt, sizeof raised->excerpt);
            raised->line = e->line;
            raised->col = e->col;
        }
        if (e->code != ZW_E_UNSUPPORTED) {
            code = e->code == ZW_E_NO_INPUT || e->code == ZW_E_IO ? e->code : ZW_E_MODEL;
        }
    }
    if (list->left_out > 0) {
        zw_raise(list->context, ZW_E_MODEL, sorted[0]->error.file, "repair these first", "%d more errors are not shown", list->left_out);
    }
    return code;
}

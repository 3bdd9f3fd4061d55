/* SPDX-License-Identifier: Apache-2.0
 * context.c: the context: allocator, log sink, cancel flag, and the list of errors.
 *
 * Errors live in chunks that never move, so a zw_error pointer stays good until the list is cleared. The list is
 *     kept[0..n)  then  spare (when used)  then  closing (when errors were dropped),
 * where `spare` is a slot inside the context for the error that finds no memory to be stored in (above all the report
 * that memory ran out), and `closing` says how many more errors there were beyond the cap of ERRORS_KEPT. */
#include "base/context.h"

#include "base/number.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a signal handler may only touch lock-free atomics */
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "zw_context_cancel must be safe in a signal handler");

enum { ERRORS_PER_CHUNK = 20, ERROR_CHUNKS = 50, ERRORS_KEPT = ERRORS_PER_CHUNK * ERROR_CHUNKS, LOG_TEXT = 1024 };
_Static_assert(ERRORS_KEPT == 1000, "the documented cap on errors");

struct zw_context {
    zw_realloc_fn realloc;
    void         *realloc_user;
    zw_log_fn     log;
    void         *log_user;
    int           threads;
    atomic_int    cancelled;

    zw_error *chunk[ERROR_CHUNKS];
    int       n_kept;
    bool      spare_used;
    int       n_dropped;
    zw_error  spare;
    zw_error  closing;
    zw_error  dropped; /* the newest error that was not kept, so that zw_error_last has something to annotate */
};

static void *c_realloc(void *user, void *p, size_t size) {
    (void)user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, size);
}

zw_context_def zw_context_def_default(void) {
    zw_context_def def = {
        .size = sizeof(zw_context_def), .realloc = NULL, .realloc_user = NULL, .log = NULL, .log_user = NULL, .threads = 0};
    return def;
}

zw_status zw_context_create(const zw_context_def *def, zw_context **out) {
    if (!out) {
        return ZW_E_ARG;
    }
    *out = NULL;
    zw_context_def d = zw_context_def_default();
    if (def) {
        /* a caller built against an older, shorter def leaves the newer fields at their defaults */
        if (def->size < sizeof def->size || def->size > sizeof d) {
            return ZW_E_ARG;
        }
        memcpy(&d, def, def->size);
    }
    if (d.threads < 0) {
        return ZW_E_ARG;
    }
    zw_realloc_fn grow = d.realloc ? d.realloc : c_realloc;
    zw_context   *c = grow(d.realloc_user, NULL, sizeof *c);
    if (!c) {
        return ZW_E_MEMORY;
    }
    memset(c, 0, sizeof *c);
    c->realloc = grow;
    c->realloc_user = d.realloc_user;
    c->log = d.log;
    c->log_user = d.log_user;
    c->threads = d.threads > 0 ? d.threads : 1;
    atomic_init(&c->cancelled, 0);
    *out = c;
    return ZW_OK;
}

void zw_context_destroy(zw_context *c) {
    if (!c) {
        return;
    }
    for (int i = 0; i < ERROR_CHUNKS; i++) {
        zw_free(c, c->chunk[i]);
    }
    c->realloc(c->realloc_user, c, 0);
}

void zw_context_cancel(zw_context *c) {
    if (c) {
        atomic_store_explicit(&c->cancelled, 1, memory_order_relaxed);
    }
}

bool zw_context_cancelled(const zw_context *c) {
    return c && atomic_load_explicit(&c->cancelled, memory_order_relaxed) != 0;
}

int zw_context_threads(const zw_context *c) {
    return c ? c->threads : 1;
}

/* ---- memory ---- */

/* "3.2 GiB"; count*size in floating point, since the product may not fit a size_t */
static void size_text(size_t count, size_t size, char *out, size_t room) {
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double                   bytes = (double)count * (double)size;
    int                      u = 0;
    while (bytes >= 1024.0 && u < 6) {
        bytes /= 1024.0;
        u++;
    }
    char number[ZW_NUMBER_TEXT];
    snprintf(out, room, "%s %s", zw_number_short(bytes, u == 0 ? 4 : 3, number), unit[u]);
}

static void memory_failed(zw_context *c, const char *where, size_t count, size_t size, const char *what) {
    char need[ZW_NUMBER_TEXT + 16];
    size_text(count, size, need, sizeof need);
    zw_raise_in(c, ZW_E_MEMORY, where, what ? what : "memory", "make the model or the recording smaller, or give the process more memory",
                "would need %s (%zu times %zu bytes), which is not available", need, count, size);
}

static bool fits(size_t count, size_t size) {
    return size == 0 || count <= (size_t)PTRDIFF_MAX / size;
}

/* zeroed, or NULL without raising */
static void *quiet_alloc(zw_context *c, size_t bytes) {
    if (c->realloc == c_realloc) {
        return calloc(1, bytes); /* large blocks come zeroed from the system, without touching their pages */
    }
    void *p = c->realloc(c->realloc_user, NULL, bytes);
    if (p) {
        memset(p, 0, bytes);
    }
    return p;
}

void *zw_alloc(zw_context *c, size_t count, size_t size, const char *what) {
    void *p = NULL;
    if (fits(count, size)) {
        size_t bytes = count * size;
        p = quiet_alloc(c, bytes > 0 ? bytes : 1);
    }
    if (!p) {
        memory_failed(c, __func__, count, size, what);
    }
    return p;
}

void *zw_resize(zw_context *c, void *p, size_t count, size_t size, const char *what) {
    void *q = NULL;
    if (fits(count, size)) {
        size_t bytes = count * size;
        q = c->realloc(c->realloc_user, p, bytes > 0 ? bytes : 1);
    }
    if (!q) {
        memory_failed(c, __func__, count, size, what);
    }
    return q;
}

void zw_free(zw_context *c, void *p) {
    if (p) {
        c->realloc(c->realloc_user, p, 0);
    }
}

char *zw_strndup(zw_context *c, const char *text, size_t n) {
    size_t len = 0;
    while (len < n && text[len]) {
        len++;
    }
    char *s = zw_alloc(c, len + 1, 1, "a text");
    if (s && len > 0) {
        memcpy(s, text, len);
    }
    return s;
}

char *zw_strdup(zw_context *c, const char *text) {
    return zw_strndup(c, text, strlen(text));
}

/* ---- errors ---- */

/* text that did not fit its field ends in "...", never inside a UTF-8 sequence */
static void mark_cut(char *field, size_t room) {
    size_t end = room - 4;
    while (end > 0 && ((unsigned char)field[end] & 0xC0) == 0x80) {
        end--;
    }
    memcpy(field + end, "...", 4);
}

static void put_text(char *field, size_t room, const char *text) {
    size_t n = text ? strlen(text) : 0;
    bool   cut = n >= room;
    n = cut ? room - 1 : n;
    if (n > 0) {
        memcpy(field, text, n);
    }
    field[n] = 0;
    if (cut) {
        mark_cut(field, room);
    }
}

ZW_PRINTF(3, 0) static void put_format(char *field, size_t room, const char *fmt, va_list args) {
    int n = vsnprintf(field, room, fmt, args);
    if (n < 0) {
        put_text(field, room, fmt);
    } else if ((size_t)n >= room) {
        mark_cut(field, room);
    }
}

/* the slot for one more error; the list itself never fails */
static zw_error *error_slot(zw_context *c, zw_status code) {
    if (!c->spare_used && c->n_kept < ERRORS_KEPT) {
        zw_error **chunk = &c->chunk[c->n_kept / ERRORS_PER_CHUNK];
        if (!*chunk) {
            *chunk = quiet_alloc(c, ERRORS_PER_CHUNK * sizeof **chunk);
        }
        if (*chunk) {
            zw_error *e = *chunk + c->n_kept % ERRORS_PER_CHUNK;
            c->n_kept++;
            return e;
        }
    }
    if (!c->spare_used && (c->n_kept < ERRORS_KEPT || code == ZW_E_MEMORY)) {
        c->spare_used = true;
        return &c->spare;
    }
    if (c->n_dropped < INT32_MAX) {
        c->n_dropped++;
    }
    zw_error *e = &c->closing;
    if (c->n_dropped == 1) {
        memset(e, 0, sizeof *e);
        e->code = code;
        e->where = __func__;
        put_text(e->subject, sizeof e->subject, "errors");
        put_text(e->remedy, sizeof e->remedy, "correct the ones above first");
    }
    snprintf(e->message, sizeof e->message, "%d more after the first %d", c->n_dropped, c->n_kept + (c->spare_used ? 1 : 0));
    return &c->dropped;
}

zw_status zw_raise_in(zw_context *c, zw_status code, const char *where, const char *subject, const char *remedy, const char *fmt, ...) {
    if (!c) {
        return code;
    }
    zw_error *e = error_slot(c, code);
    memset(e, 0, sizeof *e);
    e->code = code;
    e->where = where;
    put_text(e->subject, sizeof e->subject, subject);
    put_text(e->remedy, sizeof e->remedy, remedy);
    va_list args;
    va_start(args, fmt);
    put_format(e->message, sizeof e->message, fmt, args);
    va_end(args);
    return code;
}

int zw_error_count(const zw_context *c) {
    return c ? c->n_kept + (c->spare_used ? 1 : 0) + (c->n_dropped > 0 ? 1 : 0) : 0;
}

const zw_error *zw_error_at(const zw_context *c, int i) {
    if (!c || i < 0 || i >= zw_error_count(c)) {
        return NULL;
    }
    if (i < c->n_kept) {
        return c->chunk[i / ERRORS_PER_CHUNK] + i % ERRORS_PER_CHUNK;
    }
    return i == c->n_kept && c->spare_used ? &c->spare : &c->closing;
}

zw_error *zw_error_last(zw_context *c) {
    if (!c || zw_error_count(c) == 0) {
        return NULL;
    }
    if (c->n_dropped > 0) {
        return &c->dropped;
    }
    if (c->spare_used) {
        return &c->spare;
    }
    int i = c->n_kept - 1;
    return c->chunk[i / ERRORS_PER_CHUNK] + i % ERRORS_PER_CHUNK;
}

void zw_error_clear(zw_context *c) {
    if (c) {
        c->n_kept = 0; /* the chunks stay for the next errors */
        c->spare_used = false;
        c->n_dropped = 0;
    }
}

/* ---- log ---- */

void zw_log(zw_context *c, zw_log_level level, const char *fmt, ...) {
    if (!c || !c->log) {
        return;
    }
    char    text[LOG_TEXT];
    va_list args;
    va_start(args, fmt);
    put_format(text, sizeof text, fmt, args);
    va_end(args);
    c->log(c->log_user, level, text);
}

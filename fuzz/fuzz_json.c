/* SPDX-License-Identifier: Apache-2.0
 * fuzz_json.c: the reader of summaries on any text, and paths into what it gave. Input: JSON; behind a byte 0x1e, a path. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include "record/json.h"

static size_t count(const zw_json *j) { /* siblings may be many, levels are not: the reader limits them */
    size_t n = 0;
    for (; j; j = j->next) {
        FUZZ_DEMAND(j->kind != ZW_JSON_STRING || j->text != NULL);
        n += 1 + count(j->child);
    }
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    size_t      used;
    zw_context *c = fuzz_context(&used);
    zw_arena    arena;
    zw_json    *j;
    char       *text = malloc(n + 1);
    FUZZ_DEMAND(text != NULL);
    if (n > 0) {
        memcpy(text, bytes, n);
    }
    text[n] = 0;
    char *path = memchr(text, 0x1e, n);
    if (path) {
        *path++ = 0;
    }
    zw_arena_init(&arena, c);
    if (fuzz_ok(c, zw_json_read(&arena, text, &j))) {
        FUZZ_DEMAND(count(j) <= n);
        (void)zw_json_number(j, path ? path : "probes.tip.final[0]", 0.0);
        (void)zw_json_string(j, path ? path : "outcome", "");
    }
    zw_arena_destroy(&arena);
    fuzz_context_end(c, &used);
    free(text);
    return 0;
}

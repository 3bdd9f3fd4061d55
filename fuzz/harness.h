/* SPDX-License-Identifier: Apache-2.0
 * harness.h: what the fuzz targets share: a context whose memory is capped, a directory for one file, and demands that end the process.
 *
 * The cap makes "allocates what a hostile length says" visible as ZW_E_MEMORY instead of a machine that swaps; the paths of failing
 * allocations are walked on the way. */
#ifndef ZW_FUZZ_HARNESS_H
#define ZW_FUZZ_HARNESS_H

#include "base/context.h"
#include "record/directory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { FUZZ_MEMORY = 64 << 20 };

/* what must hold for every input */
#define FUZZ_DEMAND(condition)                                                             \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

/* each block carries its size in front of it */
typedef union fuzz_block {
    size_t      size;
    max_align_t align;
} fuzz_block;

static inline void *fuzz_realloc(void *user, void *p, size_t size) {
    size_t     *used = user;
    fuzz_block *old = p ? (fuzz_block *)p - 1 : NULL;
    size_t      before = old ? old->size : 0;
    if (size == 0) {
        *used -= before;
        free(old);
        return NULL;
    }
    if (size > FUZZ_MEMORY || *used - before > FUZZ_MEMORY - size) {
        return NULL;
    }
    fuzz_block *block = realloc(old, sizeof *block + size);
    if (!block) {
        return NULL;
    }
    block->size = size;
    *used += size - before;
    return block + 1;
}

static inline zw_context *fuzz_context(size_t *used) {
    zw_context_def def = zw_context_def_default();
    zw_context    *c;
    *used = 0;
    def.realloc = fuzz_realloc;
    def.realloc_user = used;
    FUZZ_DEMAND(zw_context_create(&def, &c) == ZW_OK);
    return c;
}

/* everything was given back */
static inline void fuzz_context_end(zw_context *c, const size_t *used) {
    zw_context_destroy(c);
    FUZZ_DEMAND(*used == 0);
}

/* a failure always says why, in words that can be shown */
static inline bool fuzz_ok(const zw_context *c, zw_status status) {
    FUZZ_DEMAND(status != ZW_E_INTERNAL);
    FUZZ_DEMAND(status == ZW_OK || zw_error_count(c) > 0);
    for (int i = 0; status != ZW_OK && i < zw_error_count(c); i++) {
        char line[2000];
        FUZZ_DEMAND(zw_error_format(zw_error_at(c, i), line, sizeof line) > 0);
    }
    return status == ZW_OK;
}

/* a directory for this process, removed when it ends */
static char fuzz_place[512];

static inline void fuzz_remove_place(void) {
    static const char *const names[] = {ZW_FILE_JOURNAL, ZW_FILE_CHECKPOINT_A, ZW_FILE_CHECKPOINT_B, ZW_FILE_RESULTS};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", fuzz_place, names[i]);
        unlink(path);
    }
    rmdir(fuzz_place);
}

static inline const char *fuzz_directory(void) {
    if (fuzz_place[0] == 0) {
        const char *root = getenv("TMPDIR");
        snprintf(fuzz_place, sizeof fuzz_place, "%s/zwang-fuzz-XXXXXX", root ? root : "/tmp");
        FUZZ_DEMAND(mkdtemp(fuzz_place) != NULL);
        atexit(fuzz_remove_place);
    }
    return fuzz_place;
}

static inline void fuzz_store(const zw_directory *d, const char *name, const void *bytes, size_t n) {
    int fd = openat(d->fd, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    FUZZ_DEMAND(fd >= 0);
    FUZZ_DEMAND(write(fd, bytes, n) == (ssize_t)n);
    close(fd);
}

#endif

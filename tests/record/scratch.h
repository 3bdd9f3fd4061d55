/* SPDX-License-Identifier: Apache-2.0
 * scratch.h: a directory that is removed afterwards, a small journal in it, and its bytes, for the tests of record/. */
#ifndef ZW_TESTS_RECORD_SCRATCH_H
#define ZW_TESTS_RECORD_SCRATCH_H

#include "support/check.h"

#include "record/directory.h"
#include "record/journal.h"
#include "record/layout.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCRATCH_NODES = 4, SCRATCH_WIDTH = 1 + 3 * SCRATCH_NODES + 3 * (SCRATCH_NODES - 1) + 1 + 3, SCRATCH_LOG = 4096 };

typedef struct scratch {
    zw_context  *context;
    char         path[256];
    zw_directory dir;
    char         log[SCRATCH_LOG];
    zw_channel   channel[5], constant[2];
    double       constants[SCRATCH_NODES + 1];
    zw_layout    layout;
} scratch;

static inline void scratch_note(void *user, zw_log_level level, const char *text) {
    scratch *s = user;
    size_t   n = strlen(s->log);
    snprintf(s->log + n, sizeof s->log - n, "%d %s\n", (int)level, text);
}

static inline void scratch_channel(zw_channel *k, const char *name, const char *unit, int rank, int a, int b, size_t *offset) {
    memset(k, 0, sizeof *k);
    snprintf(k->name, sizeof k->name, "%s", name);
    snprintf(k->unit, sizeof k->unit, "%s", unit);
    k->rank = rank;
    k->shape[0] = a;
    k->shape[1] = b;
    k->count = (size_t)(rank > 0 ? a : 1) * (size_t)(rank > 1 ? b : 1);
    k->offset = *offset;
    *offset += k->count;
}

static inline int scratch_setup(void **state) {
    scratch *s = calloc(1, sizeof *s);
    assert_non_null(s);
    zw_context_def def = zw_context_def_default();
    def.log = scratch_note;
    def.log_user = s;
    assert_int_equal(zw_context_create(&def, &s->context), ZW_OK);
    const char *place = getenv("TMPDIR");
    snprintf(s->path, sizeof s->path, "%s/zwang-test-XXXXXX", place ? place : "/tmp");
    assert_non_null(mkdtemp(s->path));
    assert_int_equal(zw_directory_create(s->context, s->path, &s->dir), ZW_OK);
    size_t width = 0, constants = 0;
    scratch_channel(&s->channel[0], "time", "s", 0, 0, 0, &width);
    scratch_channel(&s->channel[1], "rod/beam/position", "m", 2, SCRATCH_NODES, 3, &width);
    scratch_channel(&s->channel[2], "rod/beam/strain", "1", 2, SCRATCH_NODES - 1, 3, &width);
    scratch_channel(&s->channel[3], "energy/total", "J", 0, 0, 0, &width);
    scratch_channel(&s->channel[4], "probe/tip", "m", 1, 3, 0, &width);
    scratch_channel(&s->constant[0], "rod/beam/label", "m", 1, SCRATCH_NODES, 0, &constants);
    scratch_channel(&s->constant[1], "rod/beam/closed", "", 0, 0, 0, &constants);
    for (int i = 0; i < SCRATCH_NODES; i++) {
        s->constants[i] = 0.1 * i;
    }
    assert_int_equal((int)width, SCRATCH_WIDTH);
    s->layout = (zw_layout){5, 2, s->channel, s->constant, width, constants, s->constants};
    *state = s;
    return 0;
}

static inline void scratch_remove(const char *path) {
    DIR *d = opendir(path);
    if (d) {
        for (struct dirent *e = readdir(d); e; e = readdir(d)) {
            char below[1024];
            int  n = snprintf(below, sizeof below, "%s/%s", path, e->d_name);
            assert_true(n > 0 && (size_t)n < sizeof below);
            if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && unlink(below) != 0) {
                scratch_remove(below);
            }
        }
        closedir(d);
        chmod(path, 0700);
        rmdir(path);
    }
}

static inline int scratch_teardown(void **state) {
    scratch *s = *state;
    zw_directory_close(&s->dir);
    scratch_remove(s->path);
    zw_context_destroy(s->context);
    free(s);
    return 0;
}

/* number i of frame n: a different bit pattern everywhere, with values that are hard to keep */
static inline double scratch_value(int64_t frame, size_t i) {
    switch ((frame * 31 + (int64_t)i) % 13) {
    case 1: return -0.0;
    case 2: return 5e-324;
    case 3: return INFINITY;
    case 4: return NAN;
    case 5: return 1.7976931348623157e308;
    default: return sin(0.37 * (double)frame + 1.1 * (double)i) * 1e3;
    }
}

static inline void scratch_frame(int64_t frame, double *out) {
    out[0] = 0.25 * (double)frame;
    for (size_t i = 1; i < SCRATCH_WIDTH; i++) {
        out[i] = scratch_value(frame, i);
    }
}

static inline zw_journal_writer *scratch_create(scratch *s) {
    zw_run_label       label = {.hash = 0x1234, .seed = 42, .title = "A title", .text = "zwang: 1\n"};
    zw_journal_writer *w;
    assert_int_equal(zw_journal_create(s->context, s->dir.fd, s->path, &label, &w), ZW_OK);
    return w;
}

static inline void scratch_frames(scratch *s, zw_journal_writer *w, int64_t first, int64_t count) {
    (void)s;
    for (int64_t i = first; i < first + count; i++) {
        double frame[SCRATCH_WIDTH];
        scratch_frame(i, frame);
        assert_int_equal(zw_journal_frame(w, frame, SCRATCH_WIDTH), ZW_OK);
    }
}

/* a journal with one epoch of that many frames; ended: with its end record */
static inline void scratch_journal(scratch *s, int64_t frames, bool ended) {
    zw_journal_writer *w = scratch_create(s);
    assert_int_equal(zw_journal_epoch(w, &s->layout), ZW_OK);
    scratch_frames(s, w, 0, frames);
    if (ended) {
        assert_int_equal(zw_journal_end(w, 1, "{\"outcome\": \"reached\"}\n"), ZW_OK);
    }
    zw_journal_close(w);
}

static inline unsigned char *scratch_load(const scratch *s, const char *name, size_t *n) {
    int         fd = openat(s->dir.fd, name, O_RDONLY);
    struct stat info;
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &info), 0);
    unsigned char *bytes = malloc((size_t)info.st_size + 1);
    assert_non_null(bytes);
    assert_int_equal(read(fd, bytes, (size_t)info.st_size), info.st_size);
    close(fd);
    *n = (size_t)info.st_size;
    return bytes;
}

static inline void scratch_store(const scratch *s, const char *name, const void *bytes, size_t n) {
    /* overwritten, then cut: emptying a file first makes some file systems wait for the disk */
    int fd = openat(s->dir.fd, name, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), (ssize_t)n);
    assert_int_equal(ftruncate(fd, (off_t)n), 0);
    close(fd);
}

/* equal as bits, so that nan and -0 count */
static inline bool scratch_same(const double *a, const double *b, size_t n) {
    return memcmp(a, b, n * sizeof *a) == 0;
}

#endif

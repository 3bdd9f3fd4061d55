/* SPDX-License-Identifier: Apache-2.0
 * fuzz_journal.c: the journal reader on any bytes: as they are, and once more with right checksums, because no mutation finds those. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include "base/check.h"
#include "record/journal.h"
#include "record/layout.h"

enum { NUMBERS = 1 << 16 };

/* makes head and records sound as far as the lengths lead; true: something was changed */
static bool mend(uint8_t *bytes, size_t n) {
    bool     changed = false;
    uint32_t crc;
    if (n < ZW_JOURNAL_HEAD) {
        return false;
    }
    crc = zw_crc32c(0, bytes, ZW_JOURNAL_HEAD - 4);
    changed = memcmp(bytes + ZW_JOURNAL_HEAD - 4, &crc, 4) != 0;
    memcpy(bytes + ZW_JOURNAL_HEAD - 4, &crc, 4);
    for (size_t at = ZW_JOURNAL_HEAD; n - at >= ZW_RECORD_HEAD;) {
        uint32_t type;
        uint64_t length;
        memcpy(&type, bytes + at, 4);
        memcpy(&length, bytes + at + 8, 8);
        size_t left = n - at - ZW_RECORD_HEAD;
        if (length > left || (length + 7) / 8 * 8 > left) {
            break;
        }
        size_t size = (size_t)(length + 7) / 8 * 8;
        crc = zw_record_crc(at, type, length, bytes + at + ZW_RECORD_HEAD, size);
        changed = changed || memcmp(bytes + at + 4, &crc, 4) != 0;
        memcpy(bytes + at + 4, &crc, 4);
        at += ZW_RECORD_HEAD + size;
    }
    return changed;
}

static void read_all(zw_context *c, zw_directory *d, uint64_t limit) {
    zw_journal *j;
    if (!fuzz_ok(c, zw_journal_open(c, d->fd, d->path, limit, &j))) {
        FUZZ_DEMAND(j == NULL);
        return;
    }
    int64_t frames = 0;
    FUZZ_DEMAND(j->valid <= j->size && j->title && j->text && j->summary);
    for (int e = 0; e < j->nepochs; e++) {
        const zw_layout *l = j->epoch[e].layout;
        int64_t          here = j->epoch[e].frames, some = here < 100 ? here : 100;
        FUZZ_DEMAND(zw_layout_fault(l) == NULL);
        frames += here;
        double *out = l->width <= NUMBERS / 100 ? malloc(sizeof *out * (l->width * (size_t)some + 1)) : NULL;
        if (out) {
            FUZZ_DEMAND(fuzz_ok(c, zw_journal_read(j, e, 0, some, 0, l->width, out)));
            FUZZ_DEMAND(fuzz_ok(c, zw_journal_read(j, e, here - some, some, l->width / 2, l->width - l->width / 2, out)));
        }
        free(out);
        void *bytes = malloc(zw_layout_bytes(l) + 1); /* written out, it reads back equal */
        if (bytes) {
            const char *fault;
            zw_layout_write(l, bytes);
            zw_layout *again = zw_layout_read(c, bytes, zw_layout_bytes(l), &fault);
            FUZZ_DEMAND(again ? zw_layout_equal(l, again) : fault == NULL);
            zw_free(c, again);
        }
        free(bytes);
    }
    FUZZ_DEMAND(frames == j->frames);
    (void)zw_journal_last_time(j);
    zw_journal_destroy(j);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    size_t       used;
    zw_context  *c = fuzz_context(&used);
    zw_directory d;
    FUZZ_DEMAND(zw_directory_open(c, fuzz_directory(), &d) == ZW_OK);
    fuzz_store(&d, ZW_FILE_JOURNAL, bytes, n);
    read_all(c, &d, UINT64_MAX);
    uint8_t *sound = malloc(n + 1);
    FUZZ_DEMAND(sound != NULL);
    if (n > 0) {
        memcpy(sound, bytes, n);
    }
    if (mend(sound, n)) {
        zw_error_clear(c);
        fuzz_store(&d, ZW_FILE_JOURNAL, sound, n);
        read_all(c, &d, UINT64_MAX);
        read_all(c, &d, n - n / 4);
    }
    free(sound);
    zw_directory_close(&d);
    fuzz_context_end(c, &used);
    return 0;
}

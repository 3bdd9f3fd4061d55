/* SPDX-License-Identifier: Apache-2.0
 * journal_write.c: appends records to the journal.
 *
 * Records gather in a buffer that goes to the kernel when it passes 1 MiB or 0.25 s: a killed process loses at most that. The buffer holds
 * whole records only, so after a failed write the file can be cut back to the last record that is whole. */
#define _POSIX_C_SOURCE 200809L
#include "record/journal.h"

#include "base/check.h"
#include "record/directory.h"
#include "record/events.h"
#include "record/file.h"
#include "record/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double flush_after = 0.25; /* s */
enum { FLUSH_BYTES = 1 << 20 };

struct zw_journal_writer {
    zw_context *context;
    char       *directory;
    int         fd;
    uint64_t    written; /* bytes the kernel has; the buffer follows */
    char       *buffer;
    size_t      fill, room;
    double      last_flush;
    zw_status   failed;
};

uint32_t zw_record_crc(uint64_t position, uint32_t type, uint64_t length, const void *padded, size_t n) {
    uint64_t head[3] = {position, type, length};
    uint32_t crc = zw_crc32c(0, head, sizeof head);
    return n > 0 ? zw_crc32c(crc, padded, n) : crc;
}

static zw_status writer_create(zw_context *c, int fd, const char *directory, uint64_t offset, zw_journal_writer **out) {
    zw_journal_writer *w = zw_alloc(c, 1, sizeof *w, "the journal");
    char              *name = zw_strdup(c, directory);
    if (!w || !name) {
        zw_free(c, w);
        zw_free(c, name);
        close(fd);
        return ZW_E_MEMORY;
    }
    *w = (zw_journal_writer){.context = c, .directory = name, .fd = fd, .written = offset, .last_flush = zw_clock()};
    *out = w;
    return ZW_OK;
}

/* n more bytes at the end of the buffer, zeroed; NULL after raising */
static char *writer_extend(zw_journal_writer *w, size_t n) {
    if (n > w->room - w->fill) {
        size_t need = w->fill + n, room = w->room + w->room / 2;
        room = room < need ? need : room;
        char *buffer = need < n ? NULL : zw_resize(w->context, w->buffer, room, 1, "the buffer of the journal");
        if (!buffer) {
            w->failed = ZW_E_MEMORY;
            return NULL;
        }
        w->buffer = buffer;
        w->room = room;
    }
    char *p = w->buffer + w->fill;
    memset(p, 0, n);
    w->fill += n;
    return p;
}

/* the part of the buffer that reached the file may end inside a record: cut the file back to the last whole one */
static void cut_torn_record(zw_journal_writer *w) {
    off_t end = lseek(w->fd, 0, SEEK_CUR);
    if (end < 0 || (uint64_t)end < w->written) {
        return;
    }
    size_t arrived = (size_t)((uint64_t)end - w->written), whole = 0;
    if (w->written == 0) { /* the head of the file is the first thing in the buffer */
        whole = ZW_JOURNAL_HEAD <= arrived ? ZW_JOURNAL_HEAD : 0;
    }
    while (whole + ZW_RECORD_HEAD <= arrived && (w->written > 0 || whole > 0)) {
        uint64_t length;
        memcpy(&length, w->buffer + whole + 8, sizeof length);
        size_t size = ZW_RECORD_HEAD + ((size_t)length + 7) / 8 * 8;
        if (size > arrived - whole) {
            break;
        }
        whole += size;
    }
    if (ftruncate(w->fd, (off_t)(w->written + whole)) == 0) {
        w->written += whole;
    }
}

zw_status zw_journal_flush(zw_journal_writer *w) {
    if (w->failed != ZW_OK) {
        return w->failed;
    }
    if (w->fill > 0) {
        int error = zw_file_put(w->fd, w->buffer, w->fill);
        if (error != 0) {
            cut_torn_record(w);
            zw_file_raise(w->context, error, w->directory, ZW_FILE_JOURNAL, "writing results");
            w->fill = 0;
            return w->failed = ZW_E_IO;
        }
        w->written += w->fill;
        w->fill = 0;
    }
    w->last_flush = zw_clock();
    return ZW_OK;
}

zw_status zw_journal_tick(zw_journal_writer *w) {
    if (w->failed != ZW_OK || w->fill == 0) {
        return w->failed;
    }
    return w->fill >= FLUSH_BYTES || zw_clock() - w->last_flush >= flush_after ? zw_journal_flush(w) : ZW_OK;
}

zw_status zw_journal_sync(zw_journal_writer *w) {
    ZW_TRY(zw_journal_flush(w));
    int error = zw_file_sync(w->fd);
    if (error != 0) {
        zw_file_raise(w->context, error, w->directory, ZW_FILE_JOURNAL, "writing results to the disk");
        return w->failed = ZW_E_IO;
    }
    return ZW_OK;
}

/* room for a record of that length at the end of the buffer; NULL after raising */
static char *record_begin(zw_journal_writer *w, size_t length) {
    if (w->failed != ZW_OK || length > SIZE_MAX / 4) {
        return NULL;
    }
    char *p = writer_extend(w, ZW_RECORD_HEAD + (length + 7) / 8 * 8);
    return p ? p + ZW_RECORD_HEAD : NULL;
}

static zw_status record_end(zw_journal_writer *w, zw_record_type type, char *payload, size_t length) {
    char    *head = payload - ZW_RECORD_HEAD;
    uint64_t position = w->written + (uint64_t)(head - w->buffer), length64 = length;
    uint32_t type32 = (uint32_t)type, crc = zw_record_crc(position, type32, length64, payload, (length + 7) / 8 * 8);
    memcpy(head, &type32, 4);
    memcpy(head + 4, &crc, 4);
    memcpy(head + 8, &length64, 8);
    return zw_journal_tick(w);
}

zw_status zw_journal_create(zw_context *c, int dir, const char *directory, const zw_run_label *label, zw_journal_writer **out) {
    *out = NULL;
    int fd;
    do {
        fd = openat(dir, ZW_FILE_JOURNAL ".tmp", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) {
        zw_file_raise(c, errno, directory, ZW_FILE_JOURNAL, "creating the file");
        return ZW_E_IO;
    }
    zw_journal_writer *w;
    ZW_TRY(writer_create(c, fd, directory, 0, &w));

    size_t   ntitle = strlen(label->title), ntext = strlen(label->text);
    uint64_t numbers[3] = {label->seed, ntitle, ntext};
    char    *head = writer_extend(w, ZW_JOURNAL_HEAD);
    if (head) {
        uint32_t format = ZW_JOURNAL_FORMAT, order = 0x01020304, crc;
        memcpy(head, "zwjourn\n", 8);
        memcpy(head + 8, &format, 4);
        memcpy(head + 12, &order, 4);
        memcpy(head + 16, &label->hash, 8);
        strncpy(head + 24, zw_version(), 31);
        crc = zw_crc32c(0, head, ZW_JOURNAL_HEAD - 4);
        memcpy(head + ZW_JOURNAL_HEAD - 4, &crc, 4);
    }
    size_t    length = sizeof numbers + ntitle + ntext;
    char     *p = record_begin(w, length);
    zw_status status = w->failed;
    if (p) {
        memcpy(p, numbers, sizeof numbers);
        memcpy(p + sizeof numbers, label->title, ntitle);
        memcpy(p + sizeof numbers + ntitle, label->text, ntext);
        status = record_end(w, ZW_RECORD_MODEL, p, length);
    }
    if (status == ZW_OK) {
        status = zw_journal_flush(w);
    }
    /* under its own name only once it has its head and the model: a journal is never empty */
    if (status == ZW_OK && renameat(dir, ZW_FILE_JOURNAL ".tmp", dir, ZW_FILE_JOURNAL) != 0) {
        zw_file_raise(c, errno, directory, ZW_FILE_JOURNAL, "creating the file");
        status = ZW_E_IO;
    }
    if (status != ZW_OK) {
        unlinkat(dir, ZW_FILE_JOURNAL ".tmp", 0);
        zw_journal_close(w);
        return status;
    }
    *out = w;
    return ZW_OK;
}

zw_status zw_journal_reopen(zw_context *c, int dir, const char *directory, uint64_t offset, zw_journal_writer **out) {
    *out = NULL;
    int fd;
    do {
        fd = openat(dir, ZW_FILE_JOURNAL, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0 || ftruncate(fd, (off_t)offset) != 0 || lseek(fd, (off_t)offset, SEEK_SET) < 0) {
        int error = errno;
        if (fd >= 0) {
            close(fd);
        }
        zw_file_raise(c, error, directory, ZW_FILE_JOURNAL, "continuing the file");
        return ZW_E_IO;
    }
    return writer_create(c, fd, directory, offset, out);
}

zw_status zw_journal_epoch(zw_journal_writer *w, const zw_layout *layout) {
    const char *fault = zw_layout_fault(layout);
    if (fault) {
        return w->failed = zw_raise(w->context, ZW_E_INTERNAL, "recorded channels", "please report it with the model", "%s", fault);
    }
    size_t n = zw_layout_bytes(layout);
    char  *p = record_begin(w, n);
    if (!p) {
        return w->failed;
    }
    zw_layout_write(layout, p);
    return record_end(w, ZW_RECORD_EPOCH, p, n);
}

zw_status zw_journal_frame(zw_journal_writer *w, const double *frame, size_t width) {
    char *p = record_begin(w, width * sizeof(double));
    if (!p) {
        return w->failed;
    }
    memcpy(p, frame, width * sizeof(double));
    return record_end(w, ZW_RECORD_FRAME, p, width * sizeof(double));
}

zw_status zw_journal_note(zw_journal_writer *w, zw_record_type type, const char *text) {
    size_t n = strlen(text);
    char  *p = record_begin(w, n);
    if (!p) {
        return w->failed;
    }
    memcpy(p, text, n);
    return record_end(w, type, p, n);
}

zw_status zw_journal_event(zw_journal_writer *w, zw_record_type type, const double *rows, size_t numbers) {
    size_t n = numbers * sizeof(double);
    char  *p = record_begin(w, n);
    if (!p) {
        return w->failed;
    }
    memcpy(p, rows, n);
    return record_end(w, type, p, n);
}

zw_status zw_journal_end(zw_journal_writer *w, int outcome, const char *summary) {
    size_t   n = strlen(summary);
    uint32_t number = (uint32_t)outcome;
    char    *p = record_begin(w, n + 4);
    if (!p) {
        return w->failed;
    }
    memcpy(p, &number, 4);
    memcpy(p + 4, summary, n);
    ZW_TRY(record_end(w, ZW_RECORD_END, p, n + 4));
    return zw_journal_flush(w);
}

uint64_t zw_journal_offset(const zw_journal_writer *w) {
    return w->written + w->fill;
}

void zw_journal_close(zw_journal_writer *w) {
    if (w) {
        zw_context *c = w->context;
        if (w->failed == ZW_OK && w->fill > 0 && zw_file_put(w->fd, w->buffer, w->fill) != 0) {
            cut_torn_record(w);
        }
        close(w->fd);
        zw_free(c, w->buffer);
        zw_free(c, w->directory);
        zw_free(c, w);
    }
}

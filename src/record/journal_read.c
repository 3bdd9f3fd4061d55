/* SPDX-License-Identifier: Apache-2.0
 * journal_read.c: reads a journal, believing nothing.
 *
 * One pass checks every record and notes where frames lie: neighbouring frames of an epoch have one stride, so a run of them is one
 * entry. Every length is compared with what is left of the file before anything is allocated or read for it. */
#define _POSIX_C_SOURCE 200809L
#include "record/journal.h"

#include "base/check.h"
#include "record/directory.h"
#include "record/events.h"
#include "record/file.h"
#include "record/layout.h"
#include "zwang/run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WINDOW = 1 << 20, TEXT_MOST = 1 << 30 };

/* a window on the file that moves forward */
typedef struct window {
    int      fd, error;
    uint64_t offset;
    size_t   fill, room;
    char    *bytes; /* [room]: WINDOW, or the file when it is smaller */
} window;

/* n <= room bytes at offset; NULL when the file ends before or reading fails */
static const char *window_at(window *w, uint64_t offset, size_t n) {
    if (offset < w->offset || offset - w->offset > w->fill || n > w->fill - (size_t)(offset - w->offset)) {
        w->error = zw_file_get(w->fd, offset, w->bytes, w->room, &w->fill);
        w->offset = offset;
        if (w->error != 0) {
            w->fill = 0;
        }
        if (w->fill < n) {
            return NULL;
        }
    }
    return w->bytes + (size_t)(offset - w->offset);
}

/* is the record sound? Its head was read; `size` is the padded payload */
static bool record_is_sound(window *w, uint64_t offset, uint32_t type, uint32_t crc, uint64_t length, uint64_t size) {
    uint32_t sum = zw_record_crc(offset, type, length, NULL, 0);
    for (uint64_t done = 0; done < size;) {
        size_t      n = size - done < w->room ? (size_t)(size - done) : w->room;
        const char *p = window_at(w, offset + ZW_RECORD_HEAD + done, n);
        if (!p) {
            return false;
        }
        sum = zw_crc32c(sum, p, n);
        done += n;
    }
    return sum == crc;
}

/* the payload of a record as a block with a 0 behind it */
static zw_status record_load(zw_journal *j, uint64_t offset, uint64_t length, char **out) {
    *out = zw_alloc(j->context, (size_t)length + 1, 1, "a record of the journal");
    if (!*out) {
        return ZW_E_MEMORY;
    }
    size_t got;
    int    error = zw_file_get(j->fd, offset + ZW_RECORD_HEAD, *out, (size_t)length, &got);
    if (error != 0 || got < length) {
        zw_free(j->context, *out);
        *out = NULL;
        zw_file_raise(j->context, error ? error : EIO, j->directory, ZW_FILE_JOURNAL, "reading");
        return ZW_E_IO;
    }
    return ZW_OK;
}

static zw_status take_model(zw_journal *j, const char *p, uint64_t length) {
    uint64_t numbers[3];
    if (j->text || length < sizeof numbers) {
        j->stopped = "a model record is out of place";
        return ZW_OK;
    }
    memcpy(numbers, p, sizeof numbers);
    uint64_t room = length - sizeof numbers;
    if (numbers[1] > room || numbers[2] != room - numbers[1]) {
        j->stopped = "a model record does not fit its length";
        return ZW_OK;
    }
    j->seed = numbers[0];
    j->title = zw_strndup(j->context, p + sizeof numbers, (size_t)numbers[1]);
    j->text = zw_strndup(j->context, p + sizeof numbers + numbers[1], (size_t)numbers[2]);
    return j->title && j->text ? ZW_OK : ZW_E_MEMORY;
}

static zw_status take_epoch(zw_journal *j, const char *p, uint64_t length) {
    const char *fault;
    zw_layout  *layout = zw_layout_read(j->context, p, (size_t)length, &fault);
    if (!layout) {
        j->stopped = fault;
        return fault ? ZW_OK : ZW_E_MEMORY;
    }
    if ((j->nepochs & (j->nepochs + 1)) == 0) { /* room for 1, 3, 7, ... */
        zw_journal_epoch_data *epoch = zw_resize(j->context, j->epoch, 2 * (size_t)j->nepochs + 1, sizeof *epoch, "the journal's epochs");
        if (!epoch) {
            zw_free(j->context, layout);
            return ZW_E_MEMORY;
        }
        j->epoch = epoch;
    }
    j->epoch[j->nepochs++] = (zw_journal_epoch_data){.layout = layout, .run0 = j->nruns};
    return ZW_OK;
}

static zw_status take_frame(zw_journal *j, uint64_t offset) {
    zw_journal_epoch_data *e = &j->epoch[j->nepochs - 1];
    uint64_t               stride = ZW_RECORD_HEAD + 8 * (uint64_t)e->layout->width;
    if (e->nruns > 0) {
        const zw_journal_run *last = &j->run[j->nruns - 1];
        if (last->offset + (uint64_t)(e->frames - last->first) * stride == offset) {
            e->frames++;
            j->frames++;
            return ZW_OK;
        }
    }
    if ((j->nruns & (j->nruns + 1)) == 0) { /* room for 1, 3, 7, ... */
        zw_journal_run *run = zw_resize(j->context, j->run, 2 * j->nruns + 1, sizeof *run, "the journal's index");
        if (!run) {
            return ZW_E_MEMORY;
        }
        j->run = run;
    }
    j->run[j->nruns++] = (zw_journal_run){.first = e->frames, .offset = offset};
    e->nruns++;
    e->frames++;
    j->frames++;
    return ZW_OK;
}

static zw_status take_event(zw_journal *j, uint32_t type, const char *p, uint64_t length) {
    const bool     joint = type == ZW_RECORD_JOINT, old = type == ZW_RECORD_EVENT;
    const size_t   columns = joint ? ZW_LEDGER_JOINT_COLUMNS : ZW_LEDGER_COLUMNS;
    const uint64_t stride = (old ? ZW_LEDGER_COLUMNS_OLD : columns) * sizeof(double);
    double       **row = joint ? &j->joint : &j->ledger;
    int64_t       *rows = joint ? &j->joints : &j->events, *room = joint ? &j->joints_room : &j->events_room;
    int64_t        count = (int64_t)(length / stride);
    if (length % stride != 0) {
        j->stopped = "an event has an odd length";
        return ZW_OK;
    }
    if (*rows + count > *room) {
        int64_t most = 2 * (*rows + count);
        double *more = zw_resize(j->context, *row, (size_t)most * columns, sizeof *more, "events");
        if (!more) {
            return ZW_E_MEMORY;
        }
        *row = more;
        *room = most;
    }
    if (count > 0) {
        double *to = *row + *rows * (int64_t)columns;
        if (old) {
            double narrow[ZW_LEDGER_COLUMNS_OLD];
            for (int64_t i = 0; i < count; i++) {
                memcpy(narrow, p + (uint64_t)i * stride, sizeof narrow);
                zw_ledger_widen(narrow, 1, to + i * (int64_t)columns);
            }
        } else {
            memcpy(to, p, (size_t)length);
        }
    }
    *rows += count;
    return ZW_OK;
}

static zw_status take_note(zw_journal *j, char **names, const char *p, uint64_t length) {
    zw_free(j->context, *names);
    *names = zw_strndup(j->context, p, (size_t)length);
    return *names ? ZW_OK : ZW_E_MEMORY;
}

static zw_status take_record(zw_journal *j, uint32_t type, uint64_t offset, uint64_t length) {
    if (type == ZW_RECORD_FRAME) {
        if (j->nepochs == 0 || length != 8 * (uint64_t)j->epoch[j->nepochs - 1].layout->width) {
            j->stopped = "a frame has another length than its epoch says";
            return ZW_OK;
        }
        return take_frame(j, offset);
    }
    if (type < ZW_RECORD_MODEL || type > ZW_RECORD_JOINT) {
        return ZW_OK; /* sound, and of a kind this version has no use for */
    }
    if (length > TEXT_MOST) {
        j->stopped = "a record is impossibly long";
        return ZW_OK;
    }
    char *p;
    ZW_TRY(record_load(j, offset, length, &p));
    zw_status status = ZW_OK;
    if (type == ZW_RECORD_MODEL) {
        status = take_model(j, p, length);
    } else if (type == ZW_RECORD_EPOCH) {
        status = take_epoch(j, p, length);
    } else if (type == ZW_RECORD_NOTE) {
        status = take_note(j, &j->sides, p, length);
    } else if (type == ZW_RECORD_JOINTS) {
        status = take_note(j, &j->joint_names, p, length);
    } else if (type == ZW_RECORD_EVENT || type == ZW_RECORD_CONTACT || type == ZW_RECORD_JOINT) {
        status = take_event(j, type, p, length);
    } else if (length < 4) {
        j->stopped = "the end record is too short";
    } else {
        uint32_t outcome;
        memcpy(&outcome, p, 4);
        j->summary = zw_strndup(j->context, p + 4, (size_t)length - 4);
        j->outcome = outcome <= ZW_DIVERGED ? (int)outcome : ZW_DIVERGED;
        j->ended = true;
        status = j->summary ? ZW_OK : ZW_E_MEMORY;
    }
    zw_free(j->context, p);
    return status;
}

static zw_status read_head(zw_journal *j) {
    static const char other[] = "the file is damaged from the start: nothing can be recovered from it; run the model again";
    char              head[ZW_JOURNAL_HEAD];
    size_t            got;
    uint32_t          format, order, crc;
    int               error = zw_file_get(j->fd, 0, head, sizeof head, &got);
    if (error != 0) {
        zw_file_raise(j->context, error, j->directory, ZW_FILE_JOURNAL, "reading");
        return ZW_E_IO;
    }
    if (got < sizeof head || memcmp(head, "zwjourn\n", 8) != 0) {
        return zw_raise(j->context, ZW_E_FORMAT, ZW_FILE_JOURNAL, other, "is not a journal of zwang (%zu bytes read)", got);
    }
    memcpy(&format, head + 8, 4);
    memcpy(&order, head + 12, 4);
    memcpy(&crc, head + ZW_JOURNAL_HEAD - 4, 4);
    if (order == 0x04030201) {
        return zw_raise(j->context, ZW_E_FORMAT, ZW_FILE_JOURNAL, "read it on such a machine; results.h5 can be read anywhere",
                        "was written on a machine with another byte order");
    }
    if (order != 0x01020304 || crc != zw_crc32c(0, head, ZW_JOURNAL_HEAD - 4)) {
        return zw_raise(j->context, ZW_E_FORMAT, ZW_FILE_JOURNAL, other, "has a damaged head");
    }
    if (format != ZW_JOURNAL_FORMAT) {
        return zw_raise(j->context, ZW_E_MISMATCH, ZW_FILE_JOURNAL, "use the version of zwang that wrote it",
                        "has format %lu; this is zwang %s, which reads %d", (unsigned long)format, zw_version(), ZW_JOURNAL_FORMAT);
    }
    memcpy(&j->hash, head + 16, 8);
    memcpy(j->version, head + 24, sizeof j->version);
    j->version[sizeof j->version - 1] = 0;
    return ZW_OK;
}

static zw_status scan(zw_journal *j, uint64_t limit) {
    window w = {.fd = j->fd, .room = j->size < WINDOW ? (size_t)j->size : WINDOW}; /* read_head saw that it is not empty */
    w.bytes = zw_alloc(j->context, w.room, 1, "reading the journal");
    if (!w.bytes) {
        return ZW_E_MEMORY;
    }
    uint64_t  end = j->size < limit ? j->size : limit;
    zw_status status = ZW_OK;
    j->valid = ZW_JOURNAL_HEAD;
    while (status == ZW_OK && !j->stopped && !j->ended && j->valid < end) {
        uint64_t    left = end - j->valid;
        const char *head = left >= ZW_RECORD_HEAD ? window_at(&w, j->valid, ZW_RECORD_HEAD) : NULL;
        if (!head) {
            j->stopped = "the last record is cut short";
            break;
        }
        uint32_t type, crc;
        uint64_t length;
        memcpy(&type, head, 4);
        memcpy(&crc, head + 4, 4);
        memcpy(&length, head + 8, 8);
        left -= ZW_RECORD_HEAD;
        uint64_t size = length <= left ? (length + 7) / 8 * 8 : UINT64_MAX;
        if (size > left) {
            j->stopped = "the last record is cut short";
        } else if (!record_is_sound(&w, j->valid, type, crc, length, size)) {
            j->stopped = "a record has a wrong checksum";
        } else {
            status = take_record(j, type, j->valid, length);
            if (status == ZW_OK && !j->stopped) {
                j->valid += ZW_RECORD_HEAD + size;
            }
        }
    }
    if (status == ZW_OK && w.error != 0) {
        zw_file_raise(j->context, w.error, j->directory, ZW_FILE_JOURNAL, "reading");
        status = ZW_E_IO;
    }
    zw_free(j->context, w.bytes);
    return status;
}

zw_status zw_journal_open(zw_context *c, int dir, const char *directory, uint64_t limit, zw_journal **out) {
    *out = NULL;
    int fd;
    do {
        fd = openat(dir, ZW_FILE_JOURNAL, O_RDONLY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) {
        return zw_file_raise(c, errno, directory, ZW_FILE_JOURNAL, "opening");
    }
    zw_journal *j = zw_alloc(c, 1, sizeof *j, "the journal");
    struct stat info;
    zw_status   status = ZW_OK;
    if (!j) {
        close(fd);
        return ZW_E_MEMORY;
    }
    j->context = c;
    j->fd = fd;
    j->directory = zw_strdup(c, directory);
    if (!j->directory) {
        status = ZW_E_MEMORY;
    } else if (fstat(fd, &info) != 0) {
        zw_file_raise(c, errno, directory, ZW_FILE_JOURNAL, "reading");
        status = ZW_E_IO;
    } else if (!S_ISREG(info.st_mode)) {
        status = zw_raise(c, ZW_E_FORMAT, ZW_FILE_JOURNAL, "remove it", "is not a regular file");
    } else {
        j->size = (uint64_t)info.st_size;
        status = read_head(j);
    }
    if (status == ZW_OK) {
        status = scan(j, limit);
    }
    char **texts[3] = {&j->title, &j->text, &j->summary};
    for (int i = 0; i < 3 && status == ZW_OK; i++) {
        if (!*texts[i] && !(*texts[i] = zw_strdup(c, ""))) {
            status = ZW_E_MEMORY;
        }
    }
    if (status != ZW_OK) {
        zw_journal_destroy(j);
        return status;
    }
    *out = j;
    return ZW_OK;
}

void zw_journal_destroy(zw_journal *j) {
    if (j) {
        zw_context *c = j->context;
        close(j->fd);
        for (int i = 0; i < j->nepochs; i++) {
            zw_free(c, j->epoch[i].layout);
        }
        zw_free(c, j->epoch);
        zw_free(c, j->run);
        zw_free(c, j->sides);
        zw_free(c, j->ledger);
        zw_free(c, j->joint_names);
        zw_free(c, j->joint);
        zw_free(c, j->title);
        zw_free(c, j->text);
        zw_free(c, j->summary);
        zw_free(c, j->directory);
        zw_free(c, j);
    }
}

static zw_status read_bytes(const zw_journal *j, uint64_t offset, void *bytes, size_t n) {
    size_t got;
    int    error = zw_file_get(j->fd, offset, bytes, n, &got);
    if (error != 0) {
        zw_file_raise(j->context, error, j->directory, ZW_FILE_JOURNAL, "reading");
        return ZW_E_IO;
    }
    if (got < n) {
        return zw_raise(j->context, ZW_E_FORMAT, ZW_FILE_JOURNAL, "try again: the run was restarted meanwhile",
                        "became shorter while it was read");
    }
    return ZW_OK;
}

/* `count` frames that lie one after the other, the first one's record at `offset` */
static zw_status read_run(const zw_journal *j, const zw_layout *l, uint64_t offset, int64_t count, size_t from, size_t width, double *out) {
    size_t stride = ZW_RECORD_HEAD + l->width * sizeof(double), part = width * sizeof(double);
    if (stride > WINDOW ||
        (part < stride / 8 && stride > 16384)) { /* seek to each part: reading all would mostly read what is not wanted */
        for (int64_t i = 0; i < count; i++) {
            ZW_TRY(read_bytes(j, offset + (uint64_t)i * stride + ZW_RECORD_HEAD + from * sizeof(double), out + (size_t)i * width, part));
        }
        return ZW_OK;
    }
    size_t most = WINDOW / stride;
    char  *slab = zw_alloc(j->context, (size_t)count < most ? (size_t)count : most, stride, "reading frames of the journal");
    if (!slab) {
        return ZW_E_MEMORY;
    }
    zw_status status = ZW_OK;
    for (int64_t done = 0; done < count && status == ZW_OK;) {
        size_t n = (uint64_t)(count - done) < most ? (size_t)(count - done) : most;
        status = read_bytes(j, offset + (uint64_t)done * stride, slab, n * stride);
        for (size_t i = 0; i < n && status == ZW_OK; i++) {
            memcpy(out + ((size_t)done + i) * width, slab + i * stride + ZW_RECORD_HEAD + from * sizeof(double), part);
        }
        done += (int64_t)n;
    }
    zw_free(j->context, slab);
    return status;
}

zw_status zw_journal_read(const zw_journal *j, int epoch, int64_t first, int64_t count, size_t offset, size_t width, double *out) {
    if (epoch < 0 || epoch >= j->nepochs || first < 0 || count < 0 || first > j->epoch[epoch].frames ||
        count > j->epoch[epoch].frames - first || offset > j->epoch[epoch].layout->width ||
        width > j->epoch[epoch].layout->width - offset) {
        return zw_raise(j->context, ZW_E_ARG, ZW_FILE_JOURNAL, "ask for frames that are there",
                        "frames %lld to %lld of epoch %d do not exist", (long long)first, (long long)first + (long long)count - 1, epoch);
    }
    const zw_journal_epoch_data *e = &j->epoch[epoch];
    uint64_t                     stride = ZW_RECORD_HEAD + 8 * (uint64_t)e->layout->width;
    if (width == 0) {
        return ZW_OK;
    }
    for (size_t i = 0; i < e->nruns && count > 0; i++) {
        const zw_journal_run *run = &j->run[e->run0 + i];
        int64_t               end = i + 1 < e->nruns ? run[1].first : e->frames;
        if (first >= end) {
            continue;
        }
        int64_t n = end - first < count ? end - first : count;
        ZW_TRY(read_run(j, e->layout, run->offset + (uint64_t)(first - run->first) * stride, n, offset, width, out));
        out += (size_t)n * width;
        first += n;
        count -= n;
    }
    return ZW_OK;
}

double zw_journal_last_time(const zw_journal *j) {
    double t = NAN;
    for (int e = j->nepochs - 1; e >= 0; e--) {
        if (j->epoch[e].frames > 0) {
            return zw_journal_read(j, e, j->epoch[e].frames - 1, 1, j->epoch[e].layout->channel[0].offset, 1, &t) == ZW_OK ? t : NAN;
        }
    }
    return t;
}

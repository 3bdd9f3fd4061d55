/* SPDX-License-Identifier: Apache-2.0
 * results.c: reads a results directory: from results.h5, or from the journal while a run is going on or where nothing can be written.
 *
 * After a crash there is a journal and no results.h5 (or one that is older than the journal): whoever opens the directory next, and gets
 * the lock, makes it. */
#define _POSIX_C_SOURCE 200809L
#include "zwang/results.h"

#include "base/number.h"
#include "record/file.h"
#include "record/layout.h"
#include "record/recover.h"

#include <fcntl.h>
#include <sys/stat.h>

struct zw_results {
    zw_context *context;
    zw_hdf5    *file; /* one of the two */
    zw_journal *journal;
    int64_t    *begin; /* [epochs + 1] frames before each epoch */
};

zw_status zw_results_current(zw_directory *d, zw_hdf5 **out) {
    struct stat info;
    bool        journal = fstatat(d->fd, ZW_FILE_JOURNAL, &info, 0) == 0;
    *out = NULL;
    if (!zw_directory_has(d, ZW_FILE_RESULTS)) {
        return ZW_OK;
    }
    int       errors = zw_error_count(d->context);
    zw_status status = zw_hdf5_open(d->context, d, out);
    if (status != ZW_OK) {
        if (!journal || status == ZW_E_MEMORY) {
            return status;
        }
        const zw_error *e = zw_error_at(d->context, errors);
        zw_log(d->context, ZW_LOG_WARNING, "%s/%s cannot be used (%s); it is made anew from the journal", d->path, ZW_FILE_RESULTS,
               e ? e->message : "damaged");
        if (errors == 0) { /* it is dealt with: not an error of the call */
            zw_error_clear(d->context);
        }
        return ZW_OK;
    }
    if (journal && !(*out)->complete && (*out)->journal_size != (uint64_t)info.st_size) {
        zw_hdf5_close(*out);
        *out = NULL;
    }
    return ZW_OK;
}

zw_status zw_results_make(zw_directory *d) {
    zw_journal *j;
    ZW_TRY(zw_journal_open(d->context, d->fd, d->path, UINT64_MAX, &j));
    zw_status status = zw_hdf5_write(d, j);
    zw_journal_destroy(j);
    return status;
}

/* the journal as results; results.h5 is made of it first, if that is possible */
static zw_status open_journal(zw_results *r, zw_directory *d) {
    bool mine = zw_directory_try_lock(d);
    if (mine) { /* another command may have been quicker */
        ZW_TRY(zw_results_current(d, &r->file));
        if (r->file) {
            return ZW_OK;
        }
    }
    zw_status status = zw_journal_open(d->context, d->fd, d->path, UINT64_MAX, &r->journal);
    if (status == ZW_E_NO_INPUT && !mine && zw_directory_has(d, ZW_FILE_RESULTS)) { /* the run ended between two looks */
        return zw_hdf5_open(d->context, d, &r->file);
    }
    if (status != ZW_OK || !mine) {
        return status;
    }
    char time[ZW_NUMBER_TEXT];
    zw_log(d->context, ZW_LOG_INFO, "%s: the run did not end by itself; %lld frames up to t = %s s are recovered from the journal%s%s",
           d->path, (long long)r->journal->frames, zw_number_short(zw_journal_last_time(r->journal), 6, time),
           r->journal->stopped ? "; " : "", r->journal->stopped ? r->journal->stopped : "");
    int errors = zw_error_count(d->context);
    if (zw_hdf5_write(d, r->journal) != ZW_OK) { /* a full disk must not keep anybody from reading */
        const zw_error *e = zw_error_at(d->context, errors);
        zw_log(d->context, ZW_LOG_WARNING, "%s: results.h5 could not be written (%s); the journal is read instead", d->path,
               e ? e->message : "no reason given");
        if (errors == 0) {
            zw_error_clear(d->context);
        }
    }
    return ZW_OK;
}

static zw_status count_frames(zw_results *r) {
    int n = zw_results_epochs(r);
    r->begin = zw_alloc(r->context, (size_t)n + 1, sizeof *r->begin, "the epochs of results");
    if (!r->begin) {
        return ZW_E_MEMORY;
    }
    for (int e = 0; e < n; e++) {
        r->begin[e + 1] = r->begin[e] + zw_results_frames(r, e);
    }
    return ZW_OK;
}

zw_status zw_results_open(zw_context *c, const char *directory, zw_results **out) {
    if (!c || !out) {
        return ZW_E_ARG;
    }
    *out = NULL;
    zw_directory d;
    ZW_TRY(zw_directory_open(c, directory, &d));
    zw_results *r = zw_alloc(c, 1, sizeof *r, "results");
    zw_status   status = r ? ZW_OK : ZW_E_MEMORY;
    if (r) {
        r->context = c;
        status = zw_results_current(&d, &r->file);
        if (status == ZW_OK && !r->file) {
            if (zw_directory_has(&d, ZW_FILE_JOURNAL)) {
                status = open_journal(r, &d);
            } else {
                status =
                    zw_raise(c, ZW_E_NO_INPUT, directory, "give a directory that `zwang run -o DIR` wrote", "holds no results of zwang");
            }
        }
        if (status == ZW_OK) {
            status = count_frames(r);
        }
    }
    zw_directory_close(&d);
    if (status != ZW_OK) {
        zw_results_close(r);
        return status;
    }
    *out = r;
    return ZW_OK;
}

void zw_results_close(zw_results *r) {
    if (r) {
        zw_hdf5_close(r->file);
        zw_journal_destroy(r->journal);
        zw_free(r->context, r->begin);
        zw_free(r->context, r);
    }
}

int zw_results_epochs(const zw_results *r) {
    return r->file ? r->file->nepochs : r->journal->nepochs;
}

int64_t zw_results_frames(const zw_results *r, int epoch) {
    if (epoch < 0 || epoch >= zw_results_epochs(r)) {
        return 0;
    }
    return r->file ? r->file->epoch[epoch].frames : r->journal->epoch[epoch].frames;
}

const zw_layout *zw_results_layout(const zw_results *r, int epoch) {
    if (epoch < 0 || epoch >= zw_results_epochs(r)) {
        return NULL;
    }
    return r->file ? r->file->epoch[epoch].layout : r->journal->epoch[epoch].layout;
}

int64_t zw_results_total(const zw_results *r) {
    return r->begin[zw_results_epochs(r)];
}

bool zw_results_locate(const zw_results *r, int64_t frame, int *epoch, int64_t *within) {
    int low = 0, high = zw_results_epochs(r);
    if (frame < 0 || frame >= r->begin[high]) {
        return false;
    }
    while (high - low > 1) { /* the last epoch that begins at the frame or before it: one that has it, since later ones begin behind it */
        int middle = low + (high - low) / 2;
        *(r->begin[middle] <= frame ? &low : &high) = middle;
    }
    *epoch = low;
    *within = frame - r->begin[low];
    return true;
}

int zw_results_channel(const zw_results *r, int epoch, const char *name) {
    const zw_layout *l = zw_results_layout(r, epoch);
    return l ? zw_layout_channel(l, name, 0) : -1;
}

const zw_channel *zw_results_steady(const zw_results *r, const char *name) {
    const zw_channel *first = NULL;
    int               i = 0;
    for (int e = 0; e < zw_results_epochs(r); e++) {
        if (zw_results_frames(r, e) > 0) {
            const zw_layout *l = zw_results_layout(r, e);
            i = zw_layout_channel(l, name, i);
            if (i < 0 || (first && !zw_channel_alike(first, &l->channel[i]))) {
                return NULL;
            }
            first = first ? first : &l->channel[i];
        }
    }
    return first;
}

void zw_results_ledger(const zw_results *r, zw_ledger *out) {
    const char *sides = r->file ? r->file->sides : r->journal->sides, *joints = r->file ? r->file->joint_names : r->journal->joint_names;
    *out = (zw_ledger){.rows = r->file ? r->file->events : r->journal->events,
                       .row = r->file ? r->file->ledger : r->journal->ledger,
                       .sides = sides ? sides : "",
                       .joint_rows = r->file ? r->file->joints : r->journal->joints,
                       .joint_row = r->file ? r->file->joint : r->journal->joint,
                       .joints = joints ? joints : ""};
}

const char *zw_results_model_text(const zw_results *r) {
    return r->file ? r->file->text : r->journal->text;
}

const char *zw_results_summary(const zw_results *r) {
    return r->file ? r->file->summary : r->journal->summary;
}

zw_status zw_results_read(const zw_results *r, int epoch, int channel, int64_t first, int64_t count, double *out) {
    if (r->file) {
        return zw_hdf5_read(r->file, epoch, channel, first, count, out);
    }
    const zw_layout *l = zw_results_layout(r, epoch);
    if (!l || channel < 0 || channel >= l->nchannels) {
        return zw_raise(r->context, ZW_E_ARG, "results", "ask for a channel of the layout", "channel %d of epoch %d does not exist",
                        channel, epoch);
    }
    return zw_journal_read(r->journal, epoch, first, count, l->channel[channel].offset, l->channel[channel].count, out);
}

zw_status zw_results_read_steady(const zw_results *r, const char *name, int64_t first, int64_t count, double *out) {
    const zw_channel *k = zw_results_steady(r, name);
    int               e = 0, i = 0;
    int64_t           within = 0;
    if (!k || first < 0 || count < 0 || count > zw_results_total(r) - first) {
        return zw_raise(r->context, ZW_E_ARG, name, "ask for frames that are there, of a channel that keeps its size",
                        "frames %lld to %lld of it cannot be read as one array", (long long)first, (long long)first + (long long)count - 1);
    }
    while (count > 0 && zw_results_locate(r, first, &e, &within)) {
        int64_t left = zw_results_frames(r, e) - within, n = count < left ? count : left;
        i = zw_layout_channel(zw_results_layout(r, e), name, i);
        ZW_TRY(zw_results_read(r, e, i, within, n, out));
        out += (size_t)n * k->count;
        first += n;
        count -= n;
    }
    return ZW_OK;
}

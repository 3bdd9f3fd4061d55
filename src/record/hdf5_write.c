/* SPDX-License-Identifier: Apache-2.0
 * hdf5_write.c: a journal becomes results.h5.
 *
 *   /                 attributes format, zwang_version, model_hash, title, seed, complete, outcome, epochs, journal_size
 *   /model, /summary  texts
 *   /epochN/NAME      [frames, shape...], attribute unit; /epochN/constant/NAME; /epochN/channel_names, constant_names
 *   /time, /rod, ...  soft links into the only epoch with frames. Are there several: what has one shape in all of them, over all frames,
 *                     once more; what changes its size is in its epochs only
 *
 * Frames pass through in slabs, so that memory does not grow with the run. A full disk shows in the sink (hdf5_driver.h), never as a
 * failure of HDF5 itself; that there is room is checked beforehand all the same, to say so before gigabytes are written in vain. */
#define _POSIX_C_SOURCE 200809L
#include "record/hdf5_file.h"

#include "record/file.h"
#include "record/hdf5_driver.h"
#include "record/hdf5_guard.h"
#include "record/layout.h"
#include "zwang/run.h"
#include "record/events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { SMALL = 8 << 10, SLAB_BYTES = 8 << 20, CHUNK_MOST = 512 << 10, CHUNK_LEAST = 8 << 10, CHUNKS_TOGETHER = 64 << 20, RANK_MOST = 4 };

typedef struct h5_writer {
    zw_context       *context;
    const zw_journal *journal;
    const char       *path; /* of the temporary file, for messages */
    zw_hdf5_sink     *sink;
    hid_t             file, links, text;
} h5_writer;

/* HDF5 refused something, which is a defect or a hostile journal, or the disk did */
static zw_status write_failed(const h5_writer *w, const char *object) {
    if (w->sink->error != 0) {
        zw_file_raise(w->context, w->sink->error, w->path, "", "writing results");
        return ZW_E_IO;
    }
    return zw_hdf5_raise(w->context, ZW_E_IO, w->path, "writing results", object);
}

/* ---- small things ---- */

static zw_status put_attribute(const h5_writer *w, hid_t where, const char *name, hid_t stored, hid_t given, const void *value) {
    hid_t     space = H5Screate(H5S_SCALAR);
    hid_t     a = H5Acreate2(where, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    bool      ok = a >= 0 && H5Awrite(a, given, value) >= 0;
    zw_status status = ok ? ZW_OK : write_failed(w, name);
    if (a >= 0) {
        H5Aclose(a);
    }
    H5Sclose(space);
    return status;
}

static zw_status put_text_attribute(const h5_writer *w, hid_t where, const char *name, const char *value) {
    return put_attribute(w, where, name, w->text, w->text, &value);
}

static zw_status put_number_attribute(const h5_writer *w, hid_t where, const char *name, uint64_t value) {
    return put_attribute(w, where, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

/* n texts; n < 0: one, without a dimension */
static zw_status put_texts(const h5_writer *w, hid_t where, const char *name, const char *const *texts, int n) {
    hsize_t   dims = n < 0 ? 1 : (hsize_t)n;
    hid_t     space = n < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &dims, NULL);
    hid_t     d = H5Dcreate2(where, name, w->text, space, w->links, H5P_DEFAULT, H5P_DEFAULT);
    bool      ok = d >= 0 && (n == 0 || H5Dwrite(d, w->text, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);
    zw_status status = ok ? ZW_OK : write_failed(w, name);
    if (d >= 0) {
        H5Dclose(d);
    }
    H5Sclose(space);
    return status;
}

static zw_status put_names(const h5_writer *w, hid_t group, const char *name, const zw_channel *channel, int n) {
    const char **texts = zw_alloc(w->context, (size_t)n, sizeof *texts, "the names of channels");
    if (!texts) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        texts[i] = channel[i].name;
    }
    zw_status status = put_texts(w, group, name, texts, n);
    zw_free(w->context, texts);
    return status;
}

/* ---- datasets ---- */

/* rows of a chunk: small enough that the chunks of all datasets of an epoch fit into memory together */
static hsize_t chunk_rows(const zw_layout *l, const zw_channel *k, int64_t frames) {
    size_t budget = (size_t)CHUNKS_TOGETHER / (size_t)l->nchannels;
    budget = budget > CHUNK_MOST ? CHUNK_MOST : budget < CHUNK_LEAST ? CHUNK_LEAST : budget;
    size_t rows = budget / sizeof(double) / k->count;
    rows = rows > (uint64_t)frames ? (size_t)frames : rows;
    return rows < 1 ? 1 : (hsize_t)rows;
}

static zw_status create_channel(const h5_writer *w, hid_t group, const zw_layout *l, const zw_channel *k, int64_t frames, hid_t *out) {
    hsize_t dims[RANK_MOST] = {(hsize_t)frames}, most[RANK_MOST] = {H5S_UNLIMITED}, chunk[RANK_MOST] = {1};
    for (int i = 0; i < k->rank; i++) {
        dims[i + 1] = most[i + 1] = chunk[i + 1] = (hsize_t)k->shape[i];
    }
    /* of many epochs most are short, and the index of its chunks would be most of a dataset */
    bool  small = w->journal->nepochs > 1 && (uint64_t)frames < SMALL / sizeof(double) / (k->count + 1);
    hid_t create = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS), space;
    H5Pset_obj_track_times(create, 0); /* the same run gives the same file */
    if (k->count > 0 && !small) {
        chunk[0] = chunk_rows(l, k, frames);
        H5Pset_chunk(create, k->rank + 1, chunk);
        H5Pset_chunk_cache(access, 521, (size_t)chunk[0] * k->count * sizeof(double), 1.0);
        space = H5Screate_simple(k->rank + 1, dims, most);
    } else {
        space = H5Screate_simple(k->rank + 1, dims, NULL);
    }
    *out = H5Dcreate2(group, k->name, H5T_IEEE_F64LE, space, w->links, create, access);
    zw_status status = *out >= 0 ? put_text_attribute(w, *out, "unit", k->unit) : write_failed(w, k->name);
    H5Sclose(space);
    H5Pclose(create);
    H5Pclose(access);
    return status;
}

static zw_status write_constants(const h5_writer *w, hid_t group, const zw_layout *l) {
    hid_t below = H5Gcreate2(group, "constant", w->links, H5P_DEFAULT, H5P_DEFAULT);
    if (below < 0) {
        return write_failed(w, "constant");
    }
    zw_status status = ZW_OK;
    for (int i = 0; i < l->nconstants && status == ZW_OK; i++) {
        const zw_channel *k = &l->constant[i];
        hsize_t           dims[RANK_MOST];
        for (int j = 0; j < k->rank; j++) {
            dims[j] = (hsize_t)k->shape[j];
        }
        hid_t create = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(k->rank, dims, NULL);
        H5Pset_obj_track_times(create, 0);
        hid_t d = H5Dcreate2(below, k->name, H5T_IEEE_F64LE, space, w->links, create, H5P_DEFAULT);
        if (d < 0 || (k->count > 0 && H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, l->constants + k->offset) < 0)) {
            status = write_failed(w, k->name);
        } else {
            status = put_text_attribute(w, d, "unit", k->unit);
        }
        if (d >= 0 && H5Dclose(d) < 0 && status == ZW_OK) {
            status = write_failed(w, k->name);
        }
        H5Sclose(space);
        H5Pclose(create);
    }
    H5Gclose(below);
    return status;
}

static zw_status write_rows(const h5_writer *w, hid_t dataset, const zw_channel *k, int64_t first, size_t rows, const double *values) {
    hsize_t start[RANK_MOST] = {(hsize_t)first}, count[RANK_MOST] = {(hsize_t)rows};
    for (int i = 0; i < k->rank; i++) {
        count[i + 1] = (hsize_t)k->shape[i];
    }
    hid_t there = H5Dget_space(dataset), here = H5Screate_simple(k->rank + 1, count, NULL);
    bool  ok = there >= 0 && here >= 0 && H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
              H5Dwrite(dataset, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, values) >= 0 && w->sink->error == 0;
    zw_status status = ok ? ZW_OK : write_failed(w, k->name);
    H5Sclose(there);
    H5Sclose(here);
    return status;
}

/* all frames of an epoch, slab by slab: read whole frames, write each channel's columns of them from row `row0` of its dataset on; -1: it has none */
static zw_status write_frames(const h5_writer *w, int epoch, const hid_t *dataset, int64_t row0) {
    const zw_journal_epoch_data *e = &w->journal->epoch[epoch];
    const zw_layout             *l = e->layout;
    if (e->frames == 0) {
        return ZW_OK;
    }
    size_t most = SLAB_BYTES / sizeof(double) / l->width, widest = 0;
    most = most < 1 ? 1 : most;
    most = most > (uint64_t)e->frames ? (size_t)e->frames : most;
    for (int i = 0; i < l->nchannels; i++) {
        widest = l->channel[i].count > widest ? l->channel[i].count : widest;
    }
    double   *slab = zw_alloc(w->context, most * l->width, sizeof *slab, "writing results");
    double   *columns = zw_alloc(w->context, most * widest, sizeof *columns, "writing results");
    zw_status status = slab && columns ? ZW_OK : ZW_E_MEMORY;
    for (int64_t first = 0; first < e->frames && status == ZW_OK;) {
        size_t rows = (uint64_t)(e->frames - first) < most ? (size_t)(e->frames - first) : most;
        status = zw_journal_read(w->journal, epoch, first, (int64_t)rows, 0, l->width, slab);
        for (int i = 0; i < l->nchannels && status == ZW_OK; i++) {
            const zw_channel *k = &l->channel[i];
            if (k->count > 0 && dataset[i] >= 0) {
                for (size_t r = 0; r < rows; r++) {
                    memcpy(columns + r * k->count, slab + r * l->width + k->offset, k->count * sizeof *columns);
                }
                status = write_rows(w, dataset[i], k, row0 + first, rows, columns);
            }
        }
        first += (int64_t)rows;
    }
    zw_free(w->context, slab);
    zw_free(w->context, columns);
    return status;
}

static zw_status write_epoch(const h5_writer *w, int epoch) {
    const zw_journal_epoch_data *e = &w->journal->epoch[epoch];
    const zw_layout             *l = e->layout;
    char                         name[32];
    snprintf(name, sizeof name, "epoch%d", epoch);
    hid_t  group = H5Gcreate2(w->file, name, w->links, H5P_DEFAULT, H5P_DEFAULT);
    hid_t *dataset = zw_alloc(w->context, (size_t)l->nchannels, sizeof *dataset, "writing results");
    if (group < 0 || !dataset) {
        zw_status status = dataset ? write_failed(w, name) : ZW_E_MEMORY;
        zw_free(w->context, dataset);
        return status;
    }
    int       made = 0;
    zw_status status = put_names(w, group, "channel_names", l->channel, l->nchannels);
    if (status == ZW_OK) {
        status = put_names(w, group, "constant_names", l->constant, l->nconstants);
    }
    if (status == ZW_OK) {
        status = write_constants(w, group, l);
    }
    while (status == ZW_OK && made < l->nchannels) {
        status = create_channel(w, group, l, &l->channel[made], e->frames, &dataset[made]);
        made += dataset[made] >= 0 ? 1 : 0;
    }
    if (status == ZW_OK) {
        status = write_frames(w, epoch, dataset, 0);
    }
    for (int i = 0; i < made; i++) {
        if (H5Dclose(dataset[i]) < 0 && status == ZW_OK) {
            status = write_failed(w, l->channel[i].name);
        }
    }
    zw_free(w->context, dataset);
    H5Gclose(group);
    return status;
}

/* the one epoch that has frames, the last where none has, -1 where several have */
static int only_epoch(const zw_journal *j) {
    int only = j->nepochs - 1, n = 0;
    for (int i = 0; i < j->nepochs; i++) {
        if (j->epoch[i].frames > 0) {
            only = i;
            n++;
        }
    }
    return n > 1 ? -1 : only;
}

/* /time -> /epochN/time and so on: with one epoch nobody needs to know of epochs */
static zw_status write_links(const h5_writer *w, int last) {
    const zw_layout *l = w->journal->epoch[last].layout;
    for (int i = -1; i < l->nchannels; i++) {
        char   name[sizeof l->channel[0].name], target[sizeof name + 32];
        size_t n = i < 0 ? 0 : strcspn(l->channel[i].name, "/");
        snprintf(name, sizeof name, "%.*s", i < 0 ? 8 : (int)n, i < 0 ? "constant" : l->channel[i].name);
        snprintf(target, sizeof target, "/epoch%d/%s", last, name);
        if (H5Lexists(w->file, name, H5P_DEFAULT) > 0) {
            continue; /* linked already, or a name of the file's own */
        }
        if (H5Lcreate_soft(target, w->file, name, w->links, H5P_DEFAULT) < 0) {
            return write_failed(w, name);
        }
    }
    return ZW_OK;
}

/* does a channel of the first epoch with frames have the same shape in all others? Its name may be one of the file's own */
static bool is_steady(const zw_journal *j, const zw_channel *k, int near) {
    static const char *const own[] = {"model", "summary", "events", "constant"};
    size_t                   n = strcspn(k->name, "/");
    bool                     steady = strncmp(k->name, "epoch", 5) != 0;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        steady = steady && !(strlen(own[i]) == n && memcmp(own[i], k->name, n) == 0);
    }
    for (int e = 0; e < j->nepochs && steady; e++) {
        int i = j->epoch[e].frames > 0 ? zw_layout_channel(j->epoch[e].layout, k->name, near) : -1;
        steady = j->epoch[e].frames == 0 || (i >= 0 && zw_channel_alike(k, &j->epoch[e].layout->channel[i]));
    }
    return steady;
}

static int first_epoch(const zw_journal *j) {
    int e = 0;
    while (j->epoch[e].frames == 0) {
        e++;
    }
    return e;
}

/* what does not change its size, over all frames */
static zw_status write_steady(const h5_writer *w) {
    const zw_journal *j = w->journal;
    const zw_layout  *l = j->epoch[first_epoch(j)].layout;
    hid_t            *dataset = zw_alloc(w->context, (size_t)l->nchannels, sizeof *dataset, "writing results"), *here = NULL;
    zw_status         status = dataset ? ZW_OK : ZW_E_MEMORY;
    int64_t           done = 0;
    for (int i = 0; dataset && i < l->nchannels; i++) {
        dataset[i] = -1;
    }
    for (int i = 0; i < l->nchannels && status == ZW_OK; i++) {
        if (is_steady(j, &l->channel[i], i)) {
            status = create_channel(w, w->file, l, &l->channel[i], j->frames, &dataset[i]);
        }
    }
    for (int e = 0; e < j->nepochs && status == ZW_OK; e++) {
        const zw_layout *m = j->epoch[e].layout;
        here = zw_alloc(w->context, (size_t)m->nchannels, sizeof *here, "writing results");
        for (int i = 0; here && i < m->nchannels; i++) {
            int from = zw_layout_channel(l, m->channel[i].name, i);
            here[i] = from >= 0 ? dataset[from] : -1;
        }
        status = here ? write_frames(w, e, here, done) : ZW_E_MEMORY;
        done += j->epoch[e].frames;
        zw_free(w->context, here);
    }
    for (int i = 0; dataset && i < l->nchannels; i++) {
        if (dataset[i] >= 0 && H5Dclose(dataset[i]) < 0 && status == ZW_OK) {
            status = write_failed(w, l->channel[i].name);
        }
    }
    zw_free(w->context, dataset);
    return status;
}

static zw_status write_events(const h5_writer *w, const char *name, int64_t rows, int columns, const double *row) {
    hsize_t dims[2] = {(hsize_t)rows, (hsize_t)columns}, chunk[2] = {(hsize_t)(rows < 4096 ? rows : 4096), (hsize_t)columns};
    hid_t   create = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, NULL);
    H5Pset_obj_track_times(create, 0);
    H5Pset_chunk(create, 2, chunk);
    hid_t     d = H5Dcreate2(w->file, name, H5T_IEEE_F64LE, space, w->links, create, H5P_DEFAULT);
    bool      ok = d >= 0 && H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, row) >= 0;
    zw_status status = ok ? ZW_OK : write_failed(w, name);
    if (d >= 0) {
        H5Dclose(d);
    }
    H5Sclose(space);
    H5Pclose(create);
    return status;
}

/* /events: the ledger, its columns, and the names that its `side` counts in; the same for joints */
static zw_status write_ledger(const h5_writer *w) {
    const zw_journal *j = w->journal;
    const char       *sides = j->sides ? j->sides : "", *joints = j->joint_names ? j->joint_names : "";
    if (j->events > 0) {
        ZW_TRY(write_events(w, "events/table", j->events, ZW_LEDGER_COLUMNS, j->ledger));
        ZW_TRY(put_texts(w, w->file, "events/columns", zw_ledger_column, ZW_LEDGER_COLUMNS));
        ZW_TRY(put_texts(w, w->file, "events/sides", &sides, -1));
    }
    if (j->joints > 0) {
        ZW_TRY(write_events(w, "events/joints", j->joints, ZW_LEDGER_JOINT_COLUMNS, j->joint));
        ZW_TRY(put_texts(w, w->file, "events/joint_columns", zw_ledger_joint_column, ZW_LEDGER_JOINT_COLUMNS));
        ZW_TRY(put_texts(w, w->file, "events/joint_names", &joints, -1));
    }
    return ZW_OK;
}

static zw_status write_all(const h5_writer *w) {
    const zw_journal *j = w->journal;
    ZW_TRY(put_number_attribute(w, w->file, "format", ZW_RESULTS_FORMAT));
    ZW_TRY(put_text_attribute(w, w->file, "zwang_version", j->version));
    ZW_TRY(put_number_attribute(w, w->file, "model_hash", j->hash));
    ZW_TRY(put_text_attribute(w, w->file, "title", j->title));
    ZW_TRY(put_number_attribute(w, w->file, "seed", j->seed));
    ZW_TRY(put_number_attribute(w, w->file, "complete", j->ended ? 1 : 0));
    ZW_TRY(put_text_attribute(w, w->file, "outcome", j->ended ? zw_outcome_name((zw_outcome)j->outcome) : ""));
    ZW_TRY(put_number_attribute(w, w->file, "epochs", (uint64_t)j->nepochs));
    ZW_TRY(put_number_attribute(w, w->file, "journal_size", j->ended ? 0 : j->size));
    const char *text = j->text, *summary = j->summary;
    ZW_TRY(put_texts(w, w->file, "model", &text, -1));
    ZW_TRY(put_texts(w, w->file, "summary", &summary, -1));
    for (int i = 0; i < j->nepochs; i++) {
        ZW_TRY(write_epoch(w, i));
    }
    ZW_TRY(write_ledger(w));
    int only = only_epoch(j);
    return j->nepochs == 0 ? ZW_OK : only < 0 ? write_steady(w) : write_links(w, only);
}

/* ---- the file ---- */

/* an upper bound of the bytes of a channel */
static uint64_t estimate_channel(const zw_layout *l, const zw_channel *k, int64_t frames) {
    if (k->count == 0) {
        return 0;
    }
    uint64_t rows = chunk_rows(l, k, frames), chunks = ((uint64_t)frames + rows - 1) / rows;
    return chunks * (rows * k->count * sizeof(double) + 128);
}

/* an upper bound of the bytes of the file */
static uint64_t estimate(const zw_journal *j) {
    uint64_t bytes = (64 << 10) + (uint64_t)j->events * ZW_LEDGER_COLUMNS * sizeof(double) * 2;
    bytes += (uint64_t)j->joints * ZW_LEDGER_JOINT_COLUMNS * sizeof(double) * 2;
    bytes += strlen(j->text) + strlen(j->summary) + strlen(j->title);
    for (int i = 0; i < j->nepochs; i++) {
        const zw_layout *l = j->epoch[i].layout;
        bytes += ((uint64_t)l->nchannels + (uint64_t)l->nconstants) * 6144 + l->constants_width * sizeof(double);
        for (int k = 0; k < l->nchannels; k++) {
            bytes += estimate_channel(l, &l->channel[k], j->epoch[i].frames);
        }
    }
    if (j->nepochs > 1 && only_epoch(j) < 0) {
        const zw_layout *l = j->epoch[first_epoch(j)].layout;
        for (int k = 0; k < l->nchannels; k++) {
            bytes += is_steady(j, &l->channel[k], k) ? 6144 + estimate_channel(l, &l->channel[k], j->frames) : 0;
        }
    }
    return bytes;
}

static zw_status check_room(zw_directory *d, uint64_t bytes) {
    struct statvfs disk;
    if (fstatvfs(d->fd, &disk) == 0 && (uint64_t)disk.f_bavail < bytes / (disk.f_frsize > 0 ? disk.f_frsize : 1)) {
        return zw_raise(
            d->context, ZW_E_IO, d->path,
            "free space, then run `zwang export` or any command on the directory: it makes results.h5 from the journal, which is kept",
            "writing results.h5 needs %llu MiB, but the disk has only %llu MiB left (No space left on device)",
            (unsigned long long)(bytes >> 20) + 1, (unsigned long long)(((uint64_t)disk.f_bavail * disk.f_frsize) >> 20));
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < bytes) {
        return zw_raise(d->context, ZW_E_IO, d->path,
                        "raise the limit on file sizes (ulimit -f) and run with --resume; what was written so far is kept in the journal",
                        "writing results.h5 needs %llu KiB, but files may have at most %llu KiB", (unsigned long long)(bytes >> 10) + 1,
                        (unsigned long long)limit.rlim_cur >> 10);
    }
    return ZW_OK;
}

zw_status zw_hdf5_write(zw_directory *d, const zw_journal *j) {
    ZW_TRY(check_room(d, estimate(j)));
    int fd;
    ZW_TRY(zw_file_begin(d->context, d->fd, d->path, ZW_FILE_RESULTS, &fd)); /* says clearly when the directory is read-only */
    char *path = zw_path_join(d->context, d->path, ZW_FILE_RESULTS ".tmp");
    if (!path) {
        zw_file_abandon(d->fd, ZW_FILE_RESULTS, fd);
        return ZW_E_MEMORY;
    }
    zw_hdf5_guard guard;
    zw_hdf5_enter(&guard);
    zw_hdf5_sink sink = {.fd = fd};
    hid_t        driver, access = zw_hdf5_sink_access(&sink, &driver);
    h5_writer    w = {.context = d->context, .journal = j, .path = path, .sink = &sink};
    w.links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(w.links, 1);
    H5Pset_char_encoding(w.links, H5T_CSET_UTF8);
    w.text = H5Tcopy(H5T_C_S1);
    H5Tset_size(w.text, H5T_VARIABLE);
    H5Tset_cset(w.text, H5T_CSET_UTF8);
    w.file = access >= 0 ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
    zw_status status = w.file >= 0 ? write_all(&w) : write_failed(&w, "/");
    if (w.file >= 0 && H5Fclose(w.file) < 0 && status == ZW_OK) {
        status = write_failed(&w, "/");
    }
    if (status == ZW_OK && sink.error != 0) { /* met while closing */
        status = write_failed(&w, "/");
    }
    if (driver >= 0) {
        H5FDunregister(driver);
    }
    H5Tclose(w.text);
    H5Pclose(w.links);
    if (access >= 0) {
        H5Pclose(access);
    }
    zw_hdf5_leave(&guard);
    zw_free(d->context, path);
    if (status != ZW_OK) {
        zw_file_abandon(d->fd, ZW_FILE_RESULTS, fd);
        return status;
    }
    return zw_file_commit(d->context, d->fd, d->path, ZW_FILE_RESULTS, fd);
}

/* SPDX-License-Identifier: Apache-2.0
 * hdf5_read.c: reads results.h5 back: attributes, texts, layouts, and rows of one channel. Sizes are taken from the datasets themselves
 * and checked against each other and against the size of the file before anything is allocated for them. What leads to another file
 * (external links, external or virtual storage) is refused: results.h5 holds all it has. */
#define _POSIX_C_SOURCE 200809L
#include "record/hdf5_file.h"

#include "record/file.h"
#include "record/hdf5_guard.h"
#include "record/layout.h"
#include "zwang/run.h"
#include "record/events.h"

#include <stdio.h>
#include <string.h>

enum { RANK_MOST = 4, EPOCHS_MOST = 1 << 20, CHUNKS_TOGETHER = 64 << 20, TEXTS_MOST = 1 << 20 };
enum { BYTES_PER_BYTE = 1100 }; /* of deflated data: at most 1032 */

static zw_status read_failed(const zw_hdf5 *h, const char *object) {
    return zw_hdf5_raise(h->context, ZW_E_FORMAT, h->path, "reading results", object);
}

static zw_status odd(const zw_hdf5 *h, const char *object, const char *what) {
    return zw_raise(h->context, ZW_E_FORMAT, h->path,
                    "the file is damaged or was changed; delete it if a journal.zwj is beside it, else run the model again", "'%s' %s",
                    object, what);
}

static zw_status get_number(const zw_hdf5 *h, hid_t where, const char *name, uint64_t *value) {
    hid_t     a = H5Aopen(where, name, H5P_DEFAULT), space = a >= 0 ? H5Aget_space(a) : -1;
    bool      ok = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Aread(a, H5T_NATIVE_UINT64, value) >= 0;
    zw_status status = ok ? ZW_OK : read_failed(h, name);
    if (space >= 0) {
        H5Sclose(space);
    }
    if (a >= 0) {
        H5Aclose(a);
    }
    return status;
}

static herr_t refuse_link(const char *parent_file, const char *parent_group, const char *file, const char *object, unsigned *flags,
                          hid_t access, void *user) {
    (void)parent_file, (void)parent_group, (void)file, (void)object, (void)flags, (void)access, (void)user;
    return -1;
}

/* cache: bytes of its chunks to keep in memory, 0 for what HDF5 thinks right */
static hid_t open_dataset(hid_t where, const char *name, size_t cache) {
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_elink_cb(access, refuse_link, NULL);
    if (cache > 0) {
        H5Pset_chunk_cache(access, 521, cache, 1.0);
    }
    hid_t d = H5Dopen2(where, name, access);
    H5Pclose(access);
    if (d >= 0) { /* nor may its numbers lie elsewhere */
        hid_t made = H5Dget_create_plist(d);
        bool  own = made >= 0 && H5Pget_layout(made) != H5D_VIRTUAL && H5Pget_external_count(made) == 0;
        if (made >= 0) {
            H5Pclose(made);
        }
        if (!own) {
            H5Dclose(d);
            return -1;
        }
    }
    return d;
}

static hid_t open_group(hid_t where, const char *name) {
    hid_t access = H5Pcreate(H5P_GROUP_ACCESS);
    H5Pset_elink_cb(access, refuse_link, NULL);
    hid_t g = H5Gopen2(where, name, access);
    H5Pclose(access);
    return g;
}

/* can the file hold so many rows of so many numbers? */
static bool fits(const zw_hdf5 *h, size_t count, int64_t rows) {
    hsize_t size;
    if (H5Fget_filesize(h->file, &size) < 0) {
        return false;
    }
    uint64_t most = size < UINT64_MAX / BYTES_PER_BYTE ? size * BYTES_PER_BYTE / sizeof(double) : UINT64_MAX;
    return count <= most && (count == 0 || (uint64_t)rows <= most / count);
}

static hid_t text_type(void) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* a text attribute, cut to the room there is */
static zw_status get_text_attribute(const zw_hdf5 *h, hid_t where, const char *name, char *out, size_t room) {
    hid_t type = text_type(), a = H5Aopen(where, name, H5P_DEFAULT), space = a >= 0 ? H5Aget_space(a) : -1,
          stored = a >= 0 ? H5Aget_type(a) : -1;
    char *text = NULL;
    bool  ok = space >= 0 && stored >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Tis_variable_str(stored) > 0 &&
              H5Aread(a, type, &text) >= 0;
    zw_status status = ok ? ZW_OK : read_failed(h, name);
    snprintf(out, room, "%s", text ? text : "");
    if (text) {
        H5free_memory(text);
    }
    if (stored >= 0) {
        H5Tclose(stored);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (a >= 0) {
        H5Aclose(a);
    }
    H5Tclose(type);
    return status;
}

/* the texts of a dataset, for give_back; n of them */
static zw_status get_texts(const zw_hdf5 *h, hid_t where, const char *name, char ***out, size_t *n) {
    *out = NULL;
    *n = 0;
    hid_t type = text_type(), d = open_dataset(where, name, 0), space = d >= 0 ? H5Dget_space(d) : -1,
          stored = d >= 0 ? H5Dget_type(d) : -1;
    hssize_t  points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    zw_status status = ZW_OK;
    if (points < 0 || points > TEXTS_MOST || stored < 0 || H5Tis_variable_str(stored) <= 0) {
        status = read_failed(h, name);
    } else {
        *out = zw_alloc(h->context, (size_t)points, sizeof **out, "texts of results");
        *n = (size_t)points;
        if (!*out) {
            status = ZW_E_MEMORY;
        } else if (points > 0 && H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out) < 0) {
            status = read_failed(h, name);
            *n = 0; /* what HDF5 left there is not to be touched */
        }
    }
    if (stored >= 0) {
        H5Tclose(stored);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (d >= 0) {
        H5Dclose(d);
    }
    H5Tclose(type);
    return status;
}

static void give_back(const zw_hdf5 *h, char **texts, size_t n) {
    for (size_t i = 0; texts && i < n; i++) {
        if (texts[i]) {
            H5free_memory(texts[i]);
        }
    }
    zw_free(h->context, texts);
}

static zw_status get_text(const zw_hdf5 *h, const char *name, char **out) {
    char    **texts;
    size_t    n;
    zw_status status = get_texts(h, h->file, name, &texts, &n);
    if (status == ZW_OK) {
        *out = zw_strdup(h->context, n == 1 && texts[0] ? texts[0] : "");
        status = *out ? ZW_OK : ZW_E_MEMORY;
    }
    give_back(h, texts, n);
    return status;
}

/* shape, unit and place of a dataset; rows: its first dimension, NULL for a constant */
static zw_status get_channel(const zw_hdf5 *h, hid_t group, const char *name, zw_channel *k, size_t offset, int64_t *rows) {
    hid_t d = open_dataset(group, name, 0);
    if (d < 0) {
        return read_failed(h, name);
    }
    hid_t     space = H5Dget_space(d), type = H5Dget_type(d);
    int       extra = rows ? 1 : 0, rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    hsize_t   dims[RANK_MOST] = {0};
    zw_status status = ZW_OK;
    if (rank < extra || rank > 3 + extra || strlen(name) >= sizeof k->name || H5Tget_class(type) != H5T_FLOAT ||
        H5Sget_simple_extent_dims(space, dims, NULL) != rank) {
        status = odd(h, name, "is not an array of numbers as zwang writes them");
    } else {
        strcpy(k->name, name);
        k->rank = rank - extra;
        k->offset = offset;
        k->count = 1;
        for (int i = 0; i < k->rank && status == ZW_OK; i++) {
            hsize_t size = dims[i + extra];
            if (size > INT32_MAX || (size > 0 && k->count > SIZE_MAX / 64 / size)) {
                status = odd(h, name, "has an impossible shape");
            } else {
                k->shape[i] = (int)size;
                k->count *= (size_t)size;
            }
        }
        if (rows) {
            *rows = dims[0] <= INT64_MAX ? (int64_t)dims[0] : -1;
        }
        if (status == ZW_OK && !fits(h, k->count, rows ? *rows : 1)) {
            status = odd(h, name, "claims more numbers than the file can hold");
        }
        if (status == ZW_OK) {
            status = get_text_attribute(h, d, "unit", k->unit, sizeof k->unit);
        }
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(d);
    return status;
}

static zw_status get_constant_values(const zw_hdf5 *h, hid_t group, const zw_channel *k, double *out) {
    hid_t     d = open_dataset(group, k->name, 0);
    zw_status status = ZW_OK;
    if (d < 0 || (k->count > 0 && H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out + k->offset) < 0)) {
        status = read_failed(h, k->name);
    }
    if (d >= 0) {
        H5Dclose(d);
    }
    return status;
}

static zw_status fill_constants(zw_hdf5 *h, hid_t group, char **names, size_t n, zw_layout **layout, size_t nchannels) {
    zw_channel *channel = zw_alloc(h->context, n, sizeof *channel, "the constants of results");
    hid_t       below = open_group(group, "constant");
    zw_status   status = !channel ? ZW_E_MEMORY : below < 0 ? read_failed(h, "constant") : ZW_OK;
    size_t      width = 0;
    for (size_t i = 0; i < n && status == ZW_OK; i++) {
        status = get_channel(h, below, names[i] ? names[i] : "", &channel[i], width, NULL);
        if (status == ZW_OK && channel[i].count > SIZE_MAX / 64 - width) {
            status = odd(h, channel[i].name, "has an impossible shape");
        }
        width += status == ZW_OK ? channel[i].count : 0;
    }
    if (status == ZW_OK) {
        *layout = zw_layout_create(h->context, nchannels, n, width);
        double *values = *layout ? zw_alloc(h->context, width, sizeof *values, "the constants of results") : NULL;
        status = values ? ZW_OK : ZW_E_MEMORY;
        for (size_t i = 0; i < n && status == ZW_OK; i++) {
            (*layout)->constant[i] = channel[i];
            status = get_constant_values(h, below, &channel[i], values);
        }
        if (status == ZW_OK && width > 0) {
            zw_layout_set_constants(*layout, values);
        }
        zw_free(h->context, values);
    }
    if (below >= 0) {
        H5Gclose(below);
    }
    zw_free(h->context, channel);
    return status;
}

static zw_status open_epoch(zw_hdf5 *h, int epoch) {
    zw_hdf5_epoch *e = &h->epoch[epoch];
    char           name[32];
    snprintf(name, sizeof name, "epoch%d", epoch);
    hid_t group = open_group(h->file, name);
    if (group < 0) {
        return read_failed(h, name);
    }
    char    **channels = NULL, **constants = NULL;
    size_t    nchannels = 0, nconstants = 0;
    zw_status status = get_texts(h, group, "channel_names", &channels, &nchannels);
    if (status == ZW_OK) {
        status = get_texts(h, group, "constant_names", &constants, &nconstants);
    }
    if (status == ZW_OK) {
        status = fill_constants(h, group, constants, nconstants, &e->layout, nchannels);
    }
    if (status == ZW_OK) {
        e->dataset = zw_alloc(h->context, nchannels, sizeof *e->dataset, "results");
        status = e->dataset ? ZW_OK : ZW_E_MEMORY;
    }
    for (size_t i = 0; i < nchannels && status == ZW_OK; i++) {
        int64_t rows;
        e->dataset[i] = -1;
        status = get_channel(h, group, channels[i] ? channels[i] : "", &e->layout->channel[i], e->layout->width, &rows);
        if (status == ZW_OK && i == 0) {
            e->frames = rows;
        }
        if (status == ZW_OK && (rows < 0 || rows != e->frames || e->layout->channel[i].count > SIZE_MAX / 64 - e->layout->width)) {
            status = odd(h, channels[i], "has another number of frames than the others");
        }
        e->layout->width += status == ZW_OK ? e->layout->channel[i].count : 0;
    }
    if (status == ZW_OK) {
        const char *fault = zw_layout_fault(e->layout);
        status = fault ? odd(h, name, fault) : ZW_OK;
    }
    give_back(h, channels, nchannels);
    give_back(h, constants, nconstants);
    H5Gclose(group);
    return status;
}

/* a table under /events, of `columns` numbers a row or of `old` ones; *width: which */
static zw_status get_rows(zw_hdf5 *h, const char *name, int columns, int old, double **row, int64_t *rows, int *width) {
    hsize_t   dims[2] = {0, 0};
    hid_t     d = open_dataset(h->file, name, 0), space = d >= 0 ? H5Dget_space(d) : -1;
    zw_status status = ZW_OK;
    bool      sound = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 && H5Sget_simple_extent_dims(space, dims, NULL) == 2 &&
                 (dims[1] == (hsize_t)columns || dims[1] == (hsize_t)old) &&
                 fits(h, (size_t)columns, (int64_t)(dims[0] < INT64_MAX ? dims[0] : INT64_MAX));
    if (!sound) {
        status = read_failed(h, name);
    } else if ((*row = zw_alloc(h->context, (size_t)dims[0] * (size_t)columns, sizeof **row, "events")) == NULL) {
        status = ZW_E_MEMORY;
    } else if (H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *row) < 0) {
        status = read_failed(h, name);
    } else {
        *rows = (int64_t)dims[0];
        *width = (int)dims[1];
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (d >= 0) {
        H5Dclose(d);
    }
    return status;
}

static zw_status get_ledger(zw_hdf5 *h) {
    int width;
    if (H5Lexists(h->file, "events", H5P_DEFAULT) <= 0) {
        return ZW_OK;
    }
    if (H5Lexists(h->file, "events/table", H5P_DEFAULT) > 0) {
        ZW_TRY(get_rows(h, "events/table", ZW_LEDGER_COLUMNS, ZW_LEDGER_COLUMNS_OLD, &h->ledger, &h->events, &width));
        if (width == ZW_LEDGER_COLUMNS_OLD) {
            double *wide = zw_alloc(h->context, (size_t)h->events * ZW_LEDGER_COLUMNS, sizeof *wide, "events");
            if (!wide) {
                return ZW_E_MEMORY;
            }
            zw_ledger_widen(h->ledger, h->events, wide);
            zw_free(h->context, h->ledger);
            h->ledger = wide;
        }
        ZW_TRY(get_text(h, "events/sides", &h->sides));
    }
    if (H5Lexists(h->file, "events/joints", H5P_DEFAULT) > 0) {
        ZW_TRY(get_rows(h, "events/joints", ZW_LEDGER_JOINT_COLUMNS, ZW_LEDGER_JOINT_COLUMNS, &h->joint, &h->joints, &width));
        ZW_TRY(get_text(h, "events/joint_names", &h->joint_names));
    }
    return ZW_OK;
}

static zw_status open_all(zw_hdf5 *h) {
    uint64_t format, complete, epochs;
    char     outcome[32];
    ZW_TRY(get_number(h, h->file, "format", &format));
    if (format != ZW_RESULTS_FORMAT) {
        return zw_raise(h->context, ZW_E_MISMATCH, h->path, "use the version of zwang that wrote it",
                        "has format %llu; this is zwang %s, which reads %d", (unsigned long long)format, zw_version(), ZW_RESULTS_FORMAT);
    }
    ZW_TRY(get_text_attribute(h, h->file, "zwang_version", h->version, sizeof h->version));
    ZW_TRY(get_number(h, h->file, "model_hash", &h->hash));
    ZW_TRY(get_number(h, h->file, "journal_size", &h->journal_size));
    ZW_TRY(get_number(h, h->file, "complete", &complete));
    ZW_TRY(get_text_attribute(h, h->file, "outcome", outcome, sizeof outcome));
    ZW_TRY(get_number(h, h->file, "epochs", &epochs));
    h->complete = complete == 1;
    for (int i = ZW_RUNNING; i <= ZW_DIVERGED; i++) {
        h->outcome = strcmp(outcome, zw_outcome_name((zw_outcome)i)) == 0 ? i : h->outcome;
    }
    ZW_TRY(get_text(h, "model", &h->text));
    ZW_TRY(get_text(h, "summary", &h->summary));
    if (epochs > EPOCHS_MOST) {
        return odd(h, "epochs", "is impossibly large");
    }
    h->epoch = zw_alloc(h->context, (size_t)epochs, sizeof *h->epoch, "the epochs of results");
    if (!h->epoch) {
        return ZW_E_MEMORY;
    }
    h->nepochs = (int)epochs;
    for (int i = 0; i < h->nepochs; i++) {
        ZW_TRY(open_epoch(h, i));
    }
    return get_ledger(h);
}

zw_status zw_hdf5_open(zw_context *c, const zw_directory *d, zw_hdf5 **out) {
    *out = NULL;
    zw_hdf5 *h = zw_alloc(c, 1, sizeof *h, "results");
    if (!h) {
        return ZW_E_MEMORY;
    }
    h->context = c;
    h->file = -1;
    h->path = zw_path_join(c, d->path, ZW_FILE_RESULTS);
    if (!h->path) {
        zw_free(c, h);
        return ZW_E_MEMORY;
    }
    zw_hdf5_guard guard;
    zw_hdf5_enter(&guard);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 10, 7) && !(H5_VERS_MAJOR == 1 && H5_VERS_MINOR == 12 && H5_VERS_RELEASE == 0)
    H5Pset_file_locking(access, 0, 1); /* results.h5 is never changed in place */
#endif
    h->file = H5Fopen(h->path, H5F_ACC_RDONLY, access);
    zw_status status = h->file >= 0 ? open_all(h) : read_failed(h, "/");
    H5Pclose(access);
    zw_hdf5_leave(&guard);
    if (status != ZW_OK) {
        zw_hdf5_close(h);
        return status;
    }
    *out = h;
    return ZW_OK;
}

/* one epoch at a time has its datasets open: with all of them, chunks in memory would grow with the number of epochs */
static void leave_epoch(zw_hdf5_epoch *e) {
    for (int i = 0; i < e->layout->nchannels; i++) {
        if (e->dataset[i] >= 0) {
            H5Dclose(e->dataset[i]);
            e->dataset[i] = -1;
        }
    }
}

zw_status zw_hdf5_read(zw_hdf5 *h, int epoch, int channel, int64_t first, int64_t count, double *out) {
    if (epoch < 0 || epoch >= h->nepochs || channel < 0 || channel >= h->epoch[epoch].layout->nchannels || first < 0 || count < 0 ||
        first > h->epoch[epoch].frames || count > h->epoch[epoch].frames - first) {
        return zw_raise(h->context, ZW_E_ARG, h->path, "ask for frames that are there",
                        "frames %lld to %lld of channel %d in epoch %d do not exist", (long long)first,
                        (long long)first + (long long)count - 1, channel, epoch);
    }
    zw_hdf5_epoch    *e = &h->epoch[epoch];
    const zw_channel *k = &e->layout->channel[channel];
    if (count == 0 || k->count == 0) {
        return ZW_OK;
    }
    zw_hdf5_guard guard;
    zw_hdf5_enter(&guard);
    if (h->reading != epoch) {
        leave_epoch(&h->epoch[h->reading]);
        h->reading = epoch;
    }
    if (e->dataset[channel] < 0) {
        char name[sizeof k->name + 32];
        snprintf(name, sizeof name, "/epoch%d/%s", epoch, k->name);
        /* datasets stay open: their chunks in memory share what one may have */
        e->dataset[channel] = open_dataset(h->file, name, (size_t)CHUNKS_TOGETHER / (size_t)e->layout->nchannels);
    }
    hsize_t start[RANK_MOST] = {(hsize_t)first}, size[RANK_MOST] = {(hsize_t)count};
    for (int i = 0; i < k->rank; i++) {
        size[i + 1] = (hsize_t)k->shape[i];
    }
    zw_status status;
    if (e->dataset[channel] < 0) {
        status = read_failed(h, k->name);
    } else {
        hid_t there = H5Dget_space(e->dataset[channel]), here = H5Screate_simple(k->rank + 1, size, NULL);
        bool  ok = there >= 0 && here >= 0 && H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                  H5Dread(e->dataset[channel], H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, out) >= 0;
        status = ok ? ZW_OK : read_failed(h, k->name);
        H5Sclose(there);
        H5Sclose(here);
    }
    zw_hdf5_leave(&guard);
    return status;
}

void zw_hdf5_close(zw_hdf5 *h) {
    if (h) {
        zw_context   *c = h->context;
        zw_hdf5_guard guard;
        zw_hdf5_enter(&guard);
        if (h->file >= 0) {
            H5Fclose(h->file); /* with all its datasets */
        }
        zw_hdf5_leave(&guard);
        for (int i = 0; i < h->nepochs; i++) {
            zw_free(c, h->epoch[i].layout);
            zw_free(c, h->epoch[i].dataset);
        }
        zw_free(c, h->epoch);
        zw_free(c, h->sides);
        zw_free(c, h->ledger);
        zw_free(c, h->joint_names);
        zw_free(c, h->joint);
        zw_free(c, h->text);
        zw_free(c, h->summary);
        zw_free(c, h->path);
        zw_free(c, h);
    }
}

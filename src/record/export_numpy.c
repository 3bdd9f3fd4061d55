/* SPDX-License-Identifier: Apache-2.0
 * export_numpy.c: results as one .npz file: a ZIP of .npy arrays, which numpy.load opens by name.
 *
 *   time                  [frames]
 *   rod/beam/position     [frames, nodes, 3]: every channel under its name, time first
 *   constant/rod/beam/... what does not change
 *
 * float64, little-endian, C order, .npy format 1.0. With several epochs each name begins with epochN/. The sizes are known from the
 * start, so all arrays are filled side by side in one pass over the frames. */
#define _POSIX_C_SOURCE 200809L
#include "record/export.h"

#include "record/file.h"
#include "record/zip.h"

#include <stdio.h>
#include <string.h>

enum { HEAD_MOST = 192, NAME_ROOM = 160 };

/* the head of an .npy file: magic, version, length, a Python dictionary, spaces up to a multiple of 64; gives its length */
static size_t npy_head(const zw_channel *k, int64_t frames, char out[HEAD_MOST]) {
    static const char magic[] = "\x93NUMPY\x01";
    int               n = 10;
    memset(out, 0, (size_t)n);
    memcpy(out, magic, sizeof magic - 1);
    n += snprintf(out + n, HEAD_MOST - (size_t)n, "{'descr': '<f8', 'fortran_order': False, 'shape': (");
    if (frames >= 0) {
        n += snprintf(out + n, HEAD_MOST - (size_t)n, "%lld,", (long long)frames);
    }
    for (int i = 0; i < k->rank; i++) {
        n += snprintf(out + n, HEAD_MOST - (size_t)n, "%s%d,", i > 0 || frames >= 0 ? " " : "", k->shape[i]);
    }
    if ((frames >= 0) + k->rank > 1) { /* a tuple of one keeps its comma */
        n--;
    }
    n += snprintf(out + n, HEAD_MOST - (size_t)n, "), }");
    size_t size = ((size_t)n + 1 + 63) / 64 * 64;
    memset(out + n, ' ', size - (size_t)n - 1);
    out[size - 1] = '\n';
    out[8] = (char)(unsigned char)((size - 10) & 0xFF);
    out[9] = (char)(unsigned char)((size - 10) >> 8);
    return size;
}

typedef struct npz {
    zw_context *context;
    zw_results *results;
    zw_zip      zip;
    const char *directory, *name;
} npz;

static zw_status put(npz *x, size_t entry, const void *bytes, size_t n) {
    int error = zw_zip_put(&x->zip, entry, bytes, n);
    if (error != 0) {
        zw_file_raise(x->context, error, x->directory, x->name, "writing");
        return ZW_E_IO;
    }
    return ZW_OK;
}

static zw_status add_array(npz *x, int epoch, const zw_channel *k, int64_t frames) {
    char     head[HEAD_MOST], prefix[32] = "", name[NAME_ROOM];
    uint64_t rows = frames < 0 ? 1 : (uint64_t)frames;
    if (zw_results_epochs(x->results) > 1) {
        snprintf(prefix, sizeof prefix, "epoch%d/", epoch);
    }
    snprintf(name, sizeof name, "%s%s%s.npy", prefix, frames < 0 ? "constant/" : "", k->name);
    if (k->count > 0 && rows > INT64_MAX / 16 / k->count) {
        return zw_raise(x->context, ZW_E_LIMIT, k->name, "export from a machine that can hold it", "is too large for a file");
    }
    return zw_zip_add(&x->zip, name, npy_head(k, frames, head) + rows * k->count * sizeof(double));
}

static zw_status add_epoch(npz *x, int epoch) {
    const zw_layout *l = zw_results_layout(x->results, epoch);
    for (int i = 0; i < l->nchannels; i++) {
        ZW_TRY(add_array(x, epoch, &l->channel[i], zw_results_frames(x->results, epoch)));
    }
    for (int i = 0; i < l->nconstants; i++) {
        ZW_TRY(add_array(x, epoch, &l->constant[i], -1));
    }
    return ZW_OK;
}

/* entries from entry0 on */
static zw_status put_epoch(npz *x, int epoch, size_t entry0) {
    const zw_layout *l = zw_results_layout(x->results, epoch);
    int64_t          frames = zw_results_frames(x->results, epoch);
    char             head[HEAD_MOST];
    size_t           widest = l->constants_width;
    for (int i = 0; i < l->nchannels; i++) {
        ZW_TRY(put(x, entry0 + (size_t)i, head, npy_head(&l->channel[i], frames, head)));
    }
    size_t most = zw_export_rows(l->width, frames);
    for (int i = 0; i < l->nchannels; i++) {
        widest = most * l->channel[i].count > widest ? most * l->channel[i].count : widest;
    }
    double *block = zw_alloc(x->context, widest, sizeof *block, "exporting results");
    if (!block) {
        return ZW_E_MEMORY;
    }
    zw_status status = ZW_OK;
    for (int i = 0; i < l->nconstants && status == ZW_OK; i++) {
        const zw_channel *k = &l->constant[i];
        size_t            entry = entry0 + (size_t)l->nchannels + (size_t)i;
        status = put(x, entry, head, npy_head(k, -1, head));
        if (status == ZW_OK && k->count > 0) {
            memcpy(block, l->constants + k->offset, k->count * sizeof *block);
            zw_export_order_bytes(block, k->count, sizeof *block);
            status = put(x, entry, block, k->count * sizeof *block);
        }
    }
    for (int64_t first = 0; first < frames && status == ZW_OK;) {
        size_t rows = (uint64_t)(frames - first) < most ? (size_t)(frames - first) : most;
        status = zw_export_go_on(x->context);
        for (int i = 0; i < l->nchannels && status == ZW_OK; i++) {
            size_t n = rows * l->channel[i].count;
            status = zw_results_read(x->results, epoch, i, first, (int64_t)rows, block);
            if (status == ZW_OK) {
                zw_export_order_bytes(block, n, sizeof *block);
                status = put(x, entry0 + (size_t)i, block, n * sizeof *block);
            }
        }
        first += (int64_t)rows;
    }
    zw_free(x->context, block);
    return status;
}

static zw_status put_all(npz *x) {
    int epochs = zw_results_epochs(x->results);
    for (int e = 0; e < epochs; e++) {
        ZW_TRY(add_epoch(x, e));
    }
    size_t entry = 0;
    for (int e = 0; e < epochs; e++) {
        const zw_layout *l = zw_results_layout(x->results, e);
        ZW_TRY(put_epoch(x, e, entry));
        entry += (size_t)l->nchannels + (size_t)l->nconstants;
    }
    int       error;
    zw_status status = zw_zip_finish(&x->zip, &error);
    if (error != 0) {
        zw_file_raise(x->context, error, x->directory, x->name, "writing");
        return ZW_E_IO;
    }
    return status;
}

zw_status zw_export_numpy(zw_context *c, const char *directory, const char *out_file, bool force) {
    if (!c) {
        return ZW_E_ARG;
    }
    npz x = {.context = c};
    ZW_TRY(zw_export_open(c, directory, &x.results));
    zw_directory d;
    int          fd = -1;
    zw_status    status = zw_export_place(c, out_file, force, &d, &x.name);
    if (status == ZW_OK) {
        status = zw_file_begin(c, d.fd, d.path, x.name, &fd);
    }
    if (status == ZW_OK) {
        x.directory = d.path;
        zw_zip_init(&x.zip, c, fd);
        status = put_all(&x);
        zw_zip_destroy(&x.zip);
        if (status == ZW_OK) {
            status = zw_file_commit(c, d.fd, d.path, x.name, fd);
        } else {
            zw_file_abandon(d.fd, x.name, fd);
        }
    }
    zw_directory_close(&d);
    zw_results_close(x.results);
    return zw_export_error(c, status);
}

/* SPDX-License-Identifier: Apache-2.0
 * export_numpy.c: results as one .npz file: a ZIP of .npy arrays, which numpy.load opens by name.
 *
 *   time                  [frames]
 *   rod/beam/position     [frames, nodes, 3]: every channel under its name, time first
 *   constant/rod/beam/... what does not change
 *
 * float64, little-endian, C order, .npy format 1.0. With several epochs, what has one shape in all of them is one array over all frames;
 * what changes its size has an array per epoch, epochN/rod/beam/position beside epochN/time, and so have constants that change. The sizes
 * are known from the start, so all arrays are filled side by side in one pass over the frames. */
#define _POSIX_C_SOURCE 200809L
#include "record/export.h"

#include "record/file.h"
#include "record/layout.h"
#include "record/zip.h"

#include <stdio.h>
#include <string.h>

enum { HEAD_MOST = 192, NAME_ROOM = 160 };
#define NONE SIZE_MAX

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

typedef struct npz_array {
    const zw_channel *channel;
    int64_t           frames;   /* -1: a constant */
    const double     *constant; /* its values     */
} npz_array;

typedef struct npz {
    zw_context *context;
    zw_results *results;
    zw_zip      zip;
    const char *directory, *name;
    npz_array  *array;
    size_t      narrays;
    int         first;      /* epoch with frames             */
    size_t     *whole;      /* [its channels] entry, or NONE */
    bool       *everywhere; /* [constants of epoch 0]        */
    size_t    **own;        /* [epochs][channels] likewise; NULL: there is only one epoch */
} npz;

static zw_status put(npz *x, size_t entry, const void *bytes, size_t n) {
    int error = zw_zip_put(&x->zip, entry, bytes, n);
    if (error != 0) {
        zw_file_raise(x->context, error, x->directory, x->name, "writing");
        return ZW_E_IO;
    }
    return ZW_OK;
}

/* epoch < 0: over all of them */
static zw_status add_array(npz *x, int epoch, const zw_channel *k, int64_t frames, const double *constant, size_t *entry) {
    char     head[HEAD_MOST], prefix[32] = "", name[NAME_ROOM];
    uint64_t rows = frames < 0 ? 1 : (uint64_t)frames;
    if (epoch >= 0) {
        snprintf(prefix, sizeof prefix, "epoch%d/", epoch);
    }
    snprintf(name, sizeof name, "%s%s%s.npy", prefix, frames < 0 ? "constant/" : "", k->name);
    if (k->count > 0 && rows > INT64_MAX / 16 / k->count) {
        return zw_raise(x->context, ZW_E_LIMIT, k->name, "export from a machine that can hold it", "is too large for a file");
    }
    if ((x->narrays & (x->narrays + 1)) == 0) { /* room for 1, 3, 7, ... */
        npz_array *more = zw_resize(x->context, x->array, 2 * x->narrays + 1, sizeof *more, "the arrays of an export");
        if (!more) {
            return ZW_E_MEMORY;
        }
        x->array = more;
    }
    *entry = x->narrays;
    x->array[x->narrays++] = (npz_array){.channel = k, .frames = frames, .constant = constant};
    return zw_zip_add(&x->zip, name, npy_head(k, frames, head) + rows * k->count * sizeof(double));
}

/* is a constant of the first epoch the same in all others? */
static bool is_everywhere(const npz *x, int constant) {
    const zw_layout  *l = zw_results_layout(x->results, 0);
    const zw_channel *k = &l->constant[constant];
    bool              same = true;
    for (int e = 1; e < zw_results_epochs(x->results) && same; e++) {
        const zw_layout *m = zw_results_layout(x->results, e);
        int              i = zw_layout_constant(m, k->name, constant);
        same = i >= 0 && zw_channel_alike(k, &m->constant[i]) &&
               (k->count == 0 || memcmp(l->constants + k->offset, m->constants + m->constant[i].offset, k->count * sizeof(double)) == 0);
    }
    return same;
}

/* what has one shape in all epochs that have frames; its numbers go to entries x->whole, in the order of x->first */
static zw_status add_whole(npz *x) {
    while (x->first + 1 < zw_results_epochs(x->results) && zw_results_frames(x->results, x->first) == 0) {
        x->first++;
    }
    const zw_layout *l = zw_results_layout(x->results, x->first), *l0 = zw_results_layout(x->results, 0);
    size_t           entry;
    x->whole = zw_alloc(x->context, (size_t)l->nchannels, sizeof *x->whole, "the arrays of an export");
    x->everywhere = zw_alloc(x->context, (size_t)l0->nconstants + 1, sizeof *x->everywhere, "the arrays of an export");
    if (!x->whole || !x->everywhere) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < l->nchannels; i++) {
        x->whole[i] = NONE;
        if (zw_results_epochs(x->results) == 1 || zw_results_steady(x->results, l->channel[i].name)) {
            ZW_TRY(add_array(x, -1, &l->channel[i], zw_results_total(x->results), NULL, &x->whole[i]));
        }
    }
    for (int i = 0; i < l0->nconstants; i++) {
        x->everywhere[i] = is_everywhere(x, i);
        if (x->everywhere[i]) {
            ZW_TRY(add_array(x, -1, &l0->constant[i], -1, l0->constants + l0->constant[i].offset, &entry));
        }
    }
    return ZW_OK;
}

static size_t whole_entry(const npz *x, const zw_channel *k, int near) {
    int i = zw_layout_channel(zw_results_layout(x->results, x->first), k->name, near);
    return i >= 0 ? x->whole[i] : NONE;
}

/* what an epoch has for itself: what changes its size, its times, and constants that change */
static zw_status add_epoch(npz *x, int epoch) {
    const zw_layout *l = zw_results_layout(x->results, epoch), *l0 = zw_results_layout(x->results, 0);
    int64_t          frames = zw_results_frames(x->results, epoch);
    x->own[epoch] = zw_alloc(x->context, (size_t)l->nchannels, sizeof **x->own, "the arrays of an export");
    if (!x->own[epoch]) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < l->nchannels; i++) {
        x->own[epoch][i] = NONE;
        if (i == 0 || (frames > 0 && whole_entry(x, &l->channel[i], i) == NONE)) {
            ZW_TRY(add_array(x, epoch, &l->channel[i], frames, NULL, &x->own[epoch][i]));
        }
    }
    for (int i = 0; i < l->nconstants; i++) {
        int    at = zw_layout_constant(l0, l->constant[i].name, i);
        size_t entry;
        if (at < 0 || !x->everywhere[at]) {
            ZW_TRY(add_array(x, epoch, &l->constant[i], -1, l->constants + l->constant[i].offset, &entry));
        }
    }
    return ZW_OK;
}

/* heads of all arrays, and the constants */
static zw_status put_heads(npz *x) {
    enum { SOME = 256 };
    char   head[HEAD_MOST];
    double block[SOME];
    for (size_t i = 0; i < x->narrays; i++) {
        const npz_array *a = &x->array[i];
        ZW_TRY(put(x, i, head, npy_head(a->channel, a->frames, head)));
        for (size_t k = 0; a->constant && k < a->channel->count; k += SOME) {
            size_t n = a->channel->count - k < SOME ? a->channel->count - k : SOME;
            memcpy(block, a->constant + k, n * sizeof *block);
            zw_export_order_bytes(block, n, sizeof *block);
            ZW_TRY(put(x, i, block, n * sizeof *block));
        }
    }
    return ZW_OK;
}

static zw_status put_epoch(npz *x, int epoch) {
    const zw_layout *l = zw_results_layout(x->results, epoch);
    int64_t          frames = zw_results_frames(x->results, epoch);
    size_t           most = zw_export_rows(l->width, frames), widest = 1;
    for (int i = 0; i < l->nchannels; i++) {
        widest = most * l->channel[i].count > widest ? most * l->channel[i].count : widest;
    }
    double   *block = zw_alloc(x->context, widest, sizeof *block, "exporting results");
    zw_status status = block ? ZW_OK : ZW_E_MEMORY;
    for (int64_t first = 0; first < frames && status == ZW_OK;) {
        size_t rows = (uint64_t)(frames - first) < most ? (size_t)(frames - first) : most;
        status = zw_export_go_on(x->context);
        for (int i = 0; i < l->nchannels && status == ZW_OK; i++) {
            size_t n = rows * l->channel[i].count, to[2] = {whole_entry(x, &l->channel[i], i), x->own[epoch] ? x->own[epoch][i] : NONE};
            status = zw_results_read(x->results, epoch, i, first, (int64_t)rows, block);
            if (status == ZW_OK) {
                zw_export_order_bytes(block, n, sizeof *block);
            }
            for (int k = 0; k < 2 && status == ZW_OK; k++) {
                status = to[k] != NONE ? put(x, to[k], block, n * sizeof *block) : ZW_OK;
            }
        }
        first += (int64_t)rows;
    }
    zw_free(x->context, block);
    return status;
}

static zw_status put_all(npz *x) {
    int epochs = zw_results_epochs(x->results);
    x->own = zw_alloc(x->context, (size_t)epochs, sizeof *x->own, "the arrays of an export");
    if (!x->own) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(add_whole(x));
    for (int e = 0; e < epochs && epochs > 1; e++) {
        ZW_TRY(add_epoch(x, e));
    }
    ZW_TRY(put_heads(x));
    for (int e = 0; e < epochs; e++) {
        ZW_TRY(put_epoch(x, e));
    }
    int       error;
    zw_status status = zw_zip_finish(&x->zip, &error);
    if (error != 0) {
        zw_file_raise(x->context, error, x->directory, x->name, "writing");
        return ZW_E_IO;
    }
    return status;
}

static void forget(npz *x) {
    for (int e = 0; x->own && e < zw_results_epochs(x->results); e++) {
        zw_free(x->context, x->own[e]);
    }
    zw_free(x->context, x->own);
    zw_free(x->context, x->whole);
    zw_free(x->context, x->everywhere);
    zw_free(x->context, x->array);
    zw_zip_destroy(&x->zip);
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
        forget(&x);
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

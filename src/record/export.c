/* SPDX-License-Identifier: Apache-2.0
 * export.c: what the exporters share. */
#define _POSIX_C_SOURCE 200809L
#include "record/export.h"

#include "record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

zw_status zw_export_exists(zw_context *c, const char *path) {
    return zw_raise(c, ZW_E_EXISTS, path, "give --force to replace it, or another place with -o", "is there already");
}

zw_status zw_export_error(zw_context *c, zw_status status) {
    zw_error *e = zw_error_last(c);
    if (status == ZW_E_IO && e && strstr(e->remedy, "--resume")) {
        snprintf(e->remedy, sizeof e->remedy, "make room, or name another place with -o, and export again; the results are untouched");
    }
    return status;
}

zw_status zw_export_go_on(zw_context *c) {
    if (zw_context_cancelled(c)) {
        return zw_raise(c, ZW_E_CANCELLED, "export", "export again; the results are untouched", "was interrupted");
    }
    return ZW_OK;
}

zw_status zw_export_open(zw_context *c, const char *directory, zw_results **out) {
    ZW_TRY(zw_results_open(c, directory, out));
    if (zw_results_epochs(*out) == 0) {
        zw_results_close(*out);
        *out = NULL;
        return zw_raise(c, ZW_E_NO_INPUT, directory, "run the model again, or wait for the run that has just begun",
                        "holds a run that has not recorded anything");
    }
    return ZW_OK;
}

zw_status zw_export_place(zw_context *c, const char *file, bool force, zw_directory *d, const char **name) {
    *d = (zw_directory){.context = c, .fd = -1, .lock = -1};
    const char *slash = file ? strrchr(file, '/') : NULL;
    *name = slash ? slash + 1 : file;
    if (!*name || !**name || strcmp(*name, ".") == 0 || strcmp(*name, "..") == 0) {
        return zw_raise(c, ZW_E_ARG, file ? file : "output", "give the name of a file", "is not the name of a file");
    }
    char *parent = slash == file ? zw_strdup(c, "/") : slash ? zw_strndup(c, file, (size_t)(slash - file)) : zw_strdup(c, ".");
    if (!parent) {
        return ZW_E_MEMORY;
    }
    zw_status status = zw_directory_create(c, parent, d);
    zw_free(c, parent);
    struct stat info;
    if (status != ZW_OK) {
        return zw_export_error(c, status);
    }
    if (fstatat(d->fd, *name, &info, 0) == 0) {
        if (S_ISDIR(info.st_mode)) {
            status = zw_raise(c, ZW_E_IO, file, "name a file in it: -o DIR/results.npz", "is a directory");
        } else if (!force) {
            status = zw_export_exists(c, file);
        }
    }
    if (status != ZW_OK) {
        zw_directory_close(d);
    }
    return status;
}

size_t zw_export_rows(size_t width, int64_t frames) {
    size_t rows = width > 0 ? ZW_EXPORT_SLAB / sizeof(double) / width : ZW_EXPORT_SLAB;
    rows = (uint64_t)frames < rows ? (size_t)frames : rows;
    return rows < 1 ? 1 : rows;
}

void zw_export_order_bytes(void *numbers, size_t n, size_t size) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    unsigned char *p = numbers;
    for (size_t i = 0; i < n; i++, p += size) {
        for (size_t j = 0; j < size / 2; j++) {
            unsigned char kept = p[j];
            p[j] = p[size - 1 - j];
            p[size - 1 - j] = kept;
        }
    }
#else
    (void)numbers, (void)n, (void)size;
#endif
}

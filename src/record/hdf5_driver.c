/* SPDX-License-Identifier: Apache-2.0
 * hdf5_driver.c: a file driver for HDF5 over a descriptor.
 *
 * HDF5 (1.10.8, sec2 driver) cannot close a file whose writes fail: on a full disk it leaks, prints "infinite loop closing library" or
 * crashes when the process exits. So writes never fail for it: the first error is remembered in the sink, what comes after is dropped, and
 * the caller, who asks the sink after every call, closes the file as usual and throws it away. Besides, nothing depends on paths or on the
 * file locks that some file systems do not have. */
#define _POSIX_C_SOURCE 200809L
#include "record/hdf5_driver.h"

#include "record/file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

/* the driver information of an access list: one pointer, copied as it is */
typedef struct sink_info {
    zw_hdf5_sink *sink;
} sink_info;

typedef struct sink_file {
    H5FD_t        base; /* HDF5's part comes first */
    zw_hdf5_sink *sink;
    haddr_t       eoa, eof;
} sink_file;

static sink_file *of(H5FD_t *file) {
    return (sink_file *)(void *)file;
}

static const sink_file *of_const(const H5FD_t *file) {
    return (const sink_file *)(const void *)file;
}

static H5FD_t *sink_open(const char *name, unsigned flags, hid_t access, haddr_t most) {
    (void)name, (void)flags, (void)most;
    const sink_info *info = H5Pget_driver_info(access);
    sink_file       *f = info ? calloc(1, sizeof *f) : NULL; /* HDF5 frees nothing of it: sink_close does */
    if (!f) {
        return NULL;
    }
    f->sink = info->sink;
    return &f->base;
}

static herr_t sink_close(H5FD_t *file) {
    free(of(file));
    return 0;
}

static int sink_compare(const H5FD_t *a, const H5FD_t *b) {
    intptr_t x = (intptr_t)of_const(a)->sink, y = (intptr_t)of_const(b)->sink;
    return x < y ? -1 : x > y;
}

static herr_t sink_query(const H5FD_t *file, unsigned long *flags) {
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t sink_eoa(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return of_const(file)->eoa;
}

static herr_t sink_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address) {
    (void)type;
    of(file)->eoa = address;
    return 0;
}

static haddr_t sink_eof(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return of_const(file)->eof;
}

/* what was never written, or was dropped, reads as zeros */
static herr_t sink_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *buffer) {
    (void)type, (void)transfer;
    zw_hdf5_sink *sink = of(file)->sink;
    size_t        got = 0;
    int           error = zw_file_get(sink->fd, address, buffer, size, &got);
    memset((char *)buffer + got, 0, size - got);
    if (error != 0 && sink->error == 0) {
        sink->error = error;
    }
    return 0;
}

static herr_t sink_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, const void *buffer) {
    (void)type, (void)transfer;
    sink_file  *f = of(file);
    const char *p = buffer;
    f->eof = address + size > f->eof ? address + size : f->eof;
    while (size > 0 && f->sink->error == 0) {
        ssize_t n = address <= (haddr_t)INT64_MAX - size ? pwrite(f->sink->fd, p, size, (off_t)address) : -1;
        if (n > 0) {
            p += n;
            address += (haddr_t)n;
            size -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            f->sink->error = n == 0 ? EIO : errno;
        }
    }
    return 0;
}

/* the file is as long as HDF5 believes */
static herr_t sink_truncate(H5FD_t *file, hid_t transfer, hbool_t closing) {
    (void)transfer, (void)closing;
    sink_file *f = of(file);
    if (f->eoa != f->eof && f->sink->error == 0) {
        if (ftruncate(f->sink->fd, (off_t)f->eoa) != 0) {
            f->sink->error = errno;
        }
        f->eof = f->eoa;
    }
    return 0;
}

static const H5FD_class_t sink_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)513, /* of the range for private drivers */
#endif
    .name = "zwang",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(sink_info),
    .open = sink_open,
    .close = sink_close,
    .cmp = sink_compare,
    .query = sink_query,
    .get_eoa = sink_eoa,
    .set_eoa = sink_set_eoa,
    .get_eof = sink_eof,
    .read = sink_read,
    .write = sink_write,
    .truncate = sink_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t zw_hdf5_sink_access(zw_hdf5_sink *sink, hid_t *driver) {
    sink_info info = {.sink = sink};
    hid_t     access = H5Pcreate(H5P_FILE_ACCESS);
    *driver = H5FDregister(&sink_class);
    if (access >= 0 && (*driver < 0 || H5Pset_driver(access, *driver, &info) < 0 || H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0)) {
        H5Pclose(access);
        access = -1;
    }
    return access;
}

/* SPDX-License-Identifier: Apache-2.0
 * pack.c: results.h5 again, compressed: every array of some size is shuffled (byte k of all numbers together) and deflated, and all else is
 * copied. The new file is written beside the old one, closed, forced to the disk, opened again, and compared with the old one object by
 * object: names, links, types, shapes, attributes, every number as bits. Only then it takes the old one's place. */
#define _POSIX_C_SOURCE 200809L
#include "zwang/results.h"

#include "record/export.h"
#include "record/file.h"
#include "record/hdf5_compare.h"
#include "record/hdf5_driver.h"
#include "record/hdf5_guard.h"
#include "record/recover.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* arrays below SMALL stay as they are, in one piece: the index of their chunks would cost more than compression gains */
enum { SMALL = 8 << 10, CHUNK_BYTES = 256 << 10, SLAB = 8 << 20, NAME_MOST = 256 };

typedef struct packer {
    zw_context   *context;
    const char   *path; /* of the old file, for messages */
    zw_hdf5_sink *sink; /* of the new one                */
    int           deflate;
    hid_t         links;
} packer;

static zw_status failed(const packer *p, const char *object) {
    if (p->sink->error != 0) {
        zw_file_raise(p->context, p->sink->error, p->path, "", "writing the packed file");
        return ZW_E_IO;
    }
    return zw_hdf5_raise(p->context, ZW_E_FORMAT, p->path, "packing", object);
}

static void close_if(hid_t id, herr_t (*closer)(hid_t)) {
    if (id >= 0) {
        closer(id);
    }
}

/* ---- attributes ---- */

static zw_status copy_attribute(const packer *p, hid_t from, hid_t to) {
    char  name[NAME_MOST] = "";
    hid_t type = H5Aget_type(from), space = H5Aget_space(from);
    H5Aget_name(from, sizeof name, name);
    hssize_t  points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    size_t    size = type >= 0 ? H5Tget_size(type) : 0;
    zw_status status = points < 0 || size == 0 ? failed(p, name) : ZW_OK;
    void     *bytes = status == ZW_OK ? zw_alloc(p->context, (size_t)points + 1, size, "an attribute") : NULL;
    if (status == ZW_OK && !bytes) {
        status = ZW_E_MEMORY;
    }
    if (status == ZW_OK) {
        hid_t a = H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        bool  read = a >= 0 && H5Aread(from, type, bytes) >= 0;
        if (!read || H5Awrite(a, type, bytes) < 0) {
            status = failed(p, name);
        }
        if (read) {
            H5Dvlen_reclaim(type, space, H5P_DEFAULT, bytes); /* does nothing when nothing varies in length */
        }
        close_if(a, H5Aclose);
    }
    zw_free(p->context, bytes);
    close_if(type, H5Tclose);
    close_if(space, H5Sclose);
    return status;
}

static zw_status copy_attributes(const packer *p, hid_t from, hid_t to) {
    int       n = zw_hdf5_attributes(from);
    zw_status status = n < 0 ? failed(p, "attributes") : ZW_OK;
    for (int i = 0; i < n && status == ZW_OK; i++) {
        hid_t a = H5Aopen_by_idx(from, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, H5P_DEFAULT, H5P_DEFAULT);
        status = a >= 0 ? copy_attribute(p, a, to) : failed(p, "attributes");
        close_if(a, H5Aclose);
    }
    return status;
}

/* ---- arrays ---- */

static zw_status copy_rows(const packer *p, const char *name, hid_t from, hid_t to, hid_t type, int rank, const hsize_t *dims) {
    size_t size = H5Tget_size(type), row = size;
    for (int i = 1; i < rank; i++) {
        row *= (size_t)dims[i];
    }
    size_t most = row < SLAB ? SLAB / row : 1;
    most = most > dims[0] ? (size_t)dims[0] : most;
    void *slab = zw_alloc(p->context, most, row, "packing results");
    if (!slab) {
        return ZW_E_MEMORY;
    }
    zw_status status = ZW_OK;
    hsize_t   start[H5S_MAX_RANK] = {0}, count[H5S_MAX_RANK];
    memcpy(count, dims, (size_t)rank * sizeof *count);
    while (start[0] < dims[0] && status == ZW_OK) {
        count[0] = dims[0] - start[0] < most ? dims[0] - start[0] : (hsize_t)most;
        hid_t there = H5Dget_space(from), goal = H5Dget_space(to), here = H5Screate_simple(rank, count, NULL);
        bool  ok = there >= 0 && goal >= 0 && here >= 0 && H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                  H5Sselect_hyperslab(goal, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                  H5Dread(from, type, here, there, H5P_DEFAULT, slab) >= 0 && H5Dwrite(to, type, here, goal, H5P_DEFAULT, slab) >= 0 &&
                  p->sink->error == 0;
        status = ok ? zw_export_go_on(p->context) : failed(p, name);
        close_if(there, H5Sclose);
        close_if(goal, H5Sclose);
        close_if(here, H5Sclose);
        start[0] += count[0];
    }
    zw_free(p->context, slab);
    return status;
}

/* chunks: those of the old file, else as many rows as fit into CHUNK_BYTES */
static hid_t new_plan(const packer *p, hid_t old, bool small, int rank, const hsize_t *dims, size_t size) {
    hsize_t chunk[H5S_MAX_RANK];
    size_t  row = size;
    hid_t   plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plan, 0);
    if (small) {
        return plan;
    }
    for (int i = 1; i < rank; i++) {
        row *= (size_t)dims[i];
    }
    if (H5Pget_layout(old) != H5D_CHUNKED || H5Pget_chunk(old, rank, chunk) != rank) {
        memcpy(chunk, dims, (size_t)rank * sizeof *chunk);
        hsize_t rows = row < CHUNK_BYTES ? CHUNK_BYTES / row : 1;
        chunk[0] = rows < dims[0] ? rows : dims[0];
    }
    if (H5Pset_chunk(plan, rank, chunk) < 0 || H5Pset_shuffle(plan) < 0 || H5Pset_deflate(plan, (unsigned)p->deflate) < 0) {
        H5Pclose(plan);
        plan = -1;
    }
    return plan;
}

/* a dataset of plain numbers, or H5Ocopy of anything else */
static zw_status copy_dataset(const packer *p, hid_t from, hid_t from_group, hid_t to_group, const char *name) {
    hid_t   type = H5Dget_type(from), space = H5Dget_space(from), old = H5Dget_create_plist(from);
    hsize_t dims[H5S_MAX_RANK] = {0};
    int     rank = space >= 0 ? H5Sget_simple_extent_dims(space, dims, NULL) : -1;
    H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    hssize_t  points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    zw_status status = ZW_OK;
    if (rank < 0 || points < 0 || old < 0) {
        status = failed(p, name);
    } else if ((class != H5T_FLOAT && class != H5T_INTEGER) || rank == 0 || points == 0) {
        status = H5Ocopy(from_group, name, to_group, name, H5P_DEFAULT, p->links) >= 0 ? ZW_OK : failed(p, name);
    } else {
        bool  small = (uint64_t)points * H5Tget_size(type) < SMALL;
        hid_t plain = H5Screate_simple(rank, dims, NULL), plan = new_plan(p, old, small, rank, dims, H5Tget_size(type));
        hid_t to = plan >= 0 ? H5Dcreate2(to_group, name, type, small ? plain : space, p->links, plan, H5P_DEFAULT) : -1;
        status = to >= 0 ? copy_attributes(p, from, to) : failed(p, name);
        if (status == ZW_OK) {
            status = copy_rows(p, name, from, to, type, rank, dims);
        }
        if (to >= 0 && H5Dclose(to) < 0 && status == ZW_OK) {
            status = failed(p, name);
        }
        close_if(plan, H5Pclose);
        close_if(plain, H5Sclose);
    }
    close_if(old, H5Pclose);
    close_if(space, H5Sclose);
    close_if(type, H5Tclose);
    return status;
}

/* ---- groups ---- */

static zw_status copy_group(const packer *p, hid_t from, hid_t to);

static zw_status copy_soft_link(const packer *p, hid_t from, hid_t to, const char *name, size_t size) {
    char     *target = zw_alloc(p->context, size + 1, 1, "a link");
    zw_status status = target ? ZW_OK : ZW_E_MEMORY;
    if (status == ZW_OK &&
        (H5Lget_val(from, name, target, size, H5P_DEFAULT) < 0 || H5Lcreate_soft(target, to, name, p->links, H5P_DEFAULT) < 0)) {
        status = failed(p, name);
    }
    zw_free(p->context, target);
    return status;
}

static zw_status copy_object(const packer *p, hid_t from, hid_t to, const char *name) {
    hid_t      object = H5Oopen(from, name, H5P_DEFAULT);
    H5I_type_t kind = object >= 0 ? H5Iget_type(object) : H5I_BADID;
    zw_status  status;
    if (object < 0) {
        status = failed(p, name);
    } else if (kind == H5I_DATASET) {
        status = copy_dataset(p, object, from, to, name);
    } else if (kind == H5I_GROUP) {
        hid_t group = H5Gcreate2(to, name, p->links, H5P_DEFAULT, H5P_DEFAULT);
        status = group >= 0 ? copy_group(p, object, group) : failed(p, name);
        close_if(group, H5Gclose);
    } else {
        status = H5Ocopy(from, name, to, name, H5P_DEFAULT, p->links) >= 0 ? ZW_OK : failed(p, name);
    }
    close_if(object, H5Oclose);
    return status;
}

static zw_status copy_group(const packer *p, hid_t from, hid_t to) {
    H5G_info_t info;
    if (H5Gget_info(from, &info) < 0) {
        return failed(p, "a group");
    }
    zw_status status = copy_attributes(p, from, to);
    for (hsize_t i = 0; i < info.nlinks && status == ZW_OK; i++) {
        char       name[NAME_MOST];
        H5L_info_t link;
        ssize_t    n = H5Lget_name_by_idx(from, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        if (n <= 0 || (size_t)n >= sizeof name || H5Lget_info(from, name, &link, H5P_DEFAULT) < 0) {
            status = failed(p, "a group");
        } else if (link.type == H5L_TYPE_HARD) {
            status = copy_object(p, from, to, name);
        } else if (link.type == H5L_TYPE_SOFT) {
            status = copy_soft_link(p, from, to, name, link.u.val_size);
        } else {
            status =
                zw_raise(p->context, ZW_E_FORMAT, p->path, "remove it, or pack with h5repack", "'%s' is a link into another file", name);
        }
    }
    return status;
}

/* ---- the file ---- */

/* a name that H5Fopen takes; the file is never written to, so it needs no lock */
static hid_t open_file(const char *path) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 10, 7) && !(H5_VERS_MAJOR == 1 && H5_VERS_MINOR == 12 && H5_VERS_RELEASE == 0)
    H5Pset_file_locking(access, 0, 1);
#endif
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

static zw_status write_copy(const packer *p, hid_t old) {
    hid_t     driver, access = zw_hdf5_sink_access(p->sink, &driver);
    hid_t     file = access >= 0 ? H5Fcreate(p->path, H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1; /* goes to the sink, not to the path */
    zw_status status = ZW_E_IO;
    if (file < 0) {
        status = failed(p, "/");
    } else {
        hid_t a = H5Gopen2(old, "/", H5P_DEFAULT), b = H5Gopen2(file, "/", H5P_DEFAULT);
        status = a >= 0 && b >= 0 ? copy_group(p, a, b) : failed(p, "/");
        close_if(a, H5Gclose);
        close_if(b, H5Gclose);
        if (H5Fclose(file) < 0 && status == ZW_OK) {
            status = failed(p, "/");
        }
        if (status == ZW_OK && p->sink->error != 0) { /* met while closing */
            status = failed(p, "/");
        }
    }
    if (driver >= 0) {
        H5FDunregister(driver);
    }
    close_if(access, H5Pclose);
    return status;
}

static zw_status verify(zw_context *c, hid_t old, const char *path) {
    hid_t file = open_file(path);
    if (file < 0) {
        return zw_hdf5_raise(c, ZW_E_IO, path, "opening the packed file", "/");
    }
    zw_status status = zw_hdf5_compare(c, old, file, path);
    H5Fclose(file);
    return status;
}

static zw_status pack(zw_directory *d, int deflate, int fd, const char *path, const char *new_path) {
    zw_hdf5_guard guard;
    zw_hdf5_enter(&guard);
    zw_hdf5_sink sink = {.fd = fd};
    packer       p = {.context = d->context, .path = path, .sink = &sink, .deflate = deflate};
    hid_t        old = open_file(path);
    zw_status    status = ZW_OK;
    if (old < 0) {
        status = zw_hdf5_raise(d->context, ZW_E_FORMAT, path, "opening", "/");
    } else if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0 || H5Zfilter_avail(H5Z_FILTER_SHUFFLE) <= 0) {
        status = zw_raise(d->context, ZW_E_UNSUPPORTED, path, "build zwang with an HDF5 library that has zlib",
                          "this HDF5 library cannot compress");
    } else {
        p.links = H5Pcreate(H5P_LINK_CREATE);
        H5Pset_char_encoding(p.links, H5T_CSET_UTF8);
        status = write_copy(&p, old);
        H5Pclose(p.links);
        if (status == ZW_OK) {
            int error = zw_file_sync(fd);
            status = error ? zw_file_raise(d->context, error, new_path, "", "writing the packed file") : verify(d->context, old, new_path);
        }
    }
    if (old >= 0) {
        H5Fclose(old);
    }
    zw_hdf5_leave(&guard);
    return status;
}

static uint64_t size_of(int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 ? (uint64_t)info.st_size : 0;
}

static zw_status pack_locked(zw_directory *d, int deflate, uint64_t *before, uint64_t *after) {
    zw_hdf5 *current;
    ZW_TRY(zw_results_current(d, &current));
    if (!current) { /* a run that was killed */
        ZW_TRY(zw_results_make(d));
        ZW_TRY(zw_results_current(d, &current));
    }
    zw_hdf5_close(current);
    struct stat info;
    if (fstatat(d->fd, ZW_FILE_RESULTS, &info, 0) == 0) {
        *before = *after = (uint64_t)info.st_size;
    }
    int   fd;
    char *path = zw_path_join(d->context, d->path, ZW_FILE_RESULTS), *new_path = zw_path_join(d->context, d->path, ZW_FILE_RESULTS ".tmp");
    zw_status status = path && new_path ? zw_file_begin(d->context, d->fd, d->path, ZW_FILE_RESULTS, &fd) : ZW_E_MEMORY;
    if (status == ZW_OK) {
        status = pack(d, deflate, fd, path, new_path);
        uint64_t size = size_of(fd);
        if (status == ZW_OK && size < *before) {
            status = zw_file_commit(d->context, d->fd, d->path, ZW_FILE_RESULTS, fd);
            *after = status == ZW_OK ? size : *before;
        } else {
            zw_file_abandon(d->fd, ZW_FILE_RESULTS, fd);
        }
    }
    zw_free(d->context, path);
    zw_free(d->context, new_path);
    return status;
}

zw_status zw_results_pack(zw_context *c, const char *directory, int deflate, uint64_t *bytes_before, uint64_t *bytes_after) {
    if (!c) {
        return ZW_E_ARG;
    }
    if (deflate < 1 || deflate > 9) {
        return zw_raise(c, ZW_E_ARG, "deflate", "give a level from 1 (fast) to 9 (small)", "%d is not a level", deflate);
    }
    zw_directory d;
    uint64_t     before = 0, after = 0;
    ZW_TRY(zw_directory_open(c, directory, &d));
    zw_status status = ZW_OK;
    if (!zw_directory_has(&d, ZW_FILE_RESULTS) && !zw_directory_has(&d, ZW_FILE_JOURNAL)) {
        status = zw_raise(c, ZW_E_NO_INPUT, directory, "give a directory that `zwang run -o DIR` wrote", "holds no results of zwang");
    } else {
        status = zw_directory_lock(&d);
    }
    if (status == ZW_OK) {
        status = pack_locked(&d, deflate, &before, &after);
    }
    zw_error *e = zw_error_last(c);
    if (status == ZW_E_IO && e && strstr(e->remedy, "--resume")) { /* words of a run that meets a full disk */
        snprintf(e->remedy, sizeof e->remedy, "make room and pack again; the results are as they were");
    }
    zw_directory_close(&d);
    if (bytes_before) {
        *bytes_before = before;
    }
    if (bytes_after) {
        *bytes_after = after;
    }
    return status;
}

/* SPDX-License-Identifier: Apache-2.0
 * hdf5_compare.c: walks two files side by side. Numbers are read in the type they are stored in, so nothing is converted. */
#include "record/hdf5_compare.h"

#include <string.h>

enum { SLAB = 8 << 20, NAME_MOST = 256 };

int zw_hdf5_attributes(hid_t object) {
#if H5_VERSION_GE(1, 12, 0)
    H5O_info2_t info;
    bool        ok = H5Oget_info3(object, &info, H5O_INFO_NUM_ATTRS) >= 0;
#else
    H5O_info_t info;
    bool       ok = H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS) >= 0;
#endif
    return ok && info.num_attrs <= INT32_MAX ? (int)info.num_attrs : -1;
}

typedef struct pair {
    zw_context *context;
    const char *path;
} pair;

static zw_status differs(const pair *p, const char *object, const char *what) {
    return zw_raise(p->context, ZW_E_IO, p->path, "check the disk and try again; the old file is kept", "'%s' %s", object, what);
}

static zw_status failed(const pair *p, const char *object) {
    return zw_hdf5_raise(p->context, ZW_E_IO, p->path, "reading back", object);
}

static void close_if(hid_t id, herr_t (*closer)(hid_t)) {
    if (id >= 0) {
        closer(id);
    }
}

static bool same_shape(hid_t a, hid_t b) {
    hsize_t x[H5S_MAX_RANK] = {0}, y[H5S_MAX_RANK] = {0};
    int     n = H5Sget_simple_extent_dims(a, x, NULL), m = H5Sget_simple_extent_dims(b, y, NULL);
    return n >= 0 && n == m && memcmp(x, y, (size_t)n * sizeof *x) == 0 && H5Sget_simple_extent_type(a) == H5Sget_simple_extent_type(b);
}

/* values of a type in memory: as bits, or as texts where they vary in length */
static bool same_values(hid_t type, const void *a, const void *b, size_t n) {
    if (H5Tis_variable_str(type) <= 0) {
        return memcmp(a, b, n * H5Tget_size(type)) == 0;
    }
    const char *const *x = a, *const *y = b;
    for (size_t i = 0; i < n; i++) {
        if ((x[i] == NULL) != (y[i] == NULL) || (x[i] && strcmp(x[i], y[i]) != 0)) {
            return false;
        }
    }
    return true;
}

typedef struct reader {
    bool  attribute;
    hid_t id, there, here; /* there, here: of a dataset */
} reader;

static bool read_values(const reader *r, hid_t type, void *out) {
    return r->attribute ? H5Aread(r->id, type, out) >= 0 : H5Dread(r->id, type, r->here, r->there, H5P_DEFAULT, out) >= 0;
}

/* n values of both; `space` tells their number for giving texts back */
static zw_status compare_values(const pair *p, const char *name, hid_t type, hid_t space, size_t n, const reader *a, const reader *b) {
    size_t    size = H5Tget_size(type);
    void     *x = zw_alloc(p->context, n + 1, size, "comparing results"), *y = zw_alloc(p->context, n + 1, size, "comparing results");
    zw_status status = x && y ? ZW_OK : ZW_E_MEMORY;
    if (status == ZW_OK && n > 0) {
        bool first = read_values(a, type, x), second = first && read_values(b, type, y);
        status = !second ? failed(p, name) : same_values(type, x, y, n) ? ZW_OK : differs(p, name, "does not read back as it was written");
        if (first) {
            H5Dvlen_reclaim(type, space, H5P_DEFAULT, x);
        }
        if (second) {
            H5Dvlen_reclaim(type, space, H5P_DEFAULT, y);
        }
    }
    zw_free(p->context, x);
    zw_free(p->context, y);
    return status;
}

static zw_status compare_attribute(const pair *p, hid_t a, hid_t b) {
    char name[NAME_MOST] = "";
    H5Aget_name(a, sizeof name, name);
    hid_t     type[2] = {H5Aget_type(a), H5Aget_type(b)}, space[2] = {H5Aget_space(a), H5Aget_space(b)};
    zw_status status = ZW_OK;
    if (type[0] < 0 || type[1] < 0 || space[0] < 0 || space[1] < 0) {
        status = failed(p, name);
    } else if (H5Tequal(type[0], type[1]) <= 0 || !same_shape(space[0], space[1])) {
        status = differs(p, name, "has another type or shape");
    } else {
        reader one = {.attribute = true, .id = a}, two = {.attribute = true, .id = b};
        status = compare_values(p, name, type[0], space[0], (size_t)H5Sget_simple_extent_npoints(space[0]), &one, &two);
    }
    for (int i = 0; i < 2; i++) {
        close_if(type[i], H5Tclose);
        close_if(space[i], H5Sclose);
    }
    return status;
}

static zw_status compare_attributes(const pair *p, hid_t a, hid_t b) {
    int n = zw_hdf5_attributes(a), m = zw_hdf5_attributes(b);
    if (n < 0 || m < 0) {
        return failed(p, "attributes");
    }
    if (n != m) {
        return differs(p, "attributes", "are not all there");
    }
    zw_status status = ZW_OK;
    for (int i = 0; i < n && status == ZW_OK; i++) {
        char  name[NAME_MOST] = "";
        hid_t one = H5Aopen_by_idx(a, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, H5P_DEFAULT, H5P_DEFAULT), two = -1;
        if (one >= 0 && H5Aget_name(one, sizeof name, name) > 0) {
            two = H5Aopen(b, name, H5P_DEFAULT);
        }
        status = one >= 0 && two >= 0 ? compare_attribute(p, one, two) : failed(p, name);
        close_if(one, H5Aclose);
        close_if(two, H5Aclose);
    }
    return status;
}

static zw_status compare_rows(const pair *p, const char *name, hid_t a, hid_t b, hid_t type, hid_t space) {
    hsize_t dims[H5S_MAX_RANK] = {0}, start[H5S_MAX_RANK] = {0}, count[H5S_MAX_RANK];
    int     rank = H5Sget_simple_extent_dims(space, dims, NULL);
    if (rank == 0) {
        reader one = {.id = a, .there = H5S_ALL, .here = H5S_ALL}, two = {.id = b, .there = H5S_ALL, .here = H5S_ALL};
        return compare_values(p, name, type, space, 1, &one, &two);
    }
    size_t row = H5Tget_size(type), values = 1;
    for (int i = 1; i < rank; i++) {
        row *= (size_t)dims[i];
        values *= (size_t)dims[i];
    }
    memcpy(count, dims, (size_t)rank * sizeof *count);
    hsize_t   most = row > 0 && row < SLAB ? SLAB / row : 1;
    zw_status status = ZW_OK;
    while (start[0] < dims[0] && values > 0 && status == ZW_OK) {
        count[0] = dims[0] - start[0] < most ? dims[0] - start[0] : most;
        hid_t there = H5Scopy(space), here = H5Screate_simple(rank, count, NULL);
        if (there < 0 || here < 0 || H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, count, NULL) < 0) {
            status = failed(p, name);
        } else {
            reader one = {.id = a, .there = there, .here = here}, two = {.id = b, .there = there, .here = here};
            status = compare_values(p, name, type, here, (size_t)count[0] * values, &one, &two);
        }
        close_if(there, H5Sclose);
        close_if(here, H5Sclose);
        start[0] += count[0];
    }
    return status;
}

static zw_status compare_dataset(const pair *p, const char *name, hid_t a, hid_t b) {
    hid_t     type[2] = {H5Dget_type(a), H5Dget_type(b)}, space[2] = {H5Dget_space(a), H5Dget_space(b)};
    zw_status status = ZW_OK;
    if (type[0] < 0 || type[1] < 0 || space[0] < 0 || space[1] < 0) {
        status = failed(p, name);
    } else if (H5Tequal(type[0], type[1]) <= 0 || !same_shape(space[0], space[1])) {
        status = differs(p, name, "has another type or shape");
    } else {
        status = compare_rows(p, name, a, b, type[0], space[0]);
    }
    for (int i = 0; i < 2; i++) {
        close_if(type[i], H5Tclose);
        close_if(space[i], H5Sclose);
    }
    return status;
}

static zw_status compare_group(const pair *p, hid_t a, hid_t b);

static zw_status compare_object(const pair *p, const char *name, hid_t a, hid_t b) {
    H5I_type_t kind = H5Iget_type(a);
    if (kind != H5Iget_type(b)) {
        return differs(p, name, "is another kind of object");
    }
    ZW_TRY(compare_attributes(p, a, b));
    switch (kind) {
    case H5I_GROUP: return compare_group(p, a, b);
    case H5I_DATASET: return compare_dataset(p, name, a, b);
    case H5I_DATATYPE: return H5Tequal(a, b) > 0 ? ZW_OK : differs(p, name, "is another type");
    default: return differs(p, name, "is an object that cannot be compared");
    }
}

static zw_status compare_soft_link(const pair *p, const char *name, hid_t a, hid_t b, size_t size) {
    char     *x = zw_alloc(p->context, size + 1, 1, "comparing results"), *y = zw_alloc(p->context, size + 1, 1, "comparing results");
    zw_status status = x && y ? ZW_OK : ZW_E_MEMORY;
    if (status == ZW_OK && (H5Lget_val(a, name, x, size, H5P_DEFAULT) < 0 || H5Lget_val(b, name, y, size, H5P_DEFAULT) < 0)) {
        status = failed(p, name);
    } else if (status == ZW_OK && strcmp(x, y) != 0) {
        status = differs(p, name, "points elsewhere");
    }
    zw_free(p->context, x);
    zw_free(p->context, y);
    return status;
}

static zw_status compare_group(const pair *p, hid_t a, hid_t b) {
    H5G_info_t x, y;
    if (H5Gget_info(a, &x) < 0 || H5Gget_info(b, &y) < 0) {
        return failed(p, "a group");
    }
    if (x.nlinks != y.nlinks) {
        return differs(p, "a group", "holds another number of objects");
    }
    zw_status status = ZW_OK;
    for (hsize_t i = 0; i < x.nlinks && status == ZW_OK; i++) {
        char       name[NAME_MOST];
        H5L_info_t one, two;
        ssize_t    n = H5Lget_name_by_idx(a, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        if (n <= 0 || (size_t)n >= sizeof name || H5Lget_info(a, name, &one, H5P_DEFAULT) < 0 ||
            H5Lget_info(b, name, &two, H5P_DEFAULT) < 0) {
            status = failed(p, n > 0 && (size_t)n < sizeof name ? name : "a group");
        } else if (one.type != two.type || (one.type == H5L_TYPE_SOFT && one.u.val_size != two.u.val_size)) {
            status = differs(p, name, "is another kind of link");
        } else if (one.type == H5L_TYPE_SOFT) {
            status = compare_soft_link(p, name, a, b, one.u.val_size);
        } else {
            hid_t from = H5Oopen(a, name, H5P_DEFAULT), to = H5Oopen(b, name, H5P_DEFAULT);
            status = from >= 0 && to >= 0 ? compare_object(p, name, from, to) : failed(p, name);
            close_if(from, H5Oclose);
            close_if(to, H5Oclose);
        }
    }
    return status;
}

zw_status zw_hdf5_compare(zw_context *c, hid_t a, hid_t b, const char *path) {
    pair      p = {.context = c, .path = path};
    hid_t     x = H5Gopen2(a, "/", H5P_DEFAULT), y = H5Gopen2(b, "/", H5P_DEFAULT);
    zw_status status = x >= 0 && y >= 0 ? compare_object(&p, "/", x, y) : failed(&p, "/");
    close_if(x, H5Gclose);
    close_if(y, H5Gclose);
    return status;
}

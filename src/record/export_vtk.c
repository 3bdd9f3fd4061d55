/* SPDX-License-Identifier: Apache-2.0
 * export_vtk.c: results for ParaView and everything else that reads VTK: OUT/rods_000000.vtp, ... one per frame, and OUT/rods.pvd, which
 * names them with their times. The latter is written last under its name, so where it is, all frames are.
 *
 * A frame is XML PolyData: each rod is one polyline through its nodes (a ring closes). Point data are the recorded fields of the nodes; for
 * `orientation` its columns d1, d2, d3; for what belongs to links (curvature, strain, force, moment, ...) the mean of the links at the
 * node, component by component in the directors, at a free end that of the only one. Numbers are appended raw: UInt64 byte counts,
 * Float64 and Int64, little-endian. All of a file but its numbers is the same within an epoch, so one image of it is filled again and again. */
#define _POSIX_C_SOURCE 200809L
#include "record/export.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"
#include "math/quat.h"
#include "record/file.h"
#include "record/rod_field.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define COLLECTION "rods.pvd"
#define FRAME_HEAD "rods_"
#define FRAME_TAIL ".vtp"
enum { NAME_ROOM = 48, FIELD_ROOM = 96, ABSENT = INT32_MIN, PVD_BUFFER = 64 << 10 };

typedef enum array_kind { OF_NODES, OF_LINKS, DIRECTOR } array_kind;

/* one array of the point data */
typedef struct vtk_array {
    char       name[FIELD_ROOM];
    array_kind kind;
    int        components, column; /* column: which director                        */
    bool       in_directors;
    int       *channel; /* [rods] constants as -1 - i; ABSENT: that rod has none */
    size_t     at;      /* in the image                                          */
} vtk_array;

typedef struct vtk_rod {
    char   name[FIELD_ROOM];
    int    nodes, position; /* position: channel */
    bool   closed;
    size_t point0;
} vtk_rod;

/* what the files of an epoch have in common, and the image */
typedef struct vtk_scene {
    const zw_layout *layout;
    int              nrods, narrays, nlines, widest;
    vtk_rod         *rod;
    vtk_array       *array;
    size_t           npoints, nconnected;
    double         **slab;    /* [nchannels] frames at hand; NULL: not wanted */
    double          *numbers; /* of one array */
    unsigned char   *image;
    size_t           size, time_at, points_at;
} vtk_scene;

typedef struct vtk_export {
    zw_context  *context;
    zw_results  *results;
    zw_directory out;
    int          pvd;
    zw_text      list; /* of the collection, as far as not written */
    int64_t      written;
} vtk_export;

/* ---- what there is to show ---- */

static int find_rod(const vtk_scene *s, const char *name) {
    for (int i = 0; i < s->nrods; i++) {
        if (strcmp(s->rod[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static const zw_channel *channel_at(const zw_layout *l, int channel) {
    return channel < 0 ? &l->constant[-1 - channel] : &l->channel[channel];
}

static void find_rods(vtk_scene *s) {
    const zw_layout *l = s->layout;
    char             name[FIELD_ROOM];
    for (int i = 0; i < l->nchannels; i++) {
        const zw_channel *k = &l->channel[i];
        const char       *field = zw_rod_field(k->name, name, sizeof name);
        if (field && strcmp(field, "position") == 0 && k->rank == 2 && k->shape[1] == 3 && k->shape[0] > 0) {
            vtk_rod *r = &s->rod[s->nrods++];
            *r = (vtk_rod){.nodes = k->shape[0], .position = i, .point0 = s->npoints};
            memcpy(r->name, name, sizeof name);
            s->npoints += (size_t)r->nodes;
        }
    }
    for (int i = 0; i < l->nconstants; i++) {
        const char *field = zw_rod_field(l->constant[i].name, name, sizeof name);
        int         r = field && strcmp(field, "closed") == 0 && l->constant[i].count == 1 ? find_rod(s, name) : -1;
        if (r >= 0) {
            s->rod[r].closed = l->constants[l->constant[i].offset] != 0.0;
        }
    }
    for (int i = 0; i < s->nrods; i++) {
        if (s->rod[i].nodes > 1) {
            s->nlines++;
            s->nconnected += (size_t)s->rod[i].nodes + (s->rod[i].closed ? 1 : 0);
        }
    }
}

static zw_status add_array(vtk_scene *s, zw_arena *a, const char *name, array_kind kind, int components, int column, int rod, int channel) {
    int i = 0;
    while (i < s->narrays && (strcmp(s->array[i].name, name) != 0 || s->array[i].components != components)) {
        i++;
    }
    vtk_array *array = &s->array[i];
    if (i == s->narrays) {
        *array = (vtk_array){.kind = kind, .components = components, .column = column};
        array->in_directors = kind != DIRECTOR && zw_rod_field_in_directors(name);
        snprintf(array->name, sizeof array->name, "%s", name);
        array->channel = zw_arena_alloc(a, (size_t)s->nrods, sizeof *array->channel, "the arrays of an export");
        if (!array->channel) {
            return ZW_E_MEMORY;
        }
        for (int r = 0; r < s->nrods; r++) {
            array->channel[r] = ABSENT;
        }
        s->narrays++;
        s->widest = components > s->widest ? components : s->widest;
    }
    array->channel[rod] = channel;
    return ZW_OK;
}

static zw_status find_arrays(vtk_scene *s, zw_arena *a) {
    static const char *const d[] = {"d1", "d2", "d3"};
    const zw_layout         *l = s->layout;
    char                     name[FIELD_ROOM];
    s->widest = 3;
    for (int i = -l->nconstants; i < l->nchannels; i++) {
        const zw_channel *k = channel_at(l, i);
        const char       *field = zw_rod_field(k->name, name, sizeof name);
        int               rod = field ? find_rod(s, name) : -1, components = k->rank == 2 ? k->shape[1] : 1;
        if (rod < 0 || strcmp(field, "position") == 0 || k->rank < 1 || k->rank > 2 || components < 1) {
            continue;
        }
        const vtk_rod *r = &s->rod[rod];
        bool           nodes = zw_rod_field_of_nodes(field, k->shape[0], r->nodes, r->closed);
        if (nodes && strcmp(field, "orientation") == 0 && components == 4) {
            for (int j = 0; j < 3; j++) {
                ZW_TRY(add_array(s, a, d[j], DIRECTOR, 3, j, rod, i));
            }
        } else if (nodes) {
            ZW_TRY(add_array(s, a, field, OF_NODES, components, 0, rod, i));
        } else if (k->shape[0] == r->nodes - (r->closed ? 0 : 1) && r->nodes > 1) {
            ZW_TRY(add_array(s, a, field, OF_LINKS, components, 0, rod, i));
        }
    }
    return ZW_OK;
}

/* ---- the image of a file ---- */

/* one array in the text; its place among the appended bytes, which grow */
static size_t declare(zw_text *t, const char *type, const char *name, int components, size_t count, const char *const *labels,
                      size_t *bytes) {
    size_t offset = *bytes;
    zw_text_addf(t, "<DataArray type=\"%s\" Name=\"", type);
    zw_text_html(t, name);
    zw_text_addf(t, "\" NumberOfComponents=\"%d\"", components);
    for (int i = 0; labels && i < components; i++) {
        zw_text_addf(t, " ComponentName%d=\"%s\"", i, labels[i]);
    }
    zw_text_addf(t, " format=\"appended\" offset=\"%zu\"/>\n", offset);
    *bytes += 8 + 8 * count * (size_t)components;
    return offset + 8;
}

/* the names of the rods, character codes each with a 0 behind, as VTK writes texts */
static void declare_names(zw_text *t, const vtk_scene *s) {
    zw_text_addf(t, "<Array type=\"String\" Name=\"rod_names\" NumberOfTuples=\"%d\" format=\"ascii\">", s->nrods);
    for (int i = 0; i < s->nrods; i++) {
        for (const char *p = s->rod[i].name; *p; p++) {
            zw_text_addf(t, "%d ", (int)(unsigned char)*p);
        }
        zw_text_add(t, "0 ");
    }
    zw_text_add(t, "</Array>\n");
}

static void put_integer(unsigned char **p, int64_t value) {
    memcpy(*p, &value, sizeof value);
    zw_export_order_bytes(*p, 1, sizeof value);
    *p += sizeof value;
}

/* the byte count before an array */
static void put_count(const vtk_scene *s, size_t at, size_t numbers) {
    unsigned char *p = s->image + at - 8;
    put_integer(&p, (int64_t)(8 * numbers));
}

/* connectivity, ends of the lines, number of the rod of each line */
static void put_lines(const vtk_scene *s, unsigned char *connectivity, unsigned char *offsets, unsigned char *rod) {
    int64_t end = 0;
    for (int i = 0; i < s->nrods; i++) {
        const vtk_rod *r = &s->rod[i];
        if (r->nodes > 1) {
            for (int k = 0; k < r->nodes + (r->closed ? 1 : 0); k++) {
                put_integer(&connectivity, (int64_t)r->point0 + k % r->nodes);
                end++;
            }
            put_integer(&offsets, end);
            put_integer(&rod, i);
        }
    }
}

static zw_status make_image(vtk_scene *s, zw_context *c) {
    static const char *const xyz[] = {"x", "y", "z"}, *const d123[] = {"d1", "d2", "d3"}, foot[] = "\n</AppendedData>\n</VTKFile>\n";
    zw_text t;
    size_t  bytes = 0;
    zw_text_init(&t, c);
    zw_text_add(&t,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                "<PolyData>\n<FieldData>\n");
    declare_names(&t, s);
    zw_text_addf(&t, "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"appended\" offset=\"%zu\"/>\n", bytes);
    s->time_at = 8;
    bytes += 8 + 8;
    zw_text_addf(&t,
                 "</FieldData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" "
                 "NumberOfPolys=\"0\">\n<Points>\n",
                 s->npoints, s->nlines);
    s->points_at = declare(&t, "Float64", "Points", 3, s->npoints, NULL, &bytes);
    zw_text_add(&t, "</Points>\n<Lines>\n");
    size_t connectivity = declare(&t, "Int64", "connectivity", 1, s->nconnected, NULL, &bytes);
    size_t offsets = declare(&t, "Int64", "offsets", 1, (size_t)s->nlines, NULL, &bytes);
    zw_text_add(&t, "</Lines>\n<CellData>\n");
    size_t rod = declare(&t, "Int64", "rod", 1, (size_t)s->nlines, NULL, &bytes);
    zw_text_add(&t, "</CellData>\n<PointData>\n");
    for (int i = 0; i < s->narrays; i++) {
        vtk_array *k = &s->array[i];
        k->at =
            declare(&t, "Float64", k->name, k->components, s->npoints, k->components == 3 ? (k->in_directors ? d123 : xyz) : NULL, &bytes);
    }
    zw_text_add(&t, "</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    zw_status status = zw_text_status(&t);
    if (status == ZW_OK) {
        size_t start = t.n;
        s->size = start + bytes + sizeof foot - 1;
        s->image = zw_alloc(c, s->size, 1, "a frame of an export");
        status = s->image ? ZW_OK : ZW_E_MEMORY;
        if (s->image) {
            memcpy(s->image, t.s, start);
            memcpy(s->image + start + bytes, foot, sizeof foot - 1);
            s->time_at += start;
            s->points_at += start;
            put_lines(s, s->image + start + connectivity, s->image + start + offsets, s->image + start + rod);
            put_count(s, s->time_at, 1);
            put_count(s, s->points_at, 3 * s->npoints);
            put_count(s, start + connectivity, s->nconnected);
            put_count(s, start + offsets, (size_t)s->nlines);
            put_count(s, start + rod, (size_t)s->nlines);
            for (int i = 0; i < s->narrays; i++) {
                vtk_array *k = &s->array[i];
                k->at += start;
                put_count(s, k->at, s->npoints * (size_t)k->components);
            }
        }
    }
    zw_text_destroy(&t);
    return status;
}

static void put_numbers(vtk_scene *s, size_t at, const double *value, size_t n) {
    memcpy(s->image + at, value, n * sizeof *value);
    zw_export_order_bytes(s->image + at, n, sizeof *value);
}

/* the numbers of one array at one rod */
static void fill_rod(const vtk_array *k, const vtk_rod *r, const double *from, double *out) {
    size_t n = (size_t)k->components, nodes = (size_t)r->nodes, links = nodes - (r->closed ? 0 : 1);
    switch (k->kind) {
    case OF_NODES: memcpy(out, from, nodes * n * sizeof *out); break;
    case OF_LINKS:
        for (size_t i = 0; i < nodes; i++) {
            size_t before = i > 0 ? i - 1 : r->closed ? links - 1 : 0, after = i < links ? i : links - 1;
            for (size_t j = 0; j < n; j++) {
                double x = from[before * n + j], y = from[after * n + j];
                out[i * n + j] = before == after ? x : 0.5 * x + 0.5 * y;
            }
        }
        break;
    case DIRECTOR:
        for (size_t i = 0; i < nodes; i++) {
            double m[9];
            zw_q_to_matrix(from + 4 * i, m);
            for (size_t j = 0; j < 3; j++) {
                out[3 * i + j] = m[3 * j + (size_t)k->column];
            }
        }
        break;
    }
}

static void fill_image(vtk_scene *s, size_t frame) {
    const zw_layout *l = s->layout;
    put_numbers(s, s->time_at, s->slab[0] + frame, 1);
    for (int r = 0; r < s->nrods; r++) {
        const vtk_rod *rod = &s->rod[r];
        size_t         count = 3 * (size_t)rod->nodes;
        put_numbers(s, s->points_at + 24 * rod->point0, s->slab[rod->position] + frame * count, count);
    }
    for (int i = 0; i < s->narrays; i++) {
        const vtk_array *k = &s->array[i];
        for (int r = 0; r < s->nrods; r++) {
            size_t n = (size_t)k->components, first = s->rod[r].point0 * n, count = (size_t)s->rod[r].nodes * n;
            int    at = k->channel[r];
            if (at == ABSENT) {
                for (size_t j = 0; j < count; j++) {
                    s->numbers[first + j] = NAN;
                }
            } else {
                const zw_channel *source = channel_at(l, at);
                fill_rod(k, &s->rod[r], at < 0 ? l->constants + source->offset : s->slab[at] + frame * source->count, s->numbers + first);
            }
        }
        put_numbers(s, k->at, s->numbers, s->npoints * (size_t)k->components);
    }
}

/* ---- files ---- */

static zw_status write_failed(vtk_export *x, int error, const char *name) {
    zw_file_raise(x->context, error, x->out.path, name, "writing");
    return ZW_E_IO;
}

static zw_status flush_list(vtk_export *x) {
    ZW_TRY(zw_text_status(&x->list));
    int error = zw_file_put(x->pvd, x->list.s, x->list.n);
    x->list.n = 0;
    return error != 0 ? write_failed(x, error, COLLECTION) : ZW_OK;
}

static void frame_name(int64_t frame, char out[NAME_ROOM]) {
    snprintf(out, NAME_ROOM, FRAME_HEAD "%06lld" FRAME_TAIL, (long long)frame);
}

/* after a failure nothing is left that looks like an export */
static void remove_frames(const vtk_export *x) {
    char name[NAME_ROOM];
    for (int64_t i = 0; i < x->written; i++) {
        frame_name(i, name);
        unlinkat(x->out.fd, name, 0);
    }
}

/* whole under its name or not there; it is not forced to the disk, because an export can be repeated */
static zw_status write_frame(vtk_export *x, const vtk_scene *s, double time) {
    char name[NAME_ROOM], temporary[NAME_ROOM + 8], number[ZW_NUMBER_TEXT];
    int  fd;
    frame_name(x->written, name);
    snprintf(temporary, sizeof temporary, "%s.tmp", name);
    ZW_TRY(zw_file_begin(x->context, x->out.fd, x->out.path, name, &fd));
    int error = zw_file_put(fd, s->image, s->size);
    if (error != 0) {
        zw_file_abandon(x->out.fd, name, fd);
        return write_failed(x, error, name);
    }
    if (close(fd) != 0 && errno != EINTR) {
        error = errno;
    }
    if (error == 0 && renameat(x->out.fd, temporary, x->out.fd, name) != 0) {
        error = errno;
    }
    if (error != 0) {
        zw_file_abandon(x->out.fd, name, -1);
        return write_failed(x, error, name);
    }
    x->written++;
    zw_text_addf(&x->list, "<DataSet timestep=\"%s\" group=\"\" part=\"0\" file=\"%s\"/>\n", zw_number_text(time, number), name);
    return x->list.n >= PVD_BUFFER ? flush_list(x) : zw_text_status(&x->list);
}

/* ---- epochs ---- */

/* reads the slab at `first` into place; block has room for `most` frames of every wanted channel */
static zw_status read_slab(vtk_export *x, vtk_scene *s, int epoch, int64_t first, size_t rows) {
    for (int i = 0; i < s->layout->nchannels; i++) {
        if (s->slab[i]) {
            ZW_TRY(zw_results_read(x->results, epoch, i, first, (int64_t)rows, s->slab[i]));
        }
    }
    return ZW_OK;
}

static zw_status export_frames(vtk_export *x, vtk_scene *s, zw_arena *a, int epoch) {
    const zw_layout *l = s->layout;
    int64_t          frames = zw_results_frames(x->results, epoch);
    size_t           width = 0;
    bool            *wanted = zw_arena_alloc(a, (size_t)l->nchannels, sizeof *wanted, "exporting results");
    s->slab = zw_arena_alloc(a, (size_t)l->nchannels, sizeof *s->slab, "exporting results");
    if (!wanted || !s->slab) {
        return ZW_E_MEMORY;
    }
    wanted[0] = true;
    for (int r = 0; r < s->nrods; r++) {
        wanted[s->rod[r].position] = true;
        for (int i = 0; i < s->narrays; i++) {
            if (s->array[i].channel[r] >= 0) {
                wanted[s->array[i].channel[r]] = true;
            }
        }
    }
    for (int i = 0; i < l->nchannels; i++) {
        width += wanted[i] ? l->channel[i].count : 0;
    }
    size_t    most = zw_export_rows(width, frames);
    double   *block = zw_alloc(x->context, most * width, sizeof *block, "exporting results"), *p = block;
    zw_status status = block ? ZW_OK : ZW_E_MEMORY;
    for (int i = 0; i < l->nchannels && status == ZW_OK; i++) {
        s->slab[i] = wanted[i] ? p : NULL;
        p += wanted[i] ? most * l->channel[i].count : 0;
    }
    for (int64_t first = 0; first < frames && status == ZW_OK;) {
        size_t rows = (uint64_t)(frames - first) < most ? (size_t)(frames - first) : most;
        status = read_slab(x, s, epoch, first, rows);
        for (size_t i = 0; i < rows && status == ZW_OK; i++) {
            status = zw_export_go_on(x->context);
            if (status == ZW_OK) {
                fill_image(s, i);
                status = write_frame(x, s, s->slab[0][i]);
            }
        }
        first += (int64_t)rows;
    }
    zw_free(x->context, block);
    return status;
}

static zw_status export_epoch(vtk_export *x, int epoch) {
    vtk_scene s = {.layout = zw_results_layout(x->results, epoch)};
    zw_arena  arena;
    zw_arena_init(&arena, x->context);
    size_t n = (size_t)s.layout->nchannels + (size_t)s.layout->nconstants;
    s.rod = zw_arena_alloc(&arena, (size_t)s.layout->nchannels, sizeof *s.rod, "the rods of an export");
    s.array = zw_arena_alloc(&arena, 3 * n, sizeof *s.array, "the arrays of an export");
    zw_status status = s.rod && s.array ? ZW_OK : ZW_E_MEMORY;
    if (status == ZW_OK) {
        find_rods(&s);
    }
    if (status == ZW_OK && s.nrods > 0) {
        status = find_arrays(&s, &arena);
        if (status == ZW_OK) {
            status = make_image(&s, x->context);
        }
        if (status == ZW_OK) {
            s.numbers = zw_alloc(x->context, s.npoints * (size_t)s.widest, sizeof *s.numbers, "exporting results");
            status = s.numbers ? export_frames(x, &s, &arena, epoch) : ZW_E_MEMORY;
        }
    }
    zw_free(x->context, s.numbers);
    zw_free(x->context, s.image);
    zw_arena_destroy(&arena);
    return status;
}

/* ---- the directory ---- */

static bool is_ours(const char *name) {
    size_t n = strlen(name), head = strlen(FRAME_HEAD), tail = strlen(FRAME_TAIL);
    if (strcmp(name, COLLECTION) == 0 || strcmp(name, COLLECTION ".tmp") == 0) {
        return true;
    }
    if (n > 4 && strcmp(name + n - 4, ".tmp") == 0) {
        n -= 4;
    }
    return n > head + tail && strncmp(name, FRAME_HEAD, head) == 0 && strncmp(name + n - tail, FRAME_TAIL, tail) == 0 &&
           strspn(name + head, "0123456789") == n - head - tail;
}

/* refuses a directory that holds something, or, with force, removes an earlier export from it and nothing else */
static zw_status make_place(vtk_export *x, bool force) {
    int  fd = openat(x->out.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* closedir closes it */
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (!d) {
        int error = errno;
        if (fd >= 0) {
            close(fd);
        }
        zw_file_raise(x->context, error, x->out.path, "", "reading the directory");
        return ZW_E_IO;
    }
    zw_status status = force ? zw_directory_remove(&x->out, COLLECTION) : ZW_OK; /* first: where it is, all frames are */
    for (struct dirent *e = readdir(d); e && status == ZW_OK; e = readdir(d)) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) {
            continue;
        }
        if (!force) {
            status = zw_raise(x->context, ZW_E_EXISTS, x->out.path,
                              "give --force to replace an earlier export (other files stay), or another directory with -o",
                              "is there already and not empty");
        } else if (is_ours(e->d_name)) {
            status = zw_directory_remove(&x->out, e->d_name);
        }
    }
    closedir(d);
    return status;
}

static zw_status export_all(vtk_export *x) {
    zw_text_add(&x->list,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n");
    for (int e = 0; e < zw_results_epochs(x->results); e++) {
        ZW_TRY(export_epoch(x, e));
    }
    if (x->written == 0) {
        return zw_raise(x->context, ZW_E_NO_INPUT, "export", "record positions of at least one rod, or wait for the first frame",
                        "there is no frame with a rod in these results");
    }
    zw_text_add(&x->list, "</Collection>\n</VTKFile>\n");
    return flush_list(x);
}

zw_status zw_export_vtk(zw_context *c, const char *directory, const char *out_directory, bool force) {
    if (!c) {
        return ZW_E_ARG;
    }
    vtk_export x = {.context = c, .out = {.context = c, .fd = -1, .lock = -1}, .pvd = -1};
    ZW_TRY(zw_export_open(c, directory, &x.results));
    zw_text_init(&x.list, c);
    zw_status status = zw_directory_create(c, out_directory, &x.out);
    if (status == ZW_OK) {
        status = make_place(&x, force);
    }
    if (status == ZW_OK) {
        status = zw_file_begin(c, x.out.fd, x.out.path, COLLECTION, &x.pvd);
    }
    if (status == ZW_OK) {
        status = export_all(&x);
        if (status == ZW_OK) {
            status = zw_file_commit(c, x.out.fd, x.out.path, COLLECTION, x.pvd);
        } else {
            remove_frames(&x);
            zw_file_abandon(x.out.fd, COLLECTION, x.pvd);
        }
    }
    zw_text_destroy(&x.list);
    zw_directory_close(&x.out);
    zw_results_close(x.results);
    return zw_export_error(c, status);
}

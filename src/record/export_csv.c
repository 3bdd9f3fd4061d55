/* SPDX-License-Identifier: Apache-2.0
 * export_csv.c: results as tables for spreadsheets and scripts.
 *
 *   probes.csv, energy.csv, ...        one row per frame: time, then every number of every channel of that kind
 *   rod-NAME.csv, rod-NAME-links.csv   one row per frame and node (link): time, node, constants of the node (label, ...), its numbers
 *
 * Comma, LF, one header line "name [unit]"; numbers are the shortest that read back as the same double. When a new epoch changes the
 * columns of a table, it goes on in NAME-epochN.csv. Each file appears under its name only when it is whole. */
#define _POSIX_C_SOURCE 200809L
#include "zwang/results.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"
#include "record/directory.h"
#include "record/events.h"
#include "record/file.h"
#include "record/rod_field.h"

#include <stdio.h>
#include <string.h>

enum { FILE_ROOM = 200, BUFFER_BYTES = 64 << 10, SLAB_BYTES = 8 << 20 };

typedef struct csv_table {
    struct csv_table *next;
    const char       *key;   /* what identifies it from epoch to epoch: "rod/beam/links"    */
    const char       *file;  /* before cleaning: "rod-beam-links"                           */
    const char       *index; /* NULL: one row per frame; else the name of the index column */
    int               rows;  /* per frame */
    int               ncolumns;
    int              *channel; /* [ncolumns] constants as -1 - i */
} csv_table;

typedef struct csv_export {
    zw_context  *context;
    zw_results  *results;
    zw_directory out;
    zw_arena     arena;
    csv_table  **first; /* [epochs] */
    const char **used;  /* file names given out */
    int          nused;
} csv_export;

/* the open file */
typedef struct csv_file {
    csv_export *x;
    const char *name; /* NULL: none is open */
    int         fd;
    zw_text     text;
} csv_file;

/* ---- which tables there are ---- */

/* length of the first n components of a path; all of it when it has fewer */
static size_t prefix_length(const char *name, int n) {
    size_t i = 0;
    for (; name[i]; i++) {
        if (name[i] == '/' && --n == 0) {
            break;
        }
    }
    return i;
}

static bool is_per_node(const zw_channel *k) {
    return strncmp(k->name, "rod/", 4) == 0 && k->rank >= 1 && k->name[prefix_length(k->name, 2)] == '/';
}

static bool same_prefix(const char *a, const char *b, size_t n) {
    return strncmp(a, b, n) == 0 && (a[n] == '/' || a[n] == 0) && (b[n] == '/' || b[n] == 0);
}

/* nodes of the rod that the channel belongs to: the largest first dimension of anything recorded of it */
static int node_count(const zw_layout *l, const zw_channel *k) {
    size_t n = prefix_length(k->name, 2);
    int    most = 0;
    for (int pass = 0; pass < 2; pass++) {
        const zw_channel *c = pass ? l->constant : l->channel;
        int               count = pass ? l->nconstants : l->nchannels;
        for (int i = 0; i < count; i++) {
            if (same_prefix(c[i].name, k->name, n) && is_per_node(&c[i]) && c[i].shape[0] > most) {
                most = c[i].shape[0];
            }
        }
    }
    return most;
}

static csv_table *table_of(csv_export *x, csv_table **first, const zw_layout *l, const zw_channel *k) {
    char        key[sizeof k->name + 32], file[sizeof key];
    bool        per_node = is_per_node(k);
    size_t      n = prefix_length(k->name, per_node ? 2 : 1);
    const char *index = NULL;
    int         rows = per_node ? k->shape[0] : 1;
    if (per_node) {
        int nodes = node_count(l, k);
        index = rows == nodes ? "node" : rows == nodes - 1 ? "link" : "row";
        snprintf(key, sizeof key, "%.*s", (int)n, k->name);
        if (rows == nodes - 1) {
            snprintf(key + n, sizeof key - n, "/links");
        } else if (rows != nodes) {
            snprintf(key + n, sizeof key - n, "/%d", rows);
        }
    } else {
        snprintf(key, sizeof key, "%.*s%s", (int)n, k->name, n == 5 && strncmp(k->name, "probe", 5) == 0 ? "s" : "");
    }
    csv_table **at = first;
    while (*at && strcmp((*at)->key, key) != 0) {
        at = &(*at)->next;
    }
    if (!*at) {
        snprintf(file, sizeof file, "%s", key);
        for (char *p = file; *p; p++) {
            *p = *p == '/' ? '-' : *p;
        }
        csv_table *t = zw_arena_alloc(&x->arena, 1, sizeof *t, "a table");
        if (!t) {
            return NULL;
        }
        t->key = zw_arena_strdup(&x->arena, key);
        t->file = zw_arena_strdup(&x->arena, file);
        t->channel = zw_arena_alloc(&x->arena, (size_t)l->nchannels + (size_t)l->nconstants, sizeof *t->channel, "the columns of a table");
        if (!t->key || !t->file || !t->channel) {
            return NULL;
        }
        t->index = index;
        t->rows = rows;
        *at = t;
    }
    return *at;
}

static zw_status find_tables(csv_export *x, int epoch) {
    const zw_layout *l = zw_results_layout(x->results, epoch);
    csv_table      **first = &x->first[epoch];
    for (int i = 1; i < l->nchannels; i++) {
        csv_table *t = l->channel[i].count > 0 ? table_of(x, first, l, &l->channel[i]) : NULL;
        if (t) {
            t->channel[t->ncolumns++] = i;
        } else if (l->channel[i].count > 0) {
            return ZW_E_MEMORY;
        }
    }
    /* what is constant for a node or link stands beside it in every row, before what varies */
    for (csv_table *t = *first; t; t = t->next) {
        int fixed = 0;
        for (int i = 0; i < l->nconstants && t->index; i++) {
            const zw_channel *k = &l->constant[i], *own = &l->channel[t->channel[t->ncolumns - 1]];
            if (is_per_node(k) && k->shape[0] == t->rows && same_prefix(k->name, own->name, prefix_length(own->name, 2))) {
                memmove(t->channel + fixed + 1, t->channel + fixed, (size_t)(t->ncolumns - fixed) * sizeof *t->channel);
                t->channel[fixed++] = -1 - i;
                t->ncolumns++;
            }
        }
    }
    return ZW_OK;
}

/* ---- text ---- */

static const zw_channel *column(const zw_layout *l, int channel) {
    return channel < 0 ? &l->constant[-1 - channel] : &l->channel[channel];
}

/* a field that may need quotes */
static void put_field(zw_text *t, const char *s) {
    if (!strpbrk(s, ",\"\r\n")) {
        zw_text_add(t, s);
        return;
    }
    zw_text_add(t, "\"");
    for (; *s; s++) {
        zw_text_add(t, *s == '"' ? "\"\"" : (char[2]){*s, 0});
    }
    zw_text_add(t, "\"");
}

static void put_title(zw_text *t, const char *name, const char *component, const char *unit) {
    char title[200];
    snprintf(title, sizeof title, "%s%s%s%s%s%s", name, component[0] ? "." : "", component, unit[0] ? " [" : "", unit, unit[0] ? "]" : "");
    put_field(t, title);
}

static void put_header(zw_text *t, const zw_layout *l, const csv_table *table) {
    static const char *const xyz[] = {"x", "y", "z"}, *const wxyz[] = {"w", "x", "y", "z"}, *const d123[] = {"d1", "d2", "d3"};
    put_title(t, "time", "", l->channel[0].unit);
    if (table->index) {
        zw_text_add(t, ",");
        zw_text_add(t, table->index);
    }
    for (int i = 0; i < table->ncolumns; i++) {
        const zw_channel *k = column(l, table->channel[i]);
        const char       *rest = k->name + prefix_length(k->name, table->index ? 2 : 1);
        char              name[sizeof k->name], number[24];
        size_t            count = table->rows > 0 ? k->count / (size_t)table->rows : 0;
        snprintf(name, sizeof name, "%s", *rest == '/' ? rest + 1 : k->name);
        for (char *p = name; *p; p++) {
            *p = *p == '/' ? '.' : *p;
        }
        for (size_t j = 0; j < count; j++) {
            snprintf(number, sizeof number, "%zu", j);
            zw_text_add(t, ",");
            put_title(t, name,
                      count == 1   ? ""
                      : count == 3 ? (is_per_node(k) && zw_rod_field_in_directors(strrchr(k->name, '/') + 1) ? d123 : xyz)[j]
                      : count == 4 ? wxyz[j]
                                   : number,
                      k->unit);
        }
    }
    zw_text_add(t, "\n");
}

/* ---- files ---- */

static zw_status file_flush(csv_file *f) {
    ZW_TRY(zw_text_status(&f->text));
    int error = zw_file_put(f->fd, f->text.s, f->text.n);
    f->text.n = 0;
    if (error != 0) {
        zw_file_raise(f->x->context, error, f->x->out.path, f->name, "writing");
        return ZW_E_IO;
    }
    return ZW_OK;
}

static zw_status file_close(csv_file *f, zw_status status) {
    if (f->name) {
        if (status == ZW_OK) {
            status = file_flush(f);
        }
        if (status == ZW_OK) {
            status = zw_file_commit(f->x->context, f->x->out.fd, f->x->out.path, f->name, f->fd);
        } else {
            zw_file_abandon(f->x->out.fd, f->name, f->fd);
        }
        f->name = NULL;
    }
    return status;
}

/* a name that is safe in every file system and not given out before */
static const char *clean_name(csv_export *x, const char *raw, int epoch) {
    char base[120], name[FILE_ROOM];
    snprintf(base, sizeof base, "%s", raw);
    for (char *p = base; *p; p++) {
        unsigned char ch = (unsigned char)*p;
        bool          fine = (ch >= '0' && ch <= '9') || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '-' || ch == '_' ||
                    ch >= 0x80 || (ch == '.' && p != base);
        *p = fine ? *p : '_';
    }
    for (int again = 1;; again++) {
        char part[2][32] = {"", ""};
        if (epoch > 0) {
            snprintf(part[0], sizeof part[0], "-epoch%d", epoch);
        }
        if (again > 1) {
            snprintf(part[1], sizeof part[1], "-%d", again);
        }
        snprintf(name, sizeof name, "%s%s%s.csv", base, part[0], part[1]);
        bool taken = false;
        for (int i = 0; i < x->nused; i++) {
            taken = taken || strcmp(x->used[i], name) == 0;
        }
        if (!taken) {
            break;
        }
    }
    const char **used = zw_resize(x->context, x->used, (size_t)x->nused + 1, sizeof *used, "the names of tables");
    const char  *copy = used ? zw_arena_strdup(&x->arena, name) : NULL;
    if (used) {
        x->used = used;
    }
    if (copy) {
        x->used[x->nused++] = copy;
    }
    return copy;
}

/* ---- rows ---- */

static zw_status put_frame(csv_file *f, const zw_layout *l, const csv_table *t, double time, double *const *slab, size_t frame) {
    char number[ZW_NUMBER_TEXT], when[ZW_NUMBER_TEXT];
    zw_number_text(time, when);
    for (int row = 0; row < t->rows; row++) {
        zw_text_add(&f->text, when);
        if (t->index) {
            zw_text_addf(&f->text, ",%d", row);
        }
        for (int i = 0; i < t->ncolumns; i++) {
            const zw_channel *k = column(l, t->channel[i]);
            size_t            n = k->count / (size_t)t->rows;
            const double     *p = (t->channel[i] < 0 ? l->constants + k->offset : slab[i] + frame * k->count) + (size_t)row * n;
            for (size_t j = 0; j < n; j++) {
                zw_text_add(&f->text, ",");
                zw_text_add(&f->text, zw_number_text(p[j], number));
            }
        }
        zw_text_add(&f->text, "\n");
        if (f->text.n >= BUFFER_BYTES) {
            ZW_TRY(file_flush(f));
        }
    }
    return zw_text_status(&f->text);
}

static zw_status put_rows(csv_file *f, int epoch, const csv_table *t) {
    csv_export      *x = f->x;
    const zw_layout *l = zw_results_layout(x->results, epoch);
    int64_t          frames = zw_results_frames(x->results, epoch);
    size_t           width = 1;
    for (int i = 0; i < t->ncolumns; i++) {
        width += t->channel[i] < 0 ? 0 : column(l, t->channel[i])->count;
    }
    size_t most = SLAB_BYTES / sizeof(double) / width;
    most = most < 1 ? 1 : most > (uint64_t)frames ? (size_t)frames : most;
    double   *block = zw_alloc(x->context, most * width, sizeof *block, "reading results");
    double  **slab = zw_alloc(x->context, (size_t)t->ncolumns, sizeof *slab, "reading results");
    zw_status status = block && slab ? ZW_OK : ZW_E_MEMORY;
    for (int64_t first = 0; first < frames && status == ZW_OK;) {
        int64_t n = (uint64_t)(frames - first) < most ? frames - first : (int64_t)most;
        double *p = block + most;
        status = zw_results_read(x->results, epoch, 0, first, n, block);
        for (int i = 0; i < t->ncolumns && status == ZW_OK; i++) {
            if (t->channel[i] >= 0) {
                slab[i] = p;
                status = zw_results_read(x->results, epoch, t->channel[i], first, n, p);
                p += most * column(l, t->channel[i])->count;
            }
        }
        for (int64_t i = 0; i < n && status == ZW_OK; i++) {
            status = put_frame(f, l, t, block[i], slab, (size_t)i);
        }
        first += n;
    }
    zw_free(x->context, block);
    zw_free(x->context, slab);
    return status;
}

/* one table through all epochs from the one where it first appears */
static zw_status export_table(csv_export *x, int epoch0, const csv_table *table) {
    csv_file f = {.x = x, .fd = -1};
    zw_text  header, last;
    zw_text_init(&f.text, x->context);
    zw_text_init(&header, x->context);
    zw_text_init(&last, x->context);
    zw_status status = ZW_OK;
    for (int e = epoch0; e < zw_results_epochs(x->results) && status == ZW_OK; e++) {
        const csv_table *t = x->first[e];
        while (t && strcmp(t->key, table->key) != 0) {
            t = t->next;
        }
        if (!t) {
            continue;
        }
        header.n = 0;
        put_header(&header, zw_results_layout(x->results, e), t);
        status = zw_text_status(&header);
        if (status == ZW_OK && (!f.name || header.n != last.n || memcmp(header.s, last.s, header.n) != 0)) {
            status = file_close(&f, status);
            const char *name = status == ZW_OK ? clean_name(x, t->file, e == epoch0 ? 0 : e) : NULL;
            if (status == ZW_OK) {
                status = name ? zw_file_begin(x->context, x->out.fd, x->out.path, name, &f.fd) : ZW_E_MEMORY;
            }
            if (status == ZW_OK) {
                f.name = name;
                zw_text_add_n(&f.text, header.s, header.n);
                last.n = 0;
                zw_text_add_n(&last, header.s, header.n);
                status = zw_text_status(&last);
            }
        }
        if (status == ZW_OK) {
            status = put_rows(&f, e, t);
        }
    }
    status = file_close(&f, status);
    zw_text_destroy(&f.text);
    zw_text_destroy(&header);
    zw_text_destroy(&last);
    return status;
}

static bool seen_before(const csv_export *x, int epoch, const char *key) {
    for (int e = 0; e < epoch; e++) {
        for (const csv_table *t = x->first[e]; t; t = t->next) {
            if (strcmp(t->key, key) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* events.csv, a row for each contact, and event-joints.csv, a row for each joint that felt an impact */
static zw_status export_ledger(csv_export *x, bool joints) {
    enum { PIECE = 1 << 20 };
    zw_ledger l;
    csv_file  f = {.x = x, .name = joints ? "event-joints.csv" : "events.csv"};
    zw_results_ledger(x->results, &l);
    int64_t rows = joints ? l.joint_rows : l.rows;
    if (rows == 0) {
        return ZW_OK;
    }
    ZW_TRY(zw_file_begin(x->context, x->out.fd, x->out.path, f.name, &f.fd));
    zw_text_init(&f.text, x->context);
    if (joints) {
        zw_ledger_joint_csv_head(&f.text);
    } else {
        zw_ledger_csv_head(&f.text);
    }
    zw_status status = ZW_OK;
    for (int64_t i = 0; i < rows && status == ZW_OK; i++) {
        if (joints) {
            zw_ledger_joint_csv(l.joint_row + i * ZW_LEDGER_JOINT_COLUMNS, l.joints, &f.text);
        } else {
            zw_ledger_csv(l.row + i * ZW_LEDGER_COLUMNS, l.sides, &f.text);
        }
        status = f.text.n > PIECE ? file_flush(&f) : ZW_OK;
    }
    status = file_close(&f, status);
    zw_text_destroy(&f.text);
    return status;
}

static zw_status export_all(csv_export *x) {
    int epochs = zw_results_epochs(x->results);
    x->first = zw_arena_alloc(&x->arena, (size_t)epochs, sizeof *x->first, "the tables");
    if (!x->first) {
        return ZW_E_MEMORY;
    }
    for (int e = 0; e < epochs; e++) {
        ZW_TRY(find_tables(x, e));
    }
    for (int e = 0; e < epochs; e++) {
        for (const csv_table *t = x->first[e]; t; t = t->next) {
            if (!seen_before(x, e, t->key)) {
                ZW_TRY(export_table(x, e, t));
            }
        }
    }
    ZW_TRY(export_ledger(x, false));
    return export_ledger(x, true);
}

zw_status zw_export_csv(zw_context *c, const char *directory, const char *out_directory) {
    if (!c) {
        return ZW_E_ARG;
    }
    csv_export x = {.context = c, .out = {.context = c, .fd = -1, .lock = -1}};
    ZW_TRY(zw_results_open(c, directory, &x.results));
    zw_arena_init(&x.arena, c);
    zw_status status = zw_directory_create(c, out_directory, &x.out);
    if (status == ZW_OK) {
        status = export_all(&x);
    }
    zw_free(c, x.used);
    zw_arena_destroy(&x.arena);
    zw_directory_close(&x.out);
    zw_results_close(x.results);
    return status;
}

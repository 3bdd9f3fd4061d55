/* SPDX-License-Identifier: Apache-2.0
 * epochs.c: see epochs.h. */
#include "record/epochs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/layout.h"
#include "record/rod_field.h"

enum { ROWS = 64 };

/* the mesh of a rod in one epoch */
typedef struct mesh {
    int           nodes, links;
    bool          closed;
    const double *label; /* [nodes] rising; NULL: not known, then nodes are evenly spread */
    double        end;   /* label where a ring closes */
} mesh;

/* where a row of the new mesh lies in the old one: between two rows */
typedef struct spot {
    int    a, b;
    double f; /* 0: a, 1: b */
} spot;

/* share: about where in the list of constants */
static const zw_channel *rod_constant(const zw_layout *l, const char *name, const char *what, double share) {
    char full[sizeof l->constant->name + 32];
    snprintf(full, sizeof full, "rod/%s/%s", name, what);
    int i = l->constants ? zw_layout_constant(l, full, (int)(share * l->nconstants)) : -1;
    return i >= 0 ? &l->constant[i] : NULL;
}

static bool rises(const double *x, size_t n) {
    bool up = n > 0 && isfinite(x[0]);
    for (size_t i = 1; up && i < n; i++) {
        up = isfinite(x[i]) && x[i] > x[i - 1];
    }
    return up;
}

static mesh mesh_of(const zw_layout *l, const char *name, double share) {
    const zw_channel *label = rod_constant(l, name, "label", share), *closed = rod_constant(l, name, "closed", share);
    mesh              m = {.closed = closed && closed->count == 1 && l->constants[closed->offset] != 0.0};
    char              full[sizeof l->channel->name + 32];
    snprintf(full, sizeof full, "rod/%s/position", name);
    int i = zw_layout_channel(l, full, (int)(share * l->nchannels));
    m.nodes = label ? (int)label->count : i >= 0 && l->channel[i].rank > 0 ? l->channel[i].shape[0] : 0;
    m.links = m.closed ? m.nodes : m.nodes - 1;
    if (label && rises(l->constants + label->offset, label->count)) {
        m.label = l->constants + label->offset;
        m.end = m.label[m.nodes - 1];
        m.end += m.closed && m.nodes > 1 ? (m.end - m.label[0]) / (m.nodes - 1) : 0.0; /* links of one length */
    }
    return m;
}

/* label of node i; node `nodes` of a ring is its first again */
static double label_at(const mesh *m, int i) {
    if (!m->label) {
        return m->links > 0 ? (double)i / (double)m->links : 0.0;
    }
    return i < m->nodes ? m->label[i] : m->end;
}

/* the last node of a link's beginning that is not behind s */
static int link_at(const mesh *m, double s) {
    int low = 0, high = m->links;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(label_at(m, middle) <= s ? &low : &high) = middle;
    }
    return low;
}

static spot node_spot(const mesh *m, double s) {
    if (m->links < 1) {
        return (spot){0};
    }
    int    k = link_at(m, s), next = k + 1 < m->nodes ? k + 1 : 0;
    double a = label_at(m, k), b = label_at(m, k + 1), f = b > a ? (s - a) / (b - a) : 0.0;
    return (spot){.a = k, .b = next, .f = f < 0.0 ? 0.0 : f > 1.0 ? 1.0 : f};
}

/* for each row of the channel as it is read, its place in the old one; false: it is neither of nodes nor of links in both */
static bool find_spots(const zw_epochs *e, const zw_layout *old, const zw_channel *from, const zw_channel *to, spot *out) {
    char        name[sizeof to->name];
    const char *field = zw_rod_field(to->name, name, sizeof name);
    if (!field || from->rank < 1 || from->rank != to->rank) {
        return false;
    }
    for (int i = 1; i < to->rank; i++) {
        if (from->shape[i] != to->shape[i]) {
            return false;
        }
    }
    double share = (double)(to - e->layout->channel) / e->layout->nchannels;
    mesh   a = mesh_of(old, name, share), b = mesh_of(e->layout, name, share);
    mesh   first = mesh_of(zw_results_layout(e->results, 0), name, share);
    bool   nodes =
        zw_rod_field_of_nodes(field, from->shape[0], a.nodes, a.closed) && zw_rod_field_of_nodes(field, to->shape[0], b.nodes, b.closed);
    bool links = !nodes && from->shape[0] == a.links && to->shape[0] == b.links;
    if ((!nodes && !links) || a.closed != b.closed || from->shape[0] < 1) {
        return false;
    }
    if (!a.label || !b.label) {
        a.label = b.label = NULL;
    } else if (a.closed && first.label) { /* a mesh begins with links of one length: there it is known where a ring closes */
        double end = fmax(first.end, fmax(a.label[a.nodes - 1], b.label[b.nodes - 1]));
        a.end = b.end = end;
    }
    for (int i = 0; i < to->shape[0]; i++) {
        if (nodes) {
            out[i] = node_spot(&a, label_at(&b, i));
        } else {
            int k = link_at(&a, 0.5 * (label_at(&b, i) + label_at(&b, i + 1)));
            out[i] = (spot){.a = k, .b = k};
        }
    }
    return true;
}

static void blend(const double *a, const double *b, double f, size_t n, bool turn, double *out) {
    double dot = 0.0, sum = 0.0;
    if (f == 0.0) {
        memcpy(out, a, n * sizeof *out);
        return;
    }
    for (size_t i = 0; turn && i < n; i++) {
        dot += a[i] * b[i];
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = (1.0 - f) * a[i] + (dot < 0.0 ? -f : f) * b[i]; /* q and -q are the same rotation */
        sum += out[i] * out[i];
    }
    for (size_t i = 0; turn && sum > 0.0 && i < n; i++) {
        out[i] /= sqrt(sum);
    }
}

static zw_status resample(const zw_epochs *e, int epoch, int old, int channel, int64_t first, int64_t count, double *out) {
    const zw_layout  *l = zw_results_layout(e->results, epoch);
    const zw_channel *from = &l->channel[old], *to = &e->layout->channel[channel];
    zw_arena_mark     mark = zw_arena_mark_now(e->arena);
    size_t            rows = to->rank > 0 ? (size_t)to->shape[0] : 1, width = rows > 0 ? to->count / rows : 0;
    spot             *at = zw_arena_alloc(e->arena, rows + 1, sizeof *at, "frames of another mesh");
    double           *block = zw_arena_alloc(e->arena, ROWS * from->count + 1, sizeof *block, "frames of another mesh");
    const char       *last = strrchr(to->name, '/');
    zw_status         status = at && block ? ZW_OK : ZW_E_MEMORY;
    bool              turn = width == 4 && last && strcmp(last, "/orientation") == 0;
    bool              found = status == ZW_OK && find_spots(e, l, from, to, at);
    for (size_t i = 0; status == ZW_OK && !found && i < (size_t)count * to->count; i++) {
        out[i] = NAN;
    }
    for (int64_t k = 0; found && k < count && status == ZW_OK; k += ROWS) {
        int64_t n = count - k < ROWS ? count - k : ROWS;
        status = zw_results_read(e->results, epoch, old, first + k, n, block);
        for (int64_t j = 0; j < n && status == ZW_OK; j++) {
            const double *frame = block + (size_t)j * from->count;
            double       *p = out + (size_t)(k + j) * to->count;
            for (size_t i = 0; i < rows; i++) {
                blend(frame + (size_t)at[i].a * width, frame + (size_t)at[i].b * width, at[i].f, width, turn, p + i * width);
            }
        }
    }
    zw_arena_release(e->arena, mark);
    return status;
}

void zw_epochs_init(zw_epochs *e, zw_arena *a, const zw_results *r) {
    int n = zw_results_epochs(r);
    *e = (zw_epochs){.results = r, .arena = a, .frames = zw_results_total(r)};
    e->layout = zw_results_layout(r, n - 1);
    for (int i = 0; i < n; i++) {
        e->layout = zw_results_frames(r, i) > 0 ? zw_results_layout(r, i) : e->layout;
    }
}

zw_status zw_epochs_read(const zw_epochs *e, int channel, int64_t first, int64_t count, double *out) {
    const zw_channel *k = &e->layout->channel[channel];
    int               epoch = 0;
    int64_t           within = 0;
    while (count > 0 && zw_results_locate(e->results, first, &epoch, &within)) {
        const zw_layout *l = zw_results_layout(e->results, epoch);
        int64_t          left = zw_results_frames(e->results, epoch) - within, n = count < left ? count : left;
        int              old = zw_layout_channel(l, k->name, channel);
        if (old >= 0 && zw_channel_alike(&l->channel[old], k)) {
            ZW_TRY(zw_results_read(e->results, epoch, old, within, n, out));
        } else if (old >= 0) {
            ZW_TRY(resample(e, epoch, old, channel, within, n, out));
        } else {
            for (size_t i = 0; i < (size_t)n * k->count; i++) {
                out[i] = NAN;
            }
        }
        out += (size_t)n * k->count;
        first += n;
        count -= n;
    }
    return ZW_OK;
}

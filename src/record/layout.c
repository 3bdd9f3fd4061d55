/* SPDX-License-Identifier: Apache-2.0
 * layout.c: a zw_layout as bytes: five 64-bit numbers (channels, constants, width, width of the constants, 0), then a fixed-size entry
 * per channel and constant, then the constants. The size of the text follows from its head, so that no length in it can ask for more
 * memory than the file has bytes. */
#include "record/layout.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct channel_entry {
    char     name[96];
    char     unit[16];
    int32_t  rank, shape[3];
    uint64_t offset, count;
} channel_entry;
_Static_assert(sizeof(channel_entry) == 144, "the entry has no holes");
enum { HEAD = 5, HEAD_ROOM = (sizeof(zw_layout) + 15) / 16 * 16 };

/* a path of components that a file system and HDF5 take as they are */
static bool name_is_clean(const char *name, size_t room) {
    size_t n = 0;
    while (n < room && name[n]) {
        n++;
    }
    if (n == 0 || n == room) {
        return false;
    }
    size_t start = 0;
    for (size_t i = 0; i <= n; i++) {
        if (i == n || name[i] == '/') {
            size_t length = i - start;
            if (length == 0 || (length == 1 && name[start] == '.') || (length == 2 && name[start] == '.' && name[start + 1] == '.')) {
                return false;
            }
            start = i + 1;
        } else if ((unsigned char)name[i] < 0x20 || name[i] == 0x7F) {
            return false;
        }
    }
    return true;
}

static const char *channels_fault(const zw_channel *channel, int n, size_t width) {
    size_t end = 0;
    for (int i = 0; i < n; i++) {
        const zw_channel *k = &channel[i];
        if (!name_is_clean(k->name, sizeof k->name)) {
            return "a channel has no usable name";
        }
        if (!memchr(k->unit, 0, sizeof k->unit)) {
            return "a unit does not end";
        }
        if (k->rank < 0 || k->rank > 3) {
            return "the rank of a channel is not 0 to 3";
        }
        size_t count = 1;
        for (int j = 0; j < k->rank; j++) {
            if (k->shape[j] < 0 || (k->shape[j] > 0 && count > SIZE_MAX / 16 / (size_t)k->shape[j])) {
                return "the shape of a channel is impossible";
            }
            count *= (size_t)k->shape[j];
        }
        if (count != k->count) {
            return "the count of a channel differs from its shape";
        }
        if (k->offset < end || k->offset > width || k->count > width - k->offset) {
            return "a channel overlaps another or lies outside the frame";
        }
        end = k->offset + k->count;
    }
    return NULL;
}

static int compare_names(const void *a, const void *b) {
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

const char *zw_layout_fault(const zw_layout *l) {
    if (l->nchannels < 1 || l->nconstants < 0) {
        return "there is no channel";
    }
    if (l->width > SIZE_MAX / 64 || l->constants_width > SIZE_MAX / 64) {
        return "the frame is too wide";
    }
    const char *fault = channels_fault(l->channel, l->nchannels, l->width);
    if (!fault) {
        fault = channels_fault(l->constant, l->nconstants, l->constants_width);
    }
    if (!fault && (strcmp(l->channel[0].name, "time") != 0 || l->channel[0].rank != 0)) {
        fault = "the first channel is not the time";
    }
    return fault;
}

static bool channels_equal(const zw_channel *a, const zw_channel *b, int n) {
    for (int i = 0; i < n; i++) {
        if (strcmp(a[i].name, b[i].name) != 0 || strcmp(a[i].unit, b[i].unit) != 0 || a[i].rank != b[i].rank ||
            a[i].offset != b[i].offset || a[i].count != b[i].count) {
            return false;
        }
        for (int j = 0; j < a[i].rank; j++) {
            if (a[i].shape[j] != b[i].shape[j]) {
                return false;
            }
        }
    }
    return true;
}

bool zw_layout_equal(const zw_layout *a, const zw_layout *b) {
    return a->nchannels == b->nchannels && a->nconstants == b->nconstants && a->width == b->width &&
           a->constants_width == b->constants_width && channels_equal(a->channel, b->channel, a->nchannels) &&
           channels_equal(a->constant, b->constant, a->nconstants) &&
           (a->constants_width == 0 || memcmp(a->constants, b->constants, a->constants_width * sizeof(double)) == 0);
}

static int find(const zw_channel *channel, int n, const char *name, int near) {
    int at = near > 0 && near < n ? near : 0;
    for (int d = 0; d < n; d++) { /* outwards */
        if (at + d < n && strcmp(channel[at + d].name, name) == 0) {
            return at + d;
        }
        if (d > 0 && d <= at && strcmp(channel[at - d].name, name) == 0) {
            return at - d;
        }
    }
    return -1;
}

int zw_layout_channel(const zw_layout *l, const char *name, int near) {
    return find(l->channel, l->nchannels, name, near);
}

int zw_layout_constant(const zw_layout *l, const char *name, int near) {
    return find(l->constant, l->nconstants, name, near);
}

bool zw_channel_alike(const zw_channel *a, const zw_channel *b) {
    bool alike = a->rank == b->rank;
    for (int i = 0; alike && i < a->rank; i++) {
        alike = a->shape[i] == b->shape[i];
    }
    return alike;
}

size_t zw_layout_bytes(const zw_layout *l) {
    return HEAD * sizeof(uint64_t) + ((size_t)l->nchannels + (size_t)l->nconstants) * sizeof(channel_entry) +
           l->constants_width * sizeof(double);
}

static char *write_entries(char *p, const zw_channel *channel, int n) {
    for (int i = 0; i < n; i++, p += sizeof(channel_entry)) {
        channel_entry e = {.rank = channel[i].rank, .offset = channel[i].offset, .count = channel[i].count};
        strncpy(e.name, channel[i].name, sizeof e.name - 1);
        strncpy(e.unit, channel[i].unit, sizeof e.unit - 1);
        for (int j = 0; j < channel[i].rank; j++) {
            e.shape[j] = channel[i].shape[j];
        }
        memcpy(p, &e, sizeof e);
    }
    return p;
}

void zw_layout_write(const zw_layout *l, void *bytes) {
    uint64_t head[HEAD] = {(uint64_t)l->nchannels, (uint64_t)l->nconstants, l->width, l->constants_width, 0};
    char    *p = bytes;
    memcpy(p, head, sizeof head);
    p = write_entries(p + sizeof head, l->channel, l->nchannels);
    p = write_entries(p, l->constant, l->nconstants);
    if (l->constants_width > 0) {
        memcpy(p, l->constants, l->constants_width * sizeof(double));
    }
}

zw_layout *zw_layout_create(zw_context *c, size_t nchannels, size_t nconstants, size_t constants_width) {
    const size_t most = SIZE_MAX / 1024;
    if (nchannels > INT32_MAX || nconstants > INT32_MAX || nchannels > most || nconstants > most || constants_width > most) {
        zw_raise(c, ZW_E_LIMIT, "results", NULL, "the layout has more channels than can be held");
        return NULL;
    }
    size_t     head = HEAD_ROOM, entries = (nchannels + nconstants) * sizeof(zw_channel);
    char      *block = zw_alloc(c, head + constants_width * sizeof(double) + entries, 1, "the layout of results");
    zw_layout *l = (zw_layout *)(void *)block;
    if (l) {
        double *constants = (double *)(void *)(block + head);
        l->nchannels = (int)nchannels;
        l->nconstants = (int)nconstants;
        l->constants_width = constants_width;
        l->constants = constants;
        l->channel = (zw_channel *)(void *)(constants + constants_width);
        l->constant = l->channel + nchannels;
    }
    return l;
}

void zw_layout_set_constants(zw_layout *l, const double *values) {
    double *constants = (double *)(void *)((char *)l + HEAD_ROOM); /* where create put them */
    if (l->constants_width > 0) {
        memcpy(constants, values, l->constants_width * sizeof(double));
    }
}

static const char *read_entries(const char *p, zw_channel *channel, int n) {
    for (int i = 0; i < n; i++, p += sizeof(channel_entry)) {
        channel_entry e;
        memcpy(&e, p, sizeof e);
        memcpy(channel[i].name, e.name, sizeof e.name);
        memcpy(channel[i].unit, e.unit, sizeof e.unit);
        channel[i].rank = e.rank;
        memcpy(channel[i].shape, e.shape, sizeof channel[i].shape);
        channel[i].offset = (size_t)e.offset;
        channel[i].count = (size_t)e.count;
    }
    return p;
}

/* two channels of one name, or one that is a folder of another, cannot both be stored */
static const char *names_fault(zw_context *c, const zw_channel *channel, int n, bool *no_memory) {
    const char **name = zw_alloc(c, (size_t)n, sizeof *name, "the names of channels");
    if (!name) {
        *no_memory = true;
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        name[i] = channel[i].name;
    }
    qsort(name, (size_t)n, sizeof *name, compare_names);
    const char *fault = NULL;
    for (int i = 1; i < n && !fault; i++) {
        if (strcmp(name[i - 1], name[i]) == 0) {
            fault = "two channels have the same name";
        }
    }
    zw_free(c, name);
    return fault;
}

zw_layout *zw_layout_read(zw_context *c, const void *bytes, size_t n, const char **fault) {
    *fault = NULL;
    uint64_t    head[HEAD];
    const char *p = bytes;
    if (n < sizeof head) {
        *fault = "the layout is cut short";
        return NULL;
    }
    memcpy(head, p, sizeof head);
    uint64_t room = (n - sizeof head) / 8, entry = sizeof(channel_entry) / 8; /* in words of 8 bytes */
    if (head[0] > room / entry || head[1] > room / entry || head[3] > room || (head[0] + head[1]) * entry + head[3] != room || n % 8 != 0) {
        *fault = "the layout's numbers do not fit its size";
        return NULL;
    }
    zw_layout *l = zw_layout_create(c, (size_t)head[0], (size_t)head[1], (size_t)head[3]);
    if (!l) {
        return NULL;
    }
    p = read_entries(p + sizeof head, l->channel, l->nchannels);
    p = read_entries(p, l->constant, l->nconstants);
    if (l->constants_width > 0) {
        memcpy((char *)l + HEAD_ROOM, p, l->constants_width * sizeof(double));
    }
    l->width = head[2] > SIZE_MAX / 64 ? SIZE_MAX : (size_t)head[2];
    bool no_memory = false;
    *fault = zw_layout_fault(l);
    if (!*fault) {
        *fault = names_fault(c, l->channel, l->nchannels, &no_memory);
    }
    if (!*fault && !no_memory) {
        *fault = names_fault(c, l->constant, l->nconstants, &no_memory);
    }
    if (*fault || no_memory) {
        zw_free(c, l);
        return NULL;
    }
    return l;
}

zw_layout *zw_layout_copy(zw_context *c, const zw_layout *l) {
    size_t n = zw_layout_bytes(l);
    void  *bytes = zw_alloc(c, n, 1, "the layout of results");
    if (!bytes) {
        return NULL;
    }
    zw_layout_write(l, bytes);
    const char *fault;
    zw_layout  *copy = zw_layout_read(c, bytes, n, &fault);
    if (!copy && fault) {
        zw_raise(c, ZW_E_INTERNAL, "recorded channels", "please report it", "%s", fault);
    }
    zw_free(c, bytes);
    return copy;
}

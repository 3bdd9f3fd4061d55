/* SPDX-License-Identifier: Apache-2.0
 * names.c: a hash table of names with chains. It has as many heads as names at least, and doubles. */
#include "base/names.h"

#include "base/check.h"

#include <string.h>

void zw_names_init(zw_names *l, zw_context *c) {
    *l = (zw_names){.context = c};
}

void zw_names_destroy(zw_names *l) {
    if (l->context) {
        zw_free(l->context, l->name);
        zw_free(l->context, l->next);
        zw_free(l->context, l->bucket);
    }
    *l = (zw_names){.context = l->context};
}

static int head(const zw_names *l, const char *name, size_t n) {
    uint64_t h = zw_hash64(0, name, n);
    return (int)((h ^ (h >> 32)) & (uint64_t)(l->buckets - 1));
}

int zw_names_find_n(const zw_names *l, const char *name, size_t n) {
    if (l->n == 0) {
        return -1;
    }
    for (int i = l->bucket[head(l, name, n)]; i > 0; i = l->next[i - 1]) {
        const char *known = l->name[i - 1];
        if (strncmp(known, name, n) == 0 && known[n] == '\0') {
            return i - 1;
        }
    }
    return -1;
}

int zw_names_find(const zw_names *l, const char *name) {
    return zw_names_find_n(l, name, strlen(name));
}

static void link_name(zw_names *l, int i) {
    int h = head(l, l->name[i], strlen(l->name[i]));
    l->next[i] = l->bucket[h];
    l->bucket[h] = i + 1;
}

static bool grow(zw_names *l) {
    int          room = l->room ? 2 * l->room : 16;
    const char **name = zw_resize(l->context, l->name, (size_t)room, sizeof *name, "names");
    if (!name) {
        return false;
    }
    l->name = name;
    int *next = zw_resize(l->context, l->next, (size_t)room, sizeof *next, "names");
    if (!next) {
        return false;
    }
    l->next = next;
    int *bucket = zw_alloc(l->context, (size_t)room, sizeof *bucket, "names");
    if (!bucket) {
        return false;
    }
    zw_free(l->context, l->bucket);
    l->bucket = bucket;
    l->buckets = room;
    l->room = room;
    for (int i = 0; i < l->n; i++) {
        link_name(l, i);
    }
    return true;
}

int zw_names_add(zw_names *l, const char *name) {
    if (l->n == l->room && !grow(l)) {
        return -1;
    }
    l->name[l->n] = name;
    link_name(l, l->n);
    return l->n++;
}

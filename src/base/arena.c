/* SPDX-License-Identifier: Apache-2.0
 * arena.c: memory that dies together, in blocks that never move.
 *
 * The blocks form a chain  oldest <-> ... <-> block (being filled) <-> newer ones, empty, kept from earlier marks.
 * A scratch pattern that repeats therefore allocates in its first round only. A fresh block is zero; `dirty` is how far
 * it was ever filled, so that only bytes used before are cleared again. */
#include "base/arena.h"

#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ZW_ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ZW_ARENA_ASAN 1
#endif
#endif

enum { ALIGN = 64, FIRST_BLOCK = 16 * 1024, LARGEST_BLOCK = 4 * 1024 * 1024 };

#if defined(ZW_ARENA_ASAN)
#include <sanitizer/asan_interface.h>
enum { RED_ZONE = 64 }; /* between two allocations, so that an overrun hits poison */
static void poison(void *p, size_t n) {
    __asan_poison_memory_region(p, n);
}
static void unpoison(void *p, size_t n) {
    __asan_unpoison_memory_region(p, n);
}
#else
enum { RED_ZONE = 0 };
static void poison(void *p, size_t n) {
    (void)p;
    (void)n;
}
static void unpoison(void *p, size_t n) {
    (void)p;
    (void)n;
}
#endif

struct zw_arena_block {
    zw_arena_block *older, *newer;
    unsigned char  *bytes; /* 64-byte aligned, behind this header */
    size_t          room, fill, dirty;
};

void zw_arena_init(zw_arena *a, zw_context *c) {
    *a = (zw_arena){.context = c};
}

static void block_free(zw_arena *a, zw_arena_block *b) {
    unpoison(b->bytes, b->room);
    zw_free(a->context, b);
}

static zw_arena_block *block_create(zw_arena *a, size_t need, const char *what) {
    size_t room = a->block ? a->block->room : FIRST_BLOCK / 2;
    room = room < LARGEST_BLOCK / 2 ? 2 * room : LARGEST_BLOCK;
    room = room < need ? need : room;
    size_t          head = sizeof(zw_arena_block) + ALIGN - 1;
    zw_arena_block *b = zw_alloc(a->context, room + head, 1, what);
    if (!b) {
        return NULL;
    }
    uintptr_t first = (uintptr_t)b + sizeof *b;
    b->bytes = (unsigned char *)b + sizeof *b + (ALIGN - first % ALIGN) % ALIGN;
    b->room = room;
    poison(b->bytes, room);
    return b;
}

/* makes the block being filled one with room for `need` more bytes */
static bool block_provide(zw_arena *a, size_t need, const char *what) {
    zw_arena_block *b = a->block;
    if (b && b->room - b->fill >= need) {
        return true;
    }
    while (b && b->newer) {
        zw_arena_block *kept = b->newer;
        if (kept->room >= need) {
            a->block = kept;
            return true;
        }
        b->newer = kept->newer;
        if (b->newer) {
            b->newer->older = b;
        }
        block_free(a, kept);
    }
    zw_arena_block *fresh = block_create(a, need, what);
    if (!fresh) {
        return false;
    }
    fresh->older = b;
    if (b) {
        b->newer = fresh;
    }
    a->block = fresh;
    return true;
}

void *zw_arena_alloc(zw_arena *a, size_t count, size_t size, const char *what) {
    if (size > 0 && count > (size_t)PTRDIFF_MAX / size) {
        return zw_alloc(a->context, count, size, what); /* cannot be had: raises with the size and gives NULL */
    }
    size_t bytes = count * size;
    size_t padded = bytes > 0 ? (bytes + ALIGN - 1) / ALIGN * ALIGN : ALIGN;
    if (!block_provide(a, padded + RED_ZONE, what)) {
        return NULL;
    }
    zw_arena_block *b = a->block;
    size_t          begin = b->fill, end = begin + bytes;
    unsigned char  *p = b->bytes + begin;
    unpoison(p, bytes);
    if (begin < b->dirty && bytes > 0) {
        memset(p, 0, (end < b->dirty ? end : b->dirty) - begin);
    }
    b->fill = begin + padded + RED_ZONE;
    b->dirty = end > b->dirty ? end : b->dirty;
    a->used += padded;
    a->peak = a->used > a->peak ? a->used : a->peak;
    return p;
}

char *zw_arena_strndup(zw_arena *a, const char *text, size_t n) {
    size_t len = 0;
    while (len < n && text[len]) {
        len++;
    }
    char *s = zw_arena_alloc(a, len + 1, 1, "a text");
    if (s && len > 0) {
        memcpy(s, text, len);
    }
    return s;
}

char *zw_arena_strdup(zw_arena *a, const char *text) {
    return zw_arena_strndup(a, text, strlen(text));
}

zw_arena_mark zw_arena_mark_now(const zw_arena *a) {
    return (zw_arena_mark){.block = a->block, .fill = a->block ? a->block->fill : 0, .used = a->used};
}

void zw_arena_release(zw_arena *a, zw_arena_mark mark) {
    zw_arena_block *b = a->block;
    while (b && b != mark.block) {
        b->fill = 0;
        poison(b->bytes, b->room);
        if (!b->older) {
            break; /* the mark is from before the first block */
        }
        b = b->older;
    }
    if (b && b == mark.block) {
        b->fill = mark.fill;
        poison(b->bytes + mark.fill, b->room - mark.fill);
    }
    a->block = b;
    a->used = mark.used;
}

void zw_arena_destroy(zw_arena *a) {
    zw_arena_block *b = a->block;
    while (b && b->newer) {
        b = b->newer;
    }
    while (b) {
        zw_arena_block *older = b->older;
        block_free(a, b);
        b = older;
    }
    *a = (zw_arena){.context = a->context};
}

/* SPDX-License-Identifier: Apache-2.0
 * zip.c: a ZIP file by APPNOTE.TXT 6.3: [head, data] per entry, central directory, end records. Sizes and places that do not fit into 32
 * bits stand in a Zip64 extra field (tag 1), and the Zip64 end record and its locator come before the end record. Heads are written
 * last, when the CRCs are known. Dates are 1980-01-01, so that the same results give the same file. */
#define _POSIX_C_SOURCE 200809L
#include "record/zip.h"

#include "base/check.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
    LOCAL_HEAD = 30,
    EXTRA_MOST = 4 + 3 * 8,
    CENTRAL_HEAD = 46,
    END_MOST = 56 + 20 + 22,
    DATE_1980 = 1 << 5 | 1,
    UTF8_NAMES = 1 << 11,
    PLAIN = 20, /* version 2.0 */
    WIDE = 45   /* version 4.5: Zip64 */
};
static const uint64_t ELSEWHERE = 0xFFFFFFFFu; /* in a 32-bit field: the number is in the extra field */

void zw_zip_init(zw_zip *z, zw_context *c, int fd) {
    *z = (zw_zip){.context = c, .fd = fd, .most32 = ELSEWHERE};
}

void zw_zip_destroy(zw_zip *z) {
    for (size_t i = 0; i < z->n; i++) {
        zw_free(z->context, z->entry[i].name);
    }
    zw_free(z->context, z->entry);
    z->entry = NULL;
    z->n = 0;
}

static bool wide(const zw_zip *z, uint64_t number) {
    return number >= z->most32;
}

static uint64_t data_offset(const zw_zip *z, const zw_zip_entry *e) {
    return e->offset + LOCAL_HEAD + strlen(e->name) + (wide(z, e->size) ? 4 + 2 * 8 : 0);
}

zw_status zw_zip_add(zw_zip *z, const char *name, uint64_t size) {
    if (strlen(name) > UINT16_MAX || size > INT64_MAX / 2 || z->end > INT64_MAX / 2) {
        return zw_raise(z->context, ZW_E_LIMIT, name, "export fewer numbers", "does not fit into a ZIP file");
    }
    if (z->n == z->room) {
        size_t        room = z->room < 32 ? 32 : 2 * z->room;
        zw_zip_entry *entry = zw_resize(z->context, z->entry, room, sizeof *entry, "the entries of a ZIP file");
        if (!entry) {
            return ZW_E_MEMORY;
        }
        z->entry = entry;
        z->room = room;
    }
    zw_zip_entry *e = &z->entry[z->n];
    *e = (zw_zip_entry){.name = zw_strdup(z->context, name), .size = size, .offset = z->end};
    if (!e->name) {
        return ZW_E_MEMORY;
    }
    z->n++;
    z->end = data_offset(z, e) + size;
    return ZW_OK;
}

static int put_at(int fd, uint64_t offset, const void *bytes, size_t n) {
    const char *p = bytes;
    while (n > 0) {
        ssize_t done = pwrite(fd, p, n < 1 << 30 ? n : 1 << 30, (off_t)offset);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return done < 0 ? errno : EIO;
        }
        p += done;
        n -= (size_t)done;
        offset += (uint64_t)done;
    }
    return 0;
}

int zw_zip_put(zw_zip *z, size_t entry, const void *bytes, size_t n) {
    zw_zip_entry *e = &z->entry[entry];
    if (n > e->size - e->done) {
        return EFBIG;
    }
    int error = put_at(z->fd, data_offset(z, e) + e->done, bytes, n);
    e->crc = zw_crc32(e->crc, bytes, n);
    e->done += n;
    return error;
}

/* ---- heads ---- */

static unsigned char *put_number(unsigned char *p, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        *p++ = (unsigned char)(value >> 8 * i);
    }
    return p;
}

/* what both heads have from the version needed to the length of the name; the sizes of stored data are equal */
static unsigned char *put_middle(const zw_zip *z, const zw_zip_entry *e, bool elsewhere, unsigned char *p) {
    uint64_t size = wide(z, e->size) ? ELSEWHERE : e->size;
    p = put_number(p, elsewhere ? WIDE : PLAIN, 2);
    p = put_number(p, UTF8_NAMES, 2);
    p = put_number(p, 0, 2); /* stored */
    p = put_number(p, 0, 2); /* midnight */
    p = put_number(p, DATE_1980, 2);
    p = put_number(p, e->crc, 4);
    p = put_number(p, size, 4);
    p = put_number(p, size, 4);
    return put_number(p, strlen(e->name), 2);
}

static int put_local(const zw_zip *z, const zw_zip_entry *e) {
    unsigned char head[LOCAL_HEAD + EXTRA_MOST], *p = head;
    size_t        name = strlen(e->name);
    bool          extra = wide(z, e->size);
    p = put_number(p, 0x04034B50u, 4);
    p = put_middle(z, e, extra, p);
    p = put_number(p, extra ? 4 + 2 * 8 : 0, 2);
    int error = put_at(z->fd, e->offset, head, LOCAL_HEAD);
    error = error ? error : put_at(z->fd, e->offset + LOCAL_HEAD, e->name, name);
    if (extra && !error) {
        p = put_number(head, 1, 2);
        p = put_number(p, 2 * 8, 2);
        p = put_number(p, e->size, 8);
        p = put_number(p, e->size, 8);
        error = put_at(z->fd, e->offset + LOCAL_HEAD + name, head, (size_t)(p - head));
    }
    return error;
}

/* one entry of the central directory at *end, which moves behind it */
static int put_central(const zw_zip *z, const zw_zip_entry *e, uint64_t *end) {
    unsigned char head[CENTRAL_HEAD + EXTRA_MOST], extra[EXTRA_MOST], *p = head, *q = extra + 4;
    size_t        name = strlen(e->name);
    if (wide(z, e->size)) {
        q = put_number(q, e->size, 8);
        q = put_number(q, e->size, 8);
    }
    if (wide(z, e->offset)) {
        q = put_number(q, e->offset, 8);
    }
    size_t nextra = q > extra + 4 ? (size_t)(q - extra) : 0;
    put_number(put_number(extra, 1, 2), nextra > 0 ? nextra - 4 : 0, 2);
    p = put_number(p, 0x02014B50u, 4);
    p = put_number(p, 3 << 8 | WIDE, 2); /* made on Unix: the attributes below are a mode */
    p = put_middle(z, e, nextra > 0, p);
    p = put_number(p, nextra, 2);
    p = put_number(p, 0, 2 + 2 + 2); /* comment, disk, internal attributes */
    p = put_number(p, (uint64_t)0100644 << 16, 4);
    put_number(p, wide(z, e->offset) ? ELSEWHERE : e->offset, 4);
    int error = put_at(z->fd, *end, head, CENTRAL_HEAD);
    error = error ? error : put_at(z->fd, *end + CENTRAL_HEAD, e->name, name);
    error = error ? error : put_at(z->fd, *end + CENTRAL_HEAD + name, extra, nextra);
    *end += CENTRAL_HEAD + name + nextra;
    return error;
}

static int put_end(const zw_zip *z, uint64_t start, uint64_t end) {
    unsigned char tail[END_MOST], *p = tail;
    uint64_t      size = end - start;
    bool          many = z->n >= UINT16_MAX || wide(z, z->n);
    if (many || wide(z, size) || wide(z, start)) {
        p = put_number(p, 0x06064B50u, 4);
        p = put_number(p, 56 - 12, 8); /* of what follows */
        p = put_number(p, 3 << 8 | WIDE, 2);
        p = put_number(p, WIDE, 2);
        p = put_number(p, 0, 4 + 4); /* disks */
        p = put_number(p, z->n, 8);
        p = put_number(p, z->n, 8);
        p = put_number(p, size, 8);
        p = put_number(p, start, 8);
        p = put_number(p, 0x07064B50u, 4); /* where the record above is */
        p = put_number(p, 0, 4);
        p = put_number(p, end, 8);
        p = put_number(p, 1, 4);
    }
    p = put_number(p, 0x06054B50u, 4);
    p = put_number(p, 0, 2 + 2);
    p = put_number(p, many ? UINT16_MAX : z->n, 2);
    p = put_number(p, many ? UINT16_MAX : z->n, 2);
    p = put_number(p, wide(z, size) ? ELSEWHERE : size, 4);
    p = put_number(p, wide(z, start) ? ELSEWHERE : start, 4);
    p = put_number(p, 0, 2); /* comment */
    return put_at(z->fd, end, tail, (size_t)(p - tail));
}

zw_status zw_zip_finish(zw_zip *z, int *error) {
    uint64_t end = z->end;
    *error = 0;
    for (size_t i = 0; i < z->n && *error == 0; i++) {
        if (z->entry[i].done != z->entry[i].size) {
            return zw_raise(z->context, ZW_E_INTERNAL, z->entry[i].name, NULL, "got %llu of its %llu bytes",
                            (unsigned long long)z->entry[i].done, (unsigned long long)z->entry[i].size);
        }
        *error = put_local(z, &z->entry[i]);
    }
    for (size_t i = 0; i < z->n && *error == 0; i++) {
        *error = put_central(z, &z->entry[i], &end);
    }
    *error = *error ? *error : put_end(z, z->end, end);
    return *error ? ZW_E_IO : ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * checkpoint.c: writes and reads checkpoints. head (128 bytes), payload, CRC-32C of both.
 *
 * Two files in turn, each replaced as a whole: whenever the process dies, at least the one before the last is sound. */
#include "record/checkpoint.h"

#include "base/check.h"
#include "record/file.h"

#include <string.h>
#include <unistd.h>

typedef struct checkpoint_head {
    char     magic[8];
    uint32_t format, order;
    uint64_t sequence, hash;
    char     version[32];
    int64_t  frames;
    uint64_t journal_offset;
    double   wall_s;
    uint64_t size;
    uint64_t reserved[4];
} checkpoint_head;
_Static_assert(sizeof(checkpoint_head) == 128, "the head has no holes");

static const char *file_of(uint64_t sequence) {
    return sequence % 2 == 1 ? ZW_FILE_CHECKPOINT_A : ZW_FILE_CHECKPOINT_B;
}

zw_status zw_checkpoint_write(zw_directory *d, const zw_checkpoint *k) {
    checkpoint_head head = {.magic = "zwcheck",
                            .format = ZW_CHECKPOINT_FORMAT,
                            .order = 0x01020304,
                            .sequence = k->sequence,
                            .hash = k->hash,
                            .frames = k->frames,
                            .journal_offset = k->journal_offset,
                            .wall_s = k->wall_s,
                            .size = k->size};
    strncpy(head.version, zw_version(), sizeof head.version - 1);
    uint32_t crc = zw_crc32c(0, &head, sizeof head);
    crc = k->size > 0 ? zw_crc32c(crc, k->bytes, k->size) : crc;

    const char *name = file_of(k->sequence);
    int         fd;
    ZW_TRY(zw_file_begin(d->context, d->fd, d->path, name, &fd));
    int error = zw_file_put(fd, &head, sizeof head);
    if (error == 0 && k->size > 0) {
        error = zw_file_put(fd, k->bytes, k->size);
    }
    if (error == 0) {
        error = zw_file_put(fd, &crc, sizeof crc);
    }
    if (error != 0) {
        zw_file_abandon(d->fd, name, fd);
        zw_file_raise(d->context, error, d->path, name, "writing the checkpoint");
        return ZW_E_IO;
    }
    return zw_file_commit(d->context, d->fd, d->path, name, fd);
}

/* NULL: sound */
static const char *parse(const char *bytes, size_t n, zw_checkpoint *k) {
    checkpoint_head head;
    uint32_t        crc;
    if (n < sizeof head + sizeof crc) {
        return "it is too short";
    }
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.magic, "zwcheck", 8) != 0) {
        return "it is not a checkpoint of zwang";
    }
    if (head.order != 0x01020304) {
        return "it was written on a machine with another byte order";
    }
    if (head.format != ZW_CHECKPOINT_FORMAT) {
        return "it has another format version";
    }
    if (head.size != n - sizeof head - sizeof crc) {
        return "it is cut short";
    }
    memcpy(&crc, bytes + n - sizeof crc, sizeof crc);
    if (crc != zw_crc32c(0, bytes, n - sizeof crc)) {
        return "its checksum is wrong";
    }
    if (head.frames < 0 || head.version[sizeof head.version - 1] != 0) {
        return "its numbers are impossible";
    }
    *k = (zw_checkpoint){.sequence = head.sequence,
                         .hash = head.hash,
                         .frames = head.frames,
                         .journal_offset = head.journal_offset,
                         .wall_s = head.wall_s,
                         .size = (size_t)head.size};
    memcpy(k->version, head.version, sizeof k->version);
    return NULL;
}

zw_status zw_checkpoint_load(zw_directory *d, zw_checkpoint out[2], int *n) {
    static const char *const names[2] = {ZW_FILE_CHECKPOINT_A, ZW_FILE_CHECKPOINT_B};
    *n = 0;
    for (int i = 0; i < 2; i++) {
        if (!zw_directory_has(d, names[i])) {
            continue;
        }
        char     *bytes;
        size_t    size;
        zw_status status = zw_file_read(d->context, d->fd, d->path, names[i], PTRDIFF_MAX / 2, &bytes, &size);
        if (status != ZW_OK) {
            while (*n > 0) {
                zw_free(d->context, out[--*n].bytes);
            }
            return status;
        }
        zw_checkpoint k;
        const char   *fault = parse(bytes, size, &k);
        if (fault) {
            zw_log(d->context, ZW_LOG_WARNING, "%s/%s cannot be used: %s", d->path, names[i], fault);
            zw_free(d->context, bytes);
            continue;
        }
        memmove(bytes, bytes + sizeof(checkpoint_head), k.size);
        k.bytes = bytes;
        out[(*n)++] = k;
    }
    if (*n == 2 && out[1].sequence > out[0].sequence) {
        zw_checkpoint k = out[0];
        out[0] = out[1];
        out[1] = k;
    }
    return ZW_OK;
}

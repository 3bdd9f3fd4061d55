/* SPDX-License-Identifier: Apache-2.0
 * zip.h: writes a ZIP file of stored (not compressed) entries whose sizes are known beforehand. Their places follow from the sizes, so
 * all entries can grow side by side, in one pass over the data; memory does not depend on the sizes. */
#ifndef ZW_RECORD_ZIP_H
#define ZW_RECORD_ZIP_H

#include "base/context.h"

typedef struct zw_zip_entry {
    char    *name;               /* UTF-8 */
    uint64_t size, done, offset; /* bytes in all, bytes written, place of its head */
    uint32_t crc;
} zw_zip_entry;

typedef struct zw_zip {
    zw_context   *context;
    int           fd;
    uint64_t      most32; /* numbers from here on go to the 64-bit fields; a test lowers it */
    uint64_t      end;    /* of the last entry */
    size_t        n, room;
    zw_zip_entry *entry;
} zw_zip;

void      zw_zip_init(zw_zip *z, zw_context *c, int fd);                    /* of an empty file, open for writing */
zw_status zw_zip_add(zw_zip *z, const char *name, uint64_t size);           /* entry number z->n - 1; before the first put */
int       zw_zip_put(zw_zip *z, size_t entry, const void *bytes, size_t n); /* the next n bytes of it; errno, 0: well */
zw_status zw_zip_finish(zw_zip *z,
                        int    *error); /* heads and directory; *error: errno of writing, not raised. ZW_E_INTERNAL: an entry is not full */
void      zw_zip_destroy(zw_zip *z); /* frees; the descriptor stays open */

#endif

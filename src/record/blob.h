/* SPDX-License-Identifier: Apache-2.0
 * blob.h: arrays of numbers as base64 in one text, for a page that reads them without parsing. Little endian; every array begins at a multiple of 8 bytes.
 * Numbers of 16 or 8 bits are whole parts of a range: value = lo + (hi - lo) k / most; k = most + 1 (65535, 255) is "no number". */
#ifndef ZW_RECORD_BLOB_H
#define ZW_RECORD_BLOB_H

#include "base/text.h"

typedef enum zw_blob_type { ZW_BLOB_F64, ZW_BLOB_F32, ZW_BLOB_U16, ZW_BLOB_U8 } zw_blob_type;

typedef struct zw_blob {
    zw_text       text; /* base64 so far */
    size_t        bytes;
    unsigned char rest[3]; /* bytes that wait for their triple */
    int           nrest;
} zw_blob;

void   zw_blob_init(zw_blob *b, zw_context *c);
size_t zw_blob_begin(zw_blob *b);                                                                   /* pads; where the next array begins */
void   zw_blob_put(zw_blob *b, const double *x, size_t n, zw_blob_type type, double lo, double hi); /* lo, hi: of U16 and U8     */
void   zw_blob_end(zw_blob *b);                                                                     /* the last triple                   */
size_t zw_blob_width(zw_blob_type type);                                                            /* bytes of one number               */
/* {"at": offset, "n": count, "type": "f32", "lo": .., "hi": ..} */
void zw_blob_reference(zw_text *t, size_t at, size_t n, zw_blob_type type, double lo, double hi);
/* an array and its reference */
void zw_blob_array(zw_blob *b, zw_text *t, const double *x, size_t n, zw_blob_type type);
void zw_blob_destroy(zw_blob *b);

#endif

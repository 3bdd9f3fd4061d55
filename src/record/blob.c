/* SPDX-License-Identifier: Apache-2.0
 * blob.c: arrays of numbers as base64. */
#include "record/blob.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void zw_blob_init(zw_blob *b, zw_context *c) {
    *b = (zw_blob){0};
    zw_text_init(&b->text, c);
}

static void put_bytes(zw_blob *b, const unsigned char *p, size_t n) {
    char   out[1024];
    size_t fill = 0;
    b->bytes += n;
    for (size_t i = 0; i < n; i++) {
        b->rest[b->nrest++] = p[i];
        if (b->nrest == 3) {
            unsigned v = (unsigned)b->rest[0] << 16 | (unsigned)b->rest[1] << 8 | b->rest[2];
            out[fill++] = digit[v >> 18 & 63];
            out[fill++] = digit[v >> 12 & 63];
            out[fill++] = digit[v >> 6 & 63];
            out[fill++] = digit[v & 63];
            b->nrest = 0;
            if (fill == sizeof out) {
                zw_text_add_n(&b->text, out, fill);
                fill = 0;
            }
        }
    }
    zw_text_add_n(&b->text, out, fill);
}

size_t zw_blob_begin(zw_blob *b) {
    static const unsigned char zero[8] = {0};
    put_bytes(b, zero, (8 - b->bytes % 8) % 8);
    return b->bytes;
}

size_t zw_blob_width(zw_blob_type type) {
    static const size_t width[] = {[ZW_BLOB_F64] = 8, [ZW_BLOB_F32] = 4, [ZW_BLOB_U16] = 2, [ZW_BLOB_U8] = 1};
    return width[type];
}

/* little endian whatever the machine is */
static void put_word(unsigned char *out, uint64_t word, size_t n) {
    for (size_t i = 0; i < n; i++) {
        out[i] = (unsigned char)(word >> 8 * i & 255);
    }
}

static uint64_t encode(double x, zw_blob_type type, double lo, double hi) {
    if (type == ZW_BLOB_F64) {
        uint64_t word;
        memcpy(&word, &x, sizeof word);
        return word;
    }
    if (type == ZW_BLOB_F32) {
        uint32_t word;
        float    y = x > (double)FLT_MAX ? INFINITY : x < -(double)FLT_MAX ? -INFINITY : (float)x;
        memcpy(&word, &y, sizeof word);
        return word;
    }
    double most = type == ZW_BLOB_U16 ? 65534.0 : 254.0;
    if (!isfinite(x)) {
        return (uint64_t)most + 1;
    }
    double part = hi > lo ? (x - lo) / (hi - lo) : 0.0;
    return (uint64_t)(fmin(fmax(part, 0.0), 1.0) * most + 0.5);
}

void zw_blob_put(zw_blob *b, const double *x, size_t n, zw_blob_type type, double lo, double hi) {
    unsigned char bytes[768];
    size_t        width = zw_blob_width(type), fill = 0;
    for (size_t i = 0; i < n; i++) {
        put_word(bytes + fill, encode(x[i], type, lo, hi), width);
        fill += width;
        if (fill == sizeof bytes) {
            put_bytes(b, bytes, fill);
            fill = 0;
        }
    }
    put_bytes(b, bytes, fill);
}

void zw_blob_end(zw_blob *b) {
    zw_blob_begin(b);
    while (b->nrest != 0) {
        static const unsigned char zero[1] = {0};
        put_bytes(b, zero, 1);
    }
}

void zw_blob_reference(zw_text *t, size_t at, size_t n, zw_blob_type type, double lo, double hi) {
    static const char *const name[] = {[ZW_BLOB_F64] = "f64", [ZW_BLOB_F32] = "f32", [ZW_BLOB_U16] = "u16", [ZW_BLOB_U8] = "u8"};
    zw_text_addf(t, "{\"at\":%llu,\"n\":%llu,\"type\":\"%s\"", (unsigned long long)at, (unsigned long long)n, name[type]);
    if (type == ZW_BLOB_U16 || type == ZW_BLOB_U8) {
        zw_text_add(t, ",\"lo\":");
        zw_text_json_number(t, lo);
        zw_text_add(t, ",\"hi\":");
        zw_text_json_number(t, hi);
    }
    zw_text_add(t, "}");
}

void zw_blob_array(zw_blob *b, zw_text *t, const double *x, size_t n, zw_blob_type type) {
    size_t at = zw_blob_begin(b);
    zw_blob_put(b, x, n, type, 0.0, 1.0);
    zw_blob_reference(t, at, n, type, 0.0, 1.0);
}

void zw_blob_destroy(zw_blob *b) {
    zw_text_destroy(&b->text);
}

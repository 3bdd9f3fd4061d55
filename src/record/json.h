/* SPDX-License-Identifier: Apache-2.0
 * json.h: reads JSON text into a tree; for summaries, which come back as text from a results directory. */
#ifndef ZW_RECORD_JSON_H
#define ZW_RECORD_JSON_H

#include "base/arena.h"

typedef enum zw_json_kind {
    ZW_JSON_NULL,
    ZW_JSON_FALSE,
    ZW_JSON_TRUE,
    ZW_JSON_NUMBER,
    ZW_JSON_STRING,
    ZW_JSON_ARRAY,
    ZW_JSON_OBJECT
} zw_json_kind;

typedef struct zw_json zw_json;
struct zw_json {
    zw_json_kind kind;
    const char  *key;  /* in an object; NULL elsewhere */
    const char  *text; /* of a string                  */
    double       number;
    zw_json     *child, *next;
};

zw_status      zw_json_read(zw_arena *a, const char *text, zw_json **out); /* ZW_E_FORMAT, raised, when it is not JSON */
const zw_json *zw_json_find(const zw_json *j, const char *path);           /* "probes.tip.final[0]"; NULL when it is not there */
double         zw_json_number(const zw_json *j, const char *path, double otherwise);
const char    *zw_json_string(const zw_json *j, const char *path, const char *otherwise);

#endif

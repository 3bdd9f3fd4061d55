/* SPDX-License-Identifier: Apache-2.0
 * text.h: a growing string, and escapes for JSON and HTML. Failure to grow is remembered; ask once at the end. */
#ifndef ZW_BASE_TEXT_H
#define ZW_BASE_TEXT_H

#include "base/context.h"

typedef struct zw_text {
    zw_context *context;
    char       *s; /* always ends in 0 once something was added; NULL before */
    size_t      n, room;
    bool        failed;
} zw_text;

void      zw_text_init(zw_text *t, zw_context *c);
void      zw_text_add(zw_text *t, const char *s);
void      zw_text_add_n(zw_text *t, const char *s, size_t n);
void      zw_text_addf(zw_text *t, const char *fmt, ...) ZW_PRINTF(2, 3); /* never for doubles: zw_text_number */
void      zw_text_number(zw_text *t, double value);                       /* shortest round-trip; nan and inf as written in number.h */
void      zw_text_short(zw_text *t, double value, int digits);
void      zw_text_json_string(zw_text *t, const char *s); /* with its quotes; invalid UTF-8 becomes U+FFFD */
void      zw_text_json_number(zw_text *t, double value);  /* null when not finite */
void      zw_text_html(zw_text *t, const char *s);        /* & < > " ' escaped; control characters dropped */
zw_status zw_text_status(const zw_text *t);               /* ZW_OK, or ZW_E_MEMORY if anything above failed */
void      zw_text_destroy(zw_text *t);

/* names for "did you mean": edit distance with transpositions; the best of n names, or NULL when none is near */
const char *zw_nearest_name(const char *word, const char *const *names, int n);

#endif

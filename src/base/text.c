/* SPDX-License-Identifier: Apache-2.0
 * text.c: a growing string with escapes for JSON and HTML, and the nearest of a list of names.
 *
 * A text that failed to grow takes nothing more: it never holds a gap. Invalid UTF-8 becomes one U+FFFD per maximal
 * well-formed prefix (Unicode 15, section 3.9, table 3-7), so that what comes out is always valid. */
#include "base/text.h"

#include "base/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void zw_text_init(zw_text *t, zw_context *c) {
    *t = (zw_text){.context = c};
}

/* room for n more characters and the 0 behind them */
static bool text_reserve(zw_text *t, size_t n) {
    if (t->failed) {
        return false;
    }
    if (n < t->room - t->n) {
        return true;
    }
    size_t need = n < SIZE_MAX - t->n ? t->n + n + 1 : SIZE_MAX;
    size_t room = t->room < 64 ? 64 : t->room + t->room / 2;
    room = room < need ? need : room;
    char *s = zw_resize(t->context, t->s, room, 1, "a text");
    if (!s) {
        t->failed = true;
        return false;
    }
    t->s = s;
    t->room = room;
    return true;
}

void zw_text_add_n(zw_text *t, const char *s, size_t n) {
    if (text_reserve(t, n)) {
        if (n > 0) {
            memcpy(t->s + t->n, s, n);
        }
        t->n += n;
        t->s[t->n] = 0;
    }
}

void zw_text_add(zw_text *t, const char *s) {
    zw_text_add_n(t, s, strlen(s));
}

void zw_text_addf(zw_text *t, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n < 0) {
        t->failed = true;
        return;
    }
    if (text_reserve(t, (size_t)n)) {
        va_start(args, fmt);
        vsnprintf(t->s + t->n, (size_t)n + 1, fmt, args);
        va_end(args);
        t->n += (size_t)n;
    }
}

void zw_text_number(zw_text *t, double value) {
    char number[ZW_NUMBER_TEXT];
    zw_text_add(t, zw_number_text(value, number));
}

void zw_text_short(zw_text *t, double value, int digits) {
    char number[ZW_NUMBER_TEXT];
    zw_text_add(t, zw_number_short(value, digits, number));
}

void zw_text_json_number(zw_text *t, double value) {
    if (isfinite(value)) {
        zw_text_number(t, value);
    } else {
        zw_text_add(t, "null");
    }
}

/* how many bytes the well-formed sequence at s has; when there is none *valid is false and the bytes to replace are counted */
static size_t utf8_length(const unsigned char *s, bool *valid) {
    unsigned char lead = s[0], low = 0x80, high = 0xBF;
    size_t        n = 0;
    *valid = true;
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        n = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        n = 3;
        low = lead == 0xE0 ? 0xA0 : low;   /* no overlong forms */
        high = lead == 0xED ? 0x9F : high; /* no surrogates */
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        n = 4;
        low = lead == 0xF0 ? 0x90 : low;
        high = lead == 0xF4 ? 0x8F : high; /* nothing beyond U+10FFFF */
    }
    size_t i = 1;
    for (; i < n && s[i] >= low && s[i] <= high; i++) {
        low = 0x80;
        high = 0xBF;
    }
    *valid = n > 0 && i == n;
    return i;
}

/* what to write instead of the character at s, NULL for the character itself */
typedef const char *(*escape_fn)(const unsigned char *s, char room[8]);

static void text_escaped(zw_text *t, const char *text, escape_fn escape) {
    const unsigned char *s = (const unsigned char *)text;
    const unsigned char *plain = s; /* start of the run not yet written */
    char                 room[8];
    while (*s) {
        bool        valid;
        size_t      n = utf8_length(s, &valid);
        const char *instead = valid ? escape(s, room) : "\xEF\xBF\xBD";
        if (instead) {
            zw_text_add_n(t, (const char *)plain, (size_t)(s - plain));
            zw_text_add(t, instead);
            plain = s + n;
        }
        s += n;
    }
    zw_text_add_n(t, (const char *)plain, (size_t)(s - plain));
}

static const char *json_escape(const unsigned char *s, char room[8]) {
    switch (*s) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    case '\b': return "\\b";
    case '\f': return "\\f";
    default: break;
    }
    if (*s >= 0x20 && *s != 0x7F) {
        return NULL;
    }
    snprintf(room, 8, "\\u%04x", (unsigned)*s);
    return room;
}

static const char *html_escape(const unsigned char *s, char room[8]) {
    (void)room;
    switch (*s) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\n':
    case '\t': return NULL; /* white space, not control, in HTML */
    default: break;
    }
    bool control = *s < 0x20 || *s == 0x7F || (s[0] == 0xC2 && s[1] < 0xA0);
    return control ? "" : NULL;
}

void zw_text_json_string(zw_text *t, const char *s) {
    zw_text_add(t, "\"");
    text_escaped(t, s, json_escape);
    zw_text_add(t, "\"");
}

void zw_text_html(zw_text *t, const char *s) {
    text_escaped(t, s, html_escape);
}

zw_status zw_text_status(const zw_text *t) {
    return t->failed ? ZW_E_MEMORY : ZW_OK;
}

void zw_text_destroy(zw_text *t) {
    zw_free(t->context, t->s);
    *t = (zw_text){.context = t->context};
}

/* ---- nearest name ---- */

enum { NAME_LONGEST = 63 }; /* longer words get no suggestion */

/* case and the choice between - and _ are no difference */
static char fold(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '-' ? '_' : c;
}

/* Damerau-Levenshtein distance in its optimal string alignment form: insert, delete, replace, swap neighbours; `enough` or more where it
 * is not below that. No entry of a row is below the least of the row before it and one more than the least of the row before that. */
static int edit_distance(const char *a, int na, const char *b, int nb, int enough) {
    int  rows[3][NAME_LONGEST + 1];
    int *before = rows[0], *last = rows[1], *now = rows[2];
    int  least_last = 0;
    for (int j = 0; j <= nb; j++) {
        last[j] = j;
        before[j] = 0;
    }
    for (int i = 1; i <= na; i++) {
        int least = i;
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            int best = last[j - 1] + (fold(a[i - 1]) != fold(b[j - 1]) ? 1 : 0);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1])) {
                best = before[j - 2] + 1 < best ? before[j - 2] + 1 : best;
            }
            now[j] = best;
            least = best < least ? best : least;
        }
        if (least >= enough && least_last + 1 >= enough) {
            return enough;
        }
        least_last = least;
        int *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[nb];
}

const char *zw_nearest_name(const char *word, const char *const *names, int n) {
    const char *nearest = NULL;
    size_t      n_word = strlen(word);
    int         least = 4; /* never more than three edits */
    for (int i = 0; i < n && n_word <= NAME_LONGEST; i++) {
        size_t n_name = strlen(names[i]);
        if (n_name > NAME_LONGEST) {
            continue;
        }
        int longer = (int)(n_word > n_name ? n_word : n_name);
        int shorter = (int)(n_word < n_name ? n_word : n_name);
        if (longer - shorter >= least) {
            continue; /* so many have to be added */
        }
        int distance = edit_distance(word, (int)n_word, names[i], (int)n_name, least);
        if (distance < least && 3 * distance <= longer + 1) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

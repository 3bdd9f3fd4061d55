/* SPDX-License-Identifier: Apache-2.0
 * print_errors.c: errors of the library for people and for programs.
 *
 *   model.yaml:7:15: bodies.beam.rod.length: -1 is not positive; give a length > 0
 *          length: -1
 *                  ^
 *
 * The column counts characters; the caret line repeats tabs and is as wide as what stands before the column on a terminal. */
#include <string.h>

#include "output.h"

/* reads one UTF-8 character; anything invalid counts as one byte */
static unsigned next_character(const char **s) {
    const unsigned char *p = (const unsigned char *)*s;
    int                  more = p[0] < 0x80 ? 0 : (p[0] & 0xe0) == 0xc0 ? 1 : (p[0] & 0xf0) == 0xe0 ? 2 : (p[0] & 0xf8) == 0xf0 ? 3 : 0;
    unsigned             code = more == 0 ? (p[0] < 0x80 ? p[0] : 0xfffd) : p[0] & (0x3fu >> more);
    for (int i = 1; i <= more; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            *s += 1;
            return 0xfffd;
        }
        code = code << 6 | (p[i] & 0x3fu);
    }
    *s += more + 1;
    return code;
}

/* columns that a terminal gives a character: combining marks none, East Asian and pictures two */
static int character_width(unsigned code) {
    if ((code >= 0x300 && code < 0x370) || code == 0x200b || code == 0x200d || (code >= 0xfe00 && code <= 0xfe0f)) {
        return 0;
    }
    bool wide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3) ||
                (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
                (code >= 0x1f300 && code <= 0x1faff) || (code >= 0x20000 && code <= 0x3fffd);
    return wide ? 2 : 1;
}

/* control characters and broken letters of a model file must not reach the terminal */
static void print_clean(FILE *f, const char *s) {
    while (*s) {
        const char *from = s;
        unsigned    code = next_character(&s);
        bool        broken = code == 0xfffd || (code < 0x20 && code != '\t') || (code >= 0x7f && code < 0xa0);
        if (broken) {
            fputc('?', f);
        } else {
            fwrite(from, 1, (size_t)(s - from), f);
        }
    }
}

static void print_excerpt(FILE *f, const zw_error *e, bool colour) {
    if (!e->excerpt[0]) {
        return;
    }
    fputs("    ", f);
    print_clean(f, e->excerpt);
    fputc('\n', f);
    const char *s = e->excerpt;
    int         column = 1;
    if (e->col < 1) {
        return;
    }
    char   line[4 * sizeof e->excerpt];
    size_t n = 0;
    for (; column < e->col && *s; column++) {
        unsigned code = next_character(&s);
        if (code == '\t') {
            line[n++] = '\t';
        } else {
            for (int w = character_width(code); w > 0; w--) {
                line[n++] = ' ';
            }
        }
    }
    if (column == e->col) { /* otherwise the excerpt was cut before it */
        fprintf(f, "    %.*s%s^%s\n", (int)n, line, colour ? "\033[1;32m" : "", colour ? "\033[0m" : "");
    }
}

static void print_error(FILE *f, const zw_error *e, bool colour) {
    char   text[sizeof *e + 64];
    size_t prefix = 0;
    zw_error_format(e, text, sizeof text);
    if (e->file[0]) { /* what stands before the subject */
        const char *subject = e->subject[0] ? e->subject : e->message;
        const char *at = strstr(text + strlen(e->file), subject);
        prefix = at ? (size_t)(at - text) : 0;
    }
    if (!e->file[0]) {
        fputs(colour ? "\033[1;31merror:\033[0m " : "error: ", f);
    }
    if (colour && prefix) {
        fputs("\033[1m", f);
    }
    char head[sizeof e->file + 40];
    snprintf(head, sizeof head, "%.*s", (int)prefix, text);
    print_clean(f, head);
    if (colour && prefix) {
        fputs("\033[0m\033[31m", f);
    }
    print_clean(f, text + prefix);
    fputs(colour && prefix ? "\033[0m\n" : "\n", f);
    print_excerpt(f, e, colour);
}

void zw_output_errors(FILE *f, const zw_context *c) {
    bool colour = zw_output_has_colour(f);
    int  n = zw_error_count(c);
    fflush(stdout);
    for (int i = 0; i < n; i++) {
        print_error(f, zw_error_at(c, i), colour);
    }
    if (n > 0) {
        fprintf(f, "%d error%s\n", n, n == 1 ? "" : "s");
    }
}

static void error_json(zw_text *t, const zw_error *e) {
    zw_text_add(t, "{\"file\": ");
    zw_text_json_string(t, e->file);
    zw_text_addf(t, ", \"line\": %d, \"col\": %d, \"code\": ", e->line, e->col);
    zw_text_json_string(t, zw_status_name(e->code));
    zw_text_add(t, ", \"subject\": ");
    zw_text_json_string(t, e->subject);
    zw_text_add(t, ", \"message\": ");
    zw_text_json_string(t, e->message);
    zw_text_add(t, ", \"remedy\": ");
    zw_text_json_string(t, e->remedy);
    zw_text_add(t, "}");
}

void zw_output_errors_json(zw_text *t, const zw_context *c) {
    zw_text_add(t, "[");
    for (int i = 0; i < zw_error_count(c); i++) {
        zw_text_add(t, i ? ", " : "");
        error_json(t, zw_error_at(c, i));
    }
    zw_text_add(t, "]");
}

static void failure_head(zw_text *t, const char *model) {
    zw_text_add(t, "{\"version\": ");
    zw_text_json_string(t, zw_version());
    zw_text_add(t, ", \"model\": {\"file\": ");
    zw_text_json_string(t, model);
    zw_text_add(t, "}, \"outcome\": \"error\", \"errors\": ");
}

static void print_text(zw_text *t) {
    if (zw_text_status(t) == ZW_OK) {
        fputs(t->s, stdout);
    } else {
        fputs("{\"outcome\": \"error\", \"errors\": [{\"message\": \"memory ran out\"}]}\n", stdout);
    }
    zw_text_destroy(t);
}

void zw_output_failure_json(const char *model, const zw_context *c) {
    zw_context *own = NULL; /* the caller's context may be the one that ran out of memory */
    if (zw_context_create(NULL, &own) != ZW_OK) {
        return;
    }
    zw_text t;
    zw_text_init(&t, own);
    failure_head(&t, model);
    zw_output_errors_json(&t, c);
    zw_text_add(&t, "}\n");
    print_text(&t);
    zw_context_destroy(own);
}

void zw_output_error_json(const char *model, const zw_error *e) {
    zw_context *own = NULL;
    if (zw_context_create(NULL, &own) != ZW_OK) {
        return;
    }
    zw_text t;
    zw_text_init(&t, own);
    failure_head(&t, model);
    zw_text_add(&t, "[");
    error_json(&t, e);
    zw_text_add(&t, "]}\n");
    print_text(&t);
    zw_context_destroy(own);
}

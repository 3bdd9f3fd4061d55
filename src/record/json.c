/* SPDX-License-Identifier: Apache-2.0
 * json.c: JSON (RFC 8259) into a tree in an arena. Nesting is bounded; text is taken as UTF-8 and not checked, because every writer
 * of this project escapes it. */
#include "record/json.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

enum { DEPTH = 64 };

typedef struct reader {
    zw_arena   *arena;
    const char *text, *p;
    const char *wrong; /* first complaint */
    bool        memory;
} reader;

static zw_json *value(reader *r, int depth);

static void blanks(reader *r) {
    while (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r') {
        r->p++;
    }
}

static void *complain(reader *r, const char *wrong) {
    if (!r->wrong) {
        r->wrong = wrong;
    }
    return NULL;
}

static int hex4(const char *p) {
    int code = 0;
    for (int i = 0; i < 4; i++) {
        char ch = p[i];
        int  digit = ch >= '0' && ch <= '9'   ? ch - '0'
                     : ch >= 'a' && ch <= 'f' ? ch - 'a' + 10
                     : ch >= 'A' && ch <= 'F' ? ch - 'A' + 10
                                              : -1;
        if (digit < 0) {
            return -1;
        }
        code = code << 4 | digit;
    }
    return code;
}

static size_t put_utf8(char *out, unsigned code) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3f));
    out[2] = (char)(0x80 | (code >> 6 & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

/* the code after \u at r->p (which stands on the u), with its second half when it is a pair; U+FFFD for a lone half or a 0 */
static bool escaped_code(reader *r, unsigned *code) {
    int high = hex4(r->p + 1);
    if (high < 0) {
        complain(r, "\\u without four hexadecimal digits");
        return false;
    }
    r->p += 5;
    *code = (unsigned)high;
    if (high >= 0xd800 && high < 0xdc00 && r->p[0] == '\\' && r->p[1] == 'u') {
        int low = hex4(r->p + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            *code = 0x10000u + ((unsigned)(high - 0xd800) << 10) + (unsigned)(low - 0xdc00);
            r->p += 6;
            return true;
        }
    }
    if (high == 0 || (high >= 0xd800 && high < 0xe000)) {
        *code = 0xfffd;
    }
    return true;
}

static char *string(reader *r) {
    const char *end = ++r->p;
    while (*end && *end != '"') {
        end += end[0] == '\\' && end[1] ? 2 : 1;
    }
    if (*end != '"') {
        return complain(r, "a string without its closing quote");
    }
    char *out = zw_arena_alloc(r->arena, (size_t)(end - r->p) + 1, 1, "a JSON string"); /* escapes only shrink */
    if (!out) {
        r->memory = true;
        return NULL;
    }
    size_t n = 0;
    while (r->p < end) {
        if (*r->p != '\\') {
            out[n++] = *r->p++;
            continue;
        }
        static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
        r->p++;
        const char *at = *r->p ? strchr(letters, *r->p) : NULL;
        unsigned    code = 0;
        if (at) {
            out[n++] = meanings[at - letters];
            r->p++;
        } else if (*r->p == 'u' && escaped_code(r, &code)) {
            n += put_utf8(out + n, code);
        } else {
            return complain(r, "an unknown escape in a string");
        }
    }
    r->p = end + 1;
    out[n] = 0;
    return out;
}

static bool word(reader *r, const char *w) {
    size_t n = strlen(w);
    if (strncmp(r->p, w, n) != 0) {
        return false;
    }
    r->p += n;
    return true;
}

static zw_json *container(reader *r, zw_json *j, int depth) {
    char      close = *r->p == '{' ? '}' : ']';
    zw_json **tail = &j->child;
    j->kind = close == '}' ? ZW_JSON_OBJECT : ZW_JSON_ARRAY;
    r->p++;
    blanks(r);
    if (*r->p == close) {
        r->p++;
        return j;
    }
    for (;;) {
        const char *key = NULL;
        blanks(r);
        if (close == '}') {
            if (*r->p != '"') {
                return complain(r, "a key that is not a string");
            }
            if (!(key = string(r))) {
                return NULL;
            }
            blanks(r);
            if (*r->p++ != ':') {
                return complain(r, "a key without a colon");
            }
        }
        zw_json *item = value(r, depth + 1);
        if (!item) {
            return NULL;
        }
        item->key = key;
        *tail = item;
        tail = &item->next;
        blanks(r);
        if (*r->p == close) {
            r->p++;
            return j;
        }
        if (*r->p++ != ',') {
            return complain(r, "neither a comma nor the end of a list");
        }
    }
}

static zw_json *value(reader *r, int depth) {
    if (depth > DEPTH) {
        return complain(r, "nested too deeply");
    }
    blanks(r);
    zw_json *j = zw_arena_alloc(r->arena, 1, sizeof *j, "a JSON value");
    if (!j) {
        r->memory = true;
        return NULL;
    }
    if (*r->p == '{' || *r->p == '[') {
        return container(r, j, depth);
    }
    if (*r->p == '"') {
        j->kind = ZW_JSON_STRING;
        j->text = string(r);
        return j->text ? j : NULL;
    }
    if (word(r, "null")) {
        j->kind = ZW_JSON_NULL;
        j->number = NAN;
        return j;
    }
    if (word(r, "true")) {
        j->kind = ZW_JSON_TRUE;
        return j;
    }
    if (word(r, "false")) {
        j->kind = ZW_JSON_FALSE;
        return j;
    }
    bool minus = *r->p == '-';
    r->p += minus;
    size_t used = 0;
    double x = zw_number_read(r->p, strcspn(r->p, " \t\r\n,]}"), &used);
    if (used == 0) {
        return complain(r, "something that is not a value");
    }
    r->p += used;
    j->kind = ZW_JSON_NUMBER;
    j->number = minus ? -x : x;
    return j;
}

zw_status zw_json_read(zw_arena *a, const char *text, zw_json **out) {
    reader r = {.arena = a, .text = text, .p = text};
    *out = value(&r, 0);
    if (*out) {
        blanks(&r);
        if (*r.p) {
            complain(&r, "something after the value");
            *out = NULL;
        }
    }
    if (*out) {
        return ZW_OK;
    }
    if (r.memory) {
        return ZW_E_MEMORY;
    }
    return zw_raise(a->context, ZW_E_FORMAT, "JSON text", NULL, "byte %zu: %s", (size_t)(r.p - text), r.wrong ? r.wrong : "no value");
}

const zw_json *zw_json_find(const zw_json *j, const char *path) {
    while (j && *path) {
        const zw_json *item = j->child;
        if (*path == '[') {
            size_t used = 0;
            double index = zw_number_read(path + 1, strcspn(path + 1, "]"), &used);
            if (j->kind != ZW_JSON_ARRAY || used == 0 || path[1 + used] != ']') {
                return NULL;
            }
            for (double i = 0; item && i < index; i++) {
                item = item->next;
            }
            path += used + 2;
        } else {
            size_t n = strcspn(path, ".[");
            if (j->kind != ZW_JSON_OBJECT) {
                return NULL;
            }
            while (item && !(strlen(item->key) == n && memcmp(item->key, path, n) == 0)) {
                item = item->next;
            }
            path += n;
        }
        path += *path == '.';
        j = item;
    }
    return j;
}

double zw_json_number(const zw_json *j, const char *path, double otherwise) {
    const zw_json *found = zw_json_find(j, path);
    return found && found->kind == ZW_JSON_NUMBER ? found->number : otherwise;
}

const char *zw_json_string(const zw_json *j, const char *path, const char *otherwise) {
    const zw_json *found = zw_json_find(j, path);
    return found && found->kind == ZW_JSON_STRING ? found->text : otherwise;
}

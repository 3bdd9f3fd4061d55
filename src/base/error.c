/* SPDX-License-Identifier: Apache-2.0
 * error.c: what a status and an error say: names, sentences and exit codes from ZW_STATUS_LIST, and the one-line form of an error. */
#include "zwang/base.h"

#include <stdio.h>
#include <string.h>

typedef struct status_entry {
    const char *name, *sentence;
    int         exit_code;
} status_entry;

static const status_entry *status_find(zw_status code) {
    static const status_entry entries[] = {
#define ENTRY(name, exit_code, sentence) {"ZW_" #name, sentence, exit_code},
        ZW_STATUS_LIST(ENTRY)
#undef ENTRY
    };
    static const status_entry unknown = {"ZW_E_UNKNOWN", "a status this version does not know", 1};
    size_t                    i = (size_t)code;
    return i < sizeof entries / sizeof entries[0] ? &entries[i] : &unknown;
}

const char *zw_version(void) {
    return ZW_VERSION;
}

const char *zw_status_name(zw_status code) {
    return status_find(code)->name;
}

const char *zw_status_sentence(zw_status code) {
    return status_find(code)->sentence;
}

int zw_status_exit_code(zw_status code) {
    return status_find(code)->exit_code;
}

/* adds text at position n of a buffer that may be too small (or absent) and gives the position after it */
static size_t put(char *out, size_t size, size_t n, const char *text) {
    size_t len = strlen(text);
    if (n < size) {
        size_t fit = len < size - n ? len : size - n - 1;
        memcpy(out + n, text, fit);
        out[n + fit] = 0;
    }
    return n + len;
}

/* like snprintf: gives the length of the whole text, writes what fits and always ends it in 0 (size 0: writes nothing) */
size_t zw_error_format(const zw_error *e, char *out, size_t size) {
    size_t n = 0;
    if (size > 0) {
        out[0] = 0;
    }
    if (!e) {
        return 0;
    }
    if (e->file[0]) {
        n = put(out, size, n, e->file);
        char place[32] = "";
        if (e->line > 0 && e->col > 0) {
            snprintf(place, sizeof place, ":%d:%d", e->line, e->col);
        } else if (e->line > 0) {
            snprintf(place, sizeof place, ":%d", e->line);
        }
        n = put(out, size, n, place);
        n = put(out, size, n, ": ");
    }
    if (e->subject[0]) {
        n = put(out, size, n, e->subject);
        n = put(out, size, n, ": ");
    }
    n = put(out, size, n, e->message[0] ? e->message : zw_status_sentence(e->code));
    if (e->remedy[0]) {
        n = put(out, size, n, "; ");
        n = put(out, size, n, e->remedy);
    }
    return n;
}

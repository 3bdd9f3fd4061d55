/* SPDX-License-Identifier: Apache-2.0
 * emit.c: the tree as YAML again, for a model that was changed by --set. Maps and lists keep their block or flow form; a plain text
 * stays plain where it cannot be misread, everything else is quoted. Reading the result gives the same tree. */
#include "model/reader.h"

#include <string.h>

/* may this stand without quotes, in a list or map of either form? */
static bool plain_is_safe(const char *s) {
    if (s[0] == 0 || strchr("-?:,[]{}#&*!|>'\"%@` =\t~", s[0])) {
        bool minus = s[0] == '-' && s[1] != 0 && s[1] != ' ' && s[1] != '-'; /* -1, -P; not "- a", "---" */
        if (!minus) {
            return false;
        }
    }
    size_t n = strlen(s);
    if (s[n - 1] == ' ' || s[n - 1] == ':' || strncmp(s, "...", 3) == 0) {
        return false;
    }
    for (const char *p = s; *p; p++) {
        if (strchr(",[]{}", *p) || (unsigned char)*p < 0x20 || (unsigned char)*p == 0x7f) {
            return false;
        }
        if ((*p == ':' && p[1] == ' ') || (*p == ' ' && p[1] == '#')) {
            return false;
        }
        if ((unsigned char)*p == 0xC2 || (unsigned char)*p == 0xE2 || (unsigned char)*p == 0xEF) { /* may be a line break or a mark */
            return false;
        }
    }
    return true;
}

/* double quotes, with escapes for all that YAML would take as a line break or not take at all */
static void emit_quoted(zw_text *out, const char *s) {
    zw_text_add(out, "\"");
    while (*s) {
        const unsigned char *u = (const unsigned char *)s;
        if (u[0] == '"' || u[0] == '\\') {
            zw_text_addf(out, "\\%c", s[0]);
        } else if (u[0] == '\n') {
            zw_text_add(out, "\\n");
        } else if (u[0] < 0x20 || u[0] == 0x7f) {
            zw_text_addf(out, "\\x%02X", (unsigned)u[0]);
        } else if (u[0] == 0xC2 && u[1] < 0xA0) { /* U+0080 .. U+009F */
            zw_text_addf(out, "\\x%02X", (unsigned)u[1]);
            s++;
        } else if (u[0] == 0xE2 && u[1] == 0x80 && (u[2] == 0xA8 || u[2] == 0xA9)) {
            zw_text_add(out, u[2] == 0xA8 ? "\\u2028" : "\\u2029");
            s += 2;
        } else if (u[0] == 0xEF && ((u[1] == 0xBB && u[2] == 0xBF) || (u[1] == 0xBF && u[2] >= 0xBE))) {
            zw_text_add(out, u[1] == 0xBB ? "\\uFEFF" : u[2] == 0xBE ? "\\uFFFE" : "\\uFFFF");
            s += 2;
        } else {
            zw_text_add_n(out, s, 1);
        }
        s++;
    }
    zw_text_add(out, "\"");
}

static void emit_scalar(zw_text *out, const zw_yaml *n) {
    if (n->style == ZW_YAML_PLAIN && (n->n == 0 || plain_is_safe(n->text))) {
        zw_text_add(out, n->text);
    } else {
        emit_quoted(out, n->text);
    }
}

static void indent(zw_text *out, int depth) {
    for (int i = 0; i < depth; i++) {
        zw_text_add(out, "  ");
    }
}

static void emit_flow(zw_text *out, const zw_yaml *n) {
    if (n->kind == ZW_YAML_SCALAR) {
        emit_scalar(out, n);
        return;
    }
    zw_text_add(out, n->kind == ZW_YAML_LIST ? "[" : "{");
    for (const zw_yaml *c = n->first; c; c = c->next) {
        if (c != n->first) {
            zw_text_add(out, ", ");
        }
        if (c->key) {
            emit_scalar(out, c->key);
            zw_text_add(out, ": ");
        }
        emit_flow(out, c);
    }
    zw_text_add(out, n->kind == ZW_YAML_LIST ? "]" : "}");
}

/* lists, and maps that were written with { }, go on one line; other maps key by key */
static void emit_block(zw_text *out, const zw_yaml *map, int depth) {
    for (const zw_yaml *c = map->first; c; c = c->next) {
        indent(out, depth);
        emit_scalar(out, c->key);
        zw_text_add(out, ":");
        if (c->kind == ZW_YAML_MAP && !c->flow && c->count > 0) {
            zw_text_add(out, "\n");
            emit_block(out, c, depth + 1);
        } else {
            zw_text_add(out, " ");
            emit_flow(out, c);
            zw_text_add(out, "\n");
        }
    }
}

/* the comment at the head of a file says what the model is: pages show it, and it stays */
static void emit_head(zw_text *out, const char *source) {
    while (*source == '#') {
        size_t n = strcspn(source, "\r\n");
        zw_text_add_n(out, source, n);
        zw_text_add(out, "\n");
        source += n;
        source += *source == '\r';
        source += *source == '\n';
    }
}

char *zw_yaml_emit(zw_arena *arena, const zw_yaml *root, const char *source, int nsets, const char *const *sets) {
    zw_text out;
    char   *copy = NULL;
    zw_text_init(&out, arena->context);
    for (int i = 0; i < nsets; i++) {
        zw_text_add(&out, "# --set ");
        emit_quoted(&out, sets[i]);
        zw_text_add(&out, "\n");
    }
    emit_head(&out, source);
    if (root->kind == ZW_YAML_MAP) {
        emit_block(&out, root, 0);
    } else {
        emit_flow(&out, root);
        zw_text_add(&out, "\n");
    }
    if (zw_text_status(&out) == ZW_OK) {
        copy = zw_arena_strndup(arena, out.s ? out.s : "", out.n);
    }
    zw_text_destroy(&out);
    return copy;
}

/* SPDX-License-Identifier: Apache-2.0
 * emit.c: the tree as YAML again, for a model that was changed by --set. Maps and lists keep their block or flow form; a plain text stays plain where it
 * cannot be misread, everything else is quoted. Reading the result gives the same tree. */
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

static void emit_scalar(zw_text *out, const zw_yaml *n) {
    if (n->style == ZW_YAML_PLAIN && (n->n == 0 || plain_is_safe(n->text))) {
        zw_text_add(out, n->text);
    } else {
        zw_text_json_string(out, n->text); /* a JSON string is a double-quoted YAML text */
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

char *zw_yaml_emit(zw_arena *arena, const zw_yaml *root, int nsets, const char *const *sets) {
    zw_text out;
    char   *copy = NULL;
    zw_text_init(&out, arena->context);
    for (int i = 0; i < nsets; i++) {
        zw_text_add(&out, "# --set ");
        zw_text_json_string(&out, sets[i]);
        zw_text_add(&out, "\n");
    }
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

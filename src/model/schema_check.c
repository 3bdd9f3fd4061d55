/* SPDX-License-Identifier: Apache-2.0
 * schema_check.c: the tree against the table. Everything that can be said without evaluating an expression is said here: unknown
 * keys (with the nearest known one), missing keys, wrong types, words, keys that exclude each other, and what this version does not
 * have. A node found wrong is marked bad, so that the reader after this one passes over it and no mistake is reported twice. */
#include "base/names.h"
#include "expr/expr.h"
#include "model/schema.h"

#include <stdio.h>
#include <string.h>

typedef struct walk {
    zw_issues *issues;
    zw_yaml   *root;
} walk;

static void check_map(walk *w, const char *owner, zw_yaml *map, bool later);
static void check_value(walk *w, const zw_schema_key *k, zw_yaml *v, bool later);

static void wrong(walk *w, zw_status code, zw_yaml *node, zw_where at, const char *remedy, const char *message) {
    char path[128];
    if (node->source != w->root->source) {
        at = zw_nowhere(); /* from --set: the name of the source says all */
    }
    zw_issue_add(w->issues, code, node->source, at, zw_issues_full(w->issues) ? "" : zw_yaml_path(node, path, sizeof path), remedy, "%s",
                 message);
    node->bad = true;
}

/* "a, b, c" from "a|b|c" */
static void list_words(const char *words, char *out, size_t size) {
    size_t n = 0;
    out[0] = 0;
    for (const char *p = words; *p && n + 3 < size; p++) {
        if (*p == '|') {
            out[n++] = ',';
            out[n++] = ' ';
        } else {
            out[n++] = *p;
        }
    }
    out[n] = 0;
}

/* the nearest of "a|b|c" to a word, copied to out; false when none is near */
static bool nearest_word(const char *words, const char *word, char *out, size_t size) {
    char        copy[512];
    const char *names[32];
    int         n = 0;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *p = copy; *p && n < 32;) {
        size_t k = strcspn(p, "|");
        bool   more = p[k] == '|';
        p[k] = 0;
        names[n++] = p;
        p += k + more;
    }
    const char *best = zw_nearest_name(word, names, n);
    if (best) {
        snprintf(out, size, "%s", best);
    }
    return best != NULL;
}

static void wrong_type(walk *w, const zw_schema_key *k, zw_yaml *v) {
    char message[200], remedy[120] = "";
    snprintf(message, sizeof message, "must be %s, not %s", zw_schema_type_phrase(k->type), zw_yaml_kind_name(v));
    if (zw_yaml_is_null(v)) {
        snprintf(remedy, sizeof remedy, "give it a value or remove the key");
    }
    wrong(w, ZW_E_MODEL, v, v->at.line == v->end.line && v->key && zw_yaml_is_null(v) ? v->key->at : v->at, remedy, message);
}

static void not_yet(walk *w, zw_yaml *v, const char *what, const char *instead) {
    char message[200];
    snprintf(message, sizeof message, "%s is not in this version", what);
    wrong(w, ZW_E_UNSUPPORTED, v, v->key ? v->key->at : v->at, instead, message);
}

/* a comma inside ( ) splits an expression that stands in [ ] or { }; true when it was so, with the pieces marked */
static bool split_expression(walk *w, zw_yaml *v) {
    int open = v->flow ? zw_yaml_parentheses(v) : 0;
    if (open == 0) {
        return false;
    }
    wrong(w, ZW_E_MODEL, v, v->at, "an expression with a comma inside [ ] or { } must be quoted: \"min(a, b)\"",
          "the parentheses are not balanced");
    zw_yaml *last = v->next;
    for (; last && open > 0; last = last->next) {
        open += last->key ? zw_yaml_parentheses(last->key) : 0;
        open += zw_yaml_parentheses(last);
    }
    for (zw_yaml *c = v->next; c && open == 0 && c != last; c = c->next) {
        c->bad = true;
    }
    return true;
}

static bool is_scalar(walk *w, const zw_schema_key *k, zw_yaml *v) {
    if (v->kind != ZW_YAML_SCALAR || zw_yaml_is_null(v)) {
        wrong_type(w, k, v);
        return false;
    }
    return true;
}

static void check_word(walk *w, const zw_schema_key *k, zw_yaml *v, bool later) {
    char message[200], allowed[300], near[64], remedy[300];
    if (zw_schema_has_word(k->words, v->text)) {
        if (!later && zw_schema_has_word(k->later, v->text)) {
            not_yet(w, v, v->text, k->instead);
        }
        return;
    }
    list_words(k->words, allowed, sizeof allowed);
    snprintf(message, sizeof message, "'%.60s' is not known here", v->text);
    if (nearest_word(k->words, v->text, near, sizeof near)) {
        snprintf(remedy, sizeof remedy, "did you mean '%s'? allowed: %.200s", near, allowed);
    } else {
        snprintf(remedy, sizeof remedy, "allowed: %.280s", allowed);
    }
    wrong(w, ZW_E_MODEL, v, v->at, remedy, message);
}

/* a list of n expressions (n = 0: any number) */
static void check_list(walk *w, const zw_schema_key *k, zw_yaml *v, int n) {
    bool told = false; /* or wrong in another way: then the number of items is no news */
    if (v->kind != ZW_YAML_LIST) {
        wrong_type(w, k, v);
        return;
    }
    for (zw_yaml *c = v->first; c; c = c->next) {
        if (c->bad) {
            continue;
        }
        if (split_expression(w, c)) {
            told = v->bad = true;
        } else if (c->kind != ZW_YAML_SCALAR || zw_yaml_is_null(c)) {
            zw_schema_key item = {.type = ZW_KEY_E};
            wrong_type(w, &item, c);
            told = v->bad = true;
        }
    }
    if (n > 0 && v->count != n && !told) {
        char message[200];
        snprintf(message, sizeof message, "must have %d values and has %d", n, v->count);
        wrong(w, ZW_E_MODEL, v, v->at, n == 3 ? "write [x, y, z]" : NULL, message);
    }
}

static void check_vector(walk *w, const zw_schema_key *k, zw_yaml *v) {
    if (v->kind == ZW_YAML_SCALAR && !zw_yaml_is_null(v)) {
        split_expression(w, v);
        return; /* an expression; whether it is a vector shows when it is read */
    }
    check_list(w, k, v, 3);
}

static void check_rows(walk *w, const zw_schema_key *k, zw_yaml *v, int rows, int columns) {
    if (v->kind != ZW_YAML_LIST) {
        wrong_type(w, k, v);
        return;
    }
    for (zw_yaml *c = v->first; c; c = c->next) {
        zw_schema_key row = {.type = columns == 3 ? ZW_KEY_V3 : ZW_KEY_M66};
        if (c->kind != ZW_YAML_LIST) {
            wrong_type(w, &row, c);
        } else {
            check_list(w, &row, c, columns);
        }
        v->bad = v->bad || c->bad;
    }
    if (rows > 0 && v->count != rows) {
        char message[200];
        snprintf(message, sizeof message, "must have %d rows and has %d", rows, v->count);
        wrong(w, ZW_E_MODEL, v, v->at, NULL, message);
    }
}

static void check_words(walk *w, const zw_schema_key *k, zw_yaml *v, bool later) {
    if (v->kind != ZW_YAML_LIST) {
        char remedy[120] = "";
        if (v->kind == ZW_YAML_SCALAR && !zw_yaml_is_null(v)) {
            snprintf(remedy, sizeof remedy, "write [%.60s]", v->text);
        }
        char message[200];
        snprintf(message, sizeof message, "must be %s, not %s", zw_schema_type_phrase(k->type), zw_yaml_kind_name(v));
        wrong(w, ZW_E_MODEL, v, v->at, remedy, message);
        return;
    }
    if (v->count == 0) {
        wrong(w, ZW_E_MODEL, v, v->at, "name at least one, or remove the key", "the list is empty");
    }
    zw_names seen;
    zw_names_init(&seen, w->issues->context);
    for (zw_yaml *c = v->first; c; c = c->next) {
        zw_schema_key item = *k;
        item.type = k->type == ZW_KEY_NAMES ? ZW_KEY_NAME : ZW_KEY_WORD;
        if (!is_scalar(w, &item, c)) {
            continue;
        }
        if (k->type == ZW_KEY_WORDS) {
            check_word(w, &item, c, later);
        }
        if (zw_names_find(&seen, c->text) < 0) {
            w->issues->memory = w->issues->memory || zw_names_add(&seen, c->text) < 0;
        } else if (!c->bad) {
            char message[120];
            snprintf(message, sizeof message, "'%.60s' stands in the list twice", c->text);
            wrong(w, ZW_E_MODEL, c, c->at, "remove one", message);
        }
    }
    zw_names_destroy(&seen);
}

static void check_pairs(walk *w, const zw_schema_key *k, zw_yaml *v) {
    if (v->kind != ZW_YAML_LIST) {
        wrong_type(w, k, v);
        return;
    }
    for (zw_yaml *c = v->first; c; c = c->next) {
        if (c->kind != ZW_YAML_LIST || c->count != 2) {
            wrong(w, ZW_E_MODEL, c, c->at, "write [a, b]", "must be a pair of names");
            continue;
        }
        for (zw_yaml *name = c->first; name; name = name->next) {
            zw_schema_key item = {.type = ZW_KEY_NAME};
            c->bad = !is_scalar(w, &item, name) || c->bad;
        }
    }
}

static void check_names(walk *w, const zw_schema_key *k, zw_yaml *v, bool later) {
    if (v->kind != ZW_YAML_MAP) {
        wrong_type(w, k, v);
        return;
    }
    for (zw_yaml *c = v->first; c; c = c->next) {
        bool text = k->type == ZW_KEY_NAMED_E || k->type == ZW_KEY_NAMED_E_OR_V3 || k->type == ZW_KEY_RELATIONS;
        if (c->bad || (text && c->kind == ZW_YAML_SCALAR && split_expression(w, c))) {
            continue;
        }
        c->entry = k;
        if (!zw_expr_is_name(c->key->text)) {
            wrong(w, ZW_E_MODEL, c, c->key->at, "begin with a letter, then letters, digits and _", "this is not a name");
            continue;
        }
        zw_schema_key item = {.type = k->type == ZW_KEY_NAMED             ? ZW_KEY_MAP
                                      : k->type == ZW_KEY_NAMED_V3        ? ZW_KEY_V3
                                      : k->type == ZW_KEY_NAMED_E_OR_V3   ? ZW_KEY_E_OR_V3
                                      : k->type == ZW_KEY_NAMED_V3_OR_MAP ? ZW_KEY_V3_OR_MAP
                                      : k->type == ZW_KEY_RELATIONS       ? ZW_KEY_RELATION
                                                                          : ZW_KEY_E,
                              .of = k->of};
        check_value(w, &item, c, later);
        c->entry = k;
    }
}

/* a list of equations, or a map that names them */
static void check_relations(walk *w, const zw_schema_key *k, zw_yaml *v, bool later) {
    if (v->kind != ZW_YAML_LIST) {
        check_names(w, k, v, later);
        return;
    }
    for (zw_yaml *c = v->first; c; c = c->next) {
        zw_schema_key item = {.type = ZW_KEY_RELATION};
        if (!c->bad) {
            check_value(w, &item, c, later);
        }
    }
}

static void check_maps(walk *w, const zw_schema_key *k, zw_yaml *v, bool later) {
    if (v->kind != ZW_YAML_LIST) {
        wrong_type(w, k, v);
        return;
    }
    if (v->count == 0) {
        wrong(w, ZW_E_MODEL, v, v->at, "give at least one", "the list is empty");
    }
    for (zw_yaml *c = v->first; c; c = c->next) {
        zw_schema_key item = {.type = ZW_KEY_MAP, .of = k->of};
        check_value(w, &item, c, later);
    }
}

static void check_place(walk *w, const zw_schema_key *k, zw_yaml *v, bool later) {
    if (v->kind == ZW_YAML_MAP) {
        check_map(w, "place", v, later);
    } else if (v->kind == ZW_YAML_LIST && k->type == ZW_KEY_PLACES) {
        zw_schema_key item = {.type = ZW_KEY_PLACE};
        if (v->count != 2) {
            char message[100];
            snprintf(message, sizeof message, "joins 2 places, and the list has %d", v->count);
            wrong(w, ZW_E_MODEL, v, v->at, "write [{body: a, s: end}, {body: b, s: 0}]", message);
            return;
        }
        for (zw_yaml *c = v->first; c; c = c->next) {
            check_place(w, &item, c, later);
            v->bad = v->bad || c->bad;
        }
    } else {
        is_scalar(w, k, v);
    }
}

static void check_value(walk *w, const zw_schema_key *k, zw_yaml *v, bool later) {
    if (v->bad) {
        return;
    }
    switch (k->type) {
    case ZW_KEY_E:
    case ZW_KEY_COUNT:
    case ZW_KEY_LABEL:
    case ZW_KEY_RELATION:
        if (is_scalar(w, k, v)) {
            split_expression(w, v);
        }
        break;
    case ZW_KEY_TEXT:
    case ZW_KEY_NAME: is_scalar(w, k, v); break;
    case ZW_KEY_BOOL:
        if (is_scalar(w, k, v) && strcmp(v->text, "true") != 0 && strcmp(v->text, "false") != 0) {
            wrong(w, ZW_E_MODEL, v, v->at, NULL, "must be true or false");
        }
        break;
    case ZW_KEY_WORD:
        if (is_scalar(w, k, v)) {
            check_word(w, k, v, later);
        }
        break;
    case ZW_KEY_WORDS:
    case ZW_KEY_NAMES: check_words(w, k, v, later); break;
    case ZW_KEY_PAIRS: check_pairs(w, k, v); break;
    case ZW_KEY_V2: check_list(w, k, v, 2); break;
    case ZW_KEY_VN: check_list(w, k, v, 0); break;
    case ZW_KEY_V3:
    case ZW_KEY_E_OR_V3:
        if (v->kind == ZW_YAML_MAP) {
            wrong_type(w, k, v);
        } else {
            check_vector(w, k, v);
        }
        break;
    case ZW_KEY_M66: check_rows(w, k, v, 6, 6); break;
    case ZW_KEY_POINTS:
    case ZW_KEY_TRIANGLES: check_rows(w, k, v, 0, 3); break;
    case ZW_KEY_V3_OR_M33:
        if (v->kind == ZW_YAML_LIST && v->first && v->first->kind == ZW_YAML_LIST) {
            check_rows(w, k, v, 3, 3);
        } else if (v->kind == ZW_YAML_MAP) {
            wrong_type(w, k, v);
        } else {
            check_vector(w, k, v);
        }
        break;
    case ZW_KEY_POINTS_OR_MAP:
        if (v->kind == ZW_YAML_MAP) {
            check_map(w, k->of, v, later);
        } else {
            check_rows(w, k, v, 0, 3);
        }
        break;
    case ZW_KEY_MAPS: check_maps(w, k, v, later); break;
    case ZW_KEY_WORD_OR_PAIRS:
        if (v->kind == ZW_YAML_LIST) {
            check_pairs(w, k, v);
        } else if (is_scalar(w, k, v)) {
            check_word(w, k, v, later);
        }
        break;
    case ZW_KEY_MAP:
        if (v->kind == ZW_YAML_MAP) {
            check_map(w, k->of, v, later);
        } else {
            wrong_type(w, k, v);
        }
        break;
    case ZW_KEY_NAMED:
    case ZW_KEY_NAMED_E:
    case ZW_KEY_NAMED_V3:
    case ZW_KEY_NAMED_E_OR_V3:
    case ZW_KEY_NAMED_V3_OR_MAP: check_names(w, k, v, later); break;
    case ZW_KEY_RELATIONS: check_relations(w, k, v, later); break;
    case ZW_KEY_E_OR_VN:
    case ZW_KEY_RELATION_OR_VN:
        if (v->kind == ZW_YAML_LIST) {
            check_list(w, k, v, 0);
        } else if (is_scalar(w, k, v)) {
            split_expression(w, v);
        }
        break;
    case ZW_KEY_WORD_OR_MAP:
        if (v->kind == ZW_YAML_MAP) {
            check_map(w, k->of, v, later);
        } else if (is_scalar(w, k, v)) {
            check_word(w, k, v, later);
        }
        break;
    case ZW_KEY_V3_OR_MAP:
        if (v->kind == ZW_YAML_MAP) {
            check_map(w, k->of, v, later);
        } else {
            check_vector(w, k, v);
        }
        break;
    case ZW_KEY_PLACE:
    case ZW_KEY_PLACES:
    case ZW_KEY_TO: check_place(w, k, v, later); break;
    case ZW_KEY_ANY: break;
    }
}

static void unknown_key(walk *w, const char *owner, zw_yaml *v) {
    const char          *names[64];
    char                 message[200], remedy[300] = "";
    int                  n = 0;
    const zw_schema_key *elsewhere = NULL;
    if (zw_issues_full(w->issues)) {
        wrong(w, ZW_E_MODEL, v, v->key->at, NULL, "is not a key");
        return;
    }
    for (int i = 0; i < zw_schema_nkeys; i++) {
        if (strcmp(zw_schema_keys[i].owner, owner) == 0 && n < 64) {
            names[n++] = zw_schema_keys[i].key;
        } else if (elsewhere == NULL && strcmp(zw_schema_keys[i].key, v->key->text) == 0) {
            elsewhere = &zw_schema_keys[i];
        }
    }
    const char *near = zw_nearest_name(v->key->text, names, n);
    snprintf(message, sizeof message, "is not a key of %s", zw_schema_owner_find(owner)->phrase);
    if (near) {
        snprintf(remedy, sizeof remedy, "did you mean '%s'?", near);
    } else if (elsewhere) {
        snprintf(remedy, sizeof remedy, "'%.60s' is a key of %s", v->key->text, zw_schema_owner_find(elsewhere->owner)->phrase);
    } else {
        size_t used = (size_t)snprintf(remedy, sizeof remedy, "known: ");
        for (int i = 0; i < n && used + 40 < sizeof remedy; i++) {
            used += (size_t)snprintf(remedy + used, sizeof remedy - used, "%s%s", i ? ", " : "", names[i]);
        }
    }
    wrong(w, ZW_E_MODEL, v, v->key->at, remedy, message);
}

/* the main key that is given; several, or none where one must be, are reported */
static const char *find_form(walk *w, const zw_schema_owner *o, zw_yaml *map) {
    zw_yaml *found = NULL;
    char     message[200], mains[260] = "";
    size_t   used = 0;
    bool     bad = false;
    for (zw_yaml *c = map->first; c; c = c->next) {
        const zw_schema_key *k = zw_schema_find(o->name, c->key->text, NULL);
        if (k == NULL || !(k->flags & ZW_KEY_MAIN)) {
            bad = bad || c->bad;
            continue;
        }
        if (found) {
            snprintf(message, sizeof message, "'%s' and '%s' exclude each other", found->key->text, c->key->text);
            wrong(w, ZW_E_MODEL, c, c->key->at, "keep one of them", message);
            map->bad = true;
        } else {
            found = c;
        }
    }
    if (found || o->choice != ZW_CHOICE_ONE || bad) {
        map->bad = map->bad || (!found && o->choice == ZW_CHOICE_ONE);
        return found ? found->key->text : NULL;
    }
    for (zw_yaml *c = map->first; c; c = c->next) { /* a misspelt main key is reported as such, and is enough */
        if (zw_schema_find(o->name, c->key->text, NULL) == NULL) {
            map->bad = true;
            return NULL;
        }
    }
    for (int i = 0; i < zw_schema_nkeys && used + 40 < sizeof mains; i++) {
        const zw_schema_key *k = &zw_schema_keys[i];
        if (strcmp(k->owner, o->name) == 0 && (k->flags & ZW_KEY_MAIN) && !(k->flags & ZW_KEY_LATER)) {
            used += (size_t)snprintf(mains + used, sizeof mains - used, "%s%s", used ? ", " : "give one of: ", k->key);
        }
    }
    snprintf(message, sizeof message, "does not say what it is");
    wrong(w, ZW_E_MODEL, map, map->key ? map->key->at : map->at, mains, message);
    return NULL;
}

static void check_map(walk *w, const char *owner, zw_yaml *map, bool later) {
    const zw_schema_owner *o = zw_schema_owner_find(owner);
    char                   message[200], words[200];
    for (zw_yaml *c = map->first; c; c = c->next) { /* before anything else: pieces of an expression look like keys */
        const zw_schema_key *k = zw_schema_find(owner, c->key->text, NULL);
        if (!c->bad && k && k->type != ZW_KEY_TEXT && c->kind == ZW_YAML_SCALAR) {
            split_expression(w, c);
        }
    }
    const char          *form = o->choice != ZW_CHOICE_NONE ? find_form(w, o, map) : NULL;
    const zw_schema_key *main_key = form ? zw_schema_find(owner, form, NULL) : NULL;
    bool                 quiet = later || (main_key && (main_key->flags & ZW_KEY_LATER)); /* one report for a form that is not there */
    for (zw_yaml *c = map->first; c; c = c->next) {
        const zw_schema_key *k = zw_schema_find(owner, c->key->text, form);
        if (c->bad) {
            continue;
        }
        if (k == NULL) {
            unknown_key(w, owner, c);
            continue;
        }
        c->entry = k;
        if (k->forms && form && !zw_schema_has_word(k->forms, form)) {
            list_words(k->forms, words, sizeof words);
            snprintf(message, sizeof message, "does not go with '%s'", form);
            char remedy[260];
            snprintf(remedy, sizeof remedy, "it belongs to: %.200s", words);
            wrong(w, ZW_E_MODEL, c, c->key->at, remedy, message);
            continue;
        }
        bool hidden = (k->flags & ZW_KEY_LATER) != 0;
        check_value(w, k, c, later || hidden);
        if (hidden && (!quiet || (!later && k == main_key))) {
            not_yet(w, c, c->key->text, k->instead);
        }
    }
    for (int i = 0; i < zw_schema_nkeys; i++) {
        const zw_schema_key *k = &zw_schema_keys[i];
        if (strcmp(k->owner, owner) != 0 || !(k->flags & ZW_KEY_REQUIRED) || (k->forms && !(form && zw_schema_has_word(k->forms, form))) ||
            zw_yaml_get(map, k->key)) {
            continue;
        }
        char     path[128], subject[192];
        zw_where at = map->key ? map->key->at : map->at;
        zw_yaml_path(map, path, sizeof path);
        snprintf(subject, sizeof subject, "%s%s%s", path, path[0] ? "." : "", k->key);
        snprintf(message, sizeof message, "%s needs it: %s", o->phrase, k->doc);
        zw_issue_add(w->issues, ZW_E_MODEL, map->source, map->source == w->root->source ? at : zw_nowhere(), subject, message,
                     "is missing");
    }
}

void zw_schema_check(zw_issues *issues, zw_yaml *root) {
    walk w = {issues, root};
    if (root->kind != ZW_YAML_MAP) {
        zw_issue_add(issues, ZW_E_MODEL, root->source, root->at, "", "begin with `zwang: 1`", "a model is a map of keys, not %s",
                     zw_yaml_kind_name(root));
        root->bad = true;
        return;
    }
    check_map(&w, "top", root, false);
}

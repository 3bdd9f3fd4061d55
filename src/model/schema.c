/* SPDX-License-Identifier: Apache-2.0
 * schema.c: looking things up in the table of keys. */
#include "model/schema.h"

#include <string.h>

const zw_schema_owner *zw_schema_owner_find(const char *name) {
    for (int i = 0; i < zw_schema_nowners; i++) {
        if (strcmp(zw_schema_owners[i].name, name) == 0) {
            return &zw_schema_owners[i];
        }
    }
    return NULL;
}

bool zw_schema_has_word(const char *words, const char *word) {
    size_t n = strlen(word);
    for (const char *p = words; p && *p;) {
        size_t k = strcspn(p, "|");
        if (k == n && memcmp(p, word, n) == 0) {
            return true;
        }
        p += k + (p[k] == '|');
    }
    return false;
}

const zw_schema_key *zw_schema_find(const char *owner, const char *key, const char *form) {
    const zw_schema_key *first = NULL;
    for (int i = 0; i < zw_schema_nkeys; i++) {
        const zw_schema_key *k = &zw_schema_keys[i];
        if (strcmp(k->owner, owner) != 0 || strcmp(k->key, key) != 0) {
            continue;
        }
        if (form && zw_schema_has_word(k->forms, form)) {
            return k;
        }
        first = first ? first : k;
    }
    return first;
}

const char *zw_schema_type_phrase(zw_schema_type type) {
    static const char *const phrases[] = {
        [ZW_KEY_E] = "a number or an expression",
        [ZW_KEY_V2] = "a list of 2 numbers or expressions",
        [ZW_KEY_V3] = "a list of 3 numbers or expressions",
        [ZW_KEY_E_OR_V3] = "a number or an expression, or a list of 3",
        [ZW_KEY_VN] = "a list of numbers or expressions",
        [ZW_KEY_M66] = "a list of 6 rows with 6 numbers each",
        [ZW_KEY_POINTS] = "a list of points [x, y, z]",
        [ZW_KEY_COUNT] = "a whole number",
        [ZW_KEY_LABEL] = "a number or an expression, or end",
        [ZW_KEY_TEXT] = "text",
        [ZW_KEY_RELATION] = "an equation or inequality",
        [ZW_KEY_WORD] = "a word",
        [ZW_KEY_WORDS] = "a list of words",
        [ZW_KEY_BOOL] = "true or false",
        [ZW_KEY_NAME] = "a name",
        [ZW_KEY_NAMES] = "a list of names",
        [ZW_KEY_PAIRS] = "a list of pairs of names, [[a, b], ..]",
        [ZW_KEY_MAP] = "a map of keys",
        [ZW_KEY_NAMED] = "a map of names",
        [ZW_KEY_NAMED_E] = "a map of names with numbers or expressions",
        [ZW_KEY_NAMED_V3] = "a map of names with vectors",
        [ZW_KEY_NAMED_E_OR_V3] = "a map of names with numbers, expressions or vectors",
        [ZW_KEY_NAMED_V3_OR_MAP] = "a map of names with vectors or maps of keys",
        [ZW_KEY_E_OR_VN] = "an expression, or a list of them",
        [ZW_KEY_RELATION_OR_VN] = "an equation or inequality, or a list of them",
        [ZW_KEY_RELATIONS] = "a list of equations, or a map of names with equations",
        [ZW_KEY_WORD_OR_MAP] = "a word or a map of keys",
        [ZW_KEY_V3_OR_MAP] = "a list of 3 numbers or expressions, or a map of keys",
        [ZW_KEY_V3_OR_M33] = "a list of 3 numbers or expressions, or of 3 rows with 3 each",
        [ZW_KEY_POINTS_OR_MAP] = "a list of points [x, y, z], or a map of keys",
        [ZW_KEY_TRIANGLES] = "a list of triangles [i, j, k]",
        [ZW_KEY_MAPS] = "a list of maps of keys",
        [ZW_KEY_WORD_OR_PAIRS] = "a word, or a list of pairs of names, [[a, b], ..]",
        [ZW_KEY_PLACE] = "a body's name, or {body: NAME, s: ..}",
        [ZW_KEY_PLACES] = "a body's name, {body: NAME, s: ..}, or a list of two places",
        [ZW_KEY_TO] = "ground, a frame, or a place",
        [ZW_KEY_ANY] = "a value",
    };
    return phrases[type];
}

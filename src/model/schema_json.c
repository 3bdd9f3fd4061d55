/* SPDX-License-Identifier: Apache-2.0
 * schema_json.c: the table as JSON Schema, draft 2020-12: one definition per map, for editors and for programs that write models. */
#include "model/schema.h"

#include <string.h>

static void definition_name(zw_text *out, const char *owner) {
    for (const char *p = owner; *p; p++) {
        zw_text_add_n(out, *p == ' ' ? "_" : p, 1);
    }
}

static void reference(zw_text *out, const char *name) {
    zw_text_add(out, "{\"$ref\": \"#/$defs/");
    definition_name(out, name);
    zw_text_add(out, "\"}");
}

static void enumeration(zw_text *out, const char *words) {
    zw_text_add(out, "{\"enum\": [");
    for (const char *p = words; *p;) {
        size_t k = strcspn(p, "|");
        zw_text_addf(out, "\"%.*s\"", (int)k, p);
        p += k;
        if (*p == '|') {
            zw_text_add(out, ", ");
            p++;
        }
    }
    zw_text_add(out, "]}");
}

static void list_of(zw_text *out, const char *item, int n) {
    zw_text_add(out, "{\"type\": \"array\", \"items\": ");
    reference(out, item);
    if (n > 0) {
        zw_text_addf(out, ", \"minItems\": %d, \"maxItems\": %d", n, n);
    }
    zw_text_add(out, "}");
}

static void names_of(zw_text *out, const char *item) {
    zw_text_add(out, "{\"type\": \"object\", \"propertyNames\": ");
    reference(out, "name");
    zw_text_add(out, ", \"additionalProperties\": ");
    reference(out, item);
    zw_text_add(out, "}");
}

static void either(zw_text *out, const char *words, const char *a, const char *b) {
    zw_text_add(out, "{\"anyOf\": [");
    if (words) {
        enumeration(out, words);
    } else {
        reference(out, a);
    }
    zw_text_add(out, ", ");
    reference(out, b);
    zw_text_add(out, "]}");
}

static void names_of_either(zw_text *out, const char *a, const char *b) {
    zw_text_add(out, "{\"type\": \"object\", \"propertyNames\": ");
    reference(out, "name");
    zw_text_add(out, ", \"additionalProperties\": ");
    either(out, NULL, a, b);
    zw_text_add(out, "}");
}

static void pairs(zw_text *out) {
    zw_text_add(out, "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 2, "
                     "\"maxItems\": 2}}");
}

static void rows_of_three(zw_text *out, int n) {
    zw_text_add(out, "{\"type\": \"array\", \"items\": ");
    list_of(out, "expression", 3);
    if (n > 0) {
        zw_text_addf(out, ", \"minItems\": %d, \"maxItems\": %d", n, n);
    }
    zw_text_add(out, "}");
}

static void type_of(zw_text *out, const zw_schema_key *k) {
    switch (k->type) {
    case ZW_KEY_E:
    case ZW_KEY_COUNT:
    case ZW_KEY_LABEL: reference(out, "expression"); break;
    case ZW_KEY_V2: list_of(out, "expression", 2); break;
    case ZW_KEY_VN: list_of(out, "expression", 0); break;
    case ZW_KEY_V3: reference(out, "vector"); break;
    case ZW_KEY_E_OR_V3: either(out, NULL, "expression", "vector"); break;
    case ZW_KEY_M66: reference(out, "matrix"); break;
    case ZW_KEY_POINTS: list_of(out, "vector", 0); break;
    case ZW_KEY_TEXT: reference(out, "text"); break;
    case ZW_KEY_RELATION:
    case ZW_KEY_NAME: zw_text_add(out, "{\"type\": \"string\"}"); break;
    case ZW_KEY_NAMES: zw_text_add(out, "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"uniqueItems\": true}"); break;
    case ZW_KEY_PAIRS: pairs(out); break;
    case ZW_KEY_WORD_OR_PAIRS:
        zw_text_add(out, "{\"anyOf\": [");
        enumeration(out, k->words);
        zw_text_add(out, ", ");
        pairs(out);
        zw_text_add(out, "]}");
        break;
    case ZW_KEY_TRIANGLES: rows_of_three(out, 0); break;
    case ZW_KEY_V3_OR_M33:
        zw_text_add(out, "{\"anyOf\": [");
        reference(out, "vector");
        zw_text_add(out, ", ");
        rows_of_three(out, 3);
        zw_text_add(out, "]}");
        break;
    case ZW_KEY_POINTS_OR_MAP:
        zw_text_add(out, "{\"anyOf\": [");
        list_of(out, "vector", 0);
        zw_text_add(out, ", ");
        reference(out, k->of);
        zw_text_add(out, "]}");
        break;
    case ZW_KEY_MAPS: list_of(out, k->of, 0); break;
    case ZW_KEY_WORD: enumeration(out, k->words); break;
    case ZW_KEY_WORDS:
        zw_text_add(out, "{\"type\": \"array\", \"minItems\": 1, \"uniqueItems\": true, \"items\": ");
        enumeration(out, k->words);
        zw_text_add(out, "}");
        break;
    case ZW_KEY_BOOL: zw_text_add(out, "{\"type\": \"boolean\"}"); break;
    case ZW_KEY_MAP: reference(out, k->of); break;
    case ZW_KEY_NAMED: names_of(out, k->of); break;
    case ZW_KEY_NAMED_E: names_of(out, "expression"); break;
    case ZW_KEY_NAMED_V3: names_of(out, "vector"); break;
    case ZW_KEY_NAMED_E_OR_V3: names_of_either(out, "expression", "vector"); break;
    case ZW_KEY_NAMED_V3_OR_MAP: names_of_either(out, "vector", k->of); break;
    case ZW_KEY_E_OR_VN:
        zw_text_add(out, "{\"anyOf\": [");
        reference(out, "expression");
        zw_text_add(out, ", ");
        list_of(out, "expression", 0);
        zw_text_add(out, "]}");
        break;
    case ZW_KEY_RELATION_OR_VN:
        zw_text_add(out, "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}}]}");
        break;
    case ZW_KEY_RELATIONS:
        zw_text_add(out,
                    "{\"anyOf\": [{\"type\": \"array\", \"items\": {\"type\": \"string\"}}, {\"type\": \"object\", \"propertyNames\": ");
        reference(out, "name");
        zw_text_add(out, ", \"additionalProperties\": {\"type\": \"string\"}}]}");
        break;
    case ZW_KEY_WORD_OR_MAP: either(out, k->words, NULL, k->of); break;
    case ZW_KEY_V3_OR_MAP: either(out, NULL, "vector", k->of); break;
    case ZW_KEY_PLACE:
    case ZW_KEY_TO: either(out, NULL, "name", "place"); break;
    case ZW_KEY_PLACES:
        zw_text_add(out, "{\"anyOf\": [");
        reference(out, "name");
        zw_text_add(out, ", ");
        reference(out, "place");
        zw_text_add(out, ", {\"type\": \"array\", \"items\": ");
        either(out, NULL, "name", "place");
        zw_text_add(out, ", \"minItems\": 2, \"maxItems\": 2}]}");
        break;
    case ZW_KEY_ANY: zw_text_add(out, "true"); break;
    }
}

/* rows of the same key further down (another form) join the first */
static const zw_schema_key *next_same(const zw_schema_key *k) {
    for (const zw_schema_key *n = k + 1; n < zw_schema_keys + zw_schema_nkeys; n++) {
        if (strcmp(n->owner, k->owner) == 0 && strcmp(n->key, k->key) == 0) {
            return n;
        }
    }
    return NULL;
}

static void describe(zw_text *out, const zw_schema_key *k) {
    zw_text text;
    zw_text_init(&text, out->context);
    zw_text_add(&text, k->doc);
    zw_text_add(&text, ".");
    if (k->initial) {
        zw_text_addf(&text, " Default: %s.", k->initial);
    }
    if (k->flags & ZW_KEY_LATER) {
        zw_text_add(&text, " Not in this version.");
    } else if (k->later) {
        zw_text_add(&text, " Not in this version: ");
        for (const char *p = k->later; *p; p++) {
            zw_text_add_n(&text, *p == '|' ? ", " : p, *p == '|' ? 2 : 1);
        }
        zw_text_add(&text, ".");
    }
    zw_text_add(out, "\"description\": ");
    zw_text_json_string(out, text.s ? text.s : "");
    out->failed = out->failed || text.failed;
    zw_text_destroy(&text);
}

static void property(zw_text *out, const zw_schema_key *k) {
    zw_text_addf(out, "        \"%s\": {", k->key);
    describe(out, k);
    zw_text_add(out, ", \"anyOf\": [");
    for (const zw_schema_key *n = k; n; n = next_same(n)) {
        if (n != k) {
            zw_text_add(out, ", ");
        }
        type_of(out, n);
    }
    zw_text_add(out, "]}");
}

static void definition(zw_text *out, const zw_schema_owner *o) {
    bool first = true;
    zw_text_add(out, "      \"type\": \"object\",\n      \"description\": ");
    zw_text_json_string(out, o->doc);
    zw_text_add(out, ",\n      \"additionalProperties\": false,\n      \"properties\": {\n");
    for (int i = 0; i < zw_schema_nkeys; i++) {
        const zw_schema_key *k = &zw_schema_keys[i];
        if (strcmp(k->owner, o->name) == 0 && zw_schema_find(k->owner, k->key, NULL) == k) {
            zw_text_add(out, first ? "" : ",\n");
            property(out, k);
            first = false;
        }
    }
    zw_text_add(out, "\n      }");
    first = true;
    for (int i = 0; i < zw_schema_nkeys; i++) {
        const zw_schema_key *k = &zw_schema_keys[i];
        if (strcmp(k->owner, o->name) == 0 && (k->flags & ZW_KEY_REQUIRED) && k->forms == NULL) {
            zw_text_addf(out, "%s\"%s\"", first ? ",\n      \"required\": [" : ", ", k->key);
            first = false;
        }
    }
    zw_text_add(out, first ? "" : "]");
    if (o->choice != ZW_CHOICE_NONE) {
        zw_text_add(out, ",\n      \"oneOf\": [");
        first = true;
        for (int i = 0; i < zw_schema_nkeys; i++) {
            const zw_schema_key *k = &zw_schema_keys[i];
            if (strcmp(k->owner, o->name) == 0 && (k->flags & ZW_KEY_MAIN)) {
                zw_text_addf(out, "%s{\"required\": [\"%s\"]}", first ? "" : ", ", k->key);
                first = false;
            }
        }
        if (o->choice == ZW_CHOICE_AT_MOST_ONE) { /* or none of them */
            zw_text_add(out, ", {\"not\": {\"anyOf\": [");
            first = true;
            for (int i = 0; i < zw_schema_nkeys; i++) {
                const zw_schema_key *k = &zw_schema_keys[i];
                if (strcmp(k->owner, o->name) == 0 && (k->flags & ZW_KEY_MAIN)) {
                    zw_text_addf(out, "%s{\"required\": [\"%s\"]}", first ? "" : ", ", k->key);
                    first = false;
                }
            }
            zw_text_add(out, "]}}");
        }
        zw_text_add(out, "]");
    }
}

zw_status zw_schema_json(zw_context *c, char **result) {
    zw_text out;
    *result = NULL;
    zw_text_init(&out, c);
    zw_text_add(
        &out,
        "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \"zwang model file\",\n  \"$ref\": \"#/$defs/top\",\n"
        "  \"$defs\": {\n"
        "    \"name\": {\"type\": \"string\", \"pattern\": \"^[A-Za-z_][A-Za-z0-9_]*$\"},\n"
        "    \"text\": {\"type\": [\"string\", \"number\", \"boolean\"]},\n"
        "    \"expression\": {\"type\": [\"number\", \"string\"]},\n"
        "    \"vector\": {\"anyOf\": [{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/expression\"}, \"minItems\": 3, \"maxItems\": 3}, "
        "{\"type\": \"string\"}]},\n"
        "    \"matrix\": {\"type\": \"array\", \"minItems\": 6, \"maxItems\": 6, \"items\": {\"type\": \"array\", \"items\": {\"$ref\": "
        "\"#/$defs/expression\"}, \"minItems\": 6, \"maxItems\": 6}}");
    for (int i = 0; i < zw_schema_nowners; i++) {
        zw_text_add(&out, ",\n    \"");
        definition_name(&out, zw_schema_owners[i].name);
        zw_text_add(&out, "\": {\n");
        definition(&out, &zw_schema_owners[i]);
        zw_text_add(&out, "\n    }");
    }
    zw_text_add(&out, "\n  }\n}\n");
    zw_status status = zw_text_status(&out);
    if (status == ZW_OK) {
        *result = zw_strdup(c, out.s);
        status = *result ? ZW_OK : ZW_E_MEMORY;
    }
    zw_text_destroy(&out);
    return status;
}

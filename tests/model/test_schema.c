/* SPDX-License-Identifier: Apache-2.0
 * The table of keys and what is made from it: JSON Schema and the reference page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/schema.h"

static const char *source_dir(void) {
    const char *dir = getenv("ZW_SOURCE_DIR");
#ifdef ZW_SOURCE_DIR
    return dir ? dir : ZW_SOURCE_DIR;
#else
    return dir ? dir : ".";
#endif
}

/* a strict reader of JSON that keeps nothing; returns what follows the value, NULL when it is not JSON */
static const char *json_value(const char *p, int depth);

static const char *json_space(const char *p) {
    return p + strspn(p, " \t\r\n");
}

static const char *json_string(const char *p) {
    if (*p++ != '"') {
        return NULL;
    }
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < 0x20) {
            return NULL;
        }
        if (*p == '\\' && !strchr("\"\\/bfnrtu", *++p)) {
            return NULL;
        }
    }
    return p + 1;
}

static const char *json_members(const char *p, char close, int depth) {
    p = json_space(p + 1);
    if (*p == close) {
        return p + 1;
    }
    for (;;) {
        if (close == '}') {
            p = json_string(p);
            p = p ? json_space(p) : NULL;
            if (p == NULL || *p != ':') {
                return NULL;
            }
            p = json_space(p + 1);
        }
        p = json_value(p, depth + 1);
        if (p == NULL) {
            return NULL;
        }
        p = json_space(p);
        if (*p == close) {
            return p + 1;
        }
        if (*p != ',') {
            return NULL;
        }
        p = json_space(p + 1);
    }
}

static const char *json_value(const char *p, int depth) {
    static const char *const words[] = {"true", "false", "null"};
    if (depth > 50) {
        return NULL;
    }
    if (*p == '{' || *p == '[') {
        return json_members(p, *p == '{' ? '}' : ']', depth);
    }
    if (*p == '"') {
        return json_string(p);
    }
    for (int i = 0; i < 3; i++) {
        if (strncmp(p, words[i], strlen(words[i])) == 0) {
            return p + strlen(words[i]);
        }
    }
    size_t n = strspn(p, "-0123456789.eE+");
    return n > 0 ? p + n : NULL;
}

static zw_context *context(void) {
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    return c;
}

static void the_table_is_consistent(void **state) {
    (void)state;
    assert_true(zw_schema_nkeys > 150);
    for (int i = 0; i < zw_schema_nkeys; i++) {
        const zw_schema_key *k = &zw_schema_keys[i];
        assert_non_null(zw_schema_owner_find(k->owner));
        assert_true(k->doc && k->doc[0] && k->doc[strlen(k->doc) - 1] != '.');
        bool needs_of = k->type == ZW_KEY_MAP || k->type == ZW_KEY_NAMED || k->type == ZW_KEY_WORD_OR_MAP || k->type == ZW_KEY_V3_OR_MAP ||
                        k->type == ZW_KEY_NAMED_V3_OR_MAP || k->type == ZW_KEY_POINTS_OR_MAP || k->type == ZW_KEY_MAPS;
        assert_true(needs_of == (k->of != NULL));
        assert_true(k->of == NULL || zw_schema_owner_find(k->of));
        bool needs_words =
            k->type == ZW_KEY_WORD || k->type == ZW_KEY_WORDS || k->type == ZW_KEY_WORD_OR_MAP || k->type == ZW_KEY_WORD_OR_PAIRS;
        assert_true(needs_words == (k->words != NULL));
        assert_true(k->later == NULL || k->instead != NULL);
        for (int j = 0; j < i; j++) { /* a key twice in a map: only in different forms */
            const zw_schema_key *other = &zw_schema_keys[j];
            assert_true(strcmp(k->owner, other->owner) != 0 || strcmp(k->key, other->key) != 0 ||
                        (k->forms && other->forms && strcmp(k->forms, other->forms) != 0));
        }
        for (const char *p = k->forms; p && *p;) { /* forms are main keys of the same map */
            char   form[40];
            size_t n = strcspn(p, "|");
            assert_true(n < sizeof form);
            memcpy(form, p, n);
            form[n] = 0;
            const zw_schema_key *m = zw_schema_find(k->owner, form, NULL);
            assert_true(m && (m->flags & ZW_KEY_MAIN));
            p += n + (p[n] == '|');
        }
    }
}

static void every_key_is_in_the_json_schema_and_it_is_json(void **state) {
    zw_context *c = context();
    char       *text = NULL;
    (void)state;
    assert_int_equal(zw_schema_json(c, &text), ZW_OK);
    const char *end = json_value(text, 0);
    assert_non_null(end);
    assert_int_equal(*json_space(end), 0);
    assert_non_null(strstr(text, "https://json-schema.org/draft/2020-12/schema"));
    for (int i = 0; i < zw_schema_nowners; i++) {
        char        name[80], key[80];
        const char *p = NULL;
        snprintf(name, sizeof name, "\n    \"%s\": {", zw_schema_owners[i].name);
        for (char *q = name + 6; *q && *q != '"'; q++) {
            *q = *q == ' ' ? '_' : *q;
        }
        p = strstr(text, name);
        assert_non_null(p);
        const char *stop = strstr(p, "\n    }");
        for (int k = 0; k < zw_schema_nkeys; k++) {
            if (strcmp(zw_schema_keys[k].owner, zw_schema_owners[i].name) == 0) {
                snprintf(key, sizeof key, "\n        \"%s\": {", zw_schema_keys[k].key);
                const char *at = strstr(p, key);
                assert_true(at && at < stop);
            }
        }
    }
    zw_string_free(c, text);
    zw_context_destroy(c);
}

static void every_key_is_in_the_reference_page(void **state) {
    zw_context *c = context();
    char       *text = NULL;
    (void)state;
    assert_int_equal(zw_schema_markdown(c, &text), ZW_OK);
    for (int i = 0; i < zw_schema_nowners; i++) {
        char title[100];
        snprintf(title, sizeof title, "\n## %s\n", zw_schema_owners[i].path[0] ? zw_schema_owners[i].path : "The top of the file");
        const char *p = strstr(text, title);
        assert_non_null(p);
        const char *stop = strstr(p + 4, "\n## ");
        for (int k = 0; k < zw_schema_nkeys; k++) {
            if (strcmp(zw_schema_keys[k].owner, zw_schema_owners[i].name) == 0) {
                char row[100];
                snprintf(row, sizeof row, "\n| `%s`", zw_schema_keys[k].key);
                const char *at = strstr(p, row);
                assert_true(at && (stop == NULL || at < stop));
            }
        }
    }
    zw_string_free(c, text);
    zw_context_destroy(c);
}

static void the_page_in_docs_is_the_one_that_the_table_gives(void **state) {
    zw_context *c = context();
    char       *text = NULL, path[1000];
    static char file[1 << 17];
    (void)state;
    snprintf(path, sizeof path, "%s/docs/model.md", source_dir());
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(file, 1, sizeof file - 1, f);
    fclose(f);
    file[n] = 0;
    assert_int_equal(zw_schema_markdown(c, &text), ZW_OK);
    assert_int_equal(strlen(text), n);
    assert_int_equal(memcmp(text, file, n), 0);
    zw_string_free(c, text);
    zw_context_destroy(c);
}

/* the models between ```yaml and ``` are read as they stand */
static void the_models_on_the_page_are_read(void **state) {
    zw_context *c = context();
    char       *text = NULL;
    int         models = 0;
    (void)state;
    assert_int_equal(zw_schema_markdown(c, &text), ZW_OK);
    for (char *p = strstr(text, "```yaml\n"); p; p = strstr(p, "```yaml\n")) {
        zw_model *m = NULL;
        char     *begin = p + 8, *end = strstr(begin, "```");
        assert_non_null(end);
        assert_int_equal(zw_model_parse(c, "docs/model.md", begin, (size_t)(end - begin), 0, NULL, &m), ZW_OK);
        zw_model_destroy(m);
        models++;
        p = end;
    }
    assert_int_equal(models, 5);
    zw_string_free(c, text);
    zw_context_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_consistent),
        cmocka_unit_test(every_key_is_in_the_json_schema_and_it_is_json),
        cmocka_unit_test(every_key_is_in_the_reference_page),
        cmocka_unit_test(the_page_in_docs_is_the_one_that_the_table_gives),
        cmocka_unit_test(the_models_on_the_page_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

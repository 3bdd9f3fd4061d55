/* SPDX-License-Identifier: Apache-2.0
 * The YAML tree and its limits: what libyaml by itself would accept, expand or hang on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/yaml.h"

typedef struct fixture {
    zw_context *c;
    zw_arena    arena;
    zw_issues   issues;
    zw_source   source;
} fixture;

static zw_yaml *parse_n(fixture *f, const char *text, size_t n) {
    assert_int_equal(zw_context_create(NULL, &f->c), ZW_OK);
    zw_arena_init(&f->arena, f->c);
    zw_issues_init(&f->issues, &f->arena);
    f->source = (zw_source){"test.yaml", text, n};
    return zw_yaml_parse(&f->arena, &f->issues, &f->source);
}

static zw_yaml *parse(fixture *f, const char *text) {
    return parse_n(f, text, strlen(text));
}

static void done(fixture *f) {
    zw_arena_destroy(&f->arena);
    zw_context_destroy(f->c);
}

static void refused(const char *text, size_t n, const char *part) {
    fixture  f;
    zw_yaml *root = parse_n(&f, text, n);
    assert_true(f.issues.count > 0);
    if (strstr(f.issues.first->error.message, part) == NULL) {
        print_message("expected '%s' in '%s'\n", part, f.issues.first->error.message);
        fail();
    }
    (void)root;
    done(&f);
}

static void nodes_know_their_place_and_style(void **state) {
    fixture  f;
    zw_yaml *root = parse(&f, "a: 1\nb: {c: 'x''y', d: [1, \"\\u00e4b\"]}\nt: |\n  one\n  two\n");
    (void)state;
    assert_non_null(root);
    assert_int_equal(root->count, 3);
    zw_yaml *b = zw_yaml_get(root, "b"), *c = zw_yaml_get(b, "c"), *d = zw_yaml_get(b, "d"), *t = zw_yaml_get(root, "t");
    assert_true(b->flow && !root->flow);
    assert_string_equal(c->text, "x'y");
    assert_int_equal(c->style, ZW_YAML_SINGLE);
    assert_int_equal(c->at.line, 2);
    assert_int_equal(c->at.col, 8);
    assert_int_equal(c->key->at.col, 5);
    assert_string_equal(d->first->next->text, "\xC3\xA4"
                                              "b");
    assert_int_equal(t->style, ZW_YAML_BLOCK);
    assert_string_equal(t->text, "one\ntwo\n");
    char path[64];
    assert_string_equal(zw_yaml_path(d->first->next, path, sizeof path), "b.d[1]");
    done(&f);
}

static void places_inside_a_scalar_follow_its_quotes(void **state) {
    fixture  f;
    zw_yaml *root = parse(&f, "p: sin(x)\ns: 'a''b+c'\nd: \"\\u00e4+\\\\q\"\n\xC3\xA4: \xC3\xB6+x\nm: one\n  two\n");
    (void)state;
    assert_non_null(root);
    assert_int_equal(zw_yaml_place(zw_yaml_get(root, "p"), 4).col, 8);        /* x */
    assert_int_equal(zw_yaml_place(zw_yaml_get(root, "s"), 3).col, 9);        /* + behind a'b */
    assert_int_equal(zw_yaml_place(zw_yaml_get(root, "d"), 2).col, 11);       /* + behind two bytes that six characters wrote */
    assert_int_equal(zw_yaml_place(zw_yaml_get(root, "d"), 4).col, 14);       /* q */
    assert_int_equal(zw_yaml_place(zw_yaml_get(root, "\xC3\xA4"), 3).col, 6); /* x: columns count characters */
    assert_int_equal(zw_yaml_place(zw_yaml_get(root, "m"), 4).line, 0);       /* over two lines: cannot be told */
    done(&f);
}

static void duplicate_keys_are_errors_and_the_first_stays(void **state) {
    fixture  f;
    zw_yaml *root = parse(&f, "a: 1\nb: 2\na: 3\nc: {x: 1, x: 2, x: 3}\n");
    (void)state;
    assert_non_null(root);
    assert_int_equal(f.issues.count, 3);
    assert_int_equal(root->count, 3);
    assert_string_equal(zw_yaml_get(root, "a")->text, "1");
    done(&f);
}

static void fifty_thousand_keys_are_checked_quickly(void **state) {
    fixture f;
    enum { N = 50000 };
    char  *text = malloc((size_t)N * 12 + 1);
    size_t n = 0;
    (void)state;
    assert_non_null(text);
    for (int i = 0; i < N; i++) {
        text[n++] = 'k';
        for (int d = 10000; d > 0; d /= 10) {
            text[n++] = (char)('0' + i / d % 10);
        }
        memcpy(text + n, ": 1\n", 4);
        n += 4;
    }
    clock_t  start = clock();
    zw_yaml *root = parse_n(&f, text, n);
    double   seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_non_null(root);
    assert_int_equal(root->count, N);
    print_message("50000 keys: %d ms\n", (int)(1e3 * seconds));
    assert_true(seconds < 5.0); /* measured 0.13 s with sanitizers; pairwise comparison would take minutes */
    done(&f);
    free(text);
}

/* 200 000 brackets of one kind, all on one line or each on its own; libyaml alone would need minutes */
static void brackets(char open, bool lines) {
    fixture f;
    enum { N = 200000 };
    char  *text = malloc((size_t)N * 2 + 8);
    size_t n = 3;
    assert_non_null(text);
    memcpy(text, "a: ", 3);
    for (int i = 0; i < N; i++) {
        text[n++] = open;
        if (lines) {
            text[n++] = '\n';
        }
    }
    clock_t  start = clock();
    zw_yaml *root = parse_n(&f, text, n);
    double   seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_null(root);
    assert_int_equal(f.issues.count, 1);
    assert_non_null(strstr(f.issues.first->error.message, "more than 64 deep"));
    assert_true(seconds < 1.0); /* measured 0.002 s with sanitizers */
    done(&f);
    free(text);
}

static void two_hundred_thousand_brackets_are_refused_at_once(void **state) {
    (void)state;
    brackets('[', false);
    brackets('{', false);
    brackets('[', true);
}

static void two_hundred_thousand_dashes_are_refused_at_once(void **state) {
    enum { N = 200000 };
    char *text = malloc((size_t)N * 2 + 8);
    (void)state;
    assert_non_null(text);
    for (int i = 0; i < N; i++) {
        memcpy(text + 2 * i, "- ", 2);
    }
    clock_t start = clock();
    refused(text, (size_t)N * 2, "more than 64 deep");
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 1.0); /* measured 0.006 s with sanitizers */
    free(text);
}

static void sixty_levels_are_read_and_brackets_in_text_do_not_count(void **state) {
    fixture f;
    char    text[1000] = "a: ";
    (void)state;
    for (int i = 0; i < 60; i++) {
        strcat(text, "[");
    }
    for (int i = 0; i < 60; i++) {
        strcat(text, "]");
    }
    assert_non_null(parse(&f, text));
    done(&f);
    char quoted[1000] = "a: \"";
    for (int i = 0; i < 100; i++) {
        strcat(quoted, "[");
    }
    strcat(
        quoted,
        "\"\nb: '{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{'\n# [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n");
    strcat(quoted, "c: |\n  [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n\n  [[[\nd: 1\n");
    zw_yaml *root = parse(&f, quoted);
    assert_non_null(root);
    assert_int_equal(root->count, 4);
    done(&f);
}

static void an_alias_bomb_is_refused_without_expanding(void **state) {
    fixture f;
    char    text[4000] = "a0: &a0 [x, x]\n";
    (void)state;
    for (int i = 1; i < 30; i++) { /* 2^30 values if expanded */
        char line[64];
        snprintf(line, sizeof line, "a%d: &a%d [*a%d, *a%d]\n", i, i, i - 1, i - 1);
        strcat(text, line);
    }
    zw_yaml *root = parse(&f, text);
    assert_non_null(root);
    assert_int_equal(f.issues.count, 30 + 58);
    assert_true(f.arena.peak < 1 << 20);
    done(&f);
}

static void what_a_model_has_no_use_for_is_refused(void **state) {
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "empty"},
        {"# only a comment\n", "empty"},
        {"a: !!int 3\n", "tag"},
        {"a: !x 3\n", "tag"},
        {"a: &b 3\n", "anchor"},
        {"a: *b\n", "alias"},
        {"a: 1\n---\nb: 2\n", "second document"},
        {"a: 1\n...\nb: 2\n", "the model ends above"},
        {"? [a]\n: 1\n", "cannot be a key"},
        {"? {a: 1}\n: 1\n", "cannot be a key"},
        {"a: \"open\n", "not closed"},
        {"a: 'open\n", "not closed"},
        {"a: [1, 2\n", "not closed"},
        {"a: {b: 1\n", "not closed"},
        {"a: b: c\n", ": cannot stand here"},
        {"a:\n\t- 1\n", "tab"},
        {"\ta: 1\n", "tab"},
        {"a: \"\\q\"\n", "escape"},
        {"a: @b\n", "cannot begin with @"},
        {"a: `b\n", "cannot begin with `"},
        {"a: 1\n b: 2\n", ": cannot stand here"},
        {"a: 1\nb\nc: 2\n", "the : is missing"},
        {"a: - 1\n", "list item"},
        {"a: \"x\\0y\"\n", "NUL"},
        {"%FOO\n", "begin with %"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        refused(cases[i].text, strlen(cases[i].text), cases[i].part);
    }
}

static void other_encodings_and_binary_files_are_named(void **state) {
    (void)state;
    refused("a: \0b\n", 6, "NUL");
    refused("\xFF\xFE"
            "a\0:\0",
            6, "UTF-16");
    refused("\xFE\xFF\0a", 4, "UTF-16");
    refused("a: \xE4\n", 5, "0xE4 is not UTF-8");
    refused("a: \xC0\x80\n", 6, "0xC0 is not UTF-8");     /* overlong NUL */
    refused("a: \xED\xA0\x80\n", 7, "0xED is not UTF-8"); /* surrogate */
    refused("a: \xF5\x80\x80\x80\n", 8, "0xF5 is not UTF-8");
    refused("a: \xE2\x82", 5, "0xE2 is not UTF-8"); /* cut off */
    refused("a: \x01\n", 5, "U+0001");
    refused("a: \x7F\n", 5, "U+007F");
    refused("a: \xC2\x9B\n", 6, "U+009B");
}

static void a_byte_order_mark_and_other_line_ends_are_read(void **state) {
    fixture  f;
    zw_yaml *root = parse(&f, "\xEF\xBB\xBF"
                              "a: 1\r\nb: \xF0\x9F\x98\x80\r\nc: *x\r\n");
    (void)state;
    assert_non_null(root);
    assert_string_equal(zw_yaml_get(root, "a")->text, "1");
    assert_int_equal(zw_yaml_get(root, "b")->at.line, 2);
    assert_int_equal(f.issues.first->error.line, 3);
    assert_string_equal(f.issues.first->error.excerpt, "c: *x");
    done(&f);
}

static void a_file_beyond_sixteen_mebibytes_is_refused(void **state) {
    size_t n = (size_t)ZW_YAML_BYTES + 1;
    char  *text = malloc(n);
    (void)state;
    assert_non_null(text);
    memset(text, '#', n);
    refused(text, n, "16 MiB");
    free(text);
}

static void more_than_a_million_values_are_refused(void **state) {
    size_t n = 0, count = (size_t)ZW_YAML_NODES + 10;
    char  *text = malloc(2 * count + 8);
    (void)state;
    assert_non_null(text);
    text[n++] = '[';
    for (size_t i = 0; i < count; i++) {
        text[n++] = '1';
        text[n++] = i % 100 == 99 ? '\n' : ',';
        if (i % 100 == 99) {
            text[n - 1] = ',';
        }
    }
    text[n - 1] = ']';
    refused(text, n, "more than 1000000 values");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_know_their_place_and_style),
        cmocka_unit_test(places_inside_a_scalar_follow_its_quotes),
        cmocka_unit_test(duplicate_keys_are_errors_and_the_first_stays),
        cmocka_unit_test(fifty_thousand_keys_are_checked_quickly),
        cmocka_unit_test(two_hundred_thousand_brackets_are_refused_at_once),
        cmocka_unit_test(two_hundred_thousand_dashes_are_refused_at_once),
        cmocka_unit_test(sixty_levels_are_read_and_brackets_in_text_do_not_count),
        cmocka_unit_test(an_alias_bomb_is_refused_without_expanding),
        cmocka_unit_test(what_a_model_has_no_use_for_is_refused),
        cmocka_unit_test(other_encodings_and_binary_files_are_named),
        cmocka_unit_test(a_byte_order_mark_and_other_line_ends_are_read),
        cmocka_unit_test(a_file_beyond_sixteen_mebibytes_is_refused),
        cmocka_unit_test(more_than_a_million_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

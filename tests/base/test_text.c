/* SPDX-License-Identifier: Apache-2.0
 * test_text.c: the growing string, JSON and HTML escapes, failure to grow, nearest names. */
#include "support/check.h"

#include "base/text.h"

#include <string.h>

typedef struct fixture {
    zw_context *context;
    zw_text     text;
    bool        refuse;
} fixture;

static void *fixture_realloc(void *user, void *p, size_t size) {
    fixture *f = user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return f->refuse ? NULL : realloc(p, size);
}

static int setup(void **state) {
    static fixture f;
    f = (fixture){0};
    zw_context_def def = zw_context_def_default();
    def.realloc = fixture_realloc;
    def.realloc_user = &f;
    zw_status status = zw_context_create(&def, &f.context);
    zw_text_init(&f.text, f.context);
    *state = &f;
    return status == ZW_OK ? 0 : 1;
}

static int teardown(void **state) {
    fixture *f = *state;
    zw_text_destroy(&f->text);
    zw_context_destroy(f->context);
    return 0;
}

static void text_grows_and_stays_terminated(void **state) {
    fixture *f = *state;
    zw_text *t = &f->text;
    assert_null(t->s);
    zw_text_add(t, "");
    assert_string_equal(t->s, "");
    for (int i = 0; i < 5000; i++) {
        zw_text_addf(t, "%d,", i % 10);
        assert_int_equal(t->s[t->n], 0);
    }
    assert_int_equal(t->n, 10000);
    assert_int_equal(strlen(t->s), 10000);
    zw_text_add_n(t, "abcdef", 3);
    zw_text_number(t, 0.1);
    zw_text_add(t, " ");
    zw_text_short(t, 3.14159, 3);
    assert_string_equal(t->s + 10000, "abc0.1 3.14");
    assert_int_equal(zw_text_status(t), ZW_OK);
    zw_text_destroy(t);
    assert_null(t->s);
    zw_text_add(t, "again");
    assert_string_equal(t->s, "again");
}

static void json_numbers_are_null_when_not_finite(void **state) {
    zw_text *t = &((fixture *)*state)->text;
    zw_text_json_number(t, 1.5e-7);
    zw_text_add(t, " ");
    zw_text_json_number(t, (double)NAN);
    zw_text_add(t, " ");
    zw_text_json_number(t, -(double)INFINITY);
    assert_string_equal(t->s, "1.5e-7 null null");
}

static void assert_json(zw_text *t, const char *in, const char *expected) {
    zw_text_destroy(t);
    zw_text_json_string(t, in);
    assert_string_equal(t->s, expected);
}

static void json_strings_are_escaped_and_always_valid_utf8(void **state) {
    zw_text *t = &((fixture *)*state)->text;
    assert_json(t, "", "\"\"");
    assert_json(t, "a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
    assert_json(t, "\n\r\t\b\f\x01\x1f\x7f", "\"\\n\\r\\t\\b\\f\\u0001\\u001f\\u007f\"");
    assert_json(t, "h\xC3\xB6he \xE2\x82\xAC \xF0\x9F\x98\x80", "\"h\xC3\xB6he \xE2\x82\xAC \xF0\x9F\x98\x80\"");
#define BAD "\xEF\xBF\xBD"
    assert_json(t,
                "a\xFF"
                "b",
                "\"a" BAD "b\"");
    assert_json(t, "\x80\xBF", "\"" BAD BAD "\"");
    assert_json(t, "\xC0\x80", "\"" BAD BAD "\"");                 /* overlong */
    assert_json(t, "\xE0\x80\x80", "\"" BAD BAD BAD "\"");         /* overlong */
    assert_json(t, "\xED\xA0\x80", "\"" BAD BAD BAD "\"");         /* surrogate */
    assert_json(t, "\xF4\x90\x80\x80", "\"" BAD BAD BAD BAD "\""); /* beyond U+10FFFF */
    assert_json(t, "\xE2\x82", "\"" BAD "\"");                     /* ends too early: one for the prefix */
    assert_json(t, "\xF0\x9F\x98x", "\"" BAD "x\"");
    assert_json(t, "\xC3\"", "\"" BAD "\\\"\"");
}

static void html_is_escaped_and_free_of_control_characters(void **state) {
    zw_text *t = &((fixture *)*state)->text;
    zw_text_html(t, "<a href='x'>\"R&D\"</a>");
    assert_string_equal(t->s, "&lt;a href=&#39;x&#39;&gt;&quot;R&amp;D&quot;&lt;/a&gt;");
    zw_text_destroy(t);
    zw_text_html(t, "a\x01\x1b\x7f\xC2\x9B"
                    "b\n\tc\xC3\xA9\xFF");
    assert_string_equal(t->s, "ab\n\tc\xC3\xA9" BAD);
}

static void failure_to_grow_is_remembered_and_leaves_no_gap(void **state) {
    fixture *f = *state;
    zw_text *t = &f->text;
    zw_text_add(t, "start");
    f->refuse = true;
    char big[300];
    memset(big, 'x', sizeof big);
    zw_text_add_n(t, big, sizeof big);
    f->refuse = false;
    zw_text_add(t, "end");
    zw_text_addf(t, "%d", 1);
    zw_text_json_string(t, "s");
    assert_string_equal(t->s, "start");
    assert_int_equal(zw_text_status(t), ZW_E_MEMORY);
    assert_int_equal(zw_error_count(f->context), 1);
    assert_int_equal(zw_error_at(f->context, 0)->code, ZW_E_MEMORY);
}

static void nearest_name_is_found_only_when_near(void **state) {
    (void)state;
    static const char *const names[] = {"mass", "length", "radius", "youngs_modulus", "density", "x"};
    assert_string_equal(zw_nearest_name("lenght", names, 6), "length");
    assert_string_equal(zw_nearest_name("mas", names, 6), "mass");
    assert_string_equal(zw_nearest_name("Radius", names, 6), "radius");
    assert_string_equal(zw_nearest_name("young-modulus", names, 6), "youngs_modulus");
    assert_string_equal(zw_nearest_name("desnity", names, 6), "density");
    assert_string_equal(zw_nearest_name("dnesity", names, 6), "density");
    assert_null(zw_nearest_name("colour", names, 6));
    assert_null(zw_nearest_name("y", names, 6));
    assert_null(zw_nearest_name("", names, 6));
    assert_null(zw_nearest_name("mass", names, 0));
    char word[200];
    memset(word, 'm', sizeof word);
    word[199] = 0;
    assert_null(zw_nearest_name(word, names, 6));
    word[63] = 0;
    assert_null(zw_nearest_name(word, names, 6));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(text_grows_and_stays_terminated, setup, teardown),
        cmocka_unit_test_setup_teardown(json_numbers_are_null_when_not_finite, setup, teardown),
        cmocka_unit_test_setup_teardown(json_strings_are_escaped_and_always_valid_utf8, setup, teardown),
        cmocka_unit_test_setup_teardown(html_is_escaped_and_free_of_control_characters, setup, teardown),
        cmocka_unit_test_setup_teardown(failure_to_grow_is_remembered_and_leaves_no_gap, setup, teardown),
        cmocka_unit_test(nearest_name_is_found_only_when_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_context.c: the context, its allocator, its errors and its log, also when memory runs out. */
#include "support/check.h"

#include "base/context.h"

#include <signal.h>
#include <string.h>

/* an allocator that counts live blocks and refuses on demand */
typedef struct ledger {
    int    live;
    bool   refuse;
    size_t largest; /* refuses requests above it, when not 0 */
} ledger;

static void *ledger_realloc(void *user, void *p, size_t size) {
    ledger *l = user;
    if (size == 0) {
        l->live -= p ? 1 : 0;
        free(p);
        return NULL;
    }
    if (l->refuse || (l->largest && size > l->largest)) {
        return NULL;
    }
    void *q = realloc(p, size);
    l->live += q && !p ? 1 : 0;
    return q;
}

static zw_context *context_with(ledger *l) {
    zw_context_def def = zw_context_def_default();
    def.realloc = ledger_realloc;
    def.realloc_user = l;
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(&def, &c), ZW_OK);
    return c;
}

static void context_defaults_are_one_thread_and_no_errors(void **state) {
    (void)state;
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    assert_int_equal(zw_context_threads(c), 1);
    assert_int_equal(zw_error_count(c), 0);
    assert_null(zw_error_at(c, 0));
    assert_null(zw_error_last(c));
    assert_false(zw_context_cancelled(c));
    zw_context_destroy(c);
    zw_context_destroy(NULL);
}

static void context_def_of_wrong_size_or_threads_is_refused(void **state) {
    (void)state;
    zw_context    *c = (zw_context *)&state;
    zw_context_def def = zw_context_def_default();
    def.size = 0;
    assert_int_equal(zw_context_create(&def, &c), ZW_E_ARG);
    assert_null(c);
    def.size = sizeof def + 8;
    assert_int_equal(zw_context_create(&def, &c), ZW_E_ARG);
    def = zw_context_def_default();
    def.threads = -1;
    assert_int_equal(zw_context_create(&def, &c), ZW_E_ARG);
    assert_int_equal(zw_context_create(NULL, NULL), ZW_E_ARG);
}

static void context_def_of_an_older_caller_leaves_new_fields_default(void **state) {
    (void)state;
    zw_context    *c = NULL;
    zw_context_def def = zw_context_def_default();
    def.size = offsetof(zw_context_def, threads);
    def.threads = 7; /* beyond the size given: must not be read */
    assert_int_equal(zw_context_create(&def, &c), ZW_OK);
    assert_int_equal(zw_context_threads(c), 1);
    zw_context_destroy(c);
}

static void context_create_without_memory_says_so(void **state) {
    (void)state;
    ledger         l = {.refuse = true};
    zw_context_def def = zw_context_def_default();
    def.realloc = ledger_realloc;
    def.realloc_user = &l;
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(&def, &c), ZW_E_MEMORY);
    assert_null(c);
}

static zw_context *interrupted;

static void on_signal(int number) {
    (void)number;
    zw_context_cancel(interrupted);
}

static void cancel_from_a_signal_handler_is_seen(void **state) {
    (void)state;
    assert_int_equal(zw_context_create(NULL, &interrupted), ZW_OK);
    void (*old)(int) = signal(SIGINT, on_signal);
    assert_false(zw_context_cancelled(interrupted));
    raise(SIGINT);
    signal(SIGINT, old);
    assert_true(zw_context_cancelled(interrupted));
    zw_context_destroy(interrupted);
}

static void alloc_is_zeroed_and_everything_is_given_back(void **state) {
    (void)state;
    ledger         l = {0};
    zw_context    *c = context_with(&l);
    unsigned char *p = zw_alloc(c, 1000, 3, "bytes");
    for (int i = 0; i < 3000; i++) {
        assert_int_equal(p[i], 0);
    }
    void *empty = zw_alloc(c, 0, 8, "nothing");
    assert_non_null(empty);
    p[2999] = 7;
    p = zw_resize(c, p, 5000, 3, "bytes");
    assert_int_equal(p[2999], 7);
    char *s = zw_strdup(c, "elbow"), *t = zw_strndup(c, "elbow", 3), *u = zw_strndup(c, "el", 10);
    assert_string_equal(s, "elbow");
    assert_string_equal(t, "elb");
    assert_string_equal(u, "el");
    zw_raise(c, ZW_E_MODEL, "x", NULL, "y");
    zw_free(c, p);
    zw_free(c, empty);
    zw_free(c, s);
    zw_free(c, t);
    zw_free(c, u);
    zw_free(c, NULL);
    assert_int_equal(l.live, 2); /* the context and its first chunk of errors */
    zw_context_destroy(c);
    assert_int_equal(l.live, 0);
}

static void size_overflow_raises_with_the_size(void **state) {
    (void)state;
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    assert_null(zw_alloc(c, SIZE_MAX / 4, 16, "states of rod 'beam'"));
    const zw_error *e = zw_error_at(c, 0);
    assert_int_equal(e->code, ZW_E_MEMORY);
    assert_string_equal(e->subject, "states of rod 'beam'");
    assert_non_null(strstr(e->message, "would need 64 EiB"));
    assert_string_equal(e->where, "zw_alloc");
    assert_true(e->remedy[0] != 0);
    assert_null(zw_resize(c, NULL, SIZE_MAX / 2, 2, "x"));
    assert_int_equal(zw_error_count(c), 2);
    zw_context_destroy(c);
}

static void refused_memory_names_sensible_units(void **state) {
    (void)state;
    ledger      l = {.largest = 100000};
    zw_context *c = context_with(&l);
    assert_null(zw_alloc(c, 429496730, 8, "frames"));
    assert_non_null(strstr(zw_error_at(c, 0)->message, "would need 3.2 GiB (429496730 times 8 bytes)"));
    assert_null(zw_alloc(c, 150000, 1, "frames"));
    assert_non_null(strstr(zw_error_at(c, 1)->message, "would need 146 KiB"));
    char *p = zw_alloc(c, 8, 1, "kept");
    p[0] = 'k';
    assert_null(zw_resize(c, p, 3 << 20, 1, "grown"));
    assert_int_equal(p[0], 'k');
    assert_non_null(strstr(zw_error_at(c, 2)->message, "would need 3 MiB"));
    zw_free(c, p);
    zw_context_destroy(c);
}

static void memory_error_is_reported_when_no_memory_is_left(void **state) {
    (void)state;
    ledger      l = {0};
    zw_context *c = context_with(&l);
    l.refuse = true;
    assert_null(zw_alloc(c, 900, 1, "rows"));
    assert_int_equal(zw_error_count(c), 1);
    assert_int_equal(zw_error_at(c, 0)->code, ZW_E_MEMORY);
    assert_non_null(strstr(zw_error_at(c, 0)->message, "would need 900 bytes"));
    assert_ptr_equal(zw_error_last(c), zw_error_at(c, 0));
    /* further ones are counted */
    assert_null(zw_alloc(c, 900, 1, "rows"));
    assert_null(zw_alloc(c, 900, 1, "rows"));
    assert_int_equal(zw_error_count(c), 2);
    assert_string_equal(zw_error_at(c, 1)->message, "2 more after the first 1");
    zw_error_clear(c);
    l.refuse = false;
    zw_raise(c, ZW_E_ARG, "a", NULL, "b");
    assert_int_equal(zw_error_count(c), 1);
    assert_int_equal(zw_error_at(c, 0)->code, ZW_E_ARG);
    zw_context_destroy(c);
    assert_int_equal(l.live, 0);
}

static void errors_are_kept_in_order_and_do_not_move(void **state) {
    (void)state;
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    assert_int_equal(zw_raise(c, ZW_E_MODEL, "joint 'elbow'", "give a unit vector", "axis has length %d", 0), ZW_E_MODEL);
    const zw_error *first = zw_error_at(c, 0);
    for (int i = 1; i < 300; i++) {
        zw_raise(c, ZW_E_ARG, "n", NULL, "number %d", i);
    }
    assert_ptr_equal(first, zw_error_at(c, 0));
    assert_string_equal(first->message, "axis has length 0");
    assert_string_equal(first->where, "errors_are_kept_in_order_and_do_not_move");
    assert_int_equal(zw_error_count(c), 300);
    assert_string_equal(zw_error_at(c, 299)->message, "number 299");
    assert_string_equal(zw_error_at(c, 299)->remedy, "");
    assert_null(zw_error_at(c, 300));
    assert_null(zw_error_at(c, -1));
    zw_error_clear(c);
    assert_int_equal(zw_error_count(c), 0);
    assert_int_equal(zw_raise(NULL, ZW_E_IO, "no context", NULL, "is legal"), ZW_E_IO);
    zw_context_destroy(c);
}

static void errors_beyond_a_thousand_are_counted_in_a_last_one(void **state) {
    (void)state;
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    for (int i = 0; i < 1234; i++) {
        zw_raise(c, ZW_E_MODEL, "key", NULL, "number %d", i);
        zw_error_last(c)->line = i + 1;
    }
    assert_int_equal(zw_error_count(c), 1001);
    assert_string_equal(zw_error_at(c, 999)->message, "number 999");
    assert_int_equal(zw_error_at(c, 999)->line, 1000);
    assert_string_equal(zw_error_at(c, 1000)->message, "234 more after the first 1000");
    assert_int_equal(zw_error_at(c, 1000)->code, ZW_E_MODEL);
    assert_int_equal(zw_error_at(c, 1000)->line, 0);
    /* running out of memory is told even then */
    assert_null(zw_alloc(c, SIZE_MAX, 2, "rows"));
    assert_int_equal(zw_error_count(c), 1002);
    assert_int_equal(zw_error_at(c, 1000)->code, ZW_E_MEMORY);
    zw_context_destroy(c);
}

static void long_texts_are_cut_with_dots_between_characters(void **state) {
    (void)state;
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    char text[1001];
    for (int shift = 0; shift < 4; shift++) {
        memset(text, 'a', sizeof text);
        for (int i = shift; i + 3 < 1000; i += 3) {
            memcpy(text + i, "\xE2\x82\xAC", 3); /* the euro sign */
        }
        text[999] = 0;
        zw_raise(c, ZW_E_MODEL, text, text, "%s", text);
        const zw_error *e = zw_error_at(c, shift);
        const char     *fields[] = {e->subject, e->message, e->remedy};
        const size_t    rooms[] = {sizeof e->subject, sizeof e->message, sizeof e->remedy};
        for (int f = 0; f < 3; f++) {
            size_t n = strlen(fields[f]);
            assert_true(n < rooms[f] && n >= rooms[f] - 4);
            assert_string_equal(fields[f] + n - 3, "...");
            assert_int_equal((n - 3 - (size_t)shift) % 3, 0);
        }
    }
    zw_raise(c, ZW_E_MODEL, "s", NULL, "%.399s", "b");
    zw_raise(c, ZW_E_MODEL, "s", NULL, "%0399d", 1);
    assert_int_equal(strlen(zw_error_at(c, 5)->message), 399);
    assert_int_equal(zw_error_at(c, 5)->message[398], '1');
    zw_context_destroy(c);
}

static void error_format_joins_place_subject_message_and_remedy(void **state) {
    (void)state;
    zw_error e = {.code = ZW_E_MODEL};
    char     out[200];
    strcpy(e.subject, "bodies.beam");
    strcpy(e.message, "radius is -1");
    assert_int_equal(zw_error_format(&e, out, sizeof out), strlen("bodies.beam: radius is -1"));
    assert_string_equal(out, "bodies.beam: radius is -1");
    strcpy(e.remedy, "give a positive one");
    strcpy(e.file, "a.yaml");
    zw_error_format(&e, out, sizeof out);
    assert_string_equal(out, "a.yaml: bodies.beam: radius is -1; give a positive one");
    e.line = 3;
    zw_error_format(&e, out, sizeof out);
    assert_string_equal(out, "a.yaml:3: bodies.beam: radius is -1; give a positive one");
    e.col = 14;
    size_t n = zw_error_format(&e, out, sizeof out);
    assert_string_equal(out, "a.yaml:3:14: bodies.beam: radius is -1; give a positive one");
    assert_int_equal(zw_error_format(&e, NULL, 0), n);
    for (size_t room = 1; room <= n; room++) {
        char cut[100];
        memset(cut, 'X', sizeof cut);
        assert_int_equal(zw_error_format(&e, cut, room), n);
        assert_int_equal(strlen(cut), room - 1);
        assert_memory_equal(cut, out, room - 1);
        assert_int_equal(cut[room], 'X');
    }
    assert_int_equal(zw_error_format(NULL, out, sizeof out), 0);
    assert_string_equal(out, "");
    zw_error bare = {.code = ZW_E_IO};
    zw_error_format(&bare, out, sizeof out);
    assert_string_equal(out, "reading or writing failed");
}

static void status_names_come_from_the_list(void **state) {
    (void)state;
    assert_string_equal(zw_status_name(ZW_OK), "ZW_OK");
    assert_string_equal(zw_status_name(ZW_E_MODEL), "ZW_E_MODEL");
    assert_string_equal(zw_status_sentence(ZW_E_RANK), "constraints contradict each other");
    assert_int_equal(zw_status_exit_code(ZW_E_NO_INPUT), 66);
    assert_int_equal(zw_status_exit_code(ZW_E_CANCELLED), 130);
    assert_string_equal(zw_status_name((zw_status)(ZW_E_INTERNAL + 1)), "ZW_E_UNKNOWN");
    assert_int_equal(zw_status_exit_code((zw_status)(ZW_E_INTERNAL + 1)), 1);
    assert_string_equal(zw_version(), ZW_VERSION);
}

typedef struct heard {
    zw_log_level level;
    char         text[2000];
    int          n;
} heard;

static void hear(void *user, zw_log_level level, const char *text) {
    heard *h = user;
    h->level = level;
    h->n++;
    snprintf(h->text, sizeof h->text, "%s", text);
}

static void log_reaches_the_sink_and_is_silent_without_one(void **state) {
    (void)state;
    static heard   h;
    zw_context_def def = zw_context_def_default();
    def.log = hear;
    def.log_user = &h;
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(&def, &c), ZW_OK);
    zw_log(c, ZW_LOG_WARNING, "step %d of %s", 4, "beam");
    assert_int_equal(h.level, ZW_LOG_WARNING);
    assert_string_equal(h.text, "step 4 of beam");
    zw_log(c, ZW_LOG_INFO, "%01500d", 1);
    assert_int_equal(strlen(h.text), 1023);
    assert_string_equal(h.text + 1020, "...");
    assert_int_equal(h.n, 2);
    zw_context_destroy(c);
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    zw_log(c, ZW_LOG_INFO, "nobody hears");
    zw_context_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(context_defaults_are_one_thread_and_no_errors),
        cmocka_unit_test(context_def_of_wrong_size_or_threads_is_refused),
        cmocka_unit_test(context_def_of_an_older_caller_leaves_new_fields_default),
        cmocka_unit_test(context_create_without_memory_says_so),
        cmocka_unit_test(cancel_from_a_signal_handler_is_seen),
        cmocka_unit_test(alloc_is_zeroed_and_everything_is_given_back),
        cmocka_unit_test(size_overflow_raises_with_the_size),
        cmocka_unit_test(refused_memory_names_sensible_units),
        cmocka_unit_test(memory_error_is_reported_when_no_memory_is_left),
        cmocka_unit_test(errors_are_kept_in_order_and_do_not_move),
        cmocka_unit_test(errors_beyond_a_thousand_are_counted_in_a_last_one),
        cmocka_unit_test(long_texts_are_cut_with_dots_between_characters),
        cmocka_unit_test(error_format_joins_place_subject_message_and_remedy),
        cmocka_unit_test(status_names_come_from_the_list),
        cmocka_unit_test(log_reaches_the_sink_and_is_silent_without_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_results.c: a directory opens after every kind of end: finished, killed, still running, damaged, on a disk that takes nothing. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "record/recover.h"
#include "zwang/results.h"

#include <signal.h>
#include <sys/resource.h>

static zw_results *open_results(scratch *s) {
    zw_results *r = NULL;
    zw_status   status = zw_results_open(s->context, s->path, &r);
    if (status != ZW_OK) {
        print_error("%s\n", zw_error_count(s->context) > 0 ? zw_error_at(s->context, 0)->message : "no error");
    }
    assert_int_equal(status, ZW_OK);
    return r;
}

static void check_results(scratch *s, const zw_results *r, int64_t frames) {
    assert_int_equal(zw_results_epochs(r), 1);
    assert_int_equal(zw_results_frames(r, 0), frames);
    assert_int_equal(zw_results_frames(r, 1), 0);
    assert_null(zw_results_layout(r, 1));
    assert_true(zw_layout_equal(zw_results_layout(r, 0), &s->layout));
    assert_string_equal(zw_results_model_text(r), "zwang: 1\n");
    for (int k = 0; k < s->layout.nchannels; k++) {
        for (int64_t i = 0; i < frames; i++) {
            double expected[SCRATCH_WIDTH], found[SCRATCH_WIDTH];
            scratch_frame(i, expected);
            assert_int_equal(zw_results_read(r, 0, k, i, 1, found), ZW_OK);
            assert_true(scratch_same(found, expected + s->channel[k].offset, s->channel[k].count));
        }
    }
    double x;
    assert_int_equal(zw_results_read(r, 0, 99, 0, 1, &x), ZW_E_ARG);
    assert_int_equal(zw_results_read(r, 0, 0, frames, 1, &x), ZW_E_ARG);
    zw_error_clear(s->context);
}

static void finished_run_is_read_from_results_file_alone(void **state) {
    scratch *s = *state;
    scratch_journal(s, 9, true);
    assert_int_equal(zw_results_make(&s->dir), ZW_OK);
    assert_int_equal(zw_directory_remove(&s->dir, ZW_FILE_JOURNAL), ZW_OK);
    zw_results *r = open_results(s);
    check_results(s, r, 9);
    assert_string_equal(zw_results_summary(r), "{\"outcome\": \"reached\"}\n");
    zw_results_close(r);
    assert_string_equal(s->log, "");
}

static void killed_run_is_recovered_and_said_so(void **state) {
    scratch *s = *state;
    scratch_journal(s, 9, false);
    size_t         n;
    unsigned char *bytes = scratch_load(s, ZW_FILE_JOURNAL, &n);
    scratch_store(s, ZW_FILE_JOURNAL, bytes, n - 5); /* torn in the last frame */
    zw_results *r = open_results(s);
    check_results(s, r, 8);
    assert_string_equal(zw_results_summary(r), "");
    zw_results_close(r);
    assert_non_null(strstr(s->log, "8 frames up to t = 1.75 s are recovered from the journal"));
    assert_true(zw_directory_has(&s->dir, ZW_FILE_RESULTS) && zw_directory_has(&s->dir, ZW_FILE_JOURNAL));
    s->log[0] = 0;
    r = open_results(s); /* the second time results.h5 is there and as good as the journal */
    check_results(s, r, 8);
    zw_results_close(r);
    assert_string_equal(s->log, "");
    scratch_store(s, ZW_FILE_JOURNAL, bytes, n); /* the run went on */
    r = open_results(s);
    check_results(s, r, 9);
    zw_results_close(r);
    assert_false(zw_directory_has(&s->dir, ZW_FILE_LOCK));
    free(bytes);
}

static void run_that_holds_the_lock_is_read_from_its_journal(void **state) {
    scratch *s = *state;
    scratch_journal(s, 4, false);
    assert_int_equal(zw_directory_lock(&s->dir), ZW_OK);
    zw_results *r = open_results(s);
    check_results(s, r, 4);
    zw_results_close(r);
    assert_false(zw_directory_has(&s->dir, ZW_FILE_RESULTS));
}

static void damaged_results_file_is_made_anew_from_the_journal(void **state) {
    scratch *s = *state;
    scratch_journal(s, 6, true);
    scratch_store(s, ZW_FILE_RESULTS, "rubbish", 7);
    zw_results *r = open_results(s);
    check_results(s, r, 6);
    zw_results_close(r);
    assert_int_equal(zw_error_count(s->context), 0);
    zw_hdf5 *h;
    assert_int_equal(zw_hdf5_open(s->context, &s->dir, &h), ZW_OK);
    zw_hdf5_close(h);
}

static void full_disk_does_not_keep_anybody_from_reading(void **state) {
    scratch      *s = *state;
    struct rlimit before, limit;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    scratch_journal(s, 6, false);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){.rlim_cur = 1000, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    zw_results *r = open_results(s);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, old);
    check_results(s, r, 6);
    zw_results_close(r);
    assert_non_null(strstr(s->log, "the journal is read instead"));
}

static void directory_without_results_is_no_input(void **state) {
    scratch    *s = *state;
    zw_results *r;
    assert_int_equal(zw_results_open(s->context, s->path, &r), ZW_E_NO_INPUT);
    char path[400];
    snprintf(path, sizeof path, "%s/none", s->path);
    assert_int_equal(zw_results_open(s->context, path, &r), ZW_E_NO_INPUT);
    scratch_store(s, ZW_FILE_JOURNAL, "rubbish", 7);
    assert_int_equal(zw_results_open(s->context, s->path, &r), ZW_E_FORMAT);
    assert_null(r);
    zw_results_close(NULL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(finished_run_is_read_from_results_file_alone),     TEST(killed_run_is_recovered_and_said_so),
        TEST(run_that_holds_the_lock_is_read_from_its_journal), TEST(damaged_results_file_is_made_anew_from_the_journal),
        TEST(full_disk_does_not_keep_anybody_from_reading),     TEST(directory_without_results_is_no_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

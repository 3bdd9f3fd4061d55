/* SPDX-License-Identifier: Apache-2.0
 * test_directory.c: made with its parents, locked against others, emptied of our files only. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include <signal.h>
#include <sys/wait.h>

static void missing_parents_are_made(void **state) {
    scratch     *s = *state;
    zw_directory d;
    char         path[400];
    snprintf(path, sizeof path, "%s/a/b//c/", s->path);
    assert_int_equal(zw_directory_create(s->context, path, &d), ZW_OK);
    zw_directory_close(&d);
    assert_int_equal(zw_directory_open(s->context, path, &d), ZW_OK);
    zw_directory_close(&d);
}

static void wrong_places_are_named(void **state) {
    scratch     *s = *state;
    zw_directory d;
    char         path[400];
    snprintf(path, sizeof path, "%s/none", s->path);
    assert_int_equal(zw_directory_open(s->context, path, &d), ZW_E_NO_INPUT);
    scratch_store(s, "file", "x", 1);
    snprintf(path, sizeof path, "%s/file", s->path);
    assert_int_equal(zw_directory_create(s->context, path, &d), ZW_E_IO);
    snprintf(path, sizeof path, "%s/file/below", s->path);
    assert_int_equal(zw_directory_create(s->context, path, &d), ZW_E_IO);
    assert_int_equal(zw_directory_create(s->context, "", &d), ZW_E_ARG);
    assert_int_equal(zw_error_count(s->context), 4);
    for (int i = 0; i < 4; i++) {
        assert_true(zw_error_at(s->context, i)->remedy[0] != 0);
        assert_true(i == 3 || strstr(zw_error_at(s->context, i)->subject, s->path));
    }
    if (geteuid() != 0) { /* root may write everywhere */
        assert_int_equal(chmod(s->path, 0500), 0);
        snprintf(path, sizeof path, "%s/sealed", s->path);
        assert_int_equal(zw_directory_create(s->context, path, &d), ZW_E_IO);
        assert_int_equal(chmod(s->path, 0700), 0);
    }
}

static void second_lock_names_the_holder_and_release_frees(void **state) {
    scratch     *s = *state;
    zw_directory other;
    char         pid[40];
    snprintf(pid, sizeof pid, "process %ld", (long)getpid());
    assert_int_equal(zw_directory_lock(&s->dir), ZW_OK);
    assert_int_equal(zw_directory_open(s->context, s->path, &other), ZW_OK);
    assert_int_equal(zw_directory_lock(&other), ZW_E_BUSY);
    assert_non_null(strstr(zw_error_at(s->context, 0)->message, pid));
    assert_false(zw_directory_try_lock(&other));
    zw_directory_unlock(&s->dir);
    assert_false(zw_directory_has(&s->dir, ZW_FILE_LOCK));
    assert_int_equal(zw_directory_lock(&other), ZW_OK);
    zw_directory_close(&other);
    assert_true(zw_directory_try_lock(&s->dir));
}

static void lock_of_a_killed_process_is_free(void **state) {
    scratch *s = *state;
    int      ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        zw_directory d;
        char         ok = zw_directory_open(s->context, s->path, &d) == ZW_OK && zw_directory_lock(&d) == ZW_OK;
        if (write(ready[1], &ok, 1) == 1) {
            pause();
        }
        _exit(1);
    }
    char ok = 0;
    assert_int_equal(read(ready[0], &ok, 1), 1);
    assert_int_equal(ok, 1);
    assert_false(zw_directory_try_lock(&s->dir));
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(zw_directory_has(&s->dir, ZW_FILE_LOCK)); /* the file is still there, the lock is not */
    assert_int_equal(zw_directory_lock(&s->dir), ZW_OK);
    close(ready[0]);
    close(ready[1]);
}

static void clearing_removes_our_files_and_nothing_else(void **state) {
    scratch           *s = *state;
    static const char *own[] = {ZW_FILE_JOURNAL, ZW_FILE_CHECKPOINT_A, ZW_FILE_CHECKPOINT_B,  ZW_FILE_RESULTS,
                                ZW_FILE_SUMMARY, ZW_FILE_REPORT,       ZW_FILE_RESULTS ".tmp"};
    static const char *foreign[] = {"notes.txt", "results.h5.bak", "journal", ".hidden", ZW_FILE_MODEL};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        scratch_store(s, foreign[i], "mine", 4);
    }
    assert_false(zw_directory_has_results(&s->dir, NULL));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        scratch_store(s, own[i], "x", 1);
    }
    const char *which = NULL;
    assert_true(zw_directory_has_results(&s->dir, &which));
    assert_string_equal(which, ZW_FILE_RESULTS);
    assert_int_equal(zw_directory_clear(&s->dir), ZW_OK);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        assert_false(zw_directory_has(&s->dir, own[i]));
    }
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        assert_true(zw_directory_has(&s->dir, foreign[i]));
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(missing_parents_are_made),
        TEST(wrong_places_are_named),
        TEST(second_lock_names_the_holder_and_release_frees),
        TEST(lock_of_a_killed_process_is_free),
        TEST(clearing_removes_our_files_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

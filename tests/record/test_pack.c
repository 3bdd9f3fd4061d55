/* SPDX-License-Identifier: Apache-2.0
 * test_pack.c: packed results are smaller, read back bit for bit, and are never in danger; the comparison that guards them finds what differs. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "record/hdf5_compare.h"
#include "zwang/results.h"

#include <sys/resource.h>
#include <signal.h>

enum { FRAMES = 3000 };

static void must(scratch *s, zw_status status) {
    if (status != ZW_OK) {
        print_error("%s\n", zw_error_at(s->context, 0)->message);
    }
    assert_int_equal(status, ZW_OK);
}

static void check_results(scratch *s, int64_t frames) {
    zw_results *r;
    must(s, zw_results_open(s->context, s->path, &r));
    assert_int_equal(zw_results_frames(r, 0), frames);
    assert_true(zw_layout_equal(zw_results_layout(r, 0), &s->layout));
    assert_string_equal(zw_results_model_text(r), "zwang: 1\n");
    for (int i = 0; i < s->layout.nchannels; i++) {
        const zw_channel *k = &s->channel[i];
        double           *x = calloc((size_t)frames * k->count, sizeof *x);
        must(s, zw_results_read(r, 0, i, 0, frames, x));
        for (int64_t f = 0; f < frames; f++) {
            double frame[SCRATCH_WIDTH];
            scratch_frame(f, frame);
            assert_true(scratch_same(x + (size_t)f * k->count, frame + k->offset, k->count));
        }
        free(x);
    }
    zw_results_close(r);
}

static uint64_t file_size(const scratch *s) {
    struct stat info;
    assert_int_equal(fstatat(s->dir.fd, ZW_FILE_RESULTS, &info, 0), 0);
    return (uint64_t)info.st_size;
}

static void packed_results_are_smaller_and_the_same_bits(void **state) {
    scratch *s = *state;
    scratch_journal(s, FRAMES, true); /* of a killed run: the file is made first */
    uint64_t before, after;
    must(s, zw_results_pack(s->context, s->path, 6, &before, &after));
    assert_true(before > FRAMES * SCRATCH_WIDTH * sizeof(double));
    assert_true(after < before * 9 / 10);
    assert_int_equal(file_size(s), after);
    assert_false(zw_directory_has(&s->dir, ZW_FILE_RESULTS ".tmp"));
    assert_false(zw_directory_has(&s->dir, ZW_FILE_LOCK));
    assert_int_equal(unlinkat(s->dir.fd, ZW_FILE_JOURNAL, 0), 0);
    check_results(s, FRAMES);
    uint64_t again;
    must(s, zw_results_pack(s->context, s->path, 6, &again, &after)); /* there is nothing to gain any more */
    assert_int_equal(again, after);
    check_results(s, FRAMES);
}

static void small_results_stay_readable(void **state) {
    scratch *s = *state;
    scratch_journal(s, 2, true);
    uint64_t before, after;
    must(s, zw_results_pack(s->context, s->path, 1, &before, &after));
    assert_true(after <= before);
    assert_int_equal(unlinkat(s->dir.fd, ZW_FILE_JOURNAL, 0), 0);
    check_results(s, 2);
}

static void interrupted_run_stays_current(void **state) {
    scratch *s = *state;
    scratch_journal(s, FRAMES, false);
    uint64_t before, after;
    must(s, zw_results_pack(s->context, s->path, 4, &before, &after));
    assert_true(after < before);
    check_results(s, FRAMES); /* does not make it anew from the journal: */
    assert_int_equal(file_size(s), after);
}

static void running_or_missing_results_are_refused(void **state) {
    scratch *s = *state;
    assert_int_equal(zw_results_pack(s->context, s->path, 4, NULL, NULL), ZW_E_NO_INPUT);
    assert_int_equal(zw_results_pack(s->context, s->path, 0, NULL, NULL), ZW_E_ARG);
    assert_int_equal(zw_results_pack(s->context, s->path, 10, NULL, NULL), ZW_E_ARG);
    scratch_journal(s, 10, false);
    assert_int_equal(zw_directory_lock(&s->dir), ZW_OK);
    assert_int_equal(zw_results_pack(s->context, s->path, 4, NULL, NULL), ZW_E_BUSY);
    zw_directory_unlock(&s->dir);
}

static void failure_of_the_disk_or_a_signal_keeps_the_old_file(void **state) {
    scratch      *s = *state;
    struct rlimit old, low;
    uint64_t      after;
    scratch_journal(s, FRAMES, true);
    zw_results *r;
    must(s, zw_results_open(s->context, s->path, &r)); /* makes the file */
    zw_results_close(r);
    assert_int_equal(unlinkat(s->dir.fd, ZW_FILE_JOURNAL, 0), 0);
    uint64_t before = file_size(s);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    low = old;
    low.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    zw_status status = zw_results_pack(s->context, s->path, 4, NULL, &after);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, ZW_E_IO);
    assert_non_null(strstr(zw_error_at(s->context, 0)->remedy, "pack again"));
    zw_error_clear(s->context);
    assert_int_equal(file_size(s), before);
    assert_int_equal(after, before);
    assert_false(zw_directory_has(&s->dir, ZW_FILE_RESULTS ".tmp"));
    zw_context_cancel(s->context);
    assert_int_equal(zw_results_pack(s->context, s->path, 4, NULL, NULL), ZW_E_CANCELLED);
    assert_int_equal(file_size(s), before);
    assert_false(zw_directory_has(&s->dir, ZW_FILE_RESULTS ".tmp"));
    check_results(s, FRAMES);
}

/* ---- the comparison ---- */

typedef enum change { NOTHING, A_BIT, A_SHAPE, A_TEXT, AN_ATTRIBUTE, NO_ATTRIBUTE, A_LINK, MORE, CHANGES } change;

static hid_t make_file(const char *path, change what) {
    hid_t   file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t   group = H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), text = H5Tcopy(H5T_C_S1);
    hsize_t dims[2] = {100, what == A_SHAPE ? 2 : 3};
    double  x[300];
    H5Tset_size(text, H5T_VARIABLE);
    for (int i = 0; i < 300; i++) {
        x[i] = what == A_BIT && i == 299 ? -0.0 : 0.0;
    }
    hid_t space = H5Screate_simple(2, dims, NULL), scalar = H5Screate(H5S_SCALAR);
    hid_t d = H5Dcreate2(group, "x", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
    if (what != NO_ATTRIBUTE) {
        const char *unit = what == AN_ATTRIBUTE ? "m" : "s";
        hid_t       a = H5Acreate2(d, "unit", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(a, text, &unit);
        H5Aclose(a);
    }
    const char *word = what == A_TEXT ? "one " : "one";
    hid_t       t = H5Dcreate2(file, "t", text, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(t, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, &word);
    H5Lcreate_soft(what == A_LINK ? "/g/y" : "/g/x", file, "link", H5P_DEFAULT, H5P_DEFAULT);
    if (what == MORE) {
        H5Gclose(H5Gcreate2(group, "more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    H5Dclose(t);
    H5Dclose(d);
    H5Sclose(space);
    H5Sclose(scalar);
    H5Gclose(group);
    H5Tclose(text);
    return file;
}

static void comparison_finds_every_difference(void **state) {
    scratch *s = *state;
    char     path[2][400];
    for (int i = 0; i < CHANGES; i++) {
        snprintf(path[0], sizeof path[0], "%s/a.h5", s->path);
        snprintf(path[1], sizeof path[1], "%s/b.h5", s->path);
        zw_hdf5_guard guard;
        zw_hdf5_enter(&guard);
        hid_t     a = make_file(path[0], NOTHING), b = make_file(path[1], (change)i);
        zw_status status = zw_hdf5_compare(s->context, a, b, path[1]);
        H5Fclose(a);
        H5Fclose(b);
        zw_hdf5_leave(&guard);
        if ((status == ZW_OK) != (i == NOTHING)) {
            fail_msg("change %d gives %s", i, zw_status_name(status));
        }
        zw_error_clear(s->context);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(packed_results_are_smaller_and_the_same_bits),
        TEST(small_results_stay_readable),
        TEST(interrupted_run_stays_current),
        TEST(running_or_missing_results_are_refused),
        TEST(failure_of_the_disk_or_a_signal_keeps_the_old_file),
        TEST(comparison_finds_every_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

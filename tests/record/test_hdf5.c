/* SPDX-License-Identifier: Apache-2.0
 * test_hdf5.c: a journal becomes results.h5 and comes back bitwise; damage and full disks are errors, never crashes or output. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "record/hdf5_driver.h"
#include "record/hdf5_file.h"
#include "record/hdf5_guard.h"
#include "record/recover.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

static void make(scratch *s) {
    assert_int_equal(zw_results_make(&s->dir), ZW_OK);
    assert_false(zw_directory_has(&s->dir, ZW_FILE_RESULTS ".tmp"));
}

static void check_against_written(const scratch *s, zw_hdf5 *h, int64_t frames) {
    assert_int_equal(h->nepochs, 1);
    assert_int_equal(h->epoch[0].frames, frames);
    assert_true(zw_layout_equal(h->epoch[0].layout, &s->layout));
    for (int k = 0; k < s->layout.nchannels; k++) {
        size_t  n = s->channel[k].count;
        double *all = calloc((size_t)frames * n + 1, sizeof *all), expected[SCRATCH_WIDTH];
        assert_int_equal(zw_hdf5_read(h, 0, k, 0, frames, all), ZW_OK);
        for (int64_t i = 0; i < frames; i++) {
            double one[SCRATCH_WIDTH];
            scratch_frame(i, expected);
            assert_true(scratch_same(all + (size_t)i * n, expected + s->channel[k].offset, n));
            if (i % 97 == 0) {
                assert_int_equal(zw_hdf5_read(h, 0, k, i, 1, one), ZW_OK);
                assert_true(scratch_same(one, expected + s->channel[k].offset, n));
            }
        }
        free(all);
    }
}

static void results_come_back_bitwise(void **state) {
    scratch *s = *state;
    scratch_journal(s, 301, true);
    make(s);
    zw_hdf5 *h;
    assert_int_equal(zw_hdf5_open(s->context, &s->dir, &h), ZW_OK);
    assert_true(h->complete && h->outcome == 1 && h->hash == 0x1234);
    assert_string_equal(h->text, "zwang: 1\n");
    assert_string_equal(h->summary, "{\"outcome\": \"reached\"}\n");
    assert_string_equal(h->version, zw_version());
    check_against_written(s, h, 301);
    double x[SCRATCH_WIDTH];
    assert_int_equal(zw_hdf5_read(h, 0, 0, 300, 2, x), ZW_E_ARG);
    assert_int_equal(zw_hdf5_read(h, 0, 5, 0, 1, x), ZW_E_ARG);
    assert_int_equal(zw_hdf5_read(h, 1, 0, 0, 1, x), ZW_E_ARG);
    zw_hdf5_close(h);
}

static void results_longer_than_a_chunk_and_a_slab_come_back_bitwise(void **state) {
    scratch *s = *state;
    int64_t  frames = 70000; /* 16 MB: two slabs of 8 MiB, and two chunks of scalars (65536 rows) */
    scratch_journal(s, frames, false);
    make(s);
    zw_hdf5 *h;
    assert_int_equal(zw_hdf5_open(s->context, &s->dir, &h), ZW_OK);
    assert_false(h->complete);
    assert_string_equal(h->summary, "");
    check_against_written(s, h, frames);
    zw_hdf5_close(h);
}

static void the_same_journal_gives_the_same_file(void **state) {
    scratch *s = *state;
    scratch_journal(s, 20, true);
    size_t n, m;
    make(s);
    unsigned char *a = scratch_load(s, ZW_FILE_RESULTS, &n);
    make(s);
    unsigned char *b = scratch_load(s, ZW_FILE_RESULTS, &m);
    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
    free(a);
    free(b);
}

static void epochs_without_frames_and_empty_channels_are_kept(void **state) {
    scratch           *s = *state;
    zw_journal_writer *w = scratch_create(s);
    zw_channel         channel[2];
    size_t             width = 0;
    scratch_channel(&channel[0], "time", "s", 0, 0, 0, &width);
    scratch_channel(&channel[1], "multiplier", "N", 1, 0, 0, &width);
    zw_layout small = {2, 0, channel, NULL, 1, 0, NULL};
    assert_int_equal(zw_journal_epoch(w, &small), ZW_OK);
    assert_int_equal(zw_journal_epoch(w, &s->layout), ZW_OK);
    scratch_frames(s, w, 0, 3);
    assert_int_equal(zw_journal_epoch(w, &small), ZW_OK);
    double t = 1.5;
    assert_int_equal(zw_journal_frame(w, &t, 1), ZW_OK);
    zw_journal_close(w);
    make(s);
    zw_hdf5 *h;
    assert_int_equal(zw_hdf5_open(s->context, &s->dir, &h), ZW_OK);
    assert_int_equal(h->nepochs, 3);
    assert_int_equal(h->epoch[0].frames, 0);
    assert_int_equal(h->epoch[1].frames, 3);
    assert_int_equal(h->epoch[2].frames, 1);
    assert_int_equal(h->epoch[2].layout->channel[1].count, 0);
    t = 0;
    assert_int_equal(zw_hdf5_read(h, 2, 0, 0, 1, &t), ZW_OK);
    assert_true(t == 1.5);
    assert_int_equal(zw_hdf5_read(h, 2, 1, 0, 1, &t), ZW_OK);
    zw_hdf5_close(h);
}

static void damaged_files_are_refused_and_read_data_stays_inside_its_buffer(void **state) {
    scratch *s = *state;
    scratch_journal(s, 5, true);
    make(s);
    size_t         n;
    unsigned char *bytes = scratch_load(s, ZW_FILE_RESULTS, &n);
    zw_hdf5       *h;
    int            refused = 0;
    for (size_t cut = 0; cut < n; cut += 97) {
        scratch_store(s, ZW_FILE_RESULTS, bytes, cut);
        refused += zw_hdf5_open(s->context, &s->dir, &h) != ZW_OK;
        zw_hdf5_close(h);
        zw_error_clear(s->context);
    }
    assert_int_equal(refused, (int)((n + 96) / 97)); /* HDF5 compares the length with its own record */
    scratch_store(s, ZW_FILE_RESULTS, "not an HDF5 file", 16);
    assert_int_equal(zw_hdf5_open(s->context, &s->dir, &h), ZW_E_FORMAT);
    assert_true(zw_error_at(s->context, 0)->remedy[0] != 0);
    free(bytes);
}

static void full_disk_is_an_error_at_every_size_and_the_journal_stays(void **state) {
    scratch      *s = *state;
    struct rlimit before, limit;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    scratch_journal(s, 200, true);
    for (rlim_t size = 100; size < 100000; size += size / 4) {
        limit = (struct rlimit){.rlim_cur = size, .rlim_max = before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        zw_status status = zw_results_make(&s->dir);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        if (status != ZW_OK) {
            assert_int_equal(status, ZW_E_IO);
            assert_false(zw_directory_has(&s->dir, ZW_FILE_RESULTS));
        }
        assert_false(zw_directory_has(&s->dir, ZW_FILE_RESULTS ".tmp"));
    }
    signal(SIGXFSZ, old);
    assert_true(zw_directory_has(&s->dir, ZW_FILE_JOURNAL));
    make(s);
}

/* replaces one array of results.h5: by what is elsewhere, or by more than the file can hold */
static void spoil(scratch *s, int how) {
    char path[400], other[400];
    snprintf(path, sizeof path, "%s/" ZW_FILE_RESULTS, s->path);
    snprintf(other, sizeof other, "%s/other", s->path);
    hid_t   file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), create = H5Pcreate(H5P_DATASET_CREATE), data = -1;
    hsize_t n = how == 2 ? 1000000000 : 20;
    hid_t   space = H5Screate_simple(1, &n, NULL), unit = -1;
    assert_true(file >= 0);
    assert_true(H5Ldelete(file, "/epoch0/energy/total", H5P_DEFAULT) >= 0);
    if (how == 0) {
        assert_true(H5Lcreate_external(path, "/epoch0/time", file, "/epoch0/energy/total", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    } else {
        if (how == 1) {
            assert_true(H5Pset_external(create, other, 0, n * sizeof(double)) >= 0);
        }
        data = H5Dcreate2(file, "/epoch0/energy/total", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create, H5P_DEFAULT);
        hid_t scalar = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        unit = H5Acreate2(data, "unit", type, scalar, H5P_DEFAULT, H5P_DEFAULT);
        const char *text = "J";
        assert_true(H5Awrite(unit, type, &text) >= 0);
        H5Aclose(unit);
        H5Tclose(type);
        H5Sclose(scalar);
        H5Dclose(data);
    }
    H5Sclose(space);
    H5Pclose(create);
    assert_true(H5Fclose(file) >= 0);
}

static void files_that_lead_elsewhere_or_claim_too_much_are_refused(void **state) {
    scratch *s = *state;
    for (int how = 0; how < 3; how++) {
        zw_hdf5 *h = NULL;
        scratch_journal(s, 20, true);
        make(s);
        assert_int_equal(zw_hdf5_open(s->context, &s->dir, &h), ZW_OK);
        zw_hdf5_close(h);
        spoil(s, how);
        zw_error_clear(s->context);
        assert_int_equal(zw_hdf5_open(s->context, &s->dir, &h), ZW_E_FORMAT);
        assert_int_equal(zw_error_count(s->context), 1);
        if (how == 2) {
            assert_non_null(strstr(zw_error_at(s->context, 0)->message, "claims more numbers"));
        }
    }
}

static void hdf5_closes_cleanly_over_a_disk_that_takes_nothing(void **state) {
    (void)state;
    zw_hdf5_sink sink = {.fd = open("/dev/full", O_RDWR)};
    if (sink.fd < 0) {
        skip(); /* no such device here */
    }
    zw_hdf5_guard guard;
    zw_hdf5_enter(&guard);
    hid_t         driver, access = zw_hdf5_sink_access(&sink, &driver);
    hid_t         file = H5Fcreate("anything", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    static double values[100000];
    hsize_t       n = 100000, chunk = 1000;
    hid_t         space = H5Screate_simple(1, &n, NULL), create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, 1, &chunk);
    hid_t data = H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create, H5P_DEFAULT);
    assert_true(file >= 0 && data >= 0);
    assert_true(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    assert_true(H5Dclose(data) >= 0);
    assert_true(H5Fclose(file) >= 0);
    H5Pclose(create);
    H5Sclose(space);
    H5Pclose(access);
    H5FDunregister(driver);
    zw_hdf5_leave(&guard);
    close(sink.fd);
    assert_int_equal(sink.error, ENOSPC);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(results_come_back_bitwise),
        TEST(results_longer_than_a_chunk_and_a_slab_come_back_bitwise),
        TEST(the_same_journal_gives_the_same_file),
        TEST(epochs_without_frames_and_empty_channels_are_kept),
        TEST(damaged_files_are_refused_and_read_data_stays_inside_its_buffer),
        TEST(files_that_lead_elsewhere_or_claim_too_much_are_refused),
        TEST(hdf5_closes_cleanly_over_a_disk_that_takes_nothing),
        TEST(full_disk_is_an_error_at_every_size_and_the_journal_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

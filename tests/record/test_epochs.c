/* SPDX-License-Identifier: Apache-2.0
 * test_epochs.c: a run whose sizes change twice: its journal cut anywhere, recovery, results.h5, going on from a checkpoint; always the same bits. */
#define _DEFAULT_SOURCE
#include "session.h"

#include "record/epochs.h"
#include "record/recover.h"
#include "record/tape.h"
#include "zwang/results.h"

#include <hdf5.h>

/* records of the journal: where they end, and what was whole before */
typedef struct record {
    size_t   end;
    uint32_t type;
} record;

static int list_records(const unsigned char *bytes, size_t n, record *out) {
    int count = 0;
    for (size_t at = ZW_JOURNAL_HEAD; at < n;) {
        uint32_t type;
        uint64_t length;
        memcpy(&type, bytes + at, 4);
        memcpy(&length, bytes + at + 8, 8);
        at += ZW_RECORD_HEAD + (size_t)(length + 7) / 8 * 8;
        out[count++] = (record){.end = at, .type = type};
    }
    return count;
}

/* the first `frames` frames, in epochs of the right sizes; `whole`: epochs that are there, the last perhaps without a frame */
static void check_results(const zw_results *r, int whole, int64_t frames) {
    int64_t done = 0;
    assert_int_equal(zw_results_epochs(r), whole);
    assert_int_equal(zw_results_total(r), frames);
    for (int e = 0; e < whole; e++) {
        session s;
        double  expected[WIDE], found[WIDE];
        int64_t here = zw_results_frames(r, e);
        session_layout(e, &s);
        assert_true(zw_layout_equal(zw_results_layout(r, e), &s.layout));
        assert_true(here == session_frames[e] || (e == whole - 1 && here <= session_frames[e]));
        for (int64_t i = 0; i < here; i++) {
            int     epoch;
            int64_t within;
            session_frame(&s, e, done + i, expected);
            assert_true(zw_results_locate(r, done + i, &epoch, &within));
            assert_true(epoch == e && within == i);
            for (int k = 0; k < CHANNELS; k++) {
                assert_int_equal(zw_results_channel(r, e, s.channel[k].name), k);
                assert_int_equal(zw_results_read(r, e, k, i, 1, found), ZW_OK);
                assert_true(scratch_same(found, expected + s.channel[k].offset, s.channel[k].count));
            }
        }
        done += here;
    }
    assert_int_equal(done, frames);
}

static zw_results *open_results(scratch *x) {
    zw_results *r = NULL;
    zw_status   status = zw_results_open(x->context, x->path, &r);
    if (status != ZW_OK) {
        print_error("%s\n", zw_error_count(x->context) > 0 ? zw_error_at(x->context, 0)->message : "no error");
    }
    assert_int_equal(status, ZW_OK);
    return r;
}

static void frames_of_all_epochs_come_back_from_journal_and_file(void **state) {
    scratch     *x = *state;
    zw_directory other;
    session_write(x, false);
    assert_int_equal(zw_directory_open(x->context, x->path, &other), ZW_OK); /* as if the run were going on: the journal is read */
    assert_int_equal(zw_directory_lock(&other), ZW_OK);
    zw_results *r = open_results(x);
    assert_false(zw_directory_has(&x->dir, ZW_FILE_RESULTS));
    check_results(r, EPOCHS, TOTAL);
    zw_results_close(r);
    zw_directory_close(&other);
    r = open_results(x);
    assert_true(zw_directory_has(&x->dir, ZW_FILE_RESULTS));
    zw_results_close(r);
    session_write(x, true);
    assert_int_equal(zw_results_make(&x->dir), ZW_OK);
    assert_int_equal(zw_directory_remove(&x->dir, ZW_FILE_JOURNAL), ZW_OK);
    r = open_results(x);
    check_results(r, EPOCHS, TOTAL);
    zw_results_close(r);
}

static void what_keeps_its_shape_is_one_array(void **state) {
    scratch *x = *state;
    session_write(x, true);
    zw_results *r = open_results(x);
    session     s;
    double      all[TOTAL * 4], expected[WIDE];
    int         epoch;
    int64_t     within;
    session_layout(0, &s);
    assert_null(zw_results_steady(r, "rod/beam/position"));
    assert_null(zw_results_steady(r, "rod/ring/strain"));
    assert_null(zw_results_steady(r, "none"));
    for (int k = 0; k < CHANNELS; k++) {
        bool steady = k == TIME || k >= BALL;
        assert_true((zw_results_steady(r, s.channel[k].name) != NULL) == steady);
    }
    assert_int_equal(zw_results_read_steady(r, "rigid/ball/orientation", 0, TOTAL, all), ZW_OK);
    for (int64_t i = 0; i < TOTAL; i++) {
        assert_true(zw_results_locate(r, i, &epoch, &within));
        session_layout(epoch, &s);
        session_frame(&s, epoch, i, expected);
        assert_true(scratch_same(all + 4 * i, expected + s.channel[BALL_TURN].offset, 4));
    }
    assert_int_equal(zw_results_read_steady(r, "time", 3, 11, all), ZW_OK);
    assert_true(all[0] == 0.375 && all[10] == 1.625);
    assert_int_equal(zw_results_read_steady(r, "time", 3, 14, all), ZW_E_ARG);
    assert_int_equal(zw_results_read_steady(r, "rod/beam/position", 0, 1, all), ZW_E_ARG);
    assert_false(zw_results_locate(r, -1, &epoch, &within));
    assert_false(zw_results_locate(r, TOTAL, &epoch, &within));
    zw_results_close(r);
}

/* at every boundary of a record, around it, and inside */
static void journal_cut_anywhere_keeps_whole_epochs_and_frames(void **state) {
    scratch *x = *state;
    session_write(x, true);
    size_t         n;
    record         at[32];
    unsigned char *bytes = scratch_load(x, ZW_FILE_JOURNAL, &n);
    int            count = list_records(bytes, n, at), epochs = 0, recovered = 0;
    int64_t        frames = 0;
    assert_int_equal(count, 1 + EPOCHS + TOTAL + 1);
    for (int i = 0; i < count; i++) {
        size_t begin = i > 0 ? at[i - 1].end : ZW_JOURNAL_HEAD;
        size_t cuts[] = {begin, begin + 1, begin + ZW_RECORD_HEAD - 1, begin + ZW_RECORD_HEAD, (begin + at[i].end) / 2, at[i].end - 1};
        for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
            scratch_store(x, ZW_FILE_JOURNAL, bytes, cuts[k]);
            zw_results *r = open_results(x); /* makes results.h5 of it */
            check_results(r, epochs, frames);
            assert_string_equal(zw_results_summary(r), "");
            zw_results_close(r);
            r = open_results(x); /* which is read now */
            check_results(r, epochs, frames);
            zw_results_close(r);
            recovered++;
        }
        epochs += at[i].type == ZW_RECORD_EPOCH;
        frames += at[i].type == ZW_RECORD_FRAME;
        x->log[0] = 0;
    }
    assert_int_equal(recovered, 6 * count);
    free(bytes);
}

static void flipped_bits_never_give_wrong_frames(void **state) {
    scratch *x = *state;
    session_write(x, true);
    size_t         n;
    unsigned char *bytes = scratch_load(x, ZW_FILE_JOURNAL, &n);
    for (size_t i = ZW_JOURNAL_HEAD; i < n; i += 61) {
        zw_journal *j;
        bytes[i] ^= (unsigned char)(1u << (i % 8));
        scratch_store(x, ZW_FILE_JOURNAL, bytes, n);
        bytes[i] ^= (unsigned char)(1u << (i % 8));
        assert_int_equal(zw_journal_open(x->context, x->dir.fd, x->path, UINT64_MAX, &j), ZW_OK);
        assert_non_null(j->stopped);
        int64_t done = 0;
        for (int e = 0; e < j->nepochs; e++) {
            session s;
            session_layout(e, &s);
            assert_true(zw_layout_equal(j->epoch[e].layout, &s.layout));
            for (int64_t k = 0; k < j->epoch[e].frames; k++) {
                double expected[WIDE], found[WIDE];
                session_frame(&s, e, done + k, expected);
                assert_int_equal(zw_journal_read(j, e, k, 1, 0, s.layout.width, found), ZW_OK);
                assert_true(scratch_same(found, expected, s.layout.width));
            }
            done += j->epoch[e].frames;
        }
        zw_journal_destroy(j);
    }
    free(bytes);
}

/* a frame of the width of the epoch before is refused, not taken for one of this */
static void frame_of_another_width_ends_the_journal(void **state) {
    scratch           *x = *state;
    zw_journal_writer *w = session_create(x);
    session            s[2];
    double             frame[WIDE];
    zw_journal        *j;
    session_layout(0, &s[0]);
    session_layout(1, &s[1]);
    assert_int_equal(zw_journal_epoch(w, &s[0].layout), ZW_OK);
    session_record(w, 0, 0, 2);
    assert_int_equal(zw_journal_epoch(w, &s[1].layout), ZW_OK);
    session_record(w, 1, 2, 1);
    session_frame(&s[0], 0, 3, frame);
    assert_int_equal(zw_journal_frame(w, frame, s[0].layout.width), ZW_OK);
    session_record(w, 1, 4, 1);
    zw_journal_close(w);
    assert_int_equal(zw_journal_open(x->context, x->dir.fd, x->path, UINT64_MAX, &j), ZW_OK);
    assert_non_null(j->stopped);
    assert_int_equal(j->frames, 3);
    zw_journal_destroy(j);
}

static hsize_t rows_of(hid_t file, const char *name) {
    hsize_t dims[4] = {0};
    hid_t   d = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(d);
    assert_true(d >= 0 && H5Sget_simple_extent_dims(space, dims, NULL) >= 1);
    H5Sclose(space);
    H5Dclose(d);
    return dims[0];
}

static void file_has_whole_arrays_of_what_keeps_its_shape(void **state) {
    scratch *x = *state;
    char     path[400];
    session_write(x, true);
    assert_int_equal(zw_results_make(&x->dir), ZW_OK);
    snprintf(path, sizeof path, "%s/%s", x->path, ZW_FILE_RESULTS);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    double time[TOTAL], tip[TOTAL][3], expected[WIDE];
    assert_int_equal(rows_of(file, "/time"), TOTAL);
    assert_int_equal(rows_of(file, "/rigid/ball/position"), TOTAL);
    assert_int_equal(rows_of(file, "/epoch0/rod/beam/position"), 5);
    assert_int_equal(rows_of(file, "/epoch1/rod/beam/position"), 7);
    assert_int_equal(rows_of(file, "/epoch2/rod/beam/position"), 4);
    assert_int_equal(rows_of(file, "/epoch1/time"), 7);
    assert_int_equal(rows_of(file, "/epoch2/constant/rod/beam/label"), 9);
    assert_false(H5Lexists(file, "/rod", H5P_DEFAULT) > 0); /* only in the epochs */
    assert_false(H5Lexists(file, "/constant", H5P_DEFAULT) > 0);
    hid_t d = H5Dopen2(file, "/time", H5P_DEFAULT);
    assert_true(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, time) >= 0);
    H5Dclose(d);
    d = H5Dopen2(file, "/probe/tip", H5P_DEFAULT);
    assert_true(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, tip) >= 0);
    assert_true(H5Aexists(d, "unit") > 0);
    H5Dclose(d);
    for (int64_t i = 0; i < TOTAL; i++) {
        session s;
        int     e = i < 5 ? 0 : i < 12 ? 1 : 2;
        session_layout(e, &s);
        session_frame(&s, e, i, expected);
        assert_true(time[i] == expected[0] && scratch_same(tip[i], expected + s.channel[TIP].offset, 3));
    }
    H5Fclose(file);
}

/* a crash between an epoch and its first frame: the file is as if that epoch were not there */
static void file_of_one_epoch_with_frames_has_links_into_it(void **state) {
    scratch           *x = *state;
    char               path[400], target[64] = "";
    session            s;
    zw_journal_writer *w = session_create(x);
    session_layout(0, &s);
    assert_int_equal(zw_journal_epoch(w, &s.layout), ZW_OK);
    session_record(w, 0, 0, 5);
    session_layout(1, &s);
    assert_int_equal(zw_journal_epoch(w, &s.layout), ZW_OK);
    zw_journal_close(w);
    zw_results *r = open_results(x);
    check_results(r, 2, 5);
    zw_results_close(r);
    snprintf(path, sizeof path, "%s/%s", x->path, ZW_FILE_RESULTS);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0 && H5Lget_val(file, "/rod", target, sizeof target, H5P_DEFAULT) >= 0);
    assert_string_equal(target, "/epoch0/rod");
    assert_int_equal(rows_of(file, "/rod/beam/position"), 5);
    H5Fclose(file);
}

/* thousands of splits: reading does not keep all of them open */
static void many_epochs_are_read_one_after_the_other(void **state) {
    enum { MANY = 300 };
    scratch           *x = *state;
    zw_journal_writer *w = session_create(x);
    double             all[MANY];
    for (int i = 0; i < MANY; i++) {
        session s;
        session_layout(i % EPOCHS, &s);
        assert_int_equal(zw_journal_epoch(w, &s.layout), ZW_OK);
        session_record(w, i % EPOCHS, i, 1);
    }
    zw_journal_close(w);
    zw_results *r = open_results(x);
    zw_results_close(r);
    r = open_results(x);
    assert_int_equal(zw_results_epochs(r), MANY);
    assert_int_equal(zw_results_read_steady(r, "time", 0, MANY, all), ZW_OK);
    for (int i = 0; i < MANY; i++) {
        assert_true(all[i] == 0.125 * i);
    }
    zw_results_close(r);
}

/* ---- what a run hands to its recorder */

static void play(zw_tape *t, int e, int64_t first, int64_t count) {
    session s;
    double  frame[WIDE];
    session_layout(e, &s);
    assert_int_equal(zw_tape_epoch(t, &s.layout), ZW_OK);
    for (int64_t i = first; i < first + count; i++) {
        session_frame(&s, e, i, frame);
        assert_int_equal(zw_tape_frame(t, frame), ZW_OK);
    }
}

/* going on as zw_simulate does: the journal is cut at the checkpoint, and what it ends with is known */
static zw_tape tape_again(scratch *x, uint64_t offset) {
    zw_tape     t = {.context = x->context};
    zw_journal *j;
    assert_int_equal(zw_journal_open(x->context, x->dir.fd, x->path, offset, &j), ZW_OK);
    assert_true(j->valid == offset);
    t.known = zw_layout_copy(x->context, j->epoch[j->nepochs - 1].layout);
    zw_journal_destroy(j);
    assert_int_equal(zw_journal_reopen(x->context, x->dir.fd, x->path, offset, &t.journal), ZW_OK);
    return t;
}

static void run_that_goes_on_leaves_the_same_journal(void **state) {
    scratch *x = *state;
    session_write(x, false);
    size_t         n, m;
    unsigned char *whole = scratch_load(x, ZW_FILE_JOURNAL, &n);
    for (int before = 0; before <= TOTAL; before++) { /* frames before the checkpoint */
        for (int late = 0; late < 2; late++) {        /* late: links were split after that frame and before the checkpoint */
            zw_tape t = {.context = x->context, .journal = session_create(x)};
            int     done = 0;
            for (int e = 0; e < EPOCHS && done <= before; e++) {
                int here = before - done < session_frames[e] ? before - done : session_frames[e];
                if (here > 0 || e == 0 || late) {
                    play(&t, e, done, here);
                }
                done += session_frames[e];
            }
            assert_int_equal(zw_journal_flush(t.journal), ZW_OK);
            uint64_t offset = zw_journal_offset(t.journal);
            double   lost[WIDE] = {0};
            assert_int_equal(zw_tape_frame(&t, lost), ZW_OK);
            zw_tape_close(&t);
            t = tape_again(x, offset);
            done = 0;
            for (int e = 0; e < EPOCHS; e++) {
                int first = done > before ? done : before, end = done + session_frames[e];
                if (end > before || (e == EPOCHS - 1 && end == before)) {
                    play(&t, e, first, end - first); /* says its layout again, the first time it is known */
                }
                done = end;
            }
            zw_tape_close(&t);
            unsigned char *again = scratch_load(x, ZW_FILE_JOURNAL, &m);
            assert_int_equal(m, n);
            assert_memory_equal(again, whole, n);
            free(again);
        }
    }
    free(whole);
}

static void layouts_without_frames_are_not_written(void **state) {
    scratch    *x = *state;
    zw_tape     t = {.context = x->context, .journal = session_create(x)};
    zw_journal *j;
    play(&t, 0, 0, 2);
    play(&t, 1, 2, 0);
    play(&t, 2, 2, 3);
    play(&t, 1, 5, 0);
    play(&t, 2, 5, 1); /* as before: no new epoch */
    play(&t, 0, 6, 0);
    zw_tape_close(&t);
    zw_tape_close(&t);
    assert_int_equal(zw_journal_open(x->context, x->dir.fd, x->path, UINT64_MAX, &j), ZW_OK);
    assert_int_equal(j->nepochs, 2);
    assert_int_equal(j->epoch[0].frames, 2);
    assert_int_equal(j->epoch[1].frames, 4);
    zw_journal_destroy(j);
    t = (zw_tape){.context = x->context};
    assert_int_equal(zw_tape_frame(&t, NULL), ZW_E_INTERNAL);
    zw_error_clear(x->context);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(frames_of_all_epochs_come_back_from_journal_and_file),
        TEST(what_keeps_its_shape_is_one_array),
        TEST(journal_cut_anywhere_keeps_whole_epochs_and_frames),
        TEST(flipped_bits_never_give_wrong_frames),
        TEST(frame_of_another_width_ends_the_journal),
        TEST(file_has_whole_arrays_of_what_keeps_its_shape),
        TEST(file_of_one_epoch_with_frames_has_links_into_it),
        TEST(many_epochs_are_read_one_after_the_other),
        TEST(run_that_goes_on_leaves_the_same_journal),
        TEST(layouts_without_frames_are_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

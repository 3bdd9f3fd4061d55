/* SPDX-License-Identifier: Apache-2.0
 * test_journal.c: what was written comes back bitwise, and no damaged or hostile file does harm. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "base/check.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

enum { FRAMES = 7 };

static zw_journal *open_journal(scratch *s) {
    zw_journal *j;
    assert_int_equal(zw_journal_open(s->context, s->dir.fd, s->path, UINT64_MAX, &j), ZW_OK);
    return j;
}

/* whatever frames the reader accepted are the ones that were written */
static void check_frames(const zw_journal *j, int64_t most) {
    for (int e = 0; e < j->nepochs; e++) {
        assert_true(j->epoch[e].frames <= most);
        for (int64_t i = 0; i < j->epoch[e].frames; i++) {
            double expected[SCRATCH_WIDTH], found[SCRATCH_WIDTH];
            scratch_frame(i, expected);
            assert_int_equal(zw_journal_read(j, e, i, 1, 0, SCRATCH_WIDTH, found), ZW_OK);
            assert_true(scratch_same(found, expected, SCRATCH_WIDTH));
        }
    }
}

static void journal_gives_back_what_was_written_bitwise(void **state) {
    scratch *s = *state;
    scratch_journal(s, FRAMES, true);
    zw_journal *j = open_journal(s);
    assert_true(j->hash == 0x1234 && j->seed == 42);
    assert_string_equal(j->title, "A title");
    assert_string_equal(j->text, "zwang: 1\n");
    assert_string_equal(j->version, zw_version());
    assert_string_equal(j->summary, "{\"outcome\": \"reached\"}\n");
    assert_true(j->ended && j->outcome == 1 && !j->stopped && j->valid == j->size);
    assert_int_equal(j->nepochs, 1);
    assert_int_equal(j->epoch[0].frames, FRAMES);
    assert_int_equal(j->nruns, 1); /* neighbouring frames are one entry of the index */
    assert_true(zw_layout_equal(j->epoch[0].layout, &s->layout));
    check_frames(j, FRAMES);
    double all[FRAMES * 3], expected[SCRATCH_WIDTH];
    assert_int_equal(zw_journal_read(j, 0, 0, FRAMES, s->channel[4].offset, 3, all), ZW_OK);
    for (int i = 0; i < FRAMES; i++) {
        scratch_frame(i, expected);
        assert_true(scratch_same(all + 3 * i, expected + s->channel[4].offset, 3));
    }
    assert_true(zw_journal_last_time(j) == 0.25 * (FRAMES - 1));
    assert_int_equal(zw_journal_read(j, 0, 3, FRAMES, 0, 1, all), ZW_E_ARG);
    assert_int_equal(zw_journal_read(j, 1, 0, 1, 0, 1, all), ZW_E_ARG);
    assert_int_equal(zw_journal_read(j, 0, -1, 1, 0, 1, all), ZW_E_ARG);
    zw_journal_destroy(j);
}

static void journal_cut_at_every_byte_keeps_every_whole_frame(void **state) {
    scratch *s = *state;
    scratch_journal(s, FRAMES, true);
    size_t         n, record = ZW_RECORD_HEAD + SCRATCH_WIDTH * sizeof(double);
    unsigned char *bytes = scratch_load(s, ZW_FILE_JOURNAL, &n);
    zw_journal    *j = open_journal(s);
    size_t         first = (size_t)j->run[0].offset;
    zw_journal_destroy(j);
    for (size_t cut = 0; cut <= n; cut++) {
        scratch_store(s, ZW_FILE_JOURNAL, bytes, cut);
        zw_status status = zw_journal_open(s->context, s->dir.fd, s->path, UINT64_MAX, &j);
        if (cut < ZW_JOURNAL_HEAD) {
            assert_int_equal(status, ZW_E_FORMAT);
            continue;
        }
        assert_int_equal(status, ZW_OK);
        size_t whole = cut < first ? 0 : (cut - first) / record;
        whole = whole > FRAMES ? FRAMES : whole;
        assert_int_equal(j->frames, whole);
        assert_true(j->valid <= cut && (j->valid == cut) == !j->stopped);
        assert_int_equal(j->ended, cut == n);
        check_frames(j, FRAMES);
        zw_journal_destroy(j);
    }
    zw_error_clear(s->context);
    free(bytes);
}

static void journal_with_flipped_bits_never_gives_wrong_frames(void **state) {
    scratch *s = *state;
    scratch_journal(s, FRAMES, true);
    size_t         n;
    unsigned char *bytes = scratch_load(s, ZW_FILE_JOURNAL, &n);
    uint64_t       random = 88172645463325252u;
    for (int i = 0; i < 2000; i++) {
        size_t at[3];
        int    flips = 1 + i % 3;
        for (int k = 0; k < flips; k++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            at[k] = (size_t)(random % (8 * n));
            bytes[at[k] / 8] ^= (unsigned char)(1u << at[k] % 8);
        }
        scratch_store(s, ZW_FILE_JOURNAL, bytes, n);
        zw_journal *j = NULL;
        zw_status   status = zw_journal_open(s->context, s->dir.fd, s->path, UINT64_MAX, &j);
        assert_true(status == ZW_OK || status == ZW_E_FORMAT || status == ZW_E_MISMATCH);
        if (status == ZW_OK) {
            check_frames(j, FRAMES);
            zw_journal_destroy(j);
        }
        zw_error_clear(s->context);
        for (int k = 0; k < flips; k++) {
            bytes[at[k] / 8] ^= (unsigned char)(1u << at[k] % 8);
        }
    }
    free(bytes);
}

/* a record with a right checksum, whatever it says */
static size_t forge(unsigned char *file, size_t at, uint32_t type, uint64_t length, const void *payload, size_t n) {
    uint32_t crc = zw_record_crc(at, type, length, payload, n);
    memcpy(file + at, &type, 4);
    memcpy(file + at + 4, &crc, 4);
    memcpy(file + at + 8, &length, 8);
    memcpy(file + at + 16, payload, n);
    return at + 16 + n;
}

static void hostile_lengths_are_refused_without_allocating_for_them(void **state) {
    scratch *s = *state;
    scratch_journal(s, 0, false);
    size_t         n;
    unsigned char *bytes = scratch_load(s, ZW_FILE_JOURNAL, &n), *file = calloc(1, n + 4096);
    memcpy(file, bytes, n);
    static const uint64_t lengths[] = {
        UINT64_MAX, UINT64_MAX - 7, UINT64_MAX - 15, INT64_MAX, (uint64_t)1 << 32, (uint64_t)1 << 31, 4097, 8, 0};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (uint32_t type = 0; type < 9; type++) {
            static const unsigned char zeros[64];
            size_t                     end = forge(file, n, type, lengths[i], zeros, 64);
            scratch_store(s, ZW_FILE_JOURNAL, file, end);
            zw_journal *j;
            assert_int_equal(zw_journal_open(s->context, s->dir.fd, s->path, UINT64_MAX, &j), ZW_OK);
            assert_int_equal(j->frames, 0);
            zw_journal_destroy(j);
        }
    }
    free(file);
    free(bytes);
}

static void hostile_layouts_are_refused(void **state) {
    scratch *s = *state;
    scratch_journal(s, 0, false);
    size_t         n, size = zw_layout_bytes(&s->layout);
    unsigned char *bytes = scratch_load(s, ZW_FILE_JOURNAL, &n), *file = calloc(1, n + 3 * size), *layout = malloc(size);
    memcpy(file, bytes, n);
    /* the forged layout takes the place of the true one */
    n -= ZW_RECORD_HEAD + size;
    uint64_t random = 1234567;
    int      accepted = 0;
    for (int i = 0; i < 3000; i++) {
        zw_layout_write(&s->layout, layout);
        static const uint64_t odd[] = {
            0, 1, 7, 0x7FFFFFFF, 0x80000000u, 0xFFFFFFFFu, (uint64_t)1 << 61, UINT64_MAX, UINT64_MAX / 144, UINT64_MAX / 8};
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        size_t at = i < 40 ? (size_t)(i / 10) * 8 : (size_t)(random >> 8) % (size / 8) * 8;
        memcpy(layout + at, &odd[i < 40 ? i % 10 : (int)(random % 10)], 8);
        size_t end = forge(file, n, ZW_RECORD_EPOCH, size, layout, size);
        scratch_store(s, ZW_FILE_JOURNAL, file, end);
        zw_journal *j;
        assert_int_equal(zw_journal_open(s->context, s->dir.fd, s->path, UINT64_MAX, &j), ZW_OK);
        assert_true(j->stopped || j->nepochs == 1);
        accepted += j->nepochs;
        zw_journal_destroy(j);
    }
    assert_true(accepted < 3000); /* what is accepted changed a constant, a unit or padding only */
    const struct {
        int         channel;
        const char *name;
    } names[] = {{1, "time"}, {1, ""}, {1, "/a"}, {1, "a//b"}, {1, "a/../b"}, {1, "."}, {1, "a\nb"}, {0, "t"}, {1, "rod/beam/strain"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        zw_channel  channel[5];
        zw_layout   l = s->layout;
        const char *fault;
        memcpy(channel, s->channel, sizeof channel);
        l.channel = channel;
        snprintf(channel[names[i].channel].name, sizeof channel[0].name, "%s", names[i].name);
        zw_layout_write(&l, layout);
        assert_null(zw_layout_read(s->context, layout, size, &fault));
        assert_non_null(fault);
    }
    free(layout);
    free(file);
    free(bytes);
}

static void a_record_moved_to_another_position_is_refused(void **state) {
    scratch *s = *state;
    scratch_journal(s, 2, false);
    size_t         n, record = ZW_RECORD_HEAD + SCRATCH_WIDTH * sizeof(double);
    unsigned char *bytes = scratch_load(s, ZW_FILE_JOURNAL, &n);
    memcpy(bytes + n - record, bytes + n - 2 * record, record);
    scratch_store(s, ZW_FILE_JOURNAL, bytes, n);
    zw_journal *j = open_journal(s);
    assert_int_equal(j->frames, 1);
    assert_string_equal(j->stopped, "a record has a wrong checksum");
    zw_journal_destroy(j);
    free(bytes);
}

static void another_format_or_byte_order_is_said_clearly(void **state) {
    scratch *s = *state;
    scratch_journal(s, 1, false);
    size_t         n;
    unsigned char *bytes = scratch_load(s, ZW_FILE_JOURNAL, &n);
    zw_journal    *j;
    uint32_t       format = ZW_JOURNAL_FORMAT + 1, crc;
    memcpy(bytes + 8, &format, 4);
    crc = zw_crc32c(0, bytes, ZW_JOURNAL_HEAD - 4);
    memcpy(bytes + ZW_JOURNAL_HEAD - 4, &crc, 4);
    scratch_store(s, ZW_FILE_JOURNAL, bytes, n);
    assert_int_equal(zw_journal_open(s->context, s->dir.fd, s->path, UINT64_MAX, &j), ZW_E_MISMATCH);
    memcpy(bytes + 12, "\1\2\3\4", 4);
    uint32_t order;
    memcpy(&order, bytes + 12, 4);
    if (order == 0x01020304) { /* on a big-endian machine that was our own order */
        memcpy(bytes + 12, "\4\3\2\1", 4);
    }
    scratch_store(s, ZW_FILE_JOURNAL, bytes, n);
    assert_int_equal(zw_journal_open(s->context, s->dir.fd, s->path, UINT64_MAX, &j), ZW_E_FORMAT);
    assert_non_null(strstr(zw_error_at(s->context, 1)->message, "byte order"));
    free(bytes);
}

static void missing_journal_is_no_input(void **state) {
    scratch    *s = *state;
    zw_journal *j;
    assert_int_equal(zw_journal_open(s->context, s->dir.fd, s->path, UINT64_MAX, &j), ZW_E_NO_INPUT);
}

static void reopened_journal_is_cut_and_continued(void **state) {
    scratch           *s = *state;
    zw_journal_writer *w = scratch_create(s);
    assert_int_equal(zw_journal_epoch(w, &s->layout), ZW_OK);
    scratch_frames(s, w, 0, 4);
    uint64_t offset = zw_journal_offset(w);
    scratch_frames(s, w, 100, 3); /* will be cut away */
    zw_journal_close(w);
    assert_int_equal(zw_journal_reopen(s->context, s->dir.fd, s->path, offset, &w), ZW_OK);
    scratch_frames(s, w, 4, 3);
    assert_int_equal(zw_journal_end(w, 1, "{}"), ZW_OK);
    zw_journal_close(w);
    size_t         n, m;
    unsigned char *a = scratch_load(s, ZW_FILE_JOURNAL, &n);
    assert_int_equal(unlinkat(s->dir.fd, ZW_FILE_JOURNAL, 0), 0);
    w = scratch_create(s);
    assert_int_equal(zw_journal_epoch(w, &s->layout), ZW_OK);
    scratch_frames(s, w, 0, 7);
    assert_int_equal(zw_journal_end(w, 1, "{}"), ZW_OK);
    zw_journal_close(w);
    unsigned char *b = scratch_load(s, ZW_FILE_JOURNAL, &m);
    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
    free(a);
    free(b);
}

static void frames_of_several_epochs_and_runs_are_found(void **state) {
    scratch           *s = *state;
    zw_journal_writer *w = scratch_create(s);
    assert_int_equal(zw_journal_epoch(w, &s->layout), ZW_OK);
    scratch_frames(s, w, 0, 3);
    zw_channel time = s->channel[0];
    zw_layout  narrow = {1, 0, &time, NULL, 1, 0, NULL};
    assert_int_equal(zw_journal_epoch(w, &narrow), ZW_OK);
    double t = 9.5;
    assert_int_equal(zw_journal_frame(w, &t, 1), ZW_OK);
    zw_journal_close(w);
    /* a note between frames: reserved, skipped, and it parts a run */
    size_t         n;
    unsigned char *bytes = scratch_load(s, ZW_FILE_JOURNAL, &n), *file = calloc(1, n + 64);
    memcpy(file, bytes, n);
    size_t end = forge(file, n, ZW_RECORD_NOTE, 5, "hello\0\0\0", 8);
    t = 10.5;
    end = forge(file, end, ZW_RECORD_FRAME, 8, &t, 8);
    scratch_store(s, ZW_FILE_JOURNAL, file, end);
    zw_journal *j = open_journal(s);
    assert_null(j->stopped);
    assert_int_equal(j->nepochs, 2);
    assert_int_equal(j->epoch[0].frames, 3);
    assert_int_equal(j->epoch[1].frames, 2);
    assert_int_equal(j->nruns, 3);
    double both[2];
    assert_int_equal(zw_journal_read(j, 1, 0, 2, 0, 1, both), ZW_OK);
    assert_true(both[0] == 9.5 && both[1] == 10.5 && zw_journal_last_time(j) == 10.5);
    zw_journal_destroy(j);
    free(file);
    free(bytes);
}

static void frames_reach_the_kernel_within_a_quarter_second(void **state) {
    scratch           *s = *state;
    zw_journal_writer *w = scratch_create(s);
    assert_int_equal(zw_journal_epoch(w, &s->layout), ZW_OK);
    scratch_frames(s, w, 0, 5);
    struct timespec pause = {.tv_nsec = 260000000};
    nanosleep(&pause, NULL);
    assert_int_equal(zw_journal_tick(w), ZW_OK);
    zw_journal *j = open_journal(s); /* as another process would, while the writer lives */
    assert_int_equal(j->frames, 5);
    zw_journal_destroy(j);
    scratch_frames(s, w, 5, 6000); /* 1.4 MB: the buffer is larger than a mebibyte once */
    j = open_journal(s);
    assert_true(j->frames > 4000);
    zw_journal_destroy(j);
    zw_journal_close(w);
    j = open_journal(s);
    assert_int_equal(j->frames, 6005);
    assert_int_equal(j->nruns, 1);
    zw_journal_destroy(j);
}

static void write_failure_is_said_once_and_leaves_whole_records(void **state) {
    scratch      *s = *state;
    struct rlimit before, limit;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    zw_journal_writer *w = scratch_create(s);
    assert_int_equal(zw_journal_epoch(w, &s->layout), ZW_OK);
    scratch_frames(s, w, 0, 20);
    assert_int_equal(zw_journal_flush(w), ZW_OK);
    uint64_t flushed = zw_journal_offset(w);
    scratch_frames(s, w, 20, 20);
    limit = (struct rlimit){.rlim_cur = (rlim_t)flushed + 10 * (ZW_RECORD_HEAD + SCRATCH_WIDTH * 8) + 77, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    zw_status status = zw_journal_flush(w), again = zw_journal_flush(w);
    double    frame[SCRATCH_WIDTH] = {0};
    zw_status third = zw_journal_frame(w, frame, SCRATCH_WIDTH);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, old);
    assert_int_equal(status, ZW_E_IO);
    assert_int_equal(again, ZW_E_IO);
    assert_int_equal(third, ZW_E_IO);
    assert_int_equal(zw_error_count(s->context), 1);
    assert_non_null(strstr(zw_error_at(s->context, 0)->subject, ZW_FILE_JOURNAL));
    assert_non_null(strstr(zw_error_at(s->context, 0)->remedy, "--resume"));
    zw_journal_close(w);
    zw_journal *j = open_journal(s);
    assert_int_equal(j->frames, 30); /* the eleventh of the last twenty was torn and cut away */
    assert_null(j->stopped);
    check_frames(j, 30);
    zw_journal_destroy(j);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(journal_gives_back_what_was_written_bitwise),
        TEST(journal_cut_at_every_byte_keeps_every_whole_frame),
        TEST(journal_with_flipped_bits_never_gives_wrong_frames),
        TEST(hostile_lengths_are_refused_without_allocating_for_them),
        TEST(hostile_layouts_are_refused),
        TEST(a_record_moved_to_another_position_is_refused),
        TEST(another_format_or_byte_order_is_said_clearly),
        TEST(missing_journal_is_no_input),
        TEST(reopened_journal_is_cut_and_continued),
        TEST(frames_of_several_epochs_and_runs_are_found),
        TEST(frames_reach_the_kernel_within_a_quarter_second),
        TEST(write_failure_is_said_once_and_leaves_whole_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_numpy.c: the .npz export and the ZIP below it, read back byte by byte as the formats say. tests/cli/test_export.py does it with NumPy. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "base/check.h"
#include "record/zip.h"
#include "zwang/results.h"

static uint64_t number(const unsigned char *p, int bytes) {
    uint64_t x = 0;
    for (int i = bytes - 1; i >= 0; i--) {
        x = x << 8 | p[i];
    }
    return x;
}

typedef struct zip_file {
    unsigned char *bytes;
    size_t         size;
    uint64_t       entries, directory;
    bool           wide;
} zip_file;

/* the end records; no comment, so the last one has its place */
static zip_file zip_open(const scratch *s, const char *name) {
    zip_file z = {0};
    z.bytes = scratch_load(s, name, &z.size);
    const unsigned char *end = z.bytes + z.size - 22;
    assert_int_equal(number(end, 4), 0x06054B50);
    z.entries = number(end + 10, 2);
    z.directory = number(end + 16, 4);
    if (z.size > 42 && number(end - 20, 4) == 0x07064B50) {
        const unsigned char *record = z.bytes + number(end - 12, 8);
        assert_int_equal(number(record, 4), 0x06064B50);
        assert_int_equal(number(record + 4, 8), 44);
        z.entries = number(record + 32, 8);
        z.directory = number(record + 48, 8);
        z.wide = true;
    }
    return z;
}

/* the bytes of an entry, after checking its two heads against each other and its CRC; NULL when it is not there */
static const unsigned char *zip_find(const zip_file *z, const char *name, size_t *size) {
    const unsigned char *p = z->bytes + z->directory;
    for (uint64_t i = 0; i < z->entries; i++) {
        assert_int_equal(number(p, 4), 0x02014B50);
        size_t               n = (size_t)number(p + 28, 2), extra = (size_t)number(p + 30, 2);
        uint64_t             length = number(p + 24, 4), offset = number(p + 42, 4);
        const unsigned char *more = p + 46 + n + 4;
        if (length == 0xFFFFFFFFu) {
            assert_int_equal(number(p + 46 + n, 2), 1);
            length = number(more, 8);
            assert_int_equal(number(more + 8, 8), length);
            more += 16;
        }
        if (offset == 0xFFFFFFFFu) {
            offset = number(more, 8);
        }
        if (n == strlen(name) && memcmp(p + 46, name, n) == 0) {
            const unsigned char *head = z->bytes + offset;
            assert_int_equal(number(head, 4), 0x04034B50);
            assert_memory_equal(head + 4, p + 6, 22); /* version, flags, method, date, CRC, sizes */
            assert_memory_equal(head + 30, name, n);
            const unsigned char *data = head + 30 + n + number(head + 28, 2);
            assert_int_equal(zw_crc32(0, data, (size_t)length), number(head + 14, 4));
            *size = (size_t)length;
            return data;
        }
        p += 46 + n + extra;
    }
    return NULL;
}

/* the numbers of an .npy entry, after checking its head */
static const unsigned char *npy(const zip_file *z, const char *name, const char *shape, size_t count) {
    size_t               size;
    char                 head[200];
    const unsigned char *p = zip_find(z, name, &size);
    if (!p) {
        fail_msg("%s is not in the file", name);
    }
    assert_memory_equal(p, "\x93NUMPY\x01\x00", 8);
    size_t n = (size_t)number(p + 8, 2);
    assert_int_equal((n + 10) % 64, 0);
    assert_true(n < sizeof head);
    memcpy(head, p + 10, n);
    head[n] = 0;
    char *end = strchr(head, '}');
    assert_non_null(end);
    assert_int_equal(strspn(end + 1, " "), n - (size_t)(end + 1 - head) - 1);
    assert_int_equal(head[n - 1], '\n');
    end[1] = 0;
    char expected[200];
    snprintf(expected, sizeof expected, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape);
    assert_string_equal(head, expected);
    assert_int_equal(size, n + 10 + 8 * count);
    return p + 10 + n;
}

static void must(scratch *s, zw_status status) {
    if (status != ZW_OK) {
        print_error("%s\n", zw_error_at(s->context, 0)->message);
    }
    assert_int_equal(status, ZW_OK);
}

static void check_channel(const zip_file *z, const char *name, const char *shape, const zw_channel *k, int64_t frames) {
    const unsigned char *p = npy(z, name, shape, (size_t)frames * k->count);
    for (int64_t i = 0; i < frames; i++) {
        double frame[SCRATCH_WIDTH];
        scratch_frame(i, frame);
        assert_memory_equal(p + 8 * (size_t)i * k->count, frame + k->offset, 8 * k->count);
    }
}

static void every_channel_and_constant_is_an_array_with_its_bits(void **state) {
    scratch *s = *state;
    char     out[400];
    for (int ended = 0; ended < 2; ended++) { /* first from the journal of a run that goes on: another holds the lock */
        zw_directory other = {.fd = -1, .lock = -1};
        scratch_journal(s, 700, ended);
        if (!ended) {
            assert_int_equal(zw_directory_open(s->context, s->path, &other), ZW_OK);
            assert_int_equal(zw_directory_lock(&other), ZW_OK);
        }
        snprintf(out, sizeof out, "%s/deep/er/all.npz", s->path);
        must(s, zw_export_numpy(s->context, s->path, out, ended));
        assert_int_equal(zw_directory_has(&s->dir, ZW_FILE_RESULTS), ended);
        if (!ended) {
            zw_directory_close(&other);
        }
        zip_file z = zip_open(s, "deep/er/all.npz");
        assert_int_equal(z.entries, 7);
        assert_false(z.wide);
        check_channel(&z, "time.npy", "(700,)", &s->channel[0], 700);
        check_channel(&z, "rod/beam/position.npy", "(700, 4, 3)", &s->channel[1], 700);
        check_channel(&z, "rod/beam/strain.npy", "(700, 3, 3)", &s->channel[2], 700);
        check_channel(&z, "energy/total.npy", "(700,)", &s->channel[3], 700);
        check_channel(&z, "probe/tip.npy", "(700, 3)", &s->channel[4], 700);
        assert_memory_equal(npy(&z, "constant/rod/beam/label.npy", "(4,)", 4), s->constants, 32);
        assert_memory_equal(npy(&z, "constant/rod/beam/closed.npy", "()", 1), s->constants + 4, 8);
        free(z.bytes);
    }
}

static void run_without_frames_gives_empty_arrays(void **state) {
    scratch *s = *state;
    char     out[400];
    scratch_journal(s, 0, true);
    snprintf(out, sizeof out, "%s/x.npz", s->path);
    must(s, zw_export_numpy(s->context, s->path, out, false));
    zip_file z = zip_open(s, "x.npz");
    npy(&z, "rod/beam/position.npy", "(0, 4, 3)", 0);
    free(z.bytes);
}

static void what_keeps_its_shape_is_one_array_over_epochs(void **state) {
    scratch           *s = *state;
    char               out[400];
    zw_journal_writer *w = scratch_create(s);
    assert_int_equal(zw_journal_epoch(w, &s->layout), ZW_OK);
    scratch_frames(s, w, 0, 2);
    zw_layout other = s->layout;
    other.nconstants = 0;
    other.constants_width = 0;
    assert_int_equal(zw_journal_epoch(w, &other), ZW_OK);
    scratch_frames(s, w, 0, 3);
    zw_journal_close(w);
    snprintf(out, sizeof out, "%s/x.npz", s->path);
    must(s, zw_export_numpy(s->context, s->path, out, false));
    zip_file z = zip_open(s, "x.npz");
    assert_int_equal(z.entries, 9); /* five channels that keep their shape, times of two epochs, constants of one */
    const unsigned char *p = npy(&z, "rod/beam/position.npy", "(5, 4, 3)", 60);
    for (int i = 0; i < 5; i++) {
        double frame[SCRATCH_WIDTH];
        scratch_frame(i < 2 ? i : i - 2, frame);
        assert_memory_equal(p + (size_t)i * 96, frame + s->channel[1].offset, 96);
    }
    check_channel(&z, "epoch0/time.npy", "(2,)", &s->channel[0], 2);
    check_channel(&z, "epoch1/time.npy", "(3,)", &s->channel[0], 3);
    npy(&z, "epoch0/constant/rod/beam/label.npy", "(4,)", 4);
    free(z.bytes);
}

static void existing_file_stays_without_force(void **state) {
    scratch *s = *state;
    char     out[400];
    scratch_journal(s, 5, true);
    scratch_store(s, "x.npz", "mine", 4);
    snprintf(out, sizeof out, "%s/x.npz", s->path);
    assert_int_equal(zw_export_numpy(s->context, s->path, out, false), ZW_E_EXISTS);
    assert_non_null(strstr(zw_error_at(s->context, 0)->remedy, "--force"));
    size_t         n;
    unsigned char *bytes = scratch_load(s, "x.npz", &n);
    assert_int_equal(n, 4);
    free(bytes);
    zw_error_clear(s->context);
    must(s, zw_export_numpy(s->context, s->path, out, true));
    assert_int_equal(zw_export_numpy(s->context, s->path, s->path, true), ZW_E_IO); /* a directory */
    assert_int_equal(zw_export_numpy(s->context, s->path, "", true), ZW_E_ARG);
    assert_int_equal(zw_export_numpy(s->context, s->path, "a/", true), ZW_E_ARG);
}

static void interrupted_export_leaves_nothing(void **state) {
    scratch *s = *state;
    char     out[400];
    scratch_journal(s, 5, true);
    snprintf(out, sizeof out, "%s/x.npz", s->path);
    zw_context_cancel(s->context);
    assert_int_equal(zw_export_numpy(s->context, s->path, out, false), ZW_E_CANCELLED);
    assert_false(zw_directory_has(&s->dir, "x.npz"));
    assert_false(zw_directory_has(&s->dir, "x.npz.tmp"));
}

static void zip_entries_grow_side_by_side_in_both_widths(void **state) {
    scratch *s = *state;
    for (int wide = 0; wide < 2; wide++) { /* with 64-bit fields for everything, as beyond 4 GiB */
        int    fd = openat(s->dir.fd, "x.zip", O_RDWR | O_CREAT | O_TRUNC, 0600);
        zw_zip z;
        assert_true(fd >= 0);
        zw_zip_init(&z, s->context, fd);
        z.most32 = wide ? 0 : z.most32;
        assert_int_equal(zw_zip_add(&z, "a/\xC3\xA4", 1000), ZW_OK);
        assert_int_equal(zw_zip_add(&z, "empty", 0), ZW_OK);
        assert_int_equal(zw_zip_add(&z, "b", 333), ZW_OK);
        unsigned char data[1000];
        for (int i = 0; i < 1000; i++) {
            data[i] = (unsigned char)(i * i >> 3);
        }
        int error;
        for (size_t i = 0; i < 333; i += 37) {
            assert_int_equal(zw_zip_put(&z, 2, data + i, 37), 0);
            assert_int_equal(zw_zip_put(&z, 0, data + 3 * i, 111), 0);
        }
        assert_int_equal(zw_zip_finish(&z, &error), ZW_E_INTERNAL); /* one byte is missing */
        assert_int_equal(zw_zip_put(&z, 0, data + 999, 1), 0);
        assert_true(zw_zip_put(&z, 0, data, 1) != 0); /* and now one is too many */
        assert_int_equal(zw_zip_finish(&z, &error), ZW_OK);
        zw_zip_destroy(&z);
        close(fd);
        zip_file f = zip_open(s, "x.zip");
        size_t   n;
        assert_int_equal(f.wide, wide);
        assert_int_equal(f.entries, 3);
        assert_memory_equal(zip_find(&f, "a/\xC3\xA4", &n), data, 1000);
        assert_int_equal(n, 1000);
        assert_memory_equal(zip_find(&f, "b", &n), data, 333);
        assert_non_null(zip_find(&f, "empty", &n));
        assert_int_equal(n, 0);
        free(f.bytes);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_channel_and_constant_is_an_array_with_its_bits),
        TEST(run_without_frames_gives_empty_arrays),
        TEST(what_keeps_its_shape_is_one_array_over_epochs),
        TEST(existing_file_stays_without_force),
        TEST(interrupted_export_leaves_nothing),
        TEST(zip_entries_grow_side_by_side_in_both_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_checkpoint.c: two in turn, the newest sound one counts, damage is noticed. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "record/checkpoint.h"

static void write_one(scratch *s, uint64_t sequence) {
    unsigned char bytes[1000];
    memset(bytes, (int)sequence, sizeof bytes);
    zw_checkpoint k = {.sequence = sequence,
                       .hash = 7,
                       .frames = (int64_t)sequence * 10,
                       .journal_offset = 64 + sequence,
                       .wall_s = 0.5,
                       .bytes = bytes,
                       .size = sizeof bytes};
    assert_int_equal(zw_checkpoint_write(&s->dir, &k), ZW_OK);
}

static int load(scratch *s, uint64_t sequence[2]) {
    zw_checkpoint k[2];
    int           n;
    assert_int_equal(zw_checkpoint_load(&s->dir, k, &n), ZW_OK);
    for (int i = 0; i < n; i++) {
        sequence[i] = k[i].sequence;
        assert_true(k[i].hash == 7 && k[i].frames == (int64_t)k[i].sequence * 10 && k[i].journal_offset == 64 + k[i].sequence &&
                    k[i].wall_s == 0.5);
        assert_string_equal(k[i].version, zw_version());
        assert_int_equal(k[i].size, 1000);
        for (size_t j = 0; j < k[i].size; j++) {
            assert_int_equal(((unsigned char *)k[i].bytes)[j], (unsigned char)k[i].sequence);
        }
        zw_free(s->context, k[i].bytes);
    }
    return n;
}

static void checkpoints_alternate_and_load_newest_first(void **state) {
    scratch *s = *state;
    uint64_t sequence[2];
    assert_int_equal(load(s, sequence), 0);
    for (uint64_t i = 1; i <= 5; i++) {
        write_one(s, i);
        assert_int_equal(load(s, sequence), i == 1 ? 1 : 2);
        assert_int_equal(sequence[0], i);
        if (i > 1) {
            assert_int_equal(sequence[1], i - 1);
        }
    }
    assert_false(zw_directory_has(&s->dir, ZW_FILE_CHECKPOINT_A ".tmp"));
    assert_false(zw_directory_has(&s->dir, ZW_FILE_CHECKPOINT_B ".tmp"));
}

static void damaged_newest_falls_back_to_the_one_before(void **state) {
    scratch *s = *state;
    uint64_t sequence[2];
    write_one(s, 1);
    write_one(s, 2);
    size_t         n;
    unsigned char *bytes = scratch_load(s, ZW_FILE_CHECKPOINT_B, &n);
    for (size_t cut = 0; cut < n; cut += 1 + cut / 40) {
        scratch_store(s, ZW_FILE_CHECKPOINT_B, bytes, cut);
        assert_int_equal(load(s, sequence), 1);
        assert_int_equal(sequence[0], 1);
    }
    for (size_t bit = 0; bit < 8 * n; bit += 1 + bit / 300) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        scratch_store(s, ZW_FILE_CHECKPOINT_B, bytes, n);
        assert_int_equal(load(s, sequence), 1);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    scratch_store(s, ZW_FILE_CHECKPOINT_B, bytes, n);
    assert_int_equal(load(s, sequence), 2);
    free(bytes);
}

static void both_damaged_is_said_in_the_log(void **state) {
    scratch *s = *state;
    uint64_t sequence[2];
    scratch_store(s, ZW_FILE_CHECKPOINT_A, "zwcheck", 8);
    scratch_store(s, ZW_FILE_CHECKPOINT_B, "", 0);
    assert_int_equal(load(s, sequence), 0);
    assert_non_null(strstr(s->log, ZW_FILE_CHECKPOINT_A " cannot be used: it is too short"));
    assert_non_null(strstr(s->log, ZW_FILE_CHECKPOINT_B " cannot be used"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(checkpoints_alternate_and_load_newest_first),
        TEST(damaged_newest_falls_back_to_the_one_before),
        TEST(both_damaged_is_said_in_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

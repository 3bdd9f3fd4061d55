/* SPDX-License-Identifier: Apache-2.0
 * test_restore.c: what a run takes back from a checkpoint, and what it refuses: bytes that are whole and of this model, with numbers that no
 * run has. (Found by fuzz_checkpoint: an outcome out of range was believed and named beyond the end of a table; a number of frames of
 * 2^63 - 1 was believed and counted on.) */
#include "support/model.h"

#include "events/run.h"

#include <stddef.h>

static const char text[] =
    "zwang: 1\n"
    "bodies:\n  beam: {rod: {length: 1, elements: 3, section: {square: 0.1}, material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
    "constraints:\n  root: {clamp: beam, s: 0}\n"
    "run: {until: 0.1, step: 1e-4}\n";

enum { TALLY = 16 }; /* after the fingerprint and the time */

static void refuse(fixture *f, unsigned char *bytes, size_t size, size_t at, int64_t value) {
    int64_t before;
    memcpy(&before, bytes + at, sizeof before);
    memcpy(bytes + at, &value, sizeof value);
    zw_error_clear(f->c);
    assert_int_equal(zw_run_restore(f->r, bytes, size), ZW_E_FORMAT);
    assert_int_equal(zw_error_count(f->c), 1);
    memcpy(bytes + at, &before, sizeof before);
}

static void impossible_numbers_are_refused_and_change_nothing(void **state) {
    (void)state;
    fixture f;
    fixture_run(&f, text);
    fixture_advance(&f, 2);
    size_t         size = zw_run_save_size(f.r);
    unsigned char *bytes = malloc(size), *after = malloc(size);
    assert_true(bytes && after);
    zw_run_save(f.r, bytes);
    refuse(&f, bytes, size, TALLY + offsetof(zw_tally, outcome), ZW_DIVERGED + 1);
    refuse(&f, bytes, size, TALLY + offsetof(zw_tally, outcome), -1);
    refuse(&f, bytes, size, TALLY + offsetof(zw_tally, step), -1);
    refuse(&f, bytes, size, TALLY + offsetof(zw_tally, step), 1001); /* of 1000 */
    refuse(&f, bytes, size, TALLY + offsetof(zw_tally, step), INT64_MAX);
    refuse(&f, bytes, size, TALLY + offsetof(zw_tally, frames), -1);
    refuse(&f, bytes, size, TALLY + offsetof(zw_tally, frames), 4); /* of 3 at most after two steps */
    refuse(&f, bytes, size, TALLY + offsetof(zw_tally, frames), INT64_MAX);
    refuse(&f, bytes, size, TALLY + offsetof(zw_tally, monitors), -1);
    refuse(&f, bytes, size, TALLY + offsetof(zw_tally, monitors), INT64_MAX);
    refuse(&f, bytes, size, 8, 0x7ff8000000000000); /* the time: nan */
    zw_run_save(f.r, after);
    assert_memory_equal(bytes, after, size);
    fixture_must(&f, zw_run_restore(f.r, bytes, size), "zw_run_restore");
    fixture_advance(&f, 1);
    assert_int_equal(zw_run_steps(f.r), 3);
    free(bytes);
    free(after);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_numbers_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

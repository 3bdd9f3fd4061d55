/* SPDX-License-Identifier: Apache-2.0
 * test_check.c: CRC-32C against the vectors of RFC 3720 appendix B.4, CRC-32 against its check value, FNV-1a against its
 * authors' vectors, and the float asserts. */
#include "support/check.h"

#include "base/check.h"

#include <string.h>

static void crc32c_matches_rfc_3720(void **state) {
    (void)state;
    unsigned char b[32] = {0};
    assert_int_equal(zw_crc32c(0, b, 32), 0x8A9136AAu);
    memset(b, 0xFF, 32);
    assert_int_equal(zw_crc32c(0, b, 32), 0x62A8AB43u);
    for (int i = 0; i < 32; i++) {
        b[i] = (unsigned char)i;
    }
    assert_int_equal(zw_crc32c(0, b, 32), 0x46DD794Eu);
    for (int i = 0; i < 32; i++) {
        b[i] = (unsigned char)(31 - i);
    }
    assert_int_equal(zw_crc32c(0, b, 32), 0x113FDB5Cu);
    assert_int_equal(zw_crc32c(0, "123456789", 9), 0xE3069283u);
    assert_int_equal(zw_crc32c(0, NULL, 0), 0);
}

static void crc32_matches_the_check_value_of_its_standard(void **state) {
    (void)state;
    assert_int_equal(zw_crc32(0, "123456789", 9), 0xCBF43926u);
    assert_int_equal(zw_crc32(0, NULL, 0), 0);
}

/* one bit at a time, as the definition says */
static uint32_t crc_slow(uint32_t polynomial, const unsigned char *p, size_t n) {
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int b = 0; b < 8; b++) {
            crc = crc >> 1 ^ (crc & 1 ? polynomial : 0u);
        }
    }
    return ~crc;
}

static void crcs_go_on_from_any_cut_and_any_alignment(void **state) {
    (void)state;
    unsigned char b[300];
    uint32_t      r = 1;
    for (size_t i = 0; i < sizeof b; i++) {
        r = r * 1664525u + 1013904223u;
        b[i] = (unsigned char)(r >> 24);
    }
    for (size_t from = 0; from < 17; from++) {
        for (size_t n = 0; n + from <= sizeof b; n += 13) {
            uint32_t whole = crc_slow(0x82F63B78u, b + from, n), other = crc_slow(0xEDB88320u, b + from, n);
            assert_int_equal(zw_crc32c(0, b + from, n), whole);
            assert_int_equal(zw_crc32(0, b + from, n), other);
            size_t cut = n / 3;
            assert_int_equal(zw_crc32c(zw_crc32c(0, b + from, cut), b + from + cut, n - cut), whole);
            assert_int_equal(zw_crc32(zw_crc32(0, b + from, cut), b + from + cut, n - cut), other);
        }
    }
}

static void hash64_is_fnv_1a_and_goes_on(void **state) {
    (void)state;
    assert_true(zw_hash64(0, "", 0) == 0xCBF29CE484222325u);
    assert_true(zw_hash64(0, "a", 1) == 0xAF63DC4C8601EC8Cu);
    assert_true(zw_hash64(0, "foobar", 6) == 0x85944171F73967E8u);
    assert_true(zw_hash64(zw_hash64(0, "foo", 3), "bar", 3) == 0x85944171F73967E8u);
    assert_true(zw_hash64(0, NULL, 0) == 0xCBF29CE484222325u);
}

static void float_asserts_accept_what_they_should(void **state) {
    (void)state;
    const double a[] = {1.0, 2.0, 3.0}, b[] = {1.0, 2.0 + 1e-9, 3.0};
    const double errors[] = {1.0, 0.25, 0.0625 * 1.01};
    check_near(1.0, 1.0 + 1e-9, 2e-9);
    check_near((double)INFINITY, (double)INFINITY, 0.0);
    check_relative(1e6, 1e6 + 1.0, 2e-6);
    check_relative(0.0, 0.0, 0.0);
    check_array_near(a, b, 3, 2e-9);
    check_array_near(a, b, 0, 0.0);
    check_order(errors, 3, 2.0, 2.0, 0.02);
    check_below(1e-3, 2e-3, 1e-3);
    check_below_scaled(0.0, 1e-13, 0.0, 1.0); /* round-off sized bounds may be slack */
    assert_true(scaled_steps(10) >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc32c_matches_rfc_3720),
        cmocka_unit_test(crc32_matches_the_check_value_of_its_standard),
        cmocka_unit_test(crcs_go_on_from_any_cut_and_any_alignment),
        cmocka_unit_test(hash64_is_fnv_1a_and_goes_on),
        cmocka_unit_test(float_asserts_accept_what_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

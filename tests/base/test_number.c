/* SPDX-License-Identifier: Apache-2.0
 * test_number.c: reading is correctly rounded, writing is shortest and reads back; the C library in the C locale is the reference. */
#include "support/check.h"

#include "base/number.h"

#include <locale.h>
#include <string.h>

static uint64_t bits_of(double v) {
    uint64_t b;
    memcpy(&b, &v, sizeof b);
    return b;
}

static double from_bits(uint64_t b) {
    double v;
    memcpy(&v, &b, sizeof v);
    return v;
}

/* splitmix64 */
static uint64_t next_random(uint64_t *s) {
    uint64_t z = (*s += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static double read_all(const char *text) {
    size_t used;
    double v = zw_number_read(text, strlen(text), &used);
    if (used != strlen(text)) {
        fail_msg("'%s': read %zu characters", text, used);
    }
    return v;
}

static void assert_reads_like_strtod(const char *text) {
    double v = read_all(text), w = strtod(text, NULL);
    if (bits_of(v) != bits_of(w)) {
        fail_msg("'%s': read %a, strtod gives %a", text, v, w);
    }
}

static void assert_text(double v, const char *expected) {
    char out[ZW_NUMBER_TEXT];
    assert_string_equal(zw_number_text(v, out), expected);
}

static void assert_short(double v, int digits, const char *expected) {
    char out[ZW_NUMBER_TEXT];
    assert_string_equal(zw_number_short(v, digits, out), expected);
}

static void reading_hard_cases_is_correctly_rounded(void **state) {
    (void)state;
    static const char *const cases[] = {
        "0",
        "0.0",
        "00012",
        "1",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "9007199254740994",
        "9007199254740995",
        "9007199254740992.99999999999999999999999999",
        "9007199254740993.00000000000000000000000000000000000000001",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "5e-324",
        "2e-324",
        "3e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-323",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1.797693134862315807e308",
        "1.797693134862315808e308",
        "1e309",
        "1e999999999999999999999",
        "1e-999999999999",
        "0e999999999999",
        "1e22",
        "1e23",
        "8.5e22",
        "1e-22",
        "1e-23",
        "123456789012345678901234567890",
        "0.1",
        "0.2",
        "0.3",
        "3.14159265358979323846",
        "6.02214076e23",
        "1.380649e-23",
        "8.41e21",
        "9.5e-5",
        "0.500000000000000166533453693773481063544750213623046875",
        "0.500000000000000166533453693773481063544750213623046874",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "3.518437208883201171875e13",
        "62.5364939768271845828",
        "8.10109172351e-10",
        "1.50000000000000011102230246251565",
        "9007199254740991.4999999999999",
        "12345678.90e+5",
        "12345678.90E-05",
        ".5",
        "5.",
        "5.e3",
        "18446744073709551615",
        "18446744073709551616",
        "9999999999999999999e-300",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_reads_like_strtod(cases[i]);
    }
    assert_true(read_all("9007199254740993") == 9007199254740992.0);
    assert_true(bits_of(read_all("2.2250738585072011e-308")) == 0x000FFFFFFFFFFFFFu);
    assert_true(bits_of(read_all("5e-324")) == 1);
    assert_true(read_all("1.7976931348623157e308") == DBL_MAX);
    assert_true(isinf(read_all("1.7976931348623159e308")));
}

/* exact decimal of the point halfway between two doubles, from printf, which is exact in the C library */
static void reading_exact_halfway_points_rounds_to_even(void **state) {
    (void)state;
    if (LDBL_MANT_DIG < 64) {
        skip(); /* the point halfway needs one bit more than a double has */
    }
    uint64_t    seed = 7;
    static char text[1300], nudged[1320];
    for (int i = 0; i < 2000; i++) {
        uint64_t b = next_random(&seed) & 0x7FFFFFFFFFFFFFFFu;
        if (i % 2) {
            b = (b & 0xFFFFFFFFFFFFFu) | (uint64_t)(next_random(&seed) % 100) << 52; /* near the smallest */
        }
        long double low = from_bits(b), high = from_bits(b + 1);
        if (!isfinite(from_bits(b + 1))) {
            continue;
        }
        snprintf(text, sizeof text, "%.1200Lf", low + (high - low) / 2);
        if (strlen(text) > 1280) {
            snprintf(text, sizeof text, "%.0Lf", low + (high - low) / 2);
        }
        assert_reads_like_strtod(text);
        assert_true(bits_of(read_all(text)) == (b & 1 ? b + 1 : b));
        if (strchr(text, '.')) {
            snprintf(nudged, sizeof nudged, "%s0000000001", text);
            assert_true(bits_of(read_all(nudged)) == b + 1);
        }
    }
}

static void reading_stops_where_the_number_ends(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t      used;
        double      value;
    } cases[] = {
        {"", 0, 0},     {".", 0, 0},     {"e5", 0, 0},   {".e5", 0, 0}, {"-1", 0, 0},      {"+1", 0, 0},      {" 1", 0, 0},
        {"nan", 0, 0},  {"inf", 0, 0},   {"0x10", 1, 0}, {"1e", 1, 1},  {"1e+", 1, 1},     {"1e-x", 1, 1},    {"1.2.3", 3, 1.2},
        {"1..2", 2, 1}, {"12 m", 2, 12}, {"1,5", 1, 1},  {"2em", 1, 2}, {"2e3m", 3, 2000}, {"1e5.5", 3, 1e5}, {"7pi", 1, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t used = 99;
        double v = zw_number_read(cases[i].text, strlen(cases[i].text), &used);
        if (used != cases[i].used || v != cases[i].value) {
            fail_msg("'%s': used %zu, value %g", cases[i].text, used, v);
        }
    }
    size_t used;
    assert_true(zw_number_read("123456", 3, &used) == 123.0); /* never looks beyond n */
    assert_int_equal(used, 3);
    assert_true(zw_number_read("1e55", 3, &used) == 1e5);
    assert_true(zw_number_read("1e55", 2, &used) == 1.0);
    assert_int_equal(used, 1);
}

static void reading_very_long_texts(void **state) {
    (void)state;
    static char text[20100];
    /* 1 followed by zeros, brought back by the exponent */
    memset(text, '0', 20000);
    text[0] = '1';
    strcpy(text + 20000, "e-19999");
    assert_true(read_all(text) == 1.0);
    memset(text, '0', 20000);
    text[1] = '.';
    strcpy(text + 20000, "25e19999");
    assert_true(read_all(text) == 2.5); /* 20000 digits behind the dot */
    /* the tail decides: 9007199254740993 is halfway, a one after 19000 zeros lifts it */
    memcpy(text, "9007199254740993.", 17);
    memset(text + 17, '0', 19000);
    strcpy(text + 19017, "1");
    assert_true(read_all(text) == 9007199254740994.0);
    text[19017] = 0;
    assert_true(read_all(text) == 9007199254740992.0);
    memset(text, '9', 20000);
    text[20000] = 0;
    assert_true(isinf(read_all(text)));
}

static void reading_random_decimals_agrees_with_strtod(void **state) {
    (void)state;
    uint64_t seed = 11;
    char     text[80];
    for (long i = 0, n = scaled_steps(100000); i < n; i++) {
        uint64_t r = next_random(&seed);
        int      digits = 1 + (int)(r % 25), dot = (int)(r >> 8 & 31), k = 0;
        for (int d = 0; d < digits; d++) {
            if (d == dot) {
                text[k++] = '.';
            }
            text[k++] = (char)('0' + next_random(&seed) % 10);
        }
        int e = (int)(r >> 20 & 0xFFFFF) % ((r >> 16 & 1) ? 45 : 330);
        snprintf(text + k, sizeof text - (size_t)k, "e%d", (r >> 17 & 1) ? -e : e);
        assert_reads_like_strtod(text);
    }
}

static void parse_takes_a_sign_and_nothing_around(void **state) {
    (void)state;
    double v = 7;
    assert_true(zw_number_parse("-1.5e3", &v) && v == -1500.0);
    assert_true(zw_number_parse("+2", &v) && v == 2.0);
    assert_true(zw_number_parse("-0", &v) && v == 0.0 && signbit(v));
    assert_true(zw_number_parse("1e-400", &v) && v == 0.0);
    v = 7;
    static const char *const bad[] = {"",    "-",    "+",     "--1",    "+-1", " 1",  "1 ",    "1m", "nan",
                                      "inf", "-inf", "1e400", "-1e309", "0x1", "1,5", "1_000", "e",  "1e"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (zw_number_parse(bad[i], &v)) {
            fail_msg("'%s' was taken as %g", bad[i], v);
        }
    }
    assert_true(v == 7.0);
}

static void integers_parse_within_64_bits(void **state) {
    (void)state;
    int64_t v = 0;
    assert_true(zw_integer_parse("9223372036854775807", &v) && v == INT64_MAX);
    assert_true(zw_integer_parse("-9223372036854775808", &v) && v == INT64_MIN);
    assert_true(zw_integer_parse("+0012", &v) && v == 12);
    assert_true(zw_integer_parse("-0", &v) && v == 0);
    assert_true(zw_integer_parse("-1", &v) && v == -1);
    static const char *const bad[] = {
        "", "-", "9223372036854775808", "-9223372036854775809", "99999999999999999999999", "1.0", "1e3", " 1", "1 ", "0x1", "a"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (zw_integer_parse(bad[i], &v)) {
            fail_msg("'%s' was taken as an integer", bad[i]);
        }
    }
}

static void text_has_the_documented_form(void **state) {
    (void)state;
    assert_text(0.0, "0");
    assert_text(-0.0, "-0");
    assert_text((double)NAN, "nan");
    assert_text(-(double)NAN, "nan");
    assert_text((double)INFINITY, "inf");
    assert_text(-(double)INFINITY, "-inf");
    assert_text(1.0, "1");
    assert_text(-1.5, "-1.5");
    assert_text(0.1, "0.1");
    assert_text(0.1 + 0.2, "0.30000000000000004");
    assert_text(123456.0, "123456");
    assert_text(0.0001, "0.0001");
    assert_text(0.00012345, "0.00012345");
    assert_text(1e-5, "1e-5");
    assert_text(1.5e-7, "1.5e-7");
    assert_text(1e15, "1000000000000000");
    assert_text(1234567890123456.0, "1234567890123456");
    assert_text(9007199254740993.0, "9007199254740992");
    assert_text(1e16, "1e16");
    assert_text(1e22, "1e22");
    assert_text(1e23, "1e23");
    assert_text(9.5367431640625e-7, "9.5367431640625e-7");
    assert_text(1e300, "1e300");
    assert_text(-1e-300, "-1e-300");
    assert_text(DBL_MAX, "1.7976931348623157e308");
    assert_text(DBL_MIN, "2.2250738585072014e-308");
    assert_text(5e-324, "5e-324");
    assert_text(from_bits(0x000FFFFFFFFFFFFFu), "2.225073858507201e-308");
    assert_text(ldexp(1.0, -44), "5.684341886080802e-14"); /* at a power of two the gap below is half the gap above */
    assert_text(ldexp(1.0, -1022), "2.2250738585072014e-308");
    assert_text(9.999999999999999e22, "1e23"); /* the same double */
    assert_text(3.141592653589793, "3.141592653589793");
}

static void short_text_rounds_the_exact_value_half_to_even(void **state) {
    (void)state;
    assert_short(3.141592653589793, 3, "3.14");
    assert_short(2.5, 1, "2");
    assert_short(3.5, 1, "4");
    assert_short(0.125, 2, "0.12");
    assert_short(0.375, 2, "0.38");
    assert_short(1.005, 3, "1"); /* the double is below 1.005 */
    assert_short(9.996, 3, "10");
    assert_short(9.994, 3, "9.99");
    assert_short(0.00009999, 2, "0.0001");
    assert_short(999999.0, 3, "1000000");
    assert_short(123456.0, 3, "123000");
    assert_short(9.99e15, 2, "1e16");
    assert_short(-1.0 / 3.0, 4, "-0.3333");
    assert_short(6.02214076e23, 4, "6.022e23");
    assert_short(5e-324, 3, "4.94e-324");
    assert_short(DBL_MAX, 1, "2e308");
    assert_short(0.1, 17, "0.10000000000000001");
    assert_short(0.1, 99, "0.10000000000000001");
    assert_short(7.7, 0, "8");
    assert_short(-0.0, 3, "-0");
    assert_short((double)INFINITY, 3, "inf");
}

/* fixed digits against printf's %.*e, which the C library rounds exactly */
static void short_text_agrees_with_printf_on_random_doubles(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (long i = 0, n = scaled_steps(20000); i < n; i++) {
        double v = from_bits(next_random(&seed));
        if (!isfinite(v)) {
            continue;
        }
        int  digits = 1 + (int)(next_random(&seed) % 17);
        char out[ZW_NUMBER_TEXT], reference[64];
        zw_number_short(v, digits, out);
        snprintf(reference, sizeof reference, "%.*e", digits - 1, v);
        if (isfinite(strtod(reference, NULL)) &&
            (bits_of(strtod(out, NULL)) != bits_of(strtod(reference, NULL)) || strlen(out) >= ZW_NUMBER_TEXT)) {
            fail_msg("%a to %d digits: '%s', printf '%s'", v, digits, out, reference);
        }
    }
}

/* the significant digits of a number's text, without the zeros around them; returns how many */
static int significant_digits(const char *text, char out[32]) {
    int n = 0, last = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0')) {
            out[n++] = *text;
            last = *text != '0' ? n : last;
        }
    }
    out[last] = 0;
    return last;
}

/* reads back (by our reader and by strtod), no shorter text does, and if the nearest text of that length reads back it is that one */
static void assert_shortest(double v) {
    char   out[ZW_NUMBER_TEXT], reference[64], digits[32], reference_digits[32];
    double back;
    zw_number_text(v, out);
    if (!zw_number_parse(out, &back) || bits_of(back) != bits_of(v) || bits_of(strtod(out, NULL)) != bits_of(v)) {
        fail_msg("%a: '%s' does not read back", v, out);
    }
    int n = significant_digits(out, digits);
    if (n > 1) {
        snprintf(reference, sizeof reference, "%.*e", n - 2, v);
        if (strtod(reference, NULL) == v) {
            fail_msg("%a: '%s' is longer than '%s'", v, out, reference);
        }
    }
    snprintf(reference, sizeof reference, "%.*e", n - 1, v);
    significant_digits(reference, reference_digits);
    if (strtod(reference, NULL) == v && strcmp(digits, reference_digits) != 0) {
        fail_msg("%a: '%s' is not nearest, '%s' is", v, out, reference);
    }
}

static void random_bit_patterns_make_the_round_trip_in_shortest_form(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (long i = 0, n = scaled_steps(100000); i < n; i++) {
        double v = from_bits(next_random(&seed));
        if (isfinite(v) && v != 0.0) {
            assert_shortest(v);
        }
    }
}

static void everyday_numbers_and_powers_make_the_round_trip(void **state) {
    (void)state;
    for (int e = -1074; e < 1024; e++) {
        double p = ldexp(1.0, e);
        assert_shortest(p);
        assert_shortest(nextafter(p, 0.0) > 0.0 ? nextafter(p, 0.0) : p);
        assert_shortest(nextafter(p, 1e308));
    }
    char text[16];
    for (int e = -323; e <= 308; e++) {
        snprintf(text, sizeof text, "1e%d", e);
        assert_shortest(strtod(text, NULL));
    }
    for (int i = 1; i < 2000; i++) {
        assert_shortest(i);
        assert_shortest(i / 100.0);
        assert_shortest(1.0 / i);
    }
}

static void numbers_do_not_depend_on_the_locale(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    bool                     found = false;
    for (size_t i = 0; i < 4 && !found; i++) {
        found = setlocale(LC_ALL, names[i]) != NULL;
    }
    double v = 0;
    char   out[ZW_NUMBER_TEXT];
    bool   parsed = zw_number_parse("1.5", &v);
    zw_number_text(2.5, out);
    setlocale(LC_ALL, "C");
    assert_true(parsed && v == 1.5);
    assert_string_equal(out, "2.5");
    if (!found) {
        skip(); /* no locale with a decimal comma on this machine */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_hard_cases_is_correctly_rounded),
        cmocka_unit_test(reading_exact_halfway_points_rounds_to_even),
        cmocka_unit_test(reading_stops_where_the_number_ends),
        cmocka_unit_test(reading_very_long_texts),
        cmocka_unit_test(reading_random_decimals_agrees_with_strtod),
        cmocka_unit_test(parse_takes_a_sign_and_nothing_around),
        cmocka_unit_test(integers_parse_within_64_bits),
        cmocka_unit_test(text_has_the_documented_form),
        cmocka_unit_test(short_text_rounds_the_exact_value_half_to_even),
        cmocka_unit_test(short_text_agrees_with_printf_on_random_doubles),
        cmocka_unit_test(random_bit_patterns_make_the_round_trip_in_shortest_form),
        cmocka_unit_test(everyday_numbers_and_powers_make_the_round_trip),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

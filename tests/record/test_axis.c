/* SPDX-License-Identifier: Apache-2.0
 * Axes of plots: round ticks inside the range, short labels that say the truth together with their note. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "record/axis.h"

static void axis_ticks_are_few_inside_and_rising(void **state) {
    (void)state;
    for (int e = -300; e <= 300; e += 7) {
        for (double m = 1; m < 10; m += 0.37) {
            double  most = m * pow(10, e);
            zw_axis a;
            zw_axis_fit(&a, -0.3 * most, most, false, 5);
            assert_in_range(a.nticks, 3, 9);
            for (int i = 0; i < a.nticks; i++) {
                double u = (a.tick[i] - a.lo) / (a.hi - a.lo);
                assert_true(u >= -1e-9 && u <= 1 + 1e-9);
                assert_true(i == 0 || a.tick[i] > a.tick[i - 1]);
                assert_in_range(strlen(a.label[i]), 1, 12);
                assert_true(i == 0 || strcmp(a.label[i], a.label[i - 1]) != 0);
            }
        }
    }
}

static void axis_of_a_constant_has_room_around_it(void **state) {
    (void)state;
    zw_axis a;
    zw_axis_fit(&a, 0, 0, false, 5);
    assert_true(a.lo < 0 && a.hi > 0 && a.nticks >= 3);
    zw_axis_fit(&a, 13.3, 13.3 * (1 + 1e-15), false, 5); /* round-off is not stretched to a signal */
    assert_true(a.hi - a.lo > 1);
}

static void axis_sets_apart_what_labels_share(void **state) {
    (void)state;
    zw_axis a;
    zw_axis_fit(&a, -2e-7, 5e-7, false, 5);
    assert_string_equal(a.note, "\xc3\x97"
                                "10\xe2\x81\xbb\xe2\x81\xb9"); /* x10^-9 */
    zw_axis_fit(&a, 0, 1e7, false, 5);
    assert_string_equal(a.label[0], "0");
    assert_string_equal(a.label[1], "2");
    zw_axis_fit(&a, 1000, 1000.01, false, 5);
    assert_non_null(strstr(a.note, "+ 1000"));
    zw_axis_fit(&a, -3, 3, false, 5);
    assert_string_equal(a.note, "");
    assert_string_equal(a.label[0], "\xe2\x88\x92"
                                    "3"); /* a real minus sign */
}

static void axis_with_decades_has_powers_as_labels(void **state) {
    (void)state;
    zw_axis a;
    zw_axis_fit(&a, 3e-17, 2e-12, true, 5);
    assert_true(a.lo == -17 && a.hi == -11);
    assert_string_equal(a.label[0], "10\xe2\x81\xbb\xc2\xb9\xe2\x81\xb6"); /* 10^-16: every second one */
    assert_true(zw_axis_place(&a, 1e-14) == 0.5);
    assert_true(isnan(zw_axis_place(&a, 0)));
}

static void axis_of_impossible_numbers_is_still_one(void **state) {
    static const double ends[][2] = {{0, 5e-324}, {-1.7e308, 1.7e308}, {-1.7e308, -1.6e308}, {0, 1.7e308}, {1e-310, 2e-310}};
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        zw_axis a;
        zw_axis_fit(&a, ends[i][0], ends[i][1], false, 5);
        assert_true(isfinite(a.lo) && isfinite(a.hi) && a.lo < a.hi && a.nticks > 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axis_ticks_are_few_inside_and_rising),    cmocka_unit_test(axis_of_a_constant_has_room_around_it),
        cmocka_unit_test(axis_sets_apart_what_labels_share),       cmocka_unit_test(axis_with_decades_has_powers_as_labels),
        cmocka_unit_test(axis_of_impossible_numbers_is_still_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

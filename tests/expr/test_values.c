/* SPDX-License-Identifier: Apache-2.0
 * Values of a growing pool against a tape for each expression. */
#include "fixture.h"

#include "expr/values.h"

static void values_are_those_of_the_tape_while_the_pool_grows(void **state) {
    (void)state;
    static const char *const texts[] = {
        "x + 2*t", "sin(s)*exp(-x)", "area/L", "if(s < 1, log(y), s^3)", "table(s, 0,1, 2,5)", "1/0", "7", "s", "x*s + y*s^2 + (x + 2*t)"};
    fixture   f;
    zw_values v;
    fixture_open(&f);
    zw_values_init(&v, f.pool);
    for (int i = 0; i < FIXTURE_INPUTS; i++) {
        assert_int_equal(zw_values_set(&v, i, fixture_in[i], true), ZW_OK);
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        zw_node n = fixture_node(&f, texts[i]);
        double  in[FIXTURE_INPUTS], value = 0.0, expected = fixture_eval(&f, n, fixture_in);
        bool    known = false;
        assert_int_equal(zw_values_known(&v, n, &known), ZW_OK);
        assert_true(known);
        assert_int_equal(zw_values_get(&v, n, &value), ZW_OK);
        assert_true(value == expected || (isnan(value) && isnan(expected)));
        memcpy(in, fixture_in, sizeof in);
        for (int k = 0; k < 4; k++) { /* another s, and back */
            double again = 0.0;
            in[3] = 0.7 * k - 0.3;
            expected = fixture_eval(&f, n, in);
            assert_int_equal(zw_values_with(&v, n, 3, in[3], &again), ZW_OK);
            assert_true(again == expected || (isnan(again) && isnan(expected)));
            assert_int_equal(zw_values_get(&v, n, &again), ZW_OK);
            assert_true(again == value || (isnan(again) && isnan(value)));
        }
    }
    zw_values_destroy(&v);
    fixture_close(&f);
}

/* with many more inputs than there are bits in the mask of a node */
static void only_what_uses_an_unknown_input_is_unknown(void **state) {
    (void)state;
    fixture   f;
    zw_values v;
    zw_node   sum = 0, twice[200];
    fixture_open(&f);
    zw_values_init(&v, f.pool);
    for (int i = 0; i < 200; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", i);
        int slot = zw_pool_input(f.pool, name);
        assert_int_equal(zw_values_set(&v, slot, i, i != 150), ZW_OK);
        twice[i] = zw_node_mul(f.pool, zw_node_constant(f.pool, 2.0), zw_node_input(f.pool, slot));
        sum = sum ? zw_node_add(f.pool, sum, twice[i]) : twice[i];
        bool   known = true;
        double value = 0.0;
        assert_int_equal(zw_values_known(&v, twice[i], &known), ZW_OK);
        assert_true(known == (i != 150));
        assert_int_equal(zw_values_known(&v, sum, &known), ZW_OK);
        assert_true(known == (i < 150));
        assert_int_equal(zw_values_get(&v, sum, &value), ZW_OK);
        assert_true(value == (double)i * (i + 1));
        assert_true(zw_node_depends(f.pool, sum, slot));
        assert_int_equal(zw_values_with(&v, sum, zw_pool_input(f.pool, "p0"), 0.5, &value), ZW_OK);
        assert_true(value == (double)i * (i + 1) + 1.0);
    }
    assert_true(!zw_node_depends(f.pool, sum, 3));
    assert_true(!zw_node_depends(f.pool, twice[199], zw_pool_input(f.pool, "p135"))); /* 64 slots before it, on the same bit */
    zw_values_destroy(&v);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_tape_while_the_pool_grows),
        cmocka_unit_test(only_what_uses_an_unknown_input_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_names.c: numbers of names against the order in which they came. */
#include "support/check.h"

#include "base/names.h"

#include <string.h>

enum { MANY = 5000 };

static void names_keep_their_numbers_while_the_list_grows(void **state) {
    (void)state;
    static char text[MANY][12];
    zw_context *c = NULL;
    zw_names    l;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    zw_names_init(&l, c);
    assert_int_equal(zw_names_find(&l, "p0"), -1);
    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "p%d", i * 7);
        assert_int_equal(zw_names_find(&l, text[i]), -1);
        assert_int_equal(zw_names_add(&l, text[i]), i);
    }
    for (int i = 0; i < MANY; i++) {
        char other[16];
        assert_int_equal(zw_names_find(&l, text[i]), i);
        snprintf(other, sizeof other, "p%d+1", i * 7);
        assert_int_equal(zw_names_find_n(&l, other, strlen(text[i])), i);
        assert_int_equal(zw_names_find(&l, other), -1);
    }
    assert_int_equal(zw_names_find(&l, "p"), -1);
    assert_int_equal(zw_names_find(&l, ""), -1);
    assert_int_equal(zw_names_add(&l, ""), MANY);
    assert_int_equal(zw_names_find_n(&l, "p7", 0), MANY);
    zw_names_destroy(&l);
    zw_names_destroy(&l);
    zw_context_destroy(c);
}

/* a long list has short chains: names that differ in a digit only must not meet */
static void chains_are_short(void **state) {
    (void)state;
    static char text[MANY][24];
    zw_context *c = NULL;
    zw_names    l;
    int         longest = 0;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    zw_names_init(&l, c);
    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "parameter_%d", i);
        assert_true(zw_names_add(&l, text[i]) == i);
    }
    for (int i = 0; i < l.buckets; i++) {
        int length = 0;
        for (int k = l.bucket[i]; k > 0; k = l.next[k - 1]) {
            length++;
        }
        longest = length > longest ? length : longest;
    }
    check_below(longest, 12, 6);
    zw_names_destroy(&l);
    zw_context_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_keep_their_numbers_while_the_list_grows),
        cmocka_unit_test(chains_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

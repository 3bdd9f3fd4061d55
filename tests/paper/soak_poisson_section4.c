/* SPDX-License-Identifier: Apache-2.0
 * Section 4 of the paper on Poisson integrators over 1e6 steps (100 s; the rod has flown 100 m), by every step.
 * Numbers in brackets are those of an independent program for the same data, which looked at every tenth step. */
#include "support/bracket.h"

static ledger watch(scheme s, long steps, long every) {
    fixture f;
    bracket_open(&f, SECTION4, s);
    ledger l = bracket_watch(&f, 1e-4, steps, every);
    char   what[80];
    snprintf(what, sizeof what, "%s %d, %ld steps, every %ld", s.name, (int)s.reconstruct, steps, every);
    ledger_print(what, &l);
    fixture_close(&f);
    return l;
}

static void a_hundred_thousand_steps_as_printed(void **state) {
    (void)state;
    ledger l = watch(POISSON, 100000, 10);
    check_near(l.low, -0.3157, 5e-4);                /* [-0.316] */
    check_near(l.high, 0.4763, 5e-4);                /* [+0.476] */
    check_relative(l.linear, 2.568e-2, 0.01);        /* [2.6e-2] */
    check_relative(l.angular, 0.205, 0.01);          /* [0.21]   */
    check_relative(l.mismatch_final, 5.98e-2, 0.01); /* [0.06] */
    l = watch(POISSON, 100000, 1);
    check_near(l.low, -0.3404, 5e-4);
    check_near(l.high, 0.5018, 5e-4);
}

/* motions of two programs have long parted by their round-off here: extremes agree to a few percent only */
static void a_million_steps_with_new_momenta(void **state) {
    (void)state;
    scheme as_new = {"poisson", ZW_ENDS_FULL, ZW_RECONSTRUCT_NEW};
    ledger l = watch(as_new, 1000000, 10);
    check_near(l.energy, 103.079146, 1e-6);
    check_near(l.low, -0.3157, 5e-4);                /* [-0.316] */
    check_near(l.high, 0.563, 0.01);                 /* [+0.557] */
    check_relative(l.linear, 5.25e-2, 0.02);         /* [5.3e-2] */
    check_relative(l.angular, 3.70, 0.02);           /* [3.7]    */
    check_relative(l.mismatch_final, 4.26e-2, 0.02); /* [4.3e-2] */
    l = watch(as_new, 1000000, 1);
    check_near(l.low, -0.3404, 5e-4);
    check_near(l.high, 0.6435, 0.01);
}

static void a_million_steps_of_hamel(void **state) {
    (void)state;
    ledger l = watch(HAMEL, 1000000, 1);
    check_near(l.low, -0.3420, 5e-4);
    check_near(l.high, 0.5531, 0.01);
    check_relative(l.linear, 2.64e-2, 0.05);
    check_relative(l.angular, 2.68, 0.05);
}

static void a_million_steps_of_consistent(void **state) {
    (void)state;
    ledger l = watch(CONSISTENT, 1000000, 1);
    check_near(l.low, -0.4144, 5e-4);
    check_near(l.high, 0.7379, 0.01);
    check_below(l.linear_norm, 1e-10, 1.1e-11);
    check_below(l.angular_norm, 1e-8, 7.6e-10);
    check_below(l.mismatch, 1e-8, 7.9e-10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_thousand_steps_as_printed),
        cmocka_unit_test(a_million_steps_of_consistent),
        cmocka_unit_test(a_million_steps_with_new_momenta),
        cmocka_unit_test(a_million_steps_of_hamel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

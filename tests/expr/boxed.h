/* SPDX-License-Identifier: Apache-2.0
 * boxed.h: a tape of one node with room to run it over boxes. */
#ifndef ZW_TESTS_EXPR_BOXED_H
#define ZW_TESTS_EXPR_BOXED_H

#include "fixture.h"

#include "expr/interval.h"

enum { BOXED_MOST = 80 }; /* nodes */

typedef struct boxed {
    zw_tape    *tape;
    double      work[BOXED_MOST];
    zw_interval room[2 * BOXED_MOST];
} boxed;

static inline void box_open(fixture *f, boxed *b, zw_node n) {
    assert_int_equal(zw_tape_create(f->context, f->pool, &n, 1, &b->tape), ZW_OK);
    assert_true(zw_tape_work(b->tape) <= BOXED_MOST);
}

static inline zw_interval box_value(boxed *b, const zw_interval *in) {
    zw_interval out;
    zw_tape_eval_interval(b->tape, in, b->room, &out);
    assert_true(out.lo <= out.hi); /* never nan */
    return out;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 * moved_ends.h: a rod whose two ends are clamped and moved by expressions, turning many times: rows stay closed. */
#ifndef ZW_TESTS_MOVED_ENDS_H
#define ZW_TESTS_MOVED_ENDS_H

#include "support/model.h"

static inline void move_both_ends(int64_t steps) {
    fixture    f;
    zw_summary sum;
    char       text[2000];
    snprintf(
        text, sizeof text,
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: 10\n      section: {rectangle: [0.05, 0.04]}\n"
        "      along: [1, 0, 0]\n      material: {density: 1000, young: 1e6, poisson: 0.25, damping: 1e-4}\n"
        "constraints:\n  left: {clamp: a, s: 0, motion: {shift: [0, 0.1*sin(2*t), 0.05*t], turn: [3*t, 0, 0.5*sin(3*t)]}}\n"
        "  right: {clamp: a, s: end, motion: {shift: [-0.2*(1 - cos(t)), 0, 0.05*t], turn: [3*t, 0.4*sin(t), 0]}}\n"
        "run: {until: %.17g, step: 5e-4}\n",
        5e-4 * (double)steps);
    fixture_run(&f, text);
    fixture_advance(&f, steps);
    zw_run_summary(f.r, &sum);
    assert_int_equal(sum.outcome, ZW_REACHED);
    check_below(sum.constraint_position_max, 1e-12, 1.1e-14); /* 50 s are 24 turns and 2.5 m */
    check_below(sum.constraint_velocity_max, 1e-12, 1.8e-15);
    fixture_close(&f);
}

#endif

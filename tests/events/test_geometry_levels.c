/* SPDX-License-Identifier: Apache-2.0
 * test_geometry_levels.c: obstacles given by an expression, located: against obstacles of known form that say the same, and thin ones against fast bodies. */
#include "support/ledger.h"

static void compare(const char *bodies, const char *form, const char *level, const char *rest, double within) {
    static ledger l, m;
    char          text[900];
    double        q[64];
    snprintf(text, sizeof text, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies: {b: {%s}}\nobstacles: {o: {%s}}\n%s", bodies, form, rest);
    ledger_open(&l, text);
    ledger_finish(&l);
    snprintf(text, sizeof text, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies: {b: {%s}}\nobstacles: {o: {%s}}\n%s", bodies, level, rest);
    ledger_open(&m, text);
    ledger_finish(&m);
    assert_true(ledger_summary(&l).impacts >= 2);
    if (ledger_summary(&l).zenos == 0) { /* how many impacts a sequence takes to its limit depends on the terms of the gap */
        assert_int_equal(ledger_summary(&l).impacts, ledger_summary(&m).impacts);
    }
    assert_int_equal(ledger_summary(&l).rests, ledger_summary(&m).rests);
    int n = zw_system_size(zw_run_system(l.f.r)).nq;
    memcpy(q, zw_run_state(l.f.r)->q, sizeof(double) * (size_t)(n < 64 ? n : 64));
    check_array_near(zw_run_state(m.f.r)->q, q, (size_t)(n < 64 ? n : 64), within);
    check_below(ledger_summary(&m).energy_drift_max, 1e-12, 1.8e-14);
    fixture_close(&l.f);
    fixture_close(&m.f);
}

/* the slope of the expression is far from 1, and changes along the way to it: the gap is the distance all the same. With rest and sliding */
static void a_ball_on_a_level_is_one_on_a_plane(void **state) {
    (void)state;
    compare("rigid: {sphere: {radius: 0.1}, mass: 1, at: [0.1, 0.05, 1], velocity: [0.3, 0, 0], spin: [1, 2, 3]}",
            "plane: {normal: [0, 0, 1]}", "gap: (z + 1)^3 - 1", "contact: {restitution: 0.5}\nrun: {until: 1.8, integrator: gauss}\n",
            1e-9);
}

static void forms_in_a_level_are_in_a_hollow_ball(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "rigid: {sphere: {radius: 0.1}, mass: 1, at: [0.3, 0.05, 0.5], velocity: [0.3, 0.5, 0]}",
        "rigid: {capsule: {radius: 0.1, length: 0.4}, mass: 1, at: [0.1, 0.05, 0.5], turn: [0.3, 1, 0.2], velocity: [0.3, 0, 0], spin: [1, 2, 3]}",
        "rigid: {box: {size: [0.3, 0.2, 0.1]}, mass: 1, at: [0.1, 0.05, 0.5], velocity: [0.3, 0, 0], spin: [1, 2, 3]}",
    };
    static const char *const until[] = {"1.5", "0.6", "0.5"};
    for (int k = 0; k < 3; k++) {
        char rest[200];
        snprintf(rest, sizeof rest, "contact: {restitution: 0.8, law: moreau}\nrun: {until: %s, integrator: gauss}\n", until[k]);
        compare(bodies[k], "sphere: {radius: 2, at: [0, 0, 2], hollow: true}", "gap: 4 - x^2 - y^2 - (z - 2)^2", rest, 1e-8);
        compare(bodies[k], "sphere: {radius: 2, at: [0, 0, 2], hollow: true}, motion: {shift: [0.1*sin(3*t), 0, 0]}",
                "gap: 4 - x^2 - y^2 - (z - 2)^2, motion: {shift: [0.1*sin(3*t), 0, 0]}", rest, 1e-8);
    }
}

static void nodes_of_a_rod_meet_a_level(void **state) {
    (void)state;
    compare("rod: {length: 1, at: [-0.5, 0, 0.1], along: [1, 0, 0.05], up: [0, 0, 1], elements: 3, section: {round: 0.02},"
            " material: {density: 1000, young: 1e6, poisson: 0.3}}",
            "plane: {normal: [0, 0, 1]}", "gap: exp(z) - 1",
            "contact: {restitution: 0.8, law: moreau}\nrun: {until: 0.16, integrator: gauss, tolerance: 1e-9}\n", 1e-9);
}

/* a wall two tenths of a millimetre thick, and a ball and a block that cross it in a millionth of a second, at steps of up to all of the way */
static void fast_bodies_do_not_pass_a_thin_level(void **state) {
    (void)state;
    static ledger       l;
    static const double step[] = {1e-4, 1e-3, 0.0123, 0.05};
    char                text[600];
    for (size_t i = 0; i < 2 * sizeof step / sizeof step[0]; i++) {
        snprintf(
            text, sizeof text,
            "zwang: 1\nbodies: {b: {rigid: {%s, mass: 1, inertia: [1, 1, 1], at: [0.1, 0.07, 1], turn: [0.3, 0.5, 0.2], velocity: [0.3, 0.2, -100]}}}\n"
            "obstacles: {wall: {gap: z^2 + 0.1*sin(x)^2*z^2 - 1e-8}}\ncontact: {restitution: 1}\nrun: {until: 0.05, integrator: gauss, step: %g}\n",
            i % 2 ? "box: {size: [0.002, 0.001, 0.003]}" : "sphere: {radius: 0.001}", step[i / 2]);
        ledger_open(&l, text);
        ledger_finish(&l);
        assert_true(ledger_summary(&l).impacts >= 1);
        assert_true(zw_run_state(l.f.r)->q[2] > 0.0);
        check_below(ledger_summary(&l).energy_drift_max, 1e-10, 1.8e-12);
        fixture_close(&l.f);
    }
}

/* a level that rises with the time throws a ball like a plane that moves */
static void a_rising_level_throws_a_ball(void **state) {
    (void)state;
    compare("rigid: {sphere: {radius: 0.1}, mass: 1, at: [0, 0, 0.5]}", "plane: {normal: [0, 0, 1]}, motion: {shift: [0, 0, 0.1*sin(5*t)]}",
            "gap: z - 0.1*sin(5*t)", "contact: {restitution: 0.5}\nrun: {until: 0.6, integrator: gauss}\n", 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_on_a_level_is_one_on_a_plane), cmocka_unit_test(forms_in_a_level_are_in_a_hollow_ball),
        cmocka_unit_test(nodes_of_a_rod_meet_a_level),         cmocka_unit_test(fast_bodies_do_not_pass_a_thin_level),
        cmocka_unit_test(a_rising_level_throws_a_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * soak_chopstick.c: long sequences of elastic impacts: a chopstick dropped into a round bowl, 1e5 times its ends hit it (in a plane) and 1e4 times in space, and its
 * energy stays; Galperin's balls meet 314159 times. */
#include "support/ledger.h"

static void drop(const char *text, int64_t impacts, double bound, double measured) {
    static ledger l;
    ledger_open(&l, text);
    while (ledger_summary(&l).impacts < impacts) {
        assert_false(zw_run_done(l.f.r));
        fixture_must(&l.f, zw_run_advance(l.f.r, 1000), "zw_run_advance");
    }
    zw_summary s = ledger_summary(&l);
    check_below(s.energy_drift_max, bound, measured);
    check_near(s.dissipated, 0.0, 1e-12);
    fixture_close(&l.f);
}

static void a_chopstick_keeps_its_energy_over_1e5_impacts(void **state) {
    (void)state;
    drop(
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  stick:\n"
        "    rigid: {mass: 1, inertia: [0.12, 0.12, 0.12], at: [0.1, 0, 0.1], turn: [0, 0.7, 0], spin: [0, 0.2, 0], plane: [0, 1, 0],\n"
        "            points: {p: [0, 0, 0.6], q: [0, 0, -0.6]}}\n"
        "constraints: {bowl: {unilateral: x^2 + z^2 <= 1, on: stick, points: [p, q]}}\nrun: {until: 1e6, integrator: gauss, tolerance: 1e-13}\n",
        scaled_steps(100000), 1e-10, 1.1e-12);
}

static void a_chopstick_in_space_keeps_its_energy(void **state) {
    (void)state;
    drop("zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  stick:\n"
         "    rigid: {mass: 1, inertia: [0.12, 0.12, 1e-3], at: [0.1, 0.05, 0.1], turn: [0.7, 0.5, 0.3], spin: [0.3, 0.2, 0.1],\n"
         "            points: {p: [0, 0, 0.6], q: [0, 0, -0.6]}}\n"
         "constraints: {bowl: {unilateral: x^2 + y^2 + z^2 <= 1, on: stick, points: [p, q]}}\n"
         "run: {until: 1e6, integrator: gauss, stages: 3, tolerance: 1e-12}\n",
         scaled_steps(10000), 2e-11, 2.6e-13);
}

static void galperin_counts_to_314159(void **state) {
    (void)state;
    static ledger l;
    ledger_open(
        &l,
        "zwang: 1\nbodies: {balls: {lagrangian: {coordinates: [x1, x2], kinetic: x1dot^2/2 + 100^5*x2dot^2/2,\n"
        "  start: {x1: 1, x2: 2, x2dot: -1}}}}\n"
        "constraints: {wall: {unilateral: x1 >= 0, on: balls}, meet: {unilateral: x1 <= x2, on: balls}}\nrun: {until: 100, integrator: gauss}\n");
    ledger_finish(&l);
    assert_int_equal(ledger_summary(&l).impacts, 314159);
    fixture_close(&l.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chopstick_keeps_its_energy_over_1e5_impacts),
        cmocka_unit_test(a_chopstick_in_space_keeps_its_energy),
        cmocka_unit_test(galperin_counts_to_314159),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

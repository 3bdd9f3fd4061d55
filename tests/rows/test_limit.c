/* SPDX-License-Identifier: Apache-2.0
 * test_limit.c: the stops of hinges and sliders: impact, many turns, rest and release, rows between two bodies. */
#include "support/ledger.h"

#include "events/contacts.h"

/* a wheel that turns freely between stops more than three turns apart */
static void a_hinge_rebounds_after_several_turns(void **state) {
    (void)state;
    static ledger l;
    ledger_open(&l, "zwang: 1\n"
                    "bodies:\n  wheel: {rigid: {cylinder: {radius: 0.3, length: 0.1}, mass: 2, at: [1, 2, 3], spin: [0, 0, 1]}}\n"
                    "constraints:\n  axle: {hinge: wheel, axis: [0, 0, 1], limits: [-0.5, 20]}\n"
                    "contact: {restitution: 0.5}\n"
                    "run: {until: 70, integrator: gauss}\n");
    ledger_finish(&l);
    assert_int_equal(ledger_summary(&l).impacts, 2);
    const kept_event *first = ledger_find(&l, ZW_EVENT_IMPACT, 0), *second = ledger_find(&l, ZW_EVENT_IMPACT, 1);
    check_near(first->e.t, 20.0, 1e-11); /* 3.6e-15 */
    check_near(first->contact[0].after, 0.5, 1e-12);
    check_near(second->e.t, 61.0, 1e-10); /* 7.1e-15 */
    check_near(second->contact[0].after, 0.25, 1e-12);
    assert_string_equal(zw_run_side_name(l.f.r, first->contact[0].side), "axle.largest");
    assert_string_equal(zw_run_side_name(l.f.r, second->contact[0].side), "axle.least");
    fixture_close(&l.f);
}

/* falls to its stop, rests on it, and is lifted off when the load exceeds the weight */
static void a_slider_rests_on_its_stop_and_is_lifted(void **state) {
    (void)state;
    static ledger l;
    ledger_open(&l, "zwang: 1\ngravity: [0, 0, -9.81]\n"
                    "bodies:\n  b: {rigid: {box: {size: [0.1, 0.2, 0.3]}, mass: 2}}\n"
                    "constraints:\n  rail: {slider: b, axis: [0, 0, 1], limits: [-0.5, 0.5]}\n"
                    "loads:\n  lift: {force: [0, 0, 9.81*t], on: b}\n"
                    "contact: {restitution: 0}\n"
                    "run: {until: 2.5, integrator: gauss}\n");
    ledger_finish(&l);
    zw_summary s = ledger_summary(&l);
    assert_int_equal(s.impacts, 1);
    assert_int_equal(s.rests, 1);
    assert_int_equal(s.releases, 1);
    check_near(ledger_find(&l, ZW_EVENT_RELEASE, 0)->e.t, 2.0, 1e-12);
    double after = 0.5; /* z'' = 9.81 (t - 2)/2 */
    check_near(zw_run_state(l.f.r)->q[2], -0.5 + 9.81 * after * after * after / 12.0, 1e-12);
    check_below(s.constraint_position_max, 1e-13, 2.2e-16);
    fixture_close(&l.f);
}

static const char elbow[] =
    "zwang: 1\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  upper: {rigid: {capsule: {radius: 0.05, length: 1}, mass: 1, turn: [0, pi/2, 0], at: [0.5, 0, 0]}}\n"
    "  lower: {rigid: {capsule: {radius: 0.05, length: 1}, mass: 1, turn: [0, pi/2, 0], at: [1.5, 0, 0]}}\n"
    "constraints:\n"
    "  shoulder: {hinge: upper, at: [0, 0, -0.5], axis: [0, 1, 0]}\n"
    "  elbow: {hinge: lower, at: [0, 0, -0.5], to: {body: upper, at: [0, 0, 0.5]}, axis: [0, 1, 0], limits: [-0.1, 1.2]}\n"
    "contact: {restitution: 1, law: moreau}\n"
    "run: {until: 10, integrator: gauss}\n";

/* an elastic stop inside a double pendulum: the angle never leaves its limits, the energy stays */
static void an_elbow_with_stops_keeps_its_energy(void **state) {
    (void)state;
    static ledger l;
    double        low = INFINITY, high = -INFINITY;
    ledger_open(&l, elbow);
    while (!zw_run_done(l.f.r)) {
        fixture_must(&l.f, zw_run_advance(l.f.r, 1), "zw_run_advance");
        zw_side_look at;
        zw_side     *least = l.f.r->contacts->side[0];
        fixture_must(&l.f, zw_side_at(least, zw_run_system(l.f.r), zw_run_state(l.f.r), &at), "zw_side_at");
        low = fmin(low, at.gap);
        high = fmax(high, at.gap);
    }
    zw_summary s = ledger_summary(&l);
    assert_true(s.impacts >= 5);
    check_below(-low, 1e-13, 2.8e-16);
    check_below(high - 1.3, 1e-13, 2.3e-16);
    check_below(s.energy_drift_max, 1e-10, 2.1e-12);
    fixture_close(&l.f);
}

/* row and acceleration against differences of the gap along the motion */
static void rows_are_derivatives_of_the_gap(void **state) {
    (void)state;
    fixture  f;
    uint64_t seed = 7;
    fixture_system(&f, elbow);
    zw_side *const *side;
    int             n = zw_system_sides(f.y, &side);
    zw_state        x, moved;
    zw_size         size = zw_system_size(f.y);
    double          worst_rate = 0.0, worst_row = 0.0, worst_bend = 0.0;
    assert_int_equal(n, 2);
    fixture_state(&f, &x);
    fixture_state(&f, &moved);
    for (int trial = 0; trial < 20; trial++) {
        for (int i = 0; i < size.nv; i++) {
            x.v[i] = noise(&seed);
        }
        for (int i = 0; i < n; i++) {
            zw_side_look at, next;
            zw_tile      tile[1];
            zw_block     block[8];
            double       a[64], D, rate = 0.0, bend = 0.0, dv[12], h = 1e-3;
            zw_rows      N = {.tile = tile, .block = block, .a = a};
            fixture_must(&f, zw_side_at(side[i], f.y, &x, &at), "zw_side_at");
            fixture_must(&f, zw_side_row(side[i], f.y, &x, 0, &N), "zw_side_row");
            fixture_must(&f, zw_side_acceleration(side[i], f.y, &x, &D), "zw_side_acceleration");
            memcpy(moved.v, x.v, sizeof(double) * (size_t)size.nv);
            for (int k = 1; k <= 4; k++) {
                for (int sign = -1; sign <= 1; sign += 2) {
                    for (int j = 0; j < size.nv; j++) {
                        dv[j] = sign * k * h * x.v[j];
                    }
                    zw_system_retract(f.y, x.q, dv, moved.q);
                    fixture_must(&f, zw_side_at(side[i], f.y, &moved, &next), "zw_side_at");
                    rate += sign * difference8[k - 1] * next.gap / h;
                    bend += sign * difference8[k - 1] * next.rate / h;
                }
            }
            worst_row = fmax(worst_row, fabs(zw_side_row_times(&N, 0, x.v, false) - at.rate));
            worst_rate = fmax(worst_rate, fabs(rate - at.rate));
            worst_bend = fmax(worst_bend, fabs(bend - D));
        }
    }
    check_below(worst_row, 1e-14, 1.1e-16);
    check_below(worst_rate, 1e-10, 1.1e-12);
    check_below(worst_bend, 1e-10, 1.9e-13);
    zw_state_destroy(f.c, &x);
    zw_state_destroy(f.c, &moved);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hinge_rebounds_after_several_turns),
        cmocka_unit_test(a_slider_rests_on_its_stop_and_is_lifted),
        cmocka_unit_test(an_elbow_with_stops_keeps_its_energy),
        cmocka_unit_test(rows_are_derivatives_of_the_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

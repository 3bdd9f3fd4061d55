/* SPDX-License-Identifier: Apache-2.0
 * test_impact.c: events of unilateral constraints in a run: contacts that last and end, moving walls, grazing, bad input, and going on after a checkpoint. */
#include "support/ledger.h"

#include "events/contacts.h"

#define HEAD "zwang: 1\nbodies:\n  p:\n    lagrangian:\n"

static const char dome[] = HEAD "      coordinates: [x, y]\n"
                                "      kinetic: (xdot^2 + ydot^2)/2\n"
                                "      potential: 9.81*y\n"
                                "      start: {x: sin(0.1), y: cos(0.1)}\n"
                                "constraints:\n"
                                "  dome: {unilateral: x^2 + y^2 >= 1, on: p, restitution: 0}\n"
                                "  floor: {unilateral: y >= 0, on: p, restitution: 0.3}\n"
                                "run: {until: 3, integrator: gauss}\n";

static const char table[] = HEAD "      coordinates: [y]\n"
                                 "      kinetic: ydot^2/2\n"
                                 "      potential: 9.81*y\n"
                                 "constraints:\n"
                                 "  table: {unilateral: \"y >= 0.05*sin(20*t)\", on: p, restitution: 0}\n"
                                 "run: {until: 1.2, integrator: gauss}\n";

static void a_particle_leaves_the_dome_at_two_thirds(void **state) {
    (void)state;
    static ledger l;
    ledger_open(&l, dome);
    const zw_state *x;
    double          height = 0.0;
    while (!zw_run_done(l.f.r)) {
        int64_t before = l.count;
        fixture_must(&l.f, zw_run_advance(l.f.r, 1), "zw_run_advance");
        x = zw_run_state(l.f.r);
        if (l.count > before && l.kept[l.count - 1].e.kind == ZW_EVENT_RELEASE) {
            height = x->q[1];
        }
    }
    zw_summary s = ledger_summary(&l);
    check_near(height, 2.0 / 3.0 * cos(0.1), 1e-12); /* 1.1e-13 */
    assert_int_equal(s.releases, 1);
    assert_int_equal(s.rests, 2);
    assert_int_equal(s.zenos, 1);
    check_below(s.energy_drift_max, 1e-11, 1.7e-12);
    check_below(s.constraint_position_max, 1e-14, 1.3e-15);
    x = zw_run_state(l.f.r);
    check_near(x->q[1], 0.0, 1e-15); /* at rest on the floor, sliding on */
    fixture_close(&l.f);
}

/* a body on a table that shakes with more than g: leaves it where the table falls faster, 9.81 = 20 sin(20 t), and lands again */
static void a_shaken_table_throws_and_catches(void **state) {
    (void)state;
    static ledger l;
    ledger_open(&l, table);
    ledger_finish(&l);
    zw_summary s = ledger_summary(&l);
    double     first = asin(9.81 / 20.0) / 20.0;
    assert_int_equal(s.releases, 4);
    assert_int_equal(s.impacts, 4);
    for (int i = 0; i < 4; i++) {
        check_near(ledger_find(&l, ZW_EVENT_RELEASE, i)->e.t, first + i * acos(-1.0) / 10.0, 1e-13); /* 1e-15 */
    }
    const kept_event *start = ledger_find(&l, ZW_EVENT_IMPACT, 0); /* the table moves up at 1 m/s from the start */
    check_near(start->e.t, 0.0, 0.0);
    check_near(start->contact[0].before, -1.0, 1e-15);
    check_near(start->contact[0].impulse, 1.0, 1e-15);
    check_below(s.energy_drift_max, 2e-11, 2.1e-12); /* with the work of the table */
    fixture_close(&l.f);
}

/* the same motion by steps of one length, of few stages too: events are as sharp */
static void steps_of_one_length_find_the_same_events(void **state) {
    (void)state;
    static ledger l;
    char          text[sizeof table + 80];
    for (int stages = 1; stages <= 4; stages++) {
        snprintf(text, sizeof text, "%.*sstep: 0.01, stages: %d, integrator: gauss}\n", (int)(strstr(table, "integrator") - table), table,
                 stages);
        ledger_open(&l, text);
        ledger_finish(&l);
        for (int i = 0; i < 4; i++) {
            check_near(ledger_find(&l, ZW_EVENT_RELEASE, i)->e.t, asin(9.81 / 20.0) / 20.0 + i * acos(-1.0) / 10.0, 1e-13);
        }
        fixture_close(&l.f);
    }
}

/* a point passes a circle at exactly its radius, or a little nearer: touching gives no impulse, nearer gives one */
static void grazing_gives_no_impulse_and_a_trace_nearer_does(void **state) {
    (void)state;
    static const char format[] = HEAD "      coordinates: [x, y]\n"
                                      "      kinetic: (xdot^2 + ydot^2)/2\n"
                                      "      start: {x: -2, y: %.17g, xdot: 1}\n"
                                      "constraints: {disc: {unilateral: x^2 + y^2 >= 1, on: p}}\n"
                                      "run: {until: 4, integrator: gauss}\n";
    static ledger     l;
    char              text[sizeof format + 40];
    snprintf(text, sizeof text, format, 1.0);
    ledger_open(&l, text);
    ledger_finish(&l);
    assert_int_equal(ledger_summary(&l).impacts, 0);
    check_near(zw_run_state(l.f.r)->v[1], 0.0, 0.0);
    fixture_close(&l.f);
    double y = 1.0 - 1e-10;
    snprintf(text, sizeof text, format, y);
    ledger_open(&l, text);
    ledger_finish(&l);
    assert_int_equal(ledger_summary(&l).impacts, 1);
    double nx = sqrt(1.0 - y * y);                              /* v+ = v - 2 (v.n) n */
    check_near(zw_run_state(l.f.r)->v[1], 2.0 * nx * y, 1e-10); /* the place where it hits is known to 1e-16/1.4e-5: 7.8e-12 */
    fixture_close(&l.f);
}

static void restored_in_every_phase_goes_on_bitwise(void **state) {
    static const int at[] = {0, 1, 3, 7, 12, 20, 28};
    (void)state;
    ledger_restores(dome, (int)(sizeof at / sizeof at[0]), at);
}

/* ---- bad input */

static void refused(const char *text, zw_status code, const char *subject, const char *message) {
    fixture f;
    fixture_parse(&f, text);
    zw_status status = zw_run_create(f.m, &f.r);
    while (status == ZW_OK && !zw_run_done(f.r)) {
        status = zw_run_advance(f.r, 1000);
    }
    if (status != code) {
        print_error("%s\n", text);
    }
    assert_int_equal(status, code);
    const zw_error *e = zw_error_at(f.c, 0);
    assert_non_null(e);
    if (strstr(e->subject, subject) == NULL || strstr(e->message, message) == NULL) {
        print_error("%s: %s\n", e->subject, e->message);
        fail_msg("expected '%s' and '%s'", subject, message);
    }
    assert_true(e->remedy[0] != 0);
    fixture_close(&f);
}

static void bad_input_is_named_with_its_number(void **state) {
    (void)state;
#define FALL HEAD "      coordinates: [y]\n      kinetic: ydot^2/2\n      potential: 9.81*y\n      start: {y: 1}\n"
#define RUNS "run: {until: 1, integrator: gauss}\n"
    refused(FALL "constraints: {floor: {unilateral: y >= 1.5, on: p}}\n" RUNS, ZW_E_MODEL, "'floor'",
            "interpenetrating start: its gap is -0.5");
    refused(FALL "constraints: {floor: {unilateral: y >= 0, on: p, restitution: 1.2 + y}}\n" RUNS, ZW_E_MODEL, "'floor'",
            "restitution is 1.2");
    refused(FALL "constraints: {floor: {unilateral: y >= 0, on: p, loss: y - 0.5}}\n" RUNS, ZW_E_MODEL, "'floor'", "loss is -0.5");
    refused(FALL "constraints: {floor: {unilateral: y^2 >= 0, on: p}}\n" RUNS, ZW_E_MODEL, "'floor'", "gradient of f vanishes");
    refused(FALL "constraints: {floor: {unilateral: y^3 >= 0, on: p}}\n" RUNS, ZW_E_MODEL, "'floor'", "gradient of f vanishes");
    refused(HEAD "      coordinates: [x, y]\n      kinetic: (xdot^2 + ydot^2)/2\n      constraints: {fast: xdot^2 + ydot^2 = 1}\n"
                 "      start: {y: 1, ydot: -1}\n"
                 "constraints: {floor: {unilateral: y >= 0, on: p}}\nrun: {until: 2, integrator: gauss}\n",
            ZW_E_UNSUPPORTED, "contact", "nonlinear in the velocities");
    refused(HEAD "      coordinates: [x, y]\n      kinetic: (xdot^2 + ydot^2)/2\n      constraints: {post: y = 1}\n"
                 "      start: {x: 1, y: 1, xdot: -1}\n"
                 "constraints: {press: {unilateral: y <= 2 - t, on: p}}\nrun: {until: 2, integrator: gauss}\n",
            ZW_E_MODEL, "'press'", "no motion along it");
}

/* a rolling sled keeps rolling through the impact: the row holds after it, and the energy is kept */
static void rows_hold_through_an_impact(void **state) {
    (void)state;
    static const char sled[] = HEAD "      coordinates: [x, y, th]\n"
                                    "      kinetic: (xdot^2 + ydot^2)/2 + thdot^2/6\n"
                                    "      constraints: {blade: ydot*cos(th) = xdot*sin(th)}\n"
                                    "      points: {bow: {position: [x + cos(th), y + sin(th), 0]}}\n"
                                    "      start: {th: 0.3, xdot: cos(0.3), ydot: sin(0.3), thdot: 0.5}\n"
                                    "constraints: {wall: {unilateral: x <= 1.5, on: p, points: [bow]}}\n"
                                    "run: {until: 2, integrator: gauss}\n";
    static ledger     l;
    ledger_open(&l, sled);
    ledger_finish(&l);
    zw_summary s = ledger_summary(&l);
    assert_true(s.impacts >= 1);
    check_below(s.constraint_velocity_max, 1e-14, 5.6e-16);
    check_below(s.energy_drift_max, 1e-13, 1e-15);
    fixture_close(&l.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_particle_leaves_the_dome_at_two_thirds),
        cmocka_unit_test(a_shaken_table_throws_and_catches),
        cmocka_unit_test(steps_of_one_length_find_the_same_events),
        cmocka_unit_test(grazing_gives_no_impulse_and_a_trace_nearer_does),
        cmocka_unit_test(restored_in_every_phase_goes_on_bitwise),
        cmocka_unit_test(bad_input_is_named_with_its_number),
        cmocka_unit_test(rows_hold_through_an_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

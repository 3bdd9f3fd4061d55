/* SPDX-License-Identifier: Apache-2.0
 * test_geometry.c: impacts and lasting contacts of forms, located in time: against expressions that say the same, against closed solutions, and by what is
 * conserved. */
#include "support/ledger.h"

#include "events/contacts.h"

static void run_to_end(ledger *l, const char *text) {
    ledger_open(l, text);
    ledger_finish(l);
}

/* a ball on a plane is a point above a height: the same times, the same end */
static void a_ball_on_a_plane_is_a_point_above_a_height(void **state) {
    (void)state;
    static ledger l, m;
    static double last[7];
    run_to_end(&l, "zwang: 1\ngravity: [0, 0, -9.81]\n"
                   "bodies: {ball: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [0, 0, 1.1], velocity: [0.3, 0, 0], spin: [1, 2, 3]}}}\n"
                   "obstacles: {floor: {plane: {normal: [0, 0, 1]}}}\n"
                   "contact: {restitution: 0.5}\nrun: {until: 2, integrator: gauss}\n");
    run_to_end(
        &m,
        "zwang: 1\ngravity: [0, 0, -9.81]\n"
        "bodies: {ball: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [0, 0, 1.1], velocity: [0.3, 0, 0], spin: [1, 2, 3], points: {c: [0, 0, 0]}}}}\n"
        "constraints: {floor: {unilateral: z >= 0.1, on: ball, points: [c], restitution: 0.5}}\n"
        "contact: {pairs: []}\nrun: {until: 2, integrator: gauss}\n");
    assert_int_equal(ledger_summary(&l).impacts, ledger_summary(&m).impacts);
    for (int i = 0; i < 12; i++) {
        check_near(ledger_find(&l, ZW_EVENT_IMPACT, i)->e.t, ledger_find(&m, ZW_EVENT_IMPACT, i)->e.t, 1e-12);
    }
    memcpy(last, zw_run_state(m.f.r)->q, sizeof last);
    check_array_near(zw_run_state(l.f.r)->q, last, 7, 1e-12);
    check_near(zw_run_state(l.f.r)->q[2], 0.1, 1e-14);
    fixture_close(&l.f);
    fixture_close(&m.f);
}

/* two balls meet off centre: momentum and energy stay, spins do too, and the change is along the line of centres */
static void two_balls_exchange_momentum(void **state) {
    (void)state;
    static ledger l;
    run_to_end(&l, "zwang: 1\n"
                   "bodies:\n"
                   "  a: {rigid: {sphere: {radius: 0.1}, mass: 1, velocity: [1, 0, 0], spin: [1, 0, 0]}}\n"
                   "  b: {rigid: {sphere: {radius: 0.2}, mass: 3, at: [1, 0.1, 0.05]}}\n"
                   "contact: {restitution: 1}\nrun: {until: 2, integrator: gauss}\n");
    const double     *v = zw_run_state(l.f.r)->v;
    const kept_event *e = ledger_find(&l, ZW_EVENT_IMPACT, 0);
    double time = 1.0 - sqrt(0.09 - 0.0125), n[3] = {(1.0 - time) / 0.3, 0.1 / 0.3, 0.05 / 0.3}, p = 2.0 * n[0] / (1.0 + 1.0 / 3.0);
    assert_int_equal(ledger_summary(&l).impacts, 1);
    check_near(e->e.t, time, 1e-14);
    check_near(e->contact[0].impulse, p, 1e-13);
    for (int k = 0; k < 3; k++) {
        check_near(v[3 + k], (k == 0 ? 1.0 : 0.0) - p * n[k], 1e-13);
        check_near(v[9 + k], p * n[k] / 3.0, 1e-13);
        check_near(v[k], k == 0 ? 1.0 : 0.0, 1e-15);
        check_near(v[6 + k], 0.0, 1e-15);
    }
    fixture_close(&l.f);
}

/* three pendulums with spheres that touch; the first is let go. Moreau's law: -1/3, 2/3, 2/3 of its speed */
static void a_cradle_of_spheres_by_moreau(void **state) {
    (void)state;
    static ledger l;
    ledger_open(&l, "zwang: 1\ngravity: [0, 0, -9.81]\n"
                    "bodies:\n"
                    "  a: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [-0.2 - sin(0.5), 0, -cos(0.5)]}}\n"
                    "  b: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [0, 0, -1]}}\n"
                    "  c: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [0.2, 0, -1]}}\n"
                    "constraints:\n"
                    "  pa: {ball: a, at: [sin(0.5), 0, cos(0.5)]}\n"
                    "  pb: {ball: b, at: [0, 0, 1]}\n"
                    "  pc: {ball: c, at: [0, 0, 1]}\n"
                    "contact: {restitution: 1, law: moreau}\nrun: {until: 0.6, integrator: gauss}\n");
    ledger_finish(&l);
    const kept_event *e = ledger_find(&l, ZW_EVENT_IMPACT, 0);
    assert_int_equal(e->e.ncontacts, 2);
    double u = -e->contact[0].before;
    check_relative(e->contact[0].after, u, 1e-12);                               /* b leaves a with what a came with */
    check_near(e->contact[1].after, 0.0, 1e-12);                                 /* b and c go on together */
    double J = 1.0 + 0.4 * 0.01, rate = sqrt(2.0 * 9.81 * (1.0 - cos(0.5)) / J); /* of a about its pivot, rad/s */
    check_relative(u, rate, 1e-11);
    check_below(ledger_summary(&l).energy_drift_max, 1e-11, 4.6e-14);
    fixture_close(&l.f);
}

#define BOX                                                                                                               \
    "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  box: {rigid: {box: {size: [1, 2, 0.5]}, mass: 1, at: [0, 0, 2.5]%s}}\n" \
    "obstacles: {floor: {plane: {normal: [0, 0, 1]}}}\ncontact: {restitution: 0, law: moreau}\nrun: {until: %g, integrator: gauss%s}\n"

/* flat, on an edge, on a corner, without rebound: it ends flat and at rest */
static void a_box_comes_to_rest(void **state) {
    (void)state;
    static ledger            l;
    static const char *const turn[3] = {"", ", turn: [0, 0.3, 0]", ", turn: [0.2, 0.3, 0.1]"};
    char                     text[600];
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, BOX, turn[k], 2.0, "");
        run_to_end(&l, text);
        const zw_state *x = zw_run_state(l.f.r);
        check_near(x->q[2], 0.25, 1e-12);
        check_below(largest(6, x->v), 1e-13, 6.3e-15);
        check_near(x->q[4], 0.0, 1e-12); /* no tilt */
        check_near(x->q[5], 0.0, 1e-12);
        check_below(ledger_summary(&l).energy_drift_max, 1e-11, 2.0e-13);
        check_below(ledger_summary(&l).constraint_position_max, 1e-12, 4.4e-14);
        fixture_close(&l.f);
    }
}

/* a floor that shakes with more than g throws the box and catches it again: it leaves where the floor falls faster, 9.81 = 20 sin(20 t) */
static void a_shaken_floor_throws_the_box(void **state) {
    (void)state;
    static ledger l;
    run_to_end(&l, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies: {box: {rigid: {box: {size: [1, 2, 0.5]}, mass: 1, at: [0, 0, 0.25]}}}\n"
                   "obstacles: {floor: {plane: {normal: [0, 0, 1]}, motion: {shift: [0, 0, 0.05*sin(20*t)]}}}\n"
                   "contact: {restitution: 0, law: moreau}\nrun: {until: 0.9, integrator: gauss}\n");
    double first = asin(9.81 / 20.0) / 20.0;
    for (int i = 0; i < 3; i++) {
        check_near(ledger_find(&l, ZW_EVENT_RELEASE, i)->e.t, first + i * acos(-1.0) / 10.0,
                   1e-9); /* an opening is seen from 1e-9 of its terms: 1.3e-10 */
        assert_int_equal(ledger_find(&l, ZW_EVENT_RELEASE, i)->e.ncontacts, 4);
    }
    check_below(ledger_summary(&l).energy_drift_max, 1e-8, 7.7e-10);
    fixture_close(&l.f);
}

/* a floor that tilts: without friction the box slides and stays flat on it */
static void a_box_slides_on_a_tilting_floor(void **state) {
    (void)state;
    static ledger l;
    run_to_end(&l, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies: {box: {rigid: {box: {size: [1, 2, 0.5]}, mass: 1, at: [0, 0, 0.25]}}}\n"
                   "obstacles: {floor: {plane: {normal: [0, 0, 1]}, motion: {turn: [0, 0.5*t^2, 0]}}}\n"
                   "contact: {restitution: 0, law: moreau}\nrun: {until: 1, integrator: gauss}\n");
    const zw_state *x = zw_run_state(l.f.r);
    double          angle = 2.0 * atan2(x->q[5], x->q[3]);
    assert_int_equal(ledger_summary(&l).releases, 0);
    check_near(angle, 0.5, 1e-10);
    check_near(x->q[0] * sin(0.5) + x->q[2] * cos(0.5), 0.25, 1e-10);
    check_below(ledger_summary(&l).energy_drift_max, 1e-12, 2.7e-14);
    fixture_close(&l.f);
}

/* chopstick: capsule in a hollow ball, and its two ends as points kept inside a smaller one */
static void a_stick_in_a_bowl_is_two_points_in_a_ball(void **state) {
    (void)state;
    static ledger l, m;
    double        q[7];
    run_to_end(
        &l,
        "zwang: 1\ngravity: [0, 0, -9.81]\n"
        "bodies: {s: {rigid: {capsule: {radius: 0.02, length: 1.2}, mass: 1, at: [0.1, 0, -0.3], turn: [0, 1.3, 0], spin: [0.2, 0.3, 0.1]}}}\n"
        "obstacles: {bowl: {sphere: {radius: 1, hollow: true}}}\n"
        "contact: {restitution: 0.5, law: moreau}\nrun: {until: 2, integrator: gauss}\n");
    run_to_end(
        &m,
        "zwang: 1\ngravity: [0, 0, -9.81]\n"
        "bodies: {s: {rigid: {capsule: {radius: 0.02, length: 1.2}, mass: 1, at: [0.1, 0, -0.3], turn: [0, 1.3, 0], spin: [0.2, 0.3, 0.1],\n"
        "             points: {a: [0, 0, 0.6], b: [0, 0, -0.6]}}}}\n"
        "constraints: {bowl: {unilateral: sqrt(x^2 + y^2 + z^2) <= 0.98, on: s, points: [a, b]}}\n"
        "contact: {restitution: 0.5, law: moreau, pairs: []}\nrun: {until: 2, integrator: gauss}\n");
    assert_int_equal(ledger_summary(&l).zenos, ledger_summary(&m).zenos);
    memcpy(q, zw_run_state(m.f.r)->q, sizeof q);
    check_array_near(zw_run_state(l.f.r)->q, q, 7, 1e-9); /* 2.7e-14 */
    check_below(ledger_summary(&l).energy_drift_max, 1e-10, 1.9e-14);
    fixture_close(&l.f);
    fixture_close(&m.f);
}

/* two sticks cross: the impulse is that of two bodies hit at their arms */
static void sticks_cross(void **state) {
    (void)state;
    static ledger l;
    run_to_end(
        &l,
        "zwang: 1\n"
        "bodies:\n"
        "  a: {rigid: {capsule: {radius: 0.05, length: 1}, mass: 1, inertia: [0.1, 0.1, 0.01], at: [0, 0, 0.5], turn: [pi/2, 0, 0], velocity: [0, 0, -1]}}\n"
        "  b: {rigid: {capsule: {radius: 0.05, length: 1}, mass: 1, inertia: [0.1, 0.1, 0.01], at: [0.2, 0.1, 0], turn: [0, pi/2, 0]}}\n"
        "contact: {restitution: 1}\nrun: {until: 1, integrator: gauss}\n");
    const kept_event *e = ledger_find(&l, ZW_EVENT_IMPACT, 0);
    check_near(e->e.t, 0.4, 1e-14);
    check_near(e->contact[0].impulse, 2.0 / (1.0 + 1.0 + 0.1 * 0.1 / 0.1 + 0.2 * 0.2 / 0.1), 1e-13);
    check_below(ledger_summary(&l).energy_drift_max, 1e-13, 0.0);
    fixture_close(&l.f);
}

static const char off_the_table[] =
    "zwang: 1\ngravity: [0, 0, -9.81]\n"
    "bodies: {top: {rigid: {box: {size: [0.4, 0.4, 0.2]}, mass: 1, at: [0, 0, 0.6], velocity: [1, 0, 0]}}}\n"
    "obstacles: {table: {box: {size: [1, 1, 1]}}}\n"
    "contact: {restitution: 0, law: moreau}\nrun: {until: 0.7, integrator: gauss}\n";

/* its leading corners leave the table at 0.3 s, the edges below it take over; it tips when its centre is above the edge, at 0.5 s */
static void a_box_slides_off_a_table(void **state) {
    (void)state;
    static ledger l;
    run_to_end(&l, off_the_table);
    zw_summary        s = ledger_summary(&l);
    const kept_event *last = NULL;
    for (int64_t i = 0; i < l.count; i++) {
        last = l.kept[i].e.kind == ZW_EVENT_RELEASE ? &l.kept[i] : last;
    }
    assert_int_equal(s.impacts, 0);
    assert_non_null(last);
    check_near(ledger_find(&l, ZW_EVENT_RELEASE, 0)->e.t, 0.3, 3e-9); /* a feature ends a trace behind its edge: 1.2e-9 */
    check_near(last->e.t, 0.5, 1e-9);                                 /* 1.1e-10 */
    assert_int_equal(last->e.ncontacts, 2);
    check_below(s.energy_drift_max, 1e-12, 2.4e-14);
    assert_true(zw_run_state(l.f.r)->v[1] > 3.0);
    fixture_close(&l.f);
}

static const char room[] =
    "zwang: 1\ngravity: [0, 0, -9.81]\n"
    "bodies: {box: {rigid: {box: {size: [0.4, 0.3, 0.2]}, mass: 1, at: [0, 0, 1], velocity: [1, 2, 0.5], spin: [3, 5, 2]}}}\n"
    "obstacles:\n"
    "  floor: {plane: {normal: [0, 0, 1]}}\n  roof: {plane: {normal: [0, 0, -1], at: [0, 0, 2]}}\n"
    "  w1: {plane: {normal: [1, 0, 0], at: [-1, 0, 0]}}\n  w2: {plane: {normal: [-1, 0, 0], at: [1, 0, 0]}}\n"
    "  w3: {plane: {normal: [0, 1, 0], at: [0, -1, 0]}}\n  w4: {plane: {normal: [0, -1, 0], at: [0, 1, 0]}}\n"
    "contact: {restitution: 1, law: sequential}\nrun: {until: 200, integrator: gauss}\n";

/* 1000 elastic impacts of a tumbling box in a room */
static void a_tumbling_box_keeps_its_energy(void **state) {
    (void)state;
    static ledger l;
    ledger_open(&l, room);
    while (!zw_run_done(l.f.r) && l.count < 1000) {
        fixture_must(&l.f, zw_run_advance(l.f.r, 16), "zw_run_advance");
    }
    zw_summary s = ledger_summary(&l);
    assert_true(s.impacts >= 1000);
    check_below(s.energy_drift_max, 1e-9, 1.0e-13);
    fixture_close(&l.f);
}

/* a small fast ball and a sheet of triangles without thickness, at steps from a hundredth of its way to all of it */
static void a_fast_ball_does_not_pass_a_sheet(void **state) {
    (void)state;
    static ledger       l;
    static const double step[] = {1e-4, 1e-3, 0.0123, 0.05, 0.1};
    char                text[700];
    for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
        snprintf(
            text, sizeof text,
            "zwang: 1\nbodies: {b: {rigid: {sphere: {radius: 0.001}, mass: 1, at: [0.1, 0.07, 1], velocity: [0.3, 0.2, -100]}}}\n"
            "obstacles: {sheet: {mesh: {points: [[-1, -1, 0], [1, -1, 0], [1, 1, 0.1], [-1, 1, 0]], triangles: [[0, 1, 2], [0, 2, 3]]}}}\n"
            "contact: {restitution: 1}\nrun: {until: 0.1, integrator: gauss, step: %g}\n",
            step[i]);
        run_to_end(&l, text);
        assert_int_equal(ledger_summary(&l).impacts, 1);
        assert_true(zw_run_state(l.f.r)->q[2] > 0.0);
        fixture_close(&l.f);
    }
}

static void restored_it_goes_on_bitwise(void **state) {
    static const int at[] = {1, 4, 6, 9, 14};
    (void)state;
    ledger_restores(off_the_table, (int)(sizeof at / sizeof at[0]), at);
}

static void an_overlapping_start_is_named(void **state) {
    (void)state;
    fixture f;
    fixture_parse(
        &f,
        "zwang: 1\nbodies:\n  a: {rigid: {sphere: {radius: 1}, mass: 1}}\n  b: {rigid: {box: {size: [1, 1, 1]}, mass: 1, at: [1.25, 0, 0]}}\n"
        "contact: {restitution: 1}\nrun: {until: 1, integrator: gauss}\n");
    assert_int_equal(zw_run_create(f.m, &f.r), ZW_E_MODEL);
    const zw_error *e = fixture_error(&f);
    assert_non_null(strstr(e->subject, "a and b"));
    assert_non_null(strstr(e->message, "overlap by 0.25 m"));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_on_a_plane_is_a_point_above_a_height),
        cmocka_unit_test(two_balls_exchange_momentum),
        cmocka_unit_test(a_cradle_of_spheres_by_moreau),
        cmocka_unit_test(a_box_comes_to_rest),
        cmocka_unit_test(a_shaken_floor_throws_the_box),
        cmocka_unit_test(a_box_slides_on_a_tilting_floor),
        cmocka_unit_test(a_stick_in_a_bowl_is_two_points_in_a_ball),
        cmocka_unit_test(sticks_cross),
        cmocka_unit_test(a_box_slides_off_a_table),
        cmocka_unit_test(a_tumbling_box_keeps_its_energy),
        cmocka_unit_test(a_fast_ball_does_not_pass_a_sheet),
        cmocka_unit_test(restored_it_goes_on_bitwise),
        cmocka_unit_test(an_overlapping_start_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

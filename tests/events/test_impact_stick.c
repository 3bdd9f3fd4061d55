/* SPDX-License-Identifier: Apache-2.0
 * test_impact_stick.c: the law stick: Housner's rocking block against its formula, and against laws without friction that must not give it; contacts that hold
 * without sliding until nothing presses them; what comes on sliding; what the law refuses. */
#include "support/ledger.h"

/* a block of half width b and half height h = 1 on its left corner, turned by 0.05 off both */
static const char block[] =
    "zwang: 1\nparameters: {alpha: %.17g, b: tan(alpha), R: 1/cos(alpha), beta: pi/2 - alpha + 0.05}\n"
    "gravity: [0, -9.81, 0]\nbodies:\n  block:\n"
    "    rigid: {mass: 3, inertia: [1, 1, R^2], at: [R*cos(beta), R*sin(beta), 0], turn: [0, 0, 0.05], plane: [0, 0, 1],\n"
    "            points: {left: [-b, -1, 0], right: [b, -1, 0]}}\n"
    "constraints: {floor: {unilateral: y >= 0, on: block, points: [left, right]}}\n"
    "contact: {%s}\nrun: {until: %g, integrator: gauss}\n";

static double spin(const ledger *l) { /* about z: the first velocity of a planar body */
    return zw_run_state(l->f.r)->v[0];
}

/* spin after over before at the first impact of two corners */
static double ratio(double alpha, const char *contact, double *lost) {
    static ledger l;
    char          text[sizeof block + 120];
    snprintf(text, sizeof text, block, alpha, contact, 2.0);
    ledger_open(&l, text);
    double before = 0.0;
    for (;;) {
        int64_t count = l.count;
        before = spin(&l);
        fixture_must(&l.f, zw_run_advance(l.f.r, 1), "zw_run_advance");
        if (l.count > count && l.kept[count].e.kind == ZW_EVENT_IMPACT && l.kept[count].e.t > 0.0) {
            const kept_event *e = &l.kept[count];
            assert_int_equal(e->e.ncontacts, 2);
            *lost = fabs(e->e.energy_before - e->e.energy_after - e->e.dissipated);
            /* the right corner comes on with 2 b times the spin; the left one leaves so */
            before = e->contact[1].before / (2.0 * tan(alpha));
            double after = spin(&l);
            fixture_close(&l.f);
            return after / before;
        }
        assert_false(zw_run_done(l.f.r));
    }
}

static void a_rocking_block_loses_what_housner_says(void **state) {
    (void)state;
    static const double alpha[] = {0.1, 0.2, 0.3}, housner[] = {0.98504993, 0.94079575, 0.86900171};
    for (int i = 0; i < 3; i++) {
        double lost, r = ratio(alpha[i], "law: stick", &lost);
        check_near(1.0 - 1.5 * sin(alpha[i]) * sin(alpha[i]), housner[i], 5e-9);
        check_near(r, housner[i], 1e-8);
        check_near(r, 1.0 - 1.5 * sin(alpha[i]) * sin(alpha[i]), 1e-13); /* 3.3e-16 */
        check_below(lost, 1e-14, 2.0e-15);
    }
}

/* the same block as a box on a plane: its corners are found by themselves; in a plane, and free in space */
static void as_a_form_on_an_obstacle_it_is_the_same(void **state) {
    (void)state;
    static const char format[] =
        "zwang: 1\nparameters: {alpha: 0.2, b: tan(alpha), R: 1/cos(alpha), beta: pi/2 - alpha + 0.05}\ngravity: [0, -9.81, 0]\nbodies:\n  block:\n"
        "    rigid: {box: {size: [2*b, 2, 0.5]}, mass: 3, at: [R*cos(beta), R*sin(beta), 0], turn: [0, 0, 0.05]%s}\n"
        "obstacles: {floor: {plane: {normal: [0, 1, 0]}}}\ncontact: {law: stick}\nrun: {until: 0.4, integrator: gauss}\n";
    static ledger l;
    for (int i = 0; i < 2; i++) {
        char text[sizeof format + 40];
        snprintf(text, sizeof text, format, i == 0 ? ", plane: [0, 0, 1]" : "");
        ledger_open(&l, text);
        ledger_finish(&l);
        const kept_event *e = ledger_find(&l, ZW_EVENT_IMPACT, 0);
        assert_int_equal(e->e.ncontacts, 4);
        double before = 0.0, after = 0.0; /* the two corners that hit, the two that leave */
        for (int k = 0; k < 4; k++) {
            before = fmin(before, e->contact[k].before);
            after = fmax(after, e->contact[k].after);
        }
        check_near(-after / before, 1.0 - 1.5 * sin(0.2) * sin(0.2), 1e-12);
        assert_int_equal(ledger_summary(&l).impacts, 1);
        check_below(ledger_summary(&l).energy_drift_max, 1e-12, 2.3e-14);
        fixture_close(&l.f);
    }
}

/* plastic without friction: the corners slide, and the spin after the impact is another one */
static void without_friction_it_does_not(void **state) {
    (void)state;
    for (int i = 1; i <= 3; i++) {
        double lost, alpha = 0.1 * i, r = ratio(alpha, "law: moreau, restitution: 0", &lost);
        assert_true(fabs(r - (1.0 - 1.5 * sin(alpha) * sin(alpha))) > 0.01);
        check_below(lost, 1e-14, 1.6e-15);
    }
}

static void it_rocks_on_and_comes_no_higher(void **state) {
    (void)state;
    static ledger l;
    char          text[sizeof block + 120];
    snprintf(text, sizeof text, block, 0.2, "law: stick", 3.0);
    ledger_open(&l, text);
    ledger_finish(&l);
    zw_summary s = ledger_summary(&l);
    assert_true(s.impacts >= 4);
    assert_int_equal(s.impacts + 1, s.rests);
    assert_int_equal(s.impacts, s.releases);
    check_below(s.energy_drift_max, 1e-12, 4.8e-14);
    check_below(s.constraint_position_max, 1e-14, 8.9e-16);
    check_below(s.constraint_velocity_max, 1e-14, 1.7e-16);
    fixture_close(&l.f);
}

/* a table shaken with more than g, a mass on it that is pulled sideways: it does not move along the table while it is pressed, and leaves it where
 * 9.81 = 20 sin(20 t); when it comes down again, it stays where it falls */
static void a_mass_leaves_where_nothing_presses_it(void **state) {
    (void)state;
    static ledger     l;
    static const char text[] =
        "zwang: 1\nbodies: {p: {lagrangian: {coordinates: [x, y], kinetic: (xdot^2 + ydot^2)/2, potential: 9.81*y - 2*x,\n"
        "  points: {a: {position: [x, y, 0]}}}}}\n"
        "constraints: {table: {unilateral: \"y >= 0.05*sin(20*t)\", on: p, points: [a]}}\ncontact: {law: stick}\n"
        "run: {until: 0.5, integrator: gauss}\n";
    ledger_open(&l, text);
    ledger_finish(&l);
    zw_summary s = ledger_summary(&l);
    double     left = ledger_find(&l, ZW_EVENT_RELEASE, 0)->e.t, back = ledger_find(&l, ZW_EVENT_IMPACT, 1)->e.t;
    check_near(left, asin(9.81 / 20.0) / 20.0, 1e-13);
    assert_true(back > left && ledger_find(&l, ZW_EVENT_RELEASE, 1)->e.t > back);
    const kept_event *e = ledger_find(&l, ZW_EVENT_IMPACT, 1);
    check_near(e->contact[0].slide, 2.0 * (back - left), 1e-12);
    double again = ledger_find(&l, ZW_EVENT_RELEASE, 1)->e.t;
    check_near(zw_run_state(l.f.r)->q[0], (back - left) * (back - left) + (0.5 - again) * (0.5 - again), 1e-12);
    check_below(s.energy_drift_max, 1e-11, 1.2e-13);
    fixture_close(&l.f);
}

/* A thin rod that turns about its foot: N/m = g - (w^2 cos + w' sin)/2 reaches 0 where the floor still has to push it along; without that push the foot would go
 * into the floor. The law has no answer, and says so. */
static void where_the_law_has_no_answer_it_is_an_error(void **state) {
    (void)state;
    fixture           f;
    static const char text[] =
        "zwang: 1\ngravity: [0, -9.81, 0]\nbodies:\n  rod:\n"
        "    rigid: {mass: 2, inertia: [2/12, 2/12, 2/12], at: [0, 0.5, 0], velocity: [2, 0, 0], spin: [0, 0, -4], plane: [0, 0, 1],\n"
        "            points: {foot: [0, -0.5, 0]}}\n"
        "constraints: {floor: {unilateral: y >= 0, on: rod, points: [foot]}}\ncontact: {law: stick}\n"
        "run: {until: 0.2, integrator: gauss}\n";
    fixture_run(&f, text);
    zw_status status = ZW_OK;
    while (status == ZW_OK && !zw_run_done(f.r)) {
        status = zw_run_advance(f.r, 100);
    }
    assert_int_equal(status, ZW_E_CONVERGENCE);
    assert_non_null(strstr(fixture_error(&f)->message, "has no answer for the 1 contacts"));
    fixture_close(&f);
}

/* a block whose corners begin to stick while it slides trips: it turns about the leading one, m v h = (I + m R^2) w */
static void a_block_that_slides_trips(void **state) {
    (void)state;
    static ledger     l;
    static const char text[] = "zwang: 1\nbodies:\n  block:\n"
                               "    rigid: {mass: 3, inertia: [1, 1, 1], at: [0, 1, 0], velocity: [0.5, 0, 0], plane: [0, 0, 1],\n"
                               "            points: {left: [-1, -1, 0], right: [1, -1, 0]}}\n"
                               "constraints: {floor: {unilateral: y >= 0, on: block, points: [left, right]}}\ncontact: {law: stick}\n"
                               "run: {until: 0.01, integrator: gauss}\n";
    ledger_open(&l, text);
    fixture_must(&l.f, zw_run_advance(l.f.r, 0), "zw_run_advance");
    const zw_event_record *e = &ledger_find(&l, ZW_EVENT_IMPACT, 0)->e;
    check_near(spin(&l), -1.5 / 7.0, 1e-15);
    check_near(e->dissipated, 0.375 - 0.5 * 7.0 * (1.5 / 7.0) * (1.5 / 7.0), 1e-15);
    check_near(e->contact[1].slide, 1.5 - 3.0 * 1.5 / 7.0, 1e-15);
    check_near(e->contact[0].impulse, 0.0, 0.0);
    fixture_close(&l.f);
}

/* on a slope it stays: two corners in a plane, four in space */
static void what_rests_on_a_slope_stays(void **state) {
    (void)state;
    static ledger            l;
    static const char *const text[] = {
        "zwang: 1\ngravity: [3, -9.81, 0]\nbodies:\n  block:\n"
        "    rigid: {mass: 3, inertia: [1, 1, 1], at: [0, 1, 0], plane: [0, 0, 1],\n"
        "            points: {left: [-1, -1, 0], right: [1, -1, 0]}}\n"
        "constraints: {floor: {unilateral: y >= 0, on: block, points: [left, right]}}\ncontact: {law: stick}\n"
        "run: {until: 5, integrator: gauss}\n",
        "zwang: 1\ngravity: [2, 1, -9.81]\nbodies:\n  block:\n"
        "    rigid: {mass: 3, inertia: [1, 1, 1], at: [0, 0, 1],\n"
        "            points: {a: [-1, -1, -1], b: [1, -1, -1], c: [1, 1, -1], d: [-1, 1, -1]}}\n"
        "constraints: {floor: {unilateral: z >= 0, on: block, points: [a, b, c, d]}}\ncontact: {law: stick}\n"
        "run: {until: 5, integrator: gauss}\n"};
    for (int i = 0; i < 2; i++) {
        ledger_open(&l, text[i]);
        ledger_finish(&l);
        zw_summary s = ledger_summary(&l);
        check_near(largest(i == 0 ? 3 : 6, zw_run_state(l.f.r)->v), 0.0, 1e-14);
        check_near(zw_run_state(l.f.r)->q[0], 0.0, 1e-14);
        assert_int_equal(s.rests, 1);
        assert_int_equal(s.impacts + s.releases, 0);
        fixture_close(&l.f);
    }
}

/* a point of a lagrangian body, dropped on a slope: it stays where it falls; the body goes on turning about it */
static void a_point_of_a_lagrangian_sticks_too(void **state) {
    (void)state;
    static ledger     l;
    static const char text[] = "zwang: 1\nbodies:\n  rod:\n    lagrangian:\n      coordinates: [x, y, th]\n"
                               "      kinetic: (xdot^2 + ydot^2)/2 + thdot^2/24\n      potential: 9.81*y\n"
                               "      points: {low: {position: [x + cos(th)/2, y - sin(th)/2, 0]}}\n"
                               "      start: {x: 0, y: 1, th: 0.7, xdot: 0.3}\n"
                               "constraints: {slope: {unilateral: y + 0.2*x >= 0, on: rod, points: [low]}}\ncontact: {law: stick}\n"
                               "run: {until: 0.6, integrator: gauss}\n";
    ledger_open(&l, text);
    ledger_finish(&l);
    const double *q = zw_run_state(l.f.r)->q, *v = zw_run_state(l.f.r)->v;
    zw_summary    s = ledger_summary(&l);
    assert_int_equal(s.impacts, 1);
    assert_int_equal(s.rests, 1);
    check_near(v[0] - sin(q[2]) * v[2] / 2.0, 0.0, 1e-13);
    check_near(v[1] - cos(q[2]) * v[2] / 2.0, 0.0, 1e-13);
    check_below(s.energy_drift_max, 1e-12, 1.6e-14);
    fixture_close(&l.f);
}

static void refused(const char *text, zw_status code, const char *message) {
    fixture f;
    fixture_parse(&f, text);
    zw_status status = zw_run_create(f.m, &f.r);
    assert_int_equal(status, code);
    if (strstr(fixture_error(&f)->message, message) == NULL) {
        print_error("%s\n", fixture_error(&f)->message);
        fail_msg("expected '%s'", message);
    }
    fixture_close(&f);
}

static void what_cannot_stick_is_refused(void **state) {
    (void)state;
#define FALL \
    "zwang: 1\nbodies: {p: {lagrangian: {coordinates: [y], kinetic: ydot^2/2, points: {a: {position: [0, y, 0]}}, start: {y: 1}}}}\ncontact: {law: stick}\n"
    refused(FALL "constraints: {floor: {unilateral: y >= 0, on: p}}\nrun: {until: 1, integrator: gauss}\n", ZW_E_UNSUPPORTED,
            "needs a point of a body");
    refused(
        "zwang: 1\nbodies: {ball: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [0, 0, 1]}}}\nobstacles: {floor: {plane: {normal: [0, 0, 1]}}}\n"
        "contact: {law: stick}\nrun: {until: 1, integrator: gauss}\n",
        ZW_E_UNSUPPORTED, "needs a point of a body");
    refused(FALL "constraints: {floor: {unilateral: y >= 0, on: p, points: [a], restitution: 0.5}}\nrun: {until: 1, integrator: gauss}\n",
            ZW_E_MODEL, "stick is plastic");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rocking_block_loses_what_housner_says),
        cmocka_unit_test(as_a_form_on_an_obstacle_it_is_the_same),
        cmocka_unit_test(without_friction_it_does_not),
        cmocka_unit_test(it_rocks_on_and_comes_no_higher),
        cmocka_unit_test(a_mass_leaves_where_nothing_presses_it),
        cmocka_unit_test(where_the_law_has_no_answer_it_is_an_error),
        cmocka_unit_test(a_block_that_slides_trips),
        cmocka_unit_test(what_rests_on_a_slope_stays),
        cmocka_unit_test(a_point_of_a_lagrangian_sticks_too),
        cmocka_unit_test(what_cannot_stick_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

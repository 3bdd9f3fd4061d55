/* SPDX-License-Identifier: Apache-2.0
 * test_chopstick.c: the chopstick in a bowl, where the paper began: at rest over the rim, and swinging inside, its ends in contact that lasts. */
#include "support/ledger.h"

/* Rod of length l, one end on the bowl of radius R, lying over the rim: at rest where 4 R cos 2th = l cos th, and elsewhere not.
 * The low end is at -R (cos 2th, sin 2th), the rim at (R, 0). */
static const char over_the_rim[] =
    "zwang: 1\nparameters: {R: 1, l: %.17g, off: %.17g, eq: acos((l + sqrt(l^2 + 128*R^2))/(16*R)), at: eq + off}\n"
    "bodies:\n  rod:\n    lagrangian:\n      coordinates: [x, y, th]\n      kinetic: (xdot^2 + ydot^2)/2 + l^2*thdot^2/24\n      potential: 9.81*y\n"
    "      points: {low: {position: [x - l/2*cos(th), y - l/2*sin(th), 0]}}\n"
    "      start: {x: -R*cos(2*at) + l/2*cos(at), y: -R*sin(2*at) + l/2*sin(at), th: at}\n"
    "constraints:\n"
    "  bowl: {unilateral: x^2 + y^2 <= R^2, on: rod, points: [low], restitution: 0}\n"
    "  rim: {unilateral: cos(th)*y - sin(th)*(x - R) >= 0, on: rod, restitution: 0}\n"
    "run: {until: %g, integrator: gauss}\n";

static void it_rests_over_the_rim_where_statics_says(void **state) {
    (void)state;
    static ledger l;
    char          text[sizeof over_the_rim + 100];
    for (int i = 0; i < 3; i++) {
        static const double length[] = {3.0, 2.6, 3.5};
        double              l0 = length[i], th = acos((l0 + sqrt(l0 * l0 + 128.0)) / 16.0);
        check_near(4.0 * cos(2.0 * th), l0 * cos(th), 1e-14);
        if (i == 0) {
            check_near(th * 180.0 / acos(-1.0), 23.213318, 5e-7);
        }
        snprintf(text, sizeof text, over_the_rim, l0, 0.0, 2.0);
        ledger_open(&l, text);
        ledger_finish(&l);
        zw_summary s = ledger_summary(&l);
        assert_int_equal(s.rests, 1);
        assert_int_equal(s.releases + s.impacts, 0);
        check_near(zw_run_state(l.f.r)->q[2], th, 1e-13);
        check_near(zw_run_state(l.f.r)->v[2], 0.0, 1e-13);
        fixture_close(&l.f);
    }
}

/* a little beside it swings about that angle: y(th) = -R sin 2th + l/2 sin th has its least value there */
static void beside_it_swings_about_that_angle(void **state) {
    (void)state;
    static ledger l;
    char          text[sizeof over_the_rim + 100];
    double        th = acos((3.0 + sqrt(9.0 + 128.0)) / 16.0), least = 10.0, most = 0.0;
    snprintf(text, sizeof text, over_the_rim, 3.0, 1e-3, 3.0);
    ledger_open(&l, text);
    while (!zw_run_done(l.f.r)) {
        fixture_must(&l.f, zw_run_advance(l.f.r, 1), "zw_run_advance");
        least = fmin(least, zw_run_state(l.f.r)->q[2]);
        most = fmax(most, zw_run_state(l.f.r)->q[2]);
    }
    check_near(most - th, 1e-3, 1e-9);
    check_near(least - th, -1e-3, 1e-5); /* the first turning point is only passed by steps */
    check_below(ledger_summary(&l).energy_drift_max, 1e-13, 2.2e-16);
    fixture_close(&l.f);
}

/* Half length a, h = sqrt(R^2 - a^2): sqrt(g h/(h^2 + a^2/3)) in its plane, sqrt(g/h) sideways. A quarter of a period after a start at 1e-4 it is in the middle */
static void it_swings_inside_as_two_pendulums(void **state) {
    (void)state;
    static const char format[] =
        "zwang: 1\nparameters: {a: 0.6, h: 0.8, d: 1e-4}\ngravity: [0, 0, -9.81]\nbodies:\n  stick:\n"
        "    rigid: {mass: 1, inertia: [1e-4, a^2/3, a^2/3], at: [%s], turn: [%s], points: {p: [a, 0, 0], q: [-a, 0, 0]}}\n"
        "constraints: {bowl: {unilateral: x^2 + y^2 + z^2 <= 1, on: stick, points: [p, q], restitution: 0}}\n"
        "run: {until: %.17g, integrator: gauss}\n";
    static const struct {
        const char *at, *turn;
        double      frequency;
        int         moves;
    } list[] = {{"-h*sin(d), 0, -h*cos(d)", "0, d, 0", 3.21345854, 0}, {"0, h*sin(d), -h*cos(d)", "d, 0, 0", 3.50178526, 1}};
    static ledger l;
    for (int i = 0; i < 2; i++) {
        double w = i == 0 ? sqrt(9.81 * 0.8 / (0.64 + 0.12)) : sqrt(9.81 / 0.8);
        char   text[sizeof format + 120];
        check_near(w, list[i].frequency, 5e-9);
        snprintf(text, sizeof text, format, list[i].at, list[i].turn, acos(-1.0) / 2.0 / w);
        ledger_open(&l, text);
        ledger_finish(&l);
        zw_summary s = ledger_summary(&l);
        assert_int_equal(s.rests, 1);
        assert_int_equal(s.releases + s.impacts, 0);
        check_near(zw_run_state(l.f.r)->q[list[i].moves] / 0.8e-4, 0.0,
                   5e-9); /* 9.8e-10, which the amplitude itself makes; part of a radian of phase */
        fixture_close(&l.f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_rests_over_the_rim_where_statics_says),
        cmocka_unit_test(beside_it_swings_about_that_angle),
        cmocka_unit_test(it_swings_inside_as_two_pendulums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

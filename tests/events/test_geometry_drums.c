/* SPDX-License-Identifier: Apache-2.0
 * test_geometry_drums.c: lasting contacts of drums with boxes and planes, drums on tables that move, hulls of many points, and small fast bodies that do not
 * pass through thin ones. */
#include "support/ledger.h"

#define DRUM(at, more) \
    "zwang: 1\ngravity: [0, 0, -9.81]\nbodies: {d: {rigid: {cylinder: {radius: 0.2, length: 0.3}, mass: 1, at: " at more "}}}\n"
#define TABLE          "obstacles: {table: {box: {size: [1, 1, 1]}}}\n"
#define FLOOR          "obstacles: {floor: {plane: {normal: [0, 0, 1]}}}\n"
#define PLASTIC(until) "contact: {restitution: 0, law: moreau}\nrun: {until: " until ", integrator: gauss}\n"

static void run_to_end(ledger *l, const char *text) {
    ledger_open(l, text);
    ledger_finish(l);
}

/* falls flat onto a table, and stands */
static void a_drum_stands_on_a_box(void **state) {
    (void)state;
    static ledger l;
    run_to_end(&l, DRUM("[0.1, 0, 0.7]", "") TABLE PLASTIC("0.6"));
    check_near(ledger_find(&l, ZW_EVENT_IMPACT, 0)->e.t, sqrt(2.0 * 0.05 / 9.81), 1e-13);
    assert_int_equal(ledger_find(&l, ZW_EVENT_IMPACT, 0)->e.ncontacts, 4);
    const zw_state *x = zw_run_state(l.f.r);
    check_near(x->q[2], 0.65, 1e-14);
    check_below(zw_v3_norm(x->v) + zw_v3_norm(x->v + 3), 1e-13, 0.0);
    check_below(ledger_summary(&l).energy_drift_max, 1e-12, 3.6e-15);
    fixture_close(&l.f);
}

/* lands on its rim, and comes to lie flat */
static void a_tilted_drum_comes_to_lie_flat(void **state) {
    (void)state;
    static ledger l;
    run_to_end(&l, DRUM("[0.1, 0, 0.9]", ", turn: [0.5, 0.2, 0]") TABLE PLASTIC("0.5"));
    const zw_state *x = zw_run_state(l.f.r);
    check_near(x->q[2], 0.65, 1e-12);
    check_below(zw_v3_norm(x->v) + zw_v3_norm(x->v + 3), 1e-12, 4.6e-33);
    check_below(ledger_summary(&l).energy_drift_max, 1e-12, 5.8e-15);
    fixture_close(&l.f);
}

/* slides flat over the edge of a table: it tips when its middle is above the edge, at 0.2 s */
static void a_standing_drum_slides_off(void **state) {
    (void)state;
    static ledger l;
    run_to_end(&l, DRUM("[0.4, 0.05, 0.65]", ", velocity: [0.5, 0, 0]") TABLE PLASTIC("0.4"));
    check_near(ledger_find(&l, ZW_EVENT_RELEASE, 0)->e.t, 0.2, 1e-8); /* openings are seen from 1e-9 of their terms on: 2.2e-9 */
    assert_int_equal(ledger_summary(&l).impacts, 0);
    check_below(ledger_summary(&l).energy_drift_max, 1e-12, 5.9e-14);
    fixture_close(&l.f);
}

/* on its side it goes on as it was thrown, sliding and turning, on a plane */
static void a_drum_rolls_on_its_side(void **state) {
    (void)state;
    static ledger l;
    run_to_end(&l, DRUM("[0, 0, 0.2]", ", turn: [pi/2, 0, 0], velocity: [1, 0, 0], spin: [0, 0, 5]") FLOOR PLASTIC("0.5"));
    const zw_state *x = zw_run_state(l.f.r);
    check_near(x->q[0], 0.5, 1e-13);
    check_near(x->q[2], 0.2, 1e-14);
    check_near(zw_v3_norm(x->v), 5.0, 1e-13);
    assert_int_equal(ledger_summary(&l).releases, 0);
    check_below(ledger_summary(&l).energy_drift_max, 1e-13, 4.4e-16);
    fixture_close(&l.f);
}

/* and on a box, over whose edge it goes without friction: the edge takes over where the middle has passed it, and it leaves there as a particle does from a
 * round corner of its own radius: g cos a = v^2/r */
static void a_drum_rolls_off_a_box(void **state) {
    (void)state;
    static ledger l;
    run_to_end(&l, DRUM("[0, 0, 0.7]", ", turn: [pi/2, 0, 0], velocity: [1, 0, 0]") TABLE PLASTIC("0.8"));
    zw_summary        s = ledger_summary(&l);
    const kept_event *last = NULL;
    for (int64_t i = 0; i < l.count; i++) {
        last = l.kept[i].e.kind == ZW_EVENT_RELEASE ? &l.kept[i] : last;
    }
    assert_non_null(last);
    double          angle = acos((1.0 / (9.81 * 0.2) + 2.0) / 3.0); /* v^2 = 1 + 2 g r (1 - cos a) */
    const zw_state *x = zw_run_state(l.f.r);
    double          vx = sqrt(1.0 + 2.0 * 9.81 * 0.2 * (1.0 - cos(angle))) * cos(angle);
    assert_int_equal(s.impacts, 0);
    check_near(x->v[3], vx, 1e-11); /* 5.5e-14 */
    check_below(s.energy_drift_max, 1e-12, 8.6e-14);
    fixture_close(&l.f);
}

/* a table that shakes with more than g throws the drum: 9.81 = 20 sin(20 t) */
static void a_shaken_table_throws_the_drum(void **state) {
    (void)state;
    static ledger l;
    run_to_end(&l, DRUM("[0.1, 0, 0.65]",
                        "") "obstacles: {table: {box: {size: [1, 1, 1]}, motion: {shift: [0, 0, 0.05*sin(20*t)]}}}\n" PLASTIC("0.15"));
    check_near(ledger_find(&l, ZW_EVENT_RELEASE, 0)->e.t, asin(9.81 / 20.0) / 20.0, 1e-9);
    assert_int_equal(ledger_find(&l, ZW_EVENT_RELEASE, 0)->e.ncontacts, 4);
    assert_true(zw_run_state(l.f.r)->q[2] > 0.65);
    fixture_close(&l.f);
}

/* small bodies of all forms shot through a plate a tenth as thick as they are long, at steps from a hundredth of the way to all of it; one plate moves */
static void bullets_do_not_pass_a_plate(void **state) {
    (void)state;
    static ledger            l;
    static const double      step[] = {1e-3, 0.0123, 0.1};
    static const char *const form[] = {"cylinder: {radius: 0.001, length: 0.004}", "capsule: {radius: 0.001, length: 0.004}",
                                       "box: {size: [0.002, 0.001, 0.004]}"};
    static const char *const plate[] = {"p: {box: {size: [2, 2, 0.0004]}}", "p: {cylinder: {radius: 1, length: 0.0004}}",
                                        "p: {box: {size: [2, 2, 0.0004]}, motion: {shift: [0, 0, 0.2*sin(30*t)]}}"};
    char                     text[700];
    for (int k = 0; k < 27; k++) {
        snprintf(
            text, sizeof text,
            "zwang: 1\nbodies: {b: {rigid: {%s, mass: 1, inertia: [1, 1, 1], at: [0.1, 0.07, 1], turn: [0.3, 0.5, 0.2], velocity: [0.3, 0.2, -100], spin: [20, 30, 10]}}}\n"
            "obstacles: {%s}\ncontact: {restitution: 1}\nrun: {until: 0.0105, integrator: gauss, step: %g}\n",
            form[k % 3], plate[k / 3 % 3], fmin(step[k / 9], 0.0105));
        run_to_end(&l, text);
        assert_true(ledger_summary(&l).impacts >= 1);
        assert_true(zw_run_state(l.f.r)->q[2] > 0.0);
        fixture_close(&l.f);
    }
}

/* a hull of 150 points on a ball bounces off a table about as the ball does */
static void a_hull_of_many_points_bounces(void **state) {
    (void)state;
    static ledger l;
    static char   text[12000] = "zwang: 1\ngravity: [0, 0, -9.81]\nbodies: {d: {rigid: {hull: {points: [";
    size_t        used = strlen(text);
    for (int i = 0; i < 150; i++) {
        double z = 1.0 - 2.0 * (i + 0.5) / 150.0, a = 2.399963 * i, s = sqrt(1.0 - z * z);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s[%.9g, %.9g, %.9g]", i ? ", " : "", 0.2 * s * cos(a), 0.2 * s * sin(a),
                                 0.2 * z);
    }
    snprintf(text + used, sizeof text - used,
             "]}, mass: 1, at: [0.1, 0, 0.8]}}}\n" TABLE "contact: {restitution: 1, law: moreau}\nrun: {until: 0.2, integrator: gauss}\n");
    run_to_end(&l, text);
    assert_true(ledger_summary(&l).impacts >= 1);
    check_near(ledger_find(&l, ZW_EVENT_IMPACT, 0)->e.t, sqrt(2.0 * 0.1 / 9.81), 2e-3); /* its lowest corner is 0.7 % above the ball */
    check_below(ledger_summary(&l).energy_drift_max, 1e-13, 2e-15);
    fixture_close(&l.f);
}

static void restored_it_goes_on_bitwise(void **state) {
    static const int at[] = {1, 3, 6, 10};
    (void)state;
    ledger_restores(DRUM("[0.4, 0.05, 0.65]", ", velocity: [0.5, 0, 0]") TABLE PLASTIC("0.3"), (int)(sizeof at / sizeof at[0]), at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drum_stands_on_a_box),      cmocka_unit_test(a_tilted_drum_comes_to_lie_flat),
        cmocka_unit_test(a_standing_drum_slides_off),  cmocka_unit_test(a_drum_rolls_on_its_side),
        cmocka_unit_test(a_drum_rolls_off_a_box),      cmocka_unit_test(a_shaken_table_throws_the_drum),
        cmocka_unit_test(bullets_do_not_pass_a_plate), cmocka_unit_test(a_hull_of_many_points_bounces),
        cmocka_unit_test(restored_it_goes_on_bitwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

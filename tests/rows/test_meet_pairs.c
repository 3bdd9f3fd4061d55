/* SPDX-License-Identifier: Apache-2.0
 * test_meet_pairs.c: how many points a face has and what they are called; which pairs meet; starts that overlap; sides of the system; history; cost. */
#include "meeting.h"

#include <time.h>

/* ---- faces */
static int points_of(const char *text, double margin, bool *spread, const char *fail) {
    scene             s;
    int               n, again;
    const zw_meeting *m;
    int64_t           id[64];
    double            low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
    samples           r = {9};
    open(&s, text);
    find(&s, margin, &n, &m);
    assert_true(n <= 64);
    for (int i = 0; i < n; i++) {
        id[i] = m[i].id;
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], m[i].touch.a[k]);
            high[k] = fmax(high[k], m[i].touch.a[k]);
        }
        if (!(fabs(m[i].touch.gap) <= 1e-15)) {
            print_error("%s: gap %g\n", fail, m[i].touch.gap);
        }
        check_near(m[i].touch.gap, 0.0, 1e-15);
    }
    *spread = n > 0 && high[0] - low[0] > 0.3;
    /* the same ids wherever it is moved a little; the gaps stay within the margin */
    double dv[64];
    for (int k = 0; k < 5; k++) {
        sample_array(&r, 1e-7, dv, s.n.nv);
        fixture_must(&s.f, zw_system_start(s.f.y, &s.y), "start");
        zw_system_retract(s.f.y, s.y.q, dv, s.x.q);
        find(&s, margin, &again, &m);
        if (again != n) {
            print_error("%s: %d points, and %d after a small motion\n", fail, n, again);
        }
        assert_int_equal(again, n);
        for (int i = 0; i < n; i++) {
            if (m[i].id != id[i]) {
                print_error("%s: id %llx, and %llx after a small motion\n", fail, (unsigned long long)id[i], (unsigned long long)m[i].id);
            }
            assert_true(m[i].id == id[i]);
        }
    }
    shut(&s);
    return n;
}

#define TWO(form_a, form_b, at_b)                                                                                         \
    "zwang: 1\ncontact: {}\nbodies: {a: {rigid: {" form_a ", density: 1}}, b: {rigid: {" form_b ", density: 1, at: " at_b \
    "}}}\nrun: {until: 1, integrator: verlet}\n"

static void faces_have_enough_points(void **state) {
    (void)state;
    static const struct {
        const char *name, *text;
        int         n;
    } list[] = {
        {"box on plane", ON("box: {size: [1, 2, 0.5]}", "0.25"), 4},
        {"capsule on plane", ON("capsule: {radius: 0.2, length: 1}, turn: [0, 1.5707963267948966, 0]", "0.2"), 2},
        {"ball on plane", ON("sphere: {radius: 0.2}", "0.2"), 1},
        {"hull on plane", ON("hull: [[1,1,1], [-1,1,1], [1,-1,1], [-1,-1,1], [1,1,-1], [-1,1,-1], [1,-1,-1], [-1,-1,-1]]", "1"), 4},
        {"box on box", TWO("box: {size: [1, 1, 1]}", "box: {size: [1, 1, 1]}", "[0, 0, 1]"), 4},
        {"box aside on box", TWO("box: {size: [1, 1, 1]}", "box: {size: [1, 1, 1]}", "[0.4, 0.2, 1]"), 4},
        {"box small on box", TWO("box: {size: [1, 1, 1]}", "box: {size: [0.4, 0.5, 1]}", "[0.1, 0.2, 1]"), 4},
        {"box across box", TWO("box: {size: [3, 1, 1]}", "box: {size: [1, 3, 1]}", "[0.1, 0.2, 1]"), 4},
        {"box turned on box", TWO("box: {size: [1, 1, 1]}", "box: {size: [1, 1, 1]}, turn: [0, 0, 0.7853981633974483]", "[0, 0, 1]"), 8},
        {"capsule on box",
         TWO("box: {size: [1, 1, 1]}", "capsule: {radius: 0.2, length: 3}, turn: [0, 1.5707963267948966, 0]", "[0, 0, 0.7]"), 2},
        {"capsule on capsule", TWO("capsule: {radius: 0.2, length: 1}", "capsule: {radius: 0.3, length: 2}", "[0.5, 0, 0.2]"), 2},
        {"pole on pole", TWO("cylinder: {radius: 0.2, length: 1}", "cylinder: {radius: 0.3, length: 2}", "[0.5, 0, 0.2]"), 2},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        bool spread;
        int  n = points_of(list[i].text, 1e-5, &spread, list[i].name);
        if (n != list[i].n) {
            print_error("%s: %d points\n", list[i].name, n);
        }
        assert_int_equal(n, list[i].n);
    }
}

/* a drum that stands: four points that stay, and the lowest of the rim once it leans */
static void a_drum_stands(void **state) {
    (void)state;
    scene             s;
    int               n;
    const zw_meeting *m;
    open(&s, ON("cylinder: {radius: 0.5, length: 1}", "0.5"));
    find(&s, 1e-5, &n, &m);
    assert_int_equal(n, 4);
    double dv[6] = {1e-6, 2e-6, 0.0, 0.0, 0.0, 0.0}, least = 1.0;
    zw_system_retract(s.f.y, s.x.q, dv, s.y.q);
    memcpy(s.x.q, s.y.q, 7 * sizeof(double));
    find(&s, 1e-5, &n, &m);
    assert_int_equal(n, 5);
    for (int i = 0; i < n; i++) {
        least = fmin(least, m[i].touch.gap);
    }
    check_near(least, -0.5 * hypot(1e-6, 2e-6), 1e-11);
    shut(&s);
    open(&s, ON("cylinder: {radius: 0.5, length: 1}, turn: [0, 1.5707963267948966, 0]", "0.5"));
    find(&s, 1e-5, &n, &m);
    assert_int_equal(n, 2);
    shut(&s);
}

/* ---- pairs */
#define BALLS(more)                                                                                                                \
    "zwang: 1\nbodies: {a: {rigid: {sphere: {radius: 1}, mass: 1}}, b: {rigid: {sphere: {radius: 1}, mass: 1, at: [1.5, 0, 0]}}, " \
    "c: {rigid: {sphere: {radius: 1}, mass: 1, at: [3, 0, 0]}}}\n" more "run: {until: 1, integrator: verlet}\n"

static void pairs_are_chosen(void **state) {
    (void)state;
    scene             s;
    int               n;
    const zw_meeting *m;
    open(&s, BALLS("contact: {}\n"));
    find(&s, 0.0, &n, &m);
    assert_int_equal(n, 2);
    check_near(m[0].restitution, 1.0, 0.0);
    check_near(m[0].friction, 0.0, 0.0);
    shut(&s);
    open(
        &s,
        BALLS(
            "contact: {pairs: [[b, c], [a, f]], restitution: 0.5, friction: 0.25}\nobstacles: {f: {plane: {normal: [0, 0, 1], at: [0, 0, -0.5]}}}\n"));
    find(&s, 0.0, &n, &m);
    assert_int_equal(n, 2);
    assert_true(m[0].a == 0 && m[0].b == -1 && m[1].a == 1 && m[1].b == 2);
    check_near(m[1].restitution, 0.5, 0.0);
    check_near(m[1].friction, 0.25, 0.0);
    char name[100];
    zw_meet_name(s.s, &m[0], name, sizeof name);
    assert_string_equal(name, "a and f");
    zw_meet_name(s.s, &m[1], name, sizeof name);
    assert_string_equal(name, "b and c");
    shut(&s);
    open(&s, BALLS("contact: {loss: 0.75}\nconstraints: {k: {ball: [{body: a, at: [0.75, 0, 0]}, {body: b, at: [-0.75, 0, 0]}]}}\n"));
    find(&s, 0.0, &n, &m);
    assert_int_equal(n, 1); /* a and b are joined */
    assert_true(m[0].a == 1 && m[0].b == 2);
    check_near(m[0].restitution, 0.5, 1e-16);
    shut(&s);
    fixture  f;
    zw_meet *none;
    fixture_system(&f, BALLS(""));
    fixture_must(&f, zw_meet_create(f.y, &none), "zw_meet_create");
    assert_null(none);
    fixture_close(&f);
}

static void an_overlap_at_the_start_is_named(void **state) {
    (void)state;
    scene s;
    open(&s, BALLS("contact: {}\n"));
    assert_int_equal(zw_meet_check_start(s.s, &s.x), ZW_E_MODEL);
    const zw_error *e = fixture_error(&s.f);
    assert_string_equal(e->subject, "a and b");
    assert_non_null(strstr(e->message, "0.5"));
    assert_string_equal(e->file, "test.yaml");
    assert_int_equal(e->line, 2);
    shut(&s);
    open(&s, ON("box: {size: [1, 2, 0.5]}", "0.25"));
    fixture_must(&s.f, zw_meet_check_start(s.s, &s.x), "a start that touches");
    shut(&s);
    fixture  f;
    zw_meet *none;
    fixture_system(
        &f,
        "zwang: 1\nbodies:\n  r: {rod: {length: 1, elements: 4, at: [0, 0, 1], section: {stretch: 1, shear: 1, bending: [1, 1], torsion: 1, "
        "mass: 1, inertia: [1, 1, 2]}}}\nobstacles: {f: {plane: {normal: [0, 0, 1]}}}\nrun: {until: 1, integrator: verlet}\n");
    assert_int_equal(zw_meet_create(f.y, &none), ZW_E_MODEL);
    assert_non_null(strstr(fixture_error(&f)->message, "radius"));
    fixture_close(&f);
}

/* ---- sides of the system */
static void expressions_and_limits_are_meetings(void **state) {
    (void)state;
    scene             s;
    int               n;
    const zw_meeting *m;
    char              name[100];
    open(&s, "zwang: 1\nbodies: {b: {rigid: {sphere: {radius: 0.5}, mass: 1, at: [0, 0, 0.25], points: {p: [0, 0, 0]}}}}\n"
             "constraints: {wall: {unilateral: x - 0.1*t <= 0.2, on: b, points: [p], restitution: 0.5}}\n"
             "obstacles: {f: {plane: {normal: [0, 0, 1]}}}\nrun: {until: 1, integrator: verlet}\n");
    find(&s, 0.1, &n, &m);
    assert_int_equal(n, 1);
    find(&s, 0.3, &n, &m);
    assert_int_equal(n, 2);
    assert_true(m[1].side == 0 && m[1].a < 0 && m[1].id > m[0].id);
    check_near(m[1].touch.gap, 0.2, 1e-16);
    check_near(m[1].drift, 0.1, 1e-16);
    check_near(m[1].restitution, 0.5, 0.0);
    zw_meet_name(s.s, &m[1], name, sizeof name);
    assert_string_equal(name, "wall");
    fixture_must(&s.f, zw_meet_row(s.s, &s.x, &m[1], &s.rows), "zw_meet_row");
    assert_true(s.tile[0].id == m[1].id);
    shut(&s);
    open(&s, "zwang: 1\nbodies: {b: {rigid: {mass: 1, inertia: [1, 1, 1]}}}\n"
             "constraints: {h: {hinge: {body: b}, axis: [0, 0, 1], limits: [-0.5, 0.25]}}\nrun: {until: 1, integrator: verlet}\n");
    find(&s, 1.0, &n, &m);
    assert_int_equal(n, 2);
    check_near(fmin(m[0].touch.gap, m[1].touch.gap), 0.25, 1e-15);
    check_near(fmax(m[0].touch.gap, m[1].touch.gap), 0.5, 1e-15);
    shut(&s);
}

/* ---- the same bits from two objects, whatever they have seen before */
static void answers_do_not_depend_on_history(void **state) {
    (void)state;
    scene    s;
    samples  r = {321};
    zw_meet *fresh;
    open(&s, ZOO);
    for (int k = 0; k < 5; k++) {
        int               n, again;
        const zw_meeting *m, *w;
        scatter(&s, &r, 1.6);
        find(&s, 0.3 * k, &n, &m);
        fixture_must(&s.f, zw_meet_create(s.f.y, &fresh), "zw_meet_create");
        fixture_must(&s.f, zw_meet_find(fresh, &s.x, 0.3 * k, &again, &w), "zw_meet_find");
        assert_int_equal(n, again);
        for (int i = 0; i < n; i++) {
            assert_true(m[i].id == w[i].id && memcmp(&m[i].touch, &w[i].touch, sizeof m[i].touch) == 0 && m[i].drift == w[i].drift);
        }
        zw_meet_destroy(fresh);
    }
    shut(&s);
}

/* ---- cost: balls in a cubic grid on a plane. Measured on one core of a busy machine: 1000 balls with 2800 meetings 1.3 ms a find,
 * 8000 balls with 23200 meetings 12 ms */
static void cost_is_linear(void **state) {
    (void)state;
    double per[2];
    for (int k = 0; k < 2; k++) {
        int    side = k ? 20 : 10, count = side * side * side, n;
        size_t size = 2000 + 90 * (size_t)count, used = 0;
        char  *text = malloc(size);
        assert_non_null(text);
        used += (size_t)snprintf(text, size, "zwang: 1\nobstacles: {f: {plane: {normal: [0, 0, 1], at: [0, 0, -0.5]}}}\nbodies:\n");
        for (int i = 0; i < count; i++) {
            used += (size_t)snprintf(text + used, size - used, "  b%d: {rigid: {sphere: {radius: 0.5}, mass: 1, at: [%d, %d, %d]}}\n", i,
                                     i % side, i / side % side, i / side / side);
        }
        snprintf(text + used, size - used, "run: {until: 1, integrator: verlet}\n");
        scene             s;
        const zw_meeting *m;
        open(&s, text);
        find(&s, 0.01, &n, &m);
        assert_int_equal(n, 3 * side * side * (side - 1) + side * side);
        clock_t begin = clock();
        for (int i = 0; i < 5; i++) {
            find(&s, 0.01, &n, &m);
        }
        per[k] = (double)(clock() - begin) / CLOCKS_PER_SEC / 5.0;
        print_message("%d balls: %d meetings, %.3g s a find\n", count, n, per[k]);
        shut(&s);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_have_enough_points),
        cmocka_unit_test(a_drum_stands),
        cmocka_unit_test(pairs_are_chosen),
        cmocka_unit_test(an_overlap_at_the_start_is_named),
        cmocka_unit_test(expressions_and_limits_are_meetings),
        cmocka_unit_test(answers_do_not_depend_on_history),
        cmocka_unit_test(cost_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

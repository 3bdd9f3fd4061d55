/* SPDX-License-Identifier: Apache-2.0
 * test_path.c: paths of equilibria inside the library: values that are met, numbers of eigenvalues below 0, limits and bifurcations, branches, free directions, failures that
 * keep what was found. Numbers against references are in tests/cli/test_statics.py. */
#include "analysis/path.h"

#include "support/model.h"

#include <limits.h>
#include <math.h>

enum { MOST = 400 };

typedef struct seen {
    fixture         f;
    zw_path_info    info;
    int             n, nspecial;
    zw_path_point   point[MOST];
    double          tip[MOST][3];
    zw_path_special special[MOST];
} seen;

static zw_status on_point(void *self, const zw_path_point *p) {
    seen *s = self;
    assert_true(s->n < MOST);
    zw_size n = zw_system_size(p->system);
    s->point[s->n] = *p;
    if (n.nq >= ZW_ROD_NQ) { /* the last node */
        memcpy(s->tip[s->n], p->x->q + n.nq - ZW_ROD_NQ, sizeof s->tip[0]);
    }
    s->n++;
    return ZW_OK;
}

static zw_status on_special(void *self, const zw_path_special *x) {
    seen *s = self;
    assert_true(s->nspecial < MOST);
    s->special[s->nspecial++] = *x;
    return ZW_OK;
}

static zw_status follow(seen *s, const char *text, const char *parameter, double from, double to, int points, int branches) {
    memset(s, 0, sizeof *s);
    fixture_parse(&s->f, text);
    zw_path_def def = {.parameter = parameter,
                       .from = from,
                       .to = to,
                       .points = points,
                       .branches = branches,
                       .self = s,
                       .point = on_point,
                       .special = on_special};
    return zw_path_follow(s->f.m, &def, &s->info);
}

#define COLUMN                                                                                                                        \
    "zwang: 1\nparameters: {P: 0}\nbodies: {b: {rod: {length: 1, elements: 8, section: {bending: [1, %s], torsion: 1, stretch: 1e4, " \
    "shear: 1e4, mass: 1, inertia: 1e-3}}}}\nconstraints: {root: {clamp: b, s: 0}}\nloads: {p: {force: [0, 0, -P], on: b, s: end}}\n" \
    "statics: {vary: P, to: 8}\n"

/* one eigenvalue in each plane of bending goes through 0: apart where the planes differ, together where they do not */
static void a_column_buckles_in_its_two_planes(void **state) {
    (void)state;
    static seen s;
    char        text[1000];
    snprintf(text, sizeof text, COLUMN, "2");
    fixture_must(&s.f, follow(&s, text, "P", 0.0, 8.0, 5, 0), "zw_path_follow");
    assert_int_equal(s.n, 5);
    assert_int_equal(s.nspecial, 2);
    for (int i = 0; i < 2; i++) {
        double euler = (i + 1) * 9.869604401089358 / 4.0;
        assert_int_equal(s.special[i].kind, ZW_PATH_BIFURCATION);
        assert_int_equal(s.special[i].multiplicity, 1);
        check_below(fabs(s.special[i].parameter / euler - 1.0), 5e-3, 3.2e-3);
        check_below(fabs(s.special[1].parameter / s.special[0].parameter - 2.0), 1e-5, 1.6e-6);
    }
    for (int i = 0; i < s.n; i++) {
        double p = 2.0 * i;
        assert_int_equal(s.point[i].below, (p > s.special[0].parameter) + (p > s.special[1].parameter));
        check_near(s.point[i].parameter, p, 1e-15);
        check_below(hypot(s.tip[i][0], s.tip[i][1]), 1e-14, 0.0);
    }
    fixture_close(&s.f);

    snprintf(text, sizeof text, COLUMN, "1");
    fixture_must(&s.f, follow(&s, text, "P", 0.0, 8.0, 5, 0), "zw_path_follow");
    assert_int_equal(s.nspecial, 1);
    assert_int_equal(s.special[0].multiplicity, 2);
    fixture_close(&s.f);
}

static void branches_leave_both_ways_and_are_stable(void **state) {
    (void)state;
    static seen s;
    char        text[1000];
    snprintf(text, sizeof text, COLUMN, "3");
    fixture_must(&s.f, follow(&s, text, "P", 0.0, 4.0, 5, INT_MAX), "zw_path_follow");
    assert_int_equal(s.info.branches, 2);
    double end[3][3] = {{0}};
    int    last[3] = {0};
    for (int i = 0; i < s.n; i++) {
        int b = s.point[i].branch;
        memcpy(end[b], s.tip[i], sizeof end[b]);
        last[b] = i;
        if (b > 0 && i > 0 && s.point[i - 1].branch == b) {
            assert_int_equal(s.point[i].below, 0);
        }
    }
    for (int b = 1; b <= 2; b++) {
        check_near(s.point[last[b]].parameter, 4.0, 1e-15);
        assert_true(fabs(end[b][1]) > 0.5 || fabs(end[b][0]) > 0.5);
    }
    check_below(hypot(end[1][0] + end[2][0], end[1][1] + end[2][1]), 1e-12, 0.0);
    check_below(fabs(end[1][2] - end[2][2]), 1e-12, 0.0);
    fixture_close(&s.f);
}

/* two stiff bars, a von Mises truss of rods: rise h, half span 1; the load P(w) = 2 EA (h - w)/1 (...) has two limits that are each other's negative about w = h */
static void a_truss_snaps_through_over_two_limits(void **state) {
    (void)state;
    static seen s;
    const char *text =
        "zwang: 1\nparameters: {P: 0}\nbodies:\n"
        "  a: {rod: {length: sqrt(1.04), elements: 1, along: [1, 0, 0.2], up: [0, 1, 0], section: {bending: [1e-6, 1], torsion: 1, stretch: 1000, shear: 1000, mass: 1, "
        "inertia: 1e-3}}}\n"
        "constraints:\n  foot: {hinge: a, s: 0, axis: [0, 1, 0]}\n  top: {clamp: a, s: end, fix: [x, y, rx, rz]}\n"
        "loads: {p: {force: [0, 0, -P], on: a, s: end}}\nstatics: {vary: P, to: 8}\n";
    fixture_must(&s.f, follow(&s, text, "P", 0.0, 8.0, 9, 0), "zw_path_follow");
    assert_int_equal(s.info.limits, 2);
    double l = sqrt(1.04), turn = sqrt(pow(l, 2.0 / 3.0) - 1.0),
           most = 0.0; /* P(z) = EA (l/sqrt(1 + z^2) - 1) z/l: turns where (1 + z^2)^(3/2) = l */
    most = 1000.0 * (l / sqrt(1.0 + turn * turn) - 1.0) * turn / l;
    for (int i = 0, k = 0; i < s.nspecial; i++) {
        if (s.special[i].kind == ZW_PATH_LIMIT) {
            check_below(fabs(s.special[i].parameter - (k == 0 ? most : -most)) / most, 1e-11, 1.1e-13);
            assert_int_equal(s.special[i].maximum, k == 0);
            k++;
        }
    }
    check_near(s.point[s.n - 1].parameter, 8.0, 1e-15);
    assert_true(s.tip[s.n - 1][2] < -0.2);
    fixture_close(&s.f);
}

static void a_free_turn_is_held_and_told(void **state) {
    (void)state;
    static seen s;
    const char *text =
        "zwang: 1\nparameters: {P: 0}\nbodies: {b: {rod: {length: 1, elements: 6, section: {bending: [1, 1], torsion: 1, stretch: 1e4, shear: 1e4, mass: 1, inertia: "
        "1e-3}}}}\nconstraints: {root: {ball: b, s: 0}, top: {clamp: b, s: end, fix: [x, y]}}\nloads: {p: {force: [0, 0, -P], on: b, s: end}}\n"
        "statics: {vary: P, to: 12}\n";
    fixture_must(&s.f, follow(&s, text, "P", 0.0, 12.0, 4, 1), "zw_path_follow");
    assert_int_equal(s.info.holds, 1);
    assert_non_null(strstr(s.info.free_way, "can turn freely about (0, 0, "));
    assert_int_equal(s.special[0].multiplicity, 2);
    check_below(fabs(s.special[0].parameter / 9.869604401089358 - 1.0), 5e-2, 2.3e-2);
    assert_true(s.info.branches >= 2);
    for (int i = 1; i < s.n; i++) {
        assert_true(s.point[i].branch == 0 || s.point[i - 1].branch != s.point[i].branch || s.point[i].below == 0);
    }
    fixture_close(&s.f);
}

/* a clamp that is moved: its rows depend on the parameter, not the loads */
static void a_prescribed_displacement_is_a_parameter_too(void **state) {
    (void)state;
    static seen s;
    const char *text =
        "zwang: 1\nparameters: {u: 0}\nbodies: {b: {rod: {length: 1, elements: 4, section: {bending: [1, 1], torsion: 1, stretch: 50, shear: 1e4, mass: 1, inertia: "
        "1e-3}}}}\nconstraints: {root: {clamp: b, s: 0}, top: {clamp: b, s: end, motion: {shift: [0, 0, u]}}}\nstatics: {vary: u, to: 0.1}\n";
    fixture_must(&s.f, follow(&s, text, "u", 0.0, 0.1, 3, 0), "zw_path_follow");
    assert_int_equal(s.n, 3);
    check_near(s.tip[2][2], 1.1, 1e-12);
    fixture_close(&s.f);
}

static void what_was_found_before_a_failure_was_told(void **state) {
    (void)state;
    static seen s;
    const char *text =
        "zwang: 1\nparameters: {M: 0}\nbodies: {b: {rod: {length: 1, elements: 2, along: [1, 0, 0], section: {bending: [1, 1], torsion: 1, stretch: 100, shear: 100, "
        "mass: 1, inertia: 1e-3}}}}\nconstraints: {root: {clamp: b, s: 0}}\nloads: {m: {moment: [0, 0, M], on: b, s: end}}\nstatics: {vary: M, to: 10}\n";
    assert_int_equal(follow(&s, text, "M", 0.0, 10.0, 11, 0), ZW_E_CONVERGENCE); /* more than pi per link */
    assert_true(s.n >= 6);
    assert_true(s.point[s.n - 1].parameter < 6.3);
    assert_non_null(strstr(fixture_error(&s.f)->message, "the path runs out at M = "));
    fixture_close(&s.f);

    text =
        "zwang: 1\nparameters: {P: 0}\nbodies: {b: {rod: {length: 1, elements: 2, section: {round: 0.1}, material: {density: 1, young: 1, poisson: 0}}}}\n"
        "statics: {vary: P, to: 1}\n";
    assert_int_equal(follow(&s, text, "P", 0.0, 1.0, 2, 0), ZW_E_MODEL);
    assert_int_equal(s.n, 0);
    assert_non_null(strstr(fixture_error(&s.f)->message, "a floating model has no equilibrium without a support"));
    fixture_close(&s.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_buckles_in_its_two_planes),           cmocka_unit_test(branches_leave_both_ways_and_are_stable),
        cmocka_unit_test(a_truss_snaps_through_over_two_limits),        cmocka_unit_test(a_free_turn_is_held_and_told),
        cmocka_unit_test(a_prescribed_displacement_is_a_parameter_too), cmocka_unit_test(what_was_found_before_a_failure_was_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

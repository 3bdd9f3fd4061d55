/* SPDX-License-Identifier: Apache-2.0
 * Rods against themselves and each other, step by step: a trefoil that is pulled tight, gently and violently, stays one and never enters itself; sticks that come by many
 * radii in one step do not pass through each other. */
#include "support/knot.h"
#include "support/model.h"

#include <stdio.h>

#define PI 3.14159265358979323846

enum { LINKS = 80, NODES = LINKS + 1 };
static const double RADIUS = 0.0075;

/* a loose overhand knot of length 1 */
#define KNOT                                                                                                                                            \
    "[-0.2660, 0.0000, 0.0000], [-0.2486, -0.0021, -0.0139], [-0.2292, -0.0044, -0.0255], [-0.2077, -0.0066, -0.0336], [-0.1848, -0.0087, -0.0379], "   \
    "[-0.1614, -0.0107, -0.0385], [-0.1379, -0.0125, -0.0361], [-0.1145, -0.0140, -0.0310], [-0.0913, -0.0154, -0.0240], [-0.0681, -0.0168, -0.0154], " \
    "[-0.0444, -0.0194, -0.0053], [-0.0199, -0.0261, 0.0054], [0.0044, -0.0419, 0.0081], [0.0225, -0.0536, -0.0092], [0.0329, -0.0480, -0.0323], "      \
    "[0.0368, -0.0295, -0.0492], [0.0356, -0.0054, -0.0559], [0.0302, 0.0186, -0.0522], [0.0218, 0.0384, -0.0399], [0.0114, 0.0513, -0.0215], "         \
    "[-0.0000, 0.0558, 0.0000], [-0.0114, 0.0513, 0.0215], [-0.0218, 0.0384, 0.0399], [-0.0302, 0.0186, 0.0522], [-0.0356, -0.0054, 0.0559], "          \
    "[-0.0368, -0.0295, 0.0492], [-0.0329, -0.0480, 0.0323], [-0.0225, -0.0536, 0.0092], [-0.0044, -0.0419, -0.0081], [0.0199, -0.0261, -0.0054], "     \
    "[0.0444, -0.0194, 0.0053], [0.0681, -0.0168, 0.0154], [0.0913, -0.0154, 0.0240], [0.1145, -0.0140, 0.0310], [0.1379, -0.0125, 0.0361], "           \
    "[0.1614, -0.0107, 0.0385], [0.1848, -0.0087, 0.0379], [0.2077, -0.0066, 0.0336], [0.2292, -0.0044, 0.0255], [0.2486, -0.0021, 0.0139], "           \
    "[0.2660, 0.0000, 0.0000]"

#define ROPE                                                                                                                                  \
    "zwang: 1\n"                                                                                                                              \
    "parameters: {T: %s, pull: 0.19}\n"                                                                                                       \
    "bodies:\n"                                                                                                                               \
    "  rope: {rod: {length: 1, elements: 80, section: {round: 0.0075}, material: {density: 1000, young: 1e6, poisson: 0.4, damping: 1e-3},\n" \
    "    shape: {points: [" KNOT "]}}}\n"                                                                                                     \
    "constraints:\n"                                                                                                                          \
    "  left: {clamp: rope, s: 0, fix: [x, y, z], motion: {shift: [\"if(t < T, -pull*(t/T)^2*(3 - 2*t/T), -pull)\", 0, 0]}}\n"                 \
    "  right: {clamp: rope, s: end, fix: [x, y, z], motion: {shift: [\"if(t < T, pull*(t/T)^2*(3 - 2*t/T), pull)\", 0, 0]}}\n"                \
    "contact: {self: true, restitution: 0}\n"                                                                                                 \
    "run: {until: 10, step: %s, integrator: %s}\n"

typedef struct seen {
    double deep; /* largest overlap over the diameter, all steps */
    double span; /* from end to end, last */
    double way;  /* largest of a node in a step over the radius */
    int    before, after;
} seen;

static void pull(const char *time, const char *step, const char *integrator, double h, int steps, seen *out) {
    static char   text[8000];
    static double last[7 * NODES];
    fixture       f;
    stepper       s;
    snprintf(text, sizeof text, ROPE, time, step, integrator);
    fixture_system(&f, text);
    stepper_open_by(&s, &f, integrator, h);
    *out = (seen){.before = knot_determinant(NODES, stepper_x(&s)->q, false)};
    for (int i = 0; i < steps; i++) {
        memcpy(last, stepper_x(&s)->q, sizeof last);
        stepper_go(&s, 1);
        const double *q = stepper_x(&s)->q;
        double        apart = knot_least(NODES, q, false, 1.0 / LINKS, 2.0 * RADIUS);
        out->deep = fmax(out->deep, (2.0 * RADIUS - apart) / (2.0 * RADIUS));
        for (int k = 0; k < NODES; k++) {
            out->way = fmax(out->way, zw_v3_distance(q + 7 * k, last + 7 * k) / RADIUS);
        }
    }
    const double *q = stepper_x(&s)->q;
    out->after = knot_determinant(NODES, q, false);
    out->span = zw_v3_distance(q, q + 7 * (NODES - 1));
    stepper_close(&s);
    fixture_close(&f);
}

static void a_trefoil_is_pulled_tight(void **state) {
    static const struct {
        const char *integrator, *step;
        double      h;
        int         steps;
        double      measured;
    } cases[] = {{"verlet", "3e-4", 3e-4, 2000, 1.7e-10}, {"energy-momentum", "2e-3", 2e-3, 300, 3.9e-15}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        seen s;
        pull("0.5", cases[i].step, cases[i].integrator, cases[i].h, cases[i].steps, &s);
        assert_int_equal(s.before, 3);
        assert_int_equal(s.after, 3);
        check_below(s.deep, 1e-8, cases[i].measured);
        assert_true(s.span > 0.9);
    }
}

/* ends torn apart at the speed of sound of the rope: nodes come by more than their radius in a step */
static void a_violent_pull_does_not_undo_it(void **state) {
    static const struct {
        const char *integrator, *time, *step;
        double      h;
        int         steps;
        double      measured;
    } cases[] = {{"verlet", "0.01", "3e-4", 3e-4, 150, 4.3e-11}, {"energy-momentum", "0.02", "1e-3", 1e-3, 40, 9.3e-16}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        seen s;
        pull(cases[i].time, cases[i].step, cases[i].integrator, cases[i].h, cases[i].steps, &s);
        assert_int_equal(s.after, 3);
        assert_true(s.way > 1.0);
        check_below(s.deep, 1e-8, cases[i].measured);
    }
}

#define STICK "elements: 10, section: {round: 1e-3}, material: {density: 1000, young: 1e8, poisson: 0.4, damping: 1e-4}"

/* one rod is thrown at another, by up to fifty radii in a step */
static void sticks_do_not_pass_through_each_other(void **state) {
    static const struct {
        const char *integrator;
        double      h, ways;
        int         steps;
    } cases[] = {{"verlet", 4e-6, 0.2, 1500}, {"energy-momentum", 1e-4, 4.9, 60}, {"energy-momentum", 1e-3, 49.0, 6}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        fixture f;
        stepper s;
        fixture_system(&f, "zwang: 1\n"
                           "bodies:\n"
                           "  a: {rod: {length: 1, at: [-0.47, 0.013, 0.1], along: [1, 0, 0], " STICK ", velocity: [0, 0, -50]}}\n"
                           "  b: {rod: {length: 1, at: [0.017, -0.48, 0], along: [0, 1, 0], " STICK "}}\n"
                           "constraints: {p: {clamp: b, s: 0, fix: [x, y, z]}, q: {clamp: b, s: end, fix: [x, y, z]}}\n"
                           "contact: {restitution: 0}\n"
                           "run: {until: 1, step: 1e-3}\n");
        stepper_open_by(&s, &f, cases[i].integrator, cases[i].h);
        double deep = -INFINITY, way = 0.0, high = 0.1;
        for (int step = 0; step < cases[i].steps; step++) {
            stepper_go(&s, 1);
            const double *q = stepper_x(&s)->q;
            double        least = INFINITY, side = 0.0;
            for (int a = 0; a < 10; a++) {
                for (int b = 0; b < 10; b++) {
                    const double *p = q + 7 * a, *r = q + 7 * (11 + b);
                    double        u[3], v[3], w[3], d[3], apart = knot_segments(p, p + 7, r, r + 7);
                    deep = fmax(deep, (2e-3 - apart) / 2e-3);
                    if (apart < least) { /* which side of b is a on, where they are nearest */
                        zw_v3_sub(u, p + 7, p);
                        zw_v3_sub(v, r + 7, r);
                        zw_v3_cross(w, u, v);
                        zw_v3_sub(d, p, r);
                        side = zw_v3_dot(d, w);
                        least = apart;
                    }
                }
            }
            assert_true(side > 0.0);
            way = fmax(way, (high - q[2]) / 1e-3);
            high = q[2];
        }
        check_below(deep, 1e-8, 9.2e-10);
        assert_true(way > cases[i].ways);
        stepper_close(&s);
        fixture_close(&f);
    }
}

/* the determinant itself: a round ring, the torus knots (2, 3) and (2, 5), the figure-eight knot: 1, 3, 5, 5 */
static void knots_are_told_apart(void **state) {
    static double    q[7 * 200];
    static const int expect[] = {1, 3, 5, 5};
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < 200; i++) {
            double t = 2.0 * PI * i / 200, p = kind == 1 ? 3.0 : 5.0, r = kind == 3 ? 2.0 + cos(2.0 * t) : 2.0 + cos(p * t);
            double turn = kind == 3 ? 3.0 * t : 2.0 * t;
            zw_v3_set(q + 7 * i, r * cos(turn), r * sin(turn), kind == 3 ? sin(4.0 * t) : sin(p * t));
            if (kind == 0) {
                zw_v3_set(q + 7 * i, cos(t), sin(t), 0.3 * sin(2.0 * t));
            }
        }
        assert_int_equal(knot_determinant(200, q, true), expect[kind]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knots_are_told_apart),
        cmocka_unit_test(a_trefoil_is_pulled_tight),
        cmocka_unit_test(a_violent_pull_does_not_undo_it),
        cmocka_unit_test(sticks_do_not_pass_through_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_energy_momentum.c: the implicit scheme keeps energy and momenta of rods, rigid bodies and joints to the tolerance of the solve, closes joints, converges with order 2, and accounts for
 * loads, moving clamps, springs and damping. */
#include "support/model.h"

#define SECTION "section: {round: 0.01}, material: {density: 1000, young: 1e8, poisson: 0.5}"

typedef struct drift {
    double energy, linear, angular, rows;
} drift;

static double energy_of(stepper *s) { /* minus work, plus what was dissipated */
    zw_account    a = stepper_account(s);
    const double *w = stepper_x(s)->w;
    return account_energy(&a) - w[ZW_W_WORK] + w[ZW_W_DISSIPATED];
}

static drift go(const char *text, double h, int steps) {
    fixture f;
    stepper s;
    drift   d = {0};
    double  g[200];
    fixture_system(&f, text);
    stepper_open_by(&s, &f, "energy-momentum", h);
    zw_account from = stepper_account(&s);
    double     start = energy_of(&s), scale = fabs(from.kinetic) + fabs(from.elastic);
    int        m = zw_system_rows_count(f.y);
    assert_true(m <= 200);
    for (int i = 0; i < steps; i++) {
        stepper_go(&s, 1);
        zw_account now = stepper_account(&s);
        scale = fmax(scale, fabs(now.kinetic) + fabs(now.elastic));
        d.energy = fmax(d.energy, fabs(energy_of(&s) - start));
        d.linear = fmax(d.linear, largest_difference(3, now.momentum, from.momentum));
        d.angular = fmax(d.angular, largest_difference(3, now.angular, from.angular));
        if (m > 0) {
            fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 0, g), "values");
            d.rows = fmax(d.rows, largest(m, g));
        }
    }
    d.energy /= scale;
    stepper_close(&s);
    fixture_close(&f);
    return d;
}

/* the free rod of 50 elements, at 300 times the step that verlet could take */
static void a_free_rod_keeps_energy_and_momenta(void **state) {
    (void)state;
    drift d = go(
        "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 50, along: [1, 0, 0], section: {round: 0.002}, material: {density: 1000, young: 1e9, poisson: 0.5}, "
        "velocity: [0, 2*sin(pi*s), cos(pi*s)]}}}\nrun: {until: 1}\n",
        1e-3, (int)scaled_steps(300));
    check_below(d.energy, 1e-12, 2.0e-15);
    check_below(d.linear, 1e-15, 1.1e-17); /* of 2e-2 N s */
    check_below(d.angular, 1e-15, 5.3e-18);
}

static const char *flying =
    "zwang: 1\nbodies:\n"
    "  a: {rigid: {box: {size: [0.1, 0.05, 0.4]}, mass: 1, at: [0, 0, -0.2], spin: [3, 2, 5], velocity: [1, 2, 1]}}\n"
    "  b: {rigid: {capsule: {length: 0.4, radius: 0.02}, mass: 0.5, at: [0.2, 0, -0.4], turn: [0, pi/2, 0]}}\n"
    "  c: {rigid: {box: {size: [0.1, 0.05, 0.1]}, mass: 0.3, at: [0.45, 0, -0.4]}}\n"
    "  rod: {rod: {length: 0.5, elements: 12, at: [0.5, 0, -0.4], along: [1, 0, 0], " SECTION "}}\n"
    "constraints:\n"
    "  j: {ball: [{body: a, at: [0, 0, -0.2]}, {body: b, at: [0, 0, -0.2]}]}\n"
    "  k: {KIND: [{body: b, at: [0, 0, 0.2]}, {body: c, at: [-0.05, 0, 0]}]AXIS}\n"
    "  f: {fixed: [{body: rod, s: 0}, {body: c, at: [0.05, 0, 0]}]}\n"
    "run: {until: 1}\n";

static void replace(char *text, size_t size, const char *what, const char *by) {
    char *at = strstr(text, what), rest[3000];
    assert_non_null(at);
    snprintf(rest, sizeof rest, "%s", at + strlen(what));
    snprintf(at, size - (size_t)(at - text), "%s%s", by, rest);
}

/* every kind of joint between bodies that fly: nothing outside acts */
static void joints_keep_energy_and_momenta(void **state) {
    (void)state;
    static const char *const kind[][2] = {
        {"ball", ""}, {"hinge", ", axis: [0, 1, 0]"}, {"slider", ", axis: [0, 0, 1]"}, {"universal", ", axis: [0, 1, 0]"}, {"fixed", ""}};
    for (int i = 0; i < 5; i++) {
        char text[3000];
        snprintf(text, sizeof text, "%s", flying);
        replace(text, sizeof text, "KIND", kind[i][0]);
        replace(text, sizeof text, "AXIS", kind[i][1]);
        drift d = go(text, 2e-3, (int)scaled_steps(200));
        check_below(d.energy, 1e-13, 4.5e-15);
        check_below(d.linear, 1e-13, 4.5e-15);
        check_below(d.angular, 1e-13, 1.9e-15);
        check_below(d.rows, 1e-13, 1.3e-15);
    }
}

/* a loop: four bars in space with hinges, 20 rows of rank 17 */
static void a_redundant_loop_is_closed(void **state) {
    (void)state;
    drift d = go("zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
                 "  a: {rigid: {box: {size: [0.05, 0.05, 1]}, mass: 1, at: [0, 0, -0.5]}}\n"
                 "  b: {rigid: {box: {size: [1, 0.05, 0.05]}, mass: 1, at: [0.5, 0, -1]}}\n"
                 "  c: {rigid: {box: {size: [0.05, 0.05, 1]}, mass: 1, at: [1, 0, -0.5], spin: [0, 2, 0], velocity: [-1, 0, 0]}}\n"
                 "constraints:\n"
                 "  ga: {hinge: a, at: [0, 0, 0.5], axis: [0, 1, 0]}\n"
                 "  ab: {hinge: [{body: a, at: [0, 0, -0.5]}, {body: b, at: [-0.5, 0, 0]}], axis: [0, 1, 0]}\n"
                 "  bc: {hinge: [{body: b, at: [0.5, 0, 0]}, {body: c, at: [0, 0, -0.5]}], axis: [0, 1, 0]}\n"
                 "  cg: {hinge: c, at: [0, 0, 0.5], axis: [0, 1, 0]}\n"
                 "run: {until: 1}\n",
                 2e-3, (int)scaled_steps(200));
    check_below(d.energy, 1e-12, 1.1e-14);
    check_below(d.rows, 1e-13, 2.3e-16);
}

/* energy minus work plus dissipation, with loads, a shaken clamp, a damped spring and a damped rod */
static void the_account_of_energy_closes(void **state) {
    (void)state;
    drift d = go(
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  rod: {rod: {length: 0.5, elements: 10, along: [1, 0, 0], section: {round: 0.01}, material: {density: 1000, young: 1e8, poisson: 0.5, damping: 1e-3}}}\n"
        "  b: {rigid: {sphere: {radius: 0.05}, mass: 0.2, at: [0.5, 0, 0]}}\n"
        "constraints:\n"
        "  root: {clamp: rod, s: 0, motion: {shift: [0, 0.02*sin(20*t), 0], turn: [0.3*sin(5*t), 0, 0]}}\n"
        "  tip: {ball: [{body: rod, s: end}, {body: b}]}\n"
        "  string: {spring: b, stiffness: 40, damping: 0.5, length: 0.1}\n"
        "loads:\n"
        "  push: {force: [0, 2*cos(7*t), 1], on: {body: rod, s: end}}\n"
        "  twist: {moment: [0.01, 0, 0], on: {body: rod, s: end}, axes: directors}\n"
        "run: {until: 1}\n",
        2e-3, (int)scaled_steps(200));
    check_below(d.energy, 1e-13, 1.7e-15);
    check_below(d.rows, 1e-13, 6.2e-16);
}

/* smooth bending of a stiff rod with a body at its end; against ever shorter steps */
static void motion_converges_with_order_2(void **state) {
    (void)state;
    double tip[5][3], error[3];
    for (int i = 0; i < 5; i++) {
        fixture f;
        stepper s;
        fixture_system(
            &f,
            "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
            "  rod: {rod: {length: 0.5, elements: 6, along: [1, 0, 0], section: {bending: [0.5, 0.5], torsion: 0.4, stretch: 400, shear: 300, mass: 0.3, inertia: 0.01}}}\n"
            "  b: {rigid: {box: {size: [0.2, 0.1, 0.3]}, mass: 0.4, at: [0.6, 0, 0]}}\n"
            "constraints:\n  root: {clamp: rod, s: 0}\n  tip: {fixed: [{body: rod, s: end}, {body: b, at: [-0.1, 0, 0]}]}\nrun: {until: 1}\n");
        stepper_open_by(&s, &f, "energy-momentum", 5e-4 / (1 << i));
        stepper_go(&s, 200 << i);
        const zw_rods *rods = fixture_rods(&f);
        memcpy(tip[i], stepper_x(&s)->q + ZW_ROD_NQ * (size_t)rods->nnodes, sizeof tip[i]);
        stepper_close(&s);
        fixture_close(&f);
    }
    for (int i = 0; i < 3; i++) {
        error[i] = largest_difference(3, tip[i + 1], tip[i + 2]);
    }
    check_order(error, 3, 2.0, 2.0, 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_rod_keeps_energy_and_momenta), cmocka_unit_test(joints_keep_energy_and_momenta),
        cmocka_unit_test(a_redundant_loop_is_closed),          cmocka_unit_test(the_account_of_energy_closes),
        cmocka_unit_test(motion_converges_with_order_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_energy_momentum_coupled.c: what energy-momentum is for: the thin free rod at 625 times the explicit step, parts of three kinds in one chain, algorithmic damping, steps chosen by a tolerance,
 * runs that are saved and resumed. */
#include "support/model.h"

static const char *thin =
    "zwang: 1\nparameters: {L: 2*pi/3, a: 0.002}\nbodies: {beam: {rod: {length: L, elements: 50, section: {square: a}, material: {density: 1000, young: 1e7, "
    "poisson: 0.35}, shape: {curvature: [0, -1, 0]}, velocity: {director: [0, sin(pi*s/L), 1]}}}}\n";

static double energy_of(stepper *s) { /* minus work, plus what was dissipated */
    zw_account    a = stepper_account(s);
    const double *w = stepper_x(s)->w;
    return account_energy(&a) - w[ZW_W_WORK] + w[ZW_W_DISSIPATED];
}

/* verlet's limit is 1.6e-5 s; here 1e-2 s */
static void a_thin_rod_flies_at_625_times_the_explicit_step(void **state) {
    fixture f;
    stepper s;
    char    text[800];
    double  energy = 0.0, linear = 0.0, angular = 0.0;
    (void)state;
    snprintf(text, sizeof text, "%srun: {until: 20, step: 1e-2, integrator: energy-momentum}\n", thin);
    fixture_system(&f, text);
    stepper_open_by(&s, &f, "energy-momentum", 1e-2);
    zw_account from = stepper_account(&s);
    double     start = account_energy(&from);
    for (long i = 0, n = scaled_steps(2000); i < n; i++) {
        stepper_go(&s, 1);
        zw_account now = stepper_account(&s);
        energy = fmax(energy, fabs(account_energy(&now) - start) / start);
        linear = fmax(linear, largest_difference(3, now.momentum, from.momentum) / largest(3, from.momentum));
        angular = fmax(angular, largest_difference(3, now.angular, from.angular) / largest(3, from.angular));
    }
    check_below(energy, 1e-12, 2.7e-14);
    check_below(linear, 1e-13, 1.6e-15);
    check_below(angular, 1e-13, 1.1e-14);
    stepper_close(&s);
    fixture_close(&f);
}

/* it takes energy only, and leaves momenta alone */
static void algorithmic_damping_keeps_momenta(void **state) {
    fixture f;
    stepper s;
    char    text[800];
    double  books = 0.0, linear = 0.0, angular = 0.0, least = 0.0;
    (void)state;
    snprintf(text, sizeof text, "%srun: {until: 20, step: 1e-2, integrator: energy-momentum, energy-momentum: {damping: 0.1}}\n", thin);
    fixture_system(&f, text);
    stepper_open_by(&s, &f, "energy-momentum", 1e-2);
    zw_account from = stepper_account(&s);
    double     start = account_energy(&from), lost = 0.0;
    for (int i = 0; i < 300; i++) {
        stepper_go(&s, 1);
        zw_account now = stepper_account(&s);
        books = fmax(books, fabs(energy_of(&s) - start) / start);
        linear = fmax(linear, largest_difference(3, now.momentum, from.momentum) / largest(3, from.momentum));
        angular = fmax(angular, largest_difference(3, now.angular, from.angular) / largest(3, from.angular));
        least = fmin(least, stepper_x(&s)->w[ZW_W_DISSIPATED] - lost);
        lost = stepper_x(&s)->w[ZW_W_DISSIPATED];
    }
    check_below(books, 1e-12, 1.1e-15);
    check_below(linear, 1e-13, 1.0e-15);
    check_below(angular, 1e-13, 1.8e-15);
    assert_true(least >= 0.0);
    assert_true(lost > 1e-4 * start && lost < 1e-3 * start); /* 2.4e-4 */
    stepper_close(&s);
    fixture_close(&f);
}

#define FIRST "  one: {rigid: {mass: 1, inertia: [1e-3, 0.09, 0.09], at: [0.5, 0, 0]}}\n"
#define ROOT  "constraints:\n  root: {ball: {body: one, at: [-0.5, 0, 0]}}\n"

/* a rigid bar, a bar written as a lagrangian and a stiff rod, hung at one end and let go level, against three rigid bars of the same masses */
static void rigid_lagrangian_and_rod_move_as_one_chain(void **state) {
    static const char *const text[2] = {
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n" FIRST
        "  two: {lagrangian: {coordinates: [x, z, th], kinetic: (xdot^2 + zdot^2 + 0.09*thdot^2)/2, potential: 9.81*z, points: {a: [x - cos(th)/2, 0, z - sin(th)/2], "
        "b: [x + cos(th)/2, 0, z + sin(th)/2]}, start: {x: 1.5}}}\n"
        "  three: {rod: {length: 1, elements: 8, at: [2, 0, 0], along: [1, 0, 0], section: {round: 0.02}, material: {density: 1/(pi*0.02^2), young: 2e12, poisson: 0.3}}}\n" ROOT
        "  j: {ball: [{body: one, at: [0.5, 0, 0]}, {body: two, point: a}]}\n  k: {ball: [{body: two, point: b}, {body: three, s: 0}]}\n"
        "probes: {one: {position: one}, tip: {position: three, s: 0.5}}\nrun: {until: 1, step: 1e-3, integrator: energy-momentum}\nrecord: {every: 1}\n",
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n" FIRST "  two: {rigid: {mass: 1, inertia: [1e-3, 0.09, 0.09], at: [1.5, 0, 0]}}\n"
        "  three: {rigid: {mass: 1, inertia: [2e-4, 0.0860375, 0.0860375], at: [2.5, 0, 0]}}\n" ROOT
        "  j: {ball: [{body: one, at: [0.5, 0, 0]}, {body: two, at: [-0.5, 0, 0]}]}\n  k: {ball: [{body: two, at: [0.5, 0, 0]}, {body: three, at: [-0.5, 0, 0]}]}\n"
        "probes: {one: {position: one}, tip: {position: three}}\nrun: {until: 1, step: 1e-3, integrator: energy-momentum}\nrecord: {every: 1}\n"};
    fixture f[2];
    double  apart = 0.0, energy = 0.0, joints = 0.0, start = 0.0, scale = 0.0, moved = 0.0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        fixture_run(&f[i], text[i]);
    }
    for (int step = 0; step <= 1000; step++) {
        const double *x[2];
        for (int i = 0; i < 2; i++) {
            zw_account a;
            double     g[20];
            zw_run    *r = f[i].r;
            if (step > 0) {
                fixture_advance(&f[i], 1);
            }
            const zw_state *now = zw_run_state(r);
            zw_system_account(zw_run_system(r), now, &a);
            double all = account_energy(&a) - now->w[ZW_W_WORK] + now->w[ZW_W_DISSIPATED];
            start = i == 0 && step == 0 ? all : start;
            scale = i == 0 ? fmax(scale, a.kinetic) : scale;
            energy = i == 0 ? fmax(energy, fabs(all - start)) : energy;
            assert_true(zw_system_rows_count(zw_run_system(r)) <= 20);
            fixture_must(&f[i], zw_system_values(zw_run_system(r), now, 0, g), "values");
            joints = fmax(joints, largest(zw_system_rows_count(zw_run_system(r)), g));
        }
        /* centres of the first and of the last link: places of nodes and rigid bodies come first in their coordinates */
        for (int i = 0; i < 2; i++) {
            const zw_part *part;
            zw_system     *y = zw_run_system(f[i].r);
            zw_system_parts(y, &part);
            x[i] = zw_run_state(f[i].r)->q + (i == 0 ? part[y->body_part[2]].q0 + 4 * 7 : part[y->body_part[2]].q0 + 2 * 7);
        }
        apart = fmax(apart, largest_difference(3, x[0], x[1]));
        moved = fmin(moved, x[0][2]);
    }
    assert_true(moved < -2.0);
    check_below(joints, 1e-12, 7.6e-16);
    check_below(energy / scale, 1e-12, 7.9e-15);
    check_below(apart, 1e-5, 3.9e-7);
    for (int i = 0; i < 2; i++) {
        fixture_close(&f[i]);
    }
}

static double pendulum_at(const char *tolerance, int64_t *steps, double *rates) {
    fixture f;
    double  g[5];
    char    text[400];
    snprintf(
        text, sizeof text,
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies: {a: {rigid: {mass: 1, inertia: [0.1, 0.1, 0.01], at: [0.5, 0, 0]}}}\n"
        "constraints: {pin: {hinge: {body: a, at: [-0.5, 0, 0]}, axis: [0, 1, 0]}}\nrun: {until: 2, integrator: energy-momentum, tolerance: %s}\n",
        tolerance);
    fixture_run(&f, text);
    fixture_advance(&f, INT64_MAX);
    double z = zw_run_state(f.r)->q[2];
    *steps = zw_run_steps(f.r);
    fixture_must(&f, zw_system_values(zw_run_system(f.r), zw_run_state(f.r), 1, g), "values");
    *rates = fmax(*rates, largest(5, g));
    fixture_close(&f);
    return z;
}

/* errors shrink as the tolerance, to the power 2/3 of an order-2 scheme */
static void steps_follow_the_tolerance(void **state) {
    int64_t n[3];
    double  rates = 0.0;
    double  z[3] = {pendulum_at("1e-5", &n[0], &rates), pendulum_at("1e-6", &n[1], &rates), pendulum_at("1e-8", &n[2], &rates)};
    (void)state;
    double error[2] = {fabs(z[0] - z[2]), fabs(z[1] - z[2])};
    assert_true(n[0] < n[1] && n[1] < n[2]); /* 112, 229, 1028 */
    check_below(rates, 1e-12, 1.2e-32);
    check_below(error[0], 1e-3, 2.4e-5);
    check_below(error[1], 2e-5, 5.4e-6);
}

static const char *boxes =
    "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  c: {rigid: {box: {size: [0.2, 0.3, 0.1]}, density: 500, at: [1, 0, 0.2], turn: [0.3, 0.2, 0.1]}}\n"
    "  r: {rod: {length: 1, elements: 6, at: [0, 0, 0.3], along: [1, 0, 0.1], section: {round: 0.02}, material: {density: 1000, young: 1e7, poisson: 0.3}}}\n"
    "obstacles: {floor: {plane: {normal: [0, 0, 1]}}}\ncontact: {restitution: 0}\nrun: {until: 0.4, step: 1e-3, integrator: energy-momentum}\n";

static void runs_resume_bitwise(void **state) {
    fixture f[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        fixture_run(&f[i], boxes);
    }
    fixture_advance(&f[0], 400);
    fixture_advance(&f[1], 237);
    size_t         size = zw_run_save_size(f[1].r);
    unsigned char *kept = malloc(size);
    assert_non_null(kept);
    zw_run_save(f[1].r, kept);
    fixture_close(&f[1]);
    fixture_run(&f[1], boxes);
    fixture_must(&f[1], zw_run_restore(f[1].r, kept, size), "zw_run_restore");
    fixture_advance(&f[1], 163);
    zw_size         n = zw_system_size(zw_run_system(f[0].r));
    const zw_state *a = zw_run_state(f[0].r), *b = zw_run_state(f[1].r);
    assert_memory_equal(a->q, b->q, sizeof(double) * (size_t)n.nq);
    assert_memory_equal(a->v, b->v, sizeof(double) * (size_t)n.nv);
    assert_true(a->w[ZW_W_DISSIPATED] == b->w[ZW_W_DISSIPATED] && a->w[ZW_W_DISSIPATED] > 0.0);
    free(kept);
    fixture_close(&f[0]);
    fixture_close(&f[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thin_rod_flies_at_625_times_the_explicit_step),
        cmocka_unit_test(algorithmic_damping_keeps_momenta),
        cmocka_unit_test(rigid_lagrangian_and_rod_move_as_one_chain),
        cmocka_unit_test(steps_follow_the_tolerance),
        cmocka_unit_test(runs_resume_bitwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_linked.c: linked rigid bodies: a double pendulum against the one written as a Lagrangian, chains, loops, redundant loops and their names, chains of
 * bodies of every kind, planar bodies against the same in space. */
#include "support/model.h"

#include "parts/rigid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void run_to_end(fixture *f) {
    zw_summary sum;
    do {
        fixture_advance(f, 1);
        zw_run_summary(f->r, &sum);
    } while (sum.outcome == ZW_RUNNING);
    assert_int_equal(sum.outcome, ZW_REACHED);
}

static double joint_residual(const fixture *f) {
    double *c = calloc((size_t)zw_system_rows_count(fixture_y(f)), sizeof *c);
    fixture_must(f, zw_system_values(fixture_y(f), zw_run_state(f->r), 0, c), "zw_system_values");
    double most = largest(zw_system_rows_count(fixture_y(f)), c);
    free(c);
    return most;
}

/* links of length 1, mass 1, box 0.05 x 0.04 x 1, from rest level; b is the angle from the horizontal down */
static const char rigid_pendulum[] = "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
                                     "  a: {rigid: {box: {size: [0.05, 0.04, 1]}, mass: 1, at: [0.5, 0, 0], turn: [0, pi/2, 0]%s}}\n"
                                     "  b: {rigid: {box: {size: [0.05, 0.04, 1]}, mass: 1, at: [1.5, 0, 0], turn: [0, pi/2, 0]%s}}\n"
                                     "constraints:\n"
                                     "  top: {%s: a, at: [0, 0, -0.5]%s}\n"
                                     "  mid: {%s: [{body: a, at: [0, 0, 0.5]}, {body: b, at: [0, 0, -0.5]}]%s}\n"
                                     "run: {until: 2, integrator: gauss, tolerance: 1e-13}\n";
static const char lagrangian_pendulum[] =
    "zwang: 1\nparameters: {J: (0.05^2 + 1)/12, g: 9.81}\nbodies:\n  p:\n    lagrangian:\n      coordinates: [u, w]\n"
    "      kinetic: (udot^2/4 + (udot^2 + wdot^2/4 + udot*wdot*cos(u - w)))/2 + J*(udot^2 + wdot^2)/2\n"
    "      potential: -g*(sin(u)/2 + sin(u) + sin(w)/2)\n      start: {u: 0, w: 0}\n"
    "run: {until: 2, integrator: gauss, tolerance: 1e-13}\n";

static void double_pendulum_agrees_with_the_lagrangian_one(void **unused) {
    (void)unused;
    static const char *const kind[3][3] = {
        {"", "hinge", ", axis: [0, 1, 0]"}, {", plane: [0, 1, 0]", "hinge", ", axis: [0, 1, 0]"}, {", plane: [0, 1, 0]", "ball", ""}};
    fixture L;
    fixture_run(&L, lagrangian_pendulum);
    run_to_end(&L);
    const double *u = zw_run_state(L.r)->q, *v = zw_run_state(L.r)->v;
    double        a[3] = {0.5 * cos(u[0]), 0.0, -0.5 * sin(u[0])};
    double        b[3] = {cos(u[0]) + 0.5 * cos(u[1]), 0.0, -sin(u[0]) - 0.5 * sin(u[1])}, w[3] = {0.0, v[1], 0.0};
    for (int i = 0; i < 3; i++) {
        char     text[1200];
        fixture  f;
        zw_frame A, B;
        snprintf(text, sizeof text, rigid_pendulum, kind[i][0], kind[i][0], kind[i][1], kind[i][2], kind[i][1], kind[i][2]);
        fixture_run(&f, text);
        assert_int_equal(zw_system_rows_count(fixture_y(&f)), i == 0 ? 10 : 4);
        run_to_end(&f);
        zw_place pa = {.body = 0}, pb = {.body = 1};
        zw_system_frame(fixture_y(&f), zw_run_state(f.r), &pa, &A, NULL);
        zw_system_frame(fixture_y(&f), zw_run_state(f.r), &pb, &B, NULL);
        double apart = fmax(fmax(largest_difference(3, A.r, a), largest_difference(3, B.r, b)), largest_difference(3, B.w, w));
        print_message("apart %.3g, joints %.3g\n", apart, joint_residual(&f));
        check_below(apart, 1e-9, 4.3e-12);
        check_below(joint_residual(&f), 1e-13, 2.3e-15);
        fixture_close(&f);
    }
    fixture_close(&L);
}

static char *chain_text(int n, const char *run) {
    size_t size = 400 + 300 * (size_t)n, used = 0;
    char  *text = calloc(size, 1);
    used += (size_t)snprintf(text, size, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < n; i++) {
        used += (size_t)snprintf(
            text + used, size - used,
            "  l%d: {rigid: {capsule: {length: 0.08, radius: 0.01}, mass: 0.1, at: [%.17g, 0, %.17g], turn: [0, pi - 0.5, 0]}}\n", i,
            (0.1 * i + 0.05) * sin(0.5), -(0.1 * i + 0.05) * cos(0.5));
    }
    used += (size_t)snprintf(text + used, size - used, "constraints:\n  j0: {ball: l0, at: [0, 0, -0.05]}\n");
    for (int i = 1; i < n; i++) {
        used += (size_t)snprintf(text + used, size - used,
                                 "  j%d: {ball: [{body: l%d, at: [0, 0, 0.05]}, {body: l%d, at: [0, 0, -0.05]}]}\n", i, i - 1, i);
    }
    snprintf(text + used, size - used, "run: {%s}\n", run);
    return text;
}

static void chain_of_a_hundred_links_stays_joined(void **unused) {
    (void)unused;
    fixture f;
    stepper s;
    double  g[300];
    char   *text = chain_text(100, "until: 1, step: 0.001, integrator: verlet");
    fixture_system(&f, text);
    stepper_open(&s, &f, 0.001);
    zw_account before = stepper_account(&s);
    stepper_go(&s, 10000);
    zw_account after = stepper_account(&s);
    fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 0, g), "zw_system_values");
    print_message("joints %.3g, energy %.3g of %.3g J\n", largest(300, g), account_energy(&after) - account_energy(&before), after.kinetic);
    check_below(largest(300, g), 1e-12, 3.2e-15);
    check_near(account_energy(&after), account_energy(&before), 0.02); /* of 49 J that fall */
    stepper_close(&s);
    fixture_close(&f);
    free(text);
}

/* crank 0.4, coupler 1, rocker 0.8, ground 1; all hinges */
static const char four_bar[] =
    "zwang: 1\nparameters: {a: 0.4}\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  crank: {rigid: {box: {size: [a, 0.05, 0.05]}, mass: 1, at: [a/2, 0, 0], spin: [0, -6, 0]%s}}\n"
    "  coupler: {rigid: {box: {size: [1, 0.05, 0.05]}, mass: 2, at: [a + 0.5*cos(t1), 0, 0.5*sin(t1)], turn: [0, -t1, 0]%s}}\n"
    "  rocker: {rigid: {box: {size: [0.8, 0.05, 0.05]}, mass: 1.5, at: [1 + 0.4*cos(t2), 0, 0.4*sin(t2)], turn: [0, -t2, 0]%s}}\n"
    "constraints:\n"
    "  A: {hinge: crank, at: [-a/2, 0, 0], axis: [0, 1, 0]}\n"
    "  B: {hinge: [{body: crank, at: [a/2, 0, 0]}, {body: coupler, at: [-0.5, 0, 0]}], axis: [0, 1, 0]}\n"
    "  C: {hinge: [{body: coupler, at: [0.5, 0, 0]}, {body: rocker, at: [0.4, 0, 0]}], axis: [0, 1, 0]}\n"
    "  D: {hinge: rocker, at: [-0.4, 0, 0], axis: [0, 1, 0]}\n"
    "run: {until: 1, integrator: %s}\n";

static void four_bar_closes_and_its_redundant_rows_are_solved(void **unused) {
    (void)unused;
    static const char *const rule[] = {"gauss, tolerance: 1e-10", "verlet, step: 0.0005"};
    /* C: (a + cos t1, sin t1) = (1 + 0.8 cos t2, 0.8 sin t2) with a = 0.4 */
    double d = 0.6, t1 = acos((d * d + 1.0 - 0.64) / (2.0 * d)), t2 = atan2(sin(t1), 0.4 + cos(t1) - 1.0);
    double tip[2][3];
    for (int planar = 0; planar < 2; planar++) {
        for (int i = 0; i < 2; i++) {
            char        text[3000], all[3200];
            fixture     f;
            zw_frame    F;
            const char *plane = planar ? ", plane: [0, 1, 0]" : "";
            snprintf(text, sizeof text, four_bar, plane, plane, plane, rule[i]);
            char *p = strstr(text, "{a: 0.4}");
            snprintf(all, sizeof all, "%.*s{a: 0.4, t1: %.17g, t2: %.17g}%s", (int)(p - text), text, t1, t2, p + 8);
            fixture_run(&f, all);
            const zw_rows  *A;
            zw_solver      *solver;
            zw_project_info info;
            fixture_must(&f, zw_solver_create(f.c, &solver), "zw_solver_create");
            fixture_must(&f, zw_system_rows(fixture_y(&f), zw_run_state(f.r), &A), "rows");
            fixture_must(&f, zw_solver_factor(solver, zw_system_mass(fixture_y(&f), zw_run_state(f.r)), A, &info), "factor");
            assert_int_equal(info.redundant, planar ? 0 : 3); /* in space 20 rows hold 17 of 18: the loop closes its plane three times */
            assert_int_equal(info.rank, planar ? 8 : 17);
            int  row[3];
            char name[3][80];
            for (int k = 0; k < zw_solver_redundant(solver, row, 3); k++) {
                zw_system_row_name(fixture_y(&f), row[k], name[k], sizeof name[k]);
                print_message("redundant: %s\n", name[k]);
                assert_non_null(strstr(name[k], "constraint '"));
            }
            zw_solver_destroy(solver);
            run_to_end(&f);
            zw_place place = {.body = 1};
            zw_system_frame(fixture_y(&f), zw_run_state(f.r), &place, &F, NULL);
            print_message("coupler %.9f %.9f, joints %.3g\n", F.r[0], F.r[2], joint_residual(&f));
            check_below(joint_residual(&f), 1e-12, 3.6e-16);
            if (planar) {
                check_array_near(F.r, tip[i], 3, 1e-12); /* measured 2.7e-15 */
            }
            zw_v3_copy(tip[i], F.r);
            fixture_close(&f);
        }
    }
}

/* a parallelogram with a third, parallel crank: nothing new is held, and it goes as without it */
static void redundant_crank_is_named_and_changes_nothing(void **unused) {
    (void)unused;
    double tip[2][3];
    for (int third = 0; third < 2; third++) {
        char     text[3000], name[80];
        fixture  f;
        zw_frame F;
        int      row[4];
        snprintf(
            text, sizeof text,
            "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
            "  bar: {rigid: {box: {size: [2, 0.05, 0.05]}, mass: 2, at: [0.5, 0, -0.5], plane: [0, 1, 0], velocity: [1, 0, 0]}}\n"
            "  left: {rigid: {box: {size: [0.05, 0.05, 0.5]}, mass: 1, at: [-0.5, 0, -0.25], plane: [0, 1, 0], velocity: [0.5, 0, 0], spin: [0, -2, 0]}}\n"
            "  right: {rigid: {box: {size: [0.05, 0.05, 0.5]}, mass: 1, at: [1.5, 0, -0.25], plane: [0, 1, 0], velocity: [0.5, 0, 0], spin: [0, -2, 0]}}\n"
            "%s"
            "constraints:\n"
            "  A: {ball: left, at: [0, 0, 0.25]}\n  B: {ball: right, at: [0, 0, 0.25]}\n"
            "  C: {ball: [{body: left, at: [0, 0, -0.25]}, {body: bar, at: [-1, 0, 0]}]}\n"
            "  D: {ball: [{body: right, at: [0, 0, -0.25]}, {body: bar, at: [1, 0, 0]}]}\n"
            "%s"
            "run: {until: 1, integrator: gauss, tolerance: 1e-11}\n",
            third
                ? "  middle: {rigid: {box: {size: [0.05, 0.05, 0.5]}, mass: 1e-9, at: [0.5, 0, -0.25], plane: [0, 1, 0], velocity: [0.5, 0, 0], "
                  "spin: [0, -2, 0]}}\n"
                : "",
            third ? "  E: {ball: middle, at: [0, 0, 0.25]}\n  F: {ball: [{body: middle, at: [0, 0, -0.25]}, {body: bar}]}\n" : "");
        fixture_run(&f, text);
        const zw_rows  *A;
        zw_solver      *solver;
        zw_project_info info;
        fixture_must(&f, zw_solver_create(f.c, &solver), "zw_solver_create");
        fixture_must(&f, zw_system_rows(fixture_y(&f), zw_run_state(f.r), &A), "rows");
        fixture_must(&f, zw_solver_factor(solver, zw_system_mass(fixture_y(&f), zw_run_state(f.r)), A, &info), "factor");
        assert_int_equal(info.redundant, third);
        if (third) {
            assert_int_equal(zw_solver_redundant(solver, row, 4), 1);
            zw_system_row_name(fixture_y(&f), row[0], name, sizeof name);
            print_message("redundant: %s\n", name);
            assert_non_null(strstr(name, "constraint '"));
        }
        zw_solver_destroy(solver);
        run_to_end(&f);
        zw_place place = {.body = 0};
        zw_system_frame(fixture_y(&f), zw_run_state(f.r), &place, &F, NULL);
        zw_v3_copy(tip[third], F.r);
        check_below(joint_residual(&f), 1e-12, 2.3e-16);
        fixture_close(&f);
    }
    check_array_near(tip[1], tip[0], 3, 1e-7); /* the third crank weighs a billionth; measured 2.8e-12 */
}

/* a link, a link written as a Lagrangian, and a rod, joined by balls */
static void bodies_of_every_kind_join(void **unused) {
    (void)unused;
    fixture f;
    fixture_run(&f, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
                    "  link: {rigid: {capsule: {length: 0.4, radius: 0.02}, mass: 0.5, at: [0.25, 0, 0], turn: [0, pi/2, 0]}}\n"
                    "  rope: {rod: {length: 0.5, elements: 6, at: [1, 0, 0], along: [1, 0, 0], section: {round: 0.01}, "
                    "material: {density: 1200, young: 1e6, poisson: 0.5}}}\n"
                    "  bar:\n    lagrangian:\n      coordinates: [x, y, z, th]\n"
                    "      kinetic: 0.4*(xdot^2 + ydot^2 + zdot^2)/2 + 0.01*thdot^2/2\n      potential: 0.4*9.81*z\n"
                    "      points: {a: [x - 0.25*cos(th), y, z + 0.25*sin(th)], b: [x + 0.25*cos(th), y, z - 0.25*sin(th)]}\n"
                    "      start: {x: 0.75}\n"
                    "constraints:\n"
                    "  top: {ball: link, at: [0, 0, -0.25]}\n"
                    "  one: {ball: [{body: link, at: [0, 0, 0.25]}, {body: bar, point: a}]}\n"
                    "  two: {ball: [{body: bar, point: b}, {body: rope, s: 0}]}\n"
                    "run: {until: 0.3, integrator: gauss, step: 0.001}\n");
    run_to_end(&f);
    zw_summary sum;
    zw_run_summary(f.r, &sum);
    print_message("joints %.3g\n", joint_residual(&f));
    check_below(joint_residual(&f), 1e-12, 8.4e-17);
    fixture_close(&f);
}

/* verlet moves rods and rigid bodies of both widths together; momenta stay */
static void verlet_takes_rods_and_rigid_bodies_joined(void **unused) {
    (void)unused;
    fixture f;
    stepper s;
    fixture_system(
        &f, "zwang: 1\nbodies:\n"
            "  flat: {rigid: {box: {size: [0.1, 0.1, 0.1]}, mass: 1, at: [0, 0, 5], plane: [0, 1, 0], spin: [0, 1, 0]}}\n"
            "  tug: {rigid: {box: {size: [0.2, 0.1, 0.15]}, density: 800, at: [0, 0, 0]}}\n"
            "  rope: {rod: {length: 1, elements: 10, at: [-0.1, 0, 0], along: [-1, 0, 0], section: {round: 0.01}, velocity: [0, s, 0], "
            "material: {density: 1200, young: 1e6, poisson: 0.5}}}\n"
            "constraints:\n  hook: {ball: [{body: tug, at: [-0.1, 0, 0]}, {body: rope, s: 0}]}\n"
            "run: {until: 1, integrator: verlet}\n");
    stepper_open(&s, &f, 1e-5 * 10);
    zw_account before = stepper_account(&s);
    stepper_go(&s, 3000);
    zw_account after = stepper_account(&s);
    double g[3], drift = fmax(largest_difference(3, before.momentum, after.momentum), largest_difference(3, before.angular, after.angular));
    fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 0, g), "values");
    print_message("momenta %.3g, joint %.3g, energy %.3g of %.3g\n", drift, largest(3, g), account_energy(&after) - account_energy(&before),
                  account_energy(&before));
    check_below(drift, 1e-13, 3.1e-16);
    check_below(largest(3, g), 1e-14, 1.4e-17);
    stepper_close(&s);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_pendulum_agrees_with_the_lagrangian_one),
        cmocka_unit_test(chain_of_a_hundred_links_stays_joined),
        cmocka_unit_test(four_bar_closes_and_its_redundant_rows_are_solved),
        cmocka_unit_test(redundant_crank_is_named_and_changes_nothing),
        cmocka_unit_test(bodies_of_every_kind_join),
        cmocka_unit_test(verlet_takes_rods_and_rigid_bodies_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

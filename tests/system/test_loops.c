/* SPDX-License-Identifier: Apache-2.0
 * test_loops.c: closed loops: a linkage of six hinges that moves although counting says it cannot (Bricard), a parallelogram with a third crank of full weight, a net of
 * links with sixteen loops; and every joint between rigid bodies and rods, by what it conserves. */
#include "support/model.h"

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

static double residual(const fixture *f, int level) {
    int     m = zw_system_rows_count(fixture_y(f));
    double *c = calloc((size_t)m + 1, sizeof *c);
    fixture_must(f, zw_system_values(fixture_y(f), zw_run_state(f->r), level, c), "zw_system_values");
    double most = largest(m, c);
    free(c);
    return most;
}

static zw_account account_of(const fixture *f) {
    zw_account a;
    zw_system_account(fixture_y(f), zw_run_state(f->r), &a);
    return a;
}

static zw_project_info rank_of(const fixture *f) {
    const zw_rows  *A;
    zw_solver      *solver;
    zw_project_info info;
    fixture_must(f, zw_solver_create(f->c, &solver), "zw_solver_create");
    fixture_must(f, zw_system_rows(fixture_y(f), zw_run_state(f->r), &A), "zw_system_rows");
    fixture_must(f, zw_solver_factor(solver, zw_system_mass(fixture_y(f), zw_run_state(f->r)), A, &info), "zw_solver_factor");
    zw_solver_destroy(solver);
    return info;
}

/* Six links of length 1, twisted by +-90 degrees in turn. With hinge angles u, w, u, w, u, w they close where cos u + cos w + cos u cos w = 0 (threefold symmetric
 * Bricard linkage): one freedom, while 5 bodies and 6 hinges count 30 rows for 30 velocities. So one row follows from the others, along the whole motion */
static void bricard_linkage_moves(void **unused) {
    (void)unused;
    enum { N = 6 };
    double   u = 1.0, w = acos(-cos(u) / (1.0 + cos(u))), R[9], r[3] = {0, 0, 0}, point[N + 1][3], axis[N + 1][3];
    char     text[4000], name[80];
    size_t   used = 0;
    fixture  f;
    zw_frame before, after;
    zw_m3_identity(R);
    for (int i = 0; i <= N; i++) {
        zw_v3_copy(point[i], r);
        zw_m3_column(axis[i], R, 2);
        double turn = i % 2 == 0 ? u : w, twist = i % 2 == 0 ? 1.0 : -1.0, c = cos(turn), s = sin(turn);
        double Z[9] = {c, -s, 0, s, c, 0, 0, 0, 1}, X[9] = {1, 0, 0, 0, 0, -twist, 0, twist, 0}, step[3];
        zw_m3_mul(R, R, Z);
        zw_m3_column(step, R, 0);
        zw_v3_add(r, r, step);
        zw_m3_mul(R, R, X);
    }
    check_below(largest_difference(3, point[N], point[0]), 1e-14, 1.1e-16);
    check_below(largest_difference(3, axis[N], axis[0]), 1e-14, 1.1e-16);
    used += (size_t)snprintf(text, sizeof text, "zwang: 1\ngravity: [1, -2, -9]\nbodies:\n");
    for (int i = 1; i < N; i++) {
        used += (size_t)snprintf(
            text + used, sizeof text - used, "  l%d: {rigid: {box: {size: [0.%d, 0.4, 0.3]}, mass: %d, at: [%.17g, %.17g, %.17g]}}\n", i,
            i + 1, i, 0.5 * (point[i - 1][0] + point[i][0]), 0.5 * (point[i - 1][1] + point[i][1]), 0.5 * (point[i - 1][2] + point[i][2]));
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "constraints:\n");
    for (int i = 0; i < N; i++) {
        double half[2][3]; /* from the middle of the link before and behind */
        for (int k = 0; k < 3; k++) {
            half[0][k] = i > 0 ? 0.5 * (point[i][k] - point[i - 1][k]) : 0.0;
            half[1][k] = -0.5 * (point[i + 1][k] - point[i][k]);
        }
        const double *at = half[i == 0];
        if (i == 0 || i == N - 1) {
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "  h%d: {hinge: l%d, at: [%.17g, %.17g, %.17g], axis: [%.17g, %.17g, %.17g]}\n", i, i == 0 ? 1 : i,
                                     at[0], at[1], at[2], axis[i][0], axis[i][1], axis[i][2]);
        } else {
            used += (size_t)snprintf(
                text + used, sizeof text - used,
                "  h%d: {hinge: [{body: l%d, at: [%.17g, %.17g, %.17g]}, {body: l%d, at: [%.17g, %.17g, %.17g]}], axis: "
                "[%.17g, %.17g, %.17g]}\n",
                i, i, half[0][0], half[0][1], half[0][2], i + 1, half[1][0], half[1][1], half[1][2], axis[i][0], axis[i][1], axis[i][2]);
        }
    }
    snprintf(text + used, sizeof text - used, "run: {until: 0.5, integrator: gauss, tolerance: 1e-12}\n");
    fixture_run(&f, text);
    zw_project_info info = rank_of(&f);
    assert_int_equal(zw_system_rows_count(fixture_y(&f)), 30);
    assert_int_equal(info.rank, 29);
    assert_int_equal(info.redundant, 1);
    assert_non_null(strstr(f.log, "redundant"));
    zw_account start = account_of(&f);
    zw_place   place = {.body = 2};
    zw_system_frame(fixture_y(&f), zw_run_state(f.r), &place, &before, NULL);
    run_to_end(&f);
    zw_account end = account_of(&f);
    zw_system_frame(fixture_y(&f), zw_run_state(f.r), &place, &after, NULL);
    info = rank_of(&f);
    zw_system_row_name(fixture_y(&f), 29, name, sizeof name);
    double drift = fabs(account_energy(&end) - account_energy(&start)), moved = largest_difference(3, before.r, after.r);
    print_message("moved %.3g m, energy %.3g of %.3g J, joints %.3g, %.3g, rank %d\n", moved, drift, end.kinetic, residual(&f, 0),
                  residual(&f, 1), info.rank);
    assert_true(moved > 0.05);
    assert_int_equal(info.rank, 29);
    check_below(drift, 1e-12, 8.6e-14);
    check_below(residual(&f, 0), 1e-12, 5e-16);
    check_below(residual(&f, 1), 1e-12, 3.4e-16);
    fixture_close(&f);
}

/* three cranks that weigh the same carry one bar: the middle one holds nothing new. Multipliers are those of least norm, energy stays */
static void parallelogram_with_three_cranks(void **unused) {
    (void)unused;
    static const char *const rule[] = {"gauss, tolerance: 1e-12", "verlet, step: 0.0001"};
    static const double      bound[] = {1e-10, 5e-6}, measured[] = {1.8e-12, 9e-8};
    double                   tip[2][3];
    for (int i = 0; i < 2; i++) {
        char     text[2600];
        fixture  f;
        zw_frame F;
        snprintf(
            text, sizeof text,
            "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
            "  bar: {rigid: {box: {size: [2, 0.05, 0.05]}, mass: 2, at: [0.5, 0, -0.5], plane: [0, 1, 0], velocity: [1, 0, 0]}}\n"
            "  left: {rigid: {box: {size: [0.05, 0.05, 0.5]}, mass: 1, at: [-0.5, 0, -0.25], plane: [0, 1, 0], velocity: [0.5, 0, 0], spin: [0, -2, 0]}}\n"
            "  middle: {rigid: {box: {size: [0.05, 0.05, 0.5]}, mass: 1, at: [0.5, 0, -0.25], plane: [0, 1, 0], velocity: [0.5, 0, 0], spin: [0, -2, 0]}}\n"
            "  right: {rigid: {box: {size: [0.05, 0.05, 0.5]}, mass: 1, at: [1.5, 0, -0.25], plane: [0, 1, 0], velocity: [0.5, 0, 0], spin: [0, -2, 0]}}\n"
            "constraints:\n"
            "  A: {ball: left, at: [0, 0, 0.25]}\n  B: {ball: right, at: [0, 0, 0.25]}\n  E: {ball: middle, at: [0, 0, 0.25]}\n"
            "  C: {ball: [{body: left, at: [0, 0, -0.25]}, {body: bar, at: [-1, 0, 0]}]}\n"
            "  D: {ball: [{body: right, at: [0, 0, -0.25]}, {body: bar, at: [1, 0, 0]}]}\n"
            "  F: {ball: [{body: middle, at: [0, 0, -0.25]}, {body: bar}]}\n"
            "run: {until: 1, integrator: %s}\n",
            rule[i]);
        fixture_run(&f, text);
        zw_project_info info = rank_of(&f);
        assert_int_equal(info.rank, 11);
        assert_int_equal(info.redundant, 1);
        zw_account start = account_of(&f);
        run_to_end(&f);
        zw_account end = account_of(&f);
        zw_place   place = {.body = 0};
        zw_system_frame(fixture_y(&f), zw_run_state(f.r), &place, &F, NULL);
        zw_v3_copy(tip[i], F.r);
        double drift = fabs(account_energy(&end) - account_energy(&start));
        print_message("%s: energy %.3g of %.3g J, joints %.3g, %.3g\n", rule[i], drift, end.kinetic, residual(&f, 0), residual(&f, 1));
        check_below(drift, bound[i], measured[i]);
        check_below(residual(&f, 0), 1e-12, 6.2e-16);
        fixture_close(&f);
    }
    check_array_near(tip[1], tip[0], 3, 1e-6); /* measured 5.7e-9 */
}

/* a net of 5 x 5 knots, 40 links joined by balls, hung by one corner: 16 loops */
static void net_falls_and_keeps_its_energy(void **unused) {
    (void)unused;
    enum { K = 5 };
    size_t  size = 40000, used = 0;
    char   *text = calloc(size, 1), *joints = calloc(size, 1);
    size_t  also = 0;
    int     first[K * K], links = 0, balls = 0;
    fixture f;
    for (int i = 0; i < K * K; i++) {
        first[i] = -1;
    }
    used += (size_t)snprintf(text, size, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int knot = 0; knot < K * K; knot++) {
        int i = knot % K, j = knot / K;
        for (int way = 0; way < 2; way++) {
            int other = way == 0 ? knot + 1 : knot + K;
            if ((way == 0 && i == K - 1) || (way == 1 && j == K - 1)) {
                continue;
            }
            double x = 0.2 * i + (way == 0 ? 0.1 : 0.0), y = 0.2 * j + (way == 1 ? 0.1 : 0.0);
            used +=
                (size_t)snprintf(text + used, size - used, "  l%d: {rigid: {box: {size: [%s, 0.03]}, mass: 0.1, at: [%.17g, %.17g, 0]}}\n",
                                 links, way == 0 ? "0.16, 0.02" : "0.02, 0.16", x, y);
            for (int end = 0; end < 2; end++) {
                int    at = end == 0 ? knot : other;
                double s = end == 0 ? -0.1 : 0.1;
                char   mine[60];
                snprintf(mine, sizeof mine, "at: [%g, %g, 0]", way == 0 ? s : 0.0, way == 1 ? s : 0.0);
                if (first[at] < 0) {
                    first[at] = 2 * (2 * links + way) + end;
                    if (at == 0) {
                        also += (size_t)snprintf(joints + also, size - also, "  pin: {ball: l%d, %s}\n", links, mine);
                        balls++;
                    }
                } else {
                    int    host = first[at] / 4, host_way = first[at] / 2 % 2;
                    double t = first[at] % 2 == 0 ? -0.1 : 0.1;
                    also += (size_t)snprintf(joints + also, size - also, "  b%d: {ball: [{body: l%d, at: [%g, %g, 0]}, {body: l%d, %s}]}\n",
                                             balls, host, host_way == 0 ? t : 0.0, host_way == 1 ? t : 0.0, links, mine);
                    balls++;
                }
            }
            links++;
        }
    }
    snprintf(text + used, size - used, "constraints:\n%srun: {until: 0.2, integrator: gauss, stages: 3, step: 0.002}\n", joints);
    assert_int_equal(links, 40);
    fixture_run(&f, text);
    zw_project_info info = rank_of(&f);
    assert_int_equal(info.rank, 3 * balls);
    zw_account start = account_of(&f);
    run_to_end(&f);
    zw_account end = account_of(&f);
    double     drift = fabs(account_energy(&end) - account_energy(&start));
    print_message("%d balls, rank %d, redundant %d, energy %.3g of %.3g J, joints %.3g, %.3g\n", balls, info.rank, info.redundant, drift,
                  end.kinetic, residual(&f, 0), residual(&f, 1));
    check_below(drift, 1e-11, 1.2e-13);
    check_below(residual(&f, 0), 1e-12, 2.1e-16);
    fixture_close(&f);
    free(text);
    free(joints);
}

/* each joint between two rigid bodies, and between a rigid body and the end of a rod, free in space: momenta to round-off, closed, energy within the band of
 * the rule */
static void every_joint_keeps_momenta_and_energy(void **unused) {
    (void)unused;
    static const char *const joint[] = {
        "ball: [%s]",  "hinge: [%s], axis: [0, 1, 0.2]",           "slider: [%s], axis: [1, 0.3, 0]", "universal: [%s], axis: [0, 1, 0]",
        "fixed: [%s]", "spring: [%s], stiffness: 40, length: 0.05"};
    static const struct {
        const char *rule;
        double      energy[2], measured[2];                             /* relative: rigid, rod */
    } rule[] = {{"verlet, step: 2e-4", {2e-3, 2e-3}, {6.9e-4, 4.1e-4}}, /* the spring, whose points start together */
                {"gauss, stages: 1, step: 2e-4", {1e-6, 1e-6}, {1.4e-7, 2.8e-7}},
                {"gauss, stages: 2, step: 2e-4", {1e-13, 1e-9}, {8.9e-15, 9.3e-11}}};
    static const char *const other[] = {
        "tug, at: [0.1, 0.02, 0]}, {body: mate, at: [-0.15, 0, 0]}",
        "tug, at: [0.1, 0.02, 0]}, {body: rope, s: 0}",
    };
    double drift[3][2] = {{0}}, energy[3][2] = {{0}}, open[3][2] = {{0}};
    for (int k = 0; k < 6; k++) {
        for (int soft = 0; soft < 2; soft++) {
            for (int i = 0; i < 3; i++) {
                char    text[1600], places[200], line[300];
                fixture f;
                snprintf(places, sizeof places, "{body: %s", other[soft]);
                snprintf(line, sizeof line, joint[k], places);
                snprintf(
                    text, sizeof text,
                    "zwang: 1\nbodies:\n"
                    "  tug: {rigid: {box: {size: [0.2, 0.1, 0.15]}, mass: 1, at: [0, 0, 0], velocity: [0.3, 0, 0.2], spin: [1, 2, -1]}}\n%s"
                    "constraints:\n  j: {%s}\nrun: {until: 0.1, integrator: %s}\n",
                    soft
                        ? "  rope: {rod: {length: 0.5, elements: 5, at: [0.1, 0.02, 0], along: [1, 0, 0], section: {round: 0.02}, velocity: [0, s, "
                          "0], material: {density: 1200, young: 1e6, poisson: 0.4}}}\n"
                        : "  mate: {rigid: {box: {size: [0.3, 0.1, 0.2]}, mass: 0.7, at: [0.25, 0.02, 0], spin: [0, -3, 2]}}\n",
                    line, rule[i].rule);
                fixture_run(&f, text);
                zw_account start = account_of(&f);
                run_to_end(&f);
                zw_account end = account_of(&f);
                double     p = largest_difference(3, start.momentum, end.momentum), L = largest_difference(3, start.angular, end.angular);
                double     e = fabs(account_energy(&end) - account_energy(&start)) / account_energy(&start), g = residual(&f, 0);
                if (check_tol_scale() == 0.0) {
                    print_message("%.8s, %s, %s: momenta %.2g, energy %.2g, joint %.2g\n", joint[k], soft ? "rod" : "rigid", rule[i].rule,
                                  fmax(p, L), e, g);
                }
                drift[i][soft] = fmax(drift[i][soft], fmax(p, L));
                energy[i][soft] = fmax(energy[i][soft], e);
                open[i][soft] = fmax(open[i][soft], g);
                fixture_close(&f);
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int soft = 0; soft < 2; soft++) {
            print_message("%s, %s: momenta %.3g, energy %.3g, joints %.3g\n", soft ? "rod" : "rigid", rule[i].rule, drift[i][soft],
                          energy[i][soft], open[i][soft]);
            check_below(open[i][soft], 1e-12, 1.5e-15);
            check_below(energy[i][soft], rule[i].energy[soft], rule[i].measured[soft]);
        }
    }
    for (int soft = 0; soft < 2; soft++) {
        check_below(drift[0][soft], 1e-13, 7.3e-16); /* by construction */
        check_below(drift[1][soft], 1e-9, 1.7e-10);
        check_below(drift[2][soft], 1e-12, 5.6e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bricard_linkage_moves),
        cmocka_unit_test(parallelogram_with_three_cranks),
        cmocka_unit_test(net_falls_and_keeps_its_energy),
        cmocka_unit_test(every_joint_keeps_momenta_and_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

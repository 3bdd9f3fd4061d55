/* SPDX-License-Identifier: Apache-2.0
 * test_linked_hard.c: linked bodies where it is hard: hinges that spin fast about any axis, joints that are driven and redundant at once, chains so violent that a
 * step of verlet has no answer, chains so long that round-off of the weight they carry is all that moves, and the work that a link costs. */
#include "support/model.h"

#include "project/schur.h"
#include "rows/joint.h"

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
    double *c = calloc((size_t)m, sizeof *c);
    fixture_must(f, zw_system_values(fixture_y(f), zw_run_state(f->r), level, c), "zw_system_values");
    double most = largest(m, c);
    free(c);
    return most;
}

/* n links of 0.1 m in a line, `angle` from hanging */
static char *chain_text(int n, const char *joint, double angle, const char *run) {
    size_t      size = 400 + 320 * (size_t)n, used = 0;
    char       *text = calloc(size, 1);
    const char *axis = strcmp(joint, "hinge") == 0 ? ", axis: [0, 1, 0]" : "";
    used += (size_t)snprintf(text, size, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < n; i++) {
        double along = 0.1 * i + 0.05;
        used += (size_t)snprintf(
            text + used, size - used,
            "  l%d: {rigid: {capsule: {length: 0.08, radius: 0.01}, mass: 0.1, at: [%.17g, 0, %.17g], turn: [0, pi - %.17g, 0]}}\n", i,
            along * sin(angle), -along * cos(angle), angle);
    }
    used += (size_t)snprintf(text + used, size - used, "constraints:\n  j0: {%s: l0, at: [0, 0, -0.05]%s}\n", joint, axis);
    for (int i = 1; i < n; i++) {
        used +=
            (size_t)snprintf(text + used, size - used, "  j%d: {%s: [{body: l%d, at: [0, 0, 0.05]}, {body: l%d, at: [0, 0, -0.05]}]%s}\n",
                             i, joint, i - 1, i, axis);
    }
    snprintf(text + used, size - used, "run: {%s}\nrecord: {frames: 11}\n", run);
    return text;
}

/* A body that spins evenly makes no error however long the step is, but its chart ends at a full turn: steps beyond that fell over their own round-off. The angle
 * after many turns is known */
static void hinges_spin_at_any_speed_about_any_axis(void **unused) {
    (void)unused;
    double worst = 0.0, joints = 0.0;
    for (int driven = 0; driven < 2; driven++) {
        for (double w = 30.0; w < 2000.0; w *= 3.3) {
            char     text[800];
            fixture  f;
            zw_frame F;
            snprintf(text, sizeof text,
                     "zwang: 1\nparameters: {w: %.17g}\nbodies:\n"
                     "  a: {rigid: {%s, mass: 1, at: [0.3, 0, 0], spin: [0.6*w, 0, 0.8*w]}}\n"
                     "constraints:\n  j: {%s}\nrun: {until: 1, integrator: gauss}\n",
                     w, driven ? "box: {size: [0.1, 0.2, 0.3]}" : "cylinder: {length: 0.1, radius: 0.1}",
                     driven ? "fixed: a, motion: {turn: [0.6*w*t, 0, 0.8*w*t]}" : "hinge: a, axis: [0.6, 0, 0.8]");
            fixture_run(&f, text);
            run_to_end(&f);
            zw_place place = {.body = 0};
            zw_system_frame(fixture_y(&f), zw_run_state(f.r), &place, &F, NULL);
            /* Rodrigues: R e_y about n */
            double e[3] = {-0.8 * sin(w), cos(w), 0.6 * sin(w)}, y[3] = {F.R[1], F.R[4], F.R[7]};
            worst = fmax(worst, largest_difference(3, e, y) / w);
            joints = fmax(joints, residual(&f, 0));
            fixture_close(&f);
        }
    }
    print_message("angle %.3g of the turns, joints %.3g\n", worst, joints);
    check_below(worst, 1e-13, 4.2e-14);
    check_below(joints, 1e-12, 1.3e-15);
}

/* D of joints with a prescribed motion in closed form, against differences of sixth order, at states far from the joint's own */
static void rates_of_driven_joints_are_derivatives(void **unused) {
    (void)unused;
    static const double      weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    static const char *const joint[] = {"clamp: a, at: [0.1, 0.2, 0.3]",
                                        "hinge: a, at: [0.1, 0.2, 0.3], axis: [1, 2, 0.5]",
                                        "slider: a, axis: [0.3, 1, 0.2]",
                                        "universal: a, at: [0, 0, 0.3], axis: [1, 0, 0]",
                                        "ball: a, at: [0.1, 0, 0.3]",
                                        "clamp: a, at: [0.1, 0.2, 0.3], fix: [y, rx, rz]",
                                        "clamp: a, at: [0.1, 0.2, 0.3], fix: [x, z, ry]"};
    double                   worst = 0.0, eps = 1e-3;
    for (size_t k = 0; k < sizeof joint / sizeof *joint; k++) {
        char     text[700];
        fixture  f;
        uint64_t seed = 11 + k;
        snprintf(text, sizeof text,
                 "zwang: 1\nbodies:\n  a: {rigid: {box: {size: [0.3, 0.2, 1]}, mass: 2, at: [0, 0, -0.5]}}\n"
                 "constraints:\n  j: {%s, motion: {shift: [sin(2*t), t^2, 1 - cos(t)], turn: [sin(t), t^2/2, 2*t]}}\n"
                 "run: {until: 1, integrator: gauss}\n",
                 joint[k]);
        fixture_system(&f, text);
        const zw_constraint *c;
        zw_system_constraints(f.y, &c);
        assert_non_null(c->ops->rate);
        int m = zw_system_rows_count(f.y);
        for (int n = 0; n < 10; n++) {
            zw_state x, moved;
            double   D[6], sum[6] = {0}, v[6], dv[6];
            fixture_state(&f, &x);
            fixture_state(&f, &moved);
            shake(f.y, &x, 0.4, 0.3, 2.0, &seed);
            x.t = 0.3 + 0.05 * n;
            fixture_must(&f, zw_system_row_rates(f.y, &x, D), "zw_system_row_rates");
            for (int i = -3; i <= 3; i++) {
                for (int l = 0; l < 6; l++) {
                    dv[l] = i * eps * x.v[l];
                    moved.v[l] = x.v[l];
                }
                zw_system_retract(f.y, x.q, dv, moved.q);
                moved.t = x.t + i * eps;
                fixture_must(&f, zw_system_values(f.y, &moved, 1, v), "zw_system_values");
                for (int l = 0; l < m && i != 0; l++) {
                    sum[l] += (i < 0 ? -1.0 : 1.0) * weight[abs(i) - 1] * v[l] / eps;
                }
            }
            worst = fmax(worst, largest_difference(m, D, sum));
            zw_state_destroy(f.c, &x);
            zw_state_destroy(f.c, &moved);
        }
        fixture_close(&f);
    }
    print_message("rates %.3g\n", worst);
    check_below(worst, 1e-10, 2.1e-12);
}

/* A bent shaft in bearings: what the clamp that drives it, the cross and the bearing hold is 15 rows for 12 velocities. At the start nothing accelerates, and what
 * redundant rows differ by is round-off of squares of velocities: not a contradiction. tan(out) = tan(in) cos(bend) */
static void driven_shaft_with_redundant_bearings_turns(void **unused) {
    (void)unused;
    static const char *const rule[] = {"gauss", "gauss, stages: 3, step: 0.0005", "verlet, step: 0.0005"};
    static const double      speed[] = {1.0, 30.0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 2; j++) {
            char     text[900];
            fixture  f;
            zw_frame F;
            double   end = 0.9 / speed[j];
            snprintf(text, sizeof text,
                     "zwang: 1\nparameters: {sb: sin(0.5), cb: cos(0.5), w: %g}\nbodies:\n"
                     "  a: {rigid: {cylinder: {length: 1, radius: 0.1}, mass: 1, at: [-sb/2, 0, -cb/2], turn: [0, 0.5, 0]}}\n"
                     "  b: {rigid: {cylinder: {length: 1, radius: 0.1}, mass: 1, at: [0, 0, 0.5]}}\n"
                     "constraints:\n"
                     "  in: {clamp: a, at: [0, 0, -0.5], motion: {turn: [w*sb*t, 0, w*cb*t]}}\n"
                     "  out: {hinge: b, at: [0, 0, 0.5], axis: [0, 0, 1]}\n"
                     "  cross: {universal: [{body: a, at: [0, 0, 0.5]}, {body: b, at: [0, 0, -0.5]}], axis: [0, 1, 0]}\n"
                     "run: {until: %.17g, integrator: %s}\n",
                     speed[j], end, rule[i]);
            fixture_run(&f, text);
            assert_non_null(strstr(f.log, "redundant"));
            run_to_end(&f);
            zw_place place = {.body = 1};
            zw_system_frame(fixture_y(&f), zw_run_state(f.r), &place, &F, NULL);
            double apart = fabs(atan2(F.R[3], F.R[0]) - atan(tan(0.9) * cos(0.5)));
            print_message("%s, %g rad/s: angle %.3g, joints %.3g, %.3g\n", rule[i], speed[j], apart, residual(&f, 0), residual(&f, 1));
            check_below(apart, 1e-13, 1.3e-15);
            check_below(residual(&f, 0), 1e-13, 8.1e-16);
            check_below(residual(&f, 1), 1e-12 * speed[j], 1.1e-14);
            fixture_close(&f);
        }
    }
}

/* two drives of one body whose positions and speeds agree at the start, and whose accelerations do not */
static void drives_that_part_are_a_contradiction(void **unused) {
    (void)unused;
    fixture f;
    fixture_run(&f, "zwang: 1\nbodies:\n  a: {rigid: {box: {size: [1, 1, 1]}, mass: 1}}\n"
                    "constraints:\n  one: {clamp: a, motion: {shift: [t^2, 0, 0]}}\n  two: {clamp: a, motion: {shift: [2*t^2, 0, 0]}}\n"
                    "run: {until: 1, integrator: gauss}\n");
    zw_status status = zw_run_advance(f.r, 1);
    assert_int_not_equal(status, ZW_OK);
    const zw_error *e = fixture_error(&f);
    print_message("%s: %s\n", e->subject, e->message);
    assert_non_null(strstr(e->subject, "constraint 't"));
    fixture_close(&f);
}

/* what hinges and sliders leave free is a probe; angles count on over full turns, also between bodies that both turn */
static void angle_and_way_are_followed(void **unused) {
    (void)unused;
    static const char *const rule[] = {"gauss", "verlet, step: 0.002"};
    for (int i = 0; i < 2; i++) {
        char       text[1200];
        fixture    f;
        zw_summary sum;
        snprintf(
            text, sizeof text,
            "zwang: 1\nbodies:\n"
            "  a: {rigid: {cylinder: {length: 0.1, radius: 0.1}, mass: 1, spin: [0, 0, -10]}}\n"
            "  b: {rigid: {cylinder: {length: 0.1, radius: 0.1}, mass: 1, spin: [0, 0, 15]}}\n"
            "  c: {rigid: {sphere: {radius: 0.1}, mass: 1, velocity: [0, 2, 0]}}\n"
            "constraints:\n  h: {hinge: a, axis: [0, 0, 1]}\n  k: {hinge: [b, a], axis: [0, 0, 1]}\n  s: {slider: c, axis: [0, 1, 0]}\n"
            "probes:\n  turned: {angle: h}\n  between: {angle: k}\n  gone: {way: s}\n"
            "run: {until: 5, integrator: %s}\n",
            rule[i]);
        fixture_run(&f, text);
        run_to_end(&f);
        zw_run_summary(f.r, &sum);
        assert_int_equal(sum.nprobes, 3);
        check_near(sum.probes[0].final[0], -50.0, 1e-11); /* measured 3e-13 */
        check_near(sum.probes[1].final[0], 125.0, 1e-11);
        check_near(sum.probes[2].final[0], 10.0, 1e-11);
        check_near(sum.probes[1].min[0], 0.0, 1e-15);
        fixture_close(&f);
    }
}

/* let go level, thirty links whip so that bodies turn by a radian in a step of 2 ms: the fixed matrix of RATTLE diverges, and some steps have no answer at all */
static void whipping_chain_stays_joined(void **unused) {
    (void)unused;
    fixture f;
    stepper s;
    double  g[90], worst = 0.0;
    char   *text = chain_text(30, "ball", 0.5 * 3.14159265358979323846, "until: 1, step: 0.002, integrator: verlet");
    fixture_system(&f, text);
    stepper_open(&s, &f, 0.002);
    for (int i = 0; i < 13; i++) {
        stepper_go(&s, 100);
        fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 0, g), "zw_system_values");
        worst = fmax(worst, largest(90, g));
    }
    print_message("joints %.3g; %s", worst, f.log);
    assert_non_null(strstr(f.log, "parts"));
    check_below(worst, 1e-13, 8e-16);
    stepper_close(&s);
    fixture_close(&f);
    free(text);
}

/* 1000 links let go near rest: velocities are so small that the round-off of 860 N in the first joints is 1e-8 of them */
static void long_chain_begins_to_move(void **unused) {
    (void)unused;
    fixture f;
    char   *text = chain_text(1000, "ball", 0.5, "until: 0.002, step: 0.001, integrator: gauss, stages: 2");
    fixture_run(&f, text);
    run_to_end(&f);
    print_message("joints %.3g, %.3g\n", residual(&f, 0), residual(&f, 1));
    check_below(residual(&f, 0), 1e-12, 1.9e-14);
    check_below(residual(&f, 1), 1e-14, 5.2e-18);
    fixture_close(&f);
    free(text);
}

/* multiplications of one factorisation, from its pattern */
static double factor_work(const zw_blockchol *f) {
    double sum = 0.0;
    for (int j = 0; j < f->nb; j++) {
        double m = f->row0[j + 1] - f->row0[j], below = 0.0;
        for (int q = f->start[j] + 1; q < f->start[j + 1]; q++) {
            below += f->row0[f->row[q] + 1] - f->row0[f->row[q]];
        }
        sum += m * m * m / 6.0 + below * m * m / 2.0 + below * (below + m) * m / 2.0;
    }
    return sum;
}

/* what a link costs does not depend on how many there are: counted, not timed */
static void work_per_link_is_constant(void **unused) {
    (void)unused;
    static const int links[] = {30, 100, 300, 1000, 3000};
    for (int hinge = 0; hinge < 2; hinge++) {
        double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most[3] = {0.0, 0.0, 0.0};
        for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
            fixture          f;
            zw_state         x;
            zw_arena         arena;
            const zw_rows   *A;
            zw_metric_factor H;
            zw_schur         S;
            int              n = links[i];
            char            *text = chain_text(n, hinge ? "hinge" : "ball", 0.5, "until: 1, step: 0.001, integrator: verlet");
            fixture_system(&f, text);
            fixture_state(&f, &x);
            fixture_must(&f, zw_system_rows(f.y, &x, &A), "zw_system_rows");
            const zw_metric *M = zw_system_mass(f.y, &x);
            unsigned char   *cut = calloc((size_t)M->n + 1, 1);
            for (int k = 0; k < A->nblocks; k++) {
                cut[A->block[k].col0] |= ZW_COLUMN_CUT;
                cut[A->block[k].col0 + A->block[k].ncol] |= ZW_COLUMN_CUT;
                for (int j = 0; j < A->block[k].ncol; j++) {
                    cut[A->block[k].col0 + j] |= ZW_COLUMN_TOUCHED;
                }
            }
            zw_arena_init(&arena, f.c);
            fixture_must(&f, zw_metric_analyse(&arena, M, cut, &H), "zw_metric_analyse");
            fixture_must(&f, zw_schur_analyse(&arena, &H, A, &S), "zw_schur_analyse");
            assert_int_equal(S.ncomponents, 1);
            assert_false(S.component[0].dense);
            double work[3] = {factor_work(&S.component[0].chol) / n, (double)S.nproducts / n, (double)S.component[0].chol.nvalues / n};
            for (int k = 0; k < 3; k++) {
                least[k] = fmin(least[k], work[k]);
                most[k] = fmax(most[k], work[k]);
            }
            zw_arena_destroy(&arena);
            free(cut);
            zw_state_destroy(f.c, &x);
            fixture_close(&f);
            free(text);
        }
        print_message("%s: %.1f multiplications, %.2f products, %.1f numbers per link; max/min %.3f %.3f %.3f\n", hinge ? "hinge" : "ball",
                      most[0], most[1], most[2], most[0] / least[0], most[1] / least[1], most[2] / least[2]);
        for (int k = 0; k < 3; k++) {
            check_below(most[k] / least[k], 1.05, 1.031);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hinges_spin_at_any_speed_about_any_axis),
        cmocka_unit_test(rates_of_driven_joints_are_derivatives),
        cmocka_unit_test(driven_shaft_with_redundant_bearings_turns),
        cmocka_unit_test(drives_that_part_are_a_contradiction),
        cmocka_unit_test(angle_and_way_are_followed),
        cmocka_unit_test(whipping_chain_stays_joined),
        cmocka_unit_test(long_chain_begins_to_move),
        cmocka_unit_test(work_per_link_is_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

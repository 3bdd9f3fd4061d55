/* SPDX-License-Identifier: Apache-2.0
 * test_collocation.c: the integrator gauss: reference motions, orders, formulations, rows, reversibility, energy, rank loss, rods. */
#include "support/model.h"

#include "references/nonholonomic.h"

#include <string.h>

enum { SYSTEMS = (int)(sizeof nonholonomic / sizeof nonholonomic[0]) };

static void model_text(char *out, size_t size, const char *body, const char *run) {
    snprintf(out, size, "zwang: 1\nbodies:\n  it:\n    lagrangian:\n%srun: {%s}\nrecord: {frames: 2}\n", body, run);
}

/* largest |x - reference| over the components, relative to each, or to a thousandth of the largest one */
static double relative_error(int n, const double *x, const double *reference) {
    double scale = largest(n, reference), most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - reference[i]) / fmax(fabs(reference[i]), 1e-3 * scale));
    }
    return most;
}

static void finish(fixture *f) {
    while (!zw_run_done(f->r)) {
        fixture_advance(f, 100000);
    }
}

static void references_are_met_to_ten_digits_with_default_settings(void **state) {
    (void)state;
    double motion = 0.0, reaction = 0.0, rows = 0.0;
    for (int i = 0; i < SYSTEMS; i++) {
        const nonholonomic_system *s = &nonholonomic[i];
        for (int k = 0; k < s->nstates; k++) {
            const nonholonomic_state *e = &s->state[k];
            char                      text[4000], run[64];
            fixture                   f;
            zw_gauss                 *g;
            zw_project_info           info;
            zw_summary                sum;
            double                    a[5], lambda[2];
            snprintf(run, sizeof run, "until: %.17g", e->t);
            model_text(text, sizeof text, s->body, run);
            fixture_run(&f, text);
            finish(&f);
            const zw_state *x = zw_run_state(f.r);
            zw_run_summary(f.r, &sum);
            assert_true(sum.adaptive);
            assert_true(sum.t == e->t);
            motion = fmax(motion, fmax(relative_error(s->n, x->q, e->q), relative_error(s->n, x->v, e->v)));
            fixture_must(&f, zw_gauss_create(zw_run_system(f.r), &g), "zw_gauss_create");
            fixture_must(&f, zw_gauss_solve(g, x, a, lambda, &info), "zw_gauss_solve");
            reaction = fmax(reaction, relative_error(s->m, lambda, e->lambda));
            rows = fmax(rows, sum.constraint_velocity_relative_max);
            zw_gauss_destroy(g);
            fixture_close(&f);
        }
    }
    check_below(motion, 1e-10, 2.2e-12);
    check_below(reaction, 1e-10, 1.5e-12);
    check_below(rows, 8e-15, 8.7e-16);
}

static void formulations_move_the_references_alike(void **state) {
    (void)state;
    static const char *const name[] = {"multiplier", "macmillan"};
    double                   worst = 0.0;
    for (int i = 0; i < SYSTEMS; i++) {
        const nonholonomic_system *s = &nonholonomic[i];
        const nonholonomic_state  *e = &s->state[s->nstates - 1];
        for (int k = 0; k < 2; k++) {
            char    text[4000], run[96];
            fixture f;
            snprintf(run, sizeof run, "until: %.17g, formulation: %s", e->t, name[k]);
            model_text(text, sizeof text, s->body, run);
            fixture_run(&f, text);
            finish(&f);
            worst = fmax(worst, relative_error(s->n, zw_run_state(f.r)->q, e->q));
            worst = fmax(worst, relative_error(s->n, zw_run_state(f.r)->v, e->v));
            fixture_close(&f);
        }
    }
    check_below(worst, 1e-10, 1.8e-12);
}

/* the sleigh in velocities of its own frame (a chart that is not flat) against the reference, and its orders */
static void velocities_of_a_moving_frame_give_the_same_motion(void **state) {
    (void)state;
    static const char body[] =
        "      coordinates: [x, y, theta]\n"
        "      velocities: {u: xdot*cos(theta) + ydot*sin(theta), w: -xdot*sin(theta) + ydot*cos(theta), turn: thetadot}\n"
        "      kinetic: thetadot^2/4 + (-3*thetadot*sin(theta)/10 + xdot)^2 + (3*thetadot*cos(theta)/10 + ydot)^2\n"
        "      constraints: [\"-xdot*sin(theta) + ydot*cos(theta) = 0\"]\n"
        "      start: {xdot: 0.4, thetadot: 1.5}\n";
    const nonholonomic_state *e = &nonholonomic[2].state[3];
    static const char *const  run[] = {"until: 4", "until: 4, step: 0.2", "until: 4, step: 0.1"};
    double                    error[3];
    for (int i = 0; i < 3; i++) {
        char    text[2000];
        fixture f;
        model_text(text, sizeof text, body, run[i]);
        fixture_run(&f, text);
        finish(&f);
        const zw_state *x = zw_run_state(f.r);
        error[i] = relative_error(3, x->q, e->q);
        double u = cos(e->q[2]) * e->v[0] + sin(e->q[2]) * e->v[1];
        error[i] = fmax(error[i], fabs(x->v[0] - u));
        fixture_close(&f);
    }
    check_below(error[0], 1e-11, 4.5e-13);
    check_order(error + 1, 2, 2.0, 8.0, 0.3); /* 0.1 */
}

/* error at the end of a reference motion with a fixed step */
static double fixed_error(const nonholonomic_system *s, int at, int stages, int steps) {
    char                      text[4000], run[96];
    fixture                   f;
    const nonholonomic_state *e = &s->state[at];
    snprintf(run, sizeof run, "until: %.17g, step: %.17g, stages: %d", e->t, e->t / steps, stages);
    model_text(text, sizeof text, s->body, run);
    fixture_run(&f, text);
    finish(&f);
    double error = fmax(largest_difference(s->n, zw_run_state(f.r)->q, e->q), largest_difference(s->n, zw_run_state(f.r)->v, e->v));
    fixture_close(&f);
    return error;
}

static void orders_are_two_four_six_eight_on_a_constrained_system(void **state) {
    (void)state;
    static const int first[] = {100, 25, 12, 10};
    for (int s = 1; s <= 4; s++) {
        double error[3];
        for (int i = 0; i < 3; i++) {
            error[i] = fixed_error(&nonholonomic[3], 2, s, first[s - 1] << i); /* rolling disk to t = 1 */
        }
        check_order(error, 3, 2.0, 2.0 * s, 0.1); /* 0.024 */
    }
}

static const char pendulum[] = "      coordinates: [x1, y1, x2, y2]\n"
                               "      kinetic: (x1dot^2 + y1dot^2 + x2dot^2 + y2dot^2)/2\n"
                               "      potential: 9.81*(y1 + y2)\n"
                               "      constraints: {a: x1^2 + y1^2 = 1, b: (x2 - x1)^2 + (y2 - y1)^2 = 1}\n"
                               "      start: {x1: 0.479426, y1: -0.877583, x2: 1.123644, y2: -1.642425}\n";

static void orders_hold_with_position_rows_and_symmetric_projection(void **state) {
    (void)state;
    char    text[2000];
    fixture f;
    double  fine[8];
    model_text(text, sizeof text, pendulum, "until: 1, step: 0.0025, stages: 4");
    fixture_run(&f, text);
    finish(&f);
    memcpy(fine, zw_run_state(f.r)->q, 4 * sizeof *fine);
    memcpy(fine + 4, zw_run_state(f.r)->v, 4 * sizeof *fine);
    fixture_close(&f);
    static const int first[] = {100, 40, 20, 10};
    for (int s = 1; s <= 4; s++) {
        double error[3];
        for (int i = 0; i < 3; i++) {
            char run[96];
            snprintf(run, sizeof run, "until: 1, step: %.17g, stages: %d", 1.0 / (first[s - 1] << i), s);
            model_text(text, sizeof text, pendulum, run);
            fixture_run(&f, text);
            finish(&f);
            error[i] = fmax(largest_difference(4, zw_run_state(f.r)->q, fine), largest_difference(4, zw_run_state(f.r)->v, fine + 4));
            fixture_close(&f);
        }
        check_order(error, 3, 2.0, 2.0 * s, 0.1); /* 0.027 */
    }
}

static void energy_of_a_holonomic_system_stays_in_a_band(void **state) {
    (void)state;
    double band[2];
    for (int i = 0; i < 2; i++) {
        char       text[2000];
        fixture    f;
        zw_summary sum;
        model_text(text, sizeof text, pendulum, i == 0 ? "until: 100, step: 0.1, stages: 2" : "until: 1000, step: 0.1, stages: 2");
        fixture_run(&f, text);
        finish(&f);
        zw_run_summary(f.r, &sum);
        band[i] = sum.energy_drift_max / sum.energy_scale;
        check_below(sum.constraint_position_max, 8e-15, 1.8e-15);
        check_below(sum.constraint_velocity_relative_max, 8e-15, 8.9e-16);
        fixture_close(&f);
    }
    check_below(band[0], 2e-5, 5.8e-6);
    check_below(band[1] / band[0], 1.1, 0.985); /* ten times the time, the same band */
}

static void motion_reversed_goes_back_to_its_start(void **state) {
    (void)state;
    char    text[2000];
    fixture f;
    model_text(text, sizeof text, pendulum, "until: 1, integrator: gauss, stages: 3");
    fixture_system(&f, text);
    stepper s = {.f = &f, .h = 0.05, .ops = zw_integrator_find("gauss")};
    int     nw;
    fixture_must(&f, s.ops->create(f.y, &s.self, &nw), "create");
    s.n = zw_system_size(f.y);
    s.n.nw = nw;
    for (int i = 0; i < 2; i++) {
        fixture_must(&f, zw_state_create(f.c, &s.n, &s.x[i]), "zw_state_create");
    }
    zw_state *x = stepper_x(&s);
    double    angle = 0.5, other = 0.7, start[8];
    x->q[0] = sin(angle), x->q[1] = -cos(angle), x->q[2] = x->q[0] + sin(other), x->q[3] = x->q[1] - cos(other);
    memcpy(start, x->q, 4 * sizeof *start);
    stepper_restart(&s);
    stepper_go(&s, 200);
    x = stepper_x(&s);
    for (int i = 0; i < 4; i++) {
        x->v[i] = -x->v[i];
    }
    stepper_restart(&s);
    stepper_go(&s, 200);
    x = stepper_x(&s);
    check_below(largest_difference(4, x->q, start), 1e-13, 8.9e-16);
    check_below(largest(4, x->v), 1e-13, 2.8e-15);
    stepper_close(&s);
    fixture_close(&f);
}

static void a_row_that_vanishes_stops_the_run_by_name(void **state) {
    (void)state;
    static const char        body[] = "      coordinates: [x, y, z]\n"
                                      "      kinetic: (xdot^2 + ydot^2 + zdot^2)/2\n"
                                      "      potential: 9.81*z\n"
                                      "      constraints: {wheel: xdot^2 + ydot^2 = 9/4*zdot^2}\n"
                                      "      start: {xdot: 0.3, ydot: 0.4, zdot: 1/3}\n";
    static const char *const run[] = {"until: 1", "until: 1, step: 0.01", "until: 1, step: 0.0333, stages: 2"};
    for (int i = 0; i < 3; i++) { /* vz = 0 at t = (1/3)/(9.81/(1 + 9/4)) = 0.1104315325... */
        char    text[2000];
        fixture f;
        model_text(text, sizeof text, body, run[i]);
        fixture_run(&f, text);
        assert_int_equal(zw_run_advance(f.r, 1000000), ZW_E_RANK);
        const zw_error *e = fixture_error(&f);
        assert_non_null(strstr(e->subject, "wheel"));
        assert_non_null(strstr(e->subject, "xdot^2 + ydot^2"));
        assert_non_null(strstr(e->message, "t = 0.1104315"));
        assert_non_null(strstr(e->message, "vanishes"));
        fixture_close(&f);
    }
}

static void a_start_off_the_rows_is_corrected_and_told(void **state) {
    (void)state;
    char    text[2000];
    fixture f;
    model_text(text, sizeof text,
               "      coordinates: [x, y]\n      kinetic: (xdot^2 + ydot^2)/2\n      constraints: {a: x^2 + y^2 = 1}\n"
               "      start: {x: 1.2, xdot: 1, ydot: 0.5}\n",
               "until: 1, integrator: gauss");
    fixture_run(&f, text);
    assert_non_null(strstr(f.log, "it.x was changed from 1.2 to 1 "));
    assert_non_null(strstr(f.log, "it.xdot was changed from 1 to "));
    check_near(zw_run_state(f.r)->q[0], 1.0, 1e-15);
    check_near(zw_run_state(f.r)->v[0], 0.0, 1e-15);
    check_near(zw_run_state(f.r)->v[1], 0.5, 1e-15);
    fixture_close(&f);
}

static void a_start_that_cannot_be_corrected_is_refused(void **state) {
    (void)state;
    char    text[2000];
    fixture f;
    model_text(text, sizeof text,
               "      coordinates: [x, y]\n      kinetic: (xdot^2 + ydot^2)/2\n      constraints: {a: x^2 + y^2 = -1}\n"
               "      start: {x: 1.2}\n",
               "until: 1, integrator: gauss");
    fixture_parse(&f, text);
    assert_int_not_equal(zw_run_create(f.m, &f.r), ZW_OK);
    assert_non_null(strstr(fixture_error(&f)->subject, "x^2 + y^2 = -1"));
    fixture_close(&f);
}

static const char rod[] = "zwang: 1\n"
                          "gravity: [0, 0, -9.81]\n"
                          "bodies:\n  beam: {rod: {length: 1, elements: 12, along: [1, 0, 0], section: {square: 0.05},\n"
                          "    material: {density: 1000, young: 1e6, poisson: 0.3, damping: 1e-4}}}\n"
                          "constraints:\n  root: {clamp: beam, s: 0}\n"
                          "run: {until: 0.05, %s}\nrecord: {frames: 2}\n";

static void rods_move_as_under_a_fine_verlet(void **state) {
    (void)state;
    char    text[2000];
    fixture f, fine;
    snprintf(text, sizeof text, rod, "integrator: verlet, step: 2e-6");
    fixture_run(&fine, text);
    finish(&fine);
    snprintf(text, sizeof text, rod, "integrator: gauss");
    fixture_run(&f, text);
    finish(&f);
    zw_summary sum;
    zw_run_summary(f.r, &sum);
    assert_false(sum.adaptive);
    zw_size n = zw_system_size(zw_run_system(f.r));
    check_below(largest_difference(n.nq, zw_run_state(f.r)->q, zw_run_state(fine.r)->q), 5e-7, 4.7e-8);
    check_below(largest_difference(n.nv, zw_run_state(f.r)->v, zw_run_state(fine.r)->v), 1e-3, 1.1e-4);
    check_below(sum.energy_drift_max / sum.energy_scale, 2e-10, 1.5e-11);
    fixture_close(&f);
    fixture_close(&fine);
}

static void fields_are_refused_by_name(void **state) {
    (void)state;
    static const char text[] = "zwang: 1\nbodies:\n  s: {field: {algebra: so(3), hamiltonian: mu1^2/2 + mu2^2/2 + mu3^2/2, elements: 4}}\n"
                               "run: {until: 1, integrator: poisson-consistent}\n";
    fixture           f;
    void             *self;
    int               nw;
    fixture_system(&f, text);
    assert_int_equal(zw_integrator_find("gauss")->create(f.y, &self, &nw), ZW_E_UNSUPPORTED);
    assert_non_null(strstr(fixture_error(&f)->message, "'field'"));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_are_met_to_ten_digits_with_default_settings),
        cmocka_unit_test(formulations_move_the_references_alike),
        cmocka_unit_test(velocities_of_a_moving_frame_give_the_same_motion),
        cmocka_unit_test(orders_are_two_four_six_eight_on_a_constrained_system),
        cmocka_unit_test(orders_hold_with_position_rows_and_symmetric_projection),
        cmocka_unit_test(energy_of_a_holonomic_system_stays_in_a_band),
        cmocka_unit_test(motion_reversed_goes_back_to_its_start),
        cmocka_unit_test(a_row_that_vanishes_stops_the_run_by_name),
        cmocka_unit_test(a_start_off_the_rows_is_corrected_and_told),
        cmocka_unit_test(a_start_that_cannot_be_corrected_is_refused),
        cmocka_unit_test(rods_move_as_under_a_fine_verlet),
        cmocka_unit_test(fields_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

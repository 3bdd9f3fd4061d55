/* SPDX-License-Identifier: Apache-2.0
 * test_gauss.c: accelerations by Gauss's principle: they minimise the Zwang, they are those of the step, and their multipliers are the reactions. */
#include "support/model.h"

#define SWING                                                                                                                    \
    "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"                                                                                \
    "  a: {rod: {length: 1, elements: 6, along: [1, 0, 0], shape: {curvature: [1, 0.5, 1]}, section: {rectangle: [0.1, 0.06]}, " \
    "material: {density: 1000, young: 1e6, poisson: 0.25, damping: 0.001}}}\n"                                                   \
    "  b: {rod: {length: 0.6, elements: 4, at: [0.2, 0.1, 0.3], along: [0, 1, 0], section: {square: 0.05}, material: {density: 1000, young: 1e6, poisson: 0.25}}}\n"
#define ROWS                                                                                              \
    "constraints:\n  root: {clamp: a, s: 0, motion: {shift: [0, 0.1*t^2, 0.2*t], turn: [0, 2*t, t^2]}}\n" \
    "  knee: {clamp: [{body: a, s: 0.7}, {body: b, s: 0.2}], fix: [x, y, z, rx, ry]}\n"

/* velocities that agree with the rows, by projection */
static void make_consistent(const fixture *f, zw_state *x) {
    zw_solver      *solver;
    const zw_rows  *A;
    zw_project_info info;
    int             nv = zw_system_size(f->y).nv, m = zw_system_rows_count(f->y);
    double         *v = calloc((size_t)(nv + 2 * m), sizeof *v);
    fixture_must(f, zw_solver_create(f->c, &solver), "solver");
    fixture_must(f, zw_system_values(f->y, x, 2, v + nv), "values");
    fixture_must(f, zw_system_rows(f->y, x, &A), "rows");
    fixture_must(f, zw_project(solver, zw_system_mass(f->y, x), A, v + nv, x->v, v, v + nv + m, &info), "project");
    memcpy(x->v, v, sizeof(double) * (size_t)nv);
    zw_solver_destroy(solver);
    free(v);
}

static double quadratic(const fixture *f, const zw_state *x, const double *d) {
    const zw_metric *M = zw_system_mass(f->y, x);
    double           sum = 0.0;
    for (int i = 0; i < M->part[0].n; i++) {
        sum += 0.5 * M->part[0].a[i] * d[i] * d[i];
    }
    return sum;
}

/* Z(a + d) - Z(a) = 1/2 d'Md for every d with A d = 0 */
static void zwang_grows_by_half_d_m_d(void **state) {
    fixture         f;
    zw_state        x;
    zw_gauss       *gauss;
    zw_project_info info;
    const zw_rows  *A;
    uint64_t        seed = 4;
    double          worst = 0.0, residual = 0.0;
    (void)state;
    fixture_system(&f, SWING ROWS);
    fixture_state(&f, &x);
    zw_size n = zw_system_size(f.y);
    int     m = zw_system_rows_count(f.y);
    assert_int_equal(m, 11);
    shake(f.y, &x, 0.0, 0.0, 1.0, &seed);
    make_consistent(&f, &x);
    fixture_must(&f, zw_gauss_create(f.y, &gauss), "gauss");
    double a[80], lambda[11], free_a[80], force[80] = {0}, d[80], moved[80];
    assert_true(n.nv <= 80);
    fixture_must(&f, zw_gauss_solve(gauss, &x, a, lambda, &info), "solve");
    assert_int_equal(info.redundant, 0);
    /* a_free = M^-1 (forces - gyroscopic) */
    fixture_must(&f, zw_system_force(f.y, &x, force), "force");
    fixture_must(&f, zw_system_load(f.y, &x, x.t, force), "load");
    zw_system_damp(f.y, &x, force);
    zw_system_bias(f.y, &x, force);
    const zw_metric *M = zw_system_mass(f.y, &x);
    for (int i = 0; i < n.nv; i++) {
        free_a[i] = force[i] / M->part[0].a[i];
        d[i] = a[i] - free_a[i];
    }
    double Z = quadratic(&f, &x, d);
    check_relative(info.value, Z, 1e-12);
    /* admissible variations: noise projected onto A d = 0 */
    zw_solver *solver;
    double     zero[11] = {0}, mu[11];
    fixture_must(&f, zw_solver_create(f.c, &solver), "solver");
    for (int trial = 0; trial < 20; trial++) {
        for (int i = 0; i < n.nv; i++) {
            moved[i] = 10 * noise(&seed) * fabs(a[i] + 1.0);
        }
        fixture_must(&f, zw_system_rows(f.y, &x, &A), "rows");
        fixture_must(&f, zw_project(solver, zw_system_mass(f.y, &x), A, zero, moved, d, mu, &info), "project");
        double growth = quadratic(&f, &x, d), norm = 0.0;
        for (int i = 0; i < n.nv; i++) {
            moved[i] = a[i] + d[i] - free_a[i];
            norm = fmax(norm, fabs(d[i]));
        }
        assert_true(norm > 0.1);
        worst = fmax(worst, fabs(quadratic(&f, &x, moved) - Z - growth) / (Z + growth));
        residual = fmax(residual, info.residual);
    }
    check_below(worst, 1e-12, 6.8e-16);
    check_below(residual, 1e-12, 2.4e-16);
    zw_solver_destroy(solver);
    zw_gauss_destroy(gauss);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* (v(h) - v(-h))/2h of tiny steps */
static void check_against_steps(const char *text, double *worst) {
    fixture         f;
    stepper         s;
    zw_gauss       *gauss;
    zw_project_info info;
    uint64_t        seed = 8;
    double          a[80], lambda[20], v[2][80], h = 1e-6;
    fixture_system(&f, text);
    for (int side = 0; side < 2; side++) {
        stepper_open(&s, &f, side == 0 ? h : 2 * h);
        seed = 8;
        zw_state *x = stepper_x(&s);
        shake(f.y, x, 0.0, 0.0, 1.0, &seed);
        if (zw_system_rows_count(f.y) > 0) {
            make_consistent(&f, x);
        }
        stepper_restart(&s);
        if (side == 0) {
            fixture_must(&f, zw_gauss_create(f.y, &gauss), "gauss");
            fixture_must(&f, zw_gauss_solve(gauss, x, a, lambda, &info), "solve");
            zw_gauss_destroy(gauss);
        }
        double v0[80];
        memcpy(v0, x->v, sizeof(double) * (size_t)s.n.nv);
        stepper_go(&s, 1);
        for (int i = 0; i < s.n.nv; i++) {
            v[side][i] = (stepper_x(&s)->v[i] - v0[i]) / s.h;
        }
        stepper_close(&s);
    }
    double scale = largest(zw_system_size(f.y).nv, a);
    for (int i = 0; i < zw_system_size(f.y).nv; i++) { /* extrapolated to h = 0 */
        *worst = fmax(*worst, fabs(2 * v[0][i] - v[1][i] - a[i]) / scale);
    }
    fixture_close(&f);
}

static void accelerations_are_those_of_a_tiny_step(void **state) {
    double free_rods = 0.0, joined = 0.0;
    (void)state;
    check_against_steps(SWING "loads:\n  p: {force: [1, 2, 3], on: a, s: 0.35, axes: directors}\n", &free_rods);
    check_against_steps(SWING ROWS "loads:\n  p: {force: [1, 2, 3], on: a, s: 0.35, axes: directors}\n", &joined);
    check_below(free_rods, 1e-5, 8.7e-07);
    check_below(joined, 1e-5, 7.5e-07);
}

/* hanging from a clamp, settled by damping: the clamp carries the weight and the moment of a rod that hangs aside */
static void a_resting_rod_hangs_with_its_weight(void **state) {
    fixture    f;
    zw_summary sum;
    (void)state;
    fixture_run(
        &f, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: {rod: {length: 1, elements: 10, along: [1, 0, 0], section: {square: 0.05}, "
            "material: {density: 1000, young: 1e7, poisson: 0.25, damping: 0.3}}}\n"
            "constraints:\n  root: {clamp: a, s: 0}\nrun: {until: 10}\n"
            "probes:\n  root: {reaction: root}\n  tip: {position: a, s: end}\n  speed: {velocity: a, s: end}\n  force: {force: a, s: 0}\n");
    fixture_advance(&f, INT64_MAX);
    zw_run_summary(f.r, &sum);
    assert_int_equal(sum.outcome, ZW_REACHED);
    double          weight = 1000 * 0.0025 * 1.0 * 9.81, moment[3] = {0}, arm[3];
    const zw_state *x = zw_run_state(f.r);
    const zw_rods  *rods = fixture_rods(&f);
    for (int i = 0; i < rods->nnodes; i++) {
        double w[3] = {0, 0, -rods->mass[i] * 9.81};
        zw_v3_cross(arm, x->q + 7 * i, w);
        zw_v3_sub(moment, moment, arm);
    }
    check_below(zw_v3_norm(sum.probes[2].final), 1e-12, 1.4e-15); /* at rest */
    check_below(largest_difference(3, sum.probes[0].final, (double[]){0, 0, weight}) / weight, 5e-9, 6.9e-11);
    check_below(largest_difference(3, sum.probes[0].final + 3, moment) / weight, 2e-10, 2.7e-12);
    assert_true(sum.probes[1].final[2] < -0.1); /* it did bend */
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zwang_grows_by_half_d_m_d),
        cmocka_unit_test(accelerations_are_those_of_a_tiny_step),
        cmocka_unit_test(a_resting_rod_hangs_with_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

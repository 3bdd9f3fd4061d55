/* SPDX-License-Identifier: Apache-2.0
 * test_along.c: equations along rods: every derivative against differences, rows held at round-off by three integrators, Gauss's principle, gradients that vanish; foundations and glue. */
#include "rows/along.h"

#include "math/quat.h"
#include "project/solver.h"
#include "support/model.h"
#include "support/starve.h"
#include "zwang/grow.h"

#define ROD(more)                                                                                                                   \
    "zwang: 1\nparameters: {R: 0.7}\nbodies: {b: {rod: {length: 1, elements: 5, at: [0.3, 0.2, 0.1], along: [1, 0, 0], section: "   \
    "{bending: [0.05, 0.08], torsion: 0.04, stretch: 20, shear: 15, mass: 0.1, inertia: [1e-3, 2e-3, 3e-3]}, natural: {curvature: " \
    "[s, 2, 1]}, velocity: [0.3, 0.4, 0.5]}}}\n" more "run: {until: 1}\n"

static const char *const models[] = {
    ROD("constraints: {c: {surface: b, zero: \"x^2 + 2*y^2 + x*z - (R + 0.1*t)^2*(1 + s)\"}}\n"),
    ROD("constraints: {c: {along: b, zero: [\"d1.x*y + d2.z*exp(x) - t*d3.y\", \"dot(d1, [1, 2, 3]) - s + sin(z)\"], from: 0.2, to: 0.8}}\n"),
    ROD("constraints: {c: {along: b, zero: [\"gamma.d1*(1 + kappa.d2) - 0.1*t\", \"gamma.d2 - s*kappa.d3^2\", \"kappa.d1*gamma.d3 + gamma.d3\"]}}\n"),
    ROD("constraints: {c: {along: b, zero: [\"gamma.d3*x + d3.y*kappa.d1 - z*t\", \"kappa.d3 - d1.x\"]}}\n"),
    ROD("constraints: {c: {nonholonomic: [\"velocity.d1 = 0.1*spin.d3*x\", \"velocity.d2 + t*velocity.x = sin(y)\"], on: b}}\n"),
    ROD("constraints: {c: {nonholonomic: \"velocity.x^2 + velocity.d1*spin.y = z + velocity.z\", on: b}}\n"),
    ROD("constraints: {c: {nonholonomic: [\"velocity.d1 = kappa.d1*spin.d2\", \"velocity.y = t*gamma.d3*velocity.d3\"], on: b}}\n"),
};
enum { MODELS = sizeof models / sizeof models[0], MOST = 40, COLUMNS = 36 };

static void rows_times(const zw_rows *A, const double *v, double *out) {
    memset(out, 0, sizeof(double) * (size_t)A->m);
    for (int t = 0; t < A->ntiles; t++) {
        for (int b = 0; b < A->tile[t].nblocks; b++) {
            const zw_block *block = &A->block[A->tile[t].block0 + b];
            for (int i = 0; i < A->tile[t].m; i++) {
                for (int c = 0; c < block->ncol; c++) {
                    out[A->tile[t].row + i] += A->a[block->a + (ptrdiff_t)i * block->ncol + c] * v[block->col0 + c];
                }
            }
        }
    }
}

static void derivatives_agree_with_differences(void **state) {
    (void)state;
    for (int model = 0; model < MODELS; model++) {
        fixture        f;
        zw_state       x, near;
        const zw_rows *A;
        uint64_t       seed = 91 + (uint64_t)model;
        fixture_system(&f, models[model]);
        fixture_state(&f, &x);
        fixture_state(&f, &near);
        zw_size              n = zw_system_size(f.y);
        int                  m = zw_system_rows_count(f.y);
        const zw_constraint *c;
        zw_system_constraints(f.y, &c);
        assert_true(m <= MOST && n.nv == COLUMNS);
        shake(f.y, &x, 0.4, 0.05, 1.0, &seed);
        x.t = 0.3;
        double v0[MOST], v1[MOST], level1[MOST], b[MOST], Av[MOST], slope[MOST] = {0}, slope1[MOST] = {0}, by_v[MOST] = {0}, D[MOST];
        double dv[COLUMNS], other[COLUMNS], unit = 1e-2;
        fixture_must(&f, zw_system_values(f.y, &x, 1, level1), "values");
        fixture_must(&f, zw_system_values(f.y, &x, 2, b), "values");
        fixture_must(&f, zw_system_row_rates(f.y, &x, D), "rates");
        fixture_must(&f, zw_system_rows(f.y, &x, &A), "rows");
        assert_int_equal(A->m, m);
        for (int i = 0; i < n.nv; i++) {
            other[i] = noise(&seed);
        }
        rows_times(A, x.v, Av);
        for (int i = 0; i < m; i++) {
            v0[i] = Av[i] - b[i];
        }
        check_below(largest_difference(m, v0, level1), 1e-14, 7e-18);
        rows_times(A, other, Av);
        for (int k = 1; k <= 4; k++) {
            for (int side = -1; side <= 1; side += 2) {
                for (int i = 0; i < n.nv; i++) {
                    dv[i] = side * k * unit * x.v[i];
                }
                zw_system_retract(f.y, x.q, dv, near.q);
                memcpy(near.v, x.v, sizeof(double) * (size_t)n.nv);
                near.t = x.t + side * k * unit;
                fixture_must(&f, zw_system_values(f.y, &near, 0, v0), "values");
                fixture_must(&f, zw_system_values(f.y, &near, 1, v1), "values");
                for (int i = 0; i < m; i++) {
                    slope[i] += side * difference8[k - 1] * v0[i] / unit;
                    slope1[i] += side * difference8[k - 1] * v1[i] / unit;
                }
                memcpy(near.q, x.q, sizeof(double) * (size_t)n.nq);
                near.t = x.t;
                for (int i = 0; i < n.nv; i++) {
                    near.v[i] = x.v[i] + side * k * unit * other[i];
                }
                fixture_must(&f, zw_system_values(f.y, &near, 1, v1), "values");
                for (int i = 0; i < m; i++) {
                    by_v[i] += side * difference8[k - 1] * v1[i] / unit;
                }
            }
        }
        check_below(largest_difference(m, by_v, Av), 1e-11, 1.2e-13);
        check_below(largest_difference(m, slope1, D), 5e-11, 6.8e-13);
        if (!c[0].velocity_only) {
            check_below(largest_difference(m, slope, level1), 1e-12, 3e-14);
        }
        assert_int_equal(c[0].velocity_only, model >= 4);
        assert_int_equal(c[0].nonlinear, model == 5);
        assert_int_equal(c[0].moves, model != 5);
        assert_int_equal(c[0].ops == &zw_along_exact_ops, model != 3 && model != 6);
        zw_state_destroy(f.c, &x);
        zw_state_destroy(f.c, &near);
        fixture_close(&f);
    }
}

/* how forces of the rows of a section turn with its nodes: exact for nodes, differences of sixth order for links */
static void turning_forces_agree_with_differences(void **state) {
    (void)state;
    for (int model = 0; model < 4; model++) {
        fixture              f;
        zw_state             x;
        uint64_t             seed = 17;
        const zw_constraint *c;
        fixture_system(&f, models[model]);
        fixture_state(&f, &x);
        shake(f.y, &x, 0.3, 0.03, 1.0, &seed);
        zw_system_constraints(f.y, &c);
        int    n = zw_along_equations(c->self), sides = zw_along_sides(c->self), columns = 6 * sides, section = 1;
        double force[6] = {0.7, -1.3, 0.4}, K[144], rows[72], slope[144] = {0}, unit = 2e-3, most = 0.0;
        fixture_must(&f, zw_along_turns(c->self, section, &x, force, K), "turns");
        for (int col = 0; col < columns; col++) {
            double *q = x.q + 7 * zw_along_node(c->self, section, col / 6), kept[7];
            memcpy(kept, q, sizeof kept);
            for (int k = 1; k <= 4; k++) {
                for (int side = -1; side <= 1; side += 2) {
                    double by = side * k * unit, turn[3] = {0}, e[4];
                    memcpy(q, kept, sizeof kept);
                    if (col % 6 < 3) {
                        turn[col % 6] = by;
                        zw_q_exp(turn, e);
                        zw_q_mul(e, kept + 3, q + 3);
                    } else {
                        q[col % 6 - 3] += by;
                    }
                    fixture_must(&f, zw_along_rows(c->self, section, &x, rows), "rows");
                    for (int r = 0; r < columns; r++) {
                        for (int i = 0; i < n; i++) {
                            slope[r * columns + col] += side * difference8[k - 1] * force[i] * rows[i * columns + r] / unit;
                        }
                    }
                }
            }
            memcpy(q, kept, sizeof kept);
        }
        for (int i = 0; i < columns * columns; i++) {
            most = fmax(most, fabs(slope[i]));
        }
        check_below(largest_difference(columns * columns, slope, K) / most, 4e-10, 4.9e-12);
        zw_state_destroy(f.c, &x);
        fixture_close(&f);
    }
}

/* Gauss: for every admissible disturbance d of the accelerations, A d = 0, Z rises by d'Md/2 */
static void the_zwang_rises_by_the_square_of_a_disturbance(void **state) {
    (void)state;
    for (int model = 0; model < MODELS; model++) {
        fixture         f;
        zw_state        x;
        zw_gauss       *g;
        zw_solver      *solver;
        zw_project_info info;
        const zw_rows  *A;
        uint64_t        seed = 5 + (uint64_t)model;
        double          a[COLUMNS], d[COLUMNS], wish[COLUMNS], free[COLUMNS], force[COLUMNS], lambda[MOST], zero[MOST] = {0}, worst = 0.0;
        fixture_system(&f, models[model]);
        fixture_state(&f, &x);
        shake(f.y, &x, 0.3, 0.05, 1.0, &seed);
        fixture_must(&f, zw_gauss_create(f.y, &g), "gauss");
        fixture_must(&f, zw_gauss_solve(g, &x, a, lambda, &info), "gauss");
        double zwang = info.value;
        memset(force, 0, sizeof force);
        fixture_must(&f, zw_system_force(f.y, &x, force), "force");
        zw_system_bias(f.y, &x, force);
        fixture_must(&f, zw_solver_create(f.c, &solver), "solver");
        for (int trial = 0; trial < 5; trial++) {
            static const zw_rows none = {0};
            double               after = 0.0, rise = 0.0, before = 0.0;
            for (int i = 0; i < COLUMNS; i++) {
                wish[i] = 20.0 * noise(&seed);
            }
            const zw_metric *M = zw_system_mass(f.y, &x);
            fixture_must(&f, zw_system_rows(f.y, &x, &A), "rows");
            fixture_must(&f, zw_project(solver, M, A, zero, wish, d, lambda, &info), "project");
            fixture_must(&f, zw_solver_factor(solver, M, &none, &info), "factor");
            zw_solver_metric_inverse(solver, force, free);
            for (int i = 0; i < COLUMNS; i++) { /* the metric of these rods is diagonal */
                double mass = M->part[0].a[i];
                before += 0.5 * mass * (a[i] - free[i]) * (a[i] - free[i]);
                after += 0.5 * mass * (a[i] + d[i] - free[i]) * (a[i] + d[i] - free[i]);
                rise += 0.5 * mass * d[i] * d[i];
            }
            worst = fmax(worst, fabs(before - zwang) / (zwang + rise));
            worst = fmax(worst, fabs(after - before - rise) / (after + rise));
        }
        check_below(worst, 1e-12, 5.1e-16);
        zw_solver_destroy(solver);
        zw_gauss_destroy(g);
        zw_state_destroy(f.c, &x);
        fixture_close(&f);
    }
}

static const char *const sliding =
    "zwang: 1\ngravity: [0, 0.3, -9.81]\nparameters: {R: 0.4}\nbodies: {b: {rod: {length: 1, elements: 12, section: {bending: [0.05, 0.08], torsion: "
    "0.04, stretch: 200, shear: 100, mass: 0.3, inertia: [2e-4, 3e-4, 5e-4]}, shape: {curve: [\"R*cos(s*0.8/R)\", \"R*sin(s*0.8/R)\", "
    "\"0.6*s\"]}, natural: start}}}\nconstraints: {c: {surface: b, zero: \"x^2 + y^2 - R^2\"}}\nrun: {until: 1}\n";

/* a helix that slides down a cylinder: residuals at round-off, energy as the integrator keeps it */
static void a_surface_is_kept_by_three_integrators(void **state) {
    static const struct {
        const char *name;
        double      h, energy, energy_seen, position, position_seen, velocity, velocity_seen;
        int         steps;
    } of[] = {{"verlet", 1e-4, 1e-7, 1.7e-9, 2e-15, 6.9e-17, 1e-14, 2.2e-18, 2000},
              {"gauss", 1e-3, 1e-11, 1.6e-13, 1e-14, 8.2e-16, 1e-14, 6.5e-18, 200},
              {"energy-momentum", 1e-3, 2e-12, 7.7e-14, 1e-14, 1.1e-16, 5e-7, 5.9e-9, 200}};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        fixture f;
        stepper s;
        double  position = 0.0, velocity = 0.0, energy = 0.0, values[MOST];
        fixture_system(&f, sliding);
        stepper_open_by(&s, &f, of[i].name, of[i].h);
        zw_account a = stepper_account(&s);
        double     start = account_energy(&a);
        for (int step = 0; step < of[i].steps; step += of[i].steps / 20) {
            stepper_go(&s, of[i].steps / 20);
            fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 0, values), "values");
            position = fmax(position, largest(13, values));
            fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 1, values), "values");
            velocity = fmax(velocity, largest(13, values));
            a = stepper_account(&s);
            energy = fmax(energy, fabs(account_energy(&a) - start) / (a.kinetic + a.elastic));
        }
        assert_true(stepper_x(&s)->q[2] < -0.1); /* it fell */
        check_below(energy, of[i].energy, of[i].energy_seen);
        check_below(position, of[i].position, of[i].position_seen);
        check_below(velocity, of[i].velocity, of[i].velocity_seen);
        stepper_close(&s);
        fixture_close(&f);
    }
}

static void refused(const char *constraint, zw_status expected, const char *part) {
    fixture f;
    char    text[2000];
    snprintf(text, sizeof text,
             "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 4, along: [1, 0, 0], section: {bending: [1, 1], torsion: 1, stretch: 100, "
             "shear: 100, mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}}}\nconstraints: {c: %s}\nrun: {until: 1}\n",
             constraint);
    fixture_parse(&f, text);
    assert_int_equal(zw_system_create(f.m, &f.y), expected);
    const zw_error *e = fixture_error(&f);
    if (strstr(e->message, part) == NULL || e->line != 3) {
        print_error("line %d: %s\n", e->line, e->message);
        fail();
    }
    f.y = NULL;
    fixture_close(&f);
}

static void vanishing_gradients_are_named(void **state) {
    (void)state;
    refused("{surface: b, zero: \"(x - 0.5)^2 + y^2 + z^2\"}", ZW_E_MODEL, "vanishes at node 3 (s = 0.5) at t = 0 s: its size is 0");
    refused("{surface: b, zero: \"(y + 2*z)^2\"}", ZW_E_MODEL, "the gradient of '(y + 2*z)^2' vanishes at node 1 (s = 0)");
    refused("{along: b, zero: [y, \"s*z\"]}", ZW_E_MODEL, "the gradient of 's*z' vanishes at node 1 (s = 0)");
    refused("{along: b, zero: \"kappa.d1^2\"}", ZW_E_MODEL, "the gradient of 'kappa.d1^2' vanishes at link 1 (s = 0.125)");
    refused("{nonholonomic: \"velocity.x^2 = 0\", on: b}", ZW_E_MODEL, "the gradient of 'velocity.x^2 = 0' vanishes at node 1");
    refused("{surface: b, zero: \"sqrt(y - 1)\"}", ZW_E_DIVERGED, "is not finite at node 1 (s = 0) at t = 0 s: ");
    refused("{surface: b, zero: \"y\", from: 0.1, to: 0.2}", ZW_E_MODEL, "no node of 'b' lies between s = 0.1 and s = 0.2");
    /* in a run: a node comes to where the gradient is 0 */
    fixture        f;
    zw_state       x;
    const zw_rows *A;
    fixture_system(&f, models[0]);
    fixture_state(&f, &x);
    memset(x.q + 7 * 2, 0, 3 * sizeof(double));
    x.t = 0.25;
    assert_int_equal(zw_system_rows(f.y, &x, &A), ZW_E_MODEL);
    assert_non_null(strstr(fixture_error(&f)->message, "vanishes at node 3 (s = 0.4) at t = 0.25 s"));
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void rows_have_names(void **state) {
    fixture f;
    char    name[200];
    (void)state;
    fixture_system(&f, models[1]);
    zw_system_row_name(f.y, 3, name, sizeof name);
    assert_string_equal(name, "constraint 'c': equation 2 at node 3 (s = 0.4)");
    fixture_close(&f);
}

/* ---- foundations */

#define ON(more)                                                                                                                       \
    "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 5, along: [1, 0, 0], section: {bending: [0.05, 0.08], torsion: 0.04, stretch: " \
    "20, shear: 15, mass: 0.1, inertia: [1e-3, 2e-3, 3e-3]}}}}\nconstraints: {c: {foundation: b, stiffness: [3, \"5 + s\", 7], " more  \
    "}}\nrun: {until: 1}\n"

static void a_foundation_pulls_by_the_slope_of_its_energy(void **state) {
    static const char *const on[] = {ON("axes: space"), ON("axes: directors, from: 0.2, to: 0.8")};
    (void)state;
    for (int model = 0; model < 2; model++) {
        fixture  f;
        zw_state x, near;
        uint64_t seed = 3;
        double   force[COLUMNS] = {0}, dv[COLUMNS] = {0}, worst = 0.0, unit = 1e-2;
        fixture_system(&f, on[model]);
        fixture_state(&f, &x);
        fixture_state(&f, &near);
        shake(f.y, &x, 0.4, 0.1, 1.0, &seed);
        zw_system_foundation_force(f.y, &x, force);
        for (int i = 0; i < COLUMNS; i++) {
            double slope = 0.0;
            for (int k = 1; k <= 4; k++) {
                for (int side = -1; side <= 1; side += 2) {
                    dv[i] = side * k * unit;
                    zw_system_retract(f.y, x.q, dv, near.q);
                    slope -= side * difference8[k - 1] * zw_system_foundation_energy(f.y, &near) / unit;
                }
            }
            dv[i] = 0.0;
            worst = fmax(worst, fabs(slope - force[i]));
        }
        check_below(worst, 1e-13, 6.9e-16);
        /* over steps of energy-momentum nothing is lost, also where the axes turn */
        stepper s;
        stepper_open_by(&s, &f, "energy-momentum", 0.02);
        zw_state *at = stepper_x(&s);
        memcpy(at->q, x.q, sizeof(double) * (size_t)s.n.nq);
        memcpy(at->v, x.v, sizeof(double) * (size_t)s.n.nv);
        stepper_restart(&s);
        zw_account a = stepper_account(&s);
        double     start = account_energy(&a), drift = 0.0;
        for (int i = 0; i < 100; i++) {
            stepper_go(&s, 1);
            a = stepper_account(&s);
            drift = fmax(drift, fabs(account_energy(&a) - start) / start);
        }
        check_below(drift, 4e-13, 4.7e-15);
        stepper_close(&s);
        zw_state_destroy(f.c, &x);
        zw_state_destroy(f.c, &near);
        fixture_close(&f);
    }
}

/* anchors follow a rod that rests, and one that goes straight, exactly */
static void glue_relaxes_exactly(void **state) {
    fixture  f;
    zw_state x0, x1;
    uint64_t seed = 3;
    double   nu = 3.0, worst = 0.0;
    (void)state;
    fixture_system(&f, ON("relax: 3"));
    fixture_state(&f, &x0);
    fixture_state(&f, &x1);
    assert_true(zw_system_grows(f.y));
    assert_int_equal(zw_system_size(f.y).ns, 18);
    shake(f.y, &x0, 0.1, 0.1, 1.0, &seed);
    for (int size = 0; size < 2; size++) {
        double h = size == 0 ? 0.4 : 1e-6;
        for (int i = 0; i < 42; i++) {
            x1.q[i] = x0.q[i];
        }
        fixture_must(&f, zw_system_grow_predict(f.y, &x0, NULL, h, false, &x1), "relax");
        for (int i = 0; i < 18; i++) {
            double r = x0.q[7 * (i / 3) + i % 3], exact = r - (r - x0.s[i]) * exp(-nu * h);
            worst = fmax(worst, fabs(x1.s[i] - exact));
        }
        for (int i = 0; i < 18; i++) {
            x1.q[7 * (i / 3) + i % 3] += 0.3 * h * (i + 1);
        }
        fixture_must(&f, zw_system_grow_correct(f.y, &x0, NULL, h, false, &x1), "relax");
        for (int i = 0; i < 18; i++) { /* a = r - v/nu + C exp(-nu t) for r = r0 + v t */
            double r = x0.q[7 * (i / 3) + i % 3], v = 0.3 * (i + 1), C = x0.s[i] - r + v / nu;
            double exact = r + v * h - v / nu + C * exp(-nu * h);
            worst = fmax(worst, fabs(x1.s[i] - exact));
        }
    }
    check_below(worst, 1e-14, 5e-16);
    zw_state_destroy(f.c, &x0);
    zw_state_destroy(f.c, &x1);
    fixture_close(&f);
}

static void memory_that_runs_out_is_reported(void **state) {
    const char *const text[] = {models[1], models[2], models[4], ON("axes: directors, relax: 1")};
    (void)state;
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        zw_status status = ZW_E_MEMORY;
        for (int n = 1; status != ZW_OK; n += 1 + n / 50) {
            starved     left = {n};
            zw_model   *m = NULL;
            zw_system  *y = NULL;
            zw_context *c = starving_context(&left);
            if (c == NULL) {
                continue;
            }
            status = zw_model_parse(c, "test.yaml", text[i], strlen(text[i]), 0, NULL, &m);
            if (status == ZW_OK) {
                status = zw_system_create(m, &y);
            }
            assert_true(status == ZW_OK || status == ZW_E_MEMORY);
            zw_system_destroy(y);
            zw_model_destroy(m);
            zw_context_destroy(c);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(turning_forces_agree_with_differences),
        cmocka_unit_test(the_zwang_rises_by_the_square_of_a_disturbance),
        cmocka_unit_test(a_surface_is_kept_by_three_integrators),
        cmocka_unit_test(vanishing_gradients_are_named),
        cmocka_unit_test(rows_have_names),
        cmocka_unit_test(a_foundation_pulls_by_the_slope_of_its_energy),
        cmocka_unit_test(glue_relaxes_exactly),
        cmocka_unit_test(memory_that_runs_out_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

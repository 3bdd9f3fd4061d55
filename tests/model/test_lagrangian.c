/* SPDX-License-Identifier: Apache-2.0
 * Models written as a Lagrangian: coordinates, definitions, moving frames, equations, points and what names them become the structs of
 * model.h. */
#include "support/check.h"
#include "support/starve.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/text.h"
#include "model/model.h"

static const char appell_hamel[] = "zwang: 1\n"
                                   "title: Appell-Hamel machine\n"
                                   "parameters: {m: 1, a: 3/2, g: 9.81}\n"
                                   "bodies:\n"
                                   "  machine:\n"
                                   "    lagrangian:\n"
                                   "      coordinates: [x, y, z]\n"
                                   "      kinetic: m*(xdot^2 + ydot^2 + zdot^2)/2\n"
                                   "      potential: m*g*z\n"
                                   "      constraints: {wheel: xdot^2 + ydot^2 = a^2*zdot^2}\n"
                                   "      start: {xdot: 0.3, ydot: 0.4, zdot: -1/3}\n"
                                   "run: {until: 3, integrator: gauss, stages: 4}\n"
                                   "probes:\n"
                                   "  z:      {coordinate: machine.z}\n"
                                   "  vz:     {coordinate: machine.zdot}\n"
                                   "  lambda: {multiplier: machine.wheel}\n";

static const char towed[] =
    "zwang: 1\n"
    "parameters: {m: 2, J: 3, l: 0.3, w0: 1.5}\n"
    "bodies:\n"
    "  rope:\n"
    "    rod: {length: 1, elements: 4, section: {round: 0.01}, material: {density: 1000, young: 1e6, poisson: 0.3}}\n"
    "  sleigh:\n"
    "    lagrangian:\n"
    "      coordinates: [x, y, theta]\n"
    "      define:\n"
    "        ahead: [cos(theta), sin(theta), 0]\n"
    "        r: \"[x, y, 0] + l*ahead\"\n"
    "        v: dt(r)\n"
    "        half: J/2\n"
    "      velocities:\n"
    "        u: xdot*cos(theta) + ydot*sin(theta)\n"
    "        w: -xdot*sin(theta) + ydot*cos(theta)\n"
    "        omega: thetadot\n"
    "      kinetic: half*omega^2 + m*dot(v, v)/2\n"
    "      potential: half*theta^2\n"
    "      dissipation: 0.1*u^2\n"
    "      forces: {theta: -0.1*omega, x: sin(t)}\n"
    "      particles: {weight: {mass: m/4, position: r}}\n"
    "      points:\n"
    "        hitch: {position: [x, y, 0], turn: [0, 0, theta]}\n"
    "        nose: r\n"
    "      links: [[hitch, weight], [weight, nose]]\n"
    "      constraints: [w = 0]\n"
    "      start: {theta: 0.1, u: 1, omega: w0}\n"
    "constraints:\n"
    "  hook: {clamp: [{body: sleigh, point: hitch}, {body: rope, s: 0}]}\n"
    "  steer: {nonholonomic: omega = w0, on: sleigh}\n"
    "  pin: {ball: sleigh, point: nose}\n"
    "loads:\n"
    "  pull: {force: [1, 0, 0], on: sleigh, point: nose}\n"
    "  twist: {moment: [0, 0, 1], on: {body: sleigh, point: hitch}}\n"
    "  weight: {force: [0, 0, -1], on: rope}\n"
    "run: {until: 1, formulation: macmillan, tolerance: 1e-10}\n"
    "record: {fields: [coordinates, velocities, quasi, points]}\n"
    "probes:\n"
    "  sleigh: {position: sleigh, point: hitch}\n"
    "  end: {position: rope, s: end}\n"
    "  u: {coordinate: sleigh.u}\n"
    "  l1: {multiplier: sleigh.c1}\n"
    "  l2: {multiplier: steer}\n"
    "  l3: {multiplier: pin}\n"
    "  R: {reaction: pin}\n"
    "  E: {energy: sleigh}\n"
    "  turn: {orientation: sleigh, point: hitch}\n"
    "  sum: {expression: sleigh.x + 2*l1 + u}\n";

static zw_context *context(void) {
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    return c;
}

static zw_model *good(zw_context *c, const char *text, int nsets, const char *const *sets) {
    zw_model *m = NULL;
    if (zw_model_parse(c, "test.yaml", text, strlen(text), nsets, sets, &m) != ZW_OK) {
        for (int i = 0; i < zw_error_count(c); i++) {
            char line[1500];
            zw_error_format(zw_error_at(c, i), line, sizeof line);
            print_message("%s\n", line);
        }
        fail();
    }
    return m;
}

/* value of a node with the inputs of a body set to q and v */
static double value(const zw_model *m, const zw_lagrangian_def *d, zw_node n, const double *q, const double *v) {
    zw_tape *tape = NULL;
    double   in[128], work[512], out = 0.0;
    assert_true(n != 0);
    assert_true(zw_pool_inputs(m->pool) <= 128);
    zw_model_inputs(m, in);
    for (int i = 0; i < d->n; i++) {
        in[d->slot_q[i]] = q[i];
        in[d->slot_v[i]] = v[i];
    }
    assert_int_equal(zw_tape_create(m->context, m->pool, &n, 1, &tape), ZW_OK);
    assert_true(zw_tape_work(tape) <= 512);
    zw_tape_eval(tape, in, work, &out);
    zw_tape_destroy(tape);
    return out;
}

static double constant(const zw_model *m, zw_quantity q) {
    double v = NAN;
    assert_int_equal(zw_model_constant(m, q, "test", &v), ZW_OK);
    return v;
}

static void the_appell_hamel_machine_becomes_its_structs(void **state) {
    zw_context              *c = context();
    zw_model                *m = good(c, appell_hamel, 0, NULL);
    const zw_body_def       *b = &m->bodies[0];
    const zw_lagrangian_def *d = &b->lagrangian;
    const double             q[3] = {1, 2, 3}, v[3] = {0.3, 0.4, -0.5};
    (void)state;
    assert_int_equal(m->nbodies, 1);
    assert_int_equal(b->kind, ZW_BODY_LAGRANGIAN);
    assert_string_equal(b->name, "machine");
    assert_int_equal(d->n, 3);
    assert_string_equal(d->coordinate[2], "z");
    assert_string_equal(zw_pool_input_name(m->pool, d->slot_q[0]), "machine.x");
    assert_string_equal(zw_pool_input_name(m->pool, d->slot_v[1]), "machine.ydot");
    check_near(value(m, d, d->kinetic.node, q, v), 0.25, 1e-16);       /* 0 */
    check_near(value(m, d, d->potential.node, q, v), 3 * 9.81, 1e-14); /* 0 */
    assert_int_equal(d->dissipation.node, 0);
    assert_int_equal(d->force[0].node, 0);
    assert_int_equal(d->nrows, 1);
    assert_string_equal(d->row[0].name, "wheel");
    assert_string_equal(d->row[0].text, "xdot^2 + ydot^2 = a^2*zdot^2");
    check_near(value(m, d, d->row[0].f.node, q, v), 0.25 - 2.25 * 0.25, 1e-15); /* 0 */
    assert_int_equal(d->row[0].f.at.line, 10);
    assert_int_equal(d->row[0].f.at.col, 28);
    assert_int_equal(d->nquasi + d->ndefines + d->npoints, 0);
    assert_int_equal(d->q0[1].node, 0);
    check_near(constant(m, d->v0[2]), -1.0 / 3.0, 1e-16); /* 0 */
    assert_false(d->start_in_quasi);
    assert_int_equal(d->start_at.line, 11);
    assert_string_equal(m->run.integrator, "gauss");
    assert_int_equal(m->run.stages, 4);
    assert_string_equal(m->run.formulation, "gauss");
    assert_int_equal(m->probes[0].kind, ZW_PROBE_COORDINATE);
    assert_int_equal(m->probes[0].slot_of, d->slot_q[2]);
    assert_int_equal(m->probes[1].slot_of, d->slot_v[2]);
    assert_int_equal(m->probes[1].body, 0);
    assert_int_equal(m->probes[1].width, 1);
    assert_int_equal(m->probes[2].kind, ZW_PROBE_MULTIPLIER);
    assert_int_equal(m->probes[2].constraint, -1);
    assert_int_equal(m->probes[2].row, 0);
    assert_int_equal(m->probes[2].width, 1);
    assert_int_not_equal(m->probes[0].slot[0], d->slot_q[2]); /* a probe z is no coordinate z */
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void a_sleigh_that_tows_a_rod_becomes_its_structs(void **state) {
    zw_context              *c = context();
    zw_model                *m = good(c, towed, 0, NULL);
    const zw_lagrangian_def *d = &m->bodies[1].lagrangian;
    const double             q[3] = {1, 2, 0.7}, v[3] = {0.3, 0.4, -0.5};
    const double             s = sin(0.7), co = cos(0.7), l = 0.3;
    const double             vx = 0.3 + l * s * 0.5, vy = 0.4 - l * co * 0.5;
    (void)state;
    assert_int_equal(d->nquasi, 3);
    assert_string_equal(d->quasi[1].name, "w");
    assert_string_equal(zw_pool_input_name(m->pool, d->slot_u[0]), "sleigh.u");
    check_near(value(m, d, d->quasi[1].e.node, q, v), -0.3 * s + 0.4 * co, 1e-15);               /* 0      */
    check_near(value(m, d, d->kinetic.node, q, v), 1.5 * 0.25 + vx * vx + vy * vy, 1e-15);       /* 1.1e-16 */
    check_near(value(m, d, d->dissipation.node, q, v), 0.1 * pow(0.3 * co + 0.4 * s, 2), 1e-16); /* 0      */
    check_near(value(m, d, d->force[2].node, q, v), 0.05, 1e-16);                                /* 0      */
    assert_int_equal(d->force[1].node, 0);
    assert_int_equal(d->ndefines, 4);
    assert_string_equal(d->define[3].name, "half");
    assert_int_equal(d->define[0].e.node, 0); /* a vector */
    check_near(value(m, d, d->define[3].e.node, q, v), 1.5, 0.0);
    assert_int_equal(d->npoints, 3);
    assert_string_equal(d->point[0].name, "weight");
    check_near(constant(m, d->point[0].mass), 0.5, 0.0);
    check_near(value(m, d, d->point[0].r[1].node, q, v), 2 + l * s, 1e-15); /* 0 */
    assert_int_equal(d->point[1].mass.node, 0);
    check_near(value(m, d, d->point[1].turn[2].node, q, v), 0.7, 0.0);
    assert_int_equal(d->point[2].turn[0].node, 0);
    assert_int_equal(d->nlinks, 2);
    assert_int_equal(d->link[0][0], 1);
    assert_int_equal(d->link[1][1], 2);
    assert_int_equal(d->nrows, 2);
    assert_string_equal(d->row[0].name, "c1");
    assert_string_equal(d->row[1].name, "steer");
    check_near(value(m, d, d->row[1].f.node, q, v), -2.0, 0.0);
    assert_true(d->start_in_quasi);
    check_near(constant(m, d->q0[2]), 0.1, 0.0);
    check_near(constant(m, d->v0[0]), 1.0, 0.0);
    assert_int_equal(d->v0[1].node, 0);
    check_near(constant(m, d->v0[2]), 1.5, 0.0);

    assert_int_equal(m->nconstraints, 2); /* the equation is a row of its body */
    assert_string_equal(m->constraints[1].name, "pin");
    assert_int_equal(m->constraints[0].a.point, 1);
    assert_int_equal(m->constraints[0].b.point, -1);
    assert_int_equal(m->constraints[1].a.point, 2);
    assert_int_equal(m->constraints[1].b.body, -1);
    assert_int_equal(m->constraints[1].b.point, -1);
    assert_int_equal(m->loads[0].on.point, 2);
    assert_false(m->loads[0].per_length);
    assert_int_equal(m->loads[1].on.point, 1);
    assert_int_equal(m->loads[2].on.point, -1);
    assert_true(m->loads[2].per_length);

    assert_string_equal(m->run.integrator, "gauss");
    assert_false(m->run.integrator_given);
    assert_int_equal(m->run.stages, 0);
    assert_string_equal(m->run.formulation, "macmillan");
    assert_int_equal(m->probes[0].place.point, 1);
    assert_int_not_equal(m->probes[0].slot[0], d->slot_q[0]); /* the probe sleigh.x is not the coordinate */
    assert_int_equal(m->probes[1].place.point, -1);
    assert_int_equal(m->probes[2].slot_of, d->slot_u[0]);
    assert_int_equal(m->probes[2].place.point, -1);
    assert_int_equal(m->probes[3].row, 0);
    assert_int_equal(m->probes[4].row, 1);
    assert_int_equal(m->probes[4].body, 1);
    assert_int_equal(m->probes[4].constraint, -1);
    assert_int_equal(m->probes[5].constraint, 1);
    assert_int_equal(m->probes[5].width, 3);
    assert_int_equal(m->probes[6].constraint, 1);
    assert_int_equal(m->probes[7].place.body, 1);
    assert_true(zw_node_depends(m->pool, m->probes[9].expression.n[0], m->probes[0].slot[0]));
    assert_true(zw_node_depends(m->pool, m->probes[9].expression.n[0], m->probes[3].slot[0]));
    assert_false(zw_node_depends(m->pool, m->probes[9].expression.n[0], d->slot_q[0]));
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void two_bodies_may_use_the_same_names(void **state) {
    static const char text[] =
        "zwang: 1\nparameters: {k: 3}\nbodies:\n"
        "  a: {lagrangian: {coordinates: [x], define: {d: x^2}, kinetic: xdot^2/2, potential: d, points: {p: [x, 0, 0]}}}\n"
        "  b: {lagrangian: {coordinates: [x], define: {d: 2*x}, kinetic: k*xdot^2, potential: d, points: {p: [0, x, 0]}}}\n"
        "constraints: {tie: {ball: [{body: a, point: p}, {body: b, point: p}]}}\n";
    zw_context              *c = context();
    zw_model                *m = good(c, text, 0, NULL);
    const zw_lagrangian_def *a = &m->bodies[0].lagrangian, *b = &m->bodies[1].lagrangian;
    const double             q[1] = {5}, v[1] = {7};
    (void)state;
    assert_int_not_equal(a->slot_q[0], b->slot_q[0]);
    check_near(value(m, a, a->potential.node, q, v), 25.0, 0.0);
    check_near(value(m, b, b->potential.node, q, v), 10.0, 0.0);
    check_near(value(m, b, b->kinetic.node, q, v), 147.0, 0.0);
    assert_false(zw_node_depends(m->pool, b->kinetic.node, a->slot_v[0]));
    assert_string_equal(m->run.integrator, "gauss"); /* also without run */
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void dt_moves_along_and_what_rests_stays_open_to_points(void **state) {
    static const char        text[] = "zwang: 1\nbodies:\n  a:\n    lagrangian:\n      coordinates: [s, z]\n"
                                      "      define: {h: s*z + t^3, rate: dt(h), swing: dt(sin(t))}\n"
                                      "      kinetic: rate^2 + sdot^2\n      potential: swing*h\n      points: {p: [h, swing, s]}\n";
    zw_context              *c = context();
    zw_model                *m = good(c, text, 0, NULL);
    const zw_lagrangian_def *d = &m->bodies[0].lagrangian;
    const double             q[2] = {2, 3}, v[2] = {5, 7};
    (void)state;
    check_near(value(m, d, d->define[1].e.node, q, v), 5 * 3 + 7 * 2, 0.0); /* at t = 0 */
    check_near(value(m, d, d->point[0].r[1].node, q, v), 1.0, 0.0);
    assert_true(zw_node_depends(m->pool, d->define[1].e.node, m->slot_t));
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void sets_reach_into_a_lagrangian(void **state) {
    static const char *const sets[] = {"bodies.machine.lagrangian.start.xdot=0.6",
                                       "bodies.machine.lagrangian.coordinates.0=q",
                                       "bodies.machine.lagrangian.kinetic=qdot^2 + ydot^2 + zdot^2",
                                       "run.formulation=multiplier",
                                       "bodies.machine.lagrangian.constraints.wheel=qdot = a*zdot",
                                       "bodies.machine.lagrangian.start={zdot: g}"};
    zw_context              *c = context();
    zw_model                *m = NULL;
    (void)state;
    m = good(c, appell_hamel, 1, sets);
    check_near(constant(m, m->bodies[0].lagrangian.v0[0]), 0.6, 0.0);
    zw_model_destroy(m);
    assert_int_not_equal(zw_model_parse(c, "test.yaml", appell_hamel, strlen(appell_hamel), 3, sets, &m),
                         ZW_OK); /* xdot has no meaning now */
    m = good(c, appell_hamel, 6, sets);
    check_near(constant(m, m->bodies[0].lagrangian.v0[2]), 9.81, 0.0);
    assert_string_equal(m->bodies[0].lagrangian.row[0].text, "qdot = a*zdot");
    zw_model *again = good(c, zw_model_text(m), 0, NULL);
    assert_string_equal(zw_model_text(again), zw_model_text(m));
    zw_model_destroy(again);
    zw_model_destroy(m);
    zw_context_destroy(c);
}

/* n coordinates, a moving frame of dense sums, as many equations and points as asked */
static void write_large(zw_text *t, int n, int rows, int points) {
    zw_text_add(t, "zwang: 1\nbodies:\n  a:\n    lagrangian:\n      coordinates: [");
    for (int i = 0; i < n; i++) {
        zw_text_addf(t, "%sq%d", i ? ", " : "", i);
    }
    zw_text_add(t, "]\n      kinetic: q0dot^2\n      velocities:\n");
    for (int i = 0; i < n; i++) {
        zw_text_addf(t, "        u%d: q%ddot", i, i);
        for (int k = 0; k < n; k++) {
            zw_text_addf(t, " + sin(q%d)*q%ddot", (i + k) % n, k);
        }
        zw_text_add(t, "\n");
    }
    zw_text_add(t, "      constraints:\n");
    for (int i = 0; i < rows; i++) {
        zw_text_addf(t, "        - q%ddot = %d\n", i % n, i);
    }
    zw_text_add(t, "      points:\n");
    for (int i = 0; i < points; i++) {
        zw_text_addf(t, "        p%d: [q%d, 0, %d]\n", i, i % n, i);
    }
}

static void large_systems_are_read_and_bounded(void **state) {
    static const struct {
        int         n, rows, points;
        const char *part; /* NULL: accepted */
    } cases[] = {{500, 1000, 1000, NULL},
                 {501, 1, 1, "there are 501 coordinates; at most 500 are allowed"},
                 {2, 1001, 1, "'a' has 1001 constraints, and at most 1000 are allowed"},
                 {2, 1, 1001, "there are 1001 particles and points; at most 1000 are allowed"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        zw_context *c = context();
        zw_model   *m = NULL;
        zw_text     t;
        zw_text_init(&t, c);
        write_large(&t, cases[i].n, cases[i].rows, cases[i].points);
        assert_int_equal(zw_text_status(&t), ZW_OK);
        clock_t   begin = clock();
        zw_status status = zw_model_parse(c, "large.yaml", t.s, t.n, 0, NULL, &m);
        print_message("%d coordinates, %zu bytes: %.0f ms\n", cases[i].n, t.n, 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC);
        assert_int_equal(status == ZW_OK, cases[i].part == NULL);
        if (cases[i].part) {
            assert_int_equal(zw_error_count(c), 1);
            assert_non_null(strstr(zw_error_at(c, 0)->message, cases[i].part));
        } else {
            assert_int_equal(m->bodies[0].lagrangian.nrows, cases[i].rows);
            assert_string_equal(m->bodies[0].lagrangian.row[999].name, "c1000");
        }
        zw_text_destroy(&t);
        zw_model_destroy(m);
        zw_context_destroy(c);
    }
}

static void memory_that_runs_out_is_reported_wherever_it_happens(void **state) {
    int tries = 0;
    (void)state;
    for (int room = 0; room < 5000; room++, tries++) {
        starved     s = {room};
        zw_context *c = starving_context(&s);
        zw_model   *m = NULL;
        if (c == NULL) {
            continue;
        }
        zw_status status = zw_model_parse(c, "test.yaml", towed, strlen(towed), 0, NULL, &m);
        assert_true(status == ZW_OK || status == ZW_E_MEMORY);
        zw_model_destroy(m);
        zw_context_destroy(c);
        if (status == ZW_OK) {
            break;
        }
    }
    print_message("%d allocations failed in turn\n", tries);
    assert_true(tries > 20 && tries < 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_appell_hamel_machine_becomes_its_structs),
        cmocka_unit_test(a_sleigh_that_tows_a_rod_becomes_its_structs),
        cmocka_unit_test(two_bodies_may_use_the_same_names),
        cmocka_unit_test(dt_moves_along_and_what_rests_stays_open_to_points),
        cmocka_unit_test(sets_reach_into_a_lagrangian),
        cmocka_unit_test(large_systems_are_read_and_bounded),
        cmocka_unit_test(memory_that_runs_out_is_reported_wherever_it_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

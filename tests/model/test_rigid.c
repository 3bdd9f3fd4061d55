/* SPDX-License-Identifier: Apache-2.0
 * Models with rigid bodies, their joints, and inequalities become the structs of model.h. */
#include "support/check.h"
#include "support/starve.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "model/model.h"
#include "model/schema.h"

static const char chopstick[] = "zwang: 1\n"
                                "title: A chopstick in a bowl\n"
                                "parameters: {R: 1, half: 0.6}\n"
                                "gravity: [0, 0, -9.81]\n"
                                "bodies:\n"
                                "  stick:\n"
                                "    rigid:\n"
                                "      capsule: {length: 2*half, radius: 0.005}\n"
                                "      mass: 0.05\n"
                                "      at: [0, 0, -0.7]\n"
                                "      turn: [0, pi/2 + 0.1, 0]\n"
                                "      spin: [0, 0, 0.3]             # space axes\n"
                                "      points: {a: [0, 0, half], b: [0, 0, -half]}\n"
                                "constraints:\n"
                                "  bowl: {unilateral: x^2 + y^2 + z^2 <= R^2, on: stick, points: [b, a], restitution: 1}\n"
                                "contact: {law: sequential}\n"
                                "run: {until: 100, integrator: gauss, tolerance: 1e-12}\n"
                                "probes:\n"
                                "  a: {position: stick, point: a}\n"
                                "  E: {energy: total}\n";

static const char linked[] =
    "zwang: 1\n"
    "parameters: {m: 2, k: 30}\n"
    "bodies:\n"
    "  rope: {rod: {length: 1, elements: 4, section: {round: 0.01}, material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
    "  tug: {rigid: {box: {size: [0.2, 0.1, 0.1]}, density: 800, at: [0, 0, 0.5], velocity: [1, 0, 0], points: {nose: [0.1, 0, 0]}}}\n"
    "  arm: {rigid: {mass: m, inertia: [1, 2, 2.5], plane: [0, 0, 2], velocity: [1, 2, 0], spin: [0, 0, 3]}}\n"
    "  cart: {lagrangian: {coordinates: [x, y], kinetic: (xdot^2 + ydot^2)/2, points: {p: {position: [x, 0, 0], turn: [0, 0, y]}}}}\n"
    "constraints:\n"
    "  hook: {ball: [{body: tug, at: [-0.1, 0, 0]}, {body: rope, s: 0}]}\n"
    "  rail: {clamp: tug, fix: [z, rx, ry], to: ground}\n"
    "  pin: {hinge: [{body: tug, point: nose}, arm], axis: [0, 0, m]}\n"
    "  track: {slider: arm, at: [0, 1, 0], axis: [1, 0, 0], motion: {shift: [0, t, 0]}}\n"
    "  cardan: {universal: [tug, {body: cart, point: p}], axis: [0, 1, 0]}\n"
    "  weld: {fixed: {body: arm}, to: tug}\n"
    "  pull: {spring: [arm, {body: rope, s: end}], stiffness: k, damping: 0.5, length: 0.2}\n"
    "  tie: {spring: tug, point: nose, stiffness: 1}\n"
    "  wall: {unilateral: x >= -2*y, on: cart, loss: exp(-x^2)}\n"
    "  floor: {unilateral: z + t >= 0, on: cart, points: [p]}\n"
    "loads:\n"
    "  push: {force: [5, 0, 0], on: tug}\n"
    "  wind: {force: [0, y, 0], on: tug, at: [0, 0, 0.05], axes: directors}\n"
    "  twist: {moment: [0, 0, 1], on: {body: tug, point: nose}}\n"
    "contact: {law: moreau, loss: 0.19}\n"
    "run: {until: 10, events: off}\n"
    "probes:\n"
    "  tow: {reaction: hook}\n"
    "  turn: {orientation: tug}\n"
    "  tip: {velocity: arm, at: [0, 1, 0]}\n"
    "  lambda: {multiplier: pin}\n"
    "  cross: {multiplier: cardan}\n"
    "  E: {energy: arm}\n"
    "  pulled: {reaction: pull}\n"
    "  sum: {expression: tip.y + turn.w}\n";

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

static double constant(const zw_model *m, zw_quantity q) {
    double v = NAN;
    assert_int_equal(zw_model_constant(m, q, "test", &v), ZW_OK);
    return v;
}

static void check_vector(const zw_model *m, const zw_quantity q[3], double x, double y, double z) {
    check_near(constant(m, q[0]), x, 0.0);
    check_near(constant(m, q[1]), y, 0.0);
    check_near(constant(m, q[2]), z, 0.0);
}

/* value of a node with some inputs set */
static double value(const zw_model *m, zw_node n, int count, const int *slot, const double *at) {
    zw_tape *tape = NULL;
    double   in[128], work[512], out = 0.0;
    assert_true(n != 0);
    assert_true(zw_pool_inputs(m->pool) <= 128);
    zw_model_inputs(m, in);
    for (int i = 0; i < count; i++) {
        in[slot[i]] = at[i];
    }
    assert_int_equal(zw_tape_create(m->context, m->pool, &n, 1, &tape), ZW_OK);
    assert_true(zw_tape_work(tape) <= 512);
    zw_tape_eval(tape, in, work, &out);
    zw_tape_destroy(tape);
    return out;
}

static void the_chopstick_becomes_its_structs(void **state) {
    zw_context        *c = context();
    zw_model          *m = good(c, chopstick, 0, NULL);
    const zw_body_def *b = &m->bodies[0];
    (void)state;
    assert_int_equal(b->kind, ZW_BODY_RIGID);
    assert_int_equal(b->rigid.form.kind, ZW_FORM_CAPSULE);
    assert_int_equal(b->rigid.form.where.line, 8);
    check_near(constant(m, b->rigid.form.length), 1.2, 0.0);
    check_near(constant(m, b->rigid.form.radius), 0.005, 0.0);
    check_near(constant(m, b->rigid.mass), 0.05, 0.0);
    assert_int_equal(b->rigid.density.node, 0);
    assert_int_equal(b->rigid.ninertia, 0);
    assert_false(b->rigid.planar);
    check_vector(m, b->rigid.at, 0, 0, -0.7);
    check_near(constant(m, b->rigid.turn[1]), acos(-1.0) / 2 + 0.1, 0.0);
    check_vector(m, b->rigid.spin, 0, 0, 0.3);
    assert_int_equal(b->rigid.velocity[0].node, 0);
    assert_int_equal(b->rigid.npoints, 2);
    assert_string_equal(b->rigid.point[1].name, "b");
    check_vector(m, b->rigid.point[1].r, 0, 0, -0.6);
    assert_int_equal(m->nconstraints, 0);
    assert_int_equal(m->nunilaterals, 1);
    const zw_unilateral_def *u = &m->unilaterals[0];
    const int                slot[3] = {m->slot_x, m->slot_y, m->slot_z};
    const double             at[3] = {1, 2, 3};
    assert_string_equal(u->name, "bowl");
    assert_string_equal(u->text, "x^2 + y^2 + z^2 <= R^2");
    assert_int_equal(u->at.line, 15);
    assert_int_equal(u->f.at.col, 22);
    assert_int_equal(u->body, 0);
    assert_int_equal(u->npoints, 2);
    assert_int_equal(u->point[0], 1);
    assert_int_equal(u->point[1], 0);
    check_near(value(m, u->f.node, 3, slot, at), 13.0, 0.0);
    check_near(constant(m, u->restitution), 1.0, 0.0);
    assert_int_equal(u->loss.node, 0);
    assert_true(m->contact.given && m->contact.all && !m->contact.self && m->contact.npairs == 0);
    assert_int_equal(m->contact.law, ZW_LAW_SEQUENTIAL);
    assert_int_equal(m->contact.restitution.node + m->contact.loss.node + m->contact.friction.node, 0);
    assert_true(m->events);
    assert_int_equal(m->probes[0].place.point, 0);
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void joints_loads_and_probes_of_rigid_bodies_become_their_structs(void **state) {
    static const struct {
        const char *kind;
        unsigned    fix;
        int         a, b;
    } expected[] = {{"ball", ZW_FIX_POSITION, 1, 0},
                    {"clamp", ZW_FIX_Z | ZW_FIX_RX | ZW_FIX_RY, 1, -1},
                    {"hinge", ZW_FIX_POSITION | ZW_FIX_RX | ZW_FIX_RY, 1, 2},
                    {"slider", ZW_FIX_X | ZW_FIX_Y | ZW_FIX_RX | ZW_FIX_RY | ZW_FIX_RZ, 2, -1},
                    {"universal", ZW_FIX_POSITION | ZW_FIX_RY, 1, 3},
                    {"fixed", ZW_FIX_ALL, 2, 1},
                    {"spring", 0, 2, 0},
                    {"spring", 0, 1, -1}};
    zw_context *c = context();
    zw_model   *m = good(c, linked, 0, NULL);
    (void)state;
    assert_int_equal(m->nconstraints, 8);
    for (int i = 0; i < 8; i++) {
        assert_string_equal(m->constraints[i].kind, expected[i].kind);
        assert_int_equal(m->constraints[i].fix, expected[i].fix);
        assert_int_equal(m->constraints[i].a.body, expected[i].a);
        assert_int_equal(m->constraints[i].b.body, expected[i].b);
    }
    const zw_constraint_def *k = m->constraints;
    check_vector(m, k[0].a.r, -0.1, 0, 0);
    assert_int_equal(k[0].a.point, -1);
    assert_int_equal(k[1].a.r[0].node, 0); /* the centre of mass */
    assert_int_equal(k[2].a.point, 0);
    assert_int_equal(k[2].b.point, -1);
    check_vector(m, k[2].axis, 0, 0, 2);
    check_vector(m, k[3].a.r, 0, 1, 0);
    assert_true(zw_node_depends(m->pool, k[3].shift[1].node, m->slot_t));
    assert_int_equal(k[4].b.point, 0);
    check_near(constant(m, k[6].stiffness), 30.0, 0.0);
    check_near(constant(m, k[6].damping), 0.5, 0.0);
    check_near(constant(m, k[6].length), 0.2, 0.0);
    assert_int_equal(k[7].damping.node + k[7].length.node + k[7].limit[0].node, 0);
    assert_int_equal(k[7].a.point, 0);
    assert_true(m->bodies[2].rigid.planar);
    check_vector(m, m->bodies[2].rigid.plane, 0, 0, 2);
    assert_int_equal(m->bodies[2].rigid.ninertia, 3);
    assert_int_equal(m->bodies[2].rigid.form.kind, ZW_FORM_NONE);
    assert_int_equal(m->loads[0].on.body, 1);
    assert_false(m->loads[0].per_length || m->loads[0].directors || m->loads[0].moment);
    assert_true(m->loads[1].directors);
    check_vector(m, m->loads[1].on.r, 0, 0, 0.05);
    assert_true(m->loads[2].moment && m->loads[2].on.point == 0);
    assert_int_equal(m->probes[1].width, 4);
    check_vector(m, m->probes[2].place.r, 0, 1, 0);
    assert_int_equal(m->probes[3].width, 5);
    assert_int_equal(m->probes[4].width, 4);
    assert_int_equal(m->probes[5].place.body, 2);
    assert_int_equal(m->probes[6].constraint, 6);
    assert_int_equal(m->contact.law, ZW_LAW_MOREAU);
    check_near(constant(m, m->contact.loss), 0.19, 0.0);
    assert_false(m->events);
    assert_string_equal(m->run.integrator, "gauss");
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void inequalities_are_kept_as_at_most_zero(void **state) {
    zw_context              *c = context();
    zw_model                *m = good(c, linked, 0, NULL);
    const zw_lagrangian_def *d = &m->bodies[3].lagrangian;
    const zw_unilateral_def *wall = &m->unilaterals[0], *floor_of_points = &m->unilaterals[1];
    const int                space[4] = {m->slot_x, m->slot_y, m->slot_z, m->slot_t};
    const double             q[2] = {3, 5}, r[4] = {0, 0, 7, 11};
    (void)state;
    assert_int_equal(m->nunilaterals, 2);
    assert_int_equal(wall->npoints, 0);
    check_near(value(m, wall->f.node, 2, d->slot_q, q), -13.0, 0.0); /* x + 2 y >= 0 */
    check_near(value(m, wall->loss.node, 2, d->slot_q, q), exp(-9.0), 0.0);
    assert_false(zw_node_depends(m->pool, wall->f.node, m->slot_x));
    assert_int_equal(wall->restitution.node, 0);
    assert_int_equal(floor_of_points->npoints, 1);
    check_near(value(m, floor_of_points->f.node, 4, space, r), -18.0, 0.0);
    assert_int_equal(floor_of_points->restitution.node + floor_of_points->loss.node, 0);
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void every_form_is_read(void **state) {
    static const char text[] =
        "zwang: 1\nparameters: {r: 0.5}\nbodies:\n"
        "  a: {rigid: {sphere: {radius: r}, mass: 1}}\n"
        "  b: {rigid: {box: {size: \"2*[1, 2, 3]\"}, density: 10}}\n"
        "  c: {rigid: {cylinder: {radius: r, length: 2}, density: 10, inertia: [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 1]]}}\n"
        "  d: {rigid: {hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, r]], mass: 1}}\n"
        "  e: {rigid: {hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1e-6], [1, 1, 0]]}, mass: 1}}\n"
        "  f:\n    rigid:\n      density: 5\n      compound:\n"
        "        - {sphere: {radius: r}, at: [0, 0, 1]}\n"
        "        - {capsule: {radius: r, length: 1}, turn: [r, 0, 0], mass: 3}\n"
        "        - {hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], density: 7}\n"
        "  plate: {rigid: {mass: 1, inertia: [1, 1, 2]}}\n"
        "  needle: {rigid: {mass: 1, inertia: [1, 1, 0], turn: [pi/2, 0, 0], plane: [0, 0, 1]}}\n";
    zw_context         *c = context();
    zw_model           *m = good(c, text, 0, NULL);
    const zw_rigid_def *f = &m->bodies[5].rigid;
    (void)state;
    assert_int_equal(m->bodies[0].rigid.form.kind, ZW_FORM_SPHERE);
    check_near(constant(m, m->bodies[0].rigid.form.radius), 0.5, 0.0);
    assert_int_equal(m->bodies[1].rigid.form.kind, ZW_FORM_BOX);
    check_vector(m, m->bodies[1].rigid.form.size, 2, 4, 6);
    check_near(constant(m, m->bodies[1].rigid.density), 10.0, 0.0);
    assert_int_equal(m->bodies[2].rigid.form.kind, ZW_FORM_CYLINDER);
    assert_int_equal(m->bodies[2].rigid.ninertia, 9);
    check_vector(m, m->bodies[2].rigid.inertia + 3, 0.1, 2, 0);
    assert_int_equal(m->bodies[3].rigid.form.npoints, 4);
    check_vector(m, m->bodies[3].rigid.form.point[3], 0, 0, 0.5);
    assert_int_equal(m->bodies[4].rigid.form.npoints, 5);
    assert_int_equal(f->form.kind, ZW_FORM_COMPOUND);
    assert_int_equal(f->form.nmembers, 3);
    check_near(constant(m, f->density), 5.0, 0.0);
    assert_int_equal(f->form.member[0].mass.node + f->form.member[0].density.node, 0);
    check_vector(m, f->form.member[0].at, 0, 0, 1);
    assert_int_equal(f->form.member[1].kind, ZW_FORM_CAPSULE);
    check_near(constant(m, f->form.member[1].length), 1.0, 0.0);
    check_near(constant(m, f->form.member[1].mass), 3.0, 0.0);
    check_vector(m, f->form.member[1].turn, 0.5, 0, 0);
    assert_int_equal(f->form.member[2].npoints, 4);
    check_near(constant(m, f->form.member[2].density), 7.0, 0.0);
    assert_string_equal(m->run.integrator, "gauss"); /* also without run */
    assert_true(m->events);
    assert_false(m->contact.given);
    assert_int_equal(m->contact.law, ZW_LAW_REFLECT);
    zw_model_destroy(m);
    static const char *const sets[] = {"bodies.f.rigid.compound.1.capsule.radius=0.25", "parameters.r=0.4"};
    m = good(c, text, 2, sets);
    check_near(constant(m, m->bodies[5].rigid.form.member[1].radius), 0.25, 0.0);
    check_near(constant(m, m->bodies[5].rigid.form.member[0].radius), 0.4, 0.0);
    zw_model *again = good(c, zw_model_text(m), 0, NULL); /* the model as run is kept */
    assert_string_equal(zw_model_text(again), zw_model_text(m));
    zw_model_destroy(again);
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void rods_and_rigid_bodies_may_run_with_verlet(void **state) {
    static const char text[] =
        "zwang: 1\nbodies:\n"
        "  rope: {rod: {length: 1, elements: 4, section: {round: 0.01}, material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
        "  ball: {rigid: {sphere: {radius: 0.1}, mass: 1}}\n"
        "constraints: {hook: {ball: [ball, {body: rope, s: 0}]}}\n"
        "run: {until: 1, step: 1e-3, integrator: verlet}\n";
    static const char *const sets[] = {"bodies.ball.rigid.mass=3", "bodies.ball.rigid.sphere.radius=-1"};
    zw_context              *c = context();
    zw_model                *m = good(c, text, 1, sets);
    (void)state;
    assert_string_equal(m->run.integrator, "verlet");
    check_near(constant(m, m->bodies[1].rigid.mass), 3.0, 0.0);
    zw_model *again = good(c, zw_model_text(m), 0, NULL);
    assert_string_equal(zw_model_text(again), zw_model_text(m));
    zw_model_destroy(again);
    zw_model_destroy(m);
    assert_int_equal(zw_model_parse(c, "test.yaml", text, strlen(text), 2, sets, &m), ZW_E_MODEL);
    assert_int_equal(zw_error_count(c), 1);
    assert_string_equal(zw_error_at(c, 0)->subject, "bodies.ball.rigid.sphere.radius");
    zw_context_destroy(c);
}

static void limits_of_joints_are_read(void **state) {
    static const char text[] = "zwang: 1\nparameters: {a: 0.5}\nbodies:\n"
                               "  p: {rigid: {sphere: {radius: 0.1}, mass: 1}}\n"
                               "constraints: {pin: {hinge: p, axis: [0, 0, 1], limits: [-a, 2*a]}}\n";
    static const struct {
        const char *set, *part;
    } wrong[] = {{"constraints.pin.limits=[1, 2]", "the joint starts at 0, which is not between 1 and 2"},
                 {"constraints.pin.limits=[0, 0]", "the least, 0, is not below the largest, 0"},
                 {"constraints.pin.limits.1=1/0", "its value is not finite"}};
    (void)state;
    if (zw_schema_find("constraint", "limits", NULL)->flags & ZW_KEY_LATER) {
        skip();
    }
    zw_context *c = context();
    zw_model   *m = good(c, text, 0, NULL);
    check_near(constant(m, m->constraints[0].limit[0]), -0.5, 0.0);
    check_near(constant(m, m->constraints[0].limit[1]), 1.0, 0.0);
    zw_model_destroy(m);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(zw_model_parse(c, "test.yaml", text, strlen(text), 1, &wrong[i].set, &m), ZW_E_MODEL);
        assert_int_equal(zw_error_count(c), 1);
        assert_non_null(strstr(zw_error_at(c, 0)->message, wrong[i].part));
        zw_error_clear(c);
    }
    zw_context_destroy(c);
}

static bool forms_meet(void) {
    return !(zw_schema_find("top", "obstacles", NULL)->flags & ZW_KEY_LATER);
}

static void obstacles_and_pairs_become_their_structs(void **state) {
    static const char text[] =
        "zwang: 1\nbodies:\n"
        "  rope: {rod: {length: 1, elements: 4, section: {round: 0.01}, material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
        "  ball: {rigid: {sphere: {radius: 0.1}, mass: 1}}\n"
        "obstacles:\n"
        "  floor: {plane: {normal: [0, 0, 2], at: [0, 0, -1]}, motion: {shift: [0, 0, sin(t)]}}\n"
        "  room: {sphere: {radius: 9, hollow: true}}\n"
        "  pole: {cylinder: {radius: 0.2, at: [3, 0, 0]}}\n"
        "  drum: {cylinder: {radius: 0.2, axis: [0, 1, 0], length: 2}}\n"
        "  block: {box: {size: [1, 2, 3], turn: [0, 0, 1]}}\n"
        "  bar: {capsule: {radius: 0.1, length: 1, axis: [1, 0, 0]}}\n"
        "  hill: {mesh: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[0, 1, 2], [0, 1, 3]]}}\n"
        "  waves: {gap: z - sin(x - t)}\n"
        "contact: {pairs: [[ball, floor], [rope, ball], [waves, rope]], self: true, law: moreau, restitution: 0.5, friction: 0.3}\n"
        "run: {until: 1}\n";
    (void)state;
    if (!forms_meet()) {
        skip();
    }
    zw_context *c = context();
    zw_model   *m = good(c, text, 0, NULL);
    assert_int_equal(m->nobstacles, 8);
    const zw_obstacle_def *o = m->obstacles;
    assert_int_equal(o[0].form.kind, ZW_FORM_PLANE);
    check_vector(m, o[0].form.axis, 0, 0, 2);
    check_vector(m, o[0].form.at, 0, 0, -1);
    assert_true(zw_node_depends(m->pool, o[0].shift[2].node, m->slot_t));
    assert_true(o[1].form.hollow && !o[2].form.hollow);
    assert_int_equal(o[2].form.length.node, 0);
    check_near(constant(m, o[3].form.length), 2.0, 0.0);
    check_vector(m, o[4].form.turn, 0, 0, 1);
    check_vector(m, o[5].form.axis, 1, 0, 0);
    assert_int_equal(o[6].form.ntriangles, 2);
    assert_int_equal(o[6].form.triangle[1][2], 3);
    assert_int_equal(o[7].form.kind, ZW_FORM_GAP);
    assert_true(zw_node_depends(m->pool, o[7].form.gap.node, m->slot_z));
    assert_int_equal(m->contact.npairs, 3);
    assert_int_equal(m->contact.pair[0][0], 1);
    assert_int_equal(m->contact.pair[0][1], -1);
    assert_int_equal(m->contact.pair[2][0], -8);
    assert_true(m->contact.self && !m->contact.all);
    check_near(constant(m, m->contact.friction), 0.3, 0.0);
    assert_string_equal(m->run.integrator, "verlet"); /* there is friction */
    zw_model_destroy(m);
    zw_context_destroy(c);
}

/* what runs when no integrator is given, and who meets whom when nothing is said */
static void contact_chooses_integrator_and_pairs(void **state) {
    static const char text[] = "zwang: 1\nbodies:\n"
                               "  a: {rigid: {sphere: {radius: 0.1}, mass: 1}}\n"
                               "  b: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [1, 0, 0]}}\n"
                               "run: {until: 1}\n";
    static const struct {
        int         n;
        const char *set[3], *integrator;
        bool        all;
        int         stages;
    } cases[] = {{0, {NULL}, "gauss", false, 0},
                 {1, {"obstacles={f: {plane: {normal: [0, 0, 1]}}}"}, "gauss", true, 0},
                 {1, {"contact.restitution=0"}, "gauss", true, 0},
                 {1, {"contact.pairs=[]"}, "gauss", false, 0},
                 {1, {"contact.friction=0"}, "gauss", true, 0},
                 {1, {"contact.friction=0.1"}, "verlet", true, 0},
                 {3, {"contact.self=true", "run.events=off", "run.integrator=gauss"}, "gauss", true, 1},
                 {2, {"contact.pairs=[]", "run.events=off"}, "gauss", false, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        zw_context *c = context();
        zw_model   *m = good(c, text, cases[i].n, cases[i].set);
        assert_string_equal(m->run.integrator, cases[i].integrator);
        assert_int_equal(m->contact.all, cases[i].all);
        assert_int_equal(m->run.stages, cases[i].stages);
        zw_model_destroy(m);
        zw_context_destroy(c);
    }
}

static void wrong_obstacles_and_pairs_are_reported(void **state) {
    static const char        text[] = "zwang: 1\nbodies:\n"
                                      "  ball: {rigid: {sphere: {radius: 0.1}, mass: 1}}\n"
                                      "  cart: {lagrangian: {coordinates: [x], kinetic: xdot^2/2}}\n"
                                      "obstacles:\n"
                                      "  a: {plane: {normal: [0, 0, 0]}}\n"
                                      "  b: {sphere: {radius: -1}}\n"
                                      "  c: {cylinder: {radius: 1, length: 1, hollow: true}}\n"
                                      "  d: {capsule: {radius: 1, length: 1, axis: [1, 0, 0], turn: [1, 0, 0]}}\n"
                                      "  e: {mesh: {points: [[0, 0, 0], [1, 0, 0], [2, 0, 0]], triangles: [[0, 1, 2]]}}\n"
                                      "  f: {mesh: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 3]]}}\n"
                                      "  g: {gap: t}\n"
                                      "  ball: {box: {size: [1, 1, 1]}}\n"
                                      "contact: {pairs: [[a, b], [ball, ball], [ball, q], [cart, a]], friction: -1}\n";
    static const char *const parts[] = {"the normal has no direction",
                                        "the radius must be positive, and is -1",
                                        "a hollow cylinder is endless",
                                        "'axis' and 'turn' exclude each other",
                                        "the triangle has no area",
                                        "must be at most 2, and is 3",
                                        "it depends on none of x, y, z",
                                        "there is a body 'ball' already",
                                        "both are obstacles",
                                        "names 'ball' twice",
                                        "there is no body or obstacle 'q'",
                                        "'cart' is a lagrangian: it has no form",
                                        "the friction must not be negative, and is -1"};
    int                      n = (int)(sizeof parts / sizeof parts[0]);
    (void)state;
    if (!forms_meet()) {
        skip();
    }
    zw_context *c = context();
    zw_model   *m = NULL;
    assert_int_equal(zw_model_parse(c, "test.yaml", text, strlen(text), 0, NULL, &m), ZW_E_MODEL);
    assert_int_equal(zw_error_count(c), n);
    for (int i = 0; i < n; i++) {
        if (strstr(zw_error_at(c, i)->message, parts[i]) == NULL) {
            print_message("expected '%s' in '%s'\n", parts[i], zw_error_at(c, i)->message);
            fail();
        }
    }
    zw_context_destroy(c);
}

/* a chain of hinged bodies, each with points and an inequality */
static double read_chain(int n) {
    zw_context *c = context();
    zw_model   *m = NULL;
    zw_text     t;
    zw_text_init(&t, c);
    zw_text_add(&t, "zwang: 1\nbodies:\n");
    for (int i = 0; i < n; i++) {
        zw_text_addf(&t, "  b%d: {rigid: {capsule: {length: 1, radius: 0.1}, mass: 1, at: [0, 0, %d], points: {p: [0, 0, 0.5]}}}\n", i, i);
    }
    zw_text_add(&t, "constraints:\n");
    for (int i = 0; i < n; i++) {
        zw_text_addf(&t, "  w%d: {unilateral: x <= %d, on: b%d, points: [p]}\n", i, i + 1, i);
        if (i > 0) {
            zw_text_addf(&t, "  h%d: {hinge: [{body: b%d, point: p}, {body: b%d, at: [0, 0, -0.5]}], axis: [1, 0, 0]}\n", i, i - 1, i);
        }
    }
    assert_int_equal(zw_text_status(&t), ZW_OK);
    clock_t begin = clock();
    assert_int_equal(zw_model_parse(c, "chain.yaml", t.s, t.n, 0, NULL, &m), ZW_OK);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    assert_int_equal(m->nunilaterals, n);
    assert_int_equal(m->nconstraints, n - 1);
    zw_text_destroy(&t);
    zw_model_destroy(m);
    zw_context_destroy(c);
    return seconds;
}

static void long_chains_are_read_in_linear_time(void **state) {
    (void)state;
    double few = read_chain(500), many = read_chain(5000);
    print_message("500 bodies: %.1f ms, 5000: %.1f ms\n", 1e3 * few, 1e3 * many);
    assert_true(many < 40.0 * few + 0.05); /* 10 times the text: 11 times the time */
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
        zw_status status = zw_model_parse(c, "test.yaml", linked, strlen(linked), 0, NULL, &m);
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
        cmocka_unit_test(the_chopstick_becomes_its_structs),
        cmocka_unit_test(joints_loads_and_probes_of_rigid_bodies_become_their_structs),
        cmocka_unit_test(inequalities_are_kept_as_at_most_zero),
        cmocka_unit_test(every_form_is_read),
        cmocka_unit_test(rods_and_rigid_bodies_may_run_with_verlet),
        cmocka_unit_test(limits_of_joints_are_read),
        cmocka_unit_test(obstacles_and_pairs_become_their_structs),
        cmocka_unit_test(contact_chooses_integrator_and_pairs),
        cmocka_unit_test(wrong_obstacles_and_pairs_are_reported),
        cmocka_unit_test(long_chains_are_read_in_linear_time),
        cmocka_unit_test(memory_that_runs_out_is_reported_wherever_it_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

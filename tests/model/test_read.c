/* SPDX-License-Identifier: Apache-2.0
 * Good models become the structs of model.h; --set and the text as run; inputs and constants. */
#include "support/check.h"
#include "support/starve.h"

#include <string.h>

#include "base/check.h"
#include "model/model.h"

static const char *source_dir(void) {
    const char *dir = getenv("ZW_SOURCE_DIR");
#ifdef ZW_SOURCE_DIR
    return dir ? dir : ZW_SOURCE_DIR;
#else
    return dir ? dir : ".";
#endif
}

static void show_errors(const zw_context *c) {
    for (int i = 0; i < zw_error_count(c); i++) {
        char line[1500];
        zw_error_format(zw_error_at(c, i), line, sizeof line);
        print_message("%s\n", line);
    }
}

static zw_context *context(void) {
    zw_context *c = NULL;
    assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
    return c;
}

static zw_model *good(zw_context *c, const char *text, int nsets, const char *const *sets) {
    zw_model *m = NULL;
    if (zw_model_parse(c, "test.yaml", text, strlen(text), nsets, sets, &m) != ZW_OK) {
        show_errors(c);
        fail();
    }
    assert_int_equal(zw_error_count(c), 0);
    return m;
}

static zw_model *example(zw_context *c, const char *name) {
    char      path[1000];
    zw_model *m = NULL;
    snprintf(path, sizeof path, "%s/examples/%s.yaml", source_dir(), name);
    if (zw_model_load(c, path, 0, NULL, &m) != ZW_OK) {
        show_errors(c);
        fail();
    }
    return m;
}

/* value of a quantity with t and s */
static double value(const zw_model *m, zw_quantity q, double t, double s) {
    zw_tape *tape = NULL;
    double   in[256], work[512], out = 0.0;
    assert_true(q.node != 0);
    assert_true(zw_pool_inputs(m->pool) <= 256);
    zw_model_inputs(m, in);
    in[m->slot_t] = t;
    in[m->slot_s] = s;
    assert_int_equal(zw_tape_create(m->context, m->pool, &q.node, 1, &tape), ZW_OK);
    assert_true(zw_tape_work(tape) <= 512);
    zw_tape_eval(tape, in, work, &out);
    zw_tape_destroy(tape);
    return out;
}

static double constant(const zw_model *m, zw_quantity q) {
    double v = 0.0;
    assert_int_equal(zw_model_constant(m, q, "test", &v), ZW_OK);
    return v;
}

#define ROD                                                                                                     \
    "zwang: 1\nbodies:\n  beam:\n    rod:\n      length: 2\n      elements: 10\n      section: {round: 0.01}\n" \
    "      material: {density: 1000, young: 1e6, poisson: 0.3}\n"

static void the_arc_beam_becomes_its_structs(void **state) {
    const double pi = 3.14159265358979323846;
    zw_context  *c = context();
    zw_model    *m = example(c, "arc-beam");
    (void)state;
    assert_string_equal(zw_model_title(m), "Free flight of a bent beam");
    assert_int_equal(m->nparameters, 2);
    assert_string_equal(m->parameter_name[0], "L");
    assert_true(m->parameter_slot[0] >= 0 && m->parameter_slot[1] >= 0);
    check_near(m->parameter_value[0], 2.0 * pi / 3.0, 0.0);
    assert_int_equal(m->nbodies, 1);
    const zw_rod_def *rod = &m->bodies[0].rod;
    assert_string_equal(m->bodies[0].name, "beam");
    assert_int_equal(rod->elements, 100);
    check_near(constant(m, rod->length), 2.0 * pi / 3.0, 0.0);
    assert_int_equal(rod->section.kind, ZW_SECTION_SQUARE);
    check_near(constant(m, rod->section.size[0]), 0.1, 0.0);
    check_near(constant(m, rod->material.young), 1e7, 0.0);
    check_near(constant(m, rod->material.poisson), 0.35, 0.0);
    assert_true(rod->material.shear.node == 0 && rod->material.damping.node == 0);
    assert_true(rod->at[0].node == 0 && rod->along[0].node == 0 && rod->up[0].node == 0);
    assert_int_equal(rod->shape.kind, ZW_SHAPE_CURVATURE);
    check_near(constant(m, rod->shape.v[1]), -1.0, 0.0);
    assert_int_equal(rod->natural, ZW_NATURAL_STRAIGHT);
    assert_true(rod->velocity_in_directors);
    check_near(value(m, rod->velocity[1], 0.0, pi / 3.0), 1.0, 0.0);
    check_near(value(m, rod->velocity[2], 0.0, 0.3), 1.0, 0.0);
    assert_true(m->run_given && !m->run.integrator_given);
    assert_string_equal(m->run.integrator, "verlet");
    check_near(constant(m, m->run.until), 0.5, 0.0);
    check_near(constant(m, m->run.step), 1e-4, 0.0);
    assert_int_equal(m->record.kind, ZW_RECORD_FRAMES);
    assert_int_equal(m->record.count, 200);
    assert_int_equal(m->nprobes, 3);
    check_near(constant(m, m->probes[1].place.s), pi / 3.0, 0.0);
    assert_int_equal(m->probes[2].kind, ZW_PROBE_ENERGY);
    assert_false(m->gravity_given);
    assert_true(zw_model_hash(m) == zw_hash64(0, zw_model_text(m), strlen(zw_model_text(m))));
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void every_example_is_read(void **state) {
    static const char *const names[] = {"arc-beam", "clamped-cantilever", "flying-spaghetti", "skipping-rope"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        zw_context *c = context();
        zw_model   *m = example(c, names[i]);
        assert_true(strlen(zw_model_title(m)) > 0);
        zw_model_destroy(m);
        zw_context_destroy(c);
    }
}

static void the_spaghetti_has_its_explicit_section_and_loads(void **state) {
    zw_context *c = context();
    zw_model   *m = example(c, "flying-spaghetti");
    (void)state;
    const zw_section_def *sec = &m->bodies[0].rod.section;
    assert_int_equal(sec->kind, ZW_SECTION_EXPLICIT);
    check_near(constant(m, sec->bending[1]), 500.0, 0.0);
    check_near(constant(m, sec->inertia[0]), 10.0, 0.0);
    check_near(constant(m, sec->inertia[2]), 10.0, 0.0);
    assert_int_equal(m->nloads, 2);
    assert_false(m->loads[0].moment || m->loads[0].per_length || m->loads[0].directors);
    assert_true(m->loads[1].moment);
    check_near(value(m, m->loads[0].v[0], 2.5, 0.0), 20.0, 0.0);
    check_near(value(m, m->loads[0].v[0], 1.25, 0.0), 10.0, 0.0);
    check_near(value(m, m->loads[1].v[1], 2.5, 0.0), -100.0, 0.0);
    check_near(value(m, m->loads[1].v[2], 3.75, 0.0), -100.0, 0.0);
    check_near(value(m, m->loads[1].v[2], 7.0, 0.0), 0.0, 0.0);
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void parameters_may_use_each_other_in_any_order(void **state) {
    zw_context *c = context();
    zw_model   *m = good(c, "parameters: {a: b + c, b: 2*c, c: 3, e: 5, unit_: sqrt(2)}\ngravity: [0, a, -e]\n" ROD, 0, NULL);
    (void)state;
    check_near(m->parameter_value[0], 9.0, 0.0);
    check_near(m->parameter_value[1], 6.0, 0.0);
    assert_int_equal(m->parameter_slot[0], -1); /* derived: it stands for its expression */
    assert_int_equal(m->parameter_slot[1], -1);
    assert_true(m->parameter_slot[2] >= 0 && m->parameter_slot[3] >= 0 && m->parameter_slot[4] >= 0);
    assert_true(zw_node_depends(m->pool, m->gravity[1].node, m->parameter_slot[2])); /* varying c varies a */
    check_near(constant(m, m->gravity[2]), -5.0, 0.0);                               /* the user's e, not the constant */
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void places_have_a_short_and_a_long_form(void **state) {
    zw_context *c = context();
    zw_model   *m = good(c,
                         ROD "  rope:\n    rod:\n      length: 3\n      elements: 5\n      section: {round: 0.01}\n"
                               "      material: {density: 1, young: 1, shear: 1}\n"
                               "constraints:\n"
                               "  a: {clamp: beam, s: 0}\n"
                               "  b: {ball: [{body: beam, s: end}, {body: rope, s: 1 + 1}]}\n"
                               "  c: {fixed: {body: rope, s: end}, to: {body: beam, s: 1}}\n"
                               "  d: {clamp: rope, s: 0, fix: [x, rz], to: ground, motion: {shift: [t, 0, 0]}}\n"
                               "loads:\n"
                               "  w: {force: [0, 0, -s*t], on: rope}\n"
                               "  f: {moment: [x, y, z], on: {body: rope, s: end}, axes: directors}\n"
                               "  l: {force: \"[1, 2, 3]*t\", on: rope, per: length}\n",
                         0, NULL);
    (void)state;
    const zw_constraint_def *k = m->constraints;
    assert_int_equal(k[0].a.body, 0);
    assert_int_equal(k[0].b.body, -1);
    assert_int_equal(k[0].fix, ZW_FIX_ALL);
    assert_string_equal(k[1].kind, "ball");
    assert_int_equal(k[1].fix, ZW_FIX_POSITION);
    assert_int_equal(k[1].b.body, 1);
    check_near(constant(m, k[1].a.s), 2.0, 0.0);
    check_near(constant(m, k[1].b.s), 2.0, 0.0);
    assert_int_equal(k[2].a.body, 1);
    assert_int_equal(k[2].b.body, 0);
    check_near(constant(m, k[2].a.s), 3.0, 0.0);
    assert_int_equal(k[3].fix, ZW_FIX_X | ZW_FIX_RZ);
    check_near(value(m, k[3].shift[0], 7.0, 0.0), 7.0, 0.0);
    assert_int_equal(k[3].turn[0].node, 0);
    assert_true(m->loads[0].per_length && m->loads[0].on.s.node == 0);
    check_near(value(m, m->loads[0].v[2], 2.0, 3.0), -6.0, 0.0);
    assert_true(m->loads[1].moment && m->loads[1].directors && !m->loads[1].per_length);
    assert_true(m->loads[2].per_length);
    check_near(value(m, m->loads[2].v[2], 2.0, 0.0), 6.0, 0.0);
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void shapes_sections_and_records_are_read(void **state) {
    zw_context *c = context();
    zw_model   *m = good(
          c,
          "zwang: 1\ntitle: \"\\u00c4rger: 'x' # <b>\"\nbodies:\n"
            "  a: {rod: {length: 1, elements: 2, section: {tube: [0.02, 0.01*s]}, material: {density: 1, young: 1, poisson: 0.5, damping: 0},\n"
            "      shape: {points: [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}, natural: start, velocity: [0, s, 0], radius: 0, kinematics: cosserat}}\n"
            "  b: {rod: {length: 1, elements: 2e1, section: {rectangle: [0.02, 0.01]}, material: {density: 1, young: 1, shear: 0.4},\n"
            "      shape: {ring: [0, 1, 0]}, natural: {curvature: [0, 0, s]}}}\n"
            "  c: {rod: {length: 1, elements: 3, shape: straight, section: {stiffness: [[2,1,0,0,0,0],[1,2,0,0,0,0],[0,0,1,0,0,0],"
            "[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,0,1]],\n"
            "      inertia: [[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,0,1]]}, material: {damping: 0.1}}}\n"
            "run: {until: 1, tolerance: 1e-10, integrator: verlet, mode: dynamic, events: off, seed: 12345678901, threads: 2}\n"
            "record: {interval: 0.1, fields: [position, strain]}\n",
          0, NULL);
    (void)state;
    assert_string_equal(m->title, "\xC3\x84rger: 'x' # <b>");
    assert_int_equal(m->bodies[0].rod.shape.kind, ZW_SHAPE_POINTS);
    assert_int_equal(m->bodies[0].rod.shape.npoints, 3);
    check_near(constant(m, m->bodies[0].rod.shape.points[2][1]), 1.0, 0.0);
    assert_int_equal(m->bodies[0].rod.natural, ZW_NATURAL_START);
    assert_false(m->bodies[0].rod.velocity_in_directors);
    check_near(value(m, m->bodies[0].rod.section.size[1], 0.0, 0.5), 0.005, 0.0);
    assert_int_equal(m->bodies[1].rod.elements, 20);
    assert_int_equal(m->bodies[1].rod.shape.kind, ZW_SHAPE_RING);
    assert_int_equal(m->bodies[1].rod.natural, ZW_NATURAL_CURVATURE);
    assert_int_equal(m->bodies[2].rod.section.kind, ZW_SECTION_MATRIX);
    check_near(constant(m, m->bodies[2].rod.section.stiffness66[1]), 1.0, 0.0);
    check_near(constant(m, m->bodies[2].rod.section.inertia66[35]), 1.0, 0.0);
    assert_true(m->run.integrator_given);
    assert_true(m->run.seed == 12345678901u);
    assert_int_equal(m->run.threads, 2);
    assert_int_equal(m->run.step.node, 0);
    assert_int_equal(m->record.kind, ZW_RECORD_INTERVAL);
    assert_int_equal(m->record.nfields, 2);
    assert_string_equal(m->record.fields[1], "strain");
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void probes_feed_the_expressions_below_them(void **state) {
    zw_context *c = context();
    zw_model   *m = good(c,
                         ROD "constraints: {root: {clamp: beam, s: 0, fix: [x, y]}}\n"
                               "probes:\n"
                               "  z: {position: beam, s: end}\n"
                               "  q: {orientation: beam, s: 0}\n"
                               "  k: {curvature: beam, s: 1}\n"
                               "  r: {reaction: root}\n"
                               "  lambda: {multiplier: root}\n"
                               "  E: {energy: kinetic}\n"
                               "  B: {energy: beam}\n"
                               "  len: {length: beam}\n"
                               "  sum: {expression: z.x + q.w + k.d2 + r.mz + E + len + t}\n"
                               "  vec: {expression: 2*z}\n"
                               "  last: {expression: vec.y + sum}\n",
                         0, NULL);
    double      in[256] = {0}, work[512], out = 0.0;
    zw_tape    *tape = NULL;
    (void)state;
    const zw_probe_def *p = m->probes;
    assert_int_equal(p[0].width, 3);
    assert_int_equal(p[1].width, 4);
    assert_int_equal(p[3].width, 6);
    assert_int_equal(p[4].width, 2);
    assert_int_equal(p[4].slot[0], -1);
    assert_int_equal(p[6].energy, ZW_ENERGY_BODY);
    assert_int_equal(p[6].place.body, 0);
    assert_int_equal(p[8].width, 1);
    assert_int_equal(p[9].width, 3);
    assert_true(p[0].slot[2] != m->slot_z); /* a probe named z is not the coordinate z */
    in[p[0].slot[0]] = 1.0;
    in[p[1].slot[0]] = 2.0;
    in[p[2].slot[1]] = 4.0;
    in[p[3].slot[5]] = 8.0;
    in[p[5].slot[0]] = 16.0;
    in[p[7].slot[0]] = 32.0;
    in[m->slot_t] = 64.0;
    assert_true(zw_pool_inputs(m->pool) <= 256);
    assert_int_equal(zw_tape_create(c, m->pool, p[8].expression.n, 1, &tape), ZW_OK);
    zw_tape_eval(tape, in, work, &out);
    zw_tape_destroy(tape);
    check_near(out, 127.0, 0.0);
    in[p[9].slot[1]] = 3.0;
    in[p[8].slot[0]] = 0.5;
    assert_int_equal(zw_tape_create(c, m->pool, p[10].expression.n, 1, &tape), ZW_OK);
    zw_tape_eval(tape, in, work, &out);
    zw_tape_destroy(tape);
    check_near(out, 3.5, 0.0);
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void defaults_hold_where_nothing_is_given(void **state) {
    zw_context *c = context();
    zw_model   *m = good(c, ROD, 0, NULL);
    (void)state;
    assert_string_equal(zw_model_title(m), "");
    assert_false(m->run_given);
    assert_string_equal(m->run.integrator, "verlet");
    assert_int_equal(m->record.kind, ZW_RECORD_FRAMES);
    assert_int_equal(m->record.count, 200);
    assert_int_equal(m->bodies[0].rod.shape.kind, ZW_SHAPE_STRAIGHT);
    assert_string_equal(zw_model_text(m), ROD); /* without sets the text is the file, byte for byte */
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void sets_change_the_model_and_its_text(void **state) {
    static const char *const sets[] = {"L=3",
                                       "run.until=2*L",
                                       "bodies.beam.rod.at=[1, \"min(a, 2)\", -a]",
                                       "bodies.beam.rod.at.0=L + 1",
                                       "title=\"a: b # c\"",
                                       "record.frames=7",
                                       "bodies.beam.rod.section={tube: [a, a/2]}",
                                       "gravity=\"[0, 0, -1]*2\""};
    static const char        text[] =
        "zwang: 1\nparameters: {L: 1, a: 0.1}\nbodies:\n  beam:\n    rod:\n      length: L   # a comment\n      elements: 4\n"
        "      section: {square: a}\n      material: {density: 1, young: 1, poisson: 0.3}\nrun: {until: 1}\nprobes:\n"
        "  tip: {position: beam, s: L}\n  w: {expression: \"if(t < 1, 0, 1)\"}\n";
    zw_context *c = context(), *d = context();
    zw_model   *plain = good(c, text, 0, NULL), *m = NULL, *again = NULL;
    (void)state;
    m = good(c, text, 8, sets);
    check_near(constant(m, m->bodies[0].rod.length), 3.0, 0.0);
    check_near(constant(m, m->run.until), 6.0, 0.0);
    check_near(constant(m, m->bodies[0].rod.at[0]), 4.0, 0.0);
    check_near(constant(m, m->bodies[0].rod.at[1]), 0.1, 0.0);
    check_near(constant(m, m->bodies[0].rod.at[2]), -0.1, 0.0);
    check_near(constant(m, m->gravity[2]), -2.0, 0.0);
    assert_int_equal(m->bodies[0].rod.section.kind, ZW_SECTION_TUBE);
    assert_string_equal(m->title, "a: b # c");
    assert_int_equal(m->record.count, 7);
    assert_true(m->hash != plain->hash);
    /* the text as run is a model of its own: the same values, and written again the same */
    again = good(d, zw_model_text(m), 0, NULL);
    check_near(constant(again, again->run.until), 6.0, 0.0);
    check_near(constant(again, again->bodies[0].rod.at[1]), 0.1, 0.0);
    assert_string_equal(again->title, "a: b # c");
    assert_int_equal(again->record.count, 7);
    assert_true(again->hash == m->hash);
    zw_model_destroy(again);
    zw_model_destroy(m);
    zw_model_destroy(plain);
    zw_context_destroy(d);
    zw_context_destroy(c);
}

static void texts_that_need_quotes_survive_being_written(void **state) {
    static const char *const titles[] = {"'- a'",
                                         "'a: b'",
                                         "'#x'",
                                         "\"tab\\tnew\\nline\"",
                                         "'[1, 2'",
                                         "\"\\\"q\\\" \\\\ \\u2028 \\u00e9\"",
                                         "''",
                                         "' lead'",
                                         "'trail '",
                                         "'*a'",
                                         "'&a'",
                                         "'!t'",
                                         "'%d'",
                                         "'true'",
                                         "'---'",
                                         "-x, y",
                                         "a b",
                                         "'~'",
                                         "a#b",
                                         "x:y",
                                         "'?'",
                                         "'=3'",
                                         "|\n  two\n  lines\n"};
    (void)state;
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        static const char *const set[] = {"bodies.beam.rod.length=4"};
        char                     text[1000];
        zw_context              *c = context();
        snprintf(text, sizeof text, "title: %s\n" ROD, titles[i]);
        zw_model *m = good(c, text, 1, set), *again = good(c, zw_model_text(m), 0, NULL);
        assert_string_equal(m->title, again->title);
        zw_model_destroy(again);
        zw_model_destroy(m);
        zw_context_destroy(c);
    }
}

static void wrong_sets_are_refused_by_name(void **state) {
    static const struct {
        const char *set, *part;
    } cases[] = {
        {"L", "no '='"},
        {"=3", "no '='"},
        {"Q=3", "has no 'Q'"},
        {"LL=3", "did you mean 'L'"},
        {"run.untl=3", "did you mean 'until'"},
        {"bodies.baem.rod.length=1", "did you mean 'beam'"},
        {"bodies.beam.rod.at.7=1", "has no '7'"},
        {"bodies.beam.rod.length.x=1", "has no 'x'"},
        {"L=", "empty"},
        {"L=[1", "not closed"},
        {"L=-1", "must be positive"},
        {"L=1/0", "not finite"},
        {"L=2*q", "unknown name 'q'"},
        {"run.integrator=energy-momentun", "did you mean 'energy-momentum'"},
        {"parameters.L=[1]", "not a list"},
        {"bodies.beam.rod.length=*x", "alias"},
    };
    static const char text[] =
        "zwang: 1\nparameters: {L: 1}\nbodies:\n  beam:\n    rod:\n      length: L\n      elements: 4\n      at: [0, 0, 0]\n"
        "      section: {square: 0.1}\n      material: {density: 1, young: 1, poisson: 0.3}\nrun: {until: 1}\n";
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        zw_context *c = context();
        zw_model   *m = NULL;
        char        line[1500] = "";
        assert_int_not_equal(zw_model_parse(c, "test.yaml", text, strlen(text), 1, &cases[i].set, &m), ZW_OK);
        assert_null(m);
        assert_true(zw_error_count(c) >= 1);
        zw_error_format(zw_error_at(c, 0), line, sizeof line);
        if (strstr(line, cases[i].part) == NULL || zw_error_count(c) != 1) {
            print_message("%s (%d errors), expected '%s'\n", line, zw_error_count(c), cases[i].part);
            fail();
        }
        zw_context_destroy(c);
    }
}

static void files_that_cannot_be_read_are_named(void **state) {
    zw_context *c = context();
    zw_model   *m = NULL;
    (void)state;
    assert_int_equal(zw_model_load(c, "no/such/file.yaml", 0, NULL, &m), ZW_E_NO_INPUT);
    assert_null(m);
    assert_int_equal(zw_model_load(c, source_dir(), 0, NULL, &m), ZW_E_IO); /* a directory */
    assert_int_equal(zw_model_load(c, NULL, 0, NULL, &m), ZW_E_ARG);
    assert_int_equal(zw_error_count(c), 3);
    zw_model_destroy(NULL);
    zw_context_destroy(c);
}

static void later_errors_point_into_the_file(void **state) {
    zw_context *c = context();
    zw_model   *m = good(c, ROD "run: {until: 1, step: 0.5}\n", 0, NULL);
    (void)state;
    assert_int_equal(zw_model_raise(m, ZW_E_STEP, m->run.step.at, "run.step", "use 0.1", "the step %d is too long", 1), ZW_E_STEP);
    const zw_error *e = zw_error_at(c, 0);
    assert_int_equal(e->line, 9);
    assert_int_equal(e->col, 23);
    assert_string_equal(e->excerpt, "run: {until: 1, step: 0.5}");
    assert_string_equal(e->file, "test.yaml");
    zw_model_destroy(m);
    zw_context_destroy(c);
}

static void memory_that_runs_out_is_reported_wherever_it_happens(void **state) {
    static const char *const sets[] = {"run.until=2"};
    static const char        text[] = "parameters: {a: b, b: 1}\n" ROD "constraints: {root: {clamp: beam, s: 0}}\nrun: {until: 1}\n"
                                      "probes: {tip: {position: beam, s: end}, w: {expression: tip.x*a}, bad: {reaction: roof}}\n";
    int                      tries = 0;
    (void)state;
    for (int room = 0; room < 5000; room++, tries++) {
        starved     s = {room};
        zw_context *c = starving_context(&s);
        zw_model   *m = NULL;
        if (c == NULL) {
            continue;
        }
        zw_status status = zw_model_parse(c, "test.yaml", text, strlen(text), 1, sets, &m);
        assert_null(m);
        bool enough = status == ZW_E_MODEL && s.left > 0;
        zw_context_destroy(c);
        if (enough) {
            break;
        }
        assert_true(status == ZW_E_MEMORY || status == ZW_E_MODEL);
    }
    print_message("%d allocations failed in turn\n", tries);
    assert_true(tries > 20 && tries < 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_arc_beam_becomes_its_structs),
        cmocka_unit_test(every_example_is_read),
        cmocka_unit_test(the_spaghetti_has_its_explicit_section_and_loads),
        cmocka_unit_test(parameters_may_use_each_other_in_any_order),
        cmocka_unit_test(places_have_a_short_and_a_long_form),
        cmocka_unit_test(shapes_sections_and_records_are_read),
        cmocka_unit_test(probes_feed_the_expressions_below_them),
        cmocka_unit_test(defaults_hold_where_nothing_is_given),
        cmocka_unit_test(sets_change_the_model_and_its_text),
        cmocka_unit_test(texts_that_need_quotes_survive_being_written),
        cmocka_unit_test(wrong_sets_are_refused_by_name),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
        cmocka_unit_test(later_errors_point_into_the_file),
        cmocka_unit_test(memory_that_runs_out_is_reported_wherever_it_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

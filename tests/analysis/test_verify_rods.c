/* SPDX-License-Identifier: Apache-2.0
 * test_verify_rods.c: what `zwang verify` says about rods: equations (4), (19), (34), (45) of growing rods, internal forces, equilibria; on rods held in every way, and with
 * something broken on purpose, which the check that is there for it catches. */
#include "support/model.h"

#include "zwang/verify.h"

static zw_verification verify(fixture *f, int states) {
    zw_verification v;
    zw_verify_def   def = zw_verify_def_default();
    def.states = states;
    fixture_must(f, zw_verify(f->y, &def, &v), "zw_verify");
    return v;
}

#define MATERIAL   "section: {rectangle: [0.1, 0.06]}, material: {density: 1000, young: 1e6, poisson: 0.25, damping: 0.001}"
#define BEAM(more) "rod: {length: 1, elements: 6, along: [1, 0, 0], " more MATERIAL "}"

typedef struct sample {
    const char *name, *text;
    bool        rests; /* statics finds an equilibrium from its start */
} sample;

static const sample samples[] = {
    {"free", "zwang: 1\nbodies:\n  a: {" BEAM("shape: {curvature: [1, 0.5, 1]}, natural: start, ") "}\n", false},
    {"falling", "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: {" BEAM("") "}\n", false},
    {"clamped", "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: {" BEAM("") "}\nconstraints:\n  root: {clamp: a, s: 0}\n", true},
    {"pinned between nodes",
     "zwang: 1\ngravity: [0, 1, -9.81]\nbodies:\n  a: {" BEAM("") "}\nconstraints:\n  root: {clamp: a, s: 0}\n  pin: {ball: a, s: 0.55}\n",
     true},
    {"unshearable",
     "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: {" BEAM("kinematics: unshearable, ") "}\nconstraints:\n  root: {clamp: a, s: 0}\n",
     true},
    {"inextensible",
     "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: {" BEAM(
         "kinematics: inextensible, shape: {curvature: [1, 0.5, 1]}, ") "}\nconstraints:\n  root: {clamp: a, s: 0}\n  pin: {ball: a, "
                                                                        "s: 1}\n",
     true},
    {"coupled section",
     "zwang: 1\nbodies:\n  a: {rod: {length: 1, elements: 6, along: [1, 0, 0], section: {stiffness: [[2, 0, 0.3, 0, 0, 0], [0, 3, 0, 0, 0, 4], [0.3, 0, 1.5, 0, 0, 0], [0, 0, 0, 900, "
     "0, 0], [0, 0, 0, 0, 900, 30], [0, 4, 0, 0, 30, 2000]], inertia: [[0.002, 0, 0.0003, 0, 0, 0], [0, 0.005, 0, 0, 0, 0], [0.0003, 0, 0.007, 0, 0, 0], [0, 0, 0, 6, 0, 0], [0, 0, 0, 0, 6, 0], [0, 0, 0, 0, 0, 6]]}}}\nconstraints:\n  root: {clamp: a, s: 0}\nloads:\n  pull: {force: [0.5, 0.4, 0.3], "
     "on: {body: a, s: 1}}\n",
     true},
    {"ring",
     "zwang: 1\nbodies:\n  a: {rod: {length: 1, elements: 8, shape: {ring: [1, 0, 0]}, section: {round: 0.04}, material: {density: 1000, young: 1e6, poisson: 0.3}}}\n"
     "constraints:\n  hold: {clamp: a, s: 0}\n",
     true},
    {"two rods and a moving support",
     "zwang: 1\nbodies:\n  a: {" BEAM(
         "shape: {curvature: [1, 0.5, 1]}, ") "}\n  b: {rod: {length: 0.6, elements: 4, at: [0.2, 0.1, 0.3], along: [0, 1, 0], section: {square: 0.05}, "
                                              "material: {density: 1000, young: 1e6, poisson: 0.25}}}\nconstraints:\n  root: {clamp: a, s: 0, motion: {shift: [0, 0.1*t^2, 0.2*t], turn: [0, 2*t, t^2]}}\n  knee: {clamp: [{body: "
                                              "a, s: 0.7}, {body: b, s: 0.2}], fix: [x, y, z, rx, ry]}\n",
     true},
    {"on a plane",
     "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: {" BEAM(
         "") "}\nconstraints:\n  root: {clamp: a, s: 0}\n  plane: {surface: a, zero: z - 0.3*y}\n",
     true},
    {"strains held along it",
     "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: {" BEAM(
         "") "}\nconstraints:\n  root: {clamp: a, s: 0}\n  held: {along: a, zero: [gamma.d1, kappa.d3 - 0.1*s], from: 0.2}\n",
     true},
    {"no sideways velocity",
     "zwang: 1\nbodies:\n  a: {" BEAM(
         "") "}\nconstraints:\n  root: {ball: a, s: 0}\n  slide: {nonholonomic: ['velocity.d1 = 0'], on: a, from: 0.3}\n",
     false},
    {"on a foundation",
     "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: {" BEAM(
         "") "}\nconstraints:\n  root: {clamp: a, s: 0}\n  bed: {foundation: a, stiffness: 2000}\n",
     true},
    {"on a rigid body",
     "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  hub: {rigid: {mass: 2, inertia: [0.01, 0.02, 0.015]}}\n  a: {" BEAM(
         "") "}\nconstraints:\n  fixed: {clamp: [hub, {body: a, s: 0}]}\n",
     false},
};

static void rods_held_in_every_way_agree(void **state) {
    static const zw_verify_kind kind[] = {ZW_VERIFY_INTERNAL, ZW_VERIFY_STRAINS, ZW_VERIFY_COMPATIBLE,
                                          ZW_VERIFY_SPACE,    ZW_VERIFY_IDEAL,   ZW_VERIFY_REST};
    double                      most[6] = {0};
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        fixture f;
        fixture_system(&f, samples[i].text);
        zw_verification v = verify(&f, 15);
        for (int k = 0; k < ZW_VERIFY_CHECKS; k++) {
            if (!v.check[k].ok) {
                print_error("%s: %s: %.3e beyond %.3e at state %d (%s)\n", samples[i].name, v.check[k].name, v.check[k].largest,
                            v.check[k].tolerance, v.check[k].state, v.check[k].where);
            }
        }
        assert_true(v.ok);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(v.check[kind[k]].states, 15);
        }
        assert_int_equal(v.check[ZW_VERIFY_IDEAL].states, v.rows > 0 ? 15 : 0);
        if (samples[i].rests != (v.check[ZW_VERIFY_REST].states == 1)) {
            fail_msg("%s: equilibrium: %s", samples[i].name, v.check[ZW_VERIFY_REST].note);
        }
        assert_string_equal(v.check[ZW_VERIFY_GROWTH].note, "no rod grows");
        for (int k = 0; k < 6; k++) {
            most[k] = fmax(most[k], v.check[kind[k]].largest);
        }
        fixture_close(&f);
    }
    check_below(most[0], 1e-13, 1.3e-16);
    check_below(most[1], 1e-13, 8.8e-16);
    check_below(most[2], 1e-9, 5.7e-11);
    check_below(most[3], 1e-13, 1.6e-15);
    check_below(most[4], 1e-13, 8.8e-16);
    check_below(most[5], 1e-12, 1.0e-14);
}

static void models_without_rods_say_so(void **state) {
    fixture f;
    (void)state;
    fixture_system(&f, "zwang: 1\nbodies:\n  p: {lagrangian: {coordinates: [x], kinetic: xdot^2/2, potential: x^2}}\n");
    zw_verification v = verify(&f, 3);
    assert_true(v.ok);
    for (int k = ZW_VERIFY_INTERNAL; k <= ZW_VERIFY_GROWTH; k++) {
        assert_int_equal(v.check[k].states, 0);
        assert_string_equal(v.check[k].note, "no rods");
    }
    fixture_close(&f);
}

/* laws with sections that grow, memory and delay; the power by its formula against the energy along the rates of all fields */
static void growing_rods_agree(void **state) {
    static const char *const growth[] = {
        "rate: 0.1 + 0.2*s, bend: [0.1, 0.2*s, 0.3], section: 0.5, mass: true", "rate: 0.3, curvature: dilute, section: 2",
        "law: {ace: {rate: 0.1, zone: 0.5, beta: 1, gamma: 0.5, toward: [0, 0, 1], delay: 0.1}}",
        "law: {stein: {rate: 0.1, gain: 1e-5, bending: 2e-5}}", "law: {thicken: {radius: 1 + 0.2*t}}, mass: true"};
    double most = 0.0;
    (void)state;
    for (size_t i = 0; i < 2 * sizeof growth / sizeof growth[0]; i++) {
        char    text[1200];
        fixture f;
        snprintf(
            text, sizeof text,
            "zwang: 1\ngravity: [0, 1, -9.81]\nbodies:\n  a: {rod: {length: 1, elements: 7, along: [1, 0, 0], %snatural: {curvature: [0.3, 0.1, 0.2]}, " MATERIAL
            ", growth: {%s}}}\nconstraints:\n  root: {clamp: a, s: 0}\nrun: {until: 1, step: 0.01}\n",
            i % 2 == 0 ? "" : "links: refined, ", growth[i / 2]);
        fixture_system(&f, text);
        zw_verification v = verify(&f, 8);
        for (int k = 0; k < ZW_VERIFY_CHECKS; k++) {
            if (!v.check[k].ok) {
                print_error("%s: %s: %.3e beyond %.3e\n", growth[i / 2], v.check[k].name, v.check[k].largest, v.check[k].tolerance);
            }
        }
        assert_true(v.ok);
        assert_int_equal(v.check[ZW_VERIFY_GROWTH].states, 8);
        most = fmax(most, v.check[ZW_VERIFY_GROWTH].largest);
        fixture_close(&f);
    }
    check_below(most, 1e-11, 4.5e-13);
}

/* ---- broken on purpose */
static const zw_part_ops *sound;
static int                calls;

static zw_status pushed(void *self, const zw_state *x, double *f) { /* a force from nowhere */
    zw_status status = sound->force(self, x, f);
    f[6 + 4] += 1e-5 * (fabs(f[6 + 4]) + 1.0);
    return status;
}

static zw_status turned(void *self, const zw_state *x, double *f) { /* a moment from nowhere */
    zw_status status = sound->force(self, x, f);
    f[6 + 1] += 1e-5 * (fabs(f[6 + 1]) + 1.0);
    return status;
}

static zw_status moody(void *self, const zw_state *x, double *f) { /* not the same twice: reactions are not those of the balance */
    zw_status status = sound->force(self, x, f);
    f[6 + 4] += calls++ % 2 == 0 ? 1e-4 : 0.0;
    return status;
}

static void hasty(const void *self, const double *q, const double *dv, double *q1) { /* sections turn by more than they say */
    double more[200];
    int    n = sound->size(self).nv;
    for (int i = 0; i < n; i++) {
        more[i] = dv[i] * (i % 6 < 3 ? 1.0 + 1e-5 : 1.0);
    }
    sound->retract(self, q, more, q1);
}

static void must_catch(fixture *f, const zw_part_ops *ops, zw_verify_kind kind) {
    calls = 0;
    f->y->part[0].ops = ops;
    zw_verification v = verify(f, 5);
    f->y->part[0].ops = sound;
    if (v.check[kind].ok || v.ok) {
        fail_msg("not caught by '%s'", v.check[kind].name);
    }
}

static void what_is_broken_is_caught(void **state) {
    fixture     f;
    zw_part_ops ops;
    (void)state;
    fixture_system(&f, samples[2].text);
    sound = f.y->part[0].ops;
    ops = *sound;
    ops.force = pushed;
    must_catch(&f, &ops, ZW_VERIFY_INTERNAL);
    must_catch(&f, &ops, ZW_VERIFY_REST);
    ops.force = turned;
    must_catch(&f, &ops, ZW_VERIFY_INTERNAL);
    ops.force = moody;
    must_catch(&f, &ops, ZW_VERIFY_IDEAL);
    must_catch(&f, &ops, ZW_VERIFY_SPACE);
    ops = *sound;
    ops.retract = hasty;
    must_catch(&f, &ops, ZW_VERIFY_COMPATIBLE);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_held_in_every_way_agree),
        cmocka_unit_test(growing_rods_agree),
        cmocka_unit_test(models_without_rods_say_so),
        cmocka_unit_test(what_is_broken_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

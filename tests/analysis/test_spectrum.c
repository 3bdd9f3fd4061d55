/* SPDX-License-Identifier: Apache-2.0
 * test_spectrum.c: roots of small motions: ARPACK against LAPACK, shapes against the equations, damping, gyroscopic terms, free bodies, rows. */
#include "analysis/spectrum.h"

#include "steps/equilibrium.h"
#include "support/model.h"

typedef struct motions {
    fixture     f;
    zw_implicit k;
    zw_state    x;
    zw_pencil   p;
    zw_spectrum s;
} motions;

static void motions_open(motions *m, const char *text, bool equilibrium) {
    double              lambda[600] = {0};
    zw_equilibrium_info info;
    memset(m, 0, sizeof *m);
    fixture_system(&m->f, text);
    fixture_must(&m->f, zw_implicit_create(m->f.y, &m->k), "zw_implicit_create");
    zw_system_spin(m->f.y, &m->k.spin);
    assert_true(m->k.m <= 600);
    zw_size n = zw_system_size(m->f.y);
    fixture_must(&m->f, zw_state_create(m->f.c, &n, &m->x), "zw_state_create");
    fixture_must(&m->f, zw_system_start(m->f.y, &m->x), "zw_system_start");
    memset(m->x.v, 0, sizeof(double) * (size_t)n.nv);
    if (equilibrium) {
        fixture_must(&m->f, zw_equilibrium_find(&m->k, &m->x, lambda, &info), "zw_equilibrium_find");
    }
    fixture_must(&m->f, zw_pencil_create(&m->k, &m->x, equilibrium ? lambda : NULL, true, &m->p), "zw_pencil_create");
}

static void motions_find(motions *m, int count, zw_spectrum_method method) {
    zw_spectrum_destroy(&m->s);
    fixture_must(&m->f, zw_spectrum_find(&m->p, count, method, &m->s), "zw_spectrum_find");
}

static void motions_close(motions *m) {
    zw_spectrum_destroy(&m->s);
    zw_pencil_destroy(&m->p);
    zw_state_destroy(m->f.c, &m->x);
    zw_implicit_destroy(&m->k);
    fixture_close(&m->f);
}

static const zw_root *held(const motions *m, int i) {
    for (int j = 0; j < m->s.nroots; j++) {
        if (!m->s.root[j].zero && i-- == 0) {
            return &m->s.root[j];
        }
    }
    fail_msg("there are not so many roots");
    return NULL;
}

/* both solvers on one model: the largest relative difference of the first roots */
static double apart(motions *m, int count) {
    double first[40][2], most = 0.0;
    motions_find(m, count, ZW_SPECTRUM_DENSE);
    int nfree = m->s.nfree;
    for (int i = 0; i < count; i++) {
        first[i][0] = held(m, i)->growth;
        first[i][1] = held(m, i)->frequency;
    }
    motions_find(m, count, ZW_SPECTRUM_ITERATED);
    assert_true(m->s.iterated);
    assert_int_equal(m->s.nfree, nfree);
    for (int i = 0; i < count; i++) {
        const zw_root *r = held(m, i);
        most = fmax(most, hypot(r->growth - first[i][0], r->frequency - first[i][1]) / hypot(r->growth, r->frequency));
    }
    return most;
}

/* (s^2 M + s C + K) y on what the rows leave free, over the size of the terms; y moved by d y: A d = 0 is asked of the solver's own y, so y'(..)y is enough and sharp */
static double unbalanced(motions *m, const zw_root *r) {
    int           n = m->s.n;
    const double *y[2] = {m->s.shape + (ptrdiff_t)r->shape * 2 * n, m->s.shape + ((ptrdiff_t)r->shape * 2 + 1) * n};
    double        s[2] = {r->growth, r->frequency}, s2[2] = {s[0] * s[0] - s[1] * s[1], 2.0 * s[0] * s[1]}, sum[2] = {0.0, 0.0}, size = 0.0;
    static double at[4000];
    assert_true(n <= 4000);
    const double *of[3] = {m->p.K, m->p.C, m->p.M}, factor[3][2] = {{1.0, 0.0}, {s[0], s[1]}, {s2[0], s2[1]}};
    for (int k = 0; k < 3; k++) {
        double form[2] = {0.0, 0.0}; /* y^* A y */
        for (int part = 0; part < 2; part++) {
            zw_pencil_times(&m->p, of[k], y[part], at);
            for (int i = 0; i < n; i++) {
                form[0] += y[part][i] * at[i];
                form[1] += (part == 0 ? -y[1][i] : y[0][i]) * at[i];
            }
        }
        sum[0] += factor[k][0] * form[0] - factor[k][1] * form[1];
        sum[1] += factor[k][0] * form[1] + factor[k][1] * form[0];
        size = fmax(size, hypot(factor[k][0], factor[k][1]) * hypot(form[0], form[1]));
    }
    return hypot(sum[0], sum[1]) / size;
}

#define BEAM(elements, extra)                                                                        \
    "zwang: 1\nbodies: {b: {rod: {length: 1, elements: " #elements                                   \
    ", along: [1, 0, 0], section: {bending: [1, 2], torsion: 1, stretch: 1e5, shear: 1e5, mass: 1, " \
    "inertia: [1e-5, 1e-5, 2e-5]}, material: {damping: 0.002}}}}\n" extra

static void large_models_agree_with_small_ones(void **state) {
    (void)state;
    motions m;
    /* free: six motions that nothing holds; double roots of a round rod are found twice */
    motions_open(
        &m,
        "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 40, along: [1, 0, 0], section: {bending: [1, 1], torsion: 1, stretch: 1e5, shear: 1e5, mass: 1, inertia: "
        "[1e-5, 1e-5, 2e-5]}}}}\n",
        false);
    check_below(apart(&m, 10), 1e-9, 3e-12);
    assert_int_equal(m.s.kind, ZW_SPECTRUM_SYMMETRIC);
    assert_int_equal(m.s.nfree, 6);
    check_below(fabs(held(&m, 0)->frequency / held(&m, 1)->frequency - 1.0), 1e-9, 3e-12);
    motions_close(&m);
    /* a load that follows */
    motions_open(
        &m,
        "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 30, along: [1, 0, 0], section: {bending: [1, 2], torsion: 1, stretch: 1e5, shear: 1e5, mass: 1, inertia: "
        "[1e-5, 1e-5, 2e-5]}}}}\nconstraints: {root: {clamp: b, s: 0}}\nloads: {p: {force: [0, 0, -25], axes: directors, on: b, s: end}}\n",
        true);
    check_below(apart(&m, 8), 1e-9, 1e-12);
    assert_int_equal(m.s.kind, ZW_SPECTRUM_REVERSIBLE);
    motions_close(&m);
    /* damping */
    motions_open(&m, BEAM(20, "constraints: {root: {clamp: b, s: 0}}\nloads: {p: {force: [0, 3, 0], on: b, s: end}}\n"), true);
    check_below(apart(&m, 8), 1e-9, 1e-11);
    assert_int_equal(m.s.kind, ZW_SPECTRUM_GENERAL);
    assert_true(m.p.symmetric && m.p.dissipates);
    for (int i = 0; i < 8; i++) {
        check_below(unbalanced(&m, held(&m, i)), 1e-8, 3e-10);
    }
    motions_close(&m);
}

/* Kelvin-Voigt: C = eta K about a state without stress, so s^2 + eta omega^2 s + omega^2 = 0 */
static void kelvin_voigt_damping_is_proportional(void **state) {
    (void)state;
    motions m;
    double  omega[4];
    motions_open(
        &m,
        "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 20, along: [1, 0, 0], section: {bending: [1, 2], torsion: 1, stretch: 1e5, shear: 1e5, mass: 1, inertia: [1e-5, "
        "1e-5, 2e-5]}}}}\nconstraints: {root: {clamp: b, s: 0}}\n",
        false);
    motions_find(&m, 4, ZW_SPECTRUM_AUTO);
    for (int i = 0; i < 4; i++) {
        omega[i] = held(&m, i)->frequency;
    }
    motions_close(&m);
    motions_open(&m, BEAM(20, "constraints: {root: {clamp: b, s: 0}}\n"), false);
    motions_find(&m, 4, ZW_SPECTRUM_AUTO);
    for (int i = 0; i < 4; i++) {
        double w = omega[i], decay = 0.5 * 0.002 * w * w;
        check_near(held(&m, i)->growth, -decay, 1e-11 * w);
        check_near(held(&m, i)->frequency, sqrt(w * w - decay * decay), 1e-11 * w);
    }
    motions_close(&m);
}

/* T with the velocities of a frame that turns with O: w^4 - (k1 + k2 + 2 O^2) w^2 + (k1 - O^2)(k2 - O^2) = 0 */
static void particle_in_a_turning_frame(void **state) {
    (void)state;
    motions m;
    double  O = 0.5, k1 = 4.0, k2 = 9.0, b = k1 + k2 + 2.0 * O * O, c = (k1 - O * O) * (k2 - O * O), d = sqrt(b * b - 4.0 * c);
    char    text[600];
    snprintf(
        text, sizeof text,
        "zwang: 1\nparameters: {O: 0.5}\nbodies: {p: {lagrangian: {coordinates: [u, w], kinetic: ((udot - O*w)^2 + (wdot + O*u)^2)/2, potential: (4*u^2 + 9*w^2)/2}}}\n");
    motions_open(&m, text, true);
    motions_find(&m, 2, ZW_SPECTRUM_AUTO);
    assert_int_equal(m.s.kind, ZW_SPECTRUM_GENERAL);
    assert_false(m.p.dissipates);
    check_near(held(&m, 0)->frequency, sqrt(0.5 * (b - d)), 1e-11);
    check_near(held(&m, 1)->frequency, sqrt(0.5 * (b + d)), 1e-11);
    check_near(held(&m, 0)->growth, 0.0, 1e-11);
    motions_close(&m);
}

/* rows carry the prestress: a pendulum of length 2 */
static void rows_between_places_turn_with_the_body(void **state) {
    (void)state;
    motions m;
    motions_open(
        &m,
        "zwang: 1\nbodies: {p: {lagrangian: {coordinates: [x, y], kinetic: (xdot^2 + ydot^2)/2, potential: 9.81*y, constraints: {string: x^2 + y^2 = 4}, start: {x: 0, "
        "y: -2}}}}\n",
        true);
    motions_find(&m, 2, ZW_SPECTRUM_AUTO);
    assert_int_equal(m.s.nroots, 1);
    check_near(held(&m, 0)->frequency, sqrt(9.81 / 2.0), 1e-12);
    motions_close(&m);
    motions_open(
        &m, /* a rigid body on a ball joint: m g l/(J + m l^2) */
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies: {p: {rigid: {mass: 2, inertia: [0.3, 0.5, 0.4], at: [0, 0, -0.7]}}}\nconstraints: {pin: {ball: p, at: [0, 0, 0.7]}}\n",
        false);
    motions_find(&m, 2, ZW_SPECTRUM_AUTO);
    assert_int_equal(m.s.nfree, 1);
    check_near(held(&m, 0)->frequency, sqrt(2.0 * 9.81 * 0.7 / (0.5 + 2.0 * 0.49)), 1e-12);
    check_near(held(&m, 1)->frequency, sqrt(2.0 * 9.81 * 0.7 / (0.3 + 2.0 * 0.49)), 1e-12);
    motions_close(&m);
    motions_open(
        &m, /* upside down: it falls */
        "zwang: 1\ngravity: [0, 0, 9.81]\nbodies: {p: {rigid: {mass: 2, inertia: [0.3, 0.5, 0.4], at: [0, 0, -0.7]}}}\nconstraints: {pin: {ball: p, at: [0, 0, 0.7]}}\n",
        false);
    motions_find(&m, 2, ZW_SPECTRUM_AUTO);
    check_near(held(&m, 0)->growth, sqrt(2.0 * 9.81 * 0.7 / (0.5 + 2.0 * 0.49)), 1e-12);
    check_near(held(&m, 0)->frequency, 0.0, 0.0);
    motions_close(&m);
}

/* springs with dampers between rigid bodies: two masses in a row, along x */
static void springs_and_dampers(void **state) {
    (void)state;
    motions m;
    motions_open(
        &m,
        "zwang: 1\nbodies:\n  a: {rigid: {mass: 2, inertia: [1, 1, 1], at: [0, 0, 0]}}\n  b: {rigid: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}}\n"
        "constraints:\n  hold: {slider: a, axis: [1, 0, 0]}\n  guide: {slider: b, axis: [1, 0, 0]}\n"
        "  k: {spring: [a, b], stiffness: 50, damping: 0.4}\n",
        false);
    motions_find(&m, 2, ZW_SPECTRUM_AUTO);
    double w2 = 50.0 * 1.5, decay = 0.5 * 0.4 * 1.5; /* reduced mass 2/3 */
    check_near(held(&m, 0)->growth, -decay, 1e-11);
    check_near(held(&m, 0)->frequency, sqrt(w2 - decay * decay), 1e-11);
    assert_int_equal(m.s.nfree, 1);
    motions_close(&m);
}

/* a straight inextensible rod clamped at both ends has a redundant row: the compliance that keeps it solvable shows nowhere */
static void redundant_rows(void **state) {
    (void)state;
    motions m;
    double  first[2];
    for (int i = 0; i < 2; i++) {
        char text[700];
        snprintf(
            text, sizeof text,
            "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 24, along: [1, 0, 0], kinematics: inextensible, section: {bending: [1, 2], torsion: 1, mass: 1, inertia: [1e-5, "
            "1e-5, 2e-5]}}}}\nconstraints: {root: {clamp: b, s: 0}, tip: {clamp: b, s: end, fix: %s}}\n",
            i == 0 ? "[x, y, z, rx, ry, rz]" : "[y, z, rx, ry, rz]");
        motions_open(&m, text, false);
        assert_int_equal(m.p.redundant, i == 0 ? 1 : 0);
        motions_find(&m, 2, ZW_SPECTRUM_AUTO);
        first[i] = held(&m, 0)->frequency;
        motions_close(&m);
    }
    check_near(first[0], first[1], 1e-11);
    check_near(first[0], 22.3733, 0.15); /* clamped-clamped, second order of 24 elements */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_models_agree_with_small_ones),
        cmocka_unit_test(kelvin_voigt_damping_is_proportional),
        cmocka_unit_test(particle_in_a_turning_frame),
        cmocka_unit_test(rows_between_places_turn_with_the_body),
        cmocka_unit_test(springs_and_dampers),
        cmocka_unit_test(redundant_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_modes.c: frequencies, flutter and buckling against closed forms and series; the numbers are in tests/references/modes.json. */
#include "zwang/modes.h"

#include "support/model.h"

typedef struct found {
    fixture          f;
    zw_modes        *modes;
    zw_modes_summary sum;
} found;

static void find(found *r, const char *text) {
    memset(r, 0, sizeof *r);
    fixture_parse(&r->f, text);
    fixture_must(&r->f, zw_modes_find(r->f.m, NULL, NULL, &r->modes), "zw_modes_find");
    zw_modes_read(r->modes, &r->sum);
}

static void leave(found *r) {
    zw_modes_destroy(r->modes);
    fixture_close(&r->f);
}

static double frequency(const found *r, int i) {
    assert_true(i < r->sum.count);
    return zw_modes_at(r->modes, i).frequency;
}

/* the rod of the references: E = 1e7, nu = 0.35, rho = 1000, square of 0.1, L = 2 pi/3; `bending` lets the planes differ, so that every root is simple */
#define SQUARE \
    "section: {bending: [1e3/12, 1e3/12], torsion: 61.72839506172842, stretch: 1e5, shear: 37037.037037037044, mass: 10, inertia: [0.1/12, 0.1/12, 0.1/6]}"

static double near(const found *r, double wanted) {
    double best = HUGE_VAL;
    for (int i = 0; i < r->sum.count; i++) {
        best = fabs(frequency(r, i) - wanted) < fabs(best - wanted) ? frequency(r, i) : best;
    }
    return best;
}

/* R12: exact determinant of Timoshenko's beam */
static void timoshenko_frequencies(void **state) {
    (void)state;
    static const double free_free[3] = {14.609954027237785, 39.72307468760397, 76.38897938941315};
    static const double cantilever[3] = {2.3101224685458828, 14.338660396148665, 39.5493517037281};
    double              error[2][3];
    for (int mesh = 0; mesh < 2; mesh++) {
        char  text[1000];
        found r;
        snprintf(text, sizeof text,
                 "zwang: 1\nbodies: {b: {rod: {length: 2*pi/3, elements: %d, along: [1, 0, 0], " SQUARE "}}}\nmodes: {count: 12}\n",
                 mesh == 0 ? 50 : 100);
        find(&r, text);
        assert_int_equal(r.sum.free, 6);
        assert_int_equal(r.sum.verdict, ZW_STABLE);
        for (int i = 0; i < 3; i++) { /* both planes */
            check_relative(frequency(&r, 2 * i), frequency(&r, 2 * i + 1), 1e-9);
            error[mesh][i] = free_free[i] - frequency(&r, 2 * i);
        }
        if (mesh == 1) {
            for (int i = 0; i < 3; i++) {
                check_relative(frequency(&r, 2 * i), free_free[i], 1e-3); /* measured: 2.6e-4, 3.3e-4, 3.3e-4 */
            }
            check_relative(near(&r, 150.0), 150.0, 1e-4);                         /* along, measured: 4.1e-5 */
            check_relative(near(&r, 91.28709291752769), 91.28709291752769, 1e-4); /* torsion, measured: 4.1e-5 */
        }
        leave(&r);
    }
    for (int i = 0; i < 3; i++) {
        check_order(((double[]){error[0][i], error[1][i]}), 2, 2.0, 2.0, 0.05);
    }
    char  text[1000];
    found r;
    snprintf(text, sizeof text,
             "zwang: 1\nbodies: {b: {rod: {length: 2*pi/3, elements: 100, along: [1, 0, 0], " SQUARE
             "}}}\nconstraints: {root: {clamp: b, s: 0}}\nmodes: {count: 6}\n");
    find(&r, text);
    for (int i = 0; i < 3; i++) {
        check_relative(frequency(&r, 2 * i), cantilever[i], 1e-3);
    }
    leave(&r);
}

/* R07: P (1 + P (1/GA - 1/EA)) = k pi^2 EI/L^2 */
static void columns_buckle(void **state) {
    (void)state;
    static const struct {
        const char *hold;
        double      P, to, bound;
    } column[] = {
        {"root: {clamp: c, s: 0}", 46.83770589820156, 100.0, 2e-4}, /* measured: 1.29e-4 */
        {"root: {clamp: c, s: 0, fix: [x, y, z, rz]}, tip: {clamp: c, s: end, fix: [x, y]}", 186.90612371560292, 300.0, 8e-4}, /* 5.15e-4 */
        {"root: {clamp: c, s: 0}, tip: {clamp: c, s: end, fix: [x, y, rx, ry, rz]}", 740.6738385042389, 1200.0,
         3e-3}}; /* 2.07e-3: half a wave has 20 elements only */
    for (int i = 0; i < 3; i++) {
        double P[2];
        for (int mesh = 0; mesh < 2; mesh++) {
            char  text[1200];
            found r;
            snprintf(
                text, sizeof text,
                "zwang: 1\nparameters: {P: 1}\nbodies: {c: {rod: {length: 2*pi/3, elements: %d, along: [0, 0, 1], " SQUARE
                "}}}\nconstraints: {%s}\nloads: {push: {force: [0, 0, -P], on: c, s: end}}\nmodes: {count: 3, critical: P, to: %.0f}\n",
                mesh == 0 ? 20 : 40, column[i].hold, column[i].to);
            find(&r, text);
            assert_true(r.sum.critical.found);
            assert_int_equal(r.sum.critical.kind, ZW_DIVERGENCE);
            P[mesh] = r.sum.critical.value;
            leave(&r);
        }
        check_relative(P[1], column[i].P, column[i].bound);
        check_order(((double[]){P[0] - column[i].P, P[1] - column[i].P}), 2, 2.0, 2.0, 0.05);
        check_relative((4.0 * P[1] - P[0]) / 3.0, column[i].P, 2e-5); /* measured: 7.4e-6 at most */
    }
}

/* Beck's column: a load that follows; EA, GA = 1e7 EI/L^2 */
static void becks_column_flutters(void **state) {
    (void)state;
    double P[2], omega[2], growth = 0.0;
    for (int mesh = 0; mesh < 2; mesh++) {
        char  text[1000];
        found r;
        snprintf(
            text, sizeof text,
            "zwang: 1\nparameters: {P: 22}\nbodies: {c: {rod: {length: 1, elements: %d, along: [0, 0, 1], section: {bending: [1, 1], torsion: 1, stretch: 1e7, shear: 1e7, "
            "mass: 1, inertia: [1e-8, 1e-8, 2e-8]}}}}\nconstraints: {root: {clamp: c, s: 0}}\nloads: {push: {force: [0, 0, -P], axes: directors, on: c, s: end}}\n"
            "modes: {count: 4, critical: P, to: 30}\n",
            mesh == 0 ? 32 : 64);
        find(&r, text);
        assert_int_equal(r.sum.verdict, ZW_FLUTTER);
        assert_int_equal(r.sum.critical.kind, ZW_FLUTTER);
        P[mesh] = r.sum.critical.value;
        omega[mesh] = r.sum.critical.frequency;
        growth = mesh == 0 ? -r.sum.growth : growth + 4.0 * r.sum.growth;
        leave(&r);
    }
    check_relative(P[1], 20.050953618973761, 4e-4); /* measured: 2.97e-4; 1.19e-3 with 32 elements */
    check_order(((double[]){P[0] - 20.050953618973761, P[1] - 20.050953618973761}), 2, 2.0, 2.0, 0.05);
    check_relative((4.0 * P[1] - P[0]) / 3.0, 20.050953618973761, 2e-6);         /* measured: 8.2e-7 */
    check_relative((4.0 * omega[1] - omega[0]) / 3.0, 11.015557640922874, 1e-7); /* measured: 1.2e-8 */
    check_relative(growth / 3.0, 3.05491168435828, 2e-5);                        /* at P = 22, measured: 7.5e-6 */
}

/* two links, springs in the hinges, a force along the second one: (7 - 2 sqrt 2)/2, and 41/28 with damping however small */
static void zieglers_pendulum(void **state) {
    (void)state;
    static const char *const model[2] = {
        "bodies: {two: {lagrangian: {coordinates: [a, c], kinetic: (3*adot^2 + 2*adot*cdot*cos(a - c) + cdot^2)/2, potential: (a^2 + (c - a)^2)/2, "
        "dissipation: b*(adot^2 + (cdot - adot)^2)/2, forces: {a: P*sin(a - c), c: 0}}}}\n",
        "bodies:\n  post: {rigid: {mass: 1, inertia: [1, 1, 1], at: [0, -1, 0]}}\n"
        "  lower: {rigid: {mass: 2, inertia: [1e-12, 1e-12, 1e-12], at: [0, 1, 0], plane: [0, 0, 1]}}\n"
        "  upper: {rigid: {mass: 1, inertia: [1e-12, 1e-12, 1e-12], at: [0, 2, 0], plane: [0, 0, 1]}}\n"
        "constraints:\n  post: {clamp: post}\n  base: {hinge: lower, at: [0, -1, 0], axis: [0, 0, 1]}\n"
        "  knee: {hinge: [{body: upper, at: [0, -1, 0]}, {body: lower, at: [0, 0, 0]}], axis: [0, 0, 1]}\n"
        "  k1: {spring: [{body: lower, at: [1, -1, 0]}, {body: post, at: [1, 0, 0]}], stiffness: 1, length: 1, damping: b}\n"
        "  k2: {spring: [{body: upper, at: [1, -1, 0]}, {body: lower, at: [1, -1, 0]}], stiffness: 1, length: 1, damping: b}\n"
        "loads: {push: {force: [0, -P, 0], axes: directors, on: upper}}\n"};
    for (int i = 0; i < 2; i++) {
        for (int damped = 0; damped < 2; damped++) {
            char  text[1500];
            found r;
            snprintf(text, sizeof text, "zwang: 1\nparameters: {P: 1, b: %s}\n%smodes: {count: 2, critical: P, to: 4}\n",
                     damped ? "1e-4" : "0", model[i]);
            find(&r, text);
            assert_int_equal(r.sum.critical.kind, ZW_FLUTTER);
            if (damped) { /* 41/28 + b^2/2 */
                check_relative(r.sum.critical.value, 41.0 / 28.0 + 0.5e-8, 1e-11);
            } else {
                check_relative(r.sum.critical.value, 3.5 - sqrt(2.0), 1e-11);
            }
            leave(&r);
        }
    }
}

/* Frobenius series, 40 digits: flap and lag of a cantilever that turns with eta */
static void rotating_cantilever(void **state) {
    (void)state;
    static const struct {
        double eta, flap[2], lag[2];
    } row[] = {{2.0, {4.137319573025, 22.6149219565}, {3.621796964124, 22.5263111738}},
               {6.0, {7.36037301931, 26.8090816785}, {4.263225420194, 26.12904247087}},
               {12.0, {13.17015048751, 37.60311233119}, {5.42704927779, 35.6369759799}}};
    for (int i = 0; i < 3; i++) {
        char  text[1000];
        found r;
        snprintf(
            text, sizeof text,
            "zwang: 1\nframes: {hub: {spin: [0, 0, %.0f]}}\nbodies: {b: {rod: {length: 1, elements: 64, frame: hub, along: [1, 0, 0], section: {bending: [1, 1], torsion: "
            "1, stretch: 1e7, shear: 1e7, mass: 1, inertia: [1e-8, 1e-8, 2e-8]}}}}\nconstraints: {root: {clamp: b, s: 0, to: hub}}\nmodes: {count: 4, about: steady}\n",
            row[i].eta);
        find(&r, text);
        assert_true(r.sum.complex_roots);
        assert_int_equal(r.sum.verdict, ZW_STABLE);
        for (
            int n = 0; n < 2;
            n++) { /* second order of 64 elements; measured at most: 3.3e-4, of the first lag at eta = 12 (a difference of 173 and 144), 1.6e-4 of the others */
            check_relative(near(&r, row[i].flap[n]), row[i].flap[n], 2e-4);
            check_relative(near(&r, row[i].lag[n]), row[i].lag[n], 5e-4);
        }
        double flap = near(&r, row[i].flap[0]), lag = near(&r, row[i].lag[0]);
        check_relative(flap * flap - lag * lag, row[i].eta * row[i].eta,
                       1e-5); /* lag^2 = flap^2 - eta^2 but for what EA, GA and the section leave */
        leave(&r);
    }
}

/* a free beam that spins about its middle: turning the plane of its spin is a motion with the frequency of the spin, exactly and on every mesh */
static void free_beam_in_its_frame(void **state) {
    (void)state;
    static const double sym[2] = {22.441337779872, 61.7246658858};
    found               r;
    find(
        &r,
        "zwang: 1\nframes: {middle: {spin: [0, 0, 1]}}\nbodies: {b: {rod: {length: 1, elements: 48, frame: middle, at: [-0.5, 0, 0], along: [1, 0, 0], section: {bending: [1, "
        "1], torsion: 1, stretch: 1e5, shear: 1e5, mass: 1, inertia: [1e-8, 1e-8, 2e-8]}}}}\nmodes: {count: 8, about: steady}\n");
    assert_int_equal(r.sum.verdict, ZW_STABLE);
    check_near(near(&r, 1.0), 1.0, 1e-8); /* measured: 2e-10; beside it the ways in the plane, a double root */
    check_relative(near(&r, sym[0]), sym[0], 2e-3);
    check_relative(near(&r, sym[1]), sym[1], 4e-3);
    leave(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timoshenko_frequencies), cmocka_unit_test(columns_buckle),      cmocka_unit_test(becks_column_flutters),
        cmocka_unit_test(zieglers_pendulum),      cmocka_unit_test(rotating_cantilever), cmocka_unit_test(free_beam_in_its_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

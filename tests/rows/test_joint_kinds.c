/* SPDX-License-Identifier: Apache-2.0
 * test_joint_kinds.c: hinge, slider and universal joints beside clamp, ball and fixed, between rigid bodies, planar bodies and the ground: rows and rates against
 * differences at states far from the joint's own, the free directions really free, names and counts of rows. */
#include "support/model.h"

#include "math/quat.h"
#include "parts/rigid.h"
#include "rows/joint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char two[] =
    "zwang: 1\nbodies:\n"
    "  a: {rigid: {box: {size: [0.3, 0.2, 1]}, mass: 2, at: [0, 0, -0.5], points: {end: [0, 0, -0.5]}}}\n"
    "  b: {rigid: {box: {size: [0.1, 0.2, 0.6]}, mass: 1, at: [0.18, 0, -1.24], turn: [0, -0.643501108793284387, 0]}}\n"
    "constraints:\n  j: {%s}\n"
    "run: {until: 1, integrator: gauss}\n";

static const char *const joints[] = {
    "hinge: [{body: a, point: end}, {body: b, at: [0, 0, 0.3]}], axis: [1, 2, 0.5]",
    "slider: [{body: a, point: end}, {body: b, at: [0, 0, 0.3]}], axis: [0.3, 1, 0.2]",
    "universal: [{body: a, point: end}, {body: b, at: [0, 0, 0.3]}], axis: [0, 1, 0]",
    "ball: [{body: a, point: end}, {body: b, at: [0, 0, 0.3]}]",
    "fixed: [{body: a, point: end}, {body: b, at: [0, 0, 0.3]}]",
    "clamp: a, at: [0.1, 0.2, 0.3], fix: [x, z, ry]",
    "clamp: a, at: [0.1, 0.2, 0.3], fix: [y, rx, rz]",
    "hinge: a, at: [0.1, 0.2, 0.3], axis: [0, 0, 1]",
    "slider: b, axis: [1, 1, 1]",
    "universal: b, at: [0, 0, 0.3], axis: [1, 0, 0]",
};
static const int rows_of[] = {5, 5, 4, 3, 6, 3, 3, 5, 5, 4};

static double next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

/* the start, moved by `size` at random, with random velocities */
static void stir(const fixture *f, uint64_t *seed, double size, zw_state *x) {
    double  dv[24], q[28];
    zw_size n = zw_system_size(f->y);
    for (int i = 0; i < n.nv; i++) {
        dv[i] = size * next(seed);
        x->v[i] = 4.0 * next(seed);
    }
    zw_system_retract(f->y, x->q, dv, q);
    memcpy(x->q, q, sizeof(double) * (size_t)n.nq);
}

static double row_times(const zw_rows *A, int row, const double *v) {
    double sum = 0.0;
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int j = tile->block0; row >= tile->row && row < tile->row + tile->m && j < tile->block0 + tile->nblocks; j++) {
            const zw_block *b = &A->block[j];
            for (int l = 0; l < b->ncol; l++) {
                sum += A->a[b->a + (ptrdiff_t)(row - tile->row) * b->ncol + l] * v[b->col0 + l];
            }
        }
    }
    return sum;
}

/* d/dt of a level of the rows along q moving with v, by the sixth-order difference */
static void differences(const fixture *f, const zw_state *x, int level, double *out) {
    static const double weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    double              eps = 1e-3, dv[24], q[28], c[6];
    zw_state            moved = *x;
    moved.q = q;
    memset(out, 0, 6 * sizeof *out);
    for (int n = -3; n <= 3; n++) {
        for (int i = 0; n != 0 && i < zw_system_size(f->y).nv; i++) {
            dv[i] = n * eps * x->v[i];
        }
        if (n != 0) {
            zw_system_retract(f->y, x->q, dv, q);
            fixture_must(f, zw_system_values(f->y, &moved, level, c), "zw_system_values");
            for (int i = 0; i < zw_system_rows_count(f->y); i++) {
                out[i] += (n < 0 ? -1.0 : 1.0) * weight[abs(n) - 1] * c[i] / eps;
            }
        }
    }
}

static void rows_and_rates_are_derivatives_of_the_values(void **unused) {
    (void)unused;
    double worst_row = 0.0, worst_level = 0.0, worst_rate = 0.0;
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
        char     text[1000];
        fixture  f;
        uint64_t seed = 77 + k;
        snprintf(text, sizeof text, two, joints[k]);
        fixture_system(&f, text);
        assert_int_equal(zw_system_rows_count(f.y), rows_of[k]);
        for (int n = 0; n < 20; n++) {
            zw_state       x;
            const zw_rows *A;
            double         moved[6], level1[6], rate[6], D[6];
            fixture_state(&f, &x);
            stir(&f, &seed, 1.0, &x);
            differences(&f, &x, 0, moved);
            differences(&f, &x, 1, D);
            fixture_must(&f, zw_system_values(f.y, &x, 1, level1), "zw_system_values");
            fixture_must(&f, zw_system_row_rates(f.y, &x, rate), "zw_system_row_rates");
            fixture_must(&f, zw_system_rows(f.y, &x, &A), "zw_system_rows");
            for (int i = 0; i < rows_of[k]; i++) {
                worst_row = fmax(worst_row, fabs(row_times(A, i, x.v) - level1[i]));
                worst_level = fmax(worst_level, fabs(moved[i] - level1[i]));
                worst_rate = fmax(worst_rate, fabs(D[i] - rate[i]));
            }
            zw_state_destroy(f.c, &x);
        }
        fixture_close(&f);
    }
    print_message("rows %.2g, level 1 %.2g, rates %.2g\n", worst_row, worst_level, worst_rate);
    check_below(worst_row, 1e-13, 8.9e-16);
    check_below(worst_level, 1e-11, 5.8e-13);
    check_below(worst_rate, 1e-11, 1.5e-12);
}

static void spin_to_end(fixture *f) {
    zw_summary sum;
    do {
        fixture_advance(f, 1);
        zw_run_summary(f->r, &sum);
    } while (sum.outcome == ZW_RUNNING);
    assert_int_equal(sum.outcome, ZW_REACHED);
}

/* a wheel on a hinge turns evenly through many turns; its angle is known within one */
static void hinge_turns_any_number_of_times(void **unused) {
    (void)unused;
    fixture f;
    double  angle, row[2][6];
    fixture_run(
        &f,
        "zwang: 1\nbodies:\n  wheel: {rigid: {cylinder: {length: 0.1, radius: 0.3}, mass: 2, turn: [0.4, 0.2, 0], spin: [0, 0, 0], at: [1, 2, 3]}}\n"
        "constraints:\n  axle: {hinge: wheel, axis: [0, 1, 1]}\n"
        "loads:\n  drive: {moment: [0, 2, 2], on: wheel}\n"
        "run: {until: 2, integrator: gauss, stages: 3, step: 0.005}\nprobes: {m: {multiplier: axle}, r: {reaction: axle}}\n");
    spin_to_end(&f);
    const zw_constraint *c;
    zw_system_constraints(fixture_y(&f), &c);
    assert_int_equal(zw_joint_leaves_free(c->self), 'a');
    assert_string_equal(c->ops->row_name(c->self, 3), "turn across");
    fixture_must(&f, zw_joint_free_value(c->self, fixture_y(&f), zw_run_state(f.r), &angle, row), "zw_joint_free_value");
    const zw_part *part;
    zw_system_parts(fixture_y(&f), &part);
    const zw_rigid *b = &((const zw_rigids *)part->self)->body[0];
    /* the axis in the body: J about it is constant; moment 2 sqrt 2 along the axis */
    double axis[3] = {0.0, sqrt(0.5), sqrt(0.5)}, turn[3] = {0.4, 0.2, 0.0}, q[4], n[3], J = 0.0;
    zw_q_exp(turn, q);
    zw_q_rotate_back(q, axis, n);
    for (int k = 0; k < 3; k++) {
        J += b->inertia[4 * k] * n[k] * n[k];
    }
    double expected = 0.5 * 2.0 * sqrt(2.0) / J * 4.0, rate = 0.0;
    assert_true(expected > 20.0);                                                /* several turns */
    check_near(angle, remainder(expected, 2.0 * 3.14159265358979323846), 1e-10); /* measured 7.7e-13 */
    zw_frame F;
    zw_place place = {.body = 0};
    zw_system_frame(fixture_y(&f), zw_run_state(f.r), &place, &F, NULL);
    rate = zw_v3_dot(row[0], F.w);
    check_near(rate, expected, 1e-8); /* the angle is a parabola of t: rate at 2 s is 2 angle/2 s */
    fixture_close(&f);
}

/* a slider goes along its axis like a point on an inclined plane, whatever its axes are */
static void slider_slides_along_its_axis(void **unused) {
    (void)unused;
    fixture f;
    double  way, row[2][6];
    fixture_run(&f,
                "zwang: 1\ngravity: [0, 0, -10]\nbodies:\n  b: {rigid: {box: {size: [0.1, 0.2, 0.3]}, mass: 3, turn: [0.1, 0.2, 0.3]}}\n"
                "constraints:\n  rail: {slider: b, at: [0.05, 0, 0], axis: [3, 0, -4]}\n"
                "run: {until: 1, integrator: verlet, step: 0.01}\n");
    spin_to_end(&f);
    const zw_constraint *c;
    zw_system_constraints(fixture_y(&f), &c);
    assert_int_equal(zw_joint_leaves_free(c->self), 'w');
    fixture_must(&f, zw_joint_free_value(c->self, fixture_y(&f), zw_run_state(f.r), &way, row), "zw_joint_free_value");
    double r[3] = {0.6 * 4.0, 0.0, -0.8 * 4.0};
    check_near(way, 4.0, 1e-12);                         /* g cos/2 = 10 * 0.8/2 */
    check_array_near(zw_run_state(f.r)->q, r, 3, 1e-12); /* measured 1.8e-15 */
    fixture_close(&f);
}

/* A bent shaft: a is driven evenly about its own axis, which leans by `bend`; b can only turn about z and shift, and follows by the cross. The axis in a is
 * across the plane of the bend at the start, so that tan(angle of b) = tan(angle of a) cos(bend): -cos(bend) sin(a) cos(b) + cos(a) sin(b) = 0. 12 rows for 12 velocities: nothing is left free */
static void universal_joint_transmits_unevenly(void **unused) {
    (void)unused;
    fixture  f;
    zw_frame F;
    double   bend = 0.5;
    char     text[1200];
    snprintf(text, sizeof text,
             "zwang: 1\nparameters: {sb: sin(%.17g), cb: cos(%.17g)}\nbodies:\n"
             "  a: {rigid: {cylinder: {length: 1, radius: 0.1}, mass: 1, at: [-sb/2, 0, -cb/2], turn: [0, %.17g, 0]}}\n"
             "  b: {rigid: {cylinder: {length: 1, radius: 0.1}, mass: 1, at: [0, 0, 0.5]}}\n"
             "constraints:\n"
             "  in: {clamp: a, at: [0, 0, -0.5], motion: {turn: [sb*t, 0, cb*t]}}\n"
             "  out: {clamp: b, at: [0, 0, 0.5], fix: [rx, ry]}\n"
             "  cross: {universal: [{body: a, at: [0, 0, 0.5]}, {body: b, at: [0, 0, -0.5]}], axis: [0, 1, 0]}\n"
             "run: {until: 0.9, integrator: gauss, stages: 3, step: 0.01}\n",
             bend, bend, bend);
    fixture_run(&f, text);
    spin_to_end(&f);
    zw_place place = {.body = 1};
    zw_system_frame(fixture_y(&f), zw_run_state(f.r), &place, &F, NULL);
    double angle = atan2(F.R[3], F.R[0]);
    print_message("angle %.12f, formula %.12f\n", angle, atan(tan(0.9) * cos(bend)));
    check_near(angle, atan(tan(0.9) * cos(bend)), 1e-12); /* measured 5.6e-16 */
    fixture_close(&f);
}

/* rows that hold nothing between planar bodies are left away, also where the plane lies askew; multipliers keep their places */
static void planar_joints_hold_two_positions(void **unused) {
    (void)unused;
    static const char *const joint[] = {"ball: [{body: a, point: end}, {body: b, at: [0, 0, 0.3]}]",
                                        "hinge: [{body: a, point: end}, {body: b, at: [0, 0, 0.3]}], axis: [1, 2, -1]",
                                        "fixed: [{body: a, point: end}, {body: b, at: [0, 0, 0.3]}]", "slider: a, axis: [1, 0, 1]",
                                        "ball: a, at: [0, 0, 0.5]"};
    static const int         rows[] = {2, 2, 3, 2, 2};
    for (size_t k = 0; k < sizeof joint / sizeof *joint; k++) {
        char           text[1000];
        fixture        f;
        zw_state       x;
        const zw_rows *A;
        double         v[6], moved[6];
        uint64_t       seed = 5 + k;
        snprintf(text, sizeof text,
                 "zwang: 1\nbodies:\n"
                 "  a: {rigid: {box: {size: [0.3, 0.2, 1]}, mass: 2, at: [0, 0, -0.5], plane: [1, 2, -1], points: {end: [0, 0, -0.5]}}}\n"
                 "  b: {rigid: {box: {size: [0.1, 0.2, 0.6]}, mass: 1, at: [0, 0, -1.3], plane: [1, 2, -1]}}\n"
                 "constraints:\n  j: {%s}\nrun: {until: 1, integrator: gauss}\n",
                 joint[k]);
        fixture_system(&f, text);
        assert_int_equal(zw_system_rows_count(f.y), rows[k]);
        fixture_state(&f, &x);
        stir(&f, &seed, 1.0, &x);
        fixture_must(&f, zw_system_values(f.y, &x, 1, v), "zw_system_values");
        fixture_must(&f, zw_system_rows(f.y, &x, &A), "zw_system_rows");
        differences(&f, &x, 0, moved);
        for (int i = 0; i < rows[k]; i++) {
            check_near(row_times(A, i, x.v), v[i], 1e-13);
            check_near(moved[i], v[i], 1e-11); /* measured 1.3e-13 */
        }
        const zw_constraint *c;
        double               lambda[6] = {1, 2, 3, 4, 5, 6}, out[6];
        zw_system_constraints(f.y, &c);
        zw_joint_multipliers(c->self, lambda, out);
        int zeros = 0;
        for (int i = 0; i < 6; i++) {
            zeros += out[i] == 0.0;
        }
        assert_int_equal(zeros, 6 - rows[k]);
        zw_state_destroy(f.c, &x);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_rates_are_derivatives_of_the_values),
        cmocka_unit_test(hinge_turns_any_number_of_times),
        cmocka_unit_test(slider_slides_along_its_axis),
        cmocka_unit_test(universal_joint_transmits_unevenly),
        cmocka_unit_test(planar_joints_hold_two_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_rod_frame.c: the frame at any label: its motion is the Jacobian times the node velocities (differences of eighth order), it meets the nodes, and
 * what is measured there is of second order, at the ends too. */
#include "support/model.h"

#include "math/quat.h"
#include "math/so3.h"

static const char *const bent_rod =
    "zwang: 1\n"
    "bodies:\n"
    "  a:\n"
    "    rod:\n"
    "      length: 1.2\n"
    "      elements: 3\n"
    "      section: {bending: [3, 5], torsion: 2, stretch: 40, shear: 15, mass: 1, inertia: [0.1, 0.2, 0.3]}\n"
    "      shape: {curvature: [1, -2, 1.5]}\n"
    "  b:\n"
    "    rod:\n"
    "      length: 1\n"
    "      elements: 5\n"
    "      at: [1, 0, 0]\n"
    "      along: [0, 1, 0]\n"
    "      shape: {ring: [1, 0, 0]}\n"
    "      section: {bending: [3, 5], torsion: 2, stretch: 40, shear: 15, mass: 1, inertia: 0.1}\n";

static zw_place at_label(const fixture *f, int body, double s) {
    const zw_part *part;
    zw_place       p;
    double         u[3] = {s, 0, 0};
    zw_system_parts(f->y, &part);
    assert_true(part[0].ops->place(part[0].self, body, u, &p));
    p.part = 0;
    return p;
}

/* velocity of the frame along the state's velocities, by differences: angular from the turn against the frame itself */
static void frame_rate(const fixture *f, const zw_state *x, const zw_place *p, double rate[6]) {
    zw_size  n = zw_system_size(f->y);
    double   q[200], dv[200], step = 5e-3;
    zw_state moved = *x;
    zw_frame F0, F;
    moved.q = q;
    memset(rate, 0, 6 * sizeof *rate);
    zw_system_frame(f->y, x, p, &F0, NULL);
    for (int k = 1; k <= 4; k++) {
        for (int side = -1; side <= 1; side += 2) {
            double R[9], turn[4], w[3], wt = side * difference8[k - 1] / step;
            for (int i = 0; i < n.nv; i++) {
                dv[i] = side * k * step * x->v[i];
            }
            zw_system_retract(f->y, x->q, dv, q);
            zw_system_frame(f->y, &moved, p, &F, NULL);
            zw_m3_mult(R, F.R, F0.R);
            zw_q_from_matrix(R, turn);
            zw_q_log(turn, w);
            for (int i = 0; i < 3; i++) {
                rate[i] += wt * w[i];
                rate[3 + i] += wt * F.r[i];
            }
        }
    }
}

static void frames_move_by_their_jacobian(void **state) {
    fixture  f;
    zw_state x;
    uint64_t seed = 5;
    double   worst = 0.0, worst_jet = 0.0;
    (void)state;
    fixture_system(&f, bent_rod);
    fixture_state(&f, &x);
    const double labels[] = {0, 1e-3, 0.13, 0.2, 0.399, 0.4, 0.55, 0.7, 0.91, 1};
    for (int trial = 0; trial < 20; trial++) {
        fixture_must(&f, zw_system_start(f.y, &x), "start");
        shake(f.y, &x, 0.4, 0.1, 1.0, &seed);
        for (int body = 0; body < 2; body++) {
            for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
                zw_place p = at_label(&f, body, labels[i] * (body == 0 ? 1.2 : 1.0));
                zw_frame F;
                zw_jet   J;
                double   rate[6], v[6], jet[6] = {0};
                zw_system_frame(f.y, &x, &p, &F, &J);
                frame_rate(&f, &x, &p, rate);
                zw_v3_copy(v, F.w);
                zw_v3_copy(v + 3, F.v);
                for (int n = 0; n < J.nblocks; n++) {
                    for (int h = 0; h < 36; h++) {
                        jet[h / 6] += J.J[n][h] * x.v[J.col[n] + h % 6];
                    }
                }
                worst = fmax(worst, largest_difference(6, rate, v));
                worst_jet = fmax(worst_jet, largest_difference(6, jet, v));
            }
        }
    }
    check_below(worst, 1e-11, 1.4e-13); /* velocities are of size 1 */
    check_below(worst_jet, 1e-14, 2.2e-16);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* the limit of a label from inside a link is the node; a ring meets itself */
static void frames_meet_the_nodes(void **state) {
    fixture  f;
    zw_state x;
    uint64_t seed = 9;
    double   worst = 0.0;
    (void)state;
    fixture_system(&f, bent_rod);
    fixture_state(&f, &x);
    shake(f.y, &x, 0.4, 0.1, 1.0, &seed);
    for (int body = 0; body < 2; body++) {
        const zw_rod *r = &fixture_rods(&f)->rod[body];
        for (int i = 0; i < r->nlinks; i++) {
            for (int end = 0; end < 2; end++) {
                zw_place inside = {.body = body, .element = i, .u = {end == 0 ? 1e-12 : 1 - 1e-12, 0, 0}};
                zw_place node = {.body = body, .element = i, .u = {end, 0, 0}};
                zw_frame A, B;
                zw_system_frame(f.y, &x, &inside, &A, NULL);
                zw_system_frame(f.y, &x, &node, &B, NULL);
                worst = fmax(worst, largest_difference(3, A.r, B.r));
                worst = fmax(worst, largest_difference(9, A.R, B.R));
                worst = fmax(worst, largest_difference(3, A.v, B.v));
                worst = fmax(worst, largest_difference(3, A.w, B.w));
            }
        }
    }
    check_below(worst, 1e-10, 2.1e-12); /* 1e-12 of a link away, velocities change by 5 per link */
    zw_place end = at_label(&f, 1, 1.0), begin = at_label(&f, 1, 0.0);
    zw_frame A, B;
    zw_system_frame(f.y, &x, &end, &A, NULL);
    zw_system_frame(f.y, &x, &begin, &B, NULL);
    check_array_near(A.r, B.r, 3, 0.0);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void labels_outside_are_not_on_the_rod(void **state) {
    fixture        f;
    const zw_part *part;
    zw_place       p;
    (void)state;
    fixture_system(&f, bent_rod);
    zw_system_parts(f.y, &part);
    assert_false(part[0].ops->place(part[0].self, 0, (double[]){-0.01, 0, 0}, &p));
    assert_false(part[0].ops->place(part[0].self, 0, (double[]){1.21, 0, 0}, &p));
    assert_false(part[0].ops->place(part[0].self, 0, (double[]){NAN, 0, 0}, &p));
    assert_true(part[0].ops->place(part[0].self, 0, (double[]){0.8, 0, 0}, &p)); /* 2 l: a node, whatever its last bit */
    assert_true(p.u[0] == 0.0 || p.u[0] == 1.0);
    fixture_close(&f);
}

/* curvature, moment and stretch of a shape that is known, at the ends, at nodes and inside links */
static void measures_are_of_second_order(void **state) {
    enum { N = 3 };
    double       curvature[N], moment[N];
    const double labels[] = {0, 0.25, 0.31, 0.777, 1.0};
    (void)state;
    for (int i = 0; i < N; i++) {
        fixture  f;
        zw_state x;
        char     text[800];
        snprintf(
            text, sizeof text,
            "zwang: 1\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: %d\n      shape: {curvature: [sin(2*s), 1 + s^2, exp(-s)]}\n"
            "      natural: {curvature: [0, s, 0]}\n"
            "      section: {bending: [3, 5], torsion: 2, stretch: 40, shear: 15, mass: 1, inertia: 0.1}\n",
            20 << i);
        fixture_system(&f, text);
        fixture_state(&f, &x);
        curvature[i] = moment[i] = 0.0;
        for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++) {
            double s = labels[k], want[3] = {sin(2 * s), 1 + s * s, exp(-s)}, m[3] = {3 * want[0], 5 * (want[1] - s), 2 * want[2]}, got[3];
            zw_place       p = at_label(&f, 0, s);
            const zw_part *part;
            zw_system_parts(f.y, &part);
            assert_true(part[0].ops->measure(part[0].self, &x, &p, ZW_MEASURE_CURVATURE, got));
            curvature[i] = fmax(curvature[i], largest_difference(3, got, want));
            assert_true(part[0].ops->measure(part[0].self, &x, &p, ZW_MEASURE_MOMENT, got));
            moment[i] = fmax(moment[i], largest_difference(3, got, m));
        }
        zw_state_destroy(f.c, &x);
        fixture_close(&f);
    }
    check_order(curvature, N, 2.0, 2.0, 0.1);
    check_order(moment, N, 2.0, 2.0, 0.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_move_by_their_jacobian),
        cmocka_unit_test(frames_meet_the_nodes),
        cmocka_unit_test(labels_outside_are_not_on_the_rod),
        cmocka_unit_test(measures_are_of_second_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

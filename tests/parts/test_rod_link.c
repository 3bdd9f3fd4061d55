/* SPDX-License-Identifier: Apache-2.0
 * test_rod_link.c: the link formula: the wrench is minus the gradient of the energy (differences of eighth order), it is balanced, and the strain of a
 * helix is the helix. Single-link rods are turned by hand to angles from 1e-8 to 2.9 rad. */
#include "support/model.h"

#include "math/se3.h"
#include "parts/rod_link.h"

static const char *const diagonal_rod =
    "zwang: 1\n"
    "bodies:\n"
    "  a:\n"
    "    rod:\n"
    "      length: 0.7\n"
    "      elements: 1\n"
    "      section: {bending: [3, 5], torsion: 2, stretch: 40, shear: 15, mass: 1, inertia: [0.1, 0.2, 0.3]}\n"
    "      natural: {curvature: [0.3, -0.2, 0.5]}\n";

static const char *const coupled_rod = "zwang: 1\n"
                                       "bodies:\n"
                                       "  a:\n"
                                       "    rod:\n"
                                       "      length: 0.7\n"
                                       "      elements: 1\n"
                                       "      section:\n"
                                       "        stiffness:\n"
                                       "          - [9, 1, 2, 0.5, 1, 0]\n"
                                       "          - [1, 8, 1, 0, 2, 1]\n"
                                       "          - [2, 1, 7, 1, 0, 1.5]\n"
                                       "          - [0.5, 0, 1, 20, 3, 2]\n"
                                       "          - [1, 2, 0, 3, 25, 1]\n"
                                       "          - [0, 1, 1.5, 2, 1, 40]\n"
                                       "        inertia:\n"
                                       "          - [0.2, 0.03, 0, 0, 0, 0]\n"
                                       "          - [0.03, 0.3, 0.01, 0, 0, 0]\n"
                                       "          - [0, 0.01, 0.4, 0, 0, 0]\n"
                                       "          - [0, 0, 0, 1, 0, 0]\n"
                                       "          - [0, 0, 0, 0, 1, 0]\n"
                                       "          - [0, 0, 0, 0, 0, 1]\n"
                                       "      natural: {curvature: [0.3, -0.2, 0.5]}\n";

static const double angles[] = {1e-8, 1e-5, 1e-3, 0.03, 0.2, 0.45, 0.499, 0.501, 0.7, 1.2, 1.9, 2.4, 2.9};
enum { NANGLES = sizeof angles / sizeof angles[0] };

/* node b turned against node a by an angle about a random axis, both placed at random */
static void place_link(zw_state *x, double angle, uint64_t *seed) {
    double axis[3], turn[4], d[3];
    for (int node = 0; node < 2; node++) {
        double *q = x->q + 7 * node, r[3] = {4 * noise(seed), 4 * noise(seed), 4 * noise(seed)};
        for (int i = 0; i < 3; i++) {
            q[i] = 2 * noise(seed);
        }
        zw_q_exp(r, q + 3);
    }
    for (int i = 0; i < 3; i++) {
        axis[i] = noise(seed);
    }
    zw_v3_unit(axis, axis);
    zw_v3_scale(axis, angle, axis);
    zw_q_exp(axis, turn);
    zw_q_mul(x->q + 3, turn, x->q + 10);
    zw_v3_set(d, 0.2 * noise(seed), 0.2 * noise(seed), 0.7 + 0.2 * noise(seed));
    zw_q_rotate(x->q + 3, d, d);
    zw_v3_add(x->q + 7, x->q, d);
}

static double elastic(const fixture *f, const zw_state *x) {
    zw_account a;
    zw_system_account(f->y, x, &a);
    return a.elastic;
}

/* largest difference of the force and the gradient, relative to the largest force */
static double gradient_error(const fixture *f, const zw_state *x) {
    double   force[12], gradient[12], q[14], step = 0.01, norm = 1e-300;
    zw_state moved = *x;
    moved.q = q;
    fixture_must(f, zw_system_force(f->y, x, force), "force");
    for (int i = 0; i < 12; i++) {
        gradient[i] = 0.0;
        for (int k = 1; k <= 4; k++) {
            for (int side = -1; side <= 1; side += 2) {
                double dv[12] = {0};
                dv[i] = side * k * step;
                zw_system_retract(f->y, x->q, dv, q);
                gradient[i] -= side * difference8[k - 1] * elastic(f, &moved) / step;
            }
        }
        norm = fmax(norm, fabs(force[i]));
    }
    return largest_difference(12, force, gradient) / norm;
}

static void wrench_is_minus_the_gradient_of_the_energy(const char *text, double *worst) {
    fixture  f;
    zw_state x;
    uint64_t seed = 7;
    fixture_system(&f, text);
    fixture_state(&f, &x);
    *worst = 0.0;
    for (int i = 0; i < NANGLES; i++) {
        for (int trial = 0; trial < 20; trial++) {
            place_link(&x, angles[i], &seed);
            *worst = fmax(*worst, gradient_error(&f, &x));
        }
    }
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void diagonal_wrench_is_minus_the_gradient(void **state) {
    double worst;
    (void)state;
    wrench_is_minus_the_gradient_of_the_energy(diagonal_rod, &worst);
    check_below(worst, 1e-11, 1.1e-13);
}

static void coupled_wrench_is_minus_the_gradient(void **state) {
    double worst;
    (void)state;
    wrench_is_minus_the_gradient_of_the_energy(coupled_rod, &worst);
    check_below(worst, 1e-11, 1.3e-13);
}

static void forces_and_moments_of_a_link_vanish_in_sum(void **state) {
    fixture  f;
    zw_state x;
    uint64_t seed = 11;
    double   worst_force = 0.0, worst_moment = 0.0;
    (void)state;
    fixture_system(&f, coupled_rod);
    fixture_state(&f, &x);
    for (int i = 0; i < NANGLES; i++) {
        for (int trial = 0; trial < 50; trial++) {
            double force[12], sum[3] = {0}, moment[3] = {0};
            place_link(&x, angles[i], &seed);
            fixture_must(&f, zw_system_force(f.y, &x, force), "force");
            for (int node = 0; node < 2; node++) {
                double T[3], arm[3];
                zw_q_rotate(x.q + 7 * node + 3, force + 6 * node, T);
                zw_v3_cross(arm, x.q + 7 * node, force + 6 * node + 3);
                zw_v3_add(sum, sum, force + 6 * node + 3);
                zw_v3_add(moment, moment, T);
                zw_v3_add(moment, moment, arm);
            }
            worst_force = fmax(worst_force, largest(3, sum) / largest(12, force));
            worst_moment = fmax(worst_moment, largest(3, moment) / largest(12, force));
        }
    }
    assert_true(worst_force == 0.0); /* the same bits are added and subtracted */
    check_below(worst_moment, 2e-14, 1.6e-15);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void strain_of_a_helix_is_the_helix(void **state) {
    uint64_t seed = 3;
    double   worst = 0.0;
    (void)state;
    for (int i = 0; i < NANGLES; i++) {
        for (int trial = 0; trial < 50; trial++) {
            double  xi[6], qa[7], qb[7], dq[4], dx[3], axis[3], r[3];
            zw_link k;
            for (int h = 0; h < 3; h++) {
                axis[h] = noise(&seed);
                xi[3 + h] = 2 * noise(&seed);
                qa[h] = noise(&seed);
                r[h] = 5 * noise(&seed);
            }
            zw_v3_unit(axis, axis);
            zw_v3_scale(xi, angles[i], axis);
            zw_q_exp(r, qa + 3);
            zw_se3_exp_q(xi, dq, dx);
            zw_se3_mul_q(qa + 3, qa, dq, dx, qb + 3, qb);
            zw_link_strain(qa, qb, &k);
            worst = fmax(worst, fmax(largest_difference(3, k.w, xi), largest_difference(3, k.u, xi + 3)));
        }
    }
    check_below(worst, 2e-14, 1.6e-15); /* absolute; strains are of size 1 */
}

static void series_and_closed_form_meet(void **state) {
    double worst = 0.0;
    (void)state;
    for (double th = 0.1; th < 0.5; th += 1e-3) { /* both are valid here */
        double           c, c1;
        zw_so3_dlog_coef closed = zw_so3_dlog_coefficients(th * th);
        zw_so3_dlog_small(th * th, &c, &c1);
        worst = fmax(worst, fmax(fabs(c / closed.c - 1.0), fabs(c1 / closed.c1 - 1.0)));
    }
    check_below(worst, 1e-13, 0);
    /* and the wrench does not jump where the link switches */
    double below = 0.5 * (1.0 - 1e-14), above = 0.5 * (1.0 + 1e-14), T[2][3][3];
    for (int i = 0; i < 2; i++) {
        double r[3] = {0.36, 0.48, 0.8}, qa[7] = {0, 0, 0, 1, 0, 0, 0}, qb[7] = {0.1, -0.2, 0.9, 1, 0, 0, 0}, m[3] = {1, 2, 3},
               n[3] = {-2, 1, 4};
        zw_link k;
        zw_v3_scale(r, i == 0 ? below : above, r);
        zw_q_exp(r, qb + 3);
        zw_link_strain(qa, qb, &k);
        zw_link_wrench(&k, m, n, T[i][0], T[i][1], T[i][2]);
    }
    check_below(largest_difference(9, &T[0][0][0], &T[1][0][0]), 1e-13, 1.5e-14); /* the two arguments differ by 1e-14 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diagonal_wrench_is_minus_the_gradient),
        cmocka_unit_test(coupled_wrench_is_minus_the_gradient),
        cmocka_unit_test(forces_and_moments_of_a_link_vanish_in_sum),
        cmocka_unit_test(strain_of_a_helix_is_the_helix),
        cmocka_unit_test(series_and_closed_form_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

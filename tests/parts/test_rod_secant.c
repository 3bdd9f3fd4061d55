/* SPDX-License-Identifier: Apache-2.0
 * test_rod_secant.c: the stress of a link over a step: its strain is that of rod_link.h, its work is the difference of its energy, it has no net force and moment,
 * and its derivative agrees with differences. */
#include "parts/rod_secant.h"

#include "math/quat.h"
#include "math/vec3.h"
#include "parts/rod_link.h"
#include "tests/math/samples.h"
#include "tests/support/check.h"

#include <string.h>

typedef struct sample_link {
    zw_secant_link k;
    double         natural[6], stiffness[36];
    zw_secant_node a[2], b[2]; /* before, after */
} sample_link;

/* R <- exp(turn) R, turn in space */
static void node_turn(zw_secant_node *n, const double turn[3]) {
    double q[4], d[3];
    zw_q_exp(turn, q);
    for (int i = 0; i < 3; i++) {
        zw_q_rotate(q, n->d[i], d);
        memcpy(n->d[i], d, sizeof d);
    }
}

/* cay(turn) R: how a step of the scheme turns a node, so that d1 - d0 = turn x mean d */
static void node_cayley(zw_secant_node *n, const double turn[3]) {
    double q[4] = {1.0, 0.5 * turn[0], 0.5 * turn[1], 0.5 * turn[2]}, d[3];
    zw_q_normalize(q);
    for (int i = 0; i < 3; i++) {
        zw_q_rotate(q, n->d[i], d);
        memcpy(n->d[i], d, sizeof d);
    }
}

static zw_secant_node node_sample(samples *s, double size, double shift) {
    zw_secant_node n = {.d = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    double         turn[3];
    sample_array(s, size, n.x, 3);
    sample_array(s, size, turn, 3);
    n.x[2] += shift;
    node_turn(&n, turn);
    return n;
}

static void link_sample(samples *s, double size, bool full, double damp, sample_link *out) {
    double A[36];
    *out = (sample_link){.k = {.l = 0.7, .full = full, .damp = damp}};
    sample_array(s, 1.0, A, 36);
    sample_array(s, 0.3, out->natural, 6);
    for (int i = 0; i < 36; i++) {
        for (int j = 0; j < 6; j++) {
            out->stiffness[i] += A[6 * (i / 6) + j] * A[6 * (i % 6) + j];
        }
    }
    for (int i = 0; i < 6 && !full; i++) {
        out->stiffness[i] = 0.5 + fabs(A[i]);
    }
    out->a[0] = node_sample(s, size, 0.0);
    out->b[0] = node_sample(s, size, 1.0);
    out->a[1] = node_sample(s, size, 0.0);
    out->b[1] = node_sample(s, size, 1.0);
}

static void link_secant(sample_link *l, zw_secant_force *f, double *K) {
    l->k.natural = l->natural;
    l->k.stiffness = l->stiffness;
    zw_rod_secant(&l->k, &l->a[0], &l->b[0], &l->a[1], &l->b[1], f, K);
}

static void strain_is_that_of_a_link(void **state) {
    (void)state;
    samples s = {.state = 3};
    double  most = 0.0;
    for (int trial = 0; trial < 300; trial++) {
        sample_link l;
        zw_link     link;
        double      q[2][7], strain[6], R[9];
        link_sample(&s, trial % 2 == 0 ? 0.9 : 0.05, false, 0.0, &l);
        l.k.natural = l.natural;
        l.k.stiffness = l.stiffness;
        zw_rod_secant_energy(&l.k, &l.a[0], &l.b[0], strain);
        for (int n = 0; n < 2; n++) {
            const zw_secant_node *node = n == 0 ? &l.a[0] : &l.b[0];
            for (int i = 0; i < 9; i++) {
                R[i] = node->d[i % 3][i / 3];
            }
            zw_v3_copy(q[n], node->x);
            zw_q_from_matrix(R, q[n] + 3);
        }
        zw_link_strain(q[0], q[1], &link);
        for (int i = 0; i < 3; i++) {
            most = fmax(most, fabs(strain[i] * l.k.l - link.w[i]));
            most = fmax(most, fabs(strain[3 + i] * l.k.l - link.u[i]));
        }
    }
    check_below(most, 1e-13, 2.1e-15);
}

/* nodes move as in the scheme: by their mean velocities and Cayley turns; wrench . (turn, way) is the change of the energy, plus what is dissipated */
static void work_is_the_difference_of_the_energy(void **state) {
    (void)state;
    samples s = {.state = 4};
    double  most = 0.0;
    for (int trial = 0; trial < 400; trial++) {
        static const double size[4] = {1.0, 1e-2, 1e-5, 1e-9};
        sample_link         l;
        zw_secant_force     f;
        double              turn[2][3], work = 0.0, strain[6];
        link_sample(&s, 0.8, trial % 3 == 0, trial % 5 == 0 ? 0.4 : 0.0, &l);
        l.a[1] = l.a[0];
        l.b[1] = l.b[0];
        zw_secant_node       *to[2] = {&l.a[1], &l.b[1]};
        const zw_secant_node *from[2] = {&l.a[0], &l.b[0]};
        for (int n = 0; n < 2; n++) {
            double way[3];
            sample_array(&s, size[trial % 4], turn[n], 3);
            sample_array(&s, size[trial % 4], way, 3);
            node_cayley(to[n], turn[n]);
            zw_v3_add(to[n]->x, to[n]->x, way);
        }
        link_secant(&l, &f, NULL);
        for (int n = 0; n < 2; n++) {
            for (int i = 0; i < 3; i++) {
                work += f.wrench[n][i] * turn[n][i] + f.wrench[n][3 + i] * (to[n]->x[i] - from[n]->x[i]);
            }
        }
        double before = zw_rod_secant_energy(&l.k, &l.a[0], &l.b[0], strain), after = zw_rod_secant_energy(&l.k, &l.a[1], &l.b[1], strain);
        most = fmax(most, fabs(work - (after - before) - f.dissipated) / fmax(before, after));
        most = fmax(most, fabs(f.stored - (after - before)) / fmax(before, after));
        assert_true(f.dissipated >= 0.0);
    }
    check_below(most, 1e-13, 3.7e-15);
}

static void no_net_force_and_moment(void **state) {
    (void)state;
    samples s = {.state = 5};
    double  most = 0.0;
    for (int trial = 0; trial < 200; trial++) {
        sample_link     l;
        zw_secant_force f;
        double          x[2][3], arm[2][3], size = 0.0;
        link_sample(&s, 1.0, trial % 2 == 0, 0.2, &l);
        link_secant(&l, &f, NULL);
        for (int i = 0; i < 3; i++) {
            x[0][i] = 0.5 * (l.a[0].x[i] + l.a[1].x[i]);
            x[1][i] = 0.5 * (l.b[0].x[i] + l.b[1].x[i]);
        }
        zw_v3_cross(arm[0], x[0], f.wrench[0] + 3);
        zw_v3_cross(arm[1], x[1], f.wrench[1] + 3);
        for (int i = 0; i < 6; i++) {
            size = fmax(size, fabs(f.wrench[0][i]));
        }
        for (int i = 0; i < 3; i++) {
            most = fmax(most, fabs(f.wrench[0][3 + i] + f.wrench[1][3 + i]) / size);
            most = fmax(most, fabs(f.wrench[0][i] + f.wrench[1][i] + arm[0][i] + arm[1][i]) / size);
        }
    }
    check_below(most, 1e-14, 8.8e-16);
}

static void derivative_agrees_with_differences(void **state) {
    (void)state;
    static const double weight[4] = {672.0 / 840.0, -168.0 / 840.0, 32.0 / 840.0, -3.0 / 840.0};
    samples             s = {.state = 6};
    double              most = 0.0, h = 1e-3;
    for (int trial = 0; trial < 60; trial++) {
        sample_link     l, moved;
        zw_secant_force f;
        double          K[144], size = 0.0;
        link_sample(&s, trial % 2 == 0 ? 0.6 : 0.1, trial % 3 == 0, trial % 4 == 0 ? 0.3 : 0.0, &l);
        if (trial % 5 == 0) { /* both states the same: secants of no length */
            l.a[1] = l.a[0];
            l.b[1] = l.b[0];
        }
        link_secant(&l, &f, K);
        for (int i = 0; i < 144; i++) {
            size = fmax(size, fabs(K[i]));
        }
        for (int c = 0; c < 12; c++) {
            double D[12] = {0};
            for (int j = 0; j < 8; j++) {
                double          step = (j % 2 == 0 ? 1.0 : -1.0) * (j / 2 + 1) * h, turn[3] = {0};
                zw_secant_node *n;
                moved = l;
                n = c < 6 ? &moved.a[1] : &moved.b[1];
                if (c % 6 < 3) {
                    turn[c % 3] = step;
                    node_turn(n, turn);
                } else {
                    n->x[c % 3] += step;
                }
                link_secant(&moved, &f, NULL);
                for (int i = 0; i < 12; i++) {
                    D[i] += (j % 2 == 0 ? 1.0 : -1.0) * weight[j / 2] * f.wrench[i / 6][i % 6] / h;
                }
            }
            for (int i = 0; i < 12; i++) {
                most = fmax(most, fabs(D[i] - K[12 * i + c]) / size);
            }
        }
    }
    check_below(most, 1e-11, 2.6e-12);
}

/* of equal states the forces are the gradient of the energy: the Hessian, twice the derivative, is symmetric but for the moments that turn with a node */
static void equal_states_give_the_gradient_of_the_energy(void **state) {
    (void)state;
    static const double weight[4] = {672.0 / 840.0, -168.0 / 840.0, 32.0 / 840.0, -3.0 / 840.0};
    samples             s = {.state = 7};
    double              most = 0.0, skew = 0.0, h = 1e-3, strain[6];
    for (int trial = 0; trial < 50; trial++) {
        sample_link     l;
        zw_secant_force f;
        double          K[144], size = 0.0;
        link_sample(&s, 0.5, trial % 2 == 0, 0.0, &l);
        l.a[1] = l.a[0];
        l.b[1] = l.b[0];
        link_secant(&l, &f, K);
        for (int c = 0; c < 12; c++) {
            double slope = 0.0;
            for (int j = 0; j < 8; j++) {
                double         step = (j % 2 == 0 ? 1.0 : -1.0) * (j / 2 + 1) * h, turn[3] = {0};
                zw_secant_node a = l.a[0], b = l.b[0], *n = c < 6 ? &a : &b;
                if (c % 6 < 3) {
                    turn[c % 3] = step;
                    node_turn(n, turn);
                } else {
                    n->x[c % 3] += step;
                }
                slope += (j % 2 == 0 ? 1.0 : -1.0) * weight[j / 2] * zw_rod_secant_energy(&l.k, &a, &b, strain) / h;
            }
            most = fmax(most, fabs(slope - f.wrench[c / 6][c % 6]));
        }
        for (int i = 0; i < 144; i++) {
            size = fmax(size, fabs(K[i]));
        }
        for (int i = 0; i < 12; i++) {
            for (int j = 0; j < i; j++) {
                bool turns = i / 3 == j / 3 && i % 6 < 3;
                skew = fmax(skew, turns ? 0.0 : fabs(K[12 * i + j] - K[12 * j + i]) / size);
            }
        }
    }
    check_below(most, 1e-11, 3.1e-12);
    check_below(skew, 1e-14, 4.7e-16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strain_is_that_of_a_link),
        cmocka_unit_test(work_is_the_difference_of_the_energy),
        cmocka_unit_test(no_net_force_and_moment),
        cmocka_unit_test(derivative_agrees_with_differences),
        cmocka_unit_test(equal_states_give_the_gradient_of_the_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

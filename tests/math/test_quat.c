/* SPDX-License-Identifier: Apache-2.0
 * test_quat.c: unit quaternions against matrices and libm; both branches of exp and log; the branch at pi. */
#include "support/check.h"

#include "math/quat.h"
#include "samples.h"

static const double pi = 3.14159265358979323846;

static void rotation_matches_matrix_and_composition(void **state) {
    (void)state;
    samples s = {11};
    double  rotate = 0.0, back = 0.0, compose = 0.0, relative = 0.0;
    for (int n = 0; n < 500; n++) {
        double r[3], p[4], q[4], pq[4], v[3], a[3], b[3], P[9], Q[9], PQ[9], X[9];
        sample_array(&s, 2.0, r, 3);
        zw_q_exp(r, p);
        sample_array(&s, 2.0, r, 3);
        zw_q_exp(r, q);
        sample_array(&s, 1.0, v, 3);
        zw_q_to_matrix(p, P);
        zw_q_to_matrix(q, Q);
        zw_q_rotate(p, v, a);
        zw_m3_mulv(b, P, v);
        rotate = larger(rotate, most_apart(a, b, 3));
        zw_q_rotate_back(p, a, a);
        back = larger(back, most_apart(a, v, 3));
        zw_q_mul(p, q, pq);
        zw_q_to_matrix(pq, PQ);
        zw_m3_mul(X, P, Q);
        compose = larger(compose, most_apart(PQ, X, 9));
        zw_q_conj_mul(p, pq, pq);
        relative = larger(relative, most_apart(pq, q, 4));
    }
    check_below(rotate, 2e-15, 5.6e-16);
    check_below(back, 2e-15, 1.3e-15);
    check_below(compose, 2e-15, 1.0e-15);
    check_below(relative, 1e-15, 4.4e-16);
}

static void matrix_round_trip_holds_for_every_largest_component(void **state) {
    (void)state;
    samples s = {12};
    double  worst = 0.0;
    for (int n = 0; n < 4000; n++) {
        double q[4], b[4], m[9];
        sample_array(&s, 1.0, q, 4);
        q[n % 4] += n % 8 < 4 ? 3.0 : -3.0; /* each component is the largest in turn */
        assert_true(zw_q_normalize(q));
        zw_q_to_matrix(q, m);
        zw_q_from_matrix(m, b);
        assert_true(b[0] >= 0.0);
        if (q[0] < 0.0) {
            for (int i = 0; i < 4; i++) {
                q[i] = -q[i];
            }
        }
        worst = larger(worst, most_apart(q, b, 4));
    }
    check_below(worst, 2e-15, 2.2e-16);
    double half_turn[9] = {-1, 0, 0, 0, 1, 0, 0, 0, -1}, q[4], want[4] = {0, 0, 1, 0};
    zw_q_from_matrix(half_turn, q);
    check_array_near(q, want, 4, 0.0);
    double zero[4] = {0, 0, 0, 0};
    assert_false(zw_q_normalize(zero));
}

/* exp against long double libm through both branches, in units of the last place of 1 */
static void exp_is_accurate_in_both_branches(void **state) {
    (void)state;
    double worst_c = 0.0, worst_s = 0.0, norm = 0.0;
    for (int n = 1; n <= 3000; n++) {
        double th = pi * n / 3000.0, r[3] = {0.0, th, 0.0}, q[4];
        zw_q_exp(r, q);
        worst_c = larger(worst_c, (double)fabsl(q[0] - cosl(0.5L * th)));
        worst_s = larger(worst_s, (double)fabsl(q[2] / sinl(0.5L * th) - 1.0L));
        norm = larger(norm, fabs(zw_q_dot(q, q) - 1.0));
    }
    check_below(worst_c, 4e-16, 7.0e-17);
    check_below(worst_s, 6e-16, 1.8e-16);
    check_below(norm, 1e-15, 4.4e-16);
    double tiny[3] = {1e-200, 0.0, 0.0}, q[4];
    zw_q_exp(tiny, q);
    check_near(q[0], 1.0, 0.0);
    check_relative(q[1], 0.5e-200, 1e-16); /* measured 0 */
}

static void log_inverts_exp_up_to_pi(void **state) {
    (void)state;
    samples s = {13};
    double  relative = 0.0, minus = 0.0;
    for (int n = 0; n <= 3000; n++) {
        double th = n < 300 ? pow(10.0, -300.0 + n) : (pi - 1e-9) * (n - 299) / 2701.0;
        double r[3], q[4], b[3], d[3];
        if (th < 1e-150) { /* squares underflow below: the direction along one axis still works */
            zw_v3_set(r, 0.0, 0.0, th);
        } else {
            sample_length(&s, th, r);
        }
        zw_q_exp(r, q);
        zw_q_log(q, b);
        zw_v3_sub(d, b, r);
        relative = larger(relative, zw_v3_norm(d) / th);
        for (int i = 0; i < 4; i++) {
            q[i] = -q[i];
        }
        zw_q_log(q, d);
        minus = larger(minus, most_apart(d, b, 3));
    }
    check_below(relative, 2e-15, 4.2e-16);
    check_near(minus, 0.0, 0.0);
    double one[4] = {1, 0, 0, 0}, none[3] = {0, 0, 0}, r[3];
    zw_q_log(one, r);
    check_array_near(r, none, 3, 0.0);
}

/* no step where the polynomial hands over to libm: exp at 1 rad, log at tan(h/2) = 1/8 */
static void branches_meet_without_a_step(void **state) {
    (void)state;
    double q0[4], q1[4], r0[3], r1[3], r[3] = {0.0, 0.0, nextafter(1.0, 0.0)};
    zw_q_exp(r, q0);
    r[2] = 1.0;
    zw_q_exp(r, q1);
    check_array_near(q0, q1, 4, 3e-16); /* measured 5.6e-17 */
    double h = 2.0 * atan(0.125), lo = h * (1.0 - 1e-15), hi = h * (1.0 + 1e-15);
    double a[4] = {cos(lo), sin(lo), 0.0, 0.0}, b[4] = {cos(hi), sin(hi), 0.0, 0.0};
    zw_q_log(a, r0);
    zw_q_log(b, r1);
    check_near(r0[0], 2.0 * lo, 4e-16); /* measured 5.6e-17 */
    check_near(r1[0], 2.0 * hi, 4e-16); /* measured 0 */
}

/* a product of 1e5 factors drifts by round-off only, and log does not mind */
static void log_tolerates_drift_of_the_length(void **state) {
    (void)state;
    double r[3] = {0.1, -0.2, 0.15}, q[4], b[3];
    zw_q_exp(r, q);
    for (int i = 0; i < 4; i++) {
        q[i] *= 1.0 + 1e-9;
    }
    zw_q_log(q, b);
    check_array_near(b, r, 3, 3e-16); /* measured 2.8e-17 */
    double step[3] = {1e-3, 2e-3, -1e-3}, f[4];
    zw_q_identity(q);
    zw_q_exp(step, f);
    for (int n = 0; n < 100000; n++) {
        zw_q_mul(q, f, q);
    }
    check_below(fabs(sqrt(zw_q_dot(q, q)) - 1.0), 2e-11, 4.1e-12);
}

static void axes_give_directors_or_refuse(void **state) {
    (void)state;
    double along[3] = {0.0, 3.0, 0.0}, up[3] = {0.5, 1.0, 0.0}, q[4], m[9], d[3];
    assert_true(zw_q_from_axes(along, up, q));
    zw_q_to_matrix(q, m);
    double d1[3] = {1, 0, 0}, d2[3] = {0, 0, -1}, d3[3] = {0, 1, 0}; /* d2 = d3 x d1 */
    zw_m3_column(d, m, 0);
    check_array_near(d, d1, 3, 4e-16); /* measured 0 */
    zw_m3_column(d, m, 1);
    check_array_near(d, d2, 3, 4e-16); /* measured 2.2e-16 */
    zw_m3_column(d, m, 2);
    check_array_near(d, d3, 3, 4e-16); /* measured 2.2e-16 */
    double parallel[3] = {0.0, -2.0, 0.0}, zero[3] = {0, 0, 0}, bad[3] = {NAN, 0, 0};
    assert_false(zw_q_from_axes(along, parallel, q));
    assert_false(zw_q_from_axes(along, zero, q));
    assert_false(zw_q_from_axes(zero, up, q));
    assert_false(zw_q_from_axes(bad, up, q));
    /* nearly parallel: still orthogonal to round-off */
    double near[3] = {1e-8, 2.0, 1e-9};
    assert_true(zw_q_from_axes(along, near, q));
    zw_q_to_matrix(q, m);
    double x[9], one[9];
    zw_m3_tmul(x, m, m);
    zw_m3_identity(one);
    check_array_near(x, one, 9, 1e-15); /* measured 2.2e-16 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation_matches_matrix_and_composition),
        cmocka_unit_test(matrix_round_trip_holds_for_every_largest_component),
        cmocka_unit_test(exp_is_accurate_in_both_branches),
        cmocka_unit_test(log_inverts_exp_up_to_pi),
        cmocka_unit_test(branches_meet_without_a_step),
        cmocka_unit_test(log_tolerates_drift_of_the_length),
        cmocka_unit_test(axes_give_directors_or_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

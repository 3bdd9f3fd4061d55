/* SPDX-License-Identifier: Apache-2.0
 * test_vec3.c: identities of 3-vectors and 3x3 matrices, with results that overlap their arguments. */
#include "support/check.h"

#include "math/vec3.h"
#include "samples.h"

static void cross_is_orthogonal_and_matches_hat(void **state) {
    (void)state;
    samples s = {1};
    double  orthogonal = 0.0, lagrange = 0.0;
    for (int i = 0; i < 200; i++) {
        double a[3], b[3], c[3], h[9], d[3];
        sample_array(&s, 1.0, a, 3);
        sample_array(&s, 1.0, b, 3);
        zw_v3_cross(c, a, b);
        zw_m3_hat(h, a);
        zw_m3_mulv(d, h, b);
        check_array_near(d, c, 3, 0.0); /* measured 0 */
        orthogonal = larger(orthogonal, fabs(zw_v3_dot(c, a)) + fabs(zw_v3_dot(c, b)));
        double left = zw_v3_norm2(c), right = zw_v3_norm2(a) * zw_v3_norm2(b) - zw_v3_dot(a, b) * zw_v3_dot(a, b);
        lagrange = larger(lagrange, fabs(left - right));
    }
    check_below(orthogonal, 2e-15, 3.3e-16);
    check_below(lagrange, 4e-15, 7.1e-16);
}

static void products_agree_with_their_definition(void **state) {
    (void)state;
    samples s = {2};
    double  worst = 0.0;
    for (int n = 0; n < 50; n++) {
        double a[9], b[9], at[9], bt[9], ab[9], x[9], v[3], u[3], w[3];
        sample_array(&s, 1.0, a, 9);
        sample_array(&s, 1.0, b, 9);
        sample_array(&s, 1.0, v, 3);
        zw_m3_transpose(at, a);
        zw_m3_transpose(bt, b);
        zw_m3_mul(ab, a, b);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                double sum = 0.0;
                for (int j = 0; j < 3; j++) {
                    sum += a[3 * i + j] * b[3 * j + k];
                }
                worst = larger(worst, fabs(sum - ab[3 * i + k]));
            }
        }
        zw_m3_tmul(x, at, b);
        check_array_near(x, ab, 9, 0.0);
        zw_m3_mult(x, a, bt);
        check_array_near(x, ab, 9, 0.0);
        zw_m3_mulv(u, a, v);
        zw_m3_tmulv(w, at, v);
        check_array_near(u, w, 3, 0.0);
    }
    check_below(worst, 5e-16, 0.0);
}

static void results_may_overlap_arguments(void **state) {
    (void)state;
    samples s = {3};
    double  a[9], b[9], want[9], x[9], u[3], v[3], w[3];
    sample_array(&s, 1.0, a, 9);
    sample_array(&s, 1.0, b, 9);
    sample_array(&s, 1.0, u, 3);
    void (*const product[])(double *, const double *, const double *) = {zw_m3_mul, zw_m3_tmul, zw_m3_mult};
    for (int i = 0; i < 3; i++) {
        product[i](want, a, b);
        zw_m3_copy(x, a);
        product[i](x, x, b);
        check_array_near(x, want, 9, 0.0);
        zw_m3_copy(x, b);
        product[i](x, a, x);
        check_array_near(x, want, 9, 0.0);
    }
    zw_m3_transpose(want, a);
    zw_m3_copy(x, a);
    zw_m3_transpose(x, x);
    check_array_near(x, want, 9, 0.0);
    zw_m3_mulv(v, a, u);
    zw_v3_copy(w, u);
    zw_m3_mulv(w, a, w);
    check_array_near(w, v, 3, 0.0);
    zw_v3_cross(v, u, a);
    zw_v3_copy(w, u);
    zw_v3_cross(w, w, a);
    check_array_near(w, v, 3, 0.0);
}

static void unit_of_zero_is_zero(void **state) {
    (void)state;
    double v[3] = {0.0, 0.0, 0.0}, u[3] = {1.0, 2.0, 3.0}, a[3] = {3.0, 0.0, -4.0};
    check_near(zw_v3_unit(u, v), 0.0, 0.0);
    check_array_near(u, v, 3, 0.0);
    check_near(zw_v3_unit(u, a), 5.0, 0.0);
    check_near(zw_v3_norm(u), 1.0, 1e-16); /* measured 0 */
}

static void inverse_inverts_and_refuses_singular(void **state) {
    (void)state;
    samples s = {4};
    double  one[9], worst = 0.0;
    zw_m3_identity(one);
    for (int n = 0; n < 50; n++) {
        double a[9], b[9] = {0}, x[9];
        sample_array(&s, 1.0, a, 9);
        for (int i = 0; i < 3; i++) {
            a[4 * i] += 3.0; /* diagonally dominant: condition below 10 */
        }
        assert_true(zw_m3_inverse(b, a));
        zw_m3_mul(x, a, b);
        worst = larger(worst, most_apart(x, one, 9));
    }
    check_below(worst, 2e-15, 4.4e-16);
    double flat[9] = {1, 2, 3, 2, 4, 6, 1, 0, 1}, kept[9] = {7, 7, 7, 7, 7, 7, 7, 7, 7};
    assert_false(zw_m3_inverse(kept, flat));
    check_near(kept[4], 7.0, 0.0);
    check_near(zw_m3_det(one), 1.0, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cross_is_orthogonal_and_matches_hat),  cmocka_unit_test(products_agree_with_their_definition),
        cmocka_unit_test(results_may_overlap_arguments),        cmocka_unit_test(unit_of_zero_is_zero),
        cmocka_unit_test(inverse_inverts_and_refuses_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_so3.c: coefficients against 60-digit values, exp/log/Cayley against each other, every derivative against differences. */
#include "support/check.h"

#include "math/so3.h"
#include "samples.h"

static const double pi = 3.14159265358979323846;

/* th^2 and s, a, a', b, b', c, c', c'' computed with mpmath at 120 digits */
static const struct {
    double th2, f[8];
} table[] = {
    {1.0000000000000001e-16,
     {0.99999999999999998, 0.5, -0.083333333333333333, 0.16666666666666667, -0.016666666666666667, 0.083333333333333333,
      0.0027777777777777778, 0.00026455026455026455}},
    {1e-06,
     {0.99999983333334167, 0.49999995833333472, -0.083333327777777927, 0.16666665833333353, -0.01666666587301589, 0.083333334722222255,
      0.002777777910052915, 0.00026455028439153539}},
    {0.010000000000000002,
     {0.99833416646828152, 0.49958347219742339, -0.083277792656525782, 0.16658335317184769, -0.016658731811968911, 0.083347225529927458,
      0.002779101025299342, 0.00026474877749940038}},
    {0.24009999999999998,
     {0.96046099626766946, 0.49007555764214288, -0.082007992572329398, 0.16467723337080607, -0.016477061517181789, 0.083668723417759487,
      0.0028098253188470736, 0.00026937251210959038}},
    {0.25,
     {0.958851077208406, 0.48966975243850914, -0.081953710674449082, 0.164595691166376, -0.016469284242475432, 0.083682635354059895,
      0.0028111592110818155, 0.0002695738791344623}},
    {0.2601,
     {0.95721028800570097, 0.48925602596789211, -0.081898361899589555, 0.16451254130833922, -0.016461353160805633, 0.083696835146353633,
      0.0028125210783336661, 0.00026977952313078868}},
    {0.81,
     {0.87036323291942598, 0.46714818732016734, -0.07892980459371443, 0.16004539145749878, -0.016034551916455563, 0.084480478289449778,
      0.0028882661893606959, 0.00028130233823963053}},
    {0.998001,
     {0.84177203389051191, 0.45977558483250815, -0.077934927694966619, 0.15854489735930934, -0.015890873100748277, 0.08475322555824443,
      0.002914900418353846, 0.00028539362565878378}},
    {1.0,
     {0.84147098480789651, 0.45969769413186028, -0.077924403455824059, 0.15852901519210349, -0.015889351444450197, 0.08475613914377404,
      0.002915185691236665, 0.0002854375570870349}},
    {1.0020009999999997,
     {0.8411696965916653, 0.45961973603574593, -0.07791386982630414, 0.15851311865790029, -0.01588782839333986, 0.084759055929926993,
      0.0029154712935150157, 0.0002854815415863685}},
    {4.0,
     {0.45464871341284085, 0.3540367091367856, -0.063356176215182586, 0.13633782164678979, -0.013744188950895942, 0.089476846016417324,
      0.0033984714607326636, 0.00036313267577332968}},
    {9.0,
     {0.047040002686622407, 0.2211102774000495, -0.043908950234830731, 0.10588444414593084, -0.010727006115304782, 0.09929197039400237,
      0.0045393496978337643, 0.0005704466494193413}},
    {9.86902225,
     {2.9493423415757242e-5, 0.20265432026031313, -0.041065785123466561, 0.10132417186277842, -0.010266285024134193, 0.10131978699175231,
      0.0047981504142589811, 0.0006217686790102932}},
    {10.240000000000002,
     {-0.018241919821118817, 0.19514597419870632, -0.039895885568215954, 0.099437687482531115, -0.010074910961805372, 0.10222062159374138,
      0.0049156702464694477, 0.0006455672719983336}},
    {25.0,
     {-0.19178485493262769, 0.028653512581470949, -0.0099636752038227837, 0.047671394197305108, -0.004574426800417775, 0.17386481283041514,
      0.019365195600905471, 0.0052791309482149454}},
};

static void coefficients_match_high_precision(void **state) {
    (void)state;
    double worst[8] = {0}, small_c = 0.0, small_c1 = 0.0;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const double    *want = table[i].f;
        zw_so3_dexp_coef e = zw_so3_dexp_coefficients(table[i].th2);
        zw_so3_dlog_coef l = zw_so3_dlog_coefficients(table[i].th2);
        double           got[8] = {e.s, e.a, e.a1, e.b, e.b1, l.c, l.c1, l.c2};
        for (int k = 0; k < 8; k++) {
            if (k > 0 || fabs(want[0]) > 1e-3) { /* sin th/th near its zero: only its argument's rounding */
                worst[k] = larger(worst[k], fabs(got[k] / want[k] - 1.0));
            }
        }
        if (table[i].th2 <= 0.25) {
            double c, c1;
            zw_so3_dlog_small(table[i].th2, &c, &c1);
            small_c = larger(small_c, fabs(c / want[5] - 1.0));
            small_c1 = larger(small_c1, fabs(c1 / want[6] - 1.0));
        }
    }
    check_below(worst[0], 6e-15, 2.3e-15); /* at 3.2 rad, next to the zero of sin */
    check_below(worst[1], 1e-15, 2.2e-16);
    check_below(worst[2], 5e-15, 8.9e-16); /* closed form just above 1 rad */
    check_below(worst[3], 2e-15, 2.2e-16);
    check_below(worst[4], 5e-15, 4.4e-16); /* closed form just above 1 rad */
    check_below(worst[5], 1e-15, 2.2e-16);
    check_below(worst[6], 3e-15, 4.4e-16);
    check_below(worst[7], 6e-15, 1.3e-15); /* closed form just above pi */
    check_below(small_c, 4e-16, 1.1e-16);
    check_below(small_c1, 4e-16, 2.2e-16);
}

static void log_inverts_exp_and_says_near_pi(void **state) {
    (void)state;
    samples s = {21};
    double  worst = 0.0, orthogonal = 0.0, one[9], x[9];
    zw_m3_identity(one);
    for (int n = 0; n < 2000; n++) {
        double th = n < 10 ? pow(10.0, -10.0 + n) : (pi - 2e-6) * n / 2000.0, w[3], b[3], r[9];
        sample_length(&s, th, w);
        zw_so3_exp(w, r);
        assert_false(zw_so3_log(r, b));
        worst = larger(worst, most_apart(w, b, 3));
        zw_m3_mult(x, r, r);
        orthogonal = larger(orthogonal, most_apart(x, one, 9));
    }
    check_below(worst, 3e-15, 6.7e-16);
    check_below(orthogonal, 6e-15, 2.2e-15);
    double at_pi = 0.0;
    for (int n = 0; n < 50; n++) { /* at pi: right up to the sign */
        double w[3], b[3], r[9], minus[3];
        sample_length(&s, pi - 1e-9 * n, w);
        zw_so3_exp(w, r);
        assert_true(zw_so3_log(r, b));
        zw_v3_negate(minus, b);
        at_pi = larger(at_pi, fmin(most_apart(w, b, 3), most_apart(w, minus, 3)));
        assert_true(zw_so3_cay_inv(r, b));
    }
    check_below(at_pi, 3e-15, 4.4e-16);
}

static void log_of_a_small_rotation_keeps_relative_digits(void **state) {
    (void)state;
    samples s = {22};
    double  worst = 0.0;
    for (int n = 0; n < 100; n++) {
        double w[3], q[4], b[3];
        sample_length(&s, 1e-7, w);
        zw_q_exp(w, q);
        assert_false(zw_so3_log_q(q, b));
        worst = larger(worst, most_apart(w, b, 3) / 1e-7);
    }
    check_below(worst, 4e-16, 0.0);
}

static void exp_values(const double *w, const void *data, double *out) {
    (void)data;
    zw_so3_exp(w, out);
}

static void cay_values(const double *w, const void *data, double *out) {
    (void)data;
    zw_so3_cay(w, out);
}

static void dexp_values(const double *w, const void *data, double *out) {
    (void)data;
    zw_so3_dexp(w, out);
}

static void dexp_inv_values(const double *w, const void *data, double *out) {
    (void)data;
    zw_so3_dexp_inv(w, out);
}

static void dcay_values(const double *w, const void *data, double *out) {
    (void)data;
    zw_so3_dcay(w, out);
}

static void dcay_inv_values(const double *w, const void *data, double *out) {
    (void)data;
    zw_so3_dcay_inv(w, out);
}

/* vee(dR R^T) for the derivative dR of a rotation along d */
static void spatial_rate(void (*f)(const double *, const void *, double *), const double w[3], const double d[3], double out[3]) {
    double r[9], dr[9], x[9];
    f(w, NULL, r);
    difference(f, NULL, 3, w, d, 9, dr);
    zw_m3_mult(x, dr, r);
    zw_v3_set(out, 0.5 * (x[7] - x[5]), 0.5 * (x[2] - x[6]), 0.5 * (x[3] - x[1]));
}

static const double angles[] = {0.0, 1e-6, 1e-3, 0.1, 0.5, 0.97, 1.03, 1.6, 2.5, 3.0};
enum { ANGLES = sizeof angles / sizeof angles[0] };

static void dexp_and_dcay_are_spatial_rates(void **state) {
    (void)state;
    samples s = {23};
    double  e_dexp = 0.0, e_dcay = 0.0, e_apply = 0.0;
    for (int n = 0; n < 10 * ANGLES; n++) {
        double w[3], d[3], rate[3], m[9], u[3];
        sample_length(&s, angles[n % ANGLES], w);
        sample_array(&s, 1.0, d, 3);
        spatial_rate(exp_values, w, d, rate);
        zw_so3_dexp(w, m);
        zw_m3_mulv(u, m, d);
        e_dexp = larger(e_dexp, most_apart(u, rate, 3));
        zw_so3_dexp_apply(w, d, rate);
        e_apply = larger(e_apply, most_apart(u, rate, 3));
        spatial_rate(cay_values, w, d, rate);
        zw_so3_dcay(w, m);
        zw_m3_mulv(u, m, d);
        e_dcay = larger(e_dcay, most_apart(u, rate, 3));
        zw_so3_dexp_inv(w, m);
        zw_m3_mulv(u, m, d);
        zw_so3_dexp_inv_apply(w, d, rate);
        e_apply = larger(e_apply, most_apart(u, rate, 3));
    }
    check_below(e_dexp, 2e-13, 4.3e-14);
    check_below(e_dcay, 1e-13, 2.5e-14);
    check_below(e_apply, 3e-15, 4.4e-16);
}

static void inverses_are_inverses(void **state) {
    (void)state;
    samples s = {24};
    double  e_exp = 0.0, e_cay = 0.0, one[9];
    zw_m3_identity(one);
    for (int n = 0; n < 20 * ANGLES; n++) {
        double w[3], a[9], b[9], x[9];
        sample_length(&s, angles[n % ANGLES], w);
        zw_so3_dexp(w, a);
        zw_so3_dexp_inv(w, b);
        zw_m3_mul(x, a, b);
        e_exp = larger(e_exp, most_apart(x, one, 9));
        zw_so3_dcay(w, a);
        zw_so3_dcay_inv(w, b);
        zw_m3_mul(x, a, b);
        e_cay = larger(e_cay, most_apart(x, one, 9));
    }
    check_below(e_exp, 2e-15, 2.8e-16);
    check_below(e_cay, 2e-15, 2.2e-16);
}

static void directional_derivatives_match_differences(void **state) {
    (void)state;
    samples s = {25};
    void (*const values[4])(const double *, const void *, double *) = {dexp_values, dexp_inv_values, dcay_values, dcay_inv_values};
    void (*const slope[4])(const double *, const double *, double *) = {zw_so3_dexp_d, zw_so3_dexp_inv_d, zw_so3_dcay_d, zw_so3_dcay_inv_d};
    double worst[4] = {0};
    for (int n = 0; n < 5 * ANGLES; n++) {
        double w[3], d[3], a[9], b[9];
        sample_length(&s, angles[n % ANGLES], w);
        sample_array(&s, 1.0, d, 3);
        for (int k = 0; k < 4; k++) {
            slope[k](w, d, a);
            difference(values[k], NULL, 3, w, d, 9, b);
            worst[k] = larger(worst[k], most_apart(a, b, 9));
        }
    }
    check_below(worst[0], 3e-13, 2.9e-14);
    check_below(worst[1], 3e-13, 3.9e-14);
    check_below(worst[2], 3e-13, 1.6e-14);
    check_below(worst[3], 3e-13, 8.8e-14);
}

static void cayley_is_a_rotation_with_its_inverse(void **state) {
    (void)state;
    samples s = {26};
    double  e_q = 0.0, e_inv = 0.0;
    for (int n = 0; n < 300; n++) {
        double w[3], r[9], q[4], m[9], b[3];
        sample_length(&s, 0.01 * n, w); /* up to 2 atan(1.5) = 1.97 rad */
        zw_so3_cay(w, r);
        zw_so3_cay_q(w, q);
        zw_q_to_matrix(q, m);
        e_q = larger(e_q, most_apart(r, m, 9));
        assert_false(zw_so3_cay_inv(r, b));
        e_inv = larger(e_inv, most_apart(w, b, 3));
    }
    check_below(e_q, 1e-15, 5.6e-16);
    check_below(e_inv, 4e-15, 1.1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_match_high_precision),
        cmocka_unit_test(log_inverts_exp_and_says_near_pi),
        cmocka_unit_test(log_of_a_small_rotation_keeps_relative_digits),
        cmocka_unit_test(dexp_and_dcay_are_spatial_rates),
        cmocka_unit_test(inverses_are_inverses),
        cmocka_unit_test(directional_derivatives_match_differences),
        cmocka_unit_test(cayley_is_a_rotation_with_its_inverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

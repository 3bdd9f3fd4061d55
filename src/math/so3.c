/* SPDX-License-Identifier: Apache-2.0
 * so3.c: exp, log, Cayley on SO(3) and their derivatives (formulas in so3.h).
 *
 * Coefficients near 0 are power series in z = th^2. For c above 0.5 rad the nearest pole z = 4 pi^2 is split off,
 *     c(z) = sum_{k>=1} 2/((2 pi k)^2 - z) = 2/(4 pi^2 - z) + sum_n p_n z^n,   p_n = 2 (zeta(2n+2) - 1)/(2 pi)^(2n+2):
 * all terms are positive, so c, c', c'' lose no digits anywhere in 0 <= th <= pi and need no trigonometry. */
#include "math/so3.h"

#define FOUR_PI2 39.478417604357434475

/* coefficients p_n of c without its first pole; 16 of them reach 1e-17 at th = pi also for c'' */
static const double pole_free[16] = {
    0.032672741512164447611,   0.00010564110705334699024, 5.6373702828768453026e-7,  3.3571419266574513601e-9,
    2.0742872904166045537e-11, 1.3000482138698973965e-13, 8.1960520556910085984e-16, 5.1801181961697243152e-18,
    3.2775391747017918398e-20, 2.0747401878593604517e-22, 1.3136241807166533778e-24, 8.3180031951892640914e-27,
    5.2672629968342308728e-29, 3.3354842988221443313e-31, 2.1122063323183885457e-33, 1.3375664093215244457e-35,
};

/* sum_n (-z)^n/(2n+k)! with first = 1/k!; z <= 1 needs 9 terms */
static double alternating(double z, double first, int k) {
    double term = first, sum = 0.0, terms[9];
    for (int n = 0; n < 9; n++) {
        terms[n] = term;
        term *= -z / ((double)(k + 2 * n + 1) * (double)(k + 2 * n + 2));
    }
    for (int n = 8; n >= 0; n--) { /* smallest first */
        sum += terms[n];
    }
    return sum;
}

/* -2 sum_n (n+1) (-z)^n/(2n+k+2)!, the f' of alternating(z, 1/k!, k) */
static double alternating_slope(double z, double first, int k) {
    double term = -2.0 * first / ((double)(k + 1) * (double)(k + 2)), sum = 0.0, terms[9];
    for (int n = 0; n < 9; n++) {
        terms[n] = (double)(n + 1) * term;
        term *= -z / ((double)(k + 2 * n + 3) * (double)(k + 2 * n + 4));
    }
    for (int n = 8; n >= 0; n--) {
        sum += terms[n];
    }
    return sum;
}

zw_so3_dexp_coef zw_so3_dexp_coefficients(double th2) {
    zw_so3_dexp_coef f;
    if (th2 < 1.0) {
        f.s = alternating(th2, 1.0, 1);
        f.a = alternating(th2, 0.5, 2);
        f.b = alternating(th2, 1.0 / 6.0, 3);
        f.a1 = alternating_slope(th2, 0.5, 2);
        f.b1 = alternating_slope(th2, 1.0 / 6.0, 3);
    } else {
        double th = sqrt(th2), half = sin(0.5 * th);
        f.s = sin(th) / th;
        f.a = 2.0 * half * half / th2;
        f.b = (1.0 - f.s) / th2;
        f.a1 = (f.s - 2.0 * f.a) / th2;
        f.b1 = (f.a - 3.0 * f.b) / th2;
    }
    return f;
}

zw_so3_dlog_coef zw_so3_dlog_coefficients(double th2) {
    zw_so3_dlog_coef f;
    if (th2 < 0.25) { /* the links of a rod, as a rule */
        zw_so3_dlog_small(th2, &f.c, &f.c1);
        f.c2 = 1.0 / 3780.0 +
               th2 * (1.0 / 50400.0 + th2 * (1.0 / 997920.0 +
                                             th2 * (691.0 / 16345929600.0 +
                                                    th2 * (1.0 / 622702080.0 + th2 * (3617.0 / 63515612160000.0 +
                                                                                      th2 * (43867.0 / 22808456326656000.0 +
                                                                                             th2 * (174611.0 / 2787700217702400000.0)))))));
    } else if (th2 <= 9.8696044010893586) {
        double c = 0.0, d1 = 0.0, d2 = 0.0; /* series and its first and half second z-derivative, by nested Horner */
        for (int n = 15; n >= 0; n--) {
            d2 = d2 * th2 + d1;
            d1 = d1 * th2 + c;
            c = c * th2 + pole_free[n];
        }
        double g = 1.0 / (FOUR_PI2 - th2);
        f.c = 2.0 * g + c;
        f.c1 = 2.0 * (2.0 * g * g + d1);
        f.c2 = 4.0 * (4.0 * g * g * g + 2.0 * d2);
    } else {
        double h = 0.5 * sqrt(th2), s = sin(h), cot = cos(h) / s;
        f.c = (1.0 - h * cot) / th2;
        f.c1 = ((0.25 / (s * s) - 0.25 * cot / h) - 2.0 * f.c) / th2;
        /* (d/dth) of th2 c1 = 1/(4 s^2) - cot/(2 th) - 2c, divided by th */
        f.c2 = ((((-0.125 * cot / (s * s * h)) + 0.125 / (s * s * h * h * 2.0)) + 0.0625 * cot / (h * h * h)) - 4.0 * f.c1) / th2;
    }
    return f;
}

void zw_so3_exp(const double w[3], double r[9]) {
    double q[4];
    zw_q_exp(w, q);
    zw_q_to_matrix(q, r);
}

bool zw_so3_log_q(const double q[4], double w[3]) {
    bool near_pi = fabs(q[0]) < 0.5 * ZW_SO3_NEAR_PI; /* cos of half the angle */
    zw_q_log(q, w);
    return near_pi;
}

bool zw_so3_log(const double r[9], double w[3]) {
    double q[4];
    zw_q_from_matrix(r, q);
    return zw_so3_log_q(q, w);
}

/* out = 1 + p w^ + s w^2 */
static void polynomial(const double w[3], double p, double s, double out[9]) {
    double x = w[0], y = w[1], z = w[2];
    double t[9] = {1.0 - s * (y * y + z * z), s * (x * y) - p * z, s * (x * z) + p * y, s * (x * y) + p * z,      1.0 - s * (x * x + z * z),
                   s * (y * z) - p * x,       s * (x * z) - p * y, s * (y * z) + p * x, 1.0 - s * (x * x + y * y)};
    zw_m3_copy(out, t);
}

/* out = derivative of 1 + p w^ + s w^2 in the direction d, with the slopes p' and s' */
static void polynomial_d(const double w[3], const double d[3], double p, double p1, double s, double s1, double out[9]) {
    double hw[9], hd[9], ww[9], wd[9], dw[9];
    double rate = zw_v3_dot(w, d);
    zw_m3_hat(hw, w);
    zw_m3_hat(hd, d);
    zw_m3_mul(ww, hw, hw);
    zw_m3_mul(wd, hw, hd);
    zw_m3_transpose(dw, wd); /* d^ w^ = (w^ d^)^T */
    for (int i = 0; i < 9; i++) {
        out[i] = (p * hd[i] + s * (wd[i] + dw[i])) + rate * (p1 * hw[i] + s1 * ww[i]);
    }
}

void zw_so3_dexp(const double w[3], double out[9]) {
    zw_so3_dexp_coef f = zw_so3_dexp_coefficients(zw_v3_norm2(w));
    polynomial(w, f.a, f.b, out);
}

void zw_so3_dexp_inv(const double w[3], double out[9]) {
    zw_so3_dlog_coef f = zw_so3_dlog_coefficients(zw_v3_norm2(w));
    polynomial(w, -0.5, f.c, out);
}

void zw_so3_dexp_d(const double w[3], const double d[3], double out[9]) {
    zw_so3_dexp_coef f = zw_so3_dexp_coefficients(zw_v3_norm2(w));
    polynomial_d(w, d, f.a, f.a1, f.b, f.b1, out);
}

void zw_so3_dexp_inv_d(const double w[3], const double d[3], double out[9]) {
    zw_so3_dlog_coef f = zw_so3_dlog_coefficients(zw_v3_norm2(w));
    polynomial_d(w, d, -0.5, 0.0, f.c, f.c1, out);
}

/* out = u + p w x u + s w x (w x u) */
static void polynomial_apply(const double w[3], double p, double s, const double u[3], double out[3]) {
    double wu[3], wwu[3];
    zw_v3_cross(wu, w, u);
    zw_v3_cross(wwu, w, wu);
    zw_v3_set(out, u[0] + (p * wu[0] + s * wwu[0]), u[1] + (p * wu[1] + s * wwu[1]), u[2] + (p * wu[2] + s * wwu[2]));
}

void zw_so3_dexp_apply(const double w[3], const double u[3], double out[3]) {
    zw_so3_dexp_coef f = zw_so3_dexp_coefficients(zw_v3_norm2(w));
    polynomial_apply(w, f.a, f.b, u, out);
}

void zw_so3_dexp_inv_apply(const double w[3], const double u[3], double out[3]) {
    zw_so3_dlog_coef f = zw_so3_dlog_coefficients(zw_v3_norm2(w));
    polynomial_apply(w, -0.5, f.c, u, out);
}

void zw_so3_cay_q(const double w[3], double q[4]) {
    double f = 1.0 / sqrt(1.0 + 0.25 * zw_v3_norm2(w));
    zw_q_set(f, 0.5 * f * w[0], 0.5 * f * w[1], 0.5 * f * w[2], q);
}

/* cay w = 1 + (w^ + w^2/2)/(1 + |w|^2/4) */
void zw_so3_cay(const double w[3], double r[9]) {
    double f = 1.0 / (1.0 + 0.25 * zw_v3_norm2(w));
    polynomial(w, f, 0.5 * f, r);
}

bool zw_so3_cay_inv_q(const double q[4], double w[3]) {
    if (!(fabs(q[0]) >= 0.5 * ZW_SO3_NEAR_PI)) {
        zw_v3_zero(w);
        return true;
    }
    zw_v3_set(w, 2.0 * q[1] / q[0], 2.0 * q[2] / q[0], 2.0 * q[3] / q[0]);
    return false;
}

bool zw_so3_cay_inv(const double r[9], double w[3]) {
    double q[4];
    zw_q_from_matrix(r, q);
    return zw_so3_cay_inv_q(q, w);
}

void zw_so3_dcay(const double w[3], double out[9]) {
    double f = 1.0 / (1.0 + 0.25 * zw_v3_norm2(w));
    double t[9];
    zw_m3_hat(t, w);
    for (int i = 0; i < 9; i++) {
        out[i] = f * ((i % 4 == 0 ? 1.0 : 0.0) + 0.5 * t[i]);
    }
}

void zw_so3_dcay_inv(const double w[3], double out[9]) {
    double h[9], o[9];
    zw_m3_hat(h, w);
    zw_m3_outer(o, w, w);
    for (int i = 0; i < 9; i++) {
        out[i] = (i % 4 == 0 ? 1.0 : 0.0) + (0.25 * o[i] - 0.5 * h[i]);
    }
}

void zw_so3_dcay_d(const double w[3], const double d[3], double out[9]) {
    double f = 1.0 / (1.0 + 0.25 * zw_v3_norm2(w));
    double slope = -0.5 * f * f * zw_v3_dot(w, d); /* df */
    double hw[9], hd[9];
    zw_m3_hat(hw, w);
    zw_m3_hat(hd, d);
    for (int i = 0; i < 9; i++) {
        out[i] = slope * ((i % 4 == 0 ? 1.0 : 0.0) + 0.5 * hw[i]) + 0.5 * f * hd[i];
    }
}

void zw_so3_dcay_inv_d(const double w[3], const double d[3], double out[9]) {
    double hd[9], wd[9], dw[9];
    zw_m3_hat(hd, d);
    zw_m3_outer(wd, w, d);
    zw_m3_outer(dw, d, w);
    for (int i = 0; i < 9; i++) {
        out[i] = 0.25 * (wd[i] + dw[i]) - 0.5 * hd[i];
    }
}

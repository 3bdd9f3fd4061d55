/* SPDX-License-Identifier: Apache-2.0
 * se3.c: placements, twists, exp, log, cay6 and their derivatives (formulas in se3.h). */
#include "math/se3.h"

/* out = [d 0; e d] */
static void dual(const double d[9], const double e[9], double out[36]) {
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            out[6 * i + k] = d[3 * i + k];
            out[6 * i + 3 + k] = 0.0;
            out[6 * (i + 3) + k] = e[3 * i + k];
            out[6 * (i + 3) + 3 + k] = d[3 * i + k];
        }
    }
}

static void set6(double out[6], const double w[3], const double v[3]) {
    double t[6] = {w[0], w[1], w[2], v[0], v[1], v[2]};
    for (int i = 0; i < 6; i++) {
        out[i] = t[i];
    }
}

/* ---- placements ---- */

void zw_se3_mul(const double ra[9], const double xa[3], const double rb[9], const double xb[3], double r[9], double x[3]) {
    double t[3];
    zw_m3_mulv(t, ra, xb);
    zw_v3_add(x, xa, t);
    zw_m3_mul(r, ra, rb);
}

void zw_se3_inverse(const double r[9], const double x[3], double ri[9], double xi[3]) {
    double t[3];
    zw_m3_tmulv(t, r, x);
    zw_v3_negate(xi, t);
    zw_m3_transpose(ri, r);
}

void zw_se3_relative(const double ra[9], const double xa[3], const double rb[9], const double xb[3], double r[9], double x[3]) {
    double t[3];
    zw_v3_sub(t, xb, xa);
    zw_m3_tmulv(x, ra, t);
    zw_m3_tmul(r, ra, rb);
}

void zw_se3_mul_q(const double qa[4], const double xa[3], const double qb[4], const double xb[3], double q[4], double x[3]) {
    double t[3];
    zw_q_rotate(qa, xb, t);
    zw_v3_add(x, xa, t);
    zw_q_mul(qa, qb, q);
}

void zw_se3_inverse_q(const double q[4], const double x[3], double qi[4], double xi[3]) {
    double t[3];
    zw_q_rotate_back(q, x, t);
    zw_v3_negate(xi, t);
    zw_q_conj(q, qi);
}

void zw_se3_relative_q(const double qa[4], const double xa[3], const double qb[4], const double xb[3], double q[4], double x[3]) {
    double t[3];
    zw_v3_sub(t, xb, xa);
    zw_q_rotate_back(qa, t, x);
    zw_q_conj_mul(qa, qb, q);
}

/* ---- exp and log ---- */

void zw_se3_exp(const double xi[6], double r[9], double x[3]) {
    zw_so3_dexp_apply(xi, xi + 3, x);
    zw_so3_exp(xi, r);
}

void zw_se3_exp_q(const double xi[6], double q[4], double x[3]) {
    zw_so3_dexp_apply(xi, xi + 3, x);
    zw_q_exp(xi, q);
}

bool zw_se3_log(const double r[9], const double x[3], double xi[6]) {
    double q[4];
    zw_q_from_matrix(r, q);
    return zw_se3_log_q(q, x, xi);
}

bool zw_se3_log_q(const double q[4], const double x[3], double xi[6]) {
    double w[3], v[3];
    bool   near_pi = zw_so3_log_q(q, w);
    zw_so3_dexp_inv_apply(w, x, v);
    set6(xi, w, v);
    return near_pi;
}

/* ---- adjoints ---- */

void zw_se3_adjoint(const double r[9], const double x[3], double out[36]) {
    double e[9];
    zw_m3_hat(e, x);
    zw_m3_mul(e, e, r);
    dual(r, e, out);
}

void zw_se3_adjoint_apply(const double r[9], const double x[3], const double xi[6], double out[6]) {
    double w[3], v[3], t[3];
    zw_m3_mulv(w, r, xi);
    zw_m3_mulv(v, r, xi + 3);
    zw_v3_cross(t, x, w);
    zw_v3_add(v, v, t);
    set6(out, w, v);
}

void zw_se3_adjoint_back(const double r[9], const double x[3], const double xi[6], double out[6]) {
    double w[3], v[3], t[3];
    zw_v3_cross(t, x, xi);
    zw_v3_sub(t, xi + 3, t);
    zw_m3_tmulv(w, r, xi);
    zw_m3_tmulv(v, r, t);
    set6(out, w, v);
}

void zw_se3_coadjoint_apply(const double r[9], const double x[3], const double mu[6], double out[6]) {
    double m[3], n[3], t[3];
    zw_v3_cross(t, x, mu + 3); /* moment about the body's origin: m - x x n */
    zw_v3_sub(t, mu, t);
    zw_m3_tmulv(m, r, t);
    zw_m3_tmulv(n, r, mu + 3);
    set6(out, m, n);
}

void zw_se3_coadjoint_back(const double r[9], const double x[3], const double mu[6], double out[6]) {
    double m[3], n[3], t[3];
    zw_m3_mulv(m, r, mu);
    zw_m3_mulv(n, r, mu + 3);
    zw_v3_cross(t, x, n);
    zw_v3_add(m, m, t);
    set6(out, m, n);
}

void zw_se3_ad(const double xi[6], double out[36]) {
    double d[9], e[9];
    zw_m3_hat(d, xi);
    zw_m3_hat(e, xi + 3);
    dual(d, e, out);
}

void zw_se3_ad_apply(const double xi[6], const double eta[6], double out[6]) {
    double w[3], a[3], b[3];
    zw_v3_cross(w, xi, eta);
    zw_v3_cross(a, xi, eta + 3);
    zw_v3_cross(b, xi + 3, eta);
    zw_v3_add(a, a, b);
    set6(out, w, a);
}

void zw_se3_coad(const double xi[6], double out[36]) {
    double t[36];
    zw_se3_ad(xi, t);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++) {
            out[6 * i + k] = t[6 * k + i];
        }
    }
}

void zw_se3_coad_apply(const double xi[6], const double mu[6], double out[6]) {
    double m[3], n[3], t[3];
    zw_v3_cross(m, mu, xi);
    zw_v3_cross(t, mu + 3, xi + 3);
    zw_v3_add(m, m, t);
    zw_v3_cross(n, mu + 3, xi);
    set6(out, m, n);
}

/* ---- derivatives of exp ---- */

void zw_se3_dexp(const double xi[6], double out[36]) {
    double d[9], e[9];
    zw_so3_dexp(xi, d);
    zw_so3_dexp_d(xi, xi + 3, e);
    dual(d, e, out);
}

void zw_se3_dexp_inv(const double xi[6], double out[36]) {
    double d[9], e[9];
    zw_so3_dexp_inv(xi, d);
    zw_so3_dexp_inv_d(xi, xi + 3, e);
    dual(d, e, out);
}

/* D = 1 - w^/2 + c w^2 and E = its derivative along v; the derivatives of both along (dw, dv) = d */
void zw_se3_dexp_inv_d(const double xi[6], const double d[6], double out[36]) {
    const double    *w = xi, *v = xi + 3, *dw = d, *dv = d + 3;
    zw_so3_dlog_coef f = zw_so3_dlog_coefficients(zw_v3_norm2(w));
    double           w_v = zw_v3_dot(w, v), w_dw = zw_v3_dot(w, dw), rate = zw_v3_dot(dw, v) + zw_v3_dot(w, dv);
    double           hw[9], hv[9], hdw[9], hdv[9], ww[9], wv[9], vw[9], wdw[9], dww[9], wdv[9], dvw[9], vdw[9], dwv[9], top[9], low[9];
    zw_m3_hat(hw, w);
    zw_m3_hat(hv, v);
    zw_m3_hat(hdw, dw);
    zw_m3_hat(hdv, dv);
    zw_m3_mul(ww, hw, hw);
    zw_m3_mul(wv, hw, hv);
    zw_m3_mul(wdw, hw, hdw);
    zw_m3_mul(wdv, hw, hdv);
    zw_m3_mul(vdw, hv, hdw);
    zw_m3_transpose(vw, wv);
    zw_m3_transpose(dww, wdw);
    zw_m3_transpose(dvw, wdv);
    zw_m3_transpose(dwv, vdw);
    for (int i = 0; i < 9; i++) {
        double w2_dw = wdw[i] + dww[i], w2_v = wv[i] + vw[i], w2_dv = wdv[i] + dvw[i], v2_dw = vdw[i] + dwv[i];
        top[i] = (f.c * w2_dw - 0.5 * hdw[i]) + f.c1 * w_dw * ww[i];
        low[i] = (f.c * (w2_dv + v2_dw) - 0.5 * hdv[i]) + f.c1 * ((w_dw * w2_v + w_v * w2_dw) + rate * ww[i]) + f.c2 * w_dw * w_v * ww[i];
    }
    dual(top, low, out);
}

/* out = (a^ b^ + b^ a^) y */
static void double_cross(const double a[3], const double b[3], const double y[3], double out[3]) {
    double t[3], u[3];
    zw_v3_cross(t, b, y);
    zw_v3_cross(t, a, t);
    zw_v3_cross(u, a, y);
    zw_v3_cross(u, b, u);
    zw_v3_add(out, t, u);
}

/* E y with E = sign/2 v^ + c (v^w^ + w^v^) + c' (w.v) w^2; the transposed has the other sign of the odd part */
static void dexp_inv_low(const double w[3], const double v[3], zw_so3_dlog_coef f, double sign, const double y[3], double out[3]) {
    double odd[3], even[3], ww[3];
    double slope = f.c1 * zw_v3_dot(w, v);
    zw_v3_cross(odd, v, y);
    double_cross(w, v, y, even);
    zw_v3_cross(ww, w, y);
    zw_v3_cross(ww, w, ww);
    for (int i = 0; i < 3; i++) {
        out[i] = (0.5 * sign * odd[i] + f.c * even[i]) + slope * ww[i];
    }
}

/* D y with D = 1 + sign/2 w^ + c w^2 */
static void dexp_inv_top(const double w[3], double c, double sign, const double y[3], double out[3]) {
    double wy[3], wwy[3];
    zw_v3_cross(wy, w, y);
    zw_v3_cross(wwy, w, wy);
    for (int i = 0; i < 3; i++) {
        out[i] = y[i] + (0.5 * sign * wy[i] + c * wwy[i]);
    }
}

void zw_se3_dexp_inv_apply(const double xi[6], const double eta[6], double out[6]) {
    zw_so3_dlog_coef f = zw_so3_dlog_coefficients(zw_v3_norm2(xi));
    double           w[3], v[3], e[3];
    dexp_inv_top(xi, f.c, -1.0, eta, w);
    dexp_inv_top(xi, f.c, -1.0, eta + 3, v);
    dexp_inv_low(xi, xi + 3, f, -1.0, eta, e);
    zw_v3_add(v, v, e);
    set6(out, w, v);
}

void zw_se3_dexp_inv_tapply(const double xi[6], const double mu[6], double out[6]) {
    zw_so3_dlog_coef f = zw_so3_dlog_coefficients(zw_v3_norm2(xi));
    double           m[3], n[3], e[3];
    dexp_inv_top(xi, f.c, 1.0, mu, m);
    dexp_inv_top(xi, f.c, 1.0, mu + 3, n);
    dexp_inv_low(xi, xi + 3, f, 1.0, mu + 3, e);
    zw_v3_add(m, m, e);
    set6(out, m, n);
}

/* ---- Cayley ---- */

static void cay6_translation(const double xi[6], double x[3]) {
    double f = 1.0 / (1.0 + 0.25 * zw_v3_norm2(xi)), t[3];
    zw_v3_cross(t, xi, xi + 3);
    zw_v3_addscaled(t, xi + 3, 0.5, t);
    zw_v3_scale(x, f, t);
}

void zw_se3_cay6(const double xi[6], double r[9], double x[3]) {
    cay6_translation(xi, x);
    zw_so3_cay(xi, r);
}

void zw_se3_cay6_q(const double xi[6], double q[4], double x[3]) {
    cay6_translation(xi, x);
    zw_so3_cay_q(xi, q);
}

bool zw_se3_cay6_inv(const double r[9], const double x[3], double xi[6]) {
    double q[4];
    zw_q_from_matrix(r, q);
    return zw_se3_cay6_inv_q(q, x, xi);
}

/* the translation is p = dcay_w v, so v = dcay_w^-1 p = p - w x p/2 + w (w.p)/4 */
bool zw_se3_cay6_inv_q(const double q[4], const double x[3], double xi[6]) {
    double w[3], v[3];
    if (zw_so3_cay_inv_q(q, w)) {
        for (int i = 0; i < 6; i++) {
            xi[i] = 0.0;
        }
        return true;
    }
    zw_v3_cross(v, w, x);
    zw_v3_addscaled(v, x, -0.5, v);
    zw_v3_addscaled(v, v, 0.25 * zw_v3_dot(w, x), w);
    set6(xi, w, v);
    return false;
}

void zw_se3_dcay6(const double xi[6], double out[36]) {
    double d[9], e[9];
    zw_so3_dcay(xi, d);
    zw_so3_dcay_d(xi, xi + 3, e);
    dual(d, e, out);
}

void zw_se3_dcay6_inv(const double xi[6], double out[36]) {
    double d[9], e[9];
    zw_so3_dcay_inv(xi, d);
    zw_so3_dcay_inv_d(xi, xi + 3, e);
    dual(d, e, out);
}

/* D is quadratic in w: its derivative along dw, and the mixed second derivative along dw and v besides the one along dv */
void zw_se3_dcay6_inv_d(const double xi[6], const double d[6], double out[36]) {
    double top[9], low[9], a[9], b[9];
    zw_so3_dcay_inv_d(xi, d, top);
    zw_so3_dcay_inv_d(xi, d + 3, low);
    zw_m3_outer(a, d, xi + 3);
    zw_m3_transpose(b, a);
    for (int i = 0; i < 9; i++) {
        low[i] += 0.25 * (a[i] + b[i]);
    }
    dual(top, low, out);
}

/* eta - [xi, eta]/2 + Q eta/4 */
void zw_se3_dcay6_inv_apply(const double xi[6], const double eta[6], double out[6]) {
    const double *w = xi, *v = xi + 3;
    double        t[6], wy = zw_v3_dot(w, eta), cross = zw_v3_dot(v, eta) + zw_v3_dot(w, eta + 3);
    zw_se3_ad_apply(xi, eta, t);
    for (int i = 0; i < 3; i++) {
        t[i] = eta[i] + (0.25 * (w[i] * wy) - 0.5 * t[i]);
        t[i + 3] = eta[i + 3] + (0.25 * (v[i] * wy + w[i] * cross) - 0.5 * t[i + 3]);
    }
    set6(out, t, t + 3);
}

/* Q^T (m, n) = (w (w.m + v.n) + v (w.n), w (w.n)) */
void zw_se3_dcay6_inv_tapply(const double xi[6], const double mu[6], double out[6]) {
    const double *w = xi, *v = xi + 3;
    double        t[6], wn = zw_v3_dot(w, mu + 3), sum = zw_v3_dot(w, mu) + zw_v3_dot(v, mu + 3);
    zw_se3_coad_apply(xi, mu, t);
    for (int i = 0; i < 3; i++) {
        t[i] = mu[i] + (0.25 * (w[i] * sum + v[i] * wn) - 0.5 * t[i]);
        t[i + 3] = mu[i + 3] + (0.25 * (w[i] * wn) - 0.5 * t[i + 3]);
    }
    set6(out, t, t + 3);
}

void zw_se3_cay4(const double xi[6], double r[9], double x[3]) {
    double f = 1.0 / (1.0 + 0.25 * zw_v3_norm2(xi)), t[3];
    zw_v3_cross(t, xi, xi + 3);
    zw_v3_addscaled(t, xi + 3, 0.5, t);
    zw_v3_addscaled(t, t, 0.25 * zw_v3_dot(xi, xi + 3), xi);
    zw_v3_scale(x, f, t);
    zw_so3_cay(xi, r);
}

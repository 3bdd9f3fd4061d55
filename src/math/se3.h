/* SPDX-License-Identifier: Apache-2.0
 * se3.h: rigid placements and twists: exp, log, Cayley map of the adjoint (cay6), adjoints and trivialised derivatives.
 *
 * A placement is (R, x) with R row-major 3x3, or (q, x) with a unit quaternion (names ending in _q). A twist is xi = (omega, v), a wrench
 * (m, n): rotations first, then translations. 6x6 matrices are row-major. With w = omega:
 *     [xi, eta] = ad_xi eta = (w1 x w2, w1 x v2 + v1 x w2),      coad: ad_xi^T (m, n) = (m x w + n x v, n x w)
 *     Ad_(R,x) = [R 0; x^R R],     exp(w, v) = (exp w, dexp_w v),     log(R, p) = (w, p - w x p/2 + c w x (w x p))
 *     cay6(w, v): R = cay w, p = (v + w x v/2)/(1 + |w|^2/4); it is the one with Ad_cay6(xi) = cay(ad_xi)
 *     d exp(xi) exp(-xi) = dexp_xi dxi, d cay6(xi) cay6(-xi) = dcay6_xi dxi; the body side is the same function at -xi.
 *     dcay6_xi^-1 = 1 - ad_xi/2 + Q(xi)/4,  Q(y, z) = (w (w.y), v (w.y) + w (v.y + w.z))
 * All 6x6 derivatives are dual-number functions of the 3x3 ones in so3.h: [D 0; E D] with E the derivative of D(w) in direction v.
 * For a link h = g_a^-1 g_b = exp(xi): dxi = -dexp_inv(xi) eta_a + dexp_inv(-xi) eta_b with body variations eta.
 * Inputs first, results last; results may be the same array as an argument of the same kind. */
#ifndef ZW_MATH_SE3_H
#define ZW_MATH_SE3_H

#include "math/so3.h"

/* ---- placements ---- */
void zw_se3_mul(const double ra[9], const double xa[3], const double rb[9], const double xb[3], double r[9], double x[3]); /* a b */
void zw_se3_inverse(const double r[9], const double x[3], double ri[9], double xi[3]);
void zw_se3_relative(const double ra[9], const double xa[3], const double rb[9], const double xb[3], double r[9], double x[3]); /* a^-1 b */
void zw_se3_mul_q(const double qa[4], const double xa[3], const double qb[4], const double xb[3], double q[4], double x[3]);
void zw_se3_inverse_q(const double q[4], const double x[3], double qi[4], double xi[3]);
void zw_se3_relative_q(const double qa[4], const double xa[3], const double qb[4], const double xb[3], double q[4], double x[3]);

/* ---- exp and log; log returns true near the angle pi, see zw_so3_log ---- */
void             zw_se3_exp(const double xi[6], double r[9], double x[3]);
void             zw_se3_exp_q(const double xi[6], double q[4], double x[3]);
ZW_MUST_USE bool zw_se3_log(const double r[9], const double x[3], double xi[6]);
ZW_MUST_USE bool zw_se3_log_q(const double q[4], const double x[3], double xi[6]);

/* ---- adjoints ---- */
void zw_se3_adjoint(const double r[9], const double x[3], double out[36]);                            /* Ad_g */
void zw_se3_adjoint_apply(const double r[9], const double x[3], const double xi[6], double out[6]);   /* Ad_g xi: body twist to space */
void zw_se3_adjoint_back(const double r[9], const double x[3], const double xi[6], double out[6]);    /* Ad_g^-1 xi */
void zw_se3_coadjoint_apply(const double r[9], const double x[3], const double mu[6], double out[6]); /* Ad_g^T mu: space wrench to body */
void zw_se3_coadjoint_back(const double r[9], const double x[3], const double mu[6], double out[6]);  /* Ad_g^-T mu: body wrench to space */
void zw_se3_ad(const double xi[6], double out[36]);
void zw_se3_ad_apply(const double xi[6], const double eta[6], double out[6]);  /* [xi, eta] */
void zw_se3_coad(const double xi[6], double out[36]);                          /* ad_xi^T */
void zw_se3_coad_apply(const double xi[6], const double mu[6], double out[6]); /* ad_xi^T mu */

/* ---- derivatives of exp ---- */
void zw_se3_dexp(const double xi[6], double out[36]);
void zw_se3_dexp_inv(const double xi[6], double out[36]);
void zw_se3_dexp_inv_d(const double xi[6], const double d[6], double out[36]); /* derivative of dexp_inv in the direction d */
void zw_se3_dexp_inv_apply(const double xi[6], const double eta[6], double out[6]);
void zw_se3_dexp_inv_tapply(const double xi[6], const double mu[6], double out[6]); /* transposed: link stresses to node wrenches */

/* ---- Cayley ---- */
void             zw_se3_cay6(const double xi[6], double r[9], double x[3]);
void             zw_se3_cay6_q(const double xi[6], double q[4], double x[3]);
ZW_MUST_USE bool zw_se3_cay6_inv(const double r[9], const double x[3], double xi[6]); /* true, with xi = 0, near the angle pi */
ZW_MUST_USE bool zw_se3_cay6_inv_q(const double q[4], const double x[3], double xi[6]);
void             zw_se3_dcay6(const double xi[6], double out[36]);
void             zw_se3_dcay6_inv(const double xi[6], double out[36]);
void             zw_se3_dcay6_inv_d(const double xi[6], const double d[6], double out[36]); /* derivative of dcay6_inv in the direction d */
void             zw_se3_dcay6_inv_apply(const double xi[6], const double eta[6], double out[6]);
void             zw_se3_dcay6_inv_tapply(const double xi[6], const double mu[6], double out[6]);
/* Cayley map of the 4x4 matrices, for schemes that are printed with it; differs from cay6 by w (w.v)/4 in the translation */
void zw_se3_cay4(const double xi[6], double r[9], double x[3]);

#endif

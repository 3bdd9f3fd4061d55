/* SPDX-License-Identifier: Apache-2.0
 * so3.h: the rotation group: exp, log, Cayley and their trivialised derivatives.
 *
 * hat(w) u = w x u. Everything is trivialised from the left side of the group in space:
 *     d exp(w) exp(-w) = hat(dexp_w dw),    d cay(w) cay(-w) = hat(dcay_w dw);
 * the body side exp(-w) d exp(w) = hat(dexp_{-w} dw) is the same function at -w.
 *     dexp_w    = 1 + a w^ + b w^2,    a = (1 - cos th)/th^2, b = (th - sin th)/th^3, th = |w|
 *     dexp_w^-1 = 1 - w^/2 + c w^2,    c = (1 - (th/2) cot(th/2))/th^2
 *     cay(w)    = (1 - w^/2)^-1 (1 + w^/2),  dcay_w = (1 + w^/2)/(1 + th^2/4),  dcay_w^-1 = 1 - w^/2 + w w^T/4
 * A derivative f' below always means (df/dth)/th = 2 df/d(th^2), which is smooth at 0, so that df(|w|).d = f' (w.d).
 * Inputs first, result last; results may be the same array as an argument. */
#ifndef ZW_MATH_SO3_H
#define ZW_MATH_SO3_H

#include "math/quat.h"
#include "zwang/base.h"

/* angles nearer to pi than this have a rotation vector whose sign is a matter of round-off */
#define ZW_SO3_NEAR_PI 1e-6

typedef struct zw_so3_dexp_coef { /* of dexp, functions of th^2 */
    double s;                     /* sin th/th */
    double a, a1;                 /* a and a' */
    double b, b1;                 /* b and b' */
} zw_so3_dexp_coef;

typedef struct zw_so3_dlog_coef { /* of dexp^-1, functions of th^2 */
    double c;                     /* 1/12 at 0 */
    double c1;                    /* c'  = 1/360 at 0 */
    double c2;                    /* c'' = (dc'/dth)/th = 1/3780 at 0 */
} zw_so3_dlog_coef;

zw_so3_dexp_coef zw_so3_dexp_coefficients(double th2);
zw_so3_dlog_coef zw_so3_dlog_coefficients(double th2); /* for th < 2 pi; no libm call below pi */

/* c and c' alone for links that turn less than 0.5 rad: polynomials in th^2 < 1/4, accurate to the last bits */
static inline void zw_so3_dlog_small(double z, double *c, double *c1) {
    *c = 1.0 / 12.0 +
         z * (1.0 / 720.0 +
              z * (1.0 / 30240.0 +
                   z * (1.0 / 1209600.0 + z * (1.0 / 47900160.0 + z * (691.0 / 1307674368000.0 +
                                                                       z * (1.0 / 74724249600.0 + z * (3617.0 / 10670622842880000.0)))))));
    *c1 = 1.0 / 360.0 +
          z * (1.0 / 7560.0 +
               z * (1.0 / 201600.0 + z * (1.0 / 5987520.0 + z * (691.0 / 130767436800.0 +
                                                                 z * (1.0 / 6227020800.0 + z * (3617.0 / 762187345920000.0 +
                                                                                                z * (43867.0 / 319318388573184000.0)))))));
}

void zw_so3_exp(const double w[3], double r[9]);
/* w = log r with |w| <= pi. Returns true when the angle is within ZW_SO3_NEAR_PI of pi: w is then right up to its sign. */
ZW_MUST_USE bool zw_so3_log(const double r[9], double w[3]);
ZW_MUST_USE bool zw_so3_log_q(const double q[4], double w[3]);

void zw_so3_dexp(const double w[3], double out[9]);
void zw_so3_dexp_inv(const double w[3], double out[9]);
/* derivatives of the two matrices in the direction d */
void zw_so3_dexp_d(const double w[3], const double d[3], double out[9]);
void zw_so3_dexp_inv_d(const double w[3], const double d[3], double out[9]);
/* applied to a vector, without forming the matrix */
void zw_so3_dexp_apply(const double w[3], const double u[3], double out[3]);
void zw_so3_dexp_inv_apply(const double w[3], const double u[3], double out[3]);

void zw_so3_cay(const double w[3], double r[9]);
void zw_so3_cay_q(const double w[3], double q[4]);
/* the w with cay(w) = r; |w| = 2 tan(th/2) grows without bound towards pi.
 * Returns true, with w = 0, when the angle is within ZW_SO3_NEAR_PI. */
ZW_MUST_USE bool zw_so3_cay_inv(const double r[9], double w[3]);
ZW_MUST_USE bool zw_so3_cay_inv_q(const double q[4], double w[3]);
void             zw_so3_dcay(const double w[3], double out[9]);
void             zw_so3_dcay_inv(const double w[3], double out[9]);
void             zw_so3_dcay_d(const double w[3], const double d[3], double out[9]);
void             zw_so3_dcay_inv_d(const double w[3], const double d[3], double out[9]);

#endif

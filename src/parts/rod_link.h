/* SPDX-License-Identifier: Apache-2.0
 * rod_link.h: the one formula of the rod: strain of a link, and the wrenches it puts on its two nodes.
 *
 *   A = Ra^T Rb, p = Ra^T (xb - xa);   w = log A, th = |w|, c = (1 - (th/2) cot(th/2))/th^2, c1 = (dc/dth)/th
 *   u = p - w x p/2 + c w x (w x p);   l kappa = w, l Gamma = u
 * With stresses m (conjugate to kappa) and n (to Gamma), and s = +1 at node a, -1 at node b:
 *   T(s) = m - (s/2)(m x w + n x u) + c [w(w.m) - th^2 m] + c [u(w.n) + w(u.n) - 2(w.u) n] + c1 (w.u) [w(w.n) - th^2 n]
 *   f(s) = n - (s/2) n x w + c [w(w.n) - th^2 n]
 * node a gets +(T(+1), f(+1)) in Ra, node b gets -(T(-1), f(-1)) in Rb. Both forces are the same vector in space: it is formed once and
 * added and subtracted with the same bits, so that linear momentum is kept to round-off. */
#ifndef ZW_PARTS_ROD_LINK_H
#define ZW_PARTS_ROD_LINK_H

#include "math/quat.h"
#include "math/so3.h"

typedef struct zw_link {
    double w[3], u[3]; /* rotation and stretch of the link, in the directors of node a */
    double c, c1;
} zw_link;

/* qa, qb: x (3), quaternion (4) */
static inline void zw_link_strain(const double *qa, const double *qb, zw_link *k) {
    double turn[4], d[3], p[3], wp[3], wwp[3];
    zw_q_conj_mul(qa + 3, qb + 3, turn);
    zw_q_log(turn, k->w);
    zw_v3_sub(d, qb, qa);
    zw_q_rotate_back(qa + 3, d, p);
    double th2 = zw_v3_norm2(k->w);
    if (th2 < 0.25) {
        zw_so3_dlog_small(th2, &k->c, &k->c1);
    } else {
        zw_so3_dlog_coef coef = zw_so3_dlog_coefficients(th2);
        k->c = coef.c;
        k->c1 = coef.c1;
    }
    zw_v3_cross(wp, k->w, p);
    zw_v3_cross(wwp, k->w, wp);
    for (int i = 0; i < 3; i++) {
        k->u[i] = p[i] - 0.5 * wp[i] + k->c * wwp[i];
    }
}

/* Ta in the directors of a, Tb in those of b, f in those of a: node a gets (Ta, f), node b gets (-Tb, -f seen from space) */
static inline void zw_link_wrench(const zw_link *k, const double m[3], const double n[3], double Ta[3], double Tb[3], double f[3]) {
    const double *w = k->w, *u = k->u;
    double        c = k->c, c1 = k->c1;
    double        th2 = zw_v3_norm2(w), wm = zw_v3_dot(w, m), wn = zw_v3_dot(w, n), un = zw_v3_dot(u, n), wu = zw_v3_dot(w, u);
    double        mw[3], nu[3], nw[3];
    zw_v3_cross(mw, m, w);
    zw_v3_cross(nu, n, u);
    zw_v3_cross(nw, n, w);
    for (int i = 0; i < 3; i++) {
        double g = w[i] * wn - th2 * n[i];
        double even = m[i] + c * (w[i] * wm - th2 * m[i]) + c * (u[i] * wn + w[i] * un - 2.0 * wu * n[i]) + c1 * wu * g;
        double odd = 0.5 * (mw[i] + nu[i]);
        Ta[i] = even - odd;
        Tb[i] = even + odd;
        f[i] = n[i] - 0.5 * nw[i] + c * g;
    }
}

/* (w, u)' = G (va, vb), velocities as (Omega body, xdot space): 6 x (6 of node a, 6 of node b); a unit stress puts the force -G_i on the nodes */
static inline void zw_link_rates(const double *qa, const zw_link *k, double G[6][12]) {
    for (int i = 0; i < 6; i++) {
        double stress[6] = {0}, Ta[3], Tb[3], body[3], space[3];
        stress[i] = 1.0;
        zw_link_wrench(k, stress, stress + 3, Ta, Tb, body);
        zw_q_rotate(qa + 3, body, space);
        for (int h = 0; h < 3; h++) {
            G[i][h] = -Ta[h];
            G[i][3 + h] = -space[h];
            G[i][6 + h] = Tb[h];
            G[i][9 + h] = space[h];
        }
    }
}

#endif

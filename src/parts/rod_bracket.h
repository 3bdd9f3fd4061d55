/* SPDX-License-Identifier: Apache-2.0
 * rod_bracket.h: rods in the variables of the Poisson bracket: momenta mu = (m, n) of the nodes in their directors, and full strains
 * Gamma = (kappa, v) of the links (v = e3 in a straight unstretched rod; the paper's gamma is Gamma - e3). Here are the formulas, in lanes;
 * the loops are in rod_bracket_kernel.h.
 *
 *   twists (w, v), wrenches (m, n):  [x, y] = (w1 x w2, w1 x v2 + v1 x w2),   [x, (m, n)]* = (m x w + n x v, n x w)
 *   link of length l, stress s = C (Gamma - Gamma0):
 *       node a gets  s - l/2 [Gamma, s]* (+ l^2/4 Q's),   node b gets  -(s + l/2 [Gamma, s]* (+ l^2/4 Q's))
 *       Q'(m, n) = (w (m.w + n.v) + v (n.w), w (n.w)), the term with which the wrenches belong to a true strain, that of cay6:
 *       d(l Gamma) = dcay6^-1_{-l Gamma} eta_b - dcay6^-1_{l Gamma} eta_a
 *   node: mu1 - mu0 = h F + h [zeta, mu]*, the bracket at the middle (poisson) or as a mean (hamel). The mass is the same in all
 *       directions, so n x v = 0: the rotations close among themselves, and the translations follow by one Cayley rotation
 *
 * Everything is structure of arrays: component c of node i (or of slot i, the link from node i to node i+1) at [c * stride + i]. Slots that
 * join nothing have l = 1/l = 0 and no stiffness: their strain stays 0. Links that close a ring do not fit this numbering; they are done
 * one by one with the same formulas. */
#ifndef ZW_PARTS_ROD_BRACKET_H
#define ZW_PARTS_ROD_BRACKET_H

#include "math/wide3.h"
#include "parts/rod.h"

enum { ZW_BRACKET_GROUP = 8 }; /* the most lanes that a path has */

typedef struct zw_closing { /* the link that closes a ring: from node slot to node far */
    int slot, far, link;
} zw_closing;

typedef struct zw_bracket_path zw_bracket_path;

struct zw_rods_bracket {
    zw_bracket_rule        rule;
    size_t                 stride;
    size_t                 padded;    /* nodes, rounded up to whole groups */
    bool                   symmetric; /* J1 = J2 at all nodes: no Newton */
    double                *l, *inverse_l;
    double                *stiffness;    /* [6][stride]                                          */
    double                *coupling;     /* [36][stride]; NULL: diagonal                         */
    double                *natural;      /* [6][stride], strain of the rule                      */
    double                *natural_link; /* [6 nlinks] the same, link by link                 */
    double                *inverse_mass;
    double                *spin; /* [6][stride] inverse inertia 11 22 33 12 13 23             */
    double                *back; /* scratch [6][stride + ZW_BRACKET_GROUP]: what a slot does to its far node */
    int                    nclosing;
    zw_closing            *closing;
    const zw_bracket_path *path;
};
typedef struct zw_rods_bracket zw_rods_bracket;

/* the loops for one instruction set */
struct zw_bracket_path {
    const char *name;
    void (*wrench)(const zw_rods_bracket *B, const double *gamma, double *F);
    bool (*momenta)(const zw_rods_bracket *B, const double *mu0, const double *F, double h, double *mu1, double *moving, double *straining);
    void (*place)(const zw_rods_bracket *B, int nnodes, const double *q0, const double *moving, double h, double *q1);
    void (*arrive)(const zw_rods_bracket *B, int nnodes, const double *q0, const double *moving, const double *mu1, double h, double *q1,
                   double *v1);
    void (*strains)(const zw_rods_bracket *B, const double *gamma0, const double *straining, double h, double *gamma1);
    void (*velocity)(const zw_rods_bracket *B, int nnodes, const double *q, const double *mu, double *v);
    void (*pace)(const zw_rods_bracket *B, const double *mu, double *zeta);
};
extern const zw_bracket_path zw_bracket_any, zw_bracket_avx2, zw_bracket_avx512;

bool zw_rods_bracket_choose(zw_rods_bracket *B,
                            const char      *path); /* by name, for tests; NULL: the best; false when this machine lacks it */

/* ---- formulas */

/* a: on the near node, b: minus that on the far one */
ZW_WIDE_INLINE void zw_bracket_wrench(zw_wide l, bool true_strain, const zw_wide g[6], const zw_wide s[6], zw_wide a[6], zw_wide b[6]) {
    zw_wide mw[3], nv[3], nw[3], half = 0.5 * l, even[6];
    zw_wide3_cross(s, g, mw);
    zw_wide3_cross(s + 3, g + 3, nv);
    zw_wide3_cross(s + 3, g, nw);
    for (int i = 0; i < 6; i++) {
        even[i] = s[i];
    }
    if (true_strain) {
        zw_wide quarter = half * half, along = zw_wide3_dot(s + 3, g), power = zw_wide3_dot(s, g) + zw_wide3_dot(s + 3, g + 3);
        for (int i = 0; i < 3; i++) {
            even[i] = even[i] + quarter * (g[i] * power + g[3 + i] * along);
            even[3 + i] = even[3 + i] + quarter * (g[i] * along);
        }
    }
    for (int i = 0; i < 3; i++) {
        zw_wide m = half * (mw[i] + nv[i]), n = half * nw[i];
        a[i] = even[i] - m;
        b[i] = even[i] + m;
        a[3 + i] = even[3 + i] - n;
        b[3 + i] = even[3 + i] + n;
    }
}

/* eq 54: (1 + h/2 ad_zm) Gamma1 = Gamma0 - h/2 ad_zm Gamma0 + h/l (zb - za), zm = (za + zb)/2 */
ZW_WIDE_INLINE void zw_bracket_strain(zw_wide inverse_l, double h, const zw_wide g0[6], const zw_wide za[6], const zw_wide zb[6],
                                      zw_wide g1[6]) {
    zw_wide z[6], wk[3], vk[3], wv[3], r[3], rate = h * inverse_l;
    for (int i = 0; i < 6; i++) {
        z[i] = (0.25 * h) * (za[i] + zb[i]);
    }
    zw_wide3_cross(z, g0, wk);
    for (int i = 0; i < 3; i++) {
        r[i] = g0[i] - wk[i] + rate * (zb[i] - za[i]);
    }
    zw_wide3_uncross(z, r, g1);
    for (int i = 0; i < 3; i++) {
        wk[i] = g0[i] + g1[i];
    }
    zw_wide3_cross(z + 3, wk, vk);
    zw_wide3_cross(z, g0 + 3, wv);
    for (int i = 0; i < 3; i++) {
        r[i] = g0[3 + i] - wv[i] - vk[i] + rate * (zb[3 + i] - za[3 + i]);
    }
    zw_wide3_uncross(z, r, g1 + 3);
}

/* product of dual quaternions: real part a0 b0, dual part a0 b1 + a1 b0 */
ZW_WIDE_INLINE void zw_bracket_dual(const zw_wide a[8], const zw_wide b[8], zw_wide out[8]) {
    zw_wide s[4], t[4];
    zw_wide4_mul(a, b, out);
    zw_wide4_mul(a, b + 4, s);
    zw_wide4_mul(a + 4, b, t);
    for (int i = 0; i < 4; i++) {
        out[4 + i] = s[i] + t[i];
    }
}

/* cay6(l Gamma1) = cay6(-h za) cay6(l Gamma0) cay6(h zb). cay6 of a twist x is the dual quaternion 1 + x/2 up to its length, and vector
 * part over scalar part takes it back */
ZW_WIDE_INLINE void zw_bracket_strain_true(zw_wide l, zw_wide inverse_l, double h, const zw_wide g0[6], const zw_wide za[6],
                                           const zw_wide zb[6], zw_wide g1[6]) {
    zw_wide a[8], x[8], b[8], ax[8], p[8], one = zw_wide_all(1.0), none = zw_wide_all(0.0);
    a[0] = x[0] = b[0] = one;
    a[4] = x[4] = b[4] = none;
    for (int i = 0; i < 3; i++) {
        a[1 + i] = (-0.5 * h) * za[i];
        a[5 + i] = (-0.5 * h) * za[3 + i];
        x[1 + i] = (0.5 * l) * g0[i];
        x[5 + i] = (0.5 * l) * g0[3 + i];
        b[1 + i] = (0.5 * h) * zb[i];
        b[5 + i] = (0.5 * h) * zb[3 + i];
    }
    zw_bracket_dual(a, x, ax);
    zw_bracket_dual(ax, b, p);
    zw_wide f = 1.0 / p[0], slope = p[4] * f;
    zw_wide scale = 2.0 * inverse_l * f;
    for (int i = 0; i < 3; i++) {
        g1[i] = scale * p[1 + i];
        g1[3 + i] = scale * (p[5 + i] - slope * p[1 + i]);
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 * rod_bracket_kernel.h: the loops over nodes and slots; included once per instruction set with ZW_ROD_ISA defined. Formulas:
 * rod_bracket.h. */
#include "parts/rod_bracket.h"

#define ZW_ROD_PASTE2(name, isa) name##_##isa
#define ZW_ROD_PASTE(name, isa)  ZW_ROD_PASTE2(name, isa)
#define ZW_ROD_QUOTE2(isa)       #isa
#define ZW_ROD_QUOTE(isa)        ZW_ROD_QUOTE2(isa)

ZW_WIDE_INLINE void load_rows(const double *from, size_t stride, size_t at, int n, zw_wide *out) {
    for (int c = 0; c < n; c++) {
        out[c] = zw_wide_load(from + (size_t)c * stride + at);
    }
}

ZW_WIDE_INLINE void store_rows(double *to, size_t stride, size_t at, int n, const zw_wide *v) {
    for (int c = 0; c < n; c++) {
        zw_wide_store(to + (size_t)c * stride + at, v[c]);
    }
}

ZW_WIDE_INLINE void wrench_as(const zw_rods_bracket *B, bool true_strain, const double *restrict gamma, double *restrict F) {
    size_t stride = B->stride, shifted = stride + ZW_BRACKET_GROUP;
    for (size_t at = 0; at < B->padded; at += ZW_WIDTH) {
        zw_wide g[6], s[6], a[6], b[6];
        load_rows(gamma, stride, at, 6, g);
        if (B->coupling == NULL) {
            for (size_t c = 0; c < 6; c++) {
                s[c] = zw_wide_load(B->stiffness + c * stride + at) * (g[c] - zw_wide_load(B->natural + c * stride + at));
            }
        } else {
            zw_wide e[6];
            for (size_t c = 0; c < 6; c++) {
                e[c] = g[c] - zw_wide_load(B->natural + c * stride + at);
            }
            for (size_t c = 0; c < 6; c++) {
                s[c] = zw_wide_all(0.0);
                for (size_t k = 0; k < 6; k++) {
                    s[c] = s[c] + zw_wide_load(B->coupling + (6 * c + k) * stride + at) * e[k];
                }
            }
        }
        zw_bracket_wrench(zw_wide_load(B->l + at), true_strain, g, s, a, b);
        /* the far side one to the right: back[i] is what slot i-1 does to node i; back[0] = 0 */
        store_rows(F, stride, at, 6, a);
        store_rows(B->back + 1, shifted, at, 6, b);
    }
    for (size_t c = 0; c < 6; c++) { /* apart: what was just stored cannot be loaded one to the side without waiting */
        for (size_t at = 0; at < B->padded; at += ZW_WIDTH) {
            zw_wide_store(F + c * stride + at, zw_wide_load(F + c * stride + at) - zw_wide_load(B->back + c * shifted + at));
        }
    }
}

static void wrench(const zw_rods_bracket *B, const double *gamma, double *F) {
    if (B->rule.scheme == ZW_BRACKET_CONSISTENT) {
        wrench_as(B, true, gamma, F);
    } else {
        wrench_as(B, false, gamma, F);
    }
}

ZW_WIDE_INLINE void spin_of(bool symmetric, const zw_wide W[6], const zw_wide m[3], zw_wide w[3]) {
    w[0] = W[0] * m[0];
    w[1] = W[1] * m[1];
    w[2] = W[2] * m[2];
    if (!symmetric) {
        w[0] = w[0] + W[3] * m[1] + W[4] * m[2];
        w[1] = w[1] + W[3] * m[0] + W[5] * m[2];
        w[2] = w[2] + W[4] * m[0] + W[5] * m[1];
    }
}

/* x - k x x (W x) = c by Newton, each lane until it is there, whatever the others need; false when one does not converge */
static bool newton(const zw_wide W[6], double k, const zw_wide c[3], zw_wide x[3]) {
    const int sym[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    zw_wide   open = zw_wide_all(1.0);
    for (int i = 0; i < 3; i++) {
        x[i] = c[i];
    }
    for (int pass = 0; pass < 20; pass++) {
        zw_wide w[3], t[3], r[3], J[3][3], d[3];
        spin_of(false, W, x, w);
        zw_wide3_cross(x, w, t);
        for (int i = 0; i < 3; i++) {
            r[i] = c[i] - x[i] + k * t[i];
        }
        for (int i = 0; i < 3; i++) {
            zw_wide Wcol[3] = {W[sym[0][i]], W[sym[1][i]], W[sym[2][i]]};
            zw_wide3_cross(x, Wcol, t); /* column i of x^ W */
            for (int n = 0; n < 3; n++) {
                J[n][i] = -k * t[n];
            }
            J[i][i] = J[i][i] + 1.0;
        }
        /* + k (W x)^ */
        J[0][1] = J[0][1] - k * w[2];
        J[0][2] = J[0][2] + k * w[1];
        J[1][0] = J[1][0] + k * w[2];
        J[1][2] = J[1][2] - k * w[0];
        J[2][0] = J[2][0] - k * w[1];
        J[2][1] = J[2][1] + k * w[0];
        zw_wide c0[3], c1[3], c2[3]; /* columns, and Cramer's rule */
        for (int n = 0; n < 3; n++) {
            c0[n] = J[n][0];
            c1[n] = J[n][1];
            c2[n] = J[n][2];
        }
        zw_wide u[3], f;
        zw_wide3_cross(c1, c2, u);
        f = 1.0 / zw_wide3_dot(c0, u);
        d[0] = f * zw_wide3_dot(r, u);
        zw_wide3_cross(c2, c0, u);
        d[1] = f * zw_wide3_dot(r, u);
        zw_wide3_cross(c0, c1, u);
        d[2] = f * zw_wide3_dot(r, u);
        for (int i = 0; i < 3; i++) {
            x[i] = x[i] + open * d[i];
        }
        /* quadratic: once the last change is 1e-10, the next is below round-off */
        zw_wide change = zw_wide3_dot(d, d), size = 1e-20 * zw_wide3_dot(x, x);
        bool    any = false;
        for (int lane = 0; lane < ZW_WIDTH; lane++) {
            open[lane] = change[lane] <= size[lane] ? 0.0 : open[lane];
            any = any || open[lane] != 0.0;
        }
        if (!any) {
            return true;
        }
    }
    return false;
}

ZW_WIDE_INLINE bool turn_momentum(bool symmetric, const zw_wide W[6], double k, const zw_wide c[3], zw_wide x[3]) {
    if (!symmetric) {
        return newton(W, k, c, x);
    }
    zw_wide a = k * (W[2] - W[0]) * c[2], f = 1.0 / (1.0 + a * a);
    x[0] = f * (c[0] + a * c[1]);
    x[1] = f * (c[1] - a * c[0]);
    x[2] = c[2];
    return true;
}

/* eq 53 and its relatives: see rod_bracket.h. scheme and the two flags are known where this is inlined */
ZW_WIDE_INLINE bool momenta_as(const zw_rods_bracket *B, zw_bracket_scheme scheme, bool symmetric, bool mean, const double *restrict mu0,
                               const double *restrict F, double h, double *restrict mu1, double *restrict moving,
                               double *restrict straining) {
    size_t stride = B->stride;
    double k = 0.5 * h;
    bool   ok = true;
    for (size_t at = 0; at < B->padded; at += ZW_WIDTH) {
        zw_wide p[6], f[6], p1[6], W[6], c[3], x[3], w[3], a[3], r[3], y[3], z1[6], im = zw_wide_load(B->inverse_mass + at);
        load_rows(mu0, stride, at, 6, p);
        load_rows(F, stride, at, 6, f);
        load_rows(B->spin, stride, at, symmetric ? 3 : 6, W);
        if (scheme == ZW_BRACKET_HAMEL) {
            zw_wide w0[3], mw[3], nw[3];
            spin_of(symmetric, W, p, w0);
            zw_wide3_cross(p, w0, mw);
            zw_wide3_cross(p + 3, w0, nw);
            for (int i = 0; i < 3; i++) {
                c[i] = p[i] + h * f[i] + k * mw[i];
                r[i] = p[3 + i] + h * f[3 + i] + k * nw[i];
            }
        } else {
            double share = scheme == ZW_BRACKET_POISSON ? k : h;
            for (int i = 0; i < 3; i++) {
                c[i] = p[i] + share * f[i];
                r[i] = p[3 + i] + share * f[3 + i];
            }
        }
        ok = turn_momentum(symmetric, W, k, c, x) && ok;
        spin_of(symmetric, W, x, w);
        for (int i = 0; i < 3; i++) {
            a[i] = k * w[i];
        }
        zw_wide3_uncross(a, r, y);
        for (int i = 0; i < 3; i++) {
            if (scheme == ZW_BRACKET_HAMEL) {
                p1[i] = x[i];
                p1[3 + i] = y[i];
            } else if (scheme == ZW_BRACKET_POISSON) {
                p1[i] = 2.0 * x[i] - p[i];
                p1[3 + i] = 2.0 * y[i] - p[3 + i];
            } else {
                p1[i] = 2.0 * x[i] - c[i];
                p1[3 + i] = 2.0 * y[i] - r[i];
            }
        }
        store_rows(mu1, stride, at, 6, p1);
        if (scheme == ZW_BRACKET_CONSISTENT) {
            for (int i = 0; i < 3; i++) {
                z1[i] = w[i];
                z1[3 + i] = im * y[i];
            }
        } else {
            spin_of(symmetric, W, p1, z1);
            for (int i = 3; i < 6; i++) {
                z1[i] = im * p1[i];
            }
        }
        store_rows(straining, stride, at, 6, z1);
        if (mean) {
            zw_wide z0[6];
            spin_of(symmetric, W, p, z0);
            for (int i = 3; i < 6; i++) {
                z0[i] = im * p[i];
            }
            for (int i = 0; i < 6; i++) {
                z1[i] = 0.5 * (z0[i] + z1[i]);
            }
            store_rows(moving, stride, at, 6, z1);
        }
    }
    return ok;
}

static bool momenta(const zw_rods_bracket *B, const double *mu0, const double *F, double h, double *mu1, double *moving,
                    double *straining) {
    if (moving != NULL) {
        return B->rule.scheme == ZW_BRACKET_HAMEL
                   ? momenta_as(B, ZW_BRACKET_HAMEL, B->symmetric, true, mu0, F, h, mu1, moving, straining)
                   : momenta_as(B, ZW_BRACKET_POISSON, B->symmetric, true, mu0, F, h, mu1, moving, straining);
    }
    switch (B->rule.scheme) {
    case ZW_BRACKET_POISSON:
        return B->symmetric ? momenta_as(B, ZW_BRACKET_POISSON, true, false, mu0, F, h, mu1, NULL, straining)
                            : momenta_as(B, ZW_BRACKET_POISSON, false, false, mu0, F, h, mu1, NULL, straining);
    case ZW_BRACKET_HAMEL:
        return B->symmetric ? momenta_as(B, ZW_BRACKET_HAMEL, true, false, mu0, F, h, mu1, NULL, straining)
                            : momenta_as(B, ZW_BRACKET_HAMEL, false, false, mu0, F, h, mu1, NULL, straining);
    default:
        return B->symmetric ? momenta_as(B, ZW_BRACKET_CONSISTENT, true, false, mu0, F, h, mu1, NULL, straining)
                            : momenta_as(B, ZW_BRACKET_CONSISTENT, false, false, mu0, F, h, mu1, NULL, straining);
    }
}

ZW_WIDE_INLINE void strains_as(const zw_rods_bracket *B, bool true_strain, const double *restrict gamma0, const double *restrict straining,
                               double h, double *restrict gamma1) {
    size_t stride = B->stride;
    for (size_t at = 0; at < B->padded; at += ZW_WIDTH) {
        zw_wide g0[6], za[6], zb[6], g1[6];
        load_rows(gamma0, stride, at, 6, g0);
        load_rows(straining, stride, at, 6, za);
        load_rows(straining, stride, at + 1, 6, zb);
        if (true_strain) {
            zw_bracket_strain_true(zw_wide_load(B->l + at), zw_wide_load(B->inverse_l + at), h, g0, za, zb, g1);
        } else {
            zw_bracket_strain(zw_wide_load(B->inverse_l + at), h, g0, za, zb, g1);
        }
        store_rows(gamma1, stride, at, 6, g1);
    }
}

static void strains(const zw_rods_bracket *B, const double *gamma0, const double *straining, double h, double *gamma1) {
    if (B->rule.scheme == ZW_BRACKET_CONSISTENT) {
        strains_as(B, true, gamma0, straining, h, gamma1);
    } else {
        strains_as(B, false, gamma0, straining, h, gamma1);
    }
}

/* n <= ZW_WIDTH nodes of width numbers each; the other lanes repeat the last. Whole groups have offsets that the compiler knows */
ZW_WIDE_INLINE void gather(const double *from, int width, int n, zw_wide *out) {
    for (int c = 0; c < width; c++) {
        zw_wide v = {0};
        if (n == ZW_WIDTH) {
            for (int lane = 0; lane < ZW_WIDTH; lane++) {
                v[lane] = from[width * lane + c];
            }
        } else {
            for (int lane = 0; lane < ZW_WIDTH; lane++) {
                v[lane] = from[width * (lane < n ? lane : n - 1) + c];
            }
        }
        out[c] = v;
    }
}

ZW_WIDE_INLINE void scatter(const zw_wide *v, int width, int n, double *to) {
    if (n == ZW_WIDTH) {
        for (int lane = 0; lane < ZW_WIDTH; lane++) {
            for (int c = 0; c < width; c++) {
                to[width * lane + c] = v[c][lane];
            }
        }
        return;
    }
    for (int lane = 0; lane < n; lane++) {
        for (int c = 0; c < width; c++) {
            to[width * lane + c] = v[c][lane];
        }
    }
}

/* v of a group of nodes from their quaternions and momenta */
ZW_WIDE_INLINE void velocity_group(const zw_rods_bracket *B, size_t at, int n, const zw_wide turn[4], const double *mu, double *v) {
    zw_wide p[6], W[6], out[6], im = zw_wide_load(B->inverse_mass + at);
    load_rows(mu, B->stride, at, 6, p);
    load_rows(B->spin, B->stride, at, B->symmetric ? 3 : 6, W);
    spin_of(B->symmetric, W, p, out);
    for (int i = 0; i < 3; i++) {
        p[i] = im * p[3 + i];
    }
    zw_wide3_rotate(turn[0], turn + 1, p, out + 3);
    scatter(out, 6, n, v + ZW_ROD_NV * at);
}

/* eq 55: g1 = g0 cay(h zeta), a = h w/2:  R = cay(2a), p = (v + a x v (+ a (a.v) for the 4x4 map))/(1 + |a|^2); v1 of mu1 with it unless NULL */
ZW_WIDE_INLINE void place_as(const zw_rods_bracket *B, bool four, int nnodes, const double *restrict q0, const double *restrict moving,
                             double h, double *restrict q1, const double *restrict mu1, double *restrict v1) {
    for (size_t at = 0; at < (size_t)nnodes; at += ZW_WIDTH) {
        int     n = nnodes - (int)at < ZW_WIDTH ? nnodes - (int)at : ZW_WIDTH;
        zw_wide q[7], z[6], a[3], v[3], av[3], p[3], shift[3], e[4], turned[4];
        gather(q0 + ZW_ROD_NQ * at, 7, n, q);
        load_rows(moving, B->stride, at, 6, z);
        for (int i = 0; i < 3; i++) {
            a[i] = (0.5 * h) * z[i];
            v[i] = h * z[3 + i];
        }
        zw_wide length = 1.0 + zw_wide3_dot(a, a), f = 1.0 / length, along = zw_wide3_dot(a, v);
        zw_wide3_cross(a, v, av);
        for (int i = 0; i < 3; i++) {
            p[i] = f * (four ? v[i] + av[i] + along * a[i] : v[i] + av[i]);
        }
        zw_wide3_rotate(q[3], q + 4, p, shift);
        e[0] = f * zw_wide_sqrt(length);
        for (int i = 0; i < 3; i++) {
            e[1 + i] = e[0] * a[i];
            q[i] = q[i] + shift[i];
        }
        zw_wide4_mul(q + 3, e, turned);
        /* one Newton step to unit length: removes round-off only, the rotation stays */
        zw_wide unit = 1.5 - 0.5 * (turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] + turned[3] * turned[3]);
        for (int i = 0; i < 4; i++) {
            q[3 + i] = unit * turned[i];
        }
        scatter(q, 7, n, q1 + ZW_ROD_NQ * at);
        if (mu1 != NULL) {
            velocity_group(B, at, n, q + 3, mu1, v1);
        }
    }
}

static void place(const zw_rods_bracket *B, int nnodes, const double *q0, const double *moving, double h, double *q1) {
    place_as(B, B->rule.scheme != ZW_BRACKET_CONSISTENT, nnodes, q0, moving, h, q1, NULL, NULL);
}

static void arrive(const zw_rods_bracket *B, int nnodes, const double *q0, const double *moving, const double *mu1, double h, double *q1,
                   double *v1) {
    if (B->rule.scheme != ZW_BRACKET_CONSISTENT) {
        place_as(B, true, nnodes, q0, moving, h, q1, mu1, v1);
    } else {
        place_as(B, false, nnodes, q0, moving, h, q1, mu1, v1);
    }
}

static void velocity(const zw_rods_bracket *B, int nnodes, const double *q_in, const double *mu, double *v) {
    for (size_t at = 0; at < (size_t)nnodes; at += ZW_WIDTH) {
        int     n = nnodes - (int)at < ZW_WIDTH ? nnodes - (int)at : ZW_WIDTH;
        zw_wide q[7];
        gather(q_in + ZW_ROD_NQ * at, 7, n, q);
        velocity_group(B, at, n, q + 3, mu, v);
    }
}

static void pace(const zw_rods_bracket *B, const double *mu, double *zeta) {
    for (size_t at = 0; at < B->padded; at += ZW_WIDTH) {
        zw_wide p[6], W[6], z[6], im = zw_wide_load(B->inverse_mass + at);
        load_rows(mu, B->stride, at, 6, p);
        load_rows(B->spin, B->stride, at, B->symmetric ? 3 : 6, W);
        spin_of(B->symmetric, W, p, z);
        for (int i = 3; i < 6; i++) {
            z[i] = im * p[i];
        }
        store_rows(zeta, B->stride, at, 6, z);
    }
}

const zw_bracket_path ZW_ROD_PASTE(zw_bracket,
                                   ZW_ROD_ISA) = {ZW_ROD_QUOTE(ZW_ROD_ISA), wrench, momenta, place, arrive, strains, velocity, pace};

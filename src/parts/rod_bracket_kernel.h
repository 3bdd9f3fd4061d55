/* SPDX-License-Identifier: Apache-2.0
 * rod_bracket_kernel.h: the loops over nodes and slots; included once per instruction set with ZW_ROD_ISA defined. Formulas: rod_bracket.h. */
#include "parts/rod_bracket.h"

#define ZW_ROD_PASTE2(name, isa) name##_##isa
#define ZW_ROD_PASTE(name, isa) ZW_ROD_PASTE2(name, isa)
#define ZW_ROD_QUOTE2(isa) #isa
#define ZW_ROD_QUOTE(isa) ZW_ROD_QUOTE2(isa)

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

static void wrench(const zw_rods_bracket *B, const double *gamma, double *F) {
    size_t stride = B->stride, padded = stride + ZW_WIDTH;
    bool true_strain = B->rule.scheme == ZW_BRACKET_CONSISTENT;
    for (int group = 0; group < B->ngroups; group++) {
        size_t at = (size_t)group * ZW_WIDTH;
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
        store_rows(B->back + 1, padded, at, 6, b);
        for (size_t c = 0; c < 6; c++) {
            zw_wide_store(F + c * stride + at, a[c] - zw_wide_load(B->back + c * padded + at));
        }
    }
}

ZW_WIDE_INLINE void spin_of(const zw_rods_bracket *B, const zw_wide W[6], const zw_wide m[3], zw_wide w[3]) {
    w[0] = W[0] * m[0];
    w[1] = W[1] * m[1];
    w[2] = W[2] * m[2];
    if (!B->symmetric) {
        w[0] = w[0] + W[3] * m[1] + W[4] * m[2];
        w[1] = w[1] + W[3] * m[0] + W[5] * m[2];
        w[2] = w[2] + W[4] * m[0] + W[5] * m[1];
    }
}

/* x - k x x (W x) = c by Newton; false when a lane does not converge */
ZW_WIDE_INLINE bool newton(const zw_rods_bracket *B, const zw_wide W[6], double k, const zw_wide c[3], zw_wide x[3]) {
    const int sym[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int i = 0; i < 3; i++) {
        x[i] = c[i];
    }
    for (int pass = 0; pass < 20; pass++) {
        zw_wide w[3], t[3], r[3], J[3][3], d[3];
        spin_of(B, W, x, w);
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
            x[i] = x[i] + d[i];
        }
        /* quadratic: once the last change is 1e-9, the next is below round-off */
        zw_wide rest = zw_wide3_dot(d, d) - 1e-20 * zw_wide3_dot(x, x);
        if (!zw_wide_reaches(rest, 1e-300)) {
            return true;
        }
    }
    return false;
}

ZW_WIDE_INLINE bool turn_momentum(const zw_rods_bracket *B, const zw_wide W[6], double k, const zw_wide c[3], zw_wide x[3]) {
    if (!B->symmetric) {
        return newton(B, W, k, c, x);
    }
    zw_wide a = k * (W[2] - W[0]) * c[2], f = 1.0 / (1.0 + a * a);
    x[0] = f * (c[0] + a * c[1]);
    x[1] = f * (c[1] - a * c[0]);
    x[2] = c[2];
    return true;
}

/* eq 53 and its relatives: see rod_bracket.h */
static bool momenta(const zw_rods_bracket *B, const double *mu0, const double *F, double h, double *mu1, double *moving, double *straining) {
    size_t stride = B->stride;
    double k = 0.5 * h;
    bool ok = true;
    for (int group = 0; group < B->ngroups; group++) {
        size_t at = (size_t)group * ZW_WIDTH;
        zw_wide p[6], f[6], p1[6], W[6], c[3], x[3], w[3], a[3], r[3], y[3], z0[6], z1[6], im = zw_wide_load(B->inverse_mass + at);
        load_rows(mu0, stride, at, 6, p);
        load_rows(F, stride, at, 6, f);
        load_rows(B->spin, stride, at, B->symmetric ? 3 : 6, W);
        if (B->rule.scheme == ZW_BRACKET_HAMEL) {
            zw_wide w0[3], mw[3], nw[3];
            spin_of(B, W, p, w0);
            zw_wide3_cross(p, w0, mw);
            zw_wide3_cross(p + 3, w0, nw);
            for (int i = 0; i < 3; i++) {
                c[i] = p[i] + h * f[i] + k * mw[i];
                r[i] = p[3 + i] + h * f[3 + i] + k * nw[i];
            }
        } else {
            double share = h;
            if (B->rule.scheme == ZW_BRACKET_POISSON) {
                share = k;
            }
            for (int i = 0; i < 3; i++) {
                c[i] = p[i] + share * f[i];
                r[i] = p[3 + i] + share * f[3 + i];
            }
        }
        ok = turn_momentum(B, W, k, c, x) && ok;
        spin_of(B, W, x, w);
        for (int i = 0; i < 3; i++) {
            a[i] = k * w[i];
        }
        zw_wide3_uncross(a, r, y);
        if (B->rule.scheme == ZW_BRACKET_CONSISTENT) {
            for (int i = 0; i < 3; i++) {
                p1[i] = 2.0 * x[i] - c[i];
                p1[3 + i] = 2.0 * y[i] - r[i];
                z1[i] = w[i];
                z1[3 + i] = im * y[i];
            }
            store_rows(mu1, stride, at, 6, p1);
            store_rows(moving, stride, at, 6, z1);
            store_rows(straining, stride, at, 6, z1);
            continue;
        }
        for (int i = 0; i < 3; i++) {
            if (B->rule.scheme == ZW_BRACKET_HAMEL) {
                p1[i] = x[i];
                p1[3 + i] = y[i];
            } else {
                p1[i] = 2.0 * x[i] - p[i];
                p1[3 + i] = 2.0 * y[i] - p[3 + i];
            }
        }
        spin_of(B, W, p1, z1);
        spin_of(B, W, p, z0);
        for (int i = 0; i < 3; i++) {
            z1[3 + i] = im * p1[3 + i];
            z0[3 + i] = im * p[3 + i];
        }
        store_rows(mu1, stride, at, 6, p1);
        store_rows(straining, stride, at, 6, z1);
        for (int i = 0; i < 6; i++) {
            zw_wide z = B->rule.reconstruct == ZW_RECONSTRUCT_OLD ? z0[i] : B->rule.reconstruct == ZW_RECONSTRUCT_NEW ? z1[i] : 0.5 * (z0[i] + z1[i]);
            zw_wide_store(moving + (size_t)i * stride + at, z);
        }
    }
    return ok;
}

static void strains(const zw_rods_bracket *B, const double *gamma0, const double *straining, double h, double *gamma1) {
    size_t stride = B->stride;
    for (int group = 0; group < B->ngroups; group++) {
        size_t at = (size_t)group * ZW_WIDTH;
        zw_wide g0[6], za[6], zb[6], g1[6];
        load_rows(gamma0, stride, at, 6, g0);
        load_rows(straining, stride, at, 6, za);
        load_rows(straining, stride, at + 1, 6, zb);
        if (B->rule.scheme == ZW_BRACKET_CONSISTENT) {
            zw_bracket_strain_true(zw_wide_load(B->l + at), zw_wide_load(B->inverse_l + at), h, g0, za, zb, g1);
        } else {
            zw_bracket_strain(zw_wide_load(B->inverse_l + at), h, g0, za, zb, g1);
        }
        store_rows(gamma1, stride, at, 6, g1);
    }
}

/* n <= 8 nodes of width numbers each; the other lanes repeat the last */
ZW_WIDE_INLINE void gather(const double *from, int width, int n, zw_wide *out) {
    for (int lane = 0; lane < ZW_WIDTH; lane++) {
        const double *p = from + (size_t)width * (size_t)(lane < n ? lane : n - 1);
        for (int c = 0; c < width; c++) {
            out[c][lane] = p[c];
        }
    }
}

ZW_WIDE_INLINE void scatter(const zw_wide *v, int width, int n, double *to) {
    for (int lane = 0; lane < n; lane++) {
        for (int c = 0; c < width; c++) {
            to[(size_t)width * (size_t)lane + (size_t)c] = v[c][lane];
        }
    }
}

/* eq 55: g1 = g0 cay(h zeta), a = h w/2:  R = cay(2a), p = (v + a x v (+ a (a.v) for the 4x4 map))/(1 + |a|^2) */
static void place(const zw_rods_bracket *B, int nnodes, const double *q0, const double *moving, double h, double *q1) {
    bool four = B->rule.scheme != ZW_BRACKET_CONSISTENT;
    for (int group = 0; group < B->ngroups; group++) {
        size_t at = (size_t)group * ZW_WIDTH;
        int n = nnodes - (int)at < ZW_WIDTH ? nnodes - (int)at : ZW_WIDTH;
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
    }
}

static void velocity(const zw_rods_bracket *B, int nnodes, const double *q_in, const double *mu, double *v) {
    for (int group = 0; group < B->ngroups; group++) {
        size_t at = (size_t)group * ZW_WIDTH;
        int n = nnodes - (int)at < ZW_WIDTH ? nnodes - (int)at : ZW_WIDTH;
        zw_wide q[7], p[6], W[6], out[6], im = zw_wide_load(B->inverse_mass + at);
        gather(q_in + ZW_ROD_NQ * at, 7, n, q);
        load_rows(mu, B->stride, at, 6, p);
        load_rows(B->spin, B->stride, at, B->symmetric ? 3 : 6, W);
        spin_of(B, W, p, out);
        for (int i = 0; i < 3; i++) {
            p[i] = im * p[3 + i];
        }
        zw_wide3_rotate(q[3], q + 4, p, out + 3);
        scatter(out, 6, n, v + ZW_ROD_NV * at);
    }
}

static void pace(const zw_rods_bracket *B, const double *mu, double *zeta) {
    for (int group = 0; group < B->ngroups; group++) {
        size_t at = (size_t)group * ZW_WIDTH;
        zw_wide p[6], W[6], z[6], im = zw_wide_load(B->inverse_mass + at);
        load_rows(mu, B->stride, at, 6, p);
        load_rows(B->spin, B->stride, at, B->symmetric ? 3 : 6, W);
        spin_of(B, W, p, z);
        for (int i = 3; i < 6; i++) {
            z[i] = im * p[i];
        }
        store_rows(zeta, B->stride, at, 6, z);
    }
}

const zw_bracket_path ZW_ROD_PASTE(zw_bracket, ZW_ROD_ISA) = {ZW_ROD_QUOTE(ZW_ROD_ISA), wrench, momenta, place, strains, velocity, pace};

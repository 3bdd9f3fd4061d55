/* SPDX-License-Identifier: Apache-2.0
 * rod_damp_kernel.h: damping in lanes; included once per instruction set with ZW_ROD_ISA, ZW_ROD_NAME and ZW_WIDE_LANES defined.
 *
 * The wrench formula of rod_link.h as matrices: with  P = (1 - c th^2) + c w w',  Q = c (u w' + w u' - 2 (w.u)) + c1 (w.u) (w w' - th^2),
 *   M = P - w^/2,  U = Q - u^/2,  N = M Ra'        (a^ b = a x b)
 *   w' = M' Ob - M Oa,    u' = U' Ob - U Oa + N (xb' - xa')
 * so that with k = eta C/l of rotation (B) and stretch (K), D has per link
 *   aa = [M'BM + U'KU, U'KN; ., N'KN],  bb = [MBM' + UKU', UKN; ., N'KN],  ab = [-(M'BM' + U'KU'), -U'KN; -N'KU', -N'KN].
 * Links are taken ZW_WIDTH at a time in their order. A lane that is bent too far for the polynomials gets its strain from zw_link_strain. */
#include "math/unroll.h"
#include "math/wide3.h"
#include "parts/rod_damp.h"
#include "parts/rod_link.h"

#define ZW_ROD_PASTE2(name, isa) name##_##isa
#define ZW_ROD_PASTE(name, isa)  ZW_ROD_PASTE2(name, isa)

typedef struct links { /* the next ZW_WIDTH links; lanes behind the last one repeat it */
    int n, j[ZW_WIDTH], a[ZW_WIDTH], b[ZW_WIDTH];
    int i_rod, i_link; /* where to go on */
} links;

static bool links_next(const zw_rods *rods, links *L) {
    L->n = 0;
    while (L->n < ZW_WIDTH && L->i_rod < rods->nrods) {
        const zw_rod *r = &rods->rod[L->i_rod];
        if (L->i_link == r->nlinks) {
            L->i_rod++;
            L->i_link = 0;
            continue;
        }
        L->j[L->n] = r->link0 + L->i_link;
        L->a[L->n] = r->node0 + L->i_link;
        L->b[L->n++] = zw_rod_far(r, L->i_link++);
    }
    for (int i = L->n; i < ZW_WIDTH && L->n > 0; i++) {
        L->j[i] = L->j[L->n - 1];
        L->a[i] = L->a[L->n - 1];
        L->b[i] = L->b[L->n - 1];
    }
    return L->n > 0;
}

ZW_WIDE_INLINE void gather(const double *from, const int width, const int node[ZW_WIDTH], zw_wide *out) {
    double rows[7][ZW_WIDTH];
    for (int i = 0; i < ZW_WIDTH; i++) {
        const double *p = from + (size_t)width * (size_t)node[i];
        for (int k = 0; k < width; k++) {
            rows[k][i] = p[k];
        }
    }
    for (int k = 0; k < width; k++) {
        out[k] = zw_wide_load(rows[k]);
    }
}

typedef struct strains {
    zw_wide a[7]; /* node a: position, quaternion */
    zw_wide w[3], u[3], c, c1, th2, wu;
} strains;

ZW_WIDE_INLINE void strains_of(const double *q, const links *L, strains *s) {
    zw_wide b[7], d[3], p[3], wp[3], wwp[3], turn[4], back[4];
    gather(q, ZW_ROD_NQ, L->a, s->a);
    gather(q, ZW_ROD_NQ, L->b, b);
    back[0] = s->a[3];
    for (int i = 0; i < 3; i++) {
        back[1 + i] = -s->a[4 + i];
        d[i] = b[i] - s->a[i];
    }
    zw_wide4_mul(back, b + 3, turn);
    zw_wide v2 = zw_wide3_dot(turn + 1, turn + 1);
    zw_wide inverse = 1.0 / (0.5 * (1.0 + (turn[0] * turn[0] + v2)) + turn[0]); /* 1/(|q| + w) for w > 0 */
    zw_wide t2 = v2 * inverse * inverse;
    zw_wide f = 1.0 + t2 * (-1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (-1.0 / 7.0 + t2 * (1.0 / 9.0 + t2 * (-1.0 / 11.0 + t2 * (1.0 / 13.0))))));
    f = 4.0 * f * inverse;
    for (int i = 0; i < 3; i++) {
        s->w[i] = f * turn[1 + i];
    }
    zw_wide3_rotate(back[0], back + 1, d, p);
    zw_wide th2 = zw_wide3_dot(s->w, s->w);
    s->c =
        1.0 / 12.0 +
        th2 * (1.0 / 720.0 + th2 * (1.0 / 30240.0 + th2 * (1.0 / 1209600.0 + th2 * (1.0 / 47900160.0 + th2 * (691.0 / 1307674368000.0)))));
    s->c1 = 1.0 / 360.0 +
            th2 * (1.0 / 7560.0 +
                   th2 * (1.0 / 201600.0 + th2 * (1.0 / 5987520.0 + th2 * (691.0 / 130767436800.0 + th2 * (1.0 / 6227020800.0)))));
    zw_wide3_cross(s->w, p, wp);
    zw_wide3_cross(s->w, wp, wwp);
    for (int i = 0; i < 3; i++) {
        s->u[i] = p[i] - 0.5 * wp[i] + s->c * wwp[i];
    }
    unsigned again = zw_wide_reach(t2, 1.0 / 256.0); /* 0.25 rad, or w < 0 */
    for (int i = 0; again != 0 && i < ZW_WIDTH; i++) {
        if (again >> i & 1u) {
            zw_link k;
            zw_link_strain(q + ZW_ROD_NQ * (size_t)L->a[i], q + ZW_ROD_NQ * (size_t)L->b[i], &k);
            for (int e = 0; e < 3; e++) {
                s->w[e][i] = k.w[e];
                s->u[e][i] = k.u[e];
            }
            s->c[i] = k.c;
            s->c1[i] = k.c1;
        }
    }
    s->th2 = zw_wide3_dot(s->w, s->w);
    s->wu = zw_wide3_dot(s->w, s->u);
}

/* eta C/l times `factor` */
ZW_WIDE_INLINE void stiffness_of(const zw_rods *rods, const links *L, double factor, zw_wide k[6]) {
    double rows[6][ZW_WIDTH];
    for (int i = 0; i < ZW_WIDTH; i++) {
        const double *C = rods->stiffness + 6 * (size_t)L->j[i];
        double        scale = factor * rods->damping[L->j[i]] / rods->l[L->j[i]];
        for (int e = 0; e < 6; e++) {
            rows[e][i] = scale * C[e];
        }
    }
    for (int e = 0; e < 6; e++) {
        k[e] = zw_wide_load(rows[e]);
    }
}

static void force(const zw_rods *rods, const double *q, const double *v, double *f) {
    links   L = {.n = 0};
    strains s;
    while (links_next(rods, &L)) {
        zw_wide va[6], vb[6], k[6], across[3], sum[3], z[3], dx[3], back[3], wsum[3], usum[3], wz[3], m[3], n[3];
        strains_of(q, &L, &s);
        stiffness_of(rods, &L, 1.0, k);
        gather(v, ZW_ROD_NV, L.a, va);
        gather(v, ZW_ROD_NV, L.b, vb);
        for (int i = 0; i < 3; i++) {
            across[i] = vb[i] - va[i];
            sum[i] = vb[i] + va[i];
            dx[i] = vb[3 + i] - va[3 + i]; /* by difference: a uniform boost leaves no round-off behind */
            back[i] = -s.a[4 + i];
        }
        zw_wide3_rotate(s.a[3], back, dx, z);
        zw_wide3_cross(s.w, sum, wsum);
        zw_wide3_cross(s.u, sum, usum);
        zw_wide3_cross(s.w, z, wz);
        zw_wide keep = 1.0 - s.c * s.th2, cw = s.c * zw_wide3_dot(s.w, across), cz = s.c * zw_wide3_dot(s.w, z),
                cu = s.c * zw_wide3_dot(s.u, across);
        zw_wide c1wu = s.c1 * s.wu, along = zw_wide3_dot(s.w, across);
        for (int i = 0; i < 3; i++) {
            zw_wide rate_w = keep * across[i] + cw * s.w[i] + 0.5 * wsum[i];
            zw_wide rate_u =
                (cw * s.u[i] + cu * s.w[i] - 2.0 * s.c * s.wu * across[i] + c1wu * (along * s.w[i] - s.th2 * across[i]) + 0.5 * usum[i]) +
                (keep * z[i] + cz * s.w[i] - 0.5 * wz[i]);
            m[i] = k[i] * rate_w;
            n[i] = k[3 + i] * rate_u;
        }
        zw_wide wm = zw_wide3_dot(s.w, m), wn = zw_wide3_dot(s.w, n), un = zw_wide3_dot(s.u, n), mw[3], nu[3], nw[3], body[3], space[3];
        double  out[9][ZW_WIDTH];
        zw_wide3_cross(m, s.w, mw);
        zw_wide3_cross(n, s.u, nu);
        zw_wide3_cross(n, s.w, nw);
        for (int i = 0; i < 3; i++) {
            zw_wide g = s.w[i] * wn - s.th2 * n[i];
            zw_wide even = keep * m[i] + s.c * (s.w[i] * (wm + un) + s.u[i] * wn - 2.0 * s.wu * n[i]) + c1wu * g;
            zw_wide odd = 0.5 * (mw[i] + nu[i]);
            zw_wide_store(out[i], even - odd);
            zw_wide_store(out[3 + i], even + odd);
            body[i] = n[i] - 0.5 * nw[i] + s.c * g;
        }
        zw_wide3_rotate(s.a[3], s.a + 4, body, space);
        for (int i = 0; i < 3; i++) {
            zw_wide_store(out[6 + i], space[i]);
        }
        for (int i = 0; i < L.n; i++) {
            double *fa = f + ZW_ROD_NV * (size_t)L.a[i], *fb = f + ZW_ROD_NV * (size_t)L.b[i];
            for (int e = 0; e < 3; e++) {
                fa[e] += out[e][i];
                fb[e] -= out[3 + e][i];
                fa[3 + e] += out[6 + e][i];
                fb[3 + e] -= out[6 + e][i];
            }
        }
    }
}

/* out (3 x 3 by rows) = sym + sign a^/2 */
ZW_WIDE_INLINE void plus_half_cross(const zw_wide sym[6], const zw_wide a[3], double half, zw_wide out[9]) {
    out[0] = sym[0];
    out[4] = sym[3];
    out[8] = sym[5];
    out[1] = sym[1] - half * a[2];
    out[3] = sym[1] + half * a[2];
    out[2] = sym[2] + half * a[1];
    out[6] = sym[2] - half * a[1];
    out[5] = sym[4] - half * a[0];
    out[7] = sym[4] + half * a[0];
}

/* out[i][j] = sum_r x(r, i) k_r y(r, j), with x(r, i) at x[r * xr + i * xi], and y likewise */
ZW_WIDE_INLINE zw_wide weighted(const zw_wide *x, int xr, const zw_wide *y, int yr, const zw_wide k[3]) {
    return x[0] * (k[0] * y[0]) + x[xr] * (k[1] * y[yr]) + x[2 * xr] * (k[2] * y[2 * yr]);
}

enum { AA, BB = AA + 9, AB = BB + 9, AX = AB + 9, BX = AX + 9, XX = BX + 9, PIECES = XX + 9 };

/* 3 x 3 pieces of one lane into the 6 x 6 blocks */
static inline void link_add(double p[PIECES][ZW_WIDTH], int lane, double *restrict aa, double *restrict bb, double *restrict ab,
                            double *restrict ba) {
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double ax = p[AX + 3 * i + k][lane], bx = p[BX + 3 * i + k][lane], xx = p[XX + 3 * i + k][lane], rr = p[AB + 3 * i + k][lane];
            aa[6 * i + k] += p[AA + 3 * i + k][lane];
            aa[6 * i + 3 + k] += ax;
            aa[6 * (3 + k) + i] += ax;
            aa[6 * (3 + i) + 3 + k] += xx;
            bb[6 * i + k] += p[BB + 3 * i + k][lane];
            bb[6 * i + 3 + k] += bx;
            bb[6 * (3 + k) + i] += bx;
            bb[6 * (3 + i) + 3 + k] += xx;
            ab[6 * i + k] = -rr;
            ab[6 * i + 3 + k] = -ax;
            ab[6 * (3 + k) + i] = -bx;
            ab[6 * (3 + i) + 3 + k] = -xx;
            ba[6 * k + i] = -rr;
            ba[6 * (3 + k) + i] = -ax;
            ba[6 * i + 3 + k] = -bx;
            ba[6 * (3 + i) + 3 + k] = -xx;
        }
    }
}

static void metric(zw_rods *rods, const double *q, double h) {
    links   L = {.n = 0};
    strains s;
    while (links_next(rods, &L)) {
        zw_wide k[6], P[6], Q[6], M[9], U[9], N[9], R[9];
        double  out[PIECES][ZW_WIDTH];
        strains_of(q, &L, &s);
        stiffness_of(rods, &L, h, k);
        zw_wide keep = 1.0 - s.c * s.th2, c1wu = s.c1 * s.wu, spread = 2.0 * s.c * s.wu + c1wu * s.th2;
        ZW_UNROLL
        for (int i = 0, e = 0; i < 3; i++) {
            ZW_UNROLL
            for (int j = i; j < 3; j++, e++) {
                zw_wide ww = s.w[i] * s.w[j];
                P[e] = s.c * ww;
                Q[e] = s.c * (s.u[i] * s.w[j] + s.w[i] * s.u[j]) + c1wu * ww;
                if (i == j) {
                    P[e] += keep;
                    Q[e] -= spread;
                }
            }
        }
        plus_half_cross(P, s.w, -0.5, M);
        plus_half_cross(Q, s.u, -0.5, U);
        const zw_wide *r = s.a + 3;
        zw_wide        x2 = r[1] + r[1], y2 = r[2] + r[2], z2 = r[3] + r[3];
        R[0] = 1.0 - (y2 * r[2] + z2 * r[3]);
        R[4] = 1.0 - (x2 * r[1] + z2 * r[3]);
        R[8] = 1.0 - (x2 * r[1] + y2 * r[2]);
        R[1] = x2 * r[2] - z2 * r[0];
        R[3] = x2 * r[2] + z2 * r[0];
        R[2] = x2 * r[3] + y2 * r[0];
        R[6] = x2 * r[3] - y2 * r[0];
        R[5] = y2 * r[3] - x2 * r[0];
        R[7] = y2 * r[3] + x2 * r[0];
        ZW_UNROLL
        for (int i = 0; i < 3; i++) {
            ZW_UNROLL
            for (int j = 0; j < 3; j++) {
                N[3 * i + j] = M[3 * i] * R[3 * j] + M[3 * i + 1] * R[3 * j + 1] + M[3 * i + 2] * R[3 * j + 2];
            }
        }
        ZW_UNROLL
        for (int i = 0; i < 3; i++) {
            ZW_UNROLL
            for (int j = 0; j < 3; j++) {
                /* columns of M at stride 3, of M' at stride 1 */
                zw_wide_store(out[AB + 3 * i + j], weighted(M + i, 3, M + 3 * j, 1, k) + weighted(U + i, 3, U + 3 * j, 1, k + 3));
                zw_wide_store(out[AX + 3 * i + j], weighted(U + i, 3, N + j, 3, k + 3));
                zw_wide_store(out[BX + 3 * i + j], weighted(U + 3 * i, 1, N + j, 3, k + 3));
                if (j > i) {
                    continue;
                }
                zw_wide aa = weighted(M + i, 3, M + j, 3, k) + weighted(U + i, 3, U + j, 3, k + 3);
                zw_wide bb = weighted(M + 3 * i, 1, M + 3 * j, 1, k) + weighted(U + 3 * i, 1, U + 3 * j, 1, k + 3);
                zw_wide xx = weighted(N + i, 3, N + j, 3, k + 3);
                zw_wide_store(out[AA + 3 * i + j], aa);
                zw_wide_store(out[AA + 3 * j + i], aa);
                zw_wide_store(out[BB + 3 * i + j], bb);
                zw_wide_store(out[BB + 3 * j + i], bb);
                zw_wide_store(out[XX + 3 * i + j], xx);
                zw_wide_store(out[XX + 3 * j + i], xx);
            }
        }
        for (int i = 0; i < L.n; i++) {
            int a = L.a[i], b = L.b[i];
            if (b == a + 1) { /* in the order of links every node but the first of a rod is met here first */
                zw_rods_mass_block(rods, b, zw_rods_damp_block(rods, b, b));
            }
            link_add(out, i, zw_rods_damp_block(rods, a, a), zw_rods_damp_block(rods, b, b), zw_rods_damp_block(rods, a, b),
                     zw_rods_damp_block(rods, b, a));
        }
    }
}

const zw_rods_damper ZW_ROD_PASTE(zw_rods_damper, ZW_ROD_ISA) = {ZW_ROD_NAME, force, metric};

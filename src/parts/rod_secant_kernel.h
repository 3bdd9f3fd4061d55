/* SPDX-License-Identifier: Apache-2.0
 * rod_secant_kernel.h: the formulas of rod_secant.h in lanes; included once per instruction set with ZW_ROD_ISA, ZW_ROD_NAME and ZW_WIDE_LANES defined. Bars are means of both
 * states, f_s divided differences in z, e strain, e0 natural strain, s = u.p:
 *
 *   (m, n) = C (ebar - e0) + damp C (e1 - e0')
 *   U = phibar m + chibar (sbar n + (n.ubar) pbar)      P = phibar n + chibar (n.ubar) ubar      Z = phi_s (m.ubar + n.pbar) + chi_s n.mean(u s)
 *
 * Derivative: G(bar)' T G(1) + geometric part, with T = d(U, P, Z)/d(u, p, z)1 and G the gradients of the invariants:
 *   u_i by eta_a, eta_b: g_i, -g_i     p_i by eta_a, eta_b, r: d_i^a x r/2, d_i^b x r/2, (d_i^a + d_i^b)/2     z by eta_a, eta_b: gz, -gz
 * phi and chi of each lane are asked of math/turn.h: their branches do not go into lanes. */
#include "math/turn.h"
#include "math/unroll.h"
#include "math/wide3.h"
#include "parts/rod_secant_tile.h"

#define ZW_ROD_PASTE2(name, isa) name##_##isa
#define ZW_ROD_PASTE(name, isa)  ZW_ROD_PASTE2(name, isa)

enum { EA = 0, EB = 3, R = 6, W9 = ZW_SECANT_WRENCH };

typedef struct ends { /* x and directors of both nodes */
    zw_wide x[2][3], d[2][3][3];
} ends;

typedef struct invariants {
    zw_wide u[3], p[3], z, s, phi, phi1, chi, chi1, le[6]; /* le: l kappa, l Gamma */
} invariants;

typedef struct gradients {
    zw_wide g[3][3], gz[3], pa[3][3], pb[3][3], along[3][3];
} gradients;

typedef struct stress {
    zw_wide m[3], n[3], u[3], p[3], s, phi, chi, w[3], nu; /* means; w: of u s; nu = n.u */
    zw_wide phis, chis, phis1, chis1;                      /* divided differences and their derivatives */
    zw_wide U[3], P[3], Z;
} stress;

ZW_WIDE_INLINE void read_ends(const zw_secant_tile *t, int time, int lane, ends *e) {
    ZW_UNROLL
    for (int side = 0; side < 2; side++) {
        ZW_UNROLL
        for (int j = 0; j < 3; j++) {
            e->x[side][j] = zw_wide_load(t->node[side][time][j] + lane);
            ZW_UNROLL
            for (int i = 0; i < 3; i++) {
                e->d[side][i][j] = zw_wide_load(t->node[side][time][3 + 3 * i + j] + lane);
            }
        }
    }
}

ZW_WIDE_INLINE void bilinear(const ends *e, invariants *q) {
    zw_wide r[3], apart = zw_wide_all(0.0);
    ZW_UNROLL
    for (int j = 0; j < 3; j++) {
        r[j] = e->x[1][j] - e->x[0][j];
    }
    ZW_UNROLL
    for (int i = 0; i < 3; i++) {
        int     k = (i + 1) % 3, l = (i + 2) % 3;
        zw_wide sum[3], d[3];
        q->u[i] = 0.5 * (zw_wide3_dot(e->d[0][l], e->d[1][k]) - zw_wide3_dot(e->d[0][k], e->d[1][l]));
        ZW_UNROLL
        for (int j = 0; j < 3; j++) {
            sum[j] = e->d[0][i][j] + e->d[1][i][j];
            d[j] = e->d[1][i][j] - e->d[0][i][j];
        }
        q->p[i] = 0.5 * zw_wide3_dot(sum, r);
        apart += zw_wide3_dot(d, d);
    }
    q->z = 0.25 * apart; /* small angles keep their digits this way */
    q->s = zw_wide3_dot(q->u, q->p);
}

ZW_WIDE_INLINE void log_strain(invariants *q) {
    ZW_UNROLL
    for (int i = 0; i < 3; i++) {
        q->le[i] = q->phi * q->u[i];
        q->le[3 + i] = q->phi * q->p[i] + q->chi * q->s * q->u[i];
    }
}

/* phi, chi and their differences, lane by lane */
ZW_WIDE_INLINE void turns(invariants *q0, invariants *q1, stress *t) {
    for (int i = 0; i < ZW_WIDTH; i++) {
        zw_turn        f0, f1;
        zw_turn_secant f;
        zw_turn_at(q0->z[i], &f0);
        zw_turn_at(q1->z[i], &f1);
        zw_turn_between(q0->z[i], q1->z[i], &f0, &f1, &f);
        q0->phi[i] = f0.phi;
        q0->chi[i] = f0.chi;
        q1->phi[i] = f1.phi;
        q1->chi[i] = f1.chi;
        q1->phi1[i] = f1.phi1;
        q1->chi1[i] = f1.chi1;
        t->phis[i] = f.phi;
        t->chis[i] = f.chi;
        t->phis1[i] = f.phi1;
        t->chis1[i] = f.chi1;
    }
}

ZW_WIDE_INLINE void times_stiffness(const zw_secant_tile *t, int lane, const zw_wide e[6], zw_wide out[6]) {
    ZW_UNROLL
    for (int i = 0; i < 6; i++) {
        if (!t->full) {
            out[i] = zw_wide_load(t->stiffness[i] + lane) * e[i];
        } else {
            out[i] = zw_wide_load(t->stiffness[6 * i] + lane) * e[0];
            for (int j = 1; j < 6; j++) {
                out[i] += zw_wide_load(t->stiffness[6 * i + j] + lane) * e[j];
            }
        }
    }
}

ZW_WIDE_INLINE void stresses(const zw_secant_tile *tile, int lane, const invariants *q0, const invariants *q1, stress *t) {
    zw_wide e[6], mn[6], inverse = 1.0 / zw_wide_load(tile->l + lane), damp = zw_wide_load(tile->damp + lane);
    ZW_UNROLL
    for (int i = 0; i < 6; i++) {
        e[i] = 0.5 * (q0->le[i] + q1->le[i]) * inverse - zw_wide_load(tile->natural[i] + lane) + damp * (q1->le[i] - q0->le[i]) * inverse;
    }
    times_stiffness(tile, lane, e, mn);
    t->s = 0.5 * (q0->s + q1->s);
    t->phi = 0.5 * (q0->phi + q1->phi);
    t->chi = 0.5 * (q0->chi + q1->chi);
    ZW_UNROLL
    for (int i = 0; i < 3; i++) {
        t->m[i] = mn[i];
        t->n[i] = mn[3 + i];
        t->u[i] = 0.5 * (q0->u[i] + q1->u[i]);
        t->p[i] = 0.5 * (q0->p[i] + q1->p[i]);
        t->w[i] = 0.5 * (q0->u[i] * q0->s + q1->u[i] * q1->s);
    }
    t->nu = zw_wide3_dot(t->n, t->u);
    ZW_UNROLL
    for (int i = 0; i < 3; i++) {
        t->U[i] = t->phi * t->m[i] + t->chi * (t->s * t->n[i] + t->nu * t->p[i]);
        t->P[i] = t->phi * t->n[i] + t->chi * t->nu * t->u[i];
    }
    t->Z = t->phis * (zw_wide3_dot(t->m, t->u) + zw_wide3_dot(t->n, t->p)) + t->chis * zw_wide3_dot(t->n, t->w);
}

ZW_WIDE_INLINE void gradients_of(const ends *e, gradients *G) {
    zw_wide r[3];
    ZW_UNROLL
    for (int j = 0; j < 3; j++) {
        r[j] = 0.5 * (e->x[1][j] - e->x[0][j]);
        G->gz[j] = zw_wide_all(0.0);
    }
    ZW_UNROLL
    for (int i = 0; i < 3; i++) {
        int     k = (i + 1) % 3, l = (i + 2) % 3;
        zw_wide c1[3], c2[3], same[3];
        zw_wide3_cross(e->d[0][l], e->d[1][k], c1);
        zw_wide3_cross(e->d[0][k], e->d[1][l], c2);
        zw_wide3_cross(e->d[0][i], r, G->pa[i]);
        zw_wide3_cross(e->d[1][i], r, G->pb[i]);
        zw_wide3_cross(e->d[0][i], e->d[1][i], same);
        ZW_UNROLL
        for (int j = 0; j < 3; j++) {
            G->g[i][j] = 0.5 * (c1[j] - c2[j]);
            G->along[i][j] = 0.5 * (e->d[0][i][j] + e->d[1][i][j]);
            G->gz[j] -= 0.5 * same[j];
        }
    }
}

/* T: one column per invariant of the second state, (u, p, z) */
ZW_WIDE_INLINE void stress_derivative(const zw_secant_tile *tile, int lane, const invariants *q, const stress *t, zw_wide T[7][7]) {
    zw_wide gain = (0.5 + zw_wide_load(tile->damp + lane)) / zw_wide_load(tile->l + lane), zero = zw_wide_all(0.0);
    zw_wide nu1 = zw_wide3_dot(t->n, q->u), mp = zw_wide3_dot(t->m, t->u) + zw_wide3_dot(t->n, t->p), nw = zw_wide3_dot(t->n, t->w);
    ZW_UNROLL
    for (int c = 0; c < 7; c++) {
        int     j = c % 3;
        bool    of_u = c < 3, of_z = c == 6;
        zw_wide ds = of_u ? q->p[j] : of_z ? zero : q->u[j], de[6], d[6], dnu;
        ZW_UNROLL
        for (int i = 0; i < 3; i++) {
            if (of_z) {
                de[i] = gain * (q->phi1 * q->u[i]);
                de[3 + i] = gain * (q->phi1 * q->p[i] + q->chi1 * q->s * q->u[i]);
            } else {
                zw_wide strain = q->chi * ds * q->u[i];
                if (i == j) {
                    strain = strain + (of_u ? q->chi * q->s : q->phi);
                }
                de[i] = of_u && i == j ? gain * q->phi : zero;
                de[3 + i] = gain * strain;
            }
        }
        times_stiffness(tile, lane, de, d);
        dnu = zw_wide3_dot(d + 3, t->u);
        if (of_u) {
            dnu += 0.5 * t->n[j];
        }
        ZW_UNROLL
        for (int i = 0; i < 3; i++) {
            zw_wide more = t->s * d[3 + i] + dnu * t->p[i], turning = dnu * t->u[i];
            if (!of_z) {
                more += 0.5 * ds * t->n[i];
                if (i == j && of_u) {
                    turning += 0.5 * t->nu;
                } else if (i == j) {
                    more += 0.5 * t->nu;
                }
            }
            T[i][c] = t->phi * d[i] + t->chi * more;
            T[3 + i][c] = t->phi * d[3 + i] + t->chi * turning;
            if (of_z) {
                T[i][c] += 0.5 * q->phi1 * t->m[i] + 0.5 * q->chi1 * (t->s * t->n[i] + t->nu * t->p[i]);
                T[3 + i][c] += 0.5 * q->phi1 * t->n[i] + 0.5 * q->chi1 * t->nu * t->u[i];
            }
        }
        zw_wide bent = zw_wide3_dot(d, t->u) + zw_wide3_dot(d + 3, t->p), along = zw_wide3_dot(d + 3, t->w);
        if (of_z) {
            T[6][c] = t->phis1 * mp + t->chis1 * nw + t->phis * bent + t->chis * along;
        } else {
            bent += 0.5 * (of_u ? t->m[j] : t->n[j]);
            along += 0.5 * (of_u ? q->s * t->n[j] + ds * nu1 : ds * nu1);
            T[6][c] = t->phis * bent + t->chis * along;
        }
    }
}

/* T G(1): rows (u, p, z), columns (eta_a, eta_b, r) */
ZW_WIDE_INLINE void times_gradients(zw_wide T[7][7], const gradients *G, zw_wide TG[7][9]) {
    for (int row = 0; row < 7; row++) {
        ZW_UNROLL
        for (int j = 0; j < 3; j++) {
            zw_wide both = T[row][0] * G->g[0][j] + T[row][1] * G->g[1][j] + T[row][2] * G->g[2][j] + T[row][6] * G->gz[j];
            TG[row][EA + j] = both + (T[row][3] * G->pa[0][j] + T[row][4] * G->pa[1][j] + T[row][5] * G->pa[2][j]);
            TG[row][EB + j] = (T[row][3] * G->pb[0][j] + T[row][4] * G->pb[1][j] + T[row][5] * G->pb[2][j]) - both;
            TG[row][R + j] = T[row][3] * G->along[0][j] + T[row][4] * G->along[1][j] + T[row][5] * G->along[2][j];
        }
    }
}

ZW_WIDE_INLINE void gradients_times(const gradients *G, zw_wide TG[7][9], zw_wide K[9][9]) {
    for (int c = 0; c < 9; c++) {
        ZW_UNROLL
        for (int j = 0; j < 3; j++) {
            zw_wide both = G->g[0][j] * TG[0][c] + G->g[1][j] * TG[1][c] + G->g[2][j] * TG[2][c] + G->gz[j] * TG[6][c];
            K[EA + j][c] += both + (G->pa[0][j] * TG[3][c] + G->pa[1][j] * TG[4][c] + G->pa[2][j] * TG[5][c]);
            K[EB + j][c] += (G->pb[0][j] * TG[3][c] + G->pb[1][j] * TG[4][c] + G->pb[2][j] * TG[5][c]) - both;
            K[R + j][c] += G->along[0][j] * TG[3][c] + G->along[1][j] * TG[4][c] + G->along[2][j] * TG[5][c];
        }
    }
}

/* block (row, col) += f a b' summed over i, less f times its trace on the diagonal */
ZW_WIDE_INLINE void add_turned(zw_wide K[9][9], int row, int col, double f, zw_wide a[3][3], zw_wide b[3][3]) {
    zw_wide trace = zw_wide3_dot(a[0], b[0]) + zw_wide3_dot(a[1], b[1]) + zw_wide3_dot(a[2], b[2]);
    ZW_UNROLL
    for (int i = 0; i < 3; i++) {
        ZW_UNROLL
        for (int j = 0; j < 3; j++) {
            K[row + i][col + j] = f * (a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j]);
        }
        K[row + i][col + i] -= f * trace;
    }
}

ZW_WIDE_INLINE void set_hat(zw_wide K[9][9], int row, int col, double f, const zw_wide a[3]) {
    ZW_UNROLL
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        K[row + i][col + i] = zw_wide_all(0.0);
        K[row + k][col + i] = f * a[l];
        K[row + l][col + i] = -f * a[k];
    }
}

/* how the mean state turns the forces while (U, P, Z) stay: moments are sums of mean directors crossed with their forces Q, linear in the other node's directors */
ZW_WIDE_INLINE void geometric(ends *after, const ends *mean, const stress *t, zw_wide K[9][9]) {
    zw_wide r[3], h[2][3][3], Q[2][3][3], p[2][3], p1[2][3];
    ZW_UNROLL
    for (int j = 0; j < 3; j++) {
        r[j] = 0.5 * (mean->x[1][j] - mean->x[0][j]);
        ZW_UNROLL
        for (int side = 0; side < 2; side++) {
            p[side][j] = t->P[0] * mean->d[side][0][j] + t->P[1] * mean->d[side][1][j] + t->P[2] * mean->d[side][2][j];
            p1[side][j] = t->P[0] * after->d[side][0][j] + t->P[1] * after->d[side][1][j] + t->P[2] * after->d[side][2][j];
        }
    }
    ZW_UNROLL
    for (int i = 0; i < 3; i++) { /* h: from the other node's directors alone; Q: with the force along the link */
        int k = (i + 1) % 3, l = (i + 2) % 3;
        ZW_UNROLL
        for (int j = 0; j < 3; j++) {
            h[0][i][j] = 0.5 * (t->U[k] * mean->d[1][l][j] - t->U[l] * mean->d[1][k][j] - t->Z * mean->d[1][i][j]);
            h[1][i][j] = 0.5 * (t->U[l] * mean->d[0][k][j] - t->U[k] * mean->d[0][l][j] - t->Z * mean->d[0][i][j]);
            Q[0][i][j] = h[0][i][j] + t->P[i] * r[j];
            Q[1][i][j] = h[1][i][j] + t->P[i] * r[j];
        }
    }
    add_turned(K, EA, EA, 0.5, after->d[0], Q[0]);
    add_turned(K, EB, EB, 0.5, after->d[1], Q[1]);
    add_turned(K, EA, EB, -0.5, after->d[1], h[1]);
    add_turned(K, EB, EA, -0.5, after->d[0], h[0]);
    set_hat(K, EA, R, 0.25, p[0]);
    set_hat(K, EB, R, 0.25, p[1]);
    set_hat(K, R, EA, -0.25, p1[0]);
    set_hat(K, R, EB, -0.25, p1[1]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            K[R + i][R + j] = zw_wide_all(0.0);
        }
    }
}

/* columns of eta times the turn rates, everything times scale */
ZW_WIDE_INLINE void store_derivative(zw_secant_tile *tile, int lane, zw_wide K[9][9]) {
    for (int i = 0; i < 9; i++) {
        ZW_UNROLL
        for (int side = 0; side < 2; side++) {
            zw_wide *row = K[i] + 3 * side;
            ZW_UNROLL
            for (int k = 0; k < 3; k++) {
                zw_wide out = row[k];
                if (tile->turned) {
                    out = row[0] * zw_wide_load(tile->rate[side][k] + lane) + row[1] * zw_wide_load(tile->rate[side][3 + k] + lane) +
                          row[2] * zw_wide_load(tile->rate[side][6 + k] + lane);
                }
                zw_wide_store(tile->K[9 * i + 3 * side + k] + lane, tile->scale * out);
            }
        }
        ZW_UNROLL
        for (int k = R; k < 9; k++) {
            zw_wide_store(tile->K[9 * i + k] + lane, tile->scale * K[i][k]);
        }
    }
}

static void some_links(zw_secant_tile *tile, int lane, bool derivative) {
    ends       before, after, mean;
    invariants q0, q1;
    stress     t;
    gradients  G;
    zw_wide    e[6], change[6], stressed[6], drained[6], stored = zw_wide_all(0.0), dissipated = zw_wide_all(0.0);
    zw_wide    inverse = 1.0 / zw_wide_load(tile->l + lane), l = zw_wide_load(tile->l + lane), damp = zw_wide_load(tile->damp + lane);
    read_ends(tile, 0, lane, &before);
    read_ends(tile, 1, lane, &after);
    bilinear(&before, &q0);
    bilinear(&after, &q1);
    turns(&q0, &q1, &t);
    log_strain(&q0);
    log_strain(&q1);
    ZW_UNROLL
    for (int side = 0; side < 2; side++) {
        ZW_UNROLL
        for (int j = 0; j < 3; j++) {
            mean.x[side][j] = 0.5 * (before.x[side][j] + after.x[side][j]);
            ZW_UNROLL
            for (int i = 0; i < 3; i++) {
                mean.d[side][i][j] = 0.5 * (before.d[side][i][j] + after.d[side][i][j]);
            }
        }
    }
    stresses(tile, lane, &q0, &q1, &t);
    gradients_of(&mean, &G);
    ZW_UNROLL
    for (int j = 0; j < 3; j++) {
        zw_wide both = G.g[0][j] * t.U[0] + G.g[1][j] * t.U[1] + G.g[2][j] * t.U[2] + G.gz[j] * t.Z;
        zw_wide_store(tile->wrench[EA + j] + lane, both + (G.pa[0][j] * t.P[0] + G.pa[1][j] * t.P[1] + G.pa[2][j] * t.P[2]));
        zw_wide_store(tile->wrench[EB + j] + lane, (G.pb[0][j] * t.P[0] + G.pb[1][j] * t.P[1] + G.pb[2][j] * t.P[2]) - both);
        zw_wide_store(tile->wrench[R + j] + lane, G.along[0][j] * t.P[0] + G.along[1][j] * t.P[1] + G.along[2][j] * t.P[2]);
    }
    ZW_UNROLL
    for (int i = 0; i < 6; i++) {
        change[i] = (q1.le[i] - q0.le[i]) * inverse;
        e[i] = 0.5 * (q0.le[i] + q1.le[i]) * inverse - zw_wide_load(tile->natural[i] + lane);
    }
    times_stiffness(tile, lane, e, stressed);
    times_stiffness(tile, lane, change, drained);
    ZW_UNROLL
    for (int i = 0; i < 6; i++) {
        stored += l * stressed[i] * change[i];
        dissipated += l * damp * drained[i] * change[i];
    }
    zw_wide_store(tile->stored + lane, stored);
    zw_wide_store(tile->dissipated + lane, dissipated);
    for (int i = 0; i < ZW_WIDTH; i++) {
        tile->z[lane + i] = q0.z[i] > q1.z[i] ? q0.z[i] : q1.z[i]; /* a NaN after the step is kept */
    }
    if (derivative) {
        zw_wide   T[7][7], TG[7][9], K[9][9];
        gradients G1;
        geometric(&after, &mean, &t, K);
        gradients_of(&after, &G1);
        stress_derivative(tile, lane, &q1, &t, T);
        times_gradients(T, &G1, TG);
        gradients_times(&G, TG, K);
        store_derivative(tile, lane, K);
    }
}

static void links(zw_secant_tile *tile, bool derivative) {
    for (int lane = 0; lane < ZW_SECANT_LANES; lane += ZW_WIDTH) {
        some_links(tile, lane, derivative);
    }
}

const zw_secant_path ZW_ROD_PASTE(zw_secant_path, ZW_ROD_ISA) = {.name = ZW_ROD_NAME, .links = links};

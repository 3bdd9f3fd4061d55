/* SPDX-License-Identifier: Apache-2.0
 * rod_bond.c: rows of a link and how they turn; see rod_bond.h. Derivative: G(bar)' T G(1) + geometric part, G the gradients of the invariants (7 x 12) and
 * T = d(U, P, Z)/d(u, p, z)1 at constant n. */
#include "parts/rod_bond.h"

#include "math/turn.h"
#include "math/vec3.h"

#include <string.h>

typedef struct invariants {
    double  u[3], p[3], z, s;
    zw_turn f;
} invariants;

typedef struct both { /* of two states: the ends, means, gradients */
    invariants     q0, q1;
    double         u[3], p[3], s, phi, chi, w[3]; /* means; w: of u s */
    zw_turn_secant f;
    zw_secant_node a, b;
    double         G[7][12], G1[7][12];
} both;

static void invariants_of(const zw_secant_node *a, const zw_secant_node *b, invariants *q) {
    double r[3], apart = 0.0;
    zw_v3_sub(r, b->x, a->x);
    for (int i = 0; i < 3; i++) {
        int    k = (i + 1) % 3, l = (i + 2) % 3;
        double sum[3], d[3];
        q->u[i] = 0.5 * (zw_v3_dot(a->d[l], b->d[k]) - zw_v3_dot(a->d[k], b->d[l]));
        zw_v3_add(sum, a->d[i], b->d[i]);
        q->p[i] = 0.5 * zw_v3_dot(sum, r);
        zw_v3_sub(d, b->d[i], a->d[i]);
        apart += zw_v3_dot(d, d);
    }
    q->z = 0.25 * apart; /* small angles keep their digits this way */
    q->s = zw_v3_dot(q->u, q->p);
    zw_turn_at(q->z, &q->f);
}

static void mean_node(const zw_secant_node *a, const zw_secant_node *b, zw_secant_node *out) {
    for (int i = 0; i < 3; i++) {
        out->x[i] = 0.5 * (a->x[i] + b->x[i]);
        for (int j = 0; j < 3; j++) {
            out->d[i][j] = 0.5 * (a->d[i][j] + b->d[i][j]);
        }
    }
}

/* rows u, p, z */
static void gradients(const zw_secant_node *a, const zw_secant_node *b, double G[7][12]) {
    double r[3];
    zw_v3_sub(r, b->x, a->x);
    memset(G, 0, 7 * sizeof *G);
    for (int i = 0; i < 3; i++) {
        int    k = (i + 1) % 3, l = (i + 2) % 3;
        double c1[3], c2[3], ta[3], tb[3], same[3];
        zw_v3_cross(c1, a->d[l], b->d[k]);
        zw_v3_cross(c2, a->d[k], b->d[l]);
        zw_v3_cross(ta, a->d[i], r);
        zw_v3_cross(tb, b->d[i], r);
        zw_v3_cross(same, a->d[i], b->d[i]);
        for (int j = 0; j < 3; j++) {
            double along = 0.5 * (a->d[i][j] + b->d[i][j]);
            G[i][j] = 0.5 * (c1[j] - c2[j]);
            G[i][6 + j] = -G[i][j];
            G[3 + i][j] = 0.5 * ta[j];
            G[3 + i][6 + j] = 0.5 * tb[j];
            G[3 + i][3 + j] = -along;
            G[3 + i][9 + j] = along;
            G[6][j] -= 0.5 * same[j];
        }
    }
    for (int j = 0; j < 3; j++) {
        G[6][6 + j] = -G[6][j];
    }
}

static void both_of(const zw_secant_node *a0, const zw_secant_node *b0, const zw_secant_node *a1, const zw_secant_node *b1, both *t) {
    invariants_of(a0, b0, &t->q0);
    invariants_of(a1, b1, &t->q1);
    mean_node(a0, a1, &t->a);
    mean_node(b0, b1, &t->b);
    gradients(&t->a, &t->b, t->G);
    gradients(a1, b1, t->G1);
    zw_turn_between(t->q0.z, t->q1.z, &t->q0.f, &t->q1.f, &t->f);
    t->s = 0.5 * (t->q0.s + t->q1.s);
    t->phi = 0.5 * (t->q0.f.phi + t->q1.f.phi);
    t->chi = 0.5 * (t->q0.f.chi + t->q1.f.chi);
    for (int i = 0; i < 3; i++) {
        t->u[i] = 0.5 * (t->q0.u[i] + t->q1.u[i]);
        t->p[i] = 0.5 * (t->q0.p[i] + t->q1.p[i]);
        t->w[i] = 0.5 * (t->q0.u[i] * t->q0.s + t->q1.u[i] * t->q1.s);
    }
}

/* U, P, Z of a force n */
static void stress_of(const both *t, const double n[3], double sigma[7]) {
    double nu = zw_v3_dot(n, t->u);
    for (int i = 0; i < 3; i++) {
        sigma[i] = t->chi * (t->s * n[i] + nu * t->p[i]);
        sigma[3 + i] = t->phi * n[i] + t->chi * nu * t->u[i];
    }
    sigma[6] = t->f.phi * zw_v3_dot(n, t->p) + t->f.chi * zw_v3_dot(n, t->w);
}

void zw_rod_bond(const zw_secant_node *a0, const zw_secant_node *b0, const zw_secant_node *a1, const zw_secant_node *b1, int n,
                 zw_bond *out) {
    both t;
    both_of(a0, b0, a1, b1, &t);
    const invariants *q = &t.q1;
    for (int i = 0; i < n; i++) {
        double unit[3] = {i == 0, i == 1, i == 2}, sigma[7], slope[7];
        stress_of(&t, unit, sigma);
        for (int j = 0; j < 3; j++) { /* phi p_i + chi s u_i */
            slope[j] = q->f.chi * q->p[j] * q->u[i] + (i == j ? q->f.chi * q->s : 0.0);
            slope[3 + j] = q->f.chi * q->u[j] * q->u[i] + (i == j ? q->f.phi : 0.0);
        }
        slope[6] = q->f.phi1 * q->p[i] + q->f.chi1 * q->s * q->u[i];
        out->gamma[i] = q->f.phi * q->p[i] + q->f.chi * q->s * q->u[i];
        for (int c = 0; c < 12; c++) {
            out->mean[i][c] = out->end[i][c] = 0.0;
            for (int r = 0; r < 7; r++) {
                out->mean[i][c] += sigma[r] * t.G[r][c];
                out->end[i][c] += slope[r] * t.G1[r][c];
            }
        }
    }
}

/* T: one column per invariant of the second state */
static void stress_turns(const both *t, const double n[3], double T[7][7]) {
    const invariants *q = &t->q1;
    double            nu = zw_v3_dot(n, t->u);
    for (int c = 0; c < 7; c++) {
        double du[3] = {c == 0, c == 1, c == 2}, dp[3] = {c == 3, c == 4, c == 5}, dz = c == 6, dw[3];
        double ds = zw_v3_dot(q->p, du) + zw_v3_dot(q->u, dp), dphi = q->f.phi1 * dz, dchi = q->f.chi1 * dz, dnu = 0.5 * zw_v3_dot(n, du);
        for (int i = 0; i < 3; i++) {
            T[i][c] = 0.5 * dchi * (t->s * n[i] + nu * t->p[i]) + t->chi * (0.5 * ds * n[i] + dnu * t->p[i] + 0.5 * nu * dp[i]);
            T[3 + i][c] = 0.5 * dphi * n[i] + 0.5 * dchi * nu * t->u[i] + t->chi * (dnu * t->u[i] + 0.5 * nu * du[i]);
            dw[i] = 0.5 * (q->s * du[i] + ds * q->u[i]);
        }
        T[6][c] = dz * (t->f.phi1 * zw_v3_dot(n, t->p) + t->f.chi1 * zw_v3_dot(n, t->w)) + 0.5 * t->f.phi * zw_v3_dot(n, dp) +
                  t->f.chi * zw_v3_dot(n, dw);
    }
}

/* block (row, col) += f (a b' - (a.b) 1) */
static void add_turned(double *K, int row, int col, double f, const double a[3], const double b[3]) {
    double trace = zw_v3_dot(a, b);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            K[12 * (row + i) + col + j] += f * (a[i] * b[j] - (i == j ? trace : 0.0));
        }
    }
}

static void add_hat(double *K, int row, int col, double f, const double a[3]) {
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        K[12 * (row + k) + col + i] += f * a[l];
        K[12 * (row + l) + col + i] -= f * a[k];
    }
}

/* how the mean state turns the forces while (U, P, Z) stay */
static void geometric(const zw_secant_node *a1, const zw_secant_node *b1, const both *t, const double sigma[7], double *K) {
    const double         *U = sigma, *P = sigma + 3, Z = sigma[6];
    const zw_secant_node *a = &t->a, *b = &t->b;
    double                r[3], pa[3] = {0}, pb[3] = {0}, pa1[3] = {0}, pb1[3] = {0};
    zw_v3_sub(r, b->x, a->x);
    for (int i = 0; i < 3; i++) { /* h: from the other node's directors alone; Q: with the force along the link */
        int    k = (i + 1) % 3, l = (i + 2) % 3;
        double ha[3], hb[3], Qa[3], Qb[3];
        for (int j = 0; j < 3; j++) {
            ha[j] = 0.5 * (U[k] * b->d[l][j] - U[l] * b->d[k][j] - Z * b->d[i][j]);
            hb[j] = 0.5 * (U[l] * a->d[k][j] - U[k] * a->d[l][j] - Z * a->d[i][j]);
            Qa[j] = ha[j] + 0.5 * P[i] * r[j];
            Qb[j] = hb[j] + 0.5 * P[i] * r[j];
            pa[j] += P[i] * a->d[i][j];
            pb[j] += P[i] * b->d[i][j];
            pa1[j] += P[i] * a1->d[i][j];
            pb1[j] += P[i] * b1->d[i][j];
        }
        add_turned(K, 0, 0, 0.5, a1->d[i], Qa);
        add_turned(K, 6, 6, 0.5, b1->d[i], Qb);
        add_turned(K, 0, 6, -0.5, b1->d[i], hb);
        add_turned(K, 6, 0, -0.5, a1->d[i], ha);
    }
    add_hat(K, 0, 9, 0.25, pa);
    add_hat(K, 0, 3, -0.25, pa);
    add_hat(K, 6, 9, 0.25, pb);
    add_hat(K, 6, 3, -0.25, pb);
    add_hat(K, 9, 0, -0.25, pa1);
    add_hat(K, 3, 0, 0.25, pa1);
    add_hat(K, 9, 6, -0.25, pb1);
    add_hat(K, 3, 6, 0.25, pb1);
}

void zw_rod_bond_turns(const zw_secant_node *a0, const zw_secant_node *b0, const zw_secant_node *a1, const zw_secant_node *b1,
                       const double force[3], double *K) {
    both   t;
    double sigma[7], T[7][7], TG[7][12];
    both_of(a0, b0, a1, b1, &t);
    stress_of(&t, force, sigma);
    stress_turns(&t, force, T);
    memset(K, 0, 144 * sizeof *K);
    geometric(a1, b1, &t, sigma, K);
    for (int r = 0; r < 7; r++) {
        for (int i = 0; i < 12; i++) {
            TG[r][i] = 0.0;
            for (int c = 0; c < 7; c++) {
                TG[r][i] += T[r][c] * t.G1[c][i];
            }
        }
    }
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 12; j++) {
            for (int r = 0; r < 7; r++) {
                K[12 * i + j] += t.G[r][i] * TG[r][j];
            }
        }
    }
}

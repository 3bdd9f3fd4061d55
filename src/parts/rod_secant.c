/* SPDX-License-Identifier: Apache-2.0
 * rod_secant.c: bars are means of both states, f_s divided differences in z, e strain, e0 natural strain, s = u.p:
 *
 *   (m, n) = C (ebar - e0) + damp C (e1 - e0')
 *   U = phibar m + chibar (sbar n + (n.ubar) pbar)      P = phibar n + chibar (n.ubar) ubar      Z = phi_s (m.ubar + n.pbar) + chi_s n.mean(u s)
 *
 * Derivative: G(bar)' T G(1) + geometric part. G: gradients of the invariants (7 x 12), T = d(U, P, Z)/d(u, p, z)1. */
#include "parts/rod_secant.h"

#include "math/turn.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

typedef struct invariants {
    double  u[3], p[3], z, s;
    zw_turn f;
    double  le[6]; /* l kappa, l Gamma */
} invariants;

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
    for (int i = 0; i < 3; i++) {
        q->le[i] = q->f.phi * q->u[i];
        q->le[3 + i] = q->f.phi * q->p[i] + q->f.chi * q->s * q->u[i];
    }
}

static void times_stiffness(const zw_secant_link *k, const double e[6], double out[6]) {
    for (int i = 0; i < 6; i++) {
        if (!k->full) {
            out[i] = k->stiffness[i] * e[i];
            continue;
        }
        out[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            out[i] += k->stiffness[6 * i + j] * e[j];
        }
    }
}

double zw_rod_secant_energy(const zw_secant_link *k, const zw_secant_node *a, const zw_secant_node *b, double strain[6]) {
    invariants q;
    double     e[6], stress[6], sum = 0.0;
    invariants_of(a, b, &q);
    for (int i = 0; i < 6; i++) {
        strain[i] = q.le[i] / k->l;
        e[i] = strain[i] - k->natural[i];
    }
    times_stiffness(k, e, stress);
    for (int i = 0; i < 6; i++) {
        sum += stress[i] * e[i];
    }
    return 0.5 * k->l * sum;
}

static void mean_node(const zw_secant_node *a, const zw_secant_node *b, zw_secant_node *out) {
    for (int i = 0; i < 3; i++) {
        out->x[i] = 0.5 * (a->x[i] + b->x[i]);
        for (int j = 0; j < 3; j++) {
            out->d[i][j] = 0.5 * (a->d[i][j] + b->d[i][j]);
        }
    }
}

/* rows u, p, z; columns eta_a, x_a, eta_b, x_b */
static void gradients(const zw_secant_node *a, const zw_secant_node *b, double G[7][12]) {
    double r[3];
    zw_v3_sub(r, b->x, a->x);
    for (int j = 0; j < 3; j++) {
        G[6][j] = G[6][3 + j] = G[6][9 + j] = 0.0;
    }
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
            G[i][3 + j] = G[i][9 + j] = 0.0;
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

typedef struct stress {
    double         m[3], n[3], u[3], p[3], s, phi, chi, w[3], nu; /* means; w: of u s; nu = n.u */
    zw_turn_secant f;
    double         sigma[7]; /* U, P, Z */
} stress;

static void stresses(const zw_secant_link *k, const invariants *q0, const invariants *q1, stress *t) {
    double e[6], mn[6];
    for (int i = 0; i < 6; i++) {
        e[i] = 0.5 * (q0->le[i] + q1->le[i]) / k->l - k->natural[i] + k->damp * (q1->le[i] - q0->le[i]) / k->l;
    }
    times_stiffness(k, e, mn);
    t->s = 0.5 * (q0->s + q1->s);
    t->phi = 0.5 * (q0->f.phi + q1->f.phi);
    t->chi = 0.5 * (q0->f.chi + q1->f.chi);
    for (int i = 0; i < 3; i++) {
        t->m[i] = mn[i];
        t->n[i] = mn[3 + i];
        t->u[i] = 0.5 * (q0->u[i] + q1->u[i]);
        t->p[i] = 0.5 * (q0->p[i] + q1->p[i]);
        t->w[i] = 0.5 * (q0->u[i] * q0->s + q1->u[i] * q1->s);
    }
    t->nu = zw_v3_dot(t->n, t->u);
    zw_turn_between(q0->z, q1->z, &q0->f, &q1->f, &t->f);
    for (int i = 0; i < 3; i++) {
        t->sigma[i] = t->phi * t->m[i] + t->chi * (t->s * t->n[i] + t->nu * t->p[i]);
        t->sigma[3 + i] = t->phi * t->n[i] + t->chi * t->nu * t->u[i];
    }
    t->sigma[6] = t->f.phi * (zw_v3_dot(t->m, t->u) + zw_v3_dot(t->n, t->p)) + t->f.chi * zw_v3_dot(t->n, t->w);
}

/* T: one column per invariant of the second state */
static void stress_derivative(const zw_secant_link *k, const invariants *q1, const stress *t, double T[7][7]) {
    for (int c = 0; c < 7; c++) {
        double du[3] = {c == 0, c == 1, c == 2}, dp[3] = {c == 3, c == 4, c == 5}, dz = c == 6, de[6], dmn[6];
        double ds = zw_v3_dot(q1->p, du) + zw_v3_dot(q1->u, dp), dphi = q1->f.phi1 * dz, dchi = q1->f.chi1 * dz;
        for (int i = 0; i < 3; i++) {
            de[i] = q1->f.phi * du[i] + dphi * q1->u[i];
            de[3 + i] = q1->f.phi * dp[i] + dphi * q1->p[i] + q1->f.chi * (ds * q1->u[i] + q1->s * du[i]) + dchi * q1->s * q1->u[i];
        }
        for (int i = 0; i < 6; i++) {
            de[i] *= (0.5 + k->damp) / k->l;
        }
        times_stiffness(k, de, dmn);
        const double *dm = dmn, *dn = dmn + 3;
        double        dnu = zw_v3_dot(dn, t->u) + 0.5 * zw_v3_dot(t->n, du), dw[3];
        for (int i = 0; i < 3; i++) {
            T[i][c] = t->phi * dm[i] + 0.5 * dphi * t->m[i] + 0.5 * dchi * (t->s * t->n[i] + t->nu * t->p[i]) +
                      t->chi * (0.5 * ds * t->n[i] + t->s * dn[i] + dnu * t->p[i] + 0.5 * t->nu * dp[i]);
            T[3 + i][c] =
                t->phi * dn[i] + 0.5 * dphi * t->n[i] + 0.5 * dchi * t->nu * t->u[i] + t->chi * (dnu * t->u[i] + 0.5 * t->nu * du[i]);
            dw[i] = 0.5 * (q1->s * du[i] + ds * q1->u[i]);
        }
        T[6][c] = dz * (t->f.phi1 * (zw_v3_dot(t->m, t->u) + zw_v3_dot(t->n, t->p)) + t->f.chi1 * zw_v3_dot(t->n, t->w)) +
                  t->f.phi * (zw_v3_dot(dm, t->u) + 0.5 * zw_v3_dot(t->m, du) + zw_v3_dot(dn, t->p) + 0.5 * zw_v3_dot(t->n, dp)) +
                  t->f.chi * (zw_v3_dot(dn, t->w) + zw_v3_dot(t->n, dw));
    }
}

/* block (row, col) += f A, 3 x 3 */
static void add_outer(double *K, int row, int col, double f, const double a[3], const double b[3]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            K[12 * (row + i) + col + j] += f * a[i] * b[j];
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

static void add_diagonal(double *K, int row, int col, double f) {
    for (int i = 0; i < 3; i++) {
        K[12 * (row + i) + col + i] += f;
    }
}

/* how the mean state turns the forces while (U, P, Z) stay: moments are sums of mean directors crossed with their forces Q, linear in the other node's directors */
static void geometric(const zw_secant_node *a1, const zw_secant_node *b1, const zw_secant_node *a, const zw_secant_node *b,
                      const double sigma[7], double *K) {
    const double *U = sigma, *P = sigma + 3;
    double        Z = sigma[6], r[3], Qa[3][3], Qb[3][3], ha[3][3], hb[3][3], traceA = 0.0, traceB = 0.0;
    double        pa[3] = {0}, pb[3] = {0}, pa1[3] = {0}, pb1[3] = {0};
    zw_v3_sub(r, b->x, a->x);
    for (int i = 0; i < 3; i++) { /* h: from the other node's directors alone; Q: with the force along the link */
        int k = (i + 1) % 3, l = (i + 2) % 3;
        for (int j = 0; j < 3; j++) { /* d_i^a meets d_k^b in U_l (as its second), d_l^b in U_k */
            ha[i][j] = 0.5 * (U[k] * b->d[l][j] * -1.0 + U[l] * b->d[k][j]) * -1.0 - 0.5 * Z * b->d[i][j];
            hb[i][j] = 0.5 * (U[l] * a->d[k][j] - U[k] * a->d[l][j]) - 0.5 * Z * a->d[i][j];
            Qa[i][j] = ha[i][j] + 0.5 * P[i] * r[j];
            Qb[i][j] = hb[i][j] + 0.5 * P[i] * r[j];
            pa[j] += P[i] * a->d[i][j];
            pb[j] += P[i] * b->d[i][j];
            pa1[j] += P[i] * a1->d[i][j];
            pb1[j] += P[i] * b1->d[i][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        add_outer(K, 0, 0, 0.5, a1->d[i], Qa[i]);
        add_diagonal(K, 0, 0, -0.5 * zw_v3_dot(a1->d[i], Qa[i]));
        add_outer(K, 6, 6, 0.5, b1->d[i], Qb[i]);
        add_diagonal(K, 6, 6, -0.5 * zw_v3_dot(b1->d[i], Qb[i]));
        add_outer(K, 0, 6, -0.5, b1->d[i], hb[i]);
        add_outer(K, 6, 0, -0.5, a1->d[i], ha[i]);
        traceA += zw_v3_dot(b1->d[i], hb[i]);
        traceB += zw_v3_dot(a1->d[i], ha[i]);
    }
    add_diagonal(K, 0, 6, 0.5 * traceA);
    add_diagonal(K, 6, 0, 0.5 * traceB);
    add_hat(K, 0, 9, 0.25, pa);
    add_hat(K, 0, 3, -0.25, pa);
    add_hat(K, 6, 9, 0.25, pb);
    add_hat(K, 6, 3, -0.25, pb);
    add_hat(K, 9, 0, -0.25, pa1);
    add_hat(K, 3, 0, 0.25, pa1);
    add_hat(K, 9, 6, -0.25, pb1);
    add_hat(K, 3, 6, 0.25, pb1);
}

void zw_rod_secant(const zw_secant_link *k, const zw_secant_node *a0, const zw_secant_node *b0, const zw_secant_node *a1,
                   const zw_secant_node *b1, zw_secant_force *out, double *derivative) {
    zw_secant_node a, b;
    invariants     q0, q1;
    stress         t;
    double         G[7][12], G1[7][12], T[7][7], TG[7][12], e[6], change[6], mean[6];
    invariants_of(a0, b0, &q0);
    invariants_of(a1, b1, &q1);
    mean_node(a0, a1, &a);
    mean_node(b0, b1, &b);
    stresses(k, &q0, &q1, &t);
    gradients(&a, &b, G);
    for (int i = 0; i < 12; i++) {
        double sum = 0.0;
        for (int r = 0; r < 7; r++) {
            sum += G[r][i] * t.sigma[r];
        }
        out->wrench[i / 6][i % 6] = sum;
    }
    for (int i = 0; i < 6; i++) {
        change[i] = (q1.le[i] - q0.le[i]) / k->l;
        e[i] = 0.5 * (q0.le[i] + q1.le[i]) / k->l - k->natural[i];
    }
    times_stiffness(k, e, mean);
    times_stiffness(k, change, e);
    out->stored = out->dissipated = 0.0;
    for (int i = 0; i < 6; i++) {
        out->stored += k->l * mean[i] * change[i];
        out->dissipated += k->l * k->damp * e[i] * change[i];
    }
    out->turn = fmax(q0.z, q1.z);
    if (derivative == NULL) {
        return;
    }
    gradients(a1, b1, G1);
    stress_derivative(k, &q1, &t, T);
    for (int r = 0; r < 7; r++) {
        for (int i = 0; i < 12; i++) {
            double sum = 0.0;
            for (int c = 0; c < 7; c++) {
                sum += T[r][c] * G1[c][i];
            }
            TG[r][i] = sum;
        }
    }
    memset(derivative, 0, 144 * sizeof *derivative);
    geometric(a1, b1, &a, &b, t.sigma, derivative);
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 12; j++) {
            double sum = 0.0;
            for (int r = 0; r < 7; r++) {
                sum += G[r][i] * TG[r][j];
            }
            derivative[12 * i + j] += sum;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * rod_balance.c: rods in a step that keeps energy and momenta: nodes by node_step.h, links by rod_secant.h. */
#include "math/quat.h"
#include "parts/node_step.h"
#include "parts/rod.h"
#include "parts/rod_secant.h"
#include "zwang/secant.h"

#include <math.h>
#include <string.h>

static int rod_blocks(const void *self) {
    return ((const zw_rods *)self)->nnodes;
}

static int rod_columns(const void *self, int block) {
    (void)self, (void)block;
    return ZW_ROD_NV;
}

static int rod_pairs(const void *self) {
    return ((const zw_rods *)self)->nlinks;
}

static const zw_rod *rod_of_link(const zw_rods *rods, int link) {
    int lo = 0, hi = rods->nrods - 1;
    while (lo < hi) {
        int mid = (lo + hi + 1) / 2;
        if (rods->rod[mid].link0 <= link) {
            lo = mid;
        } else {
            hi = mid - 1;
        }
    }
    return &rods->rod[lo];
}

static void rod_pair(const void *self, int k, int out[2]) {
    const zw_rod *r = rod_of_link(self, k);
    out[0] = r->node0 + k - r->link0;
    out[1] = zw_rod_far(r, k - r->link0);
}

static void rod_guess(const void *self, const zw_state *x0, double *u) {
    const zw_rods *rods = self;
    for (int i = 0; i < rods->nnodes; i++) {
        const double *v = x0->v + ZW_ROD_NV * (size_t)i;
        double       *ui = u + ZW_ROD_NV * (size_t)i;
        zw_q_rotate(x0->q + ZW_ROD_NQ * (size_t)i + 3, v, ui);
        zw_v3_copy(ui + 3, v + 3);
    }
}

static void rod_advance(const void *self, const zw_state *x0, const double *u, double h, zw_state *x1) {
    const zw_rods *rods = self;
    for (int i = 0; i < rods->nnodes; i++) {
        const double *q0 = x0->q + ZW_ROD_NQ * (size_t)i, *v0 = x0->v + ZW_ROD_NV * (size_t)i, *ui = u + ZW_ROD_NV * (size_t)i;
        double       *q1 = x1->q + ZW_ROD_NQ * (size_t)i, *v1 = x1->v + ZW_ROD_NV * (size_t)i, back[4], omega[3];
        zw_q_conj(q0 + 3, back);
        zw_q_rotate(back, ui, omega);
        zw_node_turn(q0 + 3, ui, h, q1 + 3);
        for (int k = 0; k < 3; k++) {
            q1[k] = q0[k] + h * ui[3 + k];
            v1[k] = 2.0 * omega[k] - v0[k];
            v1[3 + k] = 2.0 * ui[3 + k] - v0[3 + k];
        }
    }
}

static void rod_middle(const void *self, const zw_state *x0, const double *u, double h, zw_state *xm) {
    const zw_rods *rods = self;
    for (int i = 0; i < rods->nnodes; i++) {
        const double *q0 = x0->q + ZW_ROD_NQ * (size_t)i, *ui = u + ZW_ROD_NV * (size_t)i;
        double       *q = xm->q + ZW_ROD_NQ * (size_t)i, *v = xm->v + ZW_ROD_NV * (size_t)i, back[4];
        zw_node_turn(q0 + 3, ui, 0.5 * h, q + 3);
        zw_q_conj(q + 3, back);
        zw_q_rotate(back, ui, v);
        for (int k = 0; k < 3; k++) {
            q[k] = q0[k] + 0.5 * h * ui[3 + k];
            v[3 + k] = ui[3 + k];
        }
    }
}

static void rod_node(const void *self, const zw_state *x, int block, zw_secant_node *out) {
    const double *q = x->q + ZW_ROD_NQ * (size_t)block;
    double        R[9];
    (void)self;
    zw_v3_copy(out->x, q);
    zw_q_to_matrix(q + 3, R);
    for (int i = 0; i < 9; i++) {
        out->d[i % 3][i / 3] = R[i];
    }
}

/* columns of a 12 x 12 derivative in (eta, x) of both nodes to those of (w, vb), and to the two halves; scaled by the step */
static void to_blocks(const double *D, double T[2][9], double h, double block[4][36]) {
    for (int i = 0; i < 12; i++) {
        for (int n = 0; n < 2; n++) {
            const double *row = D + 12 * i + 6 * n, *t = T[n];
            double       *out = block[2 * (i / 6) + n] + 6 * (i % 6);
            for (int k = 0; k < 3; k++) {
                out[k] = h * h * (row[0] * t[k] + row[1] * t[3 + k] + row[2] * t[6 + k]);
                out[3 + k] = h * h * row[3 + k];
            }
        }
    }
}

static zw_secant_link link_of(const zw_rods *rods, int link, double damp) {
    bool full = rods->coupling != NULL;
    return (zw_secant_link){.l = rods->l[link],
                            .natural = rods->natural + 6 * (size_t)link,
                            .stiffness = full ? rods->coupling + 36 * (size_t)link : rods->stiffness + 6 * (size_t)link,
                            .full = full,
                            .damp = damp};
}

static void balance_links(zw_rods *rods, const zw_state *x0, const double *u, const zw_state *x1, double h, double damp, double *r,
                          zw_secant_sum *sum, const zw_secant_sink *K) {
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod  *rod = &rods->rod[i_rod];
        zw_secant_node at[2][2]; /* near and far node of the link, before and after */
        double         T[2][9], D[144], block[4][36];
        rod_node(rods, x0, rod->node0, &at[0][0]);
        rod_node(rods, x1, rod->node0, &at[0][1]);
        zw_node_turn_rate(u + ZW_ROD_NV * (size_t)rod->node0, h, T[0]);
        for (int k = 0; k < rod->nlinks; k++) {
            int             link = rod->link0 + k, a = rod->node0 + k, b = zw_rod_far(rod, k);
            zw_secant_force f;
            zw_secant_link  s = {.l = rods->l[link],
                                 .natural = rods->natural + 6 * (size_t)link,
                                 .stiffness =
                                    rods->coupling != NULL ? rods->coupling + 36 * (size_t)link : rods->stiffness + 6 * (size_t)link,
                                 .full = rods->coupling != NULL,
                                 .damp = 0.5 * damp + rods->damping[link] / h};
            rod_node(rods, x0, b, &at[1][0]);
            rod_node(rods, x1, b, &at[1][1]);
            zw_node_turn_rate(u + ZW_ROD_NV * (size_t)b, h, T[1]);
            zw_rod_secant(&s, &at[0][0], &at[1][0], &at[0][1], &at[1][1], &f, K != NULL ? D : NULL);
            for (int i = 0; i < 6; i++) {
                r[ZW_ROD_NV * (size_t)a + (size_t)i] += h * f.wrench[0][i];
                r[ZW_ROD_NV * (size_t)b + (size_t)i] += h * f.wrench[1][i];
            }
            sum->dissipated += f.dissipated;
            if (f.turn > sum->turn) {
                sum->turn = f.turn;
                sum->where = link;
            }
            if (K != NULL) {
                to_blocks(D, T, h, block);
                K->add(K->self, a, a, block[0]);
                K->add(K->self, a, b, block[1]);
                K->add(K->self, b, a, block[2]);
                K->add(K->self, b, b, block[3]);
            }
            memcpy(at[0], at[1], sizeof at[0]);
            memcpy(T[0], T[1], sizeof T[0]);
        }
    }
}

/* both states are x: the secant is the gradient, and both halves of the derivative count */
static void rod_equilibrium(void *self, const zw_state *x, double *r, const zw_secant_sink *K) {
    zw_rods *rods = self;
    for (int i = 0; i < rods->nnodes; i++) {
        double *ri = r + ZW_ROD_NV * (size_t)i;
        for (int k = 0; k < 3; k++) {
            ri[k] = 0.0;
            ri[3 + k] = -rods->mass[i] * rods->gravity[k];
        }
    }
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod  *rod = &rods->rod[i_rod];
        zw_secant_node at[2];
        double         D[144], block[4][36];
        rod_node(rods, x, rod->node0, &at[0]);
        for (int k = 0; k < rod->nlinks; k++) {
            int             link = rod->link0 + k, a = rod->node0 + k, b = zw_rod_far(rod, k);
            zw_secant_force f;
            zw_secant_link  s = link_of(rods, link, 0.0);
            rod_node(rods, x, b, &at[1]);
            zw_rod_secant(&s, &at[0], &at[1], &at[0], &at[1], &f, K != NULL ? D : NULL);
            for (int i = 0; i < 6; i++) {
                r[ZW_ROD_NV * (size_t)a + (size_t)i] += f.wrench[0][i];
                r[ZW_ROD_NV * (size_t)b + (size_t)i] += f.wrench[1][i];
            }
            if (K != NULL) {
                for (int i = 0; i < 144; i++) {
                    block[2 * (i / 72) + (i % 12) / 6][6 * (i / 12 % 6) + i % 6] = 2.0 * D[i];
                }
                K->add(K->self, a, a, block[0]);
                K->add(K->self, a, b, block[1]);
                K->add(K->self, b, a, block[2]);
                K->add(K->self, b, b, block[3]);
            }
            at[0] = at[1];
        }
    }
}

static zw_status rod_balance(void *self, const zw_state *x0, const double *u, const zw_state *x1, double h, double damp, double *r,
                             zw_secant_sum *sum, const zw_secant_sink *K) {
    zw_rods *rods = self;
    for (int i = 0; i < rods->nnodes; i++) {
        size_t        n = (size_t)i;
        const double *v0 = x0->v + ZW_ROD_NV * n, *v1 = x1->v + ZW_ROD_NV * n, *ui = u + ZW_ROD_NV * n;
        double        m = rods->mass[i], *ri = r + ZW_ROD_NV * n, T[9], turn[9], J[9] = {0}, block[36] = {0};
        if (rods->inertia33 != NULL) {
            memcpy(J, rods->inertia33 + 9 * n, sizeof J);
        } else {
            J[0] = rods->inertia[3 * n];
            J[4] = rods->inertia[3 * n + 1];
            J[8] = rods->inertia[3 * n + 2];
        }
        zw_node_turn_rate(ui, h, T);
        zw_node_spin(x0->q + ZW_ROD_NQ * n + 3, x1->q + ZW_ROD_NQ * n + 3, J, v0, v1, T, h, ri, K != NULL ? turn : NULL);
        for (int k = 0; k < 3; k++) {
            ri[3 + k] = m * (v1[3 + k] - v0[3 + k]) - h * m * rods->gravity[k];
        }
        if (K != NULL) {
            for (int k = 0; k < 9; k++) {
                block[6 * (k / 3) + k % 3] = turn[k];
            }
            for (int k = 3; k < 6; k++) {
                block[7 * k] = 2.0 * m;
            }
            K->add(K->self, i, i, block);
        }
    }
    balance_links(rods, x0, u, x1, h, damp, r, sum, K);
    return ZW_OK;
}

/* moments are in the directors of x */
static void rod_to_mean(const void *self, const zw_state *x, const double *f, double *fu) {
    const zw_rods *rods = self;
    for (int i = 0; i < rods->nnodes; i++) {
        double moment[3];
        zw_q_rotate(x->q + ZW_ROD_NQ * (size_t)i + 3, f + ZW_ROD_NV * (size_t)i, moment);
        for (int k = 0; k < 3; k++) {
            fu[ZW_ROD_NV * i + k] += moment[k];
            fu[ZW_ROD_NV * i + 3 + k] += f[ZW_ROD_NV * i + 3 + k];
        }
    }
}

static void rod_columns_of(const void *self, const zw_state *x0, const double *u, double h, int block, double *P, double *D) {
    double T[9];
    (void)self, (void)x0;
    memset(P, 0, 36 * sizeof *P);
    memset(D, 0, 36 * sizeof *D);
    zw_node_turn_rate(u + ZW_ROD_NV * (size_t)block, h, T);
    for (int i = 0; i < 6; i++) {
        P[7 * i] = 1.0;
    }
    for (int i = 0; i < 9; i++) {
        D[6 * (i / 3) + i % 3] = T[i];
    }
    D[21] = D[28] = D[35] = 1.0;
}

/* at a node only: inside a link the rod is a helix */
static bool rod_lever(const void *self, const zw_place *p, zw_lever *out) {
    const zw_rods *rods = self;
    const zw_rod  *r = &rods->rod[p->body];
    double         tau = p->u[0];
    if (!(tau <= 1e-12 || tau >= 1.0 - 1e-12)) {
        return false;
    }
    *out = (zw_lever){.block = tau <= 1e-12 ? r->node0 + p->element : zw_rod_far(r, p->element)};
    zw_m3_identity(out->axes);
    return true;
}

const zw_secant_ops zw_rods_secant_ops = {
    .blocks = rod_blocks,
    .columns = rod_columns,
    .pairs = rod_pairs,
    .pair = rod_pair,
    .guess = rod_guess,
    .advance = rod_advance,
    .middle = rod_middle,
    .balance = rod_balance,
    .equilibrium = rod_equilibrium,
    .to_mean = rod_to_mean,
    .node = rod_node,
    .columns_of = rod_columns_of,
    .lever = rod_lever,
};

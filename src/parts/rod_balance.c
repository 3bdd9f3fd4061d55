/* SPDX-License-Identifier: Apache-2.0
 * rod_balance.c: rods in a step that keeps energy and momenta: nodes by node_step.h, links by rod_secant.h. */
#include "math/quat.h"
#include "parts/node_inertia.h"
#include "parts/node_step.h"
#include "parts/rod.h"
#include "parts/rod_secant_tile.h"
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

static void node_advance(int i, const zw_state *x0, const double *u, double h, zw_state *x1) {
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

static void node_middle(int i, const zw_state *x0, const double *u, double h, zw_state *xm) {
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

static void rod_advance(const void *self, const zw_state *x0, const double *u, double h, zw_state *x1) {
    const zw_rods *rods = self;
    for (int i = 0; i < rods->nnodes; i++) {
        node_advance(i, x0, u, h, x1);
    }
}

static void rod_middle(const void *self, const zw_state *x0, const double *u, double h, zw_state *xm) {
    const zw_rods *rods = self;
    for (int i = 0; i < rods->nnodes; i++) {
        node_middle(i, x0, u, h, xm);
    }
}

static void rod_move(const void *self, const zw_state *x0, const double *u, double h, int block, zw_state *xm, zw_state *x1) {
    (void)self;
    node_advance(block, x0, u, h, x1);
    if (xm != NULL) {
        node_middle(block, x0, u, h, xm);
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

/* ---- links, eight at a time */

typedef struct links { /* the next of them; lanes behind the last one repeat it */
    int n, j[ZW_SECANT_LANES], a[ZW_SECANT_LANES], b[ZW_SECANT_LANES];
    int i_rod, i_link; /* where to go on */
} links;

static bool links_next(const zw_rods *rods, links *L) {
    L->n = 0;
    while (L->n < ZW_SECANT_LANES && L->i_rod < rods->nrods) {
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
    for (int i = L->n; i < ZW_SECANT_LANES && L->n > 0; i++) {
        L->j[i] = L->j[L->n - 1];
        L->a[i] = L->a[L->n - 1];
        L->b[i] = L->b[L->n - 1];
    }
    return L->n > 0;
}

static void put_node(const double *q, double to[ZW_SECANT_NODE][ZW_SECANT_LANES], int lane) {
    double R[9];
    zw_q_to_matrix(q + 3, R);
    for (int k = 0; k < 3; k++) {
        to[k][lane] = q[k];
    }
    for (int k = 0; k < 9; k++) {
        to[3 + 3 * (k % 3) + k / 3][lane] = R[k];
    }
}

/* side 0 or 1 of a lane; x0 == x1: an equilibrium */
static void put_side(const zw_state *x0, const zw_state *x1, const double *u, double h, int node, zw_secant_tile *t, int side, int lane) {
    put_node(x0->q + ZW_ROD_NQ * (size_t)node, t->node[side][0], lane);
    if (x1 == x0) {
        for (int k = 0; k < ZW_SECANT_NODE; k++) {
            t->node[side][1][k][lane] = t->node[side][0][k][lane];
        }
        return;
    }
    double T[9];
    put_node(x1->q + ZW_ROD_NQ * (size_t)node, t->node[side][1], lane);
    zw_node_turn_rate(u + ZW_ROD_NV * (size_t)node, h, T);
    for (int k = 0; k < 9; k++) {
        t->rate[side][k][lane] = T[k];
    }
}

/* side 0 of a lane is side 1 of the lane before: the next link of the same rod */
static void pass_on(zw_secant_tile *t, int lane) {
    for (int k = 0; k < ZW_SECANT_NODE; k++) {
        t->node[0][0][k][lane] = t->node[1][0][k][lane - 1];
        t->node[0][1][k][lane] = t->node[1][1][k][lane - 1];
    }
    for (int k = 0; k < 9 && t->turned; k++) {
        t->rate[0][k][lane] = t->rate[1][k][lane - 1];
    }
}

static void fill(const zw_rods *rods, const links *L, const zw_state *x0, const zw_state *x1, const double *u, double h, double damp,
                 zw_secant_tile *t) {
    bool          full = rods->coupling != NULL;
    int           n = full ? 36 : 6;
    const double *stiffness = full ? rods->coupling : rods->stiffness;
    t->full = full;
    t->turned = x1 != x0;
    for (int i = 0; i < ZW_SECANT_LANES; i++) {
        size_t j = (size_t)L->j[i];
        if (i > 0 && L->a[i] == L->b[i - 1]) {
            pass_on(t, i);
        } else {
            put_side(x0, x1, u, h, L->a[i], t, 0, i);
        }
        put_side(x0, x1, u, h, L->b[i], t, 1, i);
        t->l[i] = rods->l[j];
        t->damp[i] = t->turned ? 0.5 * damp + rods->damping[j] / h : 0.0;
        for (int k = 0; k < 6; k++) {
            t->natural[k][i] = rods->natural[6 * j + (size_t)k];
        }
        for (int k = 0; k < n; k++) {
            t->stiffness[k][i] = stiffness[(size_t)n * j + (size_t)k];
        }
    }
}

/* what lane i of a tile takes from its nodes */
static void take(const zw_secant_tile *t, const links *L, int i, double h, double *r) {
    double *ra = r + ZW_ROD_NV * (size_t)L->a[i], *rb = r + ZW_ROD_NV * (size_t)L->b[i];
    for (int k = 0; k < 3; k++) {
        double force = h * t->wrench[6 + k][i];
        ra[k] += h * t->wrench[k][i];
        rb[k] += h * t->wrench[3 + k][i];
        ra[3 + k] -= force; /* the same bits for both */
        rb[3 + k] += force;
    }
}

static void add_blocks(const zw_secant_tile *t, const links *L, int lane, const zw_secant_sink *K) {
    double block[4][36]; /* aa, ab, ba, bb */
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double(*k)[ZW_SECANT_LANES] = t->K;
            double ra = k[9 * i + 6 + j][lane], rb = k[9 * (3 + i) + 6 + j][lane], rr = k[9 * (6 + i) + 6 + j][lane];
            double ar = k[9 * (6 + i) + j][lane], br = k[9 * (6 + i) + 3 + j][lane];
            int    tt = 6 * i + j, tx = tt + 3, xt = tt + 18, xx = tt + 21;
            block[0][tt] = k[9 * i + j][lane];
            block[1][tt] = k[9 * i + 3 + j][lane];
            block[2][tt] = k[9 * (3 + i) + j][lane];
            block[3][tt] = k[9 * (3 + i) + 3 + j][lane];
            block[0][tx] = -ra;
            block[1][tx] = ra;
            block[2][tx] = -rb;
            block[3][tx] = rb;
            block[0][xt] = -ar;
            block[1][xt] = -br;
            block[2][xt] = ar;
            block[3][xt] = br;
            block[0][xx] = block[3][xx] = rr;
            block[1][xx] = block[2][xx] = -rr;
        }
    }
    K->add(K->self, L->a[lane], L->a[lane], block[0]);
    K->add(K->self, L->a[lane], L->b[lane], block[1]);
    K->add(K->self, L->b[lane], L->a[lane], block[2]);
    K->add(K->self, L->b[lane], L->b[lane], block[3]);
}

static void balance_links(const zw_rods *rods, const zw_state *x0, const double *u, const zw_state *x1, double h, double damp, double *r,
                          zw_secant_sum *sum, const zw_secant_sink *K) {
    const zw_secant_path *path = zw_secant_path_best();
    links                 L = {.n = 0};
    zw_secant_tile        t;
    t.scale = h * h;
    while (links_next(rods, &L)) {
        fill(rods, &L, x0, x1, u, h, damp, &t);
        path->links(&t, K != NULL);
        for (int i = 0; i < L.n; i++) {
            take(&t, &L, i, h, r);
            sum->dissipated += t.dissipated[i];
            if (t.z[i] > sum->turn || isnan(t.z[i])) {
                sum->turn = t.z[i];
                sum->where = L.j[i];
            }
            if (K != NULL) {
                add_blocks(&t, &L, i, K);
            }
        }
    }
}

/* both states are x: the secant is the gradient, and both halves of the derivative count */
static void rod_equilibrium(void *self, const zw_state *x, double *r, const zw_secant_sink *K) {
    const zw_rods        *rods = self;
    const zw_secant_path *path = zw_secant_path_best();
    links                 L = {.n = 0};
    zw_secant_tile        t;
    t.scale = 2.0;
    zw_rods_tune(rods, x);
    for (int i = 0; i < rods->nnodes; i++) {
        double *ri = r + ZW_ROD_NV * (size_t)i;
        for (int k = 0; k < 3; k++) {
            ri[k] = 0.0;
            ri[3 + k] = -rods->mass[i] * rods->gravity[k];
        }
    }
    while (links_next(rods, &L)) {
        fill(rods, &L, x, x, NULL, 1.0, 0.0, &t);
        path->links(&t, K != NULL);
        for (int i = 0; i < L.n; i++) {
            take(&t, &L, i, 1.0, r);
            if (K != NULL) {
                add_blocks(&t, &L, i, K);
            }
        }
    }
}

static zw_status rod_balance(void *self, const zw_state *x0, const double *u, const zw_state *x1, double h, double damp, double *r,
                             zw_secant_sum *sum, const zw_secant_sink *K) {
    zw_rods *rods = self;
    zw_rods_tune(rods, x0);
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

/* Kelvin-Voigt: the stress of strains that change is eta C d(strain)/dt. The derivative of a link by its state after the step is half of that at rest plus damp times this */
static void rod_damping(const void *self, const zw_state *x, const zw_secant_sink *C) {
    const zw_rods        *rods = self;
    const zw_secant_path *path = zw_secant_path_best();
    links                 L = {.n = 0};
    zw_secant_tile        t, without;
    t.scale = 1.0;
    zw_rods_tune(rods, x);
    while (rods->damps && links_next(rods, &L)) {
        fill(rods, &L, x, x, NULL, 1.0, 0.0, &t);
        without = t;
        path->links(&without, true);
        for (int i = 0; i < ZW_SECANT_LANES; i++) {
            t.damp[i] = 1.0;
        }
        path->links(&t, true);
        for (int i = 0; i < L.n; i++) {
            for (int k = 0; k < ZW_SECANT_WRENCH * ZW_SECANT_WRENCH; k++) {
                t.K[k][i] = rods->damping[L.j[i]] * (t.K[k][i] - without.K[k][i]);
            }
            add_blocks(&t, &L, i, C);
        }
    }
}

static void rod_inertia(const void *self, const zw_state *x, const zw_spin *spin, double *r, const zw_secant_sink *K,
                        const zw_secant_sink *G, const zw_secant_sink *M) {
    const zw_rods *rods = self;
    zw_rods_tune(rods, x);
    for (int i = 0; i < rods->nnodes; i++) {
        size_t        n = (size_t)i;
        const double *q = x->q + ZW_ROD_NQ * n;
        zw_node_mass  node = {.m = rods->mass[i]};
        double        of[6], k[36], g[36], m[36];
        if (rods->inertia33 != NULL) {
            memcpy(node.J, rods->inertia33 + 9 * n, sizeof node.J);
        } else {
            zw_m3_diagonal(node.J, rods->inertia[3 * n], rods->inertia[3 * n + 1], rods->inertia[3 * n + 2]);
        }
        zw_node_inertia(&node, q, q + 3, spin, of, k, g, m);
        for (int j = 0; j < 6 && r != NULL; j++) {
            r[ZW_ROD_NV * n + (size_t)j] += of[j];
        }
        if (K != NULL) {
            K->add(K->self, i, i, k);
        }
        if (G != NULL) {
            G->add(G->self, i, i, g);
        }
        if (M != NULL) {
            M->add(M->self, i, i, m);
        }
    }
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

static int rod_whose(const void *self, int block, int *node) {
    const zw_rods *rods = self;
    int            lo = 0, hi = rods->nrods - 1;
    while (lo < hi) {
        int mid = (lo + hi + 1) / 2;
        if (rods->rod[mid].node0 <= block) {
            lo = mid;
        } else {
            hi = mid - 1;
        }
    }
    *node = block - rods->rod[lo].node0;
    return lo;
}

const zw_secant_ops zw_rods_secant_ops = {
    .blocks = rod_blocks,
    .columns = rod_columns,
    .pairs = rod_pairs,
    .pair = rod_pair,
    .guess = rod_guess,
    .advance = rod_advance,
    .middle = rod_middle,
    .move = rod_move,
    .balance = rod_balance,
    .equilibrium = rod_equilibrium,
    .inertia = rod_inertia,
    .damping = rod_damping,
    .to_mean = rod_to_mean,
    .node = rod_node,
    .columns_of = rod_columns_of,
    .lever = rod_lever,
    .whose = rod_whose,
};

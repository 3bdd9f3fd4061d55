/* SPDX-License-Identifier: Apache-2.0
 * rigid_balance.c: rigid bodies in a step that keeps energy and momenta; nothing couples them here. Planar ones turn about their normal by cay(h omega n). */
#include "parts/node_inertia.h"
#include "parts/node_step.h"
#include "parts/rigid.h"
#include "zwang/secant.h"

#include <string.h>

static int rigid_blocks(const void *self) {
    return ((const zw_rigids *)self)->nbodies;
}

static int rigid_columns(const void *self, int block) {
    return ((const zw_rigids *)self)->body[block].nv;
}

static int rigid_pairs(const void *self) {
    (void)self;
    return 0;
}

static void rigid_pair(const void *self, int k, int out[2]) {
    (void)self, (void)k;
    out[0] = out[1] = 0;
}

static void rigid_guess(const void *self, const zw_state *x0, double *u) {
    const zw_rigids *all = self;
    for (int i = 0; i < all->nbodies; i++) {
        const zw_rigid *b = &all->body[i];
        memcpy(u + b->v0, x0->v + b->v0, sizeof(double) * (size_t)b->nv);
        if (!b->planar) {
            zw_q_rotate(x0->q + b->q0 + 3, x0->v + b->v0, u + b->v0);
        }
    }
}

/* angular velocity and velocity in space */
static void twist_of(const zw_rigid *b, const double *u, double w[3], double v[3]) {
    if (b->planar) {
        zw_v3_scale(w, u[0], b->plane);
        zw_v3_scale(v, u[1], b->plane + 3);
        zw_v3_addscaled(v, v, u[2], b->plane + 6);
    } else {
        zw_v3_copy(w, u);
        zw_v3_copy(v, u + 3);
    }
}

static void body_advance(const zw_rigid *b, const zw_state *x0, const double *u, double h, zw_state *x1) {
    const double *q0 = x0->q + b->q0, *v0 = x0->v + b->v0, *ui = u + b->v0;
    double       *q1 = x1->q + b->q0, *v1 = x1->v + b->v0, w[3], v[3], back[4], mean[6];
    twist_of(b, ui, w, v);
    zw_node_turn(q0 + 3, w, h, q1 + 3);
    zw_v3_addscaled(q1, q0, h, v);
    memcpy(mean, ui, sizeof(double) * (size_t)b->nv);
    if (!b->planar) {
        zw_q_conj(q0 + 3, back);
        zw_q_rotate(back, w, mean);
    }
    for (int k = 0; k < b->nv; k++) {
        v1[k] = 2.0 * mean[k] - v0[k];
    }
}

static void body_middle(const zw_rigid *b, const zw_state *x0, const double *u, double h, zw_state *xm) {
    const double *q0 = x0->q + b->q0, *ui = u + b->v0;
    double       *q = xm->q + b->q0, *vm = xm->v + b->v0, w[3], v[3], back[4];
    twist_of(b, ui, w, v);
    zw_node_turn(q0 + 3, w, 0.5 * h, q + 3);
    zw_v3_addscaled(q, q0, 0.5 * h, v);
    memcpy(vm, ui, sizeof(double) * (size_t)b->nv);
    if (!b->planar) {
        zw_q_conj(q + 3, back);
        zw_q_rotate(back, w, vm);
    }
}

static void rigid_advance(const void *self, const zw_state *x0, const double *u, double h, zw_state *x1) {
    const zw_rigids *all = self;
    for (int i = 0; i < all->nbodies; i++) {
        body_advance(&all->body[i], x0, u, h, x1);
    }
}

static void rigid_middle(const void *self, const zw_state *x0, const double *u, double h, zw_state *xm) {
    const zw_rigids *all = self;
    for (int i = 0; i < all->nbodies; i++) {
        body_middle(&all->body[i], x0, u, h, xm);
    }
}

static void rigid_move(const void *self, const zw_state *x0, const double *u, double h, int block, zw_state *xm, zw_state *x1) {
    const zw_rigids *all = self;
    body_advance(&all->body[block], x0, u, h, x1);
    if (xm != NULL) {
        body_middle(&all->body[block], x0, u, h, xm);
    }
}

static zw_status rigid_balance(void *self, const zw_state *x0, const double *u, const zw_state *x1, double h, double damp, double *r,
                               zw_secant_sum *sum, const zw_secant_sink *K) {
    const zw_rigids *all = self;
    (void)damp, (void)sum;
    for (int i = 0; i < all->nbodies; i++) {
        const zw_rigid *b = &all->body[i];
        const double   *v0 = x0->v + b->v0, *v1 = x1->v + b->v0;
        double         *ri = r + b->v0, block[36] = {0}, pull[3];
        zw_v3_scale(pull, h * b->mass, all->gravity);
        if (b->planar) {
            ri[0] = b->moment * (v1[0] - v0[0]);
            for (int k = 1; k < 3; k++) {
                ri[k] = b->mass * (v1[k] - v0[k]) - zw_v3_dot(pull, b->plane + 3 * (size_t)k);
                block[4 * k] = 2.0 * b->mass;
            }
            block[0] = 2.0 * b->moment;
        } else {
            double T[9], turn[9], J[9] = {0};
            for (int k = 0; k < 3; k++) {
                J[4 * k] = b->principal[k];
            }
            zw_node_turn_rate(u + b->v0, h, T);
            zw_node_spin(x0->q + b->q0 + 3, x1->q + b->q0 + 3, J, v0, v1, T, h, ri, K != NULL ? turn : NULL);
            for (int k = 0; k < 3; k++) {
                ri[3 + k] = b->mass * (v1[3 + k] - v0[3 + k]) - pull[k];
            }
            for (int k = 0; k < 9 && K != NULL; k++) {
                block[6 * (k / 3) + k % 3] = turn[k];
            }
            block[21] = block[28] = block[35] = 2.0 * b->mass;
        }
        if (K != NULL) {
            K->add(K->self, i, i, block);
        }
    }
    return ZW_OK;
}

static void rigid_equilibrium(void *self, const zw_state *x, double *r, const zw_secant_sink *K) {
    const zw_rigids *all = self;
    (void)x, (void)K; /* weight does not change with the place */
    memset(r, 0, sizeof(double) * (size_t)all->nv);
    for (int i = 0; i < all->nbodies; i++) {
        const zw_rigid *b = &all->body[i];
        for (int k = 0; k < 3; k++) {
            if (b->planar) {
                r[b->v0 + k] = k == 0 ? 0.0 : -b->mass * zw_v3_dot(all->gravity, b->plane + 3 * (size_t)k);
            } else {
                r[b->v0 + 3 + k] = -b->mass * all->gravity[k];
            }
        }
    }
}

/* a planar body moves in three of the six ways only */
static void to_plane(const zw_rigid *b, const double *a, double out[9]) {
    double axis[3][6] = {{0}}; /* of its columns */
    zw_v3_copy(axis[0], b->plane);
    zw_v3_copy(axis[1] + 3, b->plane + 3);
    zw_v3_copy(axis[2] + 3, b->plane + 6);
    for (int i = 0; i < 9; i++) {
        out[i] = 0.0;
        for (int j = 0; j < 36; j++) {
            out[i] += axis[i / 3][j / 6] * a[j] * axis[i % 3][j % 6];
        }
    }
}

static void put_inertia(const zw_rigid *b, int block, const double *a, const zw_secant_sink *to) {
    double across[9];
    if (to != NULL && b->planar) {
        to_plane(b, a, across);
        to->add(to->self, block, block, across);
    } else if (to != NULL) {
        to->add(to->self, block, block, a);
    }
}

static void rigid_inertia(const void *self, const zw_state *x, const zw_spin *spin, double *r, const zw_secant_sink *K,
                          const zw_secant_sink *G, const zw_secant_sink *M) {
    const zw_rigids *all = self;
    for (int i = 0; i < all->nbodies; i++) {
        const zw_rigid *b = &all->body[i];
        const double   *q = x->q + b->q0;
        zw_node_mass    node = {.m = b->mass};
        double          of[6], k[36], g[36], m[36];
        zw_m3_diagonal(node.J, b->principal[0], b->principal[1], b->principal[2]);
        zw_node_inertia(&node, q, q + 3, spin, of, k, g, m);
        for (int j = 0; j < b->nv && r != NULL; j++) {
            r[b->v0 + j] += b->planar ? zw_v3_dot(of + (j == 0 ? 0 : 3), b->plane + 3 * (size_t)j) : of[j];
        }
        put_inertia(b, i, k, K);
        put_inertia(b, i, g, G);
        put_inertia(b, i, m, M);
    }
}

static void rigid_to_mean(const void *self, const zw_state *x, const double *f, double *fu) {
    const zw_rigids *all = self;
    for (int i = 0; i < all->nbodies; i++) {
        const zw_rigid *b = &all->body[i];
        double          moment[6];
        memcpy(moment, f + b->v0, sizeof(double) * (size_t)b->nv);
        if (!b->planar) {
            zw_q_rotate(x->q + b->q0 + 3, f + b->v0, moment);
        }
        for (int k = 0; k < b->nv; k++) {
            fu[b->v0 + k] += moment[k];
        }
    }
}

static void rigid_node(const void *self, const zw_state *x, int block, zw_secant_node *out) {
    const double *q = x->q + ((const zw_rigids *)self)->body[block].q0;
    double        R[9];
    zw_v3_copy(out->x, q);
    zw_q_to_matrix(q + 3, R);
    for (int i = 0; i < 9; i++) {
        out->d[i % 3][i / 3] = R[i];
    }
}

static void rigid_columns_of(const void *self, const zw_state *x0, const double *u, double h, int block, double *P, double *D) {
    const zw_rigid *b = &((const zw_rigids *)self)->body[block];
    double          w[3], v[3], T[9];
    (void)x0;
    memset(P, 0, sizeof(double) * 6 * (size_t)b->nv);
    memset(D, 0, sizeof(double) * 6 * (size_t)b->nv);
    twist_of(b, u + b->v0, w, v);
    zw_node_turn_rate(w, h, T);
    if (b->planar) {
        double turn[3];
        zw_m3_mulv(turn, T, b->plane);
        for (int i = 0; i < 3; i++) {
            P[3 * i] = b->plane[i];
            D[3 * i] = turn[i];
            P[3 * (3 + i) + 1] = D[3 * (3 + i) + 1] = b->plane[3 + i];
            P[3 * (3 + i) + 2] = D[3 * (3 + i) + 2] = b->plane[6 + i];
        }
        return;
    }
    for (int i = 0; i < 6; i++) {
        P[7 * i] = 1.0;
    }
    for (int i = 0; i < 9; i++) {
        D[6 * (i / 3) + i % 3] = T[i];
    }
    D[21] = D[28] = D[35] = 1.0;
}

/* places are in body axes, nodes have principal ones: v in body axes = axes rotating v in principal axes */
static bool rigid_lever(const void *self, const zw_place *p, zw_lever *out) {
    const zw_rigid *b = &((const zw_rigids *)self)->body[p->body];
    double          back[4];
    *out = (zw_lever){.block = p->body};
    zw_q_conj(b->axes, back);
    zw_q_rotate(back, p->u, out->arm);
    zw_q_to_matrix(back, out->axes);
    return true;
}

static int rigid_whose(const void *self, int block, int *node) {
    (void)self;
    *node = -1;
    return block;
}

const zw_secant_ops zw_rigids_secant_ops = {
    .blocks = rigid_blocks,
    .columns = rigid_columns,
    .pairs = rigid_pairs,
    .pair = rigid_pair,
    .guess = rigid_guess,
    .advance = rigid_advance,
    .middle = rigid_middle,
    .move = rigid_move,
    .balance = rigid_balance,
    .equilibrium = rigid_equilibrium,
    .inertia = rigid_inertia,
    .to_mean = rigid_to_mean,
    .node = rigid_node,
    .columns_of = rigid_columns_of,
    .lever = rigid_lever,
    .whose = rigid_whose,
};

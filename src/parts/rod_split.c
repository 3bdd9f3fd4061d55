/* SPDX-License-Identifier: Apache-2.0
 * rod_split.c: which links are to be split, and the state of rods whose links were. See system/split.h. */
#include "math/se3.h"
#include "parts/rod_grow.h"
#include "parts/rod_link.h"
#include "parts/rod_split.h"

#include <math.h>
#include <string.h>

int zw_rod_split_parts(const zw_rods *rods, int i_rod, int i_link, const zw_state *x) {
    const zw_rod_growth *g = zw_rods_growth_of(rods, i_rod);
    int                  parts = 1;
    if (g == NULL || !(g->split > 0.0)) {
        return 1;
    }
    double l = zw_rod_growth_l(g, x->s)[i_link];
    while (l / parts > g->split && parts < 1 << 20) {
        parts *= 2;
    }
    return parts;
}

/* the link that a law feeds; -1: none */
static int mouth_of(const zw_rods *rods, const zw_rod_growth *g, bool *far) {
    double at = zw_growth_mouth(g->law);
    int    n = g->rod->nlinks, j = 0;
    if (!(at >= 0.0)) {
        return -1;
    }
    while (j + 1 < n && zw_rod_far_label(rods, g->rod, j) <= at) {
        j++;
    }
    *far = at - rods->label[g->rod->node0 + j] > 0.5 * rods->l0[g->rod->link0 + j];
    return j;
}

bool zw_rod_joins(const zw_rods *rods, int i_rod, int i_link, const zw_state *x) {
    const zw_rod_growth *g = zw_rods_growth_of(rods, i_rod);
    bool                 far = false;
    int                  mouth = g != NULL && g->split > 0.0 && !g->rod->closed && g->rod->nlinks > 2 ? mouth_of(rods, g, &far) : -1;
    int                  next = far ? mouth - 1 : mouth + 1;
    if (mouth < 0 || next < 0 || next >= g->rod->nlinks || i_link != (far ? next : mouth)) {
        return false;
    }
    const double *l = zw_rod_growth_l(g, x->s);
    return l[mouth] < 0.5 * l[next] && l[mouth] + l[next] <= 0.9 * g->split;
}

/* the node at tau of a link: on its helix; velocities on the line between those of its ends */
static void node_within(const zw_rods *rods, const zw_rod *r, int i_link, double tau, const zw_state *x, double *q, double *v) {
    size_t        a = (size_t)(r->node0 + i_link), b = (size_t)zw_rod_far(r, i_link);
    const double *qa = x->q + ZW_ROD_NQ * a, *qb = x->q + ZW_ROD_NQ * b, *va = x->v + ZW_ROD_NV * a, *vb = x->v + ZW_ROD_NV * b;
    double        xi[6], dq[4], dx[3], out[4], wa[3], wb[3], w[3];
    zw_link       k;
    (void)rods;
    zw_link_strain(qa, qb, &k);
    for (int i = 0; i < 3; i++) {
        xi[i] = tau * k.w[i];
        xi[3 + i] = tau * k.u[i];
    }
    zw_se3_exp_q(xi, dq, dx);
    zw_se3_mul_q(qa + 3, qa, dq, dx, out, q);
    zw_q_normalize(out);
    zw_q_copy(out, q + 3);
    zw_q_rotate(qa + 3, va, wa);
    zw_q_rotate(qb + 3, vb, wb);
    for (int i = 0; i < 3; i++) {
        w[i] = (1.0 - tau) * wa[i] + tau * wb[i];
        v[3 + i] = (1.0 - tau) * va[3 + i] + tau * vb[3 + i];
    }
    zw_q_rotate_back(q + 3, w, v);
}

/* link of `from` that a link of `to` is part of, and which share of it */
static int link_before(const zw_rods *from, const zw_rod *r0, const zw_rods *to, const zw_rod *r1, int i, int guess) {
    double middle = to->label[r1->node0 + i] + 0.5 * to->l0[r1->link0 + i];
    while (guess + 1 < r0->nlinks && zw_rod_far_label(from, r0, guess) < middle) {
        guess++;
    }
    return guess;
}

/* a link of `to` that was two: the second is `last` */
static void carry_joined(const zw_rod_growth *g0, const zw_state *x0, const zw_rod_growth *g1, zw_state *x1, int i, int last) {
    const double *l = zw_rod_growth_l(g0, x0->s) + last - 1, *k0 = zw_rod_growth_natural(g0, x0->s) + 3 * (size_t)(last - 1);
    const double *radius = zw_rod_growth_radius(g0, x0->s) + last - 1;
    double        sum = l[0] + l[1];
    zw_rod_growth_l(g1, x1->s)[i] = sum;
    zw_rod_growth_radius(g1, x1->s)[i] = (l[0] * radius[0] + l[1] * radius[1]) / sum;
    for (int k = 0; k < 3; k++) {
        zw_rod_growth_natural(g1, x1->s)[3 * (size_t)i + (size_t)k] = (l[0] * k0[k] + l[1] * k0[3 + k]) / sum;
    }
}

static void carry_fields(const zw_rod_growth *g0, const double *memory0, const zw_state *x0, const zw_rod_growth *g1, double *memory1,
                         zw_state *x1, const int *before, const double *share) {
    for (int i = 0; i < g1->rod->nlinks; i++) {
        if (share[i] > 1.0 + 1e-9) {
            carry_joined(g0, x0, g1, x1, i, before[i]);
            continue;
        }
        zw_rod_growth_l(g1, x1->s)[i] = zw_rod_growth_l(g0, x0->s)[before[i]] * share[i];
        zw_rod_growth_radius(g1, x1->s)[i] = zw_rod_growth_radius(g0, x0->s)[before[i]];
        zw_v3_copy(zw_rod_growth_natural(g1, x1->s) + 3 * (size_t)i, zw_rod_growth_natural(g0, x0->s) + 3 * (size_t)before[i]);
    }
    zw_growth_remesh(g0->law, zw_rod_growth_memory(g0, x0->s), memory0 + g0->w0, g1->rod->nlinks, before, share,
                     zw_rod_growth_memory(g1, x1->s), memory1 + g1->w0);
}

void zw_rods_carry_over(const zw_rods *from, const zw_state *x0, const double *memory0, const zw_rods *to, zw_state *x1, double *memory1,
                        int *before, double *share) {
    for (int i_rod = 0; i_rod < to->nrods; i_rod++) {
        const zw_rod *r0 = &from->rod[i_rod], *r1 = &to->rod[i_rod];
        int           at = 0;
        for (int i = 0; i < r1->nlinks; i++) {
            before[i] = at = link_before(from, r0, to, r1, i, at);
            share[i] = to->l0[r1->link0 + i] / from->l0[r0->link0 + at];
            if (share[i] > 1.0 + 1e-9) { /* joined: the second of the two, and both lengths over its own */
                double begin = to->label[r1->node0 + i];
                before[i] = at = from->label[r0->node0 + at] > begin + 1e-9 * from->l0[r0->link0 + at] ? at : at + 1;
            }
        }
        for (int i = 0; i < r1->nnodes; i++) {
            int j = before[i < r1->nlinks ? i : r1->nlinks - 1];
            if (i < r1->nlinks && share[i] > 1.0 + 1e-9) {
                j--; /* the first of the two that were joined */
            }
            double tau = (to->label[r1->node0 + i] - from->label[r0->node0 + j]) / from->l0[r0->link0 + j];
            size_t here = (size_t)(r1->node0 + i), old = (size_t)(tau < 0.5 ? r0->node0 + j : zw_rod_far(r0, j));
            if (tau > 1e-9 && tau < 1.0 - 1e-9) {
                node_within(from, r0, j, tau, x0, x1->q + ZW_ROD_NQ * here, x1->v + ZW_ROD_NV * here);
            } else { /* a node that was there: its bits */
                memcpy(x1->q + ZW_ROD_NQ * here, x0->q + ZW_ROD_NQ * old, ZW_ROD_NQ * sizeof(double));
                memcpy(x1->v + ZW_ROD_NV * here, x0->v + ZW_ROD_NV * old, ZW_ROD_NV * sizeof(double));
            }
        }
        const zw_rod_growth *g0 = zw_rods_growth_of(from, i_rod), *g1 = zw_rods_growth_of(to, i_rod);
        if (g0 != NULL) {
            carry_fields(g0, memory0, x0, g1, memory1, x1, before, share);
        }
    }
}

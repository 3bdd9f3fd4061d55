/* SPDX-License-Identifier: Apache-2.0
 * implicit_balance.c: balance of momenta over a step, in the columns of the mean velocities: parts, loads, springs.
 *
 * Parts without turning nodes (lagrangian) go by the midpoint:  M(qm) (v1 - v0) + h c(qm, u) = h F(qm, u), qm = q0 + h u/2; their derivative by differences. */
#include "steps/implicit.h"

#include "math/vec3.h"
#include "rows/bilinear.h"
#include "steps/implicit_contact.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* r = M(qm) (v1 - v0) + h (c - F) of a flat part at the mean velocity u */
static zw_status flat_balance(zw_implicit *k, int part, const zw_state *x0, const double *u, double h, double *r) {
    const zw_part *p = &k->y->part[part];
    int            n = p->ops->size(p->self).nv;
    zw_state       from = zw_implicit_slice(k, part, x0), mid = zw_implicit_slice(k, part, &k->near);
    double        *f = k->flat + 4 * (size_t)p->v0, *dv = f + n;
    zw_matrix      M;
    mid.t = x0->t + 0.5 * h;
    for (int i = 0; i < n; i++) {
        mid.q[i] = from.q[i] + 0.5 * h * u[i];
        mid.v[i] = u[i];
        dv[i] = 2.0 * (u[i] - from.v[i]);
    }
    ZW_TRY(p->ops->force(p->self, &mid, f));
    if (p->ops->bias != NULL) {
        p->ops->bias(p->self, &mid, f);
    }
    if (p->ops->damp != NULL && p->ops->damps(p->self)) {
        p->ops->damp(p->self, &mid, f);
    }
    p->ops->mass(p->self, &mid, &M);
    for (int i = 0; i < n; i++) {
        double sum = M.kind == ZW_DIAGONAL ? M.a[i] * dv[i] : 0.0;
        for (int j = 0; M.kind != ZW_DIAGONAL && j < n; j++) {
            sum += M.a[(ptrdiff_t)i * n + j] * dv[j];
        }
        r[i] = sum - h * f[i];
    }
    return ZW_OK;
}

static zw_status flat_part(zw_implicit *k, int part, const zw_state *x0, double h, zw_state *x1, bool derivative, zw_secant_sum *sum) {
    const zw_part *p = &k->y->part[part];
    int            n = p->ops->size(p->self).nv, block = k->part_block[part];
    zw_state       from = zw_implicit_slice(k, part, x0), to = zw_implicit_slice(k, part, x1), mid;
    double        *u = k->u + p->v0, *plus = k->flat + 4 * (size_t)p->v0 + 2 * (size_t)n, *minus = plus + n;
    for (int i = 0; i < n; i++) {
        to.q[i] = from.q[i] + h * u[i];
        to.v[i] = 2.0 * u[i] - from.v[i];
    }
    for (int j = 0; derivative && j < n; j++) {
        double kept = u[j], step = 1e-6 * (1.0 + fabs(kept));
        u[j] = kept + step;
        ZW_TRY(flat_balance(k, part, x0, u, h, plus));
        u[j] = kept - step;
        ZW_TRY(flat_balance(k, part, x0, u, h, minus));
        u[j] = kept;
        for (int i = 0; i < n; i++) {
            double slope = (plus[i] - minus[i]) / (2.0 * step);
            zw_implicit_add(k, block, block, i, j, 1, 1, &slope);
        }
    }
    ZW_TRY(flat_balance(k, part, x0, u, h, k->ru + p->v0));
    mid = zw_implicit_slice(k, part, &k->near);
    mid.t = x0->t + 0.5 * h;
    if (p->ops->power != NULL) {
        double work = 0.0, dissipated = 0.0;
        p->ops->power(p->self, &mid, &work, &dissipated);
        sum->work += h * work;
        sum->dissipated += h * dissipated;
    }
    return ZW_OK;
}

/* ---- springs: tension  k (mean length - L) + c (l1 - l0)/h  along the mean of the line over the mean length: its work is the change of its energy, plus what the damper takes */

typedef struct ends {
    double arm[2][3], arm1[2][3]; /* means, and at the end */
    double d[3], d1[3], l0, l1, l;
} ends;

static void node_of(const zw_implicit *k, int block, const zw_state *x, zw_secant_node *out) {
    const zw_implicit_block *b = &k->block[block];
    const zw_part           *p = &k->y->part[b->part];
    zw_state                 part = zw_implicit_slice(k, b->part, x);
    p->ops->secant->node(p->self, &part, b->index, out);
}

static void along_arm(const zw_secant_node *n, const double arm[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = n->d[0][i] * arm[0] + n->d[1][i] * arm[1] + n->d[2][i] * arm[2];
    }
}

static void find_ends(const zw_implicit *k, const zw_implicit_spring *s, const zw_state *x0, const zw_state *x1, ends *e) {
    double r[2][2][3]; /* side, time */
    for (int side = 0; side < 2; side++) {
        if (s->block[side] < 0) {
            zw_v3_copy(r[side][0], k->y->spring[s->spring].anchor);
            zw_v3_copy(r[side][1], k->y->spring[s->spring].anchor);
            continue;
        }
        zw_secant_node n[2];
        double         arm[2][3];
        for (int time = 0; time < 2; time++) {
            node_of(k, s->block[side], time == 0 ? x0 : x1, &n[time]);
            along_arm(&n[time], s->lever[side].arm, arm[time]);
            zw_v3_add(r[side][time], n[time].x, arm[time]);
        }
        for (int i = 0; i < 3; i++) {
            e->arm[side][i] = 0.5 * (arm[0][i] + arm[1][i]);
            e->arm1[side][i] = arm[1][i];
        }
    }
    double d0[3];
    zw_v3_sub(d0, r[0][0], r[1][0]);
    zw_v3_sub(e->d1, r[0][1], r[1][1]);
    for (int i = 0; i < 3; i++) {
        e->d[i] = 0.5 * (d0[i] + e->d1[i]);
    }
    e->l0 = zw_v3_norm(d0);
    e->l1 = zw_v3_norm(e->d1);
    e->l = 0.5 * (e->l0 + e->l1);
}

/* P (6 x ncol) and D of a block, columns of its part */
static void columns_of(const zw_implicit *k, int block, const zw_state *x0, double h, double *P, double *D) {
    const zw_implicit_block *b = &k->block[block];
    const zw_part           *p = &k->y->part[b->part];
    zw_state                 part = zw_implicit_slice(k, b->part, x0);
    p->ops->secant->columns_of(p->self, &part, k->u + p->v0, h, b->index, P, D);
}

/* K (6 x 6) of (w, v) of block i by (eta, x) of block j, times f, to columns of u: P' K D h */
static void add_twists(zw_implicit *k, int i, int j, const double *K, double f, const double *P, const double *D, double h) {
    int    ni = k->block[i].ncol, nj = k->block[j].ncol;
    double KD[36], out[36];
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < nj; c++) {
            double sum = 0.0;
            for (int n = 0; n < 6; n++) {
                sum += K[6 * r + n] * D[n * nj + c];
            }
            KD[r * nj + c] = f * h * sum;
        }
    }
    for (int r = 0; r < ni; r++) {
        for (int c = 0; c < nj; c++) {
            double sum = 0.0;
            for (int n = 0; n < 6; n++) {
                sum += P[n * ni + r] * KD[n * nj + c];
            }
            out[r * nj + c] = sum;
        }
    }
    zw_implicit_add(k, i, j, 0, 0, ni, nj, out);
}

static void add_wrench(zw_implicit *k, int block, const double *P, double f, const double wrench[6]) {
    const zw_implicit_block *b = &k->block[block];
    for (int c = 0; c < b->ncol; c++) {
        double sum = 0.0, size = 0.0;
        for (int n = 0; n < 6; n++) {
            sum += P[n * b->ncol + c] * wrench[n];
            size += fabs(P[n * b->ncol + c] * wrench[n]);
        }
        k->ru[b->col0 + c] += f * sum;
        k->size[b->col0 + c] += fabs(f) * size;
    }
}

static void spring_derivative(zw_implicit *k, const zw_implicit_spring *s, const ends *e, double tension, double slope, double h,
                              double P[2][36], double D[2][36]) {
    double dF[9], along[3]; /* of the force tension d/l by d1 */
    zw_v3_scale(along, 1.0 / e->l, e->d);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double n1 = e->l1 > 0.0 ? e->d1[j] / e->l1 : 0.0;
            dF[3 * i + j] = along[i] * slope * n1 + tension * ((i == j ? 0.5 : 0.0) - 0.5 * along[i] * n1) / e->l;
        }
    }
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            if (s->block[a] < 0 || s->block[b] < 0) {
                continue;
            }
            double        sign = a == b ? 1.0 : -1.0, K[36] = {0}, hat[9], by_eta[9], up[9];
            const double *arm = e->arm[a], *arm1 = e->arm1[b];
            hat[0] = hat[4] = hat[8] = 0.0; /* -arm1^: eta x arm1 = -arm1^ eta */
            hat[1] = arm1[2];
            hat[2] = -arm1[1];
            hat[3] = -arm1[2];
            hat[5] = arm1[0];
            hat[6] = arm1[1];
            hat[7] = -arm1[0];
            zw_m3_mul(by_eta, dF, hat);
            up[0] = up[4] = up[8] = 0.0; /* arm^ */
            up[1] = -arm[2];
            up[2] = arm[1];
            up[3] = arm[2];
            up[5] = -arm[0];
            up[6] = -arm[1];
            up[7] = arm[0];
            double tx[9], te[9];
            zw_m3_mul(tx, up, dF);
            zw_m3_mul(te, up, by_eta);
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    K[6 * i + j] = sign * te[3 * i + j];
                    K[6 * i + 3 + j] = sign * tx[3 * i + j];
                    K[6 * (3 + i) + j] = sign * by_eta[3 * i + j];
                    K[6 * (3 + i) + 3 + j] = sign * dF[3 * i + j];
                }
            }
            if (a == b) { /* (eta x arm1)/2 x F, F on this side */
                double F[3], pq;
                zw_v3_scale(F, (a == 0 ? tension : -tension), along);
                pq = zw_v3_dot(arm1, F);
                for (int i = 0; i < 3; i++) {
                    for (int j = 0; j < 3; j++) {
                        K[6 * i + j] += 0.5 * (arm1[i] * F[j] - (i == j ? pq : 0.0));
                    }
                }
            }
            add_twists(k, s->block[a], s->block[b], K, h * k->share, P[a], D[b], h);
        }
    }
}

zw_status zw_implicit_springs(zw_implicit *k, const zw_state *x0, double h, const zw_state *x1, bool derivative, zw_secant_sum *sum) {
    for (int i = 0; i < k->nsprings; i++) {
        const zw_implicit_spring *s = &k->spring[i];
        const zw_spring          *of = &k->y->spring[s->spring];
        ends                      e;
        double                    P[2][36], D[2][36], wrench[6];
        find_ends(k, s, x0, x1, &e);
        if (!(e.l > 0.0)) {
            continue; /* no direction, and no force along it */
        }
        double tension = of->stiffness * (e.l - of->length) + of->damping * (e.l1 - e.l0) / h;
        sum->dissipated += of->damping * (e.l1 - e.l0) * (e.l1 - e.l0) / h;
        for (int side = 0; side < 2; side++) {
            if (s->block[side] < 0) {
                continue;
            }
            columns_of(k, s->block[side], x0, h, P[side], D[side]);
            zw_v3_scale(wrench + 3, (side == 0 ? tension : -tension) / e.l, e.d);
            zw_v3_cross(wrench, e.arm[side], wrench + 3);
            add_wrench(k, s->block[side], P[side], h, wrench);
        }
        if (derivative) {
            double rate = k->share == 2.0 ? 0.0 : of->damping / h; /* at rest no length changes while the state does */
            spring_derivative(k, s, &e, tension, 0.5 * of->stiffness + rate, h, P, D);
        }
    }
    zw_implicit_foundations(k, x0, h, x1, derivative, sum);
    return ZW_OK;
}

/* ---- the whole */

static zw_status loads(zw_implicit *k, const zw_state *x0, double h, zw_secant_sum *sum) {
    zw_system *y = k->y;
    memset(k->f, 0, sizeof(double) * (size_t)k->n.nv);
    memset(k->fu, 0, sizeof(double) * (size_t)k->n.nv);
    ZW_TRY(zw_system_load(y, &k->xm, x0->t + 0.5 * h, k->f));
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        if (p->ops->secant != NULL) {
            zw_state part = zw_implicit_slice(k, i, &k->xm);
            p->ops->secant->to_mean(p->self, &part, k->f + p->v0, k->fu + p->v0);
        } else {
            for (int j = 0, n = p->ops->size(p->self).nv; j < n; j++) {
                k->fu[p->v0 + j] += k->f[p->v0 + j];
            }
        }
    }
    for (int i = 0; i < k->n.nv; i++) {
        k->ru[i] -= h * k->fu[i];
        k->size[i] += fabs(h * k->fu[i]);
        sum->work += h * k->fu[i] * k->u[i];
    }
    return ZW_OK;
}

zw_status zw_implicit_balance(zw_implicit *k, const zw_state *x0, double h, zw_state *x1, bool derivative, zw_secant_sum *sum) {
    zw_system *y = k->y;
    *sum = (zw_secant_sum){0};
    if (derivative) {
        zw_blocklu_zero(&k->lu);
    }
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        memcpy(k->u + b->col0, k->z + b->z0, sizeof(double) * (size_t)b->ncol);
    }
    x1->t = x0->t + h;
    k->xm.t = x0->t + 0.5 * h;
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        zw_state       from = zw_implicit_slice(k, i, x0), to = zw_implicit_slice(k, i, x1), mid = zw_implicit_slice(k, i, &k->xm);
        if (p->ops->secant == NULL) {
            ZW_TRY(flat_part(k, i, x0, h, x1, derivative, sum));
            for (int j = 0, n = p->ops->size(p->self).nv; j < n; j++) {
                mid.q[j] = from.q[j] + 0.5 * h * k->u[p->v0 + j];
                mid.v[j] = k->u[p->v0 + j];
                k->size[p->v0 + j] = fabs(k->ru[p->v0 + j]);
            }
            continue;
        }
        zw_implicit_into into = {.k = k, .part = i};
        zw_secant_sink   K = zw_implicit_sink(&into);
        p->ops->secant->advance(p->self, &from, k->u + p->v0, h, &to);
        p->ops->secant->middle(p->self, &from, k->u + p->v0, h, &mid);
        ZW_TRY(p->ops->secant->balance(p->self, &from, k->u + p->v0, &to, h, k->damp, k->ru + p->v0, sum, derivative ? &K : NULL));
        for (int j = 0, n = p->ops->size(p->self).nv; j < n; j++) {
            k->size[p->v0 + j] = fabs(k->ru[p->v0 + j]);
        }
    }
    if (zw_system_loaded(y)) {
        ZW_TRY(loads(k, x0, h, sum));
    }
    ZW_TRY(zw_implicit_springs(k, x0, h, x1, derivative, sum));
    ZW_TRY(zw_implicit_rows(k, x0, h, x1, derivative, sum));
    if (k->contacts != NULL && k->contacts->n > 0) {
        ZW_TRY(zw_implicit_contacts_add(k, x0, h, x1, derivative, sum));
    }
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        memcpy(k->r + b->z0, k->ru + b->col0, sizeof(double) * (size_t)b->ncol);
    }
    return ZW_OK;
}

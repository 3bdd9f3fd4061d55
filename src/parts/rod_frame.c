/* SPDX-License-Identifier: Apache-2.0
 * rod_frame.c: the frame at a place of a rod, how node velocities move it, and what can be measured there.
 *
 * Between the nodes of a link the rod is the helix g(tau) = g_a exp(tau xi), xi = log(g_a^-1 g_b), tau in 0..1. Its body velocity is
 *   eta(tau) = Ad_exp(-tau xi) eta_a + tau dexp_{-tau xi} dxi,   dxi = dexp^-1_{-xi} eta_b - dexp^-1_{xi} eta_a. */
#include "parts/rod.h"

#include "math/dense.h"
#include "math/se3.h"
#include "parts/rod_grow.h"
#include "parts/rod_growth_observe.h"
#include "parts/rod_link.h"

#include <math.h>
#include <string.h>

static void node_frame(const double *q, const double *v, int node, zw_frame *F, zw_jet *J) {
    zw_v3_copy(F->r, q);
    zw_q_to_matrix(q + 3, F->R);
    zw_m3_mulv(F->w, F->R, v);
    zw_v3_copy(F->v, v + 3);
    if (J == NULL) {
        return;
    }
    J->nblocks = 1;
    J->col[0] = ZW_ROD_NV * node;
    J->ncol[0] = ZW_ROD_NV;
    memset(J->J[0], 0, sizeof J->J[0]);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            J->J[0][6 * i + k] = F->R[3 * i + k];
        }
        J->J[0][6 * (3 + i) + 3 + i] = 1.0;
    }
}

/* M (6x6 acting on body twists of the node) becomes columns for (Omega body, xdot space) and rows in space axes R */
static void to_space(const double R[9], const double R_node[9], const double M[36], double out[36]) {
    for (int block = 0; block < 4; block++) {
        int    row = 3 * (block / 2), col = 3 * (block % 2);
        double m[9], t[9];
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                m[3 * i + k] = M[6 * (row + i) + col + k];
            }
        }
        zw_m3_mul(t, R, m);
        if (col == 3) {
            zw_m3_mult(m, t, R_node);
        } else {
            zw_m3_copy(m, t);
        }
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                out[6 * (row + i) + col + k] = m[3 * i + k];
            }
        }
    }
}

void zw_rod_between(const double *qa, const double *qb, const double *va, const double *vb, double tau, zw_frame *F, double block[2][36]) {
    double  xi[6], part[6], minus[6], dq[4], dx[3], q[4];
    double  Ad[36], dexp[36], inv[36], Ma[36], Mb[36], Ra[9], Rb[9], back_q[4], back_x[3], Rback[9];
    zw_link k;
    zw_link_strain(qa, qb, &k);
    for (int i = 0; i < 3; i++) {
        xi[i] = k.w[i];
        xi[3 + i] = k.u[i];
    }
    for (int i = 0; i < 6; i++) {
        part[i] = tau * xi[i];
    }
    zw_se3_exp_q(part, dq, dx);
    zw_se3_mul_q(qa + 3, qa, dq, dx, q, F->r);
    zw_q_to_matrix(q, F->R);
    zw_q_to_matrix(qa + 3, Ra);
    zw_q_to_matrix(qb + 3, Rb);

    zw_se3_inverse_q(dq, dx, back_q, back_x);
    zw_q_to_matrix(back_q, Rback);
    zw_se3_adjoint(Rback, back_x, Ad);
    for (int i = 0; i < 6; i++) {
        minus[i] = -part[i];
    }
    zw_se3_dexp(minus, dexp);
    zw_se3_dexp_inv(xi, inv);
    zw_m6_mul(Ma, dexp, inv);
    for (int i = 0; i < 36; i++) {
        Ma[i] = Ad[i] - tau * Ma[i];
    }
    for (int i = 0; i < 6; i++) {
        minus[i] = -xi[i];
    }
    zw_se3_dexp_inv(minus, inv);
    zw_m6_mul(Mb, dexp, inv);
    for (int i = 0; i < 36; i++) {
        Mb[i] *= tau;
    }
    double sum[6] = {0};
    to_space(F->R, Ra, Ma, block[0]);
    to_space(F->R, Rb, Mb, block[1]);
    for (int i = 0; i < 6; i++) {
        for (int h = 0; h < 6; h++) {
            sum[i] += block[0][6 * i + h] * va[h] + block[1][6 * i + h] * vb[h];
        }
    }
    zw_v3_copy(F->w, sum);
    zw_v3_copy(F->v, sum + 3);
}

static void link_frame(const zw_rods *rods, const zw_state *x, const zw_place *p, zw_frame *F, zw_jet *J) {
    const zw_rod *r = &rods->rod[p->body];
    int           a = r->node0 + p->element, b = zw_rod_far(r, p->element);
    double        block[2][36];
    zw_rod_between(x->q + ZW_ROD_NQ * (size_t)a, x->q + ZW_ROD_NQ * (size_t)b, x->v + ZW_ROD_NV * (size_t)a, x->v + ZW_ROD_NV * (size_t)b,
                   p->u[0], F, block);
    if (J != NULL) {
        J->nblocks = 2;
        J->col[0] = ZW_ROD_NV * a;
        J->col[1] = ZW_ROD_NV * b;
        J->ncol[0] = J->ncol[1] = ZW_ROD_NV;
        memcpy(J->J[0], block[0], sizeof block[0]);
        memcpy(J->J[1], block[1], sizeof block[1]);
    }
}

void zw_rods_frame(const void *self, const zw_state *x, const zw_place *p, zw_frame *F, zw_jet *J) {
    const zw_rods *rods = self;
    const zw_rod  *r = &rods->rod[p->body];
    if (p->u[0] != 0.0 && p->u[0] != 1.0) { /* beyond 0 and 1 for places that are about to leave the rod */
        link_frame(rods, x, p, F, J);
        return;
    }
    int node = p->u[0] > 0.0 ? zw_rod_far(r, p->element) : r->node0 + p->element;
    node_frame(x->q + ZW_ROD_NQ * (size_t)node, x->v + ZW_ROD_NV * (size_t)node, node, F, J);
}

bool zw_rods_place(const void *self, int body, const double u[3], zw_place *out) {
    const zw_rods *rods = self;
    const zw_rod  *r = &rods->rod[body];
    const double  *label = rods->label + r->node0;
    double         slack = 1e-9 * r->length;
    if (!(u[0] >= -slack && u[0] <= r->length + slack)) {
        return false;
    }
    int low = 0, element = r->nlinks - 1; /* the last link that begins at or before the label */
    while (low < element) {
        int middle = (low + element + 1) / 2;
        if (label[middle] <= u[0]) {
            low = middle;
        } else {
            element = middle - 1;
        }
    }
    double tau = (u[0] - label[element]) / rods->l0[r->link0 + element];
    /* a label within round-off of a node means the node */
    tau = tau < 1e-9 ? 0.0 : tau > 1.0 - 1e-9 ? 1.0 : tau;
    *out = (zw_place){.body = body, .element = element, .u = {tau, 0.0, 0.0}, .turns = true};
    return true;
}

void zw_rods_slip(const void *self, const zw_state *x, double label, double from, zw_place *at, double tangent[6]) {
    const zw_rods *rods = self;
    const zw_rod  *r = &rods->rod[at->body];
    double         s = r->closed ? from - r->length * floor(from / r->length) : from, u[3] = {0.0};
    double         inside = fmin(fmax(s, 0.0), r->length), R[9];
    zw_place       found;
    zw_link        k;
    u[0] = inside;
    if (!isfinite(s + label) || !zw_rods_place(rods, at->body, u, &found)) { /* not a number: the state is none either */
        at->u[0] = NAN;
        memset(tangent, 0, 6 * sizeof *tangent);
        return;
    }
    int    a = r->node0 + found.element, b = zw_rod_far(r, found.element);
    double l0 = rods->l0[r->link0 + found.element];
    at->element = found.element;
    at->u[0] = found.u[0] + ((s - inside) + (label - from)) / l0;
    zw_frame F;
    zw_rods_frame(rods, x, at, &F, NULL);
    zw_m3_copy(R, F.R);
    zw_link_strain(x->q + ZW_ROD_NQ * (size_t)a, x->q + ZW_ROD_NQ * (size_t)b, &k);
    zw_m3_mulv(tangent, R, k.w); /* along a helix its twist is the same in the axes of every section */
    zw_m3_mulv(tangent + 3, R, k.u);
    for (int i = 0; i < 6; i++) {
        tangent[i] /= l0;
    }
}

int zw_rods_stations(const void *self, int body, zw_place *out, double *weight, double *label) {
    const zw_rods *rods = self;
    const zw_rod  *r = &rods->rod[body];
    for (int i = 0; out != NULL && i < r->nnodes; i++) {
        int element = i < r->nlinks ? i : r->nlinks - 1;
        out[i] = (zw_place){.body = body, .element = element, .u = {i < r->nlinks ? 0.0 : 1.0, 0.0, 0.0}, .turns = true};
        weight[i] = rods->weight[r->node0 + i];
        label[i] = rods->label[r->node0 + i];
    }
    return r->nnodes;
}

/* Strains live at the middles of links: read off the straight line through the two nearest ones, so that ends are of second order too */
int zw_rod_measured_links(const zw_rods *rods, const zw_rod *r, const zw_place *p, int link[2], double share[2]) {
    double tau = p->u[0];
    int    first = p->element, step = tau < 0.5 ? -1 : 1; /* which side the second link is on, seen from the first */
    link[0] = first;
    share[0] = 1.0;
    if (r->nlinks < 2) {
        return 1;
    }
    if (!r->closed && (first + step < 0 || first + step >= r->nlinks)) {
        step = -step; /* extrapolate at an end */
    }
    link[1] = (first + step + r->nlinks) % r->nlinks;
    const double *l = rods->l + r->link0;
    share[1] = (tau - 0.5) / step * (2.0 * l[link[0]] / (l[link[0]] + l[link[1]]));
    share[0] = 1.0 - share[1];
    return 2;
}

/* of a rod that grows by the link of the place alone, exactly what its laws feel at a node; else by the two nearest links as all that lives at their middles */
static double driving_at(const zw_rods *rods, const zw_rod *r, const zw_place *p, const zw_state *x) {
    double share[2], value;
    int    link[2];
    if (zw_rods_growth_driving(rods, p, x, &value)) {
        return value;
    }
    int count = zw_rod_measured_links(rods, r, p, link, share);
    value = zw_rod_driving_force(rods, r, link[0], x->q);
    return count < 2 ? value : share[0] * value + share[1] * zw_rod_driving_force(rods, r, link[1], x->q);
}

bool zw_rods_measure(void *self, const zw_state *x, const zw_place *p, zw_measure what, double *out) {
    const zw_rods *rods = self;
    const zw_rod  *r = &rods->rod[p->body];
    zw_rods_tune(rods, x);
    if (what == ZW_MEASURE_LENGTH) {
        double sum = 0.0;
        for (int i = 0; i < r->nlinks; i++) {
            double strain[6];
            zw_rod_link_strain(rods, r, i, x->q, strain);
            sum += rods->l[r->link0 + i] * zw_v3_norm(strain + 3);
        }
        *out = sum;
        return true;
    }
    if (what == ZW_MEASURE_ENERGY) {
        double sum = zw_rods_elastic_energy(rods, r, x->q);
        for (int i = r->node0; i < r->node0 + r->nnodes; i++) {
            const double *v = x->v + ZW_ROD_NV * (size_t)i;
            double        Jw[3];
            if (rods->inertia33 != NULL) {
                zw_m3_mulv(Jw, rods->inertia33 + 9 * (size_t)i, v);
            } else {
                for (int k = 0; k < 3; k++) {
                    Jw[k] = rods->inertia[3 * (size_t)i + k] * v[k];
                }
            }
            sum += 0.5 * rods->mass[i] * zw_v3_norm2(v + 3) + 0.5 * zw_v3_dot(v, Jw) -
                   rods->mass[i] * zw_v3_dot(rods->gravity, x->q + ZW_ROD_NQ * (size_t)i);
        }
        *out = sum;
        return true;
    }
    if (what == ZW_MEASURE_DRIVING) {
        *out = driving_at(rods, r, p, x);
        return true;
    }
    double share[2], value[2][3];
    int    links[2], count = zw_rod_measured_links(rods, r, p, links, share);
    for (int i = 0; i < count; i++) {
        double strain[6], stress[6];
        int    link = links[i];
        zw_rod_link_strain(rods, r, link, x->q, strain);
        zw_rod_link_stress(rods, r, link, strain, stress);
        const double *from = what == ZW_MEASURE_STRAIN || what == ZW_MEASURE_CURVATURE ? strain : stress;
        zw_v3_copy(value[i], what == ZW_MEASURE_CURVATURE || what == ZW_MEASURE_MOMENT ? from : from + 3);
        if (what == ZW_MEASURE_STRAIN) {
            value[i][2] -= 1.0;
        }
    }
    for (int i = 0; i < 3; i++) {
        out[i] = count < 2 ? value[0][i] : value[0][i] + share[1] * (value[1][i] - value[0][i]);
    }
    return true;
}

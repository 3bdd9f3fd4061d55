/* SPDX-License-Identifier: Apache-2.0
 * rod_bracket.c: rods as a part with a Poisson bracket: constants as structure of arrays, the change between (q, v) and z = (mu, Gamma),
 * energy and momenta.
 *
 * z holds mu [6][stride], then Gamma [6][stride]. poisson and hamel start from the logarithmic strains of the links, as the paper's data is
 * meant; consistent uses the strains of cay6 throughout, of the natural placement too: the natural shape carries no stress in either. */
#include "parts/rod_bracket.h"

#include "math/dense.h"
#include "math/se3.h"

#include <math.h>
#include <string.h>

static bool machine_has(const char *name) {
    if (strcmp(name, "any") == 0) {
        return true;
    }
#if defined(__x86_64__) && defined(__GNUC__)
    return strcmp(name, "avx2") == 0 ? __builtin_cpu_supports("avx2") : __builtin_cpu_supports("avx512f");
#else
    return false;
#endif
}

bool zw_rods_bracket_choose(zw_rods_bracket *B, const char *path) {
    static const zw_bracket_path *const paths[] = {&zw_bracket_avx512, &zw_bracket_avx2, &zw_bracket_any}; /* best first */
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if ((path == NULL || strcmp(paths[i]->name, path) == 0) && machine_has(paths[i]->name)) {
            B->path = paths[i];
            return true;
        }
    }
    return false;
}

/* l times the strain of cay6 of a link whose logarithm is xi */
static void log_to_cay6(const double xi[6], double out[6]) {
    double turn[4], shift[3];
    zw_se3_exp_q(xi, turn, shift);
    if (zw_se3_cay6_inv_q(turn, shift, out)) { /* a turn of pi: beyond what a link describes */
        memcpy(out, xi, 6 * sizeof *out);
    }
}

/* strain of link i of rod r in configuration q, as the rule measures it */
static void strain_of(const zw_rods *rods, const zw_rod *r, int i, const double *q, double strain[6]) {
    zw_rod_link_strain(rods, r, i, q, strain);
    if (rods->bracket->rule.scheme == ZW_BRACKET_CONSISTENT) {
        double l = rods->l[r->link0 + i], xi[6];
        for (int k = 0; k < 6; k++) {
            xi[k] = l * strain[k];
        }
        log_to_cay6(xi, strain);
        for (int k = 0; k < 6; k++) {
            strain[k] /= l;
        }
    }
}

static void stress_of(const zw_rods *rods, int link, const double strain[6], double e[6], double stress[6]) {
    const double *e0 = rods->bracket->natural_link + 6 * (size_t)link;
    for (int i = 0; i < 6; i++) {
        e[i] = strain[i] - e0[i];
    }
    if (rods->coupling != NULL) {
        zw_m6_mulv(stress, rods->coupling + 36 * (size_t)link, e);
        return;
    }
    for (int i = 0; i < 6; i++) {
        stress[i] = rods->stiffness[6 * (size_t)link + (size_t)i] * e[i];
    }
}

static size_t slot_of(const zw_rod *r, int i_link) {
    return (size_t)(r->node0 + i_link);
}

static double *gamma_of(const zw_rods *rods, double *z) {
    return z + 6 * rods->bracket->stride;
}

static void inverse_inertia(const zw_rods *rods, zw_rods_bracket *B, size_t node) {
    if (rods->inertia33 == NULL) {
        for (size_t k = 0; k < 3; k++) {
            B->spin[k * B->stride + node] = 1.0 / rods->inertia[3 * node + k];
        }
        return;
    }
    const int row[6] = {0, 1, 2, 0, 0, 1}, col[6] = {0, 1, 2, 1, 2, 2};
    double    lu[9], inverse[9];
    int       pivot[3];
    memcpy(lu, rods->inertia33 + 9 * node, sizeof lu);
    zw_lu_factor(3, lu, pivot);
    zw_lu_inverse(3, lu, pivot, inverse);
    for (size_t k = 0; k < 6; k++) {
        B->spin[k * B->stride + node] = inverse[3 * row[k] + col[k]];
    }
}

static void fill_links(zw_rods *rods, zw_rods_bracket *B) {
    bool cayley = B->rule.scheme == ZW_BRACKET_CONSISTENT;
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int i = 0; i < r->nlinks; i++) {
            size_t  j = (size_t)(r->link0 + i), slot = slot_of(r, i);
            double *natural = B->natural_link + 6 * j, l = rods->l[j];
            for (size_t k = 0; k < 6; k++) {
                natural[k] = rods->natural[6 * j + k] * (cayley ? l : 1.0);
            }
            if (cayley) {
                double xi[6];
                memcpy(xi, natural, sizeof xi);
                log_to_cay6(xi, natural);
                for (size_t k = 0; k < 6; k++) {
                    natural[k] /= l;
                }
            }
            if (r->closed && i == r->nlinks - 1) {
                B->closing[B->nclosing++] = (zw_closing){.slot = (int)slot, .far = r->node0, .link = (int)j};
                continue;
            }
            B->l[slot] = l;
            B->inverse_l[slot] = 1.0 / l;
            for (size_t k = 0; k < 6; k++) {
                B->natural[k * B->stride + slot] = natural[k];
                B->stiffness[k * B->stride + slot] = rods->stiffness[6 * j + k];
            }
            for (size_t k = 0; B->coupling != NULL && k < 36; k++) {
                B->coupling[k * B->stride + slot] = rods->coupling[36 * j + k];
            }
        }
    }
}

static zw_status bracket_prepare(void *self, const zw_bracket_rule *rule, int *nz, int *nmu) {
    zw_rods *rods = self;
    size_t   n = (size_t)rods->nnodes, padded = (n + ZW_BRACKET_GROUP - 1) / ZW_BRACKET_GROUP * ZW_BRACKET_GROUP,
           stride = padded + ZW_BRACKET_GROUP;
    zw_rods_bracket *B = zw_arena_alloc(&rods->arena, 1, sizeof *B, "momenta of rods");
    double          *block = zw_arena_alloc(&rods->arena, 21 * stride + 6 * (stride + ZW_BRACKET_GROUP), sizeof(double), "momenta of rods");
    if (B == NULL || block == NULL) {
        return ZW_E_MEMORY;
    }
    B->rule = *rule;
    B->stride = stride;
    B->padded = padded;
    B->l = block;
    B->inverse_l = B->l + stride;
    B->inverse_mass = B->inverse_l + stride;
    B->stiffness = B->inverse_mass + stride;
    B->natural = B->stiffness + 6 * stride;
    B->spin = B->natural + 6 * stride;
    B->back = B->spin + 6 * stride;
    B->natural_link = zw_arena_alloc(&rods->arena, 6 * (size_t)rods->nlinks, sizeof(double), "momenta of rods");
    B->closing = zw_arena_alloc(&rods->arena, (size_t)rods->nrods, sizeof *B->closing, "momenta of rods");
    if (rods->coupling != NULL) {
        B->coupling = zw_arena_alloc(&rods->arena, 36 * stride, sizeof(double), "momenta of rods");
    }
    if (B->natural_link == NULL || B->closing == NULL || (rods->coupling != NULL && B->coupling == NULL)) {
        return ZW_E_MEMORY;
    }
    B->symmetric = rods->inertia33 == NULL;
    for (size_t i = 0; i < n; i++) {
        B->inverse_mass[i] = 1.0 / rods->mass[i];
        B->symmetric = B->symmetric && rods->inertia[3 * i] == rods->inertia[3 * i + 1];
        inverse_inertia(rods, B, i);
    }
    fill_links(rods, B);
    zw_rods_bracket_choose(B, NULL);
    rods->bracket = B;
    *nz = (int)(12 * stride);
    *nmu = (int)(6 * stride);
    return ZW_OK;
}

static void momenta_from(const zw_rods *rods, const zw_state *x, double *z) {
    size_t stride = rods->bracket->stride;
    for (size_t i = 0; i < (size_t)rods->nnodes; i++) {
        const double *q = x->q + ZW_ROD_NQ * i, *v = x->v + ZW_ROD_NV * i;
        double        mu[6];
        if (rods->inertia33 != NULL) {
            zw_m3_mulv(mu, rods->inertia33 + 9 * i, v);
        } else {
            for (size_t k = 0; k < 3; k++) {
                mu[k] = rods->inertia[3 * i + k] * v[k];
            }
        }
        zw_q_rotate_back(q + 3, v + 3, mu + 3);
        zw_v3_scale(mu + 3, rods->mass[i], mu + 3);
        for (size_t k = 0; k < 6; k++) {
            z[k * stride + i] = mu[k];
        }
    }
}

static zw_status bracket_enter(void *self, const zw_state *x, double *z) {
    zw_rods *rods = self;
    size_t   stride = rods->bracket->stride;
    double  *gamma = gamma_of(rods, z);
    memset(z, 0, 12 * stride * sizeof *z);
    momenta_from(rods, x, z);
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int i = 0; i < r->nlinks; i++) {
            double strain[6];
            strain_of(rods, r, i, x->q, strain);
            for (size_t k = 0; k < 6; k++) {
                gamma[k * stride + slot_of(r, i)] = strain[k];
            }
        }
    }
    return ZW_OK;
}

static void bracket_velocity(void *self, const double *z, zw_state *x) {
    const zw_rods *rods = self;
    rods->bracket->path->velocity(rods->bracket, rods->nnodes, x->q, z, x->v);
}

static void bracket_pace(void *self, const double *z, double *zeta) {
    const zw_rods_bracket *B = ((const zw_rods *)self)->bracket;
    B->path->pace(B, z, zeta);
}

static void take(const double *rows, size_t stride, int at, double out[6]) {
    for (size_t k = 0; k < 6; k++) {
        out[k] = rows[k * stride + (size_t)at];
    }
}

static void bracket_load(void *self, const zw_state *at, const double *f, double *F) {
    const zw_rods *rods = self;
    size_t         stride = rods->bracket->stride;
    for (size_t i = 0; i < (size_t)rods->nnodes; i++) {
        const double *fi = f + ZW_ROD_NV * i;
        double        force[3];
        zw_q_rotate_back(at->q + ZW_ROD_NQ * i + 3, fi + 3, force);
        for (size_t k = 0; k < 3; k++) {
            F[k * stride + i] += fi[k];
            F[(3 + k) * stride + i] += force[k];
        }
    }
}

static void bracket_wrench(void *self, const zw_state *at, const double *z, double *F) {
    const zw_rods         *rods = self;
    const zw_rods_bracket *B = rods->bracket;
    const double          *gamma = z + 6 * B->stride, *g = rods->gravity;
    B->path->wrench(B, gamma, F);
    for (int i = 0; i < B->nclosing; i++) {
        const zw_closing *c = &B->closing[i];
        double            strain[6], e[6], stress[6];
        zw_wide           wide_g[6], wide_s[6], a[6], b[6];
        take(gamma, B->stride, c->slot, strain);
        stress_of(rods, c->link, strain, e, stress);
        for (int k = 0; k < 6; k++) {
            wide_g[k] = zw_wide_all(strain[k]);
            wide_s[k] = zw_wide_all(stress[k]);
        }
        zw_bracket_wrench(zw_wide_all(rods->l[c->link]), B->rule.scheme == ZW_BRACKET_CONSISTENT, wide_g, wide_s, a, b);
        for (size_t k = 0; k < 6; k++) {
            F[k * B->stride + (size_t)c->slot] += a[k][0];
            F[k * B->stride + (size_t)c->far] -= b[k][0];
        }
    }
    if (g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0) {
        for (size_t i = 0; i < (size_t)rods->nnodes; i++) {
            double force[3];
            zw_q_rotate_back(at->q + ZW_ROD_NQ * i + 3, g, force);
            for (size_t k = 0; k < 3; k++) {
                F[(3 + k) * B->stride + i] += rods->mass[i] * force[k];
            }
        }
    }
}

static bool bracket_momenta(void *self, const double *z0, const double *F, double h, double *z1, double *moving, double *straining) {
    const zw_rods_bracket *B = ((const zw_rods *)self)->bracket;
    return B->path->momenta(B, z0, F, h, z1, moving, straining);
}

static void bracket_place(void *self, const zw_state *x0, const double *moving, double h, zw_state *x1) {
    const zw_rods *rods = self;
    rods->bracket->path->place(rods->bracket, rods->nnodes, x0->q, moving, h, x1->q);
}

static void bracket_arrive(void *self, const zw_state *x0, const double *moving, const double *z1, double h, zw_state *x1) {
    const zw_rods *rods = self;
    rods->bracket->path->arrive(rods->bracket, rods->nnodes, x0->q, moving, z1, h, x1->q, x1->v);
}

static void bracket_strains(void *self, const double *z0, const double *straining, double h, double *z1) {
    const zw_rods         *rods = self;
    const zw_rods_bracket *B = rods->bracket;
    const double          *gamma0 = z0 + 6 * B->stride;
    double                *gamma1 = z1 + 6 * B->stride;
    B->path->strains(B, gamma0, straining, h, gamma1);
    for (int i = 0; i < B->nclosing; i++) {
        const zw_closing *c = &B->closing[i];
        double            g0[6], za[6], zb[6], l = rods->l[c->link];
        zw_wide           wide_g[6], wide_a[6], wide_b[6], g1[6];
        take(gamma0, B->stride, c->slot, g0);
        take(straining, B->stride, c->slot, za);
        take(straining, B->stride, c->far, zb);
        for (int k = 0; k < 6; k++) {
            wide_g[k] = zw_wide_all(g0[k]);
            wide_a[k] = zw_wide_all(za[k]);
            wide_b[k] = zw_wide_all(zb[k]);
        }
        if (B->rule.scheme == ZW_BRACKET_CONSISTENT) {
            zw_bracket_strain_true(zw_wide_all(l), zw_wide_all(1.0 / l), h, wide_g, wide_a, wide_b, g1);
        } else {
            zw_bracket_strain(zw_wide_all(1.0 / l), h, wide_g, wide_a, wide_b, g1);
        }
        for (size_t k = 0; k < 6; k++) {
            gamma1[k * B->stride + (size_t)c->slot] = g1[k][0];
        }
    }
}

/* eq 49 times the cell length: energy of momenta and strains; momenta in space through the frames */
static void bracket_account(void *self, const zw_state *x, const double *z, zw_account *a) {
    const zw_rods         *rods = self;
    const zw_rods_bracket *B = rods->bracket;
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int i = 0; i < r->nlinks; i++) {
            double strain[6], e[6], stress[6];
            take(z + 6 * B->stride, B->stride, r->node0 + i, strain);
            stress_of(rods, r->link0 + i, strain, e, stress);
            a->elastic += 0.5 * rods->l[r->link0 + i] * zw_v6_dot(e, stress);
        }
    }
    for (int i = 0; i < rods->nnodes; i++) {
        const double *q = x->q + ZW_ROD_NQ * (size_t)i;
        const double *s = B->spin + i;
        double        mu[6], W[6], P[3], arm[3], spin[3], m = rods->mass[i];
        take(z, B->stride, i, mu);
        take(s, B->stride, 0, W);
        double turning = W[0] * mu[0] * mu[0] + W[1] * mu[1] * mu[1] + W[2] * mu[2] * mu[2] +
                         2.0 * (W[3] * mu[0] * mu[1] + W[4] * mu[0] * mu[2] + W[5] * mu[1] * mu[2]);
        a->kinetic += 0.5 * turning + 0.5 * zw_v3_norm2(mu + 3) / m;
        a->potential -= m * zw_v3_dot(rods->gravity, q);
        a->mass += m;
        zw_q_rotate(q + 3, mu + 3, P);
        zw_q_rotate(q + 3, mu, spin);
        zw_v3_cross(arm, q, P);
        for (int k = 0; k < 3; k++) {
            a->momentum[k] += P[k];
            a->angular[k] += arm[k] + spin[k];
        }
    }
}

static double bracket_mismatch(void *self, const zw_state *x, const double *z) {
    const zw_rods         *rods = self;
    const zw_rods_bracket *B = rods->bracket;
    double                 most = 0.0;
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int i = 0; i < r->nlinks; i++) {
            double strain[6], gamma[6];
            strain_of(rods, r, i, x->q, strain);
            take(z + 6 * B->stride, B->stride, r->node0 + i, gamma);
            for (int k = 0; k < 6; k++) {
                most = fmax(most, fabs(strain[k] - gamma[k]));
            }
        }
    }
    return most;
}

const zw_bracket_ops zw_rods_bracket_ops = {
    .prepare = bracket_prepare,
    .enter = bracket_enter,
    .velocity = bracket_velocity,
    .pace = bracket_pace,
    .wrench = bracket_wrench,
    .load = bracket_load,
    .momenta = bracket_momenta,
    .place = bracket_place,
    .arrive = bracket_arrive,
    .strains = bracket_strains,
    .account = bracket_account,
    .mismatch = bracket_mismatch,
};

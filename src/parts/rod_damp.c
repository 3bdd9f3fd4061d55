/* SPDX-License-Identifier: Apache-2.0
 * rod_damp.c: Kelvin-Voigt damping: each link carries the stress eta C d(strain)/dt besides its elastic one.
 *
 * With (w, u)' = G (va, vb) the rate of a link's strain and D = sum (eta/l) G' C G, the force is -D v. The rows of G are read off the wrench
 * formula: a unit stress e_i puts the force -G_i on the two nodes. Forces come in pairs as in rod_link.h, so momenta are kept.
 * Links of diagonal stiffness go through rod_damp_kernel.h, where the same is written out as 3 x 3 matrices in lanes. */
#include "parts/rod_damp.h"
#include "parts/rod_link.h"

#include <string.h>

const zw_rods_damper *zw_rods_damper_best(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f")) {
        return &zw_rods_damper_avx512;
    }
    if (__builtin_cpu_supports("avx2")) {
        return &zw_rods_damper_avx2;
    }
#endif
    return &zw_rods_damper_any;
}

/* ---- links whose stiffness is a full matrix */

/* f -= D v */
static void coupled_force(const zw_rods *rods, int a, int b, int j, const zw_state *x, double *f) {
    const double *qa = x->q + ZW_ROD_NQ * (size_t)a, *qb = x->q + ZW_ROD_NQ * (size_t)b, *C = rods->coupling + 36 * (size_t)j;
    const double *va = x->v + ZW_ROD_NV * (size_t)a, *vb = x->v + ZW_ROD_NV * (size_t)b;
    double       *fa = f + ZW_ROD_NV * (size_t)a, *fb = f + ZW_ROD_NV * (size_t)b;
    double        G[6][12], rate[6], stress[6], Ta[3], Tb[3], body[3], space[3];
    zw_link       k;
    zw_link_strain(qa, qb, &k);
    zw_link_rates(qa, &k, G);
    for (int h = 0; h < 6; h++) {
        double sum = 0.0;
        for (int n = 0; n < 3; n++) {
            /* space velocities by difference: a uniform boost leaves no round-off behind */
            sum += G[h][n] * va[n] + G[h][6 + n] * vb[n] + G[h][9 + n] * (vb[3 + n] - va[3 + n]);
        }
        rate[h] = sum;
    }
    for (int h = 0; h < 6; h++) {
        double sum = 0.0;
        for (int n = 0; n < 6; n++) {
            sum += C[6 * h + n] * rate[n];
        }
        stress[h] = rods->damping[j] / rods->l[j] * sum;
    }
    zw_link_wrench(&k, stress, stress + 3, Ta, Tb, body);
    zw_q_rotate(qa + 3, body, space);
    for (int h = 0; h < 3; h++) {
        fa[h] += Ta[h];
        fb[h] -= Tb[h];
        fa[3 + h] += space[h];
        fb[3 + h] -= space[h];
    }
}

/* diagonal blocks += h D, others = h D */
static void coupled_metric(const zw_rods *rods, int a, int b, int j, const zw_state *x, double h) {
    int           node[2] = {a, b};
    const double *qa = x->q + ZW_ROD_NQ * (size_t)a, *qb = x->q + ZW_ROD_NQ * (size_t)b, *C = rods->coupling + 36 * (size_t)j;
    double        scale = h * rods->damping[j] / rods->l[j], G[6][12], CG[6][12];
    zw_link       k;
    zw_link_strain(qa, qb, &k);
    zw_link_rates(qa, &k, G);
    for (int m = 0; m < 6; m++) {
        for (int n = 0; n < 12; n++) {
            double sum = 0.0;
            for (int p = 0; p < 6; p++) {
                sum += C[6 * m + p] * G[p][n];
            }
            CG[m][n] = scale * sum;
        }
    }
    for (int m = 0; m < 2; m++) {
        for (int n = 0; n < 2; n++) {
            double *block = zw_rods_damp_block(rods, node[m], node[n]);
            for (int row = 0; row < 6; row++) {
                for (int col = 0; col < 6; col++) {
                    double sum = m == n ? block[6 * row + col] : 0.0;
                    for (int p = 0; p < 6; p++) {
                        sum += G[p][6 * m + row] * CG[p][6 * n + col];
                    }
                    block[6 * row + col] = sum;
                }
            }
        }
    }
}

/* ---- all links */

void zw_rods_damp(void *self, const zw_state *x, double *f) {
    const zw_rods *rods = self;
    zw_rods_tune(rods, x);
    if (rods->coupling == NULL) {
        zw_rods_damper_best()->force(rods, x->q, x->v, f);
        return;
    }
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int i = 0; i < r->nlinks; i++) {
            coupled_force(rods, r->node0 + i, zw_rod_far(r, i), r->link0 + i, x, f);
        }
    }
}

void zw_rods_damp_metric(void *self, const zw_state *x, double h, zw_matrix *H) {
    zw_rods *rods = self;
    zw_rods_tune(rods, x);
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        zw_rods_mass_block(rods, r->node0, zw_rods_damp_block(rods, r->node0, r->node0));
        for (int i = 0; i < r->nlinks && rods->coupling != NULL; i++) {
            int b = zw_rod_far(r, i);
            if (b != r->node0) {
                zw_rods_mass_block(rods, b, zw_rods_damp_block(rods, b, b));
            }
            coupled_metric(rods, r->node0 + i, b, r->link0 + i, x, h);
        }
    }
    if (rods->coupling == NULL) {
        zw_rods_damper_best()->metric(rods, x->q, h);
    }
    *H =
        (zw_matrix){.kind = ZW_SPD, .n = 6 * rods->nnodes, .block = 6, .start = rods->damp_start, .col = rods->damp_col, .a = rods->damp_a};
}

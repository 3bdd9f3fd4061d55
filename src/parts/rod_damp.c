/* SPDX-License-Identifier: Apache-2.0
 * rod_damp.c: Kelvin-Voigt damping: each link carries the stress eta C d(strain)/dt besides its elastic one.
 *
 * With (w, u)' = G (va, vb) the rate of a link's strain and D = sum (eta/l) G' C G, the force is -D v. The rows of G are read off the wrench
 * formula: a unit stress e_i puts the force -G_i on the two nodes. Forces come in pairs as in rod_link.h, so momenta are kept. */
#include "parts/rod.h"
#include "parts/rod_link.h"

#include <string.h>

static void stiffness_of(const zw_rods *rods, int j, double C[36]) {
    if (rods->coupling != NULL) {
        memcpy(C, rods->coupling + 36 * (size_t)j, 36 * sizeof *C);
        return;
    }
    memset(C, 0, 36 * sizeof *C);
    for (int i = 0; i < 6; i++) {
        C[7 * i] = rods->stiffness[6 * (size_t)j + i];
    }
}

void zw_rods_damp(void *self, const zw_state *x, double *f) {
    const zw_rods *rods = self;
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int i = 0; i < r->nlinks; i++) {
            int a = r->node0 + i, b = zw_rod_far(r, i), j = r->link0 + i;
            double eta = rods->damping[j];
            if (eta == 0.0) {
                continue;
            }
            const double *qa = x->q + ZW_ROD_NQ * (size_t)a, *qb = x->q + ZW_ROD_NQ * (size_t)b;
            const double *va = x->v + ZW_ROD_NV * (size_t)a, *vb = x->v + ZW_ROD_NV * (size_t)b;
            double *fa = f + ZW_ROD_NV * (size_t)a, *fb = f + ZW_ROD_NV * (size_t)b;
            double G[6][12], C[36], rate[6], stress[6], Ta[3], Tb[3], body[3], space[3];
            zw_link k;
            zw_link_strain(qa, qb, &k);
            zw_link_rates(qa, &k, G);
            stiffness_of(rods, j, C);
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
                stress[h] = eta / rods->l[j] * sum;
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
    }
}

static double *block_at(const zw_rods *rods, int row, int col) {
    int i = rods->damp_start[row];
    while (rods->damp_col[i] != col) {
        i++;
    }
    return rods->damp_a + 36 * (size_t)i;
}

void zw_rods_damp_metric(void *self, const zw_state *x, double h, zw_matrix *H) {
    zw_rods *rods = self;
    memset(rods->damp_a, 0, 36 * sizeof(double) * (size_t)rods->damp_start[rods->nnodes]);
    for (int i = 0; i < rods->nnodes; i++) {
        double *a = block_at(rods, i, i);
        for (int k = 0; k < 3; k++) {
            for (int n = 0; n < 3; n++) {
                a[6 * k + n] = rods->inertia33 != NULL ? rods->inertia33[9 * (size_t)i + 3 * k + n] : k == n ? rods->inertia[3 * (size_t)i + k] : 0.0;
            }
            a[6 * (3 + k) + 3 + k] = rods->mass[i];
        }
    }
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int i = 0; i < r->nlinks; i++) {
            int node[2] = {r->node0 + i, zw_rod_far(r, i)}, j = r->link0 + i;
            double scale = h * rods->damping[j] / rods->l[j], G[6][12], C[36], CG[6][12];
            if (scale == 0.0) {
                continue;
            }
            zw_link k;
            const double *qa = x->q + ZW_ROD_NQ * (size_t)node[0], *qb = x->q + ZW_ROD_NQ * (size_t)node[1];
            zw_link_strain(qa, qb, &k);
            zw_link_rates(qa, &k, G);
            stiffness_of(rods, j, C);
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
                    double *a = block_at(rods, node[m], node[n]);
                    for (int row = 0; row < 6; row++) {
                        for (int col = 0; col < 6; col++) {
                            double sum = 0.0;
                            for (int p = 0; p < 6; p++) {
                                sum += G[p][6 * m + row] * CG[p][6 * n + col];
                            }
                            a[6 * row + col] += sum;
                        }
                    }
                }
            }
        }
    }
    *H = (zw_matrix){.kind = ZW_SPD, .n = 6 * rods->nnodes, .block = 6, .start = rods->damp_start, .col = rods->damp_col, .a = rods->damp_a};
}

/* SPDX-License-Identifier: Apache-2.0
 * rod_force.c: elastic forces and energy of all links. Energy of a link: l/2 (strain - natural) . C (strain - natural), strain = (kappa, Gamma). */
#include "parts/rod.h"
#include "parts/rod_link.h"
#include "parts/rod_wide.h"

#include <math.h>

static void stress_of(const zw_rods *rods, int j, const zw_link *k, double e[6], double stress[6]) {
    double        inv = 1.0 / rods->l[j];
    const double *e0 = rods->natural + 6 * (size_t)j;
    for (int i = 0; i < 3; i++) {
        e[i] = k->w[i] * inv - e0[i];
        e[3 + i] = k->u[i] * inv - e0[3 + i];
    }
    if (rods->coupling != NULL) {
        const double *C = rods->coupling + 36 * (size_t)j;
        for (int i = 0; i < 6; i++) {
            double sum = 0.0;
            for (int h = 0; h < 6; h++) {
                sum += C[6 * i + h] * e[h];
            }
            stress[i] = sum;
        }
    } else {
        const double *C = rods->stiffness + 6 * (size_t)j;
        for (int i = 0; i < 6; i++) {
            stress[i] = C[i] * e[i];
        }
    }
}

static void link_forces(const zw_rods *rods, const zw_rod *r, int i, const double *q, double *f) {
    int           a = r->node0 + i, b = zw_rod_far(r, i);
    const double *qa = q + ZW_ROD_NQ * (size_t)a, *qb = q + ZW_ROD_NQ * (size_t)b;
    double       *fa = f + ZW_ROD_NV * (size_t)a, *fb = f + ZW_ROD_NV * (size_t)b;
    zw_link       k;
    double        e[6], stress[6], Ta[3], Tb[3], body[3], space[3];
    zw_link_strain(qa, qb, &k);
    stress_of(rods, r->link0 + i, &k, e, stress);
    zw_link_wrench(&k, stress, stress + 3, Ta, Tb, body);
    zw_q_rotate(qa + 3, body, space);
    for (int h = 0; h < 3; h++) {
        fa[h] += Ta[h];
        fb[h] -= Tb[h];
        fa[3 + h] += space[h];
        fb[3 + h] -= space[h];
    }
}

void zw_rod_slot_wrench(const double *qa, const double *qb, double inverse_l, const double e0[6], const double C[6], double Ta[3],
                        double Tb[3], double space[3]) {
    zw_link k;
    double  stress[6], body[3];
    zw_link_strain(qa, qb, &k);
    for (int i = 0; i < 3; i++) {
        stress[i] = C[i] * (k.w[i] * inverse_l - e0[i]);
        stress[3 + i] = C[3 + i] * (k.u[i] * inverse_l - e0[3 + i]);
    }
    zw_link_wrench(&k, stress, stress + 3, Ta, Tb, body);
    zw_q_rotate(qa + 3, body, space);
}

void zw_rods_elastic(const zw_rods *rods, const double *q, double *f) {
    if (rods->wide != NULL) {
        zw_rods_wide_elastic(rods, q, f);
    }
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        /* wide loops do all links but the one that closes a ring */
        for (int i = rods->wide != NULL ? r->nnodes - 1 : 0; i < r->nlinks; i++) {
            link_forces(rods, r, i, q, f);
        }
    }
}

double zw_rods_elastic_energy(const zw_rods *rods, const zw_rod *r, const double *q) {
    double energy = 0.0;
    for (int i = 0; i < r->nlinks; i++) {
        zw_link k;
        double  e[6], stress[6], sum = 0.0;
        zw_link_strain(q + ZW_ROD_NQ * (size_t)(r->node0 + i), q + ZW_ROD_NQ * (size_t)zw_rod_far(r, i), &k);
        stress_of(rods, r->link0 + i, &k, e, stress);
        for (int h = 0; h < 6; h++) {
            sum += e[h] * stress[h];
        }
        energy += 0.5 * rods->l[r->link0 + i] * sum;
    }
    return energy;
}

void zw_rod_link_strain(const zw_rods *rods, const zw_rod *r, int i_link, const double *q, double strain[6]) {
    zw_link k;
    double  inv = 1.0 / rods->l[r->link0 + i_link];
    zw_link_strain(q + ZW_ROD_NQ * (size_t)(r->node0 + i_link), q + ZW_ROD_NQ * (size_t)zw_rod_far(r, i_link), &k);
    for (int i = 0; i < 3; i++) {
        strain[i] = k.w[i] * inv;
        strain[3 + i] = k.u[i] * inv;
    }
}

void zw_rod_link_stress(const zw_rods *rods, const zw_rod *r, int i_link, const double strain[6], double stress[6]) {
    zw_link k;
    double  e[6], l = rods->l[r->link0 + i_link];
    for (int i = 0; i < 3; i++) {
        k.w[i] = strain[i] * l;
        k.u[i] = strain[3 + i] * l;
    }
    stress_of(rods, r->link0 + i_link, &k, e, stress);
}

bool zw_rods_overbent(const zw_rods *rods, const double *q, int *i_rod, int *i_link, double *angle) {
    for (int r = 0; r < rods->nrods; r++) {
        const zw_rod *rod = &rods->rod[r];
        for (int i = 0; i < rod->nlinks; i++) {
            const double *qa = q + ZW_ROD_NQ * (size_t)(rod->node0 + i), *qb = q + ZW_ROD_NQ * (size_t)zw_rod_far(rod, i);
            double        cos_half = fabs(zw_q_dot(qa + 3, qb + 3));
            if (cos_half < 0.04) { /* more than 3.06 rad: the logarithm is about to change its branch */
                *i_rod = r;
                *i_link = i;
                *angle = 2.0 * acos(cos_half < 1.0 ? cos_half : 1.0);
                return true;
            }
        }
    }
    return false;
}

/* SPDX-License-Identifier: Apache-2.0
 * rod_damp.h: the loops of rod_damp.c for one instruction set, over all links of a population with diagonal stiffness. */
#ifndef ZW_PARTS_ROD_DAMP_H
#define ZW_PARTS_ROD_DAMP_H

#include "parts/rod.h"

typedef struct zw_rods_damper {
    const char *name; /* "avx512", "avx2", "any": same bits from each        */
    void (*force)(const zw_rods *rods, const double *q, const double *v,
                  double *f);                                 /* f -= D v                                           */
    void (*metric)(zw_rods *rods, const double *q, double h); /* damp_a = M + h D; the first diagonal block of each rod holds M already */
} zw_rods_damper;

extern const zw_rods_damper zw_rods_damper_any, zw_rods_damper_avx2, zw_rods_damper_avx512;
const zw_rods_damper       *zw_rods_damper_best(void);

/* block (row, col) of M + h D */
static inline double *zw_rods_damp_block(const zw_rods *rods, int row, int col) {
    int i = rods->damp_start[row];
    while (rods->damp_col[i] != col) {
        i++;
    }
    return rods->damp_a + 36 * (size_t)i;
}

static inline void zw_rods_mass_block(const zw_rods *rods, int node, double a[36]) {
    for (int k = 0; k < 36; k++) {
        a[k] = 0.0;
    }
    for (int k = 0; k < 3; k++) {
        for (int n = 0; n < 3 && rods->inertia33 != NULL; n++) {
            a[6 * k + n] = rods->inertia33[9 * (size_t)node + 3 * (size_t)k + (size_t)n];
        }
        if (rods->inertia33 == NULL) {
            a[7 * k] = rods->inertia[3 * (size_t)node + (size_t)k];
        }
        a[7 * (3 + k)] = rods->mass[node];
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 * rod_wide.c: constants as structure of arrays, and the choice of the instruction set. */
#include "parts/rod_wide.h"

#include <string.h>

typedef struct path_row {
    const char *name;
    void (*elastic)(const zw_rods *rods, const double *q, int first, int n, double *f);
    void (*drift)(const zw_rods *rods, const double *q0, const double *v0, double h, int first, int n, double *q1, double *v1);
} path_row;

static const path_row paths[] = { /* best first */
    {"avx512", zw_rods_elastic_avx512, zw_rods_drift_avx512},
    {"avx2", zw_rods_elastic_avx2, zw_rods_drift_avx2},
    {"any", zw_rods_elastic_any, zw_rods_drift_any},
};

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

bool zw_rods_wide_choose(zw_rods *rods, const char *path) {
    for (size_t i = 0; rods->wide != NULL && i < sizeof paths / sizeof paths[0]; i++) {
        if ((path == NULL || strcmp(paths[i].name, path) == 0) && machine_has(paths[i].name)) {
            rods->wide->elastic = paths[i].elastic;
            rods->wide->drift = paths[i].drift;
            rods->wide->path = paths[i].name;
            return true;
        }
    }
    return false;
}

zw_status zw_rods_wide_create(zw_rods *rods) {
    if (rods->coupling != NULL || rods->principal != NULL) {
        return ZW_OK;
    }
    size_t n = (size_t)rods->nnodes, stride = n + 2 * ZW_ROD_SLOTS;
    struct zw_rods_wide *W = zw_arena_alloc(&rods->arena, 1, sizeof *W, "wide rods");
    double *block = zw_arena_alloc(&rods->arena, 17 * stride, sizeof(double), "wide rods");
    if (W == NULL || block == NULL) {
        return ZW_E_MEMORY;
    }
    W->stride = stride;
    W->inverse_l = block;
    W->natural = W->inverse_l + stride;
    W->stiffness = W->natural + 6 * stride;
    W->inertia = W->stiffness + 6 * stride;
    W->ratio = W->inertia + 3 * stride;
    for (size_t i = 0; i < stride; i++) { /* sound numbers in the padding too */
        W->inverse_l[i] = 1.0;
        for (size_t k = 0; k < 3; k++) {
            W->inertia[k * stride + i] = i < n ? rods->inertia[3 * i + k] : 1.0;
        }
        W->ratio[i] = W->inertia[2 * stride + i] / W->inertia[i];
    }
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int i = 0; i + 1 < r->nnodes; i++) { /* the closing link of a ring is not among them */
            size_t slot = (size_t)(r->node0 + i), j = (size_t)(r->link0 + i);
            W->inverse_l[slot] = 1.0 / rods->l[j];
            for (size_t k = 0; k < 6; k++) {
                W->natural[k * stride + slot] = rods->natural[6 * j + k];
                W->stiffness[k * stride + slot] = rods->stiffness[6 * j + k];
            }
        }
    }
    rods->wide = W;
    zw_rods_wide_choose(rods, NULL);
    return ZW_OK;
}

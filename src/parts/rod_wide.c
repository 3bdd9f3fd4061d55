/* SPDX-License-Identifier: Apache-2.0
 * rod_wide.c: constants as structure of arrays, and the choice of the instruction set. */
#include "parts/rod_wide.h"

#include <string.h>

static const zw_rods_path *const paths[] = {&zw_rods_path_avx512, &zw_rods_path_avx2, &zw_rods_path_any}; /* best first */

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
        if ((path == NULL || strcmp(paths[i]->name, path) == 0) && machine_has(paths[i]->name)) {
            rods->wide->path = paths[i];
            return true;
        }
    }
    return false;
}

void zw_rods_wide_fill(zw_rods *rods) {
    struct zw_rods_wide *W = rods->wide;
    size_t               n = (size_t)rods->nnodes, stride = W->stride;
    W->symmetric = true;
    for (size_t i = 0; i < stride; i++) { /* before and behind the nodes: the first and the last one again */
        size_t        node = i < ZW_ROD_FRONT ? 0 : i - ZW_ROD_FRONT < n ? i - ZW_ROD_FRONT : n - 1;
        const double *J = rods->inertia + 3 * node;
        W->inverse_l[i] = 1.0;
        W->mass[i] = rods->mass[node];
        for (size_t k = 0; k < 3; k++) {
            W->inertia[k * stride + i] = J[k];
            W->inverse[k * stride + i] = 1.0 / J[k];
            W->inverse[(3 + k) * stride + i] = 1.0 / rods->mass[node];
        }
        W->ratio[i] = J[2] / J[0];
        W->symmetric = W->symmetric && J[0] == J[1];
    }
    for (int i_rod = 0; i_rod < rods->nrods; i_rod++) {
        const zw_rod *r = &rods->rod[i_rod];
        for (int i = 0; i + 1 < r->nnodes; i++) { /* the closing link of a ring is not among them */
            size_t slot = (size_t)(r->node0 + i) + ZW_ROD_FRONT, j = (size_t)(r->link0 + i);
            W->inverse_l[slot] = 1.0 / rods->l[j];
            for (size_t k = 0; k < 6; k++) {
                W->natural[k * stride + slot] = rods->natural[6 * j + k];
                W->stiffness[k * stride + slot] = rods->stiffness[6 * j + k];
            }
        }
    }
}

zw_status zw_rods_wide_create(zw_rods *rods) {
    if (rods->coupling != NULL || rods->principal != NULL) {
        return ZW_OK;
    }
    size_t               n = (size_t)rods->nnodes, stride = n + ZW_ROD_FRONT + ZW_ROD_BACK;
    struct zw_rods_wide *W = zw_arena_alloc(&rods->arena, 1, sizeof *W, "wide rods");
    double              *block = zw_arena_alloc(&rods->arena, 24 * stride, sizeof(double), "wide rods");
    if (W == NULL || block == NULL) {
        return ZW_E_MEMORY;
    }
    W->stride = stride;
    W->inverse_l = block;
    W->natural = W->inverse_l + stride;
    W->stiffness = W->natural + 6 * stride;
    W->inertia = W->stiffness + 6 * stride;
    W->ratio = W->inertia + 3 * stride;
    W->mass = W->ratio + stride;
    W->inverse = W->mass + stride;
    rods->wide = W;
    zw_rods_wide_fill(rods);
    zw_rods_wide_choose(rods, NULL);
    return ZW_OK;
}

/* ---- all tiles. Tiles are independent and each writes its own nodes: same bits for any number of threads */

static int tile_count(const zw_rods *rods) {
    return (rods->nnodes + ZW_ROD_TILE - 1) / ZW_ROD_TILE;
}

static int tile_nodes(const zw_rods *rods, int tile) {
    int left = rods->nnodes - tile * ZW_ROD_TILE;
    return left < ZW_ROD_TILE ? left : ZW_ROD_TILE;
}

/* below this the threads cost more than they bring */
enum { TILES_FOR_THREADS = 32 };

/* does `work` for every tile. Few tiles stay away from OpenMP altogether: even a region of one thread costs more than a short rod's step */
#if defined(_OPENMP)
#define ZW_EACH_TILE(rods, work)                                                                                                        \
    if ((rods)->threads > 1 && tile_count(rods) >= TILES_FOR_THREADS) {                                                                 \
        _Pragma("omp parallel for schedule(static) num_threads((rods)->threads)") for (int tile = 0; tile < tile_count(rods); tile++) { \
            work;                                                                                                                       \
        }                                                                                                                               \
        return;                                                                                                                         \
    }                                                                                                                                   \
    for (int tile = 0; tile < tile_count(rods); tile++) {                                                                               \
        work;                                                                                                                           \
    }
#else
#define ZW_EACH_TILE(rods, work)                          \
    for (int tile = 0; tile < tile_count(rods); tile++) { \
        work;                                             \
    }
#endif

void zw_rods_wide_elastic(const zw_rods *rods, const double *q, double *f) {
    ZW_EACH_TILE(rods, rods->wide->path->elastic(rods, q, tile * ZW_ROD_TILE, tile_nodes(rods, tile), f))
}

void zw_rods_wide_drift(const zw_rods *rods, const zw_state *x0, double h, zw_state *x1) {
    ZW_EACH_TILE(rods, rods->wide->path->drift(rods, x0->q, x0->v, h, tile * ZW_ROD_TILE, tile_nodes(rods, tile), x1->q, x1->v))
}

/* the link that closes a ring comes after the tiles, so the last kick cannot be part of them */
bool zw_rods_fuses(const void *self) {
    const zw_rods *rods = self;
    for (int i = 0; i < rods->nrods; i++) {
        if (rods->rod[i].closed) {
            return false;
        }
    }
    return rods->wide != NULL;
}

void zw_rods_step_alone(void *self, const zw_state *x0, const double *f0, double h, zw_state *x1, double *f1) {
    const zw_rods *rods = self;
    zw_rods_tune(rods, x0);
    ZW_EACH_TILE(rods, rods->wide->path->step(rods, x0->q, x0->v, f0, h, tile * ZW_ROD_TILE, tile_nodes(rods, tile), x1->q, x1->v, f1))
}

/* SPDX-License-Identifier: Apache-2.0
 * lagrangian_derive.c: from T, V, R, Q and equations to M, c, F, A, D as nodes, by one reverse pass for every gradient and one forward pass for every column
 * of M and for the rates along the motion: n + 1 passes over p where differentiating entry by entry takes n(n+1)/2 + 2n over T. */
#include "parts/lagrangian_derive.h"

/* where everything moves while v stays: q by v, t by 1 */
typedef struct motion {
    zw_pool *pool;
    int      n;
    int     *slot; /* [n + 1] q, then t */
    zw_node *rate; /* [n + 1] v, then 1 */
} motion;

static zw_node *nodes(zw_arena *arena, size_t n) {
    return zw_arena_alloc(arena, n, sizeof(zw_node), "equations of a lagrangian body");
}

static zw_status along(const motion *m, int nroots, const zw_node *roots, zw_node *out) {
    return nroots > 0 ? zw_node_push(m->pool, nroots, roots, m->n + 1, m->slot, m->rate, out) : ZW_OK;
}

/* m/2 |dr/dt|^2 of the particles, added to T */
static zw_status add_particles(const motion *m, const zw_lagrangian_def *def, zw_node *T) {
    zw_pool *pool = m->pool;
    zw_node  half = zw_node_constant(pool, 0.5);
    for (int i = 0; i < def->npoints; i++) {
        const zw_lagrange_point_def *point = &def->point[i];
        zw_node                      r[3], rate[3], sum = zw_node_constant(pool, 0.0);
        if (point->mass.node == 0) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            r[k] = point->r[k].node != 0 ? point->r[k].node : zw_node_constant(pool, 0.0);
        }
        ZW_TRY(along(m, 3, r, rate));
        for (int k = 0; k < 3; k++) {
            sum = zw_node_add(pool, sum, zw_node_mul(pool, rate[k], rate[k]));
        }
        zw_node mass = zw_node_mul(pool, half, point->mass.node);
        *T = zw_node_add(pool, *T, zw_node_mul(pool, mass, sum));
    }
    return *T != 0 ? ZW_OK : ZW_E_MEMORY;
}

static zw_status derive_inertia(const motion *m, const zw_lagrangian_def *def, zw_arena *arena, zw_lagrange *out) {
    zw_pool *pool = m->pool;
    int      n = def->n;
    zw_node  one = zw_node_constant(pool, 1.0);
    zw_node *column = nodes(arena, (size_t)n), *slope = nodes(arena, (size_t)n), *rate = nodes(arena, (size_t)n);
    if (one == 0 || column == NULL || slope == NULL || rate == NULL) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(zw_node_gradient(pool, out->T, n, def->slot_v, out->p));
    for (int j = 0; j < n; j++) {
        ZW_TRY(zw_node_push(pool, j + 1, out->p, 1, &def->slot_v[j], &one, column));
        for (int i = 0; i <= j; i++) {
            out->M[i * n + j] = out->M[j * n + i] = column[i];
        }
    }
    ZW_TRY(along(m, n, out->p, rate));
    ZW_TRY(zw_node_gradient(pool, out->T, n, def->slot_q, slope));
    for (int i = 0; i < n; i++) {
        out->c[i] = zw_node_sub(pool, rate[i], slope[i]);
        if (out->c[i] == 0) {
            return ZW_E_MEMORY;
        }
    }
    out->constant_mass = true;
    for (int i = 0; i < n * n; i++) {
        for (int k = 0; k <= n; k++) {
            out->constant_mass = out->constant_mass && !zw_node_depends(pool, out->M[i], m->slot[k]) &&
                                 (k == n || !zw_node_depends(pool, out->M[i], def->slot_v[k]));
        }
    }
    return ZW_OK;
}

static zw_status derive_force(const motion *m, const zw_lagrangian_def *def, zw_arena *arena, zw_lagrange *out) {
    zw_pool *pool = m->pool;
    int      n = def->n;
    zw_node *pull = nodes(arena, (size_t)n), *drag = nodes(arena, (size_t)n);
    if (pull == NULL || drag == NULL) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(zw_node_gradient(pool, out->V, n, def->slot_q, pull));
    ZW_TRY(zw_node_gradient(pool, out->R, n, def->slot_v, drag));
    for (int i = 0; i < n; i++) {
        zw_node given = zw_node_sub(pool, out->Q[i], pull[i]);
        out->F[i] = zw_node_sub(pool, given, drag[i]);
        if (out->F[i] == 0) {
            return ZW_E_MEMORY;
        }
    }
    return ZW_OK;
}

static zw_status derive_rows(const motion *m, const zw_lagrangian_def *def, zw_lagrange *out) {
    int n = def->n;
    for (int i = 0; i < def->nrows; i++) {
        zw_node f = def->row[i].f.node;
        out->value[i] = out->first[i] = f;
        out->holonomic[i] = true;
        for (int k = 0; k < n; k++) {
            out->holonomic[i] = out->holonomic[i] && !zw_node_depends(m->pool, f, def->slot_v[k]);
        }
        ZW_TRY(zw_node_gradient(m->pool, f, n, out->holonomic[i] ? def->slot_q : def->slot_v, out->A + (size_t)i * (size_t)n));
        if (out->holonomic[i]) {
            ZW_TRY(along(m, 1, &f, &out->first[i]));
        }
    }
    return along(m, def->nrows, out->first, out->D); /* first holds v as inputs: along() keeps them still */
}

zw_status zw_lagrange_derive(const zw_model *m, const zw_lagrangian_def *def, zw_arena *arena, zw_lagrange *out) {
    zw_pool *pool = m->pool;
    size_t   n = (size_t)def->n, rows = (size_t)def->nrows;
    motion   moving = {.pool = pool, .n = def->n, .slot = zw_arena_alloc(arena, n + 1, sizeof(int), "equations of a lagrangian body")};
    zw_node  zero = zw_node_constant(pool, 0.0);
    moving.rate = nodes(arena, n + 1);
    *out = (zw_lagrange){.n = def->n,
                         .m = def->nrows,
                         .Q = nodes(arena, n),
                         .p = nodes(arena, n),
                         .M = nodes(arena, n * n),
                         .c = nodes(arena, n),
                         .F = nodes(arena, n),
                         .holonomic = zw_arena_alloc(arena, rows, sizeof(bool), "equations of a lagrangian body"),
                         .value = nodes(arena, rows),
                         .first = nodes(arena, rows),
                         .A = nodes(arena, rows * n),
                         .D = nodes(arena, rows)};
    bool room = moving.slot && moving.rate && out->Q && out->p && out->M && out->c && out->F && out->holonomic && out->value &&
                out->first && out->A && out->D;
    if (!room || zero == 0) {
        return ZW_E_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        moving.slot[i] = def->slot_q[i];
        moving.rate[i] = zw_node_input(pool, def->slot_v[i]);
        out->Q[i] = def->force != NULL && def->force[i].node != 0 ? def->force[i].node : zero;
    }
    moving.slot[n] = m->slot_t;
    moving.rate[n] = zw_node_constant(pool, 1.0);
    for (size_t i = 0; i <= n; i++) {
        if (moving.rate[i] == 0) {
            return ZW_E_MEMORY;
        }
    }
    out->T = def->kinetic.node != 0 ? def->kinetic.node : zero;
    out->V = def->potential.node != 0 ? def->potential.node : zero;
    out->R = def->dissipation.node != 0 ? def->dissipation.node : zero;
    ZW_TRY(add_particles(&moving, def, &out->T));
    ZW_TRY(derive_inertia(&moving, def, arena, out));
    ZW_TRY(derive_force(&moving, def, arena, out));
    return derive_rows(&moving, def, out);
}

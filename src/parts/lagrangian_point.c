/* SPDX-License-Identifier: Apache-2.0
 * lagrangian_point.c: points of a lagrangian body as places: r(q, t), and where they have axes R = exp(turn(q, t)).
 *
 *   v = (dr/dq) qdot + dr/dt,   w = dexp_turn ((dturn/dq) qdot + dturn/dt);   with quasi-velocities columns are those of d/dq W */
#include "parts/lagrangian_part.h"

#include "math/so3.h"

#include <string.h>

/* value [3], d/dt [3], d/dq [3 n] of three nodes */
static zw_status add_vector(zw_lagrangian *L, const zw_quantity v[3], zw_node *root, int *count) {
    zw_pool *pool = L->model->pool;
    int      n = L->n, at = *count;
    for (int k = 0; k < 3; k++) {
        zw_node e = v[k].node != 0 ? v[k].node : zw_node_constant(pool, 0.0);
        if (e == 0) {
            return ZW_E_MEMORY;
        }
        root[at + k] = e;
        root[at + 3 + k] = zw_node_diff(pool, e, L->model->slot_t);
        if (root[at + 3 + k] == 0) {
            return ZW_E_MEMORY;
        }
        ZW_TRY(zw_node_gradient(pool, e, n, L->def->slot_q, root + at + 6 + n * k));
    }
    *count += 6 + 3 * n;
    return ZW_OK;
}

static bool moves_with(const zw_lagrangian *L, const zw_lagrange_point_def *def, int column) {
    bool moves = L->quasi; /* W mixes them all */
    for (int k = 0; k < 3 && !moves; k++) {
        moves = (def->r[k].node != 0 && zw_node_depends(L->model->pool, def->r[k].node, L->def->slot_q[column])) ||
                (def->turn[k].node != 0 && zw_node_depends(L->model->pool, def->turn[k].node, L->def->slot_q[column]));
    }
    return moves;
}

/* columns that move a point, in runs of at most 6 */
static zw_status bind_blocks(zw_lagrangian *L, zw_lagrangian_point *p) {
    p->col = zw_arena_alloc(&L->arena, (size_t)L->n, sizeof *p->col, "points of a lagrangian body");
    p->ncol = zw_arena_alloc(&L->arena, (size_t)L->n, sizeof *p->ncol, "points of a lagrangian body");
    if (p->col == NULL || p->ncol == NULL) {
        return ZW_E_MEMORY;
    }
    for (int k = 0; k < L->n; k++) {
        if (!moves_with(L, p->def, k)) {
            continue;
        }
        if (p->nblocks == 0 || k >= p->col[p->nblocks - 1] + 6) {
            p->col[p->nblocks++] = k;
        }
        p->ncol[p->nblocks - 1] = k + 1 - p->col[p->nblocks - 1];
    }
    if (p->nblocks > ZW_JET_BLOCKS) {
        return zw_model_raise(
            L->model, ZW_E_LIMIT, p->def->r[0].at, p->def->name, "give the place coordinates of its own, tied to the others by equations",
            "the point depends on too many coordinates: they fill %d blocks of 6, and a place has room for %d", p->nblocks, ZW_JET_BLOCKS);
    }
    return ZW_OK;
}

zw_status zw_lagrangian_bind_points(zw_lagrangian *L) {
    const zw_lagrangian_def *def = L->def;
    size_t                   each = 6 + 3 * (size_t)L->n;
    int                      count = 0;
    if (def->npoints == 0) {
        return ZW_OK;
    }
    zw_node *root = zw_arena_alloc(&L->arena, 2 * each * (size_t)def->npoints, sizeof *root, "points of a lagrangian body");
    L->point_root = root;
    L->point = zw_arena_alloc(&L->arena, (size_t)def->npoints, sizeof *L->point, "points of a lagrangian body");
    if (root == NULL || L->point == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < def->npoints; i++) {
        zw_lagrangian_point *p = &L->point[i];
        p->def = &def->point[i];
        p->turns = p->def->turn[0].node != 0 || p->def->turn[1].node != 0 || p->def->turn[2].node != 0;
        p->r = count;
        ZW_TRY(add_vector(L, p->def->r, root, &count));
        if (p->turns) {
            p->turn = count;
            ZW_TRY(add_vector(L, p->def->turn, root, &count));
        }
        ZW_TRY(bind_blocks(L, p));
    }
    return zw_lagrangian_tape_create(L, root, count, &L->tape_point);
}

static void rate_of(int n, const double *vector, const double *qdot, double out[3]) {
    for (int k = 0; k < 3; k++) {
        const double *slope = vector + 6 + n * k;
        double        sum = vector[3 + k];
        for (int j = 0; j < n; j++) {
            sum += slope[j] * qdot[j];
        }
        out[k] = sum;
    }
}

/* column j of d/dq, or of d/dq W */
static void column_of(const zw_lagrangian *L, const zw_lagrangian_record *r, const double *vector, int j, double out[3]) {
    int n = L->n;
    for (int k = 0; k < 3; k++) {
        const double *slope = vector + 6 + n * k;
        out[k] = slope[j];
        if (L->quasi) {
            out[k] = 0.0;
            for (int h = 0; h < n; h++) {
                out[k] += slope[h] * r->W[n * h + j];
            }
        }
    }
}

void zw_lagrangian_frame(const void *self, const zw_state *x, const zw_place *place, zw_frame *F, zw_jet *J) {
    const zw_lagrangian       *L = self;
    const zw_lagrangian_point *p = &L->point[place->element];
    zw_lagrangian_record      *r = zw_lagrangian_record_at(L, x);
    const double              *result = zw_lagrangian_points_at(L, r), *position = result + p->r, *turn = result + p->turn;
    *F = (zw_frame){.R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    zw_v3_copy(F->r, position);
    rate_of(L->n, position, r->look.qdot, F->v);
    if (p->turns) {
        double rate[3];
        zw_so3_exp(turn, F->R);
        rate_of(L->n, turn, r->look.qdot, rate);
        zw_so3_dexp_apply(turn, rate, F->w);
    }
    if (J == NULL) {
        return;
    }
    J->nblocks = p->nblocks;
    for (int b = 0; b < p->nblocks; b++) {
        J->col[b] = p->col[b];
        J->ncol[b] = p->ncol[b];
        memset(J->J[b], 0, sizeof J->J[b]);
        for (int k = 0; k < p->ncol[b]; k++) {
            double linear[3], angular[3] = {0.0, 0.0, 0.0};
            column_of(L, r, position, p->col[b] + k, linear);
            if (p->turns) {
                column_of(L, r, turn, p->col[b] + k, angular);
                zw_so3_dexp_apply(turn, angular, angular);
            }
            for (int i = 0; i < 3; i++) {
                J->J[b][6 * i + k] = angular[i];
                J->J[b][6 * (3 + i) + k] = linear[i];
            }
        }
    }
}

/* does it move while no velocity of the state does: by t, or by what quasi-velocities leave over? */
static bool moves_by_itself(const zw_lagrangian *L, const zw_lagrange_point_def *def) {
    const zw_pool *pool = L->model->pool;
    bool           moves = false;
    for (int k = 0; k < 3; k++) {
        moves = moves || (def->r[k].node != 0 && zw_node_depends(pool, def->r[k].node, L->model->slot_t)) ||
                (def->turn[k].node != 0 && zw_node_depends(pool, def->turn[k].node, L->model->slot_t));
    }
    for (int i = 0; i < L->n && L->quasi; i++) {
        double still;
        moves = moves || !zw_node_is_constant(pool, L->axes[L->n * L->n + i], &still) || still != 0.0;
    }
    return moves;
}

bool zw_lagrangian_place(const void *self, int body, const double u[3], zw_place *out) {
    const zw_lagrangian *L = self;
    if (!(u[0] >= 0.0 && u[0] < L->def->npoints)) {
        return false;
    }
    int number = (int)u[0];
    *out = (zw_place){.body = body, .element = number, .turns = L->point[number].turns, .driven = moves_by_itself(L, L->point[number].def)};
    return true;
}

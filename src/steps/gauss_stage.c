/* SPDX-License-Identifier: Apache-2.0
 * gauss_stage.c: accelerations at a state, M a = f + A' lambda with A a = -D, f = forces + loads + damping - gyroscopic terms, by the kernel (Gauss's
 * principle), by multipliers or by Mac-Millan's reduced equations; and the power of what changes the energy. */
#include "steps/gauss.h"

#include "steps/blame.h"

#include <math.h>
#include <string.h>

static const zw_rows no_rows = {0};

static bool of_joint(const zw_collocation *k, int row) {
    const zw_constraint *c;
    int                  n = zw_system_constraints(k->y, &c);
    for (int i = 0; i < n; i++) {
        if (row >= c[i].row0 && row < c[i].row0 + c[i].m) {
            return strcmp(c[i].ops->kind, "joint") == 0;
        }
    }
    return false;
}

/* A row that was independent at the start depends on the others here, or has no gradient. Joints may: a linkage in line, or an iterate that has gone astray; the
 * kernel takes the least multipliers then */
static zw_status rank_dropped(zw_collocation *k, const zw_state *x) {
    for (int total = zw_solver_redundant(k->solver, k->order, k->m), i = 0; i < total; i++) {
        if (!k->known[k->order[i]] && !of_joint(k, k->order[i])) {
            return zw_collocation_vanishes(k, x, k->order[i]);
        }
    }
    return ZW_OK;
}

/* one part, held by its own rows only */
static zw_status accelerate_alone(zw_collocation *k, const zw_whole *all, const zw_state *x, double *a, double *lambda) {
    static const int start[2] = {0, 1}, col[1] = {0}, v0[1] = {0};
    double           M[ZW_ALONE_COLUMNS * ZW_ALONE_COLUMNS], A[ZW_ALONE_ROWS * ZW_ALONE_COLUMNS];
    zw_tile          tile[ZW_ALONE_ROWS];
    zw_block         block[ZW_ALONE_ROWS];
    int              n = k->n.nv, m = k->m;
    zw_project_info  info;
    for (int i = 0; i < n; i++) {
        k->f[i] = all->F[i] - all->c[i];
    }
    for (int i = 0; i < m; i++) {
        k->b[i] = -all->D[i];
        tile[i] = (zw_tile){.id = i, .row = i, .m = 1, .block0 = i, .nblocks = 1, .kind = ZW_ROW_EQUAL};
        block[i] = (zw_block){.col0 = 0, .ncol = n, .a = (ptrdiff_t)i * n};
    }
    memcpy(M, all->M, sizeof(double) * (size_t)n * (size_t)n);
    if (m > 0) {
        memcpy(A, all->A, sizeof(double) * (size_t)m * (size_t)n);
    }
    const zw_matrix part = {.kind = ZW_SPD, .n = n, .block = n, .start = start, .col = col, .a = M};
    const zw_metric metric = {.n = n, .nparts = 1, .part = &part, .v0 = v0};
    const zw_rows   rows = {.m = m, .ntiles = m, .nblocks = m, .nvalues = (ptrdiff_t)m * n, .tile = tile, .block = block, .a = A};
    ZW_TRY(zw_solver_factor(k->solver, &metric, &rows, &info));
    if (info.redundant > k->redundant) {
        ZW_TRY(rank_dropped(k, x));
    }
    return zw_blame(k->y, k->solver, zw_solver_solve(k->solver, k->f, k->b, a, lambda, NULL));
}

static zw_status accelerate(zw_collocation *k, const zw_state *x, double *a, double *lambda) {
    zw_system      *y = k->y;
    const zw_rows  *A = &no_rows;
    zw_project_info info;
    if (k->alone != NULL && k->formulation == ZW_BY_GAUSS) {
        zw_whole all; /* where it is not finite the general way finds the words for it; with joints there are more rows */
        if (k->alone->ops->whole(k->alone->self, x, &all) && all.m == k->m) {
            return accelerate_alone(k, &all, x, a, lambda);
        }
    }
    ZW_TRY(zw_system_force(y, x, k->f));
    if (k->loads) {
        ZW_TRY(zw_system_load(y, x, x->t, k->f));
    }
    if (k->damps) {
        zw_system_damp(y, x, k->f);
    }
    zw_system_bias(y, x, k->f);
    if (k->m > 0) {
        ZW_TRY(zw_system_row_rates(y, x, k->b));
        for (int i = 0; i < k->m; i++) {
            k->b[i] = -k->b[i];
        }
        ZW_TRY(zw_system_rows(y, x, &A));
    }
    if (k->formulation == ZW_BY_GAUSS) {
        ZW_TRY(zw_solver_factor(k->solver, zw_system_mass(y, x), A, &info));
        if (info.redundant > k->redundant) {
            ZW_TRY(rank_dropped(k, x));
        }
        return zw_blame(y, k->solver, zw_solver_solve(k->solver, k->f, k->b, a, lambda, NULL));
    }
    zw_principles_dense(zw_system_mass(y, x), A, k->M, k->A);
    if (k->formulation == ZW_BY_MULTIPLIER) {
        return zw_principles_multiplier(&k->principles, k->M, k->A, k->f, k->b, a, lambda);
    }
    for (int i = 0; i < k->n.nv; i++) {
        k->order[i] = (int)x->w[k->w_order + i];
    }
    return zw_principles_macmillan(&k->principles, k->M, k->A, k->f, k->b, k->order, a, lambda);
}

zw_status zw_collocation_accelerate(zw_collocation *k, const zw_state *x, double *a, double *lambda) {
    zw_status status = accelerate(k, x, a, lambda);
    if (status == ZW_OK || status == ZW_E_RANK || status == ZW_E_MEMORY) {
        return status;
    }
    zw_error_clear(k->c); /* a part knows better what is wrong here than the kernel */
    ZW_TRY(zw_system_check(k->y, x));
    return accelerate(k, x, a, lambda);
}

zw_status zw_collocation_partition(zw_collocation *k, zw_state *x) {
    const zw_rows *A = &no_rows;
    if (k->formulation != ZW_BY_MACMILLAN) {
        return ZW_OK;
    }
    if (k->m > 0) {
        ZW_TRY(zw_system_rows(k->y, x, &A));
    }
    zw_principles_dense(zw_system_mass(k->y, x), A, k->M, k->A);
    double chosen = x->w[ZW_COLLOCATION_PIVOT];
    for (int i = 0; i < k->n.nv; i++) {
        k->order[i] = (int)x->w[k->w_order + i];
    }
    if (chosen > 0.0 && zw_principles_pivot(&k->principles, k->M, k->A, k->order) >= 0.5 * chosen) {
        return ZW_OK;
    }
    x->w[ZW_COLLOCATION_PIVOT] = zw_principles_partition(&k->principles, k->M, k->A, k->order);
    for (int i = 0; i < k->n.nv; i++) {
        x->w[k->w_order + i] = k->order[i];
    }
    return ZW_OK;
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* lambda . (A v) over the rows that do work */
static double power_of_rows(const zw_collocation *k, const zw_rows *A, const double *v, const double *lambda) {
    double sum = 0.0;
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int i = 0; i < tile->m; i++) {
            int row = tile->row + i;
            for (int j = tile->block0; k->drives[row] && j < tile->block0 + tile->nblocks; j++) {
                const zw_block *b = &A->block[j];
                sum += lambda[row] * dot(b->ncol, A->a + b->a + (ptrdiff_t)i * b->ncol, v + b->col0);
            }
        }
    }
    return sum;
}

zw_status zw_collocation_power(zw_collocation *k, const zw_state *x, const double *lambda, double *work, double *dissipated) {
    zw_system *y = k->y;
    size_t     bytes = sizeof(double) * (size_t)k->n.nv;
    *work = *dissipated = 0.0;
    if (k->works) {
        zw_system_power(y, x, work, dissipated);
    }
    if (k->loads) {
        memset(k->load, 0, bytes);
        ZW_TRY(zw_system_load(y, x, x->t, k->load));
        *work += dot(k->n.nv, k->load, x->v);
    }
    if (k->damps) {
        memset(k->damp, 0, bytes);
        zw_system_damp(y, x, k->damp);
        *dissipated -= dot(k->n.nv, k->damp, x->v);
    }
    for (int i = 0; i < k->m; i++) {
        if (k->drives[i]) {
            const zw_rows *A;
            ZW_TRY(zw_system_rows(y, x, &A));
            *work += power_of_rows(k, A, x->v, lambda);
            break;
        }
    }
    return ZW_OK;
}

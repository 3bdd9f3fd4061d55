/* SPDX-License-Identifier: Apache-2.0
 * lagrange_row.c: one equation of a lagrangian body as a constraint with one row: g(q, t) = 0, or f(q, v, t) = 0 of any form in the velocities.
 * Its rate D is exact. It holds coordinates, not a place: there is no wrench to report. */
#include "rows/lagrange_row.h"

#include "parts/lagrangian_part.h"

#include <string.h>

typedef struct lagrange_row {
    zw_context    *context;
    zw_lagrangian *L;
    int            part, row;
    bool           holonomic;
    const char    *text;
} lagrange_row;

/* the state of the body, and where its columns begin */
static zw_state body_state(const lagrange_row *k, const zw_system *y, const zw_state *x, int *v0) {
    const zw_part *parts;
    zw_system_parts(y, &parts);
    const zw_part *p = &parts[k->part];
    *v0 = p->v0;
    return (zw_state){.t = x->t, .q = x->q + p->q0, .v = x->v + p->v0};
}

static void row_count(const void *self, int *tiles, int *rows, int *blocks, int *values) {
    const lagrange_row *k = self;
    *tiles = *rows = *blocks = 1;
    *values = k->L->n;
}

static zw_status row_rows(void *self, const zw_system *y, const zw_state *x, zw_rows *A) {
    lagrange_row             *k = self;
    int                       v0, n = k->L->n;
    zw_state                  body = body_state(k, y, x, &v0);
    const zw_lagrangian_look *look = zw_lagrangian_motion_at(k->L, &body);
    if (!look->finite) {
        return zw_lagrangian_explain(k->L, &body);
    }
    A->tile[A->ntiles] = (zw_tile){.id = A->ntiles, .row = A->m, .m = 1, .block0 = A->nblocks, .nblocks = 1, .kind = ZW_ROW_EQUAL};
    A->block[A->nblocks] = (zw_block){.col0 = v0, .ncol = n, .a = A->nvalues};
    memcpy(A->a + A->nvalues, look->A + (size_t)k->row * (size_t)n, sizeof(double) * (size_t)n);
    A->ntiles++;
    A->m++;
    A->nblocks++;
    A->nvalues += n;
    return ZW_OK;
}

static zw_status row_values(void *self, const zw_system *y, const zw_state *x, int level, double *c) {
    lagrange_row             *k = self;
    int                       v0, n = k->L->n;
    zw_state                  body = body_state(k, y, x, &v0);
    const zw_lagrangian_look *look = level == 3 ? zw_lagrangian_at(k->L, &body) : zw_lagrangian_motion_at(k->L, &body);
    if (!look->finite) {
        return zw_lagrangian_explain(k->L, &body);
    }
    switch (level) {
    case 0: *c = k->holonomic ? look->value[k->row] : 0.0; break;
    case 1: *c = look->first[k->row]; break;
    case 2: {
        const double *A = look->A + (size_t)k->row * (size_t)n;
        *c = -look->first[k->row];
        for (int i = 0; i < n; i++) {
            *c += A[i] * body.v[i];
        }
        break;
    }
    default: *c = look->first_size[k->row]; break;
    }
    return ZW_OK;
}

static zw_status row_rate(void *self, const zw_system *y, const zw_state *x, double *D) {
    lagrange_row             *k = self;
    int                       v0;
    zw_state                  body = body_state(k, y, x, &v0);
    const zw_lagrangian_look *look = zw_lagrangian_motion_at(k->L, &body);
    *D = look->D[k->row];
    return look->finite ? ZW_OK : zw_lagrangian_explain(k->L, &body);
}

static void row_reaction(void *self, const zw_system *y, const zw_state *x, const double *lambda, double wrench[6]) {
    (void)self;
    (void)y;
    (void)x;
    (void)lambda;
    memset(wrench, 0, 6 * sizeof *wrench);
}

static const char *row_name(const void *self, int row) {
    (void)row;
    return ((const lagrange_row *)self)->text;
}

static void row_destroy(void *self) {
    lagrange_row *k = self;
    if (k != NULL) {
        zw_free(k->context, k);
    }
}

zw_status zw_lagrange_row_create(zw_context *c, zw_lagrangian *L, int part, int row, zw_constraint *out) {
    const zw_lagrange *e = &L->equations;
    const zw_pool     *pool = L->model->pool;
    lagrange_row      *k = zw_alloc(c, 1, sizeof *k, "an equation");
    if (k == NULL) {
        return ZW_E_MEMORY;
    }
    *k = (lagrange_row){.context = c, .L = L, .part = part, .row = row, .holonomic = e->holonomic[row], .text = L->def->row[row].text};
    out->ops = &zw_lagrange_row_ops;
    out->self = k;
    out->m = 1;
    out->velocity_only = !e->holonomic[row];
    out->moves = zw_node_depends(pool, e->value[row], L->model->slot_t);
    out->nonlinear = false;
    for (int i = 0; i < L->n; i++) {
        for (int h = 0; h < L->n && !out->nonlinear; h++) {
            out->nonlinear = zw_node_depends(pool, e->A[row * L->n + i], L->def->slot_v[h]);
        }
    }
    return ZW_OK;
}

const zw_constraint_ops zw_lagrange_row_ops = {
    .kind = "lagrange",
    .count = row_count,
    .rows = row_rows,
    .values = row_values,
    .rate = row_rate,
    .reaction = row_reaction,
    .row_name = row_name,
    .destroy = row_destroy,
};

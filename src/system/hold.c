/* SPDX-License-Identifier: Apache-2.0
 * hold.c: the sides of a system, and which of them hold: a contact that lasts is one more equation, after those of the model. */
#include "system/system.h"

#include "rows/unilateral.h"

zw_status zw_system_bind_sides(zw_system *y) {
    const zw_model *m = y->model;
    int             n = 0;
    for (int i = 0; i < m->nunilaterals; i++) {
        n += m->unilaterals[i].npoints > 0 ? m->unilaterals[i].npoints : 1;
    }
    y->side = zw_arena_alloc(&y->arena, (size_t)n + 1, sizeof *y->side, "unilateral constraints");
    if (y->side == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < m->nunilaterals; i++) {
        const zw_unilateral_def *def = &m->unilaterals[i];
        int                      part = y->body_part[def->body];
        for (int k = def->npoints > 0 ? 0 : -1; k < def->npoints; k++) {
            ZW_TRY(zw_side_create(m, i, k, &y->part[part], part, y->body_index[def->body], &y->side[y->nsides]));
            y->nsides++;
            if (k < 0) {
                break;
            }
        }
    }
    return ZW_OK;
}

/* what is to be reserved for all of them together */
void zw_system_count_sides(const zw_system *y, int *tiles, int *rows, int *blocks, int *values) {
    for (int i = 0; i < y->nsides; i++) {
        int t, r, b, v;
        zw_side_ops.count(y->side[i], &t, &r, &b, &v);
        *tiles += t;
        *rows += r;
        *blocks += b;
        *values += v;
    }
}

void zw_system_destroy_sides(zw_system *y) {
    for (int i = 0; i < y->nsides; i++) {
        zw_side_destroy(y->side[i]);
    }
}

int zw_system_sides(const zw_system *y, struct zw_side *const **sides) {
    *sides = y->side;
    return y->nsides;
}

void zw_system_hold(zw_system *y, int n, const int *which) {
    int row = 0;
    y->nconstraints = y->nfixed;
    if (y->nfixed > 0) {
        row = y->constraint[y->nfixed - 1].row0 + y->constraint[y->nfixed - 1].m;
    }
    y->npositions = y->nfixed_positions;
    y->rows_move = y->fixed_move;
    for (int i = 0; i < n; i++) {
        zw_side *s = y->side[which[i]];
        y->constraint[y->nconstraints++] =
            (zw_constraint){.ops = &zw_side_ops, .self = s, .name = zw_side_name(s), .row0 = row, .m = 1, .moves = zw_side_moves(s)};
        y->rows_move = y->rows_move || zw_side_moves(s);
        y->position[y->npositions++] = row++;
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * hold.c: the sides of a system, and which of them hold: a contact that lasts is one more equation, after those of the model. */
#include "system/system.h"

#include "rows/feature.h"
#include "rows/limit.h"
#include "rows/slide.h"
#include "rows/unilateral.h"

#include <string.h>

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

/* more room for sides, and for constraints that they may become */
static zw_status make_room(zw_system *y, int more) {
    size_t           n = (size_t)y->nsides, most = n + (size_t)more, held = (size_t)y->nconstraints + most;
    struct zw_side **side = zw_arena_alloc(&y->arena, most + 1, sizeof *side, "unilateral constraints");
    zw_constraint   *constraint = zw_arena_alloc(&y->arena, held + 1, sizeof *constraint, "constraints");
    if (side == NULL || constraint == NULL) {
        return ZW_E_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        side[i] = y->side[i];
    }
    for (int i = 0; i < y->nconstraints; i++) {
        constraint[i] = y->constraint[i];
    }
    y->side = side;
    y->constraint = constraint;
    return ZW_OK;
}

zw_status zw_system_bind_contacts(zw_system *y) {
    const zw_model *m = y->model;
    int             n = 0;
    for (int i = 0; i < m->nconstraints; i++) {
        n += m->constraints[i].limit[0].node != 0;
        n += m->constraints[i].limit[1].node != 0;
    }
    if (m->events && strcmp(m->run.integrator, "gauss") == 0) { /* others step over contacts as zw_meet tells them */
        ZW_TRY(zw_features_create(y, m, &y->features));
    }
    int nfeatures = y->features != NULL ? zw_features_count(y->features) : 0;
    if (n + nfeatures == 0) {
        return ZW_OK;
    }
    ZW_TRY(make_room(y, n + nfeatures));
    for (int i = 0; i < m->nconstraints; i++) {
        for (int which = 0; which < 2; which++) {
            if (m->constraints[i].limit[which].node != 0 && y->joint_of[i] >= 0) {
                ZW_TRY(zw_limit_create(m, &m->constraints[i], y->constraint[y->joint_of[i]].self, which, &y->side[y->nsides]));
                y->nsides++;
            }
        }
    }
    for (int i = 0; i < nfeatures; i++) {
        y->side[y->nsides++] = zw_features_side(y->features, i);
    }
    return ZW_OK;
}

struct zw_features *zw_system_features(const zw_system *y) {
    return y->features;
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
        if (y->slide != NULL) {
            zw_slide_ops.count(y->slide[i], &t, &r, &b, &v);
            *tiles += t;
            *rows += r;
            *blocks += b;
            *values += v;
        }
    }
}

void zw_system_destroy_sides(zw_system *y) {
    for (int i = 0; i < y->nsides; i++) {
        zw_slide_destroy(y->slide != NULL ? y->slide[i] : NULL);
        if (y->side[i]->pair < 0) { /* the others are of the features */
            zw_side_destroy(y->side[i]);
        }
    }
    zw_features_destroy(y->features);
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
    for (int i = 0; i < n && y->slide != NULL; i++) { /* before the gaps, whose rows are the last */
        zw_slide *s = y->slide[which[i]];
        if (zw_slide_rows(s) > 0) {
            y->constraint[y->nconstraints++] = (zw_constraint){.ops = &zw_slide_ops,
                                                               .self = s,
                                                               .name = zw_side_name(y->side[which[i]]),
                                                               .row0 = row,
                                                               .m = zw_slide_rows(s),
                                                               .velocity_only = true};
            row += zw_slide_rows(s);
        }
    }
    for (int i = 0; i < n; i++) {
        zw_side *s = y->side[which[i]];
        y->constraint[y->nconstraints++] =
            (zw_constraint){.ops = &zw_side_ops, .self = s, .name = zw_side_name(s), .row0 = row, .m = 1, .moves = zw_side_moves(s)};
        y->rows_move = y->rows_move || zw_side_moves(s);
        y->position[y->npositions++] = row++;
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * impact_joints.c: what the equations of the model take up in an impact:  M (v+ - v-) = A' lambda + N' p + T' s.
 * The velocities after the impact follow without lambda, because P N' has no part along A (impact.c); the joints feel it all the same. Where rows of A follow
 * from others, lambda is that of least norm, and joints that have a share in a combination A' n = 0 are told as not unique:
 *   H x - A' l = -A' w,  A x = 0   has   x = 0,  A' (w - l) = 0,
 * so w - l with one weight at each redundant row shows every row that such a combination touches. */
#include "events/contacts.h"

#include "project/solver.h"
#include "steps/blame.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

zw_status zw_impact_joints_reserve(zw_run *r) {
    zw_contacts *c = r->contacts;
    size_t       n = (size_t)r->system->nfixed, m = (size_t)zw_system_rows_count(r->system);
    c->joint_told = zw_arena_alloc(&r->arena, n + 1, sizeof *c->joint_told, "joints");
    c->loose = zw_arena_alloc(&r->arena, 2 * m + 1, sizeof *c->loose, "joints");
    c->loose_row = zw_arena_alloc(&r->arena, m + 1, sizeof *c->loose_row, "joints");
    c->push = zw_arena_alloc(&r->arena, (size_t)r->size.nv + 1, sizeof *c->push, "joints");
    return c->joint_told && c->push && c->loose && c->loose_row ? ZW_OK : ZW_E_MEMORY;
}

/* c->loose: not 0 for rows whose multiplier is not unique; false: all are */
static bool find_loose(zw_run *r, int m) {
    zw_contacts *c = r->contacts;
    double      *weight = c->loose, *least = c->loose + m;
    int          n = zw_solver_redundant(c->solver, c->loose_row, m);
    if (n == 0) {
        return false;
    }
    memset(weight, 0, sizeof(double) * (size_t)m);
    for (int i = 0; i < n; i++) { /* of all signs and sizes, so that they do not cancel */
        weight[c->loose_row[i]] = cos(1.0 + 2.399963229728653 * (i + 1));
    }
    zw_solver_force(c->solver, weight, c->f);
    for (int l = 0; l < r->size.nv; l++) {
        c->f[l] = -c->f[l];
    }
    zw_solver_tolerate(c->solver, INFINITY); /* x is round-off, and so is what contradicts */
    zw_status status = zw_solver_solve(c->solver, c->f, c->b, c->a, least, NULL);
    zw_solver_tolerate(c->solver, 1e-8);
    for (int i = 0; i < m; i++) {
        weight[i] = status == ZW_OK ? fabs(weight[i] - least[i]) : 1.0;
    }
    return true;
}

zw_status zw_impact_joints(zw_run *r, const zw_state *x, const double *push, zw_event_record *e) {
    zw_contacts         *c = r->contacts;
    const zw_constraint *list;
    int                  n = r->system->nfixed, m = zw_system_rows_count(r->system);
    double               most = 0.0;
    e->njoints = 0;
    e->joint = c->joint_told;
    if (m == 0) {
        return ZW_OK;
    }
    memset(c->b, 0, sizeof(double) * (size_t)m);
    ZW_TRY(zw_blame(r->system, c->solver, zw_solver_solve(c->solver, push, c->b, c->a, c->lambda, NULL)));
    bool loose = find_loose(r, m);
    zw_system_constraints(r->system, &list);
    for (int i = 0; i < m; i++) {
        most = fmax(most, fabs(c->lambda[i]));
    }
    for (int i = 0; i < n; i++) {
        const zw_constraint *k = &list[i];
        zw_event_joint       told = {.joint = i, .unique = true, .rows = k->m < 6 ? k->m : 6};
        double               felt = 0.0;
        for (int j = 0; j < k->m; j++) {
            felt = fmax(felt, fabs(c->lambda[k->row0 + j]));
            told.unique = told.unique && !(loose && c->loose[k->row0 + j] > 1e-9);
        }
        if (!(felt > 16.0 * DBL_EPSILON * most)) {
            continue;
        }
        memcpy(told.row, c->lambda + k->row0, sizeof(double) * (size_t)told.rows);
        k->ops->reaction(k->self, r->system, x, c->lambda + k->row0, told.impulse);
        c->joint_told[e->njoints++] = told;
    }
    return ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * verify_rows.c: what the system says about itself against differences of what it is derived from:
 *   rows     A d = d/dtau c1(q, v + tau d)            c1: the velocity level, c0: the position level
 *            c1  = d/dt c0 along the motion            D = d/dt c1 along the motion at fixed v
 *   forces   f.d = -d/dtau E(q moved by tau d)         of the parts whose forces have a potential: those that are not lagrangian
 *   power    d/dt E along (v, a) = loads + damping + forces of the user - dissipation + lambda'b, what moving rows do */
#include "analysis/verify.h"

#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 16, DIRECTIONS = 4 }; /* up to so many velocities one by one, otherwise so many random directions */

/* the i-th direction, in units; how many there are */
static int directions(const zw_verifier *k) {
    return k->n.nv <= COLUMNS ? k->n.nv : DIRECTIONS;
}

static void choose_direction(zw_verifier *k, int i, const double *unit, double *d) {
    for (int j = 0; j < k->n.nv; j++) {
        d[j] = k->n.nv > COLUMNS ? unit[j] * zw_verify_random(k) : i == j ? unit[j] : 0.0;
    }
}

zw_status zw_verify_level_along(zw_verifier *k, void *direction, double tau, double *value) {
    const double *d = direction;
    zw_state      moved = k->x;
    moved.v = k->moved.v;
    for (int i = 0; i < k->n.nv; i++) {
        moved.v[i] = k->x.v[i] + tau * d[i];
    }
    return zw_system_values(k->y, &moved, 1, value);
}

void zw_verify_row_name(zw_verifier *k, void *user, int i, char *out, size_t size) {
    (void)user;
    zw_system_row_name(k->y, i, out, size);
}

/* x moved by tau with its velocity; v by tau with `gain` (NULL: not) */
static zw_state motion(zw_verifier *k, double tau, const double *gain) {
    zw_state moved = k->x;
    double  *dv = k->line[5];
    for (int i = 0; i < k->n.nv; i++) {
        dv[i] = tau * k->rate[i];
        k->moved.v[i] = k->x.v[i] + (gain != NULL ? tau * gain[i] : 0.0);
    }
    zw_system_retract(k->y, k->x.q, dv, k->moved.q);
    moved.q = k->moved.q;
    moved.v = k->moved.v;
    moved.t = k->x.t + tau;
    return moved;
}

/* places that travel along rods stay on their links while the difference is taken: behind a node they go on differently */
static zw_status level_of(zw_verifier *k, double tau, int level, double *value) {
    zw_state moved = motion(k, tau, NULL);
    zw_system_freeze(k->y, k->x.t);
    zw_status status = zw_system_values(k->y, &moved, level, value);
    zw_system_thaw(k->y);
    return status;
}

static zw_status position_level(zw_verifier *k, void *user, double tau, double *value) {
    (void)user;
    return level_of(k, tau, 0, value);
}

static zw_status velocity_level(zw_verifier *k, void *user, double tau, double *value) {
    (void)user;
    return level_of(k, tau, 1, value);
}

zw_status zw_verify_rows(zw_verifier *k) {
    double *exact = k->column[0], *scale = k->column[1], *d = k->line[0];
    if (k->m == 0) {
        static const zw_verify_kind kind[] = {ZW_VERIFY_REACTIONS, ZW_VERIFY_HOLD,  ZW_VERIFY_WORK, ZW_VERIFY_VARIATION,
                                              ZW_VERIFY_ROWS,      ZW_VERIFY_LEVEL, ZW_VERIFY_RATE};
        for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++) {
            zw_verify_skip(k, kind[i], "no constraints");
        }
        return ZW_OK;
    }
    for (int i = 0; i < directions(k); i++) {
        const zw_rows *A;
        choose_direction(k, i, k->unit_v, d);
        ZW_TRY(zw_system_rows(k->y, &k->x, &A));
        zw_verify_rows_product(A, d, exact, false);
        zw_verify_difference by = {.kind = ZW_VERIFY_ROWS,
                                   .curve = zw_verify_level_along,
                                   .user = d,
                                   .n = k->m,
                                   .unit = 1.0,
                                   .exact = exact,
                                   .scale = k->row_size,
                                   .name = zw_verify_row_name};
        ZW_TRY(zw_verify_compare(k, &by));
    }
    for (int i = 0; i < k->m; i++) {
        scale[i] = fabs(k->D[i]) + k->row_size[i] / k->pace;
    }
    zw_verify_difference rate = {.kind = ZW_VERIFY_RATE,
                                 .curve = velocity_level,
                                 .n = k->m,
                                 .unit = k->pace,
                                 .exact = k->D,
                                 .scale = scale,
                                 .name = zw_verify_row_name};
    ZW_TRY(zw_verify_compare(k, &rate));
    if (zw_system_rows_position_count(k->y) == 0) {
        zw_verify_skip(k, ZW_VERIFY_LEVEL, "all rows are nonholonomic");
        return ZW_OK;
    }
    ZW_TRY(zw_system_values(k->y, &k->x, 1, exact));
    const zw_constraint *constraint;
    int                  constraints = zw_system_constraints(k->y, &constraint);
    for (int i = 0; i < constraints; i++) { /* velocity-only rows have nothing there: 0, with rate 0 */
        for (int j = constraint[i].row0; constraint[i].velocity_only && j < constraint[i].row0 + constraint[i].m; j++) {
            exact[j] = 0.0;
        }
    }
    zw_verify_difference level = {.kind = ZW_VERIFY_LEVEL,
                                  .curve = position_level,
                                  .n = k->m,
                                  .unit = k->pace,
                                  .exact = exact,
                                  .scale = k->row_size,
                                  .name = zw_verify_row_name};
    return zw_verify_compare(k, &level);
}

static zw_status potential_along(zw_verifier *k, void *user, double tau, double *value) {
    const double *d = user;
    zw_state      moved = k->x;
    zw_account    account;
    for (int i = 0; i < k->n.nv; i++) {
        k->line[5][i] = tau * d[i];
    }
    zw_system_retract(k->y, k->x.q, k->line[5], k->moved.q);
    moved.q = k->moved.q;
    zw_system_account(k->y, &moved, &account);
    *value = account.elastic + account.potential;
    return ZW_OK;
}

static void direction_name(zw_verifier *k, void *user, int i, char *out, size_t size) {
    (void)user;
    (void)i;
    snprintf(out, size, "random direction%s", k->nprobes > 0 ? " of the bodies that are not lagrangian" : "");
}

zw_status zw_verify_forces(zw_verifier *k) {
    const zw_part *part;
    double        *d = k->line[0], *f = k->line[1];
    int            parts = zw_system_parts(k->y, &part);
    for (int i = 0; i < DIRECTIONS; i++) {
        bool       any = false;
        zw_account account;
        double     exact = 0.0, scale = 0.0;
        ZW_TRY(zw_system_force(k->y, &k->x, f));
        zw_system_account(k->y, &k->x, &account);
        for (int p = 0; p < parts; p++) {
            bool lagrangian = zw_verify_is_lagrangian(&part[p]);
            int  n = part[p].ops->size(part[p].self).nv;
            any = any || (!lagrangian && n > 0);
            for (int j = part[p].v0; j < part[p].v0 + n; j++) {
                d[j] = lagrangian ? 0.0 : k->unit_q[j] * zw_verify_random(k);
                exact -= f[j] * d[j];
                scale += fabs(f[j] * d[j]);
            }
        }
        if (!any) {
            return ZW_OK;
        }
        scale += fabs(account.elastic) + fabs(account.potential);
        zw_verify_difference by = {.kind = ZW_VERIFY_FORCE,
                                   .curve = potential_along,
                                   .user = d,
                                   .n = 1,
                                   .unit = 1.0,
                                   .exact = &exact,
                                   .scale = &scale,
                                   .name = direction_name};
        ZW_TRY(zw_verify_compare(k, &by));
    }
    return ZW_OK;
}

static zw_status energy_along(zw_verifier *k, void *user, double tau, double *value) {
    zw_state   moved = motion(k, tau, k->a);
    zw_account account;
    (void)user;
    zw_system_account(k->y, &moved, &account);
    *value = account.kinetic + account.elastic + account.potential;
    return ZW_OK;
}

zw_status zw_verify_power(zw_verifier *k) {
    zw_account account;
    double    *f = k->line[0], *b = k->column[0], work = 0.0, dissipated = 0.0, scale = 0.0, pace = k->pace;
    memset(f, 0, sizeof(double) * (size_t)k->n.nv);
    ZW_TRY(zw_system_load(k->y, &k->x, k->x.t, f));
    zw_system_damp(k->y, &k->x, f);
    zw_system_power(k->y, &k->x, &work, &dissipated);
    double exact = work - dissipated;
    for (int i = 0; i < k->n.nv; i++) {
        exact += f[i] * k->x.v[i];
        scale += fabs(f[i] * k->x.v[i]) + fabs(k->f[i] * k->x.v[i]);
        if (k->a[i] != 0.0) {
            pace = fmin(pace, k->unit_v[i] / fabs(k->a[i]));
        }
    }
    if (k->m > 0) {
        ZW_TRY(zw_system_values(k->y, &k->x, 2, b));
        for (int i = 0; i < k->m; i++) {
            exact += k->lambda[i] * b[i];
            scale += fabs(k->lambda[i] * b[i]);
        }
    }
    zw_system_account(k->y, &k->x, &account);
    scale += fabs(work) + fabs(dissipated) + (fabs(account.kinetic) + fabs(account.elastic) + fabs(account.potential)) / pace;
    zw_verify_difference by = {.kind = ZW_VERIFY_POWER, .curve = energy_along, .n = 1, .unit = pace, .exact = &exact, .scale = &scale};
    return zw_verify_compare(k, &by);
}

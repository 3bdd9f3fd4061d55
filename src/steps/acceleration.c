/* SPDX-License-Identifier: Apache-2.0
 * acceleration.c: Gauss's principle at a state. The rows hold along the motion, d/dt (A(q,t) v - b(t)) = 0, which reads A a = -D with D the rate of
 * A v - b at fixed v while q and t move on; D is a central difference along the motion. Then
 *   a = argmin 1/2 |a - a_free|^2_M  subject to  A a = -D,   M a_free = forces + loads + damping - gyroscopic terms,
 * and the minimum is the Zwang. The multipliers are the forces of the rows: reactions are read from here, at the state itself. */
#include "base/context.h"
#include "steps/blame.h"
#include "steps/mass.h"
#include "zwang/step.h"

#include <math.h>

struct zw_gauss {
    zw_system *y;
    zw_size    n;
    int        m;
    zw_mass    mass;
    zw_solver *solver;
    double    *f, *free, *a, *lambda, *b, *c0, *c1, *dv, *q, *scratch;
};

zw_status zw_gauss_create(zw_system *y, zw_gauss **out) {
    zw_context *c = zw_system_context(y);
    zw_status   status = ZW_OK;
    zw_state    x = {0};
    *out = NULL;
    zw_gauss *g = zw_alloc(c, 1, sizeof *g, "Gauss's principle");
    if (g == NULL) {
        return ZW_E_MEMORY;
    }
    g->y = y;
    g->n = zw_system_size(y);
    g->m = zw_system_rows_count(y);
    size_t nv = (size_t)g->n.nv, m = (size_t)g->m;
    ZW_TRY_GOTO(zw_state_create(c, &g->n, &x), fail);
    ZW_TRY_GOTO(zw_system_start(y, &x), fail);
    ZW_TRY_GOTO(zw_mass_create(y, &x, &g->mass), fail);
    ZW_TRY_GOTO(zw_solver_create(c, &g->solver), fail);
    g->scratch = zw_alloc(c, 4 * nv + 4 * m + (size_t)g->n.nq, sizeof(double), "Gauss's principle");
    if (g->scratch == NULL) {
        status = ZW_E_MEMORY;
        goto fail;
    }
    g->f = g->scratch;
    g->free = g->f + nv;
    g->a = g->free + nv;
    g->dv = g->a + nv;
    g->lambda = g->dv + nv;
    g->b = g->lambda + m;
    g->c0 = g->b + m;
    g->c1 = g->c0 + m;
    g->q = g->c1 + m;
    zw_state_destroy(c, &x);
    *out = g;
    return ZW_OK;
fail:
    zw_state_destroy(c, &x);
    zw_gauss_destroy(g);
    return status;
}

void zw_gauss_destroy(zw_gauss *g) {
    if (g == NULL) {
        return;
    }
    zw_context *c = zw_system_context(g->y);
    zw_mass_destroy(&g->mass);
    zw_solver_destroy(g->solver);
    zw_free(c, g->scratch);
    zw_free(c, g);
}

/* b = -D; the difference spans a turn of at most 1e-4 rad (or 1e-4 of a unit of time when nothing moves) */
static zw_status row_rates(zw_gauss *g, const zw_state *x) {
    double fastest = 1.0;
    for (int i = 0; i < g->n.nv; i++) {
        fastest = fmax(fastest, fabs(x->v[i]));
    }
    double   eps = 1e-4 / fastest;
    zw_state moved = *x;
    moved.q = g->q;
    for (int side = 0; side < 2; side++) {
        double step = side == 0 ? -eps : eps;
        for (int i = 0; i < g->n.nv; i++) {
            g->dv[i] = step * x->v[i];
        }
        zw_system_retract(g->y, x->q, g->dv, g->q);
        moved.t = x->t + step;
        ZW_TRY(zw_system_values(g->y, &moved, 1, side == 0 ? g->c0 : g->c1));
    }
    for (int i = 0; i < g->m; i++) {
        g->b[i] = -(g->c1[i] - g->c0[i]) / (2.0 * eps);
    }
    return ZW_OK;
}

zw_status zw_gauss_solve(zw_gauss *g, const zw_state *x, double *a, double *lambda, zw_project_info *info) {
    ZW_TRY(zw_system_force(g->y, x, g->f));
    ZW_TRY(zw_system_load(g->y, x, x->t, g->f));
    zw_system_damp(g->y, x, g->f);
    zw_system_bias(g->y, x, g->f);
    zw_mass_solve(&g->mass, g->f, g->free);
    double *acceleration = a != NULL ? a : g->a;
    if (g->m == 0) {
        for (int i = 0; i < g->n.nv; i++) {
            acceleration[i] = g->free[i];
        }
        *info = (zw_project_info){0};
        return ZW_OK;
    }
    const zw_rows *A;
    ZW_TRY(row_rates(g, x));
    ZW_TRY(zw_system_rows(g->y, x, &A));
    return zw_blame(
        g->y, g->solver,
        zw_project(g->solver, zw_system_mass(g->y, x), A, g->b, g->free, acceleration, lambda != NULL ? lambda : g->lambda, info));
}

/* SPDX-License-Identifier: Apache-2.0
 * acceleration.c: Gauss's principle at a state. The rows hold along the motion, which reads A a = -D with D the rate of their velocity level at fixed v
 * while q and t move on (system/rates.c). Then
 *   a = argmin 1/2 |a - a_free|^2_M  subject to  A a = -D,   M a_free = forces + loads + damping - gyroscopic terms,
 * and the minimum is the Zwang. The multipliers are the forces of the rows: reactions are read from here, at the state itself. */
#include "base/context.h"
#include "steps/blame.h"
#include "zwang/step.h"

struct zw_gauss {
    zw_system *y;
    zw_size    n;
    int        m;
    zw_solver *solver;
    double    *f, *free, *a, *lambda, *b, *scratch;
};

zw_status zw_gauss_create(zw_system *y, zw_gauss **out) {
    zw_context *c = zw_system_context(y);
    zw_status   status = ZW_OK;
    *out = NULL;
    zw_gauss *g = zw_alloc(c, 1, sizeof *g, "Gauss's principle");
    if (g == NULL) {
        return ZW_E_MEMORY;
    }
    g->y = y;
    g->n = zw_system_size(y);
    g->m = zw_system_rows_count(y);
    size_t nv = (size_t)g->n.nv, m = (size_t)g->m;
    ZW_TRY_GOTO(zw_solver_create(c, &g->solver), fail);
    g->scratch = zw_alloc(c, 3 * nv + 2 * m, sizeof(double), "Gauss's principle");
    if (g->scratch == NULL) {
        status = ZW_E_MEMORY;
        goto fail;
    }
    g->f = g->scratch;
    g->free = g->f + nv;
    g->a = g->free + nv;
    g->lambda = g->a + nv;
    g->b = g->lambda + m;
    *out = g;
    return ZW_OK;
fail:
    zw_gauss_destroy(g);
    return status;
}

void zw_gauss_destroy(zw_gauss *g) {
    if (g == NULL) {
        return;
    }
    zw_context *c = zw_system_context(g->y);
    zw_solver_destroy(g->solver);
    zw_free(c, g->scratch);
    zw_free(c, g);
}

zw_status zw_gauss_solve(zw_gauss *g, const zw_state *x, double *a, double *lambda, zw_project_info *info) {
    static const zw_rows no_rows = {0};
    const zw_rows       *A = &no_rows;
    double              *acceleration = a != NULL ? a : g->a, *reaction = lambda != NULL ? lambda : g->lambda;
    *info = (zw_project_info){0};
    if (g->n.nv == 0) {
        return ZW_OK;
    }
    ZW_TRY(zw_system_force(g->y, x, g->f));
    ZW_TRY(zw_system_load(g->y, x, x->t, g->f));
    zw_system_damp(g->y, x, g->f);
    zw_system_bias(g->y, x, g->f);
    if (g->m > 0) {
        ZW_TRY(zw_system_row_rates(g->y, x, g->b));
        for (int i = 0; i < g->m; i++) {
            g->b[i] = -g->b[i];
        }
        ZW_TRY(zw_system_rows(g->y, x, &A));
    }
    ZW_TRY(zw_solver_factor(g->solver, zw_system_mass(g->y, x), A, info));
    ZW_TRY(zw_blame(g->y, g->solver, zw_solver_solve(g->solver, g->f, g->b, acceleration, reaction, info)));
    info->value = 0.0;
    if (g->m > 0) { /* M (a - a_free) = A' lambda */
        zw_solver_force(g->solver, reaction, g->f);
        zw_solver_metric_inverse(g->solver, g->f, g->free);
        for (int i = 0; i < g->n.nv; i++) {
            info->value += 0.5 * g->f[i] * g->free[i];
        }
    }
    return ZW_OK;
}

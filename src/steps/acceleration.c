/* SPDX-License-Identifier: Apache-2.0
 * acceleration.c: Gauss's principle at a state. The rows hold along the motion, which reads A a = -D with D the rate of their velocity level at fixed v
 * while q and t move on (system/rates.c). Then
 *   a = argmin 1/2 |a - a_free|^2_M  subject to  A a = -D,   M a_free = forces + loads + damping - gyroscopic terms,
 * and the minimum is the Zwang. The multipliers are the forces of the rows: reactions are read from here, at the state itself.
 * Redundant rows contradict each other here by round-off of the terms of D, squares of velocities that cancel where nothing accelerates, and that reach other
 * rows through the bodies they share. So a row counts by those terms too before it is called a contradiction. */
#include "base/context.h"
#include "project/solver.h"
#include "steps/blame.h"
#include "steps/sizes.h"
#include "zwang/step.h"

#include <math.h>
#include <string.h>

struct zw_gauss {
    zw_system *y;
    zw_size    n;
    int        m;
    zw_solver *solver;
    double    *f, *free, *a, *lambda, *b, *size, *rest, *scratch;
    int       *redundant; /* [m] */
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
    g->scratch = zw_alloc(c, 3 * nv + 4 * m, sizeof(double), "Gauss's principle");
    g->redundant = zw_alloc(c, m + 1, sizeof *g->redundant, "Gauss's principle");
    if (g->scratch == NULL || g->redundant == NULL) {
        status = ZW_E_MEMORY;
        goto fail;
    }
    g->f = g->scratch;
    g->free = g->f + nv;
    g->a = g->free + nv;
    g->lambda = g->a + nv;
    g->b = g->lambda + m;
    g->size = g->b + m;
    g->rest = g->size + m;
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
    zw_free(c, g->redundant);
    zw_free(c, g);
}

/* do redundant rows ask for other accelerations than those they depend on, by more than 1e-8 of their terms? */
static bool contradicts(zw_gauss *g, const zw_rows *A, const zw_state *x, const double *a) {
    int    total = zw_solver_redundant(g->solver, g->redundant, g->m), nv = g->n.nv;
    double fastest = 1.0;
    for (int l = 0; l < nv; l++) {
        fastest = fmax(fastest, fabs(x->v[l]));
    }
    for (int l = 0; l < nv; l++) {
        g->free[l] = fabs(a[l]) + fastest * fabs(x->v[l]) + 1e-4 * fastest * fastest;
    }
    zw_row_sizes(A, g->free, g->size);
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int i = 0; i < tile->m; i++) {
            double rest = -g->b[tile->row + i];
            for (int j = tile->block0; j < tile->block0 + tile->nblocks; j++) {
                const double *row = A->a + A->block[j].a + (ptrdiff_t)i * A->block[j].ncol;
                for (int l = 0; l < A->block[j].ncol; l++) {
                    rest += row[l] * a[A->block[j].col0 + l];
                }
            }
            g->rest[tile->row + i] = rest;
        }
    }
    for (int i = 0; i < total; i++) {
        int row = g->redundant[i];
        if (!(fabs(g->rest[row]) <= 1e-8 * (g->size[row] + fabs(g->b[row])))) {
            return true;
        }
    }
    return false;
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
    zw_solver_tolerate(g->solver, INFINITY);
    ZW_TRY(zw_solver_solve(g->solver, g->f, g->b, acceleration, reaction, info));
    if (info->redundant > 0 && contradicts(g, A, x, acceleration)) { /* the kernel finds the words for it */
        zw_solver_tolerate(g->solver, 1e-8);
        ZW_TRY(zw_blame(g->y, g->solver, zw_solver_solve(g->solver, g->f, g->b, acceleration, reaction, info)));
    }
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

zw_status zw_gauss_least_norm(zw_gauss *g, double *lambda) {
    zw_project_info info;
    zw_solver_force(g->solver, lambda, g->f);
    memset(g->b, 0, sizeof(double) * (size_t)g->m);
    ZW_TRY(zw_solver_solve(g->solver, g->f, g->b, g->a, g->lambda,
                           &info)); /* M a = A' lambda + A' other, A a = 0: at rest, and other of least norm is minus what is sought */
    for (int i = 0; i < g->m; i++) {
        lambda[i] = -g->lambda[i];
    }
    return ZW_OK;
}

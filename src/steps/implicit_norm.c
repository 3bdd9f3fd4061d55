/* SPDX-License-Identifier: Apache-2.0
 * implicit_norm.c: forces of redundant rows. Newton on an equilibrium leaves some answer of A' lambda = what is to be carried; here it becomes the one of least norm, as the kernel gives it
 * in motion, and the rows that follow from others are told.
 *
 * H x - A' mu = A' lambda, A x = 0   has x = 0, and mu = -lambda but for what A' does not see: the kernel's mu has the least norm. */
#include "steps/implicit.h"

#include "project/solver.h"

#include <math.h>
#include <string.h>

zw_status zw_implicit_least_norm(zw_implicit *k, const zw_state *x, double *lambda, int *row, int most_rows, int *redundant) {
    zw_solver      *solver = NULL;
    const zw_rows  *A;
    zw_project_info info = {0};
    zw_status       status = ZW_OK;
    *redundant = 0;
    if (k->m == 0) {
        return ZW_OK;
    }
    ZW_TRY(zw_solver_create(k->c, &solver));
    zw_solver_tolerate(solver, INFINITY);
    ZW_TRY_GOTO(zw_system_rows(k->y, x, &A), done);
    ZW_TRY_GOTO(zw_solver_factor(solver, zw_system_mass(k->y, x), A, &info), done);
    if (info.redundant == 0) {
        goto done;
    }
    zw_solver_force(solver, lambda, k->f);
    memset(k->ease, 0, sizeof(double) * (size_t)k->m);
    ZW_TRY_GOTO(zw_solver_solve(solver, k->f, k->ease, k->fu, k->impulse, NULL), done);
    zw_solver_force(solver, k->impulse, k->fu);
    double most = 0.0, apart = 0.0;
    for (int i = 0; i < k->n.nv; i++) {
        most = fmax(most, fabs(k->f[i]));
        apart = fmax(apart, fabs(k->f[i] + k->fu[i]));
    }
    if (apart <= 1e-9 * most) { /* rows that are redundant but for a little may carry all of a load by that little: a taut rod */
        *redundant = info.redundant;
        zw_solver_redundant(solver, row, most_rows);
        for (int i = 0; i < k->m; i++) {
            lambda[i] = -k->impulse[i];
        }
    }
done:
    zw_solver_destroy(solver);
    return status;
}

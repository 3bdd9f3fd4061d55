/* SPDX-License-Identifier: Apache-2.0
 * roll.c: see roll.h. */
#include "steps/roll.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

zw_status zw_roll_check(zw_system *y, bool contacts) {
    const zw_constraint *c;
    int                  n = zw_system_constraints(y, &c);
    bool                 behind = false;
    for (int i = 0; i < n; i++) {
        if (c[i].nonlinear) {
            return zw_raise(zw_system_context(y), ZW_E_UNSUPPORTED, c[i].name, "use gauss or energy-momentum",
                            "verlet takes equations that are linear in the velocities, and this one is not");
        }
        behind = behind || c[i].velocity_only;
        if (behind && (contacts || !c[i].velocity_only)) {
            return zw_raise(zw_system_context(y), ZW_E_UNSUPPORTED, c[i].name, "use gauss or energy-momentum",
                            "verlet does not take equations between velocities together with contacts");
        }
    }
    return ZW_OK;
}

zw_status zw_roll_push(zw_system *y, zw_solver *s, const zw_state *x, const double *f, int first, double *lambda, double *push, double *a,
                       double *b, double *mu) {
    const zw_rows  *A;
    zw_project_info info;
    int             nv = zw_system_size(y).nv, m = zw_system_rows_count(y);
    ZW_TRY(zw_system_row_rates(y, x, b));
    for (int i = 0; i < m; i++) {
        b[i] = -b[i];
    }
    memcpy(push, f, sizeof(double) * (size_t)nv);
    zw_system_bias(y, x, push);
    ZW_TRY(zw_system_rows(y, x, &A));
    ZW_TRY(zw_solver_factor(s, zw_system_mass(y, x), A, &info));
    zw_solver_tolerate(s, INFINITY); /* whether redundant rows agree is seen where they are closed */
    ZW_TRY(zw_solver_solve(s, push, b, a, mu, &info));
    zw_solver_tolerate(s, 1e-8);
    memset(mu, 0, sizeof(double) * (size_t)first);
    for (int i = first; i < m; i++) {
        lambda[i] = mu[i];
    }
    zw_solver_force(s, mu, push);
    return ZW_OK;
}

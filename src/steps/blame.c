/* SPDX-License-Identifier: Apache-2.0
 * blame.c: puts the name of a constraint into the error of a solver. */
#include "steps/blame.h"

#include "base/context.h"
#include "project/solver.h"

zw_status zw_blame(const zw_system *y, const zw_solver *s, zw_status status) {
    zw_error *e = status == ZW_E_RANK ? zw_error_last(zw_system_context(y)) : NULL;
    if (e != NULL && e->code == ZW_E_RANK && zw_solver_contradicts(s) >= 0) {
        zw_system_row_name(y, zw_solver_contradicts(s), e->subject, sizeof e->subject);
        zw_system_row_where(y, zw_solver_contradicts(s), e);
    }
    return status;
}

/* SPDX-License-Identifier: Apache-2.0
 * rates.c: D, the rate of the rows' velocity level while q moves with v and v itself stays, so that A a + D = 0 keeps them.
 * Rows that know it give it; for the others (joints between frames anywhere along a link) it is a central difference of order 6 along the motion,
 *   D = (45 (c1 - c-1) - 9 (c2 - c-2) + (c3 - c-3))/(60 eps),
 * whose steps turn nothing by more than 3e-3: truncation (3e-3)^6 and round-off 1e-16/1e-3 both stay near 1e-13 of the terms. */
#include "system/system.h"

#include <math.h>

zw_status zw_system_row_rates(zw_system *y, const zw_state *x, double *D) {
    static const double weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    for (int i = 0; i < y->nconstraints; i++) {
        const zw_constraint *c = &y->constraint[i];
        if (c->ops->rate != NULL) {
            ZW_TRY(c->ops->rate(c->self, y, x, D + c->row0));
        }
        for (int k = c->row0; c->ops->rate == NULL && k < c->row0 + c->m; k++) {
            D[k] = 0.0;
        }
    }
    if (y->rate_c == NULL) {
        return ZW_OK;
    }
    double fastest = 1.0;
    for (int i = 0; i < y->size.nv; i++) {
        fastest = fmax(fastest, fabs(x->v[i]));
    }
    double   eps = 1e-3 / fastest;
    zw_state moved = *x;
    moved.q = y->rate_q;
    zw_system_freeze(y, x->t);
    zw_status status = ZW_OK;
    for (int k6 = 0; k6 < 6; k6++) { /* at 1, -1, 2, -2, 3, -3 steps */
        int    size = k6 / 2 + 1;
        double sign = k6 % 2 == 0 ? 1.0 : -1.0, n = sign * size;
        for (int i = 0; i < y->size.nv; i++) {
            y->rate_v[i] = n * eps * x->v[i];
        }
        zw_system_retract(y, x->q, y->rate_v, y->rate_q);
        moved.t = x->t + n * eps;
        for (int i = 0; i < y->nconstraints; i++) {
            const zw_constraint *c = &y->constraint[i];
            if (c->ops->rate != NULL) {
                continue;
            }
            ZW_TRY_GOTO(c->ops->values(c->self, y, &moved, 1, y->rate_c + c->row0), done);
            for (int k = c->row0; k < c->row0 + c->m; k++) {
                D[k] += sign * weight[size - 1] * y->rate_c[k] / eps;
            }
        }
    }
done:
    zw_system_thaw(y);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0
 * gauss_close.c: after a step, q back onto the rows that have a position level, then v onto all of them: Newton with the smallest change in the metric M,
 * down to round-off. Rows of velocities alone have no position to go back to, and none is invented. What does not fit into q and v stays in the rests that
 * compensate their sums. */
#include "steps/gauss.h"

#include "base/number.h"
#include "steps/sizes.h"

#include <float.h>
#include <math.h>
#include <string.h>

static zw_status not_closed(zw_collocation *k, double t, int row, double residual, int passes, const char *level) {
    char subject[128], r[ZW_NUMBER_TEXT], time[ZW_NUMBER_TEXT];
    zw_system_row_name(k->y, row, subject, sizeof subject);
    zw_status status = zw_raise(k->c, ZW_E_CONVERGENCE, subject, "make the constraints agree with each other, or use a smaller step",
                                "%s could not be closed at t = %s s: residual %s after %d passes", level, zw_number_short(t, 8, time),
                                zw_number_short(residual, 3, r), passes);
    zw_system_row_where(k->y, row, zw_error_last(k->c));
    return status;
}

/* v += change, with the rest of the sum */
static void add(int n, const double *change, double *v, double *rest) {
    for (int i = 0; i < n; i++) {
        double more = change[i] + rest[i], sum = v[i] + more;
        rest[i] = more - (sum - v[i]);
        v[i] = sum;
    }
}

/* how large coordinates are, per velocity column: themselves where the chart is flat, at least 1 elsewhere (turns, and metres of rods) */
static void extents(const zw_collocation *k, const zw_state *x, double *out) {
    for (int l = 0; l < k->n.nv; l++) {
        out[l] = 1.0;
    }
    for (int i = 0; i < k->nflat; i++) {
        for (int j = 0; j < k->flat[i].n; j++) {
            out[k->flat[i].v0 + j] = fabs(x->q[k->flat[i].q0 + j]);
        }
    }
}

static zw_status close_positions(zw_collocation *k, zw_state *x) {
    enum { MOST = 20 };
    zw_system *y = k->y;
    int        m = zw_system_rows_position_count(y);
    double     last = HUGE_VAL;
    for (int pass = 0; m > 0; pass++) {
        const zw_rows *A;
        const int     *number;
        int            worst = 0;
        double         residual = 0.0;
        ZW_TRY(zw_system_values(y, x, 0, k->g));
        ZW_TRY(zw_system_rows_position(y, x, &A, &number));
        extents(k, x, k->dv);
        zw_row_sizes(A, k->dv, k->size);
        for (int i = 0; i < m; i++) {
            double part = fabs(k->g[number[i]]) <= 4.0 * DBL_EPSILON ? 0.0 : fabs(k->g[number[i]]) / fmax(k->size[i], DBL_MIN);
            if (!(part <= residual)) {
                residual = part;
                worst = number[i];
            }
        }
        /* at round-off, or as near as the coordinates' own last bits let it come */
        if (residual <= 4.0 * DBL_EPSILON || (residual < 1e-11 && residual >= 0.5 * last)) {
            return ZW_OK;
        }
        if (!isfinite(residual) || pass == MOST) {
            return not_closed(k, x->t, worst, k->g[worst], pass, "its position level");
        }
        last = residual;
        for (int i = 0; i < m; i++) {
            k->b[i] = -k->g[number[i]];
        }
        ZW_TRY(zw_solver_factor(k->close_q, zw_system_mass(y, x), A, NULL));
        ZW_TRY(zw_solver_correct(k->close_q, k->b, k->dv, k->mu, NULL));
        zw_system_retract(y, x->q, k->dv, k->trial.q);
        for (int i = 0; i < k->nflat; i++) {
            const zw_flat *p = &k->flat[i];
            for (int j = 0; j < p->n; j++) {
                k->trial.q[p->q0 + j] = x->q[p->q0 + j];
            }
            add(p->n, k->dv + p->v0, k->trial.q + p->q0, x->w + k->w_rest_q + p->q0);
        }
        for (int i = 0; i < k->n.nq; i++) {
            x->q[i] = k->trial.q[i];
        }
    }
    return ZW_OK;
}

static zw_status close_velocities(zw_collocation *k, zw_state *x) {
    enum { MOST = 20 };
    zw_system      *y = k->y;
    double          last = HUGE_VAL;
    zw_project_info info;
    for (int pass = 0;; pass++) {
        const zw_rows *A;
        int            worst = 0;
        double         residual = 0.0;
        ZW_TRY(zw_system_values(y, x, 1, k->g));
        ZW_TRY(zw_system_rows(y, x, &A));
        if (pass == 0) {
            ZW_TRY(zw_system_values(y, x, 2, k->b));
            bool still = false;
            zw_row_sizes(A, x->v, k->size);
            for (int i = 0; i < k->m; i++) {
                still = still || k->size[i] == 0.0;
            }
            if (still) { /* a row along which nothing moves, to round-off that it knows itself */
                ZW_TRY(zw_system_values(y, x, 3, k->mu));
            }
            for (int i = 0; i < k->m; i++) {
                k->size[i] = fmax(still && k->size[i] == 0.0 ? k->mu[i] : k->size[i], fabs(k->b[i]));
                k->b[i] = k->size[i]; /* what it began with: of a body at rest nothing but round-off is left in the end */
            }
        } else { /* their own account of it, which costs more: terms may cancel before they reach a row, as in a moving frame */
            ZW_TRY(zw_system_values(y, x, 3, k->size));
            for (int i = 0; i < k->m; i++) {
                k->size[i] = fmax(k->size[i], k->b[i]);
            }
        }
        for (int i = 0; i < k->m; i++) {
            double part = fabs(k->g[i]) <= DBL_MIN ? 0.0 : fabs(k->g[i]) / k->size[i];
            if (!(part <= residual)) {
                residual = part;
                worst = i;
            }
        }
        if (residual <= 4.0 * DBL_EPSILON || (residual < 1e-11 && residual >= 0.5 * last)) {
            zw_collocation_watch_keep(k, x, A);
            return ZW_OK;
        }
        if (!isfinite(residual) || pass == MOST) {
            return not_closed(k, x->t, worst, residual, pass, "its velocity level");
        }
        last = residual;
        for (int i = 0; i < k->m; i++) {
            k->g[i] = -k->g[i];
        }
        ZW_TRY(zw_solver_factor(k->close_v, zw_system_mass(y, x), A, &info));
        ZW_TRY(zw_solver_correct(k->close_v, k->g, k->dv, k->mu, NULL));
        add(k->n.nv, k->dv, x->v, x->w + k->w_rest_v);
        if (residual < 1e-8 && info.redundant == 0 &&
            !zw_system_rows_nonlinear(y)) { /* linear rows: the kernel has closed them to round-off */
            zw_collocation_watch_keep(k, x, A);
            return ZW_OK;
        }
    }
}

/* ---- symmetric projection:  x0 + M^-1 A0' mu  ->  step  ->  x1 = . + M^-1 A1' mu  with mu such that x1 is on the rows. Both ends move x1 by nearly the same,
 * so a pass adds half of what is missing to mu; the step is done anew from the shifted start. Where bodies turn, A M^-1 A' of a joint is another one at the end
 * of the step when they are slender: there a pass solves with the sum of both, (A0 M^-1 A0' + A1 M^-1 A1') dmu = what is missing. */

zw_status zw_collocation_symmetric_begin(zw_collocation *k, const zw_state *x0) {
    const zw_rows   *A;
    const zw_metric *M = zw_system_mass(k->y, x0);
    ZW_TRY(zw_system_rows_position(k->y, x0, &A, NULL));
    ZW_TRY(zw_solver_factor(k->from_q, M, A, NULL));
    if (!k->all_flat) {
        ZW_TRY(zw_both_start(&k->both_q, A));
    }
    ZW_TRY(zw_system_rows(k->y, x0, &A));
    ZW_TRY(zw_solver_factor(k->from_v, M, A, NULL));
    if (!k->all_flat) {
        ZW_TRY(zw_both_start(&k->both_v, A));
    }
    for (int i = 0; i < k->m; i++) {
        k->mu_q[i] = k->mu_v[i] = 0.0;
    }
    return ZW_OK;
}

static void shift_by(const zw_solver *solver, const double *mu, double *dv, double *out) {
    zw_solver_force(solver, mu, dv);
    zw_solver_metric_inverse(solver, dv, out);
}

/* total += the multipliers that give k->b at the end, and the shifts that the new ones make at both ends */
static zw_status add_multipliers(zw_collocation *k, const zw_metric *M, const zw_rows *A, zw_solver *end, zw_both *both,
                                 const zw_solver *start, const unsigned char *skip, double *total, int at) {
    if (k->all_flat) {
        ZW_TRY(zw_solver_factor(end, M, A, NULL));
        ZW_TRY(zw_solver_correct(end, k->b, NULL, k->mu, NULL));
    } else {
        for (int i = 0; i < A->m; i++) {
            k->b[i] = skip[i] ? 0.0 : k->b[i];
        }
        ZW_TRY(zw_both_factor(both, M, A, skip));
        ZW_TRY(zw_both_solve(both, k->b, k->mu));
    }
    for (int i = 0; i < A->m; i++) {
        total[i] += k->mu[i];
    }
    if (k->all_flat) {
        shift_by(end, total, k->dv, k->shift1 + at);
    } else {
        zw_both_shift(both, total, k->both_work, k->both_shift);
        memcpy(k->shift1 + at, k->both_shift + k->n.nv, sizeof(double) * (size_t)k->n.nv);
    }
    shift_by(start, total, k->dv, k->shift0 + at);
    return ZW_OK;
}

zw_status zw_collocation_symmetric(zw_collocation *k, const zw_state *x0, const zw_state *x1, int pass, zw_state *base, bool *more) {
    enum { MOST = 30 };
    zw_system     *y = k->y;
    const zw_rows *A;
    const int     *number;
    int            nv = k->n.nv, m = zw_system_rows_position_count(y);
    double         residual = 0.0;
    ZW_TRY(zw_system_values(y, x1, 0, k->g));
    ZW_TRY(zw_system_values(y, x1, 1, k->size));
    for (int i = 0; i < k->m; i++) {
        residual = fmax(residual, fmax(fabs(k->g[i]), fabs(k->size[i])));
    }
    /* what is left when it no longer shrinks is round-off, or left to close() */
    *more =
        isfinite(residual) && residual > 8.0 * DBL_EPSILON && pass < MOST && (pass == 0 || residual > 1e-12 || residual < 0.5 * k->apart);
    k->apart = residual;
    if (!*more) {
        return ZW_OK;
    }
    const zw_metric *M = zw_system_mass(y, x1);
    double           part = k->all_flat ? 0.5 : 1.0;
    ZW_TRY(zw_system_rows_position(y, x1, &A, &number));
    for (int i = 0; i < m; i++) {
        k->b[i] = -part * k->g[number[i]];
        k->known_q[i] = k->known[number[i]];
    }
    ZW_TRY(add_multipliers(k, M, A, k->close_q, &k->both_q, k->from_q, k->known_q, k->mu_q, 0));
    ZW_TRY(zw_system_rows(y, x1, &A));
    for (int i = 0; i < k->m; i++) {
        k->b[i] = -part * k->size[i];
    }
    ZW_TRY(add_multipliers(k, M, A, k->close_v, &k->both_v, k->from_v, k->known, k->mu_v, nv));
    zw_system_retract(y, x0->q, k->shift0, k->base.q);
    for (int l = 0; l < nv; l++) {
        k->base.v[l] = x0->v[l] + k->shift0[nv + l];
    }
    *base = (zw_state){.t = x0->t, .q = k->base.q, .v = k->base.v, .s = x0->s, .w = x0->w};
    return ZW_OK;
}

zw_status zw_collocation_close(zw_collocation *k, zw_state *x) {
    if (k->m == 0) {
        return ZW_OK;
    }
    ZW_TRY(close_positions(k, x));
    return close_velocities(k, x);
}

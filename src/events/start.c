/* SPDX-License-Identifier: Apache-2.0
 * start.c: a start that the constraints allow. First the coordinates, onto the rows that have a position level, then the velocities, onto all rows; each time the
 * smallest change in the metric M, by Newton where rows are nonlinear. What was changed is told; what cannot be made to fit is an error with the
 * constraint, its text and what is left of it. */
#include "events/run.h"

#include "base/number.h"
#include "project/solver.h"
#include "steps/blame.h"
#include "steps/sizes.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PASSES = 50, TOLD = 24 };

static zw_status inconsistent(zw_run *r, int row, double residual, const char *level) {
    char subject[160], number[ZW_NUMBER_TEXT], state[240];
    zw_system_row_name(r->system, row, subject, sizeof subject);
    zw_system_row_state(r->system, row, &r->x[0], state, sizeof state);
    zw_status status = zw_raise(r->context, ZW_E_MODEL, subject, "change the start values, or the constraints that contradict each other",
                                "inconsistent start: its %s cannot be closed from the start values; %s is left of it at %s", level,
                                zw_number_short(residual, 4, number), state);
    zw_system_row_where(r->system, row, zw_error_last(r->context));
    return status;
}

/* rows that contradict each other at the start are a mistake of the model */
static zw_status contradictory(zw_run *r, int row) {
    zw_error *e = zw_error_last(r->context);
    if (e == NULL || e->code != ZW_E_RANK) {
        return ZW_E_RANK;
    }
    char state[160];
    zw_system_row_state(r->system, row, &r->x[0], state, sizeof state);
    size_t used = strlen(e->message);
    snprintf(e->message + used, sizeof e->message - used, " at %s", state);
    e->code = ZW_E_MODEL;
    return ZW_E_MODEL;
}

/* name of a coordinate (or velocity) of a lagrangian body; NULL for others */
static const zw_body_def *body_of(const zw_run *r, int column, int *local) {
    const zw_part *part;
    zw_system_parts(r->system, &part);
    for (int i = 0; i < r->model->nbodies; i++) {
        const zw_body_def *b = &r->model->bodies[i];
        int                first = b->kind == ZW_BODY_LAGRANGIAN ? part[r->system->body_part[i]].v0 : 0;
        if (b->kind == ZW_BODY_LAGRANGIAN && column >= first && column < first + b->lagrangian.n) {
            *local = column - first;
            return b;
        }
    }
    return NULL;
}

/* says which numbers of the start were changed, by name where they have one; in the run (links were split) that is no news */
static void tell(const zw_run *r, bool velocities, int n, const double *before, const double *after) {
    double change = 0.0, scale = 0.0;
    int    told = 0, others = 0;
    char   a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    if (r->x[0].t > 0.0) {
        return;
    }
    for (int i = 0; i < n; i++) {
        scale = fmax(scale, fabs(before[i]));
    }
    for (int i = 0; i < n; i++) {
        int                local = 0;
        const zw_body_def *body = r->size.nq == r->size.nv || velocities ? body_of(r, i, &local) : NULL;
        if (!(fabs(after[i] - before[i]) > 1e-9 * scale)) {
            continue;
        }
        if (body == NULL || told == TOLD) {
            change = fmax(change, fabs(after[i] - before[i]));
            others++;
            continue;
        }
        const zw_lagrangian_def *d = &body->lagrangian;
        bool                     frame = velocities && d->nquasi > 0;
        zw_log(r->context, ZW_LOG_INFO, "start: %s.%s%s was changed from %s to %s to agree with the constraints", body->name,
               frame ? d->quasi[local].name : d->coordinate[local], velocities && !frame ? "dot" : "", zw_number_short(before[i], 9, a),
               zw_number_short(after[i], 9, b));
        told++;
    }
    if (others > 0) {
        zw_log(r->context, ZW_LOG_INFO, "start %s were changed by at most %s to agree with the constraints",
               velocities ? "velocities" : "positions", zw_number_short(change, 3, a));
    }
}

static double largest(int n, const double *v, const double *size, int *where) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        double part = v[i] == 0.0 ? 0.0 : fabs(v[i]) / size[i];
        if (!(part <= most)) {
            most = part;
            *where = i;
        }
    }
    return most;
}

static zw_status start_positions(zw_run *r, zw_solver *solver, double *dv, double *b, double *q) {
    zw_system *y = r->system;
    zw_state  *x = &r->x[0];
    int        m = zw_system_rows_position_count(y), worst = 0;
    double     last = HUGE_VAL;
    for (int pass = 0; m > 0; pass++) {
        const zw_rows *A;
        const int     *number;
        double         residual = 0.0;
        ZW_TRY(zw_system_values(y, x, 0, r->row_values));
        ZW_TRY(zw_system_rows_position(y, x, &A, &number));
        for (int i = 0; i < r->size.nv; i++) {
            dv[i] = r->size.nq == r->size.nv ? fabs(x->q[i]) : 1.0;
        }
        zw_row_sizes(A, dv, b);
        for (int i = 0; i < m; i++) {
            double g = fabs(r->row_values[number[i]]), part = g <= 4.0 * DBL_EPSILON ? 0.0 : g / fmax(b[i], DBL_MIN);
            if (!(part <= residual)) {
                residual = part;
                worst = number[i];
            }
        }
        if (residual <= 4.0 * DBL_EPSILON || (residual < 1e-11 && residual >= 0.5 * last)) {
            return ZW_OK;
        }
        if (!isfinite(residual) || pass == PASSES) {
            return inconsistent(r, worst, r->row_values[worst], "position level");
        }
        last = residual;
        for (int i = 0; i < m; i++) {
            b[i] = -r->row_values[number[i]];
        }
        ZW_TRY(zw_solver_factor(solver, zw_system_mass(y, x), A, NULL));
        ZW_TRY(zw_solver_correct(solver, b, dv, r->lambda, NULL));
        zw_system_retract(y, x->q, dv, q);
        memcpy(x->q, q, sizeof(double) * (size_t)r->size.nq);
    }
    return ZW_OK;
}

/* rows that are nonlinear in the velocities: Newton */
static zw_status start_velocities(zw_run *r, zw_solver *solver, double *dv, double *b, double *size) {
    zw_system *y = r->system;
    zw_state  *x = &r->x[0];
    int        worst = 0;
    double     last = HUGE_VAL;
    for (int pass = 0;; pass++) {
        const zw_rows *A;
        ZW_TRY(zw_system_values(y, x, 1, b));
        ZW_TRY(zw_system_values(y, x, 3, size));
        double residual = largest(r->m, b, size, &worst);
        if (residual <= 2.0 * DBL_EPSILON || (residual < 1e-11 && residual >= 0.5 * last)) {
            return ZW_OK;
        }
        if (!isfinite(residual) || pass == PASSES) {
            return inconsistent(r, worst, b[worst], "velocity level");
        }
        last = residual;
        ZW_TRY(zw_system_rows(y, x, &A));
        for (int i = 0; i < r->m; i++) {
            b[i] = -b[i];
        }
        ZW_TRY(zw_solver_factor(solver, zw_system_mass(y, x), A, NULL));
        ZW_TRY(zw_solver_correct(solver, b, dv, r->lambda, NULL));
        for (int i = 0; i < r->size.nv; i++) {
            x->v[i] += dv[i];
        }
    }
}

/* names the rows that follow from others */
static void tell_redundant(zw_run *r, const zw_solver *solver) {
    int rows[8], n = zw_solver_redundant(solver, rows, 8);
    for (int i = 0; i < n && i < 8 && !(r->x[0].t > 0.0); i++) {
        char name[160];
        zw_system_row_name(r->system, rows[i], name, sizeof name);
        zw_log(r->context, ZW_LOG_WARNING, "%s follows from the other constraints: it is redundant; reactions are those of least norm",
               name);
    }
}

static zw_status start_all(zw_run *r, zw_solver *onto_q, zw_solver *solver, double *work) {
    zw_state       *x = &r->x[0];
    size_t          nq = (size_t)r->size.nq, nv = (size_t)r->size.nv, m = (size_t)r->m;
    double         *q = work, *moved = q + nq, *v = moved + nq, *dv = v + nv, *b = dv + nv, *size = b + m;
    const zw_rows  *A;
    zw_project_info info;
    memcpy(q, x->q, sizeof(double) * nq);
    zw_solver_tolerate(onto_q, INFINITY); /* whether redundant rows close is seen from their values */
    ZW_TRY(start_positions(r, onto_q, dv, b, moved));
    tell(r, false, r->size.nq, q, x->q);
    memcpy(v, x->v, sizeof(double) * nv);
    if (zw_system_rows_nonlinear(r->system)) {
        zw_solver_tolerate(solver, INFINITY);
        ZW_TRY(start_velocities(r, solver, dv, b, size));
        ZW_TRY(zw_system_rows(r->system, x, &A));
        ZW_TRY(zw_solver_factor(solver, zw_system_mass(r->system, x), A, &info));
    } else {
        ZW_TRY(zw_system_values(r->system, x, 2, b));
        ZW_TRY(zw_system_rows(r->system, x, &A));
        zw_status status = zw_blame(r->system, solver, zw_project(solver, zw_system_mass(r->system, x), A, b, x->v, dv, r->lambda, &info));
        ZW_TRY(status == ZW_E_RANK ? contradictory(r, zw_solver_contradicts(solver)) : status);
        memcpy(x->v, dv, sizeof(double) * nv);
    }
    r->redundant = info.redundant;
    tell_redundant(r, solver);
    tell(r, true, r->size.nv, v, x->v);
    return ZW_OK;
}

zw_status zw_run_make_consistent(zw_run *r) {
    zw_solver *onto_q = NULL, *solver = NULL;
    zw_status  status = ZW_OK;
    double    *work = zw_alloc(r->context, 2 * (size_t)r->size.nq + 2 * (size_t)r->size.nv + 2 * (size_t)r->m, sizeof *work, "the start");
    if (work == NULL) {
        return ZW_E_MEMORY;
    }
    ZW_TRY_GOTO(zw_solver_create(r->context, &onto_q), done);
    ZW_TRY_GOTO(zw_solver_create(r->context, &solver), done);
    status = start_all(r, onto_q, solver, work);
done:
    zw_solver_destroy(onto_q);
    zw_solver_destroy(solver);
    zw_free(r->context, work);
    return status;
}

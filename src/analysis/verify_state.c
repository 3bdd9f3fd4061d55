/* SPDX-License-Identifier: Apache-2.0
 * verify_state.c: random admissible states. The start is moved by random amounts, coordinates of a lagrangian body by about 1 (or their start
 * value; like a rod's where a joint holds it), nodes of a rod so that neighbours strain it by a few per cent, and gets random velocities; then Newton's method closes the position rows and the
 * velocity rows, both with the smallest change in the metric M:  dv = argmin 1/2 |dv|^2_M  subject to  A dv = -(what is open). */
#include "analysis/verify.h"

#include "project/solver.h"
#include "system/system.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 40 };

static const double rod_turn = 0.02, rod_strain = 0.02, rod_speed = 5.0; /* rad, 1, times length or rad per s */

/* a joint holds on to a point of that body: it may not run away from the rod on the other side */
static bool jointed(const zw_verifier *k, int part) {
    const zw_model *m = k->y->model;
    for (int i = 0; i < m->nconstraints; i++) {
        const zw_place_def *a = &m->constraints[i].a, *b = &m->constraints[i].b;
        if ((a->body >= 0 && k->y->body_part[a->body] == part) || (b->body >= 0 && k->y->body_part[b->body] == part)) {
            return true;
        }
    }
    return false;
}

zw_status zw_verify_units(zw_verifier *k) {
    const zw_part *part;
    const int      parts = zw_system_parts(k->y, &part);
    bool           rods = false;
    double         length = 0.0;
    zw_system_step_limit(k->y, &length);
    length = length > 0.0 ? length : 1.0;
    for (int i = 0; i < parts; i++) {
        rods = rods || !zw_verify_is_lagrangian(&part[i]);
    }
    for (int i = 0; i < parts; i++) {
        zw_size n = part[i].ops->size(part[i].self);
        bool    lagrangian = zw_verify_is_lagrangian(&part[i]);
        double  share = rods && jointed(k, i) ? rod_strain * length : 1.0;
        for (int j = 0; j < n.nv; j++) {
            int col = part[i].v0 + j;
            if (lagrangian) {
                k->unit_q[col] = share * fmax(1.0, fabs(k->start.q[part[i].q0 + j]));
                k->unit_v[col] = fmax(1.0, fabs(k->start.v[col]));
            } else {
                k->unit_q[col] = j % 6 < 3 ? rod_turn : rod_strain * length;
                k->unit_v[col] = j % 6 < 3 ? rod_speed : rod_speed * length;
            }
        }
    }
    double until = 1.0;
    if (k->y->model->run_given && k->y->model->run.until.node != 0) {
        ZW_TRY(zw_model_constant(k->y->model, k->y->model->run.until, "run.until", &until));
    }
    k->unit_t = rods ? 0.01 * until : until; /* where a motion of supports has not carried a rod away from its start */
    return ZW_OK;
}

static bool finite(int n, const double *a) {
    for (int i = 0; i < n; i++) {
        if (!isfinite(a[i])) {
            return false;
        }
    }
    return true;
}

static double in_units(int n, const double *a, const double *unit) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i]) / unit[i]);
    }
    return most;
}

/* the smallest dv in M that closes what is open by A; false when there is none */
static bool newton_step(zw_verifier *k, const zw_rows *A, double *open, double *dv) {
    zw_project_info info;
    for (int i = 0; i < A->m; i++) {
        open[i] = -open[i];
    }
    return zw_solver_factor(k->solver, zw_system_mass(k->y, &k->x), A, &info) == ZW_OK &&
           zw_solver_correct(k->solver, open, dv, k->lambda, &info) == ZW_OK && finite(k->n.nv, dv);
}

/* Newton has arrived when its step is round-off; what is open then must be so too (redundant rows may contradict) */
static bool arrived(double step, double before) {
    return step <= 1e-14 || (step <= 1e-11 && step >= 0.5 * before);
}

static bool close_positions(zw_verifier *k) {
    zw_state *x = &k->x;
    double   *g = k->column[0], *open = k->column[1], *size = k->column[2], *dv = k->line[0], before = INFINITY;
    if (zw_system_rows_position_count(k->y) == 0) {
        return true;
    }
    for (int pass = 0; pass < ITERATIONS; pass++) {
        const zw_rows *A;
        const int     *number;
        if (zw_system_check(k->y, x) != ZW_OK || zw_system_values(k->y, x, 0, g) != ZW_OK ||
            zw_system_rows_position(k->y, x, &A, &number) != ZW_OK) {
            return false;
        }
        for (int i = 0; i < A->m; i++) {
            open[i] = g[number[i]];
        }
        zw_verify_rows_product(A, k->unit_q, size, true);
        if (!finite(A->m, open) || !finite(A->m, size)) {
            return false;
        }
        bool closed = true;
        for (int i = 0; i < A->m; i++) {
            closed = closed && fabs(open[i]) <= 1e-9 * size[i];
        }
        if (!newton_step(k, A, open, dv)) {
            return false;
        }
        double step = in_units(k->n.nv, dv, k->unit_q);
        if (closed && arrived(step, before)) {
            return true;
        }
        if (step > 20.0) { /* far beyond what was asked for: another branch, or nowhere */
            return false;
        }
        before = step;
        zw_system_retract(k->y, x->q, dv, k->moved.q);
        memcpy(x->q, k->moved.q, sizeof(double) * (size_t)k->n.nq);
    }
    return false;
}

static bool close_velocities(zw_verifier *k) {
    zw_state *x = &k->x;
    double   *open = k->column[0], *size = k->column[2], *dv = k->line[0], before = INFINITY;
    for (int pass = 0; k->m > 0 && pass < ITERATIONS; pass++) {
        const zw_rows *A;
        if (zw_system_values(k->y, x, 1, open) != ZW_OK || zw_system_rows(k->y, x, &A) != ZW_OK) {
            return false;
        }
        zw_verify_rows_product(A, k->unit_v, size, true);
        if (!finite(k->m, open) || !finite(k->m, size)) {
            return false;
        }
        bool closed = true;
        for (int i = 0; i < k->m; i++) {
            closed = closed && fabs(open[i]) <= 1e-9 * size[i];
        }
        if (!newton_step(k, A, open, dv)) {
            return false;
        }
        double step = in_units(k->n.nv, dv, k->unit_v);
        if (closed && arrived(step, before)) {
            return true;
        }
        if (step > 1e3) {
            return false;
        }
        before = step;
        for (int i = 0; i < k->n.nv; i++) {
            x->v[i] += dv[i];
        }
    }
    return k->m == 0;
}

zw_status zw_verify_random_state(zw_verifier *k, zw_verify_fate *fate) {
    double *dv = k->line[0];
    zw_state_copy(&k->n, &k->start, &k->x);
    zw_verify_growth_shake(k);
    k->x.t = 0.5 * k->unit_t * (1.0 + zw_verify_random(k));
    for (int i = 0; i < k->n.nv; i++) {
        dv[i] = k->unit_q[i] * zw_verify_random(k);
        k->x.v[i] += k->unit_v[i] * zw_verify_random(k);
    }
    zw_system_retract(k->y, k->start.q, dv, k->x.q);
    zw_solver_tolerate(k->solver, INFINITY);
    *fate = zw_system_check(k->y, &k->x) != ZW_OK ? ZW_FATE_UNDEFINED
            : !close_positions(k)                 ? ZW_FATE_POSITION
            : !close_velocities(k)                ? ZW_FATE_VELOCITY
                                                  : ZW_FATE_ADMISSIBLE;
    zw_solver_tolerate(k->solver, 1e-8);
    for (int i = 0; *fate != ZW_FATE_ADMISSIBLE && i < zw_error_count(k->c); i++) {
        if (zw_error_at(k->c, i)->code == ZW_E_MEMORY) {
            return ZW_E_MEMORY;
        }
    }
    return ZW_OK;
}

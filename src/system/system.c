/* SPDX-License-Identifier: Apache-2.0
 * system.c: what an integrator asks of a system, answered by adding up its parts and constraints. */
#include "system/track.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* the slices of a state that belong to a part */
static zw_state slice(const zw_system *y, int i, const zw_state *x) {
    const zw_part *p = &y->part[i];
    return (zw_state){.t = x->t, .q = x->q + p->q0, .v = x->v + p->v0, .s = x->s + p->s0};
}

zw_context *zw_system_context(const zw_system *y) {
    return y->context;
}

zw_size zw_system_size(const zw_system *y) {
    return y->size;
}

int zw_system_parts(const zw_system *y, const zw_part **parts) {
    *parts = y->part;
    return y->nparts;
}

int zw_system_constraints(const zw_system *y, const zw_constraint **constraints) {
    *constraints = y->constraint;
    return y->nconstraints;
}

int zw_system_rows_count(const zw_system *y) {
    return y->nconstraints > 0 ? y->constraint[y->nconstraints - 1].row0 + y->constraint[y->nconstraints - 1].m : 0;
}

bool zw_system_rows_move(const zw_system *y) {
    return y->rows_move;
}

bool zw_system_damps(const zw_system *y) {
    return y->damps;
}

zw_status zw_system_start(zw_system *y, zw_state *x) {
    x->t = 0.0;
    for (int i = 0; i < y->nparts; i++) {
        zw_state part = slice(y, i, x);
        y->part[i].ops->start(y->part[i].self, &part);
    }
    zw_system_foundation_start(y, x);
    return ZW_OK;
}

const zw_metric *zw_system_mass(zw_system *y, const zw_state *x) {
    for (int i = 0; i < y->nparts; i++) {
        zw_state part = slice(y, i, x);
        y->part[i].ops->mass(y->part[i].self, &part, &y->mass_part[i]);
    }
    return &y->mass;
}

const zw_metric *zw_system_damp_metric(zw_system *y, const zw_state *x, double h) {
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        zw_state       part = slice(y, i, x);
        if (p->ops->damps != NULL && p->ops->damps(p->self)) {
            p->ops->damp_metric(p->self, &part, h, &y->damp_part[i]);
        } else {
            p->ops->mass(p->self, &part, &y->damp_part[i]);
        }
    }
    return &y->damp;
}

zw_status zw_system_force(zw_system *y, const zw_state *x, double *f) {
    for (int i = 0; i < y->nparts; i++) {
        zw_state part = slice(y, i, x);
        ZW_TRY(y->part[i].ops->force(y->part[i].self, &part, f + y->part[i].v0));
    }
    zw_system_spring_force(y, x, f);
    return ZW_OK;
}

void zw_system_damp(zw_system *y, const zw_state *x, double *f) {
    zw_system_damp_parts(y, x, f);
    zw_system_damp_springs(y, x, f);
}

void zw_system_damp_parts(zw_system *y, const zw_state *x, double *f) {
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        if (p->ops->damps != NULL && p->ops->damps(p->self)) {
            zw_state part = slice(y, i, x);
            p->ops->damp(p->self, &part, f + p->v0);
        }
    }
}

void zw_system_bias(zw_system *y, const zw_state *x, double *f) {
    for (int i = 0; i < y->nparts; i++) {
        zw_state part = slice(y, i, x);
        y->part[i].ops->bias(y->part[i].self, &part, f + y->part[i].v0);
    }
}

zw_status zw_system_rows(zw_system *y, const zw_state *x, const zw_rows **A) {
    y->rows.m = y->rows.ntiles = y->rows.nblocks = 0;
    y->rows.nvalues = 0;
    for (int i = 0; i < y->nconstraints; i++) {
        ZW_TRY(y->constraint[i].ops->rows(y->constraint[i].self, y, x, &y->rows));
    }
    *A = &y->rows;
    return ZW_OK;
}

zw_status zw_system_rows_position(zw_system *y, const zw_state *x, const zw_rows **A, const int **number) {
    y->rows.m = y->rows.ntiles = y->rows.nblocks = 0;
    y->rows.nvalues = 0;
    for (int i = 0; i < y->nconstraints; i++) {
        if (!y->constraint[i].velocity_only) {
            ZW_TRY(y->constraint[i].ops->rows(y->constraint[i].self, y, x, &y->rows));
        }
    }
    *A = &y->rows;
    if (number != NULL) {
        *number = y->position;
    }
    return ZW_OK;
}

int zw_system_rows_position_count(const zw_system *y) {
    return y->npositions;
}

bool zw_system_rows_nonlinear(const zw_system *y) {
    return y->rows_nonlinear;
}

zw_status zw_system_values(zw_system *y, const zw_state *x, int level, double *c) {
    for (int i = 0; i < y->nconstraints; i++) {
        ZW_TRY(y->constraint[i].ops->values(y->constraint[i].self, y, x, level, c + y->constraint[i].row0));
    }
    return ZW_OK;
}

void zw_system_drift(zw_system *y, const zw_state *x0, double h, zw_state *x1, bool constrained_only) {
    for (int i = 0; i < y->nparts; i++) {
        zw_state from = slice(y, i, x0), to = slice(y, i, x1);
        int      first = y->some0[i], count = y->some0[i + 1] - first;
        y->part[i].ops->drift(y->part[i].self, &from, h, &to, constrained_only ? count : 0, constrained_only ? y->some + first : NULL);
    }
    x1->t = x0->t + h;
}

void zw_system_retract(zw_system *y, const double *q, const double *dv, double *q1) {
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        p->ops->retract(p->self, q + p->q0, dv + p->v0, q1 + p->q0);
    }
}

void zw_system_chart_rate(const zw_system *y, const double *q0, const double *dv, const double *q, const double *v, double *rate) {
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        zw_size        n = p->ops->size(p->self);
        if (p->ops->chart_rate != NULL) {
            p->ops->chart_rate(p->self, q0 + p->q0, dv + p->v0, q + p->q0, v + p->v0, rate + p->v0);
        } else if (n.nv > 0) {
            memcpy(rate + p->v0, v + p->v0, sizeof(double) * (size_t)n.nv);
        }
    }
}

void zw_system_foresee(zw_system *y, int n, const zw_state *x) {
    enum { MOST = 8 };
    zw_state part[MOST];
    n = n < MOST ? n : MOST;
    for (int i = 0; i < y->nparts; i++) {
        if (y->part[i].ops->foresee == NULL) {
            continue;
        }
        for (int k = 0; k < n; k++) {
            part[k] = slice(y, i, &x[k]);
        }
        y->part[i].ops->foresee(y->part[i].self, n, part);
    }
}

void zw_system_power(zw_system *y, const zw_state *x, double *work, double *dissipated) {
    *work = *dissipated = 0.0;
    for (int i = 0; i < y->nparts; i++) {
        double w = 0.0, d = 0.0;
        if (y->part[i].ops->power != NULL) {
            zw_state part = slice(y, i, x);
            y->part[i].ops->power(y->part[i].self, &part, &w, &d);
        }
        *work += w;
        *dissipated += d;
    }
}

zw_status zw_system_near(zw_system *y, const zw_state *x, double h) {
    for (int i = 0; i < y->nparts; i++) {
        if (y->part[i].ops->near != NULL) {
            zw_state part = slice(y, i, x);
            ZW_TRY(y->part[i].ops->near(y->part[i].self, &part, h));
        }
    }
    return ZW_OK;
}

zw_status zw_system_check(zw_system *y, const zw_state *x) {
    for (int i = 0; i < y->nparts; i++) {
        if (y->part[i].ops->check != NULL) {
            zw_state part = slice(y, i, x);
            ZW_TRY(y->part[i].ops->check(y->part[i].self, &part));
        }
    }
    return ZW_OK;
}

void zw_system_frame(const zw_system *y, const zw_state *x, const zw_place *p, zw_frame *F, zw_jet *J) {
    zw_state part = slice(y, p->part, x);
    zw_place now = *p;
    double   tangent[6], rate = p->track > 0 ? zw_system_slip(y, x, p, &now, tangent) : 0.0;
    y->part[p->part].ops->frame(y->part[p->part].self, &part, &now, F, J);
    for (int i = 0; p->track > 0 && i < 3; i++) {
        F->w[i] += rate * tangent[i];
        F->v[i] += rate * tangent[3 + i];
    }
    for (int i = 0; J != NULL && i < J->nblocks; i++) {
        J->col[i] += y->part[p->part].v0;
    }
}

bool zw_system_frame_rate(const zw_system *y, const zw_state *x, const zw_place *p, double rate[6]) {
    zw_state       part = slice(y, p->part, x);
    const zw_part *of = &y->part[p->part];
    return p->track == 0 && of->ops->frame_rate != NULL && of->ops->frame_rate(of->self, &part, p, rate);
}

void zw_system_account(zw_system *y, const zw_state *x, zw_account *a) {
    memset(a, 0, sizeof *a);
    for (int i = 0; i < y->nparts; i++) {
        zw_state part = slice(y, i, x);
        y->part[i].ops->account(y->part[i].self, &part, a);
    }
    a->elastic += zw_system_spring_energy(y, x);
}

void zw_system_conserves(const zw_system *y, bool *linear, bool *angular) {
    *linear = *angular = y->nloads == 0 && !y->gravity_acts && y->model->nobstacles == 0;
    for (int i = 0; i < y->model->nbodies; i++) {
        const zw_rod_growth_def *grows = &y->model->bodies[i].rod.growth; /* new mass brings momentum, thicker sections another inertia */
        if (y->model->bodies[i].kind == ZW_BODY_ROD && grows->given) {
            *linear = *linear && !grows->mass;
            *angular = *angular && !grows->mass && grows->section.node == 0 && grows->kind != ZW_GROWTH_THICKEN;
        }
        if (y->model->bodies[i].kind == ZW_BODY_LAGRANGIAN) { /* its coordinates need not be positions in space */
            *linear = *angular = false;
        }
        if (y->model->bodies[i].kind == ZW_BODY_RIGID && y->model->bodies[i].rigid.planar) { /* what keeps it in its plane takes moments */
            *angular = false;
        }
    }
    if (y->nfoundations > 0) {
        *linear = *angular = false;
    }
    for (int i = 0; i < y->model->nalongs; i++) {
        if (!y->model->alongs[i].inner) {
            *linear = *angular = false;
        }
    }
    for (int i = 0; i < y->model->nconstraints; i++) {
        if (y->model->constraints[i].b.body < 0) { /* something holds on to the ground */
            *linear = *angular = false;
        }
    }
}

double zw_system_step_limit(zw_system *y, double *length) {
    double least = 0.0;
    *length = 0.0;
    for (int i = 0; i < y->nparts; i++) {
        double l = 0.0, h = y->part[i].ops->step_limit != NULL ? y->part[i].ops->step_limit(y->part[i].self, &l) : 0.0;
        if (h > 0.0 && (least == 0.0 || h < least)) {
            least = h;
        }
        if (l > 0.0 && (*length == 0.0 || l < *length)) {
            *length = l;
        }
    }
    double more = zw_system_foundation_fastest(y);
    if (more > 0.0) { /* squares of frequencies add up: h = 2/omega */
        least = least > 0.0 ? 1.0 / sqrt(1.0 / (least * least) + 0.25 * more) : 2.0 / sqrt(more);
    }
    return least;
}

zw_status zw_system_check_finite(zw_system *y, const zw_state *x) {
    for (int i = 0; i < y->nparts; i++) {
        char     what[128], time[ZW_NUMBER_TEXT];
        zw_state part = slice(y, i, x);
        if (y->part[i].ops->at_fault(y->part[i].self, &part, what, sizeof what)) {
            return zw_raise(y->context, ZW_E_DIVERGED, what,
                            "use a smaller step, softer loads or more elements; results up to here are kept",
                            "the motion went out of bounds at t = %s s", zw_number_short(x->t, 8, time));
        }
    }
    return zw_tracks_check(y, x->t);
}

void zw_system_row_name(const zw_system *y, int row, char *out, size_t size) {
    for (int i = 0; i < y->nconstraints; i++) {
        const zw_constraint *c = &y->constraint[i];
        if (row >= c->row0 && row < c->row0 + c->m) {
            snprintf(out, size, strcmp(c->ops->kind, "joint") == 0 ? "constraint '%s', %s" : "constraint '%s': %s", c->name,
                     c->ops->row_name(c->self, row - c->row0));
            return;
        }
    }
    snprintf(out, size, "row %d", row);
}

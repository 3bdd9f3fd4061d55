/* SPDX-License-Identifier: Apache-2.0
 * gauss.c: the integrator gauss: collocation at 1 .. 4 Gauss points, of order 2, 4, 6, 8, on the constraint manifold.
 *
 *   q = retract(q0, xi),   xi' = chart rate (v in a flat chart),   v' = acceleration by Gauss's principle at (t, q, v)      stages: gauss_solve.c
 *   v1 = v0 + h sum b_i a_i,   q1 = retract(q0, h sum b_i xi'_i)            summed with compensation: the rests live in w
 *   then q onto the rows that have a position level and v onto all rows     gauss_close.c
 *   conservative systems with position rows: the same multipliers before and after the step (symmetric projection), so that energy does not drift
 * The acceleration keeps A a + D = 0, so the rows drift by the error of the step only, and the closing removes that: no stabilisation is mixed into the
 * motion. Loads and rows may jump only between steps.
 * Work of loads, of the parts (forces of the user, explicit time), of rows that move or are nonlinear, and dissipation: the same quadrature.
 * Stages: run.stages; not given: 4, and 2 where rods or other parts with a step limit of their own are moved, whose spatial error is larger than what more
 * stages would gain. Small systems have no step limit (Newton); large ones must let the fixed point contract: h < 1/(radius omega). */
#include "steps/gauss.h"

#include "model/model.h"
#include "steps/gauss_contact.h"
#include "steps/integrators.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void gauss_destroy(void *self) {
    zw_collocation *k = self;
    if (k == NULL) {
        return;
    }
    zw_context *c = k->c;
    zw_gauss_contact_destroy(k->contact);
    zw_solver_destroy(k->solver);
    zw_solver_destroy(k->close_q);
    zw_solver_destroy(k->close_v);
    zw_solver_destroy(k->from_q);
    zw_solver_destroy(k->from_v);
    zw_both_destroy(&k->both_q);
    zw_both_destroy(&k->both_v);
    zw_state_destroy(c, &k->base);
    zw_state_destroy(c, &k->kept);
    zw_principles_destroy(&k->principles);
    for (int i = 0; i < ZW_STAGES; i++) {
        zw_state_destroy(c, &k->stage[i]);
    }
    zw_state_destroy(c, &k->trial);
    zw_state_destroy(c, &k->middle);
    zw_state_destroy(c, &k->whole);
    zw_free(c, k->flat);
    zw_free(c, k->turning);
    zw_free(c, k->drives);
    zw_free(c, k->known);
    zw_free(c, k->known_q);
    zw_free(c, k->order);
    zw_free(c, k->newton_pivot);
    zw_free(c, k->scratch);
    zw_free(c, k);
}

static zw_status bind_parts(zw_collocation *k) {
    const zw_part *part;
    int            nparts = zw_system_parts(k->y, &part);
    k->flat = zw_alloc(k->c, (size_t)nparts + 1, sizeof *k->flat, "the integrator");
    if (k->flat == NULL) {
        return ZW_E_MEMORY;
    }
    k->all_flat = true;
    k->linked = nparts > 0 && k->m > 0 && zw_system_springs(k->y) == 0 && !k->loads && !k->damps;
    for (int i = 0; i < nparts; i++) {
        const zw_part_ops *ops = part[i].ops;
        k->linked = k->linked && strcmp(ops->kind, "rigid") == 0;
        if (ops->bracket != NULL && ops->drift == NULL) { /* it has no velocities of its own, only the variables of a bracket */
            return zw_raise(k->c, ZW_E_UNSUPPORTED, "run.integrator", "use poisson-consistent, poisson or hamel",
                            "gauss cannot move a part of kind '%s'", ops->kind);
        }
        k->works = k->works || (ops->power != NULL && !(ops->powerless != NULL && ops->powerless(part[i].self)));
        bool    flat = ops->chart_rate == NULL;
        zw_size n = ops->size(part[i].self);
        if (flat && n.nq == n.nv) {
            k->flat[k->nflat++] = (zw_flat){.q0 = part[i].q0, .v0 = part[i].v0, .n = n.nv};
        }
        k->all_flat = k->all_flat && flat;
    }
    const zw_constraint *row;
    int                  nrows = zw_system_constraints(k->y, &row);
    k->drives = zw_alloc(k->c, (size_t)k->m + 1, sizeof *k->drives, "the integrator");
    k->known = zw_alloc(k->c, (size_t)k->m + 1, 1, "the integrator");
    k->known_q = zw_alloc(k->c, (size_t)k->m + 1, 1, "the integrator");
    if (k->drives == NULL || k->known == NULL || k->known_q == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < nrows; i++) {
        for (int j = row[i].row0; j < row[i].row0 + row[i].m; j++) {
            k->drives[j] = row[i].moves || row[i].nonlinear;
            k->accounts = k->accounts || k->drives[j];
        }
        k->watch = k->watch || strcmp(row[i].ops->kind, "joint") != 0; /* rows written by the user; those of joints never vanish */
    }
    k->watch = k->watch && k->n.nv <= ZW_NEWTON_MOST;
    k->accounts = k->accounts || k->works;
    bool small = k->n.nv <= ZW_ALONE_COLUMNS && k->m <= ZW_ALONE_ROWS;
    bool unloaded = !k->loads && !k->damps && zw_system_springs(k->y) == 0;
    k->alone = nparts == 1 && part[0].ops->whole != NULL && unloaded && small ? &part[0] : NULL;
    return ZW_OK;
}

/* the columns of rotations in space: there the chart is the identity at 0 and bends away from it */
static zw_status find_turning(zw_collocation *k) {
    int     nv = k->n.nv;
    double *v = k->f, *dv = k->dv, *at = k->sum, *rate = k->load;
    k->turning = zw_alloc(k->c, (size_t)nv + 1, sizeof *k->turning, "the integrator");
    if (k->turning == NULL) {
        return ZW_E_MEMORY;
    }
    if (k->all_flat) {
        return ZW_OK;
    }
    ZW_TRY(zw_system_start(k->y, &k->trial));
    for (int l = 0; l < nv; l++) {
        v[l] = 1.0 + 0.25 * (l % 3);
        dv[l] = l % 3 == 1 ? 0.5 : 0.25;
    }
    zw_system_retract(k->y, k->trial.q, dv, k->base.q);
    zw_system_chart_rate(k->y, k->trial.q, dv, k->base.q, v, rate);
    memset(dv, 0, sizeof(double) * (size_t)nv);
    zw_system_chart_rate(k->y, k->trial.q, dv, k->trial.q, v, at);
    for (int l = 0; l < nv; l++) {
        if (at[l] == v[l] && rate[l] != v[l]) {
            k->turning[k->nturning++] = l;
        }
    }
    return ZW_OK;
}

static zw_status reserve(zw_collocation *k) {
    zw_context *c = k->c;
    size_t      nv = (size_t)k->n.nv, m = (size_t)k->m, s = (size_t)k->s, wide = nv > m ? nv : m;
    bool        dense = k->formulation != ZW_BY_GAUSS;
    int         nw = ZW_COLLOCATION_ARRAYS;
    k->w_history = nw;
    nw += k->depth * k->s * k->n.nv;
    k->w_rest_q = nw;
    nw += k->n.nq;
    k->w_rest_v = nw;
    nw += k->n.nv;
    k->w_jacobian = nw;
    nw += k->newton ? 2 * k->n.nv * k->n.nv : 0;
    k->w_order = nw;
    nw += k->formulation == ZW_BY_MACMILLAN ? k->n.nv : 0;
    k->w_contact = nw;
    nw += k->contact != NULL ? ZW_CONTACT_WORDS + k->m : 0;
    k->nw = nw;
    zw_size with = k->n;
    with.nw = nw;
    for (int i = 0; i < k->s; i++) {
        ZW_TRY(zw_state_create(c, &k->n, &k->stage[i]));
        zw_free(c, k->stage[i].w); /* stages look at the memory of the state that the step starts from */
        k->stage[i].w = NULL;
    }
    ZW_TRY(zw_state_create(c, &k->n, &k->trial));
    ZW_TRY(zw_state_create(c, &k->n, &k->base));
    ZW_TRY(zw_state_create(c, &k->n, &k->kept));
    ZW_TRY(zw_state_create(c, &with, &k->middle));
    ZW_TRY(zw_state_create(c, &with, &k->whole));
    size_t N = k->newton ? nv * s : 0, square = dense ? nv * nv + m * nv : 0, rows = k->watch ? m * nv : 0;
    k->scratch = zw_alloc(c, 6 * s * nv + s * m + 18 * nv + wide + 5 * m + square + 3 * rows + 2 * N * N + N + (N > 0 ? 2 * nv * nv : 0),
                          sizeof(double), "the integrator");
    k->order = zw_alloc(c, wide + 1, sizeof *k->order, "the integrator");
    k->newton_pivot = zw_alloc(c, N + 1, sizeof *k->newton_pivot, "the integrator");
    if (k->scratch == NULL || k->order == NULL || k->newton_pivot == NULL) {
        return ZW_E_MEMORY;
    }
    double *p = k->scratch;
    struct {
        double **at;
        size_t   n;
    } const list[] = {{&k->a, s * nv},
                      {&k->fresh, s * nv},
                      {&k->xi, s * nv},
                      {&k->rate, s * nv},
                      {&k->guess, s * nv},
                      {&k->guess_again, s * nv},
                      {&k->shift0, 2 * nv},
                      {&k->shift1, 2 * nv},
                      {&k->extra, 2 * nv},
                      {&k->both_work, 2 * nv},
                      {&k->both_shift, 2 * nv},
                      {&k->mu_q, m},
                      {&k->mu_v, m},
                      {&k->lambda, s * m},
                      {&k->f, nv},
                      {&k->dv, nv},
                      {&k->sum, nv},
                      {&k->scale, nv},
                      {&k->load, nv},
                      {&k->damp, nv},
                      {&k->row_weight, nv},
                      {&k->noise, nv},
                      {&k->b, wide},
                      {&k->g, m},
                      {&k->size, m},
                      {&k->mu, m},
                      {&k->M, dense ? nv * nv : 0},
                      {&k->A, dense ? m * nv : 0},
                      {&k->row0, rows},
                      {&k->row1, rows},
                      {&k->row_kept, rows},
                      {&k->newton_matrix, N * N},
                      {&k->newton_inverse, N * N},
                      {&k->newton_side, N},
                      {&k->made_of, N > 0 ? 2 * nv * nv : 0}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        *list[i].at = p;
        p += list[i].n;
    }
    return ZW_OK;
}

static zw_formulation formulation_of(const zw_run_def *run) {
    const char *name = run->formulation != NULL ? run->formulation : "gauss";
    return strcmp(name, "multiplier") == 0 ? ZW_BY_MULTIPLIER : strcmp(name, "macmillan") == 0 ? ZW_BY_MACMILLAN : ZW_BY_GAUSS;
}

static zw_status gauss_create(zw_system *y, void **out, int *nw) {
    if (zw_system_slides_along(y) != NULL) {
        *out = NULL;
        return zw_raise(zw_system_context(y), ZW_E_UNSUPPORTED, "constraints", "use run.integrator: verlet or energy-momentum",
                        "'%s' travels along a rod, which gauss cannot follow", zw_system_slides_along(y));
    }
    zw_context       *c = zw_system_context(y);
    zw_status         status = ZW_OK;
    const zw_run_def *run = &y->model->run;
    double            length;
    *out = NULL;
    zw_collocation *k = zw_alloc(c, 1, sizeof *k, "the integrator");
    if (k == NULL) {
        return ZW_E_MEMORY;
    }
    k->y = y;
    k->c = c;
    k->n = zw_system_size(y);
    k->m = zw_system_rows_count(y);
    k->s = run->stages > 0 ? run->stages : zw_system_step_limit(y, &length) > 0.0 ? 2 : 4;
    k->T = zw_tableau_of(k->s);
    k->newton = k->n.nv <= ZW_NEWTON_MOST;
    k->target = ZW_COLLOCATION_TARGET;
    k->depth = k->newton ? ZW_HISTORY : k->s == 1 ? 2 : 1; /* large systems move in ways that long extrapolations make worse */
    k->loads = zw_system_loaded(y);
    k->damps = zw_system_damps(y);
    k->accounts = k->loads || k->damps;
    k->formulation = formulation_of(run);
    if (k->formulation != ZW_BY_GAUSS && k->n.nv > 512) {
        status = zw_raise(c, ZW_E_UNSUPPORTED, "run.formulation", "use formulation: gauss",
                          "the dense equations of this formulation are for at most 512 velocities; this model has %d", k->n.nv);
        goto fail;
    }
    ZW_TRY_GOTO(bind_parts(k), fail);
    ZW_TRY_GOTO(zw_gauss_contact_create(k), fail);
    ZW_TRY_GOTO(reserve(k), fail);
    ZW_TRY_GOTO(find_turning(k), fail);
    if (k->formulation != ZW_BY_GAUSS) {
        ZW_TRY_GOTO(zw_principles_create(c, k->n.nv, k->m, &k->principles), fail);
    }
    ZW_TRY_GOTO(zw_solver_create(c, &k->solver), fail);
    ZW_TRY_GOTO(zw_solver_create(c, &k->close_q), fail);
    ZW_TRY_GOTO(zw_solver_create(c, &k->close_v), fail);
    zw_solver_tolerate(k->solver, INFINITY);  /* stages lie beside the rows, where redundant ones may contradict each other a little .. */
    zw_solver_tolerate(k->close_q, INFINITY); /* .. and whether they close is seen from their values */
    zw_solver_tolerate(k->close_v, INFINITY);
    ZW_TRY_GOTO(zw_solver_create(c, &k->from_q), fail);
    ZW_TRY_GOTO(zw_solver_create(c, &k->from_v), fail);
    ZW_TRY_GOTO(zw_both_create(c, k->n.nv, &k->both_q), fail);
    ZW_TRY_GOTO(zw_both_create(c, k->n.nv, &k->both_v), fail);
    /* where energy is to be kept: nothing drives or damps what has a position level */
    k->symmetric = zw_system_rows_position_count(y) > 0 && !k->loads && !k->damps && !zw_system_rows_move(y);
    *nw = k->nw;
    *out = k;
    return ZW_OK;
fail:
    gauss_destroy(k);
    return status;
}

static zw_status gauss_start(void *self, zw_state *x) {
    zw_collocation *k = self;
    memset(x->w, 0, sizeof(double) * (size_t)k->nw);
    x->w[ZW_COLLOCATION_RATE] = 0.5;
    if (k->contact != NULL) {
        ZW_TRY(zw_gauss_contact_start(k, x));
    }
    if (k->m == 0) {
        return zw_collocation_partition(k, x);
    }
    const zw_rows       *A;
    const zw_constraint *row;
    zw_project_info      info;
    int                  nrows = zw_system_constraints(k->y, &row);
    ZW_TRY(zw_system_rows(k->y, x, &A));
    ZW_TRY(zw_solver_factor(k->solver, zw_system_mass(k->y, x), A, &info));
    k->redundant = info.redundant;
    int total = zw_solver_redundant(k->solver, k->order, k->m);
    memset(k->known, 0, (size_t)k->m);
    for (int i = 0; i < total; i++) {
        k->known[k->order[i]] = 1;
        for (int j = 0; j < nrows; j++) { /* a nonlinear row without gradient says nothing about the motion from here on */
            int at = k->order[i];
            if (row[j].nonlinear && at >= row[j].row0 && at < row[j].row0 + row[j].m) {
                return zw_collocation_vanishes(k, x, at);
            }
        }
    }
    return zw_collocation_partition(k, x);
}

/* x1 = x0 + extra + sum of w_i times a field of the stages, compensated */
static void add_stages(const zw_collocation *k, const double *w, const double *of, const double *extra, int from, int n, const double *x0,
                       const double *rest0, double *x1, double *rest1) {
    for (int l = 0; l < n; l++) {
        double sum = 0.0;
        for (int i = 0; i < k->s; i++) {
            sum += w[i] * of[(ptrdiff_t)i * k->n.nv + from + l];
        }
        double more = sum + (extra[from + l] + rest0[l]), next = x0[l] + more;
        rest1[l] = more - (next - x0[l]);
        x1[l] = next;
    }
}

/* the newest stages first, with their step length */
static void remember(const zw_collocation *k, const zw_state *x0, double h, zw_state *x1) {
    size_t block = (size_t)k->s * (size_t)k->n.nv;
    int    count = (int)x0->w[ZW_COLLOCATION_COUNT], kept = count < k->depth - 1 ? count : k->depth - 1;
    memcpy(x1->w + k->w_history, k->a, sizeof(double) * block);
    memcpy(x1->w + k->w_history + block, x0->w + k->w_history, sizeof(double) * block * (size_t)(k->depth - 1));
    x1->w[ZW_COLLOCATION_COUNT] = kept + 1;
    x1->w[ZW_COLLOCATION_H] = h;
    for (int i = 1; i < ZW_HISTORY; i++) {
        x1->w[ZW_COLLOCATION_H + i] = i <= kept ? x0->w[ZW_COLLOCATION_H + i - 1] : 0.0;
    }
    x1->w[ZW_COLLOCATION_HALVES] = 0.0;
}

/* q1 and v1 from the stages, which started at `base` = x0 shifted by k->shift0, and the shift k->shift1 at the end */
static void arrive(zw_collocation *k, const zw_state *x0, const zw_state *base, const double *w, zw_state *x1) {
    int nv = k->n.nv;
    for (int l = 0; l < 2 * nv; l++) {
        k->extra[l] = k->shift0[l] + k->shift1[l];
    }
    add_stages(k, w, k->a, k->extra + nv, 0, nv, x0->v, x0->w + k->w_rest_v, x1->v, x1->w + k->w_rest_v);
    if (!k->all_flat) {
        for (int l = 0; l < nv; l++) {
            double sum = 0.0;
            for (int i = 0; i < k->s; i++) {
                sum += w[i] * k->rate[(ptrdiff_t)i * nv + l];
            }
            k->sum[l] = sum;
        }
        zw_system_retract(k->y, base->q, k->sum, k->trial.q);
        zw_system_retract(k->y, k->trial.q, k->shift1, x1->q);
        memset(x1->w + k->w_rest_q, 0, sizeof(double) * (size_t)k->n.nq);
    }
    for (int i = 0; i < k->nflat; i++) {
        const zw_flat *p = &k->flat[i];
        add_stages(k, w, k->rate, k->extra, p->v0, p->n, x0->q + p->q0, x0->w + k->w_rest_q + p->q0, x1->q + p->q0,
                   x1->w + k->w_rest_q + p->q0);
    }
}

static zw_status step(zw_collocation *k, const zw_state *x0, double h, const double *guess, const double *w, zw_state *x1) {
    zw_state base = *x0;
    bool     more = k->symmetric;
    memset(k->shift0, 0, 2 * sizeof(double) * (size_t)k->n.nv);
    memset(k->shift1, 0, 2 * sizeof(double) * (size_t)k->n.nv);
    ZW_TRY(zw_collocation_solve(k, &base, h, guess, x1));
    arrive(k, x0, &base, w, x1);
    if (more) {
        ZW_TRY(zw_collocation_symmetric_begin(k, x0));
    }
    for (int pass = 0; more; pass++) {
        ZW_TRY(zw_collocation_symmetric(k, x0, x1, pass, &base, &more));
        if (more) {
            memcpy(k->guess_again, k->a, sizeof(double) * (size_t)k->s * (size_t)k->n.nv);
            ZW_TRY(zw_collocation_solve(k, &base, h, k->guess_again, x1));
            arrive(k, x0, &base, w, x1);
        }
    }
    return ZW_OK;
}

zw_status zw_collocation_step(zw_collocation *k, const zw_state *x0, double h, const double *guess, zw_state *x1) {
    double w[ZW_STAGES], work = 0.0, dissipated = 0.0;
    for (int i = 0; i < k->s; i++) {
        w[i] = h * k->T->b[i];
        k->stage[i].w = x0->w;
    }
    memcpy(x1->w, x0->w, sizeof(double) * ZW_COLLOCATION_ARRAYS);
    if (k->nw > k->w_jacobian) {
        memcpy(x1->w + k->w_jacobian, x0->w + k->w_jacobian, sizeof(double) * (size_t)(k->nw - k->w_jacobian));
    }
    if (k->n.ns > 0) {
        memcpy(x1->s, x0->s, sizeof(double) * (size_t)k->n.ns);
    }
    x1->t = x0->t + h;
    zw_status status = step(k, x0, h, guess, w, x1);
    for (int i = 0; i < k->s && status == ZW_OK && k->accounts; i++) {
        double gain, loss;
        status = zw_collocation_power(k, &k->stage[i], k->lambda + (ptrdiff_t)i * k->m, &gain, &loss);
        work += w[i] * gain;
        dissipated += w[i] * loss;
    }
    for (int i = 0; i < k->s; i++) {
        k->stage[i].w = NULL;
    }
    ZW_TRY(status);
    remember(k, x0, h, x1);
    x1->w[ZW_W_WORK] = x0->w[ZW_W_WORK] + work;
    x1->w[ZW_W_DISSIPATED] = x0->w[ZW_W_DISSIPATED] + dissipated;
    ZW_TRY(zw_collocation_close(k, x1));
    return zw_collocation_partition(k, x1);
}

zw_status zw_collocation_plain(zw_collocation *k, const zw_state *x0, double h, zw_state *x1) {
    ZW_TRY(zw_collocation_watch_from(k, x0));
    zw_status status = zw_collocation_step(k, x0, h, NULL, x1);
    return status == ZW_OK ? zw_collocation_watch(k, x0, h, x1) : zw_collocation_watch_failed(k, x0, h, status);
}

static zw_status gauss_step(void *self, const zw_state *x0, double h, zw_state *x1) {
    zw_collocation *k = self;
    return k->contact != NULL ? zw_gauss_contact_step(k, x0, h, x1) : zw_collocation_plain(k, x0, h, x1);
}

/* largest eigenvalue of M^-1 D, 1/s, by power iteration from a vector that has part in every mode */
static zw_status damping_rate(zw_collocation *k, const zw_state *x, double *rate) {
    static const zw_rows no_rows = {0};
    int                  nv = k->n.nv;
    double               grown = 0.0;
    zw_state             moved = {.t = x->t, .q = x->q, .v = k->trial.v, .s = x->s, .w = x->w};
    *rate = 0.0;
    if (!k->damps) {
        return ZW_OK;
    }
    ZW_TRY(zw_solver_factor(k->from_v, zw_system_mass(k->y, x), &no_rows, NULL));
    for (int l = 0; l < nv; l++) {
        moved.v[l] = (l * 7 % 11 - 5) * 0.1;
    }
    for (int i = 0; i < 40; i++) {
        double size = 0.0;
        memset(k->damp, 0, sizeof(double) * (size_t)nv);
        zw_system_damp(k->y, &moved, k->damp);
        zw_solver_metric_inverse(k->from_v, k->damp, k->dv);
        for (int l = 0; l < nv; l++) {
            size += k->dv[l] * k->dv[l];
        }
        grown = sqrt(size);
        for (int l = 0; l < nv; l++) {
            moved.v[l] = grown > 0.0 ? k->dv[l] / grown : 0.0;
        }
    }
    *rate = 1.1 * grown;
    return ZW_OK;
}

/* Newton has no limit; the fixed point contracts by (radius h omega)^2 + radius h delta, delta the fastest damping: the step for a given contraction */
static double step_of(const zw_collocation *k, double omega, double delta, double contraction) {
    if (!(omega > 0.0)) {
        return delta > 0.0 ? contraction / (k->T->radius * delta) : 0.0;
    }
    return (sqrt(delta * delta + 4.0 * omega * omega * contraction) - delta) / (2.0 * omega * omega * k->T->radius);
}

static zw_status gauss_limit(void *self, const zw_state *x, double *safe, double *sharp) {
    zw_collocation *k = self;
    double          length, verlet = zw_system_step_limit(k->y, &length), delta; /* verlet: at most 2/omega */
    *safe = *sharp = 0.0;
    if (k->newton) {
        return ZW_OK;
    }
    ZW_TRY(damping_rate(k, x, &delta));
    double omega = verlet > 0.0 ? 2.0 / verlet : 0.0;
    *safe = step_of(k, omega, delta, 0.2);
    *sharp = step_of(k, omega, delta, 0.7);
    return ZW_OK;
}

static bool gauss_own(void *self, int i, zw_channel *out) {
    const zw_collocation *k = self;
    if (i > 0) {
        return k->contact != NULL && zw_contact_own(i - 1, out);
    }
    *out = (zw_channel){.rank = 0, .count = 1};
    snprintf(out->name, sizeof out->name, "gauss/rounds");
    snprintf(out->unit, sizeof out->unit, "1");
    return true;
}

static double gauss_observe(void *self, const zw_state *x, int i) {
    const zw_collocation *k = self;
    return i > 0 ? x->w[k->w_contact + i - 1] : x->w[ZW_COLLOCATION_ROUNDS];
}

static bool gauss_adapts(void *self) {
    zw_collocation *k = self;
    double          length;
    return k->contact == NULL && zw_system_step_limit(k->y, &length) == 0.0;
}

const zw_integrator_ops zw_gauss_ops = {
    .name = "gauss",
    .order = 8,
    .create = gauss_create,
    .start = gauss_start,
    .step = gauss_step,
    .limit = gauss_limit,
    .destroy = gauss_destroy,
    .own = gauss_own,
    .observe = gauss_observe,
    .adapts = gauss_adapts,
    .first = zw_collocation_first,
    .adapt = zw_collocation_adapt,
    .between = zw_collocation_between,
    .react = zw_gauss_contact_react,
};

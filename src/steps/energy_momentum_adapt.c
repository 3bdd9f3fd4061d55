/* SPDX-License-Identifier: Apache-2.0
 * energy_momentum_adapt.c: step doubling. One step of h and two of h/2; the two are the result, and their distance to the one, over 3, is their error (Richardson).
 *
 * Places count relative to the largest coordinate of the system or to the way of the step, orientations of rigid bodies absolutely, coordinates of lagrangian bodies
 * relative to the largest of the body. Velocities and the orientations of rods do not count: waves of shear that steps do not resolve keep theirs forever, and the
 * scheme is there to step over them. What they lack shows in the places of the steps that follow. */
#include "steps/energy_momentum.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double most_turn = 1.0; /* rad in a step, of a rigid body about an axis: cay is far from exp beyond */

/* the largest angular velocity of a rigid body about an axis, rad/s */
static double fastest_turn(const zw_implicit *k, const double *u) {
    double most = 0.0;
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        const zw_part           *p = b->part < 0 ? NULL : &k->y->part[b->part];
        if (p == NULL || p->ops->secant == NULL || p->ops->secant->pairs(p->self) > 0) {
            continue;
        }
        for (int c = 0; c < (b->ncol == 3 ? 1 : 3); c++) {
            most = fmax(most, fabs(u[b->col0 + c]));
        }
    }
    return most;
}

typedef struct distance {
    double places, turns; /* of turning nodes */
    double reach, way;
} distance;

static void compare_node(const zw_secant_node *from, const zw_secant_node *a, const zw_secant_node *b, bool free, distance *d) {
    for (int i = 0; i < 3; i++) {
        d->places = fmax(d->places, fabs(a->x[i] - b->x[i]));
        d->reach = fmax(d->reach, fabs(a->x[i]));
        d->way = fmax(d->way, fabs(a->x[i] - from->x[i]));
        for (int j = 0; j < 3 && free; j++) {
            d->turns = fmax(d->turns, fabs(a->d[i][j] - b->d[i][j]));
        }
    }
}

/* largest relative difference of q; not a number counts as infinite */
static double apart(const zw_implicit *k, const zw_state *x0, const zw_state *a, const zw_state *b) {
    double   most = 0.0;
    distance d = {0};
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *block = &k->block[i];
        if (block->part < 0) {
            continue;
        }
        const zw_part *p = &k->y->part[block->part];
        zw_state       from = zw_implicit_slice(k, block->part, x0), one = zw_implicit_slice(k, block->part, a),
                 two = zw_implicit_slice(k, block->part, b);
        if (p->ops->secant != NULL) {
            zw_secant_node n0, n1, n2;
            p->ops->secant->node(p->self, &from, block->index, &n0);
            p->ops->secant->node(p->self, &one, block->index, &n1);
            p->ops->secant->node(p->self, &two, block->index, &n2);
            compare_node(&n0, &n1, &n2, p->ops->secant->pairs(p->self) == 0, &d);
            continue;
        }
        double size = 0.0, off = 0.0;
        for (int j = 0; j < block->ncol; j++) {
            size = fmax(size, fmax(fabs(one.q[j]), fabs(one.q[j] - from.q[j])));
            off = fmax(off, fabs(one.q[j] - two.q[j]));
        }
        most = fmax(most, size > 0.0 ? off / size : 0.0);
    }
    double size = fmax(d.reach, d.way);
    most = fmax(most, fmax(d.turns, size > 0.0 ? d.places / size : 0.0));
    for (int i = 0; i < k->n.nq; i++) {
        if (!isfinite(a->q[i]) || !isfinite(b->q[i])) {
            return INFINITY;
        }
    }
    return most;
}

zw_status zw_energy_momentum_first(void *self, const zw_state *x, double *h) {
    const zw_energy_momentum *e = self;
    *h = 0.1 * most_turn / fastest_turn(&e->k, x->v); /* what else there is follows from the error */
    return ZW_OK;
}

/* Joints close at the end of a step, and their velocities by v1 = 2 u - v0: what is off changes its sign from step to step and stays small while steps are of one length. Where
 * they are not it would grow, so velocities are put onto the rows; what that takes is counted as dissipated */
static zw_status close_velocities(zw_energy_momentum *e, zw_state *x) {
    zw_implicit    *k = &e->k;
    const zw_rows  *A;
    zw_project_info info;
    if (k->m == 0 || zw_system_rows_nonlinear(k->y)) {
        return ZW_OK;
    }
    if (e->close == NULL) { /* the first step of a run with chosen steps */
        ZW_TRY(zw_solver_create(k->c, &e->close));
        zw_solver_tolerate(e->close, INFINITY);
    }
    double *b = k->impulse, *value = k->ease, *next = k->f; /* scratch here */
    ZW_TRY(zw_system_values(k->y, x, 1, value));
    ZW_TRY(zw_system_values(k->y, x, 2, b));
    ZW_TRY(zw_system_rows(k->y, x, &A));
    ZW_TRY(zw_project(e->close, zw_system_mass(k->y, x), A, b, x->v, next, e->lambda, &info));
    for (int i = 0; i < k->m; i++) {
        x->w[ZW_W_WORK] += e->lambda[i] * b[i];
        x->w[ZW_W_DISSIPATED] -= 0.5 * e->lambda[i] * value[i];
    }
    memcpy(x->v, next, sizeof(double) * (size_t)k->n.nv);
    return ZW_OK;
}

zw_status zw_energy_momentum_adapt(void *self, const zw_state *x0, double h, double tolerance, zw_state *x1, double *error, double *next) {
    zw_energy_momentum *e = self;
    *error = INFINITY;
    *next = 0.25 * h;
    ZW_TRY(zw_energy_momentum_whole(e, x0, h, &e->whole));
    ZW_TRY(zw_energy_momentum_whole(e, x0, 0.5 * h, &e->middle));
    ZW_TRY(zw_energy_momentum_whole(e, &e->middle, 0.5 * h, x1));
    x1->t = x0->t + h;
    *error = apart(&e->k, x0, x1, &e->whole) / (3.0 * tolerance);
    if (!isfinite(*error)) {
        *error = INFINITY;
        return ZW_OK;
    }
    *next = h * fmin(2.0, fmax(0.2, 0.9 * pow(fmax(*error, 1e-12), -1.0 / 3.0)));
    double farthest = most_turn / fastest_turn(&e->k, x1->v);
    *next = fmin(*next, farthest);
    return *error <= 1.0 ? close_velocities(e, x1) : ZW_OK;
}

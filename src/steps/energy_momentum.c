/* SPDX-License-Identifier: Apache-2.0
 * energy_momentum.c: the integrator energy-momentum: one implicit step by Newton (implicit.h), which keeps energy and momenta of rods and rigid bodies to the tolerance of
 * the solve, at any step length. A step that Newton does not solve is made of two halves, and so on; what was done is said.
 *
 * Convergence is measured by the last change of the mean velocities, turns and ways apart: it stops where the change is round-off, or no longer shrinks and is small. */
#include "steps/integrators.h"

#include "base/context.h"
#include "base/number.h"
#include "model/model.h"
#include "steps/energy_momentum.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NEAR 1e-3 /* last change of the velocities, relative: with the factor of before the next is about its square */

enum { ROUNDS = 30, DEEPEST = ZW_EM_DEEPEST, GROUPS = 3 };

static void em_destroy(void *self) {
    zw_energy_momentum *e = self;
    if (e == NULL) {
        return;
    }
    zw_context *c = e->k.c;
    for (int i = 0; i <= DEEPEST; i++) {
        zw_state_destroy(c, &e->half[i]);
    }
    zw_state_destroy(c, &e->middle);
    zw_state_destroy(c, &e->whole);
    zw_solver_destroy(e->close);
    zw_energy_momentum_contacts_destroy(e);
    zw_implicit_destroy(&e->k);
    zw_free(c, e);
}

static zw_status read_options(zw_energy_momentum *e) {
    const zw_model *m = e->k.y->model;
    return m->run.damping.node != 0 ? zw_model_constant(m, m->run.damping, "run.energy-momentum.damping", &e->k.damp) : ZW_OK;
}

/* parts whose energy is kept to the order of the scheme only, by name of the first */
static void tell_midpoint(const zw_energy_momentum *e) {
    const zw_model *m = e->k.y->model;
    for (int i = 0; i < m->nbodies; i++) {
        if (m->bodies[i].kind == ZW_BODY_LAGRANGIAN) {
            zw_log(e->k.c, ZW_LOG_INFO,
                   "energy-momentum: lagrangian bodies, as %s, move by the midpoint rule: their energy is kept to order 2 in the step",
                   m->bodies[i].name);
            return;
        }
    }
}

static zw_status em_create(zw_system *y, void **out, int *nw) {
    zw_context *c = zw_system_context(y);
    zw_status   status;
    *out = NULL;
    zw_energy_momentum *e = zw_alloc(c, 1, sizeof *e, "the integrator");
    if (e == NULL) {
        return ZW_E_MEMORY;
    }
    status = zw_implicit_create(y, &e->k);
    if (status != ZW_OK) {
        zw_free(c, e);
        return status;
    }
    ZW_TRY_GOTO(read_options(e), fail);
    ZW_TRY_GOTO(zw_energy_momentum_contacts(e), fail);
    tell_midpoint(e);
    e->w_halvings = ZW_W_ACCOUNT + e->k.m;
    e->w_contact = e->w_halvings + 1;
    e->w_mean = e->w_contact + (e->k.contacts != NULL ? ZW_CONTACT_WORDS : 0);
    *nw = e->nw = e->w_mean + 1 + e->k.n.nv;
    zw_size size = e->k.n;
    size.nw = *nw;
    for (int i = 0; i <= DEEPEST; i++) {
        ZW_TRY_GOTO(zw_state_create(c, &size, &e->half[i]), fail);
    }
    ZW_TRY_GOTO(zw_state_create(c, &size, &e->middle), fail);
    ZW_TRY_GOTO(zw_state_create(c, &size, &e->whole), fail);
    e->lambda = zw_arena_alloc(&e->k.arena, (size_t)e->k.m + 1, sizeof *e->lambda, "the integrator");
    status = e->lambda != NULL ? ZW_OK : ZW_E_MEMORY;
    ZW_TRY_GOTO(status, fail);
    *out = e;
    return ZW_OK;
fail:
    em_destroy(e);
    return status;
}

static zw_status em_start(void *self, zw_state *x) {
    zw_energy_momentum *e = self;
    memset(x->w, 0, sizeof(double) * (size_t)e->nw);
    return e->k.contacts != NULL ? zw_meet_check_start(e->k.contacts->set.meet, x) : ZW_OK;
}

/* 0: turns, 1: ways, 2: coordinates of flat parts */
static int group_of(const zw_implicit *k, const zw_implicit_block *b, int column) {
    if (k->y->part[b->part].ops->secant == NULL) {
        return 2;
    }
    return column < (b->ncol == 3 ? 1 : 3) ? 0 : 1;
}

static void largest(zw_energy_momentum *e, const double *z, double most[GROUPS], bool remember, const double *scale) {
    const zw_implicit *k = &e->k;
    double             worst = -1.0;
    for (int g = 0; g < GROUPS; g++) {
        most[g] = 0.0;
    }
    for (int i = 0; i < k->nblocks; i++) {
        const zw_implicit_block *b = &k->block[i];
        for (int c = 0; c < b->ncol; c++) {
            int    g = group_of(k, b, c);
            double size = fabs(z[b->z0 + c]);
            most[g] = size > most[g] || isnan(size) ? size : most[g];
            if (remember && scale[g] > 0.0 && !(size / scale[g] <= worst)) {
                worst = size / scale[g];
                e->worst = i;
            }
        }
    }
}

/* the mean velocities of the step before: velocities themselves carry the waves that steps do not resolve, from one sign to the other */
static void first_guess(zw_energy_momentum *e, const zw_state *x0, double h) {
    zw_implicit *k = &e->k;
    bool         known = x0->w[e->w_mean] > 0.0;
    if (known) {
        memcpy(k->u, x0->w + e->w_mean + 1, sizeof(double) * (size_t)k->n.nv);
    }
    for (int i = 0; i < k->y->nparts && !known; i++) {
        const zw_part *p = &k->y->part[i];
        zw_state       part = zw_implicit_slice(k, i, x0);
        if (p->ops->secant != NULL) {
            p->ops->secant->guess(p->self, &part, k->u + p->v0);
        } else {
            memcpy(k->u + p->v0, part.v, sizeof(double) * (size_t)p->ops->size(p->self).nv);
        }
    }
    for (int i = 0; i < k->nblocks; i++) {
        memcpy(k->z + k->block[i].z0, k->u + k->block[i].col0, sizeof(double) * (size_t)k->block[i].ncol);
    }
    for (int i = 0; i < k->nties; i++) {
        const zw_tie            *t = &k->tie[i];
        const zw_implicit_block *home = &k->block[t->home];
        for (int j = 0; j < t->m; j++) {
            k->z[home->z0 + home->ncol + t->at + j] = h * x0->w[ZW_W_ACCOUNT + t->row0 + j];
        }
    }
}

/* what the last bits of the coordinates are worth as velocities: rows cannot be closed better */
static void round_off(zw_energy_momentum *e, const zw_state *x0, double h, double floor[GROUPS]) {
    const zw_implicit *k = &e->k;
    double             reach[GROUPS] = {1.0, 0.0, 0.0};
    for (int i = 0; i < k->y->nparts; i++) {
        const zw_part *p = &k->y->part[i];
        int            nq = p->ops->size(p->self).nq, g = p->ops->secant != NULL ? 1 : 2;
        for (int j = 0; j < nq; j++) {
            reach[g] = fmax(reach[g], g == 1 && j % 7 > 2 ? 0.0 : fabs(x0->q[p->q0 + j]));
        }
    }
    if (k->shortest > 0.0) { /* strains that are held turn nodes by what their places are uncertain by */
        reach[0] = fmax(reach[0], reach[1] / k->shortest);
    }
    for (int g = 0; g < GROUPS; g++) {
        floor[g] = 64.0 * DBL_EPSILON * reach[g] / h;
    }
}

/* fresh: the derivative is a new one */
static bool linear_solve(zw_implicit *k, double h, bool fresh) {
    if (k->contacts != NULL && k->contacts->n > 0) {
        return zw_implicit_contacts_solve(k, h);
    }
    if (fresh && zw_blocklu_factor(&k->lu) >= 0) {
        return false;
    }
    for (int i = 0; i < k->nz; i++) {
        k->dz[i] = -k->r[i];
    }
    zw_blocklu_solve(&k->lu, k->dz);
    return true;
}

/* with contacts that slide far in a step, the directions of their pushes change with the solution: their derivative is taken when rounds shrink slowly */
static void look_at_rate(zw_implicit *k, int round, double rate) {
    if (k->contacts != NULL) {
        k->contacts->turns = (k->contacts->turns && round > 0) || (round > 3 && rate > 0.05);
    }
}

zw_status zw_energy_momentum_solve(zw_energy_momentum *e, const zw_state *x0, double h, zw_state *x1, zw_secant_sum *sum) {
    zw_implicit *k = &e->k;
    double       scale[GROUPS] = {0}, floor[GROUPS] = {0}, last = HUGE_VAL;
    look_at_rate(k, 0, 0.0);
    if (k->n.ns > 0) { /* fields stay as they are over a step: growth is done before and after it */
        memcpy(x1->s, x0->s, sizeof(double) * (size_t)k->n.ns);
        memcpy(k->xm.s, x0->s, sizeof(double) * (size_t)k->n.ns);
        memcpy(k->near.s, x0->s, sizeof(double) * (size_t)k->n.ns);
    }
    first_guess(e, x0, h);
    round_off(e, x0, h, floor);
    ZW_TRY(zw_implicit_rows_begin(k, x0));
    for (int round = 0; round < ROUNDS; round++) {
        double now[GROUPS], change[GROUPS], most = 0.0;
        bool   fresh = k->contacts != NULL || !(last <= NEAR); /* near the solution the last factor serves on */
        ZW_TRY(zw_implicit_balance(k, x0, h, x1, fresh, sum));
        if (!(sum->turn < 1.99)) { /* a link turned by nearly pi */
            return ZW_E_STEP;
        }
        if (!linear_solve(k, h, fresh)) {
            return ZW_E_STEP;
        }
        for (int i = 0; i < k->nz; i++) {
            k->z[i] += k->dz[i];
        }
        largest(e, k->z, now, false, NULL);
        for (int g = 0; g < GROUPS; g++) {
            scale[g] = fmax(scale[g], now[g]);
        }
        largest(e, k->dz, change, true, scale);
        for (int g = 0; g < GROUPS; g++) {
            double part = scale[g] > 0.0 && !(change[g] <= floor[g]) ? change[g] / scale[g] : 0.0;
            most = part > most || isnan(part) ? part : most;
        }
        if (!isfinite(most) || (round > 4 && most > 1e3 * last)) {
            return ZW_E_STEP;
        }
        if (most <= 4.0 * DBL_EPSILON || (most <= 1e-9 && most >= 0.3 * last)) {
            return zw_implicit_balance(k, x0, h, x1, false, sum);
        }
        look_at_rate(k, round, most / last);
        last = most;
    }
    return ZW_E_STEP;
}

void zw_energy_momentum_finish(zw_energy_momentum *e, const zw_state *x0, double h, const zw_secant_sum *sum, zw_state *x1) {
    x1->w[ZW_W_WORK] = x0->w[ZW_W_WORK] + sum->work;
    x1->w[ZW_W_DISSIPATED] = x0->w[ZW_W_DISSIPATED] + sum->dissipated;
    for (int i = 0; i < e->k.m; i++) {
        x1->w[ZW_W_ACCOUNT + i] = e->k.impulse[i] / h;
    }
    x1->w[e->w_halvings] = x0->w[e->w_halvings];
    x1->w[e->w_mean] = 1.0;
    memcpy(x1->w + e->w_mean + 1, e->k.u, sizeof(double) * (size_t)e->k.n.nv);
    if (e->k.n.ns > 0) {
        memcpy(x1->s, x0->s, sizeof(double) * (size_t)e->k.n.ns);
    }
}

/* a part names what is not finite: so it names the body and node whose velocity changed most */
static void name_worst(zw_energy_momentum *e, const zw_state *x0, char *out, size_t size) {
    zw_implicit             *k = &e->k;
    const zw_implicit_block *b = &k->block[e->worst];
    const zw_part           *p = &k->y->part[b->part];
    zw_state_copy(&k->n, x0, &k->near);
    k->near.v[b->col0] = NAN;
    zw_state part = zw_implicit_slice(k, b->part, &k->near);
    if (!p->ops->at_fault(p->self, &part, out, size)) {
        snprintf(out, size, "%s", p->ops->kind);
    }
}

static zw_status not_solved(zw_energy_momentum *e, const zw_state *x0, double h) {
    char time[ZW_NUMBER_TEXT], step[ZW_NUMBER_TEXT], what[128], contacts[80] = "";
    int  n = e->k.contacts != NULL ? e->k.contacts->set.n : 0;
    name_worst(e, x0, what, sizeof what);
    if (n > 0) {
        snprintf(contacts, sizeof contacts, "; %d contacts took part", n);
    }
    return zw_raise(
        e->k.c, ZW_E_CONVERGENCE, what,
        n > 0 ? "use a smaller step; see whether bodies are wedged between others there"
              : "use a smaller step; see whether a load or a stiffness changes suddenly there, or a link is bent by nearly pi",
        "no solution of the step from t = %s s was found, also not with a length of %s s: this is where velocities changed most "
        "in the last round%s",
        zw_number_short(x0->t, 8, time), zw_number_short(h, 3, step), contacts);
}

/* ZW_E_STEP, not raised: not found */
static zw_status once(zw_energy_momentum *e, const zw_state *x0, double h, int depth, zw_state *x1) {
    zw_secant_sum sum;
    if (e->k.contacts != NULL) {
        return zw_energy_momentum_over(e, x0, h, depth, x1);
    }
    ZW_TRY(zw_energy_momentum_solve(e, x0, h, x1, &sum));
    zw_energy_momentum_finish(e, x0, h, &sum, x1);
    return ZW_OK;
}

zw_status zw_energy_momentum_whole(zw_energy_momentum *e, const zw_state *x0, double h, zw_state *x1) {
    zw_status status = once(e, x0, h, 0, x1);
    return status == ZW_E_STEP ? not_solved(e, x0, h) : status;
}

static zw_status advance(zw_energy_momentum *e, const zw_state *x0, double h, int depth, zw_state *x1) {
    zw_status status = once(e, x0, h, depth, x1);
    if (status != ZW_E_STEP) {
        return status;
    }
    if (depth == DEEPEST) {
        return not_solved(e, x0, h);
    }
    if (!e->told) {
        char time[ZW_NUMBER_TEXT], step[ZW_NUMBER_TEXT];
        zw_log(e->k.c, ZW_LOG_INFO,
               "energy-momentum: the step at t = %s s was halved to %s s, because Newton's method found no solution; said once, "
               "newton/halvings counts them",
               zw_number_short(x0->t, 8, time), zw_number_short(0.5 * h, 6, step));
        e->told = true;
    }
    ZW_TRY(advance(e, x0, 0.5 * h, depth + 1, &e->half[depth]));
    ZW_TRY(advance(e, &e->half[depth], 0.5 * h, depth + 1, x1));
    x1->w[e->w_halvings] += 1.0;
    if (e->k.contacts != NULL) {
        for (int i = e->w_contact + ZW_CONTACT_DEPTH; i <= e->w_contact + ZW_CONTACT_RESIDUAL; i++) {
            x1->w[i] = fmax(x1->w[i], e->half[depth].w[i]);
        }
    }
    return ZW_OK;
}

zw_status zw_energy_momentum_step(void *self, const zw_state *x0, double h, zw_state *x1) {
    return advance(self, x0, h, 0, x1);
}

static zw_status em_limit(void *self, const zw_state *x, double *safe, double *sharp) {
    (void)self, (void)x;
    *safe = *sharp = 0.0; /* none */
    return ZW_OK;
}

static bool em_own(void *self, int i, zw_channel *out) {
    const zw_energy_momentum *e = self;
    if (i > 0) {
        return e->k.contacts != NULL && zw_contact_own(i - 1, out);
    }
    *out = (zw_channel){.rank = 0, .count = 1};
    snprintf(out->name, sizeof out->name, "newton/halvings");
    snprintf(out->unit, sizeof out->unit, "1");
    return true;
}

static double em_observe(void *self, const zw_state *x, int i) {
    const zw_energy_momentum *e = self;
    return x->w[e->w_halvings + i];
}

static bool em_over(const void *self) {
    (void)self;
    return true;
}

static bool em_adapts(void *self) {
    const zw_energy_momentum *e = self;
    return e->k.contacts == NULL; /* steps over contacts have one length */
}

/* After a step with contacts: the forces of the rows in the mean of it, because those at the state itself know no contacts */
static void em_react(void *self, const zw_state *x, double *lambda) {
    const zw_energy_momentum *e = self;
    if (x->w[e->w_mean] < 0.0 && e->k.m > 0) {
        memcpy(lambda, x->w + ZW_W_ACCOUNT, sizeof(double) * (size_t)e->k.m);
    }
}

const zw_integrator_ops zw_energy_momentum_ops = {
    .name = "energy-momentum",
    .order = 2,
    .create = em_create,
    .start = em_start,
    .step = zw_energy_momentum_step,
    .limit = em_limit,
    .destroy = em_destroy,
    .own = em_own,
    .observe = em_observe,
    .over = em_over,
    .react = em_react,
    .touch = zw_energy_momentum_touch,
    .adapts = em_adapts,
    .tolerance = 1e-6,
    .first = zw_energy_momentum_first,
    .adapt = zw_energy_momentum_adapt,
};

/* SPDX-License-Identifier: Apache-2.0
 * verlet.c: kick - drift - kick on SO(3) x R^3, closed by RATTLE.
 *
 *   v+  = v0 + h/2 M^-1 (f(q0) + A0' lam)         lam such that g(q1, t1) = 0
 *   q1, v* = drift_h(q0, v+)                      exact flow of the kinetic energy: v turns too
 *   v1  = v* + h/2 M^-1 (f(q1) + A1' mu)          mu such that A1 v1 = b(t1)
 *
 * f: elastic, gravity, loads, Kelvin-Voigt damping. One evaluation of the elastic force per step: f(q1) is kept in w for the next.
 * - lam is iterated with the fixed matrix A0 M^-1 A0' and the drift is done anew at the touched nodes each pass (the splitting drift makes the exact
 *   Jacobian nonsymmetric); the last lam starts the next step. Where that does not contract, Newton with the exact one takes over (rattle.h). A violent step
 *   may have no lam at all: the forces of the rows act along A0, and cannot bring a body back that turned too far. It is done in 2, 4, .. 64 equal parts, and
 *   the first time that happens is told.
 * - Damping -D v is explicit in the first kick, implicit in the second: (M + h/2 D) v1 = M v* + h/2 f + A1' mu in one projection. The pair is symmetric
 *   (order 2), and for M, K, D of one oscillator stable up to h = 2/omega for any D. A state from outside has velocities that stiff damping would not
 *   allow: an explicit kick would throw them back h D/2 M times over. The very first kick is therefore implicit too (one step: order 2 stays).
 * - Loads are taken at t0 + 0 in the first kick and t1 - 0 in the second (a billionth of a step inside), so that a jump on a step boundary is
 *   integrated exactly, and the errors of the two sides cancel for smooth loads.
 * - Dampers of springs couple bodies and are in no metric: explicit in the first kick, in the second one iterated to v1, which is symmetric too.
 * - Work and dissipation: impulse times mean velocity of each kick, which is exactly what the kick does to the kinetic energy.
 * - Where bodies meet, moreau.c takes over what the kicks do: impacts before the first one, contacts in both.
 * - Rows between velocities have nothing to close by the drift: see roll.h.
 * Order 2; momenta to round-off; stable for h <= 2/omega_max. w = account, lam [m], f [nv], fresh (1 before the first step), memory of contacts. */
#include "base/context.h"
#include "base/number.h"
#include "project/solver.h"
#include "steps/blame.h"
#include "steps/integrators.h"
#include "steps/limit.h"
#include "steps/mass.h"
#include "steps/moreau.h"
#include "steps/rattle.h"
#include "steps/roll.h"
#include "steps/sizes.h"
#include "zwang/step.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct verlet {
    zw_system *y;
    zw_size    n;
    int        m;
    bool       loads, damps;
    bool       eases; /* a spring has a damper */
    bool       rolls; /* some rows, the last ones, are between velocities */
    int        held;  /* the others */
    bool       alone; /* nothing but elastic forces and gravity, and parts that do the whole step in one pass */
    zw_mass    mass;
    zw_moreau *moreau; /* NULL: nothing can meet */
    zw_solver *rattle, *closing;
    zw_rattle  newton; /* for steps where the fixed matrix does not do */
    zw_state   part;   /* with rows or contacts: between the parts of a step */
    bool       told;   /* that a step was parted */
    double    *total, *load, *damp, *ease, *base, *mid, *drifted, *dv;
    double    *g, *mu, *b;
    double    *scratch;
} verlet;

static void verlet_destroy(void *self) {
    verlet *k = self;
    if (k == NULL) {
        return;
    }
    zw_context *c = zw_system_context(k->y);
    zw_moreau_destroy(k->moreau);
    zw_mass_destroy(&k->mass);
    zw_rattle_destroy(&k->newton);
    zw_solver_destroy(k->rattle);
    zw_solver_destroy(k->closing);
    zw_state_destroy(c, &k->part);
    zw_free(c, k->scratch);
    zw_free(c, k);
}

static zw_status verlet_create(zw_system *y, void **out, int *nw) {
    zw_context    *c = zw_system_context(y);
    const zw_part *part;
    zw_status      status = ZW_OK;
    zw_state       x = {0};
    *out = NULL;
    int nparts = zw_system_parts(y, &part);
    for (int i = 0; i < nparts; i++) {
        if (part[i].ops->drift == NULL) {
            return zw_raise(c, ZW_E_UNSUPPORTED, "run.integrator", "use an integrator that takes every part",
                            "verlet cannot move a part of kind '%s'", part[i].ops->kind);
        }
    }
    verlet *k = zw_alloc(c, 1, sizeof *k, "the integrator");
    if (k == NULL) {
        return ZW_E_MEMORY;
    }
    k->y = y;
    k->n = zw_system_size(y);
    k->m = zw_system_rows_count(y);
    k->loads = zw_system_loaded(y);
    k->eases = zw_system_springs_damp(y);
    k->alone = k->m == 0 && !k->loads && !zw_system_damps(y) && zw_system_springs(y) == 0;
    for (int i = 0; i < nparts; i++) {
        k->damps = k->damps || (part[i].ops->damps != NULL && part[i].ops->damps(part[i].self));
        k->alone = k->alone && part[i].ops->fuses != NULL && part[i].ops->fuses(part[i].self);
    }
    size_t nv = (size_t)k->n.nv, m = (size_t)k->m;
    ZW_TRY_GOTO(zw_state_create(c, &k->n, &x), fail);
    ZW_TRY_GOTO(zw_system_start(y, &x), fail);
    ZW_TRY_GOTO(zw_mass_create(y, &x, &k->mass), fail);
    ZW_TRY_GOTO(zw_moreau_create(y, &k->mass, &k->moreau), fail);
    k->held = zw_system_rows_position_count(y);
    k->rolls = k->held < k->m;
    ZW_TRY_GOTO(k->rolls ? zw_roll_check(y, k->moreau != NULL) : ZW_OK, fail);
    k->alone = k->alone && k->moreau == NULL;
    ZW_TRY_GOTO(zw_solver_create(c, &k->rattle), fail);
    ZW_TRY_GOTO(zw_solver_create(c, &k->closing), fail);
    zw_solver_tolerate(k->rattle,
                       INFINITY); /* redundant rows contradict each other on the way; whether they close is seen from their values */
    ZW_TRY_GOTO(zw_rattle_create(y, k->n.nv, k->m, &k->newton), fail);
    k->scratch = zw_alloc(c, 8 * nv + 3 * m, sizeof(double), "the integrator");
    if (k->scratch == NULL) {
        status = ZW_E_MEMORY;
        goto fail;
    }
    k->total = k->scratch;
    k->load = k->total + nv;
    k->damp = k->load + nv;
    k->ease = k->damp + nv;
    k->base = k->ease + nv;
    k->mid = k->base + nv;
    k->drifted = k->mid + nv;
    k->dv = k->drifted + nv;
    k->g = k->dv + nv;
    k->mu = k->g + m;
    k->b = k->mu + m;
    *nw = ZW_W_ACCOUNT + k->m + k->n.nv + 1 + (k->moreau != NULL ? zw_moreau_memory(k->moreau) : 0);
    if (k->m > 0 || k->moreau != NULL) {
        zw_size with = k->n;
        with.nw = *nw;
        ZW_TRY_GOTO(zw_state_create(c, &with, &k->part), fail);
    }
    zw_state_destroy(c, &x);
    *out = k;
    return ZW_OK;
fail:
    zw_state_destroy(c, &x);
    verlet_destroy(k);
    return status;
}

static double *memory_lambda(const zw_state *x) {
    return x->w + ZW_W_ACCOUNT;
}

static double *memory_force(const verlet *k, const zw_state *x) {
    return x->w + ZW_W_ACCOUNT + k->m;
}

static double *memory_fresh(const verlet *k, const zw_state *x) {
    return x->w + ZW_W_ACCOUNT + k->m + k->n.nv;
}

static double *memory_contacts(const verlet *k, const zw_state *x) {
    return memory_fresh(k, x) + 1;
}

static zw_status verlet_start(void *self, zw_state *x) {
    verlet *k = self;
    ZW_TRY(k->moreau != NULL ? zw_moreau_start(k->moreau, x, memory_contacts(k, x)) : ZW_OK);
    *memory_fresh(k, x) = 1.0;
    memset(x->w, 0, sizeof(double) * (size_t)(ZW_W_ACCOUNT + k->m));
    return zw_system_force(k->y, x, memory_force(k, x));
}

static double largest(int n, const double *v, int *where) {
    double most = 0.0;
    *where = 0;
    for (int i = 0; i < n; i++) {
        if (!(fabs(v[i]) <= most)) {
            most = fabs(v[i]);
            *where = i;
        }
    }
    return most;
}

static zw_status not_closed(verlet *k, double t, int row, double residual, int passes) {
    char subject[128], r[ZW_NUMBER_TEXT], time[ZW_NUMBER_TEXT];
    zw_system_row_name(k->y, row, subject, sizeof subject);
    return zw_raise(zw_system_context(k->y), ZW_E_CONVERGENCE, subject,
                    "make the constraints agree with each other, or use a smaller step or a slower motion",
                    "could not be closed at t = %s s: residual %s after %d passes", zw_number_short(t, 8, time),
                    zw_number_short(residual, 3, r), passes);
}

/* the iteration of close_positions went astray: Newton from where it started, k->drifted, or from no forces of the rows at all. lambda0: of the start */
static zw_status close_by_newton(verlet *k, const zw_state *x0, const zw_state *middle, double h, zw_state *x1, const double *lambda0,
                                 double *lambda) {
    double residual = HUGE_VAL;
    bool   closed = false;
    int    row = 0, passes = 0;
    for (int attempt = 0; attempt < 2 && !closed; attempt++) {
        memcpy(lambda, lambda0, sizeof(double) * (size_t)k->m);
        memcpy(k->mid, k->drifted, sizeof(double) * (size_t)k->n.nv);
        if (attempt == 1) {
            zw_solver_force(k->rattle, lambda, k->dv);
            zw_mass_kick(&k->mass, k->mid, -0.5 * h, k->dv, k->mid);
            memset(lambda, 0, sizeof(double) * (size_t)k->m);
        }
        ZW_TRY(zw_rattle_close(&k->newton, k->rattle, middle, h, x1, lambda, &residual, &row, &passes, &closed));
    }
    return closed ? ZW_OK : not_closed(k, x0->t + h, row, residual, passes);
}

/* what the last bits of the coordinates may leave of a row */
static double last_bits(const verlet *k, const zw_state *x) {
    double farthest = 1.0;
    for (int i = 0; i < k->n.nq; i++) {
        farthest = fmax(farthest, fabs(x->q[i]));
    }
    return 64.0 * DBL_EPSILON * farthest;
}

/* first kick and drift with rows: mid holds the free v+ and gets the rows' impulse; lambda warm-started */
static zw_status close_positions(verlet *k, const zw_state *x0, double h, const zw_metric *metric, zw_state *x1, double *lambda) {
    enum { MOST = 40 };
    zw_system      *y = k->y;
    const zw_rows  *A;
    zw_project_info info;
    zw_state        middle = {.t = x0->t, .q = x0->q, .v = k->mid, .s = x0->s, .w = x0->w};
    ZW_TRY(k->rolls ? zw_system_rows_position(y, x0, &A, NULL) : zw_system_rows(y, x0, &A));
    ZW_TRY(zw_solver_factor(k->rattle, metric, A, &info));
    zw_solver_force(k->rattle, lambda, k->dv);
    zw_mass_kick(&k->mass, k->mid, 0.5 * h, k->dv, k->mid);
    memcpy(k->drifted, k->mid, sizeof(double) * (size_t)k->n.nv);
    zw_system_drift(y, &middle, h, x1, false);
    double last = HUGE_VAL;
    for (int pass = 0; pass < MOST; pass++) {
        int worst;
        ZW_TRY(zw_system_values(y, x1, 0, k->g));
        double residual = largest(k->m, k->g, &worst);
        /* at round-off, or as near as the coordinates' own last bits let it come */
        if (residual <= 1e-15 || (residual < 1e-11 && residual >= 0.5 * last && residual <= last_bits(k, x1))) {
            return ZW_OK;
        }
        if (residual < 1e-11 && residual >= 0.5 * last) { /* slow, but not yet there */
            bool closed;
            int  passes;
            return zw_rattle_close(&k->newton, k->rattle, &middle, h, x1, lambda, &residual, &worst, &passes, &closed);
        }
        if (!isfinite(residual) || pass == MOST - 1) {
            return close_by_newton(k, x0, &middle, h, x1, memory_lambda(x0), lambda);
        }
        last = residual;
        for (int i = 0; i < k->m; i++) {
            k->b[i] = -k->g[i] / h;
        }
        ZW_TRY(zw_solver_correct(k->rattle, k->b, k->dv, k->mu, &info));
        for (int i = 0; i < k->n.nv; i++) {
            k->mid[i] += k->dv[i];
        }
        for (int i = 0; i < k->m; i++) {
            lambda[i] += 2.0 / h * k->mu[i];
        }
        zw_system_drift(y, &middle, h, x1, true);
    }
    return ZW_OK;
}

/* (M + h/2 D) v+ = M v0 + h/2 f: the first kick of a state from outside, where it is damped; k->damp = -D v+ */
static zw_status implicit_kick(verlet *k, const zw_state *x0, double h, const double *f) {
    static const zw_rows no_rows = {0};
    zw_system           *y = k->y;
    zw_project_info      info;
    zw_mass_multiply(&k->mass, x0->v, k->dv);
    for (int i = 0; i < k->n.nv; i++) {
        k->dv[i] += 0.5 * h * f[i];
    }
    ZW_TRY(zw_solver_factor(k->closing, zw_system_damp_metric(y, x0, 0.5 * h), &no_rows, &info));
    ZW_TRY(zw_solver_solve(k->closing, k->dv, k->b, k->mid, k->mu, &info));
    zw_state middle = {.t = x0->t, .q = x0->q, .v = k->mid, .s = x0->s, .w = x0->w};
    memset(k->damp, 0, sizeof(double) * (size_t)k->n.nv);
    zw_system_damp_parts(y, &middle, k->damp);
    return ZW_OK;
}

/* Redundant rows at the velocity level: what the kernel sees of them here is the round-off of positions over h, which always contradicts itself. They are
 * corrected as far as they agree; what is left of them afterwards tells a true contradiction, which the kernel then names. k->g = -values */
static zw_status close_redundant(verlet *k, const zw_rows *A, zw_state *x1) {
    zw_project_info info;
    int             where, nv = k->n.nv;
    double          most = largest(nv, x1->v, &where);
    bool            closed = true;
    zw_solver_tolerate(k->closing, INFINITY);
    ZW_TRY(zw_solver_correct(k->closing, k->g, k->dv, k->mu, &info));
    zw_solver_tolerate(k->closing, 1e-8);
    for (int i = 0; i < nv; i++) {
        x1->v[i] += k->dv[i];
    }
    for (int i = 0; i < nv; i++) { /* a row is as large as the largest velocity makes it */
        k->damp[i] = most;         /* nothing damps here */
    }
    zw_row_sizes(A, k->damp, k->b);
    ZW_TRY(zw_system_values(k->y, x1, 1, k->g));
    for (int i = 0; i < k->m; i++) {
        closed = closed && fabs(k->g[i]) <= 1e-8 * k->b[i] + DBL_MIN;
    }
    if (closed) {
        return ZW_OK;
    }
    for (int i = 0; i < k->m; i++) {
        k->g[i] = -k->g[i];
    }
    return zw_blame(k->y, k->closing, zw_solver_correct(k->closing, k->g, k->dv, k->mu, &info));
}

/* the same kick over contacts; *met false: there are none */
static zw_status kick_over(verlet *k, double h, zw_state *x1, bool *met) {
    int closed = 0;
    ZW_TRY(zw_moreau_arrive(k->moreau, h, k->total, x1, &closed));
    *met = closed > 0;
    if (!*met) {
        return ZW_OK;
    }
    zw_mass_multiply(&k->mass, k->drifted, k->dv);
    for (int i = 0; i < k->n.nv; i++) {
        k->dv[i] += 0.5 * h * k->total[i];
    }
    const zw_metric *H = k->damps ? zw_system_damp_metric(k->y, x1, 0.5 * h) : zw_system_mass(k->y, x1);
    ZW_TRY(zw_moreau_second(k->moreau, h, H, k->dv, memory_force(k, x1), k->drifted, x1, k->mu));
    if (k->damps) {
        memset(k->damp, 0, sizeof(double) * (size_t)k->n.nv);
        zw_system_damp_parts(k->y, x1, k->damp);
    }
    return ZW_OK;
}

/* second kick: x1->v = v1, k->mu = impulse of the rows */
static zw_status second_kick(verlet *k, double h, zw_state *x1) {
    zw_system           *y = k->y;
    const zw_rows       *A = NULL;
    static const zw_rows no_rows = {0};
    zw_project_info      info;
    memcpy(k->drifted, x1->v, sizeof(double) * (size_t)k->n.nv);
    bool met = false;
    ZW_TRY(k->moreau != NULL ? kick_over(k, h, x1, &met) : ZW_OK);
    if (met) {
        return ZW_OK;
    }
    if (k->m > 0) {
        ZW_TRY(zw_system_rows(y, x1, &A));
    }
    if (!k->damps) {
        zw_mass_kick(&k->mass, k->drifted, 0.5 * h, k->total, x1->v);
        if (k->m == 0) {
            return ZW_OK;
        }
        ZW_TRY(zw_solver_factor(k->closing, zw_system_mass(y, x1), A, &info));
        ZW_TRY(zw_system_values(y, x1, 1, k->g));
        for (int i = 0; i < k->m; i++) {
            k->g[i] = -k->g[i];
        }
        if (info.redundant > 0) {
            return close_redundant(k, A, x1);
        }
        ZW_TRY(zw_blame(y, k->closing, zw_solver_correct(k->closing, k->g, k->dv, k->mu, &info)));
        for (int i = 0; i < k->n.nv; i++) {
            x1->v[i] += k->dv[i];
        }
        return ZW_OK;
    }
    zw_mass_multiply(&k->mass, k->drifted, k->dv);
    for (int i = 0; i < k->n.nv; i++) {
        k->dv[i] += 0.5 * h * k->total[i];
    }
    if (k->m > 0) {
        ZW_TRY(zw_system_values(y, x1, 2, k->b));
    }
    ZW_TRY(zw_solver_factor(k->closing, zw_system_damp_metric(y, x1, 0.5 * h), k->m > 0 ? A : &no_rows, &info));
    ZW_TRY(zw_blame(y, k->closing, zw_solver_solve(k->closing, k->dv, k->b, x1->v, k->mu, &info)));
    memset(k->damp, 0, sizeof(double) * (size_t)k->n.nv);
    zw_system_damp_parts(y, x1, k->damp);
    if (k->m == 0) { /* with the pair forces themselves momenta are kept to round-off */
        for (int i = 0; i < k->n.nv; i++) {
            k->total[i] += k->damp[i];
        }
        zw_mass_kick(&k->mass, k->drifted, 0.5 * h, k->total, x1->v);
    }
    return ZW_OK;
}

/* second kick with dampers of springs at v1 itself: each pass takes them at the last v1, until it stays */
static zw_status eased_kick(verlet *k, double h, zw_state *x1) {
    enum { MOST = 60 };
    size_t bytes = sizeof(double) * (size_t)k->n.nv;
    double change = 0.0, last = HUGE_VAL;
    memcpy(k->base, k->total, bytes);
    memcpy(k->drifted, x1->v, bytes);
    for (int pass = 0; pass < MOST; pass++) {
        memset(k->ease, 0, bytes);
        zw_system_damp_springs(k->y, x1, k->ease);
        memcpy(k->mid, x1->v, bytes);
        memcpy(x1->v, k->drifted, bytes);
        for (int i = 0; i < k->n.nv; i++) {
            k->total[i] = k->base[i] + k->ease[i];
        }
        ZW_TRY(second_kick(k, h, x1));
        double size = 0.0;
        change = 0.0;
        for (int i = 0; i < k->n.nv; i++) {
            size = fmax(size, fabs(x1->v[i]));
            change = fmax(change, fabs(x1->v[i] - k->mid[i]));
        }
        if (change <= 1e-15 * size || (pass > 0 && change <= 1e-12 * size && change >= 0.5 * last)) {
            return ZW_OK;
        }
        last = change;
    }
    char number[ZW_NUMBER_TEXT];
    return zw_raise(zw_system_context(k->y), ZW_E_CONVERGENCE, "damping of springs", "use a smaller step, less damping, or gauss",
                    "too strong for this step: velocities still change by %s after %d passes", zw_number_short(change, 3, number), MOST);
}

/* impulse . mean velocity */
static double work_of(int n, double h, const double *f, const double *before, const double *after) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += f[i] * (before[i] + after[i]);
    }
    return 0.25 * h * sum;
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static zw_status step_alone(verlet *k, const zw_state *x0, double h, zw_state *x1) {
    const zw_part *part;
    int            nparts = zw_system_parts(k->y, &part);
    const double  *f0 = memory_force(k, x0);
    double        *f1 = memory_force(k, x1);
    for (int i = 0; i < nparts; i++) {
        const zw_part *p = &part[i];
        zw_state       from = {.t = x0->t, .q = x0->q + p->q0, .v = x0->v + p->v0, .s = x0->s + p->s0};
        zw_state       to = {.t = x0->t + h, .q = x1->q + p->q0, .v = x1->v + p->v0, .s = x1->s + p->s0};
        p->ops->step_alone(p->self, &from, f0 + p->v0, h, &to, f1 + p->v0);
    }
    x1->t = x0->t + h;
    x1->w[ZW_W_WORK] = x0->w[ZW_W_WORK];
    x1->w[ZW_W_DISSIPATED] = x0->w[ZW_W_DISSIPATED];
    return ZW_OK;
}

static zw_status step_once(verlet *k, const zw_state *x0, double h, zw_state *x1) {
    if (k->n.ns > 0) { /* they stay as they are: whoever changes them does so between steps */
        memcpy(x1->s, x0->s, sizeof(double) * (size_t)k->n.ns);
    }
    if (k->alone) {
        return step_alone(k, x0, h, x1);
    }
    zw_system *y = k->y;
    int        nv = k->n.nv;
    size_t     bytes = sizeof(double) * (size_t)nv;
    double     work = 0.0, dissipated = 0.0, inside = 1e-9 * h;
    double    *lambda = memory_lambda(x1), *force = memory_force(k, x1);

    const double *total = memory_force(k, x0);
    if (k->loads || k->damps || k->eases) {
        memcpy(k->total, total, bytes);
        total = k->total;
    }
    if (k->loads) {
        memset(k->load, 0, bytes);
        ZW_TRY(zw_system_load(y, x0, x0->t + inside, k->load));
        for (int i = 0; i < nv; i++) {
            k->total[i] += k->load[i];
        }
    }
    if (k->eases) {
        memset(k->ease, 0, bytes);
        zw_system_damp_springs(y, x0, k->ease);
        for (int i = 0; i < nv; i++) {
            k->total[i] += k->ease[i];
        }
    }
    bool implicit = k->damps && *memory_fresh(k, x0) != 0.0;
    if (implicit) {
        ZW_TRY(implicit_kick(k, x0, h, k->total));
    } else if (k->damps) {
        memset(k->damp, 0, bytes);
        zw_system_damp_parts(y, x0, k->damp);
    }
    for (int i = 0; k->damps && i < nv; i++) {
        k->total[i] += k->damp[i];
    }
    zw_mass_kick(&k->mass, x0->v, 0.5 * h, total, k->mid); /* with the pair forces themselves momenta are kept to round-off */
    const zw_metric *H = implicit ? zw_system_damp_metric(y, x0, 0.5 * h) : zw_system_mass(y, x0);
    const double    *v0 = x0->v;
    bool             met = false;
    if (k->moreau != NULL) {
        ZW_TRY(zw_moreau_first(k->moreau, x0, memory_contacts(k, x0), h, H, memory_force(k, x0), k->mid, x1, lambda, &v0, &met));
    }
    if (k->m > 0) {
        if (!met) {
            memcpy(lambda, memory_lambda(x0), sizeof(double) * (size_t)k->m);
            if (k->rolls) {
                ZW_TRY(zw_roll_push(y, k->closing, x0, total, k->held, lambda, k->drifted, k->dv, k->b, k->mu));
                zw_mass_kick(&k->mass, k->mid, 0.5 * h, k->drifted, k->mid);
            }
            ZW_TRY(close_positions(k, x0, h, H, x1, lambda));
        }
        if (zw_system_rows_move(y)) {
            ZW_TRY(zw_system_values(y, x0, 2, k->b));
            work += 0.5 * h * dot(k->m, lambda, k->b);
        }
    } else if (!met) {
        zw_state middle = {.t = x0->t, .q = x0->q, .v = k->mid, .s = x0->s, .w = x0->w};
        zw_system_drift(y, &middle, h, x1, false);
    }
    work += k->loads ? work_of(nv, h, k->load, v0, k->mid) : 0.0;
    dissipated -= k->damps ? work_of(nv, h, k->damp, v0, k->mid) : 0.0;
    dissipated -= k->eases ? work_of(nv, h, k->ease, v0, k->mid) : 0.0;

    ZW_TRY(zw_system_force(y, x1, force));
    memcpy(k->total, force, bytes);
    if (k->loads) {
        memset(k->load, 0, bytes);
        ZW_TRY(zw_system_load(y, x1, x1->t - inside, k->load));
        for (int i = 0; i < nv; i++) {
            k->total[i] += k->load[i];
        }
    }
    ZW_TRY(k->eases ? eased_kick(k, h, x1) : second_kick(k, h, x1));
    work += k->loads ? work_of(nv, h, k->load, k->drifted, x1->v) : 0.0;
    dissipated -= k->damps ? work_of(nv, h, k->damp, k->drifted, x1->v) : 0.0;
    dissipated -= k->eases ? work_of(nv, h, k->ease, k->drifted, x1->v) : 0.0;
    if (k->m > 0 && zw_system_rows_move(y)) {
        ZW_TRY(zw_system_values(y, x1, 2, k->b));
        work += dot(k->m, k->mu, k->b);
    }
    *memory_fresh(k, x1) = 0.0;
    if (k->moreau != NULL) {
        zw_moreau_finish(k->moreau, memory_contacts(k, x0), memory_contacts(k, x1), &work, &dissipated);
    }
    x1->w[ZW_W_WORK] = x0->w[ZW_W_WORK] + work;
    x1->w[ZW_W_DISSIPATED] = x0->w[ZW_W_DISSIPATED] + dissipated;
    return ZW_OK;
}

/* n equal parts, n even: the last one ends in x1 */
static zw_status step_parted(verlet *k, const zw_state *x0, double h, int n, zw_state *x1) {
    const zw_state *from = x0;
    for (int i = 0; i < n; i++) {
        zw_state *to = i % 2 == 0 ? &k->part : x1;
        ZW_TRY(step_once(k, from, h / n, to));
        to->t = x0->t + (i + 1) * (h / n);
        from = to;
    }
    return ZW_OK;
}

static zw_status verlet_step(void *self, const zw_state *x0, double h, zw_state *x1) {
    enum { MOST = 64 };
    verlet *k = self;
    if (k->moreau != NULL) {
        zw_moreau_be_strict(k->moreau, true);
    }
    zw_status status = step_once(k, x0, h, x1);
    int       n = 1;
    while (status == ZW_E_CONVERGENCE && (k->m > 0 || k->moreau != NULL) && n < MOST) {
        n *= 2;
        zw_error_clear(zw_system_context(k->y));
        if (k->moreau != NULL) { /* overlaps that do not go away by that are taken, and told by contact/depth */
            zw_moreau_be_strict(k->moreau, n <= 8);
        }
        status = step_parted(k, x0, h, n, x1);
    }
    if (status == ZW_OK && n > 1 && !k->told) {
        char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
        k->told = true;
        zw_log(
            zw_system_context(k->y), ZW_LOG_WARNING,
            "constraints or contacts could not be closed by one step of %s s at t = %s s: it was done in %d parts, and so are others like it; use a "
            "smaller step",
            zw_number_short(h, 4, a), zw_number_short(x0->t, 8, b), n);
    }
    return status;
}

static zw_status verlet_refresh(void *self, zw_state *x) {
    verlet *k = self;
    zw_mass_update(k->y, x, &k->mass);
    return zw_system_force(k->y, x, memory_force(k, x));
}

static zw_status verlet_limit(void *self, const zw_state *x, double *safe, double *sharp) {
    verlet *k = self;
    double  length;
    *safe = zw_system_step_limit(k->y, &length);
    return zw_lanczos_limit(k->y, &k->mass, x, length, sharp);
}

static bool verlet_own(void *self, int i, zw_channel *out) {
    return ((const verlet *)self)->moreau != NULL && zw_moreau_own(((const verlet *)self)->moreau, i, out);
}

static bool verlet_over(const void *self) {
    return ((const verlet *)self)->moreau != NULL;
}

static double verlet_observe(void *self, const zw_state *x, int i) {
    return zw_moreau_observe(memory_contacts(self, x), i);
}

static void verlet_react(void *self, const zw_state *x, double *lambda) {
    const verlet *k = self;
    if (k->moreau != NULL) {
        zw_moreau_react(k->moreau, memory_contacts(k, x), lambda);
    }
}

static void verlet_touch(void *self, const zw_state *x, double *f) {
    const verlet *k = self;
    (void)x;
    if (k->moreau != NULL) {
        zw_moreau_touch(k->moreau, f);
    }
}

const zw_integrator_ops zw_verlet_ops = {
    .name = "verlet",
    .order = 2,
    .create = verlet_create,
    .start = verlet_start,
    .step = verlet_step,
    .limit = verlet_limit,
    .destroy = verlet_destroy,
    .own = verlet_own,
    .observe = verlet_observe,
    .over = verlet_over,
    .react = verlet_react,
    .refresh = verlet_refresh,
    .touch = verlet_touch,
};

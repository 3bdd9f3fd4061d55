/* SPDX-License-Identifier: Apache-2.0
 * poisson.c: the integrators poisson, hamel and poisson-consistent: parts moved in the variables z = (mu, gamma) of a Poisson bracket.
 *
 *   mu1     from mu0 and the wrench of gamma0                 eq 53, implicit node by node
 *   gamma1  from gamma0 and zeta1 = dh/dmu(mu1)               eq 54, linear link by link
 *   g1 = g0 cay(h zeta)                                       eq 55, zeta of mu0 (old, as printed), of mu1 (new) or their mean
 * hamel differs from poisson in the bracket term of mu alone. consistent is a kick by the true wrench of the strains of cay6, then the free
 * motion by the implicit midpoint rule: with zeta at the middle, mu turns and g moves by the same cay6(h zeta), and so does the strain of
 * every link: momenta in space are kept to round-off and gamma stays the strain of g. What the parts do is in their bracket ops.
 *
 * z is the truth and lives in state.w; v is made of it after every step. Loads act at the middle of the step's time, in the nodes' frames.
 * Rows act on momenta: an impulse h A' lam in the equation of mu, lam such that g(q1, t1) = 0, and another one that makes A1 v1 = b(t1).
 * With old the frames of this step are done before mu1 is known: there gamma0 belongs to g1, so wrenches and rows are taken at g1, and lam
 * closes the frames of the next step; the first step starts with an impulse that closes its own.
 * All three are of first order in h (symplectic Euler) and stable for h < 2/omega_max. w = account, fresh, lam [m], z. */
#include "base/context.h"
#include "base/number.h"
#include "steps/integrators.h"
#include "steps/limit.h"
#include "steps/mass.h"
#include "system/system.h"
#include "zwang/step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FRESH = ZW_W_ACCOUNT, OWN }; /* 1 until the first step is done; then lambda and z */

typedef struct chain { /* a part and where its z and its fields like mu begin */
    const zw_bracket_ops *ops;
    void                 *self;
    int                   q0, v0, s0, z0, nz, mu0, nmu;
} chain;

typedef struct poisson {
    zw_system *y;
    zw_size    n;
    int        m, nz, nmu, nchains;
    chain     *chain;
    bool       old, mean, loads;
    bool       alone; /* no rows, and nothing asks for the new frames before the end of the step */
    zw_mass    mass;
    zw_solver *rattle, *closing;
    double    *scratch;
    double    *F, *G, *moving, *straining, *z; /* fields like mu, and one z */
    double    *load, *reaction, *v;            /* [nv] */
    double    *g, *b, *mu;                     /* [m]  */
    zw_state   next;                           /* frames of the step after this one, for old */
} poisson;

static zw_state slice(const chain *c, const zw_state *x) {
    return (zw_state){.t = x->t, .q = x->q + c->q0, .v = x->v + c->v0, .s = x->s + c->s0};
}

static void poisson_destroy(void *self) {
    poisson *k = self;
    if (k == NULL) {
        return;
    }
    zw_context *c = zw_system_context(k->y);
    zw_mass_destroy(&k->mass);
    zw_solver_destroy(k->rattle);
    zw_solver_destroy(k->closing);
    zw_state_destroy(c, &k->next);
    zw_free(c, k->chain);
    zw_free(c, k->scratch);
    zw_free(c, k);
}

static zw_status bind_chains(poisson *k, const char *name, const zw_bracket_rule *rule) {
    zw_context    *c = zw_system_context(k->y);
    const zw_part *part;
    k->nchains = zw_system_parts(k->y, &part);
    k->chain = zw_alloc(c, (size_t)k->nchains, sizeof *k->chain, "the integrator");
    if (k->chain == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < k->nchains; i++) {
        chain *to = &k->chain[i];
        if (part[i].ops->bracket == NULL) {
            return zw_raise(c, ZW_E_UNSUPPORTED, "run.integrator", "use verlet", "%s cannot move a part of kind '%s'", name,
                            part[i].ops->kind);
        }
        *to = (chain){.ops = part[i].ops->bracket,
                      .self = part[i].self,
                      .q0 = part[i].q0,
                      .v0 = part[i].v0,
                      .s0 = part[i].s0,
                      .z0 = k->nz,
                      .mu0 = k->nmu};
        ZW_TRY(to->ops->prepare(to->self, rule, &to->nz, &to->nmu));
        k->nz += to->nz;
        k->nmu += to->nmu;
    }
    return ZW_OK;
}

static zw_status create(zw_system *y, const char *name, zw_bracket_scheme scheme, void **out, int *nw) {
    *out = NULL;
    if (zw_system_slides_along(y) != NULL) {
        return zw_raise(zw_system_context(y), ZW_E_UNSUPPORTED, "constraints", "use run.integrator: verlet or energy-momentum",
                        "'%s' travels along a rod, which %s cannot follow", zw_system_slides_along(y), name);
    }
    zw_context     *c = zw_system_context(y);
    zw_status       status = ZW_OK;
    zw_state        x = {0};
    zw_bracket_rule rule = {.scheme = scheme, .reconstruct = y->model->run.reconstruct};
    *out = NULL;
    if (zw_system_damps(y)) {
        return zw_raise(c, ZW_E_UNSUPPORTED, "run.integrator", "use verlet, or leave the damping out",
                        "%s has no damping, and this model asks for it", name);
    }
    if (zw_system_springs(y) > 0) {
        return zw_raise(c, ZW_E_UNSUPPORTED, "run.integrator", "use verlet or gauss", "%s takes no springs between places", name);
    }
    poisson *k = zw_alloc(c, 1, sizeof *k, "the integrator");
    if (k == NULL) {
        return ZW_E_MEMORY;
    }
    k->y = y;
    k->n = zw_system_size(y);
    k->m = zw_system_rows_count(y);
    k->loads = zw_system_loaded(y);
    k->old = scheme != ZW_BRACKET_CONSISTENT && rule.reconstruct == ZW_RECONSTRUCT_OLD;
    k->mean = scheme != ZW_BRACKET_CONSISTENT && rule.reconstruct == ZW_RECONSTRUCT_MEAN;
    k->alone = k->m == 0 && (!k->old || (!k->loads && !y->gravity_acts));
    ZW_TRY_GOTO(bind_chains(k, name, &rule), fail);
    ZW_TRY_GOTO(zw_state_create(c, &k->n, &x), fail);
    ZW_TRY_GOTO(zw_system_start(y, &x), fail);
    ZW_TRY_GOTO(zw_mass_create(y, &x, &k->mass), fail);
    ZW_TRY_GOTO(zw_solver_create(c, &k->rattle), fail);
    ZW_TRY_GOTO(zw_solver_create(c, &k->closing), fail);
    ZW_TRY_GOTO(zw_state_create(c, &k->n, &k->next), fail);
    size_t nmu = (size_t)k->nmu, nv = (size_t)k->n.nv, m = (size_t)k->m;
    k->scratch = zw_alloc(c, 4 * nmu + (size_t)k->nz + 3 * nv + 3 * m, sizeof(double), "the integrator");
    if (k->scratch == NULL) {
        status = ZW_E_MEMORY;
        goto fail;
    }
    k->F = k->scratch;
    k->G = k->F + nmu;
    k->moving = k->G + nmu;
    k->straining = k->moving + nmu;
    k->z = k->straining + nmu;
    k->load = k->z + k->nz;
    k->reaction = k->load + nv;
    k->v = k->reaction + nv;
    k->g = k->v + nv;
    k->b = k->g + m;
    k->mu = k->b + m;
    *nw = OWN + k->m + k->nz;
    zw_state_destroy(c, &x);
    *out = k;
    return ZW_OK;
fail:
    zw_state_destroy(c, &x);
    poisson_destroy(k);
    return status;
}

static zw_status poisson_create(zw_system *y, void **out, int *nw) {
    return create(y, "poisson", ZW_BRACKET_POISSON, out, nw);
}

static zw_status hamel_create(zw_system *y, void **out, int *nw) {
    return create(y, "hamel", ZW_BRACKET_HAMEL, out, nw);
}

static zw_status consistent_create(zw_system *y, void **out, int *nw) {
    return create(y, "poisson-consistent", ZW_BRACKET_CONSISTENT, out, nw);
}

static double *memory_lambda(const zw_state *x) {
    return x->w + OWN;
}

static double *memory_z(const poisson *k, const zw_state *x) {
    return x->w + OWN + k->m;
}

static zw_status poisson_start(void *self, zw_state *x) {
    poisson *k = self;
    memset(x->w, 0, sizeof(double) * (size_t)(OWN + k->m + k->nz));
    x->w[FRESH] = 1.0;
    for (int i = 0; i < k->nchains; i++) {
        const chain *c = &k->chain[i];
        zw_state     part = slice(c, x);
        ZW_TRY(c->ops->enter(c->self, &part, memory_z(k, x) + c->z0));
    }
    return ZW_OK;
}

/* ---- the pieces, over all parts */

static void wrench(poisson *k, const zw_state *at, const double *z) {
    for (int i = 0; i < k->nchains; i++) {
        const chain *c = &k->chain[i];
        zw_state     part = slice(c, at);
        c->ops->wrench(c->self, &part, z + c->z0, k->F + c->mu0);
    }
}

static void load(poisson *k, const zw_state *at, const double *f, double *F) {
    for (int i = 0; i < k->nchains; i++) {
        const chain *c = &k->chain[i];
        zw_state     part = slice(c, at);
        c->ops->load(c->self, &part, f + c->v0, F + c->mu0);
    }
}

static zw_status momenta(poisson *k, double t, const double *z0, const double *F, double h, double *z1) {
    for (int i = 0; i < k->nchains; i++) {
        const chain *c = &k->chain[i];
        if (!c->ops->momenta(c->self, z0 + c->z0, F + c->mu0, h, z1 + c->z0, k->mean ? k->moving + c->mu0 : NULL, k->straining + c->mu0)) {
            char time[ZW_NUMBER_TEXT], subject[128] = "run.step";
            if (c->ops->fault != NULL) {
                c->ops->fault(c->self, subject, sizeof subject);
            }
            return zw_raise(zw_system_context(k->y), ZW_E_CONVERGENCE, subject, "use a smaller step",
                            "the momenta could not be solved for at t = %s s", zw_number_short(t, 8, time));
        }
    }
    return ZW_OK;
}

static void place(poisson *k, const zw_state *x0, const double *pace, double h, zw_state *x1) {
    for (int i = 0; i < k->nchains; i++) {
        const chain *c = &k->chain[i];
        zw_state     from = slice(c, x0), to = slice(c, x1);
        c->ops->place(c->self, &from, pace + c->mu0, h, &to);
    }
    x1->t = x0->t + h;
}

static void velocity(poisson *k, const double *z, zw_state *x) {
    for (int i = 0; i < k->nchains; i++) {
        const chain *c = &k->chain[i];
        zw_state     part = slice(c, x);
        c->ops->velocity(c->self, z + c->z0, &part);
    }
}

static void strains(poisson *k, const double *z0, double h, double *z1) {
    for (int i = 0; i < k->nchains; i++) {
        const chain *c = &k->chain[i];
        c->ops->strains(c->self, z0 + c->z0, k->straining + c->mu0, h, z1 + c->z0);
    }
}

static void pace(poisson *k, const double *z) {
    for (int i = 0; i < k->nchains; i++) {
        const chain *c = &k->chain[i];
        c->ops->pace(c->self, z + c->z0, k->moving + c->mu0);
    }
}

/* new frames and velocities; z1 is complete */
static void arrive(poisson *k, const zw_state *x0, const double *moving, double h, const double *z1, zw_state *x1) {
    for (int i = 0; i < k->nchains; i++) {
        const chain *c = &k->chain[i];
        zw_state     from = slice(c, x0), to = slice(c, x1);
        if (c->ops->arrive != NULL) {
            c->ops->arrive(c->self, &from, moving + c->mu0, z1 + c->z0, h, &to);
        } else {
            c->ops->place(c->self, &from, moving + c->mu0, h, &to);
            c->ops->velocity(c->self, z1 + c->z0, &to);
        }
    }
    x1->t = x0->t + h;
}

/* mu += impulse, given per velocity column; G is scratch */
static void push(poisson *k, const zw_state *at, const double *impulse, double *z) {
    memset(k->G, 0, sizeof(double) * (size_t)k->nmu);
    load(k, at, impulse, k->G);
    for (int i = 0; i < k->nchains; i++) {
        const chain *c = &k->chain[i];
        for (int j = 0; j < c->nmu; j++) {
            z[c->z0 + j] += k->G[c->mu0 + j];
        }
    }
}

static double dot_sum(int n, const double *f, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += f[i] * (a[i] + b[i]);
    }
    return sum;
}

/* ---- rows */

/* looks at the rows of a state: done when they are closed, else k->b = the velocities that would close them */
static zw_status look(poisson *k, const zw_state *x, double scale, int pass, double *last, bool *done) {
    enum { MOST = 40 };
    int    worst = 0;
    double residual = 0.0;
    ZW_TRY(zw_system_values(k->y, x, 0, k->g));
    for (int i = 0; i < k->m; i++) {
        if (!(fabs(k->g[i]) <= residual)) {
            residual = fabs(k->g[i]);
            worst = i;
        }
        k->b[i] = -scale * k->g[i];
    }
    /* at round-off, or as near as the coordinates' own last bits let it come */
    *done = residual <= 1e-15 || (residual < 1e-11 && residual >= 0.5 * *last);
    *last = residual;
    if (!*done && (!isfinite(residual) || pass == MOST - 1)) {
        char subject[128], r[ZW_NUMBER_TEXT], time[ZW_NUMBER_TEXT];
        zw_system_row_name(k->y, worst, subject, sizeof subject);
        return zw_raise(zw_system_context(k->y), ZW_E_CONVERGENCE, subject, "use a smaller step or a slower motion",
                        "could not be closed at t = %s s: residual %s after %d passes", zw_number_short(x->t, 8, time),
                        zw_number_short(residual, 3, r), pass);
    }
    return ZW_OK;
}

/* the first step with old: an impulse on mu0, so that its own frames close; k->z = z0 with it */
static zw_status close_first(poisson *k, const zw_state *x0, const double *z0, double h, zw_state *x1) {
    const zw_rows  *A;
    zw_project_info info;
    double          last = HUGE_VAL;
    bool            done = false;
    double         *impulse = memory_lambda(x1); /* free until lambda is wanted */
    ZW_TRY(zw_system_rows(k->y, x0, &A));
    ZW_TRY(zw_solver_factor(k->rattle, zw_system_mass(k->y, x0), A, &info));
    memset(impulse, 0, sizeof(double) * (size_t)k->m);
    for (int pass = 0; !done; pass++) {
        memcpy(k->z, z0, sizeof(double) * (size_t)k->nz);
        zw_solver_force(k->rattle, impulse, k->reaction);
        push(k, x0, k->reaction, k->z);
        pace(k, k->z);
        place(k, x0, k->moving, h, x1);
        ZW_TRY(look(k, x1, 1.0 / h, pass, &last, &done));
        if (!done) {
            ZW_TRY(zw_solver_correct(k->rattle, k->b, NULL, k->mu, &info));
            for (int i = 0; i < k->m; i++) {
                impulse[i] += k->mu[i];
            }
        }
    }
    return ZW_OK;
}

/* momenta with rows: k->reaction = A' lambda */
static zw_status close_positions(poisson *k, const zw_state *at, const zw_state *x0, const double *z0, double h, zw_state *x1, double *z1,
                                 double *lambda) {
    const zw_rows  *A;
    zw_project_info info;
    double          last = HUGE_VAL;
    bool            done = false;
    ZW_TRY(zw_system_rows(k->y, at, &A));
    ZW_TRY(zw_solver_factor(k->rattle, zw_system_mass(k->y, at), A, &info));
    for (int pass = 0; !done; pass++) {
        zw_solver_force(k->rattle, lambda, k->reaction);
        memcpy(k->G, k->F, sizeof(double) * (size_t)k->nmu);
        load(k, at, k->reaction, k->G);
        ZW_TRY(momenta(k, x0->t, z0, k->G, h, z1));
        if (k->old) {
            place(k, x1, k->straining, h, &k->next);
        } else {
            place(k, x0, k->mean ? k->moving : k->straining, h, x1);
        }
        ZW_TRY(look(k, k->old ? &k->next : x1, k->mean ? 2.0 / h : 1.0 / h, pass, &last, &done));
        if (!done) {
            ZW_TRY(zw_solver_correct(k->rattle, k->b, NULL, k->mu, &info));
            for (int i = 0; i < k->m; i++) {
                lambda[i] += k->mu[i] / h;
            }
        }
    }
    return ZW_OK;
}

/* A1 v1 = b(t1) by an impulse on mu1 */
static zw_status close_velocities(poisson *k, zw_state *x1, double *z1, double *work) {
    const zw_rows  *A;
    zw_project_info info;
    ZW_TRY(zw_system_rows(k->y, x1, &A));
    ZW_TRY(zw_solver_factor(k->closing, zw_system_mass(k->y, x1), A, &info));
    ZW_TRY(zw_system_values(k->y, x1, 1, k->g));
    for (int i = 0; i < k->m; i++) {
        k->g[i] = -k->g[i];
    }
    ZW_TRY(zw_solver_correct(k->closing, k->g, NULL, k->mu, &info));
    zw_solver_force(k->closing, k->mu, k->reaction);
    memcpy(k->v, x1->v, sizeof(double) * (size_t)k->n.nv);
    push(k, x1, k->reaction, z1);
    velocity(k, z1, x1);
    *work += zw_system_rows_move(k->y) ? 0.5 * dot_sum(k->n.nv, k->reaction, k->v, x1->v) : 0.0;
    return ZW_OK;
}

/* without rows: everything moves node by node and link by link */
static zw_status step_alone(poisson *k, const zw_state *x0, double h, zw_state *x1) {
    const double *z0 = memory_z(k, x0);
    double       *z1 = memory_z(k, x1);
    wrench(k, x0, z0);
    if (k->loads) {
        memset(k->load, 0, sizeof(double) * (size_t)k->n.nv);
        ZW_TRY(zw_system_load(k->y, x0, x0->t + 0.5 * h, k->load));
        load(k, x0, k->load, k->F);
    }
    ZW_TRY(momenta(k, x0->t, z0, k->F, h, z1));
    strains(k, z0, h, z1);
    if (k->old) {
        pace(k, z0);
    }
    arrive(k, x0, k->old || k->mean ? k->moving : k->straining, h, z1, x1);
    return ZW_OK;
}

/* with rows, or with loads at the new frames that old knows beforehand */
static zw_status step_held(poisson *k, const zw_state *x0, double h, zw_state *x1, double *work) {
    const double   *z0 = memory_z(k, x0);
    double         *z1 = memory_z(k, x1), *lambda = memory_lambda(x1);
    const zw_state *at = k->old ? x1 : x0; /* the frames that gamma0 belongs to */
    if (k->old) {
        if (k->m > 0 && x0->w[FRESH] != 0.0) {
            ZW_TRY(close_first(k, x0, z0, h, x1));
            z0 = k->z;
        } else {
            pace(k, z0);
            place(k, x0, k->moving, h, x1);
        }
    }
    wrench(k, at, z0);
    if (k->loads) {
        memset(k->load, 0, sizeof(double) * (size_t)k->n.nv);
        ZW_TRY(zw_system_load(k->y, at, x0->t + 0.5 * h, k->load));
        load(k, at, k->load, k->F);
    }
    if (k->m > 0) {
        memcpy(lambda, memory_lambda(x0), sizeof(double) * (size_t)k->m);
        ZW_TRY(close_positions(k, at, x0, z0, h, x1, z1, lambda));
    } else {
        ZW_TRY(momenta(k, x0->t, z0, k->F, h, z1));
    }
    strains(k, z0, h, z1);
    velocity(k, z1, x1);
    if (k->m > 0) {
        *work += zw_system_rows_move(k->y) ? 0.5 * h * dot_sum(k->n.nv, k->reaction, x0->v, x1->v) : 0.0;
        if (!k->old) {
            ZW_TRY(close_velocities(k, x1, z1, work));
        }
    }
    return ZW_OK;
}

static zw_status poisson_step(void *self, const zw_state *x0, double h, zw_state *x1) {
    poisson *k = self;
    double   work = 0.0;
    ZW_TRY(k->alone ? step_alone(k, x0, h, x1) : step_held(k, x0, h, x1, &work));
    work += k->loads ? 0.5 * h * dot_sum(k->n.nv, k->load, x0->v, x1->v) : 0.0;
    x1->w[ZW_W_WORK] = x0->w[ZW_W_WORK] + work;
    x1->w[ZW_W_DISSIPATED] = x0->w[ZW_W_DISSIPATED];
    x1->w[FRESH] = 0.0;
    return ZW_OK;
}

static zw_status poisson_limit(void *self, const zw_state *x, double *safe, double *sharp) {
    poisson       *k = self;
    double         length;
    const zw_part *part;
    int            nparts = zw_system_parts(k->y, &part);
    *safe = zw_system_step_limit(k->y, &length);
    ZW_TRY(zw_lanczos_limit(k->y, &k->mass, x, length, sharp));
    for (int i = 0; i < nparts; i++) { /* a part without velocity columns knows its limit itself */
        double ignored, limit = part[i].ops->size(part[i].self).nv == 0 && part[i].ops->step_limit != NULL
                                    ? part[i].ops->step_limit(part[i].self, &ignored)
                                    : 0.0;
        if (limit > 0.0 && (*sharp == 0.0 || limit < *sharp)) {
            *sharp = limit;
        }
    }
    return ZW_OK;
}

static void poisson_account(void *self, const zw_state *x, zw_account *a) {
    poisson *k = self;
    *a = (zw_account){0};
    for (int i = 0; i < k->nchains; i++) {
        const chain *c = &k->chain[i];
        zw_state     part = slice(c, x);
        c->ops->account(c->self, &part, memory_z(k, x) + c->z0, a);
    }
}

/* the part that reports the i-th number, which becomes its own count; NULL past the end. The first one is the mismatch, where any part has it */
static const chain *find_own(const poisson *k, int *i, zw_channel *out, bool *mismatch) {
    *mismatch = false;
    for (int n = 0; n < k->nchains; n++) {
        *mismatch = *mismatch || k->chain[n].ops->mismatch != NULL;
    }
    if (*mismatch && *i == 0) {
        return &k->chain[0];
    }
    *i -= *mismatch;
    *mismatch = false;
    for (int n = 0; n < k->nchains; n++) {
        const chain *c = &k->chain[n];
        for (int own = 0; c->ops->own != NULL && c->ops->own(c->self, own, out); own++) {
            if ((*i)-- == 0) {
                *i = own;
                return c;
            }
        }
    }
    return NULL;
}

static bool poisson_own(void *self, int i, zw_channel *out) {
    bool         mismatch;
    const chain *c = find_own(self, &i, out, &mismatch);
    if (mismatch) {
        *out = (zw_channel){.count = 1};
        snprintf(out->name, sizeof out->name, "poisson/mismatch");
        snprintf(out->unit, sizeof out->unit, "1/m, 1");
    }
    return c != NULL;
}

/* largest difference between the strains of the frames and gamma; then what the parts report */
static double poisson_observe(void *self, const zw_state *x, int i) {
    poisson     *k = self;
    double       most = 0.0;
    bool         mismatch;
    zw_channel   ignored;
    const chain *of = find_own(k, &i, &ignored, &mismatch);
    if (!mismatch) {
        return of != NULL ? of->ops->observe(of->self, memory_z(k, x) + of->z0, i) : 0.0;
    }
    for (int n = 0; n < k->nchains; n++) {
        const chain *c = &k->chain[n];
        if (c->ops->mismatch != NULL) {
            zw_state part = slice(c, x);
            most = fmax(most, c->ops->mismatch(c->self, &part, memory_z(k, x) + c->z0));
        }
    }
    return most;
}

#define OPS(label, creator)                                                                                                 \
    {                                                                                                                       \
        .name = label, .order = 1, .create = creator, .start = poisson_start, .step = poisson_step, .limit = poisson_limit, \
        .destroy = poisson_destroy, .account = poisson_account, .own = poisson_own, .observe = poisson_observe              \
    }

const zw_integrator_ops zw_poisson_ops = OPS("poisson", poisson_create);
const zw_integrator_ops zw_hamel_ops = OPS("hamel", hamel_create);
const zw_integrator_ops zw_poisson_consistent_ops = OPS("poisson-consistent", consistent_create);

/* SPDX-License-Identifier: Apache-2.0
 * verify_lagrangian.c: metric, velocity terms and forces of a lagrangian body against differences of T, V and R as they are written, by a tape of
 * these alone. In the body's velocities u (qdot = W u + w; W = 1, w = 0 without quasi-velocities) and for a direction d of them, delta = W d:
 *   p.delta = d/deps T(q, qdot + eps delta, t)
 *   d'M e   = d/dtau p.delta at qdot + tau W e
 *   c.d     = d/dtau [p.delta along the motion at fixed u] - d/dtau T(q + tau delta)
 *   F.d     = Q.delta - d/dtau V(q + tau delta) - d/deps R(qdot + eps delta)
 * Differences of differences: the inner ones are of order eight in a velocity, in which T is a polynomial of degree two (almost always). */
#include "analysis/verify.h"

#include "parts/lagrangian.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EACH = 8, SOME = 4 }; /* up to so many velocities one by one, otherwise so many random directions */
enum { OF_T, OF_V, OF_R, OF_Q };

struct zw_lagrangian_probe {
    zw_lagrangian           *L;
    const zw_part           *part;
    const char              *body;
    const zw_lagrangian_def *def;
    const zw_model          *model;
    int                      n, ndirections;
    zw_tape                 *tape;
    double                  *in, *work, *value;       /* of the tape: T, V, R, Q[n] */
    double                  *M, *c, *F, *qdot, *gain; /* at the state; gain: rate of qdot along the motion at fixed u */
    double                  *d, *delta;               /* [ndirections n] */
    double                  *exact, *scale;           /* [ndirections] */
    double                  *q, *v;                   /* where the tape is evaluated */
    zw_state                 x;                       /* the body's own slices */
    double                   pace;
    const double            *turned; /* the direction e of M */
    zw_equation_probe       *equation;
};

static zw_status create_probe(zw_verifier *k, const zw_part *part, const char *body, zw_lagrangian_probe **out) {
    zw_lagrangian_probe *p = zw_arena_alloc(&k->arena, 1, sizeof *p, "a verification");
    *out = p;
    if (p == NULL) {
        return ZW_E_MEMORY;
    }
    p->L = part->self;
    p->part = part;
    p->body = body;
    p->def = zw_lagrangian_def_of(p->L);
    p->model = k->y->model;
    p->n = p->def->n;
    p->ndirections = p->n <= EACH ? p->n : SOME;
    const zw_lagrange *e = zw_lagrangian_equations(p->L);
    size_t             n = (size_t)p->n, nd = (size_t)p->ndirections, inputs = (size_t)zw_pool_inputs(p->model->pool);
    zw_node           *root = zw_arena_alloc(&k->arena, n + OF_Q, sizeof *root, "a verification");
    if (root == NULL) {
        return ZW_E_MEMORY;
    }
    root[OF_T] = e->T;
    root[OF_V] = e->V;
    root[OF_R] = e->R;
    memcpy(root + OF_Q, e->Q, sizeof *root * n);
    ZW_TRY(zw_tape_create(k->c, p->model->pool, root, p->n + OF_Q, &p->tape));
    struct {
        double **at;
        size_t   count;
    } want[] = {{&p->in, inputs},
                {&p->work, (size_t)zw_tape_work(p->tape)},
                {&p->value, n + OF_Q},
                {&p->M, n * n},
                {&p->c, n},
                {&p->F, n},
                {&p->qdot, n},
                {&p->gain, n},
                {&p->d, nd * n},
                {&p->delta, nd * n},
                {&p->exact, nd},
                {&p->scale, nd},
                {&p->q, n},
                {&p->v, n}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        *want[i].at = zw_arena_alloc(&k->arena, want[i].count + 1, sizeof(double), "a verification");
        if (*want[i].at == NULL) {
            return ZW_E_MEMORY;
        }
    }
    zw_model_inputs(p->model, p->in);
    return zw_verify_equation_create(k, p->L, body, &p->equation);
}

bool zw_verify_is_lagrangian(const zw_part *part) {
    return strcmp(part->ops->kind, zw_lagrangian_ops.kind) == 0;
}

zw_status zw_verify_lagrangian_create(zw_verifier *k) {
    const zw_part *part;
    int            parts = zw_system_parts(k->y, &part);
    k->probe = zw_arena_alloc(&k->arena, (size_t)parts + 1, sizeof *k->probe, "a verification");
    if (k->probe == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < parts; i++) {
        if (!zw_verify_is_lagrangian(&part[i])) {
            continue;
        }
        const char *name = "";
        for (int b = 0; b < k->y->model->nbodies; b++) {
            name = k->y->body_part[b] == i ? k->y->model->bodies[b].name : name;
        }
        ZW_TRY(create_probe(k, &part[i], name, &k->probe[k->nprobes++]));
    }
    return ZW_OK;
}

void zw_verify_lagrangian_destroy(zw_verifier *k) {
    for (int i = 0; i < k->nprobes; i++) {
        if (k->probe[i] != NULL) {
            zw_tape_destroy(k->probe[i]->tape);
            zw_verify_equation_destroy(k->probe[i]->equation);
        }
    }
}

/* the tape at p->q, p->v */
static void evaluate(zw_lagrangian_probe *p, double t) {
    for (int i = 0; i < p->n; i++) {
        p->in[p->def->slot_q[i]] = p->q[i];
        p->in[p->def->slot_v[i]] = p->v[i];
    }
    p->in[p->model->slot_t] = t;
    zw_tape_eval(p->tape, p->in, p->work, p->value);
}

/* to = from + s d; d NULL: from */
static void shift(int n, const double *from, double s, const double *d, double *to) {
    for (int i = 0; i < n; i++) {
        to[i] = from[i] + (d != NULL ? s * d[i] : 0.0);
    }
}

/* p.delta at (q, v, t): p->v is left changed */
static double momentum(zw_lagrangian_probe *p, const double *v, const double *delta, double t) {
    const double h = 0.125;
    double       sum = 0.0;
    for (int i = 0; i < ZW_VERIFY_POINTS; i++) {
        shift(p->n, v, zw_verify_point[i] * h, delta, p->v);
        evaluate(p, t);
        sum += zw_verify_weight[i] * p->value[OF_T] / h;
    }
    return sum;
}

static zw_status metric_curve(zw_verifier *k, void *user, double tau, double *value) {
    zw_lagrangian_probe *p = user;
    size_t               n = (size_t)p->n;
    double              *v = k->line[5];
    memcpy(p->q, p->x.q, sizeof(double) * n);
    shift(p->n, p->qdot, tau, p->turned, v);
    for (int i = 0; i < p->ndirections; i++) {
        value[i] = momentum(p, v, p->delta + (size_t)i * n, p->x.t);
    }
    return ZW_OK;
}

static zw_status bias_curve(zw_verifier *k, void *user, double tau, double *value) {
    zw_lagrangian_probe *p = user;
    size_t               n = (size_t)p->n;
    double              *v = k->line[5];
    shift(p->n, p->qdot, tau, p->gain, v);
    for (int i = 0; i < p->ndirections; i++) {
        const double *delta = p->delta + (size_t)i * n;
        shift(p->n, p->x.q, tau, p->qdot, p->q);
        value[i] = momentum(p, v, delta, p->x.t + tau);
        shift(p->n, p->x.q, tau, delta, p->q);
        memcpy(p->v, p->qdot, sizeof(double) * n);
        evaluate(p, p->x.t);
        value[i] -= p->value[OF_T];
    }
    return ZW_OK;
}

static zw_status force_curve(zw_verifier *k, void *user, double tau, double *value) {
    zw_lagrangian_probe *p = user;
    size_t               n = (size_t)p->n;
    (void)k;
    for (int i = 0; i < p->ndirections; i++) {
        const double *delta = p->delta + (size_t)i * n;
        shift(p->n, p->x.q, tau, delta, p->q);
        memcpy(p->v, p->qdot, sizeof(double) * n);
        evaluate(p, p->x.t);
        value[i] = p->value[OF_V];
        memcpy(p->q, p->x.q, sizeof(double) * n);
        shift(p->n, p->qdot, tau / p->pace, delta, p->v);
        evaluate(p, p->x.t);
        value[i] += p->pace * p->value[OF_R];
    }
    return ZW_OK;
}

static void direction_name(zw_verifier *k, void *user, int i, char *out, size_t size) {
    const zw_lagrangian_probe *p = user;
    (void)k;
    if (p->n > EACH) {
        snprintf(out, size, "a random direction of '%s'", p->body);
    } else {
        snprintf(out, size, "%s of '%s'", p->def->nquasi > 0 ? p->def->quasi[i].name : p->def->coordinate[i], p->body);
    }
}

static zw_lagrangian_look const *look_at(zw_lagrangian_probe *p, double t, double *q, double *u) {
    zw_state x = p->x;
    x.t = t;
    x.q = q;
    x.v = u;
    return zw_lagrangian_at(p->L, &x);
}

/* the body's numbers at the state, directions and how they move the coordinates */
static zw_status begin(zw_verifier *k, zw_lagrangian_probe *p) {
    size_t        n = (size_t)p->n;
    const double *unit_q = k->unit_q + p->part->v0, *unit_v = k->unit_v + p->part->v0;
    p->x = (zw_state){.t = k->x.t, .q = k->x.q + p->part->q0, .v = k->x.v + p->part->v0, .s = k->x.s + p->part->s0};
    const zw_lagrangian_look *look = zw_lagrangian_at(p->L, &p->x);
    memcpy(p->qdot, look->qdot, sizeof(double) * n);
    /* M, c and F as the system has them, which is what moves it */
    const zw_metric *metric = zw_system_mass(k->y, &k->x);
    double          *one = k->line[0], *product = k->line[1];
    memset(one, 0, sizeof(double) * (size_t)k->n.nv);
    for (size_t j = 0; j < n; j++) {
        one[p->part->v0 + (int)j] = 1.0;
        zw_verify_metric_product(metric, one, product);
        one[p->part->v0 + (int)j] = 0.0;
        for (size_t i = 0; i < n; i++) {
            p->M[i * n + j] = product[p->part->v0 + (int)i];
        }
    }
    zw_system_bias(k->y, &k->x, one);
    for (size_t i = 0; i < n; i++) {
        p->c[i] = -one[p->part->v0 + (int)i];
    }
    ZW_TRY(zw_system_force(k->y, &k->x, one));
    memcpy(p->F, one + p->part->v0, sizeof(double) * n);
    p->pace = k->pace;
    for (int i = 0; i < p->ndirections; i++) {
        double *d = p->d + (size_t)i * n, *delta = p->delta + (size_t)i * n;
        for (int j = 0; j < p->n; j++) {
            d[j] = p->n > EACH ? unit_v[j] * zw_verify_random(k) : i == j ? unit_v[j] : 0.0;
        }
        memcpy(delta, d, sizeof(double) * n);
        if (p->def->nquasi > 0) { /* qdot is affine in u */
            shift(p->n, p->x.v, 1.0, d, p->v);
            look = look_at(p, p->x.t, p->x.q, p->v);
            shift(p->n, look->qdot, -1.0, p->qdot, delta);
        }
        for (int j = 0; j < p->n; j++) {
            p->pace = delta[j] != 0.0 ? fmin(p->pace, unit_q[j] / fabs(delta[j])) : p->pace;
        }
    }
    memset(p->gain, 0, sizeof(double) * n);
    for (int i = 0; p->def->nquasi > 0 && i < ZW_VERIFY_POINTS; i++) {
        double h = 0.01 * p->pace, step = zw_verify_point[i] * h;
        shift(p->n, p->x.q, step, p->qdot, p->q);
        look = look_at(p, p->x.t + step, p->q, p->x.v);
        shift(p->n, p->gain, zw_verify_weight[i] / h, look->qdot, p->gain);
    }
    return ZW_OK;
}

static zw_status check(zw_verifier *k, zw_lagrangian_probe *p) {
    size_t               n = (size_t)p->n;
    double               kinetic, potential, drag;
    zw_verify_difference by = {.user = p, .n = p->ndirections, .exact = p->exact, .scale = p->scale, .name = direction_name};
    ZW_TRY(begin(k, p));
    memcpy(p->q, p->x.q, sizeof(double) * n);
    memcpy(p->v, p->qdot, sizeof(double) * n);
    evaluate(p, p->x.t);
    kinetic = fabs(p->value[OF_T]);
    potential = fabs(p->value[OF_V]);
    drag = fabs(p->value[OF_R]);
    for (int i = 0; i < p->ndirections; i++) {
        const double *delta = p->delta + (size_t)i * n, *d = p->d + (size_t)i * n;
        double        forced = zw_verify_dot(p->n, p->value + OF_Q, delta), F = zw_verify_dot(p->n, p->F, d);
        p->exact[i] = forced - F;
        p->scale[i] = fabs(forced) + fabs(F) + potential / p->pace + drag;
    }
    by.kind = ZW_VERIFY_FORCE;
    by.curve = force_curve;
    by.unit = p->pace;
    ZW_TRY(zw_verify_compare(k, &by));
    for (int e = 0; e < p->ndirections; e++) {
        const double *turn = p->d + (size_t)e * n;
        double        most = kinetic;
        for (int i = 0; i < p->ndirections; i++) {
            const double *d = p->d + (size_t)i * n;
            p->exact[i] = 0.0;
            p->scale[i] = 0.0;
            for (size_t j = 0; j < n; j++) {
                p->exact[i] += d[j] * zw_verify_dot(p->n, p->M + j * n, turn);
                most = fmax(most, fabs(d[j] * p->M[j * n + j] * d[j]));
            }
        }
        for (int i = 0; i < p->ndirections; i++) {
            p->scale[i] = fabs(p->exact[i]) + most;
        }
        p->turned = p->delta + (size_t)e * n;
        by.kind = ZW_VERIFY_MASS;
        by.curve = metric_curve;
        by.unit = 1.0;
        ZW_TRY(zw_verify_compare(k, &by));
    }
    for (int i = 0; i < p->ndirections; i++) {
        const double *d = p->d + (size_t)i * n;
        double        own = 0.0;
        for (size_t j = 0; j < n; j++) {
            own += d[j] * zw_verify_dot(p->n, p->M + j * n, d);
        }
        p->exact[i] = zw_verify_dot(p->n, p->c, d);
        p->scale[i] = fabs(p->exact[i]) + (kinetic + fabs(own)) / p->pace;
    }
    by.kind = ZW_VERIFY_BIAS;
    by.curve = bias_curve;
    by.unit = p->pace;
    ZW_TRY(zw_verify_compare(k, &by));
    const double *a = k->a + p->part->v0; /* qddot = W a + (rate of qdot at fixed u) */
    double        inertia = 0.0;
    for (size_t i = 0; i < n; i++) {
        double row = fabs(p->c[i]) + fabs(p->F[i]);
        for (size_t j = 0; j < n; j++) {
            row += fabs(p->M[i * n + j] * a[j]);
        }
        inertia = fmax(inertia, row);
    }
    memcpy(p->c, a, sizeof(double) * n);
    if (p->def->nquasi > 0) {
        shift(p->n, p->x.v, 1.0, a, p->v);
        shift(p->n, look_at(p, p->x.t, p->x.q, p->v)->qdot, -1.0, p->qdot, p->c);
        shift(p->n, p->c, 1.0, p->gain, p->c);
    }
    return zw_verify_equation(k, p->equation, p->x.q, p->qdot, p->c, inertia);
}

zw_status zw_verify_lagrangian(zw_verifier *k) {
    for (int i = 0; i < k->nprobes; i++) {
        ZW_TRY(check(k, k->probe[i]));
    }
    if (k->nprobes == 0) {
        zw_verify_skip(k, ZW_VERIFY_MASS, "no lagrangian body");
        zw_verify_skip(k, ZW_VERIFY_BIAS, "no lagrangian body");
        zw_verify_skip(k, ZW_VERIFY_EQUATION, "no lagrangian body");
    }
    return ZW_OK;
}

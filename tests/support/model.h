/* SPDX-License-Identifier: Apache-2.0
 * model.h: models written as YAML text in a test, and the motions made of them. Whatever fails on the way prints its errors and fails the test.
 *
 *   fixture   context, model, and a system or a run; the log of the library is kept in .log
 *   stepper   system + integrator + two states, for tests that reach into the state between steps */
#ifndef ZW_TESTS_MODEL_H
#define ZW_TESTS_MODEL_H

#include "support/check.h"

#include "math/vec3.h"
#include "parts/rod.h"
#include "system/system.h"
#include "zwang/run.h"

#include <string.h>

typedef struct fixture {
    zw_context *c;
    zw_model   *m;
    zw_system  *y;
    zw_run     *r;
    char        log[4000];
} fixture;

static inline void fixture_log(void *user, zw_log_level level, const char *text) {
    fixture *f = user;
    size_t   used = strlen(f->log);
    (void)level;
    snprintf(f->log + used, sizeof f->log - used, "%s\n", text);
}

static inline void fixture_die(const fixture *f, const char *what) {
    for (int i = 0; i < zw_error_count(f->c); i++) {
        char line[1200];
        zw_error_format(zw_error_at(f->c, i), line, sizeof line);
        print_error("%s: %s\n", what, line);
    }
    fail_msg("%s failed", what);
}

static inline void fixture_must(const fixture *f, zw_status status, const char *what) {
    if (status != ZW_OK) {
        print_error("%s: %s\n", what, zw_status_name(status));
        fixture_die(f, what);
    }
}

/* the newest error; fails when there is none */
static inline const zw_error *fixture_error(const fixture *f) {
    assert_true(zw_error_count(f->c) > 0);
    return zw_error_at(f->c, zw_error_count(f->c) - 1);
}

static inline void fixture_parse(fixture *f, const char *text) {
    zw_context_def def = zw_context_def_default();
    memset(f, 0, sizeof *f);
    def.log = fixture_log;
    def.log_user = f;
    assert_int_equal(zw_context_create(&def, &f->c), ZW_OK);
    fixture_must(f, zw_model_parse(f->c, "test.yaml", text, strlen(text), 0, NULL, &f->m), "zw_model_parse");
}

static inline void fixture_system(fixture *f, const char *text) {
    fixture_parse(f, text);
    fixture_must(f, zw_system_create(f->m, &f->y), "zw_system_create");
}

static inline void fixture_run(fixture *f, const char *text) {
    fixture_parse(f, text);
    fixture_must(f, zw_run_create(f->m, &f->r), "zw_run_create");
}

static inline void fixture_advance(fixture *f, int64_t steps) {
    fixture_must(f, zw_run_advance(f->r, steps), "zw_run_advance");
}

static inline void fixture_close(fixture *f) {
    zw_run_destroy(f->r);
    zw_system_destroy(f->y);
    zw_model_destroy(f->m);
    zw_context_destroy(f->c);
    memset(f, 0, sizeof *f);
}

static inline zw_system *fixture_y(const fixture *f) {
    return f->y != NULL ? f->y : zw_run_system(f->r);
}

static inline const zw_rods *fixture_rods(const fixture *f) {
    const zw_part *part;
    zw_system_parts(fixture_y(f), &part);
    return part[0].self;
}

static inline void fixture_state(const fixture *f, zw_state *x) { /* as written in the model; freed with zw_state_destroy(f->c, x) */
    zw_size n = zw_system_size(f->y);
    fixture_must(f, zw_state_create(f->c, &n, x), "zw_state_create");
    fixture_must(f, zw_system_start(f->y, x), "zw_system_start");
}

typedef struct stepper {
    fixture                 *f;
    const zw_integrator_ops *ops;
    void                    *self;
    zw_size                  n;
    zw_state                 x[2];
    int                      now;
    int64_t                  done;
    double                   h, t0;
} stepper;

static inline zw_state *stepper_x(stepper *s) {
    return &s->x[s->now];
}

/* after the state was changed from outside */
static inline void stepper_restart(stepper *s) {
    s->t0 = stepper_x(s)->t;
    s->done = 0;
    fixture_must(s->f, s->ops->start(s->self, stepper_x(s)), "start of the integrator");
}

/* the fixture must hold a system; the start velocities must agree with its rows */
static inline void stepper_open_by(stepper *s, fixture *f, const char *integrator, double h) {
    int nw;
    *s = (stepper){.f = f, .h = h, .ops = zw_integrator_find(integrator)};
    assert_non_null(s->ops);
    fixture_must(f, s->ops->create(f->y, &s->self, &nw), "create of the integrator");
    s->n = zw_system_size(f->y);
    s->n.nw = nw;
    for (int i = 0; i < 2; i++) {
        fixture_must(f, zw_state_create(f->c, &s->n, &s->x[i]), "zw_state_create");
    }
    fixture_must(f, zw_system_start(f->y, stepper_x(s)), "zw_system_start");
    stepper_restart(s);
}

static inline void stepper_open(stepper *s, fixture *f, double h) {
    stepper_open_by(s, f, "verlet", h);
}

static inline zw_status stepper_try(stepper *s, int64_t steps) {
    for (int64_t i = 0; i < steps; i++) {
        zw_state *to = &s->x[1 - s->now];
        zw_status status = s->ops->step(s->self, stepper_x(s), s->h, to);
        if (status != ZW_OK) {
            return status;
        }
        s->now = 1 - s->now;
        s->done++;
        to->t = s->t0 + (double)s->done * s->h;
    }
    return ZW_OK;
}

static inline void stepper_go(stepper *s, int64_t steps) {
    fixture_must(s->f, stepper_try(s, steps), "step");
}

static inline zw_account stepper_account(stepper *s) {
    zw_account a;
    zw_system_account(s->f->y, stepper_x(s), &a);
    return a;
}

static inline double account_energy(const zw_account *a) {
    return a->kinetic + a->elastic + a->potential;
}

static inline void stepper_close(stepper *s) {
    s->ops->destroy(s->self);
    zw_state_destroy(s->f->c, &s->x[0]);
    zw_state_destroy(s->f->c, &s->x[1]);
}

/* ---- numbers */
static inline double noise(uint64_t *seed) { /* -0.5 .. 0.5 */
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53 - 0.5;
}

static inline double largest(int n, const double *v) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fabs(v[i]) > most || isnan(v[i]) ? fabs(v[i]) : most;
    }
    return most;
}

static inline double largest_difference(int n, const double *a, const double *b) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        double d = fabs(a[i] - b[i]);
        most = d > most || isnan(d) ? d : most;
    }
    return most;
}

/* weights of the central difference of eighth order: f' = sum w_k (f(k h) - f(-k h))/h */
static const double difference8[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};

/* moves a state: every node gets a random turn and shift of the given sizes, every velocity noise */
static inline void shake(zw_system *y, zw_state *x, double turn, double shift, double speed, uint64_t *seed) {
    zw_size n = zw_system_size(y);
    double *dv = calloc((size_t)n.nv, sizeof *dv), *q = calloc((size_t)n.nq, sizeof *q);
    for (int i = 0; i < n.nv; i++) {
        dv[i] = 2.0 * noise(seed) * (i % 6 < 3 ? turn : shift);
        x->v[i] += 2.0 * speed * noise(seed);
    }
    zw_system_retract(y, x->q, dv, q);
    memcpy(x->q, q, sizeof(double) * (size_t)n.nq);
    free(dv);
    free(q);
}

#endif

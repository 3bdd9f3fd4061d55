/* SPDX-License-Identifier: Apache-2.0
 * bracket.h: runs of the integrators poisson, poisson-consistent and hamel in tests: opened with their options, stepped without monitors,
 * looked at in z. */
#ifndef ZW_TESTS_BRACKET_H
#define ZW_TESTS_BRACKET_H

#include "support/model.h"

#include "events/run.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "parts/rod_bracket.h"

typedef struct scheme {
    const char    *name;
    zw_ends        ends;
    zw_reconstruct reconstruct;
} scheme;

static const scheme POISSON = {"poisson", ZW_ENDS_FULL, ZW_RECONSTRUCT_OLD}; /* as printed */
static const scheme HAMEL = {"hamel", ZW_ENDS_FULL, ZW_RECONSTRUCT_OLD};
static const scheme CONSISTENT = {"poisson-consistent", ZW_ENDS_HALF, ZW_RECONSTRUCT_OLD};

static inline void bracket_parse(fixture *f, const char *text, scheme s) {
    fixture_parse(f, text);
    f->m->run.integrator = s.name;
    f->m->run.ends = s.ends;
    f->m->run.reconstruct = s.reconstruct;
}

static inline void bracket_open(fixture *f, const char *text, scheme s) {
    bracket_parse(f, text, s);
    fixture_must(f, zw_run_create(f->m, &f->r), "zw_run_create");
}

static inline zw_state *bracket_x(fixture *f) {
    return &f->r->x[f->r->now];
}

static inline void bracket_step(fixture *f, double h) {
    zw_run   *r = f->r;
    zw_state *x0 = &r->x[r->now], *x1 = &r->x[1 - r->now];
    fixture_must(f, r->ops->step(r->integrator, x0, h, x1), "step");
    x1->t = x0->t + h;
    r->now = 1 - r->now;
}

static inline void bracket_go(fixture *f, double h, long steps) {
    for (long i = 0; i < steps; i++) {
        bracket_step(f, h);
    }
}

static inline zw_account bracket_account(fixture *f) {
    zw_account a = {0};
    if (f->r->ops->account != NULL) {
        f->r->ops->account(f->r->integrator, bracket_x(f), &a);
    } else {
        zw_system_account(f->r->system, bracket_x(f), &a);
    }
    return a;
}

static inline double bracket_mismatch(fixture *f) {
    return f->r->ops->observe(f->r->integrator, bracket_x(f), 0);
}

/* z stands at the end of w; mu, then Gamma, component by component */
static inline double *bracket_z(fixture *f, const zw_state *x) {
    return x->w + f->r->size.nw - 12 * fixture_rods(f)->bracket->stride;
}

static inline void bracket_mu(fixture *f, const zw_state *x, int node, double out[6]) {
    size_t stride = fixture_rods(f)->bracket->stride;
    for (size_t k = 0; k < 6; k++) {
        out[k] = bracket_z(f, x)[k * stride + (size_t)node];
    }
}

static inline void bracket_gamma(fixture *f, const zw_state *x, int slot, double out[6]) {
    size_t stride = fixture_rods(f)->bracket->stride;
    for (size_t k = 0; k < 6; k++) {
        out[k] = bracket_z(f, x)[(6 + k) * stride + (size_t)slot];
    }
}

typedef struct ledger { /* extremes over a motion, against its start */
    double energy, low, high;
    double linear, angular;           /* largest component of the change */
    double linear_norm, angular_norm; /* its largest length              */
    double mismatch, mismatch_final;
} ledger;

/* largest component of the difference */
static inline double component(const double a[3], const double b[3]) {
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

/* looks at the first ten steps, and then at every so many */
static inline ledger bracket_watch(fixture *f, double h, long steps, long every) {
    zw_account a0 = bracket_account(f);
    ledger     out = {.energy = account_energy(&a0)};
    for (long i = 1; i <= steps; i++) {
        bracket_step(f, h);
        if (i <= 10 || i % every == 0) {
            zw_account a = bracket_account(f);
            double     e = account_energy(&a) - out.energy;
            out.low = fmin(out.low, e);
            out.high = fmax(out.high, e);
            out.linear = fmax(out.linear, component(a.momentum, a0.momentum));
            out.angular = fmax(out.angular, component(a.angular, a0.angular));
            out.linear_norm = fmax(out.linear_norm, zw_v3_distance(a.momentum, a0.momentum));
            out.angular_norm = fmax(out.angular_norm, zw_v3_distance(a.angular, a0.angular));
            out.mismatch = fmax(out.mismatch, bracket_mismatch(f));
        }
    }
    out.mismatch_final = bracket_mismatch(f);
    return out;
}

static inline void ledger_print(const char *what, const ledger *l) {
    print_message("%-28s E0 %.6f band [%.4f, %+.4f] dP %.3e (%.3e) dL %.3e (%.3e) mismatch %.3e, at the end %.3e\n", what, l->energy,
                  l->low, l->high, l->linear, l->linear_norm, l->angular, l->angular_norm, l->mismatch, l->mismatch_final);
}

/* section 4 of the paper: axes (E1, E2, E3) = (d2, d3, d1) */
#define SECTION4                                                                                                                                \
    "zwang: 1\nparameters: {L: 2*pi/3, a: 0.1}\nbodies:\n  beam:\n    rod:\n      length: L\n      elements: 100\n      section: {square: a}\n" \
    "      material: {density: 1000, young: 1e7, poisson: 0.35}\n      shape: {curvature: [0, -1, 0]}\n"                                        \
    "      velocity: {director: [0, sin(pi*s/L), 1]}\nrun: {until: 0.1, step: 1e-4}\n"

#endif

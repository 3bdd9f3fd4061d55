/* SPDX-License-Identifier: Apache-2.0
 * growth.h: a rod that only grows, for tests of growth laws. It lies in the plane of x and z, free of stress and following its natural curvature,
 * with the angle A from z: d3 = (sin A, 0, cos A), d2 = y, so that dA/ds = k0_2; `load` may put anything on top of that. */
#ifndef ZW_TESTS_GROWTH_H
#define ZW_TESTS_GROWTH_H

#include "support/check.h"

#include "parts/growth_law.h"

#include <string.h>

enum { BENCH_LINKS = 1024, BENCH_MEMORY = 1 << 17 };

typedef struct bench bench;
struct bench {
    zw_context     *context;
    zw_pool        *pool;
    zw_scope       *scope;
    zw_growth_law  *law;
    zw_growth_rod   rod;
    zw_growth_def   def;
    double          l[BENCH_LINKS], natural[3 * BENCH_LINKS], s[4 * BENCH_LINKS], w[BENCH_MEMORY], in[128];
    zw_growth_sense sense[BENCH_LINKS];
    double          l0;               /* label length of a link */
    double          angle0;           /* at the base */
    void (*load)(bench *b, double t); /* changes sense[]; may be NULL */
    double data[8];
};

static zw_status bench_feel(void *user, double t, zw_growth_rod *rod) {
    bench *b = user;
    double angle = b->angle0, arc = 0.0, length = 0.0;
    for (int j = 0; j < rod->n; j++) {
        length += rod->l[j];
    }
    for (int j = 0; j < rod->n; j++) {
        zw_growth_sense *a = &rod->sense[j];
        const double    *k0 = rod->natural + 3 * (size_t)j;
        double           A = angle + 0.5 * rod->l[j] * k0[1];
        memset(a, 0, sizeof *a);
        a->label = (j + 0.5) * b->l0;
        a->label_length = b->l0;
        a->tip = length - arc - 0.5 * rod->l[j];
        memcpy(a->kappa, k0, sizeof a->kappa);
        const double R[9] = {cos(A), 0.0, sin(A), 0.0, 1.0, 0.0, -sin(A), 0.0, cos(A)};
        memcpy(a->R, R, sizeof R);
        a->area = a->second[0] = a->second[1] = 1.0;
        a->radius = 0.1;
        angle += rod->l[j] * k0[1];
        arc += rod->l[j];
    }
    if (b->load) {
        b->load(b, t);
    }
    return ZW_OK;
}

/* a rod of n links; then set what is to be set in def and b, and give the parameters to bench_make */
static inline bench *bench_open(int n, double length) {
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    assert_int_equal(zw_context_create(NULL, &b->context), ZW_OK);
    assert_int_equal(zw_pool_create(b->context, &b->pool), ZW_OK);
    assert_int_equal(zw_scope_create(b->pool, NULL, &b->scope), ZW_OK);
    assert_int_equal(zw_scope_add_input(b->scope, "t"), ZW_OK);
    b->l0 = length / n;
    for (int j = 0; j < n; j++) {
        b->l[j] = b->l0;
    }
    b->def.links = n;
    b->rod = (zw_growth_rod){.n = n,
                             .l = b->l,
                             .natural = b->natural,
                             .stride = 3,
                             .s = b->s,
                             .w = b->w,
                             .in = b->in,
                             .sense = b->sense,
                             .feel = bench_feel,
                             .user = b};
    return b;
}

/* texts of the keys in their order; NULL: not given */
static inline zw_status bench_try(bench *b, zw_growth_kind kind, const char *const *text, int ntexts) {
    b->def.kind = kind;
    b->def.in = b->in;
    assert_int_equal(zw_growth_scope_open(b->pool, b->scope, kind), ZW_OK);
    for (int i = 0; i < ntexts; i++) {
        zw_expr_problem problem;
        if (text[i] && zw_expr_parse(b->scope, text[i], &b->def.parameter[i], &problem) != ZW_OK) {
            fail_msg("%s: %s", text[i], problem.message);
        }
    }
    return zw_growth_create(b->context, b->pool, &b->def, &b->law);
}

#define bench_make(b, kind, ...)                                                                               \
    do {                                                                                                       \
        const char *const bench_text_[] = {__VA_ARGS__};                                                       \
        bench_must((b), bench_try((b), (kind), bench_text_, (int)(sizeof bench_text_ / sizeof *bench_text_))); \
        assert_true(zw_growth_memory((b)->law, (b)->rod.n) <= BENCH_MEMORY);                                   \
        bench_must((b), zw_growth_start((b)->law, &(b)->rod, 0.0));                                            \
    } while (0)

static inline void bench_must(bench *b, zw_status status) {
    if (status != ZW_OK) {
        char line[1200] = "";
        if (zw_error_count(b->context) > 0) {
            zw_error_format(zw_error_at(b->context, 0), line, sizeof line);
        }
        fail_msg("%s: %s", zw_status_name(status), line);
    }
}

/* steps of growth from t0 to t1, with the push of each */
static inline void bench_run(bench *b, double t0, double t1, int steps) {
    for (int i = 0; i < steps; i++) {
        double h = (t1 - t0) / steps;
        bench_must(b, zw_growth_flow(b->law, &b->rod, t0 + h * i, h));
        bench_must(b, zw_growth_push(b->law, &b->rod, t0 + h * (i + 1)));
    }
}

static inline double bench_length(const bench *b, int links) {
    double sum = 0.0;
    for (int j = 0; j < links; j++) {
        sum += b->l[j];
    }
    return sum;
}

/* angle at the tip */
static inline double bench_angle(const bench *b) {
    double sum = b->angle0;
    for (int j = 0; j < b->rod.n; j++) {
        sum += b->l[j] * b->natural[3 * j + 1];
    }
    return sum;
}

static inline void bench_close(bench *b) {
    zw_growth_destroy(b->law);
    zw_scope_destroy(b->scope);
    zw_pool_destroy(b->pool);
    zw_context_destroy(b->context);
    free(b);
}

#endif

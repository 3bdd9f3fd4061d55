/* SPDX-License-Identifier: Apache-2.0
 * fixture.h: a pool with a scope that has inputs x y t s L, vectors r and kappa (with directors), a value `area`, and hints. */
#ifndef ZW_TESTS_EXPR_FIXTURE_H
#define ZW_TESTS_EXPR_FIXTURE_H

#include "support/check.h"

#include "expr/parse.h"
#include "expr/tape.h"

#include <string.h>

typedef struct fixture {
    zw_context *context;
    zw_pool    *pool;
    zw_scope   *outer, *scope;
} fixture;

/* x y t s L, then r.x r.y r.z, kappa.x .. .z .d1 .. .d3 */
static const double fixture_in[] = {0.5, -1.5, 2.0, 0.25, 4.0, 1.0, 2.0, 3.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
enum { FIXTURE_INPUTS = sizeof fixture_in / sizeof fixture_in[0] };

static inline void fixture_open(fixture *f) {
    assert_int_equal(zw_context_create(NULL, &f->context), ZW_OK);
    assert_int_equal(zw_pool_create(f->context, &f->pool), ZW_OK);
    assert_int_equal(zw_scope_create(f->pool, NULL, &f->outer), ZW_OK);
    assert_int_equal(zw_scope_create(f->pool, f->outer, &f->scope), ZW_OK);
    static const char *const names[] = {"x", "y", "t", "s", "L"};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(zw_scope_add_input(i < 3 ? f->outer : f->scope, names[i]), ZW_OK);
    }
    assert_int_equal(zw_scope_add_vector(f->scope, "r", false), ZW_OK);
    assert_int_equal(zw_scope_add_vector(f->scope, "kappa", true), ZW_OK);
    assert_int_equal(zw_scope_add_hint(f->scope, "speed", "it is known in probes only"), ZW_OK);
    zw_value area = {.width = 1};
    area.n[0] = zw_node_mul(f->pool, zw_node_constant(f->pool, 3.0), zw_node_input(f->pool, zw_pool_input(f->pool, "L")));
    assert_int_equal(zw_scope_add_value(f->scope, "area", area), ZW_OK);
    assert_int_equal(zw_pool_inputs(f->pool), FIXTURE_INPUTS);
}

static inline void fixture_close(fixture *f) {
    zw_scope_destroy(f->scope);
    zw_scope_destroy(f->outer);
    zw_pool_destroy(f->pool);
    zw_context_destroy(f->context);
}

static inline zw_value fixture_parse(fixture *f, const char *text) {
    zw_value        v;
    zw_expr_problem problem;
    zw_status       status = zw_expr_parse(f->scope, text, &v, &problem);
    if (status != ZW_OK) {
        print_error("'%s': column %d: %s; %s\n", text, problem.col, problem.message, problem.remedy);
        fail();
    }
    return v;
}

static inline zw_node fixture_node(fixture *f, const char *text) {
    zw_value v = fixture_parse(f, text);
    assert_int_equal(v.width, 1);
    return v.n[0];
}

/* through a tape, as the engine does it */
static inline double fixture_eval(fixture *f, zw_node n, const double *in) {
    zw_tape *t;
    double   out;
    assert_int_equal(zw_tape_create(f->context, f->pool, &n, 1, &t), ZW_OK);
    double *work = malloc(sizeof *work * ((size_t)zw_tape_work(t) + 1));
    assert_non_null(work);
    zw_tape_eval(t, in, work, &out);
    free(work);
    zw_tape_destroy(t);
    return out;
}

/* random numbers that are the same everywhere */
typedef struct fixture_random {
    uint64_t state;
} fixture_random;

static inline uint32_t random_bits(fixture_random *r) {
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    uint64_t z = r->state;
    z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdu;
    return (uint32_t)(z >> 32);
}

static inline int random_below(fixture_random *r, int n) {
    return (int)(random_bits(r) % (uint32_t)n);
}

static inline double random_between(fixture_random *r, double low, double high) {
    return low + (high - low) * ((double)random_bits(r) / 4294967296.0);
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 * Long models: the time to read one grows with its length and not with the square of it, right or wrong. */
#include "support/check.h"

#include "base/text.h"
#include "zwang/model.h"

#include <string.h>
#include <time.h>

#define ROD "{rod: {length: 1, elements: 4, section: {round: 0.01}, material: {density: 1000, young: '1e7*(1 + s)', poisson: 0.3}}}\n"
#define RUN "run: {until: 0.1, step: 1e-3}\n"

/* a model with n of something */
typedef void (*writer)(zw_text *t, int n);

static void parameters(zw_text *t, int n) {
    zw_text_add(t, "parameters:\n");
    for (int i = 0; i < n; i++) {
        zw_text_addf(t, "  p%d: %d\n", i, i);
    }
    zw_text_add(t, "bodies:\n  b: " ROD RUN);
}

static void chains(zw_text *t, int n) { /* 60 deep, in the order that needs most looking ahead */
    zw_text_add(t, "parameters:\n");
    for (int i = n - 1; i >= 0; i--) {
        if (i % 60 == 0) {
            zw_text_addf(t, "  p%d: 1.5\n", i);
        } else {
            zw_text_addf(t, "  p%d: p%d + %d\n", i, i - 1, i);
        }
    }
    zw_text_add(t, "bodies:\n  b: " ROD RUN);
}

static void bodies(zw_text *t, int n) {
    zw_text_add(t, "bodies:\n");
    for (int i = 0; i < n; i++) {
        zw_text_addf(t, "  b%d: " ROD, i);
    }
    zw_text_add(t, "constraints:\n");
    for (int i = 0; i < n; i++) {
        zw_text_addf(t, "  c%d: {clamp: b%d, s: 0}\n", i, i);
    }
    zw_text_add(t, RUN);
}

static void probes(zw_text *t, int n) {
    zw_text_add(t, "bodies:\n  b: " ROD RUN "probes:\n");
    for (int i = 0; i < n / 2; i++) {
        zw_text_addf(t, "  q%d: {position: b, s: 0.5}\n  e%d: {expression: q%d.x + 2*q%d.y}\n", i, i, i, i);
    }
}

static void lagrangians(zw_text *t, int n) {
    zw_text_add(t, "bodies:\n");
    for (int i = 0; i < n; i++) {
        zw_text_addf(
            t,
            "  b%d: {lagrangian: {coordinates: [x, y], define: {h: x*y}, velocities: {u: xdot + ydot, w: dt(h)}, kinetic: u^2 + w^2,"
            " points: {p: [x, y, h]}, constraints: [w = x], start: {u: %d}}}\n",
            i, i);
    }
    zw_text_add(t, "constraints:\n");
    for (int i = 0; i < n; i++) {
        zw_text_addf(t, "  c%d: {ball: b%d, point: p}\n  n%d: {nonholonomic: u = 1, on: b%d}\n", i, i, i, i);
    }
    zw_text_add(t, RUN "probes:\n");
    for (int i = 0; i < n; i++) {
        zw_text_addf(t, "  q%d: {coordinate: b%d.ydot}\n  m%d: {multiplier: n%d}\n", i, i, i, i);
    }
}

static void unknown_names(zw_text *t, int n) {
    zw_text_add(t, "parameters:\n");
    for (int i = 0; i < n; i++) {
        zw_text_addf(t, "  p%d: %s%d\n", i, i % 2 ? "" : "zp", i);
    }
    zw_text_add(t, "bodies:\n  b: " ROD RUN "probes:\n");
    for (int i = 0; i < n; i++) {
        zw_text_addf(t, "  e%d: {expression: zq%dr + 1}\n", i, i);
    }
}

static double read_seconds(writer write, int n, zw_status expected) {
    double best = 1e9;
    for (int round = 0; round < 3; round++) {
        zw_context *c = NULL;
        zw_model   *m = NULL;
        zw_text     t;
        assert_int_equal(zw_context_create(NULL, &c), ZW_OK);
        zw_text_init(&t, c);
        zw_text_add(&t, "zwang: 1\n");
        write(&t, n);
        assert_int_equal(zw_text_status(&t), ZW_OK);
        clock_t start = clock();
        assert_int_equal(zw_model_parse(c, "long.yaml", t.s, t.n, 0, NULL, &m), expected);
        best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC);
        zw_model_destroy(m);
        zw_text_destroy(&t);
        zw_context_destroy(c);
    }
    return best;
}

static void reading_costs_grow_with_the_length(void **state) {
    (void)state;
    static const struct {
        const char *name;
        writer      write;
        int         n;
        zw_status   status;
    } cases[] = {{"parameters", parameters, 9000, ZW_OK},         {"chained parameters", chains, 9000, ZW_OK},
                 {"bodies and constraints", bodies, 3000, ZW_OK}, {"probes", probes, 9000, ZW_OK},
                 {"lagrangians", lagrangians, 3000, ZW_OK},       {"unknown names", unknown_names, 9000, ZW_E_MODEL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double little = read_seconds(cases[i].write, cases[i].n / 9, cases[i].status);
        double much = read_seconds(cases[i].write, cases[i].n, cases[i].status);
        print_message("%d %s: %.1f ms, %d: %.1f ms\n", cases[i].n / 9, cases[i].name, 1e3 * little, cases[i].n, 1e3 * much);
        /* nine times the length; quadratic cost would be 81 times the time */
        assert_true(much < 30.0 * little + 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reading_costs_grow_with_the_length)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

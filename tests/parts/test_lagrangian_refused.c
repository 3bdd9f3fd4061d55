/* SPDX-License-Identifier: Apache-2.0
 * What a lagrangian body refuses, in which words and with which place in the model: states without value or mass, points and frames it has no room for,
 * and memory that runs out. */
#include "support/lagrangian.h"

#include <stdlib.h>

static void refused(const char *text, const char *subject, const char *const *words, int line) {
    lone b;
    lone_open(&b, text);
    assert_true(zw_lagrangian_ops.check(b.L, &b.x) != ZW_OK);
    const zw_error *e = fixture_error(&b.f);
    assert_string_equal(e->subject, subject);
    for (int i = 0; words[i] != NULL; i++) {
        if (strstr(e->message, words[i]) == NULL) {
            fail_msg("'%s' is not in '%s'", words[i], e->message);
        }
    }
    assert_int_equal(e->line, line);
    assert_true(e->col > 0);
    assert_true(e->remedy[0] != 0);
    lone_close(&b);
}

static void a_state_without_mass_or_value_is_explained(void **state) {
    (void)state;
    refused(LAGRANGIAN "      coordinates: [x, y]\n      kinetic: (xdot + ydot)^2/2\n      start: {x: 2}\n" RUNS,
            "bodies.sys.lagrangian.kinetic", (const char *const[]){"no kinetic energy along 0.71 xdot - 0.71 ydot", "x = 2", NULL}, 6);
    refused(LAGRANGIAN "      coordinates: [x, y, z]\n      kinetic: xdot^2/2 + zdot^2\n" RUNS, "bodies.sys.lagrangian.kinetic",
            (const char *const[]){"no kinetic energy along ydot at", NULL}, 6);
    refused(LAGRANGIAN "      coordinates: [x, y]\n      kinetic: xdot^2 + ydot^2 + 3*xdot*ydot\n" RUNS, "bodies.sys.lagrangian.kinetic",
            (const char *const[]){"negative kinetic energy along 0.71 xdot - 0.71 ydot", NULL}, 6);
    refused(LAGRANGIAN "      coordinates: [x, y]\n      particles: {one: {mass: 1, position: [x + y, 0, 0]}}\n" RUNS,
            "bodies.sys.lagrangian.particles", (const char *const[]){"no kinetic energy along 0.71 xdot - 0.71 ydot", NULL}, 6);
    refused(LAGRANGIAN "      coordinates: [x, y]\n      kinetic: xdot^2 + ydot^2\n      potential: 3/y\n      start: {x: 1}\n" RUNS,
            "bodies.sys.lagrangian.potential", (const char *const[]){"3/sys.y", "gives inf", "t = 0, x = 1, y = 0, xdot = 0", NULL}, 7);
    refused(LAGRANGIAN "      coordinates: [x, y]\n      kinetic: xdot^2 + ydot^2\n      constraints:\n        a: xdot = ydot\n"
                       "        b: xdot*log(x - 1) = 2\n" RUNS,
            "bodies.sys.lagrangian.constraints.b", (const char *const[]){"log(sys.x - 1)", "gives nan", NULL}, 9);
    refused(LAGRANGIAN "      coordinates: [x, y]\n      kinetic: xdot^2 + ydot^2\n      forces:\n        y: sqrt(x - 1)\n" RUNS,
            "bodies.sys.lagrangian.forces.y", (const char *const[]){"sqrt", NULL}, 8);
    refused(LAGRANGIAN "      coordinates: [x, y]\n      kinetic: xdot^2/x + ydot^2\n" RUNS, "bodies.sys.lagrangian.kinetic",
            (const char *const[]){"/sys.x", NULL}, 6);
    refused(LAGRANGIAN "      coordinates: [x, y]\n      kinetic: xdot^2 + ydot^2\n      velocities: {u: xdot, w: x*ydot}\n" RUNS,
            "bodies.sys.lagrangian.velocities", (const char *const[]){"do not determine", NULL}, 7);
}

static void force_names_what_is_not_finite_on_the_way(void **state) {
    lone   b;
    double f[2];
    (void)state;
    lone_open(&b, LAGRANGIAN "      coordinates: [x, y]\n      kinetic: xdot^2 + ydot^2\n      potential: 3/y\n      start: {y: 1}\n" RUNS);
    assert_int_equal(zw_lagrangian_ops.force(b.L, &b.x, f), ZW_OK);
    check_near(f[1], 3.0, 0.0);
    assert_int_equal(zw_lagrangian_ops.check(b.L, &b.x), ZW_OK);
    b.x.t = 0.75;
    b.q[1] = 0.0;
    assert_int_equal(zw_lagrangian_ops.force(b.L, &b.x, f), ZW_E_DIVERGED);
    assert_non_null(strstr(fixture_error(&b.f)->message, "t = 0.75"));
    char text[128];
    assert_false(zw_lagrangian_ops.at_fault(b.L, &b.x, text, sizeof text));
    b.v[1] = NAN;
    assert_true(zw_lagrangian_ops.at_fault(b.L, &b.x, text, sizeof text));
    assert_string_equal(text, "velocity ydot of 'sys'");
    lone_close(&b);
}

static void points_of_too_many_coordinates_and_moving_charts_are_refused(void **state) {
    static char text[20000];
    fixture     f;
    void       *self;
    int         used = snprintf(text, sizeof text, "%s      coordinates: [", LAGRANGIAN);
    (void)state;
    for (int i = 0; i < 200; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%sx%d", i > 0 ? ", " : "", i);
    }
    used += snprintf(text + used, sizeof text - (size_t)used, "]\n      kinetic: 1/2*(0");
    for (int i = 0; i < 200; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, " + x%ddot^2", i);
    }
    used += snprintf(text + used, sizeof text - (size_t)used, ")\n      points: {all: {position: [0");
    for (int i = 0; i < 200; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, " + x%d", i);
    }
    snprintf(text + used, sizeof text - (size_t)used, ", 0, 0]}}\n" RUNS);
    fixture_parse(&f, text);
    assert_int_equal(zw_lagrangian_create(f.m, 0, &self), ZW_E_LIMIT);
    assert_null(self);
    assert_non_null(strstr(fixture_error(&f)->message, "34 blocks of 6"));
    assert_int_equal(fixture_error(&f)->line, 7);
    fixture_close(&f);
    fixture_parse(&f, LAGRANGIAN "      coordinates: [x]\n      kinetic: xdot^2\n      velocities: {u: xdot + t}\n" RUNS);
    assert_int_equal(zw_lagrangian_create(f.m, 0, &self), ZW_E_UNSUPPORTED);
    assert_int_equal(fixture_error(&f)->line, 7);
    fixture_close(&f);
}

/* ---- memory */

typedef struct scarce {
    long left; /* allocations that still succeed; negative: all */
} scarce;

static void *scarce_realloc(void *user, void *p, size_t size) {
    scarce *s = user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    if (s->left == 0) {
        return NULL;
    }
    s->left -= s->left > 0;
    return realloc(p, size);
}

static void memory_may_run_out_at_any_time(void **state) {
    static const char *const models[] = {rich, pendulum, sled_frame};
    (void)state;
    for (int m = 0; m < 3; m++) {
        zw_status status = ZW_E_MEMORY;
        for (long k = 0; status != ZW_OK; k++) {
            scarce         s = {.left = -1};
            zw_context_def def = zw_context_def_default();
            zw_context    *c;
            zw_model      *model;
            void          *self;
            def.realloc = scarce_realloc;
            def.realloc_user = &s;
            assert_int_equal(zw_context_create(&def, &c), ZW_OK);
            assert_int_equal(zw_model_parse(c, "test.yaml", models[m], strlen(models[m]), 0, NULL, &model), ZW_OK);
            s.left = k;
            status = zw_lagrangian_create(model, 0, &self);
            s.left = -1;
            assert_true(status == ZW_OK ? self != NULL : status == ZW_E_MEMORY && self == NULL && zw_error_count(c) > 0);
            zw_lagrangian_ops.destroy(self);
            zw_model_destroy(model);
            zw_context_destroy(c);
            assert_true(k < 100000);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_without_mass_or_value_is_explained),
        cmocka_unit_test(force_names_what_is_not_finite_on_the_way),
        cmocka_unit_test(points_of_too_many_coordinates_and_moving_charts_are_refused),
        cmocka_unit_test(memory_may_run_out_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

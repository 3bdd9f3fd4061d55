/* SPDX-License-Identifier: Apache-2.0
 * soak_pile.c: 1000 bodies at rest stay at rest for 10000 steps: balls in a lattice that fills a box, boxes in columns; and balls that fell into a heap. */
#include "support/model.h"

#include "model/schema.h"

static bool forms_meet(void) {
    return !(zw_schema_find("top", "obstacles", NULL)->flags & ZW_KEY_LATER);
}

enum { COUNT, DEPTH, RESIDUAL, FRICTION };

static double own_of(stepper *s, int i) {
    return s->ops->observe(s->self, stepper_x(s), i);
}

static void add(char *text, size_t size, size_t *used, const char *line) {
    size_t n = strlen(line);
    assert_true(*used + n < size);
    memcpy(text + *used, line, n + 1);
    *used += n;
}

/* n bodies along each side, `apart` between columns; box < 0: balls, between walls */
static void open_pile(fixture *f, stepper *s, int n, double apart, bool balls) {
    static char text[400000];
    char        line[400];
    size_t      used = 0;
    double      d = 0.25; /* places are exact in binary: what touches does so to the last bit */
    if (!forms_meet()) {
        skip();
    }
    add(text, sizeof text, &used, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < n * n * n; i++) {
        double at[3] = {(i % n + 0.5) * (d + apart), (i / n % n + 0.5) * (d + apart), (i / n / n + 0.5) * d};
        snprintf(line, sizeof line, "  b%d: {rigid: {%s, mass: 1, at: [%.17g, %.17g, %.17g]}}\n", i,
                 balls ? "sphere: {radius: 0.125}" : "box: {size: [0.25, 0.25, 0.25]}", at[0], at[1], at[2]);
        add(text, sizeof text, &used, line);
    }
    add(text, sizeof text, &used, "obstacles:\n  floor: {plane: {normal: [0, 0, 1]}}\n");
    if (balls) {
        snprintf(line, sizeof line,
                 "  west: {plane: {normal: [1, 0, 0]}}\n  east: {plane: {normal: [-1, 0, 0], at: [%.17g, 0, 0]}}\n"
                 "  south: {plane: {normal: [0, 1, 0]}}\n  north: {plane: {normal: [0, -1, 0], at: [0, %.17g, 0]}}\n",
                 n * d, n * d);
        add(text, sizeof text, &used, line);
    }
    add(text, sizeof text, &used, "contact: {restitution: 0}\nrun: {until: 1, step: 0.001, integrator: verlet}\n");
    fixture_system(f, text);
    stepper_open(s, f, 1e-3);
}

static void rest(int n, double apart, bool balls, double *speed, double *moved, double *residual, double *depth) {
    fixture  f;
    stepper  s;
    zw_state first;
    open_pile(&f, &s, n, apart, balls);
    fixture_state(&f, &first);
    *speed = 0.0;
    long steps = scaled_steps(10000);
    for (long i = 0; i < steps; i++) {
        stepper_go(&s, 1);
        *speed = fmax(*speed, largest(s.n.nv, stepper_x(&s)->v));
    }
    *moved = largest_difference(s.n.nq, first.q, stepper_x(&s)->q);
    *residual = own_of(&s, RESIDUAL);
    *depth = own_of(&s, DEPTH);
    zw_state_destroy(f.c, &first);
    stepper_close(&s);
    fixture_close(&f);
}

static void a_thousand_balls_in_a_box(void **state) {
    double speed, moved, residual, depth;
    (void)state;
    rest(10, 0.0, true, &speed, &moved, &residual, &depth);
    check_below(speed, 1e-12, 1.8e-18);
    check_below(moved, 1e-12, 0.0);
    check_below(residual, 2e-12, 7.1e-16);
    check_below(depth, 1e-12, 0.0);
}

static void a_thousand_boxes_in_columns(void **state) {
    double speed, moved, residual, depth;
    (void)state;
    rest(10, 0.125, false, &speed, &moved, &residual, &depth);
    check_below(speed, 1e-12, 1.2e-27);
    check_below(moved, 1e-12, 2.5e-30);
    check_below(residual, 2e-12, 2.5e-25);
    check_below(depth, 1e-12, 1.2e-30);
}

/* 60 balls of three sizes fall into a box without restitution: the energy falls all the way to rest */
static void a_heap_comes_to_rest(void **state) {
    static char text[20000];
    char        line[300];
    size_t      used = 0;
    fixture     f;
    stepper     s;
    (void)state;
    if (!forms_meet()) {
        skip();
    }
    add(text, sizeof text, &used, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < 60; i++) {
        snprintf(line, sizeof line, "  b%d: {rigid: {sphere: {radius: %.2f}, mass: 1, at: [%.3f, %.3f, %.3f]}}\n", i, 0.08 + 0.02 * (i % 3),
                 0.25 * (i % 4) + 0.007 * (i % 5), 0.25 * (i / 4 % 4) + 0.005 * (i % 7), 0.3 + 0.25 * (i / 16));
        add(text, sizeof text, &used, line);
    }
    add(text, sizeof text, &used,
        "obstacles:\n  floor: {plane: {normal: [0, 0, 1]}}\n  west: {plane: {normal: [1, 0, 0], at: [-0.15, 0, 0]}}\n"
        "  east: {plane: {normal: [-1, 0, 0], at: [0.95, 0, 0]}}\n  south: {plane: {normal: [0, 1, 0], at: [0, -0.15, 0]}}\n"
        "  north: {plane: {normal: [0, -1, 0], at: [0, 0.95, 0]}}\n"
        "contact: {restitution: 0}\nrun: {until: 1, step: 0.001, integrator: verlet}\n");
    fixture_system(&f, text);
    stepper_open(&s, &f, 1e-3);
    zw_account a = stepper_account(&s);
    double     e0 = account_energy(&a), least = e0, rise = 0.0;
    long       steps = scaled_steps(4000);
    for (long i = 0; i < steps; i++) {
        stepper_go(&s, 1);
        a = stepper_account(&s);
        rise = fmax(rise, account_energy(&a) - least);
        least = fmin(least, account_energy(&a));
    }
    check_below(rise, 5e-5, 1.3e-6); /* J of 300: the band of balls that slide over each other */
    check_below(fabs(account_energy(&a) + stepper_x(&s)->w[ZW_W_DISSIPATED] - e0), 5e-10, 9.4e-12);
    if (steps >= 4000) {
        check_below(a.kinetic, 2e-12, 1.8e-26);
    }
    check_below(own_of(&s, DEPTH), 1e-10, 2.6e-12);
    check_below(own_of(&s, RESIDUAL), 2e-11, 4.7e-13);
    stepper_close(&s);
    fixture_close(&f);
}

/* 1000 balls fall into a box and rub: the energy falls, and what the law misses stays small */
static void a_thousand_balls_rub(void **state) {
    static char text[150000];
    char        line[300];
    size_t      used = 0;
    fixture     f;
    stepper     s;
    uint64_t    seed = 1;
    (void)state;
    if (!forms_meet()) {
        skip();
    }
    add(text, sizeof text, &used, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < 1000; i++) {
        snprintf(line, sizeof line, "  b%d: {rigid: {sphere: {radius: 0.05}, mass: 0.5, at: [%.6f, %.6f, %.6f]}}\n", i,
                 (i % 10 + 0.5) * 0.11 + 0.008 * noise(&seed), (i / 10 % 10 + 0.5) * 0.11 + 0.008 * noise(&seed), 0.06 + 0.115 * (i / 100));
        add(text, sizeof text, &used, line);
    }
    add(text, sizeof text, &used,
        "obstacles:\n  floor: {plane: {normal: [0, 0, 1]}}\n  west: {plane: {normal: [1, 0, 0]}}\n"
        "  east: {plane: {normal: [-1, 0, 0], at: [1.1, 0, 0]}}\n  south: {plane: {normal: [0, 1, 0]}}\n"
        "  north: {plane: {normal: [0, -1, 0], at: [0, 1.1, 0]}}\n"
        "contact: {restitution: 0, friction: 0.3}\nrun: {until: 1, step: 0.002, integrator: verlet}\n");
    fixture_system(&f, text);
    stepper_open(&s, &f, 2e-3);
    zw_account a = stepper_account(&s);
    double     e0 = account_energy(&a), least = 0.0;
    long       steps = scaled_steps(200);
    for (long i = 0; i < steps; i++) {
        double before = stepper_x(&s)->w[ZW_W_DISSIPATED];
        stepper_go(&s, 1);
        least = fmin(least, stepper_x(&s)->w[ZW_W_DISSIPATED] - before);
    }
    a = stepper_account(&s);
    check_below(-least, 1e-5, 0.0); /* J of 2800: what a step gives */
    check_below(fabs(account_energy(&a) + stepper_x(&s)->w[ZW_W_DISSIPATED] - e0), 1e-8, 3.6e-11);
    check_below(own_of(&s, DEPTH), 1e-10, 1.9e-12);
    check_below(own_of(&s, FRICTION), 1e-6, 1.1e-8);
    stepper_close(&s);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_balls_in_a_box),
        cmocka_unit_test(a_thousand_boxes_in_columns),
        cmocka_unit_test(a_heap_comes_to_rest),
        cmocka_unit_test(a_thousand_balls_rub),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

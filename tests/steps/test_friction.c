/* SPDX-License-Identifier: Apache-2.0
 * test_friction.c: Coulomb friction of verlet: sticking, sliding, rolling, tipping, all directions alike, energy. */
#include "support/model.h"

#include "model/schema.h"

static bool forms_meet(void) {
    return !(zw_schema_find("top", "obstacles", NULL)->flags & ZW_KEY_LATER);
}

enum { COUNT, DEPTH, RESIDUAL };

static double own_of(stepper *s, int i) {
    return s->ops->observe(s->self, stepper_x(s), i);
}

static double balance_of(stepper *s) {
    zw_account a = stepper_account(s);
    return account_energy(&a) + stepper_x(s)->w[ZW_W_DISSIPATED] - stepper_x(s)->w[ZW_W_WORK];
}

/* one body on a floor that is the plane z = 0; gravity leans by an angle towards x */
static void open_on_slope(fixture *f, stepper *s, double h, double angle, double mu, double e, const char *body) {
    char text[1500];
    if (!forms_meet()) {
        skip();
    }
    snprintf(text, sizeof text,
             "zwang: 1\ngravity: [%.17g, 0, %.17g]\nbodies:\n  b: {rigid: {%s}}\nobstacles:\n  floor: {plane: {normal: [0, 0, 1]}}\n"
             "contact: {restitution: %g, friction: %g}\nrun: {until: 1, step: 0.001, integrator: verlet}\n",
             9.81 * sin(angle), -9.81 * cos(angle), body, e, mu);
    fixture_system(f, text);
    stepper_open(s, f, h);
}

static void close_slope(fixture *f, stepper *s) {
    stepper_close(s);
    fixture_close(f);
}

static const char cube[] = "box: {size: [0.2, 0.2, 0.2]}, mass: 1, at: [0, 0, 0.1]";

static void a_block_sticks_on_a_slope(void **state) {
    double mu = 0.5, limit = atan(mu), most = 0.0, moved = 0.0;
    (void)state;
    for (int k = 0; k < 2; k++) {
        fixture f;
        stepper s;
        open_on_slope(&f, &s, 1e-3, k == 0 ? 0.5 * limit : limit - 1e-3, mu, 0.0, cube);
        for (int i = 0; i < 10000; i++) {
            stepper_go(&s, 1);
            most = fmax(most, largest(6, stepper_x(&s)->v));
        }
        moved = fmax(moved, fabs(stepper_x(&s)->q[0]));
        check_below(own_of(&s, RESIDUAL), 2e-12, 1.5e-12);
        close_slope(&f, &s);
    }
    check_below(most, 2e-12, 1.1e-16);
    check_below(moved, 2e-12, 1.4e-17);
}

static void a_block_slides_down_a_slope(void **state) {
    double  mu = 0.5, angle = atan(mu) + 0.05, a = 9.81 * (sin(angle) - mu * cos(angle));
    fixture f;
    stepper s;
    (void)state;
    open_on_slope(&f, &s, 1e-3, angle, mu, 0.0, cube);
    double e0 = balance_of(&s);
    stepper_go(&s, 2000);
    const zw_state *x = stepper_x(&s);
    check_near(x->v[3], 2.0 * a, 1e-11);
    check_near(x->q[0], 2.0 * a, 1e-11);
    check_near(x->w[ZW_W_DISSIPATED], mu * 9.81 * cos(angle) * x->q[0], 1e-10);
    check_near(balance_of(&s), e0, 1e-11);
    check_below(own_of(&s, RESIDUAL), 2e-12, 8.3e-13);
    close_slope(&f, &s);
}

static void a_sliding_block_stops_in_time(void **state) {
    fixture f;
    stepper s;
    (void)state;
    open_on_slope(&f, &s, 1e-3, 0.0, 0.5, 0.0, "box: {size: [0.2, 0.2, 0.2]}, mass: 1, at: [0, 0, 0.1], velocity: [3, 0, 0]");
    stepper_go(&s, 1000);
    check_near(stepper_x(&s)->q[0], 9.0 / (2.0 * 0.5 * 9.81), 1e-6); /* the last step is not a whole one: h^2 */
    check_below(largest(6, stepper_x(&s)->v), 1e-12, 2.2e-15);
    check_near(stepper_x(&s)->w[ZW_W_DISSIPATED], 4.5, 1e-12);
    close_slope(&f, &s);
}

static void a_ball_comes_to_roll(void **state) {
    double off = 0.0, first = 0.0;
    (void)state;
    for (int k = 0; k < 16; k++) { /* all directions alike */
        double  angle = 0.1 + 0.3927 * k;
        char    body[200];
        fixture f;
        stepper s;
        snprintf(body, sizeof body, "sphere: {radius: 0.1}, mass: 1, at: [0, 0, 0.1], velocity: [%.17g, %.17g, 0]", cos(angle), sin(angle));
        open_on_slope(&f, &s, 1e-3, 0.0, 0.3, 0.0, body);
        stepper_go(&s, 500);
        const zw_state *x = stepper_x(&s);
        check_near(hypot(x->v[3], x->v[4]), 5.0 / 7.0, 1e-9);
        off = fmax(off, fabs(x->v[3] * sin(angle) - x->v[4] * cos(angle)));
        first = k == 0 ? hypot(x->q[0], x->q[1]) : first;
        check_near(hypot(x->q[0], x->q[1]), first, 1e-9);
        check_near(0.5 - 0.5 * 5.0 / 7.0, x->w[ZW_W_DISSIPATED], 1e-9);
        close_slope(&f, &s);
    }
    check_below(off, 2e-12, 5.6e-15);
}

/* a block of width b and height h tips before it slides when b/h < mu */
static void blocks_tip_or_slide(void **state) {
    fixture f;
    stepper s;
    (void)state;
    open_on_slope(&f, &s, 1e-3, 0.3, 1.0, 0.0, "box: {size: [0.1, 0.2, 0.4]}, mass: 1, at: [0, 0, 0.2]"); /* tan 0.3 = 0.309 > 0.25 */
    double e0 = balance_of(&s);
    stepper_go(&s, 300);
    assert_true(stepper_x(&s)->v[1] > 0.1);
    check_near(balance_of(&s), e0, 1e-11);
    stepper_go(&s, 1500);
    check_near(stepper_x(&s)->q[2], 0.05, 1e-10); /* it lies */
    check_below(largest(6, stepper_x(&s)->v), 2e-12, 7.6e-18);
    close_slope(&f, &s);
    open_on_slope(&f, &s, 1e-3, 0.3, 1.0, 0.0, "box: {size: [0.13, 0.2, 0.4]}, mass: 1, at: [0, 0, 0.2]"); /* 0.325: it stands */
    stepper_go(&s, 1000);
    check_below(largest(6, stepper_x(&s)->v), 2e-12, 2.0e-16);
    close_slope(&f, &s);
    open_on_slope(&f, &s, 1e-3, 0.3, 0.2, 0.0, "box: {size: [0.13, 0.2, 0.4]}, mass: 1, at: [0, 0, 0.2]"); /* it slides upright */
    stepper_go(&s, 1000);
    check_near(stepper_x(&s)->v[3], 9.81 * (sin(0.3) - 0.2 * cos(0.3)), 1e-11);
    check_near(stepper_x(&s)->q[2], 0.2, 1e-11);
    close_slope(&f, &s);
}

/* impacts, sliding, rocking: the energy only falls, but for the band of the free motion and of a corner that sticks */
static void friction_gives_no_energy(void **state) {
    static const double e[3] = {0.0, 0.5, 1.0};
    (void)state;
    for (int k = 0; k < 3; k++) {
        fixture f;
        stepper s;
        open_on_slope(
            &f, &s, 1e-3, 0.0, 0.4, e[k],
            "box: {size: [0.2, 0.3, 0.4]}, mass: 1, at: [0, 0, 1], turn: [0.3, 0.5, 0.2], velocity: [1, 0.3, 0], spin: [3, 2, 1]");
        zw_account a = stepper_account(&s);
        double     least = account_energy(&a), rise = 0.0, e0 = balance_of(&s);
        for (int i = 0; i < 3000; i++) {
            stepper_go(&s, 1);
            a = stepper_account(&s);
            rise = fmax(rise, account_energy(&a) - least);
            least = fmin(least, account_energy(&a));
        }
        check_below(rise, 5e-4, 3.3e-5); /* J of 10.5 */
        check_below(fabs(balance_of(&s) - e0), 5e-4, 3.3e-5);
        check_below(own_of(&s, RESIDUAL), 1e-9, 8.9e-11);
        check_below(own_of(&s, DEPTH), 1e-10, 1.4e-12);
        close_slope(&f, &s);
    }
}

/* a belt takes a block along: half of its work is lost on the way */
static void a_belt_takes_along(void **state) {
    fixture f;
    stepper s;
    (void)state;
    if (!forms_meet()) {
        skip();
    }
    fixture_system(&f, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  b: {rigid: {box: {size: [0.2, 0.3, 0.4]}, mass: 1, at: [0, 0, 0.2]}}\n"
                       "obstacles:\n  belt: {plane: {normal: [0, 0, 1]}, motion: {shift: [t, 0, 0]}}\n"
                       "contact: {restitution: 0, friction: 0.3}\nrun: {until: 1, step: 0.001, integrator: verlet}\n");
    stepper_open(&s, &f, 1e-3);
    stepper_go(&s, 1000);
    const zw_state *x = stepper_x(&s);
    check_near(x->v[3], 1.0, 1e-12);
    check_near(x->w[ZW_W_WORK], 1.0, 1e-11);
    check_near(x->w[ZW_W_DISSIPATED], 0.5, 1e-11);
    close_slope(&f, &s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_sticks_on_a_slope),
        cmocka_unit_test(a_block_slides_down_a_slope),
        cmocka_unit_test(a_sliding_block_stops_in_time),
        cmocka_unit_test(a_ball_comes_to_roll),
        cmocka_unit_test(blocks_tip_or_slide),
        cmocka_unit_test(friction_gives_no_energy),
        cmocka_unit_test(a_belt_takes_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

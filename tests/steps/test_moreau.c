/* SPDX-License-Identifier: Apache-2.0
 * test_moreau.c: verlet over contacts without friction: impacts, contacts that last, energy, joints, rods, moving walls, purity. A rigid body has q = (place,
 * quaternion), v = (spin, velocity). */
#include "support/model.h"

#include "model/schema.h"

/* forms meet as soon as the reader lets obstacles through */
static bool forms_meet(void) {
    return !(zw_schema_find("top", "obstacles", NULL)->flags & ZW_KEY_LATER);
}

static double energy_of(stepper *s) {
    zw_account a = stepper_account(s);
    return account_energy(&a);
}

/* energy with what the account says was taken and given */
static double balance_of(stepper *s) {
    const zw_state *x = stepper_x(s);
    return energy_of(s) + x->w[ZW_W_DISSIPATED] - x->w[ZW_W_WORK];
}

enum { COUNT, DEPTH, RESIDUAL };

static double own_of(stepper *s, int i) {
    return s->ops->observe(s->self, stepper_x(s), i);
}

static void open_model(fixture *f, stepper *s, double h, const char *gravity, const char *bodies, const char *rest) {
    char text[6000];
    if (!forms_meet()) {
        skip();
    }
    snprintf(text, sizeof text, "zwang: 1\ngravity: %s\nbodies:\n%s%srun: {until: 1, step: 0.001, integrator: verlet}\n", gravity, bodies,
             rest);
    fixture_system(f, text);
    stepper_open(s, f, h);
}

static void close_model(fixture *f, stepper *s) {
    stepper_close(s);
    fixture_close(f);
}

#define DOWN     "[0, 0, -9.81]"
#define FLOOR(e) "obstacles:\n  floor: {plane: {normal: [0, 0, 1]}}\ncontact: {restitution: " e "}\n"

static void an_elastic_ball_keeps_its_energy(void **state) {
    fixture f;
    stepper s;
    (void)state;
    open_model(&f, &s, 1e-3, DOWN, "  ball: {rigid: {sphere: {radius: 0.1}, mass: 2, at: [0, 0, 0.1005]}}\n", FLOOR("1"));
    long   wanted = scaled_steps(100000), bounces = 0;
    double e0 = energy_of(&s), most = -INFINITY, least = INFINITY, low = INFINITY, last = 0.0;
    while (bounces < wanted) {
        stepper_go(&s, 1);
        const zw_state *x = stepper_x(&s);
        double          e = energy_of(&s) - e0;
        most = fmax(most, e);
        least = fmin(least, e);
        low = fmin(low, x->q[2] - 0.1);
        bounces += x->v[5] > 0.0 && last < 0.0;
        last = x->v[5];
    }
    /* the height that it swings over is 0.0098 J; contact-free verlet keeps the energy of free fall to round-off */
    check_below(most, 1e-13, 4.5e-16);
    check_below(-least, 1e-13, 0.0);
    assert_true(low >= 0.0);
    close_model(&f, &s);
}

static void a_plastic_ball_comes_to_rest(void **state) {
    fixture f;
    stepper s;
    (void)state;
    open_model(&f, &s, 1e-3, DOWN, "  ball: {rigid: {sphere: {radius: 0.1}, mass: 2, at: [0, 0, 0.2]}}\n", FLOOR("0"));
    double balance = balance_of(&s), place = 0.0;
    stepper_go(&s, 200);
    place = stepper_x(&s)->q[2];
    check_near(place, 0.1, 1e-16);
    double speed = 0.0;
    for (int i = 0; i < 1000; i++) {
        stepper_go(&s, 1);
        speed = fmax(speed, largest(6, stepper_x(&s)->v));
    }
    check_below(speed, 1e-12, 1.9e-34);
    assert_true(stepper_x(&s)->q[2] == place);
    assert_true(own_of(&s, COUNT) == 1.0);
    check_below(own_of(&s, RESIDUAL), 1e-12, 4.0e-32);
    check_near(stepper_x(&s)->w[ZW_W_DISSIPATED], 2.0 * 9.81 * 0.1, 1e-13);
    check_near(balance_of(&s), balance, 1e-13);
    close_model(&f, &s);
}

/* flights of e^n; the first ones at least are known */
static void bounces_shrink_by_the_restitution(void **state) {
    fixture f;
    stepper s;
    (void)state;
    open_model(&f, &s, 1e-4, DOWN, "  ball: {rigid: {sphere: {radius: 0.1}, mass: 2, at: [0, 0, 0.3]}}\n", FLOOR("0.5"));
    double e0 = balance_of(&s), last = 0.0, up[4] = {0};
    int    bounces = 0;
    for (long i = 0; i < 20000; i++) {
        stepper_go(&s, 1);
        double v = stepper_x(&s)->v[5];
        if (v > 0.0 && last < 0.0 && bounces < 4) {
            up[bounces++] = v;
        }
        last = v;
    }
    for (int i = 0; i < 4; i++) { /* first order: it is reflected up to h u in front of the floor */
        check_near(up[i], sqrt(2.0 * 9.81 * 0.2) * pow(0.5, i + 1), 2e-3);
    }
    check_below(largest(6, stepper_x(&s)->v), 1e-12, 2.5e-35);
    check_near(stepper_x(&s)->q[2], 0.1, 1e-12);
    check_near(balance_of(&s), e0, 1e-12);
    close_model(&f, &s);
}

/* sliding in a round bowl: a contact that lasts is RATTLE's row; the energy stays in its band of h^2, and nothing sinks */
static void sliding_in_a_bowl_keeps_energy(void **state) {
    double most[2] = {0}, sunk = 0.0;
    (void)state;
    for (int k = 0; k < 2; k++) {
        double  h = k == 0 ? 1e-3 : 5e-4;
        fixture f;
        stepper s;
        open_model(&f, &s, h, DOWN, "  ball: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [0, 0.9, 0], velocity: [2, 0, 0]}}\n",
                   "obstacles:\n  bowl: {sphere: {radius: 1, hollow: true}}\ncontact: {restitution: 0}\n");
        double e0 = energy_of(&s);
        for (int i = 0; i < (k == 0 ? 20000 : 40000); i++) {
            stepper_go(&s, 1);
            const double *q = stepper_x(&s)->q;
            most[k] = fmax(most[k], fabs(energy_of(&s) - e0));
            sunk = fmax(sunk, fabs(hypot(hypot(q[0], q[1]), q[2]) - 0.9));
        }
        close_model(&f, &s);
    }
    check_below(most[0], 2e-4, 3.9e-5); /* J of 10, in 20 s */
    check_near(most[0] / most[1], 4.0, 0.05);
    check_below(sunk, 9e-11, 8.4e-12); /* m; gaps are closed to 1e-10 of the size */
}

static void a_tumbling_box_loses_energy_only(void **state) {
    static const char *const box =
        "  b: {rigid: {box: {size: [0.2, 0.3, 0.4]}, mass: 1, at: [0, 0, 1], turn: [0.3, 0.5, 0.2], velocity: [0.1, 0, 0]}}\n";
    fixture f;
    stepper s;
    (void)state;
    open_model(&f, &s, 1e-3, DOWN, box, FLOOR("0.5"));
    double e0 = energy_of(&s), most = -INFINITY, rise = 0.0, last = e0;
    for (int i = 0; i < 4000; i++) {
        stepper_go(&s, 1);
        double e = energy_of(&s);
        most = fmax(most, e - e0);
        rise = fmax(rise, e - last);
        last = e;
    }
    check_below(most, 1e-12, 1.8e-15);
    check_below(rise, 1e-5, 6.9e-7); /* J of 10 in a step: that of a free spinning body under verlet */
    check_near(stepper_x(&s)->q[2], 0.1, 1e-11);
    check_near(largest(6, stepper_x(&s)->v), 0.1, 1e-12); /* it slides on */
    check_near(balance_of(&s), e0, 3e-4);
    check_below(own_of(&s, DEPTH), 2e-12, 5e-16);
    close_model(&f, &s);
}

static void nothing_tunnels_through_a_thin_plate(void **state) {
    fixture f;
    stepper s;
    (void)state;
    open_model(&f, &s, 1e-3, "[0, 0, 0]", "  ball: {rigid: {sphere: {radius: 0.01}, mass: 1, at: [-1, 0, 0], velocity: [300, 0.3, 0]}}\n",
               "obstacles:\n  right: {box: {size: [0.001, 1, 1]}}\n  left: {box: {size: [0.001, 1, 1], at: [-2, 0, 0]}}\n"
               "contact: {restitution: 1}\n");
    for (int i = 0; i < 1000; i++) { /* 0.3 m in a step, plates of 1 mm */
        stepper_go(&s, 1);
        const double *q = stepper_x(&s)->q;
        assert_true(q[0] > -1.9895 && q[0] < -0.0105);
    }
    check_near(fabs(stepper_x(&s)->v[3]), 300.0, 1e-10);
    check_near(stepper_x(&s)->v[4], 0.3, 1e-13);
    close_model(&f, &s);
}

/* four balls in touch are struck by a fifth: Moreau's law */
static void a_cradle_follows_moreau(void **state) {
    char    bodies[1000] = "";
    fixture f;
    stepper s;
    (void)state;
    for (int i = 0; i < 5; i++) {
        size_t used = strlen(bodies);
        snprintf(bodies + used, sizeof bodies - used,
                 "  b%d: {rigid: {sphere: {radius: 0.125}, mass: 1, at: [%.17g, 0, 0], velocity: [%d, 0, 0]}}\n", i,
                 0.25 * i - (i == 0 ? 0.5 : 0.0), i == 0);
    }
    open_model(&f, &s, 1e-3, "[0, 0, 0]", bodies, "contact: {restitution: 1}\n");
    stepper_go(&s, 600);
    for (int i = 0; i < 5; i++) {
        check_near(stepper_x(&s)->v[6 * i + 3], i == 0 ? -0.6 : 0.4, 1e-14);
    }
    close_model(&f, &s);
}

static void joints_and_contacts_hold_together(void **state) {
    static const char *const arm = "  arm: {rigid: {box: {size: [0.5, 0.05, 0.05]}, mass: 1, at: [0.25, 0, 0.3]}}\n";
    static const char *const pin = "constraints:\n  pin: {hinge: arm, at: [-0.25, 0, 0], axis: [0, 1, 0]}\n";
    char                     rest[600];
    fixture                  f;
    stepper                  s;
    (void)state;
    snprintf(rest, sizeof rest, "%s%s", pin, FLOOR("0"));
    open_model(&f, &s, 1e-3, DOWN, arm, rest);
    stepper_go(&s, 1000);
    const zw_state *x = stepper_x(&s);
    check_below(largest(6, x->v), 1e-12, 4.4e-32);
    double g[5];
    fixture_must(&f, zw_system_values(f.y, x, 0, g), "values");
    check_below(largest(5, g), 1e-14, 5.6e-17);
    check_below(own_of(&s, DEPTH), 1e-12, 0.0);
    close_model(&f, &s);

    snprintf(rest, sizeof rest, "%s%s", pin, FLOOR("1"));
    open_model(&f, &s, 1e-3, DOWN, arm, rest);
    double e0 = energy_of(&s), most = 0.0;
    for (int i = 0; i < 20000; i++) {
        stepper_go(&s, 1);
        most = fmax(most, fabs(energy_of(&s) - e0));
    }
    check_below(most, 5e-5, 7.5e-6); /* J of 1.4: the band of the pendulum without a floor */
    close_model(&f, &s);
}

static void a_rod_falls_on_the_floor(void **state) {
    static const char *const rod =
        "  vine: {rod: {length: 1, elements: 10, section: {round: 0.02}, material: {density: 1000, young: 1e6, poisson: 0.3, "
        "damping: 1e-3}, at: [0, 0, 0.1], along: [1, 0, 0.1]}}\n";
    fixture f;
    stepper s;
    (void)state;
    open_model(&f, &s, 1e-4, DOWN, rod, FLOOR("0"));
    double e0 = energy_of(&s), most = -INFINITY;
    for (int i = 0; i < 5000; i++) {
        stepper_go(&s, 1);
        most = fmax(most, energy_of(&s) - e0);
    }
    check_below(most, 1e-12, 4.5e-16);
    check_below(own_of(&s, DEPTH), 2e-12, 7.0e-18);
    check_below(own_of(&s, RESIDUAL), 7e-12, 1.5e-13);
    assert_true(own_of(&s, COUNT) > 0.0);
    check_below(fabs(balance_of(&s) - e0), 5e-5, 1.3e-6); /* J of 0.5: the band of the rod */
    close_model(&f, &s);
}

/* a floor that swings up and down: what it does is work */
static void a_moving_floor_does_work(void **state) {
    fixture f;
    stepper s;
    (void)state;
    open_model(
        &f, &s, 1e-3, DOWN, "  b: {rigid: {box: {size: [0.2, 0.3, 0.4]}, mass: 1, at: [0, 0, 0.2]}}\n",
        "obstacles:\n  floor: {plane: {normal: [0, 0, 1]}, motion: {shift: [0, 0, 0.1 * (1 - cos(4 * t))]}}\ncontact: {restitution: 0}\n");
    double e0 = balance_of(&s), off = 0.0, sunk = 0.0;
    for (int i = 0; i < 3000; i++) {
        stepper_go(&s, 1);
        const zw_state *x = stepper_x(&s);
        sunk = fmax(sunk, fabs(x->q[2] - 0.2 - 0.1 * (1.0 - cos(4.0 * x->t))));
        off = fmax(off, fabs(balance_of(&s) - e0));
    }
    check_below(sunk, 2e-12, 2.3e-16);
    check_below(off, 2e-12, 1.0e-14);
    check_near(energy_of(&s) - e0, stepper_x(&s)->w[ZW_W_WORK] - stepper_x(&s)->w[ZW_W_DISSIPATED], 1e-10);
    close_model(&f, &s);
}

/* a step depends on the state alone: the same bits from an integrator that has seen other states */
static void steps_do_not_depend_on_history(void **state) {
    char    bodies[4000] = "";
    fixture f;
    stepper s, other;
    (void)state;
    for (int i = 0; i < 18; i++) {
        size_t used = strlen(bodies);
        snprintf(bodies + used, sizeof bodies - used, "  b%d: {rigid: {sphere: {radius: %.3f}, mass: 1, at: [%.3f, %.3f, %.3f]}}\n", i,
                 0.1 + 0.002 * (i % 5), 0.25 * (i % 3) + 0.01 * (i % 2), 0.25 * (i / 3 % 3) + 0.007 * (i % 4), 0.15 + 0.25 * (i / 9));
    }
    open_model(&f, &s, 1e-3, DOWN, bodies,
               "obstacles:\n  floor: {plane: {normal: [0, 0, 1]}}\n  bowl: {sphere: {radius: 1, at: [0.25, 0.25, 0.7], hollow: true}}\n"
               "contact: {restitution: 0.3}\n");
    stepper_open(&other, &f, 1e-3);
    for (int round = 0; round < 20; round++) {
        stepper_go(&s, 40);
        zw_state_copy(&s.n, stepper_x(&s), stepper_x(&other)); /* from the middle of a run into one that has been elsewhere */
        stepper_go(&other, 7);
        stepper_go(&s, 7);
        assert_memory_equal(stepper_x(&s)->q, stepper_x(&other)->q, sizeof(double) * (size_t)s.n.nq);
        assert_memory_equal(stepper_x(&s)->v, stepper_x(&other)->v, sizeof(double) * (size_t)s.n.nv);
        assert_memory_equal(stepper_x(&s)->w, stepper_x(&other)->w, sizeof(double) * (size_t)s.n.nw);
    }
    stepper_close(&other);
    close_model(&f, &s);
}

/* a run that is saved among contacts and resumed goes on with the same bits; its numbers are in the summary */
static void a_run_resumes_among_contacts(void **state) {
    static const char text[] =
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  a: {rigid: {box: {size: [0.2, 0.2, 0.2]}, mass: 1, at: [0, 0, 0.15], turn: [0.1, 0.2, 0], velocity: [0.5, 0, 0]}}\n"
        "  b: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [0.02, 0, 0.4]}}\n"
        "obstacles:\n  floor: {plane: {normal: [0, 0, 1]}}\ncontact: {restitution: 0.2, friction: 0.3}\n"
        "run: {until: 0.5, step: 0.001, integrator: verlet}\n";
    fixture f, g;
    (void)state;
    if (!forms_meet()) {
        skip();
    }
    fixture_run(&f, text);
    fixture_run(&g, text);
    fixture_advance(&f, 250);
    size_t size = zw_run_save_size(f.r);
    void  *bytes = malloc(size);
    zw_run_save(f.r, bytes);
    fixture_must(&g, zw_run_restore(g.r, bytes, size), "zw_run_restore");
    free(bytes);
    fixture_advance(&f, 250);
    fixture_advance(&g, 250);
    const zw_state *x = zw_run_state(f.r), *y = zw_run_state(g.r);
    assert_memory_equal(x->q, y->q, sizeof(double) * 14);
    assert_memory_equal(x->v, y->v, sizeof(double) * 12);
    zw_summary sum;
    zw_run_summary(f.r, &sum);
    assert_int_equal(sum.nown, 4);
    assert_string_equal(sum.own[3].name, "friction/residual");
    assert_string_equal(sum.own[DEPTH].name, "contact/depth");
    check_below(sum.own[DEPTH].max, 2e-12, 1.4e-14);
    check_below(sum.own[RESIDUAL].max, 5e-10, 9.3e-12);
    check_below(sum.energy_drift_max, 2e-12, 2e-14);
    fixture_close(&f);
    fixture_close(&g);
}

static void a_start_that_overlaps_is_refused(void **state) {
    fixture f;
    (void)state;
    if (!forms_meet()) {
        skip();
    }
    fixture_parse(&f, "zwang: 1\nbodies:\n  ball: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [0, 0, 0.05]}}\n" FLOOR(
                          "0") "run: {until: 1, step: 0.001, integrator: verlet}\n");
    assert_int_equal(zw_run_create(f.m, &f.r), ZW_E_MODEL);
    assert_non_null(strstr(fixture_error(&f)->message, "0.05"));
    fixture_close(&f);
}

/* links in joints that are stopped within a step: what the joints do against contacts is part of the account, which misses the band of RATTLE and no more */
static void the_account_of_joints_closes(void **state) {
    double missed[3];
    (void)state;
    for (int k = 0; k < 3; k++) {
        double  h = 1e-3 / (1 << k), most = 0.0;
        fixture f;
        stepper s;
        open_model(
            &f, &s, h, "[0, 0, -9.81]",
            "  a: {rigid: {capsule: {length: 0.2, radius: 0.03}, mass: 1, at: [0.1, 0, 0.5], turn: [0, pi/2, 0], plane: [0, 1, 0]}}\n"
            "  b: {rigid: {capsule: {length: 0.2, radius: 0.03}, mass: 1, at: [0.3, 0, 0.5], turn: [0, pi/2, 0], plane: [0, 1, 0]}}\n"
            "  c: {rigid: {capsule: {length: 0.2, radius: 0.03}, mass: 1, at: [0.5, 0, 0.5], turn: [0, pi/2, 0], plane: [0, 1, 0]}}\n",
            "constraints:\n  pin: {hinge: a, at: [0, 0, -0.1], axis: [0, 1, 0]}\n"
            "  ab: {hinge: [{body: a, at: [0, 0, 0.1]}, {body: b, at: [0, 0, -0.1]}], axis: [0, 1, 0]}\n"
            "  bc: {hinge: [{body: b, at: [0, 0, 0.1]}, {body: c, at: [0, 0, -0.1]}], axis: [0, 1, 0]}\n"
            "obstacles:\n  floor: {plane: {normal: [0, 0, 1]}}\n  ball: {sphere: {radius: 0.1, at: [0.2, 0, 0.2]}}\n"
            "contact: {restitution: 0}\n");
        double e0 = balance_of(&s);
        for (long i = 0; i < 1000L << k; i++) {
            stepper_go(&s, 1);
            most = fmax(most, fabs(balance_of(&s) - e0));
        }
        missed[k] = most;
        stepper_close(&s);
        fixture_close(&f);
    }
    check_below(missed[2], 2e-5, 1.7e-6); /* J of 10 */
    assert_true(missed[0] / missed[1] > 2.5 && missed[1] / missed[2] > 2.5);
}

/* an arm that lies on its end: pin and floor carry half of it each, although the state alone knows no contact */
static void reactions_hold_against_contacts(void **state) {
    fixture    f;
    zw_summary sum;
    (void)state;
    if (!forms_meet()) {
        skip();
    }
    fixture_run(&f,
                "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
                "  arm: {rigid: {capsule: {length: 1, radius: 0.05}, mass: 2, at: [0.5, 0, 0.2], turn: [0, pi/2, 0], plane: [0, 1, 0]}}\n"
                "obstacles:\n  floor: {plane: {normal: [0, 0, 1]}}\nconstraints:\n  pin: {hinge: arm, at: [0, 0, -0.5], axis: [0, 1, 0]}\n"
                "contact: {restitution: 0}\nrun: {until: 1, step: 1e-3, integrator: verlet}\nprobes:\n  R: {reaction: pin}\n");
    fixture_advance(&f, 1000);
    zw_run_summary(f.r, &sum);
    check_below(largest_difference(3, sum.probes[0].final, (double[]){0, 0, 9.81}), 1e-12, 2.2e-15);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_account_of_joints_closes),      cmocka_unit_test(reactions_hold_against_contacts),
        cmocka_unit_test(an_elastic_ball_keeps_its_energy),  cmocka_unit_test(a_plastic_ball_comes_to_rest),
        cmocka_unit_test(bounces_shrink_by_the_restitution), cmocka_unit_test(sliding_in_a_bowl_keeps_energy),
        cmocka_unit_test(a_tumbling_box_loses_energy_only),  cmocka_unit_test(nothing_tunnels_through_a_thin_plate),
        cmocka_unit_test(a_cradle_follows_moreau),           cmocka_unit_test(joints_and_contacts_hold_together),
        cmocka_unit_test(a_rod_falls_on_the_floor),          cmocka_unit_test(a_moving_floor_does_work),
        cmocka_unit_test(steps_do_not_depend_on_history),    cmocka_unit_test(a_start_that_overlaps_is_refused),
        cmocka_unit_test(a_run_resumes_among_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_verlet.c: order in time and length, momenta, invariance, reversibility, determinism, and rows that stay closed. */
#define _GNU_SOURCE /* M_PI */
#include "steps/moved_ends.h"
#include "support/model.h"

#include "math/quat.h"

#define SMOOTH                                                                                                          \
    "zwang: 1\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: %d\n      section: {rectangle: [0.1, 0.08]}\n" \
    "      along: [1, 0, 0]\n      up: [0, 0, 1]\n"                                                                     \
    "      material: {density: 1000, young: 1e6, poisson: 0.25%s}\n"
#define SHAPE \
    "      shape: {curvature: [\"2*sin(pi*s)^2\", \"sin(pi*s)^2\", \"sin(pi*s)^2\"]}\n      velocity: [\"sin(pi*s)^2\", 0.3, \"s^2*(3 - 2*s)\"]\n"
#define CLAMPED "      velocity: [0, \"s^3*(4 - 3*s)\", \"0.5*s^3*(4 - 3*s)\"]\n"

/* positions at 0, 1/4, 1/2, 3/4, 1 of the rod after a time */
static void fly(const char *text, double until, int64_t steps, double x[15]) {
    fixture f;
    stepper s;
    fixture_system(&f, text);
    stepper_open(&s, &f, until / (double)steps);
    stepper_go(&s, steps);
    int elements = fixture_rods(&f)->nlinks;
    for (int i = 0; i < 5; i++) {
        memcpy(x + 3 * i, stepper_x(&s)->q + 7 * (size_t)(i * elements / 4), 3 * sizeof(double));
    }
    stepper_close(&s);
    fixture_close(&f);
}

/* differences of successive refinements fall by 4 */
static void check_order_in_time(const char *name, const char *text, double until, int64_t steps, double slack) {
    enum { N = 4 };
    double x[N][15], d[N - 1];
    for (int i = 0; i < N; i++) {
        fly(text, until, steps << i, x[i]);
    }
    for (int i = 0; i + 1 < N; i++) {
        d[i] = largest_difference(15, x[i], x[i + 1]);
    }
    print_message("%s: %.3e %.3e %.3e, orders %.3f %.3f\n", name, d[0], d[1], d[2], log2(d[0] / d[1]), log2(d[1] / d[2]));
    check_order(d, N - 1, 2.0, 2.0, slack);
}

static void order_in_time_is_two(void **state) {
    char text[2000];
    (void)state;
    snprintf(text, sizeof text, SMOOTH SHAPE, 12, "");
    /* spins start at 0, so the velocities set off shear vibrations of 700 rad/s: without damping the steps must resolve them */
    check_order_in_time("free", text, 0.1, 2000, 0.1);
    snprintf(text, sizeof text, SMOOTH SHAPE, 12, ", damping: 0.002");
    check_order_in_time("damped", text, 0.2, 200, 0.1);
    snprintf(text, sizeof text, SMOOTH CLAMPED "constraints:\n  root: {clamp: a, s: 0}\n", 12, "");
    check_order_in_time("clamped", text, 0.1, 2000, 0.1);
    snprintf(text, sizeof text, SMOOTH CLAMPED "gravity: [0, 0, -9.81]\nconstraints:\n  root: {clamp: a, s: 0}\n", 12, ", damping: 0.002");
    check_order_in_time("clamped and damped, gravity", text, 0.2, 200, 0.15);
    snprintf(
        text, sizeof text,
        SMOOTH
        "constraints:\n  root: {clamp: a, s: 0, motion: {shift: [0, \"0.02*sin(10*t)^3\", 0], turn: [\"0.5*sin(8*t)^3\", 0, \"0.3*sin(5*t)^3\"]}}\n"
        "  tip: {ball: a, s: end, motion: {shift: [\"-0.05*sin(7*t)^3\", 0, \"0.03*sin(9*t)^3\"]}}\n",
        12, "");
    check_order_in_time("both ends moved", text, 0.2, 200, 0.1);
    snprintf(
        text, sizeof text,
        SMOOTH
        "constraints:\n  root: {clamp: a, s: 0, motion: {shift: [0, \"0.02*sin(10*t)^3\", 0], turn: [\"0.5*sin(8*t)^3\", 0, \"0.3*sin(5*t)^3\"]}}\n",
        12, ", damping: 0.002");
    check_order_in_time("moved and damped", text, 0.2, 200, 0.1);
    snprintf(
        text, sizeof text,
        SMOOTH
        "loads:\n  f: {force: [\"3*sin(20*t)^2\", 0, 1], on: a, s: 0.3}\n  m: {moment: [0, \"0.2*sin(15*t)\", 0.1], on: a, s: end, axes: directors}\n"
        "  w: {force: [0, \"sin(9*t)*x\", s], on: a}\n",
        12, "");
    check_order_in_time("loads of time and place", text, 0.1, 2000, 0.1);
}

/* a smooth pulse of a smooth load on a resting rod, so that no short waves are set off */
static void order_in_length_is_two(void **state) {
    enum { N = 4 };
    double x[N][15], d[N - 1];
    (void)state;
    for (int i = 0; i < N; i++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            SMOOTH
            "loads:\n  w: {force: [\"30*sin(pi*s)^4*sin(5*pi*t)^4\", \"200*sin(pi*s)^4*sin(5*pi*t)^4\", \"100*s^2*sin(pi*s)^4*sin(5*pi*t)^4\"], on: a}\n",
            8 << i, "");
        fly(text, 0.2, 2000, x[i]);
    }
    for (int i = 0; i + 1 < N; i++) {
        d[i] = largest_difference(15, x[i], x[i + 1]);
    }
    print_message("length: %.3e %.3e %.3e\n", d[0], d[1], d[2]);
    check_order(d, N - 1, 2.0, 2.0, 0.15);
}

/* unequal moments of inertia, damped and with joints inside: both momenta stay to round-off */
static void momenta_stay_to_round_off(void **state) {
    fixture f;
    stepper s;
    char    text[2000];
    double  dP = 0.0, dL = 0.0;
    (void)state;
    for (int damped = 0; damped < 2; damped++) {
        snprintf(text, sizeof text, SMOOTH SHAPE, 20, damped ? ", damping: 0.01" : "");
        fixture_system(&f, text);
        stepper_open(&s, &f, 4e-4);
        zw_account a0 = stepper_account(&s);
        for (int i = 0; i < 20; i++) {
            stepper_go(&s, scaled_steps(500));
            zw_account a = stepper_account(&s);
            dP = fmax(dP, zw_v3_distance(a.momentum, a0.momentum) / zw_v3_norm(a0.momentum));
            dL = fmax(dL, zw_v3_distance(a.angular, a0.angular) / zw_v3_norm(a0.angular));
        }
        stepper_close(&s);
        fixture_close(&f);
    }
    check_below(dP, 1e-13, 4e-15); /* 1e4 steps */
    check_below(dL, 1e-12, 1.6e-14);
}

static void momenta_stay_with_inner_joints(void **state) {
    fixture    f;
    zw_summary sum;
    char       text[2000];
    (void)state;
#define JOINED "section: {square: 0.1}, material: {density: 1000, young: 1e6, poisson: 0.25}"
    snprintf(text, sizeof text,
             "zwang: 1\nbodies:\n"
             "  a: {rod: {length: 1, elements: 6, " JOINED ", velocity: [1, 0, 0]}}\n"
             "  b: {rod: {length: 1, elements: 6, at: [0, 0, 1], along: [1, 0, 1], " JOINED ", velocity: [1, 0, 0]}}\n"
             "  c: {rod: {length: 1, elements: 6, at: [0.1, 0, 0.45], along: [0, 1, 0], " JOINED ", velocity: [1, 2*s, 0]}}\n"
             "constraints:\n  k: {ball: [{body: a, s: end}, {body: b, s: 0}]}\n  l: {fixed: [{body: a, s: 0.45}, {body: c, s: 0}]}\n"
             "run: {until: %.17g, step: 5e-4}\n",
             5e-4 * (double)scaled_steps(4000));
    fixture_run(&f, text);
    fixture_advance(&f, 4000);
    zw_run_summary(f.r, &sum);
    assert_true(sum.linear_conserved && sum.angular_conserved);
    check_below(sum.linear_drift_max / sum.linear_scale, 1e-12, 3.1e-15);
    check_below(sum.angular_drift_max / sum.angular_scale, 1e-12, 3.8e-15);
    check_below(sum.constraint_position_max, 1e-14, 1e-15);
    fixture_close(&f);
}

#define SECTION_4                                                                                                                                \
    "zwang: 1\nparameters: {L: 2*pi/3, B: %g}\nbodies:\n  beam:\n    rod:\n      length: L\n      elements: 100\n      section: {square: 0.1}\n" \
    "      material: {density: 1000, young: 1e7, poisson: 0.35}\n      shape: {curvature: [0, -1, 0]}\n"                                         \
    "      velocity: {director: [\"B*cos(s)\", \"sin(pi*s/L)\", \"1 - B*sin(s)\"]}\n"

/* a uniform boost of B m/s along x: with d1 = (cos s, 0, sin s), d3 = (-sin s, 0, cos s) it is B (cos s d1 - sin s d3) */
static void shapes_do_not_feel_a_boost(void **state) {
    enum { NODES = 101 };
    double shape[2][3 * NODES];
    (void)state;
    for (int i = 0; i < 2; i++) {
        fixture f;
        stepper s;
        char    text[1000];
        snprintf(text, sizeof text, SECTION_4, i == 0 ? 0.0 : 1000.0);
        fixture_system(&f, text);
        stepper_open(&s, &f, 1e-4);
        stepper_go(&s, 500);
        const zw_rods *rods = fixture_rods(&f);
        double         centre[3] = {0}, mass = 0.0;
        for (int k = 0; k < NODES; k++) {
            zw_v3_addscaled(centre, centre, rods->mass[k], stepper_x(&s)->q + 7 * k);
            mass += rods->mass[k];
        }
        for (int k = 0; k < NODES; k++) {
            zw_v3_addscaled(shape[i] + 3 * k, stepper_x(&s)->q + 7 * k, -1.0 / mass, centre);
        }
        stepper_close(&s);
        fixture_close(&f);
    }
    check_below(largest_difference(3 * NODES, shape[0], shape[1]), 1e-12, 7.8e-14); /* m; 50 m away one ulp is 7e-15 */
}

static void motion_can_be_run_back(void **state) {
    static const char *const extra[] = {"", "gravity: [0, 0, -9.81]\nconstraints:\n  root: {clamp: a, s: 0}\n  tip: {ball: a, s: end}\n"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        fixture f;
        stepper s;
        char    text[2000];
        snprintf(text, sizeof text, i == 0 ? SMOOTH SHAPE : SMOOTH "%s", 12, "", extra[i]);
        fixture_system(&f, text);
        stepper_open(&s, &f, 5e-4);
        double *q = calloc((size_t)s.n.nq, sizeof *q);
        memcpy(q, stepper_x(&s)->q, sizeof(double) * (size_t)s.n.nq);
        stepper_go(&s, 1000);
        for (int k = 0; k < s.n.nv; k++) {
            stepper_x(&s)->v[k] = -stepper_x(&s)->v[k];
        }
        stepper_restart(&s);
        stepper_go(&s, 1000);
        double off = 0.0;
        for (int k = 0; k < s.n.nq; k++) {
            off = k % 7 < 3 ? fmax(off, fabs(q[k] - stepper_x(&s)->q[k])) : off;
        }
        check_below(off, 1e-12, 2.4e-15);
        free(q);
        stepper_close(&s);
        fixture_close(&f);
    }
}

/* the whole model turned by the rotation that takes (x, y, z) to (y, z, x), and by a crooked one */
static void motion_does_not_feel_the_frame(void **state) {
    double x[2][15], g = 9.81;
    double turn[3] = {0.7, -1.1, 0.4}, R[9], q[4], along[3] = {1, 0, 0}, up[3] = {0, 0, 1}, down[3] = {0, 0, -g}, push[3] = {0, 3, 1};
    (void)state;
    zw_q_exp(turn, q);
    zw_q_to_matrix(q, R);
    for (int i = 0; i < 2; i++) {
        char text[2000];
        if (i == 1) {
            zw_m3_mulv(along, R, along);
            zw_m3_mulv(up, R, up);
            zw_m3_mulv(down, R, down);
            zw_m3_mulv(push, R, push);
        }
        snprintf(
            text, sizeof text,
            "zwang: 1\ngravity: [%.17g, %.17g, %.17g]\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: 12\n      section: {rectangle: [0.1, 0.08]}\n"
            "      along: [%.17g, %.17g, %.17g]\n      up: [%.17g, %.17g, %.17g]\n      shape: {curvature: [1, s, 2]}\n"
            "      material: {density: 1000, young: 1e6, poisson: 0.25, damping: 0.001}\n"
            "constraints:\n  root: {clamp: a, s: 0}\n"
            "loads:\n  push: {force: [%.17g, %.17g, %.17g], on: a, s: 0.7}\n",
            down[0], down[1], down[2], along[0], along[1], along[2], up[0], up[1], up[2], push[0], push[1], push[2]);
        fly(text, 0.4, 800, x[i]);
    }
    for (int i = 0; i < 5; i++) {
        zw_m3_mulv(x[0] + 3 * i, R, x[0] + 3 * i);
    }
    check_below(largest_difference(15, x[0], x[1]), 1e-12, 1.3e-15);
}

/* a force of 2 N from t = 0.1 to t = 0.3, both on step boundaries: impulse 0.4 N s to round-off */
static void a_jump_on_a_step_gives_its_exact_impulse(void **state) {
    fixture f;
    stepper s;
    (void)state;
    fixture_system(
        &f,
        "zwang: 1\nbodies:\n  a: {rod: {length: 1, elements: 10, section: {square: 0.1}, material: {density: 1000, young: 1e6, poisson: 0.25}}}\n"
        "loads:\n  f: {force: [\"if(t < 0.1, 0, if(t < 0.3, 2, 0))\", 0, 0], on: a, s: 0.37}\n");
    stepper_open(&s, &f, 5e-4);
    stepper_go(&s, 1000);
    zw_account a = stepper_account(&s);
    check_array_near(a.momentum, ((double[]){0.4, 0, 0}), 3, 1e-13);
    /* torque about y: the arm is z of the place while it pushes; here just the work: energy equals it */
    check_near(account_energy(&a), stepper_x(&s)->w[ZW_W_WORK], 2e-3 * account_energy(&a));
    stepper_close(&s);
    fixture_close(&f);
}

/* one free body: two nodes far apart in stiffness from their turning; the drift keeps R Pi and the rotational energy of each node */
static void drift_keeps_angular_momentum_and_energy(void **state) {
    static const char *const section[] = {
        "{rectangle: [0.3, 0.1]}\n      material: {density: 1000, young: 1e-6, poisson: 0.25}",
        "{square: 0.2}\n      material: {density: 1000, young: 1e-6, poisson: 0.25}",
        ("\n        stiffness: [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]\n"
         "        inertia: [[0.2, 0.05, 0.02, 0, 0, 0], [0.05, 0.3, 0.01, 0, 0, 0], [0.02, 0.01, 0.4, 0, 0, 0], [0, 0, 0, 5, 0, 0], [0, 0, 0, 0, 5, 0], [0, 0, 0, 0, 0, 5]]"),
    };
    (void)state;
    for (int i = 0; i < 3; i++) {
        fixture  f;
        zw_state x[2];
        char     text[1500];
        double   L0[3], worst_L = 0.0, worst_E = 0.0;
        snprintf(text, sizeof text, "zwang: 1\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: 1\n      section: %s\n",
                 section[i]);
        fixture_system(&f, text);
        fixture_state(&f, &x[0]);
        fixture_state(&f, &x[1]);
        const double spin[3] = {3, -2, 5};
        zw_account   a;
        zw_v3_copy(x[0].v, spin);
        zw_v3_copy(x[0].v + 6, spin);
        zw_system_account(f.y, &x[0], &a);
        double E0 = a.kinetic;
        zw_v3_copy(L0, a.angular);
        for (int k = 0; k < 20000; k++) {
            zw_system_drift(f.y, &x[k % 2], 1e-3, &x[1 - k % 2], false);
            zw_system_account(f.y, &x[1 - k % 2], &a);
            worst_L = fmax(worst_L, zw_v3_distance(a.angular, L0) / zw_v3_norm(L0));
            worst_E = fmax(worst_E, fabs(a.kinetic / E0 - 1.0));
        }
        check_below(worst_L, 1e-12, 1.2e-13);
        if (i == 1) {
            check_below(worst_E, 1e-12, 1.8e-14); /* symmetric: exact */
        } else {
            check_below(worst_E, 4e-5, 5.2e-07); /* splitting: bounded, second order */
        }
        zw_state_destroy(f.c, &x[0]);
        zw_state_destroy(f.c, &x[1]);
        fixture_close(&f);
    }
}

static const char *const busy_model =
    "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: 12\n      section: {rectangle: [0.1, 0.08]}\n"
    "      along: [1, 0, 0]\n      material: {density: 1000, young: 1e6, poisson: 0.25, damping: 0.001}\n"
    "constraints:\n  root: {clamp: a, s: 0, motion: {turn: [\"0.2*sin(5*t)\", 0, 0]}}\n"
    "loads:\n  push: {force: [0, \"sin(20*t)\", 0], on: a, s: end}\n"
    "run: {until: 0.2, step: 5e-4}\nprobes:\n  tip: {position: a, s: end}\n  root: {reaction: root}\n";

static void runs_are_bitwise_the_same_and_go_on_from_a_checkpoint(void **state) {
    fixture f[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        fixture_run(&f[i], busy_model);
    }
    fixture_advance(&f[0], 400);
    fixture_advance(&f[1], 137);
    size_t         size = zw_run_save_size(f[1].r);
    unsigned char *bytes = malloc(size), *end0 = malloc(size), *end2 = malloc(size);
    zw_run_save(f[1].r, bytes);
    fixture_must(&f[2], zw_run_restore(f[2].r, bytes, size), "restore");
    fixture_advance(&f[2], 1000);
    assert_true(zw_run_done(f[0].r));
    assert_true(zw_run_done(f[2].r));
    zw_run_save(f[0].r, end0);
    zw_run_save(f[2].r, end2);
    assert_memory_equal(end0, end2, size);
    /* a damaged or foreign checkpoint is refused */
    assert_int_equal(zw_run_restore(f[1].r, bytes, size - 8), ZW_E_MISMATCH);
    bytes[0] ^= 1;
    assert_int_equal(zw_run_restore(f[1].r, bytes, size), ZW_E_MISMATCH);
    free(bytes);
    free(end0);
    free(end2);
    for (int i = 0; i < 3; i++) {
        fixture_close(&f[i]);
    }
}

static void energy_of_a_cantilever_stays_bounded(void **state) {
    fixture f;
    stepper s;
    double  low = HUGE_VAL, high = -HUGE_VAL, early = 0.0, late = 0.0, g[6], position = 0.0, velocity = 0.0;
    (void)state;
    fixture_system(
        &f,
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a:\n    rod:\n      length: 1\n      elements: 10\n      section: {square: 0.05}\n"
        "      along: [1, 0, 0]\n      material: {density: 1000, young: 1e7, poisson: 0.25}\nconstraints:\n  root: {clamp: a, s: 0}\n");
    stepper_open(&s, &f, 4e-4);
    zw_account a = stepper_account(&s);
    double     E0 = account_energy(&a), scale = 0.0;
    for (int i = 0; i < 1000; i++) {
        stepper_go(&s, scaled_steps(100));
        a = stepper_account(&s);
        double E = account_energy(&a) - E0;
        scale = fmax(scale, a.kinetic + a.elastic);
        low = fmin(low, E);
        high = fmax(high, E);
        early += i < 200 ? E / 200 : 0.0;
        late += i >= 800 ? E / 200 : 0.0;
        fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 0, g), "values");
        position = fmax(position, largest(6, g));
        fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 1, g), "values");
        velocity = fmax(velocity, largest(6, g));
    }
    print_message("cantilever: E - E0 in [%.2e, %.2e] J of %.3f, means %.2e %.2e\n", low, high, scale, early, late);
    check_below((high - low) / scale, 5e-5, 6.6e-07);
    check_below(fabs(late - early) / scale, 5e-8 / sqrt(test_scale()), 9.6e-10); /* means over shorter runs scatter more */
    check_below(position, 1e-14, 1e-15);
    check_below(velocity, 1e-14, 2.1e-25);
    stepper_close(&s);
    fixture_close(&f);
}

static void rows_stay_closed_while_both_ends_move(void **state) {
    (void)state;
    move_both_ends(scaled_steps(20000));
}

/* a ball inside a fixed joint, written from the other side: rows that depend on each other only on the constraint set */
static void rows_that_follow_from_others_are_closed(void **state) {
    fixture    f;
    zw_summary sum;
    (void)state;
    fixture_run(&f, "zwang: 1\nbodies:\n"
                    "  a: {rod: {length: 1, elements: 6, " JOINED ", velocity: [1, 0, 0]}}\n"
                    "  b: {rod: {length: 1, elements: 6, at: [0, 0, 1], along: [1, 0, 1], " JOINED ", velocity: [1, 3*s, 0]}}\n"
                    "constraints:\n  k: {fixed: [{body: a, s: end}, {body: b, s: 0}]}\n  l: {ball: [{body: b, s: 0}, {body: a, s: end}]}\n"
                    "run: {until: 1, step: 5e-4}\n");
    fixture_advance(&f, 2000);
    zw_run_summary(f.r, &sum);
    assert_int_equal(sum.outcome, ZW_REACHED);
    assert_int_equal(sum.redundant, 3);
    check_below(sum.constraint_position_max, 1e-13, 1e-15);
    check_below(sum.constraint_velocity_max, 1e-13, 2.7e-15);
    fixture_close(&f);
}

#define ONE_ROD                                                                                                                  \
    "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: {rod: {length: 1, elements: 6, along: [1, 0, 0], section: {square: 0.05}, " \
    "material: {density: 1000, young: 1e6, poisson: 0.25}}}\n"

static void a_clamp_given_twice_is_reported_and_does_no_harm(void **state) {
    fixture    f[2];
    zw_summary sum[2];
    (void)state;
    fixture_run(&f[0],
                ONE_ROD "constraints:\n  root: {clamp: a, s: 0}\nrun: {until: 0.2, step: 5e-4}\nprobes:\n  tip: {position: a, s: end}\n");
    fixture_run(
        &f[1], ONE_ROD
        "constraints:\n  root: {clamp: a, s: 0}\n  again: {clamp: a, s: 0}\nrun: {until: 0.2, step: 5e-4}\nprobes:\n  tip: {position: a, s: end}\n");
    for (int i = 0; i < 2; i++) {
        fixture_advance(&f[i], 400);
        zw_run_summary(f[i].r, &sum[i]);
        assert_int_equal(sum[i].outcome, ZW_REACHED);
    }
    assert_int_equal(sum[0].redundant, 0);
    assert_int_equal(sum[1].redundant, 6);
    assert_non_null(strstr(f[1].log, "redundant"));
    assert_non_null(strstr(f[1].log, "again"));
    check_below(largest_difference(3, sum[0].probes[0].final, sum[1].probes[0].final), 1e-12, 1.7e-16);
    for (int i = 0; i < 2; i++) {
        fixture_close(&f[i]);
    }
}

static void contradictory_motions_are_refused_by_name(void **state) {
    fixture f;
    (void)state;
    fixture_run(
        &f, ONE_ROD
        "constraints:\n  root: {clamp: a, s: 0}\n  mover: {ball: a, s: 0, motion: {shift: [0, 0.01*t^2, 0]}}\nrun: {until: 0.2, step: 5e-4}\n");
    zw_status status = zw_run_advance(f.r, 400);
    assert_true(status == ZW_E_RANK || status == ZW_E_CONVERGENCE);
    char line[1200];
    zw_error_format(fixture_error(&f), line, sizeof line);
    print_message("%s\n", line);
    assert_true(strstr(line, "root") != NULL || strstr(line, "mover") != NULL);
    assert_true(fixture_error(&f)->remedy[0] != 0);
    fixture_close(&f);
    /* velocities that contradict each other at the start */
    fixture_parse(
        &f, ONE_ROD
        "constraints:\n  root: {clamp: a, s: 0}\n  mover: {ball: a, s: 0, motion: {shift: [0, 0.01*t, 0]}}\nrun: {until: 0.2, step: 5e-4}\n");
    status = zw_run_create(f.m, &f.r);
    if (status == ZW_OK) {
        status = zw_run_advance(f.r, 1);
    }
    assert_true(status == ZW_E_MODEL || status == ZW_E_CONVERGENCE);
    zw_error_format(fixture_error(&f), line, sizeof line);
    print_message("%s\n", line);
    assert_true(strstr(line, "root") != NULL || strstr(line, "mover") != NULL);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_in_time_is_two),
        cmocka_unit_test(order_in_length_is_two),
        cmocka_unit_test(momenta_stay_to_round_off),
        cmocka_unit_test(momenta_stay_with_inner_joints),
        cmocka_unit_test(shapes_do_not_feel_a_boost),
        cmocka_unit_test(motion_can_be_run_back),
        cmocka_unit_test(motion_does_not_feel_the_frame),
        cmocka_unit_test(a_jump_on_a_step_gives_its_exact_impulse),
        cmocka_unit_test(drift_keeps_angular_momentum_and_energy),
        cmocka_unit_test(runs_are_bitwise_the_same_and_go_on_from_a_checkpoint),
        cmocka_unit_test(energy_of_a_cantilever_stays_bounded),
        cmocka_unit_test(rows_stay_closed_while_both_ends_move),
        cmocka_unit_test(rows_that_follow_from_others_are_closed),
        cmocka_unit_test(a_clamp_given_twice_is_reported_and_does_no_harm),
        cmocka_unit_test(contradictory_motions_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

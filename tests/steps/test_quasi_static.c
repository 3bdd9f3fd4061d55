/* SPDX-License-Identifier: Apache-2.0
 * test_quasi_static.c: equilibria one after the other: the same as found alone, where they lose their stability, how the motion goes on, the balance of energy, growth. */
#include "steps/quasi_static.h"

#include "support/model.h"

#define PI 3.14159265358979323846

static double own(stepper *s, int i) {
    return s->ops->observe(s->self, stepper_x(s), i);
}

static double drift(stepper *s, const zw_account *from) {
    zw_account      a = stepper_account(s);
    const zw_state *x = stepper_x(s);
    return fabs(a.elastic + a.potential - from->elastic - from->potential - x->w[ZW_W_WORK] + x->w[ZW_W_DISSIPATED]);
}

#define BEAM(elements, more)                                                       \
    "zwang: 1\nbodies: {b: {rod: {length: 1, elements: " elements                  \
    ", along: [0, 0, 1], up: [1, 0, 0], section: {bending: [1, 1.5], torsion: 1, " \
    "stretch: 1e7, shear: 1e7, mass: 1, inertia: 1e-4}}}}\nrun: {until: 1, mode: quasi-static}\n" more

#define RAMP BEAM("20", "constraints: {a: {clamp: b, s: 0}}\nloads: {tip: {force: [8*t, 2*t^2, -t], on: b, s: end}}\n")

static void states_do_not_depend_on_the_way(void **state) {
    (void)state;
    fixture f;
    stepper s, alone;
    double  drifts[3];
    for (int level = 0; level < 3; level++) {
        int steps = 10 << level;
        fixture_system(&f, RAMP);
        stepper_open_by(&s, &f, "quasi-static", 1.0 / steps);
        zw_account from = stepper_account(&s);
        stepper_go(&s, steps);
        drifts[level] = drift(&s, &from);
        check_below(largest(s.n.nv, stepper_x(&s)->v), 0.0, 0.0);
        assert_true(own(&s, ZW_QUASI_BELOW) == 0.0 && own(&s, ZW_QUASI_SNAPS) == 0.0 && own(&s, ZW_QUASI_LOST) == -1.0);
        stepper_open_by(&alone, &f, "quasi-static", 1.0);
        stepper_x(&alone)->t = 1.0;
        stepper_restart(&alone);
        check_below(largest_difference(s.n.nq, stepper_x(&s)->q, stepper_x(&alone)->q), 1e-12, 2.2e-16);
        stepper_close(&alone);
        stepper_close(&s);
        fixture_close(&f);
    }
    check_order(drifts, 3, 2.0, 2.0, 0.2);
    check_below(drifts[2], 3e-3, 7.3e-4);
}

static void a_step_is_a_map_of_its_start(void **state) {
    (void)state;
    fixture  f;
    stepper  s;
    zw_state kept;
    fixture_system(&f, RAMP);
    stepper_open_by(&s, &f, "quasi-static", 0.05);
    stepper_go(&s, 4);
    fixture_must(&f, zw_state_create(f.c, &s.n, &kept), "zw_state_create");
    zw_state_copy(&s.n, stepper_x(&s), &kept);
    kept.t = stepper_x(&s)->t;
    stepper_go(&s, 1);
    zw_state once;
    fixture_must(&f, zw_state_create(f.c, &s.n, &once), "zw_state_create");
    zw_state_copy(&s.n, stepper_x(&s), &once);
    stepper_go(&s, 6);
    fixture_must(&f, s.ops->step(s.self, &kept, 0.05, &s.x[1 - s.now]), "step");
    assert_memory_equal(once.q, s.x[1 - s.now].q, sizeof(double) * (size_t)s.n.nq);
    assert_memory_equal(once.w, s.x[1 - s.now].w, sizeof(double) * (size_t)s.n.nw);
    zw_state_destroy(f.c, &kept);
    zw_state_destroy(f.c, &once);
    stepper_close(&s);
    fixture_close(&f);
}

/* complete elliptic integral of the first kind */
static double elliptic(double p) {
    double a = 1.0, b = sqrt(1.0 - p * p);
    while (fabs(a - b) > 1e-15) {
        double next = 0.5 * (a + b);
        b = sqrt(a * b);
        a = next;
    }
    return PI / (2.0 * a);
}

/* buckling with cos(q s) on a mesh of links that are arcs, EI = 1: P = (2 sin(q l/2)/l)^2/(cos^2 + sin^2/3) */
static double mesh_load(double q, double l) {
    double s = sin(0.5 * q * l), c = cos(0.5 * q * l);
    return 4.0 * s * s / (l * l) / (c * c + s * s / 3.0);
}

/* column clamped below, q = pi/2; then the elastica: P = EI K(p)^2, tip at 2 p/K(p) */
static void columns_buckle_at_their_load_and_go_on(void **state) {
    (void)state;
    fixture f;
    stepper s;
    double  l = 1.0 / 40, load = mesh_load(0.5 * PI, l), most = 4.0;
    fixture_system(&f, BEAM("40", "constraints: {a: {clamp: b, s: 0}}\nloads: {tip: {force: [0, 0, -4*t], on: b, s: end}}\n"));
    stepper_open_by(&s, &f, "quasi-static", 0.025);
    zw_account from = stepper_account(&s);
    stepper_go(&s, 24);
    check_below(fabs(stepper_x(&s)->q[7 * 40]), 1e-15, 0.0);
    stepper_go(&s, 16);
    check_near(own(&s, ZW_QUASI_LOST), load / most, 1e-8); /* 2.6e-9: stretch and shear, and the rounding of a stiffness of 1e7 */
    assert_true(own(&s, ZW_QUASI_SNAPS) == 1.0 && own(&s, ZW_QUASI_BELOW) == 0.0);
    assert_non_null(strstr(f.log, "becomes unstable at t = 0.6169295"));
    double low = 0.0, high = 0.999;
    for (int i = 0; i < 60; i++) { /* K(p) = sqrt(P/EI) = 2 */
        double mid = 0.5 * (low + high);
        *(elliptic(mid) < sqrt(most) ? &low : &high) = mid;
    }
    check_near(fabs(stepper_x(&s)->q[7 * 40 + 1]), 2.0 * low / sqrt(most), 1e-4); /* 2.9e-5, of the mesh */
    check_below(fabs(stepper_x(&s)->q[7 * 40]), 1e-12, 0.0);                      /* about the weaker axis */
    check_below(drift(&s, &from), 2e-3, 4.3e-4);
    check_below(stepper_x(&s)->w[ZW_W_DISSIPATED], 1e-12, 0.0);
    stepper_close(&s);
    fixture_close(&f);
}

/* the same by moving an end: shortening P_c/EA is all there is before */
static void an_end_that_is_pushed_in_buckles_the_rod(void **state) {
    (void)state;
    fixture f;
    stepper s;
    double  drifts[2];
    for (int level = 0; level < 2; level++) {
        int steps = 20 << level;
        fixture_system(&f, BEAM("20", "constraints: {a: {clamp: b, s: 0}, z: {clamp: b, s: end, motion: {shift: [0, 0, -0.3*t]}}}\n"));
        stepper_open_by(&s, &f, "quasi-static", 1.0 / steps);
        zw_account from = stepper_account(&s);
        stepper_go(&s, steps);
        drifts[level] = drift(&s, &from);
        check_near(own(&s, ZW_QUASI_LOST) * 0.3, mesh_load(2.0 * PI, 0.05) / 1e7, 1e-12); /* 1.3e-13 */
        assert_true(own(&s, ZW_QUASI_SNAPS) == 1.0);
        check_below(fabs(stepper_x(&s)->q[7 * 20 + 2] - 0.7), 1e-12, 0.0);
        stepper_close(&s);
        fixture_close(&f);
    }
    check_below(drifts[1], 2e-4, 4.2e-5);
    assert_true(drifts[1] < 0.5 * drifts[0]);
}

/* a flat arch under a load at its crown, which falls through at a limit point of the load */
#define ARCH                                                                                                                                                   \
    "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 40, along: [1, 0, 0], up: [0, 0, 1], shape: {curve: [s, 0, 0.03*sin(pi*s)]}, natural: start, section: " \
    "{bending: [1, 1], torsion: 1, stretch: 2e4, shear: 2e4, mass: 1, inertia: 1e-4}}}}\n"                                                                     \
    "constraints: {a: {clamp: b, s: 0, fix: [x, y, z, rx, rz]}, z: {clamp: b, s: end, fix: [x, y, z, rx, rz]}}\n"                                              \
    "loads: {crown: {force: [0, 0, -50*t], on: b, s: 0.5}}\nrun: {until: 1, mode: quasi-static}\n"

static void flat_arches_snap_through(void **state) {
    (void)state;
    fixture f;
    stepper s;
    double  lost[2];
    for (int level = 0; level < 2; level++) {
        int steps = 25 << level;
        fixture_system(&f, ARCH);
        stepper_open_by(&s, &f, "quasi-static", 1.0 / steps);
        zw_account from = stepper_account(&s);
        stepper_go(&s, steps);
        lost[level] = own(&s, ZW_QUASI_LOST);
        assert_true(own(&s, ZW_QUASI_SNAPS) == 1.0);
        assert_non_null(strstr(f.log, "ends at t ="));
        assert_true(stepper_x(&s)->q[7 * 20 + 2] < -0.02);
        assert_true(stepper_x(&s)->w[ZW_W_DISSIPATED] > 1e-3);
        check_below(drift(&s, &from), 2e-3, 5.9e-4);
        stepper_close(&s);
        fixture_close(&f);
    }
    check_near(lost[0], lost[1], 1e-11); /* 1.4e-14 */
}

/* following loads: the straight column stays, whatever the determinant says */
static void following_loads_are_followed(void **state) {
    (void)state;
    fixture f;
    stepper s;
    fixture_system(
        &f, BEAM("10", "constraints: {a: {clamp: b, s: 0}}\nloads: {tip: {force: [0.1, 0, -15*t], axes: directors, on: b, s: end}}\n"));
    stepper_open_by(&s, &f, "quasi-static", 0.05);
    stepper_go(&s, 20);
    assert_true(own(&s, ZW_QUASI_SNAPS) == 0.0);
    stepper_close(&s);
    fixture_close(&f);
}

/* ---- growth */

#define GROWN(elements, growth)                                                            \
    "zwang: 1\nparameters: {L: 2*pi/3}\nbodies: {b: {rod: {length: L, elements: " elements \
    ", along: [0, 0, 1], up: [1, 0, 0], section: {square: 0.1}, "                          \
    "material: {density: 1000, young: 1e7, poisson: 0.35}, growth: {" growth "}}}}\n"      \
    "constraints: {a: {clamp: b, s: 0}, z: {clamp: b, s: end}}\nrun: {until: 0.05, mode: quasi-static}\n"

/* (g - 1)(1 + EA/GA (g - 1)) = 4 pi^2 I/(A L^2); shooting: middle at 0.1332258 L where g = 1.05 */
static void rods_that_grow_between_walls_buckle(void **state) {
    (void)state;
    fixture f;
    stepper s;
    fixture_system(&f, GROWN("40", "rate: 1/(1 + t)"));
    stepper_open_by(&s, &f, "quasi-static", 1e-3);
    zw_account from = stepper_account(&s);
    stepper_go(&s, 50);
    check_near(own(&s, ZW_QUASI_LOST), 0.00735398119363, 2e-5);
    check_near(own(&s, ZW_QUASI_LOST), 0.00736911440018, 1e-9); /* of this mesh */
    check_near(hypot(stepper_x(&s)->q[7 * 20], stepper_x(&s)->q[7 * 20 + 1]) / (2.0 * PI / 3.0), 0.13322581731694272, 3e-5); /* 1.9e-5 */
    assert_true(own(&s, ZW_QUASI_SNAPS) == 1.0);
    check_below(drift(&s, &from) / stepper_account(&s).elastic, 5e-5, 4.5e-6);
    stepper_close(&s);
    fixture_close(&f);
}

/* rate phi (Delta + N/A) between walls: g' = phi (E - g (E - Delta)) */
static void growth_that_feels_its_force_is_of_order_two(void **state) {
    (void)state;
    double error[3], drifts[3], D = 5e4, phi = 4e-6, most = 1e7 / (1e7 - D), t = 0.05;
    double exact = most + (1.0 - most) * exp(-phi * (1e7 - D) * t);
    for (int level = 0; level < 3; level++) {
        fixture f;
        stepper s;
        int     steps = 5 << level;
        fixture_system(&f, GROWN("8", "rate: \"4e-6*(5e4 + tension/0.01)\""));
        stepper_open_by(&s, &f, "quasi-static", t / steps);
        zw_account from = stepper_account(&s);
        stepper_go(&s, steps);
        double elastic = stepper_account(&s).elastic; /* and references as they are there */
        double g = fixture_rods(&f)->l[3] * 8.0 / (2.0 * PI / 3.0), push = 1e5 * (1.0 - 1.0 / exact);
        error[level] = fabs(g - exact) / (exact - 1.0);
        check_below(fabs(stepper_x(&s)->w[ZW_W_ACCOUNT + 2] - 1e5 * (1.0 - 1.0 / g)) / push, 5e-12, 7.1e-14);
        drifts[level] = drift(&s, &from) / elastic;
        stepper_close(&s);
        fixture_close(&f);
    }
    check_order(error, 3, 2.0, 2.0, 0.3);
    check_order(drifts, 3, 2.0, 2.0, 0.3);
    check_below(error[2], 2e-3, 5.6e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_do_not_depend_on_the_way),
        cmocka_unit_test(a_step_is_a_map_of_its_start),
        cmocka_unit_test(columns_buckle_at_their_load_and_go_on),
        cmocka_unit_test(an_end_that_is_pushed_in_buckles_the_rod),
        cmocka_unit_test(flat_arches_snap_through),
        cmocka_unit_test(following_loads_are_followed),
        cmocka_unit_test(rods_that_grow_between_walls_buckle),
        cmocka_unit_test(growth_that_feels_its_force_is_of_order_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

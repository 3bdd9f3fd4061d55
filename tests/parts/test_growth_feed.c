/* SPDX-License-Identifier: Apache-2.0
 * test_growth_feed.c: rods that come out of a clamp or a sleeve: lengths, the driving force against differences of the energy, and the reaction M^2/(2 EI). */
#include "support/growth.h"
#include "support/model.h"

#include "parts/rod_grow.h"
#include "steps/equilibrium.h"

/* ---- the laws alone */

static void names_links(bench *b, double t) {
    (void)t;
    for (int j = 0; j < b->rod.n; j++) {
        b->sense[j].from = j * b->l0;
        b->sense[j].to = (j + 1) * b->l0;
        b->sense[j].last = j == b->rod.n - 1;
    }
}

/* data: constant of the driving force P = data[0] - data[1] ln(l/l0) */
static void drives(bench *b, double t) {
    names_links(b, t);
    for (int j = 0; j < b->rod.n; j++) {
        b->sense[j].driving = b->data[0] - b->data[1] * log(b->rod.l[j] / b->l0);
        b->sense[j].driving_slope = -b->data[1];
    }
}

static void a_constant_speed_is_exact_and_only_the_link_at_the_label_grows(void **state) {
    static const struct {
        const char *at;
        int         link;
    } cases[] = {{NULL, 0}, {"0.25", 1}, {"0.3", 1}, {"1", 3}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        bench *b = bench_open(4, 1.0);
        b->load = names_links;
        bench_make(b, ZW_GROWTH_FEED, cases[i].at, "0.7");
        bench_run(b, 0.0, 3.0, 30);
        for (int j = 0; j < 4; j++) {
            check_below(fabs(b->l[j] - (j == cases[i].link ? 0.25 + 2.1 : 0.25)), 1e-14, 4.4e-16);
        }
        bench_close(b);
    }
    /* speeds that change: l = 0.25 + sin(t)/2 by the trapezoidal rule */
    double error[3];
    for (int i = 0; i < 3; i++) {
        bench *b = bench_open(4, 1.0);
        b->load = names_links;
        bench_make(b, ZW_GROWTH_FEED, NULL, "cos(t)/2");
        bench_run(b, 0.0, 2.0, 20 << i);
        error[i] = fabs(b->l[0] - 0.25 - 0.5 * sin(2.0));
        bench_close(b);
    }
    check_order(error, 3, 2.0, 2.0, 0.01);
}

static void a_sleeve_slides_to_where_its_push_holds_the_driving_force(void **state) {
    (void)state;
    bench *b = bench_open(4, 1.0);
    b->load = drives;
    b->data[0] = 0.5;
    b->data[1] = 3.0;
    bench_make(b, ZW_GROWTH_SLEEVE, NULL, "-0.8", "1e6"); /* a stiff one: mobility times slope times h is 1e8 */
    bench_run(b, 0.0, 1.0, 10);
    check_near(b->l[0], 0.25 * exp(-0.1), 1e-14); /* measured: 2.8e-17 */
    bench_close(b);
    double error[3], y0 = 0.25;
    for (int i = 0; i < 3; i++) { /* l' = m (q - 3 ln(l/l0)), y = ln(l/l0), against 4000 steps */
        double l[2];
        for (int k = 0; k < 2; k++) {
            b = bench_open(4, 1.0);
            b->load = drives;
            b->data[0] = 0.5;
            b->data[1] = 3.0;
            bench_make(b, ZW_GROWTH_SLEEVE, NULL, "0.4", "0.2");
            bench_run(b, 0.0, 1.0, k == 0 ? 10 << i : 4000);
            l[k] = b->l[0];
            bench_close(b);
        }
        error[i] = fabs(l[0] - l[1]) / y0;
    }
    check_order(error, 3, 2.0, 2.0, 0.15);
}

static void what_is_drawn_in_ends_with_a_message(void **state) {
    (void)state;
    bench *b = bench_open(4, 1.0);
    b->load = names_links;
    bench_make(b, ZW_GROWTH_FEED, "0.25", "-0.1");
    bench_run(b, 0.0, 2.2, 22);
    char line[1200];
    assert_int_equal(zw_growth_flow(b->law, &b->rod, 2.2, 0.1), ZW_E_DIVERGED);
    zw_error_format(zw_error_at(b->context, 0), line, sizeof line);
    assert_non_null(strstr(line, "s = 0.25"));
    assert_non_null(strstr(line, "t = 2.3"));
    assert_non_null(strstr(line, "less than a tenth of the 0.25 m"));
    bench_close(b);
}

/* ---- the driving force of rods */

#define SOFT "bending: [3, 2], torsion: 1.5, stretch: 50, shear: 30, mass: 0.7, inertia: 0.01"

/* -dE/dl at fixed nodes by differences, energy of links and of weights over that of the mouth; the rod is bent, sheared, twisted and stretched */
static double driving_error(const char *links, int link, double *size) {
    fixture f;
    char    text[1200];
    snprintf(text, sizeof text,
             "zwang: 1\ngravity: [0.3, -0.4, -9]\nbodies: {b: {rod: {length: 1, elements: 7, links: %s, along: [1, 0, 0], section: {" SOFT
             "}, "
             "natural: {curvature: [0.3, -0.2, 0.4]}, growth: {law: {feed: {speed: 1}}}}}}\nrun: {until: 1}\n",
             links);
    fixture_system(&f, text);
    zw_state x;
    fixture_state(&f, &x);
    for (int i = 0; i < 8 * ZW_ROD_NQ; i++) {
        x.q[i] += 0.03 * sin(1.7 * i + 0.3);
    }
    for (int i = 0; i < 8; i++) {
        double *q = x.q + ZW_ROD_NQ * i + 3, n = sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
        for (int k = 0; k < 4; k++) {
            q[k] /= n;
        }
    }
    const zw_rods *rods = fixture_rods(&f);
    zw_place       place = {.body = 0, .element = link, .u = {0.0}};
    double         E[2], l = x.s[link], eps = 1e-6, P, change, g[3] = {0.3, -0.4, -9.0};
    assert_true(zw_rods_growth_driving(rods, &place, &x, &P));
    for (int k = 0; k < 2; k++) {
        zw_account a = {0};
        x.s[link] = l + (k == 0 ? eps : -eps);
        zw_system_account(f.y, &x, &a);
        E[k] = a.elastic + a.potential + 0.7 * x.s[link] * zw_v3_dot(g, x.q + ZW_ROD_NQ * link); /* what comes was at the mouth */
    }
    change = -(E[0] - E[1]) / (2.0 * eps);
    *size = fabs(change);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
    return fabs(P - change);
}

static void the_driving_force_is_what_the_energy_loses(void **state) {
    (void)state;
    double size;
    check_below(driving_error("plain", 0, &size) / size, 1e-8, 1.5e-10);
    check_below(driving_error("plain", 3, &size) / size, 1e-8, 4.6e-10);
    check_below(driving_error("refined", 3, &size) / size, 1e-8, 4.6e-10); /* stiffness that depends on l */
}

/* ---- the reaction of a sleeve: elastica, dead load P across at the end. M = P x_tip at the mouth, N = 0 there */

static double mouth_force(const char *links, int elements, double load, double weight) {
    fixture             f;
    zw_implicit         k;
    zw_state            x;
    double              lambda[16] = {0}, P;
    zw_equilibrium_info info;
    char                text[1200];
    snprintf(
        text, sizeof text,
        "zwang: 1\nparameters: {P: %.17g, g: %.17g}\ngravity: [-g, 0, 0]\nbodies: {b: {rod: {length: 1, elements: %d, links: %s, along: [1, 0, 0], "
        "section: {bending: [1, 1], torsion: 1, stretch: 1e8, shear: 1e8, mass: 1, inertia: 0.01}, growth: {law: {feed: {speed: 1}}}}}}\n"
        "constraints: {mouth: {clamp: b, s: 0}}\nloads: {f: {force: [0, 0, P], on: b, s: end}}\nrun: {until: 1}\n",
        load, weight, elements, links);
    fixture_system(&f, text);
    fixture_state(&f, &x);
    fixture_must(&f, zw_implicit_create(f.y, &k), "zw_implicit_create");
    assert_true(k.m <= 16);
    fixture_must(&f, zw_equilibrium_find(&k, &x, lambda, &info), "zw_equilibrium_find");
    zw_place mouth = {.body = 0, .element = 0, .u = {0.0}};
    assert_true(zw_rods_growth_driving(fixture_rods(&f), &mouth, &x, &P));
    zw_state_destroy(f.c, &x);
    zw_implicit_destroy(&k);
    fixture_close(&f);
    return P;
}

/* elliptic integrals: x_tip over L for P L^2/EI = 1, 2, 5, 10 (25 digits, rounded) */
static void the_reaction_at_the_mouth_is_half_the_moment_squared_over_ei(void **state) {
    static const double load[4] = {1.0, 2.0, 5.0, 10.0},
                        tip[4] = {0.9435667637166231, 0.8393582791748327, 0.6123716392755701, 0.4450044022462487};
    static const double measured[4] = {5.8e-5, 6.0e-5, 1.03e-4, 2.01e-4}, finer[4] = {8.8e-8, 5.0e-7, 3.3e-6, 1.14e-5};
    (void)state;
    for (int i = 0; i < 4; i++) {
        double error[3], want = 0.5 * (load[i] * tip[i]) * (load[i] * tip[i]);
        for (int mesh = 0; mesh < 3; mesh++) {
            error[mesh] = fabs(mouth_force("plain", 16 << mesh, load[i], 0.0) / want - 1.0);
        }
        check_order(error, 3, 2.0, 2.0, 0.1);
        check_below(error[2], 1e-3, measured[i]);
        check_below(fabs(mouth_force("refined", 16, load[i], 0.0) / want - 1.0), 10.0 * finer[i], finer[i]);
    }
}

/* a column: N = -rho A g L at the mouth, on any mesh; stretch -g/K and its energy aside, which 1e8 N makes 1e-7 of it */
static void a_column_rests_on_its_weight(void **state) {
    (void)state;
    check_near(mouth_force("plain", 3, 0.0, 0.5), -0.5, 3e-8); /* measured: 1.1e-8 */
    check_near(mouth_force("plain", 12, 0.0, 0.5), -0.5, 3e-8);
}

/* with weight and load at once N + M^2/(2 EI) is the same on all meshes, to order 2 */
static void weight_and_load_together_are_of_order_two(void **state) {
    double error[3], fine = (4.0 * mouth_force("plain", 256, 3.0, 2.0) - mouth_force("plain", 128, 3.0, 2.0)) / 3.0;
    (void)state;
    for (int mesh = 0; mesh < 3; mesh++) {
        error[mesh] = fabs(mouth_force("plain", 8 << mesh, 3.0, 2.0) - fine);
    }
    check_order(error, 3, 2.0, 2.0, 0.15);
    check_below(error[2], 3e-3, 7.0e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_speed_is_exact_and_only_the_link_at_the_label_grows),
        cmocka_unit_test(a_sleeve_slides_to_where_its_push_holds_the_driving_force),
        cmocka_unit_test(what_is_drawn_in_ends_with_a_message),
        cmocka_unit_test(the_driving_force_is_what_the_energy_loses),
        cmocka_unit_test(the_reaction_at_the_mouth_is_half_the_moment_squared_over_ei),
        cmocka_unit_test(a_column_rests_on_its_weight),
        cmocka_unit_test(weight_and_load_together_are_of_order_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

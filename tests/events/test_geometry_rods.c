/* SPDX-License-Identifier: Apache-2.0
 * test_geometry_rods.c: links of rods as capsules, located: a straight rod that moves without turning is one long capsule, whose distance from a form
 * (math/form.h) gives the time of the impact; the impulse at a link is that of its two nodes as masses on a lever. */
#include "support/ledger.h"

#include "math/form.h"
#include "math/quat.h"

static const char material[] = "section: {round: 0.02}, material: {density: 1000, young: 1e6, poisson: 0.3}";

/* a ball of 1 kg under the second link, at 0.4 of its length: masses 0.1 pi of the nodes, as lever arms say */
static void a_link_hits_a_ball(void **state) {
    (void)state;
    static ledger l;
    char          text[800];
    snprintf(text, sizeof text,
             "zwang: 1\nbodies:\n"
             "  r: {rod: {length: 1, at: [-0.5, 0.003, 0.2], along: [1, 0, 0], up: [0, 0, 1], elements: 4, %s, velocity: [0, 0, -1]}}\n"
             "  b: {rigid: {sphere: {radius: 0.1}, mass: 1, at: [0.1, 0, 0]}}\n"
             "contact: {restitution: 1}\nrun: {until: 0.09, integrator: gauss, tolerance: 1e-9}\n",
             material);
    ledger_open(&l, text);
    ledger_finish(&l);
    const kept_event *e = ledger_find(&l, ZW_EVENT_IMPACT, 0);
    double            height = sqrt(0.12 * 0.12 - 0.003 * 0.003), node = 1000.0 * acos(-1.0) * 0.02 * 0.02 * 0.25, n = height / 0.12;
    check_near(e->e.t, 0.2 - height, 1e-15);
    check_near(e->contact[0].impulse, 2.0 * n / (1.0 + (0.6 * 0.6 + 0.4 * 0.4) / node), 1e-13);
    zw_summary s = ledger_summary(&l);
    assert_int_equal(s.impacts, 1);
    check_below(s.energy_drift_max, 1e-12, 7.3e-15);
    check_below(s.linear_drift_max, 1e-14, 2.2e-16);
    fixture_close(&l.f);
}

/* two rods cross */
static void rods_cross(void **state) {
    (void)state;
    static ledger l;
    char          text[900];
    snprintf(text, sizeof text,
             "zwang: 1\nbodies:\n"
             "  a: {rod: {length: 1, at: [-0.5, 0, 0.1], along: [1, 0, 0], up: [0, 0, 1], elements: 4, %s, velocity: [0, 0, -1]}}\n"
             "  b: {rod: {length: 1, at: [0.1, -0.45, 0], along: [0, 1, 0], up: [0, 0, 1], elements: 4, %s}}\n"
             "contact: {restitution: 1}\nrun: {until: 0.07, integrator: gauss, tolerance: 1e-9}\n",
             material, material);
    ledger_open(&l, text);
    ledger_finish(&l);
    const kept_event *e = ledger_find(&l, ZW_EVENT_IMPACT, 0);
    double            node = 1000.0 * acos(-1.0) * 0.02 * 0.02 * 0.25;
    check_near(e->e.t, 0.06, 1e-14);
    /* 0.4 of a link of one, 0.8 of a link of the other */
    check_near(e->contact[0].impulse, 2.0 * node / (0.6 * 0.6 + 0.4 * 0.4 + 0.2 * 0.2 + 0.8 * 0.8), 1e-13);
    check_below(ledger_summary(&l).energy_drift_max, 1e-12, 1.8e-14);
    fixture_close(&l.f);
}

typedef struct target {
    const char *text;
    zw_form     form;
} target;

static const target targets[] = {
    {"sphere: {radius: 0.2}", {.shape = ZW_SHAPE_BALL, .radius = 0.2}},
    {"capsule: {radius: 0.1, length: 0.5}", {.shape = ZW_SHAPE_STICK, .radius = 0.1, .half = 0.25}},
    {"box: {size: [0.4, 0.3, 0.2]}", {.shape = ZW_SHAPE_BLOCK, .size = {0.2, 0.15, 0.1}}},
    {"cylinder: {radius: 0.2, length: 0.3}", {.shape = ZW_SHAPE_DRUM, .radius = 0.2, .half = 0.15}},
};

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

/* rods thrown at bodies that are turned at random */
static void rods_hit_all_forms(void **state) {
    (void)state;
    static ledger l;
    uint64_t      seed = 3;
    double        worst_time = 0.0, worst_energy = 0.0;
    for (int k = 0; k < 12; k++) {
        const target *t = &targets[k % 4];
        char          text[1000];
        double        turn[3], q[4], u[3], v[3], x[3], angle = 0.0, lo = 0.0, hi = 0.0;
        zw_form       stick = {.shape = ZW_SHAPE_STICK, .radius = 0.02, .half = 0.5};
        zw_placed     a = {.form = &stick}, b = {.form = &t->form};
        zw_touch      at;
        for (int i = 0; i < 3; i++) {
            turn[i] = 2.0 * uniform(&seed);
            angle += turn[i] * turn[i];
            u[i] = uniform(&seed);
        }
        angle = sqrt(angle);
        q[0] = cos(0.5 * angle);
        for (int i = 0; i < 3; i++) {
            q[1 + i] = sin(0.5 * angle) * turn[i] / angle;
        }
        zw_q_to_matrix(q, b.R);
        u[2] *= 0.5;
        zw_v3_unit(u, u);
        zw_v3_set(v, 0.3 * uniform(&seed), 0.3 * uniform(&seed), -1.0);
        zw_v3_set(x, 0.1 * uniform(&seed) - v[0], 0.1 * uniform(&seed) - v[1], 1.0); /* of its middle */
        double ex[3], ey[3], up[3] = {0.1, 0.2, 1.0};
        zw_v3_cross(ex, up, u);
        zw_v3_unit(ex, ex);
        zw_v3_cross(ey, u, ex);
        for (int i = 0; i < 3; i++) {
            a.R[3 * i] = ex[i];
            a.R[3 * i + 1] = ey[i];
            a.R[3 * i + 2] = u[i];
        }
        do {
            lo = hi;
            hi += 0.002;
            zw_v3_addscaled(a.x, x, hi, v);
            zw_form_distance(&a, &b, &at);
        } while (at.gap > 0.0 && hi < 3.0);
        assert_true(hi < 3.0);
        for (int i = 0; i < 60; i++) {
            double mid = 0.5 * (lo + hi);
            zw_v3_addscaled(a.x, x, mid, v);
            zw_form_distance(&a, &b, &at);
            *(at.gap > 0.0 ? &lo : &hi) = mid;
        }
        snprintf(text, sizeof text,
                 "zwang: 1\nbodies:\n"
                 "  r: {rod: {length: 1, at: [%.17g, %.17g, %.17g], along: [%.17g, %.17g, %.17g], up: [0.1, 0.2, 1], elements: 5, %s,\n"
                 "            velocity: [%.17g, %.17g, %.17g]}}\n"
                 "  b: {rigid: {%s, mass: 1, turn: [%.17g, %.17g, %.17g]}}\n"
                 "contact: {restitution: 1}\nrun: {until: %.17g, integrator: gauss, tolerance: 1e-9}\n",
                 x[0] - 0.5 * u[0], x[1] - 0.5 * u[1], x[2] - 0.5 * u[2], u[0], u[1], u[2], material, v[0], v[1], v[2], t->text, turn[0],
                 turn[1], turn[2], lo + 1e-7);
        ledger_open(&l, text);
        ledger_finish(&l);
        if (ledger_summary(&l).impacts != 1) {
            print_error("%s", text);
        }
        assert_int_equal(ledger_summary(&l).impacts, 1);
        worst_time = fmax(worst_time, fabs(ledger_find(&l, ZW_EVENT_IMPACT, 0)->e.t - lo));
        worst_energy = fmax(worst_energy, ledger_summary(&l).energy_drift_max);
        fixture_close(&l.f);
    }
    check_below(worst_time, 1e-13, 3.3e-16);
    check_below(worst_energy, 1e-12, 3.3e-16);
}

/* a soft rod falls over a drum and a box that stand still, slides and swings off: nothing is passed through, and energy is only lost in impacts */
static void a_rod_falls_over_obstacles(void **state) {
    (void)state;
    static ledger l;
    char          text[900];
    snprintf(
        text, sizeof text,
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  r: {rod: {length: 1, at: [-0.45, 0.02, 0.15], along: [1, 0, 0], up: [0, 0, 1], elements: 6, %s}}\n"
        "obstacles:\n  post: {cylinder: {radius: 0.1, axis: [0, 1, 0], at: [-0.21, 0, 0]}}\n  step: {box: {size: [0.2, 0.2, 0.4], at: [0.3, 0, -0.1]}}\n"
        "contact: {restitution: 0.3, law: moreau}\nrun: {until: 0.11, integrator: gauss, tolerance: 1e-8}\n",
        material);
    ledger_open(&l, text);
    ledger_finish(&l);
    zw_summary s = ledger_summary(&l);
    assert_true(s.impacts >= 2);
    check_below(s.energy_drift_max, 1e-11, 3.6e-13);
    fixture_close(&l.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_hits_a_ball),
        cmocka_unit_test(rods_cross),
        cmocka_unit_test(rods_hit_all_forms),
        cmocka_unit_test(a_rod_falls_over_obstacles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 * test_rod_shape.c: where a rod starts, its directors, its stress-free form, and the numbers of its sections. */
#define _GNU_SOURCE /* M_PI */
#include "support/model.h"

#include "math/dense.h"
#include "parts/rod_link.h"
#include "zwang/step.h"

#define ROD(length, elements, rest) \
    "zwang: 1\nparameters: {L: " length "}\nbodies:\n  a:\n    rod:\n      length: L\n      elements: " #elements "\n" rest
#define SQUARE "      section: {square: 0.1}\n      material: {density: 1000, young: 1e7, poisson: 0.35}\n"

static double elastic_force(const fixture *f) {
    zw_state x;
    fixture_state(f, &x);
    int     n = zw_system_size(f->y).nv;
    double *force = calloc((size_t)n, sizeof *force);
    fixture_must(f, zw_system_force(f->y, &x, force), "force");
    double most = largest(n, force);
    free(force);
    zw_state_destroy(f->c, &x);
    return most;
}

static const double *node(const fixture *f, int i) {
    return fixture_rods(f)->q0 + 7 * (size_t)i;
}

static void director(const fixture *f, int i, int k, double out[3]) {
    double R[9];
    zw_q_to_matrix(node(f, i) + 3, R);
    zw_m3_column(out, R, k);
}

static void straight_rod_goes_along_with_d1_up(void **state) {
    fixture f;
    double  d[3], s = sqrt(0.5);
    (void)state;
    fixture_system(&f, ROD("3", 6, SQUARE "      at: [1, 2, 3]\n      along: [1, 1, 0]\n      up: [1, 0, 2]\n"));
    for (int i = 0; i <= 6; i++) {
        double want[3] = {1 + 0.5 * i * s, 2 + 0.5 * i * s, 3};
        check_array_near(node(&f, i), want, 3, 1e-14);
        director(&f, i, 2, d);
        check_array_near(d, ((double[]){s, s, 0}), 3, 1e-15);
        director(&f, i, 0, d); /* up made orthogonal to along: (1,0,2) - (1,1,0)/2 */
        double n = sqrt(0.25 + 0.25 + 4);
        check_array_near(d, ((double[]){0.5 / n, -0.5 / n, 2 / n}), 3, 1e-15);
    }
    check_below(elastic_force(&f), 1e-9, 5.7e-11); /* N, of stiffness 1e5 */
    fixture_close(&f);
}

static void default_directors_are_the_space_axes(void **state) {
    fixture f;
    double  R[9], unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    (void)state;
    fixture_system(&f, ROD("1", 2, SQUARE));
    zw_q_to_matrix(node(&f, 0) + 3, R);
    check_array_near(R, unit, 9, 1e-16);
    fixture_close(&f);
}

static void constant_curvature_is_an_exact_arc(void **state) {
    fixture f;
    double  worst = 0.0;
    (void)state;
    fixture_system(&f, ROD("2*pi/3", 100, SQUARE "      shape: {curvature: [0, -1, 0]}\n"));
    for (int i = 0; i <= 100; i++) { /* d3 turns from z towards -x */
        double s = 2 * M_PI / 3 * i / 100, want[3] = {cos(s) - 1, 0, sin(s)};
        worst = fmax(worst, largest_difference(3, node(&f, i), want));
    }
    check_below(worst, 1e-14, 5.6e-16);
    fixture_close(&f);
}

static void natural_curvature_equal_to_the_shape_is_stress_free(void **state) {
    fixture f;
    (void)state;
    fixture_system(
        &f, ROD("2", 30, SQUARE "      shape: {curvature: [0.3*s, -1, 2*cos(s)]}\n      natural: {curvature: [0.3*s, -1, 2*cos(s)]}\n"));
    check_below(elastic_force(&f), 1e-9, 2.1e-10); /* N */
    fixture_close(&f);
}

static void start_as_natural_form_is_stress_free(void **state) {
    fixture           f;
    const char *const text[] = {
        ROD("2", 30, SQUARE "      shape: {curvature: [0.3*s, -1, 2*cos(s)]}\n      natural: start\n"),
        ROD("2", 30, SQUARE "      shape: {curve: [cos(s), sin(s), 0.2*s^2]}\n      natural: start\n"),
        ROD("2", 30, SQUARE "      shape: {points: [[0, 0, 0], [1, 0.2, 0], [1.5, 1, 0.3], [2, 1, 1]]}\n      natural: start\n"),
        ROD("2", 30, SQUARE "      along: [1, 0, 0]\n      shape: {ring: [0, 0, 1]}\n      natural: start\n"),
    };
    double worst = 0.0;
    (void)state;
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        fixture_system(&f, text[i]);
        worst = fmax(worst, elastic_force(&f));
        fixture_close(&f);
    }
    check_below(worst, 1e-9, 3.6e-11); /* N */
}

/* kappa = (0, s, 0): theta = s^2/2, x = int sin, z = int cos, by Simpson on a fine grid */
static void varying_curvature_is_integrated_to_high_order(void **state) {
    fixture f;
    double  x = 0.0, z = 0.0;
    enum { N = 20000 };
    (void)state;
    fixture_system(&f, ROD("2", 20, SQUARE "      shape: {curvature: [0, s, 0]}\n"));
    for (int i = 0; i < N; i++) {
        double h = 2.0 / N, s[3] = {i * h, (i + 0.5) * h, (i + 1) * h}, w[3] = {h / 6, 4 * h / 6, h / 6};
        for (int k = 0; k < 3; k++) {
            x += w[k] * sin(0.5 * s[k] * s[k]);
            z += w[k] * cos(0.5 * s[k] * s[k]);
        }
    }
    check_near(node(&f, 20)[0], x, 1e-9); /* measured 1.3e-10 */
    check_near(node(&f, 20)[2], z, 1e-9);
    fixture_close(&f);
}

static void curve_passes_its_points_without_twist(void **state) {
    fixture f;
    double  worst = 0.0, twist = 0.0, tangent = 0.0;
    (void)state;
    fixture_system(&f, ROD("2", 40, SQUARE "      shape: {curve: [3 + sin(s), 2 - cos(s), 1]}\n"));
    const zw_rods *rods = fixture_rods(&f);
    for (int i = 0; i <= 40; i++) {
        double s = 0.05 * i, want[3] = {3 + sin(s), 2 - cos(s), 1}, t[3] = {cos(s), sin(s), 0}, d[3];
        worst = fmax(worst, largest_difference(3, node(&f, i), want));
        director(&f, i, 2, d);
        tangent = fmax(tangent, largest_difference(3, d, t));
        if (i < 40) {
            double strain[6];
            zw_rod_link_strain(rods, &rods->rod[0], i, rods->q0, strain);
            twist = fmax(twist, fabs(strain[2]));
            check_near(zw_v3_norm(strain), 1.0, 1e-12); /* curvature of the unit circle */
            check_near(strain[5], 1.0, 1e-12);          /* an arc in plane: chords are exact */
        }
    }
    check_below(worst, 1e-15, 0);
    check_below(tangent, 1e-15, 4.4e-16);
    check_below(twist, 1e-12, 2.2e-15); /* 1/m */
    fixture_close(&f);
}

static void curve_starts_at_at(void **state) {
    fixture f;
    (void)state;
    fixture_system(&f, ROD("2", 4, SQUARE "      at: [5, 6, 7]\n      shape: {curve: [s, 1, 1]}\n"));
    check_array_near(node(&f, 0), ((double[]){5, 6, 7}), 3, 1e-15);
    check_array_near(node(&f, 4), ((double[]){7, 6, 7}), 3, 1e-15);
    fixture_close(&f);
}

static void points_are_passed_and_evenly_labelled(void **state) {
    fixture f;
    (void)state;
    fixture_system(&f, ROD("2", 8, SQUARE "      shape: {points: [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}\n"));
    for (int i = 0; i <= 8; i++) {
        check_array_near(node(&f, i), ((double[]){0.25 * i, 0, 0}), 3, 1e-14);
    }
    fixture_close(&f);
    /* a quarter of a circle through 9 points: ends exact, the middle near the circle */
    fixture_system(
        &f,
        ROD("pi/2", 16,
            SQUARE
            "      shape: {points: [[1, 0, 0], [cos(pi/16), sin(pi/16), 0], [cos(pi/8), sin(pi/8), 0], [cos(3*pi/16), sin(3*pi/16), 0], "
            "[cos(pi/4), sin(pi/4), 0], [cos(5*pi/16), sin(5*pi/16), 0], [cos(3*pi/8), sin(3*pi/8), 0], [cos(7*pi/16), sin(7*pi/16), 0], [0, 1, 0]]}\n"));
    check_array_near(node(&f, 0), ((double[]){1, 0, 0}), 3, 1e-15);
    check_array_near(node(&f, 16), ((double[]){0, 1, 0}), 3, 1e-15);
    double off = 0.0;
    for (int i = 0; i <= 16; i++) {
        off = fmax(off, fabs(zw_v3_norm(node(&f, i)) - 1.0));
    }
    check_below(off, 2e-4, 3.5e-05); /* slopes of parabolas, at the ends too */
    fixture_close(&f);
}

static void ring_is_closed_and_round(void **state) {
    fixture f;
    double  R = 2 / (2 * M_PI), worst = 0.0, kappa = 0.0;
    (void)state;
    fixture_system(&f, ROD("2", 12, SQUARE "      at: [1, 1, 1]\n      along: [1, 0, 0]\n      shape: {ring: [0, 0, 1]}\n"));
    const zw_rods *rods = fixture_rods(&f);
    assert_int_equal(rods->nnodes, 12);
    assert_int_equal(rods->nlinks, 12);
    assert_true(rods->rod[0].closed);
    for (int i = 0; i < 12; i++) { /* to the left of the direction of travel: centre at (1, 1 + R, 1) */
        double a = 2 * M_PI * i / 12, want[3] = {1 + R * sin(a), 1 + R - R * cos(a), 1}, strain[6];
        worst = fmax(worst, largest_difference(3, node(&f, i), want));
        zw_rod_link_strain(rods, &rods->rod[0], i, rods->q0, strain);
        kappa = fmax(kappa, fmax(fabs(zw_v3_norm(strain) - 1 / R), fabs(strain[5] - 1.0)));
    }
    check_below(worst, 1e-15, 0);
    check_below(kappa, 1e-13, 4.4e-15);
    double mass = 0.0;
    for (int i = 0; i < 12; i++) {
        mass += rods->mass[i];
        check_relative(rods->mass[i], 1000 * 0.01 * 2 / 12, 1e-14);
    }
    check_relative(mass, 20.0, 1e-14);
    fixture_close(&f);
}

static void check_section(const char *section, const double stiffness[6], double mass, const double inertia[3], double radius) {
    fixture f;
    char    text[1000];
    snprintf(
        text, sizeof text,
        "zwang: 1\nbodies:\n  a:\n    rod:\n      length: 2\n      elements: 4\n      section: %s\n      material: {density: 1000, young: 1e7, poisson: 0.25}\n",
        section);
    fixture_system(&f, text);
    const zw_rods *rods = fixture_rods(&f);
    for (int i = 0; i < 6; i++) {
        check_relative(rods->stiffness[i], stiffness[i], 1e-14);
    }
    for (int i = 0; i <= 4; i++) {
        double l = i == 0 || i == 4 ? 0.25 : 0.5; /* ends get half */
        check_relative(rods->mass[i], mass * l, 1e-14);
        for (int k = 0; k < 3; k++) {
            check_relative(rods->inertia[3 * i + k], inertia[k] * l, 1e-14);
        }
    }
    check_relative(rods->radius[0], radius, 1e-14);
    fixture_close(&f);
}

static void drawn_sections_have_the_textbook_numbers(void **state) {
    double E = 1e7, G = 4e6, rho = 1000;
    (void)state;
    double a = 0.1, A = a * a, I = a * a * a * a / 12;
    check_section("{square: 0.1}", (double[]){E * I, E * I, G * 2 * I, G * A, G * A, E * A}, rho * A,
                  (double[]){rho * I, rho * I, 2 * rho * I}, 0.05);
    double r = 0.03;
    A = M_PI * r * r;
    I = M_PI * r * r * r * r / 4;
    check_section("{round: 0.03}", (double[]){E * I, E * I, G * 2 * I, G * A, G * A, E * A}, rho * A,
                  (double[]){rho * I, rho * I, 2 * rho * I}, 0.03);
    double b = 0.02, I1 = a * b * b * b / 12, I2 = b * a * a * a / 12; /* a along d1, b along d2 */
    A = a * b;
    check_section("{rectangle: [0.1, 0.02]}", (double[]){E * I1, E * I2, G * (I1 + I2), G * A, G * A, E * A}, rho * A,
                  (double[]){rho * I1, rho * I2, rho * (I1 + I2)}, 0.01);
    A = M_PI * (a * a - b * b);
    I = M_PI * (a * a * a * a - b * b * b * b) / 4;
    check_section("{tube: [0.1, 0.02]}", (double[]){E * I, E * I, G * 2 * I, G * A, G * A, E * A}, rho * A,
                  (double[]){rho * I, rho * I, 2 * rho * I}, 0.1);
}

static void explicit_section_is_taken_as_written(void **state) {
    fixture f;
    (void)state;
    fixture_system(
        &f,
        ROD("2", 4,
            "      section: {bending: [3, 5], torsion: 2, stretch: 40, shear: 15, mass: 6, inertia: [0.1, 0.2, 0.3]}\n      radius: 0.07\n"));
    const zw_rods *rods = fixture_rods(&f);
    check_array_near(rods->stiffness, ((double[]){3, 5, 2, 15, 15, 40}), 6, 0.0);
    check_relative(rods->mass[1], 3.0, 1e-15);
    check_array_near(rods->inertia + 3, ((double[]){0.05, 0.1, 0.15}), 3, 1e-16);
    check_near(rods->radius[2], 0.07, 0.0);
    fixture_close(&f);
}

static void tapered_section_is_read_at_the_middles_of_links(void **state) {
    fixture f;
    double  mass = 0.0;
    (void)state;
    fixture_system(
        &f, ROD("2", 4, "      section: {square: 0.1*(1 - s/4)}\n      material: {density: 1000*(1 + s), young: 1e7, poisson: 0.25}\n"));
    const zw_rods *rods = fixture_rods(&f);
    for (int i = 0; i < 4; i++) {
        double s = 0.25 + 0.5 * i, a = 0.1 * (1 - s / 4);
        check_relative(rods->stiffness[6 * i + 5], 1e7 * a * a, 1e-14);
        mass += 0.5 * 1000 * (1 + s) * a * a;
    }
    double sum = 0.0;
    for (int i = 0; i < 5; i++) {
        sum += rods->mass[i];
        check_relative(rods->radius[i], 0.05 * (1 - 0.5 * i / 4), 1e-14); /* nodes */
    }
    check_relative(sum, mass, 1e-14);
    fixture_close(&f);
}

static void general_inertia_comes_in_principal_axes(void **state) {
    fixture f;
    (void)state;
    fixture_system(
        &f,
        ROD("2", 4,
            "      section:\n"
            "        stiffness: [[9, 0, 0, 0, 0, 0], [0, 8, 0, 0, 0, 0], [0, 0, 7, 0, 0, 0], [0, 0, 0, 20, 0, 0], [0, 0, 0, 0, 25, 0], [0, 0, 0, 0, 0, 40]]\n"
            "        inertia: [[0.2, 0.03, 0, 0, 0, 0], [0.03, 0.3, 0.01, 0, 0, 0], [0, 0.01, 0.4, 0, 0, 0], [0, 0, 0, 5, 0, 0], [0, 0, 0, 0, 5, 0], [0, 0, 0, 0, 0, 5]]\n"));
    const zw_rods *rods = fixture_rods(&f);
    double         want[9] = {0.2, 0.03, 0, 0.03, 0.3, 0.01, 0, 0.01, 0.4}, P[9], D[9], T[9], J[9];
    assert_non_null(rods->principal);
    assert_null(rods->coupling);
    for (int i = 0; i < 5; i++) {
        double l = i == 0 || i == 4 ? 0.25 : 0.5;
        zw_q_to_matrix(rods->principal + 4 * i, P);
        zw_m3_diagonal(D, rods->inertia[3 * i], rods->inertia[3 * i + 1], rods->inertia[3 * i + 2]);
        zw_m3_mul(T, P, D);
        zw_m3_mult(J, T, P);
        for (int k = 0; k < 9; k++) {
            check_near(J[k], l * want[k], 1e-15);
            check_near(rods->inertia33[9 * i + k], l * want[k], 1e-16);
        }
        check_near(zw_m3_det(P), 1.0, 1e-14);
    }
    zw_state x;
    fixture_state(&f, &x);
    const zw_metric *M = zw_system_mass(f.y, &x);
    assert_int_equal(M->part[0].block, 6);
    check_near(M->part[0].a[36 + 1], 0.5 * 0.03, 1e-16);
    check_near(M->part[0].a[36 + 21], 2.5, 1e-15);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

/* the section-4 rod: energy and mass; reference R19 of tests/references/rods.json */
static void section_4_rod_has_its_energy(void **state) {
    fixture    f;
    zw_state   x;
    zw_account a;
    (void)state;
    fixture_system(&f,
                   ROD("2*pi/3", 100, SQUARE "      shape: {curvature: [0, -1, 0]}\n      velocity: {director: [0, sin(pi*s/L), 1]}\n"));
    fixture_state(&f, &x);
    zw_system_account(f.y, &x, &a);
    check_near(account_energy(&a), 102.9744259, 5e-8);
    check_relative(a.mass, 10 * 2 * M_PI / 3, 1e-14);
    check_relative(a.elastic, 0.5 * 1e7 * 1e-4 / 12 * 2 * M_PI / 3, 1e-12);
    zw_state_destroy(f.c, &x);
    fixture_close(&f);
}

static void refused(const char *text, zw_status code, const char *word) {
    fixture f;
    assert_int_equal(zw_context_create(NULL, &f.c), ZW_OK);
    f.m = NULL;
    f.y = NULL;
    f.r = NULL;
    zw_status status =
        zw_model_parse(f.c, "test.yaml", text, strlen(text), 0, NULL, &f.m); /* what can be seen in the text is refused here */
    assert_int_equal(status == ZW_OK ? zw_system_create(f.m, &f.y) : status, code);
    const zw_error *e = fixture_error(&f);
    char            line[1200];
    zw_error_format(e, line, sizeof line);
    if (strstr(line, word) == NULL) {
        fail_msg("'%s' is not in: %s", word, line);
    }
    assert_true(e->remedy[0] != 0);
    fixture_close(&f);
}

static void what_cannot_be_is_refused_with_a_remedy(void **state) {
    (void)state;
    refused(ROD("2", 4, SQUARE "      along: [0, 0, 1]\n      up: [0, 0, 2]\n"), ZW_E_MODEL, "parallel");
    refused(ROD("10", 2, SQUARE "      shape: {curvature: [0, 0.625, 0]}\n"), ZW_E_MODEL, "link");
    refused(ROD("2", 4, "      section: {square: 0.1 - s/10}\n      material: {density: 1000, young: 1e7, poisson: 0.25}\n"), ZW_E_MODEL,
            "s = 1");
    refused(ROD("2", 2, SQUARE "      along: [1, 0, 0]\n      shape: {ring: [0, 0, 1]}\n"), ZW_E_MODEL, "ring");
    refused(ROD("2", 8, SQUARE "      along: [1, 0, 1]\n      shape: {ring: [0, 0, 1]}\n"), ZW_E_MODEL, "normal");
    refused(ROD("2", 8, SQUARE "      shape: {points: [[0, 0, 0], [0, 0, 0], [1, 0, 0]]}\n"), ZW_E_MODEL, "same");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_rod_goes_along_with_d1_up),
        cmocka_unit_test(default_directors_are_the_space_axes),
        cmocka_unit_test(constant_curvature_is_an_exact_arc),
        cmocka_unit_test(natural_curvature_equal_to_the_shape_is_stress_free),
        cmocka_unit_test(start_as_natural_form_is_stress_free),
        cmocka_unit_test(varying_curvature_is_integrated_to_high_order),
        cmocka_unit_test(curve_passes_its_points_without_twist),
        cmocka_unit_test(curve_starts_at_at),
        cmocka_unit_test(points_are_passed_and_evenly_labelled),
        cmocka_unit_test(ring_is_closed_and_round),
        cmocka_unit_test(drawn_sections_have_the_textbook_numbers),
        cmocka_unit_test(explicit_section_is_taken_as_written),
        cmocka_unit_test(tapered_section_is_read_at_the_middles_of_links),
        cmocka_unit_test(general_inertia_comes_in_principal_axes),
        cmocka_unit_test(section_4_rod_has_its_energy),
        cmocka_unit_test(what_cannot_be_is_refused_with_a_remedy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

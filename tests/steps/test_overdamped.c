/* SPDX-License-Identifier: Apache-2.0
 * test_overdamped.c: motion without inertia in a medium: rates of the discrete rod, order, stiff decay, the balance of energy, what is refused; growing rings. */
#include "support/model.h"

#include <complex.h>

#define GAMMA 0.29289321881345247560
#define PI    3.14159265358979323846

/* what two stages make of y' = z y/h in one step */
static double stability(double z) {
    return (1.0 + (1.0 - 2.0 * GAMMA) * z) / ((1.0 - GAMMA * z) * (1.0 - GAMMA * z));
}

static double *place(stepper *s, int node) {
    return stepper_x(s)->q + ZW_ROD_NQ * (size_t)node;
}

#define ROD                                                                                                                          \
    "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 20, along: [0, 0, 1], up: [1, 0, 0], section: {bending: [2, 3], torsion: 1, " \
    "stretch: 50, shear: 70, mass: 1, inertia: 1e-4}}}}\nrun: {until: 1, mode: overdamped, drag: 0.7}\n"

static void stretched_rods_relax_by_diffusion(void **state) {
    (void)state;
    fixture f;
    stepper s;
    double  h = 1e-3, size = 1e-6;
    int     n = 20, steps = 40;
    fixture_system(&f, ROD "constraints: {a: {clamp: b, s: 0}, z: {clamp: b, s: end}}\n");
    stepper_open_by(&s, &f, "overdamped", h);
    for (int mode = 1; mode <= 15; mode += 7) {
        double l = 1.0 / n, rate = 50.0 / (0.7 * l * l) * (2.0 - 2.0 * cos(PI * mode / n)), left = size;
        for (int i = 0; i <= n; i++) {
            place(&s, i)[2] = i * l + size * sin(PI * mode * i / n);
        }
        stepper_restart(&s);
        stepper_go(&s, steps);
        for (int i = 0; i < steps; i++) {
            left *= stability(-rate * h);
        }
        double seen = 0.0, others = 0.0;
        for (int i = 0; i <= n; i++) {
            seen += 2.0 / n * sin(PI * mode * i / n) * (place(&s, i)[2] - i * l);
        }
        for (int i = 0; i <= n; i++) {
            others = fmax(others, fabs(place(&s, i)[2] - i * l - seen * sin(PI * mode * i / n)));
        }
        check_below(fabs(seen - left) / size, 1e-9, 2.6e-11);
        check_below(others / size, 1e-8, 1.3e-10);
    }
    stepper_close(&s);
    fixture_close(&f);
}

/* theta is eliminated: rate = EI k^4/(zeta (c^2 + EI k^2/GA)), k = 2 sin(q l/2)/l, c = cos(q l/2) */
static void bent_rods_relax_with_the_rate_of_the_mesh(void **state) {
    (void)state;
    fixture f;
    stepper s;
    double  size = 1e-5, l = 1.0 / 20;
    fixture_system(&f, ROD "constraints: {a: {clamp: b, s: 0, fix: [x, y, z, rz]}, z: {clamp: b, s: end, fix: [x, y]}}\n");
    for (int mode = 1; mode <= 3; mode++) {
        double q = PI * mode, k = 2.0 * sin(0.5 * q * l) / l, c = cos(0.5 * q * l);
        double rate = 3.0 * k * k * k * k / (0.7 * (c * c + 3.0 * k * k / 70.0)), h = 0.05 / rate, left = size, seen = 0.0;
        stepper_open_by(&s, &f, "overdamped", h); /* along x: about d2 */
        for (int i = 0; i <= 20; i++) {
            place(&s, i)[0] = size * sin(q * i * l);
        }
        stepper_restart(&s);
        stepper_go(&s, 20);
        for (int i = 0; i < 20; i++) {
            left *= stability(-rate * h);
        }
        for (int i = 0; i <= 20; i++) {
            seen += 2.0 / 20 * sin(q * i * l) * place(&s, i)[0];
        }
        check_below(fabs(seen - left) / size, 1e-8, 1.7e-10);
        check_below(fabs(seen / size - exp(-1.0)), 1e-4, 3.7e-5);
        stepper_close(&s);
    }
    fixture_close(&f);
}

#define LOADED                                                                                                                       \
    "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 10, along: [0, 0, 1], up: [1, 0, 0], section: {bending: [1, 1], torsion: 1, " \
    "stretch: 200, shear: 200, mass: 1, inertia: 1e-4}}}}\nrun: {until: 1, mode: overdamped, drag: 2}\n"                             \
    "constraints: {a: {clamp: b, s: 0, motion: {shift: [0, 0.3*t^3, 0], turn: [0, 0, 0.5*t^3]}}}\n"                                  \
    "loads: {tip: {force: [4*t^2, 0, -t^2], on: b, s: end}, turn: {moment: [0, t^2, 0], on: b, s: 0.5}}\n"

static void order_is_two_in_places_and_energy(void **state) {
    (void)state;
    double error[3], drift[3], turn[3], best[7 * 11];
    for (int level = 4; level >= 0; level--) {
        fixture f;
        stepper s;
        int     steps = level == 4 ? 640 : 20 << level;
        if (level == 3) {
            continue;
        }
        fixture_system(&f, LOADED);
        stepper_open_by(&s, &f, "overdamped", 1.0 / steps);
        zw_account from = stepper_account(&s);
        stepper_go(&s, steps);
        zw_state  *x = stepper_x(&s);
        zw_account a = stepper_account(&s);
        if (level == 4) {
            memcpy(best, x->q, sizeof best);
        } else {
            error[level] = turn[level] = 0.0;
            for (int i = 0; i <= 10; i++) {
                error[level] = fmax(error[level], largest_difference(3, x->q + 7 * i, best + 7 * i));
                turn[level] = fmax(turn[level], largest_difference(4, x->q + 7 * i + 3, best + 7 * i + 3));
            }
            drift[level] = fabs(a.elastic + a.potential - from.elastic - from.potential - x->w[ZW_W_WORK] + x->w[ZW_W_DISSIPATED]);
            assert_true(x->w[ZW_W_DISSIPATED] > 0.1);
        }
        stepper_close(&s);
        fixture_close(&f);
    }
    check_order(error, 3, 2.0, 2.0, 0.15);
    check_order(turn, 3, 2.0, 2.0, 0.3); /* 1.74, 1.85: tends to it more slowly */
    check_order(drift, 3, 2.0, 2.0, 0.2);
    check_below(error[2], 5e-5, 7.9e-6);
    check_below(drift[2], 5e-4, 1.2e-4);
}

#define BENT                                                                                                                              \
    "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 16, along: [0, 0, 1], up: [1, 0, 0], shape: {curvature: [0, 0.6, 0.2]}, section: " \
    "{bending: [1, 1], torsion: 1, stretch: 1e4, shear: 1e4, mass: 1, inertia: 1e-4}}}}\nconstraints: {a: {clamp: b, s: 0}}\n"            \
    "loads: {tip: {force: [1, 0.2, 0], on: b, s: end}}\n"

static void one_long_step_ends_at_rest(void **state) {
    (void)state;
    fixture f, g;
    stepper s, r;
    fixture_system(&f, BENT "run: {until: 1, mode: overdamped, drag: 1}\n");
    fixture_system(&g, BENT "run: {until: 1, mode: quasi-static}\n");
    stepper_open_by(&s, &f, "overdamped", 1e12);
    stepper_open_by(&r, &g, "quasi-static", 1.0);
    stepper_go(&s, 1);
    check_below(largest_difference(7 * 17, stepper_x(&s)->q, stepper_x(&r)->q), 1e-12, 1.1e-16);
    stepper_close(&s);
    stepper_close(&r);
    fixture_close(&f);
    fixture_close(&g);
}

static void what_nothing_resists_is_named(void **state) {
    (void)state;
    fixture f;
    int     nw;
    void   *self = NULL;
    fixture_system(
        &f,
        "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n  b: {rod: {length: 1, elements: 4, section: {bending: [1, 1], torsion: 1, stretch: 100, "
        "shear: 100, mass: 1, inertia: 1e-4}}}\n  ball: {rigid: {mass: 1, inertia: [1e-2, 1e-2, 1e-2], at: [3, 0, 0]}}\n"
        "run: {until: 1, mode: overdamped, drag: 1}\n");
    const zw_integrator_ops *ops = zw_integrator_find("overdamped");
    fixture_must(&f, ops->create(f.y, &self, &nw), "create");
    zw_size  n = zw_system_size(f.y);
    zw_state x;
    n.nw = nw;
    fixture_must(&f, zw_state_create(f.c, &n, &x), "zw_state_create");
    fixture_must(&f, zw_system_start(f.y, &x), "zw_system_start");
    assert_int_equal(ops->start(self, &x), ZW_E_CONVERGENCE);
    assert_non_null(strstr(fixture_error(&f)->message, "ball"));
    zw_state_destroy(f.c, &x);
    ops->destroy(self);
    fixture_close(&f);
}

/* growth that feels its tension and differs along the rod, against the drag: references and places are of order 2, and nothing adds up */
#define GROWING                                                                                                                                             \
    "zwang: 1\nbodies: {b: {rod: {length: 1, elements: 8, along: [0, 0, 1], up: [1, 0, 0], section: {bending: [1, 1], torsion: 1, stretch: 30, shear: 30, " \
    "mass: 1, inertia: 1e-4}, growth: {rate: \"0.2*sin(3*s + t) + 0.05*tension\", bend: [0, \"0.5*cos(t)\", 0]}}}}\n"                                       \
    "constraints: {a: {clamp: b, s: 0}}\nloads: {tip: {force: [t^2, 0, -t^2], on: b, s: end}}\nrun: {until: 2, mode: overdamped, drag: 3}\n"

static void growth_in_a_medium_is_of_order_two(void **state) {
    (void)state;
    double error[3], reference[3], best[7 * 9], length[8] = {0};
    for (int level = 5; level >= 0; level--) {
        fixture f;
        stepper s;
        int     steps = 20 << level;
        if (level == 3 || level == 4) {
            continue;
        }
        fixture_system(&f, GROWING);
        stepper_open_by(&s, &f, "overdamped", 2.0 / steps);
        stepper_go(&s, steps);
        (void)stepper_account(&s); /* references as they are there */
        if (level == 5) {
            memcpy(best, stepper_x(&s)->q, sizeof best);
            memcpy(length, fixture_rods(&f)->l, sizeof length);
        } else {
            error[level] = largest_difference(7 * 9, stepper_x(&s)->q, best);
            reference[level] = largest_difference(8, fixture_rods(&f)->l, length);
        }
        stepper_close(&s);
        fixture_close(&f);
    }
    check_order(error, 3, 2.0, 2.0, 0.2);
    check_order(reference, 3, 2.0, 2.0, 0.3); /* 1.73, 1.84: the start is a jump of the tension */
}

/* ---- growing rings: b = B/(zeta R^4), S = sigma/b, mu = C w R/B */

enum { NODES = 64 };

static void ring_text(char *text, size_t size, double sigma, double drag, double twist) {
    snprintf(
        text, size,
        "zwang: 1\nbodies: {b: {rod: {length: 2*pi, elements: %d, at: [1, 0, 0], along: [0, 1, 0], up: [0, 0, 1], shape: {ring: [0, 0, 1]}, natural: {curvature: [0, 0, "
        "%.17g]}, section: {bending: [1, 1], torsion: 1, stretch: 1e6, shear: 1e6, mass: 1, inertia: 1e-4}%s}}}\n"
        "run: {until: 1, mode: overdamped, drag: %.17g}\n",
        NODES, twist, "%s", drag);
    char grows[80] = "";
    if (sigma != 0.0) {
        snprintf(grows, sizeof grows, ", growth: {rate: %.17g}", sigma);
    }
    char *at = strstr(text, "%s");
    memmove(at + strlen(grows), at + 2, strlen(at + 2) + 1);
    memcpy(at, grows, strlen(grows));
}

/* second harmonics of the radius and of the height */
static void harmonics(stepper *s, double complex *radial, double complex *height) {
    *radial = *height = 0.0;
    for (int i = 0; i < NODES; i++) {
        const double  *x = place(s, i);
        double complex e = cexp(-I * 4.0 * PI * i / NODES) * 2.0 / NODES;
        *radial += e * hypot(x[0], x[1]);
        *height += e * x[2];
    }
}

static void disturb(stepper *s, double radial, double height) {
    for (int i = 0; i < NODES; i++) {
        double a = 2.0 * PI * i / NODES, *x = place(s, i);
        double r = 1.0 + radial * cos(2.0 * a), along = -0.5 * radial * sin(2.0 * a); /* inextensible */
        x[0] = r * cos(a) - along * sin(a);
        x[1] = r * sin(a) + along * cos(a);
        x[2] = height * cos(2.0 * a);
    }
    stepper_restart(s);
}

/* ln of the amplitude at sigma t = 1/4 after the closed forms of slow-motion.md */
static void growing_rings_buckle_as_the_drag_has_it(void **state) {
    (void)state;
    char   text[1000];
    double sigma = 0.1;
    for (int i = 0; i < 2; i++) { /* S = 4: neutral out of plane; 9: in it */
        fixture        f;
        stepper        s;
        double complex r0, z0, r1, z1;
        double S = i == 0 ? 4.0 : 9.0, t = 2.5, b = sigma / S, part = (1.0 - exp(-4.0 * sigma * t)) * b / (4.0 * sigma), R = exp(sigma * t);
        ring_text(text, sizeof text, sigma, S / sigma, 0.0);
        fixture_system(&f, text);
        stepper_open_by(&s, &f, "overdamped", 0.025);
        disturb(&s, i == 0 ? 0.0 : 1e-5, i == 0 ? 1e-5 : 0.0);
        harmonics(&s, &r0, &z0);
        stepper_go(&s, 100);
        harmonics(&s, &r1, &z1);
        check_below(fabs(hypot(place(&s, 5)[0], place(&s, 5)[1]) / R - 1.0), 5e-5, 8.9e-6);
        if (i == 0) { /* slopes: height over R */
            check_near(log(cabs(z1) / cabs(z0) / R), 3.0 * (sigma * t - 4.0 * part), 0.004);
        } else {
            check_near(log(cabs(r1) / cabs(r0) / R), 0.8 * (sigma * t - 9.0 * part), 0.001);
        }
        stepper_close(&s);
        fixture_close(&f);
    }
}

/* without growth: rates of n = 2 from  Th' = -(4/5) 9 b Th + i 2 b mu (9/5) ta,  ta' = -12 b ta - i 8 b mu Th: 0 at mu = sqrt(3) (Michell) */
static void twisted_rings_writhe_beyond_michell(void **state) {
    (void)state;
    static const double mus[3] = {1.5, 1.7320508075688772, 2.0};
    char                text[1000];
    for (int i = 0; i < 3; i++) {
        fixture        f;
        stepper        s;
        double complex r0, z0, r1, z1;
        double         mu = mus[i], tr = -7.2 - 12.0, det = 7.2 * 12.0 - 28.8 * mu * mu, rate = 0.5 * (tr + sqrt(tr * tr - 4.0 * det));
        ring_text(text, sizeof text, 0.0, 1.0, mu);
        fixture_system(&f, text);
        stepper_open_by(&s, &f, "overdamped", 0.01);
        disturb(&s, 1e-6, 1e-6);
        stepper_go(&s, 100); /* until only the slow mode is left: the other goes with e^(-19 t) */
        harmonics(&s, &r0, &z0);
        stepper_go(&s, 50);
        harmonics(&s, &r1, &z1);
        check_near(log(cabs(z1) / cabs(z0)) / 0.5, rate, 0.04); /* 0.026: of the mesh */
        stepper_close(&s);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretched_rods_relax_by_diffusion),       cmocka_unit_test(bent_rods_relax_with_the_rate_of_the_mesh),
        cmocka_unit_test(order_is_two_in_places_and_energy),       cmocka_unit_test(one_long_step_ends_at_rest),
        cmocka_unit_test(what_nothing_resists_is_named),           cmocka_unit_test(growth_in_a_medium_is_of_order_two),
        cmocka_unit_test(growing_rings_buckle_as_the_drag_has_it), cmocka_unit_test(twisted_rings_writhe_beyond_michell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

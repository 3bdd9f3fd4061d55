/* SPDX-License-Identifier: Apache-2.0
 * test_spin_up.c: the spin-up of Simo and Vu-Quoc from a model file with a frame (spin_up.h): order 2 and extrapolated values by energy-momentum, large steps without
 * halving, the same motion by verlet, energy accounts closed. */
#include "paper/spin_up.h"

#include "steps/equilibrium.h"
#include "analysis/vary.h"

static void tip_converges_with_order_2_to_the_reference(void **unused) {
    (void)unused;
    spin_up at[3];
    double  peak[3], worst[3] = {0}, u2 = 0.0, u1 = 0.0;
    for (int i = 0; i < 3; i++) {
        spin_run("energy-momentum", 16 << i, 128 << i, SPIN_TIMES, &at[i]);
        peak[i] = fabs(at[i].peak - spin_peak);
        for (int k = 0; k < 4; k++) { /* while it is being spun up */
            worst[i] = fmax(worst[i], fabs(at[i].u[k][1] - spin_reference[k][1]));
        }
        print_message("%d elements: peak %.9f at %.4f s, after %.6e, energy - work %.2e J, clamp %.2e\n", 16 << i, at[i].peak,
                      at[i].peak_time, at[i].after, at[i].drift, at[i].joint);
        check_below_scaled(at[i].drift, 1e-9, 2.1e-11, 7219.0);
        check_below(at[i].joint, 1e-14, 6.7e-16);
    }
    check_order(peak, 3, 2.0, 2.0, 0.01);
    check_order(worst, 3, 2.0, 2.0, 0.01);
    check_below(peak[2], 2e-4, 9.5e-5);
    for (int k = 0; k < SPIN_TIMES; k++) {
        double extrapolated = (4.0 * at[2].u[k][1] - at[1].u[k][1]) / 3.0, along = (4.0 * at[2].u[k][0] - at[1].u[k][0]) / 3.0;
        print_message("t = %.1f: extrapolated u1 %.9e, u2 %.9e, off by %.1e, %.1e\n", 2.5 * (k + 1), along, extrapolated,
                      along - spin_reference[k][0], extrapolated - spin_reference[k][1]);
        u2 = fmax(u2, fabs(extrapolated - spin_reference[k][1]));
        u1 = fmax(u1, fabs(along - spin_reference[k][0]));
    }
    double best = (4.0 * at[2].peak - at[1].peak) / 3.0, time = (4.0 * at[2].peak_time - at[1].peak_time) / 3.0;
    double after = (4.0 * at[2].after - at[1].after) / 3.0;
    print_message("extrapolated: peak %.9f at %.5f s, after %.7e\n", best, time, after);
    check_below(fabs(best - spin_peak), 1e-7, 1.2e-8);
    check_below(fabs(time - spin_peak_time), 1e-4, 1.6e-6);
    check_below(fabs(after - spin_after), 4e-6, 3.9e-7);
    check_below(u2, 7e-6, 7.7e-7);
    check_below(u1, 5e-8, 5.1e-9);
}

static void large_steps_are_solved_without_halving(void **unused) {
    (void)unused;
    spin_up out;
    fixture f;
    char    text[2000];
    spin_run("energy-momentum", 32, 50, SPIN_TIMES, &out); /* 0.05 s: 0.3 rad a step at the end */
    print_message("peak %.6f, energy - work %.2e J\n", out.peak, out.drift);
    check_below(fabs(out.peak - spin_peak), 1e-2, 4.6e-3);
    check_below_scaled(out.drift, 1e-9, 1.3e-11, 7219.0);
    spin_model(32, "run: {until: 20, step: 0.05, integrator: energy-momentum}\n", text, sizeof text);
    fixture_run(&f, text);
    fixture_advance(&f, 400);
    assert_null(strstr(f.log, "halved"));
    fixture_close(&f);
}

static void verlet_makes_the_same_motion(void **unused) {
    (void)unused;
    spin_up implicit[2], explicit;
    spin_run("energy-momentum", 8, 256, 3, &implicit[0]);
    spin_run("energy-momentum", 8, 512, 3, &implicit[1]);
    spin_run("verlet", 8, 180000, 3, &explicit); /* 0.9 of its limit 2 sqrt(rhoI/GA) */
    double peak = (4.0 * implicit[1].peak - implicit[0].peak) / 3.0, u = (4.0 * implicit[1].u[2][1] - implicit[0].u[2][1]) / 3.0;
    print_message("peak %.9f and %.9f, u2(7.5) apart by %.2e, energy - work %.2e J\n", peak, explicit.peak, explicit.u[2][1] - u,
                  explicit.drift);
    check_below(fabs(peak - explicit.peak), 1e-7, 5.2e-9);
    check_below(fabs(u - explicit.u[2][1]), 1e-7, 1.3e-8);
    check_below_scaled(explicit.drift, 1e-5, 2.7e-7, 7219.0);
}

/* at rest in the spinning hub: u1 = tan(kL)/k - L with k = w sqrt(rhoA/EA), and nothing across */
static void steady_stretch_is_the_closed_form(void **unused) {
    (void)unused;
    double error[3], stretch[3], k = 6.0 * sqrt(1.2 / 2.8e7), exact = tan(10.0 * k) / k - 10.0;
    for (int i = 0; i < 3; i++) {
        fixture             f;
        zw_vary             v;
        zw_state            x;
        zw_equilibrium_info info;
        char                text[2000];
        double              lambda[6] = {0};
        snprintf(
            text, sizeof text,
            "zwang: 1\nparameters: {w: 6}\nframes:\n  hub: {at: [1, 2, 3], turn: [0, 0, 0.5], spin: [0, 0, w]}\nbodies:\n  beam:\n    rod:\n"
            "      length: 10\n      elements: %d\n      frame: hub\n      along: [1, 0, 0]\n      up: [0, 0, 1]\n"
            "      section: {bending: [1.4e4, 1.4e4], torsion: 1.4e4, stretch: 2.8e7, shear: 1e7, mass: 1.2, inertia: 6e-4}\n"
            "constraints:\n  root: {clamp: beam, s: 0, to: hub}\n",
            20 << i);
        fixture_system(&f, text);
        fixture_state(&f, &x);
        fixture_must(&f, zw_vary_create(f.m, "w", &v), "zw_vary_create");
        fixture_must(&f, zw_equilibrium_find(&v.k, &x, lambda, &info), "zw_equilibrium_find");
        double u[3];
        spin_tip(&f, &x, 20 << i, u);
        stretch[i] = u[0];
        error[i] = fabs(u[0] / exact - 1.0);
        print_message("%d elements: u1 %.12e of %.12e, across %.1e\n", 20 << i, u[0], exact, fabs(u[1]));
        check_below(fabs(u[1]), 1e-13, 1.8e-15);
        fixture_must(&f, zw_vary_set(&v, 0.0), "zw_vary_set"); /* without spin nothing is stretched */
        fixture_must(&f, zw_equilibrium_find(&v.k, &x, lambda, &info), "zw_equilibrium_find");
        spin_tip(&f, &x, 20 << i, u);
        check_below(fabs(u[0]), 1e-13, 0.0);
        zw_vary_destroy(&v);
        zw_state_destroy(f.c, &x);
        fixture_close(&f);
    }
    check_order(error, 3, 2.0, 2.0, 0.001);
    check_below(error[1], 4e-4, 3.2e-4); /* 1/(2 n^2): the half cell at the tip sits in the last node */
    check_below(fabs(4.0 * stretch[1] - stretch[0] - 3.0 * exact) / (3.0 * exact), 1e-9, 2.7e-11);
}

static void what_moves_otherwise_has_no_steady_state(void **unused) {
    (void)unused;
    fixture f;
    zw_vary v;
    char    text[2000];
    spin_model(4, "", text, sizeof text);
    fixture_parse(&f, text);
    assert_int_equal(zw_vary_create(f.m, NULL, &v), ZW_E_MODEL);
    assert_non_null(strstr(fixture_error(&f)->message, "nothing rests in this model: frame 'hub' moves as prescribed"));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tip_converges_with_order_2_to_the_reference),
                                       cmocka_unit_test(large_steps_are_solved_without_halving),
                                       cmocka_unit_test(verlet_makes_the_same_motion), cmocka_unit_test(steady_stretch_is_the_closed_form),
                                       cmocka_unit_test(what_moves_otherwise_has_no_steady_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

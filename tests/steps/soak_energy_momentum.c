/* SPDX-License-Identifier: Apache-2.0
 * soak_energy_momentum.c: the thin free rod, 2e4 steps of 1e-2 s, 625 times the explicit step: energy and momenta. */
#include "support/model.h"

static void a_thin_rod_flies_for_long(void **state) {
    fixture f;
    stepper s;
    double  energy = 0.0, linear = 0.0, angular = 0.0;
    (void)state;
    fixture_system(
        &f,
        "zwang: 1\nparameters: {L: 2*pi/3, a: 0.002}\nbodies: {beam: {rod: {length: L, elements: 50, section: {square: a}, material: {density: 1000, young: 1e7, "
        "poisson: 0.35}, shape: {curvature: [0, -1, 0]}, velocity: {director: [0, sin(pi*s/L), 1]}}}}\nrun: {until: 200, integrator: energy-momentum}\n");
    stepper_open_by(&s, &f, "energy-momentum", 1e-2);
    zw_account from = stepper_account(&s);
    double     start = account_energy(&from);
    for (long i = 0, n = scaled_steps(20000); i < n; i++) {
        stepper_go(&s, 1);
        zw_account now = stepper_account(&s);
        energy = fmax(energy, fabs(account_energy(&now) - start) / start);
        linear = fmax(linear, largest_difference(3, now.momentum, from.momentum) / largest(3, from.momentum));
        angular = fmax(angular, largest_difference(3, now.angular, from.angular) / largest(3, from.angular));
    }
    check_below(energy, 1e-9, 3.2e-11);
    check_below(linear, 1e-12, 4.3e-15);
    check_below(angular, 2e-11, 6.6e-13);
    stepper_close(&s);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_thin_rod_flies_for_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

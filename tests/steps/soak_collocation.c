/* SPDX-License-Identifier: Apache-2.0
 * soak_collocation.c: energy of a double pendulum in Cartesian coordinates (two holonomic rows) over 1e6 steps of gauss: one band, no drift; rows at round-off. */
#include "support/model.h"

static void energy_stays_in_its_band_for_a_million_steps(void **state) {
    (void)state;
    static const char form[] = "zwang: 1\nbodies:\n  it:\n    lagrangian:\n"
                               "      coordinates: [x1, y1, x2, y2]\n"
                               "      kinetic: (x1dot^2 + y1dot^2 + x2dot^2 + y2dot^2)/2\n"
                               "      potential: 9.81*(y1 + y2)\n"
                               "      constraints: {a: x1^2 + y1^2 = 1, b: (x2 - x1)^2 + (y2 - y1)^2 = 1}\n"
                               "      start: {x1: 0.479426, y1: -0.877583, x2: 1.123644, y2: -1.642425}\n"
                               "run: {until: %.17g, step: 0.1, stages: 2}\nrecord: {frames: 2}\n";
    double            band[2];
    for (int i = 0; i < 2; i++) {
        char       text[1000];
        fixture    f;
        zw_summary sum;
        snprintf(text, sizeof text, form, 0.1 * (double)scaled_steps(i == 0 ? 10000 : 1000000));
        fixture_run(&f, text);
        while (!zw_run_done(f.r)) {
            fixture_advance(&f, 100000);
        }
        zw_run_summary(f.r, &sum);
        band[i] = sum.energy_drift_max / sum.energy_scale;
        check_below(sum.constraint_position_max, 8e-15, 1.8e-15);
        check_below(sum.constraint_velocity_relative_max, 8e-15, 8.8e-16);
        fixture_close(&f);
    }
    check_below(band[1], 2e-5, 5.82e-6);
    check_below(band[1] / band[0], 1.1, 1.008); /* a hundred times the time, the same band */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_stays_in_its_band_for_a_million_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

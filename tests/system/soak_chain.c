/* SPDX-License-Identifier: Apache-2.0
 * soak_chain.c: a chain of 100 links over a million steps of verlet: joints stay closed to 1e-12, energy stays in its band. */
#include "support/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void chain_of_a_hundred_links_stays_joined_for_a_million_steps(void **unused) {
    enum { N = 100 };
    (void)unused;
    fixture f;
    stepper s;
    double  g[3 * N], worst = 0.0, energy = 0.0;
    size_t  size = 400 + 300 * (size_t)N, used = 0;
    char   *text = calloc(size, 1);
    used += (size_t)snprintf(text, size, "zwang: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < N; i++) {
        double along = 0.1 * i + 0.05;
        used += (size_t)snprintf(
            text + used, size - used,
            "  l%d: {rigid: {capsule: {length: 0.08, radius: 0.01}, mass: 0.1, at: [%.17g, 0, %.17g], turn: [0, pi - 0.5, 0]}}\n", i,
            along * sin(0.5), -along * cos(0.5));
    }
    used += (size_t)snprintf(text + used, size - used, "constraints:\n  j0: {ball: l0, at: [0, 0, -0.05]}\n");
    for (int i = 1; i < N; i++) {
        used += (size_t)snprintf(text + used, size - used,
                                 "  j%d: {ball: [{body: l%d, at: [0, 0, 0.05]}, {body: l%d, at: [0, 0, -0.05]}]}\n", i, i - 1, i);
    }
    snprintf(text + used, size - used, "run: {until: 1, step: 2e-4, integrator: verlet}\n");
    fixture_system(&f, text);
    stepper_open(&s, &f, 2e-4);
    zw_account start = stepper_account(&s);
    for (int i = 0; i < 1000; i++) {
        stepper_go(&s, 1000);
        zw_account now = stepper_account(&s);
        fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 0, g), "zw_system_values");
        worst = fmax(worst, largest(3 * N, g));
        energy = fmax(energy, fabs(account_energy(&now) - account_energy(&start)));
    }
    print_message("joints %.3g m, energy %.3g J\n", worst, energy);
    check_below(worst, 1e-12, 5.13e-15);
    check_below(energy, 0.01, 2.48e-4); /* 200 s of motion of 49 J that fall and rise */
    stepper_close(&s);
    fixture_close(&f);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_of_a_hundred_links_stays_joined_for_a_million_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

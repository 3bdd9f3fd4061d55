/* SPDX-License-Identifier: Apache-2.0
 * free_beam.h: the rod of section 4 of the paper on Poisson integrators, in free flight (case R19 of tests/references/rods.json): a straight natural form
 * bent to a third of a circle, velocity (0, sin(pi s/L), 1) along (d1, d2, d3), 100 elements, steps of 1e-4 s, half masses at the ends. */
#ifndef ZW_TESTS_FREE_BEAM_H
#define ZW_TESTS_FREE_BEAM_H

#include "steps/shadow.h"

#define FREE_BEAM                                                                                                                         \
    "zwang: 1\nparameters: {L: 2*pi/3}\nbodies:\n  beam:\n    rod:\n      length: L\n      elements: 100\n      section: {square: 0.1}\n" \
    "      material: {density: 1000, young: 1e7, poisson: 0.35}\n      shape: {curvature: [0, -1, 0]}\n"                                  \
    "      velocity: {director: [0, sin(pi*s/L), 1]}\n"

/* a flight of so many steps of h, with 1000 looks; momenta as R19 asks */
static inline shadow_flight free_beam_fly(double h, long steps) {
    fixture f;
    stepper s;
    fixture_system(&f, FREE_BEAM);
    stepper_open(&s, &f, h);
    zw_account    a0 = stepper_account(&s);
    shadow_flight a = shadow_fly(&s, steps, 1000);
    check_near(a.dP / zw_v3_norm(a0.momentum), 0.0, 1e-10); /* measured 1.2e-14 in 1e6 steps */
    check_near(a.dL / zw_v3_norm(a0.angular), 0.0, 1e-8);   /* measured 9.4e-13 */
    stepper_close(&s);
    fixture_close(&f);
    return a;
}

#endif

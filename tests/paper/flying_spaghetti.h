/* SPDX-License-Identifier: Apache-2.0
 * flying_spaghetti.h: the flying spaghetti of Simo and Vu-Quoc in space, as in case R05 of tests/references/rods.json: a straight free rod from (6,0,0) to
 * (0,8,0), EA = GA = 1e4, EI = GJ = 500, rhoA = 1, rhoI = 10; at its first node the force (T/10, 0, 0) and the moment (0, -T/2, -T), T rising to 200 at
 * t = 2.5 and back to 0 at t = 5. Reference: own converged runs with Richardson extrapolation, independent of this code. */
#ifndef ZW_TESTS_FLYING_SPAGHETTI_H
#define ZW_TESTS_FLYING_SPAGHETTI_H

#include "support/model.h"

enum { SPAGHETTI_TIMES = 4, SPAGHETTI_VALUES = 9 };

/* first x y z, middle x y z, tip x y z at t = 2.5, 5, 7.5, 10 (tests/references/rods.json, R05, "reference") */
static const double spaghetti_reference[SPAGHETTI_TIMES][SPAGHETTI_VALUES] = {
    {3.4129525, 0.1969034, 0.0173522, 5.8322524, 3.9457362, 0.1273728, 4.0238055, 8.4955198, -0.7330204},
    {19.5627607, 1.5213341, -1.5076937, 15.384365, 3.8990437, -0.104422, 11.8788299, 6.881357, 1.8300169},
    {31.9589144, 1.6220758, -1.9170442, 27.9765369, 3.8771216, 0.1276977, 24.0961952, 6.7194668, 1.5363267},
    {44.4023822, 1.6690313, -2.0652639, 40.551107, 4.0082749, 0.1014707, 36.4089493, 6.3354852, 1.678986},
};
static const double spaghetti_uncertainty[SPAGHETTI_TIMES][SPAGHETTI_VALUES] = {
    {3.3e-07, 3.5e-08, 2.5e-07, 2.2e-07, 1e-07, 2.3e-07, 2.3e-06, 2e-07, 2.7e-07},
    {4.3e-07, 4.2e-06, 5e-06, 2e-05, 3.3e-05, 1.5e-05, 2.6e-06, 3.7e-06, 6.7e-06},
    {9.8e-06, 1e-05, 1.5e-05, 1.1e-06, 4.9e-05, 6.5e-05, 1e-05, 1.5e-05, 1e-05},
    {7.8e-06, 1.9e-05, 2e-05, 8.8e-06, 1.6e-05, 2.7e-05, 5.4e-06, 3.6e-05, 1.6e-05},
};

typedef struct spaghetti {
    double     x[SPAGHETTI_TIMES][SPAGHETTI_VALUES];
    zw_account account[SPAGHETTI_TIMES];
    double     drift; /* energy minus work, largest at the four times, J */
} spaghetti;

/* the step is 0.08/elements: 0.8 of the limit */
static inline void spaghetti_fly(int elements, spaghetti *out) {
    fixture f;
    stepper s;
    char    text[1200];
    snprintf(
        text, sizeof text,
        "zwang: 1\nbodies:\n  a:\n    rod:\n      length: 10\n      elements: %d\n      at: [6, 0, 0]\n      along: [-6, 8, 0]\n      up: [0, 0, 1]\n"
        "      section: {bending: [500, 500], torsion: 500, stretch: 1e4, shear: 1e4, mass: 1, inertia: 10}\n"
        "loads:\n"
        "  push: {force: [\"if(t < 2.5, 8*t, if(t < 5, 40 - 8*t, 0))\", 0, 0], on: a, s: 0}\n"
        "  turn: {moment: [0, \"if(t < 2.5, -40*t, if(t < 5, 40*t - 200, 0))\", \"if(t < 2.5, -80*t, if(t < 5, 80*t - 400, 0))\"], on: a, s: 0}\n",
        elements);
    fixture_system(&f, text);
    int64_t steps = (int64_t)(2.5 * elements / 0.08 + 0.5); /* per quarter of the time */
    stepper_open(&s, &f, 2.5 / (double)steps);
    out->drift = 0.0;
    for (int i = 0; i < SPAGHETTI_TIMES; i++) {
        stepper_go(&s, steps);
        for (int k = 0; k < 3; k++) {
            memcpy(&out->x[i][3 * k], stepper_x(&s)->q + 7 * (size_t)(k * elements / 2), 3 * sizeof(double));
        }
        out->account[i] = stepper_account(&s);
        out->drift = fmax(out->drift, fabs(account_energy(&out->account[i]) - stepper_x(&s)->w[ZW_W_WORK]));
    }
    stepper_close(&s);
    fixture_close(&f);
}

#endif

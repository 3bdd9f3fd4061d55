/* SPDX-License-Identifier: Apache-2.0
 * spin_up.h: the beam of Simo and Vu-Quoc that is spun up: L = 10, EA = 2.8e7, GA = 1e7, EI = 1.4e4, rhoA = 1.2, rhoI = 6e-4, clamped to a hub that turns by
 * psi = ws/Ts (t^2/2 + (Ts/2 pi)^2 (cos(2 pi t/Ts) - 1)), and steadily after Ts; ws = 6 rad/s, Ts = 15 s. Reference: planar, in the rotating frame, spectral
 * elements and Gauss collocation of order 6; two discretisations agree to 4e-10. */
#ifndef ZW_TESTS_SPIN_UP_H
#define ZW_TESTS_SPIN_UP_H

#include "support/model.h"

#include <string.h>

enum { SPIN_TIMES = 8 };

/* displacement of the tip in the hub, along it and across it, at t = 2.5, 5, ..., 20 */
static const double spin_reference[SPIN_TIMES][2] = {
    {-1.322677022621e-03, -1.512835586442e-01}, {-1.265463625000e-02, -4.684761834634e-01}, {-1.774186446771e-02, -5.590834589684e-01},
    {-7.072336301428e-03, -3.628145156449e-01}, {-2.217634408694e-04, -1.126962134706e-01}, {5.139897048121e-04, 1.303626252806e-03},
    {5.135996189907e-04, 3.636272994199e-03},   {5.145324042708e-04, 7.265808656705e-04},
};
static const double spin_peak = -0.5738347591732055, spin_peak_time = 6.762, spin_after = 3.6494794e-3; /* u2; largest |u2| after Ts */

typedef struct spin_up {
    double u[SPIN_TIMES][2];
    double peak, peak_time; /* of u2, by a parabola */
    double after;           /* largest |u2| from Ts on */
    double drift;           /* energy minus work, largest at the times, J */
    double joint;           /* position level, largest at the times */
} spin_up;

static inline void spin_model(int elements, const char *more, char *text, size_t size) {
    snprintf(
        text, size,
        "zwang: 1\nparameters: {L: 10, ws: 6, Ts: 15, EI: 1.4e4}\nframes:\n  hub:\n    motion:\n"
        "      turn: [0, 0, \"if(t < Ts, ws/Ts*(t^2/2 + (Ts/(2*pi))^2*(cos(2*pi*t/Ts) - 1)), ws*(t - Ts/2))\"]\n"
        "bodies:\n  beam:\n    rod:\n      length: L\n      elements: %d\n      frame: hub\n      along: [1, 0, 0]\n      up: [0, 0, 1]\n"
        "      section: {bending: [EI, EI], torsion: EI, stretch: 2.8e7, shear: 1e7, mass: 1.2, inertia: 6e-4}\n"
        "constraints:\n  root: {clamp: beam, s: 0, to: hub}\n%s",
        elements, more);
}

/* tip in the hub */
static inline void spin_tip(const fixture *f, const zw_state *x, int elements, double u[3]) {
    zw_frame F;
    double   d[3];
    fixture_must(f, zw_system_reference(f->y, x, 0, &F), "zw_system_reference");
    zw_v3_sub(d, x->q + 7 * (size_t)elements, F.r);
    zw_m3_tmulv(u, F.R, d);
    u[0] -= 10.0;
}

/* steps per 2.5 s */
static inline void spin_run(const char *integrator, int elements, int steps, int times, spin_up *out) {
    fixture f;
    stepper s;
    char    text[2000];
    double  u[3][3] = {{0}}, row[6];
    spin_model(elements, "", text, sizeof text);
    fixture_system(&f, text);
    stepper_open_by(&s, &f, integrator, 2.5 / steps);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < times * steps; i++) {
        stepper_go(&s, 1);
        memmove(u[0], u[1], 6 * sizeof(double));
        spin_tip(&f, stepper_x(&s), elements, u[2]);
        if (u[1][1] <= u[0][1] && u[1][1] <= u[2][1] && u[1][1] < out->peak) { /* lowest of a parabola through three */
            double a = u[2][1] - 2.0 * u[1][1] + u[0][1], b = 0.5 * (u[2][1] - u[0][1]);
            out->peak = u[1][1] - 0.5 * b * b / a;
            out->peak_time = stepper_x(&s)->t - s.h * (1.0 + b / a);
        }
        out->after = stepper_x(&s)->t >= 15.0 ? fmax(out->after, fabs(u[2][1])) : 0.0;
        if ((i + 1) % steps == 0) {
            zw_account a = stepper_account(&s);
            int        n = (i + 1) / steps - 1;
            memcpy(out->u[n], u[2], sizeof out->u[n]);
            out->drift = fmax(out->drift, fabs(account_energy(&a) - stepper_x(&s)->w[ZW_W_WORK] + stepper_x(&s)->w[ZW_W_DISSIPATED]));
            fixture_must(&f, zw_system_values(f.y, stepper_x(&s), 0, row), "zw_system_values");
            out->joint = fmax(out->joint, largest(6, row));
        }
    }
    stepper_close(&s);
    fixture_close(&f);
}

#endif

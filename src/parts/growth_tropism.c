/* SPDX-License-Identifier: Apache-2.0
 * growth_tropism.c: posture by direction and curvature: D k0/Dt = beta d3 x e - gamma k in the section (components 1, 2), e the unit vector
 * towards which the tip turns (up, light). In a plane with A the angle from e: D k0/Dt = -beta sin A - gamma k.
 *
 *   ac    without elongation          ace   with ldot/l = rate in the last `zone` of the rod; k0 of an element is kept (no dilution)
 *
 * k is the actual curvature, or the natural one where the law says so. Each cue may come late (delay) and through a low-pass filter:
 *   m' = (cue(t - delay) - m)/memory; the law answers to m. delay, memory: direction; bend_delay, bend_memory: curvature.
 * `scaled`: the response is multiplied by ldot/l (beta in 1/m, gamma a number), so it ends where elongation ends. */
#include "parts/growth_part.h"

enum { BETA, GAMMA, TOWARD, DELAY, MEMORY, BEND_DELAY, BEND_MEMORY, RATE, ZONE };

/* e need not be a unit vector; without a direction there is nothing to turn to */
static void cue(const zw_growth_law *law, const zw_growth_look *k, double *out) {
    const double *e = k->parameter + 3 * TOWARD, *bend = law->natural ? k->natural : k->sense->kappa;
    double        size = zw_v3_norm(e), turn[3];
    zw_growth_towards(k->sense->R, e, turn);
    for (int i = 0; i < 2; i++) {
        out[i] = size == 0.0 ? 0.0 : turn[i] / size;
        out[2 + i] = bend[i];
    }
}

static zw_status check(zw_growth_law *law) {
    if (law->scaled && law->kind != ZW_GROWTH_ACE) {
        return zw_growth_raise(law, ZW_E_MODEL, "use ace with a rate and a zone", "'scaled' needs a rate of elongation");
    }
    law->fields = 0;
    for (int i = 0; i < ZW_GROWTH_CUES; i++) {
        law->delay[i] = law->fixed[3 * (i < 2 ? DELAY : BEND_DELAY)];
        law->memory[i] = law->fixed[3 * (i < 2 ? MEMORY : BEND_MEMORY)];
        law->filter[i] = law->memory[i] > 0.0 ? law->fields++ : -1;
    }
    return ZW_OK;
}

static void start(const zw_growth_law *law, const zw_growth_look *k, double *field) {
    for (int i = 0; i < ZW_GROWTH_CUES; i++) {
        if (law->filter[i] >= 0) {
            field[law->filter[i]] = k->heard[i];
        }
    }
}

static void rate(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    double beta = zw_growth_number(k, BETA), gamma = zw_growth_number(k, GAMMA), felt[ZW_GROWTH_CUES], scale = 1.0;
    for (int i = 0; i < ZW_GROWTH_CUES; i++) {
        int f = law->filter[i];
        felt[i] = k->heard[i];
        if (f >= 0) {
            felt[i] = k->field[f];
            out->field[f] = (k->heard[i] - k->field[f]) / law->memory[i];
            out->field_slope[f] = -1.0 / law->memory[i];
        }
    }
    if (law->kind == ZW_GROWTH_ACE) {
        out->rate = zw_growth_number(k, RATE) * zw_growth_share(k->sense->tip, k->l, 0.0, zw_growth_number(k, ZONE));
        scale = law->scaled ? out->rate : 1.0;
    }
    for (int i = 0; i < 2; i++) {
        bool at_once = law->natural && law->delay[2 + i] == 0.0 && law->filter[2 + i] < 0;
        out->bend[i] = scale * (beta * felt[i] - gamma * felt[2 + i]);
        out->bend_slope[i] = at_once ? -scale * gamma : 0.0;
    }
}

const zw_growth_ops zw_growth_tropism_ops = {
    .fields = ZW_GROWTH_FIELDS, .cues = ZW_GROWTH_CUES, .check = check, .cue = cue, .start = start, .rate = rate};

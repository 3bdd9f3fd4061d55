/* SPDX-License-Identifier: Apache-2.0
 * growth_touch.c: a tendril: where the force of contact per reference length exceeds the threshold (N/m), natural curvature grows towards
 * what is touched: D k0/Dt = gain d3 x e, e the unit vector across the rod against the force. */
#include "parts/growth_part.h"

enum { GAIN, THRESHOLD, RATE };

static void rate(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    const double *f = k->sense->contact;
    double        turn[3], size;
    (void)law;
    out->rate = zw_growth_number(k, RATE);
    zw_growth_towards(k->sense->R, f, turn); /* its size is the force across the rod */
    size = zw_v3_norm(turn);
    if (size > zw_growth_number(k, THRESHOLD)) {
        for (int i = 0; i < 2; i++) {
            out->bend[i] = -zw_growth_number(k, GAIN) * turn[i] / size;
        }
    }
}

const zw_growth_ops zw_growth_touch_ops = {.rate = rate};

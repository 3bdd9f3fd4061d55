/* SPDX-License-Identifier: Apache-2.0
 * growth_flank.c: growth that differs over the section.
 *
 *   flank    the flanks at +R n and -R n, n = cos(angle) d1 + sin(angle) d2, elongate at e+ and e-. Exact: with K R = (l+ - l-)/(l+ + l-),
 *              DK/Dt = (e+ - e-)(1 - (K R)^2)/(2R),   ldot/l = (e+ + e-)/2 + K R (e+ - e-)/2.
 *            A longer + flank bends the rod towards -n, so k0 = -K m with m = -sin(angle) d1 + cos(angle) d2. Constant rates Ebar +- delta:
 *            K R = tanh(delta t), l/l0 = e^(Ebar t) cosh(delta t). R is the radius of the section unless given.
 *            Nothing is stiff here: no slopes, and k0 stays along m to the last bit.
 *   thicken  the radius is given as r(t); new rings are laid unstressed on the bent stem, B k' = M': D k0/Dt = (k - k0) Bdot/B, B ~ r^4.
 *            (k = M/B(t) instead would straighten a stem as it thickens.) Stress along the rod is left as it is. */
#include "parts/growth_part.h"

enum { PLUS, MINUS, RADIUS, ANGLE };

static void flank(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    double R = law->given[RADIUS] ? zw_growth_number(k, RADIUS) : k->sense->radius, angle = zw_growth_number(k, ANGLE);
    double m[2] = {-sin(angle), cos(angle)}, K = -(k->natural[0] * m[0] + k->natural[1] * m[1]);
    double mean = 0.5 * (zw_growth_number(k, PLUS) + zw_growth_number(k, MINUS));
    double delta = 0.5 * (zw_growth_number(k, PLUS) - zw_growth_number(k, MINUS)), K_rate = delta * (1.0 - K * R * K * R) / R;
    out->rate = mean + K * R * delta;
    for (int i = 0; i < 2; i++) {
        out->bend[i] = -K_rate * m[i];
    }
}

static zw_status thicken_derive(zw_pool *pool, const zw_growth_def *def, int *n, zw_node out[8]) {
    int slot = zw_pool_input(pool, "t");
    if (slot < 0) {
        return ZW_E_MEMORY;
    }
    *n = 1;
    out[0] = zw_node_diff(pool, def->parameter[0].n[0], slot);
    return out[0] ? ZW_OK : ZW_E_MEMORY;
}

static void thicken(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    (void)law;
    out->thicken = k->extra[0] / zw_growth_number(k, 0);
    for (int i = 0; i < 3; i++) {
        out->bend[i] = 4.0 * out->thicken * (k->sense->kappa[i] - k->natural[i]);
        out->bend_slope[i] = -4.0 * out->thicken;
    }
}

const zw_growth_ops zw_growth_flank_ops = {.rate = flank};
const zw_growth_ops zw_growth_thicken_ops = {.derive = thicken_derive, .rate = thicken};

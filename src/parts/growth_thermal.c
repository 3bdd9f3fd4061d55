/* SPDX-License-Identifier: Apache-2.0
 * growth_thermal.c: heat that is given as a field of time: ldot/l = alpha dT/dt, and over the section T + g1 y + g2 z (y along d1, z along d2) the natural
 * curvature of fibres that expand alike: fibre strain k1 z - k2 y, so D k0/Dt = alpha (dg2/dt, -dg1/dt, 0). */
#include "parts/growth_part.h"

enum { TEMPERATURE, EXPANSION, GRADIENT };

static zw_status derive(zw_pool *pool, const zw_growth_def *def, int *n, zw_node out[8]) {
    int slot = zw_pool_input(pool, "t");
    if (slot < 0) {
        return ZW_E_MEMORY;
    }
    out[0] = zw_node_diff(pool, def->parameter[TEMPERATURE].n[0], slot);
    *n = 1;
    for (int i = 0; i < 2 && def->parameter[GRADIENT].width > 0; i++) {
        out[1 + i] = zw_node_diff(pool, def->parameter[GRADIENT].n[i], slot);
        *n = 3;
    }
    for (int i = 0; i < *n; i++) {
        if (out[i] == 0) {
            return ZW_E_MEMORY;
        }
    }
    return ZW_OK;
}

static void rate(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    double alpha = zw_growth_number(k, EXPANSION);
    out->rate = alpha * k->extra[0];
    if (law->given[GRADIENT]) {
        out->bend[0] = alpha * k->extra[2];
        out->bend[1] = -alpha * k->extra[1];
    }
}

const zw_growth_ops zw_growth_thermal_ops = {.derive = derive, .rate = rate};

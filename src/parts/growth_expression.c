/* SPDX-License-Identifier: Apache-2.0
 * growth_expression.c: growth by a user's expressions: ldot/l = rate, D k0/Dt = bend, of all that a law may sense.
 *
 * Slopes come from exact derivatives by tension, natural.d1 .. d3 and moment.d1 .. d3, so that a stiff expression steps like a stiff law. */
#include "parts/growth_part.h"

enum { RATE, BEND };

/* extra: d rate/d tension, then d bend_i/d natural.di, then d bend_i/d moment.di */
static zw_status derive(zw_pool *pool, const zw_growth_def *def, int *n, zw_node out[8]) {
    static const char *const names[7] = {"tension", "natural.d1", "natural.d2", "natural.d3", "moment.d1", "moment.d2", "moment.d3"};
    *n = 7;
    for (int i = 0; i < 7; i++) {
        const zw_value *v = &def->parameter[i == 0 ? RATE : BEND];
        int             slot = zw_growth_input(pool, names[i]);
        if (slot < 0) {
            return ZW_E_MEMORY;
        }
        out[i] = v->width ? zw_node_diff(pool, v->n[i == 0 ? 0 : (i - 1) % 3], slot) : zw_node_constant(pool, 0.0);
        if (!out[i]) {
            return ZW_E_MEMORY;
        }
    }
    return ZW_OK;
}

static void rate(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    (void)law;
    out->rate = zw_growth_number(k, RATE);
    out->rate_slope = k->extra[0] * k->sense->tension_slope;
    for (int i = 0; i < 3; i++) {
        out->bend[i] = k->parameter[3 * BEND + i];
        out->bend_slope[i] = k->extra[1 + i] + k->extra[4 + i] * k->sense->moment_slope[i];
    }
}

const zw_growth_ops zw_growth_expression_ops = {.derive = derive, .rate = rate};

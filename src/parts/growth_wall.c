/* SPDX-License-Identifier: Apache-2.0
 * growth_wall.c: walls that yield to stress.
 *
 *   lockhart     yielding y = phi max(0, P - Y + N/A): compression below -(P - Y) A stops it. Ortega's elastic term Pdot/eps is added where the
 *                modulus eps is given. P is a state where the conductance Lw is given (Cosgrove, Ortega), Pdot = eps (Lw (dpi - P) - y); then
 *                ldot/l = Lw (dpi - P), all water goes into volume. Otherwise P is given and Pdot is its derivative by time.
 *                Without load: P* = (Lw dpi + phi Y)/(Lw + phi), rate Lw phi (dpi - Y)/(Lw + phi), approached at eps (Lw + phi).
 *   stein        ldot/l = a + b N/A, D k0_i/Dt = b' M_i/I_i: Maxwell's fluid over the section; b' = b unless given, b' < 0 is reaction wood
 *   homeostatic  ldot/l = gain (N - target)
 *
 * All are stiff at fixed nodes (rate phi E), so each tells its slopes. Wall and water together are not one number but two that turn about each
 * other, at the frequency sqrt(Lw eps phi E) while the nodes are fixed: steps should be shorter than its inverse. */
#include "parts/growth_part.h"

/* ---- lockhart */
enum { EXTENSIBILITY, TURGOR, YIELD, MODULUS, CONDUCTANCE, OSMOTIC };

static zw_status lockhart_derive(zw_pool *pool, const zw_growth_def *def, int *n, zw_node out[8]) {
    int slot = zw_pool_input(pool, "t");
    if (slot < 0) {
        return ZW_E_MEMORY;
    }
    *n = def->parameter[TURGOR].width ? 1 : 0;
    if (*n) {
        out[0] = zw_node_diff(pool, def->parameter[TURGOR].n[0], slot);
        return out[0] ? ZW_OK : ZW_E_MEMORY;
    }
    return ZW_OK;
}

static zw_status lockhart_check(zw_growth_law *law) {
    bool water = law->given[CONDUCTANCE];
    if (water && (!law->given[MODULUS] || !law->given[OSMOTIC])) {
        return zw_growth_raise(law, ZW_E_MODEL,
                               "give modulus, conductance and osmotic together, or no conductance: then the turgor is given",
                               "a conductance makes the turgor a state, which needs '%s'", law->given[MODULUS] ? "osmotic" : "modulus");
    }
    if (!water && law->given[OSMOTIC]) {
        return zw_growth_raise(law, ZW_E_MODEL, "give the conductance as well", "'osmotic' does nothing without 'conductance'");
    }
    law->fields = water ? 1 : 0;
    return ZW_OK;
}

static void lockhart_start(const zw_growth_law *law, const zw_growth_look *k, double *field) {
    (void)law;
    field[0] = zw_growth_number(k, TURGOR);
}

static void lockhart(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    bool   water = law->fields > 0;
    double phi = zw_growth_number(k, EXTENSIBILITY), P = water ? k->field[0] : zw_growth_number(k, TURGOR);
    double over = P - zw_growth_number(k, YIELD) + k->sense->tension / k->sense->area;
    bool   yields = over > 0.0;
    out->rate = yields ? phi * over : 0.0;
    out->rate_slope = yields ? phi * k->sense->tension_slope / k->sense->area : 0.0;
    if (water) {
        double eps = zw_growth_number(k, MODULUS), Lw = zw_growth_number(k, CONDUCTANCE), in = Lw * (zw_growth_number(k, OSMOTIC) - P);
        out->field[0] = eps * (in - out->rate);
        out->field_slope[0] = -eps * (Lw + (yields ? phi : 0.0));
        out->rate = in; /* yielding + Pdot/eps */
        out->rate_slope = 0.0;
        out->rate_field = -Lw;
    } else if (law->given[MODULUS]) {
        out->rate += k->extra[0] / zw_growth_number(k, MODULUS);
    }
}

/* ---- stein, homeostatic */
enum { STEIN_RATE, STEIN_GAIN, STEIN_BENDING };

static void stein(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    double b = zw_growth_number(k, STEIN_GAIN), bend = law->given[STEIN_BENDING] ? zw_growth_number(k, STEIN_BENDING) : b;
    out->rate = zw_growth_number(k, STEIN_RATE) + b * k->sense->tension / k->sense->area;
    out->rate_slope = b * k->sense->tension_slope / k->sense->area;
    for (int i = 0; i < 2; i++) {
        out->bend[i] = bend * k->sense->moment[i] / k->sense->second[i];
        out->bend_slope[i] = bend * k->sense->moment_slope[i] / k->sense->second[i];
    }
}

static void homeostatic(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    (void)law;
    out->rate = zw_growth_number(k, 0) * (k->sense->tension - zw_growth_number(k, 1));
    out->rate_slope = zw_growth_number(k, 0) * k->sense->tension_slope;
}

const zw_growth_ops zw_growth_lockhart_ops = {
    .fields = 1, .derive = lockhart_derive, .check = lockhart_check, .start = lockhart_start, .rate = lockhart};
const zw_growth_ops zw_growth_stein_ops = {.rate = stein};
const zw_growth_ops zw_growth_homeostatic_ops = {.rate = homeostatic};

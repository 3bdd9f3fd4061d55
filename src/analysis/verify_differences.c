/* SPDX-License-Identifier: Apache-2.0
 * verify_differences.c: derivatives of curves by central differences of order eight, over steps from a tenth to a millionth of what is a unit for
 * the curve: truncation is 1e-3 (step)^8 and round-off 1e-16/step of the scale, so that one of them agrees to 1e-11, or 1e-10 where something is
 * singular nearby. A wrong derivative differs at all of them. */
#include "analysis/verify.h"

#include <math.h>

const double zw_verify_step[ZW_VERIFY_STEPS] = {0.02, 0.005, 0.1, 1e-3, 1e-4, 1e-5, 1e-6};
const double zw_verify_point[ZW_VERIFY_POINTS] = {-4, -3, -2, -1, 1, 2, 3, 4};
const double zw_verify_weight[ZW_VERIFY_POINTS] = {1.0 / 280.0, -4.0 / 105.0, 1.0 / 5.0,   -4.0 / 5.0,
                                                   4.0 / 5.0,   -1.0 / 5.0,   4.0 / 105.0, -1.0 / 280.0};

/* *usable: the curve could be evaluated at all points */
static zw_status derivative(zw_verifier *k, const zw_verify_difference *d, double h, double *value, double *slope, bool *usable) {
    for (int i = 0; i < d->n; i++) {
        slope[i] = 0.0;
    }
    *usable = true;
    for (int p = 0; p < ZW_VERIFY_POINTS && *usable; p++) {
        zw_status status = d->curve(k, d->user, zw_verify_point[p] * h, value);
        if (status == ZW_E_MEMORY) {
            return status;
        }
        if (status != ZW_OK) {
            zw_error_clear(k->c);
            *usable = false;
        }
        for (int i = 0; *usable && i < d->n; i++) {
            slope[i] += zw_verify_weight[p] * value[i] / h;
            *usable = isfinite(value[i]);
        }
    }
    return ZW_OK;
}

zw_status zw_verify_compare(zw_verifier *k, const zw_verify_difference *d) {
    zw_arena_mark mark = zw_arena_mark_now(&k->arena);
    double       *value = zw_arena_alloc(&k->arena, (size_t)d->n + 1, sizeof(double), "differences");
    double       *slope = zw_arena_alloc(&k->arena, (size_t)d->n + 1, sizeof(double), "differences");
    zw_status     status = value == NULL || slope == NULL ? ZW_E_MEMORY : ZW_OK;
    double        best = -1.0;
    int           worst_of_best = 0;
    for (int s = 0; status == ZW_OK && s < ZW_VERIFY_STEPS && (best < 0.0 || best > 1e-3 * ZW_VERIFY_DIFFERENCE); s++) {
        bool usable;
        status = derivative(k, d, zw_verify_step[s] * d->unit, value, slope, &usable);
        if (status != ZW_OK || !usable) {
            continue;
        }
        double most = 0.0;
        int    worst = 0;
        for (int i = 0; i < d->n; i++) {
            double off = fabs(slope[i] - d->exact[i]);
            off = off == 0.0 ? 0.0 : off / d->scale[i];
            if (off > most || isnan(off)) {
                most = isnan(off) ? INFINITY : off;
                worst = i;
            }
        }
        if (best < 0.0 || most < best) {
            best = most;
            worst_of_best = worst;
        }
    }
    if (status == ZW_OK && best >= 0.0 && d->n > 0) {
        char where[96] = "";
        if (d->name != NULL) {
            d->name(k, d->user, worst_of_best, where, sizeof where);
        }
        zw_verify_note(k, d->kind, best, ZW_VERIFY_DIFFERENCE, where);
    }
    zw_arena_release(&k->arena, mark);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0
 * carriage.c: see carriage.h. */
#include "rows/carriage.h"

#include "base/context.h"
#include "base/number.h"
#include "math/quat.h"
#include "math/so3.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static zw_status constants(const zw_model *m, const zw_frame_def *def, const char *key, const zw_quantity q[3], double out[3]) {
    char subject[128];
    snprintf(subject, sizeof subject, "frames.%.90s.%s", def->name, key);
    for (int i = 0; i < 3; i++) {
        out[i] = 0.0;
        if (q[i].node != 0) {
            ZW_TRY(zw_model_constant(m, q[i], subject, &out[i]));
        }
    }
    return ZW_OK;
}

static zw_status bind_motion(const zw_model *m, const zw_frame_def *def, zw_carriage *k) {
    zw_quantity motion[6], rate[6], rate2[6];
    double      start[6];
    char        subject[128], number[ZW_NUMBER_TEXT];
    for (int i = 0; i < 6; i++) {
        rate[i] = rate2[i] = motion[i] = i < 3 ? def->shift[i] : def->turn[i - 3];
        if (motion[i].node != 0) {
            k->moves = true;
            rate[i].node = zw_node_diff(m->pool, motion[i].node, m->slot_t);
            rate2[i].node = rate[i].node != 0 ? zw_node_diff(m->pool, rate[i].node, m->slot_t) : 0;
            if (rate2[i].node == 0) {
                return ZW_E_MEMORY;
            }
        }
    }
    if (!k->moves) {
        return ZW_OK;
    }
    snprintf(subject, sizeof subject, "frames.%.90s.motion", def->name);
    ZW_TRY(zw_field_create(m, 6, motion, NULL, &k->motion));
    ZW_TRY(zw_field_create(m, 6, rate, NULL, &k->rate));
    ZW_TRY(zw_field_create(m, 6, rate2, NULL, &k->rate2));
    zw_field_set_time(&k->motion, 0.0);
    ZW_TRY(zw_field_eval(&k->motion, subject, start));
    for (int i = 0; i < 6; i++) {
        if (fabs(start[i]) > 1e-12) {
            return zw_model_raise(m, ZW_E_MODEL, motion[i].at, subject, "a motion is counted from the start: subtract its value at t = 0",
                                  "%s[%d] is %s at t = 0, not 0", i < 3 ? "shift" : "turn", i % 3 + 1,
                                  zw_number_short(start[i], 6, number));
        }
    }
    return ZW_OK;
}

zw_status zw_carriage_create(const zw_model *m, const zw_frame_def *def, zw_carriage *out) {
    double turn[3], q[4];
    memset(out, 0, sizeof *out);
    out->name = def->name;
    ZW_TRY(constants(m, def, "at", def->origin, out->origin));
    ZW_TRY(constants(m, def, "turn", def->axes, turn));
    ZW_TRY(constants(m, def, "spin", def->spin, out->spin));
    zw_q_exp(turn, q);
    zw_q_to_matrix(q, out->R0);
    out->spins = out->spin[0] != 0.0 || out->spin[1] != 0.0 || out->spin[2] != 0.0;
    return bind_motion(m, def, out);
}

void zw_carriage_destroy(zw_carriage *k) {
    zw_field_destroy(&k->motion);
    zw_field_destroy(&k->rate);
    zw_field_destroy(&k->rate2);
}

zw_status zw_carriage_at(zw_carriage *k, double t, zw_frame *F, double rate[6]) {
    double motion[6] = {0}, first[6] = {0}, second[6] = {0}, q[4], turn[9], slope[9], more[3];
    memset(F, 0, sizeof *F);
    zw_v3_copy(F->r, k->origin);
    zw_m3_copy(F->R, k->R0);
    if (rate != NULL) {
        memset(rate, 0, 6 * sizeof *rate);
    }
    if (k->spins) {
        zw_v3_scale(motion + 3, t, k->spin);
        zw_v3_copy(F->w, k->spin);
    } else if (k->moves) {
        zw_field_set_time(&k->motion, t);
        zw_field_set_time(&k->rate, t);
        ZW_TRY(zw_field_eval(&k->motion, k->name, motion));
        ZW_TRY(zw_field_eval(&k->rate, k->name, first));
        zw_v3_add(F->r, F->r, motion);
        zw_v3_copy(F->v, first);
        zw_so3_dexp_apply(motion + 3, first + 3, F->w);
    } else {
        return ZW_OK;
    }
    zw_q_exp(motion + 3, q);
    zw_q_to_matrix(q, turn);
    zw_m3_mul(F->R, turn, k->R0);
    if (rate != NULL && k->moves) {
        zw_field_set_time(&k->rate2, t);
        ZW_TRY(zw_field_eval(&k->rate2, k->name, second));
        zw_so3_dexp_apply(motion + 3, second + 3, rate);
        zw_so3_dexp_d(motion + 3, first + 3, slope);
        zw_m3_mulv(more, slope, first + 3);
        zw_v3_add(rate, rate, more);
        zw_v3_copy(rate + 3, second);
    }
    return ZW_OK;
}

bool zw_carriage_keeps(const zw_carriage *k, const zw_frame_def *def, const double normal[3]) {
    double across[3];
    if (k->spins) {
        zw_v3_cross(across, k->spin, normal);
        return zw_v3_norm(across) <= 1e-14 * zw_v3_norm(k->spin);
    }
    const zw_model *m = k->motion.model;
    for (int i = 0; i < 3 && k->moves; i++) { /* what moves along the normal, or turns about another axis; what does not depend on t is 0 */
        bool shifts = def->shift[i].node != 0 && zw_node_depends(m->pool, def->shift[i].node, m->slot_t);
        bool turns = def->turn[i].node != 0 && zw_node_depends(m->pool, def->turn[i].node, m->slot_t);
        if ((shifts && normal[i] != 0.0) || (turns && fabs(normal[i]) < 1.0 - 1e-14)) {
            return false;
        }
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0
 * still.c: a frame without motion. See still.h. */
#include "analysis/still.h"

#include "system/system.h"

#include <stdio.h>
#include <string.h>

zw_status zw_still_create(const zw_model *m, zw_system *y, zw_still *out) {
    static const char *const name[ZW_OWN_MOST] = {"statics/parameter", "statics/stable", "statics/below", "statics/branch"};
    return zw_still_create_named(m, y, name, out);
}

zw_status zw_still_create_named(const zw_model *m, zw_system *y, const char *const name[ZW_OWN_MOST], zw_still *out) {
    zw_run   *r = &out->run;
    zw_status status = ZW_OK;
    *r = (zw_run){.context = m->context, .model = m, .system = y, .size = zw_system_size(y), .nown = ZW_OWN_MOST};
    zw_arena_init(&r->arena, m->context);
    for (int i = 0; i < ZW_OWN_MOST; i++) {
        r->own[i] = (zw_channel){.count = 1, .unit = "1"};
        snprintf(r->own[i].name, sizeof r->own[i].name, "%s", name[i]);
    }
    int m_rows = zw_system_rows_count(y);
    r->lambda = zw_arena_alloc(&r->arena, (size_t)m_rows + 1, sizeof(double), "multipliers");
    if (r->lambda == NULL) {
        status = ZW_E_MEMORY;
    }
    status = status == ZW_OK ? zw_run_bind_probes(r) : status;
    status = status == ZW_OK ? zw_run_bind_layout(r) : status; /* without rows: nothing of a motion is listed for them */
    r->m = m_rows;
    if (status != ZW_OK) {
        zw_still_destroy(out);
    }
    return status;
}

void zw_still_destroy(zw_still *s) {
    zw_run_destroy_probes(&s->run);
    zw_arena_destroy(&s->run.arena);
    *s = (zw_still){0};
}

zw_status zw_still_take(zw_still *s, const zw_state *x, const double *lambda, double number, const double own[ZW_OWN_MOST],
                        double (*before)[ZW_PROBE_WIDTH]) {
    zw_run    *r = &s->run;
    zw_picture picture = {0};
    double     none[ZW_W_ACCOUNT] = {0};
    zw_state   at = *x;
    at.w = none;
    for (int i = 0; before != NULL && i < r->model->nprobes; i++) {
        memcpy(r->probe_tally[i].final, before[i], sizeof r->probe_tally[i].final);
    }
    if (r->m > 0) {
        memcpy(r->lambda, lambda, sizeof(double) * (size_t)r->m);
    }
    if (r->m > 0 && r->balance != NULL) {
        ZW_TRY(zw_system_balance(r->system, &at, r->lambda, r->balance));
    }
    zw_system_account(r->system, &at, &picture.account);
    memcpy(picture.own, own, sizeof picture.own);
    ZW_TRY(zw_run_read_probes(r, &at, &picture));
    r->tally.energy_initial = picture.account.kinetic + picture.account.elastic + picture.account.potential; /* no drift: it is no motion */
    at.t = number;
    return zw_run_fill_frame(r, &at, &picture);
}

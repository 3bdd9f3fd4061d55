/* SPDX-License-Identifier: Apache-2.0
 * remesh.c: a run whose rods get other meshes: all that is bound to the system is made anew beside the old, the state is carried over, then they change places. The recorder
 * is told of a new epoch: the same channels, other sizes. Nothing is lost where that fails: the old one stands. */
#include "events/contacts.h"

#include "base/number.h"
#include "system/split.h"

#include <math.h>
#include <string.h>

/* the run on other meshes, with room for a state, into out */
static zw_status build(const zw_run *r, const zw_meshes *meshes, zw_run *out) {
    int nw = 0;
    *out = *r;
    out->system = NULL;
    out->integrator = NULL;
    out->gauss = NULL;
    out->probe_tape = NULL;
    out->contacts = NULL;
    out->x[0] = out->x[1] = out->spare = (zw_state){0};
    out->now = 0;
    zw_arena_init(&out->arena, r->context);
    ZW_TRY(zw_system_create_on(r->model, meshes, &out->system));
    ZW_TRY(out->ops->create(out->system, &out->integrator, &nw));
    ZW_TRY(zw_run_make_room(out, nw));
    ZW_TRY(zw_gauss_create(out->system, &out->gauss));
    ZW_TRY(zw_run_bind_probes(out));
    ZW_TRY(zw_run_bind_layout(out));
    memcpy(out->probe_tally, r->probe_tally, sizeof *r->probe_tally * (size_t)r->model->nprobes);
    return ZW_OK;
}

static zw_status unsupported(const zw_run *r, const char *remedy, const char *what) {
    return zw_raise(r->context, ZW_E_UNSUPPORTED, "growth.split", remedy, "%s", what);
}

/* explicit steps may be too long for links of half the length */
static zw_status check_limit(const zw_run *r, zw_run *next) {
    double safe, sharp;
    char   a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT], t[ZW_NUMBER_TEXT];
    if (!(r->limit > 0.0)) {
        return ZW_OK;
    }
    ZW_TRY(next->ops->limit(next->integrator, &next->x[0], &safe, &sharp));
    next->limit = sharp > 0.0 ? sharp : safe;
    double most = fmax(next->limit, safe);
    if (!(next->h > most)) {
        return ZW_OK;
    }
    return zw_raise(r->context, ZW_E_STEP, "run.step", "use that step from the start, or energy-momentum, which has no limit",
                    "with links halved at t = %s s the stability limit is %s s, and steps are %s s long",
                    zw_number_short(next->x[0].t, 8, t), zw_number_short(0.9 * most, 3, a), zw_number_short(next->h, 4, b));
}

static zw_status change_to(zw_run *r, const zw_meshes *meshes, bool carry) {
    zw_run    next;
    zw_status status = r->pinned ? unsupported(r, "let go of the views of the state before the run goes on",
                                               "links are to be split, which moves the state, while others look at it")
                       : r->ops->carry == NULL || r->contacts != NULL
                           ? unsupported(r, "use verlet, energy-momentum, quasi-static or overdamped, or leave growth.split out",
                                         "the integrator cannot go on with links that are split")
                           : ZW_OK;
    ZW_TRY(status);
    status = build(r, meshes, &next);
    const zw_state *x = &r->x[r->now];
    if (status == ZW_OK && carry) {
        status = zw_system_carry_over(r->system, x, x->w + r->ops->memory(r->integrator), next.system, &next.x[0],
                                      next.x[0].w + next.ops->memory(next.integrator));
        /* new nodes stand on the helix of their link, which a surface, say, knows nothing of: they are put onto the rows */
        status = status == ZW_OK && next.m > 0 ? zw_run_make_consistent(&next) : status;
        status = status == ZW_OK ? next.ops->carry(next.integrator, r->integrator, x, &next.x[0]) : status;
        status = status == ZW_OK ? check_limit(r, &next) : status;
    }
    if (status != ZW_OK) {
        zw_run_unbind(&next);
        return status;
    }
    zw_run_unbind(r);
    *r = next;
    return ZW_OK;
}

zw_status zw_run_remesh(zw_run *r) {
    zw_meshes       meshes;
    const zw_state *x = &r->x[r->now];
    if (!(zw_system_grow_longest(r->system, x) > 1.0)) {
        return ZW_OK;
    }
    ZW_TRY(zw_meshes_split(r->system, x, &meshes));
    int       nv = zw_system_size(r->system).nv;
    zw_status status = change_to(r, &meshes, true);
    zw_meshes_destroy(&meshes);
    ZW_TRY(status);
    bool joined = zw_system_size(r->system).nv < nv;
    if (!r->told_split) {
        char t[ZW_NUMBER_TEXT];
        r->told_split = true;
        zw_log(r->context, ZW_LOG_INFO, "links %s at t = %s s, and so will be others; results have an epoch for each mesh",
               joined ? "at a mouth that was drawn in were joined" : "that grew longer than growth.split were halved",
               zw_number_short(r->x[r->now].t, 8, t));
    }
    return r->recording ? r->recorder.epoch(r->recorder.self, &r->layout) : ZW_OK;
}

/* ---- checkpoints */

size_t zw_run_mesh_words(const zw_run *r) {
    zw_meshes m;
    size_t    n = 0;
    if (zw_meshes_of(r->system, &m) == ZW_OK) {
        n = zw_meshes_words(&m);
        zw_meshes_destroy(&m);
    }
    return n;
}

void zw_run_mesh_save(const zw_run *r, void *bytes) {
    zw_meshes m;
    if (zw_meshes_of(r->system, &m) == ZW_OK) {
        zw_meshes_write(&m, bytes);
        zw_meshes_destroy(&m);
    }
}

zw_status zw_run_mesh_restore(zw_run *r, const void *bytes, size_t n) {
    zw_meshes now = {0}, then = {0};
    double   *words = zw_alloc(r->context, n + 1, sizeof *words, "meshes of rods"); /* bytes may lie anywhere */
    if (words == NULL) {
        return ZW_E_MEMORY;
    }
    memcpy(words, bytes, n * sizeof *words);
    zw_status status = zw_meshes_read(r->system, words, n, &then);
    status = status == ZW_OK ? zw_meshes_of(r->system, &now) : status;
    if (status == ZW_OK && !zw_meshes_same(&now, &then)) {
        status = change_to(r, &then, false);
    }
    zw_meshes_destroy(&now);
    zw_meshes_destroy(&then);
    zw_free(r->context, words);
    return status;
}

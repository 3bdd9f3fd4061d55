/* SPDX-License-Identifier: Apache-2.0
 * path_branch.c: leaving the path at a bifurcation: a small way along a shape phi that nothing resists,  <phi, dx> = a, the parameter free; then by arc length, both ways. Of
 * several shapes each is followed with the others held, which keeps the choice among equal ones (a round column may buckle in any plane). */
#include "steps/neutral.h"
#include "analysis/path_walk.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

#define AMPLITUDE 0.05 /* in the measure of rest.h: rad */

/* holds the greatest unknown of the other shapes */
static void hold_others(zw_path_walk *w, const zw_path_saved *b, int shape) {
    size_t nz = (size_t)w->rest.nz;
    for (int j = 0; j < b->n && w->rest.nholds < ZW_REST_HOLDS; j++) {
        const double *phi = b->phi + nz * (size_t)j, *own = b->phi + nz * (size_t)shape;
        int           best = -1;
        double        most = 0.0;
        for (int i = 0; i < w->rest.nz && j != shape; i++) {
            double part = sqrt(w->rest.weight[i]) * (fabs(phi[i]) - 10.0 * fabs(own[i]));
            if (part > 1.0001 * most) {
                most = part;
                best = i;
            }
        }
        if (best >= 0) {
            w->rest.hold[w->rest.nholds++] = best;
        }
    }
}

static zw_status follow(zw_path_walk *w, const zw_path_saved *b, int shape, double sign, int holds, bool *alike) {
    size_t    nz = (size_t)w->rest.nz;
    zw_status status = ZW_E_STEP;
    double    a = 2.0 * AMPLITUDE;
    int       rounds;
    zw_path_place_copy(w, &b->at, &w->cur);
    memcpy(w->cur.t, b->phi + nz * (size_t)shape, sizeof(double) * nz);
    double size = sign * sqrt(zw_rest_product(&w->rest, w->cur.t, w->cur.t));
    for (size_t i = 0; i < nz; i++) {
        w->cur.t[i] /= size;
    }
    w->cur.tp = 0.0;
    w->home = b->at.p;
    w->cur.s = 0.0;
    w->rest.nholds = holds;
    hold_others(w, b, shape);
    for (int i = 0; i < 6 && status == ZW_E_STEP; i++) {
        a *= 0.5;
        status = zw_path_arc(w, &w->cur, a, &w->next, &rounds);
    }
    ZW_TRY(status);
    w->branch = ++w->info->branches;
    ZW_TRY(zw_path_tell(w, &w->cur)); /* the bifurcation begins the branch */
    ZW_TRY(zw_path_settle(w, &w->next, true));
    *alike = w->rest.nholds > holds;
    ZW_TRY(zw_path_tangent(w, &w->next, &w->cur));
    zw_path_place_copy(w, &w->next, &w->cur);
    ZW_TRY(zw_path_tell(w, &w->cur));
    return zw_path_go(w, 2.0 * a, true, true);
}

zw_status zw_path_branches(zw_path_walk *w) {
    int holds = w->rest.nholds;
    zw_rest_scale(&w->rest, 1.0);
    for (int i = 0; i < w->nsaved; i++) {
        const zw_path_saved *b = &w->saved[i];
        bool                 alike = false; /* a direction stays free on the branch: the other shapes are the same ones, turned */
        for (int way = 0; way < (alike ? 2 : 2 * b->n); way++) {
            zw_status status = follow(w, b, way / 2, way % 2 == 0 ? 1.0 : -1.0, holds, &alike);
            if (status == ZW_E_CANCELLED || status == ZW_E_MEMORY || status == ZW_E_IO) {
                return status;
            }
            if (status != ZW_OK) { /* the path itself is whole: a branch that ends early is told, not raised */
                char            p[ZW_NUMBER_TEXT];
                const zw_error *e = zw_error_last(w->c);
                zw_log(w->c, ZW_LOG_WARNING, "the branch at %s = %s was not followed to an end of the values: %s", w->v.parameter,
                       zw_number_short(b->at.p, 6, p), e != NULL ? e->message : "Newton's method does not leave the path there");
                zw_error_clear(w->c);
                w->info->cut = true;
            }
        }
    }
    w->branch = 0;
    return ZW_OK;
}

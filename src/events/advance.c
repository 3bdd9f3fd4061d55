/* SPDX-License-Identifier: Apache-2.0
 * advance.c: pairs of forms along a step. Conservative advancement: from the distance of the forms now, the direction between them, and bounds on velocities
 * and turns over the step follows a time before which they cannot touch; there their distance is taken anew. Pairs that reach the end of the step so
 * are far, and their features are not looked at. The bounds are control points of the motion between the states, widened as those of boxes are (locate.c).
 *
 * Behind everything stands the distance itself: a state at which forms overlap is not accepted, whatever the features said. */
#include "events/contacts.h"

#include "base/number.h"
#include "math/form.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "rows/feature.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBERS = ZW_MOVER_NUMBERS, CONTROLS = ZW_PATH_ORDER + 1, MOST = 100 };

static const double OVERLAP = 1e-8; /* of the size of the forms: deeper is not round-off */

typedef struct zw_mover_path {
    double control[NUMBERS][2][CONTROLS];
    double spin, gain;            /* bounds of |w| and |dv/dt|     */
    double place, turn, velocity; /* what the polynomial may be off by */
} zw_mover_path;

zw_status zw_contacts_reserve_pairs(zw_run *r) {
    zw_contacts *c = r->contacts;
    zw_features *f = zw_system_features(r->system);
    size_t       n = f != NULL ? (size_t)zw_features_pairs(f) : 0, m = f != NULL ? (size_t)zw_features_movers(f) : 0;
    c->near = zw_arena_alloc(&r->arena, n + 1, sizeof *c->near, "pairs of forms");
    c->near_from = zw_arena_alloc(&r->arena, n + 1, sizeof *c->near_from, "pairs of forms");
    c->mover = zw_arena_alloc(&r->arena, m + 1, sizeof *c->mover, "pairs of forms");
    return c->near != NULL && c->near_from != NULL && c->mover != NULL ? ZW_OK : ZW_E_MEMORY;
}

/* path and bounds of a mover over the step */
static zw_status follow(zw_run *r, zw_features *f, int mover, double h) {
    zw_contacts   *c = r->contacts;
    zw_mover_path *p = &c->mover[mover];
    double         z[ZW_PATH_STATES][NUMBERS], most[NUMBERS], slack[NUMBERS], slope[3] = {0.0, 0.0, 0.0};
    bool           few = r->model->run.stages > 0 && r->model->run.stages < 3;
    for (int k = 0; k < ZW_PATH_STATES; k++) {
        ZW_TRY(zw_features_mover(f, mover, c->path_of[k], z[k]));
        double same = 0.0; /* a quaternion that is made of a matrix may come with the other sign */
        for (int i = 3; i < 7; i++) {
            same += k > 0 ? z[k][i] * z[k - 1][i] : 1.0;
        }
        for (int i = 3; i < 7 && same < 0.0; i++) {
            z[k][i] = -z[k][i];
        }
    }
    for (int i = 0; i < NUMBERS; i++) {
        double lo = INFINITY, hi = -INFINITY;
        most[i] = 0.0;
        for (int half = 0; half < 2; half++) {
            double at[CONTROLS];
            for (int k = 0; k < CONTROLS; k++) {
                at[k] = z[ZW_PATH_ORDER * half + k][i];
                lo = fmin(lo, at[k]);
                hi = fmax(hi, at[k]);
            }
            zw_path_controls(at, p->control[i][half]);
            for (int k = 0; k < CONTROLS; k++) {
                most[i] = fmax(most[i], fabs(p->control[i][half][k]));
                if (k > 0 && i >= 7 && i < 10) {
                    slope[i - 7] = fmax(slope[i - 7], fabs(p->control[i][half][k] - p->control[i][half][k - 1]) * 2.0 * ZW_PATH_ORDER / h);
                }
            }
        }
        slack[i] = 0.02 * (hi - lo) + (few && i < 3 ? 0.25 * h * fabs(z[ZW_PATH_STATES - 1][7 + i] - z[0][7 + i]) : 0.0) +
                   4.0 * DBL_EPSILON * most[i];
    }
    p->place = sqrt(slack[0] * slack[0] + slack[1] * slack[1] + slack[2] * slack[2]);
    p->turn = 2.0 * sqrt(slack[3] * slack[3] + slack[4] * slack[4] + slack[5] * slack[5] + slack[6] * slack[6]);
    p->velocity = sqrt(slack[7] * slack[7] + slack[8] * slack[8] + slack[9] * slack[9]);
    p->spin = sqrt(most[10] * most[10] + most[11] * most[11] + most[12] * most[12]) * 1.02;
    p->gain = zw_v3_norm(slope) + 16.0 * p->velocity / h;
    return ZW_OK;
}

static void mover_at(const zw_mover_path *p, double theta, double z[NUMBERS]) {
    int    half = theta >= 0.5 ? 1 : 0;
    double size = 0.0;
    for (int i = 0; i < NUMBERS; i++) {
        z[i] = zw_path_value(p->control[i][half], 2.0 * theta - half);
        size += i >= 3 && i < 7 ? z[i] * z[i] : 0.0;
    }
    for (int i = 3; i < 7; i++) {
        z[i] /= sqrt(size);
    }
}

static zw_moving moving(const zw_mover_path *p, const double *z, double reach) {
    zw_moving m = {.gain = p->gain, .spin = p->spin + p->velocity / fmax(reach, DBL_MIN), .reach = reach};
    zw_v3_copy(m.v, z + 7);
    return m;
}

/* can the forms of a pair touch between the states? */
static bool is_near(zw_run *r, zw_features *f, int pair, double h, double *from) {
    zw_contacts *c = r->contacts;
    double       theta = 0.0, a[NUMBERS], b[NUMBERS], reach[2];
    int          mover[2];
    zw_features_pair_movers(f, pair, mover);
    const zw_mover_path *A = &c->mover[mover[0]], *B = &c->mover[mover[1]];
    for (int i = 0; i < MOST; i++) {
        zw_touch t;
        *from = theta;
        mover_at(A, theta, a);
        mover_at(B, theta, b);
        zw_features_distance(f, pair, a, b, &t, reach);
        t.gap -= A->place + B->place + A->turn * reach[0] + B->turn * reach[1] + 1e-9 * zw_features_pair_size(f, pair);
        if (!(t.gap > 0.0)) {
            return true;
        }
        zw_moving ma = moving(A, a, reach[0]), mb = moving(B, b, reach[1]);
        double    safe = zw_form_safe_time(&t, &ma, &mb) / h;
        if (theta + safe >= 1.0) {
            return false;
        }
        if (!(safe > 1e-3)) {
            return true;
        }
        theta += safe;
    }
    return true;
}

zw_status zw_contacts_find_near(zw_run *r, double h) {
    zw_contacts *c = r->contacts;
    zw_features *f = zw_system_features(r->system);
    if (f == NULL) {
        return ZW_OK;
    }
    for (int i = 0; i < zw_features_movers(f); i++) {
        ZW_TRY(follow(r, f, i, h));
    }
    memset(c->near, 0, (size_t)zw_features_pairs(f));
    for (int i = 0; i < c->n; i++) { /* those that touch are near */
        if (c->side[i]->pair >= 0 && c->memory[i].held) {
            c->near[c->side[i]->pair] = 1;
        }
    }
    for (int i = 0; i < zw_features_pairs(f); i++) {
        c->near_from[i] = 0.0;
        c->near[i] = c->near[i] || is_near(r, f, i, h, &c->near_from[i]);
    }
    return ZW_OK;
}

/* how far the forms of a pair are apart at a state; of a triangle only its face counts */
static zw_status distance(zw_run *r, zw_features *f, int pair, const zw_state *x, double *gap) {
    double   a[NUMBERS], b[NUMBERS], reach[2];
    int      mover[2];
    zw_touch t;
    zw_features_pair_movers(f, pair, mover);
    ZW_TRY(zw_features_mover(f, mover[0], x, a));
    ZW_TRY(zw_features_mover(f, mover[1], x, b));
    zw_features_distance(f, pair, a, b, &t, reach);
    *gap = zw_features_pair_behind(f, pair, a, b) ? INFINITY : t.gap;
    (void)r;
    return ZW_OK;
}

zw_status zw_contacts_overlap(zw_run *r, const zw_state *x, bool *overlap) {
    zw_contacts *c = r->contacts;
    zw_features *f = zw_system_features(r->system);
    *overlap = false;
    for (int i = 0; f != NULL && i < zw_features_pairs(f) && !*overlap; i++) {
        double gap;
        if (!c->near[i]) {
            continue;
        }
        ZW_TRY(distance(r, f, i, x, &gap));
        if (gap < -OVERLAP * zw_features_pair_size(f, i)) {
            *overlap = true;
            for (int k = c->n - 1; k >= 0; k--) {
                c->lost = c->side[k]->pair == i ? k : c->lost;
            }
        }
    }
    return ZW_OK;
}

zw_status zw_contacts_check_pairs(zw_run *r, const zw_state *x) {
    zw_features *f = zw_system_features(r->system);
    for (int i = 0; f != NULL && i < zw_features_pairs(f); i++) {
        double gap;
        ZW_TRY(distance(r, f, i, x, &gap));
        if (gap < -1e-12 * zw_features_pair_size(f, i)) {
            char number[ZW_NUMBER_TEXT];
            return zw_model_raise(r->model, ZW_E_MODEL, zw_features_pair_where(f, i), zw_features_pair_name(f, i),
                                  "move them apart, or list the pairs of contact without them",
                                  "interpenetrating start: they overlap by %s m", zw_number_short(-gap, 6, number));
        }
    }
    return ZW_OK;
}

/* ---- contacts that last until the end of their feature */

/* first crossing in (lo, hi]: positive at lo, negative at hi, on real steps */
static zw_status solve_end(zw_run *r, int i, const zw_state *x0, double lo, double at_lo, double hi, double at_hi, double *h) {
    zw_contacts *c = r->contacts;
    double       speed;
    for (int k = 0; k < 60; k++) {
        double mid = k % 3 == 2 ? 0.5 * (lo + hi) : lo + (hi - lo) * (at_lo / (at_lo - at_hi)), margin;
        if (!(mid > lo && mid < hi)) {
            break;
        }
        ZW_TRY(zw_contacts_restep(r, x0, mid, &c->trial));
        c->side[i]->kind->margin(c->side[i], r->system, &c->trial, &margin, &speed);
        if (margin >= 0.0) {
            lo = mid;
            at_lo = margin;
        } else {
            hi = mid;
            at_hi = margin;
        }
        if (fabs(margin) <= 1e-12 * zw_features_pair_size(zw_system_features(r->system), c->side[i]->pair)) {
            break;
        }
    }
    *h = hi;
    return ZW_OK;
}

zw_status zw_contacts_find_end(zw_run *r, const zw_state *x0, const zw_state *x1, double *h, int *who) {
    zw_contacts *c = r->contacts;
    double       whole = x1->t - x0->t, part = whole / (ZW_PATH_STATES - 1);
    *h = -1.0;
    for (int i = 0; i < c->n; i++) {
        zw_side *s = c->side[i];
        double   before = 0.0, margin, speed, found = -1.0;
        if (!c->memory[i].held || s->kind->margin == NULL) {
            continue;
        }
        for (int k = 0; k < ZW_PATH_STATES && found < 0.0; k++) {
            s->kind->margin(s, r->system, c->path_of[k], &margin, &speed);
            if (margin < 0.0 && k == 0) {
                found = 0.0;
            } else if (margin < 0.0) {
                ZW_TRY(solve_end(r, i, x0, (k - 1) * part, before, k * part, margin, &found));
            }
            before = margin;
        }
        if (found >= 0.0 && (*h < 0.0 || found < *h)) {
            *h = found;
            *who = i;
        }
    }
    return ZW_OK;
}

/* contacts that ride along: open ones are let go; *closed: one of them was pressed in, and is to be looked at like others */
zw_status zw_contacts_watch_riders(zw_run *r, const zw_state *x1, bool *closed) {
    zw_contacts *c = r->contacts;
    *closed = false;
    for (int i = 0; i < c->n; i++) {
        zw_side_look at;
        if (c->memory[i].held != 2) {
            continue;
        }
        ZW_TRY(zw_side_raw(c->side[i], r->system, x1, &at));
        double apart = 1e-10 * fmax(c->memory[i].scale, at.size);
        if (at.gap < -apart) {
            c->memory[i].held = 0;
            *closed = true;
            c->lost = i;
        } else if (at.gap > apart) {
            c->memory[i].held = 0;
        }
    }
    return ZW_OK;
}

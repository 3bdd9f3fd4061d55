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
    double spin, gain, stretch;   /* bounds of |w|, |dv/dt|, and of the rate of half the length of a link */
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

/* numbers of a mover at a state; a quaternion that is made of a matrix may come with the other sign than the one before */
static zw_status numbers_at(zw_features *f, int mover, const zw_state *x, const double *before, double *z) {
    double same = 0.0;
    ZW_TRY(zw_features_mover(f, mover, x, z));
    for (int i = 3; i < 7 && before != NULL; i++) {
        same += z[i] * before[i];
    }
    for (int i = 3; i < 7 && same < 0.0; i++) {
        z[i] = -z[i];
    }
    return ZW_OK;
}

/* path and bounds of a mover over the step; measured: the real states at 1/4 and 3/4 tell how far the polynomial is off */
static zw_status follow(zw_run *r, zw_features *f, int mover, double h, bool measured) {
    zw_contacts   *c = r->contacts;
    zw_mover_path *p = &c->mover[mover];
    double         z[ZW_PATH_STATES][NUMBERS], most[NUMBERS], slack[NUMBERS], slope[4] = {0.0, 0.0, 0.0, 0.0}, real[2][NUMBERS] = {{0.0}};
    bool           few = r->model->run.stages > 0 && r->model->run.stages < 3;
    for (int k = 0; k < ZW_PATH_STATES; k++) {
        ZW_TRY(numbers_at(f, mover, c->path_of[k], k > 0 ? z[k - 1] : NULL, z[k]));
    }
    for (int half = 0; half < 2 && measured; half++) {
        ZW_TRY(numbers_at(f, mover, &c->real[half], z[half == 0 ? 2 : 6], real[half]));
    }
    double between[ZW_PATH_STATES - 1][NUMBERS];
    bool timed = zw_features_mover_timed(f, mover); /* an obstacle is where its time says: the polynomial is compared between its states */
    for (int k = 0; k < ZW_PATH_STATES - 1 && timed; k++) {
        zw_state x = *c->path_of[k];
        x.t = c->path_of[0]->t + (k + 0.5) / (ZW_PATH_STATES - 1) * h;
        ZW_TRY(numbers_at(f, mover, &x, z[k], between[k]));
    }
    for (int i = 0; i < NUMBERS; i++) {
        double lo = INFINITY, hi = -INFINITY, off = 0.0;
        most[i] = 0.0;
        for (int half = 0; half < 2; half++) {
            double at[CONTROLS];
            for (int k = 0; k < CONTROLS; k++) {
                at[k] = z[ZW_PATH_ORDER * half + k][i];
                lo = fmin(lo, at[k]);
                hi = fmax(hi, at[k]);
            }
            zw_path_controls(at, p->control[i][half]);
            off = measured ? fmax(off, 4.0 * fabs(real[half][i] - at[2])) : off;
            for (int k = 0; k < ZW_PATH_ORDER && timed; k++) {
                off = fmax(
                    off, 4.0 * fabs(between[ZW_PATH_ORDER * half + k][i] - zw_path_value(p->control[i][half], (k + 0.5) / ZW_PATH_ORDER)));
            }
            for (int k = 0; k < CONTROLS; k++) {
                most[i] = fmax(most[i], fabs(p->control[i][half][k]));
                if (k > 0 && ((i >= 7 && i < 10) || i == 13)) {
                    double *to = &slope[i == 13 ? 3 : i - 7];
                    *to = fmax(*to, fabs(p->control[i][half][k] - p->control[i][half][k - 1]) * 2.0 * ZW_PATH_ORDER / h);
                }
            }
        }
        double guess = 0.02 * (hi - lo) + (few && i < 3 ? 0.25 * h * fabs(z[ZW_PATH_STATES - 1][7 + i] - z[0][7 + i]) : 0.0);
        slack[i] = (measured ? off : fmax(off, guess)) + 4.0 * DBL_EPSILON * most[i];
    }
    p->place = sqrt(slack[0] * slack[0] + slack[1] * slack[1] + slack[2] * slack[2]) + slack[13];
    p->turn = 2.0 * sqrt(slack[3] * slack[3] + slack[4] * slack[4] + slack[5] * slack[5] + slack[6] * slack[6]);
    p->velocity = sqrt(slack[7] * slack[7] + slack[8] * slack[8] + slack[9] * slack[9]);
    p->spin = sqrt(most[10] * most[10] + most[11] * most[11] + most[12] * most[12]) * 1.02;
    p->gain = zw_v3_norm(slope) + 16.0 * p->velocity / h;
    p->stretch = slope[3] + 16.0 * slack[13] / h;
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
    zw_moving m = {.gain = p->gain, .spin = p->spin + (p->velocity + p->stretch) / fmax(reach, DBL_MIN), .reach = reach};
    zw_v3_copy(m.v, z + 7);
    return m;
}

typedef struct advance {
    zw_features         *f;
    int                  pair;
    const zw_mover_path *A, *B;
    double               h;
} advance;

static advance advance_of(zw_run *r, zw_features *f, int pair, double h) {
    int mover[2];
    zw_features_pair_movers(f, pair, mover);
    return (advance){.f = f, .pair = pair, .A = &r->contacts->mover[mover[0]], .B = &r->contacts->mover[mover[1]], .h = h};
}

/* the forms at theta of the polynomial; returns how far the real ones may be from there */
static double forms_at(const advance *s, double theta, zw_touch *t, zw_moving *ma, zw_moving *mb) {
    double a[NUMBERS], b[NUMBERS], reach[2];
    mover_at(s->A, theta, a);
    mover_at(s->B, theta, b);
    zw_features_distance(s->f, s->pair, a, b, t, reach);
    *ma = moving(s->A, a, reach[0]);
    *mb = moving(s->B, b, reach[1]);
    if (zw_features_pair_hollow(s->f, s->pair)) { /* no plane stays between them: every way may lead to the wall */
        double relative[3];
        zw_v3_sub(relative, ma->v, mb->v);
        zw_v3_scale(ma->v, zw_v3_norm(relative), t->n);
        zw_v3_zero(mb->v);
    }
    return s->A->place + s->B->place + s->A->turn * reach[0] + s->B->turn * reach[1];
}

/* can the forms of a pair touch between the states? From *from on, not before. Ends where a stride is shorter than `least` of the step */
static bool is_near(const advance *s, double least, int most, double *from) {
    double size = zw_features_pair_size(s->f, s->pair), theta = *from;
    for (int i = 0; i < most; i++) {
        zw_touch  t;
        zw_moving ma, mb;
        *from = theta;
        t.gap = 0.0;
        double off = forms_at(s, theta, &t, &ma, &mb);
        t.gap -= off + 1e-9 * size;
        if (!(t.gap > 0.0)) {
            return true;
        }
        double safe = zw_form_safe_time(&t, &ma, &mb) / s->h;
        if (theta + safe >= 1.0) {
            return false;
        }
        if (!(safe > least)) {
            return true;
        }
        theta += safe;
    }
    return true;
}

/* a part of the step by which the forms surely overlap; 1: none was seen */
static double surely_until(const advance *s, double from) {
    double size = zw_features_pair_size(s->f, s->pair);
    for (double way = 1e-7; from + way < 1.0; way *= 4.0) {
        zw_touch  t;
        zw_moving ma, mb;
        double    off = forms_at(s, from + way, &t, &ma, &mb);
        if (t.gap < -off - 10.0 * OVERLAP * size) {
            return from + way;
        }
        if (t.gap > off + 1e-3 * size) {
            break;
        }
    }
    return 1.0;
}

zw_status zw_contacts_find_near(zw_run *r, const zw_state *x0, double h) {
    zw_contacts *c = r->contacts;
    zw_features *f = zw_system_features(r->system);
    int          near = 0, npairs = f != NULL ? zw_features_pairs(f) : 0;
    c->surely = 1.0;
    if (f == NULL) {
        return ZW_OK;
    }
    for (int i = 0; i < zw_features_movers(f); i++) {
        ZW_TRY(follow(r, f, i, h, false));
    }
    memset(c->near, 0, (size_t)npairs);
    for (int i = 0; i < c->n; i++) { /* those that touch are near */
        if (c->side[i]->pair >= 0 && c->memory[i].held) {
            c->near[c->side[i]->pair] = 2;
        }
    }
    for (int i = 0; i < npairs; i++) {
        advance s = advance_of(r, f, i, h);
        c->near_from[i] = 0.0;
        c->near[i] = zw_features_pair_level(f, i) ? 2 : c->near[i]; /* there is no distance to advance by: its sides are looked at */
        if (c->near[i] == 0 && is_near(&s, 1e-3, MOST, &c->near_from[i])) {
            c->near[i] = 1;
            near++;
        }
    }
    if (near == 0) {
        return ZW_OK;
    }
    ZW_TRY(zw_contacts_measure(r, x0, h));
    for (int i = 0; i < zw_features_movers(f); i++) {
        ZW_TRY(follow(r, f, i, h, true));
    }
    for (int i = 0; i < npairs; i++) {
        advance s = advance_of(r, f, i, h);
        if (c->near[i] != 1) {
            continue;
        }
        c->near_from[i] = 0.0;
        c->near[i] = is_near(&s, 1e-8, 4 * MOST, &c->near_from[i]);
        if (c->near[i]) {
            c->surely = fmin(c->surely, surely_until(&s, c->near_from[i]));
        }
    }
    return ZW_OK;
}

/* how far the forms of a pair are apart at a state; of a triangle only its face counts */
static zw_status distance(zw_run *r, zw_features *f, int pair, const zw_state *x, double *gap) {
    double   a[NUMBERS], b[NUMBERS], reach[2];
    int      mover[2];
    zw_touch t;
    if (zw_features_pair_level(f, pair)) {
        return zw_features_level_gap(f, pair, x, gap);
    }
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
            hi = mid;
            break;
        }
    }
    *h = hi;
    return ZW_OK;
}

/* Can the margin be negative between two looks at which it is not? Not while it changes no faster than twice its speed; halves otherwise. *at, *margin: the
 * first place where it is seen to be negative */
static bool look_between(zw_run *r, zw_side *s, const zw_state *x0, const zw_state *x1, double lo, double at_lo, double hi, double at_hi,
                         double speed, int depth, double *at, double *margin) {
    zw_contacts *c = r->contacts;
    double       mid = 0.5 * (lo + hi), there, faster;
    if (at_lo + at_hi >= 2.0 * speed * (hi - lo) || depth == 0) {
        return false;
    }
    r->ops->between(r->integrator, x0, x1, mid / (x1->t - x0->t), &c->sample);
    c->sample.t = x0->t + mid;
    s->kind->margin(s, r->system, &c->sample, &there, &faster);
    if (there < 0.0) {
        *at = mid;
        *margin = there;
        return true;
    }
    return look_between(r, s, x0, x1, lo, at_lo, mid, there, faster, depth - 1, at, margin) ||
           look_between(r, s, x0, x1, mid, there, hi, at_hi, faster, depth - 1, at, margin);
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
            double at = k * part;
            if (margin >= 0.0 && k > 0) { /* it may leave its feature and come back between two looks */
                look_between(r, s, x0, x1, (k - 1) * part, before, at, margin, speed, 6, &at, &margin);
            }
            if (margin < 0.0 && k == 0) {
                found = 0.0;
            } else if (margin < 0.0) {
                ZW_TRY(solve_end(r, i, x0, (k - 1) * part, before, at, margin, &found));
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

/* SPDX-License-Identifier: Apache-2.0
 * locate.c: the first time that a gap closes between two states.
 *
 * Bracketing is done on the motion between the states, a polynomial of the inputs of a gap on each half of the step, in Bernstein form: over any part of the step
 * the inputs lie between their control points, widened by the measured distance of the polynomial from the motion. Over such boxes g, g' and g'' are enclosed:
 *   g > 0                       no root
 *   g' < 0                      a root exactly when g is negative at the end
 *   g' > 0                      none
 *   g'' < 0 (concave)           a root exactly when g is negative at the end: the descending branch
 *   g'' > 0 (convex)            the least value decides
 *   otherwise                   both halves
 * What decides is computed from real steps out of x0, never from the polynomial. When the polynomial is too coarse to tell, the step is to be shortened;
 * nothing is passed over in silence. */
#include "events/contacts.h"

#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = ZW_PATH_STATES, CONTROLS = ZW_PATH_ORDER + 1, DEEPEST = 40, MOST = 2000 };

typedef struct search {
    zw_run         *r;
    zw_contacts    *c;
    const zw_state *x0, *x1;
    double          h; /* of the whole step */
    int             i; /* side */
    double          touch;
    bool            real; /* slack was measured */
    bool            undecided;
    int             judged;
    double          from, until; /* parts of the step outside are known to hold no root, or none that matters */
} search;

/* boxes of inputs and of their rates over [a, b] of the step, within one half */
static void boxes(const search *s, double a, double b) {
    zw_contacts *c = s->c;
    int          half = a >= 0.5 ? 1 : 0, nz = zw_side_inputs(c->side[s->i]);
    double       from = 2.0 * a - half, to = 2.0 * b - half, length = fmax((b - a) * s->h, DBL_MIN);
    for (int k = 0; k < nz; k++) {
        double p[CONTROLS], lo, hi, dlo = INFINITY, dhi = -INFINITY, slack = c->slack[k];
        zw_path_part(c->path + (size_t)CONTROLS * (2 * (size_t)k + (size_t)half), from, to, p);
        lo = hi = p[0];
        for (int j = 1; j < CONTROLS; j++) {
            double d = ZW_PATH_ORDER * (p[j] - p[j - 1]) / length;
            lo = fmin(lo, p[j]);
            hi = fmax(hi, p[j]);
            dlo = fmin(dlo, d);
            dhi = fmax(dhi, d);
        }
        double round = 4.0 * DBL_EPSILON * fmax(fabs(lo), fabs(hi)), dslack = 16.0 * slack / s->h + 8.0 * round / length;
        c->box[k] = (zw_interval){lo - slack - round, hi + slack + round};
        c->dbox[k] = (zw_interval){dlo - dslack, dhi + dslack};
    }
    c->dbox[nz - 1] = (zw_interval){1.0, 1.0};
}

/* rates of positions are inputs themselves, known better than by differences of control points */
static void rates_of_positions(const search *s) {
    zw_contacts *c = s->c;
    zw_side     *side = c->side[s->i];
    int          nu = zw_side_positions(side), nz = zw_side_inputs(side);
    for (int k = 0; k < nu && nz == 2 * nu + 1; k++) {
        c->dbox[k] = c->box[nu + k];
    }
    if (side->kind->rates != NULL) {
        side->kind->rates(side, c->box, c->dbox);
    }
}

static void polynomial_at(const search *s, double theta, double *z) {
    int    half = theta >= 0.5 ? 1 : 0, nz = zw_side_inputs(s->c->side[s->i]);
    double u = 2.0 * theta - half;
    for (int k = 0; k < nz; k++) {
        z[k] = zw_path_value(s->c->path + (size_t)CONTROLS * (2 * (size_t)k + (size_t)half), u);
    }
}

/* the real motion after h: g and g' there; the state stays in c->trial */
static zw_status real_at(const search *s, double h, zw_side_look *at) {
    zw_contacts    *c = s->c;
    const zw_state *x = &c->trial;
    if (h <= 0.0) {
        x = s->x0;
    } else if (h >= s->h) {
        x = s->x1;
    } else {
        ZW_TRY(zw_contacts_restep(s->r, s->x0, h, &c->trial));
    }
    return zw_side_raw(c->side[s->i], s->r->system, x, at);
}

/* the gap of a feature may close where there is no contact: the state there decides */
static zw_status is_contact(const search *s, double h, bool *yes) {
    zw_contacts *c = s->c;
    zw_side_look at;
    *yes = true;
    if (!c->side[s->i]->partly) {
        return ZW_OK;
    }
    ZW_TRY(real_at(s, h, &at));
    ZW_TRY(zw_side_at(c->side[s->i], s->r->system, h >= s->h ? s->x1 : h <= 0.0 ? s->x0 : &c->trial, &at));
    *yes = isfinite(at.gap);
    return ZW_OK;
}

/* the descending root in (lo, hi]: left of it the gap is positive or grows, at hi it is negative */
static zw_status solve(const search *s, double lo, double hi, double *out) {
    zw_contacts *c = s->c;
    double       best = INFINITY, a = lo / s->h, b = hi / s->h, h;
    for (int k = 0; k < 60 && b - a > 1e-15; k++) { /* on the polynomial first */
        double gap, rate, mid = 0.5 * (a + b);
        polynomial_at(s, mid, c->z);
        zw_side_eval(c->side[s->i], c->z, &gap, &rate);
        *(gap > 0.0 || rate > 0.0 ? &a : &b) = mid;
    }
    h = 0.5 * (a + b) * s->h;
    *out = hi;
    for (int k = 0; k < 80; k++) {
        zw_side_look at;
        h = fmin(fmax(h, lo), hi);
        ZW_TRY(real_at(s, h, &at));
        if (fabs(at.gap) < best && at.rate < 0.0) {
            best = fabs(at.gap);
            *out = h;
        }
        if (at.rate < 0.0 && fabs(at.gap) <= 2.0 * DBL_EPSILON * fmax(at.size, h * fabs(at.rate))) {
            return ZW_OK;
        }
        *(at.gap > 0.0 || at.rate > 0.0 ? &lo : &hi) = h;
        double next = at.rate < 0.0 ? h - at.gap / at.rate : 0.5 * (lo + hi);
        if (!(next > lo && next < hi)) {
            next = 0.5 * (lo + hi);
        }
        if (!(next > lo && next < hi) || next == h) {
            break;
        }
        h = next;
    }
    zw_side_look at;
    ZW_TRY(real_at(s, *out, &at));
    if (!(fabs(at.gap) <= fmax(s->touch, 1e4 * DBL_EPSILON * fmax(at.size, s->h * at.rate_size)))) {
        if (c->side[s->i]->partly) { /* edges that became parallel: the forms themselves will tell (advance.c) */
            *out = -1.0;
            return ZW_OK;
        }
        char subject[140], number[ZW_NUMBER_TEXT], time[ZW_NUMBER_TEXT];
        snprintf(subject, sizeof subject, "constraint '%s'", zw_side_name(c->side[s->i]));
        return zw_raise(s->r->context, ZW_E_CONVERGENCE, subject, "see whether the gap is smooth there: abs, max and if make corners",
                        "the time of its impact near t = %s s could not be found: its gap stays at %s",
                        zw_number_short(s->x0->t + *out, 10, time), zw_number_short(at.gap, 3, number));
    }
    return ZW_OK;
}

/* convex: where is the least gap of [lo, hi]? */
static zw_status least(const search *s, double lo, double hi, double *where, zw_side_look *out) {
    double       best = INFINITY;
    zw_side_look at;
    ZW_TRY(real_at(s, hi, &at));
    *where = hi;
    *out = at;
    best = at.gap;
    if (at.rate <= 0.0) {
        return ZW_OK;
    }
    for (int k = 0; k < 60; k++) {
        double mid = 0.5 * (lo + hi);
        if (!(mid > lo && mid < hi)) {
            break;
        }
        ZW_TRY(real_at(s, mid, &at));
        if (at.gap < best) {
            best = at.gap;
            *where = mid;
            *out = at;
        }
        if (at.gap < -s->touch || fabs(at.rate) * (hi - lo) <= 0.25 * s->touch) { /* below 0 for sure, or no more to gain */
            break;
        }
        *(at.rate < 0.0 ? &lo : &hi) = mid;
    }
    return ZW_OK;
}

static zw_status vanishing(const search *s, double h) {
    char subject[140], time[ZW_NUMBER_TEXT];
    snprintf(subject, sizeof subject, "constraint '%s'", zw_side_name(s->c->side[s->i]));
    return zw_model_raise(s->r->model, ZW_E_MODEL, zw_side_where(s->c->side[s->i]), subject,
                          "write f so that it changes its sign with a slope, a distance for example and not its square",
                          "the gradient of f vanishes at the contact at t = %s s: there is no direction to push in",
                          zw_number_short(s->x0->t + h, 8, time));
}

/* a least gap of 0: touching in passing, unless the gradient is gone */
static zw_status grazes(const search *s, double h, const zw_side_look *at) {
    zw_contacts *c = s->c;
    double       now = at->slope, most = 0.0;
    for (int k = 0; k <= 4; k++) {
        zw_side_look there;
        ZW_TRY(real_at(s, 0.25 * k * s->h, &there));
        most = fmax(most, there.slope);
    }
    return fabs(at->gap) <= s->touch && now <= 1e-6 * most && c->memory[s->i].scale > 0.0 ? vanishing(s, h) : ZW_OK;
}

static zw_interval both(zw_interval a, zw_interval b) {
    return (zw_interval){fmax(a.lo, b.lo), fmin(a.hi, b.hi)};
}

/* m + d [-w, w], rounded outwards */
static zw_interval around(zw_interval m, zw_interval d, double w) {
    double most = fmax(fabs(d.lo), fabs(d.hi)) * w * (1.0 + 4.0 * DBL_EPSILON);
    return (zw_interval){m.lo - most - DBL_EPSILON * fabs(m.lo), m.hi + most + DBL_EPSILON * fabs(m.hi)};
}

/* g, g', g'' over [a, b]: directly, and by the mean value from the middle, which is sharper where the box is small */
static void enclose(search *s, double a, double b, zw_interval *gap, zw_interval *rate, zw_interval *bend) {
    zw_contacts *c = s->c;
    zw_side     *side = c->side[s->i];
    zw_interval  gap_mid, rate_mid, again;
    double       half = 0.5 * (b - a) * s->h;
    boxes(s, a, b);
    rates_of_positions(s);
    zw_side_enclose(side, c->box, gap, rate);
    zw_side_enclose_bend(side, c->box, c->dbox, &again, bend);
    polynomial_at(s, 0.5 * (a + b), c->z);
    for (int k = 0, nz = zw_side_inputs(side); k < nz; k++) {
        double wide = c->slack[k] + 8.0 * DBL_EPSILON * fabs(c->z[k]);
        c->box[k] = (zw_interval){c->z[k] - wide, c->z[k] + wide};
    }
    zw_side_enclose(side, c->box, &gap_mid, &rate_mid);
    *rate = both(*rate, around(rate_mid, *bend, half));
    *gap = both(*gap, around(gap_mid, *rate, half));
}

typedef enum verdict { NONE, ROOT, SPLIT } verdict;

/* gap of the motion at theta, as far as the polynomial knows it */
static zw_interval known_at(const search *s, double theta) {
    zw_contacts *c = s->c;
    zw_interval  gap, rate;
    polynomial_at(s, theta, c->z);
    for (int k = 0, nz = zw_side_inputs(c->side[s->i]); k < nz; k++) {
        double wide = c->slack[k] + 8.0 * DBL_EPSILON * fabs(c->z[k]);
        c->box[k] = (zw_interval){c->z[k] - wide, c->z[k] + wide};
    }
    zw_side_enclose(c->side[s->i], c->box, &gap, &rate);
    return gap;
}

/* the feature is far from where its gap closes in [a, b]: no step is needed to see that */
static bool closes_outside(const search *s, double a, double b) {
    const zw_run *r = s->r;
    zw_contacts  *c = s->c;
    zw_side      *side = c->side[s->i];
    double        margin, speed;
    if (!side->partly || side->kind->margin == NULL) {
        return false;
    }
    for (int k = 0; k < 50 && b - a > 1e-14; k++) {
        double gap, rate, mid = 0.5 * (a + b);
        polynomial_at(s, mid, c->z);
        zw_side_eval(side, c->z, &gap, &rate);
        *(gap > 0.0 || rate > 0.0 ? &a : &b) = mid;
    }
    r->ops->between(r->integrator, s->x0, s->x1, b, &c->sample);
    c->sample.t = s->x0->t + b * s->h;
    side->kind->margin(side, r->system, &c->sample, &margin, &speed);
    return margin < -1e-3 * speed * s->h;
}

/* the least gap of a convex part, on the polynomial: its place */
static double least_known(const search *s, double a, double b) {
    zw_contacts *c = s->c;
    for (int k = 0; k < 50; k++) {
        double gap, rate, mid = 0.5 * (a + b);
        polynomial_at(s, mid, c->z);
        zw_side_eval(c->side[s->i], c->z, &gap, &rate);
        *(rate < 0.0 ? &a : &b) = mid;
    }
    return 0.5 * (a + b);
}

static zw_status root(search *s, double lo, double hi, verdict *v, double *h) {
    bool yes = true;
    if (closes_outside(s, lo / s->h, hi / s->h)) {
        *v = NONE;
        return ZW_OK;
    }
    ZW_TRY(solve(s, lo, hi, h));
    ZW_TRY(*h >= 0.0 ? is_contact(s, *h, &yes) : ZW_OK);
    yes = yes && *h >= 0.0;
    *v = yes ? ROOT : NONE; /* below 0, and until it is above again there is no other */
    return ZW_OK;
}

/* the feature is left, or not there yet, all over [a, b] */
static bool is_outside(const search *s, double a, double b) {
    const zw_run *r = s->r;
    zw_contacts  *c = s->c;
    zw_side      *side = c->side[s->i];
    double        margin, speed;
    if (!side->partly || side->kind->margin == NULL) {
        return false;
    }
    r->ops->between(r->integrator, s->x0, s->x1, 0.5 * (a + b), &c->sample);
    c->sample.t = s->x0->t + 0.5 * (a + b) * s->h;
    side->kind->margin(side, r->system, &c->sample, &margin, &speed);
    return margin + speed * (b - a) * s->h < 0.0; /* twice what it can be at this speed */
}

/* so short a part of a gap that does not move: whether it is a contact decides */
static bool is_idle(const search *s, double a, double b) {
    const zw_run *r = s->r;
    zw_contacts  *c = s->c;
    zw_side_look  at;
    if (!c->side[s->i]->partly) {
        return false;
    }
    r->ops->between(r->integrator, s->x0, s->x1, 0.5 * (a + b), &c->sample);
    c->sample.t = s->x0->t + 0.5 * (a + b) * s->h;
    return zw_side_at(c->side[s->i], r->system, &c->sample, &at) == ZW_OK && at.gap == INFINITY;
}

static zw_status judge(search *s, double a, double b, verdict *v, double *h) {
    zw_contacts *c = s->c;
    zw_interval  gap, rate, bend;
    zw_side_look at;
    double       lo = a * s->h, hi = b * s->h;
    *v = NONE;
    if (s->real && is_outside(s, a, b)) {
        return ZW_OK;
    }
    if (!s->real) {
        boxes(s, a, b);
        zw_side_enclose(c->side[s->i], c->box, &gap, &rate);
    } else {
        enclose(s, a, b, &gap, &rate, &bend);
    }
    bool partly = c->side[s->i]->partly;
    if (gap.lo > 0.0 || (partly && gap.hi < 0.0) || (gap.lo >= -s->touch && gap.hi <= s->touch && rate.hi >= 0.0)) {
        return ZW_OK;
    }
    if (!s->real) { /* only a first look */
        *v = SPLIT;
        return ZW_OK;
    }
    if (rate.lo > 0.0) {
        return ZW_OK;
    }
    if (partly && (rate.hi < 0.0 || bend.lo > 0.0) && known_at(s, a).hi < -s->touch) {
        return ZW_OK; /* below already */
    }
    if (partly && rate.hi < 0.0 && known_at(s, b).lo > 0.0) {
        return ZW_OK;
    }
    if (partly && bend.lo > 0.0 && known_at(s, least_known(s, a, b)).lo > s->touch) {
        return ZW_OK;
    }
    if (rate.hi < 0.0 || bend.hi < 0.0) {
        if (closes_outside(s, a, b)) {
            return ZW_OK;
        }
        ZW_TRY(real_at(s, hi, &at));
        if (!(at.gap < 0.0 && at.rate < 0.0)) {
            return ZW_OK;
        }
        if (partly) { /* only a way down from above counts */
            ZW_TRY(real_at(s, lo, &at));
            if (at.gap < -s->touch) {
                *v = rate.hi < 0.0 ? NONE : SPLIT;
                return ZW_OK;
            }
        }
        return root(s, lo, hi, v, h);
    }
    if (bend.lo > 0.0) {
        double where;
        if (partly) {
            ZW_TRY(real_at(s, lo, &at));
            if (at.gap < -s->touch) {
                return ZW_OK;
            }
        }
        if (closes_outside(s, a, least_known(s, a, b))) {
            return ZW_OK;
        }
        ZW_TRY(least(s, lo, hi, &where, &at));
        if (at.gap < -s->touch) {
            return root(s, lo, where, v, h);
        }
        return at.gap <= s->touch ? grazes(s, where, &at) : ZW_OK;
    }
    *v = SPLIT;
    return ZW_OK;
}

/* parts of [a, b] from left to right */
static zw_status descend(search *s, double a, double b, int depth, double *h) {
    verdict v;
    *h = -1.0;
    ZW_TRY(judge(s, a, b, &v, h));
    if (v != SPLIT) {
        *h = v == ROOT ? *h : -1.0;
        return ZW_OK;
    }
    if (s->real && depth >= 10 && is_idle(s, a, b)) {
        *h = -1.0;
        return ZW_OK;
    }
    if (!s->real || depth == DEEPEST || s->judged++ > MOST) {
        s->undecided = true;
        *h = -1.0;
        return ZW_OK;
    }
    double mid = 0.5 * (a + b);
    ZW_TRY(descend(s, a, mid, depth + 1, h));
    if (*h >= 0.0 || s->undecided) {
        return ZW_OK;
    }
    return descend(s, mid, b, depth + 1, h);
}

/* what counts of both halves of the step */
static zw_status descend_both(search *s, double *h) {
    *h = -1.0;
    for (int half = 0; half < 2 && *h < 0.0 && !s->undecided; half++) {
        double a = fmax(0.5 * half, s->from), b = fmin(0.5 * half + 0.5, s->until);
        if (a < b) {
            ZW_TRY(descend(s, a, b, 0, h));
        }
    }
    return ZW_OK;
}

/* control points of the inputs of a side, and how far they may be off before that was measured */
static zw_status sample(search *s) {
    zw_run      *r = s->r;
    zw_contacts *c = s->c;
    zw_side     *side = c->side[s->i];
    int          nz = zw_side_inputs(side), nu = zw_side_positions(side);
    double      *values = c->check; /* [SAMPLES nz] */
    for (int k = 0; k < SAMPLES; k++) {
        zw_side_read(side, r->system, c->path_of[k], values + (ptrdiff_t)k * nz);
        zw_path_align(side, values + (ptrdiff_t)(k > 0 ? k - 1 : 0) * nz, values + (ptrdiff_t)k * nz);
    }
    for (int i = 0; i < nz; i++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int half = 0; half < 2; half++) {
            double f[CONTROLS];
            for (int k = 0; k < CONTROLS; k++) {
                f[k] = values[(ptrdiff_t)(ZW_PATH_ORDER * half + k) * nz + i];
                lo = fmin(lo, f[k]);
                hi = fmax(hi, f[k]);
            }
            zw_path_controls(f, c->path + (size_t)CONTROLS * (2 * (size_t)i + (size_t)half));
        }
        c->slack[i] = 0.02 * (hi - lo);
    }
    for (int i = 0; i < nu && nz == 2 * nu + 1; i++) { /* few stages bend less than the motion */
        c->slack[i] += 0.25 * s->h * fabs(values[(ptrdiff_t)(SAMPLES - 1) * nz + nu + i] - values[nu + i]);
    }
    for (int i = 0; i < nz && nz != 2 * nu + 1 && r->model->run.stages > 0 && r->model->run.stages < 3; i++) {
        c->slack[i] = INFINITY; /* nothing is known about it before it is measured */
    }
    c->slack[nz - 1] = 0.0;
    return ZW_OK;
}

/* how far the polynomial really is from the motion: four times what is seen in the middle of each half, where it is largest */
static zw_status measure(search *s) {
    zw_contacts *c = s->c;
    zw_side     *side = c->side[s->i];
    int          nz = zw_side_inputs(side);
    memset(c->slack, 0, sizeof(double) * (size_t)nz);
    ZW_TRY(zw_contacts_measure(s->r, s->x0, s->h));
    for (int half = 0; half < 2; half++) {
        double theta = 0.25 + 0.5 * half;
        polynomial_at(s, theta, c->z);
        zw_side_read(side, s->r->system, &c->real[half], c->check);
        zw_path_align(side, c->z, c->check);
        for (int i = 0; i + 1 < nz; i++) {
            c->slack[i] = fmax(c->slack[i], 4.0 * fabs(c->check[i] - c->z[i]));
        }
    }
    for (int k = 0; k < SAMPLES - 1 && side->kind->timed != NULL; k++) { /* what time alone moves is compared between the states */
        zw_state x = *c->path_of[k];
        double   theta = (k + 0.5) / (SAMPLES - 1);
        x.t = s->x0->t + theta * s->h;
        polynomial_at(s, theta, c->z);
        zw_side_read(side, s->r->system, &x, c->check);
        zw_path_align(side, c->z, c->check);
        for (int i = 0; i + 1 < nz; i++) {
            c->slack[i] = side->kind->timed(side, i) ? fmax(c->slack[i], 4.0 * fabs(c->check[i] - c->z[i])) : c->slack[i];
        }
    }
    return ZW_OK;
}

/* an angle is known within half a turn of its value at x0 only */
static bool turns_too_far(const search *s) {
    const zw_side *side = s->c->side[s->i];
    double         fastest = 0.0;
    for (int k = 0; k < SAMPLES && side->kind->angle != NULL; k++) {
        fastest = fmax(fastest, fabs(s->c->check[(ptrdiff_t)k * side->inputs + side->positions]));
    }
    return !(fastest * s->h <= 2.0);
}

/* outside of its feature in all eighths of the step */
static bool never_there(const search *s) {
    zw_contacts *c = s->c;
    zw_side     *side = c->side[s->i];
    if (!side->partly || side->kind->margin == NULL) {
        return false;
    }
    for (int k = 0; k < SAMPLES; k++) {
        double margin, speed;
        side->kind->margin(side, s->r->system, c->path_of[k], &margin, &speed);
        if (!(margin + speed * s->h / (SAMPLES - 1) < 0.0)) { /* twice what half of it can be at this speed */
            return false;
        }
    }
    return true;
}

static zw_status search_side(search *s, double *h) {
    zw_contacts *c = s->c;
    zw_side_look at;
    *h = -1.0;
    ZW_TRY(zw_side_at(c->side[s->i], s->r->system, s->x0, &at));
    s->touch = zw_contacts_touch(c, s->i, &at);
    if (at.gap <= s->touch && at.rate < 0.0 && !zw_contacts_still(c, s->i, &at)) { /* it is there and coming on */
        *h = 0.0;
        return ZW_OK;
    }
    if (never_there(s)) {
        return ZW_OK;
    }
    ZW_TRY(sample(s));
    if (turns_too_far(s)) {
        s->undecided = true;
        return ZW_OK;
    }
    s->real = false;
    ZW_TRY(descend_both(s, h));
    if (!s->undecided) { /* far away: the usual case */
        return ZW_OK;
    }
    s->undecided = false;
    s->real = true;
    ZW_TRY(measure(s));
    return descend_both(s, h);
}

/* A feature that is far from closing in the short part of the step that counts, at twice the speed that it has: by the state at the begin of that part, which is
 * made once for the sides of a pair */
static zw_status is_far(search *s, int *sampled, bool *far) {
    zw_contacts *c = s->c;
    zw_side     *side = c->side[s->i];
    zw_side_look at;
    *far = false;
    if (side->pair < 0 || !(s->from > 0.0) || s->until - s->from > 1e-3) {
        return ZW_OK;
    }
    if (*sampled != side->pair) {
        s->r->ops->between(s->r->integrator, s->x0, s->x1, s->from, &c->trial);
        c->trial.t = s->x0->t + s->from * s->h;
        *sampled = side->pair;
    }
    ZW_TRY(zw_side_raw(side, s->r->system, &c->trial, &at));
    double most = 2.0 * at.rate_size * (s->until - s->from) * s->h + 1e-5 * at.size;
    *far = isfinite(at.gap) && (at.gap > most || at.gap < -most);
    return ZW_OK;
}

/* all sides, as far as `until` of the step */
static zw_status search_all(zw_run *r, const zw_state *x0, const zw_state *x1, double until, double *h, bool *undecided) {
    zw_contacts *c = r->contacts;
    int          sampled = -1;
    for (int i = 0; i < c->n; i++) {
        bool   far;
        double found;
        search s = {.r = r, .c = c, .x0 = x0, .x1 = x1, .h = x1->t - x0->t, .i = i};
        s.until = *h >= 0.0 ? fmin(*h / s.h, until) : until; /* only the first root counts */
        s.from = c->side[i]->pair >= 0 ? c->near_from[c->side[i]->pair] : 0.0;
        if (c->memory[i].held || c->memory[i + c->side[i]->twin].held ||
            (c->side[i]->pair >= 0 && (!c->near[c->side[i]->pair] || s.from > s.until))) {
            continue;
        }
        ZW_TRY(is_far(&s, &sampled, &far));
        if (far) {
            continue;
        }
        sampled = -1; /* its place is needed */
        ZW_TRY(search_side(&s, &found));
        if (s.undecided) {
            *undecided = true;
            c->lost = i;
        }
        if (found >= 0.0 && (*h < 0.0 || found < *h)) {
            *h = found;
        }
    }
    return ZW_OK;
}

zw_status zw_contacts_locate(zw_run *r, const zw_state *x0, const zw_state *x1, double *h, bool *undecided) {
    zw_contacts *c = r->contacts;
    *h = -1.0;
    *undecided = false;
    ZW_TRY(zw_contacts_follow(r, x0, x1));
    ZW_TRY(zw_contacts_find_near(r, x0, x1->t - x0->t));
    ZW_TRY(search_all(r, x0, x1, c->surely, h, undecided)); /* forms overlap by then: something closes before */
    if (*h < 0.0 && !*undecided && c->surely < 1.0) {
        ZW_TRY(search_all(r, x0, x1, 1.0, h, undecided));
    }
    return ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * path_locate.c: limit points and bifurcations between two neighbours on a path.
 *
 *   limit         dp/ds = 0: a root search along the arc; the stiffness has an eigenvalue 0 there whose direction is that of the path
 *   bifurcation   mu = 0 while dp/ds is not: a bracket by the number of eigenvalues below 0, narrowed by the mu nearest to 0 (neutral.h)
 * Several in one step are taken apart; those that stay together have a multiplicity. */
#include "steps/neutral.h"
#include "analysis/path_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCH = 60, DEPTH = 40 };

typedef struct look {
    double at, p, tp, mu; /* at: value or arc length */
    int    below;
} look;

typedef struct span {
    zw_path_walk        *w;
    const zw_path_place *from;
    bool                 by_value;
    double               width; /* of the step */
} span;

/* the place at one value or length, in w->work; ZW_E_STEP: not found there */
static zw_status look_at(const span *s, double at, bool tangent, look *out) {
    zw_path_walk *w = s->w;
    int           rounds;
    ZW_TRY(s->by_value ? zw_path_fixed(w, s->from, at, &w->work, &rounds) : zw_path_arc(w, s->from, at, &w->work, &rounds));
    *out = (look){.at = at, .p = w->work.p, .below = w->work.below, .tp = NAN};
    out->mu = zw_neutral_mode(&w->rest, 5, w->mode);
    if (tangent) {
        ZW_TRY(zw_path_tangent(w, &w->work, s->from));
        out->tp = w->work.tp;
    }
    return ZW_OK;
}

/* where the very place cannot be had, one beside it */
static zw_status look_near(const span *s, double at, double lo, double hi, bool tangent, look *out) {
    zw_status status = look_at(s, at, tangent, out);
    for (int i = 0; i < 3 && status == ZW_E_STEP; i++) {
        static const double beside[] = {0.01, -0.013, 0.07};
        status = look_at(s, at + beside[i] * (hi - lo), tangent, out);
    }
    return status;
}

static zw_status tell(const span *s, zw_path_kind kind, double p, int multiplicity, bool maximum) {
    zw_path_walk   *w = s->w;
    zw_path_special told = {.kind = kind, .branch = w->branch, .multiplicity = multiplicity, .parameter = p, .maximum = maximum};
    *(kind == ZW_PATH_LIMIT ? &w->info->limits : &w->info->bifurcations) += 1;
    return w->def->special(w->def->self, &told);
}

static zw_status limit(const span *s, look lo, look hi) {
    zw_path_walk *w = s->w;
    double        a = lo.at, fa = lo.tp, b = hi.at, fb = hi.tp, last = NAN;
    look          mid = lo;
    bool          found = false;
    for (int i = 0; i < SEARCH; i++) {
        double at = a - fa * (b - a) / (fb - fa);
        if (!(at > fmin(a, b) && at < fmax(a, b))) {
            at = 0.5 * (a + b);
        }
        zw_status status = look_near(s, at, a, b, true, &mid);
        if (status == ZW_E_STEP) {
            break;
        }
        ZW_TRY(status);
        found = true;
        bool still = fabs(mid.p - last) <= 1e-13 * fmax(w->P, fabs(mid.p));
        last = mid.p;
        if (still || fabs(mid.tp) < 1e-9 || fabs(b - a) <= 1e-10 * s->width) {
            break;
        }
        if ((mid.tp > 0.0) == (fa > 0.0)) { /* Illinois: the end that stays counts half */
            a = mid.at;
            fa = mid.tp;
            fb *= 0.5;
        } else {
            b = mid.at;
            fb = mid.tp;
            fa *= 0.5;
        }
    }
    if (!found) {
        return tell(s, ZW_PATH_LIMIT, 0.5 * (lo.p + hi.p), 1, lo.tp > 0.0);
    }
    ZW_TRY(tell(s, ZW_PATH_LIMIT, mid.p, 1, lo.tp > 0.0));
    w->work.below = lo.below < hi.below ? lo.below : hi.below; /* between the two: it is at the edge */
    return zw_path_tell(w, &w->work);
}

/* the place is in w->work, its factor at hand */
static zw_status save(const span *s, int n) {
    zw_path_walk *w = s->w;
    if (w->branch > 0 || w->nsaved >= w->def->branches || w->nsaved >= ZW_PATH_SAVED || n < 1) {
        return ZW_OK;
    }
    n = n < ZW_PATH_MULTIPLE ? n : ZW_PATH_MULTIPLE;
    zw_path_saved *to = &w->saved[w->nsaved];
    ZW_TRY(zw_path_place_create(w, &to->at));
    w->nsaved++;
    to->phi = zw_alloc(w->c, (size_t)n * (size_t)w->rest.nz + 1, sizeof(double), "a branch");
    if (to->phi == NULL) {
        return ZW_E_MEMORY;
    }
    to->n = n;
    zw_neutral_modes(&w->rest, n, 12, to->phi);
    ZW_TRY(zw_path_tangent(w, &w->work, s->from));
    zw_path_place_copy(w, &w->work, &to->at);
    return ZW_OK;
}

static zw_status refine(const span *s, look lo, look hi, int depth);

static zw_status bifurcation(const span *s, look lo, look hi, int depth) {
    const look    first = lo, last = hi;
    zw_path_walk *w = s->w;
    look          mid = lo;
    double        mu0 = fmax(fabs(lo.mu), fabs(hi.mu)), fa = lo.mu, fb = hi.mu;
    bool          found = false;
    for (int i = 0; i < SEARCH; i++) {
        bool   cross = isfinite(fa) && isfinite(fb) && (fa > 0.0) != (fb > 0.0) && i > 0;
        double at = cross ? lo.at - fa * (hi.at - lo.at) / (fb - fa) : 0.5 * (lo.at + hi.at);
        if (i % 4 == 3 || !(at > fmin(lo.at, hi.at) && at < fmax(lo.at, hi.at))) {
            at = 0.5 * (lo.at + hi.at);
        }
        zw_status status = look_near(s, at, lo.at, hi.at, false, &mid);
        if (status == ZW_E_STEP) {
            break;
        }
        ZW_TRY(status);
        found = true;
        mu0 = i < 3 ? fmax(mu0, fabs(mid.mu)) : mu0;
        mid.tp = first.tp;                                    /* it does not turn in here */
        if (mid.below != lo.below && mid.below != hi.below) { /* at least two */
            ZW_TRY(refine(s, first, mid, depth + 1));
            return refine(s, mid, last, depth + 1);
        }
        if (fabs(mid.mu) <= 1e-11 * mu0 || fabs(hi.p - lo.p) <= 2e-10 * fmax(fabs(mid.p), 1e-3 * w->P)) {
            break;
        }
        if (mid.below == lo.below) {
            lo = mid;
            fb *= cross && i > 1 ? 0.5 : 1.0;
            fa = mid.mu;
        } else {
            hi = mid;
            fa *= cross && i > 1 ? 0.5 : 1.0;
            fb = mid.mu;
        }
    }
    if (!found) {
        return tell(s, ZW_PATH_BIFURCATION, 0.5 * (lo.p + hi.p), abs(hi.below - lo.below), false);
    }
    /* how many eigenvalues go through 0 right here */
    double    aside = 1e-5 * (last.at - first.at);
    look      before, after, here = mid;
    zw_status left = look_at(s, here.at - aside, false, &before), right = look_at(s, here.at + aside, false, &after);
    bool      told = left == ZW_OK && right == ZW_OK;
    int       n = told ? abs(after.below - before.below) : abs(last.below - first.below);
    if (left != ZW_OK && left != ZW_E_STEP) {
        return left;
    }
    if (right != ZW_OK && right != ZW_E_STEP) {
        return right;
    }
    before.tp = after.tp = first.tp;
    if (w->rest.meets && fabs(here.mu) > 1e-5 * mu0) { /* a contact that opens or closes: the stiffness jumps over 0 */
        return ZW_OK;
    }
    bool split = told && (before.below != first.below || after.below != last.below) && depth < DEPTH;
    if (split && (here.at - aside - first.at) * aside > 0.0 && before.below != first.below) {
        ZW_TRY(refine(s, first, before, depth + 1));
    }
    if (n > 0) {
        zw_status status = look_at(s, here.at, false, &mid);
        ZW_TRY(tell(s, ZW_PATH_BIFURCATION, here.p, n, false));
        if (status == ZW_OK) {
            status = save(s, n);
        }
        if (status != ZW_OK && status != ZW_E_STEP) {
            return status;
        }
    }
    if (split && after.below != last.below) {
        return refine(s, after, last, depth + 1);
    }
    return ZW_OK;
}

static zw_status refine(const span *s, look lo, look hi, int depth) {
    bool turns = (lo.tp > 0.0) != (hi.tp > 0.0);
    int  more = abs(hi.below - lo.below);
    if (more == 0 && !turns) {
        return ZW_OK;
    }
    if (turns && (more == 1 || depth >= DEPTH)) {
        return limit(s, lo, hi);
    }
    if (!turns) {
        return bifurcation(s, lo, hi, depth);
    }
    look      mid;
    zw_status status = look_near(s, 0.5 * (lo.at + hi.at), lo.at, hi.at, true, &mid);
    if (status == ZW_E_STEP) {
        return limit(s, lo, hi);
    }
    ZW_TRY(status);
    ZW_TRY(refine(s, lo, mid, depth + 1));
    return refine(s, mid, hi, depth + 1);
}

zw_status zw_path_locate(zw_path_walk *w, const zw_path_place *a, const zw_path_place *b, double arc, bool by_value) {
    span s = {.w = w, .from = a, .by_value = by_value, .width = arc};
    /* an arc that turned no way may be looked at by values too, which is cheaper */
    if (!by_value && (a->tp > 0.0) == (b->tp > 0.0) && fabs(a->tp) > 0.05 && fabs(b->tp) > 0.05) {
        s.by_value = true;
    }
    look lo = {.at = s.by_value ? a->p : 0.0, .p = a->p, .tp = a->tp, .below = a->below, .mu = NAN};
    look hi = {.at = s.by_value ? b->p : arc, .p = b->p, .tp = b->tp, .below = b->below, .mu = NAN};
    memset(w->mode, 0, sizeof(double) * (size_t)w->rest.nz);
    return refine(&s, lo, hi, 0);
}

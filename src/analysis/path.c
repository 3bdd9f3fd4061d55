/* SPDX-License-Identifier: Apache-2.0
 * path.c: points, tangents and steps; see path.h. The model is read again for each value (vary.h), so values are chosen sparingly: dR/dp is a
 * central difference at points only, and corrections along the arc keep that of the last point. */
#include "analysis/path_walk.h"

#include "steps/equilibrium_contact.h"
#include "steps/neutral.h"
#include "base/number.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CORRECTIONS = 14, STEPS_MORE = 2000, STEPS_PER_POINT = 200, STEPS_OF_BRANCH = 200 };
#define LONGEST    1.5 /* step in the measure of rest.h */
#define SHORTEST   1e-8
#define STEEP      0.02 /* dp/ds below which values are not aimed at */
#define BEND       0.8  /* cosine between the tangents of two neighbours */
#define MOST_SCALE 100.0
#define NEAR       1e-5 /* of P: for differences */

zw_status zw_path_place_create(zw_path_walk *w, zw_path_place *out) {
    size_t nz = (size_t)w->rest.room;
    *out = (zw_path_place){0};
    ZW_TRY(zw_state_create(w->c, &w->v.k.n, &out->x));
    out->z = zw_alloc(w->c, 3 * nz + 1, sizeof(double), "a path");
    if (out->z == NULL) {
        return ZW_E_MEMORY;
    }
    out->t = out->z + nz;
    out->slope = out->t + nz;
    return zw_rest_pushes_create(&w->rest, &out->pushes);
}

void zw_path_place_destroy(zw_path_walk *w, zw_path_place *p) {
    zw_state_destroy(w->c, &p->x);
    zw_free(w->c, p->z);
    if (p->pushes.id != NULL) {
        zw_rest_pushes_destroy(&w->rest, &p->pushes);
    }
    *p = (zw_path_place){0};
}

void zw_path_place_copy(const zw_path_walk *w, const zw_path_place *from, zw_path_place *to) {
    zw_path_place kept = *to;
    *to = *from;
    to->x = kept.x;
    to->z = kept.z;
    to->t = kept.t;
    to->slope = kept.slope;
    to->pushes = kept.pushes;
    zw_rest_pushes_copy(&from->pushes, &to->pushes);
    zw_state_copy(&w->v.k.n, &from->x, &to->x);
    memcpy(to->z, from->z, 3 * sizeof(double) * (size_t)w->rest.room);
}

/* the system at another value; forces of rows are kept. ZW_E_STEP with the errors raised: the model cannot have it */
static zw_status set(zw_path_walk *w, double p) {
    zw_rest *s = &w->rest;
    if (w->v.value == p || w->v.parameter == NULL) {
        return ZW_OK;
    }
    memcpy(w->b, s->k->z, sizeof(double) * (size_t)s->nz);
    if (s->meets && !s->recall) {
        zw_rest_pushes_keep(s, &s->kept);
        s->recall = true;
    }
    s->k = NULL; /* it goes */
    zw_status status = zw_vary_set(&w->v, p);
    w->info->rebuilt++;
    ZW_TRY(zw_rest_use(s, &w->v.k));
    memcpy(s->k->z, w->b, sizeof(double) * (size_t)s->nz);
    return status == ZW_E_MEMORY || status == ZW_E_CANCELLED ? status : status != ZW_OK ? ZW_E_STEP : ZW_OK;
}

/* where the factor, the number below 0 and the residual are those of this very place */
static zw_status settle(zw_path_walk *w, zw_path_place *at) {
    zw_rest *s = &w->rest;
    int      where;
    ZW_TRY(zw_rest_look(s, &at->x, true));
    at->lopsided = s->asymmetry > (s->meets ? 1e-6 : 1e-12); /* how pushes turn is known by differences */
    w->info->lopsided = w->info->lopsided || at->lopsided;
    bool regular = zw_rest_factor(s, &at->below);
    if (at->lopsided) {
        at->below = zw_blocklu_sign(&s->k->lu) > 0 ? 0 : 1;
    }
    zw_rest_left(s, &at->residual, &at->rows, &where);
    memcpy(at->z, s->k->z, sizeof(double) * (size_t)s->nz);
    zw_rest_pushes_keep(s, &at->pushes);
    return regular ? ZW_OK : ZW_E_STEP;
}

/* R at a value nearby, the state kept; false: the model cannot have that value */
static zw_status residual_near(zw_path_walk *w, const zw_path_place *at, double p, double *out, bool *there) {
    zw_status status = zw_vary_set(&w->near, p);
    w->info->rebuilt++;
    *there = status == ZW_OK;
    if (status == ZW_E_MEMORY) {
        return status;
    }
    if (status != ZW_OK) {
        return ZW_OK;
    }
    memcpy(w->near.k.z, at->z, sizeof(double) * (size_t)w->rest.nz);
    ZW_TRY(zw_implicit_equilibrium(&w->near.k, &at->x, false));
    memcpy(out, w->near.k.r, sizeof(double) * (size_t)w->rest.nz);
    return ZW_OK;
}

/* dR/d(p/P) of a place, its forces in at->z */
static zw_status slope(zw_path_walk *w, zw_path_place *at) {
    double h = NEAR * w->P, reach = 2.0;
    bool   up, down;
    ZW_TRY(residual_near(w, at, at->p + h, w->a, &up));
    ZW_TRY(residual_near(w, at, at->p - h, w->b, &down));
    if (!up || !down) {
        bool there;
        ZW_TRY(residual_near(w, at, at->p, up ? w->b : w->a, &there));
        if (!there || (!up && !down)) {
            char number[ZW_NUMBER_TEXT];
            return zw_raise(w->c, ZW_E_MODEL, w->v.parameter, "vary a parameter that can be changed a little both ways",
                            "the model cannot be made at values near %s", zw_number_short(at->p, 6, number));
        }
        reach = 1.0;
        zw_error_clear(w->c); /* one side is enough */
    }
    for (int i = 0; i < w->rest.nz; i++) {
        at->slope[i] = (w->a[i] - w->b[i]) / (reach * NEAR);
    }
    return ZW_OK;
}

static zw_status begin_at(zw_path_walk *w, const zw_path_place *from, double p, double part, zw_path_place *out) {
    zw_rest *s = &w->rest;
    zw_state_copy(&w->v.k.n, &from->x, &out->x);
    memcpy(s->k->z, from->z, sizeof(double) * (size_t)s->nz);
    zw_rest_pushes_copy(&from->pushes, &s->kept);
    s->recall = s->meets;
    ZW_TRY(set(w, p));
    for (int i = 0; i < s->nz; i++) {
        s->k->dz[i] = part * from->t[i];
    }
    memset(s->k->dz + s->nz, 0, sizeof(double) * (size_t)(s->k->nz - s->nz));
    zw_rest_move(s, s->k->dz, 1.0, &out->x);
    out->p = p;
    return ZW_OK;
}

zw_status zw_path_fixed(zw_path_walk *w, const zw_path_place *from, double p, zw_path_place *out, int *rounds) {
    zw_equilibrium_info info;
    double              part = (p - from->p) / w->P / from->tp;
    ZW_TRY(begin_at(w, from, p, part, out));
    ZW_TRY(zw_equilibrium_near(&w->rest, &out->x, CORRECTIONS, &info));
    *rounds = info.rounds;
    out->s = from->s + part;
    return settle(w, out);
}

zw_status zw_path_arc(zw_path_walk *w, const zw_path_place *from, double s, zw_path_place *out, int *rounds) {
    zw_rest *r = &w->rest;
    size_t   bytes = sizeof(double) * (size_t)r->nz;
    double   last = HUGE_VAL;
    *rounds = 0;
    ZW_TRY(begin_at(w, from, from->p + s * from->tp * w->P, s, out));
    const double *by_p = from->slope;
    if (w->lively) {
        memcpy(out->z, r->k->z, bytes);
        ZW_TRY(slope(w, out));
        by_p = out->slope;
    }
    for (int round = 0; round < CORRECTIONS; round++) {
        zw_implicit *k = r->k;
        int          below;
        *rounds = round + 1;
        ZW_TRY(zw_rest_look(r, &out->x, true));
        bool roundoff = zw_rest_is_roundoff(r);
        if (!zw_rest_factor(r, &below)) {
            return ZW_E_STEP;
        }
        for (int i = 0; i < k->nz; i++) {
            w->a[i] = i < r->nz ? -by_p[i] : 0.0;
            k->dz[i] = -k->r[i];
        }
        zw_blocklu_solve(&k->lu, w->a);
        zw_blocklu_solve(&k->lu, k->dz);
        double dp = -zw_rest_product(r, from->t, k->dz) / (from->tp + zw_rest_product(r, from->t, w->a));
        for (int i = 0; i < k->nz; i++) {
            k->dz[i] += dp * w->a[i];
        }
        double change = fmax(zw_rest_change(r, k->dz), fabs(dp));
        if (!isfinite(change) || !isfinite(dp) || change > 1.0 || (round > 1 && change > 2.0 * last && !r->meets)) {
            return ZW_E_STEP;
        }
        zw_rest_move(r, k->dz, 1.0, &out->x);
        bool done = change <= 1e-13 || (change >= 0.3 * last && (change <= 1e-9 || (roundoff && change <= 1e-4)));
        if (fabs(dp) > 1e-16 * fmax(1.0, fabs(out->p) / w->P)) {
            out->p += dp * w->P;
            memcpy(out->z, k->z, bytes);
            ZW_TRY(set(w, out->p));
        }
        if (done) {
            out->s = from->s + s;
            return settle(w, out);
        }
        last = change;
    }
    return ZW_E_STEP;
}

double zw_path_along(const zw_path_walk *w, const zw_path_place *a, const zw_path_place *b) {
    return zw_rest_product(&w->rest, a->t, b->t) + a->tp * b->tp;
}

zw_status zw_path_tangent(zw_path_walk *w, zw_path_place *at, const zw_path_place *along) {
    double most = 0.0, moved = 0.0;
    ZW_TRY(slope(w, at));
    for (int i = 0; along != NULL && i < w->rest.nz; i++) { /* where dR/dp changes from place to place it is taken anew for corrections */
        most = fmax(most, fabs(at->slope[i]));
        moved = fmax(moved, fabs(at->slope[i] - along->slope[i]));
    }
    w->lively = moved > 0.01 * most;
    for (int i = 0; i < w->rest.k->nz; i++) {
        at->t[i] = i < w->rest.nz ? -at->slope[i] : 0.0;
    }
    zw_blocklu_solve(&w->rest.k->lu, at->t);
    double size = sqrt(zw_rest_product(&w->rest, at->t, at->t) + 1.0), way = 1.0;
    if (!isfinite(size)) {
        return ZW_E_STEP;
    }
    at->tp = 1.0 / size;
    for (int i = 0; i < w->rest.nz; i++) {
        at->t[i] /= size;
    }
    if (along != NULL ? zw_path_along(w, at, along) < 0.0 : w->def->to < w->def->from) {
        way = -1.0;
    }
    at->tp *= way;
    for (int i = 0; i < w->rest.nz; i++) {
        at->t[i] *= way;
    }
    return ZW_OK;
}

/* forces of redundant rows: those of least norm; which rows they are is said once */
static zw_status least_norm(zw_path_walk *w, const zw_state *x) {
    int row[8], n = 0;
    ZW_TRY(zw_implicit_least_norm(w->rest.k, x, w->lambda, row, 8, &n));
    for (int i = 0; i < n && i < 8 && !w->told_redundant; i++) {
        char name[160];
        zw_system_row_name(w->v.y, row[i], name, sizeof name);
        zw_log(w->c, ZW_LOG_WARNING, "%s follows from the other constraints: it is redundant; reactions are those of least norm", name);
    }
    w->told_redundant = w->told_redundant || n > 0;
    return ZW_OK;
}

zw_status zw_path_tell(zw_path_walk *w, zw_path_place *at) {
    memcpy(w->rest.k->z, at->z, sizeof(double) * (size_t)w->rest.nz);
    ZW_TRY(set(w, at->p));
    zw_rest_forces(&w->rest, at->z, w->lambda);
    ZW_TRY(least_norm(w, &at->x));
    zw_path_point told = {.branch = w->branch,
                          .parameter = w->v.parameter != NULL ? at->p : NAN,
                          .length = at->s,
                          .asked = at->asked,
                          .below = at->below,
                          .lopsided = at->lopsided,
                          .residual = at->residual,
                          .rows = at->rows,
                          .model = w->v.model != NULL ? w->v.model : w->v.given,
                          .system = w->v.y,
                          .x = &at->x,
                          .lambda = w->lambda};
    w->info->points++;
    if (w->branch == 0) {
        w->info->last = at->p;
    }
    return w->def->point(w->def->self, &told);
}

/* the next asked-for value in the direction of the path; NaN: there is none */
static double aim(const zw_path_walk *w, const zw_path_place *at) {
    const zw_path_def *d = w->def;
    double             way = at->tp > 0.0 ? 1.0 : -1.0, best = NAN;
    for (int i = 0; i < d->points; i++) {
        double value = i == d->points - 1 ? d->to : d->from + (d->to - d->from) * i / fmax(1.0, d->points - 1.0);
        if ((value - at->p) * way > 1e-9 * w->P && (isnan(best) || (value - best) * way < 0.0)) {
            best = value;
        }
    }
    return best;
}

static zw_status ran_out(zw_path_walk *w, const zw_path_place *at, double ds) {
    char   p[ZW_NUMBER_TEXT], f[ZW_NUMBER_TEXT], s[ZW_NUMBER_TEXT], where[200], remedy[280];
    double force, rows;
    int    worst;
    zw_rest_left(&w->rest, &force, &rows, &worst);
    zw_rest_name(&w->rest, worst, where, sizeof where);
    snprintf(
        remedy, sizeof remedy,
        "look at the last points: a link bent by half a turn, or a body pulled straight, ends a path; try more elements, or stop before at "
        "statics.to: %s; the path so far is kept",
        zw_number_short(at->p, 4, p));
    return zw_raise(
        w->c, ZW_E_CONVERGENCE, "statics", remedy,
        "the path runs out at %s = %s: Newton's method does not converge even for steps of %s; the largest force left, %s of its "
        "terms, is at %s",
        w->v.parameter, zw_number_short(at->p, 9, p), zw_number_short(ds, 2, s), zw_number_short(force, 2, f), where);
}

static zw_status too_long(zw_path_walk *w, const zw_path_place *at) {
    char p[ZW_NUMBER_TEXT], to[ZW_NUMBER_TEXT];
    return zw_raise(
        w->c, ZW_E_CONVERGENCE, "statics",
        "look at the report: a path that turns back does not reach every value; vary another parameter (a displacement instead of a load), or "
        "change statics.to; the path so far is kept",
        "the path does not come to %s = %s: after %d steps it is at %s", w->v.parameter, zw_number_short(w->def->to, 6, to), w->info->steps,
        zw_number_short(at->p, 6, p));
}

zw_status zw_path_settle(zw_path_walk *w, zw_path_place *at, bool free) {
    zw_rest *s = &w->rest;
    bool     loaded, many;
    int      n = s->nholds, hold[ZW_REST_HOLDS];
    ZW_TRY(set(w, at->p));
    memcpy(s->k->z, at->z, sizeof(double) * (size_t)s->nz);
    zw_rest_pushes_copy(&at->pushes, &s->kept);
    s->recall = s->meets;
    if (free) { /* as many as before: the same are held, so that tangents stay comparable */
        memcpy(hold, s->hold, sizeof hold);
        ZW_TRY(zw_neutral_hold(s, &at->x, w->mode, &loaded, &many));
        if (s->nholds == n) {
            memcpy(s->hold, hold, sizeof hold);
        }
    }
    return settle(w, at);
}

/* free directions may end along a path: what holds them is looked for anew */
static zw_status hold_again(zw_path_walk *w, zw_path_place *at) {
    return w->rest.nholds > 0 ? zw_path_settle(w, at, true) : ZW_OK;
}

/* one step from cur to next: 0 < *ds is what was tried; ZW_E_STEP: not found */
static zw_status step(zw_path_walk *w, double *ds, bool *by_value, double *arc, int *rounds, bool may_aim) {
    zw_path_place *from = &w->cur, *to = &w->next;
    double         value = aim(w, from), need = (value - from->p) / w->P / from->tp;
    *by_value = may_aim && fabs(from->tp) > STEEP && !isnan(value) && need <= 1.0001 * *ds;
    *arc = *by_value ? need : *ds;
    if (*by_value) {
        *ds = need;
        ZW_TRY(zw_path_fixed(w, from, value, to, rounds));
    } else {
        ZW_TRY(zw_path_arc(w, from, *ds, to, rounds));
    }
    ZW_TRY(hold_again(w, to));
    ZW_TRY(zw_path_tangent(w, to, from));
    if (zw_path_along(w, from, to) < BEND && *arc > 1e-3) {
        return ZW_E_STEP;
    }
    if (*by_value && (to->tp > 0.0) != (from->tp > 0.0)) { /* between them it turned twice, or it is another path */
        return ZW_E_STEP;
    }
    if (!*by_value && !isnan(value) && (value - from->p) * (value - to->p) < 0.0 && (to->tp > 0.0) == (from->tp > 0.0)) { /* over a value */
        zw_path_place_copy(w, to, &w->work);
        zw_status status = zw_path_fixed(w, from, value, to, rounds);
        status = status == ZW_OK ? hold_again(w, to) : status;
        status = status == ZW_OK ? zw_path_tangent(w, to, from) : status;
        if (status == ZW_OK && zw_path_along(w, from, to) >= BEND && (to->tp > 0.0) == (from->tp > 0.0)) {
            *by_value = true;
            *arc = need;
            return ZW_OK;
        }
        if (status != ZW_OK && status != ZW_E_STEP) {
            return status;
        }
        if (*arc > 1e-4) {
            return ZW_E_STEP;
        }
        zw_path_place_copy(w, &w->work, to);
    }
    return ZW_OK;
}

static bool arrived(const zw_path_walk *w, const zw_path_place *at, bool both) {
    double near = 1e-12 * w->P;
    return fabs(at->p - w->def->to) <= near || (both && fabs(at->p - w->def->from) <= near);
}

zw_status zw_path_go(zw_path_walk *w, double ds, bool every, bool both) {
    int  steps = 0, most = both ? STEPS_OF_BRANCH + 10 * w->def->points : STEPS_MORE + STEPS_PER_POINT * w->def->points;
    bool may_aim = true, turned = false;
    while (!arrived(w, &w->cur, both)) {
        bool   by_value;
        double arc, tried = ds;
        int    rounds = CORRECTIONS;
        if (zw_context_cancelled(w->c)) {
            return zw_raise(w->c, ZW_E_CANCELLED, "statics", NULL, "stopped on the path");
        }
        if (steps >= most || fabs(w->cur.p - 0.5 * (w->def->from + w->def->to)) > 20.0 * w->P) {
            return too_long(w, &w->cur);
        }
        zw_status status = step(w, &tried, &by_value, &arc, &rounds, may_aim);
        if (status == ZW_E_STEP) {
            ds = 0.5 * tried;
            may_aim = may_aim && ds > 1e-3;
            if (ds < SHORTEST) {
                return ran_out(w, &w->cur, ds);
            }
            zw_error_clear(w->c); /* a value that the model cannot have is tried no more */
            continue;
        }
        ZW_TRY(status);
        steps++;
        w->info->steps++;
        bool limit = (w->cur.tp > 0.0) != (w->next.tp > 0.0);
        turned = turned || limit;
        w->info->turned = w->info->turned || turned;
        if (w->cur.below != w->next.below || limit) {
            ZW_TRY(zw_path_locate(w, &w->cur, &w->next, arc, by_value));
        }
        zw_path_place_copy(w, &w->next, &w->cur);
        w->cur.asked = by_value;
        if (both && limit && steps > 5 &&
            fabs(w->cur.p - w->home) < 0.01 * w->P) { /* a branch that turns where it began has come back to the path */
            return zw_path_tell(w, &w->cur);
        }
        if (by_value || every || turned) {
            ZW_TRY(zw_path_tell(w, &w->cur));
        }
        may_aim = true;
        ds = fmin(fmin(LONGEST * w->rest.scale, 1.0 + 8.0 * tried), fmax(ds, tried) * (rounds <= 5 ? 2.0 : rounds <= 8 ? 1.2 : 0.7));
        if (turned && !by_value) { /* enough points for a picture of what is around a limit */
            ds = fmin(ds, 0.25);
        }
    }
    return ZW_OK;
}

/* ---- the whole */

/* Steps count turns and ways as much as the parameter: a path on which shapes change little over all of P is measured with a finer rule, so that a turn of it is seen */
static zw_status measure(zw_path_walk *w, zw_path_place *at) {
    ZW_TRY(zw_path_tangent(w, at, NULL));
    double size = sqrt(zw_rest_product(&w->rest, at->t, at->t)) / fabs(at->tp);
    if (size < 1.0) {
        zw_rest_scale(&w->rest, fmin(MOST_SCALE, 1.0 / fmax(size, 1e-30)));
        ZW_TRY(zw_path_tangent(w, at, NULL));
    }
    return ZW_OK;
}

static zw_status begin(zw_path_walk *w, const zw_model *m) {
    zw_state x = {0};
    size_t   nz, rows;
    ZW_TRY(zw_vary_create(m, w->def->parameter, &w->v));
    zw_status status = zw_state_create(w->c, &w->v.k.n, &x);
    if (status == ZW_OK && w->def->parameter != NULL && w->v.value != w->def->from) {
        status = zw_vary_set(&w->v, w->def->from);
    }
    status = status == ZW_OK ? zw_system_start(w->v.y, &x) : status;
    status = status == ZW_OK ? zw_rest_create(&w->v.k, &x, &w->rest) : status;
    status = status == ZW_OK ? zw_rest_check_start(&w->rest, &x) : status;
    if (status == ZW_OK && w->def->parameter != NULL) {
        status = zw_vary_create(m, w->def->parameter, &w->near);
    }
    zw_path_place *const place[] = {&w->cur, &w->next, &w->work, &w->lo, &w->hi};
    for (int i = 0; i < 5 && status == ZW_OK; i++) {
        status = zw_path_place_create(w, place[i]);
    }
    if (status == ZW_OK) {
        nz = (size_t)w->rest.room;
        rows = (size_t)w->rest.m;
        w->a = zw_alloc(w->c, 3 * nz + rows + 1, sizeof(double), "a path");
        if (w->a == NULL) {
            status = ZW_E_MEMORY;
        } else {
            w->b = w->a + nz;
            w->mode = w->b + nz;
            w->lambda = w->mode + nz;
            zw_state_copy(&w->v.k.n, &x, &w->cur.x);
        }
    }
    zw_state_destroy(w->c, &x);
    return status;
}

static zw_status first(zw_path_walk *w) {
    zw_equilibrium_info info;
    memset(w->rest.k->z, 0, sizeof(double) * (size_t)w->rest.nz);
    w->cur.p = w->v.parameter != NULL ? w->v.value : NAN;
    ZW_TRY(zw_equilibrium_search(&w->rest, &w->cur.x, &info));
    w->info->holds = info.holds;
    if (info.holds > 0) {
        bool loaded, many;
        int  holds = w->rest.nholds;
        w->rest.nholds = 0;
        ZW_TRY(zw_neutral_hold(&w->rest, &w->cur.x, w->mode, &loaded, &many));
        w->rest.nholds = 0; /* the first of them, to be told */
        w->rest.sigma = 1e-13 * w->rest.stiff;
        int below;
        memset(w->mode, 0, sizeof(double) * (size_t)w->rest.nz);
        ZW_TRY(zw_rest_look(&w->rest, &w->cur.x, true));
        if (zw_rest_factor(&w->rest, &below)) {
            zw_neutral_mode(&w->rest, 6, w->mode);
            zw_neutral_describe(&w->rest, w->mode, w->info->free_way, sizeof w->info->free_way);
        }
        w->rest.sigma = 0.0;
        w->rest.nholds = holds;
    }
    zw_status status = settle(w, &w->cur);
    w->cur.asked = true;
    return status == ZW_E_STEP ? ZW_OK : status;
}

zw_status zw_path_follow(const zw_model *m, const zw_path_def *def, zw_path_info *info) {
    zw_path_walk w = {.c = m->context, .def = def, .info = info};
    zw_status    status = ZW_OK;
    *info = (zw_path_info){0};
    w.P = def->parameter != NULL ? fabs(def->to - def->from) : 1.0;
    ZW_TRY_GOTO(begin(&w, m), done);
    ZW_TRY_GOTO(first(&w), done);
    ZW_TRY_GOTO(zw_path_tell(&w, &w.cur), done);
    if (def->parameter == NULL || def->from == def->to) {
        goto done;
    }
    status = measure(&w, &w.cur);
    if (status == ZW_E_STEP) {
        status = ran_out(&w, &w.cur, 0.0);
    }
    status = status == ZW_OK ? zw_path_go(&w, 0.3, false, false) : status;
    if (status == ZW_OK || (status != ZW_E_CANCELLED && status != ZW_E_MEMORY && status != ZW_E_IO)) {
        zw_status branches = zw_path_branches(&w);
        status = status == ZW_OK ? branches : status;
    }
done:
    for (int i = 0; i < w.nsaved; i++) {
        zw_path_place_destroy(&w, &w.saved[i].at);
        zw_free(w.c, w.saved[i].phi);
    }
    zw_path_place_destroy(&w, &w.cur);
    zw_path_place_destroy(&w, &w.next);
    zw_path_place_destroy(&w, &w.work);
    zw_path_place_destroy(&w, &w.lo);
    zw_path_place_destroy(&w, &w.hi);
    zw_free(w.c, w.a);
    zw_rest_destroy(&w.rest);
    zw_vary_destroy(&w.near);
    zw_vary_destroy(&w.v);
    return status;
}

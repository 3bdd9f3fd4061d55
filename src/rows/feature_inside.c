/* SPDX-License-Identifier: Apache-2.0
 * feature_inside.c: where the gap of a feature is that of its forms.
 *
 * The nearest points must lie inside the feature: the foot of a corner in the face or on the edge, the crossing of two edges on both. With a radius, also on the
 * side where no other feature is nearer. Without one a closed gap may still belong to another direction: two equal blocks flush on each other have corners in
 * the planes of each other's sides, which press nothing. What presses is seen by a shift: where the forms, moved against each other along the normal by
 * a trace, overlap by that trace, the normal is one of contact. */
#include "rows/feature_part.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>

static const double EDGE = 1e-9, LEAN = 1e-7, SHIFT = 1e-6, LEVEL = 1e-8; /* of the size of the forms, of a unit vector, of the size, rad */

typedef struct seen { /* one mover */
    const double *x, *q, *v, *w;
} seen;

static seen mover_at(const double *z) {
    return (seen){.x = z, .q = z + 3, .v = z + 7, .w = z + 10};
}

static void to_space(const seen *m, const double p[3], double out[3]) {
    zw_q_rotate(m->q, p, out);
    zw_v3_add(out, out, m->x);
}

static void to_body(const seen *m, const double r[3], double out[3]) {
    double d[3];
    zw_v3_sub(d, r, m->x);
    zw_q_rotate_back(m->q, d, out);
}

static double along(const double d[3], const double p[3], const double from[3]) {
    double arm[3];
    zw_v3_sub(arm, p, from);
    return zw_v3_dot(d, arm);
}

/* the corner of a is a nearest point of it: none of its edges leads towards the target */
static double cone_of_corner(const zw_corner *c, const seen *a, const double target[3]) {
    double p[3], least = INFINITY;
    to_body(a, target, p);
    for (int i = 0; i < c->nways; i++) {
        least = fmin(least, -along(c->way[i], p, c->p));
    }
    return least;
}

static double on_wall(const zw_wall *f, const double p[3]) {
    double least = INFINITY;
    if (f->radius > 0.0) {
        double d[3];
        zw_v3_sub(d, p, f->middle);
        zw_v3_addscaled(d, d, -zw_v3_dot(d, f->n), f->n);
        return f->radius - zw_v3_norm(d);
    }
    for (int i = 0; i < f->nsides; i++) {
        least = fmin(least, along(f->inward[i], p, f->at[i]));
    }
    return least;
}

/* where the edge of a (0) or b (1) begins and ends along its line; a link is as long as its mover says */
static void span_of(const zw_feature_side *s, int k, const double *z, double span[2]) {
    const zw_form_pair *p = &s->set->pair[s->side.pair];
    bool                link = p->link[k == 0 ? s->first : 1 - s->first];
    double              half = z[ZW_MOVER_NUMBERS * (k + 1) - 1];
    span[0] = link ? -half : isfinite(s->edge[k]->length) ? 0.0 : -INFINITY;
    span[1] = link ? half : s->edge[k]->length;
}

/* the lowest point of the rim of a above the face of b; false: it lies flat */
static bool lowest(const zw_feature_side *s, const seen *a, const seen *b, const double pa[3], double out[3], double *sine) {
    double f[3], u[3], w[3];
    zw_q_rotate(a->q, s->c.f, f);
    zw_q_rotate(b->q, s->c.u, u);
    zw_v3_addscaled(w, u, -zw_v3_dot(u, f), f);
    *sine = zw_v3_unit(w, w);
    zw_v3_addscaled(out, pa, -s->c.rho, w);
    return *sine > 0.0;
}

/* rim of a against the round edge of b: the sector, the length of the edge, and outside of the drum */
static double inside_round(const zw_feature_side *s, const double *z, const double pa[3], double *speed) {
    seen   a = mover_at(z), b = mover_at(z + ZW_MOVER_NUMBERS);
    double phi, f[3], x[3], y[3], out[3], p[3], eb[3], u[3], foot[3], span[2];
    if (!zw_rim_solve(s, z, &phi)) {
        return -INFINITY;
    }
    double angle = phi - s->c.phi, least = fmin(angle, 6.28318530717958647693 / ZW_RIM_SECTORS - angle) * s->c.rho;
    *speed += s->c.rho * zw_rim_pace(s, z);
    if (s->edge[1] == NULL) {
        return least;
    }
    zw_q_rotate(a.q, s->c.f, f);
    zw_q_rotate(a.q, s->c.o, x);
    zw_v3_cross(y, f, x);
    for (int i = 0; i < 3; i++) {
        out[i] = cos(phi) * x[i] + sin(phi) * y[i];
        p[i] = pa[i] + s->c.rho * out[i];
    }
    to_space(&b, s->c.e, eb);
    zw_q_rotate(b.q, s->c.u, u);
    double t = along(u, p, eb);
    zw_v3_addscaled(foot, eb, t, u);
    zw_v3_sub(foot, foot, p);
    span_of(s, 1, z, span);
    least = fmin(least, fmin(t - span[0], span[1] - t));
    return fmin(least, fmin(zw_v3_dot(foot, f), zw_v3_dot(foot, out)));
}

/* rim of a against the sharp edge of b: where the edge passes the plane of the rim (cross), or one of two places where it leaves the cap */
static double inside_edge(const zw_feature_side *s, const double *z, const double pa[3], double *speed) {
    seen   a = mover_at(z), b = mover_at(z + ZW_MOVER_NUMBERS);
    double f[3], u[3], eb[3], d[3], at[3], x[3], y[3], t, span[2];
    bool   cross = s->kind == ZW_RIM_EDGE;
    zw_q_rotate(a.q, s->c.f, f);
    zw_q_rotate(b.q, s->c.u, u);
    to_space(&b, s->c.e, eb);
    zw_v3_sub(d, eb, pa);
    double along_f = zw_v3_dot(f, u), across_f;
    if (cross) {
        if (along_f == 0.0) {
            return -INFINITY;
        }
        t = -zw_v3_dot(f, d) / along_f;
    } else {
        zw_v3_cross(x, f, d);
        zw_v3_cross(y, f, u);
        zw_v3_cross(at, d, u);
        double chord = zw_v3_norm2(y) * s->c.rho * s->c.rho - pow(zw_v3_dot(f, at), 2.0);
        if (!(chord > 0.0)) {
            return -INFINITY;
        }
        t = (s->c.sign * sqrt(chord) - zw_v3_dot(x, y)) / zw_v3_norm2(y);
    }
    zw_v3_addscaled(at, d, t, u);
    zw_v3_addscaled(at, at, -zw_v3_dot(at, f), f);
    zw_v3_unit(at, at);
    across_f = fabs(zw_v3_dot(at, u));
    span_of(s, 1, z, span);
    double share = cross ? fabs(along_f) - across_f : across_f - fabs(along_f), size = fmax(fabs(along_f), across_f);
    *speed = 2.0 * (*speed + (zw_v3_norm(a.w) + zw_v3_norm(b.w)) * (s->c.rho + fabs(t))) / fmax(size, 1e-3);
    return fmin(fmin(share, size - 2e-3) * s->c.rho, fmin(t - span[0], span[1] - t));
}

double zw_feature_inside(const zw_feature_side *s, const double *z, double *speed) {
    seen   a = mover_at(z), b = mover_at(z + ZW_MOVER_NUMBERS);
    double pa[3], p[3], arm[3], relative[3], least = INFINITY;
    to_space(&a, s->c.p, pa);
    to_body(&b, pa, p);
    zw_v3_sub(relative, a.v, b.v);
    zw_v3_sub(arm, pa, b.x);
    *speed = zw_v3_norm(relative) + zw_v3_norm(a.w) * zw_v3_norm(s->c.p) + zw_v3_norm(b.w) * zw_v3_norm(arm);
    switch (s->kind) {
    case ZW_CORNER_FACE:
        if (s->wall != NULL) {
            least = on_wall(s->wall, p);
        }
        break;
    case ZW_CORNER_EDGE: {
        const zw_edge *e = s->edge[1];
        double         t = along(e->u, p, e->p), target[3], span[2];
        span_of(s, 1, z, span);
        least = fmin(t - span[0], span[1] - t);
        for (int i = 0; i < e->nfaces; i++) {
            least = fmin(least, -along(e->inward[i], p, e->p));
        }
        zw_v3_addscaled(target, e->p, t, e->u);
        to_space(&b, target, target);
        least = fmin(least, cone_of_corner(s->corner[0], &a, target));
        break;
    }
    case ZW_CORNER_CORNER: {
        double target[3];
        to_space(&b, s->c.e, target);
        least = fmin(cone_of_corner(s->corner[1], &b, pa), cone_of_corner(s->corner[0], &a, target));
        break;
    }
    case ZW_EDGE_EDGE: { /* lines pa + t fa and eb + r ub */
        double fa[3], ub[3], eb[3], m[3], d[3], c[3];
        zw_q_rotate(a.q, s->c.f, fa);
        zw_q_rotate(b.q, s->c.u, ub);
        to_space(&b, s->c.e, eb);
        zw_v3_cross(m, fa, ub);
        zw_v3_sub(d, eb, pa);
        double square = zw_v3_norm2(m);
        if (!(square > 0.0)) {
            return -INFINITY;
        }
        zw_v3_cross(c, d, ub);
        double t = zw_v3_dot(c, m) / square;
        zw_v3_cross(c, d, fa);
        double r = zw_v3_dot(c, m) / square;
        double span[2][2];
        span_of(s, 0, z, span[0]);
        span_of(s, 1, z, span[1]);
        least = fmin(fmin(t - span[0][0], span[0][1] - t), fmin(r - span[1][0], span[1][1] - r));
        *speed = 2.0 * (*speed + (zw_v3_norm(a.w) + zw_v3_norm(b.w)) * (span[0][1] - span[0][0] + fabs(r))) / sqrt(square);
        break;
    }
    case ZW_CORNER_RIM: {
        double d[3], h;
        zw_v3_sub(d, p, s->c.e);
        h = zw_v3_dot(d, s->c.u);
        zw_v3_addscaled(d, d, -h, s->c.u);
        least = fmin(h, zw_v3_norm(d) - s->c.rho);
        break;
    }
    case ZW_RIM_FACE: { /* where it lies flat there is no lowest point */
        double low[3], sine;
        if (!lowest(s, &a, &b, pa, low, &sine)) {
            return -INFINITY;
        }
        to_body(&b, low, p);
        least = fmin((sine - LEVEL) * s->c.rho, s->wall != NULL ? on_wall(s->wall, p) : INFINITY);
        *speed += s->c.rho * (zw_v3_norm(a.w) + zw_v3_norm(b.w)) * (1.0 + 1.0 / sine);
        break;
    }
    case ZW_RIM_ROUND: least = inside_round(s, z, pa, speed); break;
    case ZW_RIM_EDGE:
    case ZW_RIM_EDGE_CHORD: least = inside_edge(s, z, pa, speed); break;
    default: break;
    }
    return least;
}

/* edges lean on each other from outside */
static bool leans(const zw_feature_side *s, const double *z) {
    seen   a = mover_at(z), b = mover_at(z + ZW_MOVER_NUMBERS);
    double fa[3], ub[3], n[3], d[3];
    zw_q_rotate(a.q, s->c.f, fa);
    zw_q_rotate(b.q, s->c.u, ub);
    zw_v3_cross(n, fa, ub);
    zw_v3_unit(n, n);
    zw_v3_scale(n, s->c.sign, n);
    for (int i = 0; i < s->edge[0]->nfaces; i++) {
        zw_q_rotate(a.q, s->edge[0]->inward[i], d);
        if (zw_v3_dot(n, d) < -LEAN) {
            return false;
        }
    }
    for (int i = 0; i < s->edge[1]->nfaces; i++) {
        zw_q_rotate(b.q, s->edge[1]->inward[i], d);
        if (zw_v3_dot(n, d) > LEAN) {
            return false;
        }
    }
    return true;
}

/* does a shift of a against the gap's gradient press the forms into each other? */
static bool presses(zw_feature_side *s, const double *z) {
    zw_features        *set = s->set;
    const zw_form_pair *pair = &set->pair[s->side.pair];
    double              moved[ZW_MOVER_NUMBERS], out[ZW_AT_ROOTS], n[3], reach[2], trace = SHIFT * pair->size;
    zw_touch            t;
    if (!zw_feature_evaluate(s, z, out)) {
        return false;
    }
    zw_v3_unit(n, out + ZW_AT_SLOPES);
    for (int i = 0; i < ZW_MOVER_NUMBERS; i++) {
        moved[i] = z[i];
    }
    zw_v3_addscaled(moved, z, -trace, n);
    if (s->first == 0) {
        zw_features_distance(set, s->side.pair, moved, z + ZW_MOVER_NUMBERS, &t, reach);
    } else {
        zw_features_distance(set, s->side.pair, z + ZW_MOVER_NUMBERS, moved, &t, reach);
    }
    return t.gap < -0.5 * trace;
}

static bool numbers(zw_feature_side *s, const zw_state *x, double *z) {
    const int *mover = s->set->pair[s->side.pair].mover;
    return zw_features_mover(s->set, mover[s->first], x, z) == ZW_OK &&
           zw_features_mover(s->set, mover[1 - s->first], x, z + ZW_MOVER_NUMBERS) == ZW_OK;
}

bool zw_feature_touches(zw_side *side, const zw_system *y, const zw_state *x, const zw_side_look *at) {
    zw_feature_side *s = (zw_feature_side *)side;
    double           z[2 * ZW_MOVER_NUMBERS] = {0}, speed;
    (void)y;
    (void)at;
    if (!numbers(s, x, z)) {
        zw_error_clear(side->context);
        return true; /* whoever asks next is told why */
    }
    if (!(zw_feature_inside(s, z, &speed) >= -0.5 * EDGE * s->set->pair[side->pair].size)) {
        return false;
    }
    if (s->kind == ZW_EDGE_EDGE && !leans(s, z)) {
        return false;
    }
    return !s->sharp || presses(s, z);
}

void zw_feature_margin(zw_side *side, const zw_system *y, const zw_state *x, double *margin, double *speed) {
    zw_feature_side *s = (zw_feature_side *)side;
    double           z[2 * ZW_MOVER_NUMBERS];
    (void)y;
    *margin = INFINITY;
    *speed = 0.0;
    if (numbers(s, x, z)) {
        *margin = zw_feature_inside(s, z, speed) + EDGE * s->set->pair[side->pair].size;
    } else {
        zw_error_clear(side->context);
    }
}

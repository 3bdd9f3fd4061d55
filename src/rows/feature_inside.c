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

static const double EDGE = 1e-9, LEAN = 1e-7, SHIFT = 1e-6; /* of the size of the forms, of a unit vector, of the size */

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
        double         t = along(e->u, p, e->p), target[3];
        least = isfinite(e->length) ? fmin(t, e->length - t) : INFINITY;
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
        least = fmin(t, s->edge[0]->length - t);
        if (isfinite(s->edge[1]->length)) {
            least = fmin(least, fmin(r, s->edge[1]->length - r));
        }
        *speed = 2.0 * (*speed + (zw_v3_norm(a.w) + zw_v3_norm(b.w)) * (s->edge[0]->length + fabs(r))) / sqrt(square);
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
static bool presses(const zw_feature_side *s, const double *z) {
    zw_features        *set = s->set;
    const zw_form_pair *pair = &set->pair[s->side.pair];
    double              moved[ZW_MOVER_NUMBERS], n[3], reach[2], trace = SHIFT * pair->size;
    seen                a = mover_at(z), b = mover_at(z + ZW_MOVER_NUMBERS);
    zw_touch            t;
    if (s->kind == ZW_EDGE_EDGE) {
        double fa[3], ub[3];
        zw_q_rotate(a.q, s->c.f, fa);
        zw_q_rotate(b.q, s->c.u, ub);
        zw_v3_cross(n, fa, ub);
        zw_v3_unit(n, n);
        zw_v3_scale(n, s->c.sign, n);
    } else {
        zw_q_rotate(b.q, s->c.u, n);
    }
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
    double           z[2 * ZW_MOVER_NUMBERS], speed;
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

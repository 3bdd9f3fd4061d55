/* SPDX-License-Identifier: Apache-2.0
 * form_distance.c: distance of two placed forms: which formula or search serves which pair.
 *
 *   ball, stick among themselves   points and segments in closed form, radii taken off
 *   ball with block or drum        the nearest point of the block or drum in closed form, from inside as from outside
 *   block with block               overlap: the 15 axes that can part two blocks, in closed form; apart: zw_cores_nearest
 *   pairs with a drum              zw_cores_nearest or zw_cores_deepest for a start, zw_cores_polish
 *   all else (polytopes)           zw_cores_nearest or zw_cores_deepest, which end on a closed formula
 *
 * The gap is differentiable where the nearest points are unique, and d(gap)/dt = n.(v_b - v_a) there. */
#include "math/form_core.h"

#include "math/vec3.h"

#include <float.h>
#include <math.h>

static double clamp(double x, double least, double most) {
    return x < least ? least : x > most ? most : x;
}

static void axis_of(const zw_placed *p, double u[3]) {
    zw_m3_column(u, p->R, 2);
}

static double core_radius(const zw_form *f) {
    return f->shape == ZW_SHAPE_BALL || f->shape == ZW_SHAPE_STICK ? f->radius : 0.0;
}

/* normal and gap of two core points; the spare normal serves when they coincide */
static void from_points(zw_touch *t, const double spare[3]) {
    double d[3];
    zw_v3_sub(d, t->b, t->a);
    t->gap = zw_v3_unit(t->n, d);
    if (!(t->gap > 0.0)) {
        zw_v3_copy(t->n, spare);
        t->gap = 0.0;
    }
}

static void ball_ball(const zw_cores *c, zw_touch *t) {
    static const double x[3] = {1.0, 0.0, 0.0};
    zw_v3_zero(t->a);
    zw_v3_copy(t->b, c->D);
    from_points(t, x);
}

static void ball_stick(const zw_cores *c, zw_touch *t) {
    double u[3], spare[3], h = c->b->form->half;
    axis_of(c->b, u);
    zw_any_square_to(spare, u);
    zw_v3_zero(t->a);
    zw_v3_addscaled(t->b, c->D, clamp(-zw_v3_dot(c->D, u), -h, h), u);
    from_points(t, spare);
}

/* Segments s u and D + t v. The lines come nearest at s, t from the triple products with u x v (no difference of nearly equal squares); when that
 * is outside a segment, an end is one of the nearest points. Parallel segments: the middle of where they run beside each other. */
static void stick_stick(const zw_cores *c, zw_touch *t) {
    double u[3], v[3], w[3], m[3], spare[3], ha = c->a->form->half, hb = c->b->form->half;
    axis_of(c->a, u);
    axis_of(c->b, v);
    zw_v3_cross(w, u, v);
    double ww = zw_v3_norm2(w);
    if (!zw_square_to(spare, u, v)) {
        zw_any_square_to(spare, u);
        double middle = zw_v3_dot(c->D, u), low = fmax(-ha, middle - hb), high = fmin(ha, middle + hb);
        double s = low <= high ? 0.5 * (low + high) : middle > 0.0 ? ha : -ha;
        zw_v3_scale(t->a, s, u);
        zw_v3_sub(m, t->a, c->D);
        zw_v3_addscaled(t->b, c->D, clamp(zw_v3_dot(m, v), -hb, hb), v);
        from_points(t, spare);
        return;
    }
    zw_v3_cross(m, c->D, v);
    double s = zw_v3_dot(m, w) / ww;
    zw_v3_cross(m, c->D, u);
    double r = zw_v3_dot(m, w) / ww;
    if (fabs(s) <= ha && fabs(r) <= hb) {
        zw_v3_scale(t->a, s, u);
        zw_v3_sub(m, t->a, c->D);
        r = clamp(zw_v3_dot(m, v), -hb, hb); /* a small angle makes s and r loose, not their nearness */
        zw_v3_addscaled(t->b, c->D, r, v);
        zw_v3_scale(t->a, clamp(zw_v3_dot(t->b, u), -ha, ha), u);
        /* the common normal holds up to crossing axes */
        double g = zw_v3_dot(spare, c->D);
        if (g < 0.0) {
            zw_v3_negate(spare, spare);
        }
        t->gap = fabs(g);
        zw_v3_copy(t->n, spare);
        return;
    }
    double best = INFINITY;
    for (int k = 0; k < 4; k++) {
        double a[3], b[3], end = k & 1 ? 1.0 : -1.0;
        if (k < 2) {
            zw_v3_scale(a, end * ha, u);
            zw_v3_sub(m, a, c->D);
            zw_v3_addscaled(b, c->D, clamp(zw_v3_dot(m, v), -hb, hb), v);
        } else {
            zw_v3_addscaled(b, c->D, end * hb, v);
            zw_v3_scale(a, clamp(zw_v3_dot(b, u), -ha, ha), u);
        }
        double d = zw_v3_distance(a, b);
        if (d < best) {
            best = d;
            zw_v3_copy(t->a, a);
            zw_v3_copy(t->b, b);
        }
    }
    from_points(t, spare);
}

static void ball_block(const zw_cores *c, zw_touch *t) {
    const double *size = c->b->form->size;
    double        p[3], q[3], n[3] = {0.0, 0.0, 0.0};
    zw_m3_tmulv(p, c->b->R, c->D);
    zw_v3_negate(p, p); /* the centre of the ball in the axes of the block */
    bool outside = false;
    for (int k = 0; k < 3; k++) {
        q[k] = clamp(p[k], -size[k], size[k]);
        outside = outside || q[k] != p[k];
    }
    zw_v3_zero(t->a);
    if (!outside) {
        int best = 0;
        for (int k = 1; k < 3; k++) {
            best = size[k] - fabs(p[k]) < size[best] - fabs(p[best]) ? k : best;
        }
        t->gap = fabs(p[best]) - size[best];
        n[best] = p[best] < 0.0 ? 1.0 : -1.0;
        q[best] = p[best] < 0.0 ? -size[best] : size[best];
    } else {
        zw_v3_sub(n, q, p);
        t->gap = zw_v3_unit(n, n);
    }
    zw_m3_mulv(t->n, c->b->R, n);
    zw_m3_mulv(q, c->b->R, q);
    zw_v3_add(t->b, c->D, q);
}

static void ball_drum(const zw_cores *c, zw_touch *t) {
    double p[3], q[3], n[3] = {0.0, 0.0, 0.0}, r = c->b->form->radius, h = c->b->form->half;
    zw_m3_tmulv(p, c->b->R, c->D);
    zw_v3_negate(p, p);
    double out = hypot(p[0], p[1]), x = out > 0.0 ? p[0] / out : 1.0, y = out > 0.0 ? p[1] / out : 0.0;
    double beyond_side = out - r, beyond_end = fabs(p[2]) - h, end = p[2] < 0.0 ? -1.0 : 1.0;
    zw_v3_zero(t->a);
    if (beyond_side > 0.0 && beyond_end > 0.0) {
        t->gap = hypot(beyond_side, beyond_end);
        zw_v3_set(n, -x * beyond_side / t->gap, -y * beyond_side / t->gap, -end * beyond_end / t->gap);
        zw_v3_set(q, r * x, r * y, end * h);
    } else if (beyond_side > beyond_end) {
        t->gap = beyond_side;
        zw_v3_set(n, -x, -y, 0.0);
        zw_v3_set(q, r * x, r * y, p[2]);
    } else {
        t->gap = beyond_end;
        zw_v3_set(n, 0.0, 0.0, -end);
        zw_v3_set(q, p[0], p[1], end * h);
    }
    zw_m3_mulv(t->n, c->b->R, n);
    zw_m3_mulv(q, c->b->R, q);
    zw_v3_add(t->b, c->D, q);
}

/* largest separation over the 15 axes that can part two blocks; faces are preferred to edges within rounding */
static double best_axis(const zw_cores *c, double n[3]) {
    double best = -INFINITY, a[3], b[3], u[3], v[3], m[3];
    for (int k = 0; k < 15; k++) {
        bool edge = k >= 6;
        if (!edge) {
            zw_m3_column(m, k < 3 ? c->a->R : c->b->R, k % 3);
        } else {
            zw_m3_column(u, c->a->R, (k - 6) / 3);
            zw_m3_column(v, c->b->R, (k - 6) % 3);
            if (!zw_square_to(m, u, v)) {
                continue;
            }
        }
        if (zw_v3_dot(m, c->D) < 0.0) {
            zw_v3_negate(m, m); /* blocks are symmetric: the larger of the two sides */
        }
        double s = zw_cores_separation(c, m, a, b);
        if (s > best + (edge ? 1e-14 * c->scale : 0.0)) {
            best = s;
            zw_v3_copy(n, m);
        }
    }
    return best;
}

static void block_block(const zw_cores *c, zw_touch *t) {
    zw_simplex s;
    double     n[3] = {1.0, 0.0, 0.0}, best = best_axis(c, n);
    if (best > 0.0 && zw_cores_nearest(c, &s, t) && t->gap > best + 1e-14 * c->scale) {
        return; /* a corner or edge faces a corner or edge: no axis shows the full distance */
    }
    t->gap = best;
    zw_v3_copy(t->n, n);
    zw_cores_middle(c, t);
}

/* a bound on how deep a shallow overlap is: there the way out that is nearest in direction is the shortest */
static double shallow(const zw_form *f) {
    switch (f->shape) {
    case ZW_SHAPE_BLOCK: return 0.01 * fmin(f->size[0], fmin(f->size[1], f->size[2]));
    case ZW_SHAPE_DRUM: return 0.01 * fmin(f->radius, f->half);
    default: return 0.0;
    }
}

static void search(const zw_cores *c, zw_touch *t) {
    zw_simplex s;
    bool       apart = zw_cores_nearest(c, &s, t);
    if (c->smooth) {
        double d[3];
        zw_cores_polish(c, &s, t);
        zw_v3_sub(d, t->b, t->a);
        zw_v3_addscaled(d, d, -t->gap, t->n);
        /* points of both cores that differ by gap n: the gap is proved when positive, and a way out when negative */
        if (zw_v3_norm(d) <= 1e-9 * c->scale && t->gap >= -fmin(shallow(c->a->form), shallow(c->b->form))) {
            return;
        }
    }
    if (!apart || c->smooth) {
        zw_cores_deepest(c, &s, t);
        if (c->smooth) {
            zw_cores_polish(c, &s, t);
        } else {
            zw_cores_middle(c, t);
        }
    }
}

void zw_form_distance(const zw_placed *a, const zw_placed *b, zw_touch *out) {
    bool      swapped = a->form->shape > b->form->shape;
    zw_cores  c;
    zw_touch *t = out;
    zw_cores_set(&c, swapped ? b : a, swapped ? a : b);
    zw_form_shape p = c.a->form->shape, q = c.b->form->shape;
    if (p == ZW_SHAPE_BALL && q == ZW_SHAPE_BALL) {
        ball_ball(&c, t);
    } else if (p == ZW_SHAPE_BALL && q == ZW_SHAPE_STICK) {
        ball_stick(&c, t);
    } else if (p == ZW_SHAPE_STICK && q == ZW_SHAPE_STICK) {
        stick_stick(&c, t);
    } else if (p == ZW_SHAPE_BALL && q == ZW_SHAPE_BLOCK) {
        ball_block(&c, t);
    } else if (p == ZW_SHAPE_BALL && q == ZW_SHAPE_DRUM) {
        ball_drum(&c, t);
    } else if (p == ZW_SHAPE_BLOCK && q == ZW_SHAPE_BLOCK) {
        block_block(&c, t);
    } else {
        search(&c, t);
    }
    double ra = core_radius(c.a->form), rb = core_radius(c.b->form);
    t->gap -= ra + rb;
    zw_v3_addscaled(t->a, t->a, ra, t->n);
    zw_v3_addscaled(t->b, t->b, -rb, t->n);
    zw_v3_add(t->a, t->a, c.a->x);
    zw_v3_add(t->b, t->b, c.a->x);
    if (swapped) {
        double keep[3];
        zw_v3_copy(keep, t->a);
        zw_v3_copy(t->a, t->b);
        zw_v3_copy(t->b, keep);
        zw_v3_negate(t->n, t->n);
    }
}

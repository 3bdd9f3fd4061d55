/* SPDX-License-Identifier: Apache-2.0
 * form_polish.c: gap and normal of a pair with drums, sharpened to rounding.
 *
 * The separation s(n) (form_core.h) of a drum with axis u is n.Q - r sqrt(1 - (n.u)^2): smooth while n is on one side of u, with an edge where
 * n.u = 0 (the side of the drum carries) and a tip at n = +-u (its end carries). An edge e of a polytope makes an edge n.e = 0 of s in
 * the same way. So the largest s is at one of: a tip; a normal square to two of the directions {u, e}; the top of s on the circle square to
 * one of them; the top of s on the sphere. Tops are found by Newton's method on circle or sphere, then the best candidate wins.
 * Corners of a polytope join when they turn out to be lower than those assumed, until none does: the s then claimed is reached. */
#include "math/form_core.h"

#include "math/vec3.h"

#include <float.h>
#include <math.h>

#define CORNERS    7
#define ROUNDS     24
#define DOUBTS     4 /* rounds that look into candidates far away */
#define MOST_STEPS 40
#define TRUST      0.7 /* cosine */

typedef struct side {
    const zw_placed *p;
    bool             drum;
    double           u[3], r, h;    /* drum                                            */
    int              n;             /* corners of a polytope that are taken into account */
    double           v[CORNERS][3]; /* from its place                                  */
    double           sign;          /* h is asked at sign n: +1 for a, -1 for b        */
} side;

typedef struct search {
    const zw_cores *c;
    side            s[2];
    double          start[3], trust[3]; /* candidates far from `trust` belong to another way out */
    double          best, n[3];         /* by the corners taken into account */
    double          any, any_n[3];      /* the same, near `trust` or not     */
    double          full, full_n[3];    /* by all corners                    */
} search;

static void corner_join(side *s, const double v[3], const double n[3]) {
    for (int i = 0; i < s->n; i++) {
        if (v[0] == s->v[i][0] && v[1] == s->v[i][1] && v[2] == s->v[i][2]) {
            return;
        }
    }
    int slot = s->n;
    if (s->n == CORNERS) { /* the one that matters least */
        slot = 0;
        for (int i = 1; i < s->n; i++) {
            if (s->sign * zw_v3_dot(n, s->v[i]) < s->sign * zw_v3_dot(n, s->v[slot])) {
                slot = i;
            }
        }
    } else {
        s->n++;
    }
    zw_v3_copy(s->v[slot], v);
}

/* h(sign n) of a side, by the corners taken into account */
static double reach_along(const side *s, const double n[3]) {
    if (s->drum) {
        double c = zw_v3_dot(n, s->u), across[3];
        zw_v3_cross(across, n, s->u);
        return s->r * zw_v3_norm(across) + s->h * fabs(c);
    }
    double most = -INFINITY;
    for (int i = 0; i < s->n; i++) {
        most = fmax(most, s->sign * zw_v3_dot(n, s->v[i]));
    }
    return most;
}

static void offer(search *x, const double n[3]) {
    double value = zw_v3_dot(n, x->c->D) - reach_along(&x->s[0], n) - reach_along(&x->s[1], n);
    if (value > x->any) {
        x->any = value;
        zw_v3_copy(x->any_n, n);
    }
    if (value > x->best && zw_v3_dot(n, x->trust) >= TRUST) {
        x->best = value;
        zw_v3_copy(x->n, n);
    }
    if (value > x->full) { /* which all corners can only lower */
        double a[3], b[3], full = zw_cores_separation(x->c, n, a, b);
        if (full > x->full) {
            x->full = full;
            zw_v3_copy(x->full_n, n);
        }
    }
}

static void offer_both(search *x, const double n[3]) {
    double back[3];
    zw_v3_negate(back, n);
    offer(x, n);
    offer(x, back);
}

static double rims(const search *x, const double Q[3], const double n[3]) {
    double value = zw_v3_dot(n, Q), across[3];
    for (int i = 0; i < 2; i++) {
        if (x->s[i].drum) {
            zw_v3_cross(across, n, x->s[i].u);
            value -= x->s[i].r * zw_v3_norm(across);
        }
    }
    return value;
}

/* Newton's step with every curvature taken as downwards: it climbs from a saddle too */
static void newton_up(int free, const double H[3], const double g[2], double d[2]) {
    if (free == 1) {
        d[0] = fabs(H[0]) > 0.0 ? g[0] / fabs(H[0]) : g[0];
        return;
    }
    double mean = 0.5 * (H[0] + H[2]), spread = hypot(0.5 * (H[0] - H[2]), H[1]), angle = 0.5 * atan2(H[1], 0.5 * (H[0] - H[2]));
    double c = cos(angle), s = sin(angle), up = fabs(mean + spread), down = fabs(mean - spread);
    double least = 1e-16 * (fabs(mean) + spread) + DBL_MIN;
    double along = (c * g[0] + s * g[1]) / fmax(up, least), across = (c * g[1] - s * g[0]) / fmax(down, least);
    d[0] = c * along - s * across;
    d[1] = s * along + c * across;
}

/* top of n.Q - sum r sqrt(1 - (n.u)^2) over unit n, square to e if there is one */
static void climb_from(search *x, const double Q[3], const double *e, const double start[3]) {
    double n[3];
    zw_v3_copy(n, start);
    if (e) {
        zw_v3_addscaled(n, n, -zw_v3_dot(n, e) / zw_v3_norm2(e), e);
        if (!(zw_v3_norm(n) > 1e-6)) {
            zw_any_square_to(n, e);
        }
    }
    zw_v3_unit(n, n);
    double value = rims(x, Q, n);
    for (int step = 0; step < MOST_STEPS; step++) {
        double t[2][3], G[3], g[2], H[3] = {0.0, 0.0, 0.0}, d[2] = {0.0, 0.0};
        int    free = e ? 1 : 2;
        if (e) {
            zw_v3_cross(t[0], e, n);
            zw_v3_unit(t[0], t[0]);
            zw_v3_zero(t[1]);
        } else {
            zw_any_square_to(t[0], n);
            zw_v3_cross(t[1], n, t[0]);
        }
        zw_v3_copy(G, Q);
        for (int i = 0; i < 2; i++) {
            const side *s = &x->s[i];
            if (!s->drum) {
                continue;
            }
            double across[3], c = zw_v3_dot(n, s->u);
            zw_v3_cross(across, n, s->u);
            double rho = fmax(zw_v3_norm(across), 1e-9), a = zw_v3_dot(t[0], s->u), b = zw_v3_dot(t[1], s->u), k = s->r / (rho * rho * rho);
            zw_v3_addscaled(G, G, s->r * c / rho, s->u);
            H[0] += k * a * a;
            H[1] += k * a * b;
            H[2] += k * b * b;
        }
        double bend = zw_v3_dot(n, G);
        H[0] -= bend;
        H[2] -= bend;
        g[0] = zw_v3_dot(t[0], G);
        g[1] = zw_v3_dot(t[1], G);
        newton_up(free, H, g, d);
        double size = hypot(d[0], d[1]), cut = size > 0.4 ? 0.4 / size : 1.0;
        if (size < 4.0 * DBL_EPSILON) {
            break;
        }
        double m[3], now = -INFINITY;
        for (int half = 0; half < 12; half++, cut *= 0.4) { /* upwards, but for rounding */
            zw_v3_addscaled(m, n, cut * d[0], t[0]);
            zw_v3_addscaled(m, m, cut * d[1], t[1]);
            if (e) {
                zw_v3_addscaled(m, m, -zw_v3_dot(m, e) / zw_v3_norm2(e), e);
            }
            zw_v3_unit(m, m);
            now = rims(x, Q, m);
            if (now >= value || size < 1e-7) {
                break;
            }
        }
        if (now < value - 8.0 * DBL_EPSILON * x->c->scale) {
            break;
        }
        value = now;
        zw_v3_copy(n, m);
    }
    if (e) {
        zw_v3_addscaled(n, n, -zw_v3_dot(n, e) / zw_v3_norm2(e), e);
        zw_v3_unit(n, n);
    }
    offer(x, n);
}

/* A climb that meets the tip of a drum on its way sticks there. Near a tip it is begun anew at the side of the tip that rises most. */
static void climb(search *x, const double Q[3], const double *e) {
    climb_from(x, Q, e, x->start);
    for (int i = 0; i < 2; i++) {
        const side *s = &x->s[i], *o = &x->s[1 - i];
        double      across[3], w[3], n[3];
        zw_v3_cross(across, x->start, s->u);
        if (!s->drum || zw_v3_norm(across) > 0.3) {
            continue;
        }
        zw_v3_copy(w, Q);
        if (o->drum) {
            zw_v3_cross(across, s->u, o->u);
            double c = zw_v3_dot(s->u, o->u) * (zw_v3_dot(x->start, s->u) < 0.0 ? -1.0 : 1.0);
            zw_v3_addscaled(w, w, o->r * c / fmax(zw_v3_norm(across), 1e-3), o->u);
        }
        zw_v3_addscaled(w, w, -zw_v3_dot(w, s->u), s->u);
        zw_v3_unit(w, w);
        zw_v3_scale(n, zw_v3_dot(x->start, s->u) < 0.0 ? -1.0 : 1.0, s->u);
        zw_v3_addscaled(n, n, 0.15, w);
        climb_from(x, Q, e, n);
    }
}

/* places that can carry: corner i of a polytope, or the ends +1 and -1 of a drum; Q = D - a + b */
static int bases(const side *s) {
    return s->drum ? 2 : s->n;
}

static void base_at(const side *s, int i, double out[3]) {
    if (s->drum) {
        zw_v3_scale(out, i ? -s->sign * s->h : s->sign * s->h, s->u);
    } else {
        zw_v3_copy(out, s->v[i]);
    }
}

/* the end of a drum that cannot carry near the start is left out */
static bool idle(const search *x, const side *s, int i) {
    double c = zw_v3_dot(x->start, s->u);
    return s->drum && fabs(c) > 0.2 && (c > 0.0) != (i == 0);
}

static void climb_from_bases(search *x, const double *e, int only_a, int only_b) {
    for (int i = 0; i < bases(&x->s[0]); i++) {
        for (int k = 0; k < bases(&x->s[1]); k++) {
            if ((only_a >= 0 && i != only_a) || (only_b >= 0 && k != only_b) || idle(x, &x->s[0], i) || idle(x, &x->s[1], k)) {
                continue;
            }
            double a[3], b[3], Q[3];
            base_at(&x->s[0], i, a);
            base_at(&x->s[1], k, b);
            zw_v3_sub(Q, x->c->D, a);
            zw_v3_add(Q, Q, b);
            climb(x, Q, e);
        }
    }
}

/* a corner beside the rim of a drum: the straight way between them, however near they are */
static void offer_corner_to_rim(search *x, const side *drum, const side *other) {
    for (int i = 0; i < other->n; i++) {
        double d[3], w[3];
        zw_v3_addscaled(d, other->v[i], drum->sign, x->c->D); /* from the place of the drum */
        double z = zw_v3_dot(d, drum->u);
        zw_v3_addscaled(w, d, -z, drum->u);
        zw_v3_unit(w, w);
        zw_v3_addscaled(d, d, -drum->r, w);
        zw_v3_addscaled(d, d, z < 0.0 ? drum->h : -drum->h, drum->u);
        zw_v3_scale(d, drum->sign, d);
        if (zw_v3_unit(d, d) > 0.0) {
            offer(x, d);
        }
    }
}

static void offer_all(search *x) {
    double direction[2 * CORNERS * CORNERS][3];
    int    n_direction = 0, n_first = 0;
    climb_from_bases(x, NULL, -1, -1);
    if (x->s[0].drum != x->s[1].drum) {
        offer_corner_to_rim(x, x->s[0].drum ? &x->s[0] : &x->s[1], x->s[0].drum ? &x->s[1] : &x->s[0]);
    }
    for (int w = 0; w < 2; w++) {
        const side *s = &x->s[w];
        if (s->drum) {
            offer_both(x, s->u);
            climb_from_bases(x, s->u, w == 0 ? 0 : -1, w == 1 ? 0 : -1);
            zw_v3_copy(direction[n_direction++], s->u);
        }
        for (int i = 0; !s->drum && i < s->n; i++) {
            for (int k = i + 1; k < s->n; k++) {
                double *e = direction[n_direction++];
                zw_v3_sub(e, s->v[k], s->v[i]);
                climb_from_bases(x, e, w == 0 ? i : -1, w == 1 ? i : -1);
            }
        }
        if (w == 0) {
            n_first = n_direction;
        }
    }
    for (int i = 0; i < n_direction; i++) { /* two directions of one side: its faces; of both: edge against edge */
        for (int k = i + 1; k < n_direction; k++) {
            double n[3];
            if (zw_square_to(n, direction[i], direction[k])) {
                offer_both(x, n);
            } else if (i < n_first && k >= n_first) { /* parallel: straight across */
                zw_v3_addscaled(n, x->c->D, -zw_v3_dot(x->c->D, direction[i]) / zw_v3_norm2(direction[i]), direction[i]);
                if (zw_v3_unit(n, n) > 0.0) {
                    offer_both(x, n);
                }
            }
        }
    }
}

static void side_set(side *s, const zw_placed *p, double sign) {
    s->p = p;
    s->sign = sign;
    s->n = 0;
    s->drum = p->form->shape == ZW_SHAPE_DRUM;
    zw_m3_column(s->u, p->R, 2);
    zw_v3_unit(s->u, s->u);
    s->r = p->form->radius;
    s->h = p->form->half;
}

/* At a small gap n is known to rounding over gap, and a rim point taken from it no better. The other's point, moved by the gap along n, is a point
 * of the drum all the same; or else the point of the drum nearest to the other's. */
static void settle_on_drum(const zw_cores *c, const side *drum, zw_touch *t) {
    double       *own = drum->sign > 0.0 ? t->a : t->b, d[3], w[3];
    const double *other = drum->sign > 0.0 ? t->b : t->a;
    zw_v3_sub(d, t->b, t->a);
    zw_v3_addscaled(d, d, -t->gap, t->n);
    if (zw_v3_norm(d) <= 1e-13 * c->scale) {
        return;
    }
    double before = zw_v3_distance(t->a, t->b);
    for (int k = 0; k < 2; k++) {
        zw_v3_addscaled(d, other, k ? 0.0 : -drum->sign * t->gap, t->n);
        if (drum->sign < 0.0) {
            zw_v3_sub(d, d, c->D);
        }
        double z = zw_v3_dot(d, drum->u);
        zw_v3_addscaled(w, d, -z, drum->u);
        double out = zw_v3_unit(w, w), off = fmax(out - drum->r, fabs(z) - drum->h);
        bool   on = k == 0 && fabs(off) <= 1e-12 * c->scale;
        if (k == 1 && off > 0.0 && t->gap > 0.0) {
            zw_v3_scale(d, fmin(out, drum->r), w);
            zw_v3_addscaled(d, d, z > drum->h ? drum->h : z < -drum->h ? -drum->h : z, drum->u);
        }
        if (drum->sign < 0.0) {
            zw_v3_add(d, d, c->D);
        }
        if (on || (k == 1 && off > 0.0 && t->gap > 0.0 && zw_v3_distance(d, other) < before)) {
            zw_v3_copy(own, d);
            return;
        }
    }
}

void zw_cores_polish(const zw_cores *c, const zw_simplex *s, zw_touch *out) {
    search x;
    double a[3], b[3];
    x.c = c;
    side_set(&x.s[0], c->a, 1.0);
    side_set(&x.s[1], c->b, -1.0);
    zw_v3_copy(x.start, out->n);
    zw_v3_copy(x.trust, out->n);
    for (int i = 0; i < s->n; i++) {
        if (!x.s[0].drum) {
            corner_join(&x.s[0], s->a[i], x.start);
        }
        if (!x.s[1].drum) {
            zw_v3_sub(b, s->b[i], c->D);
            corner_join(&x.s[1], b, x.start);
        }
    }
    x.full = -INFINITY;
    zw_v3_copy(x.full_n, x.start);
    for (int round = 0; round < ROUNDS; round++) {
        x.best = -INFINITY;
        x.any = -INFINITY;
        zw_v3_copy(x.n, x.start);
        offer(&x, x.start);
        offer_all(&x);
        if (x.full >= x.best - 8.0 * DBL_EPSILON * c->scale && zw_v3_dot(x.full_n, x.trust) >= TRUST) {
            if (x.full >= x.any - 8.0 * DBL_EPSILON * c->scale || round >= DOUBTS) {
                break;
            }
            zw_v3_copy(x.n, x.any_n); /* too few corners to show the top near by */
        }
        zw_v3_copy(x.start, x.full_n);
        zw_v3_copy(x.trust, x.full_n);
        for (int k = 0; k < 2; k++) { /* the corners that spoil the best claim, and those about the best so far */
            zw_cores_separation(c, k ? x.full_n : x.n, a, b);
            zw_v3_sub(b, b, c->D);
            if (!x.s[0].drum) {
                corner_join(&x.s[0], a, x.full_n);
            }
            if (!x.s[1].drum) {
                corner_join(&x.s[1], b, x.full_n);
            }
        }
    }
    zw_v3_copy(out->n, x.full_n);
    out->gap = x.full;
    zw_cores_middle(c, out);
    for (int i = 0; i < 2; i++) {
        if (x.s[i].drum) {
            settle_on_drum(c, &x.s[i], out);
        }
    }
}

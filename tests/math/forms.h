/* SPDX-License-Identifier: Apache-2.0
 * forms.h: random forms in random places, and what decides without any search whether a distance is right.
 *
 * Of a claimed touch (gap, n, a, b): s(n), computed here from the definition of the forms in long double, is a lower bound of the gap; if a and b
 * are points of the two forms, |b - a| is an upper bound when they are apart. Both together prove the gap. When they overlap, the
 * depth is the least over all directions: no sampled direction may do better. */
#ifndef ZW_TESTS_FORMS_H
#define ZW_TESTS_FORMS_H

#include "math/form.h"
#include "math/so3.h"
#include "math/vec3.h"
#include "samples.h"

enum { FORM_POINTS = 14 };

typedef struct body {
    zw_form   form;
    zw_placed placed;
    double    point[3 * FORM_POINTS];
} body;

static inline void sample_turn(samples *s, double R[9]) {
    double axis[3];
    sample_length(s, 3.1 * fabs(sample(s)), axis);
    zw_so3_exp(axis, R);
}

static inline double positive(samples *s, double least, double most) {
    return least + (most - least) * (0.5 + 0.5 * sample(s));
}

/* a form of that shape about the origin, size about 1 */
static inline void sample_form(samples *s, zw_form_shape shape, body *b) {
    b->form = (zw_form){.shape = shape, .radius = positive(s, 0.2, 1.0), .half = positive(s, 0.2, 1.5)};
    for (int k = 0; k < 3; k++) {
        b->form.size[k] = positive(s, 0.2, 1.2);
    }
    if (shape == ZW_SHAPE_CLOUD) {
        b->form.n = FORM_POINTS;
        b->form.point = b->point;
        sample_array(s, 1.0, b->point, 3 * FORM_POINTS);
    }
    b->placed.form = &b->form;
    zw_v3_zero(b->placed.x);
    zw_m3_identity(b->placed.R);
}

static inline void sample_body(samples *s, zw_form_shape shape, double spread, body *b) {
    sample_form(s, shape, b);
    sample_array(s, spread, b->placed.x, 3);
    sample_turn(s, b->placed.R);
}

/* how far the whole form reaches along d (space), from its place */
static inline long double reach_of(const zw_placed *p, const double d[3]) {
    const zw_form *f = p->form;
    long double    e[3], most = -INFINITY;
    for (int k = 0; k < 3; k++) {
        e[k] = (long double)p->R[k] * d[0] + (long double)p->R[3 + k] * d[1] + (long double)p->R[6 + k] * d[2];
    }
    long double length = sqrtl(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    switch (f->shape) {
    case ZW_SHAPE_BALL: return f->radius * length;
    case ZW_SHAPE_STICK: return f->radius * length + f->half * fabsl(e[2]);
    case ZW_SHAPE_BLOCK: return f->size[0] * fabsl(e[0]) + f->size[1] * fabsl(e[1]) + f->size[2] * fabsl(e[2]);
    case ZW_SHAPE_DRUM: return f->radius * hypotl(e[0], e[1]) + f->half * fabsl(e[2]);
    default:
        for (int i = 0; i < f->n; i++) {
            long double high = e[0] * f->point[3 * i] + e[1] * f->point[3 * i + 1] + e[2] * f->point[3 * i + 2];
            most = high > most ? high : most;
        }
        return most;
    }
}

static inline double separation_of(const zw_placed *a, const zw_placed *b, const double n[3]) {
    double      back[3];
    long double s = 0.0L;
    zw_v3_negate(back, n);
    for (int k = 0; k < 3; k++) {
        s += (long double)n[k] * ((long double)b->x[k] - a->x[k]);
    }
    return (double)(s - reach_of(a, n) - reach_of(b, back));
}

/* how far a point of space is outside a form: an upper bound of 0 up to rounding when it is a point of it */
static inline double outside_of(const zw_placed *p, const double r[3]) {
    const zw_form *f = p->form;
    double         q[3], d[3];
    zw_v3_sub(q, r, p->x);
    zw_m3_tmulv(q, p->R, q);
    switch (f->shape) {
    case ZW_SHAPE_BALL: return zw_v3_norm(q) - f->radius;
    case ZW_SHAPE_STICK: zw_v3_set(d, q[0], q[1], fmax(fabs(q[2]) - f->half, 0.0)); return zw_v3_norm(d) - f->radius;
    case ZW_SHAPE_BLOCK: return fmax(fabs(q[0]) - f->size[0], fmax(fabs(q[1]) - f->size[1], fabs(q[2]) - f->size[2]));
    case ZW_SHAPE_DRUM: return fmax(hypot(q[0], q[1]) - f->radius, fabs(q[2]) - f->half);
    default: break;
    }
    double most = -INFINITY; /* a cloud: height over each triple of points that has all others on one side */
    for (int i = 0; i < f->n; i++) {
        for (int j = i + 1; j < f->n; j++) {
            for (int k = j + 1; k < f->n; k++) {
                double e[3], g[3], n[3], low = 0.0, high = 0.0;
                zw_v3_sub(e, f->point + 3 * j, f->point + 3 * i);
                zw_v3_sub(g, f->point + 3 * k, f->point + 3 * i);
                zw_v3_cross(n, e, g);
                zw_v3_unit(n, n);
                for (int m = 0; m < f->n; m++) {
                    zw_v3_sub(d, f->point + 3 * m, f->point + 3 * i);
                    double h = m == i || m == j || m == k ? 0.0 : zw_v3_dot(n, d);
                    low = fmin(low, h);
                    high = fmax(high, h);
                }
                zw_v3_sub(d, q, f->point + 3 * i);
                if (high <= 0.0) {
                    most = fmax(most, zw_v3_dot(n, d));
                }
                if (low >= 0.0) {
                    most = fmax(most, -zw_v3_dot(n, d));
                }
            }
        }
    }
    return most;
}

/* the best separation of many directions, each improved by shrinking random moves: a lower bound of the gap */
static inline double best_sampled(samples *s, const zw_placed *a, const zw_placed *b, int directions, int moves) {
    double best = -INFINITY, n[3], at[3] = {1.0, 0.0, 0.0};
    for (int k = 0; k < directions; k++) {
        sample_length(s, 1.0, n);
        double value = separation_of(a, b, n);
        if (value > best) {
            best = value;
            zw_v3_copy(at, n);
        }
    }
    double step = 0.2;
    for (int k = 0; k < moves; k++) {
        sample_length(s, step, n);
        zw_v3_add(n, n, at);
        zw_v3_unit(n, n);
        double value = separation_of(a, b, n);
        if (value > best) {
            best = value;
            zw_v3_copy(at, n);
            step *= 1.5;
        } else {
            step *= 0.93;
        }
        step = step < 1e-9 ? 1e-3 : step;
    }
    return best;
}

#endif

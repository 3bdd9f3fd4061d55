/* SPDX-License-Identifier: Apache-2.0
 * feature_level.c: a corner (with a radius r: ball, end of a stick, node of a rod) against a level f(x, y, z, t) = 0 of an obstacle, located.
 *
 * P is the corner in the axes of the obstacle, V its rate there. With y the nearest point of the level, P - y = k grad f(y), and m = grad f/|grad f| at y,
 *   g = m.(P - y) - r,    g' = m.V + f_t/|grad f|,    g'' = m.A + m'.V,   m' = (1 - m m') H y'/|grad f|,   J (y', k') = (V, 0)
 *   J = (1 + k H, grad f; grad f', 0)
 * Over a box of inputs:
 *   f > 0 in P + [-r, r]^3   no contact, whatever is nearest
 *   r = 0                    f itself over P, and its rate and bend, over |grad f| in the middle: the same sign and the same root
 *   r > 0                    Krawczyk's operator for (y, k) from the middle shows that a box Y holds the nearest point for every state of the box, as far as it was
 *                            the nearest in the middle; gap, rate and bend follow from f, grad f, H over Y, the gap by the mean value. Only where P moves by less
 *                            than a quarter of its distance from the level: no wall is crossed then.
 * What is not shown is that the point found in the middle is the nearest of the whole level. */
#include "rows/feature_part.h"

#include "base/context.h"
#include "expr/interval.h"
#include "math/dense.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct found {                       /* at a state */
    double P[3], V[3], y[3], m[3], gap, own; /* own: rate of the gap by f_t */
} found;

static zw_meet_obstacle *obstacle_of(const zw_feature_side *s) {
    return &s->set->meet->obstacle[s->set->mover[s->set->pair[s->side.pair].mover[1]].index];
}

static void corner_at(zw_feature_side *s, const double *z, found *out) {
    const double *a = z, *b = z + ZW_MOVER_NUMBERS;
    double        r[3], arm[3], v[3], turned[3];
    zw_q_rotate(a + 3, s->c.p, r);
    zw_v3_cross(v, a + 10, r);
    zw_v3_add(v, v, a + 7);
    zw_v3_add(arm, r, a);
    zw_v3_sub(arm, arm, b);
    zw_q_rotate_back(b + 3, arm, out->P);
    zw_v3_cross(turned, b + 10, arm);
    zw_v3_sub(v, v, b + 7);
    zw_v3_sub(v, v, turned);
    zw_q_rotate_back(b + 3, v, out->V);
}

static zw_status nearest(zw_feature_side *s, const double *z, found *out) {
    corner_at(s, z, out);
    return zw_meet_level_nearest(s->set->meet, obstacle_of(s), out->P, s->c.d, z[ZW_FEATURE_INPUTS - 1], &out->gap, out->y, out->m,
                                 &out->own);
}

static zw_status look(zw_side *side, const zw_system *y, const zw_state *x, zw_side_look *at) {
    zw_feature_side *s = (zw_feature_side *)side;
    double           z[ZW_FEATURE_INPUTS];
    found            f;
    (void)y;
    ZW_TRY(zw_feature_numbers(s, x, z));
    ZW_TRY(nearest(s, z, &f));
    const double *a = z, *b = z + ZW_MOVER_NUMBERS;
    double        n[3], arm[3], v[3], turned[3];
    zw_q_rotate(b + 3, f.m, n);
    zw_q_rotate(a + 3, s->c.p, arm);
    zw_v3_cross(turned, arm, n);
    at->gap = f.gap;
    at->rate = zw_v3_dot(f.m, f.V) + f.own;
    at->slope = hypot(1.0, zw_v3_norm(turned));
    at->size = s->reach + zw_v3_norm(f.P) + zw_v3_norm(a);
    zw_v3_add(arm, arm, a);
    zw_v3_sub(arm, arm, b);
    zw_v3_cross(v, b + 10, arm);
    zw_v3_add(v, v, b + 7);
    at->drive = f.own - zw_v3_dot(n, v);
    at->rate_size = zw_v3_norm(a + 7) + zw_v3_norm(turned) * zw_v3_norm(a + 10) + zw_v3_norm(v) + fabs(f.own);
    return ZW_OK;
}

static zw_status row(zw_side *side, const zw_system *y, const zw_state *x, int64_t id, zw_rows *A) {
    zw_feature_side *s = (zw_feature_side *)side;
    double           z[ZW_FEATURE_INPUTS], slopes[12] = {0.0}, arm[3];
    found            f;
    (void)y;
    ZW_TRY(zw_feature_numbers(s, x, z));
    ZW_TRY(nearest(s, z, &f));
    zw_q_rotate(z + ZW_MOVER_NUMBERS + 3, f.m, slopes);
    zw_q_rotate(z + 3, s->c.p, arm);
    zw_v3_cross(slopes + 3, arm, slopes);
    return zw_feature_row(s, z, slopes, id, A);
}

/* ---- along a step */

static void eval(zw_side *side, const double *z, double *gap, double *rate) {
    zw_feature_side *s = (zw_feature_side *)side;
    found            f;
    if (nearest(s, z, &f) != ZW_OK) {
        zw_error_clear(side->context);
        *gap = INFINITY;
        *rate = 0.0;
        return;
    }
    *gap = f.gap;
    *rate = zw_v3_dot(f.m, f.V) + f.own;
}

/* f, its gradient, f_t and second derivatives over a box of places and times */
static void level_box(zw_feature_side *s, const zw_interval p[3], zw_interval t, zw_interval v[ZW_LEVEL_COUNT]) {
    const zw_meet_obstacle *o = obstacle_of(s);
    const zw_model         *m = s->set->model;
    zw_formulas            *f = &s->set->formulas;
    for (int i = 0; i < zw_pool_inputs(m->pool); i++) {
        f->level_in[i] = zw_interval_point(o->level.in[i]);
    }
    f->level_in[m->slot_x] = p[0];
    f->level_in[m->slot_y] = p[1];
    f->level_in[m->slot_z] = p[2];
    f->level_in[m->slot_t] = t;
    zw_tape_eval_interval(o->level.tape, f->level_in, f->level_work, v);
}

static zw_interval dot(const zw_interval *a, const zw_interval *b) {
    return zw_interval_add(zw_interval_mul(a[0], b[0]), zw_interval_add(zw_interval_mul(a[1], b[1]), zw_interval_mul(a[2], b[2])));
}

static double largest(zw_interval a) {
    return fmax(fabs(a.lo), fabs(a.hi));
}

static double middle(zw_interval a) {
    return 0.5 * (a.lo + a.hi);
}

/* J over Y and K */
static void jacobian(const zw_interval v[ZW_LEVEL_COUNT], zw_interval k, zw_interval J[16]) {
    static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            zw_interval part = zw_interval_mul(k, v[ZW_LEVEL_BENDS + at[3 * i + j]]);
            J[4 * i + j] = i == j ? zw_interval_add(part, zw_interval_point(1.0)) : part;
        }
        J[4 * i + 3] = J[12 + i] = v[ZW_LEVEL_GRADIENT + i];
    }
    J[15] = zw_interval_point(0.0);
}

/* r = 0: f over the box of P, scaled */
static void sharp(zw_feature_side *s, const zw_interval *z, const zw_interval *dz, zw_interval *gap, zw_interval *rate, zw_interval *bend) {
    static const int   at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    zw_formulas       *f = &s->set->formulas;
    zw_interval        P[3], V[3], A[3], v[ZW_LEVEL_COUNT], c[3], mid[ZW_LEVEL_COUNT], t = z[ZW_FEATURE_INPUTS - 1];
    zw_interval        half = {-0.5 * (t.hi - t.lo), 0.5 * (t.hi - t.lo)};
    const zw_interval *g = &v[ZW_LEVEL_GRADIENT];
    zw_feature_put_boxes(s, z, true, f->box);
    zw_tape_eval_interval(f->relative, f->box, f->box_work, P);
    zw_tape_eval_interval(f->relative_rate, f->box, f->box_work, V);
    level_box(s, P, t, v);
    for (int i = 0; i < 3; i++) {
        c[i] = zw_interval_point(middle(P[i]));
    }
    level_box(s, c, zw_interval_point(middle(t)), mid);
    double slope = sqrt(pow(middle(mid[1]), 2.0) + pow(middle(mid[2]), 2.0) + pow(middle(mid[3]), 2.0));
    slope = slope > 0.0 && isfinite(slope) ? slope : 1.0;
    zw_interval scale = zw_interval_point(1.0 / slope),
                mean = zw_interval_add(mid[ZW_LEVEL_VALUE], zw_interval_mul(v[ZW_LEVEL_RATE], half));
    for (int i = 0; i < 3; i++) {
        mean = zw_interval_add(mean, zw_interval_mul(g[i], zw_interval_sub(P[i], c[i])));
    }
    mean = (zw_interval){fmax(mean.lo, v[ZW_LEVEL_VALUE].lo), fmin(mean.hi, v[ZW_LEVEL_VALUE].hi)};
    *gap = zw_interval_mul(mean, scale);
    *rate = zw_interval_mul(zw_interval_add(dot(g, V), v[ZW_LEVEL_RATE]), scale);
    *bend = zw_interval_whole();
    if (dz == NULL || obstacle_of(s)->level.of_time) {
        return;
    }
    zw_feature_put_boxes(s, z, true, f->box);
    zw_feature_put_boxes(s, dz, false, f->slope);
    zw_tape_eval_interval_slope(f->relative_rate, f->box, f->slope, f->box_work, V, A);
    *bend = dot(g, A);
    for (int i = 0; i < 9; i++) {
        *bend = zw_interval_add(*bend, zw_interval_mul(v[ZW_LEVEL_BENDS + at[i]], zw_interval_mul(V[i / 3], V[i % 3])));
    }
    *bend = zw_interval_mul(*bend, scale);
}

typedef struct shown {
    found       at;                /* in the middle */
    zw_interval P[3], V[3];        /* of the box */
    zw_interval v[ZW_LEVEL_COUNT]; /* of the level over Y */
    zw_interval k, length;         /* length: |grad f| */
    double      C[16];             /* inverse of J in the middle */
} shown;

enum verdict { NOTHING, AWAY, SHOWN };

static enum verdict show(zw_feature_side *s, const zw_interval *z, shown *out) {
    zw_formulas *f = &s->set->formulas;
    zw_interval  t = z[ZW_FEATURE_INPUTS - 1], cube[3], Y[3], J[16], G[4], W[4];
    double       mid[ZW_FEATURE_INPUTS], k0, width = 0.0, lu[16], wide[4];
    int          pivot[4];
    zw_feature_put_boxes(s, z, true, f->box);
    zw_tape_eval_interval(f->relative, f->box, f->box_work, out->P);
    zw_tape_eval_interval(f->relative_rate, f->box, f->box_work, out->V);
    for (int i = 0; i < 3; i++) {
        cube[i] = (zw_interval){out->P[i].lo - s->c.d, out->P[i].hi + s->c.d};
        width = fmax(width, out->P[i].hi - out->P[i].lo);
    }
    level_box(s, cube, t, out->v);
    if (out->v[ZW_LEVEL_VALUE].lo > 0.0) {
        return AWAY;
    }
    for (int i = 0; i < ZW_FEATURE_INPUTS; i++) {
        mid[i] = z[i].lo <= z[i].hi ? middle(z[i]) : NAN;
    }
    if (nearest(s, mid, &out->at) != ZW_OK || !isfinite(width)) {
        zw_error_clear(s->side.context);
        return NOTHING;
    }
    double way = 0.0;
    for (int i = 0; i < 3; i++) {
        Y[i] = zw_interval_point(out->at.y[i]);
        way = hypot(way, fmax(out->P[i].hi - out->at.P[i], out->at.P[i] - out->P[i].lo));
    }
    if (!(4.0 * way < out->at.gap + s->c.d)) {
        return NOTHING;
    }
    level_box(s, Y, zw_interval_point(mid[ZW_FEATURE_INPUTS - 1]), out->v);
    double length = 0.0, reach = 0.0;
    for (int i = 0; i < 3; i++) {
        double g = middle(out->v[ZW_LEVEL_GRADIENT + i]);
        length += g * g;
        reach += (out->at.P[i] - out->at.y[i]) * g;
    }
    k0 = reach / length;
    jacobian(out->v, zw_interval_point(k0), J);
    for (int i = 0; i < 16; i++) {
        lu[i] = middle(J[i]);
        out->C[i] = i % 5 == 0 ? 1.0 : 0.0; /* columns of the inverse */
    }
    if (zw_lu_factor(4, lu, pivot) >= 0) {
        return NOTHING;
    }
    for (int j = 0; j < 4; j++) {
        double b[4] = {0.0, 0.0, 0.0, 0.0};
        b[j] = 1.0;
        zw_lu_solve(4, lu, pivot, 1, b);
        for (int i = 0; i < 4; i++) {
            out->C[4 * i + j] = b[i];
        }
    }
    /* G at the middle, for all P and t of the box */
    level_box(s, Y, t, out->v);
    for (int i = 0; i < 3; i++) {
        G[i] = zw_interval_sub(zw_interval_add(Y[i], zw_interval_mul(zw_interval_point(k0), out->v[ZW_LEVEL_GRADIENT + i])), out->P[i]);
    }
    G[3] = out->v[ZW_LEVEL_VALUE];
    for (int i = 0; i < 4; i++) {
        W[i] = zw_interval_point(0.0);
        for (int j = 0; j < 4; j++) {
            W[i] = zw_interval_sub(W[i], zw_interval_mul(zw_interval_point(out->C[4 * i + j]), G[j]));
        }
        wide[i] = 1.5 * largest(W[i]) + 1e-15 * (1.0 + fabs(i < 3 ? out->at.y[i] : k0));
    }
    for (int tries = 0; tries < 6; tries++) {
        bool        inside = true;
        zw_interval K = {k0 - wide[3], k0 + wide[3]}, next[4];
        for (int i = 0; i < 3; i++) {
            Y[i] = (zw_interval){out->at.y[i] - wide[i], out->at.y[i] + wide[i]};
        }
        level_box(s, Y, t, out->v);
        jacobian(out->v, K, J);
        for (int i = 0; i < 4; i++) {
            next[i] = W[i];
            for (int j = 0; j < 4; j++) { /* (1 - C J) */
                zw_interval part = zw_interval_point(i == j ? 1.0 : 0.0);
                for (int l = 0; l < 4; l++) {
                    part = zw_interval_sub(part, zw_interval_mul(zw_interval_point(out->C[4 * i + l]), J[4 * l + j]));
                }
                next[i] = zw_interval_add(next[i], zw_interval_mul(part, (zw_interval){-wide[j], wide[j]}));
            }
            inside = inside && next[i].lo > -wide[i] && next[i].hi < wide[i];
        }
        if (inside) {
            out->k = K;
            out->length = zw_interval_sqrt(zw_interval_add(
                zw_interval_powi(out->v[1], 2), zw_interval_add(zw_interval_powi(out->v[2], 2), zw_interval_powi(out->v[3], 2))));
            return out->length.lo > 0.0 ? SHOWN : NOTHING;
        }
        for (int i = 0; i < 4; i++) {
            wide[i] = 1.5 * fmax(wide[i], largest(next[i]));
        }
    }
    return NOTHING;
}

static void gap_and_rate(const shown *b, zw_interval t, zw_interval *gap, zw_interval *rate) {
    const zw_interval *g = &b->v[ZW_LEVEL_GRADIENT];
    zw_interval        away[3], half = {-0.5 * (t.hi - t.lo), 0.5 * (t.hi - t.lo)};
    double             round = 16.0 * DBL_EPSILON * (zw_v3_norm(b->at.P) + zw_v3_norm(b->at.y));
    for (int i = 0; i < 3; i++) {
        away[i] = zw_interval_sub(b->P[i], zw_interval_point(b->at.P[i]));
    }
    *gap = zw_interval_add(dot(g, away), zw_interval_mul(b->v[ZW_LEVEL_RATE], half));
    *gap = zw_interval_add(zw_interval_div(*gap, b->length), (zw_interval){b->at.gap - round, b->at.gap + round});
    *rate = zw_interval_div(zw_interval_add(dot(g, b->V), b->v[ZW_LEVEL_RATE]), b->length);
}

static void enclose(zw_side *side, const zw_interval *z, zw_interval *gap, zw_interval *rate) {
    zw_feature_side *s = (zw_feature_side *)side;
    shown            b;
    zw_interval      bend;
    if (s->c.d == 0.0) {
        sharp(s, z, NULL, gap, rate, &bend);
        return;
    }
    enum verdict v = show(s, z, &b);
    *gap = v == AWAY ? (zw_interval){DBL_MIN, INFINITY} : zw_interval_whole();
    *rate = zw_interval_whole();
    if (v == SHOWN) {
        gap_and_rate(&b, z[ZW_FEATURE_INPUTS - 1], gap, rate);
    }
}

static void enclose_bend(zw_side *side, const zw_interval *z, const zw_interval *dz, zw_interval *rate, zw_interval *bend) {
    static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    zw_feature_side *s = (zw_feature_side *)side;
    zw_formulas     *f = &s->set->formulas;
    shown            b;
    zw_interval      gap, A[3], V[3], J[16], turn[4], Hy[3], m[3];
    double           off = 0.0, most = 0.0;
    if (s->c.d == 0.0) {
        sharp(s, z, dz, &gap, rate, bend);
        return;
    }
    *rate = *bend = zw_interval_whole();
    if (show(s, z, &b) != SHOWN) {
        return;
    }
    gap_and_rate(&b, z[ZW_FEATURE_INPUTS - 1], &gap, rate);
    if (obstacle_of(s)->level.of_time) {
        return;
    }
    zw_feature_put_boxes(s, z, true, f->box);
    zw_feature_put_boxes(s, dz, false, f->slope);
    zw_tape_eval_interval_slope(f->relative_rate, f->box, f->slope, f->box_work, V, A);
    jacobian(b.v, b.k, J);
    for (int i = 0; i < 4; i++) { /* C (V, 0), and how far C J is from 1 */
        double sum = 0.0;
        turn[i] = zw_interval_point(0.0);
        for (int j = 0; j < 3; j++) {
            turn[i] = zw_interval_add(turn[i], zw_interval_mul(zw_interval_point(b.C[4 * i + j]), b.V[j]));
        }
        most = fmax(most, largest(turn[i]));
        for (int j = 0; j < 4; j++) {
            zw_interval part = zw_interval_point(i == j ? 1.0 : 0.0);
            for (int l = 0; l < 4; l++) {
                part = zw_interval_sub(part, zw_interval_mul(zw_interval_point(b.C[4 * i + l]), J[4 * l + j]));
            }
            sum += largest(part);
        }
        off = fmax(off, sum);
    }
    if (!(off < 0.9)) {
        return;
    }
    double wide = off / (1.0 - off) * most * (1.0 + 8.0 * DBL_EPSILON);
    for (int i = 0; i < 4; i++) {
        turn[i] = zw_interval_add(turn[i], (zw_interval){-wide, wide});
    }
    for (int i = 0; i < 3; i++) {
        Hy[i] = zw_interval_point(0.0);
        m[i] = zw_interval_div(b.v[ZW_LEVEL_GRADIENT + i], b.length);
        for (int j = 0; j < 3; j++) {
            Hy[i] = zw_interval_add(Hy[i], zw_interval_mul(b.v[ZW_LEVEL_BENDS + at[3 * i + j]], turn[j]));
        }
    }
    zw_interval bent = zw_interval_sub(dot(Hy, b.V), zw_interval_mul(dot(m, Hy), dot(m, b.V)));
    *bend = zw_interval_add(dot(m, A), zw_interval_div(bent, b.length));
}

static void destroy(zw_side *side) {
    (void)side; /* the set has it */
}

static const zw_side_kind of_level = {
    .destroy = destroy,
    .look = look,
    .row = row,
    .restitution = zw_feature_restitution,
    .read = zw_feature_read,
    .eval = eval,
    .enclose = enclose,
    .enclose_bend = enclose_bend,
    .rates = zw_feature_rates,
    .timed = zw_feature_timed,
};

zw_status zw_feature_level_init(zw_features *set, zw_feature_side *s) {
    const zw_meet_obstacle *o = obstacle_of(s);
    zw_formulas            *f = &set->formulas;
    s->side.kind = &of_level;
    s->side.partly = false;
    s->side.moves = s->side.moves || o->level.of_time;
    s->side.text = "the form does not reach into the level";
    if (f->level_in != NULL) {
        return ZW_OK;
    }
    int work = 1;
    for (int i = 0; i < set->meet->nobstacles; i++) {
        const zw_meet_obstacle *other = &set->meet->obstacle[i];
        int                     n = other->kind == ZW_SOLID_LEVEL ? zw_tape_work(other->level.tape) : 0;
        work = n > work ? n : work;
    }
    f->level_in = zw_alloc(set->context, (size_t)zw_pool_inputs(set->model->pool) + 1, sizeof *f->level_in, "features");
    f->level_work = zw_alloc(set->context, 2 * (size_t)work + 1, sizeof *f->level_work, "features");
    return f->level_in != NULL && f->level_work != NULL ? ZW_OK : ZW_E_MEMORY;
}

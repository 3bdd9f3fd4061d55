/* SPDX-License-Identifier: Apache-2.0
 * meet_cross.c: did sticks pass through each other between two states? Gaps at the two ends do not tell: a link that moves by more than its thickness in a step may be on the other side
 * of another, apart from it before and after. Looked at are the axes of links, capsules and cylinders, their ends moving straight from state to state. Two axes
 * a + s u and b + r v, 0 <= s, r <= 1, all linear in the time tau of the step, meet only where
 *   (b - a).(u x v) = 0        a cubic in tau,
 * and do where s and r of a root are within their sticks. Nothing is searched for while no end moves by twice the least radius: from one side of a stick to the other side of
 * another it is that far at least for one of them. */
#include "rows/meet_step.h"

#include "math/vec3.h"
#include "rows/meet_part.h"

#include <math.h>

typedef struct segment { /* the ends of an axis, before and after */
    double p[2][2][3];   /* [state][end] */
} segment;

static void ends_of(const zw_placed *at, double half, double out[2][3]) {
    double u[3];
    zw_m3_column(u, at->R, 2);
    zw_v3_addscaled(out[0], at->x, -half, u);
    zw_v3_addscaled(out[1], at->x, half, u);
}

static void piece_at(const zw_meet *s, const zw_state *x, int i, zw_form *own, zw_placed *out) {
    const zw_meet_piece *p = &s->piece[i];
    zw_state             part = zw_meet_slice(s, p, x);
    s->part[p->part].ops->carrier->place(s->part[p->part].self, &part, p->k, own, out);
}

static bool piece_segment(const zw_meet *s, const zw_state *x0, const zw_state *x1, int i, segment *out) {
    zw_form   own;
    zw_placed at;
    for (int state = 0; state < 2; state++) {
        piece_at(s, state == 0 ? x0 : x1, i, &own, &at);
        if (at.form->shape != ZW_SHAPE_STICK) {
            return false;
        }
        ends_of(&at, at.form->half, out->p[state]);
    }
    return true;
}

/* far: as long as an endless one has to be */
static zw_status obstacle_segment(zw_meet *s, const zw_state *x0, const zw_state *x1, int i, double far, segment *out, bool *is) {
    zw_meet_obstacle *o = &s->obstacle[i];
    *is = o->kind == ZW_SOLID_ENDLESS || (o->kind == ZW_SOLID_FORM && o->form.shape == ZW_SHAPE_STICK);
    for (int state = 0; state < 2 && *is; state++) {
        zw_placed at;
        ZW_TRY(zw_meet_obstacle_at(s, o, state == 0 ? x0->t : x1->t));
        zw_v3_copy(at.x, o->x);
        for (int k = 0; k < 9; k++) {
            at.R[k] = o->R[k];
        }
        ends_of(&at, o->kind == ZW_SOLID_ENDLESS ? far + zw_v3_norm(o->x) : o->form.half, out->p[state]);
    }
    return ZW_OK;
}

static double way_of(const segment *a) {
    return fmax(zw_v3_distance(a->p[0][0], a->p[1][0]), zw_v3_distance(a->p[0][1], a->p[1][1]));
}

static void box_of(const segment *a, zw_box *out) {
    for (int k = 0; k < 3; k++) {
        out->low[k] = fmin(fmin(a->p[0][0][k], a->p[0][1][k]), fmin(a->p[1][0][k], a->p[1][1][k]));
        out->high[k] = fmax(fmax(a->p[0][0][k], a->p[0][1][k]), fmax(a->p[1][0][k], a->p[1][1][k]));
    }
}

/* ends of both at tau: first end of a, u, first end of b, v */
static void at_time(const segment *a, const segment *b, double tau, double out[4][3]) {
    for (int k = 0; k < 3; k++) {
        double p = a->p[0][0][k] + tau * (a->p[1][0][k] - a->p[0][0][k]), q = a->p[0][1][k] + tau * (a->p[1][1][k] - a->p[0][1][k]);
        double r = b->p[0][0][k] + tau * (b->p[1][0][k] - b->p[0][0][k]), t = b->p[0][1][k] + tau * (b->p[1][1][k] - b->p[0][1][k]);
        out[0][k] = p;
        out[1][k] = q - p;
        out[2][k] = r;
        out[3][k] = t - r;
    }
}

static double volume(const segment *a, const segment *b, double tau) {
    double at[4][3], w[3], d[3];
    at_time(a, b, tau, at);
    zw_v3_cross(w, at[1], at[3]);
    zw_v3_sub(d, at[2], at[0]);
    return zw_v3_dot(d, w);
}

/* do the axes meet at tau, where they lie in one plane? Up to 1e-9 beyond the ends, so that nothing slips through a node */
static bool meet_at(const segment *a, const segment *b, double tau) {
    const double slack = 1e-9;
    double       at[4][3], w[3], d[3], m[3];
    at_time(a, b, tau, at);
    zw_v3_cross(w, at[1], at[3]);
    zw_v3_sub(d, at[2], at[0]);
    double ww = zw_v3_norm2(w);
    if (!(ww > 1e-24 * zw_v3_norm2(at[1]) * zw_v3_norm2(at[3]))) {
        return false; /* parallel: those beside them meet */
    }
    zw_v3_cross(m, d, at[3]);
    double s = zw_v3_dot(m, w) / ww;
    zw_v3_cross(m, d, at[1]);
    double r = zw_v3_dot(m, w) / ww;
    return s >= -slack && s <= 1.0 + slack && r >= -slack && r <= 1.0 + slack;
}

static bool root_in(const segment *a, const segment *b, double low, double high) {
    double at_low = volume(a, b, low), at_high = volume(a, b, high);
    if (at_low * at_high > 0.0) {
        return false;
    }
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high), value = volume(a, b, middle);
        bool   left = at_low * value <= 0.0;
        high = left ? middle : high;
        low = left ? low : middle;
        at_low = left ? at_low : value;
    }
    return meet_at(a, b, 0.5 * (low + high));
}

/* between the turns of the cubic there is at most one root */
static bool crosses(const segment *a, const segment *b) {
    double f0 = volume(a, b, 0.0), f1 = volume(a, b, 1.0), fm = volume(a, b, -1.0), f2 = volume(a, b, 2.0);
    /* f = c0 + c1 x + c2 x^2 + c3 x^3 from four values */
    double c2 = 0.5 * (f1 + fm) - f0, c3 = (f2 - f0 - 4.0 * c2 - (f1 - fm)) / 6.0, c1 = 0.5 * (f1 - fm) - c3;
    double cut[4] = {0.0, 1.0, 1.0, 1.0}, D = c2 * c2 - 3.0 * c3 * c1;
    int    n = 1;
    if (D > 0.0) {
        double q = -(c2 + copysign(sqrt(D), c2)), turn[2] = {c3 != 0.0 ? q / (3.0 * c3) : NAN, q != 0.0 ? c1 / q : NAN};
        double low = fmin(turn[0], turn[1]), high = fmax(turn[0], turn[1]);
        if (low > 0.0 && low < 1.0) {
            cut[n++] = low;
        }
        if (high > 0.0 && high < 1.0 && high != low) {
            cut[n++] = high;
        }
    }
    cut[n] = 1.0;
    for (int i = 0; i < n; i++) {
        if (root_in(a, b, cut[i], cut[i + 1])) {
            return true;
        }
    }
    return false;
}

static bool skips(void *user, int i, int j) {
    const zw_meet *s = user;
    return i >= s->npieces || zw_meet_skips(user, i, j < s->npieces ? j : s->npieces + s->obstacle[j - s->npieces].solid0);
}

static zw_status segment_of(zw_meet *s, const zw_state *x0, const zw_state *x1, int i, double far, segment *out, bool *is) {
    if (i < s->npieces) {
        *is = piece_segment(s, x0, x1, i, out);
        return ZW_OK;
    }
    return obstacle_segment(s, x0, x1, i - s->npieces, far, out, is);
}

zw_status zw_meet_crossing(zw_meet *s, const zw_state *x0, const zw_state *x1, bool *out, zw_meeting *who) {
    double         way = 0.0, thin = INFINITY, far = 0.0;
    const zw_pair *pair;
    size_t         count;
    segment        a, b;
    *out = false;
    for (int i = 0; i < s->npieces; i++) {
        zw_form   own;
        zw_placed at;
        if (piece_segment(s, x0, x1, i, &a)) {
            piece_at(s, x0, i, &own, &at);
            thin = fmin(thin, at.form->radius);
            way = fmax(way, way_of(&a));
            far = fmax(far, fmax(zw_v3_norm(a.p[0][0]), zw_v3_norm(a.p[1][1])) + way + 2.0 * at.form->half);
            box_of(&a, &s->box[i]);
        } else {
            s->box[i] = (zw_box){.low = {1.0}, .high = {0.0}};
        }
    }
    for (int i = 0; i < s->nobstacles; i++) {
        bool is;
        ZW_TRY(obstacle_segment(s, x0, x1, i, far, &a, &is));
        s->box[s->npieces + i] = (zw_box){.low = {1.0}, .high = {0.0}};
        if (is) {
            way = fmax(way, s->obstacle[i].moves ? way_of(&a) : 0.0);
            box_of(&a, &s->box[s->npieces + i]);
        }
    }
    if (!(way >= 2.0 * thin)) {
        return ZW_OK;
    }
    ZW_TRY(zw_sweep_pairs(&s->sweep, s->box, s->npieces + s->nobstacles, skips, s, &pair, &count));
    for (size_t k = 0; k < count && !*out; k++) {
        bool one, two;
        ZW_TRY(segment_of(s, x0, x1, pair[k].i, far, &a, &one));
        ZW_TRY(segment_of(s, x0, x1, pair[k].j, far, &b, &two));
        if (one && two && crosses(&a, &b)) {
            *out = true;
            *who = (zw_meeting){.side = -1, .a = pair[k].i, .b = pair[k].j < s->npieces ? pair[k].j : -1 - (pair[k].j - s->npieces)};
        }
    }
    return ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * feature_rim.c: the place on the rim of a drum that is nearest to a line (axis of a stick, of another drum, a link of a rod), or farthest from the axis of
 * a pipe that it is in.
 *
 * The point at the angle phi of a rim about c is P = c + rho (cos phi X + sin phi Y). Across the direction of the line its distance is |A + B cos phi + C sin phi|,
 * whose square Q (half of it, negative in a pipe) has up to two minima. A side looks at one sector of the rim. Where dQ/dphi = 0 < d2Q/dphi2 the gap F(phi)
 * with that distance is least too, d2F/dphi2 = (d2Q/dphi2)/distance there, and
 *   g = F,   g' = F' at constant phi,   g'' = F'' - (dF'/dphi)^2/(d2F/dphi2)
 * Over a box of inputs Newton's operator phi - Q_phi(box, phi)/Q_phiphi(box, Phi) within Phi shows that Phi holds the place for every state in the box. What is
 * left of the sector must have no such place, or a positive gap. */
#include "rows/feature_part.h"

#include "expr/interval.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

enum { ARCS = 8 };

static const double OVER = 0.2; /* rad that sectors overlap: where the place is near an end of one, it is inside of another */

typedef struct rim {
    double A[3], B[3], C[3], sign;
} rim;

static void across(double d[3], const double u[3]) {
    zw_v3_addscaled(d, d, -zw_v3_dot(u, d), u);
}

static rim rim_at(const zw_feature_side *s, const double *z) {
    const double *a = z, *b = z + ZW_MOVER_NUMBERS;
    double        e[3], u[3], f[3];
    rim           r = {.sign = s->c.sign};
    zw_q_rotate(a + 3, s->c.p, r.A);
    zw_v3_add(r.A, r.A, a);
    zw_q_rotate(b + 3, s->c.e, e);
    zw_v3_add(e, e, b);
    zw_v3_sub(r.A, r.A, e);
    zw_q_rotate(b + 3, s->c.u, u);
    zw_q_rotate(a + 3, s->c.f, f);
    zw_q_rotate(a + 3, s->c.o, r.B);
    zw_v3_cross(r.C, f, r.B);
    zw_v3_scale(r.B, s->c.rho, r.B);
    zw_v3_scale(r.C, s->c.rho, r.C);
    across(r.A, u);
    across(r.B, u);
    across(r.C, u);
    return r;
}

/* half the square of the distance, with the sign of the gap, and its slope */
static double square(const rim *r, double phi, double *slope) {
    double d[3], along[3], c = cos(phi), s = sin(phi);
    for (int i = 0; i < 3; i++) {
        d[i] = r->A[i] + r->B[i] * c + r->C[i] * s;
        along[i] = r->C[i] * c - r->B[i] * s;
    }
    *slope = r->sign * zw_v3_dot(d, along);
    return 0.5 * r->sign * zw_v3_dot(d, d);
}

static double bend(const rim *r, double phi) {
    double d[3], along[3], c = cos(phi), s = sin(phi);
    for (int i = 0; i < 3; i++) {
        d[i] = r->B[i] * c + r->C[i] * s;
        along[i] = r->C[i] * c - r->B[i] * s;
    }
    double inner = zw_v3_dot(r->A, d) + zw_v3_dot(d, d);
    return r->sign * (zw_v3_dot(along, along) - inner);
}

/* slope negative at lo, positive at hi */
static double solve(const rim *r, double lo, double hi) {
    double phi = 0.5 * (lo + hi);
    for (int i = 0; i < 80 && hi - lo > 4.0 * DBL_EPSILON * (1.0 + fabs(phi)); i++) {
        double slope;
        square(r, phi, &slope);
        *(slope < 0.0 ? &lo : &hi) = phi;
        double next = phi - slope / bend(r, phi);
        if (next == phi) {
            break;
        }
        phi = i % 4 != 3 && next > lo && next < hi ? next : 0.5 * (lo + hi);
    }
    return phi;
}

bool zw_rim_solve(const zw_feature_side *s, const double *z, double *phi) {
    rim    r = rim_at(s, z);
    double from = s->c.phi - OVER, width = (2.0 * PI / ZW_RIM_SECTORS + 2.0 * OVER) / ARCS, best = INFINITY, before, after;
    bool   found = false;
    square(&r, from, &before);
    for (int i = 0; i < ARCS; i++) {
        square(&r, from + (i + 1) * width, &after);
        if (before < 0.0 && after >= 0.0) {
            double at = solve(&r, from + i * width, from + (i + 1) * width), slope, value = square(&r, at, &slope);
            if (value < best) {
                best = value;
                *phi = at;
                found = true;
            }
        }
        before = after;
    }
    return found;
}

double zw_rim_pace(const zw_feature_side *s, const double *z) {
    const double *a = z, *b = z + ZW_MOVER_NUMBERS;
    double        phi, slope, relative[3], arm[3];
    rim           r = rim_at(s, z);
    if (!zw_rim_solve(s, z, &phi)) {
        return 0.0;
    }
    /* most that the slope changes per time, over its bend */
    double way = sqrt(2.0 * fabs(square(&r, phi, &slope)));
    zw_v3_sub(relative, a + 7, b + 7);
    zw_v3_sub(arm, a, b);
    double turn = zw_v3_norm(a + 10) + zw_v3_norm(b + 10), speed = zw_v3_norm(relative) + turn * (zw_v3_norm(arm) + s->c.rho);
    double steep = fmax(bend(&r, phi), 1e-9 * s->c.rho * s->c.rho);
    return s->c.rho * (speed + turn * way) / steep;
}

/* no place in the arc: the gap is positive there, its slope has one sign, or it bends the other way. Halved where that cannot be seen */
static bool idle(zw_formulas *f, int angle, zw_interval arc, int depth, double *least) {
    const zw_formula *of = &f->of[ZW_RIM_ROUND];
    zw_interval       gap, round[ZW_ROUND_ROOTS];
    f->box[angle] = arc;
    zw_tape_eval_interval(of->gap, f->box, f->box_work, &gap);
    if (gap.lo > 0.0) {
        *least = fmin(*least, gap.lo);
        return true;
    }
    zw_tape_eval_interval(of->round, f->box, f->box_work, round);
    if (round[ZW_ROUND_SLOPE].lo > 0.0 || round[ZW_ROUND_SLOPE].hi < 0.0 || round[ZW_ROUND_BEND].hi < 0.0) {
        return true;
    }
    if (depth > 0) {
        double mid = 0.5 * (arc.lo + arc.hi);
        bool   left = idle(f, angle, (zw_interval){arc.lo, mid}, depth - 1, least);
        return idle(f, angle, (zw_interval){mid, arc.hi}, depth - 1, least) && left;
    }
    *least = fmin(*least, gap.lo);
    return false;
}

bool zw_rim_enclose(zw_feature_side *s, const double *middle, zw_interval *phi, double *least) {
    zw_formulas      *f = &s->set->formulas;
    const zw_formula *of = &f->of[ZW_RIM_ROUND];
    int               angle = f->constant[ZW_FORMULA_NUMBERS - 1];
    double            at = 0.0, from = s->c.phi - OVER, width = (2.0 * PI / ZW_RIM_SECTORS + 2.0 * OVER) / ARCS, wide = 1e-15;
    bool              shown = false;
    zw_interval       held = {0.0, 0.0}, round[ZW_ROUND_ROOTS], slope[ZW_ROUND_ROOTS];
    for (int i = 0; i < 10 && !shown && zw_rim_solve(s, middle, &at); i++) { /* Newton's operator */
        held = (zw_interval){at - wide, at + wide};
        f->box[angle] = zw_interval_point(at);
        zw_tape_eval_interval(of->round, f->box, f->box_work, slope);
        f->box[angle] = held;
        zw_tape_eval_interval(of->round, f->box, f->box_work, round);
        if (!(round[ZW_ROUND_BEND].lo > 0.0)) {
            break;
        }
        double far =
            fmax(fabs(slope[ZW_ROUND_SLOPE].lo), fabs(slope[ZW_ROUND_SLOPE].hi)) / round[ZW_ROUND_BEND].lo * (1.0 + 4.0 * DBL_EPSILON);
        shown = far < wide;
        wide = shown ? wide : 1.5 * far + 1e-15;
        if (!(wide < 0.5)) {
            break;
        }
    }
    *least = INFINITY;
    bool alone = true;
    for (int i = 0; i < ARCS; i++) {
        zw_interval arc = {from + i * width, from + (i + 1) * width};
        if (shown && arc.hi > held.lo - width && arc.lo < held.hi + width) { /* beside it the slope rises: no other place */
            f->box[angle] = zw_interval_hull(arc, held);
            zw_tape_eval_interval(of->round, f->box, f->box_work, round);
            if (round[ZW_ROUND_BEND].lo > 0.0) {
                continue;
            }
        }
        alone = idle(f, angle, arc, 4, least) && alone;
    }
    if (!shown) {
        *least = *least == INFINITY ? 1.0 : *least; /* nothing there at all */
        return false;
    }
    if (!alone) {
        zw_interval gap;
        f->box[angle] = held;
        zw_tape_eval_interval(of->gap, f->box, f->box_work, &gap);
        *least = fmin(*least, gap.lo);
        return false;
    }
    *phi = held;
    return true;
}

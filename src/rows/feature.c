/* SPDX-License-Identifier: Apache-2.0
 * feature.c: a feature of two forms as a side. Its inputs along a step are the numbers of its two movers; its row is the derivative of the rate by their
 * velocities, brought to the columns of their bodies. */
#include "rows/feature_part.h"

#include "base/context.h"
#include "expr/interval.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* square of the sine of edges that have no crossing to speak of: others near by are felt then; of a rim that lies flat */
static const double PARALLEL = 1e-6, FLAT = 1e-18;

static void destroy(zw_side *side) {
    (void)side; /* the set has it */
}

static int mover_of(const zw_feature_side *s, int k) {
    return s->set->pair[s->side.pair].mover[k == 0 ? s->first : 1 - s->first];
}

static double least_across(const zw_feature_side *s) {
    return s->kind == ZW_RIM_FACE ? FLAT : PARALLEL;
}

static void constants_of(const zw_feature_side *s, double c[ZW_FORMULA_NUMBERS]) {
    zw_v3_copy(c, s->c.p);
    zw_v3_copy(c + 3, s->c.f);
    zw_v3_copy(c + 6, s->c.e);
    zw_v3_copy(c + 9, s->c.u);
    zw_v3_copy(c + 12, s->c.o);
    c[15] = s->c.d;
    c[16] = s->c.sign;
    c[17] = s->c.rho;
    c[18] = s->c.phi;
}

/* numbers of the movers and of the feature; false: a rim that has no nearest place in the sector of the side */
static bool put(const zw_feature_side *s, const double *z, double *in) {
    const zw_formulas *f = &s->set->formulas;
    double             c[ZW_FORMULA_NUMBERS];
    bool               there = true;
    constants_of(s, c);
    if (s->kind == ZW_RIM_ROUND) {
        there = zw_rim_solve(s, z, &c[18]);
    }
    for (int i = 0; i < ZW_FEATURE_INPUTS - 1; i++) {
        in[f->slot[i]] = z[i];
    }
    for (int i = 0; i < ZW_FORMULA_NUMBERS; i++) {
        in[f->constant[i]] = c[i];
    }
    return there;
}

zw_status zw_feature_numbers(zw_feature_side *s, const zw_state *x, double *z) {
    z[ZW_FEATURE_INPUTS - 1] = x->t;
    ZW_TRY(zw_features_mover(s->set, mover_of(s, 0), x, z));
    return zw_features_mover(s->set, mover_of(s, 1), x, z + ZW_MOVER_NUMBERS);
}

/* gap, rate and slopes; false: there are none here (parallel edges, a rim that lies flat) */
bool zw_feature_evaluate(zw_feature_side *s, const double *z, double out[ZW_AT_ROOTS]) {
    zw_formulas *f = &s->set->formulas;
    if (!put(s, z, f->in)) {
        return false;
    }
    if (f->of[s->kind].across != NULL) {
        double across;
        zw_tape_eval(f->of[s->kind].across, f->in, f->work, &across);
        if (!(across >= least_across(s))) {
            return false;
        }
    }
    zw_tape_eval(f->of[s->kind].at, f->in, f->work, out);
    for (int i = 0; i < ZW_AT_ROOTS; i++) {
        if (!isfinite(out[i])) {
            return false;
        }
    }
    return true;
}

static zw_status look(zw_side *side, const zw_system *y, const zw_state *x, zw_side_look *at) {
    zw_feature_side *s = (zw_feature_side *)side;
    double           z[ZW_FEATURE_INPUTS], out[ZW_AT_ROOTS];
    (void)y;
    *at = (zw_side_look){.gap = INFINITY, .size = s->reach};
    ZW_TRY(zw_feature_numbers(s, x, z));
    if (!zw_feature_evaluate(s, z, out)) {
        return ZW_OK;
    }
    at->gap = out[ZW_AT_GAP];
    at->rate = out[ZW_AT_RATE];
    for (int k = 0; k < 2; k++) {
        bool          obstacle = s->set->mover[mover_of(s, k)].kind == ZW_MOVER_OBSTACLE;
        const double *slopes = out + ZW_AT_SLOPES + 6 * (ptrdiff_t)k, *speeds = z + ZW_MOVER_NUMBERS * (ptrdiff_t)k + 7;
        /* directions are known to round-off: what moves across the gradient counts too */
        at->rate_size += zw_v3_norm(slopes) * zw_v3_norm(speeds) + zw_v3_norm(slopes + 3) * zw_v3_norm(speeds + 3);
        for (int i = 0; i < 6; i++) {
            double slope = slopes[i], speed = speeds[i];
            at->drive += obstacle ? slope * speed : 0.0;
            at->slope = hypot(at->slope, obstacle ? 0.0 : slope);
            at->size += i < 3 ? fabs(slope * z[ZW_MOVER_NUMBERS * k + i]) : 0.0;
        }
    }
    return ZW_OK;
}

/* a block of six columns: moments in the axes of the body, forces in space */
static void add_six(zw_rows *A, int col0, const double moment[3], const double force[3]) {
    double *a = A->a + A->nvalues;
    zw_v3_copy(a, moment);
    zw_v3_copy(a + 3, force);
    A->block[A->nblocks++] = (zw_block){.col0 = col0, .ncol = 6, .a = A->nvalues};
    A->nvalues += 6;
}

/* a link has its middle between its nodes and turns with u x (v1 - v0)/length */
static void add_link(const zw_mover *m, const zw_part *part, const double *z, const double *by_v, const double *by_w, zw_rows *A) {
    static const double nothing[3], ez[3] = {0.0, 0.0, 1.0};
    double              u[3], turn[3], on[2][3];
    zw_q_rotate(z + 3, ez, u);
    zw_v3_cross(turn, by_w, u);
    for (int k = 0; k < 2; k++) {
        zw_v3_scale(on[k], 0.5, by_v);
        zw_v3_addscaled(on[k], on[k], (k == 0 ? -0.5 : 0.5) / z[ZW_MOVER_NUMBERS - 1], turn);
    }
    bool rising = m->index < m->far; /* a ring ends with its first node */
    add_six(A, part->v0 + ZW_ROD_NV * (rising ? m->index : m->far), nothing, on[rising ? 0 : 1]);
    add_six(A, part->v0 + ZW_ROD_NV * (rising ? m->far : m->index), nothing, on[rising ? 1 : 0]);
}

static void add_block(const zw_feature_side *s, int k, const double *z, const double *slopes, zw_rows *A) {
    const zw_mover *m = &s->set->mover[mover_of(s, k)];
    const zw_part  *part = &s->set->parts[m->part];
    const double   *by_v = slopes + 6 * (ptrdiff_t)k, *by_w = by_v + 3, *own = z + ZW_MOVER_NUMBERS * (ptrdiff_t)k;
    double          moment[3], *a = A->a + A->nvalues;
    if (m->kind == ZW_MOVER_LINK) {
        add_link(m, part, own, by_v, by_w, A);
    } else if (m->kind == ZW_MOVER_RIGID && m->rigid->planar) {
        for (int i = 0; i < 3; i++) {
            a[i] = zw_v3_dot(i == 0 ? by_w : by_v, m->rigid->plane + 3 * (ptrdiff_t)i);
        }
        A->block[A->nblocks++] = (zw_block){.col0 = part->v0 + m->rigid->v0, .ncol = 3, .a = A->nvalues};
        A->nvalues += 3;
    } else {
        zw_q_rotate_back(own + 3, by_w, moment);
        add_six(A, part->v0 + (m->kind == ZW_MOVER_RIGID ? m->rigid->v0 : ZW_ROD_NV * m->index), moment, by_v);
    }
}

zw_status zw_feature_row(zw_feature_side *s, const double *z, const double *slopes, int64_t id, zw_rows *A) {
    zw_tile *tile = &A->tile[A->ntiles++];
    *tile = (zw_tile){.id = id, .row = A->m++, .m = 1, .block0 = A->nblocks, .kind = ZW_ROW_EQUAL};
    for (int k = 0; k < 2; k++) { /* pieces are numbered in the order of their columns */
        int which = k == 0 ? s->first : 1 - s->first;
        if (s->set->mover[mover_of(s, which)].kind != ZW_MOVER_OBSTACLE) {
            add_block(s, which, z, slopes, A);
        }
    }
    tile->nblocks = A->nblocks - tile->block0;
    return ZW_OK;
}

static zw_status row(zw_side *side, const zw_system *y, const zw_state *x, int64_t id, zw_rows *A) {
    zw_feature_side *s = (zw_feature_side *)side;
    double           z[ZW_FEATURE_INPUTS], out[ZW_AT_ROOTS] = {0};
    (void)y;
    ZW_TRY(zw_feature_numbers(s, x, z));
    zw_feature_evaluate(s, z, out);
    return zw_feature_row(s, z, out + ZW_AT_SLOPES, id, A);
}

/* rate of half the length of a link */
static double stretching(const zw_feature_side *s, const zw_mover *m, const double *z, const zw_state *x) {
    static const double ez[3] = {0.0, 0.0, 1.0};
    const double       *v = x->v + s->set->parts[m->part].v0;
    double              u[3], d[3];
    zw_q_rotate(z + 3, ez, u);
    zw_v3_sub(d, v + ZW_ROD_NV * (ptrdiff_t)m->far + 3, v + ZW_ROD_NV * (ptrdiff_t)m->index + 3);
    return 0.5 * zw_v3_dot(u, d);
}

static zw_status acceleration(zw_side *side, const zw_system *y, const zw_state *x, double *D) {
    zw_feature_side *s = (zw_feature_side *)side;
    zw_formulas     *f = &s->set->formulas;
    double           z[ZW_FEATURE_INPUTS], at[ZW_AT_ROOTS];
    (void)y;
    ZW_TRY(zw_feature_numbers(s, x, z));
    if (!zw_feature_evaluate(s, z, at)) {
        *D = 0.0;
        return ZW_OK;
    }
    zw_tape_eval(f->of[s->kind].bend, f->in, f->work, D);
    if (s->kind == ZW_RIM_ROUND) { /* the nearest place moves along the rim */
        double round[ZW_ROUND_ROOTS];
        zw_tape_eval(f->of[s->kind].round, f->in, f->work, round);
        *D -= round[ZW_ROUND_RATE] * round[ZW_ROUND_RATE] * round[ZW_ROUND_WAY] / round[ZW_ROUND_BEND];
    }
    for (int k = 0; k < 2; k++) { /* a link that is stretched turns slower: w' = -2 (L'/L) w at constant velocities of its nodes */
        const zw_mover *m = &s->set->mover[mover_of(s, k)];
        if (m->kind == ZW_MOVER_LINK) {
            const double *own = z + ZW_MOVER_NUMBERS * (ptrdiff_t)k;
            *D -=
                2.0 * stretching(s, m, own, x) / own[ZW_MOVER_NUMBERS - 1] * zw_v3_dot(at + ZW_AT_SLOPES + 6 * (ptrdiff_t)k + 3, own + 10);
        }
    }
    return ZW_OK;
}

zw_status zw_feature_restitution(zw_side *side, const zw_system *y, const zw_state *x, double *e) {
    (void)y;
    (void)x;
    *e = ((zw_feature_side *)side)->set->meet->restitution;
    return ZW_OK;
}

/* ---- along a step */

void zw_feature_read(zw_side *side, const zw_system *y, const zw_state *x, double *z) {
    zw_feature_side *s = (zw_feature_side *)side;
    (void)y;
    if (zw_feature_numbers(s, x, z) != ZW_OK) { /* an obstacle whose motion is not finite: never shown to be far away */
        zw_error_clear(side->context);
        for (int i = 0; i < ZW_FEATURE_INPUTS - 1; i++) {
            z[i] = NAN;
        }
    }
}

static void eval(zw_side *side, const double *z, double *gap, double *rate) {
    zw_feature_side *s = (zw_feature_side *)side;
    zw_formulas     *f = &s->set->formulas;
    if (!put(s, z, f->in)) {
        *gap = INFINITY;
        *rate = 0.0;
        return;
    }
    zw_tape_eval(f->of[s->kind].gap, f->in, f->work, gap);
    zw_tape_eval(f->of[s->kind].rate, f->in, f->work, rate);
}

void zw_feature_put_boxes(const zw_feature_side *s, const zw_interval *z, bool constants, zw_interval *to) {
    const zw_formulas *f = &s->set->formulas;
    double             c[ZW_FORMULA_NUMBERS];
    constants_of(s, c);
    for (int i = 0; i < ZW_FEATURE_INPUTS - 1; i++) {
        bool fine = z[i].lo <= z[i].hi;
        to[f->slot[i]] = fine ? z[i] : (zw_interval){-INFINITY, INFINITY};
    }
    for (int i = 0; i < ZW_FORMULA_NUMBERS; i++) {
        to[f->constant[i]] = constants ? (zw_interval){c[i], c[i]} : (zw_interval){0.0, 0.0};
    }
}

/* edges that are parallel all over the box */
static bool parallel(zw_feature_side *s) {
    zw_formulas *f = &s->set->formulas;
    zw_interval  across;
    if (f->of[s->kind].across == NULL) {
        return false;
    }
    zw_tape_eval_interval(f->of[s->kind].across, f->box, f->box_work, &across);
    return across.hi < least_across(s);
}

/* the angles of the rim over the box; false: gap and rate are told already */
static bool put_angles(zw_feature_side *s, const zw_interval *z, zw_interval *gap, zw_interval *rate) {
    zw_formulas *f = &s->set->formulas;
    double       middle[ZW_FEATURE_INPUTS], least;
    for (int i = 0; i < ZW_FEATURE_INPUTS - 1; i++) {
        middle[i] = z[i].lo <= z[i].hi ? 0.5 * (z[i].lo + z[i].hi) : 0.0;
    }
    if (zw_rim_enclose(s, middle, &f->box[f->constant[ZW_FORMULA_NUMBERS - 1]], &least)) {
        return true;
    }
    *gap = (zw_interval){least, INFINITY};
    *rate = (zw_interval){-INFINITY, INFINITY};
    return false;
}

static void enclose(zw_side *side, const zw_interval *z, zw_interval *gap, zw_interval *rate) {
    zw_feature_side *s = (zw_feature_side *)side;
    zw_formulas     *f = &s->set->formulas;
    zw_feature_put_boxes(s, z, true, f->box);
    if (parallel(s)) {
        *gap = *rate = (zw_interval){1.0, 1.0};
        return;
    }
    if (s->kind == ZW_RIM_ROUND && !put_angles(s, z, gap, rate)) {
        return;
    }
    zw_tape_eval_interval(f->of[s->kind].rate, f->box, f->box_work, rate);
    if (s->kind == ZW_RIM_ROUND) { /* least at the place: from any other one, at most half the bend times the square of the way less */
        zw_interval *phi = &f->box[f->constant[ZW_FORMULA_NUMBERS - 1]], round[ZW_ROUND_ROOTS];
        double       at = 0.5 * (phi->lo + phi->hi), way = fmax(phi->hi - at, at - phi->lo);
        zw_tape_eval_interval(f->of[s->kind].round, f->box, f->box_work, round);
        double slope = fmax(fabs(round[ZW_ROUND_SLOPE].lo), fabs(round[ZW_ROUND_SLOPE].hi)) / round[ZW_ROUND_WAY].lo;
        double bend = (round[ZW_ROUND_BEND].hi + slope * slope) / round[ZW_ROUND_WAY].lo;
        *phi = zw_interval_point(at);
        zw_tape_eval_interval(f->of[s->kind].gap, f->box, f->box_work, gap);
        gap->lo -= isfinite(bend) && round[ZW_ROUND_WAY].lo > 0.0 ? 0.51 * bend * way * way : INFINITY;
        return;
    }
    zw_tape_eval_interval(f->of[s->kind].gap, f->box, f->box_work, gap);
}

static void enclose_bend(zw_side *side, const zw_interval *z, const zw_interval *dz, zw_interval *rate, zw_interval *bend) {
    zw_feature_side *s = (zw_feature_side *)side;
    zw_formulas     *f = &s->set->formulas;
    zw_interval      gap, round[ZW_ROUND_ROOTS];
    zw_feature_put_boxes(s, z, true, f->box);
    zw_feature_put_boxes(s, dz, false, f->slope);
    if (parallel(s)) {
        *rate = (zw_interval){1.0, 1.0};
        *bend = (zw_interval){0.0, 0.0};
        return;
    }
    if (s->kind == ZW_RIM_ROUND && !put_angles(s, z, &gap, rate)) {
        *bend = (zw_interval){-INFINITY, INFINITY};
        return;
    }
    zw_tape_eval_interval_slope(f->of[s->kind].rate, f->box, f->slope, f->box_work, rate, bend);
    if (s->kind == ZW_RIM_ROUND) { /* d(angle)/dt = -rate/(bend/way) */
        zw_tape_eval_interval(f->of[s->kind].round, f->box, f->box_work, round);
        zw_interval part =
            zw_interval_div(zw_interval_mul(zw_interval_powi(round[ZW_ROUND_RATE], 2), round[ZW_ROUND_WAY]), round[ZW_ROUND_BEND]);
        *bend = zw_interval_sub(*bend, part);
    }
}

/* places move with the velocities, which are known better than differences of places */
void zw_feature_rates(zw_side *side, const zw_interval *z, zw_interval *dz) {
    (void)side;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) {
            dz[ZW_MOVER_NUMBERS * k + i] = z[ZW_MOVER_NUMBERS * k + 7 + i];
        }
    }
}

/* a sharp corner of a rigid body on an obstacle at rest is a point that may stick; round corners roll, and edges meet anywhere */
static bool place(const zw_side *side, const zw_system *y, zw_place *out) {
    const zw_feature_side *s = (const zw_feature_side *)side;
    const zw_form_pair    *p = &s->set->pair[s->side.pair];
    const zw_mover        *a = &s->set->mover[p->mover[s->first]], *b = &s->set->mover[p->mover[1 - s->first]];
    zw_form_shape          shape = p->form[s->first].form->shape;
    bool                   corner = s->kind <= ZW_CORNER_PIPE && (shape == ZW_SHAPE_BLOCK || shape == ZW_SHAPE_CLOUD);
    const zw_part         *parts;
    double                 u[3];
    if (!corner || a->kind != ZW_MOVER_RIGID || b->kind != ZW_MOVER_OBSTACLE || s->side.moves) {
        return false;
    }
    zw_system_parts(y, &parts);
    zw_q_rotate(a->rigid->axes, s->c.p, u); /* movers are in principal axes */
    bool found = parts[a->part].ops->place(parts[a->part].self, a->index, u, out);
    out->part = a->part;
    return found;
}

static const zw_side_kind of_bodies = {
    .destroy = destroy,
    .look = look,
    .row = row,
    .acceleration = acceleration,
    .restitution = zw_feature_restitution,
    .read = zw_feature_read,
    .eval = eval,
    .enclose = enclose,
    .enclose_bend = enclose_bend,
    .rates = zw_feature_rates,
    .touches = zw_feature_touches,
    .place = place,
    .margin = zw_feature_margin,
};

bool zw_feature_timed(const zw_side *side, int input) {
    const zw_feature_side *s = (const zw_feature_side *)side;
    return input < 2 * ZW_MOVER_NUMBERS && zw_features_mover_timed(s->set, mover_of(s, input / ZW_MOVER_NUMBERS));
}

/* obstacles that move have accelerations of their own: by differences */
static const zw_side_kind of_moving_obstacle = {
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
    .touches = zw_feature_touches,
    .margin = zw_feature_margin,
};

void zw_feature_side_init(zw_features *set, zw_feature_side *s, int pair, int first, zw_formula_kind kind) {
    const zw_form_pair *p = &set->pair[pair];
    bool                moves = false;
    int                 blocks = 0;
    *s = (zw_feature_side){.set = set, .first = first, .kind = kind};
    for (int k = 0; k < 2; k++) {
        const zw_mover *m = &set->mover[p->mover[k]];
        moves = moves || (m->kind == ZW_MOVER_OBSTACLE && set->meet->obstacle[m->index].moves);
        blocks += m->kind == ZW_MOVER_LINK ? 2 : m->kind != ZW_MOVER_OBSTACLE;
    }
    s->side = (zw_side){.kind = moves ? &of_moving_obstacle : &of_bodies,
                        .context = set->context,
                        .model = set->model,
                        .text = "the forms do not overlap",
                        .at = zw_features_pair_where(set, pair),
                        .moves = moves,
                        .partly = true,
                        .pair = pair,
                        .blocks = blocks,
                        .columns = 6 * blocks,
                        .inputs = ZW_FEATURE_INPUTS};
}

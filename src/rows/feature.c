/* SPDX-License-Identifier: Apache-2.0
 * feature.c: a feature of two forms as a side. Its inputs along a step are the numbers of its two movers; its row is the derivative of the rate by their
 * velocities, brought to the columns of their bodies. */
#include "rows/feature_part.h"

#include "base/context.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

static const double PARALLEL = 1e-6; /* square of the sine of edges that have no crossing to speak of; others near by are felt then */

static void destroy(zw_side *side) {
    (void)side; /* the set has it */
}

static int mover_of(const zw_feature_side *s, int k) {
    return s->set->pair[s->side.pair].mover[k == 0 ? s->first : 1 - s->first];
}

static void put(const zw_feature_side *s, const double *z, double *in) {
    const zw_formulas *f = &s->set->formulas;
    const double      *c = s->c.p; /* p, f, e, u are one behind the other */
    for (int i = 0; i < ZW_FEATURE_INPUTS - 1; i++) {
        in[f->slot[i]] = z[i];
    }
    for (int i = 0; i < 3; i++) {
        in[f->constant[i]] = c[i];
        in[f->constant[3 + i]] = s->c.f[i];
        in[f->constant[6 + i]] = s->c.e[i];
        in[f->constant[9 + i]] = s->c.u[i];
    }
    in[f->constant[12]] = s->c.d;
    in[f->constant[13]] = s->c.sign;
    in[f->constant[14]] = s->c.rho;
}

static zw_status numbers(zw_feature_side *s, const zw_state *x, double *z) {
    z[ZW_FEATURE_INPUTS - 1] = x->t;
    ZW_TRY(zw_features_mover(s->set, mover_of(s, 0), x, z));
    return zw_features_mover(s->set, mover_of(s, 1), x, z + ZW_MOVER_NUMBERS);
}

/* gap, rate and slopes; false: there are none here (parallel edges, a rim that lies flat) */
static bool evaluate(zw_feature_side *s, const double *z, double out[ZW_AT_ROOTS]) {
    zw_formulas *f = &s->set->formulas;
    put(s, z, f->in);
    if (f->of[s->kind].across != NULL) {
        double across;
        zw_tape_eval(f->of[s->kind].across, f->in, f->work, &across);
        if (!(across >= PARALLEL)) {
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
    ZW_TRY(numbers(s, x, z));
    if (!evaluate(s, z, out)) {
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

static void add_block(const zw_feature_side *s, int k, const double *z, const double *slopes, zw_rows *A) {
    const zw_mover *m = &s->set->mover[mover_of(s, k)];
    const zw_part  *part = &s->set->parts[m->part];
    const double   *by_v = slopes + 6 * (ptrdiff_t)k, *by_w = by_v + 3;
    double         *a = A->a + A->nvalues;
    bool            planar = m->kind == ZW_MOVER_RIGID && m->rigid->planar;
    int             v0 = m->kind == ZW_MOVER_RIGID ? m->rigid->v0 : ZW_ROD_NV * m->index, nv = planar ? 3 : 6;
    if (planar) {
        for (int i = 0; i < 3; i++) {
            a[i] = zw_v3_dot(i == 0 ? by_w : by_v, m->rigid->plane + 3 * (ptrdiff_t)i);
        }
    } else {
        zw_q_rotate_back(z + ZW_MOVER_NUMBERS * (ptrdiff_t)k + 3, by_w, a);
        zw_v3_copy(a + 3, by_v);
    }
    A->block[A->nblocks++] = (zw_block){.col0 = part->v0 + v0, .ncol = nv, .a = A->nvalues};
    A->nvalues += nv;
}

static zw_status row(zw_side *side, const zw_system *y, const zw_state *x, int64_t id, zw_rows *A) {
    zw_feature_side *s = (zw_feature_side *)side;
    double           z[ZW_FEATURE_INPUTS], out[ZW_AT_ROOTS] = {0};
    (void)y;
    ZW_TRY(numbers(s, x, z));
    evaluate(s, z, out);
    zw_tile *tile = &A->tile[A->ntiles++];
    *tile = (zw_tile){.id = id, .row = A->m++, .m = 1, .block0 = A->nblocks, .kind = ZW_ROW_EQUAL};
    for (int k = 0; k < 2; k++) { /* pieces are numbered in the order of their columns */
        int which = k == 0 ? s->first : 1 - s->first;
        if (s->set->mover[mover_of(s, which)].kind != ZW_MOVER_OBSTACLE) {
            add_block(s, which, z, out + ZW_AT_SLOPES, A);
        }
    }
    tile->nblocks = A->nblocks - tile->block0;
    return ZW_OK;
}

static zw_status acceleration(zw_side *side, const zw_system *y, const zw_state *x, double *D) {
    zw_feature_side *s = (zw_feature_side *)side;
    zw_formulas     *f = &s->set->formulas;
    double           z[ZW_FEATURE_INPUTS];
    (void)y;
    ZW_TRY(numbers(s, x, z));
    put(s, z, f->in);
    zw_tape_eval(f->of[s->kind].bend, f->in, f->work, D);
    return ZW_OK;
}

static zw_status restitution(zw_side *side, const zw_system *y, const zw_state *x, double *e) {
    (void)y;
    (void)x;
    *e = ((zw_feature_side *)side)->set->meet->restitution;
    return ZW_OK;
}

/* ---- along a step */

static void read(zw_side *side, const zw_system *y, const zw_state *x, double *z) {
    zw_feature_side *s = (zw_feature_side *)side;
    (void)y;
    if (numbers(s, x, z) != ZW_OK) { /* an obstacle whose motion is not finite: never shown to be far away */
        zw_error_clear(side->context);
        for (int i = 0; i < ZW_FEATURE_INPUTS - 1; i++) {
            z[i] = NAN;
        }
    }
}

static void eval(zw_side *side, const double *z, double *gap, double *rate) {
    zw_feature_side *s = (zw_feature_side *)side;
    zw_formulas     *f = &s->set->formulas;
    put(s, z, f->in);
    zw_tape_eval(f->of[s->kind].gap, f->in, f->work, gap);
    zw_tape_eval(f->of[s->kind].rate, f->in, f->work, rate);
}

static void put_boxes(const zw_feature_side *s, const zw_interval *z, bool constants, zw_interval *to) {
    const zw_formulas *f = &s->set->formulas;
    double             c[ZW_FORMULA_NUMBERS];
    memcpy(c, s->c.p, sizeof s->c.p);
    memcpy(c + 3, s->c.f, sizeof s->c.f);
    memcpy(c + 6, s->c.e, sizeof s->c.e);
    memcpy(c + 9, s->c.u, sizeof s->c.u);
    c[12] = s->c.d;
    c[13] = s->c.sign;
    c[14] = s->c.rho;
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
    return across.hi < PARALLEL;
}

static void enclose(zw_side *side, const zw_interval *z, zw_interval *gap, zw_interval *rate) {
    zw_feature_side *s = (zw_feature_side *)side;
    zw_formulas     *f = &s->set->formulas;
    put_boxes(s, z, true, f->box);
    if (parallel(s)) {
        *gap = *rate = (zw_interval){1.0, 1.0};
        return;
    }
    zw_tape_eval_interval(f->of[s->kind].gap, f->box, f->box_work, gap);
    zw_tape_eval_interval(f->of[s->kind].rate, f->box, f->box_work, rate);
}

static void enclose_bend(zw_side *side, const zw_interval *z, const zw_interval *dz, zw_interval *rate, zw_interval *bend) {
    zw_feature_side *s = (zw_feature_side *)side;
    zw_formulas     *f = &s->set->formulas;
    put_boxes(s, z, true, f->box);
    put_boxes(s, dz, false, f->slope);
    if (parallel(s)) {
        *rate = (zw_interval){1.0, 1.0};
        *bend = (zw_interval){0.0, 0.0};
        return;
    }
    zw_tape_eval_interval_slope(f->of[s->kind].rate, f->box, f->slope, f->box_work, rate, bend);
}

/* places move with the velocities, which are known better than differences of places */
static void rates(zw_side *side, const zw_interval *z, zw_interval *dz) {
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
    .restitution = restitution,
    .read = read,
    .eval = eval,
    .enclose = enclose,
    .enclose_bend = enclose_bend,
    .rates = rates,
    .touches = zw_feature_touches,
    .place = place,
    .margin = zw_feature_margin,
};

/* obstacles that move have accelerations of their own: by differences */
static const zw_side_kind of_moving_obstacle = {
    .destroy = destroy,
    .look = look,
    .row = row,
    .restitution = restitution,
    .read = read,
    .eval = eval,
    .enclose = enclose,
    .enclose_bend = enclose_bend,
    .rates = rates,
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
        blocks += m->kind != ZW_MOVER_OBSTACLE;
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

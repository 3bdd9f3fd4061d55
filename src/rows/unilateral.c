/* SPDX-License-Identifier: Apache-2.0
 * unilateral.c: sides made of expressions. One tape gives all numbers of a state, two small ones (g, g') are for boxes. */
#include "rows/unilateral.h"

#include "base/number.h"
#include "parts/lagrangian_part.h"
#include "parts/rigid.h"
#include "rows/unilateral_build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GAP, RATE, BEND, DRIVE, SLOPES }; /* roots of the tape; then N, then dg/du */

typedef struct expression {
    zw_side                  side;
    const zw_unilateral_def *def;
    int                      part, index, point; /* of its body, and which of the points; -1: coordinates */
    zw_side_build            b;
    bool                     quasi;
    int                      col0, ncol; /* of its row, in the part */
    zw_tape                 *tape, *gap, *rate, *bounce;
    bool                     by_loss;
    double                  *in, *work, *out;
    zw_interval             *box, *slope, *box_work;
} expression;

static void destroy(zw_side *side) {
    expression *s = (expression *)side;
    zw_context *c = s->side.context;
    zw_tape_destroy(s->tape);
    zw_tape_destroy(s->gap);
    zw_tape_destroy(s->rate);
    zw_tape_destroy(s->bounce);
    zw_free(c, s->b.slot_u);
    zw_free(c, s->b.slot_v);
    zw_free(c, s->b.at_u);
    zw_free(c, s->b.at_v);
    zw_free(c, s->b.rate);
    zw_free(c, s->in);
    zw_free(c, s->work);
    zw_free(c, s->out);
    zw_free(c, s->box);
    zw_free(c, s->slope);
    zw_free(c, s->box_work);
    zw_free(c, s);
}

static void name_side(expression *s, int point) {
    const zw_body_def *body = &s->side.model->bodies[s->def->body];
    if (point < 0 || s->def->npoints < 2) {
        snprintf(s->side.name, sizeof s->side.name, "%s", s->def->name);
        return;
    }
    int                          number = s->def->point[point];
    const zw_lagrange_point_def *p = body->kind == ZW_BODY_RIGID ? body->rigid.point : body->lagrangian.point;
    snprintf(s->side.name, sizeof s->side.name, "%s.%s", s->def->name, p[number].name);
}

static zw_status make_tapes(expression *s) {
    zw_pool       *pool = s->side.model->pool;
    zw_side_build *b = &s->b;
    size_t         roots = SLOPES + (size_t)b->nv + (size_t)b->nu, along = (size_t)b->nu + 1;
    zw_status      status = ZW_OK;
    zw_node       *root = zw_alloc(s->side.context, roots + along, sizeof *root, "a unilateral constraint");
    int           *slot = zw_alloc(s->side.context, along, sizeof *slot, "a unilateral constraint");
    if (root == NULL || slot == NULL) {
        status = ZW_E_MEMORY;
        goto done;
    }
    zw_node *seed = root + roots;
    for (int i = 0; i < b->nu; i++) {
        slot[i] = b->slot_u[i];
        seed[i] = b->rate[i];
    }
    slot[b->nu] = s->side.model->slot_t;
    seed[b->nu] = zw_node_constant(pool, 1.0);
    root[GAP] = b->gap;
    ZW_TRY_GOTO(zw_node_push(pool, 1, &root[GAP], b->nu + 1, slot, seed, &root[RATE]), done);
    ZW_TRY_GOTO(zw_node_push(pool, 1, &root[RATE], b->nu + 1, slot, seed, &root[BEND]), done);
    root[DRIVE] = zw_node_diff(pool, root[GAP], s->side.model->slot_t);
    if (root[DRIVE] == 0) {
        status = ZW_E_MEMORY;
        goto done;
    }
    ZW_TRY_GOTO(zw_node_gradient(pool, root[RATE], b->nv, b->slot_v, root + SLOPES), done);
    ZW_TRY_GOTO(zw_node_gradient(pool, root[GAP], b->nu, b->slot_u, root + SLOPES + b->nv), done);
    ZW_TRY_GOTO(zw_tape_create(s->side.context, pool, root, (int)roots, &s->tape), done);
    ZW_TRY_GOTO(zw_tape_create(s->side.context, pool, &root[GAP], 1, &s->gap), done);
    ZW_TRY_GOTO(zw_tape_create(s->side.context, pool, &root[RATE], 1, &s->rate), done);
    ZW_TRY_GOTO(zw_tape_create(s->side.context, pool, &b->bounce, 1, &s->bounce), done);
    s->side.moves = zw_node_depends(pool, b->gap, s->side.model->slot_t);
done:
    zw_free(s->side.context, root);
    zw_free(s->side.context, slot);
    return status;
}

static size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

static zw_status reserve(expression *s) {
    zw_context *c = s->side.context;
    size_t      inputs = (size_t)zw_pool_inputs(s->side.model->pool);
    size_t      work = most(most((size_t)zw_tape_work(s->tape), (size_t)zw_tape_work(s->bounce)), (size_t)zw_tape_work(s->rate)),
           box = 2 * most((size_t)zw_tape_work(s->gap), (size_t)zw_tape_work(s->rate));
    s->in = zw_alloc(c, inputs + 1, sizeof *s->in, "a unilateral constraint");
    s->work = zw_alloc(c, work + 1, sizeof *s->work, "a unilateral constraint");
    s->out = zw_alloc(c, SLOPES + (size_t)s->b.nv + (size_t)s->b.nu, sizeof *s->out, "a unilateral constraint");
    s->box = zw_alloc(c, inputs + 1, sizeof *s->box, "a unilateral constraint");
    s->slope = zw_alloc(c, inputs + 1, sizeof *s->slope, "a unilateral constraint");
    s->box_work = zw_alloc(c, box + 1, sizeof *s->box_work, "a unilateral constraint");
    if (s->in == NULL || s->work == NULL || s->out == NULL || s->box == NULL || s->slope == NULL || s->box_work == NULL) {
        return ZW_E_MEMORY;
    }
    zw_model_inputs(s->side.model, s->in);
    for (size_t i = 0; i < inputs; i++) {
        s->box[i] = (zw_interval){s->in[i], s->in[i]};
    }
    return ZW_OK;
}

static zw_state part_state(const expression *s, const zw_system *y, const zw_state *x, int *v0) {
    const zw_part *parts;
    zw_system_parts(y, &parts);
    *v0 = parts[s->part].v0;
    return (zw_state){.t = x->t, .q = x->q + parts[s->part].q0, .v = x->v + parts[s->part].v0};
}

static void read(zw_side *side, const zw_system *y, const zw_state *x, double *z) {
    expression   *s = (expression *)side;
    int           v0;
    zw_state      body = part_state(s, y, x, &v0);
    const double *v = s->quasi ? zw_lagrangian_motion_at(s->b.L, &body)->qdot : body.v;
    for (int i = 0; i < s->b.nu; i++) {
        z[i] = body.q[s->b.at_u[i]];
    }
    for (int i = 0; i < s->b.nv; i++) {
        z[s->b.nu + i] = v[s->b.at_v[i]];
    }
    z[s->b.nu + s->b.nv] = x->t;
}

static void put_inputs(expression *s, const double *z) {
    for (int i = 0; i < s->b.nu; i++) {
        s->in[s->b.slot_u[i]] = z[i];
    }
    for (int i = 0; i < s->b.nv; i++) {
        s->in[s->b.slot_v[i]] = z[s->b.nu + i];
    }
    s->in[s->side.model->slot_t] = z[s->b.nu + s->b.nv];
}

/* numbers of the tape at a state, in s->out */
static zw_status look(expression *s, const zw_system *y, const zw_state *x) {
    int           v0;
    zw_state      body = part_state(s, y, x, &v0);
    const double *v = s->quasi ? zw_lagrangian_motion_at(s->b.L, &body)->qdot : body.v;
    bool          finite = true;
    for (int i = 0; i < s->b.nu; i++) {
        s->in[s->b.slot_u[i]] = body.q[s->b.at_u[i]];
    }
    for (int i = 0; i < s->b.nv; i++) {
        s->in[s->b.slot_v[i]] = v[s->b.at_v[i]];
    }
    s->in[s->side.model->slot_t] = x->t;
    zw_tape_eval(s->tape, s->in, s->work, s->out);
    for (int i = 0; i < SLOPES + s->b.nv; i++) {
        finite = finite && (isfinite(s->out[i]) || i == BEND);
    }
    if (finite) {
        return ZW_OK;
    }
    zw_text text;
    char    subject[140], time[ZW_NUMBER_TEXT];
    zw_text_init(&text, s->side.context);
    zw_tape_explain(s->tape, s->in, &text);
    snprintf(subject, sizeof subject, "constraint '%s'", s->side.name);
    zw_status status =
        zw_model_raise(s->side.model, ZW_E_DIVERGED, s->def->at, subject,
                       "write the gap so that it and its gradient are defined wherever the body may come",
                       "it or its derivative is not finite at t = %s s: %s", zw_number_short(x->t, 8, time), text.s != NULL ? text.s : "");
    zw_text_destroy(&text);
    return status;
}

static zw_status look_at(zw_side *side, const zw_system *y, const zw_state *x, zw_side_look *out) {
    expression *s = (expression *)side;
    ZW_TRY(look(s, y, x));
    const double *N = s->out + SLOPES, *G = N + s->b.nv;
    *out = (zw_side_look){.gap = s->out[GAP],
                          .rate = s->out[RATE],
                          .drive = s->out[DRIVE],
                          .size = fabs(s->out[DRIVE] * x->t),
                          .rate_size = fabs(s->out[DRIVE])};
    for (int i = 0; i < s->b.nu; i++) {
        out->size += fabs(G[i] * s->in[s->b.slot_u[i]]);
    }
    for (int i = 0; i < s->b.nv; i++) {
        out->rate_size += fabs(N[i] * s->in[s->b.slot_v[i]]);
        out->slope = hypot(out->slope, N[i]);
    }
    return ZW_OK;
}

static zw_status row(zw_side *side, const zw_system *y, const zw_state *x, int64_t id, zw_rows *A) {
    expression *s = (expression *)side;
    int         v0;
    ZW_TRY(look(s, y, x));
    zw_state      body = part_state(s, y, x, &v0);
    const double *N = s->out + SLOPES;
    double       *a = A->a + A->nvalues;
    for (int i = 0; i < s->ncol; i++) {
        a[i] = 0.0;
    }
    if (s->quasi) { /* columns of a moving frame: N W */
        const double *W = zw_lagrangian_record_at(s->b.L, &body)->W;
        for (int k = 0; k < s->b.nv; k++) {
            for (int j = 0; j < s->ncol; j++) {
                a[j] += N[k] * W[s->b.L->n * s->b.at_v[k] + j];
            }
        }
    } else {
        for (int k = 0; k < s->b.nv; k++) {
            a[s->b.at_v[k] - s->col0] = N[k];
        }
    }
    A->tile[A->ntiles] = (zw_tile){.id = id, .row = A->m, .m = 1, .block0 = A->nblocks, .nblocks = 1, .kind = ZW_ROW_EQUAL};
    A->block[A->nblocks] = (zw_block){.col0 = v0 + s->col0, .ncol = s->ncol, .a = A->nvalues};
    A->ntiles++;
    A->m++;
    A->nblocks++;
    A->nvalues += s->ncol;
    return ZW_OK;
}

static zw_status acceleration(zw_side *side, const zw_system *y, const zw_state *x, double *D) {
    expression *s = (expression *)side;
    ZW_TRY(look(s, y, x));
    *D = s->out[BEND];
    return ZW_OK;
}

/* what is left of the rate when the quasi-velocities vanish */
static zw_status still(zw_side *side, const zw_system *y, const zw_state *x, double *b) {
    expression *s = (expression *)side;
    int         v0;
    ZW_TRY(look(s, y, x));
    zw_state                    body = part_state(s, y, x, &v0);
    const zw_lagrangian_record *r = zw_lagrangian_record_at(s->b.L, &body);
    *b = -s->out[RATE];
    for (int k = 0; k < s->b.nv; k++) {
        for (int j = 0; j < s->ncol; j++) {
            *b += s->out[SLOPES + k] * r->W[s->b.L->n * s->b.at_v[k] + j] * body.v[j];
        }
    }
    return ZW_OK;
}

static zw_status restitution(zw_side *side, const zw_system *y, const zw_state *x, double *e) {
    expression *s = (expression *)side;
    double      value;
    ZW_TRY(look(s, y, x));
    zw_tape_eval(s->bounce, s->in, s->work, &value);
    return zw_side_bounce(side, s->by_loss, value, s->b.bounce_at, x->t, e);
}

static void eval(zw_side *side, const double *z, double *gap, double *rate) {
    expression *s = (expression *)side;
    put_inputs(s, z);
    zw_tape_eval(s->gap, s->in, s->work, gap);
    zw_tape_eval(s->rate, s->in, s->work, rate);
}

static void put_boxes(const expression *s, const zw_interval *z, zw_interval *to) {
    for (int i = 0; i < s->b.nu; i++) {
        to[s->b.slot_u[i]] = z[i];
    }
    for (int i = 0; i < s->b.nv; i++) {
        to[s->b.slot_v[i]] = z[s->b.nu + i];
    }
    to[s->side.model->slot_t] = z[s->b.nu + s->b.nv];
}

static void enclose(zw_side *side, const zw_interval *z, zw_interval *gap, zw_interval *rate) {
    expression *s = (expression *)side;
    put_boxes(s, z, s->box);
    zw_tape_eval_interval(s->gap, s->box, s->box_work, gap);
    zw_tape_eval_interval(s->rate, s->box, s->box_work, rate);
}

static void enclose_bend(zw_side *side, const zw_interval *z, const zw_interval *dz, zw_interval *rate, zw_interval *bend) {
    expression *s = (expression *)side;
    put_boxes(s, z, s->box);
    put_boxes(s, dz, s->slope);
    zw_tape_eval_interval_slope(s->rate, s->box, s->slope, s->box_work, rate, bend);
}

static bool place(const zw_side *side, const zw_system *y, zw_place *out) {
    const expression *s = (const expression *)side;
    const zw_part    *parts;
    double            u[3] = {s->point, 0.0, 0.0};
    if (s->point < 0) {
        return false;
    }
    zw_system_parts(y, &parts);
    if (s->side.model->bodies[s->def->body].kind == ZW_BODY_RIGID) {
        memcpy(u, ((const zw_rigids *)parts[s->part].self)->body[s->index].point + 3 * (ptrdiff_t)s->point, sizeof u);
    }
    bool found = parts[s->part].ops->place(parts[s->part].self, s->index, u, out);
    out->part = s->part;
    return found;
}

static const zw_side_kind of_velocities = {
    .destroy = destroy,
    .look = look_at,
    .row = row,
    .acceleration = acceleration,
    .restitution = restitution,
    .read = read,
    .eval = eval,
    .enclose = enclose,
    .enclose_bend = enclose_bend,
    .place = place,
};

/* in a moving frame qdot changes at constant quasi-velocities: the acceleration comes from differences */
static const zw_side_kind of_quasi_velocities = {
    .destroy = destroy,
    .look = look_at,
    .row = row,
    .restitution = restitution,
    .read = read,
    .eval = eval,
    .enclose = enclose,
    .enclose_bend = enclose_bend,
    .still = still,
    .place = place,
};

zw_status zw_side_create(const zw_model *m, int unilateral, int point, const zw_part *part, int part_number, int index, zw_side **out) {
    zw_status   status = ZW_OK;
    expression *s = zw_alloc(m->context, 1, sizeof *s, "a unilateral constraint");
    *out = NULL;
    if (s == NULL) {
        return ZW_E_MEMORY;
    }
    s->def = &m->unilaterals[unilateral];
    s->side = (zw_side){
        .kind = &of_velocities, .context = m->context, .model = m, .text = s->def->text, .at = s->def->at, .pair = -1, .blocks = 1};
    s->part = part_number;
    s->index = index;
    s->point = point >= 0 ? s->def->point[point] : -1;
    name_side(s, point);
    ZW_TRY_GOTO(zw_side_build_from(m, s->def, point, part, index, &s->b), fail);
    s->quasi = s->b.L != NULL && s->b.L->quasi;
    s->side.kind = s->quasi ? &of_quasi_velocities : &of_velocities;
    s->by_loss = s->b.by_loss;
    ZW_TRY_GOTO(make_tapes(s), fail);
    ZW_TRY_GOTO(reserve(s), fail);
    s->col0 = s->quasi ? 0 : s->b.nv > 0 ? s->b.at_v[0] : 0;
    s->ncol = s->quasi ? s->b.L->n : s->b.nv > 0 ? s->b.at_v[s->b.nv - 1] + 1 - s->col0 : 0;
    s->side.columns = s->ncol;
    s->side.positions = s->b.nu;
    s->side.inputs = s->b.nu + s->b.nv + 1;
    *out = &s->side;
    return ZW_OK;
fail:
    destroy(&s->side);
    return status;
}

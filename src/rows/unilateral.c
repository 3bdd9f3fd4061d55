/* SPDX-License-Identifier: Apache-2.0
 * unilateral.c: sides made of expressions. One tape gives all numbers of a state, two small ones (g, g') are for boxes. */
#include "rows/unilateral.h"

#include "base/number.h"
#include "parts/lagrangian_part.h"
#include "rows/unilateral_build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GAP, RATE, BEND, DRIVE, SLOPES }; /* roots of the tape; then N, then dg/du */

struct zw_side {
    zw_context              *context;
    const zw_model          *model;
    const zw_unilateral_def *def;
    char                     name[96];
    int                      part;
    zw_side_build            b;
    bool                     quasi, moves;
    int                      col0, ncol; /* of its row, in the part */
    zw_tape                 *tape, *gap, *rate, *bounce;
    bool                     by_loss;
    double                  *in, *work, *out, *around; /* around: [nq + 2 nv of the system] for differences, made when first needed */
    zw_interval             *box, *slope, *box_work;
};

void zw_side_destroy(zw_side *s) {
    if (s == NULL) {
        return;
    }
    zw_context *c = s->context;
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
    zw_free(c, s->around);
    zw_free(c, s->box);
    zw_free(c, s->slope);
    zw_free(c, s->box_work);
    zw_free(c, s);
}

static void name_side(zw_side *s, int point) {
    const zw_body_def *body = &s->model->bodies[s->def->body];
    if (point < 0 || s->def->npoints < 2) {
        snprintf(s->name, sizeof s->name, "%s", s->def->name);
        return;
    }
    int                          number = s->def->point[point];
    const zw_lagrange_point_def *p = body->kind == ZW_BODY_RIGID ? body->rigid.point : body->lagrangian.point;
    snprintf(s->name, sizeof s->name, "%s.%s", s->def->name, p[number].name);
}

static zw_status make_tapes(zw_side *s) {
    zw_pool       *pool = s->model->pool;
    zw_side_build *b = &s->b;
    size_t         roots = SLOPES + (size_t)b->nv + (size_t)b->nu, along = (size_t)b->nu + 1;
    zw_status      status = ZW_OK;
    zw_node       *root = zw_alloc(s->context, roots + along, sizeof *root, "a unilateral constraint");
    int           *slot = zw_alloc(s->context, along, sizeof *slot, "a unilateral constraint");
    if (root == NULL || slot == NULL) {
        status = ZW_E_MEMORY;
        goto done;
    }
    zw_node *seed = root + roots;
    for (int i = 0; i < b->nu; i++) {
        slot[i] = b->slot_u[i];
        seed[i] = b->rate[i];
    }
    slot[b->nu] = s->model->slot_t;
    seed[b->nu] = zw_node_constant(pool, 1.0);
    root[GAP] = b->gap;
    ZW_TRY_GOTO(zw_node_push(pool, 1, &root[GAP], b->nu + 1, slot, seed, &root[RATE]), done);
    ZW_TRY_GOTO(zw_node_push(pool, 1, &root[RATE], b->nu + 1, slot, seed, &root[BEND]), done);
    root[DRIVE] = zw_node_diff(pool, root[GAP], s->model->slot_t);
    if (root[DRIVE] == 0) {
        status = ZW_E_MEMORY;
        goto done;
    }
    ZW_TRY_GOTO(zw_node_gradient(pool, root[RATE], b->nv, b->slot_v, root + SLOPES), done);
    ZW_TRY_GOTO(zw_node_gradient(pool, root[GAP], b->nu, b->slot_u, root + SLOPES + b->nv), done);
    ZW_TRY_GOTO(zw_tape_create(s->context, pool, root, (int)roots, &s->tape), done);
    ZW_TRY_GOTO(zw_tape_create(s->context, pool, &root[GAP], 1, &s->gap), done);
    ZW_TRY_GOTO(zw_tape_create(s->context, pool, &root[RATE], 1, &s->rate), done);
    ZW_TRY_GOTO(zw_tape_create(s->context, pool, &b->bounce, 1, &s->bounce), done);
    s->moves = zw_node_depends(pool, b->gap, s->model->slot_t);
done:
    zw_free(s->context, root);
    zw_free(s->context, slot);
    return status;
}

static size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

static zw_status reserve(zw_side *s) {
    zw_context *c = s->context;
    size_t      inputs = (size_t)zw_pool_inputs(s->model->pool);
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
    zw_model_inputs(s->model, s->in);
    for (size_t i = 0; i < inputs; i++) {
        s->box[i] = (zw_interval){s->in[i], s->in[i]};
    }
    return ZW_OK;
}

zw_status zw_side_create(const zw_model *m, int unilateral, int point, const zw_part *part, int part_number, int index, zw_side **out) {
    zw_status status = ZW_OK;
    zw_side  *s = zw_alloc(m->context, 1, sizeof *s, "a unilateral constraint");
    *out = NULL;
    if (s == NULL) {
        return ZW_E_MEMORY;
    }
    s->context = m->context;
    s->model = m;
    s->def = &m->unilaterals[unilateral];
    s->part = part_number;
    name_side(s, point);
    ZW_TRY_GOTO(zw_side_build_from(m, s->def, point, part, index, &s->b), fail);
    s->quasi = s->b.L != NULL && s->b.L->quasi;
    s->by_loss = s->b.by_loss;
    ZW_TRY_GOTO(make_tapes(s), fail);
    ZW_TRY_GOTO(reserve(s), fail);
    s->col0 = s->quasi ? 0 : s->b.nv > 0 ? s->b.at_v[0] : 0;
    s->ncol = s->quasi ? s->b.L->n : s->b.nv > 0 ? s->b.at_v[s->b.nv - 1] + 1 - s->col0 : 0;
    *out = s;
    return ZW_OK;
fail:
    zw_side_destroy(s);
    return status;
}

const char *zw_side_name(const zw_side *s) {
    return s->name;
}

const char *zw_side_text(const zw_side *s) {
    return s->def->text;
}

zw_where zw_side_where(const zw_side *s) {
    return s->def->at;
}

bool zw_side_moves(const zw_side *s) {
    return s->moves;
}

int zw_side_columns(const zw_side *s) {
    return s->ncol;
}

int zw_side_inputs(const zw_side *s) {
    return s->b.nu + s->b.nv + 1;
}

int zw_side_positions(const zw_side *s) {
    return s->b.nu;
}

static zw_state part_state(const zw_side *s, const zw_system *y, const zw_state *x, int *v0) {
    const zw_part *parts;
    zw_system_parts(y, &parts);
    *v0 = parts[s->part].v0;
    return (zw_state){.t = x->t, .q = x->q + parts[s->part].q0, .v = x->v + parts[s->part].v0};
}

void zw_side_read(zw_side *s, const zw_system *y, const zw_state *x, double *z) {
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

static void put_inputs(zw_side *s, const double *z) {
    for (int i = 0; i < s->b.nu; i++) {
        s->in[s->b.slot_u[i]] = z[i];
    }
    for (int i = 0; i < s->b.nv; i++) {
        s->in[s->b.slot_v[i]] = z[s->b.nu + i];
    }
    s->in[s->model->slot_t] = z[s->b.nu + s->b.nv];
}

/* numbers of the tape at a state, in s->out */
static zw_status look(zw_side *s, const zw_system *y, const zw_state *x) {
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
    s->in[s->model->slot_t] = x->t;
    zw_tape_eval(s->tape, s->in, s->work, s->out);
    for (int i = 0; i < SLOPES + s->b.nv; i++) {
        finite = finite && (isfinite(s->out[i]) || i == BEND);
    }
    if (finite) {
        return ZW_OK;
    }
    zw_text text;
    char    subject[140], time[ZW_NUMBER_TEXT];
    zw_text_init(&text, s->context);
    zw_tape_explain(s->tape, s->in, &text);
    snprintf(subject, sizeof subject, "constraint '%s'", s->name);
    zw_status status = zw_model_raise(
        s->model, ZW_E_DIVERGED, s->def->at, subject, "write the gap so that it and its gradient are defined wherever the body may come",
        "it or its derivative is not finite at t = %s s: %s", zw_number_short(x->t, 8, time), text.s != NULL ? text.s : "");
    zw_text_destroy(&text);
    return status;
}

zw_status zw_side_at(zw_side *s, const zw_system *y, const zw_state *x, zw_side_look *out) {
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

zw_status zw_side_row(zw_side *s, const zw_system *y, const zw_state *x, int64_t id, zw_rows *A) {
    int v0;
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

/* in a moving frame qdot changes at constant quasi-velocities: by differences of order 6 along the motion, as system/rates.c does for joints */
static zw_status bend_by_differences(zw_side *s, const zw_system *y, const zw_state *x, double *D) {
    static const double weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    zw_size             n = zw_system_size(y);
    double              fastest = 1.0;
    if (s->around == NULL) {
        s->around = zw_alloc(s->context, (size_t)n.nq + (size_t)n.nv, sizeof *s->around, "a unilateral constraint");
        if (s->around == NULL) {
            return ZW_E_MEMORY;
        }
    }
    zw_state moved = *x;
    double  *dv = s->around + n.nq;
    moved.q = s->around;
    for (int i = 0; i < n.nv; i++) {
        fastest = fmax(fastest, fabs(x->v[i]));
    }
    double         eps = 1e-3 / fastest;
    const zw_part *part;
    int            nparts = zw_system_parts(y, &part);
    *D = 0.0;
    for (int look_no = 0; look_no < 6; look_no++) { /* at 1, -1, 2, -2, 3, -3 steps */
        int    size = look_no / 2 + 1;
        double sign = look_no % 2 == 0 ? 1.0 : -1.0, k = sign * size;
        for (int i = 0; i < n.nv; i++) {
            dv[i] = k * eps * x->v[i];
        }
        for (int i = 0; i < nparts; i++) {
            part[i].ops->retract(part[i].self, x->q + part[i].q0, dv + part[i].v0, moved.q + part[i].q0);
        }
        moved.t = x->t + k * eps;
        ZW_TRY(look(s, y, &moved));
        *D += sign * weight[size - 1] * s->out[RATE] / eps;
    }
    return ZW_OK;
}

zw_status zw_side_acceleration(zw_side *s, const zw_system *y, const zw_state *x, double *D) {
    if (s->quasi) {
        return bend_by_differences(s, y, x, D);
    }
    ZW_TRY(look(s, y, x));
    *D = s->out[BEND];
    return ZW_OK;
}

zw_status zw_side_restitution(zw_side *s, const zw_system *y, const zw_state *x, double *e) {
    double value;
    ZW_TRY(look(s, y, x));
    zw_tape_eval(s->bounce, s->in, s->work, &value);
    if (!(value >= 0.0 && value <= 1.0)) {
        char subject[140], number[ZW_NUMBER_TEXT], time[ZW_NUMBER_TEXT];
        snprintf(subject, sizeof subject, "constraint '%s'", s->name);
        return zw_model_raise(s->model, ZW_E_MODEL, s->b.bounce_at, subject,
                              s->by_loss ? "give a loss between 0 (elastic) and 1 (plastic)"
                                         : "give a restitution between 0 (plastic) and 1 (elastic)",
                              "its %s is %s at the impact at t = %s s", s->by_loss ? "loss" : "restitution",
                              zw_number_short(value, 6, number), zw_number_short(x->t, 8, time));
    }
    *e = s->by_loss ? sqrt(1.0 - value) : value;
    return ZW_OK;
}

void zw_side_eval(zw_side *s, const double *z, double *gap, double *rate) {
    put_inputs(s, z);
    zw_tape_eval(s->gap, s->in, s->work, gap);
    zw_tape_eval(s->rate, s->in, s->work, rate);
}

static void put_boxes(const zw_side *s, const zw_interval *z, zw_interval *to) {
    for (int i = 0; i < s->b.nu; i++) {
        to[s->b.slot_u[i]] = z[i];
    }
    for (int i = 0; i < s->b.nv; i++) {
        to[s->b.slot_v[i]] = z[s->b.nu + i];
    }
    to[s->model->slot_t] = z[s->b.nu + s->b.nv];
}

void zw_side_enclose(zw_side *s, const zw_interval *z, zw_interval *gap, zw_interval *rate) {
    put_boxes(s, z, s->box);
    zw_tape_eval_interval(s->gap, s->box, s->box_work, gap);
    zw_tape_eval_interval(s->rate, s->box, s->box_work, rate);
}

void zw_side_enclose_bend(zw_side *s, const zw_interval *z, const zw_interval *dz, zw_interval *rate, zw_interval *bend) {
    put_boxes(s, z, s->box);
    put_boxes(s, dz, s->slope);
    zw_tape_eval_interval_slope(s->rate, s->box, s->slope, s->box_work, rate, bend);
}

/* ---- as a constraint: g = 0 */

static void side_count(const void *self, int *tiles, int *rows, int *blocks, int *values) {
    *tiles = *rows = *blocks = 1;
    *values = ((const zw_side *)self)->ncol;
}

static zw_status side_rows(void *self, const zw_system *y, const zw_state *x, zw_rows *A) {
    return zw_side_row(self, y, x, A->ntiles, A);
}

static zw_status side_values(void *self, const zw_system *y, const zw_state *x, int level, double *c) {
    zw_side_look at;
    ZW_TRY(zw_side_at(self, y, x, &at));
    *c = level == 0 ? at.gap : level == 1 ? at.rate : level == 2 ? -at.drive : fmax(at.rate_size, 1e-300);
    zw_side *s = self;
    if (level == 2 && s->quasi) { /* what is left of the rate when the quasi-velocities vanish */
        int                         v0;
        zw_state                    body = part_state(s, y, x, &v0);
        const zw_lagrangian_record *r = zw_lagrangian_record_at(s->b.L, &body);
        *c = -at.rate;
        for (int k = 0; k < s->b.nv; k++) {
            for (int j = 0; j < s->ncol; j++) {
                *c += s->out[SLOPES + k] * r->W[s->b.L->n * s->b.at_v[k] + j] * body.v[j];
            }
        }
    }
    return ZW_OK;
}

static zw_status side_rate(void *self, const zw_system *y, const zw_state *x, double *D) {
    return zw_side_acceleration(self, y, x, D);
}

static void side_reaction(void *self, const zw_system *y, const zw_state *x, const double *lambda, double wrench[6]) {
    (void)self;
    (void)y;
    (void)x;
    (void)lambda;
    memset(wrench, 0, 6 * sizeof *wrench);
}

static const char *side_row_name(const void *self, int row) {
    (void)row;
    return ((const zw_side *)self)->def->text;
}

static void side_no_destroy(void *self) {
    (void)self; /* the system owns its sides, held or not */
}

const zw_constraint_ops zw_side_ops = {
    .kind = "unilateral",
    .count = side_count,
    .rows = side_rows,
    .values = side_values,
    .rate = side_rate,
    .reaction = side_reaction,
    .row_name = side_row_name,
    .destroy = side_no_destroy,
};

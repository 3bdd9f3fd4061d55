/* SPDX-License-Identifier: Apache-2.0
 * side.c: what all sides share: names, differences of the rate along the motion, a side as a constraint with one row. */
#include "rows/side.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void zw_side_destroy(zw_side *s) {
    if (s != NULL) {
        zw_free(s->context, s->around);
        s->kind->destroy(s);
    }
}

const char *zw_side_name(const zw_side *s) {
    return s->name;
}

const char *zw_side_text(const zw_side *s) {
    return s->text;
}

zw_where zw_side_where(const zw_side *s) {
    return s->at;
}

bool zw_side_moves(const zw_side *s) {
    return s->moves;
}

int zw_side_columns(const zw_side *s) {
    return s->columns;
}

int zw_side_blocks(const zw_side *s) {
    return s->blocks;
}

int zw_side_inputs(const zw_side *s) {
    return s->inputs;
}

int zw_side_positions(const zw_side *s) {
    return s->positions;
}

zw_status zw_side_raw(zw_side *s, const zw_system *y, const zw_state *x, zw_side_look *out) {
    return s->kind->look(s, y, x, out);
}

zw_status zw_side_at(zw_side *s, const zw_system *y, const zw_state *x, zw_side_look *out) {
    static const double near = 1e-7; /* of the terms: beyond, nobody asks whether a positive gap is a contact */
    ZW_TRY(s->kind->look(s, y, x, out));
    if (s->kind->touches != NULL && out->gap <= near * out->size && (out->gap < -near * out->size || !s->kind->touches(s, y, x, out))) {
        out->gap = INFINITY;
    }
    return ZW_OK;
}

zw_status zw_side_row(zw_side *s, const zw_system *y, const zw_state *x, int64_t id, zw_rows *A) {
    return s->kind->row(s, y, x, id, A);
}

zw_status zw_side_restitution(zw_side *s, const zw_system *y, const zw_state *x, double *e) {
    return s->kind->restitution(s, y, x, e);
}

zw_status zw_side_bounce(const zw_side *s, bool by_loss, double value, zw_where at, double t, double *e) {
    if (!(value >= 0.0 && value <= 1.0)) {
        char subject[140], number[ZW_NUMBER_TEXT], time[ZW_NUMBER_TEXT];
        snprintf(subject, sizeof subject, "constraint '%s'", s->name);
        return zw_model_raise(s->model, ZW_E_MODEL, at, subject,
                              by_loss ? "give a loss between 0 (elastic) and 1 (plastic)"
                                      : "give a restitution between 0 (plastic) and 1 (elastic)",
                              "its %s is %s at the impact at t = %s s", by_loss ? "loss" : "restitution", zw_number_short(value, 6, number),
                              zw_number_short(t, 8, time));
    }
    *e = by_loss ? sqrt(1.0 - value) : value;
    return ZW_OK;
}

void zw_side_read(zw_side *s, const zw_system *y, const zw_state *x, double *z) {
    s->kind->read(s, y, x, z);
}

void zw_side_eval(zw_side *s, const double *z, double *gap, double *rate) {
    s->kind->eval(s, z, gap, rate);
}

void zw_side_enclose(zw_side *s, const zw_interval *z, zw_interval *gap, zw_interval *rate) {
    s->kind->enclose(s, z, gap, rate);
}

void zw_side_enclose_bend(zw_side *s, const zw_interval *z, const zw_interval *dz, zw_interval *rate, zw_interval *bend) {
    s->kind->enclose_bend(s, z, dz, rate, bend);
}

double zw_side_row_times(const zw_rows *N, int i, const double *v, bool size) {
    const zw_tile *tile = &N->tile[i];
    double         sum = 0.0;
    for (int k = 0; k < tile->nblocks; k++) {
        const zw_block *b = &N->block[tile->block0 + k];
        for (int j = 0; j < b->ncol; j++) {
            double term = N->a[b->a + j] * v[b->col0 + j];
            sum += size ? fabs(term) : term;
        }
    }
    return sum;
}

double zw_side_row_square(const zw_rows *N, int i) {
    const zw_tile *tile = &N->tile[i];
    double         sum = 0.0;
    for (int k = 0; k < tile->nblocks; k++) {
        const zw_block *b = &N->block[tile->block0 + k];
        for (int j = 0; j < b->ncol; j++) {
            sum += N->a[b->a + j] * N->a[b->a + j];
        }
    }
    return sum;
}

void zw_side_row_put(const zw_rows *N, int i, double *v) {
    const zw_tile *tile = &N->tile[i];
    for (int k = 0; k < tile->nblocks; k++) {
        const zw_block *b = &N->block[tile->block0 + k];
        for (int j = 0; j < b->ncol; j++) {
            v[b->col0 + j] = N->a[b->a + j];
        }
    }
}

/* the rate changes at constant velocities: by differences of order 6 along the motion, as system/rates.c does for joints */
static zw_status bend_by_differences(zw_side *s, const zw_system *y, const zw_state *x, double *D) {
    static const double weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    zw_size             n = zw_system_size(y);
    double              fastest = 1.0;
    zw_side_look        at;
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
        ZW_TRY(s->kind->look(s, y, &moved, &at));
        *D += sign * weight[size - 1] * at.rate / eps;
    }
    return ZW_OK;
}

zw_status zw_side_acceleration(zw_side *s, const zw_system *y, const zw_state *x, double *D) {
    return s->kind->acceleration != NULL ? s->kind->acceleration(s, y, x, D) : bend_by_differences(s, y, x, D);
}

/* ---- as a constraint: g = 0 */

static void side_count(const void *self, int *tiles, int *rows, int *blocks, int *values) {
    const zw_side *s = self;
    *tiles = *rows = 1;
    *blocks = s->blocks;
    *values = s->columns;
}

static zw_status side_rows(void *self, const zw_system *y, const zw_state *x, zw_rows *A) {
    return zw_side_row(self, y, x, A->ntiles, A);
}

static zw_status side_values(void *self, const zw_system *y, const zw_state *x, int level, double *c) {
    zw_side     *s = self;
    zw_side_look at;
    if (level == 2 && s->kind->still != NULL) {
        return s->kind->still(s, y, x, c);
    }
    ZW_TRY(s->kind->look(s, y, x, &at));
    *c = level == 0 ? at.gap : level == 1 ? at.rate : level == 2 ? -at.drive : fmax(at.rate_size, 1e-300);
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
    return ((const zw_side *)self)->text;
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

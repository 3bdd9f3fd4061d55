/* SPDX-License-Identifier: Apache-2.0
 * slide.c: see slide.h. The point's velocity is J v (zw_system_frame); the row of the gap is N = n'J, so n is the least n with J'n = N', whatever f was written
 * like. Directions across it are fixed by n alone: n x z and n x (n x z), with x for z where n is nearly along z. A body that moves in a plane (a rigid body
 * with `plane`, a lagrangian whose point has no way along some direction) has the one direction n x across.
 * While the point sticks it does not move, nor does n, so that the rate of t'J v at constant v is t' times the rate of the point's velocity. */
#include "rows/slide.h"

#include "math/dense.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct zw_slide {
    zw_context *context;
    zw_side    *side;
    zw_place    place;
    int         rows;
    double      across[3]; /* rows < 2: the direction that it has no way along */
    int         blocks, columns;
    int         nq, nv;
    double     *q, *dv, *normal; /* [nq], [nv], [nv] */
    zw_rows     N;
};

static void point_frame(const zw_slide *s, const zw_system *y, const zw_state *x, zw_frame *F, zw_jet *J) {
    zw_system_frame(y, x, &s->place, F, J);
}

/* G += J J', r += J N' */
static void gather(const zw_jet *J, const double *row, double G[9], double r[3]) {
    for (int b = 0; b < J->nblocks; b++) {
        for (int j = 0; j < J->ncol[b]; j++) {
            for (int i = 0; i < 3; i++) {
                double a = J->J[b][6 * (3 + i) + j];
                r[i] += row != NULL ? a * row[J->col[b] + j] : 0.0;
                for (int k = 0; k < 3; k++) {
                    G[3 * i + k] += a * J->J[b][6 * (3 + k) + j];
                }
            }
        }
    }
}

/* unit normal of the gap at the point, within the directions that the point can move along */
static zw_status normal_at(zw_slide *s, const zw_system *y, const zw_state *x, const zw_jet *J, double n[3]) {
    double G[9] = {0}, r[3] = {0}, value[3], vector[9];
    s->N.m = s->N.ntiles = s->N.nblocks = 0;
    s->N.nvalues = 0;
    ZW_TRY(zw_side_row(s->side, y, x, 0, &s->N));
    memset(s->normal, 0, sizeof(double) * (size_t)s->nv);
    zw_side_row_put(&s->N, 0, s->normal);
    gather(J, s->normal, G, r);
    zw_sym3_eigen(G, value, vector);
    zw_v3_zero(n);
    for (int k = 0; k < 3; k++) {
        double e[3] = {vector[k], vector[3 + k], vector[6 + k]};
        if (value[k] > 1e-18 * value[2]) {
            zw_v3_addscaled(n, n, zw_v3_dot(e, r) / value[k], e);
        }
    }
    double size = zw_v3_norm(n);
    if (size > 0.0) {
        zw_v3_scale(n, 1.0 / size, n);
    }
    return ZW_OK;
}

static void directions(const zw_slide *s, const double n[3], double t[2][3]) {
    static const double x[3] = {1.0, 0.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
    zw_v3_cross(t[0], n, s->rows < 2 ? s->across : fabs(n[2]) > 0.9 ? x : z);
    double size = zw_v3_norm(t[0]);
    zw_v3_scale(t[0], size > 0.0 ? 1.0 / size : 0.0, t[0]);
    zw_v3_cross(t[1], n, t[0]);
}

/* which directions the point has no way along: at the start and around it */
static zw_status find_freedom(zw_slide *s, zw_system *y, const zw_state *x) {
    double   G[9] = {0}, r[3] = {0}, value[3], vector[9];
    zw_frame F;
    zw_jet   J;
    zw_state near = *x;
    near.q = s->q;
    for (int trial = 0; trial < 4; trial++) {
        for (int i = 0; i < s->nv; i++) {
            s->dv[i] = trial > 0 ? 0.2 * cos(1.0 + 2.4 * (trial * s->nv + i)) : 0.0;
        }
        zw_system_retract(y, x->q, s->dv, s->q);
        point_frame(s, y, &near, &F, &J);
        double here[9] = {0};
        gather(&J, NULL, here, r);
        for (int i = 0; i < 9 && isfinite(here[0] + here[4] + here[8]); i++) {
            G[i] += here[i];
        }
        s->blocks = J.nblocks > s->blocks ? J.nblocks : s->blocks;
        int columns = 0;
        for (int b = 0; b < J.nblocks; b++) {
            columns += J.ncol[b];
        }
        s->columns = columns > s->columns ? columns : s->columns;
    }
    zw_sym3_eigen(G, value, vector);
    s->rows = 2;
    for (int k = 0; k < 2; k++) {
        if (!(value[k] > 1e-18 * value[2])) {
            for (int i = 0; i < 3 && s->rows == 2; i++) {
                s->across[i] = vector[3 * i + k];
            }
            s->rows--;
        }
    }
    return ZW_OK;
}

zw_status zw_slide_create(zw_side *side, zw_system *y, const zw_state *x, zw_slide **out) {
    zw_size   size = zw_system_size(y);
    zw_status status = ZW_OK;
    zw_slide *s;
    zw_place  place;
    *out = NULL;
    if (side->kind->place == NULL || !side->kind->place(side, y, &place)) {
        char subject[140];
        snprintf(subject, sizeof subject, "constraint '%s'", zw_side_name(side));
        return zw_model_raise(
            side->model, ZW_E_UNSUPPORTED, zw_side_where(side), subject,
            "write it as a unilateral constraint on points, or as a box or hull on an obstacle at rest; or use another law",
            "the law stick needs a point of a body that touches, and this has none");
    }
    s = zw_alloc(side->context, 1, sizeof *s, "a contact that sticks");
    if (s == NULL) {
        return ZW_E_MEMORY;
    }
    s->context = side->context;
    s->side = side;
    s->place = place;
    s->nq = size.nq;
    s->nv = size.nv;
    s->q = zw_alloc(s->context, (size_t)(size.nq + 2 * size.nv) + 1, sizeof *s->q, "a contact that sticks");
    s->N.tile = zw_alloc(s->context, 1, sizeof *s->N.tile, "a contact that sticks");
    s->N.block = zw_alloc(s->context, (size_t)side->blocks + 1, sizeof *s->N.block, "a contact that sticks");
    s->N.a = zw_alloc(s->context, (size_t)side->columns + 1, sizeof *s->N.a, "a contact that sticks");
    if (s->q == NULL || s->N.tile == NULL || s->N.block == NULL || s->N.a == NULL) {
        status = ZW_E_MEMORY;
        goto fail;
    }
    s->dv = s->q + size.nq;
    s->normal = s->dv + size.nv;
    ZW_TRY_GOTO(find_freedom(s, y, x), fail);
    *out = s;
    return ZW_OK;
fail:
    zw_slide_destroy(s);
    return status;
}

void zw_slide_destroy(zw_slide *s) {
    if (s != NULL) {
        zw_free(s->context, s->q);
        zw_free(s->context, s->N.tile);
        zw_free(s->context, s->N.block);
        zw_free(s->context, s->N.a);
        zw_free(s->context, s);
    }
}

int zw_slide_rows(const zw_slide *s) {
    return s->rows;
}

/* ---- as a constraint */

static void slide_count(const void *self, int *tiles, int *rows, int *blocks, int *values) {
    const zw_slide *s = self;
    *tiles = s->rows > 0;
    *rows = s->rows;
    *blocks = s->blocks;
    *values = s->rows * s->columns;
}

static zw_status slide_rows(void *self, const zw_system *y, const zw_state *x, zw_rows *A) {
    zw_slide *s = self;
    zw_frame  F;
    zw_jet    J;
    double    n[3], t[2][3];
    if (s->rows == 0) {
        return ZW_OK;
    }
    point_frame(s, y, x, &F, &J);
    ZW_TRY(normal_at(s, y, x, &J, n));
    directions(s, n, t);
    A->tile[A->ntiles++] =
        (zw_tile){.id = -1 - (int64_t)A->m, .row = A->m, .m = s->rows, .block0 = A->nblocks, .nblocks = J.nblocks, .kind = ZW_ROW_EQUAL};
    A->m += s->rows;
    for (int b = 0; b < J.nblocks; b++) {
        A->block[A->nblocks++] = (zw_block){.col0 = J.col[b], .ncol = J.ncol[b], .a = A->nvalues};
        for (int k = 0; k < s->rows; k++) {
            for (int j = 0; j < J.ncol[b]; j++) {
                double sum = 0.0;
                for (int i = 0; i < 3; i++) {
                    sum += t[k][i] * J.J[b][6 * (3 + i) + j];
                }
                A->a[A->nvalues++] = sum;
            }
        }
    }
    return ZW_OK;
}

static zw_status slide_values(void *self, const zw_system *y, const zw_state *x, int level, double *c) {
    zw_slide *s = self;
    zw_frame  F;
    zw_jet    J;
    double    n[3], t[2][3];
    memset(c, 0, sizeof(double) * (size_t)s->rows);
    if (level == 0 || s->rows == 0) {
        return ZW_OK;
    }
    point_frame(s, y, x, &F, &J);
    ZW_TRY(normal_at(s, y, x, &J, n));
    directions(s, n, t);
    for (int k = 0; k < s->rows; k++) {
        double along = 0.0, size = 0.0, value = zw_v3_dot(t[k], F.v);
        for (int b = 0; b < J.nblocks; b++) {
            for (int j = 0; j < J.ncol[b]; j++) {
                double sum = 0.0;
                for (int i = 0; i < 3; i++) {
                    sum += t[k][i] * J.J[b][6 * (3 + i) + j];
                }
                along += sum * x->v[J.col[b] + j];
                size += fabs(sum * x->v[J.col[b] + j]);
            }
        }
        c[k] = level == 1 ? value : level == 2 ? along - value : size;
    }
    return ZW_OK;
}

/* rate of the point's velocity at constant v; a central difference of order 6 where the part does not know it */
static void point_rate(zw_slide *s, const zw_system *y, const zw_state *x, double rate[3]) {
    static const double weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    double              known[6], fastest = 1.0;
    zw_frame            F;
    zw_state            moved = *x;
    if (zw_system_frame_rate(y, x, &s->place, known)) {
        zw_v3_copy(rate, known + 3);
        return;
    }
    for (int i = 0; i < s->nv; i++) {
        fastest = fmax(fastest, fabs(x->v[i]));
    }
    double step = 1e-3 / fastest;
    moved.q = s->q;
    zw_v3_zero(rate);
    for (int k = 1; k <= 3; k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int i = 0; i < s->nv; i++) {
                s->dv[i] = sign * k * step * x->v[i];
            }
            zw_system_retract((zw_system *)y, x->q, s->dv, s->q);
            moved.t = x->t + sign * k * step;
            zw_system_frame(y, &moved, &s->place, &F, NULL);
            zw_v3_addscaled(rate, rate, sign * weight[k - 1] / step, F.v);
        }
    }
}

static zw_status slide_rate(void *self, const zw_system *y, const zw_state *x, double *D) {
    zw_slide *s = self;
    zw_frame  F;
    zw_jet    J;
    double    n[3], t[2][3], rate[3];
    if (s->rows == 0) {
        return ZW_OK;
    }
    point_frame(s, y, x, &F, &J);
    ZW_TRY(normal_at(s, y, x, &J, n));
    directions(s, n, t);
    point_rate(s, y, x, rate);
    for (int k = 0; k < s->rows; k++) {
        D[k] = zw_v3_dot(t[k], rate);
    }
    return ZW_OK;
}

/* force on the body, at the point */
static void slide_reaction(void *self, const zw_system *y, const zw_state *x, const double *lambda, double wrench[6]) {
    zw_slide *s = self;
    zw_frame  F;
    zw_jet    J;
    double    n[3], t[2][3];
    memset(wrench, 0, 6 * sizeof *wrench);
    point_frame(s, y, x, &F, &J);
    if (normal_at(s, y, x, &J, n) == ZW_OK) {
        directions(s, n, t);
        for (int k = 0; k < s->rows; k++) {
            zw_v3_addscaled(wrench + 3, wrench + 3, lambda[k], t[k]);
        }
    }
}

static const char *slide_row_name(const void *self, int row) {
    (void)self;
    return row == 0 ? "slide" : "slide aside";
}

static void slide_leave(void *self) { /* it belongs to the system's list */
    (void)self;
}

const zw_constraint_ops zw_slide_ops = {
    .kind = "slide",
    .count = slide_count,
    .rows = slide_rows,
    .values = slide_values,
    .rate = slide_rate,
    .reaction = slide_reaction,
    .row_name = slide_row_name,
    .destroy = slide_leave,
};

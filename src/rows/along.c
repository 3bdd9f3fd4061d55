/* SPDX-License-Identifier: Apache-2.0
 * along.c: equations at every section of a rod as rows; see along.h. The expressions are compiled in along_build.c. */
#include "rows/along.h"

#include "base/number.h"
#include "parts/rod.h"
#include "parts/rod_link.h"
#include "rows/along_build.h"
#include "rows/kirchhoff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define VANISHES 1e-7 /* size of a gradient, of that nearby at the start, below which nothing can be held by it */

typedef zw_along        along;
typedef zw_along_motion motion;

enum { TEXT = ZW_ALONG_TEXT, COLUMNS = ZW_ALONG_COLUMNS };

static const double still[ZW_ROD_NV] = {0};

bool zw_along_is(const zw_constraint *c) {
    return c->ops == &zw_along_ops || c->ops == &zw_along_exact_ops;
}

int zw_along_part(const void *self) {
    return ((const along *)self)->part;
}

int zw_along_rod(const void *self) {
    const along *k = self;
    return (int)(k->rod - k->rods->rod);
}

bool zw_along_inner(const void *self) {
    return ((const along *)self)->def->inner;
}

int zw_along_sections(const void *self) {
    return ((const along *)self)->count;
}

int zw_along_equations(const void *self) {
    return ((const along *)self)->n;
}

int zw_along_sides(const void *self) {
    return ((const along *)self)->sides;
}

int zw_along_node(const void *self, int section, int side) {
    const along *k = self;
    return side == 0 ? k->rod->node0 + k->first + section : zw_rod_far(k->rod, k->first + section);
}

/* of a mean link: what turns are measured by */
double zw_along_mean_length(const along *k) {
    return k->rod->length / k->rod->nlinks;
}

double zw_along_label(const void *self, int section) {
    const along *k = self;
    double       near = k->rods->label[k->rod->node0 + k->first + section];
    return k->sides == 1 ? near : near + 0.5 * k->rods->l0[k->rod->link0 + k->first + section];
}

double zw_along_weight(const void *self, int section) {
    const along *k = self;
    return k->sides == 1 ? k->rods->weight[k->rod->node0 + k->first + section] : k->rods->l0[k->rod->link0 + k->first + section];
}

int zw_along_nearest(const void *self, double s) {
    const along *k = self;
    int          best = 0;
    for (int i = 1; i < k->count; i++) {
        if (fabs(zw_along_label(k, i) - s) < fabs(zw_along_label(k, best) - s)) {
            best = i;
        }
    }
    return best;
}

/* ---- inputs of a section */

static void set3(double *in, const int slot[3], const double v[3]) {
    for (int i = 0; i < 3; i++) {
        in[slot[i]] = v[i];
    }
}

static void set_frame(along *k, const zw_frame *F) {
    set3(k->in, k->slot.r, F->r);
    set3(k->in, k->slot.w, F->w);
    set3(k->in, k->slot.v, F->v);
    for (int i = 0; i < 9; i++) { /* directors are the columns of R */
        k->in[k->slot.d[i]] = F->R[3 * (i % 3) + i / 3];
    }
}

static void set_node(along *k, const double *q, const double *v, motion *how) {
    zw_frame F;
    zw_v3_copy(F.r, q);
    zw_q_to_matrix(q + 3, F.R);
    zw_m3_mulv(F.w, F.R, v);
    zw_v3_copy(F.v, v + 3);
    set_frame(k, &F);
    memset(how->frame[0], 0, sizeof how->frame[0]);
    for (int i = 0; i < 3; i++) {
        memcpy(how->frame[0] + 6 * i, F.R + 3 * i, 3 * sizeof(double));
        how->frame[0][6 * (3 + i) + 3 + i] = 1.0;
    }
}

static void set_link(along *k, int link, const double *qa, const double *va, const double *qb, const double *vb, bool second, motion *how) {
    double  l = k->rods->l[k->rod->link0 + link];
    zw_link at;
    zw_link_strain(qa, qb, &at);
    zw_link_rates(qa, &at, how->strain);
    for (int i = 0; i < 6; i++) {
        double sum = 0.0;
        for (int c = 0; c < COLUMNS; c++) {
            how->strain[i][c] /= l;
            sum += how->strain[i][c] * (c < 6 ? va[c] : vb[c - 6]);
        }
        k->in[k->slot.strain[i]] = (i < 3 ? at.w[i] : at.u[i - 3]) / l - (i == 5 ? 1.0 : 0.0);
        k->in[k->slot.rate[i]] = sum;
    }
    if (second) {
        double twice[6];
        zw_link_second_rate(qa, qb, va, vb, twice, twice + 3);
        for (int i = 0; i < 6; i++) {
            k->in[k->slot.rate2[i]] = twice[i] / l;
        }
    }
    if (k->tape.frames) {
        zw_frame F;
        double   block[2][36];
        zw_rod_between(qa, qb, va, vb, 0.5, &F, block);
        memcpy(how->frame, block, sizeof block);
        set_frame(k, &F);
    } else {
        memset(how->frame, 0, sizeof how->frame);
    }
}

/* q, v: of the nodes of the section */
void zw_along_look(along *k, int section, double t, const double *const q[2], const double *const v[2], bool second, motion *how) {
    k->in[k->slot.t] = t;
    k->in[k->slot.s] = zw_along_label(k, section);
    if (k->sides == 1) {
        set_node(k, q[0], v[0], how);
    } else {
        set_link(k, k->first + section, q[0], v[0], q[1], v[1], second, how);
    }
}

void zw_along_nodes(const along *k, int section, const zw_state *x, const double *q[2], const double *v[2]) {
    if (k->sides == 2) {
        zw_rods_tune(k->rods, x); /* reference lengths of a rod that grows */
    }
    for (int side = 0; side < 2; side++) {
        size_t node = (size_t)zw_along_node(k, section, side < k->sides ? side : 0);
        q[side] = x->q + ZW_ROD_NQ * node;
        v[side] = x->v != NULL ? x->v + ZW_ROD_NV * node : still;
    }
}

/* ---- errors */

static void section_text(const along *k, int section, char *out, size_t size) {
    char s[ZW_NUMBER_TEXT];
    snprintf(out, size, "%s %d (s = %s)", k->sides == 1 ? "node" : "link", k->first + section + 1,
             zw_number_short(zw_along_label(k, section), 6, s));
}

zw_status zw_along_not_finite(along *k, int section, double t, const zw_tape *tape) {
    char      where[TEXT], subject[128], time[ZW_NUMBER_TEXT];
    zw_text   why;
    zw_status status;
    section_text(k, section, where, sizeof where);
    snprintf(subject, sizeof subject, "constraints.%s", k->def->name);
    zw_text_init(&why, k->context);
    zw_tape_explain(tape, k->in, &why);
    status = zw_model_raise(k->model, ZW_E_DIVERGED, k->def->f[0].at, subject,
                            "write it so that it has a value all along the rod, or leave places out by from and to",
                            "is not finite at %s at t = %s s: %s", where, zw_number_short(t, 8, time), why.s != NULL ? why.s : "");
    zw_text_destroy(&why);
    return status;
}

zw_status zw_along_vanishes(along *k, int section, int row, double t, double size) {
    char where[TEXT], subject[128], number[ZW_NUMBER_TEXT], time[ZW_NUMBER_TEXT];
    section_text(k, section, where, sizeof where);
    snprintf(subject, sizeof subject, "constraints.%s", k->def->name);
    return zw_model_raise(
        k->model, ZW_E_MODEL, k->def->f[row].at, subject,
        k->def->velocities
            ? "write it so that it depends on the velocities everywhere, or leave places out by from and to"
            : "write it so that its gradient is not 0 where it is 0: r - R rather than (r - R)^2; or leave places out by from and to",
        "the gradient of '%s' vanishes at %s at t = %s s: its size is %s there, so nothing can hold it", k->def->text[row], where,
        zw_number_short(t, 8, time), zw_number_short(size, 3, number));
}

/* ---- rows of a section */

/* row (native columns: Omega body, xdot of each node) of what k->out holds behind the values */
void zw_along_row(const along *k, int i, const motion *how, double row[COLUMNS]) {
    const double *A = k->out + k->n + (ptrdiff_t)i * (k->sides == 1 ? 6 : 12);
    memset(row, 0, COLUMNS * sizeof *row);
    for (int side = 0; side < k->sides; side++) {
        for (int j = 0; j < 6; j++) {
            for (int c = 0; c < 6 && A[j] != 0.0; c++) {
                row[6 * side + c] += A[j] * how->frame[side][6 * j + c];
            }
        }
    }
    for (int j = 0; j < 6 && k->sides == 2; j++) {
        for (int c = 0; c < COLUMNS && A[6 + j] != 0.0; c++) {
            row[c] += A[6 + j] * how->strain[j][c];
        }
    }
}

/* turns count by what they move at the length of a link */
double zw_along_size(const along *k, const double row[COLUMNS]) {
    double l = zw_along_mean_length(k), sum = 0.0;
    for (int c = 0; c < 6 * k->sides; c++) {
        double one = c % 6 < 3 ? row[c] / l : row[c];
        sum += one * one;
    }
    return sqrt(sum);
}

/* level 1 into f and rows, both scaled; raises where something is not finite or vanishes */
zw_status zw_along_first(along *k, int section, double t, const motion *how, double *f, double (*row)[COLUMNS]) {
    zw_tape_eval(k->tape.first, k->in, k->work, k->out);
    for (int i = 0; i < k->n; i++) {
        zw_along_row(k, i, how, row[i]);
        double size = zw_along_size(k, row[i]);
        if (!isfinite(size) || !isfinite(k->out[i])) {
            return zw_along_not_finite(k, section, t, k->tape.first);
        }
        if (k->scale[i] * size < VANISHES) {
            return zw_along_vanishes(k, section, i, t, size);
        }
        f[i] = k->scale[i] * k->out[i];
        for (int c = 0; c < COLUMNS; c++) {
            row[i][c] *= k->scale[i];
        }
    }
    return ZW_OK;
}

zw_status zw_along_values(void *self, int section, const zw_state *x, int level, double *c) {
    along        *k = self;
    const double *q[2], *v[2];
    double        f[ZW_ALONG_MOST], row[ZW_ALONG_MOST][COLUMNS];
    motion        how;
    if (level == 0 && k->def->velocities) {
        memset(c, 0, sizeof(double) * (size_t)k->n);
        return ZW_OK;
    }
    zw_along_nodes(k, section, x, q, v);
    zw_along_look(k, section, x->t, q, v, false, &how);
    if (level == 0) {
        zw_tape_eval(k->tape.value, k->in, k->work, k->out);
        for (int i = 0; i < k->n; i++) {
            c[i] = k->scale[i] * k->out[i];
            if (!isfinite(c[i])) {
                return zw_along_not_finite(k, section, x->t, k->tape.value);
            }
        }
        return ZW_OK;
    }
    ZW_TRY(zw_along_first(k, section, x->t, &how, f, row));
    for (int i = 0; i < k->n; i++) {
        double sum = 0.0, size = 0.0;
        for (int j = 0; j < 6 * k->sides; j++) {
            double term = row[i][j] * v[j / 6][j % 6];
            sum += term;
            size += fabs(term);
        }
        /* as joints count: a section that moves across its row by round-off alone has no better measure */
        c[i] = level == 1 ? f[i] : level == 2 ? sum - f[i] : fmax(1.0, size + fabs(sum - f[i]));
    }
    return ZW_OK;
}

static zw_status native_rows(along *k, int section, const zw_state *x, double (*row)[COLUMNS]) {
    const double *q[2], *v[2];
    double        f[ZW_ALONG_MOST];
    motion        how;
    zw_along_nodes(k, section, x, q, v);
    zw_along_look(k, section, x->t, q, v, false, &how);
    return zw_along_first(k, section, x->t, &how, f, row);
}

/* (Omega body, xdot) to (w, v) in space: Omega = R'w, so a row on w is R times that on Omega */
static void to_space(const along *k, const double *const q[2], double (*row)[COLUMNS], double *out) {
    double R[2][9];
    for (int side = 0; side < k->sides; side++) {
        zw_q_to_matrix(q[side] + 3, R[side]);
    }
    for (int i = 0; i < k->n; i++) {
        for (int side = 0; side < k->sides; side++, out += 6) {
            zw_m3_mulv(out, R[side], row[i] + 6 * (ptrdiff_t)side);
            zw_v3_copy(out + 3, row[i] + 6 * (ptrdiff_t)side + 3);
        }
    }
}

zw_status zw_along_rows(void *self, int section, const zw_state *x, double *rows) {
    along        *k = self;
    const double *q[2], *v[2];
    double        row[ZW_ALONG_MOST][COLUMNS];
    ZW_TRY(native_rows(k, section, x, row));
    zw_along_nodes(k, section, x, q, v);
    to_space(k, q, row, rows);
    return ZW_OK;
}

/* coordinates of a node after a small turn (space) or way */
static void moved(const double *q, int column, double by, double out[ZW_ROD_NQ]) {
    memcpy(out, q, ZW_ROD_NQ * sizeof *out);
    if (column >= 3) {
        out[column - 3] += by;
        return;
    }
    double turn[3] = {0.0, 0.0, 0.0}, e[4];
    turn[column] = by;
    zw_q_exp(turn, e);
    zw_q_mul(e, q + 3, out + 3);
}

/* links: by differences of sixth order */
static zw_status turns_of_link(along *k, int section, const zw_state *x, const double *force, double *K) {
    static const double weight[3] = {0.75, -0.15, 1.0 / 60.0};
    const double        step = 2e-4;
    const double       *q[2], *v[2];
    double              l = zw_along_mean_length(k);
    zw_along_nodes(k, section, x, q, v);
    memset(K, 0, 144 * sizeof *K);
    for (int c = 0; c < COLUMNS; c++) {
        double by = c % 6 < 3 ? step : step * l;
        for (int n = 0; n < 6; n++) {
            double        other[ZW_ROD_NQ], f[ZW_ALONG_MOST], row[ZW_ALONG_MOST][COLUMNS], rows[ZW_ALONG_MOST * COLUMNS];
            int           steps = n / 2 + 1;
            double        far = (n % 2 == 0 ? 1.0 : -1.0) * steps * by;
            const double *at[2] = {q[0], q[1]};
            motion        how;
            moved(q[c / 6], c % 6, far, other);
            at[c / 6] = other;
            zw_along_look(k, section, x->t, at, v, false, &how);
            ZW_TRY(zw_along_first(k, section, x->t, &how, f, row));
            to_space(k, at, row, rows);
            for (int r = 0; r < COLUMNS; r++) {
                for (int i = 0; i < k->n; i++) {
                    K[COLUMNS * r + c] += (n % 2 == 0 ? 1.0 : -1.0) * weight[n / 2] * force[i] * rows[COLUMNS * i + r] / by;
                }
            }
        }
    }
    return ZW_OK;
}

zw_status zw_along_turns(void *self, int section, const zw_state *x, const double *force, double *K) {
    along        *k = self;
    const double *q[2], *v[2];
    motion        how;
    if (k->tape.turns == NULL) {
        return turns_of_link(k, section, x, force, K);
    }
    zw_along_nodes(k, section, x, q, v);
    zw_along_look(k, section, x->t, q, v, false, &how);
    for (int i = 0; i < k->n; i++) {
        k->in[k->slot.force[i]] = force[i] * k->scale[i];
    }
    zw_tape_eval(k->tape.turns, k->in, k->work, K);
    for (int i = 0; i < 36; i++) {
        if (!isfinite(K[i])) {
            return zw_along_not_finite(k, section, x->t, k->tape.turns);
        }
    }
    return ZW_OK;
}

/* ---- the constraint */

static zw_state slice(const along *k, const zw_system *y, const zw_state *x, int *v0) {
    const zw_part *parts;
    zw_system_parts(y, &parts);
    const zw_part *p = &parts[k->part];
    *v0 = p->v0;
    return (zw_state){.t = x->t, .q = x->q + p->q0, .v = x->v + p->v0, .s = x->s + p->s0};
}

static void along_count(const void *self, int *tiles, int *rows, int *blocks, int *values) {
    const along *k = self;
    *tiles = k->count;
    *rows = k->n * k->count;
    *blocks = k->sides * k->count;
    *values = 6 * k->sides * *rows;
}

static zw_status along_rows(void *self, const zw_system *y, const zw_state *x, zw_rows *A) {
    along   *k = self;
    int      v0;
    zw_state part = slice(k, y, x, &v0);
    for (int j = 0; j < k->count; j++) {
        double row[ZW_ALONG_MOST][COLUMNS];
        ZW_TRY(native_rows(k, j, &part, row));
        A->tile[A->ntiles] =
            (zw_tile){.id = A->ntiles, .row = A->m, .m = k->n, .block0 = A->nblocks, .nblocks = k->sides, .kind = ZW_ROW_EQUAL};
        for (int side = 0; side < k->sides; side++) {
            A->block[A->nblocks++] = (zw_block){.col0 = v0 + ZW_ROD_NV * zw_along_node(k, j, side), .ncol = ZW_ROD_NV, .a = A->nvalues};
            for (int i = 0; i < k->n; i++) {
                memcpy(A->a + A->nvalues, row[i] + 6 * (ptrdiff_t)side, 6 * sizeof(double));
                A->nvalues += 6;
            }
        }
        A->ntiles++;
        A->m += k->n;
    }
    return ZW_OK;
}

static zw_status along_values(void *self, const zw_system *y, const zw_state *x, int level, double *c) {
    along   *k = self;
    int      v0;
    zw_state part = slice(k, y, x, &v0);
    for (int j = 0; j < k->count; j++) {
        ZW_TRY(zw_along_values(k, j, &part, level, c + (ptrdiff_t)j * k->n));
    }
    return ZW_OK;
}

static zw_status along_rate(void *self, const zw_system *y, const zw_state *x, double *D) {
    along   *k = self;
    int      v0;
    zw_state part = slice(k, y, x, &v0);
    for (int j = 0; j < k->count; j++) {
        const double *q[2], *v[2];
        motion        how;
        zw_along_nodes(k, j, &part, q, v);
        zw_along_look(k, j, x->t, q, v, true, &how);
        zw_tape_eval(k->tape.rate, k->in, k->work, k->out);
        for (int i = 0; i < k->n; i++, D++) {
            *D = k->scale[i] * k->out[i];
            if (!isfinite(*D)) {
                return zw_along_not_finite(k, j, x->t, k->tape.rate);
            }
        }
    }
    return ZW_OK;
}

void zw_along_multiplier(const void *self, const double *lambda, int section, double *out) {
    const along *k = self;
    for (int i = 0; i < k->n; i++) {
        out[i] = lambda[k->n * section + i] * k->scale[i] / zw_along_weight(k, section);
    }
}

/* wrench += of a section on its nodes, moment about `centre` */
static zw_status add_wrench(along *k, const zw_state *x, const double *lambda, int section, double f, const double centre[3],
                            double wrench[6]) {
    double rows[ZW_ALONG_MOST * COLUMNS];
    ZW_TRY(zw_along_rows(k, section, x, rows));
    for (int side = 0; side < k->sides; side++) {
        const double *q = x->q + ZW_ROD_NQ * (size_t)zw_along_node(k, section, side);
        double        arm[3], moment[3], sum[6] = {0};
        for (int i = 0; i < k->n; i++) {
            for (int c = 0; c < 6; c++) {
                sum[c] += f * lambda[k->n * section + i] * rows[(i * k->sides + side) * 6 + c];
            }
        }
        zw_v3_sub(arm, q, centre);
        zw_v3_cross(moment, arm, sum + 3);
        for (int c = 0; c < 3; c++) {
            wrench[c] += sum[c] + moment[c];
            wrench[3 + c] += sum[3 + c];
        }
    }
    return ZW_OK;
}

zw_status zw_along_reaction(void *self, const zw_state *x, const double *lambda, int section, double wrench[6]) {
    along        *k = self;
    const double *q[2], *v[2];
    double        centre[3];
    zw_along_nodes(k, section < 0 ? 0 : section, x, q, v);
    zw_v3_copy(centre, q[0]);
    if (k->sides == 2) { /* half way: the place of a link */
        zw_frame F;
        double   block[2][36];
        zw_rod_between(q[0], q[1], still, still, 0.5, &F, block);
        zw_v3_copy(centre, F.r);
    }
    memset(wrench, 0, 6 * sizeof *wrench);
    if (section >= 0) {
        return add_wrench(k, x, lambda, section, 1.0 / zw_along_weight(k, section), centre, wrench);
    }
    for (int j = 0; j < k->count; j++) {
        ZW_TRY(add_wrench(k, x, lambda, j, 1.0, centre, wrench));
    }
    return ZW_OK;
}

static void along_reaction(void *self, const zw_system *y, const zw_state *x, const double *lambda, double wrench[6]) {
    int      v0;
    zw_state part = slice(self, y, x, &v0);
    if (zw_along_reaction(self, &part, lambda, -1, wrench) != ZW_OK) {
        memset(wrench, 0, 6 * sizeof *wrench); /* the rows were asked for at this state before: it cannot be */
    }
}

static const char *along_row_name(const void *self, int row) {
    const along *k = self;
    char         where[TEXT];
    section_text(k, row / k->n, where, sizeof where);
    if (k->n == 1) {
        snprintf(k->text, TEXT, "%s", where);
    } else {
        snprintf(k->text, TEXT, "equation %d at %.60s", row % k->n + 1, where);
    }
    return k->text;
}

void zw_along_destroy(void *self) {
    along *k = self;
    if (k != NULL) {
        zw_along_tapes_destroy(&k->tape);
        zw_free(k->context, k->in);
        zw_free(k->context, k->work);
        zw_free(k->context, k->out);
        zw_free(k->context, k->text);
        zw_free(k->context, k);
    }
}

const zw_constraint_ops zw_along_ops = {
    .kind = "along",
    .count = along_count,
    .rows = along_rows,
    .values = along_values,
    .reaction = along_reaction,
    .row_name = along_row_name,
    .destroy = zw_along_destroy,
};

const zw_constraint_ops zw_along_exact_ops = {
    .kind = "along",
    .count = along_count,
    .rows = along_rows,
    .values = along_values,
    .rate = along_rate,
    .reaction = along_reaction,
    .row_name = along_row_name,
    .destroy = zw_along_destroy,
};

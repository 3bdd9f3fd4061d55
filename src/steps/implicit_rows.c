/* SPDX-License-Identifier: Apache-2.0
 * implicit_rows.c: rows in an implicit step.  balance -= mean' impulse,  g(x1)/h = 0  (nonholonomic: f at the midpoint = 0).
 *
 * Joints between levers have exact differences (rows/bilinear.h). Other holonomic rows take their gradient at the midpoint and add along u what makes
 * mean . u h = g1 - g0, so that they do no work either; they keep momenta to the order of the scheme only.
 * The derivative of an impulse's direction is taken for levers; for the others it is left out, which costs rounds, not accuracy. */
#include "steps/implicit.h"

#include "rows/bilinear.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const zw_part *part_of(const zw_implicit *k, int block) {
    return &k->y->part[k->block[block].part];
}

static void node_of(const zw_implicit *k, int block, const zw_state *x, zw_secant_node *out) {
    zw_state part = zw_implicit_slice(k, k->block[block].part, x);
    part_of(k, block)->ops->secant->node(part_of(k, block)->self, &part, k->block[block].index, out);
}

static void columns_of(const zw_implicit *k, int block, const zw_state *x0, double h, double *P, double *D) {
    const zw_part *p = part_of(k, block);
    zw_state       part = zw_implicit_slice(k, k->block[block].part, x0);
    p->ops->secant->columns_of(p->self, &part, k->u + p->v0, h, k->block[block].index, P, D);
}

/* rows (m x 6 of a twist) times C (6 x ncol) */
static void to_columns(int m, double (*row)[2][6], int side, const double *C, int ncol, double *out) {
    for (int i = 0; i < m; i++) {
        for (int c = 0; c < ncol; c++) {
            double sum = 0.0;
            for (int n = 0; n < 6; n++) {
                sum += row[i][side][n] * C[n * ncol + c];
            }
            out[i * ncol + c] = sum;
        }
    }
}

/* what all kinds have in common: mean and end rows of one touched block */
static void put_block(zw_implicit *k, const zw_tie *t, int block, const double *mean, const double *end, bool derivative) {
    const zw_implicit_block *b = &k->block[block], *home = &k->block[t->home];
    const double            *impulse = k->impulse + t->row0;
    bool                     flipped;
    double                   push[64];
    for (int i = 0; i < t->m; i++) {
        for (int c = 0; c < b->ncol; c++) {
            double moved = mean[i * b->ncol + c] * impulse[i];
            k->ru[b->col0 + c] -= moved;
            k->size[b->col0 + c] += fabs(moved);
        }
    }
    if (!derivative) {
        return;
    }
    const double *own = zw_blocklu_block(&k->lu, block, block, &flipped);
    int           width = b->ncol + b->nrows;
    zw_implicit_add(k, t->home, block, home->ncol + t->at, 0, t->m, b->ncol, end);
    for (int i = 0; i < t->m; i++) {
        for (int c = 0; c < b->ncol; c++) {
            double stiff = fabs(own[(ptrdiff_t)c * width + c]), size = fabs(mean[i * b->ncol + c] * end[i * b->ncol + c]);
            k->ease[t->row0 + i] += stiff > 0.0 ? 1e-14 * size / stiff : 0.0;
        }
        for (int c0 = 0; c0 < b->ncol; c0 += 64) {
            int n = b->ncol - c0 < 64 ? b->ncol - c0 : 64;
            for (int c = 0; c < n; c++) {
                push[c] = -mean[i * b->ncol + c0 + c];
            }
            zw_implicit_add(k, block, t->home, c0, home->ncol + t->at + i, n, 1, push);
        }
    }
}

static zw_status lever_tie(zw_implicit *k, zw_tie *t, const zw_state *x0, double h, const zw_state *x1, bool derivative,
                           zw_secant_sum *sum) {
    zw_joint      *joint = k->y->constraint[t->constraint].self;
    zw_secant_node a[2], b[2];
    zw_bilinear    rows;
    double         P[2][36], D[2][36], mean[ZW_BILINEAR_ROWS * 6], end[ZW_BILINEAR_ROWS * 6], K[144];
    int            sides = t->ground ? 1 : 2;
    for (int side = 0; side < sides; side++) {
        zw_secant_node *n = side == 0 ? a : b;
        node_of(k, t->block[side], x0, &n[0]);
        node_of(k, t->block[side], x1, &n[1]);
        columns_of(k, t->block[side], x0, h, P[side], D[side]);
    }
    ZW_TRY(zw_joint_bilinear(joint, x0->t, x1->t, &t->lever[0], &t->lever[1], a, t->ground ? NULL : b, &rows));
    double *r = k->r + k->block[t->home].z0 + k->block[t->home].ncol + t->at;
    for (int i = 0; i < t->m; i++) {
        r[i] = rows.g[i] / h;
    }
    for (int side = 0; side < sides; side++) {
        int ncol = k->block[t->block[side]].ncol, col0 = k->block[t->block[side]].col0;
        to_columns(t->m, rows.mean, side, P[side], ncol, mean);
        to_columns(t->m, rows.end, side, D[side], ncol, end);
        put_block(k, t, t->block[side], mean, end, derivative);
        for (int i = 0; i < t->m; i++) {
            for (int c = 0; c < ncol; c++) {
                sum->work += k->impulse[t->row0 + i] * mean[i * ncol + c] * k->u[col0 + c];
            }
        }
    }
    if (!derivative) {
        return ZW_OK;
    }
    memset(K, 0, sizeof K);
    ZW_TRY(zw_joint_bilinear_turns(joint, x0->t, x1->t, &t->lever[0], &t->lever[1], a, t->ground ? NULL : b, k->impulse + t->row0, K));
    for (int i = 0; i < sides; i++) {
        for (int j = 0; j < sides; j++) { /* -P' K D h */
            int    ni = k->block[t->block[i]].ncol, nj = k->block[t->block[j]].ncol;
            double KD[36], out[36];
            for (int row = 0; row < 6; row++) {
                for (int c = 0; c < nj; c++) {
                    double s = 0.0;
                    for (int n = 0; n < 6; n++) {
                        s += K[12 * (6 * i + row) + 6 * j + n] * D[j][n * nj + c];
                    }
                    KD[row * nj + c] = s;
                }
            }
            for (int row = 0; row < ni; row++) {
                for (int c = 0; c < nj; c++) {
                    double s = 0.0;
                    for (int n = 0; n < 6; n++) {
                        s += P[i][n * ni + row] * KD[n * nj + c];
                    }
                    out[row * nj + c] = -h * k->share * s;
                }
            }
            zw_implicit_add(k, t->block[i], t->block[j], 0, 0, ni, nj, out);
        }
    }
    return ZW_OK;
}

/* ---- other places */

zw_status zw_implicit_rows_at(zw_implicit *k, const zw_tie *t, const zw_state *x, double *out) {
    const zw_constraint *c = &k->y->constraint[t->constraint];
    if (t->along) {
        return zw_implicit_along_rows(k, t, x, out);
    }
    k->rows.m = k->rows.ntiles = k->rows.nblocks = 0;
    k->rows.nvalues = 0;
    ZW_TRY(c->ops->rows(c->self, k->y, x, &k->rows));
    for (int i = 0; i < t->m; i++) {
        memset(k->f, 0, sizeof(double) * (size_t)k->n.nv);
        for (int tile = 0; tile < k->rows.ntiles; tile++) {
            const zw_tile *of = &k->rows.tile[tile];
            if (i < of->row || i >= of->row + of->m) {
                continue;
            }
            for (int b = 0; b < of->nblocks; b++) {
                const zw_block *block = &k->rows.block[of->block0 + b];
                for (int n = 0; n < block->ncol; n++) {
                    k->f[block->col0 + n] += k->rows.a[block->a + (ptrdiff_t)(i - of->row) * block->ncol + n];
                }
            }
        }
        double *to = out;
        for (int b = 0; b < t->ntouched; b++) {
            const zw_implicit_block *block = &k->block[t->touched[b]];
            const zw_part           *p = part_of(k, t->touched[b]);
            if (p->ops->secant != NULL) {
                zw_state part = zw_implicit_slice(k, block->part, x);
                memset(k->fu + p->v0, 0, sizeof(double) * (size_t)p->ops->size(p->self).nv);
                p->ops->secant->to_mean(p->self, &part, k->f + p->v0, k->fu + p->v0);
                memcpy(to + (ptrdiff_t)i * block->ncol, k->fu + block->col0, sizeof(double) * (size_t)block->ncol);
            } else {
                memcpy(to + (ptrdiff_t)i * block->ncol, k->f + block->col0, sizeof(double) * (size_t)block->ncol);
            }
            to += (ptrdiff_t)t->m * block->ncol;
        }
    }
    return ZW_OK;
}

static zw_status values_at(const zw_implicit *k, const zw_tie *t, const zw_state *x, int level, double *out) {
    const zw_constraint *c = &k->y->constraint[t->constraint];
    return t->along ? zw_implicit_along_values(k, t, x, level, out) : c->ops->values(c->self, k->y, x, level, out);
}

/* at the middle of a step: the direction of forces along a rod turns with half of what the end of it does */
static zw_status turn_along(zw_implicit *k, const zw_tie *t, const zw_state *x0, double h) {
    double P[36], D[2][36];
    for (int b = 0; b < t->ntouched; b++) {
        columns_of(k, t->touched[b], x0, h, P, D[b]);
    }
    return zw_implicit_along_turns(k, t, &k->xm, 0.5 * h, D);
}

/* rows at the end act on (eta, x): times D, how those follow u */
static void end_to_columns(zw_implicit *k, const zw_tie *t, const zw_state *x0, double h, double *rows) {
    for (int b = 0; b < t->ntouched; b++) {
        const zw_implicit_block *block = &k->block[t->touched[b]];
        if (part_of(k, t->touched[b])->ops->secant != NULL) {
            double P[36], D[36], out[6];
            columns_of(k, t->touched[b], x0, h, P, D);
            for (int i = 0; i < t->m && block->ncol == 6;
                 i++) { /* planar: the turn about the normal is its own column, D = P/(1 + a^2) there */
                for (int c = 0; c < 6; c++) {
                    out[c] = 0.0;
                    for (int n = 0; n < 6; n++) {
                        out[c] += rows[i * 6 + n] * D[n * 6 + c];
                    }
                }
                memcpy(rows + (ptrdiff_t)i * 6, out, sizeof out);
            }
        }
        rows += (ptrdiff_t)t->m * block->ncol;
    }
}

static zw_status place_tie(zw_implicit *k, zw_tie *t, const zw_state *x0, double h, const zw_state *x1, bool derivative,
                           zw_secant_sum *sum) {
    const zw_constraint *c = &k->y->constraint[t->constraint];
    double              *r = k->r + k->block[t->home].z0 + k->block[t->home].ncol + t->at;
    bool                 holonomic = t->kind == ZW_TIE_PLACES;
    ZW_TRY(zw_implicit_rows_at(k, t, &k->xm, t->mean));
    if (holonomic) {
        ZW_TRY(values_at(k, t, x1, 0, t->g));
        if (derivative && t->along && k->share != 2.0) {
            ZW_TRY(turn_along(k, t, x0, h));
        }
        if (derivative) {
            ZW_TRY(zw_implicit_rows_at(k, t, x1, t->end));
            end_to_columns(k, t, x0, h, t->end);
        }
    } else {
        ZW_TRY(values_at(k, t, &k->xm, 1, t->g));
        memcpy(t->end, t->mean, sizeof(double) * (size_t)t->m * (size_t)t->ncolumns);
    }
    for (int i = 0; i < t->m; i++) {
        double along = 0.0, square = 0.0, *mean = t->mean;
        r[i] = holonomic ? t->g[i] / h : t->g[i];
        for (int b = 0; b < t->ntouched; b++) {
            const zw_implicit_block *block = &k->block[t->touched[b]];
            for (int n = 0; n < block->ncol; n++) {
                double u = k->u[block->col0 + n];
                along += mean[(ptrdiff_t)i * block->ncol + n] * u;
                square += u * u;
            }
            mean += (ptrdiff_t)t->m * block->ncol;
        }
        double missing = holonomic && !c->moves ? (t->g[i] - t->g0[i]) / h - along : 0.0;
        mean = t->mean;
        for (int b = 0; b < t->ntouched && square > DBL_MIN && missing != 0.0; b++) {
            const zw_implicit_block *block = &k->block[t->touched[b]];
            for (int n = 0; n < block->ncol; n++) {
                mean[(ptrdiff_t)i * block->ncol + n] += missing / square * k->u[block->col0 + n];
            }
            mean += (ptrdiff_t)t->m * block->ncol;
        }
        sum->work += k->impulse[t->row0 + i] * (along + missing);
    }
    const double *mean = t->mean, *end = t->end;
    for (int b = 0; b < t->ntouched; b++) {
        put_block(k, t, t->touched[b], mean, end, derivative);
        mean += (ptrdiff_t)t->m * k->block[t->touched[b]].ncol;
        end += (ptrdiff_t)t->m * k->block[t->touched[b]].ncol;
    }
    return ZW_OK;
}

/* nothing moves: a nonholonomic row holds, and pushes nothing */
static void at_rest(zw_implicit *k, const zw_tie *t, bool derivative) {
    const zw_implicit_block *home = &k->block[t->home];
    double                   one = 1.0;
    for (int i = 0; i < t->m; i++) {
        k->r[home->z0 + home->ncol + t->at + i] = k->impulse[t->row0 + i];
        if (derivative) {
            zw_implicit_add(k, t->home, t->home, home->ncol + t->at + i, home->ncol + t->at + i, 1, 1, &one);
        }
    }
}

zw_status zw_implicit_rows_begin(zw_implicit *k, const zw_state *x0) {
    for (int i = 0; i < k->nties; i++) {
        zw_tie *t = &k->tie[i];
        if (t->kind == ZW_TIE_PLACES) {
            ZW_TRY(values_at(k, t, x0, 0, t->g0));
        }
    }
    return ZW_OK;
}

zw_status zw_implicit_rows(zw_implicit *k, const zw_state *x0, double h, const zw_state *x1, bool derivative, zw_secant_sum *sum) {
    for (int i = 0; i < k->nties; i++) {
        zw_tie                  *t = &k->tie[i];
        const zw_implicit_block *home = &k->block[t->home];
        memcpy(k->impulse + t->row0, k->z + home->z0 + home->ncol + t->at, sizeof(double) * (size_t)t->m);
        memset(k->ease + t->row0, 0, sizeof(double) * (size_t)t->m);
        if (t->kind == ZW_TIE_VELOCITY && k->share == 2.0) {
            at_rest(k, t, derivative);
            continue;
        }
        if (t->kind == ZW_TIE_LINK) {
            zw_implicit_link_rows(k, t, x0, h, x1, derivative, sum);
        } else if (t->kind == ZW_TIE_LEVERS) {
            ZW_TRY(lever_tie(k, t, x0, h, x1, derivative, sum));
        } else {
            ZW_TRY(place_tie(k, t, x0, h, x1, derivative, sum));
        }
        for (int n = 0; n < t->m && derivative;
             n++) { /* a compliance that leaves redundant rows solvable; what it gives way is corrected in the next round */
            double ease = k->ease[t->row0 + n];
            zw_implicit_add(k, t->home, t->home, home->ncol + t->at + n, home->ncol + t->at + n, 1, 1, &ease);
        }
    }
    return ZW_OK;
}

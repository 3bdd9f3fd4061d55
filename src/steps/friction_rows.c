/* SPDX-License-Identifier: Apache-2.0
 * friction_rows.c: one kick as rows of the kernel. A contact without friction, or with a given force of friction, is its row of N. Others are a tile of rows
 *   (N - mu d.T) x >= c - drift + mu (d.(wind + bend) - s)      for their directions d.
 * A given force adds -T'd force to the right side. Sliding has a column z more with the metric `drag` and an equation z = t.w, t across d: the kernel's minimum
 * then has 1/2 drag (t.w)^2 in it. */
#include "base/context.h"
#include "project/unilateral_search.h"
#include "steps/friction_part.h"

#include <string.h>

zw_status zw_kick_create(zw_context *c, zw_kick **out) {
    zw_kick *k = zw_alloc(c, 1, sizeof *k, "contacts");
    *out = NULL;
    if (k == NULL) {
        return ZW_E_MEMORY;
    }
    k->context = c;
    zw_status status = zw_unilateral_create(c, &k->kernel);
    if (status != ZW_OK) {
        zw_kick_destroy(k);
        return status;
    }
    *out = k;
    return ZW_OK;
}

void zw_kick_destroy(zw_kick *k) {
    if (k != NULL) {
        zw_context *c = k->context;
        void       *all[] = {k->rub, k->tile,   k->R.tile,  k->R.block, k->R.a,  k->A.tile, k->A.block, k->A.a,
                             k->c,   k->mu,     k->flag,    k->part,    k->v0,   k->drag,   k->f,       k->x,
                             k->b,   k->lambda, k->inverse, k->now,     k->next, k->past,   k->best_x,  k->best_lambda};
        zw_unilateral_destroy(k->kernel);
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            zw_free(c, all[i]);
        }
        zw_free(c, k);
    }
}

/* ---- room */

static zw_status want(zw_context *c, void **p, size_t count, size_t size) {
    void *more = zw_resize(c, *p, count, size, "contacts");
    *p = more != NULL ? more : *p;
    return more != NULL ? ZW_OK : ZW_E_MEMORY;
}

#define WANT(p, count)                                                  \
    do {                                                                \
        void *want_ = (p);                                              \
        ZW_TRY(want(k->context, &want_, (size_t)(count), sizeof *(p))); \
        (p) = want_;                                                    \
    } while (0)

/* equations and drags: room for the system's rows and one drag for each contact */
static zw_status reserve_drags(zw_kick *k, const zw_contact_set *s, const zw_kick_problem *pb) {
    int       rows = pb->A->m + s->room, columns = pb->H->n + s->room;
    ptrdiff_t blocks = pb->A->nblocks + (ptrdiff_t)s->room * (s->blocks + 1),
              values = pb->A->nvalues + (ptrdiff_t)s->room * (s->values + 1);
    if (rows > k->room_equalities || columns > k->room_columns) {
        WANT(k->A.tile, rows);
        WANT(k->b, rows);
        WANT(k->lambda, rows);
        WANT(k->best_lambda, rows);
        WANT(k->f, columns);
        WANT(k->x, columns);
        WANT(k->best_x, columns);
        WANT(k->drag, s->room);
        k->room_equalities = rows;
        k->room_columns = columns;
    }
    if (blocks > k->room_blocks || values > k->room_values) {
        WANT(k->A.block, blocks);
        WANT(k->A.a, values);
        k->room_blocks = blocks;
        k->room_values = values;
    }
    if (pb->H->nparts + 1 > k->room_parts) {
        WANT(k->part, pb->H->nparts + 1);
        WANT(k->v0, pb->H->nparts + 1);
        k->room_parts = pb->H->nparts + 1;
    }
    return ZW_OK;
}

zw_status zw_kick_reserve(zw_kick *k, const zw_contact_set *s, const zw_kick_problem *pb) {
    if (k->inverse == NULL) {
        WANT(k->inverse, pb->H->n);
    }
    if (s->n > k->room_contacts) {
        WANT(k->tile, s->room);
        k->room_contacts = s->room;
    }
    int rows = s->rubs > 0 ? s->room * ZW_RUB_FACETS : s->room;
    if (rows > k->room_rows) {
        WANT(k->c, rows);
        WANT(k->mu, rows);
        WANT(k->flag, rows);
        k->room_rows = rows;
    }
    if (s->rubs > 0 && s->n > k->room_rubs) {
        WANT(k->rub, s->room);
        WANT(k->now, 2 * s->room);
        WANT(k->next, 2 * s->room);
        WANT(k->past, (2 * ZW_RUB_DEPTH + 2) * 2 * s->room);
        WANT(k->R.tile, s->room);
        WANT(k->R.block, (ptrdiff_t)s->room * 2 * s->blocks);
        WANT(k->R.a, (ptrdiff_t)s->room * 2 * s->values * ZW_RUB_FACETS);
        k->room_rubs = s->room;
    }
    return s->rubs > 0 ? reserve_drags(k, s, pb) : ZW_OK;
}

/* ---- without friction */

zw_status zw_kick_smooth(zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, double *x, double *lambda) {
    zw_rows R = s->N;
    R.tile = k->tile;
    R.m = R.ntiles = 0;
    for (int i = 0; i < s->n; i++) {
        if (s->at[i].on) {
            k->tile[R.ntiles] = s->N.tile[i];
            k->tile[R.ntiles].row = R.m;
            k->c[R.m] = s->at[i].c - s->meeting[i].drift;
            k->flag[R.m] = s->at[i].guess;
            R.ntiles++;
            R.m++;
        }
    }
    ZW_TRY(zw_unilateral_remember(k->kernel, &R, k->flag));
    ZW_TRY(zw_unilateral_solve(k->kernel, pb->H, pb->A, &R, pb->f, pb->b, k->c, x, lambda, k->mu, NULL));
    for (int i = 0, row = 0; i < s->n; i++) {
        s->at[i].p = s->at[i].on ? k->mu[row++] : 0.0;
        s->at[i].pt[0] = s->at[i].pt[1] = 0.0;
    }
    return ZW_OK;
}

/* ---- with friction */

static int blocks_end(const zw_tile *t) {
    return t->block0 + t->nblocks;
}

/* the blocks of a tile of N and of T together, both rising by column: rows N - mu d.T */
static void facets_append(zw_rows *R, const zw_contact_set *s, int i, const zw_rub *r) {
    const zw_tile *n = &s->N.tile[i], *t = &s->T.tile[s->at[i].slide];
    double         mu = s->meeting[i].friction;
    zw_tile       *to = &R->tile[R->ntiles++];
    *to = (zw_tile){.id = n->id, .row = R->m, .m = r->n, .block0 = R->nblocks, .kind = n->kind};
    int en = n->block0, et = t->block0;
    while (en < blocks_end(n) || et < blocks_end(t)) {
        const zw_block *bn = en < blocks_end(n) ? &s->N.block[en] : NULL, *bt = et < blocks_end(t) ? &s->T.block[et] : NULL;
        if (bn != NULL && bt != NULL && bn->col0 != bt->col0) {
            if (bn->col0 < bt->col0) {
                bt = NULL;
            } else {
                bn = NULL;
            }
        }
        const zw_block *b = bn != NULL ? bn : bt;
        R->block[R->nblocks++] = (zw_block){.col0 = b->col0, .ncol = b->ncol, .a = R->nvalues};
        for (int f = 0; f < r->n; f++) {
            for (int j = 0; j < b->ncol; j++) {
                double a = bn != NULL ? s->N.a[bn->a + j] : 0.0;
                if (bt != NULL) {
                    a -= mu * (r->d[f][0] * s->T.a[bt->a + j] + r->d[f][1] * s->T.a[bt->a + bt->ncol + j]);
                }
                R->a[R->nvalues++] = a;
            }
        }
        en += bn != NULL;
        et += bt != NULL;
        to->nblocks++;
    }
    R->m += r->n;
}

static void tile_copy(zw_rows *R, const zw_rows *from, int t) {
    const zw_tile *tile = &from->tile[t];
    R->tile[R->ntiles] = *tile;
    R->tile[R->ntiles].row = R->m;
    R->tile[R->ntiles++].block0 = R->nblocks;
    R->m += tile->m;
    for (int e = tile->block0; e < blocks_end(tile); e++) {
        const zw_block *b = &from->block[e];
        size_t          count = (size_t)tile->m * (size_t)b->ncol;
        R->block[R->nblocks++] = (zw_block){.col0 = b->col0, .ncol = b->ncol, .a = R->nvalues};
        memcpy(R->a + R->nvalues, from->a + b->a, sizeof(double) * count);
        R->nvalues += (ptrdiff_t)count;
    }
}

static void rows_clear(zw_rows *R) {
    R->m = R->ntiles = R->nblocks = 0;
    R->nvalues = 0;
}

static void inequalities_make(zw_kick *k, const zw_contact_set *s) {
    rows_clear(&k->R);
    for (int i = 0; i < s->n; i++) {
        const zw_contact *c = &s->at[i];
        const zw_rub     *r = &k->rub[i];
        int               row = k->R.m;
        if (!c->on) {
            continue;
        }
        if (r->n == 0 || r->given) {
            tile_copy(&k->R, &s->N, i);
            k->c[row] = c->c - s->meeting[i].drift;
            k->flag[row] = c->guess;
            continue;
        }
        facets_append(&k->R, s, i, r);
        for (int f = 0; f < r->n; f++) {
            double mu = s->meeting[i].friction, wind = r->d[f][0] * (c->wind[0] + c->bend[0]) + r->d[f][1] * (c->wind[1] + c->bend[1]);
            k->c[row + f] = c->c - s->meeting[i].drift + mu * (wind - r->s);
            k->flag[row + f] = c->guess && (f == 0 || !r->slides);
        }
    }
}

/* z - t.T x = t.(wind + bend), column z after those of the system */
static void drag_append(zw_kick *k, const zw_contact_set *s, int i, int column) {
    zw_rows          *R = &k->A;
    const zw_contact *c = &s->at[i];
    const zw_tile    *t = &s->T.tile[c->slide];
    double            across[2] = {-k->rub[i].d[0][1], k->rub[i].d[0][0]};
    R->tile[R->ntiles++] = (zw_tile){.id = t->id, .row = R->m, .m = 1, .block0 = R->nblocks, .nblocks = t->nblocks + 1, .kind = t->kind};
    k->b[R->m++] = across[0] * (c->wind[0] + c->bend[0]) + across[1] * (c->wind[1] + c->bend[1]);
    for (int e = t->block0; e < blocks_end(t); e++) {
        const zw_block *b = &s->T.block[e];
        R->block[R->nblocks++] = (zw_block){.col0 = b->col0, .ncol = b->ncol, .a = R->nvalues};
        for (int j = 0; j < b->ncol; j++) {
            R->a[R->nvalues++] = -(across[0] * s->T.a[b->a + j] + across[1] * s->T.a[b->a + b->ncol + j]);
        }
    }
    R->block[R->nblocks++] = (zw_block){.col0 = column, .ncol = 1, .a = R->nvalues};
    R->a[R->nvalues++] = 1.0;
}

/* f -= T'd force */
static void force_add(zw_kick *k, const zw_contact_set *s, int i) {
    const zw_rub  *r = &k->rub[i];
    const zw_tile *t = &s->T.tile[s->at[i].slide];
    for (int e = t->block0; e < blocks_end(t); e++) {
        const zw_block *b = &s->T.block[e];
        for (int j = 0; j < b->ncol; j++) {
            k->f[b->col0 + j] -= r->force * (r->d[0][0] * s->T.a[b->a + j] + r->d[0][1] * s->T.a[b->a + b->ncol + j]);
        }
    }
}

static void drags_make(zw_kick *k, const zw_contact_set *s, const zw_kick_problem *pb) {
    const zw_metric *H = pb->H;
    int              n = H->n;
    rows_clear(&k->A);
    for (int t = 0; t < pb->A->ntiles; t++) {
        tile_copy(&k->A, pb->A, t);
        k->A.tile[t].row = pb->A->tile[t].row;
    }
    if (pb->A->m > 0) {
        memcpy(k->b, pb->b, sizeof(double) * (size_t)pb->A->m);
    }
    memcpy(k->f, pb->f, sizeof(double) * (size_t)n);
    k->ndrags = 0;
    for (int i = 0; i < s->n; i++) {
        if (!s->at[i].on || !k->rub[i].slides) {
            continue;
        }
        force_add(k, s, i);
        if (k->rub[i].drag > 0.0) {
            k->f[n + k->ndrags] = 0.0;
            k->drag[k->ndrags] = k->rub[i].drag;
            drag_append(k, s, i, n + k->ndrags++);
        }
    }
    memcpy(k->part, H->part, sizeof *k->part * (size_t)H->nparts);
    memcpy(k->v0, H->v0, sizeof *k->v0 * (size_t)H->nparts);
    k->part[H->nparts] = (zw_matrix){.kind = ZW_DIAGONAL, .n = k->ndrags, .block = 1, .a = k->drag};
    k->v0[H->nparts] = n;
    k->H = (zw_metric){.n = n + k->ndrags, .nparts = H->nparts + 1, .part = k->part, .v0 = k->v0};
}

static zw_status call(zw_kick *k, const zw_kick_problem *pb, double *x, double *lambda) {
    size_t n = (size_t)pb->H->n, ma = (size_t)pb->A->m;
    if (k->ndrags == 0) {
        return zw_unilateral_solve(k->kernel, pb->H, pb->A, &k->R, k->f, pb->b, k->c, x, lambda, k->mu, NULL);
    }
    ZW_TRY(zw_unilateral_solve(k->kernel, &k->H, &k->A, &k->R, k->f, k->b, k->c, k->x, k->lambda, k->mu, NULL));
    memcpy(x, k->x, sizeof(double) * n);
    if (ma > 0) {
        memcpy(lambda, k->lambda, sizeof(double) * ma);
    }
    return ZW_OK;
}

zw_status zw_kick_project(zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, bool recall, double *x, double *lambda, bool *solved) {
    int ma = pb->A->m, row = 0, drag = ma;
    inequalities_make(k, s);
    drags_make(k, s, pb);
    if (recall) {
        ZW_TRY(zw_unilateral_remember(k->kernel, &k->R, k->flag));
    }
    zw_status status = call(k, pb, x, lambda);
    if (status == ZW_E_CONVERGENCE) { /* once more, from nothing */
        zw_error_clear(k->context);
        zw_unilateral_forget(k->kernel);
        status = call(k, pb, x, lambda);
    }
    if (status == ZW_E_CONVERGENCE) { /* it may do so for other directions */
        zw_error_clear(k->context);
        zw_unilateral_forget(k->kernel);
        *solved = false;
        return ZW_OK;
    }
    ZW_TRY(status);
    *solved = true;
    for (int i = 0; i < s->n; i++) {
        zw_contact   *c = &s->at[i];
        const zw_rub *r = &k->rub[i];
        c->p = c->pt[0] = c->pt[1] = 0.0;
        if (!c->on) {
            continue;
        }
        if (r->n == 0 || r->given) {
            c->p = k->mu[row++];
        }
        for (int f = 0; f < r->n && !r->given; f++, row++) {
            c->p += k->mu[row];
            c->pt[0] -= s->meeting[i].friction * k->mu[row] * r->d[f][0];
            c->pt[1] -= s->meeting[i].friction * k->mu[row] * r->d[f][1];
        }
        if (r->slides) { /* the row of z pushes against T */
            double across = r->drag > 0.0 ? k->lambda[drag++] : 0.0;
            c->pt[0] += -r->force * r->d[0][0] + across * r->d[0][1];
            c->pt[1] += -r->force * r->d[0][1] - across * r->d[0][0];
        }
    }
    return ZW_OK;
}

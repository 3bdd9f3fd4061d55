/* SPDX-License-Identifier: Apache-2.0
 * unilateral_rows.c: the rows of the unilateral kernel: A and N put together once per solve, compared with those of the
 * solve before, switched on and off by sets, and their products. Room grows when a size was not seen before, and never else. */
#include "project/unilateral_search.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* ---- what was given ---- */

/* only what copying needs; whether tiles cover all rows once is seen by the kernel when the pattern is new */
static zw_status look(zw_context *c, int n, const zw_rows *R, const char *name, zw_unilateral_sizes *sum) {
    if (R->m < 0 || R->ntiles < 0 || R->nblocks < 0 || (R->ntiles > 0 && !R->tile) || (R->nblocks > 0 && (!R->block || !R->a))) {
        return zw_raise(c, ZW_E_ARG, "rows", NULL, "%s: %d rows, %d tiles, %d blocks, or arrays missing", name, R->m, R->ntiles,
                        R->nblocks);
    }
    for (int t = 0; t < R->ntiles; t++) {
        const zw_tile *tile = &R->tile[t];
        if (tile->m < 0 || tile->row < 0 || tile->m > R->m - tile->row || tile->nblocks < 0 || tile->block0 < 0 ||
            tile->nblocks > R->nblocks - tile->block0) {
            return zw_raise(c, ZW_E_ARG, "rows", NULL, "%s, tile %d: rows %d + %d of %d, blocks %d + %d of %d", name, t, tile->row, tile->m,
                            R->m, tile->block0, tile->nblocks, R->nblocks);
        }
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            const zw_block *b = &R->block[k];
            if (b->col0 < 0 || b->ncol < 0 || b->ncol > n - b->col0) {
                return zw_raise(c, ZW_E_ARG, "rows", NULL, "%s, block %d of tile %d: columns %d + %d of %d", name, k, t, b->col0, b->ncol,
                                n);
            }
            ptrdiff_t count = (ptrdiff_t)tile->m * b->ncol;
            if (b->a < 0 || b->a > R->nvalues || count > R->nvalues - b->a) {
                return zw_raise(c, ZW_E_ARG, "rows", NULL, "%s, block %d of tile %d: values %td + %td of %td", name, k, t, b->a, count,
                                R->nvalues);
            }
            sum->nvalues += (size_t)count;
        }
        sum->nblocks += (size_t)tile->nblocks;
    }
    sum->ntiles += (size_t)R->ntiles;
    sum->m += (size_t)R->m;
    return ZW_OK;
}

/* the parts follow each other and fill the columns, blocks lie inside: the rest is the kernel's to say */
static zw_status metric_check(zw_context *c, const zw_metric *H) {
    int n = 0;
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *p = &H->part[k];
        bool             good = p->n >= 0 && H->v0[k] == n && p->n <= H->n - n && (p->n == 0 || p->a);
        if (good && p->kind != ZW_DIAGONAL && p->n > 0) {
            good = p->block > 0 && p->n % p->block == 0 && p->start && p->col && p->start[0] == 0;
            for (int i = 0; good && i < p->n / p->block; i++) {
                good = p->start[i] <= p->start[i + 1];
                for (int e = p->start[i]; good && e < p->start[i + 1]; e++) {
                    good = p->col[e] >= 0 && p->col[e] < p->n / p->block;
                }
            }
        }
        if (!good) {
            return zw_raise(c, ZW_E_ARG, "metric", NULL, "part %d is no matrix, or does not begin at column %d of %d", k, n, H->n);
        }
        n += p->n;
    }
    return n == H->n ? ZW_OK : zw_raise(c, ZW_E_ARG, "metric", NULL, "the parts have %d columns of %d", n, H->n);
}

static bool fits(const zw_unilateral_sizes *need, const zw_unilateral_sizes *room) {
    return need->n <= room->n && need->m <= room->m && need->mi <= room->mi && need->ntiles <= room->ntiles &&
           need->nblocks <= room->nblocks && need->nvalues <= room->nvalues;
}

static size_t at_least(size_t need, size_t room) {
    return need <= room ? room : need + need / 4;
}


static zw_status room_make(zw_unilateral *u, const zw_unilateral_sizes *need) {
    zw_unilateral_sizes r = {at_least(need->n, u->room.n),
                             at_least(need->m, u->room.m),
                             at_least(need->mi, u->room.mi),
                             at_least(need->ntiles, u->room.ntiles),
                             at_least(need->nblocks, u->room.nblocks),
                             at_least(need->nvalues, u->room.nvalues)};
    u->room = (zw_unilateral_sizes){0};
    zw_unilateral_drop(u);
    u->rows.m = u->rows.ntiles = u->rows.nblocks = -1;
    zw_arena_destroy(&u->arena);
    zw_arena_init(&u->arena, u->context);
    size_t small = r.m < ZW_UNILATERAL_DENSE ? r.m : ZW_UNILATERAL_DENSE, d = sizeof(double);
    void  *p[48];
    size_t count = 0;
#define WANT(n, size) (p[count++] = zw_arena_alloc(&u->arena, (n), (size), "unilateral rows"))
    u->rows.tile = WANT(r.ntiles, sizeof *u->rows.tile);
    u->rows.block = WANT(r.nblocks, sizeof *u->rows.block);
    u->rows.a = WANT(r.nvalues, d);
    u->value = WANT(r.nvalues, d);
    u->f = WANT(r.n, d);
    u->xfree = WANT(r.n, d);
    u->inverse = WANT(r.n, d);
    u->rhs = WANT(r.m, d);
    u->rhs_set = WANT(r.m, d);
    u->soft = WANT(r.m, d);
    u->hint = WANT(r.mi, 1);
    u->weight = WANT(r.m, d);
    u->scale = WANT(r.m, d);
    u->set = WANT(r.mi, 1);
    u->allowed = WANT(r.mi, 1);
    u->factored_set = WANT(r.mi, 1);
    u->exact_set = WANT(r.mi, 1);
    zw_answer *answer[] = {&u->now, &u->best};
    for (int k = 0; k < 2; k++) {
        answer[k]->set = WANT(r.mi, 1);
        answer[k]->x = WANT(r.n, d);
        answer[k]->y = WANT(r.m, d);
        answer[k]->gap = WANT(r.mi, d);
    }
    u->dense = WANT(2 * small * small, d);
    u->order = WANT(r.m, sizeof *u->order);
    for (size_t k = 0; k < sizeof u->wm / sizeof *u->wm; k++) {
        u->wm[k] = WANT(r.m, d);
    }
    for (size_t k = 0; k < sizeof u->wn / sizeof *u->wn; k++) {
        u->wn[k] = WANT(r.n, d);
    }
#undef WANT
    for (size_t k = 0; k < count; k++) {
        if (!p[k]) {
            return ZW_E_MEMORY;
        }
    }
    u->room = r;
    return ZW_OK;
}

/* ---- one set of rows ---- */

/* copies; *same stays true where the bits were there already */
static void keep(void *to, const void *from, size_t size, bool *same) {
    if (size > 0 && (!*same || memcmp(to, from, size) != 0)) {
        *same = false;
        memcpy(to, from, size);
    }
}

static void append(zw_unilateral *u, const zw_rows *R, int row0, bool *same) {
    zw_rows *G = &u->rows;
    for (int t = 0; t < R->ntiles; t++) {
        zw_tile tile = R->tile[t], *old = &G->tile[G->ntiles++];
        int     first = tile.block0;
        tile.row += row0;
        tile.block0 = G->nblocks;
        *same = *same && old->row == tile.row && old->m == tile.m && old->block0 == tile.block0 && old->nblocks == tile.nblocks;
        *old = tile;
        for (int k = first; k < first + tile.nblocks; k++) {
            zw_block  b = R->block[k], *before = &G->block[G->nblocks++];
            ptrdiff_t count = (ptrdiff_t)tile.m * b.ncol;
            keep(u->value + G->nvalues, R->a + b.a, (size_t)count * sizeof *u->value, same);
            b.a = G->nvalues;
            *same = *same && before->col0 == b.col0 && before->ncol == b.ncol && before->a == b.a;
            *before = b;
            G->nvalues += count;
        }
    }
}

/* ---- the metric, kept to be compared ---- */

static zw_status kept_room(zw_context *c, zw_unilateral_kept *kept, const zw_metric *H) {
    size_t pattern = 2, value = 0;
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *p = &H->part[k];
        size_t rows = p->kind == ZW_DIAGONAL || p->n == 0 ? 0 : (size_t)(p->n / p->block), entries = rows > 0 ? (size_t)p->start[rows] : 0;
        pattern += 3 + (rows > 0 ? rows + 1 + entries : 0);
        value += p->kind == ZW_DIAGONAL ? (size_t)p->n : entries * (size_t)p->block * (size_t)p->block;
    }
    if (pattern > kept->pattern_room) {
        int *more = zw_resize(c, kept->pattern, pattern, sizeof *more, "metric");
        if (!more) {
            return ZW_E_MEMORY;
        }
        kept->pattern = more;
        kept->pattern_room = pattern;
    }
    if (value > kept->value_room) {
        double *more = zw_resize(c, kept->value, value, sizeof *more, "metric");
        if (!more) {
            return ZW_E_MEMORY;
        }
        kept->value = more;
        kept->value_room = value;
    }
    return ZW_OK;
}

static zw_status metric_keep(zw_unilateral *u, const zw_metric *H, bool *same) {
    zw_unilateral_kept *kept = &u->kept;
    size_t              at = 0, value = 0;
    *same = *same && kept->npattern > 0;
    ZW_TRY(kept_room(u->context, kept, H));
    int head[2] = {H->n, H->nparts};
    keep(kept->pattern, head, sizeof head, same);
    at += 2;
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *p = &H->part[k];
        int              part[3] = {p->kind == ZW_DIAGONAL, p->n, p->block};
        size_t rows = p->kind == ZW_DIAGONAL || p->n == 0 ? 0 : (size_t)(p->n / p->block), entries = rows > 0 ? (size_t)p->start[rows] : 0;
        size_t values = p->kind == ZW_DIAGONAL ? (size_t)p->n : entries * (size_t)p->block * (size_t)p->block;
        keep(kept->pattern + at, part, sizeof part, same);
        at += 3;
        if (rows > 0) {
            keep(kept->pattern + at, p->start, (rows + 1) * sizeof *p->start, same);
            keep(kept->pattern + at + rows + 1, p->col, entries * sizeof *p->col, same);
            at += rows + 1 + entries;
        }
        keep(kept->value + value, p->a, values * sizeof *p->a, same);
        value += values;
    }
    kept->npattern = at;
    return ZW_OK;
}

void zw_unilateral_drop(zw_unilateral *u) {
    u->metric_ready = u->exact_ready = u->answered = u->primal_ready = u->xfree_known = false;
    u->factored = 0.0;
    u->kept.npattern = 0;
}

/* 1/H_jj, as far as H looks like a metric; what does not is refused by the kernel */
static void inverse_diagonal(const zw_metric *H, double *z) {
    for (int j = 0; j < H->n; j++) {
        z[j] = 1.0;
    }
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *p = &H->part[k];
        double          *to = z + H->v0[k];
        for (int j = 0; j < p->n && p->kind == ZW_DIAGONAL; j++) {
            to[j] = p->a[j];
        }
        int b = p->block;
        for (int row = 0; p->kind != ZW_DIAGONAL && p->n > 0 && row < p->n / b; row++) {
            for (int e = p->start[row]; e < p->start[row + 1]; e++) {
                for (int j = 0; j < b && p->col[e] == row; j++) {
                    to[row * b + j] = p->a[(ptrdiff_t)e * b * b + (ptrdiff_t)j * b + j];
                }
            }
        }
    }
    for (int j = 0; j < H->n; j++) {
        z[j] = z[j] > 0.0 ? 1.0 / z[j] : 1.0;
    }
}

static void weights_make(zw_unilateral *u) {
    double *z = u->inverse;
    inverse_diagonal(u->H, z);
    u->weight_most = 0.0;
    for (int t = 0; t < u->rows.ntiles; t++) {
        const zw_tile *tile = &u->rows.tile[t];
        for (int i = 0; i < tile->m; i++) {
            double sum = 0.0;
            for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
                const zw_block *b = &u->rows.block[k];
                const double   *a = u->value + b->a + (ptrdiff_t)i * b->ncol;
                for (int j = 0; j < b->ncol; j++) {
                    sum += a[j] * a[j] * z[b->col0 + j];
                }
            }
            u->weight[tile->row + i] = sum > 0.0 ? sum : 1.0;
            u->weight_most = sum > u->weight_most ? sum : u->weight_most;
        }
    }
    u->weight_most = u->weight_most > 0.0 ? u->weight_most : 1.0;
}

static void vector_keep(int n, const double *from, double *to, bool *same) {
    if (from && n > 0) {
        keep(to, from, (size_t)n * sizeof *to, same);
        return;
    }
    for (int i = 0; i < n; i++) {
        *same = *same && to[i] == 0.0;
        to[i] = 0.0;
    }
}

zw_status zw_unilateral_check(zw_unilateral *u, const zw_problem *p, zw_unilateral_sizes *need) {
    const zw_metric *H = p->H;
    if (!H || !p->A || !p->N || H->n < 0 || H->nparts < 0 || (H->nparts > 0 && (!H->part || !H->v0))) {
        return zw_raise(u->context, ZW_E_ARG, "unilateral rows", NULL, "no metric or no rows were given");
    }
    ZW_TRY(metric_check(u->context, H));
    *need = (zw_unilateral_sizes){.n = (size_t)H->n, .mi = (size_t)(p->N->m > 0 ? p->N->m : 0)};
    ZW_TRY(look(u->context, H->n, p->A, "A", need));
    ZW_TRY(look(u->context, H->n, p->N, "N", need));
    if (need->m > INT_MAX || need->nblocks > INT_MAX || need->ntiles > INT_MAX) {
        return zw_raise(u->context, ZW_E_LIMIT, "unilateral rows", "use fewer rows", "%zu columns, %zu rows, %zu blocks", need->n, need->m,
                        need->nblocks);
    }
    return ZW_OK;
}

zw_status zw_unilateral_load(zw_unilateral *u, const zw_problem *p) {
    const zw_metric    *H = p->H;
    const zw_rows      *A = p->A, *N = p->N;
    zw_unilateral_sizes need;
    ZW_TRY(zw_unilateral_check(u, p, &need));
    if (!fits(&need, &u->room)) {
        ZW_TRY(room_make(u, &need));
    }
    bool same_metric = true,
         same_rows =
             u->ma == A->m && u->mi == N->m && u->rows.ntiles == (int)need.ntiles && u->rows.nblocks == (int)need.nblocks && u->n == H->n,
         same_force = u->n == H->n, same_rhs = same_rows;
    ZW_TRY(metric_keep(u, H, &same_metric));
    u->H = H;
    u->n = H->n;
    u->ma = A->m;
    u->mi = N->m;
    u->m = A->m + N->m;
    u->rows.m = u->m;
    u->rows.ntiles = u->rows.nblocks = 0;
    u->rows.nvalues = 0;
    append(u, A, 0, &same_rows);
    append(u, N, u->ma, &same_rows);
    vector_keep(u->n, p->f, u->f, &same_force);
    vector_keep(u->ma, p->b, u->rhs, &same_rhs);
    vector_keep(u->mi, p->c, u->rhs + u->ma, &same_rhs);
    if (!same_metric || !same_rows) {
        u->primal_ready = u->exact_ready = false;
        u->factored = 0.0;
        weights_make(u);
    }
    u->metric_ready = u->metric_ready && same_metric;
    u->xfree_known = u->xfree_known && same_metric && same_rows && same_force;
    u->answered = u->answered && same_metric && same_rows && same_force && same_rhs;
    return ZW_OK;
}

void zw_unilateral_switch(zw_unilateral *u, const unsigned char *set) {
    for (int t = 0; t < u->rows.ntiles; t++) {
        const zw_tile *tile = &u->rows.tile[t];
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            const zw_block *b = &u->rows.block[k];
            for (int i = 0; i < tile->m; i++) {
                int       row = tile->row + i - u->ma;
                bool      on = row < 0 || set[row];
                ptrdiff_t at = b->a + (ptrdiff_t)i * b->ncol;
                for (int j = 0; j < b->ncol; j++) {
                    u->rows.a[at + j] = on ? u->value[at + j] : 0.0;
                }
            }
        }
    }
}

/* y = G x, or of the sizes of both */
INLINE void product(const zw_unilateral *u, const double *x, double *y, bool sizes) {
    for (int t = 0; t < u->rows.ntiles; t++) {
        const zw_tile *tile = &u->rows.tile[t];
        for (int i = 0; i < tile->m; i++) {
            double sum = 0.0;
            for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
                const zw_block *b = &u->rows.block[k];
                const double   *a = u->value + b->a + (ptrdiff_t)i * b->ncol;
                for (int j = 0; j < b->ncol; j++) {
                    double term = a[j] * x[b->col0 + j];
                    sum += sizes ? fabs(term) : term;
                }
            }
            y[tile->row + i] = sum;
        }
    }
}

/* z = G'y, or of the sizes of both */
INLINE void product_transposed(const zw_unilateral *u, const double *y, double *z, bool sizes) {
    for (int j = 0; j < u->n; j++) {
        z[j] = 0.0;
    }
    for (int t = 0; t < u->rows.ntiles; t++) {
        const zw_tile *tile = &u->rows.tile[t];
        for (int i = 0; i < tile->m; i++) {
            double l = y[tile->row + i];
            for (int k = tile->block0; l != 0.0 && k < tile->block0 + tile->nblocks; k++) {
                const zw_block *b = &u->rows.block[k];
                const double   *a = u->value + b->a + (ptrdiff_t)i * b->ncol;
                for (int j = 0; j < b->ncol; j++) {
                    double term = a[j] * l;
                    z[b->col0 + j] += sizes ? fabs(term) : term;
                }
            }
        }
    }
}

void zw_unilateral_apply(const zw_unilateral *u, const double *x, double *y) {
    product(u, x, y, false);
}

void zw_unilateral_sizes_of(const zw_unilateral *u, const double *x, double *y) {
    product(u, x, y, true);
}

void zw_unilateral_transposed(const zw_unilateral *u, const double *y, double *z) {
    product_transposed(u, y, z, false);
}

void zw_unilateral_terms(const zw_unilateral *u, const double *y, double *z) {
    product_transposed(u, y, z, true);
}

void zw_unilateral_row(const zw_unilateral *u, int t, int i, double *z) {
    const zw_tile *tile = &u->rows.tile[t];
    for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
        const zw_block *b = &u->rows.block[k];
        const double   *a = u->value + b->a + (ptrdiff_t)i * b->ncol;
        for (int j = 0; j < b->ncol; j++) {
            z[b->col0 + j] += a[j];
        }
    }
}

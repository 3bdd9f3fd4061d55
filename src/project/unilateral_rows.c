/* SPDX-License-Identifier: Apache-2.0
 * unilateral_rows.c: the rows of the unilateral kernel: A and N put together once per solve, switched on and off by sets, their products; and the
 * memory of the active set, by tile id. Room grows when a size was not seen before, and never else. */
#include "project/unilateral_search.h"

#include <limits.h>
#include <math.h>
#include <string.h>

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
    zw_arena_destroy(&u->arena);
    zw_arena_init(&u->arena, u->context);
    size_t small = r.m < ZW_UNILATERAL_DENSE ? r.m : ZW_UNILATERAL_DENSE, d = sizeof(double);
    void  *p[44];
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
    u->weight = WANT(r.m, d);
    u->scale = WANT(r.m, d);
    u->set = WANT(r.mi, 1);
    u->allowed = WANT(r.mi, 1);
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

static void append(zw_unilateral *u, const zw_rows *R, int row0) {
    zw_rows *G = &u->rows;
    for (int t = 0; t < R->ntiles; t++) {
        zw_tile tile = R->tile[t];
        int     first = tile.block0;
        tile.row += row0;
        tile.block0 = G->nblocks;
        G->tile[G->ntiles++] = tile;
        for (int k = first; k < first + tile.nblocks; k++) {
            zw_block  b = R->block[k];
            ptrdiff_t count = (ptrdiff_t)tile.m * b.ncol;
            if (count > 0) {
                memcpy(u->value + G->nvalues, R->a + b.a, (size_t)count * sizeof *u->value);
            }
            b.a = G->nvalues;
            G->block[G->nblocks++] = b;
            G->nvalues += count;
        }
    }
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

static void vector_copy(int n, const double *from, double *to) {
    if (from && n > 0) {
        memcpy(to, from, (size_t)n * sizeof *to);
    } else {
        for (int i = 0; i < n; i++) {
            to[i] = 0.0;
        }
    }
}

zw_status zw_unilateral_load(zw_unilateral *u, const zw_metric *H, const zw_rows *A, const zw_rows *N, const double *f, const double *b,
                             const double *c) {
    if (!H || !A || !N || H->n < 0 || H->nparts < 0 || (H->nparts > 0 && (!H->part || !H->v0))) {
        return zw_raise(u->context, ZW_E_ARG, "unilateral rows", NULL, "no metric or no rows were given");
    }
    ZW_TRY(metric_check(u->context, H));
    zw_unilateral_sizes need = {.n = (size_t)H->n, .mi = (size_t)(N->m > 0 ? N->m : 0)};
    ZW_TRY(look(u->context, H->n, A, "A", &need));
    ZW_TRY(look(u->context, H->n, N, "N", &need));
    if (need.m > INT_MAX || need.nblocks > INT_MAX || need.ntiles > INT_MAX) {
        return zw_raise(u->context, ZW_E_LIMIT, "unilateral rows", "use fewer rows", "%zu columns, %zu rows, %zu blocks", need.n, need.m,
                        need.nblocks);
    }
    if (!fits(&need, &u->room)) {
        ZW_TRY(room_make(u, &need));
    }
    u->H = H;
    u->n = H->n;
    u->ma = A->m;
    u->mi = N->m;
    u->m = A->m + N->m;
    u->rows.m = u->m;
    u->rows.ntiles = u->rows.nblocks = 0;
    u->rows.nvalues = 0;
    append(u, A, 0);
    append(u, N, u->ma);
    vector_copy(u->n, f, u->f);
    vector_copy(u->ma, b, u->rhs);
    vector_copy(u->mi, c, u->rhs + u->ma);
    weights_make(u);
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

void zw_unilateral_apply(const zw_unilateral *u, const double *x, double *y) {
    for (int t = 0; t < u->rows.ntiles; t++) {
        const zw_tile *tile = &u->rows.tile[t];
        for (int i = 0; i < tile->m; i++) {
            double sum = 0.0;
            for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
                const zw_block *b = &u->rows.block[k];
                const double   *a = u->value + b->a + (ptrdiff_t)i * b->ncol;
                for (int j = 0; j < b->ncol; j++) {
                    sum += a[j] * x[b->col0 + j];
                }
            }
            y[tile->row + i] = sum;
        }
    }
}

void zw_unilateral_sizes_of(const zw_unilateral *u, const double *x, double *y) {
    for (int t = 0; t < u->rows.ntiles; t++) {
        const zw_tile *tile = &u->rows.tile[t];
        for (int i = 0; i < tile->m; i++) {
            double sum = 0.0;
            for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
                const zw_block *b = &u->rows.block[k];
                const double   *a = u->value + b->a + (ptrdiff_t)i * b->ncol;
                for (int j = 0; j < b->ncol; j++) {
                    sum += fabs(a[j] * x[b->col0 + j]);
                }
            }
            y[tile->row + i] = sum;
        }
    }
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

void zw_unilateral_transposed(const zw_unilateral *u, const double *y, double *z) {
    for (int j = 0; j < u->n; j++) {
        z[j] = 0.0;
    }
    for (int t = 0; t < u->rows.ntiles; t++) {
        const zw_tile *tile = &u->rows.tile[t];
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            const zw_block *b = &u->rows.block[k];
            for (int i = 0; i < tile->m; i++) {
                const double *a = u->value + b->a + (ptrdiff_t)i * b->ncol;
                double        l = y[tile->row + i];
                for (int j = 0; j < b->ncol && l != 0.0; j++) {
                    z[b->col0 + j] += a[j] * l;
                }
            }
        }
    }
}

void zw_unilateral_terms(const zw_unilateral *u, const double *y, double *z) {
    for (int j = 0; j < u->n; j++) {
        z[j] = 0.0;
    }
    for (int t = 0; t < u->rows.ntiles; t++) {
        const zw_tile *tile = &u->rows.tile[t];
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            const zw_block *b = &u->rows.block[k];
            for (int i = 0; i < tile->m; i++) {
                const double *a = u->value + b->a + (ptrdiff_t)i * b->ncol;
                double        l = fabs(y[tile->row + i]);
                for (int j = 0; j < b->ncol && l != 0.0; j++) {
                    z[b->col0 + j] += fabs(a[j]) * l;
                }
            }
        }
    }
}

/* ---- memory ---- */

static bool before(zw_unilateral_memory a, zw_unilateral_memory b) {
    return a.id < b.id || (a.id == b.id && a.k < b.k);
}

static void sift(zw_unilateral_memory *v, int i, int n) {
    for (int child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && before(v[child], v[child + 1]);
        if (!before(v[i], v[child])) {
            return;
        }
        zw_unilateral_memory t = v[i];
        v[i] = v[child];
        v[child] = t;
    }
}

static void sort(zw_unilateral_memory *v, int n) {
    for (int i = n / 2 - 1; i >= 0; i--) {
        sift(v, i, n);
    }
    for (int end = n - 1; end > 0; end--) {
        zw_unilateral_memory t = v[0];
        v[0] = v[end];
        v[end] = t;
        sift(v, 0, end);
    }
}

void zw_unilateral_recall(zw_unilateral *u, const zw_rows *N, unsigned char *set) {
    for (int i = 0; i < N->m; i++) {
        set[i] = 0;
    }
    for (int t = 0; t < N->ntiles && u->nmemory > 0; t++) {
        for (int k = 0; k < N->tile[t].m; k++) {
            zw_unilateral_memory key = {.id = N->tile[t].id, .k = k};
            int                  low = 0, high = u->nmemory;
            while (low < high) {
                int middle = low + (high - low) / 2;
                if (before(u->memory[middle], key)) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            set[N->tile[t].row + k] = low < u->nmemory && u->memory[low].id == key.id && u->memory[low].k == k;
        }
    }
}

zw_status zw_unilateral_remember(zw_unilateral *u, const zw_rows *N, const unsigned char *set) {
    u->nmemory = 0;
    if (N->m > u->memory_room) {
        int                   room = N->m + N->m / 4;
        zw_unilateral_memory *more = zw_resize(u->context, u->memory, (size_t)room, sizeof *more, "active set");
        if (!more) {
            return ZW_E_MEMORY;
        }
        u->memory = more;
        u->memory_room = room;
    }
    for (int t = 0; t < N->ntiles; t++) {
        for (int k = 0; k < N->tile[t].m; k++) {
            if (set[N->tile[t].row + k]) {
                u->memory[u->nmemory++] = (zw_unilateral_memory){.id = N->tile[t].id, .k = k};
            }
        }
    }
    sort(u->memory, u->nmemory);
    return ZW_OK;
}

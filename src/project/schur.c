/* SPDX-License-Identifier: Apache-2.0
 * schur.c: the copy of the rows, the graph of tiles and its components, and the assembly of S. */
#include "project/schur.h"

#include <limits.h>
#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* ---- the rows as given ---- */

bool zw_schur_same(const zw_schur *s, const zw_rows *A) {
    if (s->m != A->m || s->ntiles != A->ntiles || (A->ntiles > 0 && !A->tile) || (A->nblocks > 0 && (!A->block || !A->a))) {
        return false;
    }
    for (int t = 0; t < s->ntiles; t++) {
        const zw_tile *mine = &s->tile[t], *given = &A->tile[t];
        if (mine->row != given->row || mine->m != given->m || mine->nblocks != given->nblocks || given->block0 < 0 ||
            given->nblocks > A->nblocks - given->block0) {
            return false;
        }
        for (int k = 0; k < mine->nblocks; k++) {
            const zw_block *a = &s->block[mine->block0 + k], *b = &A->block[given->block0 + k];
            if (a->col0 != b->col0 || a->ncol != b->ncol) {
                return false;
            }
        }
    }
    return true;
}

static zw_status rows_copy_pattern(zw_arena *arena, const zw_rows *A, zw_schur *s) {
    size_t blocks = 0, values = 0;
    for (int t = 0; t < A->ntiles; t++) {
        blocks += (size_t)A->tile[t].nblocks;
    }
    if (blocks > INT_MAX) {
        return zw_raise(arena->context, ZW_E_LIMIT, "rows", "use fewer rows", "%zu blocks of rows, at most %d are possible", blocks,
                        INT_MAX);
    }
    s->m = A->m;
    s->ntiles = A->ntiles;
    s->tile = zw_arena_alloc(arena, (size_t)A->ntiles, sizeof *s->tile, "rows");
    s->block = zw_arena_alloc(arena, blocks, sizeof *s->block, "rows");
    if (!s->tile || !s->block) {
        return ZW_E_MEMORY;
    }
    for (int t = 0; t < A->ntiles; t++) {
        s->tile[t] = A->tile[t];
        s->tile[t].block0 = s->nblocks;
        for (int k = 0; k < A->tile[t].nblocks; k++) {
            zw_block *b = &s->block[s->nblocks++];
            *b = A->block[A->tile[t].block0 + k];
            b->a = (ptrdiff_t)values;
            values += (size_t)A->tile[t].m * (size_t)b->ncol;
        }
    }
    s->a = zw_arena_alloc(arena, values, sizeof *s->a, "rows");
    return s->a ? ZW_OK : ZW_E_MEMORY;
}

/* ---- incidences ---- */

static int run_end(const zw_metric_factor *H, int col, int end) {
    int cell = H->cell_of[col++];
    while (col < end && H->cell_of[col] == cell) {
        col++;
    }
    return col;
}

/* cuts the blocks at cells, sorts the pieces of each tile by cell, and numbers the meetings */
static zw_status incidences_make(zw_arena *arena, const zw_metric_factor *H, zw_schur *s) {
    size_t pieces = 0;
    for (int k = 0; k < s->nblocks; k++) {
        int end = s->block[k].col0 + s->block[k].ncol;
        for (int col = s->block[k].col0; col < end; col = run_end(H, col, end)) {
            pieces++;
        }
    }
    if (pieces > INT_MAX - 1) {
        return zw_raise(arena->context, ZW_E_LIMIT, "rows", "use fewer rows",
                        "the rows touch %zu pieces of the metric, at most %d are possible", pieces, INT_MAX - 1);
    }
    s->incidence0 = zw_arena_alloc(arena, (size_t)s->ntiles + 1, sizeof *s->incidence0, "rows");
    s->incidence = zw_arena_alloc(arena, pieces, sizeof *s->incidence, "rows");
    s->segment0 = zw_arena_alloc(arena, pieces + 1, sizeof *s->segment0, "rows");
    s->segment = zw_arena_alloc(arena, pieces, sizeof *s->segment, "rows");
    if (!s->incidence0 || !s->incidence || !s->segment0 || !s->segment) {
        return ZW_E_MEMORY;
    }
    size_t values = 0;
    for (int t = 0; t < s->ntiles; t++) {
        int first = s->nsegments;
        for (int k = s->tile[t].block0; k < s->tile[t].block0 + s->tile[t].nblocks && s->tile[t].m > 0; k++) {
            const zw_block *b = &s->block[k];
            int             end = b->col0 + b->ncol;
            for (int col = b->col0; col < end;) {
                int        next = run_end(H, col, end), at = s->nsegments++;
                zw_segment g = {
                    .incidence = H->cell_of[col], .col0 = col, .ncol = next - col, .a = b->a + (col - b->col0), .stride = b->ncol};
                for (; at > first && s->segment[at - 1].incidence > g.incidence; at--) { /* stable, by cell for the moment */
                    s->segment[at] = s->segment[at - 1];
                }
                s->segment[at] = g;
                col = next;
            }
        }
        for (int k = first; k < s->nsegments; k++) {
            int cell = s->segment[k].incidence;
            if (k == first || cell != s->incidence[s->nincidences - 1].cell) {
                bool coupled = H->cell[cell].kind == ZW_CELL_COUPLED;
                s->segment0[s->nincidences] = k;
                s->incidence[s->nincidences++] = (zw_incidence){.tile = t, .cell = cell, .a = coupled ? -1 : (ptrdiff_t)values};
                values += coupled ? 0 : (size_t)s->tile[t].m * (size_t)H->cell[cell].n;
            }
            s->segment[k].incidence = s->nincidences - 1;
        }
        s->incidence0[t + 1] = s->nincidences;
    }
    s->segment0[s->nincidences] = s->nsegments;
    s->ac = zw_arena_alloc(arena, values, sizeof *s->ac, "rows");
    s->yc = zw_arena_alloc(arena, values, sizeof *s->yc, "rows");
    return s->ac && s->yc ? ZW_OK : ZW_E_MEMORY;
}

/* ---- components ---- */

typedef struct by_cell { /* incidences of each cell, rising by tile */
    int *start, *incidence;
} by_cell;

static int root_of(int *parent, int i) {
    while (parent[i] != i) {
        i = parent[i] = parent[parent[i]];
    }
    return i;
}

/* components numbered by their first tile; tiles without rows belong to none */
static zw_status components_find(zw_arena *arena, const by_cell *cells, int ncells, zw_schur *s, int *parent) {
    for (int t = 0; t < s->ntiles; t++) {
        parent[t] = t;
    }
    for (int c = 0; c < ncells; c++) {
        for (int k = cells->start[c] + 1; k < cells->start[c + 1]; k++) {
            int a = root_of(parent, s->incidence[cells->incidence[k - 1]].tile),
                b = root_of(parent, s->incidence[cells->incidence[k]].tile);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int t = 0; t < s->ntiles; t++) {
        s->ncomponents += s->tile[t].m > 0 && root_of(parent, t) == t ? 1 : 0;
    }
    s->component = zw_arena_alloc(arena, (size_t)s->ncomponents, sizeof *s->component, "components");
    if (!s->component) {
        return ZW_E_MEMORY;
    }
    int number = 0;
    for (int t = 0; t < s->ntiles; t++) {
        s->component_of[t] = -1;
        if (s->tile[t].m > 0) {
            int root = root_of(parent, t); /* lower, so numbered already */
            s->component_of[t] = root == t ? number++ : s->component_of[root];
            zw_component *k = &s->component[s->component_of[t]];
            s->block_of[t] = k->ntiles++;
            k->m += s->tile[t].m;
        }
    }
    for (int i = 0; i < s->ncomponents; i++) {
        zw_component *k = &s->component[i];
        size_t        m = (size_t)k->m;
        k->both = k->m > ZW_COMPONENT_PLAIN && k->m <= ZW_COMPONENT_DENSE && k->ntiles >= ZW_COMPONENT_TILES;
        k->dense = k->m <= ZW_COMPONENT_DENSE && !k->both;
        k->tile = zw_arena_alloc(arena, (size_t)k->ntiles, sizeof *k->tile, "components");
        k->row = zw_arena_alloc(arena, m, sizeof *k->row, "components");
        k->index = zw_arena_alloc(arena, m, sizeof *k->index, "components");
        k->d = zw_arena_alloc(arena, m, sizeof *k->d, "components");
        if (!k->tile || !k->row || !k->index || !k->d) {
            return ZW_E_MEMORY;
        }
        if (k->dense || k->both) {
            k->s = zw_arena_alloc(arena, m * m, sizeof *k->s, "components");
            k->z = zw_arena_alloc(arena, m * m, sizeof *k->z, "components");
            k->perm = zw_arena_alloc(arena, m, sizeof *k->perm, "components");
            if (!k->s || !k->z || !k->perm) {
                return ZW_E_MEMORY;
            }
        }
        if (!k->dense) {
            k->depends = zw_arena_alloc(arena, m, 1, "components");
            if (!k->depends) {
                return ZW_E_MEMORY;
            }
        }
        k->m = k->ntiles = 0; /* counted again while filling */
    }
    for (int t = 0; t < s->ntiles; t++) {
        if (s->component_of[t] >= 0) {
            zw_component *k = &s->component[s->component_of[t]];
            k->tile[k->ntiles++] = t;
            for (int i = 0; i < s->tile[t].m; i++) {
                k->row[k->m++] = s->tile[t].row + i;
            }
        }
    }
    return ZW_OK;
}

/* the graph of a large component, and the pattern of its factor */
static zw_status sparse_analyse(zw_arena *arena, const by_cell *cells, zw_schur *s, zw_component *k, int *mark) {
    zw_context *c = arena->context;
    int        *start = zw_alloc(c, 2 * (size_t)k->ntiles + 1, sizeof *start, "components"), *size = start ? start + k->ntiles + 1 : NULL;
    int        *adj = NULL;
    zw_status   status = ZW_E_MEMORY;
    for (int pass = 0; pass < 2 && start; pass++) { /* count, then fill */
        long long fill = 0;
        for (int b = 0; b < k->ntiles; b++) {
            int t = k->tile[b], stamp = 2 * t + pass;
            mark[t] = stamp;
            size[b] = s->tile[t].m;
            start[b] = (int)fill;
            for (int i = s->incidence0[t]; i < s->incidence0[t + 1]; i++) {
                int cell = s->incidence[i].cell;
                for (int q = cells->start[cell]; q < cells->start[cell + 1]; q++) {
                    int other = s->incidence[cells->incidence[q]].tile;
                    if (mark[other] != stamp) {
                        mark[other] = stamp;
                        if (pass == 1) {
                            adj[fill] = s->block_of[other];
                        }
                        fill++;
                    }
                }
            }
            if (fill > INT_MAX) {
                status =
                    zw_raise(c, ZW_E_LIMIT, "rows", "use fewer coupled rows", "more than %d pairs of joints act on each other", INT_MAX);
                goto done;
            }
        }
        start[k->ntiles] = (int)fill;
        if (pass == 0) {
            adj = zw_alloc(c, (size_t)fill, sizeof *adj, "components");
            if (!adj) {
                goto done;
            }
        }
    }
    if (start) {
        ZW_TRY_GOTO(zw_blockchol_analyse(arena, k->ntiles, start, adj, size, &k->chol), done);
        for (int j = 0; j < k->ntiles; j++) {
            const zw_tile *tile = &s->tile[k->tile[k->chol.order[j]]];
            for (int i = 0; i < tile->m; i++) {
                k->index[k->chol.row0[j] + i] = tile->row + i;
            }
        }
        memcpy(k->row, k->index, (size_t)k->m * sizeof *k->row);
        k->kept = k->both ? zw_arena_alloc(arena, (size_t)k->chol.nvalues, sizeof *k->kept, "components") : NULL;
        status = k->both && !k->kept ? ZW_E_MEMORY : ZW_OK;
    }
done:
    zw_free(c, adj);
    zw_free(c, start);
    return status;
}

/* the list of products; row0[t] = first row of a tile within its dense component */
static zw_status products_make(zw_arena *arena, const by_cell *cells, int ncells, zw_schur *s, const int *row0) {
    size_t count = 0;
    for (int c = 0; c < ncells; c++) {
        size_t k = (size_t)(cells->start[c + 1] - cells->start[c]);
        count += k * (k + 1) / 2;
    }
    if (count > INT_MAX) {
        return zw_raise(arena->context, ZW_E_LIMIT, "rows", "use fewer coupled rows", "%zu pairs of joints act on each other", count);
    }
    s->product = zw_arena_alloc(arena, count, sizeof *s->product, "rows");
    if (!s->product) {
        return ZW_E_MEMORY;
    }
    for (int c = 0; c < ncells; c++) {
        for (int j = cells->start[c]; j < cells->start[c + 1]; j++) {
            int                 q = cells->incidence[j], tq = s->incidence[q].tile;
            const zw_component *k = &s->component[s->component_of[tq]];
            for (int i = cells->start[c]; i < cells->start[c + 1]; i++) {
                int        p = cells->incidence[i], tp = s->incidence[p].tile;
                zw_product x = {.p = p, .q = q};
                if (k->dense) {
                    if (tp < tq) {
                        continue;
                    }
                    x.stride = k->m;
                    x.target = (ptrdiff_t)row0[tp] * k->m + row0[tq];
                } else {
                    if (k->chol.position[s->block_of[tp]] < k->chol.position[s->block_of[tq]]) {
                        continue;
                    }
                    x.stride = s->tile[tq].m;
                    x.target = zw_blockchol_find(&k->chol, s->block_of[tp], s->block_of[tq]);
                }
                s->product[s->nproducts++] = x;
            }
        }
    }
    return ZW_OK;
}

zw_status zw_schur_analyse(zw_arena *arena, const zw_metric_factor *H, const zw_rows *A, zw_schur *s) {
    *s = (zw_schur){.m = 0};
    ZW_TRY(rows_copy_pattern(arena, A, s));
    ZW_TRY(incidences_make(arena, H, s));
    s->component_of = zw_arena_alloc(arena, (size_t)s->ntiles, sizeof(int), "components");
    s->block_of = zw_arena_alloc(arena, (size_t)s->ntiles, sizeof(int), "components");
    s->column = zw_arena_alloc(arena, (size_t)H->n, sizeof(double), "components");
    if (!s->component_of || !s->block_of || !s->column) {
        return ZW_E_MEMORY;
    }
    int *work =
        zw_alloc(arena->context, (size_t)H->ncells + 2 + (size_t)s->nincidences + 2 * (size_t)s->ntiles, sizeof *work, "components");
    if (!work) {
        return ZW_E_MEMORY;
    }
    by_cell cells = {.start = work, .incidence = work + H->ncells + 2};
    int    *tiles = cells.incidence + s->nincidences, *row0 = tiles + s->ntiles;
    for (int i = 0; i < s->nincidences; i++) {
        cells.start[s->incidence[i].cell + 2]++;
    }
    for (int c = 0; c < H->ncells; c++) {
        cells.start[c + 2] += cells.start[c + 1];
    }
    for (int i = 0; i < s->nincidences; i++) {
        cells.incidence[cells.start[s->incidence[i].cell + 1]++] = i;
    }
    zw_status status;
    ZW_TRY_GOTO(components_find(arena, &cells, H->ncells, s, tiles), done);
    for (int t = 0; t < s->ntiles; t++) {
        tiles[t] = -1;
    }
    for (int i = 0; i < s->ncomponents; i++) {
        zw_component *k = &s->component[i];
        for (int b = 0, row = 0; b < k->ntiles; b++) {
            row0[k->tile[b]] = row;
            row += s->tile[k->tile[b]].m;
        }
        if (!k->dense) {
            ZW_TRY_GOTO(sparse_analyse(arena, &cells, s, k, tiles), done);
        }
    }
    ZW_TRY_GOTO(products_make(arena, &cells, H->ncells, s, row0), done);
done:
    zw_free(arena->context, work);
    return status;
}

/* ---- values ---- */

static void rows_copy(zw_schur *s, const zw_rows *A) {
    for (int t = 0; t < s->ntiles; t++) {
        s->tile[t].id = A->tile[t].id;
        for (int k = 0; k < s->tile[t].nblocks; k++) {
            const zw_block *b = &s->block[s->tile[t].block0 + k];
            size_t          count = (size_t)s->tile[t].m * (size_t)b->ncol;
            if (count > 0) {
                memcpy(s->a + b->a, A->a + A->block[A->tile[t].block0 + k].a, count * sizeof *s->a);
            }
        }
    }
}

/* A in the cells that are not coupled, densely, and H^-1 times it */
static void incidences_fill(zw_schur *s, const zw_metric_factor *H) {
    for (int i = 0; i < s->nincidences; i++) {
        const zw_incidence *e = &s->incidence[i];
        const zw_cell      *cell = &H->cell[e->cell];
        if (e->a < 0) {
            continue;
        }
        int     m = s->tile[e->tile].m, n = cell->n;
        double *a = s->ac + e->a, *y = s->yc + e->a;
        memset(a, 0, (size_t)m * (size_t)n * sizeof *a);
        for (int g = s->segment0[i]; g < s->segment0[i + 1]; g++) {
            const zw_segment *x = &s->segment[g];
            for (int r = 0; r < m; r++) {
                for (int k = 0; k < x->ncol; k++) {
                    a[r * n + (x->col0 - cell->col0) + k] += s->a[x->a + (ptrdiff_t)r * x->stride + k];
                }
            }
        }
        memcpy(y, a, (size_t)m * (size_t)n * sizeof *a);
        for (int r = 0; r < m; r++) {
            zw_metric_apply_local(H, cell, y + (ptrdiff_t)r * n);
        }
    }
}

/* out += a y', a (mp x n), y (mq x n) */
INLINE void product_any(int mp, int mq, int n, const double *restrict a, const double *restrict y, ptrdiff_t stride, double *restrict out) {
    for (int i = 0; i < mp; i++) {
        for (int j = 0; j < mq; j++) {
            double t = 0.0;
            for (int k = 0; k < n; k++) {
                t += a[i * n + k] * y[j * n + k];
            }
            out[i * stride + j] += t;
        }
    }
}

static void product_small(const zw_schur *s, const zw_product *x, int n, double *out) {
    const zw_incidence *p = &s->incidence[x->p], *q = &s->incidence[x->q];
    int                 mp = s->tile[p->tile].m, mq = s->tile[q->tile].m;
    const double       *a = s->ac + p->a, *y = s->yc + q->a;
    if (n == 6 && mp == 5 && mq == 5) { /* hinges between bodies: known sizes unroll, the sums are the same */
        product_any(5, 5, 6, a, y, x->stride, out);
    } else if (n == 6 && mp == 3 && mq == 3) {
        product_any(3, 3, 6, a, y, x->stride, out);
    } else {
        product_any(mp, mq, n, a, y, x->stride, out);
    }
}

/* products [first, end) share q in a coupled cell: one substitution per row of q */
static void products_coupled(zw_schur *s, const zw_metric_factor *H, int first, int end) {
    int            q = s->product[first].q, tile = s->incidence[q].tile;
    const zw_cell *cell = &H->cell[s->incidence[q].cell];
    double        *l =
        s->component[s->component_of[tile]].dense ? s->component[s->component_of[tile]].s : s->component[s->component_of[tile]].chol.l;
    for (int r = 0; r < s->tile[tile].m; r++) {
        for (int k = 0; k < cell->ntouched; k++) {
            memset(s->column + H->v0[cell->part] + cell->block[cell->touched[k]] * cell->b, 0, (size_t)cell->b * sizeof(double));
        }
        for (int g = s->segment0[q]; g < s->segment0[q + 1]; g++) {
            const zw_segment *x = &s->segment[g];
            for (int k = 0; k < x->ncol; k++) {
                s->column[x->col0 + k] += s->a[x->a + (ptrdiff_t)r * x->stride + k];
            }
        }
        zw_metric_front_cell(H, cell, s->column);
        for (int e = first; e < end; e++) {
            const zw_product *x = &s->product[e];
            int               mp = s->tile[s->incidence[x->p].tile].m;
            for (int i = 0; i < mp; i++) {
                double t = 0.0;
                for (int g = s->segment0[x->p]; g < s->segment0[x->p + 1]; g++) {
                    const zw_segment *y = &s->segment[g];
                    for (int k = 0; k < y->ncol; k++) {
                        t += s->a[y->a + (ptrdiff_t)i * y->stride + k] * s->column[y->col0 + k];
                    }
                }
                l[x->target + (ptrdiff_t)i * x->stride + r] += t;
            }
        }
    }
}

void zw_schur_assemble(zw_schur *s, const zw_metric_factor *H, const zw_rows *A) {
    rows_copy(s, A);
    incidences_fill(s, H);
    for (int i = 0; i < s->ncomponents; i++) {
        zw_component *k = &s->component[i];
        k->dense = k->dense && !k->both;
        if (k->dense) {
            memset(k->s, 0, (size_t)k->m * (size_t)k->m * sizeof *k->s);
        } else {
            zw_blockchol_zero(&k->chol);
        }
    }
    for (int e = 0; e < s->nproducts;) {
        const zw_product   *x = &s->product[e];
        const zw_incidence *q = &s->incidence[x->q];
        if (q->a < 0) {
            int end = e + 1;
            while (end < s->nproducts && s->product[end].q == x->q) {
                end++;
            }
            products_coupled(s, H, e, end);
            e = end;
        } else {
            const zw_component *k = &s->component[s->component_of[q->tile]];
            product_small(s, x, H->cell[q->cell].n, (k->dense ? k->s : k->chol.l) + x->target);
            e++;
        }
    }
}

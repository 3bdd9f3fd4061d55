/* SPDX-License-Identifier: Apache-2.0
 * coupled.c: a coupled cell of the metric: which blocks are separators and which stand in paths (strand.h), the pattern of both, and their factors. */
#include "project/metric.h"

#include <math.h>
#include <string.h>

/* where block (row, col) of a matrix in block rows stands; -1: nowhere */
static int entry_at(const zw_matrix *m, int row, int col) {
    for (int q = m->start[row]; q < m->start[row + 1]; q++) {
        if (m->col[q] == col) {
            return q;
        }
    }
    return -1;
}

/* the graph of a cell in its own numbers; both triangles must be there */
static zw_status graph_make(zw_context *c, const zw_matrix *m, const int *local, const zw_cell *cell, int *start, int *adj) {
    int fill = 0;
    for (int k = 0; k < cell->nblocks; k++) {
        int i = cell->block[k];
        for (int q = m->start[i]; q < m->start[i + 1]; q++) {
            if (m->col[q] != i) {
                adj[fill++] = local[m->col[q]];
            }
        }
        start[k + 1] = fill;
    }
    for (int k = 0; k < cell->nblocks; k++) {
        for (int q = start[k]; q < start[k + 1]; q++) {
            bool both = false;
            for (int r = start[adj[q]]; r < start[adj[q] + 1] && !both; r++) {
                both = adj[r] == k;
            }
            if (!both) {
                return zw_raise(c, ZW_E_ARG, "metric", "store both triangles", "block (%d, %d) of part %d is stored, block (%d, %d) is not",
                                cell->block[k], cell->block[adj[q]], cell->part, cell->block[adj[q]], cell->block[k]);
            }
        }
    }
    return ZW_OK;
}

static void edge_add(int f, int to, int *count, const int *room, int *adj) {
    for (int q = 0; q < count[f]; q++) {
        if (adj[room[f] + q] == to) {
            return;
        }
    }
    adj[room[f] + count[f]++] = to;
}

/* the graph of the separators: edges among them, and one for each path between two; number[k] = separator k's number, -1 for others.
 * count is scratch; front_adj has room for all edges of the cell and two per piece */
static void front_graph(const zw_cell *cell, const int *start, const int *adj, const int *number, int npieces, const zw_strand_piece *piece,
                        int *count, int *front_start, int *front_adj) {
    for (int f = 0; f < cell->nfront; f++) {
        count[f] = start[cell->front[f] + 1] - start[cell->front[f]];
    }
    for (int p = 0; p < npieces; p++) {
        if (piece[p].left >= 0 && piece[p].right >= 0 && piece[p].left != piece[p].right) {
            count[number[piece[p].left]]++;
            count[number[piece[p].right]]++;
        }
    }
    front_start[0] = 0;
    for (int f = 0; f < cell->nfront; f++) {
        front_start[f + 1] = front_start[f] + count[f];
        count[f] = 0;
    }
    for (int f = 0; f < cell->nfront; f++) {
        int k = cell->front[f];
        for (int q = start[k]; q < start[k + 1]; q++) {
            if (number[adj[q]] >= 0) {
                edge_add(f, number[adj[q]], count, front_start, front_adj);
            }
        }
    }
    for (int p = 0; p < npieces; p++) {
        if (piece[p].left >= 0 && piece[p].right >= 0 && piece[p].left != piece[p].right) {
            edge_add(number[piece[p].left], number[piece[p].right], count, front_start, front_adj);
            edge_add(number[piece[p].right], number[piece[p].left], count, front_start, front_adj);
        }
    }
    int fill = 0; /* closes the gaps */
    for (int f = 0; f < cell->nfront; f++) {
        int from = front_start[f];
        front_start[f] = fill;
        for (int q = 0; q < count[f]; q++) {
            front_adj[fill++] = front_adj[from + q];
        }
    }
    front_start[cell->nfront] = fill;
}

/* columns and values of the lanes, and where their corners go */
static zw_status strand_fill(zw_arena *arena, const zw_matrix *m, int col0, const int *number, const int *list, int npieces,
                             const zw_strand_piece *piece, zw_cell *cell) {
    ZW_TRY(zw_strand_create(arena, npieces, piece, &cell->strand));
    size_t lanes = (size_t)cell->strand.ngroups * ZW_STRAND_LANES;
    cell->corner = zw_arena_alloc(arena, 3 * lanes, sizeof *cell->corner, "metric");
    cell->turned = zw_arena_alloc(arena, lanes, sizeof *cell->turned, "metric");
    if (!cell->corner || !cell->turned) {
        return ZW_E_MEMORY;
    }
    for (size_t k = 0; k < 3 * lanes; k++) {
        cell->corner[k] = -1;
    }
    ptrdiff_t bb = (ptrdiff_t)cell->b * cell->b;
    for (int p = 0; p < npieces; p++) {
        zw_strand_group *g = &cell->strand.group[p / ZW_STRAND_LANES];
        int              lane = p % ZW_STRAND_LANES, left = piece[p].left, right = piece[p].right;
        const int       *at = list + piece[p].first;
        for (int i = 0; i < piece[p].n; i++) {
            size_t slot = (size_t)(g->begin[lane] + i) * ZW_STRAND_LANES + (size_t)lane;
            int    here = cell->block[at[i]], next = i + 1 < piece[p].n ? cell->block[at[i + 1]] : right >= 0 ? cell->block[right] : -1;
            g->col[slot] = col0 + here * cell->b;
            g->diagonal[slot] = bb * entry_at(m, here, here);
            g->next[slot] = next >= 0 ? bb * entry_at(m, next, here) : -1;
        }
        ptrdiff_t *corner = cell->corner + 3 * (size_t)p;
        if (left >= 0) {
            g->left[lane] = col0 + cell->block[left] * cell->b;
            g->head[lane] = bb * entry_at(m, cell->block[left], cell->block[at[0]]);
            corner[0] = zw_blockchol_find(&cell->chol, number[left], number[left]);
        }
        if (right >= 0) {
            g->right[lane] = col0 + cell->block[right] * cell->b;
            corner[1] = zw_blockchol_find(&cell->chol, number[right], number[right]);
        }
        if (left >= 0 && right >= 0) {
            cell->turned[p] = cell->chol.position[number[left]] < cell->chol.position[number[right]];
            corner[2] = cell->turned[p] ? zw_blockchol_find(&cell->chol, number[right], number[left])
                                        : zw_blockchol_find(&cell->chol, number[left], number[right]);
        }
    }
    return ZW_OK;
}

/* paths, separators and the pattern of a coupled cell's factor; local[i] = number of the part's block i in the cell */
zw_status zw_coupled_analyse(zw_arena *arena, const zw_matrix *m, int col0, const int *local, const unsigned char *cut, zw_cell *cell) {
    zw_context *c = arena->context;
    size_t      n = (size_t)cell->nblocks, count = 0;
    for (int k = 0; k < cell->nblocks; k++) {
        count += (size_t)(m->start[cell->block[k] + 1] - m->start[cell->block[k]]);
    }
    int             *work = zw_alloc(c, 8 * n + 2 + 2 * count, sizeof *work, "metric");
    zw_strand_piece *piece = zw_alloc(c, n, sizeof *piece, "metric");
    unsigned char   *separator = zw_alloc(c, 2 * n, 1, "metric");
    zw_status        status = ZW_E_MEMORY;
    if (!work || !piece || !separator) {
        goto done;
    }
    unsigned char *last = separator + n;
    int           *start = work, *front_start = start + n + 1, *number = front_start + n + 1, *size = number + n, *list = size + n,
        *counts = list + n, *adj = counts + n, *front_adj = adj + count; /* count and 2 n long */
    ZW_TRY_GOTO(graph_make(c, m, local, cell, start, adj), done);
    cell->front = zw_arena_alloc(arena, n, sizeof *cell->front, "metric");
    cell->touched = zw_arena_alloc(arena, n, sizeof *cell->touched, "metric");
    if (!cell->front || !cell->touched) {
        status = ZW_E_MEMORY;
        goto done;
    }
    for (int k = 0; k < cell->nblocks; k++) {
        bool touched = false;
        for (int i = 0; i < cell->b && !touched; i++) {
            touched = (cut[col0 + cell->block[k] * cell->b + i] & ZW_COLUMN_TOUCHED) != 0;
        }
        if (touched) {
            cell->touched[cell->ntouched++] = k;
        }
        separator[k] = touched || cell->b != ZW_STRAND_BLOCK;
    }
    int npieces = zw_strand_split(cell->nblocks, start, adj, separator, list, piece);
    for (int k = 0; k < cell->nblocks; k++) {
        number[k] = separator[k] ? cell->nfront : -1;
        if (separator[k]) {
            size[cell->nfront] = cell->b;
            cell->front[cell->nfront++] = k;
        }
    }
    for (int k = 0; k < cell->ntouched; k++) {
        last[number[cell->touched[k]]] = 1;
    }
    front_graph(cell, start, adj, number, npieces, piece, counts, front_start, front_adj);
    ZW_TRY_GOTO(zw_blockchol_analyse_last(arena, cell->nfront, front_start, front_adj, size, last, &cell->chol), done);
    cell->entry = zw_arena_alloc(arena, count, sizeof *cell->entry, "metric");
    cell->target = zw_arena_alloc(arena, count, sizeof *cell->target, "metric");
    if (!cell->entry || !cell->target) {
        status = ZW_E_MEMORY;
        goto done;
    }
    for (int f = 0; f < cell->nfront; f++) {
        int i = cell->block[cell->front[f]];
        for (int q = m->start[i]; q < m->start[i + 1]; q++) {
            int j = number[local[m->col[q]]];
            if (j >= 0 && cell->chol.position[f] >= cell->chol.position[j]) {
                cell->entry[cell->nentries] = q;
                cell->target[cell->nentries++] = zw_blockchol_find(&cell->chol, f, j);
            }
        }
    }
    ZW_TRY_GOTO(strand_fill(arena, m, col0, number, list, npieces, piece, cell), done);
done:
    zw_free(c, separator);
    zw_free(c, piece);
    zw_free(c, work);
    return status;
}

/* the first column whose pivot in a path is not positive or not finite */
static zw_status refuse_path(zw_context *c, const zw_cell *cell, const zw_strand_group *g) {
    for (int slot = 0; slot < g->steps * ZW_STRAND_LANES; slot++) {
        int step = slot / ZW_STRAND_LANES, lane = slot % ZW_STRAND_LANES;
        for (int i = 0; i < ZW_STRAND_BLOCK && g->col[slot] >= 0; i++) {
            double pivot = g->y[(step * ZW_STRAND_BLOCK + i) * ZW_STRAND_LANES + lane];
            if (!(pivot > 0.0) || !isfinite(pivot)) {
                return zw_metric_refuse(c, cell->part, g->col[slot] + i, isfinite(pivot), pivot);
            }
        }
    }
    return zw_metric_refuse(c, cell->part, cell->col0, true, 0.0);
}

/* what the paths of a group leave in the separators */
static void corners_add(zw_cell *cell, int group) {
    enum { B = ZW_STRAND_BLOCK };
    const zw_strand_group *g = &cell->strand.group[group];
    for (int lane = 0; lane < ZW_STRAND_LANES; lane++) {
        const ptrdiff_t *corner = cell->corner + 3 * ((size_t)group * ZW_STRAND_LANES + (size_t)lane);
        const double    *own = g->corner + lane, *cross = own + 2 * ZW_STRAND_LOWER * ZW_STRAND_LANES;
        for (int side = 0; side < 2; side++, own += ZW_STRAND_LOWER * ZW_STRAND_LANES) {
            double *d = cell->chol.l + corner[side];
            for (int i = 0, e = 0; i < B && corner[side] >= 0; i++) {
                for (int k = 0; k <= i; k++, e++) {
                    d[B * i + k] += own[e * ZW_STRAND_LANES];
                }
            }
        }
        if (corner[2] < 0) {
            continue;
        }
        double *x = cell->chol.l + corner[2];
        bool    same = g->left[lane] == g->right[lane]; /* a ring with one separator: both triangles of its own block */
        for (int i = 0; i < B; i++) {
            for (int k = 0; k < B; k++) {
                double t = cross[(B * i + k) * ZW_STRAND_LANES];
                if (same || !cell->turned[group * ZW_STRAND_LANES + lane]) {
                    x[B * i + k] += t;
                }
                if (same || cell->turned[group * ZW_STRAND_LANES + lane]) {
                    x[B * k + i] += t;
                }
            }
        }
    }
}

zw_status zw_coupled_refactor(zw_context *c, const zw_metric_factor *f, zw_cell *cell, const zw_metric *H) {
    const zw_matrix *m = &H->part[cell->part];
    size_t           bb = (size_t)cell->b * (size_t)cell->b;
    zw_blockchol_zero(&cell->chol);
    for (int e = 0; e < cell->nentries; e++) {
        memcpy(cell->chol.l + cell->target[e], m->a + (size_t)cell->entry[e] * bb, bb * sizeof(double));
    }
    for (int k = 0; k < cell->strand.ngroups; k++) {
        if (!f->path->factor(&cell->strand.group[k], m->a)) {
            return refuse_path(c, cell, &cell->strand.group[k]);
        }
        corners_add(cell, k);
    }
    bool finite = zw_metric_finite(cell->chol.l, (size_t)cell->chol.nvalues);
    int  bad = finite ? zw_blockchol_factor(&cell->chol, 0.0, false) : 0;
    if (bad >= 0) {
        int    k = bad / cell->b, i = bad % cell->b;
        double value = cell->chol.l[cell->chol.value[cell->chol.start[k]] + (ptrdiff_t)i * cell->b + i];
        return zw_metric_refuse(c, cell->part, H->v0[cell->part] + cell->block[cell->front[cell->chol.order[k]]] * cell->b + i, finite,
                                value);
    }
    return ZW_OK;
}

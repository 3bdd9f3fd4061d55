/* SPDX-License-Identifier: Apache-2.0
 * unilateral_primal.c: groups of columns, pattern, assembly and rank of K = h H + G' D G. */
#include "project/unilateral_primal.h"

#include "project/rank.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { GROUP = 6 }; /* columns of a diagonal part that go together at most */

void zw_primal_init(zw_primal *p, zw_context *c) {
    *p = (zw_primal){.made = false};
    zw_arena_init(&p->arena, c);
}

void zw_primal_destroy(zw_primal *p) {
    zw_arena_destroy(&p->arena);
}

/* ---- pattern ---- */

static bool same(const zw_primal *p, const zw_metric *H, const zw_rows *G) {
    if (!p->made || p->n != H->n || p->nparts != H->nparts || p->ntiles != G->ntiles || p->nblocks != G->nblocks) {
        return false;
    }
    for (int k = 0; k < p->nparts; k++) {
        const zw_matrix *a = &p->part[k], *b = &H->part[k];
        if ((a->kind == ZW_DIAGONAL) != (b->kind == ZW_DIAGONAL) || a->n != b->n || a->block != b->block) {
            return false;
        }
        size_t rows = a->kind == ZW_DIAGONAL || a->n == 0 ? 0 : (size_t)(a->n / a->block);
        if (rows > 0 && (memcmp(a->start, b->start, (rows + 1) * sizeof *a->start) != 0 ||
                         memcmp(a->col, b->col, (size_t)a->start[rows] * sizeof *a->col) != 0)) {
            return false;
        }
    }
    for (int t = 0; t < p->ntiles; t++) {
        if (p->tile[t].m != G->tile[t].m || p->tile[t].row != G->tile[t].row || p->tile[t].nblocks != G->tile[t].nblocks) {
            return false;
        }
    }
    for (int k = 0; k < p->nblocks; k++) {
        if (p->block[k].col0 != G->block[k].col0 || p->block[k].ncol != G->block[k].ncol) {
            return false;
        }
    }
    return true;
}

static zw_status pattern_copy(zw_primal *p, const zw_metric *H, const zw_rows *G) {
    zw_arena *arena = &p->arena;
    p->n = H->n;
    p->nparts = H->nparts;
    p->ntiles = G->ntiles;
    p->nblocks = G->nblocks;
    p->part = zw_arena_alloc(arena, (size_t)H->nparts, sizeof *p->part, "unilateral rows");
    p->tile = zw_arena_alloc(arena, (size_t)G->ntiles, sizeof *p->tile, "unilateral rows");
    p->block = zw_arena_alloc(arena, (size_t)G->nblocks, sizeof *p->block, "unilateral rows");
    if (!p->part || !p->tile || !p->block) {
        return ZW_E_MEMORY;
    }
    for (int k = 0; k < H->nparts; k++) {
        p->part[k] = H->part[k];
        p->part[k].a = NULL;
        if (H->part[k].kind == ZW_DIAGONAL || H->part[k].n == 0) {
            p->part[k].start = p->part[k].col = NULL;
            continue;
        }
        size_t rows = (size_t)(H->part[k].n / H->part[k].block), entries = (size_t)H->part[k].start[rows];
        int   *start = zw_arena_alloc(arena, rows + 1, sizeof *start, "unilateral rows");
        int   *col = zw_arena_alloc(arena, entries, sizeof *col, "unilateral rows");
        if (!start || !col) {
            return ZW_E_MEMORY;
        }
        memcpy(start, H->part[k].start, (rows + 1) * sizeof *start);
        memcpy(col, H->part[k].col, entries * sizeof *col);
        p->part[k].start = start;
        p->part[k].col = col;
    }
    for (int t = 0; t < G->ntiles; t++) {
        p->tile[t] = G->tile[t];
    }
    for (int k = 0; k < G->nblocks; k++) {
        p->block[k] = G->block[k];
    }
    return ZW_OK;
}

/* a group is a block of the metric, or columns of a diagonal part between the ends of row blocks, a few at most */
static zw_status groups_make(zw_primal *p, const zw_metric *H) {
    size_t n = (size_t)p->n;
    p->group0 = zw_arena_alloc(&p->arena, n + 1, sizeof *p->group0, "unilateral rows");
    p->group_of = zw_arena_alloc(&p->arena, n, sizeof *p->group_of, "unilateral rows");
    p->scale = zw_arena_alloc(&p->arena, n, sizeof *p->scale, "unilateral rows");
    unsigned char *cut = zw_arena_alloc(&p->arena, n + 1, 1, "unilateral rows");
    if (!p->group0 || !p->group_of || !p->scale || !cut) {
        return ZW_E_MEMORY;
    }
    for (int k = 0; k < p->nblocks; k++) {
        cut[p->block[k].col0] = cut[p->block[k].col0 + p->block[k].ncol] = 1;
    }
    for (int k = 0; k < p->nparts; k++) {
        int v0 = H->v0[k], b = p->part[k].block;
        for (int j = 0; j < p->part[k].n; j++) {
            bool begins =
                p->part[k].kind == ZW_DIAGONAL ? j == 0 || cut[v0 + j] || v0 + j - p->group0[p->ngroups - 1] == GROUP : j % b == 0;
            if (begins) {
                p->group0[p->ngroups++] = v0 + j;
            }
            p->group_of[v0 + j] = p->ngroups - 1;
        }
    }
    p->group0[p->ngroups] = p->n;
    return ZW_OK;
}

static int pieces_of(const zw_primal *p, const zw_rows *G, int t, zw_piece *out) {
    int count = 0;
    for (int k = G->tile[t].block0; k < G->tile[t].block0 + G->tile[t].nblocks; k++) {
        const zw_block *b = &G->block[k];
        for (int col = b->col0, end = b->col0 + b->ncol; col < end;) {
            int g = p->group_of[col], stop = p->group0[g + 1] < end ? p->group0[g + 1] : end;
            if (out) {
                out[count] = (zw_piece){g, col - p->group0[g], stop - col, b->a + (col - b->col0), b->ncol};
            }
            count++;
            col = stop;
        }
    }
    return count;
}

typedef struct edges { /* the graph of groups, made in two passes: count, then fill; doubles are taken out after */
    int *start, *adj, *next;
} edges;

static void edge(edges *e, bool fill, int i, int j) {
    if (i == j) {
        return;
    }
    if (fill) {
        e->adj[e->next[i]++] = j;
    } else {
        e->start[i + 1]++;
    }
}

static void all_edges(const zw_primal *p, const zw_metric *H, edges *e, bool fill) {
    for (int k = 0; k < p->nparts; k++) {
        const zw_matrix *m = &p->part[k];
        for (int i = 0; m->kind != ZW_DIAGONAL && m->n > 0 && i < m->n / m->block; i++) {
            for (int q = m->start[i]; q < m->start[i + 1]; q++) {
                edge(e, fill, p->group_of[H->v0[k] + i * m->block], p->group_of[H->v0[k] + m->col[q] * m->block]);
            }
        }
    }
    for (int t = 0; t < p->ntiles; t++) {
        for (int a = p->piece0[t]; a < p->piece0[t + 1]; a++) {
            for (int b = p->piece0[t]; b < p->piece0[t + 1]; b++) {
                edge(e, fill, p->piece[a].group, p->piece[b].group);
            }
        }
    }
}

static zw_status graph_make(zw_primal *p, const zw_metric *H) {
    size_t n = (size_t)p->ngroups, total = 0;
    int   *seen = zw_arena_alloc(&p->arena, n, sizeof *seen, "unilateral rows");
    edges  e = {.start = zw_arena_alloc(&p->arena, n + 1, sizeof(int), "unilateral rows"),
                .next = zw_arena_alloc(&p->arena, n + 1, sizeof(int), "unilateral rows")};
    p->size = zw_arena_alloc(&p->arena, n, sizeof *p->size, "unilateral rows");
    if (!p->size || !seen || !e.start || !e.next) {
        return ZW_E_MEMORY;
    }
    all_edges(p, H, &e, false);
    for (int g = 0; g < p->ngroups; g++) {
        total += (size_t)e.start[g + 1];
        if (total > INT_MAX) {
            return zw_raise(p->arena.context, ZW_E_LIMIT, "unilateral rows", "use fewer rows", "more than %d pairs of columns meet",
                            INT_MAX);
        }
        e.start[g + 1] = (int)total;
        e.next[g] = e.start[g];
    }
    e.adj = zw_arena_alloc(&p->arena, total, sizeof(int), "unilateral rows");
    if (!e.adj) {
        return ZW_E_MEMORY;
    }
    all_edges(p, H, &e, true);
    int kept = 0;
    for (int g = 0; g < p->ngroups; g++) {
        int first = e.start[g];
        e.start[g] = kept;
        p->size[g] = p->group0[g + 1] - p->group0[g];
        for (int q = first; q < e.next[g]; q++) {
            if (seen[e.adj[q]] != g + 1) {
                seen[e.adj[q]] = g + 1;
                e.adj[kept++] = e.adj[q];
            }
        }
    }
    e.start[p->ngroups] = kept;
    p->start = e.start;
    p->adj = e.adj;
    return ZW_OK;
}

static zw_target place(const zw_primal *p, bool rank, int i, int j) {
    zw_target t = {.at = -1, .row = 1, .column = 1};
    if (!rank) {
        t.at = zw_panels_find(&p->panels, p->group0[i], p->group0[j], &t.column);
    } else if (p->chol.position[i] >= p->chol.position[j]) {
        t.at = zw_blockchol_find(&p->chol, i, j);
        t.row = p->size[j];
    }
    return t;
}

static void targets_fill(const zw_primal *p, const zw_metric *H, bool rank, zw_target *to) {
    for (int t = 0; t < p->ntiles; t++) {
        for (int a = p->piece0[t]; a < p->piece0[t + 1]; a++) {
            for (int b = p->piece0[t]; b < p->piece0[t + 1]; b++) {
                *to++ = place(p, rank, p->piece[a].group, p->piece[b].group);
            }
        }
    }
    for (int k = 0; k < p->nparts; k++) {
        const zw_matrix *m = &p->part[k];
        for (int j = 0; j < m->n && m->kind == ZW_DIAGONAL; j++) {
            int g = p->group_of[H->v0[k] + j], in = H->v0[k] + j - p->group0[g];
            *to = place(p, rank, g, g);
            to->at += in * (to->row + to->column);
            to++;
        }
        for (int i = 0; m->kind != ZW_DIAGONAL && m->n > 0 && i < m->n / m->block; i++) {
            for (int q = m->start[i]; q < m->start[i + 1]; q++) {
                *to++ = place(p, rank, p->group_of[H->v0[k] + i * m->block], p->group_of[H->v0[k] + m->col[q] * m->block]);
            }
        }
    }
}

zw_status zw_primal_analyse(zw_primal *p, const zw_metric *H, const zw_rows *G) {
    if (same(p, H, G)) {
        return ZW_OK;
    }
    zw_context *c = p->arena.context;
    zw_primal_destroy(p);
    zw_primal_init(p, c);
    ZW_TRY(pattern_copy(p, H, G));
    ZW_TRY(groups_make(p, H));
    p->piece0 = zw_arena_alloc(&p->arena, (size_t)G->ntiles + 1, sizeof *p->piece0, "unilateral rows");
    if (!p->piece0) {
        return ZW_E_MEMORY;
    }
    size_t pairs = 0, entries = 0;
    for (int t = 0; t < G->ntiles; t++) {
        int count = pieces_of(p, G, t, NULL);
        p->piece0[t + 1] = p->piece0[t] + count;
        pairs += (size_t)count * (size_t)count;
    }
    for (int k = 0; k < p->nparts; k++) {
        const zw_matrix *m = &p->part[k];
        entries += m->n == 0 ? 0 : m->kind == ZW_DIAGONAL ? (size_t)m->n : (size_t)m->start[m->n / m->block];
    }
    p->piece = zw_arena_alloc(&p->arena, (size_t)p->piece0[G->ntiles], sizeof *p->piece, "unilateral rows");
    p->npairs = (ptrdiff_t)pairs;
    p->nentries = (ptrdiff_t)entries;
    p->target = zw_arena_alloc(&p->arena, pairs + entries, sizeof *p->target, "unilateral rows");
    if (!p->piece || !p->target) {
        return ZW_E_MEMORY;
    }
    for (int t = 0; t < G->ntiles; t++) {
        pieces_of(p, G, t, p->piece + p->piece0[t]);
    }
    ZW_TRY(graph_make(p, H));
    ZW_TRY(zw_panels_analyse(&p->arena, p->ngroups, p->start, p->adj, p->size, &p->panels));
    targets_fill(p, H, false, p->target);
    p->made = true;
    return ZW_OK;
}

static zw_status rank_analyse(zw_primal *p, const zw_metric *H) {
    zw_target *target = zw_arena_alloc(&p->arena, (size_t)(p->npairs + p->nentries), sizeof *target, "unilateral rows");
    if (!target) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(zw_blockchol_analyse(&p->arena, p->ngroups, p->start, p->adj, p->size, &p->chol));
    targets_fill(p, H, true, target);
    p->rank_target = target;
    return ZW_OK;
}

/* ---- values ---- */

/* adds h H + G'D G to the values l */
static void assemble(const zw_primal *p, const zw_target *to, const zw_metric *H, const zw_rows *G, const double *value, double h,
                     const double *d, double *l) {
    for (int t = 0; t < G->ntiles; t++) {
        for (int a = p->piece0[t]; a < p->piece0[t + 1]; a++) {
            for (int b = p->piece0[t]; b < p->piece0[t + 1]; b++, to++) {
                const zw_piece *u = &p->piece[a], *v = &p->piece[b];
                double         *block = l + (to->at >= 0 ? to->at + u->at * to->row + v->at * to->column : 0);
                for (int i = 0; i < G->tile[t].m && to->at >= 0; i++) {
                    double        di = d[G->tile[t].row + i];
                    const double *x = value + u->a + (ptrdiff_t)i * u->stride, *y = value + v->a + (ptrdiff_t)i * v->stride;
                    for (int c = 0; c < v->n && di > 0.0; c++) {
                        for (int r = 0; r < u->n; r++) {
                            block[r * to->row + c * to->column] += di * x[r] * y[c];
                        }
                    }
                }
            }
        }
    }
    for (int k = 0; k < p->nparts && h != 0.0; k++) {
        const zw_matrix *m = &H->part[k];
        for (int j = 0; j < m->n && m->kind == ZW_DIAGONAL; j++, to++) {
            l[to->at] += h * m->a[j];
        }
        ptrdiff_t b = m->block, entries = m->kind == ZW_DIAGONAL || m->n == 0 ? 0 : m->start[m->n / m->block];
        for (ptrdiff_t q = 0; q < entries; q++, to++) {
            for (ptrdiff_t e = 0; e < b * b && to->at >= 0; e++) {
                l[to->at + e / b * to->row + e % b * to->column] += h * m->a[q * b * b + e];
            }
        }
    }
}

bool zw_primal_factor(zw_primal *p, const zw_metric *H, const zw_rows *G, const double *value, double h, const double *d) {
    zw_panels_zero(&p->panels);
    assemble(p, p->target, H, G, value, h, d, p->panels.l);
    return zw_panels_factor(&p->panels);
}

void zw_primal_solve(const zw_primal *p, double *v) {
    zw_panels_solve(&p->panels, v);
}

zw_status zw_primal_rank(zw_primal *p, const zw_metric *H, const zw_rows *G, const double *value, const double *d, int *rank,
                         double *condition) {
    zw_blockchol *f = &p->chol;
    if (!p->rank_target) {
        ZW_TRY(rank_analyse(p, H));
    }
    zw_blockchol_zero(f);
    assemble(p, p->rank_target, H, G, value, 0.0, d, f->l);
    for (int j = 0; j < f->nb; j++) {
        int           m = f->row0[j + 1] - f->row0[j];
        const double *l = f->l + f->value[f->start[j]];
        for (int c = 0; c < m; c++) {
            p->scale[f->row0[j] + c] = l[c * m + c] > 0.0 ? 1.0 / sqrt(l[c * m + c]) : 1.0;
        }
    }
    for (int j = 0; j < f->nb; j++) {
        int m = f->row0[j + 1] - f->row0[j];
        for (int q = f->start[j]; q < f->start[j + 1]; q++) {
            double       *l = f->l + f->value[q];
            const double *left = p->scale + f->row0[f->row[q]], *right = p->scale + f->row0[j];
            int           rows = f->row0[f->row[q] + 1] - f->row0[f->row[q]];
            for (int r = 0; r < rows; r++) {
                for (int c = 0; c < m; c++) {
                    l[r * m + c] *= left[r] * right[c];
                }
            }
        }
    }
    *rank = 0;
    *condition = INFINITY;
    if (zw_blockchol_factor(f, zw_rank_tolerance(p->n), true) < 0) {
        *rank = p->n - f->dependent;
        *condition = *rank > 0 ? f->pivot_max / f->pivot_min : 1.0;
    }
    return ZW_OK;
}

void zw_primal_metric(const zw_metric *H, const double *x, double *y) {
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *m = &H->part[k];
        const double    *from = x + H->v0[k];
        double          *to = y + H->v0[k];
        for (int j = 0; j < m->n && m->kind == ZW_DIAGONAL; j++) {
            to[j] = m->a[j] * from[j];
        }
        int b = m->block;
        for (int i = 0; m->kind != ZW_DIAGONAL && i < m->n; i++) {
            double sum = 0.0;
            for (int q = m->start[i / b]; q < m->start[i / b + 1]; q++) {
                const double *a = m->a + ((ptrdiff_t)q * b + i % b) * b;
                for (int c = 0; c < b; c++) {
                    sum += a[c] * from[m->col[q] * b + c];
                }
            }
            to[i] = sum;
        }
    }
}

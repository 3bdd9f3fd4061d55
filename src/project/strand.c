/* SPDX-License-Identifier: Apache-2.0
 * strand.c: cutting a graph into paths and separators, and the choice of the instruction set. */
#include "project/strand.h"

const zw_strand_path *zw_strand_path_best(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f")) {
        return &zw_strand_path_avx512;
    }
    if (__builtin_cpu_supports("avx2")) {
        return &zw_strand_path_avx2;
    }
#endif
    return &zw_strand_path_any;
}

/* the neighbour of i that is no separator and not `from`; -1: none */
static int step_on(const int *start, const int *adj, const unsigned char *separator, int i, int from) {
    for (int k = start[i]; k < start[i + 1]; k++) {
        if (!separator[adj[k]] && adj[k] != from) {
            return adj[k];
        }
    }
    return -1;
}

/* the separator next to i other than `not_this`; -1: none */
static int beside(const int *start, const int *adj, const unsigned char *separator, int i, int not_this) {
    for (int k = start[i]; k < start[i + 1]; k++) {
        if (separator[adj[k]] == 1 && adj[k] != not_this) {
            return adj[k];
        }
    }
    return -1;
}

/* 2 marks blocks that stand in the list already */
static int paths_walk(int n, const int *start, const int *adj, unsigned char *separator, int *list, zw_strand_piece *piece) {
    int npieces = 0, fill = 0;
    for (int i = 0; i < n; i++) { /* begin at ends: at most one neighbour that is in a path */
        int one = separator[i] ? -1 : step_on(start, adj, separator, i, -1);
        if (separator[i] || (one >= 0 && step_on(start, adj, separator, i, one) >= 0)) {
            continue;
        }
        zw_strand_piece *p = &piece[npieces++];
        *p = (zw_strand_piece){.first = fill, .left = beside(start, adj, separator, i, -1)};
        for (int at = i, from = -1; at >= 0;) {
            int next = step_on(start, adj, separator, at, from);
            list[fill++] = at;
            p->n++;
            from = at;
            at = next;
        }
        int last = list[fill - 1];
        p->right = beside(start, adj, separator, last, p->n == 1 ? p->left : -1);
        for (int k = p->first; k < fill; k++) {
            separator[list[k]] = 2;
        }
    }
    return npieces;
}

/* pieces of a path of n blocks: each, with the separator behind it, about `unit` long, and never empty */
static int parts_of(int n, int unit) {
    int parts = (n + unit) / unit;
    return parts < (n + 1) / 2 ? parts : (n + 1) / 2;
}

int zw_strand_split(int n, const int *start, const int *adj, unsigned char *separator, int *list, zw_strand_piece *piece) {
    bool any = false;
    int  inside = 0;
    for (int i = 0; i < n; i++) {
        separator[i] = separator[i] || start[i + 1] - start[i] > 2;
        any = any || separator[i] || start[i + 1] - start[i] < 2;
    }
    if (!any && n > 0) {
        separator[0] = 1; /* a ring is opened */
    }
    for (int i = 0; i < n; i++) {
        inside += separator[i] ? 0 : 1;
    }
    int whole = inside < ZW_STRAND_LANES ? 0 : paths_walk(n, start, adj, separator, list, piece);
    if (whole == 0) {
        for (int i = 0; i < n; i++) {
            separator[i] = 1;
        }
        return 0;
    }
    /* pieces of about equal length, a separator after each but the last; made from the back so that the list of pieces can grow in place */
    int unit = (inside + whole + ZW_STRAND_LANES - 1) / ZW_STRAND_LANES, npieces = 0;
    for (int k = 0; k < whole; k++) {
        npieces += parts_of(piece[k].n, unit);
    }
    for (int k = whole - 1, end = npieces; k >= 0; k--) {
        zw_strand_piece p = piece[k];
        int             parts = parts_of(p.n, unit);
        end -= parts;
        for (int i = parts - 1; i >= 0; i--) {
            int from = (int)((long long)(p.n + 1) * i / parts),
                to = (int)((long long)(p.n + 1) * (i + 1) / parts) - 1; /* `to` is the separator */
            piece[end + i] = (zw_strand_piece){.first = p.first + from,
                                               .n = to - from,
                                               .left = i > 0 ? list[p.first + from - 1] : p.left,
                                               .right = i + 1 < parts ? list[p.first + to] : p.right};
            if (i + 1 < parts) {
                separator[list[p.first + to]] = 1;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        separator[i] = separator[i] == 1;
    }
    return npieces;
}

zw_status zw_strand_create(zw_arena *arena, int npieces, const zw_strand_piece *piece, zw_strand *out) {
    *out = (zw_strand){.ngroups = (npieces + ZW_STRAND_LANES - 1) / ZW_STRAND_LANES};
    out->group = zw_arena_alloc(arena, (size_t)out->ngroups, sizeof *out->group, "metric");
    if (!out->group) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < out->ngroups; i++) {
        zw_strand_group *g = &out->group[i];
        for (int lane = 0; lane < ZW_STRAND_LANES; lane++) {
            int k = i * ZW_STRAND_LANES + lane, n = k < npieces ? piece[k].n : 0;
            g->steps = n > g->steps ? n : g->steps;
        }
        for (int lane = 0; lane < ZW_STRAND_LANES; lane++) {
            int k = i * ZW_STRAND_LANES + lane;
            g->begin[lane] = g->steps - (k < npieces ? piece[k].n : 0);
            g->left[lane] = g->right[lane] = -1;
            g->head[lane] = -1;
        }
        size_t count = (size_t)g->steps * ZW_STRAND_LANES;
        g->col = zw_arena_alloc(arena, count, sizeof *g->col, "metric");
        g->diagonal = zw_arena_alloc(arena, count, sizeof *g->diagonal, "metric");
        g->next = zw_arena_alloc(arena, count, sizeof *g->next, "metric");
        g->l = zw_arena_alloc(arena, count * ZW_STRAND_VALUES, sizeof *g->l, "metric");
        g->y = zw_arena_alloc(arena, count * ZW_STRAND_BLOCK, sizeof *g->y, "metric");
        g->corner = zw_arena_alloc(arena, (size_t)ZW_STRAND_CORNER * ZW_STRAND_LANES, sizeof *g->corner, "metric");
        if (!g->col || !g->diagonal || !g->next || !g->l || !g->y || !g->corner) {
            return ZW_E_MEMORY;
        }
        for (size_t k = 0; k < count; k++) {
            g->col[k] = -1;
            g->diagonal[k] = g->next[k] = -1;
        }
    }
    return ZW_OK;
}

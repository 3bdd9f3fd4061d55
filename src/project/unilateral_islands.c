/* SPDX-License-Identifier: Apache-2.0
 * unilateral_islands.c: columns that are connected by blocks of H or by rows make an island: a problem of its own. Islands are numbered by their first columns, their
 * columns and rows keep the order they had. An island of one inequality, or of no row, is answered by hand:
 *     mu = max(0, (c - N xfree) / (N H^-1 N')),   x = xfree + H^-1 N' mu
 * Any other has its own kernel, found by its first column, which knows itself whether H, rows and right sides are those of the last time. */
#include "project/unilateral_search.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 12 }; /* largest block of a metric that is inverted by hand */

void zw_islands_destroy(zw_unilateral *u) {
    for (int k = 0; k < u->islands.nkernels; k++) {
        zw_unilateral_destroy(u->islands.kernel[k]);
    }
    zw_free(u->context, u->islands.kernel);
    zw_arena_destroy(&u->islands.arena);
}

/* ---- room ---- */

static void totals(const zw_problem *p, size_t total[ZW_SHARES]) {
    const zw_rows *R[2] = {p->A, p->N};
    memset(total, 0, ZW_SHARES * sizeof *total);
    total[ZW_SHARE_COLUMN] = (size_t)p->H->n;
    for (int k = 0; k < p->H->nparts; k++) {
        const zw_matrix *m = &p->H->part[k];
        size_t           blocks = m->kind == ZW_DIAGONAL || m->n == 0 ? 0 : (size_t)(m->n / m->block),
               entries = blocks > 0 ? (size_t)m->start[blocks] : 0;
        total[ZW_SHARE_PART] += m->kind == ZW_DIAGONAL ? (size_t)m->n : blocks;
        total[ZW_SHARE_START] += 2 * blocks;
        total[ZW_SHARE_ENTRY] += entries;
        total[ZW_SHARE_METRIC] += m->kind == ZW_DIAGONAL ? (size_t)m->n : entries * (size_t)m->block * (size_t)m->block;
    }
    for (int s = 0; s < 2; s++) {
        total[ZW_SHARE_ROW + s] = (size_t)R[s]->m;
        total[ZW_SHARE_TILE + s] = (size_t)R[s]->ntiles;
        for (int t = 0; t < R[s]->ntiles; t++) {
            const zw_tile *tile = &R[s]->tile[t];
            total[ZW_SHARE_BLOCK + s] += (size_t)tile->nblocks;
            for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
                total[ZW_SHARE_VALUE + s] += (size_t)tile->m * (size_t)R[s]->block[k].ncol;
            }
        }
    }
}

static zw_status kernels_room(zw_unilateral *u, int n) {
    zw_islands *w = &u->islands;
    if (n > w->nkernels) {
        zw_unilateral **more = zw_resize(u->context, w->kernel, (size_t)n, sizeof *more, "islands");
        if (!more) {
            return ZW_E_MEMORY;
        }
        for (int k = w->nkernels; k < n; k++) {
            more[k] = NULL;
        }
        w->kernel = more;
        w->nkernels = n;
    }
    return ZW_OK;
}

static zw_status room_make(zw_unilateral *u, const size_t need[ZW_SHARES]) {
    zw_islands *w = &u->islands;
    bool        fits = w->root != NULL;
    size_t      r[ZW_SHARES];
    for (int k = 0; k < ZW_SHARES; k++) {
        fits = fits && need[k] <= w->room[k];
        r[k] = need[k] <= w->room[k] ? w->room[k] : need[k] + need[k] / 4;
    }
    if (fits) {
        return ZW_OK;
    }
    w->root = NULL;
    zw_arena_destroy(&w->arena);
    zw_arena_init(&w->arena, u->context);
    void  *made[32];
    size_t n = r[ZW_SHARE_COLUMN], count = 0, d = sizeof(double);
#define WANT(number, size) (made[count++] = zw_arena_alloc(&w->arena, (number), (size), "islands"))
    w->of = WANT(n, sizeof(int));
    w->column = WANT(n, sizeof(int));
    w->island = WANT(n, sizeof *w->island);
    w->start = WANT(r[ZW_SHARE_START], sizeof(int));
    w->entry = WANT(r[ZW_SHARE_ENTRY], sizeof(int));
    w->v0 = WANT(r[ZW_SHARE_PART], sizeof(int));
    w->part = WANT(r[ZW_SHARE_PART], sizeof *w->part);
    w->metric = WANT(r[ZW_SHARE_METRIC], d);
    w->f = WANT(n, d);
    w->x = WANT(n, d);
    w->work = WANT(n, d);
    for (int s = 0; s < 2; s++) {
        w->row[s] = WANT(r[ZW_SHARE_ROW + s], sizeof(int));
        w->rhs[s] = WANT(r[ZW_SHARE_ROW + s], d);
        w->y[s] = WANT(r[ZW_SHARE_ROW + s], d);
        w->tile[s] = WANT(r[ZW_SHARE_TILE + s], sizeof(zw_tile));
        w->block[s] = WANT(r[ZW_SHARE_BLOCK + s], sizeof(zw_block));
        w->value[s] = WANT(r[ZW_SHARE_VALUE + s], d);
    }
    w->set = WANT(r[ZW_SHARE_ROW + 1], 1);
    w->hint = WANT(r[ZW_SHARE_ROW + 1], 1);
    int *root = WANT(n, sizeof(int));
#undef WANT
    for (size_t k = 0; k < count; k++) {
        if (!made[k]) {
            return ZW_E_MEMORY;
        }
    }
    memcpy(w->room, r, sizeof r);
    w->root = root;
    return ZW_OK;
}

/* ---- who is connected ---- */

static int find(int *root, int j) {
    while (root[j] != j) {
        root[j] = root[root[j]];
        j = root[j];
    }
    return j;
}

static void join(int *root, int i, int j) { /* the smaller column stands for both */
    i = find(root, i);
    j = find(root, j);
    if (i < j) {
        root[j] = i;
    } else {
        root[i] = j;
    }
}

/* false: a row without a column, or a row in no tile or in several */
static bool rows_join(zw_islands *w, const zw_rows *R, int *seen) {
    int covered = 0;
    memset(seen, 0, (size_t)R->m * sizeof *seen);
    for (int t = 0; t < R->ntiles; t++) {
        const zw_tile *tile = &R->tile[t];
        int            first = -1;
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            for (int j = R->block[k].col0; j < R->block[k].col0 + R->block[k].ncol; j++) {
                first = first < 0 ? j : first;
                join(w->root, first, j);
            }
        }
        for (int i = 0; i < tile->m; i++) {
            if (first < 0 || seen[tile->row + i]++) {
                return false;
            }
        }
        covered += tile->m;
    }
    return covered == R->m;
}

static void metric_join(zw_islands *w, const zw_metric *H) {
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *m = &H->part[k];
        int              b = m->block, v0 = H->v0[k];
        for (int i = 0; m->kind != ZW_DIAGONAL && m->n > 0 && i < m->n / b; i++) {
            for (int j = 1; j < b; j++) {
                join(w->root, v0 + i * b, v0 + i * b + j);
            }
            for (int e = m->start[i]; e < m->start[i + 1]; e++) {
                join(w->root, v0 + i * b, v0 + m->col[e] * b);
            }
        }
    }
}

/* ---- the problems of the islands ---- */

static int tile_island(const zw_islands *w, const zw_rows *R, const zw_tile *tile) {
    for (int k = tile->block0;; k++) {
        if (R->block[k].ncol > 0) {
            return w->of[R->block[k].col0];
        }
    }
}

static void metric_count(zw_islands *w, const zw_metric *H) {
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *m = &H->part[k];
        bool             diagonal = m->kind == ZW_DIAGONAL;
        int              b = diagonal ? 1 : m->block;
        for (int i = 0; i < m->n / b; i++) {
            zw_island *s = &w->island[w->of[H->v0[k] + i * b]];
            if (s->open != k) {
                s->open = k;
                s->count[ZW_SHARE_PART]++;
                s->count[ZW_SHARE_START] += !diagonal;
            }
            for (int j = 0; j < b; j++) {
                w->column[H->v0[k] + i * b + j] = (int)s->count[ZW_SHARE_COLUMN]++;
            }
            size_t entries = diagonal ? 1 : (size_t)(m->start[i + 1] - m->start[i]);
            if (!diagonal) {
                s->count[ZW_SHARE_START]++;
                s->count[ZW_SHARE_ENTRY] += entries;
                s->coupled = s->coupled || entries != 1 || m->col[m->start[i]] != i || b > BLOCK;
            }
            s->count[ZW_SHARE_METRIC] += entries * (size_t)b * (size_t)b;
        }
    }
}

static void rows_count(zw_islands *w, const zw_rows *R, int side) {
    for (int t = 0; t < R->ntiles; t++) {
        const zw_tile *tile = &R->tile[t];
        if (tile->m == 0) {
            continue;
        }
        zw_island *s = &w->island[tile_island(w, R, tile)];
        s->count[ZW_SHARE_TILE + side]++;
        s->count[ZW_SHARE_ROW + side] += (size_t)tile->m;
        s->count[ZW_SHARE_BLOCK + side] += (size_t)tile->nblocks;
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            s->count[ZW_SHARE_VALUE + side] += (size_t)tile->m * (size_t)R->block[k].ncol;
        }
    }
}

/* begins of all shares; counts start again from 0, to be raised by what is filled in */
static void shares_lay(zw_islands *w) {
    size_t next[ZW_SHARES] = {0};
    for (int i = 0; i < w->count; i++) {
        zw_island *s = &w->island[i];
        for (int k = 0; k < ZW_SHARES; k++) {
            s->begin[k] = next[k];
            next[k] += s->count[k];
            s->count[k] = 0;
        }
        s->open = -1;
        s->H = (zw_metric){.part = w->part + s->begin[ZW_SHARE_PART], .v0 = w->v0 + s->begin[ZW_SHARE_PART]};
        for (int side = 0; side < 2; side++) {
            s->rows[side] = (zw_rows){.tile = w->tile[side] + s->begin[ZW_SHARE_TILE + side],
                                      .block = w->block[side] + s->begin[ZW_SHARE_BLOCK + side],
                                      .a = w->value[side] + s->begin[ZW_SHARE_VALUE + side]};
        }
    }
}

static size_t take(zw_island *s, int share, size_t many) { /* where the next of a share goes */
    size_t at = s->begin[share] + s->count[share];
    s->count[share] += many;
    return at;
}

static void metric_fill(zw_islands *w, const zw_metric *H) {
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *m = &H->part[k];
        bool             diagonal = m->kind == ZW_DIAGONAL;
        int              b = diagonal ? 1 : m->block;
        size_t           b2 = (size_t)b * (size_t)b;
        for (int i = 0; i < m->n / b; i++) {
            zw_island *s = &w->island[w->of[H->v0[k] + i * b]];
            if (s->open != k) {
                size_t at = take(s, ZW_SHARE_PART, 1);
                s->open = k;
                w->v0[at] = s->H.n;
                w->part[at] =
                    (zw_matrix){.kind = m->kind, .block = m->block, .a = w->metric + s->begin[ZW_SHARE_METRIC] + s->count[ZW_SHARE_METRIC]};
                if (!diagonal) {
                    w->part[at].col = w->entry + s->begin[ZW_SHARE_ENTRY] + s->count[ZW_SHARE_ENTRY];
                    size_t first = take(s, ZW_SHARE_START, 1);
                    w->start[first] = 0;
                    w->part[at].start = w->start + first;
                }
                s->H.nparts++;
            }
            size_t     now = s->begin[ZW_SHARE_PART] + s->count[ZW_SHARE_PART] - 1;
            zw_matrix *part = &w->part[now];
            part->n += b;
            s->H.n += b;
            if (diagonal) {
                w->metric[take(s, ZW_SHARE_METRIC, 1)] = m->a[i];
                continue;
            }
            for (int e = m->start[i]; e < m->start[i + 1]; e++) {
                w->entry[take(s, ZW_SHARE_ENTRY, 1)] = (w->column[H->v0[k] + m->col[e] * b] - w->v0[now]) / b;
                memcpy(w->metric + take(s, ZW_SHARE_METRIC, b2), m->a + (size_t)e * b2, b2 * sizeof *m->a);
            }
            size_t at = take(s, ZW_SHARE_START, 1);
            w->start[at] = w->start[at - 1] + (m->start[i + 1] - m->start[i]);
        }
    }
}

static void rows_fill(zw_islands *w, const zw_rows *R, const double *rhs, int side) {
    for (int t = 0; t < R->ntiles; t++) {
        const zw_tile *tile = &R->tile[t];
        if (tile->m == 0) {
            continue;
        }
        zw_island *s = &w->island[tile_island(w, R, tile)];
        zw_rows   *to = &s->rows[side];
        to->tile[to->ntiles++] =
            (zw_tile){.id = tile->id, .row = to->m, .m = tile->m, .block0 = to->nblocks, .nblocks = tile->nblocks, .kind = tile->kind};
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            const zw_block *b = &R->block[k];
            ptrdiff_t       count = (ptrdiff_t)tile->m * b->ncol;
            to->block[to->nblocks++] = (zw_block){.col0 = b->ncol > 0 ? w->column[b->col0] : 0, .ncol = b->ncol, .a = to->nvalues};
            if (count > 0) {
                memcpy(to->a + to->nvalues, R->a + b->a, (size_t)count * sizeof *to->a);
            }
            to->nvalues += count;
        }
        for (int i = 0; i < tile->m; i++) {
            size_t at = s->begin[ZW_SHARE_ROW + side] + (size_t)to->m++;
            w->row[side][tile->row + i] = (int)at;
            w->rhs[side][at] = rhs ? rhs[tile->row + i] : 0.0;
        }
    }
}

zw_status zw_islands_split(zw_unilateral *u, const zw_problem *p) {
    zw_islands *w = &u->islands;
    size_t      need[ZW_SHARES];
    w->count = 0;
    totals(p, need);
    ZW_TRY(room_make(u, need));
    if (p->H->n == 0 || u->force != 0) {
        return ZW_OK;
    }
    for (int j = 0; j < p->H->n; j++) {
        w->root[j] = j;
    }
    metric_join(w, p->H);
    if (!rows_join(w, p->A, w->row[0]) || !rows_join(w, p->N, w->row[1])) {
        return ZW_OK;
    }
    int count = 0;
    for (int j = 0; j < p->H->n; j++) {
        int root = find(w->root, j);
        w->of[j] = root == j ? count++ : w->of[root];
    }
    if (count == 1) {
        return ZW_OK;
    }
    ZW_TRY(kernels_room(u, p->H->n));
    w->count = count;
    for (int i = 0; i < count; i++) {
        w->island[i] = (zw_island){.open = -1};
    }
    metric_count(w, p->H);
    rows_count(w, p->A, 0);
    rows_count(w, p->N, 1);
    shares_lay(w);
    metric_fill(w, p->H);
    rows_fill(w, p->A, p->b, 0);
    rows_fill(w, p->N, p->c, 1);
    for (int j = 0; j < p->H->n; j++) {
        w->f[w->island[w->of[j]].begin[ZW_SHARE_COLUMN] + (size_t)w->column[j]] = p->f ? p->f[j] : 0.0;
    }
    return ZW_OK;
}

/* ---- by hand ---- */

/* x <- H^-1 x, H of blocks on the diagonal. False: not positive definite */
static bool inverse(const zw_metric *H, double *x) {
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *m = &H->part[k];
        double          *v = x + H->v0[k];
        int              b = m->block;
        for (int j = 0; j < m->n && m->kind == ZW_DIAGONAL; j++) {
            if (!(m->a[j] > 0.0)) {
                return false;
            }
            v[j] /= m->a[j];
        }
        for (int i = 0; m->kind != ZW_DIAGONAL && i < m->n / b; i++, v += b) {
            double        l[BLOCK * BLOCK];
            const double *a = m->a + (ptrdiff_t)i * b * b;
            for (int r = 0; r < b; r++) {
                for (int c = 0; c <= r; c++) {
                    double t = a[r * b + c];
                    for (int q = 0; q < c; q++) {
                        t -= l[r * b + q] * l[c * b + q];
                    }
                    if (r == c && !(t > 0.0)) {
                        return false;
                    }
                    l[r * b + c] = r == c ? sqrt(t) : t / l[c * b + c];
                }
                double t = v[r];
                for (int q = 0; q < r; q++) {
                    t -= l[r * b + q] * v[q];
                }
                v[r] = t / l[r * b + r];
            }
            for (int r = b - 1; r >= 0; r--) {
                double t = v[r];
                for (int q = r + 1; q < b; q++) {
                    t -= l[q * b + r] * v[q];
                }
                v[r] = t / l[r * b + r];
            }
        }
    }
    return true;
}

static void row_spread(const zw_rows *N, double *z) { /* z += the row */
    for (int k = 0; k < N->nblocks; k++) {
        for (int j = 0; j < N->block[k].ncol; j++) {
            z[N->block[k].col0 + j] += N->a[N->block[k].a + j];
        }
    }
}

static double row_times(const zw_rows *N, const double *x, double *size) {
    double t = 0.0;
    for (int k = 0; k < N->nblocks; k++) {
        for (int j = 0; j < N->block[k].ncol; j++) {
            double term = N->a[N->block[k].a + j] * x[N->block[k].col0 + j];
            t += term;
            *size += fabs(term);
        }
    }
    return t;
}

/* false: something is wrong with H or the row, and the whole will say what */
static bool by_hand(zw_islands *w, const zw_island *s, zw_unilateral_info *info) {
    int     n = s->H.n;
    double *x = w->x + s->begin[ZW_SHARE_COLUMN], *z = w->work;
    memcpy(x, w->f + s->begin[ZW_SHARE_COLUMN], (size_t)n * sizeof *x);
    if (!inverse(&s->H, x)) {
        return false;
    }
    double size = 0.0, other = 0.0;
    if (s->rows[1].m > 0) {
        const zw_rows *N = &s->rows[1];
        size_t         at = s->begin[ZW_SHARE_ROW + 1];
        double         c = w->rhs[1][at];
        memset(z, 0, (size_t)n * sizeof *z);
        row_spread(N, z);
        inverse(&s->H, z);
        double own = row_times(N, z, &other), gap = row_times(N, x, &size) - c, mu = gap < 0.0 ? -gap / own : 0.0;
        size += fabs(c);
        if (!isfinite(gap) || !isfinite(own) || (gap < 0.0 && !(own > 0.0)) || !isfinite(mu)) {
            return false;
        }
        if (mu > 0.0) {
            for (int j = 0; j < n; j++) {
                x[j] += z[j] * mu;
            }
            info->value -= 0.5 * mu * gap;
            info->residual = fmax(info->residual, fabs(row_times(N, x, &other) - c) / size);
            info->active++;
        }
        w->y[1][at] = mu;
        w->hint[at] = mu > 0.0;
    }
    for (int j = 0; j < n; j++) {
        if (!isfinite(x[j])) {
            return false;
        }
    }
    return true;
}

/* ---- their answers ---- */

static zw_status kernel_of(zw_unilateral *u, int column, zw_unilateral **out) {
    zw_unilateral **k = &u->islands.kernel[column];
    if (!*k) {
        ZW_TRY(zw_unilateral_create(u->context, k));
    }
    *out = *k;
    return ZW_OK;
}

static zw_status by_kernel(zw_unilateral *u, zw_island *s, zw_unilateral_info *info) {
    zw_islands *w = &u->islands;
    size_t      n = s->begin[ZW_SHARE_COLUMN], ma = s->begin[ZW_SHARE_ROW], mi = s->begin[ZW_SHARE_ROW + 1];
    zw_problem  p = {&s->H, &s->rows[0], &s->rows[1], w->f + n, w->rhs[0] + ma, w->rhs[1] + mi};
    zw_status   status = zw_unilateral_whole(s->kernel, &p, w->hint + mi);
    info->iterations += s->kernel->iterations;
    ZW_TRY(status);
    const zw_answer *a = &s->kernel->best;
    memcpy(w->x + n, a->x, (size_t)s->H.n * sizeof *a->x);
    if (s->rows[0].m > 0) {
        memcpy(w->y[0] + ma, a->y, (size_t)s->rows[0].m * sizeof *a->y);
    }
    for (int i = 0; i < s->rows[1].m; i++) {
        w->y[1][mi + (size_t)i] = a->y[s->rows[0].m + i];
        w->hint[mi + (size_t)i] = s->kernel->hint[i];
        info->active += a->set[i];
    }
    info->residual = fmax(info->residual, a->verdict.residual);
    info->value += a->verdict.value;
    return ZW_OK;
}

zw_status zw_islands_solve(zw_unilateral *u, const zw_problem *p, double *x, double *lambda, double *mu, zw_unilateral_info *info,
                           bool *answered) {
    zw_islands *w = &u->islands;
    *answered = false;
    for (int i = 0; i < p->N->m; i++) {
        w->hint[w->row[1][i]] = w->set[i];
    }
    for (int j = 0, i = 0; j < p->H->n; j++) {
        if (w->of[j] != i || i == w->count) { /* not the first column of the next island */
            continue;
        }
        zw_island *s = &w->island[i++];
        if (!s->coupled && s->rows[0].m == 0 && s->rows[1].m <= 1) {
            if (!by_hand(w, s, info)) {
                return ZW_OK;
            }
            continue;
        }
        ZW_TRY(kernel_of(u, j, &s->kernel));
        zw_status status = by_kernel(u, s, info);
        if (status == ZW_E_MEMORY) {
            return status;
        }
        if (status != ZW_OK) { /* the whole will say it, with the rows as they were numbered */
            zw_error_clear(u->context);
            return ZW_OK;
        }
    }
    *answered = true;
    for (int j = 0; j < p->H->n && x; j++) {
        x[j] = w->x[w->island[w->of[j]].begin[ZW_SHARE_COLUMN] + (size_t)w->column[j]];
    }
    for (int i = 0; i < p->A->m && lambda; i++) {
        lambda[i] = w->y[0][w->row[0][i]];
    }
    for (int i = 0; i < p->N->m; i++) {
        if (mu) {
            mu[i] = w->y[1][w->row[1][i]];
        }
        w->set[i] = w->hint[w->row[1][i]];
    }
    return ZW_OK;
}

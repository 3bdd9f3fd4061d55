/* SPDX-License-Identifier: Apache-2.0
 * metric.c: finding the cells of H, factoring them, applying H^-1. */
#include "project/metric.h"

#include "base/number.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

static zw_status matrix_check(zw_context *c, const zw_metric *H, int p) {
    const zw_matrix *m = &H->part[p];
    int              first = H->v0[p], end = p + 1 < H->nparts ? H->v0[p + 1] : H->n;
    if (m->n < 0 || first < 0 || end - first != m->n || end > H->n || (p == 0 && first != 0)) {
        return zw_raise(c, ZW_E_ARG, "metric", NULL, "part %d has %d columns from column %d, the next part begins at %d of %d", p, m->n,
                        first, end, H->n);
    }
    if (m->kind == ZW_DIAGONAL || m->n == 0) {
        return m->a || m->n == 0 ? ZW_OK : zw_raise(c, ZW_E_ARG, "metric", NULL, "part %d has no values", p);
    }
    if (m->kind == ZW_GENERAL) {
        return zw_raise(c, ZW_E_ARG, "metric", "give a symmetric positive definite matrix", "part %d is not symmetric", p);
    }
    if (m->block < 1 || m->n % m->block != 0 || !m->start || !m->col || !m->a) {
        return zw_raise(c, ZW_E_ARG, "metric", NULL, "part %d of %d columns has blocks of size %d or no pattern", p, m->n, m->block);
    }
    int nb = m->n / m->block;
    for (int i = 0; i < nb; i++) {
        bool diagonal = false;
        for (int k = m->start[i]; k < m->start[i + 1]; k++) {
            if (m->col[k] < 0 || m->col[k] >= nb || (k > m->start[i] && m->col[k] <= m->col[k - 1])) {
                return zw_raise(c, ZW_E_ARG, "metric", NULL, "block row %d of part %d: its block columns do not rise within 0..%d", i, p,
                                nb - 1);
            }
            diagonal = diagonal || m->col[k] == i;
        }
        if (!diagonal) {
            return zw_raise(c, ZW_E_ARG, "metric", "store every diagonal block", "block row %d of part %d has no diagonal block", i, p);
        }
    }
    return ZW_OK;
}

static bool pattern_copy(zw_arena *arena, const zw_metric *H, zw_metric_factor *f) {
    f->n = H->n;
    f->nparts = H->nparts;
    f->part = zw_arena_alloc(arena, (size_t)H->nparts, sizeof *f->part, "metric");
    f->v0 = zw_arena_alloc(arena, (size_t)H->nparts, sizeof *f->v0, "metric");
    if (!f->part || !f->v0) {
        return false;
    }
    for (int p = 0; p < H->nparts; p++) {
        const zw_matrix *m = &H->part[p];
        f->v0[p] = H->v0[p];
        f->part[p] = (zw_matrix){.kind = m->kind, .n = m->n, .block = m->block};
        if (m->kind != ZW_DIAGONAL && m->n > 0) {
            size_t nb = (size_t)(m->n / m->block), nnz = (size_t)m->start[nb];
            int   *start = zw_arena_alloc(arena, nb + 1, sizeof *start, "metric"), *col = zw_arena_alloc(arena, nnz, sizeof *col, "metric");
            if (!start || !col) {
                return false;
            }
            memcpy(start, m->start, (nb + 1) * sizeof *start);
            memcpy(col, m->col, nnz * sizeof *col);
            f->part[p].start = start;
            f->part[p].col = col;
        }
    }
    return true;
}

bool zw_metric_same(const zw_metric_factor *f, const zw_metric *H) {
    if (f->n != H->n || f->nparts != H->nparts) {
        return false;
    }
    for (int p = 0; p < H->nparts; p++) {
        const zw_matrix *a = &f->part[p], *b = &H->part[p];
        if (a->kind != b->kind || a->n != b->n || f->v0[p] != H->v0[p] || (a->n > 0 && !b->a)) {
            return false;
        }
        if (a->kind != ZW_DIAGONAL && a->n > 0) {
            size_t nb = (size_t)(a->n / a->block);
            if (a->block != b->block || !b->start || !b->col || memcmp(a->start, b->start, (nb + 1) * sizeof *a->start) != 0 ||
                memcmp(a->col, b->col, (size_t)a->start[nb] * sizeof *a->col) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* label[i] = lowest block connected with block i */
static void block_labels(const zw_matrix *m, int *label) {
    int nb = m->n / m->block;
    for (int i = 0; i < nb; i++) {
        label[i] = i;
    }
    for (int i = 0; i < nb; i++) {
        for (int k = m->start[i]; k < m->start[i + 1]; k++) {
            int r = i, s = m->col[k];
            while (label[r] != r) {
                r = label[r] = label[label[r]];
            }
            while (label[s] != s) {
                s = label[s] = label[label[s]];
            }
            if (r < s) {
                label[s] = r;
            } else {
                label[r] = s;
            }
        }
    }
    for (int i = 0; i < nb; i++) {
        label[i] = label[label[i]]; /* roots are lower and already flat */
    }
}

/* pattern of a coupled cell's factor and where the blocks of H go in it; local[i] = number of the part's block i in the cell */
static zw_status coupled_analyse(zw_arena *arena, const zw_matrix *m, const int *local, zw_cell *cell) {
    zw_context *c = arena->context;
    int         count = 0;
    for (int k = 0; k < cell->nblocks; k++) {
        count += m->start[cell->block[k] + 1] - m->start[cell->block[k]];
    }
    /* the union with the transpose, in case only one of (i, j) and (j, i) is stored: refused below */
    int      *work = zw_alloc(c, 2 * (size_t)cell->nblocks + 2 + (size_t)count, sizeof *work, "metric");
    zw_status status = ZW_E_MEMORY;
    if (!work) {
        return status;
    }
    int *start = work, *size = work + cell->nblocks + 1, *adj = size + cell->nblocks, fill = 0;
    for (int k = 0; k < cell->nblocks; k++) {
        int i = cell->block[k];
        size[k] = cell->b;
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
                status =
                    zw_raise(c, ZW_E_ARG, "metric", "store both triangles", "block (%d, %d) of part %d is stored, block (%d, %d) is not",
                             cell->block[k], cell->block[adj[q]], cell->part, cell->block[adj[q]], cell->block[k]);
                goto done;
            }
        }
    }
    ZW_TRY_GOTO(zw_blockchol_analyse(arena, cell->nblocks, start, adj, size, &cell->chol), done);
    cell->nentries = cell->nblocks + fill / 2;
    cell->entry = zw_arena_alloc(arena, (size_t)cell->nentries, sizeof *cell->entry, "metric");
    cell->target = zw_arena_alloc(arena, (size_t)cell->nentries, sizeof *cell->target, "metric");
    if (!cell->entry || !cell->target) {
        status = ZW_E_MEMORY;
        goto done;
    }
    int e = 0;
    for (int k = 0; k < cell->nblocks; k++) {
        int i = cell->block[k];
        for (int q = m->start[i]; q < m->start[i + 1]; q++) {
            int j = local[m->col[q]];
            if (cell->chol.position[k] >= cell->chol.position[j]) {
                cell->entry[e] = q;
                cell->target[e++] = zw_blockchol_find(&cell->chol, k, j);
            }
        }
    }
done:
    zw_free(c, work);
    return status;
}

/* cells of a part with blocks; label and local are scratch */
static zw_status part_cells(zw_arena *arena, zw_metric_factor *f, int p, int *label, int *local, ptrdiff_t *nvalues) {
    const zw_matrix *m = &f->part[p];
    int              nb = m->n / m->block;
    block_labels(m, label);
    for (int i = 0; i < nb; i++) {
        local[i] = 0; /* first the size of the cell that begins here */
    }
    for (int i = 0; i < nb; i++) {
        local[label[i]]++;
    }
    int first = f->ncells;
    for (int i = 0; i < nb; i++) {
        if (label[i] != i) {
            continue;
        }
        zw_cell *cell = &f->cell[f->ncells];
        *cell = (zw_cell){
            .kind = local[i] == 1 ? ZW_CELL_DENSE : ZW_CELL_COUPLED, .part = p, .col0 = f->v0[p] + i * m->block, .n = local[i] * m->block};
        cell->b = m->block;
        cell->a = *nvalues;
        if (cell->kind == ZW_CELL_DENSE) {
            *nvalues += (ptrdiff_t)m->block * m->block;
        } else {
            cell->block = zw_arena_alloc(arena, (size_t)local[i], sizeof *cell->block, "metric");
            if (!cell->block) {
                return ZW_E_MEMORY;
            }
        }
        f->cell_of[cell->col0] = f->ncells++;
    }
    for (int i = 0; i < nb; i++) {
        int      number = f->cell_of[f->v0[p] + label[i] * m->block];
        zw_cell *cell = &f->cell[number];
        if (cell->kind == ZW_CELL_COUPLED) {
            cell->block[cell->nblocks] = i;
        }
        local[i] = cell->nblocks++;
        for (int k = 0; k < m->block; k++) {
            f->cell_of[f->v0[p] + i * m->block + k] = number;
        }
    }
    for (int k = first; k < f->ncells; k++) {
        if (f->cell[k].kind == ZW_CELL_COUPLED) {
            ZW_TRY(coupled_analyse(arena, m, local, &f->cell[k]));
        }
    }
    return ZW_OK;
}

zw_status zw_metric_analyse(zw_arena *arena, const zw_metric *H, const unsigned char *cut, zw_metric_factor *f) {
    zw_context *c = arena->context;
    *f = (zw_metric_factor){.n = 0};
    if (H->n < 0 || H->nparts < 0 || (H->nparts == 0 && H->n > 0) || (H->nparts > 0 && (!H->part || !H->v0))) {
        return zw_raise(c, ZW_E_ARG, "metric", NULL, "%d columns in %d parts", H->n, H->nparts);
    }
    size_t most = 0, blocks = 0;
    for (int p = 0; p < H->nparts; p++) {
        ZW_TRY(matrix_check(c, H, p));
        const zw_matrix *m = &H->part[p];
        if (m->kind == ZW_DIAGONAL) {
            for (int k = 0; k < m->n; k++) {
                most += k == 0 || cut[H->v0[p] + k] ? 1 : 0;
            }
        } else if (m->n > 0) {
            size_t nb = (size_t)(m->n / m->block);
            most += nb;
            blocks = nb > blocks ? nb : blocks;
        }
    }
    if (!pattern_copy(arena, H, f)) {
        return ZW_E_MEMORY;
    }
    f->cell = zw_arena_alloc(arena, most, sizeof *f->cell, "metric");
    f->cell_of = zw_arena_alloc(arena, (size_t)H->n, sizeof *f->cell_of, "metric");
    int *label = zw_alloc(c, 2 * blocks, sizeof *label, "metric");
    if (!f->cell || !f->cell_of || !label) {
        zw_free(c, label);
        return ZW_E_MEMORY;
    }
    ptrdiff_t nvalues = 0;
    zw_status status = ZW_OK;
    for (int p = 0; p < H->nparts && status == ZW_OK; p++) {
        const zw_matrix *m = &H->part[p];
        if (m->kind != ZW_DIAGONAL && m->n > 0) {
            status = part_cells(arena, f, p, label, label + blocks, &nvalues);
            continue;
        }
        for (int k = 0; k < m->n; k++) {
            if (k == 0 || cut[H->v0[p] + k]) {
                f->cell[f->ncells++] = (zw_cell){.kind = ZW_CELL_DIAGONAL, .part = p, .col0 = H->v0[p] + k, .a = nvalues};
            }
            f->cell_of[H->v0[p] + k] = f->ncells - 1;
            f->cell[f->ncells - 1].n++;
            nvalues++;
        }
    }
    zw_free(c, label);
    if (status == ZW_OK) {
        f->a = zw_arena_alloc(arena, (size_t)nvalues, sizeof *f->a, "metric");
        status = f->a ? ZW_OK : ZW_E_MEMORY;
    }
    return status;
}

static zw_status refuse(zw_context *c, int part, int col, bool finite, double value) {
    char text[ZW_NUMBER_TEXT];
    if (!finite) {
        return zw_raise(c, ZW_E_DIVERGED, "metric", "look at the state that the metric was made from", "column %d (part %d) is not finite",
                        col, part);
    }
    return zw_raise(c, ZW_E_ARG, "metric", "give every column a positive mass", "not positive definite: pivot %s in column %d (part %d)",
                    zw_number_short(value, 4, text), col, part);
}

static bool finite_all(const double *a, size_t n) {
    double sum = 0.0; /* a - a is 0, or nan for inf and nan */
    for (size_t i = 0; i < n; i++) {
        sum += a[i] - a[i];
    }
    return sum == 0.0;
}

static zw_status coupled_refactor(zw_context *c, zw_cell *cell, const zw_metric *H) {
    const zw_matrix *m = &H->part[cell->part];
    size_t           bb = (size_t)cell->b * (size_t)cell->b;
    zw_blockchol_zero(&cell->chol);
    for (int e = 0; e < cell->nentries; e++) {
        memcpy(cell->chol.l + cell->target[e], m->a + (size_t)cell->entry[e] * bb, bb * sizeof(double));
    }
    bool finite = finite_all(cell->chol.l, (size_t)cell->chol.nvalues);
    int  bad = finite ? zw_blockchol_factor(&cell->chol, 0.0, false) : 0;
    if (bad >= 0) {
        int    k = bad / cell->b, i = bad % cell->b;
        double value = cell->chol.l[cell->chol.value[cell->chol.start[k]] + (ptrdiff_t)i * cell->b + i];
        return refuse(c, cell->part, H->v0[cell->part] + cell->block[cell->chol.order[k]] * cell->b + i, finite, value);
    }
    return ZW_OK;
}

zw_status zw_metric_refactor(zw_context *c, zw_metric_factor *f, const zw_metric *H) {
    for (int k = 0; k < f->ncells; k++) {
        zw_cell         *cell = &f->cell[k];
        const zw_matrix *m = &H->part[cell->part];
        double          *a = f->a + cell->a;
        int              local = cell->col0 - f->v0[cell->part];
        if (cell->kind == ZW_CELL_DIAGONAL) {
            for (int i = 0; i < cell->n; i++) {
                double h = m->a[local + i];
                a[i] = 1.0 / h;
                if (!(h > 0.0) || !isfinite(h) || !isfinite(a[i])) {
                    return refuse(c, cell->part, cell->col0 + i, isfinite(h), h);
                }
            }
        } else if (cell->kind == ZW_CELL_DENSE) {
            size_t bb = (size_t)cell->b * (size_t)cell->b;
            memcpy(a, m->a + (size_t)m->start[local / cell->b] * bb, bb * sizeof *a);
            bool finite = finite_all(a, bb);
            int  bad = finite ? zw_cholesky_factor(cell->b, a) : 0;
            if (bad >= 0) {
                return refuse(c, cell->part, cell->col0 + bad, finite, a[bad * cell->b + bad]);
            }
        } else {
            ZW_TRY(coupled_refactor(c, cell, H));
        }
    }
    return ZW_OK;
}

void zw_metric_apply_local(const zw_metric_factor *f, const zw_cell *cell, double *v) {
    const double *a = f->a + cell->a;
    if (cell->kind == ZW_CELL_DIAGONAL) {
        for (int i = 0; i < cell->n; i++) {
            v[i] *= a[i];
        }
    } else {
        zw_cholesky_solve(cell->b, a, 1, v);
    }
}

void zw_metric_apply_cell(const zw_metric_factor *f, const zw_cell *cell, double *v) {
    if (cell->kind != ZW_CELL_COUPLED) {
        zw_metric_apply_local(f, cell, v + cell->col0);
        return;
    }
    double *work = cell->chol.work;
    size_t  bytes = (size_t)cell->b * sizeof *v;
    for (int k = 0; k < cell->nblocks; k++) {
        memcpy(work + (size_t)k * (size_t)cell->b, v + f->v0[cell->part] + cell->block[cell->chol.order[k]] * cell->b, bytes);
    }
    zw_blockchol_forward(&cell->chol, work);
    zw_blockchol_backward(&cell->chol, work);
    for (int k = 0; k < cell->nblocks; k++) {
        memcpy(v + f->v0[cell->part] + cell->block[cell->chol.order[k]] * cell->b, work + (size_t)k * (size_t)cell->b, bytes);
    }
}

void zw_metric_apply(const zw_metric_factor *f, double *v) {
    for (int k = 0; k < f->ncells; k++) {
        zw_metric_apply_cell(f, &f->cell[k], v);
    }
}

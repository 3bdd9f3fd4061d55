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

/* cells of a part with blocks; label and local are scratch */
static zw_status part_cells(zw_arena *arena, zw_metric_factor *f, int p, const unsigned char *cut, int *label, int *local,
                            ptrdiff_t *nvalues) {
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
            ZW_TRY(zw_coupled_analyse(arena, m, f->v0[p], local, cut, &f->cell[k]));
        }
    }
    return ZW_OK;
}

/* the cells that rows touch, and the columns of their fronts */
static zw_status fronts_find(zw_arena *arena, const unsigned char *cut, zw_metric_factor *f) {
    size_t most = 0;
    f->touched = zw_arena_alloc(arena, (size_t)f->ncells, sizeof *f->touched, "metric");
    unsigned char *marked = zw_alloc(arena->context, (size_t)f->ncells, 1, "metric");
    if (!f->touched || !marked) {
        zw_free(arena->context, marked);
        return ZW_E_MEMORY;
    }
    for (int col = 0; col < f->n; col++) {
        if (cut[col] & ZW_COLUMN_TOUCHED) {
            marked[f->cell_of[col]] = 1;
        }
    }
    for (int k = 0; k < f->ncells; k++) {
        if (marked[k]) {
            f->touched[f->ntouched++] = k;
            most += f->cell[k].kind == ZW_CELL_COUPLED ? (size_t)f->cell[k].ntouched : 1;
        }
    }
    zw_free(arena->context, marked);
    f->front = zw_arena_alloc(arena, most, sizeof *f->front, "metric");
    if (!f->front) {
        return ZW_E_MEMORY;
    }
    for (int t = 0; t < f->ntouched; t++) {
        const zw_cell *cell = &f->cell[f->touched[t]];
        if (cell->kind != ZW_CELL_COUPLED) {
            f->front[f->nfront++] = (zw_range){cell->col0, cell->n};
            continue;
        }
        for (int k = 0; k < cell->ntouched; k++) {
            f->front[f->nfront++] = (zw_range){f->v0[cell->part] + cell->block[cell->touched[k]] * cell->b, cell->b};
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
                most += k == 0 || (cut[H->v0[p] + k] & ZW_COLUMN_CUT) ? 1 : 0;
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
            status = part_cells(arena, f, p, cut, label, label + blocks, &nvalues);
            continue;
        }
        for (int k = 0; k < m->n; k++) {
            if (k == 0 || (cut[H->v0[p] + k] & ZW_COLUMN_CUT)) {
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
        f->diagonal = zw_arena_alloc(arena, (size_t)H->n, sizeof *f->diagonal, "metric"); /* 0: no cell was made from that */
        status = f->a && f->diagonal ? fronts_find(arena, cut, f) : ZW_E_MEMORY;
    }
    f->path = zw_strand_path_best();
    return status;
}

zw_status zw_metric_refuse(zw_context *c, int part, int col, bool finite, double value) {
    char text[ZW_NUMBER_TEXT];
    if (!finite) {
        return zw_raise(c, ZW_E_DIVERGED, "metric", "look at the state that the metric was made from", "column %d (part %d) is not finite",
                        col, part);
    }
    return zw_raise(c, ZW_E_ARG, "metric", "give every column a positive mass", "not positive definite: pivot %s in column %d (part %d)",
                    zw_number_short(value, 4, text), col, part);
}

bool zw_metric_finite(const double *a, size_t n) {
    double sum = 0.0; /* a - a is 0, or nan for inf and nan */
    for (size_t i = 0; i < n; i++) {
        sum += a[i] - a[i];
    }
    return sum == 0.0;
}

zw_status zw_metric_refactor(zw_context *c, zw_metric_factor *f, const zw_metric *H) {
    for (int k = 0; k < f->ncells; k++) {
        zw_cell         *cell = &f->cell[k];
        const zw_matrix *m = &H->part[cell->part];
        double          *a = f->a + cell->a;
        int              local = cell->col0 - f->v0[cell->part];
        if (cell->kind == ZW_CELL_DIAGONAL) {
            double *made_from = f->diagonal + cell->col0;
            if (memcmp(made_from, m->a + local, (size_t)cell->n * sizeof *a) == 0 && made_from[0] != 0.0) { /* a mass that stays */
                continue;
            }
            memset(made_from, 0, (size_t)cell->n * sizeof *a);
            for (int i = 0; i < cell->n; i++) {
                double h = m->a[local + i];
                a[i] = 1.0 / h;
                if (!(h > 0.0) || !isfinite(h) || !isfinite(a[i])) {
                    return zw_metric_refuse(c, cell->part, cell->col0 + i, isfinite(h), h);
                }
            }
            memcpy(made_from, m->a + local, (size_t)cell->n * sizeof *a);
        } else if (cell->kind == ZW_CELL_DENSE) {
            size_t bb = (size_t)cell->b * (size_t)cell->b;
            memcpy(a, m->a + (size_t)m->start[local / cell->b] * bb, bb * sizeof *a);
            bool finite = zw_metric_finite(a, bb);
            int  bad = finite ? zw_cholesky_factor(cell->b, a) : 0;
            if (bad >= 0) {
                return zw_metric_refuse(c, cell->part, cell->col0 + bad, finite, a[bad * cell->b + bad]);
            }
        } else {
            ZW_TRY(zw_coupled_refactor(c, f, cell, H));
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

/* separators at the places first .. end-1 of the order of elimination: between v and the work vector of the factor */
static void separators_load(const zw_metric_factor *f, const zw_cell *cell, int first, int end, const double *v) {
    size_t b = (size_t)cell->b;
    for (int k = first; k < end; k++) {
        memcpy(cell->chol.work + (size_t)k * b, v + f->v0[cell->part] + cell->block[cell->front[cell->chol.order[k]]] * cell->b,
               b * sizeof *v);
    }
}

static void separators_store(const zw_metric_factor *f, const zw_cell *cell, int first, int end, double *v) {
    size_t b = (size_t)cell->b;
    for (int k = first; k < end; k++) {
        memcpy(v + f->v0[cell->part] + cell->block[cell->front[cell->chol.order[k]]] * cell->b, cell->chol.work + (size_t)k * b,
               b * sizeof *v);
    }
}

/* the touched separators are the last in the order: what is zero before them stays out of it */
void zw_metric_front_cell(const zw_metric_factor *f, const zw_cell *cell, double *v) {
    if (cell->kind != ZW_CELL_COUPLED) {
        zw_metric_apply_local(f, cell, v + cell->col0);
        return;
    }
    const zw_blockchol *chol = &cell->chol;
    separators_load(f, cell, chol->split, chol->nb, v);
    zw_blockchol_forward_part(chol, chol->split, chol->nb, chol->work);
    zw_blockchol_backward_part(chol, chol->split, chol->nb, chol->work);
    separators_store(f, cell, chol->split, chol->nb, v);
}

void zw_metric_descend(const zw_metric_factor *f, double *v) {
    for (int k = 0; k < f->ncells; k++) {
        const zw_cell *cell = &f->cell[k];
        for (int i = 0; i < cell->strand.ngroups; i++) {
            f->path->forward(&cell->strand.group[i], v);
        }
        if (cell->kind == ZW_CELL_COUPLED) {
            separators_load(f, cell, 0, cell->chol.nb, v);
            zw_blockchol_forward_part(&cell->chol, 0, cell->chol.split, cell->chol.work);
            separators_store(f, cell, cell->chol.split, cell->chol.nb, v);
        }
        zw_metric_front_cell(f, cell, v);
    }
}

/* what descend left in the work of the factor and of the paths is the right side here */
static void cell_ascend(const zw_metric_factor *f, const zw_cell *cell, double *v) {
    const zw_blockchol *chol = &cell->chol;
    separators_load(f, cell, chol->split, chol->nb, v);
    zw_blockchol_backward_part(chol, 0, chol->split, chol->work);
    separators_store(f, cell, 0, chol->split, v);
    for (int i = 0; i < cell->strand.ngroups; i++) {
        f->path->backward(&cell->strand.group[i], v);
    }
}

void zw_metric_ascend(const zw_metric_factor *f, double *v) {
    for (int k = 0; k < f->ncells; k++) {
        if (f->cell[k].kind == ZW_CELL_COUPLED) {
            cell_ascend(f, &f->cell[k], v);
        }
    }
}

void zw_metric_apply(const zw_metric_factor *f, double *v) {
    zw_metric_descend(f, v);
    zw_metric_ascend(f, v);
}

void zw_metric_front(const zw_metric_factor *f, double *v) {
    for (int k = 0; k < f->ntouched; k++) {
        zw_metric_front_cell(f, &f->cell[f->touched[k]], v);
    }
}

void zw_metric_reach(const zw_metric_factor *f, double *v) {
    for (int k = 0; k < f->ntouched; k++) {
        const zw_cell *cell = &f->cell[f->touched[k]];
        if (cell->kind != ZW_CELL_COUPLED) {
            continue;
        }
        memset(cell->chol.work, 0, (size_t)cell->chol.split * (size_t)cell->b * sizeof *v);
        for (int i = 0; i < cell->strand.ngroups; i++) {
            const zw_strand_group *g = &cell->strand.group[i];
            memset(g->y, 0, (size_t)g->steps * ZW_STRAND_BLOCK * ZW_STRAND_LANES * sizeof *g->y);
        }
        cell_ascend(f, cell, v);
    }
}

void zw_metric_add_inside(const zw_metric_factor *f, const double *from, double *to) {
    for (int k = 0; k < f->ntouched; k++) {
        const zw_cell *cell = &f->cell[f->touched[k]];
        if (cell->kind != ZW_CELL_COUPLED) {
            continue;
        }
        for (int i = 0, next = 0; i < cell->nblocks; i++) {
            if (next < cell->ntouched && cell->touched[next] == i) {
                next++;
                continue;
            }
            int col = f->v0[cell->part] + cell->block[i] * cell->b;
            for (int j = col; j < col + cell->b; j++) {
                to[j] += from[j];
            }
        }
    }
}

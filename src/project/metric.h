/* SPDX-License-Identifier: Apache-2.0
 * metric.h: the inverse of the metric H, cell by cell.
 *
 * A cell is a set of columns that H couples to no other column: a run of diagonal entries that no row block cuts, one block of a
 * block-diagonal part, or a connected set of coupled blocks. H^-1 is block diagonal over cells, so two rows meet in A H^-1 A' only if
 * they touch a common cell. Small cells are inverted densely; coupled ones by sparse block Cholesky (no fill on block-tridiagonal H). */
#ifndef ZW_PROJECT_METRIC_H
#define ZW_PROJECT_METRIC_H

#include "project/blockchol.h"
#include "zwang/project.h"

typedef enum zw_cell_kind { ZW_CELL_DIAGONAL, ZW_CELL_DENSE, ZW_CELL_COUPLED } zw_cell_kind;

typedef struct zw_cell {
    zw_cell_kind kind;
    int          part;
    int          col0, n; /* columns; of a coupled cell n counts columns that need not be neighbours */
    ptrdiff_t    a;       /* its values: 1/diagonal or dense Cholesky factor, at zw_metric_factor.a + a */
    /* coupled only */
    int          b, nblocks;
    int         *block; /* blocks of the part, rising */
    zw_blockchol chol;
    int          nentries;
    int         *entry;  /* blocks of the part's matrix that are read .. */
    ptrdiff_t   *target; /* .. and where they go in chol.l */
} zw_cell;

typedef struct zw_metric_factor {
    int        n, nparts, ncells;
    zw_matrix *part; /* the pattern that was analysed; part[].a is NULL */
    int       *v0;
    zw_cell   *cell;    /* rising by first column */
    int       *cell_of; /* [n] */
    double    *a;
} zw_metric_factor;

/* cut[col] != 0 where a cell of a diagonal part has to begin */
ZW_MUST_USE zw_status zw_metric_analyse(zw_arena *arena, const zw_metric *H, const unsigned char *cut, zw_metric_factor *out);
bool                  zw_metric_same(const zw_metric_factor *f, const zw_metric *H); /* H has the pattern that was analysed */
/* ZW_E_ARG (raised) when H is not positive definite, ZW_E_DIVERGED when it is not finite */
ZW_MUST_USE zw_status zw_metric_refactor(zw_context *c, zw_metric_factor *f, const zw_metric *H);
void                  zw_metric_apply_cell(const zw_metric_factor *f, const zw_cell *cell,
                                           double *v); /* v <- H^-1 v in that cell; v in columns of the system */
void                  zw_metric_apply_local(const zw_metric_factor *f, const zw_cell *cell,
                                            double *v); /* the same for a cell that is not coupled; v has cell->n entries */
void                  zw_metric_apply(const zw_metric_factor *f, double *v);

#endif

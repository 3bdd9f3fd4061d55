/* SPDX-License-Identifier: Apache-2.0
 * metric.h: the inverse of the metric H, cell by cell.
 *
 * A cell is a set of columns that H couples to no other column: a run of diagonal entries that no row block cuts, one block of a
 * block-diagonal part, or a connected set of coupled blocks. H^-1 is block diagonal over cells, so two rows meet in A H^-1 A' only if
 * they touch a common cell. Small cells are inverted densely. In a coupled cell the long paths go first, eight at a time (strand.h), and the separators between
 * them by sparse block Cholesky. The front of a touched cell is where rows touch it: all of a small cell, some separators of a coupled one, eliminated last.
 *   zw_metric_apply = descend, then ascend. Between the two the front holds the solution already, and changes there are still carried inside. */
#ifndef ZW_PROJECT_METRIC_H
#define ZW_PROJECT_METRIC_H

#include "project/blockchol.h"
#include "project/strand.h"
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
    int          nfront;
    int         *front; /* separators, as numbers in block[], rising */
    int          ntouched;
    int         *touched; /* those that rows touch, as numbers in block[], rising */
    zw_strand    strand;  /* the paths between them */
    zw_blockchol chol;    /* of the separators */
    int          nentries;
    int         *entry;  /* blocks of the part's matrix that are read .. */
    ptrdiff_t   *target; /* .. and where they go in chol.l */
    ptrdiff_t   *corner; /* [8 groups][3] where the corners of the paths go: (left, left), (right, right), (left, right); -1: nowhere */
    bool        *turned; /* [8 groups] the last one is stored as (right, left) */
} zw_cell;

typedef struct zw_range { /* columns col0 .. col0+n-1 */
    int col0, n;
} zw_range;

typedef struct zw_metric_factor {
    int                   n, nparts, ncells;
    zw_matrix            *part; /* the pattern that was analysed; part[].a is NULL */
    int                  *v0;
    zw_cell              *cell;         /* rising by first column */
    int                  *cell_of;      /* [n] */
    double               *a, *diagonal; /* values of the cells; [n] diagonal entries they were made from */
    int                   ntouched, nfront;
    int                  *touched; /* cells that rows touch */
    zw_range             *front;   /* columns of their fronts, rising */
    const zw_strand_path *path;
} zw_metric_factor;

enum { ZW_COLUMN_CUT = 1, ZW_COLUMN_TOUCHED = 2 };

/* cut[col] & ZW_COLUMN_CUT where a cell of a diagonal part has to begin, & ZW_COLUMN_TOUCHED where rows touch */
ZW_MUST_USE zw_status zw_metric_analyse(zw_arena *arena, const zw_metric *H, const unsigned char *cut, zw_metric_factor *out);
bool                  zw_metric_same(const zw_metric_factor *f, const zw_metric *H); /* H has the pattern that was analysed */
/* ZW_E_ARG (raised) when H is not positive definite, ZW_E_DIVERGED when it is not finite */
ZW_MUST_USE zw_status zw_metric_refactor(zw_context *c, zw_metric_factor *f, const zw_metric *H);
void                  zw_metric_front_cell(const zw_metric_factor *f, const zw_cell *cell,
                                           double *v); /* front of that cell: v <- H^-1 v for a v that is zero elsewhere in the cell */
void                  zw_metric_apply_local(const zw_metric_factor *f, const zw_cell *cell,
                                            double *v); /* the same for a cell that is not coupled; v has cell->n entries */
void                  zw_metric_descend(const zw_metric_factor *f, double *v);
void                  zw_metric_ascend(const zw_metric_factor *f, double *v);
void                  zw_metric_apply(const zw_metric_factor *f, double *v); /* v <- H^-1 v */
void                  zw_metric_front(const zw_metric_factor *f, double *v); /* the fronts of all touched cells */
void zw_metric_reach(const zw_metric_factor *f, double *v); /* v inside touched cells, where nothing acts, from v in their fronts */
void zw_metric_add_inside(const zw_metric_factor *f, const double *from, double *to); /* to += from there */

/* ---- for metric.c and coupled.c only */
bool                  zw_metric_finite(const double *a, size_t n);
ZW_MUST_USE zw_status zw_metric_refuse(zw_context *c, int part, int col, bool finite,
                                       double value); /* raises: what is wrong with a column's pivot */
/* paths, separators and the pattern of a coupled cell's factor; local[i] = number of the part's block i in the cell, col0 = first column of the part */
ZW_MUST_USE zw_status zw_coupled_analyse(zw_arena *arena, const zw_matrix *m, int col0, const int *local, const unsigned char *cut,
                                         zw_cell *cell);
ZW_MUST_USE zw_status zw_coupled_refactor(zw_context *c, const zw_metric_factor *f, zw_cell *cell, const zw_metric *H);

#endif

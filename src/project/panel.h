/* SPDX-License-Identifier: Apache-2.0
 * panel.h: sparse Cholesky P A P' = L L' in dense panels, for positive definite A with many columns in common, as the bodies of a heap have.
 *
 * Columns of L whose rows are the same, or nearly, stand together in one panel: a dense trapezoid, column by column, its triangle above. A finished panel is
 * subtracted from the panels of its rows by dense products in lanes (wide.h). Blocks that happen to be zero are left out of the products: a contact that is
 * switched off costs nothing. The order of every sum is that of the pattern: the same bits from every instruction set.
 * Analyse once per pattern (the only allocation), then set values at the places asked for, factor and solve as often as wanted. */
#ifndef ZW_PROJECT_PANEL_H
#define ZW_PROJECT_PANEL_H

#include "base/arena.h"

enum { ZW_PANEL_ROWS = 8 }; /* lanes of a product: columns are padded to a multiple of it */

typedef struct zw_panel_path { /* the loops for one instruction set; same bits from each */
    const char *name;
    /* L of a trapezoid of height x width in place, columns ld apart. Returns the column whose pivot is not positive or not finite; -1: none */
    int (*factor)(int height, int width, double *a, ptrdiff_t ld);
    /* c (rows x cols, at c[i + j ldc]) = a b'; writes up to the next multiple of ZW_PANEL_ROWS in both, and reads as far */
    void (*product)(int rows, int cols, int depth, const double *a, ptrdiff_t lda, const double *b, ptrdiff_t ldb, double *c,
                    ptrdiff_t ldc);
} zw_panel_path;

extern const zw_panel_path zw_panel_path_any, zw_panel_path_avx2;
const zw_panel_path       *zw_panel_path_best(void);

typedef struct zw_panel {
    int       first, width; /* scalar columns, in the order of elimination */
    int       below;        /* rows under the triangle */
    int      *row;          /* [below] rising */
    ptrdiff_t at, ld;       /* values at l + at; columns ld apart */
} zw_panel;

typedef struct zw_panels {
    int                  n, npanels;
    int                 *from;     /* [n] column of the caller of each column in the order of elimination */
    int                 *place;    /* [n] the other way */
    int                 *panel_of; /* [n] by column in the order of elimination */
    zw_panel            *panel;
    ptrdiff_t            nvalues;
    double              *l, *packed, *update, *work; /* work: n */
    int                 *list, *into;                /* rows that are not zero; where they go */
    const zw_panel_path *path;
} zw_panels;

/* blocks of size[i] columns each, pattern as for zw_order_minimum_degree; the columns of the caller follow each other block by block */
ZW_MUST_USE zw_status zw_panels_analyse(zw_arena *arena, int nb, const int *start, const int *adj, const int *size, zw_panels *out);
void                  zw_panels_zero(zw_panels *f);
/* where the value of row i, column j of the caller stands; -1: in the other triangle. Next column of the same block: stride on, next row: 1 on */
ptrdiff_t zw_panels_find(const zw_panels *f, int i, int j, ptrdiff_t *stride);
bool      zw_panels_factor(zw_panels *f);                 /* false: not positive definite, or not finite */
void      zw_panels_solve(const zw_panels *f, double *v); /* v <- A^-1 v */

#endif

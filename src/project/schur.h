/* SPDX-License-Identifier: Apache-2.0
 * schur.h: the rows A, the graph of tiles, and S = A H^-1 A' by tiles.
 *
 * Two tiles couple when they touch a common cell of H (metric.h). The connected components of that graph are separate problems. The
 * incidence of a tile and a cell that is not coupled holds the tile's columns there densely, so S_pq = sum over common cells A_p H^-1 A_q'
 * is a list of small products made once per pattern. In a coupled cell the columns H^-1 A_q' come from substitutions, one per row. */
#ifndef ZW_PROJECT_SCHUR_H
#define ZW_PROJECT_SCHUR_H

#include "project/component.h"
#include "project/metric.h"

typedef struct zw_incidence {
    int       tile, cell;
    ptrdiff_t a; /* dense m x cell.n at zw_schur.ac + a; -1 in a coupled cell */
} zw_incidence;

typedef struct zw_segment { /* the part of a row block that lies in one cell */
    int       incidence, col0, ncol;
    ptrdiff_t a; /* first value of its first row in zw_schur.a */
    int       stride;
} zw_segment;

typedef struct zw_product { /* S at target += A_p H^-1 A_q' over one cell */
    int       p, q;         /* incidences */
    int       stride;
    ptrdiff_t target;
} zw_product;

typedef struct zw_schur {
    /* the copy of A: tile.block0 and block.a count in this copy */
    int       m, ntiles, nblocks;
    zw_tile  *tile;
    zw_block *block;
    double   *a;
    /* meetings of tiles and cells, by tile, rising by cell */
    int           nincidences, nsegments, nproducts;
    int          *incidence0; /* [ntiles+1] */
    zw_incidence *incidence;
    int          *segment0; /* [nincidences+1] */
    zw_segment   *segment;
    zw_product   *product; /* by cell, then q, then p */
    double       *ac, *yc; /* columns of A in a cell, and the same times H^-1 */
    /* components */
    int           ncomponents;
    zw_component *component;
    int          *component_of; /* of a tile */
    int          *block_of;     /* of a tile: its number within its component */
    double       *column;       /* n: H^-1 times one row */
} zw_schur;

bool                  zw_schur_same(const zw_schur *s, const zw_rows *A); /* A has the pattern that was analysed */
ZW_MUST_USE zw_status zw_schur_analyse(zw_arena *arena, const zw_metric_factor *H, const zw_rows *A, zw_schur *out);
void zw_schur_assemble(zw_schur *s, const zw_metric_factor *H, const zw_rows *A); /* copies A, fills the matrices of the components */

/* rows.c */
ZW_MUST_USE zw_status zw_rows_check(zw_context *c, int n, const zw_rows *A); /* every row in one tile, every block within n columns */
void                  zw_rows_apply(const zw_schur *s, const double *x, double *y);               /* y = A x */
void                  zw_rows_add_transposed(const zw_schur *s, const double *lambda, double *y); /* y += A' lambda */
void                  zw_rows_scale(const zw_schur *s, const double *x, double *y);               /* y_i = sum |A_ij x_j| */

#endif

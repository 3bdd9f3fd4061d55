/* SPDX-License-Identifier: Apache-2.0
 * unilateral_primal.h: the matrix K = h H + G' D G in the columns, by sparse Cholesky. Where many rows meet few columns, as in heaps, this is far
 * smaller than G H^-1 G' in the rows, and its pattern is that of the bodies in touch, whichever rows are switched on (D_i > 0). */
#ifndef ZW_PROJECT_UNILATERAL_PRIMAL_H
#define ZW_PROJECT_UNILATERAL_PRIMAL_H

#include "project/blockchol.h"
#include "project/panel.h"
#include "zwang/project.h"

typedef struct zw_piece {   /* the part of a row block that lies in one group of columns */
    int       group, at, n; /* columns at .. at+n-1 of the group */
    ptrdiff_t a;            /* first value of its first row in the rows' values */
    int       stride;
} zw_piece;

typedef struct zw_target {     /* where a block goes in the values of a factor */
    ptrdiff_t at, row, column; /* its first entry, -1: into the other triangle; from row to row, from column to column */
} zw_target;

typedef struct zw_primal {
    zw_arena   arena;
    bool       made;
    int        n, nparts, ntiles, nblocks, ngroups;
    zw_matrix *part; /* the pattern that was analysed, copied */
    zw_tile   *tile;
    zw_block  *block;
    int       *group0, *group_of; /* [ngroups+1] first columns; [n] */
    int       *piece0;            /* [ntiles+1] */
    zw_piece  *piece;
    int       *start, *adj, *size; /* the graph of groups */
    ptrdiff_t  npairs, nentries;
    /* by factor: tile by tile, p then q: the product of two pieces; then part by part the blocks of the metric, or a diagonal entry */
    zw_target   *target, *rank_target; /* [npairs + nentries] of panels and of chol; the second is made when first wanted */
    zw_panels    panels;
    zw_blockchol chol;  /* for the rank */
    double      *scale; /* n */
} zw_primal;

void zw_primal_init(zw_primal *p, zw_context *c);
void zw_primal_destroy(zw_primal *p);
/* allocates only when the pattern differs from the last call; tile.block0 of G runs on from tile to tile */
ZW_MUST_USE zw_status zw_primal_analyse(zw_primal *p, const zw_metric *H, const zw_rows *G);
/* K = h H + sum_i d_i G_i' G_i, values of G given apart. False: not positive definite */
bool zw_primal_factor(zw_primal *p, const zw_metric *H, const zw_rows *G, const double *value, double h, const double *d);
void zw_primal_solve(const zw_primal *p, double *v); /* v <- K^-1 v */
/* rank of the rows with d_i > 0, and the ratio of the pivots of G' D G scaled to unit diagonal; allocates when first asked after a new pattern */
ZW_MUST_USE zw_status zw_primal_rank(zw_primal *p, const zw_metric *H, const zw_rows *G, const double *value, const double *d, int *rank,
                                     double *condition);
void                  zw_primal_metric(const zw_metric *H, const double *x, double *y); /* y = H x */

#endif

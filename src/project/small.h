/* SPDX-License-Identifier: Apache-2.0
 * small.h: the kernel for small dense problems: at most ZW_SMALL_COLUMNS columns and ZW_SMALL_ROWS rows, the metric made of dense parts (one block each) and
 * diagonal ones, at least one of them dense. No analysis beyond who couples with whom, no memory but its own, no sparsity. Ranks, redundant rows, least
 * norm and condition come out of the same components (component.h) as in the general path, so the answers are the same up to round-off. */
#ifndef ZW_PROJECT_SMALL_H
#define ZW_PROJECT_SMALL_H

#include "project/component.h"
#include "zwang/project.h"

enum { ZW_SMALL_COLUMNS = 32, ZW_SMALL_ROWS = 16, ZW_SMALL_BLOCKS = 64 };

typedef struct zw_small {
    int          n, m, nparts, rank, ncomponents;
    int          ntiles, nblocks; /* the pattern that the components were found for */
    int          part_n[ZW_SMALL_COLUMNS];
    bool         part_diagonal[ZW_SMALL_COLUMNS];
    zw_tile      tile[ZW_SMALL_ROWS];
    zw_block     block[ZW_SMALL_BLOCKS];
    zw_component component[ZW_SMALL_ROWS];
    int          row[ZW_SMALL_ROWS], index[ZW_SMALL_ROWS], perm[ZW_SMALL_ROWS];
    bool         depends[ZW_SMALL_ROWS];
    double       condition;
    bool         plain; /* one or two independent rows: inverse[] is S^-1, by hand */
    double       inverse[3];
    double       L[ZW_SMALL_COLUMNS * ZW_SMALL_COLUMNS]; /* H = L D L', n x n: L below the diagonal, 1/D on it */
    double       A[ZW_SMALL_ROWS * ZW_SMALL_COLUMNS];    /* m x n */
    double       Y[ZW_SMALL_ROWS * ZW_SMALL_COLUMNS];    /* m x n: rows of (L^-1 A')' */
    double       s[ZW_SMALL_ROWS * ZW_SMALL_ROWS], z[ZW_SMALL_ROWS * ZW_SMALL_ROWS], d[ZW_SMALL_ROWS];
    /* what the last solve found */
    double x[ZW_SMALL_COLUMNS], lambda[ZW_SMALL_ROWS], relative[ZW_SMALL_ROWS];
} zw_small;

typedef struct zw_small_verdict {
    double independent, redundant; /* largest |b - A x| relative to the terms of the row, over the independent and the redundant rows */
    int    worst;                  /* the redundant row it is; -1: none */
    double value;                  /* 1/2 |x - x0|^2_H */
} zw_small_verdict;

bool zw_small_fits(const zw_metric *H, const zw_rows *A);
/* false: the pattern is not one this path has room for */
bool zw_small_same(zw_small *s, const zw_metric *H, const zw_rows *A);
/* ZW_E_ARG, ZW_E_DIVERGED (raised) as the general path; the pattern was accepted by zw_small_same */
ZW_MUST_USE zw_status zw_small_factor(zw_context *c, zw_small *s, const zw_metric *H, const zw_rows *A);
/* s->x holds x0 and becomes x; b may be NULL; judge: the residuals of the verdict are wanted (they are found where rows are redundant in any case) */
zw_small_verdict zw_small_solve(zw_small *s, const double *b, bool judge);
void             zw_small_inverse(const zw_small *s, double *v); /* v <- H^-1 v */

#endif

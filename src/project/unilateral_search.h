/* SPDX-License-Identifier: Apache-2.0
 * unilateral_search.h: what the files of the unilateral kernel share. All rows are G = [A; N], rows of A first, m = ma + mi of them, y = (lambda, mu).
 *
 * An active set says which rows of N hold as equalities. Its answer is one solve of the kernel with the rows of A and those of the set, the others being zero:
 * then the pattern never changes, and nothing is allocated. A search only proposes sets; what is returned always comes from such a solve and was looked at. */
#ifndef ZW_PROJECT_UNILATERAL_SEARCH_H
#define ZW_PROJECT_UNILATERAL_SEARCH_H

#include "base/arena.h"
#include "project/solver.h"
#include "project/unilateral.h"

enum { ZW_UNILATERAL_DENSE = 64 }; /* rows, of both kinds together, up to which the search is dense */

typedef struct zw_unilateral_sizes {
    size_t n, nparts, m, mi, ntiles, nblocks, nvalues;
} zw_unilateral_sizes;

typedef struct zw_unilateral_memory { /* a row that was active */
    int64_t id;                       /* its tile */
    int     k;                        /* and its number in there */
} zw_unilateral_memory;

typedef struct zw_verdict { /* on the answer of a set */
    double residual;        /* of complementarity, see zw_unilateral_info */
    double contradiction;   /* largest |A x - b| and |N x - c| over the rows of the set, relative to their terms: what redundant rows are off */
    bool   passes;
    int    redundant;
    double condition, value;
} zw_verdict;

typedef struct zw_answer { /* x, multipliers and N x - c of a set */
    unsigned char *set;    /* [mi] */
    double        *x, *y, *gap;
    zw_verdict     verdict;
} zw_answer;

struct zw_unilateral {
    zw_context         *context;
    zw_solver          *exact, *ridge; /* the rows of a set; the same with a slack for each, see unilateral_newton.c */
    zw_arena            arena;
    zw_unilateral_sizes room;
    int                 force; /* 0: by size; 1: dense search; 2: Newton's (tests compare the two) */
    /* the problem: H, and G with the values as given (value) and with rows switched off (rows.a) */
    const zw_metric *H;
    int              n, ma, mi, m;
    zw_rows          rows, slack_rows;
    zw_metric        slack_metric;
    zw_matrix       *slack_part;
    int             *slack_v0;
    double          *value, *ones;
    double          *f, *rhs;     /* n; m: b then c */
    double          *xfree;       /* n: H^-1 f */
    bool             xfree_known;
    double          *weight;      /* m: about G_i H^-1 G_i', from the diagonal of H; 1 for a zero row */
    double          *scale;       /* m: size of the terms of a row at the last answer tried */
    double           weight_most; /* the largest */
    zw_answer        now, best;
    /* work of the searches */
    unsigned char *set, *allowed; /* mi: rows of N that are proposed; that may be */
    double        *dense;         /* S, L and Y of the dense search */
    int           *order;         /* m */
    double        *wm[8], *wn[6]; /* m; n + m; zw_unilateral_try takes wm[6] and wn[5] */
    double        *rhs_set;       /* m */
    int            iterations;
    /* memory */
    zw_unilateral_memory *memory;
    int                   nmemory, memory_room;
};

typedef enum zw_search { ZW_SEARCH_FOUND, ZW_SEARCH_CONTRADICTS, ZW_SEARCH_LOST } zw_search;

/* unilateral_rows.c */
ZW_MUST_USE zw_status zw_unilateral_load(zw_unilateral *u, const zw_metric *H, const zw_rows *A, const zw_rows *N, const double *f,
                                         const double *b, const double *c);
void                  zw_unilateral_switch(zw_unilateral *u, const unsigned char *set); /* rows.a = the rows of A and of the set, others 0 */
void                  zw_unilateral_switch_slack(zw_unilateral *u, const unsigned char *set, double ridge);
void                  zw_unilateral_apply(const zw_unilateral *u, const double *x, double *y);     /* y = G x            */
void                  zw_unilateral_sizes_of(const zw_unilateral *u, const double *x, double *y);  /* y_i = sum |G_ij x_j| */
void                  zw_unilateral_transposed(const zw_unilateral *u, const double *y, double *z); /* z = G' y           */
void                  zw_unilateral_row(const zw_unilateral *u, int tile, int i, double *z);        /* z += row i of the tile, n entries */
void                  zw_unilateral_recall(zw_unilateral *u, const zw_rows *N, unsigned char *set);
ZW_MUST_USE zw_status zw_unilateral_remember(zw_unilateral *u, const zw_rows *N, const unsigned char *set);

/* unilateral.c: the answer of a set, in u->now, and the verdict on it */
ZW_MUST_USE zw_status zw_unilateral_try(zw_unilateral *u, const unsigned char *set);
/* the same; where the verdict is bad, rows of wrong sign leave and violated ones come, a few rounds at most; keeps the best answer in u->best */
ZW_MUST_USE zw_status zw_unilateral_settle(zw_unilateral *u, const unsigned char *set);

/* Searches; each starts at u->set, stays in u->allowed, leaves the set in u->set, and what contradicts in wm[7] (multipliers y >= 0 on N with G'y = 0 and
 * y.rhs > 0, so that no x exists). ridge: relative Tikhonov term, which makes the multipliers of least norm the ones found. */
ZW_MUST_USE zw_status zw_unilateral_dense(zw_unilateral *u, double ridge, zw_search *out);
ZW_MUST_USE zw_status zw_unilateral_newton(zw_unilateral *u, zw_search *out);
ZW_MUST_USE zw_status zw_unilateral_newton_least(zw_unilateral *u); /* from u->now; the set of the multipliers of least norm */

#endif

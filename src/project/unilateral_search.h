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
#include "project/unilateral_primal.h"

enum {
    ZW_UNILATERAL_DENSE = 64,  /* rows, of both kinds together, up to which the search is dense */
    ZW_UNILATERAL_ROWS = 1000, /* and up to which the answer of a set comes from the kernel's factor in the rows, then in the columns */
};

typedef struct zw_unilateral_sizes {
    size_t n, m, mi, ntiles, nblocks, nvalues;
} zw_unilateral_sizes;

typedef struct zw_unilateral_memory { /* a row that was active */
    int64_t id;                       /* its tile */
    int     k;                        /* and its number in there */
} zw_unilateral_memory;

typedef struct zw_verdict { /* on the answer of a set */
    double residual;        /* of complementarity, see zw_unilateral_info */
    double
         contradiction; /* largest |A x - b| and |N x - c| over the rows of the set, relative to their terms: what redundant rows are off */
    bool passes;
    int  redundant;
    double condition, value;
} zw_verdict;

typedef struct zw_answer { /* x, multipliers and N x - c of a set */
    unsigned char *set;    /* [mi] */
    double        *x, *y, *gap;
    zw_verdict     verdict;
} zw_answer;

struct zw_unilateral {
    zw_context         *context;
    zw_solver          *exact, *metric; /* the rows of a set; no rows, for H^-1 */
    zw_primal           primal;
    bool                primal_ready, large, told; /* analysed for these rows; answers from the columns; info is wanted */
    zw_arena            arena;
    zw_unilateral_sizes room;
    int force; /* 0: by size; 1: dense search; 2: Newton's; 3: Newton's, and answers from the columns (tests compare them) */
    /* the problem: H, and G with the values as given (value) and with rows switched off (rows.a) */
    const zw_metric *H;
    int              n, ma, mi, m;
    zw_rows          rows;
    double          *value;
    double          *f, *rhs; /* n; m: b then c */
    double          *xfree;   /* n: H^-1 f */
    bool             xfree_known;
    double          *inverse;     /* n: 1/H_jj */
    double          *weight;      /* m: about G_i H^-1 G_i', from the diagonal of H; 1 for a zero row */
    double          *scale;       /* m: size of the terms of a row at the last answer tried */
    double           weight_most; /* the largest */
    zw_answer        now, best;
    /* work of the searches */
    unsigned char *set, *allowed; /* mi: rows of N that are proposed; that may be */
    double        *dense;         /* S, L and Y of the dense search */
    int           *order;         /* m */
    double        *wm[8], *wn[6]; /* m; n. zw_unilateral_try takes wm[4..6] and wn[4..5] */
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
void zw_unilateral_switch(zw_unilateral *u, const unsigned char *set);             /* rows.a = the rows of A and of the set, others 0 */
void zw_unilateral_apply(const zw_unilateral *u, const double *x, double *y);      /* y = G x            */
void zw_unilateral_sizes_of(const zw_unilateral *u, const double *x, double *y);   /* y_i = sum |G_ij x_j| */
void zw_unilateral_transposed(const zw_unilateral *u, const double *y, double *z); /* z = G' y           */
void zw_unilateral_row(const zw_unilateral *u, int tile, int i, double *z);        /* z += row i of the tile, n entries */
void zw_unilateral_recall(zw_unilateral *u, const zw_rows *N, unsigned char *set);
ZW_MUST_USE zw_status zw_unilateral_remember(zw_unilateral *u, const zw_rows *N, const unsigned char *set);

void zw_unilateral_terms(const zw_unilateral *u, const double *y, double *z); /* z_j = sum |G_ij y_i|  */

/* unilateral.c: the sizes of the rows' terms at u->now */
void zw_unilateral_scales(zw_unilateral *u);
/* the answer of a set, in u->now, and the verdict on it */
ZW_MUST_USE zw_status zw_unilateral_try(zw_unilateral *u, const unsigned char *set);
/* the same; where the verdict is bad, rows of wrong sign leave and violated ones come, a few rounds at most; keeps the best answer in u->best */
ZW_MUST_USE zw_status zw_unilateral_settle(zw_unilateral *u, const unsigned char *set);

/* unilateral_newton.c: the answer of u->now.set in u->now.x and y by the matrix of the columns; done is false where it converged too slowly */
ZW_MUST_USE zw_status zw_unilateral_answer(zw_unilateral *u, bool *done);
int                   zw_unilateral_rank(zw_unilateral *u, const unsigned char *set, double *condition);
void                  zw_unilateral_inverse(const zw_unilateral *u, const double *z, double *y); /* y = H^-1 z */

/* Searches; each starts at u->set, stays in u->allowed, leaves the set in u->set, and what contradicts in wm[7] (multipliers y >= 0 on N with G'y = 0 and
 * y.rhs > 0, so that no x exists). ridge: relative Tikhonov term, which makes the multipliers of least norm the ones found. */
ZW_MUST_USE zw_status zw_unilateral_dense(zw_unilateral *u, double ridge, zw_search *out);
ZW_MUST_USE zw_status zw_unilateral_newton(zw_unilateral *u, zw_search *out);
ZW_MUST_USE zw_status zw_unilateral_newton_least(zw_unilateral *u); /* from u->now; the set of the multipliers of least norm */

#endif

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
    ZW_UNILATERAL_DENSE =
        64, /* rows, of both kinds together, up to which the search is dense and answers come from the factor in the rows */
    ZW_UNILATERAL_ROWS = 1000, /* and up to which that factor helps out where all else has failed */
};

typedef struct zw_unilateral_sizes {
    size_t n, m, mi, ntiles, nblocks, nvalues;
} zw_unilateral_sizes;

typedef struct zw_problem { /* what is asked */
    const zw_metric *H;
    const zw_rows   *A, *N;
    const double    *f, *b, *c;
} zw_problem;

typedef struct zw_unilateral_memory { /* a row that was active */
    int64_t       id;                 /* its tile */
    int           k;                  /* and its number in there */
    unsigned char hint;               /* see zw_unilateral */
} zw_unilateral_memory;

typedef struct zw_unilateral_kept { /* a copy of the metric, to see whether it changed */
    int    *pattern;
    double *value;
    size_t  npattern, nvalue, pattern_room, value_room;
} zw_unilateral_kept;

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

enum zw_island_share { /* what an island has its part of: columns, rows, tiles, blocks and values of A and of N, parts, pattern and values of H */
                       ZW_SHARE_COLUMN,
                       ZW_SHARE_ROW,
                       ZW_SHARE_TILE = ZW_SHARE_ROW + 2,
                       ZW_SHARE_BLOCK = ZW_SHARE_TILE + 2,
                       ZW_SHARE_VALUE = ZW_SHARE_BLOCK + 2,
                       ZW_SHARE_PART = ZW_SHARE_VALUE + 2,
                       ZW_SHARE_START,
                       ZW_SHARE_ENTRY,
                       ZW_SHARE_METRIC,
                       ZW_SHARES
};

typedef struct zw_island {
    size_t         begin[ZW_SHARES], count[ZW_SHARES];
    int            open;    /* the part of the whole metric that its last part comes from */
    bool           coupled; /* its metric has more than blocks on the diagonal, or large ones */
    zw_metric      H;
    zw_rows        rows[2]; /* A, N */
    zw_unilateral *kernel;  /* NULL: answered by hand */
} zw_island;

typedef struct zw_islands {
    zw_arena        arena;
    size_t          room[ZW_SHARES];
    int             count;
    zw_island      *island;
    zw_unilateral **kernel; /* by the first column of an island */
    int             nkernels;
    int            *root, *of, *column; /* n: the first column of the island; the island; the column in it */
    int            *row[2];             /* by row of A and of N: the row among those of all islands, one island after the other */
    int            *start, *entry, *v0;
    zw_matrix      *part;
    zw_tile        *tile[2];
    zw_block       *block[2];
    double         *value[2], *metric, *f, *x, *rhs[2], *y[2], *work;
    unsigned char  *set, *hint; /* mi: of the rows as given; island by island */
} zw_islands;

struct zw_unilateral {
    zw_context *context;
    zw_solver  *exact, *metric; /* the rows of a set; no rows, for H^-1 */
    zw_primal   primal;
    /* what is there already, of the same H and rows as now: see zw_unilateral_load */
    bool                metric_ready; /* H is factored in `metric` */
    double              factored;     /* the ridge of the factor in the columns, 0: none */
    unsigned char      *factored_set; /* and its set */
    bool                exact_ready;  /* rows of exact_set are factored in `exact` */
    unsigned char      *exact_set;
    bool                answered; /* u->best answers the problem that was loaded last */
    zw_unilateral_kept  kept;
    bool                primal_ready, large; /* analysed for these rows; answers from the columns */
    zw_arena            arena;
    zw_unilateral_sizes room;
    double              ridge;   /* of the factor that answers come from */
    bool                stays;   /* and that the answers keep */
    bool                patient; /* where the factor in the columns is slow, the one in the rows may help */
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
    double        *soft;          /* m: multipliers of the problem with the ridge, by the set tried last */
    unsigned char *hint; /* mi: where to begin, and what is to be remembered: bit by bit the sets with the coarse and the fine ridge */
    int            iterations;
    /* memory */
    zw_unilateral_memory *memory;
    int                   nmemory, memory_room;
    zw_islands            islands;
};

typedef enum zw_search { ZW_SEARCH_FOUND, ZW_SEARCH_CONTRADICTS, ZW_SEARCH_LOST } zw_search;

/* unilateral_rows.c: copies the problem. What was made from the same bits of H, A, N, of f, or of b and c stays; the rest is said to be missing */
ZW_MUST_USE zw_status zw_unilateral_load(zw_unilateral *u, const zw_problem *p);
void                  zw_unilateral_drop(zw_unilateral *u);                        /* all that was made */
void zw_unilateral_switch(zw_unilateral *u, const unsigned char *set);             /* rows.a = the rows of A and of the set, others 0 */
void zw_unilateral_apply(const zw_unilateral *u, const double *x, double *y);      /* y = G x            */
void zw_unilateral_sizes_of(const zw_unilateral *u, const double *x, double *y);   /* y_i = sum |G_ij x_j| */
void zw_unilateral_transposed(const zw_unilateral *u, const double *y, double *z); /* z = G' y           */
void zw_unilateral_terms(const zw_unilateral *u, const double *y, double *z);      /* z_j = sum |G_ij y_i| */
void zw_unilateral_row(const zw_unilateral *u, int tile, int i, double *z);        /* z += row i of the tile, n entries */
/* what copying needs: indices inside their arrays. Sizes of A and N together */
ZW_MUST_USE zw_status zw_unilateral_check(zw_unilateral *u, const zw_problem *p, zw_unilateral_sizes *need);

/* unilateral_islands.c: the islands of a problem that was checked; count stays 0 where it is better seen as a whole. Then their answers: x, lambda, mu, the set and
 * all of info but what is counted; answered is false where one of them found none */
ZW_MUST_USE zw_status zw_islands_split(zw_unilateral *u, const zw_problem *p);
ZW_MUST_USE zw_status zw_islands_solve(zw_unilateral *u, const zw_problem *p, double *x, double *lambda, double *mu,
                                       zw_unilateral_info *info, bool *answered);
void                  zw_islands_destroy(zw_unilateral *u);

/* unilateral_memory.c */
void                  zw_unilateral_recall(zw_unilateral *u, const zw_rows *N, unsigned char *set);
ZW_MUST_USE zw_status zw_unilateral_remember(zw_unilateral *u, const zw_rows *N, const unsigned char *set);

/* unilateral_whole.c: the answer in u->best; hint: the set to begin with. And what is redundant in it, added to info */
ZW_MUST_USE zw_status zw_unilateral_whole(zw_unilateral *u, const zw_problem *p, const unsigned char *hint);
ZW_MUST_USE zw_status zw_unilateral_count_whole(zw_unilateral *u, zw_unilateral_info *info);
/* the sizes of the rows' terms at u->now */
void zw_unilateral_scales(zw_unilateral *u);
/* the answer of a set, in u->now, and the verdict on it */
ZW_MUST_USE zw_status zw_unilateral_try(zw_unilateral *u, const unsigned char *set);
/* the same; where the verdict is bad, rows of wrong sign leave and violated ones come, `rounds` at most; keeps the best answer in u->best */
ZW_MUST_USE zw_status zw_unilateral_settle(zw_unilateral *u, const unsigned char *set, int rounds);

/* unilateral_answer.c: the answer of u->now.set in u->now.x and y by the matrix of the columns; done is false where it converged too slowly */
ZW_MUST_USE zw_status zw_unilateral_answer(zw_unilateral *u, bool *done);
ZW_MUST_USE zw_status zw_unilateral_analyse(zw_unilateral *u); /* the pattern of the columns, unless it is there */
/* K = H + G'G/e over the rows of A and of the set, unless it is there */
ZW_MUST_USE zw_status zw_unilateral_factor(zw_unilateral *u, const unsigned char *set, double ridge);
/* is the set of u->now, which was tried last, that of the problem with ridge u->ridge? Rows that round-off decides count neither way */
bool zw_unilateral_canonical(const zw_unilateral *u);
/* the multipliers that all rows would take up, were they one problem of least norm with these: see there */
ZW_MUST_USE zw_status zw_unilateral_pull(zw_unilateral *u, const zw_answer *a, double *pull);
ZW_MUST_USE zw_status zw_unilateral_rank(zw_unilateral *u, const unsigned char *set, int *rank, double *condition);
void                  zw_unilateral_inverse(const zw_unilateral *u, const double *z, double *y); /* y = H^-1 z */

/* Searches; each starts at u->set, stays in u->allowed, leaves the set in u->set, and what contradicts in wm[7] (multipliers y >= 0 on N with G'y = 0 and
 * y.rhs > 0, so that no x exists). */
ZW_MUST_USE zw_status zw_unilateral_dense(zw_unilateral *u, zw_search *out);
/* about the multipliers of least norm on A and the rows of u->allowed, whose answer, whatever its signs, is u->now; m <= ZW_UNILATERAL_DENSE */
void                  zw_unilateral_dense_least(zw_unilateral *u, double *least);
ZW_MUST_USE zw_status zw_unilateral_newton(zw_unilateral *u, zw_search *out);
/* the set of the problem with a ridge, which is unique, from u->now and u->set; near: that of a coarser ridge */
ZW_MUST_USE zw_status zw_unilateral_ridge(zw_unilateral *u, double ridge, bool near);
ZW_MUST_USE zw_status zw_unilateral_newton_least(zw_unilateral *u); /* from u->now; the set of the multipliers of least norm */

#endif

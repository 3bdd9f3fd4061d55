/* SPDX-License-Identifier: Apache-2.0
 * strand.h: the long paths of a coupled metric, eliminated eight at a time.
 *
 * The blocks (6 x 6) of a coupled cell are split into separators and paths: a path is a row of blocks, each coupled to its neighbours only, whose
 * two ends may be coupled to one separator each (left and right). With L_j d_j L_j' = D_j of the block j of a path, from left to right
 *     B_j = H_{j+1,j} L_j^-T d_j^-1,   F_j = F~_j L_j^-T d_j^-1,   D_{j+1} = H_{j+1,j+1} - B_j d_j B_j',   F~_{j+1} = -F_j d_j B_j',   F~_0 = H_{left,0}
 * and the separators get H_left,left - sum F_j d_j F_j', H_right,right - B d B', H_left,right - F d B' (of the last block). Their matrix is the inverse of
 * H^-1 restricted to the separators: rows that touch separators only never need the inside of a path. Eight paths run as eight lanes (wide.h); they end in
 * the same step, the shorter ones begin later. Every path is cut into pieces so that there are about eight: that costs the blocks F, and brings the lanes. */
#ifndef ZW_PROJECT_CHAIN_H
#define ZW_PROJECT_CHAIN_H

#include "base/arena.h"

enum {
    ZW_STRAND_LANES = 8,
    ZW_STRAND_BLOCK = 6,
    ZW_STRAND_LOWER = 21,                         /* entries of a lower triangle */
    ZW_STRAND_VALUES = ZW_STRAND_LOWER + 36 + 36, /* of L, B, F */
    ZW_STRAND_CORNER = ZW_STRAND_LOWER + ZW_STRAND_LOWER + 36
};

typedef struct zw_strand_group { /* up to eight paths; arrays [steps][8] have -1 where a lane has not begun */
    int        steps;
    int        begin[ZW_STRAND_LANES];                        /* first step of each lane; steps for a lane without a path */
    int        left[ZW_STRAND_LANES], right[ZW_STRAND_LANES]; /* first column of its separators, -1: none */
    ptrdiff_t  head[ZW_STRAND_LANES];                         /* values of H_{left,0}, -1: none */
    int       *col;                                           /* [steps][8] first column of the block */
    ptrdiff_t *diagonal, *next; /* [steps][8] values of H_jj and of H_{j+1,j} (after the last: of H_{right,j}) */
    double    *l;               /* [steps][93][8] L_j (lower, by rows; 1/d_j on the diagonal), B_j, F_j */
    double    *y;               /* [steps][6][8] between forward and backward; pivots after factor */
    double    *corner;          /* [78][8] what factor adds to left (lower), to right (lower), to (left, right) */
} zw_strand_group;

typedef struct zw_strand_path { /* the loops for one instruction set; same bits from each */
    const char *name;
    bool (*factor)(zw_strand_group *g, const double *a);   /* false: a pivot is not positive or not finite */
    void (*forward)(const zw_strand_group *g, double *v);  /* takes v in the paths, subtracts from v in the separators */
    void (*backward)(const zw_strand_group *g, double *v); /* v in the separators is the solution; sets v in the paths */
} zw_strand_path;

extern const zw_strand_path zw_strand_path_any, zw_strand_path_avx2, zw_strand_path_avx512;
const zw_strand_path       *zw_strand_path_best(void);

typedef struct zw_strand {
    int              ngroups;
    zw_strand_group *group;
} zw_strand;

typedef struct zw_strand_piece { /* a path: blocks[first .. first+n-1] of a list, between separators left and right (-1: none) */
    int first, n, left, right;
} zw_strand_piece;

/* Splits the blocks of a connected symmetric graph (as for zw_order_minimum_degree). separator[i] != 0 is asked for on entry and answered on return; list gets the
 * blocks of the paths. Returns the number of pieces (at most n; left and right are blocks). With too few blocks for lanes all become separators. */
int zw_strand_split(int n, const int *start, const int *adj, unsigned char *separator, int *list, zw_strand_piece *piece);

/* room for the pieces; the caller fills col, diagonal, next, head, left, right by lane: piece k is lane k % 8 of group k / 8 */
ZW_MUST_USE zw_status zw_strand_create(zw_arena *arena, int npieces, const zw_strand_piece *piece, zw_strand *out);

#endif

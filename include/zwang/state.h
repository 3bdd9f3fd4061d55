/* SPDX-License-Identifier: Apache-2.0
 * state.h: state as plain arrays, metric and matrices, places and frames. Everything here is transparent.
 *
 * The state holds ALL that a step reads (a checkpoint is a copy of it); v is the truth, momentum is M v. A part is handed its own
 * slices, never offsets. Rotations come first in every 6-vector: (angular, linear). */
#ifndef ZWANG_STATE_H
#define ZWANG_STATE_H

#include "zwang/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zw_size {
    int nq, nv, ns, nw; /* constant within one epoch; only a remesh starts a new one */
} zw_size;

typedef struct zw_state {
    double  t; /* s */
    double *q; /* configuration [nq] */
    double *v; /* velocity [nv]      */
    double *s; /* first-order fields [ns] (heat, signals) */
    double *w; /* memory of integrator and laws [nw]      */
} zw_state;

/* matrix in block rows: mass, damping, tangent or step Jacobian */
typedef enum zw_kind { ZW_DIAGONAL, ZW_SPD, ZW_SYMMETRIC, ZW_GENERAL } zw_kind;
typedef struct zw_matrix {
    zw_kind    kind;
    int        n;     /* scalar dimension                                                                              */
    int        block; /* b: size of the blocks; n is a multiple of it                                                  */
    const int *start; /* [n/b + 1] first block of each block row; NULL for ZW_DIAGONAL                                 */
    const int *col;   /* block column of each block, rising in a row                                                   */
    double    *a;     /* ZW_DIAGONAL: [n]; else blocks b x b, row-major, in order of col; both triangles are stored     */
} zw_matrix;

/* metric: block diagonal over the parts, which meet in rows only */
typedef struct zw_metric {
    int              n, nparts;
    const zw_matrix *part;
    const int       *v0; /* first column of each part */
} zw_metric;

/* place: a material point with a frame, bound once; joints, loads, probes and contacts see only frames at places */
typedef struct zw_place {
    int part, body, element;
    int track; /* its label moves in time: 1 + its number among those of the system; element and u are those of the start. 0: it is fixed */
    double u[3];   /* where in the element: rods use u[0] in 0..1 along the link */
    bool   turns;  /* it has axes of its own, which joints may hold and moments may act on */
    bool   driven; /* it moves with time even where nothing else moves */
    bool   planar; /* it moves only across `normal` and turns only about it */
    double normal[3];
} zw_place;

typedef struct zw_frame {
    double r[3]; /* position, space                */
    double R[9]; /* directors in columns, row-major */
    double w[3]; /* angular velocity, space        */
    double v[3]; /* velocity, space                */
} zw_frame;

/* velocity (w, v) of a frame = what moves it at v = 0, plus the sum over blocks of J (6 rows of 6, row-major; only the first ncol columns count)
 * times v[col .. col+ncol-1] of the whole system */
enum { ZW_JET_BLOCKS = 32 };
typedef struct zw_jet {
    int    nblocks, col[ZW_JET_BLOCKS], ncol[ZW_JET_BLOCKS];
    double J[ZW_JET_BLOCKS][36];
} zw_jet;

typedef struct zw_account {
    double kinetic, elastic, potential; /* J              */
    double momentum[3], angular[3];     /* N s, N m s about the space origin */
    double mass;                        /* kg             */
} zw_account;

#ifdef __cplusplus
}
#endif
#endif

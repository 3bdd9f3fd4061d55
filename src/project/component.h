/* SPDX-License-Identifier: Apache-2.0
 * component.h: one connected component of S = A H^-1 A', scaled to unit diagonal, factored and solved on its own.
 *
 * Up to ZW_COMPONENT_DENSE rows: dense Cholesky with complete pivoting. Above: sparse block Cholesky in minimum-degree order. From
 * ZW_COMPONENT_PLAIN rows in ZW_COMPONENT_TILES tiles on the sparse one is tried first also where the dense one is allowed, and stands when every pivot is so
 * large that no row can be meant as redundant: a chain of ten links then costs as much per link as a long one.
 * Both give  S_BB = L_BB L_BB'  for the independent rows B and keep L_RB for the dependent rows R; forward and backward are as in
 * blockchol.h. Vectors of a component are in its order of elimination; index[] says which row of the system stands where. */
#ifndef ZW_PROJECT_COMPONENT_H
#define ZW_PROJECT_COMPONENT_H

#include "project/blockchol.h"

enum { ZW_COMPONENT_PLAIN = 16, ZW_COMPONENT_DENSE = 64, ZW_COMPONENT_TILES = 3 };

typedef struct zw_component {
    int            m, ntiles;
    int           *tile;
    bool           dense; /* as it is factored now */
    bool           both;  /* sparse where that does, dense where not */
    int           *row;   /* [m] rows of the system, tile by tile; for a sparse one in the order of elimination */
    int           *index; /* [m] row of the system at each place of the order of elimination */
    double        *d;     /* [m] 1/sqrt(S_ii) at each place; 1 for a zero row */
    int            rank;
    double         pivot_min, pivot_max; /* of the independent rows */
    double        *s;                    /* dense: m x m, S and then L */
    double        *kept;                 /* both: the values of S in the pattern of chol */
    int           *perm;                 /* dense */
    double        *z;                    /* dense: orthonormal basis of the null space of S (unscaled), column k at z + k m */
    unsigned char *depends;              /* sparse: [m] the row at that place is dependent */
    zw_blockchol   chol;                 /* sparse */
} zw_component;

/* S (assembled) -> scaled -> factored. Returns the row of the system whose diagonal or pivot is not finite, -1 when it went through */
int  zw_component_factor(zw_component *k);
bool zw_component_depends(const zw_component *k, int place);
void zw_component_forward(const zw_component *k, double *v);
void zw_component_backward(const zw_component *k, double *v);
/* the multiplier of least norm with S lambda = r on the independent rows; work has 6 m entries */
void zw_component_solve(const zw_component *k, const double *r, double *lambda, double *work);

#endif

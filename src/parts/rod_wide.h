/* SPDX-License-Identifier: Apache-2.0
 * rod_wide.h: the two hot loops of rods, elastic forces and drift, in tiles of eight lanes along the population.
 *
 * Links are numbered by their first node, so that slot i joins nodes i and i+1 of the whole population and one tile may hold several short rods.
 * The slot behind the last node of a rod joins nothing: its stiffness is 0. Constants of nodes and slots are kept as structure of arrays; the state stays
 * node by node (positions, quaternions, velocities), and a tile transposes what it needs. A tile works out what it needs of its two neighbours
 * itself, so tiles are independent: same bits for any number of threads. */
#ifndef ZW_PARTS_ROD_WIDE_H
#define ZW_PARTS_ROD_WIDE_H

#include "parts/rod.h"

enum {
    ZW_ROD_TILE = 62, /* nodes a tile owns */
    ZW_ROD_ROWS = 64, /* with its two neighbours */
    ZW_ROD_FRONT = 8, /* sound numbers before node 0, so that slot -1 exists (and joins nothing) */
    ZW_ROD_BACK = 80  /* and behind the last one */
};

typedef struct zw_rods_path { /* the loops for one instruction set; each works on nodes first .. first+n-1, n <= ZW_ROD_TILE */
    const char *name;         /* "avx512", "avx2", "any" */
    void (*elastic)(const zw_rods *rods, const double *q, int first, int n, double *f); /* f += elastic forces */
    void (*drift)(const zw_rods *rods, const double *q0, const double *v0, double h, int first, int n, double *q1, double *v1);
    void (*step)(const zw_rods *rods, const double *q0, const double *v0, const double *f0, double h, int first, int n, double *q1,
                 double *v1, double *f1);
} zw_rods_path;

struct zw_rods_wide {           /* structure of arrays; node or slot i at ZW_ROD_FRONT + i */
    size_t              stride; /* doubles from one array of a block to the next */
    double             *inverse_l;
    double             *natural;   /* [6][stride] */
    double             *stiffness; /* [6][stride]; 0 where the slot joins nothing */
    double             *inertia;   /* [3][stride] */
    double             *ratio;     /* [stride] J3/J1 */
    double             *mass;      /* [stride] */
    double             *inverse;   /* [6][stride] 1/J1 1/J2 1/J3, 1/m three times: what a kick multiplies by */
    bool                symmetric; /* J1 = J2 in every node */
    const zw_rods_path *path;
};

zw_status zw_rods_wide_create(
    zw_rods *rods); /* fills rods->wide; leaves it NULL where the wide loops do not apply (coupled stiffness, turned inertia) */
void zw_rods_wide_fill(zw_rods *rods);                     /* constants anew from those of the rods */
bool zw_rods_wide_choose(zw_rods *rods, const char *path); /* a path by name, for tests; false when this machine lacks it */
void zw_rods_wide_elastic(const zw_rods *rods, const double *q, double *f); /* all tiles */
void zw_rods_wide_drift(const zw_rods *rods, const zw_state *x0, double h, zw_state *x1);
bool zw_rods_fuses(const void *self);
void zw_rods_step_alone(void *self, const zw_state *x0, const double *f0, double h, zw_state *x1, double *f1);

/* the node whose numbers stand in a row of a tile (rows without a node repeat a neighbour) */
static inline int zw_rod_row_node(const zw_rods *rods, int first, int row) {
    int node = first - 1 + row;
    return node < 0 ? 0 : node < rods->nnodes ? node : rods->nnodes - 1;
}

extern const zw_rods_path zw_rods_path_any, zw_rods_path_avx2, zw_rods_path_avx512;

/* scalar versions of one slot and one node, for lanes whose angles are too large for the polynomials */
void zw_rod_slot_wrench(const double *qa, const double *qb, double inverse_l, const double e0[6], const double C[6], double Ta[3],
                        double Tb[3], double space[3]);
void zw_rod_drift_node(const zw_rods *rods, int i, const double *q0, const double *v0, double h, double *q1,
                       double *v1); /* q0 .. v1: of that node */

#endif

/* SPDX-License-Identifier: Apache-2.0
 * rod_wide.h: the two hot loops of rods, elastic forces and drift, in tiles of eight lanes along the population.
 *
 * Links are numbered by their first node, so that slot i joins nodes i and i+1 of the whole population and one tile may hold several short rods.
 * The slot behind the last node of a rod joins nothing: its stiffness is 0. Constants of nodes and slots are kept as structure of arrays; the state stays
 * node by node (positions, quaternions, velocities), and a tile transposes what it needs. A tile owns TILE nodes and computes the slot before
 * them once more, so that tiles are independent: same bits for any number of threads. */
#ifndef ZW_PARTS_ROD_WIDE_H
#define ZW_PARTS_ROD_WIDE_H

#include "parts/rod.h"

enum { ZW_ROD_TILE = 63, ZW_ROD_SLOTS = 64 }; /* nodes a tile owns; slots it computes */

struct zw_rods_wide { /* structure of arrays, one block each, padded by ZW_ROD_SLOTS */
    size_t  stride;   /* doubles from one array of a block to the next */
    double *inverse_l;
    double *natural;   /* [6][stride] */
    double *stiffness; /* [6][stride] */
    double *inertia;   /* [3][stride] */
    double *ratio;     /* [stride] J3/J1 */
    void (*elastic)(const zw_rods *rods, const double *q, int first, int n, double *f); /* f += elastic forces on nodes first .. first+n-1 */
    void (*drift)(const zw_rods *rods, const double *q0, const double *v0, double h, int first, int n, double *q1, double *v1);
    const char *path; /* "avx512", "avx2" or "any" */
};

zw_status zw_rods_wide_create(zw_rods *rods); /* fills rods->wide; leaves it NULL where the wide loops do not apply (coupled stiffness, turned inertia) */
bool      zw_rods_wide_choose(zw_rods *rods, const char *path); /* a path by name, for tests; false when this machine lacks it */

/* the kernels, one set per instruction set */
#define ZW_ROD_WIDE_DECLARE(isa)                                                                                     \
    void zw_rods_elastic_##isa(const zw_rods *rods, const double *q, int first, int n, double *f);                   \
    void zw_rods_drift_##isa(const zw_rods *rods, const double *q0, const double *v0, double h, int first, int n, double *q1, double *v1)
ZW_ROD_WIDE_DECLARE(any);
ZW_ROD_WIDE_DECLARE(avx2);
ZW_ROD_WIDE_DECLARE(avx512);

/* scalar versions of one slot and one node, for lanes whose angles are too large for the polynomials */
void zw_rod_slot_wrench(const double *qa, const double *qb, double inverse_l, const double e0[6], const double C[6], double Ta[3], double Tb[3], double space[3]);
void zw_rod_drift_node(const zw_rods *rods, int i, const double *q0, const double *v0, double h, double *q1, double *v1);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * carrier.h: the forms that a part carries: convex members of rigid bodies, links of rods as capsules. This is all that contact knows about a body.
 *
 * A piece is one convex form that moves with its body. A point of it at r moves with  v(r) = sum of J times the velocities of a body or of the two nodes of a link;
 * rods: the axis point between the nodes moves with (1 - xi) v_a + xi v_b, which is the exact rate of the straight capsule, and the surface turns with the nodes. */
#ifndef ZW_PARTS_CARRIER_H
#define ZW_PARTS_CARRIER_H

#include "math/form.h"
#include "zwang/state.h"

enum { ZW_CARRIER_BLOCKS = 2, ZW_CARRIER_COLUMNS = 6 };

typedef struct zw_carried {
    int  body;  /* in the part                                                  */
    int  piece; /* member of a rigid body, link of a rod: counted in the body   */
    bool bends; /* a link of a rod: its form changes with the state             */
} zw_carried;

typedef struct zw_carrier_row { /* n.v(r) = sum over blocks of a . v[col0 .. col0 + ncol - 1], columns of the part */
    int    nblocks, col0[ZW_CARRIER_BLOCKS], ncol[ZW_CARRIER_BLOCKS];
    double a[ZW_CARRIER_BLOCKS][ZW_CARRIER_COLUMNS];
} zw_carrier_row;

typedef struct zw_carrier_ops {
    int (*count)(const void *self); /* pieces of all bodies, those of a body one behind the other */
    void (*piece)(const void *self, int k, zw_carried *out);
    /* where it is; own: room for a form that changes with the state (out->form points to it then) */
    void (*place)(const void *self, const zw_state *x, int k, zw_form *own, zw_placed *out);
    /* how the point core + off moves along n (space); core: on the axis of a stick, anywhere else; off: from there to the surface */
    void (*row)(const void *self, const zw_state *x, int k, const double core[3], const double off[3], const double n[3],
                zw_carrier_row *out);
    /* the velocity of its point r, and how fast the piece turns (largest |omega|) */
    void (*velocity)(const void *self, const zw_state *x, int k, const double r[3], double v[3], double *spin);
} zw_carrier_ops;

#endif

/* SPDX-License-Identifier: Apache-2.0
 * split.h: a system whose rods have other meshes: links that grew too long are halved. Everything is bound anew; the state is carried over.
 *
 * A new node stands on the helix of its link, so the strain of both halves is that of the link to the last bit but rounding; l, curvature and memory of laws are copied, amounts
 * divided. Velocities lie on the line between those of the old nodes, angular velocities in space axes: linear momentum is kept exactly. */
#ifndef ZW_SYSTEM_SPLIT_H
#define ZW_SYSTEM_SPLIT_H

#include "parts/rod.h"
#include "system/system.h"

typedef struct zw_meshes { /* of all rods of a model, in their order */
    zw_context         *context;
    int                 nrods;
    struct zw_rod_mesh *rod;
    double             *label; /* of all of them, one behind the other */
} zw_meshes;

zw_status zw_meshes_of(const zw_system *y, zw_meshes *out); /* the present ones */
zw_status zw_meshes_split(const zw_system *y, const zw_state *x,
                          zw_meshes *out); /* with links that are too long at a state halved, or quartered, .. */
zw_status zw_meshes_read(const zw_system *y, const double *words, size_t n, zw_meshes *out); /* as written by zw_meshes_write; checked */
size_t    zw_meshes_words(const zw_meshes *m);
void      zw_meshes_write(const zw_meshes *m, void *bytes); /* zw_meshes_words doubles */
bool      zw_meshes_same(const zw_meshes *a, const zw_meshes *b);
void      zw_meshes_destroy(zw_meshes *m);

zw_status zw_system_create_on(const zw_model *m, const zw_meshes *meshes, zw_system **out); /* bind.c */
/* q, v, s and memory of laws of `from` at x into those of `to`, whose links are parts of the links of `from` */
zw_status zw_system_carry_over(const zw_system *from, const zw_state *x, const double *memory, const zw_system *to, zw_state *x1,
                               double *memory1);

#endif

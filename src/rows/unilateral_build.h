/* SPDX-License-Identifier: Apache-2.0
 * unilateral_build.h: a gap as an expression of a body's own numbers, whatever the kind of the body. */
#ifndef ZW_ROWS_UNILATERAL_BUILD_H
#define ZW_ROWS_UNILATERAL_BUILD_H

#include "model/model.h"
#include "parts/lagrangian.h"

typedef struct zw_side_build {
    zw_lagrangian *L; /* NULL: a rigid body */
    zw_node        gap;
    int            nu, *slot_u, *at_u; /* numbers of q (in the part) that it depends on, and their inputs */
    zw_node       *rate;               /* [nu] their rates, of slot_v and slot_u */
    int            nv, *slot_v, *at_v; /* velocities (in the part; qdot where there are quasi-velocities), rising */
    zw_node        bounce;             /* e or k */
    bool           by_loss;
    zw_where       bounce_at;
} zw_side_build;

/* point: which one of the unilateral's, -1: coordinates. The arrays are the caller's to free, also after a failure */
zw_status zw_side_build_from(const zw_model *m, const zw_unilateral_def *def, int point, const zw_part *part, int index,
                             zw_side_build *out);

#endif

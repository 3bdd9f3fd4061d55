/* SPDX-License-Identifier: Apache-2.0
 * meet_travel.c: how fast the pieces are: |v| of their middle and spin times reach. */
#include "rows/meet_step.h"

#include "math/vec3.h"
#include "rows/meet_part.h"

#include <math.h>

void zw_meet_speed(const zw_meet *s, const zw_state *x, double *speed, double *reach) {
    *speed = *reach = 0.0;
    for (int i = 0; i < s->npieces; i++) {
        const zw_meet_piece  *p = &s->piece[i];
        const zw_part        *part = &s->part[p->part];
        const zw_carrier_ops *ops = part->ops->carrier;
        zw_state              slice = zw_meet_slice(s, p, x);
        zw_form               own;
        zw_placed             placed;
        double                v[3], spin;
        ops->place(part->self, &slice, p->k, &own, &placed);
        ops->velocity(part->self, &slice, p->k, placed.x, v, &spin);
        double far = zw_form_reach(placed.form);
        *reach = fmax(*reach, far);
        *speed = fmax(*speed, zw_v3_norm(v) + spin * far);
    }
}

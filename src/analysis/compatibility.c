/* SPDX-License-Identifier: Apache-2.0
 * compatibility.c: see compatibility.h. */
#include "analysis/compatibility.h"

#include "math/vec3.h"
#include "parts/rod_growth_observe.h"
#include "parts/rod_link.h"

static void bend_twist(const zw_rod *r, int i_link, const double *q, double l, double out[3]) {
    zw_link k;
    zw_link_strain(q + ZW_ROD_NQ * (size_t)(r->node0 + i_link), q + ZW_ROD_NQ * (size_t)zw_rod_far(r, i_link), &k);
    zw_v3_scale(out, 1.0 / l, k.w);
}

void zw_compatibility_residual(const zw_rods *rods, const zw_rod *r, const zw_compatibility_frames *frames, double *out, double *size) {
    double twice = 1.0 / (2.0 * frames->dt);
    for (int k = 0; k < r->nlinks; k++) {
        int      at = r->link0 + k;
        double   l = frames->l[1][at], w[3][3], turning[3], left[3], stretch = twice * (frames->l[2][at] - frames->l[0][at]) / l;
        zw_state x = {.q = (double *)frames->q[1], .v = (double *)frames->v};
        for (int i = 0; i < 3; i++) {
            bend_twist(r, k, frames->q[i], frames->l[i][at], w[i]);
        }
        zw_rod_link_turning(rods, r, k, &x, turning, left);
        double change[3];
        for (int i = 0; i < 3; i++) {
            change[i] = twice * (w[2][i] - w[0][i]);
            out[3 * k + i] = change[i] + w[1][i] * stretch - turning[i] / l;
        }
        if (size != NULL) {
            const double *oa = frames->v + ZW_ROD_NV * (size_t)(r->node0 + k), *ob = frames->v + ZW_ROD_NV * (size_t)zw_rod_far(r, k);
            double        bend = zw_v3_norm(w[1]), spin = zw_v3_norm(oa) + zw_v3_norm(ob);
            size[k] = zw_v3_norm(change) + bend * (stretch < 0.0 ? -stretch : stretch) + spin / l + bend * spin;
        }
    }
}

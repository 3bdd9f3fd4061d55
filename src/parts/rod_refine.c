/* SPDX-License-Identifier: Apache-2.0
 * rod_refine.c: see rod_refine.h. */
#include "parts/rod_refine.h"

zw_status zw_rod_refine_section(const zw_model *m, const zw_body_def *body, double l, zw_section_values *v) {
    if (!body->rod.refined) {
        return ZW_OK;
    }
    if (v->coupled) {
        return zw_model_raise(m, ZW_E_UNSUPPORTED, body->at, body->name, "use links: plain, or a section without coupling",
                              "links: refined needs a section whose stiffness is diagonal");
    }
    for (int i = 0; i < 2; i++) { /* shear along d1 goes with bending about d2 */
        double *shear = &v->stiffness[7 * (3 + i)], bending = v->stiffness[7 * (1 - i)];
        *shear = 1.0 / (1.0 / *shear + l * l / (12.0 * bending));
    }
    return ZW_OK;
}

double zw_rod_refine_limit(const zw_body_def *body) {
    return body->rod.refined ? 4.0 / 3.0 : 1.0;
}

static const double factor[3] = {3.0 / 4.0, 7.0 / 6.0, 23.0 / 24.0}; /* of 1/2, 1, 1 */

double zw_rod_refine_weight(const zw_rod *r, int i_node) {
    int behind = r->nnodes - 1 - i_node, from = i_node < behind ? i_node : behind;
    return !r->closed && r->nlinks >= 6 && from < 3 ? factor[from] : 1.0;
}

void zw_rod_refine_ends(zw_rods *rods, const zw_rod *r, double *J33) {
    for (int i = 0; i < 6 && !r->closed && r->nlinks >= 6; i++) {
        size_t node = (size_t)(i < 3 ? r->node0 + i : r->node0 + r->nnodes - 1 - (i - 3));
        rods->mass[node] *= factor[i % 3];
        for (int k = 0; k < 9; k++) {
            J33[9 * node + (size_t)k] *= factor[i % 3];
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * node_inertia.c: see node_inertia.h. */
#include "parts/node_inertia.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <string.h>

/* turns and ways do not meet: two 3 x 3 blocks on the diagonal of a 6 x 6 */
static void place(double *out, const double turns[9], double ways, const double way[9]) {
    memset(out, 0, 36 * sizeof *out);
    for (int i = 0; i < 9; i++) {
        out[6 * (i / 3) + i % 3] = turns[i];
        out[6 * (3 + i / 3) + 3 + i % 3] = ways * way[i];
    }
}

void zw_node_inertia(const zw_node_mass *n, const double x[3], const double *quaternion, const zw_spin *spin, double *r, double *K,
                     double *G, double *M) {
    double R[9], RJ[9], I[9], w[3] = {0.0, 0.0, 0.0}, p[3] = {0.0, 0.0, 0.0}, Iw[3], hw[9], hIw[9], turns[9], ways[9];
    if (spin != NULL && spin->spins) {
        zw_v3_copy(w, spin->w);
        zw_v3_sub(p, x, spin->centre);
    }
    zw_q_to_matrix(quaternion, R);
    zw_m3_mul(RJ, R, n->J);
    zw_m3_mult(I, RJ, R);
    for (int i = 0; i < 3; i++) { /* round-off of the product is not to make a metric that is not symmetric */
        for (int j = 0; j < i; j++) {
            I[3 * i + j] = I[3 * j + i] = 0.5 * (I[3 * i + j] + I[3 * j + i]);
        }
    }
    zw_m3_mulv(Iw, I, w);
    zw_m3_hat(hw, w);
    zw_m3_hat(hIw, Iw);
    if (r != NULL) {
        double turning[3];
        zw_v3_cross(r, w, Iw);
        zw_v3_cross(turning, w, p);
        zw_v3_cross(r + 3, w, turning);
        zw_v3_scale(r + 3, n->m, r + 3);
    }
    if (K != NULL) {
        zw_m3_mul(turns, I, hw);
        for (int i = 0; i < 9; i++) {
            turns[i] -= hIw[i];
        }
        zw_m3_mul(turns, hw, turns);
        zw_m3_mul(ways, hw, hw);
        place(K, turns, n->m, ways);
    }
    if (G != NULL) {
        double trace = I[0] + I[4] + I[8];
        for (int i = 0; i < 9; i++) {
            turns[i] = trace * hw[i] - 2.0 * hIw[i];
        }
        place(G, turns, 2.0 * n->m, hw);
    }
    if (M != NULL) {
        zw_m3_identity(ways);
        place(M, I, n->m, ways);
    }
}

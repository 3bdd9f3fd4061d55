/* SPDX-License-Identifier: Apache-2.0
 * rod_secant.c: one link of rod_secant.h, by the loops over many (rod_secant_kernel.h), and the choice of those loops. */
#include "parts/rod_secant.h"

#include "math/turn.h"
#include "math/vec3.h"
#include "parts/rod_secant_tile.h"

#include <math.h>
#include <string.h>

const zw_secant_path *zw_secant_path_best(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f")) {
        return &zw_secant_path_avx512;
    }
    if (__builtin_cpu_supports("avx2")) {
        return &zw_secant_path_avx2;
    }
#endif
    return &zw_secant_path_any;
}

double zw_rod_secant_energy(const zw_secant_link *k, const zw_secant_node *a, const zw_secant_node *b, double strain[6]) {
    zw_turn f;
    double  r[3], u[3], p[3], e[6], apart = 0.0, energy = 0.0;
    zw_v3_sub(r, b->x, a->x);
    for (int i = 0; i < 3; i++) {
        int    j = (i + 1) % 3, l = (i + 2) % 3;
        double sum[3], d[3];
        u[i] = 0.5 * (zw_v3_dot(a->d[l], b->d[j]) - zw_v3_dot(a->d[j], b->d[l]));
        zw_v3_add(sum, a->d[i], b->d[i]);
        p[i] = 0.5 * zw_v3_dot(sum, r);
        zw_v3_sub(d, b->d[i], a->d[i]);
        apart += zw_v3_dot(d, d);
    }
    zw_turn_at(0.25 * apart, &f);
    for (int i = 0; i < 3; i++) {
        strain[i] = f.phi * u[i] / k->l;
        strain[3 + i] = (f.phi * p[i] + f.chi * zw_v3_dot(u, p) * u[i]) / k->l;
    }
    for (int i = 0; i < 6; i++) {
        e[i] = strain[i] - k->natural[i];
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double stiffness = k->full ? k->stiffness[6 * i + j] : i == j ? k->stiffness[i] : 0.0;
            energy += 0.5 * k->l * e[i] * stiffness * e[j];
        }
    }
    return energy;
}

static void put_node(zw_secant_tile *t, int side, int time, const zw_secant_node *n) {
    for (int i = 0; i < ZW_SECANT_LANES; i++) {
        for (int j = 0; j < 3; j++) {
            t->node[side][time][j][i] = n->x[j];
            for (int d = 0; d < 3; d++) {
                t->node[side][time][3 + 3 * d + j][i] = n->d[d][j];
            }
        }
    }
}

void zw_rod_secant(const zw_secant_link *k, const zw_secant_node *a0, const zw_secant_node *b0, const zw_secant_node *a1,
                   const zw_secant_node *b1, zw_secant_force *out, double *derivative) {
    zw_secant_tile t;
    t.full = k->full;
    t.turned = false;
    t.scale = 1.0;
    put_node(&t, 0, 0, a0);
    put_node(&t, 1, 0, b0);
    put_node(&t, 0, 1, a1);
    put_node(&t, 1, 1, b1);
    for (int i = 0; i < ZW_SECANT_LANES; i++) { /* the same link in every lane */
        t.l[i] = k->l;
        t.damp[i] = k->damp;
        for (int j = 0; j < 6; j++) {
            t.natural[j][i] = k->natural[j];
        }
        for (int j = 0; j < (k->full ? 36 : 6); j++) {
            t.stiffness[j][i] = k->stiffness[j];
        }
    }
    zw_secant_path_best()->links(&t, derivative != NULL);
    for (int i = 0; i < 3; i++) {
        out->wrench[0][i] = t.wrench[i][0];
        out->wrench[1][i] = t.wrench[3 + i][0];
        out->wrench[1][3 + i] = t.wrench[6 + i][0];
        out->wrench[0][3 + i] = -t.wrench[6 + i][0];
    }
    out->stored = t.stored[0];
    out->dissipated = t.dissipated[0];
    out->turn = t.z[0];
    for (int i = 0; derivative != NULL && i < 12; i++) {
        for (int j = 0; j < 12; j++) { /* eta_a, x_a, eta_b, x_b */
            static const int nine[12] = {0, 1, 2, 6, 7, 8, 3, 4, 5, 6, 7, 8};
            double           sign = (i / 3 == 1) != (j / 3 == 1) ? -1.0 : 1.0;
            derivative[12 * i + j] = sign * t.K[9 * nine[i] + nine[j]][0];
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * rod_zwang.c: see rod_zwang.h. */
#include "parts/rod_zwang.h"

#include "math/dense.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <string.h>

static void add_link(const zw_rods *rods, int link, double share, double D[36]) {
    if (rods->coupling != NULL) {
        const double *C = rods->coupling + 36 * (size_t)link;
        for (int i = 0; i < 36; i++) {
            D[i] += share * C[i];
        }
        return;
    }
    for (int i = 0; i < 6; i++) {
        D[7 * i] += share * rods->stiffness[6 * (size_t)link + (size_t)i];
    }
}

static bool is_held(const zw_rod *r, int strain) {
    return strain >= 3 && strain - 3 < r->held;
}

double zw_rod_node_stiffness(const zw_rods *rods, const zw_rod *r, int i, double D[36]) {
    int    left = i - 1, right = i < r->nlinks ? i : -1;
    double length = 0.0;
    left = left < 0 && r->closed ? r->nlinks - 1 : left;
    memset(D, 0, 36 * sizeof *D);
    for (int side = 0; side < 2; side++) {
        int link = side == 0 ? left : right;
        if (link >= 0) {
            double half = 0.5 * rods->l[r->link0 + link];
            add_link(rods, r->link0 + link, half, D);
            length += half;
        }
    }
    for (int k = 0; k < 36; k++) {
        D[k] = is_held(r, k / 6) || is_held(r, k % 6) ? 0.0 : D[k] / length;
    }
    return length;
}

void zw_rod_node_gradient(const zw_rods *rods, const zw_rod *r, int i, const double *q, double held, double H[36]) {
    double D[36], T[36] = {0}, R[9], l = zw_rod_node_stiffness(rods, r, i, D);
    for (int k = 0; k < r->held; k++) {
        D[7 * (3 + k)] = held;
    }
    zw_q_to_matrix(q + ZW_ROD_NQ * (size_t)(r->node0 + i) + 3, R);
    for (int a = 0; a < 3; a++) { /* T' */
        T[7 * a] = 1.0;
        for (int b = 0; b < 3; b++) {
            T[6 * (3 + a) + 3 + b] = R[3 * b + a];
        }
    }
    for (int k = 0; k < 36; k++) {
        D[k] *= l;
    }
    zw_m6_sandwich(H, T, D, T);
}

double zw_rod_zwang_time(const zw_rods *rods, const zw_rod *r, const double *f) {
    double sum = 0.0;
    for (int i = r->node0; i < r->node0 + r->nnodes; i++) {
        const double *at = f + ZW_ROD_NV * (size_t)i;
        double        inverse[9], spin[3];
        sum += zw_v3_norm2(at + 3) / rods->mass[i];
        if (rods->inertia33 != NULL && zw_m3_inverse(inverse, rods->inertia33 + 9 * (size_t)i)) {
            zw_m3_mulv(spin, inverse, at);
        } else {
            for (int k = 0; k < 3; k++) {
                spin[k] = at[k] / rods->inertia[3 * (size_t)i + (size_t)k];
            }
        }
        sum += zw_v3_dot(at, spin);
    }
    return 0.5 * sum;
}

/* b' D^-1 b over the strains that are free */
static double measure(const zw_rod *r, const double D[36], const double b[6]) {
    double a[36], right[6], sum = 0.0;
    int    n = 0, of[6];
    for (int k = 0; k < 6; k++) {
        if (!is_held(r, k)) {
            of[n++] = k;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            a[n * i + k] = D[6 * of[i] + of[k]];
        }
        right[i] = b[of[i]];
    }
    zw_cholesky_factor(n, a);
    zw_cholesky_solve(n, a, 1, right);
    for (int i = 0; i < n; i++) {
        sum += b[of[i]] * right[i];
    }
    return sum;
}

double zw_rod_zwang_space(const zw_rods *rods, const zw_rod *r, const double *q, const double *f) {
    double sum = 0.0;
    for (int i = 0; i < r->nnodes; i++) {
        const double *at = f + ZW_ROD_NV * (size_t)(r->node0 + i);
        double        D[36], b[6], l = zw_rod_node_stiffness(rods, r, i, D);
        zw_v3_copy(b, at);
        zw_q_rotate_back(q + ZW_ROD_NQ * (size_t)(r->node0 + i) + 3, at + 3, b + 3);
        sum += measure(r, D, b) / l;
    }
    return 0.5 * sum;
}

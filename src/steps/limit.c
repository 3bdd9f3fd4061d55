/* SPDX-License-Identifier: Apache-2.0
 * limit.c: omega_max of M a = -K dq at a state, by Lanczos in the metric M with full reorthogonalisation.
 *
 * K v is a central difference of the force along v: it includes curvature and prestress. The largest Ritz value lies below omega_max^2 and after 40 steps
 * within a fraction of a percent of it (the top of a chain's spectrum is dense but smooth), so the limit errs upwards by less than 3 %. */
#include "steps/limit.h"

#include "base/context.h"
#include "math/dense.h"

#include <math.h>

enum { STEPS = 40 };

typedef struct lanczos {
    zw_system      *y;
    const zw_mass  *mass;
    const zw_state *x;
    int             n;
    double          length;
    double         *v;     /* [STEPS + 1][n] M-orthonormal */
    double         *z, *u; /* [n] */
    double         *f0, *f1, *q, *dv;
} lanczos;

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* z = M^-1 K v */
static zw_status apply(lanczos *l, const double *v, double *z) {
    double most = 0.0; /* rotations in rad, displacements in units of the element length */
    for (int i = 0; i < l->n; i++) {
        most = fmax(most, fabs(v[i]) / (i % 6 < 3 ? 1.0 : l->length));
    }
    double   eps = 1e-6 / most;
    zw_state moved = *l->x;
    moved.q = l->q;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < l->n; i++) {
            l->dv[i] = (side == 0 ? eps : -eps) * v[i];
        }
        zw_system_retract(l->y, l->x->q, l->dv, l->q);
        ZW_TRY(zw_system_force(l->y, &moved, side == 0 ? l->f1 : l->f0));
    }
    for (int i = 0; i < l->n; i++) {
        l->f0[i] = (l->f0[i] - l->f1[i]) / (2.0 * eps);
    }
    zw_mass_solve(l->mass, l->f0, z);
    return ZW_OK;
}

/* a fixed start with all frequencies in it */
static void seed(int n, double *v) {
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        v[i] = (double)(state >> 11) * 0x1p-53 - 0.5;
    }
}

static zw_status iterate(lanczos *l, double *omega2) {
    double alpha[STEPS], beta[STEPS + 1];
    int    n = l->n, k = 0;
    seed(n, l->v);
    zw_mass_multiply(l->mass, l->v, l->u);
    double norm = sqrt(dot(n, l->v, l->u));
    for (int i = 0; i < n; i++) {
        l->v[i] /= norm;
    }
    beta[0] = 0.0;
    for (k = 0; k < STEPS && k < n; k++) {
        const double *v = l->v + (size_t)k * (size_t)n;
        double       *next = l->v + (size_t)(k + 1) * (size_t)n;
        ZW_TRY(apply(l, v, l->z));
        zw_mass_multiply(l->mass, l->z, l->u);
        alpha[k] = dot(n, v, l->u);
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j <= k; j++) {
                const double *old = l->v + (size_t)j * (size_t)n;
                double        c = dot(n, old, l->u);
                for (int i = 0; i < n; i++) {
                    l->z[i] -= c * old[i];
                }
                zw_mass_multiply(l->mass, l->z, l->u);
            }
        }
        double rest = dot(n, l->z, l->u);
        beta[k + 1] = rest > 0.0 ? sqrt(rest) : 0.0;
        if (!(beta[k + 1] > 1e-9 * fabs(alpha[0]))) {
            k++;
            break;
        }
        for (int i = 0; i < n; i++) {
            next[i] = l->z[i] / beta[k + 1];
        }
    }
    double d[STEPS], e[STEPS];
    for (int i = 0; i < k; i++) {
        d[i] = alpha[i];
        e[i] = i + 1 < k ? beta[i + 1] : 0.0;
    }
    *omega2 = 0.0;
    if (zw_tridiagonal_eigen(k, d, e, 0, NULL)) {
        for (int i = 0; i < k; i++) {
            *omega2 = fmax(*omega2, d[i]);
        }
    }
    return ZW_OK;
}

zw_status zw_lanczos_limit(zw_system *y, const zw_mass *mass, const zw_state *x, double length, double *limit) {
    zw_context *c = zw_system_context(y);
    zw_size     size = zw_system_size(y);
    size_t      n = (size_t)size.nv, vectors = (n < STEPS ? n : STEPS) + 1;
    zw_status   status = ZW_OK;
    double      omega2 = 0.0;
    lanczos     l = {.y = y, .mass = mass, .x = x, .n = size.nv, .length = length > 0.0 ? length : 1.0};
    *limit = 0.0;
    l.v = zw_alloc(c, vectors * n, sizeof(double), "the stability limit");
    double *scratch = zw_alloc(c, 5 * n + (size_t)size.nq, sizeof(double), "the stability limit");
    if (l.v == NULL || scratch == NULL) {
        status = ZW_E_MEMORY;
        goto done;
    }
    l.z = scratch;
    l.u = l.z + n;
    l.f0 = l.u + n;
    l.f1 = l.f0 + n;
    l.dv = l.f1 + n;
    l.q = l.dv + n;
    ZW_TRY_GOTO(iterate(&l, &omega2), done);
    *limit = omega2 > 0.0 ? 2.0 / sqrt(omega2) : 0.0;
done:
    zw_free(c, l.v);
    zw_free(c, scratch);
    return status;
}

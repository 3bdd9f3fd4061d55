/* SPDX-License-Identifier: Apache-2.0
 * rattle.c: g(q1(mu)) = 0 by Newton, q1(mu) = drift_h(q0, v+ + M^-1 A0' mu).
 *
 * The derivative of g by mu is A1 (dq1/dv) M^-1 A0', h times a matrix that is not symmetric and not near A0 M^-1 A0' when bodies turn by half a radian in a step. It
 * is not written down: its product with a vector is a difference of g along the drift, and S0 = A0 M^-1 A0', which is factored, is the preconditioner from the
 * right. What is left, 1 plus something of the size of the turn, is solved by GMRES in a few products (Y. Saad, M. Schultz, 1986). A Newton step is halved until it
 * makes |g| smaller. All sums run in a fixed order; nothing is kept from step to step. */
#include "steps/rattle.h"

#include "base/context.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { DEPTH = 30, NEWTON = 40, HALVINGS = 12 };

zw_status zw_rattle_create(zw_system *y, int nv, int m, zw_rattle *out) {
    size_t rows = (size_t)m, columns = (size_t)nv;
    *out = (zw_rattle){.y = y, .nv = nv, .m = m};
    out->scratch = zw_alloc(zw_system_context(y), (DEPTH + 1) * rows + 2 * columns + 4 * rows, sizeof(double), "the integrator");
    if (out->scratch == NULL) {
        return ZW_E_MEMORY;
    }
    out->basis = out->scratch;
    out->base = out->basis + (DEPTH + 1) * rows;
    out->dv = out->base + columns;
    out->g = out->dv + columns;
    out->trial = out->g + rows;
    out->side = out->trial + rows;
    out->sum = out->side + rows;
    return ZW_OK;
}

void zw_rattle_destroy(zw_rattle *k) {
    if (k->y != NULL) {
        zw_free(zw_system_context(k->y), k->scratch);
    }
    *k = (zw_rattle){0};
}

static double norm(int n, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return sqrt(sum);
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double largest(int n, const double *v, int *where) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        if (!(fabs(v[i]) <= most)) {
            most = fabs(v[i]);
            *where = i;
        }
    }
    return most;
}

/* g at base + t dv */
static zw_status look(zw_rattle *k, const zw_state *middle, double h, double t, zw_state *x1, double *g) {
    for (int l = 0; l < k->nv; l++) {
        middle->v[l] = k->base[l] + t * k->dv[l];
    }
    zw_system_drift(k->y, middle, h, x1, true);
    return zw_system_values(k->y, x1, 0, g);
}

/* k->sum = w with J S0^-1 w = -g as far as a small space holds it: |rest| <= 1e-3 |g| or the space is full */
static zw_status krylov(zw_rattle *k, zw_solver *factored, const zw_state *middle, double h, zw_state *x1) {
    double H[DEPTH + 1][DEPTH], c[DEPTH], s[DEPTH], r[DEPTH + 1], y[DEPTH], size = norm(k->m, k->g);
    int    m = k->m, used = 0;
    memset(r, 0, sizeof r);
    r[0] = size;
    for (int i = 0; i < m; i++) {
        k->basis[i] = -k->g[i] / size;
    }
    for (int j = 0; j < DEPTH && fabs(r[j]) > 1e-3 * size; j++) {
        const double *w = k->basis + (ptrdiff_t)j * m;
        double       *next = k->basis + (ptrdiff_t)(j + 1) * m;
        double        fastest = 0.0, moved = 0.0;
        ZW_TRY(zw_solver_correct(factored, w, k->dv, NULL, NULL));
        for (int l = 0; l < k->nv; l++) {
            fastest = fmax(fastest, fabs(k->base[l]));
            moved = fmax(moved, fabs(k->dv[l]));
        }
        if (!(moved > 0.0)) {
            break;
        }
        double eps = 1e-7 * fmax(fastest, 1e-3) / moved;
        ZW_TRY(look(k, middle, h, eps, x1, k->trial));
        for (int i = 0; i < m; i++) {
            next[i] = (k->trial[i] - k->g[i]) / (eps * h);
        }
        for (int pass = 0; pass < 2; pass++) { /* Gram-Schmidt twice is enough */
            for (int i = 0; i <= j; i++) {
                const double *v = k->basis + (ptrdiff_t)i * m;
                double        t = dot(m, v, next);
                H[i][j] = pass == 0 ? t : H[i][j] + t;
                for (int l = 0; l < m; l++) {
                    next[l] -= t * v[l];
                }
            }
        }
        double rest = norm(m, next);
        for (int i = 0; i < j; i++) { /* Givens */
            double t = c[i] * H[i][j] + s[i] * H[i + 1][j];
            H[i + 1][j] = -s[i] * H[i][j] + c[i] * H[i + 1][j];
            H[i][j] = t;
        }
        double length = hypot(H[j][j], rest);
        if (!(length > 0.0)) {
            break;
        }
        c[j] = H[j][j] / length;
        s[j] = rest / length;
        H[j][j] = length;
        r[j + 1] = -s[j] * r[j];
        r[j] *= c[j];
        used = j + 1;
        if (!(rest > DBL_EPSILON * length)) {
            break;
        }
        for (int l = 0; l < m; l++) {
            next[l] /= rest;
        }
    }
    memset(k->sum, 0, sizeof(double) * (size_t)m);
    for (int i = used - 1; i >= 0; i--) {
        y[i] = r[i];
        for (int j = i + 1; j < used; j++) {
            y[i] -= H[i][j] * y[j];
        }
        y[i] /= H[i][i];
    }
    for (int i = 0; i < used; i++) {
        const double *v = k->basis + (ptrdiff_t)i * m;
        for (int l = 0; l < m; l++) {
            k->sum[l] += y[i] * v[l] / h;
        }
    }
    return ZW_OK;
}

zw_status zw_rattle_close(zw_rattle *k, zw_solver *factored, const zw_state *middle, double h, zw_state *x1, double *lambda,
                          double *residual, int *row, int *passes, bool *closed) {
    double last = HUGE_VAL;
    int    stuck = 0;
    *closed = false;
    memset(k->dv, 0, sizeof(double) * (size_t)k->nv);
    memcpy(k->base, middle->v, sizeof(double) * (size_t)k->nv);
    ZW_TRY(look(k, middle, h, 0.0, x1, k->g));
    for (int pass = 0;; pass++) {
        *passes = pass;
        *residual = largest(k->m, k->g, row);
        if (*residual <= 1e-15 || (*residual < 1e-11 && *residual >= 0.5 * last)) {
            *closed = true;
            return ZW_OK;
        }
        if (!isfinite(*residual) || pass == NEWTON || stuck == 3) { /* at a fold: there is no answer */
            return ZW_OK;
        }
        last = *residual;
        ZW_TRY(krylov(k, factored, middle, h, x1));
        ZW_TRY(zw_solver_correct(factored, k->sum, k->dv, k->side, NULL));
        double before = norm(k->m, k->g), part = 1.0;
        for (int i = 0; i < HALVINGS; i++, part *= 0.5) {
            ZW_TRY(look(k, middle, h, part, x1, k->trial));
            /* near round-off any step is taken: whether it helped is seen above */
            if (norm(k->m, k->trial) <= (1.0 - 1e-4 * part) * before || *residual < 1e-11) {
                break;
            }
        }
        stuck = norm(k->m, k->trial) > 0.9 * before ? stuck + 1 : 0;
        memcpy(k->g, k->trial, sizeof(double) * (size_t)k->m);
        memcpy(k->base, middle->v, sizeof(double) * (size_t)k->nv);
        for (int i = 0; i < k->m; i++) {
            lambda[i] += 2.0 / h * part * k->side[i];
        }
    }
}

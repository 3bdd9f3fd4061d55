/* SPDX-License-Identifier: Apache-2.0
 * eigen.c: LAPACK on the whole operator, or on its image of a small subspace that ARPACK finds. See eigen.h. */
#include "analysis/eigen.h"

#include "math/lapack.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { RESTARTS = 600, PASSES = 6 };

zw_status zw_eigen_pairs_create(zw_context *c, int n, int want, zw_eigen_pairs *out) {
    size_t room = (size_t)zw_eigen_room(want);
    *out = (zw_eigen_pairs){.re = zw_alloc(c, 2 * room * ((size_t)n + 1), sizeof(double), "eigenvalues")};
    if (out->re == NULL) {
        return ZW_E_MEMORY;
    }
    out->im = out->re + room;
    out->real = out->im + room;
    out->imaginary = out->real + room * (size_t)n;
    return ZW_OK;
}

void zw_eigen_pairs_destroy(zw_context *c, zw_eigen_pairs *e) {
    zw_free(c, e->re);
    *e = (zw_eigen_pairs){0};
}

static zw_status failed(zw_context *c, const char *routine, int info) {
    return zw_raise(c, ZW_E_CONVERGENCE, "modes", "ask for fewer modes, or make the model less stiff",
                    "eigenvalues: %s stopped with code %d", routine, info);
}

/* ---- a matrix, column by column, destroyed. w: [2 n] values; v: [n n] vectors as dgeev has them */

static zw_status matrix_eigen(zw_context *c, bool symmetric, int n, double *a, double *w, double *v) {
    int    info = 0, size = -1, one = 1;
    double best = 0.0, none = 0.0;
    if (symmetric) {
        dsyev_("V", "L", &n, a, &n, w, &best, &size, &info, 1, 1);
    } else {
        dgeev_("N", "V", &n, a, &n, w, w + n, &none, &one, v, &n, &best, &size, &info, 1, 1);
    }
    size = (int)best;
    double *work = zw_alloc(c, (size_t)size + 1, sizeof *work, "eigenvalues");
    if (work == NULL) {
        return ZW_E_MEMORY;
    }
    if (symmetric) {
        dsyev_("V", "L", &n, a, &n, w, work, &size, &info, 1, 1);
        memset(w + n, 0, sizeof(double) * (size_t)n);
        memcpy(v, a, sizeof(double) * (size_t)n * (size_t)n);
    } else {
        dgeev_("N", "V", &n, a, &n, w, w + n, &none, &one, v, &n, work, &size, &info, 1, 1);
    }
    zw_free(c, work);
    return info == 0 ? ZW_OK : failed(c, symmetric ? "dsyev" : "dgeev", info);
}

/* numbers of the eigenvalues by falling size; insertion by halves would be no faster for what it is used for */
static void by_size(int n, const double *w, int *order) {
    for (int i = 0; i < n; i++) {
        double size = hypot(w[i], w[n + i]);
        int    at = i;
        while (at > 0 && hypot(w[order[at - 1]], w[n + order[at - 1]]) < size * (1.0 - 1e-13)) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
}

/* the largest ones of (w, v) into out; basis: [n] columns of length m that v is in, NULL: v is it */
static void choose(int n, const double *w, const double *v, const int *order, int want, const double *basis, int m, zw_eigen_pairs *out) {
    out->found = 0;
    for (int i = 0; i < n && out->found < want; i++) {
        int j = order[i];
        if (w[n + j] < 0.0) {
            continue; /* came with its conjugate */
        }
        bool pair = w[n + j] > 0.0;
        for (int side = 0; side < (pair ? 2 : 1); side++) {
            double *re = out->real + (ptrdiff_t)out->found * m, *im = out->imaginary + (ptrdiff_t)out->found * m,
                   sign = side == 0 ? 1.0 : -1.0;
            out->re[out->found] = w[j];
            out->im[out->found] = sign * w[n + j];
            memset(re, 0, sizeof(double) * (size_t)m);
            memset(im, 0, sizeof(double) * (size_t)m);
            for (int k = 0; k < n; k++) {
                double a = v[(ptrdiff_t)j * n + k], b = pair ? sign * v[(ptrdiff_t)(j + 1) * n + k] : 0.0;
                if (basis == NULL) {
                    re[k] = a;
                    im[k] = b;
                    continue;
                }
                const double *column = basis + (ptrdiff_t)k * m;
                for (int l = 0; l < m; l++) {
                    re[l] += a * column[l];
                    im[l] += b * column[l];
                }
            }
            out->found++;
        }
    }
}

zw_status zw_eigen_dense(const zw_eigen_problem *p, int want, zw_eigen_pairs *out) {
    zw_status status = ZW_OK;
    size_t    n = (size_t)p->n;
    double   *a = zw_alloc(p->context, 2 * n * n + 3 * n + 1, sizeof *a, "eigenvalues");
    int      *order = zw_alloc(p->context, n + 1, sizeof *order, "eigenvalues");
    if (a == NULL || order == NULL) {
        status = ZW_E_MEMORY;
        goto done;
    }
    double *v = a + n * n, *w = v + n * n, *unit = w + 2 * n;
    for (size_t j = 0; j < n; j++) {
        unit[j] = 1.0;
        p->apply(p->self, unit, a + j * n);
        unit[j] = 0.0;
    }
    for (size_t i = 0; i < n && p->symmetric; i++) { /* round-off of the solutions */
        for (size_t j = 0; j < i; j++) {
            a[i * n + j] = a[j * n + i] = 0.5 * (a[i * n + j] + a[j * n + i]);
        }
    }
    for (size_t i = 0; i < n * n; i++) {
        if (!isfinite(a[i])) {
            status = failed(p->context, "the operator is not finite: dgeev", -1);
            goto done;
        }
    }
    ZW_TRY_GOTO(matrix_eigen(p->context, p->symmetric, p->n, a, w, v), done);
    by_size(p->n, w, order);
    choose(p->n, w, v, order, want, NULL, p->n, out);
done:
    zw_free(p->context, a);
    zw_free(p->context, order);
    return status;
}

/* ---- ARPACK */

typedef struct subspace {
    const zw_eigen_problem *p;
    int                     size, room;
    double                 *v, *t; /* [room][n] orthonormal; [n] scratch */
} subspace;

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* twice is enough */
static void away_from(const subspace *s, double *x) {
    int n = s->p->n;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->size; i++) {
            const double *v = s->v + (ptrdiff_t)i * n;
            double        part = dot(n, v, x);
            for (int j = 0; j < n; j++) {
                x[j] -= part * v[j];
            }
        }
    }
}

static void apply_away(const subspace *s, const double *x, double *y) {
    memcpy(s->t, x, sizeof(double) * (size_t)s->p->n);
    away_from(s, s->t);
    s->p->apply(s->p->self, s->t, y);
    away_from(s, y);
}

static bool add_direction(subspace *s, double *x) {
    int    n = s->p->n;
    double before = sqrt(dot(n, x, x)), after;
    if (s->size == s->room || !(before > 0.0)) {
        return false;
    }
    away_from(s, x);
    after = sqrt(dot(n, x, x));
    if (!(after > 1e-9 * before)) {
        return false;
    }
    double *to = s->v + (ptrdiff_t)s->size * n;
    for (int j = 0; j < n; j++) {
        to[j] = x[j] / after;
    }
    s->size++;
    return true;
}

/* the same start in every process: a fixed sequence */
static void start_vector(int n, int pass, double *x) {
    uint64_t state = (uint64_t)pass + 1;
    for (int i = 0; i < n; i++) {
        uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
        z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
        z ^= z >> 31;
        x[i] = (double)(int64_t)(z >> 11) * (2.0 / 9007199254740992.0) - 1.0;
    }
}

typedef struct arnoldi { /* one call of ARPACK */
    int     nev, ncv, lworkl, info, iparam[11], ipntr[14], *select;
    double *resid, *v, *workd, *workl, *d, *z, *workev;
    int     converged;
} arnoldi;

static zw_status iterate(subspace *s, arnoldi *a, int pass) {
    const zw_eigen_problem *p = s->p;
    int                     n = p->n, ido = 0;
    const double            tol = 1e-13;
    start_vector(n, pass, a->workd);
    apply_away(s, a->workd, a->resid);
    memset(a->iparam, 0, sizeof a->iparam);
    a->iparam[0] = 1;
    a->iparam[2] = RESTARTS;
    a->iparam[3] = 1;
    a->iparam[6] = 1;
    a->info = 1;
    for (;;) {
        if (p->symmetric) {
            dsaupd_(&ido, "I", &n, "LM", &a->nev, &tol, a->resid, &a->ncv, a->v, &n, a->iparam, a->ipntr, a->workd, a->workl, &a->lworkl,
                    &a->info, 1, 2);
        } else {
            dnaupd_(&ido, "I", &n, "LM", &a->nev, &tol, a->resid, &a->ncv, a->v, &n, a->iparam, a->ipntr, a->workd, a->workl, &a->lworkl,
                    &a->info, 1, 2);
        }
        if (ido != 1 && ido != -1) {
            break;
        }
        if (zw_context_cancelled(p->context)) {
            return ZW_E_CANCELLED;
        }
        apply_away(s, a->workd + a->ipntr[0] - 1, a->workd + a->ipntr[1] - 1);
    }
    a->converged = 0;
    if (a->info == -9 || a->info == -9999) { /* nothing is left to start from, or the whole rest was spanned */
        return ZW_OK;
    }
    if (a->info < 0) {
        return failed(p->context, p->symmetric ? "dsaupd" : "dnaupd", a->info);
    }
    int    vectors = 1, info = 0;
    double sigma = 0.0;
    if (p->symmetric) {
        dseupd_(&vectors, "A", a->select, a->d, a->z, &n, &sigma, "I", &n, "LM", &a->nev, &tol, a->resid, &a->ncv, a->v, &n, a->iparam,
                a->ipntr, a->workd, a->workl, &a->lworkl, &info, 1, 1, 2);
    } else {
        dneupd_(&vectors, "A", a->select, a->d, a->d + a->ncv + 1, a->z, &n, &sigma, &sigma, a->workev, "I", &n, "LM", &a->nev, &tol,
                a->resid, &a->ncv, a->v, &n, a->iparam, a->ipntr, a->workd, a->workl, &a->lworkl, &info, 1, 1, 2);
    }
    if (info != 0 && !(info == -14)) { /* -14: none converged */
        return failed(p->context, p->symmetric ? "dseupd" : "dneupd", info);
    }
    a->converged = info == -14 ? 0 : a->iparam[4];
    return ZW_OK;
}

/* Op on the subspace, as a small matrix, and its eigenvalues: V invariant makes them those of Op */
static zw_status ritz(subspace *s, int want, zw_eigen_pairs *out) {
    const zw_eigen_problem *p = s->p;
    zw_status               status = ZW_OK;
    size_t                  r = (size_t)s->size;
    double                 *h = zw_alloc(p->context, 2 * r * r + 2 * r + 1, sizeof *h, "eigenvalues");
    int                    *order = zw_alloc(p->context, r + 1, sizeof *order, "eigenvalues");
    if (h == NULL || order == NULL) {
        status = ZW_E_MEMORY;
        goto done;
    }
    for (size_t j = 0; j < r; j++) {
        p->apply(p->self, s->v + j * (size_t)p->n, s->t);
        for (size_t i = 0; i < r; i++) {
            h[j * r + i] = dot(p->n, s->v + i * (size_t)p->n, s->t);
        }
    }
    for (size_t i = 0; i < r && p->symmetric; i++) {
        for (size_t j = 0; j < i; j++) {
            h[i * r + j] = h[j * r + i] = 0.5 * (h[i * r + j] + h[j * r + i]);
        }
    }
    ZW_TRY_GOTO(matrix_eigen(p->context, p->symmetric, s->size, h, h + 2 * r * r, h + r * r), done);
    by_size(s->size, h + 2 * r * r, order);
    choose(s->size, h + 2 * r * r, h + r * r, order, want, s->v, p->n, out);
done:
    zw_free(p->context, h);
    zw_free(p->context, order);
    return status;
}

zw_status zw_eigen_iterated(const zw_eigen_problem *p, int want, zw_eigen_pairs *out) {
    zw_status status = ZW_OK;
    size_t    n = (size_t)p->n;
    arnoldi   a = {.nev = want, .ncv = 2 * want + 20};
    a.ncv = a.ncv < p->n ? a.ncv : p->n;
    a.nev = a.nev < a.ncv - 2 ? a.nev : a.ncv - 2;
    size_t ncv = (size_t)a.ncv, room = (size_t)PASSES * ((size_t)a.nev + 1);
    a.lworkl = p->symmetric ? a.ncv * (a.ncv + 8) : 3 * a.ncv * a.ncv + 6 * a.ncv;
    subspace s = {.p = p, .room = (int)room};
    double  *work = zw_alloc(p->context, n * (6 + 2 * (ncv + 1) + room) + (size_t)a.lworkl + 8 * ncv + 64, sizeof *work, "eigenvalues");
    double  *size = zw_alloc(p->context, room + 1, sizeof *size, "eigenvalues");
    a.select = zw_alloc(p->context, ncv + 1, sizeof *a.select, "eigenvalues");
    if (work == NULL || size == NULL || a.select == NULL) {
        status = ZW_E_MEMORY;
        goto done;
    }
    a.resid = work;
    a.workd = a.resid + n;
    s.t = a.workd + 3 * n;
    a.v = s.t + n;
    a.z = a.v + n * (ncv + 1);
    s.v = a.z + n * (ncv + 1);
    a.workl = s.v + n * room;
    a.d = a.workl + a.lworkl;
    a.workev = a.d + 2 * (ncv + 1) + 2;
    int known = 0; /* eigenvalues found so far, their sizes by falling size */
    for (int pass = 0; pass < PASSES; pass++) {
        ZW_TRY_GOTO(iterate(&s, &a, pass), done);
        double slowest = known >= want ? size[want - 1] : 0.0, largest = 0.0;
        for (int i = 0; i < a.converged; i++) {
            double here = p->symmetric ? fabs(a.d[i]) : hypot(a.d[i], a.d[a.ncv + 1 + i]);
            largest = fmax(largest, here);
            if (add_direction(&s, a.z + (ptrdiff_t)i * p->n)) {
                int at = known++;
                for (; at > 0 && size[at - 1] < here; at--) {
                    size[at] = size[at - 1];
                }
                size[at] = here;
            }
        }
        if (pass == 0 && a.converged == 0) {
            status = failed(p->context, "ARPACK", a.info);
            goto done;
        }
        /* nothing more, or only what is beyond what is wanted */
        if (a.converged == 0 || (pass > 0 && known >= want && largest <= slowest * (1.0 + 1e-9)) ||
            (known > 0 && largest <= 1e-14 * size[0])) {
            break;
        }
    }
    ZW_TRY_GOTO(ritz(&s, want, out), done);
done:
    zw_free(p->context, work);
    zw_free(p->context, size);
    zw_free(p->context, a.select);
    return status;
}

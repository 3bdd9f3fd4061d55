/* SPDX-License-Identifier: Apache-2.0
 * coulomb_newton.c: Newton's method on the equations of an island, after Alart and Curnier. With  a = pn - u/D  and  y = pt - rho w
 *   open   a <= 0                p = 0
 *   stick  |y| <= mu a           u = 0, w = 0
 *   slide                        u = 0, pt = mu a y/|y|
 * rho is where it matters: contacts that share a load and cannot all stick slip by very little, and there Gauss-Seidel creeps. With rho = mu pn/|w| both parts of y
 * count alike, and the direction of even the smallest slip is followed. Impulses that are not unique change by the least (complete orthogonal decomposition);
 * a step is halved while it
 * makes the equations worse, not for ever; the best p is kept. */
#include "math/dense.h"
#include "project/coulomb_part.h"

#include <math.h>
#include <string.h>

/* contacts of an island; of one where least changes are sought; of one where they always are; steps; halves of a step */
enum { LARGEST = 300, LEAST = 120, SMALL = 12, STEPS = 15, HALVES = 5 };
static const double RANK = 1e-10, QUICK = 1e-9, FIRM = 1e6;

typedef struct newton {
    int     n;        /* 3 for each contact */
    double *W;        /* n x n */
    double *J, *L;    /* n x n: equations over p D_nn; the same, turned, once its rank is known */
    double *p, *best; /* n */
    double *v, *F, *tau, *work, *z, *next, *rho;
} newton;

static zw_status room(zw_coulomb *s, int n, newton *k) {
    size_t m = (size_t)n;
    if (m > s->room_dense) {
        ZW_COULOMB_WANT(s->context, s->J, 3 * m * m);
        ZW_COULOMB_WANT(s->context, s->F, 10 * m);
        ZW_COULOMB_WANT(s->context, s->pivot, m);
        s->room_dense = m;
    }
    *k = (newton){.n = n, .W = s->J, .J = s->J + m * m, .L = s->J + 2 * m * m};
    double **all[] = {&k->p, &k->best, &k->v, &k->F, &k->tau, &k->work, &k->z, &k->next, &k->rho};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        *all[i] = s->F + i * m;
    }
    return ZW_OK;
}

static void gather(const zw_coulomb *s, const int *item, newton *k) {
    size_t n = (size_t)k->n;
    memset(k->W, 0, sizeof(double) * n * n);
    for (int i = 0; i < k->n / 3; i++) {
        const zw_coulomb_contact *c = &s->at[item[i]];
        memcpy(k->p + 3 * i, c->p, sizeof c->p);
        for (int e = s->begin[item[i]]; e < s->begin[item[i] + 1]; e++) {
            const zw_coulomb_term *t = &s->term[e];
            int                    low = 0, high = k->n / 3; /* items rise */
            while (high - low > 1) {
                int middle = (low + high) / 2;
                *(item[middle] <= t->j ? &low : &high) = middle;
            }
            for (int r = 0; r < 9; r++) {
                k->W[(size_t)(3 * i + r / 3) * n + (size_t)(3 * low + r % 3)] += t->W[r];
            }
        }
    }
}

static void velocities(const zw_coulomb *s, const int *item, const newton *k, const double *p) {
    size_t n = (size_t)k->n;
    for (size_t i = 0; i < n; i++) {
        const double *W = k->W + i * n;
        double        sum = s->at[item[i / 3]].q[i % 3];
        for (size_t j = 0; j < n; j++) {
            sum += W[j] * p[j];
        }
        k->v[i] = sum;
    }
}

static void balance(const zw_coulomb *s, const int *item, newton *k) {
    for (int i = 0; i < k->n / 3; i++) {
        const zw_coulomb_contact *c = &s->at[item[i]];
        double                    D = c->D[0], size = hypot(k->v[3 * i + 1], k->v[3 * i + 2]);
        k->rho[i] = fmin(fmax(1.0 / D, size > 0.0 ? c->mu * fmax(k->p[3 * i], 0.0) / size : 0.0), FIRM / D);
    }
}

typedef struct piece { /* which equations a contact has */
    enum { OPEN, SMOOTH, STICK, SLIDE } is;
    double limit, length, e[2];
} piece;

/* its equations at p, v, as speeds */
static piece equations(const zw_coulomb_contact *c, const double *p, const double *v, double rho, double *F) {
    double D = c->D[0], a = D > 0.0 ? p[0] - v[0] / D : 0.0, y[2] = {p[1] - rho * v[1], p[2] - rho * v[2]};
    piece  w = {.limit = c->mu * fmax(a, 0.0), .length = hypot(y[0], y[1])};
    w.is = !(a > 0.0) ? OPEN : !(c->mu > 0.0) ? SMOOTH : w.length <= w.limit ? STICK : SLIDE;
    for (int b = 0; b < 2; b++) {
        w.e[b] = w.length > 0.0 ? y[b] / w.length : 0.0;
        F[1 + b] = w.is == STICK ? v[1 + b] : w.is == SLIDE ? (p[1 + b] - w.limit * w.e[b]) / rho : p[1 + b] * D;
    }
    F[0] = w.is == OPEN ? p[0] * D : v[0];
    return w;
}

static double off(const zw_coulomb *s, const int *item, const newton *k, const double *p) {
    double sum = 0.0, F[3];
    velocities(s, item, k, p);
    for (int i = 0; i < k->n / 3; i++) {
        equations(&s->at[item[i]], p + 3 * i, k->v + 3 * i, k->rho[i], F);
        sum += F[0] * F[0] + F[1] * F[1] + F[2] * F[2];
    }
    return sum;
}

/* equations and their derivatives at p */
static void linearise(const zw_coulomb *s, const int *item, newton *k) {
    size_t n = (size_t)k->n;
    memset(k->J, 0, sizeof(double) * n * n);
    velocities(s, item, k, k->p);
    balance(s, item, k);
    for (int i = 0; i < k->n / 3; i++) {
        const zw_coulomb_contact *c = &s->at[item[i]];
        const double             *W = k->W + 3 * (size_t)i * n;
        double                   *J = k->J + 3 * (size_t)i * n, D = c->D[0], rho = k->rho[i];
        piece                     w = equations(c, k->p + 3 * i, k->v + 3 * i, rho, k->F + 3 * i);
        for (int b = 0; b < 3 && w.is == OPEN; b++) {
            J[(size_t)b * n + 3 * (size_t)i + (size_t)b] = D > 0.0 ? D : 1.0;
        }
        for (int b = 1; b < 3 && w.is == SMOOTH; b++) {
            J[(size_t)b * n + 3 * (size_t)i + (size_t)b] = D;
        }
        if (w.is != OPEN) {
            memcpy(J, W, sizeof(double) * n);
        }
        if (w.is == STICK) {
            memcpy(J + n, W + n, 2 * sizeof(double) * n);
        }
        for (size_t j = 0; j < n && w.is == SLIDE; j++) {
            double da = (j == 3 * (size_t)i) - W[j] / D, dy[2];
            for (size_t g = 0; g < 2; g++) {
                dy[g] = (j == 3 * (size_t)i + 1 + g) - rho * W[(1 + g) * n + j];
            }
            double along = w.e[0] * dy[0] + w.e[1] * dy[1];
            for (size_t b = 0; b < 2; b++) {
                double dp = j == 3 * (size_t)i + 1 + b;
                J[(1 + b) * n + j] = (dp - c->mu * w.e[b] * da - w.limit / w.length * (dy[b] - w.e[b] * along)) / rho;
            }
        }
    }
    for (size_t j = 0; j < n; j++) {
        double D = s->at[item[j / 3]].D[0];
        for (size_t i = 0; i < n && D > 0.0; i++) {
            k->J[i * n + j] /= D;
        }
    }
}

/* J d = -F with a little on the diagonal, into z: quick, and wrong only where what is not unique is also asked for too much */
static bool step_quick(newton *k, int *pivot) {
    size_t n = (size_t)k->n;
    bool   finite = true;
    memcpy(k->L, k->J, sizeof(double) * n * n);
    for (size_t i = 0; i < n; i++) {
        k->L[i * n + i] += QUICK;
        k->z[i] = -k->F[i];
    }
    if (zw_lu_factor(k->n, k->L, pivot) >= 0) {
        return false;
    }
    zw_lu_solve(k->n, k->L, pivot, 1, k->z);
    for (size_t i = 0; i < n; i++) {
        finite = finite && isfinite(k->z[i]);
    }
    return finite;
}

/* the smallest solution of J d = -F in the sense of least squares, into z: J P = Q (R11 R12), (R11 R12)' = Z L' */
static bool step_least(newton *k, int *perm) {
    int n = k->n;
    zw_qr_factor(n, n, k->J, k->tau, perm, k->work);
    int rank = zw_qr_rank(n, n, k->J, RANK);
    if (rank <= 0) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        k->F[i] = -k->F[i];
    }
    zw_qr_apply_transposed(n, n, k->J, k->tau, k->F);
    for (int i = 0; i < n; i++) {
        for (int r = 0; r < rank; r++) {
            k->L[(size_t)i * (size_t)rank + (size_t)r] = i >= r ? k->J[(size_t)r * (size_t)n + (size_t)i] : 0.0;
        }
    }
    zw_qr_factor(n, rank, k->L, k->tau, NULL, k->work);
    for (int r = 0; r < rank; r++) { /* the transposed triangle */
        double sum = k->F[r];
        for (int j = 0; j < r; j++) {
            sum -= k->L[(size_t)j * (size_t)rank + (size_t)r] * k->F[j];
        }
        k->F[r] = sum / k->L[(size_t)r * (size_t)rank + (size_t)r];
    }
    memset(k->F + rank, 0, sizeof(double) * (size_t)(n - rank));
    zw_qr_apply(n, rank, k->L, k->tau, k->F);
    bool finite = true;
    for (int i = 0; i < n; i++) {
        k->z[perm[i]] = k->F[i];
        finite = finite && isfinite(k->F[i]);
    }
    return finite;
}

/* how far p is from the law, with what is open at 0 and the rest in its cone */
static double judge(zw_coulomb *s, int island, const int *item, const newton *k, const double *p) {
    int who;
    for (int i = 0; i < k->n / 3; i++) {
        zw_coulomb_contact *c = &s->at[item[i]];
        memcpy(c->p, p + 3 * i, sizeof c->p);
        double size = hypot(c->p[1], c->p[2]), limit = c->mu * c->p[0];
        if (!(c->p[0] > 0.0)) {
            c->p[0] = c->p[1] = c->p[2] = 0.0;
        } else if (size > limit) {
            c->p[1] *= limit / size;
            c->p[2] *= limit / size;
        }
    }
    return zw_coulomb_worst(s, island, &who);
}

/* next = p + as much of the step as makes the equations better; in the end a little of it anyway */
static void shorten(const zw_coulomb *s, const int *item, const newton *k, double before) {
    double far = 1.0;
    for (int half = 0; half <= HALVES; half++, far *= 0.5) {
        for (int i = 0; i < k->n; i++) {
            double D = s->at[item[i / 3]].D[0];
            k->next[i] = k->p[i] + (D > 0.0 ? far * k->z[i] / D : 0.0);
        }
        if (off(s, item, k, k->next) < before) {
            return;
        }
    }
}

zw_status zw_coulomb_newton(zw_coulomb *s, int island, double aim, bool least, double *worst, int *newtons) {
    int        count = s->island.start[island + 1] - s->island.start[island];
    const int *item = s->island.item + s->island.start[island];
    newton     k;
    if (count > (least ? LEAST : LARGEST)) {
        return ZW_OK;
    }
    ZW_TRY(room(s, 3 * count, &k));
    gather(s, item, &k);
    memcpy(k.best, k.p, sizeof(double) * (size_t)k.n);
    for (int pass = 0; pass < (least ? 2 * STEPS : STEPS) && *worst > aim; pass++) {
        double before = 0.0;
        linearise(s, item, &k);
        for (int i = 0; i < k.n; i++) {
            before += k.F[i] * k.F[i];
        }
        ++*newtons;
        if (!(least || count <= SMALL ? step_least(&k, s->pivot) : step_quick(&k, s->pivot))) {
            break;
        }
        shorten(s, item, &k, before);
        memcpy(k.p, k.next, sizeof(double) * (size_t)k.n);
        double now = judge(s, island, item, &k, k.p);
        if (now < *worst) {
            *worst = now;
            memcpy(k.best, k.p, sizeof(double) * (size_t)k.n);
        }
    }
    *worst = judge(s, island, item, &k, k.best);
    return ZW_OK;
}

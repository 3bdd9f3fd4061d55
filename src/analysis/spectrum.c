/* SPDX-License-Identifier: Apache-2.0
 * spectrum.c: operators whose large eigenvalues are the slow roots; see spectrum.h. */
#include "analysis/spectrum.h"

#include "analysis/eigen.h"

#include <math.h>
#include <string.h>

enum { DENSE_SYMMETRIC = 200, DENSE_OTHER = 150, SPARE = 8 };
/* A root is zero where its square times the mass is below the round-off of the terms of the stiffness; where roots at zero are double and defective (free bodies that
 * spin) round-off has its square root in s. */
#define ZERO_SYMMETRIC 3e-14
#define ZERO_OTHER     1e-13
/* without damping a growth below this part of a root is round-off: a double root has the square root of it */
#define NEAR_AXIS 1e-6

typedef struct inverse {
    zw_pencil       *p;
    zw_spectrum_kind kind;
    double           shift; /* t of the head of spectrum.h */
    double           scale; /* general: p times this has the size of y */
    double          *a, *b; /* [n] scratch */
} inverse;

static void apply(void *self, const double *x, double *y) {
    inverse   *o = self;
    zw_pencil *p = o->p;
    int        n = p->n;
    switch (o->kind) {
    case ZW_SPECTRUM_SYMMETRIC:
        zw_pencil_root(p, x, o->a);
        zw_pencil_solve(p, o->a, o->a);
        zw_pencil_root_turned(p, o->a, y);
        return;
    case ZW_SPECTRUM_REVERSIBLE:
        zw_pencil_times(p, p->M, x, o->a);
        zw_pencil_solve(p, o->a, y);
        return;
    case ZW_SPECTRUM_GENERAL:
        for (int i = 0; i < n; i++) {
            o->a[i] = 2.0 * o->shift / o->scale * x[i] + x[n + i]; /* M (2 t p + y) */
        }
        zw_pencil_times(p, p->M, o->a, o->b);
        zw_pencil_times(p, p->C, x, o->a);
        for (int i = 0; i < n; i++) {
            o->a[i] = -(o->a[i] / o->scale + o->b[i]);
        }
        zw_pencil_solve(p, o->a, o->a);
        for (int i = 0; i < n; i++) {
            double first = x[i];
            y[i] = o->scale * o->a[i];
            y[n + i] = first / o->scale;
        }
        return;
    }
}

/* t: lambda is shifted by -t (a positive number makes K more positive); general: s by sqrt(t) */
static bool set_shift(inverse *o, double t) {
    if (o->kind == ZW_SPECTRUM_GENERAL) {
        o->shift = sqrt(t);
        return zw_pencil_factor(o->p, o->shift, t);
    }
    o->shift = -t;
    return zw_pencil_factor(o->p, 0.0, t);
}

/* a pace of the slow modes: one over the size of k^-1 M, by a few rounds of the power method */
static double pace(inverse *o, double *x) {
    zw_pencil *p = o->p;
    double     size = 1.0;
    for (int i = 0; i < p->n; i++) {
        x[i] = 1.0 + 0.5 * sin(1.0 + i);
    }
    for (int round = 0; round < 6; round++) {
        double norm = 0.0;
        for (int i = 0; i < p->n; i++) {
            norm += x[i] * x[i];
        }
        norm = sqrt(norm);
        if (!(norm > 0.0) || !isfinite(norm)) {
            return 1.0;
        }
        size = round > 0 ? norm : 1.0;
        for (int i = 0; i < p->n; i++) {
            x[i] /= norm;
        }
        zw_pencil_times(p, p->M, x, o->a);
        zw_pencil_solve(p, o->a, x);
    }
    double omega = 1.0 / sqrt(size);
    return isfinite(omega) && omega > 0.0 ? omega : 1.0;
}

/* ---- from eigenvalues of the operator to roots */

static double product(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* longest entry is 1, and real */
static void normalise(int n, double *re, double *im) {
    double most = 0.0, a = 1.0, b = 0.0;
    for (int i = 0; i < n; i++) {
        double size = hypot(re[i], im[i]);
        if (size > most * (1.0 + 1e-9)) {
            most = size;
            a = re[i];
            b = im[i];
        }
    }
    double square = a * a + b * b;
    for (int i = 0; i < n && most > 0.0; i++) { /* over (a + i b) */
        double x = re[i], y = im[i];
        re[i] = (x * a + y * b) / square;
        im[i] = (y * a - x * b) / square;
    }
}

/* s with s^2 = -lambda and imaginary part >= 0 */
static void root_of_square(double re, double im, zw_root *out) {
    double a = -re, b = -im, size = hypot(a, b), x = sqrt(0.5 * (size + fabs(a))), y = x > 0.0 ? 0.5 * fabs(b) / x : 0.0;
    double growth = a >= 0.0 ? x : y, frequency = a >= 0.0 ? y : x;
    out->growth = b < 0.0 ? -growth : growth;
    out->frequency = frequency;
    if (b == 0.0 && a < 0.0) {
        out->growth = 0.0;
    }
}

static bool make_root(inverse *o, const zw_eigen_pairs *e, int i, double *re, double *im, zw_root *out) {
    zw_pencil *p = o->p;
    double     size = hypot(e->re[i], e->im[i]), wr = e->re[i] / (size * size), wi = -e->im[i] / (size * size), square;
    int        n = p->n;
    if (o->kind == ZW_SPECTRUM_GENERAL) {
        double s[2] = {o->shift + wr, wi};
        square = hypot(s[0], s[1]);
        if (fabs(s[1]) <= 1e-8 * square) {
            s[1] = 0.0;
        } else if (s[1] < 0.0) {
            return false; /* its conjugate is the root */
        }
        *out = (zw_root){.growth = s[0], .frequency = s[1]};
        if (!p->dissipates && fabs(s[0]) <= NEAR_AXIS * square) {
            out->growth = 0.0;
        }
        square *= square;
    } else {
        double lambda[2] = {o->shift + wr, wi};
        square = hypot(lambda[0], lambda[1]);
        if (fabs(wi) <= 2.0 * NEAR_AXIS * square) {
            lambda[1] = 0.0;
        }
        root_of_square(lambda[0], lambda[1], out);
    }
    const double *x = e->real + (ptrdiff_t)i * (o->kind == ZW_SPECTRUM_GENERAL ? 2 * n : n),
                 *y = e->imaginary + (ptrdiff_t)i * (o->kind == ZW_SPECTRUM_GENERAL ? 2 * n : n);
    if (o->kind == ZW_SPECTRUM_SYMMETRIC) {
        zw_pencil_root_inverse(p, x, re);
        memset(im, 0, sizeof(double) * (size_t)n);
    } else {
        memcpy(re, o->kind == ZW_SPECTRUM_GENERAL ? x + n : x, sizeof(double) * (size_t)n);
        memcpy(im, o->kind == ZW_SPECTRUM_GENERAL ? y + n : y, sizeof(double) * (size_t)n);
    }
    normalise(n, re, im);
    zw_pencil_times(p, p->M, re, o->a);
    zw_pencil_times(p, p->M, im, o->b);
    double mass = product(n, re, o->a) + product(n, im, o->b), terms = zw_pencil_terms(p, p->K, re) + zw_pencil_terms(p, p->K, im);
    double noise = (o->kind == ZW_SPECTRUM_SYMMETRIC ? ZERO_SYMMETRIC : ZERO_OTHER) * terms,
           shift = o->kind == ZW_SPECTRUM_GENERAL ? o->shift * o->shift : fabs(o->shift);
    out->zero = square * mass <= noise || square <= 1e-11 * shift; /* what nothing touches has no terms at all */
    if (o->kind == ZW_SPECTRUM_GENERAL && !p->dissipates && out->growth * out->growth * mass <= noise) {
        out->growth = 0.0; /* a free body in a frame that turns has double roots */
    }
    return true;
}

static bool comes_before(const zw_root *a, const zw_root *b) {
    double x = hypot(a->frequency, a->growth), y = hypot(b->frequency, b->growth);
    return fabs(x - y) > 1e-9 * fmax(x, y) ? x < y : a->growth > b->growth;
}

static void sort_roots(zw_spectrum *s) {
    for (int i = 1; i < s->nroots; i++) {
        zw_root r = s->root[i];
        int     at = i;
        for (; at > 0 && comes_before(&r, &s->root[at - 1]); at--) {
            s->root[at] = s->root[at - 1];
        }
        s->root[at] = r;
    }
}

/* one go at a shift */
static zw_status solve(inverse *o, int want, bool dense, zw_spectrum *out) {
    zw_context      *c = o->p->k->c;
    int              n = o->p->n, N = o->kind == ZW_SPECTRUM_GENERAL ? 2 * n : n;
    zw_eigen_problem problem = {.context = c, .n = N, .symmetric = o->kind == ZW_SPECTRUM_SYMMETRIC, .self = o, .apply = apply};
    zw_eigen_pairs   e = {0};
    zw_status        status = ZW_OK;
    want = want < N ? want : N;
    if (o->kind == ZW_SPECTRUM_GENERAL) {
        double *x = zw_alloc(c, (size_t)n + 1, sizeof *x, "modes");
        if (x == NULL) {
            return ZW_E_MEMORY;
        }
        o->scale = pace(o, x);
        zw_free(c, x);
    }
    ZW_TRY_GOTO(zw_eigen_pairs_create(c, N, want, &e), done);
    ZW_TRY_GOTO(dense ? zw_eigen_dense(&problem, want, &e) : zw_eigen_iterated(&problem, want, &e), done);
    double largest = e.found > 0 ? hypot(e.re[0], e.im[0]) : 0.0;
    int    zeros = 0;
    out->nroots = 0;
    for (int i = 0; i < e.found; i++) {
        double  *re = out->shape + (ptrdiff_t)out->nroots * 2 * n, *im = re + n;
        zw_root *r = &out->root[out->nroots];
        if (i >= want || !(hypot(e.re[i], e.im[i]) > 1e-14 * largest) || !make_root(o, &e, i, re, im, r)) {
            continue; /* directions that the rows hold */
        }
        r->shape = out->nroots;
        zeros += r->zero;
        out->nroots++;
    }
    out->nfree = o->kind == ZW_SPECTRUM_GENERAL ? (zeros + 1) / 2 : zeros;
    out->iterated = !dense;
done:
    zw_eigen_pairs_destroy(c, &e);
    return status;
}

static double slowest_square(const zw_spectrum *s) {
    double least = HUGE_VAL;
    for (int i = 0; i < s->nroots; i++) {
        const zw_root *r = &s->root[i];
        if (!r->zero) {
            least = fmin(least, r->growth * r->growth + r->frequency * r->frequency);
        }
    }
    return least;
}

zw_status zw_spectrum_find(zw_pencil *p, int count, zw_spectrum_method method, zw_spectrum *out) {
    zw_context *c = p->k->c;
    inverse     o = {.p = p, .kind = p->rates ? ZW_SPECTRUM_GENERAL : p->symmetric ? ZW_SPECTRUM_SYMMETRIC : ZW_SPECTRUM_REVERSIBLE};
    zw_status   status = ZW_OK;
    int         n = p->n, N = o.kind == ZW_SPECTRUM_GENERAL ? 2 * n : n, below = 0;
    *out = (zw_spectrum){.context = c, .kind = o.kind, .n = n};
    bool sound = set_shift(&o, 0.0);
    if (sound && o.kind == ZW_SPECTRUM_SYMMETRIC) {
        below = zw_pencil_below(p);
        below = below > 0 && below < n ? below : 0;
    }
    int want = (o.kind == ZW_SPECTRUM_GENERAL ? 2 : 1) * (count + SPARE) + below;
    int unheld = (o.kind == ZW_SPECTRUM_GENERAL ? 2 : 1) * (n - p->k->m + p->redundant); /* all others are held by rows */
    want = want < unheld ? want : unheld;
    if (want <= 0) {
        return zw_raise(c, ZW_E_MODEL, "modes", "remove rows", "the rows hold everything: nothing can move");
    }
    bool dense = method == ZW_SPECTRUM_DENSE ||
                 (method == ZW_SPECTRUM_AUTO && (N <= (o.kind == ZW_SPECTRUM_SYMMETRIC ? DENSE_SYMMETRIC : DENSE_OTHER) || 3 * want >= N));
    size_t room = (size_t)zw_eigen_room(want);
    out->root = zw_alloc(c, room, sizeof *out->root, "modes");
    out->shape = zw_alloc(c, room * 2 * (size_t)n + 1, sizeof *out->shape, "modes");
    o.a = zw_alloc(c, 2 * (size_t)n + 1, sizeof *o.a, "modes");
    if (out->root == NULL || out->shape == NULL || o.a == NULL) {
        status = ZW_E_MEMORY;
        goto done;
    }
    o.b = o.a + n;
    if (sound) {
        ZW_TRY_GOTO(solve(&o, want, dense, out), done);
    }
    if (!sound || out->nfree > 0) { /* K is singular: a little off it, then at a distance that suits the slowest mode */
        double slow = HUGE_VAL, shift = 1e-12 * p->fastest;
        for (int round = 0; round < 2; round++) {
            if (!(shift > 0.0) || !isfinite(shift) || !set_shift(&o, shift)) {
                shift = shift > 0.0 && isfinite(shift) ? 1.1 * shift : 1.0;
                if (!set_shift(&o, shift)) {
                    status = zw_raise(c, ZW_E_RANK, "modes", "see zwang check: rows or masses may be degenerate",
                                      "the stiffness with its rows cannot be inverted at any shift");
                    goto done;
                }
            }
            ZW_TRY_GOTO(solve(&o, want, dense, out), done);
            slow = slowest_square(out);
            if (!isfinite(slow)) {
                break;
            }
            shift = 1e-2 * slow;
        }
    }
    sort_roots(out);
done:
    zw_free(c, o.a);
    if (status != ZW_OK) {
        zw_spectrum_destroy(out);
    }
    return status;
}

void zw_spectrum_destroy(zw_spectrum *s) {
    if (s->context != NULL) {
        zw_free(s->context, s->root);
        zw_free(s->context, s->shape);
    }
    *s = (zw_spectrum){0};
}

/* SPDX-License-Identifier: Apache-2.0
 * lie.c: Lie algebras by structure constants. exp and phi by Taylor polynomials after halving, then doubling: phi(2A) = (e^A + 1) phi(A)/2. */
#include "math/lie.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

/* ---- n x n matrices */

/* out may be a or b */
static void multiply(int n, const double *a, const double *b, double *out) {
    double product[ZW_LIE_SQUARE];
    for (int i = 0; i < n; i++) {
        double *row = product + n * i;
        for (int j = 0; j < n; j++) {
            row[j] = a[n * i] * b[j];
        }
        for (int k = 1; k < n; k++) {
            double s = a[n * i + k];
            for (int j = 0; j < n; j++) {
                row[j] += s * b[n * k + j];
            }
        }
    }
    memcpy(out, product, sizeof(double) * (size_t)(n * n));
}

static void apply(int n, const double *a, const double *v, double *out) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            sum += a[n * i + k] * v[k];
        }
        out[i] = sum;
    }
}

static double norm1(int n, const double *a) {
    double most = 0.0;
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            sum += fabs(a[n * i + j]);
        }
        most = fmax(most, sum);
    }
    return most;
}

static void negate(int n, const double *x, double *out) {
    for (int i = 0; i < n; i++) {
        out[i] = -x[i];
    }
}

void zw_lie_exp(int n, const double *A, double *E, double *phi) {
    enum { TERMS = 13 }; /* 0.25^14/14! is far below round-off */
    double S[ZW_LIE_SQUARE], F[ZW_LIE_SQUARE], size = norm1(n, A);
    int    halvings = 0;
    while (size > 0.25 && halvings < 1000) {
        size *= 0.5;
        halvings++;
    }
    double scale = ldexp(1.0, -halvings);
    for (int i = 0; i < n * n; i++) {
        S[i] = scale * A[i];
        F[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    }
    for (int k = TERMS; k >= 1; k--) { /* phi = 1 + A/2 (1 + A/3 (1 + ...)) */
        multiply(n, S, F, F);
        for (int i = 0; i < n * n; i++) {
            F[i] = F[i] / (k + 1) + (i % (n + 1) == 0 ? 1.0 : 0.0);
        }
    }
    multiply(n, S, F, E);
    for (int i = 0; i < n; i++) {
        E[(n + 1) * i] += 1.0;
    }
    for (int k = 0; k < halvings; k++) {
        if (phi != NULL) {
            double G[ZW_LIE_SQUARE];
            for (int i = 0; i < n * n; i++) {
                G[i] = 0.5 * (E[i] + (i % (n + 1) == 0 ? 1.0 : 0.0));
            }
            multiply(n, G, F, F);
        }
        multiply(n, E, E, E);
    }
    if (phi != NULL) {
        memcpy(phi, F, sizeof(double) * (size_t)(n * n));
    }
}

/* ---- the algebra */

static void put(double *c, int n, int i, int j, int k, double value) {
    c[(n * i + j) * n + k] = value;
    c[(n * j + i) * n + k] = -value;
}

int zw_lie_known(const char *name, double *c) {
    static const int next[3] = {1, 2, 0};
    int              n = strcmp(name, "so(3)") == 0 || strcmp(name, "se(2)") == 0 ? 3 : strcmp(name, "se(3)") == 0 ? 6 : 0;
    for (int i = 0; i < n * n * n; i++) {
        c[i] = 0.0;
    }
    if (strcmp(name, "se(2)") == 0) { /* w turns v1 into v2, v2 into -v1 */
        put(c, n, 0, 1, 2, 1.0);
        put(c, n, 0, 2, 1, -1.0);
        return n;
    }
    for (int i = 0; i < (n > 0 ? 3 : 0); i++) {
        int j = next[i], k = next[j];
        put(c, n, i, j, k, 1.0);
        if (n == 6) { /* w x v */
            put(c, n, i, 3 + j, 3 + k, 1.0);
            put(c, n, j, 3 + i, 3 + k, -1.0);
        }
    }
    return n;
}

double zw_lie_antisymmetry(int n, const double *c, int at[3]) {
    double most = 0.0;
    at[0] = at[1] = at[2] = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < n; k++) {
                double defect = fabs(c[(n * i + j) * n + k] + c[(n * j + i) * n + k]);
                if (defect > most) {
                    most = defect;
                    at[0] = j;
                    at[1] = i;
                    at[2] = k;
                }
            }
        }
    }
    return most;
}

double zw_lie_jacobi(int n, const double *c, int at[4]) {
    double most = 0.0;
    at[0] = at[1] = at[2] = at[3] = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            for (int k = j + 1; k < n; k++) {
                for (int m = 0; m < n; m++) {
                    double sum = 0.0;
                    for (int l = 0; l < n; l++) {
                        sum += c[(n * i + j) * n + l] * c[(n * l + k) * n + m] + c[(n * j + k) * n + l] * c[(n * l + i) * n + m] +
                               c[(n * k + i) * n + l] * c[(n * l + j) * n + m];
                    }
                    if (fabs(sum) > most) {
                        most = fabs(sum);
                        at[0] = i;
                        at[1] = j;
                        at[2] = k;
                        at[3] = m;
                    }
                }
            }
        }
    }
    return most;
}

size_t zw_lie_terms(int n, const double *c) {
    size_t count = 0;
    for (int i = 0; i < n * n * n; i++) {
        count += c[i] != 0.0;
    }
    return count;
}

void zw_lie_bracket(const zw_lie *g, const double *x, const double *y, double *out) {
    memset(out, 0, sizeof(double) * (size_t)g->n);
    for (int t = 0; t < g->nterms; t++) {
        const zw_lie_term *a = &g->term[t];
        out[a->k] += a->c * x[a->i] * y[a->j];
    }
}

void zw_lie_star(const zw_lie *g, const double *x, const double *m, double *out) {
    memset(out, 0, sizeof(double) * (size_t)g->n);
    for (int t = 0; t < g->nterms; t++) {
        const zw_lie_term *a = &g->term[t];
        out[a->j] += a->c * x[a->i] * m[a->k];
    }
}

void zw_lie_ad(const zw_lie *g, const double *x, double *A) {
    memset(A, 0, sizeof(double) * (size_t)(g->n * g->n));
    for (int t = 0; t < g->nterms; t++) {
        const zw_lie_term *a = &g->term[t];
        A[g->n * a->k + a->j] += a->c * x[a->i];
    }
}

void zw_lie_star_of(const zw_lie *g, const double *m, double *B) {
    memset(B, 0, sizeof(double) * (size_t)(g->n * g->n));
    for (int t = 0; t < g->nterms; t++) {
        const zw_lie_term *a = &g->term[t];
        B[g->n * a->j + a->i] += a->c * m[a->k];
    }
}

/* x of a matrix ad_x */
static void gather(const zw_lie *g, const double *A, double *x) {
    int n = g->n, nn = n * n;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < nn; k++) {
            sum += g->gather[nn * i + k] * A[k];
        }
        x[i] = sum;
    }
}

/* (1 - A/2)^-1 (1 + A/2) */
static bool cayley(int n, const double *A, double *C) {
    double L[ZW_LIE_SQUARE];
    int    pivot[ZW_LIE_MOST];
    for (int i = 0; i < n * n; i++) {
        double one = i % (n + 1) == 0 ? 1.0 : 0.0;
        L[i] = one - 0.5 * A[i];
        C[i] = one + 0.5 * A[i];
    }
    if (zw_lu_factor(n, L, pivot) >= 0) {
        return false;
    }
    zw_lu_solve(n, L, pivot, n, C);
    return true;
}

/* least squares for x from ad_x: (E'E)^-1 E', where E takes x to ad_x; false: elements that commute with all */
static bool make_gather(zw_lie *g) {
    int    n = g->n, nn = n * n, pivot[ZW_LIE_MOST];
    double G[ZW_LIE_SQUARE] = {0}, L[ZW_LIE_SQUARE], values[ZW_LIE_MOST];
    memset(g->gather, 0, sizeof(double) * (size_t)(n * nn));
    for (int t = 0; t < g->nterms; t++) {
        const zw_lie_term *a = &g->term[t];
        g->gather[nn * a->i + n * a->k + a->j] += a->c;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < nn; k++) {
                G[n * i + j] += g->gather[nn * i + k] * g->gather[nn * j + k];
            }
        }
    }
    memcpy(L, G, sizeof L);
    if (!zw_sym_eigen(n, L, values, NULL) || !(values[0] > 1e-12 * values[n - 1])) {
        return false;
    }
    if (zw_lu_factor(n, G, pivot) >= 0) {
        return false;
    }
    zw_lu_solve(n, G, pivot, nn, g->gather);
    return true;
}

static void noise(int n, unsigned *seed, double *x) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        x[i] = (double)(*seed >> 8) / 8388608.0 - 1.0;
        sum += x[i] * x[i];
    }
    for (int i = 0; i < n; i++) {
        x[i] /= sqrt(sum);
    }
}

/* how far cay(ad_x) is from respecting brackets; 1 per unit of the structure constants when it cannot be formed */
static double cayley_defect(const zw_lie *g) {
    enum { SAMPLES = 8 };
    double   most = 0.0, x[ZW_LIE_MOST], y[ZW_LIE_MOST], w[ZW_LIE_MOST], A[ZW_LIE_SQUARE], C[ZW_LIE_SQUARE], size = 0.0;
    double   p[ZW_LIE_MOST], q[ZW_LIE_MOST], yw[ZW_LIE_MOST], turned[ZW_LIE_MOST], both[ZW_LIE_MOST];
    unsigned seed = 1u;
    for (int t = 0; t < g->nterms; t++) {
        size = fmax(size, fabs(g->term[t].c));
    }
    for (int sample = 0; sample < SAMPLES && size > 0.0; sample++) {
        noise(g->n, &seed, x);
        noise(g->n, &seed, y);
        noise(g->n, &seed, w);
        for (int i = 0; i < g->n; i++) {
            x[i] /= size;
        }
        zw_lie_ad(g, x, A);
        if (!cayley(g->n, A, C)) {
            return 1.0;
        }
        apply(g->n, C, y, p);
        apply(g->n, C, w, q);
        zw_lie_bracket(g, y, w, yw);
        apply(g->n, C, yw, turned);
        zw_lie_bracket(g, p, q, both);
        for (int i = 0; i < g->n; i++) {
            most = fmax(most, fabs(turned[i] - both[i]) / size);
        }
    }
    return most;
}

void zw_lie_init(zw_lie *g, int n, const double *c, zw_lie_term *term, double *gather_store) {
    *g = (zw_lie){.n = n, .term = term, .gather = gather_store};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) {
                double value = c[(n * i + j) * n + k];
                if (value != 0.0) {
                    term[g->nterms++] = (zw_lie_term){i, j, k, value};
                }
            }
        }
    }
    g->defect = cayley_defect(g);
    g->centreless = g->nterms > 0 && make_gather(g);
    g->cayley = g->centreless && g->defect < 1e-12;
}

void zw_lie_turn(const zw_lie *g, const double *x, double *C) {
    double A[ZW_LIE_SQUARE];
    zw_lie_ad(g, x, A);
    if (!g->cayley) {
        zw_lie_exp(g->n, A, C, NULL);
    } else if (!cayley(g->n, A, C)) {
        for (int i = 0; i < g->n * g->n; i++) {
            C[i] = NAN;
        }
    }
}

bool zw_lie_slope(const zw_lie *g, const double *x, double *T) {
    int    n = g->n;
    double A[ZW_LIE_SQUARE], M[ZW_LIE_SQUARE];
    zw_lie_ad(g, x, A);
    if (!g->cayley) { /* phi(-A)^-1 */
        double E[ZW_LIE_SQUARE];
        int    pivot[ZW_LIE_MOST];
        negate(n * n, A, A);
        zw_lie_exp(n, A, E, M);
        if (zw_lu_factor(n, M, pivot) >= 0) {
            return false;
        }
        zw_lu_inverse(n, M, pivot, T);
        return true;
    }
    for (int i = 0; i < n * n; i++) {
        T[i] = (i % (n + 1) == 0 ? 1.0 : 0.0) + 0.5 * A[i];
    }
    for (int w = 0; w < n; w++) { /* column w of Q/4 */
        double unit[ZW_LIE_MOST] = {0}, q[ZW_LIE_MOST];
        unit[w] = 1.0;
        zw_lie_ad(g, unit, M);
        multiply(n, A, M, M);
        multiply(n, M, A, M);
        gather(g, M, q);
        for (int i = 0; i < n; i++) {
            T[n * i + w] -= 0.25 * q[i];
        }
    }
    return true;
}

/* x of 2 (P - 1)(P + 1)^-1 = ad_x */
static bool uncayley(const zw_lie *g, const double *P, double *x) {
    int    n = g->n, pivot[ZW_LIE_MOST];
    double plus[ZW_LIE_SQUARE], minus[ZW_LIE_SQUARE];
    for (int i = 0; i < n * n; i++) {
        double one = i % (n + 1) == 0 ? 1.0 : 0.0;
        plus[i] = P[i] + one;
        minus[i] = 2.0 * (P[i] - one);
    }
    if (zw_lu_factor(n, plus, pivot) >= 0) {
        return false;
    }
    zw_lu_solve(n, plus, pivot, n, minus); /* the two commute */
    gather(g, minus, x);
    return true;
}

/* log(1 + D) by its series; |D| < 1/2 */
static void log_near_one(int n, const double *D, double *out) {
    double power[ZW_LIE_SQUARE], sign = 1.0;
    memcpy(power, D, sizeof(double) * (size_t)(n * n));
    memset(out, 0, sizeof(double) * (size_t)(n * n));
    for (int k = 1; k <= 60; k++) {
        for (int i = 0; i < n * n; i++) {
            out[i] += sign * power[i] / k;
        }
        if (norm1(n, power) < 1e-18) {
            break;
        }
        multiply(n, power, D, power);
        sign = -sign;
    }
}

/* exp(ad_y) = P by Newton's method on the group, from y near the solution */
static bool unexp(const zw_lie *g, const double *P, double *y) {
    int    n = g->n;
    double before = HUGE_VAL;
    for (int pass = 0; pass < 20; pass++) {
        double A[ZW_LIE_SQUARE], E[ZW_LIE_SQUARE], D[ZW_LIE_SQUARE], T[ZW_LIE_SQUARE], r[ZW_LIE_MOST], dy[ZW_LIE_MOST], size = 0.0,
                                                                                                                        change = 0.0;
        zw_lie_ad(g, y, A);
        negate(n * n, A, A);
        zw_lie_exp(n, A, E, NULL);
        multiply(n, E, P, D);
        for (int i = 0; i < n; i++) {
            D[(n + 1) * i] -= 1.0;
        }
        if (!(norm1(n, D) < 0.5)) {
            return false;
        }
        log_near_one(n, D, A);
        gather(g, A, r);
        if (!zw_lie_slope(g, y, T)) {
            return false;
        }
        apply(n, T, r, dy);
        for (int i = 0; i < n; i++) {
            y[i] += dy[i];
            change = fmax(change, fabs(dy[i]));
            size = fmax(size, fabs(y[i]));
        }
        if (change <= 1e-15 * (1.0 + size) || (change < 1e-12 * (1.0 + size) && change >= 0.5 * before)) {
            return true;
        }
        before = change;
    }
    return false;
}

/* the same with a centre, which ad does not see: dy/dt = T(y) b - T(-y) a from 0 to 1, by Runge and Kutta in parts so short that nothing is left */
static bool follow(const zw_lie *g, const double *a, const double *b, double *y) {
    int                 n = g->n;
    double              A[ZW_LIE_SQUARE], size, k[4][ZW_LIE_MOST];
    static const double share[4] = {0.0, 0.5, 0.5, 1.0};
    zw_lie_ad(g, a, A);
    size = norm1(n, A);
    zw_lie_ad(g, b, A);
    size += norm1(n, A);
    if (!(size < 100.0)) {
        return false;
    }
    int    parts = 1 + (int)(size / 2e-3);
    double dt = 1.0 / parts;
    for (int part = 0; part < parts; part++) {
        for (int stage = 0; stage < 4; stage++) {
            double at[ZW_LIE_MOST], T[ZW_LIE_SQUARE], first[ZW_LIE_MOST], second[ZW_LIE_MOST];
            for (int i = 0; i < n; i++) {
                at[i] = y[i] + (stage > 0 ? share[stage] * dt * k[stage - 1][i] : 0.0);
            }
            if (!zw_lie_slope(g, at, T)) {
                return false;
            }
            apply(n, T, b, first);
            negate(n, at, at);
            if (!zw_lie_slope(g, at, T)) {
                return false;
            }
            apply(n, T, a, second);
            for (int i = 0; i < n; i++) {
                k[stage][i] = first[i] - second[i];
            }
        }
        for (int i = 0; i < n; i++) {
            y[i] += dt / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
    }
    return true;
}

bool zw_lie_compose(const zw_lie *g, const double *a, const double *x, const double *b, double *y) {
    int    n = g->n;
    double P[ZW_LIE_SQUARE], C[ZW_LIE_SQUARE], back[ZW_LIE_MOST], start[ZW_LIE_MOST];
    memcpy(start, x, sizeof(double) * (size_t)n);
    if (g->centreless) {
        negate(n, a, back);
        zw_lie_turn(g, back, P);
        zw_lie_turn(g, start, C);
        multiply(n, P, C, P);
        zw_lie_turn(g, b, C);
        multiply(n, P, C, P);
        if (g->cayley) {
            return uncayley(g, P, y);
        }
        memcpy(y, start, sizeof(double) * (size_t)n);
        if (unexp(g, P, y)) {
            return true;
        }
    }
    memcpy(y, start, sizeof(double) * (size_t)n);
    return follow(g, a, b, y);
}

/* SPDX-License-Identifier: Apache-2.0
 * growth_signal.c: a substance along the rod that makes it grow: concentration chi, diffusion over grown length, reaction and source by expressions.
 *
 * The memory is the amount a = chi l of each link, so that growth dilutes by itself and conserves the total to rounding:
 *   da_j/dt = F_{j+1/2} - F_{j-1/2} + l_j (reaction + source),   F_{j+1/2} = (chi_{j+1} - chi_j)/(l_j/(2 D_j) + l_{j+1}/(2 D_{j+1}))
 * with closed ends (F = 0) or a ring. Diffusion goes by two implicit stages with the same matrix (order 2, damps what the mesh cannot show):
 *   (1 - g h L) k1 = L a,  (1 - g h L) k2 = L (a + (1 - g) h k1),  a += h ((1 - g) k1 + g k2),  g = 1 - 1/sqrt 2.
 * ldot/l = rate and D k0/Dt = bend are expressions of chi and of all that a law may sense; strain couples back through them (Goodwin). */
#include "base/number.h"
#include "parts/growth_part.h"

enum { START, DIFFUSION, REACTION, SOURCE, RATE, BEND };
enum { BY_CHI, BY_TENSION, BY_NATURAL };

/* extra: d(reaction + source)/d chi, d rate/d tension, d bend_i/d natural.di */
static zw_status derive(zw_pool *pool, const zw_growth_def *def, int *n, zw_node out[8]) {
    static const char *const names[5] = {"chi", "tension", "natural.d1", "natural.d2", "natural.d3"};
    int                      slot[5];
    zw_node                  zero = zw_node_constant(pool, 0.0);
    *n = 5;
    for (int i = 0; i < 5; i++) {
        slot[i] = zw_growth_input(pool, names[i]);
        if (slot[i] < 0 || !zero) {
            return ZW_E_MEMORY;
        }
    }
    const zw_value *p = def->parameter;
    zw_node         r = p[REACTION].width ? zw_node_diff(pool, p[REACTION].n[0], slot[0]) : zero;
    zw_node         q = p[SOURCE].width ? zw_node_diff(pool, p[SOURCE].n[0], slot[0]) : zero;
    out[BY_CHI] = r && q ? zw_node_add(pool, r, q) : 0;
    out[BY_TENSION] = p[RATE].width ? zw_node_diff(pool, p[RATE].n[0], slot[1]) : zero;
    for (int i = 0; i < 3; i++) {
        out[BY_NATURAL + i] = p[BEND].width ? zw_node_diff(pool, p[BEND].n[i], slot[2 + i]) : zero;
    }
    for (int i = 0; i < 5; i++) {
        if (!out[i]) {
            return ZW_E_MEMORY;
        }
    }
    return ZW_OK;
}

static void start(const zw_growth_law *law, const zw_growth_look *k, double *field) {
    (void)law;
    field[0] = zw_growth_number(k, START) * k->l;
}

static void rate(const zw_growth_law *law, const zw_growth_look *k, zw_growth_rate *out) {
    (void)law;
    out->rate = zw_growth_number(k, RATE);
    out->rate_slope = k->extra[BY_TENSION] * k->sense->tension_slope;
    for (int i = 0; i < 3; i++) {
        out->bend[i] = k->parameter[3 * BEND + i];
        out->bend_slope[i] = k->extra[BY_NATURAL + i];
    }
    out->field[0] = k->l * (zw_growth_number(k, REACTION) + zw_growth_number(k, SOURCE));
    out->field_slope[0] = k->extra[BY_CHI];
}

/* T x = b with a tridiagonal T that is dominant by columns (no pivots): x replaces b; a `fresh` T is factored in place first */
static void solve_chain(int n, const double *lower, double *diagonal, const double *upper, double *ratio, bool fresh, double *x) {
    if (fresh) {
        for (int j = 1; j < n; j++) {
            ratio[j] = lower[j] / diagonal[j - 1];
            diagonal[j] -= ratio[j] * upper[j - 1];
        }
    }
    for (int j = 1; j < n; j++) {
        x[j] -= ratio[j] * x[j - 1];
    }
    x[n - 1] /= diagonal[n - 1];
    for (int j = n - 2; j >= 0; j--) {
        x[j] = (x[j] - upper[j] * x[j + 1]) / diagonal[j];
    }
}

/* out = L a; G[j] joins link j to the next one, the last one closes a ring */
static void fluxes(const zw_growth_rod *rod, const double *G, const double *a, double *out) {
    int n = rod->n;
    for (int j = 0; j < n; j++) {
        out[j] = 0.0;
    }
    for (int j = 0; j < (rod->closed ? n : n - 1); j++) {
        int    next = j + 1 < n ? j + 1 : 0;
        double F = G[j] * (a[next] / rod->l[next] - a[j] / rod->l[j]);
        out[j] += F;
        out[next] -= F;
    }
}

static zw_status conductances(zw_growth_law *law, zw_growth_rod *rod, double t, double *half, double *G) {
    int n = rod->n;
    ZW_TRY(rod->feel(rod->user, t, rod));
    zw_growth_look_begin(law, rod, t);
    for (int j = 0; j < n; j++) {
        zw_growth_look k;
        zw_growth_look_at(law, rod, j, t, &k);
        double D = zw_growth_number(&k, DIFFUSION);
        if (!(D >= 0.0) || !isfinite(D)) {
            char number[ZW_NUMBER_TEXT];
            return zw_growth_raise(law, ZW_E_DIVERGED, "diffusion must not be negative", "the diffusion at link %d is %s", j,
                                   zw_number_text(D, number));
        }
        half[j] = 2.0 * D / rod->l[j];
    }
    for (int j = 0; j < n; j++) {
        int    next = j + 1 < n ? j + 1 : 0;
        double sum = half[j] + half[next];
        G[j] = sum > 0.0 ? half[j] * (half[next] / sum) : 0.0; /* two halves in a row */
    }
    return ZW_OK;
}

/* 1 - c L = T + u v': T tridiagonal, u v' the joint that closes a ring, u = (-1, 0, .., 1), v = (v0, 0, .., v1); z = T^-1 u */
typedef struct ring {
    double *lower, *diagonal, *upper, *ratio, *z;
    double  v0, v1;
} ring;

static void solve(const zw_growth_rod *rod, const ring *r, bool fresh, double *x) {
    int n = rod->n;
    solve_chain(n, r->lower, r->diagonal, r->upper, r->ratio, fresh, x);
    if (rod->closed && n > 2) {
        double top = r->v0 * x[0] + r->v1 * x[n - 1], bottom = 1.0 + r->v0 * r->z[0] + r->v1 * r->z[n - 1];
        for (int j = 0; j < n; j++) {
            x[j] -= r->z[j] * (top / bottom);
        }
    }
}

static zw_status diffuse(zw_growth_law *law, zw_growth_rod *rod, double t, double h) {
    const double gamma = 0.29289321881345247560; /* 1 - 1/sqrt 2 */
    int          n = rod->n;
    size_t       N = (size_t)n;
    double      *G = law->solve, *k1 = G + N, *k2 = k1 + N, *a = rod->s, c = gamma * h;
    ring         r = {k2 + N, k2 + 2 * N, k2 + 3 * N, k2 + 4 * N, k2 + 5 * N, 0.0, 0.0};
    if (n < 2) {
        return ZW_OK;
    }
    ZW_TRY(conductances(law, rod, t, k1, G));
    int joints = rod->closed ? n : n - 1;
    for (int j = 0; j < n; j++) {
        r.diagonal[j] = 1.0;
        r.lower[j] = r.upper[j] = r.ratio[j] = r.z[j] = 0.0;
    }
    for (int j = 0; j < joints; j++) {
        int    next = j + 1 < n ? j + 1 : 0;
        double here = c * G[j] / rod->l[j], there = c * G[j] / rod->l[next];
        if (j + 1 < n || n == 2) { /* two links of a ring meet twice */
            r.diagonal[j] += here;
            r.diagonal[next] += there;
            *(j + 1 < n ? &r.upper[j] : &r.lower[1]) -= there;
            *(j + 1 < n ? &r.lower[j + 1] : &r.upper[0]) -= here;
        } else {
            r.v0 = -there;
            r.v1 = here;
        }
    }
    bool fresh = true;
    if (rod->closed && n > 2) {
        r.z[0] = -1.0;
        r.z[n - 1] = 1.0;
        solve_chain(n, r.lower, r.diagonal, r.upper, r.ratio, true, r.z);
        fresh = false;
    }
    fluxes(rod, G, a, k1);
    solve(rod, &r, fresh, k1);
    double *stage = r.lower; /* no longer needed after the factor: ratio has taken its place */
    for (int j = 0; j < n; j++) {
        stage[j] = a[j] + (1.0 - gamma) * h * k1[j];
    }
    fluxes(rod, G, stage, k2);
    solve(rod, &r, false, k2);
    for (int j = 0; j < n; j++) {
        a[j] += h * ((1.0 - gamma) * k1[j] + gamma * k2[j]);
    }
    return ZW_OK;
}

const zw_growth_ops zw_growth_signal_ops = {.fields = 1, .derive = derive, .start = start, .rate = rate, .diffuse = diffuse};

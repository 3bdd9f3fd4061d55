/* SPDX-License-Identifier: Apache-2.0
 * impact_laws.c: the laws of impact in the space of contacts: rates u, impulses p >= 0 along the gradients of the gaps, u+ = u- + G p with G = N P N'.
 *
 *   one contact   u+ = -e u-,  p = -(1 + e) u-/G                                                (reflection in the kinetic metric)
 *   sequential    one contact after the other, the first of the given order that is coming on, until none is
 *   compliant     springs of equal stiffness, delta^(3/2), resolved in fast time: delta' = -u, u' = G F. Unloading gives back e^2 of the force,
 *                 so that a single contact has restitution e
 * Simultaneous impacts have no law of their own in mechanics without more assumptions: each of these is one, and moreau (impact.c) another. */
#include "events/contacts.h"

#include "base/number.h"
#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double size_of(int n, const double *u) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(u[i]));
    }
    return most;
}

zw_status zw_impact_sequential(zw_context *c, zw_impact *k, const int *order, double *u, double *p) {
    enum { MOST = 2000000 };
    int    n = k->n;
    double scale = size_of(n, k->before), still = 64.0 * DBL_EPSILON * scale;
    memcpy(u, k->before, sizeof(double) * (size_t)n);
    memset(p, 0, sizeof(double) * (size_t)n);
    for (int round = 0; round < MOST; round++) {
        int i = -1;
        for (int j = 0; j < n && i < 0; j++) {
            i = u[order[j]] < -still ? order[j] : -1;
        }
        if (i < 0) {
            return ZW_OK;
        }
        double impulse = -(1.0 + k->e[i]) * u[i] / k->G[(ptrdiff_t)i * n + i], now = -k->e[i] * u[i];
        p[i] += impulse;
        for (int j = 0; j < n; j++) {
            u[j] += k->G[(ptrdiff_t)j * n + i] * impulse;
        }
        u[i] = now;
    }
    char number[ZW_NUMBER_TEXT];
    return zw_raise(c, ZW_E_CONVERGENCE, "contact.law", "use moreau or compliant",
                    "a sequence of simultaneous impacts does not end: after %d of them a gap still closes with %s", MOST,
                    zw_number_short(size_of(n, u), 3, number));
}

/* ---- compliant: Dormand and Prince 5(4) on (delta, u, p) in units where the fastest contact has rate 1 and the largest G is 1 */

typedef struct hertz {
    int           n;
    const double *G, *e;
    double        scale; /* largest diagonal of G */
} hertz;

static void derive(const hertz *k, const double *y, double *d) {
    int           n = k->n;
    const double *delta = y, *u = y + n;
    for (int i = 0; i < n; i++) {
        double F = delta[i] > 0.0 ? delta[i] * sqrt(delta[i]) : 0.0;
        d[2 * n + i] = u[i] > 0.0 ? k->e[i] * k->e[i] * F : F;
        d[i] = -u[i];
    }
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            sum += k->G[(ptrdiff_t)i * n + j] / k->scale * d[2 * n + j];
        }
        d[n + i] = sum;
    }
}

/* one step with its error estimate; k1 is the derivative at y, and becomes that at the end */
static double dormand_prince(const hertz *h, int m, const double *y, double dt, double *k, double *out) {
    static const double a[6][6] = {{1.0 / 5.0},
                                   {3.0 / 40.0, 9.0 / 40.0},
                                   {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
                                   {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
                                   {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
                                   {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};
    static const double e[7] = {71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
    for (int s = 0; s < 6; s++) {
        for (int i = 0; i < m; i++) {
            double sum = 0.0;
            for (int j = 0; j <= s; j++) {
                sum += a[s][j] * k[(ptrdiff_t)j * m + i];
            }
            out[i] = y[i] + dt * sum;
        }
        derive(h, out, k + (ptrdiff_t)(s + 1) * m);
    }
    double error = 0.0;
    for (int i = 0; i < m; i++) {
        double sum = 0.0;
        for (int j = 0; j < 7; j++) {
            sum += e[j] * k[(ptrdiff_t)j * m + i];
        }
        error = fmax(error, fabs(dt * sum));
    }
    return error;
}

/* nobody is compressed: time until the next gap closes; infinite when none will */
static double until_next(int n, const double *delta, const double *u, double still) {
    double next = INFINITY;
    for (int i = 0; i < n; i++) {
        if (delta[i] > 0.0) {
            return 0.0;
        }
        if (u[i] < -still) {
            next = fmin(next, delta[i] / u[i]);
        }
    }
    return next;
}

zw_status zw_impact_compliant(zw_context *c, zw_impact *k) {
    enum { MOST = 4000000 };
    const double tolerance = 1e-12;
    int          n = k->n, m = 3 * n;
    double       speed = size_of(n, k->before), dt = 1e-3, *y = k->work, *next = y + m, *slope = next + m;
    hertz        h = {.n = n, .G = k->G, .e = k->e, .scale = 0.0};
    for (int i = 0; i < n; i++) {
        h.scale = fmax(h.scale, k->G[(ptrdiff_t)i * n + i]);
        y[i] = 0.0;
        y[n + i] = k->before[i] / speed;
        y[2 * n + i] = 0.0;
    }
    for (int step = 0; step < MOST; step++) {
        double wait = until_next(n, y, y + n, 1e-13);
        if (wait > 0.0) {
            if (!(wait < 1e6)) { /* all go apart, or will not meet again while this impact lasts */
                for (int i = 0; i < n; i++) {
                    k->p[i] = y[2 * n + i] * speed / h.scale;
                    k->after[i] = y[n + i] * speed;
                }
                return ZW_OK;
            }
            for (int i = 0; i < n; i++) {
                y[i] -= wait * y[n + i];
                y[i] = fabs(y[i]) < 1e-15 ? 0.0 : y[i];
            }
            dt = fmin(dt, 1e-3);
        }
        derive(&h, y, slope);
        double error = dormand_prince(&h, m, y, dt, slope, next);
        if (error <= tolerance) {
            memcpy(y, next, sizeof(double) * (size_t)m);
        }
        dt *= fmin(3.0, fmax(0.2, 0.9 * pow(fmax(error, 1e-20) / tolerance, -0.2)));
        dt = fmin(dt, 0.1);
    }
    return zw_raise(c, ZW_E_CONVERGENCE, "contact.law", "use moreau or sequential", "the springs of a compliant impact did not come apart");
}

double zw_impact_condition(zw_impact *k) {
    int     n = k->n;
    double *a = k->work, *values = a + (ptrdiff_t)n * n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[(ptrdiff_t)i * n + j] = k->G[(ptrdiff_t)i * n + j] / sqrt(k->G[(ptrdiff_t)i * n + i] * k->G[(ptrdiff_t)j * n + j]);
        }
    }
    if (n == 1) {
        return 1.0;
    }
    if (!zw_sym_eigen(n, a, values, NULL)) {
        return INFINITY;
    }
    return values[0] > DBL_EPSILON * values[n - 1] ? values[n - 1] / values[0] : INFINITY;
}

static bool next_order(int n, int *order) {
    int i = n - 2, j = n - 1;
    while (i >= 0 && order[i] > order[i + 1]) {
        i--;
    }
    if (i < 0) {
        return false;
    }
    while (order[j] < order[i]) {
        j--;
    }
    int t = order[i];
    order[i] = order[j];
    order[j] = t;
    for (int a = i + 1, b = n - 1; a < b; a++, b--) {
        t = order[a];
        order[a] = order[b];
        order[b] = t;
    }
    return true;
}

/* all orders of few contacts; of many, forwards, backwards and the rotations of both */
static bool another_order(int n, int count, int *order) {
    if (n <= 5) {
        return next_order(n, order);
    }
    if (count >= 2 * n) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        int at = (i + count / 2) % n;
        order[i] = count % 2 == 0 ? at : n - 1 - at;
    }
    return true;
}

/* one after the other, and how much another order would change */
static zw_status in_all_orders(zw_context *c, zw_impact *k, double *apart) {
    int    n = k->n;
    double enough = 1e-9 * size_of(n, k->before);
    *apart = 0.0;
    for (int i = 0; i < n; i++) {
        k->order[i] = i;
    }
    ZW_TRY(zw_impact_sequential(c, k, k->order, k->after, k->p));
    for (int count = 1; n > 1 && !(*apart > enough) && another_order(n, count, k->order); count++) {
        ZW_TRY(zw_impact_sequential(c, k, k->order, k->u, k->other));
        for (int i = 0; i < n; i++) {
            *apart = fmax(*apart, fabs(k->u[i] - k->after[i]));
        }
    }
    k->order_dependent = *apart > enough;
    return ZW_OK;
}

zw_status zw_impact_apply(zw_context *c, zw_impact *k, zw_impact_law law, double t) {
    double    apart = 0.0;
    int       n = k->n;
    zw_status status = in_all_orders(c, k, &apart);
    if (status != ZW_OK && law != ZW_LAW_REFLECT && law != ZW_LAW_SEQUENTIAL) { /* the other laws only report it */
        zw_error_clear(c);
        k->order_dependent = true;
        status = ZW_OK;
    }
    ZW_TRY(status);
    if (law == ZW_LAW_COMPLIANT && n > 1) { /* one contact needs no springs to be told */
        return zw_impact_compliant(c, k);
    }
    if (k->order_dependent && law == ZW_LAW_REFLECT) {
        char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
        return zw_raise(c, ZW_E_MODEL, "contact.law", "name a law:  contact: {law: moreau}, sequential or compliant",
                        "%d contacts meet at t = %s s, and what follows depends on their order: rates differ by %s", n,
                        zw_number_short(t, 8, a), zw_number_short(apart, 3, b));
    }
    return ZW_OK;
}

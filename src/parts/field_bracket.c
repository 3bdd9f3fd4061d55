/* SPDX-License-Identifier: Apache-2.0
 * field_bracket.c: the discrete Poisson bracket of a field and the pieces of a step that the integrators poisson, hamel and poisson-consistent put together.
 *
 * A link of length ds with strain gamma, x = ds gamma, joins nodes a and b. When the nodes move by eta, its strain changes by
 *   ds dgamma = T(x) eta_b - T(-x) eta_a,     T(x) = 1 + ad_x/2 (poisson, hamel: as printed)  or the true derivative of the link's map (consistent, math/lie.h)
 * and with the momenta p = w ds mu of the nodes
 *   {f, g} = sum over links <df/dgamma, rate of gamma by dg/dp> - (f and g exchanged) + sum over nodes <p, [dg/dp, df/dp]>
 * which is antisymmetric by its form, at the ends too; with the true T it satisfies the Jacobi identity.
 *
 *   poisson      mu1 = mu0 + h F + h [(zeta0 + zeta1)/2, (mu0 + mu1)/2]*         Newton at each node; F from gamma0 (and mu1, where dh/dgamma depends on it)
 *   hamel        mu1 = mu0 + h F + h/2 ([zeta0, mu0]* + [zeta1, mu1]*)
 *                gamma1 = gamma0 + h/ds (zb - za) + h [(gamma0 + gamma1)/2, (za + zb)/2],  z = dh/dmu(gamma0, mu1): linear in gamma1
 *   consistent   mu* = mu0 + h F; mu1 = Ad'(tau(h zeta)) mu* with zeta = dh/dmu at the middle of that motion; tau(x1) = tau(-h za) tau(x0) tau(h zb) */
#include "parts/field.h"

#include "base/number.h"
#include "math/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void scaled(int n, double a, const double *x, double *out) {
    for (int i = 0; i < n; i++) {
        out[i] = a * x[i];
    }
}

static void times(int n, const double *M, const double *v, double *out) {
    for (int i = 0; i < n; i++) {
        out[i] = 0.0;
        for (int k = 0; k < n; k++) {
            out[i] += M[n * i + k] * v[k];
        }
    }
}

static void times_transposed(int n, const double *M, const double *v, double *out) {
    memset(out, 0, sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            out[k] += M[n * i + k] * v[i];
        }
    }
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* a link beyond what its map describes: the numbers say so */
static void lose(int n, double *out) {
    for (int i = 0; i < n; i++) {
        out[i] = NAN;
    }
}

/* ---- the bracket */

void zw_chain_push(const zw_chain *c, zw_bracket_scheme scheme, const double *gamma, const double *sigma, double *near, double *far) {
    const zw_lie *g = &c->algebra;
    int           n = c->n;
    if (scheme != ZW_BRACKET_CONSISTENT) {
        double turn[ZW_LIE_MOST];
        zw_lie_star(g, gamma, sigma, turn);
        for (int i = 0; i < n; i++) {
            near[i] = sigma[i] - 0.5 * c->ds * turn[i];
            far[i] = sigma[i] + 0.5 * c->ds * turn[i];
        }
        return;
    }
    double x[ZW_LIE_MOST] = {0}, T[ZW_LIE_SQUARE];
    scaled(n, c->ds, gamma, x);
    if (zw_lie_slope(g, x, T)) {
        times_transposed(n, T, sigma, far);
    } else {
        lose(n, far);
    }
    scaled(n, -c->ds, gamma, x);
    if (zw_lie_slope(g, x, T)) {
        times_transposed(n, T, sigma, near);
    } else {
        lose(n, near);
    }
}

void zw_chain_pull(const zw_chain *c, zw_bracket_scheme scheme, const double *gamma, const double *za, const double *zb, double *rate) {
    const zw_lie *g = &c->algebra;
    int           n = c->n;
    if (scheme != ZW_BRACKET_CONSISTENT) {
        double mean[ZW_LIE_MOST] = {0}, turn[ZW_LIE_MOST];
        for (int i = 0; i < n; i++) {
            mean[i] = 0.5 * (za[i] + zb[i]);
        }
        zw_lie_bracket(g, gamma, mean, turn);
        for (int i = 0; i < n; i++) {
            rate[i] = (zb[i] - za[i]) / c->ds + turn[i];
        }
        return;
    }
    double x[ZW_LIE_MOST] = {0}, T[ZW_LIE_SQUARE], a[ZW_LIE_MOST], b[ZW_LIE_MOST];
    scaled(n, c->ds, gamma, x);
    if (zw_lie_slope(g, x, T)) {
        times(n, T, zb, b);
    } else {
        lose(n, b);
    }
    scaled(n, -c->ds, gamma, x);
    if (zw_lie_slope(g, x, T)) {
        times(n, T, za, a);
    } else {
        lose(n, a);
    }
    for (int i = 0; i < n; i++) {
        rate[i] = (b[i] - a[i]) / c->ds;
    }
}

double zw_chain_bracket(const zw_chain *c, zw_bracket_scheme scheme, const double *z, const double *df, const double *dg) {
    double sum = 0.0, near[ZW_LIE_MOST], far[ZW_LIE_MOST], rate[ZW_LIE_MOST], turn[ZW_LIE_MOST];
    for (int l = 0; l < c->nlinks; l++) {
        const double *gamma = zw_chain_gamma(c, z, l);
        zw_chain_pull(c, scheme, gamma, zw_chain_mu(c, dg, l), zw_chain_mu(c, dg, l + 1), rate);
        zw_chain_push(c, scheme, gamma, zw_chain_gamma(c, dg, l), near, far);
        sum += c->ds * dot(c->n, zw_chain_gamma(c, df, l), rate) + dot(c->n, zw_chain_mu(c, df, l), near) -
               dot(c->n, zw_chain_mu(c, df, l + 1), far);
    }
    for (int j = 0; j <= c->nlinks; j++) {
        zw_lie_star(&c->algebra, zw_chain_mu(c, dg, j), zw_chain_mu(c, z, j), turn);
        sum += zw_chain_weight(c, j) * c->ds * dot(c->n, zw_chain_mu(c, df, j), turn);
    }
    return sum;
}

void zw_chain_gradient(zw_chain *c, const double *z, double *out) {
    for (int j = 0; j <= c->nlinks; j++) {
        zw_chain_pace(c, z, j, zw_chain_mu(c, z, j), out + c->mu0 + (size_t)c->n * (size_t)j);
    }
    for (int l = 0; l < c->nlinks; l++) {
        zw_chain_stress(c, z, l, out + c->gamma0 + (size_t)c->n * (size_t)l);
    }
}

/* ---- momenta of a node */

/* size of a change against the size of what changes */
static void measure(int n, const double *d, const double *x, double *change, double *size) {
    *change = *size = 0.0;
    for (int i = 0; i < n; i++) {
        *change = isfinite(d[i]) ? fmax(*change, fabs(d[i])) : HUGE_VAL;
        *size = fmax(*size, fabs(x[i]));
    }
}

/* x -= J^-1 r; false when J is singular or the result is not finite */
static bool correct(int n, double *J, double *r, double *x, double *change, double *size) {
    int pivot[ZW_LIE_MOST];
    if (zw_lu_factor(n, J, pivot) >= 0) {
        return false;
    }
    zw_lu_solve(n, J, pivot, 1, r);
    for (int i = 0; i < n; i++) {
        x[i] -= r[i];
    }
    measure(n, r, x, change, size);
    return *change < HUGE_VAL;
}

/* J = 1 - k (ad_zeta' + B(mu) Z), where B(mu) y = [y, mu]* */
static void bracket_slope(const zw_chain *c, double k, const double *zeta, const double *mu, const double *Z, bool turn, double *J) {
    int    n = c->n;
    double A[ZW_LIE_SQUARE], B[ZW_LIE_SQUARE];
    zw_lie_ad(&c->algebra, zeta, A);
    zw_lie_star_of(&c->algebra, mu, B);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = turn ? A[n * j + i] : 0.0;
            for (int m = 0; m < n; m++) {
                sum += B[n * i + m] * Z[n * m + j];
            }
            J[n * i + j] = (i == j ? 1.0 : 0.0) - k * sum;
        }
    }
}

static bool printed(const zw_fields *f, zw_chain *c, const double *z0, int node, const double *F, double h, double *mu1, double *zeta1) {
    enum { PASSES = 30 };
    bool          hamel = f->rule.scheme == ZW_BRACKET_HAMEL;
    int           n = c->n;
    const double *mu0 = zw_chain_mu(c, z0, node);
    double        zeta0[ZW_LIE_MOST], Z[ZW_LIE_SQUARE], J[ZW_LIE_SQUARE], r[ZW_LIE_MOST], turn[ZW_LIE_MOST], turn0[ZW_LIE_MOST] = {0};
    zw_chain_pace(c, z0, node, mu0, zeta0);
    zw_lie_star(&c->algebra, zeta0, mu0, turn0);
    for (int i = 0; i < n; i++) {
        mu1[i] = mu0[i] + h * (F[i] + turn0[i]);
    }
    for (int pass = 0; pass < PASSES; pass++) {
        double zm[ZW_LIE_MOST], mm[ZW_LIE_MOST], change, size;
        zw_chain_bend(c, z0, node, mu1, zeta1, Z);
        for (int i = 0; i < n; i++) {
            zm[i] = hamel ? zeta1[i] : 0.5 * (zeta0[i] + zeta1[i]);
            mm[i] = hamel ? mu1[i] : 0.5 * (mu0[i] + mu1[i]);
        }
        zw_lie_star(&c->algebra, zm, mm, turn);
        for (int i = 0; i < n; i++) {
            double mean = hamel ? 0.5 * (turn0[i] + turn[i]) : turn[i];
            r[i] = mu1[i] - mu0[i] - h * (F[i] + mean);
        }
        bracket_slope(c, 0.5 * h, zm, mm, Z, true, J);
        if (!correct(n, J, r, mu1, &change, &size)) {
            return false;
        }
        if (change <= 1e-9 * size || change == 0.0) { /* quadratic: the next change is below round-off */
            zw_chain_pace(c, z0, node, mu1, zeta1);
            return true;
        }
    }
    return false;
}

/* mu of tau(h zeta) acting on start */
static void act(const zw_lie *g, double h, const double *zeta, const double *start, double *out) {
    double x[ZW_LIE_MOST], C[ZW_LIE_SQUARE];
    scaled(g->n, h, zeta, x);
    zw_lie_turn(g, x, C);
    times_transposed(g->n, C, start, out);
}

static bool consistent(zw_chain *c, const double *z0, int node, const double *F, double h, double *mu1, double *zeta) {
    enum { PASSES = 60 };
    const zw_lie *g = &c->algebra;
    int           n = c->n;
    const double *mu0 = zw_chain_mu(c, z0, node);
    double        start[ZW_LIE_MOST], mm[ZW_LIE_MOST], Z[ZW_LIE_SQUARE], J[ZW_LIE_SQUARE], r[ZW_LIE_MOST], before = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        start[i] = mm[i] = mu0[i] + h * F[i];
    }
    for (int pass = 0; pass < PASSES; pass++) {
        double change, size, half[ZW_LIE_MOST];
        zw_chain_bend(c, z0, node, mm, zeta, Z);
        if (g->cayley) { /* mm - start = h/2 [zeta, mm]* */
            zw_lie_star(g, zeta, mm, half);
            for (int i = 0; i < n; i++) {
                r[i] = mm[i] - start[i] - 0.5 * h * half[i];
            }
        } else { /* mm = Ad'(exp(h zeta/2)) start; the slope without its smaller part */
            act(g, 0.5 * h, zeta, start, half);
            for (int i = 0; i < n; i++) {
                r[i] = mm[i] - half[i];
            }
        }
        bracket_slope(c, 0.5 * h, zeta, mm, Z, g->cayley, J);
        if (!correct(n, J, r, mm, &change, &size)) {
            return false;
        }
        bool done = g->cayley ? change <= 1e-9 * size : change <= 1e-15 * size || (change < 1e-13 * size && change >= 0.5 * before);
        if (done || change == 0.0) {
            zw_chain_pace(c, z0, node, mm, zeta);
            act(g, h, zeta, start, mu1);
            return true;
        }
        before = change;
    }
    return false;
}

/* ---- ops */

static zw_status bracket_prepare(void *self, const zw_bracket_rule *rule, int *nz, int *nmu) {
    zw_fields *f = self;
    f->rule = *rule;
    for (int i = 0; i < f->nchains; i++) {
        zw_chain *c = &f->chain[i];
        c->end = rule->scheme != ZW_BRACKET_CONSISTENT && f->model->run.ends == ZW_ENDS_FULL ? 1.0 : 0.5;
        zw_chain_casimirs(c, f->start, c->casimir_start);
    }
    *nz = (int)f->nz;
    *nmu = (int)f->nmu;
    return ZW_OK;
}

static zw_status bracket_enter(void *self, const zw_state *x, double *z) {
    zw_fields *f = self;
    memcpy(z, x->s, sizeof(double) * f->nz);
    for (int i = 0; i < f->nchains; i++) {
        zw_chain_casimirs(&f->chain[i], z, f->chain[i].casimir_start);
    }
    return ZW_OK;
}

/* there is no configuration: s shows z to the world */
static void bracket_velocity(void *self, const double *z, zw_state *x) {
    const zw_fields *f = self;
    memcpy(x->s, z, sizeof(double) * f->nz);
}

static void bracket_pace(void *self, const double *z, double *zeta) {
    zw_fields *f = self;
    for (int i = 0; i < f->nchains; i++) {
        zw_chain *c = &f->chain[i];
        for (int j = 0; j <= c->nlinks; j++) {
            zw_chain_pace(c, z, j, zw_chain_mu(c, z, j), zeta + c->mu0 + (size_t)c->n * (size_t)j);
        }
    }
}

/* rate of mu by the links of one field */
static void chain_wrench(const zw_fields *f, zw_chain *c, const double *z, double *F) {
    double sigma[ZW_LIE_MOST], near[ZW_LIE_MOST], far[ZW_LIE_MOST];
    memset(F + c->mu0, 0, sizeof(double) * (size_t)c->n * (size_t)(c->nlinks + 1));
    for (int l = 0; l < c->nlinks; l++) {
        double *a = F + c->mu0 + (size_t)c->n * (size_t)l, *b = a + c->n;
        double  wa = 1.0 / (zw_chain_weight(c, l) * c->ds), wb = 1.0 / (zw_chain_weight(c, l + 1) * c->ds);
        zw_chain_stress(c, z, l, sigma);
        zw_chain_push(c, f->rule.scheme, zw_chain_gamma(c, z, l), sigma, near, far);
        for (int k = 0; k < c->n; k++) {
            a[k] += wa * near[k];
            b[k] -= wb * far[k];
        }
    }
}

static void bracket_wrench(void *self, const zw_state *at, const double *z, double *F) {
    zw_fields *f = self;
    (void)at;
    for (int i = 0; i < f->nchains; i++) {
        chain_wrench(f, &f->chain[i], z, F);
    }
}

static void bracket_load(void *self, const zw_state *at, const double *load, double *F) {
    (void)self;
    (void)at;
    (void)load;
    (void)F; /* loads act on places, and a field has none */
}

static bool chain_momenta(zw_fields *f, int i, const double *z0, const double *F, double h, double *z1, double *straining) {
    zw_chain *c = &f->chain[i];
    for (int j = 0; j <= c->nlinks; j++) {
        size_t at = c->mu0 + (size_t)c->n * (size_t)j;
        bool   ok = f->rule.scheme == ZW_BRACKET_CONSISTENT ? consistent(c, z0, j, F + at, h, z1 + at, straining + at)
                                                            : printed(f, c, z0, j, F + at, h, z1 + at, straining + at);
        if (!ok) {
            f->fault_chain = i;
            f->fault_node = j;
            return false;
        }
    }
    return true;
}

/* dh/dgamma at the new momenta, found again and again until they stay: then the step is the symplectic Euler method also for energies that mix mu and gamma */
static bool couple(zw_fields *f, int i, const double *z0, double h, double *z1, double *straining) {
    enum { PASSES = 100 };
    zw_chain *c = &f->chain[i];
    size_t    count = (size_t)c->n * (size_t)(c->nlinks + 1), links = (size_t)c->n * (size_t)c->nlinks;
    double    before = HUGE_VAL;
    memcpy(f->middle + c->gamma0, z0 + c->gamma0, sizeof(double) * links);
    for (int pass = 0; pass < PASSES; pass++) {
        double change = 0.0, size = 0.0;
        memcpy(f->middle + c->mu0, z1 + c->mu0, sizeof(double) * count);
        chain_wrench(f, c, f->middle, f->force);
        if (!chain_momenta(f, i, z0, f->force, h, z1, straining)) {
            return false;
        }
        for (size_t k = c->mu0; k < c->mu0 + count; k++) {
            double d = fabs(z1[k] - f->middle[k]);
            if (!(d <= change)) {
                change = d;
                f->fault_chain = i;
                f->fault_node = (int)((k - c->mu0) / (size_t)c->n);
            }
            size = fmax(size, fabs(z1[k]));
        }
        if (change <= 1e-15 * size || (change < 1e-12 * size && change >= 0.5 * before)) {
            return true;
        }
        before = change;
    }
    return false;
}

static bool bracket_momenta(void *self, const double *z0, const double *F, double h, double *z1, double *moving, double *straining) {
    zw_fields *f = self;
    for (int i = 0; i < f->nchains; i++) {
        if (!chain_momenta(f, i, z0, F, h, z1, straining) || (f->chain[i].couples && !couple(f, i, z0, h, z1, straining))) {
            return false;
        }
    }
    if (moving != NULL) {
        memcpy(moving, straining, sizeof(double) * f->nmu);
    }
    return true;
}

static void bracket_place(void *self, const zw_state *x0, const double *moving, double h, zw_state *x1) {
    (void)self;
    (void)x0;
    (void)moving;
    (void)h;
    (void)x1;
}

/* (1 + h/2 ad_zm) gamma1 = (1 - h/2 ad_zm) gamma0 + h/ds (zb - za) */
static void printed_strain(const zw_chain *c, const double *gamma0, const double *za, const double *zb, double h, double *gamma1) {
    int    n = c->n, pivot[ZW_LIE_MOST];
    double mean[ZW_LIE_MOST], A[ZW_LIE_SQUARE], turn[ZW_LIE_MOST];
    for (int i = 0; i < n; i++) {
        mean[i] = 0.25 * h * (za[i] + zb[i]);
    }
    zw_lie_ad(&c->algebra, mean, A);
    times(n, A, gamma0, turn);
    for (int i = 0; i < n; i++) {
        gamma1[i] = gamma0[i] - turn[i] + h / c->ds * (zb[i] - za[i]);
        A[(n + 1) * i] += 1.0;
    }
    if (zw_lu_factor(n, A, pivot) >= 0) {
        lose(n, gamma1);
        return;
    }
    zw_lu_solve(n, A, pivot, 1, gamma1);
}

static void bracket_strains(void *self, const double *z0, const double *straining, double h, double *z1) {
    zw_fields *f = self;
    for (int i = 0; i < f->nchains; i++) {
        zw_chain *c = &f->chain[i];
        for (int l = 0; l < c->nlinks; l++) {
            const double *gamma0 = zw_chain_gamma(c, z0, l), *za = zw_chain_mu(c, straining, l), *zb = zw_chain_mu(c, straining, l + 1);
            double       *gamma1 = z1 + c->gamma0 + (size_t)c->n * (size_t)l;
            if (f->rule.scheme != ZW_BRACKET_CONSISTENT) {
                printed_strain(c, gamma0, za, zb, h, gamma1);
                continue;
            }
            double a[ZW_LIE_MOST], b[ZW_LIE_MOST], x[ZW_LIE_MOST];
            scaled(c->n, h, za, a);
            scaled(c->n, h, zb, b);
            scaled(c->n, c->ds, gamma0, x);
            if (!zw_lie_compose(&c->algebra, a, x, b, x)) {
                lose(c->n, x);
            }
            scaled(c->n, 1.0 / c->ds, x, gamma1);
        }
    }
}

static void bracket_account(void *self, const zw_state *x, const double *z, zw_account *a) {
    zw_fields *f = self;
    (void)x;
    for (int i = 0; i < f->nchains; i++) {
        double kinetic, elastic;
        zw_chain_energy(&f->chain[i], z, &kinetic, &elastic);
        a->kinetic += kinetic;
        a->elastic += elastic;
    }
}

static void bracket_fault(void *self, char *text, size_t size) {
    const zw_fields *f = self;
    const zw_chain  *c = &f->chain[f->fault_chain];
    char             s[ZW_NUMBER_TEXT];
    snprintf(text, size, "node %d of field '%s' (s = %s m)", f->fault_node, c->name, zw_number_short(f->fault_node * c->ds, 6, s));
}

enum { OWN_BRACKET, OWN_CASIMIR, OWN_COUNT };

static bool bracket_own(void *self, int i, zw_channel *out) {
    const zw_fields         *f = self;
    static const char *const name[OWN_COUNT] = {[OWN_BRACKET] = "field/bracket", [OWN_CASIMIR] = "field/casimirs"};
    static const char *const unit[OWN_COUNT] = {[OWN_BRACKET] = "W", [OWN_CASIMIR] = "1"};
    bool                     any = false;
    for (int k = 0; k < f->nchains; k++) {
        any = any || f->chain[k].ncasimirs > 0;
    }
    if (i >= (any ? OWN_COUNT : OWN_CASIMIR)) {
        return false;
    }
    *out = (zw_channel){.count = 1};
    snprintf(out->name, sizeof out->name, "%s", name[i]);
    snprintf(out->unit, sizeof out->unit, "%s", unit[i]);
    return true;
}

/* largest |{h, h}|; largest change of an invariant since the start, relative to its value there (absolute where that is 0) */
static double bracket_observe(void *self, const double *z, int i) {
    zw_fields *f = self;
    double     most = 0.0;
    for (int k = 0; k < f->nchains; k++) {
        zw_chain *c = &f->chain[k];
        if (i == OWN_BRACKET) {
            zw_chain_gradient(c, z, f->gradient);
            most = fmax(most, fabs(zw_chain_bracket(c, f->rule.scheme, z, f->gradient, f->gradient)));
            continue;
        }
        zw_chain_casimirs(c, z, f->casimir);
        for (int n = 0; n < c->ncasimirs; n++) {
            double scale = fabs(c->casimir_start[n]);
            most = fmax(most, fabs(f->casimir[n] - c->casimir_start[n]) / (scale > 0.0 ? scale : 1.0));
        }
    }
    return most;
}

const zw_bracket_ops zw_fields_bracket_ops = {
    .prepare = bracket_prepare,
    .enter = bracket_enter,
    .velocity = bracket_velocity,
    .pace = bracket_pace,
    .wrench = bracket_wrench,
    .load = bracket_load,
    .momenta = bracket_momenta,
    .place = bracket_place,
    .strains = bracket_strains,
    .account = bracket_account,
    .fault = bracket_fault,
    .own = bracket_own,
    .observe = bracket_observe,
};

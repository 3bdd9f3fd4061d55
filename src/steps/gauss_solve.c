/* SPDX-License-Identifier: Apache-2.0
 * gauss_solve.c: the s stages. With A_j the accelerations at the stages and w_j = h b_j,
 *   v_i = v0 + sum_j mu_ij w_j A_j,   xi_i = sum_j mu_ij w_j xi'_j,   q_i = retract(q0, xi_i),   xi'_i = chart rate at (xi_i, v_i)   (= v_i in a flat chart)
 *   A_i = acceleration at (t0 + c_i h, q_i, v_i).
 * Start values: the polynomial through the stages of up to two steps before, continued (they carry errors of the order of the stages, which longer
 * extrapolations blow up). Then
 *   fixed point   A <- acceleration: contracts by about h omega radius; nothing to set up
 *   Newton        (I - h a (x) Jv - h^2 a^2 (x) Jq) dA = acceleration - A, with one Jacobian by differences kept over steps (in w, so that a step stays a map)
 * The fixed point is tried first. When it takes many rounds and the system is small, Newton takes over and stays for a while. Between rigid bodies that joints
 * alone hold together nothing is stiff: there Newton is for steps where the fixed point fails, and does not stay. */
#include "steps/gauss.h"

#include "base/number.h"
#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double *history(const zw_collocation *k, const zw_state *x, int step) {
    return x->w + k->w_history + (ptrdiff_t)step * k->s * k->n.nv;
}

/* Weights of the stages in the history at the stages of the next step; the same step lengths come again and again.
 * First P, the polynomial through the stages of the last two steps. Stage values are of order s only, with an error that has the same pattern in every step, and P
 * makes much more of it; but the error of P is smooth from step to step. Where steps have one length it is continued, by its last three values. */
static int weights(zw_collocation *k, const zw_state *x0, double h) {
    enum { BASE = 2 };
    int    n = (int)x0->w[ZW_COLLOCATION_COUNT], s = k->s, base = n < BASE ? n : BASE, corrections = n - base;
    double of[ZW_HISTORY + 2] = {(double)n, h};
    for (int i = 0; i < n; i++) {
        of[2 + i] = x0->w[ZW_COLLOCATION_H + i];
        corrections = of[2 + i] == h ? corrections : 0;
    }
    if (memcmp(of, k->weight_of, sizeof of) != 0) {
        double node[ZW_STAGES * BASE] = {0.0}, P[ZW_STAGES * ZW_STAGES * BASE], back = 0.0, binomial = 1.0;
        for (int i = 0; i < base; i++) {
            back += of[2 + i];
            for (int j = 0; j < s; j++) {
                node[i * s + j] = (k->T->c[j] * of[2 + i] - back) / h;
            }
        }
        zw_tableau_weights(base * s, node, s, k->T->c, P);
        memset(k->weight, 0, sizeof k->weight);
        for (int l = 0; l <= corrections; l++) { /* P, then the error of P that was made l steps ago */
            for (int i = 0; i < s; i++) {
                double *w = k->weight + (ptrdiff_t)i * n * s;
                for (int j = 0; j < base * s; j++) {
                    w[l * s + j] += (l == 0 ? 1.0 : -binomial) * P[i * base * s + j];
                }
                if (l > 0) {
                    w[(l - 1) * s + i] += binomial;
                }
            }
            binomial = l == 0 ? corrections : -binomial * (corrections - l) / (l + 1);
        }
        memcpy(k->weight_of, of, sizeof of);
    }
    return n * s;
}

static zw_status begin(zw_collocation *k, const zw_state *x0, double h, const double *guess) {
    int    nv = k->n.nv, s = k->s;
    size_t bytes = sizeof(double) * (size_t)nv;
    if (guess != NULL) {
        memcpy(k->a, guess, bytes * (size_t)s);
        return ZW_OK;
    }
    if (x0->w[ZW_COLLOCATION_COUNT] == 0.0) {
        ZW_TRY(zw_collocation_accelerate(k, x0, k->a, k->lambda));
        for (int i = 1; i < s; i++) {
            memcpy(k->a + (ptrdiff_t)i * nv, k->a, bytes);
        }
        return ZW_OK;
    }
    int           n = weights(k, x0, h);
    const double *old = history(k, x0, 0);
    for (int i = 0; i < s; i++) {
        double       *a = k->a + (ptrdiff_t)i * nv;
        const double *w = k->weight + (ptrdiff_t)i * n;
        for (int l = 0; l < nv; l++) {
            a[l] = w[0] * old[l];
        }
        for (int j = 1; j < n; j++) {
            const double *from = old + (ptrdiff_t)j * nv;
            for (int l = 0; l < nv; l++) {
                a[l] += w[j] * from[l];
            }
        }
    }
    return ZW_OK;
}

/* out_i = start + sum_j mu_ij w_j of_j */
static void spread(const zw_collocation *k, const double *w, const double *start, const double *of, int i, double *out) {
    int           nv = k->n.nv, s = k->s;
    const double *mu = k->T->mu[i];
    double        f[ZW_STAGES];
    for (int j = 0; j < s; j++) {
        f[j] = mu[j] * w[j];
    }
    for (int l = 0; l < nv; l++) {
        double sum = f[0] * of[l];
        for (int j = 1; j < s; j++) {
            sum += f[j] * of[(ptrdiff_t)j * nv + l];
        }
        out[l] = start != NULL ? start[l] + sum : sum;
    }
}

/* stage states of k->a; k->xi holds the last chart coordinates where the chart is not flat */
static void place(zw_collocation *k, const zw_state *x0, double h, const double *w, bool again) {
    int nv = k->n.nv, s = k->s;
    for (int i = 0; i < s; i++) {
        spread(k, w, x0->v, k->a, i, k->stage[i].v);
        k->stage[i].t = x0->t + k->T->c[i] * h;
    }
    k->moved = 0.0;
    for (int pass = 0; pass < (k->all_flat ? 1 : again ? 1 : 3); pass++) {
        for (int i = 0; i < s; i++) {
            double *rate = k->rate + (ptrdiff_t)i * nv, *xi = k->xi + (ptrdiff_t)i * nv;
            if (k->all_flat || (pass == 0 && !again)) {
                memcpy(rate, k->stage[i].v, sizeof(double) * (size_t)nv);
            } else {
                zw_system_chart_rate(k->y, x0->q, xi, k->stage[i].q, k->stage[i].v, rate);
            }
        }
        for (int i = 0; i < s; i++) {
            double *xi = k->xi + (ptrdiff_t)i * nv;
            if (again && !k->all_flat) {
                memcpy(k->dv, xi, sizeof(double) * (size_t)nv);
            }
            spread(k, w, NULL, k->rate, i, xi);
            for (int l = 0; again && !k->all_flat && l < nv; l++) { /* as a velocity over the step */
                double part = fabs((xi[l] - k->dv[l]) / h) * k->scale[l];
                k->moved = part <= k->moved ? k->moved : part;
            }
            zw_system_retract(k->y, x0->q, xi, k->stage[i].q);
        }
    }
}

static zw_status evaluate(zw_collocation *k) {
    int nv = k->n.nv, m = k->m;
    zw_system_foresee(k->y, k->s, k->stage);
    for (int i = 0; i < k->s; i++) {
        ZW_TRY(zw_collocation_accelerate(k, &k->stage[i], k->fresh + (ptrdiff_t)i * nv, k->lambda + (ptrdiff_t)i * m));
    }
    return ZW_OK;
}

/* largest change of a velocity that the difference of two sets of accelerations makes, relative to the velocities */
static double change(const zw_collocation *k, const double *w, const double *a, const double *b) {
    double most = 0.0;
    for (int i = 0; i < k->s; i++) {
        const double *x = a + (ptrdiff_t)i * k->n.nv, *z = b + (ptrdiff_t)i * k->n.nv;
        double        size = fabs(w[i]);
        for (int l = 0; l < k->n.nv; l++) {
            double part = size * fabs(x[l] - z[l]) * k->scale[l];
            most = part <= most ? most : part; /* nan is most */
        }
    }
    return most;
}

/* largest h |A'| |lambda| / M over the velocities, at the last stage: where rows hold bodies at rest against forces, what moves is round-off of it */
double zw_collocation_held(zw_collocation *k, double h) {
    const zw_rows *A;
    const double  *lambda = k->lambda + (ptrdiff_t)(k->s - 1) * k->m;
    double         most = 0.0;
    if (k->m == 0 || zw_system_rows(k->y, &k->stage[k->s - 1], &A) != ZW_OK) {
        return 0.0;
    }
    memset(k->noise, 0, sizeof(double) * (size_t)k->n.nv);
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int j = tile->block0; j < tile->block0 + tile->nblocks; j++) {
            const zw_block *b = &A->block[j];
            for (int i = 0; i < tile->m * b->ncol; i++) {
                k->noise[b->col0 + i % b->ncol] += fabs(A->a[b->a + i] * lambda[tile->row + i / b->ncol]);
            }
        }
    }
    zw_collocation_weights(k, &k->stage[k->s - 1], k->dv);
    for (int l = 0; l < k->n.nv; l++) {
        most = fmax(most, fabs(h) * k->noise[l] * k->dv[l]);
    }
    return isfinite(most) ? most : 0.0;
}

/* 1/size of each velocity: itself, or a hundredth of the largest one or of what the accelerations make of it in this step */
static void measure_scale(zw_collocation *k, const zw_state *x0, double h) {
    double largest = 0.0, force = 0.0;
    int    nv = k->n.nv;
    for (int l = 0; l < nv; l++) {
        double size = fmax(fabs(x0->v[l]), fabs(h * k->a[l]));
        largest = fmax(largest, size);
        k->scale[l] = size;
    }
    for (int i = 0; i < k->m; i++) {
        force = fmax(force, fabs(k->lambda[(ptrdiff_t)(k->s - 1) * k->m + i]));
    }
    if (largest < 1e-8 * fabs(h) * force) { /* at rest, or nearly */
        largest = fmax(largest, zw_collocation_held(k, h));
    }
    for (int l = 0; l < nv; l++) {
        k->scale[l] = largest > 1e-280 ? 1.0 / fmax(k->scale[l], 1e-2 * largest) : 1.0;
    }
}

/* round-off of the accelerations as far as it comes from that of q and v through the Jacobian: stiff forces are differences of large terms */
void zw_collocation_noise(const zw_collocation *k, const zw_state *x, const double *J, double *out) {
    int nv = k->n.nv;
    for (int i = 0; i < nv; i++) {
        const double *row = J + (ptrdiff_t)i * 2 * nv;
        double        sum = 0.0;
        for (int j = 0; j < nv; j++) {
            double q = k->all_flat && k->n.nq == nv ? fabs(x->q[j]) : 1.0;
            sum += fabs(row[j]) * q + fabs(row[nv + j] * x->v[j]);
        }
        out[i] = 4.0 * DBL_EPSILON * sum;
    }
}

/* The change of velocities below which accelerations are round-off: those of linked bodies are sums of reactions, M^-1 A' lambda, which cancel; a chain that
 * hangs carries the weight of all its links at the first one. The rows know their arms to eps |A| and, being differences of places, to the last bits of the
 * coordinates, eps |q|. Largest eps h (|A'| + |q|) |lambda| / M over the velocities, at the last stage */
static zw_status reaction_noise(zw_collocation *k, double h, double *floor) {
    const zw_rows *A;
    const double  *lambda = k->lambda + (ptrdiff_t)(k->s - 1) * k->m;
    double         farthest = 0.0;
    *floor = 0.0;
    if (k->m == 0) {
        return ZW_OK;
    }
    ZW_TRY(zw_system_rows(k->y, &k->stage[k->s - 1], &A));
    memset(k->noise, 0, sizeof(double) * (size_t)k->n.nv);
    for (int i = 0; i < k->n.nq; i++) {
        farthest = fmax(farthest, fabs(k->stage[k->s - 1].q[i]));
    }
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int j = tile->block0; j < tile->block0 + tile->nblocks; j++) {
            const zw_block *b = &A->block[j];
            for (int i = 0; i < tile->m; i++) {
                const double *row = A->a + b->a + (ptrdiff_t)i * b->ncol;
                double        size = fabs(lambda[tile->row + i]);
                for (int l = 0; l < b->ncol; l++) {
                    k->noise[b->col0 + l] += (fabs(row[l]) + farthest) * size;
                }
            }
        }
    }
    zw_collocation_weights(k, &k->stage[k->s - 1], k->dv);
    for (int l = 0; l < k->n.nv; l++) {
        *floor = fmax(*floor, DBL_EPSILON * fabs(h) * k->noise[l] * k->dv[l] * k->scale[l]);
    }
    return ZW_OK;
}

typedef struct report {
    bool   converged;
    int    rounds;
    double change, rate;
} report;

static bool settled(report *r, double before, double target) {
    double rate = before > 0.0 ? r->change / before : r->rate;
    if (r->change == 0.0) {
        return true;
    }
    if (before > 0.0) {
        r->rate = rate;
    }
    if (rate < 0.5 && r->change * rate <= target * (1.0 - rate)) {
        return true;
    }
    return before > 0.0 && r->change < 1e-11 && rate > 0.3; /* round-off of the accelerations is all that is left */
}

static zw_status fixed_point(zw_collocation *k, const zw_state *x0, double h, const double *w, report *r) {
    enum { MOST = 50 };
    double before = 0.0, best = HUGE_VAL;
    int    slow = 0, since = 0;
    bool   impatient = k->newton && !k->linked;
    for (r->rounds = 1; r->rounds <= MOST; r->rounds++) {
        place(k, x0, h, w, r->rounds > 1);
        ZW_TRY(evaluate(k));
        if (r->rounds == 1) {
            measure_scale(k, x0, h);
        }
        r->change = fmax(change(k, w, k->fresh, k->a), k->moved);
        double *t = k->a;
        k->a = k->fresh;
        k->fresh = t;
        if (!isfinite(r->change)) {
            return ZW_OK;
        }
        if (settled(r, before, k->target) && (k->all_flat || r->rounds > 1)) {
            r->converged = true;
            return ZW_OK;
        }
        slow = before > 0.0 && r->change > (impatient ? 0.5 : 0.9) * before ? slow + 1 : 0;
        /* stiff parts at small velocities: what does not shrink any more is round-off of large forces, times h omega over the velocities; an iteration whose
         * step is within the limit would contract */
        since = r->change < 0.9 * best ? 0 : since + 1;
        best = fmin(best, r->change);
        if (since > 2 && !impatient) {
            double floor = 0.0;
            if (!(r->change < 1e-8)) {
                ZW_TRY(reaction_noise(k, h, &floor));
            }
            if (r->change < fmax(1e-8, 4.0 * floor)) {
                r->converged = true;
                return ZW_OK;
            }
        }
        if (slow >= (impatient ? 2 : 4) ||
            (before > 0.0 && r->change > fmax(1e3 * before, 1e-6))) { /* a start that is nearly right may fall back a little */
            return ZW_OK;
        }
        before = r->change;
    }
    return ZW_OK;
}

/* d acceleration / d(q, v) at x0 by differences, into J [nv][2 nv]; the stage states serve as places for as many columns at once */
static zw_status jacobian(zw_collocation *k, const zw_state *x0, double h, double *J) {
    int    nv = k->n.nv, s = k->s;
    double largest = 0.0, step[ZW_STAGES];
    ZW_TRY(zw_collocation_accelerate(k, x0, k->sum, k->lambda));
    for (int l = 0; l < nv; l++) {
        largest = fmax(largest, fmax(fabs(x0->v[l]), fabs(h * k->sum[l])));
    }
    for (int first = 0; first < 2 * nv; first += s) {
        int count = 2 * nv - first < s ? 2 * nv - first : s;
        for (int i = 0; i < count; i++) {
            int       l = first + i;
            zw_state *x = &k->stage[i];
            x->t = x0->t;
            memcpy(x->v, x0->v, sizeof(double) * (size_t)nv);
            memcpy(x->q, x0->q, sizeof(double) * (size_t)k->n.nq);
            step[i] = (l < nv ? fabs(h) : 1.0) * 1e-7 * (largest > 0.0 ? largest : 1.0);
            if (l < nv) {
                memset(k->dv, 0, sizeof(double) * (size_t)nv);
                k->dv[l] = step[i] = fmax(step[i], 1e-9);
                zw_system_retract(k->y, x0->q, k->dv, x->q);
            } else {
                x->v[l - nv] += step[i];
                step[i] = x->v[l - nv] - x0->v[l - nv];
            }
        }
        zw_system_foresee(k->y, count, k->stage);
        for (int i = 0; i < count; i++) {
            ZW_TRY(zw_collocation_accelerate(k, &k->stage[i], k->fresh, k->lambda));
            for (int r = 0; r < nv; r++) {
                J[(ptrdiff_t)r * 2 * nv + first + i] = (k->fresh[r] - k->sum[r]) / step[i];
            }
        }
    }
    return ZW_OK;
}

/* inverse of I - h a (x) Jv - h^2 a^2 (x) Jq; kept while J and h are the same, which changes nothing but the time it takes */
static bool newton_factor(zw_collocation *k, const double *J, double h) {
    int    nv = k->n.nv, s = k->s, N = nv * s;
    size_t size = 2 * sizeof(double) * (size_t)nv * (size_t)nv;
    if (k->made && k->made_h == h && memcmp(k->made_of, J, size) == 0) {
        return true;
    }
    k->made = false;
    for (int i = 0; i < s; i++) {
        for (int j = 0; j < s; j++) {
            double a = h * k->T->mu[i][j] * k->T->b[j], aa = 0.0;
            for (int l = 0; l < s; l++) {
                aa += h * h * k->T->mu[i][l] * k->T->b[l] * k->T->mu[l][j] * k->T->b[j];
            }
            for (int r = 0; r < nv; r++) {
                double       *to = k->newton_matrix + (size_t)(i * nv + r) * (size_t)N + (size_t)(j * nv);
                const double *from = J + (ptrdiff_t)r * 2 * nv;
                for (int c = 0; c < nv; c++) {
                    to[c] = (i == j && r == c ? 1.0 : 0.0) - a * from[nv + c] - aa * from[c];
                }
            }
        }
    }
    if (zw_lu_factor(N, k->newton_matrix, k->newton_pivot) >= 0) {
        return false;
    }
    zw_lu_inverse(N, k->newton_matrix, k->newton_pivot, k->newton_inverse);
    for (int i = 0; i < N; i++) { /* by columns: products run along them */
        for (int j = 0; j < i; j++) {
            double *a = &k->newton_inverse[(size_t)i * (size_t)N + (size_t)j], *b = &k->newton_inverse[(size_t)j * (size_t)N + (size_t)i],
                   swap = *a;
            *a = *b;
            *b = swap;
        }
    }
    memcpy(k->made_of, J, size);
    k->made_h = h;
    k->made = true;
    return true;
}

static zw_status newton(zw_collocation *k, const zw_state *x0, double h, const double *w, const double *J, report *r) {
    enum { MOST = 40 };
    int    N = k->n.nv * k->s;
    double before = 0.0, best = HUGE_VAL, floor = 0.0;
    int    since = 0;
    if (!newton_factor(k, J, h)) {
        return ZW_OK;
    }
    for (r->rounds = 1; r->rounds <= MOST; r->rounds++) {
        place(k, x0, h, w, r->rounds > 1);
        ZW_TRY(evaluate(k));
        if (r->rounds == 1) {
            measure_scale(k, x0, h);
            zw_collocation_noise(k, x0, J, k->noise);
            for (int l = 0; l < k->n.nv; l++) {
                floor = fmax(floor, fabs(h) * k->noise[l] * k->scale[l]);
            }
        }
        memcpy(k->newton_side, k->a, sizeof(double) * (size_t)N);
        for (int j = 0; j < N; j++) {
            const double *column = k->newton_inverse + (size_t)j * (size_t)N;
            double        gap = k->fresh[j] - k->a[j];
            for (int i = 0; i < N; i++) {
                k->newton_side[i] += gap * column[i];
            }
        }
        memcpy(k->fresh, k->newton_side, sizeof(double) * (size_t)N);
        r->change = fmax(change(k, w, k->fresh, k->a), k->moved);
        memcpy(k->a, k->fresh, sizeof(double) * (size_t)N);
        if (!isfinite(r->change)) {
            return ZW_OK;
        }
        if (settled(r, before, k->target) && (k->all_flat || r->rounds > 1)) {
            r->converged = true;
            return ZW_OK;
        }
        since = r->change < 0.9 * best ? 0 : since + 1;
        best = fmin(best, r->change);
        if (since > 2 && r->change < fmax(1e-8, 100.0 * floor)) { /* round-off of large forces */
            r->converged = true;
            return ZW_OK;
        }
        if (before > 0.0 && r->change > 2.0 * before && r->rounds > 3 && r->change > fmax(1e-8, 100.0 * floor)) {
            return ZW_OK;
        }
        before = r->change;
    }
    return ZW_OK;
}

static zw_status not_converged(zw_collocation *k, double t, double h, const report *r) {
    char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT], c[ZW_NUMBER_TEXT];
    return zw_raise(k->c, ZW_E_CONVERGENCE, "run.step", "use a smaller step, or leave it out and let it be chosen",
                    "the stages of gauss did not converge at t = %s s with a step of %s s: change %s after %d rounds",
                    zw_number_short(t, 8, a), zw_number_short(h, 4, b), zw_number_short(r->change, 3, c), r->rounds);
}

/* Newton with the Jacobian in x1->w: as it is; made anew at x0 when it is stale or does not do; at the middle stage as far as the iteration came, twice;
 * and from rest */
static zw_status by_newton(zw_collocation *k, const zw_state *x0, double h, const double *w, const double *guess, zw_state *x1, report *r) {
    enum { OLD, NEW, MIDDLE, MIDDLE_AGAIN, FROM_REST, END };
    double   *J = x1->w + k->w_jacobian, *mode = &x1->w[ZW_COLLOCATION_MODE], *stale = &x1->w[ZW_COLLOCATION_STALE];
    zw_status status = ZW_OK;
    for (int attempt = *mode > 0.0 && *stale == 0.0 ? OLD : NEW; attempt < END && !r->converged; attempt++) {
        bool usable = status == ZW_OK && isfinite(r->change);
        if (status != ZW_OK) {
            zw_error_clear(k->c);
        }
        if ((attempt == MIDDLE || attempt == MIDDLE_AGAIN) && !usable) {
            continue;
        }
        if (attempt == MIDDLE || attempt == MIDDLE_AGAIN) {
            const zw_state *from = &k->stage[k->s / 2];
            zw_state        middle = {.t = from->t, .q = k->trial.q, .v = k->trial.v, .s = x0->s, .w = x0->w};
            memcpy(middle.q, from->q, sizeof(double) * (size_t)k->n.nq);
            memcpy(middle.v, from->v, sizeof(double) * (size_t)k->n.nv);
            status = jacobian(k, &middle, h, J);
        } else if (attempt != OLD) {
            status = jacobian(k, x0, h, J);
        }
        if (status != ZW_OK) {
            continue;
        }
        if (attempt == FROM_REST) {
            memset(k->a, 0, sizeof(double) * (size_t)k->n.nv * (size_t)k->s);
        } else if (attempt < MIDDLE) {
            ZW_TRY(begin(k, x0, h, guess));
        }
        *mode = attempt == OLD ? *mode : 0.0;
        *r = (report){.rate = 0.5};
        status = newton(k, x0, h, w, J, r);
    }
    ZW_TRY(status);
    if (!r->converged) {
        return not_converged(k, x0->t, h, r);
    }
    *mode += 1.0;
    *stale = r->rounds > 5 ? 1.0 : 0.0;
    return ZW_OK;
}

zw_status zw_collocation_solve(zw_collocation *k, const zw_state *x0, double h, const double *guess, zw_state *x1) {
    const double again = k->linked ? 4.0 : 256.0; /* steps by Newton until the fixed point is tried again */
    double       w[ZW_STAGES];
    report       r = {.rate = x0->w[ZW_COLLOCATION_RATE]};
    for (int i = 0; i < k->s; i++) {
        w[i] = h * k->T->b[i];
    }
    bool      by_hand = !k->newton || x1->w[ZW_COLLOCATION_MODE] == 0.0 || x1->w[ZW_COLLOCATION_MODE] >= again;
    zw_status status = ZW_OK;
    if (by_hand) {
        x1->w[ZW_COLLOCATION_MODE] = 0.0;
        status = begin(k, x0, h, guess);
        status = status == ZW_OK ? fixed_point(k, x0, h, w, &r) : status;
        if (status == ZW_E_RANK || (status != ZW_OK && !k->newton)) {
            return status;
        }
    }
    if (status == ZW_OK && by_hand && !r.converged && !k->newton) {
        return not_converged(k, x0->t, h, &r);
    }
    /* a shorter step costs less than the dense matrix of many stages */
    if (status == ZW_OK && by_hand && !r.converged && k->linked && k->adapting && k->s * k->n.nv > ZW_NEWTON_MOST) {
        return not_converged(k, x0->t, h, &r);
    }
    if (!r.converged) {
        if (status != ZW_OK) {
            zw_error_clear(k->c);
        }
        ZW_TRY(by_newton(k, x0, h, w, guess, x1, &r));
    }
    if (k->newton && !k->linked && x1->w[ZW_COLLOCATION_MODE] == 0.0 && r.rounds > 6) { /* a Jacobian will pay */
        x1->w[ZW_COLLOCATION_MODE] = x1->w[ZW_COLLOCATION_STALE] = 1.0;
    }
    x1->w[ZW_COLLOCATION_RATE] = fmin(fmax(r.rate, 1e-3), 0.5);
    x1->w[ZW_COLLOCATION_ROUNDS] = r.rounds;
    return ZW_OK;
}

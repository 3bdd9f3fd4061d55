/* SPDX-License-Identifier: Apache-2.0
 * unilateral.c: the face of the kernel with inequalities. One solve is
 *   1. the remembered set is tried; in resting contact that is all;
 *   2. otherwise a search proposes sets: dense for few rows (unilateral_dense.c), Newton's for many (unilateral_newton.c, also where the dense one gets lost);
 *   3. the set that passes is widened to all rows with gap 0, and the multipliers of least norm are taken where rows are redundant.
 * A set passes when |min(mu_i w_i, N_i x - c_i)| <= 1e-12 of the terms of each row, w_i about N_i H^-1 N_i', which has mu in the units of the gap. x is unique; so
 * what is returned depends on neither the history nor the search, beyond round-off. Least norm: a set with nonnegative least-norm multipliers that holds all rows
 * of gap 0 is proof; otherwise the set comes from a search with a ridge, which is right for all but nearly degenerate multipliers. */
#include "project/unilateral_search.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PASS = 1e-12, TOUCH = 1e-12, ACCEPT = 1e-8;

enum { REPAIRS = 6, UNKNOWN = -1 };

zw_status zw_unilateral_create(zw_context *c, zw_unilateral **out) {
    if (!c || !out) {
        return ZW_E_ARG;
    }
    *out = zw_alloc(c, 1, sizeof **out, "unilateral kernel");
    if (!*out) {
        return ZW_E_MEMORY;
    }
    (*out)->context = c;
    zw_arena_init(&(*out)->arena, c);
    zw_primal_init(&(*out)->primal, c);
    zw_status status = zw_solver_create(c, &(*out)->exact);
    if (status == ZW_OK) {
        status = zw_solver_create(c, &(*out)->metric);
    }
    if (status != ZW_OK) {
        zw_unilateral_destroy(*out);
        *out = NULL;
        return status;
    }
    zw_solver_tolerate((*out)->exact, INFINITY);
    return ZW_OK;
}

void zw_unilateral_destroy(zw_unilateral *u) {
    if (u) {
        zw_solver_destroy(u->exact);
        zw_solver_destroy(u->metric);
        zw_primal_destroy(&u->primal);
        zw_arena_destroy(&u->arena);
        zw_free(u->context, u->memory);
        zw_free(u->context, u);
    }
}

void zw_unilateral_forget(zw_unilateral *u) {
    u->nmemory = 0;
}

/* ---- the answer of a set ---- */

/* scale_i = sum_j |G_ij| size_j + |rhs_i|, size_j = max(|xfree_j|, |x_j|, terms of (H^-1 G'y)_j): what x_j is a difference of. The terms, which grow without
 * bound where rows contradict, count up to a hundred times the largest x only; and no row counts less than a millionth of the largest (in scaled rows) */
void zw_unilateral_scales(zw_unilateral *u) {
    double *size = u->wn[5], most = 0.0, top = 0.0;
    zw_unilateral_terms(u, u->now.y, size);
    for (int j = 0; j < u->n; j++) {
        top = fmax(top, fmax(fabs(u->xfree[j]), fabs(u->now.x[j])) / sqrt(u->inverse[j]));
    }
    for (int j = 0; j < u->n; j++) {
        double terms = fmin(size[j] * u->inverse[j], 100.0 * top * sqrt(u->inverse[j]));
        size[j] = fmax(fmax(fabs(u->xfree[j]), fabs(u->now.x[j])), terms);
    }
    zw_unilateral_sizes_of(u, size, u->scale);
    for (int k = 0; k < u->m; k++) {
        u->scale[k] += fabs(u->rhs[k]);
        most = fmax(most, u->scale[k] / sqrt(u->weight[k]));
    }
    for (int k = 0; k < u->m; k++) {
        u->scale[k] = fmax(u->scale[k], 1e-6 * most * sqrt(u->weight[k]));
        u->scale[k] = u->scale[k] > 0.0 ? u->scale[k] : 1.0; /* all is zero */
    }
}

static zw_status judge(zw_unilateral *u) {
    zw_answer *a = &u->now;
    double    *rows = u->wm[6], worst = 0.0, off = 0.0;
    zw_unilateral_scales(u);
    zw_unilateral_apply(u, a->x, rows);
    for (int k = 0; k < u->ma; k++) {
        off = fmax(off, fabs(rows[k] - u->rhs[k]) / u->scale[k]);
    }
    for (int k = 0; k < u->m; k++) { /* also a row that is switched off */
        if (!isfinite(rows[k] - u->rhs[k])) {
            return zw_raise(u->context, ZW_E_DIVERGED, "contacts", "look at the state that the rows were made from",
                            "row %d of %s, or its right side, is not finite", k < u->ma ? k : k - u->ma, k < u->ma ? "A" : "N");
        }
    }
    for (int i = 0; i < u->mi; i++) {
        int    k = u->ma + i;
        double mu = a->y[k] * u->weight[k];
        a->gap[i] = rows[k] - u->rhs[k];
        worst = fmax(worst, fabs(fmin(mu, a->gap[i])) / u->scale[k]);
        if (a->set[i]) {
            off = fmax(off, fabs(a->gap[i]) / u->scale[k]);
        }
    }
    a->verdict.residual = worst;
    a->verdict.contradiction = off;
    a->verdict.passes = worst <= PASS && off <= ACCEPT;
    return ZW_OK;
}

void zw_unilateral_inverse(const zw_unilateral *u, const double *z, double *y) {
    zw_solver_metric_inverse(u->large ? u->metric : u->exact, z, y);
}

/* by the kernel's factor in the rows */
static zw_status try_rows(zw_unilateral *u) {
    zw_answer      *a = &u->now;
    zw_project_info info;
    int             off = 0;
    zw_unilateral_switch(u, a->set);
    ZW_TRY(zw_solver_factor(u->exact, u->H, &u->rows, NULL));
    if (!u->xfree_known) {
        zw_solver_metric_inverse(u->exact, u->f, u->xfree);
        u->xfree_known = true;
    }
    for (int k = 0; k < u->m; k++) {
        bool on = k < u->ma || a->set[k - u->ma];
        u->rhs_set[k] = on ? u->rhs[k] : 0.0;
        off += !on;
    }
    ZW_TRY(zw_solver_solve(u->exact, u->f, u->rhs_set, a->x, a->y, &info));
    for (int i = 0; i < u->mi; i++) {
        if (!a->set[i]) {
            a->y[u->ma + i] = 0.0;
        }
    }
    a->verdict = (zw_verdict){.redundant = info.redundant - off, .condition = info.condition, .value = info.value};
    return ZW_OK;
}

/* by the factor in the columns; what is redundant is found later */
static zw_status try_columns(zw_unilateral *u, bool *done) {
    static const zw_rows none = {.m = 0};
    zw_answer           *a = &u->now;
    double              *force = u->wn[4], twice = 0.0;
    if (!u->xfree_known) {
        ZW_TRY(zw_solver_factor(u->metric, u->H, &none, NULL));
        zw_solver_metric_inverse(u->metric, u->f, u->xfree);
        u->xfree_known = true;
    }
    ZW_TRY(zw_unilateral_answer(u, done));
    zw_unilateral_transposed(u, a->y, force);
    for (int j = 0; j < u->n; j++) {
        twice += force[j] * (a->x[j] - u->xfree[j]);
    }
    a->verdict = (zw_verdict){.redundant = UNKNOWN, .value = twice > 0.0 ? 0.5 * twice : 0.0};
    return ZW_OK;
}

zw_status zw_unilateral_try(zw_unilateral *u, const unsigned char *set) {
    bool done = false;
    memmove(u->now.set, set, (size_t)u->mi);
    if (u->large) {
        ZW_TRY(try_columns(u, &done));
    }
    if (!done) {
        ZW_TRY(try_rows(u));
    }
    return judge(u);
}

static void redundancy_find(zw_unilateral *u, zw_answer *a) {
    if (a->verdict.redundant == UNKNOWN) {
        int rows = u->ma;
        for (int i = 0; i < u->mi; i++) {
            rows += a->set[i];
        }
        a->verdict.redundant = rows - zw_unilateral_rank(u, a->set, &a->verdict.condition);
    }
}

static void answer_copy(const zw_unilateral *u, const zw_answer *from, zw_answer *to) {
    memcpy(to->set, from->set, (size_t)u->mi);
    memcpy(to->x, from->x, (size_t)u->n * sizeof *to->x);
    memcpy(to->y, from->y, (size_t)u->m * sizeof *to->y);
    memcpy(to->gap, from->gap, (size_t)u->mi * sizeof *to->gap);
    to->verdict = from->verdict;
}

static double badness(const zw_verdict *v) {
    return v->contradiction <= ACCEPT ? v->residual : fmax(v->residual, v->contradiction);
}

static void keep_best(zw_unilateral *u) {
    if (badness(&u->now.verdict) < badness(&u->best.verdict)) {
        answer_copy(u, &u->now, &u->best);
    }
}

zw_status zw_unilateral_settle(zw_unilateral *u, const unsigned char *set) {
    ZW_TRY(zw_unilateral_try(u, set));
    keep_best(u);
    for (int round = 0; round < REPAIRS && !u->now.verdict.passes; round++) {
        zw_answer *a = &u->now;
        int        changed = 0;
        for (int i = 0; i < u->mi; i++) {
            unsigned char on = a->set[i] ? a->y[u->ma + i] >= 0.0 : a->gap[i] < -0.1 * PASS * u->scale[u->ma + i];
            changed += on != a->set[i];
            a->set[i] = on;
        }
        if (changed == 0) {
            break;
        }
        u->iterations++;
        ZW_TRY(zw_unilateral_try(u, a->set));
        keep_best(u);
    }
    return ZW_OK;
}

/* ---- contradictions ---- */

static int list(char *text, size_t size, const zw_unilateral *u, int first, int end, double least) {
    int used = 0, more = 0, found = 0;
    text[0] = '\0';
    for (int k = first; k < end; k++) {
        if (fabs(u->wm[7][k]) * sqrt(u->weight[k]) > least) {
            found++;
            if ((size_t)used + 32 < size) {
                used += snprintf(text + used, size - (size_t)used, used > 0 ? ", %d" : "%d", k - first);
            } else {
                more++;
            }
        }
    }
    if (more > 0) {
        snprintf(text + used, size - (size_t)used, " and %d more", more);
    }
    return found;
}

/* wm[7] is the proof */
static zw_status contradiction_raise(zw_unilateral *u) {
    char   of_n[120], of_a[120], number[ZW_NUMBER_TEXT];
    double most = 0.0, gain = 0.0, scale = 0.0;
    for (int k = 0; k < u->m; k++) {
        most = fmax(most, fabs(u->wm[7][k]) * sqrt(u->weight[k]));
        gain += u->wm[7][k] * u->rhs[k];
        scale += fabs(u->wm[7][k]) * u->scale[k];
    }
    int in_n = list(of_n, sizeof of_n, u, u->ma, u->m, 1e-6 * most), in_a = list(of_a, sizeof of_a, u, 0, u->ma, 1e-6 * most);
    return zw_raise(u->context, ZW_E_RANK, "contacts",
                    "remove one of the contacts or constraints that ask for opposite motions, or make room between them",
                    "no motion satisfies inequality rows %s%s%s together: they contradict by %s of their scale", in_n > 0 ? of_n : "(none)",
                    in_a > 0 ? " and equality rows " : "", in_a > 0 ? of_a : "", zw_number_short(gain / scale, 4, number));
}

/* the equalities alone: let the kernel name what contradicts in them */
static zw_status equalities_check(zw_unilateral *u) {
    memset(u->set, 0, (size_t)u->mi);
    zw_unilateral_switch(u, u->set);
    ZW_TRY(zw_solver_factor(u->exact, u->H, &u->rows, NULL));
    memset(u->rhs_set + u->ma, 0, (size_t)u->mi * sizeof *u->rhs_set);
    memcpy(u->rhs_set, u->rhs, (size_t)u->ma * sizeof *u->rhs_set);
    zw_solver_tolerate(u->exact, ACCEPT);
    zw_status status = zw_solver_solve(u->exact, u->f, u->rhs_set, u->now.x, u->now.y, NULL);
    zw_solver_tolerate(u->exact, INFINITY);
    return status;
}

/* ---- least norm ---- */

static double norm_of(const zw_unilateral *u, const zw_answer *a) {
    double sum = 0.0;
    for (int k = 0; k < u->m; k++) {
        sum += a->y[k] * a->y[k];
    }
    return sum;
}

/* u->now instead of u->best, if it passes and its multipliers are smaller */
static bool take_smaller(zw_unilateral *u) {
    bool take = u->now.verdict.passes && norm_of(u, &u->now) <= norm_of(u, &u->best);
    if (take) {
        answer_copy(u, &u->now, &u->best);
    }
    return take;
}

/* u->best passes. Rows of gap 0 outside its set may take a share of the multipliers where rows are redundant */
static zw_status least_norm(zw_unilateral *u) {
    zw_search found;
    int       more = 0;
    for (int i = 0; i < u->mi; i++) {
        u->allowed[i] = u->best.set[i] || u->best.gap[i] <= TOUCH * u->scale[u->ma + i];
        more += u->allowed[i] != u->best.set[i];
    }
    if (more == 0) {
        return ZW_OK;
    }
    bool       remembered = u->iterations == 0, taken = false;
    zw_verdict wide;
    if (u->large && remembered) { /* the remembered set was that of least norm; whether it still is, the search sees at once */
        memcpy(u->now.set, u->allowed, (size_t)u->mi);
        u->now.verdict.redundant = UNKNOWN;
        if (u->told) {
            redundancy_find(u, &u->now);
        }
        wide = u->now.verdict;
    } else {
        ZW_TRY(zw_unilateral_try(u, u->allowed));
        redundancy_find(u, &u->now);
        wide = u->now.verdict;
        taken = wide.redundant > 0 && take_smaller(u);
    }
    if (wide.redundant == 0 || taken) {
        return ZW_OK;
    }
    memcpy(u->set, u->best.set, (size_t)u->mi);
    if (u->m <= ZW_UNILATERAL_DENSE && u->force < 2) {
        ZW_TRY(zw_unilateral_dense(u, 1e-8, &found));
        if (found == ZW_SEARCH_FOUND) {
            ZW_TRY(zw_unilateral_try(u, u->set));
            taken = take_smaller(u);
        }
    }
    if (!taken) {
        answer_copy(u, &u->best, &u->now);
        memcpy(u->set, u->best.set, (size_t)u->mi);
        ZW_TRY(zw_unilateral_newton_least(u));
        if (memcmp(u->set, u->best.set, (size_t)u->mi) != 0) {
            ZW_TRY(zw_unilateral_try(u, u->set));
            take_smaller(u);
        }
    }
    u->best.verdict.redundant = wide.redundant; /* of all rows of gap 0: y is not unique, however many of them carry */
    u->best.verdict.condition = wide.condition;
    return ZW_OK;
}

/* u->best passes with multipliers that round-off left below zero: without these rows it is cleaner than with the multipliers cut off */
static zw_status polish(zw_unilateral *u) {
    for (int round = 0; round < 3; round++) {
        int dropped = 0;
        for (int i = 0; i < u->mi; i++) {
            bool drop = u->best.set[i] && u->best.y[u->ma + i] < 0.0;
            u->set[i] = u->best.set[i] && !drop;
            dropped += drop;
        }
        if (dropped == 0) {
            return ZW_OK;
        }
        ZW_TRY(zw_unilateral_try(u, u->set));
        if (!u->now.verdict.passes) {
            return ZW_OK;
        }
        redundancy_find(u, &u->now);
        redundancy_find(u, &u->best);
        u->now.verdict.redundant =
            u->now.verdict.redundant > u->best.verdict.redundant ? u->now.verdict.redundant : u->best.verdict.redundant;
        answer_copy(u, &u->now, &u->best);
    }
    return ZW_OK;
}

/* ---- the face ---- */

static zw_status search(zw_unilateral *u) {
    zw_search found = ZW_SEARCH_LOST;
    memset(u->allowed, 1, (size_t)u->mi);
    memcpy(u->set, u->now.set, (size_t)u->mi);
    if (u->force < 2 && u->m <= ZW_UNILATERAL_DENSE) {
        ZW_TRY(zw_unilateral_dense(u, 0.0, &found));
        if (found == ZW_SEARCH_FOUND) {
            ZW_TRY(zw_unilateral_settle(u, u->set));
        }
    }
    if (found != ZW_SEARCH_CONTRADICTS && !u->now.verdict.passes) {
        ZW_TRY(zw_unilateral_newton(u, &found));
    }
    if (found == ZW_SEARCH_CONTRADICTS) {
        return contradiction_raise(u);
    }
    return ZW_OK;
}

static zw_status solve(zw_unilateral *u, const zw_rows *N) {
    u->iterations = 0;
    u->best.verdict = (zw_verdict){.residual = INFINITY, .contradiction = INFINITY};
    u->xfree_known = u->primal_ready = false;
    u->large = u->m > ZW_UNILATERAL_ROWS || u->force == 3;
    if (u->m > ZW_UNILATERAL_DENSE) { /* now, so that a later search of the same pattern allocates nothing */
        ZW_TRY(zw_primal_analyse(&u->primal, u->H, &u->rows));
        u->primal_ready = true;
    }
    zw_unilateral_recall(u, N, u->set);
    ZW_TRY(zw_unilateral_try(u, u->set));
    keep_best(u);
    if (!u->now.verdict.passes) {
        if (u->ma > 0 && u->now.verdict.contradiction > ACCEPT) {
            ZW_TRY(equalities_check(u));
        }
        ZW_TRY(search(u));
    }
    if (u->best.verdict.contradiction > ACCEPT || u->best.verdict.residual > 1e-10) {
        char number[ZW_NUMBER_TEXT];
        return zw_raise(u->context, ZW_E_CONVERGENCE, "contacts", "look at the masses and the rows: the problem is badly conditioned",
                        "no active set was found after %d changes; the best leaves %s of complementarity", u->iterations,
                        zw_number_short(badness(&u->best.verdict), 4, number));
    }
    ZW_TRY(least_norm(u));
    ZW_TRY(polish(u));
    if (u->told) {
        redundancy_find(u, &u->best);
    }
    return ZW_OK;
}

zw_status zw_unilateral_solve(zw_unilateral *u, const zw_metric *H, const zw_rows *A, const zw_rows *N, const double *f, const double *b,
                              const double *c, double *x, double *lambda, double *mu, zw_unilateral_info *info) {
    if (info) {
        *info = (zw_unilateral_info){.iterations = 0};
    }
    ZW_TRY(zw_unilateral_load(u, H, A, N, f, b, c));
    u->told = info != NULL;
    zw_status status = solve(u, N);
    if (info) {
        info->iterations = u->iterations;
    }
    ZW_TRY(status);
    zw_answer *a = &u->best;
    int        active = 0;
    for (int i = 0; i < u->mi; i++) {
        double *m = &a->y[u->ma + i];
        *m = *m > 0.0 ? *m : 0.0; /* below by round-off at most, or it had not passed */
        active += *m > 0.0;
        a->set[i] = *m > 0.0;
    }
    ZW_TRY(zw_unilateral_remember(u, N, a->set));
    if (x && u->n > 0) {
        memcpy(x, a->x, (size_t)u->n * sizeof *x);
    }
    if (lambda && u->ma > 0) {
        memcpy(lambda, a->y, (size_t)u->ma * sizeof *lambda);
    }
    if (mu && u->mi > 0) {
        memcpy(mu, a->y + u->ma, (size_t)u->mi * sizeof *mu);
    }
    if (info) {
        *info = (zw_unilateral_info){.iterations = u->iterations,
                                     .active = active,
                                     .redundant = a->verdict.redundant,
                                     .residual = a->verdict.residual,
                                     .condition = a->verdict.condition,
                                     .value = a->verdict.value};
    }
    return ZW_OK;
}

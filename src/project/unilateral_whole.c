/* SPDX-License-Identifier: Apache-2.0
 * unilateral_whole.c: one island of the kernel with inequalities, or all of it. One solve is
 *   1. the remembered set is tried; in resting contact that is all;
 *   2. otherwise a search proposes sets: dense for few rows (unilateral_dense.c), Newton's for many (unilateral_newton.c, also where the dense one gets lost);
 *   3. the set that passes is widened to all rows with gap 0, and the multipliers of least norm are taken where rows are redundant.
 * A set passes when |min(mu_i w_i, N_i x - c_i)| <= 1e-12 of the terms of each row, w_i about N_i H^-1 N_i', which has mu in the units of the gap. x is unique; so
 * what is returned depends on neither the history nor the search, beyond round-off. Least norm: a set with nonnegative least-norm multipliers that holds all rows
 * of gap 0 is proof; otherwise a search among these rows finds the set, for few rows exactly (unilateral_dense.c), for many by Newton's method. */
#include "project/unilateral_search.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* relative: complementarity; gaps that are none; multipliers that are none, and that are some; what redundant rows may contradict by */
static const double PASS = 5e-11, TOUCH = 5e-11, DROP = 4e-13, TAKE = 1e-11, ACCEPT = 1e-8;
static const double RIDGE[2] = {1e-8, 2e-11}; /* relative to the largest weight; coarse and fine */

enum { REPAIRS = 6, FEW = 2 };

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
    if (!u->exact_ready || (u->mi > 0 && memcmp(u->exact_set, a->set, (size_t)u->mi) != 0)) {
        u->exact_ready = false;
        zw_unilateral_switch(u, a->set);
        ZW_TRY(zw_solver_factor(u->exact, u->H, &u->rows, NULL));
        memcpy(u->exact_set, a->set, (size_t)u->mi);
        u->exact_ready = true;
    }
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

/* by the factor in the columns */
static zw_status try_columns(zw_unilateral *u, bool *done) {
    static const zw_rows none = {.m = 0};
    zw_answer           *a = &u->now;
    double              *force = u->wn[4], twice = 0.0;
    if (!u->metric_ready) {
        ZW_TRY(zw_solver_factor(u->metric, u->H, &none, NULL));
        u->metric_ready = true;
    }
    if (!u->xfree_known) {
        zw_solver_metric_inverse(u->metric, u->f, u->xfree);
        u->xfree_known = true;
    }
    ZW_TRY(zw_unilateral_answer(u, done));
    zw_unilateral_transposed(u, a->y, force);
    for (int j = 0; j < u->n; j++) {
        twice += force[j] * (a->x[j] - u->xfree[j]);
    }
    a->verdict = (zw_verdict){.value = twice > 0.0 ? 0.5 * twice : 0.0};
    return ZW_OK;
}

zw_status zw_unilateral_try(zw_unilateral *u, const unsigned char *set) {
    bool done = false;
    memmove(u->now.set, set, (size_t)u->mi);
    if (u->large) {
        ZW_TRY(try_columns(u, &done));
    }
    if (!done && (!u->large || u->m <= (u->patient ? ZW_UNILATERAL_ROWS : ZW_UNILATERAL_DENSE))) {
        ZW_TRY(try_rows(u));
    }
    return judge(u);
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

/* from u->now */
static zw_status repair(zw_unilateral *u, int rounds) {
    for (int round = 0; round < rounds && !u->now.verdict.passes; round++) {
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

zw_status zw_unilateral_settle(zw_unilateral *u, const unsigned char *set, int rounds) {
    ZW_TRY(zw_unilateral_try(u, set));
    keep_best(u);
    return repair(u, rounds);
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
    u->exact_ready = false;
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

/* u->allowed = the rows of gap 0; returns how many of them are not in the set */
static int touching(zw_unilateral *u) {
    int more = 0;
    for (int i = 0; i < u->mi; i++) {
        u->allowed[i] = u->best.set[i] || u->best.gap[i] <= TOUCH * u->scale[u->ma + i];
        more += u->allowed[i] != u->best.set[i];
    }
    return more;
}

/* by the factor in the columns: Newton's method on  min |y|^2,  whose point for a set is the set's answer and whose next set is where G w > 0 */
static zw_status least_norm_columns(zw_unilateral *u, bool *proved) {
    double *pull = u->wm[7];
    *proved = false;
    for (int round = 0; round < REPAIRS; round++) {
        double top = 0.0;
        int    changed = 0;
        if (touching(u) == 0) {
            *proved = true;
            return ZW_OK;
        }
        for (int k = 0; k < u->m; k++) {
            top = fmax(top, fabs(u->best.y[k]));
        }
        ZW_TRY(zw_unilateral_pull(u, &u->best, pull));
        for (int i = 0; i < u->mi; i++) {
            int k = u->ma + i;
            u->set[i] = u->best.set[i] ? u->best.y[k] > 0.0 : u->allowed[i] && pull[k] > TAKE * top;
            changed += u->set[i] > u->best.set[i];
        }
        if (changed == 0) {
            *proved = true;
            return ZW_OK;
        }
        u->iterations++;
        ZW_TRY(zw_unilateral_try(u, u->set));
        if (!u->now.verdict.passes) {
            return ZW_OK;
        }
        answer_copy(u, &u->now, &u->best);
    }
    return ZW_OK;
}

static zw_status least_norm_newton(zw_unilateral *u) {
    answer_copy(u, &u->best, &u->now);
    memcpy(u->set, u->best.set, (size_t)u->mi);
    ZW_TRY(zw_unilateral_newton_least(u));
    if (memcmp(u->set, u->best.set, (size_t)u->mi) != 0) {
        ZW_TRY(zw_unilateral_try(u, u->set));
        take_smaller(u);
    }
    return ZW_OK;
}

/* u->now passes, and no multiplier is below 0 by round-off */
static bool right(const zw_unilateral *u) {
    bool all = u->now.verdict.passes;
    for (int i = 0; i < u->mi; i++) {
        all = all && u->now.y[u->ma + i] >= 0.0;
    }
    return all;
}

/* u->best passes, u->scale is its own. Rows of gap 0 outside its set may take a share of the multipliers where rows are redundant */
static zw_status least_norm(zw_unilateral *u) {
    if (u->large) {
        bool proved;
        ZW_TRY(least_norm_columns(u, &proved));
        return proved ? ZW_OK : least_norm_newton(u);
    }
    if (touching(u) > 0) {
        ZW_TRY(zw_unilateral_try(u, u->allowed));
    } /* from here on all is a function of these rows: nothing is left of the set that was found */
    if (right(u)) {
        answer_copy(u, &u->now, &u->best);
        return ZW_OK;
    }
    static const double noise[] = {0.0, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8};
    double             *least = u->wm[7], top = 0.0;
    int                 before = -1;
    zw_unilateral_dense_least(u, least);
    for (int k = 0; k < u->m; k++) {
        top = fmax(top, fabs(least[k]));
    }
    for (size_t level = 0; level < sizeof noise / sizeof *noise; level++) { /* multipliers that should be 0 are so up to round-off */
        int count = 0;
        for (int i = 0; i < u->mi; i++) {
            u->set[i] = least[u->ma + i] > noise[level] * top;
            count += u->set[i];
        }
        if (count == before) {
            continue;
        }
        before = count;
        ZW_TRY(zw_unilateral_try(u, u->set));
        if (right(u)) {
            answer_copy(u, &u->now, &u->best);
            return ZW_OK;
        }
    }
    return least_norm_newton(u);
}

/* u->best passes with multipliers that are zero, or below by round-off: without these rows it is cleaner than with the multipliers cut off, and the set is the
 * one that every search ends at */
static zw_status polish(zw_unilateral *u) {
    for (int round = 0; round < 3; round++) {
        int dropped = 0;
        for (int i = 0; i < u->mi; i++) {
            int  k = u->ma + i;
            bool drop = u->best.set[i] && u->best.y[k] * u->weight[k] <= DROP * u->scale[k];
            u->set[i] = u->best.set[i] && !drop;
            dropped += drop;
        }
        if (dropped == 0) {
            return ZW_OK;
        }
        ZW_TRY(zw_unilateral_try(u, u->set));
        if (!u->now.verdict.passes) {
            answer_copy(u, &u->best, &u->now);
            zw_unilateral_scales(u);
            return ZW_OK;
        }
        answer_copy(u, &u->now, &u->best);
    }
    return ZW_OK;
}

/* ---- all of it ---- */

static zw_status search(zw_unilateral *u) {
    zw_search found = ZW_SEARCH_LOST;
    memset(u->allowed, 1, (size_t)u->mi);
    memcpy(u->set, u->now.set, (size_t)u->mi);
    if (u->force < 2 && u->m <= ZW_UNILATERAL_DENSE) {
        ZW_TRY(zw_unilateral_dense(u, &found));
        if (found == ZW_SEARCH_FOUND) {
            ZW_TRY(zw_unilateral_settle(u, u->set, REPAIRS));
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

/* For many rows: the set of the problem with the coarse ridge; where its answer does not pass, as rows that are nearly redundant may want it, that with the fine one;
 * rows of small multipliers are put right by a few repairs. Either set is unique and all that follows begins there: nothing is left of the history. */
static zw_status columns(zw_unilateral *u, bool *fine) {
    int many = 0;
    for (int i = 0; i < u->mi; i++) {
        many += u->hint[i] & 1;
    }
    for (int i = 0; i < u->mi && many == 0;
         i++) { /* rows that stand near each other tend to carry: the Newton steps come in waves from a start with none */
        u->hint[i] = 1;
    }
    many = 0;
    for (int level = 0; level < 2; level++) {
        u->ridge = RIDGE[level] * u->weight_most;
        u->stays = level == 1;
        for (int i = 0; i < u->mi; i++) {
            many += level == 1 && u->hint[i] & 2;
        }
        for (int i = 0; i < u->mi; i++) {
            u->set[i] = level == 1 && many > 0 ? u->hint[i] >> 1 & 1 : u->hint[i] & 1;
        }
        ZW_TRY(zw_unilateral_try(u, u->set));
        if (!zw_unilateral_canonical(u)) {
            ZW_TRY(zw_unilateral_ridge(u, u->ridge, level == 1));
            ZW_TRY(zw_unilateral_try(u, u->set));
        }
        for (int i = 0; i < u->mi; i++) {
            u->hint[i] = (unsigned char)(level == 0 ? (u->hint[i] & 2) | u->now.set[i] : (u->hint[i] & 1) | u->now.set[i] << 1);
        }
        *fine = level == 1;
        u->best.verdict = (zw_verdict){.residual = INFINITY, .contradiction = INFINITY};
        keep_best(u);
        if (level == 1 || u->now.verdict.contradiction <= 1e-13) { /* otherwise rows are nearly redundant, and repairs do not help */
            ZW_TRY(repair(u, level == 0 ? FEW : REPAIRS));
        }
        if (level == 1 && !u->now.verdict.passes) { /* once more, by all ridges */
            memset(u->set, 0, (size_t)u->mi);
            ZW_TRY(zw_unilateral_ridge(u, u->ridge, false));
            ZW_TRY(zw_unilateral_settle(u, u->set, REPAIRS));
        }
        if (u->now.verdict.passes) {
            answer_copy(u, &u->now, &u->best);
            break;
        }
    }
    for (int i = 0; i < u->mi && !*fine; i++) {
        u->hint[i] &= 1;
    }
    if (!u->now.verdict.passes) {
        u->stays = false;
        u->patient = true;
        u->ridge = RIDGE[0] * u->weight_most;
    }
    return ZW_OK;
}

/* from u->hint */
static zw_status solve(zw_unilateral *u) {
    bool fine = false;
    u->iterations = 0;
    u->best.verdict = (zw_verdict){.residual = INFINITY, .contradiction = INFINITY};
    u->large = u->m > ZW_UNILATERAL_DENSE || u->force == 3;
    u->ridge = RIDGE[0] * u->weight_most;
    u->stays = u->patient = false;
    if (u->m > ZW_UNILATERAL_DENSE) { /* now, so that a later search of the same pattern allocates nothing */
        ZW_TRY(zw_unilateral_analyse(u));
    }
    if (u->large) {
        ZW_TRY(columns(u, &fine));
    } else {
        for (int i = 0; i < u->mi; i++) {
            u->set[i] = u->hint[i] & 1;
        }
        ZW_TRY(zw_unilateral_try(u, u->set));
        keep_best(u);
    }
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
    answer_copy(u, &u->best, &u->now);
    zw_unilateral_scales(u);
    if (!fine) {
        ZW_TRY(least_norm(u));
        answer_copy(u, &u->best, &u->now);
        zw_unilateral_scales(u);
    }
    return polish(u);
}

zw_status zw_unilateral_whole(zw_unilateral *u, const zw_problem *p, const unsigned char *hint) {
    ZW_TRY(zw_unilateral_load(u, p));
    if (u->answered) {
        u->iterations = 0;
        return ZW_OK;
    }
    if (u->mi > 0) {
        memcpy(u->hint, hint, (size_t)u->mi);
    }
    ZW_TRY(solve(u));
    for (int i = 0; i < u->mi; i++) {
        double *m = &u->best.y[u->ma + i];
        *m = *m > 0.0 ? *m : 0.0; /* below by round-off at most, or it had not passed */
        u->best.set[i] = *m > 0.0;
        u->hint[i] = u->large ? u->hint[i] : u->best.set[i];
    }
    u->answered = true;
    return ZW_OK;
}

zw_status zw_unilateral_count_whole(zw_unilateral *u, zw_unilateral_info *info) {
    int    rows = u->ma, rank;
    double condition;
    ZW_TRY(zw_unilateral_analyse(u));
    for (int i = 0; i < u->mi; i++) {
        u->allowed[i] = u->best.set[i] || u->best.gap[i] <= TOUCH * u->scale[u->ma + i];
        rows += u->allowed[i];
    }
    ZW_TRY(zw_unilateral_rank(u, u->allowed, &rank, &condition));
    info->redundant += rows - rank;
    info->condition = fmax(info->condition, condition);
    return ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * unilateral.c: the face of the kernel with inequalities. A problem falls into islands, columns that H or rows connect; each is solved alone, in the order of
 * their first columns (unilateral_islands.c), a single one without copying (unilateral_whole.c). What is returned is a function of the problem: the
 * remembered set only says where to begin. */
#include "project/unilateral_search.h"

#include <math.h>
#include <string.h>

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
    zw_arena_init(&(*out)->islands.arena, c);
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
        zw_islands_destroy(u);
        zw_solver_destroy(u->exact);
        zw_solver_destroy(u->metric);
        zw_primal_destroy(&u->primal);
        zw_arena_destroy(&u->arena);
        zw_free(u->context, u->memory);
        zw_free(u->context, u->kept.pattern);
        zw_free(u->context, u->kept.value);
        zw_free(u->context, u);
    }
}

void zw_unilateral_forget(zw_unilateral *u) {
    u->nmemory = 0;
    zw_unilateral_drop(u);
    for (int k = 0; k < u->islands.nkernels; k++) {
        if (u->islands.kernel[k]) {
            zw_unilateral_drop(u->islands.kernel[k]);
        }
    }
}

static zw_status solve_whole(zw_unilateral *u, const zw_problem *p, double *x, double *lambda, double *mu, zw_unilateral_info *info) {
    zw_status status = zw_unilateral_whole(u, p, u->islands.set);
    info->iterations = u->iterations;
    ZW_TRY(status);
    const zw_answer *a = &u->best;
    for (int i = 0; i < u->mi; i++) {
        info->active += a->set[i];
        u->islands.set[i] = u->hint[i];
    }
    info->residual = a->verdict.residual;
    info->value = a->verdict.value;
    if (x && u->n > 0) {
        memcpy(x, a->x, (size_t)u->n * sizeof *x);
    }
    if (lambda && u->ma > 0) {
        memcpy(lambda, a->y, (size_t)u->ma * sizeof *lambda);
    }
    if (mu && u->mi > 0) {
        memcpy(mu, a->y + u->ma, (size_t)u->mi * sizeof *mu);
    }
    return ZW_OK;
}

zw_status zw_unilateral_solve(zw_unilateral *u, const zw_metric *H, const zw_rows *A, const zw_rows *N, const double *f, const double *b,
                              const double *c, double *x, double *lambda, double *mu, zw_unilateral_info *info) {
    zw_problem          p = {H, A, N, f, b, c};
    zw_unilateral_info  told = {.redundant = -1};
    zw_unilateral_sizes need;
    bool                answered = false;
    info = info ? info : &told;
    *info = told;
    ZW_TRY(zw_unilateral_check(u, &p, &need));
    ZW_TRY(zw_islands_split(u, &p));
    zw_unilateral_recall(u, N, u->islands.set);
    if (u->islands.count > 0) {
        ZW_TRY(zw_islands_solve(u, &p, x, lambda, mu, info, &answered));
    }
    if (!answered) {
        *info = told;
        u->islands.count = 0;
        ZW_TRY(solve_whole(u, &p, x, lambda, mu, info));
    }
    return zw_unilateral_remember(u, N, u->islands.set);
}

zw_status zw_unilateral_count(zw_unilateral *u, zw_unilateral_info *info) {
    info->redundant = 0;
    info->condition = 1.0;
    if (u->islands.count == 0) {
        return zw_unilateral_count_whole(u, info);
    }
    for (int i = 0; i < u->islands.count; i++) { /* one row is never redundant, unless it is zero */
        if (u->islands.island[i].kernel) {
            ZW_TRY(zw_unilateral_count_whole(u->islands.island[i].kernel, info));
        }
    }
    return ZW_OK;
}

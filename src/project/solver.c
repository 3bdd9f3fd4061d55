/* SPDX-License-Identifier: Apache-2.0
 * solver.c: the kernel's face. Small dense problems go to small.c. For all others, with x0 the free answer (xhat, or H^-1 f),
 *     S lambda = b - A x0,    x = x0 + H^-1 A' lambda,    S = A H^-1 A',
 * then refinement with the true residual b - A x, which leaves A x = b at round-off of the terms of x. All of that happens in the fronts of H (metric.h); the
 * rest of x follows from them at the end. The value is
 * 1/2 |x - x0|^2_H = 1/2 (A' lambda) . H^-1 (A' lambda). Sums run in the order of the pattern: same input, same bits. */
#include "project/solver.h"

#include "base/number.h"
#include "project/schur.h"
#include "project/small.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct zw_solver {
    zw_context      *context;
    zw_arena         arena; /* everything that belongs to the pattern */
    bool             analysed, factored;
    double           contradiction;
    int              worst; /* row that contradicted most in the last ZW_E_RANK; -1: none */
    zw_metric_factor H;
    zw_schur         A;
    int              rank;
    double           condition;
    double          *x, *x0_size, *force, *shift, *force_sum, *shift_sum; /* n */
    double          *r, *lambda, *dlambda;                                /* m */
    double          *work;                                                /* 6 times the rows of the largest component */
    unsigned char   *depends;                                             /* m: the row is redundant */
    zw_small        *small;                                               /* NULL before the first small problem */
    bool             is_small;                                            /* the last factorisation is in it     */
};

zw_status zw_solver_create(zw_context *c, zw_solver **out) {
    if (!c || !out) {
        return ZW_E_ARG;
    }
    *out = zw_alloc(c, 1, sizeof **out, "solver");
    if (!*out) {
        return ZW_E_MEMORY;
    }
    (*out)->context = c;
    (*out)->contradiction = 1e-8;
    (*out)->worst = -1;
    zw_arena_init(&(*out)->arena, c);
    return ZW_OK;
}

void zw_solver_destroy(zw_solver *s) {
    if (s) {
        zw_arena_destroy(&s->arena);
        zw_free(s->context, s->small);
        zw_free(s->context, s);
    }
}

void zw_solver_tolerate(zw_solver *s, double contradiction) {
    s->contradiction = contradiction;
}

int zw_solver_contradicts(const zw_solver *s) {
    return s->worst;
}

static zw_status analyse(zw_solver *s, const zw_metric *H, const zw_rows *A) {
    s->analysed = false;
    zw_arena_destroy(&s->arena);
    zw_arena_init(&s->arena, s->context);
    ZW_TRY(zw_rows_check(s->context, H->n, A));
    unsigned char *cut = zw_alloc(s->context, (size_t)H->n + 1, 1, "rows");
    if (!cut) {
        return ZW_E_MEMORY;
    }
    for (int t = 0; t < A->ntiles; t++) {
        for (int k = A->tile[t].block0; k < A->tile[t].block0 + A->tile[t].nblocks; k++) {
            cut[A->block[k].col0] |= ZW_COLUMN_CUT;
            cut[A->block[k].col0 + A->block[k].ncol] |= ZW_COLUMN_CUT;
            for (int j = 0; j < A->block[k].ncol; j++) {
                cut[A->block[k].col0 + j] |= ZW_COLUMN_TOUCHED;
            }
        }
    }
    zw_status status = zw_metric_analyse(&s->arena, H, cut, &s->H);
    zw_free(s->context, cut);
    ZW_TRY(status);
    ZW_TRY(zw_schur_analyse(&s->arena, &s->H, A, &s->A));
    size_t n = (size_t)H->n, m = (size_t)A->m, largest = 0;
    for (int k = 0; k < s->A.ncomponents; k++) {
        largest = (size_t)s->A.component[k].m > largest ? (size_t)s->A.component[k].m : largest;
    }
    double **vector[] = {&s->x, &s->x0_size, &s->force, &s->shift, &s->force_sum, &s->shift_sum, &s->r, &s->lambda, &s->dlambda};
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++) {
        *vector[k] = zw_arena_alloc(&s->arena, k < 6 ? n : m, sizeof(double), "solver");
        if (!*vector[k]) {
            return ZW_E_MEMORY;
        }
    }
    s->work = zw_arena_alloc(&s->arena, 6 * largest, sizeof(double), "solver");
    s->depends = zw_arena_alloc(&s->arena, m, 1, "solver");
    if (!s->work || !s->depends) {
        return ZW_E_MEMORY;
    }
    s->analysed = true;
    return ZW_OK;
}

/* where the values of the blocks lie is no part of the pattern, so it is looked at every time */
static zw_status values_check(zw_context *c, const zw_rows *A) {
    for (int t = 0; t < A->ntiles; t++) {
        for (int k = A->tile[t].block0; k < A->tile[t].block0 + A->tile[t].nblocks; k++) {
            const zw_block *b = &A->block[k];
            ptrdiff_t       count = (ptrdiff_t)A->tile[t].m * b->ncol;
            if (b->a < 0 || b->a > A->nvalues || count > A->nvalues - b->a) {
                return zw_raise(c, ZW_E_ARG, "rows", NULL, "block %d of tile %d: values %td + %td of %td", k, t, b->a, count, A->nvalues);
            }
        }
    }
    return ZW_OK;
}

static void info_of_factor(const zw_solver *s, zw_project_info *info) {
    if (info && s->is_small) {
        *info = (zw_project_info){.rank = s->small->rank, .redundant = s->small->m - s->small->rank, .condition = s->small->condition};
    } else if (info) {
        *info = (zw_project_info){.rank = s->rank, .redundant = s->A.m - s->rank, .condition = s->condition};
    }
}

/* is this a problem for small.c? Then it is prepared there */
static zw_status small_prepare(zw_solver *s, const zw_metric *H, const zw_rows *A, bool *take) {
    *take = zw_small_fits(H, A);
    if (!*take) {
        return ZW_OK;
    }
    if (s->small == NULL) {
        s->small = zw_alloc(s->context, 1, sizeof *s->small, "solver");
        if (s->small == NULL) {
            return ZW_E_MEMORY;
        }
    }
    *take = zw_small_same(s->small, H, A);
    return ZW_OK;
}

zw_status zw_solver_factor(zw_solver *s, const zw_metric *H, const zw_rows *A, zw_project_info *info) {
    if (info) {
        *info = (zw_project_info){.rank = 0};
    }
    s->factored = false;
    if (!H || !A || H->n < 0) {
        return zw_raise(s->context, ZW_E_ARG, "solver", NULL, "no metric or no rows were given");
    }
    ZW_TRY(small_prepare(s, H, A, &s->is_small));
    if (s->is_small) {
        ZW_TRY(values_check(s->context, A));
        ZW_TRY(zw_small_factor(s->context, s->small, H, A));
        s->factored = true;
        info_of_factor(s, info);
        return ZW_OK;
    }
    if (!s->analysed || !zw_metric_same(&s->H, H) || !zw_schur_same(&s->A, A)) {
        ZW_TRY(analyse(s, H, A));
    }
    ZW_TRY(values_check(s->context, A));
    ZW_TRY(zw_metric_refactor(s->context, &s->H, H));
    zw_schur_assemble(&s->A, &s->H, A);
    /* condition: largest over smallest pivot of the independent rows of the scaled S, a lower bound that costs nothing */
    double smallest = INFINITY, largest = 0.0;
    s->rank = 0;
    for (int i = 0; i < s->A.ncomponents; i++) {
        zw_component *k = &s->A.component[i];
        int           bad = zw_component_factor(k);
        if (bad >= 0) {
            return zw_raise(s->context, ZW_E_DIVERGED, "rows", "look at the state that the rows were made from",
                            "row %d of A is not finite, or overflows in A H^-1 A'", bad);
        }
        s->rank += k->rank;
        for (int place = 0; place < k->m; place++) {
            s->depends[k->index[place]] = zw_component_depends(k, place);
        }
        smallest = fmin(smallest, k->pivot_min);
        largest = fmax(largest, k->pivot_max);
    }
    s->condition = s->rank > 0 ? largest / smallest : 1.0;
    s->factored = true;
    info_of_factor(s, info);
    return ZW_OK;
}

/* names the redundant row that contradicts b most, and the others that do */
static zw_status contradiction_raise(zw_solver *s, int worst, double excess, const double *relative) {
    int            m = s->is_small ? s->small->m : s->A.m;
    const zw_tile *tile = s->is_small ? s->small->tile : s->A.tile;
    s->worst = worst;
    char rows[160] = "", number[ZW_NUMBER_TEXT];
    int  used = 0, more = 0;
    for (int i = 0; i < m; i++) {
        if ((s->is_small ? s->small->depends[i] : s->depends[i] != 0) && relative[i] > s->contradiction) {
            if (used < 120) {
                used += snprintf(rows + used, sizeof rows - (size_t)used, used > 0 ? ", %d" : "%d", i);
            } else {
                more++;
            }
        }
    }
    if (more > 0) {
        snprintf(rows + used, sizeof rows - (size_t)used, " and %d more", more);
    }
    int t = 0;
    while (worst < tile[t].row || worst >= tile[t].row + tile[t].m) {
        t++;
    }
    return zw_raise(
        s->context, ZW_E_RANK, "constraints",
        "remove one of the constraints that ask for the same motion or make them agree; a body 1e11 times lighter than its neighbours also does this",
        "row %d (tile %d) depends on other rows but contradicts them by %s of its scale; contradicting rows: %s", worst, t,
        zw_number_short(excess, 4, number), rows);
}

/* lambda += S^+ r, x += H^-1 A' (what was added), the latter in the fronts */
static void add_reaction(zw_solver *s) {
    const zw_metric_factor *H = &s->H;
    for (int i = 0; i < s->A.ncomponents; i++) {
        zw_component_solve(&s->A.component[i], s->r, s->dlambda, s->work);
    }
    for (int k = 0; k < H->nfront; k++) {
        memset(s->force + H->front[k].col0, 0, (size_t)H->front[k].n * sizeof *s->force);
    }
    zw_rows_add_transposed(&s->A, s->dlambda, s->force);
    for (int k = 0; k < H->nfront; k++) {
        memcpy(s->shift + H->front[k].col0, s->force + H->front[k].col0, (size_t)H->front[k].n * sizeof *s->shift);
    }
    zw_metric_front(H, s->shift);
    for (int i = 0; i < s->A.m; i++) {
        s->lambda[i] += s->dlambda[i];
    }
    for (int k = 0; k < H->nfront; k++) {
        for (int j = H->front[k].col0; j < H->front[k].col0 + H->front[k].n; j++) {
            s->x[j] += s->shift[j];
            s->force_sum[j] += s->force[j];
            s->shift_sum[j] += s->shift[j];
        }
    }
}

typedef struct verdict {
    double independent; /* largest |b - A x| over the independent rows, relative to the terms of the row */
    double redundant;   /* the same over the redundant rows: how far they contradict */
    int    worst;       /* the redundant row it is */
} verdict;

/* Fills r = b - A x and, in dlambda, its size relative to the terms of each row: sum_j |A_ij| max(|x0_j|, |x_j|) + |b_i|, so that a motion
 * brought to rest counts by what it was. Round-off of the largest row of a component reaches all its rows, so no row counts less than a
 * millionth of that one (in rows scaled to unit A H^-1 A'). */
static verdict measure(zw_solver *s, const double *b) {
    verdict v = {.worst = -1};
    double *relative = s->dlambda;
    zw_rows_apply(&s->A, s->x, s->r);
    for (int k = 0; k < s->H.nfront; k++) {
        for (int j = s->H.front[k].col0; j < s->H.front[k].col0 + s->H.front[k].n; j++) {
            double size = fabs(s->x[j]);
            s->shift[j] = size > s->x0_size[j] ? size : s->x0_size[j];
        }
    }
    zw_rows_scale(&s->A, s->shift, relative);
    for (int c = 0; c < s->A.ncomponents; c++) {
        const zw_component *k = &s->A.component[c];
        double              most = 0.0;
        for (int i = 0; i < k->m; i++) {
            int    row = k->index[i];
            double value = b ? b[row] : 0.0;
            s->r[row] = value - s->r[row];
            relative[row] += fabs(value);
            most = k->d[i] * relative[row] > most ? k->d[i] * relative[row] : most;
        }
        for (int i = 0; i < k->m; i++) {
            int row = k->index[i];
            relative[row] = s->r[row] == 0.0 ? 0.0 : fabs(s->r[row]) / fmax(relative[row], 1e-6 * most / k->d[i]);
            if (!s->depends[row]) {
                v.independent = relative[row] > v.independent ? relative[row] : v.independent;
            } else if (relative[row] > v.redundant) {
                v.redundant = relative[row];
                v.worst = row;
            }
        }
    }
    return v;
}

typedef enum start { FROM_FORCE, FROM_REST, FROM_POINT } start; /* s->x holds: H^-1 f after descend; 0; xhat */

static bool finite_all(size_t n, const double *x) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0}; /* x - x is 0, or nan for inf and nan */
    size_t j = 0;
    for (; j + 4 <= n; j += 4) {
        for (size_t k = 0; k < 4; k++) {
            sum[k] += x[j + k] - x[j + k];
        }
    }
    for (; j < n; j++) {
        sum[0] += x[j] - x[j];
    }
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

/* the rest of the work: lambda from the fronts of H alone, then what is inside, once. x and lambda are written also when redundant rows contradict: they
 * serve the independent rows. One round of refinement always; two more when the rows ask for them, as long chains and bad conditions do */
static zw_status solve(zw_solver *s, start from, const double *b, double *x, double *lambda, zw_project_info *info) {
    const zw_metric_factor *H = &s->H;
    size_t                  n = (size_t)H->n, m = (size_t)s->A.m;
    double                  twice = 0.0;
    for (int k = 0; k < H->nfront; k++) {
        for (int j = H->front[k].col0; j < H->front[k].col0 + H->front[k].n; j++) {
            s->x0_size[j] = fabs(s->x[j]);
            s->force_sum[j] = s->shift_sum[j] = 0.0;
        }
    }
    verdict v = measure(s, b);
    memset(s->lambda, 0, m * sizeof(double));
    for (int round = 0; m > 0 && (round < 2 || (round < 4 && v.independent > 1e-15)); round++) {
        add_reaction(s);
        v = measure(s, b);
    }
    for (int k = 0; k < H->nfront; k++) {
        for (int j = H->front[k].col0; j < H->front[k].col0 + H->front[k].n; j++) {
            twice += s->force_sum[j] * s->shift_sum[j];
        }
    }
    if (from == FROM_FORCE) {
        zw_metric_ascend(H, s->x);
    } else if (from == FROM_REST) {
        zw_metric_reach(H, s->x);
    } else {
        zw_metric_reach(H, s->shift_sum);
        zw_metric_add_inside(H, s->shift_sum, s->x);
    }
    if (x) {
        memcpy(x, s->x, n * sizeof(double));
    }
    if (lambda) {
        memcpy(lambda, s->lambda, m * sizeof(double));
    }
    info_of_factor(s, info);
    if (info) {
        info->residual = fmax(v.independent, v.redundant);
        info->value = twice > 0.0 ? 0.5 * twice : 0.0;
    }
    if (!finite_all(n, s->x)) {
        return zw_raise(s->context, ZW_E_DIVERGED, "projection", "look at the right side: forces or constraint values",
                        "the solution is not finite");
    }
    return v.redundant > s->contradiction ? contradiction_raise(s, v.worst, v.redundant, s->dlambda) : ZW_OK;
}

/* the same in small.c; s->small->x holds x0 */
static zw_status solve_small(zw_solver *s, const double *b, double *x, double *lambda, zw_project_info *info) {
    zw_small        *k = s->small;
    zw_small_verdict v = zw_small_solve(k, b, info != NULL);
    if (x) {
        memcpy(x, k->x, (size_t)k->n * sizeof *x);
    }
    if (lambda && k->m > 0) {
        memcpy(lambda, k->lambda, (size_t)k->m * sizeof *lambda);
    }
    info_of_factor(s, info);
    if (info) {
        info->residual = fmax(v.independent, v.redundant);
        info->value = v.value;
    }
    if (!finite_all((size_t)k->n, k->x)) {
        return zw_raise(s->context, ZW_E_DIVERGED, "projection", "look at the right side: forces or constraint values",
                        "the solution is not finite");
    }
    return v.redundant > s->contradiction ? contradiction_raise(s, v.worst, v.redundant, k->relative) : ZW_OK;
}

static zw_status ready(zw_solver *s, zw_project_info *info) {
    if (info) {
        *info = (zw_project_info){.rank = 0};
    }
    return s->factored ? ZW_OK
                       : zw_raise(s->context, ZW_E_ARG, "solver", "call zw_solver_factor first", "there is no factorisation to solve with");
}

zw_status zw_solver_solve(zw_solver *s, const double *f, const double *b, double *x, double *lambda, zw_project_info *info) {
    ZW_TRY(ready(s, info));
    if (s->is_small) {
        for (int j = 0; j < s->small->n; j++) {
            s->small->x[j] = f ? f[j] : 0.0;
        }
        zw_small_inverse(s->small, s->small->x);
        return solve_small(s, b, x, lambda, info);
    }
    for (int j = 0; j < s->H.n; j++) {
        s->x[j] = f ? f[j] : 0.0;
    }
    zw_metric_descend(&s->H, s->x);
    return solve(s, FROM_FORCE, b, x, lambda, info);
}

zw_status zw_solver_correct(zw_solver *s, const double *b, double *x, double *lambda, zw_project_info *info) {
    ZW_TRY(ready(s, info));
    if (s->is_small) {
        memset(s->small->x, 0, sizeof s->small->x);
        return solve_small(s, b, x, lambda, info);
    }
    memset(s->x, 0, (size_t)s->H.n * sizeof(double));
    return solve(s, FROM_REST, b, x, lambda, info);
}

zw_status zw_project(zw_solver *s, const zw_metric *H, const zw_rows *A, const double *b, const double *xhat, double *x, double *lambda,
                     zw_project_info *info) {
    ZW_TRY(zw_solver_factor(s, H, A, info));
    if (s->is_small) {
        memmove(s->small->x, xhat, (size_t)s->small->n * sizeof(double));
        return solve_small(s, b, x, lambda, info);
    }
    memmove(s->x, xhat, (size_t)s->H.n * sizeof(double));
    return solve(s, FROM_POINT, b, x, lambda, info);
}

void zw_solver_force(const zw_solver *s, const double *lambda, double *y) {
    if (s->factored && s->is_small) {
        const zw_small *k = s->small;
        memset(y, 0, (size_t)k->n * sizeof *y);
        for (int i = 0; i < k->m; i++) {
            for (int j = 0; j < k->n; j++) {
                y[j] += lambda[i] * k->A[i * k->n + j];
            }
        }
    } else if (s->factored) {
        memset(y, 0, (size_t)s->H.n * sizeof *y);
        zw_rows_add_transposed(&s->A, lambda, y);
    }
}

void zw_solver_metric_inverse(const zw_solver *s, const double *z, double *y) {
    if (!s->factored) {
        return;
    }
    if (y != z) {
        memcpy(y, z, (size_t)(s->is_small ? s->small->n : s->H.n) * sizeof *y);
    }
    if (s->is_small) {
        zw_small_inverse(s->small, y);
    } else {
        zw_metric_apply(&s->H, y);
    }
}

int zw_solver_redundant(const zw_solver *s, int *rows, int max) {
    int count = 0;
    int m = s->is_small ? s->small->m : s->A.m;
    for (int i = 0; s->factored && i < m; i++) {
        if (s->is_small ? s->small->depends[i] : s->depends[i] != 0) {
            if (count < max) {
                rows[count] = i;
            }
            count++;
        }
    }
    return count;
}

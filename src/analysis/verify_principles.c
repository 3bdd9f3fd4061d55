/* SPDX-License-Identifier: Apache-2.0
 * verify_principles.c: accelerations and multipliers by every principle, and what Gauss, d'Alembert and Jourdain say about them.
 *
 * Differences of accelerations are relative to the largest of |a| and |a_free| (an equilibrium has a = 0), in the largest component and in the norm of
 * M, the worse of the two. Their tolerance is 1e-12 cond(A M^-1 A'), rows scaled to the same size. Formulations that need independent rows get
 * those that the kernel found independent. */
#include "analysis/verify.h"

#include "analysis/udwadia.h"
#include "math/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TOLERANCE 1e-12

enum { KERNEL, MULTIPLIER, MACMILLAN, UDWADIA, FORMULATIONS };
static const char *const formulation[FORMULATIONS] = {"gauss", "multiplier", "macmillan", "udwadia-kalaba"};

typedef struct answers {
    bool    known[FORMULATIONS];
    double *a[FORMULATIONS], *lambda[FORMULATIONS]; /* lambda of the independent rows */
    bool    varies;
    double *S; /* [n (n - rank)] variations of the velocities, where varies */
} answers;

static double largest(int n, const double *a) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i]));
    }
    return most;
}

static double m_norm(zw_verifier *k, const zw_metric *M, const double *x) {
    zw_verify_metric_product(M, x, k->line[5]);
    return sqrt(fmax(0.0, zw_verify_dot(k->n.nv, x, k->line[5])));
}

static double relative(double difference, double scale) {
    return difference == 0.0 ? 0.0 : difference / scale;
}

static double distance(zw_verifier *k, const zw_metric *M, const double *a, const double *b) {
    int     n = k->n.nv;
    double *d = k->line[4];
    for (int i = 0; i < n; i++) {
        d[i] = a[i] - b[i];
        if (isnan(d[i])) {
            return NAN;
        }
    }
    double component = relative(largest(n, d), fmax(largest(n, k->a), largest(n, k->a_free)));
    return fmax(component, relative(m_norm(k, M, d), fmax(m_norm(k, M, k->a), m_norm(k, M, k->a_free))));
}

/* S = [1; B] in the order of the velocities, B = -A_d^-1 A_i; false: A_d is singular */
static zw_status variations(zw_verifier *k, const double *A, const int *order, double *S, bool *known) {
    int     n = k->n.nv, m = k->rank, e = n - m;
    double *d = zw_arena_alloc(&k->arena, (size_t)m * (size_t)m + 1, sizeof(double), "a verification");
    double *B = zw_arena_alloc(&k->arena, (size_t)m * (size_t)e + 1, sizeof(double), "a verification");
    int    *pivot = zw_arena_alloc(&k->arena, (size_t)m + 1, sizeof(int), "a verification");
    if (d == NULL || B == NULL || pivot == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            d[i * m + j] = A[i * n + order[e + j]];
        }
        for (int j = 0; j < e; j++) {
            B[i * e + j] = -A[i * n + order[j]];
        }
    }
    *known = zw_lu_factor(m, d, pivot) < 0;
    if (*known) {
        zw_lu_solve(m, d, pivot, e, B);
    }
    for (int j = 0; j < e; j++) {
        S[order[j] * e + j] = 1.0;
    }
    for (int i = 0; i < m; i++) {
        memcpy(S + (size_t)order[e + i] * (size_t)e, B + (size_t)i * (size_t)e, sizeof(double) * (size_t)e);
    }
    return ZW_OK;
}

/* a factorisation that fails leaves its formulation unknown; what it raised is forgotten */
static zw_status attempt(zw_verifier *k, zw_status status, bool *known) {
    *known = status == ZW_OK;
    if (status == ZW_E_MEMORY) {
        return status;
    }
    if (status != ZW_OK) {
        zw_error_clear(k->c);
    }
    return ZW_OK;
}

static zw_status solve_all(zw_verifier *k, answers *all) {
    size_t        n = (size_t)k->n.nv, rank = (size_t)k->rank, m = (size_t)k->m;
    double       *A = zw_arena_alloc(&k->arena, n * rank + 1, sizeof(double), "a verification");
    double       *b = zw_arena_alloc(&k->arena, m + 1, sizeof(double), "a verification");
    int          *order = zw_arena_alloc(&k->arena, n + 1, sizeof(int), "a verification");
    zw_principles p = k->principles;
    p.m = k->rank; /* its room is for all rows */
    all->S = zw_arena_alloc(&k->arena, n * (n - rank) + 1, sizeof(double), "a verification");
    if (A == NULL || b == NULL || order == NULL || all->S == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 1; i < FORMULATIONS; i++) {
        all->a[i] = zw_arena_alloc(&k->arena, n + 1, sizeof(double), "a verification");
        all->lambda[i] = zw_arena_alloc(&k->arena, m + 1, sizeof(double), "a verification");
        if (all->a[i] == NULL || all->lambda[i] == NULL) {
            return ZW_E_MEMORY;
        }
    }
    for (size_t i = 0; i < rank; i++) {
        memcpy(A + i * n, k->A + (size_t)k->row[i] * n, sizeof(double) * n);
        b[i] = -k->D[k->row[i]];
    }
    ZW_TRY(
        attempt(k, zw_principles_multiplier(&p, k->M, A, k->f, b, all->a[MULTIPLIER], all->lambda[MULTIPLIER]), &all->known[MULTIPLIER]));
    zw_principles_partition(&p, k->M, A, order);
    ZW_TRY(attempt(k, zw_principles_macmillan(&p, k->M, A, k->f, b, order, all->a[MACMILLAN], all->lambda[MACMILLAN]),
                   &all->known[MACMILLAN]));
    ZW_TRY(variations(k, A, order, all->S, &all->varies));
    for (size_t i = 0; i < m; i++) { /* the pseudo-inverse takes all rows as they are */
        b[i] = -k->D[i];
    }
    zw_udwadia_problem u = {.n = k->n.nv, .m = k->m, .M = k->M, .A = k->A, .f = k->f, .b = b, .rank = k->rank};
    return zw_udwadia_solve(&k->arena, &u, all->a[UDWADIA], all->lambda[UDWADIA], &k->condition, &all->known[UDWADIA]);
}

/* multipliers in units in which all rows are alike: lambda_i sqrt((A M^-1 A')_ii), about the norm of the acceleration it gives */
static void compare_multipliers(zw_verifier *k, const zw_metric *M, const answers *all) {
    double scale = m_norm(k, M, k->a_free), *size = k->column[0];
    for (int i = 0; i < k->m; i++) {
        for (int j = 0; j < k->n.nv; j++) {
            k->line[0][j] = k->A[(size_t)i * (size_t)k->n.nv + (size_t)j];
        }
        zw_solver_metric_inverse(k->solver, k->line[0], k->line[1]);
        size[i] = sqrt(fmax(0.0, zw_verify_dot(k->n.nv, k->line[0], k->line[1])));
        scale = fmax(scale, size[i] * fabs(k->lambda[i]));
    }
    for (int f = 1; f < FORMULATIONS; f++) {
        double most = 0.0;
        int    row = 0;
        for (int i = 0; all->known[f] && i < k->m; i++) {
            double d = relative(size[i] * fabs(all->lambda[f][i] - k->lambda[i]), scale);
            if (d > most || isnan(d)) {
                most = d;
                row = i;
            }
        }
        if (all->known[f]) {
            char where[96], name[64];
            zw_system_row_name(k->y, row, name, sizeof name);
            snprintf(where, sizeof where, "%s, %s", name, formulation[f]);
            zw_verify_note(k, ZW_VERIFY_REACTIONS, most, TOLERANCE * k->condition, where);
        }
    }
}

static void compare_accelerations(zw_verifier *k, const zw_metric *M, answers *all) {
    static const zw_verify_kind kind[FORMULATIONS] = {
        [MULTIPLIER] = ZW_VERIFY_MULTIPLIER, [MACMILLAN] = ZW_VERIFY_MACMILLAN, [UDWADIA] = ZW_VERIFY_UDWADIA};
    all->known[KERNEL] = true;
    all->a[KERNEL] = k->a;
    for (int i = 0; i < FORMULATIONS; i++) {
        for (int j = i + 1; j < FORMULATIONS; j++) {
            if (!all->known[i] || !all->known[j]) {
                continue;
            }
            double d = distance(k, M, all->a[i], all->a[j]);
            if (k->out->between[0] == NULL || isnan(d) || d > k->out->disagreement) {
                k->out->disagreement = d;
                k->out->between[0] = formulation[i];
                k->out->between[1] = formulation[j];
                k->out->disagreement_state = k->state;
            }
            if (i == KERNEL) {
                zw_verify_note(k, kind[j], d, TOLERANCE * k->condition, NULL);
            }
        }
        if (!all->known[i]) { /* M and the rows were positive and independent for the kernel */
            zw_verify_note(k, kind[i], NAN, TOLERANCE * k->condition, "its factorisation failed");
        }
    }
}

/* a random d with A d = 0, as large as the accelerations, and the noise that it is the admissible part of: where d is held, its round-off is as
 * large as the noise is there */
static zw_status admissible(zw_verifier *k, const zw_metric *M, double *d, double *noise) {
    zw_project_info info;
    double         *r = k->line[1], *zero = k->column[0];
    for (int i = 0; i < k->n.nv; i++) {
        noise[i] = k->line[0][i] = k->unit_v[i] * zw_verify_random(k);
    }
    memset(zero, 0, sizeof(double) * (size_t)k->m);
    zw_verify_metric_product(M, k->line[0], r);
    ZW_TRY(zw_solver_solve(k->solver, r, zero, d, k->column[1], &info));
    double have = m_norm(k, M, d), want = fmax(m_norm(k, M, k->a), m_norm(k, M, k->a_free));
    for (int i = 0; have > 0.0 && want > 0.0 && i < k->n.nv; i++) {
        d[i] *= want / have;
        noise[i] = k->line[0][i] * want / have;
    }
    return ZW_OK;
}

static double zwang(zw_verifier *k, const zw_metric *M, const double *a, const double *d) {
    double *r = k->line[1];
    for (int i = 0; i < k->n.nv; i++) {
        r[i] = a[i] - k->a_free[i] + (d != NULL ? d[i] : 0.0);
    }
    zw_verify_metric_product(M, r, k->line[2]);
    return 0.5 * zw_verify_dot(k->n.nv, r, k->line[2]);
}

/* M^-1 of the forces of all rows, each in size */
static void rows_push(zw_verifier *k, const zw_rows *A, double *out) {
    double *push = k->line[0];
    memset(push, 0, sizeof(double) * (size_t)k->n.nv);
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int b = tile->block0; b < tile->block0 + tile->nblocks; b++) {
            const zw_block *block = &A->block[b];
            for (int i = 0; i < tile->m * block->ncol; i++) {
                push[block->col0 + i % block->ncol] += fabs(A->a[block->a + i] * k->lambda[tile->row + i / block->ncol]);
            }
        }
    }
    zw_solver_metric_inverse(k->solver, push, out);
}

static zw_status check_minimum(zw_verifier *k, const zw_metric *M, const zw_rows *A) {
    double *d = k->line[3], *noise = k->line[4], tolerance = TOLERANCE * sqrt(k->condition);
    ZW_TRY(admissible(k, M, d, noise));
    double at = zwang(k, M, k->a, NULL), away = zwang(k, M, k->a, d), half = 0.5 * pow(m_norm(k, M, d), 2);
    zw_verify_note(k, ZW_VERIFY_ZWANG, relative(fabs(away - at - half), away + at), tolerance, NULL);
    if (k->m == 0) {
        return ZW_OK;
    }
    double *Ad = k->column[0], *sizes = k->column[1], work = 0.0, scale = 0.0;
    zw_verify_rows_product(A, d, Ad, false);
    zw_verify_rows_product(A, noise, sizes, true);
    for (int i = 0; i < k->m; i++) {
        work += k->lambda[i] * Ad[i];
        scale += fabs(k->lambda[i]) * sizes[i];
    }
    zw_verify_note(k, ZW_VERIFY_WORK, relative(fabs(work), scale), tolerance, NULL);
    zw_verify_rows_product(A, k->a, Ad, false);
    rows_push(k, A, noise);
    for (int i = 0; i < k->n.nv; i++) {
        noise[i] = fabs(k->a[i]) + fabs(k->a_free[i]) + fabs(noise[i]); /* a is the sum of a_free and of what each row gives */
    }
    zw_verify_rows_product(A, noise, sizes, true);
    for (int i = 0; i < k->m; i++) {
        char where[96];
        zw_system_row_name(k->y, i, where, sizeof where);
        /* redundant rows follow the others as far as the kernel lets them contradict */
        zw_verify_note(k, ZW_VERIFY_HOLD, relative(fabs(Ad[i] + k->D[i]), sizes[i] + fabs(k->D[i])),
                       k->redundant > 0 ? 1e-8 : TOLERANCE * k->condition, where);
    }
    return ZW_OK;
}

/* eq. (14): delta v = S w, the dependent ones by B from the independent ones, leaves the rows as they are to first order */
static zw_status check_variations(zw_verifier *k, const answers *all) {
    size_t  n = (size_t)k->n.nv, e = n - (size_t)k->rank;
    double *d = k->line[3], most = 0.0, units = 0.0;
    int     worst = 0;
    if (e == 0) {
        zw_verify_skip(k, ZW_VERIFY_VARIATION, "the rows leave no independent velocity");
        return ZW_OK;
    }
    memset(d, 0, sizeof(double) * n);
    for (size_t j = 0; j < e; j++) {
        double w = zw_verify_random(k);
        for (size_t i = 0; i < n; i++) {
            d[i] += w * all->S[i * e + j];
        }
        double column = 0.0; /* in units of the velocities, so that entries that are zero but for round-off count as that */
        for (size_t i = 0; i < n; i++) {
            column = fmax(column, fabs(all->S[i * e + j]) / k->unit_v[i]);
        }
        for (int r = 0; r < k->rank; r++) {
            double sum = 0.0, size = 0.0;
            for (size_t i = 0; i < n; i++) {
                sum += k->A[(size_t)k->row[r] * n + i] * all->S[i * e + j];
                size += fabs(k->A[(size_t)k->row[r] * n + i]) * k->unit_v[i] * column;
            }
            double open = relative(fabs(sum), size);
            if (open > most || isnan(open)) {
                most = open;
                worst = k->row[r];
            }
        }
    }
    char where[96];
    zw_system_row_name(k->y, worst, where, sizeof where);
    zw_verify_note(k, ZW_VERIFY_VARIATION, most, TOLERANCE * k->condition, where);
    for (size_t i = 0; i < n; i++) {
        units = fmax(units, fabs(d[i]) / k->unit_v[i]);
    }
    for (size_t i = 0; i < n; i++) {
        d[i] = units > 0.0 ? d[i] / units : 0.0;
    }
    memset(k->column[2], 0, sizeof(double) * (size_t)k->m);
    zw_verify_difference by = {.kind = ZW_VERIFY_VARIATION,
                               .curve = zw_verify_level_along,
                               .user = d,
                               .n = k->m,
                               .unit = 1.0,
                               .exact = k->column[2],
                               .scale = k->row_size,
                               .name = zw_verify_row_name};
    return zw_verify_compare(k, &by);
}

zw_status zw_verify_principles(zw_verifier *k) {
    const zw_metric *M = zw_system_mass(k->y, &k->x);
    const zw_rows   *A = NULL;
    answers          all = {0};
    zw_arena_mark    mark = zw_arena_mark_now(&k->arena);
    zw_status        status = ZW_OK;
    if (k->dense) {
        status = solve_all(k, &all);
        if (status == ZW_OK) {
            compare_accelerations(k, M, &all);
        }
        if (status == ZW_OK && k->m > 0 && k->redundant == 0) {
            compare_multipliers(k, M, &all);
        } else if (k->redundant > 0) {
            zw_verify_skip(k, ZW_VERIFY_REACTIONS, "rows are redundant: their multipliers are not unique");
        }
    } else {
        for (int i = 0; i < 4; i++) {
            static const zw_verify_kind kind[] = {ZW_VERIFY_MULTIPLIER, ZW_VERIFY_MACMILLAN, ZW_VERIFY_UDWADIA, ZW_VERIFY_REACTIONS};
            zw_verify_skip(k, kind[i], "more than 200 velocities: no dense formulations");
        }
        zw_verify_skip(k, ZW_VERIFY_VARIATION, "more than 200 velocities: no dense formulations");
    }
    k->out->condition = fmax(k->out->condition, k->condition);
    if (status == ZW_OK && k->m > 0) {
        status = zw_system_rows(k->y, &k->x, &A);
    }
    if (status == ZW_OK) {
        status = check_minimum(k, M, A);
    }
    if (status == ZW_OK && k->dense && k->m > 0 && all.varies) {
        status = check_variations(k, &all);
    }
    zw_arena_release(&k->arena, mark);
    return status;
}

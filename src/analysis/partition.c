/* SPDX-License-Identifier: Apache-2.0
 * partition.c: the start of a lagrangian body on its constraints, and which of its velocities depend on the others there.
 *
 * Start: q <- q - M^-1 A' (A M^-1 A')^-1 g for the holonomic rows, then v likewise for all rows at velocity level, until nothing moves.
 * Partition: complete pivoting of W_bj = A_bj/sqrt(M_jj), every row scaled to largest entry 1: a velocity is measured by the energy it carries. */
#include "analysis/equations.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

enum { NEWTON_MAX = 30 };
static const double rank_tolerance = 1e-10;

/* M, A, first, value at some inputs */
typedef struct numbers {
    const zw_lagrange *y;
    zw_tape           *tape;
    double            *work, *out;
    double            *M, *A, *first, *value; /* into out */
} numbers;

static zw_status numbers_open(zw_context *c, const zw_pool *pool, const zw_lagrange *y, zw_arena *arena, numbers *k) {
    size_t   n = (size_t)y->n, m = (size_t)y->m, count = n * n + m * n + 2 * m;
    zw_node *roots = zw_arena_alloc(arena, count, sizeof *roots, "roots of a start");
    *k = (numbers){.y = y, .out = zw_arena_alloc(arena, count, sizeof(double), "numbers of a start")};
    if (!roots || !k->out) {
        return ZW_E_MEMORY;
    }
    memcpy(roots, y->M, n * n * sizeof *roots);
    if (m > 0) {
        memcpy(roots + n * n, y->A, m * n * sizeof *roots);
        memcpy(roots + n * n + m * n, y->first, m * sizeof *roots);
        memcpy(roots + n * n + m * n + m, y->value, m * sizeof *roots);
    }
    ZW_TRY(zw_tape_create(c, pool, roots, (int)count, &k->tape));
    k->work = zw_arena_alloc(arena, (size_t)zw_tape_work(k->tape) + 1, sizeof(double), "work of a start");
    k->M = k->out;
    k->A = k->M + n * n;
    k->first = k->A + m * n;
    k->value = k->first + m;
    if (!k->work) {
        zw_tape_destroy(k->tape);
        return ZW_E_MEMORY;
    }
    return ZW_OK;
}

/* x -= M^-1 A' (A M^-1 A')^-1 residual over the rows that count; the largest change relative to x, or -1 */
typedef struct newton {
    double *L, *Z, *G, *r;
    int    *perm;
} newton;

static double newton_step(const numbers *k, const double *residual, bool holonomic_only, newton *w, double *in, const int *slot) {
    int n = k->y->n, m = k->y->m, rows = 0;
    memcpy(w->L, k->M, sizeof(double) * (size_t)(n * n));
    if (zw_cholesky_factor(n, w->L) >= 0) {
        for (int i = 0; i < n * n; i++) {
            w->L[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
        }
    }
    for (int b = 0; b < m; b++) { /* Z = L^-1 A', column by column */
        if (holonomic_only && !k->y->holonomic[b]) {
            continue;
        }
        double *z = w->Z + (size_t)rows * (size_t)n;
        for (int i = 0; i < n; i++) {
            double s = k->A[b * n + i];
            for (int j = 0; j < i; j++) {
                s -= w->L[i * n + j] * z[j];
            }
            z[i] = s / w->L[i * n + i];
        }
        w->r[rows++] = residual[b];
    }
    for (int a = 0; a < rows; a++) {
        for (int b = 0; b < rows; b++) {
            double s = 0.0;
            for (int i = 0; i < n; i++) {
                s += w->Z[a * n + i] * w->Z[b * n + i];
            }
            w->G[a * rows + b] = s;
        }
    }
    double rest;
    int    rank = rows > 0 ? zw_cholesky_pivoted(rows, w->G, 1e-13, w->perm, &rest) : 0;
    if (rank < 0) {
        return -1.0;
    }
    double *y = w->r + rows; /* G y = r on the first rank rows of the order */
    for (int i = 0; i < rank; i++) {
        double s = w->r[w->perm[i]];
        for (int j = 0; j < i; j++) {
            s -= w->G[i * rows + j] * y[j];
        }
        y[i] = s / w->G[i * rows + i];
    }
    for (int i = rank - 1; i >= 0; i--) {
        double s = y[i];
        for (int j = i + 1; j < rank; j++) {
            s -= w->G[j * rows + i] * y[j];
        }
        y[i] = s / w->G[i * rows + i];
    }
    double most = 0.0;
    for (int i = n - 1; i >= 0; i--) { /* dx = L^-T Z y, kept in L's diagonal row order: solve backwards */
        double s = 0.0;
        for (int b = 0; b < rank; b++) {
            s += w->Z[w->perm[b] * n + i] * y[b];
        }
        w->r[2 * m + i] = s;
    }
    double *dx = w->r + 2 * m;
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            dx[i] -= w->L[j * n + i] * dx[j];
        }
        dx[i] /= w->L[i * n + i];
    }
    for (int i = 0; i < n; i++) {
        in[slot[i]] -= dx[i];
        double change = fabs(dx[i]) / (1.0 + fabs(in[slot[i]]));
        most = change > most || isnan(change) ? change : most;
    }
    return isfinite(most) ? most : -1.0;
}

static bool settle(const numbers *k, const zw_lagrangian_def *def, newton *w, double *in, bool position) {
    for (int i = 0; i < NEWTON_MAX; i++) {
        zw_tape_eval(k->tape, in, k->work, k->out);
        double change = newton_step(k, position ? k->value : k->first, position, w, in, position ? def->slot_q : def->slot_v);
        if (change < 0.0) {
            return false;
        }
        if (change < 1e-14) {
            return true;
        }
    }
    return false;
}

/* v0 of the quasi-velocities: u(q, v) = v0, linear in v */
static zw_status start_from_quasi(const zw_model *m, const zw_lagrangian_def *def, zw_arena *arena, double *in) {
    int      n = def->n;
    zw_node *roots = zw_arena_alloc(arena, (size_t)(n * n + n), sizeof *roots, "roots of a start");
    double  *J = zw_arena_alloc(arena, (size_t)(n * n + n), sizeof *J, "numbers of a start");
    int     *pivot = zw_arena_alloc(arena, (size_t)n, sizeof *pivot, "numbers of a start");
    double  *v = zw_arena_alloc(arena, (size_t)n, sizeof *v, "numbers of a start");
    zw_tape *tape;
    if (!roots || !J || !pivot || !v) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        ZW_TRY(zw_node_gradient(m->pool, def->quasi[i].e.node, n, def->slot_v, roots + i * n));
        roots[n * n + i] = def->quasi[i].e.node;
        v[i] = in[def->slot_v[i]];
        in[def->slot_v[i]] = 0.0;
    }
    ZW_TRY(zw_tape_create(m->context, m->pool, roots, n * n + n, &tape));
    double *work = zw_arena_alloc(arena, (size_t)zw_tape_work(tape) + 1, sizeof *work, "work of a start");
    if (work) {
        zw_tape_eval(tape, in, work, J);
        for (int i = 0; i < n; i++) {
            v[i] -= J[n * n + i];
        }
        if (zw_lu_factor(n, J, pivot) < 0) {
            zw_lu_solve(n, J, pivot, 1, v);
            for (int i = 0; i < n; i++) {
                in[def->slot_v[i]] = v[i];
            }
        }
    }
    zw_tape_destroy(tape);
    return work ? ZW_OK : ZW_E_MEMORY;
}

zw_status zw_lagrange_start(const zw_model *m, const zw_lagrangian_def *def, const zw_lagrange *y, zw_arena *arena, double *in,
                            bool *consistent) {
    size_t  n = (size_t)y->n, rows = (size_t)y->m;
    numbers k;
    zw_model_inputs(m, in);
    for (int i = 0; i < y->n; i++) {
        double *q = &in[def->slot_q[i]], *v = &in[def->slot_v[i]];
        *q = *v = 0.0;
        if (def->q0 && def->q0[i].node) {
            ZW_TRY(zw_model_constant(m, def->q0[i], def->coordinate[i], q));
        }
        if (def->v0 && def->v0[i].node) {
            ZW_TRY(zw_model_constant(m, def->v0[i], def->coordinate[i], v));
        }
    }
    if (def->start_in_quasi && def->nquasi == def->n) {
        ZW_TRY(start_from_quasi(m, def, arena, in));
    }
    *consistent = true;
    if (rows == 0) {
        return ZW_OK;
    }
    ZW_TRY(numbers_open(m->context, m->pool, y, arena, &k));
    newton  w = {.L = zw_arena_alloc(arena, n * n, sizeof(double), "numbers of a start"),
                 .Z = zw_arena_alloc(arena, rows * n, sizeof(double), "numbers of a start"),
                 .G = zw_arena_alloc(arena, rows * rows, sizeof(double), "numbers of a start"),
                 .r = zw_arena_alloc(arena, 2 * rows + n, sizeof(double), "numbers of a start"),
                 .perm = zw_arena_alloc(arena, rows, sizeof(int), "numbers of a start")};
    double *kept = zw_arena_alloc(arena, 2 * n, sizeof *kept, "numbers of a start");
    bool    ok = w.L && w.Z && w.G && w.r && w.perm && kept;
    if (ok) {
        for (size_t i = 0; i < n; i++) {
            kept[i] = in[def->slot_q[i]];
            kept[n + i] = in[def->slot_v[i]];
        }
        *consistent = settle(&k, def, &w, in, true) && settle(&k, def, &w, in, false);
        for (size_t i = 0; i < n && !*consistent; i++) { /* as written, then */
            in[def->slot_q[i]] = kept[i];
            in[def->slot_v[i]] = kept[n + i];
        }
    }
    zw_tape_destroy(k.tape);
    return ok ? ZW_OK : ZW_E_MEMORY;
}

/* W scaled; false when a number is not finite */
static bool scaled_rows(const numbers *k, double *W) {
    int n = k->y->n, m = k->y->m;
    for (int b = 0; b < m; b++) {
        double most = 0.0;
        for (int j = 0; j < n; j++) {
            double mass = k->M[j * n + j];
            W[b * n + j] = k->A[b * n + j] / (mass > 0.0 ? sqrt(mass) : 1.0);
            most = fabs(W[b * n + j]) > most ? fabs(W[b * n + j]) : most;
            if (!isfinite(W[b * n + j])) {
                return false;
            }
        }
        for (int j = 0; j < n && most > 0.0; j++) {
            W[b * n + j] /= most;
        }
    }
    return true;
}

static void pivot_rows(int n, int m, double *W, const bool *only, bool *used_row, bool *used_column, zw_partition *out) {
    out->pivot = 1.0;
    for (;;) {
        int    row = -1, column = -1;
        double most = rank_tolerance;
        for (int b = 0; b < m; b++) {
            for (int j = 0; j < n; j++) {
                bool open = !used_row[b] && !used_column[j] && (!only || only[j]);
                if (open && fabs(W[b * n + j]) > most * (1.0 + 1e-12)) { /* ties: the first, whatever the rounding */
                    most = fabs(W[b * n + j]);
                    row = b;
                    column = j;
                }
            }
        }
        if (row < 0) {
            return;
        }
        used_row[row] = used_column[column] = true;
        out->row[out->g] = row;
        out->dependent[out->g++] = column;
        out->pivot = most < out->pivot ? most : out->pivot;
        for (int b = 0; b < m; b++) {
            double f = used_row[b] ? 0.0 : W[b * n + column] / W[row * n + column];
            for (int j = 0; j < n && f != 0.0; j++) {
                W[b * n + j] -= f * W[row * n + j];
            }
        }
    }
}

zw_status zw_partition_choose(const zw_model *m, const zw_lagrangian_def *def, const zw_lagrange *y, const double *in, const bool *only,
                              zw_arena *arena, zw_partition *out) {
    size_t  n = (size_t)y->n, rows = (size_t)y->m;
    numbers k;
    *out = (zw_partition){.n = y->n,
                          .dependent = zw_arena_alloc(arena, n + rows, sizeof(int), "partition"),
                          .independent = zw_arena_alloc(arena, n, sizeof(int), "partition"),
                          .row = zw_arena_alloc(arena, rows, sizeof(int), "partition"),
                          .redundant = zw_arena_alloc(arena, rows, sizeof(int), "partition")};
    double *W = zw_arena_alloc(arena, rows * n, sizeof *W, "partition");
    bool   *used = zw_arena_alloc(arena, rows + n, sizeof *used, "partition");
    if (!out->dependent || !out->independent || !out->row || !out->redundant || !W || !used) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(numbers_open(m->context, m->pool, y, arena, &k));
    zw_tape_eval(k.tape, in, k.work, k.out);
    bool finite = scaled_rows(&k, W);
    zw_tape_destroy(k.tape);
    if (!finite) {
        return zw_model_raise(m, ZW_E_DIVERGED, def->start_at, "partition of the velocities",
                              "start at a state where the equations are defined",
                              "a derivative of a constraint is not finite at the start");
    }
    pivot_rows(y->n, y->m, W, only, used, used + rows, out);
    for (int b = 0; b < y->m; b++) {
        if (!used[b]) {
            out->redundant[out->nredundant++] = b;
        }
    }
    for (int j = 0; j < y->n; j++) {
        if (!used[y->m + j]) {
            out->independent[out->e++] = j;
        }
    }
    return ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * verify_look.c: what the checks know of a state: forces, rows and their rates, Gauss's accelerations, which rows are independent, and the sizes
 * that differences are measured by. */
#include "analysis/verify.h"

#include <math.h>
#include <string.h>

void zw_verify_metric_product(const zw_metric *M, const double *x, double *y) {
    for (int p = 0; p < M->nparts; p++) {
        const zw_matrix *a = &M->part[p];
        const double    *in = x + M->v0[p];
        double          *out = y + M->v0[p];
        if (a->kind == ZW_DIAGONAL) {
            for (int i = 0; i < a->n; i++) {
                out[i] = a->a[i] * in[i];
            }
            continue;
        }
        int b = a->block;
        memset(out, 0, sizeof(double) * (size_t)a->n);
        for (int row = 0; row < a->n / b; row++) {
            for (int e = a->start[row]; e < a->start[row + 1]; e++) {
                const double *block = a->a + (size_t)e * (size_t)b * (size_t)b;
                for (int i = 0; i < b; i++) {
                    for (int j = 0; j < b; j++) {
                        out[row * b + i] += block[i * b + j] * in[a->col[e] * b + j];
                    }
                }
            }
        }
    }
}

void zw_verify_rows_product(const zw_rows *A, const double *x, double *y, bool sizes) {
    memset(y, 0, sizeof(double) * (size_t)A->m);
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int b = tile->block0; b < tile->block0 + tile->nblocks; b++) {
            const zw_block *block = &A->block[b];
            for (int i = 0; i < tile->m; i++) {
                for (int j = 0; j < block->ncol; j++) {
                    double term = A->a[block->a + (ptrdiff_t)i * block->ncol + j] * x[block->col0 + j];
                    y[tile->row + i] += sizes ? fabs(term) : term;
                }
            }
        }
    }
}

double zw_verify_dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

zw_status zw_verify_look(zw_verifier *k) {
    static const zw_rows no_rows = {0};
    const zw_rows       *A = &no_rows;
    const zw_state      *x = &k->x;
    zw_project_info      info;
    ZW_TRY(zw_system_force(k->y, x, k->f));
    ZW_TRY(zw_system_load(k->y, x, x->t, k->f));
    zw_system_damp(k->y, x, k->f);
    zw_system_bias(k->y, x, k->f);
    ZW_TRY(zw_gauss_solve(k->gauss, x, k->a, k->lambda, &info));
    if (k->m > 0) {
        ZW_TRY(zw_system_row_rates(k->y, x, k->D));
        ZW_TRY(zw_system_values(k->y, x, 2, k->column[0]));
        ZW_TRY(zw_system_rows(k->y, x, &A));
    }
    const zw_metric *M = zw_system_mass(k->y, x);
    ZW_TRY(zw_solver_factor(k->solver, M, A, &info));
    zw_solver_metric_inverse(k->solver, k->f, k->a_free);
    k->condition = fmax(1.0, info.condition);
    k->redundant = zw_solver_redundant(k->solver, k->dropped, k->m);
    k->rank = 0;
    for (int i = 0; i < k->m; i++) {
        bool redundant = false;
        for (int j = 0; j < k->redundant; j++) {
            redundant = redundant || k->dropped[j] == i;
        }
        k->row[k->rank] = i;
        k->rank += !redundant;
    }
    memset(k->line[0], 0, sizeof(double) * (size_t)k->n.nv);
    zw_system_chart_rate(k->y, x->q, k->line[0], x->q, x->v, k->rate);
    k->pace = k->unit_t > 0.0 ? k->unit_t : 1.0;
    double sum = 0.0;
    for (int i = 0; i < k->n.nv; i++) {
        k->line[0][i] = fabs(x->v[i]) + k->unit_v[i];
        sum += k->a[i] + k->a_free[i] + k->f[i];
        if (k->rate[i] != 0.0) {
            k->pace = fmin(k->pace, k->unit_q[i] / fabs(k->rate[i]));
        }
    }
    zw_verify_rows_product(A, k->line[0], k->row_size, true);
    for (int i = 0; i < k->m; i++) {
        k->row_size[i] += fabs(k->column[0][i]);
        sum += k->lambda[i] + k->D[i] + k->row_size[i];
    }
    if (!isfinite(sum)) {
        return ZW_E_DIVERGED;
    }
    if (k->dense) {
        zw_principles_dense(M, A, k->M, k->A);
    }
    return ZW_OK;
}

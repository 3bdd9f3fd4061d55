/* SPDX-License-Identifier: Apache-2.0
 * both.c: one kernel problem made of the rows of two states; joints turn with their bodies, and with slender bodies A M^-1 A' turns into something else within a
 * step: neither end alone says what multipliers at both do. Redundant rows are left out: what depends on others at either end does so in different ways, and the
 * sum would see rows that hardly depend. */
#include "steps/both.h"

#include "base/context.h"
#include "project/solver.h"

#include <math.h>
#include <string.h>

zw_status zw_both_create(zw_context *c, int n, zw_both *out) {
    *out = (zw_both){.context = c, .n = n};
    ZW_TRY(zw_solver_create(c, &out->solver));
    zw_solver_tolerate(out->solver, INFINITY); /* redundant rows contradict each other on the way */
    return ZW_OK;
}

static void release(zw_context *c, zw_rows *A) {
    zw_free(c, A->tile);
    zw_free(c, A->block);
    zw_free(c, A->a);
    *A = (zw_rows){0};
}

void zw_both_destroy(zw_both *b) {
    if (b->context == NULL) {
        return;
    }
    zw_solver_destroy(b->solver);
    release(b->context, &b->from);
    release(b->context, &b->rows);
    zw_free(b->context, b->part);
    zw_free(b->context, b->v0);
    *b = (zw_both){0};
}

static zw_status room(zw_context *c, zw_rows *A, int tiles, int blocks, ptrdiff_t values) {
    release(c, A);
    A->tile = zw_alloc(c, (size_t)tiles + 1, sizeof *A->tile, "the integrator");
    A->block = zw_alloc(c, (size_t)blocks + 1, sizeof *A->block, "the integrator");
    A->a = zw_alloc(c, (size_t)values + 1, sizeof *A->a, "the integrator");
    return A->tile != NULL && A->block != NULL && A->a != NULL ? ZW_OK : ZW_E_MEMORY;
}

zw_status zw_both_start(zw_both *b, const zw_rows *A) {
    if (A->ntiles > b->most_tiles || A->nblocks > b->most_blocks || A->nvalues > b->most_values) {
        ZW_TRY(room(b->context, &b->from, A->ntiles, A->nblocks, A->nvalues));
        ZW_TRY(room(b->context, &b->rows, A->ntiles, 2 * A->nblocks, 2 * A->nvalues));
        b->most_tiles = A->ntiles;
        b->most_blocks = A->nblocks;
        b->most_values = A->nvalues;
    }
    zw_rows *to = &b->from;
    to->m = A->m;
    to->ntiles = A->ntiles;
    to->nblocks = A->nblocks;
    to->nvalues = A->nvalues;
    if (A->m > 0) {
        memcpy(to->tile, A->tile, sizeof *A->tile * (size_t)A->ntiles);
        memcpy(to->block, A->block, sizeof *A->block * (size_t)A->nblocks);
        memcpy(to->a, A->a, sizeof *A->a * (size_t)A->nvalues);
    }
    return ZW_OK;
}

static zw_status double_metric(zw_both *b, const zw_metric *M) {
    if (b->nparts < M->nparts) {
        zw_free(b->context, b->part);
        zw_free(b->context, b->v0);
        b->part = zw_alloc(b->context, 2 * (size_t)M->nparts, sizeof *b->part, "the integrator");
        b->v0 = zw_alloc(b->context, 2 * (size_t)M->nparts, sizeof *b->v0, "the integrator");
        if (b->part == NULL || b->v0 == NULL) {
            return ZW_E_MEMORY;
        }
        b->nparts = M->nparts;
    }
    for (int i = 0; i < 2 * M->nparts; i++) {
        b->part[i] = M->part[i % M->nparts];
        b->v0[i] = M->v0[i % M->nparts] + (i < M->nparts ? 0 : b->n);
    }
    b->metric = (zw_metric){.n = 2 * b->n, .nparts = 2 * M->nparts, .part = b->part, .v0 = b->v0};
    return ZW_OK;
}

zw_status zw_both_factor(zw_both *b, const zw_metric *M, const zw_rows *A1, const unsigned char *skip) {
    zw_rows *to = &b->rows;
    ZW_TRY(double_metric(b, M));
    to->m = A1->m;
    to->ntiles = A1->ntiles;
    to->nblocks = 0;
    to->nvalues = 0;
    for (int t = 0; t < A1->ntiles; t++) {
        to->tile[t] = A1->tile[t];
        to->tile[t].block0 = to->nblocks;
        to->tile[t].nblocks = 0;
        for (int side = 0; side < 2; side++) {
            const zw_rows *from = side == 0 ? &b->from : A1;
            const zw_tile *tile = &from->tile[t];
            for (int j = tile->block0; j < tile->block0 + tile->nblocks; j++) {
                const zw_block *block = &from->block[j];
                size_t          values = (size_t)tile->m * (size_t)block->ncol;
                to->block[to->nblocks++] = (zw_block){.col0 = block->col0 + side * b->n, .ncol = block->ncol, .a = to->nvalues};
                memcpy(to->a + to->nvalues, from->a + block->a, sizeof *to->a * values);
                for (int i = 0; i < tile->m; i++) {
                    if (skip[tile->row + i]) {
                        memset(to->a + to->nvalues + (ptrdiff_t)i * block->ncol, 0, sizeof *to->a * (size_t)block->ncol);
                    }
                }
                to->nvalues += (ptrdiff_t)values;
                to->tile[t].nblocks++;
            }
        }
    }
    return zw_solver_factor(b->solver, &b->metric, to, NULL);
}

zw_status zw_both_solve(zw_both *b, const double *side, double *mu) {
    return zw_solver_correct(b->solver, side, NULL, mu, NULL);
}

void zw_both_shift(const zw_both *b, const double *mu, double *work, double *out) {
    zw_solver_force(b->solver, mu, work);
    zw_solver_metric_inverse(b->solver, work, out);
}

/* SPDX-License-Identifier: Apache-2.0
 * rows.c: the rows A by themselves: is what was given a set of rows, and its products with vectors. */
#include "project/schur.h"

zw_status zw_rows_check(zw_context *c, int n, const zw_rows *A) {
    if (A->m < 0 || A->ntiles < 0 || A->nblocks < 0 || (A->ntiles > 0 && !A->tile) || (A->nblocks > 0 && (!A->block || !A->a))) {
        return zw_raise(c, ZW_E_ARG, "rows", NULL, "%d rows, %d tiles, %d blocks, or arrays missing", A->m, A->ntiles, A->nblocks);
    }
    unsigned char *seen = zw_alloc(c, (size_t)A->m, 1, "rows");
    if (!seen) {
        return ZW_E_MEMORY;
    }
    zw_status status = ZW_OK;
    int       covered = 0;
    for (int t = 0; t < A->ntiles && status == ZW_OK; t++) {
        const zw_tile *tile = &A->tile[t];
        if (tile->m < 0 || tile->row < 0 || tile->m > A->m - tile->row || tile->nblocks < 0 || tile->block0 < 0 ||
            tile->nblocks > A->nblocks - tile->block0) {
            status = zw_raise(c, ZW_E_ARG, "rows", NULL, "tile %d: rows %d + %d of %d, blocks %d + %d of %d", t, tile->row, tile->m, A->m,
                              tile->block0, tile->nblocks, A->nblocks);
            break;
        }
        for (int i = tile->row; i < tile->row + tile->m && status == ZW_OK; i++) {
            if (seen[i]) {
                status = zw_raise(c, ZW_E_ARG, "rows", NULL, "row %d is in two tiles, the second is tile %d", i, t);
            }
            seen[i] = 1;
            covered++;
        }
        for (int k = tile->block0; k < tile->block0 + tile->nblocks && status == ZW_OK; k++) {
            const zw_block *b = &A->block[k];
            if (b->col0 < 0 || b->ncol < 0 || b->ncol > n - b->col0) {
                status = zw_raise(c, ZW_E_ARG, "rows", NULL, "block %d of tile %d: columns %d + %d of %d", k, t, b->col0, b->ncol, n);
            }
        }
    }
    if (status == ZW_OK && covered < A->m) {
        int i = 0;
        while (seen[i]) {
            i++;
        }
        status = zw_raise(c, ZW_E_ARG, "rows", NULL, "row %d of %d is in no tile", i, A->m);
    }
    zw_free(c, seen);
    return status;
}

void zw_rows_apply(const zw_schur *s, const double *x, double *y) {
    for (int t = 0; t < s->ntiles; t++) {
        const zw_tile *tile = &s->tile[t];
        for (int i = 0; i < tile->m; i++) {
            double sum = 0.0;
            for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
                const zw_block *b = &s->block[k];
                const double   *a = s->a + b->a + (ptrdiff_t)i * b->ncol;
                for (int j = 0; j < b->ncol; j++) {
                    sum += a[j] * x[b->col0 + j];
                }
            }
            y[tile->row + i] = sum;
        }
    }
}

void zw_rows_scale(const zw_schur *s, const double *x, double *y) {
    for (int t = 0; t < s->ntiles; t++) {
        const zw_tile *tile = &s->tile[t];
        for (int i = 0; i < tile->m; i++) {
            double sum = 0.0;
            for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
                const zw_block *b = &s->block[k];
                const double   *a = s->a + b->a + (ptrdiff_t)i * b->ncol;
                for (int j = 0; j < b->ncol; j++) {
                    double term = a[j] * x[b->col0 + j];
                    sum += term < 0.0 ? -term : term;
                }
            }
            y[tile->row + i] = sum;
        }
    }
}

void zw_rows_add_transposed(const zw_schur *s, const double *lambda, double *y) {
    for (int t = 0; t < s->ntiles; t++) {
        const zw_tile *tile = &s->tile[t];
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            const zw_block *b = &s->block[k];
            for (int i = 0; i < tile->m; i++) {
                const double *a = s->a + b->a + (ptrdiff_t)i * b->ncol;
                double        l = lambda[tile->row + i];
                for (int j = 0; j < b->ncol; j++) {
                    y[b->col0 + j] += a[j] * l;
                }
            }
        }
    }
}

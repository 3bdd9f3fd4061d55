/* SPDX-License-Identifier: Apache-2.0
 * sizes.c: sum_j |A_ij x_j| for each row of A. */
#include "steps/sizes.h"

#include <math.h>

void zw_row_sizes(const zw_rows *A, const double *x, double *size) {
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int i = 0; i < tile->m; i++) {
            double sum = 0.0;
            for (int j = tile->block0; j < tile->block0 + tile->nblocks; j++) {
                const zw_block *b = &A->block[j];
                const double   *a = A->a + b->a + (ptrdiff_t)i * b->ncol;
                for (int l = 0; l < b->ncol; l++) {
                    sum += fabs(a[l] * x[b->col0 + l]);
                }
            }
            size[tile->row + i] = sum;
        }
    }
}

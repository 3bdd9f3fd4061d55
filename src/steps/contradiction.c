/* SPDX-License-Identifier: Apache-2.0
 * contradiction.c: see contradiction.h. */
#include "steps/contradiction.h"

#include "base/context.h"
#include "project/solver.h"

#include <math.h>
#include <string.h>

static zw_status look(zw_system *y, const zw_state *x, zw_solver *s, double *room, int *row, double *left) {
    const zw_rows  *A;
    const int      *number;
    zw_project_info info;
    int             m = zw_system_rows_count(y), nv = zw_system_size(y).nv;
    double         *g = room, *b = g + m, *mu = b + m, *way = mu + m, most = 0.0;
    ZW_TRY(zw_system_values(y, x, 0, g));
    ZW_TRY(zw_system_rows_position(y, x, &A, &number));
    for (int i = 0; i < A->m; i++) {
        b[i] = -g[number[i]];
        most = fmax(most, fabs(b[i]));
    }
    memset(way, 0, sizeof(double) * (size_t)nv);
    ZW_TRY(zw_solver_factor(s, zw_system_mass(y, x), A, &info));
    zw_solver_tolerate(s, INFINITY);
    ZW_TRY(zw_solver_correct(s, b, way, mu, NULL));
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int i = 0; i < tile->m; i++) {
            double rest = -b[tile->row + i];
            for (int j = tile->block0; j < tile->block0 + tile->nblocks; j++) {
                const double *a = A->a + A->block[j].a + (ptrdiff_t)i * A->block[j].ncol;
                for (int c = 0; c < A->block[j].ncol; c++) {
                    rest += a[c] * way[A->block[j].col0 + c];
                }
            }
            if (fabs(rest) > 1e-6 * most && fabs(rest) > fabs(*left)) {
                *row = number[tile->row + i];
                *left = rest;
            }
        }
    }
    return ZW_OK;
}

zw_status zw_rows_contradict(zw_system *y, const zw_state *x, int *row, double *left) {
    zw_context *c = zw_system_context(y);
    size_t      m = (size_t)zw_system_rows_count(y), nv = (size_t)zw_system_size(y).nv;
    zw_solver  *s = NULL;
    *row = -1;
    *left = 0.0;
    if (m == 0) {
        return ZW_OK;
    }
    double   *room = zw_alloc(c, 3 * m + nv, sizeof *room, "rows that contradict each other");
    zw_status status = room != NULL ? zw_solver_create(c, &s) : ZW_E_MEMORY;
    if (status == ZW_OK) {
        status = look(y, x, s, room, row, left);
    }
    zw_solver_destroy(s);
    zw_free(c, room);
    return status;
}

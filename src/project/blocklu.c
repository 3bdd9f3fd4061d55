/* SPDX-License-Identifier: Apache-2.0
 * blocklu.c: right-looking block LU without exchanges between blocks: A = L U, L with unit diagonal blocks.
 *
 *   D_j = P l u in place;   W_ij = A_ij D_j^-1;   A_ik -= W_ij A_jk  for all i, k in the pattern of column j
 * With the upper blocks turned, both halves are the same operation: lower_ik -= W_ij upper_kj', upper_ik -= upper_ij W_kj'. */
#include "project/blocklu.h"

#include "math/dense.h"
#include "project/block_product.h"
#include "project/six.h"

#include <math.h>
#include <string.h>

static int size_of(const zw_blocklu *f, int position) {
    return f->pattern.row0[position + 1] - f->pattern.row0[position];
}

zw_status zw_blocklu_analyse(zw_arena *arena, int nb, const int *start, const int *adj, const int *size, const unsigned char *last,
                             zw_blocklu *out) {
    zw_blocklu f = {0};
    ZW_TRY(zw_blockchol_analyse_last(arena, nb, start, adj, size, last, &f.pattern));
    f.upper = zw_arena_alloc(arena, (size_t)f.pattern.nvalues + 1, sizeof *f.upper, "sparse factor");
    f.pivot = zw_arena_alloc(arena, (size_t)f.pattern.n + 1, sizeof *f.pivot, "sparse factor");
    f.first = zw_arena_alloc(arena, (size_t)nb + 1, sizeof *f.first, "sparse factor");
    if (f.upper == NULL || f.pivot == NULL || f.first == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < nb; i++) {
        f.first[i + 1] = f.first[i] + size[i];
    }
    *out = f;
    return ZW_OK;
}

zw_status zw_blocklu_count(zw_arena *arena, zw_blocklu *f, const unsigned char *flip) {
    size_t most = 1;
    for (int j = 0; j < f->pattern.nb; j++) {
        size_t m = (size_t)size_of(f, j);
        most = m > most ? m : most;
    }
    f->flip = flip;
    f->room = zw_arena_alloc(arena, most * most + most, sizeof *f->room, "sparse factor");
    return f->room != NULL ? ZW_OK : ZW_E_MEMORY;
}

/* the symmetric part of a diagonal block, signs changed, into f->room */
static void symmetric_part(const zw_blocklu *f, const double *d, int m, int off) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            double ij = f->flip[off + j] ? -d[i * m + j] : d[i * m + j], ji = f->flip[off + i] ? -d[j * m + i] : d[j * m + i];
            f->room[i * m + j] = 0.5 * (ij + ji);
        }
    }
}

/* eigenvalues below 0 of a diagonal block; off: first of its columns in the caller's order */
static int below_zero(const zw_blocklu *f, const double *d, int m, int off) {
    double *a = f->room, *values = a + (ptrdiff_t)m * m;
    int     count = 0;
    symmetric_part(f, d, m, off);
    if (zw_cholesky_factor(m, a) < 0) { /* most blocks have none */
        return 0;
    }
    symmetric_part(f, d, m, off);
    if (!zw_sym_eigen(m, a, values, NULL)) {
        return 0;
    }
    for (int i = 0; i < m; i++) {
        count += values[i] < 0.0;
    }
    return count;
}

void zw_blocklu_zero(zw_blocklu *f) {
    zw_blockchol_zero(&f->pattern);
    memset(f->upper, 0, (size_t)f->pattern.nvalues * sizeof *f->upper);
}

double *zw_blocklu_block(zw_blocklu *f, int i, int j, bool *turned) {
    *turned = f->pattern.position[i] < f->pattern.position[j];
    ptrdiff_t at = *turned ? zw_blockchol_find(&f->pattern, j, i) : zw_blockchol_find(&f->pattern, i, j);
    return at < 0 ? NULL : (*turned ? f->upper : f->pattern.l) + at;
}

int zw_blocklu_factor(zw_blocklu *f) {
    const zw_blockchol *p = &f->pattern;
    f->negative = f->below = 0;
    for (int j = 0; j < p->nb; j++) {
        int     m = size_of(f, j), first = p->start[j], end = p->start[j + 1], *pivot = f->pivot + p->row0[j];
        double *d = p->l + p->value[first];
        f->below += f->flip != NULL ? below_zero(f, d, m, f->first[p->order[j]]) : 0;
        if (m == 6) {
            zw_six_factor(d, pivot);
        } else {
            zw_lu_factor(m, d, pivot);
        }
        int sign = zw_lu_det_sign(m, d, pivot);
        for (int i = 0; i < m; i++) {
            if (!isfinite(d[i * m + i])) {
                return p->order[j];
            }
        }
        if (sign == 0) {
            return p->order[j];
        }
        f->negative += sign < 0;
        for (int q = first + 1; q < end; q++) { /* W = A D^-1: D' W' = A', row by row */
            double *w = p->l + p->value[q];
            int     rows = size_of(f, p->row[q]);
            if (m == 6 && rows == 6) {
                zw_six_divide(d, pivot, w);
                continue;
            }
            for (int i = 0; i < rows; i++) {
                zw_lu_solve_transposed(m, d, pivot, w + (ptrdiff_t)i * m);
            }
        }
        for (int a = first + 1; a < end; a++) {
            int k = p->row[a], q = p->start[k], nk = size_of(f, k);
            for (int i = a; i < end; i++) {
                while (p->row[q] != p->row[i]) {
                    q++;
                }
                int ni = size_of(f, p->row[i]);
                zw_block_subtract(ni, nk, m, p->l + p->value[i], f->upper + p->value[a], p->l + p->value[q]);
                if (i > a) {
                    zw_block_subtract(ni, nk, m, f->upper + p->value[i], p->l + p->value[a], f->upper + p->value[q]);
                }
            }
        }
    }
    return -1;
}

int zw_blocklu_sign(const zw_blocklu *f) {
    return f->negative % 2 == 0 ? 1 : -1;
}

void zw_blocklu_solve(const zw_blocklu *f, double *b) {
    const zw_blockchol *p = &f->pattern;
    double             *v = p->work;
    ptrdiff_t           from = 0;
    for (int i = 0; i < p->nb; i++) { /* to the order of elimination */
        int at = p->position[i], m = size_of(f, at);
        memcpy(v + p->row0[at], b + from, sizeof(double) * (size_t)m);
        from += m;
    }
    for (int j = 0; j < p->nb; j++) {
        int m = size_of(f, j);
        for (int q = p->start[j] + 1; q < p->start[j + 1]; q++) {
            int rows = size_of(f, p->row[q]);
            if (m == 6 && rows == 6) {
                zw_six_subtract_vector(p->l + p->value[q], v + p->row0[j], v + p->row0[p->row[q]]);
            } else {
                zw_block_subtract_any(rows, 1, m, p->l + p->value[q], v + p->row0[j], v + p->row0[p->row[q]]);
            }
        }
    }
    for (int j = p->nb - 1; j >= 0; j--) {
        int     m = size_of(f, j);
        double *x = v + p->row0[j];
        for (int q = p->start[j] + 1; q < p->start[j + 1]; q++) {
            const double *u = f->upper + p->value[q], *y = v + p->row0[p->row[q]];
            int           rows = size_of(f, p->row[q]);
            if (m == 6 && rows == 6) {
                zw_six_subtract_turned_vector(u, y, x);
                continue;
            }
            for (int i = 0; i < rows; i++) {
                for (int k = 0; k < m; k++) {
                    x[k] -= u[(ptrdiff_t)i * m + k] * y[i];
                }
            }
        }
        if (m == 6) {
            zw_six_solve(p->l + p->value[p->start[j]], f->pivot + p->row0[j], x);
        } else {
            zw_lu_solve(m, p->l + p->value[p->start[j]], f->pivot + p->row0[j], 1, x);
        }
    }
    from = 0;
    for (int i = 0; i < p->nb; i++) {
        int at = p->position[i], m = size_of(f, at);
        memcpy(b + from, v + p->row0[at], sizeof(double) * (size_t)m);
        from += m;
    }
}

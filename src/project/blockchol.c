/* SPDX-License-Identifier: Apache-2.0
 * blockchol.c: sparse block Cholesky, right-looking.
 *
 * The pattern of column j of L is that of A below j joined with those of its children in the elimination tree (the columns whose first
 * off-diagonal block is in row j). Once column j is final it is subtracted from the columns k in its pattern: L_ik -= L_ij L_kj'. The
 * pattern of column k holds that of j below k, so both sorted lists are walked once. The order of all sums is that of the pattern. */
#include "project/blockchol.h"

#include "project/block_product.h"
#include "project/order.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

typedef struct symbolic {
    int   *start; /* [nb+1] */
    int   *row;   /* rows below the diagonal, unsorted */
    size_t fill, room;
} symbolic;

/* patterns of all columns below the diagonal */
static zw_status pattern_columns(zw_context *c, int nb, const int *start, const int *adj, const int *order, const int *position, int *work,
                                 symbolic *s) {
    int *mark = work, *child = work + nb, *sibling = work + 2 * (size_t)nb;
    for (int j = 0; j < nb; j++) {
        mark[j] = child[j] = -1;
    }
    for (int j = 0; j < nb; j++) {
        int    i = order[j];
        size_t most = (size_t)(start[i + 1] - start[i]);
        for (int k = child[j]; k >= 0; k = sibling[k]) {
            most += (size_t)(s->start[k + 1] - s->start[k]);
        }
        if (s->fill + most > s->room) {
            size_t room = 2 * s->room + most + 1024;
            if (room > INT_MAX) {
                return zw_raise(c, ZW_E_LIMIT, "sparse factor", "use fewer coupled rows", "the factor would hold more than %d blocks",
                                INT_MAX);
            }
            int *row = zw_resize(c, s->row, room, sizeof *row, "sparse factor");
            if (!row) {
                return ZW_E_MEMORY;
            }
            s->row = row;
            s->room = room;
        }
        s->start[j] = (int)s->fill;
        mark[j] = j;
        int first = nb;
        for (int k = start[i]; k < start[i + 1]; k++) {
            int r = position[adj[k]];
            if (r > j && mark[r] != j) {
                mark[r] = j;
                s->row[s->fill++] = r;
                first = r < first ? r : first;
            }
        }
        for (int k = child[j]; k >= 0; k = sibling[k]) {
            for (int q = s->start[k]; q < s->start[k + 1]; q++) {
                int r = s->row[q];
                if (mark[r] != j) { /* r = j itself is marked */
                    mark[r] = j;
                    s->row[s->fill++] = r;
                    first = r < first ? r : first;
                }
            }
        }
        s->start[j + 1] = (int)s->fill;
        if (first < nb) {
            sibling[j] = child[first];
            child[first] = j;
        }
    }
    return ZW_OK;
}

/* sorts the rows of all columns by transposing twice, and puts the diagonal in front */
static void pattern_sort(int nb, const symbolic *s, int *work, zw_blockchol *f) {
    int *count = work, *column = work + nb + 1; /* column: the row lists of the transpose, s->fill entries */
    for (int i = 0; i <= nb; i++) {
        count[i] = 0;
    }
    for (size_t q = 0; q < s->fill; q++) {
        count[s->row[q] + 1]++;
    }
    for (int i = 0; i < nb; i++) {
        count[i + 1] += count[i];
    }
    for (int j = 0; j < nb; j++) {
        for (int q = s->start[j]; q < s->start[j + 1]; q++) {
            column[count[s->row[q]]++] = j;
        }
        f->start[j + 1] = s->start[j + 1] + j + 1;
    }
    f->start[0] = 0;
    /* count[i] is now the end of row i; row i begins where row i - 1 ends. next[] takes over the place of each column's fill */
    int *next = f->position; /* borrowed: recomputed by the caller */
    for (int j = 0; j < nb; j++) {
        f->row[f->start[j]] = j;
        next[j] = f->start[j] + 1;
    }
    for (int i = 0, q = 0; i < nb; i++) {
        for (; q < count[i]; q++) {
            f->row[next[column[q]]++] = i;
        }
    }
}

/* the blocks asked for go behind the others, each kind in the order it had; returns how many they are not */
static int order_last(int nb, const unsigned char *last, int *order, int *work) {
    int first = 0, behind = 0;
    for (int k = 0; k < nb; k++) {
        if (last && last[order[k]]) {
            work[behind++] = order[k];
        } else {
            order[first++] = order[k];
        }
    }
    for (int level = 1, next = first; level <= 2; level++) {
        for (int k = 0; k < behind; k++) {
            if ((last[work[k]] > 1) == (level > 1)) {
                order[next++] = work[k];
            }
        }
    }
    return first;
}

zw_status zw_blockchol_analyse(zw_arena *arena, int nb, const int *start, const int *adj, const int *size, zw_blockchol *out) {
    return zw_blockchol_analyse_last(arena, nb, start, adj, size, NULL, out);
}

zw_status zw_blockchol_analyse_last(zw_arena *arena, int nb, const int *start, const int *adj, const int *size, const unsigned char *last,
                                    zw_blockchol *out) {
    zw_context  *c = arena->context;
    zw_blockchol f = {.nb = nb};
    symbolic     s = {.start = NULL};
    int         *work = NULL, *sort = NULL;
    zw_status    status = ZW_E_MEMORY;
    f.order = zw_arena_alloc(arena, (size_t)nb + 1, sizeof(int), "sparse factor");
    f.position = zw_arena_alloc(arena, (size_t)nb + 1, sizeof(int), "sparse factor");
    f.row0 = zw_arena_alloc(arena, (size_t)nb + 1, sizeof(int), "sparse factor");
    f.start = zw_arena_alloc(arena, (size_t)nb + 1, sizeof(int), "sparse factor");
    work = zw_alloc(c, 3 * (size_t)nb + 1, sizeof(int), "sparse factor");
    s.start = zw_alloc(c, (size_t)nb + 1, sizeof(int), "sparse factor");
    if (!f.order || !f.position || !f.row0 || !f.start || !work || !s.start) {
        goto done;
    }
    ZW_TRY_GOTO(zw_order_minimum_degree(c, nb, start, adj, f.order), done);
    f.split = order_last(nb, last, f.order, work);
    for (int k = 0; k < nb; k++) {
        f.position[f.order[k]] = k;
        f.row0[k + 1] = f.row0[k] + size[f.order[k]];
    }
    f.n = f.row0[nb];
    ZW_TRY_GOTO(pattern_columns(c, nb, start, adj, f.order, f.position, work, &s), done);
    status = ZW_E_MEMORY;
    f.row = zw_arena_alloc(arena, s.fill + (size_t)nb, sizeof(int), "sparse factor");
    f.value = zw_arena_alloc(arena, s.fill + (size_t)nb, sizeof(ptrdiff_t), "sparse factor");
    sort = zw_alloc(c, s.fill + (size_t)nb + 1, sizeof(int), "sparse factor");
    if (!f.row || !f.value || !sort) {
        goto done;
    }
    pattern_sort(nb, &s, sort, &f);
    for (int j = 0; j < nb; j++) {
        f.position[f.order[j]] = j;
        for (int q = f.start[j]; q < f.start[j + 1]; q++) {
            f.value[q] = f.nvalues;
            f.nvalues += (ptrdiff_t)size[f.order[f.row[q]]] * size[f.order[j]];
        }
    }
    f.l = zw_arena_alloc(arena, (size_t)f.nvalues, sizeof(double), "sparse factor");
    f.work = zw_arena_alloc(arena, (size_t)f.n, sizeof(double), "sparse factor");
    if (f.l && f.work) {
        *out = f;
        status = ZW_OK;
    }
done:
    zw_free(c, sort);
    zw_free(c, work);
    zw_free(c, s.row);
    zw_free(c, s.start);
    return status;
}

void zw_blockchol_zero(zw_blockchol *f) {
    memset(f->l, 0, (size_t)f->nvalues * sizeof *f->l);
}

ptrdiff_t zw_blockchol_find(const zw_blockchol *f, int i, int j) {
    int r = f->position[i], c = f->position[j], low = f->start[c], high = f->start[c + 1] - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (f->row[middle] == r) {
            return f->value[middle];
        }
        if (f->row[middle] < r) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return -1;
}

/* L L' = d in place, upper triangle left as it is; a dependent column becomes zero. Returns the row that failed, -1 for none */
INLINE int diagonal_factor_any(zw_blockchol *f, int m, double *d, double tolerance, bool semidefinite) {
    for (int c = 0; c < m; c++) {
        double pivot = d[c * m + c];
        for (int k = 0; k < c; k++) {
            pivot -= d[c * m + k] * d[c * m + k];
        }
        if (!isfinite(pivot) || (!semidefinite && !(pivot > tolerance))) {
            return c;
        }
        if (!(pivot > tolerance)) {
            f->dependent++;
            for (int i = c; i < m; i++) {
                d[i * m + c] = 0.0;
            }
            continue;
        }
        f->pivot_min = pivot < f->pivot_min ? pivot : f->pivot_min;
        f->pivot_max = pivot > f->pivot_max ? pivot : f->pivot_max;
        double root = sqrt(pivot), inverse = 1.0 / root;
        d[c * m + c] = root;
        for (int i = c + 1; i < m; i++) {
            double t = d[i * m + c];
            for (int k = 0; k < c; k++) {
                t -= d[i * m + k] * d[c * m + k];
            }
            d[i * m + c] = t * inverse;
        }
    }
    return -1;
}

/* x <- x L^-T for a block of rows below the diagonal block l; zero in dependent columns */
INLINE void below_scale_any(int rows, int m, const double *l, double *x) {
    for (int i = 0; i < rows; i++, x += m) {
        for (int c = 0; c < m; c++) {
            double t = x[c];
            for (int k = 0; k < c; k++) {
                t -= x[k] * l[c * m + k];
            }
            x[c] = l[c * m + c] > 0.0 ? t / l[c * m + c] : 0.0;
        }
    }
}

/* the same for 6 rows and columns, turned so that the rows run along */
static void below_scale_six(const double *restrict l, double *restrict x) {
    double t[36];
    for (int c = 0; c < 6; c++) {
        for (int i = 0; i < 6; i++) {
            t[6 * c + i] = x[6 * i + c];
        }
    }
    for (int c = 0; c < 6; c++) {
        double inverse = l[7 * c] > 0.0 ? 1.0 / l[7 * c] : 0.0;
        for (int k = 0; k < c; k++) {
            double f = l[6 * c + k];
            for (int i = 0; i < 6; i++) {
                t[6 * c + i] -= t[6 * k + i] * f;
            }
        }
        for (int i = 0; i < 6; i++) {
            t[6 * c + i] *= inverse;
        }
    }
    for (int c = 0; c < 6; c++) {
        for (int i = 0; i < 6; i++) {
            x[6 * i + c] = t[6 * c + i];
        }
    }
}

/* known sizes let the compiler unroll the most frequent case; the sums are the same */
static int diagonal_factor(zw_blockchol *f, int m, double *d, double tolerance, bool semidefinite) {
    switch (m) {
    case 3: return diagonal_factor_any(f, 3, d, tolerance, semidefinite);
    case 5: return diagonal_factor_any(f, 5, d, tolerance, semidefinite);
    case 6: return diagonal_factor_any(f, 6, d, tolerance, semidefinite);
    default: return diagonal_factor_any(f, m, d, tolerance, semidefinite);
    }
}

static void below_scale(int rows, int m, const double *l, double *x) {
    if (rows == 6 && m == 6) {
        below_scale_six(l, x);
    } else if (rows == 5 && m == 5) {
        below_scale_any(5, 5, l, x);
    } else if (rows == 3 && m == 3) {
        below_scale_any(3, 3, l, x);
    } else {
        below_scale_any(rows, m, l, x);
    }
}

static int size_of(const zw_blockchol *f, int position) {
    return f->row0[position + 1] - f->row0[position];
}

int zw_blockchol_factor(zw_blockchol *f, double tolerance, bool semidefinite) {
    f->dependent = 0;
    f->pivot_min = INFINITY;
    f->pivot_max = 0.0;
    for (int j = 0; j < f->nb; j++) {
        int     m = size_of(f, j), first = f->start[j], end = f->start[j + 1];
        double *d = f->l + f->value[first];
        int     bad = diagonal_factor(f, m, d, tolerance, semidefinite);
        if (bad >= 0) {
            return f->row0[j] + bad;
        }
        for (int q = first + 1; q < end; q++) {
            below_scale(size_of(f, f->row[q]), m, d, f->l + f->value[q]);
        }
        for (int a = first + 1; a < end; a++) {
            int k = f->row[a], q = f->start[k];
            for (int i = a; i < end; i++) {
                while (f->row[q] != f->row[i]) {
                    q++;
                }
                zw_block_subtract(size_of(f, f->row[i]), size_of(f, k), m, f->l + f->value[i], f->l + f->value[a], f->l + f->value[q]);
            }
        }
    }
    return -1;
}

bool zw_blockchol_depends(const zw_blockchol *f, int position, int k) {
    int m = size_of(f, position);
    return !(f->l[f->value[f->start[position]] + (ptrdiff_t)k * m + k] > 0.0);
}

/* x <- L^-1 x in a diagonal block */
INLINE void lower_solve_any(int m, const double *restrict d, double *restrict x) {
    for (int c = 0; c < m; c++) {
        double t = x[c];
        for (int k = 0; k < c; k++) {
            t -= d[c * m + k] * x[k];
        }
        x[c] = d[c * m + c] > 0.0 ? t / d[c * m + c] : t;
    }
}

/* x <- L^-T x */
INLINE void upper_solve_any(int m, const double *restrict d, double *restrict x) {
    for (int c = m - 1; c >= 0; c--) {
        if (d[c * m + c] > 0.0) {
            double t = x[c];
            for (int k = c + 1; k < m; k++) {
                t -= d[k * m + c] * x[k];
            }
            x[c] = t / d[c * m + c];
        }
    }
}

/* y -= l x */
INLINE void below_subtract_any(int rows, int m, const double *restrict l, const double *restrict x, double *restrict y) {
    for (int i = 0; i < rows; i++, l += m) {
        double t = 0.0;
        for (int k = 0; k < m; k++) {
            t += l[k] * x[k];
        }
        y[i] -= t;
    }
}

/* x -= l' y */
INLINE void above_subtract_any(int rows, int m, const double *restrict l, const double *restrict y, double *restrict x) {
    for (int i = 0; i < rows; i++, l += m) {
        for (int k = 0; k < m; k++) {
            x[k] -= l[k] * y[i];
        }
    }
}

void zw_blockchol_forward(const zw_blockchol *f, double *v) {
    zw_blockchol_forward_part(f, 0, f->nb, v);
}

void zw_blockchol_backward(const zw_blockchol *f, double *v) {
    zw_blockchol_backward_part(f, 0, f->nb, v);
}

void zw_blockchol_forward_part(const zw_blockchol *f, int first, int end, double *v) {
    for (int j = first; j < end; j++) {
        int           m = size_of(f, j);
        const double *d = f->l + f->value[f->start[j]];
        double       *x = v + f->row0[j];
        if (m == 6) {
            lower_solve_any(6, d, x);
        } else if (m == 5) {
            lower_solve_any(5, d, x);
        } else {
            lower_solve_any(m, d, x);
        }
        for (int q = f->start[j] + 1; q < f->start[j + 1]; q++) {
            const double *l = f->l + f->value[q];
            double       *y = v + f->row0[f->row[q]];
            int           rows = size_of(f, f->row[q]);
            if (m == 6 && rows == 6) {
                below_subtract_any(6, 6, l, x, y);
            } else if (m == 5 && rows == 5) {
                below_subtract_any(5, 5, l, x, y);
            } else {
                below_subtract_any(rows, m, l, x, y);
            }
        }
    }
}

void zw_blockchol_backward_part(const zw_blockchol *f, int first, int end, double *v) {
    for (int j = end - 1; j >= first; j--) {
        int           m = size_of(f, j);
        const double *d = f->l + f->value[f->start[j]];
        double       *x = v + f->row0[j];
        for (int q = f->start[j] + 1; q < f->start[j + 1]; q++) {
            const double *l = f->l + f->value[q];
            const double *y = v + f->row0[f->row[q]];
            int           rows = size_of(f, f->row[q]);
            if (m == 6 && rows == 6) {
                above_subtract_any(6, 6, l, y, x);
            } else if (m == 5 && rows == 5) {
                above_subtract_any(5, 5, l, y, x);
            } else {
                above_subtract_any(rows, m, l, y, x);
            }
        }
        if (m == 6) {
            upper_solve_any(6, d, x);
        } else if (m == 5) {
            upper_solve_any(5, d, x);
        } else {
            upper_solve_any(m, d, x);
        }
    }
}

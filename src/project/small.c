/* SPDX-License-Identifier: Apache-2.0
 * small.c: with H = L D L' (L of unit diagonal) and Y = L^-1 A', S = A H^-1 A' = Y' D^-1 Y, and the correction of x is H^-1 A' lambda = L^-T D^-1 Y lambda.
 * Everything is dense and stays in one struct, so a factorisation and a solution for five columns and two rows take a few hundred nanoseconds. */
#include "project/small.h"

#include "base/context.h"
#include "project/metric.h"

#include <math.h>
#include <string.h>

bool zw_small_fits(const zw_metric *H, const zw_rows *A) {
    bool dense = false;
    if (H->n > ZW_SMALL_COLUMNS || H->n < 1 || A->m > ZW_SMALL_ROWS || A->m < 0 || A->ntiles > ZW_SMALL_ROWS || A->ntiles < 0 ||
        A->nblocks > ZW_SMALL_BLOCKS || H->nparts > ZW_SMALL_COLUMNS) {
        return false;
    }
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *m = &H->part[k];
        if (m->kind != ZW_DIAGONAL && !(m->kind == ZW_SPD && m->block == m->n)) {
            return false;
        }
        dense = dense || m->kind == ZW_SPD;
    }
    return dense;
}

/* two tiles couple when they meet in a dense part or in a column of a diagonal one: the components, each with its rows tile by tile */
static void components_find(zw_small *s, const zw_metric *H) {
    uint32_t touch[ZW_SMALL_ROWS] = {0}, part[ZW_SMALL_COLUMNS] = {0};
    int      of[ZW_SMALL_ROWS];
    for (int k = 0; k < H->nparts; k++) {
        for (int j = H->v0[k]; j < H->v0[k] + H->part[k].n; j++) {
            uint32_t one = (uint32_t)1 << j;
            for (int i = H->v0[k]; s->part_diagonal[k] == false && i < H->v0[k] + H->part[k].n; i++) {
                one |= (uint32_t)1 << i;
            }
            part[j] = one;
        }
    }
    for (int t = 0; t < s->ntiles; t++) {
        of[t] = t;
        for (int k = s->tile[t].block0; k < s->tile[t].block0 + s->tile[t].nblocks; k++) {
            for (int j = s->block[k].col0; j < s->block[k].col0 + s->block[k].ncol; j++) {
                touch[t] |= part[j];
            }
        }
    }
    for (bool changed = true; changed;) { /* every tile takes the least number among those it meets */
        changed = false;
        for (int t = 0; t < s->ntiles; t++) {
            for (int u = 0; u < s->ntiles; u++) {
                if (of[u] < of[t] && (touch[t] & touch[u]) != 0) {
                    of[t] = of[u];
                    changed = true;
                }
            }
        }
    }
    int used = 0, square = 0;
    s->ncomponents = 0;
    for (int first = 0; first < s->ntiles; first++) {
        int m = 0;
        for (int t = 0; t < s->ntiles; t++) {
            for (int i = 0; of[t] == first && i < s->tile[t].m; i++) {
                s->row[used + m++] = s->tile[t].row + i;
            }
        }
        if (m > 0) {
            s->component[s->ncomponents++] = (zw_component){.m = m,
                                                            .dense = true,
                                                            .row = s->row + used,
                                                            .index = s->index + used,
                                                            .perm = s->perm + used,
                                                            .d = s->d + used,
                                                            .s = s->s + square,
                                                            .z = s->z + square};
            used += m;
            square += m * m;
        }
    }
}

static bool pattern_same(const zw_small *s, const zw_metric *H, const zw_rows *A) {
    if (s->n != H->n || s->nparts != H->nparts || s->m != A->m || s->ntiles != A->ntiles || s->nblocks != A->nblocks) {
        return false;
    }
    for (int k = 0; k < H->nparts; k++) {
        if (s->part_n[k] != H->part[k].n || s->part_diagonal[k] != (H->part[k].kind == ZW_DIAGONAL)) {
            return false;
        }
    }
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *a = &s->tile[t], *b = &A->tile[t];
        if (a->row != b->row || a->m != b->m || a->block0 != b->block0 || a->nblocks != b->nblocks) {
            return false;
        }
    }
    for (int k = 0; k < A->nblocks; k++) {
        if (s->block[k].col0 != A->block[k].col0 || s->block[k].ncol != A->block[k].ncol) {
            return false;
        }
    }
    return true;
}

bool zw_small_same(zw_small *s, const zw_metric *H, const zw_rows *A) {
    if (pattern_same(s, H, A)) {
        return true;
    }
    s->n = 0;
    bool seen[ZW_SMALL_ROWS] = {false};
    int  covered = 0;
    for (int t = 0; t < A->ntiles; t++) { /* what is no set of rows is left to the general path, which says why */
        const zw_tile *tile = &A->tile[t];
        if (tile->m < 0 || tile->row < 0 || tile->m > A->m - tile->row || tile->nblocks < 0 || tile->block0 < 0 ||
            tile->nblocks > A->nblocks - tile->block0) {
            return false;
        }
        for (int i = tile->row; i < tile->row + tile->m; i++) {
            covered += seen[i] ? 0 : 1;
            if (seen[i]) {
                return false;
            }
            seen[i] = true;
        }
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            if (A->block[k].col0 < 0 || A->block[k].ncol < 0 || A->block[k].ncol > H->n - A->block[k].col0) {
                return false;
            }
        }
    }
    if (covered < A->m) {
        return false;
    }
    for (int k = 0, n = 0; k < H->nparts; n += H->part[k].n, k++) {
        if (H->part[k].n < 0 || H->v0[k] != n || (k == H->nparts - 1 && n + H->part[k].n != H->n)) {
            return false;
        }
        s->part_n[k] = H->part[k].n;
        s->part_diagonal[k] = H->part[k].kind == ZW_DIAGONAL;
    }
    s->nparts = H->nparts;
    s->m = A->m;
    s->ntiles = A->ntiles;
    s->nblocks = A->nblocks;
    for (int t = 0; t < A->ntiles; t++) {
        s->tile[t] = A->tile[t];
    }
    for (int k = 0; k < A->nblocks; k++) {
        s->block[k] = A->block[k];
    }
    components_find(s, H);
    s->n = H->n;
    return true;
}

/* The loops below are short and their lengths known only at run time. For few columns they are compiled once per length (same operations, same bits). */
#define SHORT static inline __attribute__((always_inline))
#define BY_LENGTH(n, call)   \
    switch (n) {             \
    case 2: call(2); break;  \
    case 3: call(3); break;  \
    case 4: call(4); break;  \
    case 5: call(5); break;  \
    case 6: call(6); break;  \
    case 7: call(7); break;  \
    case 8: call(8); break;  \
    default: call(n); break; \
    }

/* one dense part: L and 1/D in rows of the given stride; the column that stopped it, or -1; *at: its pivot */
SHORT int dense_by(int n, int stride, const double *h, double *L, double *at) {
    for (int i = 0; i < n; i++) {
        const double *from = h + (size_t)i * (size_t)n;
        double       *own = L + (size_t)i * (size_t)stride, pivot = from[i];
        for (int j = 0; j < i; j++) { /* own[j] = L_ij D_j until the row is done */
            const double *other = L + (size_t)j * (size_t)stride;
            double        t = from[j];
            for (int l = 0; l < j; l++) {
                t -= own[l] * other[l];
            }
            own[j] = t;
        }
        for (int j = 0; j < i; j++) {
            double t = own[j] * L[(size_t)j * (size_t)(stride + 1)];
            pivot -= t * own[j];
            own[j] = t;
        }
        *at = pivot;
        if (!(pivot > 0.0) || !(pivot < INFINITY)) {
            return i;
        }
        own[i] = 1.0 / pivot;
    }
    return -1;
}

/* L below the diagonal and 1/D on it, part by part */
static zw_status metric_factor(zw_context *c, zw_small *s, const zw_metric *H) {
    int n = s->n;
    for (int k = 0; k < H->nparts; k++) {
        const zw_matrix *h = &H->part[k];
        int              v0 = H->v0[k], bad = -1;
        double          *L = s->L + (size_t)v0 * (size_t)(n + 1), pivot = 0.0;
        for (int i = 0; i < h->n && (v0 > 0 || h->kind == ZW_DIAGONAL); i++) {
            for (int j = 0; j < v0 + i; j++) {
                s->L[(size_t)(v0 + i) * (size_t)n + (size_t)j] = 0.0;
            }
        }
        for (int i = 0; i < h->n && h->kind == ZW_DIAGONAL; i++) {
            if (!(h->a[i] > 0.0) || !isfinite(h->a[i])) {
                return zw_metric_refuse(c, k, v0 + i, isfinite(h->a[i]), h->a[i]);
            }
            L[(size_t)i * (size_t)(n + 1)] = 1.0 / h->a[i];
        }
        if (h->kind == ZW_DIAGONAL) {
            continue;
        }
        if (h->n == n) {
#define CALL(length) (bad = dense_by((length), (length), h->a, L, &pivot))
            BY_LENGTH(n, CALL)
#undef CALL
        } else {
            bad = dense_by(h->n, n, h->a, L, &pivot);
        }
        if (bad >= 0) {
            return zw_metric_refuse(c, k, v0 + bad, zw_metric_finite(h->a, (size_t)h->n * (size_t)h->n), pivot);
        }
    }
    return ZW_OK;
}

/* v <- L^-1 v */
SHORT void forward_by(int n, const zw_small *s, double *v) {
    for (int i = 1; i < n; i++) {
        const double *l = s->L + (size_t)i * (size_t)n;
        double        t = v[i];
        for (int j = 0; j < i; j++) {
            t -= l[j] * v[j];
        }
        v[i] = t;
    }
}

/* v <- L^-T D^-1 v */
SHORT void backward_by(int n, const zw_small *s, double *v) {
    for (int i = 0; i < n; i++) {
        v[i] *= s->L[(size_t)i * (size_t)(n + 1)];
    }
    for (int i = n - 1; i > 0; i--) {
        const double *l = s->L + (size_t)i * (size_t)n;
        double        t = v[i];
        for (int j = 0; j < i; j++) {
            v[j] -= l[j] * t;
        }
    }
}

void zw_small_inverse(const zw_small *s, double *v) {
#define CALL(n) (forward_by((n), s, v), backward_by((n), s, v))
    BY_LENGTH(s->n, CALL)
#undef CALL
}

static void rows_copy(zw_small *s, const zw_rows *A) {
    int n = s->n;
    memset(s->A, 0, sizeof *s->A * (size_t)s->m * (size_t)n);
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *tile = &A->tile[t];
        for (int k = tile->block0; k < tile->block0 + tile->nblocks; k++) {
            const zw_block *b = &A->block[k];
            for (int i = 0; i < tile->m; i++) {
                const double *from = A->a + b->a + (ptrdiff_t)i * b->ncol;
                double       *to = s->A + (size_t)(tile->row + i) * (size_t)n + b->col0;
                for (int j = 0; j < b->ncol; j++) { /* blocks of a tile may overlap: the first body and the second are the same */
                    to[j] += from[j];
                }
            }
        }
    }
}

/* one or two rows of one component that are clearly independent: the same pivots 1 and 1 - s12^2/(s11 s22) as in the component, and S^-1 */
SHORT bool plain_by(int n, int m, zw_small *s) {
    const double *y = s->Y, *z = s->Y + n;
    double        s11 = 0.0, s12 = 0.0, s22 = 0.0;
    for (int l = 0; l < n; l++) {
        double over = y[l] * s->L[(size_t)l * (size_t)(n + 1)];
        s11 += over * y[l];
        s12 += m > 1 ? over * z[l] : 0.0;
        s22 += m > 1 ? z[l] * z[l] * s->L[(size_t)l * (size_t)(n + 1)] : 0.0;
    }
    double det = m > 1 ? s11 * s22 - s12 * s12 : s11, full = m > 1 ? s11 * s22 : s11;
    if (!(det > 1e-6 * full) || !(full > 1e-280) || !(full < 1e280)) {
        return false;
    }
    s->rank = m;
    s->condition = full / det;
    s->inverse[0] = m > 1 ? s22 / det : 1.0 / s11;
    s->inverse[1] = -s12 / det;
    s->inverse[2] = s11 / det;
    s->depends[0] = s->depends[1] = false;
    zw_component *g = &s->component[0]; /* what measure() reads of it */
    g->rank = m;
    g->d[0] = 1.0 / sqrt(s11);
    g->index[0] = 0;
    if (m > 1) {
        g->d[1] = 1.0 / sqrt(s22);
        g->index[1] = 1;
    }
    return true;
}

zw_status zw_small_factor(zw_context *c, zw_small *s, const zw_metric *H, const zw_rows *A) {
    int n = s->n, m = s->m;
    ZW_TRY(metric_factor(c, s, H));
    rows_copy(s, A);
    for (int i = 0; i < m; i++) {
        double *y = s->Y + (size_t)i * (size_t)n;
        memcpy(y, s->A + (size_t)i * (size_t)n, sizeof *y * (size_t)n);
#define CALL(length) forward_by((length), s, y)
        BY_LENGTH(n, CALL)
#undef CALL
    }
    s->plain = false;
    if (s->ncomponents == 1 && m == 1) {
#define CALL(length) (s->plain = plain_by((length), 1, s))
        BY_LENGTH(n, CALL)
#undef CALL
    } else if (s->ncomponents == 1 && m == 2) {
#define CALL(length) (s->plain = plain_by((length), 2, s))
        BY_LENGTH(n, CALL)
#undef CALL
    }
    if (s->plain) {
        return ZW_OK;
    }
    double smallest = INFINITY, largest = 0.0;
    s->rank = 0;
    for (int k = 0; k < s->ncomponents; k++) {
        zw_component *g = &s->component[k];
        for (int i = 0; i < g->m; i++) {
            const double *y = s->Y + (size_t)g->row[i] * (size_t)n;
            double        over[ZW_SMALL_COLUMNS]; /* D^-1 y */
            for (int l = 0; l < n; l++) {
                over[l] = y[l] * s->L[(size_t)l * (size_t)(n + 1)];
            }
            for (int j = 0; j <= i; j++) {
                const double *other = s->Y + (size_t)g->row[j] * (size_t)n;
                double        t = 0.0;
                for (int l = 0; l < n; l++) {
                    t += over[l] * other[l];
                }
                g->s[i * g->m + j] = g->s[j * g->m + i] = t;
            }
        }
        int bad = zw_component_factor(g);
        if (bad >= 0) {
            return zw_raise(c, ZW_E_DIVERGED, "rows", "look at the state that the rows were made from",
                            "row %d of A is not finite, or overflows in A H^-1 A'", bad);
        }
        s->rank += g->rank;
        for (int place = 0; place < g->m; place++) {
            s->depends[g->index[place]] = place >= g->rank;
        }
        smallest = fmin(smallest, g->pivot_min);
        largest = fmax(largest, g->pivot_max);
    }
    s->condition = s->rank > 0 ? largest / smallest : 1.0;
    return ZW_OK;
}

/* r = b - A x, relative[] its size in terms of the row as in the general path: sum_j |A_ij| max(|x0_j|, |x_j|) + |b_i|, at least a millionth of the
 * largest in its component */
static zw_small_verdict measure(zw_small *s, const double *b, const double *x0, double *r) {
    int              n = s->n;
    double           size[ZW_SMALL_COLUMNS];
    zw_small_verdict v = {.worst = -1};
    for (int j = 0; j < n; j++) {
        double here = fabs(s->x[j]);
        size[j] = here > x0[j] ? here : x0[j];
    }
    for (int i = 0; i < s->m; i++) {
        const double *a = s->A + (size_t)i * (size_t)n;
        double        sum = 0.0, scale = 0.0, value = b != NULL ? b[i] : 0.0;
        for (int j = 0; j < n; j++) {
            sum += a[j] * s->x[j];
            scale += fabs(a[j]) * size[j];
        }
        r[i] = value - sum;
        s->relative[i] = scale + fabs(value);
    }
    for (int k = 0; k < s->ncomponents; k++) {
        const zw_component *g = &s->component[k];
        double              most = 0.0;
        for (int i = 0; i < g->m; i++) {
            double here = g->d[i] * s->relative[g->index[i]];
            most = here > most ? here : most;
        }
        for (int i = 0; i < g->m; i++) {
            int    row = g->index[i];
            double least = 1e-6 * most / g->d[i], scale = s->relative[row] > least ? s->relative[row] : least;
            s->relative[row] = r[row] == 0.0 ? 0.0 : fabs(r[row]) / scale;
            if (i < g->rank) {
                v.independent = s->relative[row] > v.independent ? s->relative[row] : v.independent;
            } else if (s->relative[row] > v.redundant) {
                v.redundant = s->relative[row];
                v.worst = row;
            }
        }
    }
    return v;
}

/* r = b - A x alone */
SHORT void residual_by(int n, int m, const zw_small *s, const double *b, double *r) {
    for (int i = 0; i < m; i++) {
        const double *a = s->A + (size_t)i * (size_t)n;
        double        sum = b != NULL ? b[i] : 0.0;
        for (int j = 0; j < n; j++) {
            sum -= a[j] * s->x[j];
        }
        r[i] = sum;
    }
}

/* x += L^-T D^-1 Y dlambda, lambda += dlambda; impulse collects L^-1 A' lambda */
SHORT void react_by(int n, int m, zw_small *s, const double *dlambda, double *impulse) {
    double shift[ZW_SMALL_COLUMNS];
    for (int j = 0; j < n; j++) {
        shift[j] = 0.0;
    }
    for (int i = 0; i < m; i++) {
        const double *y = s->Y + (size_t)i * (size_t)n;
        s->lambda[i] += dlambda[i];
        for (int j = 0; j < n; j++) {
            shift[j] += dlambda[i] * y[j];
        }
    }
    for (int j = 0; j < n; j++) {
        impulse[j] += shift[j];
    }
    backward_by(n, s, shift);
    for (int j = 0; j < n; j++) {
        s->x[j] += shift[j];
    }
}

/* two rounds for one or two independent rows */
SHORT void plain_solve_by(int n, int m, zw_small *s, const double *b, double *impulse) {
    double r[2], dlambda[2];
    for (int round = 0; round < 2; round++) {
        residual_by(n, m, s, b, r);
        dlambda[0] = m > 1 ? s->inverse[0] * r[0] + s->inverse[1] * r[1] : s->inverse[0] * r[0];
        dlambda[1] = m > 1 ? s->inverse[1] * r[0] + s->inverse[2] * r[1] : 0.0;
        react_by(n, m, s, dlambda, impulse);
    }
}

static double value_of(const zw_small *s, const double *impulse) {
    double twice = 0.0;
    for (int j = 0, n = s->n; j < n; j++) {
        twice += impulse[j] * impulse[j] * s->L[(size_t)j * (size_t)(n + 1)];
    }
    return 0.5 * twice;
}

zw_small_verdict zw_small_solve(zw_small *s, const double *b, bool judge) {
    int              n = s->n, m = s->m;
    double           x0[ZW_SMALL_COLUMNS], r[ZW_SMALL_ROWS], dlambda[ZW_SMALL_ROWS], work[6 * ZW_SMALL_ROWS];
    double           impulse[ZW_SMALL_COLUMNS]; /* L^-1 A' lambda: twice the value is its square over D */
    zw_small_verdict v = {.worst = -1};
    if (m == 0) {
        return v;
    }
    for (int j = 0; j < n; j++) {
        x0[j] = fabs(s->x[j]);
        impulse[j] = 0.0;
    }
    for (int i = 0; i < m; i++) {
        s->lambda[i] = 0.0;
    }
    judge = judge || s->rank < m || s->condition > 1e4; /* otherwise two rounds are enough */
    if (s->plain && m == 1) {
#define CALL(length) plain_solve_by((length), 1, s, b, impulse)
        BY_LENGTH(n, CALL)
#undef CALL
    } else if (s->plain) {
#define CALL(length) plain_solve_by((length), 2, s, b, impulse)
        BY_LENGTH(n, CALL)
#undef CALL
    }
    if (s->plain && judge) {
        v = measure(s, b, x0, r);
    }
    for (int round = 0; !s->plain && (round < 2 || (round < 4 && v.independent > 1e-15)); round++) {
        residual_by(n, m, s, b, r);
        for (int k = 0; k < s->ncomponents; k++) {
            zw_component_solve(&s->component[k], r, dlambda, work);
        }
        react_by(n, m, s, dlambda, impulse);
        if (round > 0 && judge) {
            v = measure(s, b, x0, r);
        }
    }
    v.value = value_of(s, impulse);
    return v;
}

/* SPDX-License-Identifier: Apache-2.0
 * unilateral_dense.c: the search for few rows: the dual active set method of Goldfarb and Idnani on the dense S = G H^-1 G', scaled to unit diagonal.
 *
 * With d = rhs - G H^-1 f the unknown is y:  S y - d = 0 on A,  0 <= y _|_ S y - d >= 0 on N. The method keeps a set P of independent rows with
 * S_PP y_P = d_P and y >= 0 on N: the answer of a smaller problem. It takes the most violated row i and raises y_i while y_P moves by -r = -S_PP^-1 S_Pi,
 * until the row is met (it joins P) or a multiplier reaches zero (that row leaves P, and y_i goes on). A row that depends on P can only make others leave;
 * where none can, row_i = sum r_j row_j with r <= 0 on N contradicts, and r is the proof.
 * Guarantee: each row that joins raises the value 1/2 |x - xhat|^2 strictly, and sets do not come back: it ends after finitely many changes, cycling
 * is impossible also where gap and multiplier are zero together, and redundant rows are never in P together. Round-off may break this; then the changes run
 * out and Newton's search takes over.
 *
 * The multipliers of least norm are found by the same method. On the rows T of gap 0 and those of A they are y = p + Z t, p of least norm without regard to signs,
 * Z an orthonormal basis of the null space of G_T': so   min |t|^2,  Z t >= -p on N,   where Z Z' stands for S and -p for d. Rows of P are those of multiplier 0. */
#include "project/unilateral_search.h"

#include "math/dense.h"
#include "project/rank.h"

#include <math.h>
#include <string.h>

typedef struct dense {
    int           m, ma, k;  /* rows, those that always hold, those in P */
    double       *s, *l;     /* m x m: scaled S; factor of S_PP in the order of P */
    int          *order;     /* P */
    double       *d, *y;     /* scaled right side and multipliers */
    double       *w, *r;     /* k: L^-1 S_Pi and S_PP^-1 S_Pi */
    double       *tolerance; /* of a gap */
    double       *root;      /* sqrt(S_ii) */
    double        dependent; /* pivots up to this mean dependence */
    unsigned char dead[ZW_UNILATERAL_DENSE];
} dense;

static void forward(const dense *g, double *w) {
    for (int p = 0; p < g->k; p++) {
        const double *l = g->l + p * g->m;
        double        t = w[p];
        for (int q = 0; q < p; q++) {
            t -= l[q] * w[q];
        }
        w[p] = t / l[p];
    }
}

static void backward(const dense *g, double *w) {
    for (int p = g->k - 1; p >= 0; p--) {
        const double *l = g->l + p * g->m;
        w[p] /= l[p];
        for (int q = 0; q < p; q++) {
            w[q] -= l[q] * w[p];
        }
    }
}

/* w = L^-1 S_Pi; returns the pivot that row i would have */
static double pivot_of(dense *g, int i) {
    for (int p = 0; p < g->k; p++) {
        g->w[p] = g->s[i * g->m + g->order[p]];
    }
    forward(g, g->w);
    double pivot = g->s[i * g->m + i];
    for (int p = 0; p < g->k; p++) {
        pivot -= g->w[p] * g->w[p];
    }
    return pivot;
}

static void join(dense *g, int i, double pivot) { /* after pivot_of */
    double *l = g->l + g->k * g->m;
    for (int p = 0; p < g->k; p++) {
        l[p] = g->w[p];
    }
    l[g->k] = sqrt(pivot);
    g->order[g->k++] = i;
}

static void leave(dense *g, int place) {
    int count = g->k;
    g->y[g->order[place]] = 0.0;
    g->k = place;
    for (int p = place + 1; p < count; p++) {
        int    i = g->order[p];
        double pivot = pivot_of(g, i);
        join(g, i, pivot > g->dependent ? pivot : g->dependent); /* exactly it has grown */
    }
}

static void balance(dense *g) { /* y_P = S_PP^-1 d_P, others 0 */
    for (int p = 0; p < g->k; p++) {
        g->w[p] = g->d[g->order[p]];
    }
    forward(g, g->w);
    backward(g, g->w);
    memset(g->y, 0, (size_t)g->m * sizeof *g->y);
    for (int p = 0; p < g->k; p++) {
        g->y[g->order[p]] = g->w[p];
    }
}

/* rows of N with a negative multiplier leave, the worst first, until the set answers its own smaller problem */
static int admit(dense *g) {
    for (int changes = 0;; changes++) {
        balance(g);
        int worst = -1;
        for (int p = 0; p < g->k; p++) {
            if (g->order[p] >= g->ma && g->y[g->order[p]] < (worst < 0 ? 0.0 : g->y[g->order[worst]])) {
                worst = p;
            }
        }
        if (worst < 0) {
            return changes;
        }
        leave(g, worst);
    }
}

static double gap_of(const dense *g, int i) {
    double t = -g->d[i];
    for (int p = 0; p < g->k; p++) {
        t += g->s[i * g->m + g->order[p]] * g->y[g->order[p]];
    }
    return t;
}

/* the rows of A, the most independent first */
static void equalities(dense *g) {
    unsigned char taken[ZW_UNILATERAL_DENSE] = {0};
    for (;;) {
        int    best = -1;
        double most = g->dependent;
        for (int i = 0; i < g->ma; i++) {
            double pivot = taken[i] ? 0.0 : pivot_of(g, i);
            if (pivot > most) {
                most = pivot;
                best = i;
            }
        }
        if (best < 0) {
            return;
        }
        taken[best] = 1;
        join(g, best, pivot_of(g, best));
    }
}

/* S and the rest from the metric that the exact solver has factored */
static void assemble(zw_unilateral *u, dense *g) {
    int     m = u->m;
    double *z = u->wn[0], *column = u->wm[6];
    for (int t = 0; t < u->rows.ntiles; t++) {
        for (int i = 0; i < u->rows.tile[t].m; i++) {
            int row = u->rows.tile[t].row + i;
            memset(z, 0, (size_t)u->n * sizeof *z);
            zw_unilateral_row(u, t, i, z);
            zw_solver_metric_inverse(u->exact, z, z);
            zw_unilateral_apply(u, z, column);
            for (int k = 0; k < m; k++) {
                g->s[row * m + k] = column[k];
            }
        }
    }
    zw_unilateral_apply(u, u->xfree, column);
    for (int i = 0; i < m; i++) {
        double own = g->s[i * m + i];
        g->root[i] = own > 0.0 ? sqrt(own) : 1.0;
        g->d[i] = (u->rhs[i] - column[i]) / g->root[i];
        g->tolerance[i] = 1e-14 * u->scale[i] / g->root[i];
    }
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++) {
            double mean = 0.5 * (g->s[i * m + k] + g->s[k * m + i]) / (g->root[i] * g->root[k]);
            g->s[i * m + k] = g->s[k * m + i] = mean;
        }
    }
    for (int i = 0; i < m; i++) { /* a zero row keeps the pivot zero */
        g->s[i * m + i] = g->s[i * m + i] > 0.0 ? 1.0 : 0.0;
    }
    g->dependent = 1e-12 * m;
}

/* raises y_i until row i is met. True: met. False: nothing can give way; r is then the proof */
static bool lift(dense *g, int i, double gap, int *changes) {
    for (;; ++*changes) {
        double pivot = pivot_of(g, i), own = INFINITY, least = INFINITY, most = 0.0;
        bool   independent = pivot > g->dependent;
        memcpy(g->r, g->w, (size_t)g->k * sizeof *g->r);
        backward(g, g->r);
        for (int p = 0; p < g->k; p++) {
            most = fmax(most, fabs(g->r[p]));
        }
        int first = -1;
        for (int p = 0; p < g->k; p++) {
            if (g->order[p] >= g->ma && g->r[p] > 1e-11 * most && g->y[g->order[p]] < least * g->r[p]) {
                least = g->y[g->order[p]] / g->r[p];
                first = p;
            }
        }
        if (independent) {
            own = -gap / pivot;
        } else if (first < 0) {
            return false;
        }
        double t = own <= least ? own : least;
        for (int p = 0; p < g->k; p++) {
            int j = g->order[p];
            g->y[j] -= t * g->r[p];
            if (j >= g->ma && g->y[j] < 0.0) {
                g->y[j] = 0.0;
            }
        }
        g->y[i] += t;
        if (own <= least) {
            join(g, i, pivot);
            return true;
        }
        gap += independent ? t * pivot : 0.0;
        leave(g, first);
    }
}

/* the row outside P that is violated most, and its gap; -1: none */
static int violated(const dense *g, double *most) {
    int worst = -1;
    *most = 0.0;
    for (int i = g->ma; i < g->m; i++) {
        double gap = g->dead[i] || g->y[i] != 0.0 ? 0.0 : gap_of(g, i);
        if (gap < -g->tolerance[i] && gap < *most) {
            bool in = false; /* the multiplier of a row of P may be zero, too */
            for (int p = 0; p < g->k; p++) {
                in = in || g->order[p] == i;
            }
            *most = in ? *most : gap;
            worst = in ? worst : i;
        }
    }
    return worst;
}

zw_status zw_unilateral_dense(zw_unilateral *u, zw_search *out) {
    int   m = u->m;
    dense g = {.m = m,
               .ma = u->ma,
               .s = u->dense,
               .l = u->dense + m * m,
               .order = u->order,
               .d = u->wm[0],
               .y = u->wm[1],
               .w = u->wm[2],
               .r = u->wm[3],
               .tolerance = u->wm[4],
               .root = u->wm[5]};
    *out = ZW_SEARCH_LOST;
    assemble(u, &g);
    equalities(&g);
    for (int i = u->ma; i < m; i++) {
        double pivot = u->set[i - u->ma] && u->allowed[i - u->ma] ? pivot_of(&g, i) : 0.0;
        if (pivot > g.dependent) {
            join(&g, i, pivot);
        }
    }
    for (int i = 0; i < u->mi; i++) {
        g.dead[u->ma + i] = !u->allowed[i];
    }
    int changes = admit(&g);
    for (int limit = 20 * m + 100; changes < limit; changes++) {
        double most;
        int    worst = violated(&g, &most);
        if (worst < 0) {
            *out = ZW_SEARCH_FOUND;
            break;
        }
        if (lift(&g, worst, most, &changes)) {
            continue;
        }
        if (-most * g.root[worst] > 1e-8 * u->scale[worst]) {
            double *proof = u->wm[7];
            memset(proof, 0, (size_t)m * sizeof *proof);
            proof[worst] = 1.0 / g.root[worst];
            for (int p = 0; p < g.k; p++) {
                proof[g.order[p]] = -g.r[p] / g.root[g.order[p]];
            }
            *out = ZW_SEARCH_CONTRADICTS;
            break;
        }
        g.dead[worst] = 1; /* it contradicts by less than rows may: the others decide */
        changes += admit(&g);
    }
    for (int i = 0; i < u->mi; i++) {
        u->set[i] = 0;
    }
    for (int p = 0; p < g.k; p++) {
        if (g.order[p] >= u->ma) {
            u->set[g.order[p] - u->ma] = 1;
        }
    }
    u->iterations += changes;
    return ZW_OK;
}

/* ---- least norm ---- */

/* an orthonormal basis of the null space of G_T', `row` being T, k of them: rows of z; returns how many. l: k x k */
static int null_space(const dense *g, int k, const int *row, double *l, double *z) {
    int perm[ZW_UNILATERAL_DENSE];
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            l[i * k + j] = g->s[row[i] * g->m + row[j]];
        }
    }
    int rank = zw_cholesky_pivoted(k, l, zw_rank_tolerance(k), perm, NULL);
    for (int j = 0; rank >= 0 && j < k - rank; j++) { /* g->s may be z: all of it was read */
        double v[ZW_UNILATERAL_DENSE], *own = z + j * k;
        for (int c = 0; c < rank; c++) {
            v[c] = -l[(rank + j) * k + c];
        }
        for (int i = rank - 1; i >= 0; i--) {
            v[i] /= l[i * k + i];
            for (int c = 0; c < i; c++) {
                v[c] -= l[i * k + c] * v[i];
            }
        }
        memset(own, 0, (size_t)k * sizeof *own);
        for (int i = 0; i < rank; i++) {
            own[perm[i]] = v[i] / g->root[row[perm[i]]];
        }
        own[perm[rank + j]] = 1.0 / g->root[row[perm[rank + j]]];
        for (int pass = 0; pass < 3; pass++) { /* the first to have unit length; Gram-Schmidt twice is enough */
            for (int b = 0; b < j && pass > 0; b++) {
                double t = 0.0;
                for (int i = 0; i < k; i++) {
                    t += z[b * k + i] * own[i];
                }
                for (int i = 0; i < k; i++) {
                    own[i] -= t * z[b * k + i];
                }
            }
            double norm = 0.0;
            for (int i = 0; i < k; i++) {
                norm += own[i] * own[i];
            }
            for (int i = 0; i < k; i++) {
                own[i] = norm > 0.0 ? own[i] / sqrt(norm) : 0.0;
            }
        }
    }
    return rank < 0 ? 0 : k - rank;
}

void zw_unilateral_dense_least(zw_unilateral *u, double *least) {
    const double *y = u->now.y;
    int           row[ZW_UNILATERAL_DENSE], k = 0, m = u->m;
    double        top = 0.0, *half = u->dense + m * m;
    dense         g = {.m = m,
                       .s = u->dense,
                       .order = u->order,
                       .d = u->wm[0],
                       .y = u->wm[1],
                       .w = u->wm[2],
                       .r = u->wm[3],
                       .tolerance = u->wm[4],
                       .root = u->wm[5]};
    assemble(u, &g);
    for (int i = 0; i < m; i++) {
        if (i < u->ma || u->allowed[i - u->ma]) {
            row[k++] = i;
            top = fmax(top, fabs(y[i]));
        }
    }
    int many = null_space(&g, k, row, half, u->dense);
    for (int i = 0; i < k; i++) {
        for (int j = 0; j <= i; j++) {
            double t = 0.0;
            for (int b = 0; b < many; b++) {
                t += u->dense[b * k + i] * u->dense[b * k + j];
            }
            half[i * k + j] = half[j * k + i] = t;
        }
    }
    g.m = k;
    g.s = half;
    g.l = u->dense;
    for (int i = 0; i < k; i++) {
        bool moves = g.s[i * k + i] > 1e-12; /* otherwise no other row could take this one's share */
        g.root[i] = moves ? sqrt(g.s[i * k + i]) : 1.0;
        g.d[i] = -y[row[i]] / g.root[i];
        g.tolerance[i] = 1e-14 * top / g.root[i];
        g.dead[i] = !moves || row[i] < u->ma;
    }
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            g.s[i * k + j] /= g.root[i] * g.root[j];
        }
    }
    int changes = admit(&g);
    for (int limit = 20 * k + 100; changes < limit; changes++) {
        double most;
        int    worst = violated(&g, &most);
        if (worst < 0) {
            break;
        }
        if (!lift(&g, worst, most, &changes)) {
            g.dead[worst] = 1; /* round-off */
            changes += admit(&g);
        }
    }
    memset(least, 0, (size_t)m * sizeof *least);
    for (int i = 0; i < k; i++) {
        least[row[i]] = gap_of(&g, i) * g.root[i];
    }
    for (int p = 0; p < g.k; p++) {
        least[row[g.order[p]]] = 0.0;
    }
    u->iterations += changes;
}

/* SPDX-License-Identifier: Apache-2.0
 * coulomb_bodies.c: one linear step of an island, in the columns of its bodies. Where each contact answers a change of its velocity by
 *
 *   dp = g - Z dv,    dv = B dx,    H dx = A' dlambda + B' dp,    A dx = 0
 *
 * K dx = B' g  with  K = H + A' A/delta + B' Z B,  sparse in blocks of nodes. A node is a set of columns that H holds in one block or that a block of a row holds: a
 * body, a node of a rod. W is not formed and need not be regular: contacts that share a load only add to the same blocks. Rows A are held by a stiff spring, relative
 * error delta; that makes the direction of a step inexact, never its end, because velocities are always those of W p. Z need not be symmetric. */
#include "project/coulomb_part.h"

#include "base/arena.h"
#include "project/blocklu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SOFT = 1e-9; /* delta, of A H^-1 A' */

typedef struct touch { /* rows of a contact or of a joint in one node */
    int     node;
    double *B; /* rows x size of the node */
} touch;

typedef struct place { /* where a pair of touches goes in K */
    double *to;
    bool    turned;
} place;

typedef struct edge {
    int i, j;
} edge;

struct zw_coulomb_bodies {
    zw_arena   arena;
    int        island; /* it was made for; -1: none */
    int        count, nodes, n;
    int       *size, *first; /* per node: columns, first of them */
    int       *local;        /* [columns] of the system: which column of its node; valid in the island */
    int       *of;           /* [columns] node in the island */
    int       *start;        /* [count + 1] touches of a contact */
    touch     *touch;
    ptrdiff_t *pair0; /* [count] places of a contact: touches x touches */
    place     *place;
    int       *rows; /* [count] 1 or 3 */
    zw_blocklu f;
    double    *lower, *upper; /* H + A'A/delta */
    double    *x;
};

zw_status zw_coulomb_bodies_create(zw_context *c, zw_coulomb_bodies **out) {
    zw_coulomb_bodies *k = zw_alloc(c, 1, sizeof *k, "friction");
    *out = k;
    if (k == NULL) {
        return ZW_E_MEMORY;
    }
    zw_arena_init(&k->arena, c);
    k->island = -1;
    return ZW_OK;
}

void zw_coulomb_bodies_destroy(zw_context *c, zw_coulomb_bodies *k) {
    if (k != NULL) {
        zw_arena_destroy(&k->arena);
        zw_free(c, k);
    }
}

void zw_coulomb_bodies_forget(zw_coulomb_bodies *k) {
    k->island = -1;
}

#define MAKE(p, count)                                                                              \
    do {                                                                                            \
        (p) = zw_arena_alloc(&k->arena, (size_t)(count) + 1, sizeof *(p), "friction"); /* zeroed */ \
        if ((p) == NULL) {                                                                          \
            return ZW_E_MEMORY;                                                                     \
        }                                                                                           \
    } while (0)

/* ---- nodes */

static zw_status nodes_make(zw_coulomb *s, zw_coulomb_bodies *k) {
    unsigned char *mine;
    int           *number;
    MAKE(mine, s->ncomponents);
    MAKE(k->local, s->nv);
    MAKE(k->of, s->nv);
    MAKE(number, s->nv);
    const int *item = s->island.item + s->island.start[k->island];
    for (int i = 0; i < k->count; i++) {
        for (int e = s->first[item[i]]; e >= 0; e = s->entry[e].next) {
            mine[s->entry[e].component] = 1;
        }
    }
    k->nodes = k->n = 0;
    for (int j = 0; j < s->nv; j++) {
        k->of[j] = -1;
        if (mine[s->component[j]]) {
            int root = s->node[j];
            k->of[j] = root == j ? k->nodes++ : k->of[root];
            k->local[j] = number[root]++;
            k->n++;
        }
    }
    MAKE(k->size, k->nodes);
    MAKE(k->first, k->nodes + 1);
    for (int j = 0; j < s->nv; j++) {
        if (k->of[j] >= 0) {
            k->size[k->of[j]]++;
        }
    }
    for (int i = 0; i < k->nodes; i++) {
        k->first[i + 1] = k->first[i] + k->size[i];
    }
    MAKE(k->x, k->n);
    return ZW_OK;
}

/* ---- rows */

/* touch of a node among those from t0 on; made where there is none */
static zw_status touch_of(zw_coulomb_bodies *k, touch *all, int t0, int *end, int node, int rows, touch **out) {
    for (int t = t0; t < *end; t++) {
        if (all[t].node == node) {
            *out = &all[t];
            return ZW_OK;
        }
    }
    touch *t = &all[(*end)++];
    t->node = node;
    MAKE(t->B, rows * k->size[node]);
    *out = t;
    return ZW_OK;
}

static zw_status rows_enter(zw_coulomb_bodies *k, const zw_rows *R, const zw_tile *tile, int row0, int rows, touch *all, int t0, int *end) {
    for (int e = tile->block0; e < tile->block0 + tile->nblocks; e++) {
        const zw_block *b = &R->block[e];
        if (b->ncol == 0) {
            continue;
        }
        touch *t;
        int    node = k->of[b->col0], size = k->size[node];
        ZW_TRY(touch_of(k, all, t0, end, node, rows, &t));
        for (int i = 0; i < tile->m; i++) {
            for (int j = 0; j < b->ncol; j++) {
                t->B[(row0 + i) * size + k->local[b->col0 + j]] += R->a[b->a + (ptrdiff_t)i * b->ncol + j];
            }
        }
    }
    return ZW_OK;
}

static zw_status contacts_enter(zw_coulomb *s, const zw_coulomb_problem *pb, zw_coulomb_bodies *k) {
    const int *item = s->island.item + s->island.start[k->island];
    int        most = 0;
    for (int i = 0; i < k->count; i++) {
        most += pb->N->tile[item[i]].nblocks + (pb->slide[item[i]] >= 0 ? pb->T->tile[pb->slide[item[i]]].nblocks : 0);
    }
    MAKE(k->touch, most);
    MAKE(k->start, k->count + 1);
    MAKE(k->rows, k->count);
    for (int i = 0; i < k->count; i++) {
        int c = item[i], end = k->start[i];
        k->rows[i] = pb->slide[c] >= 0 ? 3 : 1;
        ZW_TRY(rows_enter(k, pb->N, &pb->N->tile[c], 0, k->rows[i], k->touch, k->start[i], &end));
        if (pb->slide[c] >= 0) {
            ZW_TRY(rows_enter(k, pb->T, &pb->T->tile[pb->slide[c]], 1, k->rows[i], k->touch, k->start[i], &end));
        }
        k->start[i + 1] = end;
    }
    return ZW_OK;
}

static zw_status joints_enter(zw_coulomb_bodies *k, const zw_rows *A, int *count, int **tile, int **start, touch **all) {
    int most = 0;
    for (int t = 0; t < A->ntiles; t++) {
        most += A->tile[t].nblocks;
    }
    MAKE(*all, most);
    MAKE(*start, A->ntiles + 1);
    MAKE(*tile, A->ntiles);
    *count = 0;
    for (int t = 0; t < A->ntiles; t++) {
        const zw_tile *a = &A->tile[t];
        if (a->nblocks > 0 && k->of[A->block[a->block0].col0] >= 0) {
            int end = (*start)[*count];
            ZW_TRY(rows_enter(k, A, a, 0, a->m, *all, end, &end));
            (*tile)[*count] = t;
            (*start)[++*count] = end;
        }
    }
    return ZW_OK;
}

/* ---- pattern */

static int by_place(const void *a, const void *b) {
    const edge *x = a, *y = b;
    return x->i != y->i ? (x->i < y->i ? -1 : 1) : (x->j > y->j) - (x->j < y->j);
}

static int pairs_of(const touch *t, int count, edge *out) { /* out NULL: only how many */
    int n = 0;
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
            if (t[a].node != t[b].node) {
                if (out != NULL) {
                    out[n] = (edge){t[a].node, t[b].node};
                }
                n++;
            }
        }
    }
    return n;
}

static int metric_pairs(const zw_metric *H, const int *of, edge *out) {
    int n = 0;
    for (int p = 0; p < H->nparts; p++) {
        const zw_matrix *m = &H->part[p];
        for (int i = 0; m->kind != ZW_DIAGONAL && i < m->n / m->block; i++) {
            int a = of[H->v0[p] + i * m->block];
            for (int e = m->start[i]; a >= 0 && e < m->start[i + 1]; e++) {
                int b = of[H->v0[p] + m->col[e] * m->block];
                if (a != b) {
                    if (out != NULL) {
                        out[n] = (edge){a, b};
                        out[n + 1] = (edge){b, a};
                    }
                    n += 2;
                }
            }
        }
    }
    return n;
}

static zw_status pattern_make(zw_coulomb_bodies *k, const zw_metric *H, int joints, const int *joint0, const touch *held) {
    int   n = metric_pairs(H, k->of, NULL), m = 0, *start, *adj;
    edge *all;
    for (int i = 0; i < k->count; i++) {
        n += pairs_of(k->touch + k->start[i], k->start[i + 1] - k->start[i], NULL);
    }
    for (int i = 0; i < joints; i++) {
        n += pairs_of(held + joint0[i], joint0[i + 1] - joint0[i], NULL);
    }
    MAKE(all, n);
    n = metric_pairs(H, k->of, all);
    for (int i = 0; i < k->count; i++) {
        n += pairs_of(k->touch + k->start[i], k->start[i + 1] - k->start[i], all + n);
    }
    for (int i = 0; i < joints; i++) {
        n += pairs_of(held + joint0[i], joint0[i + 1] - joint0[i], all + n);
    }
    qsort(all, (size_t)n, sizeof *all, by_place);
    MAKE(start, k->nodes + 1);
    MAKE(adj, n);
    for (int e = 0; e < n; e++) {
        if (e == 0 || by_place(&all[e - 1], &all[e]) != 0) {
            adj[m++] = all[e].j;
            start[all[e].i + 1]++;
        }
    }
    for (int i = 0; i < k->nodes; i++) {
        start[i + 1] += start[i];
    }
    return zw_blocklu_analyse(&k->arena, k->nodes, start, adj, k->size, NULL, &k->f);
}

/* ---- values */

static void put(double *to, bool turned, int rows, int cols, int i, int j, double value) {
    to[turned ? j * rows + i : i * cols + j] += value;
}

static void metric_put(zw_coulomb_bodies *k, const zw_metric *H) {
    bool turned;
    for (int p = 0; p < H->nparts; p++) {
        const zw_matrix *m = &H->part[p];
        int              v0 = H->v0[p];
        for (int j = 0; m->kind == ZW_DIAGONAL && j < m->n; j++) {
            int a = k->of[v0 + j], at = k->local[v0 + j];
            if (a >= 0) {
                put(zw_blocklu_block(&k->f, a, a, &turned), false, k->size[a], k->size[a], at, at, m->a[j]);
            }
        }
        for (int i = 0; m->kind != ZW_DIAGONAL && i < m->n / m->block; i++) {
            int a = k->of[v0 + i * m->block];
            for (int e = m->start[i]; a >= 0 && e < m->start[i + 1]; e++) {
                int     c0 = v0 + m->col[e] * m->block, b = k->of[c0];
                double *to = zw_blocklu_block(&k->f, a, b, &turned);
                for (int r = 0; r < m->block * m->block; r++) {
                    put(to, turned, k->size[a], k->size[b], k->local[v0 + i * m->block + r / m->block], k->local[c0 + r % m->block],
                        m->a[(ptrdiff_t)e * m->block * m->block + r]);
                }
            }
        }
    }
}

static void joints_put(zw_coulomb_bodies *k, int m, const touch *t, int count, const double *diagonal) {
    for (int r = 0; r < m; r++) {
        double soft = 0.0;
        for (int a = 0; a < count; a++) {
            for (int j = 0, size = k->size[t[a].node]; j < size; j++) {
                soft += t[a].B[r * size + j] * t[a].B[r * size + j] / diagonal[k->first[t[a].node] + j];
            }
        }
        for (int a = 0; a < count && soft > 0.0; a++) {
            for (int b = 0; b < count; b++) {
                bool    turned;
                int     na = k->size[t[a].node], nb = k->size[t[b].node];
                double *to = zw_blocklu_block(&k->f, t[a].node, t[b].node, &turned);
                for (int i = 0; i < na; i++) {
                    for (int j = 0; j < nb; j++) {
                        put(to, turned, na, nb, i, j, t[a].B[r * na + i] * t[b].B[r * nb + j] / (SOFT * soft));
                    }
                }
            }
        }
    }
}

zw_status zw_coulomb_bodies_make(zw_coulomb *s, const zw_coulomb_problem *pb, int island) {
    zw_coulomb_bodies *k = s->bodies;
    int                joints, *tile, *joint0;
    touch             *held;
    if (k->island == island) {
        return ZW_OK;
    }
    zw_arena_release(&k->arena, (zw_arena_mark){0});
    k->island = island;
    k->count = s->island.start[island + 1] - s->island.start[island];
    ZW_TRY(nodes_make(s, k));
    ZW_TRY(contacts_enter(s, pb, k));
    ZW_TRY(joints_enter(k, pb->A, &joints, &tile, &joint0, &held));
    ZW_TRY(pattern_make(k, pb->H, joints, joint0, held));
    zw_blocklu_zero(&k->f);
    metric_put(k, pb->H);
    MAKE(k->lower, k->f.pattern.nvalues);
    MAKE(k->upper, k->f.pattern.nvalues);
    for (int i = 0; i < k->nodes; i++) { /* of H alone: what makes rows soft */
        bool          turned;
        const double *a = zw_blocklu_block(&k->f, i, i, &turned);
        for (int j = 0; j < k->size[i]; j++) {
            k->x[k->first[i] + j] = a[j * k->size[i] + j];
        }
    }
    for (int i = 0; i < joints; i++) {
        joints_put(k, pb->A->tile[tile[i]].m, held + joint0[i], joint0[i + 1] - joint0[i], k->x);
    }
    memcpy(k->lower, k->f.pattern.l, sizeof(double) * (size_t)k->f.pattern.nvalues);
    memcpy(k->upper, k->f.upper, sizeof(double) * (size_t)k->f.pattern.nvalues);
    ptrdiff_t pairs = 0;
    MAKE(k->pair0, k->count);
    for (int i = 0; i < k->count; i++) {
        int t = k->start[i + 1] - k->start[i];
        k->pair0[i] = pairs;
        pairs += (ptrdiff_t)t * t;
    }
    MAKE(k->place, pairs);
    for (int i = 0; i < k->count; i++) {
        place *to = k->place + k->pair0[i];
        for (int a = k->start[i]; a < k->start[i + 1]; a++) {
            for (int b = k->start[i]; b < k->start[i + 1]; b++, to++) {
                to->to = zw_blocklu_block(&k->f, k->touch[a].node, k->touch[b].node, &to->turned);
            }
        }
    }
    return ZW_OK;
}

/* dv = B dx + hold dpn n is known to each contact alone: the same answer dp = g' - Z' B dx with that eliminated, Z' = Z - z share Z_n, g' = g - z share g_n */
static double share_of(const zw_coulomb_contact *c, const double *Z) {
    return c->hold / (1.0 + c->hold * Z[0]);
}

bool zw_coulomb_bodies_factor(zw_coulomb *s, const double *Z) {
    zw_coulomb_bodies *k = s->bodies;
    const int         *item = s->island.item + s->island.start[k->island];
    memcpy(k->f.pattern.l, k->lower, sizeof(double) * (size_t)k->f.pattern.nvalues);
    memcpy(k->f.upper, k->upper, sizeof(double) * (size_t)k->f.pattern.nvalues);
    for (int c = 0; c < k->count; c++) {
        const place *to = k->place + k->pair0[c];
        double       z[9], share = share_of(&s->at[item[c]], Z + 9 * c);
        for (int r = 0; r < 9; r++) {
            z[r] = Z[9 * c + r] - share * Z[9 * c + r - r % 3] * Z[9 * c + r % 3];
        }
        for (int a = k->start[c]; a < k->start[c + 1]; a++) {
            for (int b = k->start[c]; b < k->start[c + 1]; b++, to++) {
                const double *Ba = k->touch[a].B, *Bb = k->touch[b].B;
                int           na = k->size[k->touch[a].node], nb = k->size[k->touch[b].node];
                for (int j = 0; j < nb; j++) {
                    double w[3] = {0.0, 0.0, 0.0};
                    for (int r = 0; r < k->rows[c]; r++) {
                        for (int q = 0; q < k->rows[c]; q++) {
                            w[r] += z[3 * r + q] * Bb[q * nb + j];
                        }
                    }
                    for (int i = 0; i < na; i++) {
                        double sum = Ba[i] * w[0];
                        for (int r = 1; r < k->rows[c]; r++) {
                            sum += Ba[r * na + i] * w[r];
                        }
                        to->to[to->turned ? j * na + i : i * nb + j] += sum;
                    }
                }
            }
        }
    }
    return zw_blocklu_factor(&k->f) < 0;
}

bool zw_coulomb_bodies_solve(zw_coulomb *s, const double *Z, const double *g, double *dv, double *dp) {
    zw_coulomb_bodies *k = s->bodies;
    const int         *item = s->island.item + s->island.start[k->island];
    bool               finite = true;
    memset(k->x, 0, sizeof(double) * (size_t)k->n);
    for (int c = 0; c < k->count; c++) {
        double share = share_of(&s->at[item[c]], Z + 9 * c) * g[3 * c];
        for (int r = 0; r < 3; r++) {
            dp[3 * c + r] = g[3 * c + r] - share * Z[9 * c + 3 * r];
        }
        for (int t = k->start[c]; t < k->start[c + 1]; t++) {
            const touch *a = &k->touch[t];
            int          size = k->size[a->node];
            for (int r = 0; r < k->rows[c]; r++) {
                for (int j = 0; j < size; j++) {
                    k->x[k->first[a->node] + j] += a->B[r * size + j] * dp[3 * c + r];
                }
            }
        }
    }
    zw_blocklu_solve(&k->f, k->x);
    for (int c = 0; c < k->count; c++) {
        for (int r = 0; r < 3; r++) {
            double sum = 0.0;
            for (int t = k->start[c]; t < k->start[c + 1] && r < k->rows[c]; t++) {
                const touch *a = &k->touch[t];
                int          size = k->size[a->node];
                for (int j = 0; j < size; j++) {
                    sum += a->B[r * size + j] * k->x[k->first[a->node] + j];
                }
            }
            dv[3 * c + r] = sum;
            finite = finite && isfinite(sum);
        }
        const double *z = Z + 9 * c, *u = dv + 3 * c;
        double        push = g[3 * c] - z[0] * u[0] - z[1] * u[1] - z[2] * u[2], hold = s->at[item[c]].hold;
        dv[3 * c] += hold * push / (1.0 + hold * z[0]);
        for (int r = 0; r < 3; r++) {
            dp[3 * c + r] = g[3 * c + r] - z[3 * r] * u[0] - z[3 * r + 1] * u[1] - z[3 * r + 2] * u[2];
        }
    }
    return finite;
}

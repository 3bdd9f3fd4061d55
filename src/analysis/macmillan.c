/* SPDX-License-Identifier: Apache-2.0
 * macmillan.c: equation (13) of Mac-Millan with the kinetic energy only, by implicit differentiation of the constraints.
 *
 *   A_d [B | dphi/dq | sigma | phi] = -[A_s | df/dq | D | f at v_d = 0]      eliminated as expressions, in the order of the pivots
 *
 * f stands for the rows at velocity level: a holonomic g(q, t) = 0 enters by dg/dt. phi is explicit where A_d has no dependent velocity in it, because
 * then f is linear in them. Rows that were redundant in the partition take no part. */
#include "analysis/equations.h"

#include "analysis/simplify.h"
#include "expr/pool.h"

#include <string.h>

typedef struct work {
    const zw_model          *model;
    zw_pool                 *pool;
    const zw_lagrangian_def *def;
    const zw_lagrange       *y;
    const zw_partition      *part;
    zw_arena                *arena;
    zw_macmillan            *out;
    int                      columns; /* right sides: e + n + 1 + 1 */
    zw_node                 *left;    /* [g g] A_d                  */
    zw_node                 *right;   /* [g columns]                */
    zw_node                 *T_q;     /* [n]                        */
    int                     *slot;    /* [2 n + 1] q, v, t          */
    zw_node                 *rate;    /* [2 n + 1] v, a, 1          */
} work;

static zw_node *nodes(work *w, int n) {
    return zw_arena_alloc(w->arena, (size_t)n, sizeof(zw_node), "equations of Mac-Millan");
}

static bool is_zero(const zw_pool *p, zw_node n) {
    double value;
    return zw_node_is_constant(p, n, &value) && value == 0.0;
}

/* x -= f y; a factor that is 0 takes the other with it, which the pool would keep where it can become infinite */
static void subtract(zw_pool *p, zw_node *x, zw_node f, zw_node y) {
    if (!f || !y) {
        *x = 0;
    } else if (!is_zero(p, f) && !is_zero(p, y)) {
        *x = zw_node_sub(p, *x, zw_node_mul(p, f, y));
    }
}

static zw_node minus(zw_pool *p, zw_node n) { /* without a zero that has a sign */
    return n && is_zero(p, n) ? zw_node_constant(p, 0.0) : zw_node_neg(p, n);
}

static zw_status fill_rows(work *w, bool *explicit) {
    zw_pool            *p = w->pool;
    const zw_partition *part = w->part;
    int                 n = part->n, g = part->g, e = part->e;
    zw_node             zero = zw_node_constant(p, 0.0);
    *explicit = true;
    for (int k = 0; k < g; k++) {
        const zw_node *A = w->y->A + (size_t)part->row[k] * (size_t)n;
        zw_node       *right = w->right + k * w->columns, rest = w->y->first[part->row[k]];
        for (int l = 0; l < g; l++) {
            w->left[k * g + l] = A[part->dependent[l]];
            for (int h = 0; h < g; h++) {
                *explicit = *explicit && !zw_node_depends(p, w->left[k * g + l], w->def->slot_v[part->dependent[h]]);
            }
            rest = zw_node_substitute(p, rest, w->def->slot_v[part->dependent[l]], zero);
        }
        for (int s = 0; s < e; s++) {
            right[s] = minus(p, A[part->independent[s]]);
        }
        ZW_TRY(zw_node_gradient(p, w->y->first[part->row[k]], n, w->def->slot_q, right + e));
        for (int j = 0; j < n; j++) {
            right[e + j] = minus(p, right[e + j]);
        }
        right[e + n] = minus(p, w->y->D[part->row[k]]);
        right[e + n + 1] = minus(p, rest);
        for (int s = 0; s < w->columns; s++) {
            if (!right[s]) {
                return ZW_E_MEMORY;
            }
        }
    }
    return ZW_OK;
}

/* right <- left^-1 right; the pivots are those of the partition */
static zw_status eliminate(work *w) {
    zw_pool *p = w->pool;
    int      g = w->part->g, columns = w->columns;
    for (int k = 0; k < g; k++) {
        for (int r = k + 1; r < g; r++) {
            if (is_zero(p, w->left[r * g + k])) {
                continue;
            }
            zw_node f = zw_simplify_ratio(p, w->left[r * g + k], w->left[k * g + k]);
            for (int l = k + 1; l < g; l++) {
                subtract(p, &w->left[r * g + l], f, w->left[k * g + l]);
                w->left[r * g + l] = zw_simplify_zero(p, w->left[r * g + l]);
            }
            for (int s = 0; s < columns; s++) {
                subtract(p, &w->right[r * columns + s], f, w->right[k * columns + s]);
            }
        }
    }
    for (int k = g - 1; k >= 0; k--) {
        for (int s = 0; s < columns; s++) {
            zw_node x = w->right[k * columns + s];
            for (int l = k + 1; l < g; l++) {
                subtract(p, &x, w->left[k * g + l], w->right[l * columns + s]);
            }
            x = zw_simplify_zero(p, x);
            w->right[k * columns + s] = is_zero(p, x) ? x : zw_simplify_ratio(p, x, w->left[k * g + k]);
            if (!w->right[k * columns + s]) {
                return ZW_E_MEMORY;
            }
        }
    }
    return ZW_OK;
}

/* base + sum_b weight_b column_b */
static zw_node fold_in(work *w, zw_node base, const zw_node *weight, const zw_node *column, int stride) {
    for (int b = 0; b < w->part->g; b++) {
        zw_node factor = weight[w->part->dependent[b]];
        if (!is_zero(w->pool, factor) && !is_zero(w->pool, column[b * stride])) {
            base = zw_node_add(w->pool, base, zw_node_mul(w->pool, factor, column[b * stride]));
        }
    }
    return zw_simplify_zero(w->pool, base);
}

static zw_status both_sides(work *w) {
    zw_pool      *p = w->pool;
    zw_macmillan *o = w->out;
    int           n = w->part->n, g = w->part->g, e = w->part->e;
    zw_node       zero = zw_node_constant(p, 0.0);
    zw_node      *rate = nodes(w, e + g * e + 1), *change = rate ? rate + e : NULL;
    if (!rate || !zero) {
        return ZW_E_MEMORY;
    }
    for (int s = 0; s < e; s++) {
        int j = w->part->independent[s];
        o->p[s] = fold_in(w, w->y->p[j], w->y->p, o->B + s, e);
        o->T_q[s] = fold_in(w, w->T_q[j], w->y->p, o->phi_q + j, n);
        o->force[s] = fold_in(w, w->y->F[j], w->y->F, o->B + s, e);
        o->carried[s] = fold_in(w, zero, w->T_q, o->B + s, e);
        if (!o->p[s] || !o->T_q[s] || !o->force[s] || !o->carried[s]) {
            return ZW_E_MEMORY;
        }
    }
    if (e > 0) {
        ZW_TRY(zw_node_push(p, e, o->p, 2 * n + 1, w->slot, w->rate, rate));
    }
    if (g * e > 0) {
        ZW_TRY(zw_node_push(p, g * e, o->B, 2 * n + 1, w->slot, w->rate, change));
    }
    for (int s = 0; s < e; s++) {
        int j = w->part->independent[s];
        o->left[s] = zw_simplify_zero(p, zw_node_sub(p, rate[s], o->T_q[s]));
        for (int b = 0; b < g; b++) {
            change[b * e + s] = zw_simplify_zero(p, zw_node_sub(p, change[b * e + s], o->phi_q[b * n + j]));
        }
        o->turning[s] = fold_in(w, zero, w->y->p, change + s, e);
        if (!o->left[s] || !o->turning[s]) {
            return ZW_E_MEMORY;
        }
    }
    return ZW_OK;
}

/* K a = rest: (13) is linear in the accelerations */
static zw_status collect(work *w) {
    zw_pool      *p = w->pool;
    zw_macmillan *o = w->out;
    int           g = w->part->g, e = w->part->e;
    zw_node       zero = zw_node_constant(p, 0.0);
    zw_node      *inertia = nodes(w, 2 * e + g + 1), *column = inertia ? inertia + e : NULL, *seed = column ? column + e : NULL;
    int          *slot = zw_arena_alloc(w->arena, (size_t)g + 1, sizeof *slot, "equations of Mac-Millan");
    if (!inertia || !slot || !zero) {
        return ZW_E_MEMORY;
    }
    for (int s = 0; s < e; s++) {
        inertia[s] = zw_node_sub(p, o->left[s], o->turning[s]);
        if (!inertia[s]) {
            return ZW_E_MEMORY;
        }
    }
    for (int t = 0; t < e; t++) {
        slot[0] = o->slot_a[w->part->independent[t]];
        seed[0] = zw_node_constant(p, 1.0);
        for (int b = 0; b < g; b++) {
            slot[1 + b] = o->slot_a[w->part->dependent[b]];
            seed[1 + b] = o->B[b * e + t];
        }
        ZW_TRY(zw_node_push(p, e, inertia, 1 + g, slot, seed, column));
        for (int s = 0; s < e; s++) {
            o->K[s * e + t] = zw_simplify_zero(p, column[s]);
        }
    }
    for (int s = 0; s < e; s++) {
        zw_node still = inertia[s];
        for (int t = 0; t < e; t++) {
            still = zw_node_substitute(p, still, o->slot_a[w->part->independent[t]], zero);
        }
        for (int b = 0; b < g; b++) {
            still = zw_node_substitute(p, still, o->slot_a[w->part->dependent[b]], o->sigma[b]);
        }
        o->rest[s] = zw_simplify_zero(p, zw_node_sub(p, zw_node_add(p, o->force[s], o->carried[s]), still));
        if (!o->rest[s]) {
            return ZW_E_MEMORY;
        }
    }
    return ZW_OK;
}

static zw_status prepare(work *w, const char *name) {
    zw_macmillan *o = w->out;
    int           n = w->part->n, g = w->part->g, e = w->part->e;
    *o = (zw_macmillan){.part = *w->part,
                        .slot_a = zw_arena_alloc(w->arena, (size_t)n, sizeof(int), "equations of Mac-Millan"),
                        .phi = nodes(w, g),
                        .B = nodes(w, g * e),
                        .phi_q = nodes(w, g * n),
                        .sigma = nodes(w, g),
                        .p = nodes(w, e),
                        .T_q = nodes(w, e),
                        .left = nodes(w, e),
                        .force = nodes(w, e),
                        .carried = nodes(w, e),
                        .turning = nodes(w, e),
                        .K = nodes(w, e * e),
                        .rest = nodes(w, e)};
    w->columns = e + n + 2;
    w->left = nodes(w, g * g);
    w->right = nodes(w, g * w->columns);
    w->T_q = nodes(w, n);
    w->slot = zw_arena_alloc(w->arena, (size_t)(2 * n + 1), sizeof(int), "equations of Mac-Millan");
    w->rate = nodes(w, 2 * n + 1);
    if (!o->slot_a || !o->phi || !o->B || !o->phi_q || !o->sigma || !o->p || !o->T_q || !o->left || !o->force || !o->carried ||
        !o->turning || !o->K || !o->rest || !w->left || !w->right || !w->T_q || !w->slot || !w->rate) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        ZW_TRY(zw_acceleration_input(w->pool, name, w->def->coordinate[i], &o->slot_a[i]));
        w->slot[i] = w->def->slot_q[i];
        w->slot[n + i] = w->def->slot_v[i];
        w->rate[i] = zw_node_input(w->pool, w->def->slot_v[i]);
        w->rate[n + i] = zw_node_input(w->pool, o->slot_a[i]);
    }
    w->slot[2 * n] = w->model->slot_t;
    w->rate[2 * n] = zw_node_constant(w->pool, 1.0);
    for (int i = 0; i <= 2 * n; i++) {
        if (!w->rate[i]) {
            return ZW_E_MEMORY;
        }
    }
    return zw_node_gradient(w->pool, w->y->T, n, w->def->slot_q, w->T_q);
}

zw_status zw_acceleration_input(zw_pool *p, const char *body, const char *coordinate, int *slot) {
    zw_text name;
    zw_text_init(&name, p->context);
    zw_text_addf(&name, "%s.%sddot", body, coordinate);
    zw_status status = zw_text_status(&name);
    if (status == ZW_OK) {
        *slot = zw_pool_input(p, name.s);
        status = *slot < 0 ? ZW_E_MEMORY : ZW_OK;
    }
    zw_text_destroy(&name);
    return status;
}

zw_status zw_macmillan_derive(const zw_model *m, const char *name, const zw_lagrangian_def *def, const zw_lagrange *y,
                              const zw_partition *part, zw_arena *arena, zw_macmillan *out) {
    work w = {.model = m, .pool = m->pool, .def = def, .y = y, .part = part, .arena = arena, .out = out};
    int  n = part->n, g = part->g, e = part->e;
    bool explicit = false;
    ZW_TRY(prepare(&w, name));
    ZW_TRY(fill_rows(&w, &explicit));
    ZW_TRY(eliminate(&w));
    for (int k = 0; k < g; k++) {
        const zw_node *right = w.right + k * w.columns;
        for (int s = 0; s < e; s++) {
            out->B[k * e + s] = right[s];
        }
        for (int j = 0; j < n; j++) {
            out->phi_q[k * n + j] = right[e + j];
        }
        out->sigma[k] = right[e + n];
        out->phi[k] = explicit ? right[e + n + 1] : 0;
    }
    ZW_TRY(both_sides(&w));
    return collect(&w);
}

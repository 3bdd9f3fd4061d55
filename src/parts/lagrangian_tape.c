/* SPDX-License-Identifier: Apache-2.0
 * lagrangian_tape.c: the equations of a lagrangian body compiled: which nodes each tape gives, what the size of an equation is made of, and room for records. */
#include "parts/lagrangian_part.h"

#include "expr/pool.h"

#include <stdio.h>

enum { TERMS_MOST = 4096 };

/* ---- tapes */

zw_status zw_lagrangian_tape_create(zw_lagrangian *L, const zw_node *roots, int n, zw_lagrangian_tape *out) {
    size_t rows = (size_t)(2 * L->n + 1);
    int   *slots = zw_alloc(L->context, rows, sizeof *slots, "a lagrangian body");
    if (slots == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < L->n; i++) {
        slots[i] = L->def->slot_q[i];
        slots[L->n + i] = L->def->slot_v[i];
    }
    slots[2 * L->n] = L->model->slot_t;
    zw_status status = zw_tape_create(L->context, L->model->pool, roots, n, &out->tape);
    status = status == ZW_OK ? zw_tape_widen(out->tape, slots, (int)rows) : status;
    zw_free(L->context, slots);
    ZW_TRY(status);
    out->roots = n;
    out->work = zw_arena_alloc(&L->arena, (size_t)zw_tape_work(out->tape), sizeof(double), "a lagrangian body");
    out->wide = zw_arena_alloc(&L->arena, (size_t)zw_tape_work_wide(out->tape), sizeof(double), "a lagrangian body");
    out->lanes_out = zw_arena_alloc(&L->arena, ZW_TAPE_LANES * (size_t)n, sizeof(double), "a lagrangian body");
    if (out->work == NULL || out->wide == NULL || out->lanes_out == NULL) {
        return ZW_E_MEMORY;
    }
    zw_tape_common(out->tape, L->memo->in, out->wide);
    return ZW_OK;
}

static zw_status bind_axes(zw_lagrangian *L) {
    const zw_lagrangian_def *def = L->def;
    zw_pool                 *pool = L->model->pool;
    int                      n = L->n;
    zw_node                  zero = zw_node_constant(pool, 0.0);
    L->axes = zw_arena_alloc(&L->arena, (size_t)(n * n + n), sizeof *L->axes, "quasi-velocities");
    if (zero == 0 || L->axes == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        zw_node still = def->quasi[i].e.node;
        ZW_TRY(zw_node_gradient(pool, still, n, def->slot_v, L->axes + n * i));
        for (int k = 0; k < n; k++) {
            still = zw_node_substitute(pool, still, def->slot_v[k], zero);
            if (still == 0) {
                return ZW_E_MEMORY;
            }
        }
        L->axes[n * n + i] = still;
        bool timed = zw_node_depends(pool, still, L->model->slot_t);
        for (int k = 0; k < n; k++) {
            timed = timed || zw_node_depends(pool, L->axes[n * i + k], L->model->slot_t);
        }
        if (timed) { /* a chart is asked for without the time it is used at */
            char subject[128];
            snprintf(subject, sizeof subject, "bodies.%s.lagrangian.velocities.%s", L->body->name, def->quasi[i].name);
            return zw_model_raise(L->model, ZW_E_UNSUPPORTED, def->quasi[i].e.at, subject,
                                  "make the angle of the moving frame a coordinate, with an equation that drives it",
                                  "the velocity of the moving frame depends on t");
        }
    }
    return zw_lagrangian_tape_create(L, L->axes, n * n + n, &L->tape_axes);
}

/* M F c A D value first, and the rates of the quasi-velocities while qdot stays */
static zw_status bind_motion(zw_lagrangian *L) {
    const zw_lagrange *e = &L->equations;
    size_t             n = (size_t)L->n, m = (size_t)L->m, count = 0;
    zw_node           *root = zw_arena_alloc(&L->arena, n * n + 3 * n + m * n + 3 * m, sizeof *root, "a lagrangian body");
    const zw_node     *from[] = {e->M, e->F, e->c, e->A, e->D, e->value, e->first};
    const size_t       size[] = {n * n, n, n, m * n, m, m, m};
    if (root == NULL) {
        return ZW_E_MEMORY;
    }
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        for (size_t k = 0; k < size[i]; k++) {
            root[count++] = from[i][k];
        }
    }
    if (L->quasi) {
        zw_pool *pool = L->model->pool;
        zw_node *rate = zw_arena_alloc(&L->arena, 2 * n, sizeof *rate, "a lagrangian body");
        if (rate == NULL) {
            return ZW_E_MEMORY;
        }
        zw_node *expression = rate + n;
        for (size_t i = 0; i < n; i++) {
            rate[i] = zw_node_input(pool, L->def->slot_v[i]);
            expression[i] = L->def->quasi[i].e.node;
            if (rate[i] == 0) {
                return ZW_E_MEMORY;
            }
        }
        ZW_TRY(zw_node_push(pool, L->n, expression, L->n, L->def->slot_q, rate, root + count));
        count += n;
    }
    return zw_lagrangian_tape_create(L, root, (int)count, &L->tape_motion);
}

/* terms that a sum is made of; false: it is no sum, or has too many */
static bool collect_terms(const zw_pool *pool, zw_node sum, zw_node *stack, zw_node *out, int *count) {
    int room = TERMS_MOST - *count, deep = 0, found = 0;
    stack[deep++] = sum;
    while (deep > 0) {
        zw_node             top = stack[--deep];
        const zw_expr_node *e = &pool->dag.node[top];
        bool                two = e->op == ZW_OP_ADD || e->op == ZW_OP_SUB;
        if (deep + 2 > TERMS_MOST || found >= room) {
            return false;
        }
        if (two) {
            stack[deep++] = e->b;
        }
        if (two || e->op == ZW_OP_NEG) {
            stack[deep++] = e->a;
        } else {
            out[*count + found++] = top;
        }
    }
    if (found < 2) {
        return false;
    }
    *count += found;
    return true;
}

static bool is_zero(const zw_pool *pool, zw_node n) {
    double value;
    return zw_node_is_constant(pool, n, &value) && value == 0.0;
}

/* energies, power, then what sizes of equations are made of: terms of a sum, or what of it is no velocity: dg/dt by time alone, f as it is */
static zw_status bind_account(zw_lagrangian *L) {
    const zw_lagrange *e = &L->equations;
    zw_pool           *pool = L->model->pool;
    int                n = L->n;
    size_t             most = ZW_ACCOUNT_NUMBERS + TERMS_MOST + (size_t)L->m + (size_t)L->def->npoints;
    zw_node           *root = zw_arena_alloc(&L->arena, most, sizeof *root, "a lagrangian body");
    zw_node           *stack = zw_arena_alloc(&L->arena, TERMS_MOST + 2, sizeof *stack, "a lagrangian body");
    zw_node           *drag = zw_arena_alloc(&L->arena, (size_t)n, sizeof *drag, "a lagrangian body");
    L->term_row = zw_arena_alloc(&L->arena, most, sizeof *L->term_row, "a lagrangian body");
    L->by_terms = zw_arena_alloc(&L->arena, (size_t)L->m, sizeof *L->by_terms, "a lagrangian body");
    zw_node energy = zw_node_constant(pool, 0.0), work = energy, lost = energy, mass = energy;
    if (root == NULL || stack == NULL || drag == NULL || L->term_row == NULL || L->by_terms == NULL || energy == 0) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(zw_node_gradient(pool, e->R, n, L->def->slot_v, drag));
    L->powerless = true;
    for (int i = 0; i < n; i++) {
        zw_node v = zw_node_input(pool, L->def->slot_v[i]);
        L->powerless = L->powerless && is_zero(pool, e->Q[i]) && is_zero(pool, drag[i]);
        energy = zw_node_add(pool, energy, zw_node_mul(pool, v, e->p[i]));
        work = zw_node_add(pool, work, zw_node_mul(pool, v, e->Q[i]));
        lost = zw_node_add(pool, lost, zw_node_mul(pool, v, drag[i]));
    }
    zw_node fed = zw_node_diff(pool, e->V, L->model->slot_t), taken = zw_node_diff(pool, e->T, L->model->slot_t);
    L->powerless = L->powerless && is_zero(pool, fed) && is_zero(pool, taken);
    work = zw_node_sub(pool, zw_node_add(pool, work, fed), taken);
    energy = zw_node_sub(pool, energy, e->T);
    for (int i = 0; i < L->def->npoints; i++) {
        if (L->def->point[i].mass.node != 0) {
            mass = zw_node_add(pool, mass, L->def->point[i].mass.node);
        }
    }
    const zw_node number[ZW_ACCOUNT_NUMBERS] = {e->T, e->V, energy, work, lost, mass};
    for (int i = 0; i < ZW_ACCOUNT_NUMBERS; i++) {
        root[i] = number[i];
        if (number[i] == 0) {
            return ZW_E_MEMORY;
        }
    }
    zw_node *term = root + ZW_ACCOUNT_NUMBERS;
    int      nsums = 0;
    for (int i = 0; i < L->m; i++) {
        L->by_terms[i] = !e->holonomic[i] && collect_terms(pool, e->first[i], stack, term, &nsums);
        for (; L->nterms < nsums; L->nterms++) {
            L->term_row[L->nterms] = i;
        }
        if (!L->by_terms[i]) {
            term[nsums] = e->holonomic[i] ? zw_node_diff(pool, e->value[i], L->model->slot_t) : e->value[i];
            if (term[nsums] == 0) {
                return ZW_E_MEMORY;
            }
            L->term_row[L->nterms++] = i;
            nsums++;
        }
    }
    for (int i = 0; i < L->def->npoints; i++) { /* then masses of particles */
        if (L->def->point[i].mass.node != 0) {
            term[nsums++] = L->def->point[i].mass.node;
        }
    }
    return zw_lagrangian_tape_create(L, root, ZW_ACCOUNT_NUMBERS + nsums, &L->tape_account);
}

/* ---- records */

static double *numbers(zw_lagrangian *L, size_t n) {
    return zw_arena_alloc(&L->arena, n, sizeof(double), "a lagrangian body");
}

static bool record_init(zw_lagrangian *L, zw_lagrangian_record *r) {
    size_t n = (size_t)L->n, m = (size_t)L->m;
    *r = (zw_lagrangian_record){.q = numbers(L, n),
                                .v = numbers(L, n),
                                .motion = numbers(L, (size_t)L->tape_motion.roots),
                                .account = numbers(L, (size_t)L->tape_account.roots),
                                .point = numbers(L, (size_t)L->tape_point.roots),
                                .first_size = numbers(L, m)};
    if (!r->q || !r->v || !r->motion || !r->account || !r->point || !r->first_size) {
        return false;
    }
    const double *at = r->motion;
    r->look.M = at;
    r->look.F = at += n * n;
    r->look.c = at += n;
    r->look.A = at += n;
    r->look.D = at += m * n;
    r->look.value = at += m;
    r->look.first = at + m;
    r->look.first_size = r->first_size;
    r->look.qdot = r->v;
    r->axes_regular = true;
    if (!L->quasi) {
        return true;
    }
    r->axes = numbers(L, n * n + n);
    r->W = numbers(L, n * n);
    r->qdot = numbers(L, n);
    r->look.M = r->M = numbers(L, n * n);
    r->look.F = r->F = numbers(L, n);
    r->look.c = r->c = numbers(L, n);
    r->look.A = r->A = numbers(L, m * n);
    r->look.D = r->D = numbers(L, m);
    r->look.qdot = r->qdot;
    return r->axes && r->W && r->qdot && r->M && r->F && r->c && r->A && r->D;
}

zw_status zw_lagrangian_bind_tapes(zw_lagrangian *L) {
    size_t              n = (size_t)L->n;
    zw_lagrangian_memo *memo = zw_arena_alloc(&L->arena, 1, sizeof *memo, "a lagrangian body");
    if (memo == NULL) {
        return ZW_E_MEMORY;
    }
    L->memo = memo;
    memo->lanes = numbers(L, ZW_TAPE_LANES * (2 * n + 1));
    memo->square = numbers(L, n * n + n);
    memo->other = numbers(L, n * n);
    memo->inverse = numbers(L, n * n);
    memo->line = numbers(L, n);
    memo->more = numbers(L, n);
    memo->pivot = zw_arena_alloc(&L->arena, n, sizeof(int), "a lagrangian body");
    memo->in = numbers(L, (size_t)zw_pool_inputs(L->model->pool));
    if (!memo->lanes || !memo->square || !memo->other || !memo->inverse || !memo->line || !memo->more || !memo->pivot || !memo->in) {
        return ZW_E_MEMORY;
    }
    zw_model_inputs(L->model, memo->in);
    if (L->quasi) {
        ZW_TRY(bind_axes(L));
    }
    ZW_TRY(bind_motion(L));
    ZW_TRY(bind_account(L));
    ZW_TRY(zw_lagrangian_bind_points(L));
    for (int i = 0; i < ZW_LAGRANGIAN_RECORDS; i++) {
        if (!record_init(L, &memo->record[i])) {
            return ZW_E_MEMORY;
        }
    }
    return ZW_OK;
}

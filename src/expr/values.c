/* SPDX-License-Identifier: Apache-2.0
 * values.c: values of nodes in the order of their indices, which is the order of evaluation. What depends on a varied input is worked out
 * again, and nothing else. */
#include "expr/values.h"

#include "expr/pool.h"

#include <stdlib.h>
#include <string.h>

void zw_values_init(zw_values *s, zw_pool *p) {
    *s = (zw_values){.pool = p, .nodes = 1};
}

void zw_values_destroy(zw_values *s) {
    if (s->pool == NULL) {
        return;
    }
    zw_context *c = s->pool->context;
    zw_free(c, s->in);
    zw_free(c, s->unknown_in);
    zw_free(c, s->v);
    zw_free(c, s->unknown);
    zw_free(c, s->mark);
    zw_free(c, s->list);
    *s = (zw_values){0};
}

/* the new part of a grown array is 0 */
static bool stretch(zw_context *c, void **items, int old, int room, size_t size) {
    char *bigger = zw_resize(c, *items, (size_t)room, size, "values of expressions");
    if (bigger == NULL) {
        return false;
    }
    memset(bigger + (size_t)old * size, 0, (size_t)(room - old) * size);
    *items = bigger;
    return true;
}

static int more(int room, int need) {
    int next = room < 32 ? 64 : room + room / 2;
    return next < need ? need : next;
}

zw_status zw_values_inputs(zw_values *s) {
    zw_context *c = s->pool->context;
    int         need = zw_pool_inputs(s->pool);
    if (need > s->input_room) {
        int   room = more(s->input_room, need);
        void *in = s->in, *unknown = s->unknown_in;
        bool  ok = stretch(c, &in, s->input_room, room, sizeof *s->in);
        s->in = in;
        ok = ok && stretch(c, &unknown, s->input_room, room, 1);
        s->unknown_in = unknown;
        if (!ok) {
            return ZW_E_MEMORY;
        }
        s->input_room = room;
    }
    s->inputs = need;
    return ZW_OK;
}

zw_status zw_values_set(zw_values *s, int slot, double value, bool known) {
    ZW_TRY(zw_values_inputs(s));
    s->in[slot] = value;
    s->unknown_in[slot] = !known;
    return ZW_OK;
}

static double compute(const zw_values *s, zw_node i) {
    const zw_expr_node *n = &s->pool->dag.node[i];
    int                 arity = zw_op_arity(n->op);
    if (n->op == ZW_OP_INPUT) {
        return s->in[n->a];
    }
    return zw_node_compute(&s->pool->dag, n, arity > 0 ? s->v[n->a] : 0.0, arity > 1 ? s->v[n->b] : 0.0, arity > 2 ? s->v[n->c] : 0.0);
}

/* every node up to n has its value */
static zw_status reach(zw_values *s, zw_node n) {
    zw_context *c = s->pool->context;
    ZW_TRY(zw_values_inputs(s));
    if (n >= s->room) {
        int   room = more(s->room, n + 1);
        void *v = s->v, *unknown = s->unknown, *mark = s->mark;
        bool  ok = stretch(c, &v, s->room, room, sizeof *s->v);
        s->v = v;
        ok = ok && stretch(c, &unknown, s->room, room, 1);
        s->unknown = unknown;
        ok = ok && stretch(c, &mark, s->room, room, 1);
        s->mark = mark;
        if (!ok) {
            return ZW_E_MEMORY;
        }
        s->room = room;
    }
    for (; s->nodes <= n; s->nodes++) {
        const zw_expr_node *e = &s->pool->dag.node[s->nodes];
        const zw_node       operand[3] = {e->a, e->b, e->c};
        s->v[s->nodes] = compute(s, s->nodes);
        s->unknown[s->nodes] = e->op == ZW_OP_INPUT && s->unknown_in[e->a];
        for (int k = 0; k < zw_op_arity(e->op); k++) {
            s->unknown[s->nodes] |= s->unknown[operand[k]];
        }
    }
    return ZW_OK;
}

zw_status zw_values_known(zw_values *s, zw_node n, bool *known) {
    ZW_TRY(reach(s, n));
    *known = !s->unknown[n];
    return ZW_OK;
}

zw_status zw_values_get(zw_values *s, zw_node n, double *value) {
    ZW_TRY(reach(s, n));
    *value = s->v[n];
    return ZW_OK;
}

static int by_index(const void *left, const void *right) {
    zw_node a = *(const zw_node *)left, b = *(const zw_node *)right;
    return a < b ? -1 : a > b;
}

static bool push(zw_values *s, int *count, zw_node n, uint64_t bit) {
    if (s->mark[n] || !(s->pool->dag.node[n].mask & bit)) {
        return true;
    }
    if (*count == s->list_room) {
        int      room = more(s->list_room, *count + 1);
        zw_node *bigger = zw_resize(s->pool->context, s->list, (size_t)room, sizeof *bigger, "values of expressions");
        if (bigger == NULL) {
            return false;
        }
        s->list = bigger;
        s->list_room = room;
    }
    s->mark[n] = 1;
    s->list[(*count)++] = n;
    return true;
}

zw_status zw_values_with(zw_values *s, zw_node n, int slot, double at, double *value) {
    ZW_TRY(reach(s, n));
    uint64_t bit = zw_slot_bit(slot);
    int      count = 0;
    bool     ok = push(s, &count, n, bit);
    for (int i = 0; i < count && ok; i++) {
        const zw_expr_node *e = &s->pool->dag.node[s->list[i]];
        const zw_node       operand[3] = {e->a, e->b, e->c};
        for (int k = 0; k < zw_op_arity(e->op) && ok; k++) {
            ok = push(s, &count, operand[k], bit);
        }
    }
    for (int i = 0; i < count; i++) {
        s->mark[s->list[i]] = 0;
    }
    if (!ok) {
        return ZW_E_MEMORY;
    }
    if (count > 1) {
        qsort(s->list, (size_t)count, sizeof *s->list, by_index);
    }
    double kept = s->in[slot];
    for (int pass = 0; pass < 2; pass++) { /* there and back */
        s->in[slot] = pass == 0 ? at : kept;
        for (int i = 0; i < count; i++) {
            s->v[s->list[i]] = compute(s, s->list[i]);
        }
        *value = pass == 0 ? s->v[n] : *value;
    }
    return ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * pool.c: the store of nodes: hash-consing, inputs, tables, and the walks that need no simplification (reach, compute, depends).
 *
 * Every walk is a loop over indices: operands come before the node that uses them. */
#include "expr/pool.h"

#include <string.h>

static const char *const op_texts[ZW_OP_COUNT] = {
    [ZW_OP_CONSTANT] = "constant",
    [ZW_OP_INPUT] = "input",
#define OP_TEXT(NAME, text, total, value) [ZW_OP_##NAME] = text,
    ZW_OPS_UNARY(OP_TEXT) ZW_OPS_BINARY(OP_TEXT)
#undef OP_TEXT
        [ZW_OP_POWI] = "^",
    [ZW_OP_TABLE] = "table",
    [ZW_OP_SLOPE] = "table_slope",
    [ZW_OP_IF] = "if",
};

static const uint8_t op_totals[ZW_OP_COUNT] = {
    [ZW_OP_CONSTANT] = 1,
    [ZW_OP_INPUT] = 1,
#define OP_TOTAL(NAME, text, total, value) [ZW_OP_##NAME] = total,
    ZW_OPS_UNARY(OP_TOTAL) ZW_OPS_BINARY(OP_TOTAL)
#undef OP_TOTAL
        [ZW_OP_TABLE] = 1,
    [ZW_OP_SLOPE] = 1,
    [ZW_OP_IF] = 1,
};

const char *zw_op_text(int op) {
    return op_texts[op];
}

bool zw_op_total(int op) {
    return op_totals[op] != 0;
}

/* ---- tables */

int zw_table_segment(const double *knots, int points, double x) {
    int low = -1, high = points; /* knots[low] <= x < knots[high] */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (knots[2 * (size_t)middle] <= x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

double zw_table_value(const double *knots, int points, double x) {
    if (x != x) {
        return x;
    }
    int i = zw_table_segment(knots, points, x);
    if (i < 0) {
        return knots[1];
    }
    const double *k = knots + 2 * (size_t)i;
    return i == points - 1 ? k[1] : k[1] + (k[3] - k[1]) * ((x - k[0]) / (k[2] - k[0]));
}

double zw_table_slope(const double *knots, int points, double x) {
    if (x != x) {
        return x;
    }
    int i = zw_table_segment(knots, points, x);
    if (i < 0 || i == points - 1) {
        return 0.0;
    }
    const double *k = knots + 2 * (size_t)i;
    return (k[3] - k[1]) / (k[2] - k[0]);
}

/* ---- walks */

double zw_node_compute(const zw_dag *d, const zw_expr_node *n, double a, double b, double c) {
    switch ((zw_op)n->op) {
#define COMPUTE(NAME, text, total, value) \
    case ZW_OP_##NAME: return value;
        ZW_OPS_UNARY(COMPUTE)
        ZW_OPS_BINARY(COMPUTE)
#undef COMPUTE
    case ZW_OP_POWI: return zw_expr_power(a, n->b);
    case ZW_OP_TABLE: return zw_table_value(d->knots + d->table[n->b].first, d->table[n->b].points, a);
    case ZW_OP_SLOPE: return zw_table_slope(d->knots + d->table[n->b].first, d->table[n->b].points, a);
    case ZW_OP_IF: return zw_expr_if(a, b, c);
    case ZW_OP_CONSTANT:
    case ZW_OP_INPUT:
    case ZW_OP_COUNT: break;
    }
    return n->value;
}

void zw_dag_compute(const zw_dag *d, int last, const uint8_t *keep, const double *in, double *v) {
    for (int i = 1; i <= last; i++) {
        const zw_expr_node *n = &d->node[i];
        if (keep && !keep[i]) {
            continue;
        }
        int arity = zw_op_arity(n->op);
        if (n->op == ZW_OP_INPUT) {
            v[i] = in[n->a];
        } else {
            v[i] = zw_node_compute(d, n, arity > 0 ? v[n->a] : 0.0, arity > 1 ? v[n->b] : 0.0, arity > 2 ? v[n->c] : 0.0);
        }
    }
}

void zw_dag_reach(const zw_dag *d, int last, uint8_t *keep) {
    for (int i = last; i > 0; i--) {
        if (!keep[i]) {
            continue;
        }
        const zw_expr_node *n = &d->node[i];
        int                 arity = zw_op_arity(n->op);
        if (arity > 0) {
            keep[n->a] = 1;
        }
        if (arity > 1) {
            keep[n->b] = 1;
        }
        if (arity > 2) {
            keep[n->c] = 1;
        }
    }
}

/* ---- the pool */

zw_status zw_pool_create(zw_context *c, zw_pool **out) {
    *out = NULL;
    zw_pool *p = zw_alloc(c, 1, sizeof *p, "expression pool");
    if (!p) {
        return ZW_E_MEMORY;
    }
    p->context = c;
    zw_names_init(&p->inputs, c);
    p->nodes_max = ZW_EXPR_NODES_MAX;
    p->dag.nodes = 1;
    p->dag.node_room = 64;
    p->buckets = 64;
    p->dag.node = zw_alloc(c, (size_t)p->dag.node_room, sizeof *p->dag.node, "expression nodes");
    p->bucket = zw_alloc(c, (size_t)p->buckets, sizeof *p->bucket, "expression hash table");
    if (!p->dag.node || !p->bucket) {
        zw_pool_destroy(p);
        return ZW_E_MEMORY;
    }
    *out = p;
    return ZW_OK;
}

void zw_pool_destroy(zw_pool *p) {
    if (!p) {
        return;
    }
    zw_context *c = p->context;
    for (int i = 0; i < p->dag.inputs; i++) {
        zw_free(c, p->dag.input_name[i]);
    }
    zw_free(c, p->dag.input_name);
    zw_names_destroy(&p->inputs);
    zw_free(c, p->dag.knots);
    zw_free(c, p->dag.table);
    zw_free(c, p->dag.node);
    zw_free(c, p->bucket);
    zw_free(c, p);
}

/* room for `need` items; false when memory is out */
static bool grow(zw_context *c, void **items, int *room, int need, size_t size, const char *what) {
    if (need <= *room) {
        return true;
    }
    int new_room = *room < 8 ? 16 : *room + *room / 2;
    if (new_room < need) {
        new_room = need;
    }
    void *bigger = zw_resize(c, *items, (size_t)new_room, size, what);
    if (!bigger) {
        return false;
    }
    *items = bigger;
    *room = new_room;
    return true;
}

int zw_pool_input(zw_pool *p, const char *name) {
    zw_dag *d = &p->dag;
    int     known = zw_names_find(&p->inputs, name);
    if (known >= 0) {
        return known;
    }
    void *items = d->input_name;
    if (!grow(p->context, &items, &d->input_room, d->inputs + 1, sizeof *d->input_name, "expression inputs")) {
        return -1;
    }
    d->input_name = items;
    char *copy = zw_strdup(p->context, name);
    if (!copy || zw_names_add(&p->inputs, copy) < 0) {
        zw_free(p->context, copy);
        return -1;
    }
    d->input_name[d->inputs] = copy;
    return d->inputs++;
}

void zw_pool_set_brief(zw_pool *p, bool brief) {
    p->brief = brief;
}

int zw_pool_inputs(const zw_pool *p) {
    return p->dag.inputs;
}

const char *zw_pool_input_name(const zw_pool *p, int slot) {
    return slot >= 0 && slot < p->dag.inputs ? p->dag.input_name[slot] : NULL;
}

int zw_pool_table(zw_pool *p, const double *knots, int points) {
    zw_dag *d = &p->dag;
    size_t  size = 2 * (size_t)points * sizeof *knots;
    for (int i = 0; i < d->tables; i++) {
        if (d->table[i].points == points && memcmp(d->knots + d->table[i].first, knots, size) == 0) {
            return i;
        }
    }
    if (d->knot_count > INT32_MAX / 2 - 2 * points) {
        zw_raise(p->context, ZW_E_LIMIT, "table", "use fewer or smaller tables", "the tables of this model hold more than %d numbers",
                 INT32_MAX / 2);
        return -1;
    }
    void *items = d->table;
    if (!grow(p->context, &items, &d->table_room, d->tables + 1, sizeof *d->table, "expression tables")) {
        return -1;
    }
    d->table = items;
    items = d->knots;
    if (!grow(p->context, &items, &d->knot_room, d->knot_count + 2 * points, sizeof *d->knots, "expression tables")) {
        return -1;
    }
    d->knots = items;
    memcpy(d->knots + d->knot_count, knots, size);
    d->table[d->tables] = (zw_expr_table){.first = d->knot_count, .points = points};
    d->knot_count += 2 * points;
    return d->tables++;
}

/* ---- nodes */

static uint64_t node_hash(int op, zw_node a, zw_node b, zw_node c, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t h = (uint64_t)op * 0x9e3779b97f4a7c15u + bits;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u + (uint32_t)a;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu + (uint32_t)b;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u + (uint32_t)c;
    return h ^ (h >> 31);
}

static bool rehash(zw_pool *p) {
    int      buckets = p->buckets * 2;
    zw_node *bucket = zw_alloc(p->context, (size_t)buckets, sizeof *bucket, "expression hash table");
    if (!bucket) {
        return false;
    }
    for (int i = 1; i < p->dag.nodes; i++) {
        zw_expr_node *n = &p->dag.node[i];
        uint64_t      h = node_hash(n->op, n->a, n->b, n->c, n->value) & (uint64_t)(buckets - 1);
        n->next = bucket[h];
        bucket[h] = i;
    }
    zw_free(p->context, p->bucket);
    p->bucket = bucket;
    p->buckets = buckets;
    return true;
}

zw_node zw_node_intern(zw_pool *p, int op, zw_node a, zw_node b, zw_node c, double value) {
    zw_dag  *d = &p->dag;
    uint64_t h = node_hash(op, a, b, c, value);
    for (zw_node i = p->bucket[h & (uint64_t)(p->buckets - 1)]; i; i = d->node[i].next) {
        const zw_expr_node *n = &d->node[i];
        if (n->op == op && n->a == a && n->b == b && n->c == c && memcmp(&n->value, &value, sizeof value) == 0) {
            return i;
        }
    }
    if (d->nodes > p->nodes_max) {
        p->full = true;
        if (!p->quiet) {
            zw_raise(p->context, ZW_E_LIMIT, "expressions", "simplify the longest expressions, or split the model",
                     "the expressions of this model need more than %d nodes", p->nodes_max);
        }
        return 0;
    }
    void *items = d->node;
    if ((d->nodes >= p->buckets && !rehash(p)) ||
        !grow(p->context, &items, &d->node_room, d->nodes + 1, sizeof *d->node, "expression nodes")) {
        return 0;
    }
    d->node = items;
    zw_expr_node n = {.op = (uint8_t)op, .total = op_totals[op], .a = a, .b = b, .c = c, .value = value};
    if (op == ZW_OP_INPUT) {
        n.mask = zw_slot_bit(a);
    } else if (op == ZW_OP_POWI) {
        n.total = b >= 0;
    }
    const zw_node operand[3] = {a, b, c};
    for (int k = 0; k < zw_op_arity(op); k++) {
        n.mask |= d->node[operand[k]].mask;
        n.total &= d->node[operand[k]].total;
    }
    h &= (uint64_t)(p->buckets - 1);
    n.next = p->bucket[h];
    p->bucket[h] = d->nodes;
    d->node[d->nodes] = n;
    return d->nodes++;
}

zw_node zw_node_constant(zw_pool *p, double value) {
    if (isfinite(value)) {
        return zw_node_intern(p, ZW_OP_CONSTANT, 0, 0, 0, value);
    }
    /* infinity and nan are kept as the division that makes them: that prints, parses and explains itself */
    zw_node over = zw_node_intern(p, ZW_OP_CONSTANT, 0, 0, 0, value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0);
    zw_node under = zw_node_intern(p, ZW_OP_CONSTANT, 0, 0, 0, 0.0);
    return over && under ? zw_node_intern(p, ZW_OP_DIV, over, under, 0, 0.0) : 0;
}

zw_node zw_node_input(zw_pool *p, int slot) {
    return slot < 0 || slot >= p->dag.inputs ? 0 : zw_node_intern(p, ZW_OP_INPUT, slot, 0, 0, 0.0);
}

bool zw_node_is_constant(const zw_pool *p, zw_node n, double *value) {
    if (n <= 0 || p->dag.node[n].op != ZW_OP_CONSTANT) {
        return false;
    }
    if (value) {
        *value = p->dag.node[n].value;
    }
    return true;
}

bool zw_node_depends(const zw_pool *p, zw_node n, int slot) {
    if (n <= 0 || slot < 0 || slot >= p->dag.inputs || !(p->dag.node[n].mask & zw_slot_bit(slot))) {
        return false;
    }
    if (slot < ZW_SLOTS_ALONE || p->dag.inputs <= 64) {
        return true; /* the bit is its own */
    }
    uint8_t *keep = zw_alloc(p->context, (size_t)n + 1, 1, "expression marks");
    if (!keep) {
        return true; /* raised; "it may depend" is the safe answer */
    }
    keep[n] = 1;
    zw_dag_reach(&p->dag, n, keep);
    bool found = false;
    for (int i = 1; i <= n && !found; i++) {
        found = keep[i] && p->dag.node[i].op == ZW_OP_INPUT && p->dag.node[i].a == slot;
    }
    zw_free(p->context, keep);
    return found;
}

/* SPDX-License-Identifier: Apache-2.0
 * sheet.c: many nodes printed together, with names for what they share.
 *
 * uses    how often a node is written, walking down from the roots (operands have smaller indices, so one pass downwards counts all);
 *         a sign passes its uses on to what it stands before
 * size    symbols of its text once the shared parts below it are names; small things are repeated rather than named, which keeps
 *         the text of all nodes within a constant factor of their number
 * depth   brackets inside each other; a name cuts it, so that parsers and compilers never see deep nests */
#include "expr/sheet.h"

#include <string.h>

enum {
    SMALL = 4,       /* symbols of a text that is always repeated                     */
    WORTH = 8,       /* symbols that a name has to save                               */
    DEPTH_TEXT = 60, /* far below ZW_EXPR_DEPTH_MAX                                   */
    DEPTH_C = 40,    /* far below the 256 brackets of clang and the 63 of the standard */
    DEPTH_LATEX = 8, /* beyond it nobody finds the bracket that belongs to a bracket  */
    LONG_LATEX = 45  /* symbols of a sum in brackets that is taken out of a line      */
};

const char *zw_sheet_input(const zw_sheet *s, int slot) {
    const char *name = s->naming.name ? s->naming.name(s->naming.user, slot) : NULL;
    return name ? name : s->pool->dag.input_name[slot];
}

bool zw_sheet_name(const zw_sheet *s, zw_node n, zw_text *out) {
    const zw_expr_node *e = &s->pool->dag.node[n];
    if (e->op == ZW_OP_INPUT) {
        if (s->as == ZW_AS_LATEX) {
            zw_latex_name(zw_sheet_input(s, e->a), out);
        } else {
            zw_text_add(out, zw_sheet_input(s, e->a));
        }
        return true;
    }
    if (!s->number[n]) {
        return false;
    }
    zw_text_addf(out, s->as == ZW_AS_LATEX ? "%s_{%d}" : "%s%d", s->prefix, s->number[n]);
    return true;
}

/* is some input of the roots named prefix and digits? */
static bool prefix_taken(const zw_sheet *s, const uint8_t *keep, const char *prefix) {
    size_t n = strlen(prefix);
    for (int i = 1; i <= s->last; i++) {
        const zw_expr_node *e = &s->pool->dag.node[i];
        if (!keep[i] || e->op != ZW_OP_INPUT) {
            continue;
        }
        const char *name = zw_sheet_input(s, e->a);
        if (s->as == ZW_AS_LATEX && strcmp(name, prefix) == 0) { /* a beside a_1 misleads */
            return true;
        }
        if (strncmp(name, prefix, n) == 0 && name[n] && strspn(name + n, "_0123456789{}") == strlen(name + n)) {
            return true;
        }
    }
    return false;
}

static void choose_prefix(zw_sheet *s, const uint8_t *keep) {
    static const char *const prefixes[] = {"a", "b", "c", "k", "w", "z", "aa", "bb", "cc"};
    enum { COUNT = sizeof prefixes / sizeof prefixes[0] };
    int i = 0;
    while (i < COUNT - 1 && prefix_taken(s, keep, prefixes[i])) {
        i++;
    }
    strcpy(s->prefix, prefixes[i]);
}

static bool is_sum(int op) {
    return op == ZW_OP_ADD || op == ZW_OP_SUB;
}

static bool is_product(int op) {
    return op == ZW_OP_MUL || op == ZW_OP_DIV;
}

typedef struct measure {
    int  *uses, *size, *depth;
    bool *inside; /* a sum that stands in a product, a power or a function */
} measure;

static void count_uses(const zw_sheet *s, const uint8_t *keep, measure *m) {
    for (int i = s->last; i > 0; i--) {
        const zw_expr_node *e = &s->pool->dag.node[i];
        const zw_node       operand[3] = {e->a, e->b, e->c};
        if (!keep[i]) {
            continue;
        }
        for (int k = 0; k < zw_op_arity(e->op); k++) {
            m->uses[operand[k]] += e->op == ZW_OP_NEG ? m->uses[i] : 1;
            m->inside[operand[k]] |= !is_sum(e->op) && (e->op != ZW_OP_NEG || m->inside[i]);
        }
    }
}

static int most(int a, int b) {
    return a > b ? a : b;
}

static bool wants_name(const zw_sheet *s, const measure *m, int i) {
    const zw_expr_node *e = &s->pool->dag.node[i];
    if (e->op == ZW_OP_CONSTANT || e->op == ZW_OP_INPUT || e->op == ZW_OP_NEG) {
        return false;
    }
    switch (s->as) {
    case ZW_AS_C: return m->uses[i] > 1 || m->depth[i] > DEPTH_C;
    case ZW_AS_LATEX:
        if (m->depth[i] > DEPTH_LATEX || (is_sum(e->op) && m->inside[i] && m->size[i] > LONG_LATEX)) {
            return true;
        }
        break;
    case ZW_AS_TEXT:
        if (m->depth[i] > DEPTH_TEXT) {
            return true;
        }
        break;
    }
    return m->uses[i] > 1 && m->size[i] > SMALL && (m->uses[i] - 1) * (m->size[i] - 1) >= WORTH;
}

/* in the order of evaluation: what is named below a node makes it shorter */
static void choose_shared(zw_sheet *s, const uint8_t *keep, measure *m) {
    for (int i = 1; i <= s->last; i++) {
        const zw_expr_node *e = &s->pool->dag.node[i];
        const zw_node       operand[3] = {e->a, e->b, e->c};
        if (!keep[i]) {
            continue;
        }
        m->size[i] = 1;
        for (int k = 0; k < zw_op_arity(e->op); k++) {
            int  below = s->pool->dag.node[operand[k]].op;
            bool chain = k == 0 && ((is_sum(e->op) && is_sum(below)) || (is_product(e->op) && is_product(below)));
            bool open = chain || zw_op_arity(below) == 0 || s->number[operand[k]];
            m->size[i] += s->number[operand[k]] ? 1 : m->size[operand[k]];
            m->depth[i] = most(m->depth[i], (s->number[operand[k]] ? 0 : m->depth[operand[k]]) + !open);
        }
        if (e->op == ZW_OP_TABLE || e->op == ZW_OP_SLOPE) {
            m->size[i] += 2 * s->pool->dag.table[e->b].points;
        }
        if (m->size[i] > 1000000) {
            m->size[i] = 1000000;
        }
        if (m->uses[i] > 1000000) {
            m->uses[i] = 1000000;
        }
        if (wants_name(s, m, i)) {
            s->shared[s->nshared++] = i;
            s->number[i] = s->nshared;
        }
    }
}

static zw_status fill(zw_sheet *s) {
    zw_context *c = s->context;
    size_t      n = (size_t)s->last + 1;
    uint8_t    *keep = zw_alloc(c, n, 1, "marks of a sheet");
    measure     m = {.uses = zw_alloc(c, n, sizeof(int), "uses of a sheet"),
                     .size = zw_alloc(c, n, sizeof(int), "sizes of a sheet"),
                     .depth = zw_alloc(c, n, sizeof(int), "depths of a sheet"),
                     .inside = zw_alloc(c, n, sizeof(bool), "places of a sheet")};
    s->number = zw_alloc(c, n, sizeof *s->number, "names of a sheet");
    s->shared = zw_alloc(c, n, sizeof *s->shared, "names of a sheet");
    bool ok = keep && m.uses && m.size && m.depth && m.inside && s->number && s->shared;
    if (ok) {
        for (int i = 0; i < s->nroots; i++) {
            keep[s->root[i]] = 1;
            m.uses[s->root[i]] = 1;
        }
        zw_dag_reach(&s->pool->dag, s->last, keep);
        count_uses(s, keep, &m);
        choose_prefix(s, keep);
        choose_shared(s, keep, &m);
    }
    zw_free(c, keep);
    zw_free(c, m.uses);
    zw_free(c, m.size);
    zw_free(c, m.depth);
    zw_free(c, m.inside);
    return ok ? ZW_OK : ZW_E_MEMORY;
}

zw_status zw_sheet_create(zw_context *c, const zw_pool *p, const zw_node *roots, int n, zw_notation as, const zw_naming *names,
                          zw_sheet **out) {
    zw_sheet *s = zw_alloc(c, 1, sizeof *s, "sheet");
    *out = NULL;
    if (!s) {
        return ZW_E_MEMORY;
    }
    *s = (zw_sheet){.context = c, .pool = p, .as = as, .nroots = n};
    if (names) {
        s->naming = *names;
    }
    s->root = zw_alloc(c, (size_t)n, sizeof *s->root, "roots of a sheet");
    zw_status status = s->root ? ZW_OK : ZW_E_MEMORY;
    for (int i = 0; i < n && status == ZW_OK; i++) {
        if (roots[i] < 1 || roots[i] >= p->dag.nodes) {
            status = zw_raise(c, ZW_E_ARG, "sheet", "give nodes of the pool", "root %d is node %d of %d", i, (int)roots[i], p->dag.nodes);
            break;
        }
        s->root[i] = roots[i];
        s->last = roots[i] > s->last ? roots[i] : s->last;
    }
    if (status == ZW_OK) {
        status = fill(s);
    }
    if (status != ZW_OK) {
        zw_sheet_destroy(s);
        return status;
    }
    *out = s;
    return ZW_OK;
}

void zw_sheet_destroy(zw_sheet *s) {
    if (s) {
        zw_free(s->context, s->root);
        zw_free(s->context, s->number);
        zw_free(s->context, s->shared);
        zw_free(s->context, s);
    }
}

int zw_sheet_shared(const zw_sheet *s) {
    return s->nshared;
}

static void define(const zw_sheet *s, zw_node n, zw_text *out) {
    switch (s->as) {
    case ZW_AS_TEXT: zw_sheet_text(s, n, out); break;
    case ZW_AS_LATEX: zw_sheet_latex(s, n, out); break;
    case ZW_AS_C: zw_sheet_c(s, n, out); break;
    }
}

void zw_sheet_shared_print(const zw_sheet *s, int i, zw_text *name, zw_text *definition) {
    if (name) {
        zw_sheet_name(s, s->shared[i], name);
    }
    if (definition) {
        define(s, s->shared[i], definition);
    }
}

void zw_sheet_print(const zw_sheet *s, int root, zw_text *out) {
    if (!zw_sheet_name(s, s->root[root], out)) {
        define(s, s->root[root], out);
    }
}

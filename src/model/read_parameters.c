/* SPDX-License-Identifier: Apache-2.0
 * read_parameters.c: named numbers in any order. A parameter whose text uses no other one is an input of the pool, so that it can be
 * varied later; one that uses others stands for its expression. They are parsed in the order of their use; a circle is reported with
 * its members. */
#include "base/number.h"
#include "expr/lex.h"
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NEW, OPEN, DONE };

typedef struct parameters {
    zw_reader *r;
    int        n;
    zw_yaml  **node;
    int       *state;
    int       *level; /* how deep it builds on others */
    int       *stack, depth;
    bool      *again; /* does not parse; reported at the end, when all names are known */
    bool       too_deep;
} parameters;

const char *zw_read_taken(const char *name) {
    static const char *const functions[] = {"sin",   "cos",   "tan",   "asin",  "acos",  "atan",  "atan2", "sinh", "cosh",  "tanh",
                                            "asinh", "acosh", "atanh", "exp",   "log",   "log10", "sqrt",  "cbrt", "abs",   "sign",
                                            "floor", "ceil",  "mod",   "pow",   "hypot", "erf",   "min",   "max",  "clamp", "step",
                                            "if",    "table", "dot",   "cross", "norm",  "unit",  "dt",    "and",  "or",    "not"};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(name, functions[i]) == 0) {
            return "a function";
        }
    }
    return strcmp(name, "t") == 0 ? "the time" : strcmp(name, "pi") == 0 ? "the number 3.14159.." : NULL;
}

static const char *taken_by(const char *name) {
    const char *taken = zw_read_taken(name);
    return taken                                                                        ? taken
           : strcmp(name, "s") == 0                                                     ? "the label along a rod"
           : strcmp(name, "x") == 0 || strcmp(name, "y") == 0 || strcmp(name, "z") == 0 ? "a coordinate in space"
                                                                                        : NULL;
}

/* the next parameter that the text of parameter i uses from byte *at on; -1 when there is no more */
static int next_use(const parameters *p, int i, int *at) {
    const char     *text = p->node[i]->text;
    int             n = (int)p->node[i]->n;
    bool            component = false;
    zw_expr_problem ignored;
    while (*at < n) {
        zw_token token = zw_lex(text, n, *at, &ignored);
        if (token.kind == ZW_TOKEN_END || token.kind == ZW_TOKEN_BAD) {
            break;
        }
        *at = token.at + token.length;
        if (token.kind == ZW_TOKEN_NAME && !component) {
            int used = zw_names_find_n(&p->r->parameter, text + token.at, (size_t)token.length);
            if (used >= 0) {
                return used;
            }
        }
        component = token.kind == ZW_TOKEN_DOT;
    }
    return -1;
}

static void report_circle(parameters *p, int again) {
    char   chain[300];
    size_t used = 0;
    int    first = 0;
    while (first < p->depth && p->stack[first] != again) {
        first++;
    }
    for (int i = first; i <= p->depth && used < sizeof chain; i++) {
        int k = i < p->depth ? p->stack[i] : again;
        used += (size_t)snprintf(chain + used, sizeof chain - used, "%s%.40s", i > first ? " -> " : "", p->node[k]->key->text);
    }
    zw_report(p->r, p->node[again], "give one of them a number", "the parameters use each other in a circle: %.250s", chain);
    for (int i = first; i < p->depth; i++) {
        p->node[p->stack[i]]->bad = true;
    }
}

static void finish(parameters *p, int i) {
    zw_reader  *r = p->r;
    zw_model   *m = r->model;
    zw_yaml    *node = p->node[i];
    const char *name = node->key->text;
    zw_quantity q = {0};
    int         at = 0, level = 0;
    bool        alone = true;
    for (int used = next_use(p, i, &at); used >= 0; used = next_use(p, i, &at)) {
        alone = false;
        level = p->level[used] + 1 > level ? p->level[used] + 1 : level;
    }
    p->level[i] = level;
    if (level > ZW_PARAMETER_DEPTH) {
        p->level[i] = 0; /* said once for a chain */
    }
    if (level > ZW_PARAMETER_DEPTH && !node->bad && !p->too_deep) {
        p->too_deep = true;
        zw_report(r, node, "shorten the chain", "parameters build on each other more than %d deep", ZW_PARAMETER_DEPTH);
    }
    m->parameter_name[i] = name;
    m->parameter_value[i] = NAN;
    m->parameter_slot[i] = -1;
    if (!node->bad) {
        zw_expr_problem problem;
        zw_value        value = {0};
        zw_pool_set_brief(m->pool, true); /* it is not said now */
        p->again[i] = zw_expr_parse(r->scope[ZW_OF_NOTHING], node->text, &value, &problem) == ZW_E_MODEL;
    }
    r->parameter_bad[i] = node->bad || p->again[i] || !zw_read_quantity(r, node, ZW_OF_NOTHING, &q);
    if (!r->parameter_bad[i]) {
        double value = 0.0;
        if (zw_read_constant(r, node, q, &value)) {
            m->parameter_value[i] = value;
        } else {
            r->parameter_bad[i] = true;
        }
    }
    if (r->issues->memory) {
        return;
    }
    if (alone || r->parameter_bad[i]) { /* a wrong one still has its name, so that its uses are not reported too */
        m->parameter_slot[i] = zw_pool_input(m->pool, name);
        if (m->parameter_slot[i] < 0 ||
            !zw_reader_memory(r, zw_values_set(&r->values, m->parameter_slot[i], m->parameter_value[i], !r->parameter_bad[i])) ||
            !zw_reader_memory(r, zw_scope_add_input(r->parameters, name))) {
            r->issues->memory = true;
        }
    } else {
        zw_reader_memory(r, zw_scope_add_value(r->parameters, name, (zw_value){1, {q.node}}));
    }
}

/* depth first with a stack of our own: the file decides how long the chains are */
static void resolve(parameters *p, int root, int *progress) {
    p->depth = 0;
    p->stack[p->depth++] = root;
    p->state[root] = OPEN;
    progress[root] = 0;
    while (p->depth > 0 && !p->r->issues->memory) {
        int i = p->stack[p->depth - 1];
        int used = next_use(p, i, &progress[i]);
        if (used < 0) {
            p->depth--;
            finish(p, i);
            p->state[i] = DONE;
        } else if (p->state[used] == OPEN) {
            report_circle(p, used);
        } else if (p->state[used] == NEW) {
            p->state[used] = OPEN;
            progress[used] = 0;
            p->stack[p->depth++] = used;
        }
    }
}

void zw_read_parameters(zw_reader *r) {
    zw_yaml   *map = zw_read_get(r->root, "parameters");
    zw_model  *m = r->model;
    parameters p = {.r = r};
    size_t     n = map && map->kind == ZW_YAML_MAP ? (size_t)map->count : 0;
    p.node = zw_arena_alloc(r->arena, n + 1, sizeof(zw_yaml *), "parameters");
    p.state = zw_arena_alloc(r->arena, n + 1, sizeof(int), "parameters");
    p.level = zw_arena_alloc(r->arena, n + 1, sizeof(int), "parameters");
    p.stack = zw_arena_alloc(r->arena, n + 1, sizeof(int), "parameters");
    p.again = zw_arena_alloc(r->arena, n + 1, sizeof(bool), "parameters");
    int *progress = zw_arena_alloc(r->arena, n + 1, sizeof(int), "parameters");
    m->parameter_name = zw_arena_alloc(r->arena, n + 1, sizeof(char *), "parameters");
    m->parameter_slot = zw_arena_alloc(r->arena, n + 1, sizeof(int), "parameters");
    m->parameter_value = zw_arena_alloc(r->arena, n + 1, sizeof(double), "parameters");
    r->parameter_bad = zw_arena_alloc(r->arena, n + 1, sizeof(bool), "parameters");
    if (!p.node || !p.state || !p.level || !p.stack || !p.again || !progress || !m->parameter_name || !m->parameter_slot ||
        !m->parameter_value || !r->parameter_bad) {
        r->issues->memory = true;
        return;
    }
    if (n > ZW_PARAMETERS_MAX) {
        zw_report_key(r, map, "describe the model by expressions", "there are %d parameters; at most %d are allowed", map->count,
                      ZW_PARAMETERS_MAX);
        n = 0;
    }
    for (zw_yaml *c = n ? map->first : NULL; c; c = c->next) {
        const char *taken = taken_by(c->key->text);
        if (!c->bad && taken) {
            zw_report_key(r, c, "choose another name", "'%s' cannot be a parameter: it is %s", c->key->text, taken);
            continue;
        }
        if (zw_expr_is_name(c->key->text)) {
            p.node[p.n] = c;
            m->parameter_name[p.n] = c->key->text;
            m->parameter_slot[p.n] = -1;
            m->parameter_value[p.n] = NAN;
            p.n++;
            if (zw_names_add(&r->parameter, c->key->text) < 0) {
                r->issues->memory = true;
                return;
            }
        }
    }
    m->nparameters = p.n;
    for (int i = 0; i < p.n && !r->issues->memory; i++) {
        if (p.state[i] == NEW) {
            resolve(&p, i, progress);
        }
    }
    for (int i = 0; i < p.n && !r->issues->memory; i++) {
        zw_quantity ignored;
        if (p.again[i]) {
            zw_read_quantity(r, p.node[i], ZW_OF_NOTHING, &ignored);
        }
    }
}

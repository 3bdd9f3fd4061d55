/* SPDX-License-Identifier: Apache-2.0
 * scope.c: which names an expression may use. Scopes nest; an inner name hides an outer one, and an inner hint closes an outer name.
 * The constants pi and e are there unless a scope or resolver gives these names another meaning. */
#include "expr/scope.h"

#include "expr/pool.h"

#include <stdio.h>
#include <string.h>

zw_status zw_scope_create(zw_pool *p, const zw_scope *parent, zw_scope **out) {
    *out = NULL;
    zw_scope *s = zw_alloc(p->context, 1, sizeof *s, "scope of names");
    if (!s) {
        return ZW_E_MEMORY;
    }
    s->pool = p;
    zw_names_init(&s->names, p->context);
    s->parent = parent;
    *out = s;
    return ZW_OK;
}

void zw_scope_destroy(zw_scope *s) {
    if (!s) {
        return;
    }
    zw_context *c = s->pool->context;
    for (int i = 0; i < s->symbols; i++) {
        zw_free(c, s->symbol[i].name);
        zw_free(c, s->symbol[i].why);
    }
    zw_names_destroy(&s->names);
    zw_free(c, s->symbol);
    zw_free(c, s->motion);
    zw_free(c, s);
}

static zw_symbol *find_here(const zw_scope *s, const char *name) {
    int i = zw_names_find(&s->names, name);
    return i >= 0 ? &s->symbol[i] : NULL;
}

const zw_symbol *zw_scope_find(const zw_scope *s, const char *name) {
    for (; s; s = s->parent) {
        const zw_symbol *symbol = find_here(s, name);
        if (symbol) {
            return symbol;
        }
    }
    return NULL;
}

/* a name, or names joined by dots ("tip.x") */
static bool is_dotted_name(const char *text) {
    char part[128];
    for (;;) {
        const char *dot = strchr(text, '.');
        size_t      n = dot ? (size_t)(dot - text) : strlen(text);
        if (n >= sizeof part) {
            return false;
        }
        memcpy(part, text, n);
        part[n] = '\0';
        if (!zw_expr_is_name(part)) {
            return false;
        }
        if (!dot) {
            return true;
        }
        text = dot + 1;
    }
}

static zw_status check_name(const zw_scope *s, const char *name) {
    if (is_dotted_name(name)) {
        return ZW_OK;
    }
    return zw_raise(s->pool->context, ZW_E_ARG, name,
                    "a name is a letter or _, then letters, digits and _, at most 127; and, or, not are taken", "'%s' cannot be a name",
                    name);
}

/* name and why are copied. A name that is there already gets the new meaning: a hint gives way to a value and the other way round */
static zw_status add(zw_scope *s, const char *name, const char *why, zw_value value, const zw_node director[3]) {
    zw_context *c = s->pool->context;
    ZW_TRY(check_name(s, name));
    zw_symbol *there = find_here(s, name);
    char      *reason = NULL;
    if (why) {
        reason = zw_strdup(c, why);
        if (!reason) {
            return ZW_E_MEMORY;
        }
    }
    if (!there) {
        if (s->symbols == s->room) {
            int        room = s->room ? s->room * 2 : 16;
            zw_symbol *bigger = zw_resize(c, s->symbol, (size_t)room, sizeof *bigger, "names of a scope");
            if (!bigger) {
                zw_free(c, reason);
                return ZW_E_MEMORY;
            }
            s->symbol = bigger;
            s->room = room;
        }
        char *copy = zw_strdup(c, name);
        if (!copy || zw_names_add(&s->names, copy) < 0) {
            zw_free(c, copy);
            zw_free(c, reason);
            return ZW_E_MEMORY;
        }
        there = &s->symbol[s->symbols++];
        *there = (zw_symbol){.name = copy};
    }
    zw_free(c, there->why);
    there->why = reason;
    there->value = value;
    for (int k = 0; k < 3; k++) {
        there->director[k] = director ? director[k] : 0;
    }
    return ZW_OK;
}

static zw_node input_node(zw_scope *s, const char *name) {
    int slot = zw_pool_input(s->pool, name);
    return slot < 0 ? 0 : zw_node_input(s->pool, slot);
}

zw_status zw_scope_add_input(zw_scope *s, const char *name) {
    ZW_TRY(check_name(s, name)); /* before the pool gets an input of that name */
    zw_value v = {.width = 1, .n = {input_node(s, name)}};
    return v.n[0] ? add(s, name, NULL, v, NULL) : zw_pool_failure(s->pool);
}

zw_status zw_scope_add_vector(zw_scope *s, const char *name, bool directors) {
    static const char *const axes[6] = {"x", "y", "z", "d1", "d2", "d3"};
    ZW_TRY(check_name(s, name));
    zw_context *c = s->pool->context;
    zw_value    v = {.width = 3};
    zw_node     director[3] = {0, 0, 0};
    size_t      room = strlen(name) + 4;
    char       *full = zw_alloc(c, room, 1, "name of a component");
    if (!full) {
        return ZW_E_MEMORY;
    }
    zw_status status = ZW_OK;
    for (int k = 0; k < (directors ? 6 : 3) && status == ZW_OK; k++) {
        snprintf(full, room, "%s.%s", name, axes[k]);
        zw_node n = input_node(s, full);
        if (!n) {
            status = zw_pool_failure(s->pool);
        } else if (k < 3) {
            v.n[k] = n;
        } else {
            director[k - 3] = n;
        }
    }
    zw_free(c, full);
    return status == ZW_OK ? add(s, name, NULL, v, director) : status;
}

zw_status zw_scope_add_value(zw_scope *s, const char *name, zw_value v) {
    if ((v.width != 1 && v.width != 3) || !v.n[0] || (v.width == 3 && (!v.n[1] || !v.n[2]))) {
        return zw_raise(s->pool->context, ZW_E_ARG, name, "give a value of width 1 or 3", "'%s' was given a value of width %d", name,
                        v.width);
    }
    return add(s, name, NULL, v, NULL);
}

zw_status zw_scope_add_hint(zw_scope *s, const char *name, const char *why) {
    return add(s, name, why ? why : "", (zw_value){.width = 0}, NULL);
}

void zw_scope_set_resolver(zw_scope *s, zw_scope_resolver f, void *user) {
    s->resolver = f;
    s->user = user;
}

zw_status zw_scope_lookup(const zw_scope *s, const char *name, zw_value *out, const zw_symbol **symbol, zw_expr_problem *problem) {
    *out = (zw_value){.width = 0};
    *symbol = zw_scope_find(s, name);
    if (*symbol && !(*symbol)->why) {
        *out = (*symbol)->value;
        return ZW_OK;
    }
    for (const zw_scope *r = s; r; r = r->parent) {
        if (r->resolver) {
            ZW_TRY(r->resolver(r->user, name, out, problem));
            if (out->width) {
                *symbol = NULL;
                return ZW_OK;
            }
        }
    }
    if (*symbol) {
        return ZW_OK;
    }
    double value = strcmp(name, "pi") == 0 ? 3.14159265358979323846 : strcmp(name, "e") == 0 ? 2.71828182845904523536 : 0.0;
    if (value != 0.0) {
        *out = (zw_value){.width = 1, .n = {zw_node_constant(s->pool, value)}};
    }
    return ZW_OK;
}

/* does a scope inside r, from s on, give the name another meaning? */
static bool hidden(const zw_scope *s, const zw_scope *r, const char *name) {
    for (; s != r; s = s->parent) {
        if (find_here(s, name)) {
            return true;
        }
    }
    return false;
}

zw_status zw_scope_names(const zw_scope *s, const char ***names, int *n) {
    int room = 2;
    for (const zw_scope *r = s; r; r = r->parent) {
        room += r->symbols;
    }
    *n = 0;
    *names = zw_alloc(s->pool->context, (size_t)room, sizeof **names, "names of a scope");
    if (!*names) {
        return ZW_E_MEMORY;
    }
    for (const zw_scope *r = s; r; r = r->parent) {
        for (int i = 0; i < r->symbols; i++) {
            if (!r->symbol[i].why && !hidden(s, r, r->symbol[i].name)) {
                (*names)[(*n)++] = r->symbol[i].name;
            }
        }
    }
    static const char *const constants[2] = {"pi", "e"};
    for (int k = 0; k < 2; k++) {
        if (!zw_scope_find(s, constants[k])) {
            (*names)[(*n)++] = constants[k];
        }
    }
    return ZW_OK;
}

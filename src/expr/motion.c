/* SPDX-License-Identifier: Apache-2.0
 * motion.c: dt(e), the total derivative by time, in the texts of a scope that says what moves:
 *
 *   dt(e) = sum over the moving inputs of (de/dx_i) rate_i, + de/dt
 *
 * by one forward pass over all components of e. Where the rate of an input is not known (velocities, while accelerations are what the
 * equations are to give), dt() of anything that contains it is an error at the place where the input is written. */
#include "expr/parse.h"

#include <string.h>

enum { SHOWN = 60 }; /* bytes of a name in a message */

zw_status zw_scope_set_motion(zw_scope *s, int n, const int *slots, const zw_node *rates, int slot_t, int nstill, const int *still) {
    zw_context *c = s->pool->context;
    int         inputs = zw_pool_inputs(s->pool), time = slot_t >= 0, all = n + time;
    for (int i = 0; i < n + nstill; i++) {
        int slot = i < n ? slots[i] : still[i - n];
        if (slot < 0 || slot >= inputs || (i < n && !rates[i])) {
            return zw_raise(c, ZW_E_ARG, "motion", "give slots and rates of this pool", "%s %d has slot %d of %d inputs%s",
                            i < n ? "moving input" : "input without rate", i < n ? i : i - n, slot, inputs,
                            i < n && !rates[i] ? ", and no rate" : "");
        }
    }
    zw_node one = time ? zw_node_constant(s->pool, 1.0) : 0;
    if (time && !one) {
        return zw_pool_failure(s->pool);
    }
    /* ints and nodes behind the head: their alignment is not stricter than its own */
    size_t     size = sizeof(zw_motion) + (size_t)(all + nstill) * sizeof(int) + (size_t)all * sizeof(zw_node);
    zw_motion *m = zw_alloc(c, 1, size, "motion of a scope");
    if (!m) {
        return ZW_E_MEMORY;
    }
    m->slot = (int *)(void *)(m + 1);
    m->still = m->slot + all;
    m->rate = (zw_node *)(m->still + nstill);
    m->slots = all;
    m->stills = nstill;
    for (int i = 0; i < all; i++) {
        m->slot[i] = i < n ? slots[i] : slot_t;
        m->rate[i] = i < n ? rates[i] : one;
    }
    for (int i = 0; i < nstill; i++) {
        m->still[i] = still[i];
    }
    zw_free(c, s->motion);
    s->motion = m;
    return ZW_OK;
}

const zw_motion *zw_scope_motion(const zw_scope *s) {
    for (; s; s = s->parent) {
        if (s->motion) {
            return s->motion->slots > 0 ? s->motion : NULL;
        }
    }
    return NULL;
}

static bool is_still(const zw_parser *p, const zw_motion *m, zw_node n) {
    for (int i = 0; n && p->pool->dag.node[n].op == ZW_OP_INPUT && i < m->stills; i++) {
        if (m->still[i] == p->pool->dag.node[n].a) {
            return true;
        }
    }
    return false;
}

/* is the symbol of that name, or its component c (-1: any), an input without rate? */
static bool names_still(const zw_parser *p, const zw_motion *m, zw_token t, int c) {
    char name[128];
    if (t.length >= (int)sizeof name) {
        return false;
    }
    memcpy(name, p->text + t.at, (size_t)t.length);
    name[t.length] = '\0';
    const zw_symbol *symbol = zw_scope_find(p->scope, name);
    bool             still = false;
    for (int k = 0; symbol && !symbol->why && k < symbol->value.width; k++) {
        still = still || ((c < 0 || c == k) && is_still(p, m, symbol->value.n[k]));
    }
    return still;
}

/* the first name of the argument's text that is an input without rate; length 0: it is inside of something with a name */
static zw_token find_still(const zw_parser *p, const zw_motion *m, const zw_argument *argument) {
    int             at = argument->at, end = argument->at + argument->length;
    zw_expr_problem unused;
    while (at < end) {
        zw_token t = zw_lex(p->text, p->n, at, &unused);
        if (t.kind == ZW_TOKEN_END || t.kind == ZW_TOKEN_BAD) {
            break;
        }
        at = t.at + t.length;
        if (t.kind != ZW_TOKEN_NAME) {
            continue;
        }
        zw_token dot = zw_lex(p->text, p->n, at, &unused), part = {.kind = ZW_TOKEN_END};
        if (dot.kind == ZW_TOKEN_DOT) {
            part = zw_lex(p->text, p->n, dot.at + dot.length, &unused);
        }
        if (part.kind != ZW_TOKEN_NAME) {
            if (names_still(p, m, t, -1)) {
                return t;
            }
            continue;
        }
        char     letter = p->text[part.at];
        zw_token whole = {.kind = ZW_TOKEN_NAME, .at = t.at, .length = part.at + part.length - t.at};
        bool     axis = part.length == 1 && letter >= 'x' && letter <= 'z';
        if (names_still(p, m, whole, -1) || (axis && names_still(p, m, t, letter - 'x'))) { /* a name with a dot, or a component */
            return whole;
        }
        at = part.at + part.length;
    }
    return (zw_token){.kind = ZW_TOKEN_NAME, .at = argument->at, .length = 0};
}

static zw_status complain_still(zw_parser *p, zw_token at, const char *name, int length) {
    return zw_complain(p, at, "write dt() of positions only; accelerations are what the equations of motion give",
                       "dt() of '%.*s' needs an acceleration, which is not known here", length < SHOWN ? length : SHOWN, name);
}

zw_status zw_motion_apply(zw_parser *p, zw_token name, const zw_argument *argument, zw_value *out) {
    const zw_motion *m = zw_scope_motion(p->scope);
    if (!m) {
        return zw_complain(p, name, "dt(e) is for a system with coordinates; elsewhere write the derivative itself",
                           "dt() cannot be used here: nothing is known to move");
    }
    zw_value v = argument->value;
    for (int i = 0; i < m->stills; i++) {
        for (int k = 0; k < v.width; k++) {
            if (zw_node_depends(p->pool, v.n[k], m->still[i])) {
                zw_token at = find_still(p, m, argument);
                if (at.length > 0) {
                    return complain_still(p, at, p->text + at.at, at.length);
                }
                const char *inner = zw_pool_input_name(p->pool, m->still[i]);
                at.length = argument->length;
                return complain_still(p, at, inner, (int)strlen(inner));
            }
        }
    }
    zw_node rate[3];
    if (zw_node_push(p->pool, v.width, v.n, m->slots, m->slot, m->rate, rate) != ZW_OK) {
        return zw_parser_take(p, name, 0, out);
    }
    if (v.width == 1) {
        return zw_parser_take(p, name, rate[0], out);
    }
    return zw_parser_take3(p, name, rate, out);
}

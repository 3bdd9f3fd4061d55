/* SPDX-License-Identifier: Apache-2.0
 * state.c: arrays of a state. */
#include "base/context.h"
#include "zwang/system.h"

#include <string.h>

zw_status zw_state_create(zw_context *c, const zw_size *n, zw_state *x) {
    *x = (zw_state){0};
    x->q = zw_alloc(c, (size_t)n->nq, sizeof(double), "a state");
    x->v = zw_alloc(c, (size_t)n->nv, sizeof(double), "a state");
    x->s = zw_alloc(c, (size_t)n->ns, sizeof(double), "a state");
    x->w = zw_alloc(c, (size_t)n->nw, sizeof(double), "a state");
    if (x->q == NULL || x->v == NULL || x->s == NULL || x->w == NULL) {
        zw_state_destroy(c, x);
        return ZW_E_MEMORY;
    }
    return ZW_OK;
}

void zw_state_destroy(zw_context *c, zw_state *x) {
    zw_free(c, x->q);
    zw_free(c, x->v);
    zw_free(c, x->s);
    zw_free(c, x->w);
    *x = (zw_state){0};
}

void zw_state_copy(const zw_size *n, const zw_state *from, zw_state *to) {
    to->t = from->t;
    memcpy(to->q, from->q, sizeof(double) * (size_t)n->nq);
    memcpy(to->v, from->v, sizeof(double) * (size_t)n->nv);
    memcpy(to->s, from->s, sizeof(double) * (size_t)n->ns);
    memcpy(to->w, from->w, sizeof(double) * (size_t)n->nw);
}

/* SPDX-License-Identifier: Apache-2.0
 * grow.c: growth of all parts of a system. See zwang/grow.h. */
#include "system/system.h"

#include <math.h>

static zw_state slice(const zw_part *p, const zw_state *x) {
    return (zw_state){.t = x->t, .q = x->q + p->q0, .v = x->v + p->v0, .s = x->s + p->s0};
}

static bool grows(const zw_part *p) {
    return p->ops->grow != NULL && p->ops->size(p->self).ns > 0;
}

bool zw_system_grows(const zw_system *y) {
    for (int i = 0; i < y->nparts; i++) {
        if (grows(&y->part[i])) {
            return true;
        }
    }
    return zw_system_foundations_relax(y);
}

size_t zw_system_grow_memory(const zw_system *y) {
    size_t n = 0;
    for (int i = 0; i < y->nparts; i++) {
        n += grows(&y->part[i]) ? y->part[i].ops->grow->memory(y->part[i].self) : 0;
    }
    return n;
}

zw_status zw_system_grow_start(zw_system *y, zw_state *x, double *w) {
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        if (grows(p)) {
            zw_state at = slice(p, x);
            ZW_TRY(p->ops->grow->start(p->self, &at, w));
            w += p->ops->grow->memory(p->self);
        }
    }
    return ZW_OK;
}

zw_status zw_system_grow_predict(zw_system *y, const zw_state *x0, const double *w, double h, bool follows, zw_state *x1) {
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        if (grows(p)) {
            zw_state from = slice(p, x0), to = slice(p, x1);
            ZW_TRY(p->ops->grow->predict(p->self, &from, w, h, follows, &to));
            w += p->ops->grow->memory(p->self);
        }
    }
    zw_system_foundation_relax(y, x0, h, x0->q, x1);
    return ZW_OK;
}

zw_status zw_system_grow_correct(zw_system *y, const zw_state *x0, const double *w, double h, bool follows, zw_state *x1) {
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        if (grows(p)) {
            zw_state from = slice(p, x0), to = slice(p, x1);
            ZW_TRY(p->ops->grow->correct(p->self, &from, w, h, follows, &to));
            w += p->ops->grow->memory(p->self);
        }
    }
    zw_system_foundation_relax(y, x0, h, x1->q, x1);
    return ZW_OK;
}

zw_status zw_system_grow_pace(zw_system *y, const zw_state *x, const double *w, double *power) {
    *power = 0.0;
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        if (grows(p)) {
            zw_state at = slice(p, x);
            ZW_TRY(p->ops->grow->pace(p->self, &at, w, power));
            w = w != NULL ? w + p->ops->grow->memory(p->self) : NULL;
        }
    }
    return ZW_OK;
}

zw_status zw_system_grow_push(zw_system *y, const zw_state *x, double *w) {
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        if (grows(p)) {
            zw_state at = slice(p, x);
            ZW_TRY(p->ops->grow->push(p->self, &at, w));
            w += p->ops->grow->memory(p->self);
        }
    }
    return ZW_OK;
}

bool zw_system_grow_touched(const zw_system *y) {
    for (int i = 0; i < y->nparts; i++) {
        if (grows(&y->part[i]) && y->part[i].ops->grow->touched(y->part[i].self)) {
            return true;
        }
    }
    return false;
}

void zw_system_grow_contact(zw_system *y, const double *f) {
    for (int i = 0; i < y->nparts; i++) {
        if (grows(&y->part[i])) {
            y->part[i].ops->grow->contact(y->part[i].self, f + y->part[i].v0);
        }
    }
}

double zw_system_grow_longest(const zw_system *y, const zw_state *x) {
    double most = 0.0;
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        if (grows(p)) {
            zw_state at = slice(p, x);
            most = fmax(most, p->ops->grow->longest(p->self, &at));
        }
    }
    return most;
}

/* SPDX-License-Identifier: Apache-2.0
 * implicit_equilibrium.c: the forces that are left at rest, and how they change with the place: the same parts, rows and springs as in a step, with both ends of the step the same.
 *
 * Loads: what they do on the blocks they act on is differentiated numerically, block by block; dead forces at nodes and centres have nothing to differentiate. */
#include "steps/implicit_contact.h"

#include <math.h>
#include <string.h>

/* loads at a state, in columns of small turns and ways: k->fu */
static zw_status loads_at(zw_implicit *k, const zw_state *x) {
    zw_system *y = k->y;
    memset(k->f, 0, sizeof(double) * (size_t)k->n.nv);
    memset(k->fu, 0, sizeof(double) * (size_t)k->n.nv);
    ZW_TRY(zw_system_load(y, x, x->t, k->f));
    for (int i = 0; i < y->nparts; i++) {
        const zw_part *p = &y->part[i];
        if (p->ops->secant != NULL) {
            zw_state part = zw_implicit_slice(k, i, x);
            p->ops->secant->to_mean(p->self, &part, k->f + p->v0, k->fu + p->v0);
        } else {
            memcpy(k->fu + p->v0, k->f + p->v0, sizeof(double) * (size_t)p->ops->size(p->self).nv);
        }
    }
    return ZW_OK;
}

/* a block of x moved by d in one of its columns */
static void move_block(zw_implicit *k, int block, int column, double d, const zw_state *x, zw_state *to) {
    const zw_implicit_block *b = &k->block[block];
    const zw_part           *p = &k->y->part[b->part];
    zw_state                 from = zw_implicit_slice(k, b->part, x), into = zw_implicit_slice(k, b->part, to);
    memset(k->flat, 0, sizeof(double) * (size_t)k->n.nv);
    k->flat[b->col0 + column] = d;
    if (p->ops->secant != NULL) {
        p->ops->secant->move(p->self, &from, k->flat + p->v0, 1.0, b->index, NULL, &into);
    } else {
        into.q[b->col0 - p->v0 + column] = from.q[b->col0 - p->v0 + column] + d;
    }
}

/* which loads have a derivative at all: they follow, depend on the place, or act beside a node */
static bool is_dead(const zw_implicit *k, const zw_load *l) {
    for (int i = 0; i < l->nstations; i++) {
        const zw_part *p = &k->y->part[l->place[i].part];
        zw_lever       lever;
        bool           node = l->place[i].track == 0 && p->ops->secant != NULL && p->ops->secant->lever(p->self, &l->place[i], &lever);
        if (!node || (!l->moment && (lever.arm[0] != 0.0 || lever.arm[1] != 0.0 || lever.arm[2] != 0.0))) {
            return false;
        }
    }
    return !l->directors && !l->field.of_space;
}

/* blocks that a load with a derivative acts on: mark of their first column; false: there is none */
static bool mark_loaded(zw_implicit *k, const zw_state *x, double *mark) {
    zw_system *y = k->y;
    bool       any = false;
    memset(mark, 0, sizeof(double) * (size_t)k->n.nv);
    for (int i = 0; i < y->nloads; i++) {
        const zw_load *l = &y->load[i];
        for (int n = 0; n < l->nstations && !is_dead(k, l); n++) {
            zw_frame F;
            zw_jet   J;
            zw_system_frame(y, x, &l->place[n], &F, &J);
            for (int b = 0; b < J.nblocks; b++) {
                int first = zw_implicit_block_of(k, J.col[b]), last = zw_implicit_block_of(k, J.col[b] + J.ncol[b] - 1);
                for (int block = first; block <= last; block++) {
                    mark[k->block[block].col0] = 1.0;
                    any = true;
                }
            }
        }
    }
    return any;
}

/* by differences of sixth order: stability is read from this derivative */
static zw_status load_derivative(zw_implicit *k, const zw_state *x) {
    static const double weight[3] = {0.75, -0.15, 1.0 / 60.0};
    const double        step = 2e-5;
    double             *minus = k->flat + k->n.nv, *mark = minus + k->n.nv;
    if (!mark_loaded(k, x, mark)) {
        return ZW_OK;
    }
    zw_state_copy(&k->n, x, &k->near);
    for (int b = 0; b < k->nblocks; b++) {
        const zw_implicit_block *block = &k->block[b];
        for (int c = 0; block->ncol > 0 && mark[block->col0] != 0.0 && c < block->ncol; c++) {
            for (int wide = 1; wide <= 3; wide++) {
                move_block(k, b, c, -wide * step, x, &k->near);
                ZW_TRY(loads_at(k, &k->near));
                memcpy(minus, k->fu, sizeof(double) * (size_t)k->n.nv);
                move_block(k, b, c, wide * step, x, &k->near);
                ZW_TRY(loads_at(k, &k->near));
                for (int other = 0; other < k->nblocks; other++) { /* only what the pattern holds; others do not feel it */
                    const zw_implicit_block *o = &k->block[other];
                    for (int r = 0; o->ncol > 0 && mark[o->col0] != 0.0 && r < o->ncol; r++) {
                        double slope = -weight[wide - 1] * (k->fu[o->col0 + r] - minus[o->col0 + r]) / step;
                        if (slope != 0.0) {
                            zw_implicit_add(k, other, b, r, c, 1, 1, &slope);
                        }
                    }
                }
            }
            move_block(k, b, c, 0.0, x, &k->near);
        }
    }
    return ZW_OK;
}

/* with what a moving frame inside its kinetic energy adds: c at v = 0 */
static zw_status force_at_rest(const zw_part *p, const zw_state *x, double *f) {
    ZW_TRY(p->ops->force(p->self, x, f));
    if (p->ops->bias != NULL) {
        p->ops->bias(p->self, x, f);
    }
    return ZW_OK;
}

/* a part without turning nodes: minus its force at rest */
static zw_status flat_part(zw_implicit *k, int part, const zw_state *x, bool derivative) {
    const zw_part *p = &k->y->part[part];
    int            n = p->ops->size(p->self).nv, block = k->part_block[part];
    zw_state       at = zw_implicit_slice(k, part, &k->near), from = zw_implicit_slice(k, part, x);
    double        *f = k->ru + p->v0, *plus = k->flat, *minus = plus + n;
    at.t = x->t;
    memcpy(at.q, from.q, sizeof(double) * (size_t)n);
    memset(at.v, 0, sizeof(double) * (size_t)n);
    for (int j = 0; derivative && j < n; j++) { /* differences of sixth order: stability is read from this derivative */
        static const double weight[3] = {0.75, -0.15, 1.0 / 60.0};
        double              kept = at.q[j], step = 2e-4 * (1.0 + fabs(kept));
        for (int wide = 1; wide <= 3; wide++) {
            at.q[j] = kept + wide * step;
            ZW_TRY(force_at_rest(p, &at, plus));
            at.q[j] = kept - wide * step;
            ZW_TRY(force_at_rest(p, &at, minus));
            for (int i = 0; i < n; i++) {
                double slope = -weight[wide - 1] * (plus[i] - minus[i]) / step;
                zw_implicit_add(k, block, block, i, j, 1, 1, &slope);
            }
        }
        at.q[j] = kept;
    }
    ZW_TRY(force_at_rest(p, &at, f));
    for (int i = 0; i < n; i++) {
        f[i] = -f[i];
    }
    return ZW_OK;
}

/* rows between places: how their direction changes with the state, by differences of sixth order. The prestress of a pendulum on a rod is nothing else */
static zw_status turning_rows(zw_implicit *k, const zw_tie *t, const zw_state *x) {
    static const double weight[3] = {0.75, -0.15, 1.0 / 60.0};
    const double       *force = k->impulse + t->row0;
    if (t->along) {
        return zw_implicit_along_turns(k, t, x, 1.0, NULL);
    }
    zw_state_copy(&k->n, x, &k->near);
    for (int b = 0; b < t->ntouched; b++) {
        int block = t->touched[b];
        for (int c = 0; c < k->block[block].ncol; c++) {
            for (int wide = 1; wide <= 3; wide++) {
                const double step = 2e-5, *plus = t->mean, *minus = t->end;
                move_block(k, block, c, wide * step, x, &k->near);
                ZW_TRY(zw_implicit_rows_at(k, t, &k->near, t->mean));
                move_block(k, block, c, -wide * step, x, &k->near);
                ZW_TRY(zw_implicit_rows_at(k, t, &k->near, t->end));
                for (int o = 0; o < t->ntouched; o++) {
                    int ncol = k->block[t->touched[o]].ncol;
                    for (int r = 0; r < ncol; r++) {
                        double slope = 0.0;
                        for (int i = 0; i < t->m; i++) {
                            slope -= force[i] * weight[wide - 1] * (plus[i * ncol + r] - minus[i * ncol + r]) / step;
                        }
                        zw_implicit_add(k, t->touched[o], block, r, c, 1, 1, &slope);
                    }
                    plus += (ptrdiff_t)t->m * ncol;
                    minus += (ptrdiff_t)t->m * ncol;
                }
            }
            move_block(k, block, c, 0.0, x, &k->near);
        }
    }
    return ZW_OK;
}

zw_status zw_implicit_equilibrium(zw_implicit *k, const zw_state *x, bool derivative) {
    zw_system    *y = k->y;
    zw_secant_sum sum = {0};
    double        share = k->share;
    zw_status     status = ZW_OK;
    if (derivative) {
        zw_blocklu_zero(&k->lu);
    }
    memset(k->u, 0, sizeof(double) * (size_t)k->n.nv);
    memset(k->size, 0, sizeof(double) * (size_t)k->n.nv);
    k->share = 2.0;
    for (int i = 0; i < y->nparts; i++) {
        const zw_part   *p = &y->part[i];
        zw_state         part = zw_implicit_slice(k, i, x);
        zw_implicit_into into = {.k = k, .part = i};
        zw_secant_sink   K = zw_implicit_sink(&into);
        if (p->ops->secant == NULL) {
            ZW_TRY_GOTO(flat_part(k, i, x, derivative), done);
        } else {
            p->ops->secant->equilibrium(p->self, &part, k->ru + p->v0, derivative ? &K : NULL);
            if (k->spin.spins && p->ops->secant->inertia != NULL) {
                double *f = k->fu + p->v0;
                int     nv = p->ops->size(p->self).nv;
                memset(f, 0, sizeof(double) * (size_t)nv);
                p->ops->secant->inertia(p->self, &part, &k->spin, f, derivative ? &K : NULL, NULL, NULL);
                for (int n = 0; n < nv; n++) {
                    k->ru[p->v0 + n] += f[n];
                    k->size[p->v0 + n] += fabs(f[n]);
                }
            }
        }
    }
    if (zw_system_loaded(y)) {
        if (derivative) {
            ZW_TRY_GOTO(load_derivative(k, x), done);
        }
        ZW_TRY_GOTO(loads_at(k, x), done);
        for (int i = 0; i < k->n.nv; i++) {
            k->ru[i] -= k->fu[i];
            k->size[i] += fabs(k->fu[i]);
        }
    }
    zw_state_copy(&k->n, x, &k->xm);
    memset(k->xm.v, 0, sizeof(double) * (size_t)k->n.nv);
    ZW_TRY_GOTO(zw_implicit_rows_begin(k, &k->xm), done);
    ZW_TRY_GOTO(zw_implicit_springs(k, &k->xm, 1.0, &k->xm, derivative, &sum), done);
    ZW_TRY_GOTO(zw_implicit_rows(k, &k->xm, 1.0, &k->xm, derivative, &sum), done);
    if (k->contacts != NULL && k->contacts->n > 0) {
        ZW_TRY_GOTO(zw_implicit_contacts_add(k, &k->xm, 1.0, &k->xm, derivative, &sum), done);
        if (derivative) {
            zw_implicit_contacts_put(k);
        }
    }
    for (int i = 0; i < k->nties && derivative; i++) {
        if (k->tie[i].kind == ZW_TIE_PLACES) {
            ZW_TRY_GOTO(turning_rows(k, &k->tie[i], &k->xm), done);
        }
    }
    for (int i = 0; i < k->nblocks; i++) {
        memcpy(k->r + k->block[i].z0, k->ru + k->block[i].col0, sizeof(double) * (size_t)k->block[i].ncol);
    }
done:
    k->share = share;
    return status;
}

/* SPDX-License-Identifier: Apache-2.0
 * slow_work.c: how far it is from one state to another, and the work on the way. See slow.h.
 *
 *   work = 1/2 (f0 + f1).u + 1/2 (dE/ds at x0 + dE/ds at x1).(s1 - s0) + h/2 (power of moving rows and obstacles at both ends)
 * u: turns 2 tan(phi/2) about their axes (Cayley) and ways; dE/ds: how the energy changes with the reference, placements as they are. Each is of order 2, so the balance of
 * energy is. */
#include "steps/slow.h"

#include "steps/implicit_contact.h"

#include <math.h>
#include <string.h>

double zw_slow_energy(zw_slow *e, const zw_state *x) {
    zw_account a = {0};
    zw_system_account(e->y, x, &a);
    return a.elastic + a.potential;
}

/* the turn that leads from the axes of one node to those of the other, as the argument of the Cayley map */
static void turn_between(const zw_secant_node *a, const zw_secant_node *b, double w[3]) {
    double Q[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                Q[r][c] += b->d[i][r] * a->d[i][c];
            }
        }
    }
    double per = 2.0 / (1.0 + Q[0][0] + Q[1][1] + Q[2][2]); /* 1/(1 + cos) */
    w[0] = per * (Q[2][1] - Q[1][2]);
    w[1] = per * (Q[0][2] - Q[2][0]);
    w[2] = per * (Q[1][0] - Q[0][1]);
}

void zw_slow_way(zw_slow *e, const zw_state *x0, const zw_state *x1, double *u) {
    const zw_implicit *k = &e->k;
    for (int i = 0; i < e->y->nparts; i++) {
        const zw_part       *p = &e->y->part[i];
        const zw_secant_ops *of = p->ops->secant;
        zw_state             from = zw_implicit_slice(k, i, x0), to = zw_implicit_slice(k, i, x1);
        double              *out = u + p->v0;
        int                  nv = p->ops->size(p->self).nv;
        if (of == NULL) {
            for (int j = 0; j < nv; j++) {
                out[j] = to.q[j] - from.q[j];
            }
            continue;
        }
        for (int b = 0, at = 0, blocks = of->blocks(p->self); b < blocks; b++) {
            zw_secant_node n0, n1;
            double         way[6];
            int            columns = of->columns(p->self, b);
            of->node(p->self, &from, b, &n0);
            of->node(p->self, &to, b, &n1);
            turn_between(&n0, &n1, way);
            for (int c = 0; c < 3; c++) {
                way[3 + c] = n1.x[c] - n0.x[c];
            }
            if (columns == 6) {
                memcpy(out + at, way, sizeof way);
            } else { /* planar: columns of P are unit vectors across each other */
                double P[36], D[36];
                memset(e->g + p->v0, 0, sizeof(double) * (size_t)nv);
                of->columns_of(p->self, &from, e->g + p->v0, 1.0, b, P, D);
                for (int c = 0; c < columns; c++) {
                    out[at + c] = 0.0;
                    for (int r = 0; r < 6; r++) {
                        out[at + c] += P[r * columns + c] * way[r];
                    }
                }
            }
            at += columns;
        }
    }
}

void zw_slow_velocity(zw_slow *e, const zw_state *x0, double h, zw_state *x1) {
    zw_slow_way(e, x0, x1, e->u);
    for (int i = 0; i < e->k.n.nv; i++) {
        e->u[i] /= h;
    }
    for (int i = 0; i < e->y->nparts; i++) {
        const zw_part *p = &e->y->part[i];
        zw_state       from = zw_implicit_slice(&e->k, i, x0), to = zw_implicit_slice(&e->k, i, &e->at);
        if (p->ops->secant != NULL) {
            p->ops->secant->middle(p->self, &from, e->u + p->v0, h, &to);
        } else {
            memcpy(to.v, e->u + p->v0, sizeof(double) * (size_t)p->ops->size(p->self).nv);
        }
    }
    memcpy(x1->v, e->at.v, sizeof(double) * (size_t)e->k.n.nv);
}

zw_status zw_slow_loads(zw_slow *e, const zw_state *x, double *f) {
    zw_implicit *k = &e->k;
    memset(f, 0, sizeof(double) * (size_t)k->n.nv);
    if (!zw_system_loaded(e->y)) {
        return ZW_OK;
    }
    memset(k->f, 0, sizeof(double) * (size_t)k->n.nv);
    ZW_TRY(zw_system_load(e->y, x, x->t, k->f));
    for (int i = 0; i < e->y->nparts; i++) {
        const zw_part *p = &e->y->part[i];
        if (p->ops->secant != NULL) {
            zw_state part = zw_implicit_slice(k, i, x);
            p->ops->secant->to_mean(p->self, &part, k->f + p->v0, f + p->v0);
        } else {
            memcpy(f + p->v0, k->f + p->v0, sizeof(double) * (size_t)p->ops->size(p->self).nv);
        }
    }
    return ZW_OK;
}

zw_status zw_slow_touch(zw_slow *e, const zw_state *x, double *f, double *power) {
    const zw_meeting *found;
    int               n;
    *power = 0.0;
    if (e->k.contacts == NULL || x->w[e->w_push] == 0.0) {
        return ZW_OK;
    }
    const double *push = x->w + e->w_push;
    zw_meet      *meet = e->k.contacts->set.meet;
    ZW_TRY(zw_meet_find(meet, x, 0.02 * e->rest.reach, &n, &found));
    for (int i = 0; i < n; i++) {
        double p = 0.0;
        for (int j = 0; j < (int)push[0]; j++) {
            const double *one = push + 1 + 3 * (size_t)j;
            p = (int64_t)one[0] * 4294967296 + (int64_t)one[1] == found[i].id ? one[2] : p;
        }
        if (p == 0.0) {
            continue;
        }
        *power -= p * found[i].drift;
        e->row.m = e->row.ntiles = e->row.nblocks = 0;
        e->row.nvalues = 0;
        ZW_TRY(zw_meet_row(meet, x, &found[i], &e->row));
        for (int b = 0; b < e->row.nblocks; b++) {
            const zw_block *block = &e->row.block[b];
            for (int c = 0; c < block->ncol; c++) {
                f[block->col0 + c] += p * e->row.a[block->a + c];
            }
        }
    }
    return ZW_OK;
}

zw_status zw_slow_tell_contacts(zw_slow *e, const zw_state *x) {
    double power;
    if (!e->touched) {
        return ZW_OK;
    }
    memset(e->f, 0, sizeof(double) * (size_t)e->k.n.nv);
    ZW_TRY(zw_slow_touch(e, x, e->f, &power));
    zw_system_grow_contact(e->y, e->f);
    return ZW_OK;
}

zw_status zw_slow_rows_power(zw_slow *e, const zw_state *x, const double *lambda, double *power) {
    *power = 0.0;
    if (e->k.m == 0 || !zw_system_rows_move(e->y)) {
        return ZW_OK;
    }
    ZW_TRY(zw_system_values(e->y, x, 2, e->drive));
    for (int i = 0; i < e->k.m; i++) {
        *power += lambda[i] * e->drive[i];
    }
    return ZW_OK;
}

/* by a small part of s1 - s0 either way: the whole of it would strain the rod by all that it grew */
double zw_slow_growth_work(zw_slow *e, const zw_state *x, const double *s0, const double *s1) {
    const double part = 1e-3;
    double       energy[2];
    zw_state_copy(&e->k.n, x, &e->at);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < e->k.n.ns; i++) {
            e->at.s[i] = x->s[i] + (side == 0 ? -part : part) * (s1[i] - s0[i]);
        }
        energy[side] = zw_slow_energy(e, &e->at);
    }
    return (energy[1] - energy[0]) / (2.0 * part);
}

zw_status zw_slow_work(zw_slow *e, const zw_state *x0, const zw_state *x1, double h, double *work) {
    double power0, power1;
    *work = e->grows ? 0.5 * (zw_slow_growth_work(e, x0, x0->s, x1->s) + zw_slow_growth_work(e, x1, x0->s, x1->s)) : 0.0;
    if (zw_system_loaded(e->y)) {
        zw_slow_way(e, x0, x1, e->u);
        ZW_TRY(zw_slow_loads(e, x0, e->f));
        ZW_TRY(zw_slow_loads(e, x1, e->g));
        for (int i = 0; i < e->k.n.nv; i++) {
            *work += 0.5 * (e->f[i] + e->g[i]) * e->u[i];
        }
    }
    memset(e->f, 0, sizeof(double) * (size_t)e->k.n.nv);
    ZW_TRY(zw_slow_touch(e, x0, e->f, &power0));
    ZW_TRY(zw_slow_touch(e, x1, e->f, &power1));
    *work += 0.5 * h * (power0 + power1);
    return ZW_OK;
}

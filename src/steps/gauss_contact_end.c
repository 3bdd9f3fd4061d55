/* SPDX-License-Identifier: Apache-2.0
 * gauss_contact_end.c: the end of a step over contacts: velocities by a plastic impact, and who did how much work.
 *
 *   v' nearest to v1 - M^-1 N' p  with  A v = b,  N v + drift >= 0;     impulses  q = p + more >= 0, so that no contact pulls
 * Work of a contact at the position level: p Gbar.v_mid = -p (g0 - g1)/h - p tau; at the velocity level, with u = N v + drift: more (u1 + u')/2 - more drift.
 * What the motion of an obstacle does (tau, drift) is work, the rest is dissipated; it adds up to nothing less than 0. */
#include "steps/gauss_contact.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* x1->q, x1->v from x0 and the way, with the rests of the sums */
static void add_up(zw_gauss_contact *s, const zw_state *x0, zw_state *x1) {
    zw_collocation *k = s->k;
    memcpy(x1->q, s->end.q, sizeof(double) * (size_t)k->n.nq);
    memset(x1->w + k->w_rest_q, 0, sizeof(double) * (size_t)k->n.nq);
    for (int i = 0; i < k->nflat; i++) {
        const zw_flat *p = &k->flat[i];
        for (int j = 0; j < p->n; j++) {
            int    at = p->q0 + j;
            double more = s->xi[p->v0 + j] + x0->w[k->w_rest_q + at], next = x0->q[at] + more;
            x1->w[k->w_rest_q + at] = more - (next - x0->q[at]);
            x1->q[at] = next;
        }
    }
    for (int l = 0; l < k->n.nv; l++) {
        x1->v[l] = x0->v[l] + (s->dv[l] + x0->w[k->w_rest_v + l]);
    }
    memset(x1->w + k->w_rest_v, 0, sizeof(double) * (size_t)k->n.nv);
}

static zw_status position_work(zw_gauss_contact *s, double h, double *work, double *dissipated) {
    zw_collocation *k = s->k;
    double          gain = 0.0, loss = 0.0;
    if (k->accounts) { /* loads, damping, parts; rows follow */
        ZW_TRY(zw_collocation_power(k, &s->mid, s->none, &gain, &loss));
    }
    *work = h * gain;
    *dissipated = h * loss;
    for (int t = 0; t < s->A.ntiles; t++) {
        for (int i = 0; i < s->A.tile[t].m; i++) {
            int row = s->A.tile[t].row + i;
            *work += s->lambda[row] * zw_row_times(&s->A, t, i, s->mid.v);
        }
    }
    for (int i = 0; i < s->n; i++) {
        double speed = zw_row_times(&s->N, i, 0, s->mid.v); /* = (g1 - g0)/h - tau, to the round-off of the gaps */
        *dissipated -= s->p[i] * (speed + s->tau[i]);
        *work -= s->p[i] * s->tau[i];
    }
    return ZW_OK;
}

/* the contacts that push or touch, their rows at x1 and gap rates there; keeps their numbers at the front of s->now */
static zw_status rows_at_end(zw_gauss_contact *s, const zw_state *x1, int *count) {
    zw_rows *N = &s->N;
    int      n = 0;
    N->m = N->ntiles = N->nblocks = 0;
    N->nvalues = 0;
    ZW_TRY(zw_meet_again(s->meet, x1, s->n, s->from, s->now));
    for (int i = 0; i < s->n; i++) {
        if (s->p[i] > 0.0 || s->gap1[i] <= 1e-12 * s->scale[i]) {
            zw_meeting m = s->now[i];
            ZW_TRY(zw_meet_row(s->meet, x1, &m, N));
            s->rate[n] = m.drift;
            s->push[n] = s->p[i];
            s->c[n] = -m.drift;
            n++;
        }
    }
    *count = n;
    return ZW_OK;
}

static zw_status velocities(zw_gauss_contact *s, zw_state *x1, double *work, double *dissipated) {
    zw_collocation      *k = s->k;
    static const zw_rows no_rows = {0};
    const zw_rows       *A = &no_rows;
    zw_unilateral_info   info;
    int                  nv = k->n.nv, n;
    ZW_TRY(rows_at_end(s, x1, &n));
    if (k->m > 0) {
        ZW_TRY(zw_system_values(k->y, x1, 1, s->value1));
        ZW_TRY(zw_system_values(k->y, x1, 2, s->value0));
        ZW_TRY(zw_system_rows(k->y, x1, &A));
        for (int t = 0; t < A->ntiles; t++) {
            for (int i = 0; i < A->tile[t].m; i++) { /* nonlinear rows: linear from here */
                int row = A->tile[t].row + i;
                s->b[row] = zw_row_times(A, t, i, x1->v) - s->value1[row];
            }
        }
    }
    const zw_metric *M = zw_system_mass(k->y, x1);
    for (int l = 0; l < nv; l++) {
        s->f[l] = zw_metric_times(M, l, x1->v);
    }
    for (int i = 0; i < n; i++) {
        const zw_tile *t = &s->N.tile[i];
        for (int j = t->block0; j < t->block0 + t->nblocks; j++) {
            const zw_block *b = &s->N.block[j];
            for (int l = 0; l < b->ncol; l++) {
                s->f[b->col0 + l] -= s->push[i] * s->N.a[b->a + l];
            }
        }
    }
    ZW_TRY(zw_unilateral_solve(s->solver_v, M, A, &s->N, s->f, s->b, s->c, s->next, s->lambda, s->total, &info));
    for (int i = 0; i < n; i++) {
        double before = zw_row_times(&s->N, i, 0, x1->v) + s->rate[i], after = zw_row_times(&s->N, i, 0, s->next) + s->rate[i];
        double more = s->total[i] - s->push[i];
        *work -= more * s->rate[i];
        *dissipated -= 0.5 * more * (before + after);
    }
    for (int t = 0; t < A->ntiles; t++) {
        for (int i = 0; i < A->tile[t].m; i++) {
            int row = A->tile[t].row + i;
            *work += s->lambda[row] * s->value0[row];
            *dissipated -= 0.5 * s->lambda[row] * s->value1[row];
        }
    }
    memcpy(x1->v, s->next, sizeof(double) * (size_t)nv);
    return ZW_OK;
}

zw_status zw_gauss_contact_arrive(zw_gauss_contact *s, const zw_state *x0, double h, zw_state *x1) {
    zw_collocation *k = s->k;
    double          work, dissipated, deepest = 0.0;
    int             count = 0;
    if (k->n.ns > 0) {
        memcpy(x1->s, x0->s, sizeof(double) * (size_t)k->n.ns);
    }
    memcpy(x1->w, x0->w, sizeof(double) * (size_t)k->nw);
    x1->t = x0->t + h;
    add_up(s, x0, x1);
    ZW_TRY(position_work(s, h, &work, &dissipated));
    for (int i = 0; i < s->n; i++) {
        count += s->p[i] > 0.0 ? 1 : 0;
        deepest = fmax(deepest, -s->gap1[i]);
    }
    ZW_TRY(velocities(s, x1, &work, &dissipated));
    x1->w[ZW_W_WORK] += work;
    x1->w[ZW_W_DISSIPATED] += dissipated;
    x1->w[ZW_COLLOCATION_COUNT] = 0.0; /* the stages before an impact say nothing about those after it */
    x1->w[ZW_COLLOCATION_ROUNDS] = s->rounds;
    x1->w[ZW_COLLOCATION_HALVES] = 0.0;
    x1->w[ZW_COLLOCATION_STALE] = x1->w[ZW_COLLOCATION_MODE] > 0.0 ? 1.0 : 0.0;
    x1->w[k->w_contact + ZW_CONTACT_COUNT] = count;
    x1->w[k->w_contact + ZW_CONTACT_DEPTH] = deepest;
    x1->w[k->w_contact + ZW_CONTACT_RESIDUAL] = s->residual;
    return zw_collocation_close(k, x1);
}

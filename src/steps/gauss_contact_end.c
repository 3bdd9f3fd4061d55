/* SPDX-License-Identifier: Apache-2.0
 * gauss_contact_end.c: the end of a step over contacts: where it arrives, and who did how much work. Work of a contact at the position level:
 * p Gbar.v_mid = -p (g0 - g1)/h - p tau. What the motion of an obstacle does (tau) is work, the rest is dissipated. */
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
    for (int i = 0; i < s->set.n; i++) {
        double speed = zw_row_times(&s->set.N, i, 0, s->mid.v); /* = (g1 - g0)/h - tau, to the round-off of the gaps */
        *dissipated -= s->set.p[i] * (speed + s->set.tau[i]);
        *work -= s->set.p[i] * s->set.tau[i];
    }
    return ZW_OK;
}

/* z += N' p, less N' q where there is a q */
static void pushes(const zw_rows *N, int n, const double *p, const double *q, double *z) {
    for (int i = 0; i < n; i++) {
        const zw_tile *t = &N->tile[i];
        double         push = p[i] - (q != NULL ? q[i] : 0.0);
        for (int j = t->block0; j < t->block0 + t->nblocks; j++) {
            const zw_block *b = &N->block[j];
            for (int l = 0; l < b->ncol; l++) {
                z[b->col0 + l] += push * N->a[b->a + l];
            }
        }
    }
}

/* what rows hold against the pushes z of the step, as forces, into w: M a = z/h + A' lambda, A a = 0. A reaction at a state is that of its forces and this */
static zw_status answer(zw_gauss_contact *s, double h, const double *z, zw_state *x1) {
    zw_collocation *k = s->k;
    const zw_rows  *A;
    double         *lambda = x1->w + k->w_contact + ZW_CONTACT_WORDS;
    if (k->m == 0) {
        return ZW_OK;
    }
    ZW_TRY(zw_system_rows(k->y, x1, &A));
    ZW_TRY(zw_solver_factor(s->answer, zw_system_mass(k->y, x1), A, NULL));
    memset(s->b, 0, sizeof(double) * (size_t)k->m);
    ZW_TRY(zw_solver_solve(s->answer, z, s->b, s->next, lambda, NULL));
    for (int i = 0; i < k->m; i++) {
        lambda[i] /= h;
    }
    return ZW_OK;
}

void zw_gauss_contact_react(void *self, const zw_state *x, double *lambda) {
    const zw_collocation *k = self;
    for (int i = 0; k->contact != NULL && i < k->m; i++) {
        lambda[i] += x->w[k->w_contact + ZW_CONTACT_WORDS + i];
    }
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
    double *z = s->xi; /* is in x1 now */
    memset(z, 0, sizeof(double) * (size_t)k->n.nv);
    pushes(&s->set.N, s->set.n, s->set.p, NULL, z);
    for (int i = 0; i < s->set.n; i++) {
        count += s->set.p[i] > 0.0 ? 1 : 0;
        deepest = fmax(deepest, -s->set.gap1[i]);
    }
    zw_contact_end end = {.y = k->y, .solver = s->solver_v, .m = k->m, .nv = k->n.nv, .f = s->f, .next = s->next, .b = s->b};
    end.lambda = s->lambda;
    end.drive = s->value0;
    end.value = s->value1;
    ZW_TRY(zw_contact_end_meet(&end, &s->set, x1, &work, &dissipated));
    pushes(&s->set.N, s->set.N.ntiles, s->set.total, s->set.push, z);
    ZW_TRY(answer(s, h, z, x1));
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

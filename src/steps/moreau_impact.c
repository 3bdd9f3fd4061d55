/* SPDX-License-Identifier: Apache-2.0
 * moreau_impact.c: impacts of verlet at the place where a step begins, by Moreau's law,
 *   min 1/2 |v' - v|^2_M,    A v' = b,    u' >= -e u      u = N v + drift, over all contacts that are closed or would close in this step,
 * friction included. With one e for all and no friction v' = P v - e (v - P v), P the projection on the cone of velocities that open no contact further: energy falls by
 * (1 - e^2) |v - P v|^2/2. Otherwise that is not sure (Kane); then v' is mixed with the answer for e = 0 to the largest share that gives no energy. */
#include "base/context.h"
#include "steps/moreau_part.h"

#include <math.h>
#include <string.h>

bool zw_moreau_closes(const zw_moreau *k, int i, double h) {
    const zw_contact_set *s = &k->here;
    return s->meeting[i].touch.gap <= k->touch || s->meeting[i].touch.gap + h * zw_contact_set_rate(s, i, k->free) < 0.0;
}

bool zw_moreau_bounces(const zw_moreau *k, const zw_meeting *m, double rate, double kick) {
    return m->restitution > 0.0 && rate < -k->noise && -m->restitution * rate > fmax(0.0, -kick);
}

/* (1 - t) of the answer without restitution and t of the full one; what contacts take then */
static double mix(zw_moreau *k, double t, double *work) {
    double taken = 0.0;
    *work = 0.0;
    for (int i = 0; i < k->nv; i++) {
        k->v[i] = k->plastic[i] + t * (k->full[i] - k->plastic[i]);
    }
    for (int i = 0; i < k->here.n; i++) {
        zw_contact *c = &k->here.at[i];
        c->p = c->mixed[0][0] + t * (c->mixed[1][0] - c->mixed[0][0]);
        c->pt[0] = c->mixed[0][1] + t * (c->mixed[1][1] - c->mixed[0][1]);
        c->pt[1] = c->mixed[0][2] + t * (c->mixed[1][2] - c->mixed[0][2]);
    }
    zw_contact_set_account(&k->here, k->v0, k->v, &taken, work);
    return taken;
}

static void keep(zw_moreau *k, int which, double *v) {
    memcpy(v, k->v, sizeof(double) * (size_t)k->nv);
    for (int i = 0; i < k->here.n; i++) {
        zw_contact *c = &k->here.at[i];
        c->mixed[which][0] = c->p;
        c->mixed[which][1] = c->pt[0];
        c->mixed[which][2] = c->pt[1];
    }
}

/* the same impact with as much of its restitution as gives no energy: taken(t) is quadratic, > 0 at 0 and < 0 at 1 */
static zw_status soften(zw_moreau *k, double h, const zw_kick_problem *pb, double *taken, double *work) {
    double          residual, low = 0.0, high = 1.0;
    zw_kick_problem plastic = *pb;
    plastic.again = true;
    memcpy(k->g, k->lambda, sizeof(double) * (size_t)k->m);
    keep(k, 1, k->full);
    for (int i = 0; i < k->here.n; i++) {
        k->here.at[i].c = -fmax(k->here.meeting[i].touch.gap, 0.0) / h;
    }
    ZW_TRY(zw_kick_solve(k->kick, &k->here, &plastic, k->v, k->lambda, &residual));
    keep(k, 0, k->plastic);
    for (int i = 0; i < 50; i++) {
        double middle = 0.5 * (low + high);
        *(mix(k, middle, work) >= 0.0 ? &low : &high) = middle;
    }
    *taken = mix(k, low, work);
    for (int i = 0; i < k->m; i++) {
        k->lambda[i] += low * (k->g[i] - k->lambda[i]);
    }
    return ZW_OK;
}

zw_status zw_moreau_strike(zw_moreau *k, const zw_state *x0, double h, const zw_rows *A, bool *hit) {
    zw_contact_set *s = &k->here;
    *hit = false;
    for (int i = 0; i < s->n; i++) {
        zw_contact *c = &s->at[i];
        double      u = zw_contact_set_rate(s, i, k->v0), kick = zw_contact_set_rate(s, i, k->free) - u;
        c->on = c->due || zw_moreau_closes(k, i, h);
        c->comes = u < -k->noise;
        c->bend[0] = c->bend[1] = 0.0;
        c->c = s->meeting[i].restitution > 0.0 ? -s->meeting[i].restitution * u : -fmax(s->meeting[i].touch.gap, 0.0) / h;
        *hit = *hit || (c->on && zw_moreau_bounces(k, &s->meeting[i], u, kick));
    }
    if (!*hit || k->rounds == ZW_MOREAU_ROUNDS) {
        *hit = false;
        return ZW_OK;
    }
    k->rounds++;
    for (int i = 0; i < s->n; i++) {
        s->at[i].guess = s->at[i].comes;
    }
    double taken = 0.0, work = 0.0, twice = 0.0, residual;
    zw_mass_multiply(k->mass, k->v0, k->f);
    if (k->m > 0) {
        ZW_TRY(zw_system_values(k->y, x0, 2, k->b));
    }
    zw_kick_problem pb = {.H = zw_system_mass(k->y, x0), .A = A, .f = k->f, .b = k->b, .speed = k->speed};
    ZW_TRY(zw_kick_solve(k->kick, s, &pb, k->v, k->lambda, &residual));
    zw_contact_set_account(s, k->v0, k->v, &taken, &work);
    for (int i = 0; i < k->nv; i++) {
        twice += k->v0[i] * k->f[i];
    }
    if (taken < -1e-13 * twice) {
        ZW_TRY(soften(k, h, &pb, &taken, &work));
    }
    for (int i = 0; i < k->m; i++) {
        work += k->lambda[i] * k->b[i];
        k->held[i] += k->lambda[i];
    }
    k->dissipated += taken;
    k->work += work;
    k->residual = fmax(k->residual, residual);
    for (int i = 0; i < k->nv; i++) {
        k->free[i] += k->v[i] - k->v0[i];
        k->v0[i] = k->v[i];
    }
    for (int i = 0; i < s->n; i++) {
        s->at[i].guess = s->at[i].pushed;
    }
    return ZW_OK;
}

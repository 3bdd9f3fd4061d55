/* SPDX-License-Identifier: Apache-2.0
 * friction.c: one kick over contacts. With  u = N x + drift - c  and sliding  w = T x + wind + bend,
 *
 *   H x = f + A' lambda + N' p + T' pt,    A x = b,    0 <= p _|_ u >= 0,    |pt| <= mu p,    pt.w = -mu p |w|      (Coulomb, maximal dissipation)
 *
 * Without friction this is one call of the kernel with inequalities, with it one of the kernel with friction (coulomb.h), with the contacts that are on. */
#include "base/context.h"
#include "base/number.h"
#include "project/coulomb.h"
#include "project/unilateral_search.h"
#include "steps/moreau.h"

#include <math.h>

static const double TELL = 1e-8; /* of the speed: what the law misses in silence */

struct zw_kick {
    zw_context    *context;
    zw_unilateral *kernel;
    zw_coulomb    *coulomb;
    /* the contacts that are on */
    zw_tile       *tile;
    int           *contact, *slide;
    unsigned char *flag;
    double        *c, *mu, *wind, *p, *pt;
    int            room;
    double         missed;
    bool           told;
};

zw_status zw_kick_create(zw_context *c, zw_kick **out) {
    zw_kick *k = zw_alloc(c, 1, sizeof *k, "contacts");
    *out = NULL;
    if (k == NULL) {
        return ZW_E_MEMORY;
    }
    k->context = c;
    zw_status status = zw_unilateral_create(c, &k->kernel);
    if (status == ZW_OK) {
        status = zw_coulomb_create(c, &k->coulomb);
    }
    if (status != ZW_OK) {
        zw_kick_destroy(k);
        return status;
    }
    *out = k;
    return ZW_OK;
}

void zw_kick_destroy(zw_kick *k) {
    if (k != NULL) {
        zw_context *c = k->context;
        void       *all[] = {k->tile, k->contact, k->slide, k->flag, k->c, k->mu, k->wind, k->p, k->pt};
        zw_unilateral_destroy(k->kernel);
        zw_coulomb_destroy(k->coulomb);
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            zw_free(c, all[i]);
        }
        zw_free(c, k);
    }
}

static zw_status want(zw_context *c, void **p, int count, size_t size) {
    void *more = zw_resize(c, *p, (size_t)count, size, "contacts");
    *p = more != NULL ? more : *p;
    return more != NULL ? ZW_OK : ZW_E_MEMORY;
}

#define WANT(p, count)                                          \
    do {                                                        \
        void *want_ = (p);                                      \
        ZW_TRY(want(k->context, &want_, (count), sizeof *(p))); \
        (p) = want_;                                            \
    } while (0)

static zw_status reserve(zw_kick *k, int room) {
    if (room > k->room) {
        WANT(k->tile, room);
        WANT(k->contact, room);
        WANT(k->slide, room);
        WANT(k->flag, room);
        WANT(k->c, room);
        WANT(k->mu, room);
        WANT(k->wind, 2 * room);
        WANT(k->p, room);
        WANT(k->pt, 2 * room);
        k->room = room;
    }
    return ZW_OK;
}

/* what is on, in a row; true: some of it has friction */
static bool collect(zw_kick *k, const zw_contact_set *s, zw_rows *N) {
    bool rubs = false;
    *N = s->N;
    N->tile = k->tile;
    N->m = N->ntiles = 0;
    for (int i = 0; i < s->n; i++) {
        const zw_contact *c = &s->at[i];
        if (c->on) {
            int at = N->m++;
            k->tile[N->ntiles] = s->N.tile[i];
            k->tile[N->ntiles++].row = at;
            k->contact[at] = i;
            k->slide[at] = c->slide;
            k->flag[at] = c->guess;
            k->c[at] = c->c - s->meeting[i].drift;
            k->mu[at] = s->meeting[i].friction;
            k->p[at] = c->p;
            for (int j = 0; j < 2; j++) {
                k->wind[2 * at + j] = c->wind[j] + c->bend[j];
                k->pt[2 * at + j] = c->pt[j];
            }
            rubs = rubs || c->slide >= 0;
        }
    }
    return rubs;
}

static zw_status smooth(zw_kick *k, const zw_contact_set *s, const zw_rows *N, const zw_kick_problem *pb, double *x, double *lambda,
                        double *residual) {
    ZW_TRY(zw_unilateral_remember(k->kernel, N, k->flag));
    ZW_TRY(zw_unilateral_solve(k->kernel, pb->H, pb->A, N, pb->f, pb->b, k->c, x, lambda, k->p, NULL));
    *residual = 0.0;
    for (int i = 0; i < N->m; i++) {
        double u = zw_contact_set_rate(s, k->contact[i], x) - s->at[k->contact[i]].c;
        k->pt[2 * i] = k->pt[2 * i + 1] = 0.0;
        *residual = fmax(*residual, (k->p[i] > 0.0 ? fabs(u) : -u) / pb->speed);
    }
    return ZW_OK;
}

static zw_status rough(zw_kick *k, const zw_contact_set *s, const zw_rows *N, const zw_kick_problem *pb, double *x, double *lambda,
                       double *residual) {
    zw_coulomb_problem problem = {.H = pb->H,
                                  .A = pb->A,
                                  .N = N,
                                  .T = &s->T,
                                  .slide = k->slide,
                                  .f = pb->f,
                                  .b = pb->b,
                                  .c = k->c,
                                  .mu = k->mu,
                                  .wind = k->wind,
                                  .speed = pb->speed,
                                  .guess = true,
                                  .hold = pb->again ? pb->hold : 0.0,
                                  .again = pb->again};
    zw_coulomb_info    info;
    zw_status          status = zw_coulomb_solve(k->coulomb, &problem, x, lambda, k->p, k->pt, &info);
    *residual = info.residual;
    k->missed = fmax(k->missed, info.residual);
    if (status == ZW_E_CONVERGENCE) {
        char name[160], number[ZW_NUMBER_TEXT];
        zw_meet_name(s->meet, &s->meeting[k->contact[info.worst]], name, sizeof name);
        return zw_raise(k->context, ZW_E_CONVERGENCE, name,
                        "use a smaller step or less friction; where friction jams (Painleve), Coulomb's law may have no answer",
                        "friction of %d contacts was not found: %s of the speed is left here after %d sweeps", N->m,
                        zw_number_short(info.residual, 3, number), info.sweeps);
    }
    if (status == ZW_OK && info.residual > TELL && !k->told) {
        char name[160], number[ZW_NUMBER_TEXT];
        k->told = true;
        zw_meet_name(s->meet, &s->meeting[k->contact[info.worst]], name, sizeof name);
        zw_log(
            k->context, ZW_LOG_WARNING,
            "%s: friction of %d contacts was found to %s of the speed only, and the step was taken; the largest of the run is friction/residual",
            name, N->m, zw_number_short(info.residual, 3, number));
    }
    return status;
}

void zw_kick_begin(zw_kick *k) {
    k->missed = 0.0;
}

double zw_kick_missed(const zw_kick *k) {
    return k->missed;
}

zw_status zw_kick_solve(zw_kick *k, zw_contact_set *s, const zw_kick_problem *pb, double *x, double *lambda, double *residual) {
    zw_rows N;
    ZW_TRY(reserve(k, s->room));
    bool rubs = collect(k, s, &N);
    ZW_TRY(rubs ? rough(k, s, &N, pb, x, lambda, residual) : smooth(k, s, &N, pb, x, lambda, residual));
    for (int i = 0; i < s->n; i++) {
        s->at[i].p = s->at[i].pt[0] = s->at[i].pt[1] = 0.0;
    }
    for (int i = 0; i < N.m; i++) {
        zw_contact *c = &s->at[k->contact[i]];
        c->p = k->p[i];
        c->pt[0] = k->pt[2 * i];
        c->pt[1] = k->pt[2 * i + 1];
    }
    return ZW_OK;
}

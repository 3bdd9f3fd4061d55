/* SPDX-License-Identifier: Apache-2.0
 * verify_growth.c: growing rods. The power of growth by formula, l' times minus the driving force and what natural curvature and stiffness add (src/parts/rod_growth_observe.h), against the
 * rate of the energy at fixed nodes and velocities, by differences of the energy of the part along the rates of its fields s. Random states get random lengths and natural curvatures. */
#include "analysis/verify.h"

#include "parts/rod_grow.h"
#include "parts/rod_growth_observe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double shaken = 0.01; /* of lengths; and of turns of a link */

zw_status zw_verify_growth_create(zw_verifier *k) {
    size_t words = zw_system_grows(k->y) ? zw_system_grow_memory(k->y) : 0;
    k->memory = zw_arena_alloc(&k->arena, words + 1, sizeof(double), "a verification");
    if (k->memory == NULL) {
        return ZW_E_MEMORY;
    }
    return zw_system_grows(k->y) ? zw_system_grow_start(k->y, &k->start, k->memory) : ZW_OK;
}

void zw_verify_growth_shake(zw_verifier *k) {
    const zw_part *part;
    int            parts = zw_system_parts(k->y, &part);
    for (int p = 0; p < parts; p++) {
        const zw_rods *rods = part[p].self;
        for (int i = 0; zw_verify_is_rods(&part[p]) && i < rods->nrods; i++) {
            const zw_rod_growth *g = zw_rods_growth_of(rods, i);
            for (int j = 0; g != NULL && j < g->rod->nlinks; j++) {
                double *l = zw_rod_growth_l(g, k->x.s + part[p].s0) + j, *k0 = zw_rod_growth_natural(g, k->x.s + part[p].s0) + 3 * j;
                *l *= 1.0 + shaken * zw_verify_random(k);
                for (int h = 0; h < 3; h++) {
                    k0[h] += shaken / *l * zw_verify_random(k);
                }
            }
        }
    }
}

typedef struct flow {
    const zw_part *part;
    const double  *s, *rate;
    double        *moved;
    size_t         n;
} flow;

static zw_status energy_along(zw_verifier *k, void *user, double tau, double *value) {
    flow      *f = user;
    zw_account account = {0};
    for (size_t i = 0; i < f->n; i++) {
        f->moved[i] = f->s[i] + tau * f->rate[i];
    }
    zw_state x = {.t = k->x.t, .q = k->x.q + f->part->q0, .v = k->x.v + f->part->v0, .s = f->moved};
    f->part->ops->account(f->part->self, &x, &account);
    *value = (account.elastic + account.kinetic) + account.potential;
    return ZW_OK;
}

/* rates of the fields of one rod; the others stand. *pace: time in which something changes by all of itself */
static zw_status field_rates(const zw_rod_growth *g, const zw_state *x, double *rate, double *pace) {
    struct zw_rods_growth *G = g->rods->growth;
    ZW_TRY(zw_rods_growth_rates(g, x, x->w, G->rate));
    double fastest = 0.0;
    for (int j = 0; j < g->rod->nlinks; j++) {
        const zw_growth_rate *r = &G->rate[j];
        double                l = zw_rod_growth_l(g, x->s)[j];
        zw_rod_growth_l(g, rate)[j] = l * r->rate;
        zw_rod_growth_radius(g, rate)[j] = zw_rod_growth_radius(g, x->s)[j] * r->thicken;
        fastest = fmax(fastest, fmax(fabs(r->rate), fabs(r->thicken)));
        for (int h = 0; h < 3; h++) {
            zw_rod_growth_natural(g, rate)[3 * j + h] = r->bend[h];
            fastest = fmax(fastest, l * fabs(r->bend[h]));
        }
    }
    *pace = fastest > 0.0 ? 1.0 / fastest : 0.0;
    return ZW_OK;
}

static void rod_name(zw_verifier *k, void *user, int i, char *out, size_t size) {
    const flow *f = user;
    (void)k;
    (void)i;
    snprintf(out, size, "%s", ((const zw_rods *)f->part->self)->nrods == 1 ? ((const zw_rods *)f->part->self)->rod[0].name : "rods");
}

static zw_status check(zw_verifier *k, const zw_part *part) {
    const zw_rods *rods = part->self;
    zw_state       x = {.t = k->x.t, .q = k->x.q + part->q0, .v = k->x.v + part->v0, .s = k->x.s + part->s0, .w = k->memory};
    size_t         n = (size_t)part->ops->size(part->self).ns;
    zw_arena_mark  mark = zw_arena_mark_now(&k->arena);
    double        *rate = zw_arena_alloc(&k->arena, 2 * n + 1, sizeof *rate, "a verification");
    zw_status      status = rate != NULL ? ZW_OK : ZW_E_MEMORY;
    for (int i = 0; status == ZW_OK && i < rods->nrods; i++) {
        const zw_rod_growth *g = zw_rods_growth_of(rods, i);
        double               pace = 0.0;
        zw_rod_rates         rates;
        if (g == NULL) {
            continue;
        }
        memset(rate, 0, sizeof(double) * n);
        zw_rods_tune(rods, &x);
        status = field_rates(g, &x, rate, &pace);
        if (status != ZW_OK && status != ZW_E_MEMORY) { /* the law is not defined at this state */
            zw_error_clear(k->c);
            status = ZW_OK;
            continue;
        }
        if (status != ZW_OK) {
            break;
        }
        zw_rods_link_rates(rods, i, &x, &rates);
        zw_account account = {0};
        part->ops->account(part->self, &x, &account);
        double power = zw_rod_growth_power(rods, &rods->rod[i], &x, &rates);
        double scale = fabs(power) + (pace > 0.0 ? (account.elastic + account.kinetic + fabs(account.potential)) / pace : 0.0);
        flow   f = {.part = part, .s = x.s, .rate = rate, .moved = rate + n, .n = n};
        if (pace > 0.0) {
            zw_verify_difference by = {.kind = ZW_VERIFY_GROWTH,
                                       .curve = energy_along,
                                       .user = &f,
                                       .n = 1,
                                       .unit = 0.3 * pace,
                                       .exact = &power,
                                       .scale = &scale,
                                       .name = rod_name};
            status = zw_verify_compare(k, &by);
        }
    }
    zw_rods_tune(rods, &x);
    zw_arena_release(&k->arena, mark);
    return status;
}

zw_status zw_verify_growth(zw_verifier *k) {
    const zw_part *part;
    int            parts = zw_system_parts(k->y, &part);
    for (int p = 0; p < parts; p++) {
        if (zw_verify_is_rods(&part[p]) && ((const zw_rods *)part[p].self)->growth != NULL) {
            ZW_TRY(check(k, &part[p]));
            zw_verify_skip(k, ZW_VERIFY_GROWTH, "nothing grows at these states");
        }
    }
    return ZW_OK;
}

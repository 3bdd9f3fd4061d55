/* SPDX-License-Identifier: Apache-2.0
 * lagrangian_observe.c: what can be recorded of a lagrangian body, "lagrangian/NAME/FIELD", and what it adds to the account.
 * Its kinetic energy is v.dT/dv - T, which with the potential is conserved where T, V and the equations do not depend on time, also when T has terms
 * that are not quadratic in the velocities. */
#include "parts/lagrangian_part.h"

#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum channel { COORDINATES, VELOCITIES, QUASI, POINTS, LINKS, NCHANNELS } channel;

bool zw_lagrangian_measure(void *self, const zw_state *x, const zw_place *p, zw_measure what, double *out) {
    (void)p;
    if (what != ZW_MEASURE_ENERGY) {
        return false;
    }
    const zw_lagrangian_look *look = zw_lagrangian_at(self, x);
    *out = look->energy + look->potential;
    return true;
}

void zw_lagrangian_account(void *self, const zw_state *x, zw_account *a) {
    zw_lagrangian            *L = self;
    const zw_lagrangian_look *look = zw_lagrangian_at(L, x);
    a->kinetic += look->energy;
    a->potential += look->potential;
    if (!L->all_particles) {
        return;
    }
    zw_lagrangian_record *r = zw_lagrangian_record_at(L, x);
    a->mass += r->account[ZW_ACCOUNT_MASS];
    for (int i = 0, k = 0; i < L->def->npoints; i++) {
        if (L->def->point[i].mass.node == 0) {
            continue;
        }
        zw_place place = {.element = i};
        zw_frame F;
        double   arm[3], m = r->account[ZW_ACCOUNT_NUMBERS + L->nterms + k++];
        zw_lagrangian_frame(L, x, &place, &F, NULL);
        zw_v3_cross(arm, F.r, F.v);
        zw_v3_addscaled(a->momentum, a->momentum, m, F.v);
        zw_v3_addscaled(a->angular, a->angular, m, arm);
    }
}

bool zw_lagrangian_powerless(const void *self) {
    return ((const zw_lagrangian *)self)->powerless;
}

bool zw_lagrangian_whole(void *self, const zw_state *x, zw_whole *out) {
    const zw_lagrangian      *L = self;
    const zw_lagrangian_look *look = zw_lagrangian_motion_at(L, x);
    *out = (zw_whole){.m = L->m, .M = look->M, .F = look->F, .c = look->c, .A = look->A, .D = look->D};
    return look->finite;
}

void zw_lagrangian_power(void *self, const zw_state *x, double *work, double *dissipated) {
    const zw_lagrangian *L = self;
    if (L->powerless) {
        *work = *dissipated = 0.0;
        return;
    }
    const zw_lagrangian_look *look = zw_lagrangian_at(self, x);
    *work = look->work;
    *dissipated = look->dissipated;
}

static int channel_count(const zw_lagrangian *L, int which) {
    switch (which) {
    case QUASI: return L->quasi ? L->n : 0;
    case POINTS: return L->def->npoints;
    case LINKS: return L->def->nlinks;
    default: return L->n;
    }
}

/* the i-th that there is */
static int channel_at(const zw_lagrangian *L, int i) {
    for (int which = 0; which < NCHANNELS; which++) {
        if (channel_count(L, which) > 0 && i-- == 0) {
            return which;
        }
    }
    return NCHANNELS;
}

bool zw_lagrangian_field(const void *self, int i, zw_channel *out, bool *constant) {
    static const char *const name[NCHANNELS] = {"coordinates", "velocities", "quasi", "points", "links"};
    const zw_lagrangian     *L = self;
    int                      which = channel_at(L, i);
    if (which == NCHANNELS) {
        return false;
    }
    int rows = channel_count(L, which), columns = which == POINTS ? 3 : which == LINKS ? 2 : 1;
    *out = (zw_channel){.rank = columns > 1 ? 2 : 1, .shape = {rows}};
    *constant = which == LINKS;
    out->shape[1] = columns > 1 ? columns : 0;
    out->count = (size_t)rows * (size_t)columns;
    snprintf(out->name, sizeof out->name, "lagrangian/%s/%s", L->body->name, name[which]);
    snprintf(out->unit, sizeof out->unit, "%s", which == POINTS ? "m" : "1");
    return true;
}

void zw_lagrangian_observe(void *self, const zw_state *x, int i, double *out) {
    zw_lagrangian *L = self;
    size_t         size = sizeof(double) * (size_t)L->n;
    int            which = channel_at(L, i);
    if (which == LINKS) { /* a constant: there is no state */
        for (int k = 0; k < L->def->nlinks; k++) {
            out[2 * k] = L->def->link[k][0];
            out[2 * k + 1] = L->def->link[k][1];
        }
        return;
    }
    zw_lagrangian_record *r = zw_lagrangian_record_at(L, x);
    switch (which) {
    case COORDINATES: memcpy(out, x->q, size); break;
    case VELOCITIES: memcpy(out, r->look.qdot, size); break;
    case QUASI: memcpy(out, x->v, size); break;
    case POINTS: {
        const double *result = zw_lagrangian_points_at(L, r);
        for (int k = 0; k < L->def->npoints; k++) {
            zw_v3_copy(out + 3 * (size_t)k, result + L->point[k].r);
        }
        break;
    }
    default: break;
    }
}

bool zw_lagrangian_at_fault(const void *self, const zw_state *x, char *text, size_t size) {
    const zw_lagrangian *L = self;
    for (int i = 0; i < L->n; i++) {
        if (!isfinite(x->q[i])) {
            snprintf(text, size, "coordinate %s of '%s'", L->def->coordinate[i], L->body->name);
            return true;
        }
        if (!isfinite(x->v[i])) {
            snprintf(text, size, "velocity %s%s of '%s'", L->quasi ? L->def->quasi[i].name : L->def->coordinate[i], L->quasi ? "" : "dot",
                     L->body->name);
            return true;
        }
    }
    return false;
}

/* SPDX-License-Identifier: Apache-2.0
 * rigid_observe.c: what can be recorded of rigid bodies, "rigid/NAME/FIELD", constants once per epoch, and what they add to the account.
 * Orientation and spin are of the body axes as written; positions are of the centre of mass. */
#include "parts/rigid.h"

#include "math/quat.h"

#include <stdio.h>
#include <string.h>

typedef enum rigid_field { POSITION, ORIENTATION, VELOCITY, SPIN, MASS, INERTIA, CENTRE, POINTS, OUTLINE, NFIELDS } rigid_field;

typedef struct field_row {
    const char *name, *unit;
    int         rank, shape[3];
    bool        constant;
} field_row;

static const field_row table[NFIELDS] = {
    [POSITION] = {"position", "m", 1, {3, 0, 0}, false},       /* space              */
    [ORIENTATION] = {"orientation", "1", 1, {4, 0, 0}, false}, /* quaternion w x y z */
    [VELOCITY] = {"velocity", "m/s", 1, {3, 0, 0}, false},     /* space              */
    [SPIN] = {"spin", "rad/s", 1, {3, 0, 0}, false},           /* body axes          */
    [MASS] = {"mass", "kg", 0, {0, 0, 0}, true},
    [INERTIA] = {"inertia", "kg m^2", 2, {3, 3, 0}, true}, /* about the centre of mass, body axes */
    [CENTRE] = {"centre", "m", 1, {3, 0, 0}, true},        /* of mass, in the axes of the form as written */
    [POINTS] = {"points", "m", 2, {-1, 3, 0}, true},       /* named points, body axes from the centre of mass */
    [OUTLINE] = {"outline", "m", 3, {-1, 2, 3}, true},     /* lines of a picture, likewise */
};

static int rows_of(const zw_rigid *b, int field) {
    return field == POINTS ? b->npoints : b->nlines;
}

static size_t count_of(const zw_rigid *b, int field) {
    size_t n = 1;
    for (int k = 0; k < table[field].rank; k++) {
        n *= (size_t)(table[field].shape[k] < 0 ? rows_of(b, field) : table[field].shape[k]);
    }
    return n;
}

/* where the arrays of each body begin; empty ones are not there */
void zw_rigids_number_fields(zw_rigids *all) {
    all->field0[0] = 0;
    for (int i = 0; i < all->nbodies; i++) {
        const zw_rigid *b = &all->body[i];
        all->field0[i + 1] = all->field0[i] + NFIELDS - (b->npoints == 0) - (b->nlines == 0);
    }
}

/* body and field of the i-th array; false past the end */
static bool find(const zw_rigids *all, int i, int *body, int *field) {
    int low = 0, high = all->nbodies;
    if (i >= all->field0[high]) {
        return false;
    }
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(all->field0[middle] <= i ? &low : &high) = middle;
    }
    *body = low;
    i -= all->field0[low];
    for (*field = 0; *field < NFIELDS; ++*field) {
        if (count_of(&all->body[low], *field) > 0 && i-- == 0) {
            return true;
        }
    }
    return false;
}

bool zw_rigids_field(const void *self, int i, zw_channel *out, bool *constant) {
    const zw_rigids *all = self;
    int              body, field;
    if (!find(all, i, &body, &field)) {
        return false;
    }
    const zw_rigid  *b = &all->body[body];
    const field_row *row = &table[field];
    *out = (zw_channel){.rank = row->rank, .count = count_of(b, field)};
    snprintf(out->name, sizeof out->name, "rigid/%s/%s", b->name, row->name);
    snprintf(out->unit, sizeof out->unit, "%s", row->unit);
    for (int k = 0; k < 3; k++) {
        out->shape[k] = row->shape[k] < 0 ? rows_of(b, field) : row->shape[k];
    }
    *constant = row->constant;
    return true;
}

void zw_rigids_observe(void *self, const zw_state *x, int i, double *out) {
    const zw_rigids *all = self;
    int              body, field;
    if (!find(all, i, &body, &field)) {
        return;
    }
    const zw_rigid *b = &all->body[body];
    double          turn[4], spin[3];
    switch (field) {
    case POSITION: zw_v3_copy(out, x->q + b->q0); break;
    case ORIENTATION: zw_rigid_orientation(b, x->q, out); break;
    case VELOCITY: zw_rigid_velocity(b, x->v, out); break;
    case SPIN:
        zw_rigid_orientation(b, x->q, turn);
        zw_rigid_spin(b, x->q, x->v, spin);
        zw_q_rotate_back(turn, spin, out);
        break;
    case MASS: *out = b->mass; break;
    case INERTIA: memcpy(out, b->inertia, sizeof b->inertia); break;
    case CENTRE: zw_v3_copy(out, b->com); break;
    case POINTS: memcpy(out, b->point, sizeof(double) * count_of(b, field)); break;
    case OUTLINE: memcpy(out, b->line, sizeof(double) * count_of(b, field)); break;
    default: break;
    }
}

/* kinetic energy, and the momentum of its rotation in space */
static double kinetic_of(const zw_rigid *b, const zw_state *x, double spin[3]) {
    double velocity[3], w[3], back[3], pi[3];
    zw_rigid_velocity(b, x->v, velocity);
    zw_rigid_spin(b, x->q, x->v, w);
    zw_q_rotate_back(x->q + b->q0 + 3, w, back);
    for (int k = 0; k < 3; k++) {
        back[k] = b->planar ? back[k] : x->v[b->v0 + k];
        pi[k] = b->principal[k] * back[k];
    }
    zw_q_rotate(x->q + b->q0 + 3, pi, spin);
    double turning = b->planar ? b->moment * x->v[b->v0] * x->v[b->v0] : zw_v3_dot(back, pi);
    return 0.5 * b->mass * zw_v3_norm2(velocity) + 0.5 * turning;
}

void zw_rigids_account(void *self, const zw_state *x, zw_account *a) {
    const zw_rigids *all = self;
    for (int i = 0; i < all->nbodies; i++) {
        const zw_rigid *b = &all->body[i];
        double          spin[3], velocity[3], arm[3];
        a->kinetic += kinetic_of(b, x, spin);
        a->potential -= b->mass * zw_v3_dot(all->gravity, x->q + b->q0);
        a->mass += b->mass;
        zw_rigid_velocity(b, x->v, velocity);
        zw_v3_cross(arm, x->q + b->q0, velocity);
        for (int k = 0; k < 3; k++) {
            a->momentum[k] += b->mass * velocity[k];
            a->angular[k] += b->mass * arm[k] + spin[k];
        }
    }
}

bool zw_rigids_measure(void *self, const zw_state *x, const zw_place *p, zw_measure what, double *out) {
    const zw_rigids *all = self;
    const zw_rigid  *b = &all->body[p->body];
    double           spin[3];
    if (what != ZW_MEASURE_ENERGY) {
        return false;
    }
    *out = kinetic_of(b, x, spin) - b->mass * zw_v3_dot(all->gravity, x->q + b->q0);
    return true;
}

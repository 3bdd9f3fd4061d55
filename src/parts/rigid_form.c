/* SPDX-License-Identifier: Apache-2.0
 * rigid_form.c: the convex members of a rigid body, and its mass, centre of mass and inertia from them or as given.
 *
 * A member with volume V, centre c and inertia K about c for density 1 (its own axes), placed by x + R r, has the mass m = rho V and adds
 *   m                               to the mass,
 *   R (rho K) R' + m (|d|^2 - d d')  to the inertia about the common centre of mass,  d = x + R c - com         (parallel axes).
 * rho is the member's own (its mass or its density), else the body's density, else what makes up the body's mass over the members without their own. */
#include "parts/rigid.h"

#include "base/context.h"
#include "base/number.h"
#include "math/quat.h"

#include <math.h>
#include <stdio.h>

typedef struct member {
    double volume, centre[3], inertia[9]; /* density 1, axes of the body as written */
    double mass;
    bool   own; /* mass or density of its own */
} member;

static zw_status positive(const zw_model *m, zw_quantity q, const char *subject, const char *what, double *out) {
    char number[ZW_NUMBER_TEXT];
    ZW_TRY(zw_model_constant(m, q, subject, out));
    if (!(*out > 0.0)) {
        return zw_model_raise(m, ZW_E_MODEL, q.at, subject, "give a number greater than 0", "its %s is %s", what,
                              zw_number_short(*out, 6, number));
    }
    return ZW_OK;
}

static zw_status vector(const zw_model *m, const zw_quantity *v, const char *subject, double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = 0.0;
        if (v[i].node != 0) {
            ZW_TRY(zw_model_constant(m, v[i], subject, &out[i]));
        }
    }
    return ZW_OK;
}

/* geometry in the form's own axes */
static zw_status read_form(const zw_model *m, const zw_form_def *d, const char *subject, zw_arena *a, zw_form *f) {
    *f = (zw_form){0};
    switch (d->kind) {
    case ZW_FORM_SPHERE: f->shape = ZW_SHAPE_BALL; return positive(m, d->radius, subject, "radius", &f->radius);
    case ZW_FORM_CAPSULE:
    case ZW_FORM_CYLINDER:
        f->shape = d->kind == ZW_FORM_CAPSULE ? ZW_SHAPE_STICK : ZW_SHAPE_DRUM;
        ZW_TRY(positive(m, d->radius, subject, "radius", &f->radius));
        ZW_TRY(positive(m, d->length, subject, "length", &f->half));
        f->half *= 0.5;
        return ZW_OK;
    case ZW_FORM_BOX:
        f->shape = ZW_SHAPE_BLOCK;
        for (int i = 0; i < 3; i++) {
            ZW_TRY(positive(m, d->size[i], subject, "size", &f->size[i]));
            f->size[i] *= 0.5;
        }
        return ZW_OK;
    case ZW_FORM_HULL: {
        double *p = zw_arena_alloc(a, 3 * (size_t)d->npoints + 1, sizeof *p, "points of a hull");
        if (p == NULL) {
            return ZW_E_MEMORY;
        }
        for (int i = 0; i < d->npoints; i++) {
            ZW_TRY(vector(m, d->point[i], subject, p + 3 * (size_t)i));
        }
        *f = (zw_form){.shape = ZW_SHAPE_CLOUD, .n = d->npoints, .point = p};
        return ZW_OK;
    }
    default:
        return zw_model_raise(m, ZW_E_MODEL, d->where, subject, "choose sphere, capsule, box, cylinder, hull or compound",
                              "a rigid body cannot have this form");
    }
}

static zw_status read_member(const zw_model *m, const zw_form_def *d, const char *subject, zw_arena *a, zw_placed *placed, member *out) {
    double   x[3], turn[3], q[4], centre[3], K[9], t[9];
    zw_form *f = zw_arena_alloc(a, 1, sizeof *f, "a form");
    if (f == NULL) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(read_form(m, d, subject, a, f));
    ZW_TRY(vector(m, d->at, subject, x));
    ZW_TRY(vector(m, d->turn, subject, turn));
    zw_q_exp(turn, q);
    *placed = (zw_placed){.form = f};
    zw_v3_copy(placed->x, x);
    zw_q_to_matrix(q, placed->R);
    if (!zw_form_inertia(f, &out->volume, centre, K)) {
        return zw_model_raise(m, ZW_E_MODEL, d->where, subject, "give points that do not lie in one plane",
                              "its form has no volume: %d point%s, all in one plane or too few or too many", f->n, f->n == 1 ? "" : "s");
    }
    zw_m3_mulv(out->centre, placed->R, centre);
    zw_v3_add(out->centre, out->centre, x);
    zw_m3_mul(t, placed->R, K);
    zw_m3_mult(out->inertia, t, placed->R);
    out->own = d->mass.node != 0 || d->density.node != 0;
    if (d->mass.node != 0) {
        return positive(m, d->mass, subject, "mass", &out->mass);
    }
    if (d->density.node != 0) {
        ZW_TRY(positive(m, d->density, subject, "density", &out->mass));
        out->mass *= out->volume;
    }
    return ZW_OK;
}

/* masses of the members that have none of their own */
static zw_status share_mass(const zw_model *m, const zw_body_def *def, const char *subject, int n, member *all) {
    const zw_rigid_def *d = &def->rigid;
    double              known = 0.0, open = 0.0, density = 0.0, mass;
    char                number[2][ZW_NUMBER_TEXT];
    for (int i = 0; i < n; i++) {
        known += all[i].own ? all[i].mass : 0.0;
        open += all[i].own ? 0.0 : all[i].volume;
    }
    if (d->density.node != 0) {
        ZW_TRY(positive(m, d->density, subject, "density", &density));
    } else if (d->mass.node != 0) {
        ZW_TRY(positive(m, d->mass, subject, "mass", &mass));
        if (open > 0.0 ? mass <= known : fabs(mass - known) > 1e-9 * mass) {
            return zw_model_raise(m, ZW_E_MODEL, d->mass.at, subject, "leave the mass of the body away, or that of its members",
                                  "its mass %s kg does not agree with that of its members, %s kg", zw_number_short(mass, 6, number[0]),
                                  zw_number_short(known, 6, number[1]));
        }
        density = open > 0.0 ? (mass - known) / open : 0.0;
    } else if (open > 0.0) {
        return zw_model_raise(m, ZW_E_MODEL, def->at, subject, "add mass: or density:", "the body has neither a mass nor a density");
    }
    for (int i = 0; i < n; i++) {
        all[i].mass = all[i].own ? all[i].mass : density * all[i].volume;
    }
    return ZW_OK;
}

static void add_up(int n, const member *all, zw_rigid *b) {
    for (int i = 0; i < n; i++) {
        b->mass += all[i].mass;
        zw_v3_addscaled(b->com, b->com, all[i].mass, all[i].centre);
    }
    zw_v3_scale(b->com, 1.0 / b->mass, b->com);
    for (int i = 0; i < n; i++) {
        double d[3], away[9];
        zw_v3_sub(d, all[i].centre, b->com);
        zw_m3_addscaled(b->inertia, b->inertia, all[i].mass / all[i].volume, all[i].inertia);
        zw_m3_outer(away, d, d);
        zw_m3_addscaled(b->inertia, b->inertia, -all[i].mass, away);
        for (int k = 0; k < 3; k++) {
            b->inertia[4 * k] += all[i].mass * zw_v3_norm2(d);
        }
    }
}

static zw_status given_inertia(const zw_model *m, const zw_body_def *def, zw_rigid *b) {
    const zw_rigid_def *d = &def->rigid;
    char                subject[128], number[ZW_NUMBER_TEXT];
    double              most = 0.0;
    snprintf(subject, sizeof subject, "bodies.%s.rigid.inertia", def->name);
    zw_m3_zero(b->inertia);
    for (int i = 0; i < d->ninertia; i++) {
        double *to = &b->inertia[d->ninertia == 3 ? 4 * i : i];
        ZW_TRY(zw_model_constant(m, d->inertia[i], subject, to));
        most = fmax(most, fabs(*to));
    }
    for (int i = 0; i < 3; i++) {
        int    k = (i + 1) % 3;
        double skew = b->inertia[3 * i + k] - b->inertia[3 * k + i];
        if (fabs(skew) > 1e-12 * most) {
            return zw_model_raise(m, ZW_E_MODEL, d->inertia[0].at, subject, "an inertia is symmetric",
                                  "the two numbers of row %d and column %d differ by %s kg m^2", i + 1, k + 1,
                                  zw_number_short(fabs(skew), 4, number));
        }
        b->inertia[3 * i + k] = b->inertia[3 * k + i] = 0.5 * (b->inertia[3 * i + k] + b->inertia[3 * k + i]);
    }
    return ZW_OK;
}

zw_status zw_rigid_forms(const zw_model *m, const zw_body_def *def, zw_arena *a, zw_rigid *b) {
    const zw_rigid_def *d = &def->rigid;
    char                subject[128];
    bool                compound = d->form.kind == ZW_FORM_COMPOUND;
    snprintf(subject, sizeof subject, "bodies.%s.rigid", def->name);
    b->nforms = compound ? d->form.nmembers : d->form.kind == ZW_FORM_NONE ? 0 : 1;
    b->form = zw_arena_alloc(a, (size_t)b->nforms + 1, sizeof *b->form, "forms of a rigid body");
    member *all = zw_arena_alloc(a, (size_t)b->nforms + 1, sizeof *all, "forms of a rigid body");
    if (b->form == NULL || all == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < b->nforms; i++) {
        ZW_TRY(read_member(m, compound ? &d->form.member[i] : &d->form, subject, a, &b->form[i], &all[i]));
    }
    if (b->nforms > 0) {
        ZW_TRY(share_mass(m, def, subject, b->nforms, all));
        add_up(b->nforms, all, b);
    } else if (d->mass.node == 0 || d->ninertia == 0) {
        return zw_model_raise(m, ZW_E_MODEL, def->at, subject, "give mass and inertia, or a form",
                              "a body without a form needs a mass and an inertia");
    } else {
        ZW_TRY(positive(m, d->mass, subject, "mass", &b->mass));
    }
    for (int i = 0; i < b->nforms; i++) {
        zw_v3_sub(b->form[i].x, b->form[i].x, b->com);
    }
    return d->ninertia > 0 ? given_inertia(m, def, b) : ZW_OK;
}

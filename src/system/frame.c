/* SPDX-License-Identifier: Apache-2.0
 * frame.c: frames of reference that the model names: where they are, the start of what is placed in them, and whether all of the model rests in one that spins.
 *
 * A body placed in a frame has its start written in the axes of the frame and from its origin; it is taken to space once, when the system is made, with the velocity of
 * the frame below its own. A carried frame is where its place is, so that its carrier is taken to space before what is placed in it. */
#include "system/system.h"

#include "base/context.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "parts/rigid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int zw_system_references(const zw_system *y) {
    return y->nreferences;
}

zw_status zw_system_reference(const zw_system *y, const zw_state *x, int i, zw_frame *F) {
    zw_reference *k = &y->reference[i];
    if (!k->carried) {
        return zw_carriage_at(&k->moving, x->t, F, NULL);
    }
    double arm[3], turned[3];
    zw_system_frame(y, x, &k->place, F, NULL);
    zw_m3_mulv(arm, F->R, k->moving.origin);
    zw_v3_cross(turned, F->w, arm);
    zw_v3_add(F->r, F->r, arm);
    zw_v3_add(F->v, F->v, turned);
    zw_m3_mul(F->R, F->R, k->moving.R0);
    return ZW_OK;
}

/* bodies that wait for nobody go first; the reader has seen to it that there is no circle */
static zw_status place_bodies(zw_system *y, zw_state *x) {
    const zw_model *m = y->model;
    bool           *placed = zw_arena_alloc(&y->arena, (size_t)m->nbodies + 1, sizeof *placed, "frames");
    int             left = m->nbodies;
    if (placed == NULL) {
        return ZW_E_MEMORY;
    }
    for (int last = -1; left > 0 && left != last;) {
        last = left;
        ZW_TRY(zw_system_start(y, x));
        for (int i = 0; i < m->nbodies; i++) {
            int frame = m->bodies[i].frame - 1;
            if (placed[i] || (frame >= 0 && m->frames[frame].carried && !placed[m->frames[frame].place.body])) {
                continue;
            }
            if (frame >= 0) {
                const zw_part *p = &y->part[y->body_part[i]];
                zw_frame       F;
                ZW_TRY(zw_system_reference(y, x, frame, &F));
                p->ops->carry(p->self, y->body_index[i], &F);
                ZW_TRY(zw_system_start(y, x));
            }
            placed[i] = true;
            left--;
        }
    }
    if (left > 0) {
        return zw_raise(y->context, ZW_E_MODEL, "frames", "place one of the bodies in space", "the start of %d bodies goes in a circle",
                        left);
    }
    return ZW_OK;
}

zw_status zw_system_bind_frames(zw_system *y) {
    const zw_model *m = y->model;
    zw_state        x;
    bool            used = false;
    if (m->nframes == 0) {
        return ZW_OK;
    }
    y->reference = zw_arena_alloc(&y->arena, (size_t)m->nframes, sizeof *y->reference, "frames");
    if (y->reference == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < m->nframes; i++) {
        const zw_frame_def *def = &m->frames[i];
        zw_reference       *k = &y->reference[y->nreferences++];
        char                subject[128];
        k->carried = def->carried;
        ZW_TRY(zw_carriage_create(m, def, &k->moving));
        zw_q_from_matrix(k->moving.R0, k->tilt);
        if (k->carried) {
            snprintf(subject, sizeof subject, "frames.%.90s.carried", def->name);
            ZW_TRY(zw_system_bind_place(y, &def->place, subject, &k->place));
        }
    }
    for (int i = 0; i < m->nbodies; i++) {
        used = used || m->bodies[i].frame > 0;
    }
    if (!used) {
        return ZW_OK;
    }
    ZW_TRY(zw_state_create(y->context, &y->size, &x));
    zw_status status = place_bodies(y, &x);
    zw_state_destroy(y->context, &x);
    return status;
}

void zw_system_destroy_frames(zw_system *y) {
    for (int i = 0; i < y->nreferences; i++) {
        zw_carriage_destroy(&y->reference[i].moving);
    }
}

/* ---- steady spin */

#define NOT_STEADY(...) (snprintf(out->why, sizeof out->why, __VA_ARGS__), false)

static bool along(const double v[3], const double w[3]) {
    double across[3];
    zw_v3_cross(across, v, w);
    return zw_v3_norm(across) <= 1e-12 * zw_v3_norm(v) * zw_v3_norm(w);
}

static bool loads_steady(const zw_system *y, zw_spin *out) {
    double g[3], v[3];
    if (y->gravity_moves) {
        return NOT_STEADY("gravity depends on t");
    }
    if (y->gravity_acts) {
        zw_field gravity = y->gravity;
        if (zw_field_eval(&gravity, "gravity", g) != ZW_OK || !along(g, out->w)) {
            return NOT_STEADY("gravity is not along the axis of the spin: it turns in the frame");
        }
    }
    for (int i = 0; i < y->nloads; i++) {
        zw_field f = y->load[i].field;
        if (f.of_time) {
            return NOT_STEADY("load '%.60s' depends on t", y->load[i].name);
        }
        if (y->load[i].directors && !f.of_space) {
            continue;
        }
        if (f.of_space) {
            return NOT_STEADY("load '%.60s' depends on the place in space, which turns in the frame", y->load[i].name);
        }
        for (int k = 0; k < (f.of_label ? y->load[i].nstations : 1); k++) {
            if (f.of_label) {
                zw_field_set_label(&f, y->load[i].label[k]);
            }
            if (zw_field_eval(&f, y->load[i].name, v) != ZW_OK || !along(v, out->w)) {
                return NOT_STEADY("load '%.60s' is not along the axis of the spin: it turns in the frame", y->load[i].name);
            }
        }
    }
    return true;
}

static bool holders_steady(const zw_system *y, int frame, zw_spin *out) {
    const zw_model *m = y->model;
    for (int i = 0; i < m->nconstraints; i++) {
        const zw_constraint_def *d = &m->constraints[i];
        for (int k = 0; k < 3; k++) {
            if (d->shift[k].node != 0 || d->turn[k].node != 0) {
                return NOT_STEADY("constraint '%.60s' has a motion of its own", d->name);
            }
        }
        if (d->b.body < 0 && d->frame != 1 + frame) {
            return NOT_STEADY("constraint '%.60s' holds to what does not turn with '%.40s'", d->name, m->frames[frame].name);
        }
    }
    if (m->nunilaterals > 0) {
        return NOT_STEADY("constraint '%.60s' is an inequality in space axes", m->unilaterals[0].name);
    }
    if (m->nobstacles > 0) {
        return NOT_STEADY("obstacle '%.60s' does not turn with '%.40s'", m->obstacles[0].name, m->frames[frame].name);
    }
    for (int i = 0; i < m->nbodies; i++) {
        if (m->bodies[i].kind != ZW_BODY_ROD && m->bodies[i].kind != ZW_BODY_RIGID) {
            return NOT_STEADY("body '%.60s' has coordinates of its own, which do not turn with a frame", m->bodies[i].name);
        }
        if (m->bodies[i].kind == ZW_BODY_RIGID && m->bodies[i].rigid.planar) {
            const zw_rigid *b = &((const zw_rigids *)y->part[y->body_part[i]].self)->body[y->body_index[i]];
            if (!along(b->plane, out->w)) {
                return NOT_STEADY("body '%.60s' moves in a plane that the spin turns out of", m->bodies[i].name);
            }
        }
    }
    return true;
}

bool zw_system_spin(const zw_system *y, zw_spin *out) {
    int moving = -1;
    *out = (zw_spin){0};
    for (int i = 0; i < y->nreferences; i++) {
        const zw_reference *k = &y->reference[i];
        if (k->carried || (!k->moving.spins && !k->moving.moves)) {
            continue;
        }
        if (k->moving.moves) {
            return NOT_STEADY("frame '%.60s' moves as prescribed, not by a steady spin", k->moving.name);
        }
        if (moving >= 0) {
            return NOT_STEADY("frames '%.50s' and '%.50s' both move", y->reference[moving].moving.name, k->moving.name);
        }
        moving = i;
    }
    if (moving < 0) {
        return false; /* nothing moves */
    }
    zw_v3_copy(out->w, y->reference[moving].moving.spin);
    zw_v3_copy(out->centre, y->reference[moving].moving.origin);
    out->spins = loads_steady(y, out) && holders_steady(y, moving, out);
    return out->spins;
}

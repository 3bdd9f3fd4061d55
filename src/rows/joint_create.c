/* SPDX-License-Identifier: Apache-2.0
 * joint_create.c: from the model's words to a joint: which components it holds, along which axes, from which relative frame, with which motion. */
#include "rows/joint_part.h"

#include "base/context.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static zw_status bind_motion(const zw_model *m, const zw_constraint_def *def, zw_joint *k) {
    zw_quantity motion[6], rate[6], rate2[6];
    for (int i = 0; i < 3; i++) {
        motion[i] = def->shift[i];
        motion[3 + i] = def->turn[i];
    }
    for (int i = 0; i < 6; i++) {
        rate[i] = rate2[i] = motion[i];
        if (motion[i].node != 0) {
            k->moves = true;
            rate[i].node = zw_node_diff(m->pool, motion[i].node, m->slot_t);
            rate2[i].node = rate[i].node != 0 ? zw_node_diff(m->pool, rate[i].node, m->slot_t) : 0;
            if (rate2[i].node == 0) {
                return ZW_E_MEMORY;
            }
        }
    }
    if (!k->moves) {
        return ZW_OK;
    }
    ZW_TRY(zw_field_create(m, 6, motion, NULL, &k->motion));
    ZW_TRY(zw_field_create(m, 6, rate, NULL, &k->rate));
    ZW_TRY(zw_field_create(m, 6, rate2, NULL, &k->rate2));
    double start[6];
    char   subject[128], number[ZW_NUMBER_TEXT];
    snprintf(subject, sizeof subject, "constraints.%s.motion", def->name);
    ZW_TRY(zw_field_eval(&k->motion, subject, start));
    for (int i = 0; i < 6; i++) {
        k->elsewhere = k->elsewhere || (fabs(start[i]) > 1e-12 && m->statics.vary != NULL);
        if (fabs(start[i]) > 1e-12 && !k->elsewhere) {
            return zw_model_raise(m, ZW_E_MODEL, motion[i].at, subject, "a motion is counted from the start: subtract its value at t = 0",
                                  "%s[%d] is %s at t = 0, not 0", i < 3 ? "shift" : "turn", i % 3 + 1,
                                  zw_number_short(start[i], 6, number));
        }
    }
    return ZW_OK;
}

static void count_reach(zw_joint *k, const zw_place *p, const zw_jet *J) {
    if (p->track > 0) { /* wherever it goes: the two nodes of a link */
        k->nblocks += 2;
        k->ncols += 2 * J->ncol[0];
        return;
    }
    k->nblocks += J->nblocks;
    for (int i = 0; i < J->nblocks; i++) {
        k->ncols += J->ncol[i];
    }
}

static bool is(const zw_constraint_def *def, const char *kind) {
    return strcmp(def->kind, kind) == 0;
}

static bool has_axis(const zw_constraint_def *def) {
    return is(def, "hinge") || is(def, "slider") || is(def, "universal");
}

/* components as written: of the working axes where the joint has an axis, else of the axes of B */
static void list_components(const zw_constraint_def *def, zw_joint *k) {
    unsigned fix = def->fix;
    k->universal = is(def, "universal");
    if (is(def, "hinge")) {
        fix = ZW_FIX_ALL & ~(unsigned)ZW_FIX_RZ;
        k->free = 'a';
    } else if (is(def, "slider")) {
        fix = ZW_FIX_ALL & ~(unsigned)ZW_FIX_Z;
        k->free = 'w';
    } else if (k->universal) {
        fix = ZW_FIX_POSITION | ZW_FIX_RY;
    }
    for (int i = 0; i < 3; i++) {
        if (fix & (unsigned)(ZW_FIX_X << i)) {
            k->pos[k->npos++] = i;
        }
        if (fix & (unsigned)(ZW_FIX_RX << i)) {
            k->rot[k->nrot++] = i;
        }
    }
    k->nwritten = k->npos + k->nrot;
    for (int i = 0; i < k->nwritten; i++) {
        k->slot[i] = i;
    }
}

/* work = rotation whose columns are x, z cross x, z; x is made to be across z */
static void set_working_axes(zw_joint *k, const double z[3], const double x[3]) {
    double W[9], c[3][3];
    zw_v3_unit(c[2], z);
    zw_v3_addscaled(c[0], x, -zw_v3_dot(x, c[2]), c[2]);
    zw_v3_unit(c[0], c[0]);
    zw_v3_cross(c[1], c[2], c[0]);
    zw_m3_from_columns(W, c[0], c[1], c[2]);
    zw_q_from_matrix(W, k->work);
    k->turned = true;
}

/* the unit axis that is farthest from along z */
static void across(const double z[3], double out[3]) {
    int axis = 0;
    for (int i = 1; i < 3; i++) {
        axis = fabs(z[i]) < fabs(z[axis]) ? i : axis;
    }
    zw_v3_zero(out);
    out[axis] = 1.0;
}

/* `axis` is in the axes of the first body, or of space where the other side is the ground, or of the frame that the joint is to */
static zw_status bind_axis(const zw_model *m, const zw_constraint_def *def, const zw_frame *A, const zw_frame *B, zw_joint *k) {
    char   subject[128];
    double axis[3], space[3], z[3], x[3];
    snprintf(subject, sizeof subject, "constraints.%s.axis", def->name);
    for (int i = 0; i < 3; i++) {
        axis[i] = 0.0;
        if (def->axis[i].node != 0) {
            ZW_TRY(zw_model_constant(m, def->axis[i], subject, &axis[i]));
        }
    }
    if (!(zw_v3_unit(axis, axis) > 0.0)) {
        return zw_model_raise(m, ZW_E_MODEL, def->at, subject, "give a direction, for example axis: [0, 1, 0]",
                              "the %s has no axis: it is [0, 0, 0]", def->kind);
    }
    zw_v3_copy(space, axis);
    if (def->frame > 0) {
        if (k->tilted) {
            zw_q_rotate(k->tilt, axis, axis);
        }
        zw_m3_mulv(space, B->R, axis);
    } else if (!k->ground) {
        zw_m3_mulv(space, A->R, axis);
    }
    zw_m3_tmulv(z, B->R, space);
    across(z, x);
    if (k->universal) { /* its second axis is across the first one and the shaft of the second body (of the only one): d3, or d1 where that is the axis itself */
        const zw_frame *of = k->ground ? A : B;
        double          shaft[3], local[3];
        for (int column = 2; column >= 0; column -= 2) {
            zw_m3_column(shaft, of->R, column);
            zw_m3_tmulv(local, B->R, shaft);
            zw_v3_cross(x, z, local);
            if (zw_v3_norm(x) > 1e-3) {
                break;
            }
        }
    }
    set_working_axes(k, z, x);
    return ZW_OK;
}

static void leave_away(zw_joint *k, int normal) {
    int npos = 0, nrot = 0, n = 0;
    for (int i = 0; i < k->npos; i++) {
        if (k->pos[i] != normal) {
            k->slot[n++] = k->slot[i];
            k->pos[npos++] = k->pos[i];
        }
    }
    for (int i = 0; i < k->nrot; i++) {
        if (k->rot[i] == normal) {
            k->slot[n++] = k->slot[k->npos + i];
            k->rot[nrot++] = k->rot[i];
        }
    }
    k->npos = npos;
    k->nrot = nrot;
}

/* Bodies that move in one plane never leave it: a component along its normal and rotations across it hold nothing. Left away where the normal is one of the
 * axes that components are counted along, which working axes see to where whole vectors are held. */
static void leave_plane_away(const zw_model *m, const zw_constraint_def *def, const zw_frame *B, zw_joint *k) {
    const zw_place *a = &k->a, *b = &k->b;
    double          n[3], apart[3], x[3];
    if (!a->planar || k->universal || (!k->ground && !b->planar) || (k->turned && !has_axis(def))) {
        return;
    }
    if (k->base != NULL && !zw_carriage_keeps(k->base, &m->frames[def->frame - 1], a->normal)) {
        return;
    }
    if (!k->ground) {
        zw_v3_cross(apart, a->normal, b->normal);
        if (zw_v3_norm(apart) > 1e-12) {
            return;
        }
    }
    zw_m3_tmulv(n, B->R, a->normal);
    if (has_axis(def)) {
        double z[3], e[3] = {0.0, 0.0, 1.0};
        zw_q_rotate(k->work, e, z);
        if (is(def, "slider") && fabs(zw_v3_dot(z, n)) < 1e-12) {
            set_working_axes(k, z, n);
            leave_away(k, 0);
        } else if (is(def, "hinge") && fabs(zw_v3_dot(z, n)) > 1.0 - 1e-12) {
            leave_away(k, 2);
        }
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (fabs(n[i]) > 1.0 - 1e-14) {
            leave_away(k, i);
            return;
        }
    }
    if (k->npos % 3 == 0 && k->nrot % 3 == 0) {
        across(n, x);
        set_working_axes(k, n, x);
        leave_away(k, 2);
    }
}

/* hinges, balls and universal joints bring two points together */
static zw_status check_gap(const zw_model *m, const zw_constraint_def *def, const zw_frame *A, const double d[3], int a, int b) {
    double gap = zw_v3_norm(d), scale = 1.0 + zw_v3_norm(A->r);
    char   subject[128], number[ZW_NUMBER_TEXT];
    if (gap <= 1e-6 * scale) {
        return ZW_OK;
    }
    snprintf(subject, sizeof subject, "constraints.%s", def->name);
    return zw_model_raise(m, ZW_E_MODEL, def->at, subject,
                          "place the bodies so that the two points meet, or use fixed or clamp to keep them apart",
                          "the points of the %s joint are %s m apart at the start: the one on '%s' and the one on '%s'", def->kind,
                          zw_number_short(gap, 4, number), m->bodies[a].name, m->bodies[b].name);
}

zw_status zw_joint_create(const zw_model *m, const zw_constraint_def *def, const zw_system *y, const zw_state *x, const zw_place *a,
                          const zw_joint_base *base, const zw_constraint_ops **ops, void **out) {
    const zw_place *b = base->b;
    zw_status       status = ZW_OK;
    bool            meets = is(def, "ball") || is(def, "hinge") || is(def, "universal");
    *out = NULL;
    *ops = &zw_joint_ops;
    zw_joint *k = zw_alloc(m->context, 1, sizeof *k, "a joint");
    if (k == NULL) {
        return ZW_E_MEMORY;
    }
    k->context = m->context;
    k->name = def->name;
    k->a = *a;
    k->ground = b == NULL;
    k->base = base->frame;
    if (b != NULL) {
        k->b = *b;
    }
    list_components(def, k);
    if (base->tilt != NULL) {
        k->tilted = true;
        zw_q_copy(base->tilt, k->tilt);
        if (k->npos % 3 != 0 || k->nrot % 3 != 0) { /* components of the frame; whole vectors have no axes */
            k->turned = true;
            zw_q_copy(k->tilt, k->work);
        }
    }
    ZW_TRY_GOTO(bind_motion(m, def, k), fail);
    if ((k->nrot > 0 && !a->turns) || (b != NULL && (k->nrot > 0 || !is(def, "ball")) && !b->turns)) {
        char subject[128];
        snprintf(subject, sizeof subject, "constraints.%s", def->name);
        status = zw_model_raise(m, ZW_E_MODEL, def->at, subject, "give the point a turn, or use a ball",
                                "it holds a rotation, and the point it holds on to has no axes that could turn");
        goto fail;
    }
    bool unknown = a->driven || (b != NULL && b->driven); /* rates of such places are not known in closed form */
    k->driven = unknown || (k->base != NULL && (k->base->spins || k->base->moves));

    zw_frame A, B;
    zw_jet   J;
    ZW_TRY_GOTO(zw_joint_ground(k, x->t, &B, NULL), fail);
    zw_system_frame(y, x, a, &A, &J);
    count_reach(k, a, &J);
    if (b != NULL) {
        zw_system_frame(y, x, b, &B, &J);
        count_reach(k, b, &J);
    }
    double d[3], qa[4], qb[4], rate[6];
    zw_v3_sub(d, A.r, B.r);
    zw_m3_tmulv(k->c, B.R, d);
    if (b != NULL && meets && def->frame == 0) {
        ZW_TRY_GOTO(check_gap(m, def, &A, d, a->body, b->body), fail);
        zw_v3_zero(k->c);
    }
    zw_q_from_matrix(A.R, qa);
    zw_q_from_matrix(B.R, qb);
    zw_q_conj_mul(qb, qa, k->q0);
    if (has_axis(def)) {
        ZW_TRY_GOTO(bind_axis(m, def, &A, &B, k), fail);
    }
    leave_plane_away(m, def, &B, k);
    bool exact = !unknown && zw_system_frame_rate(y, x, a, rate) && (b == NULL || zw_system_frame_rate(y, x, b, rate));
    *ops = exact ? &zw_joint_exact_ops : &zw_joint_ops;
    *out = k;
    return ZW_OK;
fail:
    zw_joint_destroy(k);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0
 * feature_mover.c: what carries forms, and how far the forms of a pair are apart.
 *
 * Movers are bodies, nodes and links of rods, and obstacles; forms are kept in their axes. A link has its middle between its two nodes and its z axis along the line
 * between them, turned from the first node the shortest way; it turns with u x (v1 - v0)/L, and its length is a number of its own. */
#include "rows/feature_part.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

int zw_features_add_mover(zw_features *f, zw_mover m) {
    for (int i = f->nmovers - 1; i >= 0; i--) {
        if (f->mover[i].kind == m.kind && f->mover[i].index == m.index) {
            return i;
        }
    }
    f->mover[f->nmovers] = m;
    return f->nmovers++;
}

int zw_features_movers(const zw_features *f) {
    return f->nmovers;
}

bool zw_features_mover_timed(const zw_features *f, int mover) {
    return f->mover[mover].kind == ZW_MOVER_OBSTACLE && f->meet->obstacle[f->mover[mover].index].moves;
}

bool zw_features_mover_rests(const zw_features *f, int mover) {
    return f->mover[mover].kind == ZW_MOVER_OBSTACLE && !f->meet->obstacle[f->mover[mover].index].moves;
}

/* from places, velocities (space) of two nodes, and the quaternion of the first */
static void link_at(const double *q0, const double *q1, const double *v0, const double *v1, double *z) {
    static const double ez[3] = {0.0, 0.0, 1.0};
    double              d3[3], u[3], c[3], dv[3], turn[4];
    zw_v3_sub(u, q1, q0);
    double length = zw_v3_unit(u, u);
    zw_q_rotate(q0 + 3, ez, d3);
    zw_v3_cross(c, d3, u);
    turn[0] = fmax(1.0 + zw_v3_dot(d3, u), 1e-12); /* links never turn back on their nodes */
    zw_v3_copy(turn + 1, c);
    zw_q_mul(turn, q0 + 3, z + 3);
    zw_q_normalize(z + 3);
    zw_v3_sub(dv, v1, v0);
    for (int i = 0; i < 3; i++) {
        z[i] = 0.5 * (q0[i] + q1[i]);
        z[7 + i] = 0.5 * (v0[i] + v1[i]);
    }
    zw_v3_cross(z + 10, u, dv);
    zw_v3_scale(z + 10, 1.0 / length, z + 10);
    z[ZW_MOVER_NUMBERS - 1] = 0.5 * length;
}

zw_status zw_features_mover(zw_features *f, int mover, const zw_state *x, double *z) {
    const zw_mover *m = &f->mover[mover];
    z[ZW_MOVER_NUMBERS - 1] = 0.0;
    if (m->kind == ZW_MOVER_OBSTACLE) {
        zw_meet_obstacle *o = &f->meet->obstacle[m->index];
        ZW_TRY(zw_meet_obstacle_at(f->meet, o, x->t));
        zw_v3_copy(z, o->x);
        zw_q_from_matrix(o->R, z + 3);
        zw_v3_copy(z + 7, o->v);
        zw_v3_copy(z + 10, o->w);
        return ZW_OK;
    }
    const zw_part *part = &f->parts[m->part];
    const double  *q = x->q + part->q0, *v = x->v + part->v0;
    if (m->kind == ZW_MOVER_RIGID) {
        memcpy(z, q + m->rigid->q0, 7 * sizeof *z);
        zw_rigid_velocity(m->rigid, v, z + 7);
        zw_rigid_spin(m->rigid, q, v, z + 10);
        return ZW_OK;
    }
    if (m->kind == ZW_MOVER_LINK) {
        link_at(q + ZW_ROD_NQ * (ptrdiff_t)m->index, q + ZW_ROD_NQ * (ptrdiff_t)m->far, v + ZW_ROD_NV * (ptrdiff_t)m->index + 3,
                v + ZW_ROD_NV * (ptrdiff_t)m->far + 3, z);
        return ZW_OK;
    }
    q += ZW_ROD_NQ * (ptrdiff_t)m->index;
    v += ZW_ROD_NV * (ptrdiff_t)m->index;
    memcpy(z, q, 7 * sizeof *z);
    memcpy(z + 7, v + 3, 3 * sizeof *z);
    zw_q_rotate(q + 3, v, z + 10);
    return ZW_OK;
}

/* ---- pairs */

int zw_features_pairs(const zw_features *f) {
    return f->npairs;
}

const char *zw_features_pair_name(const zw_features *f, int pair) {
    return f->pair[pair].name;
}

zw_where zw_features_pair_where(const zw_features *f, int pair) {
    const zw_form_pair *p = &f->pair[pair];
    int                 solid = p->b - f->meet->npieces;
    return solid >= 0 ? f->meet->obstacle[f->meet->of_solid[solid]].def->at : f->model->bodies[f->meet->piece[p->a].body].at;
}

void zw_features_pair_movers(const zw_features *f, int pair, int mover[2]) {
    mover[0] = f->pair[pair].mover[0];
    mover[1] = f->pair[pair].mover[1];
}

bool zw_features_pair_hollow(const zw_features *f, int pair) {
    zw_solid_kind kind = f->pair[pair].kind;
    return kind == ZW_SOLID_BALL_ROOM || kind == ZW_SOLID_PIPE || kind == ZW_SOLID_LEVEL;
}

double zw_features_pair_size(const zw_features *f, int pair) {
    return f->pair[pair].size;
}

static void place(const zw_placed *form, const double *z, zw_placed *out) {
    double R[9];
    zw_q_to_matrix(z + 3, R);
    out->form = form->form;
    zw_m3_mulv(out->x, R, form->x);
    zw_v3_add(out->x, out->x, z);
    zw_m3_mul(out->R, R, form->R);
}

void zw_features_distance(zw_features *f, int pair, const double *a, const double *b, zw_touch *out, double reach[2]) {
    const zw_form_pair *p = &f->pair[pair];
    zw_placed           A, B;
    zw_form             own[2];
    double              z[3];
    place(&p->form[0], a, &A);
    place(&p->form[1], b, &B);
    if (p->link[0]) {
        own[0] = *A.form;
        own[0].half = a[ZW_MOVER_NUMBERS - 1];
        A.form = &own[0];
    }
    if (p->link[1]) {
        own[1] = *B.form;
        own[1].half = b[ZW_MOVER_NUMBERS - 1];
        B.form = &own[1];
    }
    zw_m3_column(z, B.R, 2);
    reach[0] = zw_v3_norm(p->form[0].x) + zw_form_reach(A.form);
    reach[1] = 0.0;
    switch (p->kind) {
    case ZW_SOLID_PLANE: zw_form_against_plane(&A, z, B.x, out); break;
    case ZW_SOLID_BALL_ROOM: zw_form_inside_ball(&A, B.x, B.form->radius, out); break;
    case ZW_SOLID_PIPE: zw_form_inside_drum(&A, B.x, z, B.form->radius, out); break;
    case ZW_SOLID_ENDLESS: {
        double  d[3];
        zw_form axis = {.shape = ZW_SHAPE_STICK, .radius = B.form->radius, .half = 4.0 * zw_form_reach(A.form)};
        zw_v3_sub(d, A.x, B.x);
        zw_v3_addscaled(B.x, B.x, zw_v3_dot(z, d), z);
        B.form = &axis;
        zw_form_distance(&A, &B, out);
        break;
    }
    default: zw_form_distance(&A, &B, out); reach[1] = zw_v3_norm(p->form[1].x) + zw_form_reach(B.form);
    }
    if (p->kind != ZW_SOLID_FORM && p->kind != ZW_SOLID_MESH) { /* a turn of an endless thing is felt at the arm of the other form */
        double arm[3];
        zw_v3_sub(arm, A.x, b);
        reach[1] = zw_v3_norm(arm) + zw_form_reach(A.form) + fabs(out->gap);
    }
}

bool zw_features_pair_behind(const zw_features *f, int pair, const double *a, const double *b) {
    const zw_form_pair *p = &f->pair[pair];
    if (p->kind != ZW_SOLID_MESH) {
        return false;
    }
    const zw_meet_obstacle *o = &f->meet->obstacle[f->mover[p->mover[1]].index];
    int                     k = p->b - f->meet->npieces - o->solid0;
    double                  n[3], at[3], d[3];
    zw_placed               A;
    place(&p->form[0], a, &A);
    zw_q_rotate(b + 3, o->normal + 3 * (ptrdiff_t)k, n);
    zw_q_rotate(b + 3, o->corner + 9 * (ptrdiff_t)k, at);
    zw_v3_add(at, at, b);
    zw_v3_sub(d, A.x, at);
    return zw_v3_dot(n, d) <= 0.0;
}

bool zw_features_pair_level(const zw_features *f, int pair) {
    return f->pair[pair].kind == ZW_SOLID_LEVEL;
}

zw_status zw_features_level_gap(zw_features *f, int pair, const zw_state *x, double *gap) {
    const zw_form_pair *p = &f->pair[pair];
    double              z[ZW_MOVER_NUMBERS];
    zw_placed           A;
    zw_meeting          met[ZW_MEET_POINTS];
    zw_meet_obstacle   *o = &f->meet->obstacle[f->mover[p->mover[1]].index];
    int                 n;
    *gap = INFINITY;
    ZW_TRY(zw_features_mover(f, p->mover[0], x, z));
    ZW_TRY(zw_meet_obstacle_at(f->meet, o, x->t));
    place(&p->form[0], z, &A);
    ZW_TRY(zw_meet_level_find(f->meet, o, &A, x->t, 0.0, met, &n));
    for (int i = 0; i < n; i++) {
        *gap = fmin(*gap, met[i].touch.gap);
    }
    return ZW_OK;
}

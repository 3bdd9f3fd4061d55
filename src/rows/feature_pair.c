/* SPDX-License-Identifier: Apache-2.0
 * feature_pair.c: which forms meet, by which features.
 *
 * Movers are bodies, nodes of rods and obstacles; forms are kept in their axes. With radii r of the two forms together:
 *   corners against faces, edges against edges (both ways around the crossing)                             always
 *   corners against edges and corners                                                                     where r > 0: without, they touch only by chance,
 *                                                                                                         and at the end of a face or edge
 * A link of a rod meets planes and hollows with its nodes, which are the ends of its capsule. */
#include "rows/feature_part.h"

#include "base/context.h"
#include "math/form_core.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PAIR_MOST = 4096, SIDES_MOST = 200000 };

/* ---- movers */

static int add_mover(zw_features *f, zw_mover m) {
    for (int i = f->nmovers - 1; i >= 0; i--) {
        if (f->mover[i].kind == m.kind && f->mover[i].index == m.index) {
            return i;
        }
    }
    f->mover[f->nmovers] = m;
    return f->nmovers++;
}

static const zw_rods *rods_of(const zw_features *f, const zw_meet_piece *p) {
    return f->parts[p->part].self;
}

/* the mover of a piece, and its form in the axes of that; node: which end of a link */
static int mover_of_piece(zw_features *f, int i, int end, zw_placed *form, zw_form *ball) {
    const zw_meet_piece *p = &f->meet->piece[i];
    if (p->link >= 0) {
        const zw_rods *rods = rods_of(f, p);
        zw_carried     carried;
        f->parts[p->part].ops->carrier->piece(rods, p->k, &carried);
        const zw_rod *r = &rods->rod[carried.body];
        int           near = r->node0 + p->link, far = zw_rod_far(r, p->link), node = end == 0 ? near : far;
        *ball = (zw_form){.shape = ZW_SHAPE_BALL, .radius = 0.5 * (rods->radius[near] + rods->radius[far])};
        *form = (zw_placed){.form = ball};
        zw_m3_identity(form->R);
        return add_mover(f, (zw_mover){.kind = ZW_MOVER_NODE, .index = node, .part = p->part});
    }
    const zw_rigids *all = f->parts[p->part].self;
    int              body = all->of_piece[p->k];
    const zw_rigid  *b = &all->body[body];
    const zw_placed *written = &b->form[p->k - all->piece0[body]];
    double           axes[9];
    zw_q_to_matrix(b->axes, axes);
    form->form = written->form;
    zw_m3_tmulv(form->x, axes, written->x); /* principal axes */
    zw_m3_tmul(form->R, axes, written->R);
    return add_mover(f, (zw_mover){.kind = ZW_MOVER_RIGID, .index = body, .part = p->part, .rigid = b});
}

int zw_features_movers(const zw_features *f) {
    return f->nmovers;
}

bool zw_features_mover_rests(const zw_features *f, int mover) {
    return f->mover[mover].kind == ZW_MOVER_OBSTACLE && !f->meet->obstacle[f->mover[mover].index].moves;
}

zw_status zw_features_mover(zw_features *f, int mover, const zw_state *x, double *z) {
    const zw_mover *m = &f->mover[mover];
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
    double              z[3];
    place(&p->form[0], a, &A);
    place(&p->form[1], b, &B);
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

/* ---- features of a pair: counted first, then made */

typedef struct making {
    zw_features       *f;
    int                pair, number;
    const zw_elements *of[2];
    bool               make;
} making;

static zw_feature_side *next(making *k, int first, zw_formula_kind kind, const char *what, int i, int j) {
    zw_features *f = k->f;
    k->number++;
    if (!k->make) {
        return NULL;
    }
    zw_feature_side *s = &f->side[f->nsides++];
    zw_feature_side_init(f, s, k->pair, first, kind);
    snprintf(s->side.name, sizeof s->side.name, "%.70s: %s %d,%d", f->pair[k->pair].name, what, i + 1, j + 1);
    s->sharp =
        k->of[0]->radius + k->of[1]->radius == 0.0 && (f->pair[k->pair].kind == ZW_SOLID_FORM || f->pair[k->pair].kind == ZW_SOLID_MESH);
    return s;
}

static void finish(zw_feature_side *s) {
    s->reach = zw_v3_norm(s->c.p) + zw_v3_norm(s->c.e) + fabs(s->c.d) + s->c.rho;
}

/* corners of one form against faces, edges, corners and rims of the other */
static void corners_against(making *k, int first) {
    const zw_elements *A = k->of[first], *B = k->of[1 - first];
    bool               round_ = A->radius + B->radius > 0.0 || B->edge_radius > 0.0;
    for (int i = 0; i < A->ncorners; i++) {
        for (int j = 0; j < B->nwalls; j++) {
            zw_feature_side *s =
                next(k, first, ZW_CORNER_FACE, first == 0 ? "corner, face" : "face, corner", first == 0 ? i : j, first == 0 ? j : i);
            if (s != NULL) {
                zw_v3_copy(s->c.p, A->corner[i].p);
                zw_v3_copy(s->c.u, B->wall[j].n);
                s->c.d = B->wall[j].d + A->radius + B->radius;
                s->corner[0] = &A->corner[i];
                s->wall = isfinite(B->wall[j].radius) ? &B->wall[j] : NULL;
                finish(s);
            }
        }
        for (int j = 0; j < B->nedges && round_; j++) {
            zw_feature_side *s =
                next(k, first, ZW_CORNER_EDGE, first == 0 ? "corner, edge" : "edge, corner", first == 0 ? i : j, first == 0 ? j : i);
            if (s != NULL) {
                zw_v3_copy(s->c.p, A->corner[i].p);
                zw_v3_copy(s->c.e, B->edge[j].p);
                zw_v3_copy(s->c.u, B->edge[j].u);
                s->c.d = A->radius + fmax(B->radius, B->edge_radius);
                s->corner[0] = &A->corner[i];
                s->edge[1] = &B->edge[j];
                finish(s);
            }
        }
        for (int j = 0; j < B->ncorners && round_ && first == 0; j++) {
            zw_feature_side *s = next(k, first, ZW_CORNER_CORNER, "corner, corner", i, j);
            if (s != NULL) {
                zw_v3_copy(s->c.p, A->corner[i].p);
                zw_v3_copy(s->c.e, B->corner[j].p);
                s->c.d = A->radius + B->radius;
                s->corner[0] = &A->corner[i];
                s->corner[1] = &B->corner[j];
                finish(s);
            }
        }
        for (int j = 0; j < B->nrims; j++) {
            zw_feature_side *s =
                next(k, first, ZW_CORNER_RIM, first == 0 ? "corner, rim" : "rim, corner", first == 0 ? i : j, first == 0 ? j : i);
            if (s != NULL) {
                zw_v3_copy(s->c.p, A->corner[i].p);
                zw_v3_copy(s->c.e, B->rim[j].p);
                zw_v3_copy(s->c.u, B->rim[j].way[0]);
                s->c.rho = B->edge_radius;
                s->c.d = A->radius;
                s->corner[0] = &A->corner[i];
                finish(s);
            }
        }
    }
}

static void edges_against_edges(making *k) {
    const zw_elements *A = k->of[0], *B = k->of[1];
    for (int i = 0; i < A->nedges; i++) {
        for (int j = 0; j < B->nedges; j++) {
            for (int side = 0; side < 2; side++) {
                zw_feature_side *s = next(k, 0, ZW_EDGE_EDGE, "edge, edge", i, j);
                if (s != NULL) {
                    zw_v3_copy(s->c.p, A->edge[i].p);
                    zw_v3_copy(s->c.f, A->edge[i].u);
                    zw_v3_copy(s->c.e, B->edge[j].p);
                    zw_v3_copy(s->c.u, B->edge[j].u);
                    s->c.d = fmax(A->radius, A->edge_radius) + fmax(B->radius, B->edge_radius);
                    s->c.sign = side == 0 ? 1.0 : -1.0;
                    s->side.twin = side == 0 ? 1 : -1;
                    s->edge[0] = &A->edge[i];
                    s->edge[1] = &B->edge[j];
                    finish(s);
                }
            }
        }
    }
}

/* inside of a hollow ball or drum */
static void corners_inside(making *k, bool pipe, double radius) {
    const zw_elements *A = k->of[0];
    for (int i = 0; i < A->ncorners; i++) {
        zw_feature_side *s = next(k, 0, pipe ? ZW_CORNER_PIPE : ZW_CORNER_BALL_ROOM, "corner, hollow", i, 0);
        if (s != NULL) {
            zw_v3_copy(s->c.p, A->corner[i].p);
            zw_v3_set(s->c.u, 0.0, 0.0, 1.0);
            s->c.d = radius - A->radius;
            finish(s);
        }
    }
    for (int i = 0; i < A->nrims; i++) {
        zw_feature_side *s = next(k, 0, ZW_RIM_BALL_ROOM, "rim, hollow", i, 0);
        if (s != NULL) {
            zw_v3_copy(s->c.p, A->rim[i].p);
            zw_v3_copy(s->c.f, A->rim[i].way[0]);
            s->c.rho = A->edge_radius;
            s->c.d = radius;
            finish(s);
        }
    }
}

/* the lowest point of a rim; and where it stands flat on the plane, that is not one point: four of them are fixed in the body */
static void rims_on_plane(making *k) {
    const zw_elements *A = k->of[0];
    double             x[3], y[3];
    for (int i = 0; i < A->nrims; i++) {
        zw_feature_side *s = next(k, 0, ZW_RIM_FACE, "rim, plane", i, 0);
        if (s != NULL) {
            zw_v3_copy(s->c.p, A->rim[i].p);
            zw_v3_copy(s->c.f, A->rim[i].way[0]);
            zw_v3_set(s->c.u, 0.0, 0.0, 1.0);
            s->c.rho = A->edge_radius;
            finish(s);
        }
        zw_any_square_to(x, A->rim[i].way[0]);
        zw_v3_cross(y, A->rim[i].way[0], x);
        for (int j = 0; j < 4; j++) {
            s = next(k, 0, ZW_CORNER_FACE, "point of the rim, plane", i, j);
            if (s != NULL) {
                zw_v3_addscaled(s->c.p, A->rim[i].p, (j & 2 ? -1.0 : 1.0) * A->edge_radius, j & 1 ? y : x);
                zw_v3_set(s->c.u, 0.0, 0.0, 1.0);
                finish(s);
            }
        }
    }
}

static zw_status refuse(const zw_features *f, int pair, zw_status code, const char *why) {
    return zw_model_raise(f->model, code, zw_features_pair_where(f, pair), "contact",
                          "use verlet, or gauss with stages: 1 and events: off; or list the pairs of contact without it",
                          "impacts of %s cannot be located: %s", f->pair[pair].name, why);
}

static zw_status make_pair(zw_features *f, int pair, const zw_elements *A, const zw_elements *B, bool make, int *count) {
    zw_form_pair *p = &f->pair[pair];
    making        k = {.f = f, .pair = pair, .of = {A, B}, .make = make};
    bool          round_a = A->nrims > 0, round_b = B->nrims > 0, link = f->meet->piece[p->a].link >= 0;
    p->side0 = f->nsides;
    if (link && (p->kind == ZW_SOLID_FORM || p->kind == ZW_SOLID_MESH || p->kind == ZW_SOLID_ENDLESS)) {
        return refuse(f, pair, ZW_E_UNSUPPORTED, "links of rods meet planes and hollows there, with their nodes");
    }
    if (p->kind == ZW_SOLID_LEVEL) {
        return refuse(f, pair, ZW_E_UNSUPPORTED, "the obstacle is an expression; a unilateral constraint on points can say the same");
    }
    if (p->kind == ZW_SOLID_PIPE && round_a) {
        return refuse(f, pair, ZW_E_UNSUPPORTED, "the rim of a cylinder in a pipe");
    }
    if (p->kind == ZW_SOLID_BALL_ROOM || p->kind == ZW_SOLID_PIPE) {
        corners_inside(&k, p->kind == ZW_SOLID_PIPE, p->form[1].form->radius);
    } else if (p->kind == ZW_SOLID_PLANE) {
        corners_against(&k, 0);
        rims_on_plane(&k);
    } else {
        bool ball = (A->ncorners == 1 && A->nedges == 0) || (B->ncorners == 1 && B->nedges == 0);
        if ((round_a || round_b) && !ball) {
            return refuse(f, pair, ZW_E_UNSUPPORTED, "a cylinder meets balls, planes and hollow balls there");
        }
        corners_against(&k, 0);
        corners_against(&k, 1);
        edges_against_edges(&k);
    }
    if (k.number > PAIR_MOST) {
        return refuse(f, pair, ZW_E_LIMIT, "they have too many features");
    }
    p->nsides = k.number;
    *count += k.number;
    return ZW_OK;
}

/* ---- the set */

static zw_status elements_of(zw_features *f, const zw_form_pair *p, int k, zw_elements *out) {
    int solid = p->b - f->meet->npieces;
    if (k == 1 && solid >= 0) {
        zw_meet_obstacle *o = &f->meet->obstacle[f->meet->of_solid[solid]];
        int               i = solid - o->solid0;
        *out = (zw_elements){0};
        if (o->kind == ZW_SOLID_PLANE) {
            out->wall = zw_arena_alloc(&f->arena, 1, sizeof *out->wall, "features");
            if (out->wall == NULL) {
                return ZW_E_MEMORY;
            }
            out->nwalls = 1;
            out->wall[0].n[2] = 1.0;
            out->wall[0].radius = INFINITY;
            return ZW_OK;
        }
        if (o->kind == ZW_SOLID_MESH) {
            return zw_elements_triangle(&f->arena, o->corner + 9 * (ptrdiff_t)i, o->normal + 3 * (ptrdiff_t)i, o->bent[i], out);
        }
        if (o->kind == ZW_SOLID_ENDLESS) {
            out->edge = zw_arena_alloc(&f->arena, 1, sizeof *out->edge, "features");
            if (out->edge == NULL) {
                return ZW_E_MEMORY;
            }
            out->nedges = 1;
            out->edge[0].u[2] = 1.0;
            out->edge[0].length = INFINITY;
            out->edge_radius = o->form.radius;
            return ZW_OK;
        }
        if (o->kind != ZW_SOLID_FORM) {
            return ZW_OK;
        }
    }
    return zw_elements_create(&f->arena, &p->form[k], out);
}

static void name_pair(const zw_features *f, zw_form_pair *p) {
    const zw_meet *s = f->meet;
    const char    *a = f->model->bodies[s->piece[p->a].body].name, *b;
    char           part_a[13] = "", part_b[13] = ""; /* a dot and a number */
    int            solid = p->b - s->npieces;
    if (s->piece[p->a].link >= 0 || s->piece[p->a].piece > 0) {
        snprintf(part_a, sizeof part_a, ".%d", s->piece[p->a].piece + 1);
    }
    if (solid >= 0) {
        const zw_meet_obstacle *o = &s->obstacle[s->of_solid[solid]];
        b = o->def->name;
        if (o->kind == ZW_SOLID_MESH) {
            snprintf(part_b, sizeof part_b, ".%d", solid - o->solid0 + 1);
        }
    } else {
        b = f->model->bodies[s->piece[p->b].body].name;
        if (s->piece[p->b].piece > 0) {
            snprintf(part_b, sizeof part_b, ".%d", s->piece[p->b].piece + 1);
        }
    }
    snprintf(p->name, sizeof p->name, "%.24s%s and %.24s%s", a, part_a, b, part_b);
}

static zw_status add_pair(zw_features *f, int i, int j, int end, bool make) {
    const zw_meet *s = f->meet;
    int            solid = j - s->npieces;
    if (!make) {
        f->npairs++;
        return ZW_OK;
    }
    zw_form_pair *p = &f->pair[f->npairs++];
    *p = (zw_form_pair){.a = i, .b = j, .kind = ZW_SOLID_FORM};
    zw_form *ball = zw_arena_alloc(&f->arena, 2, sizeof *ball, "features");
    if (ball == NULL) {
        return ZW_E_MEMORY;
    }
    p->mover[0] = mover_of_piece(f, i, end, &p->form[0], &ball[0]);
    if (solid < 0) {
        p->mover[1] = mover_of_piece(f, j, 0, &p->form[1], &ball[1]);
    } else {
        zw_meet_obstacle *o = &s->obstacle[s->of_solid[solid]];
        p->kind = o->kind;
        p->mover[1] = add_mover(f, (zw_mover){.kind = ZW_MOVER_OBSTACLE, .index = s->of_solid[solid]});
        p->form[1] = (zw_placed){.form = o->kind == ZW_SOLID_MESH ? &o->facet[solid - o->solid0] : &o->form};
        zw_m3_identity(p->form[1].R);
    }
    p->size =
        zw_form_reach(p->form[0].form) + (p->kind == ZW_SOLID_FORM || p->kind == ZW_SOLID_MESH ? zw_form_reach(p->form[1].form) : 0.0);
    name_pair(f, p);
    return ZW_OK;
}

static zw_status each_pair(zw_features *f, bool make) {
    zw_meet *s = f->meet;
    f->npairs = 0;
    for (int i = 0; i < s->npieces; i++) {
        for (int j = i + 1; j < s->npieces + s->nsolids; j++) {
            if (zw_meet_skips(s, i, j)) {
                continue;
            }
            int  link = s->piece[i].link;
            bool first_end = link == 0; /* a node belongs to the link before it, the first of an open rod to the first link */
            if (link >= 0 && first_end && !(s->ring[i] > 0.0)) {
                ZW_TRY(add_pair(f, i, j, 0, make));
            }
            ZW_TRY(add_pair(f, i, j, link >= 0 ? 1 : 0, make));
        }
    }
    return ZW_OK;
}

static zw_status build(zw_features *f) {
    zw_meet *s = f->meet;
    int      count = 0;
    f->mover = zw_arena_alloc(&f->arena, 2 * (size_t)(s->npieces + s->nobstacles) + 1, sizeof *f->mover, "features");
    if (f->mover == NULL) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(each_pair(f, false));
    f->pair = zw_arena_alloc(&f->arena, (size_t)f->npairs + 1, sizeof *f->pair, "features");
    zw_elements *of = zw_arena_alloc(&f->arena, 2 * (size_t)f->npairs + 1, sizeof *of, "features");
    if (f->pair == NULL || of == NULL) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(each_pair(f, true));
    for (int i = 0; i < f->npairs; i++) {
        for (int k = 0; k < 2; k++) {
            ZW_TRY(elements_of(f, &f->pair[i], k, &of[2 * i + k]));
        }
        ZW_TRY(make_pair(f, i, &of[2 * i], &of[2 * i + 1], false, &count));
        if (count > SIDES_MOST) {
            return refuse(f, i, ZW_E_LIMIT, "all forms together have too many features");
        }
    }
    f->side = zw_arena_alloc(&f->arena, (size_t)count + 1, sizeof *f->side, "features");
    if (f->side == NULL) {
        return ZW_E_MEMORY;
    }
    count = 0;
    for (int i = 0; i < f->npairs; i++) {
        ZW_TRY(make_pair(f, i, &of[2 * i], &of[2 * i + 1], true, &count));
    }
    return ZW_OK;
}

zw_status zw_features_create(zw_system *y, const zw_model *m, zw_features **out) {
    zw_status status = ZW_OK;
    zw_meet  *meet = NULL;
    *out = NULL;
    ZW_TRY(zw_meet_build(y, m, 0, NULL, &meet));
    if (meet == NULL) {
        return ZW_OK;
    }
    zw_features *f = zw_alloc(m->context, 1, sizeof *f, "features");
    if (f == NULL) {
        zw_meet_destroy(meet);
        return ZW_E_MEMORY;
    }
    f->context = m->context;
    f->model = m;
    f->meet = meet;
    zw_arena_init(&f->arena, m->context);
    zw_system_parts(y, &f->parts);
    if (meet->friction > 0.0) {
        status = zw_model_raise(m, ZW_E_UNSUPPORTED, m->contact.friction.at, "contact.friction", "use verlet, or leave friction: away",
                                "located impacts of gauss are without friction");
        goto fail;
    }
    ZW_TRY_GOTO(zw_formulas_create(m->context, &f->formulas), fail);
    ZW_TRY_GOTO(build(f), fail);
    *out = f;
    return ZW_OK;
fail:
    zw_features_destroy(f);
    return status;
}

void zw_features_destroy(zw_features *f) {
    if (f == NULL) {
        return;
    }
    zw_context *c = f->context;
    for (int i = 0; i < f->nsides; i++) {
        zw_free(c, f->side[i].side.around);
    }
    zw_formulas_destroy(c, &f->formulas);
    zw_meet_destroy(f->meet);
    zw_arena_destroy(&f->arena);
    zw_free(c, f);
}

int zw_features_count(const zw_features *f) {
    return f->nsides;
}

zw_side *zw_features_side(zw_features *f, int i) {
    return &f->side[i].side;
}

/* SPDX-License-Identifier: Apache-2.0
 * feature_pair.c: which forms meet, by which features. With radii r of the two forms together:
 *   corners against faces, edges against edges (both ways around the crossing), rims against faces, edges and rims        always
 *   corners against edges, corners and rims                                                            where r > 0: without, they touch only by chance,
 *                                                                                                      and at the end of a face or edge
 * A link of a rod is three forms: its two nodes are balls, what lies between them is an edge with a radius. Planes, hollows and levels feel the nodes alone. */
#include "rows/feature_part.h"

#include "base/context.h"
#include "math/form_core.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PAIR_MOST = 200000, SIDES_MOST = 500000 };

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
    snprintf(s->side.name, sizeof s->side.name, "%.52s: %s %d,%d", f->pair[k->pair].name, what, i + 1, j + 1);
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
        for (int j = 0; j < B->nrims && A->radius > 0.0; j++) {
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

/* sectors of a rim against the line of an edge with a radius; NULL: in a pipe of this radius */
static void rim_round(making *k, int first, int i, const zw_edge *e, double radius, int j) {
    const zw_elements *A = k->of[first];
    for (int l = 0; l < ZW_RIM_SECTORS; l++) {
        zw_feature_side *s =
            next(k, first, ZW_RIM_ROUND, first == 0 ? "rim, round edge" : "round edge, rim", first == 0 ? i : j, first == 0 ? j : i);
        if (s != NULL) {
            zw_v3_copy(s->c.p, A->rim[i].p);
            zw_v3_copy(s->c.f, A->rim[i].way[0]);
            zw_any_square_to(s->c.o, s->c.f);
            s->c.rho = A->edge_radius;
            s->c.sign = e != NULL ? 1.0 : -1.0;
            s->c.d = e != NULL ? radius : -radius;
            s->c.phi = 0.37 + 6.28318530717958647693 / ZW_RIM_SECTORS * l; /* symmetric arrangements meet inside of sectors */
            if (e != NULL) {
                zw_v3_copy(s->c.e, e->p);
                zw_v3_copy(s->c.u, e->u);
                s->edge[1] = e;
            } else {
                zw_v3_set(s->c.u, 0.0, 0.0, 1.0);
            }
            finish(s);
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
    for (int i = 0; i < A->nrims && !pipe; i++) {
        zw_feature_side *s = next(k, 0, ZW_RIM_BALL_ROOM, "rim, hollow", i, 0);
        if (s != NULL) {
            zw_v3_copy(s->c.p, A->rim[i].p);
            zw_v3_copy(s->c.f, A->rim[i].way[0]);
            s->c.rho = A->edge_radius;
            s->c.d = radius;
            finish(s);
        }
    }
    for (int i = 0; i < A->nrims && pipe; i++) {
        rim_round(k, 0, i, NULL, radius, 0);
    }
}

/* the lowest point of a rim above a face; and where it lies flat, that is not one point: four of them are fixed in the body */
static void rim_face(making *k, int first, int i, const zw_wall *w, int j) {
    const zw_elements *A = k->of[first], *B = k->of[1 - first];
    double             x[3], y[3];
    zw_feature_side   *s = next(k, first, ZW_RIM_FACE, first == 0 ? "rim, face" : "face, rim", first == 0 ? i : j, first == 0 ? j : i);
    if (s != NULL) {
        zw_v3_copy(s->c.p, A->rim[i].p);
        zw_v3_copy(s->c.f, A->rim[i].way[0]);
        zw_v3_copy(s->c.u, w->n);
        s->c.d = w->d + B->radius;
        s->c.rho = A->edge_radius;
        s->wall = isfinite(w->radius) ? w : NULL;
        finish(s);
    }
    zw_any_square_to(x, A->rim[i].way[0]);
    zw_v3_cross(y, A->rim[i].way[0], x);
    for (int l = 0; l < 4; l++) {
        s = next(k, first, ZW_CORNER_FACE, "rim point, face", 4 * i + l, j);
        if (s != NULL) {
            zw_v3_addscaled(s->c.p, A->rim[i].p, (l & 2 ? -1.0 : 1.0) * A->edge_radius, l & 1 ? y : x);
            zw_v3_copy(s->c.u, w->n);
            s->c.d = w->d + B->radius;
            s->wall = isfinite(w->radius) ? w : NULL;
            finish(s);
        }
    }
}

static void rims_against(making *k, int first) {
    const zw_elements *A = k->of[first], *B = k->of[1 - first];
    double             round_ = fmax(B->radius, B->edge_radius);
    for (int i = 0; i < A->nrims; i++) {
        for (int j = 0; j < B->nwalls; j++) {
            rim_face(k, first, i, &B->wall[j], j);
        }
        for (int j = 0; j < B->nedges && round_ > 0.0; j++) {
            rim_round(k, first, i, &B->edge[j], round_, j);
        }
        for (int j = 0; j < B->nedges && !(round_ > 0.0); j++) {
            for (int l = 0; l < 3; l++) { /* through the plane of the rim, or over the cap: from either side */
                zw_feature_side *s = next(k, first, l == 0 ? ZW_RIM_EDGE : ZW_RIM_EDGE_CHORD, first == 0 ? "rim, edge" : "edge, rim",
                                          first == 0 ? i : j, first == 0 ? j : i);
                if (s != NULL) {
                    zw_v3_copy(s->c.p, A->rim[i].p);
                    zw_v3_copy(s->c.f, A->rim[i].way[0]);
                    zw_v3_copy(s->c.e, B->edge[j].p);
                    zw_v3_copy(s->c.u, B->edge[j].u);
                    s->c.rho = A->edge_radius;
                    s->c.sign = l == 2 ? -1.0 : 1.0;
                    s->edge[1] = &B->edge[j];
                    finish(s);
                }
            }
        }
        for (int j = 0; j < B->nrims && first == 0; j++) {
            for (int l = 0; l < 2; l++) {
                zw_feature_side *s = next(k, 0, ZW_RIM_RIM, "rim, rim", i, j);
                if (s != NULL) {
                    zw_v3_copy(s->c.p, A->rim[i].p);
                    zw_v3_copy(s->c.f, A->rim[i].way[0]);
                    zw_v3_copy(s->c.e, B->rim[j].p);
                    zw_v3_copy(s->c.u, B->rim[j].way[0]);
                    s->c.rho = A->edge_radius;
                    s->c.d = B->edge_radius;
                    s->c.sign = l == 0 ? 1.0 : -1.0;
                    finish(s);
                }
            }
        }
    }
}

/* corners against a level, with their radius; of a drum points of its rims */
static zw_status corners_on_level(making *k) {
    enum { POINTS = 8 };
    const zw_elements *A = k->of[0];
    int                n = A->ncorners + POINTS * A->nrims;
    for (int i = 0; i < n; i++) {
        zw_feature_side *s = next(k, 0, ZW_CORNER_CORNER, "corner, level", i, 0);
        if (s == NULL) {
            continue;
        }
        if (i < A->ncorners) {
            zw_v3_copy(s->c.p, A->corner[i].p);
            s->c.d = A->radius;
        } else {
            const zw_corner *rim = &A->rim[(i - A->ncorners) / POINTS];
            double           x[3], y[3], angle = 6.28318530717958647693 / POINTS * ((i - A->ncorners) % POINTS);
            zw_any_square_to(x, rim->way[0]);
            zw_v3_cross(y, rim->way[0], x);
            zw_v3_addscaled(s->c.p, rim->p, A->edge_radius * cos(angle), x);
            zw_v3_addscaled(s->c.p, s->c.p, A->edge_radius * sin(angle), y);
        }
        finish(s);
        ZW_TRY(zw_feature_level_init(k->f, s));
    }
    return ZW_OK;
}

static zw_status refuse(const zw_features *f, int pair, zw_status code, const char *why) {
    return zw_model_raise(f->model, code, zw_features_pair_where(f, pair), "contact",
                          "use verlet, or gauss with stages: 1 and events: off; or list the pairs of contact without it",
                          "impacts of %s cannot be located: %s", f->pair[pair].name, why);
}

static zw_status make_pair(zw_features *f, int pair, const zw_elements *A, const zw_elements *B, bool make, int *count) {
    zw_form_pair *p = &f->pair[pair];
    making        k = {.f = f, .pair = pair, .of = {A, B}, .make = make};
    p->side0 = f->nsides;
    if (p->kind == ZW_SOLID_LEVEL) {
        ZW_TRY(corners_on_level(&k));
    } else if (p->kind == ZW_SOLID_BALL_ROOM || p->kind == ZW_SOLID_PIPE) {
        corners_inside(&k, p->kind == ZW_SOLID_PIPE, p->form[1].form->radius);
    } else if (p->kind == ZW_SOLID_PLANE) {
        corners_against(&k, 0);
        rims_against(&k, 0);
    } else {
        corners_against(&k, 0);
        corners_against(&k, 1);
        edges_against_edges(&k);
        rims_against(&k, 0);
        rims_against(&k, 1);
    }
    if (k.number > PAIR_MOST) {
        return refuse(f, pair, ZW_E_LIMIT, "they have too many features");
    }
    p->nsides = k.number;
    *count += k.number;
    return ZW_OK;
}

/* ---- the set */

/* what lies between the nodes of a link */
static zw_status elements_link(zw_features *f, const zw_form *form, zw_elements *out) {
    *out = (zw_elements){.radius = form->radius, .edge_radius = form->radius, .nedges = 1};
    out->edge = zw_arena_alloc(&f->arena, 1, sizeof *out->edge, "features");
    if (out->edge == NULL) {
        return ZW_E_MEMORY;
    }
    out->edge[0].u[2] = 1.0;
    return ZW_OK;
}

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
    return p->link[k] ? elements_link(f, p->form[k].form, out) : zw_elements_create(&f->arena, &p->form[k], out);
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
        if (s->piece[p->b].link >= 0 || s->piece[p->b].piece > 0) {
            snprintf(part_b, sizeof part_b, ".%d", s->piece[p->b].piece + 1);
        }
    }
    snprintf(p->name, sizeof p->name, "%.24s%s and %.24s%s", a, part_a, b, part_b);
}

/* which of the forms of a piece: the piece itself; of a link its first node, its second one, what lies between */
typedef enum share { WHOLE, NEAR_NODE, FAR_NODE, BETWEEN } share;

/* the mover of a share of a piece, and its form in the axes of that */
static int mover_of_piece(zw_features *f, int i, share which, zw_placed *form, zw_form *own) {
    const zw_meet_piece *p = &f->meet->piece[i];
    if (which == WHOLE) {
        const zw_rigids *all = f->parts[p->part].self;
        int              body = all->of_piece[p->k];
        const zw_rigid  *b = &all->body[body];
        const zw_placed *written = &b->form[p->k - all->piece0[body]];
        double           axes[9];
        zw_q_to_matrix(b->axes, axes);
        form->form = written->form;
        zw_m3_tmulv(form->x, axes, written->x); /* principal axes */
        zw_m3_tmul(form->R, axes, written->R);
        return zw_features_add_mover(f, (zw_mover){.kind = ZW_MOVER_RIGID, .index = body, .part = p->part, .rigid = b});
    }
    const zw_rods *rods = f->parts[p->part].self;
    zw_carried     carried;
    f->parts[p->part].ops->carrier->piece(rods, p->k, &carried);
    const zw_rod *r = &rods->rod[carried.body];
    int           near = r->node0 + p->link, far = zw_rod_far(r, p->link);
    *own = (zw_form){.shape = which == BETWEEN ? ZW_SHAPE_STICK : ZW_SHAPE_BALL, .radius = 0.5 * (rods->radius[near] + rods->radius[far])};
    own->half = which == BETWEEN ? 0.5 * f->meet->link[i] : 0.0;
    *form = (zw_placed){.form = own};
    zw_m3_identity(form->R);
    if (which == BETWEEN) {
        return zw_features_add_mover(f, (zw_mover){.kind = ZW_MOVER_LINK, .index = near, .far = far, .part = p->part});
    }
    return zw_features_add_mover(f, (zw_mover){.kind = ZW_MOVER_NODE, .index = which == NEAR_NODE ? near : far, .part = p->part});
}

static zw_status add_pair(zw_features *f, int i, int j, share of_i, share of_j, bool make) {
    const zw_meet *s = f->meet;
    int            solid = j - s->npieces;
    if (!make) {
        f->npairs++;
        return ZW_OK;
    }
    zw_form_pair *p = &f->pair[f->npairs++];
    *p = (zw_form_pair){.a = i, .b = j, .kind = ZW_SOLID_FORM, .link = {of_i == BETWEEN, of_j == BETWEEN}};
    zw_form *own = zw_arena_alloc(&f->arena, 2, sizeof *own, "features");
    if (own == NULL) {
        return ZW_E_MEMORY;
    }
    p->mover[0] = mover_of_piece(f, i, of_i, &p->form[0], &own[0]);
    if (solid < 0) {
        p->mover[1] = mover_of_piece(f, j, of_j, &p->form[1], &own[1]);
    } else {
        zw_meet_obstacle *o = &s->obstacle[s->of_solid[solid]];
        p->kind = o->kind;
        p->mover[1] = zw_features_add_mover(f, (zw_mover){.kind = ZW_MOVER_OBSTACLE, .index = s->of_solid[solid]});
        p->form[1] = (zw_placed){.form = o->kind == ZW_SOLID_MESH ? &o->facet[solid - o->solid0] : &o->form};
        zw_m3_identity(p->form[1].R);
    }
    p->size =
        zw_form_reach(p->form[0].form) + (p->kind == ZW_SOLID_FORM || p->kind == ZW_SOLID_MESH ? zw_form_reach(p->form[1].form) : 0.0);
    name_pair(f, p);
    return ZW_OK;
}

/* the shares of a piece. A node belongs to the link before it, the first of an open rod to the first link, and where radii differ to both */
static int shares_of(const zw_features *f, int i, share out[3]) {
    const zw_meet_piece *p = &f->meet->piece[i];
    if (p->link < 0) {
        out[0] = WHOLE;
        return 1;
    }
    const zw_rods *rods = f->parts[p->part].self;
    zw_carried     carried;
    f->parts[p->part].ops->carrier->piece(rods, p->k, &carried);
    const zw_rod *r = &rods->rod[carried.body];
    int           n = 0, near = r->node0 + p->link, before = p->link > 0 ? near - 1 : near + r->nnodes - 1;
    bool          open_end = p->link == 0 && !(f->meet->ring[i] > 0.0);
    if (open_end || rods->radius[before] != rods->radius[zw_rod_far(r, p->link)]) {
        out[n++] = NEAR_NODE;
    }
    out[n++] = FAR_NODE;
    out[n++] = BETWEEN;
    return n;
}

static zw_status each_pair(zw_features *f, bool make) {
    zw_meet *s = f->meet;
    f->npairs = 0;
    for (int i = 0; i < s->npieces; i++) {
        share of_i[3], of_j[3];
        int   ni = shares_of(f, i, of_i);
        for (int j = i + 1; j < s->npieces + s->nsolids; j++) {
            if (zw_meet_skips(s, i, j)) {
                continue;
            }
            zw_solid_kind kind = j < s->npieces ? ZW_SOLID_FORM : s->obstacle[s->of_solid[j - s->npieces]].kind;
            bool          nodes = kind == ZW_SOLID_PLANE || kind == ZW_SOLID_BALL_ROOM || kind == ZW_SOLID_PIPE || kind == ZW_SOLID_LEVEL;
            int           nj = 1;
            of_j[0] = WHOLE;
            if (j < s->npieces) {
                nj = shares_of(f, j, of_j);
            }
            if (s->piece[i].link >= 0 && j < s->npieces && s->piece[j].body == s->piece[i].body) {
                return zw_model_raise(f->model, ZW_E_UNSUPPORTED, f->model->bodies[s->piece[i].body].at, "contact.self",
                                      "use verlet, or gauss with stages: 1 and events: off; or leave self: away",
                                      "impacts of the rod %s with itself cannot be located", f->model->bodies[s->piece[i].body].name);
            }
            for (int k = 0; k < ni * nj; k++) {
                if (!(nodes && of_i[k / nj] == BETWEEN)) {
                    ZW_TRY(add_pair(f, i, j, of_i[k / nj], of_j[k % nj], make));
                }
            }
        }
    }
    return ZW_OK;
}

static zw_status build(zw_features *f) {
    zw_meet *s = f->meet;
    int      count = 0;
    f->mover = zw_arena_alloc(&f->arena, 3 * (size_t)(s->npieces + s->nobstacles) + 1, sizeof *f->mover, "features");
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

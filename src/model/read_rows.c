/* SPDX-License-Identifier: Apache-2.0
 * read_rows.c: constraints and loads: what acts on places. */
#include "base/number.h"
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* what they hold, in axes whose z is the axis where there is one; a universal joint turns about z and x */
static const struct {
    const char *key;
    unsigned    fix;
} joints[] = {{"clamp", ZW_FIX_ALL},
              {"ball", ZW_FIX_POSITION},
              {"fixed", ZW_FIX_ALL},
              {"hinge", ZW_FIX_ALL & ~(unsigned)ZW_FIX_RZ},
              {"slider", ZW_FIX_ALL & ~(unsigned)ZW_FIX_Z},
              {"universal", ZW_FIX_POSITION | ZW_FIX_RY},
              {"spring", 0}};

/* a constraint or a probe acts at a point: on a rod that needs a label */
static bool needs_label(zw_reader *r, zw_yaml *node, const zw_place_def *p) {
    if (p->body >= 0 && r->model->bodies[p->body].kind == ZW_BODY_ROD && p->s.node == 0) {
        zw_report(r, node, "give s: 0, s: end or another label", "does not say where on the rod");
        return false;
    }
    return true;
}

static void read_other_side(zw_reader *r, zw_yaml *to, zw_constraint_def *d) {
    if (to->kind == ZW_YAML_MAP) {
        if (zw_read_place(r, to, NULL, &d->b)) {
            needs_label(r, to, &d->b);
        }
        return;
    }
    if (strcmp(to->text, "ground") == 0) {
        return;
    }
    int frame = zw_names_find(&r->frame, to->text);
    if (frame >= 0) {
        if (strcmp(d->kind, "spring") == 0) {
            zw_report(r, to, "name a place of a body that moves with the frame, for example a rigid body clamped to it",
                      "a spring hangs on a place or on the ground, and '%.60s' is a frame", to->text);
            return;
        }
        d->frame = 1 + frame;
        if (r->model->frames[frame].carried) {
            d->b = r->model->frames[frame].place;
        }
        return;
    }
    int body = zw_names_find(&r->body, to->text);
    if (body >= 0 && r->model->bodies[body].kind == ZW_BODY_RIGID) { /* its centre of mass */
        zw_read_place(r, to, NULL, &d->b);
        return;
    }
    if (body >= 0) {
        zw_report(r, to, "write to: {body: NAME, s: 0}", "does not say where on the body");
        return;
    }
    const char *near = zw_nearest_name(to->text, r->frame.name, r->frame.n);
    char        remedy[200] = "write ground, the name of a frame, or {body: NAME, s: 0}";
    if (near) {
        snprintf(remedy, sizeof remedy, "did you mean '%.100s'?", near);
    }
    zw_report(r, to, remedy, "'%.60s' is neither ground, a frame nor a place", to->text);
}

static void same_place(zw_reader *r, zw_yaml *node, const zw_constraint_def *d) {
    double a = 0.0, b = 0.0;
    if (!node->bad && d->a.body >= 0 && d->a.body == d->b.body && r->model->bodies[d->a.body].kind == ZW_BODY_RIGID) {
        zw_report(r, node, "name two bodies", "joins the rigid body '%.60s' to itself", r->model->bodies[d->a.body].name);
    }
    if (!node->bad && d->a.body >= 0 && d->a.body == d->b.body && d->a.point >= 0 && d->a.point == d->b.point) {
        zw_report(r, node, "name two different places", "joins a place to itself");
    }
    if (!node->bad && d->a.body >= 0 && d->a.body == d->b.body && zw_read_value(r, d->a.s, 0.0, &a) && zw_read_value(r, d->b.s, 0.0, &b) &&
        a == b) {
        zw_report(r, node, "name two different places", "joins a place to itself");
    }
}

/* a label that moves: rows can follow it, springs and limits cannot (their energies and gaps are those of fixed places) */
static void check_travel(zw_reader *r, zw_yaml *c, zw_yaml *joint, const zw_constraint_def *d) {
    if (joint->bad || !(zw_read_moves(r, &d->a) || zw_read_moves(r, &d->b))) {
        return;
    }
    if (strcmp(d->kind, "spring") == 0) {
        zw_report(r, joint, "hold a small rigid body on the rod by a ball with this label, and hang the spring on that",
                  "a spring cannot travel along a rod");
    } else if (zw_yaml_get(c, "limits")) {
        zw_report_key(r, zw_yaml_get(c, "limits"), "remove it", "a joint that travels along a rod has no limits");
    }
}

static bool finite_at_start(zw_reader *r, zw_yaml *node, const zw_quantity q[3]) {
    for (int k = 0; node && !node->bad && k < 3; k++) {
        double value = 0.0;
        char   why[300];
        if (zw_read_value(r, q[k], 0.0, &value) && !isfinite(value)) {
            zw_report(r, node, NULL, "%s at t = 0", zw_read_unfinite(r, q[k], 0.0, why, sizeof why));
            return false;
        }
    }
    return true;
}

/* what holds rotations needs axes to hold */
static void check_axes(zw_reader *r, zw_yaml *joint, zw_yaml *fix, const zw_constraint_def *d) {
    const zw_place_def *side[2] = {&d->a, &d->b};
    for (int i = 0; i < 2 && (d->fix & ~(unsigned)ZW_FIX_POSITION) != 0 && !joint->bad; i++) {
        if (side[i]->body >= 0 && side[i]->point >= 0 && !zw_read_has_axes(r, side[i])) {
            const zw_body_def *b = &r->model->bodies[side[i]->body];
            zw_report(r, fix ? fix : joint, "give the point {position: .., turn: ..}, or use ball",
                      "holds rotations, and the point '%.60s' of '%.60s' has no axes", b->lagrangian.point[side[i]->point].name, b->name);
            return;
        }
    }
}

/* the axis of a hinge, slider or universal joint; what a spring is made of */
static void read_numbers(zw_reader *r, zw_yaml *c, zw_constraint_def *d) {
    zw_yaml *axis = zw_read_get(c, "axis"), *limits = zw_read_get(c, "limits");
    double   v[3], lo = 0.0, hi = 0.0;
    char     a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    zw_read_fields(r, c, d);
    if (axis && zw_read_constants(r, axis, d->axis, v) && v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0) {
        zw_report(r, axis, "give a vector that is not 0", "the axis has no direction: it is [0, 0, 0]");
    }
    if (limits && !limits->bad && zw_read_constant(r, limits->first, d->limit[0], &lo) &&
        zw_read_constant(r, limits->first->next, d->limit[1], &hi) && !(lo <= 0.0 && hi >= 0.0 && lo < hi)) {
        zw_number_short(lo, 9, a);
        zw_number_short(hi, 9, b);
        if (lo < hi) {
            zw_report(r, limits, "limits count from the start: 0 lies between them",
                      "the joint starts at 0, which is not between %s and %s", a, b);
        } else {
            zw_report(r, limits, "write [least, largest]", "the least, %s, is not below the largest, %s", a, b);
        }
    }
    static const char *const keys[] = {"stiffness", "damping", "length"};
    const zw_quantity        q[] = {d->stiffness, d->damping, d->length};
    for (int i = 0; i < 3; i++) {
        zw_yaml *node = zw_read_get(c, keys[i]);
        char     what[40];
        if (node) {
            snprintf(what, sizeof what, "the %s", keys[i]);
            zw_read_check(r, node, q[i], NAN, ZW_NOT_NEGATIVE, what);
        }
    }
}

static void read_motion(zw_reader *r, zw_yaml *motion, zw_constraint_def *d) {
    if (d->b.body >= 0 && d->frame == 0) {
        zw_report_key(r, motion, "hold the place `to: ground` to move it",
                      "a motion is prescribed for the ground side, and this joins two bodies");
        return;
    }
    zw_read_fields(r, motion, d);
    finite_at_start(r, zw_read_get(motion, "shift"), d->shift);
    finite_at_start(r, zw_read_get(motion, "turn"), d->turn);
}

static void read_constraint(zw_reader *r, zw_yaml *c, zw_constraint_def *d) {
    static const struct {
        const char *word;
        unsigned    bit;
    } bits[] = {{"x", ZW_FIX_X}, {"y", ZW_FIX_Y}, {"z", ZW_FIX_Z}, {"rx", ZW_FIX_RX}, {"ry", ZW_FIX_RY}, {"rz", ZW_FIX_RZ}};
    zw_yaml *joint = NULL;
    for (size_t i = 0; i < sizeof joints / sizeof joints[0] && joint == NULL; i++) {
        joint = zw_read_get(c, joints[i].key);
        d->kind = joint ? joints[i].key : NULL;
        d->fix = joint ? joints[i].fix : 0;
    }
    d->b = d->a = (zw_place_def){.body = -1, .point = -1};
    if (joint == NULL) {
        return;
    }
    zw_yaml *to = zw_read_get(c, "to"), *fix = zw_read_get(c, "fix"), *motion = zw_read_get(c, "motion");
    if (joint->kind == ZW_YAML_LIST) {
        static const char *const keys[] = {"s", "at", "point"}, *const remedies[] = {"write [{body: a, s: end}, {body: b, s: 0}]",
                                                                                     "write [{body: a, at: [x, y, z]}, {body: b, s: 0}]",
                                                                                     "write [{body: a, point: NAME}, {body: b, s: 0}]"};
        for (int i = 0; i < 3; i++) {
            zw_yaml *unclear = zw_read_get(c, keys[i]);
            if (unclear) {
                zw_report_key(r, unclear, remedies[i], "it is not clear to which of the two places %s belongs", keys[i]);
            }
        }
        if (to) {
            zw_report_key(r, to, "keep one of them", "the list names both sides already");
        }
        if (zw_read_place(r, joint->first, NULL, &d->a)) {
            needs_label(r, joint->first, &d->a);
        }
        if (zw_read_place(r, joint->first->next, NULL, &d->b)) {
            needs_label(r, joint->first->next, &d->b);
        }
    } else {
        if (zw_read_place(r, joint, c, &d->a) && !zw_yaml_get(c, "s")) {
            needs_label(r, joint, &d->a);
        }
        if (to) {
            read_other_side(r, to, d);
        }
    }
    same_place(r, joint, d);
    check_travel(r, c, joint, d);
    if (fix) {
        d->fix = 0;
        for (zw_yaml *w = fix->first; w; w = w->next) {
            for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
                d->fix |= w->kind == ZW_YAML_SCALAR && strcmp(w->text, bits[i].word) == 0 ? bits[i].bit : 0u;
            }
        }
    }
    check_axes(r, joint, fix, d);
    read_numbers(r, c, d);
    if (motion && motion->kind == ZW_YAML_MAP) {
        read_motion(r, motion, d);
    }
}

void zw_read_constraints(zw_reader *r) {
    zw_yaml  *map = zw_read_get(r->root, "constraints");
    zw_model *m = r->model;
    size_t    n = map ? (size_t)map->count : 0;
    m->constraints = zw_arena_alloc(r->arena, n + 1, sizeof *m->constraints, "constraints");
    r->constraint_of = zw_arena_alloc(r->arena, n + 1, sizeof *r->constraint_of, "constraints");
    m->unilaterals = zw_arena_alloc(r->arena, n + 1, sizeof *m->unilaterals, "constraints");
    m->alongs = zw_arena_alloc(r->arena, n + 1, sizeof *m->alongs, "constraints");
    m->foundations = zw_arena_alloc(r->arena, n + 1, sizeof *m->foundations, "constraints");
    if (!m->constraints || !r->constraint_of || !m->unilaterals || !m->alongs || !m->foundations) {
        r->issues->memory = true;
        return;
    }
    for (zw_yaml *c = n ? map->first : NULL; c; c = c->next) {
        zw_constraint_of *of = &r->constraint_of[r->constraint.n];
        *of = (zw_constraint_of){-1, -1, -1, -1, -1, -1};
        if (zw_yaml_get(c, "nonholonomic")) { /* a row of its body */
            if (!c->bad) {
                zw_read_nonholonomic(r, c, of);
            }
        } else if (zw_yaml_get(c, "surface") || zw_yaml_get(c, "along")) {
            of->along = 0; /* that it is one is known even where it is wrong */
            if (!c->bad) {
                zw_read_along(r, c, of);
            }
        } else if (zw_yaml_get(c, "foundation")) {
            of->foundation = 0;
            if (!c->bad) {
                zw_read_foundation(r, c, of);
            }
        } else if (zw_yaml_get(c, "unilateral")) {
            of->unilateral = 0; /* that it is one is known even where it is wrong */
            if (!c->bad) {
                zw_read_unilateral(r, c, of);
            }
        } else {
            zw_constraint_def *d = &m->constraints[of->joint = m->nconstraints++];
            d->name = c->key->text;
            d->at = zw_read_where(r, c->key);
            if (!c->bad && c->kind == ZW_YAML_MAP) {
                read_constraint(r, c, d);
            }
        }
        if (zw_names_add(&r->constraint, c->key->text) < 0) {
            r->issues->memory = true;
        }
        if (r->issues->memory) {
            return;
        }
    }
}

/* a force or moment on a point of a lagrangian or rigid body */
static void check_load_on_point(zw_reader *r, zw_yaml *c, zw_yaml *main_key, const zw_load_def *d) {
    const zw_body_def *b = &r->model->bodies[d->on.body];
    zw_yaml           *axes = zw_read_get(c, "axes"), *per = zw_read_get(c, "per");
    if (per && strcmp(per->text, "length") == 0) {
        zw_report(r, per, "remove it: the load acts at the point", "'%.60s' is a %s and has no length", b->name, zw_read_kind(b));
    }
    if (d->directors && b->kind == ZW_BODY_LAGRANGIAN) {
        zw_report(r, axes, "write axes: space", "directors belong to rods and rigid bodies, and '%.60s' is a lagrangian", b->name);
    }
    if (d->moment && !zw_read_has_axes(r, &d->on)) {
        zw_report_key(r, main_key, "give the point {position: .., turn: ..}",
                      "the point '%.60s' of '%.60s' has no axes for a moment to turn", b->lagrangian.point[d->on.point].name, b->name);
    }
    for (int k = 0; k < 3 && !main_key->bad; k++) {
        if (d->v[k].node && zw_node_depends(r->model->pool, d->v[k].node, r->model->slot_s)) {
            zw_report(r, main_key, "use t, x, y, z", "s is the label along a rod, and this acts on a %s", zw_read_kind(b));
        }
    }
}

static void read_load(zw_reader *r, zw_yaml *c, zw_load_def *d) {
    zw_yaml *on = zw_read_get(c, "on"), *axes = zw_read_get(c, "axes"), *per = zw_read_get(c, "per"), *moment = zw_yaml_get(c, "moment");
    zw_yaml *main_key = moment ? moment : zw_yaml_get(c, "force");
    zw_read_fields(r, c, d);
    d->moment = moment != NULL;
    d->directors = axes && strcmp(axes->text, "directors") == 0;
    d->on = (zw_place_def){.body = -1, .point = -1};
    if (main_key && !main_key->bad) {
        finite_at_start(r, main_key, d->v);
    }
    if (on == NULL || !zw_read_place(r, on, c, &d->on)) {
        return;
    }
    if (r->model->bodies[d->on.body].kind != ZW_BODY_ROD) {
        check_load_on_point(r, c, main_key, d);
        return;
    }
    bool at_place = d->on.s.node != 0;
    d->per_length = per ? strcmp(per->text, "length") == 0 : !at_place;
    if (d->per_length && at_place) {
        zw_report(r, per, "remove s, or write per: point", "a load per length acts all along the rod, and s names one place");
    } else if (!d->per_length && !at_place) {
        zw_report(r, per, "give s, or write per: length", "a load at a point needs its place, and s is not given");
    }
}

void zw_read_loads(zw_reader *r) {
    zw_yaml  *map = zw_read_get(r->root, "loads");
    zw_model *m = r->model;
    size_t    n = map ? (size_t)map->count : 0;
    m->loads = zw_arena_alloc(r->arena, n + 1, sizeof *m->loads, "loads");
    if (m->loads == NULL) {
        r->issues->memory = true;
        return;
    }
    for (zw_yaml *c = n ? map->first : NULL; c; c = c->next) {
        zw_load_def *d = &m->loads[m->nloads++];
        d->name = c->key->text;
        d->at = zw_read_where(r, c->key);
        if (!c->bad && c->kind == ZW_YAML_MAP) {
            read_load(r, c, d);
        }
    }
}

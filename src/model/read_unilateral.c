/* SPDX-License-Identifier: Apache-2.0
 * read_unilateral.c: inequalities. left <= right is kept as f = left - right <= 0, left >= right as f = right - left <= 0. On a lagrangian
 * they see its coordinates and t; on points of a body, the place x, y, z of each of them and t. So does what an impact leaves. */
#include "base/number.h"
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* is it the same everywhere and at all times? */
static bool is_constant(zw_reader *r, zw_node n) {
    const zw_model *m = r->model;
    const int       slot[] = {m->slot_t, m->slot_x, m->slot_y, m->slot_z};
    bool            fixed = false;
    for (size_t i = 0; i < sizeof slot / sizeof slot[0]; i++) {
        if (zw_node_depends(m->pool, n, slot[i])) {
            return false;
        }
    }
    return zw_reader_memory(r, zw_values_known(&r->fixed, n, &fixed)) && fixed;
}

/* does it use a velocity? dt() brings them in without naming them */
static bool moves(zw_reader *r, zw_node n) {
    bool rests = true;
    return zw_reader_memory(r, zw_values_known(&r->resting, n, &rests)) && !rests;
}

bool zw_read_fraction(zw_reader *r, zw_yaml *node, zw_quantity q, const char *what) {
    double value = 0.0;
    char   text[ZW_NUMBER_TEXT];
    if (!zw_read_constant(r, node, q, &value)) {
        return false;
    }
    if (!(value >= 0.0 && value <= 1.0)) {
        zw_report(r, node, "an impact cannot add energy: give 0 to 1", "%s must lie between 0 and 1, and is %s", what,
                  zw_number_short(value, 9, text));
        return false;
    }
    return true;
}

static bool read_points(zw_reader *r, zw_yaml *list, zw_unilateral_def *d) {
    int *point = zw_arena_alloc(r->arena, (size_t)list->count + 1, sizeof *point, "points");
    if (point == NULL) {
        r->issues->memory = true;
        return false;
    }
    for (zw_yaml *c = list->first; c; c = c->next) {
        int i = c->bad ? -1 : zw_read_point(r, d->body, c);
        if (i >= 0) {
            point[d->npoints++] = i;
        }
    }
    d->point = point;
    return d->npoints == list->count && d->npoints > 0;
}

static void read_relation(zw_reader *r, zw_yaml *node, zw_scope *scope, zw_unilateral_def *d) {
    zw_expr_problem problem = {0};
    zw_value        f = {0};
    zw_relation     relation = ZW_RELATION_EQUAL;
    bool            fixed = false;
    const zw_model *m = r->model;
    zw_pool_set_brief(m->pool, zw_issues_full(r->issues));
    zw_status status = zw_expr_parse_relation(scope, node->text, &f, &relation, &problem);
    if (status == ZW_E_MODEL) {
        if (strstr(problem.remedy, "f = 0") || strstr(problem.remedy, "write =")) { /* equations do not go here */
            snprintf(problem.remedy, sizeof problem.remedy, "write left <= right, or left >= right");
        }
        if (strstr(problem.message, "chained")) {
            snprintf(problem.remedy, sizeof problem.remedy, "write two unilateral constraints");
        }
        zw_report_in(r, ZW_E_MODEL, __func__, node, problem.col > 0 ? problem.col - 1 : 0, problem.remedy[0] ? problem.remedy : NULL, "%s",
                     problem.message);
        return;
    }
    if (!zw_reader_memory(r, status)) {
        return;
    }
    if (relation == ZW_RELATION_EQUAL) {
        zw_report(r, node, "write left <= right; equations belong to `constraints` of the lagrangian, or are joints",
                  "is an equation: a unilateral constraint is an inequality");
        return;
    }
    if (f.width != 1) {
        zw_report(r, node, "write one inequality for each component, .x .y .z", "must be between numbers, and this is one of vectors");
        return;
    }
    if (d->npoints == 0 && moves(r, f.n[0])) {
        zw_report(r, node, "write it with coordinates and t", "an inequality must not depend on velocities");
        return;
    }
    if (d->npoints > 0) {
        fixed = !zw_node_depends(m->pool, f.n[0], m->slot_x) && !zw_node_depends(m->pool, f.n[0], m->slot_y) &&
                !zw_node_depends(m->pool, f.n[0], m->slot_z);
    } else if (!zw_reader_memory(r, zw_values_known(&r->fixed, f.n[0], &fixed))) {
        return;
    }
    if (fixed) {
        zw_report(r, node, d->npoints > 0 ? "write it with x, y, z" : "write it with coordinates",
                  "says nothing about the %s: it depends on none of them", d->npoints > 0 ? "places" : "coordinates");
        return;
    }
    zw_node n = f.n[0];
    if (relation == ZW_RELATION_AT_LEAST) {
        n = zw_node_sub(m->pool, zw_node_constant(m->pool, 0.0), n);
        r->issues->memory = r->issues->memory || n == 0;
    }
    d->f = (zw_quantity){n, zw_read_where(r, node)};
}

/* restitution or loss: of what the inequality sees */
static void read_law(zw_reader *r, zw_yaml *node, zw_scope *scope, const char *what, zw_quantity *out) {
    zw_scope *kept = r->scope[ZW_OF_SPACE];
    if (node == NULL) {
        return;
    }
    r->scope[ZW_OF_SPACE] = scope;
    bool ok = zw_read_quantity(r, node, ZW_OF_SPACE, out);
    r->scope[ZW_OF_SPACE] = kept;
    if (!ok) {
        return;
    }
    if (moves(r, out->node)) {
        zw_report(r, node, "write it with coordinates and t", "%s must not depend on velocities", what);
    } else if (is_constant(r, out->node)) {
        zw_read_fraction(r, node, *out, what);
    }
}

void zw_read_unilateral(zw_reader *r, zw_yaml *map, zw_constraint_of *of) {
    zw_model *m = r->model;
    zw_yaml  *text = zw_read_get(map, "unilateral"), *on = zw_read_get(map, "on"), *points = zw_yaml_get(map, "points");
    zw_yaml  *restitution = zw_read_get(map, "restitution"), *loss = zw_read_get(map, "loss");
    int       body = on && on->kind == ZW_YAML_SCALAR ? zw_read_body(r, on) : -1;
    if (restitution && loss) {
        zw_report_key(r, loss, "keep one of them", "'restitution' and 'loss' exclude each other");
    }
    if (body < 0 || r->body_bad[body]) {
        return;
    }
    const zw_body_def *b = &m->bodies[body];
    if (b->kind != ZW_BODY_LAGRANGIAN && b->kind != ZW_BODY_RIGID) {
        zw_report_in(r, ZW_E_UNSUPPORTED, __func__, on, -1, "name a lagrangian or a rigid body",
                     "'%.60s' is a %s: inequalities are for coordinates of lagrangians and points of rigid bodies in this version",
                     on->text, zw_read_kind(b));
        return;
    }
    zw_unilateral_def *d = &m->unilaterals[of->unilateral = m->nunilaterals++];
    *d = (zw_unilateral_def){.name = map->key->text, .text = text ? text->text : "", .at = zw_read_where(r, map->key), .body = body};
    if (points == NULL && b->kind == ZW_BODY_RIGID) {
        zw_report(r, on,
                  b->rigid.npoints ? "write points: [NAME, ..] beside it" : "give it `points`, and name them here: points: [NAME, ..]",
                  "which points? '%.60s' is a rigid body, and an inequality holds for its points", on->text);
        return;
    }
    if (points && (points->bad || !read_points(r, points, d))) {
        return;
    }
    zw_scope *scope = d->npoints > 0 ? r->scope[ZW_OF_SPACE] : r->body_scope[body];
    if (text) {
        read_relation(r, text, scope, d);
    }
    read_law(r, restitution, scope, "the restitution", &d->restitution);
    read_law(r, loss, scope, "the loss", &d->loss);
}

/* SPDX-License-Identifier: Apache-2.0
 * read_places.c: points of bodies: a label along a rod, a point of a lagrangian, a point of a rigid body by its name or in body axes. */
#include "base/number.h"
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int zw_read_body(zw_reader *r, zw_yaml *node) {
    const zw_model *m = r->model;
    const char    **names = r->body.name;
    char            remedy[300] = "";
    int             known = zw_names_find(&r->body, node->text);
    if (known >= 0) {
        return known;
    }
    if (zw_issues_full(r->issues)) {
        zw_report(r, node, NULL, "there is no such body");
        return -1;
    }
    const char *near = zw_nearest_name(node->text, names, m->nbodies);
    if (near) {
        snprintf(remedy, sizeof remedy, "did you mean '%s'?", near);
    } else if (m->nbodies > 0) {
        size_t used = (size_t)snprintf(remedy, sizeof remedy, "bodies: ");
        for (int i = 0; i < m->nbodies && used < sizeof remedy; i++) {
            used += (size_t)snprintf(remedy + used, sizeof remedy - used, "%s%s", i ? ", " : "", names[i]);
        }
    }
    zw_report(r, node, remedy, "there is no body '%.60s'", node->text);
    return -1;
}

void zw_read_suggest(const char *word, const char *const *names, int n, const char *what, char *out, size_t size) {
    const char *near = zw_nearest_name(word, names, n);
    if (near) {
        snprintf(out, size, "did you mean '%.100s'?", near);
        return;
    }
    size_t used = (size_t)snprintf(out, size, "%s", what);
    for (int i = 0; i < n && used + 60 < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%.40s", i ? ", " : "", names[i]);
    }
}

const char *zw_read_kind(const zw_body_def *b) {
    static const char *const names[] = {
        [ZW_BODY_ROD] = "rod", [ZW_BODY_FIELD] = "field", [ZW_BODY_LAGRANGIAN] = "lagrangian", [ZW_BODY_RIGID] = "rigid body"};
    return names[b->kind];
}

bool zw_read_has_axes(const zw_reader *r, const zw_place_def *p) {
    const zw_body_def *b = p->body >= 0 ? &r->model->bodies[p->body] : NULL;
    return b == NULL || b->kind == ZW_BODY_ROD || b->kind == ZW_BODY_RIGID ||
           (b->kind == ZW_BODY_LAGRANGIAN && p->point >= 0 && b->lagrangian.point[p->point].turn[0].node != 0);
}

int zw_read_point(zw_reader *r, int body, zw_yaml *name) {
    const zw_body_def           *b = &r->model->bodies[body];
    bool                         rigid = b->kind == ZW_BODY_RIGID;
    int                          n = rigid ? b->rigid.npoints : b->lagrangian.npoints;
    const zw_lagrange_point_def *point = rigid ? b->rigid.point : b->lagrangian.point;
    char                         remedy[300] = "";
    for (int i = 0; i < n; i++) {
        if (strcmp(point[i].name, name->text) == 0) {
            return i;
        }
    }
    zw_read_points_there(r, body, name->text, remedy, sizeof remedy);
    zw_report(r, name, remedy, "'%.60s' has no point '%.60s'", b->name, name->text);
    return -1;
}

void zw_read_points_there(zw_reader *r, int body, const char *word, char *out, size_t size) {
    const zw_body_def           *b = &r->model->bodies[body];
    bool                         rigid = b->kind == ZW_BODY_RIGID;
    int                          n = rigid ? b->rigid.npoints : b->lagrangian.npoints;
    const zw_lagrange_point_def *point = rigid ? b->rigid.point : b->lagrangian.point;
    snprintf(out, size, "%s", rigid ? "give it `points`" : "give it `points` or `particles`");
    if (zw_issues_full(r->issues)) {
        out[0] = 0;
    } else if (n > 0) {
        const char **names = zw_arena_alloc(r->arena, (size_t)n, sizeof *names, "names of points");
        if (names == NULL) {
            r->issues->memory = true;
            return;
        }
        for (int i = 0; i < n; i++) {
            names[i] = point[i].name;
        }
        zw_read_suggest(word, names, n, "give point: one of ", out, size);
    }
}

/* a point of a lagrangian by its name */
static bool read_lagrange_place(zw_reader *r, zw_yaml *name, zw_yaml *s, zw_yaml *at, zw_yaml *point, zw_place_def *out) {
    char remedy[300] = "";
    if (s || at) {
        zw_report_key(r, s ? s : at, "name one of its points: `point: NAME`", "%s, and '%.60s' is a lagrangian",
                      s ? "s is the label along a rod" : "at is a point in the axes of a rigid body", name->text);
        return false;
    }
    if (point == NULL) {
        zw_read_points_there(r, out->body, "", remedy, sizeof remedy);
        zw_report(r, name, remedy, "which point? '%.60s' is a lagrangian, and its places are its points", name->text);
        return false;
    }
    out->point = zw_read_point(r, out->body, point);
    return out->point >= 0;
}

/* a point of a rigid body by its name or in body axes; neither: its centre of mass */
static bool read_rigid_place(zw_reader *r, zw_yaml *name, zw_yaml *s, zw_yaml *at, zw_yaml *point, zw_place_def *out) {
    double value[3];
    if (s) {
        zw_report_key(r, s, "give at: [x, y, z] in body axes, or point: NAME", "s is the label along a rod, and '%.60s' is a rigid body",
                      name->text);
        return false;
    }
    if (at && point) {
        zw_report_key(r, at, "keep one of them", "'at' and 'point' exclude each other: both say where on the body");
        return false;
    }
    if (point) {
        out->point = zw_read_point(r, out->body, point);
        return out->point >= 0;
    }
    return at == NULL || (zw_read_vector(r, at, ZW_OF_NOTHING, out->r) && zw_read_constants(r, at, out->r, value));
}

static bool read_label(zw_reader *r, zw_yaml *s, int body, bool moves, zw_quantity *out) {
    const zw_rod_def *rod = &r->model->bodies[body].rod;
    double            length = r->body_length[body], value = 0.0;
    char              text[ZW_NUMBER_TEXT], bound[ZW_NUMBER_TEXT];
    if (strcmp(s->text, "end") == 0) {
        *out = (zw_quantity){rod->length.node, zw_read_where(r, s)};
        return true;
    }
    if (!zw_read_quantity(r, s, moves ? ZW_OF_TIME : ZW_OF_NOTHING, out)) {
        return false;
    }
    bool of_time = moves && zw_node_depends(r->model->pool, out->node, r->model->slot_t);
    if (of_time ? !zw_read_value(r, *out, 0.0, &value) : !zw_read_constant(r, s, *out, &value)) {
        return of_time; /* what cannot be known yet is looked at when the run begins */
    }
    /* a label that misses the end by round-off of the expression is the end */
    if (isfinite(length) && !(value >= 0.0 && value <= length * (1.0 + 1e-12))) {
        zw_report(r, s, "write `s: end` for the far end", "must lie between 0 and the rod's length %s, and is %s%s",
                  zw_number_short(length, 9, bound), zw_number_short(value, 9, text), of_time ? " at t = 0" : "");
        return false;
    }
    return true;
}

bool zw_read_label(zw_reader *r, zw_yaml *s, int body, zw_quantity *out) {
    return read_label(r, s, body, false, out);
}

bool zw_read_moves(const zw_reader *r, const zw_place_def *p) {
    return p->body >= 0 && r->model->bodies[p->body].kind == ZW_BODY_ROD && p->s.node != 0 &&
           zw_node_depends(r->model->pool, p->s.node, r->model->slot_t);
}

bool zw_read_place(zw_reader *r, zw_yaml *node, zw_yaml *beside, zw_place_def *out) {
    static const char *const keys[] = {"s", "at", "point", "face"};
    zw_yaml                 *name = node, *given[3] = {NULL};
    out->body = -1;
    out->point = -1;
    out->at = zw_read_where(r, node);
    if (node->bad) {
        return false;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) { /* what was reported already needs no second report */
        zw_yaml *there = zw_yaml_get(node->kind == ZW_YAML_MAP ? node : beside, keys[i]);
        if (there && there->bad) {
            return false;
        }
        if (i < 3) {
            given[i] = there;
        }
    }
    if (node->kind == ZW_YAML_MAP) {
        name = zw_read_get(node, "body");
        for (int i = 0; i < 3; i++) {
            zw_yaml *twice = beside ? zw_yaml_get(beside, keys[i]) : NULL;
            if (twice && !twice->bad) {
                zw_report(r, twice, "keep the one inside { }", "%s belongs to the place in { }", keys[i]);
            }
        }
    }
    if (name == NULL) {
        return false;
    }
    out->body = zw_read_body(r, name);
    if (out->body < 0 || r->body_bad[out->body]) {
        return false;
    }
    zw_yaml *s = given[0], *at = given[1], *point = given[2];
    switch (r->model->bodies[out->body].kind) {
    case ZW_BODY_FIELD:
        zw_report(r, name, "name a rod or a rigid body", "'%.60s' is a field: it has no places in space", name->text);
        return false;
    case ZW_BODY_LAGRANGIAN: return read_lagrange_place(r, name, s, at, point, out);
    case ZW_BODY_RIGID: return read_rigid_place(r, name, s, at, point, out);
    case ZW_BODY_ROD: break;
    }
    if (point || at) {
        zw_report_key(r, point ? point : at, "give s: 0, s: end or another label", "%s, and '%.60s' is a rod",
                      point ? "points belong to rigid bodies and lagrangians" : "at is a point in the axes of a rigid body", name->text);
        return false;
    }
    return s == NULL || read_label(r, s, out->body, true, &out->s);
}

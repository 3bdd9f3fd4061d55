/* SPDX-License-Identifier: Apache-2.0
 * read_form.c: forms of rigid bodies, of the members of a compound, and of obstacles. Which keys go with which of them the schema knows;
 * here their numbers are read and looked at: sizes above 0, hulls with a volume, triangles with an area. */
#include "base/number.h"
#include "math/vec3.h"
#include "model/reader.h"

#include <math.h>
#include <string.h>

enum { MOST_HULL_POINTS = 10000, MOST_MEMBERS = 1000 };

static const struct {
    const char  *key;
    zw_form_kind kind;
} kinds[] = {{"sphere", ZW_FORM_SPHERE},     {"capsule", ZW_FORM_CAPSULE}, {"box", ZW_FORM_BOX},
             {"cylinder", ZW_FORM_CYLINDER}, {"hull", ZW_FORM_HULL},       {"compound", ZW_FORM_COMPOUND},
             {"plane", ZW_FORM_PLANE},       {"mesh", ZW_FORM_MESH},       {"gap", ZW_FORM_GAP}};

static bool positive(zw_reader *r, zw_yaml *node, zw_quantity q, const char *what) {
    return node == NULL || (!node->bad && zw_read_check(r, node, q, NAN, ZW_POSITIVE, what));
}

static bool positive_size(zw_reader *r, zw_yaml *node, const zw_quantity size[3]) {
    zw_yaml *c = node && node->kind == ZW_YAML_LIST ? node->first : node;
    bool     ok = true;
    for (int k = 0; node && k < 3 && c; k++) {
        ok = positive(r, c, size[k], "the side") && ok;
        c = node->kind == ZW_YAML_LIST ? c->next : ok ? c : NULL;
    }
    return ok;
}

static bool direction(zw_reader *r, zw_yaml *node, const zw_quantity q[3], const char *what) {
    double v[3];
    if (node == NULL) {
        return true;
    }
    if (!zw_read_constants(r, node, q, v)) {
        return false;
    }
    if (!(zw_v3_norm(v) > 0.0)) {
        zw_report(r, node, "give a vector that is not 0", "%s has no direction: it is [0, 0, 0]", what);
        return false;
    }
    return true;
}

/* the points of a hull or mesh, and what they are worth; NULL: wrong, or memory is out */
static double *read_points(zw_reader *r, zw_yaml *list, zw_form_def *form) {
    size_t  n = (size_t)list->count;
    double *value = zw_arena_alloc(r->arena, 3 * n + 1, sizeof *value, "points of a form");
    bool    ok = true;
    form->point = zw_arena_alloc(r->arena, n + 1, sizeof *form->point, "points of a form");
    if (value == NULL || form->point == NULL) {
        r->issues->memory = true;
        return NULL;
    }
    for (zw_yaml *c = list->first; c; c = c->next) {
        int i = form->npoints++;
        ok = zw_read_vector(r, c, ZW_OF_NOTHING, form->point[i]) && zw_read_constants(r, c, form->point[i], value + 3 * i) && ok;
    }
    return ok ? value : NULL;
}

/* how thick a cloud of points is: the farthest pair from the first point, the farthest from that line, the farthest from that plane */
static double thickness(int n, const double *p, double *extent) {
    double along[3] = {0}, normal[3] = {0}, best = 0.0, d[3], c[3];
    for (int i = 1; i < n; i++) {
        zw_v3_sub(d, p + 3 * i, p);
        if (zw_v3_norm(d) > best) {
            best = zw_v3_norm(d);
            zw_v3_scale(along, 1.0 / best, d);
        }
    }
    *extent = best;
    best = 0.0;
    for (int i = 1; i < n; i++) {
        zw_v3_sub(d, p + 3 * i, p);
        zw_v3_cross(c, along, d);
        if (zw_v3_norm(c) > best) {
            best = zw_v3_norm(c);
            zw_v3_scale(normal, 1.0 / best, c);
        }
    }
    if (best <= 1e-12 * *extent) {
        return 0.0;
    }
    best = 0.0;
    for (int i = 1; i < n; i++) {
        zw_v3_sub(d, p + 3 * i, p);
        best = fmax(best, fabs(zw_v3_dot(normal, d)));
    }
    return best;
}

static bool read_hull(zw_reader *r, zw_yaml *node, zw_form_def *form) {
    zw_yaml *list = node->kind == ZW_YAML_MAP ? zw_read_get(node, "points") : node;
    double   extent = 0.0;
    char     a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    if (list == NULL) {
        return false;
    }
    if (list->count < 4 || list->count > MOST_HULL_POINTS) {
        zw_report(r, list, list->count < 4 ? "add points that are not in one plane" : "leave out what is inside",
                  "a hull has 4 to %d points, and this one has %d", MOST_HULL_POINTS, list->count);
        return false;
    }
    const double *p = read_points(r, list, form);
    if (p == NULL) {
        return false;
    }
    double thick = thickness(form->npoints, p, &extent);
    if (!(thick > 1e-12 * extent)) {
        zw_report(r, list, "move a point out of the plane",
                  "the points lie in a plane: the hull is %s thick and %s long, and has no volume", zw_number_short(thick, 3, a),
                  zw_number_short(extent, 3, b));
        return false;
    }
    return true;
}

static bool read_triangle(zw_reader *r, zw_yaml *c, const zw_form_def *form, const double *p, int out[3]) {
    zw_yaml *corner = c->first;
    double   u[3], v[3], normal[3];
    for (int k = 0; k < 3 && corner; k++, corner = corner->next) {
        int64_t i = 0;
        if (!zw_read_count(r, corner, 0.0, form->npoints - 1.0, &i)) {
            return false;
        }
        out[k] = (int)i;
    }
    zw_v3_sub(u, p + 3 * out[1], p + 3 * out[0]);
    zw_v3_sub(v, p + 3 * out[2], p + 3 * out[0]);
    zw_v3_cross(normal, u, v);
    if (!(zw_v3_norm(normal) > 1e-14 * zw_v3_norm(u) * zw_v3_norm(v))) {
        zw_report(r, c, "name three points that are not in one line", "the triangle has no area");
        return false;
    }
    return true;
}

static bool read_mesh(zw_reader *r, zw_yaml *node, zw_form_def *form) {
    zw_yaml *points = zw_read_get(node, "points"), *triangles = zw_read_get(node, "triangles");
    bool     ok = true;
    if (points == NULL || triangles == NULL) {
        return false;
    }
    if (triangles->count == 0) {
        zw_report(r, triangles, NULL, "there are no triangles");
        return false;
    }
    const double *p = read_points(r, points, form);
    form->triangle = zw_arena_alloc(r->arena, (size_t)triangles->count, sizeof *form->triangle, "triangles");
    if (form->triangle == NULL) {
        r->issues->memory = true;
    }
    if (p == NULL || form->triangle == NULL) {
        return false;
    }
    for (zw_yaml *c = triangles->first; c; c = c->next) {
        ok = read_triangle(r, c, form, p, form->triangle[form->ntriangles++]) && ok;
    }
    return ok;
}

static bool read_compound(zw_reader *r, zw_yaml *list, zw_form_def *form) {
    bool ok = true;
    if (list->count > MOST_MEMBERS) {
        zw_report(r, list, "make several bodies", "there are %d members; at most %d are allowed", list->count, MOST_MEMBERS);
        return false;
    }
    form->member = zw_arena_alloc(r->arena, (size_t)list->count + 1, sizeof *form->member, "members of a compound");
    if (form->member == NULL) {
        r->issues->memory = true;
        return false;
    }
    for (zw_yaml *c = list->first; c; c = c->next) {
        zw_form_def *m = &form->member[form->nmembers++];
        zw_yaml     *at = zw_read_get(c, "at"), *turn = zw_read_get(c, "turn"), *mass = zw_read_get(c, "mass");
        zw_yaml     *density = zw_read_get(c, "density");
        double       v[3];
        if (c->bad || c->kind != ZW_YAML_MAP) {
            ok = false;
            continue;
        }
        ok = zw_read_form(r, c, m) && ok;
        zw_read_fields(r, c, m);
        ok = (at == NULL || zw_read_constants(r, at, m->at, v)) && (turn == NULL || zw_read_constants(r, turn, m->turn, v)) && ok;
        ok = positive(r, mass, m->mass, "the mass") && positive(r, density, m->density, "the density") && ok;
        if (mass && density) {
            zw_report_key(r, density, "keep one of them", "'mass' and 'density' exclude each other");
            ok = false;
        }
    }
    return ok;
}

/* sizes and places of a map of numbers */
static bool read_measures(zw_reader *r, zw_yaml *map, zw_form_def *form) {
    zw_yaml *radius = zw_yaml_get(map, "radius"), *length = zw_yaml_get(map, "length"), *size = zw_yaml_get(map, "size");
    zw_yaml *at = zw_yaml_get(map, "at"), *turn = zw_yaml_get(map, "turn"), *axis = zw_yaml_get(map, "axis");
    zw_yaml *normal = zw_yaml_get(map, "normal"), *hollow = zw_read_get(map, "hollow");
    double   v[3];
    bool     needs = form->kind != ZW_FORM_PLANE && form->kind != ZW_FORM_BOX; /* the schema missed it already */
    zw_read_fields(r, map, form);
    form->hollow = hollow && strcmp(hollow->text, "true") == 0;
    bool ok = positive(r, radius, form->radius, "the radius") && !(needs && radius == NULL);
    ok = positive(r, length, form->length, "the length") && ok;
    ok = positive_size(r, size, form->size) && ok;
    ok = direction(r, axis, form->axis, "the axis") && direction(r, normal, form->axis, "the normal") && ok;
    ok = (at == NULL || zw_read_constants(r, at, form->at, v)) && (turn == NULL || zw_read_constants(r, turn, form->turn, v)) && ok;
    if (axis && turn) {
        zw_report_key(r, turn, "keep one of them", "'axis' and 'turn' exclude each other");
        ok = false;
    }
    if (form->hollow && length) {
        zw_report_key(r, length, "remove it", "a hollow cylinder is endless");
        ok = false;
    }
    return ok;
}

bool zw_read_form(zw_reader *r, zw_yaml *map, zw_form_def *form) {
    zw_yaml *node = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && node == NULL; i++) {
        node = zw_yaml_get(map, kinds[i].key);
        if (node && node->entry && !(node->entry->flags & ZW_KEY_MAIN)) { /* `plane` of a rigid body is its normal */
            node = NULL;
        }
        form->kind = node ? kinds[i].kind : ZW_FORM_NONE;
    }
    if (node == NULL || node->bad) {
        return false;
    }
    form->where = zw_read_where(r, node);
    switch (form->kind) {
    case ZW_FORM_HULL: return read_hull(r, node, form);
    case ZW_FORM_COMPOUND: return read_compound(r, node, form);
    case ZW_FORM_MESH: return read_mesh(r, node, form);
    case ZW_FORM_GAP: return zw_read_quantity(r, node, ZW_OF_SPACE, &form->gap);
    default: return read_measures(r, node, form);
    }
}

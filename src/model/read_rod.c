/* SPDX-License-Identifier: Apache-2.0
 * read_rod.c: a rod of the model file, with every check that needs no more than its own numbers: sizes, moduli, directions, matrices.
 * Fields of s are checked at a few labels; the system checks them again at every element. */
#include "base/number.h"
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_ELEMENTS 10000000
#define GIB          (1024.0 * 1024.0 * 1024.0)

static zw_section_kind section_kind(const zw_yaml *map) {
    static const struct {
        const char     *key;
        zw_section_kind kind;
    } kinds[] = {{"square", ZW_SECTION_SQUARE}, {"round", ZW_SECTION_ROUND},      {"rectangle", ZW_SECTION_RECTANGLE},
                 {"tube", ZW_SECTION_TUBE},     {"bending", ZW_SECTION_EXPLICIT}, {"stiffness", ZW_SECTION_MATRIX}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (zw_yaml_get(map, kinds[i].key)) {
            return kinds[i].kind;
        }
    }
    return ZW_SECTION_SQUARE;
}

static zw_yaml *item(const zw_yaml *list, int i) {
    zw_yaml *c = list ? list->first : NULL;
    while (c && i-- > 0) {
        c = c->next;
    }
    return c;
}

/* items of a list checked one by one; a scalar stands for all */
static void check_items(zw_reader *r, zw_yaml *node, const zw_quantity *q, int n, double length, zw_sign sign, const char *what) {
    if (node == NULL || node->bad) {
        return;
    }
    for (int i = 0; i < (node->kind == ZW_YAML_LIST ? n : 1); i++) {
        zw_yaml *at = node->kind == ZW_YAML_LIST ? item(node, i) : node;
        if (at && q[i].node) {
            zw_read_check(r, at, q[i], length, sign, what);
        }
    }
}

/* symmetric and positive definite, by Cholesky, at label s */
static bool matrix_is_bad(zw_reader *r, const zw_quantity *q, double s, char *message, size_t size) {
    double a[36], text_a, text_b;
    char   x[ZW_NUMBER_TEXT], y[ZW_NUMBER_TEXT];
    for (int i = 0; i < 36; i++) {
        if (!zw_read_value(r, q[i], s, &a[i])) {
            return false;
        }
        if (!isfinite(a[i])) {
            snprintf(message, size, "the entry in row %d, column %d is not a finite number", i / 6 + 1, i % 6 + 1);
            return true;
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i; k++) {
            text_a = a[6 * k + i];
            text_b = a[6 * i + k];
            if (fabs(text_a - text_b) > 1e-12 * (fabs(text_a) + fabs(text_b))) {
                snprintf(message, size, "must be symmetric; row %d, column %d has %s and row %d, column %d has %s", k + 1, i + 1,
                         zw_number_short(text_a, 9, x), i + 1, k + 1, zw_number_short(text_b, 9, y));
                return true;
            }
        }
    }
    for (int i = 0; i < 6; i++) { /* a becomes its Cholesky factor, row by row */
        for (int k = 0; k <= i; k++) {
            double sum = a[6 * i + k];
            for (int j = 0; j < k; j++) {
                sum -= a[6 * i + j] * a[6 * k + j];
            }
            if (k < i) {
                a[6 * i + k] = sum / a[6 * k + k];
            } else if (!(sum > 0.0)) {
                snprintf(message, size, "must be positive definite; it is not from row %d on", i + 1);
                return true;
            } else {
                a[6 * i + i] = sqrt(sum);
            }
        }
    }
    return false;
}

static void check_matrix(zw_reader *r, zw_yaml *node, const zw_quantity *q, double length) {
    char   message[300];
    double scale = isfinite(length) ? length : 1.0;
    for (int i = 0; node && !node->bad && i < ZW_LABELS; i++) {
        if (matrix_is_bad(r, q, scale * i / (ZW_LABELS - 1), message, sizeof message)) {
            zw_report(r, node, "rotations about d1, d2, d3 come first, then displacements", "%s", message);
            return;
        }
    }
}

static void check_tube(zw_reader *r, zw_yaml *node, const zw_section_def *sec, double length) {
    double scale = isfinite(length) ? length : 1.0, outer = 0.0, inner = 0.0;
    char   a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    for (int i = 0; i < ZW_LABELS; i++) {
        double s = scale * i / (ZW_LABELS - 1);
        if (zw_read_value(r, sec->size[0], s, &outer) && zw_read_value(r, sec->size[1], s, &inner) && !(inner < outer)) {
            zw_report(r, node, "write [outer, inner]", "the inner radius %s must be less than the outer %s", zw_number_short(inner, 9, b),
                      zw_number_short(outer, 9, a));
            return;
        }
    }
}

static void read_section(zw_reader *r, zw_yaml *map, zw_section_def *sec, double length) {
    zw_read_fields(r, map, sec);
    sec->kind = section_kind(map);
    sec->at = zw_read_where(r, map);
    if (map->bad) {
        return;
    }
    zw_yaml *square = zw_read_get(map, "square"), *round = zw_read_get(map, "round"), *rectangle = zw_read_get(map, "rectangle");
    zw_yaml *tube = zw_read_get(map, "tube");
    check_items(r, square, sec->size, 1, length, ZW_POSITIVE, "the side");
    check_items(r, round, sec->size, 1, length, ZW_POSITIVE, "the radius");
    check_items(r, rectangle, sec->size, 2, length, ZW_POSITIVE, "a side");
    if (tube && !tube->bad) {
        zw_yaml *outer = item(tube, 0), *inner = item(tube, 1);
        bool     ok = zw_read_check(r, outer, sec->size[0], length, ZW_POSITIVE, "the outer radius");
        ok = zw_read_check(r, inner, sec->size[1], length, ZW_NOT_NEGATIVE, "the inner radius") && ok;
        if (ok) {
            check_tube(r, tube, sec, length);
        }
    }
    if (sec->kind == ZW_SECTION_EXPLICIT) {
        check_items(r, zw_read_get(map, "bending"), sec->bending, 2, length, ZW_POSITIVE, "a bending stiffness");
        check_items(r, zw_read_get(map, "torsion"), &sec->torsion, 1, length, ZW_POSITIVE, "the torsional stiffness");
        check_items(r, zw_read_get(map, "stretch"), &sec->stretch, 1, length, ZW_POSITIVE, "the axial stiffness");
        check_items(r, zw_read_get(map, "shear"), &sec->shear, 1, length, ZW_POSITIVE, "the shear stiffness");
        check_items(r, zw_read_get(map, "mass"), &sec->mass, 1, length, ZW_POSITIVE, "the mass");
        check_items(r, zw_read_get(map, "inertia"), sec->inertia, 3, length, ZW_POSITIVE, "an inertia");
    }
    if (sec->kind == ZW_SECTION_MATRIX) {
        check_matrix(r, zw_read_get(map, "stiffness"), sec->stiffness66, length);
        check_matrix(r, zw_read_get(map, "inertia"), sec->inertia66, length);
    }
}

static void missing(zw_reader *r, zw_yaml *map, const char *key, const char *remedy, const char *message) {
    char path[128], subject[192];
    zw_yaml_path(map, path, sizeof path);
    snprintf(subject, sizeof subject, "%s.%s", path, key);
    zw_where at = map->key ? map->key->at : map->at;
    zw_issue_add(r->issues, ZW_E_MODEL, map->source, map->source == r->root->source ? at : zw_nowhere(), subject, remedy, "%s", message);
}

/* stiffness that no row stands for */
static void check_free_strains(zw_reader *r, zw_yaml *section, const zw_rod_def *rod) {
    if (rod->section.kind != ZW_SECTION_EXPLICIT || section->bad) {
        return;
    }
    if (rod->kinematics < ZW_INEXTENSIBLE && zw_yaml_get(section, "stretch") == NULL) {
        missing(r, section, "stretch", "a cross-section needs it: axial stiffness, N; or say kinematics: inextensible", "is missing");
    }
    if (rod->kinematics < ZW_UNSHEARABLE && zw_yaml_get(section, "shear") == NULL) {
        missing(r, section, "shear", "a cross-section needs it: shear stiffness, N; or say kinematics: unshearable", "is missing");
    }
}

static void read_material(zw_reader *r, zw_yaml *rod, zw_yaml *section, const zw_section_def *sec, zw_material_def *mat, double length) {
    zw_yaml *map = zw_yaml_get(rod, "material");
    bool     geometric = sec->kind != ZW_SECTION_EXPLICIT && sec->kind != ZW_SECTION_MATRIX;
    if (section == NULL || section->bad) {
        geometric = false;
    }
    if (map == NULL) {
        if (geometric) {
            missing(r, rod, "material", "give density, young and poisson (or shear)", "is missing: a section that is a form needs it");
        }
        return;
    }
    if (map->bad || map->kind != ZW_YAML_MAP) {
        return;
    }
    zw_read_fields(r, map, mat);
    static const char *const keys[] = {"density", "young", "poisson", "shear"};
    if (section && !section->bad && !geometric) {
        for (int i = 0; i < 4; i++) {
            zw_yaml *k = zw_read_get(map, keys[i]);
            if (k) {
                zw_report(r, k, "remove it, or give the section as square, round, rectangle or tube",
                          "the section gives stiffness and mass already");
            }
        }
    } else if (geometric) {
        for (int i = 0; i < 2; i++) {
            if (zw_yaml_get(map, keys[i]) == NULL) {
                missing(r, map, keys[i], i == 0 ? "density, kg/m^3" : "Young's modulus, Pa",
                        "is missing: a section that is a form needs it");
            }
        }
        if (!zw_yaml_get(map, "poisson") && !zw_yaml_get(map, "shear")) {
            missing(r, map, "poisson", "give poisson or shear", "is missing: a section that is a form needs it");
        }
    }
    zw_yaml *poisson = zw_read_get(map, "poisson"), *shear = zw_read_get(map, "shear");
    if (poisson && shear) {
        zw_report(r, shear, "keep one of them", "'poisson' and 'shear' exclude each other");
    }
    check_items(r, zw_read_get(map, "density"), &mat->density, 1, length, ZW_POSITIVE, "the density");
    check_items(r, zw_read_get(map, "young"), &mat->young, 1, length, ZW_POSITIVE, "Young's modulus");
    check_items(r, zw_read_get(map, "shear"), &mat->shear, 1, length, ZW_POSITIVE, "the shear modulus");
    check_items(r, zw_read_get(map, "damping"), &mat->damping, 1, length, ZW_NOT_NEGATIVE, "the damping");
    double scale = isfinite(length) ? length : 1.0, nu = 0.0;
    char   text[ZW_NUMBER_TEXT];
    for (int i = 0; poisson && !poisson->bad && i < ZW_LABELS; i++) {
        if (zw_read_value(r, mat->poisson, scale * i / (ZW_LABELS - 1), &nu) && !(nu > -1.0 && nu <= 0.5)) {
            zw_report(r, poisson, "0.3 for metals, 0.5 for rubber", "Poisson's ratio must be above -1 and at most 0.5, and is %s",
                      zw_number_short(nu, 9, text));
        }
    }
}

static bool vector_value(zw_reader *r, const zw_quantity q[3], double out[3]) {
    return zw_read_value(r, q[0], 0.0, &out[0]) && zw_read_value(r, q[1], 0.0, &out[1]) && zw_read_value(r, q[2], 0.0, &out[2]);
}

/* finite components of a constant vector, or of a field of s */
static bool check_vector(zw_reader *r, zw_yaml *node, const zw_quantity q[3], double length) {
    if (node == NULL || node->bad) {
        return false;
    }
    bool ok = true;
    for (int k = 0; k < 3 && !node->bad; k++) {
        ok = zw_read_check(r, node->kind == ZW_YAML_LIST ? item(node, k) : node, q[k], length, ZW_ANY_SIGN, "") && ok;
    }
    return ok;
}

static void check_directions(zw_reader *r, zw_yaml *map, const zw_rod_def *rod) {
    zw_yaml *along = zw_read_get(map, "along"), *up = zw_read_get(map, "up");
    double   a[3] = {0.0, 0.0, 1.0}, u[3];
    check_vector(r, zw_read_get(map, "at"), rod->at, NAN);
    if (along) {
        if (!check_vector(r, along, rod->along, NAN) || !vector_value(r, rod->along, a)) {
            return;
        }
        if (!(hypot(hypot(a[0], a[1]), a[2]) > 0.0)) {
            zw_report(r, along, "give the direction of the rod, e.g. [1, 0, 0]", "has length 0");
            return;
        }
    }
    if (up == NULL || !check_vector(r, up, rod->up, NAN) || !vector_value(r, rod->up, u)) {
        return;
    }
    double na = hypot(hypot(a[0], a[1]), a[2]), nu = hypot(hypot(u[0], u[1]), u[2]);
    if (!(nu > 0.0)) {
        zw_report(r, up, "give a direction across the rod", "has length 0");
        return;
    }
    double c[3] = {a[1] / na * (u[2] / nu) - a[2] / na * (u[1] / nu), a[2] / na * (u[0] / nu) - a[0] / na * (u[2] / nu),
                   a[0] / na * (u[1] / nu) - a[1] / na * (u[0] / nu)};
    if (hypot(hypot(c[0], c[1]), c[2]) < 1e-9) {
        zw_report(r, up, "give a direction across the rod",
                  along ? "is parallel to `along`" : "is parallel to `along`, which is [0, 0, 1] when not given");
    }
}

static void read_points(zw_reader *r, zw_yaml *list, zw_shape_def *shape) {
    if (list->count < 2) {
        zw_report(r, list, "give at least the two ends", "a curve needs 2 points or more, and has %d", list->count);
        return;
    }
    shape->points = zw_arena_alloc(r->arena, (size_t)list->count, sizeof *shape->points, "points of a rod");
    if (shape->points == NULL) {
        r->issues->memory = true;
        return;
    }
    double last[3] = {0.0, 0.0, 0.0};
    for (zw_yaml *c = list->first; c; c = c->next) {
        double here[3];
        if (zw_read_vector(r, c, ZW_OF_NOTHING, shape->points[shape->npoints]) && check_vector(r, c, shape->points[shape->npoints], NAN) &&
            vector_value(r, shape->points[shape->npoints], here)) {
            if (c != list->first && here[0] == last[0] && here[1] == last[1] && here[2] == last[2]) {
                zw_report(r, c, "remove one of them", "is the same point as the one before");
            }
            memcpy(last, here, sizeof last);
        }
        shape->npoints++;
    }
}

static void read_shape(zw_reader *r, zw_yaml *node, zw_shape_def *shape, double length) {
    if (node == NULL) {
        return;
    }
    shape->at = zw_read_where(r, node);
    if (node->kind != ZW_YAML_MAP) {
        return; /* straight */
    }
    zw_yaml *form = node->first;
    while (form && !(form->entry && (form->entry->flags & ZW_KEY_MAIN))) {
        form = form->next;
    }
    if (form == NULL || form->bad) {
        return;
    }
    zw_read_fields(r, node, shape);
    const char *key = form->key->text;
    shape->kind = strcmp(key, "curvature") == 0 ? ZW_SHAPE_CURVATURE
                  : strcmp(key, "curve") == 0   ? ZW_SHAPE_CURVE
                  : strcmp(key, "points") == 0  ? ZW_SHAPE_POINTS
                                                : ZW_SHAPE_RING;
    if (shape->kind == ZW_SHAPE_POINTS) {
        read_points(r, form, shape);
    } else if (check_vector(r, form, shape->v, length) && shape->kind == ZW_SHAPE_RING) {
        double n[3];
        if (vector_value(r, shape->v, n) && !(hypot(hypot(n[0], n[1]), n[2]) > 0.0)) {
            zw_report(r, form, "give the normal of the ring's plane, e.g. [0, 1, 0]", "has length 0");
        }
    }
}

static void read_elements(zw_reader *r, zw_yaml *node, zw_rod_def *rod) {
    int64_t n = 0;
    double  asked = 0.0;
    char    text[ZW_NUMBER_TEXT], size[ZW_NUMBER_TEXT];
    if (node == NULL) {
        return;
    }
    zw_quantity q = {0};
    if (!zw_read_quantity(r, node, ZW_OF_NOTHING, &q) || !zw_read_value(r, q, 0.0, &asked)) {
        return;
    }
    if (isfinite(asked) && asked > MAX_ELEMENTS) { /* 4 KiB each: state, strains, stiffness and mass blocks, scratch */
        zw_report(r, node, "use fewer", "%s elements would need %s GiB; at most 10 million are allowed", zw_number_short(asked, 9, text),
                  zw_number_short(asked * 4096.0 / GIB, 3, size));
        return;
    }
    if (zw_read_count(r, node, 1.0, MAX_ELEMENTS, &n)) {
        rod->elements = (int)n;
    }
}

bool zw_read_rod(zw_reader *r, zw_yaml *map, zw_rod_def *rod, double *length) {
    zw_yaml *node = zw_read_get(map, "length"), *section = zw_yaml_get(map, "section"), *velocity = zw_read_get(map, "velocity");
    zw_yaml *natural = zw_read_get(map, "natural"), *kinematics = zw_read_get(map, "kinematics");
    zw_yaml *refined = zw_read_get(map, "links");
    zw_read_fields(r, map, rod);
    if (kinematics && !kinematics->bad) {
        rod->kinematics = strcmp(kinematics->text, "inextensible") == 0  ? ZW_INEXTENSIBLE
                          : strcmp(kinematics->text, "unshearable") == 0 ? ZW_UNSHEARABLE
                                                                         : ZW_COSSERAT;
    }
    if (refined && !refined->bad) {
        rod->refined = strcmp(refined->text, "refined") == 0;
        if (rod->refined && rod->kinematics != ZW_COSSERAT) {
            zw_report_key(r, refined, "remove one of the two", "it corrects shear strains, and kinematics: %s holds them",
                          kinematics->text);
        }
    }
    *length = NAN;
    if (node && !node->bad && zw_read_check(r, node, rod->length, NAN, ZW_POSITIVE, "the length")) {
        zw_read_value(r, rod->length, 0.0, length);
    }
    read_elements(r, zw_read_get(map, "elements"), rod);
    if (section && !section->bad) {
        read_section(r, section, &rod->section, *length);
        check_free_strains(r, section, rod);
    }
    read_material(r, map, section, &rod->section, &rod->material, *length);
    check_directions(r, map, rod);
    check_items(r, zw_read_get(map, "radius"), &rod->radius, 1, *length, ZW_NOT_NEGATIVE, "the radius");
    read_shape(r, zw_read_get(map, "shape"), &rod->shape, *length);
    if (natural && natural->kind == ZW_YAML_MAP) {
        zw_read_fields(r, natural, rod);
        rod->natural = ZW_NATURAL_CURVATURE;
        check_vector(r, zw_read_get(natural, "curvature"), rod->natural_curvature, *length);
    } else if (natural) {
        rod->natural = strcmp(natural->text, "start") == 0 ? ZW_NATURAL_START : ZW_NATURAL_STRAIGHT;
    }
    if (velocity && velocity->kind == ZW_YAML_MAP) {
        zw_read_fields(r, velocity, rod);
        rod->velocity_in_directors = true;
        check_vector(r, zw_read_get(velocity, "director"), rod->velocity, *length);
    } else {
        check_vector(r, velocity, rod->velocity, *length);
    }
    zw_yaml *growth = zw_read_get(map, "growth");
    if (growth) {
        zw_read_growth(r, growth, rod, *length);
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0
 * read_rigid.c: rigid bodies. Mass and inertia are given, or follow from a form; moments of inertia must be those of some body:
 * all above 0, and none larger than the sum of the other two. A planar body needs only its moment about the normal, and starts in its plane.
 * The part that moves it looks at the inertia that follows from a form. */
#include "base/number.h"
#include "math/dense.h"
#include "math/so3.h"
#include "math/vec3.h"
#include "model/reader.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 10000 };

typedef struct work {
    zw_reader    *r;
    zw_yaml      *map;
    zw_rigid_def *d;
    bool          has_normal;
    double        normal[3]; /* of a planar body: unit, space axes */
    double        turn[3];
} work;

static bool exclude(work *w, zw_yaml *a, zw_yaml *b) {
    if (a && b) {
        zw_report_key(w->r, b, "keep one of them", "'%s' and '%s' exclude each other", a->key->text, b->key->text);
    }
    return a && b;
}

/* members without a mass of their own share that of the body */
static void check_members(work *w, zw_yaml *compound, zw_yaml *given) {
    int own = 0, n = compound->kind == ZW_YAML_LIST ? compound->count : 0;
    for (zw_yaml *c = n ? compound->first : NULL; c; c = c->next) {
        own += c->kind == ZW_YAML_MAP && (zw_yaml_get(c, "mass") || zw_yaml_get(c, "density"));
    }
    if (own < n && given == NULL) {
        zw_report_key(w->r, compound, "give mass or density to the body, or to every member",
                      "the body has no mass, and %d of its %d members have none", n - own, n);
    } else if (own == n && given) {
        zw_report_key(w->r, given, "keep one of them", "every member of the compound has a mass of its own");
    }
}

/* a key that nobody knows may be meant for one that is missing: it was reported, and is enough */
static bool misspelt(const zw_yaml *map) {
    for (const zw_yaml *c = map->first; c; c = c->next) {
        if (c->bad && zw_schema_find("rigid", c->key->text, NULL) == NULL) {
            return true;
        }
    }
    return false;
}

static void check_mass(work *w, bool formed) {
    zw_reader *r = w->r;
    zw_yaml   *mass = zw_yaml_get(w->map, "mass"), *density = zw_yaml_get(w->map, "density"), *inertia = zw_yaml_get(w->map, "inertia");
    zw_yaml   *compound = zw_yaml_get(w->map, "compound"), *given = mass ? mass : density;
    if (mass && !mass->bad) {
        zw_read_check(r, mass, w->d->mass, NAN, ZW_POSITIVE, "the mass");
    }
    if (density && !density->bad) {
        zw_read_check(r, density, w->d->density, NAN, ZW_POSITIVE, "the density");
    }
    if (exclude(w, mass, density)) {
        return;
    }
    if (misspelt(w->map)) {
        return;
    }
    if (compound) {
        if (!compound->bad) {
            check_members(w, compound, given);
        }
    } else if (formed && given == NULL) {
        zw_report_key(r, w->map, "give mass, or density", "a body with a form needs its mass, and has none");
    } else if (!formed && density) {
        zw_report_key(r, density, "give mass, or a form: sphere, capsule, box, cylinder, hull or compound",
                      "a density needs a form, and this body has none");
    } else if (!formed && (mass == NULL || inertia == NULL)) {
        zw_report_key(r, w->map, "give mass and inertia, or a form: sphere, capsule, box, cylinder, hull or compound",
                      "a body without a form needs its mass and inertia; %s missing",
                      mass      ? "inertia is"
                      : inertia ? "the mass is"
                                : "both are");
    }
}

/* ---- inertia */
static void check_moments(work *w, zw_yaml *node, double v[3], bool rounded) {
    char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT], c[ZW_NUMBER_TEXT];
    for (int i = 0; i < 2; i++) { /* from small to large */
        for (int k = 0; k < 2; k++) {
            if (v[k] > v[k + 1]) {
                double t = v[k];
                v[k] = v[k + 1];
                v[k + 1] = t;
            }
        }
    }
    if (fabs(v[0]) <= (rounded ? 1e-15 * v[2] : 0.0)) {
        zw_report(w->r, node, "give it a radius: a capsule or cylinder has a moment about its axis; or keep it in a plane with `plane`",
                  "a moment of inertia is 0: nothing resists a spin about its axis");
    } else if (v[0] < 0.0) {
        zw_report(w->r, node, "give moments above 0", "moments of inertia must be positive, and one of them is %s",
                  zw_number_short(v[0], 9, a));
    } else if (v[2] > (v[0] + v[1]) * (1.0 + 1e-9)) { /* as rounded for people */
        zw_report(w->r, node, "the largest is at most the sum of the others, as of a flat plate", "no body has these moments: %s > %s + %s",
                  zw_number_short(v[2], 9, c), zw_number_short(v[0], 9, a), zw_number_short(v[1], 9, b));
    }
}

/* only the moment about the normal moves a planar body */
static void check_planar_moment(work *w, zw_yaml *node, const double I[9], const double principal[3]) {
    double R[9], n[3], In[3];
    char   text[ZW_NUMBER_TEXT];
    zw_so3_exp(w->turn, R);
    zw_m3_tmulv(n, R, w->normal);
    zw_m3_mulv(In, I, n);
    double moment = zw_v3_dot(n, In), least = fmin(principal[0], fmin(principal[1], principal[2]));
    double most = fmax(principal[0], fmax(principal[1], principal[2]));
    if (least < -1e-15 * fabs(most)) {
        zw_report(w->r, node, "give moments of 0 or more", "moments of inertia must not be negative, and one of them is %s",
                  zw_number_short(least, 9, text));
    } else if (!(moment > 1e-15 * most)) {
        zw_report(w->r, node, "give a moment above 0 about the normal",
                  "the moment about the normal of the plane must be positive, and is %s",
                  zw_number_short(fabs(moment) <= 1e-15 * most ? 0.0 : moment, 9, text));
    }
}

static void check_inertia(work *w) {
    zw_reader *r = w->r;
    zw_yaml   *node = zw_read_get(w->map, "inertia");
    double     I[9] = {0}, values[3], vectors[9], largest = 0.0;
    char       a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    if (node == NULL) {
        return;
    }
    w->d->ninertia = node->kind == ZW_YAML_LIST && node->first->kind == ZW_YAML_LIST ? 9 : 3;
    if (w->d->ninertia == 3) {
        if (!zw_read_constants(r, node, w->d->inertia, values)) {
            return;
        }
        zw_m3_diagonal(I, values[0], values[1], values[2]);
    } else {
        int k = 0;
        for (zw_yaml *row = node->first; row; row = row->next, k += 3) {
            if (!zw_read_constants(r, row, w->d->inertia + k, I + k)) {
                node->bad = true;
                return;
            }
        }
        for (int i = 0; i < 9; i++) {
            largest = fmax(largest, fabs(I[i]));
        }
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < i; j++) {
                if (fabs(I[3 * i + j] - I[3 * j + i]) > 1e-12 * largest) {
                    zw_report(r, node, "write the products of inertia on both sides",
                              "the matrix must be symmetric, and has %s in row %d and %s in row %d", zw_number_short(I[3 * j + i], 9, a),
                              j + 1, zw_number_short(I[3 * i + j], 9, b), i + 1);
                    return;
                }
            }
        }
        zw_sym3_eigen(I, values, vectors);
    }
    if (w->d->planar) {
        if (w->has_normal) {
            check_planar_moment(w, node, I, values);
        }
    } else {
        check_moments(w, node, values, w->d->ninertia == 9);
    }
}

/* ---- start */
static void check_plane(work *w) {
    zw_yaml *node = zw_yaml_get(w->map, "plane");
    double   length;
    w->d->planar = node != NULL;
    if (node == NULL || !zw_read_constants(w->r, node, w->d->plane, w->normal)) {
        return;
    }
    length = zw_v3_norm(w->normal);
    if (!(length > 0.0)) {
        zw_report(w->r, node, "give a vector that is not 0", "the normal of the plane has no direction: it is [0, 0, 0]");
        return;
    }
    zw_v3_scale(w->normal, 1.0 / length, w->normal);
    w->has_normal = true;
}

static void check_start(work *w) {
    zw_rigid_def *d = w->d;
    zw_reader    *r = w->r;
    zw_yaml      *at = zw_read_get(w->map, "at"), *turn = zw_read_get(w->map, "turn"), *velocity = zw_read_get(w->map, "velocity");
    zw_yaml      *spin = zw_read_get(w->map, "spin");
    double        v[3], across[3];
    char          text[ZW_NUMBER_TEXT];
    zw_read_constants(r, at, d->at, v);
    if (!zw_read_constants(r, turn, d->turn, w->turn)) {
        zw_v3_zero(w->turn);
    }
    if (zw_read_constants(r, velocity, d->velocity, v) && w->has_normal && fabs(zw_v3_dot(v, w->normal)) > 1e-12 * zw_v3_norm(v)) {
        zw_report(r, velocity, "take the part along the normal away", "the body leaves its plane at %s m/s",
                  zw_number_short(zw_v3_dot(v, w->normal), 9, text));
    }
    if (zw_read_constants(r, spin, d->spin, v) && w->has_normal) {
        zw_v3_addscaled(across, v, -zw_v3_dot(v, w->normal), w->normal);
        if (zw_v3_norm(across) > 1e-12 * zw_v3_norm(v)) {
            zw_report(r, spin, "a planar body turns about the normal of its plane only",
                      "the spin has a part of %s rad/s across the normal of the plane", zw_number_short(zw_v3_norm(across), 9, text));
        }
    }
}

static void read_points(work *w, zw_yaml *map) {
    zw_reader    *r = w->r;
    zw_rigid_def *d = w->d;
    double        v[3];
    if (map == NULL || map->kind != ZW_YAML_MAP) {
        return;
    }
    if (map->count > MOST_POINTS) {
        zw_report_key(r, map, NULL, "there are %d points; at most %d are allowed", map->count, MOST_POINTS);
        return;
    }
    d->point = zw_arena_alloc(r->arena, (size_t)map->count + 1, sizeof *d->point, "points");
    if (d->point == NULL) {
        r->issues->memory = true;
        return;
    }
    for (zw_yaml *c = map->first; c; c = c->next) {
        zw_lagrange_point_def *p = &d->point[d->npoints++];
        p->name = c->key->text;
        if (!c->bad && zw_read_vector(r, c, ZW_OF_NOTHING, p->r)) {
            zw_read_constants(r, c, p->r, v);
        }
    }
}

void zw_read_rigid(zw_reader *r, zw_yaml *map, zw_rigid_def *d) {
    work w = {.r = r, .map = map, .d = d};
    zw_read_fields(r, map, d);
    zw_read_form(r, map, &d->form);
    check_mass(&w, d->form.kind != ZW_FORM_NONE);
    check_plane(&w);
    check_start(&w);
    check_inertia(&w);
    read_points(&w, zw_read_get(map, "points"));
}

/* SPDX-License-Identifier: Apache-2.0
 * read_along.c: what holds a rod all along it: on a surface, by equations at every section, and by a foundation.
 *
 * Names of an equation: x y z (centre line, space), d1.x .. d3.z (directors, space), s, t; kappa.d1 .. gamma.d3 (strains per reference length, gamma.d3 = stretch - 1);
 * nonholonomic also velocity.x .. velocity.d3, spin.x .. spin.d3. One list holds at one kind of sections: where a strain occurs these are the middles of the links. */
#include "base/number.h"
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const strains[] = {"kappa.d1", "kappa.d2", "kappa.d3", "gamma.d1", "gamma.d2", "gamma.d3"};
static const char *const vectors[] = {"d1", "d2", "d3"}, *const rates[] = {"velocity", "spin"};

typedef enum kind { SURFACE, ALONG, NONHOLONOMIC } kind;

static zw_status fill_scope(zw_scope *s, kind of) {
    static const char *const places[] = {"t", "s", "x", "y", "z"};
    for (int i = 0; i < 5; i++) {
        ZW_TRY(zw_scope_add_input(s, places[i]));
    }
    for (int i = 0; i < 3; i++) {
        ZW_TRY(of == SURFACE
                   ? zw_scope_add_hint(s, vectors[i], "a surface is an equation of x, y, z, s, t; with directors write along: BODY")
                   : zw_scope_add_vector(s, vectors[i], false));
    }
    for (int i = 0; i < 6 && of != SURFACE; i++) {
        ZW_TRY(zw_scope_add_input(s, strains[i]));
    }
    for (int i = 0; i < 2 && of == SURFACE; i++) {
        ZW_TRY(
            zw_scope_add_hint(s, i == 0 ? "kappa" : "gamma", "a surface is an equation of x, y, z, s, t; with strains write along: BODY"));
    }
    for (int i = 0; i < 2; i++) {
        ZW_TRY(of == NONHOLONOMIC
                   ? zw_scope_add_vector(s, rates[i], true)
                   : zw_scope_add_hint(s, rates[i], "equations of velocities are written nonholonomic: \"left = right\", on: BODY"));
    }
    return ZW_OK;
}

static bool uses(zw_reader *r, zw_node n, const char *name) {
    int slot = zw_pool_input(r->model->pool, name);
    r->issues->memory = r->issues->memory || slot < 0;
    return slot >= 0 && zw_node_depends(r->model->pool, n, slot);
}

static bool uses_components(zw_reader *r, zw_node n, const char *vector, bool directors) {
    static const char *const axes[] = {"x", "y", "z", "d1", "d2", "d3"};
    for (int i = 0; i < (directors ? 6 : 3); i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.%s", vector, axes[i]);
        if (uses(r, n, name)) {
            return true;
        }
    }
    return false;
}

/* what an equation is about: strains, velocities, places and directors */
static void look_at(zw_reader *r, zw_node n, bool *strain, bool *velocity, bool *place) {
    const zw_model *m = r->model;
    *strain = *velocity = false;
    *place = zw_node_depends(m->pool, n, m->slot_x) || zw_node_depends(m->pool, n, m->slot_y) || zw_node_depends(m->pool, n, m->slot_z);
    for (int i = 0; i < 6; i++) {
        *strain = uses(r, n, strains[i]) || *strain;
    }
    for (int i = 0; i < 3; i++) {
        *place = uses_components(r, n, vectors[i], false) || *place;
    }
    for (int i = 0; i < 2; i++) {
        *velocity = uses_components(r, n, rates[i], true) || *velocity;
    }
}

static bool read_one(zw_reader *r, zw_scope *scope, kind of, zw_yaml *node, zw_along_def *d) {
    zw_expr_problem problem = {0};
    zw_value        f = {0};
    zw_relation     relation = ZW_RELATION_EQUAL;
    bool            strain, velocity, place;
    if (node->bad) {
        return false;
    }
    zw_pool_set_brief(r->model->pool, zw_issues_full(r->issues));
    zw_status status = of == NONHOLONOMIC ? zw_expr_parse_relation(scope, node->text, &f, &relation, &problem)
                                          : zw_expr_parse(scope, node->text, &f, &problem);
    if (status == ZW_E_MODEL) {
        if (of == NONHOLONOMIC && (strstr(problem.remedy, "<=") || strstr(problem.remedy, ">="))) {
            snprintf(problem.remedy, sizeof problem.remedy, "write left = right");
        }
        zw_report_in(r, ZW_E_MODEL, __func__, node, problem.col > 0 ? problem.col - 1 : 0, problem.remedy[0] ? problem.remedy : NULL, "%s",
                     problem.message);
        return false;
    }
    if (!zw_reader_memory(r, status)) {
        return false;
    }
    if (relation != ZW_RELATION_EQUAL) {
        zw_report(r, node, "write left = right", "is an inequality: these are equations");
        return false;
    }
    if (f.width != 1) {
        zw_report(r, node, "write one for each component, .x .y .z", "must be a number, and this is a vector");
        return false;
    }
    look_at(r, f.n[0], &strain, &velocity, &place);
    if (of == NONHOLONOMIC && !velocity) {
        zw_report(r, node, "write it as along: BODY, zero: \"left - right\"", "has no velocity in it: it is not nonholonomic");
        return false;
    }
    if (!strain && !velocity && !place) {
        zw_report(r, node, of == SURFACE ? "write it with x, y, z" : "write it with x, y, z, directors or strains",
                  "says nothing about the rod: it depends on none of its variables");
        return false;
    }
    d->links = d->links || strain;
    d->inner = d->inner && strain && !velocity && !place;
    d->text[d->n] = node->text;
    d->f[d->n++] = (zw_quantity){f.n[0], zw_read_where(r, node)};
    return true;
}

/* from and to, of whatever acts along a rod */
static void read_span(zw_reader *r, zw_yaml *map, int body, zw_quantity *from, zw_quantity *to) {
    zw_yaml *first = zw_read_get(map, "from"), *last = zw_read_get(map, "to");
    double   a = 0.0, b = r->body_length[body];
    char     one[ZW_NUMBER_TEXT], other[ZW_NUMBER_TEXT];
    bool     ok = (first == NULL || zw_read_label(r, first, body, from)) && (last == NULL || zw_read_label(r, last, body, to));
    if (!ok || (first && !zw_read_value(r, *from, 0.0, &a)) || (last && !zw_read_value(r, *to, 0.0, &b))) {
        return;
    }
    if (!(a <= b)) {
        zw_report(r, last ? last : first, "write from below to", "begins at %s and ends before it, at %s", zw_number_short(a, 9, one),
                  zw_number_short(b, 9, other));
    }
}

/* the rod that a key names; -1 after reporting */
static int rod_of(zw_reader *r, zw_yaml *node, const char *what) {
    int body = node && node->kind == ZW_YAML_SCALAR ? zw_read_body(r, node) : -1;
    if (body < 0 || r->body_bad[body]) {
        return -1;
    }
    if (r->model->bodies[body].kind != ZW_BODY_ROD) {
        zw_report(r, node, "name a rod", "'%.60s' is a %s: %s acts along rods", node->text, zw_read_kind(&r->model->bodies[body]), what);
        return -1;
    }
    return body;
}

void zw_read_along(zw_reader *r, zw_yaml *map, zw_constraint_of *of) {
    zw_yaml      *main[] = {zw_read_get(map, "surface"), zw_read_get(map, "along"), zw_read_get(map, "on")};
    kind          which = zw_yaml_get(map, "surface") ? SURFACE : zw_yaml_get(map, "along") ? ALONG : NONHOLONOMIC;
    int           body = rod_of(r, main[which], which == SURFACE ? "a surface" : "it");
    zw_yaml      *zero = zw_read_get(map, which == NONHOLONOMIC ? "nonholonomic" : "zero");
    zw_scope     *scope = NULL;
    zw_along_def *d = &r->model->alongs[of->along = r->model->nalongs++];
    *d = (zw_along_def){
        .name = map->key->text, .at = zw_read_where(r, map->key), .body = body, .velocities = which == NONHOLONOMIC, .inner = true};
    if (body < 0 || zero == NULL) {
        return;
    }
    read_span(r, map, body, &d->from, &d->to);
    int count = zero->kind == ZW_YAML_LIST ? zero->count : 1;
    if (count < 1 || count > ZW_ALONG_MOST) {
        zw_report(r, zero, count < 1 ? "give one to six" : "a section has six degrees of freedom: leave some out",
                  count < 1 ? "the list is empty" : "there are %d equations, and a section takes at most six", count);
        return;
    }
    if (!zw_reader_memory(r, zw_scope_create(r->model->pool, r->parameters, &scope))) {
        return;
    }
    if (zw_reader_memory(r, fill_scope(scope, which))) {
        for (zw_yaml *c = zero->kind == ZW_YAML_LIST ? zero->first : zero; c; c = zero->kind == ZW_YAML_LIST ? c->next : NULL) {
            read_one(r, scope, which, c, d);
        }
    }
    d->inner = d->inner && d->n > 0;
    zw_scope_destroy(scope);
}

void zw_read_foundation(zw_reader *r, zw_yaml *map, zw_constraint_of *of) {
    static const char *const keys[] = {"stiffness", "damping"};
    zw_yaml                 *axes = zw_read_get(map, "axes"), *relax = zw_read_get(map, "relax");
    int                      body = rod_of(r, zw_read_get(map, "foundation"), "a foundation");
    zw_foundation_def       *d = &r->model->foundations[of->foundation = r->model->nfoundations++];
    *d = (zw_foundation_def){.name = map->key->text, .at = zw_read_where(r, map->key), .body = body};
    d->directors = axes && strcmp(axes->text, "directors") == 0;
    zw_read_fields(r, map, d);
    for (int i = 0; i < 2; i++) {
        zw_yaml           *node = zw_read_get(map, keys[i]);
        const zw_quantity *q = i == 0 ? d->stiffness : d->damping;
        char               what[40];
        snprintf(what, sizeof what, "the %s", keys[i]);
        for (int k = 0; node && !node->bad && k < 3; k++) {
            zw_read_check(r, node, q[k], NAN, ZW_NOT_NEGATIVE, what);
        }
    }
    if (relax) {
        zw_read_check(r, relax, d->relax, NAN, ZW_NOT_NEGATIVE, "the rate");
    }
    if (body >= 0) {
        read_span(r, map, body, &d->from, &d->to);
    }
}

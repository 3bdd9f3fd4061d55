/* SPDX-License-Identifier: Apache-2.0
 * read_statics.c: the path of equilibria. */
#include "base/number.h"
#include "model/reader.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void read_branches(zw_reader *r, zw_yaml *node, zw_statics_def *d) {
    int64_t count = 0;
    if (node->kind != ZW_YAML_SCALAR) {
        zw_report(r, node, "write none, all, or a whole number", "says of how many bifurcations branches are followed, and this is a %s",
                  node->kind == ZW_YAML_MAP ? "map" : "list");
    } else if (strcmp(node->text, "all") == 0) {
        d->branches = INT_MAX;
    } else if (strcmp(node->text, "none") != 0) {
        if (node->text[0] < '0' || node->text[0] > '9') {
            zw_report(r, node, "write none, all, or a whole number", "'%.40s' does not say of how many bifurcations branches are followed",
                      node->text);
        } else if (zw_read_count(r, node, 0.0, 1000.0, &count)) {
            d->branches = (int)count;
        }
    }
}

static void read_vary(zw_reader *r, zw_yaml *node, zw_statics_def *d) {
    const zw_model *m = r->model;
    for (int i = 0; i < m->nparameters; i++) {
        if (strcmp(m->parameter_name[i], node->text) == 0) {
            d->vary = m->parameter_name[i];
            return;
        }
    }
    char remedy[300];
    zw_read_suggest(node->text, m->parameter_name, m->nparameters, "the parameters are", remedy, sizeof remedy);
    zw_report(r, node, m->nparameters > 0 ? remedy : "write it under `parameters` and use it where it belongs",
              "there is no parameter '%.60s'", node->text);
}

void zw_read_statics(zw_reader *r) {
    static const char *const of_path[] = {"from", "to", "points", "branches"};
    zw_yaml                 *map = zw_read_get(r->root, "statics");
    zw_statics_def          *d = &r->model->statics;
    int64_t                  count = 0;
    d->points = 21;
    if (map == NULL || map->kind != ZW_YAML_MAP) {
        return;
    }
    d->given = true;
    d->at = zw_read_where(r, map);
    zw_read_fields(r, map, d);
    zw_yaml *vary = zw_read_get(map, "vary"), *from = zw_read_get(map, "from"), *to = zw_read_get(map, "to");
    zw_yaml *points = zw_read_get(map, "points"), *branches = zw_read_get(map, "branches"), *mesh = zw_read_get(map, "mesh");
    double   a = NAN, b = NAN;
    if (vary) {
        read_vary(r, vary, d);
    }
    for (int i = 0; i < 4 && !zw_yaml_get(map, "vary"); i++) {
        zw_yaml *node = zw_read_get(map, of_path[i]);
        if (node) {
            zw_report_key(r, node, "add `vary: PARAMETER`, or remove it", "belongs to a path, and nothing varies");
            break;
        }
    }
    if (zw_yaml_get(map, "vary") && !zw_yaml_get(map, "to")) {
        zw_report_key(r, zw_yaml_get(map, "vary"), "add the last value, `to: ...`", "a path needs an end");
    }
    bool has_from = from && zw_read_constant(r, from, d->from, &a), has_to = to && zw_read_constant(r, to, d->to, &b);
    if (has_from && has_to && a == b) {
        char number[ZW_NUMBER_TEXT];
        zw_report(r, to, "give another value", "the path ends where it begins, at %s", zw_number_short(a, 9, number));
    }
    if (points && zw_read_count(r, points, 2.0, 1e6, &count)) {
        d->points = (int)count;
    }
    if (branches) {
        read_branches(r, branches, d);
    }
    d->check_mesh = mesh && strcmp(mesh->text, "check") == 0;
    for (int i = 0; d->check_mesh && i < r->model->nbodies; i++) {
        const zw_body_def *body = &r->model->bodies[i];
        if (body->kind == ZW_BODY_ROD && body->rod.elements % 2 != 0) {
            zw_report(r, mesh, "make the numbers of elements even", "rod '%s' has %d elements, which cannot be halved", body->name,
                      body->rod.elements);
        } else if (body->kind == ZW_BODY_ROD && body->rod.refined) {
            zw_report(r, mesh, "use links: plain for it, or compare two meshes by hand",
                      "rod '%s' has links: refined, whose errors are not of the second order that is extrapolated", body->name);
        }
    }
}

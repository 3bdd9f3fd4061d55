/* SPDX-License-Identifier: Apache-2.0
 * read_lagrange_points.c: places of a lagrangian body: particles, which have a mass, and points, which have none; and the lines that
 * pictures draw between them. Particles come first: the number of a place counts through both. */
#include "model/reader.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 1000, MOST_LINKS = 10000 };

static zw_lagrange_point_def *new_point(zw_reader *r, zw_lagrangian_def *d, zw_yaml *c) {
    for (int i = 0; i < d->npoints; i++) { /* a particle and a point */
        if (strcmp(d->point[i].name, c->key->text) == 0) {
            zw_report_key(r, c, "choose another name", "there is a particle '%.60s' already, and particles are points too", c->key->text);
            return NULL;
        }
    }
    d->point[d->npoints].name = c->key->text;
    return &d->point[d->npoints++];
}

/* does any component use a velocity? dt() brings them in without naming them */
static bool moves(zw_reader *r, const zw_quantity q[3]) {
    bool rests = true, all = true;
    for (int k = 0; k < 3 && q[0].node && q[1].node && q[2].node; k++) {
        zw_reader_memory(r, zw_values_known(&r->resting, q[k].node, &rests));
        all = all && rests;
    }
    return !all;
}

static void check_point(zw_reader *r, zw_lagrangian_def *d, zw_yaml *c, zw_lagrange_point_def *p) {
    zw_yaml *turn = c->kind == ZW_YAML_MAP ? zw_yaml_get(c, "turn") : NULL,
            *position = c->kind == ZW_YAML_MAP ? zw_yaml_get(c, "position") : c;
    if (position && !position->bad && moves(r, p->r)) {
        zw_report(r, position, "write it with coordinates and t", "a position must not depend on velocities");
    }
    if (turn && !turn->bad && moves(r, p->turn)) {
        zw_report(r, turn, "write it with coordinates and t", "a rotation must not depend on velocities");
    }
    for (int k = 0; k < 3 && turn && turn->bad; k++) { /* a wrong turn is one nevertheless: joints need not say more */
        p->turn[k].node = zw_node_input(r->model->pool, d->slot_q[0]);
        r->issues->memory = r->issues->memory || p->turn[k].node == 0;
    }
}

static int find_point(zw_reader *r, const zw_lagrangian_def *d, const zw_names *names, zw_yaml *node) {
    char remedy[300] = "";
    int  found = zw_names_find(names, node->text);
    if (found < 0) {
        if (!zw_issues_full(r->issues)) {
            zw_read_suggest(node->text, names->name, d->npoints, "points: ", remedy, sizeof remedy);
        }
        zw_report(r, node, remedy, "there is no point '%.60s'", node->text);
    }
    return found;
}

/* pairs of points; the schema saw that they are pairs of texts */
static void read_links(zw_reader *r, zw_lagrangian_def *d, zw_yaml *list) {
    zw_names names;
    if (list == NULL || list->kind != ZW_YAML_LIST || list->count == 0) {
        return;
    }
    if (list->count > MOST_LINKS) {
        zw_report_key(r, list, NULL, "there are %d links; at most %d are allowed", list->count, MOST_LINKS);
        return;
    }
    d->link = zw_arena_alloc(r->arena, (size_t)list->count, sizeof *d->link, "links");
    zw_names_init(&names, r->context);
    r->issues->memory = r->issues->memory || d->link == NULL;
    for (int i = 0; i < d->npoints && !r->issues->memory; i++) {
        r->issues->memory = zw_names_find(&names, d->point[i].name) < 0 && zw_names_add(&names, d->point[i].name) < 0;
    }
    for (zw_yaml *c = list->first; c && !r->issues->memory; c = c->next) {
        if (c->bad) {
            continue;
        }
        int a = find_point(r, d, &names, c->first), b = find_point(r, d, &names, c->first->next);
        if (a >= 0 && a == b) {
            zw_report(r, c, "name two points", "joins the point '%.60s' to itself", c->first->text);
        }
        d->link[d->nlinks][0] = a;
        d->link[d->nlinks++][1] = b;
    }
    zw_names_destroy(&names);
}

void zw_read_lagrange_points(zw_reader *r, zw_yaml *map, zw_lagrangian_def *d) {
    zw_yaml *particles = zw_read_get(map, "particles"), *points = zw_read_get(map, "points");
    bool     masses = particles && particles->kind == ZW_YAML_MAP, places = points && points->kind == ZW_YAML_MAP;
    int      n = (masses ? particles->count : 0) + (places ? points->count : 0);
    if (n > MOST_POINTS) {
        zw_report_key(r, places ? points : particles, NULL, "there are %d particles and points; at most %d are allowed", n, MOST_POINTS);
        return;
    }
    d->point = zw_arena_alloc(r->arena, (size_t)n + 1, sizeof *d->point, "points");
    if (d->point == NULL) {
        r->issues->memory = true;
        return;
    }
    for (zw_yaml *c = masses ? particles->first : NULL; c; c = c->next) {
        zw_lagrange_point_def *p = new_point(r, d, c);
        zw_yaml               *mass = zw_read_get(c, "mass");
        if (!c->bad && c->kind == ZW_YAML_MAP) {
            zw_read_fields(r, c, p);
            if (mass && !mass->bad) {
                zw_read_check(r, mass, p->mass, NAN, ZW_POSITIVE, "the mass");
            }
            check_point(r, d, c, p);
        }
    }
    for (zw_yaml *c = places ? points->first : NULL; c; c = c->next) {
        zw_lagrange_point_def *p = new_point(r, d, c);
        if (p == NULL || c->bad) {
            continue;
        }
        if (c->kind == ZW_YAML_MAP) {
            zw_read_fields(r, c, p);
        } else {
            zw_read_vector(r, c, ZW_OF_COORDINATES, p->r);
        }
        check_point(r, d, c, p);
    }
    read_links(r, d, zw_read_get(map, "links"));
}

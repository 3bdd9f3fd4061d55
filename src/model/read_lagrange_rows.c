/* SPDX-License-Identifier: Apache-2.0
 * read_lagrange_rows.c: the equations that hold a lagrangian body, wherever they stand, and the names BODY.COORDINATE and BODY.ROW of
 * probes. An equation left = right is kept as f = left - right. */
#include "model/reader.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 1000 };

static zw_lagrange_row_def *new_row(zw_reader *r, zw_lagrangian_def *d) {
    if ((d->nrows & (d->nrows - 1)) == 0) { /* full at every power of two */
        zw_lagrange_row_def *more = zw_arena_alloc(r->arena, d->nrows ? (size_t)d->nrows * 2 : 1, sizeof *more, "constraints");
        if (more == NULL) {
            r->issues->memory = true;
            return NULL;
        }
        if (d->nrows > 0) {
            memcpy(more, d->row, (size_t)d->nrows * sizeof *more);
        }
        d->row = more;
    }
    return &d->row[d->nrows++];
}

int zw_read_lagrange_row(zw_reader *r, int body, zw_yaml *node, const char *name) {
    zw_lagrangian_def *d = &r->model->bodies[body].lagrangian;
    zw_expr_problem    problem = {0};
    zw_value           f = {0};
    zw_relation        relation = ZW_RELATION_EQUAL;
    bool               fixed = false;
    if (d->nrows >= MOST_ROWS) {
        zw_report(r, node, NULL, "'%.60s' has %d constraints, and at most %d are allowed", r->model->bodies[body].name, d->nrows + 1,
                  MOST_ROWS);
        return -1;
    }
    zw_lagrange_row_def *row = new_row(r, d);
    if (row == NULL) {
        return -1;
    }
    *row = (zw_lagrange_row_def){.name = name, .text = node->text};
    zw_pool_set_brief(r->model->pool, zw_issues_full(r->issues));
    zw_status status = zw_expr_parse_relation(r->body_scope[body], node->text, &f, &relation, &problem);
    if (status == ZW_E_MODEL) {
        if (strstr(problem.remedy, "<=") || strstr(problem.remedy, ">=")) { /* relations that do not go here */
            snprintf(problem.remedy, sizeof problem.remedy, "write left = right");
        }
        zw_report_in(r, ZW_E_MODEL, __func__, node, problem.col > 0 ? problem.col - 1 : 0, problem.remedy[0] ? problem.remedy : NULL, "%s",
                     problem.message);
        return d->nrows - 1;
    }
    if (!zw_reader_memory(r, status)) {
        return -1;
    }
    if (relation != ZW_RELATION_EQUAL) {
        zw_report(r, node, "write left = right, or `NAME: {unilateral: \"left <= right\", on: BODY}` under `constraints` of the model",
                  "is an inequality: these are equations, and inequalities have a key of their own, `unilateral`");
    } else if (f.width != 1) {
        zw_report(r, node, "write one equation for each component, .x .y .z",
                  "must be an equation between numbers, and this is one of vectors");
    } else if (zw_reader_memory(r, zw_values_known(&r->fixed, f.n[0], &fixed)) && fixed) {
        zw_report(r, node, "write an equation that the motion has to keep",
                  "says nothing about the coordinates: it depends on none of them");
    } else {
        row->f = (zw_quantity){f.n[0], zw_read_where(r, node)};
    }
    return d->nrows - 1;
}

void zw_read_nonholonomic(zw_reader *r, zw_yaml *map, zw_constraint_of *of) {
    zw_yaml *text = zw_read_get(map, "nonholonomic"), *on = zw_read_get(map, "on");
    int      body = on && on->kind == ZW_YAML_SCALAR ? zw_read_body(r, on) : -1;
    if (text == NULL || body < 0 || r->body_bad[body]) {
        return;
    }
    if (r->model->bodies[body].kind == ZW_BODY_ROD) {
        zw_read_along(r, map, of);
        return;
    }
    if (r->model->bodies[body].kind != ZW_BODY_LAGRANGIAN) {
        zw_report(r, on, "name a lagrangian or a rod",
                  "'%.60s' is a %s: an equation between velocities is for the coordinates of a lagrangian, or all along a rod", on->text,
                  zw_read_kind(&r->model->bodies[body]));
        return;
    }
    for (int i = 0; i < 2; i++) {
        zw_yaml *label = zw_read_get(map, i == 0 ? "from" : "to");
        if (label) {
            zw_report_key(r, label, "remove it", "labels belong to rods, and '%.60s' is a lagrangian", on->text);
            return;
        }
    }
    if (text->kind == ZW_YAML_LIST) {
        zw_report(r, text, "write one equation, and a constraint for each of the others", "a list of equations is for sections of a rod");
        return;
    }
    for (int i = 0; i < r->model->bodies[body].lagrangian.nrows; i++) {
        if (strcmp(r->model->bodies[body].lagrangian.row[i].name, map->key->text) == 0) {
            zw_report_key(r, map, "choose another name", "'%.60s' has a constraint of this name already", r->model->bodies[body].name);
            return;
        }
    }
    of->row = zw_read_lagrange_row(r, body, text, map->key->text);
    of->body = of->row >= 0 ? body : -1;
}

/* the body of BODY.NAME, and NAME; -1 after reporting, or when the body is wrong already */
static int dotted(zw_reader *r, zw_yaml *node, const char *what, const char **name) {
    const char     *dot = strchr(node->text, '.');
    const zw_model *m = r->model;
    char            remedy[300] = "", word[128];
    if (dot == NULL) {
        zw_report(r, node, "write BODY.NAME", "does not say which %s of which body", what);
        return -1;
    }
    int body = zw_names_find_n(&r->body, node->text, (size_t)(dot - node->text));
    *name = dot + 1;
    if (body < 0) {
        snprintf(word, sizeof word, "%.*s", (int)(dot - node->text < 120 ? dot - node->text : 120), node->text);
        if (!zw_issues_full(r->issues)) {
            zw_read_suggest(word, r->body.name, m->nbodies, "bodies: ", remedy, sizeof remedy);
        }
        zw_report(r, node, remedy, "there is no body '%.60s'", word);
        return -1;
    }
    if (r->body_bad[body]) {
        return -1;
    }
    if (m->bodies[body].kind != ZW_BODY_LAGRANGIAN) {
        zw_report(r, node, "name a lagrangian", "'%.60s' is a %s and has no %s", m->bodies[body].name, zw_read_kind(&m->bodies[body]),
                  what);
        return -1;
    }
    return body;
}

bool zw_read_row_name(zw_reader *r, zw_yaml *node, int *body, int *row) {
    const char *name = NULL;
    char        remedy[300] = "no equations are given for it";
    *body = dotted(r, node, "constraint", &name);
    if (*body < 0) {
        return false;
    }
    const zw_lagrangian_def *d = &r->model->bodies[*body].lagrangian;
    const char              *names[MOST_ROWS];
    for (*row = 0; *row < d->nrows; (*row)++) {
        if (strcmp(d->row[*row].name, name) == 0) {
            return true;
        }
        names[*row] = d->row[*row].name;
    }
    if (d->nrows > 0 && !zw_issues_full(r->issues)) {
        zw_read_suggest(name, names, d->nrows, "constraints: ", remedy, sizeof remedy);
    }
    zw_report(r, node, remedy, "'%.60s' has no constraint '%.60s'", r->model->bodies[*body].name, name);
    return false;
}

/* is it NAME, or NAME and dot? */
static bool is_velocity(const char *name, const char *coordinate) {
    size_t n = strlen(coordinate);
    return strncmp(name, coordinate, n) == 0 && strcmp(name + n, "dot") == 0;
}

bool zw_read_coordinate_name(zw_reader *r, zw_yaml *node, int *body, int *slot) {
    const char *name = NULL;
    char        remedy[300] = "";
    *body = dotted(r, node, "coordinate", &name);
    *slot = -1;
    if (*body < 0) {
        return false;
    }
    const zw_lagrangian_def *d = &r->model->bodies[*body].lagrangian;
    for (int i = 0; i < d->n && *slot < 0; i++) {
        *slot = strcmp(name, d->coordinate[i]) == 0 ? d->slot_q[i] : is_velocity(name, d->coordinate[i]) ? d->slot_v[i] : -1;
    }
    for (int i = 0; i < d->nquasi && *slot < 0; i++) {
        *slot = strcmp(name, d->quasi[i].name) == 0 ? d->slot_u[i] : -1;
    }
    if (*slot < 0) {
        if (!zw_issues_full(r->issues)) {
            zw_read_suggest(name, d->coordinate, d->n, "NAMEdot is the velocity of NAME; coordinates: ", remedy, sizeof remedy);
        }
        zw_report(r, node, remedy, "'%.60s' has no coordinate or velocity '%.60s'", r->model->bodies[*body].name, name);
    }
    return *slot >= 0;
}

/* SPDX-License-Identifier: Apache-2.0
 * read_probes.c: quantities to follow. A probe is an input of the pool for the expressions below it: NAME, NAME.x .y .z, orientation
 * also NAME.w, reaction NAME.fx .fy .fz .mx .my .mz. */
#include "model/reader.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char   *key;
    zw_probe_kind kind;
    int           width;
} kinds[] = {{"position", ZW_PROBE_POSITION, 3},     {"velocity", ZW_PROBE_VELOCITY, 3},   {"orientation", ZW_PROBE_ORIENTATION, 4},
             {"strain", ZW_PROBE_STRAIN, 3},         {"curvature", ZW_PROBE_CURVATURE, 3}, {"force", ZW_PROBE_FORCE, 3},
             {"moment", ZW_PROBE_MOMENT, 3},         {"driving", ZW_PROBE_DRIVING, 1},     {"reaction", ZW_PROBE_REACTION, 6},
             {"multiplier", ZW_PROBE_MULTIPLIER, 0}, {"energy", ZW_PROBE_ENERGY, 1},       {"length", ZW_PROBE_LENGTH, 1},
             {"coordinate", ZW_PROBE_COORDINATE, 1}, {"angle", ZW_PROBE_ANGLE, 1},         {"way", ZW_PROBE_WAY, 1},
             {"expression", ZW_PROBE_EXPRESSION, 1}};

/* what holds a rod all along it has no angle or way, and a foundation no multiplier */
static void find_along(zw_reader *r, zw_yaml *node, const zw_probe_def *d) {
    if (d->kind == ZW_PROBE_MULTIPLIER && d->foundation >= 0) {
        zw_report(r, node, "take its reaction", "'%.60s' is a foundation: it pulls, and holds nothing", node->text);
    } else if (d->kind != ZW_PROBE_MULTIPLIER && d->kind != ZW_PROBE_REACTION) {
        zw_report(r, node, d->kind == ZW_PROBE_ANGLE ? "name a hinge" : "name a slider", "'%.60s' acts all along a rod: it is no joint",
                  node->text);
    }
}

/* reaction and multiplier: a joint, or an equation of a lagrangian by its name under `constraints` or as BODY.NAME */
static void find_constraint(zw_reader *r, zw_yaml *node, zw_probe_def *d) {
    const char **names = r->constraint.name;
    char         remedy[300] = "";
    int          known = zw_names_find(&r->constraint, node->text);
    if (known < 0 && strchr(node->text, '.')) {
        if (!zw_read_row_name(r, node, &d->body, &d->row)) {
            return;
        }
    } else if (known >= 0) {
        d->constraint = r->constraint_of[known].joint;
        d->body = r->constraint_of[known].body;
        d->row = r->constraint_of[known].row;
        d->along = r->constraint_of[known].along;
        d->foundation = r->constraint_of[known].foundation;
        if (d->along >= 0 || d->foundation >= 0) {
            find_along(r, node, d);
            return;
        }
        if (r->constraint_of[known].unilateral >= 0) {
            zw_report(r, node, "its impulses are in the events of the results", "'%.60s' is an inequality: it acts in impacts and rests",
                      node->text);
            return;
        }
    } else {
        if (!zw_issues_full(r->issues)) {
            zw_read_suggest(node->text, names, r->constraint.n, r->constraint.n ? "constraints: " : "the model has no constraints", remedy,
                            sizeof remedy);
        }
        zw_report(r, node, remedy, "there is no constraint '%.60s'", node->text);
        return;
    }
    if (d->constraint >= 0 && d->kind == ZW_PROBE_MULTIPLIER && r->model->constraints[d->constraint].kind &&
        strcmp(r->model->constraints[d->constraint].kind, "spring") == 0) {
        zw_report(r, node, "take its reaction", "'%.60s' is a spring: it pulls, and holds nothing", node->text);
    }
    if (d->kind == ZW_PROBE_ANGLE || d->kind == ZW_PROBE_WAY) {
        const char *of = d->kind == ZW_PROBE_ANGLE ? "hinge" : "slider";
        const char *is = d->constraint >= 0 ? r->model->constraints[d->constraint].kind : "equation between coordinates";
        if (is != NULL && strcmp(is, of) != 0) {
            zw_report(r, node, d->kind == ZW_PROBE_ANGLE ? "name a hinge" : "name a slider", "'%.60s' is no %s: it is a %s", node->text, of,
                      is);
        }
    }
    if (d->constraint < 0 && d->along < 0 && d->foundation < 0 && d->kind == ZW_PROBE_REACTION) {
        zw_report(r, node, "take its multiplier", "'%.60s' is an equation between coordinates: it has no force in space", node->text);
    }
}

static bool read_energy(zw_reader *r, zw_yaml *node, zw_probe_def *d) {
    static const char *const words[] = {"total", "kinetic", "elastic", "potential"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(node->text, words[i]) == 0) {
            d->energy = (zw_energy_kind)i;
            return true;
        }
    }
    int body = zw_names_find(&r->body, node->text);
    if (body >= 0) {
        d->energy = ZW_ENERGY_BODY;
        d->place.body = body;
        return true;
    }
    const char *near = zw_nearest_name(node->text, words, 4);
    char        remedy[120];
    snprintf(remedy, sizeof remedy, "%s%s%stotal, kinetic, elastic, potential or the name of a body", near ? "did you mean '" : "",
             near ? near : "", near ? "'? allowed: " : "allowed: ");
    zw_report(r, node, remedy, "'%.60s' is not an energy", node->text);
    return false;
}

static unsigned bits(unsigned fix) {
    unsigned n = 0;
    for (; fix; fix &= fix - 1) {
        n++;
    }
    return n;
}

/* where along a rod a constraint is looked at */
static void read_section(zw_reader *r, zw_yaml *c, zw_yaml *node, zw_probe_def *d) {
    zw_yaml        *s = zw_read_get(c, "s");
    const zw_model *m = r->model;
    if (s == NULL || node->bad) {
        return;
    }
    if (d->along < 0 && d->foundation < 0) {
        zw_report_key(r, s, "remove it", "'%.60s' does not act all along a rod: it has one place", node->text);
        return;
    }
    int body = d->along >= 0 ? m->alongs[d->along].body : m->foundations[d->foundation].body;
    if (body >= 0 && m->bodies[body].kind == ZW_BODY_ROD && !r->body_bad[body]) {
        zw_read_label(r, s, body, &d->place.s);
    }
}

static void read_probe(zw_reader *r, zw_yaml *c, zw_probe_def *d) {
    zw_yaml *node = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && node == NULL; i++) {
        node = zw_yaml_get(c, kinds[i].key);
        d->kind = kinds[i].kind;
        d->width = kinds[i].width;
    }
    if (node == NULL || node->bad) {
        c->bad = true;
        return;
    }
    d->frame = zw_read_frame_name(r, zw_read_get(c, "in"));
    switch (d->kind) {
    case ZW_PROBE_REACTION:
    case ZW_PROBE_MULTIPLIER:
    case ZW_PROBE_ANGLE:
    case ZW_PROBE_WAY:
        find_constraint(r, node, d);
        read_section(r, c, node, d);
        if (d->kind == ZW_PROBE_MULTIPLIER) {
            d->width = d->along >= 0        ? (r->model->alongs[d->along].n > 0 ? r->model->alongs[d->along].n : 1)
                       : d->constraint >= 0 ? (int)bits(r->model->constraints[d->constraint].fix)
                                            : d->body >= 0;
        }
        break;
    case ZW_PROBE_COORDINATE: zw_read_coordinate_name(r, node, &d->body, &d->slot_of); break;
    case ZW_PROBE_ENERGY: read_energy(r, node, d); break;
    case ZW_PROBE_LENGTH:
        d->place.body = zw_read_body(r, node);
        if (d->place.body >= 0 && r->model->bodies[d->place.body].kind != ZW_BODY_ROD) {
            zw_report(r, node, "name a rod", "'%.60s' is a %s: it has no length that changes", node->text,
                      zw_read_kind(&r->model->bodies[d->place.body]));
        }
        break;
    case ZW_PROBE_EXPRESSION:
        if (zw_read_expression(r, node, ZW_OF_PROBES, &d->expression)) {
            d->width = d->expression.width;
        } else {
            c->bad = true;
        }
        break;
    default: {
        if (!zw_read_place(r, node, c, &d->place)) {
            break;
        }
        zw_body_kind kind = r->model->bodies[d->place.body].kind;
        if (kind != ZW_BODY_ROD && d->kind > ZW_PROBE_ORIENTATION) {
            zw_report_key(r, node, kind == ZW_BODY_RIGID ? "probe its position, velocity or orientation" : "probe its position or velocity",
                          "belongs to rods, and this is a point of a %s", zw_read_kind(&r->model->bodies[d->place.body]));
        } else if (d->kind == ZW_PROBE_ORIENTATION && !zw_read_has_axes(r, &d->place)) {
            zw_report_key(r, node, "give the point {position: .., turn: ..}", "the point has no axes");
        } else if (kind == ZW_BODY_ROD && d->place.s.node == 0 && !zw_yaml_get(c, "s")) {
            zw_report(r, node, "give s: 0, s: end or another label", "does not say where on the rod");
        }
        break;
    }
    }
}

static bool add_input(zw_reader *r, const zw_probe_def *d, const char *suffix, int *slot, zw_node *node) {
    char     name[180];
    zw_pool *pool = r->model->pool;
    int      body = zw_names_find(&r->body, d->name);
    /* inputs of these names are there already: s x y z, and BODY.COORDINATE; a name of three parts is nobody's */
    bool taken = (strlen(d->name) == 1 && strchr("sxyz", d->name[0])) || (body >= 0 && r->model->bodies[body].kind == ZW_BODY_LAGRANGIAN);
    if (taken) {
        snprintf(name, sizeof name, "probes.%.120s.%s", d->name, suffix[0] ? suffix : "value");
    } else {
        snprintf(name, sizeof name, "%.120s%s%s", d->name, suffix[0] ? "." : "", suffix);
    }
    *slot = zw_pool_input(pool, name);
    *node = *slot >= 0 ? zw_node_input(pool, *slot) : 0;
    return *node != 0 || zw_reader_memory(r, ZW_E_MEMORY);
}

static bool add_dotted(zw_reader *r, const zw_probe_def *d, const char *suffix, zw_node node) {
    char name[160];
    snprintf(name, sizeof name, "%.120s.%s", d->name, suffix);
    return zw_reader_memory(r, zw_scope_add_value(r->scope[ZW_OF_PROBES], name, (zw_value){1, {node}}));
}

/* opens the probe to the expressions below it */
static void name_probe(zw_reader *r, zw_probe_def *d) {
    static const char *const xyz[] = {"x", "y", "z"}, *const wxyz[] = {"w", "x", "y", "z"}, *const directors[] = {"d1", "d2", "d3"};
    static const char *const wrench[] = {"fx", "fy", "fz", "mx", "my", "mz"};
    zw_scope                *scope = r->scope[ZW_OF_PROBES];
    zw_node                  node[6] = {0};
    if (d->kind == ZW_PROBE_MULTIPLIER && d->body < 0 && (d->along < 0 || d->width > 1)) {
        zw_reader_memory(
            r, zw_scope_add_hint(scope, d->name, "multipliers are recorded and cannot be used in an expression; take the reaction"));
        return;
    }
    if (d->width == 1) {
        if (add_input(r, d, "", &d->slot[0], &node[0])) {
            zw_reader_memory(r, zw_scope_add_value(scope, d->name, (zw_value){1, {node[0]}}));
        }
        return;
    }
    const char *const *suffix = d->width == 3 ? xyz : d->width == 4 ? wxyz : wrench;
    for (int k = 0; k < d->width; k++) {
        if (!add_input(r, d, suffix[k], &d->slot[k], &node[k])) {
            return;
        }
    }
    if (d->width == 3) {
        bool along = d->kind == ZW_PROBE_STRAIN || d->kind == ZW_PROBE_CURVATURE || d->kind == ZW_PROBE_FORCE || d->kind == ZW_PROBE_MOMENT;
        zw_reader_memory(r, zw_scope_add_value(scope, d->name, (zw_value){3, {node[0], node[1], node[2]}}));
        for (int k = 0; along && k < 3; k++) {
            add_dotted(r, d, directors[k], node[k]);
        }
        return;
    }
    for (int k = 0; k < d->width; k++) {
        add_dotted(r, d, suffix[k], node[k]);
    }
    zw_reader_memory(r, zw_scope_add_hint(scope, d->name,
                                          d->width == 4 ? "an orientation has the components .w .x .y .z; name one of them"
                                                        : "a reaction has the components .fx .fy .fz .mx .my .mz; name one of them"));
}

static void check_name(zw_reader *r, zw_yaml *c) {
    if (zw_names_find(&r->parameter, c->key->text) >= 0) {
        zw_report_key(r, c, "rename the probe", "'%s' is a parameter already", c->key->text);
        return;
    }
    if (strcmp(c->key->text, "t") == 0 || strcmp(c->key->text, "pi") == 0) {
        zw_report_key(r, c, "rename the probe", "'%s' has a meaning of its own", c->key->text);
    }
}

void zw_read_probes(zw_reader *r) {
    zw_yaml  *map = zw_read_get(r->root, "probes");
    zw_model *m = r->model;
    size_t    n = map ? (size_t)map->count : 0;
    m->probes = zw_arena_alloc(r->arena, n + 1, sizeof *m->probes, "probes");
    if (m->probes == NULL) {
        r->issues->memory = true;
        return;
    }
    for (zw_yaml *c = n ? map->first : NULL; c; c = c->next) {
        if (!c->bad) {
            check_name(r, c);
        }
        if (zw_expr_is_name(c->key->text) && !c->bad) {
            zw_reader_memory(
                r, zw_scope_add_hint(r->scope[ZW_OF_PROBES], c->key->text, "this probe stands below; move it above the one that uses it"));
        }
    }
    for (zw_yaml *c = n ? map->first : NULL; c && !r->issues->memory; c = c->next) {
        zw_probe_def *d = &m->probes[m->nprobes++];
        d->name = c->key->text;
        d->at = zw_read_where(r, c->key);
        d->place = (zw_place_def){.body = -1, .point = -1};
        d->constraint = d->along = d->foundation = d->body = d->row = d->slot_of = -1;
        for (int k = 0; k < 6; k++) {
            d->slot[k] = -1;
        }
        bool name_ok = !c->bad;
        if (!c->bad && c->kind == ZW_YAML_MAP) {
            read_probe(r, c, d);
        }
        if (name_ok && c->bad) { /* its uses are not reported too */
            d->width = d->width ? d->width : 1;
        }
        if (name_ok && d->width > 0) {
            name_probe(r, d);
        }
    }
}

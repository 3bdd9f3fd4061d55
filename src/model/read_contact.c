/* SPDX-License-Identifier: Apache-2.0
 * read_contact.c: obstacles, and what happens where constraints and bodies are reached. */
#include "base/number.h"
#include "model/reader.h"

#include <math.h>
#include <string.h>

/* ---- obstacles */
static void read_motion(zw_reader *r, zw_yaml *motion, zw_obstacle_def *d) {
    zw_constraint_def  of = {0}; /* a motion is the same wherever it stands */
    zw_quantity *const to[] = {d->shift, d->turn};
    zw_yaml           *node[] = {zw_read_get(motion, "shift"), zw_read_get(motion, "turn")};
    zw_read_fields(r, motion, &of);
    memcpy(d->shift, of.shift, sizeof d->shift);
    memcpy(d->turn, of.turn, sizeof d->turn);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3 && node[i] && !node[i]->bad; k++) {
            double value = 0.0;
            char   why[300];
            if (zw_read_value(r, to[i][k], 0.0, &value) && !isfinite(value)) {
                zw_report(r, node[i], NULL, "%s at t = 0", zw_read_unfinite(r, to[i][k], 0.0, why, sizeof why));
            }
        }
    }
}

static void check_gap(zw_reader *r, zw_yaml *node, zw_quantity gap) {
    const zw_model *m = r->model;
    if (gap.node && !zw_node_depends(m->pool, gap.node, m->slot_x) && !zw_node_depends(m->pool, gap.node, m->slot_y) &&
        !zw_node_depends(m->pool, gap.node, m->slot_z)) {
        zw_report(r, node, "write it with x, y, z", "says nothing about the place: it depends on none of x, y, z");
    }
}

void zw_read_obstacles(zw_reader *r) {
    zw_yaml  *map = zw_read_get(r->root, "obstacles");
    zw_model *m = r->model;
    size_t    n = map && map->kind == ZW_YAML_MAP ? (size_t)map->count : 0;
    m->obstacles = zw_arena_alloc(r->arena, n + 1, sizeof *m->obstacles, "obstacles");
    if (m->obstacles == NULL) {
        r->issues->memory = true;
        return;
    }
    for (zw_yaml *c = n ? map->first : NULL; c && !r->issues->memory; c = c->next) {
        zw_obstacle_def *d = &m->obstacles[m->nobstacles++];
        zw_yaml         *motion = zw_read_get(c, "motion"), *gap = zw_read_get(c, "gap");
        d->name = c->key->text;
        d->at = zw_read_where(r, c->key);
        if (!c->bad && (zw_names_find(&r->body, d->name) >= 0 || strcmp(d->name, "ground") == 0)) {
            zw_report_key(r, c, "choose another name", "there is a body '%.60s' already", d->name);
        }
        if (c->bad || c->kind != ZW_YAML_MAP) {
            continue;
        }
        zw_read_form(r, c, &d->form);
        if (gap && !gap->bad) {
            check_gap(r, gap, d->form.gap);
        }
        if (motion && motion->kind == ZW_YAML_MAP) {
            read_motion(r, motion, d);
        }
    }
}

/* ---- contact */
static bool meets(zw_reader *r, zw_yaml *node, const zw_names *obstacles, int *out) {
    const zw_model *m = r->model;
    char            remedy[300] = "";
    int             body = zw_names_find(&r->body, node->text), obstacle = zw_names_find(obstacles, node->text);
    if (body >= 0 && (m->bodies[body].kind == ZW_BODY_FIELD || m->bodies[body].kind == ZW_BODY_LAGRANGIAN)) {
        zw_report(r, node, "name a rod, a rigid body or an obstacle", "'%.60s' is a %s: it has no form that could meet another", node->text,
                  zw_read_kind(&m->bodies[body]));
        return false;
    }
    if (body >= 0 && m->bodies[body].kind == ZW_BODY_RIGID && m->bodies[body].rigid.form.kind == ZW_FORM_NONE && !r->body_bad[body]) {
        zw_report(r, node, "give it a form: sphere, capsule, box, cylinder, hull or compound",
                  "'%.60s' is a rigid body without a form: there is nothing of it that could meet another", node->text);
        return false;
    }
    *out = body >= 0 ? body : -1 - obstacle;
    if (body >= 0 || obstacle >= 0) {
        return true;
    }
    if (!zw_issues_full(r->issues)) {
        zw_read_suggest(node->text, r->body.name, m->nbodies, "bodies: ", remedy, sizeof remedy);
    }
    zw_report(r, node, remedy, "there is no body or obstacle '%.60s'", node->text);
    return false;
}

static void read_pairs(zw_reader *r, zw_yaml *list, zw_contact_def *d) {
    zw_names obstacles;
    d->pair = zw_arena_alloc(r->arena, (size_t)list->count + 1, sizeof *d->pair, "pairs");
    zw_names_init(&obstacles, r->context);
    r->issues->memory = r->issues->memory || d->pair == NULL;
    for (int i = 0; i < r->model->nobstacles && !r->issues->memory; i++) {
        r->issues->memory = zw_names_add(&obstacles, r->model->obstacles[i].name) < 0;
    }
    for (zw_yaml *c = list->first; c && !r->issues->memory; c = c->next) {
        int *pair = d->pair[d->npairs];
        if (c->bad || !meets(r, c->first, &obstacles, &pair[0]) || !meets(r, c->first->next, &obstacles, &pair[1])) {
            continue;
        }
        d->npairs++;
        if (pair[0] < 0 && pair[1] < 0) {
            zw_report(r, c, "name a body", "both are obstacles, and they do not move each other");
        } else if (pair[0] == pair[1]) {
            zw_report(r, c, "name two of them; a rod meets itself with self: true", "names '%.60s' twice", c->first->text);
        }
    }
    zw_names_destroy(&obstacles);
}

/* obstacles that nothing can meet would be passed through in silence */
static void check_met(zw_reader *r) {
    zw_yaml *map = zw_yaml_get(r->root, "obstacles");
    for (int i = 0; i < r->model->nbodies; i++) {
        const zw_body_def *b = &r->model->bodies[i];
        if (r->body_bad[i] || b->kind == ZW_BODY_ROD || (b->kind == ZW_BODY_RIGID && b->rigid.form.kind != ZW_FORM_NONE)) {
            return;
        }
    }
    if (map && !map->bad && r->model->nobstacles > 0 && r->model->nbodies > 0) {
        zw_report_key(r, map, "give a rigid body a form, or write a unilateral constraint for points or coordinates",
                      "nothing can meet them: no body of this model has a form");
    }
}

void zw_read_contact(zw_reader *r) {
    static const char *const laws[] = {"reflect", "moreau", "sequential", "compliant", "stick"};
    zw_yaml                 *map = zw_read_get(r->root, "contact");
    zw_contact_def          *d = &r->model->contact;
    d->all = zw_yaml_get(r->root, "contact") != NULL || zw_yaml_get(r->root, "obstacles") != NULL; /* who says nothing wants no contact */
    check_met(r);
    if (map == NULL || map->kind != ZW_YAML_MAP) {
        return;
    }
    zw_yaml *pairs = zw_read_get(map, "pairs"), *self = zw_read_get(map, "self"), *law = zw_read_get(map, "law");
    zw_yaml *restitution = zw_read_get(map, "restitution"), *loss = zw_read_get(map, "loss"), *friction = zw_read_get(map, "friction");
    d->given = true;
    d->at = zw_read_where(r, map);
    zw_read_fields(r, map, d);
    for (int i = 0; law && i < 5; i++) {
        d->law = strcmp(law->text, laws[i]) == 0 ? (zw_impact_law)i : d->law;
    }
    d->self = self && strcmp(self->text, "true") == 0;
    if (restitution && !restitution->bad) {
        zw_read_fraction(r, restitution, d->restitution, "the restitution");
    }
    if (loss && !loss->bad) {
        zw_read_fraction(r, loss, d->loss, "the loss");
    }
    if (d->law == ZW_LAW_STICK && (restitution || loss)) {
        zw_report_key(r, restitution ? restitution : loss, "leave it out, or use another law",
                      "the law stick is plastic: nothing rebounds");
    }
    if (restitution && loss) {
        zw_report_key(r, loss, "keep one of them", "'restitution' and 'loss' exclude each other");
    }
    if (friction && !friction->bad) {
        zw_read_check(r, friction, d->friction, NAN, ZW_NOT_NEGATIVE, "the friction");
    }
    if (pairs && pairs->kind == ZW_YAML_LIST) {
        d->all = false;
        read_pairs(r, pairs, d);
    }
}

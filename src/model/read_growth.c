/* SPDX-License-Identifier: Apache-2.0
 * read_growth.c: how a rod grows: rate and bend, or a law with its keys; what growth does to curvature, mass and section; when links are split. */
#include "base/number.h"
#include "model/reader.h"

#include <math.h>
#include <string.h>

static bool depends(zw_reader *r, const zw_value *v, const char *name) {
    int slot = zw_growth_input(r->model->pool, name);
    for (int i = 0; i < v->width && slot >= 0; i++) {
        if (zw_node_depends(r->model->pool, v->n[i], slot)) {
            return true;
        }
    }
    return false;
}

/* what a key holds: one number or three, of what the law senses */
static void read_parameter(zw_reader *r, zw_yaml *node, zw_schema_scope scope, int width, zw_value *out) {
    zw_quantity q[3];
    if (width == 1) {
        if (zw_read_quantity(r, node, scope, q)) {
            *out = (zw_value){.width = 1, .n = {q[0].node}};
        }
    } else if (zw_read_vector(r, node, scope, q)) {
        *out = (zw_value){.width = 3, .n = {q[0].node, q[1].node, q[2].node}};
    }
}

static void read_parameters(zw_reader *r, zw_yaml *map, zw_rod_growth_def *g) {
    const zw_growth_key *key = zw_growth_keys(g->kind);
    zw_schema_scope      scope = g->kind == ZW_GROWTH_SIGNAL ? ZW_OF_SIGNAL : ZW_OF_GROWTH;
    for (int i = 0; key[i].name; i++) {
        zw_yaml *node = zw_read_get(map, key[i].name);
        bool     start = g->kind == ZW_GROWTH_SIGNAL && i < 2; /* start and diffusion: of places, not of chi */
        if (node) {
            read_parameter(r, node, key[i].constant ? ZW_OF_NOTHING : start ? ZW_OF_GROWTH : scope, key[i].width, &g->parameter[i]);
        }
        double value;
        if (node && !node->bad && key[i].constant && zw_read_value(r, (zw_quantity){g->parameter[i].n[0], {0}}, 0.0, &value) &&
            !(value >= 0.0 && isfinite(value))) {
            char text[ZW_NUMBER_TEXT];
            zw_report(r, node, "give a time that is not negative", "is %s", zw_number_short(value, 9, text));
        }
    }
}

static void read_table(zw_reader *r, zw_yaml *map, zw_rod_growth_def *g) {
    zw_yaml *over = zw_read_get(map, "over"), *list[2] = {zw_read_get(map, "at"), zw_read_get(map, "rate")};
    if (over == NULL || list[0] == NULL || list[1] == NULL) {
        return;
    }
    g->over = over->text[0];
    if (list[0]->count != list[1]->count || list[0]->count < 1) {
        zw_report(r, list[1], "give one rate for every place", "has %d numbers, and `at` has %d", list[1]->count, list[0]->count);
        return;
    }
    double *table = zw_arena_alloc(r->arena, 2 * (size_t)list[0]->count, sizeof *table, "a table of growth");
    if (table == NULL) {
        r->issues->memory = true;
        return;
    }
    for (int k = 0; k < 2; k++) {
        int i = k;
        for (zw_yaml *c = list[k]->first; c; c = c->next, i += 2) {
            zw_quantity q;
            if (!zw_read_quantity(r, c, ZW_OF_NOTHING, &q) || !zw_read_constant(r, c, q, &table[i])) {
                return;
            }
            if (k == 0 && i >= 2 && !(table[i] > table[i - 2])) {
                zw_report(r, c, "places must rise", "is not above the one before it");
                return;
            }
        }
    }
    g->points = list[0]->count;
    g->table = table;
}

static void read_law(zw_reader *r, zw_yaml *map, zw_rod_growth_def *g) {
    zw_yaml *law = map->first;
    while (law && !(law->entry && (law->entry->flags & ZW_KEY_MAIN))) {
        law = law->next;
    }
    if (law == NULL || law->bad || !zw_growth_find(law->key->text, &g->kind)) {
        return;
    }
    read_parameters(r, law, g);
    if (g->kind == ZW_GROWTH_TABLE) {
        read_table(r, law, g);
    }
    zw_yaml *senses = zw_read_get(law, "senses"), *scaled = zw_read_get(law, "scaled");
    g->natural = senses && strcmp(senses->text, "natural") == 0;
    g->scaled = scaled && strcmp(scaled->text, "true") == 0;
}

/* a ring has no tip; walls need an area; two wholes must go together */
static void check_law(zw_reader *r, zw_yaml *map, const zw_rod_def *rod) {
    const zw_rod_growth_def *g = &rod->growth;
    const zw_section_kind    section = rod->section.kind;
    bool                     tip = g->kind == ZW_GROWTH_TIP || (g->kind == ZW_GROWTH_TABLE && g->over == 'd');
    for (int i = 0; i < ZW_GROWTH_PARAMETERS; i++) {
        tip = tip || depends(r, &g->parameter[i], "d");
    }
    for (int i = 0; g->kind == ZW_GROWTH_ACE && zw_growth_keys(g->kind)[i].name; i++) {
        tip = tip || (strcmp(zw_growth_keys(g->kind)[i].name, "zone") == 0 && g->parameter[i].width > 0);
    }
    if (tip && rod->shape.kind == ZW_SHAPE_RING) {
        zw_report_key(r, map, "let it grow by s and t, or open it", "this rod is a ring and has no tip to measure d from");
    }
    if ((g->kind == ZW_GROWTH_LOCKHART || g->kind == ZW_GROWTH_STEIN) && (section == ZW_SECTION_EXPLICIT || section == ZW_SECTION_MATRIX)) {
        zw_report_key(r, map,
                      "give the section as square, round, rectangle or tube, or write the law by rate and bend with tension and moment",
                      "%s needs the area of the section, which stiffness alone does not tell", zw_growth_name(g->kind));
    }
    if (g->kind == ZW_GROWTH_FLANK && (section == ZW_SECTION_EXPLICIT || section == ZW_SECTION_MATRIX) && rod->radius.node == 0 &&
        g->parameter[2].width == 0) {
        zw_report_key(r, map, "give law.flank.radius", "the distance of the flanks is not known: this section has no radius");
    }
    if (g->kind == ZW_GROWTH_THICKEN && g->section.node != 0) {
        zw_report_key(r, map, "keep one of the two", "`section` and `law: thicken` both change the section");
    }
}

/* what comes out of a mouth is what the rod is made of; its reaction is known where the rod can be stretched */
static void check_mouth(zw_reader *r, zw_yaml *map, zw_yaml *law, const zw_rod_def *rod, double length) {
    const zw_rod_growth_def *g = &rod->growth;
    zw_yaml                 *own = zw_read_get(law, zw_growth_name(g->kind)), *curvature = zw_read_get(map, "curvature");
    zw_yaml                 *at = own ? zw_read_get(own, "at") : NULL, *section = zw_read_get(map, "section");
    double                   value;
    char                     a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    if (section) {
        zw_report_key(r, section, "leave it out", "a rod that comes out of a %s keeps its section",
                      g->kind == ZW_GROWTH_FEED ? "clamp" : "sleeve");
    }
    if (curvature && g->dilute) {
        zw_report_key(r, curvature, "leave it out, or give keep", "what comes out has the natural curvature of the link at the mouth");
    }
    if (g->kind == ZW_GROWTH_SLEEVE && rod->kinematics == ZW_INEXTENSIBLE) {
        zw_report_key(r, law, "let the rod stretch (kinematics: unshearable), or feed it by law.feed",
                      "the force along an inextensible rod is a reaction that its sleeve does not feel");
    }
    if (at && !at->bad && isfinite(length) && zw_read_value(r, (zw_quantity){g->parameter[0].n[0], {0}}, 0.0, &value) && value > length) {
        zw_report(r, at, "give a label between 0 and the length of the rod", "is %s m, but the rod is %s m long",
                  zw_number_short(value, 6, a), zw_number_short(length, 6, b));
    }
}

void zw_read_growth(zw_reader *r, zw_yaml *map, zw_rod_def *rod, double length) {
    zw_rod_growth_def *g = &rod->growth;
    zw_yaml           *law = zw_read_get(map, "law"), *rate = zw_read_get(map, "rate"), *bend = zw_read_get(map, "bend"),
            *mass = zw_read_get(map, "mass");
    zw_yaml *curvature = zw_read_get(map, "curvature"), *split = zw_read_get(map, "split"), *section = zw_read_get(map, "section");
    if (!r->growth_open && (!zw_reader_memory(r, zw_growth_scope_open(r->model->pool, r->scope[ZW_OF_GROWTH], ZW_GROWTH_EXPRESSION)) ||
                            !zw_reader_memory(r, zw_growth_scope_open(r->model->pool, r->scope[ZW_OF_SIGNAL], ZW_GROWTH_SIGNAL)))) {
        return;
    }
    r->growth_open = true;
    g->given = true;
    g->at = zw_read_where(r, map);
    zw_read_fields(r, map, g);
    if (law && (rate || bend)) {
        zw_report_key(r, rate ? rate : bend, "keep `law`, or `rate` and `bend`", "a law says all of it already");
    } else if (law) {
        read_law(r, law, g);
    } else if (rate == NULL && bend == NULL && zw_yaml_get(map, "law") == NULL && zw_yaml_get(map, "rate") == NULL &&
               zw_yaml_get(map, "bend") == NULL) {
        zw_report_key(r, map, "give rate, bend or a law", "says not how the rod grows");
    } else {
        g->kind = ZW_GROWTH_EXPRESSION;
        if (rate) {
            read_parameter(r, rate, ZW_OF_GROWTH, 1, &g->parameter[0]);
        }
        if (bend) {
            read_parameter(r, bend, ZW_OF_GROWTH, 3, &g->parameter[1]);
        }
    }
    bool mouth = g->kind == ZW_GROWTH_FEED || g->kind == ZW_GROWTH_SLEEVE;
    g->mass = mass ? strcmp(mass->text, "true") == 0 : mouth;
    g->dilute = curvature ? strcmp(curvature->text, "dilute") == 0 : g->kind == ZW_GROWTH_THERMAL;
    if (split && !split->bad && zw_read_check(r, split, g->split, NAN, ZW_POSITIVE, "the length above which links are halved")) {
        double most;
        char   a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
        if (rod->elements > 0 && isfinite(length) && zw_read_value(r, g->split, 0.0, &most) && !(most >= length / rod->elements)) {
            zw_report(r, split, "give more elements, or a larger length", "links are %s m long at the start, more than %s",
                      zw_number_short(length / rod->elements, 4, a), zw_number_short(most, 4, b));
        }
    }
    if (section && !section->bad) {
        double p;
        zw_read_constant(r, section, g->section, &p);
    }
    check_law(r, law ? law : map, rod);
    if (mouth) {
        check_mouth(r, map, law, rod, length);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * read_bodies.c: the bodies of a model, and whether all of them together fit in memory. */
#include "base/number.h"
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* bytes that one element takes while running: state, strains, blocks of mass and stiffness, scratch */
#define ELEMENT_BYTES 4096u
#define MEMORY_LIMIT  ((uint64_t)64 << 30)

static void check_memory(zw_reader *r, zw_yaml *map) {
    const zw_model *m = r->model;
    uint64_t        elements = 0;
    char            text[ZW_NUMBER_TEXT];
    for (int i = 0; i < m->nbodies; i++) {
        const zw_body_def *b = &m->bodies[i];
        uint64_t n = b->kind == ZW_BODY_ROD ? (uint64_t)b->rod.elements : b->kind == ZW_BODY_FIELD ? (uint64_t)b->field.elements : 0;
        elements = elements > UINT64_MAX - n ? UINT64_MAX : elements + n;
    }
    if (elements > MEMORY_LIMIT / ELEMENT_BYTES) {
        double bytes = (double)elements * ELEMENT_BYTES;
        zw_report_key(r, map, "use fewer elements", "%llu elements would need %s GiB; at most 64 GiB are allowed",
                      (unsigned long long)elements, zw_number_short(bytes / (1024.0 * 1024.0 * 1024.0), 3, text));
    }
}

void zw_read_bodies(zw_reader *r) {
    static const char *const taken[] = {"ground", "total", "kinetic", "elastic", "potential", "end"};
    zw_yaml                 *map = zw_yaml_get(r->root, "bodies");
    zw_model                *m = r->model;
    size_t                   n = map && map->kind == ZW_YAML_MAP ? (size_t)map->count : 0;
    m->bodies = zw_arena_alloc(r->arena, n + 1, sizeof *m->bodies, "bodies");
    r->body_bad = zw_arena_alloc(r->arena, n + 1, sizeof(bool), "bodies");
    r->body_length = zw_arena_alloc(r->arena, n + 1, sizeof(double), "bodies");
    r->body_scope = zw_arena_alloc(r->arena, n + 1, sizeof *r->body_scope, "bodies");
    if (!m->bodies || !r->body_bad || !r->body_length || !r->body_scope) {
        r->issues->memory = true;
        return;
    }
    if (n == 0) {
        if (map && map->kind == ZW_YAML_MAP && !map->bad) {
            zw_report(r, map, "give at least one rod, rigid body, lagrangian or field", "there are no bodies");
        }
        return;
    }
    for (zw_yaml *c = map->first; c; c = c->next) {
        zw_body_def *b = &m->bodies[m->nbodies];
        zw_yaml     *rod = zw_read_get(c, "rod"), *field = zw_read_get(c, "field"), *lagrangian = zw_read_get(c, "lagrangian");
        zw_yaml     *rigid = zw_read_get(c, "rigid");
        b->name = c->key->text;
        b->at = zw_read_where(r, c->key);
        b->kind = field ? ZW_BODY_FIELD : lagrangian ? ZW_BODY_LAGRANGIAN : rigid ? ZW_BODY_RIGID : ZW_BODY_ROD;
        r->body_length[m->nbodies] = NAN;
        r->body_bad[m->nbodies] = c->bad || (rod == NULL && field == NULL && lagrangian == NULL && rigid == NULL);
        m->nbodies++; /* also those that are wrong: their names are known */
        if (zw_names_add(&r->body, b->name) < 0) {
            r->issues->memory = true;
            return;
        }
        for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
            if (!c->bad && strcmp(b->name, taken[i]) == 0) {
                zw_report_key(r, c, "choose another name", "a body cannot be named '%s': the word has a meaning of its own", taken[i]);
            }
        }
        zw_yaml *placed = rod ? rod : rigid;
        if (placed && placed->kind == ZW_YAML_MAP) {
            b->frame = zw_read_placed_in(r, placed);
        }
        if (rod && rod->kind == ZW_YAML_MAP) {
            zw_read_rod(r, rod, &b->rod, &r->body_length[m->nbodies - 1]);
        } else if (field && field->kind == ZW_YAML_MAP) {
            zw_read_field(r, field, &b->field, &r->body_length[m->nbodies - 1]);
        } else if (lagrangian && lagrangian->kind == ZW_YAML_MAP) {
            r->body_bad[m->nbodies - 1] = !zw_read_lagrangian(r, lagrangian, m->nbodies - 1) || r->body_bad[m->nbodies - 1];
        } else if (rigid && rigid->kind == ZW_YAML_MAP) {
            zw_read_rigid(r, rigid, &b->rigid);
        }
        if (r->issues->memory) {
            return;
        }
    }
    check_memory(r, map);
}

/* SPDX-License-Identifier: Apache-2.0
 * read_frames.c: frames of reference. Their names are known before the bodies, which are placed in them; who carries them is read after the bodies. A frame
 * that is carried by a body cannot be what that body is placed in, also not by way of others. */
#include "model/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void read_motion(zw_reader *r, zw_yaml *motion, zw_frame_def *d) {
    zw_constraint_def  of = {0}; /* a motion is the same wherever it stands */
    zw_quantity *const to[] = {d->shift, d->turn};
    zw_yaml           *node[] = {zw_read_get(motion, "shift"), zw_read_get(motion, "turn")};
    zw_read_fields(r, motion, &of);
    memcpy(d->shift, of.shift, sizeof d->shift);
    memcpy(d->turn, of.turn, sizeof d->turn);
    d->moves = true;
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

static void read_frame(zw_reader *r, zw_yaml *c, zw_frame_def *d) {
    zw_yaml *at = zw_read_get(c, "at"), *turn = zw_read_get(c, "turn"), *spin = zw_read_get(c, "spin");
    zw_yaml *motion = zw_read_get(c, "motion");
    double   value[3];
    zw_read_fields(r, c, d);
    zw_read_constants(r, at, d->origin, value);
    zw_read_constants(r, turn, d->axes, value);
    d->spins = spin && zw_read_constants(r, spin, d->spin, value);
    d->carried = zw_read_get(c, "carried") != NULL;
    if (motion && motion->kind == ZW_YAML_MAP) {
        read_motion(r, motion, d);
    }
}

void zw_read_frames(zw_reader *r) {
    zw_yaml  *map = zw_read_get(r->root, "frames");
    zw_model *m = r->model;
    size_t    n = map && map->kind == ZW_YAML_MAP ? (size_t)map->count : 0;
    m->frames = zw_arena_alloc(r->arena, n + 1, sizeof *m->frames, "frames");
    if (m->frames == NULL) {
        r->issues->memory = true;
        return;
    }
    for (zw_yaml *c = n ? map->first : NULL; c && !r->issues->memory; c = c->next) {
        zw_frame_def *d = &m->frames[m->nframes++];
        d->name = c->key->text;
        d->at = zw_read_where(r, c->key);
        d->place = (zw_place_def){.body = -1, .point = -1};
        if (zw_names_add(&r->frame, d->name) < 0) {
            r->issues->memory = true;
            return;
        }
        if (!c->bad && (strcmp(d->name, "ground") == 0 || strcmp(d->name, "space") == 0)) {
            zw_report_key(r, c, "choose another name", "a frame cannot be named '%s': the word has a meaning of its own", d->name);
        }
        if (!c->bad && c->kind == ZW_YAML_MAP) {
            read_frame(r, c, d);
        }
    }
}

int zw_read_frame_name(zw_reader *r, zw_yaml *node) {
    char remedy[300] = "";
    int  known = node ? zw_names_find(&r->frame, node->text) : -1;
    if (node == NULL || node->bad || known >= 0) {
        return known + 1;
    }
    if (strcmp(node->text, "space") == 0 || strcmp(node->text, "ground") == 0) { /* what holds anyway */
        return 0;
    }
    if (!zw_issues_full(r->issues)) {
        zw_read_suggest(node->text, r->frame.name, r->frame.n,
                        r->frame.n ? "frames: " : "the model has no frames; describe it under `frames`", remedy, sizeof remedy);
    }
    zw_report(r, node, remedy, "there is no frame '%.60s'", node->text);
    return 0;
}

int zw_read_placed_in(zw_reader *r, zw_yaml *map) {
    zw_yaml *node = zw_read_get(map, "frame"), *plane = zw_yaml_get(map, "plane");
    int      frame = zw_read_frame_name(r, node);
    if (frame > 0 && plane) {
        zw_report_key(r, node, "place it in space axes, or leave plane out and hold it by a joint",
                      "'frame' and 'plane' exclude each other: a body that moves in a plane is placed in space axes");
    }
    return frame;
}

/* does the start of a body need that of another one? follows who is placed in what, and carried by whom */
static bool waits_for(const zw_model *m, int body, int other) {
    for (int steps = 0; steps <= m->nframes; steps++) {
        int frame = m->bodies[body].frame;
        if (frame == 0 || !m->frames[frame - 1].carried || m->frames[frame - 1].place.body < 0) {
            return false;
        }
        body = m->frames[frame - 1].place.body;
        if (body == other) {
            return true;
        }
    }
    return false;
}

void zw_read_carried(zw_reader *r) {
    zw_model *m = r->model;
    zw_yaml  *map = zw_read_get(r->root, "frames");
    int       i = 0;
    for (zw_yaml *c = map && map->kind == ZW_YAML_MAP ? map->first : NULL; c && i < m->nframes; c = c->next) {
        zw_frame_def *d = &m->frames[i++];
        zw_yaml      *carried = zw_read_get(c, "carried");
        if (!c->bad && zw_names_find(&r->body, d->name) >= 0) {
            zw_report_key(r, c, "choose another name", "there is a body '%.60s' already", d->name);
        }
        if (c->bad || carried == NULL) {
            continue;
        }
        if (carried->kind == ZW_YAML_SCALAR && zw_names_find(&r->frame, carried->text) >= 0) {
            zw_report(r, carried, "describe it from space, or from a body", "a frame is carried by a body, and '%.60s' is a frame",
                      carried->text);
            continue;
        }
        if (!zw_read_place(r, carried, NULL, &d->place)) {
            d->place.body = -1;
            continue;
        }
        const zw_body_def *b = &m->bodies[d->place.body];
        if (zw_read_moves(r, &d->place)) {
            zw_report(r, carried, "give a label that does not change",
                      "a frame is carried by one section, and this one travels along the rod");
        }
        if (b->kind == ZW_BODY_ROD && d->place.s.node == 0) {
            zw_report(r, carried, "write carried: {body: NAME, s: end}", "does not say where on the rod");
        } else if (!zw_read_has_axes(r, &d->place)) {
            zw_report(r, carried, "give the point {position: .., turn: ..}",
                      "the point '%.60s' of '%.60s' has no axes that a frame could take", b->lagrangian.point[d->place.point].name,
                      b->name);
        }
    }
    i = 0;
    for (zw_yaml *c = map && map->kind == ZW_YAML_MAP ? map->first : NULL; c && i < m->nframes; c = c->next, i++) {
        int      body = m->frames[i].place.body;
        zw_yaml *carried = zw_read_get(c, "carried");
        if (carried == NULL || body < 0) {
            continue;
        }
        if (m->bodies[body].frame == 1 + i) {
            zw_report(r, carried, "place the body in space, or in another frame",
                      "goes in a circle: '%.60s' is placed in this frame, and carries it", m->bodies[body].name);
        } else if (waits_for(m, body, body)) {
            zw_report(r, carried, "place one of the bodies in space",
                      "goes in a circle: where '%.60s' starts depends on a frame that it carries, by way of others", m->bodies[body].name);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0
 * view_bodies.c: what bodies look like (sections of rods, pieces of rigid bodies, links of points), where joints are, and gravity: all that does not change with time.
 * A body whose model cannot be read is shown by what was recorded of it: radius and label of rods, outline of rigid bodies, links. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "parts/rod_section.h"
#include "record/view_part.h"

void zw_view_numbers(zw_text *t, const double *x, int n) {
    zw_text_add(t, "[");
    for (int i = 0; i < n; i++) {
        zw_text_add(t, i ? "," : "");
        zw_text_json_number(t, x[i]);
    }
    zw_text_add(t, "]");
}

bool zw_view_constant(const zw_view *v, zw_quantity q, double otherwise, double *out) {
    *out = otherwise;
    return q.node == 0 || zw_model_constant(v->model, q, "view", out) == ZW_OK;
}

/* ---- sections: sizes at every node, which may depend on the label */

static const zw_channel *find_constant(const zw_layout *l, const char *rod, const char *what) {
    char name[200];
    snprintf(name, sizeof name, "rod/%.100s/%s", rod, what);
    for (int i = 0; l->constants && i < l->nconstants; i++) {
        if (strcmp(l->constant[i].name, name) == 0) {
            return &l->constant[i];
        }
    }
    return NULL;
}

static zw_status write_section(zw_view *v, const zw_body_def *b) {
    static const char *const word[] = {
        [ZW_SECTION_SQUARE] = "square", [ZW_SECTION_ROUND] = "round",      [ZW_SECTION_RECTANGLE] = "rectangle",
        [ZW_SECTION_TUBE] = "tube",     [ZW_SECTION_EXPLICIT] = "unknown", [ZW_SECTION_MATRIX] = "unknown"};
    const zw_section_def *d = &b->rod.section;
    const zw_layout      *l = v->epochs.layout;
    const zw_channel     *label = find_constant(l, b->name, "label");
    bool                  two = d->kind == ZW_SECTION_RECTANGLE || d->kind == ZW_SECTION_TUBE;
    zw_text_addf(&v->json, ",\"section\":{\"kind\":\"%s\"", word[d->kind]);
    if (label && d->size[0].node && (!two || d->size[1].node) && strcmp(word[d->kind], "unknown") != 0) {
        zw_node  root[2] = {d->size[0].node, two ? d->size[1].node : d->size[0].node};
        zw_tape *tape = NULL;
        ZW_TRY(zw_tape_create(v->model->context, v->model->pool, root, 2, &tape));
        double *in = zw_arena_alloc(&v->arena, (size_t)zw_pool_inputs(v->model->pool) + 1, sizeof *in, "sections");
        double *work = zw_arena_alloc(&v->arena, (size_t)zw_tape_work(tape) + 1, sizeof *work, "sections");
        double *size = zw_arena_alloc(&v->arena, 2 * label->count + 1, sizeof *size, "sections");
        if (in && work && size) {
            zw_model_inputs(v->model, in);
            for (size_t i = 0; i < label->count; i++) {
                in[v->model->slot_s] = l->constants[label->offset + i];
                zw_tape_eval(tape, in, work, size + 2 * i);
            }
            zw_text_add(&v->json, ",\"size\":");
            zw_blob_array(&v->blob, &v->json, size, 2 * label->count, ZW_BLOB_F32);
        }
        zw_tape_destroy(tape);
        if (!in || !work || !size) {
            return ZW_E_MEMORY;
        }
    }
    zw_text_add(&v->json, "}");
    return ZW_OK;
}

/* stiffness of links, [nodes][6]: bending about d1 and d2, torsion, shear along d1 and d2, stretch; nothing where a section couples them */
static zw_status write_stiffness(zw_view *v, const zw_body_def *b) {
    const zw_layout  *l = v->epochs.layout;
    const zw_channel *label = find_constant(l, b->name, "label");
    zw_rod_section    section;
    bool              known = label != NULL && label->count > 1;
    if (!known) {
        return ZW_OK;
    }
    double   *k = zw_arena_alloc(&v->arena, 6 * label->count, sizeof *k, "stiffness");
    zw_status status = k ? zw_rod_section_create(v->model, b, &section) : ZW_E_MEMORY;
    if (status != ZW_OK) {
        return status == ZW_E_MEMORY ? status : ZW_OK;
    }
    for (size_t i = 0; known && i < label->count; i++) {
        const double     *s = l->constants + label->offset + i;
        zw_section_values at;
        known = zw_rod_section_at(&section, i + 1 < label->count ? 0.5 * (s[0] + s[1]) : s[0], &at) == ZW_OK && !at.coupled;
        for (int j = 0; known && j < 6; j++) {
            k[6 * i + (size_t)j] = at.stiffness[7 * j];
        }
    }
    zw_rod_section_destroy(&section);
    if (known) {
        zw_text_add(&v->json, ",\"stiffness\":");
        zw_blob_array(&v->blob, &v->json, k, 6 * label->count, ZW_BLOB_F32);
    }
    return ZW_OK;
}

/* ---- pieces of rigid bodies */

static void write_piece(zw_view *v, const zw_placed *p) {
    static const char *const word[] = {[ZW_SHAPE_BALL] = "ball",
                                       [ZW_SHAPE_STICK] = "stick",
                                       [ZW_SHAPE_BLOCK] = "block",
                                       [ZW_SHAPE_DRUM] = "drum",
                                       [ZW_SHAPE_CLOUD] = "hull"};
    const zw_form           *f = p->form;
    zw_text                 *t = &v->json;
    zw_text_addf(t, "{\"shape\":\"%s\",\"radius\":", word[f->shape]);
    zw_text_json_number(t, f->radius);
    zw_text_add(t, ",\"half\":");
    zw_text_json_number(t, f->half);
    zw_text_add(t, ",\"size\":");
    zw_view_numbers(t, f->size, 3);
    if (f->shape == ZW_SHAPE_CLOUD) {
        zw_text_add(t, ",\"points\":");
        zw_blob_array(&v->blob, t, f->point, 3 * (size_t)f->n, ZW_BLOB_F32);
    }
    zw_text_add(t, ",\"x\":");
    zw_view_numbers(t, p->x, 3);
    zw_text_add(t, ",\"R\":");
    zw_view_numbers(t, p->R, 9);
    zw_text_add(t, "}");
}

/* named points of a rigid body, in its axes: what is seen of one that has no form */
static void write_points(zw_view *v, const zw_rigid_def *d) {
    zw_text_add(&v->json, ",\"marks\":[");
    for (int k = 0; k < d->npoints; k++) {
        double r[3];
        bool   known = true;
        for (int c = 0; c < 3; c++) {
            known = zw_view_constant(v, d->point[k].r[c], 0.0, &r[c]) && known;
        }
        zw_text_add(&v->json, k ? "," : "");
        if (known) {
            zw_view_numbers(&v->json, r, 3);
        } else {
            zw_text_add(&v->json, "null");
        }
    }
    zw_text_add(&v->json, "]");
}

static zw_status write_body(zw_view *v, int i) {
    const zw_body_def       *b = &v->model->bodies[i];
    static const char *const word[] = {
        [ZW_BODY_ROD] = "rod", [ZW_BODY_FIELD] = "field", [ZW_BODY_LAGRANGIAN] = "lagrangian", [ZW_BODY_RIGID] = "rigid"};
    zw_text *t = &v->json;
    zw_text_add(t, i ? ",\n{\"name\":" : "\n{\"name\":");
    zw_text_json_string(t, b->name);
    zw_text_addf(t, ",\"kind\":\"%s\"", word[b->kind]);
    if (b->kind == ZW_BODY_ROD) {
        ZW_TRY(write_section(v, b));
        ZW_TRY(write_stiffness(v, b));
        bool   straight = b->rod.natural == ZW_NATURAL_STRAIGHT;
        double length;
        zw_text_addf(t, ",\"naturally_straight\":%s", straight ? "true" : "false");
        if (zw_view_constant(v, b->rod.length, 0.0, &length)) {
            zw_text_add(t, ",\"length\":");
            zw_text_json_number(t, length);
        }
    } else if (b->kind == ZW_BODY_RIGID && v->scene.solids_of) {
        zw_text_add(t, ",\"pieces\":[");
        for (int k = 0; k < v->scene.solids_of[i].nsolids; k++) {
            zw_text_add(t, k ? "," : "");
            write_piece(v, &v->scene.solids_of[i].solid[k].at);
        }
        zw_text_add(t, "]");
        write_points(v, &b->rigid);
    } else if (b->kind == ZW_BODY_LAGRANGIAN) {
        zw_text_add(t, ",\"points\":[");
        for (int k = 0; k < b->lagrangian.npoints; k++) {
            zw_text_add(t, k ? "," : "");
            zw_text_json_string(t, b->lagrangian.point[k].name);
        }
        zw_text_add(t, "]");
    }
    zw_text_add(t, "}");
    return zw_text_status(t);
}

/* ---- joints */

void zw_view_place(zw_view *v, const zw_place_def *p) {
    zw_text *t = &v->json;
    if (p->body < 0) {
        zw_text_add(t, "null");
        return;
    }
    const zw_body_def *b = &v->model->bodies[p->body];
    double             s = 0.0, r[3] = {0, 0, 0};
    zw_text_addf(t, "{\"body\":%d", p->body);
    if (b->kind == ZW_BODY_RIGID) {
        const zw_quantity *q = p->point >= 0 && p->point < b->rigid.npoints ? b->rigid.point[p->point].r : p->r;
        for (int k = 0; k < 3; k++) {
            if (!zw_view_constant(v, q[k], 0.0, &r[k])) {
                r[k] = 0.0;
            }
        }
        zw_text_add(t, ",\"r\":");
        zw_view_numbers(t, r, 3);
    } else if (b->kind == ZW_BODY_LAGRANGIAN) {
        zw_text_addf(t, ",\"point\":%d", p->point);
    } else if (p->s.node && zw_view_constant(v, p->s, 0.0, &s)) {
        zw_text_add(t, ",\"s\":");
        zw_text_json_number(t, s);
    }
    zw_text_add(t, "}");
}

static void write_joint(zw_view *v, const zw_constraint_def *d, bool first) {
    double   axis[3];
    bool     known = d->axis[0].node || d->axis[1].node || d->axis[2].node;
    zw_text *t = &v->json;
    zw_text_add(t, first ? "\n{\"name\":" : ",\n{\"name\":");
    zw_text_json_string(t, d->name);
    zw_text_add(t, ",\"kind\":");
    zw_text_json_string(t, d->kind);
    zw_text_addf(t, ",\"fix\":%u,\"a\":", d->fix);
    zw_view_place(v, &d->a);
    zw_text_add(t, ",\"b\":");
    zw_view_place(v, &d->b);
    for (int k = 0; k < 3; k++) {
        known = zw_view_constant(v, d->axis[k], 0.0, &axis[k]) && known;
    }
    if (known) {
        zw_text_add(t, ",\"axis\":");
        zw_view_numbers(t, axis, 3);
    }
    zw_text_add(t, "}");
}

/* gravity that changes with time has no arrow */
static void write_gravity(zw_view *v) {
    double g[3] = {0, 0, 0};
    bool   known = v->model->gravity_given;
    for (int k = 0; known && k < 3; k++) {
        known = !zw_node_depends(v->model->pool, v->model->gravity[k].node, v->model->slot_t) &&
                zw_view_constant(v, v->model->gravity[k], 0.0, &g[k]);
    }
    if (known && (g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0)) {
        zw_text_add(&v->json, ",\n\"gravity\":");
        zw_view_numbers(&v->json, g, 3);
    }
}

zw_status zw_view_write_bodies(zw_view *v) {
    zw_text_add(&v->json, ",\n\"bodies\":[");
    for (int i = 0; v->model && i < v->model->nbodies; i++) {
        ZW_TRY(write_body(v, i));
    }
    zw_text_add(&v->json, "],\n\"joints\":[");
    for (int i = 0; v->model && i < v->model->nconstraints; i++) {
        write_joint(v, &v->model->constraints[i], i == 0);
    }
    zw_text_add(&v->json, "]");
    if (v->model) {
        write_gravity(v);
    }
    return zw_text_status(&v->json);
}

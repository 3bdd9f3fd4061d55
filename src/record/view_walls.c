/* SPDX-License-Identifier: Apache-2.0
 * view_walls.c: obstacles of the page. Forms are told by their sizes, what moves by a place and a turn for each frame, and an expression (a gap, an inequality of x, y, z) by
 * its values on a grid around the scene as it is at the start: the page draws where it is zero. */
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "record/view_part.h"

enum { GRID = 40 };

static zw_status write_motion(zw_view *v, const zw_obstacle_def *d, const zw_scene_wall *w) {
    zw_node  root[6];
    zw_tape *tape = NULL;
    for (int k = 0; k < 6; k++) {
        zw_quantity q = k < 3 ? d->shift[k] : d->turn[k - 3];
        root[k] = q.node ? q.node : zw_node_constant(v->model->pool, 0.0);
    }
    ZW_TRY(zw_tape_create(v->model->context, v->model->pool, root, 6, &tape));
    size_t  n = (size_t)v->frames.kept;
    double *in = zw_arena_alloc(&v->arena, (size_t)zw_pool_inputs(v->model->pool) + 1, sizeof *in, "motion of an obstacle");
    double *work = zw_arena_alloc(&v->arena, (size_t)zw_tape_work(tape) + 1, sizeof *work, "motion of an obstacle");
    double *pose = zw_arena_alloc(&v->arena, 12 * n + 1, sizeof *pose, "motion of an obstacle");
    if (!in || !work || !pose) {
        zw_tape_destroy(tape);
        return ZW_E_MEMORY;
    }
    zw_model_inputs(v->model, in);
    for (size_t k = 0; k < n; k++) {
        double out[6], q[4], turn[9];
        in[v->model->slot_t] = v->time[k];
        zw_tape_eval(tape, in, work, out);
        zw_q_exp(out + 3, q);
        zw_q_to_matrix(q, turn);
        zw_v3_add(pose + 12 * k, w->x, out);
        zw_m3_mul(pose + 12 * k + 3, turn, w->R);
    }
    zw_tape_destroy(tape);
    zw_text_add(&v->json, ",\"pose\":");
    zw_blob_array(&v->blob, &v->json, pose, 12 * n, ZW_BLOB_F32);
    return ZW_OK;
}

/* values > 0 where bodies cannot be, on GRID cells each way; a flat scene gets some depth */
static zw_status write_grid(zw_view *v, const zw_scene_wall *w) {
    const zw_scene *s = &v->scene;
    const zw_model *m = v->model;
    double          lo[3], step[3], size = 0.0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, s->hi[k] - s->lo[k]);
    }
    size = size > 0.0 ? size : 1.0;
    for (int k = 0; k < 3; k++) {
        double room = fmax(0.12 * size, 0.5 * (0.3 * size - (s->hi[k] - s->lo[k])));
        lo[k] = s->lo[k] - room;
        step[k] = (s->hi[k] + room - lo[k]) / GRID;
    }
    size_t  n = (size_t)(GRID + 1) * (GRID + 1) * (GRID + 1), i = 0;
    double *f = zw_arena_alloc(&v->arena, n, sizeof *f, "an inequality on a grid");
    if (!f) {
        return ZW_E_MEMORY;
    }
    s->in[m->slot_t] = v->time && v->frames.kept > 0 ? v->time[0] : 0.0;
    for (int z = 0; z <= GRID; z++) {
        for (int y = 0; y <= GRID; y++) {
            for (int x = 0; x <= GRID; x++, i++) {
                s->in[m->slot_x] = lo[0] + x * step[0];
                s->in[m->slot_y] = lo[1] + y * step[1];
                s->in[m->slot_z] = lo[2] + z * step[2];
                zw_tape_eval(w->tape, s->in, s->work, &f[i]);
                f[i] = isfinite(f[i]) ? (w->flips ? f[i] : -f[i]) : -1.0;
            }
        }
    }
    zw_text_addf(&v->json, ",\"cells\":%d,\"lo\":", GRID);
    zw_view_numbers(&v->json, lo, 3);
    zw_text_add(&v->json, ",\"step\":");
    zw_view_numbers(&v->json, step, 3);
    zw_text_add(&v->json, ",\"values\":");
    zw_blob_array(&v->blob, &v->json, f, n, ZW_BLOB_F32);
    return ZW_OK;
}

static const char *shape_of(const zw_scene_wall *w) {
    switch (w->kind) {
    case ZW_FORM_PLANE: return "plane";
    case ZW_FORM_SPHERE: return "ball";
    case ZW_FORM_CAPSULE: return "stick";
    case ZW_FORM_CYLINDER: return "drum";
    case ZW_FORM_BOX: return "block";
    case ZW_FORM_MESH: return "mesh";
    default: return "gap";
    }
}

static zw_status write_wall(zw_view *v, const zw_scene_wall *w, const char *name, const zw_obstacle_def *d, bool first) {
    const zw_form *f = w->solid.at.form;
    zw_text       *t = &v->json;
    zw_text_add(t, first ? "\n{\"name\":" : ",\n{\"name\":");
    zw_text_json_string(t, name);
    zw_text_addf(t, ",\"shape\":\"%s\",\"hollow\":%s,\"moves\":%s", shape_of(w), w->hollow ? "true" : "false", w->moves ? "true" : "false");
    if (w->kind == ZW_FORM_GAP) {
        ZW_TRY(write_grid(v, w));
        zw_text_add(t, "}");
        return ZW_OK;
    }
    zw_text_add(t, ",\"x\":");
    zw_view_numbers(t, w->x, 3);
    zw_text_add(t, ",\"R\":");
    zw_view_numbers(t, w->R, 9);
    if (w->kind == ZW_FORM_PLANE) {
        zw_text_add(t, ",\"n\":");
        zw_view_numbers(t, w->n, 3);
    } else if (w->kind == ZW_FORM_MESH) {
        zw_text_add(t, ",\"corners\":");
        zw_blob_array(&v->blob, t, w->corner, 9 * (size_t)w->ntriangles, ZW_BLOB_F32);
    } else if (f) {
        zw_text_add(t, ",\"radius\":");
        zw_text_json_number(t, f->radius);
        zw_text_add(t, ",\"half\":");
        zw_text_json_number(t, f->half);
        zw_text_add(t, ",\"size\":");
        zw_view_numbers(t, f->size, 3);
    }
    if (w->moves && d) {
        ZW_TRY(write_motion(v, d, w));
    }
    zw_text_add(t, "}");
    return ZW_OK;
}

zw_status zw_view_write_walls(zw_view *v) {
    const zw_scene *s = &v->scene;
    const zw_model *m = v->model;
    int             meant = m ? m->nobstacles : 0, next = 0;
    for (int i = 0; m && i < m->nunilaterals; i++) {
        meant += m->unilaterals[i].npoints > 0;
    }
    bool known = meant == s->nwalls; /* otherwise one could not be read, and which is which is not known */
    zw_text_add(&v->json, ",\n\"obstacles\":[");
    for (int i = 0; i < s->nwalls; i++) {
        const char            *name = "";
        const zw_obstacle_def *d = NULL;
        if (known && i < m->nobstacles) {
            d = &m->obstacles[i];
            name = d->name;
        } else if (known) {
            while (m->unilaterals[next].npoints == 0) {
                next++;
            }
            name = m->unilaterals[next++].name;
        }
        ZW_TRY(write_wall(v, &s->wall[i], name, d, i == 0));
    }
    zw_text_add(&v->json, "]");
    if (s->nmoments > 0) {
        zw_text_add(&v->json, ",\n\"box\":[");
        zw_view_numbers(&v->json, s->lo, 3);
        zw_text_add(&v->json, ",");
        zw_view_numbers(&v->json, s->hi, 3);
        zw_text_add(&v->json, "],\"floor\":");
        zw_text_json_number(&v->json, s->floor);
    }
    return zw_text_status(&v->json);
}

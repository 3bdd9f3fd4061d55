/* SPDX-License-Identifier: Apache-2.0
 * view_acts.c: what acts in the page's scene and is no body: loads at places, with their components for each frame, and frames of reference, with their place and axes for each frame.
 * Loads spread along a rod have no place, and loads that depend on where they act have no number here: both are named without one. */
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "model/field.h"
#include "record/view_part.h"
#include "rows/carriage.h"

/* what the parameter of a path is at each kept frame; NULL: the results are no path, or nothing varies */
static zw_status read_parameter(zw_view *v, double **out) {
    const zw_layout *l = v->epochs.layout;
    *out = NULL;
    for (int i = 0; l && i < l->nchannels; i++) {
        if (strcmp(l->channel[i].name, "statics/parameter") == 0 && l->channel[i].count == 1) {
            *out = zw_arena_alloc(&v->arena, (size_t)v->frames.kept + 1, sizeof **out, "parameter of a path");
            return *out ? zw_view_read(v, &v->frames, i, 0, v->frames.kept, *out) : ZW_E_MEMORY;
        }
    }
    return ZW_OK;
}

static int slot_of(const zw_model *m, const char *name) {
    for (int i = 0; name && i < m->nparameters; i++) {
        if (strcmp(m->parameter_name[i], name) == 0) {
            return m->parameter_slot[i];
        }
    }
    return -1;
}

/* components at each kept frame; nothing is written where they cannot be told */
static zw_status write_values(zw_view *v, const zw_load_def *d, const double *parameter) {
    const zw_model *m = v->model;
    size_t          n = (size_t)v->frames.kept;
    int             varies = parameter ? slot_of(m, m->statics.vary) : -1;
    double         *out = zw_arena_alloc(&v->arena, 3 * n + 1, sizeof *out, "a load"), s = 0.0;
    zw_field        f;
    if (!out) {
        return ZW_E_MEMORY;
    }
    if (zw_field_create(m, 3, d->v, NULL, &f) != ZW_OK) {
        zw_error_clear(m->context);
        return ZW_OK;
    }
    bool known = !f.of_space && zw_view_constant(v, d->on.s, 0.0, &s);
    zw_field_set_label(&f, s);
    for (size_t k = 0; known && k < n; k++) {
        zw_field_set_time(&f, parameter ? 0.0 : v->time[k]);
        if (varies >= 0) {
            f.in[varies] = parameter[k];
        }
        zw_tape_eval(f.tape, f.in, f.work, out + 3 * k);
        known = isfinite(out[3 * k] + out[3 * k + 1] + out[3 * k + 2]);
    }
    zw_field_destroy(&f);
    if (known) {
        zw_text_add(&v->json, ",\"values\":");
        zw_blob_array(&v->blob, &v->json, out, 3 * n, ZW_BLOB_F32);
    }
    return ZW_OK;
}

static zw_status write_loads(zw_view *v) {
    const zw_model *m = v->model;
    double         *parameter = NULL;
    zw_text        *t = &v->json;
    ZW_TRY(read_parameter(v, &parameter));
    zw_text_add(t, ",\n\"loads\":[");
    for (int i = 0; i < m->nloads; i++) {
        const zw_load_def *d = &m->loads[i];
        zw_text_add(t, i ? ",\n{\"name\":" : "\n{\"name\":");
        zw_text_json_string(t, d->name);
        zw_text_addf(t, ",\"moment\":%s,\"follower\":%s,\"per_length\":%s,\"place\":", d->moment ? "true" : "false",
                     d->directors ? "true" : "false", d->per_length ? "true" : "false");
        zw_view_place(v, &d->on);
        if (!d->per_length && d->on.body >= 0) {
            ZW_TRY(write_values(v, d, parameter));
        }
        zw_text_add(t, "}");
    }
    zw_text_add(t, "]");
    return ZW_OK;
}

/* [kept][12]: place and axes */
static zw_status write_motion(zw_view *v, const zw_frame_def *d) {
    size_t      n = (size_t)v->frames.kept;
    double     *pose = zw_arena_alloc(&v->arena, 12 * n + 1, sizeof *pose, "a frame of reference");
    zw_carriage k;
    zw_status   status = ZW_OK;
    if (!pose) {
        return ZW_E_MEMORY;
    }
    if (zw_carriage_create(v->model, d, &k) != ZW_OK) {
        zw_error_clear(v->model->context);
        return ZW_OK;
    }
    for (size_t i = 0; status == ZW_OK && i < n; i++) {
        zw_frame at;
        status = zw_carriage_at(&k, v->time[i], &at, NULL);
        if (status == ZW_OK) {
            memcpy(pose + 12 * i, at.r, 3 * sizeof *pose);
            memcpy(pose + 12 * i + 3, at.R, 9 * sizeof *pose);
        }
    }
    zw_carriage_destroy(&k);
    if (status != ZW_OK) { /* its expressions have no value at some time: it is named and not drawn */
        zw_error_clear(v->model->context);
        return ZW_OK;
    }
    zw_text_add(&v->json, ",\"pose\":");
    zw_blob_array(&v->blob, &v->json, pose, 12 * n, ZW_BLOB_F32);
    return ZW_OK;
}

static zw_status write_frames(zw_view *v) {
    const zw_model *m = v->model;
    zw_text        *t = &v->json;
    zw_text_add(t, ",\n\"reference_frames\":[");
    for (int i = 0; i < m->nframes; i++) {
        const zw_frame_def *d = &m->frames[i];
        zw_text_add(t, i ? ",\n{\"name\":" : "\n{\"name\":");
        zw_text_json_string(t, d->name);
        if (d->carried) {
            double place[3] = {0, 0, 0}, turn[3] = {0, 0, 0}, q[4], R[9];
            for (int k = 0; k < 3; k++) {
                if (!zw_view_constant(v, d->origin[k], 0.0, &place[k]) || !zw_view_constant(v, d->axes[k], 0.0, &turn[k])) {
                    place[k] = turn[k] = 0.0;
                }
            }
            zw_q_exp(turn, q);
            zw_q_to_matrix(q, R);
            zw_text_add(t, ",\"place\":");
            zw_view_place(v, &d->place);
            zw_text_add(t, ",\"x\":");
            zw_view_numbers(t, place, 3);
            zw_text_add(t, ",\"R\":");
            zw_view_numbers(t, R, 9);
        } else {
            ZW_TRY(write_motion(v, d));
        }
        zw_text_add(t, "}");
    }
    zw_text_add(t, "]");
    return ZW_OK;
}

zw_status zw_view_write_acts(zw_view *v) {
    if (!v->model || v->frames.kept == 0) {
        return ZW_OK;
    }
    ZW_TRY(write_loads(v));
    ZW_TRY(write_frames(v));
    return zw_text_status(&v->json);
}

/* SPDX-License-Identifier: Apache-2.0
 * load.c: forces and moments at places, dead (space axes) or following (directors), at a point or spread over a rod.
 * A load acts on the frame at its station; the transposed motion of that frame by the nodes takes it to the nodes. */
#include "system/track.h"

#include "math/vec3.h"

#include <stdio.h>

static zw_status bind_load(zw_system *y, const zw_load_def *def, zw_load *out) {
    char           subject[128];
    const zw_part *part = &y->part[y->body_part[def->on.body]];
    int            body = y->body_index[def->on.body];
    snprintf(subject, sizeof subject, "loads.%s", def->name);
    out->name = def->name;
    out->moment = def->moment;
    out->directors = def->directors;
    bool spread = def->per_length || (def->on.s.node == 0 && def->on.point < 0 && def->on.r[0].node == 0);
    out->nstations = spread ? part->ops->stations(part->self, body, NULL, NULL, NULL) : 1;
    out->place = zw_arena_alloc(&y->arena, (size_t)out->nstations, sizeof *out->place, "places of a load");
    out->weight = zw_arena_alloc(&y->arena, (size_t)out->nstations, sizeof *out->weight, "places of a load");
    out->label = zw_arena_alloc(&y->arena, (size_t)out->nstations, sizeof *out->label, "places of a load");
    if (out->place == NULL || out->weight == NULL || out->label == NULL) {
        return ZW_E_MEMORY;
    }
    if (spread) {
        if (out->nstations == 0) {
            return zw_model_raise(y->model, ZW_E_MODEL, def->at, subject, "say which point it acts on: point: NAME",
                                  "a load cannot be spread over '%s'", y->model->bodies[def->on.body].name);
        }
        part->ops->stations(part->self, body, out->place, out->weight, out->label);
        for (int i = 0; i < out->nstations; i++) {
            out->place[i].part = y->body_part[def->on.body];
        }
    } else {
        ZW_TRY(zw_system_bind_place(y, &def->on, subject, &out->place[0]));
        if (def->on.s.node != 0 && out->place[0].track == 0) {
            ZW_TRY(zw_model_constant(y->model, def->on.s, subject, &out->label[0]));
        }
        if ((def->moment || def->directors) && !out->place[0].turns) {
            return zw_model_raise(y->model, ZW_E_MODEL, def->at, subject, "give the point a turn, or use a force in space axes",
                                  "the point it acts on has no axes that could turn");
        }
        out->weight[0] = 1.0;
    }
    ZW_TRY(zw_field_create(y->model, 3, def->v, NULL, &out->field));
    bool each = out->field.of_label || out->field.of_space;
    return each && out->nstations > 1 ? zw_field_widen(&out->field) : ZW_OK;
}

zw_status zw_system_bind_loads(zw_system *y) {
    y->load = zw_arena_alloc(&y->arena, (size_t)y->model->nloads, sizeof *y->load, "loads");
    if (y->load == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < y->model->nloads; i++) {
        y->nloads = i + 1;
        ZW_TRY(bind_load(y, &y->model->loads[i], &y->load[i]));
    }
    return ZW_OK;
}

void zw_system_destroy_loads(zw_system *y) {
    for (int i = 0; i < y->nloads; i++) {
        zw_field_destroy(&y->load[i].field);
    }
}

bool zw_system_loaded(const zw_system *y) {
    return y->nloads > 0 || y->gravity_moves;
}

/* force or moment per label length (or at the place), taken to the nodes by the transposed motion of the frame */
static void add_wrench(const zw_load *load, int station, const double v[3], const zw_frame *F, const zw_jet *J, double *f) {
    double value[3], wrench[6] = {0};
    zw_v3_scale(value, load->weight[station], v);
    if (load->directors) {
        zw_m3_mulv(value, F->R, value);
    }
    zw_v3_copy(load->moment ? wrench : wrench + 3, value);
    for (int n = 0; n < J->nblocks; n++) {
        for (int col = 0; col < J->ncol[n]; col++) {
            double sum = 0.0;
            for (int row = 0; row < 6; row++) {
                sum += wrench[row] * J->J[n][6 * row + col];
            }
            f[J->col[n] + col] += sum;
        }
    }
}

/* stations in groups of eight: their frames, the expressions of all of them at once, then one after the other to the nodes */
static zw_status add_groups(zw_system *y, zw_load *load, const char *subject, const zw_state *x, double *f) {
    zw_field       *field = &load->field;
    zw_frame        F[ZW_TAPE_LANES];
    zw_jet          J[ZW_TAPE_LANES];
    zw_field_points points;
    double          v[3 * ZW_TAPE_LANES];
    zw_field_start(field);
    for (int first = 0; first < load->nstations; first += ZW_TAPE_LANES) {
        int count = load->nstations - first < ZW_TAPE_LANES ? load->nstations - first : ZW_TAPE_LANES;
        for (int k = 0; k < count; k++) {
            zw_system_frame(y, x, &load->place[first + k], &F[k], &J[k]);
            zw_field_put(&points, k, load->label[first + k], F[k].r);
        }
        ZW_TRY(zw_field_eval_wide(field, subject, &points, count, v));
        for (int k = 0; k < count; k++) {
            add_wrench(load, first + k, v + 3 * k, &F[k], &J[k], f);
        }
    }
    return ZW_OK;
}

static zw_status add_load(zw_system *y, zw_load *load, const zw_state *x, double t, double *f) {
    zw_field *field = &load->field;
    double    v[3] = {0.0, 0.0, 0.0};
    bool      each = field->of_label || field->of_space;
    char      subject[128];
    snprintf(subject, sizeof subject, "load '%s'", load->name);
    zw_field_set_time(field, t);
    if (load->place[0].track > 0) {
        double label[2];
        zw_track_label(y, load->place[0].track, t, label);
        load->label[0] = label[0];
    }
    if (each && field->wide != NULL) {
        return add_groups(y, load, subject, x, f);
    }
    if (!each) {
        zw_field_set_label(field, load->label[0]);
        ZW_TRY(zw_field_eval(field, subject, v));
    }
    for (int i = 0; i < load->nstations; i++) {
        zw_frame F;
        zw_jet   J;
        zw_system_frame(y, x, &load->place[i], &F, &J);
        if (each) {
            zw_field_set_label(field, load->label[i]);
            zw_field_set_space(field, F.r);
            ZW_TRY(zw_field_eval(field, subject, v));
        }
        add_wrench(load, i, v, &F, &J, f);
    }
    return ZW_OK;
}

zw_status zw_system_load(zw_system *y, const zw_state *x, double t, double *f) {
    if (y->gravity_moves) {
        double g[3];
        zw_field_set_time(&y->gravity, t);
        ZW_TRY(zw_field_eval(&y->gravity, "gravity", g));
        for (int i = 0; i < y->nparts; i++) {
            const zw_part *p = &y->part[i];
            zw_state       at = {.t = x->t, .q = x->q + p->q0, .v = x->v + p->v0, .s = x->s + p->s0};
            p->ops->gravity(p->self, &at, g, f + p->v0);
        }
    }
    for (int i = 0; i < y->nloads; i++) {
        ZW_TRY(add_load(y, &y->load[i], x, t, f));
    }
    return ZW_OK;
}

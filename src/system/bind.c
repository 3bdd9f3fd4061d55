/* SPDX-License-Identifier: Apache-2.0
 * bind.c: from a model to a system: bodies become parts, constraints find their places, rows get their storage. */
#include "system/system.h"

#include "base/number.h"
#include "parts/field.h"
#include "parts/lagrangian.h"
#include "parts/rigid.h"
#include "parts/rod.h"
#include "rows/along.h"
#include "rows/joint.h"
#include "rows/kirchhoff.h"
#include "rows/lagrange_row.h"
#include "system/split.h"
#include "system/track.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

zw_status zw_system_bind_place(const zw_system *y, const zw_place_def *def, const char *subject, zw_place *out) {
    const zw_part *part = &y->part[y->body_part[def->body]];
    zw_body_kind   kind = y->model->bodies[def->body].kind;
    double         u[3] = {0.0, 0.0, 0.0};
    int            track = 0;
    if (kind == ZW_BODY_RIGID) { /* a named point, a point in body axes, or the centre of mass */
        const zw_rigid *b = &((const zw_rigids *)part->self)->body[y->body_index[def->body]];
        for (int i = 0; i < 3; i++) {
            if (def->point >= 0) {
                u[i] = b->point[3 * (size_t)def->point + (size_t)i];
            } else if (def->r[i].node != 0) {
                ZW_TRY(zw_model_constant(y->model, def->r[i], subject, &u[i]));
            }
        }
    } else if (zw_place_moves(y->model, def)) {
        double label[2];
        ZW_TRY(zw_track_bind(y, def, subject, &track));
        zw_track_label(y, track, 0.0, label);
        u[0] = label[0];
    } else if (def->s.node != 0) {
        ZW_TRY(zw_model_constant(y->model, def->s, subject, &u[0]));
    } else if (kind == ZW_BODY_LAGRANGIAN) {
        u[0] = def->point;
    }
    if (!part->ops->place(part->self, y->body_index[def->body], u, out)) {
        char number[ZW_NUMBER_TEXT];
        return zw_model_raise(y->model, ZW_E_MODEL, def->at, subject, "give a label between 0 and the rod's length, or end",
                              "s = %s is not on '%s'", zw_number_short(u[0], 6, number), y->model->bodies[def->body].name);
    }
    out->part = y->body_part[def->body];
    out->track = track;
    out->driven = out->driven || track > 0;
    return ZW_OK;
}

static zw_status bind_gravity(zw_system *y, double g[3]) {
    const zw_model *m = y->model;
    memset(g, 0, 3 * sizeof *g);
    if (!m->gravity_given) {
        return ZW_OK;
    }
    ZW_TRY(zw_field_create(m, 3, m->gravity, NULL, &y->gravity));
    y->gravity_moves = y->gravity.of_time;
    y->gravity_acts = true;
    if (y->gravity_moves) {
        return ZW_OK;
    }
    ZW_TRY(zw_field_eval(&y->gravity, "gravity", g));
    y->gravity_acts = g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0;
    return ZW_OK;
}

static zw_status bind_bodies(zw_system *y) {
    const zw_model *m = y->model;
    double          g[3];
    ZW_TRY(bind_gravity(y, g));
    y->body_part = zw_arena_alloc(&y->arena, (size_t)m->nbodies + 1, sizeof(int), "bodies");
    y->body_index = zw_arena_alloc(&y->arena, (size_t)m->nbodies + 1, sizeof(int), "bodies");
    if (y->body_part == NULL || y->body_index == NULL) {
        return ZW_E_MEMORY;
    }
    int nrods = 0, nfields = 0, nrigids = 0;
    for (int i = 0; i < m->nbodies; i++) {
        zw_body_kind kind = m->bodies[i].kind;
        y->body_index[i] = kind == ZW_BODY_ROD ? nrods++ : kind == ZW_BODY_FIELD ? nfields++ : kind == ZW_BODY_RIGID ? nrigids++ : 0;
    }
    int rigids = (nrods > 0) + (nfields > 0), next = rigids + (nrigids > 0);
    for (int i = 0; i < m->nbodies; i++) {
        zw_body_kind kind = m->bodies[i].kind;
        y->body_part[i] = kind == ZW_BODY_ROD ? 0 : kind == ZW_BODY_FIELD ? nrods > 0 : kind == ZW_BODY_RIGID ? rigids : next++;
    }
    size_t nparts = (size_t)next;
    y->part = zw_arena_alloc(&y->arena, nparts, sizeof *y->part, "parts");
    y->mass_part = zw_arena_alloc(&y->arena, nparts, sizeof *y->mass_part, "parts");
    y->damp_part = zw_arena_alloc(&y->arena, nparts, sizeof *y->damp_part, "parts");
    y->v0 = zw_arena_alloc(&y->arena, nparts, sizeof *y->v0, "parts");
    if (y->part == NULL || y->mass_part == NULL || y->damp_part == NULL || y->v0 == NULL) {
        return ZW_E_MEMORY;
    }
    if (nrods > 0) {
        ZW_TRY(zw_rods_create(m, g, y->mesh, &y->part[y->nparts].self));
        y->part[y->nparts++].ops = &zw_rods_ops;
    }
    if (nfields > 0) {
        ZW_TRY(zw_fields_create(m, &y->part[y->nparts].self));
        y->part[y->nparts++].ops = &zw_fields_ops;
    }
    if (nrigids > 0) {
        ZW_TRY(zw_rigids_create(m, g, &y->part[y->nparts].self));
        y->part[y->nparts++].ops = &zw_rigids_ops;
    }
    for (int i = 0; i < m->nbodies; i++) {
        if (m->bodies[i].kind == ZW_BODY_LAGRANGIAN) {
            ZW_TRY(zw_lagrangian_create(m, i, &y->part[y->nparts].self));
            y->part[y->nparts++].ops = m->bodies[i].lagrangian.nquasi > 0 ? &zw_lagrangian_quasi_ops : &zw_lagrangian_ops;
        }
    }
    for (int i = 0; i < y->nparts; i++) {
        zw_size n = y->part[i].ops->size(y->part[i].self);
        y->part[i].q0 = y->size.nq;
        y->part[i].v0 = y->v0[i] = y->size.nv;
        y->part[i].s0 = y->size.ns;
        y->size.nq += n.nq;
        y->size.nv += n.nv;
        y->size.ns += n.ns;
        y->damps = y->damps || (y->part[i].ops->damps != NULL && y->part[i].ops->damps(y->part[i].self));
    }
    y->mass = (zw_metric){.n = y->size.nv, .nparts = y->nparts, .part = y->mass_part, .v0 = y->v0};
    y->damp = (zw_metric){.n = y->size.nv, .nparts = y->nparts, .part = y->damp_part, .v0 = y->v0};
    return ZW_OK;
}

static int int_order(const void *a, const void *b) {
    int x = *(const int *)a, z = *(const int *)b;
    return (x > z) - (x < z);
}

/* which blocks of each part the rows touch: first columns, counted in the part, each once and rising */
static void collect_some(zw_system *y, const zw_rows *A) {
    int n = 0, last = -1, touched = A->nblocks;
    for (int i = 0; i < A->nblocks; i++) {
        y->some[i] = A->block[i].col0;
    }
    touched += zw_system_travelled(y, -1, y->some + touched);
    qsort(y->some, (size_t)touched, sizeof *y->some, int_order);
    for (int i = 0, part = 0; i < touched; i++) {
        int column = y->some[i];
        for (; part + 1 < y->nparts && column >= y->v0[part + 1]; part++) {
            y->some0[part + 1] = n;
        }
        if (column != last) {
            y->some[n++] = column - y->v0[part];
        }
        last = column;
        y->some0[part + 1] = n;
    }
    for (int part = 0; part < y->nparts; part++) { /* parts behind the last that is touched */
        y->some0[part + 1] = y->some0[part + 1] < y->some0[part] ? y->some0[part] : y->some0[part + 1];
    }
}

/* storage for the rows, and which node blocks they touch */
static zw_status reserve_rows(zw_system *y, const zw_state *x) {
    int tiles = 0, rows = 0, blocks = 0, values = 0;
    for (int i = 0; i < y->nconstraints; i++) {
        int t, r, b, v;
        y->constraint[i].ops->count(y->constraint[i].self, &t, &r, &b, &v);
        y->constraint[i].row0 = rows;
        y->constraint[i].m = r;
        for (int k = 0; k < r && !y->constraint[i].velocity_only; k++) {
            y->npositions++;
        }
        tiles += t;
        rows += r;
        blocks += b;
        values += v;
    }
    y->nfixed = y->nconstraints;
    y->nfixed_positions = y->npositions;
    zw_system_count_sides(y, &tiles, &rows, &blocks, &values);
    y->rows.tile = zw_arena_alloc(&y->arena, (size_t)tiles + 1, sizeof(zw_tile), "rows of constraints");
    y->rows.block = zw_arena_alloc(&y->arena, (size_t)blocks + 1, sizeof(zw_block), "rows of constraints");
    y->rows.a = zw_arena_alloc(&y->arena, (size_t)values + 1, sizeof(double), "rows of constraints");
    y->some = zw_arena_alloc(&y->arena, (size_t)(blocks + zw_system_travelled(y, -1, NULL)) + 1, sizeof(int), "rows of constraints");
    y->some0 = zw_arena_alloc(&y->arena, (size_t)y->nparts + 1, sizeof(int), "rows of constraints");
    y->position = zw_arena_alloc(&y->arena, (size_t)(y->npositions + y->nsides) + 1, sizeof(int), "rows of constraints");
    if (y->rows.tile == NULL || y->rows.block == NULL || y->rows.a == NULL || y->some == NULL || y->some0 == NULL || y->position == NULL) {
        return ZW_E_MEMORY;
    }
    bool differences = false;
    for (int i = 0, n = 0; i < y->nconstraints; i++) {
        const zw_constraint *c = &y->constraint[i];
        for (int k = 0; k < c->m && !c->velocity_only; k++) {
            y->position[n++] = c->row0 + k;
        }
        differences = differences || c->ops->rate == NULL;
    }
    if (differences) {
        y->rate_q = zw_arena_alloc(&y->arena, (size_t)y->size.nq, sizeof(double), "rates of rows");
        y->rate_v = zw_arena_alloc(&y->arena, (size_t)y->size.nv, sizeof(double), "rates of rows");
        y->rate_c = zw_arena_alloc(&y->arena, (size_t)rows, sizeof(double), "rates of rows");
        if (y->rate_q == NULL || y->rate_v == NULL || y->rate_c == NULL) {
            return ZW_E_MEMORY;
        }
    }
    const zw_rows *A;
    ZW_TRY(zw_system_rows(y, x, &A));
    collect_some(y, A);
    return ZW_OK;
}

static zw_status bind_joint(zw_system *y, const zw_constraint_def *def, const zw_state *x, zw_constraint *c) {
    zw_place a, b;
    char     subject[128];
    snprintf(subject, sizeof subject, "constraints.%s", def->name);
    ZW_TRY(zw_system_bind_place(y, &def->a, subject, &a));
    if (def->b.body >= 0) {
        ZW_TRY(zw_system_bind_place(y, &def->b, subject, &b));
    }
    zw_joint_base base = {.b = def->b.body >= 0 ? &b : NULL};
    if (def->frame > 0) {
        zw_reference *to = &y->reference[def->frame - 1];
        base.frame = to->carried ? NULL : &to->moving;
        base.tilt = to->carried ? to->tilt : NULL;
    }
    ZW_TRY(zw_joint_create(y->model, def, y, x, &a, &base, &c->ops, &c->self));
    c->name = def->name;
    c->moves = zw_joint_moves(c->self);
    return ZW_OK;
}

static zw_status compound_name(zw_system *y, const char *a, const char *b, const char **out) {
    size_t size = strlen(a) + strlen(b) + 2;
    char  *name = zw_arena_alloc(&y->arena, size, 1, "names of rows");
    if (name == NULL) {
        return ZW_E_MEMORY;
    }
    snprintf(name, size, "%s.%s", a, b);
    *out = name;
    return ZW_OK;
}

/* strains that rods may not have */
static zw_status bind_kirchhoff(zw_system *y) {
    const zw_model *m = y->model;
    for (int i = 0; i < m->nbodies; i++) {
        int      part = y->body_part[i], rod = y->body_index[i];
        zw_rods *rods = m->bodies[i].kind == ZW_BODY_ROD ? y->part[part].self : NULL;
        if (rods == NULL || !zw_kirchhoff_wanted(rods, rod)) {
            continue;
        }
        zw_constraint *c = &y->constraint[y->nconstraints];
        ZW_TRY(compound_name(y, m->bodies[i].name, zw_kirchhoff_word(rods, rod), &c->name));
        ZW_TRY(zw_kirchhoff_create(m, &m->bodies[i], rods, part, rod, c));
        y->nconstraints++;
    }
    return ZW_OK;
}

/* equations all along rods */
static zw_status bind_along(zw_system *y, const zw_state *x) {
    const zw_model *m = y->model;
    for (int n = 0; n < 2 * m->nalongs; n++) { /* those between velocities are the last rows of all */
        int i = n % m->nalongs;
        if (m->alongs[i].velocities != (n >= m->nalongs)) {
            continue;
        }
        int            body = m->alongs[i].body, part = y->body_part[body];
        zw_state       rods = {.t = x->t, .q = x->q + y->part[part].q0, .v = x->v + y->part[part].v0, .s = x->s + y->part[part].s0};
        zw_constraint *c = &y->constraint[y->nconstraints];
        ZW_TRY(zw_along_create(m, &m->alongs[i], y->part[part].self, part, y->body_index[body], &rods, c));
        c->name = m->alongs[i].name;
        y->along_of[i] = y->nconstraints++;
    }
    return ZW_OK;
}

/* joints in the order of the model, then the equations of each lagrangian body, then strains that are held, then equations along rods */
static zw_status bind_constraints(zw_system *y) {
    const zw_model *m = y->model;
    zw_state        x;
    zw_status       status = ZW_OK;
    size_t          count = (size_t)m->nconstraints + (size_t)m->nalongs;
    for (int i = 0; i < m->nbodies; i++) {
        count += m->bodies[i].kind == ZW_BODY_LAGRANGIAN ? (size_t)m->bodies[i].lagrangian.nrows : m->bodies[i].kind == ZW_BODY_ROD;
    }
    ZW_TRY(zw_state_create(y->context, &y->size, &x));
    ZW_TRY_GOTO(zw_system_start(y, &x), done);
    ZW_TRY_GOTO(zw_system_check(y, &x), done);
    ZW_TRY_GOTO(zw_system_bind_sides(y), done);
    count += (size_t)y->nsides;
    y->constraint = zw_arena_alloc(&y->arena, count + 1, sizeof *y->constraint, "constraints");
    y->joint_of = zw_arena_alloc(&y->arena, (size_t)m->nconstraints + 1, sizeof *y->joint_of, "constraints");
    y->along_of = zw_arena_alloc(&y->arena, (size_t)m->nalongs + 1, sizeof *y->along_of, "constraints");
    if (y->constraint == NULL || y->joint_of == NULL || y->along_of == NULL) {
        status = ZW_E_MEMORY;
        goto done;
    }
    for (int i = 0; i < m->nconstraints; i++) {
        y->joint_of[i] = -1;
        if (strcmp(m->constraints[i].kind, "spring") != 0) {
            ZW_TRY_GOTO(bind_joint(y, &m->constraints[i], &x, &y->constraint[y->nconstraints]), done);
            y->joint_of[i] = y->nconstraints++;
        }
    }
    ZW_TRY_GOTO(zw_system_bind_springs(y, &x), done);
    for (int i = 0; i < m->nbodies; i++) {
        const zw_lagrangian_def *def = &m->bodies[i].lagrangian;
        for (int k = 0; m->bodies[i].kind == ZW_BODY_LAGRANGIAN && k < def->nrows; k++) {
            int            part = y->body_part[i];
            zw_constraint *c = &y->constraint[y->nconstraints];
            const char    *name;
            ZW_TRY_GOTO(compound_name(y, m->bodies[i].name, def->row[k].name, &name), done);
            ZW_TRY_GOTO(zw_lagrange_row_create(y->context, y->part[part].self, part, k, c), done);
            y->nconstraints++;
            c->name = name;
        }
    }
    ZW_TRY_GOTO(bind_kirchhoff(y), done);
    ZW_TRY_GOTO(bind_along(y, &x), done);
    ZW_TRY_GOTO(zw_system_bind_contacts(y), done);
    ZW_TRY_GOTO(zw_system_bind_slides(y, &x), done);
    for (int i = 0; i < y->nconstraints; i++) {
        y->rows_move = y->rows_move || y->constraint[i].moves;
        y->rows_nonlinear = y->rows_nonlinear || y->constraint[i].nonlinear;
    }
    y->fixed_move = y->rows_move;
    status = reserve_rows(y, &x);
done:
    zw_state_destroy(y->context, &x);
    return status;
}

zw_status zw_system_create(const zw_model *m, zw_system **out) {
    return zw_system_create_on(m, NULL, out);
}

zw_status zw_system_create_on(const zw_model *m, const zw_meshes *meshes, zw_system **out) {
    zw_status status = ZW_OK;
    *out = NULL;
    if (m->nbodies == 0) {
        return zw_raise(m->context, ZW_E_MODEL, "bodies", "add a body, for example a rod", "the model has no bodies");
    }
    zw_system *y = zw_alloc(m->context, 1, sizeof *y, "a system");
    if (y == NULL) {
        return ZW_E_MEMORY;
    }
    y->context = m->context;
    y->model = m;
    y->mesh = meshes != NULL ? meshes->rod : NULL;
    zw_arena_init(&y->arena, m->context);
    ZW_TRY_GOTO(zw_tracks_create(y), fail);
    ZW_TRY_GOTO(bind_bodies(y), fail);
    ZW_TRY_GOTO(zw_system_bind_frames(y), fail);
    ZW_TRY_GOTO(zw_system_bind_foundations(y), fail);
    ZW_TRY_GOTO(bind_constraints(y), fail);
    ZW_TRY_GOTO(zw_system_bind_loads(y), fail);
    y->mesh = NULL; /* whoever gave it may forget it */
    *out = y;
    return ZW_OK;
fail:
    zw_system_destroy(y);
    return status;
}

void zw_system_destroy(zw_system *y) {
    if (y == NULL) {
        return;
    }
    zw_context *c = y->context;
    for (int i = 0; i < y->nparts; i++) {
        y->part[i].ops->destroy(y->part[i].self);
    }
    for (int i = 0; i < y->nconstraints; i++) {
        y->constraint[i].ops->destroy(y->constraint[i].self);
    }
    zw_system_destroy_sides(y);
    zw_system_destroy_frames(y);
    zw_system_destroy_loads(y);
    zw_tracks_destroy(y);
    zw_field_destroy(&y->gravity);
    zw_arena_destroy(&y->arena);
    zw_free(c, y);
}

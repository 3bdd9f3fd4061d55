/* SPDX-License-Identifier: Apache-2.0
 * limit.c: g = value - low or high - value, with the angle of a hinge or the way of a slider as value.
 *
 * Inputs along a step are the value, its rate and t, so that boxes are as narrow as they can be. An angle goes on over many turns: it is the one that lies
 * within half a turn of the side's anchor, its value at the start of the step. A step that may turn farther than that is not bounded (the gap over its
 * boxes is the whole line), and is shortened. */
#include "rows/limit.h"

#include "base/number.h"
#include "rows/joint_part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct limit {
    zw_side   side;
    zw_joint *joint;
    double    bound, sign; /* g = sign (value - bound) */
    zw_tape  *bounce;
    bool      by_loss;
    zw_where  bounce_at;
    double   *in, *work;
} limit;

static void destroy(zw_side *side) {
    limit *s = (limit *)side;
    zw_tape_destroy(s->bounce);
    zw_free(side->context, s->in);
    zw_free(side->context, s->work);
    zw_free(side->context, s);
}

static zw_status value_at(limit *s, const zw_system *y, const zw_state *x, double *value, double row[2][6]) {
    ZW_TRY(zw_joint_free_value(s->joint, y, x, value, row));
    if (s->joint->free == 'a') {
        *value += 2.0 * PI * round((s->side.anchor - *value) / (2.0 * PI));
    }
    return ZW_OK;
}

static zw_status frames(const limit *s, const zw_system *y, const zw_state *x, zw_frame F[2], zw_jet J[2]) {
    zw_system_frame(y, x, &s->joint->a, &F[0], J != NULL ? &J[0] : NULL);
    if (s->joint->ground) {
        ZW_TRY(zw_joint_ground(s->joint, x->t, &F[1], NULL));
        if (J != NULL) {
            J[1].nblocks = 0;
        }
    } else {
        zw_system_frame(y, x, &s->joint->b, &F[1], J != NULL ? &J[1] : NULL);
    }
    return ZW_OK;
}

static zw_status look(zw_side *side, const zw_system *y, const zw_state *x, zw_side_look *out) {
    limit   *s = (limit *)side;
    double   value, row[2][6];
    zw_frame F[2];
    ZW_TRY(value_at(s, y, x, &value, row));
    ZW_TRY(frames(s, y, x, F, NULL));
    *out = (zw_side_look){.gap = s->sign * (value - s->bound)};
    for (int k = 0; k < 2; k++) {
        for (int h = 0; h < 6; h++) {
            double term = row[k][h] * (h < 3 ? F[k].w[h] : F[k].v[h - 3]);
            out->rate += s->sign * term;
            out->rate_size += fabs(term);
            out->slope = hypot(out->slope, row[k][h]);
        }
    }
    out->size = fmax(fabs(value), fabs(s->bound));
    if (s->joint->free == 'w') { /* a way is a difference of places */
        for (int h = 0; h < 3; h++) {
            out->size += fabs(row[0][3 + h] * F[0].r[h]) + fabs(row[0][3 + h] * F[1].r[h]);
        }
    } else {
        out->size = fmax(out->size, 1.0); /* and an angle one of directions */
    }
    return ZW_OK;
}

static zw_status add_row(zw_side *side, const zw_system *y, const zw_state *x, int64_t id, zw_rows *A) {
    limit   *s = (limit *)side;
    double   value, row[2][6];
    zw_frame F[2];
    zw_jet   J[2];
    ZW_TRY(value_at(s, y, x, &value, row));
    ZW_TRY(frames(s, y, x, F, J));
    zw_tile *tile = &A->tile[A->ntiles];
    *tile = (zw_tile){.id = id, .row = A->m, .m = 1, .block0 = A->nblocks, .kind = ZW_ROW_EQUAL};
    for (int k = 0; k < 2; k++) {
        for (int n = 0; n < J[k].nblocks; n++) {
            zw_block *block = NULL;
            for (int i = 0; i < tile->nblocks; i++) { /* both places may move with the same node */
                if (A->block[tile->block0 + i].col0 == J[k].col[n]) {
                    block = &A->block[tile->block0 + i];
                }
            }
            if (block == NULL) {
                block = &A->block[A->nblocks++];
                tile->nblocks++;
                *block = (zw_block){.col0 = J[k].col[n], .ncol = J[k].ncol[n], .a = A->nvalues};
                A->nvalues += J[k].ncol[n];
                memset(A->a + block->a, 0, sizeof(double) * (size_t)J[k].ncol[n]);
            }
            for (int col = 0; col < J[k].ncol[n]; col++) {
                for (int h = 0; h < 6; h++) {
                    A->a[block->a + col] += s->sign * row[k][h] * J[k].J[n][6 * h + col];
                }
            }
        }
    }
    A->ntiles++;
    A->m++;
    return ZW_OK;
}

static zw_status restitution(zw_side *side, const zw_system *y, const zw_state *x, double *e) {
    limit *s = (limit *)side;
    double value;
    (void)y;
    s->in[side->model->slot_t] = x->t;
    zw_tape_eval(s->bounce, s->in, s->work, &value);
    return zw_side_bounce(side, s->by_loss, value, s->bounce_at, x->t, e);
}

/* ---- along a step: z = (value, rate, t) */

static void read(zw_side *side, const zw_system *y, const zw_state *x, double *z) {
    limit       *s = (limit *)side;
    zw_side_look at;
    z[0] = z[1] = NAN; /* a frame that cannot be evaluated: never shown to be far away */
    z[2] = x->t;
    if (look(side, y, x, &at) == ZW_OK) {
        z[0] = s->bound + s->sign * at.gap;
        z[1] = s->sign * at.rate;
    } else {
        zw_error_clear(side->context);
    }
}

static void eval(zw_side *side, const double *z, double *gap, double *rate) {
    const limit *s = (const limit *)side;
    *gap = s->sign * (z[0] - s->bound);
    *rate = s->sign * z[1];
}

static zw_interval turned(const limit *s, zw_interval a) {
    return s->sign > 0.0 ? a : (zw_interval){-a.hi, -a.lo};
}

static void enclose(zw_side *side, const zw_interval *z, zw_interval *gap, zw_interval *rate) {
    const limit *s = (const limit *)side;
    double       round_off = 4.0 * 2.3e-16 * (fabs(s->bound) + fmax(fabs(z[0].lo), fabs(z[0].hi)));
    bool         within = s->joint->free != 'a' || (z[0].lo > side->anchor - 3.0 && z[0].hi < side->anchor + 3.0);
    if (!within || !(z[0].lo <= z[0].hi) || !(z[1].lo <= z[1].hi)) {
        *gap = *rate = (zw_interval){-INFINITY, INFINITY};
        return;
    }
    *gap = turned(s, (zw_interval){z[0].lo - s->bound - round_off, z[0].hi - s->bound + round_off});
    *rate = turned(s, z[1]);
}

static void enclose_bend(zw_side *side, const zw_interval *z, const zw_interval *dz, zw_interval *rate, zw_interval *bend) {
    const limit *s = (const limit *)side;
    *rate = turned(s, z[1]);
    *bend = dz[1].lo <= dz[1].hi ? turned(s, dz[1]) : (zw_interval){-INFINITY, INFINITY};
}

static zw_status angle(zw_side *side, const zw_system *y, const zw_state *x, double *value) {
    double row[2][6];
    return value_at((limit *)side, y, x, value, row);
}

static const zw_side_kind of_joint = {
    .angle = angle,
    .destroy = destroy,
    .look = look,
    .row = add_row,
    .restitution = restitution,
    .read = read,
    .eval = eval,
    .enclose = enclose,
    .enclose_bend = enclose_bend,
};

static zw_status make_bounce(limit *s) {
    const zw_model *m = s->side.model;
    zw_node         node = m->contact.restitution.node;
    s->bounce_at = m->contact.restitution.at;
    if (node == 0 && m->contact.loss.node != 0) {
        s->by_loss = true;
        node = m->contact.loss.node;
        s->bounce_at = m->contact.loss.at;
    }
    node = node != 0 ? node : zw_node_constant(m->pool, 1.0);
    if (node == 0) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(zw_tape_create(s->side.context, m->pool, &node, 1, &s->bounce));
    const int space[4] = {m->slot_x, m->slot_y, m->slot_z, m->slot_s};
    for (int k = 0; k < 4; k++) {
        if (zw_tape_uses(s->bounce, space[k])) {
            return zw_model_raise(m, ZW_E_MODEL, s->bounce_at, "contact", "give unilateral constraints a restitution of their own",
                                  "the limits of '%s' have no place x, y, z that it could depend on", s->side.name);
        }
    }
    s->in = zw_alloc(s->side.context, (size_t)zw_pool_inputs(m->pool) + 1, sizeof *s->in, "limits of a joint");
    s->work = zw_alloc(s->side.context, (size_t)zw_tape_work(s->bounce) + 1, sizeof *s->work, "limits of a joint");
    if (s->in == NULL || s->work == NULL) {
        return ZW_E_MEMORY;
    }
    zw_model_inputs(m, s->in);
    return ZW_OK;
}

zw_status zw_limit_create(const zw_model *m, const zw_constraint_def *def, void *joint, int which, zw_side **out) {
    static const char *const text[2] = {"it is not below its least limit", "it is not above its largest limit"};
    zw_status                status = ZW_OK;
    char                     subject[128];
    limit                   *s = zw_alloc(m->context, 1, sizeof *s, "limits of a joint");
    *out = NULL;
    if (s == NULL) {
        return ZW_E_MEMORY;
    }
    s->joint = joint;
    s->sign = which == 0 ? 1.0 : -1.0;
    s->side = (zw_side){.kind = &of_joint,
                        .context = m->context,
                        .model = m,
                        .text = text[which],
                        .at = def->limit[which].at.line > 0 ? def->limit[which].at : def->at,
                        .pair = -1,
                        .blocks = s->joint->nblocks,
                        .columns = s->joint->ncols,
                        .inputs = 3,
                        .positions = 1};
    snprintf(s->side.name, sizeof s->side.name, "%.80s.%s", def->name, which == 0 ? "least" : "largest");
    snprintf(subject, sizeof subject, "constraints.%.100s.limits", def->name);
    if (zw_joint_moves(joint) || s->joint->free == 0) {
        status = zw_model_raise(m, ZW_E_UNSUPPORTED, s->side.at, subject, "leave motion: away, or the limits",
                                "limits are of a hinge or slider without a motion of its own");
        goto fail;
    }
    ZW_TRY_GOTO(zw_model_constant(m, def->limit[which], subject, &s->bound), fail);
    ZW_TRY_GOTO(make_bounce(s), fail);
    *out = &s->side;
    return ZW_OK;
fail:
    destroy(&s->side);
    return status;
}

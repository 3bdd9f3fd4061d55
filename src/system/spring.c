/* SPDX-License-Identifier: Apache-2.0
 * spring.c: springs along the line between two places (or a place and a point of space), with a damper beside them.
 *
 *   l = |rA - rB|,  n = (rA - rB)/l,   tension k (l - L) + c l',   energy k (l - L)^2/2,   l' = n.(vA - vB)
 * The elastic part belongs to the force of the system and to its elastic energy, the damper to what dissipates. Places take the force to the velocities by
 * the transposed motion of their frames, as loads do. */
#include "system/system.h"

#include "base/number.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct line { /* how a spring lies and stretches */
    zw_frame F[2];
    zw_jet   J[2];
    double   d[3], length, rate; /* rate of the length; 0 where the length is 0 */
} line;

static void line_at(const zw_system *y, const zw_spring *s, const zw_state *x, line *out) {
    double apart[3];
    memset(&out->F[1], 0, sizeof out->F[1]);
    out->J[1].nblocks = 0;
    zw_system_frame(y, x, &s->a, &out->F[0], &out->J[0]);
    if (s->ground) {
        zw_v3_copy(out->F[1].r, s->anchor);
    } else {
        zw_system_frame(y, x, &s->b, &out->F[1], &out->J[1]);
    }
    zw_v3_sub(out->d, out->F[0].r, out->F[1].r);
    zw_v3_sub(apart, out->F[0].v, out->F[1].v);
    out->length = zw_v3_norm(out->d);
    out->rate = out->length > 0.0 ? zw_v3_dot(out->d, apart) / out->length : 0.0;
}

/* f += the force that pulls A towards B and B towards A by `pull` times d */
static void add_pull(const line *l, double pull, double *f) {
    for (int side = 0; side < 2; side++) {
        const zw_jet *J = &l->J[side];
        double        sign = side == 0 ? -pull : pull;
        for (int n = 0; n < J->nblocks; n++) {
            for (int col = 0; col < J->ncol[n]; col++) {
                double sum = 0.0;
                for (int i = 0; i < 3; i++) {
                    sum += l->d[i] * J->J[n][6 * (3 + i) + col];
                }
                f[J->col[n] + col] += sign * sum;
            }
        }
    }
}

/* tension over length, so that a spring without rest length is smooth where its ends meet */
static double elastic_pull(const zw_spring *s, const line *l) {
    return s->length == 0.0 ? s->stiffness : l->length > 0.0 ? s->stiffness * (1.0 - s->length / l->length) : 0.0;
}

static double damping_pull(const zw_spring *s, const line *l) {
    return l->length > 0.0 ? s->damping * l->rate / l->length : 0.0;
}

void zw_system_spring_force(const zw_system *y, const zw_state *x, double *f) {
    for (int i = 0; i < y->nsprings; i++) {
        line l;
        line_at(y, &y->spring[i], x, &l);
        add_pull(&l, elastic_pull(&y->spring[i], &l), f);
    }
    zw_system_foundation_force(y, x, f);
}

void zw_system_damp_springs(const zw_system *y, const zw_state *x, double *f) {
    for (int i = 0; i < y->nsprings; i++) {
        if (y->spring[i].damping > 0.0) {
            line l;
            line_at(y, &y->spring[i], x, &l);
            add_pull(&l, damping_pull(&y->spring[i], &l), f);
        }
    }
    zw_system_foundation_damp(y, x, f);
}

double zw_system_spring_energy(const zw_system *y, const zw_state *x) {
    double sum = zw_system_foundation_energy(y, x);
    for (int i = 0; i < y->nsprings; i++) {
        const zw_spring *s = &y->spring[i];
        line             l;
        line_at(y, s, x, &l);
        sum += 0.5 * s->stiffness * (l.length - s->length) * (l.length - s->length);
    }
    return sum;
}

bool zw_system_spring_reaction(const zw_system *y, const zw_state *x, int constraint, double wrench[6]) {
    for (int i = 0; i < y->nsprings; i++) {
        const zw_spring *s = &y->spring[i];
        if (s->constraint == constraint) {
            line l;
            line_at(y, s, x, &l);
            zw_v3_zero(wrench);
            zw_v3_scale(wrench + 3, -(elastic_pull(s, &l) + damping_pull(s, &l)), l.d);
            return true;
        }
    }
    return false;
}

int zw_system_springs(const zw_system *y) {
    return y->nsprings + y->nfoundations;
}

bool zw_system_springs_damp(const zw_system *y) {
    return y->springs_damp;
}

static zw_status number(const zw_system *y, zw_quantity q, const char *subject, double *out) {
    *out = 0.0;
    if (q.node == 0) {
        return ZW_OK;
    }
    ZW_TRY(zw_model_constant(y->model, q, subject, out));
    if (!(*out >= 0.0)) {
        char text[ZW_NUMBER_TEXT];
        return zw_model_raise(y->model, ZW_E_MODEL, q.at, subject, "give a number that is not negative", "%s is negative",
                              zw_number_short(*out, 6, text));
    }
    return ZW_OK;
}

static zw_status bind_spring(zw_system *y, int constraint, const zw_state *x, zw_spring *s) {
    const zw_constraint_def *def = &y->model->constraints[constraint];
    char                     subject[128];
    line                     l;
    snprintf(subject, sizeof subject, "constraints.%s", def->name);
    s->constraint = constraint;
    s->ground = def->b.body < 0;
    ZW_TRY(zw_system_bind_place(y, &def->a, subject, &s->a));
    if (!s->ground) {
        ZW_TRY(zw_system_bind_place(y, &def->b, subject, &s->b));
    }
    ZW_TRY(number(y, def->stiffness, subject, &s->stiffness));
    ZW_TRY(number(y, def->damping, subject, &s->damping));
    ZW_TRY(number(y, def->length, subject, &s->length));
    line_at(y, s, x, &l);
    if (s->ground) { /* hangs where its place is at the start */
        zw_v3_copy(s->anchor, l.F[0].r);
        line_at(y, s, x, &l);
    }
    s->length = def->length.node != 0 ? s->length : l.length;
    y->springs_damp = y->springs_damp || s->damping > 0.0;
    return ZW_OK;
}

zw_status zw_system_bind_springs(zw_system *y, const zw_state *x) {
    y->spring = zw_arena_alloc(&y->arena, (size_t)y->model->nconstraints + 1, sizeof *y->spring, "springs");
    if (y->spring == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < y->model->nconstraints; i++) {
        if (strcmp(y->model->constraints[i].kind, "spring") == 0) {
            ZW_TRY(bind_spring(y, i, x, &y->spring[y->nsprings]));
            y->nsprings++;
        }
    }
    y->damps = y->damps || y->springs_damp;
    return ZW_OK;
}

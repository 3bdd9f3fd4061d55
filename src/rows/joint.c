/* SPDX-License-Identifier: Apache-2.0
 * joint.c: keeps chosen components of one frame (A) relative to another (B: ground, or a second place), with a prescribed motion.
 *
 * In the axes of B, with d = rA - rB, Q = RB' RA, target position c + shift(t) and target rotation Q*(t) = exp(turn(t)) Q0:
 *   positions   g = RB' d - c - shift(t)                    rate  RB'(vA - vB - wB x d) - shift'(t)
 *   rotations   E = Q Q*', turned by  omega_E = RB'(wA - wB) - E omega*(t),  omega* = dexp_turn turn'
 *     three fixed       g = log E                            rate  dexp^-1_g omega_E
 *     two (k is free)   g = (e_k x E e_k) in the other two   rate  omega_i a_k - a_i omega_k,  a = E e_k      (any number of turns)
 *     one (i)           g = 2 atan2(e_i, e_0), E = (e_0, e)  the twist about i; the swing is free
 * Rows A are the coefficients of (wA, vA, wB, vB) times how the nodes move those frames. The multiplier of a position row is a force along an
 * axis of B on A, of a rotation row a couple. */
#include "rows/joint.h"

#include "base/number.h"
#include "math/quat.h"
#include "math/so3.h"
#include "model/field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ROWS = 6 };

typedef struct joint {
    zw_context *context;
    const char *name;
    unsigned    fix;
    int         npos, pos[3]; /* fixed position components */
    int         nrot, rot[3]; /* fixed rotation components */
    zw_place    a, b;
    bool        ground, moves;
    bool        driven;         /* a place moves with time by itself */
    int         nblocks, ncols; /* what the rows touch: blocks, and columns in all */
    double      c[3], q0[4];
    zw_field    motion, rate; /* shift and turn (6), and their time derivatives */
} joint;

typedef struct target { /* of the motion at one time */
    double shift[3], shift_rate[3];
    double q[4];     /* Q* */
    double omega[3]; /* omega* */
} target;

static zw_status target_at(joint *k, double t, target *out) {
    double motion[6] = {0}, rate[6] = {0}, turn[4];
    memset(out, 0, sizeof *out);
    zw_q_copy(k->q0, out->q);
    if (!k->moves) {
        return ZW_OK;
    }
    zw_field_set_time(&k->motion, t);
    zw_field_set_time(&k->rate, t);
    ZW_TRY(zw_field_eval(&k->motion, k->name, motion));
    ZW_TRY(zw_field_eval(&k->rate, k->name, rate));
    zw_v3_copy(out->shift, motion);
    zw_v3_copy(out->shift_rate, rate);
    zw_q_exp(motion + 3, turn);
    zw_q_mul(turn, k->q0, out->q);
    zw_so3_dexp_apply(motion + 3, rate + 3, out->omega);
    return ZW_OK;
}

typedef struct geometry {
    zw_frame A, B;
    zw_jet   JA, JB;
    target   T;
    double   d[3];            /* rA - rB, space                               */
    double   e[4];            /* E as quaternion                              */
    double   omega_target[3]; /* E omega*, axes of B                          */
    double   g[MAX_ROWS];     /* values                                       */
    double   rot_row[3][3];   /* coefficients of omega_E in each rotation row */
} geometry;

static void ground_frame(zw_frame *F) {
    memset(F, 0, sizeof *F);
    zw_m3_identity(F->R);
}

static zw_status rotation_rows(const joint *k, double t, geometry *G) {
    const double *e = G->e;
    if (k->nrot == 3) {
        double rho[3], inv[9];
        if (zw_so3_log_q(e, rho)) {
            char subject[128];
            snprintf(subject, sizeof subject, "constraint '%s'", k->name);
            char time[ZW_NUMBER_TEXT];
            return zw_raise(k->context, ZW_E_DIVERGED, subject, "use a smaller step",
                            "its frames are turned against each other by pi at t = %s s", zw_number_short(t, 6, time));
        }
        zw_so3_dexp_inv(rho, inv);
        for (int i = 0; i < 3; i++) {
            G->g[k->npos + i] = rho[i];
            zw_v3_copy(G->rot_row[i], inv + 3 * i);
        }
    } else if (k->nrot == 2) {
        int    free_axis = 3 - k->rot[0] - k->rot[1];
        double axis[3] = {0.0, 0.0, 0.0}, a[3], cross[3];
        axis[free_axis] = 1.0;
        zw_q_rotate(e, axis, a);
        zw_v3_cross(cross, axis, a);
        for (int i = 0; i < 2; i++) {
            G->g[k->npos + i] = cross[k->rot[i]];
            zw_v3_zero(G->rot_row[i]);
            G->rot_row[i][k->rot[i]] = a[free_axis];
            G->rot_row[i][free_axis] = -a[k->rot[i]];
        }
    } else if (k->nrot == 1) {
        int    i = k->rot[0], j = (i + 1) % 3, h = (i + 2) % 3;
        double size = e[0] * e[0] + e[1 + i] * e[1 + i];
        if (size < 1e-12) {
            char subject[128];
            snprintf(subject, sizeof subject, "constraint '%s'", k->name);
            return zw_raise(k->context, ZW_E_DIVERGED, subject, "fix two or three rotations instead",
                            "the free swing has reached pi, where the fixed twist has no meaning");
        }
        double sign = e[0] < 0.0 ? -1.0 : 1.0;
        G->g[k->npos] = 2.0 * atan2(sign * e[1 + i], sign * e[0]);
        G->rot_row[0][i] = 1.0;
        G->rot_row[0][j] = (e[0] * e[1 + h] + e[1 + i] * e[1 + j]) / size;
        G->rot_row[0][h] = (-e[0] * e[1 + j] + e[1 + i] * e[1 + h]) / size;
    }
    return ZW_OK;
}

static zw_status geometry_at(joint *k, const zw_system *y, const zw_state *x, bool jets, geometry *G) {
    zw_system_frame(y, x, &k->a, &G->A, jets ? &G->JA : NULL);
    if (k->ground) {
        ground_frame(&G->B);
        G->JB.nblocks = 0;
    } else {
        zw_system_frame(y, x, &k->b, &G->B, jets ? &G->JB : NULL);
    }
    ZW_TRY(target_at(k, x->t, &G->T));
    double local[3], qa[4], qb[4], q[4], back[4];
    zw_v3_sub(G->d, G->A.r, G->B.r);
    zw_m3_tmulv(local, G->B.R, G->d);
    for (int i = 0; i < k->npos; i++) {
        int axis = k->pos[i];
        G->g[i] = local[axis] - k->c[axis] - G->T.shift[axis];
    }
    zw_q_from_matrix(G->A.R, qa);
    zw_q_from_matrix(G->B.R, qb);
    zw_q_conj_mul(qb, qa, q);
    zw_q_conj(G->T.q, back);
    zw_q_mul(q, back, G->e);
    zw_q_rotate(G->e, G->T.omega, G->omega_target);
    return rotation_rows(k, x->t, G);
}

static void joint_count(const void *self, int *tiles, int *rows, int *blocks, int *values) {
    const joint *k = self;
    *tiles = 1;
    *rows = k->npos + k->nrot;
    *blocks = k->nblocks;
    *values = k->ncols * *rows;
}

/* coefficients of (w, v) of side A (sign +1) or B (sign -1) in row i, space axes */
static void side_row(const joint *k, const geometry *G, int i, bool side_b, double out[6]) {
    double sign = side_b ? -1.0 : 1.0;
    memset(out, 0, 6 * sizeof *out);
    if (i < k->npos) {
        double axis[3], arm[3];
        zw_m3_column(axis, G->B.R, k->pos[i]);
        zw_v3_scale(out + 3, sign, axis);
        if (side_b) { /* -(wB x d).axis = -wB.(d x axis) */
            zw_v3_cross(arm, G->d, axis);
            zw_v3_negate(out, arm);
        }
        return;
    }
    double space[3];
    zw_m3_mulv(space, G->B.R, G->rot_row[i - k->npos]);
    zw_v3_scale(out, sign, space);
}

static zw_status joint_rows(void *self, const zw_system *y, const zw_state *x, zw_rows *A) {
    joint   *k = self;
    geometry G;
    ZW_TRY(geometry_at(k, y, x, true, &G));
    int      m = k->npos + k->nrot;
    zw_tile *tile = &A->tile[A->ntiles];
    *tile = (zw_tile){.id = A->ntiles, .row = A->m, .m = m, .block0 = A->nblocks, .kind = ZW_ROW_EQUAL};
    for (int side = 0; side < 2; side++) {
        const zw_jet *J = side == 0 ? &G.JA : &G.JB;
        for (int n = 0; n < J->nblocks; n++) {
            zw_block *block = NULL;
            for (int i = 0; i < tile->nblocks; i++) { /* both sides may move with the same node */
                if (A->block[tile->block0 + i].col0 == J->col[n]) {
                    block = &A->block[tile->block0 + i];
                }
            }
            if (block == NULL) {
                block = &A->block[A->nblocks++];
                tile->nblocks++;
                *block = (zw_block){.col0 = J->col[n], .ncol = J->ncol[n], .a = A->nvalues};
                A->nvalues += (ptrdiff_t)m * J->ncol[n];
                memset(A->a + block->a, 0, sizeof(double) * (size_t)(m * J->ncol[n]));
            }
            for (int i = 0; i < m; i++) {
                double row[6];
                side_row(k, &G, i, side == 1, row);
                for (int col = 0; col < J->ncol[n]; col++) {
                    double sum = 0.0;
                    for (int h = 0; h < 6; h++) {
                        sum += row[h] * J->J[n][6 * h + col];
                    }
                    A->a[block->a + J->ncol[n] * i + col] += sum;
                }
            }
        }
    }
    A->ntiles++;
    A->m += m;
    return ZW_OK;
}

/* velocity (w, v) of a side that the velocities of the system give; the rest of F moves with time alone */
static void side_velocity(const zw_jet *J, const double *v, double out[6]) {
    memset(out, 0, 6 * sizeof *out);
    for (int n = 0; n < J->nblocks; n++) {
        for (int h = 0; h < 6; h++) {
            for (int col = 0; col < J->ncol[n]; col++) {
                out[h] += J->J[n][6 * h + col] * v[J->col[n] + col];
            }
        }
    }
}

static zw_status joint_values(void *self, const zw_system *y, const zw_state *x, int level, double *c) {
    joint   *k = self;
    geometry G;
    bool     driven = level == 2 && k->driven;
    double   side[2][6];
    ZW_TRY(geometry_at(k, y, x, driven, &G));
    if (driven) {
        side_velocity(&G.JA, x->v, side[0]);
        side_velocity(&G.JB, x->v, side[1]);
    }
    int m = k->npos + k->nrot;
    for (int i = 0; i < m; i++) {
        if (level == 0 || level == 3) {
            c[i] = level == 0 ? G.g[i] : 1.0;
            continue;
        }
        double b = i < k->npos ? G.T.shift_rate[k->pos[i]] : zw_v3_dot(G.rot_row[i - k->npos], G.omega_target);
        double row[6];
        if (level == 2) {
            c[i] = b;
            for (int s = 0; driven && s < 2; s++) { /* what the places do by themselves goes over to the right side */
                const zw_frame *F = s == 0 ? &G.A : &G.B;
                side_row(k, &G, i, s == 1, row);
                for (int h = 0; h < 6; h++) {
                    c[i] -= row[h] * ((h < 3 ? F->w[h] : F->v[h - 3]) - side[s][h]);
                }
            }
            continue;
        }
        side_row(k, &G, i, false, row);
        double rate = zw_v3_dot(row, G.A.w) + zw_v3_dot(row + 3, G.A.v);
        side_row(k, &G, i, true, row);
        rate += zw_v3_dot(row, G.B.w) + zw_v3_dot(row + 3, G.B.v);
        c[i] = rate - b;
    }
    return ZW_OK;
}

static void joint_reaction(void *self, const zw_system *y, const zw_state *x, const double *lambda, double wrench[6]) {
    joint   *k = self;
    geometry G;
    memset(wrench, 0, 6 * sizeof *wrench);
    if (geometry_at(k, y, x, false, &G) != ZW_OK) {
        return;
    }
    for (int i = 0; i < k->npos + k->nrot; i++) {
        double row[6];
        side_row(k, &G, i, false, row);
        for (int h = 0; h < 6; h++) {
            wrench[h] += lambda[i] * row[h];
        }
    }
}

static const char *joint_row_name(const void *self, int row) {
    static const char *const name[6] = {"x", "y", "z", "rx", "ry", "rz"};
    const joint             *k = self;
    return row < k->npos ? name[k->pos[row]] : name[3 + k->rot[row - k->npos]];
}

static void joint_destroy(void *self) {
    joint *k = self;
    if (k == NULL) {
        return;
    }
    zw_context *c = k->context;
    zw_field_destroy(&k->motion);
    zw_field_destroy(&k->rate);
    zw_free(c, k);
}

bool zw_joint_moves(const void *self) {
    return ((const joint *)self)->moves || ((const joint *)self)->driven;
}

static zw_status bind_motion(const zw_model *m, const zw_constraint_def *def, joint *k) {
    zw_quantity motion[6], rate[6];
    for (int i = 0; i < 3; i++) {
        motion[i] = def->shift[i];
        motion[3 + i] = def->turn[i];
    }
    for (int i = 0; i < 6; i++) {
        rate[i] = motion[i];
        if (motion[i].node != 0) {
            k->moves = true;
            rate[i].node = zw_node_diff(m->pool, motion[i].node, m->slot_t);
            if (rate[i].node == 0) {
                return ZW_E_MEMORY;
            }
        }
    }
    if (!k->moves) {
        return ZW_OK;
    }
    ZW_TRY(zw_field_create(m, 6, motion, NULL, &k->motion));
    ZW_TRY(zw_field_create(m, 6, rate, NULL, &k->rate));
    double start[6];
    char   subject[128], number[ZW_NUMBER_TEXT];
    snprintf(subject, sizeof subject, "constraints.%s.motion", def->name);
    ZW_TRY(zw_field_eval(&k->motion, subject, start));
    for (int i = 0; i < 6; i++) {
        if (fabs(start[i]) > 1e-12) {
            return zw_model_raise(m, ZW_E_MODEL, motion[i].at, subject, "a motion is counted from the start: subtract its value at t = 0",
                                  "%s[%d] is %s at t = 0, not 0", i < 3 ? "shift" : "turn", i % 3 + 1,
                                  zw_number_short(start[i], 6, number));
        }
    }
    return ZW_OK;
}

static void count_reach(joint *k, const zw_jet *J) {
    k->nblocks += J->nblocks;
    for (int i = 0; i < J->nblocks; i++) {
        k->ncols += J->ncol[i];
    }
}

zw_status zw_joint_create(const zw_model *m, const zw_constraint_def *def, const zw_system *y, const zw_state *x, const zw_place *a,
                          const zw_place *b, void **out) {
    zw_status status = ZW_OK;
    *out = NULL;
    joint *k = zw_alloc(m->context, 1, sizeof *k, "a joint");
    if (k == NULL) {
        return ZW_E_MEMORY;
    }
    k->context = m->context;
    k->name = def->name;
    k->fix = def->fix;
    k->a = *a;
    k->ground = b == NULL;
    if (b != NULL) {
        k->b = *b;
    }
    for (int i = 0; i < 3; i++) {
        if (def->fix & (unsigned)(ZW_FIX_X << i)) {
            k->pos[k->npos++] = i;
        }
        if (def->fix & (unsigned)(ZW_FIX_RX << i)) {
            k->rot[k->nrot++] = i;
        }
    }
    ZW_TRY_GOTO(bind_motion(m, def, k), fail);
    if ((k->nrot > 0 && !a->turns) || (b != NULL && (k->nrot > 0 || strcmp(def->kind, "ball") != 0) && !b->turns)) {
        char subject[128];
        snprintf(subject, sizeof subject, "constraints.%s", def->name);
        status = zw_model_raise(m, ZW_E_MODEL, def->at, subject, "give the point a turn, or use a ball",
                                "it holds a rotation, and the point it holds on to has no axes that could turn");
        goto fail;
    }
    k->driven = a->driven || (b != NULL && b->driven);

    zw_frame A, B;
    zw_jet   J;
    ground_frame(&B);
    zw_system_frame(y, x, a, &A, &J);
    count_reach(k, &J);
    if (b != NULL) {
        zw_system_frame(y, x, b, &B, &J);
        count_reach(k, &J);
    }
    double d[3], qa[4], qb[4];
    zw_v3_sub(d, A.r, B.r);
    zw_m3_tmulv(k->c, B.R, d);
    if (b != NULL && strcmp(def->kind, "ball") == 0) { /* a ball brings two points together */
        double gap = zw_v3_norm(d), scale = 1.0 + zw_v3_norm(A.r);
        if (gap > 1e-6 * scale) {
            char subject[128], number[ZW_NUMBER_TEXT];
            snprintf(subject, sizeof subject, "constraints.%s", def->name);
            status = zw_model_raise(m, ZW_E_MODEL, def->at, subject,
                                    "place the bodies so that the two points meet, or use fixed or clamp to keep them apart",
                                    "the points of the ball joint are %s m apart at the start", zw_number_short(gap, 4, number));
            goto fail;
        }
        zw_v3_zero(k->c);
    }
    zw_q_from_matrix(A.R, qa);
    zw_q_from_matrix(B.R, qb);
    zw_q_conj_mul(qb, qa, k->q0);
    *out = k;
    return ZW_OK;
fail:
    joint_destroy(k);
    return status;
}

const zw_constraint_ops zw_joint_ops = {
    .kind = "joint",
    .count = joint_count,
    .rows = joint_rows,
    .values = joint_values,
    .reaction = joint_reaction,
    .row_name = joint_row_name,
    .destroy = joint_destroy,
};

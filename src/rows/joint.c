/* SPDX-License-Identifier: Apache-2.0
 * joint.c: keeps chosen components of one frame (A) relative to another (B: ground, a frame of reference, or a second place), with a prescribed motion.
 *
 * In the axes of B, with d = rA - rB, Q = RB' RA, target position c + shift(t) and target rotation Q*(t) = exp(turn(t)) Q0:
 *   positions   g = RB' d - c - shift(t)                    rate  RB'(vA - vB - wB x d) - shift'(t)
 *   rotations   E = Q Q*', turned by  omega_E = RB'(wA - wB) - E omega*(t),  omega* = dexp_turn turn'
 *     three fixed       g = log E                            rate  dexp^-1_g omega_E
 *     two (k is free)   g = (e_k x E e_k) in the other two   rate  omega_i a_k - a_i omega_k,  a = E e_k      (any number of turns)
 *     one (i)           g = 2 atan2(e_i, e_0), E = (e_0, e)  the twist about i; the swing is free
 *     universal         g = a.e_x, a = E e_z               rate  omega.(a x e_x)
 * Joints with an axis (hinge, slider, universal) and some planar ones count components along working axes: those of B turned by a constant rotation that
 * brings the axis to z. A hinge leaves the rotation about z free, a slider the way along z; the axis of a universal joint is z in A, its second one x in B.
 * Between bodies that move in one plane, components that nothing could change are left away.
 * Rows A are the coefficients of (wA, vA, wB, vB) times how the nodes move those frames. The multiplier of a position row is a force along an
 * axis of B on A, of a rotation row a couple. */
#include "rows/joint_part.h"

#include "base/number.h"
#include "math/so3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void zw_joint_tilt(const zw_joint *k, double motion[6]) {
    if (k->tilted) {
        zw_q_rotate(k->tilt, motion, motion);
        zw_q_rotate(k->tilt, motion + 3, motion + 3);
    }
}

zw_status zw_joint_target_at(zw_joint *k, double t, zw_joint_target *out) {
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
    zw_joint_tilt(k, motion);
    zw_joint_tilt(k, rate);
    zw_v3_copy(out->shift, motion);
    zw_v3_copy(out->shift_rate, rate);
    zw_q_exp(motion + 3, turn);
    zw_q_mul(turn, k->q0, out->q);
    zw_so3_dexp_apply(motion + 3, rate + 3, out->omega);
    return ZW_OK;
}

zw_status zw_joint_ground(const zw_joint *k, double t, zw_frame *F, double rate[6]) {
    if (k->base != NULL) {
        return zw_carriage_at(k->base, t, F, rate);
    }
    memset(F, 0, sizeof *F);
    zw_m3_identity(F->R);
    if (rate != NULL) {
        memset(rate, 0, 6 * sizeof *rate);
    }
    return ZW_OK;
}

static zw_status rotation_rows(const zw_joint *k, double t, zw_joint_geometry *G) {
    const double *e = G->e;
    if (k->nrot == 3) {
        double rho[3], inv[9];
        if (zw_so3_log_q(e, rho) && !k->elsewhere) {
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
    } else if (k->universal) {
        static const double along[3] = {0.0, 0.0, 1.0}, across[3] = {1.0, 0.0, 0.0};
        double              a[3];
        zw_q_rotate(e, along, a);
        G->g[k->npos] = a[0];
        zw_v3_cross(G->rot_row[0], a, across);
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

static void to_working_axes(const zw_joint *k, zw_joint_geometry *G) {
    double W[9], e[4], back[4];
    zw_q_to_matrix(k->work, W);
    zw_m3_mul(G->axes, G->B.R, W);
    zw_m3_tmulv(G->local, W, G->local);
    zw_m3_tmulv(G->shift_rate, W, G->shift_rate);
    zw_m3_tmulv(G->omega_target, W, G->omega_target);
    zw_q_conj(k->work, back);
    zw_q_mul(back, G->e, e);
    zw_q_mul(e, k->work, G->e);
}

zw_status zw_joint_geometry_at(zw_joint *k, const zw_system *y, const zw_state *x, bool jets, zw_joint_geometry *G) {
    zw_system_frame(y, x, &k->a, &G->A, jets ? &G->JA : NULL);
    if (k->ground) {
        ZW_TRY(zw_joint_ground(k, x->t, &G->B, NULL));
        G->JB.nblocks = 0;
    } else {
        zw_system_frame(y, x, &k->b, &G->B, jets ? &G->JB : NULL);
    }
    ZW_TRY(zw_joint_target_at(k, x->t, &G->T));
    double qa[4], qb[4], q[4], back[4];
    zw_v3_sub(G->d, G->A.r, G->B.r);
    zw_m3_tmulv(G->local, G->B.R, G->d);
    for (int i = 0; i < 3; i++) {
        G->local[i] = G->local[i] - k->c[i] - G->T.shift[i];
    }
    zw_q_from_matrix(G->A.R, qa);
    zw_q_from_matrix(G->B.R, qb);
    zw_q_conj_mul(qb, qa, q);
    zw_q_conj(G->T.q, back);
    zw_q_mul(q, back, G->e);
    zw_q_rotate(G->e, G->T.omega, G->omega_target);
    zw_v3_copy(G->shift_rate, G->T.shift_rate);
    zw_m3_copy(G->axes, G->B.R);
    if (k->turned) {
        to_working_axes(k, G);
    }
    for (int i = 0; i < k->npos; i++) {
        G->g[i] = G->local[k->pos[i]];
    }
    return rotation_rows(k, x->t, G);
}

static void joint_count(const void *self, int *tiles, int *rows, int *blocks, int *values) {
    const zw_joint *k = self;
    *tiles = 1;
    *rows = k->npos + k->nrot;
    *blocks = k->nblocks;
    *values = k->ncols * *rows;
}

/* coefficients of (w, v) of side A (sign +1) or B (sign -1) in row i, space axes */
static void side_row(const zw_joint *k, const zw_joint_geometry *G, int i, bool side_b, double out[6]) {
    double sign = side_b ? -1.0 : 1.0;
    memset(out, 0, 6 * sizeof *out);
    if (i < k->npos) {
        double axis[3], arm[3];
        zw_m3_column(axis, G->axes, k->pos[i]);
        zw_v3_scale(out + 3, sign, axis);
        if (side_b) { /* -(wB x d).axis = -wB.(d x axis) */
            zw_v3_cross(arm, G->d, axis);
            zw_v3_negate(out, arm);
        }
        return;
    }
    double space[3];
    zw_m3_mulv(space, G->axes, G->rot_row[i - k->npos]);
    zw_v3_scale(out, sign, space);
}

static zw_status joint_rows(void *self, const zw_system *y, const zw_state *x, zw_rows *A) {
    zw_joint         *k = self;
    zw_joint_geometry G;
    ZW_TRY(zw_joint_geometry_at(k, y, x, true, &G));
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
    zw_joint         *k = self;
    zw_joint_geometry G;
    bool              driven = level == 2 && k->driven;
    double            side[2][6];
    ZW_TRY(zw_joint_geometry_at(k, y, x, driven, &G));
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
        double b = i < k->npos ? G.shift_rate[k->pos[i]] : zw_v3_dot(G.rot_row[i - k->npos], G.omega_target);
        double row[6];
        if (level == 2) {
            c[i] = b;
            for (int s = 0; driven && s < 2; s++) { /* what the places do by themselves goes over to the right side */
                const zw_frame *F = s == 0 ? &G.A : &G.B;
                side_row(k, &G, i, s == 1, row);
                for (int h = 0; h < 3; h++) {
                    c[i] -= row[h] * (F->w[h] - side[s][h]);
                }
                for (int h = 0; h < 3; h++) {
                    c[i] -= row[3 + h] * (F->v[h] - side[s][3 + h]);
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
    zw_joint         *k = self;
    zw_joint_geometry G;
    memset(wrench, 0, 6 * sizeof *wrench);
    if (zw_joint_geometry_at(k, y, x, false, &G) != ZW_OK) {
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
    static const char *const turned[6] = {"across", "aside", "along", "turn across", "turn aside", "turn along"};
    const zw_joint          *k = self;
    if (row >= k->npos && k->universal) {
        return "right angle";
    }
    return (k->turned && !k->tilted ? turned : name)[row < k->npos ? k->pos[row] : 3 + k->rot[row - k->npos]];
}

void zw_joint_destroy(void *self) {
    zw_joint *k = self;
    if (k == NULL) {
        return;
    }
    zw_context *c = k->context;
    zw_field_destroy(&k->motion);
    zw_field_destroy(&k->rate);
    zw_field_destroy(&k->rate2);
    zw_free(c, k);
}

bool zw_joint_moves(const void *self) {
    return ((const zw_joint *)self)->moves || ((const zw_joint *)self)->driven;
}

void zw_joint_multipliers(const void *self, const double *lambda, double *out) {
    const zw_joint *k = self;
    memset(out, 0, ZW_JOINT_ROWS * sizeof *out);
    for (int i = 0; i < k->npos + k->nrot; i++) {
        out[k->slot[i]] = lambda[i];
    }
}

char zw_joint_leaves_free(const void *self) {
    return ((const zw_joint *)self)->free;
}

zw_status zw_joint_free_value(void *self, const zw_system *y, const zw_state *x, double *value, double row[2][6]) {
    zw_joint         *k = self;
    zw_joint_geometry G;
    double            axis[3];
    ZW_TRY(zw_joint_geometry_at(k, y, x, false, &G));
    zw_m3_column(axis, G.axes, 2);
    memset(row, 0, 2 * sizeof *row);
    if (k->free == 'a') { /* the rest of E is closed: the twist about the axis is the angle */
        double sign = G.e[0] < 0.0 ? -1.0 : 1.0;
        *value = 2.0 * atan2(sign * G.e[3], sign * G.e[0]);
        zw_v3_copy(row[0], axis);
        zw_v3_negate(row[1], axis);
        return ZW_OK;
    }
    *value = G.local[2];
    zw_v3_copy(row[0] + 3, axis);
    zw_v3_negate(row[1] + 3, axis);
    zw_v3_cross(row[1], axis, G.d); /* -(wB x d).axis */
    return ZW_OK;
}

const zw_constraint_ops zw_joint_ops = {
    .kind = "joint",
    .count = joint_count,
    .rows = joint_rows,
    .values = joint_values,
    .reaction = joint_reaction,
    .row_name = joint_row_name,
    .destroy = zw_joint_destroy,
};

/* between places whose frames know their own rate */
const zw_constraint_ops zw_joint_exact_ops = {
    .kind = "joint",
    .count = joint_count,
    .rows = joint_rows,
    .values = joint_values,
    .rate = zw_joint_rate,
    .reaction = joint_reaction,
    .row_name = joint_row_name,
    .destroy = zw_joint_destroy,
};

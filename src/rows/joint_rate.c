/* SPDX-License-Identifier: Apache-2.0
 * joint_rate.c: D of a joint: the rate of its velocity level while q moves with v, time goes on and v stays.
 *
 * With frame rates (alpha, a) of both sides, n = axes e_i (turning with wB), u = vA - vB - wB x d, and omega = axes'(wA - wB):
 *   positions   (wB x n).u + n.(aA - aB - alphaB x d - wB x (vA - vB))
 *   rotations   row(E).omega' + row(E)'.omega,   omega' = axes'(alphaA - alphaB - wB x (wA - wB)),   E' = omega^ E.
 * With a prescribed motion E is turned by omega_E = omega - E omega* instead, whose rate is omega' - omega_E x E omega* - E omega*',
 *   omega* = dexp_turn turn',   omega*' = dexp_turn turn'' + (d dexp_turn [turn']) turn',
 * and positions lose shift''. */
#include "rows/joint_part.h"

#include "math/so3.h"

#include <math.h>
#include <string.h>

typedef struct motion {
    double omega[3], rate[3]; /* of E, working axes */
} motion;

/* d/dt (dexp^-1_rho) omega with rho' = dexp^-1_rho omega:  dexp^-1 = 1 - rho^/2 + c(s) rho^ rho^,  s = |rho|^2 */
static void three(const double rho[3], const double inv[3][3], const motion *m, double *D) {
    double s = zw_v3_norm2(rho), c, slope, move[3], t[3], twice[3], moved[3];
    for (int i = 0; i < 3; i++) {
        move[i] = zw_v3_dot(inv[i], m->omega);
    }
    if (s < 0.01) {
        c = 1.0 / 12.0 + s * (1.0 / 720.0 + s * (1.0 / 30240.0 + s / 1209600.0));
        slope = 1.0 / 720.0 + s * (1.0 / 15120.0 + s / 403200.0);
    } else {
        double angle = sqrt(s), sine = sin(0.5 * angle), cot = cos(0.5 * angle) / sine;
        double f = 1.0 - 0.5 * angle * cot, f_angle = -0.5 * cot + 0.25 * angle / (sine * sine);
        c = f / s;
        slope = (f_angle / (2.0 * angle) * s - f) / (s * s);
    }
    zw_v3_cross(t, rho, m->omega);
    zw_v3_cross(twice, rho, t); /* rho^ rho^ omega */
    zw_v3_cross(moved, move, t);
    double half[3], back[3];
    zw_v3_cross(half, move, m->omega);
    zw_v3_cross(back, rho, half);
    for (int i = 0; i < 3; i++) {
        D[i] = zw_v3_dot(inv[i], m->rate) - 0.5 * half[i] + c * (moved[i] + back[i]) + 2.0 * slope * zw_v3_dot(rho, move) * twice[i];
    }
}

static double twist(const double e[4], int i, const motion *m) {
    int           j = (i + 1) % 3, h = (i + 2) % 3;
    const double *w = m->omega, *r = m->rate;
    double        de[4], turned[3];
    zw_v3_cross(turned, w, e + 1);
    de[0] = -0.5 * zw_v3_dot(w, e + 1);
    for (int n = 0; n < 3; n++) {
        de[1 + n] = 0.5 * (e[0] * w[n] + turned[n]);
    }
    double size = e[0] * e[0] + e[1 + i] * e[1 + i], dsize = 2.0 * (e[0] * de[0] + e[1 + i] * de[1 + i]);
    double nj = e[0] * e[1 + h] + e[1 + i] * e[1 + j], nh = -e[0] * e[1 + j] + e[1 + i] * e[1 + h];
    double dj = de[0] * e[1 + h] + e[0] * de[1 + h] + de[1 + i] * e[1 + j] + e[1 + i] * de[1 + j];
    double dh = -de[0] * e[1 + j] - e[0] * de[1 + j] + de[1 + i] * e[1 + h] + e[1 + i] * de[1 + h];
    return r[i] + (r[j] * nj + r[h] * nh + w[j] * dj + w[h] * dh) / size - (w[j] * nj + w[h] * nh) * dsize / (size * size);
}

static void rotations(const zw_joint *k, const zw_joint_geometry *G, const motion *m, double *D) {
    double a[3], da[3], axis[3] = {0.0, 0.0, 0.0};
    if (k->nrot == 3) {
        three(G->g + k->npos, G->rot_row, m, D);
        return;
    }
    if (k->nrot == 1 && !k->universal) {
        D[0] = twist(G->e, k->rot[0], m);
        return;
    }
    int free_axis = k->universal ? 2 : 3 - k->rot[0] - k->rot[1];
    axis[free_axis] = 1.0;
    zw_q_rotate(G->e, axis, a);
    zw_v3_cross(da, m->omega, a);
    if (k->universal) { /* omega.(a x e_x) = omega_y a_z - omega_z a_y */
        D[0] = m->rate[1] * a[2] - m->rate[2] * a[1] + m->omega[1] * da[2] - m->omega[2] * da[1];
        return;
    }
    for (int n = 0; n < 2; n++) {
        int i = k->rot[n], f = free_axis;
        D[n] = m->rate[i] * a[f] + m->omega[i] * da[f] - da[i] * m->omega[f] - a[i] * m->rate[f];
    }
}

/* shift'' and omega*' at t, working axes */
static zw_status target_rate(zw_joint *k, double t, double shift2[3], double omega1[3]) {
    double at[6], rate[6], rate2[6], slope[9], more[3];
    zw_field_set_time(&k->motion, t);
    zw_field_set_time(&k->rate, t);
    zw_field_set_time(&k->rate2, t);
    ZW_TRY(zw_field_eval(&k->motion, k->name, at));
    ZW_TRY(zw_field_eval(&k->rate, k->name, rate));
    ZW_TRY(zw_field_eval(&k->rate2, k->name, rate2));
    zw_joint_tilt(k, at);
    zw_joint_tilt(k, rate);
    zw_joint_tilt(k, rate2);
    zw_v3_copy(shift2, rate2);
    zw_so3_dexp_apply(at + 3, rate2 + 3, omega1);
    zw_so3_dexp_d(at + 3, rate + 3, slope);
    zw_m3_mulv(more, slope, rate + 3);
    zw_v3_add(omega1, omega1, more);
    if (k->turned) {
        double W[9];
        zw_q_to_matrix(k->work, W);
        zw_m3_tmulv(shift2, W, shift2);
        zw_m3_tmulv(omega1, W, omega1);
    }
    return ZW_OK;
}

zw_status zw_joint_rate(void *self, const zw_system *y, const zw_state *x, double *D) {
    zw_joint         *k = self;
    zw_joint_geometry G;
    motion            m;
    double            rate[2][6], apart[3], slip[3], t[3], u[3], sum[3], shift2[3] = {0.0, 0.0, 0.0}, omega1[3];
    memset(rate, 0, sizeof rate);
    ZW_TRY(zw_joint_geometry_at(k, y, x, false, &G));
    zw_system_frame_rate(y, x, &k->a, rate[0]);
    if (!k->ground) {
        zw_system_frame_rate(y, x, &k->b, rate[1]);
    } else if (k->base != NULL) {
        zw_frame B;
        ZW_TRY(zw_carriage_at(k->base, x->t, &B, rate[1]));
    }
    if (k->moves) {
        ZW_TRY(target_rate(k, x->t, shift2, omega1));
    }
    zw_v3_sub(apart, G.A.v, G.B.v);
    zw_v3_cross(t, G.B.w, G.d);
    zw_v3_sub(u, apart, t);
    zw_v3_sub(sum, rate[0] + 3, rate[1] + 3);
    zw_v3_cross(t, rate[1], G.d);
    zw_v3_sub(sum, sum, t);
    zw_v3_cross(t, G.B.w, apart);
    zw_v3_sub(sum, sum, t);
    for (int i = 0; i < k->npos; i++) {
        double n[3], turned[3];
        zw_m3_column(n, G.axes, k->pos[i]);
        zw_v3_cross(turned, G.B.w, n);
        D[i] = zw_v3_dot(turned, u) + zw_v3_dot(n, sum);
        if (k->moves) {
            D[i] -= shift2[k->pos[i]];
        }
    }
    if (k->nrot > 0) {
        zw_v3_sub(slip, G.A.w, G.B.w);
        zw_m3_tmulv(m.omega, G.axes, slip);
        zw_v3_sub(sum, rate[0], rate[1]);
        zw_v3_cross(t, G.B.w, slip);
        zw_v3_sub(sum, sum, t);
        zw_m3_tmulv(m.rate, G.axes, sum);
        if (k->moves) {
            zw_v3_sub(m.omega, m.omega, G.omega_target);
            zw_v3_cross(t, m.omega, G.omega_target);
            zw_v3_sub(m.rate, m.rate, t);
            zw_q_rotate(G.e, omega1, t);
            zw_v3_sub(m.rate, m.rate, t);
        }
        rotations(k, &G, &m, D + k->npos);
    }
    return ZW_OK;
}

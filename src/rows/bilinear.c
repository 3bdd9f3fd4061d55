/* SPDX-License-Identifier: Apache-2.0
 * bilinear.c: see bilinear.h. Every row is a sum of terms f p.q with p carried by A, q by B:
 *   axes        p = a_j, q = b_k: moment on A  p x q, on B  q x p
 *   position    p = rA - xB, q = b_i: force on A  q at arm of A, on B  -q, moment on B  q x (rA - xB) */
#include "rows/bilinear.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

typedef struct term {
    bool   axes;
    int    j, k; /* a_j . b_k; position: b_k */
    double f;
} term;

typedef struct at_time { /* vectors of one state, space axes */
    double a[3][3], b[3][3], arm[3], r[3], xb[3];
    double target[3];
} at_time;

typedef struct step {
    at_time before, after, mean;
    bool    ground;
    int     m, nterms[ZW_BILINEAR_ROWS];
    term    term[ZW_BILINEAR_ROWS][2];
    double  constant[3]; /* b_i.(rB - xB) */
} step;

static void add_term(step *s, int row, bool axes, int j, int k, double f) {
    s->term[row][s->nterms[row]++] = (term){.axes = axes, .j = j, .k = k, .f = f};
}

static void list_rows(const zw_joint *k, step *s) {
    for (int i = 0; i < k->npos; i++) {
        add_term(s, i, false, 0, k->pos[i], 1.0);
    }
    for (int n = 0; n < k->nrot; n++) {
        int row = k->npos + n;
        if (k->universal) {
            add_term(s, row, true, 2, 0, 1.0);
        } else if (k->nrot == 2) { /* (e_f x a_f) in m: one component of a_f, with the sign of the cross product */
            int m = k->rot[n], f = 3 - k->rot[0] - k->rot[1], other = 3 - m - f;
            add_term(s, row, true, f, other, (m + 1) % 3 == f ? 1.0 : -1.0);
        } else { /* the skew part of E */
            int i = k->rot[n], j = (i + 1) % 3, l = (i + 2) % 3;
            add_term(s, row, true, j, l, 0.5);
            add_term(s, row, true, l, j, -0.5);
        }
    }
    s->m = k->npos + k->nrot;
}

/* out = sum of v_i d_i */
static void of_node(const zw_secant_node *n, const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = n->d[0][i] * v[0] + n->d[1][i] * v[1] + n->d[2][i] * v[2];
    }
}

static void vectors_at(const zw_joint *k, const zw_lever *la, const zw_lever *lb, const zw_secant_node *a, const zw_secant_node *b,
                       const zw_joint_target *T, at_time *out) {
    double W[9], Q[9], M[9], own[3], place[3];
    zw_q_to_matrix(k->work, W);
    if (!k->turned) {
        zw_m3_identity(W);
    }
    zw_q_to_matrix(T->q, Q);
    zw_m3_tmul(M, Q, W); /* Q*' W */
    of_node(a, la->arm, out->arm);
    zw_v3_add(out->r, a->x, out->arm);
    if (b != NULL) {
        zw_v3_copy(out->xb, b->x);
    } else {
        zw_v3_zero(out->xb);
    }
    for (int j = 0; j < 3; j++) {
        zw_m3_column(place, M, j);
        zw_m3_mulv(own, la->axes, place);
        of_node(a, own, out->a[j]);
        zw_m3_column(place, W, j);
        if (b != NULL) {
            zw_m3_mulv(own, lb->axes, place);
            of_node(b, own, out->b[j]);
        } else {
            zw_v3_copy(out->b[j], place);
        }
    }
    double shifted[3]; /* c + shift in the axes of B, to working axes */
    zw_v3_add(shifted, k->c, T->shift);
    zw_m3_tmulv(out->target, W, shifted);
}

static void mean3(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = 0.5 * (a[i] + b[i]);
    }
}

static zw_status prepare(zw_joint *k, double t0, double t1, const zw_lever *la, const zw_lever *lb, const zw_secant_node a[2],
                         const zw_secant_node *b, step *s) {
    zw_joint_target T[2];
    memset(s, 0, sizeof *s);
    s->ground = b == NULL;
    ZW_TRY(zw_joint_target_at(k, t0, &T[0]));
    ZW_TRY(zw_joint_target_at(k, t1, &T[1]));
    zw_secant_node moved[2]; /* a ground that moves: B is the frame it moves with, and feels nothing */
    const zw_lever own = {.axes = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    if (s->ground && k->base != NULL) {
        for (int i = 0; i < 2; i++) {
            zw_frame F;
            ZW_TRY(zw_carriage_at(k->base, i == 0 ? t0 : t1, &F, NULL));
            zw_v3_copy(moved[i].x, F.r);
            for (int j = 0; j < 3; j++) {
                zw_m3_column(moved[i].d[j], F.R, j);
            }
        }
        b = moved;
        lb = &own;
    }
    list_rows(k, s);
    vectors_at(k, la, lb, &a[0], b != NULL ? &b[0] : NULL, &T[0], &s->before);
    vectors_at(k, la, lb, &a[1], b != NULL ? &b[1] : NULL, &T[1], &s->after);
    for (int j = 0; j < 3; j++) {
        mean3(s->before.a[j], s->after.a[j], s->mean.a[j]);
        mean3(s->before.b[j], s->after.b[j], s->mean.b[j]);
    }
    mean3(s->before.arm, s->after.arm, s->mean.arm);
    mean3(s->before.r, s->after.r, s->mean.r);
    mean3(s->before.xb, s->after.xb, s->mean.xb);
    if (b != NULL) { /* arm of B along its own axes: constant */
        double arm[3];
        of_node(&b[1], lb->arm, arm);
        for (int j = 0; j < 3; j++) {
            s->constant[j] = zw_v3_dot(arm, s->after.b[j]);
        }
    }
    return ZW_OK;
}

/* gradient of a row at one set of vectors */
static void gradient(const step *s, int row, const at_time *v, double out[2][6]) {
    memset(out, 0, 12 * sizeof(double));
    for (int n = 0; n < s->nterms[row]; n++) {
        const term   *t = &s->term[row][n];
        const double *q = v->b[t->k];
        double        moment[3], d[3];
        if (t->axes) {
            zw_v3_cross(moment, v->a[t->j], q);
            zw_v3_addscaled(out[0], out[0], t->f, moment);
            zw_v3_addscaled(out[1], out[1], -t->f, moment);
            continue;
        }
        zw_v3_cross(moment, v->arm, q);
        zw_v3_addscaled(out[0], out[0], t->f, moment);
        zw_v3_addscaled(out[0] + 3, out[0] + 3, t->f, q);
        zw_v3_sub(d, v->r, v->xb);
        zw_v3_cross(moment, q, d);
        zw_v3_addscaled(out[1], out[1], t->f, moment);
        zw_v3_addscaled(out[1] + 3, out[1] + 3, -t->f, q);
    }
}

zw_status zw_joint_bilinear(zw_joint *k, double t0, double t1, const zw_lever *la, const zw_lever *lb, const zw_secant_node a[2],
                            const zw_secant_node b[2], zw_bilinear *out) {
    step s;
    ZW_TRY(prepare(k, t0, t1, la, lb, a, b, &s));
    out->m = s.m;
    for (int i = 0; i < s.m; i++) {
        gradient(&s, i, &s.mean, out->mean[i]);
        gradient(&s, i, &s.after, out->end[i]);
        out->g[i] = out->size[i] = 0.0;
        for (int n = 0; n < s.nterms[i]; n++) {
            const term *t = &s.term[i][n];
            if (t->axes) {
                out->g[i] += t->f * zw_v3_dot(s.after.a[t->j], s.after.b[t->k]);
                out->size[i] += 1.0;
            } else {
                double d[3];
                zw_v3_sub(d, s.after.r, s.after.xb);
                out->g[i] += zw_v3_dot(d, s.after.b[t->k]) - s.constant[t->k] - s.after.target[t->k];
                out->size[i] += zw_v3_norm(s.after.r) + zw_v3_norm(s.after.xb);
            }
        }
    }
    return ZW_OK;
}

/* block (row, col) of K += f a^ , f (1/2)((eta x p) x q) and f (1/2)(p x (eta x q)) as matrices of eta */
static void add_hat(double *K, int row, int col, double f, const double a[3]) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        K[12 * (row + j) + col + i] += f * a[l];
        K[12 * (row + l) + col + i] -= f * a[j];
    }
}

/* (eta x p) x q = p (eta.q) - eta (p.q) */
static void add_first(double *K, int row, int col, double f, const double p[3], const double q[3]) {
    double pq = zw_v3_dot(p, q);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            K[12 * (row + i) + col + j] += f * (p[i] * q[j] - (i == j ? pq : 0.0));
        }
    }
}

/* p x (eta x q) = eta (p.q) - q (p.eta) */
static void add_second(double *K, int row, int col, double f, const double p[3], const double q[3]) {
    double pq = zw_v3_dot(p, q);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            K[12 * (row + i) + col + j] += f * ((i == j ? pq : 0.0) - q[i] * p[j]);
        }
    }
}

enum { ETA_A = 0, X_A = 3, ETA_B = 6, X_B = 9 };

zw_status zw_joint_bilinear_turns(zw_joint *k, double t0, double t1, const zw_lever *la, const zw_lever *lb, const zw_secant_node a[2],
                                  const zw_secant_node b[2], const double *impulse, double *K) {
    step s;
    ZW_TRY(prepare(k, t0, t1, la, lb, a, b, &s));
    double d[3];
    zw_v3_sub(d, s.mean.r, s.mean.xb);
    for (int i = 0; i < s.m; i++) {
        for (int n = 0; n < s.nterms[i]; n++) {
            const term   *t = &s.term[i][n];
            const double *q = s.mean.b[t->k], *q1 = s.after.b[t->k];
            double        f = 0.5 * t->f * impulse[i];
            if (t->axes) {
                const double *p = s.mean.a[t->j], *p1 = s.after.a[t->j];
                add_first(K, ETA_A, ETA_A, f, p1, q);
                add_first(K, ETA_B, ETA_A, -f, p1, q);
                if (!s.ground) {
                    add_second(K, ETA_A, ETA_B, f, p, q1);
                    add_second(K, ETA_B, ETA_B, -f, p, q1);
                }
                continue;
            }
            add_first(K, ETA_A, ETA_A, f, s.after.arm, q);
            if (s.ground) {
                continue;
            }
            add_second(K, ETA_A, ETA_B, f, s.mean.arm, q1);
            add_hat(K, X_A, ETA_B, -f, q1);
            add_hat(K, X_B, ETA_B, f, q1);
            add_first(K, ETA_B, ETA_B, f, q1, d);
            add_second(K, ETA_B, ETA_A, f, q, s.after.arm);
            add_hat(K, ETA_B, X_A, f, q);
            add_hat(K, ETA_B, X_B, -f, q);
        }
    }
    return ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * rod_shape.c: where a rod starts, and its stress-free form.
 *
 * A curvature kappa(s) is integrated by exponentials of the fourth-order Magnus expansion in SE(3), xi' = (kappa(s), e3), eight per link: exact for
 * constant curvature. A curve or polygon gives positions; its frames are carried along by double reflection (no twist of their own).
 * The natural strain of a link is the logarithm of the natural placement of its ends over its length, so the natural shape carries no stress. */
#define _GNU_SOURCE /* M_PI */
#include "parts/rod.h"

#include "base/number.h"
#include "math/se3.h"
#include "model/field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PIECES = 8 };

/* placement of the section at s1 seen from the one at s0 along the curvature field */
static zw_status carry(zw_field *kappa, const char *subject, double s0, double s1, double q[4], double x[3]) {
    double h = (s1 - s0) / PIECES, gauss = sqrt(3.0) / 6.0;
    zw_q_identity(q);
    zw_v3_zero(x);
    for (int i = 0; i < PIECES; i++) {
        double middle = s0 + (i + 0.5) * h, a[6] = {0, 0, 0, 0, 0, 1.0}, b[6] = {0, 0, 0, 0, 0, 1.0}, bracket[6], xi[6], dq[4], dx[3];
        zw_field_set_label(kappa, middle - gauss * h);
        ZW_TRY(zw_field_eval(kappa, subject, a));
        zw_field_set_label(kappa, middle + gauss * h);
        ZW_TRY(zw_field_eval(kappa, subject, b));
        /* body-frame transport g' = g A(s): Omega = h/2 (A1 + A2) + sqrt(3)/12 h^2 [A1, A2] */
        zw_se3_ad_apply(a, b, bracket);
        for (int k = 0; k < 6; k++) {
            xi[k] = 0.5 * h * (a[k] + b[k]) + sqrt(3.0) / 12.0 * h * h * bracket[k];
        }
        zw_se3_exp_q(xi, dq, dx);
        zw_se3_mul_q(q, x, dq, dx, q, x);
        zw_q_normalize(q);
    }
    return ZW_OK;
}

static zw_status vector_of(const zw_model *m, const zw_quantity *q, const double *fallback, const char *subject, double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = fallback[i];
        if (q[i].node != 0) {
            ZW_TRY(zw_model_constant(m, q[i], subject, &out[i]));
        }
    }
    return ZW_OK;
}

/* directors from `along` and `up`; without `up` the space axis most across is taken */
static zw_status directors(const zw_model *m, const zw_body_def *body, const double along[3], double q[4]) {
    const zw_rod_def *rod = &body->rod;
    char              subject[128];
    double            up[3] = {0.0, 0.0, 0.0};
    snprintf(subject, sizeof subject, "bodies.%s.rod.up", body->name);
    if (rod->up[0].node != 0) {
        ZW_TRY(vector_of(m, rod->up, up, subject, up));
    } else {
        int axis = 0; /* x unless the rod runs along it */
        if (fabs(along[0]) > 0.9 * zw_v3_norm(along)) {
            axis = 1;
        }
        up[axis] = 1.0;
    }
    if (!zw_q_from_axes(along, up, q)) {
        return zw_model_raise(m, ZW_E_MODEL, rod->up[0].node != 0 ? rod->up[0].at : body->at, subject, "give a direction across the rod",
                              "d1 cannot be made: up is zero or parallel to the rod's direction");
    }
    return ZW_OK;
}

static void put_node(zw_rods *rods, int node, const double x[3], const double q[4]) {
    double *out = rods->q0 + ZW_ROD_NQ * (size_t)node;
    zw_v3_copy(out, x);
    zw_q_copy(q, out + 3);
    zw_q_normalize(out + 3);
}

static zw_status from_curvature(const zw_model *m, const zw_body_def *body, zw_rods *rods, const zw_rod *r, const zw_quantity kappa[3],
                                const double x0[3], const double q0[4], bool natural) {
    char      subject[128];
    zw_field  field;
    double    x[3], q[4], dx[3], dq[4];
    zw_status status = ZW_OK;
    snprintf(subject, sizeof subject, "bodies.%s.rod.%s.curvature", body->name, natural ? "natural" : "shape");
    ZW_TRY(zw_field_create(m, 3, kappa, NULL, &field));
    zw_v3_copy(x, x0);
    zw_q_copy(q0, q);
    for (int i = 0; i < r->nlinks; i++) {
        double l = rods->l0[r->link0 + i];
        ZW_TRY_GOTO(carry(&field, subject, rods->label[r->node0 + i], zw_rod_far_label(rods, r, i), dq, dx), done);
        if (natural) {
            double *e0 = rods->natural + 6 * (size_t)(r->link0 + i), xi[6];
            if (zw_se3_log_q(dq, dx, xi)) {
                status = zw_model_raise(m, ZW_E_MODEL, kappa[0].at, subject, "use more elements", "link %d turns by pi or more", i + 1);
                goto done;
            }
            for (int k = 0; k < 6; k++) {
                e0[k] = xi[k] / l;
            }
            continue;
        }
        put_node(rods, r->node0 + i, x, q);
        zw_se3_mul_q(q, x, dq, dx, q, x);
        zw_q_normalize(q);
        if (i + 1 < r->nnodes) {
            put_node(rods, r->node0 + i + 1, x, q);
        }
    }
done:
    zw_field_destroy(&field);
    return status;
}

/* the next frame along a curve by two reflections (Wang, Juettler, Zheng, Liu 2008, doi 10.1145/1330511.1330513): least rotation about the tangent */
static void carry_up(const double x0[3], const double t0[3], const double up0[3], const double x1[3], const double t1[3], double up1[3]) {
    double v1[3], v2[3], u[3], t[3];
    zw_v3_sub(v1, x1, x0);
    double c1 = zw_v3_norm2(v1);
    zw_v3_addscaled(u, up0, c1 > 0.0 ? -2.0 / c1 * zw_v3_dot(v1, up0) : 0.0, v1);
    zw_v3_addscaled(t, t0, c1 > 0.0 ? -2.0 / c1 * zw_v3_dot(v1, t0) : 0.0, v1);
    zw_v3_sub(v2, t1, t);
    double c2 = zw_v3_norm2(v2);
    zw_v3_addscaled(up1, u, c2 > 0.0 ? -2.0 / c2 * zw_v3_dot(v2, u) : 0.0, v2);
}

/* frames for node positions and tangents that are already in place: position in q0, tangent in `tangent` */
static zw_status frame_nodes(const zw_model *m, const zw_body_def *body, zw_rods *rods, const zw_rod *r, const double (*position)[3],
                             const double (*tangent)[3]) {
    double q[4], up[3], R[9];
    ZW_TRY(directors(m, body, tangent[0], q));
    zw_q_to_matrix(q, R);
    zw_m3_column(up, R, 0);
    put_node(rods, r->node0, position[0], q);
    for (int i = 1; i < r->nnodes; i++) {
        double t0[3], t1[3];
        zw_v3_unit(t0, tangent[i - 1]);
        zw_v3_unit(t1, tangent[i]);
        carry_up(position[i - 1], t0, up, position[i], t1, up);
        if (!zw_q_from_axes(tangent[i], up, q)) {
            char subject[128];
            snprintf(subject, sizeof subject, "bodies.%s.rod.shape", body->name);
            return zw_model_raise(m, ZW_E_MODEL, body->rod.shape.at, subject, "give a smooth curve whose derivative is nowhere zero",
                                  "the curve has no direction at node %d", i);
        }
        put_node(rods, r->node0 + i, position[i], q);
    }
    return ZW_OK;
}

static zw_status from_curve(const zw_model *m, const zw_body_def *body, zw_rods *rods, const zw_rod *r, const double at[3], bool at_given) {
    char        subject[128];
    zw_field    position = {0}, tangent = {0};
    zw_quantity slope[3];
    zw_status   status = ZW_OK;
    snprintf(subject, sizeof subject, "bodies.%s.rod.shape.curve", body->name);
    for (int i = 0; i < 3; i++) {
        slope[i] = body->rod.shape.v[i];
        slope[i].node = zw_node_diff(m->pool, body->rod.shape.v[i].node, m->slot_s);
        if (slope[i].node == 0) {
            return ZW_E_MEMORY;
        }
    }
    double(*x)[3] = zw_alloc(rods->context, 2 * (size_t)r->nnodes, sizeof *x, "nodes of a curve");
    if (x == NULL) {
        return ZW_E_MEMORY;
    }
    double(*t)[3] = x + r->nnodes;
    ZW_TRY_GOTO(zw_field_create(m, 3, body->rod.shape.v, NULL, &position), done);
    ZW_TRY_GOTO(zw_field_create(m, 3, slope, NULL, &tangent), done);
    double shift[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < r->nnodes; i++) {
        double s = rods->label[r->node0 + i];
        zw_field_set_label(&position, s);
        zw_field_set_label(&tangent, s);
        ZW_TRY_GOTO(zw_field_eval(&position, subject, x[i]), done);
        ZW_TRY_GOTO(zw_field_eval(&tangent, subject, t[i]), done);
        if (i == 0 && at_given) { /* the curve starts at `at` */
            zw_v3_sub(shift, at, x[0]);
        }
        zw_v3_add(x[i], x[i], shift);
        if (!(zw_v3_norm(t[i]) > 0.0)) {
            char label[ZW_NUMBER_TEXT];
            status = zw_model_raise(m, ZW_E_MODEL, body->rod.shape.at, subject, "give a curve whose derivative is nowhere zero",
                                    "the curve stands still at s = %s", zw_number_short(s, 6, label));
            goto done;
        }
    }
    status = frame_nodes(m, body, rods, r, (const double(*)[3])x, (const double(*)[3])t);
done:
    zw_field_destroy(&position);
    zw_field_destroy(&tangent);
    zw_free(rods->context, x);
    return status;
}

/* cubic Hermite through points with chord-length parameter: position and tangent at parameter u in segment k */
static void hermite(int n, const double (*p)[3], const double *chord, int k, double u, double x[3], double t[3]) {
    double d = chord[k + 1] - chord[k], m0[3], m1[3];
    for (int end = 0; end < 2; end++) {
        int     i = k + end;
        double *slope = end == 0 ? m0 : m1;
        /* of the parabola through three neighbours, at the ends too: the direction of an end is of second order */
        int a = i == 0 ? 0 : i + 1 < n ? i - 1 : n > 2 ? n - 3 : 0, b = a + 1, c = n > 2 ? a + 2 : a + 1;
        for (int h = 0; h < 3; h++) {
            double first = (p[b][h] - p[a][h]) / (chord[b] - chord[a]);
            slope[h] = first;
            if (n > 2) {
                double second = ((p[c][h] - p[b][h]) / (chord[c] - chord[b]) - first) / (chord[c] - chord[a]);
                slope[h] = first + second * (2.0 * chord[i] - chord[a] - chord[b]);
            }
        }
    }
    double u2 = u * u, u3 = u2 * u;
    for (int h = 0; h < 3; h++) {
        x[h] = (2 * u3 - 3 * u2 + 1) * p[k][h] + (u3 - 2 * u2 + u) * d * m0[h] + (3 * u2 - 2 * u3) * p[k + 1][h] + (u3 - u2) * d * m1[h];
        t[h] = ((6 * u2 - 6 * u) * p[k][h] + (6 * u - 6 * u2) * p[k + 1][h]) / d + (3 * u2 - 4 * u + 1) * m0[h] + (3 * u2 - 2 * u) * m1[h];
    }
}

static zw_status from_points(const zw_model *m, const zw_body_def *body, zw_rods *rods, const zw_rod *r) {
    enum { FINE = 32 };
    const zw_shape_def *d = &body->rod.shape;
    char                subject[128];
    int                 n = d->npoints, fine = (n - 1) * FINE;
    zw_status           status = ZW_OK;
    snprintf(subject, sizeof subject, "bodies.%s.rod.shape.points", body->name);
    zw_context *c = rods->context;
    double(*p)[3] = zw_alloc(c, (size_t)n, sizeof *p, "points of a rod");
    double *chord = zw_alloc(c, (size_t)n, sizeof *chord, "points of a rod");
    double *arc = zw_alloc(c, (size_t)fine + 1, sizeof *arc, "arc length of a rod's points");
    double(*x)[3] = zw_alloc(c, 2 * (size_t)r->nnodes, sizeof *x, "nodes of a rod's points");
    if (p == NULL || chord == NULL || arc == NULL || x == NULL) {
        status = ZW_E_MEMORY;
        goto done;
    }
    double(*t)[3] = x + r->nnodes;
    const double none[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < n; i++) {
        ZW_TRY_GOTO(vector_of(m, d->points[i], none, subject, p[i]), done);
        chord[i] = i > 0 ? chord[i - 1] + zw_v3_distance(p[i], p[i - 1]) : 0.0;
        if (i > 0 && !(chord[i] > chord[i - 1])) {
            status = zw_model_raise(m, ZW_E_MODEL, d->points[i][0].at, subject, "give distinct points", "points %d and %d are the same", i,
                                    i + 1);
            goto done;
        }
    }
    double last[3], here[3], slope[3];
    zw_v3_copy(last, p[0]);
    for (int i = 1; i <= fine; i++) {
        int k = (i - 1) / FINE;
        hermite(n, (const double(*)[3])p, chord, k, (i - k * FINE) / (double)FINE, here, slope);
        arc[i] = arc[i - 1] + zw_v3_distance(here, last);
        zw_v3_copy(last, here);
    }
    int k_fine = 0;
    for (int i = 0; i < r->nnodes;
         i++) { /* labels spread evenly over the arc: the start may be stretched, natural: start makes it stress-free */
        double want = arc[fine] * (rods->label[r->node0 + i] / r->length);
        while (k_fine + 1 < fine && arc[k_fine + 1] < want) {
            k_fine++;
        }
        double part = (want - arc[k_fine]) / (arc[k_fine + 1] - arc[k_fine]);
        int    k = k_fine / FINE;
        hermite(n, (const double(*)[3])p, chord, k, (k_fine - k * FINE + part) / FINE, x[i], t[i]);
    }
    status = frame_nodes(m, body, rods, r, (const double(*)[3])x, (const double(*)[3])t);
done:
    zw_free(c, p);
    zw_free(c, chord);
    zw_free(c, arc);
    zw_free(c, x);
    return status;
}

static zw_status from_ring(const zw_model *m, const zw_body_def *body, zw_rods *rods, const zw_rod *r, const double at[3],
                           const double along[3]) {
    char         subject[128];
    const double none[3] = {0.0, 0.0, 0.0};
    double       normal[3], tangent[3], q[4], centre[3], arm[3], R = r->length / (2.0 * M_PI);
    snprintf(subject, sizeof subject, "bodies.%s.rod.shape.ring", body->name);
    ZW_TRY(vector_of(m, body->rod.shape.v, none, subject, normal));
    if (!(zw_v3_unit(normal, normal) > 0.0)) {
        return zw_model_raise(m, ZW_E_MODEL, body->rod.shape.at, subject, "give the direction of the ring's axis",
                              "the normal of the ring is zero");
    }
    zw_v3_unit(tangent, along);
    if (fabs(zw_v3_dot(tangent, normal)) > 1e-9) {
        char number[ZW_NUMBER_TEXT];
        return zw_model_raise(m, ZW_E_MODEL, body->rod.shape.at, subject, "give `along` in the plane of the ring",
                              "the start direction is not across the ring's normal (cosine %s)",
                              zw_number_short(zw_v3_dot(tangent, normal), 3, number));
    }
    ZW_TRY(directors(m, body, tangent, q));
    zw_v3_cross(arm, normal, tangent); /* from the start to the centre */
    zw_v3_addscaled(centre, at, R, arm);
    for (int i = 0; i < r->nnodes; i++) {
        double angle = 2.0 * M_PI * rods->label[r->node0 + i] / r->length, turn[3], dq[4], out[4], x[3], from_centre[3];
        zw_v3_scale(turn, angle, normal);
        zw_q_exp(turn, dq);
        zw_q_mul(dq, q, out);
        zw_v3_scale(from_centre, -R, arm);
        zw_q_rotate(dq, from_centre, x);
        zw_v3_add(x, x, centre);
        put_node(rods, r->node0 + i, x, out);
    }
    return ZW_OK;
}

static zw_status natural_form(const zw_model *m, const zw_body_def *body, zw_rods *rods, const zw_rod *r) {
    if (body->rod.natural == ZW_NATURAL_CURVATURE) {
        const double x[3] = {0.0, 0.0, 0.0}, q[4] = {1.0, 0.0, 0.0, 0.0};
        return from_curvature(m, body, rods, r, body->rod.natural_curvature, x, q, true);
    }
    for (int i = 0; i < r->nlinks; i++) {
        double *e0 = rods->natural + 6 * (size_t)(r->link0 + i);
        if (body->rod.natural == ZW_NATURAL_START) {
            zw_rod_link_strain(rods, r, i, rods->q0, e0);
        } else {
            memset(e0, 0, 6 * sizeof *e0);
            e0[5] = 1.0;
        }
    }
    return ZW_OK;
}

zw_status zw_rod_shape(const zw_model *m, const zw_body_def *body, zw_rods *rods, const zw_rod *r) {
    const zw_rod_def *rod = &body->rod;
    const double      none[3] = {0.0, 0.0, 0.0}, up_z[3] = {0.0, 0.0, 1.0};
    char              subject[128];
    double            at[3], along[3], q[4];
    snprintf(subject, sizeof subject, "bodies.%s.rod", body->name);
    ZW_TRY(vector_of(m, rod->at, none, subject, at));
    ZW_TRY(vector_of(m, rod->along, up_z, subject, along));
    switch (rod->shape.kind) {
    case ZW_SHAPE_STRAIGHT:
    case ZW_SHAPE_CURVATURE: {
        static const zw_quantity straight[3] = {{0}};
        ZW_TRY(directors(m, body, along, q));
        ZW_TRY(from_curvature(m, body, rods, r, rod->shape.kind == ZW_SHAPE_CURVATURE ? rod->shape.v : straight, at, q, false));
        break;
    }
    case ZW_SHAPE_CURVE: ZW_TRY(from_curve(m, body, rods, r, at, rod->at[0].node != 0)); break;
    case ZW_SHAPE_POINTS: ZW_TRY(from_points(m, body, rods, r)); break;
    case ZW_SHAPE_RING: ZW_TRY(from_ring(m, body, rods, r, at, along)); break;
    }
    int    i_rod, i_link;
    double angle;
    ZW_TRY(natural_form(m, body, rods, r));
    if (zw_rods_overbent(rods, rods->q0, &i_rod, &i_link, &angle) && &rods->rod[i_rod] == r) {
        char number[ZW_NUMBER_TEXT];
        return zw_model_raise(m, ZW_E_MODEL, rod->shape.at.line != 0 ? rod->shape.at : body->at, subject,
                              "use more elements, so that a link turns by less than 2 rad", "link %d turns by %s rad at the start",
                              i_link + 1, zw_number_short(angle, 4, number));
    }
    return ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * rod_carrier.c: the links of rods as capsules that contact meets.
 *
 * Between the nodes a and b the axis is the straight line, the radius the mean of those of the nodes. The axis point at xi moves with
 * (1 - xi) v_a + xi v_b, which is the exact rate of the capsule that the nodes span; what lies off the axis turns with (1 - xi) w_a + xi w_b: across the
 * contact normal only, because a touching point of a capsule lies along the normal from its axis. */
#include "parts/rod.h"

#include "math/quat.h"
#include "math/vec3.h"
#include "parts/carrier.h"

#include <math.h>

typedef struct link {
    int           node[2];
    const double *q[2], *v[2];
    double        along[3], length; /* unit, from a to b */
} link;

static const zw_rod *rod_of(const zw_rods *rods, int k, int *body) {
    int low = 0, high = rods->nrods - 1; /* the last rod that begins at or before link k */
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (rods->rod[middle].link0 <= k) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    *body = low;
    return &rods->rod[low];
}

static void link_at(const zw_rods *rods, const zw_state *x, int k, link *out) {
    int           body;
    const zw_rod *r = rod_of(rods, k, &body);
    double        d[3];
    out->node[0] = r->node0 + k - r->link0;
    out->node[1] = zw_rod_far(r, k - r->link0);
    for (int i = 0; i < 2; i++) {
        out->q[i] = x->q + ZW_ROD_NQ * (size_t)out->node[i];
        out->v[i] = x->v + ZW_ROD_NV * (size_t)out->node[i];
    }
    zw_v3_sub(d, out->q[1], out->q[0]);
    out->length = zw_v3_unit(out->along, d);
    if (!(out->length > 0.0)) {
        zw_v3_set(out->along, 0.0, 0.0, 1.0);
    }
}

/* where on the link a point is, 0 .. 1, and what it lies off the axis there */
static double split(const link *l, const double r[3], double off[3]) {
    double d[3], axis[3];
    zw_v3_sub(d, r, l->q[0]);
    double xi = l->length > 0.0 ? zw_v3_dot(d, l->along) / l->length : 0.0;
    xi = xi < 0.0 ? 0.0 : xi > 1.0 ? 1.0 : xi;
    zw_v3_scale(axis, xi * l->length, l->along);
    zw_v3_sub(off, d, axis);
    return xi;
}

static int count(const void *self) {
    return ((const zw_rods *)self)->nlinks;
}

static void piece(const void *self, int k, zw_carried *out) {
    const zw_rod *r = rod_of(self, k, &out->body);
    out->piece = k - r->link0;
    out->bends = true;
}

/* axes of the capsule: z along it, x the least turned from the space axis that is most across it */
static void place(const void *self, const zw_state *x, int k, zw_form *own, zw_placed *out) {
    const zw_rods *rods = self;
    link           l;
    double         e[3] = {0.0, 0.0, 0.0}, side[3], up[3];
    link_at(rods, x, k, &l);
    zw_rods_tune(rods, x);
    int axis = fabs(l.along[0]) <= fabs(l.along[1]) && fabs(l.along[0]) <= fabs(l.along[2]) ? 0
               : fabs(l.along[1]) <= fabs(l.along[2])                                       ? 1
                                                                                            : 2;
    e[axis] = 1.0;
    zw_v3_cross(side, e, l.along);
    zw_v3_unit(side, side);
    zw_v3_cross(up, l.along, side);
    zw_m3_from_columns(out->R, side, up, l.along);
    for (int i = 0; i < 3; i++) {
        out->x[i] = 0.5 * (l.q[0][i] + l.q[1][i]);
    }
    *own = (zw_form){.shape = ZW_SHAPE_STICK, .radius = 0.5 * (rods->radius[l.node[0]] + rods->radius[l.node[1]]), .half = 0.5 * l.length};
    out->form = own;
}

static void row(const void *self, const zw_state *x, int k, const double core[3], const double off[3], const double n[3],
                zw_carrier_row *out) {
    link   l;
    double beside[3], turn[3];
    link_at(self, x, k, &l);
    double xi = split(&l, core, beside), share[2] = {1.0 - xi, xi};
    zw_v3_cross(turn, off, n);
    out->nblocks = 2;
    for (int i = 0; i < 2; i++) {
        out->col0[i] = ZW_ROD_NV * l.node[i];
        out->ncol[i] = ZW_ROD_NV;
        zw_q_rotate_back(l.q[i] + 3, turn, out->a[i]);
        zw_v3_scale(out->a[i], share[i], out->a[i]);
        zw_v3_scale(out->a[i] + 3, share[i], n);
    }
}

static void velocity(const void *self, const zw_state *x, int k, const double r[3], double v[3], double *spin) {
    link   l;
    double off[3], w[2][3], mean[3], turned[3], d[3], swing[3];
    link_at(self, x, k, &l);
    double xi = split(&l, r, off);
    for (int i = 0; i < 2; i++) {
        zw_q_rotate(l.q[i] + 3, l.v[i], w[i]);
    }
    for (int i = 0; i < 3; i++) {
        v[i] = (1.0 - xi) * l.v[0][3 + i] + xi * l.v[1][3 + i];
        mean[i] = (1.0 - xi) * w[0][i] + xi * w[1][i];
    }
    zw_v3_cross(turned, mean, off);
    zw_v3_add(v, v, turned);
    zw_v3_sub(d, l.v[1] + 3, l.v[0] + 3); /* the capsule itself swings with its ends, whatever the frames of the nodes do */
    zw_v3_cross(swing, l.along, d);
    *spin = fmax(l.length > 0.0 ? zw_v3_norm(swing) / l.length : 0.0, fmax(zw_v3_norm(w[0]), zw_v3_norm(w[1])));
}

const zw_carrier_ops zw_rods_carrier_ops = {
    .count = count,
    .piece = piece,
    .place = place,
    .row = row,
    .velocity = velocity,
};

/* SPDX-License-Identifier: Apache-2.0
 * unilateral_build.c: -f with the places of points put in: g(q, t) of lagrangian coordinates, g(x, quaternion, t) of a rigid body. */
#include "rows/unilateral_build.h"

#include "math/quat.h"
#include "parts/lagrangian_part.h"
#include "parts/rigid.h"

#include <stdio.h>

static zw_status reserve(const zw_model *m, int nu, int nv, zw_side_build *b) {
    b->slot_u = zw_alloc(m->context, (size_t)nu + 1, sizeof *b->slot_u, "a unilateral constraint");
    b->at_u = zw_alloc(m->context, (size_t)nu + 1, sizeof *b->at_u, "a unilateral constraint");
    b->rate = zw_alloc(m->context, (size_t)nu + 1, sizeof *b->rate, "a unilateral constraint");
    b->slot_v = zw_alloc(m->context, (size_t)nv + 1, sizeof *b->slot_v, "a unilateral constraint");
    b->at_v = zw_alloc(m->context, (size_t)nv + 1, sizeof *b->at_v, "a unilateral constraint");
    return b->slot_u && b->at_u && b->rate && b->slot_v && b->at_v ? ZW_OK : ZW_E_MEMORY;
}

/* x, y, z of the expression become r */
static zw_node place(const zw_model *m, zw_node e, const zw_node r[3]) {
    const int slot[3] = {m->slot_x, m->slot_y, m->slot_z};
    for (int k = 0; k < 3 && e != 0; k++) {
        if (zw_node_depends(m->pool, e, slot[k])) {
            e = zw_node_substitute(m->pool, e, slot[k], r[k]);
        }
    }
    return e;
}

static zw_status from_lagrangian(const zw_model *m, const zw_lagrangian_def *def, zw_side_build *b) {
    int n = 0;
    ZW_TRY(reserve(m, def->n, def->n, b));
    for (int i = 0; i < def->n; i++) {
        if (!zw_node_depends(m->pool, b->gap, def->slot_q[i]) && !zw_node_depends(m->pool, b->bounce, def->slot_q[i])) {
            continue;
        }
        b->slot_u[n] = def->slot_q[i];
        b->slot_v[n] = def->slot_v[i];
        b->at_u[n] = b->at_v[n] = i;
        b->rate[n] = zw_node_input(m->pool, def->slot_v[i]);
        if (b->rate[n++] == 0) {
            return ZW_E_MEMORY;
        }
    }
    b->nu = b->nv = n;
    return ZW_OK;
}

/* ---- rigid: inputs of the pool for q and v of the body, named so that no model can name them */

typedef struct pool_of { /* arithmetic that remembers failure: node 0 */
    zw_pool *pool;
    bool     failed;
} pool_of;

static zw_node times(pool_of *k, zw_node a, zw_node b) {
    zw_node n = k->failed ? 0 : zw_node_mul(k->pool, a, b);
    k->failed = k->failed || n == 0;
    return n;
}

static zw_node plus(pool_of *k, zw_node a, zw_node b) {
    zw_node n = k->failed ? 0 : zw_node_add(k->pool, a, b);
    k->failed = k->failed || n == 0;
    return n;
}

static zw_node minus(pool_of *k, zw_node a, zw_node b) {
    zw_node n = k->failed ? 0 : zw_node_sub(k->pool, a, b);
    k->failed = k->failed || n == 0;
    return n;
}

static zw_node number(pool_of *k, double value) {
    zw_node n = k->failed ? 0 : zw_node_constant(k->pool, value);
    k->failed = k->failed || n == 0;
    return n;
}

static zw_node input(pool_of *k, const char *body, const char *kind, int i, int *slot) {
    char name[160];
    snprintf(name, sizeof name, "%.100s:%s%d", body, kind, i);
    *slot = zw_pool_input(k->pool, name);
    zw_node n = *slot >= 0 && !k->failed ? zw_node_input(k->pool, *slot) : 0;
    k->failed = k->failed || n == 0;
    return n;
}

/* quaternions w x y z */
static void hamilton(pool_of *k, const zw_node a[4], const zw_node b[4], zw_node out[4]) {
    static const int    with[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    static const double sign[4][4] = {{1, -1, -1, -1}, {1, 1, 1, -1}, {1, -1, 1, 1}, {1, 1, -1, 1}}; /* of a[j] b[with[i][j]] in out[i] */
    for (int i = 0; i < 4; i++) {
        zw_node sum = number(k, 0.0);
        for (int j = 0; j < 4; j++) {
            zw_node term = times(k, a[j], b[with[i][j]]);
            sum = sign[i][j] > 0.0 ? plus(k, sum, term) : minus(k, sum, term);
        }
        out[i] = sum;
    }
}

static zw_status from_rigid(const zw_model *m, const zw_rigid *body, const double p[3], zw_side_build *b) {
    pool_of k = {.pool = m->pool};
    zw_node q[7], v[6], turn[4], half[4], arm[4], back[4], r[3];
    double  local[3];
    int     nv = body->planar ? 3 : 6;
    ZW_TRY(reserve(m, 7, nv, b));
    for (int i = 0; i < 7; i++) {
        q[i] = input(&k, body->name, "q", i, &b->slot_u[i]);
        b->at_u[i] = body->q0 + i;
    }
    for (int i = 0; i < nv; i++) {
        v[i] = input(&k, body->name, "v", i, &b->slot_v[i]);
        b->at_v[i] = body->v0 + i;
    }
    /* r = x + Q p Q*, p in principal axes */
    zw_q_rotate_back(body->axes, p, local);
    for (int i = 0; i < 4; i++) {
        arm[i] = number(&k, i > 0 ? local[i - 1] : 0.0);
        back[i] = i == 0 ? q[3] : minus(&k, number(&k, 0.0), q[3 + i]);
    }
    hamilton(&k, q + 3, arm, half);
    hamilton(&k, half, back, turn);
    for (int i = 0; i < 3; i++) {
        r[i] = plus(&k, q[i], turn[1 + i]);
    }
    /* rates: x' = v, Q' = Q Omega/2 in principal axes; planar: x' = e1 v1 + e2 v2, Q' = n omega/2 Q in space */
    zw_node spin[4];
    for (int i = 0; i < 3; i++) {
        if (body->planar) {
            b->rate[i] = plus(&k, times(&k, number(&k, body->plane[3 + i]), v[1]), times(&k, number(&k, body->plane[6 + i]), v[2]));
            spin[1 + i] = times(&k, number(&k, 0.5 * body->plane[i]), v[0]);
        } else {
            b->rate[i] = v[3 + i];
            spin[1 + i] = times(&k, number(&k, 0.5), v[i]);
        }
    }
    spin[0] = number(&k, 0.0);
    hamilton(&k, body->planar ? spin : q + 3, body->planar ? q + 3 : spin, b->rate + 3);
    if (k.failed) {
        return ZW_E_MEMORY;
    }
    b->nu = 7;
    b->nv = nv;
    b->gap = place(m, b->gap, r);
    b->bounce = b->gap != 0 ? place(m, b->bounce, r) : 0;
    return b->gap != 0 && b->bounce != 0 ? ZW_OK : ZW_E_MEMORY;
}

zw_status zw_side_build_from(const zw_model *m, const zw_unilateral_def *def, int point, const zw_part *part, int index,
                             zw_side_build *out) {
    zw_pool           *pool = m->pool;
    const zw_body_def *body = &m->bodies[def->body];
    *out = (zw_side_build){0};
    zw_node zero = zw_node_constant(pool, 0.0);
    out->gap = zw_node_sub(pool, zero, def->f.node);
    if (def->loss.node != 0 || (def->restitution.node == 0 && m->contact.loss.node != 0)) {
        out->by_loss = true;
        out->bounce = def->loss.node != 0 ? def->loss.node : m->contact.loss.node;
        out->bounce_at = def->loss.node != 0 ? def->loss.at : m->contact.loss.at;
    } else if (def->restitution.node != 0 || m->contact.restitution.node != 0) {
        out->bounce = def->restitution.node != 0 ? def->restitution.node : m->contact.restitution.node;
        out->bounce_at = def->restitution.node != 0 ? def->restitution.at : m->contact.restitution.at;
    } else {
        out->bounce = zw_node_constant(pool, 1.0);
    }
    if (zero == 0 || out->gap == 0 || out->bounce == 0) {
        return ZW_E_MEMORY;
    }
    if (body->kind == ZW_BODY_LAGRANGIAN) {
        out->L = part->self;
        if (point >= 0) {
            const zw_quantity *r = body->lagrangian.point[def->point[point]].r;
            zw_node            at[3];
            for (int k = 0; k < 3; k++) {
                at[k] = r[k].node != 0 ? r[k].node : zero;
            }
            out->gap = place(m, out->gap, at);
            out->bounce = place(m, out->bounce, at);
        }
        if (out->gap == 0 || out->bounce == 0) {
            return ZW_E_MEMORY;
        }
        return from_lagrangian(m, &body->lagrangian, out);
    }
    if (body->kind == ZW_BODY_RIGID && point >= 0) {
        const zw_rigid *of = &((const zw_rigids *)part->self)->body[index];
        return from_rigid(m, of, of->point + 3 * (ptrdiff_t)def->point[point], out);
    }
    return zw_model_raise(m, ZW_E_UNSUPPORTED, def->at, def->name, "put it on a lagrangian body or on points of a rigid body",
                          "'%s' is a body whose points cannot be kept on one side by an expression", body->name);
}

/* SPDX-License-Identifier: Apache-2.0
 * unilateral_build.c: -f with the places of points put in: g(q, t) of lagrangian coordinates, g(x, quaternion, t) of a rigid body. */
#include "rows/unilateral_build.h"

#include "parts/lagrangian_part.h"

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

zw_status zw_side_build_from(const zw_model *m, const zw_unilateral_def *def, int point, const zw_part *part, int index, zw_side_build *out) {
    zw_pool           *pool = m->pool;
    const zw_body_def *body = &m->bodies[def->body];
    (void)index;
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
    return zw_model_raise(m, ZW_E_UNSUPPORTED, def->at, def->name, "put it on a lagrangian body or on points of a rigid body",
                          "'%s' is a body whose points cannot be kept on one side by an expression", body->name);
}

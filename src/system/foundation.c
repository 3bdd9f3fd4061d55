/* SPDX-License-Identifier: Apache-2.0
 * foundation.c: a rod on an elastic foundation: every node is pulled to its anchor, per label length,
 *   p = components of r - a along three axes (space, or the directors d_i),   energy  sum_i k_i p_i^2 w/2,   force  -sum_i k_i w p_i axis_i,
 *   moment (directors only)  -sum_i k_i w p_i d_i x (r - a),   damping  -sum_i c_i w (axis_i.v) axis_i.
 * Anchors stay where the rod was at the start, or follow it (glue that relaxes): a' = nu (r - a). They are then fields s of the state behind those of the parts, and go forward with
 * growth: exactly, for a rod that goes straight from r0 to r1 while h passes,
 *   a1 = e a0 + (1 - e) r0 + (1 - phi) (r1 - r0),   z = nu h,  e = exp(-z),  phi = (1 - e)/z.
 * What the rod stores goes into its elastic energy; what relaxing glue loses is told as growth's share. */
#include "system/system.h"

#include "math/quat.h"
#include "parts/rod.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const double *zw_foundation_anchors(const zw_foundation *f, const zw_state *x) {
    return f->relax > 0.0 ? x->s + f->s0 : f->anchor;
}

static const double *node_q(const zw_system *y, const zw_foundation *f, const double *q, int i) {
    return q + y->part[f->part].q0 + ZW_ROD_NQ * (ptrdiff_t)(f->first + i);
}

static const double *node_v(const zw_system *y, const zw_foundation *f, const zw_state *x, int i) {
    return x->v + y->part[f->part].v0 + ZW_ROD_NV * (ptrdiff_t)(f->first + i);
}

/* way from the anchor of node i, and its components along the axes of the stiffness, which are the columns of R */
static void way_of(const zw_system *y, const zw_foundation *f, const zw_state *x, int i, double R[9], double way[3], double p[3]) {
    const double *q = node_q(y, f, x->q, i);
    zw_v3_sub(way, q, zw_foundation_anchors(f, x) + 3 * (ptrdiff_t)i);
    if (f->directors) {
        zw_q_to_matrix(q + 3, R);
        zw_m3_tmulv(p, R, way);
    } else {
        zw_v3_copy(p, way);
    }
}

/* forces of the components n_i along the axes: space; and the moment of them, in the directors */
static void force_of(const zw_foundation *f, const double R[9], const double way[3], const double n[3], double force[3], double moment[3]) {
    double p[3];
    zw_v3_copy(force, n);
    zw_v3_zero(moment);
    if (f->directors) {
        zw_m3_mulv(force, R, n);
        zw_m3_tmulv(p, R, way);
        zw_v3_cross(moment, n, p); /* R'(d_i x way) n_i */
    }
}

static void add_node(const zw_system *y, const zw_foundation *f, int i, const double force[3], const double moment[3], double *out) {
    double *to = out + y->part[f->part].v0 + ZW_ROD_NV * (ptrdiff_t)(f->first + i);
    for (int k = 0; k < 3; k++) {
        to[k] += moment[k];
        to[3 + k] += force[k];
    }
}

/* elastic force of node i */
static void pull_of(const zw_system *y, const zw_foundation *f, const zw_state *x, int i, double force[3], double moment[3]) {
    double R[9], way[3], p[3], n[3];
    way_of(y, f, x, i, R, way, p);
    for (int k = 0; k < 3; k++) {
        n[k] = -f->stiffness[3 * i + k] * p[k];
    }
    force_of(f, R, way, n, force, moment);
}

static void drag_of(const zw_system *y, const zw_foundation *f, const zw_state *x, int i, double force[3]) {
    const double *v = node_v(y, f, x, i) + 3;
    double        R[9], along[3];
    zw_v3_copy(along, v);
    if (f->directors) {
        zw_q_to_matrix(node_q(y, f, x->q, i) + 3, R);
        zw_m3_tmulv(along, R, v);
    }
    for (int k = 0; k < 3; k++) {
        along[k] *= -f->damping[3 * i + k];
    }
    zw_v3_copy(force, along);
    if (f->directors) {
        zw_m3_mulv(force, R, along);
    }
}

void zw_system_foundation_force(const zw_system *y, const zw_state *x, double *out) {
    for (int n = 0; n < y->nfoundations; n++) {
        const zw_foundation *f = &y->foundation[n];
        for (int i = 0; i < f->count; i++) {
            double force[3], moment[3];
            pull_of(y, f, x, i, force, moment);
            add_node(y, f, i, force, moment, out);
        }
    }
}

void zw_system_foundation_damp(const zw_system *y, const zw_state *x, double *out) {
    static const double none[3] = {0.0, 0.0, 0.0};
    for (int n = 0; n < y->nfoundations; n++) {
        const zw_foundation *f = &y->foundation[n];
        for (int i = 0; i < f->count && f->damps; i++) {
            double force[3];
            drag_of(y, f, x, i, force);
            add_node(y, f, i, force, none, out);
        }
    }
}

double zw_system_foundation_energy(const zw_system *y, const zw_state *x) {
    double sum = 0.0;
    for (int n = 0; n < y->nfoundations; n++) {
        const zw_foundation *f = &y->foundation[n];
        for (int i = 0; i < f->count; i++) {
            double R[9], way[3], p[3];
            way_of(y, f, x, i, R, way, p);
            for (int k = 0; k < 3; k++) {
                sum += 0.5 * f->stiffness[3 * i + k] * p[k] * p[k];
            }
        }
    }
    return sum;
}

double zw_system_foundation_fastest(const zw_system *y) {
    double most = 0.0;
    for (int n = 0; n < y->nfoundations; n++) {
        const zw_foundation *f = &y->foundation[n];
        const zw_rods       *rods = y->part[f->part].self;
        for (int i = 0; i < 3 * f->count; i++) {
            most = fmax(most, f->stiffness[i] / rods->mass[f->first + i / 3]);
        }
    }
    return most;
}

bool zw_system_foundations_relax(const zw_system *y) {
    for (int n = 0; n < y->nfoundations; n++) {
        if (y->foundation[n].relax > 0.0) {
            return true;
        }
    }
    return false;
}

void zw_system_foundation_start(const zw_system *y, zw_state *x) {
    for (int n = 0; n < y->nfoundations; n++) {
        const zw_foundation *f = &y->foundation[n];
        if (f->relax > 0.0) {
            memcpy(x->s + f->s0, f->anchor, 3 * sizeof(double) * (size_t)f->count);
        }
    }
}

void zw_system_foundation_relax(const zw_system *y, const zw_state *x0, double h, const double *q1, zw_state *x1) {
    for (int n = 0; n < y->nfoundations; n++) {
        const zw_foundation *f = &y->foundation[n];
        double               z = f->relax * h, part = -expm1(-z), late = z > 0.0 ? 1.0 - part / z : 0.0;
        if (z > 0.0 && z < 1e-4) { /* 1 - phi without cancellation */
            late = z * (0.5 - z * (1.0 / 6.0 - z / 24.0));
        }
        for (int i = 0; i < f->count && f->relax > 0.0; i++) {
            const double *a = x0->s + f->s0 + 3 * (ptrdiff_t)i, *from = node_q(y, f, x0->q, i), *to = node_q(y, f, q1, i);
            for (int k = 0; k < 3; k++) {
                x1->s[f->s0 + 3 * i + k] = a[k] + part * (from[k] - a[k]) + late * (to[k] - from[k]);
            }
        }
    }
}

void zw_system_foundation_carry(const zw_system *from, const zw_state *x, const zw_system *to, zw_state *x1) {
    for (int n = 0; n < to->nfoundations; n++) {
        const zw_foundation *f = &from->foundation[n], *g = &to->foundation[n];
        for (int i = 0, j = 0; i < g->count && g->relax > 0.0; i++) { /* on the line between the anchors beside it */
            const double *a = x->s + f->s0;
            while (j + 2 < f->count && f->label[j + 1] <= g->label[i]) {
                j++;
            }
            int    k = j + 1 < f->count ? j + 1 : j;
            double width = f->label[k] - f->label[j], share = width > 0.0 ? (g->label[i] - f->label[j]) / width : 0.0;
            for (int c = 0; c < 3; c++) {
                x1->s[g->s0 + 3 * i + c] = a[3 * j + c] + share * (a[3 * k + c] - a[3 * j + c]);
            }
        }
    }
}

int zw_system_foundation_nearest(const zw_system *y, int foundation, double s) {
    const zw_foundation *f = &y->foundation[foundation];
    int                  best = 0;
    for (int i = 1; i < f->count; i++) {
        best = fabs(f->label[i] - s) < fabs(f->label[best] - s) ? i : best;
    }
    return best;
}

void zw_system_foundation_reaction(const zw_system *y, const zw_state *x, int foundation, int node, double wrench[6]) {
    const zw_foundation *f = &y->foundation[foundation];
    const double        *centre = node_q(y, f, x->q, node < 0 ? 0 : node);
    memset(wrench, 0, 6 * sizeof *wrench);
    for (int i = node < 0 ? 0 : node; i < (node < 0 ? f->count : node + 1); i++) {
        const double *q = node_q(y, f, x->q, i);
        double        force[3], drag[3], moment[3], R[9], arm[3], more[3], share = node < 0 ? 1.0 : 1.0 / f->weight[i];
        pull_of(y, f, x, i, force, moment);
        drag_of(y, f, x, i, drag);
        zw_v3_add(force, force, drag);
        zw_q_to_matrix(q + 3, R);
        zw_m3_mulv(moment, R, moment);
        zw_v3_sub(arm, q, centre);
        zw_v3_cross(more, arm, force);
        for (int k = 0; k < 3; k++) {
            wrench[k] += share * (moment[k] + more[k]);
            wrench[3 + k] += share * force[k];
        }
    }
}

/* ---- making them */

static zw_status label_of(const zw_model *m, zw_quantity q, const char *subject, double missing, double *out) {
    *out = missing;
    return q.node != 0 ? zw_model_constant(m, q, subject, out) : ZW_OK;
}

static zw_status fill(zw_system *y, const zw_foundation_def *def, const char *subject, zw_foundation *f) {
    const zw_rods *rods = y->part[f->part].self;
    zw_quantity    q[6];
    zw_field       field;
    zw_status      status = ZW_OK;
    memcpy(q, def->stiffness, sizeof def->stiffness);
    memcpy(q + 3, def->damping, sizeof def->damping);
    ZW_TRY(zw_field_create(y->model, 6, q, NULL, &field));
    for (int i = 0; i < f->count && status == ZW_OK; i++) {
        double v[6];
        f->weight[i] = rods->weight[f->first + i];
        f->label[i] = rods->label[f->first + i];
        memcpy(f->anchor + 3 * (ptrdiff_t)i, rods->q0 + ZW_ROD_NQ * (ptrdiff_t)(f->first + i), 3 * sizeof(double));
        zw_field_set_label(&field, f->label[i]);
        status = zw_field_eval(&field, subject, v);
        for (int k = 0; k < 3 && status == ZW_OK; k++) {
            if (!(v[k] >= 0.0) || !(v[3 + k] >= 0.0)) {
                status = zw_model_raise(y->model, ZW_E_MODEL, def->at, subject, "give 0 or more all along the rod",
                                        "its %s is negative at node %d", v[k] >= 0.0 ? "damping" : "stiffness", i + 1);
                break;
            }
            f->stiffness[3 * i + k] = v[k] * f->weight[i];
            f->damping[3 * i + k] = v[3 + k] * f->weight[i];
            f->damps = f->damps || v[3 + k] > 0.0;
        }
    }
    zw_field_destroy(&field);
    return status;
}

static zw_status bind_one(zw_system *y, const zw_foundation_def *def, zw_foundation *f) {
    int            rod = y->body_index[def->body];
    char           subject[128];
    double         from, to;
    const zw_rods *rods = y->part[y->body_part[def->body]].self;
    const zw_rod  *r = &rods->rod[rod];
    snprintf(subject, sizeof subject, "constraints.%s", def->name);
    *f = (zw_foundation){.body = def->body, .part = y->body_part[def->body], .directors = def->directors};
    ZW_TRY(label_of(y->model, def->from, subject, 0.0, &from));
    ZW_TRY(label_of(y->model, def->to, subject, r->length, &to));
    ZW_TRY(label_of(y->model, def->relax, subject, 0.0, &f->relax));
    for (int i = r->node0; i < r->node0 + r->nnodes; i++) {
        if (rods->label[i] >= from - 1e-9 * r->length && rods->label[i] <= to + 1e-9 * r->length) {
            f->first = f->count == 0 ? i : f->first;
            f->count++;
        }
    }
    if (f->count == 0) {
        return zw_model_raise(y->model, ZW_E_MODEL, def->at, subject, "give a longer part of the rod, or more elements",
                              "no node of '%s' lies between its ends", y->model->bodies[def->body].name);
    }
    size_t  n = (size_t)f->count;
    double *room = zw_arena_alloc(&y->arena, 11 * n, sizeof *room, "a foundation");
    if (room == NULL) {
        return ZW_E_MEMORY;
    }
    f->stiffness = room;
    f->damping = room + 3 * n;
    f->anchor = room + 6 * n;
    f->weight = room + 9 * n;
    f->label = room + 10 * n;
    if (f->relax > 0.0) {
        f->s0 = y->size.ns;
        y->size.ns += 3 * f->count;
    }
    return fill(y, def, subject, f);
}

zw_status zw_system_bind_foundations(zw_system *y) {
    y->foundation = zw_arena_alloc(&y->arena, (size_t)y->model->nfoundations + 1, sizeof *y->foundation, "foundations");
    if (y->foundation == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < y->model->nfoundations; i++) {
        ZW_TRY(bind_one(y, &y->model->foundations[i], &y->foundation[i]));
        y->nfoundations++;
        y->springs_damp = y->springs_damp || y->foundation[i].damps;
    }
    return ZW_OK;
}

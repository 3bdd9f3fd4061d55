/* SPDX-License-Identifier: Apache-2.0
 * verify_rods.c: what holds for every rod, whatever it does:
 *   internal forces      links push their two nodes with forces and moments that add up to nothing
 *   strains (4)          ee + eg + ee eg = total, lengths of the current configuration by the arc of the helix through both frames
 *   compatibility (19)   rate of the bend-twist from three frames along the motion; what (19) leaves out over a link of finite length, c w x (w x dOmega), is known and counted */
#include "analysis/verify.h"

#include "analysis/compatibility.h"
#include "math/quat.h"
#include "math/so3.h"
#include "math/vec3.h"
#include "parts/rod_growth_observe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double part_of_pace =
    1e-3; /* how far the frames beside a state are: differences of second order are wrong by the square of what turns meanwhile */

bool zw_verify_is_rods(const zw_part *part) {
    return strcmp(part->ops->kind, zw_rods_ops.kind) == 0;
}

static void name_rod(const zw_rod *r, const char *what, int number, char where[96]) {
    snprintf(where, 96, "%s %d of rod '%.60s'", what, number, r->name);
}

/* rods->l and the like are those of this state afterwards, as after every op */
static zw_status internal_forces(zw_verifier *k, const zw_part *part, const zw_state *x) {
    const zw_rods *rods = part->self;
    double        *f = k->line[0] + part->v0;
    ZW_TRY(part->ops->force(part->self, x, f)); /* with gravity */
    for (int i = 0; i < rods->nrods; i++) {
        const zw_rod *r = &rods->rod[i];
        double        sum[6] = {0}, size[2] = {0};
        for (int j = r->node0; j < r->node0 + r->nnodes; j++) {
            const double *q = x->q + ZW_ROD_NQ * (size_t)j, *at = f + ZW_ROD_NV * (size_t)j;
            double        push[3], turn[3], arm[3], lever[3];
            zw_v3_addscaled(push, at + 3, -rods->mass[j], rods->gravity);
            zw_q_rotate(q + 3, at, turn);
            zw_v3_sub(arm, q, x->q + ZW_ROD_NQ * (size_t)r->node0);
            zw_v3_cross(lever, arm, push);
            for (int h = 0; h < 3; h++) {
                sum[h] += turn[h] + lever[h];
                sum[3 + h] += push[h];
            }
            double felt = zw_v3_norm(at + 3) + rods->mass[j] * zw_v3_norm(rods->gravity); /* what it is the difference of */
            size[0] += zw_v3_norm(turn) + zw_v3_norm(arm) * felt;
            size[1] += felt;
        }
        double largest = 0.0;
        for (int kind = 0; kind < 2; kind++) {
            double rest = zw_v3_norm(sum + 3 * kind);
            largest = fmax(largest, rest == 0.0 ? 0.0 : rest / size[kind]);
        }
        char where[96];
        snprintf(where, sizeof where, "rod '%.60s'", r->name);
        zw_verify_note(k, ZW_VERIFY_INTERNAL, largest, 1e-12, where);
    }
    return ZW_OK;
}

/* arc of the helix that leads from frame a to frame b with one rotation about one axis */
static double helix_arc(const double *qa, const double *qb) {
    double turn[4], axis[3], own[3], d[3], angle;
    zw_q_conj_mul(qa + 3, qb + 3, turn);
    zw_v3_sub(d, qb, qa);
    angle = 2.0 * atan2(zw_v3_norm(turn + 1), fabs(turn[0]));
    if (angle < 1e-7) {
        return zw_v3_norm(d) * (1.0 + angle * angle / 24.0); /* at most: where all of d is across the axis */
    }
    zw_v3_unit(own, turn + 1);
    zw_q_rotate(qa + 3, own, axis);
    double along = zw_v3_dot(d, axis);
    zw_v3_addscaled(d, d, -along, axis);
    return hypot(along, zw_v3_norm(d) * (0.5 * angle) / sin(0.5 * angle));
}

static void strains(zw_verifier *k, const zw_part *part, const zw_state *x) {
    const zw_rods *rods = part->self;
    for (int i = 0; i < rods->nrods; i++) {
        const zw_rod *r = &rods->rod[i];
        double        most = -1.0;
        int           worst = 0;
        for (int j = 0; j < r->nlinks; j++) {
            zw_rod_lengths length;
            zw_rod_link_lengths(rods, r, j, x->q, &length);
            double arc = helix_arc(x->q + ZW_ROD_NQ * (size_t)(r->node0 + j), x->q + ZW_ROD_NQ * (size_t)zw_rod_far(r, j));
            double total = arc / length.original - 1.0, eg = length.reference / length.original - 1.0,
                   ee = length.current / length.reference - 1.0, off = fabs(ee + eg + ee * eg - total) / (1.0 + fabs(total));
            if (!(off <= most)) {
                most = off;
                worst = j + 1;
            }
        }
        char where[96];
        name_rod(r, "link", worst, where);
        zw_verify_note(k, ZW_VERIFY_STRAINS, most, 1e-13, where);
    }
}

static zw_status compatibility(zw_verifier *k, const zw_part *part, const zw_state *x) {
    const zw_rods          *rods = part->self;
    zw_compatibility_frames frames = {.dt = part_of_pace * k->pace, .q = {NULL, x->q, NULL}, .l = {rods->l, rods->l, rods->l}, .v = x->v};
    zw_arena_mark           mark = zw_arena_mark_now(&k->arena);
    size_t                  nq = (size_t)(ZW_ROD_NQ * rods->nnodes), links = (size_t)rods->nlinks;
    double *q = zw_arena_alloc(&k->arena, 2 * nq + 4 * links, sizeof *q, "compatibility"), *out = q != NULL ? q + 2 * nq : NULL;
    if (q == NULL) {
        return ZW_E_MEMORY;
    }
    for (int side = 0; side < 2; side++) {
        const double way = side == 0 ? -frames.dt : frames.dt, *rate = k->rate + part->v0;
        for (int i = 0; i < ZW_ROD_NV * rods->nnodes; i++) {
            k->line[1][i] = way * rate[i];
        }
        part->ops->retract(part->self, x->q, k->line[1], q + (size_t)side * nq);
        frames.q[2 * side] = q + (size_t)side * nq;
    }
    for (int i = 0; i < rods->nrods; i++) {
        const zw_rod *r = &rods->rod[i];
        double        most = -1.0, *size = out + 3 * links;
        int           worst = 0;
        zw_compatibility_residual(rods, r, &frames, out, size);
        for (int j = 0; j < r->nlinks; j++) {
            double rate[3], left[3], off[3];
            zw_rod_link_turning(rods, r, j, x, rate, left);
            zw_v3_addscaled(off, out + 3 * (size_t)j, -1.0 / rods->l[r->link0 + j], left);
            double open = zw_v3_norm(off);
            open = open == 0.0 ? 0.0 : open / size[j];
            if (!(open <= most)) {
                most = open;
                worst = j + 1;
            }
        }
        char where[96];
        name_rod(r, "link", worst, where);
        zw_verify_note(k, ZW_VERIFY_COMPATIBLE, most, ZW_VERIFY_DIFFERENCE, where);
    }
    zw_arena_release(&k->arena, mark);
    return ZW_OK;
}

zw_status zw_verify_rods(zw_verifier *k) {
    const zw_part *part;
    int            parts = zw_system_parts(k->y, &part);
    bool           any = false;
    for (int p = 0; p < parts; p++) {
        if (!zw_verify_is_rods(&part[p])) {
            continue;
        }
        zw_state x = {.t = k->x.t, .q = k->x.q + part[p].q0, .v = k->x.v + part[p].v0, .s = k->x.s + part[p].s0};
        any = true;
        ZW_TRY(internal_forces(k, &part[p], &x));
        strains(k, &part[p], &x);
        ZW_TRY(compatibility(k, &part[p], &x));
    }
    static const zw_verify_kind kind[] = {ZW_VERIFY_INTERNAL, ZW_VERIFY_STRAINS, ZW_VERIFY_COMPATIBLE, ZW_VERIFY_SPACE,
                                          ZW_VERIFY_IDEAL,    ZW_VERIFY_REST,    ZW_VERIFY_GROWTH};
    for (size_t i = 0; !any && i < sizeof kind / sizeof kind[0]; i++) {
        zw_verify_skip(k, kind[i], "no rods");
    }
    if (any) { /* verify_growth.c has another word where one does */
        zw_verify_skip(k, ZW_VERIFY_GROWTH, "no rod grows");
    }
    return ZW_OK;
}

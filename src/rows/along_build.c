/* SPDX-License-Identifier: Apache-2.0
 * along_build.c: from the equations of a section to tapes, by exact derivatives; see along.h.
 *
 * Components in the directors are not inputs of their own: velocity.d1 = d1.v, spin.d1 = d1.w. The motion of a section: r' = v, d_i' = w x d_i, strain' = rate; at constant
 * velocities of a node v' = w' = 0 (w = R Omega does not turn itself). For the middle of a link they do change, so D is known there only where nothing but strains occurs. */
#include "rows/along_build.h"

#include <stdio.h>
#include <string.h>

enum { MOTION = 18, MOST_SEEDS = MOTION + 12 };

static const char *const axes[3] = {"x", "y", "z"}, *const directors[3] = {"d1", "d2", "d3"};
static const char *const strains[6] = {"kappa.d1", "kappa.d2", "kappa.d3", "gamma.d1", "gamma.d2", "gamma.d3"};

static bool slot(zw_pool *p, const char *a, const char *b, int *out) {
    char name[64];
    snprintf(name, sizeof name, b[0] != 0 ? "%s.%s" : "%s%s", a, b);
    *out = zw_pool_input(p, name);
    return *out >= 0;
}

static zw_status find_inputs(const zw_model *m, zw_along_inputs *in) {
    zw_pool *p = m->pool;
    bool     ok = true;
    in->t = m->slot_t;
    in->s = m->slot_s;
    in->r[0] = m->slot_x;
    in->r[1] = m->slot_y;
    in->r[2] = m->slot_z;
    for (int i = 0; i < 3; i++) {
        ok = ok && slot(p, "velocity", axes[i], &in->v[i]) && slot(p, "spin", axes[i], &in->w[i]);
        for (int k = 0; k < 3; k++) {
            ok = ok && slot(p, directors[i], axes[k], &in->d[3 * i + k]);
        }
    }
    for (int i = 0; i < 6; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i + 1);
        ok = ok && slot(p, strains[i], "", &in->strain[i]) && slot(p, strains[i], "rate", &in->rate[i]) &&
             slot(p, strains[i], "rate2", &in->rate2[i]) && slot(p, "multiplier", name, &in->force[i]);
    }
    return ok ? ZW_OK : ZW_E_MEMORY;
}

/* a . b of inputs */
static zw_node dot(zw_pool *p, const int a[3], const int b[3]) {
    zw_node sum = zw_node_constant(p, 0.0);
    for (int i = 0; i < 3; i++) {
        sum = zw_node_add(p, sum, zw_node_mul(p, zw_node_input(p, a[i]), zw_node_input(p, b[i])));
    }
    return sum;
}

/* component k of w x d, inputs d, nodes w */
static zw_node turned(zw_pool *p, const zw_node w[3], const int d[3], int k) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    return zw_node_sub(p, zw_node_mul(p, w[i], zw_node_input(p, d[j])), zw_node_mul(p, w[j], zw_node_input(p, d[i])));
}

/* velocities in the directors by those in space */
static zw_status in_space(zw_pool *p, const zw_along_inputs *in, zw_node *f) {
    for (int i = 0; i < 3 && *f != 0; i++) {
        int of[2];
        if (!slot(p, "velocity", directors[i], &of[0]) || !slot(p, "spin", directors[i], &of[1])) {
            return ZW_E_MEMORY;
        }
        zw_node by[2] = {dot(p, in->d + 3 * (size_t)i, in->v), dot(p, in->d + 3 * (size_t)i, in->w)};
        for (int k = 0; k < 2; k++) {
            *f = *f != 0 && by[k] != 0 ? zw_node_substitute(p, *f, of[k], by[k]) : 0;
        }
    }
    return *f != 0 ? ZW_OK : ZW_E_MEMORY;
}

/* a seed or root that could not be made: memory is out */
static bool missing(int n, const zw_node *node) {
    for (int i = 0; i < n; i++) {
        if (node[i] == 0) {
            return true;
        }
    }
    return false;
}

/* what moves with a section, and how: places and directors by nodes w, v, strains by their rates (NULL: not at all) */
static int motion_of(zw_pool *p, const zw_along_inputs *in, const zw_node *w, const zw_node *v, const int *rate, int *slots,
                     zw_node *seed) {
    int n = 0;
    for (int k = 0; k < 3; k++) {
        slots[n] = in->r[k];
        seed[n++] = v[k];
    }
    for (int i = 0; i < 9; i++) {
        slots[n] = in->d[i];
        seed[n++] = turned(p, w, in->d + 3 * (size_t)(i / 3), i % 3);
    }
    for (int i = 0; i < 6 && rate != NULL; i++) {
        slots[n] = in->strain[i];
        seed[n++] = zw_node_input(p, rate[i]);
    }
    return n;
}

/* out = rate of the roots along the motion of a section, t included; with: rates of the strains move too (at second rates) */
static zw_status along_motion(zw_pool *p, const zw_along_inputs *in, int n, const zw_node *f, bool with, zw_node *out) {
    int     slots[MOST_SEEDS + 6];
    zw_node seed[MOST_SEEDS + 6], w[3], v[3];
    for (int k = 0; k < 3; k++) {
        w[k] = zw_node_input(p, in->w[k]);
        v[k] = zw_node_input(p, in->v[k]);
    }
    int count = motion_of(p, in, w, v, in->rate, slots, seed);
    for (int i = 0; i < 6 && with; i++) {
        slots[count] = in->rate[i];
        seed[count++] = zw_node_input(p, in->rate2[i]);
    }
    if (missing(count, seed)) {
        return ZW_E_MEMORY;
    }
    ZW_TRY(zw_node_push(p, n, f, count, slots, seed, out));
    for (int i = 0; i < n; i++) {
        zw_node by_time = zw_node_diff(p, f[i], in->t);
        out[i] = by_time != 0 ? zw_node_add(p, out[i], by_time) : 0;
        if (out[i] == 0) {
            return ZW_E_MEMORY;
        }
    }
    return ZW_OK;
}

/* derivative of sum_i force_i (row i on w, v) in small turns and ways, row-major 6 x 6 */
static zw_status turns_of(zw_pool *p, const zw_along_inputs *in, int n, const zw_node *A, int columns, zw_node *out) {
    zw_node pull[6], zero = zw_node_constant(p, 0.0), one = zw_node_constant(p, 1.0);
    for (int j = 0; j < 6; j++) {
        pull[j] = zero;
        for (int i = 0; i < n; i++) {
            pull[j] = zw_node_add(p, pull[j], zw_node_mul(p, zw_node_input(p, in->force[i]), A[i * columns + j]));
        }
    }
    for (int c = 0; c < 6; c++) {
        int     slots[MOST_SEEDS];
        zw_node seed[MOST_SEEDS], w[3] = {zero, zero, zero}, v[3] = {zero, zero, zero}, by[6];
        (c < 3 ? w : v)[c % 3] = one;
        int count = motion_of(p, in, w, v, NULL, slots, seed);
        if (missing(count, seed) || missing(6, pull)) {
            return ZW_E_MEMORY;
        }
        ZW_TRY(zw_node_push(p, 6, pull, count, slots, seed, by));
        for (int j = 0; j < 6; j++) {
            out[6 * j + c] = by[j];
        }
    }
    return ZW_OK;
}

static bool depends(const zw_pool *p, zw_node n, int count, const int *slots) {
    for (int i = 0; i < count; i++) {
        if (zw_node_depends(p, n, slots[i])) {
            return true;
        }
    }
    return false;
}

static zw_status tape_of(const zw_model *m, const zw_node *roots, int n, zw_along_tapes *t, zw_tape **out) {
    ZW_TRY(zw_tape_create(m->context, m->pool, roots, n, out));
    int work = zw_tape_work(*out);
    t->work = work > t->work ? work : t->work;
    t->out = n > t->out ? n : t->out;
    return ZW_OK;
}

zw_status zw_along_compile(const zw_model *m, const zw_along_def *def, zw_along_inputs *in, zw_along_tapes *out) {
    zw_pool  *p = m->pool;
    int       n = def->n, columns = def->links ? 12 : 6, by[12];
    zw_node   f[ZW_ALONG_MOST], first[ZW_ALONG_MOST * 13], rate[ZW_ALONG_MOST], turns[36];
    zw_status status = ZW_OK;
    *out = (zw_along_tapes){0};
    ZW_TRY(find_inputs(m, in));
    for (int k = 0; k < 3; k++) {
        by[k] = in->w[k];
        by[3 + k] = in->v[k];
    }
    for (int k = 0; k < 6; k++) {
        by[6 + k] = in->rate[k];
    }
    for (int i = 0; i < n; i++) {
        f[i] = def->f[i].node;
        ZW_TRY(in_space(p, in, &f[i]));
        out->moves = out->moves || zw_node_depends(p, f[i], in->t);
    }
    if (def->velocities) {
        memcpy(first, f, sizeof *f * (size_t)n);
    } else {
        ZW_TRY(along_motion(p, in, n, f, false, first));
    }
    for (int i = 0; i < n; i++) {
        ZW_TRY(zw_node_gradient(p, first[i], columns, by, first + n + (ptrdiff_t)i * columns));
        out->frames = out->frames || depends(p, first[i], 3, in->r) || depends(p, first[i], 9, in->d) || depends(p, first[i], 6, by);
        for (int c = 0; c < columns; c++) {
            out->nonlinear = out->nonlinear || depends(p, first[n + i * columns + c], columns, by);
        }
    }
    ZW_TRY(along_motion(p, in, n, first, true, rate));
    ZW_TRY_GOTO(tape_of(m, first, n * (1 + columns), out, &out->first), fail);
    if (!def->velocities) {
        ZW_TRY_GOTO(tape_of(m, f, n, out, &out->value), fail);
    }
    if (!def->links || !out->frames) {
        ZW_TRY_GOTO(tape_of(m, rate, n, out, &out->rate), fail);
    }
    if (!def->links && !def->velocities) {
        ZW_TRY_GOTO(turns_of(p, in, n, first + n, columns, turns), fail);
        ZW_TRY_GOTO(tape_of(m, turns, 36, out, &out->turns), fail);
    }
    return ZW_OK;
fail:
    zw_along_tapes_destroy(out);
    return status;
}

void zw_along_tapes_destroy(zw_along_tapes *t) {
    zw_tape_destroy(t->value);
    zw_tape_destroy(t->first);
    zw_tape_destroy(t->rate);
    zw_tape_destroy(t->turns);
    *t = (zw_along_tapes){0};
}

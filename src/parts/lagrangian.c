/* SPDX-License-Identifier: Apache-2.0
 * lagrangian.c: a system written as a Lagrangian as a part: building it from the model, its metric and forces, and the ops table. */
#include "parts/lagrangian_part.h"

#include <stdio.h>
#include <string.h>

static zw_size lagrangian_size(const void *self) {
    const zw_lagrangian *L = self;
    return (zw_size){.nq = L->n, .nv = L->n};
}

static void lagrangian_start(const void *self, zw_state *x) {
    const zw_lagrangian *L = self;
    memcpy(x->q, L->q0, sizeof(double) * (size_t)L->n);
    memcpy(x->v, L->v0, sizeof(double) * (size_t)L->n);
}

static void multiply(int n, const double *a, const double *x, double *out) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            sum += a[n * i + k] * x[k];
        }
        out[i] = sum;
    }
}

/* q + W(q) dv */
static void lagrangian_retract(const void *self, const double *q, const double *dv, double *q1) {
    const zw_lagrangian *L = self;
    const double        *move = dv;
    if (L->quasi) {
        zw_lagrangian_memo *memo = L->memo;
        zw_lagrangian_axes_at(L, q, memo->square, memo->inverse);
        multiply(L->n, memo->inverse, dv, memo->line);
        move = memo->line;
    }
    for (int i = 0; i < L->n; i++) {
        q1[i] = q[i] + move[i];
    }
}

/* Y(q0) qdot, qdot = W(q) (u - y(q)) */
static void lagrangian_chart_rate(const void *self, const double *q0, const double *dv, const double *q, const double *v, double *rate) {
    const zw_lagrangian *L = self;
    zw_lagrangian_memo  *memo = L->memo;
    int                  n = L->n;
    (void)dv;
    zw_lagrangian_axes_at(L, q, memo->square, memo->inverse);
    for (int i = 0; i < n; i++) {
        memo->line[i] = v[i] - memo->square[n * n + i];
    }
    multiply(n, memo->inverse, memo->line, memo->more);
    zw_lagrangian_axes_at(L, q0, memo->square, NULL);
    multiply(n, memo->square, memo->more, rate);
}

static void lagrangian_mass(void *self, const zw_state *x, zw_matrix *M) {
    static const int start[2] = {0, 1}, col[1] = {0};
    zw_lagrangian   *L = self;
    (void)zw_lagrangian_motion_at(L, x);
    zw_lagrangian_record *r = zw_lagrangian_record_at(L, x);
    *M = (zw_matrix){.kind = ZW_SPD, .n = L->n, .block = L->n, .start = start, .col = col, .a = L->quasi ? r->M : r->motion};
}

static zw_status lagrangian_force(void *self, const zw_state *x, double *f) {
    zw_lagrangian            *L = self;
    const zw_lagrangian_look *look = zw_lagrangian_motion_at(L, x);
    memcpy(f, look->F, sizeof(double) * (size_t)L->n);
    return look->finite ? ZW_OK : zw_lagrangian_explain(L, x);
}

static void lagrangian_bias(void *self, const zw_state *x, double *f) {
    zw_lagrangian            *L = self;
    const zw_lagrangian_look *look = zw_lagrangian_motion_at(L, x);
    for (int i = 0; i < L->n; i++) {
        f[i] -= look->c[i];
    }
}

/* gravity is what the potential says */
static void lagrangian_gravity(void *self, const zw_state *x, const double g[3], double *f) {
    (void)x;
    (void)self;
    (void)g;
    (void)f;
}

static int lagrangian_stations(const void *self, int body, zw_place *out, double *weight, double *label) {
    (void)self;
    (void)body;
    (void)out;
    (void)weight;
    (void)label;
    return 0;
}

static void lagrangian_destroy(void *self) {
    zw_lagrangian *L = self;
    if (L == NULL) {
        return;
    }
    zw_context *c = L->context;
    zw_tape_destroy(L->tape_axes.tape);
    zw_tape_destroy(L->tape_motion.tape);
    zw_tape_destroy(L->tape_account.tape);
    zw_tape_destroy(L->tape_point.tape);
    zw_arena_destroy(&L->arena);
    zw_free(c, L);
}

/* ---- what others ask */

const zw_lagrange *zw_lagrangian_equations(const zw_lagrangian *L) {
    return &L->equations;
}

const zw_lagrangian_def *zw_lagrangian_def_of(const zw_lagrangian *L) {
    return L->def;
}

bool zw_lagrangian_input(zw_lagrangian *L, const zw_state *x, int slot, double *value) {
    for (int i = 0; i < L->n; i++) {
        if (slot == L->def->slot_q[i]) {
            *value = x->q[i];
            return true;
        }
        if (slot == L->def->slot_v[i]) {
            *value = zw_lagrangian_record_at(L, x)->look.qdot[i];
            return true;
        }
        if (L->quasi && slot == L->def->slot_u[i]) {
            *value = x->v[i];
            return true;
        }
    }
    return false;
}

/* ---- building */

static zw_status read_start(zw_lagrangian *L) {
    const zw_lagrangian_def *def = L->def;
    int                      n = L->n;
    L->q0 = zw_arena_alloc(&L->arena, (size_t)n, sizeof(double), "a lagrangian body");
    L->v0 = zw_arena_alloc(&L->arena, (size_t)n, sizeof(double), "a lagrangian body");
    if (L->q0 == NULL || L->v0 == NULL) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        char subject[128];
        bool in_quasi = L->quasi && def->start_in_quasi;
        if (def->q0 != NULL && def->q0[i].node != 0) {
            snprintf(subject, sizeof subject, "bodies.%s.lagrangian.start.%s", L->body->name, def->coordinate[i]);
            ZW_TRY(zw_model_constant(L->model, def->q0[i], subject, &L->q0[i]));
        }
        if (def->v0 != NULL && def->v0[i].node != 0) {
            snprintf(subject, sizeof subject, "bodies.%s.lagrangian.start.%s%s", L->body->name,
                     in_quasi ? def->quasi[i].name : def->coordinate[i], in_quasi ? "" : "dot");
            ZW_TRY(zw_model_constant(L->model, def->v0[i], subject, &L->v0[i]));
        }
    }
    if (L->quasi && !def->start_in_quasi) { /* u = Y qdot + y */
        double *Y = L->memo->square, *u = L->memo->line;
        zw_lagrangian_axes_at(L, L->q0, Y, NULL);
        multiply(n, Y, L->v0, u);
        for (int i = 0; i < n; i++) {
            L->v0[i] = u[i] + Y[n * n + i];
        }
    }
    return ZW_OK;
}

zw_status zw_lagrangian_create(const zw_model *m, int body, void **out) {
    zw_status status = ZW_OK;
    *out = NULL;
    zw_lagrangian *L = zw_alloc(m->context, 1, sizeof *L, "a lagrangian body");
    if (L == NULL) {
        return ZW_E_MEMORY;
    }
    L->context = m->context;
    L->model = m;
    L->body = &m->bodies[body];
    L->def = &L->body->lagrangian;
    L->n = L->def->n;
    L->m = L->def->nrows;
    L->quasi = L->def->nquasi > 0;
    L->all_particles = L->def->kinetic.node == 0;
    zw_arena_init(&L->arena, m->context);
    ZW_TRY_GOTO(zw_lagrange_derive(m, L->def, &L->arena, &L->equations), fail);
    ZW_TRY_GOTO(zw_lagrangian_bind_tapes(L), fail);
    ZW_TRY_GOTO(read_start(L), fail);
    *out = L;
    return ZW_OK;
fail:
    lagrangian_destroy(L);
    return status;
}

/* what both kinds of velocity share; only the charts of a moving frame are curved */
/* clang-format off */
#define SHARED_OPS \
    .kind = "lagrangian", \
    .size = lagrangian_size, \
    .start = lagrangian_start, \
    .retract = lagrangian_retract, \
    .mass = lagrangian_mass, \
    .force = lagrangian_force, \
    .bias = lagrangian_bias, \
    .gravity = lagrangian_gravity, \
    .frame = zw_lagrangian_frame, \
    .place = zw_lagrangian_place, \
    .stations = lagrangian_stations, \
    .measure = zw_lagrangian_measure, \
    .account = zw_lagrangian_account, \
    .field = zw_lagrangian_field, \
    .observe = zw_lagrangian_observe, \
    .at_fault = zw_lagrangian_at_fault, \
    .destroy = lagrangian_destroy, \
    .foresee = zw_lagrangian_foresee, \
    .power = zw_lagrangian_power, \
    .powerless = zw_lagrangian_powerless, \
    .whole = zw_lagrangian_whole, \
    .check = zw_lagrangian_check, \
    .near = zw_lagrangian_near
/* clang-format on */
const zw_part_ops zw_lagrangian_ops = {SHARED_OPS};
const zw_part_ops zw_lagrangian_quasi_ops = {SHARED_OPS, .chart_rate = lagrangian_chart_rate};

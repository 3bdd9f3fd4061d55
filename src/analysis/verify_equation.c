/* SPDX-License-Identifier: Apache-2.0
 * verify_equation.c: Mac-Millan's equation (13) taken literally: at an admissible state and Gauss's accelerations its left side equals its right side,
 *   d/dt dT~/dv_s - dT~/dq_s = Q~_s + sum_b (dT/dq_b)~ B_bs + sum_b p_b~ (dB_bs/dt - dphi_b/dq_s)      for every independent s,
 * in the expressions that `zwang equations` prints. The dependent velocities are chosen at each state; every choice is derived once. */
#include "analysis/verify.h"

#include "analysis/equations.h"
#include "parts/lagrangian.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FORMS = 64 }; /* choices of dependent velocities of one body: states with yet another one are passed over */
enum { LEFT, FORCE, CARRIED, TURNING, TERMS };

typedef struct form {
    zw_macmillan equations;
    zw_tape     *tape; /* [TERMS e] */
    double      *work, *value;
} form;

struct zw_equation_probe {
    zw_lagrangian           *L;
    const char              *body;
    const zw_lagrangian_def *def;
    int                      nforms;
    form                     form[FORMS];
};

zw_status zw_verify_equation_create(zw_verifier *k, void *lagrangian, const char *body, zw_equation_probe **out) {
    zw_equation_probe *p = *out = zw_arena_alloc(&k->arena, 1, sizeof *p, "a verification");
    if (p == NULL) {
        return ZW_E_MEMORY;
    }
    p->L = lagrangian;
    p->body = body;
    p->def = zw_lagrangian_def_of(p->L);
    return ZW_OK;
}

void zw_verify_equation_destroy(zw_equation_probe *p) {
    for (int i = 0; p != NULL && i < p->nforms; i++) {
        zw_tape_destroy(p->form[i].tape);
    }
}

static void fill(const zw_verifier *k, const zw_equation_probe *p, const double *q, const double *qdot, double *in) {
    zw_model_inputs(k->y->model, in);
    in[k->y->model->slot_t] = k->x.t;
    for (int i = 0; i < p->def->n; i++) {
        in[p->def->slot_q[i]] = q[i];
        in[p->def->slot_v[i]] = qdot[i];
    }
}

static zw_status derive(zw_verifier *k, zw_equation_probe *p, const zw_partition *part, form *f) {
    const zw_model *m = k->y->model;
    ZW_TRY(zw_macmillan_derive(m, p->body, p->def, zw_lagrangian_equations(p->L), part, &k->arena, &f->equations));
    size_t   e = (size_t)part->e;
    zw_node *root = zw_arena_alloc(&k->arena, TERMS * e + 1, sizeof *root, "a verification");
    if (root == NULL) {
        return ZW_E_MEMORY;
    }
    memcpy(root + LEFT * e, f->equations.left, sizeof *root * e);
    memcpy(root + FORCE * e, f->equations.force, sizeof *root * e);
    memcpy(root + CARRIED * e, f->equations.carried, sizeof *root * e);
    memcpy(root + TURNING * e, f->equations.turning, sizeof *root * e);
    ZW_TRY(zw_tape_create(k->c, m->pool, root, TERMS * part->e, &f->tape));
    p->nforms++;
    f->work = zw_arena_alloc(&k->arena, (size_t)zw_tape_work(f->tape) + 1, sizeof(double), "a verification");
    f->value = zw_arena_alloc(&k->arena, TERMS * e + 1, sizeof(double), "a verification");
    return f->work == NULL || f->value == NULL ? ZW_E_MEMORY : ZW_OK;
}

/* the form for the velocities that are best eliminated here; NULL: there are too many */
static zw_status choose(zw_verifier *k, zw_equation_probe *p, const double *q, const double *qdot, form **out, double *pivot) {
    zw_arena_mark mark = zw_arena_mark_now(&k->arena);
    double       *in = zw_arena_alloc(&k->arena, (size_t)zw_pool_inputs(k->y->model->pool) + 1, sizeof(double), "a verification");
    zw_partition  part;
    *out = NULL;
    if (in == NULL) {
        return ZW_E_MEMORY;
    }
    fill(k, p, q, qdot, in);
    ZW_TRY(zw_partition_choose(k->y->model, p->def, zw_lagrangian_equations(p->L), in, NULL, &k->arena, &part));
    *pivot = part.pivot;
    for (int i = 0; i < p->nforms; i++) {
        const zw_partition *have = &p->form[i].equations.part;
        if (have->g == part.g && memcmp(have->dependent, part.dependent, sizeof(int) * (size_t)part.g) == 0 &&
            memcmp(have->row, part.row, sizeof(int) * (size_t)part.g) == 0) {
            *out = &p->form[i];
            zw_arena_release(&k->arena, mark);
            return ZW_OK;
        }
    }
    if (p->nforms == FORMS) {
        zw_arena_release(&k->arena, mark);
        return ZW_OK;
    }
    *out = &p->form[p->nforms];
    return derive(k, p, &part, *out);
}

/* deriving the equations of a body adds inputs to the pool, its accelerations: the array is as long as it has to be now */
static zw_status evaluate(zw_verifier *k, const zw_equation_probe *p, form *f, const double *q, const double *qdot, const double *qddot) {
    zw_arena_mark mark = zw_arena_mark_now(&k->arena);
    double       *in = zw_arena_alloc(&k->arena, (size_t)zw_pool_inputs(k->y->model->pool) + 1, sizeof(double), "a verification");
    if (in == NULL) {
        return ZW_E_MEMORY;
    }
    fill(k, p, q, qdot, in);
    for (int i = 0; i < p->def->n; i++) {
        in[f->equations.slot_a[i]] = qddot[i];
    }
    zw_tape_eval(f->tape, in, f->work, f->value);
    zw_arena_release(&k->arena, mark);
    return ZW_OK;
}

zw_status zw_verify_equation(zw_verifier *k, zw_equation_probe *p, const double *q, const double *qdot, const double *qddot,
                             double inertia) {
    const zw_model *m = k->y->model;
    form           *f;
    double          pivot = 1.0, most = 0.0, size = inertia;
    int             worst = 0;
    if (m->nconstraints > 0 || m->nloads > 0) {
        zw_verify_skip(k, ZW_VERIFY_EQUATION, "joints or loads act on the body, which its own equations do not know");
        return ZW_OK;
    }
    if (k->m == 0) {
        zw_verify_skip(k, ZW_VERIFY_EQUATION, "no constraints");
        return ZW_OK;
    }
    ZW_TRY(choose(k, p, q, qdot, &f, &pivot));
    if (f == NULL) {
        zw_verify_skip(k, ZW_VERIFY_EQUATION, "too many choices of dependent velocities");
        return ZW_OK;
    }
    ZW_TRY(evaluate(k, p, f, q, qdot, qddot));
    int e = f->equations.part.e;
    for (int i = 0; i < TERMS * e; i++) { /* all are measured by the largest term, or by M a, of which the four terms are made */
        size = fmax(size, fabs(f->value[i]));
    }
    for (int s = 0; s < e; s++) {
        const double *v = f->value + s;
        double        open = fabs(v[LEFT * e] - v[FORCE * e] - v[CARRIED * e] - v[TURNING * e]);
        if (open > most || isnan(open)) {
            most = open;
            worst = s;
        }
    }
    if (e > 0) {
        char where[96];
        snprintf(where, sizeof where, "%s of '%s'", p->def->coordinate[f->equations.part.independent[worst]], p->body);
        /* accelerations of coordinates are known to differences only where the velocities are quasi-velocities */
        double tolerance = (p->def->nquasi > 0 ? 1e-9 : 1e-12) * k->condition / pivot;
        zw_verify_note(k, ZW_VERIFY_EQUATION, most == 0.0 ? 0.0 : most / size, tolerance, where);
    }
    return ZW_OK;
}

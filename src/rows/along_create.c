/* SPDX-License-Identifier: Apache-2.0
 * along_create.c: from an equation of the model to rows along a rod: which sections, and the scale of each equation, by its gradients at and around the start. */
#include "base/number.h"
#include "parts/rod.h"
#include "rows/along_build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = ZW_ALONG_TEXT, COLUMNS = ZW_ALONG_COLUMNS };
typedef zw_along        along;
typedef zw_along_motion motion;

static zw_status label_of(const zw_model *m, zw_quantity q, const char *subject, double missing, double *out) {
    *out = missing;
    return q.node != 0 ? zw_model_constant(m, q, subject, out) : ZW_OK;
}

static zw_status find_sections(along *k, const char *subject) {
    double from, to, slack = 1e-9 * k->rod->length;
    int    most = k->sides == 1 ? k->rod->nnodes : k->rod->nlinks;
    ZW_TRY(label_of(k->model, k->def->from, subject, 0.0, &from));
    ZW_TRY(label_of(k->model, k->def->to, subject, k->rod->length, &to));
    for (int i = 0; i < most; i++) {
        double s = zw_along_label(k, i - k->first);
        if (s < from - slack || s > to + slack) {
            continue;
        }
        k->first = k->count == 0 ? i : k->first;
        k->count++;
    }
    if (k->count == 0) {
        char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
        return zw_model_raise(k->model, ZW_E_MODEL, k->def->at, subject, "give a longer part of the rod, or more elements",
                              "no %s of '%s' lies between s = %s and s = %s", k->sides == 1 ? "node" : "middle of a link",
                              k->model->bodies[k->def->body].name, zw_number_short(from, 6, a), zw_number_short(to, 6, b));
    }
    return ZW_OK;
}

/* every input a little off, but for velocities: where a gradient vanishes at the place alone, it does not there */
static void shift_inputs(along *k, double by) {
    double l = zw_along_mean_length(k);
    for (int i = 0; i < 3; i++) {
        k->in[k->slot.r[i]] += by * l * (1.0 + 0.1 * i);
    }
    for (int i = 0; i < 9; i++) {
        k->in[k->slot.d[i]] += by * (1.0 + 0.1 * i);
    }
    for (int i = 0; i < 6 && k->sides == 2; i++) {
        k->in[k->slot.strain[i]] += by * (i < 3 ? 1.0 / l : 1.0);
    }
}

static zw_status find_scale(along *k, const zw_state *x) {
    double most[ZW_ALONG_MOST] = {0}, f[ZW_ALONG_MOST], row[ZW_ALONG_MOST][COLUMNS];
    motion how;
    for (int j = 0; j < k->count; j++) {
        const double *q[2], *v[2];
        zw_along_nodes(k, j, x, q, v);
        for (int n = -1; n < 2; n++) {
            zw_along_look(k, j, x->t, q, v, false, &how);
            shift_inputs(k, 0.05 * n);
            zw_tape_eval(k->tape.first, k->in, k->work, k->out);
            for (int i = 0; i < k->n; i++) {
                zw_along_row(k, i, &how, row[0]);
                double size = zw_along_size(k, row[0]);
                if (n == 0 && (!isfinite(size) || !isfinite(k->out[i]))) {
                    return zw_along_not_finite(k, j, x->t, k->tape.first);
                }
                most[i] = isfinite(size) && size > most[i] ? size : most[i];
            }
        }
    }
    for (int i = 0; i < k->n; i++) {
        if (!(most[i] > 0.0)) {
            return zw_along_vanishes(k, 0, i, x->t, 0.0);
        }
        k->scale[i] = 1.0 / most[i];
    }
    for (int j = 0; j < k->count; j++) { /* raises where one vanishes */
        const double *q[2], *v[2];
        zw_along_nodes(k, j, x, q, v);
        zw_along_look(k, j, x->t, q, v, false, &how);
        ZW_TRY(zw_along_first(k, j, x->t, &how, f, row));
    }
    return ZW_OK;
}

zw_status zw_along_create(const zw_model *m, const zw_along_def *def, struct zw_rods *rods, int part, int rod, const zw_state *x,
                          zw_constraint *out) {
    zw_status status = ZW_OK;
    char      subject[128];
    along    *k = zw_alloc(m->context, 1, sizeof *k, "rows along a rod");
    if (k == NULL) {
        return ZW_E_MEMORY;
    }
    snprintf(subject, sizeof subject, "constraints.%s", def->name);
    *k = (along){.context = m->context, .model = m, .def = def, .rods = rods, .rod = &rods->rod[rod], .part = part, .n = def->n};
    k->sides = def->links ? 2 : 1;
    ZW_TRY_GOTO(zw_along_compile(m, def, &k->slot, &k->tape), fail);
    k->in = zw_alloc(m->context, (size_t)zw_pool_inputs(m->pool) + 1, sizeof(double), "rows along a rod");
    k->work = zw_alloc(m->context, (size_t)k->tape.work + 1, sizeof(double), "rows along a rod");
    k->out = zw_alloc(m->context, (size_t)k->tape.out + 1, sizeof(double), "rows along a rod");
    k->text = zw_alloc(m->context, TEXT, 1, "rows along a rod");
    if (k->in == NULL || k->work == NULL || k->out == NULL || k->text == NULL) {
        status = ZW_E_MEMORY;
        goto fail;
    }
    zw_model_inputs(m, k->in);
    ZW_TRY_GOTO(find_sections(k, subject), fail);
    ZW_TRY_GOTO(find_scale(k, x), fail);
    out->ops = k->tape.rate != NULL ? &zw_along_exact_ops : &zw_along_ops;
    out->self = k;
    out->m = k->n * k->count;
    out->velocity_only = def->velocities;
    out->nonlinear = k->tape.nonlinear;
    out->moves = k->tape.moves;
    return ZW_OK;
fail:
    zw_along_destroy(k);
    return status;
}

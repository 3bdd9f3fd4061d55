/* SPDX-License-Identifier: Apache-2.0
 * field.c: one tape for some quantities, its inputs and its work space. */
#include "model/field.h"

#include <math.h>

zw_status zw_field_create(const zw_model *m, int n, const zw_quantity *q, const double *missing, zw_field *out) {
    zw_context *c = m->context;
    zw_node roots[36];
    *out = (zw_field){.model = m, .n = n};
    if (n > (int)(sizeof roots / sizeof roots[0])) {
        return zw_raise(c, ZW_E_INTERNAL, "field", NULL, "%d quantities in one field", n);
    }
    for (int i = 0; i < n; i++) {
        roots[i] = q[i].node != 0 ? q[i].node : zw_node_constant(m->pool, missing != NULL ? missing[i] : 0.0);
        if (roots[i] == 0) {
            return ZW_E_MEMORY;
        }
        if (out->at.line == 0) {
            out->at = q[i].at;
        }
        out->of_time = out->of_time || zw_node_depends(m->pool, roots[i], m->slot_t);
        out->of_label = out->of_label || zw_node_depends(m->pool, roots[i], m->slot_s);
        out->of_space = out->of_space || zw_node_depends(m->pool, roots[i], m->slot_x) || zw_node_depends(m->pool, roots[i], m->slot_y) ||
                        zw_node_depends(m->pool, roots[i], m->slot_z);
    }
    ZW_TRY(zw_tape_create(c, m->pool, roots, n, &out->tape));
    out->in = zw_alloc(c, (size_t)zw_pool_inputs(m->pool), sizeof *out->in, "inputs of an expression");
    out->work = zw_alloc(c, (size_t)zw_tape_work(out->tape), sizeof *out->work, "work space of an expression");
    if (out->in == NULL || out->work == NULL) {
        zw_field_destroy(out);
        return ZW_E_MEMORY;
    }
    zw_model_inputs(m, out->in);
    return ZW_OK;
}

void zw_field_destroy(zw_field *f) {
    if (f->model == NULL) {
        return;
    }
    zw_context *c = f->model->context;
    zw_tape_destroy(f->tape);
    zw_free(c, f->in);
    zw_free(c, f->work);
    *f = (zw_field){0};
}

static zw_status explain(zw_field *f, const char *subject) {
    zw_context *c = f->model->context;
    zw_text text;
    zw_text_init(&text, c);
    zw_tape_explain(f->tape, f->in, &text);
    zw_status status = zw_model_raise(f->model, ZW_E_DIVERGED, f->at, subject, "guard the expression with if() or change its range", "%s",
                                      text.s != NULL ? text.s : "an expression is not finite");
    zw_text_destroy(&text);
    return status;
}

zw_status zw_field_eval(zw_field *f, const char *subject, double *out) {
    zw_tape_eval(f->tape, f->in, f->work, out);
    for (int i = 0; i < f->n; i++) {
        if (!isfinite(out[i])) {
            return explain(f, subject);
        }
    }
    return ZW_OK;
}

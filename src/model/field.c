/* SPDX-License-Identifier: Apache-2.0
 * field.c: one tape for some quantities, its inputs and its work space. */
#include "model/field.h"

#include <math.h>

zw_status zw_field_create(const zw_model *m, int n, const zw_quantity *q, const double *missing, zw_field *out) {
    zw_context *c = m->context;
    zw_node     roots[36];
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
    zw_free(c, f->wide);
    zw_free(c, f->lane_out);
    *f = (zw_field){0};
}

static zw_status explain(zw_field *f, const char *subject) {
    zw_context *c = f->model->context;
    zw_text     text;
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

zw_status zw_field_widen(zw_field *f) {
    zw_context *c = f->model->context;
    const int   slots[4] = {f->model->slot_s, f->model->slot_x, f->model->slot_y, f->model->slot_z};
    ZW_TRY(zw_tape_widen(f->tape, slots, 4));
    f->wide = zw_alloc(c, (size_t)zw_tape_work_wide(f->tape), sizeof *f->wide, "work space of an expression");
    f->lane_out = zw_alloc(c, ZW_TAPE_LANES * (size_t)f->n, sizeof *f->lane_out, "work space of an expression");
    return f->wide != NULL && f->lane_out != NULL ? ZW_OK : ZW_E_MEMORY;
}

void zw_field_start(zw_field *f) {
    zw_tape_common(f->tape, f->in, f->wide);
}

zw_status zw_field_eval_wide(zw_field *f, const char *subject, zw_field_points *p, int count, double *out) {
    for (int k = count; k < ZW_TAPE_LANES; k++) { /* sound numbers in every lane */
        for (int i = 0; i < 4; i++) {
            p->lane[i][k] = p->lane[i][0];
        }
    }
    zw_tape_eval_wide(f->tape, &p->lane[0][0], f->wide, f->lane_out);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < f->n; i++) {
            double value = f->lane_out[ZW_TAPE_LANES * i + k];
            if (!isfinite(value)) {
                zw_field_set_label(f, p->lane[0][k]);
                zw_field_set_space(f, (const double[3]){p->lane[1][k], p->lane[2][k], p->lane[3][k]});
                return explain(f, subject);
            }
            out[f->n * k + i] = value;
        }
    }
    return ZW_OK;
}

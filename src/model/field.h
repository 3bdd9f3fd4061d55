/* SPDX-License-Identifier: Apache-2.0
 * field.h: some quantities of a model evaluated together, again and again, with changing t, s, x, y, z. */
#ifndef ZW_MODEL_FIELD_H
#define ZW_MODEL_FIELD_H

#include "model/model.h"

typedef struct zw_field {
    const zw_model *model;
    zw_tape        *tape;
    int             n;
    double         *in, *work;
    double         *wide, *lane_out; /* work space and results of eight points; NULL until zw_field_widen */
    zw_where        at;              /* where the first of them is written */
    bool            of_time, of_label, of_space;
} zw_field;

/* a quantity that is not given has the value of `missing` (NULL: 0) */
zw_status zw_field_create(const zw_model *m, int n, const zw_quantity *q, const double *missing, zw_field *out);
void      zw_field_destroy(zw_field *f);
/* in[] slots are set with these; the parameters are there already */
static inline void zw_field_set_time(zw_field *f, double t) {
    f->in[f->model->slot_t] = t;
}
static inline void zw_field_set_label(zw_field *f, double s) {
    f->in[f->model->slot_s] = s;
}
static inline void zw_field_set_space(zw_field *f, const double r[3]) {
    f->in[f->model->slot_x] = r[0];
    f->in[f->model->slot_y] = r[1];
    f->in[f->model->slot_z] = r[2];
}
/* out[n]; a value that is not finite is raised as ZW_E_DIVERGED with the sub-expression at fault */
zw_status zw_field_eval(zw_field *f, const char *subject, double *out);

/* many points in a row, eight at a time, with a label and a position each and the same time: the same bits and the same errors as one by one */
typedef struct zw_field_points {
    double lane[4][ZW_TAPE_LANES]; /* s, x, y, z */
} zw_field_points;
zw_status          zw_field_widen(zw_field *f); /* once, before the two below */
void               zw_field_start(zw_field *f); /* after the time was set */
static inline void zw_field_put(zw_field_points *p, int k, double s, const double r[3]) {
    p->lane[0][k] = s;
    p->lane[1][k] = r[0];
    p->lane[2][k] = r[1];
    p->lane[3][k] = r[2];
}
/* out[n i + j]: quantity j at point i < count <= 8; the error is that of the first point where a value is not finite */
zw_status zw_field_eval_wide(zw_field *f, const char *subject, zw_field_points *p, int count, double *out);

#endif

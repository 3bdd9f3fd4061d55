/* SPDX-License-Identifier: Apache-2.0
 * vary.h: one model at any value of one of its parameters.
 *
 * A parameter may stand anywhere in the model, in lengths, sections, loads or places; so the model is read again with the new value, and the system built again. What is
 * kept of an old system (states, forces of rows) fits the new one, because sizes must not change: a parameter that changes the number of elements or rows is refused. */
#ifndef ZW_ANALYSIS_VARY_H
#define ZW_ANALYSIS_VARY_H

#include "steps/implicit.h"
#include "zwang/model.h"

typedef struct zw_vary {
    zw_context     *c;
    const zw_model *given;     /* not owned                            */
    const char     *parameter; /* NULL: the model as it is             */
    double          value;
    zw_model       *model; /* with the value; NULL: given is it    */
    zw_system      *y;
    zw_implicit     k;
} zw_vary;

/* parameter NULL: nothing varies. Raises where there is no such parameter, with the names there are */
ZW_MUST_USE zw_status zw_vary_create(const zw_model *m, const char *parameter, zw_vary *out);
ZW_MUST_USE zw_status zw_vary_set(zw_vary *v, double value); /* after an error the old system is still there */
void                  zw_vary_destroy(zw_vary *v);

#endif

/* SPDX-License-Identifier: Apache-2.0
 * vary.c: the model read again for each value. See vary.h. */
#include "analysis/vary.h"

#include "base/context.h"
#include "base/number.h"
#include "base/text.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

enum { NAMES_TEXT = 200, SET_TEXT = 160 };

static zw_status build(const zw_model *m, zw_system **y, zw_implicit *k) {
    ZW_TRY(zw_system_create(m, y));
    zw_status status = zw_implicit_stays(*y, "statics and modes");
    status = status == ZW_OK ? zw_implicit_create(*y, k) : status;
    if (status != ZW_OK) {
        zw_system_destroy(*y);
        *y = NULL;
        return status;
    }
    if (!zw_system_spin(*y, &k->spin) && k->spin.why[0] != '\0') { /* not spinning is an answer too */
        status =
            zw_raise(m->context, ZW_E_MODEL, "frames", "let all of the model rest in one frame with `spin`, or in frames that do not move",
                     "nothing rests in this model: %s", k->spin.why);
        zw_implicit_destroy(k);
        zw_system_destroy(*y);
        *y = NULL;
        return status;
    }
    return ZW_OK;
}

static zw_status unknown(const zw_model *m, const char *parameter) {
    char   names[NAMES_TEXT] = "the model has none";
    size_t at = 0;
    for (int i = 0; i < m->nparameters && at + 4 < sizeof names; i++) {
        int n = snprintf(names + at, sizeof names - at, "%s%s", i > 0 ? ", " : "there are: ", m->parameter_name[i]);
        at += n > 0 ? (size_t)n : 0;
    }
    return zw_raise(m->context, ZW_E_MODEL, parameter, "write it under parameters: and use it where it belongs",
                    "the model has no parameter with this name; %s", names);
}

zw_status zw_vary_create(const zw_model *m, const char *parameter, zw_vary *out) {
    *out = (zw_vary){.c = m->context, .given = m};
    if (parameter != NULL) {
        int i = 0;
        while (i < m->nparameters && strcmp(m->parameter_name[i], parameter) != 0) {
            i++;
        }
        if (i == m->nparameters) {
            return unknown(m, parameter);
        }
        out->parameter = m->parameter_name[i];
        out->value = m->parameter_value[i];
    }
    return build(m, &out->y, &out->k);
}

zw_status zw_vary_set(zw_vary *v, double value) {
    zw_model   *model = NULL;
    zw_system  *y = NULL;
    zw_implicit k;
    char        set[SET_TEXT], number[ZW_NUMBER_TEXT];
    int         n = snprintf(set, sizeof set, "%s=%s", v->parameter, zw_number_text(value, number));
    const char *sets[] = {set};
    if (n < 0 || (size_t)n >= sizeof set) {
        return zw_raise(v->c, ZW_E_MODEL, v->parameter, "give the parameter a shorter name",
                        "the name of the parameter is too long to be varied");
    }
    ZW_TRY(zw_model_parse(v->c, v->given->file, v->given->text, strlen(v->given->text), 1, sets, &model));
    zw_status status = build(model, &y, &k);
    if (status != ZW_OK) {
        zw_model_destroy(model);
        return status;
    }
    if (k.n.nq != v->k.n.nq || k.n.nv != v->k.n.nv || k.m != v->k.m) {
        zw_implicit_destroy(&k);
        zw_system_destroy(y);
        zw_model_destroy(model);
        return zw_raise(v->c, ZW_E_MODEL, v->parameter, "vary a parameter that elements and rows do not depend on",
                        "at %s the model has another number of nodes or rows: a path cannot lead there", number);
    }
    k.damp = v->k.damp;
    zw_implicit_destroy(&v->k);
    zw_system_destroy(v->y);
    zw_model_destroy(v->model);
    v->model = model;
    v->y = y;
    v->k = k;
    v->value = value;
    return ZW_OK;
}

void zw_vary_destroy(zw_vary *v) {
    if (v->y != NULL) {
        zw_implicit_destroy(&v->k);
        zw_system_destroy(v->y);
    }
    zw_model_destroy(v->model);
    *v = (zw_vary){0};
}

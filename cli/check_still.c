/* SPDX-License-Identifier: Apache-2.0
 * check_still.c: zwang check of a model of statics or modes: the system at the first value, probes and channels, and whether everything is held. */
#include "check_still.h"

#include <math.h>
#include <string.h>

#include "steps/neutral.h"
#include "analysis/still.h"
#include "analysis/vary.h"
#include "base/number.h"
#include "base/text.h"
#include "model/model.h"
#include "output.h"
#include "verbs.h"

typedef struct found {
    int    freedom, constraints, rows;
    size_t width;
} found;

static zw_status look(zw_context *c, const zw_model *m, found *f) {
    zw_vary   v;
    zw_rest   rest = {0};
    zw_still  still = {0};
    zw_state  x = {0};
    bool      bound = false;
    zw_status status = zw_vary_create(m, m->statics.vary, &v);
    ZW_TRY(status);
    status = zw_state_create(c, &v.k.n, &x);
    status = status == ZW_OK ? zw_system_start(v.y, &x) : status;
    status = status == ZW_OK ? zw_rest_create(&v.k, &x, &rest) : status;
    status = status == ZW_OK && m->statics.given ? zw_neutral_floats(&rest) : status; /* free bodies have modes */
    if (status == ZW_OK) {
        status = zw_still_create(m, v.y, &still);
        bound = status == ZW_OK;
    }
    if (status == ZW_OK) {
        const zw_constraint *all;
        *f = (found){.freedom = v.k.n.nv, .constraints = zw_system_constraints(v.y, &all), .rows = v.k.m, .width = still.run.layout.width};
    }
    if (bound) {
        zw_still_destroy(&still);
    }
    zw_rest_destroy(&rest);
    zw_state_destroy(c, &x);
    zw_vary_destroy(&v);
    return status;
}

static void print_text(const zw_session *s, const zw_model *m, const found *f) {
    char a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    printf("%s\n", zw_model_title(m)[0] ? zw_model_title(m) : s->model_name);
    for (int i = 0; i < m->nbodies; i++) {
        const zw_body_def *body = &m->bodies[i];
        if (body->kind == ZW_BODY_ROD) {
            printf("  %-20s rod, %d elements\n", body->name, body->rod.elements);
        } else {
            printf("  %-20s %s\n", body->name, body->kind == ZW_BODY_RIGID ? "rigid body" : "lagrangian");
        }
    }
    printf("  %-20s %d\n", "degrees of freedom", f->freedom);
    printf("  %-20s %d with %d row%s\n", "constraints", f->constraints, f->rows, f->rows == 1 ? "" : "s");
    if (m->modes.given) {
        printf("  %-20s %d about the %s\n", "modes", m->modes.count, zw_modes_about_name(m->modes.about));
    }
    if (m->statics.vary) {
        double to = NAN, from = NAN;
        for (int i = 0; i < m->nparameters; i++) {
            from = strcmp(m->parameter_name[i], m->statics.vary) == 0 ? m->parameter_value[i] : from;
        }
        if (m->statics.from.node != 0 && zw_model_constant(m, m->statics.from, "statics.from", &from) != ZW_OK) {
            from = NAN;
        }
        if (zw_model_constant(m, m->statics.to, "statics.to", &to) != ZW_OK) {
            to = NAN;
        }
        printf("  %-20s %s from %s to %s, %d points\n", "statics", m->statics.vary, zw_number_short(from, 6, a), zw_number_short(to, 6, b),
               m->statics.points);
    } else if (m->statics.given) {
        printf("  %-20s one equilibrium\n", "statics");
    }
    printf("ok\n");
}

static void print_json(const zw_session *s, const zw_model *m, const found *f) {
    zw_text t;
    zw_text_init(&t, s->context);
    zw_text_add(&t, "{\"version\": ");
    zw_text_json_string(&t, zw_version());
    zw_text_add(&t, ", \"model\": {\"title\": ");
    zw_text_json_string(&t, zw_model_title(m));
    zw_text_add(&t, ", \"file\": ");
    zw_text_json_string(&t, s->model_name);
    zw_text_addf(
        &t,
        ", \"hash\": \"%016llx\"}, \"outcome\": \"ok\", \"analysis\": \"%s\", \"degrees_of_freedom\": %d, \"constraints\": %d, \"rows\": %d, \"vary\": ",
        (unsigned long long)zw_model_hash(m), m->statics.given ? "statics" : "modes", f->freedom, f->constraints, f->rows);
    if (m->statics.vary) {
        zw_text_json_string(&t, m->statics.vary);
    } else {
        zw_text_add(&t, "null");
    }
    zw_text_addf(&t, ", \"frames\": %d, \"results_bytes\": %lld, \"warnings\": [", m->statics.vary ? m->statics.points : 1,
                 8LL * (long long)f->width * (m->statics.vary ? m->statics.points : 1));
    for (int i = 0; i < s->nwarnings; i++) {
        zw_text_add(&t, i ? ", " : "");
        zw_text_json_string(&t, s->warning[i]);
    }
    zw_text_add(&t, "]}\n");
    if (zw_text_status(&t) == ZW_OK) {
        fputs(t.s, stdout);
    }
    zw_text_destroy(&t);
}

int zw_check_still(zw_session *s, const zw_model *m) {
    found     f = {0};
    zw_status status = look(s->context, m, &f);
    if (status != ZW_OK) {
        return zw_session_fail(s, status);
    }
    zw_session_warnings(s, stderr);
    if (s->options->json) {
        print_json(s, m, &f);
    } else if (!s->options->quiet) {
        print_text(s, m, &f);
    }
    return ZW_EXIT_OK;
}

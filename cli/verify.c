/* SPDX-License-Identifier: Apache-2.0
 * verify.c: zwang verify: the checks of zwang/verify.h as a table, or as one JSON object. */
#include "zwang/verify.h"

#include "base/context.h"
#include "base/number.h"
#include "output.h"
#include "session.h"
#include "verbs.h"

static const char *verdict(const zw_verify_check *c) {
    return c->states == 0 ? "-" : c->ok ? "ok" : "FAIL";
}

static void print_text(const char *name, const zw_verification *v) {
    char x[ZW_NUMBER_TEXT], y[ZW_NUMBER_TEXT];
    bool colour = zw_output_has_colour(stdout);
    printf("%s: %d admissible states of %d tried", name, v->states, v->tried);
    if (v->rejected > 0) {
        printf(" (rejected: %d positions not closed, %d velocities not closed, %d not defined)", v->rejected_position, v->rejected_velocity,
               v->rejected_undefined);
    }
    printf("\n%d velocit%s, %d row%s; cond(A M^-1 A') up to %s\n", v->n, v->n == 1 ? "y" : "ies", v->rows, v->rows == 1 ? "" : "s",
           zw_number_short(v->condition, 3, x));
    if (v->redundant_states > 0) {
        printf("up to %d redundant row%s at %d states: multiplier and macmillan took the independent ones\n", v->redundant,
               v->redundant == 1 ? "" : "s", v->redundant_states);
    }
    printf("\n%-31s %9s %9s %6s  %-5s %s\n", "check", "largest", "tolerance", "state", "", "what is compared");
    for (int i = 0; i < ZW_VERIFY_CHECKS; i++) {
        const zw_verify_check *c = &v->check[i];
        if (c->states == 0) {
            printf("%-31s %9s %9s %6s  %-5s %s\n", c->name, "", "", "", verdict(c), c->note);
            continue;
        }
        const char *mark = colour && !c->ok ? "\033[1;31m" : "", *end = colour && !c->ok ? "\033[0m" : "";
        printf("%-31s %9s %9s %6d  %s%-5s%s %s", c->name, zw_number_short(c->largest, 2, x), zw_number_short(c->tolerance, 2, y), c->state,
               mark, verdict(c), end, c->compared);
        printf("%s%s%s\n", !c->ok && c->where[0] ? " (" : "", !c->ok ? c->where : "", !c->ok && c->where[0] ? ")" : "");
    }
    if (v->between[0] != NULL) {
        printf("\nformulations agree to %s of the accelerations (%s and %s, state %d)\n", zw_number_short(v->disagreement, 2, x),
               v->between[0], v->between[1], v->disagreement_state);
    }
    printf("%s\n", v->ok ? "ok" : "FAIL");
}

static void json_check(zw_text *t, const zw_verify_check *c) {
    zw_text_add(t, "{\"check\": ");
    zw_text_json_string(t, c->name);
    zw_text_add(t, ", \"compared\": ");
    zw_text_json_string(t, c->compared);
    zw_text_addf(t, ", \"states\": %d", c->states);
    if (c->states == 0) {
        zw_text_add(t, ", \"left_out\": ");
        zw_text_json_string(t, c->note);
    } else {
        zw_text_add(t, ", \"largest\": ");
        zw_text_json_number(t, c->largest);
        zw_text_add(t, ", \"tolerance\": ");
        zw_text_json_number(t, c->tolerance);
        zw_text_addf(t, ", \"state\": %d, \"where\": ", c->state);
        zw_text_json_string(t, c->where);
        zw_text_addf(t, ", \"ok\": %s", c->ok ? "true" : "false");
    }
    zw_text_add(t, "}");
}

static void print_json(const zw_model *m, const zw_verification *v, const zw_session *s, uint64_t seed) {
    zw_text t;
    zw_text_init(&t, s->context);
    zw_text_add(&t, "{\"version\": ");
    zw_text_json_string(&t, zw_version());
    zw_text_add(&t, ", \"model\": {\"title\": ");
    zw_text_json_string(&t, zw_model_title(m));
    zw_text_add(&t, ", \"file\": ");
    zw_text_json_string(&t, s->model_name);
    zw_text_addf(&t, ", \"hash\": \"%016llx\"}, \"outcome\": \"%s\", \"states\": %d, \"tried\": %d, \"seed\": %llu",
                 (unsigned long long)zw_model_hash(m), v->ok ? "ok" : "failed", v->states, v->tried, (unsigned long long)seed);
    zw_text_addf(&t, ", \"rejected\": {\"total\": %d, \"position\": %d, \"velocity\": %d, \"undefined\": %d}", v->rejected,
                 v->rejected_position, v->rejected_velocity, v->rejected_undefined);
    zw_text_addf(&t, ", \"velocities\": %d, \"rows\": %d, \"redundant\": {\"rows\": %d, \"states\": %d}, \"condition\": ", v->n, v->rows,
                 v->redundant, v->redundant_states);
    zw_text_json_number(&t, v->condition);
    zw_text_add(&t, ", \"disagreement\": ");
    if (v->between[0] == NULL) {
        zw_text_add(&t, "null");
    } else {
        zw_text_add(&t, "{\"largest\": ");
        zw_text_json_number(&t, v->disagreement);
        zw_text_addf(&t, ", \"between\": [\"%s\", \"%s\"], \"where\": \"state %d\"}", v->between[0], v->between[1], v->disagreement_state);
    }
    zw_text_add(&t, ", \"checks\": [");
    for (int i = 0; i < ZW_VERIFY_CHECKS; i++) {
        zw_text_add(&t, i > 0 ? ", " : "");
        json_check(&t, &v->check[i]);
    }
    zw_text_add(&t, "], \"warnings\": [");
    for (int i = 0; i < s->nwarnings; i++) {
        zw_text_add(&t, i > 0 ? ", " : "");
        zw_text_json_string(&t, s->warning[i]);
    }
    zw_text_add(&t, "]}\n");
    if (zw_text_status(&t) == ZW_OK) {
        fputs(t.s, stdout);
    }
    zw_text_destroy(&t);
}

int zw_verb_verify(const zw_options *o) {
    zw_session s;
    int        code = zw_session_begin(&s, o);
    if (code != ZW_EXIT_OK) {
        return code;
    }
    zw_model       *m = NULL;
    zw_system      *y = NULL;
    zw_verification v;
    zw_verify_def   def = zw_verify_def_default();
    def.states = o->states > 0 ? o->states : def.states;
    def.seed = o->seeded ? (uint64_t)o->seed : def.seed;
    zw_status status = zw_session_load(&s, &m);
    if (status == ZW_OK) {
        status = zw_system_create(m, &y);
    }
    if (status == ZW_OK) {
        zw_interrupt_catch(s.context);
        status = zw_verify(y, &def, &v);
        zw_interrupt_release();
    }
    if (status != ZW_OK) {
        code = zw_session_fail(&s, status);
    } else {
        zw_session_warnings(&s, stderr);
        if (o->json) {
            print_json(m, &v, &s, def.seed);
        } else if (!o->quiet) {
            const char *title = zw_model_title(m);
            print_text(title != NULL && title[0] ? title : s.model_name, &v);
        }
        code = v.ok ? ZW_EXIT_OK : ZW_EXIT_FAILED;
    }
    zw_system_destroy(y);
    zw_model_destroy(m);
    zw_session_end(&s);
    return code;
}

/* SPDX-License-Identifier: Apache-2.0
 * summary.c: a zw_summary as JSON. Absolute SI values with the scale beside them; what is not finite is null; vectors are lists. */
#include "record/summary.h"

#include "model/model.h"

#include <math.h>

static void put_key(zw_text *t, const char *key) {
    if (t->n > 0 && t->s[t->n - 1] != '{') {
        zw_text_add(t, ", ");
    }
    zw_text_json_string(t, key);
    zw_text_add(t, ": ");
}

static void put_number(zw_text *t, const char *key, double value) {
    put_key(t, key);
    zw_text_json_number(t, value);
}

static void put_count(zw_text *t, const char *key, int64_t value) {
    put_key(t, key);
    zw_text_addf(t, "%lld", (long long)value);
}

static void put_string(zw_text *t, const char *key, const char *value) {
    put_key(t, key);
    zw_text_json_string(t, value ? value : "");
}

static void put_bool(zw_text *t, const char *key, bool value) {
    put_key(t, key);
    zw_text_add(t, value ? "true" : "false");
}

/* one number, or a list of them */
static void put_numbers(zw_text *t, const char *key, const double *value, int n) {
    put_key(t, key);
    if (n == 1) {
        zw_text_json_number(t, value[0]);
        return;
    }
    zw_text_add(t, "[");
    for (int i = 0; i < n; i++) {
        zw_text_add(t, i > 0 ? ", " : "");
        zw_text_json_number(t, value[i]);
    }
    zw_text_add(t, "]");
}

static void open_object(zw_text *t, const char *key) {
    put_key(t, key);
    zw_text_add(t, "{");
}

static void put_warnings(zw_text *t, const zw_summary *s) {
    int n = 0;
    put_key(t, "warnings");
    zw_text_add(t, "[");
    if (s->redundant > 0) {
        zw_text_addf(t, "\"%d of %d constraint rows repeat others; their forces are shared evenly\"", s->redundant, s->rows);
        n++;
    }
    if (s->limit > 0.0 && s->step > s->limit) {
        zw_text_add(t, n > 0 ? ", " : "");
        zw_text_add(t, "\"the step ");
        zw_text_short(t, s->step, 4);
        zw_text_add(t, " s is beyond the stability limit ");
        zw_text_short(t, s->limit, 4);
        zw_text_add(t, " s\"");
    }
    zw_text_add(t, "]");
}

zw_status zw_summary_json(zw_context *c, const zw_model *m, const zw_summary *s, double wall_s, zw_text *out) {
    zw_text *t = out;
    (void)c;
    zw_text_add(t, "{");
    put_string(t, "version", zw_version());
    open_object(t, "model");
    put_string(t, "title", zw_model_title(m));
    put_string(t, "file", m->file);
    put_key(t, "hash");
    zw_text_addf(t, "\"%016llx\"", (unsigned long long)zw_model_hash(m));
    zw_text_add(t, "}");
    put_string(t, "outcome", zw_outcome_name(s->outcome));
    put_number(t, "t", s->t);
    put_number(t, "until", s->until);
    put_count(t, "steps", s->steps);
    put_count(t, "steps_total", s->steps_total);
    put_count(t, "frames", s->frames);
    put_number(t, "wall_s", wall_s);
    put_string(t, "integrator", s->integrator);
    put_number(t, "step", s->step);
    put_bool(t, "adaptive", s->adaptive);
    put_number(t, "tolerance", s->tolerance);
    put_number(t, "step_min", s->step_least);
    put_number(t, "step_max", s->step_most);
    put_count(t, "rejected", s->rejected);
    put_number(t, "limit", s->limit);

    open_object(t, "energy");
    put_number(t, "initial", s->energy_initial);
    put_number(t, "final", s->energy_final);
    put_number(t, "drift_max", s->energy_drift_max);
    put_number(t, "scale", s->energy_scale);
    put_number(t, "kinetic", s->kinetic);
    put_number(t, "elastic", s->elastic);
    put_number(t, "potential", s->potential);
    put_number(t, "work", s->work);
    put_number(t, "dissipated", s->dissipated);
    zw_text_add(t, "}");

    open_object(t, "momentum");
    put_number(t, "linear_drift_max", s->linear_drift_max);
    put_number(t, "angular_drift_max", s->angular_drift_max);
    put_number(t, "scale", s->linear_scale);
    put_number(t, "linear_scale", s->linear_scale);
    put_number(t, "angular_scale", s->angular_scale);
    put_bool(t, "linear_conserved", s->linear_conserved);
    put_bool(t, "angular_conserved", s->angular_conserved);
    zw_text_add(t, "}");

    open_object(t, "constraint");
    put_number(t, "position_max", s->constraint_position_max);
    put_number(t, "velocity_max", s->constraint_velocity_max);
    put_number(t, "velocity_relative_max", s->constraint_velocity_relative_max);
    put_count(t, "rows", s->rows);
    put_count(t, "redundant", s->redundant);
    zw_text_add(t, "}");

    open_object(t, "zwang");
    put_number(t, "max", s->zwang_max);
    put_number(t, "mean", s->zwang_mean);
    zw_text_add(t, "}");

    open_object(t, "impacts");
    put_count(t, "count", s->impacts);
    put_count(t, "events", s->events);
    put_count(t, "zeno", s->zenos);
    put_count(t, "rest", s->rests);
    put_count(t, "release", s->releases);
    put_count(t, "order_dependent", s->order_dependent);
    put_number(t, "dissipated", s->impact_loss);
    put_number(t, "impulse_max", s->impulse_max);
    zw_text_add(t, "}");

    open_object(t, "own"); /* numbers that the integrator reports of its own, by the names of their channels */
    for (int i = 0; i < s->nown; i++) {
        open_object(t, s->own[i].name);
        put_number(t, "final", s->own[i].final);
        put_number(t, "max", s->own[i].max);
        zw_text_add(t, "}");
    }
    zw_text_add(t, "}");

    open_object(t, "probes");
    for (int i = 0; i < s->nprobes; i++) {
        const zw_probe_summary *p = &s->probes[i];
        open_object(t, p->name);
        put_numbers(t, "final", p->final, p->width);
        put_numbers(t, "min", p->min, p->width);
        put_numbers(t, "max", p->max, p->width);
        zw_text_add(t, "}");
    }
    zw_text_add(t, "}");
    put_warnings(t, s);
    zw_text_add(t, "}\n");
    return zw_text_status(t);
}

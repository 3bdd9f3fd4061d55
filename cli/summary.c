/* SPDX-License-Identifier: Apache-2.0
 * summary.c: prints the summary of a run. The JSON object that programs get is the one source, so the two cannot disagree. */
#include "summary.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "record/json.h"

typedef struct table {
    FILE          *f;
    const zw_json *j;
} table;

static const char *text(double x, int digits, char out[ZW_NUMBER_TEXT]) {
    return zw_number_short(x, digits, out);
}

static void row(const table *b, const char *name, const char *value) {
    fprintf(b->f, "  %-23s %s\n", name, value);
}

/* "1.2e-13 J (1e-15 of the scale 103 J)" */
static void row_drift(const table *b, const char *name, double drift, double scale, const char *unit) {
    char value[200], d[ZW_NUMBER_TEXT], r[ZW_NUMBER_TEXT], s[ZW_NUMBER_TEXT];
    if (scale > 0) {
        snprintf(value, sizeof value, "%s %s (%s of the scale %s %s)", text(drift, 2, d), unit, text(drift / scale, 2, r),
                 text(scale, 4, s), unit);
    } else {
        snprintf(value, sizeof value, "%s %s", text(drift, 2, d), unit);
    }
    row(b, name, value);
}

static void row_energy(const table *b) {
    if (!zw_json_find(b->j, "energy")) {
        return;
    }
    char   value[200], a[ZW_NUMBER_TEXT], z[ZW_NUMBER_TEXT];
    double scale = zw_json_number(b->j, "energy.scale", 0), start = zw_json_number(b->j, "energy.initial", NAN);
    start = fabs(start) < 1e-14 * scale ? 0 : start; /* round-off of a sum that cancels */
    snprintf(value, sizeof value, "%s J at the start, %s J at the end", text(start, 8, a),
             text(zw_json_number(b->j, "energy.final", NAN), 8, z));
    row(b, "energy", value);
    row_drift(b, "energy drift", zw_json_number(b->j, "energy.drift_max", NAN), scale, "J");
}

static void row_momentum(const table *b, const char *name, const char *which, const char *unit) {
    char path[64];
    snprintf(path, sizeof path, "momentum.%s_drift_max", which);
    const zw_json *drift = zw_json_find(b->j, path);
    if (!drift) {
        return;
    }
    snprintf(path, sizeof path, "momentum.%s_scale", which);
    double scale = zw_json_number(b->j, path, 0);
    if (scale == 0.0) { /* a field, or bodies at rest: there is none */
        return;
    }
    snprintf(path, sizeof path, "momentum.%s_conserved", which);
    const zw_json *conserved = zw_json_find(b->j, path);
    if (drift->kind != ZW_JSON_NUMBER || (conserved && conserved->kind == ZW_JSON_FALSE)) {
        row(b, name, "not conserved by this model (gravity, loads or supports)");
        return;
    }
    row_drift(b, name, drift->number, scale, unit);
}

/* numbers of a probe: one, or a list of them */
static void numbers(const zw_json *v, char *out, size_t size) {
    char   one[ZW_NUMBER_TEXT];
    size_t n = 0;
    out[0] = 0;
    if (!v) {
        return;
    }
    if (v->kind != ZW_JSON_ARRAY) {
        snprintf(out, size, "%s", v->kind == ZW_JSON_NUMBER ? text(v->number, 6, one) : "-");
        return;
    }
    for (const zw_json *x = v->child; x && n < size; x = x->next) {
        int wrote = snprintf(out + n, size - n, "%s%s", n ? ", " : "", x->kind == ZW_JSON_NUMBER ? text(x->number, 6, one) : "-");
        n += wrote > 0 ? (size_t)wrote : 0;
    }
}

static int longest(int width, const char *s) {
    int n = (int)strlen(s);
    return n > width ? n : width;
}

static void probes(const table *b) {
    const zw_json *all = zw_json_find(b->j, "probes");
    if (!all || !all->child) {
        return;
    }
    char final[160], least[160], most[160];
    int  w0 = 5, w1 = 5, w2 = 3;
    for (const zw_json *p = all->child; p; p = p->next) {
        numbers(zw_json_find(p, "final"), final, sizeof final);
        numbers(zw_json_find(p, "min"), least, sizeof least);
        w0 = longest(w0, p->key);
        w1 = longest(w1, final);
        w2 = longest(w2, least);
    }
    fprintf(b->f, "\n  %-*s  %-*s  %-*s  %s\n", w0, "probe", w1, "final", w2, "min", "max");
    for (const zw_json *p = all->child; p; p = p->next) {
        numbers(zw_json_find(p, "final"), final, sizeof final);
        numbers(zw_json_find(p, "min"), least, sizeof least);
        numbers(zw_json_find(p, "max"), most, sizeof most);
        fprintf(b->f, "  %-*s  %-*s  %-*s  %s\n", w0, p->key, w1, final, w2, least, most);
    }
}

static void print(const table *b, const char *title) {
    const zw_json *j = b->j;
    char           value[240], x[ZW_NUMBER_TEXT], y[ZW_NUMBER_TEXT], z[ZW_NUMBER_TEXT];
    fprintf(b->f, "%s\n", title[0] ? title : zw_json_string(j, "model.file", "model"));
    double      t = zw_json_number(j, "t", NAN), until = zw_json_number(j, "until", t);
    const char *outcome = zw_json_string(j, "outcome", "unknown");
    outcome = strcmp(outcome, "running") == 0 ? "interrupted" : outcome;
    snprintf(value, sizeof value, "%s at t = %s of %s s", outcome, text(t, 6, x), text(until, 6, y));
    row(b, "outcome", value);
    double      step = zw_json_number(j, "step", NAN), limit = zw_json_number(j, "limit", 0);
    const char *integrator = zw_json_string(j, "integrator", NULL);
    double      tolerance = zw_json_number(j, "tolerance", 0);
    if (tolerance > 0) { /* steps of chosen length */
        snprintf(value, sizeof value, "%s of %s to %s s at tolerance %s%s%s", text(zw_json_number(j, "steps", NAN), 15, x),
                 text(zw_json_number(j, "step_min", NAN), 3, y), text(zw_json_number(j, "step_max", NAN), 3, z),
                 text(tolerance, 2, (char[ZW_NUMBER_TEXT]){0}), integrator ? ", " : "", integrator ? integrator : "");
    } else if (!isnan(step)) {
        if (limit > 0) {
            snprintf(value, sizeof value, "%s of %s s (%s of the stability limit %s s)%s%s", text(zw_json_number(j, "steps", NAN), 15, x),
                     text(step, 4, y), text(step / limit, 2, z), text(limit, 4, (char[ZW_NUMBER_TEXT]){0}), integrator ? ", " : "",
                     integrator ? integrator : "");
        } else {
            snprintf(value, sizeof value, "%s of %s s%s%s", text(zw_json_number(j, "steps", NAN), 15, x), text(step, 4, y),
                     integrator ? ", " : "", integrator ? integrator : "");
        }
    } else {
        snprintf(value, sizeof value, "%s%s%s", text(zw_json_number(j, "steps", NAN), 15, x), integrator ? ", " : "",
                 integrator ? integrator : "");
    }
    row(b, "steps", value);
    snprintf(value, sizeof value, "%s s", text(zw_json_number(j, "wall_s", NAN), 3, x));
    row(b, "wall time", value);
    row_energy(b);
    row_momentum(b, "linear momentum drift", "linear", "N s");
    row_momentum(b, "angular momentum drift", "angular", "N m s");
    if (zw_json_number(j, "constraint.rows", 1) > 0 && zw_json_find(j, "constraint.position_max")) {
        double p = zw_json_number(j, "constraint.position_max", 0), v = zw_json_number(j, "constraint.velocity_max", 0);
        snprintf(value, sizeof value, "position %s, velocity %s", text(p, 2, x), text(v, 2, y));
        row(b, "constraint residual", value);
        snprintf(value, sizeof value, "max %s, mean %s", text(zw_json_number(j, "zwang.max", NAN), 4, x),
                 text(zw_json_number(j, "zwang.mean", NAN), 4, y));
        row(b, "zwang", value);
    }
    if (zw_json_number(j, "impacts.events", 0) > 0) {
        snprintf(value, sizeof value, "%.0f impacts, %.0f contacts came to rest, %.0f released; %s J lost",
                 zw_json_number(j, "impacts.count", 0), zw_json_number(j, "impacts.rest", 0), zw_json_number(j, "impacts.release", 0),
                 text(zw_json_number(j, "impacts.dissipated", NAN), 4, x));
        row(b, "events", value);
        if (zw_json_number(j, "impacts.order_dependent", 0) > 0) {
            snprintf(value, sizeof value, "of simultaneous impacts mattered %.0f times", zw_json_number(j, "impacts.order_dependent", 0));
            row(b, "order", value);
        }
    }
    const zw_json *own = zw_json_find(j, "own");
    for (const zw_json *n = own ? own->child : NULL; n; n = n->next) {
        snprintf(value, sizeof value, "%s at the end, at most %s", text(zw_json_number(n, "final", NAN), 3, x),
                 text(zw_json_number(n, "max", NAN), 3, y));
        row(b, n->key, value);
    }
    const zw_json *warnings = zw_json_find(j, "warnings");
    for (const zw_json *w = warnings ? warnings->child : NULL; w; w = w->next) {
        if (w->kind == ZW_JSON_STRING) {
            row(b, "warning", w->text);
        }
    }
    probes(b);
}

zw_status zw_summary_print(zw_context *c, FILE *f, const char *title, const char *json) {
    zw_arena arena;
    zw_json *j = NULL;
    zw_arena_init(&arena, c);
    zw_status status = zw_json_read(&arena, json, &j);
    if (status == ZW_OK) {
        table b = {f, j};
        print(&b, title);
    }
    zw_arena_destroy(&arena);
    return status;
}

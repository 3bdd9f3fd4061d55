/* SPDX-License-Identifier: Apache-2.0
 * statics.c: zwang statics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "model/model.h"
#include "output.h"
#include "record/json.h"
#include "session.h"
#include "verbs.h"
#include "view_page.h"
#include "zwang/results.h"

enum { TABLE = 30 }; /* points shown; more are in the results */

/* "models/beam.yaml" -> "beam.statics.zw" in the current directory */
static void default_directory(const char *model, char *out, size_t size) {
    const char *slash = strrchr(model, '/');
    const char *base = strcmp(model, "-") == 0 ? "stdin" : slash && slash[1] ? slash + 1 : model;
    const char *dot = strrchr(base, '.');
    int         n = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    snprintf(out, size, "%.*s.statics.zw", n, base);
}

typedef struct line {
    const char *parameter;
    bool        drawn;
} line;

static void draw(void *user, const zw_progress *p) {
    line *l = user;
    char  a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    if (l->parameter) {
        fprintf(stderr, "\r%lld points, %s = %s of %s\033[K", (long long)p->step, l->parameter, zw_number_short(p->t, 5, a),
                zw_number_short(p->until, 5, b));
        fflush(stderr);
        l->drawn = true;
    }
}

/* ---- what people see */

static void numbers(const zw_json *v, char *out, size_t size) {
    char   one[ZW_NUMBER_TEXT];
    size_t n = 0;
    out[0] = 0;
    if (v && v->kind != ZW_JSON_ARRAY) {
        snprintf(out, size, "%s", v->kind == ZW_JSON_NUMBER ? zw_number_short(v->number, 6, one) : "-");
        return;
    }
    for (const zw_json *x = v ? v->child : NULL; x && n < size; x = x->next) {
        int wrote =
            snprintf(out + n, size - n, "%s%s", n ? ", " : "", x->kind == ZW_JSON_NUMBER ? zw_number_short(x->number, 6, one) : "-");
        n += wrote > 0 ? (size_t)wrote : 0;
    }
}

static int count(const zw_json *list) {
    int n = 0;
    for (const zw_json *x = list ? list->child : NULL; x; x = x->next) {
        n++;
    }
    return n;
}

static void print_special(const zw_json *list, const char *name) {
    char p[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    for (const zw_json *x = list ? list->child : NULL; x; x = x->next) {
        double multiplicity = zw_json_number(x, "multiplicity", 1), branch = zw_json_number(x, "branch", 0);
        double exact = zw_json_number(x, "extrapolated", NAN);
        char   e[ZW_NUMBER_TEXT];
        printf("  %-12s %s = %s%s%s%s%s%s%s%s\n", zw_json_string(x, "kind", ""), name,
               zw_number_short(zw_json_number(x, "parameter", NAN), 9, p), zw_json_string(x, "extremum", NULL) ? ", a " : "",
               zw_json_string(x, "extremum", ""),
               multiplicity == 2  ? ", double"
               : multiplicity > 2 ? ", multiple"
                                  : "",
               branch > 0 ? ", on branch " : "", branch > 0 ? zw_number_short(branch, 6, b) : "",
               isnan(exact) ? "" : "; without the mesh's error ", isnan(exact) ? "" : zw_number_short(exact, 9, e));
    }
}

static void print_path(const zw_json *path, const char *name) {
    int  n = count(path), i = 0, every = n > TABLE ? (n + TABLE - 1) / TABLE : 1;
    char p[ZW_NUMBER_TEXT], text[160];
    if (n < 2 || !path->child) {
        return;
    }
    const zw_json *probes = zw_json_find(path->child, "probes");
    printf("\n  %-12s %-9s", name, "stable");
    for (const zw_json *q = probes ? probes->child : NULL; q; q = q->next) {
        numbers(q, text, sizeof text);
        printf("  %-34s", q->key);
    }
    printf("\n");
    for (const zw_json *x = path->child; x; x = x->next, i++) {
        if (i % every != 0 && x->next) {
            continue;
        }
        const zw_json *stable = zw_json_find(x, "stable");
        double         branch = zw_json_number(x, "branch", 0);
        char           word[32];
        snprintf(word, sizeof word, "%s%s%s", stable && stable->kind == ZW_JSON_TRUE ? "yes" : "no", branch > 0 ? " b" : "",
                 branch > 0 ? zw_number_short(branch, 4, p) : "");
        printf("  %-12s %-9s", zw_number_short(zw_json_number(x, "parameter", NAN), 6, p), word);
        probes = zw_json_find(x, "probes");
        for (const zw_json *q = probes ? probes->child : NULL; q; q = q->next) {
            numbers(q, text, sizeof text);
            printf("  %-34s", text);
        }
        printf("\n");
    }
    if (every > 1) {
        printf("  (every %d%s of %d points; all are in the results)\n", every, every == 2 ? "nd" : every == 3 ? "rd" : "th", n);
    }
}

static zw_status print_summary(zw_context *c, const zw_model *m, const char *json) {
    zw_arena arena;
    zw_json *j = NULL;
    char     a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT], text[160], more[160];
    zw_arena_init(&arena, c);
    zw_status status = zw_json_read(&arena, json, &j);
    if (status == ZW_OK) {
        const char    *name = zw_json_string(j, "parameter.name", NULL);
        const zw_json *stable = zw_json_find(j, "stable"), *probes = zw_json_find(j, "probes"), *warnings = zw_json_find(j, "warnings");
        printf("%s\n  %-12s %s\n", zw_model_title(m)[0] ? zw_model_title(m) : zw_json_string(j, "model.file", "model"), "outcome",
               zw_json_string(j, "outcome", ""));
        if (name) {
            printf("  %-12s %d points, %s from %s to %s\n", "path", count(zw_json_find(j, "path")), name,
                   zw_number_short(zw_json_number(j, "parameter.from", NAN), 6, a),
                   zw_number_short(zw_json_number(j, "parameter.reached", NAN), 6, b));
        } else {
            printf("  %-12s %s\n", "equilibrium", stable && stable->kind == ZW_JSON_TRUE ? "stable" : "not stable");
        }
        printf("  %-12s %s of the largest force; rows closed to %s\n", "residual",
               zw_number_short(zw_json_number(j, "residual_max", NAN), 2, a),
               zw_number_short(zw_json_number(j, "constraint.position_max", NAN), 2, b));
        printf("  %-12s %s s\n", "wall time", zw_number_short(zw_json_number(j, "wall_s", NAN), 3, a));
        print_special(zw_json_find(j, "limits"), name ? name : "");
        print_special(zw_json_find(j, "bifurcations"), name ? name : "");
        for (const zw_json *w = warnings ? warnings->child : NULL; w; w = w->next) {
            printf("  %-12s %s\n", "note", w->kind == ZW_JSON_STRING ? w->text : "");
        }
        print_path(zw_json_find(j, "path"), name ? name : "");
        printf("\n  %-20s  %-36s%s\n", "probe", "final",
               zw_json_find(j, "probes") && probes->child && zw_json_find(probes->child, "extrapolated")
                   ? "without the mesh's error (estimate)"
                   : "");
        for (const zw_json *q = probes ? probes->child : NULL; q; q = q->next) {
            numbers(zw_json_find(q, "final"), text, sizeof text);
            numbers(zw_json_find(q, "extrapolated"), more, sizeof more);
            printf("  %-20s  %-36s%s", q->key, text, more);
            numbers(zw_json_find(q, "mesh_error"), more, sizeof more);
            printf(more[0] ? " (%s)\n" : "%s\n", more);
        }
    }
    zw_arena_destroy(&arena);
    return status;
}

/* a program that reads the object finds the errors of a path that broke off in it, too */
static void print_json(zw_context *c, const char *json, zw_status status) {
    size_t n = strlen(json);
    while (n > 0 && strchr(" \t\r\n", json[n - 1])) {
        n--;
    }
    zw_text t;
    zw_text_init(&t, c);
    bool insert = status != ZW_OK && n > 0 && json[n - 1] == '}';
    zw_text_add_n(&t, json, insert ? n - 1 : n);
    if (insert) {
        zw_text_add(&t, ", \"errors\": ");
        zw_output_errors_json(&t, c);
        zw_text_add(&t, "}");
    }
    zw_text_add(&t, "\n");
    fputs(zw_text_status(&t) == ZW_OK ? t.s : json, stdout);
    zw_text_destroy(&t);
}

int zw_verb_statics(const zw_options *o) {
    zw_session s;
    int        code = zw_session_begin(&s, o);
    if (code != ZW_EXIT_OK) {
        return code;
    }
    char      directory[1024];
    zw_model *m = NULL;
    char     *json = NULL;
    default_directory(o->argument[0], directory, sizeof directory);
    zw_status status = zw_session_load(&s, &m);
    if (status != ZW_OK) {
        code = zw_session_fail(&s, status);
        goto done;
    }
    line            l = {.parameter = m->statics.vary};
    zw_simulate_def def = zw_simulate_def_default();
    def.directory = o->output ? o->output : directory;
    def.force = o->force;
    def.report = !o->no_report;
    zw_view_ask(&def);
    def.progress = !o->json && !o->quiet && zw_output_is_terminal(stderr) ? draw : NULL;
    def.progress_user = &l;
    zw_interrupt_catch(s.context);
    status = zw_statics(s.context, m, &def, &json);
    zw_interrupt_release();
    if (l.drawn) {
        fputs("\r\033[K", stderr);
    }
    if (!json) {
        code = zw_session_fail(&s, status == ZW_OK ? ZW_E_INTERNAL : status);
        goto done;
    }
    code = zw_status_exit_code(status);
    zw_session_warnings(&s, stderr);
    if (status != ZW_OK) {
        zw_output_errors(stderr, s.context);
    }
    if (o->json) {
        print_json(s.context, json, status);
    } else if (!o->quiet) {
        if (print_summary(s.context, m, json) != ZW_OK) {
            code = zw_session_fail(&s, ZW_E_INTERNAL);
        }
        printf("\n  results  %s/results.h5\n", def.directory);
        if (!o->no_report) {
            printf("  report   %s/report.html\n", def.directory);
            zw_view_tell(def.directory);
        }
    }
done:
    zw_string_free(s.context, json);
    zw_model_destroy(m);
    zw_session_end(&s);
    return code;
}

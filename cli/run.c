/* SPDX-License-Identifier: Apache-2.0
 * run.c: zwang run. */
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "progress.h"
#include "record/json.h"
#include "session.h"
#include "summary.h"
#include "verbs.h"
#include "view_page.h"
#include "zwang/results.h"

/* "models/beam.yaml" -> "beam.zw" in the current directory */
static void default_directory(const char *model, char *out, size_t size) {
    const char *slash = strrchr(model, '/');
    const char *base = strcmp(model, "-") == 0 ? "stdin" : slash && slash[1] ? slash + 1 : model;
    const char *dot = strrchr(base, '.');
    int         n = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    snprintf(out, size, "%.*s.zw", n, base);
}

/* a program that reads the object finds the errors of a run that broke off in it, too */
static void print_json(zw_context *c, const char *json, zw_status status) {
    size_t n = strlen(json);
    while (n > 0 && strchr(" \t\r\n", json[n - 1])) {
        n--;
    }
    zw_arena arena;
    zw_json *j = NULL;
    zw_arena_init(&arena, c);
    bool insert = status != ZW_OK && n > 0 && json[n - 1] == '}' && zw_json_read(&arena, json, &j) == ZW_OK && !zw_json_find(j, "errors");
    zw_text t;
    zw_text_init(&t, c);
    zw_text_add_n(&t, json, insert ? n - 1 : n);
    if (insert) {
        zw_text_add(&t, j->child ? ", \"errors\": " : "\"errors\": ");
        zw_output_errors_json(&t, c);
        zw_text_add(&t, "}");
    }
    zw_text_add(&t, "\n");
    fputs(zw_text_status(&t) == ZW_OK ? t.s : json, stdout);
    zw_text_destroy(&t);
    zw_arena_destroy(&arena);
}

static void print_places(const zw_options *o, const char *directory, zw_status status) {
    printf("\n  results  %s/results.h5\n", directory);
    if (!o->no_report && status != ZW_E_CANCELLED) {
        printf("  report   %s/report.html\n", directory);
        zw_view_tell(directory);
    }
}

/* the same command again, with --resume */
static void print_hint(const zw_options *o, const char *directory) {
    fprintf(stderr, "zwang: interrupted; a checkpoint is in %s; go on with: zwang run %s", directory, o->argument[0]);
    for (int i = 0; i < o->nsets; i++) {
        fprintf(stderr, " --set '%s'", o->set[i]);
    }
    fprintf(stderr, "%s%s --resume\n", o->output ? " -o " : "", o->output ? o->output : "");
}

int zw_verb_run(const zw_options *o) {
    if (o->force && o->resume) {
        return zw_usage_error(o->json, "run",
                              "--force (replace the results) and --resume (go on with them) exclude each other; give one of them");
    }
    zw_session s;
    int        code = zw_session_begin(&s, o);
    if (code != ZW_EXIT_OK) {
        return code;
    }
    char directory[1024];
    default_directory(o->argument[0], directory, sizeof directory);
    zw_model        *m = NULL;
    char            *json = NULL;
    zw_progress_line line;
    zw_status        status = zw_session_load(&s, &m);
    if (status != ZW_OK) {
        code = zw_session_fail(&s, status);
        goto done;
    }
    zw_progress_line_begin(&line, !o->json && !o->quiet);
    zw_simulate_def def = zw_simulate_def_default();
    def.directory = o->output ? o->output : directory;
    def.force = o->force;
    def.resume = o->resume;
    def.report = !o->no_report;
    zw_view_ask(&def);
    def.progress = line.bar || line.lines ? zw_progress_line_draw : NULL;
    def.progress_user = &line;
    zw_interrupt_catch(s.context);
    status = zw_simulate(s.context, m, &def, &json);
    zw_interrupt_release();
    zw_progress_line_end(&line);
    if (!json) {
        code = zw_session_fail(&s, status == ZW_OK ? ZW_E_INTERNAL : status);
        goto done;
    }
    code = zw_status_exit_code(status);
    zw_session_warnings(&s, stderr);
    if (status == ZW_E_CANCELLED) {
        print_hint(o, def.directory);
    } else if (status != ZW_OK) {
        zw_output_errors(stderr, s.context);
    }
    if (o->json) {
        print_json(s.context, json, status);
    } else if (!o->quiet) {
        if (zw_summary_print(s.context, stdout, zw_model_title(m), json) != ZW_OK) {
            code = zw_session_fail(&s, ZW_E_INTERNAL);
        }
        print_places(o, def.directory, status);
    }
done:
    zw_string_free(s.context, json);
    zw_model_destroy(m);
    zw_session_end(&s);
    return code;
}

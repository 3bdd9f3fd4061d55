/* SPDX-License-Identifier: Apache-2.0
 * validate.c: zwang validate: the shipped reference cases, run in memory and compared with their numbers.
 *
 * The cases are lines of validation/cases.yaml, a list of texts with seven fields:
 *     - NAME | MODEL | SETS | QUANTITY | REFERENCE | TOLERANCE | SOURCE
 * SETS         as after --set, separated by ";"; may be empty
 * QUANTITY     a path in the summary (energy.drift_max, probes.tip.final[0]) or a recorded channel at a time of the record
 *              (probe/tip @ 2.5, momentum/linear[0] @ 10, |momentum/linear| @ 0)
 * REFERENCE    as many numbers as the quantity has, separated by blanks
 * TOLERANCE    of the largest difference: a number, or a number and "rel" for multiples of the largest reference
 * Neighbouring cases of the same model and sets share one run. Models without `run` are those of statics, or of modes where they have
 * `modes`: their quantities are paths in its summary. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "embedded.h"
#include "model/model.h"
#include "output.h"
#include "record/file.h"
#include "record/json.h"
#include "record/modes_json.h"
#include "record/summary.h"
#include "session.h"
#include "verbs.h"
#include "zwang/results.h"

enum { FIELDS = 7, CASES_MOST = 256, NUMBERS = 6, SETS_MOST = 16 };

typedef struct validation {
    char   field[FIELDS][160]; /* name, model, sets, quantity, reference, tolerance, source */
    bool   selected;
    int    n; /* numbers */
    double reference[NUMBERS], measured[NUMBERS], tolerance, difference, wall_s;
    bool   found, ok;
    /* a channel at a time */
    bool   at_time, norm;
    char   channel[96];
    int    component; /* -1: all */
    double time;
} validation;

typedef struct batch {
    zw_context      *context;
    validation      *first;
    int              n;
    const zw_layout *layout;
} batch;

enum { NAME, MODEL, SETS, QUANTITY, REFERENCE, TOLERANCE, SOURCE };

/* ---- reading the table */

static void copy_trimmed(char *out, size_t size, const char *s, size_t n) {
    while (n > 0 && s[0] == ' ') {
        s++;
        n--;
    }
    while (n > 0 && s[n - 1] == ' ') {
        n--;
    }
    snprintf(out, size, "%.*s", (int)n, s);
}

static int read_numbers(const char *text, double *out, int room) {
    int n = 0;
    for (const char *p = text; *p;) {
        size_t len = strcspn(p, " ");
        char   word[64];
        copy_trimmed(word, sizeof word, p, len);
        if (word[0] && (n == room || !zw_number_parse(word, &out[n++]))) {
            return -1;
        }
        p += len + (p[len] == ' ');
    }
    return n;
}

/* "|momentum/linear| @ 0", "probe/tip[0] @ 2.5"; false when it is not of this kind or not well formed */
static bool read_channel(validation *v) {
    char        name[160];
    const char *at = strchr(v->field[QUANTITY], '@');
    v->component = -1;
    if (!at) {
        return true;
    }
    v->at_time = true;
    copy_trimmed(name, sizeof name, v->field[QUANTITY], (size_t)(at - v->field[QUANTITY]));
    size_t n = strlen(name);
    if (n > 2 && name[0] == '|' && name[n - 1] == '|') {
        v->norm = true;
        memmove(name, name + 1, n - 2);
        name[n - 2] = 0;
    }
    char *bracket = strchr(name, '[');
    if (bracket) {
        int64_t component = -1;
        char   *close = strchr(bracket, ']');
        if (!close || close[1]) {
            return false;
        }
        *close = 0;
        if (!zw_integer_parse(bracket + 1, &component) || component < 0 || component > 1000000) {
            return false;
        }
        v->component = (int)component;
        *bracket = 0;
    }
    char time[64];
    copy_trimmed(time, sizeof time, at + 1, strlen(at + 1));
    if (strlen(name) >= sizeof v->channel) {
        return false;
    }
    memcpy(v->channel, name, strlen(name) + 1);
    return zw_number_parse(time, &v->time);
}

static bool read_case(const char *line, size_t n, validation *v) {
    memset(v, 0, sizeof *v);
    size_t      from = 2;
    const char *rest = line;
    for (int i = 0; i < FIELDS; i++) { /* fields end at " |" followed by a blank: a norm has its bars without blanks */
        size_t end = from;
        while (end < n && !(rest[end] == '|' && rest[end - 1] == ' ' && (end + 1 == n || rest[end + 1] == ' '))) {
            end++;
        }
        if (end >= n && i < FIELDS - 1) {
            return false;
        }
        copy_trimmed(v->field[i], sizeof v->field[i], rest + from, (end < n ? end : n) - from);
        from = end + 1;
    }
    v->n = read_numbers(v->field[REFERENCE], v->reference, NUMBERS);
    char  *rel = strstr(v->field[TOLERANCE], " rel");
    char   number[64];
    double largest = 0;
    copy_trimmed(number, sizeof number, v->field[TOLERANCE], rel ? (size_t)(rel - v->field[TOLERANCE]) : strlen(v->field[TOLERANCE]));
    if (v->n < 1 || !zw_number_parse(number, &v->tolerance) || !read_channel(v)) {
        return false;
    }
    for (int i = 0; i < v->n; i++) {
        largest = fmax(largest, fabs(v->reference[i]));
    }
    v->tolerance *= rel ? largest : 1;
    return true;
}

static const zw_embedded_file *embedded(const char *name) {
    for (const zw_embedded_file *f = zw_embedded_files; f->name; f++) {
        if (strcmp(f->name, name) == 0) {
            return f;
        }
    }
    return NULL;
}

static zw_status read_cases(zw_context *c, validation *all, int *count) {
    const zw_embedded_file *file = embedded("validation/cases.yaml");
    *count = 0;
    if (!file) {
        return zw_raise(c, ZW_E_INTERNAL, "validation/cases.yaml", "build zwang from a complete source tree",
                        "this program carries no cases");
    }
    int line_number = 1;
    for (const char *p = (const char *)file->bytes; *p; line_number++) {
        size_t n = strcspn(p, "\n");
        if (n > 2 && p[0] == '-' && p[1] == ' ') {
            if (*count == CASES_MOST || !read_case(p, n, &all[*count])) {
                return zw_raise(c, ZW_E_INTERNAL, "validation/cases.yaml", NULL, "line %d is not a case", line_number);
            }
            ++*count;
        }
        p += n + (p[n] == '\n');
    }
    return ZW_OK;
}

/* ---- running */

static void judge(validation *v) {
    v->difference = 0;
    for (int i = 0; i < v->n; i++) {
        double d = fabs(v->measured[i] - v->reference[i]);
        v->difference = isnan(d) ? d : fmax(v->difference, d);
    }
    v->ok = v->found && v->difference <= v->tolerance; /* false for NaN */
}

static zw_status take_epoch(void *self, const zw_layout *layout) {
    ((batch *)self)->layout = layout;
    return ZW_OK;
}

static zw_status take_frame(void *self, const double *frame) {
    batch *b = self;
    for (int k = 0; k < b->n; k++) {
        validation *v = &b->first[k];
        if (!v->selected || !v->at_time || fabs(frame[0] - v->time) > 1e-9 * fmax(1, fabs(v->time))) {
            continue;
        }
        for (int i = 0; i < b->layout->nchannels; i++) {
            const zw_channel *c = &b->layout->channel[i];
            const double     *x = frame + c->offset;
            if (strcmp(c->name, v->channel) != 0) {
                continue;
            }
            if (v->norm && v->n == 1) {
                double sum = 0;
                for (size_t j = 0; j < c->count; j++) {
                    sum += x[j] * x[j];
                }
                v->measured[0] = sqrt(sum);
                v->found = true;
            } else if (v->component >= 0 && v->n == 1 && (size_t)v->component < c->count) {
                v->measured[0] = x[v->component];
                v->found = true;
            } else if (v->component < 0 && !v->norm && (size_t)v->n == c->count) {
                memcpy(v->measured, x, c->count * sizeof *x);
                v->found = true;
            }
        }
    }
    return ZW_OK;
}

/* numbers of a summary, JSON */
static zw_status take_json(const batch *b, const char *json, double wall_s) {
    zw_arena arena;
    zw_json *j = NULL;
    zw_arena_init(&arena, b->context);
    zw_status status = zw_json_read(&arena, json, &j);
    for (int k = 0; k < b->n && status == ZW_OK; k++) {
        validation    *v = &b->first[k];
        const zw_json *x = v->at_time ? NULL : zw_json_find(j, v->field[QUANTITY]);
        v->wall_s = wall_s;
        if (x && x->kind == ZW_JSON_ARRAY) {
            int n = 0;
            for (const zw_json *y = x->child; y; y = y->next, n++) {
                if (n < v->n) {
                    v->measured[n] = y->kind == ZW_JSON_NUMBER ? y->number : NAN;
                }
            }
            v->found = n == v->n;
        } else if (x && v->n == 1 && x->kind == ZW_JSON_NUMBER) {
            v->measured[0] = x->number;
            v->found = true;
        }
        judge(v);
    }
    zw_arena_destroy(&arena);
    return status;
}

static zw_status take_summary(const batch *b, const zw_model *m, const zw_run *run, double wall_s) {
    zw_summary sum;
    zw_text    json;
    zw_run_summary(run, &sum);
    zw_text_init(&json, b->context);
    zw_status status = zw_summary_json(b->context, m, &sum, wall_s, &json);
    status = status == ZW_OK ? take_json(b, json.s, wall_s) : status;
    zw_text_destroy(&json);
    return status;
}

/* a model without a run is one of statics */
static zw_status run_statics(const batch *b, const zw_model *m, double start) {
    zw_simulate_def def = zw_simulate_def_default();
    char           *json = NULL;
    zw_status       status = zw_statics(b->context, m, &def, &json); /* without a directory: nothing is written */
    status = status == ZW_OK ? take_json(b, json, zw_clock() - start) : status;
    zw_string_free(b->context, json);
    return status;
}

/* one with `modes` is one of those */
static zw_status run_modes(const batch *b, const zw_model *m, double start) {
    zw_modes *modes = NULL;
    zw_text   json;
    zw_text_init(&json, b->context);
    zw_status status = zw_modes_find(m, NULL, NULL, &modes);
    status = status == ZW_OK ? zw_modes_json(m, modes, "", 0.0, 0, NULL, &json) : status;
    status = status == ZW_OK ? take_json(b, json.s, zw_clock() - start) : status;
    zw_text_destroy(&json);
    zw_modes_destroy(modes);
    return status;
}

static zw_status run_batch(batch *b) {
    char        path[200], sets[160];
    const char *set[SETS_MOST];
    int         nsets = 0;
    snprintf(path, sizeof path, "validation/%s.yaml", b->first->field[MODEL]);
    snprintf(sets, sizeof sets, "%s", b->first->field[SETS]);
    for (char *p = sets; *p && nsets < SETS_MOST;) {
        size_t n = strcspn(p, ";");
        bool   more = p[n] == ';';
        p[n] = 0;
        p += strspn(p, " ");
        set[nsets++] = p;
        p += strlen(p) + more;
    }
    const zw_embedded_file *file = embedded(path);
    if (!file) {
        return zw_raise(b->context, ZW_E_INTERNAL, path, "build zwang from a complete source tree",
                        "this program does not carry the model");
    }
    zw_model   *m = NULL;
    zw_run     *run = NULL;
    zw_recorder recorder = {.self = b, .epoch = take_epoch, .frame = take_frame};
    double      start = zw_clock();
    zw_status   status = zw_model_parse(b->context, path, (const char *)file->bytes, file->size, nsets, set, &m);
    if (status == ZW_OK && !m->run_given) {
        status = m->modes.given ? run_modes(b, m, start) : run_statics(b, m, start);
        zw_model_destroy(m);
        return status;
    }
    if (status == ZW_OK) {
        status = zw_run_create(m, &run);
    }
    if (status == ZW_OK) {
        zw_run_set_recorder(run, &recorder);
        while (status == ZW_OK && !zw_run_done(run)) {
            status = zw_run_advance(run, 100000);
        }
    }
    if (status == ZW_OK) {
        status = take_summary(b, m, run, zw_clock() - start);
    }
    zw_run_destroy(run);
    zw_model_destroy(m);
    return status;
}

/* ---- printing */

static void numbers_text(const double *x, int n, bool found, char *out, size_t size) {
    size_t at = 0;
    char   one[ZW_NUMBER_TEXT];
    out[0] = 0;
    for (int i = 0; i < n && at < size; i++) {
        int wrote = snprintf(out + at, size - at, "%s%s", i ? ", " : "", found ? zw_number_short(x[i], n > 1 ? 7 : 10, one) : "-");
        at += wrote > 0 ? (size_t)wrote : 0;
    }
}

static void print_row(const validation *v, int width, bool first_of_run) {
    char measured[160], reference[160], difference[ZW_NUMBER_TEXT], tolerance[ZW_NUMBER_TEXT], wall[ZW_NUMBER_TEXT + 4] = "";
    char number[ZW_NUMBER_TEXT];
    bool colour = zw_output_has_colour(stdout);
    numbers_text(v->measured, v->n, v->found, measured, sizeof measured);
    numbers_text(v->reference, v->n, true, reference, sizeof reference);
    if (first_of_run) {
        snprintf(wall, sizeof wall, "%s%s s", v->ok ? "    " : "  ", zw_number_short(v->wall_s, 2, number));
    }
    printf("%-*s  %-32s  %-32s  %-9s  %-9s  %s%s%s%s\n", width, v->field[NAME], measured, reference,
           v->found ? zw_number_short(v->difference, 2, difference) : "-", zw_number_short(v->tolerance, 3, tolerance),
           !colour ? ""
           : v->ok ? "\033[32m"
                   : "\033[1;31m",
           v->ok ? "ok" : "FAIL", colour ? "\033[0m" : "", wall);
    fflush(stdout);
}

static void add_numbers(zw_text *t, const char *key, const double *x, int n, bool found) {
    zw_text_addf(t, ", \"%s\": ", key);
    if (!found) {
        zw_text_add(t, "null");
        return;
    }
    zw_text_add(t, n > 1 ? "[" : "");
    for (int i = 0; i < n; i++) {
        zw_text_add(t, i ? ", " : "");
        zw_text_json_number(t, x[i]);
    }
    zw_text_add(t, n > 1 ? "]" : "");
}

static void add_case(zw_text *t, const validation *v, bool listed_only) {
    static const char *const key[] = {"name", "model", "set", "quantity", NULL, NULL, "source"};
    for (int i = 0; i < FIELDS; i++) {
        if (key[i]) {
            zw_text_addf(t, "%s\"%s\": ", i ? ", " : "{", key[i]);
            zw_text_json_string(t, v->field[i]);
        }
    }
    add_numbers(t, "reference", v->reference, v->n, true);
    add_numbers(t, "tolerance", &v->tolerance, 1, true);
    if (!listed_only) {
        add_numbers(t, "measured", v->measured, v->n, v->found);
        add_numbers(t, "difference", &v->difference, 1, v->found);
        add_numbers(t, "wall_s", &v->wall_s, 1, true);
        zw_text_add(t, v->ok ? ", \"ok\": true" : ", \"ok\": false");
    }
    zw_text_add(t, "}");
}

static void print_json(zw_session *s, const validation *all, int count, int failed, bool complete) {
    zw_text t;
    int     written = 0;
    zw_text_init(&t, s->context);
    zw_text_add(&t, "{\"version\": ");
    zw_text_json_string(&t, zw_version());
    zw_text_addf(&t, ", \"outcome\": \"%s\", \"failed\": %d, \"errors\": ",
                 s->options->list ? "listed"
                 : !complete      ? "error"
                 : failed         ? "failed"
                                  : "passed",
                 failed);
    zw_output_errors_json(&t, s->context);
    zw_text_add(&t, ", \"cases\": [");
    for (int i = 0; i < count; i++) {
        if (all[i].selected) {
            zw_text_add(&t, written++ ? ",\n" : "\n");
            add_case(&t, &all[i], s->options->list);
        }
    }
    zw_text_add(&t, "]}\n");
    if (zw_text_status(&t) == ZW_OK) {
        fputs(t.s, stdout);
    }
    zw_text_destroy(&t);
}

/* marks the cases that the words select; NULL, or the word that selects none */
static const char *select_cases(const zw_options *o, validation *all, int count) {
    for (int i = 0; i < count; i++) {
        all[i].selected = o->narguments == 0;
    }
    for (int k = 0; k < o->narguments; k++) {
        bool some = false;
        for (int i = 0; i < count; i++) {
            if (strncmp(all[i].field[NAME], o->argument[k], strlen(o->argument[k])) == 0) {
                all[i].selected = some = true;
            }
        }
        if (!some) {
            return o->argument[k];
        }
    }
    return NULL;
}

static bool same_run(const validation *a, const validation *b) {
    return strcmp(a->field[MODEL], b->field[MODEL]) == 0 && strcmp(a->field[SETS], b->field[SETS]) == 0;
}

/* runs what is selected, printing as it goes; *failed counts numbers outside their tolerance */
static zw_status run_all(zw_session *s, validation *all, int count, int *failed) {
    bool table = !s->options->json && !s->options->quiet;
    int  width = 4, ran = 0;
    for (int i = 0; i < count; i++) {
        int n = (int)strlen(all[i].field[NAME]);
        width = all[i].selected && n > width ? n : width;
    }
    if (table) {
        printf("%-*s  %-32s  %-32s  %-9s  %s\n", width, "case", "measured", "reference", "off by", "allowed");
    }
    for (int i = 0; i < count;) {
        int  end = i + 1;
        bool wanted = all[i].selected;
        for (; end < count && same_run(&all[i], &all[end]); end++) {
            wanted = wanted || all[end].selected;
        }
        if (wanted) {
            batch b = {s->context, &all[i], end - i, NULL};
            ZW_TRY(run_batch(&b));
            bool first = true;
            for (int k = i; k < end; k++) {
                if (!all[k].selected) {
                    continue;
                }
                ran++;
                *failed += !all[k].ok;
                if (table) {
                    print_row(&all[k], width, first);
                }
                first = false;
            }
        }
        i = end;
    }
    if (table) {
        printf("%d of %d within tolerance\n", ran - *failed, ran);
    }
    return ZW_OK;
}

int zw_verb_validate(const zw_options *o) {
    zw_session s;
    int        code = zw_session_begin(&s, o), count = 0, failed = 0;
    if (code != ZW_EXIT_OK) {
        return code;
    }
    validation *all = calloc(CASES_MOST, sizeof *all);
    zw_status   status = all ? read_cases(s.context, all, &count) : ZW_E_MEMORY;
    const char *missing = status == ZW_OK ? select_cases(o, all, count) : NULL;
    if (missing) {
        char wrong[200];
        snprintf(wrong, sizeof wrong, "no case begins with '%.80s'; see: zwang validate --list", missing);
        code = zw_usage_error(o->json, "validate", wrong);
    } else if (status == ZW_OK && o->list) {
        for (int i = 0; i < count && !o->json; i++) {
            if (all[i].selected) {
                printf("%-28s  %-28s  %s\n", all[i].field[NAME], all[i].field[QUANTITY], all[i].field[SOURCE]);
            }
        }
    } else if (status == ZW_OK) {
        zw_interrupt_catch(s.context);
        status = run_all(&s, all, count, &failed);
        zw_interrupt_release();
        code = failed > 0 ? ZW_EXIT_FAILED : ZW_EXIT_OK;
    }
    if (status != ZW_OK) {
        if (zw_error_count(s.context) > 0 || status != ZW_E_CANCELLED) {
            zw_output_errors(stderr, s.context);
        }
        code = zw_status_exit_code(status);
    }
    if (o->json && !missing) {
        print_json(&s, all, count, failed, status == ZW_OK);
    }
    free(all);
    zw_session_end(&s);
    return code;
}

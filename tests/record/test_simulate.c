/* SPDX-License-Identifier: Apache-2.0
 * test_simulate.c: a model into a directory and on from a checkpoint: bitwise the same, and nothing of others is touched. */
#define _DEFAULT_SOURCE
#include "scratch.h"

#include "record/checkpoint.h"
#include "record/file.h"
#include "record/json.h"
#include "zwang/results.h"

static const char model_text[] = "zwang: 1\n"
                                 "title: swing\n"
                                 "gravity: [0, 0, -9.81]\n"
                                 "bodies:\n"
                                 "  beam:\n"
                                 "    rod:\n"
                                 "      length: 1\n"
                                 "      elements: 6\n"
                                 "      along: [1, 0, 0]\n"
                                 "      up: [0, 0, 1]\n"
                                 "      section: {round: 0.01}\n"
                                 "      material: {density: 1000, young: 1e6, poisson: 0.5}\n"
                                 "constraints:\n"
                                 "  root: {clamp: beam, s: 0}\n"
                                 "run: {until: 0.2, step: 1e-4}\n"
                                 "record: {every: 20}\n"
                                 "probes:\n"
                                 "  tip: {position: beam, s: end}\n";

typedef struct job {
    scratch        *s;
    zw_context     *context;
    zw_model       *model;
    zw_simulate_def def;
    char            path[400];
} job;

static void on_progress(void *user, const zw_progress *p) {
    (void)user;
    assert_true(p->step >= 0 && p->step <= p->steps && p->t <= p->until);
}

/* a context of its own: a cancelled one stays cancelled */
static void job_begin(job *j, scratch *s, const char *name, const char *set) {
    *j = (job){.s = s, .def = zw_simulate_def_default()};
    zw_context_def def = zw_context_def_default();
    def.log = scratch_note;
    def.log_user = s;
    assert_int_equal(zw_context_create(&def, &j->context), ZW_OK);
    zw_status status = zw_model_parse(j->context, "swing.yaml", model_text, strlen(model_text), set ? 1 : 0, &set, &j->model);
    if (status != ZW_OK) {
        print_error("%s: %s\n", zw_error_at(j->context, 0)->subject, zw_error_at(j->context, 0)->message);
    }
    assert_int_equal(status, ZW_OK);
    snprintf(j->path, sizeof j->path, "%s/%s", s->path, name);
    j->def.directory = j->path;
    j->def.report = false;
    j->def.progress = on_progress;
    j->def.progress_user = j;
}

static void job_end(job *j) {
    zw_model_destroy(j->model);
    zw_context_destroy(j->context);
}

/* the summary without wall_s, which is the one thing that may differ */
static char *strip_time(const char *json) {
    char *copy = strdup(json), *at = strstr(copy, "\"wall_s\": ");
    assert_non_null(at);
    memmove(at, strchr(at, ',') + 2, strlen(strchr(at, ',') + 2) + 1);
    return copy;
}

static zw_status job_run(job *j, char **summary) {
    char     *json = NULL;
    zw_status status = zw_simulate(j->context, j->model, &j->def, &json);
    if (status != ZW_OK && status != ZW_E_CANCELLED && zw_error_count(j->context) > 0) {
        zw_log(j->context, ZW_LOG_INFO, "error: %s", zw_error_at(j->context, 0)->message);
    }
    *summary = json ? strip_time(json) : NULL;
    zw_string_free(j->context, json);
    return status;
}

static zw_status run_in(scratch *s, const char *name, const char *set, bool resume, bool force, char **summary) {
    job j;
    job_begin(&j, s, name, set);
    j.def.resume = resume;
    j.def.force = force;
    zw_status status = job_run(&j, summary);
    job_end(&j);
    return status;
}

/* every number of two directories, bit for bit */
static void check_same_results(scratch *s, const char *a, const char *b) {
    zw_results *r[2];
    char        path[400];
    const char *name[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", s->path, name[i]);
        assert_int_equal(zw_results_open(s->context, path, &r[i]), ZW_OK);
    }
    assert_int_equal(zw_results_epochs(r[0]), 1);
    assert_int_equal(zw_results_epochs(r[1]), 1);
    const zw_layout *l = zw_results_layout(r[0], 0);
    int64_t          frames = zw_results_frames(r[0], 0);
    assert_true(zw_layout_equal(l, zw_results_layout(r[1], 0)));
    assert_int_equal(frames, 101);
    assert_int_equal(zw_results_frames(r[1], 0), frames);
    for (int k = 0; k < l->nchannels; k++) {
        size_t  n = (size_t)frames * l->channel[k].count;
        double *x = calloc(n + 1, sizeof *x), *y = calloc(n + 1, sizeof *y);
        assert_int_equal(zw_results_read(r[0], 0, k, 0, frames, x), ZW_OK);
        assert_int_equal(zw_results_read(r[1], 0, k, 0, frames, y), ZW_OK);
        assert_true(scratch_same(x, y, n));
        free(x);
        free(y);
    }
    zw_results_close(r[0]);
    zw_results_close(r[1]);
}

static bool there(const scratch *s, const char *directory, const char *file) {
    char name[300];
    snprintf(name, sizeof name, "%s/%s", directory, file);
    return faccessat(s->dir.fd, name, F_OK, 0) == 0;
}

static void finished_run_leaves_results_summary_and_model_only(void **state) {
    scratch *s = *state;
    char    *summary, *again;
    assert_int_equal(run_in(s, "whole", NULL, false, false, &summary), ZW_OK);
    assert_non_null(
        strstr(summary, "\"outcome\": \"reached\", \"t\": 0.2, \"until\": 0.2, \"steps\": 2000, \"steps_total\": 2000, \"frames\": 101"));
    zw_arena arena;
    zw_json *json;
    zw_arena_init(&arena, s->context);
    assert_int_equal(zw_json_read(&arena, summary, &json), ZW_OK); /* it is JSON */
    zw_arena_destroy(&arena);
    assert_true(there(s, "whole", ZW_FILE_RESULTS) && there(s, "whole", ZW_FILE_SUMMARY) && there(s, "whole", ZW_FILE_MODEL));
    assert_false(there(s, "whole", ZW_FILE_JOURNAL) || there(s, "whole", ZW_FILE_CHECKPOINT_A) || there(s, "whole", ZW_FILE_LOCK));

    assert_int_equal(run_in(s, "whole", NULL, false, false, &again), ZW_E_EXISTS);
    assert_null(again);
    assert_int_equal(run_in(s, "whole", NULL, true, false, &again), ZW_OK);
    assert_non_null(strstr(s->log, "there is nothing to do"));
    assert_string_equal(again, summary);
    free(again);
    assert_int_equal(run_in(s, "whole", "run.until=0.1", true, false, &again), ZW_E_MISMATCH);
    assert_null(again);
    assert_int_equal(run_in(s, "whole", "run.until=0.1", true, true, &again), ZW_E_ARG);
    assert_int_equal(run_in(s, "whole", "run.until=0.1", false, true, &again), ZW_OK);
    assert_non_null(strstr(again, "\"steps\": 1000"));
    free(again);
    free(summary);
}

static void cancelled_run_keeps_a_checkpoint_and_ends_bitwise_equal(void **state) {
    scratch *s = *state;
    char    *whole, *part;
    job      j;
    assert_int_equal(run_in(s, "whole", NULL, false, false, &whole), ZW_OK);
    for (int i = 0; i < 3; i++) { /* before the first step; then again, from the checkpoint of that */
        job_begin(&j, s, "parts", NULL);
        j.def.resume = i > 0;
        zw_context_cancel(j.context);
        assert_int_equal(job_run(&j, &part), ZW_E_CANCELLED);
        assert_non_null(part);
        assert_true(there(s, "parts", ZW_FILE_RESULTS) && there(s, "parts", ZW_FILE_JOURNAL) && there(s, "parts", ZW_FILE_SUMMARY));
        assert_true(there(s, "parts", i % 2 == 0 ? ZW_FILE_CHECKPOINT_A : ZW_FILE_CHECKPOINT_B));
        free(part);
        job_end(&j);
    }
    assert_int_equal(run_in(s, "parts", NULL, true, false, &part), ZW_OK);
    assert_string_equal(part, whole);
    check_same_results(s, "whole", "parts");
    free(part);
    free(whole);
}

typedef struct journal_sink {
    zw_journal_writer *w;
    size_t             width;
} journal_sink;

static zw_status sink_epoch(void *self, const zw_layout *layout) {
    journal_sink *sink = self;
    sink->width = layout->width;
    return zw_journal_epoch(sink->w, layout);
}

static zw_status sink_frame(void *self, const double *frame) {
    journal_sink *sink = self;
    return zw_journal_frame(sink->w, frame, sink->width);
}

/* a run broken off in the middle leaves this: a journal that goes beyond its checkpoint, torn at the end */
static void leave_broken_run(scratch *s, const char *name, int64_t steps, int64_t beyond) {
    job          j;
    zw_directory d;
    zw_run      *run;
    job_begin(&j, s, name, NULL);
    assert_int_equal(zw_directory_create(j.context, j.path, &d), ZW_OK);
    assert_int_equal(zw_run_create(j.model, &run), ZW_OK);
    zw_run_label       label = {.hash = zw_model_hash(j.model), .title = "swing", .text = zw_model_text(j.model)};
    zw_journal_writer *w;
    assert_int_equal(zw_journal_create(j.context, d.fd, d.path, &label, &w), ZW_OK);
    journal_sink sink = {.w = w};
    zw_recorder  recorder = {.self = &sink, .epoch = sink_epoch, .frame = sink_frame};
    zw_run_set_recorder(run, &recorder);
    assert_int_equal(zw_run_advance(run, steps), ZW_OK);
    assert_int_equal(zw_journal_sync(w), ZW_OK);
    zw_checkpoint k = {.sequence = 3,
                       .hash = label.hash,
                       .frames = zw_run_frames(run),
                       .journal_offset = zw_journal_offset(w),
                       .wall_s = 1.0,
                       .size = zw_run_save_size(run)};
    k.bytes = malloc(k.size);
    zw_run_save(run, k.bytes);
    assert_int_equal(zw_checkpoint_write(&d, &k), ZW_OK);
    free(k.bytes);
    assert_int_equal(zw_run_advance(run, beyond), ZW_OK);
    assert_int_equal(zw_journal_flush(w), ZW_OK);
    uint64_t end = zw_journal_offset(w);
    zw_journal_close(w);
    if (beyond > 0) {
        char journal[600];
        snprintf(journal, sizeof journal, "%s/%s", j.path, ZW_FILE_JOURNAL);
        assert_int_equal(truncate(journal, (off_t)end - 13), 0);
    }
    zw_run_destroy(run);
    zw_directory_close(&d);
    job_end(&j);
}

static void broken_run_goes_on_from_its_checkpoint_bitwise(void **state) {
    scratch *s = *state;
    char    *whole, *part, name[40];
    assert_int_equal(run_in(s, "whole", NULL, false, false, &whole), ZW_OK);
    static const int64_t at[][2] = {{1, 0}, {19, 2}, {20, 0}, {777, 500}, {1999, 0}, {1980, 20}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        snprintf(name, sizeof name, "broken%zu", i);
        leave_broken_run(s, name, at[i][0], at[i][1]);
        s->log[0] = 0;
        assert_int_equal(run_in(s, name, NULL, true, false, &part), ZW_OK);
        assert_non_null(strstr(s->log, "resumed at t = "));
        assert_string_equal(part, whole);
        check_same_results(s, "whole", name);
        free(part);
    }
    free(whole);
}

static void unusable_checkpoint_means_starting_anew_and_saying_so(void **state) {
    scratch *s = *state;
    char    *whole, *part;
    assert_int_equal(run_in(s, "whole", NULL, false, false, &whole), ZW_OK);
    leave_broken_run(s, "damaged", 500, 100);
    scratch_store(s, "damaged/" ZW_FILE_CHECKPOINT_A, "rubbish", 7);
    assert_int_equal(run_in(s, "damaged", NULL, true, false, &part), ZW_OK);
    assert_non_null(strstr(s->log, "neither checkpoint can be used; the run starts anew"));
    assert_string_equal(part, whole);
    free(part);
    /* a journal shorter than its checkpoint says: as after a power cut on a disk that lied */
    leave_broken_run(s, "short", 500, 0);
    size_t         n;
    unsigned char *bytes = scratch_load(s, "short/" ZW_FILE_JOURNAL, &n);
    scratch_store(s, "short/" ZW_FILE_JOURNAL, bytes, n - 1);
    free(bytes);
    s->log[0] = 0;
    assert_int_equal(run_in(s, "short", NULL, true, false, &part), ZW_OK);
    assert_non_null(strstr(s->log, "the run starts anew"));
    assert_string_equal(part, whole);
    check_same_results(s, "whole", "short");
    free(part);
    free(whole);
}

static void run_killed_while_finishing_is_completed(void **state) {
    scratch *s = *state;
    char    *whole, *part;
    size_t   n;
    assert_int_equal(run_in(s, "whole", NULL, false, false, &whole), ZW_OK);
    /* after the last step: the end record is missing; everything is there but the last frame's tail */
    leave_broken_run(s, "late", 1999, 1);
    assert_int_equal(run_in(s, "late", NULL, true, false, &part), ZW_OK);
    assert_string_equal(part, whole);
    free(part);
    /* after results.h5: leftovers are cleared away, and the summary is written */
    unsigned char *results = scratch_load(s, "late/" ZW_FILE_RESULTS, &n);
    scratch_store(s, "late/" ZW_FILE_JOURNAL, "any", 3);
    scratch_store(s, "late/" ZW_FILE_CHECKPOINT_B ".tmp", "any", 3);
    assert_int_equal(unlinkat(s->dir.fd, "late/" ZW_FILE_SUMMARY, 0), 0);
    assert_int_equal(run_in(s, "late", NULL, true, false, &part), ZW_OK);
    assert_string_equal(part, whole);
    free(part);
    assert_false(there(s, "late", ZW_FILE_JOURNAL) || there(s, "late", ZW_FILE_CHECKPOINT_B ".tmp"));
    assert_true(there(s, "late", ZW_FILE_SUMMARY));
    size_t         m;
    unsigned char *same = scratch_load(s, "late/" ZW_FILE_RESULTS, &m);
    assert_int_equal(n, m);
    assert_memory_equal(results, same, n);
    free(same);
    free(results);
    free(whole);
}

static void somebody_elses_model_file_is_not_replaced(void **state) {
    scratch *s = *state;
    char    *summary;
    assert_int_equal(mkdirat(s->dir.fd, "mine", 0700), 0);
    scratch_store(s, "mine/" ZW_FILE_MODEL, "zwang: 1 # my work", 18);
    scratch_store(s, "mine/notes.txt", "mine", 4);
    assert_int_equal(run_in(s, "mine", NULL, false, false, &summary), ZW_E_EXISTS);
    size_t         n;
    unsigned char *bytes = scratch_load(s, "mine/" ZW_FILE_MODEL, &n);
    assert_int_equal(n, 18);
    free(bytes);
    assert_false(there(s, "mine", ZW_FILE_JOURNAL));
    assert_int_equal(unlinkat(s->dir.fd, "mine/" ZW_FILE_MODEL, 0), 0);
    assert_int_equal(run_in(s, "mine", NULL, false, false, &summary), ZW_OK); /* other files do not matter */
    free(summary);
    assert_true(there(s, "mine", "notes.txt"));
}

static void bad_defs_are_refused(void **state) {
    scratch *s = *state;
    job      j;
    char    *summary;
    job_begin(&j, s, "none", NULL);
    j.def.size = 3;
    assert_int_equal(job_run(&j, &summary), ZW_E_ARG);
    j.def = zw_simulate_def_default();
    assert_int_equal(job_run(&j, &summary), ZW_E_ARG); /* no directory */
    j.def.directory = j.path;
    j.def.checkpoint_interval = NAN;
    assert_int_equal(job_run(&j, &summary), ZW_E_ARG);
    assert_false(there(s, "none", "."));
    job_end(&j);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(finished_run_leaves_results_summary_and_model_only),
        TEST(cancelled_run_keeps_a_checkpoint_and_ends_bitwise_equal),
        TEST(broken_run_goes_on_from_its_checkpoint_bitwise),
        TEST(unusable_checkpoint_means_starting_anew_and_saying_so),
        TEST(run_killed_while_finishing_is_completed),
        TEST(somebody_elses_model_file_is_not_replaced),
        TEST(bad_defs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

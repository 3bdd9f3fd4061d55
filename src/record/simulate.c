/* SPDX-License-Identifier: Apache-2.0
 * simulate.c: runs a model into a directory.
 *
 * The run is advanced in slices of about 50 ms, and between them the journal goes to the kernel, progress is told and checkpoints are made;
 * how long the slices are has no influence on the numbers. Order at the end, each step safe on disk before the next: end record,
 * results.h5, summary.json, view.html, report.html; then checkpoints and journal are removed. A run killed anywhere in between is completed by --resume. */
#define _POSIX_C_SOURCE 200809L
#include "zwang/results.h"

#include "base/number.h"
#include "base/text.h"
#include "model/model.h"
#include "record/begin.h"
#include "record/checkpoint.h"
#include "record/events.h"
#include "record/file.h"
#include "record/pages.h"
#include "record/recover.h"
#include "record/resume.h"
#include "record/summary.h"
#include "record/tape.h"

#include <string.h>

static const double slice_s = 0.05, progress_s = 0.1, checkpoint_first_s = 0.5;
enum { SLICE_MOST = 1 << 24 };

typedef struct simulation {
    zw_context            *context;
    const zw_model        *model;
    const zw_simulate_def *def;
    zw_directory           dir;
    zw_run                *run;
    zw_tape                tape;     /* into the journal */
    uint64_t               sequence; /* of the last checkpoint */
    double                 wall_before, began;
    int64_t                steps_before;
    zw_text                names[2]; /* of sides and joints, in the journal */
    int                    first[2]; /* where those of the run as it is now begin */
    bool                   named;    /* that is known                            */
} simulation;

zw_simulate_def zw_simulate_def_default(void) {
    zw_simulate_def def = {.size = sizeof(zw_simulate_def), .report = true, .checkpoint_interval = 5.0};
    return def;
}

/* ---- the recorder ---- */

static zw_status record_epoch(void *self, const zw_layout *layout) {
    simulation *s = self;
    s->named = false;
    return zw_tape_epoch(&s->tape, layout);
}

static zw_status record_frame(void *self, const double *frame) {
    simulation *s = self;
    return zw_tape_frame(&s->tape, frame);
}

/* names come before the first event of theirs */
static zw_status record_names(simulation *s) {
    static const zw_record_type type[] = {ZW_RECORD_NOTE, ZW_RECORD_JOINTS};
    for (int i = 0; i < 2; i++) {
        zw_text names;
        zw_text_init(&names, s->context);
        if (type[i] == ZW_RECORD_NOTE) {
            zw_ledger_sides(s->run, &names);
        } else {
            zw_ledger_joints(s->run, &names);
        }
        zw_status status = zw_text_status(&names);
        bool      more = status == ZW_OK && zw_ledger_join(&s->names[i], names.s, &s->first[i]);
        status = status == ZW_OK ? zw_text_status(&s->names[i]) : status;
        status = more && status == ZW_OK ? zw_journal_note(s->tape.journal, type[i], s->names[i].s) : status;
        zw_text_destroy(&names);
        ZW_TRY(status);
    }
    s->named = true;
    return ZW_OK;
}

static zw_status record_event(void *self, const zw_event_record *e) {
    simulation *s = self;
    size_t      contacts = (size_t)e->ncontacts * ZW_LEDGER_COLUMNS, joints = (size_t)e->njoints * ZW_LEDGER_JOINT_COLUMNS;
    if (!s->named) {
        ZW_TRY(record_names(s));
    }
    double *rows = zw_alloc(s->context, contacts + joints, sizeof *rows, "an event");
    if (!rows) {
        return ZW_E_MEMORY;
    }
    for (int i = 0; i < e->ncontacts; i++) {
        zw_ledger_row(e, i, s->first[0], rows + (ptrdiff_t)i * ZW_LEDGER_COLUMNS);
    }
    for (int i = 0; i < e->njoints; i++) {
        zw_ledger_joint_row(e, i, s->first[1], rows + contacts + (ptrdiff_t)i * ZW_LEDGER_JOINT_COLUMNS);
    }
    zw_status status = zw_journal_event(s->tape.journal, ZW_RECORD_CONTACT, rows, contacts);
    if (status == ZW_OK && joints > 0) {
        status = zw_journal_event(s->tape.journal, ZW_RECORD_JOINT, rows + contacts, joints);
    }
    zw_free(s->context, rows);
    return status;
}

/* ---- while running ---- */

static double wall(const simulation *s) {
    return s->wall_before + (zw_clock() - s->began);
}

static zw_status make_checkpoint(simulation *s) {
    ZW_TRY(zw_journal_sync(s->tape.journal));
    zw_checkpoint k = {.sequence = s->sequence + 1,
                       .hash = zw_model_hash(s->model),
                       .frames = zw_run_frames(s->run),
                       .journal_offset = zw_journal_offset(s->tape.journal),
                       .wall_s = wall(s),
                       .size = zw_run_save_size(s->run)};
    k.bytes = zw_alloc(s->context, k.size, 1, "a checkpoint");
    if (!k.bytes) {
        return ZW_E_MEMORY;
    }
    zw_run_save(s->run, k.bytes);
    zw_status status = zw_checkpoint_write(&s->dir, &k);
    zw_free(s->context, k.bytes);
    s->sequence += status == ZW_OK ? 1 : 0;
    return status;
}

static void tell_progress(const simulation *s, bool last) {
    if (!s->def->progress) {
        return;
    }
    zw_summary sum;
    zw_run_summary(s->run, &sum);
    int64_t     done = sum.steps - s->steps_before, left = sum.steps_total - sum.steps;
    double      spent = zw_clock() - s->began;
    zw_progress p = {
        .step = sum.steps, .steps = sum.steps_total, .t = sum.t, .until = sum.until, .wall_s = s->wall_before + spent, .eta_s = -1.0};
    if (last || left <= 0) {
        p.eta_s = 0.0;
    } else if (done > 0 && spent > progress_s) {
        p.eta_s = spent / (double)done * (double)left;
    }
    s->def->progress(s->def->progress_user, &p);
}

/* checkpoints are a quarter of the time spent so far apart, so that short runs have some too, and at most the given interval */
static double checkpoint_pause(const simulation *s, double now) {
    double pause = 0.25 * (now - s->began);
    pause = pause < checkpoint_first_s ? checkpoint_first_s : pause;
    return pause < s->def->checkpoint_interval ? pause : s->def->checkpoint_interval;
}

/* until the run ends, fails or is cancelled */
static zw_status advance(simulation *s) {
    int64_t slice = 1;
    double  told = s->began, saved = told;
    while (!zw_run_done(s->run)) {
        double before = zw_clock();
        ZW_TRY(zw_run_advance(s->run, slice));
        if (zw_context_cancelled(s->context) && !zw_run_done(s->run)) {
            return ZW_E_CANCELLED;
        }
        double now = zw_clock(), took = now - before, factor = took > 0.0 ? slice_s / took : 4.0;
        factor = factor > 4.0 ? 4.0 : factor;
        slice = (int64_t)((double)slice * factor);
        slice = slice < 1 ? 1 : slice > SLICE_MOST ? SLICE_MOST : slice;
        ZW_TRY(zw_journal_tick(s->tape.journal));
        if (now - told >= progress_s) {
            tell_progress(s, false);
            told = now;
        }
        if (now - saved >= checkpoint_pause(s, now) && !zw_run_done(s->run)) {
            ZW_TRY(make_checkpoint(s));
            saved = zw_clock();
        }
    }
    return ZW_OK;
}

/* ---- the beginning ---- */

static zw_status go_on(simulation *s, zw_resume *resume) {
    static const char *const stale[] = {ZW_FILE_RESULTS, ZW_FILE_SUMMARY, ZW_FILE_REPORT, ZW_FILE_VIEW};
    for (size_t i = 0; i < sizeof stale / sizeof *stale; i++) {
        ZW_TRY(zw_directory_remove(&s->dir, stale[i]));
    }
    ZW_TRY(zw_journal_reopen(s->context, s->dir.fd, s->dir.path, resume->offset, &s->tape.journal));
    s->tape.known = resume->layout;
    resume->layout = NULL;
    for (int i = 0; i < 2; i++) {
        zw_text_add(&s->names[i], resume->names[i] ? resume->names[i] : "");
        ZW_TRY(zw_text_status(&s->names[i]));
    }
    ZW_TRY(zw_tape_epoch(&s->tape, zw_run_layout(s->run))); /* the mesh may have changed after the last frame before the checkpoint */
    s->sequence = resume->sequence;
    s->wall_before = resume->wall_s;
    zw_summary sum;
    char       time[ZW_NUMBER_TEXT];
    zw_run_summary(s->run, &sum);
    s->steps_before = sum.steps;
    zw_log(s->context, ZW_LOG_INFO, "%s: resumed at t = %s s, step %lld of %lld", s->dir.path, zw_number_short(sum.t, 6, time),
           (long long)sum.steps, (long long)sum.steps_total);
    return ZW_OK;
}

/* ---- the end ---- */

/* results.h5, summary.json, report.html from a journal with its end record; then the journal has done its work.
 * Any of them may be there already, from a run that was killed at this point */
static zw_status finish(simulation *s, const char *summary, bool make) {
    if (make) {
        ZW_TRY(zw_results_make(&s->dir));
    }
    ZW_TRY(zw_file_replace(s->context, s->dir.fd, s->dir.path, ZW_FILE_SUMMARY, summary, strlen(summary)));
    ZW_TRY(zw_pages_write(s->context, s->def));
    return zw_directory_tidy(&s->dir);
}

/* the run stopped with `status`: save what there is. The first failure is the one returned */
static zw_status conclude(simulation *s, zw_status status, char **summary_json) {
    zw_summary sum;
    zw_text    text;
    zw_run_summary(s->run, &sum);
    if (status != ZW_OK && status != ZW_E_CANCELLED && status != ZW_E_IO && status != ZW_E_MEMORY && sum.outcome == ZW_RUNNING) {
        sum.outcome = ZW_DIVERGED; /* the model, not the machine, kept it from its end */
    }
    zw_text_init(&text, s->context);
    zw_status written = zw_summary_json(s->context, s->model, &sum, wall(s), &text);
    if (written == ZW_OK) {
        *summary_json = text.s;
    } else {
        zw_text_destroy(&text);
        return status != ZW_OK ? status : written;
    }
    if (status == ZW_E_IO || status == ZW_E_MEMORY) {
        return status; /* the journal holds everything up to here, and the last checkpoint stands */
    }
    if (status == ZW_E_CANCELLED) {
        written = make_checkpoint(s);
        if (written == ZW_OK) {
            written = zw_results_make(&s->dir);
        }
        if (written == ZW_OK) {
            written = zw_file_replace(s->context, s->dir.fd, s->dir.path, ZW_FILE_SUMMARY, text.s, text.n);
        }
        return written == ZW_OK ? status : written;
    }
    written = zw_journal_end(s->tape.journal, (int)sum.outcome, text.s);
    if (written == ZW_OK) {
        written = zw_journal_sync(s->tape.journal);
    }
    if (written == ZW_OK) {
        written = finish(s, text.s, true);
    }
    return status != ZW_OK ? status : written;
}

/* a run that ended before this call */
static zw_status already_over(simulation *s, zw_resume *resume, char **summary_json) {
    bool ended = resume->kind == ZW_RESUME_ENDED;
    if (ended || !zw_directory_is_tidy(&s->dir) || !zw_directory_has(&s->dir, ZW_FILE_SUMMARY)) {
        zw_log(s->context, ZW_LOG_INFO, "%s: the run had ended; its files are completed", s->dir.path);
        ZW_TRY(finish(s, resume->summary, ended));
    } else {
        zw_log(s->context, ZW_LOG_INFO, "%s: the run had finished; there is nothing to do", s->dir.path);
    }
    *summary_json = resume->summary;
    resume->summary = NULL;
    if (resume->outcome == ZW_DIVERGED) {
        return zw_raise(s->context, ZW_E_DIVERGED, s->dir.path, "change the model (a smaller step, say) and start anew with --force",
                        "the run had failed; going on from its checkpoint would fail again");
    }
    return ZW_OK;
}

static zw_status simulate_locked(simulation *s, char **summary_json) {
    const char *which;
    zw_resume   resume = {.kind = ZW_RESUME_ANEW};
    zw_status   status = ZW_OK;
    if (s->def->resume) {
        status = zw_resume_prepare(&s->dir, zw_model_hash(s->model), s->run, &resume);
    } else if (!s->def->force && zw_directory_has_results(&s->dir, &which)) {
        status = zw_raise(s->context, ZW_E_EXISTS, s->dir.path,
                          "choose another directory with -o, go on with --resume, or replace them with --force",
                          "holds results already (%s)", which);
    }
    if (status == ZW_OK && (resume.kind == ZW_RESUME_ENDED || resume.kind == ZW_RESUME_FINISHED)) {
        status = already_over(s, &resume, summary_json);
    } else if (status == ZW_OK) {
        zw_recorder recorder = {.self = s, .epoch = record_epoch, .frame = record_frame, .event = record_event};
        status = resume.kind == ZW_RESUME_ON ? go_on(s, &resume) : zw_record_begin(&s->dir, s->model, s->def->force, &s->tape.journal);
        if (status == ZW_OK) {
            s->began = zw_clock();
            zw_run_set_recorder(s->run, &recorder);
            status = advance(s);
            tell_progress(s, status == ZW_OK);
            status = conclude(s, status, summary_json);
        }
    }
    zw_free(s->context, resume.summary);
    zw_free(s->context, resume.layout);
    zw_free(s->context, resume.names[0]);
    zw_free(s->context, resume.names[1]);
    return status;
}

zw_status zw_simulate(zw_context *c, const zw_model *m, const zw_simulate_def *given, char **summary_json) {
    if (!c || !m || !summary_json) {
        return ZW_E_ARG;
    }
    *summary_json = NULL;
    zw_simulate_def def = zw_simulate_def_default();
    if (!given || given->size < sizeof given->size || given->size > sizeof def) {
        return zw_raise(c, ZW_E_ARG, "zw_simulate", "begin with zw_simulate_def_default()", "the def has no valid size");
    }
    memcpy(&def, given, given->size);
    if (!(def.checkpoint_interval > 0.0)) {
        return zw_raise(c, ZW_E_ARG, "checkpoint_interval", "give seconds, such as 5", "it must be a number > 0");
    }
    if (def.force && def.resume) {
        return zw_raise(c, ZW_E_ARG, "zw_simulate", "give one of them",
                        "force (replace the results) and resume (go on with them) exclude each other");
    }
    simulation s = {.context = c, .model = m, .def = &def, .dir = {.context = c, .fd = -1, .lock = -1}, .tape = {.context = c}};
    zw_text_init(&s.names[0], c);
    zw_text_init(&s.names[1], c);
    zw_status status = zw_run_create(m, &s.run); /* before anything is touched: the model may be impossible */
    if (status == ZW_OK) {
        status = zw_directory_create(c, def.directory, &s.dir);
    }
    if (status == ZW_OK) {
        status = zw_directory_lock(&s.dir);
    }
    if (status == ZW_OK) {
        status = simulate_locked(&s, summary_json);
    }
    zw_tape_close(&s.tape);
    zw_text_destroy(&s.names[0]);
    zw_text_destroy(&s.names[1]);
    zw_directory_close(&s.dir);
    zw_run_destroy(s.run);
    return status;
}

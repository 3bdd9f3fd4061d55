/* SPDX-License-Identifier: Apache-2.0
 * run.c: the advance loop: step, look, record. Times are n h, never a sum; a step that would not end in finite numbers is not taken.
 *
 * Schedule: `until` is divided into whole steps no longer than the one given or chosen (0.9 of the stability limit). Monitors (energy, momenta, rows, probes)
 * look 200 times along a short run and at every 100th step of a long one; frames fall where `record` says, and always at the end. */
#include "events/contacts.h"

#include "base/number.h"
#include "steps/grow.h"
#include "system/system.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* results rely on round-to-nearest and gradual underflow; some libraries switch them off behind the program's back */
static zw_status check_arithmetic(zw_context *c) {
    volatile double tiny = DBL_MIN, half = 0.5;
    if (fegetround() != FE_TONEAREST) {
        return zw_raise(c, ZW_E_ARG, "arithmetic", "call fesetround(FE_TONEAREST) before the run",
                        "the rounding mode of this thread is not round-to-nearest");
    }
    if (tiny * half == 0.0) {
        return zw_raise(c, ZW_E_ARG, "arithmetic", "do not load libraries built with -ffast-math, or clear FTZ and DAZ before the run",
                        "this thread flushes small numbers to zero");
    }
    return ZW_OK;
}

static zw_status choose_step(zw_run *r) {
    const zw_model *m = r->model;
    double          safe, sharp, step = 0.0, interval = 0.0;
    char            a[ZW_NUMBER_TEXT], b[ZW_NUMBER_TEXT];
    ZW_TRY(zw_model_constant(m, m->run.until, "run.until", &r->until));
    if (m->record.kind == ZW_RECORD_INTERVAL) {
        ZW_TRY(zw_model_constant(m, m->record.interval, "record.interval", &interval));
        r->frame_interval = interval;
    }
    ZW_TRY(r->ops->limit(r->integrator, &r->x[0], &safe, &sharp));
    r->limit = sharp > 0.0 ? sharp : safe;
    ZW_TRY(zw_run_choose_tolerance(r));
    if (r->adaptive) {
        r->monitor_every = 1;
        return ZW_OK;
    }
    if (m->run.step.node != 0) {
        ZW_TRY(zw_model_constant(m, m->run.step, "run.step", &step));
        if (r->limit > 0.0 && step > fmax(r->limit, safe)) {
            char remedy[200];
            snprintf(remedy, sizeof remedy, "give at most %s, or leave the step out and let it be chosen",
                     zw_number_short(0.9 * r->limit, 3, a));
            return zw_model_raise(m, ZW_E_STEP, m->run.step.at, "run.step", remedy,
                                  "%s s is beyond the stability limit of %s, which is %s s for this model", zw_number_short(step, 6, b),
                                  r->ops->name, zw_number_short(fmax(r->limit, safe), 4, a));
        }
    } else {
        step = 0.9 * (safe > 0.0 ? fmin(safe, sharp > 0.0 ? sharp : safe) : r->until / 1000.0);
        if (interval > 0.0 && interval < r->until) { /* so that frames fall on steps */
            step = fmin(step, interval / ceil(interval / step));
        }
    }
    double count = ceil(r->until / step * (1.0 - 1e-12) - 1e-9);
    if (!(count < 9e15)) {
        return zw_model_raise(m, ZW_E_LIMIT, m->run.at, "run", "shorten until or use a larger step", "the run would take %s steps",
                              zw_number_short(count, 3, a));
    }
    r->nsteps = count < 1.0 ? 1 : (int64_t)count;
    r->h = r->until / (double)r->nsteps;
    if (m->run.step.node != 0 && fabs(r->h - step) > 1e-9 * step) {
        zw_log(r->context, ZW_LOG_INFO, "run.step: shortened from %s to %s s so that whole steps end at until", zw_number_text(step, a),
               zw_number_text(r->h, b));
    }
    int64_t every = r->nsteps / 200;
    r->monitor_every = every < 1 ? 1 : every > 100 ? 100 : every;
    return ZW_OK;
}

/* is there a frame at this step? */
static bool frame_due(const zw_run *r, int64_t step) {
    const zw_record_def *rec = &r->model->record;
    if (r->adaptive) { /* asked for the start only: adapt.c has its own schedule */
        return rec->kind != ZW_RECORD_FRAMES || rec->count > 1;
    }
    if (step == r->nsteps) {
        return true;
    }
    switch (rec->kind) {
    case ZW_RECORD_EVERY: return step % rec->count == 0;
    case ZW_RECORD_INTERVAL: { /* the first step at or after each multiple of the interval */
        double here = floor((double)step * r->h / r->frame_interval + 1e-9);
        double before = step > 0 ? floor((double)(step - 1) * r->h / r->frame_interval + 1e-9) : -1.0;
        return here > before;
    }
    default: { /* count frames, the first at the start and the last at the end */
        int64_t parts = rec->count - 1;
        if (parts < 1) {
            return false;
        }
        if (parts >= r->nsteps) {
            return true;
        }
        double share = (double)parts / (double)r->nsteps;
        return step == 0 || floor((double)step * share + 1e-9) > floor((double)(step - 1) * share + 1e-9);
    }
    }
}

zw_status zw_run_make_room(zw_run *r, int nw) {
    r->size = zw_system_size(r->system);
    r->size.nw = nw;
    r->m = zw_system_rows_count(r->system);
    for (int i = 0; i < 2; i++) {
        ZW_TRY(zw_state_create(r->context, &r->size, &r->x[i]));
    }
    size_t rows = (size_t)r->m + 3 * (size_t)r->system->nsides + 1; /* a contact that sticks has two rows more */
    r->lambda = zw_arena_alloc(&r->arena, rows, sizeof(double), "multipliers");
    r->row_values = zw_arena_alloc(&r->arena, rows, sizeof(double), "multipliers");
    r->own_summary = zw_arena_alloc(&r->arena, ZW_OWN_MOST, sizeof *r->own_summary, "a summary");
    return r->lambda != NULL && r->row_values != NULL && r->own_summary != NULL ? ZW_OK : ZW_E_MEMORY;
}

zw_status zw_run_create(const zw_model *m, zw_run **out) {
    zw_context *c = m->context;
    zw_status   status = ZW_OK;
    int         nw = 0;
    *out = NULL;
    if (!m->run_given) {
        return zw_raise(c, ZW_E_MODEL, "run", "add for example  run: {until: 1}", "the model says not how long to run");
    }
    zw_run *r = zw_alloc(c, 1, sizeof *r, "a run");
    if (r == NULL) {
        return ZW_E_MEMORY;
    }
    r->context = c;
    r->model = m;
    zw_arena_init(&r->arena, c);
    ZW_TRY_GOTO(check_arithmetic(c), fail);
    ZW_TRY_GOTO(zw_system_create(m, &r->system), fail);
    ZW_TRY_GOTO(zw_integrator_for(r->system, m->run.integrator, &r->ops), fail);
    if (r->ops == NULL) {
        status = zw_model_raise(m, ZW_E_UNSUPPORTED, m->run.at, "run.integrator", "use verlet",
                                "the integrator '%s' is not in this version", m->run.integrator);
        goto fail;
    }
    ZW_TRY_GOTO(r->ops->create(r->system, &r->integrator, &nw), fail);
    while (r->ops->own != NULL && r->nown < ZW_OWN_MOST && r->ops->own(r->integrator, r->nown, &r->own[r->nown])) {
        r->nown++;
    }
    ZW_TRY_GOTO(zw_run_make_room(r, nw), fail);
    ZW_TRY_GOTO(zw_system_start(r->system, &r->x[0]), fail);
    r->first = r->size;
    r->splits = zw_system_grow_longest(r->system, &r->x[0]) > 0.0;
    if (r->m > 0) {
        ZW_TRY_GOTO(zw_run_make_consistent(r), fail);
    }
    ZW_TRY_GOTO(zw_gauss_create(r->system, &r->gauss), fail);
    ZW_TRY_GOTO(zw_system_check_finite(r->system, &r->x[0]), fail);
    ZW_TRY_GOTO(choose_step(r), fail);
    if (r->ops->over == NULL || !r->ops->over(r->integrator)) {
        ZW_TRY_GOTO(zw_contacts_create(r), fail);
    }
    ZW_TRY_GOTO(zw_run_bind_probes(r), fail);
    ZW_TRY_GOTO(zw_run_bind_layout(r), fail);
    ZW_TRY_GOTO(r->ops->start(r->integrator, &r->x[0]), fail);
    if (r->adaptive) {
        ZW_TRY_GOTO(zw_run_first_step(r), fail);
        r->tally.next_frame = 1;
    }
    zw_system_conserves(r->system, &r->linear_conserved, &r->angular_conserved);
    *out = r;
    return ZW_OK;
fail:
    zw_run_destroy(r);
    return status;
}

void zw_run_unbind(zw_run *r) {
    zw_context *c = r->context;
    zw_run_destroy_probes(r);
    zw_contacts_destroy(r);
    if (r->integrator != NULL) {
        r->ops->destroy(r->integrator);
    }
    zw_gauss_destroy(r->gauss);
    zw_state_destroy(c, &r->x[0]);
    zw_state_destroy(c, &r->x[1]);
    zw_state_destroy(c, &r->spare);
    zw_system_destroy(r->system);
    zw_arena_destroy(&r->arena);
}

void zw_run_destroy(zw_run *r) {
    if (r != NULL) {
        zw_context *c = r->context;
        zw_run_unbind(r);
        zw_free(c, r);
    }
}

const zw_layout *zw_run_layout(const zw_run *r) {
    return &r->layout;
}

void zw_run_set_recorder(zw_run *r, const zw_recorder *recorder) {
    r->recording = recorder != NULL;
    if (recorder != NULL) {
        r->recorder = *recorder;
    }
}

bool zw_run_done(const zw_run *r) {
    return r->tally.outcome != ZW_RUNNING;
}

const zw_state *zw_run_state(const zw_run *r) {
    return &r->x[r->now];
}

int64_t zw_run_steps(const zw_run *r) {
    return r->tally.step;
}

void zw_run_pin(zw_run *r, bool on) {
    if (!r->pinned) {
        r->home = r->now;
    }
    r->pinned = on;
}

/* while pinned, views of the state look at one of the two places only */
static void go_home(zw_run *r) {
    if (r->pinned && r->now != r->home) {
        zw_state_copy(&r->size, &r->x[r->now], &r->x[r->home]);
        r->now = r->home;
    }
}

zw_system *zw_run_system(zw_run *r) {
    return r->system;
}

/* tension in rods that hold their stretch or shear makes them faster than they were at the start, where the step was chosen */
static void tell_tension(zw_run *r, const zw_state *x) {
    const char *name;
    int         link = 0;
    double      tension = 0.0,
           most = r->limit > 0.0 && !r->told_tension ? zw_system_held_step(r->system, x, r->lambda, &name, &link, &tension) : 0.0;
    if (most > 0.0 && r->h > most && strcmp(r->ops->name, "verlet") == 0) {
        char h[ZW_NUMBER_TEXT], less[ZW_NUMBER_TEXT], n[ZW_NUMBER_TEXT], t[ZW_NUMBER_TEXT];
        r->told_tension = true;
        zw_log(r->context, ZW_LOG_WARNING,
               "the tension of %s N in link %d of '%s' at t = %s s makes steps above %s s unstable; use run.step: %s or less",
               zw_number_short(tension, 3, n), link, name, zw_number_short(x->t, 6, t), zw_number_short(most, 3, h),
               zw_number_short(0.9 * most, 2, less));
    }
}

/* monitor and frame at a state */
zw_status zw_run_look_at(zw_run *r, const zw_state *x, bool first, bool frame) {
    zw_picture picture;
    bool       whole = frame || r->needs_multipliers || first;
    ZW_TRY(zw_run_take_picture(r, x, whole, &picture));
    zw_run_monitor(r, x, &picture, first);
    if (whole && r->m > 0) {
        tell_tension(r, x);
        r->tally.zwang_max = fmax(r->tally.zwang_max, picture.zwang);
        r->tally.zwang_sum += picture.zwang;
        r->tally.zwang_count += 1.0;
    }
    ZW_TRY(zw_run_read_probes(r, x, &picture));
    zw_run_monitor_probes(r, first);
    if (!frame) {
        return ZW_OK;
    }
    if (r->recording) {
        ZW_TRY(zw_run_fill_frame(r, x, &picture));
        ZW_TRY(r->recorder.frame(r->recorder.self, r->frame));
    }
    r->tally.frames++;
    return ZW_OK;
}

/* the same at the state that was reached, when it is time for it */
static zw_status look(zw_run *r, bool first, bool frame) {
    bool monitor = frame || r->tally.step % r->monitor_every == 0;
    return monitor ? zw_run_look_at(r, &r->x[r->now], first, frame) : ZW_OK;
}

/* sum of squares in eight lanes: not finite as soon as one velocity is not */
static bool finite(int n, const double *v) {
    double lane[8] = {0};
    int    i = 0;
    for (; i + 8 <= n; i += 8) {
        for (int k = 0; k < 8; k++) {
            lane[k] += v[i + k] * v[i + k];
        }
    }
    for (; i < n; i++) {
        lane[0] += v[i] * v[i];
    }
    double sum = 0.0;
    for (int k = 0; k < 8; k++) {
        sum += lane[k];
    }
    return isfinite(sum);
}

static zw_status stopped(zw_run *r) {
    char t[ZW_NUMBER_TEXT];
    return zw_raise(r->context, ZW_E_CANCELLED, "run", "go on with --resume", "stopped at t = %s s", zw_number_short(r->x[r->now].t, 8, t));
}

static zw_status advance(zw_run *r, int64_t steps) {
    enum { CHECK_EVERY = 16 };
    if (r->recording && !r->epoch_sent) {
        ZW_TRY(r->recorder.epoch(r->recorder.self, &r->layout));
        r->epoch_sent = true;
    }
    if (r->tally.step == 0 && r->tally.monitors == 0) {
        ZW_TRY(look(r, true, frame_due(r, 0)));
    }
    if (r->contacts != NULL && r->tally.begun == 0) {
        r->tally.begun = 1;
        ZW_TRY(zw_contacts_begin(r));
    }
    for (int64_t i = 0; i < steps && r->tally.outcome == ZW_RUNNING; i++) {
        if (zw_context_cancelled(r->context)) {
            return stopped(r);
        }
        if (r->adaptive) {
            zw_status status = zw_run_step_adaptive(r);
            if (status == ZW_E_DIVERGED) {
                r->tally.outcome = ZW_DIVERGED;
            }
            ZW_TRY(status);
            continue;
        }
        zw_status meshed = r->splits ? zw_run_remesh(r) : ZW_OK;
        if (meshed == ZW_E_STEP || meshed == ZW_E_CONVERGENCE || meshed == ZW_E_UNSUPPORTED || meshed == ZW_E_MODEL) {
            r->tally.outcome = ZW_DIVERGED; /* the memory or the disk may have room again when it is resumed; this will be the same */
        }
        ZW_TRY(meshed);
        zw_state *x0 = &r->x[r->now], *x1 = &r->x[1 - r->now];
        double    t1 = r->tally.step + 1 == r->nsteps ? r->until : (double)(r->tally.step + 1) * r->h;
        zw_status status = r->contacts != NULL ? zw_contacts_step(r, x0, r->h, t1, x1) : r->ops->step(r->integrator, x0, r->h, x1);
        x1->t = t1;
        bool frame = frame_due(r, r->tally.step + 1);
        if (status == ZW_OK &&
            (frame || (r->tally.step + 1) % CHECK_EVERY == 0 || !finite(r->size.nv, x1->v) || !finite(r->size.ns, x1->s))) {
            status = zw_system_check_finite(r->system, x1);
        }
        if (status == ZW_E_CANCELLED) { /* within a step: its beginning stands */
            return stopped(r);
        }
        if (status != ZW_OK) {
            r->tally.outcome = ZW_DIVERGED;
            return status;
        }
        r->now = 1 - r->now;
        r->tally.step++;
        status = look(r, false, frame);
        if (status != ZW_OK) {
            if (status == ZW_E_DIVERGED) { /* a probe, say; trouble with the recorder leaves the run as it is, to be resumed */
                r->tally.outcome = ZW_DIVERGED;
            }
            return status;
        }
        if (r->tally.step == r->nsteps) {
            r->tally.outcome = ZW_REACHED;
        }
    }
    return ZW_OK;
}

zw_status zw_run_advance(zw_run *r, int64_t steps) {
    zw_status status = advance(r, steps);
    if (status == ZW_E_CONVERGENCE || status == ZW_E_STEP) { /* a part may know the cause: then both are said */
        zw_status cause = zw_system_near(r->system, &r->x[r->now], r->adaptive ? 0.0 : r->h);
        status = cause != ZW_OK ? cause : status;
    }
    go_home(r);
    return status;
}

zw_status zw_run_look(zw_run *r, const double **frame) {
    zw_picture picture;
    ZW_TRY(zw_run_advance(r, 0)); /* the energy at the start, which the drift counts from */
    ZW_TRY(zw_run_take_picture(r, &r->x[r->now], true, &picture));
    ZW_TRY(zw_run_read_probes(r, &r->x[r->now], &picture));
    ZW_TRY(zw_run_fill_frame(r, &r->x[r->now], &picture));
    *frame = r->frame;
    return ZW_OK;
}

/* ---- checkpoints: fingerprint, meshes where links may be split, tally, probe tallies, state */
typedef struct save_head {
    uint64_t fingerprint;
    double   t;
} save_head;

static uint64_t fingerprint(const zw_run *r) {
    return zw_model_hash(r->model) ^ ((uint64_t)(unsigned)r->first.nq << 32) ^ ((uint64_t)(unsigned)r->first.nv << 16) ^
           (uint64_t)(unsigned)r->first.nw ^ (uint64_t)r->nsteps * 0x9e3779b97f4a7c15u;
}

static size_t state_doubles(const zw_run *r) {
    return (size_t)r->size.nq + (size_t)r->size.nv + (size_t)r->size.ns + (size_t)r->size.nw;
}

/* a number of doubles, and so many doubles */
static size_t mesh_bytes(const zw_run *r) {
    return r->splits ? sizeof(double) * (1 + zw_run_mesh_words(r)) : 0;
}

size_t zw_run_save_size(const zw_run *r) {
    return sizeof(save_head) + mesh_bytes(r) + sizeof(zw_tally) + (size_t)r->model->nprobes * sizeof(zw_probe_tally) +
           zw_contacts_save_size(r) + state_doubles(r) * sizeof(double);
}

static void put(unsigned char **to, const void *from, size_t n) {
    if (n > 0) {
        memcpy(*to, from, n);
    }
    *to += n;
}

static void get(const unsigned char **from, void *to, size_t n) {
    if (n > 0) {
        memcpy(to, *from, n);
    }
    *from += n;
}

void zw_run_save(const zw_run *r, void *bytes) {
    unsigned char  *p = bytes;
    const zw_state *x = &r->x[r->now];
    save_head       head = {.fingerprint = fingerprint(r), .t = x->t};
    put(&p, &head, sizeof head);
    if (r->splits) {
        double n = (double)zw_run_mesh_words(r);
        put(&p, &n, sizeof n);
        zw_run_mesh_save(r, p);
        p += sizeof(double) * zw_run_mesh_words(r);
    }
    put(&p, &r->tally, sizeof r->tally);
    put(&p, r->probe_tally, (size_t)r->model->nprobes * sizeof(zw_probe_tally));
    put(&p, r->contacts != NULL ? r->contacts->memory : NULL, zw_contacts_save_size(r));
    put(&p, x->q, sizeof(double) * (size_t)r->size.nq);
    put(&p, x->v, sizeof(double) * (size_t)r->size.nv);
    put(&p, x->s, sizeof(double) * (size_t)r->size.ns);
    put(&p, x->w, sizeof(double) * (size_t)r->size.nw);
}

zw_status zw_run_restore(zw_run *r, const void *bytes, size_t size) {
    const unsigned char *p = bytes;
    save_head            head;
    if (r->splits && size > sizeof head + sizeof(double)) { /* the mesh first: sizes follow from it */
        double n;
        memcpy(&head, p, sizeof head);
        memcpy(&n, p + sizeof head, sizeof n);
        if (head.fingerprint == fingerprint(r) && n >= 0.0 && n * sizeof n < (double)size) {
            ZW_TRY(zw_run_mesh_restore(r, p + sizeof head + sizeof n, (size_t)n));
        }
    }
    if (size != zw_run_save_size(r)) {
        return zw_raise(r->context, ZW_E_MISMATCH, "checkpoint", "start anew with --force", "it holds %zu bytes, this run needs %zu", size,
                        zw_run_save_size(r));
    }
    get(&p, &head, sizeof head);
    if (head.fingerprint != fingerprint(r)) {
        return zw_raise(r->context, ZW_E_MISMATCH, "checkpoint", "resume with the model that was run, or start anew with --force",
                        "it belongs to another model");
    }
    p += mesh_bytes(r);
    zw_tally tally;
    get(&p, &tally, sizeof tally);
    /* whole, but not written by this program; a step, and the start, has one frame and one look at most, besides frames within adaptive steps */
    int64_t most = r->adaptive ? INT64_MAX / 4 : r->nsteps, within = r->adaptive ? tally.next_frame : 0;
    bool    chosen = !r->adaptive || (isfinite(tally.h) && tally.h > 0.0 && within > 0 && within < most && tally.rejected >= 0);
    if (!chosen || tally.step < 0 || tally.step > most || tally.frames < 0 || tally.frames > tally.step + 1 + within ||
        tally.monitors < 0 || tally.monitors > tally.step + 1 + within || tally.outcome < ZW_RUNNING || tally.outcome > ZW_DIVERGED ||
        !isfinite(head.t)) {
        return zw_raise(r->context, ZW_E_FORMAT, "checkpoint", "start anew with --force",
                        "its numbers are impossible (step %lld of %lld, frame %lld, outcome %lld)", (long long)tally.step,
                        (long long)r->nsteps, (long long)tally.frames, (long long)tally.outcome);
    }
    r->now = r->pinned ? r->home : 0;
    zw_state *x = &r->x[r->now];
    x->t = head.t;
    r->tally = tally;
    get(&p, r->probe_tally, (size_t)r->model->nprobes * sizeof(zw_probe_tally));
    get(&p, r->contacts != NULL ? r->contacts->memory : NULL, zw_contacts_save_size(r));
    get(&p, x->q, sizeof(double) * (size_t)r->size.nq);
    get(&p, x->v, sizeof(double) * (size_t)r->size.nv);
    get(&p, x->s, sizeof(double) * (size_t)r->size.ns);
    get(&p, x->w, sizeof(double) * (size_t)r->size.nw);
    if (r->contacts != NULL) {
        ZW_TRY(zw_contacts_resume(r, x));
    }
    r->epoch_sent = true; /* the journal that goes with the checkpoint has it */
    return ZW_OK;
}

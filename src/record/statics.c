/* SPDX-License-Identifier: Apache-2.0
 * statics.c: equilibria into a directory: a frame per point into the journal as they are found, results.h5, summary.json and report.html at the end. A path that breaks off
 * keeps what it has, and so does one that is killed: the journal holds it.
 *
 * Mesh check: the path is followed first with half the elements of every rod. Points at asked-for values then come in the same order, and with links of second order
 * (4 fine - coarse)/3 is the value without the mesh's error, (fine - coarse)/3 about that error of the fine one. */
#define _POSIX_C_SOURCE 200809L
#include "zwang/results.h"

#include "analysis/path.h"
#include "analysis/still.h"
#include "base/number.h"
#include "base/text.h"
#include "model/model.h"
#include "record/begin.h"
#include "record/file.h"
#include "record/layout.h"
#include "record/pages.h"
#include "record/recover.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { SPECIALS = 64 };

typedef struct coarse { /* points of the path with half the elements: value, then all probes */
    int     n, room, width;
    double *row;
    bool    failed;
    int     nspecial[2];          /* limits, bifurcations on the path itself */
    double  special[2][SPECIALS]; /* their values */
} coarse;

typedef struct statics {
    zw_context            *context;
    const zw_model        *model;
    const zw_simulate_def *def;
    zw_path_def            path_def;
    zw_path_info           info;
    zw_directory           dir;
    zw_journal_writer     *journal;
    zw_layout             *known; /* of the frames so far */
    zw_text                path, limits, bifurcations;
    int                    points, asked, unstable, limits_seen, bifurcations_seen;
    double                 began, told, residual, rows, energy;
    bool                   lopsided;
    double (*probe)[ZW_PROBE_WIDTH], (*least)[ZW_PROBE_WIDTH], (*most)[ZW_PROBE_WIDTH]; /* newest on the path itself; of all */
    double (*last)[ZW_PROBE_WIDTH];                                                     /* newest, wherever */
    double (*exact)[ZW_PROBE_WIDTH], (*error)[ZW_PROBE_WIDTH];                          /* extrapolated */
    bool   extrapolated;
    coarse half;
} statics;

/* ---- JSON */

static void put_values(zw_text *t, const double *value, int n) {
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

static void put_probes(zw_text *t, const zw_model *m, double (*value)[ZW_PROBE_WIDTH]) {
    zw_text_add(t, "{");
    for (int i = 0; i < m->nprobes; i++) {
        zw_text_add(t, i > 0 ? ", " : "");
        zw_text_json_string(t, m->probes[i].name);
        zw_text_add(t, ": ");
        put_values(t, value[i], m->probes[i].width);
    }
    zw_text_add(t, "}");
}

static void put_named(zw_text *t, const char *key, double value) {
    zw_text_addf(t, ", \"%s\": ", key);
    zw_text_json_number(t, value);
}

static void put_summary(statics *s, zw_outcome outcome, zw_text *t) {
    const zw_model       *m = s->model;
    const zw_statics_def *d = &m->statics;
    int                   notes = 0;
    zw_text_add(t, "{\"version\": ");
    zw_text_json_string(t, zw_version());
    zw_text_add(t, ", \"model\": {\"title\": ");
    zw_text_json_string(t, zw_model_title(m));
    zw_text_add(t, ", \"file\": ");
    zw_text_json_string(t, m->file ? m->file : "");
    zw_text_addf(t, ", \"hash\": \"%016llx\"}, \"outcome\": \"%s\", \"analysis\": \"statics\", \"parameter\": ",
                 (unsigned long long)zw_model_hash(m), zw_outcome_name(outcome));
    if (d->vary) {
        zw_text_add(t, "{\"name\": ");
        zw_text_json_string(t, d->vary);
        put_named(t, "from", s->path_def.from);
        put_named(t, "to", s->path_def.to);
        put_named(t, "reached", s->info.last);
        zw_text_add(t, "}");
    } else {
        zw_text_add(t, "null");
    }
    zw_text_addf(t, ", \"points\": %d, \"branches\": %d, \"steps\": %d, \"frames\": %d, \"stable\": %s", s->points, s->info.branches,
                 s->info.steps, s->points, s->unstable == 0 ? "true" : "false");
    put_named(t, "wall_s", zw_clock() - s->began);
    zw_text_add(t, ", \"energy\": {\"final\": ");
    zw_text_json_number(t, s->energy);
    zw_text_add(t, "}");
    put_named(t, "residual_max", s->residual);
    zw_text_add(t, ", \"constraint\": {\"position_max\": ");
    zw_text_json_number(t, s->rows);
    zw_text_add(t, "}, \"limits\": [");
    zw_text_add(t, s->limits.n > 0 ? s->limits.s : "");
    zw_text_add(t, "], \"bifurcations\": [");
    zw_text_add(t, s->bifurcations.n > 0 ? s->bifurcations.s : "");
    zw_text_add(t, "], \"probes\": {");
    for (int i = 0; i < m->nprobes; i++) {
        int width = m->probes[i].width;
        zw_text_add(t, i > 0 ? ", " : "");
        zw_text_json_string(t, m->probes[i].name);
        zw_text_add(t, ": {\"final\": ");
        put_values(t, s->probe[i], width);
        zw_text_add(t, ", \"min\": ");
        put_values(t, s->least[i], width);
        zw_text_add(t, ", \"max\": ");
        put_values(t, s->most[i], width);
        if (s->extrapolated) {
            zw_text_add(t, ", \"extrapolated\": ");
            put_values(t, s->exact[i], width);
            zw_text_add(t, ", \"mesh_error\": ");
            put_values(t, s->error[i], width);
        }
        zw_text_add(t, "}");
    }
    zw_text_add(t, "}, \"warnings\": [");
    if (s->lopsided) {
        zw_text_add(
            t,
            "\"some loads follow the body or are moments in fixed axes: their stiffness is not symmetric, and `stable` says that nothing "
            "diverges, not that nothing flutters; see zwang modes\"");
        notes++;
    }
    if (s->info.holds > 0) {
        zw_text_add(t, notes++ > 0 ? ", " : "");
        char text[300];
        snprintf(text, sizeof text, "nothing resists %d direction%s, which stay%s as at the start: %s", s->info.holds,
                 s->info.holds == 1 ? "" : "s", s->info.holds == 1 ? "s" : "", s->info.free_way);
        zw_text_json_string(t, text);
    }
    if (s->info.cut) {
        zw_text_add(t, notes++ > 0 ? ", " : "");
        zw_text_add(t, "\"a branch was not followed to an end of the values\"");
    }
    if (d->check_mesh && !s->extrapolated) {
        zw_text_add(t, notes > 0 ? ", " : "");
        zw_text_add(t, "\"the path with half the elements does not have the same points: there is no estimate of the mesh's error\"");
    }
    zw_text_add(t, "], \"path\": [");
    zw_text_add(t, s->path.n > 0 ? s->path.s : "");
    zw_text_add(t, "]}\n");
}

/* ---- what a path tells */

static void tell_progress(statics *s, const zw_path_point *p) {
    double now = zw_clock();
    if (s->def->progress == NULL || now - s->told < 0.1) {
        return;
    }
    s->told = now;
    zw_progress told = {.step = s->points,
                        .steps = s->path_def.points,
                        .t = p->parameter,
                        .until = s->path_def.to,
                        .wall_s = now - s->began,
                        .eta_s = -1.0};
    s->def->progress(s->def->progress_user, &told);
}

/* the directory is touched when there is something to put into it */
static zw_status open_directory(statics *s) {
    ZW_TRY(zw_directory_create(s->context, s->def->directory, &s->dir));
    ZW_TRY(zw_directory_lock(&s->dir));
    const char *which;
    if (!s->def->force && zw_directory_has_results(&s->dir, &which)) {
        return zw_raise(s->context, ZW_E_EXISTS, s->dir.path, "choose another directory with -o, or replace them with --force",
                        "holds results already (%s)", which);
    }
    return zw_record_begin(&s->dir, s->model, s->def->force, &s->journal);
}

static zw_status record(statics *s, const zw_still *still) {
    const zw_layout *layout = &still->run.layout;
    if (s->def->directory == NULL) {
        return ZW_OK;
    }
    if (s->journal == NULL) {
        ZW_TRY(open_directory(s));
    }
    if (s->known == NULL || !zw_layout_equal(s->known, layout)) { /* labels and radii may depend on the parameter */
        zw_free(s->context, s->known);
        s->known = zw_layout_copy(s->context, layout);
        if (s->known == NULL) {
            return ZW_E_MEMORY;
        }
        ZW_TRY(zw_journal_epoch(s->journal, layout));
    }
    ZW_TRY(zw_journal_frame(s->journal, still->run.frame, layout->width));
    return zw_journal_tick(s->journal);
}

/* the values without the error of the mesh, where the coarse path has this point */
static bool extrapolate(statics *s, const zw_path_point *p) {
    const coarse *h = &s->half;
    if (!s->model->statics.check_mesh || h->failed || p->branch > 0 || !p->asked || s->asked >= h->n) {
        return false;
    }
    const double *row = h->row + (size_t)h->width * (size_t)s->asked;
    bool          same = isnan(p->parameter) || fabs(row[0] - p->parameter) <= 1e-9 * fabs(s->path_def.to - s->path_def.from);
    for (int i = 0, at = 1; same && i < s->model->nprobes; i++) {
        for (int k = 0; k < ZW_PROBE_WIDTH; k++, at++) {
            s->exact[i][k] = (4.0 * s->probe[i][k] - row[at]) / 3.0;
            s->error[i][k] = fabs(s->probe[i][k] - row[at]) / 3.0;
        }
    }
    return same;
}

static zw_status on_point(void *self, const zw_path_point *p) {
    statics  *s = self;
    zw_still  still;
    zw_text  *t = &s->path;
    bool      stable = p->below == 0;
    double    own[ZW_OWN_MOST] = {p->parameter, stable ? 1.0 : 0.0, p->below, p->branch};
    zw_status status = zw_still_create(p->model, p->system, &still);
    ZW_TRY(status);
    status = zw_still_take(&still, p->x, p->lambda, s->points, own, s->points > 0 ? s->last : NULL);
    status = status == ZW_OK ? record(s, &still) : status;
    for (int i = 0; status == ZW_OK && i < s->model->nprobes; i++) {
        memcpy(s->last[i], still.run.probe_value[i], sizeof s->last[i]);
        for (int k = 0; k < s->model->probes[i].width; k++) {
            double v = s->last[i][k];
            s->least[i][k] = s->points == 0 ? v : fmin(s->least[i][k], v);
            s->most[i][k] = s->points == 0 ? v : fmax(s->most[i][k], v);
        }
        if (p->branch == 0) {
            memcpy(s->probe[i], s->last[i], sizeof s->last[i]);
        }
    }
    zw_account account = {0};
    zw_system_account(p->system, p->x, &account);
    zw_still_destroy(&still);
    ZW_TRY(status);
    s->energy = p->branch == 0 ? account.elastic + account.potential : s->energy;
    zw_text_addf(t, "%s{\"parameter\": ", s->points > 0 ? ", " : "");
    zw_text_json_number(t, p->parameter);
    zw_text_add(t, ", \"probes\": ");
    put_probes(t, s->model, s->last);
    zw_text_addf(t, ", \"stable\": %s, \"below\": %d, \"branch\": %d", stable ? "true" : "false", p->below, p->branch);
    if (p->branch == 0) {
        s->extrapolated = extrapolate(s, p) || (s->extrapolated && !p->asked);
        if (s->extrapolated && p->asked) {
            zw_text_add(t, ", \"extrapolated\": ");
            put_probes(t, s->model, s->exact);
            zw_text_add(t, ", \"mesh_error\": ");
            put_probes(t, s->model, s->error);
        }
        s->asked += p->asked;
    }
    zw_text_add(t, "}");
    s->points++;
    s->unstable += !stable;
    s->lopsided = s->lopsided || p->lopsided;
    s->residual = fmax(s->residual, p->residual);
    s->rows = fmax(s->rows, p->rows);
    tell_progress(s, p);
    return zw_text_status(t);
}

static zw_status on_special(void *self, const zw_path_special *x) {
    statics *s = self;
    zw_text *t = x->kind == ZW_PATH_LIMIT ? &s->limits : &s->bifurcations;
    zw_text_add(t, t->n > 0 ? ", {\"parameter\": " : "{\"parameter\": ");
    zw_text_json_number(t, x->parameter);
    if (x->kind == ZW_PATH_LIMIT) {
        zw_text_addf(t, ", \"kind\": \"limit\", \"extremum\": \"%s\"", x->maximum ? "maximum" : "minimum");
    } else {
        zw_text_addf(t, ", \"kind\": \"bifurcation\", \"multiplicity\": %d", x->multiplicity);
    }
    const coarse *h = &s->half;
    int           number = x->kind == ZW_PATH_LIMIT ? s->limits_seen : s->bifurcations_seen;
    if (s->model->statics.check_mesh && !h->failed && x->branch == 0 && number < h->nspecial[x->kind]) {
        double other = h->special[x->kind][number];
        put_named(t, "extrapolated", (4.0 * x->parameter - other) / 3.0);
        put_named(t, "mesh_error", fabs(x->parameter - other) / 3.0);
    }
    *(x->kind == ZW_PATH_LIMIT ? &s->limits_seen : &s->bifurcations_seen) += x->branch == 0;
    zw_text_addf(t, ", \"branch\": %d, \"after\": %d}", x->branch, s->points);
    return zw_text_status(t);
}

/* ---- the coarse path */

static zw_status on_coarse_point(void *self, const zw_path_point *p) {
    statics *s = self;
    coarse  *h = &s->half;
    zw_still still;
    double   own[ZW_OWN_MOST] = {0};
    if (p->branch > 0 || !p->asked) {
        return ZW_OK;
    }
    if (h->n == h->room) {
        int     room = h->room > 0 ? 2 * h->room : 64;
        double *more = zw_resize(s->context, h->row, (size_t)room * (size_t)h->width, sizeof *more, "a path");
        if (more == NULL) {
            return ZW_E_MEMORY;
        }
        h->row = more;
        h->room = room;
    }
    ZW_TRY(zw_still_create(p->model, p->system, &still));
    zw_status status = zw_still_take(&still, p->x, p->lambda, h->n, own, h->n > 0 ? s->last : NULL);
    double   *row = h->row + (size_t)h->width * (size_t)h->n;
    row[0] = p->parameter;
    for (int i = 0; status == ZW_OK && i < s->model->nprobes; i++) {
        memcpy(s->last[i], still.run.probe_value[i], sizeof s->last[i]);
        memcpy(row + 1 + (ptrdiff_t)i * ZW_PROBE_WIDTH, s->last[i], sizeof s->last[i]);
    }
    zw_still_destroy(&still);
    h->n += status == ZW_OK;
    return status;
}

static zw_status on_coarse_special(void *self, const zw_path_special *x) {
    coarse *h = &((statics *)self)->half;
    if (x->branch == 0 && h->nspecial[x->kind] < SPECIALS) {
        h->special[x->kind][h->nspecial[x->kind]++] = x->parameter;
    }
    return ZW_OK;
}

static zw_status follow_coarse(statics *s) {
    enum { SET_TEXT = 160 };
    const zw_model *m = s->model;
    zw_model       *half = NULL;
    zw_path_info    info;
    int             n = 0;
    char(*set)[SET_TEXT] = zw_alloc(s->context, (size_t)m->nbodies + 1, sizeof *set, "a coarse mesh");
    const char **sets = zw_alloc(s->context, (size_t)m->nbodies + 1, sizeof *sets, "a coarse mesh");
    zw_status    status = set == NULL || sets == NULL ? ZW_E_MEMORY : ZW_OK;
    for (int i = 0; status == ZW_OK && i < m->nbodies; i++) {
        if (m->bodies[i].kind == ZW_BODY_ROD) {
            int length = snprintf(set[n], SET_TEXT, "bodies.%s.rod.elements=%d", m->bodies[i].name, m->bodies[i].rod.elements / 2);
            if (length < 0 || length >= SET_TEXT) {
                status = zw_raise(s->context, ZW_E_LIMIT, m->bodies[i].name, "give the rod a shorter name",
                                  "its name is too long for a mesh check");
                break;
            }
            sets[n] = set[n];
            n++;
        }
    }
    if (status == ZW_OK) {
        status = zw_model_parse(s->context, m->file, zw_model_text(m), strlen(zw_model_text(m)), n, sets, &half);
    }
    if (status == ZW_OK) {
        zw_path_def def = s->path_def;
        def.branches = 0;
        def.point = on_coarse_point;
        def.special = on_coarse_special;
        status = zw_path_follow(half, &def, &info);
        if (status == ZW_E_CONVERGENCE) { /* the fine path may well go on */
            s->half.failed = true;
            zw_error_clear(s->context);
            status = ZW_OK;
        }
    }
    zw_model_destroy(half);
    zw_free(s->context, set);
    zw_free(s->context, sets);
    return status;
}

/* ---- the whole */

static zw_status check(statics *s) {
    const zw_model       *m = s->model;
    const zw_statics_def *d = &m->statics;
    char                  what[160];
    double                friction = 0.0;
    if (m->contact.friction.node != 0) {
        ZW_TRY(zw_model_constant(m, m->contact.friction, "contact.friction", &friction));
    }
    if (friction > 0.0 && zw_model_meets(m, what, sizeof what)) {
        return zw_raise(s->context, ZW_E_UNSUPPORTED, "contact.friction", "set it to 0, or let `zwang run` with damping come to rest",
                        "equilibria with friction are many, and statics does not choose among them; %s", what);
    }
    for (int i = 0; i < m->nbodies; i++) {
        if (m->bodies[i].kind == ZW_BODY_FIELD) {
            return zw_raise(s->context, ZW_E_UNSUPPORTED, m->bodies[i].name, "leave it out of this model", "a field has no statics");
        }
    }
    s->path_def.parameter = d->vary;
    s->path_def.points = d->vary ? d->points : 1;
    s->path_def.branches = d->branches;
    for (int i = 0; d->vary && i < m->nparameters; i++) {
        if (strcmp(m->parameter_name[i], d->vary) == 0) {
            s->path_def.from = m->parameter_value[i];
        }
    }
    if (d->vary && d->from.node != 0) {
        ZW_TRY(zw_model_constant(m, d->from, "statics.from", &s->path_def.from));
    }
    if (d->vary) {
        ZW_TRY(zw_model_constant(m, d->to, "statics.to", &s->path_def.to));
        if (!isfinite(s->path_def.from) || s->path_def.from == s->path_def.to) {
            char number[ZW_NUMBER_TEXT];
            return zw_model_raise(m, ZW_E_MODEL, d->at, "statics", "give statics.from another value than statics.to",
                                  "the path has no length: it begins and ends at %s", zw_number_short(s->path_def.from, 9, number));
        }
    }
    struct stat there;
    if (s->def->directory != NULL && !s->def->force && stat(s->def->directory, &there) == 0) { /* before anything is computed */
        zw_directory dir;
        const char  *which;
        ZW_TRY(zw_directory_open(s->context, s->def->directory, &dir));
        bool taken = zw_directory_has_results(&dir, &which);
        zw_directory_close(&dir);
        if (taken) {
            return zw_raise(s->context, ZW_E_EXISTS, s->def->directory, "choose another directory with -o, or replace them with --force",
                            "holds results already (%s)", which);
        }
    }
    return ZW_OK;
}

static zw_status reserve(statics *s) {
    size_t n = (size_t)s->model->nprobes + 1;
    double(*all)[ZW_PROBE_WIDTH] = zw_alloc(s->context, 6 * n, sizeof *all, "probes");
    if (all == NULL) {
        return ZW_E_MEMORY;
    }
    s->probe = all;
    s->least = all + n;
    s->most = all + 2 * n;
    s->last = all + 3 * n;
    s->exact = all + 4 * n;
    s->error = all + 5 * n;
    s->half.width = 1 + s->model->nprobes * ZW_PROBE_WIDTH;
    return ZW_OK;
}

/* what there is, onto the disk. The first failure is the one returned */
static zw_status conclude(statics *s, zw_status status, char **summary_json) {
    zw_outcome outcome = status == ZW_OK ? ZW_REACHED : status == ZW_E_CANCELLED ? ZW_RUNNING : ZW_DIVERGED;
    zw_text    text;
    if (s->points == 0 || (s->journal == NULL && s->def->directory != NULL)) {
        return status;
    }
    zw_text_init(&text, s->context);
    put_summary(s, outcome, &text);
    zw_status written = zw_text_status(&text);
    if (written != ZW_OK) {
        zw_text_destroy(&text);
        return status != ZW_OK ? status : written;
    }
    *summary_json = text.s;
    if (status == ZW_E_IO || status == ZW_E_MEMORY || s->def->directory == NULL) {
        return status;
    }
    written = zw_journal_end(s->journal, (int)outcome, text.s);
    written = written == ZW_OK ? zw_journal_sync(s->journal) : written;
    written = written == ZW_OK ? zw_results_make(&s->dir) : written;
    written = written == ZW_OK ? zw_file_replace(s->context, s->dir.fd, s->dir.path, ZW_FILE_SUMMARY, text.s, text.n) : written;
    written = written == ZW_OK ? zw_pages_write(s->context, s->def) : written;
    written = written == ZW_OK ? zw_directory_tidy(&s->dir) : written;
    return status != ZW_OK ? status : written;
}

zw_status zw_statics(zw_context *c, const zw_model *m, const zw_simulate_def *given, char **summary_json) {
    if (!c || !m || !summary_json) {
        return ZW_E_ARG;
    }
    *summary_json = NULL;
    zw_simulate_def def = zw_simulate_def_default();
    if (!given || given->size < sizeof given->size || given->size > sizeof def) {
        return zw_raise(c, ZW_E_ARG, "zw_statics", "begin with zw_simulate_def_default()", "the def has no valid size");
    }
    memcpy(&def, given, given->size);
    statics   s = {.context = c, .model = m, .def = &def, .dir = {.context = c, .fd = -1, .lock = -1}, .began = zw_clock()};
    zw_status status = check(&s);
    zw_text_init(&s.path, c);
    zw_text_init(&s.limits, c);
    zw_text_init(&s.bifurcations, c);
    s.path_def.self = &s;
    s.path_def.point = on_point;
    s.path_def.special = on_special;
    status = status == ZW_OK ? reserve(&s) : status;
    if (status == ZW_OK && m->statics.check_mesh) {
        status = follow_coarse(&s);
    }
    status = status == ZW_OK ? conclude(&s, zw_path_follow(m, &s.path_def, &s.info), summary_json) : status;
    zw_journal_close(s.journal);
    zw_directory_close(&s.dir);
    zw_free(c, s.known);
    zw_free(c, s.probe);
    zw_free(c, s.half.row);
    zw_text_destroy(&s.path);
    zw_text_destroy(&s.limits);
    zw_text_destroy(&s.bifurcations);
    return status;
}

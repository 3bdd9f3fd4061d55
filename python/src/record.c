/* SPDX-License-Identifier: Apache-2.0
 * record.c: runs a model from beginning to end: into memory, or into a directory just as the program does. */
#define _POSIX_C_SOURCE 200809L
#include "_zwang.h"

#include "base/text.h"
#include "record/summary.h"

#include <time.h>

static const double slice_s = 0.05, progress_s = 0.1;

double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

zw_status summary_text(session *s, const zw_model *m, const zw_run *r, double wall_s, char **out) {
    zw_summary sum;
    zw_text    text;
    zw_run_summary(r, &sum);
    zw_text_init(&text, s->context);
    zw_status status = zw_summary_json(s->context, m, &sum, wall_s, &text);
    if (status == ZW_OK) {
        *out = text.s;
    } else {
        zw_text_destroy(&text);
    }
    return status;
}

static void tell(watch *w, const zw_run *run, double wall) {
    zw_summary sum;
    zw_run_summary(run, &sum);
    zw_progress p = {.step = sum.steps, .steps = sum.steps_total, .t = sum.t, .until = sum.until, .wall_s = wall, .eta_s = -1.0};
    if (sum.steps > 0) {
        p.eta_s = wall / (double)sum.steps * (double)(sum.steps_total - sum.steps);
    }
    watch_progress(w, &p);
}

/* without the GIL; w->thread is the thread state */
static zw_status advance_all(zw_run *run, watch *w) {
    int64_t slice = 1;
    double  began = clock_now(), told = began, now = began;
    while (!zw_run_done(run)) {
        double    before = now;
        zw_status status = zw_run_advance(run, slice);
        if (status != ZW_OK) {
            return status;
        }
        now = clock_now();
        double took = now - before, factor = took > 0.0 ? slice_s / took : 4.0;
        slice = (int64_t)((double)slice * (factor > 4.0 ? 4.0 : factor));
        slice = slice < 1 ? 1 : slice;
        if (now - told >= progress_s) {
            tell(w, run, now - began);
            told = now;
        }
    }
    tell(w, run, now - began);
    return ZW_OK;
}

/* (answer, None) or (answer, exception); takes over the answer */
static PyObject *outcome(session *s, PyObject *answer, zw_status status) {
    PyObject *e = Py_None;
    Py_INCREF(e);
    if (answer == NULL || session_tell(s) < 0 || (status != ZW_OK && (Py_DECREF(e), e = session_failure(s, status)) == NULL)) {
        Py_XDECREF(answer);
        Py_XDECREF(e);
        return NULL;
    }
    return Py_BuildValue("(NN)", answer, e);
}

PyObject *record(PyObject *module, PyObject *args) {
    PyObject *source, *progress, *store = NULL, *out = NULL;
    int       threads;
    session   s;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!iO", types.source, &source, &threads, &progress) || session_open(&s, threads) < 0) {
        return NULL;
    }
    watch     w = {.context = s.context, .progress = progress};
    zw_model *m = NULL;
    zw_run   *run = NULL;
    char     *summary = NULL;
    double    began = clock_now();
    zw_status status;
    w.thread = PyEval_SaveThread();
    status = source_parse(source, &s, &m);
    if (status == ZW_OK) {
        status = zw_run_create(m, &run);
    }
    PyEval_RestoreThread(w.thread);
    if (status != ZW_OK) { /* nothing ran */
        if (session_tell(&s) == 0) {
            session_raise(&s, status);
        }
        goto done;
    }
    store = store_create(source_text(source), run);
    if (store == NULL) {
        goto done;
    }
    zw_recorder recorder = store_recorder(store);
    zw_run_set_recorder(run, &recorder);
    w.thread = PyEval_SaveThread();
    status = advance_all(run, &w);
    PyEval_RestoreThread(w.thread);
    if (watch_end(&w) < 0) {
        goto done;
    }
    if (summary_text(&s, m, run, clock_now() - began, &summary) != ZW_OK || store_close(store, summary) < 0) {
        if (!PyErr_Occurred()) {
            PyErr_NoMemory();
        }
        goto done;
    }
    out = outcome(&s, store, status);
    store = NULL;
done:
    Py_XDECREF(store);
    zw_string_free(s.context, summary);
    zw_run_destroy(run);
    zw_model_destroy(m);
    session_close(&s);
    return out;
}

PyObject *simulate(PyObject *module, PyObject *args) {
    PyObject *source, *directory, *progress, *out = NULL;
    int       force, resume, report, threads;
    session   s;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O&pppiO", types.source, &source, PyUnicode_FSConverter, &directory, &force, &resume, &report, &threads,
                          &progress)) {
        return NULL;
    }
    if (session_open(&s, threads) < 0) {
        Py_DECREF(directory);
        return NULL;
    }
    watch           w = {.context = s.context, .progress = progress};
    zw_model       *m = NULL;
    char           *summary = NULL;
    zw_simulate_def def = zw_simulate_def_default();
    zw_status       status;
    def.directory = PyBytes_AsString(directory);
    def.force = force != 0;
    def.resume = resume != 0;
    def.report = report != 0;
    def.progress = watch_progress;
    def.progress_user = &w;
    w.thread = PyEval_SaveThread();
    status = source_parse(source, &s, &m);
    if (status == ZW_OK) {
        status = zw_simulate(s.context, m, &def, &summary);
    }
    PyEval_RestoreThread(w.thread);
    if (watch_end(&w) == 0) {
        out = outcome(&s, text_of(summary != NULL ? summary : ""), status);
    }
    zw_string_free(s.context, summary);
    zw_model_destroy(m);
    session_close(&s);
    Py_DECREF(directory);
    return out;
}

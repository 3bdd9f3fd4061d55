/* SPDX-License-Identifier: Apache-2.0
 * simulation.c: a run in the hands of Python.
 *
 * Views look at the arrays of the run itself. While one is alive the run is pinned (zw_run_pin), so that a view shows the newest state
 * after every step; without views nothing is copied. Long advances are cut into slices of about 50 ms, and signals are looked at in between. */
#include "_zwang.h"

#include <math.h>
#include <string.h>

typedef struct simulation {
    PyObject   ob_base;
    session    s;
    zw_model  *model;
    zw_run    *run;
    bool       busy, pinned;
    Py_ssize_t views;
    int64_t    slice;
    double     began;
} simulation;

static const double slice_s = 0.05;

static int take(PyObject *o, simulation **out) {
    *out = (simulation *)o;
    return claim(&(*out)->busy, "simulation");
}

static PyObject *simulation_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *source;
    int       threads = 1;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O!|i", types.source, &source, &threads)) {
        return NULL;
    }
    allocfunc   alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    simulation *m = (simulation *)alloc(type, 0);
    if (m == NULL) {
        return NULL;
    }
    zw_status status = ZW_OK;
    m->slice = 16;
    m->began = clock_now();
    if (session_open(&m->s, threads) < 0) {
        goto fail;
    }
    PyThreadState *thread = PyEval_SaveThread();
    status = source_parse(source, &m->s, &m->model);
    if (status == ZW_OK) {
        status = zw_run_create(m->model, &m->run);
    }
    if (status == ZW_OK) {
        status = zw_run_advance(m->run, 0); /* looks at the start: energies and probes at t = 0 */
    }
    PyEval_RestoreThread(thread);
    if (session_tell(&m->s) < 0) {
        goto fail;
    }
    if (status != ZW_OK) {
        session_raise(&m->s, status);
        goto fail;
    }
    return (PyObject *)m;
fail:
    Py_DECREF(m);
    return NULL;
}

static void simulation_dealloc(PyObject *o) {
    simulation   *m = (simulation *)o;
    PyTypeObject *type = Py_TYPE(o);
    zw_run_destroy(m->run);
    zw_model_destroy(m->model);
    session_close(&m->s);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(o);
    Py_DECREF(type);
}

/* ---- advancing ---- */

static zw_status slices(simulation *m, int64_t steps) {
    zw_status status = ZW_OK;
    while (status == ZW_OK && steps > 0 && !zw_run_done(m->run)) {
        int64_t        n = steps < m->slice ? steps : m->slice;
        double         before = clock_now();
        PyThreadState *thread = PyEval_SaveThread();
        status = zw_run_advance(m->run, n);
        PyEval_RestoreThread(thread);
        double took = clock_now() - before, factor = took > 0.0 ? slice_s / took : 4.0;
        if (n == m->slice) {
            m->slice = (int64_t)((double)n * (factor > 4.0 ? 4.0 : factor));
            m->slice = m->slice < 1 ? 1 : m->slice;
        }
        steps -= n;
        if (PyErr_CheckSignals() < 0) {
            break;
        }
    }
    return status;
}

static PyObject *advance(simulation *m, int64_t steps) {
    if (m->pinned && m->views == 0) {
        zw_run_pin(m->run, false);
        m->pinned = false;
    }
    int64_t   before = zw_run_steps(m->run);
    zw_status status = ZW_OK;
    if (zw_run_done(m->run)) {
        zw_summary sum;
        zw_run_summary(m->run, &sum);
        status = sum.outcome == ZW_DIVERGED && steps > 0 ? ZW_E_DIVERGED : ZW_OK;
    } else if (steps < 4) { /* the short way, for those who step one by one */
        PyThreadState *thread = PyEval_SaveThread();
        status = zw_run_advance(m->run, steps);
        PyEval_RestoreThread(thread);
    } else {
        status = slices(m, steps);
    }
    if (PyErr_Occurred() || (m->s.nnotes > 0 && session_tell(&m->s) < 0)) {
        zw_error_clear(m->s.context);
        return NULL;
    }
    if (status != ZW_OK) {
        return session_raise(&m->s, status);
    }
    return PyLong_FromLongLong(zw_run_steps(m->run) - before);
}

/* steps of chosen length: how many there are is known at the end only */
static PyObject *advance_to(simulation *m, double until, double end) {
    int64_t before = zw_run_steps(m->run);
    while (!zw_run_done(m->run) && (until >= end || zw_run_state(m->run)->t < until)) {
        PyObject *taken = advance(m, until >= end ? INT64_MAX : 1);
        if (taken == NULL) {
            return NULL;
        }
        Py_DECREF(taken);
    }
    return PyLong_FromLongLong(zw_run_steps(m->run) - before);
}

static PyObject *simulation_step(PyObject *o, PyObject *const *args, Py_ssize_t nargs) {
    simulation *m;
    long long   n = 1;
    if (nargs > 1) {
        return PyErr_Format(PyExc_TypeError, "step() takes at most 1 argument (%zd given)", nargs);
    }
    if (nargs == 1) {
        n = PyLong_AsLongLong(args[0]);
        if (n == -1 && PyErr_Occurred()) {
            return NULL;
        }
        if (n < 0) {
            return PyErr_Format(PyExc_ValueError, "step: %lld is not a number of steps; give 0 or more", n);
        }
    }
    if (take(o, &m) < 0) {
        return NULL;
    }
    PyObject *taken = advance(m, n);
    m->busy = false;
    return taken;
}

static PyObject *simulation_run(PyObject *o, PyObject *args) {
    PyObject   *end = Py_None;
    simulation *m;
    zw_summary  sum;
    double      until = HUGE_VAL;
    if (!PyArg_ParseTuple(args, "|O:run", &end)) {
        return NULL;
    }
    if (end != Py_None) {
        until = PyFloat_AsDouble(end);
        if (PyErr_Occurred()) {
            return NULL;
        }
        if (isnan(until)) {
            PyErr_SetString(PyExc_ValueError, "until: nan is not a time; give seconds");
            return NULL;
        }
    }
    if (take(o, &m) < 0) {
        return NULL;
    }
    zw_run_summary(m->run, &sum);
    int64_t left = sum.steps_total - sum.steps;
    double  wanted = until < sum.until ? ceil(until / sum.step - 1e-9) - (double)sum.steps : (double)left;
    int64_t steps = wanted < 0.0 ? 0 : wanted < (double)left ? (int64_t)wanted : left;
    if (sum.outcome == ZW_DIVERGED) {
        steps = 1; /* says so again */
    }
    PyObject *taken = sum.adaptive && sum.outcome == ZW_RUNNING ? advance_to(m, until, sum.until) : advance(m, steps);
    m->busy = false;
    return taken;
}

/* ---- looking ---- */

static PyObject *state_view(simulation *m, const double *data, int rank, const Py_ssize_t *shape, const Py_ssize_t *strides) {
    zw_run_pin(m->run, true);
    m->pinned = true;
    return view_array(view_new((PyObject *)m, &m->views, data, rank, shape, strides));
}

/* closure: 0 for q, 1 for v */
static PyObject *get_state(PyObject *o, void *which) {
    static const Py_ssize_t stride = sizeof(double);
    simulation             *m;
    if (take(o, &m) < 0) {
        return NULL;
    }
    const zw_state *x = zw_run_state(m->run);
    zw_size         size = zw_system_size(zw_run_system(m->run));
    Py_ssize_t      n = which != NULL ? size.nv : size.nq;
    PyObject       *array = state_view(m, which != NULL ? x->v : x->q, 1, &n, &stride);
    m->busy = false;
    return array;
}

static PyObject *simulation_span(PyObject *o, PyObject *args) {
    const char *name;
    simulation *m;
    zw_span     span;
    PyObject   *array = NULL;
    if (!PyArg_ParseTuple(args, "s:_span", &name) || take(o, &m) < 0) {
        return NULL;
    }
    if (zw_run_span(m->run, name, &span)) {
        Py_ssize_t shape[2], strides[2];
        for (int i = 0; i < span.rank; i++) {
            shape[i] = span.shape[i];
            strides[i] = span.stride[i] * (Py_ssize_t)sizeof(double);
        }
        array = state_view(m, span.data, span.rank, shape, strides);
    } else {
        PyErr_Format(PyExc_KeyError, "%s", name);
    }
    m->busy = false;
    return array;
}

static PyObject *channel_dict(const zw_channel *channel, int n, const double *data, const char *prefix) {
    size_t    skip = strlen(prefix);
    PyObject *out = PyDict_New();
    for (int i = 0; out != NULL && i < n; i++) {
        if (strncmp(channel[i].name, prefix, skip) != 0) {
            continue;
        }
        PyObject *value = copied_array(&channel[i], data + channel[i].offset);
        if (value == NULL || PyDict_SetItemString(out, channel[i].name + skip, value) < 0) {
            Py_CLEAR(out);
        }
        Py_XDECREF(value);
    }
    return out;
}

/* channels of the state as it is now whose names begin with a prefix */
static PyObject *simulation_look(PyObject *o, PyObject *args) {
    const char *prefix;
    simulation *m;
    if (!PyArg_ParseTuple(args, "s:_look", &prefix) || take(o, &m) < 0) {
        return NULL;
    }
    const double  *frame = NULL;
    zw_status      status;
    PyThreadState *thread = PyEval_SaveThread();
    status = zw_run_look(m->run, &frame);
    PyEval_RestoreThread(thread);
    const zw_layout *layout = zw_run_layout(m->run);
    PyObject        *out = status == ZW_OK ? channel_dict(layout->channel, layout->nchannels, frame, prefix) : session_raise(&m->s, status);
    m->busy = false;
    return out;
}

static PyObject *simulation_channels(PyObject *o, PyObject *unused) {
    const zw_layout *layout = zw_run_layout(((simulation *)o)->run); /* constant */
    PyObject        *out = PyList_New(0);
    (void)unused;
    for (int i = 0; out != NULL && i < layout->nchannels + layout->nconstants; i++) {
        bool      constant = i >= layout->nchannels;
        PyObject *name = text_of(constant ? layout->constant[i - layout->nchannels].name : layout->channel[i].name);
        if (name == NULL || PyList_Append(out, name) < 0) {
            Py_CLEAR(out);
        }
        Py_XDECREF(name);
    }
    return out;
}

static PyObject *simulation_constants(PyObject *o, PyObject *unused) {
    const zw_layout *layout = zw_run_layout(((simulation *)o)->run);
    (void)unused;
    return channel_dict(layout->constant, layout->nconstants, layout->constants, "");
}

static PyObject *simulation_summary(PyObject *o, PyObject *unused) {
    simulation *m;
    char       *text = NULL;
    PyObject   *out = NULL;
    (void)unused;
    if (take(o, &m) < 0) {
        return NULL;
    }
    zw_status status = summary_text(&m->s, m->model, m->run, clock_now() - m->began, &text);
    if (status == ZW_OK) {
        out = text_of(text);
    } else {
        session_raise(&m->s, status);
    }
    zw_string_free(m->s.context, text);
    m->busy = false;
    return out;
}

static PyObject *get_t(PyObject *o, void *unused) {
    simulation *m;
    (void)unused;
    if (take(o, &m) < 0) {
        return NULL;
    }
    m->busy = false;
    return PyFloat_FromDouble(zw_run_state(m->run)->t);
}

static PyObject *get_steps(PyObject *o, void *unused) {
    simulation *m;
    (void)unused;
    if (take(o, &m) < 0) {
        return NULL;
    }
    m->busy = false;
    return PyLong_FromLongLong(zw_run_steps(m->run));
}

static PyObject *get_done(PyObject *o, void *unused) {
    simulation *m;
    (void)unused;
    if (take(o, &m) < 0) {
        return NULL;
    }
    m->busy = false;
    return PyBool_FromLong(zw_run_done(m->run));
}

static PyMethodDef methods[] = {
    {"step", (PyCFunction)(void (*)(void))simulation_step, METH_FASTCALL,
     "step(n=1, /)\n--\n\nTake at most n steps; gives how many were taken (fewer at the end of the run)."},
    {"run", simulation_run, METH_VARARGS,
     "run(until=None, /)\n--\n\nGo on to the first step at or after the time until (s), or to the end; gives the number of steps taken."},
    {"_span", simulation_span, METH_VARARGS, NULL},
    {"_look", simulation_look, METH_VARARGS, NULL},
    {"_channels", simulation_channels, METH_NOARGS, NULL},
    {"_constants", simulation_constants, METH_NOARGS, NULL},
    {"_summary", simulation_summary, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static char        second;
static PyGetSetDef properties[] = {
    {"t", get_t, NULL, "time, s", NULL},
    {"steps", get_steps, NULL, "steps taken so far", NULL},
    {"done", get_done, NULL, "whether the run is over: reached its end, or diverged", NULL},
    {"q", get_state, NULL, "configuration: a read-only array that shares the memory of the simulation", NULL},
    {"v", get_state, NULL, "velocity: a read-only array that shares the memory of the simulation", &second},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_doc, "Simulation(source, threads=1): a model set in motion"},
    {Py_tp_new, simulation_new},
    {Py_tp_dealloc, simulation_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};
PyType_Spec simulation_spec = {"zwang._zwang.Simulation", sizeof(simulation), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

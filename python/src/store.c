/* SPDX-License-Identifier: Apache-2.0
 * store.c: recorded frames. In memory they stand one behind the other as they were recorded, and an array is a strided view of them;
 * of a directory, an array is read when it is asked for, and belongs to whoever asked. A run whose sizes change has several epochs: an
 * array over all of them is a copy, and exists where its shape never changes. */
#include "_zwang.h"

#include "base/text.h"
#include "record/events.h"

#include <stdlib.h>
#include <string.h>

typedef struct table { /* rows of the ledger, in memory */
    double *row;
    size_t  n, room;
} table;

typedef struct epoch { /* in memory: a copy of its layout, and its frames */
    zw_layout layout;
    double   *constants, *frames;
    size_t    nframes, room;
} epoch;

typedef struct store {
    PyObject      ob_base;
    session       s;
    bool          busy;
    zw_results   *file; /* NULL: in memory */
    epoch        *epochs;
    int           nepochs;
    table         contacts, joints;
    const zw_run *run;      /* while it records */
    zw_text       names[2]; /* of sides and joints */
    int           first[2]; /* where those of the run begin */
    bool          named;
    PyObject     *model_text, *summary;
} store;

/* ---- in memory ---- */

static void *copy_of(const void *from, size_t n) {
    void *to = malloc(n + 1);
    if (to != NULL && n > 0) {
        memcpy(to, from, n);
    }
    return to;
}

static void drop_epoch(epoch *e) {
    free(e->layout.channel);
    free(e->layout.constant);
    free(e->constants);
    free(e->frames);
}

static zw_status take_layout(void *self, const zw_layout *l) {
    store *m = self;
    m->named = false;
    if (m->nepochs > 0 && m->epochs[m->nepochs - 1].nframes == 0) { /* sizes changed again before there was a frame */
        drop_epoch(&m->epochs[--m->nepochs]);
    }
    epoch *more = realloc(m->epochs, ((size_t)m->nepochs + 1) * sizeof *more);
    if (more == NULL) {
        return ZW_E_MEMORY;
    }
    m->epochs = more;
    epoch *e = &m->epochs[m->nepochs++];
    *e = (epoch){.layout = *l};
    e->layout.channel = copy_of(l->channel, (size_t)l->nchannels * sizeof *l->channel);
    e->layout.constant = copy_of(l->constant, (size_t)l->nconstants * sizeof *l->constant);
    e->layout.constants = e->constants = copy_of(l->constants, l->constants_width * sizeof(double));
    return e->layout.channel != NULL && e->layout.constant != NULL && e->constants != NULL ? ZW_OK : ZW_E_MEMORY;
}

static zw_status take_frame(void *self, const double *frame) {
    store *m = self;
    epoch *e = &m->epochs[m->nepochs - 1];
    size_t bytes = e->layout.width * sizeof(double);
    if (e->nframes == e->room) {
        size_t  room = e->room > 0 ? 2 * e->room : 16;
        double *more = room <= (size_t)PTRDIFF_MAX / bytes ? realloc(e->frames, room * bytes) : NULL;
        if (more == NULL) {
            return ZW_E_MEMORY;
        }
        e->frames = more;
        e->room = room;
    }
    memcpy(e->frames + e->nframes * e->layout.width, frame, bytes);
    e->nframes++;
    return ZW_OK;
}

static double *next_row(table *t, size_t columns) {
    if (t->n == t->room) {
        size_t  room = t->room > 0 ? 2 * t->room : 16;
        double *more = room <= (size_t)PTRDIFF_MAX / sizeof(double) / columns ? realloc(t->row, room * columns * sizeof(double)) : NULL;
        if (more == NULL) {
            return NULL;
        }
        t->row = more;
        t->room = room;
    }
    return t->row + t->n++ * columns;
}

static zw_status take_names(store *m) {
    for (int i = 0; i < 2; i++) {
        zw_text now;
        zw_text_init(&now, m->names[i].context);
        if (i == 0) {
            zw_ledger_sides(m->run, &now);
        } else {
            zw_ledger_joints(m->run, &now);
        }
        zw_status status = zw_text_status(&now);
        if (status == ZW_OK) {
            zw_ledger_join(&m->names[i], now.s, &m->first[i]);
            status = zw_text_status(&m->names[i]);
        }
        zw_text_destroy(&now);
        ZW_TRY(status);
    }
    m->named = true;
    return ZW_OK;
}

static zw_status take_event(void *self, const zw_event_record *e) {
    store *m = self;
    if (!m->named) {
        ZW_TRY(take_names(m));
    }
    for (int i = 0; i < e->ncontacts; i++) {
        double *row = next_row(&m->contacts, ZW_LEDGER_COLUMNS);
        if (row == NULL) {
            return ZW_E_MEMORY;
        }
        zw_ledger_row(e, i, m->first[0], row);
    }
    for (int i = 0; i < e->njoints; i++) {
        double *row = next_row(&m->joints, ZW_LEDGER_JOINT_COLUMNS);
        if (row == NULL) {
            return ZW_E_MEMORY;
        }
        zw_ledger_joint_row(e, i, m->first[1], row);
    }
    return ZW_OK;
}

static store *allocate(void) {
    allocfunc alloc = (allocfunc)PyType_GetSlot(types.store, Py_tp_alloc);
    return (store *)alloc(types.store, 0);
}

PyObject *store_create(PyObject *model_text, const zw_run *run) {
    store *m = allocate();
    if (m != NULL && session_open(&m->s, 1) < 0) {
        Py_CLEAR(m);
    }
    if (m != NULL) {
        m->model_text = model_text;
        Py_INCREF(model_text);
        m->run = run;
        zw_text_init(&m->names[0], m->s.context);
        zw_text_init(&m->names[1], m->s.context);
    }
    return (PyObject *)m;
}

zw_recorder store_recorder(PyObject *o) {
    return (zw_recorder){.self = o, .epoch = take_layout, .frame = take_frame, .event = take_event};
}

int store_close(PyObject *o, const char *summary) {
    store *m = (store *)o;
    for (int i = 0; i < m->nepochs; i++) {
        epoch *e = &m->epochs[i];
        if (e->nframes > 0 && e->nframes < e->room) { /* nothing looks at it yet: give the rest back */
            double *less = realloc(e->frames, e->nframes * e->layout.width * sizeof(double));
            if (less != NULL) {
                e->frames = less;
                e->room = e->nframes;
            }
        }
    }
    if (m->names[0].s == NULL && m->names[1].s == NULL && take_names(m) != ZW_OK) { /* there was no event */
        PyErr_NoMemory();
        return -1;
    }
    m->run = NULL;
    m->summary = text_of(summary);
    return m->summary != NULL ? 0 : -1;
}

/* ---- of a directory ---- */

PyObject *store_open(PyObject *module, PyObject *args) {
    PyObject *directory;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &directory)) {
        return NULL;
    }
    store *m = allocate();
    if (m == NULL || session_open(&m->s, 1) < 0) {
        Py_XDECREF((PyObject *)m);
        Py_DECREF(directory);
        return NULL;
    }
    const char    *path = PyBytes_AsString(directory);
    zw_status      status;
    PyThreadState *thread = PyEval_SaveThread();
    status = zw_results_open(m->s.context, path, &m->file);
    PyEval_RestoreThread(thread);
    Py_DECREF(directory);
    if (session_tell(&m->s) < 0 || status != ZW_OK) {
        if (!PyErr_Occurred()) {
            session_raise(&m->s, status);
        }
        Py_DECREF((PyObject *)m);
        return NULL;
    }
    const char *text = zw_results_model_text(m->file), *summary = zw_results_summary(m->file);
    m->model_text = text_of(text != NULL ? text : "");
    m->summary = text_of(summary != NULL ? summary : "");
    if (m->model_text == NULL || m->summary == NULL) {
        Py_CLEAR(m);
    }
    return (PyObject *)m;
}

static void store_dealloc(PyObject *o) {
    store        *m = (store *)o;
    PyTypeObject *type = Py_TYPE(o);
    zw_results_close(m->file);
    for (int i = 0; i < 2 && m->names[i].context != NULL; i++) {
        zw_text_destroy(&m->names[i]);
    }
    session_close(&m->s);
    for (int i = 0; i < m->nepochs; i++) {
        drop_epoch(&m->epochs[i]);
    }
    free(m->epochs);
    free(m->contacts.row);
    free(m->joints.row);
    Py_XDECREF(m->model_text);
    Py_XDECREF(m->summary);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(o);
    Py_DECREF(type);
}

/* ---- reading ---- */

static int epochs_of(const store *m) {
    return m->file != NULL ? zw_results_epochs(m->file) : m->nepochs;
}

static const zw_layout *layout_of(const store *m, int e) {
    static const zw_layout empty;
    if (e < 0 || e >= epochs_of(m)) {
        return &empty;
    }
    return m->file != NULL ? zw_results_layout(m->file, e) : &m->epochs[e].layout;
}

static size_t frames_of(const store *m, int e) {
    return m->file != NULL ? (size_t)zw_results_frames(m->file, e) : m->epochs[e].nframes;
}

static int find_channel(const zw_layout *l, const char *name) {
    for (int i = 0; i < l->nchannels; i++) {
        if (strcmp(l->channel[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int shape_of(const zw_channel *c, size_t nframes, Py_ssize_t *shape) {
    shape[0] = (Py_ssize_t)nframes;
    for (int i = 0; i < c->rank; i++) {
        shape[i + 1] = c->shape[i];
    }
    return c->rank + 1;
}

static bool same_shape(const zw_channel *a, const zw_channel *b) {
    Py_ssize_t x[VIEW_RANK] = {0}, y[VIEW_RANK] = {0};
    return shape_of(a, 0, x) == shape_of(b, 0, y) && memcmp(x, y, sizeof x) == 0;
}

/* the only epoch with frames (the last where there is none), or -1 */
static int only_epoch(const store *m) {
    int only = epochs_of(m) - 1, n = 0;
    for (int e = 0; e < epochs_of(m); e++) {
        if (frames_of(m, e) > 0) {
            only = e;
            n++;
        }
    }
    return n > 1 ? -1 : only;
}

/* a channel that has one shape in all epochs with frames; NULL: it has not, or is missing */
static const zw_channel *steady(const store *m, const char *name, size_t *total) {
    const zw_channel *first = NULL;
    *total = 0;
    for (int e = 0; e < epochs_of(m); e++) {
        if (frames_of(m, e) > 0) {
            const zw_layout *l = layout_of(m, e);
            int              i = find_channel(l, name);
            if (i < 0 || (first != NULL && !same_shape(first, &l->channel[i]))) {
                return NULL;
            }
            first = first != NULL ? first : &l->channel[i];
            *total += frames_of(m, e);
        }
    }
    return first;
}

/* without the GIL */
static zw_status copy_rows(const store *m, int e, const char *name, double *out) {
    const zw_layout *l = layout_of(m, e);
    int              i = find_channel(l, name);
    size_t           n = frames_of(m, e);
    if (m->file != NULL) {
        return n > 0 ? zw_results_read(m->file, e, i, 0, (int64_t)n, out) : ZW_OK;
    }
    for (size_t k = 0; k < n && l->channel[i].count > 0; k++) {
        memcpy(out + k * l->channel[i].count, m->epochs[e].frames + k * l->width + l->channel[i].offset, l->channel[i].count * sizeof *out);
    }
    return ZW_OK;
}

/* epochs [from, to) of a channel, one behind the other, in memory of its own; NULL with an exception */
static PyObject *copied_rows(store *m, const zw_channel *c, int from, int to, size_t total) {
    Py_ssize_t shape[VIEW_RANK], strides[VIEW_RANK];
    double *data = total <= (size_t)PTRDIFF_MAX / sizeof *data / (c->count + 1) ? PyMem_Malloc(total * c->count * sizeof *data + 1) : NULL;
    if (data == NULL) {
        return PyErr_NoMemory();
    }
    zw_status      status = ZW_OK;
    double        *at = data;
    PyThreadState *thread = PyEval_SaveThread();
    for (int e = from; status == ZW_OK && e < to; e++) {
        if (frames_of(m, e) > 0) {
            status = copy_rows(m, e, c->name, at);
            at += frames_of(m, e) * c->count;
        }
    }
    PyEval_RestoreThread(thread);
    if (status != ZW_OK) {
        PyMem_Free(data);
        return session_raise(&m->s, status);
    }
    int rank = shape_of(c, total, shape);
    row_major(rank, shape, strides);
    return view_new(NULL, NULL, data, rank, shape, strides);
}

/* read(name, epoch): frames of an epoch; -1: of all, None where the shape changes */
static PyObject *store_read(PyObject *o, PyObject *args) {
    store      *m = (store *)o;
    const char *name;
    int         e;
    if (!PyArg_ParseTuple(args, "si", &name, &e) || claim(&m->busy, "results object") < 0) {
        return NULL;
    }
    e = e < 0 ? only_epoch(m) : e;
    PyObject         *view = NULL;
    size_t            total = 0;
    int               i = find_channel(layout_of(m, e), name);
    const zw_channel *c = e < 0 ? steady(m, name, &total) : i >= 0 ? &layout_of(m, e)->channel[i] : NULL;
    if (e < 0 && c == NULL) {
        m->busy = false;
        Py_RETURN_NONE;
    }
    if (c == NULL) {
        PyErr_Format(PyExc_KeyError, "%s", name);
    } else if (e < 0) {
        view = copied_rows(m, c, 0, epochs_of(m), total);
    } else if (m->file != NULL) {
        view = copied_rows(m, c, e, e + 1, frames_of(m, e));
    } else {
        Py_ssize_t   shape[VIEW_RANK], strides[VIEW_RANK];
        const epoch *own = &m->epochs[e];
        int          rank = shape_of(c, own->nframes, shape);
        row_major(rank, shape, strides);
        strides[0] = (Py_ssize_t)(own->layout.width * sizeof(double));
        view = view_new(o, NULL, own->frames != NULL ? own->frames + c->offset : NULL, rank, shape, strides);
    }
    m->busy = false;
    return view_array(view);
}

static PyObject *store_frames(PyObject *o, PyObject *unused) {
    const store *m = (store *)o;
    PyObject    *out = PyList_New(0);
    (void)unused;
    for (int e = 0; out != NULL && e < epochs_of(m); e++) {
        PyObject *n = PyLong_FromSize_t(frames_of(m, e));
        if (n == NULL || PyList_Append(out, n) < 0) {
            Py_CLEAR(out);
        }
        Py_XDECREF(n);
    }
    return out;
}

static PyObject *list_channels(const zw_channel *channel, int n) {
    PyObject *out = PyList_New(0);
    for (int i = 0; out != NULL && i < n; i++) {
        const zw_channel *c = &channel[i];
        PyObject         *shape = PyTuple_New(c->rank);
        for (int k = 0; shape != NULL && k < c->rank; k++) {
            PyTuple_SetItem(shape, k, PyLong_FromLong(c->shape[k]));
        }
        PyObject *item = Py_BuildValue("(NNN)", text_of(c->name), text_of(c->unit), shape);
        if (item == NULL || PyList_Append(out, item) < 0) {
            Py_CLEAR(out);
        }
        Py_XDECREF(item);
    }
    return out;
}

static PyObject *store_channels(PyObject *o, PyObject *args) {
    int e;
    if (!PyArg_ParseTuple(args, "i", &e)) {
        return NULL;
    }
    const zw_layout *l = layout_of((store *)o, e);
    return list_channels(l->channel, l->nchannels);
}

static PyObject *store_constants(PyObject *o, PyObject *args) {
    int e;
    if (!PyArg_ParseTuple(args, "i", &e)) {
        return NULL;
    }
    const zw_layout *l = layout_of((store *)o, e);
    PyObject        *out = PyDict_New();
    for (int i = 0; out != NULL && i < l->nconstants; i++) {
        PyObject *value = copied_array(&l->constant[i], l->constants + l->constant[i].offset);
        if (value == NULL || PyDict_SetItemString(out, l->constant[i].name, value) < 0) {
            Py_CLEAR(out);
        }
        Py_XDECREF(value);
    }
    return out;
}

/* an array (rows, columns): of the store's own memory, or a copy */
static PyObject *ledger_array(PyObject *owner, int64_t rows, int columns, const double *row) {
    Py_ssize_t shape[2] = {(Py_ssize_t)rows, columns}, strides[2];
    row_major(2, shape, strides);
    if (owner != NULL) {
        return view_array(view_new(owner, NULL, row, 2, shape, strides));
    }
    size_t  bytes = (size_t)rows * (size_t)columns * sizeof(double);
    double *data = PyMem_Malloc(bytes + 1);
    if (data == NULL) {
        return PyErr_NoMemory();
    }
    if (bytes > 0) {
        memcpy(data, row, bytes);
    }
    return view_array(view_new(NULL, NULL, data, 2, shape, strides));
}

static PyObject *split_lines(const char *text) {
    PyObject *s = text_of(text), *out = s != NULL ? PyObject_CallMethod(s, "splitlines", NULL) : NULL;
    Py_XDECREF(s);
    return out;
}

static PyObject *store_ledger(PyObject *o, PyObject *unused) {
    store    *m = (store *)o;
    PyObject *sides, *joints, *table_of_contacts, *table_of_joints;
    (void)unused;
    if (m->file != NULL) {
        zw_ledger l;
        zw_results_ledger(m->file, &l);
        sides = split_lines(l.sides);
        joints = split_lines(l.joints);
        table_of_contacts = ledger_array(NULL, l.rows, ZW_LEDGER_COLUMNS, l.row);
        table_of_joints = ledger_array(NULL, l.joint_rows, ZW_LEDGER_JOINT_COLUMNS, l.joint_row);
    } else {
        sides = split_lines(m->names[0].s != NULL ? m->names[0].s : "");
        joints = split_lines(m->names[1].s != NULL ? m->names[1].s : "");
        table_of_contacts = ledger_array(o, (int64_t)m->contacts.n, ZW_LEDGER_COLUMNS, m->contacts.row);
        table_of_joints = ledger_array(o, (int64_t)m->joints.n, ZW_LEDGER_JOINT_COLUMNS, m->joints.row);
    }
    return Py_BuildValue("(NNNN)", sides, joints, table_of_contacts, table_of_joints);
}

static PyObject *new_reference(PyObject *o) {
    PyObject *value = o != NULL ? o : Py_None;
    Py_INCREF(value);
    return value;
}

static PyObject *get_model_text(PyObject *o, void *unused) {
    (void)unused;
    return new_reference(((store *)o)->model_text);
}

static PyObject *get_summary(PyObject *o, void *unused) {
    (void)unused;
    return new_reference(((store *)o)->summary);
}

static PyMethodDef methods[] = {
    {"read", store_read, METH_VARARGS, "read(channel, epoch) -> array (time, ...); epoch -1: all frames, None where the shape changes"},
    {"frames", store_frames, METH_NOARGS, "frames() -> [frames of each epoch]"},
    {"channels", store_channels, METH_VARARGS, "channels(epoch) -> [(name, unit, shape)]"},
    {"constants", store_constants, METH_VARARGS, "constants(epoch) -> {name: array}"},
    {"ledger", store_ledger, METH_NOARGS, "ledger() -> (names of sides, names of joints, rows of contacts, rows of joints)"},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef properties[] = {
    {"model_text", get_model_text, NULL, "the model as run", NULL},
    {"summary", get_summary, NULL, "JSON, or \"\" when the run has not ended", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_doc, "Recorded frames"}, {Py_tp_dealloc, store_dealloc}, {Py_tp_methods, methods}, {Py_tp_getset, properties}, {0, NULL},
};
PyType_Spec store_spec = {"zwang._zwang.Store", sizeof(store), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

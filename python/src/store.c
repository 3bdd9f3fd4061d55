/* SPDX-License-Identifier: Apache-2.0
 * store.c: recorded frames. In memory they stand one behind the other as they were recorded, and an array is a strided view of them;
 * of a directory, an array is read when it is asked for, and belongs to whoever asked. */
#include "_zwang.h"

#include "record/events.h"

#include <stdlib.h>
#include <string.h>

typedef struct table { /* rows of the ledger, in memory */
    double *row;
    size_t  n, room;
} table;

typedef struct store {
    PyObject    ob_base;
    session     s;
    bool        busy;
    zw_results *file; /* NULL: in memory */
    double     *frames, *constants;
    size_t      nframes, room;
    zw_layout   layout; /* in memory: a copy */
    table       contacts, joints;
    PyObject   *side_names, *joint_names; /* lists of str */
    PyObject   *model_text, *summary;
} store;

/* ---- in memory ---- */

static void *copy_of(const void *from, size_t n) {
    void *to = malloc(n + 1);
    if (to != NULL && n > 0) {
        memcpy(to, from, n);
    }
    return to;
}

static zw_status take_layout(void *self, const zw_layout *l) {
    store *m = self;
    if (m->layout.channel != NULL) {
        return ZW_E_UNSUPPORTED; /* a second epoch: sizes change in the run */
    }
    m->layout = *l;
    m->layout.channel = copy_of(l->channel, (size_t)l->nchannels * sizeof *l->channel);
    m->layout.constant = copy_of(l->constant, (size_t)l->nconstants * sizeof *l->constant);
    m->layout.constants = m->constants = copy_of(l->constants, l->constants_width * sizeof(double));
    return m->layout.channel != NULL && m->layout.constant != NULL && m->constants != NULL ? ZW_OK : ZW_E_MEMORY;
}

static zw_status take_frame(void *self, const double *frame) {
    store *m = self;
    size_t bytes = m->layout.width * sizeof(double);
    if (m->nframes == m->room) {
        size_t  room = m->room > 0 ? 2 * m->room : 16;
        double *more = room <= (size_t)PTRDIFF_MAX / bytes ? realloc(m->frames, room * bytes) : NULL;
        if (more == NULL) {
            return ZW_E_MEMORY;
        }
        m->frames = more;
        m->room = room;
    }
    memcpy(m->frames + m->nframes * m->layout.width, frame, bytes);
    m->nframes++;
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

static zw_status take_event(void *self, const zw_event_record *e) {
    store *m = self;
    for (int i = 0; i < e->ncontacts; i++) {
        double *row = next_row(&m->contacts, ZW_LEDGER_COLUMNS);
        if (row == NULL) {
            return ZW_E_MEMORY;
        }
        zw_ledger_row(e, i, row);
    }
    for (int i = 0; i < e->njoints; i++) {
        double *row = next_row(&m->joints, ZW_LEDGER_JOINT_COLUMNS);
        if (row == NULL) {
            return ZW_E_MEMORY;
        }
        zw_ledger_joint_row(e, i, row);
    }
    return ZW_OK;
}

static store *allocate(void) {
    allocfunc alloc = (allocfunc)PyType_GetSlot(types.store, Py_tp_alloc);
    return (store *)alloc(types.store, 0);
}

PyObject *store_create(PyObject *model_text) {
    store *m = allocate();
    if (m != NULL) {
        m->model_text = model_text;
        Py_INCREF(model_text);
    }
    return (PyObject *)m;
}

zw_recorder store_recorder(PyObject *o) {
    return (zw_recorder){.self = o, .epoch = take_layout, .frame = take_frame, .event = take_event};
}

static PyObject *names_of(const zw_run *r, bool joints) {
    int       n = joints ? zw_run_joints(r) : zw_run_sides(r);
    PyObject *out = PyList_New(0);
    for (int i = 0; out != NULL && i < n; i++) {
        PyObject *name = text_of(joints ? zw_run_joint_name(r, i) : zw_run_side_name(r, i));
        if (name == NULL || PyList_Append(out, name) < 0) {
            Py_CLEAR(out);
        }
        Py_XDECREF(name);
    }
    return out;
}

int store_close(PyObject *o, const zw_run *run, const char *summary) {
    store *m = (store *)o;
    if (m->nframes > 0 && m->nframes < m->room) { /* nothing looks at it yet: give the rest back */
        double *less = realloc(m->frames, m->nframes * m->layout.width * sizeof(double));
        if (less != NULL) {
            m->frames = less;
            m->room = m->nframes;
        }
    }
    m->side_names = names_of(run, false);
    m->joint_names = names_of(run, true);
    m->summary = text_of(summary);
    return m->summary != NULL && m->side_names != NULL && m->joint_names != NULL ? 0 : -1;
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
    session_close(&m->s);
    free(m->frames);
    free(m->constants);
    free(m->contacts.row);
    free(m->joints.row);
    Py_XDECREF(m->side_names);
    Py_XDECREF(m->joint_names);
    if (m->layout.channel != NULL || m->layout.constant != NULL) {
        free(m->layout.channel);
        free(m->layout.constant);
    }
    Py_XDECREF(m->model_text);
    Py_XDECREF(m->summary);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(o);
    Py_DECREF(type);
}

/* ---- reading ---- */

static const zw_layout *layout_of(const store *m) {
    static const zw_layout empty;
    const zw_layout       *l = m->file != NULL ? zw_results_layout(m->file, 0) : &m->layout;
    return l != NULL ? l : &empty;
}

static int find_channel(const zw_layout *l, const char *name) {
    for (int i = 0; i < l->nchannels; i++) {
        if (strcmp(l->channel[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static Py_ssize_t shape_of(const zw_channel *c, size_t nframes, Py_ssize_t *shape) {
    shape[0] = (Py_ssize_t)nframes;
    for (int i = 0; i < c->rank; i++) {
        shape[i + 1] = c->shape[i];
    }
    return c->rank + 1;
}

/* the numbers of one channel over all epochs, in one piece of memory; NULL with an exception */
static double *read_file(store *m, const char *name, size_t *nframes) {
    const zw_channel *first = NULL;
    int64_t           total = 0;
    int               nepochs = zw_results_epochs(m->file);
    for (int e = 0; e < nepochs; e++) {
        const zw_layout *l = zw_results_layout(m->file, e);
        int              i = find_channel(l, name);
        if (i < 0 || (first != NULL && l->channel[i].count != first->count)) {
            PyErr_Format(PyExc_ValueError, "%s: its size changes in the course of the run, so that it is no array", name);
            return NULL;
        }
        first = first != NULL ? first : &l->channel[i];
        total += zw_results_frames(m->file, e);
    }
    if (first == NULL || (size_t)total > (size_t)PTRDIFF_MAX / sizeof(double) / (first->count + 1)) {
        return (double *)PyErr_NoMemory();
    }
    double *data = PyMem_Malloc((size_t)total * first->count * sizeof *data + 1);
    if (data == NULL) {
        return (double *)PyErr_NoMemory();
    }
    zw_status      status = ZW_OK;
    size_t         at = 0;
    PyThreadState *thread = PyEval_SaveThread();
    for (int e = 0; status == ZW_OK && e < nepochs; e++) {
        int64_t n = zw_results_frames(m->file, e);
        if (n > 0) {
            status = zw_results_read(m->file, e, find_channel(zw_results_layout(m->file, e), name), 0, n, data + at);
        }
        at += (size_t)n * first->count;
    }
    PyEval_RestoreThread(thread);
    if (status != ZW_OK) {
        PyMem_Free(data);
        return (double *)session_raise(&m->s, status);
    }
    *nframes = (size_t)total;
    return data;
}

static PyObject *store_read(PyObject *o, PyObject *args) {
    store      *m = (store *)o;
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name) || claim(&m->busy, "results object") < 0) {
        return NULL;
    }
    const zw_layout *l = layout_of(m);
    int              i = find_channel(l, name);
    Py_ssize_t       shape[VIEW_RANK], strides[VIEW_RANK];
    PyObject        *view = NULL;
    if (i < 0) {
        PyErr_Format(PyExc_KeyError, "%s", name);
    } else if (m->file != NULL) {
        size_t  n = 0;
        double *data = read_file(m, name, &n);
        if (data != NULL) {
            int rank = (int)shape_of(&l->channel[i], n, shape);
            row_major(rank, shape, strides);
            view = view_new(NULL, NULL, data, rank, shape, strides);
        }
    } else {
        int rank = (int)shape_of(&l->channel[i], m->nframes, shape);
        row_major(rank, shape, strides);
        strides[0] = (Py_ssize_t)(l->width * sizeof(double));
        view = view_new(o, NULL, m->frames != NULL ? m->frames + l->channel[i].offset : NULL, rank, shape, strides);
    }
    m->busy = false;
    return view_array(view);
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

static PyObject *store_channels(PyObject *o, PyObject *unused) {
    const zw_layout *l = layout_of((store *)o);
    (void)unused;
    return list_channels(l->channel, l->nchannels);
}

static PyObject *store_constants(PyObject *o, PyObject *unused) {
    const zw_layout *l = layout_of((store *)o);
    PyObject        *out = PyDict_New();
    (void)unused;
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

static PyObject *new_reference(PyObject *o);

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
        sides = m->side_names != NULL ? new_reference(m->side_names) : PyList_New(0);
        joints = m->joint_names != NULL ? new_reference(m->joint_names) : PyList_New(0);
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
    {"read", store_read, METH_VARARGS, "read(channel) -> array (time, ...)"},
    {"channels", store_channels, METH_NOARGS, "channels() -> [(name, unit, shape)]"},
    {"constants", store_constants, METH_NOARGS, "constants() -> {name: array}"},
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

/* SPDX-License-Identifier: Apache-2.0
 * source.c: a model that was read and found good, kept as its text and settings. Everything that runs reads it anew into its own
 * context; lines and columns in later errors are those of the file as written. */
#include "_zwang.h"

#include "model/model.h"

#include <string.h>

typedef struct source {
    PyObject     ob_base;
    char        *name, *text; /* as given */
    size_t       size;
    int          nsets;
    const char **sets; /* pointers into the items of settings */
    PyObject    *settings;
    PyObject    *title, *as_run, *hash;
} source;

zw_status source_parse(PyObject *o, session *s, zw_model **out) {
    const source *m = (const source *)o;
    return zw_model_parse(s->context, m->name, m->text, m->size, m->nsets, m->sets, out);
}

PyObject *source_text(PyObject *o) {
    return ((source *)o)->as_run;
}

static char *copy_bytes(const char *from, size_t n) {
    char *s = PyMem_Malloc(n + 1);
    if (s == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (n > 0) {
        memcpy(s, from, n);
    }
    s[n] = 0;
    return s;
}

/* settings: a tuple of bytes "key=value" */
static int take_settings(source *m, PyObject *settings) {
    Py_ssize_t n = PyTuple_Size(settings);
    m->settings = settings;
    Py_INCREF(settings);
    m->sets = PyMem_Calloc((size_t)n + 1, sizeof *m->sets);
    if (m->sets == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        m->sets[i] = PyBytes_AsString(PyTuple_GetItem(settings, i));
        if (m->sets[i] == NULL) {
            return -1;
        }
    }
    m->nsets = (int)n;
    return 0;
}

static int describe(source *m, const zw_model *model) {
    m->title = text_of(zw_model_title(model));
    m->as_run = text_of(zw_model_text(model));
    m->hash = PyUnicode_FromFormat("%08x%08x", (unsigned)(zw_model_hash(model) >> 32), (unsigned)(zw_model_hash(model) & 0xffffffffu));
    return m->title != NULL && m->as_run != NULL && m->hash != NULL ? 0 : -1;
}

/* Source(name, text or None, settings): without a text it is read from the file of that name */
static PyObject *source_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject   *name, *settings;
    const char *text;
    Py_ssize_t  size;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O&z#O!", PyUnicode_FSConverter, &name, &text, &size, &PyTuple_Type, &settings)) {
        return NULL;
    }
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    source   *m = (source *)alloc(type, 0);
    if (m == NULL) {
        Py_DECREF(name);
        return NULL;
    }
    session   s = {0};
    zw_model *model = NULL;
    zw_status status = ZW_OK;
    bool      failed = true;
    m->name = copy_bytes(PyBytes_AsString(name), (size_t)PyBytes_Size(name));
    if (m->name == NULL || take_settings(m, settings) < 0 || session_open(&s, 1) < 0) {
        goto done;
    }
    if (text != NULL && (m->text = copy_bytes(text, (size_t)size)) == NULL) {
        goto done;
    }
    m->size = text != NULL ? (size_t)size : 0;
    PyThreadState *thread = PyEval_SaveThread();
    status = text != NULL ? source_parse((PyObject *)m, &s, &model) : zw_model_load(s.context, m->name, m->nsets, m->sets, &model);
    PyEval_RestoreThread(thread);
    if (session_tell(&s) < 0) {
        goto done;
    }
    if (status != ZW_OK) {
        session_raise(&s, status);
        goto done;
    }
    if (text == NULL) {
        m->size = model->source_size;
        if ((m->text = copy_bytes(model->source, m->size)) == NULL) {
            goto done;
        }
    }
    failed = describe(m, model) < 0;
done:
    zw_model_destroy(model);
    session_close(&s);
    Py_DECREF(name);
    if (failed) {
        Py_CLEAR(m);
    }
    return (PyObject *)m;
}

static void source_dealloc(PyObject *o) {
    source       *m = (source *)o;
    PyTypeObject *type = Py_TYPE(o);
    PyMem_Free(m->name);
    PyMem_Free(m->text);
    PyMem_Free((void *)m->sets);
    Py_XDECREF(m->settings);
    Py_XDECREF(m->title);
    Py_XDECREF(m->as_run);
    Py_XDECREF(m->hash);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(o);
    Py_DECREF(type);
}

static PyObject *new_reference(PyObject *o) {
    Py_INCREF(o);
    return o;
}

static PyObject *get_title(PyObject *o, void *unused) {
    (void)unused;
    return new_reference(((source *)o)->title);
}

static PyObject *get_text(PyObject *o, void *unused) {
    (void)unused;
    return new_reference(((source *)o)->as_run);
}

static PyObject *get_hash(PyObject *o, void *unused) {
    (void)unused;
    return new_reference(((source *)o)->hash);
}

static PyObject *get_name(PyObject *o, void *unused) {
    (void)unused;
    return PyUnicode_DecodeFSDefault(((source *)o)->name);
}

static PyGetSetDef properties[] = {
    {"title", get_title, NULL, "title of the model", NULL},
    {"text", get_text, NULL, "the model as run: YAML with the settings applied", NULL},
    {"hash", get_hash, NULL, "identity of that text", NULL},
    {"name", get_name, NULL, "file, or what stands for it in messages", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_doc, "Source(name, text or None, settings): a checked model"},
    {Py_tp_new, source_new},
    {Py_tp_dealloc, source_dealloc},
    {Py_tp_getset, properties},
    {0, NULL},
};
PyType_Spec source_spec = {"zwang._zwang.Source", sizeof(source), 0, Py_TPFLAGS_DEFAULT, slots};

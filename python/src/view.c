/* SPDX-License-Identifier: Apache-2.0
 * view.c: an array of doubles inside another object, offered by the buffer protocol, read-only. The view keeps its owner alive, and
 * whoever holds the buffer (numpy.asarray(view)) keeps the view: memory outlives everything that looks at it. */
#include "_zwang.h"

#include <string.h>

typedef struct view {
    PyObject      ob_base;
    PyObject     *owner; /* NULL: the memory is the view's own */
    Py_ssize_t   *alive;
    const double *data;
    int           rank;
    Py_ssize_t    shape[VIEW_RANK], strides[VIEW_RANK]; /* strides in bytes */
} view;

static double nothing; /* arrays without elements have an address, too */

void row_major(int rank, const Py_ssize_t *shape, Py_ssize_t *strides) {
    Py_ssize_t step = (Py_ssize_t)sizeof(double);
    for (int i = rank - 1; i >= 0; i--) {
        strides[i] = step;
        step *= shape[i];
    }
}

PyObject *view_new(PyObject *owner, Py_ssize_t *alive, const double *data, int rank, const Py_ssize_t *shape, const Py_ssize_t *strides) {
    allocfunc alloc = (allocfunc)PyType_GetSlot(types.view, Py_tp_alloc);
    view     *v = (view *)alloc(types.view, 0);
    if (v == NULL) {
        if (owner == NULL) {
            PyMem_Free((void *)data);
        }
        return NULL;
    }
    v->owner = owner;
    Py_XINCREF(owner);
    v->alive = alive;
    if (alive != NULL) {
        *alive += 1;
    }
    v->data = data;
    v->rank = rank;
    for (int i = 0; i < rank; i++) {
        v->shape[i] = shape[i];
        v->strides[i] = strides[i];
    }
    return (PyObject *)v;
}

PyObject *view_array(PyObject *v) {
    static PyObject *asarray;
    if (v == NULL) {
        return NULL;
    }
    if (asarray == NULL) {
        PyObject *numpy = PyImport_ImportModule("numpy");
        asarray = numpy != NULL ? PyObject_GetAttrString(numpy, "asarray") : NULL;
        Py_XDECREF(numpy);
    }
    PyObject *array = asarray != NULL ? PyObject_CallFunctionObjArgs(asarray, v, NULL) : NULL;
    Py_DECREF(v);
    return array;
}

PyObject *copied_array(const zw_channel *c, const double *data) {
    if (c->rank == 0) {
        return PyFloat_FromDouble(*data);
    }
    double *copy = PyMem_Malloc(c->count * sizeof *copy + 1);
    if (copy == NULL) {
        return PyErr_NoMemory();
    }
    if (c->count > 0) {
        memcpy(copy, data, c->count * sizeof *copy);
    }
    Py_ssize_t shape[VIEW_RANK], strides[VIEW_RANK];
    for (int i = 0; i < c->rank; i++) {
        shape[i] = c->shape[i];
    }
    row_major(c->rank, shape, strides);
    return view_array(view_new(NULL, NULL, copy, c->rank, shape, strides));
}

static void view_dealloc(PyObject *o) {
    view         *v = (view *)o;
    PyTypeObject *type = Py_TYPE(o);
    if (v->alive != NULL) {
        *v->alive -= 1;
    }
    if (v->owner == NULL) {
        PyMem_Free((void *)v->data);
    }
    Py_XDECREF(v->owner);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(o);
    Py_DECREF(type);
}

static bool contiguous(const view *v) {
    Py_ssize_t strides[VIEW_RANK];
    row_major(v->rank, v->shape, strides);
    for (int i = 0; i < v->rank; i++) {
        if (v->shape[i] == 0) {
            return true;
        }
        if (v->shape[i] != 1 && v->strides[i] != strides[i]) {
            return false;
        }
    }
    return true;
}

static int view_getbuffer(PyObject *o, Py_buffer *out, int flags) {
    view *v = (view *)o;
    bool  strided = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    bool  in_c_order = (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS, in_f_order = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS;
    bool  contiguous_wanted = !strided || in_c_order || (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS;
    out->obj = NULL;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "arrays of zwang are read-only; copy them to change them");
        return -1;
    }
    if ((contiguous_wanted && !contiguous(v)) || (in_f_order && v->rank > 1)) {
        PyErr_SetString(PyExc_BufferError, "this array has strides; copy it to have it in one piece");
        return -1;
    }
    Py_ssize_t count = 1;
    for (int i = 0; i < v->rank; i++) {
        count *= v->shape[i];
    }
    out->buf = count > 0 ? (void *)v->data : (void *)&nothing;
    out->len = count * (Py_ssize_t)sizeof(double);
    out->itemsize = sizeof(double);
    out->readonly = 1;
    out->ndim = v->rank;
    out->format = (flags & PyBUF_FORMAT) ? "d" : NULL;
    out->shape = (flags & PyBUF_ND) ? v->shape : NULL;
    out->strides = strided ? v->strides : NULL;
    out->suboffsets = NULL;
    out->internal = NULL;
    out->obj = o;
    Py_INCREF(o);
    return 0;
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "A read-only array that belongs to a simulation or to results; numpy.asarray(view) shares its memory."},
    {Py_tp_dealloc, view_dealloc},
    {Py_bf_getbuffer, view_getbuffer},
    {0, NULL},
};
PyType_Spec view_spec = {"zwang._zwang.View", sizeof(view), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

/* SPDX-License-Identifier: Apache-2.0
 * _zwang.c: the extension module, in the limited API of Python 3.11: one binary for that version and all later ones. */
#include "_zwang.h"

module_types types;

static PyMethodDef functions[] = {
    {"record", record, METH_VARARGS, "record(source, threads, progress) -> (Store, exception or None): run and keep the frames in memory."},
    {"simulate", simulate, METH_VARARGS,
     "simulate(source, directory, force, resume, report, threads, progress) -> (summary, exception or None)."},
    {"open", store_open, METH_VARARGS, "open(directory) -> Store"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "_zwang",
    "The library libzwang inside Python; use it through the package zwang.",
    -1,
    functions,
    NULL,
    NULL,
    NULL,
    NULL,
};

static int add_type(PyObject *module, PyType_Spec *spec, const char *name, PyTypeObject **out) {
    PyObject *type = PyType_FromSpec(spec);
    if (type == NULL) {
        return -1;
    }
    *out = (PyTypeObject *)type; /* this reference is kept for the life of the process */
    return PyModule_AddObjectRef(module, name, type);
}

PyMODINIT_FUNC PyInit__zwang(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) {
        return NULL;
    }
    if (add_type(module, &view_spec, "View", &types.view) < 0 || add_type(module, &source_spec, "Source", &types.source) < 0 ||
        add_type(module, &simulation_spec, "Simulation", &types.simulation) < 0 ||
        add_type(module, &store_spec, "Store", &types.store) < 0 || PyModule_AddStringConstant(module, "version", zw_version()) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}

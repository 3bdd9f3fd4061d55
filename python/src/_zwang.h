/* SPDX-License-Identifier: Apache-2.0
 * _zwang.h: what the files of the extension module share.
 *
 *   session     a context of its own for everything that runs, with what the library says on the way
 *   Source      a checked model: text and settings; immutable, so that threads may share it
 *   Simulation  a run in the hands of Python: stepped, and looked at without copying
 *   Store       recorded frames: of a directory, or in memory
 *   View        numbers that belong to one of them, for the buffer protocol
 *
 * Whatever runs reads its model anew from the Source into its own context: no two objects share anything that changes.
 * An object that works without the GIL is marked busy; a second thread that uses it gets a RuntimeError, not a race. */
#ifndef ZWANG_PYTHON_H
#define ZWANG_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "zwang/zwang.h"

enum { VIEW_RANK = 4 };

/* ---- session.c */
typedef struct note {
    zw_log_level level;
    char         text[480];
} note;
typedef struct session {
    zw_context *context;
    note       *notes;
    int         nnotes, room;
} session;

int       session_open(session *s, int threads); /* 0, or -1 with an exception. s must not move afterwards   */
void      session_close(session *s);
int       session_tell(session *s);                      /* passes what was logged on to logging; -1: it raised      */
PyObject *session_failure(session *s, zw_status status); /* the errors as an exception object; forgets them          */
PyObject *session_raise(session *s, zw_status status);   /* sets it; always NULL                                     */
PyObject *text_of(const char *s);                        /* str; what is not UTF-8 is replaced                       */
int       claim(bool *busy, const char *what);           /* 0: it is ours; -1 with RuntimeError: another thread's    */

/* asks Python, while C works without the GIL, whether to go on; the exception it raised is kept until the end */
typedef struct watch {
    zw_context    *context;
    PyObject      *progress; /* callable or None; borrowed */
    PyThreadState *thread;
    PyObject      *type, *value, *trace;
} watch;
void watch_progress(void *user, const zw_progress *p); /* a zw_progress_fn; cancels the context when Python raised */
int  watch_end(watch *w);                              /* -1: Python raised, and the exception is set again        */

/* ---- view.c */
extern PyType_Spec view_spec;
/* data belongs to owner, or to the view when owner is NULL (PyMem_Free); *alive counts the views of an owner */
PyObject *view_new(PyObject *owner, Py_ssize_t *alive, const double *data, int rank, const Py_ssize_t *shape, const Py_ssize_t *strides);
PyObject *view_array(PyObject *view); /* numpy.asarray(view); takes over the reference            */
void      row_major(int rank, const Py_ssize_t *shape, Py_ssize_t *strides);
PyObject *copied_array(const zw_channel *c, const double *data); /* a float for rank 0                                 */

/* ---- source.c */
extern PyType_Spec source_spec;
zw_status          source_parse(PyObject *source, session *s, zw_model **out); /* needs no GIL while the source is referenced   */
PyObject          *source_text(PyObject *source); /* borrowed: the model as run                               */

/* ---- simulation.c */
extern PyType_Spec simulation_spec;

/* ---- store.c */
extern PyType_Spec store_spec;
PyObject          *store_open(PyObject *module, PyObject *args);
PyObject          *store_create(PyObject *model_text, const zw_run *run); /* empty, to record into; looks at the run until it is closed */
zw_recorder        store_recorder(PyObject *store);
int                store_close(PyObject *store, const char *summary);

/* ---- record.c */
PyObject *record(PyObject *module, PyObject *args);
PyObject *simulate(PyObject *module, PyObject *args);
zw_status summary_text(session *s, const zw_model *m, const zw_run *r, double wall_s, char **out); /* zw_string_free    */
double    clock_now(void); /* s, monotonic                                             */

/* types of the module; there is one module per process */
typedef struct module_types {
    PyTypeObject *view, *source, *simulation, *store;
} module_types;
extern module_types types;

#endif

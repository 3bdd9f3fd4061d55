/* SPDX-License-Identifier: Apache-2.0
 * session.c: a context for Python: errors become exceptions, the log goes to logging, signals stop a run. */
#include "_zwang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_MOST = 1000 };

PyObject *text_of(const char *s) {
    return PyUnicode_DecodeUTF8(s, (Py_ssize_t)strlen(s), "replace");
}

int claim(bool *busy, const char *what) {
    if (*busy) {
        PyErr_Format(PyExc_RuntimeError, "the %s is in use by another thread; give every thread its own", what);
        return -1;
    }
    *busy = true;
    return 0;
}

/* called without the GIL: only kept here, told later */
static void keep_note(void *user, zw_log_level level, const char *text) {
    session *s = user;
    if (s->nnotes == s->room) {
        int   room = s->room > 0 ? 2 * s->room : 8;
        note *more = room <= NOTES_MOST ? realloc(s->notes, (size_t)room * sizeof *more) : NULL;
        if (more == NULL) {
            return;
        }
        s->notes = more;
        s->room = room;
    }
    note *n = &s->notes[s->nnotes++];
    n->level = level;
    snprintf(n->text, sizeof n->text, "%s", text);
}

int session_open(session *s, int threads) {
    zw_context_def def = zw_context_def_default();
    *s = (session){0};
    def.log = keep_note;
    def.log_user = s;
    def.threads = threads;
    zw_status status = zw_context_create(&def, &s->context);
    if (status == ZW_E_MEMORY) {
        PyErr_NoMemory();
    } else if (status != ZW_OK) {
        PyErr_Format(PyExc_ValueError, "threads: %d is not a number of threads; give 1 or more", threads);
    }
    return status == ZW_OK ? 0 : -1;
}

void session_close(session *s) {
    zw_context_destroy(s->context);
    free(s->notes);
    *s = (session){0};
}

static PyObject *call_failure(const char *function, PyObject *args) {
    PyObject *result = NULL, *module = args != NULL ? PyImport_ImportModule("zwang._errors") : NULL;
    PyObject *callable = module != NULL ? PyObject_GetAttrString(module, function) : NULL;
    if (callable != NULL) {
        result = PyObject_CallObject(callable, args);
    }
    Py_XDECREF(callable);
    Py_XDECREF(module);
    Py_XDECREF(args);
    return result;
}

int session_tell(session *s) {
    for (int i = 0; i < s->nnotes; i++) {
        PyObject *done = call_failure("log", Py_BuildValue("(iN)", (int)s->notes[i].level, text_of(s->notes[i].text)));
        if (done == NULL) {
            s->nnotes = 0;
            return -1;
        }
        Py_DECREF(done);
    }
    s->nnotes = 0;
    return 0;
}

static PyObject *error_item(const zw_error *e) {
    char line[sizeof *e + 64];
    zw_error_format(e, line, sizeof line);
    return Py_BuildValue("(sNiiNNNNN)", zw_status_name(e->code), text_of(e->file), e->line, e->col, text_of(e->subject),
                         text_of(e->message), text_of(e->remedy), text_of(e->excerpt), text_of(line));
}

PyObject *session_failure(session *s, zw_status status) {
    int       n = zw_error_count(s->context);
    PyObject *items = PyList_New(0);
    for (int i = 0; items != NULL && i < n; i++) {
        PyObject *item = error_item(zw_error_at(s->context, i));
        if (item == NULL || PyList_Append(items, item) < 0) {
            Py_CLEAR(items);
        }
        Py_XDECREF(item);
    }
    zw_error_clear(s->context);
    if (items == NULL) {
        return NULL;
    }
    return call_failure("failure", Py_BuildValue("(ssN)", zw_status_name(status), zw_status_sentence(status), items));
}

PyObject *session_raise(session *s, zw_status status) {
    PyObject *e = session_failure(s, status);
    if (e != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(e), e);
        Py_DECREF(e);
    }
    return NULL;
}

void watch_progress(void *user, const zw_progress *p) {
    watch *w = user;
    PyEval_RestoreThread(w->thread);
    if (w->type == NULL) {
        bool fine = PyErr_CheckSignals() == 0;
        if (fine && w->progress != Py_None) {
            PyObject *answer =
                PyObject_CallFunction(w->progress, "LLdddd", (long long)p->step, (long long)p->steps, p->t, p->until, p->wall_s, p->eta_s);
            fine = answer != NULL;
            Py_XDECREF(answer);
        }
        if (!fine) {
            PyErr_Fetch(&w->type, &w->value, &w->trace);
            zw_context_cancel(w->context);
        }
    }
    w->thread = PyEval_SaveThread();
}

int watch_end(watch *w) {
    if (w->type == NULL) {
        return 0;
    }
    PyErr_Restore(w->type, w->value, w->trace);
    w->type = w->value = w->trace = NULL;
    return -1;
}

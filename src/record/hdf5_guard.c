/* SPDX-License-Identifier: Apache-2.0
 * hdf5_guard.c: silence and mutual exclusion around HDF5, and its error stack as an error of ours.
 *
 * HDF5 keeps global tables. A build with thread support locks them itself; for others there is one lock here, the only object in the
 * library that contexts share: it guards state that is not ours and holds none of its own. */
#define _POSIX_C_SOURCE 200809L
#include "record/hdf5_guard.h"

#include "record/file.h"

#include <stdlib.h>
#include <string.h>

#ifndef H5_HAVE_THREADSAFE
#include <pthread.h>
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
#endif

void zw_hdf5_enter(zw_hdf5_guard *g) {
#ifndef H5_HAVE_THREADSAFE
    pthread_mutex_lock(&gate);
#endif
    *g = (zw_hdf5_guard){0};
    H5Eget_auto2(H5E_DEFAULT, &g->function, &g->data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void zw_hdf5_leave(zw_hdf5_guard *g) {
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, g->function, g->data);
#ifndef H5_HAVE_THREADSAFE
    pthread_mutex_unlock(&gate);
#endif
}

typedef struct cause {
    int  error; /* errno, 0 when the system was not at fault */
    char text[160];
} cause;

/* the innermost entry says most; an errno may stand in any of them */
static herr_t note_cause(unsigned n, const H5E_error2_t *entry, void *user) {
    cause      *k = user;
    const char *text = entry->desc ? entry->desc : "";
    const char *mark = strstr(text, "errno = ");
    if (mark && k->error == 0) {
        k->error = (int)strtol(mark + 8, NULL, 10);
    }
    if (n == 0) {
        strncpy(k->text, text, sizeof k->text - 1);
    }
    return 0;
}

zw_status zw_hdf5_raise(zw_context *c, zw_status otherwise, const char *path, const char *verb, const char *object) {
    cause k = {0};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_cause, &k);
    if (k.error != 0) {
        zw_file_raise(c, k.error, path, "", verb);
        return ZW_E_IO;
    }
    return zw_raise(c, otherwise, path,
                    otherwise == ZW_E_FORMAT
                        ? "the file is damaged or not one of zwang's; delete it if a journal.zwj is beside it, else run the model again"
                        : "check the disk, then run the command again",
                    "%s failed at '%s': %s", verb, object, k.text[0] ? k.text : "no reason given");
}

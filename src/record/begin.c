/* SPDX-License-Identifier: Apache-2.0
 * begin.c: see begin.h. */
#define _POSIX_C_SOURCE 200809L
#include "record/begin.h"

#include "model/model.h"
#include "record/file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* DIR/model.yaml is the model as run. A file of that name that no run of ours wrote is somebody's model: it is not replaced.
 * *write: false when the file has the right contents already */
static zw_status check_model(zw_directory *d, const zw_model *m, bool force, bool *write) {
    const char *text = zw_model_text(m);
    size_t      size = strlen(text), n = 0;
    struct stat there, given;
    *write = true;
    if (fstatat(d->fd, ZW_FILE_MODEL, &there, 0) != 0) {
        return ZW_OK;
    }
    if (S_ISREG(there.st_mode) && (uint64_t)there.st_size == size) {
        char *old;
        ZW_TRY(zw_file_read(d->context, d->fd, d->path, ZW_FILE_MODEL, size, &old, &n));
        *write = n != size || memcmp(old, text, n) != 0;
        zw_free(d->context, old);
    }
    bool input = m->file && stat(m->file, &given) == 0 && given.st_dev == there.st_dev && given.st_ino == there.st_ino;
    bool ours = force || zw_directory_has_results(d, NULL);
    if (*write && (input || !ours)) {
        return zw_raise(d->context, ZW_E_EXISTS, d->path, "choose another directory with -o, or rename that file",
                        "holds a model.yaml %s; zwang would replace it by the model as run",
                        input ? "that is the model being run" : "that no run wrote");
    }
    return ZW_OK;
}

zw_status zw_record_begin(zw_directory *d, const zw_model *m, bool force, zw_journal_writer **out) {
    const char *text = zw_model_text(m);
    bool        write;
    ZW_TRY(check_model(d, m, force, &write));
    ZW_TRY(zw_directory_clear(d));
    zw_run_label label = {.hash = zw_model_hash(m), .seed = m->run.seed, .title = zw_model_title(m), .text = text};
    ZW_TRY(zw_journal_create(d->context, d->fd, d->path, &label, out));
    return write ? zw_file_replace(d->context, d->fd, d->path, ZW_FILE_MODEL, text, strlen(text)) : ZW_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 * directory.h: the results directory: made, looked into, locked, emptied of our own files (and of nothing else). */
#ifndef ZW_RECORD_DIRECTORY_H
#define ZW_RECORD_DIRECTORY_H

#include "base/context.h"

#define ZW_FILE_JOURNAL      "journal.zwj"
#define ZW_FILE_CHECKPOINT_A "checkpoint-a"
#define ZW_FILE_CHECKPOINT_B "checkpoint-b"
#define ZW_FILE_RESULTS      "results.h5"
#define ZW_FILE_SUMMARY      "summary.json"
#define ZW_FILE_REPORT       "report.html"
#define ZW_FILE_VIEW         "view.html"
#define ZW_FILE_MODEL        "model.yaml"
#define ZW_FILE_LOCK         "lock"

typedef struct zw_directory {
    zw_context *context;
    char       *path; /* as given                                       */
    int         fd;   /* -1: not open                                   */
    int         lock; /* descriptor that holds the lock; -1: not locked */
} zw_directory;

zw_status zw_directory_create(zw_context *c, const char *path, zw_directory *d); /* opens it; makes it and its parents when missing */
zw_status zw_directory_open(zw_context *c, const char *path, zw_directory *d);   /* ZW_E_NO_INPUT when missing                      */
/* ZW_E_BUSY names the process that holds it. The kernel drops the lock of a killed process by itself */
zw_status zw_directory_lock(zw_directory *d);
bool      zw_directory_try_lock(zw_directory *d); /* false, without an error: held by another, or the directory cannot be written */
void      zw_directory_unlock(zw_directory *d);
bool      zw_directory_has(const zw_directory *d, const char *name);
bool      zw_directory_has_results(const zw_directory *d, const char **which); /* journal, checkpoint, results or summary */
zw_status zw_directory_remove(zw_directory *d, const char *name);              /* missing is fine */
zw_status zw_directory_tidy(zw_directory *d); /* removes what only a run in progress needs: checkpoints, temporary files, the journal */
bool      zw_directory_is_tidy(const zw_directory *d); /* there is nothing of that */
zw_status zw_directory_clear(zw_directory *d);         /* removes every file of ours but the lock and model.yaml */
void      zw_directory_close(zw_directory *d);         /* unlocks; legal on one that failed to open */

#endif
